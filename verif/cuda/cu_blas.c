/* SPDX-License-Identifier: Apache-2.0
 *
 * cu_blas.c - compares calls of cuBLAS with plain C, in float, double and half: sizes that are not
 * multiples of the block size, and steps and leading dimensions above the minimum.
 *
 * Each check prints "ok NAME" or "not ok NAME: why".  Needs no toolkit: the calls are declared
 * here.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM (64 * 64)

/* -DWITH_64: the calls with 64-bit sizes. */
#ifdef WITH_64
#define WIDE(call) WIDE_(call)
#define WIDE_(call) call##_64
typedef int64_t size;
#else
#define WIDE(call) call
typedef int size;
#endif

extern int cudaMalloc(void **memory, size_t size),
    cudaMemcpy(void *to, const void *from, size_t n, int kind);
extern int cublasCreate_v2(void **handle), cublasDestroy_v2(void *handle), cublasCgemv_v2(void);
extern int WIDE(cublasGemmEx)(void *h, int ta, int tb, size m, size n, size k, const void *alpha,
                              const void *a, int at, size lda, const void *b, int bt, size ldb,
                              const void *beta, void *c, int ct, size ldc, int compute,
                              int algorithm);
extern int WIDE(cublasHgemm)(void *h, int ta, int tb, size m, size n, size k, const void *alpha,
                             const void *a, size lda, const void *b, size ldb, const void *beta,
                             void *c, size ldc);

static void *handle;
static uint32_t seed = 1;

static double next(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (double)(int32_t)seed / 2147483648.0;
}

static void say(bool good, const char *name, double off)
{
    if (good)
        printf("ok %s\n", name);
    else
        printf("not ok %s: off by %g\n", name, off);
}

/* The matrices of the checks, stored by columns that are `ld` elements apart. */
enum { M = 37, N = 29, K = 23, LD = 41 };

