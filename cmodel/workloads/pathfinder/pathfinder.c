/* SPDX-License-Identifier: Apache-2.0
 *
 * pathfinder.c - cheapest path through a grid by dynamic programming, pyramids of rows.
 */
#include "byw_wl.h"
#include "workloads/pathfinder_cl.h"

enum { GROUP = 256 };

static const struct byw_wl_option options[] = {
    {"columns", "columns of the grid", {600, 16384, 100000}, 2, 10000000, 1},
    {"rows", "rows of the grid", {9, 12, 100}, 2, 10000, 1},
    {"pyramid", "rows per launch", {4, 4, 20}, 1, 100, 1},
};
static const struct byw_wl_about about = {
    "pathfinder", "cheapest path through a grid, row by row, in strips of 256 columns",
    byw_wl_source, options, sizeof options / sizeof options[0]};

static void host_rows(const int *wall, int columns, int rows, int *now, int *next)
{
    for (int row = 1; row < rows; row++) {
        for (int x = 0; x < columns; x++) {
            int best = now[x];
            if (x > 0 && now[x - 1] < best)
                best = now[x - 1];
            if (x < columns - 1 && now[x + 1] < best)
                best = now[x + 1];
            next[x] = best + wall[row * columns + x];
        }
        for (int x = 0; x < columns; x++)
            now[x] = next[x];
    }
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    int columns = byw_wl_get_int(&wl, "columns"), rows = byw_wl_get_int(&wl, "rows");
    int pyramid = byw_wl_get_int(&wl, "pyramid");
    size_t cells = (size_t)columns * (size_t)rows, row_bytes = (size_t)columns * sizeof(int);
    int *wall = byw_wl_ints(&wl, cells), *got = byw_wl_ints(&wl, (size_t)columns);
    int *want = byw_wl_ints(&wl, (size_t)columns), *next = byw_wl_ints(&wl, (size_t)columns);
    for (size_t i = 0; i < cells; i++)
        wall[i] = (int)byw_wl_below(&wl, 10);
    for (int x = 0; x < columns; x++)
        want[x] = wall[x];

    cl_mem d_wall = byw_wl_buffer(&wl, cells * sizeof(int), wall);
    cl_mem line[2] = {byw_wl_buffer(&wl, row_bytes, wall), byw_wl_buffer(&wl, row_bytes, NULL)};
    cl_kernel kernel = byw_wl_kernel(&wl, "pathfinder_rows");
    int now = 0;
    for (int row = 1; row < rows; row += pyramid, now = 1 - now) {
        int steps = rows - row < pyramid ? rows - row : pyramid;
        size_t groups = byw_wl_groups((size_t)columns, (size_t)(GROUP - 2 * steps));
        byw_wl_args(&wl, kernel, "immmii", steps, d_wall, line[now], line[1 - now], columns, row);
        byw_wl_launch(&wl, kernel, groups, GROUP);
    }
    byw_wl_read(&wl, line[now], row_bytes, got);
    host_rows(wall, columns, rows, want, next);
    byw_wl_check_i32(&wl, "cost", got, want, (size_t)columns);
    return byw_wl_end(&wl);
}
