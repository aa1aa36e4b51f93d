/* SPDX-License-Identifier: Apache-2.0
 *
 * libcurand: generators of the host interface, on the device and on the host alike.
 *
 * The sequences have cuRAND's default order. XORWOW: number n comes from stream n mod 4096;
 * consecutive streams are 2^67 steps apart. MRG32k3a: from stream n mod 81920. Philox: four
 * numbers at a time, from subsequence n / 4 mod 65536.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_cu.h"
#include "capture/cuda/rand/byw_curand_mrg.h"
#include "capture/cuda/rand/byw_curand_shapes.h"

enum {
    OK = 0,
    NOT_INITIALIZED = 101,
    NO_MEMORY = 102,
    WRONG_TYPE = 103,
    OUT_OF_RANGE = 104,
    NOT_A_MULTIPLE = 105,
    LAUNCH_FAILED = 201
};
enum { DEFAULT = 100, XORWOW = 101, MRG = 121, PHILOX = 161 };

#define BITS_OF_STATE 160u /* bits of the words that XORWOW's step mixes */
#define JUMP 67 /* log2 of the steps from stream to stream */

struct generator {
    int type;
    uint64_t seed, offset; /* set by the program */
    uint64_t position; /* of Philox */
    uint32_t streams; /* XORWOW, MRG32k3a */
    uint32_t first; /* the stream of the next number */
    uint32_t *state; /* STATE words of each stream: first the first word of every stream; NULL: not
                        seeded yet */
};

/* The kernels, as clang compiled them when byway was built (cuda.mk). */
__asm__(".pushsection .rodata\n"
        "byw_curand_ptx:\n"
        ".incbin \"" BYW_CURAND_PTX "\"\n"
        ".byte 0\n"
        ".popsection\n");
extern const char byw_curand_ptx[] __attribute__((visibility("hidden")));

/* C functions take no context, so a process has one copy of the kernels. */
static struct byw_cu_module *module;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void)
{
    if (byw_cu_load(byw_curand_ptx, &module) != BYW_CU_OK)
        module = NULL;
}

static int launch(const char *name, uint64_t threads, void *const *args)
{
    const unsigned grid[3] = {(unsigned)((threads + BLOCK - 1) / BLOCK), 1, 1};
    const unsigned block[3] = {BLOCK, 1, 1};
    struct byw_cu_function *function;

    pthread_once(&once, load);
    if (module == NULL || byw_cu_find_function(module, name, &function) != BYW_CU_OK ||
        byw_cu_launch(function, grid, block, NULL, 0, args) != BYW_CU_OK)
        return LAUNCH_FAILED;
    return OK;
}

/* XORWOW's step is linear in its 160 bits: each row of the matrix is the step's result for a state
 * with one bit set. */
struct bits {
    uint32_t word[5];
};

static struct bits step(struct bits v)
{
    uint32_t t = v.word[0] ^ (v.word[0] >> 2);
    uint32_t last = (v.word[4] ^ (v.word[4] << 4)) ^ (t ^ (t << 1));

    return (struct bits){{v.word[1], v.word[2], v.word[3], v.word[4], last}};
}

static struct bits apply(const struct bits matrix[BITS_OF_STATE], struct bits v)
{
    struct bits sum = {{0}};

    for (unsigned i = 0; i < BITS_OF_STATE; i++)
        if (v.word[i / 32] >> (i % 32) & 1)
            for (int w = 0; w < 5; w++)
                sum.word[w] ^= matrix[i].word[w];
    return sum;
}

/* Squares a matrix. From the step's matrix, n squarings make that of 2^n steps. */
static void square(struct bits matrix[BITS_OF_STATE])
{
    struct bits twice[BITS_OF_STATE];

    for (unsigned i = 0; i < BITS_OF_STATE; i++)
        twice[i] = apply(matrix, matrix[i]);
    memcpy(matrix, twice, sizeof(twice));
}

