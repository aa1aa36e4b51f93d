/* SPDX-License-Identifier: Apache-2.0
 *
 * Causal attention of a whole prompt by tiles: a group has 32 queries of a head and walks the keys
 * and values before them, 32 at a time, through local memory.  The maximum and the sum of each row
 * are corrected from tile to tile, so no matrix of scores is stored.  Numbers are bfloat16.
 */
#define DIM 128 /* of a head */
#define TILE 32 /* queries, and keys */
#define PAIRS (DIM / 2)
#define PITCH (PAIRS + 1) /* words: rows start in different banks */
#define GROUP 128
#define PARTS (GROUP / TILE) /* work-items that share a query */
#define OWN (DIM / PARTS) /* dimensions of the result that a work-item has */

static float low(uint pair)
{
    return as_float(pair << 16);
}

static float high(uint pair)
{
    return as_float(pair & 0xffff0000u);
}

static uint rounded(float value) /* bfloat16, to nearest even */
{
    uint bits = as_uint(value);
    return (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
}

/* Copies 32 rows of a head into a tile: 16 lanes have the 256 bytes of a row. */
static void copy_in(__local uint *tile, __global const uint4 *from, int pitch)
{
    for (int i = get_local_id(0); i < TILE * DIM / 8; i += GROUP) {
        int row = i / (DIM / 8), piece = i % (DIM / 8);
        uint4 four = from[row * pitch + piece];
        tile[row * PITCH + piece * 4] = four.x;
        tile[row * PITCH + piece * 4 + 1] = four.y;
        tile[row * PITCH + piece * 4 + 2] = four.z;
        tile[row * PITCH + piece * 4 + 3] = four.w;
    }
}

__kernel void attn_prefill(__global const uint4 *query, __global const uint4 *key,
                           __global const uint4 *value, __global uint *out, int shared,
                           float scale)
{
    __local uint q[TILE * PITCH];
    __local uint k[TILE * PITCH];
    __local uint v[TILE * PITCH];
    __local float weight[TILE * (TILE + 1)];
    int heads = get_num_groups(0), head = get_group_id(0), tile = get_group_id(1);
    int t = get_local_id(0), row = t / PARTS, part = t % PARTS;
    int kv_heads = heads / shared, kv = head / shared;
    float most = -INFINITY, sum = 0.0f, acc[OWN];

#pragma unroll
    for (int d = 0; d < OWN; d++)
        acc[d] = 0.0f;
    copy_in(q, query + (tile * TILE * heads + head) * (DIM / 8), heads * (DIM / 8));
    for (int j = 0; j <= tile; j++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        copy_in(k, key + (j * TILE * kv_heads + kv) * (DIM / 8), kv_heads * (DIM / 8));
        copy_in(v, value + (j * TILE * kv_heads + kv) * (DIM / 8), kv_heads * (DIM / 8));
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int c = part; c < TILE; c += PARTS) {
            float dot = 0.0f;
            for (int i = 0; i < PAIRS; i++) {
                uint a = q[row * PITCH + i], b = k[c * PITCH + i];
                dot += low(a) * low(b) + high(a) * high(b);
            }
            weight[row * (TILE + 1) + c] = j == tile && c > row ? -INFINITY : dot * scale;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        float before = most;
        for (int c = 0; c < TILE; c++)
            most = max(most, weight[row * (TILE + 1) + c]);
        float keep = exp(before - most);
        sum *= keep;
#pragma unroll
        for (int d = 0; d < OWN; d++)
            acc[d] *= keep;
        for (int c = 0; c < TILE; c++) {
            float w = exp(weight[row * (TILE + 1) + c] - most);
            sum += w;
#pragma unroll
            for (int i = 0; i < OWN / 2; i++) {
                uint pair = v[c * PITCH + i * PARTS + part];
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
