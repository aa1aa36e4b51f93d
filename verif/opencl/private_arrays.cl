/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels with private arrays for t_private_arrays.sh. In those whose names start with `kept` an
 * index is known only at run time, so the array is in memory on a GPU as well; in all others,
 * unrolled loops leave registers only.
 */
void neighbours(uint n, uint *at)
{
    at[0] = n;
    for (uint i = 1; i < 19; i++)
        at[i] = (n * 3 + i * 64) & 4095;
}

void collide(float *h, float rho, float omega)
{
    for (uint i = 0; i < 19; i++)
        h[i] = fma(1.0f - omega, h[i], omega * rho * (i == 0 ? 0.333f : i < 7 ? 0.0556f : 0.0278f));
}

kernel void lattice(global float *a, global float *b)
{
    uint n = get_global_id(0), at[19];
    float h[19], rho = 0.0f;

    neighbours(n, at);
    for (uint i = 0; i < 19; i++)
        h[i] = a[at[i]];
    for (uint i = 0; i < 19; i++)
        rho += h[i];
    collide(h, rho, 0.7f);
    for (uint i = 0; i < 19; i++)
        b[(n * 19 + i) & 4095] = h[i] * rho;
}

kernel void nine(global float *a, global float *b)
{
    uint n = get_global_id(0);
    float h[9], r = 0.0f;

    for (uint i = 0; i < 9; i++)
        h[i] = a[(n + i * 64) & 4095];
    for (uint i = 0; i < 9; i++)
        r += h[i];
    for (uint i = 0; i < 9; i++)
        b[(n * 9 + i) & 4095] = h[i] * r;
}

kernel void tile(global float *a, global float *b, int n)
{
    uint x = get_global_id(0);
    float4 sum[4];

    for (int i = 0; i < 4; i++)
        sum[i] = 0.0f;
    for (int k = 0; k < n; k++) {
        float4 left[4], right = vload4((x + k) & 1023, b);

        for (int i = 0; i < 4; i++)
            left[i] = vload4((x * 4 + i + k) & 1023, a);
        for (int i = 0; i < 4; i++)
            sum[i] += left[i] * right;
    }
    for (int i = 0; i < 4; i++)
        vstore4(sum[i], (x * 4 + i) & 1023, b);
}

kernel void cube(global float *a, global float *b)
{
    uint n = get_global_id(0);
    float h[3][3][3], r = 0.0f;

    for (int z = 0; z < 3; z++)
        for (int y = 0; y < 3; y++)
            for (int x = 0; x < 3; x++)
                h[z][y][x] = a[(n + x + 16 * y + 256 * z) & 4095];
    for (int z = 0; z < 3; z++)
        for (int y = 0; y < 3; y++)
            for (int x = 0; x < 3; x++)
                r += h[z][y][x] * h[2 - z][2 - y][2 - x];
    b[n & 4095] = r;
}

kernel void rounds(global uint *a, global uint *b)
{
    uint n = get_global_id(0), w[64], s = n;

    for (int i = 0; i < 16; i++)
        w[i] = a[(n * 16 + i) & 4095];
    for (int i = 16; i < 64; i++)
        w[i] = w[i - 16] + (rotate(w[i - 15], 25u) ^ w[i - 7]) + rotate(w[i - 2], 15u);
    for (int i = 0; i < 64; i++)
        s = rotate(s, 5u) + (w[i] ^ s);
    b[n & 4095] = s;
}

kernel void kept_choice(global float *a, global float *b)
{
    uint n = get_global_id(0);
    float h[4];

    for (uint i = 0; i < 4; i++)
        h[i] = a[(n + i * 64) & 4095];
    b[n & 4095] = h[n & 3];
}

kernel void kept_stack(global int *a, global int *b, int n)
{
    int stack[16], top = 0, sum = 0;

    stack[top++] = a[get_global_id(0) & 4095];
    for (int i = 0; i < n && top > 0; i++) {
        int v = stack[--top];

        sum += v;
        if (v & 1 && top < 14) {
            stack[top++] = v >> 1;
            stack[top++] = v >> 2;
        }
    }
    b[get_global_id(0) & 4095] = sum;
}
