/* SPDX-License-Identifier: Apache-2.0
 *
 * bh.c - gravity of a cluster of bodies by the Barnes-Hut tree.
 *
 * Launches per step: box, build, summarise, sort, force, integrate, with the group sizes and, where
 * no work-item waits for another, the grid sizes that the original uses on 15 SMs. The host
 * completes the box and creates the root. It checks that the tree contains every body once and in
 * its cell, and that the sorted order is that of a walk over the tree, and compares the forces with
 * those of its own walk.
 */
#include "byw_wl.h"
#include "workloads/bh_cl.h"

#include <math.h>
#include <string.h>

enum {
    SMS = 15,
    BOX_GROUPS = 3 * SMS,
    BOX_GROUP = 512,
    BUILD_GROUP = 1024,
    GROUP = 256,
    WARP = 32,
    EMPTY = -1,
    MAX_DEPTH = 32
};
#define PENDING (-1.0f)
#define SOFTENING 0.0025f
#define STEP 0.0125f

static const struct byw_wl_option options[] = {
    {"n", "bodies", {300, 512, 256}, 2, 1 << 22, 1},
    {"steps", "time steps", {2, 1, 1}, 1, 1000, 1},
    {"opening", "side of a cell that is not opened, percent of distance", {50, 50, 50}, 1, 200, 1},
};
static const struct byw_wl_about about = {
    "bh", "Barnes-Hut n-body: octree build, summary, sort, force walk", byw_wl_source, options,
    sizeof options / sizeof options[0]};

struct tree {
    int bodies, nodes, root, bottom, depth, seen;
    float half_side; /* of the root cell */
    float *place[3], *mass, *speed[3], *force[3]; /* place and mass by node */
    int *child, *order, *count;
    float low[3], high[3]; /* box around a warp's bodies */
};

struct device {
    cl_mem place[3], mass, child, start, count, sorted, bottom, full, low, high, speed[3], force[3];
    cl_kernel box, build, summarise, sort, force_walk, integrate;
    size_t node_bytes, body_bytes, child_bytes;
};

/* Plummer's model of a cluster, truncated at 9 times its radius. */
static void make_bodies(struct byw_wl *wl, struct tree *t)
{
    for (int i = 0; i < t->bodies; i++) {
        float r = 10.0f, d[3], squared = 2.0f;
        while (r > 9.0f)
            r = 1.0f / sqrtf(powf(byw_wl_uniform(wl, 0.0001f, 0.9999f), -2.0f / 3.0f) - 1.0f);
        while (squared > 1.0f || squared < 0.0001f) {
            for (int k = 0; k < 3; k++)
                d[k] = byw_wl_uniform(wl, -1.0f, 1.0f);
            squared = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        }
        for (int k = 0; k < 3; k++)
            t->place[k][i] = d[k] * r / sqrtf(squared);
        t->mass[i] = 1.0f / (float)t->bodies;
    }
}

static void make_tree(struct byw_wl *wl, struct tree *t)
{
    t->bodies = byw_wl_get_int(wl, "n");
    t->nodes = 2 * t->bodies > BUILD_GROUP * SMS ? 2 * t->bodies : BUILD_GROUP * SMS;
    t->nodes = (t->nodes + WARP - 1) / WARP * WARP;
    t->root = t->nodes - 1;
    size_t nodes = (size_t)t->nodes, bodies = (size_t)t->bodies;
    for (int k = 0; k < 3; k++) {
        t->place[k] = byw_wl_floats(wl, nodes);
        t->speed[k] = byw_wl_floats(wl, bodies);
        t->force[k] = byw_wl_floats(wl, bodies);
    }
    t->mass = byw_wl_floats(wl, nodes);
    t->child = byw_wl_ints(wl, 8 * nodes);
    t->count = byw_wl_ints(wl, nodes);
    t->order = byw_wl_ints(wl, bodies);
    make_bodies(wl, t);
}

