/* SPDX-License-Identifier: Apache-2.0
 *
 * leukocyte.c - finds round cells in a frame (GICOV, dilation) and relaxes a flow field around
 * each.
 *
 * The frame shows rings at random places, with random radii, in noise.  Three launches.
 */
#include "byw_wl.h"
#include "workloads/leukocyte_cl.h"

#include <math.h>

enum { CIRCLES = 7, POINTS = 150, MARGIN = 22, FIRST_RADIUS = 8, STREL = 12, FIELD = 41 * 41 };
enum { GICOV_GROUP = 176, FIELD_GROUP = 320, FIELD_SIDE = 41 };

static const struct byw_wl_option options[] = {
    {"rows", "rows of the frame", {50, 48, 219}, 46, 4096, 1},
    {"columns", "columns of the frame", {60, 132, 640}, 46, 4096, 1},
    {"cells", "cells tracked, one group each", {2, 8, 36}, 1, 1000, 1},
    {"sweeps", "relaxation sweeps", {3, 2, 50}, 1, 1000, 1},
};
static const struct byw_wl_about about = {
    "leukocyte", "cell detection and tracking: GICOV, dilation, flow relaxation", byw_wl_source,
    options, sizeof options / sizeof options[0]};

struct scene {
    int rows, columns, cells;
    float *grad_x, *grad_y, *edge;
    float sine[POINTS], cosine[POINTS];
    int circle_x[CIRCLES * POINTS], circle_y[CIRCLES * POINTS], element[STREL * STREL];
};

static void make_tables(struct scene *s)
{
    for (int p = 0; p < POINTS; p++) {
        double angle = 2.0 * 3.14159265358979323846 * p / POINTS;
        s->sine[p] = (float)sin(angle);
        s->cosine[p] = (float)cos(angle);
        for (int c = 0; c < CIRCLES; c++) {
            s->circle_x[c * POINTS + p] = (int)lround((FIRST_RADIUS + 2 * c) * cos(angle));
            s->circle_y[c * POINTS + p] = (int)lround((FIRST_RADIUS + 2 * c) * sin(angle));
        }
    }
    for (int i = 0; i < STREL * STREL; i++) {
        int y = i / STREL - STREL / 2, x = i % STREL - STREL / 2;
        s->element[i] = x * x + y * y <= STREL * STREL / 4;
    }
}

static void make_scene(struct byw_wl *wl, struct scene *s)
{
    size_t pixels = (size_t)s->rows * (size_t)s->columns;
    float *light = byw_wl_floats(wl, pixels);
    s->grad_x = byw_wl_floats(wl, pixels);
    s->grad_y = byw_wl_floats(wl, pixels);
    s->edge = byw_wl_floats(wl, (size_t)s->cells * FIELD);
    for (size_t i = 0; i < pixels; i++)
        light[i] = byw_wl_uniform(wl, 0.0f, 0.2f);
    for (int cell = 0; cell < s->cells; cell++) {
        int cx = (int)byw_wl_below(wl, (uint32_t)s->columns);
        int cy = (int)byw_wl_below(wl, (uint32_t)s->rows);
        float radius = byw_wl_uniform(wl, 8.0f, 20.0f);
        for (int i = 0; i < s->rows * s->columns; i++) {
            float x = (float)(i % s->columns - cx), y = (float)(i / s->columns - cy);
            if (x * x + y * y < radius * radius)
                light[i] += 0.5f;
        }
    }
    for (int y = 1; y < s->rows - 1; y++) {
        for (int x = 1; x < s->columns - 1; x++) {
            int i = y * s->columns + x;
            s->grad_x[i] = 0.5f * (light[i + 1] - light[i - 1]);
            s->grad_y[i] = 0.5f * (light[i + s->columns] - light[i - s->columns]);
        }
    }
    for (int i = 0; i < s->cells * FIELD; i++)
        s->edge[i] = byw_wl_uniform(wl, 0.0f, 1.0f);
}

static void host_gicov(const struct scene *s, float *gicov)
{
    for (int y = MARGIN; y < s->rows - MARGIN; y++) {
        for (int x = MARGIN; x < s->columns - MARGIN; x++) {
            float best = 0.0f;
            for (int c = 0; c < CIRCLES; c++) {
                double sum = 0.0, square = 0.0;
                for (int p = 0; p < POINTS; p++) {
                    int at = (y + s->circle_y[c * POINTS + p]) * s->columns + x +
                             s->circle_x[c * POINTS + p];
                    double outward = (double)s->grad_x[at] * (double)s->cosine[p] +
                                     (double)s->grad_y[at] * (double)s->sine[p];
                    sum += outward;
                    square += outward * outward;
                }
                double mean = sum / POINTS, variance = (square - sum * mean) / (POINTS - 1);
                best = fmaxf(best, (float)(mean * mean / variance));
            }
            gicov[y * s->columns + x] = best;
        }
    }
}

static void host_dilate(const struct scene *s, const float *image, float *out)
{
    for (int i = 0; i < s->rows * s->columns; i++) {
        out[i] = 0.0f;
        for (int e = 0; e < STREL * STREL; e++) {
            int row = i / s->columns + e / STREL - STREL / 2;
            int column = i % s->columns + e % STREL - STREL / 2;
            if (s->element[e] && row >= 0 && row < s->rows && column >= 0 && column < s->columns)
                out[i] = fmaxf(out[i], image[row * s->columns + column]);
        }
    }
}

