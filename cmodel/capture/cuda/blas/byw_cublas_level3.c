/* SPDX-License-Identifier: Apache-2.0
 *
 * cuBLAS level 3: products of symmetric and triangular matrices, systems of equations, and related
 * operations.
 */
#include <string.h>

#include "capture/cuda/blas/byw_cublas_host.h"

static bool is_leading(int ld, int rows)
{
    return rows >= 0 && ld >= (rows > 1 ? rows : 1);
}

static struct byw_blas_matrix matrix_of(const void *data, int ld, int transposed, int kind)
{
    return (struct byw_blas_matrix){
        .data = data, .ld = ld, .transposed = transposed != 0, .kind = kind};
}

/* Product of a general matrix with a special one on the left (side 0) or right. */
static int sided(const char *prefix, int side, int m, int n, const void *alpha,
                 struct byw_blas_matrix a, struct byw_blas_matrix b, const void *beta,
                 struct byw_blas_matrix c)
{
    return side == 0 ? byw_blas_product(prefix, m, n, m, alpha, a, b, beta, c, 0, 1, NULL)
                     : byw_blas_product(prefix, m, n, n, alpha, b, a, beta, c, 0, 1, NULL);
}

/* b times a triangular matrix; if the result is b itself, a copy of b is read. */
static int multiply_triangle(struct byw_blas *h, const char *prefix, size_t bytes, int side, int m,
                             int n, const void *alpha, const void *zero, struct byw_blas_matrix a,
                             struct byw_blas_matrix b, struct byw_blas_matrix c)
{
    size_t size = (size_t)n * (size_t)b.ld * bytes;
    void *copy = NULL;
    int status;

    if (h == NULL)
        return BYW_BLAS_NOT_INITIALIZED;
    if (n < 0 || !is_leading((int)a.ld, side == 0 ? m : n) || !is_leading((int)b.ld, m) ||
        !is_leading((int)c.ld, m))
        return BYW_BLAS_INVALID_VALUE;
    if (b.data == c.data && size != 0) {
        copy = byw_cu_take(size);
        if (copy == NULL)
            return BYW_BLAS_NO_MEMORY;
        for (long j = 0; j < n; j++)
            memcpy((char *)copy + (size_t)(j * b.ld) * bytes,
                   (const char *)b.data + (size_t)(j * b.ld) * bytes, (size_t)m * bytes);
        b.data = copy;
    }
    status = sided(prefix, side, m, n, alpha, a, b, zero, c);
    byw_cu_give(copy);
    return status;
}

/* If a is on the right, the rows of b are the right-hand sides of the transposed system. */
static int solve(struct byw_blas *h, const char *prefix, int side, int m, int n, const void *alpha,
                 struct byw_blas_matrix a, struct byw_blas_matrix b, int batch)
{
    int sides = side == 0 ? n : m, order = side == 0 ? m : n;
    int transposed = side == 0 ? a.transposed : !a.transposed;
    long next = side == 0 ? 1 : b.ld, other = side == 0 ? b.ld : 1;
    const unsigned grid[3] = {((unsigned)sides + REDUCE - 1) / REDUCE, 1, (unsigned)batch};
    void *args[] = {&sides,  &order,  (void *)(uintptr_t)alpha,
                    &a.data, &a.ld,   &transposed,
                    &a.kind, &b.data, &next,
                    &other,  &a.list, &b.list};

    if (h == NULL)
        return BYW_BLAS_NOT_INITIALIZED;
    if (n < 0 || batch < 0 || !is_leading((int)a.ld, order) || !is_leading((int)b.ld, m))
        return BYW_BLAS_INVALID_VALUE;
    return m == 0 || n == 0 || batch == 0 ? BYW_BLAS_OK
                                          : byw_blas_launch(prefix, "trsm", grid, false, args);
}

