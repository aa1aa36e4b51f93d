/* SPDX-License-Identifier: Apache-2.0
 *
 * cluster_rig.h - one bench per SM around one cluster, whose L1s may sleep while they have no
 * inputs and whose cycles are skipped when all L1s sleep.
 */
#ifndef CLUSTER_RIG_H
#define CLUSTER_RIG_H

#include "common/byw_l1d_mix.h"
#include "top/byw_cluster.h"

enum { SMS = 4 };

#define AWAKE UINT64_MAX

/* One bench per SM around one cluster. Traffic comes in bursts with long gaps. The offered
 * requests depend on the cycle and on accepted requests, never on which L1 sleeps. */
struct rig {
    struct byw_cluster *cluster;
    struct host *host[SMS];
    uint64_t asleep_since[SMS];
    bool asleep_ready[SMS]; /* mem_req_ready when the L1 fell asleep */
    uint8_t asleep_warps[SMS]; /* active warps that the cluster assumes */
    uint64_t unticked; /* cycles in which no L1 was stepped, not yet skipped */
    uint64_t slept, skipped;
    uint64_t digest; /* digest of all transfers */
    uint64_t next_burst[SMS];
    uint32_t left[SMS]; /* requests left in the burst */
    uint32_t period[SMS]; /* cycles between requests */
    bool pending[SMS]; /* req is to be offered, but has not been accepted yet */
    struct byw_req req[SMS];
    uint8_t data[SMS][HOST_WHOLE];
    bool may_sleep;
    uint64_t flips; /* number of switches of the followers' filter */
    uint64_t cycle;
};

static inline void step_cluster(struct host *h, const struct byw_l1d_in *in,
                                struct byw_l1d_out *out)
{
    struct rig *rig = h->owner;
    uint32_t sm = 0;

    while (rig->host[sm] != h)
        sm++;
    byw_cluster_sm(rig->cluster, sm, in, out);
}

