/* SPDX-License-Identifier: Apache-2.0
 *
 * Hybrid sort of floats: distribution into buckets between pivots, then a merge sort of all
 * buckets at once on vectors of four.
 *
 * Buckets are padded to whole vectors with infinities, which stay at the end when sorted.
 */
#define ITEMS 32 /* work-items of a group that counts or distributes */

/* Number of the bucket of a value: how many pivots are not above it, by binary search. */
static int bucket_of(float value, __global const float *pivot, int buckets)
{
    int low = 0, high = buckets - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (value < pivot[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Each value's bucket and its place among the values of its group in that bucket, packed as
 * place * buckets + bucket, and each group's counts.  All groups together step through the list. */
__kernel void hybridsort_count(__global const float *list, __global int *place,
                               __global const float *pivot, __global int *group_count, int n,
                               int buckets, __local int *count)
{
    int t = get_local_id(0), g = get_group_id(0);
    for (int b = t; b < buckets; b += ITEMS)
        count[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        int bucket = bucket_of(list[i], pivot, buckets);
        place[i] = atomic_inc(&count[bucket]) * buckets + bucket;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int b = t; b < buckets; b += ITEMS)
        group_count[g * buckets + b] = count[b];
}

/* One work-item per bucket: counts become starts within the bucket, group after group. */
__kernel void hybridsort_prefix(__global int *group_count, __global int *bucket_size, int groups,
                                int buckets)
{
    int b = get_global_id(0);
    if (b >= buckets)
        return;
    int sum = 0;
    for (int g = 0; g < groups; g++) {
        int count = group_count[g * buckets + b];
        group_count[g * buckets + b] = sum;
        sum += count;
    }
    bucket_size[b] = sum;
}

/* Scatters the values to their buckets. */
__kernel void hybridsort_distribute(__global const float *list, __global const int *place,
                                    __global const int *group_start,
                                    __global const int *bucket_start, __global float *out, int n,
                                    int buckets, __local int *start)
{
    int t = get_local_id(0), g = get_group_id(0);
    for (int b = t; b < buckets; b += ITEMS)
        start[b] = bucket_start[b] + group_start[g * buckets + b];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        int packed = place[i];
        out[start[packed % buckets] + packed / buckets] = list[i];
    }
}

static float4 sort4(float4 v)
{
    float4 a = (float4)(min(v.x, v.y), max(v.x, v.y), min(v.z, v.w), max(v.z, v.w));
    float low = min(a.x, a.z), high = max(a.y, a.w);
    float one = max(a.x, a.z), two = min(a.y, a.w);
    return (float4)(low, min(one, two), max(one, two), high);
}

/* Four ascending values from a bitonic sequence (rising then falling) of four. */
static float4 sort_bitonic(float4 v)
{
    float4 a = (float4)(min(v.x, v.z), min(v.y, v.w), max(v.x, v.z), max(v.y, v.w));
    return (float4)(min(a.x, a.y), max(a.x, a.y), min(a.z, a.w), max(a.z, a.w));
}

/* The lower four of two ascending vectors; the upper four, ascending, replace *b. */
static float4 split(float4 a, float4 *b)
{
    float4 low = min(a, b->wzyx), high = max(a, b->wzyx);
    *b = sort_bitonic(high);
    return sort_bitonic(low);
}

/* Sorts within each vector. */
__kernel void hybridsort_vectors(__global const float4 *in, __global float4 *out, int vectors)
{
    int i = get_global_id(0);
    if (i < vectors)
        out[i] = sort4(in[i]);
}

/* One work-item merges two neighbouring runs of `run` vectors of one bucket.  Work-items are
 * dealt to buckets `lanes` at a time, as many as the largest bucket needs. */
__kernel void hybridsort_merge(__global const float4 *in, __global float4 *out,
                               __global const int *vector_start, int run, int lanes, int buckets)
{
    int bucket = (int)get_global_id(0) / lanes, pair = (int)get_global_id(0) % lanes;
    if (bucket >= buckets)
        return;
    int end = vector_start[bucket + 1], a = vector_start[bucket] + pair * 2 * run;
    if (a >= end)
        return;
    int b = min(a + run, end), end_a = b, end_b = min(b + run, end), to = a;
    float4 carry = in[a++];
    if (b == end_b) { /* the last run of a bucket has no partner */
        out[to++] = carry;
        while (a < end_a)
            out[to++] = in[a++];
        return;
    }
    out[to++] = split(in[b++], &carry);
    float4 next_a = a < end_a ? in[a] : 0.0f, next_b = b < end_b ? in[b] : 0.0f;
    while (a < end_a || b < end_b) {
        bool from_a = b >= end_b || (a < end_a && next_a.x < next_b.x);
        out[to++] = split(from_a ? next_a : next_b, &carry);
        if (from_a && ++a < end_a)
            next_a = in[a];
        if (!from_a && ++b < end_b)
            next_b = in[b];
    }
    out[to] = carry;
}

/* Closes the gaps between buckets: groups of one bucket each. */
__kernel void hybridsort_pack(__global const float *in, __global float *out,
                              __global const int *padded_start, __global const int *start)
{
    int bucket = get_group_id(0), from = padded_start[bucket];
    int size = start[bucket + 1] - start[bucket];
    for (int i = get_local_id(0); i < size; i += get_local_size(0))
        out[start[bucket] + i] = in[from + i];
}
