/* SPDX-License-Identifier: Apache-2.0
 *
 * Histograms of gradient-boosted trees: for each feature, the sums of gradients and of second
 * derivatives by bin, over the rows of one leaf.  A group has four features and a part of the rows,
 * counts in shared memory, and adds its counts to those in global memory.  Gradients are integers.
 */
#define BINS 256
#define GROUP 256

extern "C" __global__ void histogram(const int *row, const unsigned *bins, const unsigned *gradient,
                                     int *sums, int rows, int total, int part)
{
    __shared__ int sum[4 * BINS * 2];
    int four = (int)blockIdx.x, t = (int)threadIdx.x;
    int from = (int)blockIdx.y * part, end = min(from + part, rows);
    for (int i = t; i < 4 * BINS * 2; i += GROUP)
        sum[i] = 0;
    __syncthreads();
    /* If unrolled, the lanes of a part's last warp would be in different copies of the loop. */
#pragma unroll 1
    for (int i = from + t; i < end; i += GROUP) {
        int r = row[i];
        unsigned b = bins[four * total + r], g = gradient[r];
        int first = (int)(g << 16) >> 16, second = (int)g >> 16;
        for (int f = 0; f < 4; f++) {
            int at = (f * BINS + (int)((b >> (8 * f)) & 255u)) * 2;
            atomicAdd(&sum[at], first);
            atomicAdd(&sum[at + 1], second);
        }
    }
    __syncthreads();
    for (int i = t; i < 4 * BINS * 2; i += GROUP)
        if (sum[i] != 0)
            atomicAdd(&sums[four * 4 * BINS * 2 + i], sum[i]);
}
