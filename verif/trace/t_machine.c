/* SPDX-License-Identifier: Apache-2.0
 *
 * t_machine.c - tables of machine code: every kind has a name and a unit, and a table that breaks a
 * rule of byw_machine.h is refused.
 */
#include "common/test.h"

#include <string.h>

#include "trace/byw_machine.h"

static void every_kind_has_its_own_name(void **state)
{
    (void)state;
    for (unsigned op = 0; op < BYW_MACHINE_OPS; op++) {
        assert_true(strlen(byw_machine_op_name(op)) > 0);
        assert_in_range(byw_machine_op_unit(op), 0, BYW_MACHINE_UNIT_COUNT - 1);
        for (unsigned other = 0; other < op; other++)
            assert_string_not_equal(byw_machine_op_name(op), byw_machine_op_name(other));
    }
    assert_string_equal(byw_machine_unit_name(byw_machine_op_unit(BYW_MACHINE_LOAD)), "lsu");
    assert_true(byw_machine_op_is_memory(BYW_MACHINE_STORE));
    assert_false(byw_machine_op_is_memory(BYW_MACHINE_CONST_LOAD));
}

/* The fault of a table of two good instructions after one change; NULL: none. */
static const char *fault_with(const struct byw_machine_inst *changed)
{
    struct byw_machine_inst inst[2] = {
        {.write_barrier = 0, .read_barrier = 7, .target = BYW_MACHINE_NO_TARGET}, *changed};
    struct byw_machine machine = {.count = 2, .inst = inst};

    return byw_machine_fault(&machine);
}

static void each_rule_of_the_table_is_checked(void **state)
{
    const struct byw_machine_inst good = {.op = BYW_MACHINE_BRANCH,
                                          .stall = 15,
                                          .yield = 1,
                                          .write_barrier = 5,
                                          .read_barrier = 7,
                                          .wait = 63,
                                          .width = 16,
                                          .target = 1};
    struct byw_machine_inst bad;

    (void)state;
    assert_null(fault_with(&good));
#define REFUSED(field, value)                                                                      \
    do {                                                                                           \
        bad = good;                                                                                \
        bad.field = value;                                                                         \
        assert_non_null(fault_with(&bad));                                                         \
    } while (0)
    REFUSED(op, BYW_MACHINE_OPS);
    REFUSED(stall, 16);
    REFUSED(yield, 2);
    REFUSED(write_barrier, 6);
    REFUSED(read_barrier, 8);
    REFUSED(wait, 64);
    REFUSED(width, 3);
    REFUSED(target, 2);
#undef REFUSED
    assert_non_null(byw_machine_fault(&(struct byw_machine){.count = 0}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_has_its_own_name),
        cmocka_unit_test(each_rule_of_the_table_is_checked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
