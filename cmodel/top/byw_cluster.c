/* SPDX-License-Identifier: Apache-2.0 */
#include "top/byw_cluster.h"

#include <stdlib.h>

#include "policy/byw_sm_duel.h"
#include "top/byw_sm_l1.h"

struct byw_cluster {
    struct byw_sm_duel duel;
    bool decoupled;
    bool dueling;
    uint32_t sm_count;
    const struct byw_l1d_ops *ops; /* of every SM's cache */
    uint64_t cycles; /* clock edges taken */
    uint64_t on_cycles; /* those with the followers' filter on */
    struct byw_sm_l1 *sm;
};

enum byw_status byw_cluster_create(const struct byw_config *config, bool with_data,
                                   struct byw_cluster **cluster, struct byw_diag *diag)
{
    return byw_cluster_create_on(config, NULL, with_data, cluster, diag);
}

enum byw_status byw_cluster_create_on(const struct byw_config *config,
                                      const struct byw_l1d_ops *ops, bool with_data,
                                      struct byw_cluster **cluster, struct byw_diag *diag)
{
    struct byw_cluster *made = calloc(1, sizeof(*made));
    enum byw_status status = BYW_OK;
    uint32_t i;

    if (made != NULL)
        made->sm = calloc(config->sm_count, sizeof(made->sm[0]));
    if (made == NULL || made->sm == NULL) {
        free(made);
        return byw_diag_set(diag, BYW_ENOMEM, "no memory for the L1 caches of %u SMs",
                            config->sm_count);
    }
    made->sm_count = config->sm_count;
    made->ops = ops != NULL ? ops : &byw_l1d_model;
    made->decoupled = config->policy_mode == BYW_MODE_DECOUPLED;
    made->dueling = made->decoupled && config->duel_on != 0;
    byw_sm_duel_init(&made->duel, config);
    for (i = 0; i < made->sm_count && status == BYW_OK; i++) {
        status = byw_sm_l1_init(&made->sm[i], config, made->ops, with_data, diag);
        if (status == BYW_OK)
            made->ops->set_filter(made->sm[i].l1d, byw_cluster_filter_on(made, i));
    }
    if (status != BYW_OK) {
        byw_cluster_free(made);
        return status;
    }
    *cluster = made;
    return BYW_OK;
}

void byw_cluster_free(struct byw_cluster *cluster)
{
    uint32_t i;

    if (cluster == NULL)
        return;
    for (i = 0; i < cluster->sm_count; i++)
        byw_sm_l1_release(&cluster->sm[i]);
    free(cluster->sm);
    free(cluster);
}

bool byw_cluster_filter_on(const struct byw_cluster *cluster, uint32_t sm)
{
    if (!cluster->dueling)
        return cluster->decoupled;
    return sm < BYW_DUEL_LEADERS ? sm == 0 : cluster->duel.on;
}

void byw_cluster_sm(struct byw_cluster *cluster, uint32_t sm, const struct byw_l1d_in *in,
                    struct byw_l1d_out *out)
{
    byw_sm_l1_step(&cluster->sm[sm], in, byw_cluster_filter_on(cluster, sm), out);
    if (sm < BYW_DUEL_LEADERS && cluster->dueling && out->events != 0)
        byw_sm_duel_count(&cluster->duel, sm, out->events);
}

bool byw_cluster_counts_warps(const struct byw_cluster *cluster, uint32_t sm)
{
    return cluster->sm[sm].two_level.on;
}

void byw_cluster_warps(struct byw_cluster *cluster, uint32_t sm, uint32_t warps)
{
    cluster->sm[sm].active_warps = warps;
}

void byw_cluster_skip(struct byw_cluster *cluster, uint64_t cycles)
{
    cluster->cycles += cycles;
    while (cluster->dueling && cycles != 0) {
        bool was_on = cluster->duel.on;
        uint64_t taken = byw_sm_duel_tick(&cluster->duel, cycles);
        uint32_t i;

        cycles -= taken;
        cluster->on_cycles += was_on ? taken : 0;
        for (i = BYW_DUEL_LEADERS; cluster->duel.on != was_on && i < cluster->sm_count; i++)
            cluster->ops->set_filter(cluster->sm[i].l1d, cluster->duel.on);
    }
}

void byw_cluster_tick(struct byw_cluster *cluster)
{
    byw_cluster_skip(cluster, 1);
}

bool byw_cluster_asleep(const struct byw_cluster *cluster, uint32_t sm, bool mem_req_ready)
{
    const struct byw_l1d *l1d = cluster->sm[sm].l1d;
    bool filter_on = byw_cluster_filter_on(cluster, sm);
    enum byw_event held, other;

    if (!cluster->ops->asleep(l1d, mem_req_ready, filter_on, &held))
        return false;
    if (held == BYW_EV_COUNT || !cluster->dueling || sm < BYW_DUEL_LEADERS)
        return true;
    /* The followers' filter may be switched while this one sleeps: what it is refused must not
     * depend on that. */
    return cluster->ops->asleep(l1d, mem_req_ready, !filter_on, &other) && other == held;
}

void byw_cluster_sleep(struct byw_cluster *cluster, uint32_t sm, uint64_t cycles)
{
    enum byw_event held;

    /* Of the conditions of sleep only the decision matters here: mem_req_ready was low or the queue
     * is empty, or else the caller would not have let it sleep. */
    cluster->ops->asleep(cluster->sm[sm].l1d, false, byw_cluster_filter_on(cluster, sm), &held);
    byw_sm_l1_sleep(&cluster->sm[sm], held, cycles);
}

const struct byw_l1_stats *byw_cluster_stats(const struct byw_cluster *cluster, uint32_t sm)
{
    struct byw_l1_stats *stats = &cluster->sm[sm].stats;

    if (cluster->dueling && sm >= BYW_DUEL_LEADERS)
        stats->filter_on_cycles = cluster->on_cycles;
    else
        stats->filter_on_cycles = byw_cluster_filter_on(cluster, sm) ? cluster->cycles : 0;
    return stats;
}

const struct byw_l1d *byw_cluster_l1d(const struct byw_cluster *cluster, uint32_t sm)
{
    return cluster->sm[sm].l1d;
}
