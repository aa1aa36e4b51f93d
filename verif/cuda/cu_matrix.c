/* SPDX-License-Identifier: Apache-2.0
 *
 * cu_matrix [all] - compares the matrix products of one warp with plain C: by wmma in all shapes
 * and types ("all": also in all layouts), and by mma.sync in the shapes for which one formula gives
 * the fragments.  Elements are small whole numbers, so that every sum is exact.  Prints "ok NAME"
 * or "not ok NAME".
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/cu_driver.h"
#include "cuda/cu_matrix_types.h"

#define MOST 8192u /* bytes of a matrix */

static void put(unsigned char *memory, const struct type *t, size_t index, int v)
{
    uint64_t bits = encode(t, v);
    size_t at = index * t->bits;

    if (t->bits < 8)
        memory[at / 8] |= (unsigned char)(bits << at % 8);
    else
        memcpy(memory + at / 8, &bits, t->bits / 8);
}

static bool same(const unsigned char *memory, const struct type *t, size_t index, int v)
{
    uint64_t bits = encode(t, v);

    return memcmp(memory + index * t->bits / 8, &bits, t->bits / 8) == 0;
}

struct product {
    unsigned m, n, k, a, b, d, c;
    bool column[3]; /* A, B, C and D */
    const char *more; /* .satfinite, .xor.popc ... */
};

static int value_of(const struct type *t, unsigned i, unsigned j)
{
    int v = (int)((i * 7 + j * 13 + i * j) % 5);

    return t->bits == 1 ? v & 1 : t->is_signed ? v - 2 : v % 4;
}

static int expected(const struct product *p, unsigned i, unsigned j)
{
    int sum = value_of(&types[p->c], i + 3, j + 1);
    bool both = strstr(p->more, "and") != NULL;

    for (unsigned k = 0; k < p->k; k++) {
        int x = value_of(&types[p->a], i, k), y = value_of(&types[p->b], k, j + 9);

        sum += p->a != B1 ? x * y : both ? (x & y) : (x ^ y);
    }
    return sum;
}

static unsigned char ha[MOST], hb[MOST], hc[MOST], hd[MOST];

static void fill(const struct product *p)
{
    memset(ha, 0, MOST);
    memset(hb, 0, MOST);
    memset(hc, 0, MOST);
    for (unsigned i = 0; i < p->m; i++)
        for (unsigned k = 0; k < p->k; k++)
            put(ha, &types[p->a], p->column[0] ? k * p->m + i : i * p->k + k,
                value_of(&types[p->a], i, k));
    for (unsigned k = 0; k < p->k; k++)
        for (unsigned j = 0; j < p->n; j++)
            put(hb, &types[p->b], p->column[1] ? j * p->k + k : k * p->n + j,
                value_of(&types[p->b], k, j + 9));
    for (unsigned i = 0; i < p->m; i++)
        for (unsigned j = 0; j < p->n; j++)
            put(hc, &types[p->c], p->column[2] ? j * p->m + i : i * p->n + j,
                value_of(&types[p->c], i + 3, j + 1));
}

static bool run(const struct product *p, const char *text)
{
    CUmodule module;
    CUfunction f;
    CUdeviceptr a, b, c, d;
    void *args[] = {&a, &b, &c, &d};
    bool good;

    if (cuModuleLoadData(&module, text) != 0)
        return false;
    fill(p);
    good = cuModuleGetFunction(&f, module, "k") == 0 && cuMemAlloc_v2(&a, MOST) == 0 &&
           cuMemAlloc_v2(&b, MOST) == 0 && cuMemAlloc_v2(&c, MOST) == 0 &&
           cuMemAlloc_v2(&d, MOST) == 0 && cuMemcpyHtoD_v2(a, ha, MOST) == 0 &&
           cuMemcpyHtoD_v2(b, hb, MOST) == 0 && cuMemcpyHtoD_v2(c, hc, MOST) == 0 &&
           cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, NULL, args, NULL) == 0 &&
           cuMemcpyDtoH_v2(hd, d, MOST) == 0;
    for (unsigned i = 0; good && i < p->m; i++)
        for (unsigned j = 0; good && j < p->n; j++)
            good = same(hd, &types[p->d], p->column[2] ? j * p->m + i : i * p->n + j,
                        expected(p, i, j));
    cuMemFree_v2(a);
    cuMemFree_v2(b);
    cuMemFree_v2(c);
    cuMemFree_v2(d);
    cuModuleUnload(module);
    return good;
}

/* "{%x0, %x1 ...}" */
static const char *list(char *text, char letter, unsigned count)
{
    char *at = text + sprintf(text, "{");

    for (unsigned i = 0; i < count; i++)
        at += sprintf(at, "%s%%%c%u", i == 0 ? "" : ", ", letter, i);
    strcpy(at, "}");
    return text;
}

