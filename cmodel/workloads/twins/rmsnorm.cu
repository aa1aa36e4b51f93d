/* SPDX-License-Identifier: Apache-2.0
 *
 * Root-mean-square normalisation: a group per token reads its row twice, for the mean square and
 * for the result; all groups read the same weights.  Numbers are bfloat16.
 */
#define GROUP 256

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

static __device__ float square(unsigned pair)
{
    return low(pair) * low(pair) + high(pair) * high(pair);
}

static __device__ unsigned scaled(unsigned pair, unsigned weight, float by)
{
    return rounded(low(pair) * by * low(weight)) | rounded(high(pair) * by * high(weight)) << 16;
}

extern "C" __global__ void rmsnorm(const uint4 *x, const uint4 *weights, uint4 *y, int pieces,
                                   float epsilon)
{
    __shared__ float slot[GROUP];
    int t = (int)threadIdx.x, first = (int)blockIdx.x * pieces;
    float sum = 0.0f;
    for (int i = t; i < pieces; i += GROUP) {
        uint4 v = x[first + i];
        sum += square(v.x) + square(v.y) + square(v.z) + square(v.w);
    }
    for (int step = GROUP / 2; step > 0; step /= 2) {
        slot[t] = sum;
        __syncthreads();
        sum += slot[t ^ step];
        __syncthreads();
    }
    float by = 1.0f / sqrtf(sum / (float)(pieces * 8) + epsilon);
    for (int i = t; i < pieces; i += GROUP) {
        uint4 v = x[first + i], w = weights[i];
        v.x = scaled(v.x, w.x, by);
        v.y = scaled(v.y, w.y, by);
        v.z = scaled(v.z, w.z, by);
        v.w = scaled(v.w, w.w, by);
        y[first + i] = v;
    }
}
