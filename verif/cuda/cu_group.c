/* SPDX-License-Identifier: Apache-2.0
 *
 * cu_group - matrix products of warpgroups (wgmma) against plain C: all types, swizzles and majors,
 * A in the scratchpad and in registers.  Prints "ok NAME" or "not ok NAME".
 *
 * Matrices hold integers that all types have, so that results are exact.  This program computes the
 * place of an element row by row: swizzling a row permutes its cores of 16 bytes, depending on the
 * row's number.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/cu_driver.h"

enum { LANES = 128, ROWS = 64, REGISTERS = 128, DEPTH = 32, COLUMNS = 256 };
enum { ROOM_A = 32 << 10, ROOM_B = 160 << 10 }; /* bytes of the scratchpad */

struct test {
    const char *name, *types; /* types of D, A and B */
    unsigned columns;
    unsigned row_a, row_b; /* bytes of a row of cores: 16 is not swizzled */
    bool by_lines_a, by_lines_b; /* M-major, N-major */
    bool registers; /* A is in registers */
    bool negated, saturated, replaced; /* replaced: the product replaces D instead of being added to
                                          it */
    unsigned shift; /* distance of the matrices from a multiple of 1024, in rows of 128 bytes */
};

static const struct test tests[] = {
    {"half, not swizzled", "f32.f16.f16", 8, 16, 16, 0, 0, 0, 0, 0, 0, 0},
    {"half, rows of 32 bytes", "f32.f16.f16", 16, 32, 32, 0, 0, 0, 0, 0, 0, 0},
    {"half, rows of 64 bytes", "f32.f16.f16", 64, 64, 64, 0, 0, 0, 0, 0, 1, 0},
    {"half, rows of 128 bytes", "f32.f16.f16", 256, 128, 128, 0, 0, 0, 0, 0, 0, 0},
    {"half, a pattern that begins at 384", "f32.f16.f16", 64, 128, 64, 0, 1, 0, 0, 0, 0, 3},
    {"half, by lines, not swizzled", "f32.f16.f16", 24, 16, 16, 1, 1, 0, 0, 0, 0, 0},
    {"half, by lines, rows of 32 bytes", "f32.f16.f16", 32, 32, 32, 1, 1, 0, 0, 0, 0, 0},
    {"half, by lines, rows of 64 bytes", "f32.f16.f16", 64, 64, 64, 1, 1, 0, 0, 0, 1, 0},
    {"half, by lines, rows of 128 bytes", "f32.f16.f16", 128, 128, 128, 1, 1, 0, 1, 0, 0, 0},
    {"half, A in registers", "f32.f16.f16", 64, 16, 128, 0, 1, 1, 0, 0, 0, 0},
    {"half, sums in half", "f16.f16.f16", 40, 128, 64, 0, 1, 0, 0, 0, 0, 0},
    {"half, sums in half, A in registers", "f16.f16.f16", 16, 16, 32, 0, 0, 1, 1, 0, 1, 0},
    {"bfloat16", "f32.bf16.bf16", 96, 64, 128, 1, 0, 0, 0, 0, 0, 0},
    {"bfloat16, A in registers", "f32.bf16.bf16", 8, 16, 64, 0, 0, 1, 0, 0, 0, 0},
    {"tf32", "f32.tf32.tf32", 128, 128, 64, 0, 0, 0, 0, 0, 0, 0},
    {"tf32, A in registers", "f32.tf32.tf32", 32, 16, 32, 0, 0, 1, 1, 0, 0, 0},
    {"FP8, e4m3", "f32.e4m3.e4m3", 64, 128, 128, 0, 0, 0, 0, 0, 0, 0},
    {"FP8, e4m3 with e5m2", "f16.e4m3.e5m2", 48, 64, 16, 0, 0, 0, 0, 0, 0, 0},
    {"FP8, e5m2, A in registers", "f32.e5m2.e5m2", 16, 16, 64, 0, 0, 1, 0, 0, 1, 0},
    {"int8", "s32.s8.s8", 256, 128, 128, 0, 0, 0, 0, 0, 0, 0},
    {"int8 without sign", "s32.u8.u8", 16, 32, 64, 0, 0, 0, 0, 0, 0, 0},
    {"int8 with and without sign", "s32.s8.u8", 24, 16, 16, 0, 0, 1, 0, 0, 0, 0},
    {"int8, saturated", "s32.u8.u8", 8, 128, 128, 0, 0, 0, 0, 1, 0, 0}};
enum { TESTS = sizeof(tests) / sizeof(tests[0]) };

/* A type: bytes of an element, the encodings of 0, 1, 2 and 3, the sign bit, and the bits that are
 * ignored.
 */
