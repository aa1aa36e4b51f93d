/* SPDX-License-Identifier: Apache-2.0
 *
 * syrk.c - symmetric rank-m update, one launch of 32 x 8 groups.
 *
 * The distance between rows of A affects the cache, so the small input has long rows, but only a
 * few.
 */
#include "byw_wl.h"
#include "workloads/syrk_cl.h"

static const struct byw_wl_option options[] = {
    {"n", "rows of A, order of C", {40, 64, 1024}, 1, 4096, 1},
    {"m", "columns of A", {50, 256, 1024}, 1, 4096, 1},
};
static const struct byw_wl_about about = {"syrk", "C = beta C + alpha A A'", byw_wl_source, options,
                                          sizeof options / sizeof options[0]};

#define ALPHA 1.5f
#define BETA 0.25f

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    int n = byw_wl_get_int(&wl, "n"), m = byw_wl_get_int(&wl, "m");
    size_t cells = (size_t)n * (size_t)n, inputs = (size_t)n * (size_t)m;
    float *a = byw_wl_uniforms(&wl, inputs, -1.0f, 1.0f);
    float *c = byw_wl_uniforms(&wl, cells, -1.0f, 1.0f);
    float *want = byw_wl_floats(&wl, cells), *got = byw_wl_floats(&wl, cells);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = (double)BETA * (double)c[i * n + j];
            for (int k = 0; k < m; k++)
                sum += (double)ALPHA * (double)a[i * m + k] * (double)a[j * m + k];
            want[i * n + j] = (float)sum;
        }
    }
    cl_mem d_a = byw_wl_buffer(&wl, inputs * sizeof(float), a);
    cl_mem d_c = byw_wl_buffer(&wl, cells * sizeof(float), c);
    cl_kernel kernel = byw_wl_kernel(&wl, "syrk");
    byw_wl_args(&wl, kernel, "mmffii", d_a, d_c, (double)ALPHA, (double)BETA, n, m);
    byw_wl_launch_2d(&wl, kernel,
                     (size_t[2]){byw_wl_groups((size_t)n, 32), byw_wl_groups((size_t)n, 8)},
                     (size_t[2]){32, 8});
    byw_wl_read(&wl, d_c, cells * sizeof(float), got);
    byw_wl_check_f32(&wl, "c", got, want, cells, 1e-4f, 1e-4f);
    return byw_wl_end(&wl);
}
