/* SPDX-License-Identifier: Apache-2.0
 *
 * cu_blas_types - cuBLAS on complex numbers, bytes, halves and bfloat16, against plain C.  Elements
 * are small integers, so that all results are exact.  Prints "ok NAME" or "not ok NAME".
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* cudaDataType, and cublasComputeType_t. */
enum { R32 = 0, R64 = 1, R16 = 2, R8 = 3, C32 = 4, C64 = 5, WORD = 10, BRAIN = 14 };
enum { SUM_FLOAT = 68, SUM_DOUBLE = 70, SUM_WORD = 72, FAST_TF32 = 77 };
enum { M = 37, N = 21, K = 19, LD = 40, CELLS = LD * LD, NOT_SUPPORTED = 15 };

int cudaMalloc(void **memory, size_t size);
int cudaFree(void *memory);
int cudaMemcpy(void *to, const void *from, size_t n, int kind);
int cublasCreate_v2(void **handle);
int cublasGemmEx(void *h, int ta, int tb, int m, int n, int k, const void *alpha, const void *a,
                 int at, int lda, const void *b, int bt, int ldb, const void *beta, void *c, int ct,
                 int ldc, int compute, int algorithm);
int cublasCgemm_v2(void *h, int ta, int tb, int m, int n, int k, const void *alpha, const void *a,
                   int lda, const void *b, int ldb, const void *beta, void *c, int ldc);
int cublasZgemm_v2(void *h, int ta, int tb, int m, int n, int k, const void *alpha, const void *a,
                   int lda, const void *b, int ldb, const void *beta, void *c, int ldc);
int cublasCgemmStridedBatched(void *h, int ta, int tb, int m, int n, int k, const void *alpha,
                              const void *a, int lda, long long sa, const void *b, int ldb,
                              long long sb, const void *beta, void *c, int ldc, long long sc,
                              int batch);
int cublasScalEx(void *h, int n, const void *alpha, int at, void *x, int xt, int ix, int e);
int cublasAxpyEx(void *h, int n, const void *alpha, int at, const void *x, int xt, int ix, void *y,
                 int yt, int iy, int e);
int cublasNrm2Ex(void *h, int n, const void *x, int xt, int ix, void *result, int rt, int e);
int cublasDotEx(void *h, int n, const void *x, int xt, int ix, const void *y, int yt, int iy,
                void *result, int rt, int e);

static void *handle;
static bool all = true;

static void check(bool good, const char *name)
{
    printf("%s %s\n", good ? "ok" : "not ok", name);
    all &= good;
}

static size_t bytes_of(int type)
{
    static const size_t bytes[] = {
        [R32] = 4, [R64] = 8, [R16] = 2, [R8] = 1, [C32] = 8, [C64] = 16, [WORD] = 4, [BRAIN] = 2};

    return bytes[type];
}

/* Bits of an integer as a floating-point number with these bits of exponent and fraction; the
 * integer must fit. */
static uint16_t short_float(int value, int fraction, int bias)
{
    unsigned size = (unsigned)abs(value), e = 0;

    while (size >> (e + 1) != 0)
        e++;
    return value == 0 ? 0
                      : (uint16_t)((value < 0 ? 0x8000u : 0) | (e + (unsigned)bias) << fraction |
                                   ((size << fraction >> e) & ((1u << fraction) - 1)));
}

/* Writes element i of an array of a type: x + iy. */
static void put(void *array, int i, int type, int x, int y)
{
    switch (type) {
    case R32:
        ((float *)array)[i] = (float)x;
        break;
    case R64:
        ((double *)array)[i] = x;
        break;
    case R16:
        ((uint16_t *)array)[i] = short_float(x, 10, 15);
        break;
    case BRAIN:
        ((uint16_t *)array)[i] = short_float(x, 7, 127);
        break;
    case R8:
        ((int8_t *)array)[i] = (int8_t)x;
        break;
    case WORD:
        ((int32_t *)array)[i] = x;
        break;
    case C32:
        ((float *)array)[2 * i] = (float)x;
        ((float *)array)[2 * i + 1] = (float)y;
        break;
    default:
        ((double *)array)[2 * i] = x;
        ((double *)array)[2 * i + 1] = y;
    }
}

/* A matrix of small integers; kind 0, 1, 2 for a, b, c. */
struct matrix {
    int x[CELLS], y[CELLS];
    unsigned char host[16 * CELLS];
    void *device;
    int type;
};

