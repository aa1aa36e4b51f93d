/* SPDX-License-Identifier: Apache-2.0
 *
 * sssp.c - shortest paths from one node of a generated graph to all others.
 *
 * Kinds of graph: 0 uniformly random targets, the same number of edges from each node (r4); 1 RMAT
 * (0.57, 0.19, 0.19: few nodes with very many edges); 2 a road-like grid (four neighbours, one edge
 * in eight missing, nodes numbered row by row).  The first launch sets the distances, each further
 * one is a sweep over all nodes.  With --launches A-B the host computes the sweeps outside of the
 * window, so that a trace can contain only a few busy ones.
 */
#include "byw_wl.h"
#include "workloads/sssp_cl.h"

#include <limits.h>

enum { GROUP = 256, FAR = INT_MAX };

static const struct byw_wl_option options[] = {
    {"n", "nodes; for a grid, rounded down to a square", {512, 16384, 1 << 18}, 16, 1 << 24, 1},
    {"degree", "edges per node of kinds 0 and 1, on average", {8, 4, 4}, 1, 64, 1},
    {"kind", "0: random, 1: RMAT, 2: road-like grid", {1, 0, 0}, 0, 2, 1},
    {"first", "first launch that runs on the device, from 1", {1, 8, 1}, 1, 1000000, 1},
    {"last", "last launch that runs on the device", {1000000, 8, 1000000}, 1, 1000000, 1},
};
static const struct byw_wl_about about = {
    "sssp", "single-source shortest paths, one work-item per node until nothing changes",
    byw_wl_source, options, sizeof options / sizeof options[0]};

struct graph {
    int nodes, edges, source;
    int *first, *target, *weight;
};

/* Compressed rows from a list of (from, to), keeping the order of each node's edges. */
static void make_rows(struct byw_wl *wl, struct graph *g, const int *from, const int *to)
{
    g->first = byw_wl_ints(wl, (size_t)g->nodes + 2);
    g->target = byw_wl_ints(wl, (size_t)g->edges);
    g->weight = byw_wl_ints(wl, (size_t)g->edges);
    for (int e = 0; e < g->edges; e++)
        g->first[from[e] + 2]++;
    for (int v = 0; v < g->nodes; v++)
        g->first[v + 2] += g->first[v + 1];
    for (int e = 0; e < g->edges; e++) {
        int at = g->first[from[e] + 1]++;
        g->target[at] = to[e];
        g->weight[at] = 1 + (int)byw_wl_below(wl, 100);
    }
}

static void make_rmat(struct byw_wl *wl, struct graph *g)
{
    g->edges = g->nodes * byw_wl_get_int(wl, "degree");
    int *from = byw_wl_ints(wl, (size_t)g->edges), *to = byw_wl_ints(wl, (size_t)g->edges);
    for (int e = 0; e < g->edges;) {
        int u = 0, v = 0;
        for (int bit = 1; bit < g->nodes; bit *= 2) {
            uint32_t quarter = byw_wl_below(wl, 100);
            u += quarter >= 76 ? bit : 0;
            v += (quarter >= 57 && quarter < 76) || quarter >= 95 ? bit : 0;
        }
        if (u >= g->nodes || v >= g->nodes || u == v)
            continue;
        from[e] = u;
        to[e] = v;
        e++;
    }
    make_rows(wl, g, from, to);
}

static void make_random(struct byw_wl *wl, struct graph *g)
{
    int degree = byw_wl_get_int(wl, "degree");
    g->edges = g->nodes * degree;
    int *from = byw_wl_ints(wl, (size_t)g->edges), *to = byw_wl_ints(wl, (size_t)g->edges);
    for (int e = 0; e < g->edges; e++) {
        from[e] = e / degree;
        to[e] = (int)byw_wl_below(wl, (uint32_t)g->nodes);
    }
    make_rows(wl, g, from, to);
}

static void make_grid(struct byw_wl *wl, struct graph *g)
{
    int side = 1;
    while ((side + 1) * (side + 1) <= g->nodes)
        side++;
    g->nodes = side * side;
    int *from = byw_wl_ints(wl, (size_t)g->nodes * 4), *to = byw_wl_ints(wl, (size_t)g->nodes * 4);
    for (int v = 0; v < g->nodes; v++) {
        int x = v % side, y = v / side;
        int neighbour[4] = {y > 0 ? v - side : -1, x > 0 ? v - 1 : -1, x < side - 1 ? v + 1 : -1,
                            y < side - 1 ? v + side : -1};
        for (int i = 0; i < 4; i++) {
            if (neighbour[i] < 0 || byw_wl_below(wl, 8) == 0)
                continue;
            from[g->edges] = v;
            to[g->edges++] = neighbour[i];
        }
    }
    make_rows(wl, g, from, to);
}

