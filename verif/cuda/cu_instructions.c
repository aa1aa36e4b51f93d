/* SPDX-License-Identifier: Apache-2.0
 *
 * cu_instructions TABLE: runs each row's instruction through byway's CUDA driver and prints the
 * rows with a wrong result.  TABLE: opcode, operands and result, see instructions.tsv.  One kernel
 * holds them all; it reads the operands from memory, so that nothing is folded.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/cu_driver.h"

#define ROWS 8192
#define OPERANDS 4

struct row {
    char opcode[48], operands[96], expected[24];
    uint64_t value[OPERANDS], result;
    unsigned count;
    bool nan;
};

struct text {
    char *data;
    size_t used, room;
};

static void add(struct text *t, const char *line)
{
    size_t length = strlen(line);

    if (t->used + length + 1 > t->room) {
        t->room = 2 * t->room + length + 4096;
        t->data = realloc(t->data, t->room);
    }
    memcpy(t->data + t->used, line, length + 1);
    t->used += length;
}

/* The n-th type of an opcode: kind and bits. */
static bool type_at(const char *opcode, unsigned n, char *kind, unsigned *bits)
{
    char copy[48], *part;

    snprintf(copy, sizeof(copy), "%s", opcode);
    for (part = strtok(copy, "."); part != NULL; part = strtok(NULL, ".")) {
        bool brain = strncmp(part, "bf", 2) == 0;
        const char *digits = part + (brain ? 2 : 1);

        if (strchr("usbf", *part) == NULL || *digits < '0' || *digits > '9' || n-- != 0)
            continue;
        *kind = brain || strchr(digits, 'x') != NULL ? 'b' : *part; /* pairs: bits */
        *bits = (unsigned)strtoul(digits, NULL, 10) * (strchr(digits, 'x') != NULL ? 2 : 1);
        return true;
    }
    return false;
}

/* Register class that holds a type: h 16 bits, r 32, d 64, f and e floating. */
static char class_of(char kind, unsigned bits)
{
    if (kind == 'f' && bits >= 32)
        return bits == 32 ? 'f' : 'e';
    return bits <= 16 ? 'h' : bits == 32 ? 'r' : 'd';
}

static const char *memory_type(char class)
{
    switch (class) {
    case 'h':
        return "b16";
    case 'r':
        return "b32";
    case 'f':
        return "f32";
    case 'e':
        return "f64";
    default:
        return "b64";
    }
}

/* Registers of the result and the operands. */
static void classes(const struct row *row, char *result, char *operand)
{
    char kind, other;
    unsigned bits, more;
    const char *o = row->opcode;
    bool shift = strncmp(o, "shl", 3) == 0 || strncmp(o, "shr", 3) == 0;

    type_at(o, 0, &kind, &bits);
    *result = class_of(kind, bits);
    for (unsigned i = 0; i < OPERANDS; i++)
        operand[i] = *result;
    if (strstr(o, ".wide.") != NULL) {
        *result = bits == 16 ? 'r' : 'd';
        operand[2] = *result;
    } else if (strncmp(o, "setp", 4) == 0) {
        *result = 'r';
        operand[2] = 'r';
    } else if (strncmp(o, "cvt", 3) == 0 || strncmp(o, "set", 3) == 0) {
        type_at(o, 1, &other, &more);
        for (unsigned i = 0; i < OPERANDS; i++)
            operand[i] = class_of(other, more);
        if (*o == 's')
            operand[2] = 'r';
    } else if (strncmp(o, "popc", 4) == 0 || strncmp(o, "clz", 3) == 0 ||
               strncmp(o, "bfind", 5) == 0) {
        *result = 'r';
    } else if (shift) {
        operand[1] = 'r';
    } else if (strncmp(o, "bfe", 3) == 0) {
        operand[1] = operand[2] = 'r';
    } else if (strncmp(o, "bfi.", 4) == 0) {
        operand[2] = operand[3] = 'r';
    }
}

