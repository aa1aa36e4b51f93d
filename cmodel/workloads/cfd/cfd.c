/* SPDX-License-Identifier: Apache-2.0
 *
 * cfd.c - Euler equations of gas flow on an unstructured mesh, three Runge-Kutta stages per step.
 *
 * The mesh is a box of unit cubes, each cut into six tetrahedra around its diagonal, so that a cell
 * has the original's four faces.  Cells are numbered cube by cube and then shuffled inside windows
 * of 64, like a mesh with a good but imperfect numbering: neighbours are close, or a row or layer
 * of cubes away, but never adjacent.  Launches: three that set state, old state and flux, and per
 * step the step factor, then three times flux and advance.
 */
#include "byw_wl.h"
#include "workloads/cfd_cl.h"

#include <math.h>
#include <string.h>

enum { GROUP = 192, FACES = 4, VALUES = 5, WINDOW = 64, WALL = -1, FAR = -2 };
#define GAMMA 1.4f

static const struct byw_wl_option options[] = {
    {"cells", "cells of the mesh", {480, 5760, 97152}, 6, 6000000, 6},
    {"steps", "time steps; 0: initialisation only", {2, 1, 0}, 0, 100000, 1},
};
static const struct byw_wl_about about = {
    "cfd", "Euler equations on an unstructured mesh, groups of 192", byw_wl_source, options,
    sizeof options / sizeof options[0]};

struct mesh {
    int cells, *neighbour;
    float *area, *normal, far_state[6]; /* far_state: five values and the pressure */
};

/* The axes in the order in which tetrahedron t of a cube goes along its edges from corner (0, 0, 0)
 * to (1, 1, 1), and, face by face, which tetrahedron is behind it: behind face 0 in the next cube
 * along the first axis, behind face 1 in the previous one along the last, else in the same. */
enum { TETRAHEDRA = 6 };
static const int axis[TETRAHEDRA][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                        {1, 0, 2}, {0, 2, 1}, {2, 1, 0}};
static const int behind[TETRAHEDRA][FACES] = {{1, 2, 3, 4}, {2, 0, 5, 3}, {0, 1, 4, 5},
                                              {4, 5, 0, 1}, {5, 3, 2, 0}, {3, 4, 1, 2}};

/* The box of `cubes` cubes whose shape is closest to a cube. */
static void find_sides(int cubes, int side[3])
{
    side[0] = side[1] = 1;
    for (int d = 1; d * d * d <= cubes; d++)
        if (cubes % d == 0)
            side[0] = d;
    for (int d = 1; d * d <= cubes / side[0]; d++)
        if (cubes / side[0] % d == 0)
            side[1] = d;
    side[2] = cubes / side[0] / side[1];
}

/* Cell behind a face, before the shuffle. */
static int cell_behind(const int side[3], int cell, int face)
{
    int t = cell % TETRAHEDRA, cube = cell / TETRAHEDRA;
    int place[3] = {cube % side[0], cube / side[0] % side[1], cube / side[0] / side[1]};
    if (face < 2) {
        int along = axis[t][face == 0 ? 0 : 2];
        place[along] += face == 0 ? 1 : -1;
        if (place[along] < 0 || place[along] == side[along])
            return along == 1 && face == 1 ? WALL : FAR;
    }
    return ((place[2] * side[1] + place[1]) * side[0] + place[0]) * TETRAHEDRA + behind[t][face];
}

/* Outward normal of a face; its length is the face's area. */
static void find_normal(int t, int face, float n[3])
{
    n[0] = n[1] = n[2] = 0.0f;
    if (face == 0)
        n[axis[t][0]] = 0.5f;
    else if (face == 1)
        n[axis[t][2]] = -0.5f;
    else {
        n[axis[t][face - 2]] = -0.5f;
        n[axis[t][face - 1]] = 0.5f;
    }
}

