/* SPDX-License-Identifier: Apache-2.0
 *
 * cu_blaslt - products by libcublasLt against plain C.  Prints "ok NAME" or "not ok NAME".
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cublasLtCreate(void **handle);
int cublasLtDestroy(void *handle);
int cublasLtMatmulDescCreate(void **p, int compute, int scale);
int cublasLtMatmulDescSetAttribute(void *p, int attribute, const void *value, size_t size);
int cublasLtMatrixLayoutCreate(void **l, int type, uint64_t rows, uint64_t columns, int64_t ld);
int cublasLtMatrixLayoutSetAttribute(void *l, int attribute, const void *value, size_t size);
int cublasLtMatmulAlgoGetHeuristic(void *h, void *p, void *a, void *b, void *c, void *d, void *how,
                                   int room, void *found, int *count);
int cublasLtMatmul(void *h, void *p, const void *alpha, const void *a, void *at, const void *b,
                   void *bt, const void *beta, const void *c, void *ct, void *d, void *dt,
                   const void *algorithm, void *workspace, size_t size, void *stream);
int cudaMalloc(void **memory, size_t size);
int cudaMemcpy(void *to, const void *from, size_t size, int kind);

enum { M = 5, N = 7, K = 3, LD = 9, BATCH = 2, COMPUTE_FLOAT = 68, FLOAT = 0 };
enum { TRANSPOSE_A = 3, EPILOGUE = 7, BATCHES = 5, STRIDE = 6 };
#define CELLS (BATCH * LD * LD)

static bool all = true;

static void check(bool good, const char *name)
{
    printf("%s %s\n", good ? "ok" : "not ok", name);
    all &= good;
}

static float *on_device(const float *values)
{
    void *memory;

    cudaMalloc(&memory, CELLS * sizeof(float));
    cudaMemcpy(memory, values, CELLS * sizeof(float), 1);
    return memory;
}

static void *layout(uint64_t rows, uint64_t columns)
{
    const int batch = BATCH;
    const int64_t stride = LD * LD;
    void *l;

    cublasLtMatrixLayoutCreate(&l, FLOAT, rows, columns, LD);
    cublasLtMatrixLayoutSetAttribute(l, BATCHES, &batch, sizeof(batch));
    cublasLtMatrixLayoutSetAttribute(l, STRIDE, &stride, sizeof(stride));
    return l;
}

/* d = 2 a' b + 3 c, a being K x M; cells outside the result do not change. */
static bool is_right(const float *a, const float *b, const float *c, const float *d)
{
    for (int n = 0; n < BATCH; n++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < M; i++) {
                int from = n * LD * LD;
                float sum = 3 * c[from + j * LD + i];

                for (int k = 0; k < K; k++)
                    sum += 2 * a[from + i * LD + k] * b[from + j * LD + k];
                if (d[from + j * LD + i] != sum)
                    return false;
            }
    return d[M] == -1 && d[LD * LD - 1] == -1;
}

int main(void)
{
    static float a[CELLS], b[CELLS], c[CELLS], d[CELLS];
    const float alpha = 2, beta = 3;
    const int transposed = 1, relu = 2;
    float *da, *db, *dc, *dd;
    void *h, *p, *la = layout(K, M), *lb = layout(K, N), *lc = layout(M, N);
    unsigned char found[128];
    int count = 0;

    for (int i = 0; i < CELLS; i++) {
        a[i] = (float)(i % 5);
        b[i] = (float)(i % 7);
        c[i] = (float)(i % 3);
        d[i] = -1;
    }
    da = on_device(a);
    db = on_device(b);
    dc = on_device(c);
    dd = on_device(d);
    check(cublasLtCreate(&h) == 0, "a handle is made");
    cublasLtMatmulDescCreate(&p, COMPUTE_FLOAT, FLOAT);
    cublasLtMatmulDescSetAttribute(p, TRANSPOSE_A, &transposed, sizeof(transposed));
    check(cublasLtMatmulAlgoGetHeuristic(h, p, la, lb, lc, lc, NULL, 1, found, &count) == 0 &&
              count == 1,
          "there is an algorithm");
    check(cublasLtMatmul(h, p, &alpha, da, la, db, lb, &beta, dc, lc, dd, lc, found, NULL, 0,
                         NULL) == 0,
          "a batch of products runs");
    cudaMemcpy(d, dd, sizeof(d), 2);
    check(is_right(a, b, c, d), "its results are those of plain C, in another matrix than c");
    check(cublasLtMatmul(h, p, &alpha, da, la, db, lc, &beta, dc, lc, dd, lc, found, NULL, 0,
                         NULL) == 7,
          "matrices whose shapes do not fit are refused");
    cublasLtMatmulDescSetAttribute(p, EPILOGUE, &relu, sizeof(relu));
    check(cublasLtMatmul(h, p, &alpha, da, la, db, lb, &beta, dc, lc, dd, lc, found, NULL, 0,
                         NULL) == 15,
          "an epilogue is refused");
    cublasLtDestroy(h);
    return all ? 0 : 1;
}
