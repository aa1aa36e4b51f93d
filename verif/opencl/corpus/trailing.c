/* SPDX-License-Identifier: Apache-2.0
 * ctz, of OpenCL C 2.0, in all types and vectors: the width for 0.
 * Not for PoCL, which does not have it here: the host works the results out. */
#include "corpus.h"
#define EACH(t)                                                                                    \
    "kernel void k_" #t "(global const " #t " *a, global " #t " *o) {\n"                           \
    "  int i = get_global_id(0); size_t n = get_global_size(0);\n"                                 \
    "  o[i] = ctz(a[i]);\n"                                                                        \
    "  vstore2(ctz(vload2(i, a)), i, o + n); vstore3(ctz(vload3(i, a)), i, o + 3 * n);\n"          \
    "  vstore4(ctz(vload4(i, a)), i, o + 6 * n); vstore8(ctz(vload8(i, a)), i, o + 10 * n);\n"     \
    "  vstore16(ctz(vload16(i, a)), i, o + 18 * n); }\n"
static const char src[] =
    EACH(char) EACH(uchar) EACH(short) EACH(ushort) EACH(int) EACH(uint) EACH(long) EACH(ulong);
enum { N = 32 };
static cl_ulong in[16 * N];

/* The bits of element i of a buffer of elements of so many bytes. */
static cl_ulong element(const void *from, int i, size_t bytes)
{
    cl_ulong value = 0;
    memcpy(&value, (const char *)from + (size_t)i * bytes, bytes);
    return value;
}
static int check(struct bench *b, const char *type, size_t bytes)
{
    static const int width[] = {1, 2, 3, 4, 8, 16};
    static cl_ulong out[34 * N];
    char name[16];
    cl_mem from = buffer(b, sizeof(in), in), to = buffer(b, sizeof(out), NULL);
    cl_kernel k;
    int wrong = 0, at = 0;
    snprintf(name, sizeof(name), "k_%s", type);
    k = kernel(b, name);
    arg(k, 0, sizeof(from), &from);
    arg(k, 1, sizeof(to), &to);
    run1(b, k, N, 16);
    fetch(b, to, sizeof(out), out);
    for (int w = 0; w < 6; w++)
        for (int i = 0; i < width[w] * N; i++, at++) {
            cl_ulong value = element(in, i, bytes), zeros = 0;
            while (zeros < 8 * bytes && !(value >> zeros & 1))
                zeros++;
            wrong += element(out, at, bytes) != zeros;
        }
    printf("%s: %d elements, %d wrong\n", type, at, wrong);
    return wrong;
}
int main(void)
{
    static const char *const types[] = {"char", "uchar", "short", "ushort",
                                        "int",  "uint",  "long",  "ulong"};
    struct bench b = open_bench(src, "-cl-std=CL3.0", 0);
    int wrong = 0;
    for (int i = 0; i < 16 * N; i++)
        in[i] = i % 7 == 3 ? 0 : (cl_ulong)(i + 1) * 0x9e3779b97f4a7c15u << i % 64;
    for (int t = 0; t < 8; t++)
        wrong += check(&b, types[t], (size_t)1 << t / 2);
    return wrong != 0;
}
