/* SPDX-License-Identifier: Apache-2.0
 *
 * rnn.c - a recurrent layer over a short sequence, forward or forward and backward.
 *
 * Forward: one launch for all inputs, then two per step.  Backward: two per step, last step
 * first, then one launch per weight matrix.  The gradient of the inputs is not computed, as in a
 * first layer.
 */
#include "byw_wl.h"
#include "workloads/rnn_cl.h"

#include <math.h>

enum { GROUP = 64, STEPS = 4, LANES = 32 };
enum cell { LSTM, GRU };

static const struct byw_wl_option options[] = {
    {"cell", "0: LSTM, 1: GRU", {0, 0, 0}, 0, 1, 1},
    {"backward", "0: forward, 1: forward and backward", {0, 0, 0}, 0, 1, 1},
    {"hidden", "cells, and inputs per step", {64, 128, 128}, GROUP, 1024, GROUP},
    {"steps", "of the sequence", {4, 8, 16}, STEPS, 1024, STEPS},
};
static const struct byw_wl_about about = {"rnn", "recurrent layer: LSTM or GRU", byw_wl_source,
                                          options, sizeof options / sizeof options[0]};

/* The two matrices with their biases: [0] multiplies the input, [1] the last output. */
struct layer {
    enum cell cell;
    int hidden, rows, steps;
    float *weight[2], *bias[2], *x, *dy;
    size_t weights, sequence; /* floats of a matrix, of x or dy */
};

/* Results; see the .cl file for h, extra and act. */
struct result {
    float *h, *extra, *act, *dgate[2], *dweight[2], *dbias[2];
};

