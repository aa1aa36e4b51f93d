/* SPDX-License-Identifier: Apache-2.0
 *
 * lud.c - LU decomposition of a random diagonally dominant matrix by blocks of 16.
 *
 * n / 16 steps of three launches (the last step is the diagonal block alone).  With --launches A-B
 * the host computes the other launches, so that a trace can contain only the wide first step of a
 * large matrix.
 */
#include "byw_wl.h"
#include "workloads/lud_cl.h"

enum { BLOCK = 16 };

static const struct byw_wl_option options[] = {
    {"n", "order of the matrix", {48, 512, 256}, 16, 4096, 16},
    {"first", "first launch that runs on the device, from 1", {1, 1, 1}, 1, 1000, 1},
    {"last", "last launch that runs on the device", {1000, 3, 1000}, 1, 1000, 1},
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

/* Computes launch `part` (0 diagonal, 1 perimeter, 2 internal) of the step at `offset` on the
 * host. */
static void host_launch(float *m, int n, int offset, int part)
{
    int next = offset + BLOCK, start = part == 2 ? next : offset;
    for (int row = start; row < n; row++) {
        for (int column = start; column < n; column++) {
            if ((row >= next) + (column >= next) != part)
                continue;
            int depth = (row < column ? row : column) - offset;
            for (int j = 0; j < depth && j < BLOCK; j++)
                m[row * n + column] -= m[row * n + offset + j] * m[(offset + j) * n + column];
            if (column < next && row > column)
                m[row * n + column] /= m[column * n + column];
        }
    }
}

static void device_launch(struct byw_wl *wl, cl_kernel kernel, cl_mem m, int n, int offset,
                          int part)
{
    size_t rest = (size_t)(n - offset) / BLOCK - 1;
    byw_wl_args(wl, kernel, "mii", m, n, offset);
    if (part == 0)
        byw_wl_launch(wl, kernel, 1, BLOCK);
    else if (part == 1)
        byw_wl_launch(wl, kernel, rest, 2 * BLOCK);
    else
        byw_wl_launch_2d(wl, kernel, (size_t[2]){rest, rest}, (size_t[2]){BLOCK, BLOCK});
}

static void solve(struct byw_wl *wl, float *matrix, int n)
{
    static const char *const name[3] = {"lud_diagonal", "lud_perimeter", "lud_internal"};
    size_t bytes = (size_t)n * (size_t)n * sizeof(float);
    long first = byw_wl_get(wl, "first"), last = byw_wl_get(wl, "last");
    int launches = 3 * (n / BLOCK) - 2;
    cl_mem m = byw_wl_buffer(wl, bytes, NULL);
    cl_kernel kernel[3];
    for (int part = 0; part < 3; part++)
        kernel[part] = byw_wl_kernel(wl, name[part]);
    for (int launch = 1; launch <= launches; launch++) {
        int offset = (launch - 1) / 3 * BLOCK, part = (launch - 1) % 3;
        bool on_device = launch >= first && launch <= last;
        if (launch == first)
            byw_wl_write(wl, m, bytes, matrix);
        if (on_device)
            device_launch(wl, kernel[part], m, n, offset, part);
        else
            host_launch(matrix, n, offset, part);
        if (on_device && (launch == last || launch == launches))
            byw_wl_read(wl, m, bytes, matrix);
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
            got[row * n + column] = want[row * n + column] =
                byw_wl_uniform(&wl, -1.0f, 1.0f) + (row == column ? (float)n : 0.0f);
    solve(&wl, got, n);
    host_lud(want, n);
    byw_wl_check_f32(&wl, "lu", got, want, cells, 1e-4f, 1e-4f);
    return byw_wl_end(&wl);
}
