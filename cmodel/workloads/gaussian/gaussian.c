/* SPDX-License-Identifier: Apache-2.0
 *
 * gaussian.c - solves a x = b by elimination on the device and back substitution on the host.
 *
 * 2 * (n - 1) launches; each has a grid of the size of the whole matrix, so that more and more
 * work-items have nothing to do.
 */
#include "byw_wl.h"
#include "workloads/gaussian_cl.h"

enum { LINE = 512, SIDE = 4 };

static const struct byw_wl_option options[] = {
    {"n", "unknowns", {20, 32, 4}, 2, 4096, 1},
};
static const struct byw_wl_about about = {
    "gaussian", "Gaussian elimination, two launches per column", byw_wl_source, options,
    sizeof options / sizeof options[0]};

static void eliminate(struct byw_wl *wl, float *a, float *b, int n)
{
    size_t cells = (size_t)n * (size_t)n, bytes = cells * sizeof(float);
    float *zero = byw_wl_floats(wl, cells);
    cl_mem d_a = byw_wl_buffer(wl, bytes, a);
    cl_mem d_b = byw_wl_buffer(wl, (size_t)n * sizeof(float), b);
    cl_mem multiplier = byw_wl_buffer(wl, bytes, zero);
    cl_kernel column = byw_wl_kernel(wl, "gauss_multipliers");
    cl_kernel rows = byw_wl_kernel(wl, "gauss_rows");
    size_t side = byw_wl_groups((size_t)n, SIDE);
    for (int t = 0; t < n - 1; t++) {
        byw_wl_args(wl, column, "mmii", multiplier, d_a, n, t);
        byw_wl_launch(wl, column, byw_wl_groups((size_t)n, LINE), LINE);
        byw_wl_args(wl, rows, "mmmii", multiplier, d_a, d_b, n, t);
        byw_wl_launch_2d(wl, rows, (size_t[2]){side, side}, (size_t[2]){SIDE, SIDE});
    }
    byw_wl_read(wl, d_a, bytes, a);
    byw_wl_read(wl, d_b, (size_t)n * sizeof(float), b);
}

static void substitute_back(const float *a, const float *b, float *x, int n)
{
    for (int i = n - 1; i >= 0; i--) {
        x[i] = b[i];
        for (int j = i + 1; j < n; j++)
            x[i] -= a[i * n + j] * x[j];
        x[i] /= a[i * n + i];
    }
}

/* The right-hand side is computed from a known solution, which the result must equal. */
int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    int n = byw_wl_get_int(&wl, "n");
    float *a = byw_wl_floats(&wl, (size_t)n * (size_t)n), *b = byw_wl_floats(&wl, (size_t)n);
    float *want = byw_wl_floats(&wl, (size_t)n), *got = byw_wl_floats(&wl, (size_t)n);
    for (int i = 0; i < n; i++)
        want[i] = byw_wl_uniform(&wl, 1.0f, 2.0f);
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++) {
            a[i * n + j] = byw_wl_uniform(&wl, -1.0f, 1.0f) + (i == j ? (float)n : 0.0f);
            sum += (double)a[i * n + j] * (double)want[j];
        }
        b[i] = (float)sum;
    }
    eliminate(&wl, a, b, n);
    substitute_back(a, b, got, n);
    byw_wl_check_f32(&wl, "x", got, want, (size_t)n, 1e-4f, 1e-5f);
    return byw_wl_end(&wl);
}
