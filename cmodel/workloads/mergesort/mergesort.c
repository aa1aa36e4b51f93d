/* SPDX-License-Identifier: Apache-2.0
 *
 * mergesort.c - sorts random keys, values are their original positions: one launch that sorts parts
 * of 1024, then four launches per doubling of the run length.
 */
#include "byw_wl.h"
#include "workloads/mergesort_cl.h"

#include <stdlib.h>

enum { PART = 1024, SAMPLE = 128, GROUP = 256 };

static const struct byw_wl_option options[] = {
    {"log2", "logarithm of the number of keys", {12, 13, 22}, 11, 26, 1},
    {"distinct", "different keys", {1000, 65536, 65536}, 1, 1L << 31, 1},
};
static const struct byw_wl_about about = {
    "mergesort", "merge sort: parts in local memory, then merges by sample ranks", byw_wl_source,
    options, sizeof options / sizeof options[0]};

struct pair {
    uint32_t key, value;
};

/* Keys with their positions have only one sorted order, so the result matches only if the sort is
 * stable. */
static int compare_pairs(const void *left, const void *right)
{
    const struct pair *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->value > b->value) - (a->value < b->value);
}

struct device {
    cl_mem key[2], value[2]; /* the pass reads [0] and writes [1] */
    cl_mem rank_a, rank_b, limit_a, limit_b;
    cl_kernel ranks, cuts, merge;
};

static void sort_cuts(struct byw_wl *wl, const struct device *d, cl_mem rank, cl_mem limit, int run,
                      int pairs)
{
    byw_wl_args(wl, d->cuts, "mmii", rank, limit, run, pairs);
    byw_wl_launch(wl, d->cuts, byw_wl_groups((size_t)pairs, GROUP), GROUP);
}

static void merge_runs(struct byw_wl *wl, const struct device *d, int n, int run)
{
    int pairs = n / (2 * SAMPLE);
    byw_wl_args(wl, d->ranks, "mmmii", d->key[0], d->rank_a, d->rank_b, run, pairs);
    byw_wl_launch(wl, d->ranks, byw_wl_groups((size_t)pairs, GROUP), GROUP);
    sort_cuts(wl, d, d->rank_a, d->limit_a, run, pairs);
    sort_cuts(wl, d, d->rank_b, d->limit_b, run, pairs);
    byw_wl_args(wl, d->merge, "mmmmmmi", d->key[0], d->value[0], d->key[1], d->value[1], d->limit_a,
                d->limit_b, run);
    byw_wl_launch(wl, d->merge, (size_t)(n / SAMPLE), SAMPLE);
}

static void swap(cl_mem pair[2])
{
    cl_mem first = pair[0];
    pair[0] = pair[1];
    pair[1] = first;
}

static void sort(struct byw_wl *wl, struct device *d, int n)
{
    size_t cuts = (size_t)(n / SAMPLE) * sizeof(int);
    d->rank_a = byw_wl_buffer(wl, cuts, NULL);
    d->rank_b = byw_wl_buffer(wl, cuts, NULL);
    d->limit_a = byw_wl_buffer(wl, cuts, NULL);
    d->limit_b = byw_wl_buffer(wl, cuts, NULL);
    d->ranks = byw_wl_kernel(wl, "mergesort_sample_ranks");
    d->cuts = byw_wl_kernel(wl, "mergesort_sort_cuts");
    d->merge = byw_wl_kernel(wl, "mergesort_merge");
    cl_kernel part = byw_wl_kernel(wl, "mergesort_part");
    byw_wl_args(wl, part, "mmmm", d->key[0], d->value[0], d->key[1], d->value[1]);
    byw_wl_launch(wl, part, (size_t)(n / PART), PART / 2);
    for (int run = PART; run < n; run *= 2) {
        swap(d->key);
        swap(d->value);
        merge_runs(wl, d, n, run);
    }
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    int n = 1 << byw_wl_get_int(&wl, "log2");
    uint32_t distinct = (uint32_t)byw_wl_get(&wl, "distinct");
    size_t count = (size_t)n, bytes = count * sizeof(int);
    int *key = byw_wl_ints(&wl, count), *value = byw_wl_ints(&wl, count);
    int *got = byw_wl_ints(&wl, count);
    struct pair *pair = byw_wl_alloc(&wl, count, sizeof *pair);
    for (int i = 0; i < n; i++) {
        pair[i] = (struct pair){byw_wl_below(&wl, distinct), (uint32_t)i};
        key[i] = (int)pair[i].key;
        value[i] = i;
    }
    struct device d = {
        .key = {byw_wl_buffer(&wl, bytes, key), byw_wl_buffer(&wl, bytes, NULL)},
        .value = {byw_wl_buffer(&wl, bytes, value), byw_wl_buffer(&wl, bytes, NULL)}};
    sort(&wl, &d, n);
    qsort(pair, count, sizeof *pair, compare_pairs);
    for (size_t i = 0; i < count; i++) {
        key[i] = (int)pair[i].key;
        value[i] = (int)pair[i].value;
    }
    byw_wl_read(&wl, d.key[1], bytes, got);
    byw_wl_check_i32(&wl, "key", got, key, count);
    byw_wl_read(&wl, d.value[1], bytes, got);
    byw_wl_check_i32(&wl, "value", got, value, count);
    return byw_wl_end(&wl);
}