static void host_sweep(const float *edge, const float *now, float *next)
{
    for (int i = 0; i < FIELD; i++) {
        float flow = 0.0f;
        for (int k = 0; k < 9; k++) {
            int y = i / FIELD_SIDE + k / 3 - 1, x = i % FIELD_SIDE + k % 3 - 1;
            y = y < 0 ? 0 : y >= FIELD_SIDE ? FIELD_SIDE - 1 : y;
            x = x < 0 ? 0 : x >= FIELD_SIDE ? FIELD_SIDE - 1 : x;
            float difference = now[y * FIELD_SIDE + x] - now[i];
            flow += (0.5f + 0.5f * difference / (0.1f + fabsf(difference))) * difference;
        }
        next[i] = now[i] + 0.0625f * flow - 0.125f * edge[i] * (now[i] - edge[i]);
    }
}

static void detect(struct byw_wl *wl, const struct scene *s)
{
    size_t pixels = (size_t)s->rows * (size_t)s->columns, bytes = pixels * sizeof(float);
    float *want = byw_wl_floats(wl, pixels), *got = byw_wl_floats(wl, pixels);
    float *wide = byw_wl_floats(wl, pixels);
    cl_mem grad_x = byw_wl_buffer(wl, bytes, s->grad_x);
    cl_mem grad_y = byw_wl_buffer(wl, bytes, s->grad_y);
    cl_mem sine = byw_wl_buffer(wl, sizeof s->sine, s->sine);
    cl_mem cosine = byw_wl_buffer(wl, sizeof s->cosine, s->cosine);
    cl_mem circle_x = byw_wl_buffer(wl, sizeof s->circle_x, s->circle_x);
    cl_mem circle_y = byw_wl_buffer(wl, sizeof s->circle_y, s->circle_y);
    cl_mem element = byw_wl_buffer(wl, sizeof s->element, s->element);
    cl_mem gicov = byw_wl_buffer(wl, bytes, got), out = byw_wl_buffer(wl, bytes, NULL);

    cl_kernel find = byw_wl_kernel(wl, "leuk_gicov");
    byw_wl_args(wl, find, "mmmmmmmii", grad_x, grad_y, gicov, sine, cosine, circle_x, circle_y,
                s->columns, s->rows);
    size_t inner_rows = (size_t)(s->rows - 2 * MARGIN), inner = (size_t)(s->columns - 2 * MARGIN);
    byw_wl_launch_2d(wl, find, (size_t[2]){byw_wl_groups(inner, GICOV_GROUP), inner_rows},
                     (size_t[2]){GICOV_GROUP, 1});
    byw_wl_read(wl, gicov, bytes, got);
    host_gicov(s, want);
    byw_wl_check_f32(wl, "gicov", got, want, pixels, 1e-3f, 1e-5f);

    cl_kernel dilate = byw_wl_kernel(wl, "leuk_dilate");
    byw_wl_args(wl, dilate, "mmmii", gicov, out, element, s->columns, s->rows);
    byw_wl_launch(wl, dilate, byw_wl_groups(pixels, GICOV_GROUP), GICOV_GROUP);
    host_dilate(s, got, want);
    byw_wl_read(wl, out, bytes, wide);
    byw_wl_check_f32(wl, "dilated", wide, want, pixels, 0.0f, 0.0f);
}

static void track(struct byw_wl *wl, const struct scene *s)
{
    int sweeps = byw_wl_get_int(wl, "sweeps");
    size_t values = (size_t)s->cells * FIELD, bytes = values * sizeof(float);
    float *got = byw_wl_floats(wl, values), *now = byw_wl_floats(wl, FIELD);
    float *next = byw_wl_floats(wl, FIELD);
    cl_mem edge = byw_wl_buffer(wl, bytes, s->edge), field = byw_wl_buffer(wl, bytes, NULL);
    cl_kernel relax = byw_wl_kernel(wl, "leuk_imgvf");
    byw_wl_args(wl, relax, "mmi", edge, field, sweeps);
    byw_wl_launch(wl, relax, (size_t)s->cells, FIELD_GROUP);
    byw_wl_read(wl, field, bytes, got);
    for (size_t cell = 0; cell < (size_t)s->cells; cell++) {
        for (size_t i = 0; i < FIELD; i++)
            now[i] = s->edge[cell * FIELD + i];
        for (int sweep = 0; sweep < sweeps; sweep++) {
            host_sweep(&s->edge[cell * FIELD], now, next);
            for (size_t i = 0; i < FIELD; i++)
                now[i] = next[i];
        }
        byw_wl_check_f32(wl, "field", &got[cell * FIELD], now, FIELD, 1e-4f, 1e-5f);
    }
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    struct scene s = {.rows = byw_wl_get_int(&wl, "rows"),
                      .columns = byw_wl_get_int(&wl, "columns"),
                      .cells = byw_wl_get_int(&wl, "cells")};
    make_tables(&s);
    make_scene(&wl, &s);
    detect(&wl, &s);
    track(&wl, &s);
    return byw_wl_end(&wl);
}
