/* SPDX-License-Identifier: Apache-2.0
 *
 * Top-k sampling from softmax: a group per sequence reads its row of logits five times.  Four
 * passes find the k-th largest logit, eight bits at a time, by counts in local memory; the first
 * also finds the maximum, the second the sum of the softmax.  The last pass collects the k
 * candidates, of which a random number chooses one.
 */
#define GROUP 1024
#define BINS 256
#define MOST 1024 /* candidates; equal logits may give more than k */

/* The order of floats as unsigned integers. */
static uint order(float value)
{
    uint bits = as_uint(value);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

/* Sum or maximum over the group, known to all. */
static float reduce(float value, bool largest, __local float *slot)
{
    int t = get_local_id(0);
    for (int step = GROUP / 2; step > 0; step /= 2) {
        slot[t] = value;
        barrier(CLK_LOCAL_MEM_FENCE);
        float other = slot[t ^ step];
        barrier(CLK_LOCAL_MEM_FENCE);
        value = largest ? max(value, other) : value + other;
    }
    return value;
}

/* The digit of the k-th largest, from the counts of each digit: the largest digit with at least *k
 * logits in its bin and those above.  Subtracts the number of logits above it from *k. */
static int find_digit(__local int *bin, __local int *digit, int *k)
{
    int t = get_local_id(0);
    for (int step = 1; step < BINS; step *= 2) { /* each bin gets the sum of those above */
        int more = t + step < BINS ? bin[t + step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < BINS)
            bin[t] += more;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t < BINS && bin[t] >= *k && (t == BINS - 1 || bin[t + 1] < *k))
        *digit = t;
    barrier(CLK_LOCAL_MEM_FENCE);
    int found = *digit;
    *k -= found < BINS - 1 ? bin[found + 1] : 0;
    return found;
}

__kernel void sampling(__global const float4 *logits, __global const float *chance,
                       __global int *chosen, __global float *share, __global int *candidates,
                       int quarters, int k, float temperature)
{
    __local int bin[BINS];
    __local int digit;
    __local float slot[GROUP];
    __local float best[MOST];
    __local int place[MOST];
    __local int count;
    int t = get_local_id(0), row = get_group_id(0), rest = k;
    uint prefix = 0;
    float most = -INFINITY, sum = 0.0f;

    for (int pass = 0; pass < 4; pass++) {
        int shift = 24 - 8 * pass;
        if (t < BINS)
            bin[t] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = t; i < quarters; i += GROUP) {
            float4 v = logits[row * quarters + i];
            float one[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
            for (int j = 0; j < 4; j++) {
                uint key = order(one[j]);
                if (pass == 0)
                    most = max(most, one[j]);
                else if (pass == 1)
                    sum += exp((one[j] - most) / temperature);
                if (pass == 0 || key >> (shift + 8) == prefix)
                    atomic_inc(&bin[(key >> shift) & (BINS - 1)]);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        prefix = prefix << 8 | (uint)find_digit(bin, &digit, &rest);
        if (pass == 0)
            most = reduce(most, true, slot);
        else if (pass == 1)
            sum = reduce(sum, false, slot);
        else
            barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = t; i < quarters; i += GROUP) {
        float4 v = logits[row * quarters + i];
        float one[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int j = 0; j < 4; j++)
            if (order(one[j]) >= prefix) {
                int at = atomic_inc(&count);
                if (at < MOST) {
                    best[at] = one[j];
                    place[at] = i * 4 + j;
                }
            }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    /* Candidates in the order of their tokens, so that the choice does not depend on their order of
     * arrival: each adds up the shares before its own. */
    int found = min(count, MOST);
    if (t == 0)
        candidates[row] = found;
    float mine = 0.0f, before = 0.0f, whole = 0.0f;
    if (t < found) {
        for (int i = 0; i < found; i++) {
            float part = exp((best[i] - most) / temperature) / sum;
            whole += part;
            if (place[i] < place[t])
                before += part;
            else if (i == t)
                mine = part;
        }
        float at = chance[row] * whole;
        if (before <= at && at < before + mine) {
            chosen[row] = place[t];
            share[row] = mine;
        }
    }
}