static void make(struct matrix *m, int type, int seed)
{
    bool complex = type == C32 || type == C64;

    m->type = type;
    for (int i = 0; i < CELLS; i++) {
        m->x[i] = (i * 7 + seed) % 5 - 2;
        m->y[i] = complex ? (i * 3 + seed) % 4 - 1 : 0;
        put(m->host, i, type, m->x[i], m->y[i]);
    }
    cudaMalloc(&m->device, bytes_of(type) * CELLS);
    cudaMemcpy(m->device, m->host, bytes_of(type) * CELLS, 1);
}

static bool holds(const struct matrix *m)
{
    static unsigned char got[16 * CELLS];

    cudaMemcpy(got, m->device, bytes_of(m->type) * CELLS, 2);
    cudaFree(m->device);
    return memcmp(got, m->host, bytes_of(m->type) * CELLS) == 0;
}

/* An element of op(a). */
static void element(const struct matrix *a, int op, int i, int j, int *x, int *y)
{
    int at = op == 0 ? i + j * LD : j + i * LD;

    *x = a->x[at];
    *y = op == 2 ? -a->y[at] : a->y[at];
}

/* c = alpha op(a) op(b) + beta c in plain C; c is M x N, and each element sums K products. */
static void multiply(const struct matrix *a, int ta, const struct matrix *b, int tb,
                     struct matrix *c, const int alpha[2], const int beta[2])
{
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++) {
            int sx = 0, sy = 0, at = i + j * LD, cx = c->x[at], cy = c->y[at];

            for (int k = 0; k < K; k++) {
                int ax, ay, bx, by;

                element(a, ta, i, k, &ax, &ay);
                element(b, tb, k, j, &bx, &by);
                sx += ax * bx - ay * by;
                sy += ax * by + ay * bx;
            }
            c->x[at] = alpha[0] * sx - alpha[1] * sy + beta[0] * cx - beta[1] * cy;
            c->y[at] = alpha[0] * sy + alpha[1] * sx + beta[0] * cy + beta[1] * cx;
            put(c->host, at, c->type, c->x[at], c->y[at]);
        }
}

static void check_type(const char *name, int from, int to, int scalars, int compute)
{
    static struct matrix a, b, c;
    bool complex = from == C32 || from == C64;
    const int alpha[2] = {2, complex ? -1 : 0}, beta[2] = {3, complex ? 1 : 0};
    unsigned char scalar[2][16];
    char full[96];

    put(scalar[0], 0, scalars, alpha[0], alpha[1]);
    put(scalar[1], 0, scalars, beta[0], beta[1]);
    for (int op = 0; op < 9; op++) {
        int ta = op / 3, tb = op % 3, status;

        make(&a, from, 1);
        make(&b, from, 3);
        make(&c, to, 2);
        status = cublasGemmEx(handle, ta, tb, M, N, K, scalar[0], a.device, from, LD, b.device,
                              from, LD, scalar[1], c.device, to, LD, compute, -1);
        multiply(&a, ta, &b, tb, &c, alpha, beta);
        cudaFree(a.device);
        cudaFree(b.device);
        snprintf(full, sizeof(full), "products of %s, operations %d and %d", name, ta, tb);
        check(status == 0 && holds(&c), full);
    }
}

typedef int gemm(void *, int, int, int, int, int, const void *, const void *, int, const void *,
                 int, const void *, void *, int);

static void check_named(const char *name, int type, gemm *call)
{
    static struct matrix a, b, c;
    const int alpha[2] = {1, 1}, beta[2] = {0, -1};
    unsigned char scalar[2][16];
    int status;

    put(scalar[0], 0, type, alpha[0], alpha[1]);
    put(scalar[1], 0, type, beta[0], beta[1]);
    make(&a, type, 1);
    make(&b, type, 3);
    make(&c, type, 2);
    status =
        call(handle, 2, 0, M, N, K, scalar[0], a.device, LD, b.device, LD, scalar[1], c.device, LD);
    multiply(&a, 2, &b, 0, &c, alpha, beta);
    check(status == 0 && holds(&c), name);
}

