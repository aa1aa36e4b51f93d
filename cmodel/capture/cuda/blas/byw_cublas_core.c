/* SPDX-License-Identifier: Apache-2.0
 *
 * Handles, settings, copies, and launches.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/blas/byw_cublas_host.h"

/* The kernels, compiled by clang when byway was built (cuda.mk). */
__asm__(".pushsection .rodata\n"
        "byw_cublas_ptx:\n"
        ".incbin \"" BYW_CUBLAS_PTX "\"\n"
        ".byte 0\n"
        ".popsection\n");
extern const char byw_cublas_ptx[] __attribute__((visibility("hidden")));

/* The C API has no module handles, so a process has one copy of the kernels. */
static struct byw_cu_module *module;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void)
{
    if (byw_cu_load(byw_cublas_ptx, &module) != BYW_CU_OK)
        module = NULL;
}

int byw_blas_launch(const char *prefix, const char *name, const unsigned grid[3], bool matrix,
                    void *const *args)
{
    static const unsigned blocks[2][3] = {{REDUCE, 1, 1}, {TILE, TILE, 1}};
    struct byw_cu_function *function;
    char full[32];

    pthread_once(&once, load);
    snprintf(full, sizeof(full), "%s%s", prefix, name);
    if (module == NULL || byw_cu_find_function(module, full, &function) != BYW_CU_OK)
        return BYW_BLAS_NOT_INITIALIZED;
    return byw_cu_launch(function, grid, blocks[matrix], NULL, 0, args) == BYW_CU_OK
               ? BYW_BLAS_OK
               : BYW_BLAS_FAILED;
}

int byw_blas_over(const char *prefix, const char *name, long n, void *const *args)
{
    const unsigned grid[3] = {(unsigned)((n + REDUCE - 1) / REDUCE), 1, 1};

    return n <= 0 ? BYW_BLAS_OK : byw_blas_launch(prefix, name, grid, false, args);
}

int byw_blas_over_matrix(const char *prefix, const char *name, int m, int n, int batch,
                         void *const *args)
{
    const unsigned grid[3] = {((unsigned)m + TILE - 1) / TILE, ((unsigned)n + TILE - 1) / TILE,
                              (unsigned)batch};

    return m == 0 || n == 0 || batch == 0 ? BYW_BLAS_OK
                                          : byw_blas_launch(prefix, name, grid, true, args);
}

int byw_blas_product(const char *prefix, int m, int n, int k, const void *alpha,
                     struct byw_blas_matrix a, struct byw_blas_matrix b, const void *beta,
                     struct byw_blas_matrix result, int part, int batch,
                     const struct byw_blas_after *after)
{
    struct byw_blas_after plain = {.from = result};
    struct byw_blas_after *how = after != NULL ? (struct byw_blas_after *)(uintptr_t)after : &plain;
    void *args[] = {&m,
                    &n,
                    &k,
                    (void *)(uintptr_t)alpha,
                    &a.data,
                    &a.ld,
                    &a.transposed,
                    &a.kind,
                    &b.data,
                    &b.ld,
                    &b.transposed,
                    &b.kind,
                    (void *)(uintptr_t)beta,
                    &how->from.data,
                    &how->from.ld,
                    &result.data,
                    &result.ld,
                    &part,
                    &a.stride,
                    &b.stride,
                    &how->from.stride,
                    &result.stride,
                    &a.list,
                    &b.list,
                    &result.list,
                    &how->bias,
                    &how->bias_stride,
                    &how->finish,
                    &how->scale};

    return byw_blas_over_matrix(prefix, "gemm", m, n, batch, args);
}

int byw_blas_missing(const char *call, const char *why)
{
    byw_cu_say("%s: %s (cmodel/doc/cuda.md lists what is supported)", call, why);
    return BYW_BLAS_NOT_SUPPORTED;
}

BYW_CU_API int cublasCreate_v2(struct byw_blas **handle)
{
    struct byw_blas *h;

    if (handle == NULL)
        return BYW_BLAS_INVALID_VALUE;
    h = calloc(1, sizeof(*h));
    if (h != NULL)
        h->partial = byw_cu_take((BYW_BLAS_BLOCKS + 1) * sizeof(double));
    if (h == NULL || h->partial == NULL) {
        free(h);
        return BYW_BLAS_NO_MEMORY;
    }
    *handle = h;
    return BYW_BLAS_OK;
}

BYW_CU_API int cublasDestroy_v2(struct byw_blas *h)
{
    if (h == NULL)
        return BYW_BLAS_NOT_INITIALIZED;
    byw_cu_give(h->partial);
    free(h);
    return BYW_BLAS_OK;
}

