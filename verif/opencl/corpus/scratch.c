/* SPDX-License-Identifier: Apache-2.0
 * Scratchpad in every form: pointers handed down, structs, unions and vectors in it, arrays in
 * several kernels, one buffer cut up by hand, double buffering, volatile without barriers in a warp
 * of one, private arrays indexed by data. */
#include "corpus.h"
static const char src[] =
    "typedef struct { int a; float4 v; } cell;\n"
    "int sum(local int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }\n"
    "void put(local cell *c, int i, float x) { c[i].a = i; c[i].v = (float4)(x, x + 1, x + 2, x + "
    "3); }\n"
    "void rotate_left(local float *dst, local const float *src, int l, int n) { dst[l] = src[(l + "
    "1) % n]; }\n"
    "kernel void f(global int *o, local uchar *raw, global const int *in) {\n"
    "  int l = get_local_id(0), n = get_local_size(0), g = get_group_id(0);\n"
    "  local int *ints = (local int *)raw; local short *shorts = (local short *)(raw + 4 * n);\n"
    "  local cell cells[32]; local union { float f[32]; uint u[32]; } both; local int2 "
    "pairs[4][8];\n"
    "  local float ping[2][32]; int priv[16]; volatile local int flag;\n"
    "  ints[l] = in[g * n + l]; shorts[l] = -l; put(cells, l, l * 0.5f); both.f[l] = l; pairs[l / "
    "8][l % 8] = (int2)(l, -l);\n"
    "  ping[0][l] = l; if (l == 0) flag = 0;\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (int k = 0; k < 5; k++) { rotate_left(ping[(k + 1) & 1], ping[k & 1], l, n); "
    "barrier(CLK_LOCAL_MEM_FENCE); }\n"
    "  for (int k = 0; k < 16; k++) priv[(k * 7 + l) & 15] = ints[k] + k;\n"
    "  for (int k = 1; k < 16; k++) { int v = priv[k], j = k - 1; while (j >= 0 && priv[j] > v) { "
    "priv[j + 1] = priv[j]; j--; } priv[j + 1] = v; }\n"
    "  int r = sum(ints, n) + shorts[(l + 3) % n] + cells[n - 1 - l].a + (int)cells[l ^ 1].v.w + "
    "(int)(both.u[l] >> 23);\n"
    "  r += pairs[l % 4][l / 4].y + (int)ping[1][l] + priv[l & 15] * 1000; o[g * n + l] = r;\n}\n"
    "kernel void g(global int *o) { local int t[64]; local int *p = t + 32; int l = "
    "get_local_id(0); t[l] = l; p[l] = l * l;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE); o[get_global_id(0)] = t[63 - l] + vload2(0, t).y; }\n";
int main(void)
{
    struct bench b = open_bench(src, NULL, 0);
    int in[128], out[128];
    for (int i = 0; i < 128; i++)
        in[i] = i * 37 % 101;
    cl_mem o = buffer(&b, sizeof(out), NULL), m = buffer(&b, sizeof(in), in);
    cl_kernel k = kernel(&b, "f"), g = kernel(&b, "g");
    arg(k, 0, sizeof(o), &o);
    arg(k, 1, 6 * 32, NULL);
    arg(k, 2, sizeof(m), &m);
    run1(&b, k, 128, 32);
    fetch(&b, o, sizeof(out), out);
    print_ints("f", out, 128);
    arg(g, 0, sizeof(o), &o);
    run1(&b, g, 64, 32);
    fetch(&b, o, 256, out);
    print_ints("g", out, 64);
    return 0;
}
