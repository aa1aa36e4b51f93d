/* SPDX-License-Identifier: Apache-2.0
 *
 * t_dram.c - every DRAM distance at its last forbidden and its first allowed cycle; refresh,
 * command buses, bank groups.
 */
#include "dram_rig.h"

static void test_activate_to_column(void **state)
{
    struct rig rig;

    (void)state;
    bare_config(&rig.config);
    rig.config.t_rcd = 9;
    rig.config.t_wl = 3;
    rig_start(&rig);
    push(&rig, 0, 5, false, 1);
    expect_at(&rig, &rig.stats.dram_activates, 1);
    expect_at(&rig, &rig.stats.dram_reads, 1 + 9);
    for (int i = 0; i < 50; i++)
        step(&rig);
    push(&rig, 1, 5, true, 1);
    expect_at(&rig, &rig.stats.dram_activates, rig.now);
    expect_at(&rig, &rig.stats.dram_writes, rig.now - 1 + 9 - (3 + 1));
    rig_end(&rig);
}

static void test_activate_to_activate(void **state)
{
    struct rig rig;
    uint64_t at;

    (void)state;
    bare_config(&rig.config);
    rig.config.t_rrd = 7;
    rig_start(&rig);
    push(&rig, 0, 5, false, 1);
    push(&rig, 9, 5, false, 1);
    at = next_of(&rig, &rig.stats.dram_activates);
    expect_at(&rig, &rig.stats.dram_activates, at + 7);
    rig_end(&rig);

    bare_config(&rig.config);
    rig.config.t_rc = 30;
    rig_start(&rig);
    push(&rig, 0, 5, false, 1);
    push(&rig, 0, 6, false, 1);
    at = next_of(&rig, &rig.stats.dram_activates);
    expect_at(&rig, &rig.stats.dram_activates, at + 30);
    rig_end(&rig);
}

static void test_precharge(void **state)
{
    struct rig rig;
    uint64_t at;

    (void)state;
    bare_config(&rig.config);
    rig.config.t_ras = 20;
    rig.config.t_rp = 11;
    rig_start(&rig);
    push(&rig, 0, 5, false, 1);
    push(&rig, 0, 6, false, 1);
    at = next_of(&rig, &rig.stats.dram_activates);
    expect_at(&rig, &rig.stats.dram_precharges, at + 20);
    expect_at(&rig, &rig.stats.dram_activates, at + 20 + 11);
    rig_end(&rig);
}

static void test_column_to_column(void **state)
{
    struct rig rig;
    uint64_t at;

    (void)state;
    bare_config(&rig.config);
    rig.config.t_ccd = 5;
    rig_start(&rig);
    open_row(&rig, 0, 1);
    push(&rig, 0, 1, false, 3);
    at = next_of(&rig, &rig.stats.dram_reads);
    expect_at(&rig, &rig.stats.dram_reads, at + 5);
    expect_at(&rig, &rig.stats.dram_reads, at + 10);
    rig_end(&rig);

    /* Banks 0 and 1 are of one group, bank 4 is of another. */
    bare_config(&rig.config);
    rig.config.t_ccd = 2;
    rig.config.t_ccdl = 6;
    rig_start(&rig);
    open_row(&rig, 0, 1);
    open_row(&rig, 1, 1);
    open_row(&rig, 4, 1);
    push(&rig, 0, 1, false, 1);
    push(&rig, 1, 1, false, 1);
    at = next_of(&rig, &rig.stats.dram_reads);
    expect_at(&rig, &rig.stats.dram_reads, at + 6);
    for (int i = 0; i < 50; i++)
        step(&rig);
    push(&rig, 0, 1, false, 1);
    push(&rig, 4, 1, false, 1);
    at = next_of(&rig, &rig.stats.dram_reads);
    expect_at(&rig, &rig.stats.dram_reads, at + 2);
    rig_end(&rig);
}

