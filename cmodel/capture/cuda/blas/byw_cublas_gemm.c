/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of general matrices, single or batched, for all calls that compute them.
 */
#include <stdint.h>
#include <string.h>

#include "capture/cuda/blas/byw_cublas_host.h"

struct complex {
    float x, y;
};
struct double_complex {
    double x, y;
};

static int run(struct byw_blas *h, const char *prefix, const struct byw_blas_general *p)
{
    const struct byw_blas_matrix *a = &p->a, *b = &p->b;

    if (h == NULL)
        return BYW_BLAS_NOT_INITIALIZED;
    if (!byw_blas_is_operation(a->transposed) || !byw_blas_is_operation(b->transposed) ||
        p->m < 0 || p->n < 0 || p->k < 0 || p->batch < 0 || a->ld < (a->transposed ? p->k : p->m) ||
        b->ld < (b->transposed ? p->n : p->k) || p->c.ld < p->m || a->ld < 1 || b->ld < 1 ||
        p->c.ld < 1)
        return BYW_BLAS_INVALID_VALUE;
    return byw_blas_product(prefix, p->m, p->n, p->k, p->alpha, *a, *b, p->beta, p->c, 0, p->batch,
                            p->after);
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

/* Halves are summed in single precision; their scalars are passed as halves. */
static int run_half(struct byw_blas *h, const struct byw_blas_general *p)
{
    struct byw_blas_general single = *p;
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

/* The type of the scalars, which is also the type in which products are summed; -1: unknown. */
static int sum_of(int compute)
{
    if (compute >= BYW_BLAS_COMPUTE_FAST && compute < BYW_BLAS_COMPUTE_END)
        return BYW_BLAS_FLOAT;
    switch (compute >= BYW_BLAS_COMPUTE_HALF ? compute & ~1 : compute) {
    case BYW_BLAS_COMPUTE_FLOAT:
    case BYW_BLAS_FLOAT:
    case BYW_BLAS_COMPLEX:
        return BYW_BLAS_FLOAT;
    case BYW_BLAS_COMPUTE_DOUBLE:
    case BYW_BLAS_DOUBLE:
    case BYW_BLAS_DOUBLE_COMPLEX:
        return BYW_BLAS_DOUBLE;
    case BYW_BLAS_COMPUTE_HALF:
    case BYW_BLAS_HALF:
        return BYW_BLAS_HALF;
    case BYW_BLAS_COMPUTE_WORD:
    case BYW_BLAS_WORD:
        return BYW_BLAS_WORD;
    default:
        return -1;
    }
}

static bool is_quarter(int type)
{
    return type == BYW_BLAS_E4M3 || type == BYW_BLAS_E5M2;
}

/* Matrices of 8-bit floating-point numbers; false: byway has no such product. */
static bool run_quarter(struct byw_blas *h, const struct byw_blas_general *p, const int types[3],
                        int compute, int *status)
{
    int from = is_quarter(types[2]) ? p->after->from_type : types[2];
    const char *const prefixes[][2] = {{"q", NULL}, {"qb", "qqb"}, {"qh", "qqh"}};
    const char *prefix = prefixes[from == BYW_BLAS_BFLOAT ? 1
                                  : from == BYW_BLAS_HALF ? 2
                                                          : 0][is_quarter(types[2])];
    struct byw_blas_general own = *p;
    struct byw_blas_after after = *p->after;

    if (prefix == NULL || sum_of(compute) != BYW_BLAS_FLOAT ||
        (from != BYW_BLAS_FLOAT && from != BYW_BLAS_BFLOAT && from != BYW_BLAS_HALF))
        return false;
    own.a.kind = types[0] == BYW_BLAS_E5M2 ? E5M2 : 0;
    own.b.kind = types[1] == BYW_BLAS_E5M2 ? E5M2 : 0;
    after.finish |= types[2] == BYW_BLAS_E5M2 ? TO_E5M2 : 0;
    own.after = &after;
    *status = run(h, prefix, &own);
    return true;
}

int byw_blas_multiply(struct byw_blas *h, const struct byw_blas_general *p, const int types[3],
                      int compute, const char *call)
{
    static const struct {
        int from, to, sum;
        const char *prefix; /* NULL: halves, whose scalars are halves, too */
    } list[] = {{BYW_BLAS_FLOAT, BYW_BLAS_FLOAT, BYW_BLAS_FLOAT, "s"},
                {BYW_BLAS_DOUBLE, BYW_BLAS_DOUBLE, BYW_BLAS_DOUBLE, "d"},
                {BYW_BLAS_HALF, BYW_BLAS_HALF, BYW_BLAS_FLOAT, "h"},
                {BYW_BLAS_HALF, BYW_BLAS_HALF, BYW_BLAS_HALF, NULL},
                {BYW_BLAS_HALF, BYW_BLAS_FLOAT, BYW_BLAS_FLOAT, "hs"},
                {BYW_BLAS_BFLOAT, BYW_BLAS_BFLOAT, BYW_BLAS_FLOAT, "b"},
                {BYW_BLAS_BFLOAT, BYW_BLAS_FLOAT, BYW_BLAS_FLOAT, "bs"},
                {BYW_BLAS_BYTE, BYW_BLAS_WORD, BYW_BLAS_WORD, "i"},
                {BYW_BLAS_BYTE, BYW_BLAS_FLOAT, BYW_BLAS_FLOAT, "is"},
                {BYW_BLAS_COMPLEX, BYW_BLAS_COMPLEX, BYW_BLAS_FLOAT, "c"},
                {BYW_BLAS_DOUBLE_COMPLEX, BYW_BLAS_DOUBLE_COMPLEX, BYW_BLAS_DOUBLE, "z"}};

    int status;

    if (is_quarter(types[0]) && is_quarter(types[1]) && p->after != NULL &&
        run_quarter(h, p, types, compute, &status))
        return status;
    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
        if (types[0] == list[i].from && types[1] == list[i].from && types[2] == list[i].to &&
            sum_of(compute) == list[i].sum)
            return list[i].prefix != NULL ? run(h, list[i].prefix, p) : run_half(h, p);
    return byw_blas_missing(call, "byway multiplies two matrices of one type (float, double, half, "
                                  "bfloat16, int8 or complex) into that type, float or int32, and "
                                  "FP8 by cublasLt");
}

static struct byw_blas_matrix one_of(const void *data, int ld, long stride, int operation)
{
    return (struct byw_blas_matrix){
        .data = data, .ld = ld, .stride = stride, .transposed = operation};
}

static struct byw_blas_matrix list_of(const void *list, int ld, int operation)
{
    return (struct byw_blas_matrix){.list = list, .ld = ld, .transposed = operation};
}

/* Defines the calls of one type; `go` runs the product p. */
#define CALLS(T, suffix, type, go)                                                                 \
    BYW_CU_API int cublas##T##gemm##suffix(                                                        \
        struct byw_blas *h, int ta, int tb, int m, int n, int k, const type *alpha, const type *a, \
        int lda, const type *b, int ldb, const type *beta, type *c, int ldc)                       \
    {                                                                                              \
        struct byw_blas_general p = {m,                                                            \
                                     n,                                                            \
                                     k,                                                            \
                                     1,                                                            \
                                     alpha,                                                        \
                                     beta,                                                         \
                                     one_of(a, lda, 0, ta),                                        \
                                     one_of(b, ldb, 0, tb),                                        \
                                     one_of(c, ldc, 0, 0),                                         \
                                     NULL};                                                        \
                                                                                                   \
        return go;                                                                                 \
    }                                                                                              \
    BYW_CU_API int cublas##T##gemmStridedBatched(                                                  \
        struct byw_blas *h, int ta, int tb, int m, int n, int k, const type *alpha, const type *a, \
        int lda, long long sa, const type *b, int ldb, long long sb, const type *beta, type *c,    \
        int ldc, long long sc, int batch)                                                          \
    {                                                                                              \
        struct byw_blas_general p = {m,                                                            \
                                     n,                                                            \
                                     k,                                                            \
                                     batch,                                                        \
                                     alpha,                                                        \
                                     beta,                                                         \
                                     one_of(a, lda, sa, ta),                                       \
                                     one_of(b, ldb, sb, tb),                                       \
                                     one_of(c, ldc, sc, 0),                                        \
                                     NULL};                                                        \
                                                                                                   \
        return go;                                                                                 \
    }                                                                                              \
    BYW_CU_API int cublas##T##gemmBatched(struct byw_blas *h, int ta, int tb, int m, int n, int k, \
                                          const type *alpha, const type *const *a, int lda,        \
                                          const type *const *b, int ldb, const type *beta,         \
                                          type *const *c, int ldc, int batch)                      \
    {                                                                                              \
        struct byw_blas_general p = {m,                                                            \
                                     n,                                                            \
                                     k,                                                            \
                                     batch,                                                        \
                                     alpha,                                                        \
                                     beta,                                                         \
                                     list_of(a, lda, ta),                                          \
                                     list_of(b, ldb, tb),                                          \
                                     list_of(c, ldc, 0),                                           \
                                     NULL};                                                        \
                                                                                                   \
        return go;                                                                                 \
    }

