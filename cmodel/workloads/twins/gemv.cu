/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of a matrix of 4-bit or 8-bit weights with a vector: a warp per row, eight rows per
 * group.  The weights are read once; every row reads the whole vector.  Weights are unsigned around
 * a fixed middle; scales, vector and result are bfloat16.
 */
#define GROUP 256
#define SPAN 128 /* weights of 4 bits that share a scale */

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

/* Adds up the values of a warp and stores the sum. */
static __device__ void store_row(float value, float *slot, unsigned short *y, int row)
{
    int t = (int)threadIdx.x;
    for (int step = 16; step > 0; step /= 2) {
        slot[t] = value;
        __syncthreads();
        value += slot[t ^ step];
        __syncthreads();
    }
    if (t % 32 == 0)
        y[row] = rounded(value);
}

static __device__ float weight4(unsigned word, int i)
{
    return (float)((int)((word >> (4 * i)) & 15u) - 8);
}

static __device__ float weight8(unsigned word, int i)
{
    return (float)((int)((word >> (8 * i)) & 255u) - 128);
}

/* A lane has eight consecutive weights: 4 bytes of the matrix, 16 of the vector. */
extern "C" __global__ void gemv4(const unsigned *weights, const unsigned short *scales,
                                 const uint4 *x, unsigned short *y, int columns)
{
    __shared__ float slot[GROUP];
    int lane = (int)threadIdx.x % 32, row = (int)(blockIdx.x * blockDim.x + threadIdx.x) / 32,
        words = columns / 8;
    float sum = 0.0f;
    for (int i = lane; i < words; i += 32) {
        unsigned w = weights[row * words + i];
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
extern "C" __global__ void gemv8(const uint2 *weights, const unsigned short *scales, const uint4 *x,
                                 unsigned short *y, int columns)
{
    __shared__ float slot[GROUP];
    int lane = (int)threadIdx.x % 32, row = (int)(blockIdx.x * blockDim.x + threadIdx.x) / 32,
        words = columns / 8;
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
