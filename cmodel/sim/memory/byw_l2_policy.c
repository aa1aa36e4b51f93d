/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/memory/byw_l2_policy.h"

#include "sim/memory/byw_l2_mi.h"

static const struct byw_l2_policy_ops *const registry[] = {
    &byw_l2_policy_mi,
};

enum byw_status byw_l2_policy_init(struct byw_l2 *l2, const struct byw_config *config,
                                   const struct byw_addrmap *map)
{
    for (size_t i = 0; i < sizeof(registry) / sizeof(registry[0]); i++)
        if (registry[i]->in_use(config)) {
            l2->policy = registry[i];
            return l2->policy->create(l2, config, map);
        }
    return BYW_OK;
}

void byw_l2_policy_free(struct byw_l2 *l2)
{
    if (l2->policy != NULL)
        l2->policy->release(l2);
    l2->policy = NULL;
}
