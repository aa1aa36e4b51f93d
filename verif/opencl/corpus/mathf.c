/* SPDX-License-Identifier: Apache-2.0
 * Built-in functions of float and double, to few digits. */
#include "corpus.h"
static const char src[] =
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "kernel void f(global float *o, global const float *in) {\n"
    "  int i = get_global_id(0); float x = in[i], y, *p = &y; int e; global float *r = o + 40 * "
    "i;\n"
    "  r[0] = sin(x); r[1] = cos(x); r[2] = tan(x); r[3] = exp(x); r[4] = log(x); r[5] = sqrt(x);\n"
    "  r[6] = rsqrt(x); r[7] = pow(x, 1.5f); r[8] = fmod(x, 0.3f); r[9] = atan2(x, 2.0f);\n"
    "  r[10] = sinh(x); r[11] = tanh(x); r[12] = erf(x); r[13] = tgamma(x); r[14] = cbrt(x);\n"
    "  r[15] = native_sin(x); r[16] = half_sqrt(x); r[17] = fract(x, p) + y; r[18] = modf(x, p) + "
    "y;\n"
    "  r[19] = frexp(x, &e) + e; r[20] = ldexp(x, 3); r[21] = sincos(x, p) * y; r[22] = hypot(x, "
    "1);\n"
    "  r[23] = fma(x, x, 1); r[24] = mix(x, 2.0f, 0.25f); r[25] = smoothstep(0.0f, 3.0f, x);\n"
    "  r[26] = step(1.0f, x); r[27] = clamp(x, 0.5f, 1.5f); r[28] = length((float3)(x, 1, 2));\n"
    "  r[29] = normalize((float4)(x, 1, 2, 3)).x; r[30] = cross((float3)(x, 1, 2), (float3)(1, x, "
    "3)).y;\n"
    "  r[31] = distance((float2)(x, 1), (float2)(3, 4)); r[32] = asin(x / 4); r[33] = exp2(x);\n"
    "  r[34] = log2(x) + log10(x) + log1p(x); r[35] = rint(x) + round(x) + trunc(x) + floor(x) + "
    "ceil(x);\n"
    "  r[36] = (float)(sin((double)x) + exp((double)x) + pow((double)x, 2.5) + sqrt((double)x));\n"
    "  r[37] = nextafter(x, 10.0f) > x; r[38] = isnan(x) + 2 * isinf(1 / (x - x)) + signbit(-x);\n"
    "  r[39] = degrees(x) + radians(x) + sign(-x) + fmax(x, 1) + fmin(x, 1) + fdim(x, 1) + "
    "maxmag(x, -2.0f); }\n";
int main(void)
{
    struct bench b = open_bench(src, NULL, 0);
    float x[4] = {0.25f, 0.75f, 1.5f, 2.25f}, o[160];
    cl_mem out = buffer(&b, sizeof(o), NULL), in = buffer(&b, sizeof(x), x);
    cl_kernel k = kernel(&b, "f");
    arg(k, 0, sizeof(out), &out);
    arg(k, 1, sizeof(in), &in);
    run1(&b, k, 4, 0);
    fetch(&b, out, sizeof(o), o);
    for (int i = 0; i < 160; i++)
        printf("%d %.4g\n", i, (double)o[i]);
    return 0;
}
