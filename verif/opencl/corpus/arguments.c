/* SPDX-License-Identifier: Apache-2.0
 * Many arguments, a kilobyte by value, vectors of all widths by value, arguments changed between
 * launches, one buffer twice, null buffers, argument info. */
#include "corpus.h"
typedef struct {
    float m[16][8];
    cl_int tag[64];
    cl_double d;
} big;
static const char src[] =
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "typedef struct { float m[16][8]; int tag[64]; double d; } big;\n"
    "kernel void large(big x, global float *o) { int i = get_global_id(0); o[i] = x.m[i % 16][i % "
    "8] + x.tag[i] + x.d; }\n"
    "kernel void wide(char2 a, uchar3 b, short4 c, ushort8 d, int16 e, uint f, long2 g, float3 h, "
    "double4 k, size_t_ s, global int *o) {\n"
    "  o[0] = a.x + a.y; o[1] = b.x + b.y + b.z; o[2] = c.s3 + c.s0; o[3] = d.s7; o[4] = e.sf + "
    "e.s0; o[5] = f; o[6] = g.y;\n"
    "  o[7] = h.x + h.y * 10 + h.z * 100; o[8] = k.w; o[9] = s; }\n"
    "kernel void many(global int *o, int a0, int a1, int a2, int a3, int a4, int a5, int a6, int "
    "a7, int a8, int a9, int b0, int b1,\n"
    "  int b2, int b3, int b4, int b5, int b6, int b7, int b8, int b9, short c0, uchar c1, long "
    "c2, float c3) {\n"
    "  o[get_global_id(0)] = a0 + a1 * 2 + a2 * 3 + a3 * 4 + a4 * 5 + a5 + a6 + a7 + a8 + a9 * 7 + "
    "b0 + b1 + b2 * 9 + b3 + b4 + b5 + b6 +\n"
    "  b7 + b8 + b9 * 11 + c0 + c1 + (int)c2 + (int)c3; }\n"
    "kernel void alias(global int *a, global const int *b, global int *none) { int i = "
    "get_global_id(0); a[i] = b[i] + 1; if (none) a[i] = 0; }\n"
    "kernel void info(global const float *restrict x, constant int4 *y, local uchar *z, volatile "
    "global uint *w, float2 v, read_only image2d_t im, sampler_t s) { w[0] = 1; }\n";
int main(void)
{
    struct bench b = open_bench(src, "-Dsize_t_=ulong -cl-kernel-arg-info", 0);
    big x;
    float of[64];
    int oi[64];
    for (int i = 0; i < 128; i++)
        (&x.m[0][0])[i] = i * 0.5f;
    for (int i = 0; i < 64; i++)
        x.tag[i] = i * 100;
    x.d = 0.25;
    cl_mem o = buffer(&b, 256, NULL), none = NULL;
    cl_kernel k = kernel(&b, "large");
    arg(k, 0, sizeof(x), &x);
    arg(k, 1, sizeof(o), &o);
    run1(&b, k, 64, 0);
    fetch(&b, o, 256, of);
    printf("%.2f %.2f %.2f\n", of[0], of[17], of[63]);
    k = kernel(&b, "wide");
    cl_char2 a = {{1, 2}};
    cl_uchar3 c = {{3, 4, 5}};
    cl_short4 d = {{6, 0, 0, 7}};
    cl_ushort8 e = {{0, 0, 0, 0, 0, 0, 0, 8}};
    cl_int16 f = {{9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10}};
    cl_uint g = 11;
    cl_long2 h = {{0, 12}};
    cl_float3 l = {{1, 2, 3}};
    cl_double4 m = {{0, 0, 0, 13}};
    cl_ulong s = 14;
    arg(k, 0, sizeof(a), &a);
    arg(k, 1, sizeof(c), &c);
    arg(k, 2, sizeof(d), &d);
    arg(k, 3, sizeof(e), &e);
    arg(k, 4, sizeof(f), &f);
    arg(k, 5, sizeof(g), &g);
    arg(k, 6, sizeof(h), &h);
    arg(k, 7, sizeof(l), &l);
    arg(k, 8, sizeof(m), &m);
    arg(k, 9, sizeof(s), &s);
    arg(k, 10, sizeof(o), &o);
    run1(&b, k, 1, 1);
    fetch(&b, o, 40, oi);
    print_ints("wide", oi, 10);
    k = kernel(&b, "many");
    arg(k, 0, sizeof(o), &o);
    for (int i = 1; i <= 20; i++)
        arg(k, (cl_uint)i, 4, &i);
    cl_short sh = -5;
    cl_uchar uc = 250;
    cl_long lo = -1000;
    float fl = 3.75f;
    arg(k, 21, 2, &sh);
    arg(k, 22, 1, &uc);
    arg(k, 23, 8, &lo);
    arg(k, 24, 4, &fl);
    run1(&b, k, 2, 0);
    int seven = 7000;
    arg(k, 1, 4, &seven);
    run1(&b, k, 1, 0);
    fetch(&b, o, 8, oi);
    print_ints("many", oi, 2);
    k = kernel(&b, "alias");
    arg(k, 0, sizeof(o), &o);
    arg(k, 1, sizeof(o), &o);
    arg(k, 2, sizeof(none), &none);
    run1(&b, k, 2, 0);
    arg(k, 2, sizeof(none), NULL);
    run1(&b, k, 2, 0);
    fetch(&b, o, 8, oi);
    print_ints("alias", oi, 2);
    k = kernel(&b, "info");
    for (cl_uint i = 0; i < 7; i++) {
        char name[32], type[32];
        cl_kernel_arg_address_qualifier space;
        cl_kernel_arg_access_qualifier access;
        cl_kernel_arg_type_qualifier q;
        must(clGetKernelArgInfo(k, i, CL_KERNEL_ARG_NAME, 32, name, NULL), "name");
        must(clGetKernelArgInfo(k, i, CL_KERNEL_ARG_TYPE_NAME, 32, type, NULL), "type");
        must(clGetKernelArgInfo(k, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof(space), &space, NULL),
             "space");
        must(
            clGetKernelArgInfo(k, i, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof(access), &access, NULL),
            "access");
        must(clGetKernelArgInfo(k, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof(q), &q, NULL),
             "qualifier");
        printf("%s %s %x %x %x\n", name, type, space, access,
               (unsigned)(i == 1 ? q & ~CL_KERNEL_ARG_TYPE_CONST : q));
    }
    return 0;
}
