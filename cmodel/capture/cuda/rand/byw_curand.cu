/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of libcurand, which are traced like a program's own.  clang compiles them to PTX when
 * byway is built (cuda.mk).
 *
 * XORWOW is Marsaglia's (Xorshift RNGs, Journal of Statistical Software 8, 2003), Philox4x32-10 is
 * Salmon's and others' (Parallel random numbers: as easy as 1, 2, 3, SC11).
 */
#include "byw_curand_shapes.h"

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define INDEX (__nvvm_read_ptx_sreg_ctaid_x() * BLOCK + __nvvm_read_ptx_sreg_tid_x())
#define SCALE 2.3283064365386963e-10f /* 2^-32 */
#define SCALE_DOUBLE 1.1102230246251565e-16 /* 2^-53 */
#define MRG_SCALE 2.3283065498378288e-10 /* slightly below 1 / MRG_FIRST */
#define MRG_TO_BITS 1.000000048662 /* a factor that spreads its numbers over all 32 bits */
#define LN2 0.693147180559945309f
#define TWO_PI 6.283185307179586477f
#define TWO_PI_DOUBLE 6.283185307179586477
#define SQRT2 1.4142135623730951
#define LN2_HIGH 6.93147180369123816490e-01 /* 33 bits, and the rest */
#define LN2_LOW 1.90821492927058770002e-10

typedef unsigned int word;

static __device__ word next(word *s)
{
    word t = s[0] ^ (s[0] >> 2);

    s[0] = s[1];
    s[1] = s[2];
    s[2] = s[3];
    s[3] = s[4];
    s[4] = (s[4] ^ (s[4] << 4)) ^ (t ^ (t << 1));
    s[5] += 362437;
    return s[4] + s[5];
}

static __device__ double uniform_double(word low, word high)
{
    unsigned long long bits = low ^ ((unsigned long long)high << 21);

    return bits * SCALE_DOUBLE + SCALE_DOUBLE / 2;
}

/* Two numbers of the normal distribution from a uniform number and an angle. */
static __device__ void normal_of(float u, float v, int what, float mean, float deviation,
                                 float *out)
{
    float size = __builtin_sqrtf(-2 * LN2 * __nvvm_lg2_approx_f(u));

    out[0] = mean + deviation * (size * __nvvm_sin_approx_f(v));
    out[1] = mean + deviation * (size * __nvvm_cos_approx_f(v));
    if (what == LOG_NORMAL) {
        out[0] = __nvvm_ex2_approx_f(out[0] / LN2);
        out[1] = __nvvm_ex2_approx_f(out[1] / LN2);
    }
}

static __device__ void normal(word a, word b, int what, float mean, float deviation, float *out)
{
    normal_of(a * SCALE + SCALE / 2, b * (SCALE * TWO_PI) + SCALE * TWO_PI / 2, what, mean,
              deviation, out);
}

/* The natural logarithm of a number in (0, 1]. */
static __device__ double log_of(double x)
{
    long long bits = __builtin_bit_cast(long long, x);
    int power = (int)(bits >> 52) - 1023;
    double m, f, square, sum = 0;

    m = __builtin_bit_cast(double, (bits & 0xfffffffffffffll) | 1023ll << 52);
    if (m > SQRT2) {
        m /= 2;
        power++;
    }
    f = (m - 1) / (m + 1);
    square = f * f;
    for (int k = 25; k > 1; k -= 2)
        sum = (sum + 1.0 / k) * square;
    return power * LN2_HIGH + (power * LN2_LOW + 2 * f * sum + 2 * f);
}

/* Sine and cosine of an angle, which is in whole turns from 0 to 1. */
static __device__ void sine_of(double turns, double *sine, double *cosine)
{
    int quarter = (int)(4 * turns + 0.5);
    double x = (turns - quarter * 0.25) * TWO_PI_DOUBLE, square = x * x, s = 0, c = 0;

    for (int k = 18; k > 0; k -= 2) {
        s = (1 - s) * square / (k * (k + 1));
        c = (1 - c) * square / (k * (k - 1));
    }
    s = x * (1 - s);
    c = 1 - c;
    *sine = quarter & 1 ? c : s;
    *cosine = quarter & 1 ? s : c;
    if (quarter & 2)
        *sine = -*sine;
    if ((quarter + 1) & 2)
        *cosine = -*cosine;
}

static __device__ double exp_of(double x)
{
    int power = (int)(x / LN2_HIGH + (x < 0 ? -0.5 : 0.5));
    double r = (x - power * LN2_HIGH) - power * LN2_LOW, sum = 1;

    if (x > 709.78)
        return __builtin_inf();
    if (x < -708)
        return 0;
    for (int k = 14; k > 0; k--)
        sum = 1 + sum * r / k;
    return sum * __builtin_bit_cast(double, (power - (power > 1000) + 1023ll) << 52) *
           (power > 1000 ? 2 : 1);
}

static __device__ void normal_double(double u, double turns, int what, double mean,
                                     double deviation, double *out)
{
    double size = __builtin_sqrt(-2 * log_of(u)), sine, cosine;

    sine_of(turns, &sine, &cosine);
    out[0] = mean + deviation * (size * sine);
    out[1] = mean + deviation * (size * cosine);
    if (what == LOG_NORMAL_DOUBLE) {
        out[0] = exp_of(out[0]);
        out[1] = exp_of(out[1]);
    }
}

