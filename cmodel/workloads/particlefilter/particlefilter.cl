/* SPDX-License-Identifier: Apache-2.0
 *
 * Particle filter that tracks a bright disk through a video; groups of 128, one work-item per
 * particle.
 *
 * pf_find is the hot kernel of the naive version: every work-item walks the same cumulative
 * distribution from its beginning to its own threshold, then gathers the particle it found.
 */
#define GROUP 128

/* Linear congruential generator, 32 bits; the float is in [0, 1). */
static uint pf_next(uint state)
{
    return state * 1664525u + 1013904223u;
}

static float pf_fraction(uint state)
{
    return (float)(state >> 8) * 0x1p-24f;
}

/* Moves each particle by the object's mean speed plus noise, then weighs it by how much the
 * pixels under its disk look like the object (228) rather than the background (100). */
__kernel void pf_weigh(__global float *x, __global float *y, __global uint *seed,
                       __global const int *video, __global const int *disk, __global float *weight,
                       int particles, int pixels, int disk_size, int size, int frames, int frame)
{
    int i = get_global_id(0);
    if (i >= particles)
        return;
    uint a = pf_next(seed[i]), b = pf_next(a), c = pf_next(b), d = pf_next(c);
    seed[i] = d;
    float new_x = x[i] + 1.0f + 5.0f * (pf_fraction(a) + pf_fraction(b) - 1.0f);
    float new_y = y[i] - 2.0f + 2.0f * (pf_fraction(c) + pf_fraction(d) - 1.0f);
    x[i] = new_x;
    y[i] = new_y;

    float sum = 0.0f;
    for (int k = 0; k < disk_size; k++) {
        int column = (int)rint(new_x) + disk[2 * k + 1];
        int row = (int)rint(new_y) + disk[2 * k];
        int at = (column * size + row) * frames + frame;
        at = at < 0 || at >= pixels ? 0 : at;
        float light = (float)video[at];
        sum +=
            ((light - 100.0f) * (light - 100.0f) - (light - 228.0f) * (light - 228.0f)) / 2000.0f;
    }
    weight[i] = weight[i] * exp(sum / (float)disk_size);
}

/* Each group's part of the weights' sum. */
__kernel void pf_partial(__global const float *weight, __global float *partial, int particles)
{
    __local float part[GROUP];
    int t = get_local_id(0), i = get_global_id(0);
    part[t] = i < particles ? weight[i] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int width = GROUP / 2; width > 0; width /= 2) {
        if (t < width)
            part[t] += part[t + width];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0)
        partial[get_group_id(0)] = part[0];
}

__kernel void pf_normalize(__global float *weight, __global const float *partial, int groups,
                           int particles)
{
    __local float total;
    int i = get_global_id(0);
    if (get_local_id(0) == 0) {
        float sum = 0.0f;
        for (int g = 0; g < groups; g++)
            sum += partial[g];
        total = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < particles)
        weight[i] /= total;
}

/* A single work-item adds the weights up, as the original does. */
__kernel void pf_accumulate(__global const float *weight, __global float *cdf, int particles)
{
    if (get_global_id(0) != 0)
        return;
    float sum = 0.0f;
    for (int i = 0; i < particles; i++) {
        sum += weight[i];
        cdf[i] = sum;
    }
}

__kernel void pf_find(__global const float *x, __global const float *y, __global const float *cdf,
                      __global const float *threshold, __global float *new_x, __global float *new_y,
                      int particles)
{
    int i = get_global_id(0);
    if (i >= particles)
        return;
    int found = -1;
    for (int k = 0; k < particles; k++) {
        if (cdf[k] >= threshold[i]) {
            found = k;
            break;
        }
    }
    if (found == -1)
        found = particles - 1;
    new_x[i] = x[found];
    new_y[i] = y[found];
}
