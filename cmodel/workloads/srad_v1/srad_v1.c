/* SPDX-License-Identifier: Apache-2.0
 *
 * srad_v1.c - speckle-reducing anisotropic diffusion with neighbour index arrays and reductions.
 *
 * Launches: extract, then per iteration prepare, reduce (one per level), gradient, update, then
 * compress.
 */
#include "byw_wl.h"
#include "workloads/srad_v1_cl.h"

#include <math.h>

enum { GROUP = 512 };
#define LAMBDA 0.5f

static const struct byw_wl_option options[] = {
    {"rows", "rows of the image", {60, 251, 502}, 2, 8192, 1},
    {"columns", "columns of the image", {37, 229, 458}, 2, 8192, 1},
    {"iterations", "diffusion steps", {2, 1, 1}, 1, 1000, 1},
};
static const struct byw_wl_about about = {
    "srad_v1", "speckle-reducing diffusion, flat groups of 512, neighbours by index arrays",
    byw_wl_source, options, sizeof options / sizeof options[0]};

enum { NORTH, SOUTH, WEST, EAST, SIDES };

struct image {
    int rows, columns, pixels;
    int *index[SIDES];
    float *pixel;
};

static void make_image(struct byw_wl *wl, struct image *m)
{
    m->rows = byw_wl_get_int(wl, "rows");
    m->columns = byw_wl_get_int(wl, "columns");
    m->pixels = m->rows * m->columns;
    for (int side = 0; side < SIDES; side++) {
        int count = side < WEST ? m->rows : m->columns;
        int step = side == NORTH || side == WEST ? -1 : 1;
        m->index[side] = byw_wl_ints(wl, (size_t)count);
        for (int i = 0; i < count; i++)
            m->index[side][i] = i + step < 0 || i + step >= count ? i : i + step;
    }
    m->pixel = byw_wl_floats(wl, (size_t)m->pixels);
    for (int i = 0; i < m->pixels; i++)
        m->pixel[i] = 100.0f + 60.0f * (float)((i / 16) % 2) + byw_wl_uniform(wl, -40.0f, 40.0f);
}

/* Speckle scale: variance over squared mean of the whole image. */
static float scale_of(double sum, double square, int pixels)
{
    double mean = sum / pixels;
    return (float)((square / pixels - mean * mean) / (mean * mean));
}