/* Updates one triangle of c = alpha a b' + beta c, and if `both` adds alpha b a'. */
static int update(struct byw_blas *h, const char *prefix, int fill, int trans, int n, int k,
                  const void *alpha, struct byw_blas_matrix a, struct byw_blas_matrix b, bool both,
                  const void *beta, const void *one, struct byw_blas_matrix c)
{
    struct byw_blas_matrix left = a, right = b;
    int status;

    if (h == NULL)
        return BYW_BLAS_NOT_INITIALIZED;
    if (k < 0 || !byw_blas_is_operation(trans) || !is_leading((int)a.ld, trans ? k : n) ||
        !is_leading((int)c.ld, n))
        return BYW_BLAS_INVALID_VALUE;
    left.transposed = trans != 0;
    right.transposed = trans == 0;
    status = byw_blas_product(prefix, n, n, k, alpha, left, right, beta, c, byw_blas_part(fill), 1,
                              NULL);
    if (status != BYW_BLAS_OK || !both)
        return status;
    left.data = b.data;
    left.ld = b.ld;
    right.data = a.data;
    right.ld = a.ld;
    return byw_blas_product(prefix, n, n, k, alpha, left, right, one, c, byw_blas_part(fill), 1,
                            NULL);
}

static int add(struct byw_blas *h, const char *prefix, int m, int n, const void *alpha,
               struct byw_blas_matrix a, const void *beta, struct byw_blas_matrix b, void *c,
               int ldc)
{
    long ld = ldc;
    void *args[] = {&m,
                    &n,
                    (void *)(uintptr_t)alpha,
                    &a.data,
                    &a.ld,
                    &a.transposed,
                    (void *)(uintptr_t)beta,
                    &b.data,
                    &b.ld,
                    &b.transposed,
                    &c,
                    &ld};

    if (h == NULL)
        return BYW_BLAS_NOT_INITIALIZED;
    if (n < 0 || !is_leading(ldc, m))
        return BYW_BLAS_INVALID_VALUE;
    return byw_blas_over_matrix(prefix, "geam", m, n, 1, args);
}

static int scale(struct byw_blas *h, const char *prefix, size_t bytes, int side, int m, int n,
                 const void *a, int lda, const void *x, int ix, void *c, int ldc)
{
    int right = side == 1;
    long la = lda, lc = ldc, step = ix;
    void *args[] = {&m, &n, &right, &a, &la, &x, &step, &c, &lc};

    if (h == NULL)
        return BYW_BLAS_NOT_INITIALIZED;
    if (n < 0 || !is_leading(lda, m) || !is_leading(ldc, m))
        return BYW_BLAS_INVALID_VALUE;
    x = byw_blas_first(x, right ? n : m, ix, bytes);
    return byw_blas_over_matrix(prefix, "dgmm", m, n, 1, args);
}

static int triangle_kind(int fill, int diagonal)
{
    return byw_blas_part(fill) | TRIANGLE | (diagonal == 1 ? UNIT : 0);
}

