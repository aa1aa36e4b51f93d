/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_sm_issue.c - Issue in an SM: which warps can issue, which do, and why a scheduler does not.
 */
#include "sim/sm/byw_sm_state.h"

static void issue_barrier(struct byw_sm *sm, uint32_t w, uint64_t now)
{
    struct byw_cta_slot *slot = &sm->slot[sm->warps.warp[w].cta_slot];

    slot->arrived |= (uint64_t)1 << w;
    slot->last_arrival = (now > sm->barrier_free ? now : sm->barrier_free) + sm->config->ii_barrier;
    sm->barrier_free = slot->last_arrival;
    sm->warps.barrier |= (uint64_t)1 << w;
    byw_warps_issue(&sm->warps, w, now, 0);
    byw_sm_check_barrier(sm, slot, now);
}

/* Issues any instruction into the stages. */
static void issue_staged(struct byw_sm *sm, uint32_t w, enum byw_class cls, uint64_t now)
{
    uint32_t access = 0;

    if (sm->warps.warp[w].unit == BYW_UNIT_LSU)
        access = byw_ldst_push(&sm->ldst, &sm->warps, w, now);
    byw_stages_enter(&sm->stages, &sm->warps, w, access, now);
    if (cls == BYW_CLASS_BARRIER)
        issue_barrier(sm, w, now);
    else
        byw_warps_issue(&sm->warps, w, now, 0);
    if (cls == BYW_CLASS_EXIT)
        byw_sm_check_barrier(sm, &sm->slot[sm->warps.warp[w].cta_slot], now);
}

static void issue_branch(struct byw_sm *sm, uint32_t s, uint32_t w, uint64_t now)
{
    uint32_t latency = byw_units_take(&sm->units, s, BYW_CLASS_BRANCH, now);

    if (sm->config->lat_branch != 0) {
        latency = sm->config->lat_branch;
        sm->warps.warp[w].use = 1; /* as if the next instruction needed its result */
    }
    byw_warps_issue(&sm->warps, w, now, latency);
}

/* Cycles for which an instruction outside of the memory path holds its write barrier. */
static uint32_t variable_latency(struct byw_sm *sm, const struct byw_machine_inst *inst)
{
    uint32_t latency = byw_schedule_time((enum byw_machine_op)inst->op).latency;
    bool constant = inst->op == BYW_MACHINE_CONST_LOAD || inst->op == BYW_MACHINE_UNIFORM_CONST;

    if (!constant || !sm->warps.schedule.cold || inst->write_barrier >= BYW_MACHINE_BARRIERS)
        return latency;
    sm->warps.schedule.cold = false;
    return latency > sm->config->machine_cold ? latency : sm->config->machine_cold;
}

/* Issues a machine instruction: its schedule says when its warp may issue again. */
static void issue_machine(struct byw_sm *sm, uint32_t s, uint32_t w, uint64_t now)
{
    const struct byw_machine_inst *inst = byw_warps_next_inst(&sm->warps, w);
    struct byw_cta_slot *slot = &sm->slot[sm->warps.warp[w].cta_slot];
    uint8_t cls = sm->warps.warp[w].cls;

    sm->counters.machine_instructions++;
    if (sm->warps.stalls != NULL)
        byw_stalls_issue(sm->warps.stalls, w, sm->warps.warp[w].lanes,
                         sm->warps.warp[w].unit == BYW_UNIT_LSU ? BYW_STALL_QUEUE : BYW_STALL_PIPE,
                         now);
    byw_schedule_take(&sm->warps.schedule, s, w, inst, now);
    byw_warps_hold_barrier(&sm->warps, w, inst->read_barrier, BYW_HOLDS_OPERANDS, now,
                           sm->config->machine_read);
    if (sm->warps.warp[w].unit == BYW_UNIT_LSU)
        byw_ldst_push(&sm->ldst, &sm->warps, w, now);
    else
        byw_warps_hold_barrier(&sm->warps, w, inst->write_barrier, BYW_HOLDS_RESULT, now,
                               variable_latency(sm, inst));
    if (cls == BYW_CLASS_BARRIER)
        issue_barrier(sm, w, now);
    else
        byw_warps_issue(&sm->warps, w, now, 0);
    if (cls == BYW_CLASS_EXIT)
        byw_sm_check_barrier(sm, slot, now);
    if (inst->yield == 0)
        byw_sched_yield(&sm->sched, s, w);
}

