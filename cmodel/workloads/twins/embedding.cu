/* SPDX-License-Identifier: Apache-2.0
 *
 * Embedding gather of a recommendation model: a warp per table and sample adds up the rows that the
 * sample's features name.  A row is 128 floats: one access of 16 bytes per lane.
 */
#define QUARTERS 32 /* of a row: 16 bytes each */

extern "C" __global__ void embedding(const float4 *rows, const int *index, const int *first,
                                     float4 *out, int bags)
{
    int lane = (int)(blockIdx.x * blockDim.x + threadIdx.x) % 32,
        bag = (int)(blockIdx.x * blockDim.x + threadIdx.x) / 32;
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (bag >= bags)
        return;
    int end = first[bag + 1];
    for (int i = first[bag]; i < end; i++) {
        float4 v = rows[index[i] * QUARTERS + lane];
        sum.x += v.x;
        sum.y += v.y;
        sum.z += v.z;
        sum.w += v.w;
    }
    out[bag * QUARTERS + lane] = sum;
}
