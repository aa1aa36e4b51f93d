/* SPDX-License-Identifier: Apache-2.0
 *
 * cuBLAS level 2: operations on a matrix and vectors.
 */
#include <string.h>

#include "capture/cuda/blas/byw_cublas_host.h"

static bool is_leading(int ld, int rows)
{
    return rows >= 0 && ld >= (rows > 1 ? rows : 1);
}

/* y = alpha a x + beta y, with m rows of the operation's result and n columns. */
static int multiply(struct byw_blas *h, const char *prefix, size_t bytes, int m, int n,
                    const void *alpha, struct byw_blas_matrix a, const void *x, int ix,
                    const void *beta, void *y, int iy)
{
    long sx = ix, sy = iy;
    void *args[] = {&m, &n,  (void *)(uintptr_t)alpha, &a.data, &a.ld, &a.transposed, &a.kind,
                    &x, &sx, (void *)(uintptr_t)beta,  &y,      &sy};

    if (h == NULL)
        return BYW_BLAS_NOT_INITIALIZED;
    if (ix == 0 || iy == 0)
        return BYW_BLAS_INVALID_VALUE;
    x = byw_blas_first(x, n, ix, bytes);
    y = byw_blas_first(y, m, iy, bytes);
    return byw_blas_over(prefix, "gemv", m, args);
}

/* a += alpha x y' + other y x' */
static int add_product(struct byw_blas *h, const char *prefix, size_t bytes, int m, int n,
                       const void *alpha, const void *other, const void *x, int ix, const void *y,
                       int iy, void *a, int lda, int part)
{
    long sx = ix, sy = iy, ld = lda;
    void *args[] = {
        &m,  &n,   (void *)(uintptr_t)alpha, (void *)(uintptr_t)other, &x, &sx, &y, &sy, &a,
        &ld, &part};

    if (h == NULL)
        return BYW_BLAS_NOT_INITIALIZED;
    if (ix == 0 || iy == 0 || n < 0 || !is_leading(lda, m))
        return BYW_BLAS_INVALID_VALUE;
    x = byw_blas_first(x, m, ix, bytes);
    y = byw_blas_first(y, n, iy, bytes);
    return byw_blas_over_matrix(prefix, "ger", m, n, 1, args);
}

static int triangle_kind(int fill, int diagonal)
{
    return byw_blas_part(fill) | TRIANGLE | (diagonal == 1 ? UNIT : 0);
}

/* x = a x for a triangular matrix a, computed from a copy of x. */
static int multiply_triangle(struct byw_blas *h, const char *prefix, size_t bytes, int n,
                             const void *one, const void *zero, struct byw_blas_matrix a, void *x,
                             int ix)
{
    unsigned char *first, *copy;
    int status;

    if (h == NULL)
        return BYW_BLAS_NOT_INITIALIZED;
    if (ix == 0 || !is_leading((int)a.ld, n))
        return BYW_BLAS_INVALID_VALUE;
    copy = byw_cu_take((size_t)n * bytes + 1);
    if (copy == NULL)
        return BYW_BLAS_NO_MEMORY;
    first = byw_blas_first(x, n, ix, bytes);
    for (long i = 0; i < n; i++)
        memcpy(copy + (size_t)i * bytes, first + i * ix * (long)bytes, bytes);
    status = multiply(h, prefix, bytes, n, n, one, a, copy, 1, zero, x, ix);
    byw_cu_give(copy);
    return status;
}

static int solve(struct byw_blas *h, const char *prefix, size_t bytes, int n, const void *one,
                 struct byw_blas_matrix a, void *x, int ix)
{
    int sides = 1;
    long step = ix, none = 0;
    void *first = byw_blas_first(x, n, ix, bytes);
    const void *list = NULL;
    void *args[] = {&sides,  &n,     (void *)(uintptr_t)one,
                    &a.data, &a.ld,  &a.transposed,
                    &a.kind, &first, &step,
                    &none,   &list,  &list};

    if (h == NULL)
        return BYW_BLAS_NOT_INITIALIZED;
    if (ix == 0 || !is_leading((int)a.ld, n))
        return BYW_BLAS_INVALID_VALUE;
    return n == 0 ? BYW_BLAS_OK : byw_blas_over(prefix, "trsm", sides, args);
}

