/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cluster.h - the L1s of N SMs with SM dueling; C twin of rtl/top/byw_cluster.v.
 *
 * This is the cache that the timing simulator hosts.  Every SM's L1 (byw_sm_l1: policy + L1D +
 * counters) has its own ports.  One clock cycle of the cluster is one call of byw_cluster_sm() per
 * SM, in any order, then one call of byw_cluster_tick().
 *
 * An L1 whose state can change only through an input (byw_cluster_asleep) need not be stepped.
 * byw_cluster_skip() accounts for such cycles (stall counters, dueling window) and leaves exactly
 * the state that stepping would have left.  Kernel starts and CTA placements are inputs.
 */
#ifndef BYW_CLUSTER_H
#define BYW_CLUSTER_H

#include "common/byw_config.h"
#include "l1d/byw_l1d_ops.h"
#include "top/byw_stats.h"

struct byw_cluster;

/* with_data: lines carry bytes (lock-step, RTL); the timing simulator passes false. */
enum byw_status byw_cluster_create(const struct byw_config *config, bool with_data,
                                   struct byw_cluster **cluster, struct byw_diag *diag);
/* byw_cluster_create() with L1 data caches of another implementation; ops = NULL: the C model. */
enum byw_status byw_cluster_create_on(const struct byw_config *config,
                                      const struct byw_l1d_ops *ops, bool with_data,
                                      struct byw_cluster **cluster, struct byw_diag *diag);
void byw_cluster_free(struct byw_cluster *cluster);

/* Gives all L1Ds, which are idle, this many sets and ways; they are empty then, and mechanisms
 * start anew (byw_sm_l1_reshape).  After an error only byw_cluster_free() may follow. */
enum byw_status byw_cluster_reshape(struct byw_cluster *cluster, uint32_t sets, uint32_t ways,
                                    struct byw_diag *diag);

/* Records the accesses of SM sm's L1D.  Call before the first cycle.  The caller owns the recorder,
 * which must outlive the cluster. */
struct byw_recorder;
void byw_cluster_record(struct byw_cluster *cluster, uint32_t sm, struct byw_recorder *recorder);

/* Sets the profile of a profile run, for the mechanisms of all SMs.  Call before the first cycle.
 * The caller owns the profile. */
struct byw_profile;
void byw_cluster_profiled(struct byw_cluster *cluster, struct byw_profile *profile);

/* Returns the outputs of SM sm's L1 in this cycle for these inputs, then passes its clock edge.
 * in->ctrl.filter_on and .bypass are ignored; the cluster sets them. */
void byw_cluster_sm(struct byw_cluster *cluster, uint32_t sm, const struct byw_l1d_in *in,
                    struct byw_l1d_out *out);

/* The clock edge of the cluster itself: dueling windows. */
void byw_cluster_tick(struct byw_cluster *cluster);

/* The register bus (byw_csr.h) in this cycle.  Its outputs depend on no input; byw_cluster_tick()
 * takes the inputs.  Call it before the SMs in every cycle from the first one on, or never; no SM
 * may sleep while it is in use.  A kernel start over the bus reaches the SMs like one at their own
 * ports, but the kernel_pc of the ports has priority.  BYW_EINVAL, BYW_ENOMEM or BYW_EUNSUPPORTED,
 * with a message: an L1 cannot take the last written settings and keeps the old ones. */
struct byw_cluster_bus_in {
    bool req_valid, req_write, rsp_ready;
    uint32_t req_addr, req_data; /* byte address, 12 bits */
};
struct byw_cluster_bus_out {
    bool req_ready, rsp_valid, rsp_error;
    uint32_t rsp_data;
};
enum byw_status byw_cluster_bus(struct byw_cluster *cluster, const struct byw_cluster_bus_in *in,
                                struct byw_cluster_bus_out *out, struct byw_diag *diag);

/* Whether stepping SM sm with no valid input (mem_req_ready as given, rsp_ready true) would change
 * nothing but stall counters. */
bool byw_cluster_asleep(const struct byw_cluster *cluster, uint32_t sm, bool mem_req_ready);

/* Accounts for `cycles` cycles in which SM sm was asleep and not stepped. */
void byw_cluster_sleep(struct byw_cluster *cluster, uint32_t sm, uint64_t cycles);

/* Whether requests of SM sm may wait in a queue in front of its L1D.  If so, req_ready applies only
 * to a request that is being offered. */
bool byw_cluster_queues(const struct byw_cluster *cluster, uint32_t sm);

/* Whether the sleeping L1 of SM sm would accept a request; `said`: its req_ready when it was last
 * stepped. */
bool byw_cluster_takes(const struct byw_cluster *cluster, uint32_t sm, bool said);

/* A fill with this id will soon arrive at SM sm's L1: prefetches what it needs into the host's
 * cache. */
void byw_cluster_expect(const struct byw_cluster *cluster, uint32_t sm, uint32_t id);

/* Whether SM sm's L1 needs the number of active warps (in->ctrl.active_warps) in each cycle.
 * byw_cluster_warps() sets it to `warps` for the following cycles in which the L1 sleeps. */
bool byw_cluster_counts_warps(const struct byw_cluster *cluster, uint32_t sm);
void byw_cluster_warps(struct byw_cluster *cluster, uint32_t sm, uint32_t warps);

/* Number of cycles, at least one, during which only an SM's own steps change its L1's behavior.
 * For that long, one SM may be stepped ahead of the others, and SMs in several threads.
 * UINT64_MAX: forever. */
uint64_t byw_cluster_steady(const struct byw_cluster *cluster);

/* Equals `cycles` calls of byw_cluster_tick() during which no L1 accepts anything. */
void byw_cluster_skip(struct byw_cluster *cluster, uint64_t cycles);

const struct byw_l1_stats *byw_cluster_stats(const struct byw_cluster *cluster, uint32_t sm);
/* The cache of SM sm, for tests and lock-step (byw_l1d_check, byw_l1d_digest: the C model only). */
const struct byw_l1d *byw_cluster_l1d(const struct byw_cluster *cluster, uint32_t sm);
/* The state of SM sm's two-level unit in the next cycle; BYW_TL_STATES: it has none. */
enum byw_two_level_state byw_cluster_two_level(const struct byw_cluster *cluster, uint32_t sm);
bool byw_cluster_filter_on(const struct byw_cluster *cluster, uint32_t sm);

#endif
