/* SPDX-License-Identifier: Apache-2.0
 *
 * c = alpha a b + beta c, square matrices in row order.
 */
#define TILE 16

/* Through the cache: one thread per element walks a row of a and a column of b.  A warp of 32
 * neighbours in x reads one word of a and a whole line of b per step, as PolyBench's does. */
extern "C" __global__ void gemm_cache(const float *a, const float *b, float *c, float alpha,
                                      float beta, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || column >= n)
        return;
    float sum = beta * c[row * n + column];
    for (int k = 0; k < n; k++)
        sum += alpha * a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

/* Through shared memory: each word is read from global memory n / 16 times only. */
extern "C" __global__ void gemm_tiled(const float *a, const float *b, float *c, float alpha,
                                      float beta, int n)
{
    __shared__ float part_a[TILE][TILE];
    __shared__ float part_b[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0.0f;
    for (int tile = 0; tile < n; tile += TILE) {
        part_a[ty][tx] = row < n && tile + tx < n ? a[row * n + tile + tx] : 0.0f;
        part_b[ty][tx] = column < n && tile + ty < n ? b[(tile + ty) * n + column] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += part_a[ty][k] * part_b[k][tx];
        __syncthreads();
    }
    if (row < n && column < n)
        c[row * n + column] = alpha * sum + beta * c[row * n + column];
}
