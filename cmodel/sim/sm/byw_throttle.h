/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_throttle.h - warp throttles: which warps of an SM may issue loads, or anything at all, so
 * that fewer of them share the L1D.
 *
 * A throttle is a table of functions in its own file and a row of byw_throttle.c. sm.scheduler
 * names it; the warps that it allows issue in gto order.  All hooks except create and release may
 * be NULL.  The state is private, one per SM.
 */
#ifndef BYW_THROTTLE_H
#define BYW_THROTTLE_H

#include "common/byw_config.h"
#include "sim/sm/byw_warps.h"

/* A load that the L1D accepted. */
struct byw_throttle_load {
    uint64_t line;
    uint64_t instructions; /* issued by this SM so far */
    uint32_t warp;
    uint32_t active; /* warps that are running */
};

struct byw_throttle_ops {
    const char *name; /* choice of sm.scheduler */
    const char *paper;
    enum byw_status (*create)(const struct byw_config *config, void **self);
    void (*release)(void *self);
    void (*launch)(void *self); /* a launch begins: the L1D is empty */
    void (*place)(void *self, uint32_t w); /* a new warp takes slot w */
    void (*loaded)(void *self, const struct byw_throttle_load *load, uint64_t now);
    /* The warps of `active` that may issue loads in cycle `now`, at least one.  From cycle quiet()
     * on, until the next loaded(), all of them may. */
    uint64_t (*loads)(const void *self, uint64_t active, uint64_t now);
    uint64_t (*quiet)(const void *self);
    /* The warps that may issue, out of those that a scheduler owns. */
    uint64_t (*issues)(const void *self, uint64_t owned, const struct byw_warps *warps);
};

/* The throttle of one SM; ops is NULL if none is configured. */
struct byw_throttle {
    const struct byw_throttle_ops *ops;
    void *self;
};

/* The throttle named by sm.scheduler; NULL if it is not a throttle. */
const struct byw_throttle_ops *byw_throttle_ops(uint32_t scheduler);

enum byw_status byw_throttle_init(struct byw_throttle *throttle, const struct byw_config *config);
void byw_throttle_release(struct byw_throttle *throttle);

static inline void byw_throttle_launch(struct byw_throttle *throttle)
{
    if (throttle->ops != NULL && throttle->ops->launch != NULL)
        throttle->ops->launch(throttle->self);
}

static inline void byw_throttle_place(struct byw_throttle *throttle, uint32_t w)
{
    if (throttle->ops != NULL && throttle->ops->place != NULL)
        throttle->ops->place(throttle->self, w);
}

/* Whether the throttle needs to see loads. */
static inline bool byw_throttle_counts(const struct byw_throttle *throttle)
{
    return throttle->ops != NULL && throttle->ops->loaded != NULL;
}

/* Whether warps may be kept from issuing loads in cycle `now`. */
static inline bool byw_throttle_holds(const struct byw_throttle *throttle, uint64_t now)
{
    return throttle->ops != NULL && throttle->ops->loads != NULL &&
           now < throttle->ops->quiet(throttle->self);
}

#endif
