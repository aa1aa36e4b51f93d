/* SPDX-License-Identifier: Apache-2.0
 *
 * conv2d.c - 3 x 3 convolution of a square image; the border remains unchanged.
 */
#include "byw_wl.h"
#include "workloads/conv2d_cl.h"

static const struct byw_wl_option options[] = {
    {"n", "rows and columns of the image", {50, 384, 4096}, 3, 8192, 1},
};
static const struct byw_wl_about about = {
    "conv2d", "3 x 3 convolution through the cache, groups of 32 x 8", byw_wl_source, options,
    sizeof options / sizeof options[0]};

static const float weight[9] = {0.2f, -0.3f, 0.4f, 0.5f, 0.6f, 0.7f, -0.8f, -0.9f, 0.1f};

static void host_conv(const float *in, float *out, int n)
{
    for (int y = 1; y < n - 1; y++) {
        for (int x = 1; x < n - 1; x++) {
            float sum = 0.0f;
            for (int k = 0; k < 9; k++)
                sum += weight[k] * in[(y + k / 3 - 1) * n + x + k % 3 - 1];
            out[y * n + x] = sum;
        }
    }
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    int n = byw_wl_get_int(&wl, "n");
    size_t cells = (size_t)n * (size_t)n, bytes = cells * sizeof(float);
    float *in = byw_wl_floats(&wl, cells), *want = byw_wl_floats(&wl, cells);
    float *got = byw_wl_floats(&wl, cells);
    for (size_t i = 0; i < cells; i++)
        in[i] = byw_wl_uniform(&wl, 0.0f, 1.0f);
    cl_mem d_in = byw_wl_buffer(&wl, bytes, in), d_out = byw_wl_buffer(&wl, bytes, got);
    cl_mem d_weight = byw_wl_buffer(&wl, sizeof weight, weight);
    cl_kernel kernel = byw_wl_kernel(&wl, "conv2d");
    byw_wl_args(&wl, kernel, "mmmii", d_in, d_out, d_weight, n, n);
    size_t block[2] = {32, 8};
    size_t groups[2] = {byw_wl_groups((size_t)n, block[0]), byw_wl_groups((size_t)n, block[1])};
    byw_wl_launch_2d(&wl, kernel, groups, block);
    byw_wl_read(&wl, d_out, bytes, got);
    host_conv(in, want, n);
    byw_wl_check_f32(&wl, "out", got, want, cells, 1e-5f, 1e-5f);
    return byw_wl_end(&wl);
}
