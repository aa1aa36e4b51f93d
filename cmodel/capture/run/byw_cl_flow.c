/* SPDX-License-Identifier: Apache-2.0
 *
 * Strongly connected components by Tarjan's algorithm, with an explicit stack because unrolled
 * kernels have thousands of blocks. Every component that is a loop is opened at its head and its
 * body is ordered in the same way, so the recursion depth is the loop nesting depth.
 */
#include "capture/run/byw_cl_flow.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

struct flow {
    const uint32_t *first, *to;
    uint32_t *order, *latch;
    uint32_t *level; /* nesting level at which a node is being ordered; NONE: already numbered */
    uint32_t *index, *low, *edge;
    uint32_t *path, *open; /* DFS path; nodes not yet in a finished component */
    uint32_t *found; /* finished components' nodes, in reverse topological order */
    uint32_t paths, opens, founds, visits, next;
    bool *is_open;
};

static void push(struct flow *f, uint32_t node)
{
    f->index[node] = f->low[node] = ++f->visits;
    f->edge[node] = f->first[node];
    f->path[f->paths++] = node;
    f->open[f->opens++] = node;
    f->is_open[node] = true;
}

/* Closes the component whose root is `root`: its nodes go to found[], the root last, then a
 * separator, so that reading backwards gives separator, root, the others. */
static void close_component(struct flow *f, uint32_t root)
{
    uint32_t node;

    do {
        node = f->open[--f->opens];
        f->is_open[node] = false;
        f->found[f->founds++] = node;
    } while (node != root);
    f->found[f->founds++] = NONE;
}

static void search(struct flow *f, uint32_t start, uint32_t level)
{
    uint32_t base = f->paths;

    push(f, start);
    while (f->paths > base) {
        uint32_t node = f->path[f->paths - 1];

        if (f->edge[node] < f->first[node + 1]) {
            uint32_t next = f->to[f->edge[node]++];
            if (f->level[next] != level)
                continue;
            if (f->index[next] == 0)
                push(f, next);
            else if (f->is_open[next] && f->index[next] < f->low[node])
                f->low[node] = f->index[next];
            continue;
        }
        f->paths--;
        if (f->paths > base && f->low[node] < f->low[f->path[f->paths - 1]])
            f->low[f->path[f->paths - 1]] = f->low[node];
        if (f->low[node] == f->index[node])
            close_component(f, node);
    }
}

static bool has_edge(const struct flow *f, uint32_t from, uint32_t to)
{
    for (uint32_t e = f->first[from]; e < f->first[from + 1]; e++)
        if (f->to[e] == to)
            return true;
    return false;
}

static void number_found(struct flow *f, uint32_t from, uint32_t level);

/* Numbers one loop: head, body, latch. body[] holds its nodes except the head. */
static void number_loop(struct flow *f, uint32_t head, const uint32_t *body, uint32_t count,
                        uint32_t level)
{
    uint32_t from = f->founds;

    f->order[head] = f->next++;
    f->level[head] = NONE;
    for (uint32_t i = 0; i < count; i++) {
        f->level[body[i]] = level + 1;
        f->index[body[i]] = 0;
    }
    for (uint32_t e = f->first[head]; e < f->first[head + 1]; e++)
        if (f->level[f->to[e]] == level + 1 && f->index[f->to[e]] == 0)
            search(f, f->to[e], level + 1);
    number_found(f, from, level + 1);
    f->latch[head] = f->next++;
}

/* Numbers the components found[from ..], last found first. */
static void number_found(struct flow *f, uint32_t from, uint32_t level)
{
    uint32_t end = f->founds;

    while (end > from) {
        uint32_t last = end - 1, head = f->found[last - 1], begin = last - 1;

        while (begin > from && f->found[begin - 1] != NONE)
            begin--;
        f->founds = begin; /* the fields of `body` are read before the search overwrites them */
        if (last - begin > 1 || has_edge(f, head, head)) {
            number_loop(f, head, f->found + begin, last - 1 - begin, level);
        } else {
            f->order[head] = f->latch[head] = f->next++;
            f->level[head] = NONE;
        }
        end = begin;
    }
    f->founds = from;
}

enum byw_status byw_cl_flow_order(uint32_t nodes, const uint32_t *first, const uint32_t *to,
                                  uint32_t *order, uint32_t *latch)
{
    struct flow f = {.first = first, .to = to, .order = order, .latch = latch, .next = 1};
    size_t n = nodes;
    uint32_t *memory = calloc(8 * n + 2, sizeof(*memory));

    f.is_open = calloc(n + 1, sizeof(*f.is_open));
    if (memory == NULL || f.is_open == NULL) {
        free(memory);
        free(f.is_open);
        return BYW_ENOMEM;
    }
    f.level = memory;
    f.index = memory + n;
    f.low = memory + 2 * n;
    f.edge = memory + 3 * n;
    f.path = memory + 4 * n;
    f.open = memory + 5 * n;
    f.found = memory + 6 * n; /* a node is in one component at a time, plus its separator */
    memset(order, 0, n * sizeof(*order));
    search(&f, 0, 0);
    number_found(&f, 0, 0);
    for (uint32_t i = 0; i < nodes; i++)
        if (order[i] == 0)
            order[i] = latch[i] = f.next++;
    free(memory);
    free(f.is_open);
    return BYW_OK;
}