#define LEVEL3(T, p, type)                                                                         \
    BYW_CU_API int cublas##T##symm_v2(struct byw_blas *h, int side, int fill, int m, int n,        \
                                      const type *alpha, const type *a, int lda, const type *b,    \
                                      int ldb, const type *beta, type *c, int ldc)                 \
    {                                                                                              \
        if (h == NULL)                                                                             \
            return BYW_BLAS_NOT_INITIALIZED;                                                       \
        if (n < 0 || !is_leading(lda, side == 0 ? m : n) || !is_leading(ldb, m) ||                 \
            !is_leading(ldc, m))                                                                   \
            return BYW_BLAS_INVALID_VALUE;                                                         \
        return sided(p, side, m, n, alpha, matrix_of(a, lda, 0, byw_blas_part(fill) | SYMMETRIC),  \
                     matrix_of(b, ldb, 0, 0), beta, matrix_of(c, ldc, 0, 0));                      \
    }                                                                                              \
    BYW_CU_API int cublas##T##trmm_v2(                                                             \
        struct byw_blas *h, int side, int fill, int trans, int diagonal, int m, int n,             \
        const type *alpha, const type *a, int lda, const type *b, int ldb, type *c, int ldc)       \
    {                                                                                              \
        const type zero = 0;                                                                       \
                                                                                                   \
        return multiply_triangle(h, p, sizeof(type), side, m, n, alpha, &zero,                     \
                                 matrix_of(a, lda, trans, triangle_kind(fill, diagonal)),          \
                                 matrix_of(b, ldb, 0, 0), matrix_of(c, ldc, 0, 0));                \
    }                                                                                              \
    BYW_CU_API int cublas##T##trsm_v2(struct byw_blas *h, int side, int fill, int trans,           \
                                      int diagonal, int m, int n, const type *alpha,               \
                                      const type *a, int lda, type *b, int ldb)                    \
    {                                                                                              \
        return solve(h, p, side, m, n, alpha,                                                      \
                     matrix_of(a, lda, trans, triangle_kind(fill, diagonal)),                      \
                     matrix_of(b, ldb, 0, 0), 1);                                                  \
    }                                                                                              \
    BYW_CU_API int cublas##T##trsmBatched(                                                         \
        struct byw_blas *h, int side, int fill, int trans, int diagonal, int m, int n,             \
        const type *alpha, const type *const *a, int lda, type *const *b, int ldb, int batch)      \
    {                                                                                              \
        struct byw_blas_matrix left = matrix_of(NULL, lda, trans, triangle_kind(fill, diagonal)),  \
                               right = matrix_of(NULL, ldb, 0, 0);                                 \
                                                                                                   \
        left.list = a;                                                                             \
        right.list = b;                                                                            \
        return solve(h, p, side, m, n, alpha, left, right, batch);                                 \
    }                                                                                              \
    BYW_CU_API int cublas##T##syrk_v2(struct byw_blas *h, int fill, int trans, int n, int k,       \
                                      const type *alpha, const type *a, int lda, const type *beta, \
                                      type *c, int ldc)                                            \
    {                                                                                              \
        const type one = 1;                                                                        \
                                                                                                   \
        return update(h, p, fill, trans, n, k, alpha, matrix_of(a, lda, 0, 0),                     \
                      matrix_of(a, lda, 0, 0), false, beta, &one, matrix_of(c, ldc, 0, 0));        \
    }                                                                                              \
    BYW_CU_API int cublas##T##syrkx(struct byw_blas *h, int fill, int trans, int n, int k,         \
                                    const type *alpha, const type *a, int lda, const type *b,      \
                                    int ldb, const type *beta, type *c, int ldc)                   \
    {                                                                                              \
        const type one = 1;                                                                        \
                                                                                                   \
        return update(h, p, fill, trans, n, k, alpha, matrix_of(a, lda, 0, 0),                     \
                      matrix_of(b, ldb, 0, 0), false, beta, &one, matrix_of(c, ldc, 0, 0));        \
    }                                                                                              \
    BYW_CU_API int cublas##T##syr2k_v2(struct byw_blas *h, int fill, int trans, int n, int k,      \
                                       const type *alpha, const type *a, int lda, const type *b,   \
                                       int ldb, const type *beta, type *c, int ldc)                \
    {                                                                                              \
        const type one = 1;                                                                        \
                                                                                                   \
        return update(h, p, fill, trans, n, k, alpha, matrix_of(a, lda, 0, 0),                     \
                      matrix_of(b, ldb, 0, 0), true, beta, &one, matrix_of(c, ldc, 0, 0));         \
    }                                                                                              \
    BYW_CU_API int cublas##T##geam(struct byw_blas *h, int ta, int tb, int m, int n,               \
                                   const type *alpha, const type *a, int lda, const type *beta,    \
                                   const type *b, int ldb, type *c, int ldc)                       \
    {                                                                                              \
        return add(h, p, m, n, alpha, matrix_of(a, lda, ta, 0), beta, matrix_of(b, ldb, tb, 0), c, \
                   ldc);                                                                           \
    }                                                                                              \
    BYW_CU_API int cublas##T##dgmm(struct byw_blas *h, int side, int m, int n, const type *a,      \
                                   int lda, const type *x, int ix, type *c, int ldc)               \
    {                                                                                              \
        return scale(h, p, sizeof(type), side, m, n, a, lda, x, ix, c, ldc);                       \
    }

LEVEL3(S, "s", float)
LEVEL3(D, "d", double)
