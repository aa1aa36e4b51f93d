/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/sm/byw_schedule.h"

#include <stdlib.h>
#include <string.h>

struct byw_machine_time byw_schedule_time(enum byw_machine_op op)
{
    static const struct byw_machine_time time[BYW_MACHINE_OPS] = {
#define X(kind, unit, every, until)                                                                \
    [BYW_MACHINE_##kind] = {.pipe = BYW_PIPE_##unit, .interval = (every), .latency = (until)},
#include "sim/sm/byw_schedule.def"
#undef X
    };

    if (time[op].interval == 0)
        return (struct byw_machine_time){.pipe = BYW_PIPE_NONE, .latency = 12};
    return time[op];
}

void byw_schedule_init(struct byw_schedule *schedule)
{
    memset(schedule, 0, sizeof(*schedule));
    for (uint32_t w = 0; w < 64; w++)
        schedule->pipe[w] = BYW_PIPE_NONE;
}

void byw_schedule_release(struct byw_schedule *schedule)
{
    free(schedule->pc);
    schedule->pc = NULL;
    schedule->room = 0;
}

static enum byw_status make_room(struct byw_schedule *schedule, uint32_t count)
{
    if (count <= schedule->room)
        return BYW_OK;
    byw_schedule_release(schedule);
    schedule->pc = malloc(count * sizeof(*schedule->pc));
    if (schedule->pc == NULL)
        return BYW_ENOMEM;
    schedule->room = count;
    return BYW_OK;
}

/* The PC of the kernel's access that comes from a PTX instruction; `otherwise` if none does. */
static uint32_t site_pc(const struct byw_kernel *kernel, uint32_t line, uint32_t otherwise)
{
    for (uint32_t i = 0; line != 0 && kernel->site_number != NULL && i < kernel->site_count; i++)
        if (kernel->site_number[i] == line)
            return kernel->site[i].pc;
    return otherwise;
}

enum byw_status byw_schedule_launch(struct byw_schedule *schedule, const struct byw_kernel *kernel,
                                    bool on)
{
    const struct byw_machine *machine = on ? kernel->machine : NULL;

    schedule->machine = NULL;
    schedule->cold = true;
    if (machine == NULL)
        return BYW_OK;
    if (make_room(schedule, machine->count) != BYW_OK)
        return BYW_ENOMEM;
    schedule->machine = machine;
    for (uint32_t i = 0; i < machine->count; i++) {
        uint32_t pc = i * BYW_MACHINE_INST_BYTES;
        bool memory = byw_machine_op_is_memory((enum byw_machine_op)machine->inst[i].op);

        schedule->pc[i] = memory ? site_pc(kernel, machine->inst[i].line, pc) : pc;
    }
    return BYW_OK;
}

void byw_schedule_next(struct byw_schedule *schedule, uint32_t w,
                       const struct byw_machine_inst *inst, bool lsu)
{
    uint64_t bit = UINT64_C(1) << w;
    uint8_t pipe = BYW_PIPE_NONE;

    if (!lsu)
        pipe = byw_schedule_time((enum byw_machine_op)inst->op).pipe;
    schedule->next[schedule->pipe[w]] &= ~bit;
    schedule->pipe[w] = pipe;
    schedule->next[pipe] |= bit;
}

uint64_t byw_schedule_free(const struct byw_schedule *schedule, uint64_t set, uint32_t s,
                           uint64_t now)
{
    const uint64_t *free = schedule->free[s];

    for (uint32_t p = 0; set != 0 && p < BYW_PIPE_NONE; p++) {
        bool taken = free[p] > now;

        if (p == BYW_PIPE_FMA)
            taken = taken && free[BYW_PIPE_HEAVY] > now;
        set &= ~(schedule->next[p] & -(uint64_t)taken);
    }
    return set;
}

void byw_schedule_take(struct byw_schedule *schedule, uint32_t s, uint32_t w,
                       const struct byw_machine_inst *inst, uint64_t now)
{
    uint32_t pipe = schedule->pipe[w];

    if (pipe == BYW_PIPE_NONE)
        return;
    if (pipe == BYW_PIPE_FMA && schedule->free[s][pipe] > now)
        pipe = BYW_PIPE_HEAVY;
    schedule->free[s][pipe] = now + byw_schedule_time((enum byw_machine_op)inst->op).interval;
}
