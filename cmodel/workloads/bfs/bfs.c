/* SPDX-License-Identifier: Apache-2.0
 *
 * bfs.c - breadth-first search from node 0 of a random graph, level by level.
 */
#include "byw_wl.h"
#include "workloads/bfs_cl.h"

enum { GROUP = 256 };

static const struct byw_wl_option options[] = {
    {"n", "nodes", {500, 8192, 1 << 20}, 2, 1 << 24, 1},
    {"degree", "edges of a node, at most; uniform from 1", {6, 8, 11}, 1, 64, 1},
};
static const struct byw_wl_about about = {
    "bfs", "breadth-first search with node marks, two launches per level", byw_wl_source, options,
    sizeof options / sizeof options[0]};

struct graph {
    int nodes, edges;
    int *first, *degree, *target;
};

static void make_graph(struct byw_wl *wl, struct graph *g)
{
    g->nodes = byw_wl_get_int(wl, "n");
    g->first = byw_wl_ints(wl, (size_t)g->nodes);
    g->degree = byw_wl_ints(wl, (size_t)g->nodes);
    for (int v = 0; v < g->nodes; v++) {
        g->first[v] = g->edges;
        g->degree[v] = 1 + (int)byw_wl_below(wl, (uint32_t)byw_wl_get(wl, "degree"));
        g->edges += g->degree[v];
    }
    g->target = byw_wl_ints(wl, (size_t)g->edges);
    for (int e = 0; e < g->edges; e++)
        g->target[e] = (int)byw_wl_below(wl, (uint32_t)g->nodes);
}

static void host_bfs(const struct graph *g, int *queue, int *cost)
{
    int head = 0, tail = 0;
    for (int v = 0; v < g->nodes; v++)
        cost[v] = -1;
    cost[0] = 0;
    queue[tail++] = 0;
    while (head < tail) {
        int v = queue[head++];
        for (int e = g->first[v]; e < g->first[v] + g->degree[v]; e++) {
            int to = g->target[e];
            if (cost[to] < 0) {
                cost[to] = cost[v] + 1;
                queue[tail++] = to;
            }
        }
    }
}

static void device_bfs(struct byw_wl *wl, const struct graph *g, int *cost)
{
    size_t nodes = (size_t)g->nodes, bytes = nodes * sizeof(int);
    char *mark = byw_wl_alloc(wl, nodes, 1);
    cl_mem updated = byw_wl_buffer(wl, nodes, mark);
    mark[0] = 1;
    cl_mem frontier = byw_wl_buffer(wl, nodes, mark), visited = byw_wl_buffer(wl, nodes, mark);
    cl_mem first = byw_wl_buffer(wl, bytes, g->first), degree = byw_wl_buffer(wl, bytes, g->degree);
    cl_mem target = byw_wl_buffer(wl, (size_t)g->edges * sizeof(int), g->target);
    for (size_t v = 1; v < nodes; v++)
        cost[v] = -1;
    cl_mem d_cost = byw_wl_buffer(wl, bytes, cost);
    cl_mem d_again = byw_wl_buffer(wl, sizeof(int), NULL);
    cl_kernel visit = byw_wl_kernel(wl, "bfs_visit"), advance = byw_wl_kernel(wl, "bfs_advance");
    byw_wl_args(wl, visit, "mmmmmmmi", first, degree, target, frontier, updated, visited, d_cost,
                g->nodes);
    byw_wl_args(wl, advance, "mmmmi", frontier, updated, visited, d_again, g->nodes);
    size_t groups = byw_wl_groups(nodes, GROUP);
    int again = 1;
    while (again) {
        again = 0;
        byw_wl_write(wl, d_again, sizeof again, &again);
        byw_wl_launch(wl, visit, groups, GROUP);
        byw_wl_launch(wl, advance, groups, GROUP);
        byw_wl_read(wl, d_again, sizeof again, &again);
    }
    byw_wl_read(wl, d_cost, bytes, cost);
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    struct graph g = {.nodes = 0};
    make_graph(&wl, &g);
    int *got = byw_wl_ints(&wl, (size_t)g.nodes), *want = byw_wl_ints(&wl, (size_t)g.nodes);
    int *queue = byw_wl_ints(&wl, (size_t)g.nodes);
    device_bfs(&wl, &g, got);
    host_bfs(&g, queue, want);
    byw_wl_check_i32(&wl, "cost", got, want, (size_t)g.nodes);
    return byw_wl_end(&wl);
}
