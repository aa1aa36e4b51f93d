/* SPDX-License-Identifier: Apache-2.0
 *
 * Top-k sampling from softmax: a group per sequence reads its row of logits five times.  Four
 * passes find the k-th largest logit, eight bits at a time, by counts in shared memory; the first
 * also finds the maximum, the second the sum of the softmax.  The last pass collects the k
 * candidates, of which a random number chooses one.
 */
#include <math_constants.h>

#define GROUP 1024
#define BINS 256
#define MOST 1024 /* candidates; equal logits may give more than k */

/* The order of floats as unsigned integers. */
static __device__ unsigned order(float value)
{
    unsigned bits = __float_as_uint(value);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

/* Sum or maximum over the group, known to all. */
static __device__ float reduce(float value, bool largest, float *slot)
{
    int t = (int)threadIdx.x;
    for (int step = GROUP / 2; step > 0; step /= 2) {
        slot[t] = value;
        __syncthreads();
        float other = slot[t ^ step];
        __syncthreads();
        value = largest ? max(value, other) : value + other;
    }
    return value;
}

/* The digit of the k-th largest, from the counts of each digit: the largest digit with at least *k
 * logits in its bin and those above.  Subtracts the number of logits above it from *k. */
static __device__ int find_digit(int *bin, int *digit, int *k)
{
    int t = (int)threadIdx.x;
    for (int step = 1; step < BINS; step *= 2) { /* each bin gets the sum of those above */
        int more = t + step < BINS ? bin[t + step] : 0;
        __syncthreads();
        if (t < BINS)
            bin[t] += more;
        __syncthreads();
    }
    if (t < BINS && bin[t] >= *k && (t == BINS - 1 || bin[t + 1] < *k))
        *digit = t;
    __syncthreads();
    int found = *digit;
    *k -= found < BINS - 1 ? bin[found + 1] : 0;
    return found;
}

extern "C" __global__ void sampling(const float4 *logits, const float *chance, int *chosen,
                                    float *share, int *candidates, int quarters, int k,
                                    float temperature)
{
    __shared__ int bin[BINS];
    __shared__ int digit;
    __shared__ float slot[GROUP];
    __shared__ float best[MOST];
    __shared__ int place[MOST];
    __shared__ int count;
    int t = (int)threadIdx.x, row = (int)blockIdx.x, rest = k;
    unsigned prefix = 0;
    float most = -CUDART_INF_F, sum = 0.0f;

    for (int pass = 0; pass < 4; pass++) {
        int shift = 24 - 8 * pass;
        if (t < BINS)
            bin[t] = 0;
        __syncthreads();
        for (int i = t; i < quarters; i += GROUP) {
            float4 v = logits[row * quarters + i];
            float one[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
            for (int j = 0; j < 4; j++) {
                unsigned key = order(one[j]);
                if (pass == 0)
                    most = max(most, one[j]);
                else if (pass == 1)
                    sum += expf((one[j] - most) / temperature);
                if (pass == 0 || key >> (shift + 8) == prefix)
                    atomicAdd(&bin[(key >> shift) & (BINS - 1)], 1);
            }
        }
        __syncthreads();
        prefix = prefix << 8 | (unsigned)find_digit(bin, &digit, &rest);
        if (pass == 0)
            most = reduce(most, true, slot);
        else if (pass == 1)
            sum = reduce(sum, false, slot);
        else
            __syncthreads();
    }
    if (t == 0)
        count = 0;
    __syncthreads();
    for (int i = t; i < quarters; i += GROUP) {
        float4 v = logits[row * quarters + i];
        float one[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int j = 0; j < 4; j++)
            if (order(one[j]) >= prefix) {
                int at = atomicAdd(&count, 1);
                if (at < MOST) {
                    best[at] = one[j];
                    place[at] = i * 4 + j;
                }
            }
    }
    __syncthreads();
    /* Candidates in the order of their tokens, so that the choice does not depend on their order of
     * arrival: each adds up the shares before its own. */
    int found = min(count, MOST);
    if (t == 0)
        candidates[row] = found;
    float mine = 0.0f, before = 0.0f, whole = 0.0f;
    if (t < found) {
        for (int i = 0; i < found; i++) {
            float part = expf((best[i] - most) / temperature) / sum;
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
