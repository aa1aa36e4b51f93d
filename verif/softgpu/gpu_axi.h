/* SPDX-License-Identifier: Apache-2.0
 *
 * gpu_axi.h - the memory of the soft GPU behind an AXI4 bus: a slave that performs and answers
 * requests in any order, each burst at once.
 */
#ifndef GPU_AXI_H
#define GPU_AXI_H

#include "cosim/dut.h"
#include "softgpu/gpu_memory.h"

enum { GPU_AXI_IDS = 256, GPU_AXI_PORTS = 32 };

struct gpu_axi {
    struct dut *dut;
    struct gpu_memory *memory; /* its request ids are those of the bus */
    uint32_t port[GPU_AXI_PORTS];
    uint32_t data_bytes; /* bytes of a beat */
    uint32_t ready; /* percent of cycles in which a channel is ready */
    struct {
        bool busy, write;
        uint32_t first, count; /* beats */
    } id[GPU_AXI_IDS];
    bool have_aw, have_w; /* a write in progress: its address, all its beats */
    uint32_t aw_id, beats;
    struct byw_mem_req write;
    uint8_t beat_data[BYW_LINE_MAX], write_data[BYW_LINE_MAX];
    uint32_t strobes[BYW_LINE_MAX];
    uint32_t r_beat; /* the next beat of the read that is offered */
};

/* Finds the ports. */
void gpu_axi_init(struct gpu_axi *axi, struct dut *dut, struct gpu_memory *memory,
                  uint32_t data_bytes);

/* _drive: the inputs of this cycle.  _look: the transfers at its end. A burst that breaks a rule of
 * the bus ends the program. */
void gpu_axi_drive(struct gpu_axi *axi);
void gpu_axi_look(struct gpu_axi *axi);

#endif
