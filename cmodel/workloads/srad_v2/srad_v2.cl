/* SPDX-License-Identifier: Apache-2.0
 *
 * Speckle-reducing anisotropic diffusion, version 2: 16 x 16 tiles in local memory.
 *
 * Every work-item also loads the tile's four outer rows and columns (the value that belongs to its
 * own row or column), so a halo word is requested by 16 work-items at once and again by the
 * neighbour tile as its own.  Borders repeat the edge.
 */
#define TILE 16

__kernel void srad2_gradient(__global float *east_d, __global float *west_d,
                             __global float *north_d, __global float *south_d,
                             __global const float *image, __global float *coefficient, int columns,
                             int rows, float q0_squared)
{
    __local float tile[TILE][TILE];
    __local float north[TILE][TILE];
    __local float south[TILE][TILE];
    __local float east[TILE][TILE];
    __local float west[TILE][TILE];
    __local float result[TILE][TILE];
    int tx = get_local_id(0), ty = get_local_id(1);
    int left = TILE * (int)get_group_id(0), top = TILE * (int)get_group_id(1);
    int at = columns * (top + ty) + left + tx;

    north[ty][tx] = image[columns * max(top - 1, 0) + left + tx];
    south[ty][tx] = image[columns * min(top + TILE, rows - 1) + left + tx];
    west[ty][tx] = image[columns * (top + ty) + max(left - 1, 0)];
    east[ty][tx] = image[columns * (top + ty) + min(left + TILE, columns - 1)];
    tile[ty][tx] = image[at];
    barrier(CLK_LOCAL_MEM_FENCE);

    float center = tile[ty][tx];
    float n = (ty == 0 ? north[ty][tx] : tile[ty - 1][tx]) - center;
    float s = (ty == TILE - 1 ? south[ty][tx] : tile[ty + 1][tx]) - center;
    float w = (tx == 0 ? west[ty][tx] : tile[ty][tx - 1]) - center;
    float e = (tx == TILE - 1 ? east[ty][tx] : tile[ty][tx + 1]) - center;

    float gradient = (n * n + s * s + w * w + e * e) / (center * center);
    float laplace = (n + s + w + e) / center;
    float numerator = 0.5f * gradient - 0.0625f * laplace * laplace;
    float denominator = 1.0f + 0.25f * laplace;
    float q_squared = numerator / (denominator * denominator);
    float deviation = (q_squared - q0_squared) / (q0_squared * (1.0f + q0_squared));
    result[ty][tx] = clamp(1.0f / (1.0f + deviation), 0.0f, 1.0f);
    barrier(CLK_LOCAL_MEM_FENCE);

    coefficient[at] = result[ty][tx];
    east_d[at] = e;
    west_d[at] = w;
    south_d[at] = s;
    north_d[at] = n;
}

__kernel void srad2_update(__global const float *east_d, __global const float *west_d,
                           __global const float *north_d, __global const float *south_d,
                           __global float *image, __global const float *coefficient, int columns,
                           int rows, float lambda)
{
    __local float c_tile[TILE][TILE];
    __local float c_south[TILE][TILE];
    __local float c_east[TILE][TILE];
    __local float tile[TILE][TILE];
    __local float result[TILE][TILE];
    int tx = get_local_id(0), ty = get_local_id(1);
    int left = TILE * (int)get_group_id(0), top = TILE * (int)get_group_id(1);
    int at = columns * (top + ty) + left + tx;

    tile[ty][tx] = image[at];
    c_south[ty][tx] = coefficient[columns * min(top + TILE, rows - 1) + left + tx];
    c_east[ty][tx] = coefficient[columns * (top + ty) + min(left + TILE, columns - 1)];
    c_tile[ty][tx] = coefficient[at];
    barrier(CLK_LOCAL_MEM_FENCE);

    float here = c_tile[ty][tx];
    float below = ty == TILE - 1 ? c_south[ty][tx] : c_tile[ty + 1][tx];
    float right = tx == TILE - 1 ? c_east[ty][tx] : c_tile[ty][tx + 1];
    float divergence =
        here * north_d[at] + below * south_d[at] + here * west_d[at] + right * east_d[at];
    result[ty][tx] = tile[ty][tx] + 0.25f * lambda * divergence;
    barrier(CLK_LOCAL_MEM_FENCE);
    image[at] = result[ty][tx];
}