static void single_steps(struct bits matrix[BITS_OF_STATE])
{
    for (unsigned i = 0; i < BITS_OF_STATE; i++) {
        struct bits one = {{0}};

        one.word[i / 32] = 1u << (i % 32);
        matrix[i] = step(one);
    }
}

/* Advances a state by `steps`. */
static struct bits skip(struct bits v, uint64_t steps)
{
    struct bits matrix[BITS_OF_STATE];

    single_steps(matrix);
    for (; steps != 0; steps >>= 1) {
        if (steps & 1)
            v = apply(matrix, v);
        square(matrix);
    }
    return v;
}

/* Seeds all streams; streams with numbers before the offset are advanced by one. How cuRAND
 * mixes a seed is published only as code (curand_kernel.h); the same sequence needs the same
 * constants. */
static void seed_xorwow(struct generator *g)
{
    uint32_t s0 = (uint32_t)g->seed ^ 0xaad26b49u, s1 = (uint32_t)(g->seed >> 32) ^ 0xf7dcefddu;
    uint32_t t0 = 1099087573u * s0, t1 = 2591861531u * s1, count = 6615241u + t1 + t0;
    uint64_t rounds = g->offset / STREAMS;
    struct bits v = {
        {123456789u + t0, 362436069u ^ t0, 521288629u + t1, 88675123u ^ t1, 5783321u + t0}};
    struct bits jump[BITS_OF_STATE];

    single_steps(jump);
    for (int i = 0; i < JUMP; i++)
        square(jump);
    v = skip(v, rounds);
    for (uint32_t s = 0; s < STREAMS; s++) {
        struct bits now = s < g->first ? step(v) : v;

        for (int w = 0; w < 5; w++)
            g->state[s + (uint32_t)w * STREAMS] = now.word[w];
        g->state[s + 5 * STREAMS] = count + 362437u * (uint32_t)(rounds + (s < g->first ? 1 : 0));
        v = apply(jump, v);
    }
}

static int seed_streams(struct generator *g)
{
    g->state = byw_cu_take(STATE * g->streams * sizeof(*g->state));
    if (g->state == NULL)
        return NO_MEMORY;
    g->first = (uint32_t)(g->offset % g->streams);
    if (g->type == XORWOW)
        seed_xorwow(g);
    else
        byw_curand_seed_mrg(g->seed, g->offset, g->state);
    return OK;
}

static int run_streams(struct generator *g, void *out, size_t n, int what, double mean,
                       double deviation)
{
    long count = (long)(what >= NORMAL ? n / 2 : n);
    void *args[] = {&g->state, &g->first, &count, &what, &mean, &deviation, &out};
    int status = g->state == NULL ? seed_streams(g) : OK;

    if (status == OK)
        status = launch(g->type == XORWOW ? "xorwow" : "mrg32k3a", g->streams, args);
    g->first = (uint32_t)((g->first + (uint64_t)count) % g->streams);
    return status;
}

static int run_philox(struct generator *g, void *out, size_t n, int what, double mean,
                      double deviation)
{
    long first = (long)(g->offset + g->position), count = (long)n;
    void *args[] = {&g->seed, &first, &count, &what, &mean, &deviation, &out};

    g->position += n;
    return launch("philox", n / 4 + 2, args);
}

static int generate(struct generator *g, void *out, size_t n, int what, double mean,
                    double deviation)
{
    if (g == NULL)
        return NOT_INITIALIZED;
    if (what >= NORMAL && n % 2 != 0 && (g->type != PHILOX || what < NORMAL_DOUBLE))
        return NOT_A_MULTIPLE;
    if (n == 0)
        return OK;
    return g->type == PHILOX ? run_philox(g, out, n, what, mean, deviation)
                             : run_streams(g, out, n, what, mean, deviation);
}

