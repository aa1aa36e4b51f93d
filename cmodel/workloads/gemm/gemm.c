/* SPDX-License-Identifier: Apache-2.0
 *
 * gemm.c - matrix multiply, either relying on the cache (32 x 8 groups) or with tiles in local
 * memory (16 x 16 groups).
 */
#include "byw_wl.h"
#include "workloads/gemm_cl.h"

static const struct byw_wl_option options[] = {
    {"n", "order of the matrices", {40, 128, 256}, 1, 4096, 1},
    {"tiled", "0: through the cache, 1: tiles in local memory, 2: both", {2, 0, 0}, 0, 2, 1},
};
static const struct byw_wl_about about = {
    "gemm", "matrix multiply through the cache or through local memory", byw_wl_source, options,
    sizeof options / sizeof options[0]};

#define ALPHA 1.5f
#define BETA 0.25f

static void host_gemm(const float *a, const float *b, float *c, int n)
{
    for (int row = 0; row < n; row++) {
        for (int column = 0; column < n; column++) {
            double sum = (double)BETA * (double)c[row * n + column];
            for (int k = 0; k < n; k++)
                sum += (double)ALPHA * (double)a[row * n + k] * (double)b[k * n + column];
            c[row * n + column] = (float)sum;
        }
    }
}

/* Computes one product with one of the two kernels, where c is the second summand, and compares it
 * with want. */
static void multiply(struct byw_wl *wl, bool tiled, int n, cl_mem a, cl_mem b, const float *c,
                     const float *want)
{
    size_t cells = (size_t)n * (size_t)n, bytes = cells * sizeof(float);
    float *got = byw_wl_floats(wl, cells);
    cl_mem d_c = byw_wl_buffer(wl, bytes, c);
    cl_kernel kernel = byw_wl_kernel(wl, tiled ? "gemm_tiled" : "gemm_cache");
    byw_wl_args(wl, kernel, "mmmffi", a, b, d_c, (double)ALPHA, (double)BETA, n);
    size_t block[2] = {tiled ? 16 : 32, tiled ? 16 : 8};
    size_t groups[2] = {byw_wl_groups((size_t)n, block[0]), byw_wl_groups((size_t)n, block[1])};
    byw_wl_launch_2d(wl, kernel, groups, block);
    byw_wl_read(wl, d_c, bytes, got);
    byw_wl_check_f32(wl, tiled ? "c (tiled)" : "c", got, want, cells, 1e-4f, 1e-4f);
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    int n = byw_wl_get_int(&wl, "n");
    long tiled = byw_wl_get(&wl, "tiled");
    size_t cells = (size_t)n * (size_t)n, bytes = cells * sizeof(float);
    float *a = byw_wl_floats(&wl, cells), *b = byw_wl_floats(&wl, cells);
    float *c = byw_wl_floats(&wl, cells), *want = byw_wl_floats(&wl, cells);
    for (size_t i = 0; i < cells; i++) {
        a[i] = byw_wl_uniform(&wl, -1.0f, 1.0f);
        b[i] = byw_wl_uniform(&wl, -1.0f, 1.0f);
        c[i] = want[i] = byw_wl_uniform(&wl, -1.0f, 1.0f);
    }
    host_gemm(a, b, want, n);
    cl_mem d_a = byw_wl_buffer(&wl, bytes, a), d_b = byw_wl_buffer(&wl, bytes, b);
    if (tiled != 1)
        multiply(&wl, false, n, d_a, d_b, c, want);
    if (tiled != 0)
        multiply(&wl, true, n, d_a, d_b, c, want);
    return byw_wl_end(&wl);
}
