/* SPDX-License-Identifier: Apache-2.0
 *
 * myocyte.c - independent excitable cells with different stimuli, one launch.
 */
#include "byw_wl.h"
#include "workloads/myocyte_cl.h"

#include <math.h>

enum { GROUP = 32 };
#define TOLERANCE 1e-4f
/* How far the two integrators' clocks may differ, in ms per ms: on the slope of a spike that is a
 * few mV. */
#define DRIFT 1e-3f

static const struct byw_wl_option options[] = {
    {"cells", "cells, one work-item each", {40, 128, 128}, 1, 1 << 20, 1},
    {"time", "simulated time, ms", {3, 2, 100}, 1, 10000, 1},
};
static const struct byw_wl_about about = {
    "myocyte", "excitable-cell equations, one adaptive integration per work-item", byw_wl_source,
    options, sizeof options / sizeof options[0]};

static void host_slope(const double y[4], double current, double slope[4])
{
    double v = y[0], m = y[1], h = y[2], n = y[3];
    double alpha_m = fabs(v + 40) < 1e-7 ? 1.0 : 0.1 * (v + 40) / (1 - exp(-(v + 40) / 10));
    double alpha_n = fabs(v + 55) < 1e-7 ? 0.1 : 0.01 * (v + 55) / (1 - exp(-(v + 55) / 10));
    double alpha_h = 0.07 * exp(-(v + 65) / 20), beta_h = 1 / (1 + exp(-(v + 35) / 10));
    slope[0] = current - 120 * m * m * m * h * (v - 50) - 36 * n * n * n * n * (v + 77) -
               0.3 * (v + 54.387);
    slope[1] = alpha_m * (1 - m) - 4 * exp(-(v + 65) / 18) * m;
    slope[2] = alpha_h * (1 - h) - beta_h * h;
    slope[3] = alpha_n * (1 - n) - 0.125 * exp(-(v + 65) / 80) * n;
}

/* The classical method with a small fixed step in double: the solution that any good integrator
 * approaches. */
static void host_solve(float state[4], float current, double until, double slope[4])
{
    enum { STEPS_PER_MS = 500 };
    double y[4] = {(double)state[0], (double)state[1], (double)state[2], (double)state[3]};
    double step = 1.0 / STEPS_PER_MS, part[4] = {0, 0.5 * step, 0.5 * step, step};
    for (long s = lround(until * STEPS_PER_MS); s > 0; s--) {
        double k[4][4] = {{0}}, at[4];
        for (int stage = 0; stage < 4; stage++) {
            for (int v = 0; v < 4; v++)
                at[v] = y[v] + (stage ? part[stage] * k[stage - 1][v] : 0.0);
            host_slope(at, (double)current, k[stage]);
        }
        for (int v = 0; v < 4; v++)
            y[v] += step / 6 * (k[0][v] + 2 * k[1][v] + 2 * k[2][v] + k[3][v]);
    }
    host_slope(y, (double)current, slope);
    for (int v = 0; v < 4; v++)
        state[v] = (float)y[v];
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    int cells = byw_wl_get_int(&wl, "cells");
    long until = byw_wl_get(&wl, "time");
    size_t count = (size_t)cells, bytes = count * 4 * sizeof(float);
    float *want = byw_wl_floats(&wl, count * 4), *got = byw_wl_floats(&wl, count * 4);
    float *current = byw_wl_floats(&wl, count);
    int *steps = byw_wl_ints(&wl, count);
    for (size_t i = 0; i < count; i++) {
        const float rest[4] = {-65.0f, 0.053f, 0.596f, 0.318f};
        for (int v = 0; v < 4; v++)
            want[4 * i + (size_t)v] = rest[v];
        current[i] = byw_wl_uniform(&wl, 0.0f, 20.0f);
    }
    cl_mem state = byw_wl_buffer(&wl, bytes, want);
    cl_mem d_current = byw_wl_buffer(&wl, count * sizeof(float), current);
    cl_mem d_steps = byw_wl_buffer(&wl, count * sizeof(int), NULL);
    cl_kernel kernel = byw_wl_kernel(&wl, "myocyte_solve");
    byw_wl_args(&wl, kernel, "mmmffi", state, d_current, d_steps, (double)until, (double)TOLERANCE,
                cells);
    byw_wl_launch(&wl, kernel, byw_wl_groups(count, GROUP), GROUP);
    byw_wl_read(&wl, state, bytes, got);
    byw_wl_read(&wl, d_steps, count * sizeof(int), steps);
    for (size_t i = 0; i < count; i++) {
        double slope[4];
        host_solve(&want[4 * i], current[i], (double)until, slope);
        if (steps[i] < 1)
            byw_wl_fail(&wl, "steps[%zu]: found %d, expected at least 1", i, steps[i]);
        for (size_t v = 0; v < 4; v++)
            byw_wl_check_f32(&wl, "state", &got[4 * i + v], &want[4 * i + v], 1, 0.01f,
                             0.02f + DRIFT * (float)until * (float)fabs(slope[v]));
    }
    return byw_wl_end(&wl);
}