static double sigmoid(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

static void make_layer(struct byw_wl *wl, struct layer *l)
{
    l->cell = byw_wl_get(wl, "cell") ? GRU : LSTM;
    l->hidden = byw_wl_get_int(wl, "hidden");
    l->steps = byw_wl_get_int(wl, "steps");
    l->rows = (l->cell == GRU ? 3 : 4) * l->hidden;
    l->weights = (size_t)l->hidden * (size_t)l->rows;
    l->sequence = (size_t)l->hidden * (size_t)l->steps;
    for (int m = 0; m < 2; m++) {
        l->weight[m] = byw_wl_uniforms(wl, l->weights, -0.15f, 0.15f);
        l->bias[m] = byw_wl_uniforms(wl, (size_t)l->rows, -0.1f, 0.1f);
    }
    l->x = byw_wl_uniforms(wl, l->sequence, -1.0f, 1.0f);
    l->dy = byw_wl_uniforms(wl, l->sequence, -1.0f, 1.0f);
}

static void make_result(struct byw_wl *wl, const struct layer *l, struct result *r)
{
    size_t rows = (size_t)l->rows, gates = rows * (size_t)l->steps;
    r->h = byw_wl_floats(wl, l->sequence + (size_t)l->hidden);
    r->extra = byw_wl_floats(wl, l->sequence + (size_t)l->hidden);
    r->act = byw_wl_floats(wl, gates);
    for (int m = 0; m < 2; m++) {
        r->dgate[m] = byw_wl_floats(wl, gates);
        r->dweight[m] = byw_wl_floats(wl, l->weights);
        r->dbias[m] = byw_wl_floats(wl, rows);
    }
}

/* Row `row` of matrix m times `in`, plus its bias. */
static double host_gate(const struct layer *l, int m, int row, const float *in)
{
    double sum = (double)l->bias[m][row];
    for (int k = 0; k < l->hidden; k++)
        sum += (double)l->weight[m][k * l->rows + row] * (double)in[k];
    return sum;
}

static void host_cell(const struct layer *l, const struct result *r, int t, int j)
{
    int n = l->hidden, now = t * n + j, next = now + n;
    const float *x = l->x + t * n, *h = r->h + t * n;
    float *act = r->act + t * l->rows;
    double gate[4], past = 0.0;
    for (int g = 0; g < l->rows / n; g++) {
        double recurrent = host_gate(l, 1, g * n + j, h);
        double sum = host_gate(l, 0, g * n + j, x);
        if (l->cell == GRU && g == 2) {
            past = recurrent;
            gate[g] = tanh(sum + gate[0] * recurrent);
        } else {
            gate[g] = g == 2 ? tanh(sum + recurrent) : sigmoid(sum + recurrent);
        }
        act[g * n + j] = (float)gate[g];
    }
    if (l->cell == GRU) {
        r->extra[next] = (float)past;
        r->h[next] = (float)((1.0 - gate[1]) * gate[2] + gate[1] * (double)r->h[now]);
    } else {
        r->extra[next] = (float)(gate[1] * (double)r->extra[now] + gate[0] * gate[2]);
        r->h[next] = (float)(gate[3] * tanh((double)r->extra[next]));
    }
}

/* Gate gradients of cell j at step t for an output gradient `slope`; *dstate is carried on to the
 * previous step. Returns the part of the output's gradient that does not pass through a matrix. */
static double host_cell_back(const struct layer *l, const struct result *r, int t, int j,
                             double slope, double *dstate)
{
    int n = l->hidden, now = t * n + j;
    const float *act = r->act + t * l->rows + j;
    double a[4], d[4];
    for (int g = 0; g < l->rows / n; g++)
        a[g] = (double)act[g * n];
    double carry = 0.0, through = 1.0;
    if (l->cell == GRU) {
        d[2] = slope * (1.0 - a[1]) * (1.0 - a[2] * a[2]);
        d[1] = slope * ((double)r->h[now] - a[2]) * a[1] * (1.0 - a[1]);
        d[0] = d[2] * (double)r->extra[now + n] * a[0] * (1.0 - a[0]);
        through = a[0];
        carry = slope * a[1];
    } else {
        double state = tanh((double)r->extra[now + n]);
        double ds = *dstate + slope * a[3] * (1.0 - state * state);
        d[0] = ds * a[2] * a[0] * (1.0 - a[0]);
        d[1] = ds * (double)r->extra[now] * a[1] * (1.0 - a[1]);
        d[2] = ds * a[0] * (1.0 - a[2] * a[2]);
        d[3] = slope * state * a[3] * (1.0 - a[3]);
        *dstate = ds * a[1];
    }
    for (int g = 0; g < l->rows / n; g++) {
        r->dgate[0][t * l->rows + g * n + j] = (float)d[g];
        r->dgate[1][t * l->rows + g * n + j] = (float)(g == 2 ? d[g] * through : d[g]);
    }
    return carry;
}

static void host_weight_back(const struct layer *l, const struct result *r, int m, const float *in)
{
    for (int row = 0; row < l->rows; row++) {
        double bias = 0.0;
        for (int t = 0; t < l->steps; t++)
            bias += (double)r->dgate[m][t * l->rows + row];
        r->dbias[m][row] = (float)bias;
        for (int k = 0; k < l->hidden; k++) {
            double sum = 0.0;
            for (int t = 0; t < l->steps; t++)
                sum += (double)r->dgate[m][t * l->rows + row] * (double)in[t * l->hidden + k];
            r->dweight[m][k * l->rows + row] = (float)sum;
        }
    }
}

static void host_layer(struct byw_wl *wl, const struct layer *l, const struct result *r)
{
    for (int t = 0; t < l->steps; t++)
        for (int j = 0; j < l->hidden; j++)
            host_cell(l, r, t, j);
    double *dh = byw_wl_alloc(wl, (size_t)l->hidden, sizeof *dh);
    double *dstate = byw_wl_alloc(wl, (size_t)l->hidden, sizeof *dstate);
    for (int t = l->steps - 1; t >= 0; t--) {
        for (int j = 0; j < l->hidden; j++)
            dh[j] =
                host_cell_back(l, r, t, j, (double)l->dy[t * l->hidden + j] + dh[j], &dstate[j]);
        for (int k = 0; k < l->hidden; k++)
            for (int row = 0; row < l->rows; row++)
                dh[k] += (double)l->weight[1][k * l->rows + row] *
                         (double)r->dgate[1][t * l->rows + row];
    }
    host_weight_back(l, r, 0, l->x);
    host_weight_back(l, r, 1, r->h);
}

struct device {
    cl_mem weight[2], bias[2], x, h, extra, act;
    size_t row_groups, cell_groups;
};

static cl_mem upload(struct byw_wl *wl, size_t values, const float *from)
{
    return byw_wl_buffer(wl, values * sizeof(float), from);
}

static void forward(struct byw_wl *wl, const struct layer *l, const struct result *zero,
                    struct device *d)
{
    size_t rows = (size_t)l->rows, states = l->sequence + (size_t)l->hidden;
    for (int m = 0; m < 2; m++) {
        d->weight[m] = upload(wl, l->weights, l->weight[m]);
        d->bias[m] = upload(wl, rows, l->bias[m]);
    }
    d->x = upload(wl, l->sequence, l->x);
    d->h = upload(wl, states, zero->h);
    d->extra = upload(wl, states, zero->extra);
    d->act = upload(wl, rows * (size_t)l->steps, NULL);
    d->row_groups = rows / GROUP;
    d->cell_groups = (size_t)l->hidden / GROUP;
    cl_mem from_x = upload(wl, rows * (size_t)l->steps, NULL), from_h = upload(wl, rows, NULL);

    cl_kernel project = byw_wl_kernel(wl, "rnn_project"), recur = byw_wl_kernel(wl, "rnn_recur");
    cl_kernel cell = byw_wl_kernel(wl, l->cell == GRU ? "rnn_gru" : "rnn_lstm");
    byw_wl_args(wl, project, "mmmmii", d->weight[0], d->bias[0], d->x, from_x, l->hidden, l->rows);
    byw_wl_launch_2d(wl, project, (size_t[2]){d->row_groups, (size_t)(l->steps / STEPS)},
                     (size_t[2]){GROUP, 1});
    for (int t = 0; t < l->steps; t++) {
        byw_wl_args(wl, recur, "mmmmiii", d->weight[1], d->bias[1], d->h, from_h, l->hidden,
                    l->rows, t);
        byw_wl_launch(wl, recur, d->row_groups, GROUP);
        byw_wl_args(wl, cell, "mmmmmii", from_x, from_h, d->act, d->extra, d->h, l->hidden, t);
        byw_wl_launch(wl, cell, d->cell_groups, GROUP);
    }
}

static void check(struct byw_wl *wl, const char *name, cl_mem from, size_t values,
                  const float *want)
{
    float *got = byw_wl_floats(wl, values);
    byw_wl_read(wl, from, values * sizeof(float), got);
    byw_wl_check_f32(wl, name, got, want, values, 1e-3f, 1e-4f);
}

/* dW = the sum over the steps of a gate gradient times the matrix's input. */
static void weight_back(struct byw_wl *wl, const struct layer *l, const struct device *d, int m,
                        cl_mem dgate, cl_mem in, const struct result *want)
{
    cl_mem dweight = upload(wl, l->weights, NULL), dbias = upload(wl, (size_t)l->rows, NULL);
    cl_kernel kernel = byw_wl_kernel(wl, "rnn_weight_back");
    byw_wl_args(wl, kernel, "mmmmiii", dgate, in, dweight, dbias, l->hidden, l->rows, l->steps);
    byw_wl_launch_2d(wl, kernel, (size_t[2]){d->row_groups, (size_t)l->hidden / 4},
                     (size_t[2]){GROUP, 1});
    check(wl, m ? "recurrent weight gradient" : "weight gradient", dweight, l->weights,
          want->dweight[m]);
    check(wl, "bias gradient", dbias, (size_t)l->rows, want->dbias[m]);
}

static void backward(struct byw_wl *wl, const struct layer *l, const struct device *d,
                     const struct result *zero, const struct result *want)
{
    size_t hidden = (size_t)l->hidden, gates = (size_t)l->rows * (size_t)l->steps;
    cl_mem dy = upload(wl, l->sequence, l->dy), dh = upload(wl, hidden, zero->h);
    cl_mem dstate = upload(wl, hidden, zero->h), dcarry = upload(wl, hidden, NULL);
    cl_mem dgate[2] = {upload(wl, gates, NULL), upload(wl, gates, NULL)};
    cl_kernel cell = byw_wl_kernel(wl, l->cell == GRU ? "rnn_gru_back" : "rnn_lstm_back");
    cl_kernel recur = byw_wl_kernel(wl, "rnn_recur_back");
    for (int t = l->steps - 1; t >= 0; t--) {
        byw_wl_args(wl, cell, "mmmmmmmmmii", d->act, d->extra, d->h, dy, dh, dstate, dcarry,
                    dgate[0], dgate[1], l->hidden, t);
        byw_wl_launch(wl, cell, d->cell_groups, GROUP);
        byw_wl_args(wl, recur, "mmmmii", d->weight[1], dgate[1], dcarry, dh, l->rows, t);
        byw_wl_launch(wl, recur, hidden * LANES / GROUP, GROUP);
    }
    weight_back(wl, l, d, 0, dgate[0], d->x, want);
    weight_back(wl, l, d, 1, dgate[1], d->h, want);
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    struct layer l;
    struct result zero, want;
    struct device d;
    make_layer(&wl, &l);
    make_result(&wl, &l, &zero);
    make_result(&wl, &l, &want);
    host_layer(&wl, &l, &want);
    forward(&wl, &l, &zero, &d);
    check(&wl, "h", d.h, l.sequence + (size_t)l.hidden, want.h);
    if (byw_wl_get(&wl, "backward"))
        backward(&wl, &l, &d, &zero, &want);
    return byw_wl_end(&wl);
}
