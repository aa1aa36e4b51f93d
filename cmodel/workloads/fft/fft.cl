/* SPDX-License-Identifier: Apache-2.0
 *
 * Batched 512-point complex FFT: one group of 64 work-items per transform, 8 points each.
 *
 * Three radix-8 passes in place; values stay in registers and change places through local memory
 * between the passes, so global memory is read once and written once, in whole lines. Each
 * work-item computes its own twiddle factors.
 */
#define POINTS 512
#define ITEMS 64
#define PAD(place) ((place) + (place) / 8) /* keeps the work-items of a warp in different banks */

static float2 multiply(float2 a, float2 b)
{
    return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

static float2 turn(float2 a) /* times -i */
{
    return (float2)(a.y, -a.x);
}

static void fft4(float2 *a, float2 *b, float2 *c, float2 *d)
{
    float2 even = *a + *c, odd = *a - *c, sum = *b + *d, difference = turn(*b - *d);
    *a = even + sum;
    *b = odd + difference;
    *c = even - sum;
    *d = odd - difference;
}

/* Eight points in place, natural order in and out. */
static void fft8(float2 v[8])
{
    const float root = 0.70710678118654752f;
    fft4(&v[0], &v[2], &v[4], &v[6]);
    fft4(&v[1], &v[3], &v[5], &v[7]);
    float2 odd0 = v[1];
    float2 odd1 = multiply(v[3], (float2)(root, -root));
    float2 odd2 = turn(v[5]);
    float2 odd3 = multiply(v[7], (float2)(-root, -root));
    float2 even0 = v[0], even1 = v[2], even2 = v[4], even3 = v[6];
    v[0] = even0 + odd0;
    v[1] = even1 + odd1;
    v[2] = even2 + odd2;
    v[3] = even3 + odd3;
    v[4] = even0 - odd0;
    v[5] = even1 - odd1;
    v[6] = even2 - odd2;
    v[7] = even3 - odd3;
}

/* Pass with `done` points already transformed together (1, 8, 64): autosort, so the values of
 * work-item t belong at (t / done) * done * 8 + t % done + k * done afterwards. */
static void pass(float2 v[8], int t, int done)
{
    if (done > 1) {
        float angle = -6.28318530718f * (float)(t % done) / (float)(8 * done);
        for (int k = 1; k < 8; k++) {
            float turned = angle * (float)k;
            v[k] = multiply(v[k], (float2)(native_cos(turned), native_sin(turned)));
        }
    }
    fft8(v);
}

/* Exchanges real parts, then imaginary parts, as the original does to save local memory. */
static void exchange(float2 v[8], __local float *shared, int t, int done)
{
    int place = t / done * done * 8 + t % done;
    for (int k = 0; k < 8; k++)
        shared[PAD(place + k * done)] = v[k].x;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 8; k++)
        v[k].x = shared[PAD(t + k * ITEMS)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 8; k++)
        shared[PAD(place + k * done)] = v[k].y;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 8; k++)
        v[k].y = shared[PAD(t + k * ITEMS)];
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Volatile so that a point is one load of 8 bytes: if the halves of a float2 are used separately,
 * clang makes two loads, unlike compilers for GPUs. */
__kernel void fft512(volatile __global float2 *point)
{
    __local float shared[PAD(POINTS)];
    float2 v[8];
    int t = get_local_id(0);
    int base = (int)get_group_id(0) * POINTS;

    for (int k = 0; k < 8; k++)
        v[k] = point[base + t + k * ITEMS];
    pass(v, t, 1);
    exchange(v, shared, t, 1);
    pass(v, t, 8);
    exchange(v, shared, t, 8);
    pass(v, t, 64);
    for (int k = 0; k < 8; k++)
        point[base + t + k * ITEMS] = v[k];
}
