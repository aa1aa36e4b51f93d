/* SPDX-License-Identifier: Apache-2.0
 *
 * squeezenet.c - inference of a SqueezeNet: 7 x 7 convolution, eight fire modules (1 x 1 squeeze,
 * 1 x 1 and 3 x 3 expand), poolings, classifier; 30 launches.
 *
 * Launches 1 conv1, 2 pool, 3-11 fire 2-4, 12 pool, 13-24 fire 5-8, 25 pool, 26-28 fire 9, 29
 * conv10, 30 average.  The host computes launches outside of --launches: it computes the whole
 * network anyway, and passes its values to the device where that starts.
 */
#include "byw_wl.h"
#include "byw_wl_layer.h"
#include "workloads/squeezenet_cl.h"

enum { GROUP = 64, COLORS = 3, FIRES = 8, TENSORS = 64 };

static const struct byw_wl_option options[] = {
    {"side", "pixels of an image side", {79, 111, 227}, 47, 1023, 1},
    {"shrink", "all channel counts are divided by this", {8, 4, 1}, 1, 16, 1},
    {"first", "first launch that runs on the device, from 1", {1, 3, 1}, 1, 30, 1},
    {"last", "last launch that runs on the device", {30, 5, 30}, 1, 30, 1},
};
static const struct byw_wl_about about = {"squeezenet", "inference of a network of fire modules",
                                          byw_wl_source, options,
                                          sizeof options / sizeof options[0]};

struct tensor {
    int channels, side;
    float *want;
    cl_mem data;
    bool made; /* the device computed it; otherwise it contains the host's values */
};

struct network {
    struct byw_wl *wl;
    cl_kernel conv, conv1, pool, average;
    int first, last, launch;
    int tensors;
    struct tensor tensor[TENSORS];
};

static size_t cells_of(const struct tensor *t)
{
    return (size_t)t->channels * (size_t)t->side * (size_t)t->side;
}

static struct tensor *new_tensor(struct network *net, int channels, int side)
{
    struct tensor *t = &net->tensor[net->tensors++];
    *t = (struct tensor){.channels = channels, .side = side};
    t->want = byw_wl_floats(net->wl, cells_of(t));
    return t;
}

/* Counts a launch; true if it runs on the device, whose input is then prepared. */
static bool on_device(struct network *net, struct tensor *in, struct tensor *out)
{
    net->launch++;
    if (net->launch < net->first || net->launch > net->last)
        return false;
    if (in->data == NULL)
        in->data = byw_wl_buffer(net->wl, cells_of(in) * sizeof(float), in->want);
    if (out->data == NULL)
        out->data = byw_wl_buffer(net->wl, cells_of(out) * sizeof(float), out->want);
    out->made = true;
    return true;
}

/* One convolution into channels base .. base + filters - 1 of `out`. */
static void convolve(struct network *net, struct tensor *in, struct tensor *out, int base,
                     int filters, int k, int stride, int pad)
{
    struct byw_wl *wl = net->wl;
    int taps = in->channels * k * k;
    size_t weights = (size_t)taps * (size_t)filters, plane = (size_t)(out->side * out->side);
    float range = 2.0f / (float)(taps > 64 ? 32 : 8);
    float *weight = byw_wl_uniforms(wl, weights, -range, range);
    float *bias = byw_wl_uniforms(wl, (size_t)filters, -0.1f, 0.1f);
    if (on_device(net, in, out)) {
        cl_mem d_weight = byw_wl_buffer(wl, weights * sizeof(float), weight);
        cl_mem d_bias = byw_wl_buffer(wl, (size_t)filters * sizeof(float), bias);
        if (k == 1)
            byw_wl_args(wl, net->conv1, "mmmmii", in->data, d_weight, d_bias, out->data,
                        in->channels, in->side);
        else
            byw_wl_args(wl, net->conv, "mmmmiiiiiii", in->data, d_weight, d_bias, out->data,
                        in->channels, in->side, out->side, k, stride, pad, base);
        byw_wl_launch_2d(wl, k == 1 ? net->conv1 : net->conv,
                         (size_t[2]){byw_wl_groups(plane, GROUP), (size_t)filters},
                         (size_t[2]){GROUP, 1});
    }
    struct byw_wl_window w = {in->channels, in->side, filters, out->side, k, stride, pad};
    byw_wl_host_conv(&w, in->want, weight, bias, true, out->want + (size_t)base * plane);
}

