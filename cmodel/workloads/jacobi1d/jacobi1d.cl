/* SPDX-License-Identifier: Apache-2.0
 *
 * One-dimensional three-point relaxation: b from a, then a from b, in launches of few groups.
 */

__kernel void jacobi1d_relax(__global const float *a, __global float *b, int n)
{
    int i = get_global_id(0);
    if (i > 0 && i < n - 1)
        b[i] = 0.33333f * (a[i - 1] + a[i] + a[i + 1]);
}

__kernel void jacobi1d_copy(__global float *a, __global const float *b, int n)
{
    int i = get_global_id(0);
    if (i > 0 && i < n - 1)
        a[i] = b[i];
}
