/* SPDX-License-Identifier: Apache-2.0
 *
 * C = beta C + alpha A A', A being n x m: one thread per element of C, which walks two rows of
 * A.  A warp shares row i (a broadcast) and has 32 different rows j (32 lines per load).
 */
extern "C" __global__ void syrk(const float *a, float *c, float alpha, float beta, int n, int m)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n)
        return;
    float sum = beta * c[i * n + j];
    for (int k = 0; k < m; k++)
        sum += alpha * a[i * m + k] * a[j * m + k];
    c[i * n + j] = sum;
}
