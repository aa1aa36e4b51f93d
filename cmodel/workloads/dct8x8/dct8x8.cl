/* SPDX-License-Identifier: Apache-2.0
 *
 * Cosine transform of 8 x 8 pixel blocks, two ways.
 *
 * basis[u][x] = c(u) cos((2 x + 1) u pi / 16), c(0) = sqrt(1/8), else 1/2: rows of an orthogonal
 * matrix, so a block's transform is basis * block * transposed basis.
 */
#define SIDE 8
#define TILE_X 32
#define TILE_Y 16

/* One group per block and one work-item per pixel: two matrix products through local memory. */
__kernel void dct8x8_block(__global const float *in, __global float *out, __constant float *basis,
                           int width)
{
    __local float pixel[SIDE][SIDE], half_done[SIDE][SIDE];
    int tx = get_local_id(0), ty = get_local_id(1);
    int at = (int)get_global_id(1) * width + (int)get_global_id(0);
    pixel[ty][tx] = in[at];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < SIDE; k++)
        sum += basis[ty * SIDE + k] * pixel[k][tx];
    half_done[ty][tx] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = 0.0f;
#pragma unroll
    for (int k = 0; k < SIDE; k++)
        sum += half_done[ty][k] * basis[tx * SIDE + k];
    out[at] = sum;
}

/* Eight values `step` apart: the even half of the spectrum from sums of mirrored values, the odd
 * half from their differences. */
static void transform(__local float *v, int step)
{
    const float c1 = 0.49039264020161522f, c2 = 0.46193976625564337f, c3 = 0.41573480615127262f;
    const float c4 = 0.35355339059327376f, c5 = 0.27778511650980111f, c6 = 0.19134171618254489f;
    const float c7 = 0.09754516100806413f;
    float s0 = v[0] + v[7 * step], d0 = v[0] - v[7 * step];
    float s1 = v[step] + v[6 * step], d1 = v[step] - v[6 * step];
    float s2 = v[2 * step] + v[5 * step], d2 = v[2 * step] - v[5 * step];
    float s3 = v[3 * step] + v[4 * step], d3 = v[3 * step] - v[4 * step];
    float outer = s0 + s3, inner = s1 + s2;
    v[0] = c4 * (outer + inner);
    v[4 * step] = c4 * (outer - inner);
    v[2 * step] = c2 * (s0 - s3) + c6 * (s1 - s2);
    v[6 * step] = c6 * (s0 - s3) - c2 * (s1 - s2);
    v[step] = c1 * d0 + c3 * d1 + c5 * d2 + c7 * d3;
    v[3 * step] = c3 * d0 - c7 * d1 - c1 * d2 - c5 * d3;
    v[5 * step] = c5 * d0 - c1 * d1 + c7 * d2 + c3 * d3;
    v[7 * step] = c7 * d0 - c5 * d1 + c3 * d2 - c1 * d3;
}

/* Groups of 8 x 8 work-items for tiles of 32 x 16 pixels: a work-item transforms one column of
 * eight, then one row. */
__kernel void dct8x8_tile(__global const float *in, __global float *out, int width)
{
    __local float cell[TILE_Y][TILE_X + 1];
    int tx = get_local_id(0), ty = get_local_id(1);
    int block_x = ty % 4 * SIDE, block_y = ty / 4 * SIDE;
    int left = (int)get_group_id(0) * TILE_X + block_x;
    int top = (int)get_group_id(1) * TILE_Y + block_y;
    for (int k = 0; k < SIDE; k++)
        cell[block_y + k][block_x + tx] = in[(top + k) * width + left + tx];
    barrier(CLK_LOCAL_MEM_FENCE);
    transform(&cell[block_y][block_x + tx], TILE_X + 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    transform(&cell[block_y + tx][block_x], 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < SIDE; k++)
        out[(top + k) * width + left + tx] = cell[block_y + k][block_x + tx];
}
