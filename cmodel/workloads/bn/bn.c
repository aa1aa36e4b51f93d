/* SPDX-License-Identifier: Apache-2.0
 *
 * bn.c - batch normalisation layer: forward per channel, or backward per activation; one launch.
 */
#include "byw_wl.h"
#include "workloads/bn_cl.h"

#include <math.h>

enum { GROUP = 256, BACK_GROUP = 64 };
#define EPSILON 1e-5

static const struct byw_wl_option options[] = {
    {"backward", "0: y from x per channel, 1: dx from x and dy per activation", {0, 0, 0}, 0, 1, 1},
    {"images", "forward: images of the batch", {3, 24, 256}, 1, 1024, 1},
    {"channels", "forward: of an image", {5, 84, 84}, 1, 1024, 1},
    {"side", "forward: of an image, values", {18, 16, 16}, 1, 256, 1},
    {"samples", "backward: of the batch", {20, 512, 512}, 1, 4096, 1},
    {"activations", "backward: of a sample", {100, 1000, 1000}, 1, 65536, 1},
    {"planes", "backward: 1: a group per activation", {0, 0, 1}, 0, 1, 1},
};
static const struct byw_wl_about about = {"bn", "batch normalisation layer", byw_wl_source, options,
                                          sizeof options / sizeof options[0]};

struct moments {
    double mean, deviation; /* deviation: inverse of the standard deviation */
};

/* Moments of `rows` runs of `run` consecutive values; the runs start `jump` elements apart. */
static struct moments moments_of(const float *x, int rows, int run, int jump)
{
    double sum = 0.0, squares = 0.0, count = (double)rows * run;
    for (int r = 0; r < rows; r++) {
        for (int i = 0; i < run; i++) {
            double value = (double)x[r * jump + i];
            sum += value;
            squares += value * value;
        }
    }
    double mean = sum / count;
    return (struct moments){mean, 1.0 / sqrt(squares / count - mean * mean + EPSILON)};
}

static void forward(struct byw_wl *wl)
{
    int images = byw_wl_get_int(wl, "images"), channels = byw_wl_get_int(wl, "channels");
    int side = byw_wl_get_int(wl, "side"), plane = side * side, sample = channels * plane;
    size_t values = (size_t)images * (size_t)sample, bytes = values * sizeof(float);
    size_t gains = (size_t)channels;
    float *x = byw_wl_uniforms(wl, values, -1.0f, 3.0f), *got = byw_wl_floats(wl, values);
    float *gain = byw_wl_uniforms(wl, gains, 0.5f, 1.5f), *want = byw_wl_floats(wl, values);
    float *bias = byw_wl_uniforms(wl, gains, -1.0f, 1.0f);
    for (int c = 0; c < channels; c++) {
        struct moments m = moments_of(x + c * plane, images, plane, sample);
        for (int n = 0; n < images; n++)
            for (int at = n * sample + c * plane; at < n * sample + (c + 1) * plane; at++)
                want[at] = (float)(((double)x[at] - m.mean) * m.deviation * (double)gain[c] +
                                   (double)bias[c]);
    }
    cl_mem y = byw_wl_buffer(wl, bytes, NULL);
    cl_kernel kernel = byw_wl_kernel(wl, "bn_forward");
    byw_wl_args(wl, kernel, "mmmmiiif", byw_wl_buffer(wl, bytes, x), y,
                byw_wl_buffer(wl, gains * sizeof(float), gain),
                byw_wl_buffer(wl, gains * sizeof(float), bias), images, channels, plane, EPSILON);
    byw_wl_launch(wl, kernel, gains, GROUP);
    byw_wl_read(wl, y, bytes, got);
    byw_wl_check_f32(wl, "y", got, want, values, 1e-3f, 1e-3f);
}

struct gradient {
    int samples, activations;
    float *x, *dy, *dx, *mean, *deviation, *gain, *dgain, *dbias;
};

static void host_backward(const struct gradient *g, int a)
{
    struct moments m = moments_of(g->x + a, g->samples, 1, g->activations);
    double sum = 0.0, product = 0.0, count = (double)g->samples;
    int end = g->samples * g->activations;
    g->mean[a] = (float)m.mean;
    g->deviation[a] = (float)m.deviation;
    for (int at = a; at < end; at += g->activations) {
        sum += (double)g->dy[at];
        product += (double)g->dy[at] * ((double)g->x[at] - m.mean) * m.deviation;
    }
    g->dgain[a] = (float)product;
    g->dbias[a] = (float)sum;
    for (int at = a; at < end; at += g->activations) {
        double normal = ((double)g->x[at] - m.mean) * m.deviation;
        g->dx[at] = (float)((double)g->gain[a] * m.deviation / count *
                            (count * (double)g->dy[at] - sum - normal * product));
    }
}

static void backward(struct byw_wl *wl)
{
    struct gradient g = {.samples = byw_wl_get_int(wl, "samples"),
                         .activations = byw_wl_get_int(wl, "activations")};
    size_t units = (size_t)g.activations, values = (size_t)g.samples * units;
    size_t bytes = values * sizeof(float), row = units * sizeof(float);
    g.x = byw_wl_uniforms(wl, values, -1.0f, 3.0f);
    g.dy = byw_wl_uniforms(wl, values, -1.0f, 1.0f);
    g.dx = byw_wl_floats(wl, values);
    g.mean = byw_wl_floats(wl, units);
    g.deviation = byw_wl_floats(wl, units);
    g.gain = byw_wl_uniforms(wl, units, 0.5f, 1.5f);
    g.dgain = byw_wl_floats(wl, units);
    g.dbias = byw_wl_floats(wl, units);
    for (int a = 0; a < g.activations; a++)
        host_backward(&g, a);

    float *got = byw_wl_floats(wl, values);
    cl_mem dx = byw_wl_buffer(wl, bytes, NULL), dgain = byw_wl_buffer(wl, row, NULL);
    cl_mem dbias = byw_wl_buffer(wl, row, NULL);
    bool planes = byw_wl_get(wl, "planes") != 0;
    cl_kernel kernel = byw_wl_kernel(wl, planes ? "bn_backward_planes" : "bn_backward");
    byw_wl_args(wl, kernel, "mmmmmmmmii", byw_wl_buffer(wl, bytes, g.x),
                byw_wl_buffer(wl, bytes, g.dy), dx, byw_wl_buffer(wl, row, g.mean),
                byw_wl_buffer(wl, row, g.deviation), byw_wl_buffer(wl, row, g.gain), dgain, dbias,
                g.samples, g.activations);
    byw_wl_launch_2d(wl, kernel,
                     planes ? (size_t[2]){1, units}
                            : (size_t[2]){byw_wl_groups(units, BACK_GROUP), 1},
                     (size_t[2]){BACK_GROUP, 1});
    byw_wl_read(wl, dx, bytes, got);
    byw_wl_check_f32(wl, "dx", got, g.dx, values, 1e-3f, 1e-4f);
    byw_wl_read(wl, dgain, row, got);
    byw_wl_check_f32(wl, "dgain", got, g.dgain, units, 1e-3f, 1e-3f);
    byw_wl_read(wl, dbias, row, got);
    byw_wl_check_f32(wl, "dbias", got, g.dbias, units, 1e-3f, 1e-3f);
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    if (byw_wl_get(&wl, "backward"))
        backward(&wl);
    else
        forward(&wl);
    return byw_wl_end(&wl);
}
