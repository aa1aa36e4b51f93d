/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l1d_ops.h - selects the implementation of the L1 data cache: the C model, or one that a host
 * supplies (the Verilated RTL, verif/rtl_loop).
 *
 * The calls have the same contract as those of byw_l1d.h.  A cache from `create` may be passed only
 * to the calls of the same table. struct byw_l1d is private to the implementation.
 */
#ifndef BYW_L1D_OPS_H
#define BYW_L1D_OPS_H

#include "l1d/byw_l1d.h"
#include "policy/byw_two_level.h"

struct byw_l1d_ops {
    enum byw_status (*create)(const struct byw_config *config, bool with_data, struct byw_l1d **l1d,
                              struct byw_diag *diag);
    void (*free)(struct byw_l1d *l1d); /* accepts NULL */
    void (*step)(struct byw_l1d *l1d, const struct byw_l1d_in *in, const struct byw_l1d_ctrl *ctrl,
                 struct byw_l1d_out *out);
    void (*set_filter)(struct byw_l1d *l1d, bool filter_on);
    /* May return false for a sleeping cache, which is then stepped; this costs only time. */
    bool (*asleep)(const struct byw_l1d *l1d, bool mem_req_ready, bool filter_on,
                   enum byw_event *held);
    /* Whether a sleeping cache would accept a request; NULL: the last step's req_ready applies. */
    bool (*takes)(const struct byw_l1d *l1d);
    /* Accounts for cycles in which a sleeping cache is not stepped; NULL: nothing to account
     * for. */
    void (*skip)(struct byw_l1d *l1d, uint64_t cycles);
    /* Counters of the hooked mechanisms; NULL: there are none. */
    void (*counters)(const struct byw_l1d *l1d, uint64_t *counters);
    /* Sets the profile of a profile run, before the first cycle; NULL: not supported. */
    void (*profiled)(struct byw_l1d *l1d, uint32_t sm, struct byw_profile *profile);
    /* The state of a hooked mechanism in use.  NULL: no hooks are supported, and request queues of
     * mechanisms are inside the implementation. */
    void *(*mech_state)(struct byw_l1d *l1d, const struct byw_mech *mech);
    /* NULL: settings cannot change. */
    enum byw_status (*configure)(struct byw_l1d *l1d, const struct byw_config *config,
                                 struct byw_diag *diag);
    /* NULL: the host contains the SM's two-level bypass unit and sets ctrl->bypass. Otherwise the
     * implementation contains that unit: ctrl->bypass is ignored and policy_events includes its
     * pulses. This call then replaces up to `cycles` calls of step() without valid inputs, with
     * `warps` active warps. It stops after a cycle in which the unit changes state. Returns the
     * cycles taken, at least 1; *pulses: those of the last cycle. */
    uint64_t (*skip_two_level)(struct byw_l1d *l1d, uint32_t warps, uint64_t cycles,
                               uint32_t *pulses);
    /* With skip_two_level: the state of the two-level bypass unit in the next cycle. */
    enum byw_two_level_state (*two_level)(const struct byw_l1d *l1d);
};

/* The C model. */
extern const struct byw_l1d_ops byw_l1d_model;

#endif
