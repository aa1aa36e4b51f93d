/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of general matrices, single or batched, for all calls that compute them.
 */
#include <stdint.h>
#include <string.h>

#include "capture/cuda/blas/byw_cublas_host.h"

/* cublasComputeType_t, and cudaDataType, which older programs pass instead. */
enum { COMPUTE_HALF = 64, COMPUTE_FLOAT = 68, COMPUTE_FAST_LAST = 77, COMPUTE_DOUBLE = 70 };

/* The operands and settings of a product. */
struct product {
    int ta, tb, m, n, k, batch;
    const void *alpha, *beta;
    struct byw_blas_matrix a, b, c;
};

static int run(struct byw_blas *h, const char *prefix, const struct product *p)
{
    struct byw_blas_matrix a = p->a, b = p->b;

    if (h == NULL)
        return BYW_BLAS_NOT_INITIALIZED;
    if (!byw_blas_is_operation(p->ta) || !byw_blas_is_operation(p->tb) || p->m < 0 || p->n < 0 ||
        p->k < 0 || p->batch < 0 || a.ld < (p->ta ? p->k : p->m) || b.ld < (p->tb ? p->n : p->k) ||
        p->c.ld < p->m || a.ld < 1 || b.ld < 1 || p->c.ld < 1)
        return BYW_BLAS_INVALID_VALUE;
    a.transposed = p->ta != 0;
    b.transposed = p->tb != 0;
    return byw_blas_product(prefix, p->m, p->n, p->k, p->alpha, a, b, p->beta, p->c, 0, p->batch);
}

static float from_half(uint16_t bits)
{
    float value;
    uint32_t sign = (uint32_t)(bits & 0x8000) << 16, exponent = bits >> 10 & 31, word;
    uint32_t fraction = bits & 0x3ff;

    if (exponent == 0)
        return (sign != 0 ? -1.0f : 1.0f) * (float)fraction / 16777216.0f;
    word = sign | (exponent == 31 ? 0x7f800000 : (exponent + 112) << 23) | fraction << 13;
    memcpy(&value, &word, sizeof(value));
    return value;
}

/* Halves are added up in single precision; their scalars come as halves. */
static int run_half(struct byw_blas *h, const struct product *p)
{
    struct product single = *p;
    uint16_t alpha, beta;
    float scalar[2];

    memcpy(&alpha, p->alpha, sizeof(alpha));
    memcpy(&beta, p->beta, sizeof(beta));
    scalar[0] = from_half(alpha);
    scalar[1] = from_half(beta);
    single.alpha = &scalar[0];
    single.beta = &scalar[1];
    return run(h, "h", &single);
}

/* Types of the operands, of the result and of the sums. */
static int run_typed(struct byw_blas *h, const struct product *p, int at, int bt, int ct,
                     int compute, const char *call)
{
    bool single =
        compute == BYW_BLAS_FLOAT || (compute >= COMPUTE_FLOAT && compute <= COMPUTE_FAST_LAST &&
                                      compute != COMPUTE_DOUBLE && compute != COMPUTE_DOUBLE + 1);

    if (at == bt && at == ct && at == BYW_BLAS_FLOAT && single)
        return run(h, "s", p);
    if (at == bt && at == ct && at == BYW_BLAS_DOUBLE &&
        (compute == BYW_BLAS_DOUBLE || compute == COMPUTE_DOUBLE || compute == COMPUTE_DOUBLE + 1))
        return run(h, "d", p);
    if (at == bt && at == BYW_BLAS_HALF && ct == BYW_BLAS_HALF && single)
        return run(h, "h", p);
    if (at == bt && at == BYW_BLAS_HALF && ct == BYW_BLAS_FLOAT && single)
        return run(h, "hs", p);
    if (at == bt && at == ct && at == BYW_BLAS_HALF &&
        (compute == BYW_BLAS_HALF || compute == COMPUTE_HALF || compute == COMPUTE_HALF + 1))
        return run_half(h, p);
    return byw_blas_missing(call, "byway only multiplies matrices of float, double and half");
}

static struct byw_blas_matrix one_of(const void *data, int ld, long stride)
{
    return (struct byw_blas_matrix){.data = data, .ld = ld, .stride = stride};
}

static struct byw_blas_matrix list_of(const void *list, int ld)
{
    return (struct byw_blas_matrix){.list = list, .ld = ld};
}