static void add_row(struct text *t, const struct row *row, unsigned number)
{
    char line[512], operand[OPERANDS], result, *at;
    bool table = strncmp(row->opcode, "lop3", 4) == 0;
    bool setp = strncmp(row->opcode, "setp", 4) == 0; /* two predicates: bits 0 and 1 */
    bool logic = strncmp(row->opcode, "set", 3) == 0 && row->count == 3;

    classes(row, &result, operand);
    for (unsigned i = 0; i < row->count; i++) {
        snprintf(line, sizeof(line), "ld.global.%s %%%c%u, [%%rdi+%u];\n", memory_type(operand[i]),
                 operand[i], i + 1, 8 * (OPERANDS * number + i));
        add(t, line);
    }
    if (logic)
        add(t, "setp.ne.b32 %p2, %r3, 0;\n");
    at = line +
         snprintf(line, sizeof(line), setp ? "%s %%p0|%%p1" : "%s %%%c0", row->opcode, result);
    for (unsigned i = 0; i < row->count - table; i++)
        at += logic && i == 2 ? sprintf(at, ", %%p2") : sprintf(at, ", %%%c%u", operand[i], i + 1);
    if (table)
        at += sprintf(at, ", %llu", (unsigned long long)row->value[row->count - 1]);
    if (setp)
        at += sprintf(at, ";\nselp.u32 %%r0, 1, 0, %%p0;\nselp.u32 %%r1, 2, 0, %%p1;\n"
                          "or.b32 %%r0, %%r0, %%r1");
    sprintf(at, ";\nst.global.%s [%%rdo+%u], %%%c0;\n", memory_type(result), 8 * number, result);
    add(t, line);
}

static unsigned read_rows(const char *path, struct row *row)
{
    FILE *file = fopen(path, "r");
    char line[256];
    unsigned count = 0;

    while (file != NULL && fgets(line, sizeof(line), file) != NULL && count < ROWS) {
        struct row *r = &row[count];
        char *at;

        if (*line == '#' ||
            sscanf(line, "%47[^\t]\t%95[^\t]\t%23s", r->opcode, r->operands, r->expected) != 3)
            continue;
        at = r->operands;
        for (r->count = 0; *at != '\0' && r->count < OPERANDS; r->count++)
            r->value[r->count] = strtoull(at, &at, 16);
        r->nan = strcmp(r->expected, "nan") == 0;
        r->result = r->nan ? 0 : strtoull(r->expected, NULL, 16);
        count++;
    }
    if (file != NULL)
        fclose(file);
    return count;
}

static bool is_nan(const struct row *row, uint64_t value)
{
    char kind;
    unsigned bits;

    type_at(row->opcode, 0, &kind, &bits);
    if (bits == 64)
        return (value & INT64_MAX) > 0x7ff0000000000000ull;
    if (bits == 32)
        return (value & 0x7fffffffu) > 0x7f800000u;
    return (value & 0x7fffu) > (strstr(row->opcode, "bf16") != NULL ? 0x7f80u : 0x7c00u);
}

static int judge(const struct row *row, unsigned count, const uint64_t *got)
{
    unsigned wrong = 0;

    for (unsigned i = 0; i < count; i++) {
        if (row[i].nan ? is_nan(&row[i], got[i]) : got[i] == row[i].result)
            continue;
        printf("%s %s: expected %s, found %llx\n", row[i].opcode, row[i].operands, row[i].expected,
               (unsigned long long)got[i]);
        wrong++;
    }
    printf("%u rows, %u wrong\n", count, wrong);
    return wrong != 0 || count == 0;
}

int main(int argc, char **argv)
{
    static struct row row[ROWS];
    static uint64_t in[ROWS * OPERANDS], out[ROWS];
    unsigned count = argc == 2 ? read_rows(argv[1], row) : 0;
    struct text t = {0};
    CUmodule module;
    CUfunction kernel;
    CUdeviceptr from, to;
    void *args[2] = {&from, &to};

    add(&t, ".version 8.6\n.target sm_90\n.address_size 64\n"
            ".visible .entry rows(.param .u64 in, .param .u64 out)\n{\n"
            ".reg .b16 %h<6>; .reg .b32 %r<6>; .reg .b64 %d<6>; .reg .f32 %f<6>; .reg .f64 %e<6>;\n"
            ".reg .b64 %rdi, %rdo; .reg .pred %p<3>;\nld.param.u64 %rdi, [in];\nld.param.u64 %rdo, "
            "[out];\n"
            "cvta.to.global.u64 %rdi, %rdi;\ncvta.to.global.u64 %rdo, %rdo;\n");
    for (unsigned i = 0; i < count; i++) {
        memcpy(&in[i * OPERANDS], row[i].value, sizeof(row[i].value));
        add_row(&t, &row[i], i);
    }
    add(&t, "ret;\n}\n");
    if (cuModuleLoadData(&module, t.data) != 0 ||
        cuModuleGetFunction(&kernel, module, "rows") != 0 ||
        cuMemAlloc_v2(&from, sizeof(in)) != 0 || cuMemAlloc_v2(&to, sizeof(out)) != 0 ||
        cuMemcpyHtoD_v2(from, in, sizeof(in)) != 0 ||
        cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL) != 0 ||
        cuMemcpyDtoH_v2(out, to, sizeof(out)) != 0)
        return 1;
    free(t.data);
    return judge(row, count, out);
}
