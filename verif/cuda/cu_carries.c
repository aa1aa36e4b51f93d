/* SPDX-License-Identifier: Apache-2.0
 *
 * cu_carries MOST - runs all chains of two to MOST (at most 4) instructions with the carry flag
 * through byway's CUDA driver and compares them with sums of 128 bits: add.cc, sub.cc, mad.lo.cc or
 * mad.hi.cc, then addc, subc, madc.lo or madc.hi, which set the flag again; the last one does so in
 * half of the chains, whose flag is then read by addc.  Types u32, s32, u64 and s64.  Each of the
 * 32 threads has different operands.  Prints the wrong chains; the last line has the numbers.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/cu_driver.h"

#define THREADS 32u
#define STEPS 4u
#define CHAINS (2u * (16u + 64u + 256u))
#define TOGETHER 16u /* chains of one kernel: long kernels take longer to compile */
#define OPERANDS (3u * STEPS)
#define RESULTS (STEPS + 1u)
__extension__ typedef unsigned __int128 wide;
__extension__ typedef __int128 wide_signed;

enum operation { ADD, SUB, MAD_LO, MAD_HI };

struct chain {
    enum operation step[STEPS];
    unsigned steps;
    bool reads; /* the last step sets the flag, and addc reads it */
};

struct kind {
    const char *name;
    unsigned bits;
    bool is_signed;
};

static const struct kind kinds[] = {
    {"u32", 32, false}, {"s32", 32, true}, {"u64", 64, false}, {"s64", 64, true}};

static unsigned make_chains(struct chain *chain, unsigned most)
{
    unsigned count = 0;

    for (unsigned steps = 2; steps <= most; steps++)
        for (unsigned code = 0; code < 1u << 2 * steps; code++)
            for (unsigned reads = 0; reads < 2; reads++) {
                chain[count] = (struct chain){.steps = steps, .reads = reads};
                for (unsigned i = 0; i < steps; i++)
                    chain[count].step[i] = (enum operation)(code >> 2 * i & 3u);
                count++;
            }
    return count;
}

static int opcode(char *text, const struct chain *c, unsigned i, const struct kind *k)
{
    static const char *const base[] = {"add", "sub", "mad", "mad"};
    static const char *const half[] = {"", "", ".lo", ".hi"};
    bool sets = i + 1 < c->steps || c->reads;

    return sprintf(text, "%s%s%s%s.%s", base[c->step[i]], i == 0 ? "" : "c", half[c->step[i]],
                   sets ? ".cc" : "", k->name);
}

/* The text of a chain; its operands are registers a0 to a11, its results stored at `at`. */
static int chain_text(char *text, const struct chain *c, const struct kind *k, unsigned at)
{
    unsigned bytes = k->bits / 8, i;
    char *t = text;

    for (i = 0; i < c->steps; i++) {
        t += opcode(t, c, i, k);
        t += sprintf(t, " %%r%u, %%a%u, %%a%u", i, 3 * i, 3 * i + 1);
        t += c->step[i] >= MAD_LO ? sprintf(t, ", %%a%u;\n", 3 * i + 2) : sprintf(t, ";\n");
    }
    if (c->reads)
        t += sprintf(t, "addc.%s %%r%u, 0, 0;\n", k->name, i++);
    while (i-- > 0)
        t += sprintf(t, "st.global.b%u [%%rdo+%u], %%r%u;\n", k->bits, (at + i) * bytes * THREADS,
                     i);
    return (int)(t - text);
}

/* Kernel `first`: the chains first to first + TOGETHER - 1. */
static int kernel_text(char *text, const struct kind *k, const struct chain *chain, unsigned first,
                       unsigned count)
{
    char *t = text;

    t += sprintf(t,
                 ".visible .entry chains%u(.param .u64 in, .param .u64 out)\n{\n"
                 ".reg .b64 %%rdi, %%rdo, %%rdt; .reg .b32 %%t; .reg .b%u %%a<12>, %%r<6>;\n"
                 "ld.param.u64 %%rdi, [in]; ld.param.u64 %%rdo, [out]; mov.u32 %%t, %%tid.x;\n"
                 "mul.wide.u32 %%rdt, %%t, %u; add.u64 %%rdi, %%rdi, %%rdt;\n"
                 "add.u64 %%rdo, %%rdo, %%rdt;\n",
                 first, k->bits, k->bits / 8);
    for (unsigned i = 0; i < OPERANDS; i++)
        t +=
            sprintf(t, "ld.global.b%u %%a%u, [%%rdi+%u];\n", k->bits, i, i * THREADS * k->bits / 8);
    for (unsigned i = first; i < first + TOGETHER && i < count; i++)
        t += chain_text(t, &chain[i], k, RESULTS * i);
    t += sprintf(t, "ret;\n}\n");
    return (int)(t - text);
}

static char *module_text(const struct kind *k, const struct chain *chain, unsigned count)
{
    char *text = malloc(count * 1024u + 8192u), *t = text;

    t += sprintf(t, ".version 8.6\n.target sm_90\n.address_size 64\n");
    for (unsigned first = 0; first < count; first += TOGETHER)
        t += kernel_text(t, k, chain, first, count);
    return text;
}

