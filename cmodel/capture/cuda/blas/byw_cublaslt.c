/* SPDX-License-Identifier: Apache-2.0
 *
 * libcublasLt: matrix products that descriptors define; libcublas computes them.  Matrices are
 * column-major; the supported epilogues are bias, ReLU and GELU.  Requests for anything else are
 * refused with a message. There is one algorithm.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/blas/byw_cublas_host.h"

/* Attributes of a product that have an effect; those up to EPILOGUE are numbers of 4 bytes. */
enum { COMPUTE, SCALE, POINTER_MODE, TRANSPOSE_A, TRANSPOSE_B, TRANSPOSE_C, FILL, EPILOGUE };
enum { BIAS = 8, BIAS_STRIDE = 10, FACTOR = 17, BIAS_TYPE = 26, NUMBERS = EPILOGUE + 1 };

/* All attributes: size in bytes, and the unsupported feature that a value other than zero requests.
 */
static const struct {
    size_t bytes; /* 0: no such attribute */
    const char *missing;
} attributes[] = {[COMPUTE] = {4, NULL},
                  [SCALE] = {4, NULL},
                  [POINTER_MODE] = {4, NULL},
                  [TRANSPOSE_A] = {4, NULL},
                  [TRANSPOSE_B] = {4, NULL},
                  [TRANSPOSE_C] = {4, "a transposed result"},
                  [FILL] = {4, NULL},
                  [EPILOGUE] = {4, NULL},
                  [BIAS] = {8, NULL},
                  [BIAS_STRIDE] = {8, NULL},
                  [11] = {8, NULL}, /* auxiliary output: only unsupported epilogues have one */
                  [12] = {8, NULL},
                  [13] = {8, NULL},
                  [14] = {8, NULL}, /* stride of vectors of scalars, which are unsupported */
                  [15] = {4, NULL}, /* number of SMs */
                  [FACTOR] = {8, NULL}, /* factors of A, B, C, D */
                  [18] = {8, NULL},
                  [19] = {8, NULL},
                  [20] = {8, NULL},
                  [21] = {8, "the largest magnitude of a result (amax)"},
                  /* 22 to 24: type, scale and largest magnitude of the auxiliary output */
                  [22] = {4, NULL},
                  [23] = {8, NULL},
                  [24] = {8, NULL},
                  [25] = {1, NULL}, /* fast sums of FP8 */
                  [BIAS_TYPE] = {4, NULL},
                  [27] = {4, "atomic synchronization by chunks"},
                  [28] = {4, "atomic synchronization by chunks"},
                  [29] = {8, "atomic synchronization by chunks"},
                  [30] = {8, "atomic synchronization by chunks"},
                  [31] = {4, "scaled matrices"}, /* how factors are applied */
                  [32] = {4, "scaled matrices"},
                  [33] = {4, "scaled matrices"},
                  [34] = {4, "scaled matrices"},
                  [35] = {4, "scaled matrices"},
                  [36] = {8, "scaled matrices"},
                  [37] = {4, "scaled matrices"},
                  [38] = {8, "emulated floating point"}};
enum { ATTRIBUTES = sizeof(attributes) / sizeof(attributes[0]) };

enum { FILL_ALL = 2 }; /* of cublasFillMode_t */

/* cublasLtEpilogue_t: bits. */
enum { EPILOGUE_NONE = 1, EPILOGUE_RELU = 2, EPILOGUE_BIAS = 4, EPILOGUE_GELU = 32 };

/* A product. Programs may allocate it themselves. */
struct product {
    int value[NUMBERS], bias_type;
    uint64_t asked; /* a bit for each attribute that is not zero */
    const void *bias;
    int64_t bias_stride;
    const float *factor[4]; /* of A, B, C, D; NULL: 1 */
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

/* Functions of libcublas. */
int cublasCreate_v2(struct byw_blas **handle);
int cublasDestroy_v2(struct byw_blas *handle);

/* Declares and defines a call. */
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
    *p = (struct product){
        {compute, scale, 0, 0, 0, 0, FILL_ALL, EPILOGUE_NONE}, -1, 0, NULL, 0, {NULL}};
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
    uint64_t all = 0;

