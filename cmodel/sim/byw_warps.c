/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/byw_warps.h"

#include <string.h>

static uint64_t bit(uint32_t w)
{
    return (uint64_t)1 << w;
}

void byw_warps_init(struct byw_warps *warps)
{
    memset(warps, 0, sizeof(*warps));
    for (uint32_t i = 0; i < BYW_WHEEL; i++)
        warps->load_timer[i] = BYW_NO_LOAD;
    for (uint32_t i = 0; i < BYW_LOAD_SLOTS; i++)
        warps->load[i].next = (i + 1 < BYW_LOAD_SLOTS) ? (uint16_t)(i + 1) : BYW_NO_LOAD;
}

/* Puts warp w into the wheel for cycle `at` (after now); further than the wheel reaches, it
 * is looked at earlier and put in again. */
static void wake_at(struct byw_warps *warps, uint32_t w, uint64_t now, uint64_t at)
{
    uint64_t limit = now + BYW_WHEEL - 1;

    warps->wheel[(at < limit ? at : limit) % BYW_WHEEL] |= bit(w);
    warps->turning++;
}

/* Decides whether the next instruction of w has its operands; now is the cycle in which the
 * question is asked, `earliest` the first one in which it may issue for other reasons. */
static void judge(struct byw_warps *warps, uint32_t w, uint64_t now, uint64_t earliest)
{
    struct byw_warp *warp = &warps->warp[w];
    uint64_t at = warp->not_before[warp->index % BYW_WARP_RING];

    if (warp->records == 0 || (warps->barrier & bit(w)) != 0)
        return;
    if (warp->need <= warp->index) {
        warps->on_load |= bit(w);
        return;
    }
    if (at < earliest)
        at = earliest;
    if (at <= now)
        warps->ready |= bit(w);
    else
        wake_at(warps, w, now, at);
}

/* Notes which unit the next instruction needs. */
static void classify(struct byw_warps *warps, uint32_t w)
{
    enum { OTHER, LSU, SFU, DP };
    static const uint8_t unit[BYW_CLASS_COUNT] = {
#define X(code, name, is_memory)                                                                   \
    [code] = (is_memory) || code == BYW_CLASS_CONST_LOAD ? LSU                                     \
             : code == BYW_CLASS_SFU                     ? SFU                                     \
             : code == BYW_CLASS_DP                      ? DP                                      \
                                                         : OTHER,
        BYW_CLASS_LIST(X)
#undef X
    };
    uint64_t b = bit(w);
    uint8_t needs = unit[warps->warp[w].inst->cls];

    warps->next_lsu = (warps->next_lsu & ~b) | (needs == LSU ? b : 0);
    warps->next_sfu = (warps->next_sfu & ~b) | (needs == SFU ? b : 0);
    warps->next_dp = (warps->next_dp & ~b) | (needs == DP ? b : 0);
}

void byw_warps_place(struct byw_warps *warps, uint32_t slot, const struct byw_cta *cta,
                     const struct byw_warp_trace *trace, uint32_t cta_slot)
{
    struct byw_warp *warp = &warps->warp[slot];

    memset(warp, 0, sizeof(*warp));
    warp->inst = &cta->inst[trace->first];
    warp->cta = cta;
    warp->records = trace->count;
    warp->age = warps->age++;
    warp->need = BYW_NO_INDEX;
    warp->load = BYW_NO_LOAD;
    warp->cta_slot = (uint8_t)cta_slot;
    warps->live |= bit(slot);
    if (trace->count == 0) {
        warps->ended |= bit(slot);
        return;
    }
    warps->ready |= bit(slot);
    classify(warps, slot);
}

/* Takes a load off its warp's list and finds what the warp now waits for. */
static void complete(struct byw_warps *warps, uint16_t id, uint64_t now)
{
    struct byw_load *load = &warps->load[id];
    uint32_t w = load->warp;
    struct byw_warp *warp = &warps->warp[w];
    uint16_t *link = &warp->load;

    while (*link != id)
        link = &warps->load[*link].next;
    *link = load->next;
    load->next = warps->free_load;
    warps->free_load = id;
    warps->loads--;

    warp->need = BYW_NO_INDEX;
    for (uint16_t i = warp->load; i != BYW_NO_LOAD; i = warps->load[i].next) {
        if (warps->load[i].need < warp->need)
            warp->need = warps->load[i].need;
    }
    if ((warps->on_load & bit(w)) != 0 && warp->need > warp->index) {
        warps->on_load &= ~bit(w);
        judge(warps, w, now, now);
    }
}

