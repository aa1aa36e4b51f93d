/* SPDX-License-Identifier: Apache-2.0
 *
 * One time step of the lattice Boltzmann method on a D3Q19 grid: relax towards equilibrium, then
 * send each of the 19 populations to the neighbour it moves to.
 *
 * A field per population, planes * pitch * rows cells each, and the cells' kinds as a field of
 * ints.  A group is one grid row (work-items along x), group ids are (y, z).  Rows and planes are
 * padded, so populations may leave the grid; what enters it comes from the padding.  Reads are by
 * whole lines in 19 streams, writes are a cell off in half of them, and nothing is read twice.
 */

/* name, movement along x, y, z; weights follow from the number of moves. */
#define MOVES(X)                                                                                   \
    X(0, 0, 0, 0)                                                                                  \
    X(1, 0, 1, 0)                                                                                  \
    X(2, 0, -1, 0)                                                                                 \
    X(3, 1, 0, 0)                                                                                  \
    X(4, -1, 0, 0)                                                                                 \
    X(5, 0, 0, 1)                                                                                  \
    X(6, 0, 0, -1)                                                                                 \
    X(7, 1, 1, 0)                                                                                  \
    X(8, -1, -1, 0)                                                                                \
    X(9, -1, 1, 0)                                                                                 \
    X(10, 1, -1, 0)                                                                                \
    X(11, 0, 1, 1)                                                                                 \
    X(12, 0, -1, -1)                                                                               \
    X(13, 0, 1, -1)                                                                                \
    X(14, 0, -1, 1)                                                                                \
    X(15, 1, 0, 1)                                                                                 \
    X(16, -1, 0, -1)                                                                               \
    X(17, 1, 0, -1)                                                                                \
    X(18, -1, 0, 1)

/* Population i moves the opposite way of its neighbour in the list above. */
#define OPPOSITE(i) ((i) == 0 ? 0 : (((i) - 1) ^ 1) + 1)
#define COUNT_MOVES(x, y, z) ((x) * (x) + (y) * (y) + (z) * (z))
#define WEIGHT(x, y, z)                                                                            \
    (COUNT_MOVES(x, y, z) == 0 ? 1.0f / 3 : COUNT_MOVES(x, y, z) == 1 ? 1.0f / 18 : 1.0f / 36)

enum { FLUID, OBSTACLE, DRIVEN };

__kernel void lbm_step(__global const float *from, __global float *to, __global const int *kind,
                       int pitch, int plane, int cells, int first, float omega)
{
    int at = first + (int)get_local_id(0) + (int)get_group_id(0) * pitch +
             (int)get_group_id(1) * plane;
    float f[19];
    float density = 0.0f, ux = 0.0f, uy = 0.0f, uz = 0.0f;
#define LOAD(i, x, y, z) f[i] = from[i * cells + at];
    MOVES(LOAD)
    int what = kind[at];
    if (what == OBSTACLE) {
#define BOUNCE(i, x, y, z) to[i * cells + at + (x) + (y)*pitch + (z)*plane] = f[OPPOSITE(i)];
        MOVES(BOUNCE)
        return;
    }
#define SUM_UP(i, x, y, z)                                                                         \
    density += f[i];                                                                               \
    if (x)                                                                                         \
        ux += (x)*f[i];                                                                            \
    if (y)                                                                                         \
        uy += (y)*f[i];                                                                            \
    if (z)                                                                                         \
        uz += (z)*f[i];
    MOVES(SUM_UP)
    ux /= density;
    uy /= density;
    uz /= density;
    if (what == DRIVEN) {
        ux = 0.005f;
        uy = 0.002f;
        uz = 0.0f;
    }
    float rest = 1.0f - 1.5f * (ux * ux + uy * uy + uz * uz);
#define RELAX(i, x, y, z)                                                                          \
    {                                                                                              \
        float along = 0.0f;                                                                        \
        if (x)                                                                                     \
            along += (x)*ux;                                                                       \
        if (y)                                                                                     \
            along += (y)*uy;                                                                       \
        if (z)                                                                                     \
            along += (z)*uz;                                                                       \
        float even = WEIGHT(x, y, z) * density * (along * (4.5f * along + 3.0f) + rest);           \
        to[i * cells + at + (x) + (y)*pitch + (z)*plane] = f[i] + omega * (even - f[i]);           \
    }
    MOVES(RELAX)
}
