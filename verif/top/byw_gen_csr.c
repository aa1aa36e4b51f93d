/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_gen_csr - generates files from cmodel/model/top/byw_csr.def: `byw_gen_csr vh | h | md`.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "top/byw_stats.h"

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
#include "record/byw_events.def"
#undef X
};

static const char *const policy_events[][2] = {
#define X(code, name, when) {name, when},
#include "policy/byw_policy_events.def"
#undef X
};

static const char *const two_level[BYW_TL_STATES][2] = {
    [BYW_TL_CACHE] = {"cache", "two-level outside windows in which loads are cached"},
    [BYW_TL_BYPASS] = {"bypass", "two-level in which loads bypass"},
    [BYW_TL_SAMPLE] = {"sample", "sampling windows"},
};

enum {
    REGS = sizeof(regs) / sizeof(regs[0]),
    FIELDS = sizeof(fields) / sizeof(fields[0]),
};

static void print_vh(void)
{
    uint32_t i;

    puts("// SPDX-License-Identifier: Apache-2.0\n//\n"
         "// byw_csr.vh - register offsets, widths, reset values and fields.  Generated from\n"
         "// cmodel/model/top/byw_csr.def by verif/top/byw_gen_csr.c (make csr); not edited.  "
         "Include it\n"
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

    puts(
        "# csr\n\n<!-- generated from cmodel/model/top/byw_csr.def by `make csr`; not edited "
        "-->\n\n"
        "**Purpose.** The registers of a cluster: every setting of every mechanism, commands and "
        "every "
        "counter, over a bus of single 32-bit words.\n\n"
        "| ports | |\n|---|---|\n"
        "| `req_valid_i`, `req_ready_o`, `req_write_i`, `req_addr_i` (12), `req_data_i` (32) | a "
        "request; byte address |\n"
        "| `rsp_valid_o`, `rsp_ready_i`, `rsp_data_o` (32), `rsp_error_o` | its response |\n"
        "| `idle_i`, `duel_on_i`, `duel_votes_i` (4) | contents of `STATUS` |\n"
        "| `kernel_start_o`, `kernel_pc_o`, `duel_restart_o`, `reset_o` | pulses of `COMMAND`, in "
        "the cycle after its write |\n"
        "| `restart_o` | pulse: the first cycle of a new value of `POLICY`, `PC_PRED` or "
        "`TWO_LEVEL*` |\n"
        "| `policy_o`, `pc_pred_o`, `two_level_o` and so on | the registers; those of dueling "
        "field by field |\n"
        "| `count_req_o`, `count_sm_o`, `count_sel_o`, `count_valid_i`, `count_data_i` (64) | "
        "read of a counter; the request stays until the answer |\n\n"
        "**Bus.** `req` and `rsp` are valid/ready, with one access at a time. The response comes "
        "one cycle\nafter the request, that of `COUNTER_LOW` nine cycles after it. Errors are: an "
        "address that is not a register or not\na multiple of 4; a write to a register that "
        "cannot be written; and a write to `POLICY`, `PC_PRED`, `TWO_LEVEL*` or\n`COMMAND.RESET` "
        "while a request is in flight in any L1. An access with an error changes nothing and "
        "reads 0.\nBits above the width of a register are ignored and read 0. Values outside the "
        "ranges given here are not checked.\n\n"
        "![A write and two reads](waves/csr_read.svg)\n\n"
        "**New settings.** A write to `POLICY`, `PC_PRED` or `TWO_LEVEL*` drops all lines, as a "
        "kernel start does, and resets\nthe two-level bypass. A write to `DUEL*` restarts "
        "dueling; a switch of the filter that the restart hides has no effect,\nbecause candidates "
        "are dropped only in cycles with the filter off. A request accepted in the cycle of the "
        "write is decided by\nthe new settings; one accepted in the cycle of a `RESET` or in the "
        "next one is lost.\n\n"
        "**Tests.** `verif/top/t_csr.c`: errors, pulses and `STATUS`, by hand. "
        "`verif/top/lockstep_csr.c` against `cmodel/model/top/byw_csr.c`. "
        "`verif/top/t_csr_files.sh` checks that this page is up to date.\n\n"
        "## Modes by name\n\n"
        "An instance of `byw_l1d` or `byw_sm_l1` without these registers gets their values as "
        "inputs. `rtl/include/byw_modes.vh` defines them as\nmacros, for every policy with "
        "hardware (`bl`, `ball`, `decoupled`, `pc`, `stall`, `stall_line`, `two_level`, "
        "`threshold`, `hybrid_t`),\ngenerated from the policy files (`make rtl-defs`, "
        "`verif/cosim/t_modes.sh`):\n\n"
        "| macro | input |\n|---|---|\n"
        "| `BYW_MODE_DECOUPLED` | `cfg_i`; OR it with `BYW_MODE_STORE_UPDATE` for stores that "
        "update |\n"
        "| `BYW_MODE_DECOUPLED_FILTER_ON` | `filter_on_i` without dueling |\n"
        "| `BYW_MODE_DECOUPLED_PC_CFG` | `pc_cfg_i` |\n"
        "| `BYW_MODE_DECOUPLED_TL_CFG`, `_TL_WINDOW`, `_TL_PERIOD`, `_TL_BOUND` | `tl_*_i` of "
        "`byw_sm_l1` |\n\n"
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
    puts("\n## Counters\n\n64 bits each; a number above the last one reads 0.\n\n"
         "| number | counter | counts |\n|---|---|---|");
    for (i = 0; i < BYW_EV_COUNT; i++)
        printf("| %u | `%s` | %s |\n", i, events[i][0], events[i][1]);
    printf("| %d | `stall_cycles` | cycles in which the decision point refuses a request |\n",
           BYW_COUNTER_STALL);
    printf("| %d | `filter_on_cycles` | cycles in which the locality filter is enabled |\n",
           BYW_COUNTER_FILTER_ON);
    for (i = 0; i < BYW_PEV_COUNT; i++)
        printf("| %u | `%s` | %s |\n", BYW_COUNTER_POLICY + i, policy_events[i][0],
               policy_events[i][1]);
    for (i = 0; i < BYW_TL_STATES; i++)
        printf("| %u | `two_level.%s_cycles` | cycles of %s |\n", BYW_COUNTER_TWO_LEVEL + i,
               two_level[i][0], two_level[i][1]);
    printf("| %d | `two_level.active_warps` | active warps, summed over the cycles of sampling "
           "windows |\n",
           BYW_COUNTER_WARPS);
    printf(
        "| %d..%d | `pc.counter_0` to `pc.counter_%d` | loads that asked the PC predictor, by its "
        "counter; the last one includes all larger values |\n",
        BYW_COUNTER_PC_VALUES, BYW_COUNTER_PARITY - 1, BYW_PC_VALUES - 1);
    printf(
        "| %d | `parity_errors` | parameter PARITY: requests answered with an "
        "error because a line or tag has wrong parity, write-backs of wrong bytes, and fills not "
        "installed; stops below "
        "2^32 |\n",
        BYW_COUNTER_PARITY);
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
