/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_rsp_arb.h - who uses the response port: hit stage, fill path 1, or fill path 2.
 *
 * Round robin: the search starts behind the source that was served last, in the order hit, fill,
 * pass; so none waits for more than two others.  A choice that the requester does not take is kept
 * until it does, because valid and payload must not change while ready is missing.
 */
#ifndef BYW_RSP_ARB_H
#define BYW_RSP_ARB_H

#include <stdbool.h>
#include <stdint.h>

enum byw_rsp_source { BYW_SRC_HIT, BYW_SRC_FILL, BYW_SRC_DIRECT, BYW_SRC_COUNT };

struct byw_rsp_arb {
    uint8_t last; /* source of the last transfer */
    bool held; /* a choice was shown and not taken */
    uint8_t choice; /* which, when held */
};

/* After reset the hit stage comes first. */
void byw_rsp_arb_clear(struct byw_rsp_arb *arb);

/* valid: bit per source.  Needs at least one. */
uint32_t byw_rsp_arb_choose(const struct byw_rsp_arb *arb, uint32_t valid);

/* Clock edge in a cycle in which `choice` was shown. */
static inline void byw_rsp_arb_tick(struct byw_rsp_arb *arb, uint32_t choice, bool taken)
{
    arb->held = !taken;
    arb->choice = (uint8_t)choice;
    if (taken)
        arb->last = (uint8_t)choice;
}

#endif
