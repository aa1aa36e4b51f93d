/* SPDX-License-Identifier: Apache-2.0
 *
 * A mixture of experts: tokens are routed to the experts with the largest gates, sorted by expert,
 * and multiplied by their expert's first matrix.  Numbers are bfloat16.
 */
#define ROUTERS 256 /* threads of a group that routes; a multiple of the experts */
#define GROUP 128
#define WARPS (GROUP / 32)
#define TOKENS 4 /* that share a pass over an expert's weights */

static __device__ float low(unsigned pair)
{
    return __uint_as_float(pair << 16);
}

static __device__ float high(unsigned pair)
{
    return __uint_as_float(pair & 0xffff0000u);
}

static __device__ float dot8(uint4 a, uint4 b)
{
    return low(a.x) * low(b.x) + high(a.x) * high(b.x) + low(a.y) * low(b.y) +
           high(a.y) * high(b.y) + low(a.z) * low(b.z) + high(a.z) * high(b.z) +
           low(a.w) * low(b.w) + high(a.w) * high(b.w);
}

/* A group per token; the threads of an expert share the dimensions.  gate: [dimension][expert].
 * Writes the token's experts and their shares, largest first, and counts the tokens of each expert.
 */
extern "C" __global__ void moe_route(const unsigned short *x, const unsigned short *gate,
                                     int *expert, float *share, int *count, int hidden, int experts,
                                     int top)
{
    __shared__ float part[ROUTERS];
    __shared__ float logit[ROUTERS];
    int t = (int)threadIdx.x, token = (int)blockIdx.x;
    int e = t % experts, parts = ROUTERS / experts, rank = 0;
    float sum = 0.0f, whole = 0.0f;
    for (int i = t / experts; i < hidden; i += parts)
        sum += low(x[token * hidden + i]) * low(gate[i * experts + e]);
    part[t] = sum;
    __syncthreads();
    sum = 0.0f;
    for (int i = 0; i < parts; i++)
        sum += part[i * experts + e];
    logit[t] = sum;
    __syncthreads();
    for (int i = 0; i < experts; i++)
        rank += logit[i] > sum || (logit[i] == sum && i < e) ? 1 : 0;
    bool taken = t < experts && rank < top;
    part[t] = taken ? expf(sum) : 0.0f;
    __syncthreads();
    for (int i = 0; i < experts; i++)
        whole += part[i];
    if (taken) {
        expert[token * top + rank] = e;
        share[token * top + rank] = part[t] / whole;
        atomicAdd(&count[e], 1);
    }
}

/* One group: each expert's first place in the list. */
extern "C" __global__ void moe_offsets(const int *count, int *first, int *next, int experts)
{
    int e = (int)threadIdx.x, before = 0;
    if (e > experts)
        return;
    for (int i = 0; i < e; i++)
        before += count[i];
    first[e] = before;
    if (e < experts)
        next[e] = before;
}

/* The list of pairs of token and rank, sorted by expert. */
extern "C" __global__ void moe_sort(const int *expert, int *next, int *list, int pairs)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < pairs)
        list[atomicAdd(&next[expert[i]], 1)] = i;
}

/* A warp per row of an expert's matrix, [expert][row][dimension]; four tokens share a pass. */
extern "C" __global__ void moe_product(const uint4 *x, const uint4 *weights, const int *first,
                                       const int *list, const float *share, float *out, int pieces,
                                       int inner, int top)
{
    __shared__ float slot[TOKENS][GROUP];
    int t = (int)threadIdx.x, lane = t % 32, e = (int)blockIdx.y;
    int row = (int)blockIdx.x * WARPS + t / 32, end = first[e + 1];
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
            __syncthreads();
            for (int j = 0; j < TOKENS; j++)
                sum[j] += slot[j][t ^ step];
            __syncthreads();
        }
        for (int j = 0; j < TOKENS; j++)
            if (lane == j && p + j < end)
                out[pair[j] * inner + row] = sum[j] * share[pair[j]];
    }
}
