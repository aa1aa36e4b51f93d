/* SPDX-License-Identifier: Apache-2.0
 *
 * bh.c - gravity of a cluster of bodies by the Barnes-Hut tree.
 *
 * Launches per step: box, build, summarise (once per tree level), force, integrate.  The host
 * finishes the box, and orders the bodies by a walk over the tree, which also gives the links
 * that let bh_force walk it without a stack.  It also checks that the tree holds every body
 * once, each inside its cell, and compares forces with its own walk of the same tree.
 */
#include "byw_wl.h"
#include "workloads/bh_cl.h"

#include <math.h>

enum { GROUP = 256, BOX_GROUPS = 4, EMPTY = -1, MAX_DEPTH = 64 };
#define PENDING (-1.0f)
#define SOFTENING 1e-4f
#define STEP 0.0125f

static const struct byw_wl_option options[] = {
    {"n", "bodies", {300, 1024, 30000}, 2, 1 << 22, 1},
    {"steps", "time steps", {2, 1, 1}, 1, 1000, 1},
    {"opening", "opening angle, per cent of distance", {50, 100, 50}, 1, 200, 1},
};
static const struct byw_wl_about about = {
    "bh", "Barnes-Hut n-body: octree build, summary, force walk", byw_wl_source, options,
    sizeof options / sizeof options[0]};

struct tree {
    int bodies, most_cells, cells, seen;
    float root[4], half_side; /* centre and half the side of the root cell */
    float *node, *side_squared, *acceleration;
    int *child, *link, *order;
};

struct device {
    cl_mem node[2], child, cells, full, low, high, link, side_squared, order, acceleration,
        velocity;
    cl_kernel box, build, summarise, force, integrate;
    size_t node_bytes, child_bytes;
};

/* Bodies denser towards the centre: a uniform ball squeezed by its own radius. */
static void make_bodies(struct byw_wl *wl, struct tree *t)
{
    for (int i = 0; i < t->bodies;) {
        float x = byw_wl_uniform(wl, -1, 1), y = byw_wl_uniform(wl, -1, 1);
        float z = byw_wl_uniform(wl, -1, 1), radius = sqrtf(x * x + y * y + z * z);
        if (radius > 1.0f)
            continue;
        float *node = &t->node[4 * i++];
        node[0] = x * radius;
        node[1] = y * radius;
        node[2] = z * radius;
        node[3] = 1.0f / (float)t->bodies;
    }
}

static void make_tree(struct byw_wl *wl, struct tree *t)
{
    t->bodies = byw_wl_get_int(wl, "n");
    t->most_cells = 2 * t->bodies + 64;
    size_t nodes = (size_t)(t->bodies + t->most_cells);
    t->node = byw_wl_floats(wl, 4 * nodes);
    t->side_squared = byw_wl_floats(wl, nodes);
    t->acceleration = byw_wl_floats(wl, 4 * (size_t)t->bodies);
    t->child = byw_wl_ints(wl, 8 * (size_t)t->most_cells);
    t->link = byw_wl_ints(wl, 2 * nodes);
    t->order = byw_wl_ints(wl, (size_t)t->bodies);
    make_bodies(wl, t);
}

static void make_device(struct byw_wl *wl, const struct tree *t, struct device *d)
{
    size_t nodes = (size_t)(t->bodies + t->most_cells), body_bytes = (size_t)t->bodies * 16;
    d->node_bytes = nodes * 16;
    d->child_bytes = (size_t)t->most_cells * 8 * sizeof(int);
    for (int i = 0; i < 2; i++)
        d->node[i] = byw_wl_buffer(wl, d->node_bytes, t->node);
    d->child = byw_wl_buffer(wl, d->child_bytes, NULL);
    d->cells = byw_wl_buffer(wl, sizeof(int), NULL);
    d->full = byw_wl_buffer(wl, sizeof(int), NULL);
    d->low = byw_wl_buffer(wl, BOX_GROUPS * 16, NULL);
    d->high = byw_wl_buffer(wl, BOX_GROUPS * 16, NULL);
    d->link = byw_wl_buffer(wl, nodes * 8, NULL);
    d->side_squared = byw_wl_buffer(wl, nodes * 4, NULL);
    d->order = byw_wl_buffer(wl, (size_t)t->bodies * 4, NULL);
    d->acceleration = byw_wl_buffer(wl, body_bytes, NULL);
    d->velocity = byw_wl_buffer(wl, body_bytes, byw_wl_floats(wl, 4 * (size_t)t->bodies));
    d->box = byw_wl_kernel(wl, "bh_box");
    d->build = byw_wl_kernel(wl, "bh_build");
    d->summarise = byw_wl_kernel(wl, "bh_summarise");
    d->force = byw_wl_kernel(wl, "bh_force");
    d->integrate = byw_wl_kernel(wl, "bh_integrate");
}

