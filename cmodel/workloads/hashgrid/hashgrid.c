/* SPDX-License-Identifier: Apache-2.0
 *
 * hashgrid.c - look-up of a radiance field's hash tables on 16 levels.
 */
#include "byw_wl_bf16.h"
#include "workloads/hashgrid_cl.h"

#include <math.h>

enum { LEVELS = 16, GROUP = 128, COARSEST = 16 };

static const struct byw_wl_option options[] = {
    {"rays", "rays through the scene", {4, 16, 8192}, 1, 1 << 20, 1},
    {"samples", "points on a ray", {32, 64, 64}, 1, 1024, 1},
    {"log2-entries", "of a table, 2 to the power of this", {10, 14, 19}, 8, 24, 1},
    {"finest", "corners along an edge on the last level", {256, 2048, 2048}, 32, 8192, 1},
};
static const struct byw_wl_about about = {"hashgrid", "hash-table look-up of a radiance field",
                                          byw_wl_source, options,
                                          sizeof options / sizeof options[0]};

struct problem {
    size_t points, entries;
    int side[LEVELS];
    float *point; /* x of all points, then y, then z */
    uint32_t *table;
};

static size_t slot_of(const struct problem *p, int n, const uint32_t at[3])
{
    if ((size_t)n * (size_t)n * (size_t)n <= p->entries)
        return at[0] + (size_t)n * (at[1] + (size_t)n * at[2]);
    return (at[0] ^ at[1] * 2654435761u ^ at[2] * 805459861u) & (uint32_t)(p->entries - 1);
}

static void look_up(const struct problem *p, size_t point, int level, float sum[2])
{
    int n = p->side[level];
    sum[0] = sum[1] = 0.0f;
    for (uint32_t corner = 0; corner < 8; corner++) {
        uint32_t at[3];
        float w = 1.0f;
        for (int d = 0; d < 3; d++) {
            float f = p->point[(size_t)d * p->points + point] * (float)(n - 1);
            int cell = (int)f < n - 2 ? (int)f : n - 2;
            uint32_t up = corner >> d & 1;
            f -= (float)cell;
            at[d] = (uint32_t)cell + up;
            w *= up != 0 ? f : 1.0f - f;
        }
        uint32_t entry = p->table[(size_t)level * p->entries + slot_of(p, n, at)];
        sum[0] += w * byw_wl_from_bf16((uint16_t)entry);
        sum[1] += w * byw_wl_from_bf16((uint16_t)(entry >> 16));
    }
}

/* Parallel rays of a tile of pixels, seen from the side of the unit cube. */
static void make_points(struct byw_wl *wl, struct problem *p, int rays, int samples)
{
    int width = (int)sqrt((double)rays);
    for (int r = 0; r < rays; r++) {
        float x = 0.3f + 0.4f * (float)(r % width) / (float)width;
        float y = 0.3f + 0.4f * (float)(r / width) * (float)width / (float)rays;
        float start = byw_wl_uniform(wl, 0.0f, 0.3f);
        for (int s = 0; s < samples; s++) {
            size_t i = (size_t)r * (size_t)samples + (size_t)s;
            float t = (float)s / 1024.0f;
            p->point[i] = x + 0.2f * t;
            p->point[p->points + i] = y + 0.1f * t;
            p->point[2 * p->points + i] = start + 0.6f * t;
        }
    }
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    int rays = byw_wl_get_int(&wl, "rays"), samples = byw_wl_get_int(&wl, "samples");
    double finest = (double)byw_wl_get(&wl, "finest");
    struct problem p = {.points = (size_t)rays * (size_t)samples,
                        .entries = (size_t)1 << byw_wl_get(&wl, "log2-entries")};
    for (int l = 0; l < LEVELS; l++) /* grows by the same factor from level to level */
        p.side[l] = (int)floor(COARSEST * pow(finest / COARSEST, (double)l / (LEVELS - 1)) + 1e-6);
    p.point = byw_wl_floats(&wl, 3 * p.points);
    p.table = byw_wl_alloc(&wl, LEVELS * p.entries, sizeof(*p.table));
    make_points(&wl, &p, rays, samples);
    for (size_t i = 0; i < LEVELS * p.entries; i++)
        p.table[i] = byw_wl_to_bf16(byw_wl_uniform(&wl, -1.0f, 1.0f)) |
                     (uint32_t)byw_wl_to_bf16(byw_wl_uniform(&wl, -1.0f, 1.0f)) << 16;
    size_t outputs = 2 * LEVELS * p.points;
    float *want = byw_wl_floats(&wl, outputs), *got = byw_wl_floats(&wl, outputs);
    for (size_t i = 0; i < p.points; i++)
        for (int l = 0; l < LEVELS; l++) {
            float sum[2];
            look_up(&p, i, l, sum);
            want[(size_t)(2 * l) * p.points + i] = sum[0];
            want[(size_t)(2 * l + 1) * p.points + i] = sum[1];
        }

    cl_mem out = byw_wl_buffer(&wl, outputs * sizeof(float), NULL);
    cl_kernel kernel = byw_wl_kernel(&wl, "hashgrid");
    byw_wl_args(&wl, kernel, "mmmmii", byw_wl_buffer(&wl, 3 * p.points * sizeof(float), p.point),
                byw_wl_buffer(&wl, LEVELS * p.entries * sizeof(*p.table), p.table),
                byw_wl_buffer(&wl, sizeof(p.side), p.side), out, (int)p.points, (int)p.entries);
    byw_wl_launch(&wl, kernel, byw_wl_groups(p.points, GROUP), GROUP);
    byw_wl_read(&wl, out, outputs * sizeof(float), got);
    byw_wl_check_f32(&wl, "out", got, want, outputs, 1e-3f, 1e-4f);
    return byw_wl_end(&wl);
}
