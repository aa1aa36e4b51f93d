/* SPDX-License-Identifier: Apache-2.0
 *
 * libcublasLt: matrix products by descriptors, as products of libcublas.  Matrices must be
 * column-major and products have no epilogue; other calls print a message and fail. There is one
 * algorithm.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/blas/byw_cublas_host.h"

/* A product; its attributes, numbered from COMPUTE on, all have 4 bytes. */
enum { COMPUTE, SCALE, POINTER_MODE, TRANSPOSE_A, TRANSPOSE_B, TRANSPOSE_C, FILL, EPILOGUE };
enum { PRODUCT_ATTRIBUTES = EPILOGUE + 1, NO_EPILOGUE = 1 };

struct product {
    int value[PRODUCT_ATTRIBUTES];
};

/* Must fit in the opaque structure of 64 bytes that programs may allocate. */
struct layout {
    int type, order;
    uint64_t rows, columns;
    int64_t ld;
    int batch;
    int64_t stride;
};

/* Result of cublasLtMatmulAlgoGetHeuristic. */
struct found {
    uint64_t algorithm[8];
    size_t workspace;
    int state;
    float waves;
    int reserved[4];
};

/* libcublas. */
int cublasCreate_v2(struct byw_blas **handle);
int cublasDestroy_v2(struct byw_blas *handle);
int cublasGemmStridedBatchedEx(struct byw_blas *h, int ta, int tb, int m, int n, int k,
                               const void *alpha, const void *a, int at, int lda, long long sa,
                               const void *b, int bt, int ldb, long long sb, const void *beta,
                               void *c, int ct, int ldc, long long sc, int batch, int compute,
                               int algorithm);

/* A call: declared, then defined. */
#define CALL(name, ...)                                                                            \
    BYW_CU_API int name(__VA_ARGS__);                                                              \
    int name(__VA_ARGS__)

CALL(cublasLtCreate, struct byw_blas **handle)
{
    return cublasCreate_v2(handle);
}

CALL(cublasLtDestroy, struct byw_blas *handle)
{
    return cublasDestroy_v2(handle);
}

CALL(cublasLtMatmulDescInit_internal, struct product *p, size_t size, int compute, int scale)
{
    if (size < sizeof(*p))
        return BYW_BLAS_INVALID_VALUE;
    *p = (struct product){{compute, scale, 0, 0, 0, 0, 0, NO_EPILOGUE}};
    return BYW_BLAS_OK;
}

CALL(cublasLtMatmulDescCreate, struct product **p, int compute, int scale)
{
    *p = malloc(sizeof(**p));
    return *p != NULL ? cublasLtMatmulDescInit_internal(*p, sizeof(**p), compute, scale)
                      : BYW_BLAS_NO_MEMORY;
}

CALL(cublasLtMatmulDescDestroy, struct product *p)
{
    free(p);
    return BYW_BLAS_OK;
}

CALL(cublasLtMatmulDescSetAttribute, struct product *p, int attribute, const void *value,
     size_t size)
{
    if (attribute >= PRODUCT_ATTRIBUTES) /* of epilogues and scheduling */
        return BYW_BLAS_OK;
    if (attribute < 0 || size != sizeof(int))
        return BYW_BLAS_INVALID_VALUE;
    memcpy(&p->value[attribute], value, sizeof(int));
    return BYW_BLAS_OK;
}

CALL(cublasLtMatrixLayoutInit_internal, struct layout *l, size_t size, int type, uint64_t rows,
     uint64_t columns, int64_t ld)
{
    if (size < sizeof(*l))
        return BYW_BLAS_INVALID_VALUE;
    *l = (struct layout){type, 0, rows, columns, ld, 1, 0};
    return BYW_BLAS_OK;
}

CALL(cublasLtMatrixLayoutCreate, struct layout **l, int type, uint64_t rows, uint64_t columns,
     int64_t ld)
{
    *l = malloc(sizeof(**l));
    return *l != NULL ? cublasLtMatrixLayoutInit_internal(*l, sizeof(**l), type, rows, columns, ld)
                      : BYW_BLAS_NO_MEMORY;
}

CALL(cublasLtMatrixLayoutDestroy, struct layout *l)
{
    free(l);
    return BYW_BLAS_OK;
}

