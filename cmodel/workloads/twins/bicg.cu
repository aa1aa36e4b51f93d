/* SPDX-License-Identifier: Apache-2.0
 *
 * The two products of a biconjugate gradient step: s = A' r by columns, q = A p by rows.
 */
extern "C" __global__ void bicg_columns(const float *a, const float *r, float *s, int rows,
                                        int columns)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= columns)
        return;
    float sum = 0.0f;
    for (int row = 0; row < rows; row++)
        sum += r[row] * a[row * columns + column];
    s[column] = sum;
}

extern "C" __global__ void bicg_rows(const float *a, const float *p, float *q, int rows,
                                     int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int column = 0; column < columns; column++)
        sum += a[row * columns + column] * p[column];
    q[row] = sum;
}
