/* SPDX-License-Identifier: Apache-2.0
 *
 * code_rig.h - one SM (sm_rig.h) whose warps run hand-made machine code.
 */
#ifndef CODE_RIG_H
#define CODE_RIG_H

#include "sim/sm/byw_schedule.h"
#include "sm_rig.h"

enum { CODE_MOST = 64 };

struct code {
    struct rig rig;
    struct byw_machine machine;
    struct byw_machine_inst inst[CODE_MOST];
};

static inline struct byw_config *code_config(struct code *code)
{
    struct byw_config *c = rig_config(&code->rig);

    memset(&code->machine, 0, sizeof(code->machine));
    code->machine.arch = 90;
    code->machine.inst = code->inst;
    c->machine_code = 1;
    return c;
}

/* Appends an instruction that stalls for so many cycles; it holds no barrier and waits for none. */
static inline struct byw_machine_inst *op(struct code *code, enum byw_machine_op kind,
                                          uint8_t stall)
{
    struct byw_machine_inst *i = &code->inst[code->machine.count++];

    *i = (struct byw_machine_inst){.op = (uint8_t)kind,
                                   .stall = stall,
                                   .yield = 1,
                                   .write_barrier = BYW_MACHINE_NO_BARRIER,
                                   .read_barrier = BYW_MACHINE_NO_BARRIER,
                                   .target = BYW_MACHINE_NO_TARGET};
    return i;
}

/* A warp that runs the table once: one record per instruction, or one for all. */
static inline void run(struct code *code, bool together)
{
    static const uint8_t cls[BYW_MACHINE_OPS] = {
        [BYW_MACHINE_LOAD] = BYW_CLASS_LOAD,     [BYW_MACHINE_SHARED_LOAD] = BYW_CLASS_SHARED_LOAD,
        [BYW_MACHINE_STORE] = BYW_CLASS_STORE,   [BYW_MACHINE_BARRIER] = BYW_CLASS_BARRIER,
        [BYW_MACHINE_ATOMIC] = BYW_CLASS_ATOMIC, [BYW_MACHINE_EXIT] = BYW_CLASS_EXIT};

    warp(&code->rig);
    if (together) {
        add(&code->rig.bench, BYW_CLASS_INT, code->machine.count, 0)->pc = 0;
        return;
    }
    for (uint32_t i = 0; i < code->machine.count; i++)
        add(&code->rig.bench, (enum byw_class)cls[code->inst[i].op], 1, 0)->pc =
            i * BYW_MACHINE_INST_BYTES;
}

static inline void go(struct code *code)
{
    struct byw_kernel *kernel = &code->rig.kernel;

    *kernel = kernel_of(1, 32 * code->rig.bench.cta.warp_count);
    kernel->registers = 0;
    kernel->machine = &code->machine;
    code->rig.bench.cta.machine = true;
    byw_sm_launch(code->rig.sm, kernel, 0);
    place(&code->rig);
}

#endif
