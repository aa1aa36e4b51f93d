/* SPDX-License-Identifier: Apache-2.0
 * The C of kernels: inline functions, kernels that call kernels, prototypes, goto, switch, macros,
 * unroll hints, enums, initialisers, function-scope constants, ternaries on vectors. */
#include "corpus.h"
static const char src[] =
    "#define SQ(x) ((x) * (x))\n#define CAT(a, b) a##b\n#define STR(x) #x\n"
    "enum color { RED, GREEN = 5, BLUE };\n"
    "typedef struct { uchar a, b; int c; } bits;\n"
    "int later(int x, int y);\n"
    "inline int fast(int x) { return x * 3; }\n"
    "static inline int faster(int x) { return fast(x) + 1; }\n"
    "__inline int fastest(int x) { return faster(x) ^ 1; }\n"
    "__attribute__((always_inline)) int always(int x) { return x - 7; }\n"
    "__attribute__((noinline)) int never(global int *p, int i) { return p[i] * 2; }\n"
    "int collatz(int n) { int s = 0; while (n != 1) { n = n & 1 ? 3 * n + 1 : n / 2; s++; } return "
    "s; }\n"
    "void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }\n"
    "kernel void inner(global int *o, int v) { o[get_global_id(0)] += v; }\n"
    "__kernel __attribute__((vec_type_hint(int4))) __attribute__((work_group_size_hint(8, 1, 1)))\n"
    "void f(global int *o, global const int *in) {\n"
    "  const int table[4] = {1, 10, 100, 1000}; int x = in[get_global_id(0)], r = 0, i = "
    "get_global_id(0);\n"
    "  __constant char *name = \"kernel\"; bits z = {5, 17, -3}; int m[2][3] = {{1, 2, 3}, {4, 5, "
    "6}};\n"
    "  switch (x & 7) { case 0: r = RED; break; case 1: r += GREEN; case 2: r += BLUE; break;\n"
    "    case 3: case 4: { r = SQ(x); break; } default: r = -1; }\n"
    "again: r += table[x & 3]; if (r < 50) goto again;\n"
    "#pragma unroll\n  for (int k = 0; k < 4; k++) r += CAT(ta, ble)[k] & k;\n"
    "  __attribute__((opencl_unroll_hint(2))) for (int k = 0; k < 5; k++) { if (k == 3) continue; "
    "r ^= k << 2; }\n"
    "  int a = r, c = x; swap(&a, &c); r = a * 2 + c; do { r -= 3; } while (r > 500);\n"
    "  r += fastest(x) + always(x) + later(x, r) + collatz(x + 1) + name[i % 6] + z.a * z.b + z.c "
    "+ m[x & 1][x % 3];\n"
    "  r += never(o, i); int2 v = (int2)(r, x); v = v > 10 ? v : -v; r = v.x + v.y, r += "
    "sizeof(bits);\n"
    "  o[i] = r; inner(o, 10000); r = (i, 3); o[i] += r; { int r = 9; o[i] += r; }\n"
    "  if (get_global_id(1) != 0 || get_global_size(2) != 1) return; o[i] += 'a' + 0x10 + 010 + "
    "1e1f;\n}\n"
    "int later(int x, int y) { return x > y ? x - y : y - x; }\n";
int main(void)
{
    int in[64], out[64];
    for (int i = 0; i < 64; i++)
        in[i] = i * 7 % 31;
    struct bench b = open_bench(src, "-cl-std=CL1.2", 0);
    memset(out, 0, sizeof(out));
    cl_mem o = buffer(&b, sizeof(out), out), m = buffer(&b, sizeof(in), in);
    cl_kernel k = kernel(&b, "f");
    arg(k, 0, sizeof(o), &o);
    arg(k, 1, sizeof(m), &m);
    run1(&b, k, 64, 16);
    fetch(&b, o, sizeof(out), out);
    print_ints("f", out, 64);
    return 0;
}
