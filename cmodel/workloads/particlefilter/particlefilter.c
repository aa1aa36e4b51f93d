/* SPDX-License-Identifier: Apache-2.0
 *
 * particlefilter.c - tracks a disk of radius 5 through a noisy video of n x n pixels.
 *
 * naive 1: only the resampling search runs on the device (one launch per frame but the first);
 * naive 0: motion, likelihood, sums and the cumulative distribution do as well (five launches a
 * frame).  Each stage's result is compared with a plain C computation from the same input.
 */
#include "byw_wl.h"
#include "workloads/particlefilter_cl.h"

#include <math.h>

enum { GROUP = 128, RADIUS = 5, MAX_DISK = (2 * RADIUS) * (2 * RADIUS) };

static const struct byw_wl_option options[] = {
    {"n", "rows and columns of a frame", {32, 128, 128}, 24, 1024, 1},
    {"frames", "frames of the video", {3, 5, 10}, 2, 200, 1},
    {"particles", "particles", {200, 1000, 1000}, 1, 1000000, 1},
    {"naive", "1: search only, 0: all stages on the device", {0, 1, 1}, 0, 1, 1},
};
static const struct byw_wl_about about = {
    "particlefilter", "particle filter: every work-item walks the cumulative distribution",
    byw_wl_source, options, sizeof options / sizeof options[0]};

struct filter {
    int size, frames, particles, disk_size;
    int disk[2 * MAX_DISK]; /* row, column offsets of the object's pixels */
    int *video; /* [column][row][frame] */
    float *x, *y, *weight, *cdf, *threshold, *new_x, *new_y;
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
    f->video = byw_wl_ints(wl, pixels);
    for (size_t i = 0; i < pixels; i++)
        f->video[i] = 100 + (int)byw_wl_below(wl, 21) - 10;
    for (int frame = 0; frame < f->frames; frame++) {
        for (int k = 0; k < f->disk_size; k++) {
            int column = f->size / 2 + frame + f->disk[2 * k + 1];
            int row = f->size / 2 - 2 * frame + f->disk[2 * k];
            if (column >= 0 && column < f->size && row >= 0 && row < f->size)
                f->video[(column * f->size + row) * f->frames + frame] += 128;
        }
    }
}

static void make_particles(struct byw_wl *wl, struct filter *f)
{
    size_t count = (size_t)f->particles;
    f->x = byw_wl_floats(wl, count);
    f->y = byw_wl_floats(wl, count);
    f->weight = byw_wl_floats(wl, count);
    f->cdf = byw_wl_floats(wl, count);
    f->threshold = byw_wl_floats(wl, count);
    f->new_x = byw_wl_floats(wl, count);
    f->new_y = byw_wl_floats(wl, count);
    f->seed = byw_wl_alloc(wl, count, sizeof *f->seed);
    for (int i = 0; i < f->particles; i++) {
        f->x[i] = f->y[i] = (float)(f->size / 2);
        f->weight[i] = 1.0f / (float)f->particles;
        f->seed[i] = (uint32_t)byw_wl_random(wl);
    }
}

static float fraction(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) * 0x1p-24f;
}

static void host_move(const struct filter *f, float *x, float *y, uint32_t *seed)
{
    for (int i = 0; i < f->particles; i++) {
        float noise_x = fraction(&seed[i]);
        noise_x += fraction(&seed[i]);
        float noise_y = fraction(&seed[i]);
        noise_y += fraction(&seed[i]);
        x[i] = x[i] + 1.0f + 5.0f * (noise_x - 1.0f);
        y[i] = y[i] - 2.0f + 2.0f * (noise_y - 1.0f);
    }
}

