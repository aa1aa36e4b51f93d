/* SPDX-License-Identifier: Apache-2.0
 *
 * cu_blaslt - products by libcublasLt against plain C.  Prints "ok NAME" or "not ok NAME".
 */
#include <math.h>
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
enum { TRANSPOSE_A = 3, EPILOGUE = 7, BIAS = 8, BIAS_STRIDE = 10, SCALE_OF_A = 17, SMS = 15 };
enum { BATCHES = 5, STRIDE = 6, INVALID = 7, NOT_SUPPORTED = 15 };
enum { RELU = 2, ADD_BIAS = 4, GELU = 32, AUXILIARY = 128 };
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

/* The value of an element after the epilogue. */
static double finished(int epilogue, double x)
{
    if ((epilogue & RELU) != 0)
        return x > 0 ? x : 0;
    return (epilogue & GELU) == 0
               ? x
               : x / 2 * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
}

/* Whether d = finished(2 a' b + 3 c + bias), where a is K x M and the second product's bias starts
 * two elements after the first one's. Cells outside the result must be unchanged. */
static bool is_right(const float *a, const float *b, const float *c, const float *d, int epilogue,
                     const float *bias)
{
    for (int n = 0; n < BATCH; n++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < M; i++) {
                int from = n * LD * LD;
                double sum = 3 * (double)c[from + j * LD + i], off;

                for (int k = 0; k < K; k++)
                    sum += 2 * (double)(a[from + i * LD + k] * b[from + j * LD + k]);
                if ((epilogue & ADD_BIAS) != 0)
                    sum += (double)bias[2 * n + i];
                sum = finished(epilogue, sum);
                off = fabs((double)d[from + j * LD + i] - sum);
                if (!(off <= ((epilogue & GELU) != 0 ? 1e-5 : 0)))
                    return false;
            }
    return d[M] == -1 && d[LD * LD - 1] == -1;
}

/* The operands, each on the host and on the device. */
struct operands {
    float a[CELLS], b[CELLS], c[CELLS], d[CELLS], bias[CELLS];
    float *da, *db, *dc, *dd, *dbias;
    void *h, *p, *la, *lb, *lc;
};

static int multiply(struct operands *o, void *lb)
{
    const float alpha = 2, beta = 3;

    cudaMemcpy(o->dd, o->d, sizeof(o->d), 1);
    return cublasLtMatmul(o->h, o->p, &alpha, o->da, o->la, o->db, lb, &beta, o->dc, o->lc, o->dd,
                          o->lc, NULL, NULL, 0, NULL);
}

static bool multiplies(struct operands *o, int epilogue)
{
    static float got[CELLS];

    cublasLtMatmulDescSetAttribute(o->p, EPILOGUE, &epilogue, sizeof(epilogue));
    if (multiply(o, o->lb) != 0)
        return false;
    cudaMemcpy(got, o->dd, sizeof(got), 2);
    return is_right(o->a, o->b, o->c, got, epilogue, o->bias);
}

static void check_epilogues(struct operands *o)
{
    static const struct {
        int epilogue;
        const char *name;
    } list[] = {{RELU, "ReLU keeps what is above zero"},
                {ADD_BIAS, "a bias is added to each column, another one in each product"},
                {RELU | ADD_BIAS, "a bias is added before ReLU"},
                {GELU, "GELU is the one by the hyperbolic tangent"},
                {GELU | ADD_BIAS, "a bias is added before GELU"}};
    const int with_output = RELU | AUXILIARY, none = 1;
    const int64_t stride = 2;

    cublasLtMatmulDescSetAttribute(o->p, BIAS, &o->dbias, sizeof(o->dbias));
    cublasLtMatmulDescSetAttribute(o->p, BIAS_STRIDE, &stride, sizeof(stride));
    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
        check(multiplies(o, list[i].epilogue), list[i].name);
    check(multiplies(o, none), "a bias without an epilogue is not added");
    cublasLtMatmulDescSetAttribute(o->p, EPILOGUE, &with_output, sizeof(with_output));
    check(multiply(o, o->lb) == NOT_SUPPORTED, "an epilogue with an auxiliary output is refused");
    cublasLtMatmulDescSetAttribute(o->p, EPILOGUE, &none, sizeof(none));
}

