/* SPDX-License-Identifier: Apache-2.0
 *
 * Long short-term memory and gated recurrent unit layers of `hidden` cells for a sequence of one
 * sample: matrix-vector products with the same two matrices in every step, in launches of a few
 * warps.
 *
 * rows: hidden times the number of gates, ordered i f g o (LSTM) or r z n (GRU).  Weights are
 * [input][row] and recurrent weights [cell][row], so neighbours read neighbouring words.  h is
 * [step + 1][cell] with zeros first; extra likewise holds the LSTM's cell states or the GRU's
 * recurrent part of n before the reset gate; act is [step][row], the gates after their sigmoid or
 * tanh.
 */
#define GROUP 64
#define STEPS 4 /* time steps whose input is multiplied together */
#define LANES 32

static float sigmoid(float x)
{
    return 1.0f / (1.0f + native_exp(-x));
}

static float bounded(float x) /* tanh */
{
    return 2.0f * sigmoid(2.0f * x) - 1.0f;
}

/* bias + W x for STEPS steps at a time (dimension 1). */
__kernel void rnn_project(__global const float *weight, __global const float *bias,
                          __global const float *x, __global float *out, int inputs, int rows)
{
    int row = get_global_id(0), step = (int)get_group_id(1) * STEPS;
    float sum0 = bias[row], sum1 = sum0, sum2 = sum0, sum3 = sum0;
    weight += row;
    x += step * inputs;
    for (int k = 0; k < inputs; k++, weight += rows) {
        float w = *weight;
        sum0 += w * x[k];
        sum1 += w * x[k + inputs];
        sum2 += w * x[k + 2 * inputs];
        sum3 += w * x[k + 3 * inputs];
    }
    out[step * rows + row] = sum0;
    out[(step + 1) * rows + row] = sum1;
    out[(step + 2) * rows + row] = sum2;
    out[(step + 3) * rows + row] = sum3;
}

/* bias + U h[step]. */
__kernel void rnn_recur(__global const float *weight, __global const float *bias,
                        __global const float *h, __global float *out, int hidden, int rows,
                        int step)
{
    int row = get_global_id(0);
    float sum = bias[row];
    weight += row;
    h += step * hidden;
    for (int k = 0; k < hidden; k++, weight += rows)
        sum += *weight * h[k];
    out[row] = sum;
}

__kernel void rnn_lstm(__global const float *from_x, __global const float *from_h,
                       __global float *act, __global float *extra, __global float *h, int hidden,
                       int step)
{
    int j = get_global_id(0), rows = 4 * hidden;
    from_x += step * rows;
    act += step * rows;
    float in = sigmoid(from_x[j] + from_h[j]);
    float forget = sigmoid(from_x[j + hidden] + from_h[j + hidden]);
    float next = bounded(from_x[j + 2 * hidden] + from_h[j + 2 * hidden]);
    float out = sigmoid(from_x[j + 3 * hidden] + from_h[j + 3 * hidden]);
    act[j] = in;
    act[j + hidden] = forget;
    act[j + 2 * hidden] = next;
    act[j + 3 * hidden] = out;
    float state = forget * extra[step * hidden + j] + in * next;
    extra[(step + 1) * hidden + j] = state;
    h[(step + 1) * hidden + j] = out * bounded(state);
}

__kernel void rnn_gru(__global const float *from_x, __global const float *from_h,
                      __global float *act, __global float *extra, __global float *h, int hidden,
                      int step)
{
    int j = get_global_id(0), rows = 3 * hidden;
    from_x += step * rows;
    act += step * rows;
    float reset = sigmoid(from_x[j] + from_h[j]);
    float keep = sigmoid(from_x[j + hidden] + from_h[j + hidden]);
    float past = from_h[j + 2 * hidden];
    float next = bounded(from_x[j + 2 * hidden] + reset * past);
    act[j] = reset;
    act[j + hidden] = keep;
    act[j + 2 * hidden] = next;
    extra[(step + 1) * hidden + j] = past;
    h[(step + 1) * hidden + j] = (1.0f - keep) * next + keep * h[step * hidden + j];
}

/* Gradients of one step's gates from that of its output.  dstate is carried from step to step;
 * dh is what later steps send back, dcarry the part of it that does not pass U. */