static void issue(struct byw_sm *sm, uint32_t s, uint32_t w, uint64_t now)
{
    enum byw_class cls = (enum byw_class)sm->warps.warp[w].cls;

    if (sm->fetch.behind)
        byw_fetch_passed(&sm->fetch, w, &sm->warps.warp[w]);

    sm->counters.warp_instructions++;
    sm->counters.thread_instructions += sm->warps.warp[w].lanes;
    if (sm->stages.on) {
        issue_staged(sm, w, cls, now);
        return;
    }
    if (byw_warps_machine(&sm->warps, w)) {
        issue_machine(sm, s, w, now);
        return;
    }
    switch (cls) {
    case BYW_CLASS_BARRIER:
        issue_barrier(sm, w, now);
        break;
    case BYW_CLASS_EXIT:
        byw_warps_issue(&sm->warps, w, now, 0);
        byw_sm_check_barrier(sm, &sm->slot[sm->warps.warp[w].cta_slot], now);
        break;
    case BYW_CLASS_INT:
    case BYW_CLASS_FP:
    case BYW_CLASS_SFU:
    case BYW_CLASS_DP:
        byw_warps_issue(&sm->warps, w, now, byw_units_take(&sm->units, s, cls, now));
        break;
    case BYW_CLASS_BRANCH:
        issue_branch(sm, s, w, now);
        break;
    default:
        byw_ldst_push(&sm->ldst, &sm->warps, w, now);
        byw_warps_issue(&sm->warps, w, now, 0);
    }
}

enum byw_slot byw_sm_idle_reason(const struct byw_sm *sm, uint32_t s)
{
    /* Counted instead of tested one by one, because the outcomes are unpredictable for the host. */
    static const uint8_t reason[] = {BYW_SLOT_EMPTY, BYW_SLOT_BARRIER, BYW_SLOT_SCOREBOARD,
                                     BYW_SLOT_FETCH, BYW_SLOT_UNIT,    BYW_SLOT_MEMORY};
    uint64_t mine = sm->warps.live & sm->sched.owned[s], operands = mine & sm->warps.ready;
    uint64_t ready = operands & sm->warps.buffered;
    uint64_t lsu = ready & sm->warps.next[BYW_UNIT_LSU];
    uint64_t runs = mine & ~sm->warps.barrier & ~sm->warps.ended;
    uint32_t without = (uint32_t)(mine != 0) + (runs != 0);
    uint32_t with = 3U + (ready != 0) + (lsu != 0);

    return (enum byw_slot)reason[operands != 0 ? with : without];
}

/* Warps held back: their next instruction is a load that the throttle does not allow. */
static uint64_t throttled(const struct byw_sm *sm, uint64_t set, uint64_t now)
{
    uint64_t active = sm->warps.live & ~sm->warps.ended, held = 0;
    uint64_t loads = set & sm->warps.next[BYW_UNIT_LSU] &
                     ~sm->throttle.ops->loads(sm->throttle.self, active, now);

    for (; loads != 0; loads &= loads - 1) {
        if (sm->warps.warp[__builtin_ctzll(loads)].cls == BYW_CLASS_LOAD)
            held |= loads & (~loads + 1);
    }
    return held;
}

