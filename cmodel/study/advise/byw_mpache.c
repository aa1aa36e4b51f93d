/* SPDX-License-Identifier: Apache-2.0 */
#include "study/advise/byw_mpache.h"

#include <math.h>

/* Whether a barrier separates two loads. */
static bool parted(const uint32_t *barrier, uint32_t barriers, uint32_t first, uint32_t last)
{
    for (uint32_t i = 0; i < barriers; i++)
        if ((barrier[i] > first && barrier[i] < last) || (barrier[i] > last && barrier[i] < first))
            return true;
    return false;
}

uint32_t byw_mpache_groups(const struct byw_mpache_load *load, uint32_t loads,
                           const uint32_t *barrier, uint32_t barriers, uint32_t *group)
{
    uint32_t groups = 0;

    for (uint32_t i = 0; i < loads; i++) {
        group[i] = groups;
        for (uint32_t j = 0; j < i && load[i].argument >= 0 && group[i] == groups; j++)
            if (load[j].argument == load[i].argument && load[j].block == load[i].block &&
                !parted(barrier, barriers, load[j].pc, load[i].pc))
                group[i] = group[j];
        groups += group[i] == groups;
    }
    return groups;
}

/* A group's loads: their number, and the sum of their affinities. */
static uint32_t sum_up(const struct byw_mpache_graph *g, uint32_t group, int mode, double *sum)
{
    uint32_t size = 0;

    *sum = 0.0;
    for (uint32_t v = 0; v < g->loads; v++)
        if (g->group[v] == group) {
            *sum += g->load_affinity[v][mode];
            size++;
        }
    return size;
}

/* Cooperation: the mode of the whole group, or none; com[m] is the gain of its loads when they
 * bypass together. */
static int8_t cooperate(const struct byw_mpache_graph *g, const struct byw_mpache_params *p,
                        uint32_t group, double com[BYW_MPACHE_MODES])
{
    double most = -INFINITY;
    int8_t policy = BYW_MPACHE_NONE;

    for (int m = 0; m < BYW_MPACHE_MODES; m++) {
        double together = g->group_affinity[group][m], sum;
        uint32_t size = sum_up(g, group, m, &sum);

        com[m] = size > 1 ? together - sum : 0.0;
        if (size > 1 && p->mode[m] && com[m] >= p->thresh1 * size && com[m] > most &&
            !(p->guard && together <= 0)) {
            most = com[m];
            policy = (int8_t)m;
        }
    }
    return policy;
}

/* The mode that Mpache's rule of contention chooses for a single load. */
static int8_t contend(const struct byw_mpache_graph *g, const struct byw_mpache_params *p,
                      uint32_t load, bool single, const double com[BYW_MPACHE_MODES])
{
    double most = -INFINITY;
    int8_t policy = BYW_MPACHE_NONE;

    for (int m = 0; m < BYW_MPACHE_MODES; m++) {
        double score = g->load_affinity[load][m];

        if (!single && com[m] <= 0)
            score += p->weight * com[m];
        if (p->mode[m] && score >= p->thresh2 && score >= most) {
            most = score;
            policy = (int8_t)m;
        }
    }
    return policy;
}

void byw_mpache_select(const struct byw_mpache_graph *graph, const struct byw_mpache_params *params,
                       int8_t *policy)
{
    for (uint32_t group = 0; group < graph->groups; group++) {
        double com[BYW_MPACHE_MODES], sum;
        bool single = sum_up(graph, group, 0, &sum) == 1;
        int8_t all = cooperate(graph, params, group, com);

        for (uint32_t v = 0; v < graph->loads; v++)
            if (graph->group[v] == group)
                policy[v] = all != BYW_MPACHE_NONE ? all : contend(graph, params, v, single, com);
    }
}

void byw_mpache_liang(const struct byw_mpache_graph *graph, double least, int8_t *policy)
{
    for (uint32_t v = 0; v < graph->loads; v++)
        policy[v] = graph->load_affinity[v][1] > least ? 1 : BYW_MPACHE_NONE;
}