static const struct type {
    const char *name;
    unsigned bytes;
    uint32_t small[4], sign, ignored;
} types[] = {{"f16", 2, {0, 0x3c00, 0x4000, 0x4200}, 0x8000, 0},
             {"bf16", 2, {0, 0x3f80, 0x4000, 0x4040}, 0x8000, 0},
             {"tf32", 4, {0, 0x3f800000, 0x40000000, 0x40400000}, 0x80000000, 0x1fff},
             {"e4m3", 1, {0, 0x38, 0x40, 0x44}, 0x80, 0},
             {"e5m2", 1, {0, 0x3c, 0x40, 0x42}, 0x80, 0},
             {"s8", 1, {0}, 0, 0},
             {"u8", 1, {0}, 0, 0}};

/* The inputs and results of a test. */
struct run {
    const struct type *a, *b;
    unsigned depth;
    int va[ROWS][DEPTH], vb[COLUMNS][DEPTH];
    uint8_t image[ROOM_A + ROOM_B];
    uint32_t registers[LANES][4], d[LANES][REGISTERS];
    uint64_t descriptor[2];
};

static const struct type *type_of(const char *name)
{
    const struct type *t = types;

    while (strncmp(name, t->name, strlen(t->name)) != 0 ||
           (name[strlen(t->name)] != '.' && name[strlen(t->name)] != '\0'))
        t++;
    return t;
}

static bool is_whole(const struct type *t)
{
    return t->small[1] == 0;
}

static int next(const struct type *t)
{
    static uint32_t seed = 7;

    seed = seed * 1664525u + 1013904223u;
    if (!is_whole(t))
        return (int)(seed >> 16) % 7 - 3;
    return t->name[0] == 's' ? (int8_t)(seed >> 16) : (uint8_t)(seed >> 16);
}

static uint32_t bits_of(const struct type *t, int value)
{
    if (is_whole(t))
        return (uint8_t)value;
    return t->small[abs(value)] | (value < 0 ? t->sign : 0) | t->ignored;
}

/* The offset of an element; `row` is the size of a row of cores in bytes. Eight rows of cores form
 * a block; blocks along lines are `leading` bytes apart, others `stride`; without a swizzle, the
 * two swap roles. */
static unsigned place(unsigned row, bool by_lines, unsigned bytes, unsigned line, unsigned k,
                      unsigned leading, unsigned stride)
{
    unsigned rows = 128 / row; /* number of rows that share a phase */
    unsigned in_row = (by_lines ? line : k) * bytes, number = by_lines ? k : line;
    unsigned block = number / 8 * stride, phase = row == 16 ? 0 : number % 8 / rows;

    if (row == 16)
        block = by_lines ? in_row / 16 * stride + number / 8 * leading
                         : in_row / 16 * leading + number / 8 * stride;
    else
        block += in_row / row * leading;
    in_row %= row;
    return block + number % 8 * row + ((in_row / 16) ^ phase) * 16 + in_row % 16;
}

/* Puts a matrix into the scratchpad, and makes its descriptor. */
static uint64_t lay_out(uint8_t *image, unsigned base, const struct type *t, unsigned row,
                        bool by_lines, int (*value)[DEPTH], unsigned lines, unsigned depth)
{
    static const uint64_t modes[] = {[1] = 0, [2] = 3, [4] = 2, [8] = 1};
    unsigned blocks = by_lines ? (lines * t->bytes + row - 1) / row : lines / 8;
    unsigned stride = 8 * row, leading = stride * (by_lines && row != 16 ? 2 : blocks);

    if (by_lines && row != 16)
        stride *= 2 * blocks;
    for (unsigned line = 0; line < lines; line++)
        for (unsigned k = 0; k < depth; k++) {
            uint32_t bits = bits_of(t, value[line][k]);

            memcpy(image + base + place(row, by_lines, t->bytes, line, k, leading, stride), &bits,
                   t->bytes);
        }
    return base >> 4 | (uint64_t)(leading >> 4) << 16 | (uint64_t)(stride >> 4) << 32 |
           (uint64_t)(base >> 7 & 7) << 49 | modes[row / 16] << 62;
}

/* Row and column of element i of a lane. */
static unsigned row_of(unsigned lane, unsigned i)
{
    return lane / 32 * 16 + lane % 32 / 4 + i / 2 % 2 * 8;
}

static unsigned column_of(unsigned lane, unsigned i)
{
    return i / 4 * 8 + lane % 4 * 2 + i % 2;
}

/* The part of A that a lane holds: 32-bit registers, for rows g and g + 8 and for both halves of
 * the columns. */
