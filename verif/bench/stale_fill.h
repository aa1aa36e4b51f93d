/* SPDX-License-Identifier: Apache-2.0
 *
 * stale_fill.h - an L1 data cache with Accel-Sim's error: a store does not affect a line in flight,
 * whose fill then installs the bytes from before the store.
 *
 * That simulator's caches carry no data, so the error shows only in hits of loads that should have
 * missed. The C model drops such a line (record/byw_write_decide.h). Used in its place
 * (byw_gpu_options.l1d), this one shows how much of a deviation is due to the error. It is the C
 * model, except that tag lookup does not find the line while such a store is at the decision point.
 * Allocate on miss only.
 */
#ifndef STALE_FILL_H
#define STALE_FILL_H

#include "l1d/byw_l1d_ops.h"
#include "l1d/byw_l1d_state.h"

#define STALE_NO_KEY UINT64_MAX /* more bits than a key has */

/* The store at the decision point if its line is in flight, otherwise NULL. */
static struct byw_l1d_slot *stale_store(struct byw_l1d *l1d)
{
    struct byw_l1d_slot *s2 = &l1d->pipe.slot[l1d->pipe.s2_slot];
    const struct byw_set *set = byw_l1d_record(l1d, s2->set);
    int tag;

    if (!l1d->pipe.s2_valid || s2->req.op != BYW_OP_STORE)
        return NULL;
    tag = byw_set_match(&l1d->policy.loc.geo, set, s2->key);
    return tag != BYW_NONE && byw_set_pending(set, tag) ? s2 : NULL;
}

static void stale_step(struct byw_l1d *l1d, const struct byw_l1d_in *in,
                       const struct byw_l1d_ctrl *ctrl, struct byw_l1d_out *out)
{
    struct byw_l1d_slot *store = stale_store(l1d);
    uint64_t key = STALE_NO_KEY;

    if (store != NULL) {
        key = store->key;
        store->key = STALE_NO_KEY;
    }
    byw_l1d_step(l1d, in, ctrl, out);
    if (store == NULL)
        return;
    if ((out->events >> BYW_EV_STORE & 1) != 0)
        out->events ^= UINT32_C(1) << BYW_EV_MISS | UINT32_C(1) << BYW_EV_HIT_PENDING;
    else
        store->key = key; /* refused: it is still there */
}

/* Initialiser of a struct byw_l1d_ops. */
#define STALE_FILL_OPS                                                                             \
    {                                                                                              \
        .create = byw_l1d_create, .free = byw_l1d_free, .step = stale_step,                        \
        .set_filter = byw_l1d_set_filter, .asleep = byw_l1d_asleep, .takes = byw_l1d_takes,        \
        .mech_state = byw_l1d_mech_state, .configure = byw_l1d_configure                           \
    }

#endif
