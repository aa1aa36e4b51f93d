/* SPDX-License-Identifier: Apache-2.0
 *
 * cifarnet.c - inference on 32 x 32 pixels: three times convolution and pooling, then two fully
 * connected layers; eight launches per image.
 */
#include "byw_wl.h"
#include "byw_wl_layer.h"
#include "workloads/cifarnet_cl.h"

enum { SIDE = 32, COLORS = 3, TAPS = 25, STAGES = 3, HIDDEN = 64, CLASSES = 10 };

static const struct byw_wl_option options[] = {
    {"filters", "of the first two convolutions, half those of the third", {6, 8, 32}, 2, 256, 1},
    {"images", "classified one after the other", {2, 1, 1}, 1, 1000, 1},
};
static const struct byw_wl_about about = {
    "cifarnet", "inference of a three-stage convolutional network", byw_wl_source, options,
    sizeof options / sizeof options[0]};

/* Parameters of a convolution or fully connected layer, and the layer's output. */
struct layer {
    int inputs, outputs; /* channels of a convolution */
    float *weight, *bias, *want;
    cl_mem d_weight, d_bias, d_out;
};

struct network {
    struct layer conv[STAGES], pool[STAGES], dense[2];
    cl_kernel run_conv, run_pool, run_dense;
};

/* The ranges of the weights keep values at about the same magnitude from layer to layer. */
static void make_layer(struct byw_wl *wl, struct layer *layer, int inputs, int taps, int outputs,
                       int cells)
{
    size_t weights = (size_t)inputs * (size_t)taps * (size_t)outputs;
    float range = taps > 1 ? 0.25f : 0.1f;
    layer->inputs = inputs;
    layer->outputs = outputs;
    layer->weight = byw_wl_uniforms(wl, weights, -range, range);
    layer->bias = byw_wl_uniforms(wl, (size_t)outputs, -0.1f, 0.1f);
    layer->want = byw_wl_floats(wl, (size_t)(outputs * cells));
    layer->d_weight = byw_wl_buffer(wl, weights * sizeof(float), layer->weight);
    layer->d_bias = byw_wl_buffer(wl, (size_t)outputs * sizeof(float), layer->bias);
    layer->d_out = byw_wl_buffer(wl, (size_t)(outputs * cells) * sizeof(float), NULL);
}

static void make_network(struct byw_wl *wl, struct network *net, int filters)
{
    int channels = COLORS, side = SIDE;
    for (int s = 0; s < STAGES; s++) {
        int outputs = s == STAGES - 1 ? 2 * filters : filters, half = side / 2;
        make_layer(wl, &net->conv[s], channels, TAPS, outputs, side * side);
        net->pool[s].outputs = outputs;
        net->pool[s].want = byw_wl_floats(wl, (size_t)(outputs * half * half));
        net->pool[s].d_out =
            byw_wl_buffer(wl, (size_t)(outputs * half * half) * sizeof(float), NULL);
        channels = outputs;
        side = half;
    }
    make_layer(wl, &net->dense[0], channels * side * side, 1, HIDDEN, 1);
    make_layer(wl, &net->dense[1], HIDDEN, 1, CLASSES, 1);
    net->run_conv = byw_wl_kernel(wl, "cifarnet_conv");
    net->run_pool = byw_wl_kernel(wl, "cifarnet_pool");
    net->run_dense = byw_wl_kernel(wl, "cifarnet_dense");
}

static void host_network(struct network *net, const float *image)
{
    const float *in = image;
    int side = SIDE;
    for (int s = 0; s < STAGES; s++, side /= 2) {
        struct layer *conv = &net->conv[s];
        struct byw_wl_window w = {conv->inputs, side, conv->outputs, side, 5, 1, 2};
        byw_wl_host_conv(&w, in, conv->weight, conv->bias, true, conv->want);
        w = (struct byw_wl_window){conv->outputs, side, conv->outputs, side / 2, 3, 2, 0};
        byw_wl_host_pool(&w, conv->want, s > 0, net->pool[s].want);
        in = net->pool[s].want;
    }
    for (int d = 0; d < 2; d++) {
        struct layer *dense = &net->dense[d];
        byw_wl_host_dense(in, dense->weight, dense->bias, dense->inputs, dense->outputs,
                          dense->want);
        in = dense->want;
    }
}

static void device_network(struct byw_wl *wl, const struct network *net, cl_mem image)
{
    cl_mem in = image;
    size_t side = SIDE;
    for (int s = 0; s < STAGES; s++, side /= 2) {
        const struct layer *conv = &net->conv[s];
        size_t groups[2] = {(size_t)conv->outputs, 1};
        byw_wl_args(wl, net->run_conv, "mmmmi", in, conv->d_weight, conv->d_bias, conv->d_out,
                    conv->inputs);
        byw_wl_launch_2d(wl, net->run_conv, groups, (size_t[2]){side, side});
        byw_wl_args(wl, net->run_pool, "mmii", conv->d_out, net->pool[s].d_out, (int)side, s > 0);
        byw_wl_launch_2d(wl, net->run_pool, groups, (size_t[2]){side / 2, side / 2});
        in = net->pool[s].d_out;
    }
    for (int d = 0; d < 2; d++) {
        const struct layer *dense = &net->dense[d];
        byw_wl_args(wl, net->run_dense, "mmmmi", in, dense->d_weight, dense->d_bias, dense->d_out,
                    dense->inputs);
        byw_wl_launch(wl, net->run_dense, 1, (size_t)dense->outputs);
        in = dense->d_out;
    }
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    size_t pixels = COLORS * SIDE * SIDE;
    struct network net;
    make_network(&wl, &net, byw_wl_get_int(&wl, "filters"));
    cl_mem d_image = byw_wl_buffer(&wl, pixels * sizeof(float), NULL);
    for (long i = byw_wl_get(&wl, "images"); i > 0; i--) {
        float *image = byw_wl_uniforms(&wl, pixels, -1.0f, 1.0f), score[CLASSES];
        byw_wl_write(&wl, d_image, pixels * sizeof(float), image);
        host_network(&net, image);
        device_network(&wl, &net, d_image);
        byw_wl_read(&wl, net.dense[1].d_out, sizeof score, score);
        byw_wl_check_f32(&wl, "score", score, net.dense[1].want, CLASSES, 1e-3f, 1e-4f);
    }
    return byw_wl_end(&wl);
}
