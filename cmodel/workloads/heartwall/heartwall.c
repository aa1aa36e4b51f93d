/* SPDX-License-Identifier: Apache-2.0
 *
 * heartwall.c - follows 51 points through a video by template matching, one launch per frame.
 *
 * The video is a random texture that moves by (-1, 1) pixels per frame, so the right place of each
 * point is known without the host's computation.
 */
#include "byw_wl.h"
#include "workloads/heartwall_cl.h"

#include <math.h>

enum { GROUP = 256 };

static const struct byw_wl_option options[] = {
    {"points", "points to follow, one group each", {4, 51, 51}, 1, 1000, 1},
    {"template", "template reach t: its side is 2 t + 1", {2, 3, 25}, 1, 40, 1},
    {"search", "search reach s: the window's side is 2 s + 1", {5, 6, 40}, 3, 60, 1},
    {"frames", "frames, the first gives the templates", {3, 2, 20}, 2, 200, 1},
};
static const struct byw_wl_about about = {
    "heartwall", "template matching of heart wall points, one group per point", byw_wl_source,
    options, sizeof options / sizeof options[0]};

enum { ROWS = 656, COLUMNS = 744 };

struct tracker {
    int points, t_side, w_side, valid;
    float *texture, *frame, *model, *mean, *spread;
    int *row, *column;
};

/* The texture is larger than a frame by one pixel per frame on each side. */
static void cut_frame(const struct tracker *k, int frames, int number)
{
    int width = COLUMNS + frames;
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            k->frame[row * COLUMNS + column] =
                k->texture[(row + number) * width + column + frames - number];
}

static void make_tracker(struct byw_wl *wl, struct tracker *k, int frames)
{
    k->points = byw_wl_get_int(wl, "points");
    k->t_side = 2 * byw_wl_get_int(wl, "template") + 1;
    k->w_side = 2 * byw_wl_get_int(wl, "search") + 1;
    k->valid = k->w_side - k->t_side + 1;
    if (k->valid < 3)
        byw_wl_fail(wl, "search %d is too small for template %d, expected at least one more",
                    k->w_side / 2, k->t_side / 2);
    size_t points = (size_t)k->points, side = (size_t)k->t_side;
    size_t pixels = (size_t)(ROWS + frames) * (size_t)(COLUMNS + frames);
    k->texture = byw_wl_floats(wl, pixels);
    k->frame = byw_wl_floats(wl, ROWS * COLUMNS);
    for (size_t i = 0; i < pixels; i++)
        k->texture[i] = byw_wl_uniform(wl, 0.0f, 1.0f);
    cut_frame(k, frames, 0);
    k->model = byw_wl_floats(wl, points * side * side);
    k->mean = byw_wl_floats(wl, points);
    k->spread = byw_wl_floats(wl, points);
    k->row = byw_wl_ints(wl, points);
    k->column = byw_wl_ints(wl, points);
    int margin = k->w_side + frames;
    for (int p = 0; p < k->points; p++) {
        float *model = &k->model[(size_t)p * side * side], sum = 0.0f;
        k->row[p] = margin + (int)byw_wl_below(wl, (uint32_t)(ROWS - 2 * margin));
        k->column[p] = margin + (int)byw_wl_below(wl, (uint32_t)(COLUMNS - 2 * margin));
        for (int e = 0; e < k->t_side * k->t_side; e++) {
            int row = k->row[p] - k->t_side / 2 + e / k->t_side;
            int column = k->column[p] - k->t_side / 2 + e % k->t_side;
            model[e] = k->frame[row * COLUMNS + column];
            sum += model[e];
        }
        k->mean[p] = sum / (float)(k->t_side * k->t_side);
        for (int e = 0; e < k->t_side * k->t_side; e++)
            k->spread[p] += (model[e] - k->mean[p]) * (model[e] - k->mean[p]);
    }
}

