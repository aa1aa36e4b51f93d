/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_gen_defs [widths | rescue] - prints rtl/include/byw_defs.vh, the constants of the RTL,
 * rtl/include/byw_widths.vh, the macros that port lists need, or rtl/policy/byw_rescue.v, which
 * joins the rescue rules. All come from the headers of the C model, so the two cannot disagree.
 * Omits what exists only in C (mechanisms without hardware, their counters and causes of bypasses).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_config.h"
#include "l1d/byw_l1d.h"
#include "l1d/byw_rsp_arb.h"
#include "l2/byw_dbi.h"
#include "policy/byw_bdu.h"
#include "policy/byw_hint.h"
#include "policy/byw_mrmu.h"
#include "policy/byw_pc_pred.h"
#include "policy/byw_policy_events.h"
#include "record/byw_decision.h"
#include "record/byw_set_duel.h"
#include "top/byw_stats.h"

enum { OUTCOME_W = 3, RSFAIL_W = 3, ACTION_W = 3, NOTE_W = 2, CAUSE_W = 2, RANDOM_W = 16 };

static void constant(int width, const char *name, unsigned value)
{
    if (value >> width != 0) {
        fprintf(stderr, "%s = %u does not fit into %d bits\n", name, value, width);
        exit(1);
    }
    printf("localparam [%d:0] %s = %d'd%u;\n", width - 1, name, width, value);
}

#define C(width, name) constant(width, #name, (unsigned)(name))

static void operations(void)
{
    C(3, BYW_OP_LOAD);
    C(3, BYW_OP_STORE);
    C(3, BYW_OP_ATOMIC);
    C(3, BYW_OP_LOCAL_LOAD);
    C(3, BYW_OP_LOCAL_STORE);
    C(3, BYW_OP_INVALIDATE);
    C(3, BYW_OP_FLUSH);
    C(3, BYW_OP_FENCE);
    C(3, BYW_FENCE_WAIT);
    C(3, BYW_FENCE_FLUSH);
    C(3, BYW_FENCE_INVALIDATE);
    C(3, BYW_HINT_NONE);
    C(3, BYW_HINT_BYPASS);
    C(3, BYW_HINT_STREAM);
    C(3, BYW_HINT_CACHE);
    C(3, BYW_HINT_VOLATILE);
    C(3, BYW_HINT_UNCACHED);
    C(2, BYW_MEM_FILL);
    C(2, BYW_MEM_BYPASS);
    C(2, BYW_MEM_STORE);
    C(2, BYW_MEM_WRITEBACK);
    C(3, BYW_SERVED_HIT);
    C(3, BYW_SERVED_FILL);
    C(3, BYW_SERVED_BYPASS);
    C(3, BYW_SERVED_STORE);
    C(3, BYW_SERVED_DONE);
    C(2, BYW_SRC_HIT);
    C(2, BYW_SRC_FILL);
    C(2, BYW_SRC_DIRECT);
}

static void decisions(void)
{
    C(OUTCOME_W, BYW_HIT);
    C(OUTCOME_W, BYW_HIT_PENDING);
    C(OUTCOME_W, BYW_MISS);
    C(OUTCOME_W, BYW_BYPASS);
    C(OUTCOME_W, BYW_RSFAIL);
#define X(code, name) C(RSFAIL_W, code);
    BYW_RSFAIL_LIST(X)
#undef X
    C(ACTION_W, BYW_SET_KEEP);
    C(ACTION_W, BYW_SET_TOUCH);
    C(ACTION_W, BYW_SET_COUNT);
    C(ACTION_W, BYW_SET_INSTALL);
    C(ACTION_W, BYW_SET_COMMIT);
    C(ACTION_W, BYW_SET_RELEASE);
    C(NOTE_W, BYW_NOTE_NONE);
    C(NOTE_W, BYW_NOTE_NEW_TAG);
    C(NOTE_W, BYW_NOTE_CANDIDATE);
    C(NOTE_W, BYW_NOTE_COMMIT);
    C(2, BYW_TAG_INVALID);
    C(2, BYW_TAG_CANDIDATE);
    C(2, BYW_TAG_COMMITTED);
    C(CAUSE_W, BYW_CAUSE_NONE);
    C(CAUSE_W, BYW_CAUSE_MODE);
    C(CAUSE_W, BYW_CAUSE_DEAD);
    C(CAUSE_W, BYW_CAUSE_STALL);
    C(2, BYW_STALL_OFF);
    C(2, BYW_STALL_LINE);
    C(2, BYW_STALL_ANY);
    C(2, BYW_MODE_BASE);
    C(2, BYW_MODE_BYPASS_ALL);
    C(2, BYW_MODE_DECOUPLED);
    C(2, BYW_BYP_SERVE);
    C(2, BYW_BYP_IGNORE);
    C(2, BYW_BYP_EVICT);
}

