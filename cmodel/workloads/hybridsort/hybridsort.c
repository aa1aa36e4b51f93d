/* SPDX-License-Identifier: Apache-2.0
 *
 * hybridsort.c - bucket sort, then merge sort of the buckets.
 *
 * The host takes the pivots from a sorted sample of the values and sums up bucket sizes.
 */
#include "byw_wl.h"
#include "workloads/hybridsort_cl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 32, BAND = 128, PREFIX_GROUP = 64, MERGE_GROUP = 208, SAMPLES = 16 };

static const struct byw_wl_option options[] = {
    {"n", "values", {5000, 32768, 1 << 22}, 1, 1 << 26, 1},
    {"buckets", "the values are divided into", {64, 256, 1024}, 2, 4096, 1},
};
static const struct byw_wl_about about = {
    "hybridsort", "bucket sort, then merge sort of vectors of four", byw_wl_source, options,
    sizeof options / sizeof options[0]};

struct problem {
    int n, buckets, groups;
    float *value;
    int *start, *padded; /* first elements of the buckets, packed, and padded to vectors; buckets +
                            1 each */
    int most; /* vectors in the largest bucket */
};

static int compare_floats(const void *left, const void *right)
{
    float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

/* buckets - 1 values that divide a sample into equal parts. */
static float *choose_pivots(struct byw_wl *wl, const struct problem *p)
{
    size_t samples = (size_t)p->buckets * SAMPLES;
    float *sample = byw_wl_floats(wl, samples), *pivot = byw_wl_floats(wl, (size_t)p->buckets);
    for (size_t i = 0; i < samples; i++)
        sample[i] = p->value[byw_wl_below(wl, (uint32_t)p->n)];
    qsort(sample, samples, sizeof *sample, compare_floats);
    for (int b = 1; b < p->buckets; b++)
        pivot[b - 1] = sample[b * SAMPLES];
    return pivot;
}

static void place_buckets(struct byw_wl *wl, struct problem *p, const int *size)
{
    p->start = byw_wl_ints(wl, (size_t)p->buckets + 1);
    p->padded = byw_wl_ints(wl, (size_t)p->buckets + 1);
    for (int b = 0; b < p->buckets; b++) {
        int vectors = (size[b] + 3) / 4;
        p->start[b + 1] = p->start[b] + size[b];
        p->padded[b + 1] = p->padded[b] + 4 * vectors;
        p->most = vectors > p->most ? vectors : p->most;
    }
    if (p->start[p->buckets] != p->n)
        byw_wl_fail(wl, "bucket sizes: found a sum of %d, expected %d", p->start[p->buckets], p->n);
}

/* Returns a device array of padded buckets, each unsorted. */
static cl_mem fill_buckets(struct byw_wl *wl, struct problem *p)
{
    size_t n = (size_t)p->n, buckets = (size_t)p->buckets, groups = (size_t)p->groups;
    cl_mem list = byw_wl_buffer(wl, n * sizeof(float), p->value);
    cl_mem place = byw_wl_buffer(wl, n * sizeof(int), NULL);
    cl_mem pivot = byw_wl_buffer(wl, buckets * sizeof(float), choose_pivots(wl, p));
    cl_mem group_count = byw_wl_buffer(wl, groups * buckets * sizeof(int), NULL);
    cl_mem bucket_size = byw_wl_buffer(wl, buckets * sizeof(int), NULL);
    cl_kernel count = byw_wl_kernel(wl, "hybridsort_count");
    byw_wl_args(wl, count, "mmmmiil", list, place, pivot, group_count, p->n, p->buckets,
                buckets * sizeof(int));
    byw_wl_launch(wl, count, groups, ITEMS);
    cl_kernel prefix = byw_wl_kernel(wl, "hybridsort_prefix");
    byw_wl_args(wl, prefix, "mmii", group_count, bucket_size, p->groups, p->buckets);
    byw_wl_launch(wl, prefix, byw_wl_groups(buckets, PREFIX_GROUP), PREFIX_GROUP);

    int *size = byw_wl_ints(wl, buckets);
    byw_wl_read(wl, bucket_size, buckets * sizeof(int), size);
    place_buckets(wl, p, size);
    size_t padded = (size_t)p->padded[p->buckets];
    float *infinite = byw_wl_floats(wl, padded);
    for (size_t i = 0; i < padded; i++)
        infinite[i] = INFINITY;
    cl_mem out = byw_wl_buffer(wl, padded * sizeof(float), infinite);
    cl_mem padded_start = byw_wl_buffer(wl, buckets * sizeof(int), p->padded);
    cl_kernel distribute = byw_wl_kernel(wl, "hybridsort_distribute");
    byw_wl_args(wl, distribute, "mmmmmiil", list, place, group_count, padded_start, out, p->n,
                p->buckets, buckets * sizeof(int));
    byw_wl_launch(wl, distribute, groups, ITEMS);
    return out;
}

/* Sorts every bucket; returns the array that holds the result. */
static cl_mem merge_buckets(struct byw_wl *wl, const struct problem *p, cl_mem in)
{
    size_t buckets = (size_t)p->buckets, padded = (size_t)p->padded[p->buckets];
    cl_mem out = byw_wl_buffer(wl, padded * sizeof(float), NULL);
    int *start = byw_wl_ints(wl, buckets + 1);
    for (size_t b = 0; b <= buckets; b++)
        start[b] = p->padded[b] / 4;
    cl_mem vector_start = byw_wl_buffer(wl, (buckets + 1) * sizeof(int), start);
    cl_kernel vectors = byw_wl_kernel(wl, "hybridsort_vectors");
    byw_wl_args(wl, vectors, "mmi", in, out, (int)(padded / 4));
    byw_wl_launch(wl, vectors, byw_wl_groups(padded / 4, MERGE_GROUP), MERGE_GROUP);
    cl_kernel merge = byw_wl_kernel(wl, "hybridsort_merge");
    for (int run = 1; run < p->most; run *= 2) {
        cl_mem swap = in;
        in = out;
        out = swap;
        int lanes = (p->most + 2 * run - 1) / (2 * run);
        byw_wl_args(wl, merge, "mmmiii", in, out, vector_start, run, lanes, p->buckets);
        byw_wl_launch(wl, merge, byw_wl_groups((size_t)lanes * buckets, MERGE_GROUP), MERGE_GROUP);
    }
    return out;
}

static void pack(struct byw_wl *wl, const struct problem *p, cl_mem in, float *got)
{
    size_t n = (size_t)p->n, buckets = (size_t)p->buckets;
    cl_mem out = byw_wl_buffer(wl, n * sizeof(float), NULL);
    cl_mem padded = byw_wl_buffer(wl, (buckets + 1) * sizeof(int), p->padded);
    cl_mem start = byw_wl_buffer(wl, (buckets + 1) * sizeof(int), p->start);
    cl_kernel kernel = byw_wl_kernel(wl, "hybridsort_pack");
    byw_wl_args(wl, kernel, "mmmm", in, out, padded, start);
    byw_wl_launch(wl, kernel, buckets, MERGE_GROUP);
    byw_wl_read(wl, out, n * sizeof(float), got);
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    struct problem p = {.n = byw_wl_get_int(&wl, "n"), .buckets = byw_wl_get_int(&wl, "buckets")};
    size_t n = (size_t)p.n;
    p.groups = (int)byw_wl_groups(n, ITEMS * BAND);
    p.value = byw_wl_uniforms(&wl, n, 0.0f, 1.0f);
    float *got = byw_wl_floats(&wl, n), *want = byw_wl_floats(&wl, n);
    cl_mem filled = fill_buckets(&wl, &p);
    pack(&wl, &p, merge_buckets(&wl, &p, filled), got);
    memcpy(want, p.value, n * sizeof(float));
    qsort(want, n, sizeof *want, compare_floats);
    byw_wl_check_f32(&wl, "sorted", got, want, n, 0.0f, 0.0f);
    return byw_wl_end(&wl);
}
