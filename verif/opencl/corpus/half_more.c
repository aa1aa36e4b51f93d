/* SPDX-License-Identifier: Apache-2.0
 * Half conversions in every rounding, doubles rounded once, and functions of scalars and vectors
 * with scalar edges or a second result.
 * Not for PoCL, which has no half arithmetic here: the host works the results out. */
#include "corpus.h"
#include <math.h>
#define TEXT(...) #__VA_ARGS__
static const char src[] = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" TEXT(
    kernel void narrow(global const double *a, global half *o) {
        int i = get_global_id(0), n = get_global_size(0);
        float f = (float)a[i];
        o[i] = convert_half_rtz(f);
        o[n + i] = convert_half_rtp(f);
        o[2 * n + i] = convert_half_rtn(f);
        o[3 * n + i] = convert_half(a[i]);
        o[4 * n + i] = convert_half_rtz(a[i]);
        o[5 * n + i] = convert_half_rtp((int)a[i]);
        vstore2(convert_half2_rtn((float2)(f, -f)), i, o + 6 * n);
    } kernel void more(global const half *a, global half *o) {
        int i = get_global_id(0), n = get_global_size(0), power;
        half x = a[i], whole;
        half2 both = (half2)(x, -x), seconds;
        o[i] = convert_short_rtp(x);
        o[n + i] = convert_int_sat_rtn(x);
        o[2 * n + i] = smoothstep((half)-1.0h, (half)3.0h, both).x;
        o[3 * n + i] = step((half)0.5h, both).y;
        o[4 * n + i] = fract(x, &whole);
        o[5 * n + i] = whole;
        o[6 * n + i] = frexp(x, &power);
        o[7 * n + i] = power;
        o[8 * n + i] = modf(both, &seconds).y;
        o[9 * n + i] = seconds.x;
        o[10 * n + i] = ldexp(both, 3).y;
        o[11 * n + i] = nextafter(x, (half)60000);
        o[12 * n + i] = isordered(x, x) + ilogb(x);
    });
enum { N = 192 };
static double in[N];
static unsigned short a[N], o[13 * N];
static int wrong;
static double of_half(unsigned short h)
{
    int e = h >> 10 & 31, f = h & 1023;
    double v = e == 0 ? ldexp(f, -24) : e == 31 ? INFINITY : ldexp(1024 + f, e - 25);
    return h & 0x8000 ? -v : v;
}
/* Rounds to half: 0 to nearest, 1 to zero, 2 up, 3 down. */
static double to(double v, int mode)
{
    double m = fabs(v), f;
    int e;
    if (mode == 2)
        mode = v < 0 ? 1 : 4;
    else if (mode == 3)
        mode = v < 0 ? 4 : 1; /* 4: away from zero */
    if (mode == 0 ? m >= 65520 : m > 65504)
        return copysign(mode == 1 ? 65504 : INFINITY, v);
    frexp(m, &e);
    e = e < -13 ? -13 : e;
    f = ldexp(m, 11 - e);
    f = mode == 0 ? nearbyint(f) : mode == 1 ? floor(f) : ceil(f);
    return copysign(ldexp(f, e - 11), v);
}
static void expect(const char *what, int i, int at, double want)
{
    double got = of_half(o[at]);
    if (!(got == want) && wrong++ < 10)
        printf("%s of %g: %g, not %g\n", what, in[i], got, want);
}
static void check_narrow(void)
{
    for (int i = 0; i < N; i++) {
        float f = (float)in[i];
        for (int k = 1; k < 4; k++)
            expect("float", i, (k - 1) * N + i, to(f, k));
        expect("double", i, 3 * N + i, to(in[i], 0));
        expect("double to zero", i, 4 * N + i, to(in[i], 1));
        expect("int", i, 5 * N + i, to(trunc(in[i]), 2));
        expect("pair", i, 6 * N + 2 * i, to(f, 3));
        expect("pair", i, 6 * N + 2 * i + 1, to(-f, 3));
    }
}
static void check_more(void)
{
    for (int i = 0; i < N; i++) {
        double x = of_half(a[i]), s = (x + 1) / 4, whole, rest;
        int power;
        s = s < 0 ? 0 : s > 1 ? 1 : s;
        in[i] = x;
        expect("ceiling", i, i, to(ceil(x), 0));
        expect("floor", i, N + i, to(floor(x), 0));
        expect("smoothstep", i, 2 * N + i, to(s * s * (3 - 2 * s), 0));
        expect("step", i, 3 * N + i, -x < 0.5 ? 0 : 1);
        expect("fract", i, 4 * N + i, to(x - floor(x) > 0.9995 ? 0.99951171875 : x - floor(x), 0));
        expect("its floor", i, 5 * N + i, floor(x));
        rest = frexp(x, &power);
        expect("frexp", i, 6 * N + i, rest);
        expect("its power", i, 7 * N + i, power);
        rest = modf(x, &whole);
        expect("modf", i, 8 * N + i, -rest);
        expect("its whole", i, 9 * N + i, whole);
        expect("ldexp", i, 10 * N + i, to(-x * 8, 0));
        expect("next", i, 11 * N + i,
               of_half((unsigned short)(a[i] & 0x8000 ? a[i] - 1 : a[i] + 1)));
        expect("exponent", i, 12 * N + i, 1 + ilogb(x));
    }
}
int main(void)
{
    struct bench b = open_bench(src, "-cl-fp32-correctly-rounded-divide-sqrt", 0);
    cl_kernel k = kernel(&b, "narrow");
    cl_mem from, to_ = buffer(&b, sizeof(o), NULL);

    for (int i = 0; i < N; i++) { /* ties, next to ties, ends of the ranges */
        double half = ldexp(1024 + i * 37 % 1024, i % 36 - 34);
        in[i] = (i % 2 ? -1 : 1) * (i % 3 == 0 ? half : half * (1 + ldexp(1, -11)));
        if (i % 3 == 2)
            in[i] *= 1 + (i % 4 < 2 ? 1 : -1) * ldexp(1, -40); /* a float cannot tell */
        a[i] = (unsigned short)((i % 2) << 15 | (1u + i % 24) << 10 | (unsigned)(i * 53 % 1023));
    }
    in[0] = 65519.99, in[1] = -65520, in[2] = 70000, in[3] = -1e6, in[4] = 0;
    from = buffer(&b, sizeof(in), in);
    arg(k, 0, sizeof(from), &from);
    arg(k, 1, sizeof(to_), &to_);
    run1(&b, k, N, 32);
    fetch(&b, to_, sizeof(o), o);
    check_narrow();
    printf("conversions: %d wrong\n", wrong);
    wrong = 0;
    from = buffer(&b, sizeof(a), a);
    k = kernel(&b, "more");
    arg(k, 0, sizeof(from), &from);
    arg(k, 1, sizeof(to_), &to_);
    run1(&b, k, N, 32);
    fetch(&b, to_, sizeof(o), o);
    check_more();
    printf("functions: %d wrong\n", wrong);
    return 0;
}
