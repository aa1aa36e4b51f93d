/* SPDX-License-Identifier: Apache-2.0 */
#include "l1d/byw_rsp_arb.h"

void byw_rsp_arb_clear(struct byw_rsp_arb *arb)
{
    *arb = (struct byw_rsp_arb){.last = BYW_SRC_DIRECT};
}

uint32_t byw_rsp_arb_choose(const struct byw_rsp_arb *arb, uint32_t valid)
{
    uint32_t source = arb->last, i;

    if (arb->held)
        return arb->choice;
    for (i = 0; i < BYW_SRC_COUNT; i++) {
        source = source + 1 == BYW_SRC_COUNT ? 0 : source + 1;
        if ((valid >> source & 1) != 0)
            break;
    }
    return source;
}
