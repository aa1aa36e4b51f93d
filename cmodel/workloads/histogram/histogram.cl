/* SPDX-License-Identifier: Apache-2.0
 *
 * Histograms of gradient-boosted trees: for each feature, the sums of gradients and of second
 * derivatives by bin, over the rows of one leaf.  A group has four features and a part of the rows,
 * counts in local memory, and adds its counts to those in global memory.  Gradients are integers.
 */
#define BINS 256
#define GROUP 256

__kernel void histogram(__global const int *row, __global const uint *bins,
                        __global const uint *gradient, __global int *sums, int rows, int total,
                        int part)
{
    __local int sum[4 * BINS * 2];
    int four = get_group_id(0), t = get_local_id(0);
    int from = get_group_id(1) * part, end = min(from + part, rows);
    for (int i = t; i < 4 * BINS * 2; i += GROUP)
        sum[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = from + t; i < end; i += GROUP) {
        int r = row[i];
        uint b = bins[four * total + r], g = gradient[r];
        int first = (int)(g << 16) >> 16, second = (int)g >> 16;
        for (int f = 0; f < 4; f++) {
            int at = (f * BINS + (int)((b >> (8 * f)) & 255u)) * 2;
            atomic_add(&sum[at], first);
            atomic_add(&sum[at + 1], second);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = t; i < 4 * BINS * 2; i += GROUP)
        if (sum[i] != 0)
            atomic_add(&sums[four * 4 * BINS * 2 + i], sum[i]);
}
