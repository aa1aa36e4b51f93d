/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of libcublas, which are traced like a program's own.  clang compiles them to PTX when
 * byway is built (cuda.mk).
 */
#include "byw_cublas_shapes.h"

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define THREAD_X __nvvm_read_ptx_sreg_tid_x()
#define THREAD_Y __nvvm_read_ptx_sreg_tid_y()
#define BLOCK_X __nvvm_read_ptx_sreg_ctaid_x()
#define BLOCK_Y __nvvm_read_ptx_sreg_ctaid_y()
#define BLOCK_Z __nvvm_read_ptx_sreg_ctaid_z()
#define BLOCKS_X __nvvm_read_ptx_sreg_nctaid_x()
#define INDEX (BLOCK_X * REDUCE + THREAD_X)


/* bfloat16: the upper half of a single-precision number. */
struct bfloat {
    unsigned short bits;

    bfloat() = default;
    __device__ bfloat(float value)
    {
        unsigned word = __builtin_bit_cast(unsigned, value);

        bits = (word & 0x7fffffff) > 0x7f800000 ? 0x7fff
                                                : (word + 0x7fff + (word >> 16 & 1)) >> 16;
    }
    __device__ operator float() const
    {
        return __builtin_bit_cast(float, (unsigned)bits << 16);
    }
};

/* Eight bits: e4m3 or, with `wide`, e5m2. */
struct quarter {
    unsigned char bits;

    quarter() = default;
    /* Rounds to the nearest, ties to even; what is too large becomes the largest number. */
    __device__ quarter(float value, int wide)
    {
        unsigned word = __builtin_bit_cast(unsigned, value), sign = word >> 24 & 0x80;
        int shift = wide ? 21 : 20, bias = wide ? 112 : 120;
        float large = wide ? 57344 : 448, small = wide ? 1.f / 16384 : 1.f / 64;
        float size = __builtin_bit_cast(float, word & 0x7fffffff);

        if (size != size) {
            bits = 0x7f;
            return;
        }
        size = size > large ? large : size;
        if (size < small) /* the sum's last bit has the weight of the smallest subnormal number */
            word = __builtin_bit_cast(unsigned, size + (wide ? 128.f : 16384.f)) -
                   __builtin_bit_cast(unsigned, wide ? 128.f : 16384.f);
        else {
            word = __builtin_bit_cast(unsigned, size);
            word = (word + (1u << (shift - 1)) - 1 + (word >> shift & 1)) >> shift;
            word -= (unsigned)bias << (23 - shift);
        }
        bits = sign | word;
    }
    __device__ float value(int wide) const
    {
        int shift = wide ? 21 : 20;
        unsigned sign = (unsigned)(bits & 0x80) << 24, size = bits & 0x7f;
        float scale = wide ? 0x1p112f : 0x1p120f;

        if (wide ? size > 0x7b : size == 0x7f) /* infinity of e5m2, NaN */
            return __builtin_bit_cast(float, sign | (wide && size == 0x7c ? 0x7f800000 : 0x7fc00000));
        return __builtin_bit_cast(float, sign | __builtin_bit_cast(unsigned, __builtin_bit_cast(float, size << shift) * scale));
    }
};

template <class T> struct alignas(2 * sizeof(T)) complex {
    T x, y;

    complex() = default;
    __device__ complex(T real, T imaginary = 0) : x(real), y(imaginary)
    {
    }
    __device__ complex operator*(complex o) const
    {
        return complex(x * o.x - y * o.y, x * o.y + y * o.x);
    }
    __device__ void operator*=(complex o)
    {
        *this = *this * o;
    }
    __device__ void operator+=(complex o)
    {
        x += o.x;
        y += o.y;
    }
    __device__ bool operator!=(complex o) const
    {
        return x != o.x || y != o.y;
    }
};

template <class T> static __device__ T conjugate(T value)
{
    return value;
}
template <class T> static __device__ complex<T> conjugate(complex<T> value)
{
    return complex<T>(value.x, -value.y);
}