/* The root cell: the cube around the box, a little larger so that no body lies on its face. */
static void find_root(struct byw_wl *wl, struct tree *t, const struct device *d)
{
    float low[4 * BOX_GROUPS], high[4 * BOX_GROUPS];
    byw_wl_args(wl, d->box, "mmmi", d->node[0], d->low, d->high, t->bodies);
    byw_wl_launch(wl, d->box, BOX_GROUPS, GROUP);
    byw_wl_read(wl, d->low, sizeof low, low);
    byw_wl_read(wl, d->high, sizeof high, high);
    t->half_side = 0.0f;
    for (int k = 0; k < 3; k++) {
        float from = low[k], to = high[k], want_from = t->node[k], want_to = t->node[k];
        for (int g = 1; g < BOX_GROUPS; g++) {
            from = fminf(from, low[4 * g + k]);
            to = fmaxf(to, high[4 * g + k]);
        }
        for (int i = 1; i < t->bodies; i++) {
            want_from = fminf(want_from, t->node[4 * i + k]);
            want_to = fmaxf(want_to, t->node[4 * i + k]);
        }
        byw_wl_check_f32(wl, "low", &from, &want_from, 1, 0.0f, 0.0f);
        byw_wl_check_f32(wl, "high", &to, &want_to, 1, 0.0f, 0.0f);
        t->root[k] = 0.5f * (from + to);
        t->half_side = fmaxf(t->half_side, 0.501f * (to - from));
    }
}

static void build(struct byw_wl *wl, struct tree *t, const struct device *d)
{
    int one = 1, full = 0;
    for (size_t i = 0; i < 8 * (size_t)t->most_cells; i++)
        t->child[i] = EMPTY;
    byw_wl_write(wl, d->child, d->child_bytes, t->child);
    byw_wl_write(wl, d->cells, sizeof one, &one);
    byw_wl_write(wl, d->full, sizeof full, &full);
    byw_wl_args(wl, d->build, "mmmmvfii", d->node[0], d->child, d->cells, d->full, t->root,
                (double)t->half_side, t->bodies, t->most_cells);
    byw_wl_launch(wl, d->build, byw_wl_groups((size_t)t->bodies, GROUP), GROUP);
    byw_wl_read(wl, d->child, d->child_bytes, t->child);
    byw_wl_read(wl, d->cells, sizeof t->cells, &t->cells);
    byw_wl_read(wl, d->full, sizeof full, &full);
    if (full)
        byw_wl_fail(wl, "the tree needs more than %d cells, expected fewer", t->most_cells);
}

static void summarise(struct byw_wl *wl, struct tree *t, const struct device *d)
{
    for (int c = 0; c < t->cells; c++)
        t->node[4 * (t->bodies + c) + 3] = PENDING;
    byw_wl_write(wl, d->node[0], d->node_bytes, t->node);
    for (int level = 0; t->node[4 * t->bodies + 3] < 0.0f; level++) {
        if (level == MAX_DEPTH)
            byw_wl_fail(wl, "the root's mass is unknown after %d launches", MAX_DEPTH);
        byw_wl_copy(wl, d->node[0], d->node[1], d->node_bytes);
        byw_wl_args(wl, d->summarise, "mmmii", d->node[1], d->node[0], d->child, t->bodies,
                    t->cells);
        byw_wl_launch(wl, d->summarise, byw_wl_groups((size_t)t->cells, GROUP), GROUP);
        byw_wl_read(wl, d->node[0], d->node_bytes, t->node);
    }
    float mass = 1.0f;
    byw_wl_check_f32(wl, "mass", &t->node[4 * t->bodies + 3], &mass, 1, 1e-4f, 0.0f);
}

/* Depth first with an explicit stack: links, cell sides, order and the tree's validity. */
struct visit {
    int node, after; /* node to visit, node that follows its subtree */
    float center[3], half_side;
};

static void check_place(struct byw_wl *wl, const struct tree *t, const struct visit *v)
{
    for (int k = 0; k < 3; k++)
        if (fabsf(t->node[4 * v->node + k] - v->center[k]) > v->half_side * 1.001f)
            byw_wl_fail(wl, "body %d lies outside its cell in the tree", v->node);
}

static int push_children(const struct tree *t, const struct visit *v, struct visit *stack, int top)
{
    int after = v->after;
    for (int k = 7; k >= 0; k--) {
        int there = t->child[8 * (v->node - t->bodies) + k];
        if (there == EMPTY)
            continue;
        struct visit *next = &stack[top++];
        *next = (struct visit){.node = there, .after = after, .half_side = 0.5f * v->half_side};
        for (int axis = 0; axis < 3; axis++)
            next->center[axis] = v->center[axis] + ((k >> axis) & 1 ? 0.5f : -0.5f) * v->half_side;
        after = there;
    }
    t->link[2 * v->node + 1] = after;
    return top;
}

