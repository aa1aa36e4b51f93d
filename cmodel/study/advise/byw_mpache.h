/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_mpache.h - Mpache's choice of a bypassing mode for each load of a kernel
 * (mechanisms/hints.md 6.3): groups of the interaction graph, and Algorithm 1 over affinities.
 */
#ifndef BYW_MPACHE_H
#define BYW_MPACHE_H

#include <stdbool.h>
#include <stdint.h>

/* Mode 0 bypasses the L2; 1 bypasses L0 and L1. */
enum { BYW_MPACHE_MODES = 2, BYW_MPACHE_NONE = -1 };

/* A static global load, in the order of the code. */
struct byw_mpache_load {
    uint32_t pc;
    uint32_t block; /* basic block */
    int32_t argument; /* array; -1: unknown */
};

/* Groups of loads: group[i] is the group of load i, numbered by first load. barrier: PCs of
 * barriers, in any order. Returns the number of groups. */
uint32_t byw_mpache_groups(const struct byw_mpache_load *load, uint32_t loads,
                           const uint32_t *barrier, uint32_t barriers, uint32_t *group);

struct byw_mpache_params {
    double thresh1, thresh2, weight;
    bool guard; /* a group bypasses a level only if the group as a whole gains */
    bool mode[BYW_MPACHE_MODES]; /* whether a mode may be chosen */
};

struct byw_mpache_graph {
    uint32_t loads, groups;
    const uint32_t *group; /* the group of each load */
    const double (*load_affinity)[BYW_MPACHE_MODES];
    const double (*group_affinity)[BYW_MPACHE_MODES]; /* one load: its affinity */
};

/* Algorithm 1: policy[i] is the mode of load i, BYW_MPACHE_NONE to cache. */
void byw_mpache_select(const struct byw_mpache_graph *graph, const struct byw_mpache_params *params,
                       int8_t *policy);

/* Liang's rule: bypass L0 and L1 where that alone gains more than `least` percent. */
void byw_mpache_liang(const struct byw_mpache_graph *graph, double least, int8_t *policy);

#endif