static void make_device(struct byw_wl *wl, const struct tree *t, struct device *d)
{
    d->node_bytes = (size_t)t->nodes * 4;
    d->body_bytes = (size_t)t->bodies * 4;
    d->child_bytes = 8 * d->node_bytes;
    for (int k = 0; k < 3; k++) {
        d->place[k] = byw_wl_buffer(wl, d->node_bytes, t->place[k]);
        d->speed[k] = byw_wl_buffer(wl, d->body_bytes, t->speed[k]);
        d->force[k] = byw_wl_buffer(wl, d->body_bytes, NULL);
    }
    d->mass = byw_wl_buffer(wl, d->node_bytes, t->mass);
    d->child = byw_wl_buffer(wl, d->child_bytes, NULL);
    d->start = byw_wl_buffer(wl, d->node_bytes, NULL);
    d->count = byw_wl_buffer(wl, d->node_bytes, NULL);
    d->sorted = byw_wl_buffer(wl, d->body_bytes, NULL);
    d->bottom = byw_wl_buffer(wl, sizeof(int), NULL);
    d->full = byw_wl_buffer(wl, sizeof(int), NULL);
    d->low = byw_wl_buffer(wl, 3 * BOX_GROUPS * 4, NULL);
    d->high = byw_wl_buffer(wl, 3 * BOX_GROUPS * 4, NULL);
    d->box = byw_wl_kernel(wl, "bh_box");
    d->build = byw_wl_kernel(wl, "bh_build");
    d->summarise = byw_wl_kernel(wl, "bh_summarise");
    d->sort = byw_wl_kernel(wl, "bh_sort");
    d->force_walk = byw_wl_kernel(wl, "bh_force");
    d->integrate = byw_wl_kernel(wl, "bh_integrate");
}

/* The root cell: the cube around the box, a little larger so that no body lies on its face. */
static void find_root(struct byw_wl *wl, struct tree *t, const struct device *d)
{
    float low[3][BOX_GROUPS], high[3][BOX_GROUPS];
    byw_wl_args(wl, d->box, "mmmmmi", d->place[0], d->place[1], d->place[2], d->low, d->high,
                t->bodies);
    byw_wl_launch(wl, d->box, BOX_GROUPS, BOX_GROUP);
    byw_wl_read(wl, d->low, sizeof low, low);
    byw_wl_read(wl, d->high, sizeof high, high);
    t->half_side = 0.0f;
    for (int k = 0; k < 3; k++) {
        float from = low[k][0], to = high[k][0];
        float want_from = t->place[k][0], want_to = t->place[k][0];
        for (int g = 1; g < BOX_GROUPS; g++) {
            from = fminf(from, low[k][g]);
            to = fmaxf(to, high[k][g]);
        }
        for (int i = 1; i < t->bodies; i++) {
            want_from = fminf(want_from, t->place[k][i]);
            want_to = fmaxf(want_to, t->place[k][i]);
        }
        byw_wl_check_f32(wl, "low", &from, &want_from, 1, 0.0f, 0.0f);
        byw_wl_check_f32(wl, "high", &to, &want_to, 1, 0.0f, 0.0f);
        t->place[k][t->root] = 0.5f * (from + to);
        t->half_side = fmaxf(t->half_side, 0.501f * (to - from));
    }
}

/* The device computes all fields of a cell, except those of the root. */
static void build(struct byw_wl *wl, struct tree *t, const struct device *d)
{
    int full = 0, *start = byw_wl_ints(wl, (size_t)t->nodes);
    t->mass[t->root] = PENDING;
    for (int k = 0; k < 8; k++)
        t->child[8 * t->root + k] = EMPTY;
    byw_wl_write(wl, d->child, d->child_bytes, t->child);
    byw_wl_write(wl, d->bottom, sizeof t->root, &t->root);
    byw_wl_write(wl, d->full, sizeof full, &full);
    byw_wl_write(wl, d->start, d->node_bytes, start);
    byw_wl_write(wl, d->mass, d->node_bytes, t->mass);
    for (int k = 0; k < 3; k++)
        byw_wl_write(wl, d->place[k], d->node_bytes, t->place[k]);
    byw_wl_args(wl, d->build, "mmmmmmmmfii", d->place[0], d->place[1], d->place[2], d->mass,
                d->child, d->start, d->bottom, d->full, (double)t->half_side, t->bodies, t->root);
    byw_wl_launch(wl, d->build, SMS, BUILD_GROUP);
    byw_wl_read(wl, d->bottom, sizeof t->bottom, &t->bottom);
    byw_wl_read(wl, d->full, sizeof full, &full);
    if (full)
        byw_wl_fail(wl, "the tree needs more than %d cells, expected fewer", t->nodes - t->bodies);
    byw_wl_read(wl, d->child, d->child_bytes, t->child);
    for (int k = 0; k < 3; k++)
        byw_wl_read(wl, d->place[k], d->node_bytes, t->place[k]);
}

