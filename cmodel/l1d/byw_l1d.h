/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l1d.h - the L1 data cache of one SM, cycle exact; composes the units of cmodel/l1d and the
 * policy.
 *
 * Use, once per cycle: byw_l1d_eval() gives the outputs for these inputs, byw_l1d_tick() takes the
 * clock edge with the same inputs; byw_l1d_step() is both in one.  The pipeline, its orders and
 * ties stand in rtl/doc/l1d_pipeline.md.
 */
#ifndef BYW_L1D_H
#define BYW_L1D_H

#include "common/byw_config.h"
#include "l1d/byw_l1d_ports.h"
#include "l1d/byw_tag_store.h"
#include "record/byw_events.h"

struct byw_mech;
struct byw_l1d;

/* config: checked.  BYW_EINVAL or BYW_EUNSUPPORTED with a sentence for what the cache cannot do. */
enum byw_status byw_l1d_create(const struct byw_config *config, bool with_data,
                               struct byw_l1d **l1d, struct byw_diag *diag);
void byw_l1d_free(struct byw_l1d *l1d);

void byw_l1d_eval(const struct byw_l1d *l1d, const struct byw_l1d_in *in, struct byw_l1d_out *out);
void byw_l1d_tick(struct byw_l1d *l1d, const struct byw_l1d_in *in);

/* eval and tick; ctrl stands in for in->ctrl. */
void byw_l1d_step(struct byw_l1d *l1d, const struct byw_l1d_in *in, const struct byw_l1d_ctrl *ctrl,
                  struct byw_l1d_out *out);

/* New settings of the policy and the PC predictor; the rest of the configuration must be that of
 * the cache's creation.  The next cycle must have kernel_start, so that nothing is decided before.
 * An error leaves the cache as it is. */
enum byw_status byw_l1d_configure(struct byw_l1d *l1d, const struct byw_config *config,
                                  struct byw_diag *diag);

/* What the first cycle with a new filter_on does to the tags, ahead of that cycle; it cannot be
 * told apart from outside.  Lets a host keep a cache asleep across a change. */
void byw_l1d_set_filter(struct byw_l1d *l1d, bool filter_on);

/* True when a cycle without valid inputs (rsp_ready set) changes nothing; a request that no cycle
 * has decided on yet keeps the cache awake.  *held: the fail event that such a cycle raises,
 * BYW_EV_COUNT for none. */
bool byw_l1d_asleep(const struct byw_l1d *l1d, bool mem_req_ready, bool filter_on,
                    enum byw_event *held);
/* Of a sleeping cache: it would take a request. */
bool byw_l1d_takes(const struct byw_l1d *l1d);

/* `cycles` cycles pass in which the cache sleeps and is not stepped. */
void byw_l1d_skip(struct byw_l1d *l1d, uint64_t cycles);

/* counters[BYW_MECH_COUNTERS] of the mechanisms called through hooks (policy/byw_mech_chain.h);
 * untouched if none is in use. */
void byw_l1d_counters(const struct byw_l1d *l1d, uint64_t *counters);

/* What a profile run finds or has found (policy/byw_mech_ops.h), before the first cycle. */
struct byw_profile;
void byw_l1d_profiled(struct byw_l1d *l1d, uint32_t sm, struct byw_profile *profile);

/* The state of a mechanism in use that is called through hooks, for its request queue. */
void *byw_l1d_mech_state(struct byw_l1d *l1d, const struct byw_mech *mech);

/* How full the cache's queues are: MSHRs and bypass trackers in use, misses (with stores and
 * write-backs) and bypasses waiting for the crossbar. */
struct byw_l1d_levels {
    uint32_t mshrs, trackers, misses, bypasses;
};
void byw_l1d_levels(const struct byw_l1d *l1d, struct byw_l1d_levels *levels);

/* For tests and lock-step: the records, every invariant (NULL or what is broken), and a number that
 * differs, as good as surely, when any architectural state does. */
const struct byw_tag_store *byw_l1d_tags(const struct byw_l1d *l1d);
const char *byw_l1d_check(const struct byw_l1d *l1d);
uint64_t byw_l1d_digest(const struct byw_l1d *l1d);

#endif