static void make_mesh(struct byw_wl *wl, struct mesh *m)
{
    m->cells = byw_wl_get_int(wl, "cells");
    size_t cells = (size_t)m->cells;
    int side[3], *number = byw_wl_ints(wl, cells);
    find_sides(m->cells / TETRAHEDRA, side);
    m->neighbour = byw_wl_ints(wl, cells * FACES);
    m->normal = byw_wl_floats(wl, cells * FACES * 3);
    m->area = byw_wl_floats(wl, cells);
    for (int i = 0; i < m->cells; i++) {
        int start = i / WINDOW * WINDOW;
        int at = start + (int)byw_wl_below(wl, (uint32_t)(i - start) + 1);
        number[i] = number[at];
        number[at] = i;
    }
    for (int i = 0; i < m->cells; i++) {
        m->area[number[i]] = 1.0f / (float)TETRAHEDRA;
        for (int face = 0; face < FACES; face++) {
            int other = cell_behind(side, i, face);
            float n[3];
            find_normal(i % TETRAHEDRA, face, n);
            m->neighbour[face * m->cells + number[i]] = other < 0 ? other : number[other];
            for (int k = 0; k < 3; k++)
                m->normal[(face * 3 + k) * m->cells + number[i]] = n[k];
        }
    }
}

/* The far field: Mach 0.6 along x and a little across, density 1.4, pressure 1 (sound 1). */
static void make_far_state(struct mesh *m)
{
    const float density = 1.4f, speed = 0.6f, drift = 0.1f, pressure = 1.0f;
    const float start[6] = {density,
                            density * speed,
                            -density * drift,
                            density * drift,
                            pressure / (GAMMA - 1.0f) +
                                0.5f * density * (speed * speed + 2.0f * drift * drift),
                            pressure};
    memcpy(m->far_state, start, sizeof start);
}

struct cell {
    float value[VALUES], velocity[3], pressure, speed, sound;
};

static struct cell host_cell(const float *state, int cells, int i)
{
    struct cell c;
    float squared = 0.0f;
    for (int v = 0; v < VALUES; v++)
        c.value[v] = state[v * cells + i];
    for (int k = 0; k < 3; k++) {
        c.velocity[k] = c.value[1 + k] / c.value[0];
        squared += c.velocity[k] * c.velocity[k];
    }
    c.speed = sqrtf(squared);
    c.pressure = (GAMMA - 1.0f) * (c.value[4] - 0.5f * c.value[0] * squared);
    c.sound = sqrtf(GAMMA * c.pressure / c.value[0]);
    return c;
}

static void host_add(float f[VALUES], const struct cell *c, const float n[3])
{
    float along = 0.0f;
    for (int k = 0; k < 3; k++)
        along -= 0.5f * n[k] * c->velocity[k];
    f[0] += along * c->value[0];
    f[4] += along * (c->value[4] + c->pressure);
    for (int k = 0; k < 3; k++)
        f[1 + k] += along * c->value[1 + k] - 0.5f * c->pressure * n[k];
}

static void host_face(const struct mesh *m, const float *state, const struct cell *here, int i,
                      int face, float f[VALUES])
{
    int other = m->neighbour[face * m->cells + i];
    float n[3], length = 0.0f;
    for (int k = 0; k < 3; k++) {
        n[k] = m->normal[(face * 3 + k) * m->cells + i];
        length += n[k] * n[k];
    }
    if (other == WALL) {
        for (int k = 0; k < 3; k++)
            f[1 + k] -= here->pressure * n[k];
        return;
    }
    struct cell there = host_cell(other >= 0 ? state : m->far_state, other >= 0 ? m->cells : 1,
                                  other >= 0 ? other : 0);
    float damping = -sqrtf(length) * 0.1f * (here->speed + there.speed + here->sound + there.sound);
    for (int v = 0; v < VALUES && other >= 0; v++)
        f[v] += damping * (here->value[v] - there.value[v]);
    host_add(f, here, n);
    host_add(f, &there, n);
}

static void host_step(const struct mesh *m, float *state, float *old, float *flux, float *factor)
{
    int cells = m->cells;
    memcpy(old, state, (size_t)cells * VALUES * sizeof(float));
    for (int i = 0; i < cells; i++) {
        struct cell c = host_cell(state, cells, i);
        factor[i] = 0.5f / (sqrtf(m->area[i]) * (c.speed + c.sound));
    }
    for (int parts = 3; parts >= 1; parts--) {
        for (int i = 0; i < cells; i++) {
            struct cell here = host_cell(state, cells, i);
            float f[VALUES] = {0};
            for (int face = 0; face < FACES; face++)
                host_face(m, state, &here, i, face, f);
            for (int v = 0; v < VALUES; v++)
                flux[v * cells + i] = f[v];
        }
        for (int j = 0; j < cells * VALUES; j++)
            state[j] = old[j] + factor[j % cells] / (float)parts * flux[j];
    }
}