/* All checks for one type; `close` is the tolerance of results. */
#define CHECKS(T, type, close)                                                                     \
    extern int WIDE(cublas##T##axpy_v2)(void *, size, const type *, const type *, size, type *,    \
                                        size);                                                     \
    extern int WIDE(cublas##T##scal_v2)(void *, size, const type *, type *, size);                 \
    extern int WIDE(cublas##T##copy_v2)(void *, size, const type *, size, type *, size);           \
    extern int WIDE(cublas##T##swap_v2)(void *, size, type *, size, type *, size);                 \
    extern int WIDE(cublas##T##rot_v2)(void *, size, type *, size, type *, size, const type *,     \
                                       const type *);                                              \
    extern int WIDE(cublas##T##dot_v2)(void *, size, const type *, size, const type *, size,       \
                                       type *);                                                    \
    extern int WIDE(cublas##T##nrm2_v2)(void *, size, const type *, size, type *);                 \
    extern int WIDE(cublas##T##asum_v2)(void *, size, const type *, size, type *);                 \
    extern int WIDE(cublas##T##gemv_v2)(void *, int, size, size, const type *, const type *, size, \
                                        const type *, size, const type *, type *, size);           \
    extern int WIDE(cublas##T##symv_v2)(void *, int, size, const type *, const type *, size,       \
                                        const type *, size, const type *, type *, size);           \
    extern int WIDE(cublas##T##trmv_v2)(void *, int, int, int, size, const type *, size, type *,   \
                                        size);                                                     \
    extern int WIDE(cublas##T##trsv_v2)(void *, int, int, int, size, const type *, size, type *,   \
                                        size);                                                     \
    extern int WIDE(cublas##T##ger_v2)(void *, size, size, const type *, const type *, size,       \
                                       const type *, size, type *, size);                          \
    extern int WIDE(cublas##T##syr2_v2)(void *, int, size, const type *, const type *, size,       \
                                        const type *, size, type *, size);                         \
    extern int WIDE(cublas##T##gemm_v2)(void *, int, int, size, size, size, const type *,          \
                                        const type *, size, const type *, size, const type *,      \
                                        type *, size);                                             \
    extern int WIDE(cublas##T##gemmStridedBatched)(                                                \
        void *, int, int, size, size, size, const type *, const type *, size, long long,           \
        const type *, size, long long, const type *, type *, size, long long, size);               \
    extern int WIDE(cublas##T##gemmBatched)(void *, int, int, size, size, size, const type *,      \
                                            const type *const *, size, const type *const *, size,  \
                                            const type *, type *const *, size, size);              \
    extern int WIDE(cublas##T##symm_v2)(void *, int, int, size, size, const type *, const type *,  \
                                        size, const type *, size, const type *, type *, size);     \
    extern int WIDE(cublas##T##syrk_v2)(void *, int, int, size, size, const type *, const type *,  \
                                        size, const type *, type *, size);                         \
    extern int WIDE(cublas##T##syr2k_v2)(void *, int, int, size, size, const type *, const type *, \
                                         size, const type *, size, const type *, type *, size);    \
    extern int WIDE(cublas##T##trmm_v2)(void *, int, int, int, int, size, size, const type *,      \
                                        const type *, size, const type *, size, type *, size);     \
    extern int WIDE(cublas##T##trsm_v2)(void *, int, int, int, int, size, size, const type *,      \
                                        const type *, size, type *, size);                         \
    extern int WIDE(cublas##T##geam)(void *, int, int, size, size, const type *, const type *,     \
                                     size, const type *, const type *, size, type *, size);        \
    extern int WIDE(cublas##T##dgmm)(void *, int, size, size, const type *, size, const type *,    \
                                     size, type *, size);                                          \
    static type *T##a, *T##b, *T##c; /* on the device */                                           \
    static type T##ha[ROOM], T##hb[ROOM], T##hc[ROOM], T##got[ROOM];                               \
                                                                                                   \
    static void T##fill(void)                                                                      \
    {                                                                                              \
        for (int i = 0; i < ROOM; i++) {                                                           \
            T##ha[i] = (type)next();                                                               \
            T##hb[i] = (type)next();                                                               \
            T##hc[i] = (type)next();                                                               \
        }                                                                                          \
        for (int i = 0; i < 64; i++) /* triangles that can be solved */                            \
            if (i < LD)                                                                            \
                T##ha[i + i * LD] += 8;                                                            \
        cudaMemcpy(T##a, T##ha, sizeof(T##ha), 1);                                                 \
        cudaMemcpy(T##b, T##hb, sizeof(T##hb), 1);                                                 \
        cudaMemcpy(T##c, T##hc, sizeof(T##hc), 1);                                                 \
    }                                                                                              \
    /* Checks that device memory, including the words around the result, has the expected          \
     * contents. */                                                                                \
    static void T##check(const char *name, int status, const type *device, const type *expected)   \
    {                                                                                              \
        double off = status != 0 ? 1e9 : 0;                                                        \
                                                                                                   \
        cudaMemcpy(T##got, device, sizeof(T##got), 2);                                             \
        for (int i = 0; i < ROOM; i++)                                                             \
            if (!(fabs((double)T##got[i] - (double)expected[i]) <= off))                           \
                off = fabs((double)T##got[i] - (double)expected[i]);                               \
        say(off < close, name, off);                                                               \
        T##fill();                                                                                 \
    }                                                                                              \
    /* An element of op(a): kind 0 general, 1 symmetric, 2 triangle, 3 with ones; lower or upper.  \
     */                                                                                            \
    static double T##at(const type *x, int i, int j, int trans, int kind, int lower)               \
    {                                                                                              \
        int r = trans ? j : i, k = trans ? i : j, t = r;                                           \
                                                                                                   \
        if (kind == 1 && (lower ? r < k : r > k)) {                                                \
            r = k;                                                                                 \
            k = t;                                                                                 \
        }                                                                                          \
        if (kind >= 2 && (lower ? r < k : r > k))                                                  \
            return 0;                                                                              \
        return kind == 3 && r == k ? 1 : (double)x[r + k * LD];                                    \
    }                                                                                              \
    static void T##product(type *c, int m, int n, int k, double alpha, const type *x, int tx,      \
                           int kx, const type *y, int ty, int ky, int lower, double beta,          \
                           int part)                                                               \
    {                                                                                              \
        static type out[ROOM];                                                                     \
                                                                                                   \
        memcpy(out, c, sizeof(out));                                                               \
        for (int j = 0; j < n; j++)                                                                \
            for (int i = 0; i < m; i++) {                                                          \
                double sum = 0;                                                                    \
                                                                                                   \
                for (int s = 0; s < k; s++)                                                        \
                    sum += T##at(x, i, s, tx, kx, lower) * T##at(y, s, j, ty, ky, lower);          \
                if (part == 0 || (part == 1 ? i >= j : i <= j))                                    \
                    out[i + j * LD] = (type)(alpha * sum + beta * (double)c[i + j * LD]);          \
            }                                                                                      \
        memcpy(c, out, sizeof(out));                                                               \
    }                                                                                              \
    static void T##vectors(void)                                                                   \
    {                                                                                              \
        const type alpha = (type)-1.25, co = (type)0.6, si = (type)0.8;                            \
        type got = 0;                                                                              \
        double sum = 0, sums = 0, sizes = 0;                                                       \
                                                                                                   \
        for (int i = 0; i < 1000; i++)                                                             \
            T##hb[i * 3] += alpha * T##ha[(999 - i) * 2];                                          \
        T##check(#T "axpy with steps 3 and -2",                                                    \
                 WIDE(cublas##T##axpy_v2)(handle, 1000, &alpha, T##a, -2, T##b, 3), T##b, T##hb);  \
        for (int i = 0; i < 700; i++)                                                              \
            T##ha[i * 2] *= alpha;                                                                 \
        T##check(#T "scal", WIDE(cublas##T##scal_v2)(handle, 700, &alpha, T##a, 2), T##a, T##ha);  \
        for (int i = 0; i < 700; i++)                                                              \
            T##hb[i] = T##ha[i * 5];                                                               \
        T##check(#T "copy", WIDE(cublas##T##copy_v2)(handle, 700, T##a, 5, T##b, 1), T##b, T##hb); \
        T##ha[3] = INFINITY;                                                                       \
        cudaMemcpy(T##a, T##ha, sizeof(T##ha), 1);                                                 \
        for (int i = 0; i < 600; i++)                                                              \
            if (i != 3)                                                                            \
                T##hc[i] = T##ha[i];                                                               \
        WIDE(cublas##T##swap_v2)(handle, 600, T##a, 1, T##c, 1);                                   \
        cudaMemcpy(T##got, T##c, sizeof(T##got), 2);                                               \
        say(isinf(T##got[3]) && memcmp(T##got, T##hc, 3 * sizeof(type)) == 0,                      \
            #T "swap of infinity", 1);                                                             \
        T##fill();                                                                                 \
        for (int i = 0; i < 600; i++) {                                                            \
            type x = T##ha[i], y = T##hb[i];                                                       \
            T##ha[i] = co * x + si * y;                                                            \
        }                                                                                          \
        T##check(#T "rot", WIDE(cublas##T##rot_v2)(handle, 600, T##a, 1, T##b, 1, &co, &si), T##a, \
                 T##ha);                                                                           \
        for (int i = 0; i < 1300; i++) {                                                           \
            sum += (double)T##ha[i * 2] * (double)T##hb[i * 3];                                    \
            sums += (double)T##ha[i] * (double)T##ha[i];                                           \
            sizes += fabs((double)T##ha[i]);                                                       \
        }                                                                                          \
        WIDE(cublas##T##dot_v2)(handle, 1300, T##a, 2, T##b, 3, &got);                             \
        say(fabs((double)got - sum) < 100 * close, #T "dot", (double)got - sum);                   \
        WIDE(cublas##T##nrm2_v2)(handle, 1300, T##a, 1, &got);                                     \
        say(fabs((double)got - sqrt(sums)) < 100 * close, #T "nrm2", (double)got - sqrt(sums));    \
        WIDE(cublas##T##asum_v2)(handle, 1300, T##a, 1, &got);                                     \
        say(fabs((double)got - sizes) < 1000 * close, #T "asum", (double)got - sizes);             \
    }                                                                                              \
    static void T##matrix_vector(int trans, int lower)                                             \
    {                                                                                              \
        const type alpha = (type)0.75, beta = (type)-0.5;                                          \
        int fill = !lower;                                                                         \
        static type x[ROOM];                                                                       \
                                                                                                   \
        for (int i = 0; i < (trans ? N : M); i++) {                                                \
            double s = 0;                                                                          \
            for (int j = 0; j < (trans ? M : N); j++)                                              \
                s += T##at(T##ha, i, j, trans, 0, 0) * (double)T##hb[j * 2];                       \
            T##hc[i * 3] = (type)((double)alpha * s + (double)beta * (double)T##hc[i * 3]);        \
        }                                                                                          \
        T##check(trans ? #T "gemv, transposed" : #T "gemv",                                        \
                 WIDE(cublas##T##gemv_v2)(handle, trans, M, N, &alpha, T##a, LD, T##b, 2, &beta,   \
                                          T##c, 3),                                                \
                 T##c, T##hc);                                                                     \
        for (int i = 0; i < M; i++) {                                                              \
            double s = 0;                                                                          \
            for (int j = 0; j < M; j++)                                                            \
                s += T##at(T##ha, i, j, 0, 1, lower) * (double)T##hb[j];                           \
            T##hc[i] = (type)((double)alpha * s + (double)beta * (double)T##hc[i]);                \
        }                                                                                          \
        T##check(                                                                                  \
            lower ? #T "symv, lower" : #T "symv, upper",                                           \
            WIDE(cublas##T##symv_v2)(handle, fill, M, &alpha, T##a, LD, T##b, 1, &beta, T##c, 1),  \
            T##c, T##hc);                                                                          \
        memcpy(x, T##hb, sizeof(x));                                                               \
        for (int i = 0; i < M; i++) {                                                              \
            double s = 0;                                                                          \
            for (int j = 0; j < M; j++)                                                            \
                s += T##at(T##ha, i, j, trans, 3, lower) * (double)x[j];                           \
            T##hb[i] = (type)s;                                                                    \
        }                                                                                          \
        T##check(#T "trmv",                                                                        \
                 WIDE(cublas##T##trmv_v2)(handle, fill, trans, 1, M, T##a, LD, T##b, 1), T##b,     \
                 T##hb);                                                                           \
        /* A solution is right if multiplying gives the right side. */                             \
        memcpy(x, T##hb, sizeof(x));                                                               \
        WIDE(cublas##T##trsv_v2)(handle, fill, trans, 0, M, T##a, LD, T##b, 1);                    \
        T##check(#T "trsv",                                                                        \
                 WIDE(cublas##T##trmv_v2)(handle, fill, trans, 0, M, T##a, LD, T##b, 1), T##b, x); \
        for (int j = 0; j < N; j++)                                                                \
            for (int i = 0; i < M; i++)                                                            \
                T##ha[i + j * LD] += alpha * T##hb[i] * T##hc[j];                                  \
        T##check(#T "ger",                                                                         \
                 WIDE(cublas##T##ger_v2)(handle, M, N, &alpha, T##b, 1, T##c, 1, T##a, LD), T##a,  \
                 T##ha);                                                                           \
        for (int j = 0; j < M; j++)                                                                \
            for (int i = 0; i < M; i++)                                                            \
                if (lower ? i >= j : i <= j)                                                       \
                    T##ha[i + j * LD] += alpha * (T##hb[i] * T##hc[j] + T##hc[i] * T##hb[j]);      \
        T##check(#T "syr2",                                                                        \
                 WIDE(cublas##T##syr2_v2)(handle, fill, M, &alpha, T##b, 1, T##c, 1, T##a, LD),    \
                 T##a, T##ha);                                                                     \
    }                                                                                              \
    static void T##matrices(int ta, int tb, int lower)                                             \
    {                                                                                              \
        const type alpha = (type)1.5, beta = (type)0.25, one = 1;                                  \
        int fill = !lower, part = lower ? 1 : 2;                                                   \
        static type x[ROOM];                                                                       \
                                                                                                   \
        T##product(T##hc, M, N, K, (double)alpha, T##ha, ta, 0, T##hb, tb, 0, 0, (double)beta, 0); \
        T##check(#T "gemm",                                                                        \
                 WIDE(cublas##T##gemm_v2)(handle, ta, tb, M, N, K, &alpha, T##a, LD, T##b, LD,     \
                                          &beta, T##c, LD),                                        \
                 T##c, T##hc);                                                                     \
        for (int z = 0; z < 3; z++) {                                                              \
            static type part_c[ROOM];                                                              \
            memcpy(part_c, T##hc + z * 8 * LD, 8 * LD * sizeof(type));                             \
            T##product(part_c, 7, 5, 6, (double)alpha, T##ha + z * 9 * LD, ta, 0,                  \
                       T##hb + z * 8 * LD, tb, 0, 0, 0.0, 0);                                      \
            memcpy(T##hc + z * 8 * LD, part_c, 8 * LD * sizeof(type));                             \
        }                                                                                          \
        x[0] = 0;                                                                                  \
        T##check(#T "gemmStridedBatched",                                                          \
                 WIDE(cublas##T##gemmStridedBatched)(handle, ta, tb, 7, 5, 6, &alpha, T##a, LD,    \
                                                     9 * LD, T##b, LD, 8 * LD, &x[0], T##c, LD,    \
                                                     8 * LD, 3),                                   \
                 T##c, T##hc);                                                                     \
        {                                                                                          \
            const type *as[2] = {T##a + 1, T##a + 7}, *bs[2] = {T##b, T##b + 9};                   \
            type *cs[2] = {T##c, T##c + 20 * LD}, **lists[3];                                      \
            for (int i = 0; i < 3; i++)                                                            \
                cudaMalloc((void **)&lists[i], sizeof(as));                                        \
            cudaMemcpy(lists[0], as, sizeof(as), 1);                                               \
            cudaMemcpy(lists[1], bs, sizeof(bs), 1);                                               \
            cudaMemcpy(lists[2], cs, sizeof(cs), 1);                                               \
            T##product(T##hc, 8, 9, K, (double)alpha, T##ha + 1, ta, 0, T##hb, tb, 0, 0,           \
                       (double)beta, 0);                                                           \
            memcpy(x, T##hc + 20 * LD, 30 * LD * sizeof(type));                                    \
            T##product(x, 8, 9, K, (double)alpha, T##ha + 7, ta, 0, T##hb + 9, tb, 0, 0,           \
                       (double)beta, 0);                                                           \
            memcpy(T##hc + 20 * LD, x, 30 * LD * sizeof(type));                                    \
            T##check(#T "gemmBatched",                                                             \
                     WIDE(cublas##T##gemmBatched)(handle, ta, tb, 8, 9, K, &alpha,                 \
                                                  (const type *const *)lists[0], LD,               \
                                                  (const type *const *)lists[1], LD, &beta,        \
                                                  (type *const *)lists[2], LD, 2),                 \
                     T##c, T##hc);                                                                 \
        }                                                                                          \
        T##product(T##hc, M, N, M, (double)alpha, T##ha, 0, 1, T##hb, 0, 0, lower, (double)beta,   \
                   0);                                                                             \
        T##check(#T "symm, left",                                                                  \
                 WIDE(cublas##T##symm_v2)(handle, 0, fill, M, N, &alpha, T##a, LD, T##b, LD,       \
                                          &beta, T##c, LD),                                        \
                 T##c, T##hc);                                                                     \
        T##product(T##hc, M, N, N, (double)alpha, T##hb, 0, 0, T##ha, 0, 1, lower, (double)beta,   \
                   0);                                                                             \
        T##check(#T "symm, right",                                                                 \
                 WIDE(cublas##T##symm_v2)(handle, 1, fill, M, N, &alpha, T##a, LD, T##b, LD,       \
                                          &beta, T##c, LD),                                        \
                 T##c, T##hc);                                                                     \
        T##product(T##hc, N, N, K, (double)alpha, T##ha, ta, 0, T##ha, !ta, 0, 0, (double)beta,    \
                   part);                                                                          \
        T##check(                                                                                  \
            #T "syrk",                                                                             \
            WIDE(cublas##T##syrk_v2)(handle, fill, ta, N, K, &alpha, T##a, LD, &beta, T##c, LD),   \
            T##c, T##hc);                                                                          \
        T##product(T##hc, N, N, K, (double)alpha, T##ha, ta, 0, T##hb, !ta, 0, 0, (double)beta,    \
                   part);                                                                          \
        T##product(T##hc, N, N, K, (double)alpha, T##hb, ta, 0, T##ha, !ta, 0, 0, 1.0, part);      \
        T##check(#T "syr2k",                                                                       \
                 WIDE(cublas##T##syr2k_v2)(handle, fill, ta, N, K, &alpha, T##a, LD, T##b, LD,     \
                                           &beta, T##c, LD),                                       \
                 T##c, T##hc);                                                                     \
        memcpy(x, T##hb, sizeof(x));                                                               \
        T##product(T##hb, M, N, M, (double)alpha, T##ha, ta, 2, x, 0, 0, lower, 0.0, 0);           \
        T##check(#T "trmm in place",                                                               \
                 WIDE(cublas##T##trmm_v2)(handle, 0, fill, ta, 0, M, N, &alpha, T##a, LD, T##b,    \
                                          LD, T##b, LD),                                           \
                 T##b, T##hb);                                                                     \
        for (int side = 0; side < 2; side++) {                                                     \
            memcpy(x, T##hb, sizeof(x));                                                           \
            for (int j = 0; j < N; j++)                                                            \
                for (int i = 0; i < M; i++)                                                        \
                    x[i + j * LD] *= alpha;                                                        \
            WIDE(cublas##T##trsm_v2)                                                               \
            (handle, side, fill, ta, tb, M, N, &alpha, T##a, LD, T##b, LD);                        \
            T##check(#T "trsm",                                                                    \
                     WIDE(cublas##T##trmm_v2)(handle, side, fill, ta, tb, M, N, &one, T##a, LD,    \
                                              T##b, LD, T##b, LD),                                 \
                     T##b, x);                                                                     \
        }                                                                                          \
        for (int j = 0; j < N; j++)                                                                \
            for (int i = 0; i < M; i++)                                                            \
                T##hc[i + j * LD] = (type)((double)alpha * T##at(T##ha, i, j, ta, 0, 0) +          \
                                           (double)beta * T##at(T##hb, i, j, tb, 0, 0));           \
        T##check(#T "geam",                                                                        \
                 WIDE(cublas##T##geam)(handle, ta, tb, M, N, &alpha, T##a, LD, &beta, T##b, LD,    \
                                       T##c, LD),                                                  \
                 T##c, T##hc);                                                                     \
        for (int j = 0; j < N; j++)                                                                \
            for (int i = 0; i < M; i++)                                                            \
                T##hc[i + j * LD] = T##ha[i + j * LD] * T##hb[(ta ? j : i) * 2];                   \
        T##check(#T "dgmm", WIDE(cublas##T##dgmm)(handle, ta, M, N, T##a, LD, T##b, 2, T##c, LD),  \
                 T##c, T##hc);                                                                     \
    }                                                                                              \
    static void T##all(void)                                                                       \
    {                                                                                              \
        cudaMalloc((void **)&T##a, sizeof(T##ha));                                                 \
        cudaMalloc((void **)&T##b, sizeof(T##hb));                                                 \
        cudaMalloc((void **)&T##c, sizeof(T##hc));                                                 \
        T##fill();                                                                                 \
        T##vectors();                                                                              \
        for (int i = 0; i < 4; i++) {                                                              \
            T##matrix_vector(i & 1, i >> 1);                                                       \
            T##matrices(i & 1, i >> 1, (i ^ i >> 1) & 1);                                          \
        }                                                                                          \
    }

CHECKS(S, float, 2e-4)
CHECKS(D, double, 1e-11)

extern int WIDE(cublasIsamax_v2)(void *h, size n, const float *x, size ix, size *result);
extern int WIDE(cublasIdamin_v2)(void *h, size n, const double *x, size ix, size *result);

static void peaks(void)
{
    size largest = 0, least = 0;

    Sha[500] = -20;
    Sha[700] = 20;
    Dha[333] = 0;
    Dha[777] = 0;
    cudaMemcpy(Sa, Sha, sizeof(Sha), 1);
    cudaMemcpy(Da, Dha, sizeof(Dha), 1);
    WIDE(cublasIsamax_v2)(handle, 1000, Sa, 1, &largest);
    WIDE(cublasIdamin_v2)(handle, 1000, Da, 1, &least);
    say(largest == 501, "Isamax counts from one and takes the first of equals", (double)largest);
    say(least == 334, "Idamin", (double)least);
}

/* Halves of small integers, which are exact. */
static uint16_t half_of(int value)
{
    int magnitude = abs(value), exponent = 0;

    if (value == 0)
        return 0;
    while (magnitude >> (exponent + 1) != 0)
        exponent++;
    return (uint16_t)((value < 0 ? 0x8000 : 0) | (exponent + 15) << 10 |
                      ((magnitude << (10 - exponent)) & 0x3ff));
}

static void halves(void)
{
    static uint16_t a[20 * 20], b[20 * 20], c[20 * 20];
    static float wide[20 * 20];
    const uint16_t one = half_of(1), two = half_of(2);
    const float alpha = 1, beta = 0;
    int x[400], y[400], good = 1, good_wide = 1;
    void *da, *db, *dc, *dw;

    for (int i = 0; i < 400; i++) {
        a[i] = half_of(x[i] = i * 7 % 11 - 5);
        b[i] = half_of(y[i] = i * 5 % 13 - 6);
        c[i] = half_of(i % 9);
    }
    cudaMalloc(&da, sizeof(a));
    cudaMalloc(&db, sizeof(b));
    cudaMalloc(&dc, sizeof(c));
    cudaMalloc(&dw, sizeof(wide));
    cudaMemcpy(da, a, sizeof(a), 1);
    cudaMemcpy(db, b, sizeof(b), 1);
    cudaMemcpy(dc, c, sizeof(c), 1);
    good &= WIDE(cublasHgemm)(handle, 0, 1, 20, 20, 20, &two, da, 20, db, 20, &one, dc, 20) == 0;
    good_wide &= WIDE(cublasGemmEx)(handle, 0, 1, 20, 20, 20, &alpha, da, 2, 20, db, 2, 20, &beta,
                                    dw, 0, 20, 68, -1) == 0;
    cudaMemcpy(c, dc, sizeof(c), 2);
    cudaMemcpy(wide, dw, sizeof(wide), 2);
    for (int j = 0; j < 20; j++)
        for (int i = 0; i < 20; i++) {
            int sum = 0;
            for (int s = 0; s < 20; s++)
                sum += x[i + s * 20] * y[j + s * 20];
            good &= c[i + j * 20] == half_of(2 * sum + (i + j * 20) % 9);
            good_wide &= wide[i + j * 20] == (float)sum;
        }
    say(good, "Hgemm", 1);
    say(good_wide, "GemmEx of halves to single precision", 1);
}

/* The interface without handles. */
extern int cublasInit(void), cublasShutdown(void), cublasGetError(void);
extern void cublasSgemm(char ta, char tb, int m, int n, int k, float alpha, const float *a, int lda,
                        const float *b, int ldb, float beta, float *c, int ldc);
extern double cublasDdot(int n, const double *x, int ix, const double *y, int iy);

static void old_calls(void)
{
    double sum = 0;
    int off = 0;

    say(cublasInit() == 0 && cublasGetError() == 0, "the old interface begins", 0);
    Sfill();
    cublasSgemm('n', 'T', M, N, K, 2, Sa, LD, Sb, LD, 3, Sc, LD);
    cudaMemcpy(Sgot, Sc, sizeof(Sgot), 2);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++) {
            float want = 3 * Shc[i + j * LD];

            for (int k = 0; k < K; k++)
                want += 2 * Sha[i + k * LD] * Shb[j + k * LD];
            off += !(fabsf(Sgot[i + j * LD] - want) <= 1e-4f);
        }
    say(off == 0, "old Sgemm", off);
    Dfill();
    for (int i = 0; i < 500; i++)
        sum += Dha[2 * i] * Dhb[i];
    say(fabs(cublasDdot(500, Da, 2, Db, 1) - sum) <= 1e-9, "old Ddot", 0);
    cublasSgemm('x', 'n', M, N, K, 2, Sa, LD, Sb, LD, 3, Sc, LD);
    say(cublasGetError() == 7 && cublasGetError() == 0 && cublasShutdown() == 0,
        "an unknown letter is an invalid value", 0);
}

int main(void)
{
    const float one = 1;

    if (cublasCreate_v2(&handle) != 0)
        return 1;
    Sall();
    Dall();
    peaks();
    halves();
    old_calls();
    say(WIDE(cublasSgemm_v2)(handle, 0, 0, 8, 8, 8, &one, Sa, 4, Sb, 8, &one, Sc, 8) == 7,
        "a leading dimension below the rows is an invalid value", 0);
    say(WIDE(cublasSgemm_v2)(NULL, 0, 0, 8, 8, 8, &one, Sa, 8, Sb, 8, &one, Sc, 8) == 1,
        "no handle is not initialized", 0);
    say(cublasCgemv_v2() == 15, "a call that is not there says so", 0);
#ifdef WITH_64
    say(WIDE(cublasSgemm_v2)(handle, 0, 0, 8, (size)1 << 32, 8, &one, Sa, 8, Sb, 8, &one, Sc, 8) ==
            15,
        "a size of 2^32 is refused", 0);
#endif
    return cublasDestroy_v2(handle);
}
