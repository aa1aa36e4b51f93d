/* SPDX-License-Identifier: Apache-2.0
 *
 * A mixture of experts: tokens are routed to the experts with the largest gates, sorted by expert,
 * and multiplied by their expert's first matrix.  Numbers are bfloat16.
 */
#define ROUTERS 256 /* work-items of a group that routes; a multiple of the experts */
#define GROUP 128
#define WARPS (GROUP / 32)
#define TOKENS 4 /* that share a pass over an expert's weights */

static float low(uint pair)
{
    return as_float(pair << 16);
}

static float high(uint pair)
{
    return as_float(pair & 0xffff0000u);
}

static float dot8(uint4 a, uint4 b)
{
    return low(a.x) * low(b.x) + high(a.x) * high(b.x) + low(a.y) * low(b.y) +
           high(a.y) * high(b.y) + low(a.z) * low(b.z) + high(a.z) * high(b.z) +
           low(a.w) * low(b.w) + high(a.w) * high(b.w);
}

/* A group per token; the work-items of an expert share the dimensions.  gate: [dimension][expert].
 * Writes the token's experts and their shares, largest first; counts the tokens of each expert. */
__kernel void moe_route(__global const ushort *x, __global const ushort *gate,
                        __global int *expert, __global float *share, __global int *count,
                        int hidden, int experts, int top)
{
    __local float part[ROUTERS];
    __local float logit[ROUTERS];
    int t = get_local_id(0), token = get_group_id(0);
    int e = t % experts, parts = ROUTERS / experts, rank = 0;
    float sum = 0.0f, whole = 0.0f;
    for (int i = t / experts; i < hidden; i += parts)
        sum += low(x[token * hidden + i]) * low(gate[i * experts + e]);
    part[t] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = 0.0f;
    for (int i = 0; i < parts; i++)
        sum += part[i * experts + e];
    logit[t] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < experts; i++)
        rank += logit[i] > sum || (logit[i] == sum && i < e) ? 1 : 0;
    bool taken = t < experts && rank < top;
    part[t] = taken ? exp(sum) : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < experts; i++)
        whole += part[i];
    if (taken) {
        expert[token * top + rank] = e;
        share[token * top + rank] = part[t] / whole;
        atomic_inc(&count[e]);
    }
}

/* One group: each expert's first place in the list. */
__kernel void moe_offsets(__global const int *count, __global int *first, __global int *next,
                          int experts)
{
    int e = get_local_id(0), before = 0;
    if (e > experts)
        return;
    for (int i = 0; i < e; i++)
        before += count[i];
    first[e] = before;
    if (e < experts)
        next[e] = before;
}

/* The list of pairs of token and rank, sorted by expert. */
__kernel void moe_sort(__global const int *expert, __global int *next, __global int *list,
                       int pairs)
{
    int i = get_global_id(0);
    if (i < pairs)
        list[atomic_inc(&next[expert[i]])] = i;
}

/* A warp per row of an expert's matrix, [expert][row][dimension]; four tokens share a pass. */
__kernel void moe_product(__global const uint4 *x, __global const uint4 *weights,
                          __global const int *first, __global const int *list,
                          __global const float *share, __global float *out, int pieces, int inner,
                          int top)
{
    __local float slot[TOKENS][GROUP];
    int t = get_local_id(0), lane = t % 32, e = get_group_id(1);
    int row = get_group_id(0) * WARPS + t / 32, end = first[e + 1];
    for (int p = first[e]; p < end; p += TOKENS) {
        int pair[TOKENS];
        float sum[TOKENS];
        for (int j = 0; j < TOKENS; j++) {
            pair[j] = list[min(p + j, end - 1)];
            sum[j] = 0.0f;
        }
        for (int i = lane; i < pieces; i += 32) {
            uint4 w = weights[(e * inner + row) * pieces + i];
            for (int j = 0; j < TOKENS; j++)
                sum[j] += dot8(w, x[pair[j] / top * pieces + i]);
        }
        for (int step = 16; step > 0; step /= 2) {
            for (int j = 0; j < TOKENS; j++)
                slot[j][t] = sum[j];
            barrier(CLK_LOCAL_MEM_FENCE);
            for (int j = 0; j < TOKENS; j++)
                sum[j] += slot[j][t ^ step];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        for (int j = 0; j < TOKENS; j++)
            if (lane == j && p + j < end)
                out[pair[j] * inner + row] = sum[j] * share[pair[j]];
    }
}
