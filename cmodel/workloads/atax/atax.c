/* SPDX-License-Identifier: Apache-2.0
 *
 * atax.c - matrix, transposed matrix and vector: y = A' (A x).
 */
#include "byw_wl.h"
#include "workloads/atax_cl.h"

enum { GROUP = 256 };

static const struct byw_wl_option options[] = {
    {"rows", "rows of the matrix", {96, 512, 4096}, 1, 16384, 1},
    {"columns", "columns of the matrix", {80, 512, 4096}, 1, 16384, 1},
};
static const struct byw_wl_about about = {
    "atax", "y = A' (A x) with one work-item per row, then per column", byw_wl_source, options,
    sizeof options / sizeof options[0]};

static void host_atax(const float *a, const float *x, float *y, int rows, int columns)
{
    for (int row = 0; row < rows; row++) {
        float sum = 0.0f;
        for (int column = 0; column < columns; column++)
            sum += a[row * columns + column] * x[column];
        for (int column = 0; column < columns; column++)
            y[column] += a[row * columns + column] * sum;
    }
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    int rows = byw_wl_get_int(&wl, "rows"), columns = byw_wl_get_int(&wl, "columns");
    size_t cells = (size_t)rows * (size_t)columns, width = (size_t)columns * sizeof(float);
    float *a = byw_wl_floats(&wl, cells), *x = byw_wl_floats(&wl, (size_t)columns);
    float *want = byw_wl_floats(&wl, (size_t)columns), *got = byw_wl_floats(&wl, (size_t)columns);
    for (size_t i = 0; i < cells; i++)
        a[i] = byw_wl_uniform(&wl, 0.0f, 1.0f);
    for (int i = 0; i < columns; i++)
        x[i] = byw_wl_uniform(&wl, 0.0f, 1.0f);

    cl_mem d_a = byw_wl_buffer(&wl, cells * sizeof(float), a);
    cl_mem d_x = byw_wl_buffer(&wl, width, x), d_y = byw_wl_buffer(&wl, width, NULL);
    cl_mem product = byw_wl_buffer(&wl, (size_t)rows * sizeof(float), NULL);
    cl_kernel by_row = byw_wl_kernel(&wl, "atax_rows");
    cl_kernel by_column = byw_wl_kernel(&wl, "atax_columns");
    byw_wl_args(&wl, by_row, "mmmii", d_a, d_x, product, rows, columns);
    byw_wl_launch(&wl, by_row, byw_wl_groups((size_t)rows, GROUP), GROUP);
    byw_wl_args(&wl, by_column, "mmmii", d_a, product, d_y, rows, columns);
    byw_wl_launch(&wl, by_column, byw_wl_groups((size_t)columns, GROUP), GROUP);
    byw_wl_read(&wl, d_y, width, got);
    host_atax(a, x, want, rows, columns);
    byw_wl_check_f32(&wl, "y", got, want, (size_t)columns, 1e-4f, 1e-5f);
    return byw_wl_end(&wl);
}