static const char *register_of(const struct type *t, bool result)
{
    return t->bits == 64 ? "f64" : result && strcmp(t->name, "f32") == 0 ? "f32" : "b32";
}

/* Registers of a fragment of A (m) or B (n), as the PTX ISA has them. */
static unsigned fragment(const struct product *p, bool b, const struct type *t)
{
    unsigned lines = b ? p->n : p->m;

    if (strcmp(t->name, "f16") == 0)
        return 8;
    return lines * p->k * t->bits / (t->bits == 64 ? 64 : 32) / 32;
}

static const char *layout(bool column)
{
    return column ? "col" : "row";
}

static bool wmma(const struct product *p)
{
    static char text[8192];
    const struct type *a = &types[p->a], *b = &types[p->b], *c = &types[p->c], *d = &types[p->d];
    unsigned results = p->m * p->n / 32;
    char x[96], y[96], z[96], w[96], shape[16], kinds[64], head[2048];

    snprintf(shape, sizeof(shape), "m%un%uk%u", p->m, p->n, p->k);
    list(x, 'x', fragment(p, false, a));
    list(y, 'y', fragment(p, true, b));
    list(z, 'z', p->c == F16 ? results / 2 : results);
    list(w, 'w', p->d == F16 ? results / 2 : results);
    snprintf(kinds, sizeof(kinds), ".%s.%s.%s.%s", d->name, a->name, b->name, c->name);
    if (p->a == F16)
        snprintf(kinds, sizeof(kinds), ".%s.%s", d->name, c->name);
    snprintf(head, sizeof(head),
             ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 a, "
             ".param .u64 b, .param .u64 c, .param .u64 d) {\n.reg .u64 %%p<9>; .reg .%s %%x<9>; "
             ".reg .%s %%y<9>; .reg .%s %%z<9>; .reg .%s %%w<9>;\nld.param.u64 %%p0, [a]; "
             "ld.param.u64 %%p1, [b]; ld.param.u64 %%p2, [c]; ld.param.u64 %%p3, [d];\n",
             register_of(a, false), register_of(b, false), register_of(c, true),
             register_of(d, true));
    snprintf(text, sizeof(text),
             "%swmma.load.a.sync.aligned.%s.%s.global.%s %s, [%%p0], %u;\n"
             "wmma.load.b.sync.aligned.%s.%s.global.%s %s, [%%p1], %u;\n"
             "wmma.load.c.sync.aligned.%s.%s.global.%s %s, [%%p2], %u;\n"
             "wmma.mma%s.sync.aligned.%s.%s.%s%s%s %s, %s, %s, %s;\n"
             "wmma.store.d.sync.aligned.%s.%s.global.%s [%%p3], %s, %u;\nret; }\n",
             head, layout(p->column[0]), shape, a->name, x, p->column[0] ? p->m : p->k,
             layout(p->column[1]), shape, b->name, y, p->column[1] ? p->k : p->n,
             layout(p->column[2]), shape, c->name, z, p->column[2] ? p->m : p->n,
             p->a == B1 ? p->more : "", layout(p->column[0]), layout(p->column[1]), shape, kinds,
             p->a == B1 ? "" : p->more, w, x, y, z, layout(p->column[2]), shape, d->name, w,
             p->column[2] ? p->m : p->n);
    return run(p, text);
}

static bool all = true, layouts;

/* Tests products in one layout or, with `layouts`, in all that their types have. */
static void test_wmma(unsigned m, unsigned n, unsigned k, unsigned a, unsigned d, unsigned c,
                      const char *more)
{
    bool good = true;

    for (unsigned i = 0; i < 8; i++) {
        const struct product p = {m, n, k, a, a, d, c, {i & 1, i & 2, i & 4}, more};

        if (layouts ? types[a].bits < 8 && (p.column[0] || !p.column[1]) : i != 2)
            continue;
        good &= wmma(&p);
    }
    printf("%s wmma.m%un%uk%u.%s.%s.%s%s\n", good ? "ok" : "not ok", m, n, k, types[d].name,
           types[a].name, types[c].name, more);
    all &= good;
}