static void fill_registers(struct run *r)
{
    unsigned per = 4 / r->a->bytes;

    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned i = 0; i < 4; i++) {
            r->registers[lane][i] = 0;
            for (unsigned e = 0; e < per; e++) {
                unsigned row = lane / 32 * 16 + lane % 32 / 4 + i % 2 * 8;
                unsigned k = lane % 4 * per + e + i / 2 * 4 * per;

                r->registers[lane][i] |= bits_of(r->a, r->va[row][k]) << 8 * r->a->bytes * e;
            }
        }
}

static uint32_t as_float(double value)
{
    float f = (float)value;
    uint32_t bits;

    memcpy(&bits, &f, sizeof(bits));
    return bits;
}

/* Integers up to 2048 in size, as a half. */
static uint32_t as_half(int value)
{
    unsigned size = (unsigned)abs(value), e = 0;

    while (size >> (e + 1) != 0)
        e++;
    return size == 0 ? 0 : (value < 0 ? 0x8000u : 0) | (e + 15) << 10 | (size << (10 - e) & 0x3ff);
}

/* Writes an element of D. */
static void set(const struct test *t, uint32_t *d, unsigned i, int64_t value)
{
    if (t->types[0] == 's')
        d[i] = (uint32_t)(t->saturated && value > INT32_MAX ? INT32_MAX : value);
    else if (t->types[1] == '3')
        d[i] = as_float((double)value);
    else
        d[i / 2] = (d[i / 2] & ~(0xffffu << i % 2 * 16)) | as_half((int)value) << i % 2 * 16;
}

static int64_t before(const struct test *t, unsigned lane, unsigned i)
{
    return t->saturated ? INT32_MAX - 1000 : (int)((lane * 3 + i) % 5) - 2;
}

static void fill(const struct test *t, struct run *r)
{
    r->a = type_of(strchr(t->types, '.') + 1);
    r->b = type_of(strrchr(t->types, '.') + 1);
    r->depth = 32 / r->a->bytes;
    memset(r->image, 0x77, sizeof(r->image));
    for (unsigned k = 0; k < r->depth; k++) {
        for (unsigned i = 0; i < ROWS; i++)
            r->va[i][k] = next(r->a);
        for (unsigned i = 0; i < t->columns; i++)
            r->vb[i][k] = next(r->b);
    }
    r->descriptor[0] =
        lay_out(r->image, 128 * t->shift, r->a, t->row_a, t->by_lines_a, r->va, ROWS, r->depth);
    r->descriptor[1] = lay_out(r->image, ROOM_A + 128 * t->shift, r->b, t->row_b, t->by_lines_b,
                               r->vb, t->columns, r->depth);
    fill_registers(r);
    memset(r->d, 0, sizeof(r->d));
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned i = 0; i < t->columns / 2; i++)
            set(t, r->d[lane], i, before(t, lane, i));
}

static void multiply(const struct test *t, struct run *r)
{
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned i = 0; i < t->columns / 2; i++) {
            int64_t sum = 0;

            for (unsigned k = 0; k < r->depth; k++)
                sum += r->va[row_of(lane, i)][k] * r->vb[column_of(lane, i)][k];
            set(t, r->d[lane], i,
                (t->negated ? -sum : sum) + (t->replaced ? 0 : before(t, lane, i)));
        }
}

struct text {
    char data[1 << 20];
    size_t used;
};

#define ADD(t, ...)                                                                                \
    ((t)->used +=                                                                                  \
     (size_t)snprintf((t)->data + (t)->used, sizeof((t)->data) - (t)->used, __VA_ARGS__))

static void add_list(struct text *o, const char *name, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        ADD(o, "%s%%%s%u", i == 0 ? "{" : ", ", name, i);
    ADD(o, "}, ");
}

static void add_product(struct text *o, const struct test *t, unsigned depth)
{
    bool whole = t->types[0] == 's';

    ADD(o, "wgmma.mma_async.sync.aligned.m64n%uk%u%s.%s ", t->columns, depth,
        t->saturated ? ".satfinite" : "", t->types);
    add_list(o, "d", t->columns / (t->types[1] == '1' ? 4 : 2));
    if (t->registers)
        add_list(o, "a", 4);
    else
        ADD(o, "%%da, ");
    ADD(o, "%%db, %s", t->replaced ? "0" : "%keep");
    if (!whole)
        ADD(o, ", %d, 1", t->negated ? -1 : 1);
    if (depth == 16 && !t->registers)
        ADD(o, ", %d", t->by_lines_a);
    if (depth == 16)
        ADD(o, ", %d", t->by_lines_b);
    ADD(o, ";\n");
}

