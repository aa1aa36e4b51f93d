/* SPDX-License-Identifier: Apache-2.0
 *
 * matmul.c - matrix product by 64 x 64 tiles with registers, single or double precision.
 */
#include "byw_wl.h"
#include "workloads/matmul_cl.h"

#include <math.h>

enum { TILE = 64, SIDE = 16 };

static const struct byw_wl_option options[] = {
    {"double", "0: single precision, 1: double", {0, 0, 0}, 0, 1, 1},
    {"m", "rows of A and C", {128, 512, 4096}, TILE, 16384, TILE},
    {"n", "columns of B and C", {64, 128, 128}, TILE, 16384, TILE},
    {"k", "columns of A, rows of B", {48, 128, 4096}, SIDE, 16384, SIDE},
};
static const struct byw_wl_about about = {"matmul", "matrix product by register tiles",
                                          byw_wl_source, options,
                                          sizeof options / sizeof options[0]};

struct product {
    size_t m, n, k;
    double *a, *b, *want;
};

/* All bits of a double are random, so that a product in single precision cannot pass the check. */
static double *randoms(struct byw_wl *wl, size_t count)
{
    double *value = byw_wl_alloc(wl, count, sizeof *value);
    for (size_t i = 0; i < count; i++)
        value[i] = (double)byw_wl_uniform(wl, -1.0f, 1.0f) +
                   0x1p-26 * (double)byw_wl_uniform(wl, -1.0f, 1.0f);
    return value;
}

static void host_product(const struct product *p)
{
    for (size_t row = 0; row < p->m; row++)
        for (size_t k = 0; k < p->k; k++)
            for (size_t column = 0; column < p->n; column++)
                p->want[row * p->n + column] += p->a[row * p->k + k] * p->b[k * p->n + column];
}

static void launch(struct byw_wl *wl, const char *name, const struct product *p, cl_mem a, cl_mem b,
                   cl_mem c)
{
    cl_kernel kernel = byw_wl_kernel(wl, name);
    byw_wl_args(wl, kernel, "mmmii", a, b, c, (int)p->n, (int)p->k);
    byw_wl_launch_2d(wl, kernel, (size_t[2]){p->n / TILE, p->m / TILE}, (size_t[2]){SIDE, SIDE});
}

static cl_mem rounded(struct byw_wl *wl, size_t count, const double *value)
{
    float *single = byw_wl_floats(wl, count);
    for (size_t i = 0; i < count; i++)
        single[i] = (float)value[i];
    return byw_wl_buffer(wl, count * sizeof *single, single);
}

static void run_single(struct byw_wl *wl, const struct product *p)
{
    size_t cells = p->m * p->n;
    float *got = byw_wl_floats(wl, cells), *want = byw_wl_floats(wl, cells);
    cl_mem c = byw_wl_buffer(wl, cells * sizeof *got, NULL);
    launch(wl, "matmul_single", p, rounded(wl, p->m * p->k, p->a), rounded(wl, p->k * p->n, p->b),
           c);
    byw_wl_read(wl, c, cells * sizeof *got, got);
    for (size_t i = 0; i < cells; i++)
        want[i] = (float)p->want[i];
    byw_wl_check_f32(wl, "c", got, want, cells, 1e-4f, 1e-3f);
}

/* Allows an error of 1e-12 k, far less than single precision would leave. */
static void run_double(struct byw_wl *wl, const struct product *p)
{
    size_t cells = p->m * p->n, bytes = cells * sizeof(double);
    double *got = byw_wl_alloc(wl, cells, sizeof *got);
    cl_mem c = byw_wl_buffer(wl, bytes, NULL);
    launch(wl, "matmul_double", p, byw_wl_buffer(wl, p->m * p->k * sizeof(double), p->a),
           byw_wl_buffer(wl, p->k * p->n * sizeof(double), p->b), c);
    byw_wl_read(wl, c, bytes, got);
    for (size_t i = 0; i < cells; i++)
        if (!(fabs(got[i] - p->want[i]) <= 1e-12 * (double)p->k))
            byw_wl_fail(wl, "c[%zu]: found %.17g, expected %.17g", i, got[i], p->want[i]);
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    struct product p = {.m = (size_t)byw_wl_get(&wl, "m"),
                        .n = (size_t)byw_wl_get(&wl, "n"),
                        .k = (size_t)byw_wl_get(&wl, "k")};
    p.a = randoms(&wl, p.m * p.k);
    p.b = randoms(&wl, p.k * p.n);
    p.want = byw_wl_alloc(&wl, p.m * p.n, sizeof *p.want);
    host_product(&p);
    if (byw_wl_get(&wl, "double"))
        run_double(&wl, &p);
    else
        run_single(&wl, &p);
    return byw_wl_end(&wl);
}
