/* SPDX-License-Identifier: Apache-2.0
 *
 * t_sass.c - class, memory space and width of SASS opcodes.
 */
#include <string.h>

#include "common/test.h"
#include "trace/accelsim/byw_sass.h"

static void opcodes_give_class_space_and_width(void **state)
{
    static const struct {
        const char *opcode;
        enum byw_class cls;
        uint8_t width, space;
        bool known;
    } want[] = {
        {"IADD3", BYW_CLASS_INT, 0, BYW_SASS_NONE, true},
        {"ISETP.GE.AND", BYW_CLASS_INT, 0, BYW_SASS_NONE, true},
        {"FFMA.FTZ", BYW_CLASS_FP, 0, BYW_SASS_NONE, true},
        {"MUFU.RCP", BYW_CLASS_SFU, 0, BYW_SASS_NONE, true},
        {"DFMA", BYW_CLASS_DP, 0, BYW_SASS_NONE, true},
        {"HMMA.16816.F32", BYW_CLASS_FP, 0, BYW_SASS_NONE, true},
        {"BRA", BYW_CLASS_BRANCH, 0, BYW_SASS_NONE, true},
        {"BAR.SYNC", BYW_CLASS_BARRIER, 0, BYW_SASS_NONE, true},
        {"EXIT", BYW_CLASS_EXIT, 0, BYW_SASS_NONE, true},
        {"LDG.E.128.SYS", BYW_CLASS_LOAD, 16, BYW_SASS_FIXED, true},
        {"LDG.E.64", BYW_CLASS_LOAD, 8, BYW_SASS_FIXED, true},
        {"LDG.E.U8", BYW_CLASS_LOAD, 1, BYW_SASS_FIXED, true},
        {"STG.E.U16", BYW_CLASS_STORE, 2, BYW_SASS_FIXED, true},
        {"LD.E", BYW_CLASS_LOAD, 4, BYW_SASS_GENERIC, true},
        {"ST", BYW_CLASS_STORE, 4, BYW_SASS_GENERIC, true},
        {"RED.E.ADD.F32.FTZ.RN.STRONG.GPU", BYW_CLASS_ATOMIC, 4, BYW_SASS_FIXED, true},
        {"ATOMG.E.CAS.64.STRONG.GPU", BYW_CLASS_ATOMIC, 8, BYW_SASS_FIXED, true},
        {"ATOMS.ADD", BYW_CLASS_SHARED_LOAD, 4, BYW_SASS_FIXED, true},
        {"LDS.U.128", BYW_CLASS_SHARED_LOAD, 16, BYW_SASS_FIXED, true},
        {"LDSM.16.M88.4", BYW_CLASS_SHARED_LOAD, 16, BYW_SASS_FIXED, true},
        {"STL.64", BYW_CLASS_LOCAL_STORE, 8, BYW_SASS_FIXED, true},
        {"LDC", BYW_CLASS_CONST_LOAD, 4, BYW_SASS_FIXED, true},
        {"ACQBULK", BYW_CLASS_INT, 0, BYW_SASS_NONE, true},
        {"YIELD", BYW_CLASS_INT, 0, BYW_SASS_NONE, true},
        {"FROBNICATE.64", BYW_CLASS_INT, 0, BYW_SASS_NONE, false},
        {"AVERYLONGOPCODENAMETHATISNONE", BYW_CLASS_INT, 0, BYW_SASS_NONE, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
        struct byw_sass got = byw_sass_decode(want[i].opcode, strlen(want[i].opcode));

        if (got.cls != want[i].cls || got.width != want[i].width || got.space != want[i].space ||
            got.known != want[i].known)
            fail_msg("%s: class %s width %u space %u known %d", want[i].opcode,
                     byw_class_name((enum byw_class)got.cls), got.width, got.space, got.known);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(opcodes_give_class_space_and_width)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