static void test_turnaround(void **state)
{
    struct rig rig;
    uint64_t at;

    (void)state;
    bare_config(&rig.config);
    rig.config.t_cl = 8;
    rig.config.t_wl = 3;
    rig.config.dram_burst = 2;
    rig_start(&rig);
    open_row(&rig, 0, 1);
    open_row(&rig, 4, 1);
    push(&rig, 0, 1, false, 1);
    at = next_of(&rig, &rig.stats.dram_reads);
    push(&rig, 4, 1, true, 1);
    expect_at(&rig, &rig.stats.dram_writes, at + 8 + 2 + 2 - 3);
    rig_end(&rig);

    bare_config(&rig.config);
    rig.config.t_wl = 3;
    rig.config.t_cdlr = 4;
    rig.config.dram_burst = 2;
    rig_start(&rig);
    open_row(&rig, 0, 1);
    open_row(&rig, 4, 1);
    push(&rig, 4, 1, true, 1);
    at = next_of(&rig, &rig.stats.dram_writes);
    push(&rig, 0, 1, false, 1);
    expect_at(&rig, &rig.stats.dram_reads, at + 3 + 2 + 4);
    rig_end(&rig);
}

static void test_column_to_precharge(void **state)
{
    struct rig rig;
    uint64_t at;

    (void)state;
    bare_config(&rig.config);
    rig.config.t_wl = 3;
    rig.config.t_wr = 13;
    rig.config.dram_burst = 2;
    rig_start(&rig);
    open_row(&rig, 0, 1);
    push(&rig, 0, 1, true, 1);
    push(&rig, 0, 2, true, 1);
    at = next_of(&rig, &rig.stats.dram_writes);
    expect_at(&rig, &rig.stats.dram_precharges, at + 3 + 2 + 13);
    rig_end(&rig);

    bare_config(&rig.config);
    rig.config.dram_burst = 4;
    rig_start(&rig);
    open_row(&rig, 0, 1);
    push(&rig, 0, 1, false, 1);
    push(&rig, 0, 2, false, 1);
    at = next_of(&rig, &rig.stats.dram_reads);
    expect_at(&rig, &rig.stats.dram_precharges, at + 4);
    rig_end(&rig);

    /* t_rtpl holds for the other banks of the read's group only. */
    for (uint32_t other = 1; other <= 4; other += 3) {
        bare_config(&rig.config);
        rig.config.t_rtpl = 9;
        rig_start(&rig);
        open_row(&rig, 0, 1);
        open_row(&rig, other, 1);
        push(&rig, 0, 1, false, 1);
        at = next_of(&rig, &rig.stats.dram_reads);
        push(&rig, other, 2, false, 1);
        expect_at(&rig, &rig.stats.dram_precharges, other == 1 ? at + 9 : at + 1);
        rig_end(&rig);
    }
}

static void test_data_latency(void **state)
{
    struct rig rig;
    uint64_t at;

    (void)state;
    for (int write = 0; write < 2; write++) {
        bare_config(&rig.config);
        rig.config.t_cl = 12;
        rig.config.t_wl = 4;
        rig_start(&rig);
        open_row(&rig, 0, 1);
        while (rig.dram.returned.count > 0)
            byw_pool_give(&rig.pool, byw_fifo_pop(&rig.pool, &rig.dram.returned));
        push(&rig, 0, 1, write, 1);
        at = next_of(&rig, write ? &rig.stats.dram_writes : &rig.stats.dram_reads);
        at += write ? 4 : 12;
        while (rig.now < at)
            step(&rig);
        assert_int_equal(rig.dram.returned.count, 0);
        step(&rig);
        assert_int_equal(rig.dram.returned.count, 1);
        assert_true(rig.stats.dram_busy == 2);
        rig_end(&rig);
    }
}

/* --- refresh, command buses --------------------------------------------------
 */

/* Every 200 cycles, 50 long, after t_rp if a row is open: t-1 and t of the activate. */
static void test_refresh(void **state)
{
    struct rig rig;

    (void)state;
    bare_config(&rig.config);
    rig.config.t_rp = 11;
    rig.config.t_refi = 200;
    rig.config.t_rfc = 50;
    rig_start(&rig);
    while (rig.now < 200)
        step(&rig);
    push(&rig, 0, 5, false, 1); /* seen in cycle 200, with all rows closed */
    expect_at(&rig, &rig.stats.dram_activates, 200 + 50);
    while (rig.now < 400)
        step(&rig);
    push(&rig, 0, 5, false, 1); /* its row is open until then */
    expect_at(&rig, &rig.stats.dram_activates, 400 + 11 + 50);
    assert_int_equal(rig.stats.dram_precharges, 1);
    while (rig.now < 500)
        step(&rig);
    push(&rig, 0, 5, false, 1);
    expect_at(&rig, &rig.stats.dram_reads, 500); /* a row hit in between */
    assert_int_equal(rig.stats.dram_refreshes, 2);
    rig_end(&rig);
}

