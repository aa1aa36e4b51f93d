/* SPDX-License-Identifier: Apache-2.0
 * Constant memory: tables of several dimensions and structs at program scope, pointers to them,
 * constant buffers, strings; tables in functions; a byte substitution as ciphers do it. */
#include "corpus.h"
static const char src[] =
    "typedef struct { int key; float weight; char tag[4]; } row;\n"
    "__constant int grid[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};\n"
    "constant row rows[] = {{1, 0.5f, \"ab\"}, {2, 1.5f, \"cd\"}, {3, 2.5f, \"ef\"}};\n"
    "constant float pi = 3.14159265f, e[2] = {2.718f, 7.389f};\n"
    "constant float4 basis = (float4)(1, 2, 3, 4);\n"
    "constant uchar box[16] = {0xc, 5, 6, 0xb, 9, 0, 0xa, 0xd, 3, 0xe, 0xf, 8, 4, 7, 1, 2};\n"
    "__constant const uint *constant where = (constant uint *)0;\n"
    "int pick(constant int *p, int i) { return p[i]; }\n"
    "float mean(constant float *w, int n) { float s = 0; for (int i = 0; i < n; i++) s += w[i]; "
    "return s / n; }\n"
    "kernel void f(global float *o, constant float *w, constant row *r, int n) {\n"
    "  int i = get_global_id(0); constant int *p = grid[i % 3]; constant row *q = i & 1 ? rows : "
    "r;\n"
    "  const float half_[3] = {0.5f, 0.25f, 0.125f};\n"
    "  float x = pick(p, i & 3) + pick(&grid[0][0], i % 12) * 100 + q[i % 2].key * 10000 + q[i % "
    "2].weight + q[1].tag[i & 1];\n"
    "  x += mean(w, n) + (i == 5 ? pi : e[i & 1]) + half_[i % 3] + basis.w; uint s = 0x12345678u + "
    "i;\n"
    "  for (int k = 0; k < 4; k++) { uint t = 0; for (int j = 0; j < 8; j++) t |= box[(s >> 4 * j) "
    "& 15] << 4 * j; s = rotate(t, 11u); }\n"
    "  o[i] = x; ((global uint *)o)[16 + i] = s; if (where != 0) o[0] = 0;\n}\n";
int main(void)
{
    struct bench b = open_bench(src, NULL, 0);
    struct {
        int key;
        float weight;
        char tag[4];
    } r[2] = {{7, 0.75f, "gh"}, {8, 1.25f, "ij"}};
    float w[5] = {1, 2, 3, 4, 5};
    union {
        float f;
        unsigned u;
    } o[32];
    int n = 5;
    cl_mem mo = buffer(&b, sizeof(o), NULL), mw = buffer(&b, sizeof(w), w),
           mr = buffer(&b, sizeof(r), r);
    cl_kernel k = kernel(&b, "f");
    arg(k, 0, sizeof(mo), &mo);
    arg(k, 1, sizeof(mw), &mw);
    arg(k, 2, sizeof(mr), &mr);
    arg(k, 3, sizeof(n), &n);
    run1(&b, k, 16, 4);
    fetch(&b, mo, sizeof(o), o);
    for (int i = 0; i < 16; i++)
        printf("%.2f %08x\n", o[i].f, o[16 + i].u);
    return 0;
}