static void walk(struct byw_wl *wl, struct tree *t)
{
    struct visit stack[8 * MAX_DEPTH];
    int top = 1;
    t->seen = 0;
    stack[0] = (struct visit){.node = t->bodies, .after = EMPTY, .half_side = t->half_side};
    for (int axis = 0; axis < 3; axis++)
        stack[0].center[axis] = t->root[axis];
    while (top > 0) {
        struct visit v = stack[--top];
        t->link[2 * v.node] = v.after;
        t->side_squared[v.node] = 4.0f * v.half_side * v.half_side;
        if (v.node >= t->bodies) {
            if (top > 8 * (MAX_DEPTH - 1))
                byw_wl_fail(wl, "the tree is deeper than %d levels", MAX_DEPTH);
            top = push_children(t, &v, stack, top);
            continue;
        }
        check_place(wl, t, &v);
        t->link[2 * v.node + 1] = EMPTY;
        if (t->seen == t->bodies)
            byw_wl_fail(wl, "the tree holds more than %d bodies", t->bodies);
        t->order[t->seen++] = v.node;
    }
    if (t->seen != t->bodies)
        byw_wl_fail(wl, "the tree holds %d bodies, expected %d", t->seen, t->bodies);
}

static void host_force(const struct tree *t, int body, float opening, float sum[4])
{
    const float *here = &t->node[4 * body];
    sum[0] = sum[1] = sum[2] = sum[3] = 0.0f;
    for (int at = t->bodies; at != EMPTY;) {
        const float *there = &t->node[4 * at];
        float d[3], squared = 0.0f;
        for (int k = 0; k < 3; k++) {
            d[k] = there[k] - here[k];
            squared += d[k] * d[k];
        }
        bool leaf = t->link[2 * at + 1] == EMPTY;
        if (!leaf && t->side_squared[at] >= opening * squared) {
            at = t->link[2 * at + 1];
            continue;
        }
        float inverse = 1.0f / sqrtf(squared + SOFTENING);
        for (int k = 0; k < 3; k++)
            sum[k] += d[k] * there[3] * inverse * inverse * inverse;
        at = t->link[2 * at];
    }
}

/* A cell at the very edge of the opening rule may be taken whole by one and opened by the other;
 * the two results then differ by that cell's small error. */
static void force(struct byw_wl *wl, struct tree *t, const struct device *d)
{
    size_t nodes = (size_t)(t->bodies + t->most_cells);
    float angle = (float)byw_wl_get(wl, "opening") / 100.0f, opening = angle * angle;
    byw_wl_write(wl, d->link, nodes * 8, t->link);
    byw_wl_write(wl, d->side_squared, nodes * 4, t->side_squared);
    byw_wl_write(wl, d->order, (size_t)t->bodies * 4, t->order);
    byw_wl_args(wl, d->force, "mmmmmffii", d->node[0], d->link, d->side_squared, d->order,
                d->acceleration, (double)opening, (double)SOFTENING, t->bodies, t->bodies);
    byw_wl_launch(wl, d->force, byw_wl_groups((size_t)t->bodies, GROUP), GROUP);
    byw_wl_read(wl, d->acceleration, (size_t)t->bodies * 16, t->acceleration);
    for (int i = 0; i < t->bodies; i++) {
        float want[4];
        host_force(t, i, opening, want);
        float size = sqrtf(want[0] * want[0] + want[1] * want[1] + want[2] * want[2]);
        byw_wl_check_f32(wl, "acceleration", &t->acceleration[4 * i], want, 3, 0.0f,
                         1e-2f * size + 1e-4f);
    }
}

static void integrate(struct byw_wl *wl, struct tree *t, const struct device *d, float *velocity)
{
    byw_wl_args(wl, d->integrate, "mmmfi", d->node[0], d->velocity, d->acceleration, (double)STEP,
                t->bodies);
    byw_wl_launch(wl, d->integrate, byw_wl_groups((size_t)t->bodies, GROUP), GROUP);
    for (int i = 0; i < 4 * t->bodies; i++) {
        velocity[i] += STEP * t->acceleration[i];
        t->node[i] += i % 4 < 3 ? STEP * velocity[i] : 0.0f;
    }
    float *got = byw_wl_floats(wl, 4 * (size_t)(t->bodies + t->most_cells));
    byw_wl_read(wl, d->node[0], d->node_bytes, got);
    byw_wl_check_f32(wl, "place", got, t->node, 4 * (size_t)t->bodies, 1e-4f, 1e-5f);
    for (int i = 0; i < 4 * t->bodies; i++)
        t->node[i] = got[i];
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    struct tree t = {.bodies = 0};
    struct device d;
    make_tree(&wl, &t);
    make_device(&wl, &t, &d);
    float *velocity = byw_wl_floats(&wl, 4 * (size_t)t.bodies);
    for (long step = byw_wl_get(&wl, "steps"); step > 0; step--) {
        find_root(&wl, &t, &d);
        build(&wl, &t, &d);
        summarise(&wl, &t, &d);
        walk(&wl, &t);
        force(&wl, &t, &d);
        integrate(&wl, &t, &d, velocity);
    }
    return byw_wl_end(&wl);
}
