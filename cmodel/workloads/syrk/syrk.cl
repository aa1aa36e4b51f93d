/* SPDX-License-Identifier: Apache-2.0
 *
 * C = beta C + alpha A A', A being n x m: one work-item per element of C, which walks two rows of
 * A.  A warp shares row i (a broadcast) and has 32 different rows j (32 lines per load).
 */
__kernel void syrk(__global const float *a, __global float *c, float alpha, float beta, int n,
                   int m)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i >= n || j >= n)
        return;
    float sum = beta * c[i * n + j];
    for (int k = 0; k < m; k++)
        sum += alpha * a[i * m + k] * a[j * m + k];
    c[i * n + j] = sum;
}
