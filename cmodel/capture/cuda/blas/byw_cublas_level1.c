/* SPDX-License-Identifier: Apache-2.0
 *
 * cuBLAS level 1: operations on vectors.
 */
#include <string.h>

#include "capture/cuda/blas/byw_cublas_host.h"

/* A vector, as it is passed to kernels. */
struct vector {
    void *data;
    long step;
};

static struct vector vector_of(const void *x, int n, int step, size_t bytes)
{
    return (struct vector){byw_blas_first(x, n, step, bytes), step};
}

/* Sums products (what 0) or absolute values (1) over vectors; root: takes the square root. */
static int sum_up(struct byw_blas *h, const char *prefix, int n, int what, int root,
                  struct vector x, struct vector y, void *result, size_t bytes)
{
    int blocks = n / REDUCE + 1 < BYW_BLAS_BLOCKS ? n / REDUCE + 1 : BYW_BLAS_BLOCKS;
    const unsigned grid[3] = {(unsigned)blocks, 1, 1}, one[3] = {1, 1, 1};
    void *at = h->partial + BYW_BLAS_BLOCKS;
    void *sum[] = {&n, &what, &x.data, &x.step, &y.data, &y.step, &h->partial};
    void *total[] = {&blocks, &root, &h->partial, &at};
    int status;

    if (n <= 0) {
        memset(result, 0, bytes);
        return BYW_BLAS_OK;
    }
    status = byw_blas_launch(prefix, "sum", grid, false, sum);
    if (status == BYW_BLAS_OK)
        status = byw_blas_launch(prefix, "total", one, false, total);
    if (status == BYW_BLAS_OK)
        memcpy(result, at, bytes);
    return status;
}

static int find_peak(struct byw_blas *h, const char *prefix, int n, int least, const void *x,
                     int ix, int *result)
{
    const unsigned one[3] = {1, 1, 1};
    long step = ix;
    void *at = h->partial + BYW_BLAS_BLOCKS;
    void *args[] = {&n, &least, &x, &step, &at};
    int status;

    *result = 0;
    if (n <= 0 || ix <= 0)
        return BYW_BLAS_OK;
    status = byw_blas_launch(prefix, "peak", one, false, args);
    if (status == BYW_BLAS_OK)
        memcpy(result, at, sizeof(*result));
    return status;
}

