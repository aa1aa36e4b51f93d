/* SPDX-License-Identifier: Apache-2.0
 *
 * lud.c - LU decomposition of a random diagonally dominant matrix by blocks of 16.
 *
 * n / 16 steps of up to three launches (the last step is the diagonal block alone).
 */
#include "byw_wl.h"
#include "workloads/lud_cl.h"

enum { BLOCK = 16 };

static const struct byw_wl_option options[] = {
    {"n", "order of the matrix", {48, 128, 256}, 16, 4096, 16},
};
static const struct byw_wl_about about = {
    "lud", "blocked LU decomposition: diagonal, perimeter and internal kernels", byw_wl_source,
    options, sizeof options / sizeof options[0]};

static void host_lud(float *m, int n)
{
    for (int k = 0; k < n; k++) {
        for (int row = k + 1; row < n; row++) {
            float factor = m[row * n + k] / m[k * n + k];
            m[row * n + k] = factor;
            for (int column = k + 1; column < n; column++)
                m[row * n + column] -= factor * m[k * n + column];
        }
    }
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    int n = byw_wl_get_int(&wl, "n");
    size_t cells = (size_t)n * (size_t)n;
    float *want = byw_wl_floats(&wl, cells), *got = byw_wl_floats(&wl, cells);
    for (int row = 0; row < n; row++)
        for (int column = 0; column < n; column++)
            want[row * n + column] =
                byw_wl_uniform(&wl, -1.0f, 1.0f) + (row == column ? (float)n : 0.0f);
    cl_mem m = byw_wl_buffer(&wl, cells * sizeof(float), want);
    cl_kernel diagonal = byw_wl_kernel(&wl, "lud_diagonal");
    cl_kernel perimeter = byw_wl_kernel(&wl, "lud_perimeter");
    cl_kernel internal = byw_wl_kernel(&wl, "lud_internal");

    for (int offset = 0; offset < n; offset += BLOCK) {
        size_t rest = (size_t)(n - offset) / BLOCK - 1;
        byw_wl_args(&wl, diagonal, "mii", m, n, offset);
        byw_wl_launch(&wl, diagonal, 1, BLOCK);
        if (rest == 0)
            break;
        byw_wl_args(&wl, perimeter, "mii", m, n, offset);
        byw_wl_launch(&wl, perimeter, rest, 2 * BLOCK);
        byw_wl_args(&wl, internal, "mii", m, n, offset);
        byw_wl_launch_2d(&wl, internal, (size_t[2]){rest, rest}, (size_t[2]){BLOCK, BLOCK});
    }
    byw_wl_read(&wl, m, cells * sizeof(float), got);
    host_lud(want, n);
    byw_wl_check_f32(&wl, "lu", got, want, cells, 1e-4f, 1e-4f);
    return byw_wl_end(&wl);
}
