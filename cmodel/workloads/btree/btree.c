/* SPDX-License-Identifier: Apache-2.0
 *
 * btree.c - point and range queries on a B+ tree of order 256.
 *
 * The tree is that which results from inserting the keys in ascending order: every node except the
 * last of its level is half full.
 */
#include "byw_wl.h"
#include "workloads/btree_cl.h"

#include <limits.h>
#include <string.h>

enum { ORDER = 256, HALF = ORDER / 2, MAX_LEVELS = 8 };

static const struct byw_wl_option options[] = {
    {"keys", "keys in the tree", {2000, 20000, 1000000}, 1, 8000000, 1},
    {"points", "point queries, one group each", {20, 300, 10000}, 1, 65535, 1},
    {"ranges", "range queries, one group each", {10, 150, 6000}, 1, 65535, 1},
    {"range", "records in a range at most", {100, 100, 1000}, 1, 100000, 1},
};
static const struct byw_wl_about about = {
    "btree", "B+ tree point and range queries, one group of 256 per query", byw_wl_source, options,
    sizeof options / sizeof options[0]};

/* As in the kernels. */
struct node {
    int first;
    int child[ORDER + 1];
    int key[ORDER + 1];
    int leaf;
    int used;
};

struct tree {
    int keys, levels, nodes;
    int *key, *record; /* sorted keys and their records */
    struct node *node;
};

static void init_node(struct node *node, int leaf)
{
    memset(node, 0, sizeof *node);
    node->leaf = leaf;
    for (int i = 0; i <= ORDER; i++)
        node->key[i] = INT_MAX;
}

static void make_tree(struct byw_wl *wl, struct tree *tree)
{
    tree->keys = byw_wl_get_int(wl, "keys");
    tree->key = byw_wl_ints(wl, (size_t)tree->keys);
    tree->record = byw_wl_ints(wl, (size_t)tree->keys);
    for (int i = 0, key = 0; i < tree->keys; i++) {
        key += 1 + (int)byw_wl_below(wl, 4);
        tree->key[i] = key;
        tree->record[i] = (int)byw_wl_below(wl, INT_MAX);
    }
    int width[MAX_LEVELS], count = tree->keys;
    do {
        count = (count + HALF - 1) / HALF;
        width[tree->levels++] = count;
        tree->nodes += count;
    } while (count > 1);
    tree->node = byw_wl_alloc(wl, (size_t)tree->nodes, sizeof *tree->node);

    int base = tree->nodes, below = tree->keys, below_base = 0; /* the root comes first */
    for (int level = 0; level < tree->levels; level++) {
        base -= width[level];
        for (int i = 0; i < below; i++) {
            struct node *node = &tree->node[base + i / HALF];
            if (i % HALF == 0)
                init_node(node, level == 0);
            int slot = node->used++;
            node->child[slot] = below_base + i;
            node->key[slot] = level == 0 ? tree->key[i] : tree->node[below_base + i].first;
            if (slot == 0) {
                node->first = node->key[0];
                node->key[0] = level == 0 ? node->key[0] : INT_MIN;
            }
        }
        below = width[level];
        below_base = base;
    }
}

/* Position of a key in the sorted array; -1 if absent. */
static int host_find(const struct tree *tree, int key)
{
    int low = 0, high = tree->keys;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (tree->key[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < tree->keys && tree->key[low] == key ? low : -1;
}

static void points(struct byw_wl *wl, const struct tree *tree, cl_mem node)
{
    size_t count = (size_t)byw_wl_get(wl, "points"), bytes = count * sizeof(int);
    int *query = byw_wl_ints(wl, count), *want = byw_wl_ints(wl, count);
    int *got = byw_wl_ints(wl, count), *zero = byw_wl_ints(wl, count);
    for (size_t i = 0; i < count; i++) {
        query[i] = (int)byw_wl_below(wl, (uint32_t)tree->key[tree->keys - 1] + 1);
        int at = host_find(tree, query[i]);
        want[i] = at < 0 ? -1 : tree->record[at];
        got[i] = -1;
    }
    cl_mem record = byw_wl_buffer(wl, (size_t)tree->keys * sizeof(int), tree->record);
    cl_mem place = byw_wl_buffer(wl, bytes, zero), next = byw_wl_buffer(wl, bytes, zero);
    cl_mem d_query = byw_wl_buffer(wl, bytes, query), answer = byw_wl_buffer(wl, bytes, got);
    cl_kernel kernel = byw_wl_kernel(wl, "btree_find");
    byw_wl_args(wl, kernel, "mmiimmmm", node, record, tree->levels, tree->nodes, place, next,
                d_query, answer);
    byw_wl_launch(wl, kernel, count, ORDER);
    byw_wl_read(wl, answer, bytes, got);
    byw_wl_check_i32(wl, "answer", got, want, count);
}

static void ranges(struct byw_wl *wl, const struct tree *tree, cl_mem node)
{
    size_t count = (size_t)byw_wl_get(wl, "ranges"), bytes = count * sizeof(int);
    int *from = byw_wl_ints(wl, count), *to = byw_wl_ints(wl, count);
    int *start = byw_wl_ints(wl, count), *length = byw_wl_ints(wl, count);
    int *got = byw_wl_ints(wl, count), *zero = byw_wl_ints(wl, count);
    for (size_t i = 0; i < count; i++) {
        start[i] = (int)byw_wl_below(wl, (uint32_t)tree->keys);
        length[i] = 1 + (int)byw_wl_below(wl, (uint32_t)byw_wl_get_int(wl, "range"));
        if (length[i] > tree->keys - start[i])
            length[i] = tree->keys - start[i];
        from[i] = tree->key[start[i]];
        to[i] = tree->key[start[i] + length[i] - 1];
    }
    cl_mem place[4];
    for (int i = 0; i < 4; i++)
        place[i] = byw_wl_buffer(wl, bytes, zero);
    cl_mem d_from = byw_wl_buffer(wl, bytes, from), d_to = byw_wl_buffer(wl, bytes, to);
    cl_mem d_start = byw_wl_buffer(wl, bytes, zero), d_length = byw_wl_buffer(wl, bytes, zero);
    cl_kernel kernel = byw_wl_kernel(wl, "btree_range");
    byw_wl_args(wl, kernel, "miimmmmmmmm", node, tree->levels, tree->nodes, place[0], place[1],
                place[2], place[3], d_from, d_to, d_start, d_length);
    byw_wl_launch(wl, kernel, count, ORDER);
    byw_wl_read(wl, d_start, bytes, got);
    byw_wl_check_i32(wl, "start", got, start, count);
    byw_wl_read(wl, d_length, bytes, got);
    byw_wl_check_i32(wl, "length", got, length, count);
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    struct tree tree = {.keys = 0};
    make_tree(&wl, &tree);
    cl_mem node = byw_wl_buffer(&wl, (size_t)tree.nodes * sizeof(struct node), tree.node);
    points(&wl, &tree, node);
    ranges(&wl, &tree, node);
    return byw_wl_end(&wl);
}