/* Walks the tree below a cell, while t->place still contains the cells' middles: counts bodies and
 * depth. */
static int check_cell(struct byw_wl *wl, struct tree *t, int cell, float half_side, int depth)
{
    int inside = 0;
    if (depth > MAX_DEPTH)
        byw_wl_fail(wl, "the tree is deeper than %d levels", MAX_DEPTH);
    t->depth = depth > t->depth ? depth : t->depth;
    for (int octant = 0; octant < 8; octant++) {
        int there = t->child[8 * cell + octant];
        if (there == EMPTY)
            continue;
        for (int k = 0; k < 3; k++) {
            float middle = t->place[k][cell] + ((octant >> k) & 1 ? 0.5f : -0.5f) * half_side;
            float reach = there < t->bodies ? 0.5005f * half_side : 0.0005f * half_side;
            if (fabsf(t->place[k][there] - middle) > reach)
                byw_wl_fail(wl, "node %d lies outside its cell in the tree", there);
        }
        if (there >= t->bodies) {
            inside += check_cell(wl, t, there, 0.5f * half_side, depth + 1);
            continue;
        }
        if (t->seen == t->bodies)
            byw_wl_fail(wl, "the tree holds more than %d bodies", t->bodies);
        t->order[t->seen++] = there;
        inside++;
    }
    t->count[cell] = inside;
    return inside;
}

static void check_tree(struct byw_wl *wl, struct tree *t)
{
    t->seen = t->depth = 0;
    for (int i = 0; i < t->nodes; i++)
        t->count[i] = 0;
    check_cell(wl, t, t->root, t->half_side, 1);
    if (t->seen != t->bodies)
        byw_wl_fail(wl, "the tree holds %d bodies, expected %d", t->seen, t->bodies);
}

static void summarise(struct byw_wl *wl, struct tree *t, const struct device *d)
{
    size_t cells = (size_t)(t->root + 1 - t->bottom / WARP * WARP);
    int *got = byw_wl_ints(wl, (size_t)t->nodes);
    byw_wl_args(wl, d->summarise, "mmmmmmiii", d->place[0], d->place[1], d->place[2], d->mass,
                d->child, d->count, t->bottom, t->root, t->bodies);
    byw_wl_launch(wl, d->summarise, byw_wl_groups(cells, BUILD_GROUP), BUILD_GROUP);
    byw_wl_read(wl, d->mass, d->node_bytes, t->mass);
    byw_wl_read(wl, d->child, d->child_bytes, t->child);
    byw_wl_read(wl, d->count, d->node_bytes, got);
    for (int k = 0; k < 3; k++)
        byw_wl_read(wl, d->place[k], d->node_bytes, t->place[k]);
    float mass = 1.0f;
    byw_wl_check_f32(wl, "mass", &t->mass[t->root], &mass, 1, 1e-4f, 0.0f);
    byw_wl_check_i32(wl, "count", &got[t->bottom], &t->count[t->bottom],
                     (size_t)(t->nodes - t->bottom));
    byw_wl_args(wl, d->sort, "mmmmiii", d->child, d->count, d->start, d->sorted, t->bottom, t->root,
                t->bodies);
    byw_wl_launch(wl, d->sort, byw_wl_groups(cells, GROUP), GROUP);
    byw_wl_read(wl, d->sorted, d->body_bytes, got);
    byw_wl_check_i32(wl, "sorted", got, t->order, (size_t)t->bodies);
}

