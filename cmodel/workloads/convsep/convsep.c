/* SPDX-License-Identifier: Apache-2.0
 *
 * convsep.c - separable convolution of an image with a filter of 17 taps, two launches.
 */
#include "byw_wl.h"
#include "workloads/convsep_cl.h"

enum { RADIUS = 8, TAPS = 2 * RADIUS + 1, RESULTS = 8 };

static const struct byw_wl_option options[] = {
    {"width", "of the image, pixels", {256, 1024, 3072}, 128, 16384, 128},
    {"height", "of the image, pixels", {64, 64, 3072}, 64, 16384, 64},
};
static const struct byw_wl_about about = {"convsep", "separable convolution, tiles in local memory",
                                          byw_wl_source, options,
                                          sizeof options / sizeof options[0]};

/* Sums along one direction; step: distance between neighbours; length: their number. */
static float host_sum(const float *line, const float *filter, int step, int length, int at)
{
    double sum = 0.0;
    for (int k = -RADIUS; k <= RADIUS; k++)
        if (at + k >= 0 && at + k < length)
            sum += (double)filter[RADIUS - k] * (double)line[(at + k) * step];
    return (float)sum;
}

static void host_convolve(const float *in, float *rows, float *columns, const float *filter,
                          int width, int height)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            rows[y * width + x] = host_sum(in + y * width, filter, 1, width, x);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            columns[y * width + x] = host_sum(rows + x, filter, width, height, y);
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    int width = byw_wl_get_int(&wl, "width"), height = byw_wl_get_int(&wl, "height");
    size_t cells = (size_t)width * (size_t)height, bytes = cells * sizeof(float);
    float *image = byw_wl_uniforms(&wl, cells, 0.0f, 16.0f);
    float *filter = byw_wl_uniforms(&wl, TAPS, 0.0f, 1.0f);
    float *rows = byw_wl_floats(&wl, cells), *want = byw_wl_floats(&wl, cells);
    float *got = byw_wl_floats(&wl, cells);
    host_convolve(image, rows, want, filter, width, height);

    cl_mem in = byw_wl_buffer(&wl, bytes, image), between = byw_wl_buffer(&wl, bytes, NULL);
    cl_mem out = byw_wl_buffer(&wl, bytes, NULL);
    cl_mem taps = byw_wl_buffer(&wl, TAPS * sizeof(float), filter);
    cl_kernel along = byw_wl_kernel(&wl, "convsep_rows");
    byw_wl_args(&wl, along, "mmmi", in, between, taps, width);
    byw_wl_launch_2d(&wl, along,
                     (size_t[2]){(size_t)(width / (16 * RESULTS)), (size_t)(height / 4)},
                     (size_t[2]){16, 4});
    cl_kernel down = byw_wl_kernel(&wl, "convsep_columns");
    byw_wl_args(&wl, down, "mmmii", between, out, taps, width, height);
    byw_wl_launch_2d(&wl, down, (size_t[2]){(size_t)(width / 16), (size_t)(height / (8 * RESULTS))},
                     (size_t[2]){16, 8});
    byw_wl_read(&wl, out, bytes, got);
    byw_wl_check_f32(&wl, "out", got, want, cells, 1e-4f, 1e-4f);
    return byw_wl_end(&wl);
}
