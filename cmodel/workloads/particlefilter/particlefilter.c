/* SPDX-License-Identifier: Apache-2.0
 *
 * particlefilter.c - tracks a disk of radius 5 through a noisy video of n x n pixels.
 *
 * naive 0: all stages run on the device, five launches per frame; naive 1: only the resampling
 * search does (one launch for each frame except the first, groups of 128).  Each stage's result is
 * compared with a plain C computation from the same input.
 */
#include "byw_wl.h"
#include "workloads/particlefilter_cl.h"

#include <math.h>
#include <string.h>

enum { GROUP = 512, SEARCH_GROUP = 128, RADIUS = 5, MAX_DISK = (2 * RADIUS) * (2 * RADIUS) };

static const struct byw_wl_option options[] = {
    {"n", "rows and columns of a frame", {32, 128, 128}, 24, 1024, 1},
    {"frames", "frames of the video", {3, 2, 2}, 2, 200, 1},
    {"particles", "particles", {200, 1000, 1000}, 1, 1000000, 1},
    {"naive", "1: search only, 0: all stages on the device", {0, 0, 0}, 0, 1, 1},
};
static const struct byw_wl_about about = {
    "particlefilter",
    "particle filter: a row of pixel numbers per work-item, then a walk along the distribution",
    byw_wl_source, options, sizeof options / sizeof options[0]};

struct filter {
    int size, frames, particles, disk_size;
    int disk[2 * MAX_DISK]; /* row, column offsets of the object's pixels */
    uint8_t *video; /* [column][row][frame] */
    float *x, *y, *likelihood, *weight, *cdf, *threshold, *new_x, *new_y;
    uint32_t *seed;
};

static void make_video(struct byw_wl *wl, struct filter *f)
{
    for (int row = 1 - RADIUS; row < RADIUS; row++) {
        for (int column = 1 - RADIUS; column < RADIUS; column++) {
            if (row * row + column * column < RADIUS * RADIUS) {
                f->disk[2 * f->disk_size] = row;
                f->disk[2 * f->disk_size++ + 1] = column;
            }
        }
    }
    size_t pixels = (size_t)f->size * (size_t)f->size * (size_t)f->frames;
    f->video = byw_wl_alloc(wl, pixels, sizeof *f->video);
    for (size_t i = 0; i < pixels; i++)
        f->video[i] = (uint8_t)(90 + byw_wl_below(wl, 21));
    for (int frame = 0; frame < f->frames; frame++) {
        for (int k = 0; k < f->disk_size; k++) {
            int column = f->size / 2 + frame + f->disk[2 * k + 1];
            int row = f->size / 2 - 2 * frame + f->disk[2 * k];
            if (column >= 0 && column < f->size && row >= 0 && row < f->size) {
                uint8_t *pixel = &f->video[(column * f->size + row) * f->frames + frame];
                *pixel = (uint8_t)(*pixel + 128);
            }
        }
    }
}

static void make_particles(struct byw_wl *wl, struct filter *f)
{
    size_t count = (size_t)f->particles;
    f->x = byw_wl_floats(wl, count);
    f->y = byw_wl_floats(wl, count);
    f->likelihood = byw_wl_floats(wl, count);
    f->weight = byw_wl_floats(wl, count);
    f->cdf = byw_wl_floats(wl, count);
    f->threshold = byw_wl_floats(wl, count);
    f->new_x = byw_wl_floats(wl, count);
    f->new_y = byw_wl_floats(wl, count);
    f->seed = byw_wl_alloc(wl, count, sizeof *f->seed);
    for (int i = 0; i < f->particles; i++) {
        f->x[i] = f->y[i] = (float)(f->size / 2);
        f->seed[i] = (uint32_t)byw_wl_random(wl);
    }
}

static float uniform(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return ((float)(*state >> 8) + 0.5f) * 0x1p-24f;
}

static float normal(uint32_t *state)
{
    float u = uniform(state), v = uniform(state);
    return sqrtf(-2.0f * logf(u)) * cosf(6.2831853f * v);
}

static void host_move(const struct filter *f, float *x, float *y, uint32_t *seed)
{
    for (int i = 0; i < f->particles; i++) {
        x[i] = x[i] + 1.0f + 5.0f * normal(&seed[i]);
        y[i] = y[i] - 2.0f + 2.0f * normal(&seed[i]);
    }
}

