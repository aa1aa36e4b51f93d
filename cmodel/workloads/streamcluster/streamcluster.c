/* SPDX-License-Identifier: Apache-2.0
 *
 * streamcluster.c - k-median clustering by local search: for each candidate centre one launch
 * computes every point's gain, and the host opens the candidate when that lowers the total cost.
 */
#include "byw_wl.h"
#include "workloads/streamcluster_cl.h"

#include <math.h>
#include <string.h>

enum { GROUP = 512 };

static const struct byw_wl_option options[] = {
    {"n", "points", {1000, 7680, 65536}, 64, 1 << 20, 1},
    {"dimensions", "coordinates of a point", {8, 64, 256}, 1, 1024, 1},
    {"centers", "centres at the start", {5, 12, 15}, 1, 60, 1},
    {"candidates", "centres tried, one launch each", {4, 2, 100}, 1, 100000, 1},
};
static const struct byw_wl_about about = {
    "streamcluster", "gain of opening one more centre, one work-item per point", byw_wl_source,
    options, sizeof options / sizeof options[0]};

/* As in the .cl file: 32 bytes, as on a machine with 64-bit pointers. */
struct point {
    float weight;
    cl_long coordinates, center;
    float cost;
};

struct problem {
    int points, dimensions, centers;
    float facility; /* cost of keeping one more centre open */
    struct point *point;
    float *coordinate, *want, *got;
    int *center_column, *moves; /* column of a centre's point in a row of savings */
};

struct device {
    cl_kernel gain;
    cl_mem point, coordinate, center_column, saving, moves;
};

static float distance_to(const struct problem *p, int i, int center)
{
    float sum = 0.0f;
    for (int d = 0; d < p->dimensions; d++) {
        float difference = p->coordinate[d * p->points + i] - p->coordinate[d * p->points + center];
        sum += difference * difference;
    }
    return sum * p->point[i].weight;
}

/* The points are around random spots, as many as there are centres at the start. */
static void make_points(struct byw_wl *wl, struct problem *p)
{
    float *spot = byw_wl_uniforms(wl, (size_t)(p->centers * p->dimensions), 0.0f, 1.0f);
    size_t points = (size_t)p->points;
    p->coordinate = byw_wl_floats(wl, points * (size_t)p->dimensions);
    p->point = byw_wl_alloc(wl, points, sizeof *p->point);
    for (int i = 0; i < p->points; i++) {
        int near = (int)byw_wl_below(wl, (uint32_t)p->centers);
        p->point[i] = (struct point){.weight = 1.0f, .coordinates = i, .cost = INFINITY};
        for (int d = 0; d < p->dimensions; d++)
            p->coordinate[d * p->points + i] =
                spot[near * p->dimensions + d] + byw_wl_uniform(wl, -0.3f, 0.3f);
    }
    float total = 0.0f;
    for (int i = 0; i < p->points; i++) {
        for (int c = 0; c < p->centers; c++) {
            float cost = distance_to(p, i, c);
            if (cost < p->point[i].cost) {
                p->point[i].cost = cost;
                p->point[i].center = c;
            }
        }
        total += p->point[i].cost;
    }
    p->facility = total / (float)(4 * p->centers);
}

/* Numbers the open centres and returns how many there are. */
static int number_centers(struct problem *p)
{
    int centers = 0;
    for (int i = 0; i < p->points; i++)
        p->center_column[i] = -1;
    for (int i = 0; i < p->points; i++) {
        int center = (int)p->point[i].center;
        if (p->center_column[center] < 0)
            p->center_column[center] = centers++;
    }
    return centers;
}

static void host_gain(const struct problem *p, int candidate)
{
    size_t row = (size_t)p->centers + 1;
    memset(p->want, 0, (size_t)p->points * row * sizeof(float));
    for (int i = 0; i < p->points; i++) {
        const struct point *point = &p->point[i];
        float saved = distance_to(p, i, candidate) - point->cost;
        int column = saved < 0.0f ? p->centers : p->center_column[point->center];
        p->want[(size_t)i * row + (size_t)column] = saved < 0.0f ? saved : -saved;
    }
}

/* Closes the centres whose points can move to the candidate; true if it is worth opening the
 * candidate. */
