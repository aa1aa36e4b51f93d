/* SPDX-License-Identifier: Apache-2.0
 *
 * The two monitors of the two-level bypass: which accesses the miss rate counts, and the thresholds
 * of miss rate and occupancy at their edges (mechanisms/two_level.md 3.3, 3.4).
 */
#include "policy/two_level_rig.h"

static void only_served_loads_count_for_the_miss_rate(void **state)
{
    struct byw_mrmu mrmu;
    uint32_t fail;

    (void)state;
    byw_mrmu_clear(&mrmu);
    byw_mrmu_count(&mrmu, LOAD_HIT, false);
    byw_mrmu_count(&mrmu, LOAD_MISS, false);
    byw_mrmu_count(&mrmu, LOAD_MISS | EV(BYW_EV_SECTOR_MISS), false);
    byw_mrmu_count(&mrmu, LOAD_PENDING, false);
    assert_int_equal(mrmu.accesses, 4);
    assert_int_equal(mrmu.misses, 2);
    byw_mrmu_count(&mrmu, LOAD_PENDING, true);
    assert_int_equal(mrmu.accesses, 5);
    assert_int_equal(mrmu.misses, 3);
    byw_mrmu_count(&mrmu, LOAD_BYPASS, true);
    byw_mrmu_count(&mrmu, EV(BYW_EV_STORE) | EV(BYW_EV_MISS), true);
    byw_mrmu_count(&mrmu, EV(BYW_EV_STORE) | EV(BYW_EV_HIT), true);
    byw_mrmu_count(&mrmu, EV(BYW_EV_ATOMIC), true);
    for (fail = BYW_EV_FAIL_LINE; fail <= BYW_EV_FAIL_ICNT; fail++)
        byw_mrmu_count(&mrmu, EV(fail) | EV(BYW_EV_MEM_READ), true);
    assert_int_equal(mrmu.accesses, 5);
    assert_int_equal(mrmu.misses, 3);
}

static void miss_rate_thresholds_are_exclusive(void **state)
{
    struct byw_mrmu mrmu = {.accesses = 1000, .misses = 499};

    (void)state;
    assert_int_equal(byw_mrmu_judge(&mrmu, 128, 230, 64), BYW_MRMU_LOW);
    mrmu.misses = 500; /* exactly half: not below */
    assert_int_equal(byw_mrmu_judge(&mrmu, 128, 230, 64), BYW_MRMU_BETWEEN);
    mrmu = (struct byw_mrmu){.accesses = 512, .misses = 460}; /* exactly 230 / 256: not above */
    assert_int_equal(byw_mrmu_judge(&mrmu, 128, 230, 64), BYW_MRMU_BETWEEN);
    mrmu.misses = 461;
    assert_int_equal(byw_mrmu_judge(&mrmu, 128, 230, 64), BYW_MRMU_HIGH);
    mrmu.misses = 512;
    assert_int_equal(byw_mrmu_judge(&mrmu, 256, 256, 64), BYW_MRMU_BETWEEN); /* all accesses miss */
    mrmu = (struct byw_mrmu){.accesses = 63};
    assert_int_equal(byw_mrmu_judge(&mrmu, 128, 230, 64), BYW_MRMU_FEW);
    mrmu.accesses = 64;
    assert_int_equal(byw_mrmu_judge(&mrmu, 128, 230, 64), BYW_MRMU_LOW);
    mrmu = (struct byw_mrmu){0};
    assert_int_equal(byw_mrmu_judge(&mrmu, 128, 230, 0), BYW_MRMU_BETWEEN); /* no rate because
                                                                               there are too few
                                                                               accesses */
    mrmu = (struct byw_mrmu){.accesses = 65535, .misses = 32767};
    assert_int_equal(byw_mrmu_judge(&mrmu, 128, 230, 64), BYW_MRMU_LOW);
    mrmu.misses = 32768;
    assert_int_equal(byw_mrmu_judge(&mrmu, 128, 230, 64), BYW_MRMU_BETWEEN);
}

static void occupancy_threshold_is_exclusive(void **state)
{
    struct byw_womu womu;

    (void)state;
    byw_womu_clear(&womu);
    byw_womu_count(&womu, 20, 99);
    byw_womu_count(&womu, 19, 1); /* one warp short in one of 100 cycles */
    assert_true(byw_womu_below(&womu, true, 100, 32, 160));
    assert_true(byw_womu_below(&womu, false, 100, 32, 160));
    byw_womu_clear(&womu);
    byw_womu_count(&womu, 20, 100); /* 20 of 32 is 160 / 256: not below */
    assert_false(byw_womu_below(&womu, true, 100, 32, 160));
    assert_true(byw_womu_below(&womu, true, 100, 32, 161));
    byw_womu_count(&womu, 0, 1);
    assert_false(byw_womu_below(&womu, true, 100, 32, 160)); /* judged by the sum */
    assert_true(byw_womu_below(&womu, false, 100, 32, 160)); /* judged by the last cycle */
    byw_womu_clear(&womu);
    byw_womu_count(&womu, 64, 65535);
    assert_false(byw_womu_below(&womu, true, 65535, 64, 256));
    assert_false(byw_womu_below(&womu, true, 65535, 64, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_served_loads_count_for_the_miss_rate),
        cmocka_unit_test(miss_rate_thresholds_are_exclusive),
        cmocka_unit_test(occupancy_threshold_is_exclusive),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
