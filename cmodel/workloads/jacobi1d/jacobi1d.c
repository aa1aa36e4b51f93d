/* SPDX-License-Identifier: Apache-2.0
 *
 * jacobi1d.c - three-point relaxation of a short row: two launches of 16 groups per step.
 */
#include "byw_wl.h"
#include "workloads/jacobi1d_cl.h"

enum { GROUP = 256 };

static const struct byw_wl_option options[] = {
    {"n", "cells", {600, 4096, 4096}, 3, 1 << 22, 1},
    {"steps", "time steps", {5, 60, 10000}, 1, 100000, 1},
};
static const struct byw_wl_about about = {
    "jacobi1d", "three-point relaxation, a tiny grid launched many times", byw_wl_source, options,
    sizeof options / sizeof options[0]};

static void host_step(float *a, float *b, int n)
{
    for (int i = 1; i < n - 1; i++)
        b[i] = 0.33333f * (a[i - 1] + a[i] + a[i + 1]);
    for (int i = 1; i < n - 1; i++)
        a[i] = b[i];
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    int n = byw_wl_get_int(&wl, "n");
    size_t cells = (size_t)n, bytes = cells * sizeof(float);
    size_t groups = byw_wl_groups(cells, GROUP);
    float *a = byw_wl_uniforms(&wl, cells, 0.0f, 1.0f), *b = byw_wl_floats(&wl, cells);
    float *got = byw_wl_floats(&wl, cells);
    cl_mem d_a = byw_wl_buffer(&wl, bytes, a), d_b = byw_wl_buffer(&wl, bytes, b);
    cl_kernel relax = byw_wl_kernel(&wl, "jacobi1d_relax");
    cl_kernel copy = byw_wl_kernel(&wl, "jacobi1d_copy");
    byw_wl_args(&wl, relax, "mmi", d_a, d_b, n);
    byw_wl_args(&wl, copy, "mmi", d_a, d_b, n);
    for (long step = byw_wl_get(&wl, "steps"); step > 0; step--) {
        byw_wl_launch(&wl, relax, groups, GROUP);
        byw_wl_launch(&wl, copy, groups, GROUP);
        host_step(a, b, n);
    }
    byw_wl_read(&wl, d_a, bytes, got);
    byw_wl_check_f32(&wl, "a", got, a, cells, 1e-4f, 1e-6f);
    return byw_wl_end(&wl);
}
