/* SPDX-License-Identifier: Apache-2.0
 *
 * Particle filter that tracks a bright disk through a video, one work-item per particle; groups of
 * 512, of 128 when only the search runs on the device.
 *
 * pf_weigh writes down which pixels lie under its particle's disk, a row of `disk_size` numbers per
 * particle, and reads them back to sum: neighbouring work-items are a row apart in both loops, so
 * a warp touches as many lines as it has lanes, and each line again in the next dozens of steps.
 * pf_find walks the cumulative distribution from its beginning to its own threshold, then gathers
 * the particle it found.
 */

/* Linear congruential generator, 32 bits; uniform in (0, 1). */
static float pf_uniform(__global uint *seed, int i)
{
    uint state = seed[i] * 1664525u + 1013904223u;
    seed[i] = state;
    return ((float)(state >> 8) + 0.5f) * 0x1p-24f;
}

/* Normal distribution from two uniform numbers, Box and Muller. */
static float pf_normal(__global uint *seed, int i)
{
    float u = pf_uniform(seed, i), v = pf_uniform(seed, i);
    return sqrt(-2.0f * log(u)) * cos(6.2831853f * v);
}

/* How much the pixels of a particle look like the object (228) rather than the background (100). */
static float pf_likelihood(__global const uchar *video, __global const int *under, int disk_size,
                           int i)
{
    float sum = 0.0f;
    for (int k = 0; k < disk_size; k++) {
        float light = (float)video[under[i * disk_size + k]];
        sum += ((light - 100.0f) * (light - 100.0f) - (light - 228.0f) * (light - 228.0f)) / 50.0f;
    }
    return sum;
}

/* Moves each particle by the object's mean speed plus noise, weighs it, and sums the group's
 * weights.  300 is taken from the exponent so that exp() stays in range. */
__kernel void pf_weigh(__global float *x, __global float *y, __global const float *new_x,
                       __global const float *new_y, __global uint *seed,
                       __global const uchar *video, __global const int *disk, __global int *under,
                       __global float *likelihood, __global float *weight, __global float *partial,
                       int particles, int pixels, int disk_size, int size, int frames, int frame,
                       __local float *part)
{
    int i = get_global_id(0), t = get_local_id(0);
    if (i < particles) {
        weight[i] = 1.0f / (float)particles;
        x[i] = new_x[i] + 1.0f + 5.0f * pf_normal(seed, i);
        y[i] = new_y[i] - 2.0f + 2.0f * pf_normal(seed, i);
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    part[t] = 0.0f;
    if (i < particles) {
        for (int k = 0; k < disk_size; k++) {
            int column = (int)rint(x[i]) + disk[2 * k + 1];
            int row = (int)rint(y[i]) + disk[2 * k];
            int at = (column * size + row) * frames + frame;
            under[i * disk_size + k] = at < 0 || at >= pixels ? 0 : at;
        }
        float mean = pf_likelihood(video, under, disk_size, i) / (float)disk_size;
        likelihood[i] = mean - 300.0f;
        weight[i] *= exp(likelihood[i]);
        part[t] = weight[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int width = get_local_size(0) / 2; width > 0; width /= 2) {
        if (t < width)
            part[t] += part[t + width];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0)
        partial[get_group_id(0)] = part[0];
}

/* A single work-item adds the groups' sums up, and draws the first threshold. */
__kernel void pf_sum(__global float *partial, __global float *threshold, __global uint *seed,
                     int groups, int particles)
{
    if (get_global_id(0) != 0)
        return;
    float sum = 0.0f;
    for (int g = 0; g < groups; g++)
        sum += partial[g];
    partial[0] = sum;
    threshold[0] = pf_uniform(seed, 0) / (float)particles;
}

__kernel void pf_normalize(__global float *weight, __global const float *partial, int particles)
{
    __local float total;
    int i = get_global_id(0);
    if (get_local_id(0) == 0)
        total = partial[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < particles)
        weight[i] /= total;
}

/* A single work-item adds the weights up, as the original does; all others write thresholds. */
__kernel void pf_accumulate(__global const float *weight, __global float *cdf,
                            __global float *threshold, int particles)
{
    __local float first;
    int i = get_global_id(0);
    if (i == 0) {
        cdf[0] = weight[0];
        for (int k = 1; k < particles; k++)
            cdf[k] = weight[k] + cdf[k - 1];
    }
    if (get_local_id(0) == 0)
        first = threshold[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i > 0 && i < particles)
        threshold[i] = first + (float)i / (float)particles;
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