static bool open_pays(const struct problem *p, float *leaving)
{
    double total = (double)p->facility;
    for (int c = 0; c < p->centers; c++)
        leaving[c] = p->facility;
    for (int i = 0; i < p->points; i++) {
        const float *row = p->got + (size_t)i * ((size_t)p->centers + 1);
        for (int c = 0; c < p->centers; c++)
            leaving[c] += row[c];
        total += (double)row[p->centers];
    }
    for (int c = 0; c < p->centers; c++)
        if (leaving[c] > 0.0f)
            total -= (double)leaving[c];
    return total < 0.0;
}

static void move_points(struct problem *p, int candidate, const float *leaving)
{
    for (int i = 0; i < p->points; i++) {
        int column = p->center_column[p->point[i].center];
        if (p->moves[i] || leaving[column] > 0.0f) {
            p->point[i].center = candidate;
            p->point[i].cost = distance_to(p, i, candidate);
        }
    }
}

/* Rounding may change the choice of a point that gains almost nothing, so a saving close to zero
 * may be in either of its two columns. */
static void check_savings(struct byw_wl *wl, const struct problem *p)
{
    size_t cells = (size_t)p->points * ((size_t)p->centers + 1);
    byw_wl_check_f32(wl, "saving", p->got, p->want, cells, 1e-4f, 1e-4f * (float)p->dimensions);
    for (int i = 0; i < p->points; i++) {
        float gain = p->want[(size_t)i * ((size_t)p->centers + 1) + (size_t)p->centers];
        int want = gain < 0.0f;
        if (fabsf(gain) > 1e-4f * (float)p->dimensions)
            byw_wl_check_i32(wl, "moves", &p->moves[i], &want, 1);
    }
}

static void try_candidate(struct byw_wl *wl, struct problem *p, const struct device *d,
                          int candidate)
{
    size_t points = (size_t)p->points;
    p->centers = number_centers(p);
    size_t bytes = points * ((size_t)p->centers + 1) * sizeof(float);
    float *leaving = byw_wl_floats(wl, (size_t)p->centers);
    memset(p->got, 0, bytes);
    memset(p->moves, 0, points * sizeof(int));
    byw_wl_write(wl, d->point, points * sizeof *p->point, p->point);
    byw_wl_write(wl, d->center_column, points * sizeof(int), p->center_column);
    byw_wl_write(wl, d->saving, bytes, p->got);
    byw_wl_write(wl, d->moves, points * sizeof(int), p->moves);
    byw_wl_args(wl, d->gain, "miiimimmm", d->point, p->points, p->dimensions, candidate,
                d->coordinate, p->centers, d->center_column, d->saving, d->moves);
    byw_wl_launch(wl, d->gain, byw_wl_groups(points, GROUP), GROUP);
    byw_wl_read(wl, d->saving, bytes, p->got);
    byw_wl_read(wl, d->moves, points * sizeof(int), p->moves);
    host_gain(p, candidate);
    check_savings(wl, p);
    if (open_pays(p, leaving))
        move_points(p, candidate, leaving);
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    struct problem p = {.points = byw_wl_get_int(&wl, "n"),
                        .dimensions = byw_wl_get_int(&wl, "dimensions"),
                        .centers = byw_wl_get_int(&wl, "centers")};
    long candidates = byw_wl_get(&wl, "candidates");
    size_t points = (size_t)p.points;
    make_points(&wl, &p);
    /* A launch opens at most one centre. */
    size_t savings = points * (size_t)(p.centers + candidates + 1);
    p.want = byw_wl_floats(&wl, savings);
    p.got = byw_wl_floats(&wl, savings);
    p.center_column = byw_wl_ints(&wl, points);
    p.moves = byw_wl_ints(&wl, points);

    struct device d = {.gain = byw_wl_kernel(&wl, "streamcluster_gain")};
    d.point = byw_wl_buffer(&wl, points * sizeof *p.point, NULL);
    d.coordinate = byw_wl_buffer(&wl, points * (size_t)p.dimensions * sizeof(float), p.coordinate);
    d.center_column = byw_wl_buffer(&wl, points * sizeof(int), NULL);
    d.saving = byw_wl_buffer(&wl, savings * sizeof(float), NULL);
    d.moves = byw_wl_buffer(&wl, points * sizeof(int), NULL);
    for (long i = 0; i < candidates; i++)
        try_candidate(&wl, &p, &d, (int)byw_wl_below(&wl, (uint32_t)p.points));
    return byw_wl_end(&wl);
}