#define LEVEL2(T, p, type)                                                                         \
    BYW_CU_API int cublas##T##gemv_v2(struct byw_blas *h, int trans, int m, int n,                 \
                                      const type *alpha, const type *a, int lda, const type *x,    \
                                      int ix, const type *beta, type *y, int iy)                   \
    {                                                                                              \
        struct byw_blas_matrix matrix = {.data = a, .ld = lda, .transposed = trans != 0};          \
                                                                                                   \
        if (!byw_blas_is_operation(trans) || n < 0 || !is_leading(lda, m))                         \
            return BYW_BLAS_INVALID_VALUE;                                                         \
        return multiply(h, p, sizeof(type), trans ? n : m, trans ? m : n, alpha, matrix, x, ix,    \
                        beta, y, iy);                                                              \
    }                                                                                              \
    BYW_CU_API int cublas##T##symv_v2(struct byw_blas *h, int fill, int n, const type *alpha,      \
                                      const type *a, int lda, const type *x, int ix,               \
                                      const type *beta, type *y, int iy)                           \
    {                                                                                              \
        struct byw_blas_matrix matrix = {                                                          \
            .data = a, .ld = lda, .kind = byw_blas_part(fill) | SYMMETRIC};                        \
                                                                                                   \
        if (!is_leading(lda, n))                                                                   \
            return BYW_BLAS_INVALID_VALUE;                                                         \
        return multiply(h, p, sizeof(type), n, n, alpha, matrix, x, ix, beta, y, iy);              \
    }                                                                                              \
    BYW_CU_API int cublas##T##trmv_v2(struct byw_blas *h, int fill, int trans, int diagonal,       \
                                      int n, const type *a, int lda, type *x, int ix)              \
    {                                                                                              \
        const type one = 1, zero = 0;                                                              \
        struct byw_blas_matrix matrix = {.data = a,                                                \
                                         .ld = lda,                                                \
                                         .transposed = trans != 0,                                 \
                                         .kind = triangle_kind(fill, diagonal)};                   \
                                                                                                   \
        return multiply_triangle(h, p, sizeof(type), n, &one, &zero, matrix, x, ix);               \
    }                                                                                              \
    BYW_CU_API int cublas##T##trsv_v2(struct byw_blas *h, int fill, int trans, int diagonal,       \
                                      int n, const type *a, int lda, type *x, int ix)              \
    {                                                                                              \
        const type one = 1;                                                                        \
        struct byw_blas_matrix matrix = {.data = a,                                                \
                                         .ld = lda,                                                \
                                         .transposed = trans != 0,                                 \
                                         .kind = triangle_kind(fill, diagonal)};                   \
                                                                                                   \
        return solve(h, p, sizeof(type), n, &one, matrix, x, ix);                                  \
    }                                                                                              \
    BYW_CU_API int cublas##T##ger_v2(struct byw_blas *h, int m, int n, const type *alpha,          \
                                     const type *x, int ix, const type *y, int iy, type *a,        \
                                     int lda)                                                      \
    {                                                                                              \
        const type zero = 0;                                                                       \
                                                                                                   \
        return add_product(h, p, sizeof(type), m, n, alpha, &zero, x, ix, y, iy, a, lda, 0);       \
    }                                                                                              \
    BYW_CU_API int cublas##T##syr_v2(struct byw_blas *h, int fill, int n, const type *alpha,       \
                                     const type *x, int ix, type *a, int lda)                      \
    {                                                                                              \
        const type zero = 0;                                                                       \
                                                                                                   \
        return add_product(h, p, sizeof(type), n, n, alpha, &zero, x, ix, x, ix, a, lda,           \
                           byw_blas_part(fill));                                                   \
    }                                                                                              \
    BYW_CU_API int cublas##T##syr2_v2(struct byw_blas *h, int fill, int n, const type *alpha,      \
                                      const type *x, int ix, const type *y, int iy, type *a,       \
                                      int lda)                                                     \
    {                                                                                              \
        return add_product(h, p, sizeof(type), n, n, alpha, alpha, x, ix, y, iy, a, lda,           \
                           byw_blas_part(fill));                                                   \
    }

LEVEL2(S, "s", float)
LEVEL2(D, "d", double)
