/* SPDX-License-Identifier: Apache-2.0
 *
 * gesummv.c - sum of two scaled matrix-vector products: y = alpha A x + beta B x.
 */
#include "byw_wl.h"
#include "workloads/gesummv_cl.h"

enum { GROUP = 256 };
#define ALPHA 1.5f
#define BETA 0.75f

static const struct byw_wl_option options[] = {
    {"n", "order of the matrices", {80, 480, 4096}, 1, 16384, 1},
};
static const struct byw_wl_about about = {
    "gesummv", "y = alpha A x + beta B x with one work-item per row", byw_wl_source, options,
    sizeof options / sizeof options[0]};

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    int n = byw_wl_get_int(&wl, "n");
    size_t order = (size_t)n, cells = order * order, bytes = order * sizeof(float);
    float *a = byw_wl_floats(&wl, cells), *b = byw_wl_floats(&wl, cells);
    float *x = byw_wl_floats(&wl, order), *want = byw_wl_floats(&wl, order);
    float *got = byw_wl_floats(&wl, order);
    for (size_t i = 0; i < cells; i++) {
        a[i] = byw_wl_uniform(&wl, 0.0f, 1.0f);
        b[i] = byw_wl_uniform(&wl, 0.0f, 1.0f);
    }
    for (size_t i = 0; i < order; i++)
        x[i] = byw_wl_uniform(&wl, 0.0f, 1.0f);

    cl_mem d_a = byw_wl_buffer(&wl, cells * sizeof(float), a);
    cl_mem d_b = byw_wl_buffer(&wl, cells * sizeof(float), b);
    cl_mem d_x = byw_wl_buffer(&wl, bytes, x), d_y = byw_wl_buffer(&wl, bytes, NULL);
    cl_kernel kernel = byw_wl_kernel(&wl, "gesummv_rows");
    byw_wl_args(&wl, kernel, "mmmmffi", d_a, d_b, d_x, d_y, (double)ALPHA, (double)BETA, n);
    byw_wl_launch(&wl, kernel, byw_wl_groups(order, GROUP), GROUP);
    byw_wl_read(&wl, d_y, bytes, got);
    for (size_t row = 0; row < order; row++)
        for (size_t column = 0; column < order; column++)
            want[row] +=
                (ALPHA * a[row * order + column] + BETA * b[row * order + column]) * x[column];
    byw_wl_check_f32(&wl, "y", got, want, order, 1e-4f, 1e-5f);
    return byw_wl_end(&wl);
}
