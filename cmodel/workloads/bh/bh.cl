/* SPDX-License-Identifier: Apache-2.0
 *
 * Barnes-Hut n-body: box, octree build, summary of cells, sort in tree order, force, integration.
 *
 * Nodes 0 .. bodies - 1 are bodies; the root cell is the last node, and new cells are taken
 * downwards from it, so that a cell's number is always below its parent's.  x, y, z and mass are
 * indexed by node (a cell's place is its middle, then its centre of mass); child[8 c + k] is the
 * node in octant k of cell c.
 */
#define BOX_GROUP 512
#define GROUP 256
#define WARP 32
#define EMPTY (-1)
#define LOCKED (-2)
#define PENDING (-1.0f)

static void bh_extend(__local float *low, __local float *high, int t, int other)
{
    low[t] = fmin(low[t], low[other]);
    high[t] = fmax(high[t], high[other]);
}

/* Smallest and largest coordinates of each group's bodies. */
__kernel void bh_box(__global const float *x, __global const float *y, __global const float *z,
                     __global float *low, __global float *high, int bodies)
{
    __local float part_low[3][BOX_GROUP], part_high[3][BOX_GROUP];
    int t = get_local_id(0), groups = get_num_groups(0), group = get_group_id(0);
    float3 a = (float3)(x[0], y[0], z[0]), b = a;
    for (int i = get_global_id(0); i < bodies; i += get_global_size(0)) {
        float3 place = (float3)(x[i], y[i], z[i]);
        a = fmin(a, place);
        b = fmax(b, place);
    }
    part_low[0][t] = a.x;
    part_low[1][t] = a.y;
    part_low[2][t] = a.z;
    part_high[0][t] = b.x;
    part_high[1][t] = b.y;
    part_high[2][t] = b.z;
    for (int width = BOX_GROUP / 2; width > 0; width /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < width)
            for (int k = 0; k < 3; k++)
                bh_extend(part_low[k], part_high[k], t, t + width);
    }
    if (t == 0)
        for (int k = 0; k < 3; k++) {
            low[k * groups + group] = part_low[k][0];
            high[k * groups + group] = part_high[k][0];
        }
}

static int bh_octant(float middle_x, float middle_y, float middle_z, float3 place)
{
    return (middle_x < place.x ? 1 : 0) + (middle_y < place.y ? 2 : 0) +
           (middle_z < place.z ? 4 : 0);
}

/* Replaces `other`, octant `octant` of cell n, by new cells, until `body` and it are in different
 * octants.  Returns the first new cell, not yet visible to others; EMPTY if no cells are left. */
static int bh_split(volatile __global float *x, volatile __global float *y,
                    volatile __global float *z, volatile __global float *mass,
                    volatile __global int *child, volatile __global int *start,
                    volatile __global int *bottom, int bodies, int n, int octant, float half_side,
                    int body, float3 place, int other)
{
    int top = EMPTY;
    do {
        int cell = atomic_dec(bottom) - 1;
        if (cell <= bodies)
            return EMPTY;
        if (top == EMPTY)
            top = cell;
        else
            child[8 * n + octant] = cell;
        half_side *= 0.5f;
        float cx = x[n] + (octant & 1 ? half_side : -half_side);
        float cy = y[n] + (octant & 2 ? half_side : -half_side);
        float cz = z[n] + (octant & 4 ? half_side : -half_side);
        mass[cell] = PENDING;
        start[cell] = EMPTY;
        x[cell] = cx;
        y[cell] = cy;
        z[cell] = cz;
        for (int k = 0; k < 8; k++)
            child[8 * cell + k] = EMPTY;
        child[8 * cell + bh_octant(cx, cy, cz, (float3)(x[other], y[other], z[other]))] = other;
        n = cell;
        octant = bh_octant(cx, cy, cz, place);
    } while (child[8 * n + octant] >= 0);
    child[8 * n + octant] = body;
    return top;
}

/* A work-item descends to the leaf its body belongs to and locks that slot by compare-and-swap;
 * if another work-item was faster, it tries again.  Sets full if there are too few cells. */
__kernel void bh_build(volatile __global float *x, volatile __global float *y,
                       volatile __global float *z, volatile __global float *mass,
                       volatile __global int *child, volatile __global int *start,
                       volatile __global int *bottom, __global int *full, float root_half,
                       int bodies, int root)
{
    float root_x = x[root], root_y = y[root], root_z = z[root];
    for (int body = get_global_id(0); body < bodies; body += get_global_size(0)) {
        float3 place = (float3)(x[body], y[body], z[body]);
        float half_side = root_half;
        int n = root, octant = bh_octant(root_x, root_y, root_z, place);
        for (bool placed = false; !placed;) {
            int there = child[8 * n + octant];
            while (there >= bodies) {
                n = there;
                half_side *= 0.5f;
                octant = bh_octant(x[n], y[n], z[n], place);
                there = child[8 * n + octant];
            }
            if (there == LOCKED || atomic_cmpxchg(&child[8 * n + octant], there, LOCKED) != there)
                continue;
            int now = body;
            if (there != EMPTY) {
                now = bh_split(x, y, z, mass, child, start, bottom, bodies, n, octant, half_side,
                               body, place, there);
                if (now == EMPTY)
                    *full = 1;
                mem_fence(CLK_GLOBAL_MEM_FENCE);
            }
            child[8 * n + octant] = now;
            placed = true;
        }
    }
}

