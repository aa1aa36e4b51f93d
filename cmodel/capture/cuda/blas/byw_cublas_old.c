/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface that cuBLAS had before handles: one handle for the process, scalars by value, and
 * the status of the last call.  Products, sums of vectors, and what programs need around them.
 */
#include "capture/cuda/blas/byw_cublas_host.h"

/* Functions of the new interface. */
int cublasCreate_v2(struct byw_blas **handle);
int cublasDestroy_v2(struct byw_blas *handle);

#define CALL(type, name, ...)                                                                      \
    BYW_CU_API type name(__VA_ARGS__);                                                             \
    type name(__VA_ARGS__)

/* State for which the old interface has no argument. */
static struct byw_blas *handle;
static int last;

CALL(int, cublasInit, void)
{
    return last = handle != NULL ? BYW_BLAS_OK : cublasCreate_v2(&handle);
}

CALL(int, cublasShutdown, void)
{
    last = handle == NULL ? BYW_BLAS_NOT_INITIALIZED : cublasDestroy_v2(handle);
    handle = NULL;
    return last;
}

CALL(int, cublasGetError, void)
{
    int status = last;

    last = BYW_BLAS_OK;
    return status;
}

CALL(int, cublasSetKernelStream, void *stream)
{
    if (handle != NULL)
        handle->stream = stream;
    return last = handle != NULL ? BYW_BLAS_OK : BYW_BLAS_NOT_INITIALIZED;
}

CALL(int, cublasAlloc, int n, int size, void **memory)
{
    *memory = n > 0 && size > 0 ? byw_cu_take((size_t)n * (size_t)size) : NULL;
    return last = *memory != NULL     ? BYW_BLAS_OK
                  : n > 0 && size > 0 ? BYW_BLAS_NO_MEMORY
                                      : BYW_BLAS_INVALID_VALUE;
}

CALL(int, cublasFree, void *memory)
{
    return last = byw_cu_give(memory) == BYW_CU_OK ? BYW_BLAS_OK : BYW_BLAS_INVALID_VALUE;
}

/* 'N', 'T' or 'C', in either case. */
static int operation_of(char letter)
{
    return letter == 'N' || letter == 'n'   ? BYW_BLAS_PLAIN
           : letter == 'T' || letter == 't' ? BYW_BLAS_TRANSPOSED
           : letter == 'C' || letter == 'c' ? BYW_BLAS_ADJOINT
                                            : -1;
}

/* Defines the calls of one type. */
#define OLD(T, type)                                                                               \
    int cublas##T##gemm_v2(struct byw_blas *h, int ta, int tb, int m, int n, int k,                \
                           const type *alpha, const type *a, int lda, const type *b, int ldb,      \
                           const type *beta, type *c, int ldc);                                    \
    int cublas##T##gemv_v2(struct byw_blas *h, int ta, int m, int n, const type *alpha,            \
                           const type *a, int lda, const type *x, int ix, const type *beta,        \
                           type *y, int iy);                                                       \
    int cublas##T##axpy_v2(struct byw_blas *h, int n, const type *alpha, const type *x, int ix,    \
                           type *y, int iy);                                                       \
    int cublas##T##scal_v2(struct byw_blas *h, int n, const type *alpha, type *x, int ix);         \
    int cublas##T##copy_v2(struct byw_blas *h, int n, const type *x, int ix, type *y, int iy);     \
    int cublas##T##dot_v2(struct byw_blas *h, int n, const type *x, int ix, const type *y, int iy, \
                          type *result);                                                           \
    int cublas##T##nrm2_v2(struct byw_blas *h, int n, const type *x, int ix, type *result);        \
    CALL(void, cublas##T##gemm, char ta, char tb, int m, int n, int k, type alpha, const type *a,  \
         int lda, const type *b, int ldb, type beta, type *c, int ldc)                             \
    {                                                                                              \
        last = cublas##T##gemm_v2(handle, operation_of(ta), operation_of(tb), m, n, k, &alpha, a,  \
                                  lda, b, ldb, &beta, c, ldc);                                     \
    }                                                                                              \
    CALL(void, cublas##T##gemv, char ta, int m, int n, type alpha, const type *a, int lda,         \
         const type *x, int ix, type beta, type *y, int iy)                                        \
    {                                                                                              \
        last = cublas##T##gemv_v2(handle, operation_of(ta), m, n, &alpha, a, lda, x, ix, &beta, y, \
                                  iy);                                                             \
    }                                                                                              \
    CALL(void, cublas##T##axpy, int n, type alpha, const type *x, int ix, type *y, int iy)         \
    {                                                                                              \
        last = cublas##T##axpy_v2(handle, n, &alpha, x, ix, y, iy);                                \
    }                                                                                              \
    CALL(void, cublas##T##scal, int n, type alpha, type *x, int ix)                                \
    {                                                                                              \
        last = cublas##T##scal_v2(handle, n, &alpha, x, ix);                                       \
    }                                                                                              \
    CALL(void, cublas##T##copy, int n, const type *x, int ix, type *y, int iy)                     \
    {                                                                                              \
        last = cublas##T##copy_v2(handle, n, x, ix, y, iy);                                        \
    }                                                                                              \
    CALL(type, cublas##T##dot, int n, const type *x, int ix, const type *y, int iy)                \
    {                                                                                              \
        type result = 0;                                                                           \
                                                                                                   \
        last = cublas##T##dot_v2(handle, n, x, ix, y, iy, &result);                                \
        return result;                                                                             \
    }                                                                                              \
    CALL(type, cublas##T##nrm2, int n, const type *x, int ix)                                      \
    {                                                                                              \
        type result = 0;                                                                           \
                                                                                                   \
        last = cublas##T##nrm2_v2(handle, n, x, ix, &result);                                      \
        return result;                                                                             \
    }

OLD(S, float)
OLD(D, double)
