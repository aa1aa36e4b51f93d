/* SPDX-License-Identifier: Apache-2.0
 *
 * Excitable cells: one work-item integrates one cell by itself with an adaptive Runge-Kutta
 * method, groups of 32.
 *
 * Hodgkin and Huxley's four equations stand in for a heart cell's many: what counts is the shape,
 * long chains of exponentials, hardly any memory, and lanes that diverge because each chooses
 * its own step.  Times in ms, voltages in mV.
 */

static float4 slope(float4 y, float current)
{
    float v = y.x, m = y.y, h = y.z, n = y.w;
    float alpha_m =
        fabs(v + 40.0f) < 1e-3f ? 1.0f : 0.1f * (v + 40.0f) / (1.0f - exp(-(v + 40.0f) / 10.0f));
    float beta_m = 4.0f * exp(-(v + 65.0f) / 18.0f);
    float alpha_h = 0.07f * exp(-(v + 65.0f) / 20.0f);
    float beta_h = 1.0f / (1.0f + exp(-(v + 35.0f) / 10.0f));
    float alpha_n =
        fabs(v + 55.0f) < 1e-3f ? 0.1f : 0.01f * (v + 55.0f) / (1.0f - exp(-(v + 55.0f) / 10.0f));
    float beta_n = 0.125f * exp(-(v + 65.0f) / 80.0f);
    float sodium = 120.0f * m * m * m * h * (v - 50.0f);
    float potassium = 36.0f * n * n * n * n * (v + 77.0f);
    float leak = 0.3f * (v + 54.387f);
    return (float4)(current - sodium - potassium - leak, alpha_m * (1.0f - m) - beta_m * m,
                    alpha_h * (1.0f - h) - beta_h * h, alpha_n * (1.0f - n) - beta_n * n);
}

/* Bogacki and Shampine's pair of order 3 and 2; a step is repeated, halved, when the pair
 * disagrees by more than the tolerance, and grows when it agrees well. */
__kernel void myocyte_solve(__global float4 *state, __global const float *current,
                            __global int *steps, float until, float tolerance, int cells)
{
    int i = get_global_id(0);
    if (i >= cells)
        return;
    float4 y = state[i];
    float drive = current[i], time = 0.0f, step = 0.01f;
    int count = 0;
    while (time < until) {
        step = fmin(step, until - time);
        float4 k1 = slope(y, drive);
        float4 k2 = slope(y + 0.5f * step * k1, drive);
        float4 k3 = slope(y + 0.75f * step * k2, drive);
        float4 next = y + step * (2.0f * k1 + 3.0f * k2 + 4.0f * k3) / 9.0f;
        float4 k4 = slope(next, drive);
        float4 gap = step * (-5.0f / 72.0f * k1 + k2 / 12.0f + k3 / 9.0f - k4 / 8.0f);
        float error = fabs(gap.x) / 100.0f + fabs(gap.y) + fabs(gap.z) + fabs(gap.w);
        count++;
        if (error > tolerance && step > 1e-4f) {
            step *= 0.5f;
            continue;
        }
        time += step;
        y = next;
        if (error < 0.1f * tolerance)
            step *= 2.0f;
    }
    state[i] = y;
    steps[i] = count;
}
