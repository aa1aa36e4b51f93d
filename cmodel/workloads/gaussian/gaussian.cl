/* SPDX-License-Identifier: Apache-2.0
 *
 * Gaussian elimination without pivoting, one column per pair of launches.
 *
 * The first work-item dimension of gauss_rows runs over rows, so neighbours read down a column.
 * This stride of a whole row is the original program's; it stresses the cache.
 */

/* Multipliers of column t for the rows below it. */
__kernel void gauss_multipliers(__global float *multiplier, __global const float *a, int n, int t)
{
    int i = get_global_id(0);
    if (i < n - 1 - t)
        multiplier[n * (i + t + 1) + t] = a[n * (i + t + 1) + t] / a[n * t + t];
}

__kernel void gauss_rows(__global const float *multiplier, __global float *a, __global float *b,
                         int n, int t)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= n - 1 - t || y >= n - t)
        return;
    int row = x + 1 + t;
    a[n * row + y + t] -= multiplier[n * row + t] * a[n * t + y + t];
    if (y == 0)
        b[row] -= multiplier[n * row + t] * b[t];
}
