/* SPDX-License-Identifier: Apache-2.0
 *
 * Single-source shortest paths, topology driven: one work-item per node relaxes all edges of its
 * node, every launch, until no distance changes.
 *
 * Distances are updated while others read them: a stale value only costs another launch.  The
 * graph is in compressed rows: edges of node v are first[v] .. first[v + 1] - 1.
 */
#define FAR INT_MAX

__kernel void sssp_start(__global int *distance, int nodes, int source)
{
    int v = get_global_id(0);
    if (v < nodes)
        distance[v] = v == source ? 0 : FAR;
}

__kernel void sssp_relax(__global const int *first, __global const int *target,
                         __global const int *weight, volatile __global int *distance,
                         __global int *changed, int nodes)
{
    int v = get_global_id(0);
    if (v >= nodes)
        return;
    int here = distance[v];
    if (here == FAR)
        return;
    int end = first[v + 1];
    for (int edge = first[v]; edge < end; edge++) {
        int to = target[edge];
        int through = here + weight[edge];
        if (through < distance[to]) {
            if (atomic_min(&distance[to], through) > through)
                *changed = 1;
        }
    }
}
