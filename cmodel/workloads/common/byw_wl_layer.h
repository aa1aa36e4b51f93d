/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_wl_layer.h - neural-network layers in plain C, against which the drivers of the network
 * benchmarks check the device.
 *
 * Tensors are [channel][row][column], weights [output channel][input channel][row][column], all
 * images square.  Sums are computed in double precision, so only the device's rounding can cause
 * differences.
 */
#ifndef BYW_WL_LAYER_H
#define BYW_WL_LAYER_H

#include <stdbool.h>

/* A window of kernel x kernel cells moved by `stride`; the first one starts `pad` cells before
 * the image's edge, and cells outside the image are left out. */
struct byw_wl_window {
    int in_channels, in_side;
    int out_channels, out_side;
    int kernel, stride, pad;
};

/* Convolution plus bias; rectify: negative results become 0. */
void byw_wl_host_conv(const struct byw_wl_window *w, const float *in, const float *weight,
                      const float *bias, bool rectify, float *out);

/* Maximum or average of each window, channel by channel (in_channels of them). */
void byw_wl_host_pool(const struct byw_wl_window *w, const float *in, bool average, float *out);

/* out = weight in + bias, weight being [outputs][inputs]. */
void byw_wl_host_dense(const float *in, const float *weight, const float *bias, int inputs,
                       int outputs, float *out);

#endif
