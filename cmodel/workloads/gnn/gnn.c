/* SPDX-License-Identifier: Apache-2.0
 *
 * gnn.c - sparse matrix product of a graph network: features of neighbours, weighted and summed.
 */
#include "byw_wl.h"
#include "workloads/gnn_cl.h"

#include <math.h>

enum { WIDTH = 128, GROUP = 128 };

static const struct byw_wl_option options[] = {
    {"nodes", "nodes of the graph", {100, 1024, 169343}, 2, 1 << 22, 1},
    {"links", "links that a node brings; each is followed both ways", {3, 7, 7}, 1, 100, 1},
};
static const struct byw_wl_about about = {"gnn", "sparse matrix product of a graph network",
                                          byw_wl_source, options,
                                          sizeof options / sizeof options[0]};

struct graph {
    int nodes, links, edges;
    int *first, *neighbour; /* compressed rows; a node is a neighbour of itself */
    float *weight;
};

/* New nodes link to ends of earlier links, so degrees follow a power law, as those of citations. */
static void make_links(struct byw_wl *wl, const struct graph *g, int *from, int *to)
{
    int made = 0;
    for (int node = 1; node < g->nodes; node++)
        for (int i = 0; i < g->links; i++) {
            uint32_t at = byw_wl_below(wl, (uint32_t)(2 * made + node));
            from[made] = node;
            to[made] = at < (uint32_t)node ? (int)at
                       : at % 2 == 0       ? from[(at - (uint32_t)node) / 2]
                                           : to[(at - (uint32_t)node) / 2];
            to[made] = to[made] == node ? node - 1 : to[made];
            made++;
        }
}

static void make_graph(struct byw_wl *wl, struct graph *g)
{
    int links = (g->nodes - 1) * g->links, *from = byw_wl_ints(wl, (size_t)links);
    int *to = byw_wl_ints(wl, (size_t)links), *next = byw_wl_ints(wl, (size_t)g->nodes);
    make_links(wl, g, from, to);
    g->edges = 2 * links + g->nodes;
    g->first = byw_wl_ints(wl, (size_t)g->nodes + 1);
    g->neighbour = byw_wl_ints(wl, (size_t)g->edges);
    g->weight = byw_wl_floats(wl, (size_t)g->edges);
    for (int i = 0; i < links; i++) {
        next[from[i]]++;
        next[to[i]]++;
    }
    for (int n = 0; n < g->nodes; n++) {
        g->first[n + 1] = g->first[n] + next[n] + 1;
        next[n] = g->first[n];
        g->neighbour[next[n]++] = n;
    }
    for (int i = 0; i < links; i++) {
        g->neighbour[next[from[i]]++] = to[i];
        g->neighbour[next[to[i]]++] = from[i];
    }
    for (int n = 0; n < g->nodes; n++)
        for (int i = g->first[n]; i < g->first[n + 1]; i++) {
            int m = g->neighbour[i];
            g->weight[i] = 1.0f / sqrtf((float)(g->first[n + 1] - g->first[n]) *
                                        (float)(g->first[m + 1] - g->first[m]));
        }
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    struct graph g = {.nodes = byw_wl_get_int(&wl, "nodes"), .links = byw_wl_get_int(&wl, "links")};
    make_graph(&wl, &g);
    size_t numbers = (size_t)g.nodes * WIDTH, bytes = numbers * sizeof(float);
    float *feature = byw_wl_uniforms(&wl, numbers, -1.0f, 1.0f);
    float *want = byw_wl_floats(&wl, numbers), *got = byw_wl_floats(&wl, numbers);
    for (int n = 0; n < g.nodes; n++)
        for (int i = g.first[n]; i < g.first[n + 1]; i++)
            for (int d = 0; d < WIDTH; d++)
                want[n * WIDTH + d] += g.weight[i] * feature[g.neighbour[i] * WIDTH + d];

    cl_mem out = byw_wl_buffer(&wl, bytes, NULL);
    cl_kernel kernel = byw_wl_kernel(&wl, "gnn");
    byw_wl_args(&wl, kernel, "mmmmmi",
                byw_wl_buffer(&wl, ((size_t)g.nodes + 1) * sizeof(int), g.first),
                byw_wl_buffer(&wl, (size_t)g.edges * sizeof(int), g.neighbour),
                byw_wl_buffer(&wl, (size_t)g.edges * sizeof(float), g.weight),
                byw_wl_buffer(&wl, bytes, feature), out, g.nodes);
    byw_wl_launch(&wl, kernel, byw_wl_groups((size_t)g.nodes * 32, GROUP), GROUP);
    byw_wl_read(&wl, out, bytes, got);
    byw_wl_check_f32(&wl, "out", got, want, numbers, 1e-4f, 1e-5f);
    return byw_wl_end(&wl);
}
