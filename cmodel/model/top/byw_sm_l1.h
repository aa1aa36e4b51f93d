/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_sm_l1.h - the L1 of one SM: data cache with its policy, the two-level unit that switches it
 * to bypass mode, and the event counters.
 */
#ifndef BYW_SM_L1_H
#define BYW_SM_L1_H

#include "l1d/byw_l1d_ops.h"
#include "l1d/byw_req_queue.h"
#include "l1d/byw_shadow.h"
#include "policy/byw_two_level.h"
#include "top/byw_recorder.h"
#include "top/byw_stats.h"

struct byw_sm_l1 {
    const struct byw_l1d_ops *ops; /* functions of the cache `l1d` */
    struct byw_l1d *l1d;
    struct {
        const struct byw_mech
            *mech; /* NULL: the load/store unit's requests go directly to the L1D */
        void *self;
        bool room; /* there is room for a request of the load/store unit in this cycle */
        bool held; /* the L1D did not accept the offer of the last cycle */
    } queue;
    bool queues; /* a mechanism in use has a request queue: this one, or one inside the L1D */
    struct byw_two_level two_level;
    uint32_t active_warps; /* active warps in the last cycle stepped, or as set since then; constant
                              while the L1 sleeps */
    struct byw_l1_stats stats;
    struct byw_shadow shadow; /* checks the PC predictor */
    struct byw_recorder *recorder; /* owned by the host; NULL: none */
    uint64_t filter_on_before; /* cycles with the filter on, before the current settings */
    uint64_t mech_before[BYW_MECH_COUNTERS]; /* stats.mech when the cache got its current shape */
};

enum byw_status byw_sm_l1_init(struct byw_sm_l1 *sm, const struct byw_config *config,
                               const struct byw_l1d_ops *ops, bool with_data,
                               struct byw_diag *diag);
void byw_sm_l1_release(struct byw_sm_l1 *sm);

/* Replaces the L1, in which nothing is in flight, by an empty one of this configuration.  Counters
 * continue; what the mechanisms have learned is lost.  After an error only _release may follow. */
enum byw_status byw_sm_l1_reshape(struct byw_sm_l1 *sm, const struct byw_config *config,
                                  bool with_data, struct byw_diag *diag);

/* One cycle: outputs, clock edge, counters. filter_on and bypass of in->ctrl are ignored. restart:
 * the settings are new; two-level restarts, and in->ctrl.kernel_start must be set to drop the
 * lines. */
void byw_sm_l1_step(struct byw_sm_l1 *sm, const struct byw_l1d_in *in, bool filter_on, bool restart,
                    struct byw_l1d_out *out);

/* The clock edge of a cycle in which the registers reset the L1, with nothing in flight: empties
 * the cache and zeroes the counters. */
void byw_sm_l1_reset(struct byw_sm_l1 *sm, struct byw_l1d_out *out);

/* byw_l1d_asleep() for the L1D and its request queue. */
bool byw_sm_l1_asleep(const struct byw_sm_l1 *sm, bool mem_req_ready, bool filter_on,
                      enum byw_event *held);

/* Copies the mechanisms' counters into the statistics. */
void byw_sm_l1_count_mechs(struct byw_sm_l1 *sm);

/* Accounts for cycles in which the L1 slept and raised the fail event `held` (BYW_EV_COUNT:
 * none). */
void byw_sm_l1_sleep(struct byw_sm_l1 *sm, enum byw_event held, uint64_t cycles);

#endif