/* Two products with the same a and b; one unused column separates their results c. */
static void check_batch(void)
{
    static struct matrix a, b, c[2];
    const int alpha[2] = {1, 0}, beta[2] = {0, 0};
    const float one[2] = {1, 0}, zero[2] = {0, 0};
    static unsigned char got[2 * 8 * CELLS];
    void *result;

    make(&a, C32, 1);
    make(&b, C32, 3);
    make(&c[0], C32, 0);
    cudaMalloc(&result, sizeof(got));
    cublasCgemmStridedBatched(handle, 0, 1, M, N, K, one, a.device, LD, 0, b.device, LD, 0, zero,
                              result, LD, CELLS, 2);
    cudaMemcpy(got, result, sizeof(got), 2);
    multiply(&a, 0, &b, 1, &c[0], alpha, beta);
    check(memcmp(got + 8 * (CELLS + LD), c[0].host + 8 * LD, 8 * M) == 0 &&
              memcmp(got, got + 8 * CELLS, 8 * CELLS) == 0,
          "a batch of complex products at strides");
}

/* Vectors of integers up to 3 in size: sums and roots are exact in all types. */
static void check_vectors(const char *name, int type, int scalars)
{
    static struct matrix x, y;
    unsigned char scalar[16], got[16], want[16];
    int sum = 0, n = 50;
    char full[64];
    bool good;

    make(&x, type, 1);
    make(&y, type, 3);
    put(scalar, 0, scalars, 3, 0); /* at least 0, so that no zero becomes negative */
    for (int i = 0; i < n; i++) {
        put(y.host, 3 * i, type, y.x[3 * i] += 3 * x.x[2 * i], 0);
        sum += i < 40 ? x.x[2 * i] * y.x[3 * i] : 0;
    }
    good = cublasAxpyEx(handle, n, scalar, scalars, x.device, type, 2, y.device, type, 3,
                        scalars) == 0;
    good &= cublasDotEx(handle, 40, x.device, type, 2, y.device, type, 3, got, type, scalars) == 0;
    put(want, 0, type, sum, 0);
    snprintf(full, sizeof(full), "AxpyEx and DotEx on %s", name);
    check(good && memcmp(got, want, bytes_of(type)) == 0 && holds(&y), full);
    for (int i = 0; i < 16; i++)
        put(x.host, i, type, x.x[i] = 2, 0);
    cudaMemcpy(x.device, x.host, bytes_of(type) * CELLS, 1);
    good = cublasNrm2Ex(handle, 16, x.device, type, 1, got, type, scalars) == 0;
    put(want, 0, type, 8, 0);
    for (int i = 0; i < n; i++)
        put(x.host, 4 * i, type, 3 * x.x[4 * i], 0);
    good &= cublasScalEx(handle, n, scalar, scalars, x.device, type, 4, scalars) == 0;
    snprintf(full, sizeof(full), "Nrm2Ex and ScalEx on %s", name);
    check(good && memcmp(got, want, bytes_of(type)) == 0 && holds(&x), full);
}

static void check_refusals(void)
{
    const float one = 1;

    check(cublasGemmEx(handle, 0, 0, 1, 1, 1, &one, &one, R32, 1, &one, R32, 1, &one, NULL, R32, 1,
                       SUM_WORD, -1) == NOT_SUPPORTED,
          "singles are not summed in integers");
    check(cublasGemmEx(handle, 0, 0, 1, 1, 1, &one, &one, R16, 1, &one, BRAIN, 1, &one, NULL, R32,
                       1, SUM_FLOAT, -1) == NOT_SUPPORTED,
          "halves are not multiplied by bfloat16");
    check(cublasScalEx(handle, 1, &one, R32, NULL, C32, 1, C32) == NOT_SUPPORTED,
          "ScalEx on complex numbers is refused");
}

int main(void)
{
    check(cublasCreate_v2(&handle) == 0, "a handle is made");
    check_type("bfloat16", BRAIN, BRAIN, R32, SUM_FLOAT);
    check_type("bfloat16 into single", BRAIN, R32, R32, SUM_FLOAT);
    check_type("bytes into words", R8, WORD, WORD, SUM_WORD);
    check_type("bytes into single", R8, R32, R32, SUM_FLOAT);
    check_type("complex numbers", C32, C32, C32, SUM_FLOAT);
    check_type("complex numbers of double precision", C64, C64, C64, SUM_DOUBLE);
    check_type("singles by TF32", R32, R32, R32, FAST_TF32);
    check_named("Cgemm", C32, cublasCgemm_v2);
    check_named("Zgemm", C64, cublasZgemm_v2);
    check_batch();
    check_vectors("single", R32, R32);
    check_vectors("double", R64, R64);
    check_vectors("half", R16, R32);
    check_vectors("bfloat16", BRAIN, R32);
    check_refusals();
    return all ? 0 : 1;
}
