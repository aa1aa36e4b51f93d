/* SPDX-License-Identifier: Apache-2.0
 *
 * cu_sparse - products of one warp by mma.sp in all types and shapes, and all lanes that may hold
 * metadata, against plain C on the matrix with its zeros.  The host lays out the registers by the
 * figures of the PTX ISA.  Elements are small whole numbers.  Prints "ok NAME" or "not ok NAME".
 */
#include <stdio.h>
#include <stdlib.h>

#include "cuda/cu_driver.h"
#include "cuda/cu_matrix_types.h"

#define ROWS 16u
#define COLUMNS 8u
#define DEPTH 128u
#define REGISTERS 4u /* registers of A, B, C or D in a lane */

struct product {
    unsigned k, a, b, d;
    unsigned selectors; /* 4, 2 or 1 */
    const char *sparse, *more;
};

static int a[ROWS][DEPTH], b[DEPTH][COLUMNS];
static uint32_t ra[32][REGISTERS], rb[32][REGISTERS], rd[32][REGISTERS], metadata[32];
static unsigned random_state = 7;

static unsigned draw(unsigned below)
{
    random_state = random_state * 1103515245u + 12345u;
    return (random_state >> 16) % below;
}

static int value(const struct type *t)
{
    return t->is_signed ? (int)draw(5) - 2 : (int)draw(4);
}

static void put(uint32_t *registers, unsigned bits, unsigned element, uint64_t code)
{
    registers[element * bits / 32] |= (uint32_t)code << element * bits % 32;
}

/* Stores a row's metadata from bit `at` on. If elements have 16 bits or more, a row shares a lane
 * with row + 8; otherwise it has its own lanes. */
static void put_metadata(const struct product *p, unsigned selector, unsigned row, unsigned at,
                         uint32_t bits)
{
    unsigned lanes = 4 / p->selectors, quad = row % 8 * 4, high = row / 8;

    if (types[p->a].bits >= 16)
        metadata[quad + selector * lanes + at / 16] |= bits << (at % 16 + 16 * high);
    else
        metadata[quad + selector * lanes + at / 32 * 2 + high] |= bits << at % 32;
}

/* Draws which half of the units of one of a row's groups are stored. */
static void choose(const struct product *p, unsigned selector, unsigned row, unsigned group)
{
    const struct type *t = &types[p->a];
    unsigned unit = t->bits == 4 ? 2 : 1, units = t->bits == 32 ? 2 : 4, kept = units / 2;
    unsigned first = draw(units - kept + 1), second = first + 1 + draw(units - first - 1);
    unsigned per = 32 / t->bits, place[2] = {first, kept == 2 ? second : 0};

    if (kept == 2 && place[1] >= units)
        place[1] = units - 1;
    for (unsigned i = 0; i < kept; i++)
        for (unsigned j = 0; j < unit; j++) {
            unsigned stored = (group * kept + i) * unit + j;
            int v = value(t);

            a[row][(group * units + place[i]) * unit + j] = v;
            put(ra[row % 8 * 4 + stored / per % 4] + row / 8 + stored / per / 4 * 2, t->bits,
                stored % per, encode(t, v));
        }
    put_metadata(p, selector, row, group * 4,
                 kept == 2       ? place[0] | place[1] << 2
                 : place[0] != 0 ? 14
                                 : 4);
}

static void fill(const struct product *p, unsigned selector)
{
    const struct type *t = &types[p->b];
    unsigned per = 32 / t->bits, group = types[p->a].bits == 32 ? 2 : types[p->a].bits == 4 ? 8 : 4;

    memset(a, 0, sizeof(a));
    memset(ra, 0, sizeof(ra));
    memset(rb, 0, sizeof(rb));
    memset(metadata, 0, sizeof(metadata));
    for (unsigned row = 0; row < ROWS; row++)
        for (unsigned i = 0; i < p->k / group; i++)
            choose(p, selector, row, i);
    for (unsigned k = 0; k < p->k; k++)
        for (unsigned n = 0; n < COLUMNS; n++) {
            b[k][n] = value(t);
            put(rb[n * 4 + k / per % 4] + k / per / 4, t->bits, k % per, encode(t, b[k][n]));
        }
}

/* Compares D with plain C, lane by lane. */
static bool is_right(const struct product *p)
{
    const struct type *t = &types[p->d];

    for (unsigned row = 0; row < ROWS; row++)
        for (unsigned n = 0; n < COLUMNS; n++) {
            unsigned lane = row % 8 * 4 + n / 2, i = row / 8 * 2 + n % 2;
            uint32_t got = t->bits == 16 ? rd[lane][i / 2] >> i % 2 * 16 & 0xffff : rd[lane][i];
            int sum = 3;

            for (unsigned k = 0; k < p->k; k++)
                sum += a[row][k] * b[k][n];
            if (got != (uint32_t)encode(t, sum)) {
                fprintf(stderr, "row %u, column %u: %#x, expected %d\n", row, n, got, sum);
                return false;
            }
        }
    return true;
}

