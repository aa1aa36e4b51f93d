/* SPDX-License-Identifier: Apache-2.0
 *
 * Causal attention of a whole prompt by tiles: a group has 32 queries of a head and walks the keys
 * and values before them, 32 at a time, through shared memory.  The maximum and the sum of each row
 * are corrected from tile to tile, so no matrix of scores is stored.  Numbers are bfloat16.
 */
#include <math_constants.h>

#define DIM 128 /* of a head */
#define TILE 32 /* queries, and keys */
#define PAIRS (DIM / 2)
#define PITCH (PAIRS + 1) /* words: rows start in different banks */
#define GROUP 128
#define PARTS (GROUP / TILE) /* threads that share a query */
#define OWN (DIM / PARTS) /* dimensions of the result that a thread has */

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

/* Copies 32 rows of a head into a tile: 16 lanes have the 256 bytes of a row. */
static __device__ void copy_in(unsigned *tile, const uint4 *from, int pitch)
{
    for (int i = (int)threadIdx.x; i < TILE * DIM / 8; i += GROUP) {
        int row = i / (DIM / 8), piece = i % (DIM / 8);
        uint4 four = from[row * pitch + piece];
        tile[row * PITCH + piece * 4] = four.x;
        tile[row * PITCH + piece * 4 + 1] = four.y;
        tile[row * PITCH + piece * 4 + 2] = four.z;
        tile[row * PITCH + piece * 4 + 3] = four.w;
    }
}

extern "C" __global__ void attn_prefill(const uint4 *query, const uint4 *key, const uint4 *value,
                                        unsigned *out, int shared, float scale)
{
    __shared__ unsigned q[TILE * PITCH];
    __shared__ unsigned k[TILE * PITCH];
    __shared__ unsigned v[TILE * PITCH];
    __shared__ float weight[TILE * (TILE + 1)];
    int heads = (int)gridDim.x, head = (int)blockIdx.x, tile = (int)blockIdx.y;
    int t = (int)threadIdx.x, row = t / PARTS, part = t % PARTS;
    int kv_heads = heads / shared, kv = head / shared;
    float most = -CUDART_INF_F, sum = 0.0f, acc[OWN];

#pragma unroll
    for (int d = 0; d < OWN; d++)
        acc[d] = 0.0f;
    copy_in(q, query + (tile * TILE * heads + head) * (DIM / 8), heads * (DIM / 8));
    for (int j = 0; j <= tile; j++) {
        __syncthreads();
        copy_in(k, key + (j * TILE * kv_heads + kv) * (DIM / 8), kv_heads * (DIM / 8));
        copy_in(v, value + (j * TILE * kv_heads + kv) * (DIM / 8), kv_heads * (DIM / 8));
        __syncthreads();
        for (int c = part; c < TILE; c += PARTS) {
            float dot = 0.0f;
            for (int i = 0; i < PAIRS; i++) {
                unsigned a = q[row * PITCH + i], b = k[c * PITCH + i];
                dot += low(a) * low(b) + high(a) * high(b);
            }
            weight[row * (TILE + 1) + c] = j == tile && c > row ? -CUDART_INF_F : dot * scale;
        }
        __syncthreads();
        float before = most;
        for (int c = 0; c < TILE; c++)
            most = max(most, weight[row * (TILE + 1) + c]);
        float keep = expf(before - most);
        sum *= keep;
#pragma unroll
        for (int d = 0; d < OWN; d++)
            acc[d] *= keep;
        for (int c = 0; c < TILE; c++) {
            float w = expf(weight[row * (TILE + 1) + c] - most);
            sum += w;
#pragma unroll
            for (int i = 0; i < OWN / 2; i++) {
                unsigned pair = v[c * PITCH + i * PARTS + part];
                acc[2 * i] += w * low(pair);
                acc[2 * i + 1] += w * high(pair);
            }
        }
    }
#pragma unroll
    for (int i = 0; i < OWN / 2; i++)
        out[((tile * TILE + row) * heads + head) * PAIRS + i * PARTS + part] =
            rounded(acc[2 * i] / sum) | rounded(acc[2 * i + 1] / sum) << 16;
}
