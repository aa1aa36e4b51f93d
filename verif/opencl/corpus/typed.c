/* SPDX-License-Identifier: Apache-2.0
 * A type that only the build options name: half arithmetic with -DT=half.
 * Not for PoCL, which does not have it here. */
#include "corpus.h"
static const char src[] = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                          "kernel void f(global const T *a, global T *b, global int *c) {\n"
                          "  int i = get_global_id(0); b[i] = a[i] + a[i]; c[i] = (int)a[i]; }\n";
enum { N = 16 };
int main(void)
{
    struct bench b = open_bench(src, "-cl-std=CL3.0 -DT=half", 0);
    cl_ushort in[N], twice[N];
    cl_int whole[N];
    cl_kernel k = kernel(&b, "f");
    cl_mem from, to = buffer(&b, sizeof(twice), NULL), ints = buffer(&b, sizeof(whole), NULL);
    for (int i = 0; i < N; i++)
        in[i] = (cl_ushort)(0x3c00 + 0x200 * i); /* 1, 1.5, 2, 3, 4, 6 ... */
    from = buffer(&b, sizeof(in), in);
    arg(k, 0, sizeof(from), &from);
    arg(k, 1, sizeof(to), &to);
    arg(k, 2, sizeof(ints), &ints);
    run1(&b, k, N, 8);
    fetch(&b, to, sizeof(twice), twice);
    fetch(&b, ints, sizeof(whole), whole);
    for (int i = 0; i < N; i++)
        printf("%d %d\n", twice[i] - in[i], whole[i]);
    return 0;
}
