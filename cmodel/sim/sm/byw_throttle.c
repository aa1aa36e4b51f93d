/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/sm/byw_throttle.h"

#include <stddef.h>

#include "sim/sm/byw_ccws.h"
#include "sim/sm/byw_sched.h"
#include "sim/sm/byw_swl.h"

static const struct byw_throttle_ops *const registry[] = {
    [BYW_SCHED_CCWS] = &byw_throttle_ccws,
    [BYW_SCHED_SWL] = &byw_throttle_swl,
};

const struct byw_throttle_ops *byw_throttle_ops(uint32_t scheduler)
{
    return scheduler < sizeof(registry) / sizeof(registry[0]) ? registry[scheduler] : NULL;
}

enum byw_status byw_throttle_init(struct byw_throttle *throttle, const struct byw_config *config)
{
    const struct byw_throttle_ops *ops = byw_throttle_ops(config->sm_scheduler);
    enum byw_status status = BYW_OK;

    *throttle = (struct byw_throttle){0};
    if (ops != NULL)
        status = ops->create(config, &throttle->self);
    if (status == BYW_OK)
        throttle->ops = ops;
    return status;
}

void byw_throttle_release(struct byw_throttle *throttle)
{
    if (throttle->ops != NULL)
        throttle->ops->release(throttle->self);
    throttle->ops = NULL;
}