/* Operands near the limits, and any: small numbers, their negatives, noise. */
static uint64_t operand(unsigned i, const struct kind *k)
{
    static const uint64_t edge[] = {0, 1, UINT64_MAX, INT64_MAX, (uint64_t)1 << 63, 2, 7};
    uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;

    x = (x ^ x >> 31) * 0xbf58476d1ce4e5b9u;
    x ^= x >> 29;
    if (x % 3 == 0)
        return x >> 8;
    x = edge[(x >> 8) % 7];
    return k->bits == 64 ? x : x > 7 ? x >> 32 : x;
}

static uint64_t cut(wide value, unsigned bits)
{
    return bits == 64 ? (uint64_t)value : (uint32_t)value;
}

static uint64_t product(uint64_t a, uint64_t b, const struct kind *k, bool high)
{
    wide_signed x = k->bits == 64 ? (int64_t)a : (int32_t)a;
    wide_signed y = k->bits == 64 ? (int64_t)b : (int32_t)b;
    wide all = k->is_signed ? (wide)(x * y) : (wide)a * b;

    return cut(high ? all >> k->bits : all, k->bits);
}

/* Counts the wrong results of a thread. */
static unsigned judge(const struct chain *c, const struct kind *k, const uint64_t *a,
                      const uint64_t *got)
{
    unsigned carry = 0, wrong = 0;
    wide sum;

    for (unsigned i = 0; i < c->steps; i++) {
        uint64_t x = a[3 * i], y = a[3 * i + 1];

        if (i == 0)
            carry = c->step[i] == SUB;
        if (c->step[i] >= MAD_LO) {
            x = product(x, y, k, c->step[i] == MAD_HI);
            y = a[3 * i + 2];
        }
        if (c->step[i] == SUB)
            y = cut(~(wide)y, k->bits);
        sum = (wide)x + y + carry;
        carry = (unsigned)(sum >> k->bits);
        wrong += got[i] != cut(sum, k->bits);
    }
    return wrong + (c->reads && got[c->steps] != carry);
}

static uint64_t element(const void *list, size_t i, const struct kind *k)
{
    return k->bits == 64 ? ((const uint64_t *)list)[i] : ((const uint32_t *)list)[i];
}

/* Prints the chains with wrong results and counts them. */
static unsigned judge_all(const struct kind *k, const struct chain *chain, unsigned count,
                          const void *in, const void *out)
{
    unsigned bad = 0;
    char name[64];

    for (unsigned c = 0; c < count; c++) {
        unsigned wrong = 0;

        for (unsigned t = 0; t < THREADS; t++) {
            uint64_t a[OPERANDS], got[RESULTS] = {0};

            for (unsigned i = 0; i < OPERANDS; i++)
                a[i] = element(in, i * THREADS + t, k);
            for (unsigned i = 0; i < chain[c].steps + chain[c].reads; i++)
                got[i] = element(out, (size_t)(RESULTS * c + i) * THREADS + t, k);
            wrong += judge(&chain[c], k, a, got);
        }
        for (unsigned i = 0; i < chain[c].steps && wrong != 0; i++) {
            opcode(name, &chain[c], i, k);
            printf("%s%s", name, i + 1 < chain[c].steps ? ", " : "");
        }
        if (wrong != 0)
            printf("%s: %u wrong\n", chain[c].reads ? ", addc" : "", wrong);
        bad += wrong != 0;
    }
    return bad;
}

static unsigned run(const struct kind *k, const struct chain *chain, unsigned count)
{
    size_t in_size = OPERANDS * THREADS * k->bits / 8;
    size_t out_size = (size_t)RESULTS * count * THREADS * k->bits / 8;
    char *text = module_text(k, chain, count), name[64];
    void *in = malloc(in_size), *out = malloc(out_size);
    unsigned bad;
    CUmodule module;
    CUfunction kernel;
    CUdeviceptr from, to;
    void *args[2] = {&from, &to};

    for (unsigned i = 0; i < OPERANDS * THREADS; i++)
        if (k->bits == 64)
            ((uint64_t *)in)[i] = operand(i, k);
        else
            ((uint32_t *)in)[i] = (uint32_t)operand(i, k);
    if (cuModuleLoadData(&module, text) != 0 || cuMemAlloc_v2(&from, in_size) != 0 ||
        cuMemAlloc_v2(&to, out_size) != 0 || cuMemcpyHtoD_v2(from, in, in_size) != 0)
        exit(1);
    for (unsigned first = 0; first < count; first += TOGETHER) {
        snprintf(name, sizeof(name), "chains%u", first);
        if (cuModuleGetFunction(&kernel, module, name) != 0 ||
            cuLaunchKernel(kernel, 1, 1, 1, THREADS, 1, 1, 0, NULL, args, NULL) != 0)
            exit(1);
    }
    if (cuMemcpyDtoH_v2(out, to, out_size) != 0)
        exit(1);
    bad = judge_all(k, chain, count, in, out);
    free(text);
    free(in);
    free(out);
    return bad;
}

int main(int argc, char **argv)
{
    static struct chain chain[CHAINS];
    unsigned most = argc == 2 ? (unsigned)atoi(argv[1]) : 0;
    unsigned count = most <= STEPS ? make_chains(chain, most) : 0, bad = 0;

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        bad += run(&kinds[i], chain, count);
    printf("%u chains, %u wrong\n", 4 * count, bad);
    return bad != 0 || count == 0;
}