CALLS(S, _v2, float, run(h, "s", &p))
CALLS(D, _v2, double, run(h, "d", &p))
CALLS(H, , uint16_t, run_half(h, &p))
CALLS(C, _v2, struct complex, run(h, "c", &p))
CALLS(Z, _v2, struct double_complex, run(h, "z", &p))

BYW_CU_API int cublasGemmEx(struct byw_blas *h, int ta, int tb, int m, int n, int k,
                            const void *alpha, const void *a, int at, int lda, const void *b,
                            int bt, int ldb, const void *beta, void *c, int ct, int ldc,
                            int compute, int algorithm)
{
    struct byw_blas_general p = {m,
                                 n,
                                 k,
                                 1,
                                 alpha,
                                 beta,
                                 one_of(a, lda, 0, ta),
                                 one_of(b, ldb, 0, tb),
                                 one_of(c, ldc, 0, 0),
                                 NULL};

    (void)algorithm;
    return byw_blas_multiply(h, &p, (const int[]){at, bt, ct}, compute, "cublasGemmEx");
}

BYW_CU_API int cublasSgemmEx(struct byw_blas *h, int ta, int tb, int m, int n, int k,
                             const float *alpha, const void *a, int at, int lda, const void *b,
                             int bt, int ldb, const float *beta, void *c, int ct, int ldc)
{
    return cublasGemmEx(h, ta, tb, m, n, k, alpha, a, at, lda, b, bt, ldb, beta, c, ct, ldc,
                        BYW_BLAS_COMPUTE_FLOAT, 0);
}

