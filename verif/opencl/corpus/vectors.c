/* SPDX-License-Identifier: Apache-2.0
 * Vector types: swizzles, conversions, as_, select, shuffle, vloadn and vstoren, 3-vectors. */
#include "corpus.h"
static const char src[] =
    "kernel void f(global int *o, global const float *x) {\n"
    "  int i = get_global_id(0);\n"
    "  float4 v = vload4(i, x), w = v.wzyx; w.even += v.hi; w.s13 *= 2.0f;\n"
    "  int4 a = convert_int4_sat(w * 1e9f), b = as_int4(v);\n"
    "  uchar4 c = convert_uchar4_sat_rte(v * 40.5f);\n"
    "  short8 s = (short8)(1, 2, 3, 4, 5, 6, 7, i); s = s.s76543210 + (short)i;\n"
    "  int3 t = (int3)(i, i + 1, i + 2); t.xz = t.zx;\n"
    "  float16 m = (float16)(v, w, v + w, v - w); float8 h = m.odd;\n"
    "  uint4 mask = (uint4)(7, 6, 5, 4);\n"
    "  short8 sh = shuffle(s, (ushort8)(0, 2, 4, 6, 1, 3, 5, 7));\n"
    "  int4 sel = select(a, b, v > w);\n"
    "  vstore3(t, i, o);\n"
    "  o[64 + i] = sel.x ^ sel.y ^ sel.z ^ sel.w;\n"
    "  o[80 + i] = c.x + 256 * c.y + 65536 * c.z + (c.w << 24);\n"
    "  o[96 + i] = sh.s0 + 10 * sh.s3 + 100 * sh.s7;\n"
    "  o[112 + i] = (int)(h.s0 + h.s1 + h.s7 * 3) + any(v > w) + 2 * all(v < 100.0f);\n"
    "  o[128 + i] = as_int(as_float(0x3f800000 + i)) + (int)dot(v, w) + mask.s2; }\n";
int main(void)
{
    struct bench b = open_bench(src, "", 0);
    float x[64];
    int o[144];
    for (int i = 0; i < 64; i++)
        x[i] = (float)(i % 13) * 0.5f - 2.0f;
    memset(o, 0, sizeof(o));
    cl_mem out = buffer(&b, sizeof(o), o), in = buffer(&b, sizeof(x), x);
    cl_kernel k = kernel(&b, "f");
    arg(k, 0, sizeof(out), &out);
    arg(k, 1, sizeof(in), &in);
    run1(&b, k, 16, 16);
    fetch(&b, out, sizeof(o), o);
    print_ints("t", o, 48);
    print_ints("sel", o + 64, 80);
    return 0;
}