static struct tensor *pool(struct network *net, struct tensor *in)
{
    struct tensor *out = new_tensor(net, in->channels, (in->side - 3) / 2 + 1);
    size_t plane = (size_t)(out->side * out->side);
    if (on_device(net, in, out)) {
        byw_wl_args(net->wl, net->pool, "mmii", in->data, out->data, in->side, out->side);
        byw_wl_launch_2d(net->wl, net->pool,
                         (size_t[2]){byw_wl_groups(plane, GROUP), (size_t)in->channels},
                         (size_t[2]){GROUP, 1});
    }
    struct byw_wl_window w = {in->channels, in->side, in->channels, out->side, 3, 2, 0};
    byw_wl_host_pool(&w, in->want, false, out->want);
    return out;
}

static struct tensor *fire(struct network *net, struct tensor *in, int squeeze, int expand)
{
    struct tensor *narrow = new_tensor(net, squeeze, in->side);
    struct tensor *out = new_tensor(net, 2 * expand, in->side);
    convolve(net, in, narrow, 0, squeeze, 1, 1, 0);
    convolve(net, narrow, out, 0, expand, 1, 1, 0);
    convolve(net, narrow, out, expand, expand, 3, 1, 1);
    return out;
}

static void classify(struct network *net, struct tensor *in, int classes)
{
    struct tensor *map = new_tensor(net, classes, in->side);
    struct tensor *score = new_tensor(net, classes, 1);
    convolve(net, in, map, 0, classes, 1, 1, 0);
    int cells = in->side * in->side;
    if (on_device(net, map, score)) {
        byw_wl_args(net->wl, net->average, "mmii", map->data, score->data, classes, cells);
        byw_wl_launch(net->wl, net->average, byw_wl_groups((size_t)classes, GROUP), GROUP);
    }
    struct byw_wl_window w = {classes, in->side, classes, 1, in->side, 1, 0};
    byw_wl_host_pool(&w, map->want, true, score->want);
}

/* The whole network, device launches interleaved with the host's. */
static void run_network(struct network *net, int side, int shrink)
{
    static const struct {
        int squeeze, expand;
        bool pool_after;
    } module[FIRES] = {{16, 64, false},  {16, 64, false},  {32, 128, true}, {32, 128, false},
                       {48, 192, false}, {48, 192, false}, {64, 256, true}, {64, 256, false}};
    struct tensor *image = new_tensor(net, COLORS, side);
    for (size_t i = 0; i < cells_of(image); i++)
        image->want[i] = byw_wl_uniform(net->wl, -1.0f, 1.0f);
    struct tensor *conv1 = new_tensor(net, 96 / shrink, (side - 7) / 2 + 1);
    convolve(net, image, conv1, 0, conv1->channels, 7, 2, 0);
    struct tensor *now = pool(net, conv1);
    for (int m = 0; m < FIRES; m++) {
        now = fire(net, now, module[m].squeeze / shrink, module[m].expand / shrink);
        if (module[m].pool_after)
            now = pool(net, now);
    }
    classify(net, now, 1000 / shrink);
}

static void check_tensors(struct network *net)
{
    for (int i = 0; i < net->tensors; i++) {
        const struct tensor *t = &net->tensor[i];
        if (!t->made)
            continue;
        float *got = byw_wl_floats(net->wl, cells_of(t));
        byw_wl_read(net->wl, t->data, cells_of(t) * sizeof(float), got);
        byw_wl_check_f32(net->wl, "activation", got, t->want, cells_of(t), 1e-3f, 1e-3f);
    }
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    struct network net = {.wl = &wl,
                          .conv = byw_wl_kernel(&wl, "squeezenet_conv"),
                          .conv1 = byw_wl_kernel(&wl, "squeezenet_conv1"),
                          .pool = byw_wl_kernel(&wl, "squeezenet_pool"),
                          .average = byw_wl_kernel(&wl, "squeezenet_average"),
                          .first = byw_wl_get_int(&wl, "first"),
                          .last = byw_wl_get_int(&wl, "last")};
    run_network(&net, byw_wl_get_int(&wl, "side"), byw_wl_get_int(&wl, "shrink"));
    check_tensors(&net);
    return byw_wl_end(&wl);
}