BYW_CU_API int curandCreateGenerator(struct generator **generator, int type)
{
    struct generator *g;

    if (type != DEFAULT && type != XORWOW && type != MRG && type != PHILOX) {
        byw_cu_say("curandCreateGenerator: byway supports XORWOW, MRG32k3a and Philox4x32-10, not "
                   "type %d (cmodel/doc/cuda.md lists what is supported)",
                   type);
        return WRONG_TYPE;
    }
    g = calloc(1, sizeof(*g));
    if (g == NULL)
        return NO_MEMORY;
    g->type = type == DEFAULT ? XORWOW : type;
    g->streams = type == MRG ? MRG_STREAMS : STREAMS;
    *generator = g;
    return OK;
}

BYW_CU_API int curandCreateGeneratorHost(struct generator **generator, int type)
{
    return curandCreateGenerator(generator, type);
}

/* Restarts the sequence. */
static void restart(struct generator *g)
{
    byw_cu_give(g->state);
    g->state = NULL;
    g->position = 0;
}

BYW_CU_API int curandDestroyGenerator(struct generator *g)
{
    if (g == NULL)
        return NOT_INITIALIZED;
    restart(g);
    free(g);
    return OK;
}

BYW_CU_API int curandSetPseudoRandomGeneratorSeed(struct generator *g, unsigned long long seed)
{
    if (g == NULL)
        return NOT_INITIALIZED;
    g->seed = seed;
    restart(g);
    return OK;
}

BYW_CU_API int curandSetGeneratorOffset(struct generator *g, unsigned long long offset)
{
    if (g == NULL)
        return NOT_INITIALIZED;
    g->offset = offset;
    restart(g);
    return OK;
}

/* All orderings except the seeded one equal the default. */
BYW_CU_API int curandSetGeneratorOrdering(struct generator *g, int order)
{
    if (g == NULL)
        return NOT_INITIALIZED;
    return order >= 100 && order != 102 && order <= 104 ? OK : OUT_OF_RANGE;
}

BYW_CU_API int curandSetStream(struct generator *g, void *stream)
{
    (void)stream;
    return g == NULL ? NOT_INITIALIZED : OK;
}

BYW_CU_API int curandGenerateSeeds(struct generator *g)
{
    return g == NULL                               ? NOT_INITIALIZED
           : g->type != PHILOX && g->state == NULL ? seed_streams(g)
                                                   : OK;
}

BYW_CU_API int curandGetVersion(int *version)
{
    *version = 10000;
    return OK;
}

BYW_CU_API int curandGetProperty(int which, int *value)
{
    *value = which == 0 ? 10 : 0;
    return OK;
}

BYW_CU_API int curandGenerate(struct generator *g, unsigned *out, size_t n)
{
    return generate(g, out, n, BITS, 0, 0);
}

BYW_CU_API int curandGenerateUniform(struct generator *g, float *out, size_t n)
{
    return generate(g, out, n, UNIFORM, 0, 0);
}

BYW_CU_API int curandGenerateUniformDouble(struct generator *g, double *out, size_t n)
{
    return generate(g, out, n, UNIFORM_DOUBLE, 0, 0);
}

BYW_CU_API int curandGenerateNormal(struct generator *g, float *out, size_t n, float mean,
                                    float deviation)
{
    return generate(g, out, n, NORMAL, mean, deviation);
}

BYW_CU_API int curandGenerateLogNormal(struct generator *g, float *out, size_t n, float mean,
                                       float deviation)
{
    return generate(g, out, n, LOG_NORMAL, mean, deviation);
}

BYW_CU_API int curandGenerateNormalDouble(struct generator *g, double *out, size_t n, double mean,
                                          double deviation)
{
    return generate(g, out, n, NORMAL_DOUBLE, mean, deviation);
}

BYW_CU_API int curandGenerateLogNormalDouble(struct generator *g, double *out, size_t n,
                                             double mean, double deviation)
{
    return generate(g, out, n, LOG_NORMAL_DOUBLE, mean, deviation);
}