/* Mass, centre of mass and number of bodies of each cell, and its children moved to the front.
 * A work-item waits for the cells below its own, which earlier work-items sum. */
__kernel void bh_summarise(volatile __global float *x, volatile __global float *y,
                           volatile __global float *z, volatile __global float *mass,
                           volatile __global int *child, volatile __global int *count, int bottom,
                           int root, int bodies)
{
    int cell = (bottom & -WARP) + (int)get_global_id(0);
    if (cell < bottom || cell > root)
        return;
    int used = 0, inside = 0;
    float sum = 0.0f, sum_x = 0.0f, sum_y = 0.0f, sum_z = 0.0f;
    for (int k = 0; k < 8; k++) {
        int there = child[8 * cell + k];
        if (there < 0)
            continue;
        if (k != used) {
            child[8 * cell + k] = EMPTY;
            child[8 * cell + used] = there;
        }
        used++;
        float part = mass[there];
        while (part < 0.0f)
            part = mass[there];
        inside += there >= bodies ? count[there] : 1;
        sum += part;
        sum_x += x[there] * part;
        sum_y += y[there] * part;
        sum_z += z[there] * part;
    }
    count[cell] = inside;
    x[cell] = sum_x / sum;
    y[cell] = sum_y / sum;
    z[cell] = sum_z / sum;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    mass[cell] = sum;
}

/* Numbers the bodies in tree order: a cell's first number comes from its parent, which an earlier
 * work-item handles. */
__kernel void bh_sort(__global const int *child, __global const int *count,
                      volatile __global int *start, __global int *sorted, int bottom, int root,
                      int bodies)
{
    int cell = root - (int)get_global_id(0);
    if (cell < bottom)
        return;
    int next = start[cell];
    while (next < 0)
        next = start[cell];
    for (int k = 0; k < 8; k++) {
        int there = child[8 * cell + k];
        if (there >= bodies) {
            start[there] = next;
            next += count[there];
        } else if (there >= 0) {
            sorted[next++] = there;
        }
    }
}

/* The box around the bodies of t's warp. */
static void bh_warp_box(__local const float *place, int t, float *low, float *high)
{
    int first = t / WARP * WARP;
    *low = *high = place[first];
    for (int k = 1; k < WARP; k++) {
        *low = fmin(*low, place[first + k]);
        *high = fmax(*high, place[first + k]);
    }
}

/* A warp walks the tree as one: its lanes open a cell unless it is far enough from all of their
 * bodies, that is, from the box around them.  `opened` is the squared distance from which the
 * root's children need not be opened.  The stack holds 16 x cell + next child. */
__kernel void bh_force(__global const float *x, __global const float *y, __global const float *z,
                       __global const float *mass, __global const int *child,
                       __global const int *sorted, __global float *ax, __global float *ay,
                       __global float *az, float opened, float softening, int root, int bodies,
                       __local int *stack)
{
    __local float places[GROUP];
    int t = get_local_id(0), i = sorted[min((int)get_global_id(0), bodies - 1)];
    float here[3] = {x[i], y[i], z[i]}, low[3], high[3];
    for (int k = 0; k < 3; k++) {
        places[t] = here[k];
        barrier(CLK_LOCAL_MEM_FENCE);
        bh_warp_box(places, t, &low[k], &high[k]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (get_global_id(0) / WARP * WARP >= (size_t)bodies)
        return;
    float sum_x = 0.0f, sum_y = 0.0f, sum_z = 0.0f;
    int depth = 0, entry = 16 * root;
    for (;;) {
        int there = entry % 16 < 8 ? child[8 * (entry / 16) + entry % 16] : EMPTY;
        if (there < 0) {
            if (depth == 0)
                break;
            depth--;
            opened *= 4.0f;
            entry = stack[depth * GROUP + t];
            continue;
        }
        entry++;
        float px = x[there], py = y[there], pz = z[there];
        float dx = px - here[0], dy = py - here[1], dz = pz - here[2];
        float nx = px - clamp(px, low[0], high[0]), ny = py - clamp(py, low[1], high[1]);
        float nz = pz - clamp(pz, low[2], high[2]);
        if (there < bodies || nx * nx + ny * ny + nz * nz + softening >= opened) {
            float inverse = rsqrt(dx * dx + dy * dy + dz * dz + softening);
            float strength = mass[there] * inverse * inverse * inverse;
            sum_x += dx * strength;
            sum_y += dy * strength;
            sum_z += dz * strength;
        } else {
            stack[depth * GROUP + t] = entry;
            depth++;
            opened *= 0.25f;
            entry = 16 * there;
        }
    }
    if (get_global_id(0) < (size_t)bodies) {
        ax[i] = sum_x;
        ay[i] = sum_y;
        az[i] = sum_z;
    }
}

/* One coordinate after the other. */
static void bh_step(__global float *place, __global float *speed, __global const float *force,
                    float step, int i)
{
    float v = speed[i] + step * force[i];
    speed[i] = v;
    place[i] += step * v;
}

__kernel void bh_integrate(__global float *x, __global float *y, __global float *z,
                           __global float *vx, __global float *vy, __global float *vz,
                           __global const float *ax, __global const float *ay,
                           __global const float *az, float step, int bodies)
{
    for (int i = get_global_id(0); i < bodies; i += get_global_size(0)) {
        bh_step(x, vx, ax, step, i);
        bh_step(y, vy, ay, step, i);
        bh_step(z, vz, az, step, i);
    }
}
