/* SPDX-License-Identifier: Apache-2.0
 *
 * x1 += A y1 and x2 += A' y2, one thread per element: down its own row (neighbours a row
 * apart, 32 lines per load), then down its own column (whole lines).
 */

extern "C" __global__ void mvt_rows(const float *a, float *x1, const float *y1, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = x1[i];
    for (int j = 0; j < n; j++)
        sum += a[i * n + j] * y1[j];
    x1[i] = sum;
}

extern "C" __global__ void mvt_columns(const float *a, float *x2, const float *y2, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = x2[i];
    for (int j = 0; j < n; j++)
        sum += a[j * n + i] * y2[j];
    x2[i] = sum;
}
