/* SPDX-License-Identifier: Apache-2.0
 *
 * C = beta C + alpha (A B' + B A'), A and B being n x m: one work-item per element of C.  Per
 * step a warp reads two broadcasts and 32 different rows of either matrix.
 */
__kernel void syr2k(__global const float *a, __global const float *b, __global float *c,
                    float alpha, float beta, int n, int m)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i >= n || j >= n)
        return;
    float sum = beta * c[i * n + j];
    for (int k = 0; k < m; k++)
        sum += alpha * (a[i * m + k] * b[j * m + k] + b[i * m + k] * a[j * m + k]);
    c[i * n + j] = sum;
}