uint64_t byw_warps_turn(struct byw_warps *warps, uint64_t now)
{
    uint32_t slot = (uint32_t)(now % BYW_WHEEL);
    uint64_t due = warps->wheel[slot];
    uint64_t done = 0;

    if (warps->turning == 0)
        return 0;
    warps->wheel[slot] = 0;
    while (due != 0) {
        uint32_t w = (uint32_t)__builtin_ctzll(due);
        due &= due - 1;
        warps->turning--;
        judge(warps, w, now, now);
    }
    while (warps->load_timer[slot] != BYW_NO_LOAD) {
        uint16_t id = warps->load_timer[slot];
        warps->load_timer[slot] = warps->load[id].timer;
        warps->turning--;
        done |= bit(warps->load[id].warp);
        complete(warps, id, now);
    }
    return done;
}

uint64_t byw_warps_next(const struct byw_warps *warps, uint64_t now)
{
    if (warps->turning == 0)
        return UINT64_MAX;
    for (uint64_t at = now + 1; at < now + BYW_WHEEL; at++) {
        if (warps->wheel[at % BYW_WHEEL] != 0 || warps->load_timer[at % BYW_WHEEL] != BYW_NO_LOAD)
            return at;
    }
    return now + 1; /* unreachable: turning counts what stands in the wheel */
}

void byw_warps_issue(struct byw_warps *warps, uint32_t w, uint64_t now, uint32_t latency)
{
    struct byw_warp *warp = &warps->warp[w];
    const struct byw_inst *inst = warp->inst;
    uint64_t b = bit(w);

    warp->not_before[warp->index % BYW_WARP_RING] = 0;
    if (latency > 1 && inst->use != 0 && inst->use < BYW_WARP_RING) {
        uint64_t *slot = &warp->not_before[(warp->index + inst->use) % BYW_WARP_RING];
        if (*slot < now + latency)
            *slot = now + latency;
    }
    warp->index++;
    warps->ready &= ~b;
    if (--warp->buffered == 0)
        warps->buffered &= ~b;
    if (++warp->run == inst->count) {
        warp->run = 0;
        warp->inst++;
        if (--warp->records == 0) {
            warps->ended |= b;
            return;
        }
        classify(warps, w);
    }
    judge(warps, w, now, now + 1);
}

uint16_t byw_warps_load(struct byw_warps *warps, uint32_t w)
{
    struct byw_warp *warp = &warps->warp[w];
    uint16_t id = warps->free_load;
    struct byw_load *load = &warps->load[id];
    uint32_t use = warp->inst->use;

    warps->free_load = load->next;
    warps->loads++;
    load->warp = (uint8_t)w;
    load->remaining = load->transactions = 0;
    load->sent = 0;
    load->pc = warp->inst->pc;
    load->need = (use == 0) ? BYW_NO_INDEX : warp->index + use;
    load->next = warp->load;
    warp->load = id;
    if (load->need < warp->need)
        warp->need = load->need;
    return id;
}

bool byw_warps_load_answer(struct byw_warps *warps, uint16_t id, uint64_t now, uint32_t extra)
{
    if (--warps->load[id].remaining != 0)
        return false;
    if (extra != 0)
        byw_warps_load_after(warps, id, now, extra);
    else
        complete(warps, id, now);
    return true;
}

void byw_warps_load_after(struct byw_warps *warps, uint16_t id, uint64_t now, uint32_t cycles)
{
    uint32_t slot = (uint32_t)((now + cycles) % BYW_WHEEL);

    warps->load[id].timer = warps->load_timer[slot];
    warps->load_timer[slot] = id;
    warps->turning++;
}

void byw_warps_release(struct byw_warps *warps, uint64_t set, uint64_t now)
{
    warps->barrier &= ~set;
    while (set != 0) {
        uint32_t w = (uint32_t)__builtin_ctzll(set);
        set &= set - 1;
        judge(warps, w, now, now + 1);
    }
}
