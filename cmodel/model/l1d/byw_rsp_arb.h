/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_rsp_arb.h - arbitrates the response port between the hit stage, fill path 1 and fill path 2.
 *
 * Round robin: the search starts after the source served last, in the order hit, fill, pass.  So a
 * source waits for at most two others.  A choice that the requester does not accept is kept until
 * it does, because valid and payload must not change before ready.
 */
#ifndef BYW_RSP_ARB_H
#define BYW_RSP_ARB_H

#include <stdbool.h>
#include <stdint.h>

enum byw_rsp_source { BYW_SRC_HIT, BYW_SRC_FILL, BYW_SRC_DIRECT, BYW_SRC_COUNT };

struct byw_rsp_arb {
    uint8_t last; /* source of the last transfer */
    bool held; /* a choice was shown and not taken */
    uint8_t choice; /* the choice, if held */
};

/* After reset the hit stage has priority. */
void byw_rsp_arb_clear(struct byw_rsp_arb *arb);

/* valid: one bit per source; needs at least one. */
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