static void host_weigh(const struct filter *f, int frame)
{
    int pixels = f->size * f->size * f->frames;
    for (int i = 0; i < f->particles; i++) {
        float sum = 0.0f;
        for (int k = 0; k < f->disk_size; k++) {
            int column = (int)rintf(f->x[i]) + f->disk[2 * k + 1];
            int row = (int)rintf(f->y[i]) + f->disk[2 * k];
            int at = (column * f->size + row) * f->frames + frame;
            float light = (float)f->video[at < 0 || at >= pixels ? 0 : at];
            sum +=
                ((light - 100.0f) * (light - 100.0f) - (light - 228.0f) * (light - 228.0f)) / 50.0f;
        }
        f->likelihood[i] = sum / (float)f->disk_size - 300.0f;
        f->weight[i] = expf(f->likelihood[i]) / (float)f->particles;
    }
}

static void host_normalize(const struct filter *f, float *weight, float *cdf)
{
    double sum = 0.0, running = 0.0;
    for (int i = 0; i < f->particles; i++)
        sum += (double)weight[i];
    for (int i = 0; i < f->particles; i++) {
        weight[i] = (float)((double)weight[i] / sum);
        running += (double)weight[i];
        cdf[i] = (float)running;
    }
}

static void host_find(const struct filter *f, float *new_x, float *new_y)
{
    for (int i = 0; i < f->particles; i++) {
        int found = 0;
        while (found < f->particles - 1 && f->cdf[found] < f->threshold[i])
            found++;
        new_x[i] = f->x[found];
        new_y[i] = f->y[found];
    }
}

struct device {
    cl_mem x, y, new_x, new_y, seed, video, disk, under, likelihood, weight, partial, cdf,
        threshold;
    cl_kernel weigh, sum, normalize, accumulate, find;
    size_t group, groups, bytes;
};

static void make_device(struct byw_wl *wl, const struct filter *f, struct device *dev)
{
    size_t count = (size_t)f->particles, disk = (size_t)f->disk_size;
    size_t pixels = (size_t)f->size * (size_t)f->size * (size_t)f->frames;
    dev->bytes = count * sizeof(float);
    dev->group = byw_wl_get(wl, "naive") ? SEARCH_GROUP : GROUP;
    dev->groups = byw_wl_groups(count, dev->group);
    dev->x = byw_wl_buffer(wl, dev->bytes, NULL);
    dev->y = byw_wl_buffer(wl, dev->bytes, NULL);
    dev->cdf = byw_wl_buffer(wl, dev->bytes, NULL);
    dev->threshold = byw_wl_buffer(wl, dev->bytes, NULL);
    dev->new_x = byw_wl_buffer(wl, dev->bytes, f->x);
    dev->new_y = byw_wl_buffer(wl, dev->bytes, f->y);
    dev->find = byw_wl_kernel(wl, "pf_find");
    byw_wl_args(wl, dev->find, "mmmmmmi", dev->x, dev->y, dev->cdf, dev->threshold, dev->new_x,
                dev->new_y, f->particles);
    if (byw_wl_get(wl, "naive"))
        return;
    dev->seed = byw_wl_buffer(wl, dev->bytes, f->seed);
    dev->video = byw_wl_buffer(wl, pixels, f->video);
    dev->disk = byw_wl_buffer(wl, disk * 2 * sizeof(int), f->disk);
    dev->under = byw_wl_buffer(wl, disk * count * sizeof(int), NULL);
    dev->likelihood = byw_wl_buffer(wl, dev->bytes, NULL);
    dev->weight = byw_wl_buffer(wl, dev->bytes, NULL);
    dev->partial = byw_wl_buffer(wl, dev->groups * sizeof(float), NULL);
    dev->weigh = byw_wl_kernel(wl, "pf_weigh");
    dev->sum = byw_wl_kernel(wl, "pf_sum");
    dev->normalize = byw_wl_kernel(wl, "pf_normalize");
    dev->accumulate = byw_wl_kernel(wl, "pf_accumulate");
    byw_wl_args(wl, dev->sum, "mmmii", dev->partial, dev->threshold, dev->seed, (int)dev->groups,
                f->particles);
    byw_wl_args(wl, dev->normalize, "mmi", dev->weight, dev->partial, f->particles);
    byw_wl_args(wl, dev->accumulate, "mmmi", dev->weight, dev->cdf, dev->threshold, f->particles);
}

static void check_stage(struct byw_wl *wl, const char *array, cl_mem from, float *host, float *got,
                        size_t count, float relative, float absolute)
{
    byw_wl_read(wl, from, count * sizeof *got, got);
    byw_wl_check_f32(wl, array, got, host, count, relative, absolute);
    memcpy(host, got, count * sizeof *got);
}

