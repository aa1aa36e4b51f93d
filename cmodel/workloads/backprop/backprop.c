/* SPDX-License-Identifier: Apache-2.0
 *
 * backprop.c - one training step of a two-layer perceptron with 16 hidden units and one output.
 *
 * Two launches of a (1, n / 16) grid; the host computes the output layer and the error terms.
 */
#include "byw_wl.h"
#include "workloads/backprop_cl.h"

#include <math.h>

enum { SIDE = 16, HIDDEN = 16 };
#define RATE 0.3f
#define MOMENTUM 0.3f

static const struct byw_wl_option options[] = {
    {"n", "input units", {256, 4096, 65536}, 16, 1 << 22, 16},
};
static const struct byw_wl_about about = {
    "backprop", "training step of a two-layer perceptron, 16 x 16 groups", byw_wl_source, options,
    sizeof options / sizeof options[0]};

static float squash(float x)
{
    return 1.0f / (1.0f + expf(-x));
}

/* Hidden activations from their sums, the output unit, then the hidden units' error terms. */
static void host_deltas(const float *sum, const float *output_weight, float target, float *delta)
{
    float hidden[HIDDEN + 1] = {1.0f}, total = output_weight[0];
    for (int j = 1; j <= HIDDEN; j++) {
        hidden[j] = squash(sum[j]);
        total += output_weight[j] * hidden[j];
    }
    float out = squash(total);
    float error = out * (1.0f - out) * (target - out);
    delta[0] = 0.0f;
    for (int j = 1; j <= HIDDEN; j++)
        delta[j] = hidden[j] * (1.0f - hidden[j]) * error * output_weight[j];
}

static void host_adjust(const float *delta, const float *input, float *weight, float *previous,
                        int n)
{
    for (int i = 0; i <= n; i++) {
        for (int j = 1; j <= HIDDEN; j++) {
            float change = RATE * delta[j] * input[i] + MOMENTUM * previous[i * (HIDDEN + 1) + j];
            weight[i * (HIDDEN + 1) + j] += change;
            previous[i * (HIDDEN + 1) + j] = change;
        }
    }
}

static void host_sums(const float *input, const float *weight, int n, float *sum)
{
    for (int j = 1; j <= HIDDEN; j++) {
        double total = 0.0;
        for (int i = 0; i <= n; i++)
            total += (double)input[i] * (double)weight[i * (HIDDEN + 1) + j];
        sum[j] = (float)total;
    }
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    int n = byw_wl_get_int(&wl, "n");
    size_t inputs = (size_t)n + 1, weights = inputs * (HIDDEN + 1), groups = (size_t)n / SIDE;
    float *input = byw_wl_floats(&wl, inputs), *weight = byw_wl_floats(&wl, weights);
    float *previous = byw_wl_floats(&wl, weights), *got = byw_wl_floats(&wl, weights);
    float *partial = byw_wl_floats(&wl, groups * HIDDEN);
    float output_weight[HIDDEN + 1], sum[HIDDEN + 1] = {0}, want_sum[HIDDEN + 1] = {0};
    float delta[HIDDEN + 1];
    input[0] = 1.0f;
    for (size_t i = 1; i < inputs; i++)
        input[i] = byw_wl_uniform(&wl, 0.0f, 1.0f);
    for (size_t i = 0; i < weights; i++) {
        weight[i] = byw_wl_uniform(&wl, -1.0f, 1.0f) / sqrtf((float)n);
        previous[i] = byw_wl_uniform(&wl, -1e-3f, 1e-3f);
    }
    for (int j = 0; j <= HIDDEN; j++)
        output_weight[j] = byw_wl_uniform(&wl, -1.0f, 1.0f);

    cl_mem d_input = byw_wl_buffer(&wl, inputs * sizeof(float), input);
    cl_mem d_weight = byw_wl_buffer(&wl, weights * sizeof(float), weight);
    cl_mem d_partial = byw_wl_buffer(&wl, groups * HIDDEN * sizeof(float), NULL);
    cl_kernel forward = byw_wl_kernel(&wl, "backprop_forward");
    byw_wl_args(&wl, forward, "mmmi", d_input, d_weight, d_partial, HIDDEN);
    byw_wl_launch_2d(&wl, forward, (size_t[2]){1, groups}, (size_t[2]){SIDE, SIDE});
    byw_wl_read(&wl, d_partial, groups * HIDDEN * sizeof(float), partial);
    for (int j = 1; j <= HIDDEN; j++) {
        sum[j] = weight[j];
        for (size_t g = 0; g < groups; g++)
            sum[j] += partial[g * HIDDEN + (size_t)j - 1];
    }
    host_sums(input, weight, n, want_sum);
    byw_wl_check_f32(&wl, "sum", sum, want_sum, HIDDEN + 1, 1e-4f, 1e-4f);

    host_deltas(sum, output_weight, 0.1f, delta);
    cl_mem d_delta = byw_wl_buffer(&wl, sizeof delta, delta);
    cl_mem d_previous = byw_wl_buffer(&wl, weights * sizeof(float), previous);
    cl_kernel adjust = byw_wl_kernel(&wl, "backprop_adjust");
    byw_wl_args(&wl, adjust, "mimmmff", d_delta, HIDDEN, d_input, d_weight, d_previous,
                (double)RATE, (double)MOMENTUM);
    byw_wl_launch_2d(&wl, adjust, (size_t[2]){1, groups}, (size_t[2]){SIDE, SIDE});
    host_adjust(delta, input, weight, previous, n);
    byw_wl_read(&wl, d_weight, weights * sizeof(float), got);
    byw_wl_check_f32(&wl, "weight", got, weight, weights, 1e-5f, 1e-6f);
    byw_wl_read(&wl, d_previous, weights * sizeof(float), got);
    byw_wl_check_f32(&wl, "previous", got, previous, weights, 1e-5f, 1e-6f);
    return byw_wl_end(&wl);
}
