/* SPDX-License-Identifier: Apache-2.0
 *
 * adi.c - alternating-direction implicit steps: three launches along rows, then one launch per
 * row and direction along columns.
 *
 * The distance between rows affects the cache, so the small input has long rows, but only a few.
 */
#include "byw_wl.h"
#include "workloads/adi_cl.h"

enum { GROUP = 256 };

static const struct byw_wl_option options[] = {
    {"rows", "of the grid", {40, 128, 1024}, 3, 4096, 1},
    {"columns", "of the grid", {50, 512, 1024}, 3, 4096, 1},
    {"steps", "time steps", {2, 1, 1}, 1, 1000, 1},
};
static const struct byw_wl_about about = {
    "adi", "alternating-direction implicit sweeps, a row per work-item, then by columns",
    byw_wl_source, options, sizeof options / sizeof options[0]};

struct grid {
    int rows, columns;
    float *a, *b, *x;
};

/* The recurrence between two neighbouring cells, of which `at` is the later one. */
static void forward(const struct grid *g, int at, int before)
{
    g->x[at] -= g->x[before] * g->a[at] / g->b[before];
    g->b[at] -= g->a[at] * g->a[at] / g->b[before];
}

static void host_rows(const struct grid *g)
{
    for (int row = 0; row < g->rows; row++) {
        int start = row * g->columns, last = start + g->columns - 1;
        for (int at = start + 1; at <= last; at++)
            forward(g, at, at - 1);
        g->x[last] /= g->b[last];
        for (int at = last - 1; at > start; at--)
            g->x[at] = (g->x[at] - g->x[at - 1] * g->a[at - 1]) / g->b[at - 1];
    }
}

static void host_columns(const struct grid *g)
{
    int last = (g->rows - 1) * g->columns;
    for (int at = g->columns; at < last + g->columns; at++)
        forward(g, at, at - g->columns);
    for (int at = last; at < last + g->columns; at++)
        g->x[at] /= g->b[at];
    for (int row = g->rows - 2; row > 0; row--) {
        for (int at = row * g->columns; at < (row + 1) * g->columns; at++) {
            int north = at - g->columns;
            g->x[at] = (g->x[at] - g->x[north] * g->a[north]) / g->b[at];
        }
    }
}

static void device_rows(struct byw_wl *wl, const struct grid *g, cl_mem a, cl_mem b, cl_mem x)
{
    size_t groups = byw_wl_groups((size_t)g->rows, GROUP);
    cl_kernel kernel = byw_wl_kernel(wl, "adi_row_forward");
    byw_wl_args(wl, kernel, "mmmii", a, b, x, g->rows, g->columns);
    byw_wl_launch(wl, kernel, groups, GROUP);
    kernel = byw_wl_kernel(wl, "adi_row_end");
    byw_wl_args(wl, kernel, "mmii", b, x, g->rows, g->columns);
    byw_wl_launch(wl, kernel, groups, GROUP);
    kernel = byw_wl_kernel(wl, "adi_row_backward");
    byw_wl_args(wl, kernel, "mmmii", a, b, x, g->rows, g->columns);
    byw_wl_launch(wl, kernel, groups, GROUP);
}

static void device_columns(struct byw_wl *wl, const struct grid *g, cl_mem a, cl_mem b, cl_mem x)
{
    size_t groups = byw_wl_groups((size_t)g->columns, GROUP);
    cl_kernel down = byw_wl_kernel(wl, "adi_column_forward");
    for (int row = 1; row < g->rows; row++) {
        byw_wl_args(wl, down, "mmmii", a, b, x, g->columns, row);
        byw_wl_launch(wl, down, groups, GROUP);
    }
    cl_kernel end = byw_wl_kernel(wl, "adi_column_end");
    byw_wl_args(wl, end, "mmii", b, x, g->rows, g->columns);
    byw_wl_launch(wl, end, groups, GROUP);
    cl_kernel up = byw_wl_kernel(wl, "adi_column_backward");
    for (int row = g->rows - 2; row > 0; row--) {
        byw_wl_args(wl, up, "mmmii", a, b, x, g->columns, row);
        byw_wl_launch(wl, up, groups, GROUP);
    }
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    struct grid g = {.rows = byw_wl_get_int(&wl, "rows"),
                     .columns = byw_wl_get_int(&wl, "columns")};
    size_t cells = (size_t)g.rows * (size_t)g.columns, bytes = cells * sizeof(float);
    /* b stays well above a, so no step divides by a number near zero. */
    g.a = byw_wl_uniforms(&wl, cells, -1.0f, 1.0f);
    g.b = byw_wl_uniforms(&wl, cells, 8.0f, 9.0f);
    g.x = byw_wl_uniforms(&wl, cells, -1.0f, 1.0f);
    cl_mem a = byw_wl_buffer(&wl, bytes, g.a), b = byw_wl_buffer(&wl, bytes, g.b);
    cl_mem x = byw_wl_buffer(&wl, bytes, g.x);
    for (long step = byw_wl_get(&wl, "steps"); step > 0; step--) {
        device_rows(&wl, &g, a, b, x);
        device_columns(&wl, &g, a, b, x);
        host_rows(&g);
        host_columns(&g);
    }
    float *got = byw_wl_floats(&wl, cells);
    byw_wl_read(&wl, x, bytes, got);
    byw_wl_check_f32(&wl, "x", got, g.x, cells, 1e-4f, 1e-6f);
    byw_wl_read(&wl, b, bytes, got);
    byw_wl_check_f32(&wl, "b", got, g.b, cells, 1e-5f, 0.0f);
    return byw_wl_end(&wl);
}