/* Defines the calls of one type. */
#define LEVEL1(T, p, type)                                                                         \
    BYW_CU_API int cublas##T##scal_v2(struct byw_blas *h, int n, const type *alpha, type *x,       \
                                      int ix)                                                      \
    {                                                                                              \
        long step = ix;                                                                            \
        void *args[] = {&n, (void *)(uintptr_t)alpha, &x, &step};                                  \
                                                                                                   \
        if (h == NULL)                                                                             \
            return BYW_BLAS_NOT_INITIALIZED;                                                       \
        return ix <= 0 ? BYW_BLAS_OK : byw_blas_over(p, "scal", n, args);                          \
    }                                                                                              \
    BYW_CU_API int cublas##T##axpy_v2(struct byw_blas *h, int n, const type *alpha, const type *x, \
                                      int ix, type *y, int iy)                                     \
    {                                                                                              \
        struct vector a = vector_of(x, n, ix, sizeof(type)),                                       \
                      b = vector_of(y, n, iy, sizeof(type));                                       \
        void *args[] = {&n, (void *)(uintptr_t)alpha, &a.data, &a.step, &b.data, &b.step};         \
                                                                                                   \
        return h == NULL ? BYW_BLAS_NOT_INITIALIZED : byw_blas_over(p, "axpy", n, args);           \
    }                                                                                              \
    BYW_CU_API int cublas##T##copy_v2(struct byw_blas *h, int n, const type *x, int ix, type *y,   \
                                      int iy)                                                      \
    {                                                                                              \
        struct vector a = vector_of(x, n, ix, sizeof(type)),                                       \
                      b = vector_of(y, n, iy, sizeof(type));                                       \
        void *args[] = {&n, &a.data, &a.step, &b.data, &b.step};                                   \
                                                                                                   \
        return h == NULL ? BYW_BLAS_NOT_INITIALIZED : byw_blas_over(p, "copy", n, args);           \
    }                                                                                              \
    BYW_CU_API int cublas##T##rot_v2(struct byw_blas *h, int n, type *x, int ix, type *y, int iy,  \
                                     const type *c, const type *s)                                 \
    {                                                                                              \
        struct vector a = vector_of(x, n, ix, sizeof(type)),                                       \
                      b = vector_of(y, n, iy, sizeof(type));                                       \
        void *args[] = {                                                                           \
            &n, &a.data, &a.step, &b.data, &b.step, (void *)(uintptr_t)c, (void *)(uintptr_t)s};   \
                                                                                                   \
        return h == NULL ? BYW_BLAS_NOT_INITIALIZED : byw_blas_over(p, "rot", n, args);            \
    }                                                                                              \
    BYW_CU_API int cublas##T##swap_v2(struct byw_blas *h, int n, type *x, int ix, type *y, int iy) \
    {                                                                                              \
        struct vector a = vector_of(x, n, ix, sizeof(type)),                                       \
                      b = vector_of(y, n, iy, sizeof(type));                                       \
        void *args[] = {&n, &a.data, &a.step, &b.data, &b.step};                                   \
                                                                                                   \
        return h == NULL ? BYW_BLAS_NOT_INITIALIZED : byw_blas_over(p, "swap", n, args);           \
    }                                                                                              \
    BYW_CU_API int cublas##T##dot_v2(struct byw_blas *h, int n, const type *x, int ix,             \
                                     const type *y, int iy, type *result)                          \
    {                                                                                              \
        return h == NULL ? BYW_BLAS_NOT_INITIALIZED                                                \
                         : sum_up(h, p, n, 0, 0, vector_of(x, n, ix, sizeof(type)),                \
                                  vector_of(y, n, iy, sizeof(type)), result, sizeof(type));        \
    }                                                                                              \
    BYW_CU_API int cublas##T##nrm2_v2(struct byw_blas *h, int n, const type *x, int ix,            \
                                      type *result)                                                \
    {                                                                                              \
        struct vector a = vector_of(x, n, ix, sizeof(type));                                       \
                                                                                                   \
        return h == NULL ? BYW_BLAS_NOT_INITIALIZED                                                \
                         : sum_up(h, p, ix <= 0 ? 0 : n, 0, 1, a, a, result, sizeof(type));        \
    }                                                                                              \
    BYW_CU_API int cublas##T##asum_v2(struct byw_blas *h, int n, const type *x, int ix,            \
                                      type *result)                                                \
    {                                                                                              \
        struct vector a = vector_of(x, n, ix, sizeof(type));                                       \
                                                                                                   \
        return h == NULL ? BYW_BLAS_NOT_INITIALIZED                                                \
                         : sum_up(h, p, ix <= 0 ? 0 : n, 1, 0, a, a, result, sizeof(type));        \
    }

#define PEAK(name, p, type, least)                                                                 \
    BYW_CU_API int name(struct byw_blas *h, int n, const type *x, int ix, int *result)             \
    {                                                                                              \
        return h == NULL ? BYW_BLAS_NOT_INITIALIZED : find_peak(h, p, n, least, x, ix, result);    \
    }

LEVEL1(S, "s", float)
LEVEL1(D, "d", double)
PEAK(cublasIsamax_v2, "s", float, 0)
PEAK(cublasIdamax_v2, "d", double, 0)
PEAK(cublasIsamin_v2, "s", float, 1)
PEAK(cublasIdamin_v2, "d", double, 1)

/* A type that a call names: the prefix of its kernels, and the size of an element. */
struct element {
    const char *prefix; /* NULL: byway has no such vectors */
    size_t bytes;
};