    if (attribute < 0 || attribute >= ATTRIBUTES || attributes[attribute].bytes == 0 ||
        value == NULL || size != attributes[attribute].bytes)
        return BYW_BLAS_INVALID_VALUE;
    memcpy(&all, value, size);
    p->asked = all != 0 ? p->asked | 1ull << attribute : p->asked & ~(1ull << attribute);
    if (attribute < NUMBERS)
        memcpy(&p->value[attribute], value, size);
    else if (attribute == BIAS_TYPE)
        memcpy(&p->bias_type, value, size);
    else if (attribute == BIAS)
        memcpy(&p->bias, value, size);
    else if (attribute == BIAS_STRIDE)
        memcpy(&p->bias_stride, value, size);
    else if (attribute >= FACTOR && attribute < FACTOR + 4)
        memcpy(&p->factor[attribute - FACTOR], value, size);
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

/* The type of scalars: complex for products of complex numbers. */
static int scalar_of(int compute, int type)
{
    switch (compute & ~1) {
    case BYW_BLAS_COMPUTE_HALF:
        return BYW_BLAS_HALF;
    case BYW_BLAS_COMPUTE_WORD:
        return BYW_BLAS_WORD;
    case BYW_BLAS_COMPUTE_DOUBLE:
        return type == BYW_BLAS_DOUBLE_COMPLEX ? type : BYW_BLAS_DOUBLE;
    default:
        return type == BYW_BLAS_COMPLEX ? type : BYW_BLAS_FLOAT;
    }
}

static bool is_quarter(const struct layout *l)
{
    return l->type == BYW_BLAS_E4M3 || l->type == BYW_BLAS_E5M2;
}

/* The unsupported part of an epilogue; NULL: byway supports it. */
static const char *missing_epilogue(const struct product *p, const struct layout *added,
                                    const struct layout *result)
{
    int how = p->value[EPILOGUE], type = is_quarter(result) ? added->type : result->type;

    if (how == EPILOGUE_NONE)
        return NULL;
    if ((how & ~(EPILOGUE_RELU | EPILOGUE_BIAS | EPILOGUE_GELU)) != 0 ||
        how == (EPILOGUE_RELU | EPILOGUE_GELU) || how == 0)
        return "epilogues other than a bias, ReLU and GELU";
    if (type != BYW_BLAS_FLOAT && type != BYW_BLAS_HALF && type != BYW_BLAS_BFLOAT &&
        (type != BYW_BLAS_DOUBLE || (how & EPILOGUE_GELU) != 0))
        return "that epilogue and type of result";
    if ((how & EPILOGUE_BIAS) != 0 && p->bias_type != -1 && p->bias_type != type)
        return "a bias whose type differs from the result's";
    return NULL;
}

/* The unsupported part of a product; NULL: byway supports it. */
static const char *missing(const struct product *p, const struct layout *const *list, int count)
{
    for (int i = 0; i < ATTRIBUTES; i++)
        if ((p->asked >> i & 1) != 0 && attributes[i].missing != NULL)
            return attributes[i].missing;
    for (int i = 0; i < 4; i++)
        if (p->factor[i] != NULL &&
            !(is_quarter(list[0]) && (i < 3 || is_quarter(list[count - 1]))))
            return "scaled matrices of more than 8 bits";
    if (p->value[FILL] != FILL_ALL)
        return "a triangle as their result";
    if (p->value[POINTER_MODE] > 1)
        return "vectors of scalars";
    if (p->value[SCALE] != scalar_of(p->value[COMPUTE], list[0]->type))
        return "scalars whose type differs from that of the sums";
    for (int i = 0; i < count; i++)
        if (list[i]->order != 0)
            return "matrices that are not column-major";
    return missing_epilogue(p, list[count - 2], list[count - 1]);
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

static struct byw_blas_matrix matrix_of(const void *data, const struct layout *l, int operation)
{
    return (struct byw_blas_matrix){
        .data = data, .ld = l->ld, .stride = l->stride, .transposed = operation};
}

/* A factor of matrix i, in device memory. */
static float factor(const struct product *p, int i)
{
    return p->factor[i] != NULL ? *p->factor[i] : 1;
}

/* Applies the factors of 8-bit matrices. scalar: gets alpha and beta with their factors. */
static void apply_factors(const struct product *p, struct byw_blas_general *g,
                          struct byw_blas_after *after, float scalar[2])
{
    memcpy(&scalar[0], g->alpha, sizeof(float));
    memcpy(&scalar[1], g->beta, sizeof(float));
    scalar[0] *= factor(p, 0) * factor(p, 1);
    scalar[1] *= factor(p, 2);
    g->alpha = &scalar[0];
    g->beta = &scalar[1];
    after->scale = factor(p, 3);
}

CALL(cublasLtMatmul, struct byw_blas *h, const struct product *p, const void *alpha, const void *a,
     const struct layout *at, const void *b, const struct layout *bt, const void *beta,
     const void *c, const struct layout *ct, void *d, const struct layout *dt,
     const void *algorithm, void *workspace, size_t size, void *stream)
{
    const struct layout *list[] = {at, bt, ct, dt};
    const char *what = missing(p, list, 4);
    uint64_t inner = p->value[TRANSPOSE_A] == 0 ? at->columns : at->rows;
    int how = p->value[EPILOGUE];
    struct byw_blas_after after = {.from_type = ct->type,
                                   .scale = 1,
                                   .from = matrix_of(c, ct, 0),
                                   .bias = (how & EPILOGUE_BIAS) != 0 ? p->bias : NULL,
                                   .bias_stride = p->bias_stride,
                                   .finish = (how & EPILOGUE_RELU) != 0   ? RELU
                                             : (how & EPILOGUE_GELU) != 0 ? GELU
                                                                          : 0};
    struct byw_blas_general general = {(int)dt->rows,
                                       (int)dt->columns,
                                       (int)inner,
                                       dt->batch,
                                       alpha,
                                       beta,
                                       matrix_of(a, at, p->value[TRANSPOSE_A]),
                                       matrix_of(b, bt, p->value[TRANSPOSE_B]),
                                       matrix_of(d, dt, 0),
                                       &after};

    float scalar[2];

    (void)algorithm, (void)workspace, (void)size, (void)stream;
    if (what != NULL)
        return refuse(what);
    if (is_quarter(at))
        apply_factors(p, &general, &after, scalar);
    if (inner != (p->value[TRANSPOSE_B] == 0 ? bt->rows : bt->columns) ||
        (ct->type != dt->type && !is_quarter(dt)) ||
        dt->rows != (p->value[TRANSPOSE_A] == 0 ? at->rows : at->columns) ||
        dt->columns != (p->value[TRANSPOSE_B] == 0 ? bt->columns : bt->rows) ||
        ct->rows != dt->rows || ct->columns != dt->columns || ct->ld < (int64_t)ct->rows ||
        dt->rows > INT32_MAX || dt->columns > INT32_MAX || inner > INT32_MAX)
        return BYW_BLAS_INVALID_VALUE;
    return byw_blas_multiply(h, &general, (const int[]){at->type, bt->type, dt->type},
                             p->value[COMPUTE], "cublasLtMatmul");
}

/* Functions of libcublas, whose statuses and version this library shares. */
const char *cublasGetStatusName(int status);
const char *cublasGetStatusString(int status);
int cublasGetVersion_v2(struct byw_blas *h, int *version);

BYW_CU_API const char *cublasLtGetStatusName(int status)
{
    return cublasGetStatusName(status);
}

BYW_CU_API const char *cublasLtGetStatusString(int status)
{
    return cublasGetStatusString(status);
}

BYW_CU_API size_t cublasLtGetVersion(void)
{
    int version = 0;

    cublasGetVersion_v2(NULL, &version);
    return (size_t)version;
}

BYW_CU_API size_t cublasLtGetCudartVersion(void)
{
    return BYW_CUDA_MAJOR * 1000;
}