/* The device's stages up to the thresholds. The host continues with their results after each
 * check, so that rounding cannot make it read another pixel or find another particle. */
static void device_weights(struct byw_wl *wl, struct filter *f, const struct device *dev, int frame)
{
    size_t count = (size_t)f->particles;
    int pixels = f->size * f->size * f->frames;
    byw_wl_args(wl, dev->weigh, "mmmmmmmmmmmiiiiiil", dev->x, dev->y, dev->new_x, dev->new_y,
                dev->seed, dev->video, dev->disk, dev->under, dev->likelihood, dev->weight,
                dev->partial, f->particles, pixels, f->disk_size, f->size, f->frames, frame,
                dev->group * sizeof(float));
    byw_wl_launch(wl, dev->weigh, dev->groups, dev->group);
    byw_wl_launch(wl, dev->sum, dev->groups, dev->group);
    byw_wl_launch(wl, dev->normalize, dev->groups, dev->group);
    byw_wl_launch(wl, dev->accumulate, dev->groups, dev->group);
    host_move(f, f->x, f->y, f->seed);
    check_stage(wl, "x", dev->x, f->x, f->new_x, count, 1e-4f, 1e-3f);
    check_stage(wl, "y", dev->y, f->y, f->new_x, count, 1e-4f, 1e-3f);
    host_weigh(f, frame);
    host_normalize(f, f->weight, f->cdf);
    check_stage(wl, "likelihood", dev->likelihood, f->likelihood, f->new_x, count, 1e-4f, 1e-3f);
    check_stage(wl, "weight", dev->weight, f->weight, f->new_x, count, 1e-2f, 1e-6f);
    check_stage(wl, "cdf", dev->cdf, f->cdf, f->new_x, count, 1e-2f, 1e-6f);
    float step = 1.0f / (float)f->particles, start = step * uniform(&f->seed[0]);
    for (int i = 0; i < f->particles; i++)
        f->threshold[i] = start + step * (float)i;
    check_stage(wl, "threshold", dev->threshold, f->threshold, f->new_x, count, 1e-5f, 1e-7f);
}

/* The search's input, when the host does everything else. */
static void host_weights(struct byw_wl *wl, struct filter *f, const struct device *dev, int frame)
{
    host_move(f, f->x, f->y, f->seed);
    host_weigh(f, frame);
    host_normalize(f, f->weight, f->cdf);
    float step = 1.0f / (float)f->particles, start = byw_wl_uniform(wl, 0.0f, step);
    for (int i = 0; i < f->particles; i++)
        f->threshold[i] = start + step * (float)i;
    byw_wl_write(wl, dev->x, dev->bytes, f->x);
    byw_wl_write(wl, dev->y, dev->bytes, f->y);
    byw_wl_write(wl, dev->cdf, dev->bytes, f->cdf);
    byw_wl_write(wl, dev->threshold, dev->bytes, f->threshold);
}

static void resample(struct byw_wl *wl, struct filter *f, const struct device *dev, float *want_x,
                     float *want_y)
{
    size_t count = (size_t)f->particles;
    byw_wl_launch(wl, dev->find, dev->groups, dev->group);
    byw_wl_read(wl, dev->new_x, dev->bytes, f->new_x);
    byw_wl_read(wl, dev->new_y, dev->bytes, f->new_y);
    host_find(f, want_x, want_y);
    byw_wl_check_f32(wl, "new_x", f->new_x, want_x, count, 0.0f, 0.0f);
    byw_wl_check_f32(wl, "new_y", f->new_y, want_y, count, 0.0f, 0.0f);
    memcpy(f->x, f->new_x, dev->bytes);
    memcpy(f->y, f->new_y, dev->bytes);
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    struct filter f = {.size = byw_wl_get_int(&wl, "n"),
                       .frames = byw_wl_get_int(&wl, "frames"),
                       .particles = byw_wl_get_int(&wl, "particles")};
    make_video(&wl, &f);
    make_particles(&wl, &f);
    struct device dev = {.groups = 0};
    make_device(&wl, &f, &dev);
    float *want_x = byw_wl_floats(&wl, (size_t)f.particles);
    float *want_y = byw_wl_floats(&wl, (size_t)f.particles);
    for (int frame = 1; frame < f.frames; frame++) {
        if (byw_wl_get(&wl, "naive"))
            host_weights(&wl, &f, &dev, frame);
        else
            device_weights(&wl, &f, &dev, frame);
        resample(&wl, &f, &dev, want_x, want_y);
    }
    return byw_wl_end(&wl);
}