/* Correlation coefficient of point p's template with the frame, corner at (top, left). */
static float host_score(const struct tracker *k, int p, int top, int left)
{
    int side = k->t_side;
    double sum = 0.0, square = 0.0, product = 0.0;
    for (int e = 0; e < side * side; e++) {
        double value = (double)k->frame[(top + e / side) * COLUMNS + left + e % side];
        sum += value;
        square += value * value;
        product += value * (double)k->model[p * side * side + e];
    }
    double spread = square - sum * sum / (side * side);
    return (float)((product - sum * (double)k->mean[p]) / sqrt(spread * (double)k->spread[p]));
}

static void host_track(const struct tracker *k, int p, int *offset, float *score)
{
    int top = k->row[p] - k->w_side / 2, left = k->column[p] - k->w_side / 2;
    *score = -2.0f;
    for (int e = 0; e < k->valid * k->valid; e++) {
        float r = host_score(k, p, top + e / k->valid, left + e % k->valid);
        if (r > *score) {
            *score = r;
            *offset = e;
        }
    }
    k->row[p] = top + *offset / k->valid + k->t_side / 2;
    k->column[p] = left + *offset % k->valid + k->t_side / 2;
}

struct device {
    cl_mem frame, row, column, offset, score;
    cl_kernel track;
};

static void make_device(struct byw_wl *wl, const struct tracker *k, struct device *d)
{
    size_t points = (size_t)k->points, t = (size_t)k->t_side, w = (size_t)k->w_side;
    size_t full = w + t - 1, strip = points * (size_t)k->valid * w * sizeof(float);
    cl_mem model = byw_wl_buffer(wl, points * t * t * sizeof(float), k->model);
    cl_mem mean = byw_wl_buffer(wl, points * sizeof(float), k->mean);
    cl_mem spread = byw_wl_buffer(wl, points * sizeof(float), k->spread);
    cl_mem window = byw_wl_buffer(wl, points * w * w * sizeof(float), NULL);
    cl_mem correlation = byw_wl_buffer(wl, points * full * full * sizeof(float), NULL);
    cl_mem sum = byw_wl_buffer(wl, strip, NULL), square = byw_wl_buffer(wl, strip, NULL);
    d->frame = byw_wl_buffer(wl, ROWS * COLUMNS * sizeof(float), NULL);
    d->row = byw_wl_buffer(wl, points * sizeof(int), k->row);
    d->column = byw_wl_buffer(wl, points * sizeof(int), k->column);
    d->offset = byw_wl_buffer(wl, points * sizeof(int), NULL);
    d->score = byw_wl_buffer(wl, points * sizeof(float), NULL);
    d->track = byw_wl_kernel(wl, "heart_track");
    byw_wl_args(wl, d->track, "mimmmmmmmmmmmii", d->frame, COLUMNS, model, mean, spread, window,
                correlation, sum, square, d->row, d->column, d->offset, d->score, k->t_side,
                k->w_side);
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    struct tracker k;
    struct device d;
    int frames = byw_wl_get_int(&wl, "frames");
    make_tracker(&wl, &k, frames);
    make_device(&wl, &k, &d);
    size_t points = (size_t)k.points;
    int *offset = byw_wl_ints(&wl, points), *want_offset = byw_wl_ints(&wl, points);
    float *score = byw_wl_floats(&wl, points), *want_score = byw_wl_floats(&wl, points);
    for (int number = 1; number < frames; number++) {
        cut_frame(&k, frames, number);
        byw_wl_write(&wl, d.frame, ROWS * COLUMNS * sizeof(float), k.frame);
        byw_wl_launch(&wl, d.track, points, GROUP);
        byw_wl_read(&wl, d.offset, points * sizeof(int), offset);
        byw_wl_read(&wl, d.score, points * sizeof(float), score);
        for (int p = 0; p < k.points; p++)
            host_track(&k, p, &want_offset[p], &want_score[p]);
        byw_wl_check_i32(&wl, "offset", offset, want_offset, points);
        byw_wl_check_f32(&wl, "score", score, want_score, points, 1e-3f, 1e-3f);
    }
    return byw_wl_end(&wl);
}
