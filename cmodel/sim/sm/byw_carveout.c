/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/sm/byw_carveout.h"

#include <stdlib.h>

#include "record/byw_set.h"
#include "sim/sm/byw_sm.h"

enum {
    CHOICES = 16, /* sizes in sm.carveouts */
    CTA_LEAST_KB = 4,
    CTAS_ENOUGH = 16,
    SETS_LEAST = 4, /* an H200's L1 fills up in quarters (doc/h200.md) */
};

/* The sizes of sm.carveouts, in KB; returns their number, 0: not numbers in ascending order. */
static uint32_t sizes_of(const struct byw_config *config, uint32_t size[CHOICES])
{
    const char *at = config->sm_carveouts;
    uint32_t n = 0;

    while (*at != '\0') {
        char *end;
        unsigned long kb = strtoul(at, &end, 10);

        if (end == at || n == CHOICES || kb > config->sm_unified || (n > 0 && kb <= size[n - 1]))
            return 0;
        size[n++] = (uint32_t)kb;
        for (at = end; *at == ' '; at++)
            ;
    }
    return n;
}

/* Scratchpad in KB that the driver provides for these CTAs per SM. */
static uint32_t wanted_kb(const struct byw_config *config, uint32_t ctas, uint32_t cta_bytes)
{
    uint32_t room = ctas >= CTAS_ENOUGH ? ctas : 2 * ctas < CTAS_ENOUGH ? 2 * ctas : CTAS_ENOUGH;
    uint32_t needed = (ctas * cta_bytes + 1023) / 1024;
    uint32_t kb = (room * cta_bytes + 1023) / 1024, least = CTA_LEAST_KB * ctas;

    if (least > config->sm_carveout_least)
        least = config->sm_carveout_least;
    if (kb > config->sm_carveout_most)
        kb = config->sm_carveout_most;
    if (kb < needed)
        kb = needed;
    return kb < least ? least : kb;
}

/* An L1D of this many lines: as few sets as its ways allow. */
static void shape(struct byw_carveout *carveout, uint32_t lines)
{
    carveout->l1d_sets = SETS_LEAST;
    while (lines / carveout->l1d_sets > BYW_DATA_WAYS_MAX)
        carveout->l1d_sets *= 2;
    carveout->l1d_ways = lines / carveout->l1d_sets;
}

struct byw_carveout byw_carveout_for(const struct byw_config *config,
                                     const struct byw_kernel *kernel)
{
    struct byw_carveout carveout = {config->sm_shared_bytes / 1024, config->l1d_sets,
                                    config->l1d_ways};
    uint32_t size[CHOICES], n, i = 0, wanted;
    struct byw_config roomy = *config;

    if (config->sm_unified == 0)
        return carveout;
    n = sizes_of(config, size);
    roomy.sm_shared_bytes = UINT32_MAX;
    wanted = wanted_kb(config, byw_sm_occupancy(&roomy, kernel), byw_sm_cta_shared(config, kernel));
    while (i + 1 < n && (config->sm_carveout != 0 || size[i] < wanted))
        i++;
    carveout.shared_kb = size[i];
    shape(&carveout,
          (config->sm_unified - size[i] - config->l1d_reserved) * 1024 / config->l1d_line);
    return carveout;
}

const char *byw_carveout_fault(const struct byw_config *config)
{
    uint32_t size[CHOICES], n = sizes_of(config, size);

    if (config->sm_unified == 0)
        return NULL;
    if (n == 0)
        return "sm.carveouts must be up to 16 numbers in ascending order, at most sm.unified_kb";
    if (size[n - 1] * 1024 != config->sm_shared_bytes)
        return "sm.shared_bytes must be the largest of sm.carveouts, which is in KB";
    if ((config->sm_unified - size[n - 1]) * 1024 <
        config->l1d_reserved * 1024 + SETS_LEAST * config->l1d_line)
        return "sm.carveouts must leave room for l1d.reserved_kb and four L1D lines";
    return NULL;
}