static void host_weigh(const struct filter *f, int frame, float *weight)
{
    int pixels = f->size * f->size * f->frames;
    for (int i = 0; i < f->particles; i++) {
        float sum = 0.0f;
        for (int k = 0; k < f->disk_size; k++) {
            int column = (int)rintf(f->x[i]) + f->disk[2 * k + 1];
            int row = (int)rintf(f->y[i]) + f->disk[2 * k];
            int at = (column * f->size + row) * f->frames + frame;
            float light = (float)f->video[at < 0 || at >= pixels ? 0 : at];
            sum += ((light - 100.0f) * (light - 100.0f) - (light - 228.0f) * (light - 228.0f)) /
                   2000.0f;
        }
        weight[i] *= expf(sum / (float)f->disk_size);
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
    cl_mem x, y, new_x, new_y, seed, video, disk, weight, partial, cdf, threshold;
    cl_kernel weigh, partial_sum, normalize, accumulate, find;
    size_t groups, bytes;
};

static void make_device(struct byw_wl *wl, const struct filter *f, struct device *dev)
{
    size_t bytes = (size_t)f->particles * sizeof(float);
    size_t pixels = (size_t)f->size * (size_t)f->size * (size_t)f->frames;
    dev->bytes = bytes;
    dev->groups = byw_wl_groups((size_t)f->particles, GROUP);
    dev->x = byw_wl_buffer(wl, bytes, f->x);
    dev->y = byw_wl_buffer(wl, bytes, f->y);
    dev->cdf = byw_wl_buffer(wl, bytes, NULL);
    dev->threshold = byw_wl_buffer(wl, bytes, NULL);
    dev->new_x = byw_wl_buffer(wl, bytes, NULL);
    dev->new_y = byw_wl_buffer(wl, bytes, NULL);
    dev->find = byw_wl_kernel(wl, "pf_find");
    byw_wl_args(wl, dev->find, "mmmmmmi", dev->x, dev->y, dev->cdf, dev->threshold, dev->new_x,
                dev->new_y, f->particles);
    if (byw_wl_get(wl, "naive"))
        return;
    dev->seed = byw_wl_buffer(wl, bytes, f->seed);
    dev->video = byw_wl_buffer(wl, pixels * sizeof(int), f->video);
    dev->disk = byw_wl_buffer(wl, (size_t)f->disk_size * 2 * sizeof(int), f->disk);
    dev->weight = byw_wl_buffer(wl, bytes, f->weight);
    dev->partial = byw_wl_buffer(wl, dev->groups * sizeof(float), NULL);
    dev->weigh = byw_wl_kernel(wl, "pf_weigh");
    dev->partial_sum = byw_wl_kernel(wl, "pf_partial");
    dev->normalize = byw_wl_kernel(wl, "pf_normalize");
    dev->accumulate = byw_wl_kernel(wl, "pf_accumulate");
    byw_wl_args(wl, dev->partial_sum, "mmi", dev->weight, dev->partial, f->particles);
    byw_wl_args(wl, dev->normalize, "mmii", dev->weight, dev->partial, (int)dev->groups,
                f->particles);
    byw_wl_args(wl, dev->accumulate, "mmi", dev->weight, dev->cdf, f->particles);
}

/* Device stages up to the cumulative distribution.  Positions are taken over from the device
 * after their check, so that rounding cannot make the host look at another pixel. */
static void device_weights(struct byw_wl *wl, struct filter *f, const struct device *dev, int frame)
{
    size_t count = (size_t)f->particles;
    int pixels = f->size * f->size * f->frames;
    byw_wl_args(wl, dev->weigh, "mmmmmmiiiiii", dev->x, dev->y, dev->seed, dev->video, dev->disk,
                dev->weight, f->particles, pixels, f->disk_size, f->size, f->frames, frame);
    byw_wl_launch(wl, dev->weigh, dev->groups, GROUP);
    byw_wl_launch(wl, dev->partial_sum, dev->groups, GROUP);
    byw_wl_launch(wl, dev->normalize, dev->groups, GROUP);
    byw_wl_launch(wl, dev->accumulate, dev->groups, GROUP);
    host_move(f, f->x, f->y, f->seed);
    byw_wl_read(wl, dev->x, dev->bytes, f->new_x);
    byw_wl_read(wl, dev->y, dev->bytes, f->new_y);
    byw_wl_check_f32(wl, "x", f->new_x, f->x, count, 1e-5f, 1e-5f);
    byw_wl_check_f32(wl, "y", f->new_y, f->y, count, 1e-5f, 1e-5f);
    for (size_t i = 0; i < count; i++) {
        f->x[i] = f->new_x[i];
        f->y[i] = f->new_y[i];
    }
    host_weigh(f, frame, f->weight);
    host_normalize(f, f->weight, f->cdf);
    byw_wl_read(wl, dev->weight, dev->bytes, f->new_x);
    byw_wl_check_f32(wl, "weight", f->new_x, f->weight, count, 1e-3f, 1e-7f);
    byw_wl_read(wl, dev->cdf, dev->bytes, f->new_x);
    byw_wl_check_f32(wl, "cdf", f->new_x, f->cdf, count, 1e-3f, 1e-6f);
    for (size_t i = 0; i < count; i++)
        f->cdf[i] = f->new_x[i];
}

static void resample(struct byw_wl *wl, struct filter *f, const struct device *dev, float *want_x,
                     float *want_y)
{
    size_t count = (size_t)f->particles;
    float step = 1.0f / (float)f->particles, start = byw_wl_uniform(wl, 0.0f, step);
    for (int i = 0; i < f->particles; i++)
        f->threshold[i] = start + step * (float)i;
    byw_wl_write(wl, dev->threshold, dev->bytes, f->threshold);
    byw_wl_launch(wl, dev->find, dev->groups, GROUP);
    byw_wl_read(wl, dev->new_x, dev->bytes, f->new_x);
    byw_wl_read(wl, dev->new_y, dev->bytes, f->new_y);
    host_find(f, want_x, want_y);
    byw_wl_check_f32(wl, "new_x", f->new_x, want_x, count, 0.0f, 0.0f);
    byw_wl_check_f32(wl, "new_y", f->new_y, want_y, count, 0.0f, 0.0f);
    for (size_t i = 0; i < count; i++) {
        f->x[i] = f->new_x[i];
        f->y[i] = f->new_y[i];
        f->weight[i] = step;
    }
    byw_wl_write(wl, dev->x, dev->bytes, f->x);
    byw_wl_write(wl, dev->y, dev->bytes, f->y);
    if (!byw_wl_get(wl, "naive"))
        byw_wl_write(wl, dev->weight, dev->bytes, f->weight);
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
        if (byw_wl_get(&wl, "naive")) {
            host_move(&f, f.x, f.y, f.seed);
            host_weigh(&f, frame, f.weight);
            host_normalize(&f, f.weight, f.cdf);
            byw_wl_write(&wl, dev.x, dev.bytes, f.x);
            byw_wl_write(&wl, dev.y, dev.bytes, f.y);
            byw_wl_write(&wl, dev.cdf, dev.bytes, f.cdf);
        } else {
            device_weights(&wl, &f, &dev, frame);
        }
        resample(&wl, &f, &dev, want_x, want_y);
    }
    return byw_wl_end(&wl);
}