static void check_attributes(struct operands *o)
{
    const void *none = NULL;
    const int sms = 16;

    check(cublasLtMatmulDescSetAttribute(o->p, SMS, &sms, sizeof(sms)) == 0 &&
              multiply(o, o->lb) == 0,
          "the number of SMs changes nothing");
    check(cublasLtMatmulDescSetAttribute(o->p, 99, &sms, sizeof(sms)) == INVALID &&
              cublasLtMatmulDescSetAttribute(o->p, SCALE_OF_A, &sms, sizeof(sms)) == INVALID,
          "unknown attributes and wrong sizes are refused");
    for (int i = SCALE_OF_A; i < SCALE_OF_A + 4; i++) {
        cublasLtMatmulDescSetAttribute(o->p, i, &o->dbias, sizeof(o->dbias));
        check(multiply(o, o->lb) == NOT_SUPPORTED, "a factor of a matrix is refused");
        cublasLtMatmulDescSetAttribute(o->p, i, &none, sizeof(none));
    }
    check(multiply(o, o->lb) == 0, "a factor that is taken back is no factor");
}

/* --- FP8 --- */

enum { HALF = 2, BFLOAT = 14, E4M3 = 28, E5M2 = 29, QM = 19, QN = 21, QK = 37, FACTOR = 17 };

/* The value of a code of 8 bits, by the formats' definitions; NaN and infinities are NAN. */
static double quarter(int type, unsigned code)
{
    int bits = type == E4M3 ? 3 : 2, bias = type == E4M3 ? 7 : 15;
    int exponent = (int)(code & 127) >> bits, fraction = (int)code & ((1 << bits) - 1);
    double size = exponent == 0 ? ldexp(fraction, 1 - bias - bits)
                                : ldexp(fraction + (1 << bits), exponent - bias - bits);

    if (type == E4M3 ? (code & 127) == 127 : exponent == 31)
        return NAN;
    return code & 128 ? -size : size;
}

/* The nearest code, ties to even; beyond the largest value, its code. */
static unsigned nearest(int type, double x)
{
    unsigned best = 0;

    for (unsigned code = 0; code < 256; code++) {
        double off = fabs(quarter(type, code) - x), least = fabs(quarter(type, best) - x);

        if (off < least || (off == least && code % 2 == 0 && best % 2 != 0))
            best = code;
    }
    return best;
}

static double read_element(const void *memory, int type, int i)
{
    uint32_t word = 0;
    float value;

    if (type == E4M3 || type == E5M2)
        return quarter(type, ((const uint8_t *)memory)[i]);
    if (type == FLOAT) {
        memcpy(&value, (const float *)memory + i, sizeof(value));
    } else { /* bfloat16 */
        word = (uint32_t)((const uint16_t *)memory)[i] << 16;
        memcpy(&value, &word, sizeof(value));
    }
    return (double)value;
}

static void *small_layout(int type, uint64_t rows, uint64_t columns)
{
    void *l;

    cublasLtMatrixLayoutCreate(&l, type, rows, columns, (int64_t)rows);
    return l;
}

/* Tests d = factor_d (2 factor_a factor_b a' b + c): each element must be the number of d's type
 * that is nearest to the result of plain C. */
