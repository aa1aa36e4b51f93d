/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/bwt/byw_trace_bwt_predict.h"

#include <stdlib.h>

#include "common/byw_array.h"
#include "common/byw_heap.h"

/* bytes of a chain's table */
#define TABLE_BYTES (sizeof(uint32_t[2]) << BYW_BWT_CHAIN_LOG)

bool byw_bwt_track(struct byw_bwt_tracks *tracks, uint32_t *number, struct byw_bwt_lanes **lanes)
{
    *lanes = NULL;
    if (*number == 0 && tracks->count < BYW_BWT_TRACKED_MAX) {
        if (!BYW_ARRAY_ROOM(tracks->lanes, tracks->room, tracks->count + 1u))
            return false;
        tracks->lanes[tracks->count++].seen = 0;
        *number = tracks->count;
    }
    if (*number != 0)
        *lanes = &tracks->lanes[*number - 1];
    return true;
}

void byw_bwt_recent_add(struct byw_bwt_recent *recent, const struct byw_inst *inst)
{
    uint32_t i = recent->count++ % BYW_BWT_RECENT;

    recent->load[i].mask = inst->mask;
    recent->load[i].base = inst->base;
    recent->load[i].stride = inst->stride;
    recent->load[i].list = inst->list;
    recent->load[i].form = inst->form;
    recent->load[i].shift = (uint8_t)__builtin_ctz(inst->width);
}

/* The index (address / width) that the lane with this bit accessed in load number i; the lane must
 * be active in that load. */
static uint64_t index_of(const struct byw_bwt_recent *recent, uint32_t i, const uint64_t *addr,
                         uint64_t bit)
{
    if (recent->load[i].form == BYW_FORM_LIST) {
        uint32_t rank = (uint32_t)__builtin_popcountll(recent->load[i].mask & (bit - 1));

        return addr[recent->load[i].list + rank] >> recent->load[i].shift;
    }
    return (recent->load[i].base +
            (uint64_t)((int64_t)recent->load[i].stride * __builtin_ctzll(bit))) >>
           recent->load[i].shift;
}

static bool index_each(const struct byw_bwt_recent *recent, const uint64_t *addr, uint64_t mask,
                       uint64_t *index)
{
    uint32_t known = recent->count < BYW_BWT_RECENT ? recent->count : BYW_BWT_RECENT;
    bool all = true;

    for (; mask != 0; mask &= mask - 1, index++) {
        uint64_t bit = mask & (0 - mask);
        uint32_t back = 1;

        while (back <= known &&
               (recent->load[(recent->count - back) % BYW_BWT_RECENT].mask & bit) == 0)
            back++;
        all = all && back <= known;
        *index = back <= known
                     ? index_of(recent, (recent->count - back) % BYW_BWT_RECENT, addr, bit)
                     : 0;
    }
    return all;
}

bool byw_bwt_recent_index(const struct byw_bwt_recent *recent, const uint64_t *addr, uint64_t mask,
                          uint64_t *index)
{
    uint32_t last = (recent->count - 1) % BYW_BWT_RECENT;

    if (recent->count == 0 || (mask & ~recent->load[last].mask) != 0)
        return index_each(recent, addr, mask, index);
    if (recent->load[last].mask == mask && recent->load[last].form == BYW_FORM_LIST) {
        const uint64_t *from = addr + recent->load[last].list;
        uint32_t lanes = (uint32_t)__builtin_popcountll(mask);

        for (uint32_t i = 0; i < lanes; i++)
            index[i] = from[i] >> recent->load[last].shift;
        return true;
    }
    for (; mask != 0; mask &= mask - 1)
        *index++ = index_of(recent, last, addr, mask & (0 - mask));
    return true;
}

bool byw_bwt_chain_begin(struct byw_bwt_chain *chain)
{
    if (chain->next == NULL)
        chain->next = byw_heap_stretches(TABLE_BYTES);
    chain->used = true;
    return chain->next != NULL;
}

void byw_bwt_chain_release(struct byw_bwt_chain *chain)
{
    byw_heap_stretches_free(chain->next, TABLE_BYTES);
    *chain = (struct byw_bwt_chain){.next = NULL};
}
