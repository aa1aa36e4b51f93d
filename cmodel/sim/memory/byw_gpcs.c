/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/memory/byw_gpcs.h"

#include <stdlib.h>
#include <string.h>

enum { LOOSE_SMS = 4 }; /* GPCs of up to this many SMs fill first */

bool byw_gpcs_read(const struct byw_config *config, struct byw_gpcs *gpcs)
{
    const char *at = config->gpu_gpcs;
    uint32_t sms = 0;

    memset(gpcs, 0, sizeof(*gpcs));
    if (strcmp(at, "0") == 0)
        return true;
    while (*at != '\0') {
        char *end;
        unsigned long size = strtoul(at, &end, 10);

        if (end == at || gpcs->count == BYW_GPCS_MAX || size == 0)
            return false;
        if (size > config->sm_count - sms)
            size = config->sm_count - sms;
        memset(&gpcs->of[sms], (int)gpcs->count, size);
        sms += (uint32_t)size;
        gpcs->first[gpcs->count + 1] = sms;
        gpcs->count += size > 0;
        for (at = end; *at == ' '; at++)
            ;
    }
    return sms == config->sm_count;
}

const char *byw_gpcs_fault(const struct byw_config *config)
{
    struct byw_gpcs gpcs;

    if (!byw_gpcs_read(config, &gpcs))
        return "gpu.gpcs must be up to 32 numbers that add up to sm.count or more";
    if (config->l2_join_cycles != 0 && gpcs.count == 0)
        return "l2.join_cycles needs gpu.gpcs";
    if (config->l2_join_cycles != 0 && config->gl1_on != 0)
        return "l2.join_cycles excludes gl1.enable";
    return NULL;
}

/* One CTA per GPC and round, on the first (odd = 0) or second SM of its next TPC.  Returns the CTAs
 * that are left. */
static uint32_t spread_over_tpcs(const struct byw_gpcs *gpcs, uint32_t odd, uint32_t ctas,
                                 bool *takes)
{
    for (uint32_t tpc = 0; tpc < BYW_GPC_SMS_MAX / 2; tpc++) {
        for (uint32_t g = 0; g < gpcs->count && ctas > 0; g++) {
            uint32_t port = gpcs->first[g] + 2 * tpc + odd;

            if (port >= gpcs->first[g + 1] || takes[port])
                continue;
            takes[port] = true;
            ctas--;
        }
    }
    return ctas;
}

void byw_gpcs_spread(const struct byw_gpcs *gpcs, uint32_t ctas, bool *takes)
{
    memset(takes, 0, gpcs->first[gpcs->count] * sizeof(*takes));
    for (uint32_t odd = 0; odd < 2; odd++) {
        for (uint32_t g = 0; g < gpcs->count; g++) {
            if (gpcs->first[g + 1] - gpcs->first[g] > LOOSE_SMS)
                continue;
            for (uint32_t port = gpcs->first[g] + odd; port < gpcs->first[g + 1] && ctas > 0;
                 port += 2, ctas--)
                takes[port] = true;
        }
    }
    ctas = spread_over_tpcs(gpcs, 0, ctas, takes);
    spread_over_tpcs(gpcs, 1, ctas, takes);
}