static bool quarters(void *h, int ta, int tb, int tc, int td)
{
    static uint8_t a[QK * QM], b[QK * QN];
    static uint16_t c[QM * QN];
    static unsigned char got[QM * QN * 4];
    static const float factors[3] = {0.5f, 4, 0.03125f}, alpha = 2, one = 1, none = 0;
    const int transposed = 1;
    const float *beta = tc == BFLOAT ? &one : &none;
    void *p, *da, *db, *dc, *dd, *df;
    bool small = td == E4M3 || td == E5M2, good = true;

    for (int i = 0; i < QK * QM; i++)
        a[i] = (uint8_t)nearest(ta, (i * 7 % 23 - 11) / 16.0);
    for (int i = 0; i < QK * QN; i++)
        b[i] = (uint8_t)nearest(tb, (i * 5 % 19 - 9) / 128.0);
    for (int i = 0; i < QM * QN; i++)
        c[i] = (uint16_t)(0x3f00 + i % 64);
    cudaMalloc(&da, sizeof(a)), cudaMalloc(&db, sizeof(b)), cudaMalloc(&dc, sizeof(c));
    cudaMalloc(&dd, sizeof(got)), cudaMalloc(&df, sizeof(factors));
    cudaMemcpy(da, a, sizeof(a), 1), cudaMemcpy(db, b, sizeof(b), 1);
    cudaMemcpy(dc, c, sizeof(c), 1), cudaMemcpy(df, factors, sizeof(factors), 1);
    cublasLtMatmulDescCreate(&p, COMPUTE_FLOAT, FLOAT);
    cublasLtMatmulDescSetAttribute(p, TRANSPOSE_A, &transposed, sizeof(transposed));
    for (int i = 0; i < (small ? 3 : 2); i++) {
        const float *at = (float *)df + i;

        cublasLtMatmulDescSetAttribute(p, i < 2 ? FACTOR + i : FACTOR + 3, &at, sizeof(at));
    }
    if (cublasLtMatmul(h, p, &alpha, da, small_layout(ta, QK, QM), db, small_layout(tb, QK, QN),
                       beta, dc, small_layout(tc, QM, QN), dd, small_layout(td, QM, QN), NULL, NULL,
                       0, NULL) != 0)
        return false;
    cudaMemcpy(got, dd, sizeof(got), 2);
    for (int j = 0; j < QN; j++)
        for (int i = 0; i < QM; i++) {
            double sum = 0, found = read_element(got, td, i + j * QM);

            for (int k = 0; k < QK; k++)
                sum += quarter(ta, a[k + i * QK]) * quarter(tb, b[k + j * QK]);
            sum = 2 * (double)factors[0] * (double)factors[1] * sum;
            sum += tc == BFLOAT ? read_element(c, BFLOAT, i + j * QM) : 0;
            if (small)
                good &= got[i + j * QM] == nearest(td, sum * (double)factors[2]) ||
                        (found == 0 && quarter(td, nearest(td, sum * (double)factors[2])) == 0);
            else
                good &= fabs(found - sum) <= fabs(sum) * (td == FLOAT ? 1e-6 : 1.0 / 256);
        }
    return good;
}

static void check_quarters(void *h)
{
    check(quarters(h, E4M3, E4M3, FLOAT, FLOAT), "FP8 to single precision, with factors");
    check(quarters(h, E4M3, E5M2, BFLOAT, BFLOAT), "two formats of FP8 to bfloat16");
    check(quarters(h, E5M2, E4M3, BFLOAT, E4M3), "FP8 to e4m3, with bfloat16 added");
    check(quarters(h, E4M3, E4M3, BFLOAT, E5M2), "FP8 to e5m2");
}

int main(void)
{
    static struct operands o;
    const int transposed = 1;
    unsigned char found[128];
    int count = 0;

    o.la = layout(K, M);
    o.lb = layout(K, N);
    o.lc = layout(M, N);
    for (int i = 0; i < CELLS; i++) {
        o.a[i] = (float)(i % 5 - 2) / 4;
        o.b[i] = (float)(i % 7 - 3) / 4;
        o.c[i] = (float)(i % 3 - 1) / 4;
        o.bias[i] = (float)(i % 11 - 5) / 4;
        o.d[i] = -1;
    }
    o.da = on_device(o.a);
    o.db = on_device(o.b);
    o.dc = on_device(o.c);
    o.dd = on_device(o.d);
    o.dbias = on_device(o.bias);
    check(cublasLtCreate(&o.h) == 0, "a handle is made");
    cublasLtMatmulDescCreate(&o.p, COMPUTE_FLOAT, FLOAT);
    cublasLtMatmulDescSetAttribute(o.p, TRANSPOSE_A, &transposed, sizeof(transposed));
    check(cublasLtMatmulAlgoGetHeuristic(o.h, o.p, o.la, o.lb, o.lc, o.lc, NULL, 1, found,
                                         &count) == 0 &&
              count == 1,
          "there is an algorithm");
    check(multiplies(&o, 1),
          "the results of a batch are those of plain C, in another matrix than c");
    check(multiply(&o, o.lc) == INVALID, "matrices whose shapes do not fit are refused");
    check_epilogues(&o);
    check_attributes(&o);
    check_quarters(o.h);
    cublasLtDestroy(o.h);
    return all ? 0 : 1;
}
