/* SPDX-License-Identifier: Apache-2.0
 *
 * Barnes-Hut n-body: box, octree build, summary of cells, force, integration.
 *
 * Nodes 0 .. bodies - 1 are bodies, the following ones cells; node[i] holds a position (x, y, z)
 * and a mass in w.  child[8 c + k] is octant k of cell number c (node bodies + c).
 */
#define GROUP 256
#define EMPTY (-1)
#define LOCKED (-2)
#define PENDING (-1.0f)

/* Smallest and largest coordinates of each group's bodies. */
__kernel void bh_box(__global const float4 *node, __global float4 *low, __global float4 *high,
                     int bodies)
{
    __local float4 part_low[GROUP];
    __local float4 part_high[GROUP];
    int t = get_local_id(0);
    float4 a = node[0], b = node[0];
    for (int i = get_global_id(0); i < bodies; i += get_global_size(0)) {
        a = fmin(a, node[i]);
        b = fmax(b, node[i]);
    }
    part_low[t] = a;
    part_high[t] = b;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int width = GROUP / 2; width > 0; width /= 2) {
        if (t < width) {
            part_low[t] = fmin(part_low[t], part_low[t + width]);
            part_high[t] = fmax(part_high[t], part_high[t + width]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0) {
        low[get_group_id(0)] = part_low[0];
        high[get_group_id(0)] = part_high[0];
    }
}

static int octant_of(float4 center, float4 place)
{
    return (place.x > center.x ? 1 : 0) + (place.y > center.y ? 2 : 0) +
           (place.z > center.z ? 4 : 0);
}

static float4 octant_center(float4 center, int octant, float half_side)
{
    float step = 0.5f * half_side;
    center.x += octant & 1 ? step : -step;
    center.y += octant & 2 ? step : -step;
    center.z += octant & 4 ? step : -step;
    return center;
}

/* Puts `body` where `other` already sits, by cells made until the two part; returns the first of
 * the new cells, EMPTY when the cells run out.  Nobody else sees them yet. */
static int split_leaf(__global const float4 *node, volatile __global int *child,
                      volatile __global int *cells, int bodies, int most_cells, int body, int other,
                      float4 center, float half_side)
{
    float4 place = node[body], other_place = node[other];
    int top = EMPTY, last_slot = EMPTY;
    for (;;) {
        int cell = atomic_inc(cells);
        if (cell >= most_cells)
            return EMPTY;
        if (top == EMPTY)
            top = bodies + cell;
        else
            child[last_slot] = bodies + cell;
        int mine = octant_of(center, place), its = octant_of(center, other_place);
        if (mine != its) {
            child[8 * cell + mine] = body;
            child[8 * cell + its] = other;
            return top;
        }
        last_slot = 8 * cell + mine;
        center = octant_center(center, mine, half_side);
        half_side *= 0.5f;
    }
}

/* A work-item descends to the leaf its body belongs to.  It takes an empty slot by one
 * compare-and-swap; an occupied one it locks the same way, and descends again from the root
 * when another was faster.  full is set when there were too few cells. */
__kernel void bh_build(__global const float4 *node, volatile __global int *child,
                       volatile __global int *cells, __global int *full, float4 root,
                       float root_half, int bodies, int most_cells)
{
    for (int body = get_global_id(0); body < bodies; body += get_global_size(0)) {
        float4 place = node[body];
        bool placed = false;
        while (!placed) {
            float4 center = root;
            float half_side = root_half;
            int octant = octant_of(center, place), slot = octant, there = child[slot];
            while (there >= bodies) {
                center = octant_center(center, octant, half_side);
                half_side *= 0.5f;
                octant = octant_of(center, place);
                slot = 8 * (there - bodies) + octant;
                there = child[slot];
            }
            if (there == EMPTY) {
                placed = atomic_cmpxchg(&child[slot], EMPTY, body) == EMPTY;
            } else if (there != LOCKED && atomic_cmpxchg(&child[slot], there, LOCKED) == there) {
                int top = split_leaf(node, child, cells, bodies, most_cells, body, there,
                                     octant_center(center, octant, half_side), 0.5f * half_side);
                mem_fence(CLK_GLOBAL_MEM_FENCE);
                if (top == EMPTY)
                    *full = 1;
                child[slot] = top;
                placed = true;
            }
        }
    }
}

/* Mass and centre of mass of each cell whose children are all known; launched again until the
 * root is.  A cell's mass stays PENDING until its sum is complete. */
__kernel void bh_summarise(__global const float4 *from, __global float4 *to,
                           __global const int *child, int bodies, int cells)
{
    int cell = get_global_id(0);
    if (cell >= cells || from[bodies + cell].w != PENDING)
        return;
    float4 sum = (float4)(0.0f, 0.0f, 0.0f, 0.0f);
    for (int k = 0; k < 8; k++) {
        int there = child[8 * cell + k];
        if (there == EMPTY)
            continue;
        float4 part = from[there];
        if (part.w == PENDING)
            return;
        sum += (float4)(part.x * part.w, part.y * part.w, part.z * part.w, part.w);
    }
    to[bodies + cell] = (float4)(sum.x / sum.w, sum.y / sum.w, sum.z / sum.w, sum.w);
}

/* Walks the tree without a stack: link[i].x is the node after i's whole subtree, link[i].y its
 * first child (EMPTY for a body).  A cell is far enough when its squared side, in
 * side_squared, is small against the squared distance; order lists the bodies in tree order, so
 * that a warp's bodies are neighbours and take nearly the same walk. */
__kernel void bh_force(__global const float4 *node, __global const int2 *link,
                       __global const float *side_squared, __global const int *order,
                       __global float4 *acceleration, float opening, float softening, int root,
                       int bodies)
{
    int i = get_global_id(0);
    if (i >= bodies)
        return;
    int body = order[i];
    float4 here = node[body];
    float4 sum = (float4)(0.0f, 0.0f, 0.0f, 0.0f);
    int at = root;
    while (at != EMPTY) {
        float4 there = node[at];
        int2 way = link[at];
        float dx = there.x - here.x, dy = there.y - here.y, dz = there.z - here.z;
        float squared = dx * dx + dy * dy + dz * dz;
        if (way.y == EMPTY || side_squared[at] < opening * squared) {
            float inverse = rsqrt(squared + softening);
            float strength = there.w * inverse * inverse * inverse;
            sum.x += dx * strength;
            sum.y += dy * strength;
            sum.z += dz * strength;
            at = way.x;
        } else {
            at = way.y;
        }
    }
    acceleration[body] = sum;
}

__kernel void bh_integrate(__global float4 *node, __global float4 *velocity,
                           __global const float4 *acceleration, float step, int bodies)
{
    for (int i = get_global_id(0); i < bodies; i += get_global_size(0)) {
        float4 v = velocity[i] + step * acceleration[i];
        velocity[i] = v;
        float4 place = node[i];
        place.x += step * v.x;
        place.y += step * v.y;
        place.z += step * v.z;
        node[i] = place;
    }
}
