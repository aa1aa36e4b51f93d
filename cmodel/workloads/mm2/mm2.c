/* SPDX-License-Identifier: Apache-2.0
 *
 * mm2.c - two chained matrix products, E = (A B) D, one launch of 32 x 8 groups each.
 */
#include "byw_wl.h"
#include "workloads/mm2_cl.h"

static const struct byw_wl_option options[] = {
    {"n", "order of the matrices", {40, 80, 1024}, 1, 4096, 1},
};
static const struct byw_wl_about about = {"mm2", "E = (A B) D through the cache", byw_wl_source,
                                          options, sizeof options / sizeof options[0]};

static void host_product(const float *left, const float *right, float *out, int n)
{
    for (int row = 0; row < n; row++) {
        for (int column = 0; column < n; column++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++)
                sum += (double)left[row * n + k] * (double)right[k * n + column];
            out[row * n + column] = (float)sum;
        }
    }
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    int n = byw_wl_get_int(&wl, "n");
    size_t cells = (size_t)n * (size_t)n, bytes = cells * sizeof(float);
    float *a = byw_wl_uniforms(&wl, cells, -1.0f, 1.0f);
    float *b = byw_wl_uniforms(&wl, cells, -1.0f, 1.0f);
    float *d = byw_wl_uniforms(&wl, cells, -1.0f, 1.0f);
    float *c = byw_wl_floats(&wl, cells), *want = byw_wl_floats(&wl, cells);
    float *got = byw_wl_floats(&wl, cells);
    host_product(a, b, c, n);
    host_product(c, d, want, n);
    cl_mem d_a = byw_wl_buffer(&wl, bytes, a), d_b = byw_wl_buffer(&wl, bytes, b);
    cl_mem d_c = byw_wl_buffer(&wl, bytes, NULL), d_d = byw_wl_buffer(&wl, bytes, d);
    cl_mem d_e = byw_wl_buffer(&wl, bytes, NULL);
    size_t groups[2] = {byw_wl_groups((size_t)n, 32), byw_wl_groups((size_t)n, 8)};
    cl_kernel kernel = byw_wl_kernel(&wl, "mm2_product");
    byw_wl_args(&wl, kernel, "mmmi", d_a, d_b, d_c, n);
    byw_wl_launch_2d(&wl, kernel, groups, (size_t[2]){32, 8});
    byw_wl_args(&wl, kernel, "mmmi", d_c, d_d, d_e, n);
    byw_wl_launch_2d(&wl, kernel, groups, (size_t[2]){32, 8});
    byw_wl_read(&wl, d_e, bytes, got);
    byw_wl_check_f32(&wl, "e", got, want, cells, 1e-4f, 1e-3f);
    return byw_wl_end(&wl);
}
