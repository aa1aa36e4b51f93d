/* SPDX-License-Identifier: Apache-2.0
 *
 * fc.c - fully connected layer, forward, one launch.
 */
#include "byw_wl.h"
#include "byw_wl_layer.h"
#include "workloads/fc_cl.h"

enum { TILE = 32, SIDE = 16 };

static const struct byw_wl_option options[] = {
    {"samples", "of the batch", {40, 25, 100}, 1, 4096, 1},
    {"inputs", "of the layer", {50, 573, 9162}, 1, 65536, 1},
    {"outputs", "of the layer", {70, 320, 4096}, 1, 65536, 1},
};
static const struct byw_wl_about about = {"fc", "fully connected layer", byw_wl_source, options,
                                          sizeof options / sizeof options[0]};

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    int samples = byw_wl_get_int(&wl, "samples"), inputs = byw_wl_get_int(&wl, "inputs");
    int outputs = byw_wl_get_int(&wl, "outputs");
    size_t cells = (size_t)samples * (size_t)outputs, x_cells = (size_t)samples * (size_t)inputs;
    size_t weights = (size_t)inputs * (size_t)outputs;
    float *x = byw_wl_uniforms(&wl, x_cells, -1.0f, 1.0f);
    float *weight = byw_wl_uniforms(&wl, weights, -1.0f, 1.0f);
    float *bias = byw_wl_uniforms(&wl, (size_t)outputs, -1.0f, 1.0f);
    float *want = byw_wl_floats(&wl, cells), *got = byw_wl_floats(&wl, cells);
    for (int s = 0; s < samples; s++)
        byw_wl_host_dense(x + (size_t)s * (size_t)inputs, weight, bias, inputs, outputs,
                          want + (size_t)s * (size_t)outputs);
    cl_mem d_x = byw_wl_buffer(&wl, x_cells * sizeof(float), x);
    cl_mem d_weight = byw_wl_buffer(&wl, weights * sizeof(float), weight);
    cl_mem d_bias = byw_wl_buffer(&wl, (size_t)outputs * sizeof(float), bias);
    cl_mem y = byw_wl_buffer(&wl, cells * sizeof(float), NULL);
    cl_kernel kernel = byw_wl_kernel(&wl, "fc_forward");
    byw_wl_args(&wl, kernel, "mmmmiii", d_x, d_weight, d_bias, y, samples, inputs, outputs);
    byw_wl_launch_2d(
        &wl, kernel,
        (size_t[2]){byw_wl_groups((size_t)outputs, TILE), byw_wl_groups((size_t)samples, TILE)},
        (size_t[2]){SIDE, SIDE});
    byw_wl_read(&wl, y, cells * sizeof(float), got);
    byw_wl_check_f32(&wl, "y", got, want, cells, 1e-4f, 1e-3f);
    return byw_wl_end(&wl);
}
