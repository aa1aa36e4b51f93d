/* SPDX-License-Identifier: Apache-2.0
 *
 * Sparse matrix product of a graph network: a warp per node adds up the features of its neighbours,
 * weighted by the edges.  A node has 128 features: one access of 16 bytes per lane.
 */
#define QUARTERS 32 /* of a node's features: 16 bytes each */

__kernel void gnn(__global const int *first, __global const int *neighbour,
                  __global const float *weight, __global const float4 *feature,
                  __global float4 *out, int nodes)
{
    int lane = get_global_id(0) % 32, node = get_global_id(0) / 32;
    float4 sum = (float4)(0.0f, 0.0f, 0.0f, 0.0f);
    if (node >= nodes)
        return;
    int end = first[node + 1];
    for (int i = first[node]; i < end; i++) {
        float w = weight[i];
        float4 v = feature[neighbour[i] * QUARTERS + lane];
        sum.x += w * v.x;
        sum.y += w * v.y;
        sum.z += w * v.z;
        sum.w += w * v.w;
    }
    out[node * QUARTERS + lane] = sum;
}
