/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_gen_csr - prints what is made from cmodel/top/byw_csr.def: `byw_gen_csr vh | h | md`.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "l1d/byw_l1d.h"

enum access { RO, HW, RW, W1 };

struct field {
    const char *reg, *name, *meaning;
    uint32_t lsb, width;
};

static const struct field fields[] = {
#define FIELD(register, name, lsb, width, meaning) {#register, #name, meaning, lsb, width},
#define X(name, lsb, width, meaning) {"POLICY", #name, meaning, lsb, width},
#include "top/byw_csr.def"
};

struct reg {
    const char *name, *meaning;
    uint32_t offset, width, reset;
    enum access access;
};

static const struct reg regs[] = {
#define REG(name, offset, width, reset, access, meaning)                                           \
    {#name, meaning, offset, width, reset, access},
#include "top/byw_csr.def"
};

static const char *const events[][2] = {
#define X(code, name, when) {name, when},
#include "l1d/byw_events.def"
#undef X
};

enum {
    REGS = sizeof(regs) / sizeof(regs[0]),
    FIELDS = sizeof(fields) / sizeof(fields[0]),
};

static void print_vh(void)
{
    uint32_t i;

    puts(
        "// SPDX-License-Identifier: Apache-2.0\n//\n"
        "// byw_csr.vh - register offsets, widths, reset values and fields.  Generated from\n"
        "// cmodel/top/byw_csr.def by verif/top/byw_gen_csr.c (make csr); not edited.  Include it\n"
        "// inside a module body.\n/* verilator lint_off UNUSED */");
    for (i = 0; i < REGS; i++) {
        printf("localparam [11:0] BYW_CSR_%s = 12'h%03x;\n", regs[i].name, regs[i].offset);
        printf("localparam integer BYW_CSR_%s_W = %u;\n", regs[i].name, regs[i].width);
        printf("localparam [31:0] BYW_CSR_%s_RESET = 32'h%08x;\n", regs[i].name, regs[i].reset);
    }
    for (i = 0; i < FIELDS; i++) {
        const struct field *f = &fields[i];

        printf("localparam integer BYW_CSR_%s_%s_LSB = %u;\n", f->reg, f->name, f->lsb);
        printf("localparam integer BYW_CSR_%s_%s_W = %u;\n", f->reg, f->name, f->width);
    }
    puts("/* verilator lint_on UNUSED */");
}

static void print_h(void)
{
    uint32_t i;

    puts("/* SPDX-License-Identifier: Apache-2.0\n *\n"
         " * byw_csr_map.h - register offsets, widths, reset values and fields, for drivers and "
         "the\n"
         " * twin.  Generated from byw_csr.def by verif/top/byw_gen_csr.c (make csr); not edited.\n"
         " */\n#ifndef BYW_CSR_MAP_H\n#define BYW_CSR_MAP_H\n\n/* clang-format off */");
    for (i = 0; i < REGS; i++) {
        printf("#define BYW_CSR_%s 0x%03xU /* %s */\n", regs[i].name, regs[i].offset,
               regs[i].meaning);
        printf("#define BYW_CSR_%s_W %uU\n", regs[i].name, regs[i].width);
        printf("#define BYW_CSR_%s_RESET 0x%xU\n", regs[i].name, regs[i].reset);
    }
    for (i = 0; i < FIELDS; i++) {
        const struct field *f = &fields[i];

        printf("#define BYW_CSR_%s_%s_LSB %uU /* %s */\n", f->reg, f->name, f->lsb, f->meaning);
        printf("#define BYW_CSR_%s_%s_W %uU\n", f->reg, f->name, f->width);
    }
    puts("/* clang-format on */\n\n#endif");
}

static void print_fields(const char *reg)
{
    uint32_t i;

    for (i = 0; i < FIELDS; i++) {
        const struct field *f = &fields[i];

        if (strcmp(f->reg, reg) != 0)
            continue;
        if (f->width == 1)
            printf("| | %u | | | `%s`: %s |\n", f->lsb, f->name, f->meaning);
        else
            printf("| | %u..%u | | | `%s`: %s |\n", f->lsb + f->width - 1, f->lsb, f->name,
                   f->meaning);
    }
}

static void print_md(void)
{
    static const char *const access[] = {"constant", "hardware", "read, write", "write ones"};
    uint32_t i;

    puts("# csr\n\n<!-- generated from cmodel/top/byw_csr.def by `make csr`; not edited -->\n\n"
         "**Purpose.** The registers of a cluster: policy, dueling, counters, over a bus of single "
         "32-bit words.\n\n"
         "**Bus.** `req` (write, byte address, data) and `rsp` (data, error), both valid/ready, "
         "one access at a time; the answer comes a\ncycle after the request, that of `COUNTER_LOW` "
         "up to six cycles after it. An error is an address that is no register or no\nmultiple of "
         "4, a write to what cannot be written, and a write to `POLICY` while a request is in "
         "flight; it changes nothing and\nreads 0. Bits above a register's width are ignored and "
         "read 0.\n\n"
         "**Tests.** `verif/top/lockstep_csr.c` against `cmodel/top/byw_csr.c`; "
         "`verif/top/t_csr_files.sh` shows that this page is current.\n\n"
         "## Registers\n\n| offset | register, bits | after reset | access | meaning |\n"
         "|---|---|---|---|---|");
    for (i = 0; i < REGS; i++) {
        printf("| 0x%03X | `%s`, %u..0 | ", regs[i].offset, regs[i].name, regs[i].width - 1);
        if (regs[i].access == HW)
            printf("| %s | %s |\n", access[regs[i].access], regs[i].meaning);
        else
            printf("0x%X | %s | %s |\n", regs[i].reset, access[regs[i].access], regs[i].meaning);
        print_fields(regs[i].name);
    }
    puts("\n## Counters\n\n64 bits each; a number beyond the last reads 0.\n\n"
         "| number | counter | counts |\n|---|---|---|");
    for (i = 0; i < BYW_EV_COUNT; i++)
        printf("| %u | `%s` | %s |\n", i, events[i][0], events[i][1]);
    printf("| %u | `stall_cycles` | cycles in which the decision point refuses a request |\n",
           BYW_EV_COUNT);
    printf("| %u | `filter_on_cycles` | cycles in which the locality filter may work |\n",
           BYW_EV_COUNT + 1);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "vh") == 0)
        print_vh();
    else if (argc == 2 && strcmp(argv[1], "h") == 0)
        print_h();
    else if (argc == 2 && strcmp(argv[1], "md") == 0)
        print_md();
    else
        return fprintf(stderr, "usage: byw_gen_csr vh|h|md\n"), 2;
    return 0;
}