static inline struct rig *rig_new(const struct byw_config *config, bool may_sleep, uint64_t seed)
{
    struct rig *rig = calloc(1, sizeof(*rig));
    struct byw_diag diag;
    uint32_t i;

    assert_non_null(rig);
    rig->may_sleep = may_sleep;
    if (byw_cluster_create(config, true, &rig->cluster, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
    for (i = 0; i < SMS; i++) {
        rig->host[i] = host_new("cluster", config, seed + i);
        rig->host[i]->step = step_cluster;
        rig->host[i]->owner = rig;
        rig->host[i]->latency = 30 + 150 * i; /* long enough to be refused and to sleep meanwhile */
        rig->host[i]->error_percent = 1;
        rig->asleep_since[i] = AWAKE;
    }
    return rig;
}

static inline void rig_free(struct rig *rig)
{
    uint32_t i;

    for (i = 0; i < SMS; i++)
        host_free(rig->host[i]);
    byw_cluster_free(rig->cluster);
    free(rig);
}

static inline bool mem_ready(const struct rig *rig, uint32_t sm)
{
    return ((rig->cycle >> 8) * 7 + sm * 3) % 8 != 0;
}

/* Active warps of SM sm in this cycle: they change now and then, whether L1s sleep or not. */
static inline uint8_t warps(const struct rig *rig, uint32_t sm)
{
    return (uint8_t)(((rig->cycle >> 7) * 11 + sm * 5) % 33);
}

/* The only kernel start comes with the first CTA in cycle 0 (later ones would drop local bytes that
 * the host expects to find); further CTAs come at any time. */
static inline bool cta_comes(const struct rig *rig, uint32_t sm)
{
    return (rig->cycle + 700 * sm) % 5000 == 0;
}

/* Whether SM sm offers its request in this cycle. */
static inline bool rig_offers(struct rig *rig, uint32_t sm)
{
    static const struct host_mix mix = {
        .lines = 100, .percent = 100, .stores = 10, .atomics = 2, .locals = 10, .hints = 3};
    struct host *h = rig->host[sm];

    if (rig->cycle < rig->next_burst[sm])
        return false;
    if (rig->left[sm] == 0) {
        rig->left[sm] = 1 + byw_rng_below(&h->rng, 100);
        rig->period[sm] = byw_rng_below(&h->rng, 2) == 0 ? 1 : 40;
    }
    if (!rig->pending[sm])
        rig->pending[sm] = host_random_req(h, &mix, rig->data[sm], &rig->req[sm]);
    return rig->pending[sm] && rig->cycle % rig->period[sm] == 0;
}

static inline void rig_mix(struct rig *rig, uint64_t value)
{
    rig->digest = (rig->digest ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    rig->digest ^= rig->digest >> 31;
}

static inline void rig_wake(struct rig *rig, uint32_t sm)
{
    if (rig->asleep_since[sm] == AWAKE)
        return;
    byw_cluster_sleep(rig->cluster, sm, rig->cycle - rig->asleep_since[sm]);
    rig->slept += rig->cycle - rig->asleep_since[sm];
    rig->asleep_since[sm] = AWAKE;
}

/* A sleeping L1 sees a new number of active warps. */
static inline void rig_tell_warps(struct rig *rig, uint32_t sm)
{
    if (rig->asleep_warps[sm] == warps(rig, sm))
        return;
    rig_wake(rig, sm);
    rig->asleep_since[sm] = rig->cycle;
    rig->asleep_warps[sm] = warps(rig, sm);
    byw_cluster_warps(rig->cluster, sm, warps(rig, sm));
}

static inline void rig_step(struct rig *rig, uint32_t sm, bool offer)
{
    struct host *h = rig->host[sm];

    h->req_percent = mem_ready(rig, sm) ? 100 : 0;
    h->active_warps = warps(rig, sm);
    h->cta_placed = cta_comes(rig, sm);
    h->kernel_start = rig->cycle == 0;
    if (host_cycle(h, offer ? &rig->req[sm] : NULL)) {
        rig->pending[sm] = false;
        if (--rig->left[sm] == 0)
            rig->next_burst[sm] = rig->cycle + byw_rng_below(&h->rng, 3000);
        rig_mix(rig, rig->cycle << 2);
    }
    if (h->out.rsp_valid)
        rig_mix(rig, rig->cycle << 20 | h->out.rsp.id << 2 | 1);
    if (h->out.mem_req_valid && h->in.mem_req_ready)
        rig_mix(rig, rig->cycle << 20 | h->out.mem_req.line << 2 | 2);
}

static inline void rig_skip(struct rig *rig)
{
    if (rig->unticked != 0)
        byw_cluster_skip(rig->cluster, rig->unticked);
    rig->skipped += rig->unticked;
    rig->unticked = 0;
}

static inline void rig_cycle(struct rig *rig)
{
    bool offer[SMS], input[SMS], stay[SMS], all_stay = true;
    bool was_on = byw_cluster_filter_on(rig->cluster, SMS - 1);
    uint32_t i;

    for (i = 0; i < SMS; i++) {
        rig->host[i]->cycle = rig->cycle;
        offer[i] = rig_offers(rig, i);
        input[i] =
            offer[i] || host_mem_due(rig->host[i]) != NULL || cta_comes(rig, i) || rig->cycle == 0;
        if (rig->asleep_since[i] != AWAKE)
            rig_tell_warps(rig, i);
        /* A sleeping L1 is not stepped again until an input arrives. */
        stay[i] =
            rig->asleep_since[i] != AWAKE && !input[i] && rig->asleep_ready[i] == mem_ready(rig, i);
        all_stay = all_stay && stay[i];
    }
    if (all_stay) {
        rig->unticked++;
        return;
    }
    rig_skip(rig);
    for (i = 0; i < SMS; i++) {
        if (stay[i])
            continue;
        rig_wake(rig, i);
        if (rig->may_sleep && !input[i] && byw_cluster_asleep(rig->cluster, i, mem_ready(rig, i))) {
            rig->asleep_since[i] = rig->cycle;
            rig->asleep_ready[i] = mem_ready(rig, i);
            rig->asleep_warps[i] = rig->host[i]->active_warps; /* active warps in its last step */
            rig_tell_warps(rig, i);
        } else {
            rig_step(rig, i, offer[i]);
        }
    }
    byw_cluster_tick(rig->cluster);
    rig->flips += byw_cluster_filter_on(rig->cluster, SMS - 1) != was_on;
}

static inline void rig_run(struct rig *rig, uint64_t cycles)
{
    uint32_t i;

    for (; cycles > 0; cycles--) {
        rig_cycle(rig);
        rig->cycle++;
    }
    rig_skip(rig);
    for (i = 0; i < SMS; i++)
        rig_wake(rig, i);
}

#endif
