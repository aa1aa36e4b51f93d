/* SPDX-License-Identifier: Apache-2.0
 *
 * y = A x with A in jagged diagonal storage: rows sorted by length, the k-th non-zeros of all rows
 * that have one lie side by side, so that neighbours read neighbouring words; x is gathered.
 */
__kernel void spmv_jds(__global float *y, __global const float *value, __global const int *column,
                       __global const int *permutation, __global const float *x, int rows,
                       __constant int *diagonal_start, __constant int *warp_length)
{
    int i = get_global_id(0);
    if (i >= rows)
        return;
    int length = warp_length[i / 32];
    float sum = 0.0f;
    for (int k = 0; k < length; k++) {
        int at = diagonal_start[k] + i;
        sum += value[at] * x[column[at]];
    }
    y[permutation[i]] = sum;
}