template <class T> static __device__ T finished(T value, int)
{
    return value;
}
static __device__ double finished(double value, int how)
{
    return how == RELU && !(value > 0) ? 0 : value;
}
/* GELU by the hyperbolic tangent, 1 - 2 / (1 + e^2t). */
static __device__ float finished(float value, int how)
{
    float t = 0.7978845608f * (value + 0.044715f * value * value * value);

    if (how == GELU)
        return value - value / (1 + __nvvm_ex2_approx_f(2.885390082f * t));
    return how == RELU && !(value > 0) ? 0 : value;
}

template <class SUM, class T> static __device__ SUM value_of(T x, int)
{
    return (SUM)x;
}
template <class SUM> static __device__ SUM value_of(quarter x, int kind)
{
    return x.value(kind & E5M2);
}

template <class SUM, class T>
static __device__ SUM element(const T *a, long ld, int trans, int kind, int i, int j)
{
    int r = trans ? j : i, c = trans ? i : j, lower = kind & LOWER;

    if ((kind & SYMMETRIC) && (lower ? r < c : r > c)) {
        int t = r;

        r = c;
        c = t;
    }
    if ((kind & TRIANGLE) && (lower ? r < c : r > c))
        return 0;
    if ((kind & UNIT) && r == c)
        return 1;
    return trans == ADJOINT ? conjugate(value_of<SUM>(a[r + c * ld], kind))
                            : value_of<SUM>(a[r + c * ld], kind);
}

extern "C" {
#define NAME(x) s##x
#define IN float
#define OUT float
#define SUM float
#define KERNELS 2
#include "byw_cublas_kernels.h"

#define NAME(x) d##x
#define IN double
#define OUT double
#define SUM double
#define KERNELS 2
#include "byw_cublas_kernels.h"

#define NAME(x) h##x
#define IN _Float16
#define OUT _Float16
#define SUM float
#define KERNELS 1
#include "byw_cublas_kernels.h"

#define NAME(x) hs##x /* halves to single precision */
#define IN _Float16
#define OUT float
#define SUM float
#define KERNELS 0
#include "byw_cublas_kernels.h"

#define NAME(x) b##x
#define IN bfloat
#define OUT bfloat
#define SUM float
#define KERNELS 1
#include "byw_cublas_kernels.h"

#define NAME(x) bs##x /* bfloat16 to single precision */
#define IN bfloat
#define OUT float
#define SUM float
#define KERNELS 0
#include "byw_cublas_kernels.h"

#define NAME(x) i##x /* bytes to words */
#define IN signed char
#define OUT int
#define SUM int
#define KERNELS 0
#include "byw_cublas_kernels.h"

#define NAME(x) is##x /* bytes to single precision */
#define IN signed char
#define OUT float
#define SUM float
#define KERNELS 0
#include "byw_cublas_kernels.h"

#define NAME(x) c##x
#define IN complex<float>
#define OUT complex<float>
#define SUM complex<float>
#define KERNELS 0
#include "byw_cublas_kernels.h"

#define NAME(x) z##x
#define IN complex<double>
#define OUT complex<double>
#define SUM complex<double>
#define KERNELS 0
#include "byw_cublas_kernels.h"

#define NAME(x) q##x /* from FP8 to the type that follows q, or to FP8 if such a matrix is added */
#define IN quarter
#define OUT float
#define SUM float
#define KERNELS 0
#include "byw_cublas_kernels.h"

#define NAME(x) qb##x
#define IN quarter
#define OUT bfloat
#define SUM float
#define KERNELS 0
#include "byw_cublas_kernels.h"

#define NAME(x) qh##x
#define IN quarter
#define OUT _Float16
#define SUM float
#define KERNELS 0
#include "byw_cublas_kernels.h"

#define NAME(x) qqb##x
#define IN quarter
#define OUT quarter
#define FROM bfloat
#define SCALED
#define SUM float
#define KERNELS 0
#include "byw_cublas_kernels.h"

#define NAME(x) qqh##x
#define IN quarter
#define OUT quarter
#define FROM _Float16
#define SCALED
#define SUM float
#define KERNELS 0
#include "byw_cublas_kernels.h"
}
