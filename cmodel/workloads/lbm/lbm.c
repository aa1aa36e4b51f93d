/* SPDX-License-Identifier: Apache-2.0
 *
 * lbm.c - lattice Boltzmann flow in a channel with round obstacles; one launch per time step,
 * groups of one grid row.
 */
#include "byw_wl.h"
#include "workloads/lbm_cl.h"

#include <string.h>

enum { PAD_X = 8, PAD_Z = 4, POPULATIONS = 19 };
enum kind { FLUID, OBSTACLE, DRIVEN };

static const struct byw_wl_option options[] = {
    {"x", "grid cells along x, and work-items of a group", {40, 120, 120}, 8, 1024, 1},
    {"y", "grid cells along y", {10, 20, 120}, 4, 1024, 1},
    {"z", "grid cells along z", {6, 8, 150}, 3, 1024, 1},
    {"steps", "time steps", {3, 2, 100}, 1, 10000, 1},
};
static const struct byw_wl_about about = {
    "lbm", "lattice Boltzmann, D3Q19, one field per population", byw_wl_source, options,
    sizeof options / sizeof options[0]};

static const int move[POPULATIONS][3] = {
    {0, 0, 0},  {0, 1, 0},   {0, -1, 0},  {1, 0, 0},  {-1, 0, 0}, {0, 0, 1},   {0, 0, -1},
    {1, 1, 0},  {-1, -1, 0}, {-1, 1, 0},  {1, -1, 0}, {0, 1, 1},  {0, -1, -1}, {0, 1, -1},
    {0, -1, 1}, {1, 0, 1},   {-1, 0, -1}, {1, 0, -1}, {-1, 0, 1}};

struct lattice {
    int x, y, z, pitch, plane, first; /* first: the grid's first cell within a padded field */
    size_t cells; /* of a padded field */
    float omega;
    int *kind;
};

static double weight_of(int i)
{
    int moves = move[i][0] * move[i][0] + move[i][1] * move[i][1] + move[i][2] * move[i][2];
    return moves == 0 ? 1.0 / 3 : moves == 1 ? 1.0 / 18 : 1.0 / 36;
}

static int opposite(int i)
{
    return i == 0 ? 0 : ((i - 1) ^ 1) + 1;
}

static void send(const struct lattice *l, float *to, int at, int i, float value)
{
    int offset = move[i][0] + move[i][1] * l->pitch + move[i][2] * l->plane;
    to[(size_t)i * l->cells + (size_t)(at + offset)] = value;
}

static void host_cell(const struct lattice *l, const float *from, float *to, int at)
{
    double f[POPULATIONS], density = 0.0, u[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < POPULATIONS; i++) {
        f[i] = (double)from[(size_t)i * l->cells + (size_t)at];
        density += f[i];
        for (int axis = 0; axis < 3; axis++)
            u[axis] += move[i][axis] * f[i];
    }
    for (int i = 0; i < POPULATIONS && l->kind[at] == OBSTACLE; i++)
        send(l, to, at, i, (float)f[opposite(i)]);
    if (l->kind[at] == OBSTACLE)
        return;
    for (int axis = 0; axis < 3; axis++)
        u[axis] /= density;
    if (l->kind[at] == DRIVEN) {
        u[0] = 0.005;
        u[1] = 0.002;
        u[2] = 0.0;
    }
    double rest = 1.0 - 1.5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    for (int i = 0; i < POPULATIONS; i++) {
        double along = move[i][0] * u[0] + move[i][1] * u[1] + move[i][2] * u[2];
        double even = weight_of(i) * density * (along * (4.5 * along + 3.0) + rest);
        send(l, to, at, i, (float)(f[i] + (double)l->omega * (even - f[i])));
    }
}

static void host_step(const struct lattice *l, const float *from, float *to)
{
    for (int z = 0; z < l->z; z++)
        for (int y = 0; y < l->y; y++)
            for (int x = 0; x < l->x; x++)
                host_cell(l, from, to, l->first + x + y * l->pitch + z * l->plane);
}

/* There are walls along the channel and driven cells at its entry, and one cell in sixteen is part
 * of a small obstacle of 2 x 2 x 2 cells. */
static void make_kinds(struct byw_wl *wl, struct lattice *l)
{
    l->kind = byw_wl_ints(wl, l->cells);
    for (int z = 0; z < l->z; z++) {
        for (int y = 0; y < l->y; y++) {
            for (int x = 0; x < l->x; x++) {
                int at = l->first + x + y * l->pitch + z * l->plane;
                bool wall = x == 0 || y == 0 || x == l->x - 1 || y == l->y - 1;
                bool post = z > 0 && x / 2 % 4 == 1 && y / 2 % 2 == 1 && z / 2 % 2 == 1;
                l->kind[at] = wall || post ? OBSTACLE : z == 0 ? DRIVEN : FLUID;
            }
        }
    }
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    struct lattice l = {.x = byw_wl_get_int(&wl, "x"),
                        .y = byw_wl_get_int(&wl, "y"),
                        .z = byw_wl_get_int(&wl, "z"),
                        .omega = 1.95f};
    l.pitch = l.x + PAD_X;
    l.plane = l.pitch * l.y;
    l.first = 2 * l.plane; /* two planes of padding on either side */
    l.cells = (size_t)l.plane * (size_t)(l.z + PAD_Z);
    make_kinds(&wl, &l);
    size_t values = POPULATIONS * l.cells, bytes = values * sizeof(float);
    float *now = byw_wl_floats(&wl, values), *next = byw_wl_floats(&wl, values);
    float *got = byw_wl_floats(&wl, values);
    for (size_t i = 0; i < values; i++)
        now[i] = (float)weight_of((int)(i / l.cells)) * byw_wl_uniform(&wl, 0.98f, 1.02f);
    memcpy(next, now, bytes);

    cl_mem field[2] = {byw_wl_buffer(&wl, bytes, now), byw_wl_buffer(&wl, bytes, now)};
    cl_mem kind = byw_wl_buffer(&wl, l.cells * sizeof(int), l.kind);
    cl_kernel step = byw_wl_kernel(&wl, "lbm_step");
    long steps = byw_wl_get(&wl, "steps");
    for (long s = 0; s < steps; s++) {
        byw_wl_args(&wl, step, "mmmiiiif", field[s % 2], field[(s + 1) % 2], kind, l.pitch, l.plane,
                    (int)l.cells, l.first, (double)l.omega);
        byw_wl_launch_2d(&wl, step, (size_t[2]){(size_t)l.y, (size_t)l.z},
                         (size_t[2]){(size_t)l.x, 1});
        host_step(&l, now, next);
        float *swap = now;
        now = next;
        next = swap;
    }
    byw_wl_read(&wl, field[steps % 2], bytes, got);
    byw_wl_check_f32(&wl, "population", got, now, values, 1e-4f, 1e-6f);
    return byw_wl_end(&wl);
}