/* Scalars and sums are double for vectors of double, otherwise float; scalar < 0: there is none. */
static struct element element_of(int type, int other, int scalar, int execution)
{
    const struct element none = {NULL, 0};
    int sum = type == BYW_BLAS_DOUBLE ? BYW_BLAS_DOUBLE : BYW_BLAS_FLOAT;

    if (type != other || (scalar >= 0 && scalar != sum) || execution != sum)
        return none;
    switch (type) {
    case BYW_BLAS_FLOAT:
        return (struct element){"s", 4};
    case BYW_BLAS_DOUBLE:
        return (struct element){"d", 8};
    case BYW_BLAS_HALF:
        return (struct element){"h", 2};
    case BYW_BLAS_BFLOAT:
        return (struct element){"b", 2};
    default:
        return none;
    }
}

static int no_vectors(const char *call)
{
    return byw_blas_missing(call,
                            "byway supports vectors of float, double, half and bfloat16, with "
                            "scalars and sums of float or double");
}

BYW_CU_API int cublasScalEx(struct byw_blas *h, int n, const void *alpha, int scalar, void *x,
                            int type, int ix, int execution)
{
    struct element e = element_of(type, type, scalar, execution);
    long step = ix;
    void *args[] = {&n, (void *)(uintptr_t)alpha, &x, &step};

    if (h == NULL)
        return BYW_BLAS_NOT_INITIALIZED;
    if (e.prefix == NULL)
        return no_vectors("cublasScalEx");
    return ix <= 0 ? BYW_BLAS_OK : byw_blas_over(e.prefix, "scal", n, args);
}

BYW_CU_API int cublasAxpyEx(struct byw_blas *h, int n, const void *alpha, int scalar, const void *x,
                            int xt, int ix, void *y, int yt, int iy, int execution)
{
    struct element e = element_of(xt, yt, scalar, execution);
    struct vector a = vector_of(x, n, ix, e.bytes), b = vector_of(y, n, iy, e.bytes);
    void *args[] = {&n, (void *)(uintptr_t)alpha, &a.data, &a.step, &b.data, &b.step};

    if (h == NULL)
        return BYW_BLAS_NOT_INITIALIZED;
    return e.prefix == NULL ? no_vectors("cublasAxpyEx") : byw_blas_over(e.prefix, "axpy", n, args);
}

BYW_CU_API int cublasNrm2Ex(struct byw_blas *h, int n, const void *x, int type, int ix,
                            void *result, int rt, int execution)
{
    struct element e = element_of(type, rt, -1, execution);
    struct vector a = vector_of(x, n, ix, e.bytes);

    if (h == NULL)
        return BYW_BLAS_NOT_INITIALIZED;
    return e.prefix == NULL ? no_vectors("cublasNrm2Ex")
                            : sum_up(h, e.prefix, ix <= 0 ? 0 : n, 0, 1, a, a, result, e.bytes);
}

BYW_CU_API int cublasDotEx(struct byw_blas *h, int n, const void *x, int xt, int ix, const void *y,
                           int yt, int iy, void *result, int rt, int execution)
{
    struct element e = element_of(xt, yt, -1, execution);

    if (h == NULL)
        return BYW_BLAS_NOT_INITIALIZED;
    if (e.prefix == NULL || rt != xt)
        return no_vectors("cublasDotEx");
    return sum_up(h, e.prefix, n, 0, 0, vector_of(x, n, ix, e.bytes), vector_of(y, n, iy, e.bytes),
                  result, e.bytes);
}

/* Real numbers are their own conjugates. */
BYW_CU_API int cublasDotcEx(struct byw_blas *h, int n, const void *x, int xt, int ix, const void *y,
                            int yt, int iy, void *result, int rt, int execution)
{
    return cublasDotEx(h, n, x, xt, ix, y, yt, iy, result, rt, execution);
}
