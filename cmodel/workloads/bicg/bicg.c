/* SPDX-License-Identifier: Apache-2.0
 *
 * bicg.c - the matrix products of a biconjugate gradient step: s = A' r, q = A p.
 */
#include "byw_wl.h"
#include "workloads/bicg_cl.h"

enum { GROUP = 256 };

static const struct byw_wl_option options[] = {
    {"rows", "rows of the matrix", {96, 512, 4096}, 1, 16384, 1},
    {"columns", "columns of the matrix", {80, 480, 4096}, 1, 16384, 1},
};
static const struct byw_wl_about about = {"bicg", "s = A' r and q = A p", byw_wl_source, options,
                                          sizeof options / sizeof options[0]};

static float *random_floats(struct byw_wl *wl, size_t count)
{
    float *values = byw_wl_floats(wl, count);
    for (size_t i = 0; i < count; i++)
        values[i] = byw_wl_uniform(wl, 0.0f, 1.0f);
    return values;
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    int rows = byw_wl_get_int(&wl, "rows"), columns = byw_wl_get_int(&wl, "columns");
    size_t height = (size_t)rows, width = (size_t)columns;
    float *a = random_floats(&wl, height * width), *r = random_floats(&wl, height);
    float *p = random_floats(&wl, width), *q = byw_wl_floats(&wl, height);
    float *s = byw_wl_floats(&wl, width), *got_q = byw_wl_floats(&wl, height);
    float *got_s = byw_wl_floats(&wl, width);

    cl_mem d_a = byw_wl_buffer(&wl, height * width * sizeof(float), a);
    cl_mem d_r = byw_wl_buffer(&wl, height * sizeof(float), r);
    cl_mem d_p = byw_wl_buffer(&wl, width * sizeof(float), p);
    cl_mem d_q = byw_wl_buffer(&wl, height * sizeof(float), NULL);
    cl_mem d_s = byw_wl_buffer(&wl, width * sizeof(float), NULL);
    cl_kernel by_column = byw_wl_kernel(&wl, "bicg_columns");
    cl_kernel by_row = byw_wl_kernel(&wl, "bicg_rows");
    byw_wl_args(&wl, by_column, "mmmii", d_a, d_r, d_s, rows, columns);
    byw_wl_launch(&wl, by_column, byw_wl_groups(width, GROUP), GROUP);
    byw_wl_args(&wl, by_row, "mmmii", d_a, d_p, d_q, rows, columns);
    byw_wl_launch(&wl, by_row, byw_wl_groups(height, GROUP), GROUP);
    byw_wl_read(&wl, d_s, width * sizeof(float), got_s);
    byw_wl_read(&wl, d_q, height * sizeof(float), got_q);

    for (size_t row = 0; row < height; row++) {
        for (size_t column = 0; column < width; column++) {
            s[column] += r[row] * a[row * width + column];
            q[row] += p[column] * a[row * width + column];
        }
    }
    byw_wl_check_f32(&wl, "s", got_s, s, width, 1e-4f, 1e-5f);
    byw_wl_check_f32(&wl, "q", got_q, q, height, 1e-4f, 1e-5f);
    return byw_wl_end(&wl);
}
