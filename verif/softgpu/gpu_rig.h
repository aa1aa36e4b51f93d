/* SPDX-License-Identifier: Apache-2.0
 *
 * gpu_rig.h - the Verilated soft GPU with a memory, its host, and the record of its cache's port.
 * The geometry is that of the build (P_LANES and so on); P_AXI is the width of an AXI4 bus in
 * bytes, 0 for none.
 */
#ifndef GPU_RIG_H
#define GPU_RIG_H

#include "cosim/dut.h"
#include "softgpu/asm/gpu_asm.h"
#include "softgpu/gpu_axi.h"
#include "softgpu/gpu_memory.h"
#include "softgpu/gpu_stream.h"

enum { GPU_RIG_PORTS = 88 };

struct gpu_rig {
    struct dut *dut;
    uint32_t port[GPU_RIG_PORTS];
    struct byw_rng rng;
    struct gpu_memory memory;
    struct gpu_axi axi; /* P_AXI: between the two */
    struct gpu_stream stream;
    struct gpu_cycle c; /* the current cycle */
    uint64_t cycles, issued; /* issued instructions, including reissued ones */
    uint32_t memory_ready; /* percent of cycles */
    uint32_t fault, fault_pc; /* fault of the last launch, and its PC */
    bool running, idle;
    uint64_t counter;
};

/* The geometry of this build, with the policy in effect after a reset. */
struct byw_config gpu_rig_config(void);

/* Resets it with these settings. Ends the program if memory runs out. */
void gpu_rig_init(struct gpu_rig *rig, const struct byw_config *config, uint64_t seed);
void gpu_rig_release(struct gpu_rig *rig);

void gpu_rig_load(struct gpu_rig *rig, const struct gpu_program *program);
void gpu_rig_param(struct gpu_rig *rig, uint32_t number, uint32_t value);

/* Starts a kernel and runs until it has ended; false if it does not end or has a fault
 * (rig->fault). */
bool gpu_rig_launch(struct gpu_rig *rig, uint32_t pc, uint32_t ctas, uint64_t cycles);

/* Runs until nothing is in flight. */
bool gpu_rig_settle(struct gpu_rig *rig);

/* Counter `number` of rtl/doc/csr.md. */
uint64_t gpu_rig_counter(struct gpu_rig *rig, uint32_t number);

#endif