CALL(cublasLtMatrixLayoutSetAttribute, struct layout *l, int attribute, const void *value,
     size_t size)
{
    const struct {
        void *field;
        size_t size;
    } fields[] = {{&l->type, 4}, {&l->order, 4}, {&l->rows, 8},  {&l->columns, 8},
                  {&l->ld, 8},   {&l->batch, 4}, {&l->stride, 8}};

    if (attribute < 0 || (size_t)attribute >= sizeof(fields) / sizeof(fields[0]) ||
        size != fields[attribute].size)
        return BYW_BLAS_INVALID_VALUE;
    memcpy(fields[attribute].field, value, size);
    return BYW_BLAS_OK;
}

CALL(cublasLtMatmulPreferenceInit_internal, void *preference, size_t size)
{
    memset(preference, 0, size);
    return BYW_BLAS_OK;
}

CALL(cublasLtMatmulPreferenceCreate, void **preference)
{
    *preference = calloc(1, 64);
    return *preference != NULL ? BYW_BLAS_OK : BYW_BLAS_NO_MEMORY;
}

CALL(cublasLtMatmulPreferenceDestroy, void *preference)
{
    free(preference);
    return BYW_BLAS_OK;
}

CALL(cublasLtMatmulPreferenceSetAttribute, void *preference, int attribute, const void *value,
     size_t size)
{
    (void)preference, (void)attribute, (void)value, (void)size;
    return BYW_BLAS_OK;
}

/* Names the feature of a product that byway does not support; NULL if there is none. */
static const char *missing(const struct product *p, const struct layout *const *list, int count)
{
    if (p->value[EPILOGUE] != NO_EPILOGUE)
        return "an epilogue";
    if (p->value[POINTER_MODE] > 1)
        return "vectors of scalars";
    if (p->value[TRANSPOSE_C] != 0)
        return "a transposed result";
    for (int i = 0; i < count; i++)
        if (list[i]->order != 0)
            return "matrices that are not column-major";
    return NULL;
}

static int refuse(const char *what)
{
    byw_cu_say("cublasLtMatmul: byway does not support products with %s", what);
    return BYW_BLAS_NOT_SUPPORTED;
}

CALL(cublasLtMatmulAlgoGetHeuristic, struct byw_blas *h, const struct product *p,
     const struct layout *a, const struct layout *b, const struct layout *c, const struct layout *d,
     const void *preference, int room, struct found *found, int *count)
{
    const struct layout *list[] = {a, b, c, d};
    const char *what = missing(p, list, 4);

    (void)h, (void)preference;
    *count = 0;
    if (what != NULL)
        return refuse(what);
    if (room < 1)
        return BYW_BLAS_INVALID_VALUE;
    memset(found, 0, sizeof(*found));
    *count = 1;
    return BYW_BLAS_OK;
}

static size_t bytes_of(int type)
{
    return type == BYW_BLAS_DOUBLE ? 8 : type == BYW_BLAS_FLOAT ? 4 : 2;
}

/* d = c; device memory is host memory. */
static void copy(const void *c, const struct layout *from, void *d, const struct layout *to)
{
    size_t bytes = bytes_of(from->type);

    for (int i = 0; i < to->batch; i++)
        for (uint64_t column = 0; column < to->columns; column++)
            memmove((char *)d + bytes * (size_t)(i * to->stride + (int64_t)column * to->ld),
                    (const char *)c +
                        bytes * (size_t)(i * from->stride + (int64_t)column * from->ld),
                    bytes * to->rows);
}

CALL(cublasLtMatmul, struct byw_blas *h, const struct product *p, const void *alpha, const void *a,
     const struct layout *at, const void *b, const struct layout *bt, const void *beta,
     const void *c, const struct layout *ct, void *d, const struct layout *dt,
     const void *algorithm, void *workspace, size_t size, void *stream)
{
    const struct layout *list[] = {at, bt, ct, dt};
    const char *what = missing(p, list, 4);
    uint64_t inner = p->value[TRANSPOSE_A] == 0 ? at->columns : at->rows;

    (void)algorithm, (void)workspace, (void)size, (void)stream;
    if (what != NULL)
        return refuse(what);
    if (inner != (p->value[TRANSPOSE_B] == 0 ? bt->rows : bt->columns) || ct->type != dt->type)
        return BYW_BLAS_INVALID_VALUE;
    if (c != d)
        copy(c, ct, d, dt);
    return cublasGemmStridedBatchedEx(
        h, p->value[TRANSPOSE_A], p->value[TRANSPOSE_B], (int)dt->rows, (int)dt->columns,
        (int)inner, alpha, a, at->type, (int)at->ld, at->stride, b, bt->type, (int)bt->ld,
        bt->stride, beta, d, dt->type, (int)dt->ld, dt->stride, dt->batch, p->value[COMPUTE], 0);
}
