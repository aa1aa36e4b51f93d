/* SPDX-License-Identifier: Apache-2.0
 *
 * Attention of one new token over a paged key-value cache: a group of four warps per query head
 * and sequence.  Query heads that share a key-value head read the same pages.
 *
 * Keys: [page][kv head][16-byte piece of the head][token of the page], so that a warp reads 512
 * bytes in a row.  Values: [page][kv head][dimension][token of the page].  Numbers are bfloat16.
 */
#include <math_constants.h>

#define DIM 128 /* of a head */
#define PAGE 16 /* tokens */
#define PIECES (DIM / 8) /* of 16 bytes */
#define GROUP 128
#define WARPS (GROUP / 32)
#define ROUNDS (DIM / 16) /* a warp handles 16 dimensions of a page's values at once */

static __device__ float low(unsigned pair)
{
    return __uint_as_float(pair << 16);
}

static __device__ float high(unsigned pair)
{
    return __uint_as_float(pair & 0xffff0000u);
}

static __device__ unsigned rounded(float value) /* bfloat16, to nearest even */
{
    unsigned bits = __float_as_uint(value);
    return (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
}

static __device__ float dot8(uint4 piece, const float *with)
{
    return low(piece.x) * with[0] + high(piece.x) * with[1] + low(piece.y) * with[2] +
           high(piece.y) * with[3] + low(piece.z) * with[4] + high(piece.z) * with[5] +
           low(piece.w) * with[6] + high(piece.w) * with[7];
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

extern "C" __global__ void attn_decode(const unsigned short *query, const uint4 *keys,
                                       const uint4 *values, const int *table, unsigned short *out,
                                       int context, int kv_heads, float scale,
                                       unsigned long long in_dynamic)
{
    extern __shared__ float score[];
    __shared__ float q[DIM];
    __shared__ float slot[GROUP];
    __shared__ float sum[WARPS][DIM][2];
    int heads = (int)gridDim.x, head = (int)blockIdx.x, sequence = (int)blockIdx.y;
    int t = (int)threadIdx.x, warp = t / 32, lane = t % 32;
    int kv = head / (heads / kv_heads), pages = context / PAGE;
    float acc[ROUNDS];

    q[t] = low(query[(sequence * heads + head) * DIM + t]) * scale;
    __syncthreads();
    /* Two lanes share a token; each has every second piece. */
    for (int p = warp; p < pages; p += WARPS) {
        int first = (table[sequence * pages + p] * kv_heads + kv) * PIECES * PAGE;
        float dot = 0.0f;
        for (int i = 0; i < PIECES; i += 2) {
            int piece = i + lane / PAGE;
            dot += dot8(keys[first + piece * PAGE + lane % PAGE], q + piece * 8);
        }
        score[(lane / PAGE) * context + p * PAGE + lane % PAGE] = dot;
    }
    __syncthreads();
    float most = -CUDART_INF_F, total = 0.0f;
    for (int i = t; i < context; i += GROUP) {
        score[i] += score[context + i];
        most = max(most, score[i]);
    }
    most = reduce(most, true, slot);
    for (int i = t; i < context; i += GROUP) {
        score[i] = expf(score[i] - most);
        total += score[i];
    }
    total = reduce(total, false, slot);

#pragma unroll
    for (int i = 0; i < ROUNDS; i++)
        acc[i] = 0.0f;
    /* Two lanes share a dimension; each has eight tokens of the page. */
    for (int p = warp; p < pages; p += WARPS) {
        int first = (table[sequence * pages + p] * kv_heads + kv) * DIM * 2;
#pragma unroll
        for (int i = 0; i < ROUNDS; i++)
            acc[i] += dot8(values[first + i * 32 + lane], score + p * PAGE + (lane % 2) * 8);
    }
#pragma unroll
    for (int i = 0; i < ROUNDS; i++)
        sum[warp][i * 16 + lane / 2][lane % 2] = acc[i];
    __syncthreads();
    float value = 0.0f;
    for (int w = 0; w < WARPS; w++)
        value += sum[w][t][0] + sum[w][t][1];
    out[(sequence * heads + head) * DIM + t] = rounded(value / total);
}
