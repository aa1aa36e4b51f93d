/* SPDX-License-Identifier: Apache-2.0
 *
 * Root-mean-square normalisation: a group per token reads its row twice, for the mean square and
 * for the result; all groups read the same weights.  Numbers are bfloat16.
 */
#define GROUP 256

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

static float square(uint pair)
{
    return low(pair) * low(pair) + high(pair) * high(pair);
}

static uint scaled(uint pair, uint weight, float by)
{
    return rounded(low(pair) * by * low(weight)) | rounded(high(pair) * by * high(weight)) << 16;
}

__kernel void rmsnorm(__global const uint4 *x, __global const uint4 *weights, __global uint4 *y,
                      int pieces, float epsilon)
{
    __local float slot[GROUP];
    int t = get_local_id(0), first = get_group_id(0) * pieces;
    float sum = 0.0f;
    for (int i = t; i < pieces; i += GROUP) {
        uint4 v = x[first + i];
        sum += square(v.x) + square(v.y) + square(v.z) + square(v.w);
    }
    for (int step = GROUP / 2; step > 0; step /= 2) {
        slot[t] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += slot[t ^ step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float by = 1.0f / sqrt(sum / (float)(pieces * 8) + epsilon);
    for (int i = t; i < pieces; i += GROUP) {
        uint4 v = x[first + i], w = weights[i];
        v.x = scaled(v.x, w.x, by);
        v.y = scaled(v.y, w.y, by);
        v.z = scaled(v.z, w.z, by);
        v.w = scaled(v.w, w.w, by);
        y[first + i] = v;
    }
}
