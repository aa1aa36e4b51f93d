/* SPDX-License-Identifier: Apache-2.0
 *
 * lrn.c - local response normalisation across channels, forward, one launch.
 */
#include "byw_wl.h"
#include "workloads/lrn_cl.h"

#include <math.h>

enum { GROUP = 256, WINDOW = 5 };
#define BASE 2.0f
#define ALPHA 1e-2f
#define BETA 0.75f

static const struct byw_wl_option options[] = {
    {"batch", "images", {2, 1, 100}, 1, 1000, 1},
    {"channels", "of an image", {7, 32, 32}, 1, 1024, 1},
    {"side", "of an image, values", {20, 128, 256}, 1, 1024, 1},
};
static const struct byw_wl_about about = {"lrn", "local response normalisation layer",
                                          byw_wl_source, options,
                                          sizeof options / sizeof options[0]};

static void host_pixel(const float *x, float *y, float *scale, int channels, int plane)
{
    for (int c = 0; c < channels; c++) {
        double sum = 0.0;
        for (int d = c - WINDOW / 2; d <= c + WINDOW / 2; d++)
            if (d >= 0 && d < channels)
                sum += (double)x[d * plane] * (double)x[d * plane];
        double divisor = (double)BASE + (double)(ALPHA / WINDOW) * sum;
        scale[c * plane] = (float)divisor;
        y[c * plane] = (float)((double)x[c * plane] * pow(divisor, -(double)BETA));
    }
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    int batch = byw_wl_get_int(&wl, "batch"), channels = byw_wl_get_int(&wl, "channels");
    int side = byw_wl_get_int(&wl, "side"), plane = side * side;
    size_t values = (size_t)batch * (size_t)channels * (size_t)plane;
    size_t bytes = values * sizeof(float);
    float *x = byw_wl_uniforms(&wl, values, -8.0f, 8.0f), *got = byw_wl_floats(&wl, values);
    float *y = byw_wl_floats(&wl, values), *scale = byw_wl_floats(&wl, values);
    for (int n = 0; n < batch; n++) {
        for (int p = 0; p < plane; p++) {
            size_t at = (size_t)n * (size_t)channels * (size_t)plane + (size_t)p;
            host_pixel(x + at, y + at, scale + at, channels, plane);
        }
    }
    cl_mem d_x = byw_wl_buffer(&wl, bytes, x), d_y = byw_wl_buffer(&wl, bytes, NULL);
    cl_mem d_scale = byw_wl_buffer(&wl, bytes, NULL);
    cl_kernel kernel = byw_wl_kernel(&wl, "lrn_forward");
    byw_wl_args(&wl, kernel, "mmmiifff", d_x, d_y, d_scale, channels, plane, (double)BASE,
                (double)(ALPHA / WINDOW), (double)BETA);
    byw_wl_launch_2d(&wl, kernel, (size_t[2]){byw_wl_groups((size_t)plane, GROUP), (size_t)batch},
                     (size_t[2]){GROUP, 1});
    byw_wl_read(&wl, d_y, bytes, got);
    byw_wl_check_f32(&wl, "y", got, y, values, 1e-4f, 1e-5f);
    byw_wl_read(&wl, d_scale, bytes, got);
    byw_wl_check_f32(&wl, "scale", got, scale, values, 1e-5f, 0.0f);
    return byw_wl_end(&wl);
}