/* The warps of a set whose unit or pipe of scheduler s is free. */
static uint64_t free_of(const struct byw_sm *sm, uint64_t set, uint32_t s, uint64_t now)
{
    uint64_t machine = set & sm->warps.schedule.warps;

    set = byw_units_free(&sm->units, &sm->warps, set & ~machine, s, now);
    return machine == 0 ? set : set | byw_schedule_free(&sm->warps.schedule, machine, s, now);
}

/* byw_sm_with_room() if some warps run machine code. */
static uint64_t with_pipes(const struct byw_sm *sm, uint64_t now)
{
    uint64_t room = byw_units_room(&sm->units, &sm->warps, &sm->ldst), set = 0;

    for (uint32_t s = 0; s < sm->sched.count; s++)
        set |= free_of(sm, room & sm->sched.owned[s], s, now);
    return set;
}

uint64_t byw_sm_with_room(const struct byw_sm *sm, uint64_t now)
{
    bool crowded = sm->warps.loads + BYW_WARP_SLOTS >= BYW_LOAD_SLOTS; /* exits need slots, too */
    uint64_t set = sm->warps.ready & sm->warps.buffered;

    if (!sm->stages.on && (set & sm->warps.schedule.warps) != 0)
        return with_pipes(sm, now);
    if (!sm->stages.on)
        return byw_units_issuable(&sm->units, &sm->warps, &sm->ldst, &sm->sched, now);
    set &= ~(sm->warps.next[BYW_UNIT_LSU] & -(uint64_t)crowded);
    return byw_stages_issuable(&sm->stages, &sm->warps, set);
}

static uint64_t issuable(const struct byw_sm *sm, uint64_t now)
{
    uint64_t set = byw_sm_with_room(sm, now);

    if (byw_throttle_holds(&sm->throttle, now))
        set &= ~throttled(sm, set, now);
    return set;
}

/* Counts the warps of scheduler s that could issue but do not: its set holds those that the policy
 * lets issue, and it has picked w. */
static void note_passed(struct byw_sm *sm, uint32_t s, uint32_t w, uint64_t set, uint64_t now)
{
    uint64_t machine = sm->warps.schedule.warps & sm->sched.owned[s];
    uint64_t picked = w < BYW_WARP_SLOTS ? (uint64_t)1 << w : 0;

    byw_stalls_pass(sm->warps.stalls, set & machine & ~picked, BYW_STALL_SLOT);
    if (sm->throttle.ops != NULL)
        byw_stalls_pass(sm->warps.stalls, byw_sm_with_room(sm, now) & machine & ~set,
                        BYW_STALL_THROTTLE);
}

/* Whether a scheduler's choice depends only on its own warps and units. */
static bool issues_apart(const struct byw_sm *sm)
{
    return sm->units.own && !sm->stages.on && !sm->sched.limits && sm->throttle.ops == NULL;
}

bool byw_sm_issue(struct byw_sm *sm, uint64_t now)
{
    uint64_t room = 0, set;
    uint32_t count = sm->sched.count, s = byw_sched_first(&sm->sched, now);
    bool changed = true, issued = false, apart = issues_apart(sm);

    byw_units_begin(&sm->units, now);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t w;

        s = s + 1 < count ? s + 1 : 0;
        if (!apart)
            room = issuable(sm, now);
        else if (changed)
            room = byw_units_room(&sm->units, &sm->warps, &sm->ldst);
        set = room;
        if (apart)
            set = free_of(sm, set & sm->sched.owned[s], s, now);
        w = set != 0 ? byw_sched_pick(&sm->sched, s, set, &sm->warps) : BYW_WARP_SLOTS;
        if (sm->warps.stalls != NULL)
            note_passed(sm, s, w, set, now);
        changed = w < BYW_WARP_SLOTS;
        if (changed) {
            issue(sm, s, w, now);
            issued = true;
            sm->idle_slot[s] = BYW_SLOT_ISSUE;
        } else {
            sm->idle_slot[s] = (uint8_t)byw_sm_idle_reason(sm, s);
        }
        sm->counters.slot[sm->idle_slot[s]]++;
    }
    return issued;
}
