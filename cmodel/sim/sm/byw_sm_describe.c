/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_sm_describe.c - Describes what an SM waits for, for the watchdog.
 */
#include <inttypes.h>
#include <stdio.h>

#include "sim/sm/byw_sm_state.h"

/* The load in flight that was issued first; BYW_NO_LOAD if there is none. */
static uint16_t oldest_load(const struct byw_warps *warps)
{
    uint16_t oldest = BYW_NO_LOAD;

    for (uint64_t m = warps->live; m != 0; m &= m - 1) {
        uint16_t i = warps->warp[__builtin_ctzll(m)].load;

        for (; i != BYW_NO_LOAD; i = warps->load[i].next) {
            if (oldest == BYW_NO_LOAD || warps->story[i].issued < warps->story[oldest].issued)
                oldest = i;
        }
    }
    return oldest;
}

uint64_t byw_sm_oldest(const struct byw_sm *sm)
{
    uint16_t load = oldest_load(&sm->warps);

    return (load == BYW_NO_LOAD) ? UINT64_MAX : sm->warps.story[load].issued;
}

/* The warp to name: the one with the oldest load, else the one placed first. */
static uint32_t stuck_warp(const struct byw_warps *warps, uint16_t load)
{
    if (load != BYW_NO_LOAD)
        return warps->load[load].warp;
    return warps->live != 0 ? byw_warps_oldest(warps, warps->live) : BYW_WARP_SLOTS;
}

/* Appends text, truncated to the available room. */
#define SAY(...)                                                                                   \
    do {                                                                                           \
        if (used < room)                                                                           \
            used += (size_t)snprintf(text + used, room - used, __VA_ARGS__);                       \
    } while (0)

static size_t say_warp(const struct byw_sm *sm, uint32_t w, char *text, size_t room)
{
    const struct byw_warp *warp = &sm->warps.warp[w];
    uint64_t bit = (uint64_t)1 << w;
    size_t used = 0;

    SAY("warp %u of CTA (%u,%u,%u) ", w, warp->cta->id[0], warp->cta->id[1], warp->cta->id[2]);
    if (warp->records == 0)
        SAY("has issued all its instructions");
    else
        SAY("is at instruction %" PRIu32 " (pc 0x%" PRIx32 ", %s)", warp->index, warp->inst->pc,
            byw_class_name((enum byw_class)warp->inst->cls));
    if ((sm->warps.barrier & bit) != 0)
        SAY(" waiting at a barrier");
    else if (warp->records != 0 && (sm->warps.ready & bit) == 0)
        SAY(" waiting for its operands");
    else if (warp->records != 0 && (sm->warps.buffered & bit) == 0)
        SAY(" waiting for its fetch");
    if (warp->stores != 0)
        SAY(", %u store transactions not acknowledged", (unsigned)warp->stores);
    return used;
}

static size_t say_load(const struct byw_sm *sm, uint16_t id, char *text, size_t room)
{
    const struct byw_load_story *load = &sm->warps.story[id];
    uint32_t place = byw_ldst_position(&sm->ldst, id);
    size_t used = 0;

    SAY("; its oldest load (pc 0x%" PRIx32 ") was issued in cycle %" PRIu64, load->pc,
        load->issued);
    if (place != 0) {
        SAY(" and is number %" PRIu32 " in the load/store unit's queue%s", place,
            place == 1 && sm->l1d_refuses ? ", refused by the L1D" : "");
        return used;
    }
    if (load->transactions != 0)
        SAY(", was with the L1D from cycle %" PRIu64 " on, and %u of its %u transactions are not "
            "answered",
            load->sent, (unsigned)sm->warps.load[id].remaining, (unsigned)load->transactions);
    return used;
}

void byw_sm_describe(const struct byw_sm *sm, char *text, size_t room)
{
    const struct byw_warps *warps = &sm->warps;
    uint16_t load = oldest_load(warps);
    uint32_t w = stuck_warp(warps, load);
    size_t used = 0;

    SAY("SM %u: ", sm->number);
    if (w != BYW_WARP_SLOTS && used < room)
        used += say_warp(sm, w, text + used, room - used);
    if (load != BYW_NO_LOAD && used < room)
        used += say_load(sm, load, text + used, room - used);
    SAY("; %d warps live, %d of them at a barrier, %" PRIu32 " loads in flight, %" PRIu32
        " memory instructions queued",
        __builtin_popcountll(warps->live), __builtin_popcountll(warps->barrier), warps->loads,
        sm->ldst.count);
}
