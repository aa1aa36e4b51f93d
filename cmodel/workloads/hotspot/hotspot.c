/* SPDX-License-Identifier: Apache-2.0
 *
 * hotspot.c - transient temperature of a chip, pyramid blocks of 16 x 16 cells.
 *
 * The small input keeps the paper's row length, which decides how rows share cache sets, but has
 * fewer rows.
 */
#include "byw_wl.h"
#include "workloads/hotspot_cl.h"

enum { BLOCK = 16 };

static const struct byw_wl_option options[] = {
    {"columns", "cells in a row of the grid", {40, 512, 512}, 16, 8192, 1},
    {"rows", "rows of the grid", {32, 72, 512}, 16, 8192, 1},
    {"pyramid", "time steps per launch", {2, 2, 2}, 1, 7, 1},
    {"steps", "time steps in all", {4, 4, 60}, 1, 100000, 1},
};
static const struct byw_wl_about about = {
    "hotspot", "thermal stencil with pyramid blocks in local memory", byw_wl_source, options,
    sizeof options / sizeof options[0]};

struct chip {
    int rows, columns;
    float capacity, gx, gy, gz, ambient; /* step / heat capacity (K/W), conductances (W/K), K */
};

/* Silicon 0.5 mm thick, cells as on a chip 16 mm wide; the time step is the largest that the slew
 * limit allows. */
static struct chip make_chip(int rows, int columns)
{
    float side = 0.016f, thick = 0.0005f, specific = 1.75e6f, conductivity = 100.0f;
    float cell = side / (float)columns;
    float heat = 0.5f * specific * thick * cell * cell;
    float max_slope = 3.0e6f / (0.5f * thick * specific);
    float step = 0.001f / max_slope;
    struct chip chip = {.rows = rows, .columns = columns, .ambient = 80.0f};
    chip.capacity = step / heat;
    chip.gx = chip.gy = 2.0f * conductivity * thick;
    chip.gz = conductivity * cell * cell / thick;
    return chip;
}

static void host_step(const struct chip *c, const float *power, const float *from, float *to)
{
    int rows = c->rows, columns = c->columns;
    for (int y = 0; y < rows; y++) {
        for (int x = 0; x < columns; x++) {
            int at = y * columns + x;
            float t = from[at];
            float north = from[y > 0 ? at - columns : at];
            float south = from[y < rows - 1 ? at + columns : at];
            float west = from[x > 0 ? at - 1 : at], east = from[x < columns - 1 ? at + 1 : at];
            to[at] =
                t + c->capacity * (power[at] + (south + north - 2.0f * t) * c->gy +
                                   (east + west - 2.0f * t) * c->gx + (c->ambient - t) * c->gz);
        }
    }
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    int rows = byw_wl_get_int(&wl, "rows"), columns = byw_wl_get_int(&wl, "columns");
    int steps = byw_wl_get_int(&wl, "steps");
    int pyramid = byw_wl_get_int(&wl, "pyramid");
    struct chip chip = make_chip(rows, columns);
    size_t cells = (size_t)rows * (size_t)columns;
    float *power = byw_wl_floats(&wl, cells), *got = byw_wl_floats(&wl, cells);
    float *want[2] = {byw_wl_floats(&wl, cells), byw_wl_floats(&wl, cells)};
    for (size_t i = 0; i < cells; i++) {
        want[0][i] = byw_wl_uniform(&wl, 320.0f, 340.0f);
        power[i] = byw_wl_uniform(&wl, 0.0f, 0.002f);
    }
    cl_mem heat = byw_wl_buffer(&wl, cells * sizeof(float), power);
    cl_mem grid[2] = {byw_wl_buffer(&wl, cells * sizeof(float), want[0]),
                      byw_wl_buffer(&wl, cells * sizeof(float), NULL)};
    cl_kernel kernel = byw_wl_kernel(&wl, "hotspot_step");

    int now = 0;
    for (int done = 0; done < steps; done += pyramid, now = 1 - now) {
        int count = steps - done < pyramid ? steps - done : pyramid;
        size_t inner = (size_t)(BLOCK - 2 * count);
        byw_wl_args(&wl, kernel, "immmiifffff", count, heat, grid[now], grid[1 - now], columns,
                    rows, (double)chip.capacity, (double)chip.gx, (double)chip.gy, (double)chip.gz,
                    (double)chip.ambient);
        byw_wl_launch_2d(
            &wl, kernel,
            (size_t[2]){byw_wl_groups((size_t)columns, inner), byw_wl_groups((size_t)rows, inner)},
            (size_t[2]){BLOCK, BLOCK});
    }
    byw_wl_read(&wl, grid[now], cells * sizeof(float), got);

    for (int s = 0; s < steps; s++)
        host_step(&chip, power, want[s % 2], want[1 - s % 2]);
    byw_wl_check_f32(&wl, "temperature", got, want[steps % 2], cells, 1e-5f, 1e-4f);
    return byw_wl_end(&wl);
}