static void write_kernel(const struct product *p, unsigned selector, char *text, size_t room)
{
    unsigned na = p->k / 2 * types[p->a].bits / 64, nb = p->k * types[p->b].bits / 128;
    unsigned nd = types[p->d].bits == 16 ? 2 : 4;
    static const char *const lists[] = {"", "%s0", "{%s0, %s1}", "", "{%s0, %s1, %s2, %s3}"};
    char list[4][64], *at = text;
    const unsigned counts[] = {nd, na, nb};
    static const char names[] = "dxy";

    for (int i = 0; i < 3; i++) {
        const char name[3] = {'%', names[i], 0};

        snprintf(list[i], sizeof(list[i]), lists[counts[i]], name, name, name, name);
    }
    at += snprintf(at, room,
                   ".version 8.5\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 "
                   "a, .param .u64 b, .param .u64 e, .param .u64 d, .param .u32 c) {\n.reg .b32 "
                   "%%x<4>, %%y<4>, %%d<4>, %%e, %%l;\n.reg .b64 %%p, %%o;\nmov.u32 %%l, "
                   "%%laneid;\nld.param.u64 %%p, [e]; mul.wide.u32 %%o, %%l, 4; add.u64 %%p, %%p, "
                   "%%o; ld.global.b32 %%e, [%%p]; mul.wide.u32 %%o, %%l, 16;\n");
    for (unsigned i = 0; i < 4; i++)
        at += sprintf(at,
                      "ld.param.u64 %%p, [a]; add.u64 %%p, %%p, %%o; ld.global.b32 %%x%u, "
                      "[%%p+%u];\nld.param.u64 %%p, [b]; add.u64 %%p, %%p, %%o; ld.global.b32 "
                      "%%y%u, [%%p+%u];\nld.param.b32 %%d%u, [c];\n",
                      i, 4 * i, i, 4 * i, i);
    at +=
        sprintf(at, "mma.%s.sync.aligned.m16n8k%u.row.col.%s.%s.%s.%s%s %s, %s, %s, %s, %%e, %u;\n",
                p->sparse, p->k, types[p->d].name, types[p->a].name, types[p->b].name,
                types[p->d].name, p->more, list[0], list[1], list[2], list[0], selector);
    at += sprintf(at, "ld.param.u64 %%p, [d]; add.u64 %%p, %%p, %%o;\n");
    for (unsigned i = 0; i < nd; i++)
        at += sprintf(at, "st.global.b32 [%%p+%u], %%d%u;\n", 4 * i, i);
    strcpy(at, "ret; }\n");
}

static bool run(const struct product *p, unsigned selector)
{
    static char text[8192];
    static CUdeviceptr da, db, de, dd;
    uint32_t c = (uint32_t)encode(&types[p->d], 3);
    void *args[] = {&da, &db, &de, &dd, &c};
    CUmodule module;
    CUfunction f;
    bool good;

    if (da == 0)
        cuMemAlloc_v2(&da, sizeof(ra)), cuMemAlloc_v2(&db, sizeof(rb)),
            cuMemAlloc_v2(&de, sizeof(metadata)), cuMemAlloc_v2(&dd, sizeof(rd));
    if (types[p->d].bits == 16)
        c |= c << 16;
    write_kernel(p, selector, text, sizeof(text));
    fill(p, selector);
    if (cuModuleLoadData(&module, text) != 0)
        return false;
    good = cuModuleGetFunction(&f, module, "k") == 0 && cuMemcpyHtoD_v2(da, ra, sizeof(ra)) == 0 &&
           cuMemcpyHtoD_v2(db, rb, sizeof(rb)) == 0 &&
           cuMemcpyHtoD_v2(de, metadata, sizeof(metadata)) == 0 &&
           cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, NULL, args, NULL) == 0 &&
           cuMemcpyDtoH_v2(rd, dd, sizeof(rd)) == 0 && is_right(p);
    cuModuleUnload(module);
    return good;
}

int main(void)
{
    static const struct product products[] = {
        {16, F16, F16, F32, 4, "sp", ""},
        {16, F16, F16, F16, 4, "sp", ""},
        {16, BF16, BF16, F32, 4, "sp::ordered_metadata", ""},
        {32, F16, F16, F32, 2, "sp", ""},
        {32, F16, F16, F16, 2, "sp::ordered_metadata", ""},
        {32, BF16, BF16, F32, 2, "sp", ""},
        {8, TF32, TF32, F32, 4, "sp", ""},
        {16, TF32, TF32, F32, 2, "sp::ordered_metadata", ""},
        {32, S8, U8, S32, 2, "sp", ""},
        {64, S8, S8, S32, 1, "sp", ".satfinite"},
        {64, U8, S8, S32, 1, "sp::ordered_metadata", ""},
        {64, S4, U4, S32, 2, "sp", ""},
        {128, U4, S4, S32, 1, "sp", ".satfinite"},
        {128, S4, S4, S32, 1, "sp::ordered_metadata", ""},
        {64, E4M3, E5M2, F32, 1, "sp", ""},
    };
    bool all = true;

    if (cuInit(0) != 0)
        return 1;
    for (size_t i = 0; i < sizeof(products) / sizeof(products[0]); i++) {
        const struct product *p = &products[i];
        bool good = true;

        for (unsigned s = 0; s < p->selectors; s++)
            good &= run(p, s);
        printf("%s mma.%s.m16n8k%u.%s.%s.%s%s\n", good ? "ok" : "not ok", p->sparse, p->k,
               types[p->d].name, types[p->a].name, types[p->b].name, p->more);
        all &= good;
    }
    return !all;
}