static void host_gradient(const struct image *m, float q0, float *d[SIDES], float *coefficient)
{
    for (int i = 0; i < m->pixels; i++) {
        int row = i % m->rows, column = i / m->rows;
        int at[SIDES] = {
            m->index[NORTH][row] + m->rows * column, m->index[SOUTH][row] + m->rows * column,
            row + m->rows * m->index[WEST][column], row + m->rows * m->index[EAST][column]};
        float center = m->pixel[i], squares = 0.0f, total = 0.0f;
        for (int side = 0; side < SIDES; side++) {
            d[side][i] = m->pixel[at[side]] - center;
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

static void host_srad(struct byw_wl *wl, struct image *m, int iterations)
{
    size_t pixels = (size_t)m->pixels;
    float *d[SIDES], *coefficient = byw_wl_floats(wl, pixels);
    for (int side = 0; side < SIDES; side++)
        d[side] = byw_wl_floats(wl, pixels);
    for (int i = 0; i < m->pixels; i++)
        m->pixel[i] = expf(m->pixel[i] / 255.0f);
    for (int iteration = 0; iteration < iterations; iteration++) {
        double sum = 0.0, square = 0.0;
        for (int i = 0; i < m->pixels; i++) {
            sum += (double)m->pixel[i];
            square += (double)m->pixel[i] * (double)m->pixel[i];
        }
        host_gradient(m, scale_of(sum, square, m->pixels), d, coefficient);
        for (int i = 0; i < m->pixels; i++) {
            int row = i % m->rows, column = i / m->rows;
            float below = coefficient[m->index[SOUTH][row] + m->rows * column];
            float right = coefficient[row + m->rows * m->index[EAST][column]];
            m->pixel[i] += 0.25f * LAMBDA *
                           (coefficient[i] * (d[NORTH][i] + d[WEST][i]) + below * d[SOUTH][i] +
                            right * d[EAST][i]);
        }
    }
    for (int i = 0; i < m->pixels; i++)
        m->pixel[i] = logf(m->pixel[i]) * 255.0f;
}

struct device {
    cl_kernel extract, prepare, reduce, gradient, update, compress;
    cl_mem image, index[SIDES], d[SIDES], coefficient, sum, square;
    size_t groups;
};

static void make_device(struct byw_wl *wl, const struct image *m, struct device *dev)
{
    size_t bytes = (size_t)m->pixels * sizeof(float);
    dev->groups = byw_wl_groups((size_t)m->pixels, GROUP);
    dev->extract = byw_wl_kernel(wl, "srad_extract");
    dev->prepare = byw_wl_kernel(wl, "srad_prepare");
    dev->reduce = byw_wl_kernel(wl, "srad_reduce");
    dev->gradient = byw_wl_kernel(wl, "srad_gradient");
    dev->update = byw_wl_kernel(wl, "srad_update");
    dev->compress = byw_wl_kernel(wl, "srad_compress");
    dev->image = byw_wl_buffer(wl, bytes, m->pixel);
    for (int side = 0; side < SIDES; side++) {
        size_t count = (size_t)(side < WEST ? m->rows : m->columns);
        dev->index[side] = byw_wl_buffer(wl, count * sizeof(int), m->index[side]);
        dev->d[side] = byw_wl_buffer(wl, bytes, NULL);
    }
    dev->coefficient = byw_wl_buffer(wl, bytes, NULL);
    dev->sum = byw_wl_buffer(wl, bytes, NULL);
    dev->square = byw_wl_buffer(wl, bytes, NULL);
}

static float device_scale(struct byw_wl *wl, const struct device *dev, int pixels)
{
    byw_wl_args(wl, dev->prepare, "mmmi", dev->image, dev->sum, dev->square, pixels);
    byw_wl_launch(wl, dev->prepare, dev->groups, GROUP);
    int stride = 1;
    for (int count = pixels; count > 1; stride *= GROUP) {
        size_t groups = byw_wl_groups((size_t)count, GROUP);
        byw_wl_args(wl, dev->reduce, "mmii", dev->sum, dev->square, count, stride);
        byw_wl_launch(wl, dev->reduce, groups, GROUP);
        count = (int)groups;
    }
    float sum = 0.0f, square = 0.0f;
    byw_wl_read(wl, dev->sum, sizeof sum, &sum);
    byw_wl_read(wl, dev->square, sizeof square, &square);
    return scale_of((double)sum, (double)square, pixels);
}

static void device_srad(struct byw_wl *wl, const struct image *m, int iterations, float *result)
{
    struct device dev;
    make_device(wl, m, &dev);
    byw_wl_args(wl, dev.extract, "mi", dev.image, m->pixels);
    byw_wl_launch(wl, dev.extract, dev.groups, GROUP);
    for (int iteration = 0; iteration < iterations; iteration++) {
        float q0 = device_scale(wl, &dev, m->pixels);
        byw_wl_args(wl, dev.gradient, "mmmmmmmmmmfii", dev.index[NORTH], dev.index[SOUTH],
                    dev.index[WEST], dev.index[EAST], dev.d[NORTH], dev.d[SOUTH], dev.d[WEST],
                    dev.d[EAST], dev.coefficient, dev.image, (double)q0, m->rows, m->pixels);
        byw_wl_launch(wl, dev.gradient, dev.groups, GROUP);
        byw_wl_args(wl, dev.update, "mmmmmmmmfii", dev.index[SOUTH], dev.index[EAST], dev.d[NORTH],
                    dev.d[SOUTH], dev.d[WEST], dev.d[EAST], dev.coefficient, dev.image,
                    (double)LAMBDA, m->rows, m->pixels);
        byw_wl_launch(wl, dev.update, dev.groups, GROUP);
    }
    byw_wl_args(wl, dev.compress, "mi", dev.image, m->pixels);
    byw_wl_launch(wl, dev.compress, dev.groups, GROUP);
    byw_wl_read(wl, dev.image, (size_t)m->pixels * sizeof(float), result);
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    struct image m;
    byw_wl_begin(&wl, &about, argc, argv);
    int iterations = byw_wl_get_int(&wl, "iterations");
    make_image(&wl, &m);
    float *got = byw_wl_floats(&wl, (size_t)m.pixels);
    device_srad(&wl, &m, iterations, got);
    host_srad(&wl, &m, iterations);
    byw_wl_check_f32(&wl, "pixel", got, m.pixel, (size_t)m.pixels, 1e-3f, 1e-2f);
    return byw_wl_end(&wl);
}
