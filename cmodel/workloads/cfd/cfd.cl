/* SPDX-License-Identifier: Apache-2.0
 *
 * Euler equations on an unstructured mesh, finite volumes with four faces per cell; groups of
 * 192, one work-item per cell.
 *
 * State, faces and normals are structures of arrays of `cells` words: state v of cell i is
 * state[v * cells + i] (0 density, 1 to 3 momentum, 4 energy).  A neighbour's state is gathered
 * through the face's cell number; WALL and FAR mark the mesh's ends.
 */
#define FACES 4
#define DENSITY 0
#define MOMENTUM 1
#define ENERGY 4
#define WALL (-1)
#define FAR (-2)
#define GAMMA 1.4f

struct cell {
    float density, energy, pressure, speed, sound;
    float3 momentum, velocity;
};

static struct cell load_cell(__global const float *state, int cells, int i)
{
    struct cell c;
    c.density = state[DENSITY * cells + i];
    c.momentum = (float3)(state[MOMENTUM * cells + i], state[(MOMENTUM + 1) * cells + i],
                          state[(MOMENTUM + 2) * cells + i]);
    c.energy = state[ENERGY * cells + i];
    c.velocity = c.momentum / c.density;
    float squared =
        c.velocity.x * c.velocity.x + c.velocity.y * c.velocity.y + c.velocity.z * c.velocity.z;
    c.speed = sqrt(squared);
    c.pressure = (GAMMA - 1.0f) * (c.energy - 0.5f * c.density * squared);
    c.sound = sqrt(GAMMA * c.pressure / c.density);
    return c;
}

struct flux {
    float density, energy;
    float3 momentum;
};

/* Flux of c's quantities along n, times one half, added to f. */
static void add_flux(struct flux *f, const struct cell *c, float3 n)
{
    float along = 0.5f * (n.x * c->velocity.x + n.y * c->velocity.y + n.z * c->velocity.z);
    f->density += along * c->density;
    f->energy += along * (c->energy + c->pressure);
    f->momentum += along * c->momentum + 0.5f * c->pressure * n;
}

__kernel void cfd_initialize(__global float *state, __constant float *far_state, int cells)
{
    int i = get_global_id(0);
    if (i >= cells)
        return;
    for (int v = 0; v < 5; v++)
        state[v * cells + i] = far_state[v];
}

__kernel void cfd_step_factor(__global const float *state, __global const float *area,
                              __global float *factor, int cells)
{
    int i = get_global_id(0);
    if (i >= cells)
        return;
    struct cell c = load_cell(state, cells, i);
    factor[i] = 0.5f / (sqrt(area[i]) * (c.speed + c.sound));
}

__kernel void cfd_flux(__global const int *neighbour, __global const float *normal,
                       __global const float *state, __global float *flux,
                       __constant float *far_state, int cells)
{
    const float smoothing = 0.2f;
    int i = get_global_id(0);
    if (i >= cells)
        return;
    struct cell here = load_cell(state, cells, i);
    struct flux f = {0.0f, 0.0f, (float3)(0.0f, 0.0f, 0.0f)};
    for (int face = 0; face < FACES; face++) {
        int other = neighbour[face * cells + i];
        float3 n = (float3)(normal[(face * 3) * cells + i], normal[(face * 3 + 1) * cells + i],
                            normal[(face * 3 + 2) * cells + i]);
        if (other >= 0) {
            struct cell there = load_cell(state, cells, other);
            float damping = -sqrt(n.x * n.x + n.y * n.y + n.z * n.z) * smoothing * 0.5f *
                            (here.speed + there.speed + here.sound + there.sound);
            f.density += damping * (here.density - there.density);
            f.energy += damping * (here.energy - there.energy);
            f.momentum += damping * (here.momentum - there.momentum);
            add_flux(&f, &here, -n);
            add_flux(&f, &there, -n);
        } else if (other == WALL) {
            f.momentum -= here.pressure * n;
        } else {
            struct cell away;
            away.density = far_state[0];
            away.momentum = (float3)(far_state[1], far_state[2], far_state[3]);
            away.energy = far_state[4];
            away.velocity = away.momentum / away.density;
            away.pressure = far_state[5];
            add_flux(&f, &here, -n);
            add_flux(&f, &away, -n);
        }
    }
    flux[DENSITY * cells + i] = f.density;
    flux[MOMENTUM * cells + i] = f.momentum.x;
    flux[(MOMENTUM + 1) * cells + i] = f.momentum.y;
    flux[(MOMENTUM + 2) * cells + i] = f.momentum.z;
    flux[ENERGY * cells + i] = f.energy;
}

/* Runge-Kutta stage: new = old + factor / parts * flux. */
__kernel void cfd_advance(__global const float *old, __global float *state,
                          __global const float *factor, __global const float *flux, int parts,
                          int cells)
{
    int i = get_global_id(0);
    if (i >= cells)
        return;
    float step = factor[i] / (float)parts;
    for (int v = 0; v < 5; v++)
        state[v * cells + i] = old[v * cells + i] + step * flux[v * cells + i];
}