#define CALLS(T, suffix, type, go)                                                                 \
    BYW_CU_API int cublas##T##gemm##suffix(                                                        \
        struct byw_blas *h, int ta, int tb, int m, int n, int k, const type *alpha, const type *a, \
        int lda, const type *b, int ldb, const type *beta, type *c, int ldc)                       \
    {                                                                                              \
        struct product p = {ta,                                                                    \
                            tb,                                                                    \
                            m,                                                                     \
                            n,                                                                     \
                            k,                                                                     \
                            1,                                                                     \
                            alpha,                                                                 \
                            beta,                                                                  \
                            one_of(a, lda, 0),                                                     \
                            one_of(b, ldb, 0),                                                     \
                            one_of(c, ldc, 0)};                                                    \
                                                                                                   \
        return go;                                                                                 \
    }                                                                                              \
    BYW_CU_API int cublas##T##gemmStridedBatched(                                                  \
        struct byw_blas *h, int ta, int tb, int m, int n, int k, const type *alpha, const type *a, \
        int lda, long long sa, const type *b, int ldb, long long sb, const type *beta, type *c,    \
        int ldc, long long sc, int batch)                                                          \
    {                                                                                              \
        struct product p = {ta,                                                                    \
                            tb,                                                                    \
                            m,                                                                     \
                            n,                                                                     \
                            k,                                                                     \
                            batch,                                                                 \
                            alpha,                                                                 \
                            beta,                                                                  \
                            one_of(a, lda, sa),                                                    \
                            one_of(b, ldb, sb),                                                    \
                            one_of(c, ldc, sc)};                                                   \
                                                                                                   \
        return go;                                                                                 \
    }                                                                                              \
    BYW_CU_API int cublas##T##gemmBatched(struct byw_blas *h, int ta, int tb, int m, int n, int k, \
                                          const type *alpha, const type *const *a, int lda,        \
                                          const type *const *b, int ldb, const type *beta,         \
                                          type *const *c, int ldc, int batch)                      \
    {                                                                                              \
        struct product p = {ta,                                                                    \
                            tb,                                                                    \
                            m,                                                                     \
                            n,                                                                     \
                            k,                                                                     \
                            batch,                                                                 \
                            alpha,                                                                 \
                            beta,                                                                  \
                            list_of(a, lda),                                                       \
                            list_of(b, ldb),                                                       \
                            list_of(c, ldc)};                                                      \
                                                                                                   \
        return go;                                                                                 \
    }

CALLS(S, _v2, float, run(h, "s", &p))
CALLS(D, _v2, double, run(h, "d", &p))
CALLS(H, , uint16_t, run_half(h, &p))

BYW_CU_API int cublasGemmEx(struct byw_blas *h, int ta, int tb, int m, int n, int k,
                            const void *alpha, const void *a, int at, int lda, const void *b,
                            int bt, int ldb, const void *beta, void *c, int ct, int ldc,
                            int compute, int algorithm)
{
    struct product p = {
        ta, tb, m, n, k, 1, alpha, beta, one_of(a, lda, 0), one_of(b, ldb, 0), one_of(c, ldc, 0)};

    (void)algorithm;
    return run_typed(h, &p, at, bt, ct, compute, "cublasGemmEx");
}

BYW_CU_API int cublasSgemmEx(struct byw_blas *h, int ta, int tb, int m, int n, int k,
                             const float *alpha, const void *a, int at, int lda, const void *b,
                             int bt, int ldb, const float *beta, void *c, int ct, int ldc)
{
    return cublasGemmEx(h, ta, tb, m, n, k, alpha, a, at, lda, b, bt, ldb, beta, c, ct, ldc,
                        COMPUTE_FLOAT, 0);
}

BYW_CU_API int cublasGemmStridedBatchedEx(struct byw_blas *h, int ta, int tb, int m, int n, int k,
                                          const void *alpha, const void *a, int at, int lda,
                                          long long sa, const void *b, int bt, int ldb,
                                          long long sb, const void *beta, void *c, int ct, int ldc,
                                          long long sc, int batch, int compute, int algorithm)
{
    struct product p = {ta,
                        tb,
                        m,
                        n,
                        k,
                        batch,
                        alpha,
                        beta,
                        one_of(a, lda, sa),
                        one_of(b, ldb, sb),
                        one_of(c, ldc, sc)};

    (void)algorithm;
    return run_typed(h, &p, at, bt, ct, compute, "cublasGemmStridedBatchedEx");
}

BYW_CU_API int cublasGemmBatchedEx(struct byw_blas *h, int ta, int tb, int m, int n, int k,
                                   const void *alpha, const void *const *a, int at, int lda,
                                   const void *const *b, int bt, int ldb, const void *beta,
                                   void *const *c, int ct, int ldc, int batch, int compute,
                                   int algorithm)
{
    struct product p = {
        ta, tb, m, n, k, batch, alpha, beta, list_of(a, lda), list_of(b, ldb), list_of(c, ldc)};

    (void)algorithm;
    return run_typed(h, &p, at, bt, ct, compute, "cublasGemmBatchedEx");
}