/* A kernel that fills the scratchpad and the registers, multiplies, and writes the registers. */
static void add_kernel(struct text *o, const struct test *t, unsigned number, unsigned depth)
{
    ADD(o,
        ".visible .entry test%u(.param .u64 image, .param .u64 regs, .param .u64 d, .param .u64 a, "
        ".param .u64 b)\n{\n.reg .pred %%keep, %%p; .reg .b32 %%i, %%v, %%l, %%a<4>, %%d<%d>;\n"
        ".reg .b64 %%pi, %%pr, %%pd, %%da, %%db, %%x;\n"
        "ld.param.u64 %%pi, [image];\nld.param.u64 %%pr, [regs];\nld.param.u64 %%pd, [d];\n"
        "ld.param.u64 %%da, [a];\nld.param.u64 %%db, [b];\n"
        "mov.u32 %%l, %%tid.x;\nshl.b32 %%i, %%l, 2;\n"
        "LOOP:\ncvt.u64.u32 %%x, %%i;\nadd.s64 %%x, %%pi, %%x;\nld.global.b32 %%v, [%%x];\n"
        "st.shared.b32 [%%i], %%v;\nadd.s32 %%i, %%i, %d;\nsetp.lt.u32 %%p, %%i, %d;\n"
        "@%%p bra LOOP;\nbar.sync 0;\nsetp.lt.u32 %%keep, %%l, 9999;\n"
        "mul.wide.u32 %%x, %%l, 16;\nadd.s64 %%pr, %%pr, %%x;\n"
        "ld.global.v4.b32 {%%a0, %%a1, %%a2, %%a3}, [%%pr];\n"
        "mul.wide.u32 %%x, %%l, %d;\nadd.s64 %%pd, %%pd, %%x;\n",
        number, REGISTERS, 4 * LANES, ROOM_A + ROOM_B, 4 * REGISTERS);
    for (unsigned i = 0; i < REGISTERS; i++)
        ADD(o, "ld.global.b32 %%d%u, [%%pd+%u];\n", i, 4 * i);
    ADD(o, "fence.proxy.async.shared::cta;\nwgmma.fence.sync.aligned;\n");
    add_product(o, t, depth);
    ADD(o, "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n");
    for (unsigned i = 0; i < REGISTERS; i++)
        ADD(o, "st.global.b32 [%%pd+%u], %%d%u;\n", 4 * i, i);
    ADD(o, "ret;\n}\n");
}

static bool is_right(CUmodule module, unsigned number, struct run *r)
{
    static uint32_t got[LANES][REGISTERS];
    const void *from[] = {r->image, r->registers, r->d};
    const size_t size[] = {sizeof(r->image), sizeof(r->registers), sizeof(r->d)};
    CUdeviceptr at[3];
    void *args[] = {&at[0], &at[1], &at[2], &r->descriptor[0], &r->descriptor[1]};
    CUfunction kernel;
    char name[16];
    bool good;

    snprintf(name, sizeof(name), "test%u", number);
    for (unsigned i = 0; i < 3; i++)
        if (cuMemAlloc_v2(&at[i], size[i]) != 0 || cuMemcpyHtoD_v2(at[i], from[i], size[i]) != 0)
            return false;
    multiply(&tests[number], r);
    good = cuModuleGetFunction(&kernel, module, name) == 0 &&
           cuFuncSetAttribute(kernel, 8, ROOM_A + ROOM_B) == 0 &&
           cuLaunchKernel(kernel, 1, 1, 1, LANES, 1, 1, ROOM_A + ROOM_B, NULL, args, NULL) == 0 &&
           cuMemcpyDtoH_v2(got, at[2], sizeof(got)) == 0;
    for (unsigned i = 0; i < 3; i++)
        cuMemFree_v2(at[i]);
    return good && memcmp(got, r->d, sizeof(got)) == 0;
}

int main(void)
{
    static struct text text;
    static struct run run;
    CUmodule module;
    bool all = true;

    ADD(&text, ".version 8.4\n.target sm_90a\n.address_size 64\n");
    for (unsigned i = 0; i < TESTS; i++)
        add_kernel(&text, &tests[i], i, 32 / type_of(strchr(tests[i].types, '.') + 1)->bytes);
    if (cuModuleLoadData(&module, text.data) != 0)
        return 1;
    for (unsigned i = 0; i < TESTS; i++) {
        bool good;

        fill(&tests[i], &run);
        good = is_right(module, i, &run);
        printf("%s %s\n", good ? "ok" : "not ok", tests[i].name);
        all &= good;
    }
    return all ? 0 : 1;
}
