/* SPDX-License-Identifier: Apache-2.0
 *
 * mvt.c - a matrix times one vector and its transpose times another, two launches.
 */
#include "byw_wl.h"
#include "workloads/mvt_cl.h"

enum { GROUP = 256 };

static const struct byw_wl_option options[] = {
    {"n", "order of the matrix", {90, 512, 4096}, 1, 16384, 1},
};
static const struct byw_wl_about about = {"mvt", "x1 += A y1 and x2 += A' y2", byw_wl_source,
                                          options, sizeof options / sizeof options[0]};

static void run(struct byw_wl *wl, const char *name, cl_mem a, const float *x, const float *y,
                const float *want, int n)
{
    size_t bytes = (size_t)n * sizeof(float);
    float *got = byw_wl_floats(wl, (size_t)n);
    cl_mem d_x = byw_wl_buffer(wl, bytes, x), d_y = byw_wl_buffer(wl, bytes, y);
    cl_kernel kernel = byw_wl_kernel(wl, name);
    byw_wl_args(wl, kernel, "mmmi", a, d_x, d_y, n);
    byw_wl_launch(wl, kernel, byw_wl_groups((size_t)n, GROUP), GROUP);
    byw_wl_read(wl, d_x, bytes, got);
    byw_wl_check_f32(wl, name, got, want, (size_t)n, 1e-4f, 1e-4f);
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    int n = byw_wl_get_int(&wl, "n");
    size_t order = (size_t)n, cells = order * order;
    float *a = byw_wl_uniforms(&wl, cells, -1.0f, 1.0f);
    float *x1 = byw_wl_uniforms(&wl, order, -1.0f, 1.0f);
    float *x2 = byw_wl_uniforms(&wl, order, -1.0f, 1.0f);
    float *y1 = byw_wl_uniforms(&wl, order, -1.0f, 1.0f);
    float *y2 = byw_wl_uniforms(&wl, order, -1.0f, 1.0f);
    float *want1 = byw_wl_floats(&wl, order), *want2 = byw_wl_floats(&wl, order);
    for (int i = 0; i < n; i++) {
        double sum1 = (double)x1[i], sum2 = (double)x2[i];
        for (int j = 0; j < n; j++) {
            sum1 += (double)a[i * n + j] * (double)y1[j];
            sum2 += (double)a[j * n + i] * (double)y2[j];
        }
        want1[i] = (float)sum1;
        want2[i] = (float)sum2;
    }
    cl_mem d_a = byw_wl_buffer(&wl, cells * sizeof(float), a);
    run(&wl, "mvt_rows", d_a, x1, y1, want1, n);
    run(&wl, "mvt_columns", d_a, x2, y2, want2, n);
    return byw_wl_end(&wl);
}
