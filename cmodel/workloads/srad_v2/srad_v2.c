/* SPDX-License-Identifier: Apache-2.0
 *
 * srad_v2.c - speckle-reducing anisotropic diffusion through 16 x 16 tiles, two launches per
 * iteration; the host computes the speckle statistics from the image's upper left 128 x 128 part.
 *
 * The small input keeps the paper's row length, which decides how rows share cache sets, but has
 * fewer rows.
 */
#include "byw_wl.h"
#include "workloads/srad_v2_cl.h"

#include <math.h>

enum { TILE = 16, REGION = 128 };
#define LAMBDA 0.5f

static const struct byw_wl_option options[] = {
    {"columns", "columns of the image", {64, 2048, 2048}, 16, 8192, 16},
    {"rows", "rows of the image", {48, 32, 2048}, 16, 8192, 16},
    {"iterations", "diffusion steps", {2, 1, 2}, 1, 1000, 1},
};
static const struct byw_wl_about about = {
    "srad_v2", "speckle-reducing diffusion, 16 x 16 tiles in local memory", byw_wl_source, options,
    sizeof options / sizeof options[0]};

enum { EAST, WEST, NORTH, SOUTH, SIDES };

struct shape {
    int rows, columns;
};

static float speckle_scale(const float *image, struct shape shape)
{
    int rows = shape.rows < REGION ? shape.rows : REGION;
    int columns = shape.columns < REGION ? shape.columns : REGION;
    double sum = 0.0, square = 0.0, count = (double)rows * columns;
    for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++) {
            double value = (double)image[row * shape.columns + column];
            sum += value;
            square += value * value;
        }
    }
    double mean = sum / count;
    return (float)((square / count - mean * mean) / (mean * mean));
}

static void host_gradient(const float *image, struct shape shape, float q0, float *d[SIDES],
                          float *coefficient)
{
    int n = shape.columns;
    for (int i = 0; i < shape.rows * n; i++) {
        int row = i / n, column = i % n;
        float center = image[i], squares = 0.0f, total = 0.0f;
        d[EAST][i] = image[column < n - 1 ? i + 1 : i] - center;
        d[WEST][i] = image[column > 0 ? i - 1 : i] - center;
        d[NORTH][i] = image[row > 0 ? i - n : i] - center;
        d[SOUTH][i] = image[row < shape.rows - 1 ? i + n : i] - center;
        for (int side = 0; side < SIDES; side++) {
            squares += d[side][i] * d[side][i];
            total += d[side][i];
        }
        float laplace = total / center, denominator = 1.0f + 0.25f * laplace;
        float numerator = 0.5f * squares / (center * center) - 0.0625f * laplace * laplace;
        float q = numerator / (denominator * denominator);
        float c = 1.0f / (1.0f + (q - q0) / (q0 * (1.0f + q0)));
        coefficient[i] = c < 0.0f ? 0.0f : c > 1.0f ? 1.0f : c;
    }
}

static void host_srad(struct byw_wl *wl, float *image, struct shape shape, int iterations)
{
    int n = shape.columns;
    size_t cells = (size_t)shape.rows * (size_t)n;
    float *d[SIDES], *c = byw_wl_floats(wl, cells);
    for (int side = 0; side < SIDES; side++)
        d[side] = byw_wl_floats(wl, cells);
    for (int iteration = 0; iteration < iterations; iteration++) {
        host_gradient(image, shape, speckle_scale(image, shape), d, c);
        for (int i = 0; i < shape.rows * n; i++) {
            float below = c[i / n < shape.rows - 1 ? i + n : i],
                  right = c[i % n < n - 1 ? i + 1 : i];
            image[i] +=
                0.25f * LAMBDA *
                (c[i] * (d[NORTH][i] + d[WEST][i]) + below * d[SOUTH][i] + right * d[EAST][i]);
        }
    }
}

static void device_srad(struct byw_wl *wl, const float *start, struct shape shape, int iterations,
                        float *image)
{
    int rows = shape.rows, columns = shape.columns;
    size_t cells = (size_t)rows * (size_t)columns, bytes = cells * sizeof(float);
    cl_mem d[SIDES], pixel = byw_wl_buffer(wl, bytes, start);
    cl_mem coefficient = byw_wl_buffer(wl, bytes, NULL);
    for (int side = 0; side < SIDES; side++)
        d[side] = byw_wl_buffer(wl, bytes, NULL);
    cl_kernel gradient = byw_wl_kernel(wl, "srad2_gradient");
    cl_kernel update = byw_wl_kernel(wl, "srad2_update");
    size_t groups[2] = {(size_t)columns / TILE, (size_t)rows / TILE}, block[2] = {TILE, TILE};
    for (int iteration = 0; iteration < iterations; iteration++) {
        byw_wl_read(wl, pixel, bytes, image);
        byw_wl_args(wl, gradient, "mmmmmmiif", d[EAST], d[WEST], d[NORTH], d[SOUTH], pixel,
                    coefficient, columns, rows, (double)speckle_scale(image, shape));
        byw_wl_launch_2d(wl, gradient, groups, block);
        byw_wl_args(wl, update, "mmmmmmiif", d[EAST], d[WEST], d[NORTH], d[SOUTH], pixel,
                    coefficient, columns, rows, (double)LAMBDA);
        byw_wl_launch_2d(wl, update, groups, block);
    }
    byw_wl_read(wl, pixel, bytes, image);
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    struct shape shape = {.rows = byw_wl_get_int(&wl, "rows"),
                          .columns = byw_wl_get_int(&wl, "columns")};
    int iterations = byw_wl_get_int(&wl, "iterations");
    size_t cells = (size_t)shape.rows * (size_t)shape.columns;
    float *image = byw_wl_floats(&wl, cells), *got = byw_wl_floats(&wl, cells);
    for (size_t i = 0; i < cells; i++)
        image[i] = expf(byw_wl_uniform(&wl, 0.0f, 1.0f));
    device_srad(&wl, image, shape, iterations, got);
    host_srad(&wl, image, shape, iterations);
    byw_wl_check_f32(&wl, "image", got, image, cells, 1e-4f, 1e-5f);
    return byw_wl_end(&wl);
}
