/* SPDX-License-Identifier: Apache-2.0
 *
 * LU decomposition without pivoting, in place, by blocks of 16 x 16.
 *
 * Step k: lud_diagonal factors the diagonal block (16 work-items), lud_perimeter solves the
 * blocks right of it and below it (32 work-items: 16 a row block, 16 a column block), and
 * lud_internal updates the trailing square with the product of the two (16 x 16 work-items).
 */
#define BLOCK 16

__kernel void lud_diagonal(__global float *m, int n, int offset)
{
    __local float shadow[BLOCK][BLOCK];
    int t = get_local_id(0);
    int corner = offset * n + offset;

    for (int row = 0; row < BLOCK; row++)
        shadow[row][t] = m[corner + row * n + t];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int i = 0; i < BLOCK - 1; i++) {
        if (t > i) {
            for (int j = 0; j < i; j++)
                shadow[t][i] -= shadow[t][j] * shadow[j][i];
            shadow[t][i] /= shadow[i][i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t > i) {
            for (int j = 0; j < i + 1; j++)
                shadow[i + 1][t] -= shadow[i + 1][j] * shadow[j][t];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int row = 1; row < BLOCK; row++)
        m[corner + row * n + t] = shadow[row][t];
}

__kernel void lud_perimeter(__global float *m, int n, int offset)
{
    __local float dia[BLOCK][BLOCK];
    __local float right[BLOCK][BLOCK];
    __local float below[BLOCK][BLOCK];
    int t = get_local_id(0);
    int lane = t < BLOCK ? t : t - BLOCK;
    int shift = ((int)get_group_id(0) + 1) * BLOCK;
    int corner = offset * n + offset;
    int right_at = corner + shift, below_at = corner + shift * n;

    if (t < BLOCK) {
        for (int row = 0; row < BLOCK / 2; row++)
            dia[row][lane] = m[corner + row * n + lane];
        for (int row = 0; row < BLOCK; row++)
            right[row][lane] = m[right_at + row * n + lane];
    } else {
        for (int row = BLOCK / 2; row < BLOCK; row++)
            dia[row][lane] = m[corner + row * n + lane];
        for (int row = 0; row < BLOCK; row++)
            below[row][lane] = m[below_at + row * n + lane];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    if (t < BLOCK) {
        for (int i = 1; i < BLOCK; i++)
            for (int j = 0; j < i; j++)
                right[i][lane] -= dia[i][j] * right[j][lane];
    } else {
        for (int i = 0; i < BLOCK; i++) {
            for (int j = 0; j < i; j++)
                below[lane][i] -= below[lane][j] * dia[j][i];
            below[lane][i] /= dia[i][i];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    if (t < BLOCK) {
        for (int row = 1; row < BLOCK; row++)
            m[right_at + row * n + lane] = right[row][lane];
    } else {
        for (int row = 0; row < BLOCK; row++)
            m[below_at + row * n + lane] = below[row][lane];
    }
}

__kernel void lud_internal(__global float *m, int n, int offset)
{
    __local float right[BLOCK][BLOCK];
    __local float below[BLOCK][BLOCK];
    int tx = get_local_id(0), ty = get_local_id(1);
    int row = offset + ((int)get_group_id(1) + 1) * BLOCK;
    int column = offset + ((int)get_group_id(0) + 1) * BLOCK;

    right[ty][tx] = m[(offset + ty) * n + column + tx];
    below[ty][tx] = m[(row + ty) * n + offset + tx];
    barrier(CLK_LOCAL_MEM_FENCE);

    float sum = 0.0f;
    for (int i = 0; i < BLOCK; i++)
        sum += below[ty][i] * right[i][tx];
    m[(row + ty) * n + column + tx] -= sum;
}