__kernel void rnn_lstm_back(__global const float *act, __global const float *extra,
                            __global const float *h, __global const float *dy,
                            __global const float *dh, __global float *dstate,
                            __global float *dcarry, __global float *dgate_x,
                            __global float *dgate_h, int hidden, int step)
{
    int j = get_global_id(0), rows = 4 * hidden;
    act += step * rows;
    float in = act[j], forget = act[j + hidden];
    float next = act[j + 2 * hidden], out = act[j + 3 * hidden];
    float state = bounded(extra[(step + 1) * hidden + j]);
    float slope = dy[step * hidden + j] + dh[j];
    float d = dstate[j] + slope * out * (1.0f - state * state);
    dgate_x += step * rows;
    dgate_h += step * rows;
    dgate_h[j] = dgate_x[j] = d * next * in * (1.0f - in);
    dgate_h[j + hidden] = dgate_x[j + hidden] =
        d * extra[step * hidden + j] * forget * (1.0f - forget);
    dgate_h[j + 2 * hidden] = dgate_x[j + 2 * hidden] = d * in * (1.0f - next * next);
    dgate_h[j + 3 * hidden] = dgate_x[j + 3 * hidden] = slope * state * out * (1.0f - out);
    dstate[j] = d * forget;
    dcarry[j] = 0.0f;
}

__kernel void rnn_gru_back(__global const float *act, __global const float *extra,
                           __global const float *h, __global const float *dy,
                           __global const float *dh, __global float *dstate,
                           __global float *dcarry, __global float *dgate_x, __global float *dgate_h,
                           int hidden, int step)
{
    int j = get_global_id(0), rows = 3 * hidden;
    act += step * rows;
    float reset = act[j], keep = act[j + hidden], next = act[j + 2 * hidden];
    float slope = dy[step * hidden + j] + dh[j];
    float dnext = slope * (1.0f - keep) * (1.0f - next * next);
    float dkeep = slope * (h[step * hidden + j] - next) * keep * (1.0f - keep);
    float dreset = dnext * extra[(step + 1) * hidden + j] * reset * (1.0f - reset);
    dgate_x += step * rows;
    dgate_h += step * rows;
    dgate_h[j] = dgate_x[j] = dreset;
    dgate_h[j + hidden] = dgate_x[j + hidden] = dkeep;
    dgate_x[j + 2 * hidden] = dnext;
    dgate_h[j + 2 * hidden] = dnext * reset;
    dcarry[j] = slope * keep;
}

/* dh = dcarry + U' dgate: 32 work-items share the row of one cell and sum in local memory. */
__kernel void rnn_recur_back(__global const float *weight, __global const float *dgate,
                             __global const float *dcarry, __global float *dh, int rows, int step)
{
    __local float part[GROUP];
    int t = get_local_id(0), lane = t % LANES, cell = (int)get_global_id(0) / LANES;
    float sum = 0.0f;
    weight += cell * rows;
    dgate += step * rows;
    for (int row = lane; row < rows; row += LANES)
        sum += weight[row] * dgate[row];
    part[t] = sum;
    for (int stride = LANES / 2; stride > 0; stride /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < stride)
            part[t] += part[t + stride];
    }
    if (lane == 0)
        dh[cell] = dcarry[cell] + part[t];
}

/* Sum over all steps of dgate times in: a weight gradient, four inputs (dimension 1) per
 * work-item; the first of them also add up the bias gradient. */
__kernel void rnn_weight_back(__global const float *dgate, __global const float *in,
                              __global float *dweight, __global float *dbias, int inputs, int rows,
                              int steps)
{
    int row = get_global_id(0), k = (int)get_group_id(1) * 4;
    float4 sum = 0.0f;
    float bias = 0.0f;
    dgate += row;
    in += k;
    for (int t = 0; t < steps; t++, dgate += rows, in += inputs) {
        sum += *dgate * vload4(0, in);
        bias += *dgate;
    }
    dweight[k * rows + row] = sum.x;
    dweight[(k + 1) * rows + row] = sum.y;
    dweight[(k + 2) * rows + row] = sum.z;
    dweight[(k + 3) * rows + row] = sum.w;
    if (k == 0)
        dbias[row] = bias;
}