/* The node with the most edges is the source: it reaches the others soonest. */
static void make_graph(struct byw_wl *wl, struct graph *g)
{
    g->nodes = byw_wl_get_int(wl, "n");
    long kind = byw_wl_get(wl, "kind");
    if (kind == 0)
        make_random(wl, g);
    else if (kind == 1)
        make_rmat(wl, g);
    else
        make_grid(wl, g);
    int most = -1;
    for (int v = 0; v < g->nodes; v++) {
        if (g->first[v + 1] - g->first[v] > most) {
            most = g->first[v + 1] - g->first[v];
            g->source = v;
        }
    }
}

/* Relaxes every edge from the distances in `distance`; returns whether any changed. */
static bool host_sweep(const struct graph *g, int *distance)
{
    bool changed = false;
    for (int v = 0; v < g->nodes; v++) {
        for (int e = g->first[v]; e < g->first[v + 1] && distance[v] != FAR; e++) {
            int through = distance[v] + g->weight[e];
            if (through < distance[g->target[e]]) {
                distance[g->target[e]] = through;
                changed = true;
            }
        }
    }
    return changed;
}

/* One sweep as on a device that runs all work-items at once: from a copy of the distances. The
 * host computes the sweeps before the window in this way, so that the window has as much work as
 * it would otherwise. */
static bool host_parallel_sweep(const struct graph *g, int *distance, int *copy)
{
    bool changed = false;
    for (int v = 0; v < g->nodes; v++)
        copy[v] = distance[v];
    for (int v = 0; v < g->nodes; v++) {
        for (int e = g->first[v]; e < g->first[v + 1] && copy[v] != FAR; e++) {
            int through = copy[v] + g->weight[e];
            if (through < distance[g->target[e]]) {
                distance[g->target[e]] = through;
                changed = true;
            }
        }
    }
    return changed;
}

struct device {
    cl_kernel start, relax;
    cl_mem distance, changed;
    size_t groups, bytes;
};

static void make_device(struct byw_wl *wl, const struct graph *g, struct device *dev)
{
    size_t edge_bytes = (size_t)g->edges * sizeof(int);
    dev->bytes = (size_t)g->nodes * sizeof(int);
    dev->groups = byw_wl_groups((size_t)g->nodes, GROUP);
    cl_mem first = byw_wl_buffer(wl, dev->bytes + sizeof(int), g->first);
    cl_mem target = byw_wl_buffer(wl, edge_bytes, g->target);
    cl_mem weight = byw_wl_buffer(wl, edge_bytes, g->weight);
    dev->distance = byw_wl_buffer(wl, dev->bytes, NULL);
    dev->changed = byw_wl_buffer(wl, sizeof(int), NULL);
    dev->start = byw_wl_kernel(wl, "sssp_start");
    dev->relax = byw_wl_kernel(wl, "sssp_relax");
    byw_wl_args(wl, dev->start, "mii", dev->distance, g->nodes, g->source);
    byw_wl_args(wl, dev->relax, "mmmmmi", first, target, weight, dev->distance, dev->changed,
                g->nodes);
}

/* All launches of the program, each on the device or on the host; distances end in `distance`. */
static void solve(struct byw_wl *wl, const struct graph *g, int *distance)
{
    struct device dev;
    make_device(wl, g, &dev);
    long first_launch = byw_wl_get(wl, "first"), last_launch = byw_wl_get(wl, "last");
    int *copy = byw_wl_ints(wl, (size_t)g->nodes), changed = 1;
    if (first_launch == 1) {
        byw_wl_launch(wl, dev.start, dev.groups, GROUP);
        byw_wl_read(wl, dev.distance, dev.bytes, distance);
    } else {
        for (int v = 0; v < g->nodes; v++)
            distance[v] = v == g->source ? 0 : FAR;
    }
    for (long launch = 2; changed; launch++) {
        if (launch < first_launch || launch > last_launch) {
            changed = host_parallel_sweep(g, distance, copy);
            continue;
        }
        changed = 0;
        byw_wl_write(wl, dev.distance, dev.bytes, distance);
        byw_wl_write(wl, dev.changed, sizeof changed, &changed);
        byw_wl_launch(wl, dev.relax, dev.groups, GROUP);
        byw_wl_read(wl, dev.changed, sizeof changed, &changed);
        byw_wl_read(wl, dev.distance, dev.bytes, distance);
    }
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    struct graph g = {.nodes = 0};
    make_graph(&wl, &g);
    int *got = byw_wl_ints(&wl, (size_t)g.nodes), *want = byw_wl_ints(&wl, (size_t)g.nodes);
    solve(&wl, &g, got);
    for (int v = 0; v < g.nodes; v++)
        want[v] = v == g.source ? 0 : FAR;
    while (host_sweep(&g, want))
        continue;
    byw_wl_check_i32(&wl, "distance", got, want, (size_t)g.nodes);
    return byw_wl_end(&wl);
}