/* mma.m16n8 and m8n8: each lane loads its elements by the ISA's formulas. */
static void test_mma(unsigned m, unsigned k, unsigned a, unsigned b, unsigned d, const char *more)
{
    static char text[32768];
    const struct product p = {m, 8, k, a, b, d, d, {false, true, false}, more};
    unsigned bytes = types[a].bits == 64 ? 8 : 4,
             pack = types[a].bits >= 32 ? 1 : 32 / types[a].bits;
    unsigned na = m / 8 * k / pack / 4, nb = k / pack / 4, nc = m / 4;
    unsigned size = types[d].bits / 8;
    bool good;
    char x[96], y[96], z[96], w[96], *at = text;

    at +=
        sprintf(at,
                ".version 8.4\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 a, "
                ".param .u64 b, .param .u64 c, .param .u64 d) {\n.reg .u64 %%p<9>; .reg .u32 "
                "%%g, %%t, %%i; .reg .u64 %%o; .reg .%s %%x<9>; .reg .%s %%y<9>; .reg .%s %%z<9>; "
                ".reg .%s %%w<9>;\nld.param.u64 %%p0, [a]; ld.param.u64 %%p1, [b]; ld.param.u64 "
                "%%p2, [c]; ld.param.u64 %%p3, [d];\nmov.u32 %%i, %%laneid; shr.u32 %%g, %%i, 2; "
                "and.b32 %%t, %%i, 3;\n",
                register_of(&types[a], false), register_of(&types[b], false),
                register_of(&types[d], true), register_of(&types[d], true));
    for (unsigned i = 0; i < na + nb; i++) {
        bool of_b = i >= na;
        unsigned r = of_b ? i - na : i, line = of_b ? 0 : r % (m / 8),
                 piece = of_b ? r : r / (m / 8);

        at +=
            sprintf(at,
                    "add.u32 %%i, %%g, %u; mul.lo.u32 %%i, %%i, %u; add.u32 %%i, %%i, %%t; add.u32 "
                    "%%i, %%i, %u; mul.wide.u32 %%o, %%i, %u; add.u64 %%o, %%o, %%p%u; "
                    "ld.global.b%u %%%c%u, [%%o];\n",
                    8 * line, k / pack, 4 * piece, bytes, of_b, 8 * bytes, of_b ? 'y' : 'x', r);
    }
    for (unsigned i = 0; i < 2 * nc; i++) {
        unsigned r = i % nc;

        if (i == nc)
            at += sprintf(at, "mma.sync.aligned.m%un8k%u.row.col.%s.%s.%s.%s%s %s, %s, %s, %s;\n",
                          m, k, types[d].name, types[a].name, types[b].name, types[d].name, more,
                          list(w, 'w', nc), list(x, 'x', na), list(y, 'y', nb), list(z, 'z', nc));
        at += sprintf(
            at,
            "add.u32 %%i, %%g, %u; shl.b32 %%i, %%i, 3; add.u32 %%i, %%i, %%t; add.u32 %%i, "
            "%%i, %%t; add.u32 %%i, %%i, %u; mul.wide.u32 %%o, %%i, %u; add.u64 %%o, %%o, "
            "%%p%u; ",
            r / 2 * 8, r % 2, size, i < nc ? 2 : 3);
        at += i < nc ? sprintf(at, "ld.global.b%u %%z%u, [%%o];\n", 8 * size, r)
                     : sprintf(at, "st.global.b%u [%%o], %%w%u;\n", 8 * size, r);
    }
    strcpy(at, "ret; }\n");
    good = run(&p, text);
    printf("%s mma.m%un8k%u.%s.%s.%s%s\n", good ? "ok" : "not ok", m, k, types[d].name,
           types[a].name, types[b].name, more);
    all &= good;
}

int main(int argc, char **argv)
{
    static const unsigned shapes[3][2] = {{16, 16}, {32, 8}, {8, 32}};

    if (cuInit(0) != 0)
        return 1;
    layouts = argc > 1 && strcmp(argv[1], "all") == 0;
    for (unsigned i = 0; i < 3; i++) {
        unsigned m = shapes[i][0], n = shapes[i][1];

        test_wmma(m, n, 16, F16, F32, F32, "");
        test_wmma(m, n, 16, F16, F16, F16, "");
        test_wmma(m, n, 16, F16, F32, F16, "");
        test_wmma(m, n, 16, F16, F16, F32, "");
        test_wmma(m, n, 16, BF16, F32, F32, "");
        test_wmma(m, n, 16, S8, S32, S32, "");
        test_wmma(m, n, 16, U8, S32, S32, ".satfinite");
    }
    test_wmma(16, 16, 8, TF32, F32, F32, "");
    test_wmma(8, 8, 4, F64, F64, F64, "");
    test_wmma(8, 8, 32, S4, S32, S32, "");
    test_wmma(8, 8, 32, U4, S32, S32, ".satfinite");
    test_wmma(8, 8, 128, B1, S32, S32, ".xor.popc");
    test_wmma(8, 8, 128, B1, S32, S32, ".and.popc");
    test_mma(8, 4, F64, F64, F64, "");
    for (unsigned k = 4; k <= 16; k *= 2)
        test_mma(16, k, F64, F64, F64, "");
    test_mma(8, 128, B1, B1, S32, ".xor.popc");
    test_mma(16, 128, B1, B1, S32, ".and.popc");
    test_mma(16, 256, B1, B1, S32, ".xor.popc");
    test_mma(16, 32, E4M3, E4M3, F32, "");
    test_mma(16, 32, E4M3, E5M2, F32, "");
    test_mma(16, 32, E5M2, E5M2, F32, "");
    test_mma(16, 16, F16, F16, F32, "");
    test_mma(16, 32, S8, U8, S32, "");
    return !all;
}
