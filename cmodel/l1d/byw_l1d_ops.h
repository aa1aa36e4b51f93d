/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l1d_ops.h - which implementation of the L1 data cache stands behind the ports: the C model,
 * or another one that a host brings along (the Verilated RTL, verif/rtl_loop).
 *
 * The calls are those of byw_l1d.h and promise the same.  A cache that comes from `create` is
 * handed to the other calls of the same table only; what lies behind struct byw_l1d is the
 * implementation's business.
 */
#ifndef BYW_L1D_OPS_H
#define BYW_L1D_OPS_H

#include "l1d/byw_l1d.h"
#include "policy/byw_two_level.h"

struct byw_l1d_ops {
    enum byw_status (*create)(const struct byw_config *config, bool with_data, struct byw_l1d **l1d,
                              struct byw_diag *diag);
    void (*free)(struct byw_l1d *l1d); /* NULL is allowed */
    void (*step)(struct byw_l1d *l1d, const struct byw_l1d_in *in, const struct byw_l1d_ctrl *ctrl,
                 struct byw_l1d_out *out);
    void (*set_filter)(struct byw_l1d *l1d, bool filter_on);
    /* May say false of a cache that sleeps: it is stepped then, which costs time only. */
    bool (*asleep)(const struct byw_l1d *l1d, bool mem_req_ready, bool filter_on,
                   enum byw_event *held);
    /* Whether a sleeping cache would take a request; NULL: as its last step's req_ready said. */
    bool (*takes)(const struct byw_l1d *l1d);
    /* Cycles in which a sleeping cache is not stepped pass; NULL: they mean nothing to it. */
    void (*skip)(struct byw_l1d *l1d, uint64_t cycles);
    /* Of mechanisms that count by themselves; NULL: it has none. */
    void (*counters)(const struct byw_l1d *l1d, uint64_t *counters);
    /* What a profile run finds or has found, before the first cycle; NULL: as counters. */
    void (*profiled)(struct byw_l1d *l1d, uint32_t sm, struct byw_profile *profile);
    /* The state of a mechanism in use that is called through hooks; NULL: none is, and request
     * queues of mechanisms are behind the ports. */
    void *(*mech_state)(struct byw_l1d *l1d, const struct byw_mech *mech);
    /* NULL: settings cannot change. */
    enum byw_status (*configure)(struct byw_l1d *l1d, const struct byw_config *config,
                                 struct byw_diag *diag);
    /* NULL: the host has the SM's two-level unit and sets ctrl->bypass.  Else the implementation
     * has one itself: ctrl->bypass is ignored, policy_events has its pulses too, and this
     * call stands for up to `cycles` cycles without valid inputs, `warps` being active, for which
     * step() is not called.  It stops behind a cycle in which two-level changes something; returns
     * the cycles taken, at least 1, *pulses: of the last one. */
    uint64_t (*skip_two_level)(struct byw_l1d *l1d, uint32_t warps, uint64_t cycles,
                               uint32_t *pulses);
    /* With skip_two_level: what two-level does in the coming cycle. */
    enum byw_two_level_state (*two_level)(const struct byw_l1d *l1d);
};

/* The C model. */
extern const struct byw_l1d_ops byw_l1d_model;

#endif
