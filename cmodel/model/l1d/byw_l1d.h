/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l1d.h - the cycle-exact L1 data cache of one SM, composed of the units of cmodel/model/l1d
 * and the policy.
 *
 * In each cycle call byw_l1d_eval() to get the outputs for the inputs, then byw_l1d_tick() with the
 * same inputs for the clock edge; byw_l1d_step() does both. rtl/doc/l1d_pipeline.md specifies the
 * pipeline, the order of events and ties.
 */
#ifndef BYW_L1D_H
#define BYW_L1D_H

#include "common/byw_config.h"
#include "l1d/byw_l1d_ports.h"
#include "l1d/byw_tag_store.h"
#include "record/byw_events.h"

struct byw_mech;
struct byw_l1d;

/* config: already checked.  BYW_EINVAL or BYW_EUNSUPPORTED, with a message, for what the cache
 * cannot do. */
enum byw_status byw_l1d_create(const struct byw_config *config, bool with_data,
                               struct byw_l1d **l1d, struct byw_diag *diag);
void byw_l1d_free(struct byw_l1d *l1d);

void byw_l1d_eval(const struct byw_l1d *l1d, const struct byw_l1d_in *in, struct byw_l1d_out *out);
void byw_l1d_tick(struct byw_l1d *l1d, const struct byw_l1d_in *in);

/* eval and tick; ctrl replaces in->ctrl. */
void byw_l1d_step(struct byw_l1d *l1d, const struct byw_l1d_in *in, const struct byw_l1d_ctrl *ctrl,
                  struct byw_l1d_out *out);

/* Applies new settings of the policy and the PC predictor.  All other keys must be as at creation.
 * The next cycle must have kernel_start, so that no decision uses lines of the old settings.  On an
 * error the cache is unchanged. */
enum byw_status byw_l1d_configure(struct byw_l1d *l1d, const struct byw_config *config,
                                  struct byw_diag *diag);

/* Applies in advance what the first cycle with a new filter_on does to the tags. The outputs are
 * the same with and without this call. It lets a host leave a cache asleep when filter_on
 * changes. */
void byw_l1d_set_filter(struct byw_l1d *l1d, bool filter_on);

/* Whether a cycle without valid inputs (rsp_ready set) changes nothing.  A request on which no
 * cycle has decided yet keeps the cache awake.  *held: the fail event that such a cycle raises, or
 * BYW_EV_COUNT. */
bool byw_l1d_asleep(const struct byw_l1d *l1d, bool mem_req_ready, bool filter_on,
                    enum byw_event *held);
/* Whether a sleeping cache would accept a request. */
bool byw_l1d_takes(const struct byw_l1d *l1d);

/* A fill with this id will arrive soon: prefetches its MSHR into the host's cache. */
void byw_l1d_expect(const struct byw_l1d *l1d, uint32_t id);

/* Accounts for `cycles` cycles in which the cache sleeps and is not stepped. */
void byw_l1d_skip(struct byw_l1d *l1d, uint64_t cycles);

/* counters[BYW_MECH_COUNTERS] of the mechanisms called through hooks (policy/byw_mech_chain.h);
 * unchanged if none is in use. */
void byw_l1d_counters(const struct byw_l1d *l1d, uint64_t *counters);

/* Sets the profile that a profile run fills in or a later run reads (policy/byw_mech_ops.h).  Call
 * before the first cycle. */
struct byw_profile;
void byw_l1d_profiled(struct byw_l1d *l1d, uint32_t sm, struct byw_profile *profile);

/* Returns the state of a mechanism that is enabled in this cache. The SM passes it to the
 * mechanism's request queue. */
void *byw_l1d_mech_state(struct byw_l1d *l1d, const struct byw_mech *mech);

/* Occupancy of the cache's queues: MSHRs and bypass trackers in use, misses (with stores and
 * write-backs) and bypasses waiting for the crossbar. */
struct byw_l1d_levels {
    uint32_t mshrs, trackers, misses, bypasses;
};
void byw_l1d_levels(const struct byw_l1d *l1d, struct byw_l1d_levels *levels);

/* For tests and lock-step: the set records, a check of all invariants (NULL or the broken one), and
 * a hash of the architectural state; collisions are negligible. */
const struct byw_tag_store *byw_l1d_tags(const struct byw_l1d *l1d);
const char *byw_l1d_check(const struct byw_l1d *l1d);
uint64_t byw_l1d_digest(const struct byw_l1d *l1d);

#endif
