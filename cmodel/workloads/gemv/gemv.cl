/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of a matrix of 4-bit or 8-bit weights with a vector: a warp per row, eight rows per
 * group.  The weights are read once; every row reads the whole vector.  Weights are unsigned around
 * a fixed middle; scales, vector and result are bfloat16.
 */
#define GROUP 256
#define SPAN 128 /* weights of 4 bits that share a scale */

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

/* Adds up the values of a warp and stores the sum. */
static void store_row(float value, __local float *slot, __global ushort *y, int row)
{
    int t = get_local_id(0);
    for (int step = 16; step > 0; step /= 2) {
        slot[t] = value;
        barrier(CLK_LOCAL_MEM_FENCE);
        value += slot[t ^ step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t % 32 == 0)
        y[row] = rounded(value);
}

static float weight4(uint word, int i)
{
    return (float)((int)((word >> (4 * i)) & 15u) - 8);
}

static float weight8(uint word, int i)
{
    return (float)((int)((word >> (8 * i)) & 255u) - 128);
}

/* A lane has eight consecutive weights: 4 bytes of the matrix, 16 of the vector. */
__kernel void gemv4(__global const uint *weights, __global const ushort *scales,
                    __global const uint4 *x, __global ushort *y, int columns)
{
    __local float slot[GROUP];
    int lane = get_local_id(0) % 32, row = get_global_id(0) / 32, words = columns / 8;
    float sum = 0.0f;
    for (int i = lane; i < words; i += 32) {
        uint w = weights[row * words + i];
        uint4 v = x[i];
        float scale = low(scales[row * (columns / SPAN) + i * 8 / SPAN]);
        float dot = weight4(w, 0) * low(v.x) + weight4(w, 1) * high(v.x) +
                    weight4(w, 2) * low(v.y) + weight4(w, 3) * high(v.y) +
                    weight4(w, 4) * low(v.z) + weight4(w, 5) * high(v.z) +
                    weight4(w, 6) * low(v.w) + weight4(w, 7) * high(v.w);
        sum += scale * dot;
    }
    store_row(sum, slot, y, row);
}

/* As gemv4, with 8 bytes of the matrix and one scale per row. */
__kernel void gemv8(__global const uint2 *weights, __global const ushort *scales,
                    __global const uint4 *x, __global ushort *y, int columns)
{
    __local float slot[GROUP];
    int lane = get_local_id(0) % 32, row = get_global_id(0) / 32, words = columns / 8;
    float sum = 0.0f;
    for (int i = lane; i < words; i += 32) {
        uint2 w = weights[row * words + i];
        uint4 v = x[i];
        sum += weight8(w.x, 0) * low(v.x) + weight8(w.x, 1) * high(v.x) +
               weight8(w.x, 2) * low(v.y) + weight8(w.x, 3) * high(v.y) +
               weight8(w.y, 0) * low(v.z) + weight8(w.y, 1) * high(v.z) +
               weight8(w.y, 2) * low(v.w) + weight8(w.y, 3) * high(v.w);
    }
    store_row(sum * low(scales[row]), slot, y, row);
}
