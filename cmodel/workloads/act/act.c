/* SPDX-License-Identifier: Apache-2.0
 *
 * act.c - rectifier layer, forward or backward, one launch.
 */
#include "byw_wl.h"
#include "workloads/act_cl.h"

enum { GROUP = 256, VECTOR = 4 };

static const struct byw_wl_option options[] = {
    {"backward", "0: y from x, 1: dx from x and dy", {0, 0, 0}, 0, 1, 1},
    {"batch", "images", {1, 1, 100}, 1, 1000, 1},
    {"channels", "of an image", {3, 32, 32}, 1, 1024, 1},
    {"side", "of an image, values", {20, 256, 256}, 2, 1024, 2},
};
static const struct byw_wl_about about = {"act", "rectifier layer", byw_wl_source, options,
                                          sizeof options / sizeof options[0]};

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    bool backward = byw_wl_get(&wl, "backward") != 0;
    size_t side = (size_t)byw_wl_get(&wl, "side");
    size_t values =
        (size_t)byw_wl_get(&wl, "batch") * (size_t)byw_wl_get(&wl, "channels") * side * side;
    size_t vectors = values / VECTOR, bytes = values * sizeof(float);
    float *x = byw_wl_uniforms(&wl, values, -1.0f, 1.0f), *want = byw_wl_floats(&wl, values);
    float *dy = byw_wl_uniforms(&wl, backward ? values : 0, -1.0f, 1.0f);
    float *got = byw_wl_floats(&wl, values);
    for (size_t i = 0; i < values; i++)
        want[i] = x[i] > 0.0f ? (backward ? dy[i] : x[i]) : 0.0f;

    cl_mem d_x = byw_wl_buffer(&wl, bytes, x), out = byw_wl_buffer(&wl, bytes, NULL);
    cl_kernel kernel = byw_wl_kernel(&wl, backward ? "act_backward" : "act_forward");
    if (backward)
        byw_wl_args(&wl, kernel, "mmmi", d_x, byw_wl_buffer(&wl, bytes, dy), out, (int)vectors);
    else
        byw_wl_args(&wl, kernel, "mmi", d_x, out, (int)vectors);
    byw_wl_launch(&wl, kernel, byw_wl_groups(vectors, GROUP), GROUP);
    byw_wl_read(&wl, out, bytes, got);
    byw_wl_check_f32(&wl, backward ? "dx" : "y", got, want, values, 0.0f, 0.0f);
    return byw_wl_end(&wl);
}