/* Sets all arrays to the far field. If there are steps, it then disturbs the state by up to 1
 * percent, so that every term of the equations matters. */
static void initialize(struct byw_wl *wl, const struct mesh *m, cl_mem away, const cl_mem array[3],
                       float *state)
{
    size_t values = (size_t)m->cells * VALUES;
    float *want = byw_wl_floats(wl, values);
    cl_kernel kernel = byw_wl_kernel(wl, "cfd_initialize");
    for (int i = 0; i < m->cells * VALUES; i++)
        want[i] = m->far_state[i / m->cells];
    for (int k = 0; k < 3; k++) {
        byw_wl_args(wl, kernel, "mmi", array[k], away, m->cells);
        byw_wl_launch(wl, kernel, byw_wl_groups((size_t)m->cells, GROUP), GROUP);
        byw_wl_read(wl, array[k], values * sizeof(float), state);
        byw_wl_check_f32(wl, "initial state", state, want, values, 0.0f, 0.0f);
    }
    for (size_t i = 0; i < values && byw_wl_get(wl, "steps") > 0; i++)
        state[i] *= byw_wl_uniform(wl, 0.99f, 1.01f);
    byw_wl_write(wl, array[0], values * sizeof(float), state);
}

static void device_run(struct byw_wl *wl, const struct mesh *m, float *start, float *state)
{
    size_t cells = (size_t)m->cells, bytes = cells * VALUES * sizeof(float);
    cl_mem now = byw_wl_buffer(wl, bytes, NULL), old = byw_wl_buffer(wl, bytes, NULL);
    cl_mem d_flux = byw_wl_buffer(wl, bytes, NULL);
    cl_mem d_factor = byw_wl_buffer(wl, cells * sizeof(float), NULL);
    cl_mem area = byw_wl_buffer(wl, cells * sizeof(float), m->area);
    cl_mem normal = byw_wl_buffer(wl, cells * FACES * 3 * sizeof(float), m->normal);
    cl_mem neighbour = byw_wl_buffer(wl, cells * FACES * sizeof(int), m->neighbour);
    cl_mem away = byw_wl_buffer(wl, sizeof m->far_state, m->far_state);
    cl_kernel step_factor = byw_wl_kernel(wl, "cfd_step_factor");
    cl_kernel flux = byw_wl_kernel(wl, "cfd_flux"), advance = byw_wl_kernel(wl, "cfd_advance");
    size_t groups = byw_wl_groups(cells, GROUP);
    initialize(wl, m, away, (cl_mem[3]){now, old, d_flux}, start);
    byw_wl_args(wl, step_factor, "mmmi", now, area, d_factor, m->cells);
    byw_wl_args(wl, flux, "mmmmmi", neighbour, normal, now, d_flux, away, m->cells);
    for (long step = byw_wl_get(wl, "steps"); step > 0; step--) {
        byw_wl_copy(wl, now, old, bytes);
        byw_wl_launch(wl, step_factor, groups, GROUP);
        for (int parts = 3; parts >= 1; parts--) {
            byw_wl_launch(wl, flux, groups, GROUP);
            byw_wl_args(wl, advance, "mmmmii", old, now, d_factor, d_flux, parts, m->cells);
            byw_wl_launch(wl, advance, groups, GROUP);
        }
    }
    byw_wl_read(wl, now, bytes, state);
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    struct mesh m = {.cells = 0};
    make_mesh(&wl, &m);
    size_t values = (size_t)m.cells * VALUES;
    float *got = byw_wl_floats(&wl, values), *want = byw_wl_floats(&wl, values);
    float *old = byw_wl_floats(&wl, values), *flux = byw_wl_floats(&wl, values);
    float *factor = byw_wl_floats(&wl, (size_t)m.cells);
    make_far_state(&m);
    device_run(&wl, &m, want, got);
    for (long step = byw_wl_get(&wl, "steps"); step > 0; step--)
        host_step(&m, want, old, flux, factor);
    byw_wl_check_f32(&wl, "state", got, want, values, 1e-3f, 1e-3f);
    return byw_wl_end(&wl);
}
