/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cublas_host.h - declarations shared by the parts of libcublas.
 *
 * Each call checks its arguments as BLAS does, and launches kernels of byw_cublas.cu.  Calls
 * complete before they return, so streams are only stored; device memory is host memory, so
 * scalars can be read from either.
 */
#ifndef BYW_CUBLAS_HOST_H
#define BYW_CUBLAS_HOST_H

#include <stdbool.h>
#include <stddef.h>

#include "capture/cuda/blas/byw_cublas_shapes.h"
#include "capture/cuda/byw_cu.h"

enum byw_blas_status {
    BYW_BLAS_OK = 0,
    BYW_BLAS_NOT_INITIALIZED = 1,
    BYW_BLAS_NO_MEMORY = 3,
    BYW_BLAS_INVALID_VALUE = 7,
    BYW_BLAS_FAILED = 13,
    BYW_BLAS_NOT_SUPPORTED = 15
};
enum byw_blas_operation { BYW_BLAS_PLAIN = 0, BYW_BLAS_TRANSPOSED = 1, BYW_BLAS_ADJOINT = 2 };

/* The values of cudaDataType that matrices may have. */
enum byw_blas_type {
    BYW_BLAS_FLOAT = 0,
    BYW_BLAS_DOUBLE = 1,
    BYW_BLAS_HALF = 2,
    BYW_BLAS_BYTE = 3,
    BYW_BLAS_COMPLEX = 4,
    BYW_BLAS_DOUBLE_COMPLEX = 5,
    BYW_BLAS_WORD = 10,
    BYW_BLAS_BFLOAT = 14,
    BYW_BLAS_E4M3 = 28,
    BYW_BLAS_E5M2 = 29
};

/* cublasComputeType_t, or cudaDataType, which older programs pass instead; variants differ only in
 * speed. */
enum byw_blas_compute {
    BYW_BLAS_COMPUTE_HALF = 64,
    BYW_BLAS_COMPUTE_FLOAT = 68,
    BYW_BLAS_COMPUTE_DOUBLE = 70,
    BYW_BLAS_COMPUTE_WORD = 72,
    BYW_BLAS_COMPUTE_FAST = 74, /* up to 79: single precision */
    BYW_BLAS_COMPUTE_END = 80
};

struct byw_blas {
    void *stream, *workspace;
    int pointer_mode, math_mode, atomics_mode;
    double *partial; /* sums of blocks, then a result of 8 bytes */
};

#define BYW_BLAS_BLOCKS REDUCE /* largest number of blocks whose sums are added up */

/* Launches the kernel with this type's prefix and name. matrix: blocks have TILE x TILE threads,
 * else REDUCE. */
int byw_blas_launch(const char *prefix, const char *name, const unsigned grid[3], bool matrix,
                    void *const *args);

/* Launches one thread for each of n elements. */
int byw_blas_over(const char *prefix, const char *name, long n, void *const *args);

/* Launches one thread for each element of m x n, `batch` times. */
int byw_blas_over_matrix(const char *prefix, const char *name, int m, int n, int batch,
                         void *const *args);

/* One operand of a product. */
struct byw_blas_matrix {
    const void *data; /* NULL: `list` has an address for each of the batch */
    const void *list;
    long ld, stride;
    int transposed, kind; /* 0, or a constant of byw_cublas_shapes.h */
};

/* Further operands of a product, and the function applied to its elements. */
struct byw_blas_after {
    struct byw_blas_matrix from; /* what beta scales */
    const void *bias; /* added to each column; NULL: none */
    long bias_stride;
    int finish; /* 0, RELU, GELU */
    /* type of `from` if the result has 8 bits; the result is then scaled at the end */
    int from_type;
    float scale;
};

/* Computes result = finish(alpha a b + beta from + bias), of which `part` is written. after NULL:
 * beta scales the old result, without bias and finish. alpha and beta have the type in which
 * products are summed. */
int byw_blas_product(const char *prefix, int m, int n, int k, const void *alpha,
                     struct byw_blas_matrix a, struct byw_blas_matrix b, const void *beta,
                     struct byw_blas_matrix result, int part, int batch,
                     const struct byw_blas_after *after);

/* A product of general matrices, whose `transposed` is an operation. */
struct byw_blas_general {
    int m, n, k, batch;
    const void *alpha, *beta;
    struct byw_blas_matrix a, b, c;
    const struct byw_blas_after *after; /* NULL: see byw_blas_product() */
};

/* Computes a product. types: of a, b and c; compute: the type in which products are summed; call:
 * the name for a message about an unsupported product. Also used by libcublasLt. */
BYW_CU_API int byw_blas_multiply(struct byw_blas *h, const struct byw_blas_general *p,
                                 const int types[3], int compute, const char *call);

/* Reports a call that byway does not support. */
int byw_blas_missing(const char *call, const char *why);

static inline bool byw_blas_is_operation(int operation)
{
    return operation >= BYW_BLAS_PLAIN && operation <= BYW_BLAS_ADJOINT;
}

/* fill: 0 lower, 1 upper. */
static inline int byw_blas_part(int fill)
{
    return fill == 0 ? LOWER : UPPER;
}

/* Position of the first of n elements: with a negative step, BLAS begins at the other end. */
static inline void *byw_blas_first(const void *x, int n, int step, size_t bytes)
{
    long offset = step < 0 ? (1 - (long)n) * step : 0;

    return (unsigned char *)(uintptr_t)x + offset * (long)bytes;
}

#endif
