/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/sm/byw_swl.h"

#include <stdlib.h>

struct swl {
    uint32_t limit; /* most warps per scheduler that may issue */
};

static enum byw_status create(const struct byw_config *config, void **self)
{
    struct swl *swl = malloc(sizeof(*swl));

    if (swl == NULL)
        return BYW_ENOMEM;
    swl->limit = config->sm_warp_limit;
    *self = swl;
    return BYW_OK;
}

static uint64_t issues(const void *self, uint64_t owned, const struct byw_warps *warps)
{
    const struct swl *swl = self;
    uint64_t of = warps->live & ~warps->ended & ~warps->barrier & owned, set = 0;

    for (uint32_t left = swl->limit; of != 0 && left > 0; left--) {
        uint64_t b = (uint64_t)1 << byw_warps_oldest(warps, of);

        set |= b;
        of &= ~b;
    }
    return set;
}

const struct byw_throttle_ops byw_throttle_swl = {
    .name = "swl",
    .paper = "statically limited warps, compared in paper 000",
    .create = create,
    .release = free,
    .issues = issues,
};
