/* SPDX-License-Identifier: Apache-2.0
 * Integer built-ins, long and ulong, shifts, rotations, mad_hi, 24-bit. */
#include "corpus.h"
static const char src[] =
    "kernel void f(global long *o) {\n"
    "  int i = get_global_id(0); uint u = i * 2654435761u; long l = (long)((ulong)u * u); int s = "
    "(int)u;\n"
    "  global long *r = o + 16 * i;\n"
    "  r[0] = mul_hi(u, 77u); r[1] = mad_hi(s, 5, 6); r[2] = mad24(i, 3, 4) + mul24(i, -7);\n"
    "  r[3] = rotate(u, 7u); r[4] = clz(u) + popcount(u); r[5] = abs(s) + abs_diff(s, 100);\n"
    "  r[6] = add_sat(s, 2000000000) + (long)sub_sat(s, 2000000000); r[7] = hadd(s, 7) + rhadd(s, "
    "8);\n"
    "  r[8] = upsample((int)5, u); r[9] = l / (i + 1) + l % (i + 3); r[10] = (ulong)l >> (i & "
    "63);\n"
    "  r[11] = bitselect(u, ~u, 0xff00ff00u); r[12] = max(s, 3) - min(s, -3) + clamp(s, -9, 9);\n"
    "  r[13] = mul_hi(l, l) + mad_sat(s, s, s); r[14] = (char)s + (uchar)s + (short)s + "
    "(ushort)s;\n"
    "  r[15] = convert_long(convert_double(l)) + convert_char_sat(s) + convert_ulong_sat(-1.5f); "
    "}\n";
int main(void)
{
    struct bench b = open_bench(src, "-cl-std=CL1.2 -w", 0);
    cl_long o[512];
    cl_mem out = buffer(&b, sizeof(o), NULL);
    cl_kernel k = kernel(&b, "f");
    arg(k, 0, sizeof(out), &out);
    run1(&b, k, 32, 8);
    fetch(&b, out, sizeof(o), o);
    for (int i = 0; i < 512; i += 16)
        for (int j = 0; j < 16; j++)
            printf("%lld%c", (long long)o[i + j], j == 15 ? '\n' : ' ');
    return 0;
}