/* Defaults of the keys. */
enum {
#define U32(file, field, key, def, lo, hi, help) DEFAULT_##field = def,
#define ENUM(file, field, key, def, choices, help) DEFAULT_##field = def,
#define STR(file, field, key, def, help)
#define USE(file, key, help)
#include "configs/byw_params.def"
#undef USE
#undef U32
#undef ENUM
#undef STR
};

#define N(name, value) printf("localparam integer %s = %d;\n", name, (int)(value))

/* The register of the PC predictor, which reaches the L1D in addition to its policy. */
static void l1d_field(const char *reg, const char *name, unsigned lsb, unsigned width)
{
    if (strcmp(reg, "PC_PRED") == 0)
        printf("localparam integer BYW_PC_PRED_%s_LSB = %u;\n"
               "localparam integer BYW_PC_PRED_%s_W = %u;\n",
               name, lsb, name, width);
}

static void numbers(void)
{
    N("BYW_INDEX_LINEAR", BYW_INDEX_LINEAR);
    N("BYW_INDEX_FERMI", BYW_INDEX_FERMI);
    N("BYW_INDEX_FOLD", BYW_INDEX_FOLD);
#define X(name, lsb, width, meaning)                                                               \
    N("BYW_CFG_" #name "_LSB", lsb);                                                               \
    N("BYW_CFG_" #name "_W", width);
#include "top/byw_csr.def"
#undef X
#define FIELD(reg, name, lsb, width, meaning) l1d_field(#reg, #name, lsb, width);
#include "top/byw_csr.def"
#undef FIELD
#define X(code, name, when) N(#code, code);
#include "record/byw_events.def"
#undef X
    N("BYW_EV_COUNT", BYW_EV_COUNT);
#define X(code, name, when) N(#code, code);
#include "policy/byw_policy_events.def"
#undef X
    N("BYW_PEV_COUNT", BYW_PEV_COUNT);
    N("BYW_TL_CACHE", BYW_TL_CACHE);
    N("BYW_TL_BYPASS", BYW_TL_BYPASS);
    N("BYW_TL_SAMPLE", BYW_TL_SAMPLE);
    N("BYW_TL_STATES", BYW_TL_STATES);
    N("BYW_PC_VALUES", BYW_PC_VALUES);
    N("BYW_PC_REPORTS", BYW_PC_REPORTS);
    N("BYW_PC_CLEAR", BYW_PC_CLEAR);
}

static void mechanisms(void)
{
    C(2, BYW_MRMU_LOW);
    C(2, BYW_MRMU_HIGH);
    C(2, BYW_MRMU_BETWEEN);
    C(2, BYW_MRMU_FEW);
    C(2, BYW_BDU_PER_KERNEL_PC);
    C(2, BYW_BDU_EVERY_LAUNCH);
    C(2, BYW_BDU_FIRST_ONLY);
    C(2, BYW_BDU_PERIODIC);
    C(2, BYW_LEVEL_L0);
    C(2, BYW_LEVEL_L1);
    C(2, BYW_LEVEL_L2);
    C(RANDOM_W, BYW_REPL_SEED);
    C(8, BYW_PSEL_MAX);
    C(8, BYW_PSEL_HALF);
    C(3, BYW_DBI_SET);
    C(3, BYW_DBI_EVICT);
    C(3, BYW_DBI_CLEAN);
    C(3, BYW_DBI_LOOKUP);
    C(3, BYW_DBI_FLUSH);
}

static void defs(void)
{
    puts("// byw_defs.vh - constants shared by the RTL and the C model.  Generated from the "
         "headers of");
    puts("// cmodel by verif/cosim/byw_gen_defs.c (make rtl-defs); not edited.  Include it inside "
         "a");
    puts("// module body.");
    puts("/* verilator lint_off UNUSED */");
    operations();
    decisions();
    numbers();
    mechanisms();
    puts("/* verilator lint_on UNUSED */");
}

#define M(name, value) printf("`define BYW_%s %d\n", name, (int)(value))

static void widths(void)
{
    puts(
        "// byw_widths.vh - widths, replacement policies and defaults of parameters, as macros for "
        "port");
    puts("// lists.  Generated like byw_defs.vh (make rtl-defs); not edited.  Include it before a "
         "module.");
    puts("`ifndef BYW_WIDTHS_VH");
    puts("`define BYW_WIDTHS_VH");
    M("EV_W", BYW_EV_COUNT);
    M("PEV_W", BYW_PEV_COUNT);
    M("OUTCOME_W", OUTCOME_W);
    M("RSFAIL_W", RSFAIL_W);
    M("ACTION_W", ACTION_W);
    M("NOTE_W", NOTE_W);
    M("CAUSE_W", CAUSE_W);
    M("REPL_RANDOM_W", RANDOM_W);
#define REPL(code, name, rank_bits, paper) M("REPL_" #code, BYW_REPL_##code);
#define C_REPL(code, name, rank_bits, paper)
#include "configs/byw_replacements.def"
#undef REPL
    puts("// Width of the number per data way; way_iw: that of a way's number.");
    fputs("`define BYW_REPL_RANK_W(repl, way_iw) (", stdout);
#define REPL(code, name, rank_bits, paper)                                                         \
    if ((rank_bits) != 0)                                                                          \
        printf("((repl) == %d) ? %d : ", BYW_REPL_##code, rank_bits);
#define C_REPL(code, name, rank_bits, paper)
#include "configs/byw_replacements.def"
#undef REPL
    puts("(way_iw))");
    puts("// Defaults of the parameters: those of the configuration keys.");
#define RTL(parameter, when, field, key) M("DEFAULT_" #parameter, DEFAULT_##field);
#include "configs/byw_rtl_params.def"
#undef RTL
#define PORT(parameter, field, def, lo, hi, meaning) M("DEFAULT_" #parameter, def);
#include "configs/byw_port_params.def"
#undef PORT
#define TRIAL(name, key, def, lowest, highest, meaning) M("DEFAULT_TRIAL_" #name, def);
#include "configs/byw_trial_params.def"
#undef TRIAL
    puts("`endif");
}

static const char *const rescue_head[] = {
    "// byw_rescue - the rescue rules: whether a load that the L1 path refuses bypasses instead.",
    "//",
    "// Behaviour   A load is rescued if one of the rules says so.  Generated from",
    "//             cmodel/configs/byw_rescues.def by verif/cosim/byw_gen_defs.c (make rescues); "
    "not",
    "//             edited.  Combinational.",
    "// Paper       mechanisms/baselines.md 2.3; rtl/doc/rescue.md.",
    "// C twin      cmodel/model/policy/byw_rescue.c; checked by verif/policy/lockstep_rescue.c.",
    "//",
    "`default_nettype none",
    "`include \"byw_assert.vh\"",
    "`include \"byw_widths.vh\"",
    "",
    "module byw_rescue (",
    "  input  wire [31:0] cfg_i,          // policy register",
    "  input  wire [2:0]  op_i,           // BYW_OP_LOAD or BYW_OP_LOCAL_LOAD",
    "  input  wire [2:0]  hint_i,         // BYW_HINT_*",
    "  input  wire [`BYW_RSFAIL_W-1:0] reason_i,   // BYW_RSFAIL_* of the refused load",
    "  output wire        bypass_o",
    ");",
    "  `include \"byw_defs.vh\"",
    "",
};

static void rescue(void)
{
    unsigned rules = 0;

    for (size_t i = 0; i < sizeof(rescue_head) / sizeof(rescue_head[0]); i++)
        puts(rescue_head[i]);
#define RESCUE(unit, field, width, mech, key, choices, on, paper, sentence, meaning) rules++;
#include "configs/byw_rescues.def"
#undef RESCUE
    printf("  wire [%u:0] by_rule;\n\n", rules - 1);
    rules = 0;
#define RESCUE(unit, field, width, mech, key, choices, on, paper, sentence, meaning)               \
    printf("  byw_%s u_%s (\n"                                                                     \
           "    .when_i(cfg_i[BYW_CFG_%s_LSB +: BYW_CFG_%s_W]), .op_i(op_i),\n"                    \
           "    .hint_i(hint_i), .reason_i(reason_i), .bypass_o(by_rule[%u])\n  );\n",             \
           #unit, #unit, #field, #field, rules++);
#include "configs/byw_rescues.def"
#undef RESCUE
    printf("\n  assign bypass_o = |by_rule;\n\n  wire unused_ok = &{1'b0, cfg_i};\n\n"
           "  `BYW_HOLDS(off_never_bypasses, cfg_i[%d:%d] == 0, !bypass_o)\nendmodule\n\n"
           "`default_nettype wire\n",
           BYW_RESCUE_BITS - 1, BYW_RESCUE_BELOW + 1);
}

int main(int argc, char **argv)
{
    puts("// SPDX-License-Identifier: Apache-2.0");
    puts("//");
    if (argc > 1 && strcmp(argv[1], "rescue") == 0)
        rescue();
    else if (argc > 1 && strcmp(argv[1], "widths") == 0)
        widths();
    else
        defs();
    return 0;
}
