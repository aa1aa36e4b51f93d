/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_schedule.h - issue by the schedule that the assembler put into machine code
 * (sm.machine_code; trace/byw_machine.h).
 *
 * A warp may issue its next instruction when the stall count of the last one has run down and the
 * barriers in its wait mask are clear; nothing else guards its operands.  A barrier counts the
 * instructions that hold it: a load until all its sectors are usable, other instructions of
 * variable latency for their latency, a read barrier for the cycles that operands take.  The
 * scheduler also needs the instruction's pipe, which a warp occupies for the pipe's interval
 * (byw_schedule.def).
 *
 * byw_stalls.h counts what each instruction waited for.
 */
#ifndef BYW_SCHEDULE_H
#define BYW_SCHEDULE_H

#include "common/byw_status.h"
#include "trace/byw_inst.h"
#include "trace/byw_machine.h"

enum { BYW_SCHED_MAX = 8 }; /* schedulers, each with its own pipes */

enum byw_pipe {
    BYW_PIPE_ALU,
    BYW_PIPE_FMA, /* the light half of the float pipe; what may use either half waits for both */
    BYW_PIPE_HEAVY,
    BYW_PIPE_DOUBLE,
    BYW_PIPE_XU,
    BYW_PIPE_TENSOR,
    BYW_PIPE_LSU,
    BYW_PIPE_ADU,
    BYW_PIPE_UNIFORM,
    BYW_PIPE_BRANCH,
    BYW_PIPE_NONE,
    BYW_PIPES
};

struct byw_machine_time {
    uint8_t pipe; /* enum byw_pipe */
    uint8_t interval, latency; /* both in cycles */
};

struct byw_schedule {
    const struct byw_machine *machine; /* the running kernel's code; NULL: none, or not used */
    uint64_t warps; /* warps whose records are machine instructions */
    uint64_t next[BYW_PIPES]; /* by pipe: warps whose next instruction needs it */
    uint8_t pipe[64]; /* by warp: pipe of its next instruction */
    uint64_t barrier[64]; /* by warp: a byte per barrier with the instructions that hold it */
    uint64_t free[BYW_SCHED_MAX][BYW_PIPES]; /* by scheduler and pipe: first cycle in which
                                              * the pipe accepts an instruction */
    uint32_t *pc; /* by instruction: PC of its access in the trace's own code, which hints and
                   * predictors use; others: 16 times the index */
    uint32_t room; /* number of elements allocated in `pc` */
    uint32_t taken; /* sm.machine_branch */
    bool cold; /* no constant has been loaded in this launch */
};

/* The bytes of byw_schedule.barrier that a wait mask names. */
static inline uint64_t byw_schedule_bytes(uint32_t wait)
{
    uint64_t spread = 0;

    for (uint32_t b = 0; b < BYW_MACHINE_BARRIERS; b++)
        spread |= (uint64_t)(wait >> b & 1) << 8 * b;
    return spread * 0xff;
}

/* Whether an instruction may issue in cycle `now`. barriers: of its warp; earliest: the cycle in
 * which the stall count of the warp's last instruction has run down. */
static inline bool byw_schedule_may_issue(const struct byw_machine_inst *inst, uint64_t barriers,
                                          uint64_t earliest, uint64_t now)
{
    return now >= earliest && (inst->wait == 0 || (barriers & byw_schedule_bytes(inst->wait)) == 0);
}

/* Cycles from an instruction to the next one of its warp. */
static inline uint32_t byw_schedule_stall(const struct byw_machine_inst *inst)
{
    return inst->stall != 0 ? inst->stall : 1;
}

/* Times of a kind. */
struct byw_machine_time byw_schedule_time(enum byw_machine_op op);

void byw_schedule_init(struct byw_schedule *schedule);
void byw_schedule_release(struct byw_schedule *schedule);

/* CTAs of a launch follow; on: its machine code is used, if there is any.  BYW_ENOMEM: it is not
 * used. */
enum byw_status byw_schedule_launch(struct byw_schedule *schedule, const struct byw_kernel *kernel,
                                    bool on);

/* The machine instruction at a byte address of the kernel. */
static inline const struct byw_machine_inst *byw_schedule_at(const struct byw_schedule *schedule,
                                                             uint32_t pc)
{
    return &schedule->machine->inst[pc / BYW_MACHINE_INST_BYTES];
}

/* Warp w's next instruction is `inst`; lsu: it goes to the load/store unit, whose queue decides. */
void byw_schedule_next(struct byw_schedule *schedule, uint32_t w,
                       const struct byw_machine_inst *inst, bool lsu);

/* The warps of a set, all of scheduler s, whose pipe is free in cycle `now`. */
uint64_t byw_schedule_free(const struct byw_schedule *schedule, uint64_t set, uint32_t s,
                           uint64_t now);

/* Warp w of scheduler s issues its next instruction. */
void byw_schedule_take(struct byw_schedule *schedule, uint32_t s, uint32_t w,
                       const struct byw_machine_inst *inst, uint64_t now);

/* An instruction of warp w holds a barrier (BYW_MACHINE_NO_BARRIER: none). _clear: it releases
 * it. */
static inline void byw_schedule_hold(struct byw_schedule *schedule, uint32_t w, uint32_t barrier)
{
    if (barrier < BYW_MACHINE_BARRIERS)
        schedule->barrier[w] += UINT64_C(1) << 8 * barrier;
}
static inline void byw_schedule_clear(struct byw_schedule *schedule, uint32_t w, uint32_t barrier)
{
    if (barrier < BYW_MACHINE_BARRIERS)
        schedule->barrier[w] -= UINT64_C(1) << 8 * barrier;
}

#endif
