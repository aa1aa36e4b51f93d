/* SPDX-License-Identifier: Apache-2.0
 *
 * Stable merge sort of keys with values: parts of 1024 in local memory, then passes that merge
 * two sorted runs of `run` keys each.  A pass takes every 128th key of both runs as a sample,
 * finds the sample's rank in the other run by binary search in global memory, sorts these cuts,
 * and lets one group merge each interval between two cuts, at most 128 keys from either run.
 *
 * Equal keys: those of the first run come first, so ranks of the first run's keys count smaller
 * keys only, ranks of the second run's keys count equal ones too.
 */
#define PART 1024
#define SAMPLE 128

#define RANK_FUNCTION(name, space, type)                                                           \
    static int name(type key, space const type *list, int length, bool equal_too)                  \
    {                                                                                              \
        int low = 0, high = length;                                                                \
        while (low < high) {                                                                       \
            int middle = (low + high) / 2;                                                         \
            type other = list[middle];                                                             \
            if (other < key || (equal_too && other == key))                                        \
                low = middle + 1;                                                                  \
            else                                                                                   \
                high = middle;                                                                     \
        }                                                                                          \
        return low;                                                                                \
    }
RANK_FUNCTION(rank_local, __local, uint)
RANK_FUNCTION(rank_key, __global, uint)
RANK_FUNCTION(rank_cut, __global, int)

/* Groups of 512, two keys per work-item. */
__kernel void mergesort_part(__global const uint *key_in, __global const uint *value_in,
                             __global uint *key_out, __global uint *value_out)
{
    __local uint key[PART], value[PART];
    int t = get_local_id(0), at = (int)get_group_id(0) * PART + t;
    key[t] = key_in[at];
    value[t] = value_in[at];
    key[t + PART / 2] = key_in[at + PART / 2];
    value[t + PART / 2] = value_in[at + PART / 2];
    for (int run = 1; run < PART; run *= 2) {
        int place = t & (run - 1), base = 2 * (t - place);
        barrier(CLK_LOCAL_MEM_FENCE);
        uint key_a = key[base + place], value_a = value[base + place];
        uint key_b = key[base + run + place], value_b = value[base + run + place];
        int a = base + place + rank_local(key_a, key + base + run, run, false);
        int b = base + place + rank_local(key_b, key + base, run, true);
        barrier(CLK_LOCAL_MEM_FENCE);
        key[a] = key_a;
        value[a] = value_a;
        key[b] = key_b;
        value[b] = value_b;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    key_out[at] = key[t];
    value_out[at] = value[t];
    key_out[at + PART / 2] = key[t + PART / 2];
    value_out[at + PART / 2] = value[t + PART / 2];
}

/* One work-item per pair of samples: where the samples of either run cut both runs. */
__kernel void mergesort_sample_ranks(__global const uint *key, __global int *rank_a,
                                     __global int *rank_b, int run, int pairs)
{
    int t = get_global_id(0);
    if (t >= pairs)
        return;
    int samples = run / SAMPLE, i = t & (samples - 1), cut = 2 * (t - i);
    key += cut * SAMPLE;
    rank_a[cut + i] = i * SAMPLE;
    rank_b[cut + i] = rank_key(key[i * SAMPLE], key + run, run, false);
    rank_b[cut + samples + i] = i * SAMPLE;
    rank_a[cut + samples + i] = rank_key(key[run + i * SAMPLE], key, run, true);
}

/* Merges the cuts that come from the first run's samples with those from the second's. */
__kernel void mergesort_sort_cuts(__global const int *rank, __global int *limit, int run,
                                  int pairs)
{
    int t = get_global_id(0);
    if (t >= pairs)
        return;
    int samples = run / SAMPLE, i = t & (samples - 1), cut = 2 * (t - i);
    rank += cut;
    limit += cut;
    int first = rank[i], second = rank[samples + i];
    limit[i + rank_cut(first, rank + samples, samples, false)] = first;
    limit[i + rank_cut(second, rank, samples, true)] = second;
}

/* Groups of 128, one per interval between neighbouring cuts. */
__kernel void mergesort_merge(__global const uint *key_in, __global const uint *value_in,
                              __global uint *key_out, __global uint *value_out,
                              __global const int *limit_a, __global const int *limit_b, int run)
{
    __local uint key_a[SAMPLE], key_b[SAMPLE], key[2 * SAMPLE], value[2 * SAMPLE];
    int t = get_local_id(0), g = get_group_id(0);
    int cuts = 2 * run / SAMPLE, i = g & (cuts - 1), base = (g - i) * SAMPLE;
    int from_a = limit_a[g], from_b = limit_b[g];
    int length_a = (i + 1 < cuts ? limit_a[g + 1] : run) - from_a;
    int length_b = (i + 1 < cuts ? limit_b[g + 1] : run) - from_b;
    int at_a = base + from_a + t, at_b = base + run + from_b + t;
    uint value_a = 0, value_b = 0;
    if (t < length_a) {
        key_a[t] = key_in[at_a];
        value_a = value_in[at_a];
    }
    if (t < length_b) {
        key_b[t] = key_in[at_b];
        value_b = value_in[at_b];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < length_a) {
        int to = t + rank_local(key_a[t], key_b, length_b, false);
        key[to] = key_a[t];
        value[to] = value_a;
    }
    if (t < length_b) {
        int to = t + rank_local(key_b[t], key_a, length_a, true);
        key[to] = key_b[t];
        value[to] = value_b;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = t; k < length_a + length_b; k += SAMPLE) {
        key_out[base + from_a + from_b + k] = key[k];
        value_out[base + from_a + from_b + k] = value[k];
    }
}