BYW_CU_API int cublasGemmStridedBatchedEx(struct byw_blas *h, int ta, int tb, int m, int n, int k,
                                          const void *alpha, const void *a, int at, int lda,
                                          long long sa, const void *b, int bt, int ldb,
                                          long long sb, const void *beta, void *c, int ct, int ldc,
                                          long long sc, int batch, int compute, int algorithm)
{
    struct byw_blas_general p = {m,
                                 n,
                                 k,
                                 batch,
                                 alpha,
                                 beta,
                                 one_of(a, lda, sa, ta),
                                 one_of(b, ldb, sb, tb),
                                 one_of(c, ldc, sc, 0),
                                 NULL};

    (void)algorithm;
    return byw_blas_multiply(h, &p, (const int[]){at, bt, ct}, compute,
                             "cublasGemmStridedBatchedEx");
}

BYW_CU_API int cublasGemmBatchedEx(struct byw_blas *h, int ta, int tb, int m, int n, int k,
                                   const void *alpha, const void *const *a, int at, int lda,
                                   const void *const *b, int bt, int ldb, const void *beta,
                                   void *const *c, int ct, int ldc, int batch, int compute,
                                   int algorithm)
{
    struct byw_blas_general p = {
        m,   n, k, batch, alpha, beta, list_of(a, lda, ta), list_of(b, ldb, tb), list_of(c, ldc, 0),
        NULL};

    (void)algorithm;
    return byw_blas_multiply(h, &p, (const int[]){at, bt, ct}, compute, "cublasGemmBatchedEx");
}