extern "C" {
/* One stream per thread; `first` is the stream of the next number. count: results; for NORMAL,
 * pairs of results. */
__global__ void xorwow(word *state, int first, long count, int what, double mean, double deviation,
                       void *out)
{
    int stream = INDEX;
    word s[STATE];

    for (int i = 0; i < STATE; i++)
        s[i] = state[stream + i * STREAMS];
    for (long i = (stream - first) & (STREAMS - 1); i < count; i += STREAMS) {
        word a = next(s);

        if (what == BITS)
            ((word *)out)[i] = a;
        else if (what == UNIFORM)
            ((float *)out)[i] = a * SCALE + SCALE / 2;
        else if (what == UNIFORM_DOUBLE)
            ((double *)out)[i] = uniform_double(a, next(s));
        else if (what >= NORMAL_DOUBLE) {
            word b = next(s), c = next(s);

            normal_double(uniform_double(a, b), uniform_double(c, next(s)), what, mean, deviation,
                          (double *)out + 2 * i);
        } else
            normal(a, next(s), what, mean, deviation, (float *)out + 2 * i);
    }
    for (int i = 0; i < STATE; i++)
        state[stream + i * STREAMS] = s[i];
}

static __device__ word next_mrg(word *s)
{
    unsigned long long a = (unsigned long long)MRG_A12 * s[1] +
                           (unsigned long long)MRG_A13 * (MRG_FIRST - s[0]);
    unsigned long long b = (unsigned long long)MRG_A21 * s[5] +
                           (unsigned long long)MRG_A23 * (MRG_SECOND - s[3]);
    word x = (word)(a % MRG_FIRST), y = (word)(b % MRG_SECOND);

    s[0] = s[1];
    s[1] = s[2];
    s[2] = x;
    s[3] = s[4];
    s[4] = s[5];
    s[5] = y;
    return x > y ? x - y : x - y + MRG_FIRST;
}

/* As xorwow, for the generator MRG32k3a, whose numbers are 1 to MRG_FIRST. */
__global__ void mrg32k3a(word *state, int first, long count, int what, double mean,
                         double deviation, void *out)
{
    int stream = INDEX;
    word s[STATE];

    for (int i = 0; i < STATE; i++)
        s[i] = state[stream + i * MRG_STREAMS];
    for (long i = (stream - first + MRG_STREAMS) % MRG_STREAMS; i < count; i += MRG_STREAMS) {
        double a = next_mrg(s);

        if (what == BITS)
            ((word *)out)[i] = (word)(a * MRG_TO_BITS);
        else if (what == UNIFORM)
            ((float *)out)[i] = (float)(a * MRG_SCALE);
        else if (what == UNIFORM_DOUBLE)
            ((double *)out)[i] = a * MRG_SCALE;
        else if (what >= NORMAL_DOUBLE)
            normal_double(a * MRG_SCALE, next_mrg(s) * MRG_SCALE, what, mean, deviation,
                          (double *)out + 2 * i);
        else
            normal_of((float)(a * MRG_SCALE), (float)(next_mrg(s) * MRG_SCALE) * TWO_PI, what, mean,
                      deviation, (float *)out + 2 * i);
    }
    for (int i = 0; i < STATE; i++)
        state[stream + i * MRG_STREAMS] = s[i];
}

static __device__ void philox_words(word c0, word c2, unsigned long long seed, word *out)
{
    word c1 = 0, c3 = 0, k0 = (word)seed, k1 = (word)(seed >> 32);

    for (int round = 0; round < 10; round++) {
        unsigned long long a = 0xd2511f53ull * c0, b = 0xcd9e8d57ull * c2;
        word was = c1;

        c0 = (word)(b >> 32) ^ was ^ k0;
        c1 = (word)b;
        c2 = (word)(a >> 32) ^ c3 ^ k1;
        c3 = (word)a;
        k0 += 0x9e3779b9;
        k1 += 0xbb67ae85;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

/* Four results per thread; those in [first, first + count) of the sequence are written, beginning
 * at `out`. */
__global__ void philox(unsigned long long seed, long first, long count, int what, double mean,
                       double deviation, void *out)
{
    long quad = first / 4 + INDEX;
    word x[8], subsequence = quad % SUBSEQUENCES, turn = (word)(quad / SUBSEQUENCES);
    float pair[4];
    double wide[4];

    if (4 * quad >= first + count)
        return;
    if (what == UNIFORM_DOUBLE || what >= NORMAL_DOUBLE) {
        philox_words(2 * turn, subsequence, seed, x);
        philox_words(2 * turn + 1, subsequence, seed, x + 4);
        for (int i = 0; i < 4; i++)
            wide[i] = uniform_double(x[2 * i], x[2 * i + 1]);
        if (what >= NORMAL_DOUBLE) {
            normal_double(wide[0], wide[1], what, mean, deviation, wide);
            normal_double(wide[2], wide[3], what, mean, deviation, wide + 2);
        }
    } else {
        philox_words(turn, subsequence, seed, x);
        if (what >= NORMAL) {
            normal(x[0], x[1], what, mean, deviation, pair);
            normal(x[2], x[3], what, mean, deviation, pair + 2);
        }
    }
    for (int i = 0; i < 4; i++) {
        long at = 4 * quad + i - first;

        if (at < 0 || at >= count)
            continue;
        if (what == BITS)
            ((word *)out)[at] = x[i];
        else if (what == UNIFORM)
            ((float *)out)[at] = x[i] * SCALE + SCALE / 2;
        else if (what == UNIFORM_DOUBLE || what >= NORMAL_DOUBLE)
            ((double *)out)[at] = wide[i];
        else
            ((float *)out)[at] = pair[i];
    }
}
}
