/* SPDX-License-Identifier: Apache-2.0
 *
 * y = A' (A x), one thread per row, then one per column.
 *
 * In the first kernel a warp reads 32 rows side by side: 32 lines per load, each used again by the
 * next 31 iterations.  The second kernel reads whole lines.
 */
extern "C" __global__ void atax_rows(const float *a, const float *x, float *product, int rows,
                                     int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int column = 0; column < columns; column++)
        sum += a[row * columns + column] * x[column];
    product[row] = sum;
}

extern "C" __global__ void atax_columns(const float *a, const float *product, float *y, int rows,
                                        int columns)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= columns)
        return;
    float sum = 0.0f;
    for (int row = 0; row < rows; row++)
        sum += a[row * columns + column] * product[row];
    y[column] = sum;
}