/* Adds the forces of the bodies below a cell to that of `body`. */
static void host_force(const struct tree *t, int body, int cell, float opened, float sum[3])
{
    for (int octant = 0; octant < 8; octant++) {
        int there = t->child[8 * cell + octant];
        if (there == EMPTY)
            break;
        float d[3], squared = SOFTENING, nearest = SOFTENING;
        for (int k = 0; k < 3; k++) {
            float p = t->place[k][there], n = p - fminf(fmaxf(p, t->low[k]), t->high[k]);
            d[k] = p - t->place[k][body];
            squared += d[k] * d[k];
            nearest += n * n;
        }
        if (there >= t->bodies && nearest < opened) {
            host_force(t, body, there, 0.25f * opened, sum);
            continue;
        }
        float inverse = 1.0f / sqrtf(squared);
        for (int k = 0; k < 3; k++)
            sum[k] += d[k] * t->mass[there] * inverse * inverse * inverse;
    }
}

static void find_box(struct tree *t, int first)
{
    for (int k = 0; k < 3; k++) {
        t->low[k] = t->high[k] = t->place[k][t->order[first]];
        for (int i = first; i < first + WARP && i < t->bodies; i++) {
            t->low[k] = fminf(t->low[k], t->place[k][t->order[i]]);
            t->high[k] = fmaxf(t->high[k], t->place[k][t->order[i]]);
        }
    }
}

/* A cell very close to the limit of the opening rule may be opened by the device and not by the
 * host, or the reverse; the two results then differ by that cell's small error. */
static void force(struct byw_wl *wl, struct tree *t, const struct device *d)
{
    float angle = (float)byw_wl_get(wl, "opening") / 100.0f;
    float opened = t->half_side * t->half_side / (angle * angle); /* side of the root's children */
    byw_wl_args(wl, d->force_walk, "mmmmmmmmmffiil", d->place[0], d->place[1], d->place[2], d->mass,
                d->child, d->sorted, d->force[0], d->force[1], d->force[2], (double)opened,
                (double)SOFTENING, t->root, t->bodies, (size_t)t->depth * GROUP * sizeof(int));
    byw_wl_launch(wl, d->force_walk, byw_wl_groups((size_t)t->bodies, GROUP), GROUP);
    for (int k = 0; k < 3; k++)
        byw_wl_read(wl, d->force[k], d->body_bytes, t->force[k]);
    for (int i = 0; i < t->bodies; i++) {
        int body = t->order[i];
        float want[3] = {0.0f, 0.0f, 0.0f};
        if (i % WARP == 0)
            find_box(t, i);
        host_force(t, body, t->root, opened, want);
        float size = sqrtf(want[0] * want[0] + want[1] * want[1] + want[2] * want[2]);
        for (int k = 0; k < 3; k++)
            byw_wl_check_f32(wl, "force", &t->force[k][body], &want[k], 1, 0.0f,
                             2e-4f * size + 1e-6f);
    }
}

static void integrate(struct byw_wl *wl, struct tree *t, const struct device *d)
{
    float *got = byw_wl_floats(wl, (size_t)t->nodes);
    byw_wl_args(wl, d->integrate, "mmmmmmmmmfi", d->place[0], d->place[1], d->place[2], d->speed[0],
                d->speed[1], d->speed[2], d->force[0], d->force[1], d->force[2], (double)STEP,
                t->bodies);
    byw_wl_launch(wl, d->integrate, BOX_GROUPS, BOX_GROUP);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < t->bodies; i++) {
            t->speed[k][i] += STEP * t->force[k][i];
            t->place[k][i] += STEP * t->speed[k][i];
        }
        byw_wl_read(wl, d->place[k], d->node_bytes, got);
        byw_wl_check_f32(wl, "place", got, t->place[k], (size_t)t->bodies, 1e-4f, 1e-5f);
        memcpy(t->place[k], got, d->body_bytes);
    }
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    struct tree t = {.bodies = 0};
    struct device d;
    make_tree(&wl, &t);
    make_device(&wl, &t, &d);
    for (long step = byw_wl_get(&wl, "steps"); step > 0; step--) {
        find_root(&wl, &t, &d);
        build(&wl, &t, &d);
        check_tree(&wl, &t);
        summarise(&wl, &t, &d);
        force(&wl, &t, &d);
        integrate(&wl, &t, &d);
    }
    return byw_wl_end(&wl);
}
