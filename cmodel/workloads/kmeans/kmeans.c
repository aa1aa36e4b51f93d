/* SPDX-License-Identifier: Apache-2.0
 *
 * kmeans.c - Lloyd's algorithm: one transposition, then per iteration one assignment launch and
 * new centres on the host.
 */
#include "byw_wl.h"
#include "workloads/kmeans_cl.h"

#include <string.h>

enum { GROUP = 256 };

static const struct byw_wl_option options[] = {
    {"n", "points", {500, 3840, 494020}, 1, 10000000, 1},
    {"features", "coordinates of a point", {34, 34, 34}, 1, 1000, 1},
    {"clusters", "centres", {5, 5, 5}, 1, 100, 1},
    {"iterations", "assignment launches", {3, 1, 20}, 1, 1000, 1},
};
static const struct byw_wl_about about = {
    "kmeans", "k-means clustering: transposition and nearest-centre kernels", byw_wl_source,
    options, sizeof options / sizeof options[0]};

struct problem {
    int points, features, clusters;
    float *feature, *center;
};

static float squared_distance(const struct problem *p, int point, int c)
{
    float distance = 0.0f;
    for (int f = 0; f < p->features; f++) {
        float difference = p->feature[point * p->features + f] - p->center[c * p->features + f];
        distance += difference * difference;
    }
    return distance;
}

/* If a point is almost equally far from two centres, rounding may change which is nearer. So the
 * device's choice must only be as near as the nearest one, within 1e-5. */
static void check_members(struct byw_wl *wl, const struct problem *p, const int *member)
{
    for (int i = 0; i < p->points; i++) {
        float least = squared_distance(p, i, 0);
        for (int c = 1; c < p->clusters; c++) {
            float distance = squared_distance(p, i, c);
            least = distance < least ? distance : least;
        }
        if (member[i] < 0 || member[i] >= p->clusters)
            byw_wl_fail(wl, "member[%d]: found %d, expected 0 to %d", i, member[i],
                        p->clusters - 1);
        float found = squared_distance(p, i, member[i]);
        byw_wl_check_f32(wl, "distance", &found, &least, 1, 1e-5f, 0.0f);
    }
}

static void move_centers(const struct problem *p, const int *member, int *population)
{
    memset(population, 0, (size_t)p->clusters * sizeof(int));
    for (int i = 0; i < p->points; i++)
        population[member[i]]++;
    for (int c = 0; c < p->clusters; c++)
        for (int f = 0; f < p->features && population[c] > 0; f++)
            p->center[c * p->features + f] = 0.0f;
    for (int i = 0; i < p->points; i++)
        for (int f = 0; f < p->features; f++)
            p->center[member[i] * p->features + f] +=
                p->feature[i * p->features + f] / (float)population[member[i]];
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    struct problem p = {.points = byw_wl_get_int(&wl, "n"),
                        .features = byw_wl_get_int(&wl, "features"),
                        .clusters = byw_wl_get_int(&wl, "clusters")};
    int iterations = byw_wl_get_int(&wl, "iterations");
    size_t values = (size_t)p.points * (size_t)p.features;
    size_t center_bytes = (size_t)p.clusters * (size_t)p.features * sizeof(float);
    p.feature = byw_wl_floats(&wl, values);
    p.center = byw_wl_floats(&wl, center_bytes / sizeof(float));
    int *member = byw_wl_ints(&wl, (size_t)p.points);
    int *population = byw_wl_ints(&wl, (size_t)p.clusters);
    for (size_t i = 0; i < values; i++)
        p.feature[i] = byw_wl_uniform(&wl, 0.0f, 255.0f);
    for (int i = 0; i < p.clusters * p.features; i++)
        p.center[i] = p.feature[(size_t)i % values];

    cl_mem feature = byw_wl_buffer(&wl, values * sizeof(float), p.feature);
    cl_mem swapped = byw_wl_buffer(&wl, values * sizeof(float), NULL);
    cl_mem center = byw_wl_buffer(&wl, center_bytes, NULL);
    cl_mem d_member = byw_wl_buffer(&wl, (size_t)p.points * sizeof(int), NULL);
    size_t groups = byw_wl_groups((size_t)p.points, GROUP);
    cl_kernel swap = byw_wl_kernel(&wl, "kmeans_swap");
    byw_wl_args(&wl, swap, "mmii", feature, swapped, p.points, p.features);
    byw_wl_launch(&wl, swap, groups, GROUP);
    cl_kernel assign = byw_wl_kernel(&wl, "kmeans_assign");
    byw_wl_args(&wl, assign, "mmmiii", swapped, center, d_member, p.points, p.clusters, p.features);
    for (int i = 0; i < iterations; i++) {
        byw_wl_write(&wl, center, center_bytes, p.center);
        byw_wl_launch(&wl, assign, groups, GROUP);
        byw_wl_read(&wl, d_member, (size_t)p.points * sizeof(int), member);
        check_members(&wl, &p, member);
        move_centers(&p, member, population);
    }
    return byw_wl_end(&wl);
}