/* A refresh waits for what holds the precharge; three that an idle channel missed are made up
 * for, of which the last may still be under way. */
static void test_refresh_waits_and_catches_up(void **state)
{
    struct rig rig;

    (void)state;
    bare_config(&rig.config);
    rig.config.t_ras = 30;
    rig.config.t_refi = 200;
    rig.config.t_rp = rig.config.t_rfc = 50;
    rig_start(&rig);
    while (rig.now < 190)
        step(&rig);
    push(&rig, 0, 5, false, 1);
    expect_at(&rig, &rig.stats.dram_activates, 190);
    while (rig.now < 205)
        step(&rig);
    push(&rig, 3, 5, false, 1);
    expect_at(&rig, &rig.stats.dram_activates, 190 + 30 + 50 + 50);
    while (rig.now < 830) {
        step(&rig);
        assert_true(rig.now < 350 || rig.dram.wake == UINT64_MAX); /* it sleeps meanwhile */
    }
    push(&rig, 3, 5, false, 1);
    expect_at(&rig, &rig.stats.dram_activates, 800 + 50);
    assert_int_equal(rig.stats.dram_refreshes, 4);
    rig_end(&rig);
}

/* Bank 2's column command and, later in the turn, bank 5's activate: in one cycle with two buses,
 * one after the other without. */
static void test_dual_bus(void **state)
{
    (void)state;
    for (uint32_t dual = 0; dual < 2; dual++) {
        struct rig rig;
        uint64_t at;

        bare_config(&rig.config);
        rig.config.dram_dual_bus = dual;
        rig_start(&rig);
        open_row(&rig, 2, 1);
        push(&rig, 2, 1, false, 8);
        at = next_of(&rig, &rig.stats.dram_reads);
        rig.dram.turn = 0;
        push(&rig, 5, 1, false, 1);
        assert_int_equal(next_of(&rig, &rig.stats.dram_reads), at + 1);
        assert_int_equal(rig.stats.dram_activates, 1 + dual);
        rig_end(&rig);
    }
}

static void test_bank_groups(void **state)
{
    static const struct {
        uint32_t index, timing, other, distance;
    } pair[] = {{BYW_GROUP_HIGH, 1, 1, 6}, {BYW_GROUP_HIGH, 1, 4, 2}, {BYW_GROUP_LOW, 1, 1, 2},
                {BYW_GROUP_LOW, 1, 4, 6},  {BYW_GROUP_HIGH, 0, 1, 2}, {BYW_GROUP_LOW, 0, 4, 2}};

    (void)state;
    for (size_t i = 0; i < sizeof(pair) / sizeof(pair[0]); i++) {
        struct rig rig;
        uint64_t at;

        bare_config(&rig.config);
        rig.config.t_ccd = 2;
        rig.config.t_ccdl = 6;
        rig.config.dram_group_index = pair[i].index;
        rig.config.dram_group_timing = pair[i].timing;
        rig_start(&rig);
        open_row(&rig, 0, 1);
        open_row(&rig, pair[i].other, 1);
        push(&rig, 0, 1, false, 1);
        push(&rig, pair[i].other, 1, false, 1);
        at = next_of(&rig, &rig.stats.dram_reads);
        expect_at(&rig, &rig.stats.dram_reads, at + pair[i].distance);
        rig_end(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_activate_to_column),
        cmocka_unit_test(test_activate_to_activate),
        cmocka_unit_test(test_precharge),
        cmocka_unit_test(test_column_to_column),
        cmocka_unit_test(test_turnaround),
        cmocka_unit_test(test_column_to_precharge),
        cmocka_unit_test(test_data_latency),
        cmocka_unit_test(test_refresh),
        cmocka_unit_test(test_refresh_waits_and_catches_up),
        cmocka_unit_test(test_dual_bus),
        cmocka_unit_test(test_bank_groups),
    };

    return cmocka_run_group_tests_name("dram", tests, NULL, NULL);
}