/* A value that the handle only stores for the program. */
#define SETTING(set, get, type, field)                                                             \
    BYW_CU_API int set(struct byw_blas *h, type value)                                             \
    {                                                                                              \
        if (h == NULL)                                                                             \
            return BYW_BLAS_NOT_INITIALIZED;                                                       \
        h->field = value;                                                                          \
        return BYW_BLAS_OK;                                                                        \
    }                                                                                              \
    BYW_CU_API int get(struct byw_blas *h, type *value)                                            \
    {                                                                                              \
        if (h == NULL)                                                                             \
            return BYW_BLAS_NOT_INITIALIZED;                                                       \
        *value = h->field;                                                                         \
        return BYW_BLAS_OK;                                                                        \
    }
SETTING(cublasSetStream_v2, cublasGetStream_v2, void *, stream)
SETTING(cublasSetPointerMode_v2, cublasGetPointerMode_v2, int, pointer_mode)
SETTING(cublasSetMathMode, cublasGetMathMode, int, math_mode)
SETTING(cublasSetAtomicsMode, cublasGetAtomicsMode, int, atomics_mode)

BYW_CU_API int cublasSetWorkspace_v2(struct byw_blas *h, void *workspace, size_t bytes)
{
    (void)bytes;
    if (h == NULL)
        return BYW_BLAS_NOT_INITIALIZED;
    h->workspace = workspace;
    return BYW_BLAS_OK;
}

BYW_CU_API int cublasGetVersion_v2(struct byw_blas *h, int *version)
{
    (void)h;
    *version = BYW_CUDA_MAJOR * 10000;
    return BYW_BLAS_OK;
}

BYW_CU_API size_t cublasGetCudartVersion(void)
{
    return BYW_CUDA_MAJOR * 1000;
}

BYW_CU_API int cublasGetProperty(int which, int *value)
{
    *value = which == 0 ? BYW_CUDA_MAJOR : 0;
    return BYW_BLAS_OK;
}

static const struct {
    int status;
    const char *name, *text;
} statuses[] = {
    {0, "CUBLAS_STATUS_SUCCESS", "success"},
    {1, "CUBLAS_STATUS_NOT_INITIALIZED", "the library was not initialized"},
    {3, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
    {7, "CUBLAS_STATUS_INVALID_VALUE", "an invalid value was used as an argument"},
    {8, "CUBLAS_STATUS_ARCH_MISMATCH", "an absent device architectural feature is required"},
    {11, "CUBLAS_STATUS_MAPPING_ERROR", "an access to GPU memory space failed"},
    {13, "CUBLAS_STATUS_EXECUTION_FAILED", "the function failed to launch on the GPU"},
    {14, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed"},
    {15, "CUBLAS_STATUS_NOT_SUPPORTED", "the functionality is not supported"},
    {16, "CUBLAS_STATUS_LICENSE_ERROR", "license error"}};

BYW_CU_API const char *cublasGetStatusName(int status)
{
    for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++)
        if (statuses[i].status == status)
            return statuses[i].name;
    return "unknown";
}

BYW_CU_API const char *cublasGetStatusString(int status)
{
    for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++)
        if (statuses[i].status == status)
            return statuses[i].text;
    return "unknown";
}

static int copy_vector(int n, int size, const void *x, int ix, void *y, int iy)
{
    if (n < 0 || size <= 0 || ix <= 0 || iy <= 0)
        return BYW_BLAS_INVALID_VALUE;
    for (long i = 0; i < n; i++)
        memcpy((char *)y + i * iy * size, (const char *)x + i * ix * size, (size_t)size);
    return BYW_BLAS_OK;
}

static int copy_matrix(int m, int n, int size, const void *a, int lda, void *b, int ldb)
{
    if (m < 0 || n < 0 || size <= 0 || lda < m || ldb < m)
        return BYW_BLAS_INVALID_VALUE;
    for (long j = 0; j < n; j++)
        memcpy((char *)b + j * ldb * size, (const char *)a + j * lda * size,
               (size_t)m * (size_t)size);
    return BYW_BLAS_OK;
}

#define COPIES(direction)                                                                          \
    BYW_CU_API int cublas##direction##Vector(int n, int size, const void *x, int ix, void *y,      \
                                             int iy)                                               \
    {                                                                                              \
        return copy_vector(n, size, x, ix, y, iy);                                                 \
    }                                                                                              \
    BYW_CU_API int cublas##direction##VectorAsync(int n, int size, const void *x, int ix, void *y, \
                                                  int iy, void *stream)                            \
    {                                                                                              \
        (void)stream;                                                                              \
        return copy_vector(n, size, x, ix, y, iy);                                                 \
    }                                                                                              \
    BYW_CU_API int cublas##direction##Matrix(int m, int n, int size, const void *a, int lda,       \
                                             void *b, int ldb)                                     \
    {                                                                                              \
        return copy_matrix(m, n, size, a, lda, b, ldb);                                            \
    }                                                                                              \
    BYW_CU_API int cublas##direction##MatrixAsync(int m, int n, int size, const void *a, int lda,  \
                                                  void *b, int ldb, void *stream)                  \
    {                                                                                              \
        (void)stream;                                                                              \
        return copy_matrix(m, n, size, a, lda, b, ldb);                                            \
    }
COPIES(Set)
COPIES(Get)
