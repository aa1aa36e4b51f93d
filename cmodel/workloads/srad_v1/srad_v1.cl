/* SPDX-License-Identifier: Apache-2.0
 *
 * Speckle-reducing anisotropic diffusion, version 1: flat groups of 512, one work-item per pixel.
 *
 * The image is stored column by column.  Neighbours are found through four index arrays (north
 * and south by row, west and east by column), which hold the clamping at the borders.
 */
#define GROUP 512

/* Converts 0..255 to the exponential domain in which the diffusion works. */
__kernel void srad_extract(__global float *image, int pixels)
{
    int i = get_global_id(0);
    if (i < pixels)
        image[i] = exp(image[i] / 255.0f);
}

__kernel void srad_prepare(__global const float *image, __global float *sum, __global float *square,
                           int pixels)
{
    int i = get_global_id(0);
    if (i < pixels) {
        float value = image[i];
        sum[i] = value;
        square[i] = value * value;
    }
}

/* One level of the reduction: element i of this level lies at i * stride; each group leaves its
 * total where its first element was. */
__kernel void srad_reduce(__global float *sum, __global float *square, int count, int stride)
{
    __local float part[GROUP];
    __local float part_square[GROUP];
    int t = get_local_id(0), i = get_global_id(0);
    part[t] = i < count ? sum[i * stride] : 0.0f;
    part_square[t] = i < count ? square[i * stride] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (int width = 2; width <= GROUP; width *= 2) {
        if ((t + 1) % width == 0) {
            part[t] += part[t - width / 2];
            part_square[t] += part_square[t - width / 2];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == GROUP - 1) {
        int at = (int)get_group_id(0) * GROUP * stride;
        sum[at] = part[t];
        square[at] = part_square[t];
    }
}

/* Derivatives to the four neighbours and the diffusion coefficient, between 0 and 1. */
__kernel void srad_gradient(__global const int *north, __global const int *south,
                            __global const int *west, __global const int *east, __global float *dn,
                            __global float *ds, __global float *dw, __global float *de,
                            __global float *coefficient, __global const float *image,
                            float q0_squared, int rows, int pixels)
{
    int i = get_global_id(0);
    if (i >= pixels)
        return;
    int row = i % rows, column = i / rows;
    float center = image[i];
    float n = image[north[row] + rows * column] - center;
    float s = image[south[row] + rows * column] - center;
    float w = image[row + rows * west[column]] - center;
    float e = image[row + rows * east[column]] - center;

    float gradient = (n * n + s * s + w * w + e * e) / (center * center);
    float laplace = (n + s + w + e) / center;
    float numerator = 0.5f * gradient - 0.0625f * laplace * laplace;
    float denominator = 1.0f + 0.25f * laplace;
    float q_squared = numerator / (denominator * denominator);
    float deviation = (q_squared - q0_squared) / (q0_squared * (1.0f + q0_squared));

    dn[i] = n;
    ds[i] = s;
    dw[i] = w;
    de[i] = e;
    coefficient[i] = clamp(1.0f / (1.0f + deviation), 0.0f, 1.0f);
}

__kernel void srad_update(__global const int *south, __global const int *east,
                          __global const float *dn, __global const float *ds,
                          __global const float *dw, __global const float *de,
                          __global const float *coefficient, __global float *image, float lambda,
                          int rows, int pixels)
{
    int i = get_global_id(0);
    if (i >= pixels)
        return;
    int row = i % rows, column = i / rows;
    float here = coefficient[i];
    float below = coefficient[south[row] + rows * column];
    float right = coefficient[row + rows * east[column]];
    float divergence = here * dn[i] + below * ds[i] + here * dw[i] + right * de[i];
    image[i] += 0.25f * lambda * divergence;
}

/* Back to 0..255. */
__kernel void srad_compress(__global float *image, int pixels)
{
    int i = get_global_id(0);
    if (i < pixels)
        image[i] = log(image[i]) * 255.0f;
}
