/* SPDX-License-Identifier: Apache-2.0
 * Integers to float, rounded to zero, up and down, alone and in vectors.
 * Not for PoCL, whose libclc rounds to nearest next to powers of two: the host works the results
 * out. */
#include "corpus.h"
#include <math.h>
#define EACH(t)                                                                                    \
    "kernel void k_" #t "(global const " #t " *a, global float *o) {\n"                            \
    "  int i = get_global_id(0); size_t n = 3 * get_global_size(0);\n"                             \
    "  for (int k = 3 * i; k < 3 * i + 3; k++) {\n"                                                \
    "    o[k] = convert_float_rtz(a[k]); o[n + k] = convert_float_rtp(a[k]);\n"                    \
    "    o[2 * n + k] = convert_float_rtn(a[k]); }\n"                                              \
    "  vstore3(convert_float3_rtz(vload3(i, a)), i, o + 3 * n);\n"                                 \
    "  vstore3(convert_float3_rtp(vload3(i, a)), i, o + 4 * n);\n"                                 \
    "  vstore3(convert_float3_rtn(vload3(i, a)), i, o + 5 * n); }\n"
static const char src[] = EACH(int) EACH(uint) EACH(long) EACH(ulong);
enum { N = 128, M = 3 * N };
static cl_ulong in[M];
static float out[6 * M];

static float rounded(long double x, int mode)
{
    float f = (float)x; /* rounded to nearest */
    int up = mode == 1 || (mode == 0 && x < 0);

    if (up && f < x)
        return nextafterf(f, INFINITY);
    return !up && f > x ? nextafterf(f, -INFINITY) : f;
}
static long double number(int type, int i)
{
    cl_uint half;
    memcpy(&half, (const char *)in + 4 * (size_t)i, 4);
    return type == 0   ? (long double)(cl_int)half
           : type == 1 ? (long double)half
           : type == 2 ? (long double)(cl_long)in[i]
                       : (long double)in[i];
}
int main(void)
{
    static const char *const names[] = {"k_int", "k_uint", "k_long", "k_ulong"};
    struct bench b = open_bench(src, "-w", 0);
    cl_mem from, to = buffer(&b, sizeof(out), NULL);

    for (int i = 0; i < M; i++) { /* next to powers of two, ends of the ranges, any others */
        cl_ulong power = 1ull << i % 64;
        in[i] = i < 64    ? power - 1
                : i < 128 ? -power + 1
                : i < 192 ? power | power >> 24 | 1
                          : i * 0x9e3779b97f4a7c15ull;
    }
    in[M - 1] = 0;
    in[M - 2] = 0x7ffffffd7ffffffdull;
    in[M - 3] = 0x8000000080000001ull;
    from = buffer(&b, sizeof(in), in);
    for (int t = 0; t < 4; t++) {
        cl_kernel k = kernel(&b, names[t]);
        int wrong = 0;
        arg(k, 0, sizeof(from), &from);
        arg(k, 1, sizeof(to), &to);
        run1(&b, k, N, 32);
        fetch(&b, to, sizeof(out), out);
        for (int i = 0; i < 6 * M; i++)
            wrong += out[i] != rounded(number(t, i % M), i / M % 3);
        printf("%s: %d wrong\n", names[t], wrong);
    }
    return 0;
}
