/* SPDX-License-Identifier: Apache-2.0
 *
 * t_stats - what one cycle adds to the counters (rtl/doc/stats.md).
 */
#include "common/test.h"
#include "top/byw_stats.h"

/* A cycle with a refusal of any reason is one stall cycle; one without is none. */
static void each_refusal_is_a_stall_cycle(void **state)
{
    static const uint8_t fail[] = {BYW_EV_FAIL_LINE, BYW_EV_FAIL_MSHR, BYW_EV_FAIL_MERGE,
                                   BYW_EV_FAIL_MISS_QUEUE, BYW_EV_FAIL_ICNT};

    (void)state;
    for (uint32_t e = 0; e < BYW_EV_COUNT; e++) {
        struct byw_l1_stats stats = {0};
        bool fails = false;

        for (uint32_t i = 0; i < sizeof(fail); i++)
            fails |= fail[i] == e;
        byw_stats_count(&stats, UINT32_C(1) << e);
        assert_int_equal(stats.ev[e], 1);
        assert_int_equal(stats.stall_cycles, fails);
    }
}

/* A load that asks the PC predictor counts in the class of its counter's value; the last class
 * holds all larger values. */
static void a_load_counts_in_the_class_of_its_pc_counter(void **state)
{
    (void)state;
    for (uint32_t value = 0; value < 256; value++) {
        struct byw_l1_stats stats = {0};
        uint32_t in = value < BYW_PC_VALUES ? value : BYW_PC_VALUES - 1;

        byw_stats_count_policy(&stats, byw_pev(BYW_PEV_PC_ASK), (uint8_t)value);
        for (uint32_t i = 0; i < BYW_PC_VALUES; i++)
            assert_int_equal(stats.pc_values[i], i == in);
        byw_stats_count_policy(&stats, byw_pev(BYW_PEV_PC_HOT), (uint8_t)value);
        assert_int_equal(stats.pc_values[in], 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_refusal_is_a_stall_cycle),
        cmocka_unit_test(a_load_counts_in_the_class_of_its_pc_counter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
