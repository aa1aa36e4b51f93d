/* SPDX-License-Identifier: Apache-2.0
 *
 * The counter-based predictor as its rules are written (mechanisms/predictors.md 5.2), worked out
 * by hand on one set. A letter identifies a line's table entry, because all loads have one PC
 * unless a test says otherwise.
 */
#include "comparator/byw_guesses.h"
#include "comparator/mech_rig.h"

static void trace(uint32_t ways, const char *settings, const char *letters, const char *want)
{
    struct rig r;

    rig_open(&r, "counter", 1, ways, settings);
    rig_loads(&r, letters, want);
    rig_close(&r);
}

/* 1. The central rule. B evicts A unused, and A's entry records 0: A's next load bypasses, so B
 *   stays. */
static void lines_never_reused_bypass(void **state)
{
    (void)state;
    trace(1, "counter.mode=lvp", "ABABA", "MMBHB");
}

/* 2. A count is trusted when it occurs twice in a row. A's generations: used once, once (trusted:
 *   1), not at all (not trusted), not at all (trusted: 0). */
static void a_count_is_trusted_when_equal_twice_in_a_row(void **state)
{
    (void)state;
    trace(1, "counter.mode=lvp", "AAC AAD A E A F A", "MHM MHM M M M M B");
}

/* 3. The table is indexed by the allocating PC and by the line's address. */
static void history_is_separate_for_each_pc(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "counter", 1, 1, "counter.mode=lvp");
    rig_loads(&r, "ABA", "MMB");
    r.pc = 4;
    rig_loads(&r, "A", "M");
    r.pc = 3; /* below counter.shift */
    rig_loads(&r, "B", "B");
    rig_close(&r);
}

/* 4. One in four loads that would bypass is cached. */
static void one_in_four_bypassing_loads_is_cached(void **state)
{
    (void)state;
    trace(1, "counter.mode=lvp counter.sample=4", "AB AAAA A", "MM BBBM H");
    trace(1, "counter.mode=lvp counter.sample=0", "AB AAAAAA", "MM BBBBBB");
}

/* 5. Lines dropped by a store or at the end of a kernel train nothing. */
static void dropped_lines_do_not_train(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "counter", 1, 1, "counter.mode=lvp");
    rig_loads(&r, "A", "M");
    rig_drop(&r, 0);
    rig_loads(&r, "A", "M");
    rig_kernel(&r, 0);
    rig_loads(&r, "A", "M");
    rig_kernel(&r, 0);
    rig_loads(&r, "AB", "MM");
    rig_kernel(&r, 0);
    rig_loads(&r, "A", "B"); /* the table stays */
    rig_close(&r);
}

/* 6. AIP. In its first two lives A was not reused: its interval is 0, trusted, and A expires once
 *   it has waited longer: E evicts it, though D was used before it. */
static void an_expired_line_is_evicted_first(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "counter", 1, 2, "counter.mode=aip");
    rig_loads(&r, "ABCDAE DA", "MMMMMM HM");
    assert_int_equal(rig_count(&r, BYW_GUESS_COUNTS), 1); /* A; A's last load evicts E */
    rig_close(&r);
    trace(1, "counter.mode=aip", "ABABAB", "MMMMMM"); /* in mode aip nothing bypasses */
}

/* 7. A's uses are three loads apart, in two lives: A X X A. In the third life A has expired for V,
 *   the fourth load after its use, but not for the third load, which evicts O, the least recently
 *   used line. */
static void a_line_expires_after_its_longest_interval(void **state)
{
    (void)state;
    trace(3, "counter.mode=aip", "AXXA PQR AXXA STU OAX XX V O", "MMHH MMM MMHH MMM MMM HH M H");
    trace(3, "counter.mode=aip", "AXXA PQR AXXA STU OAX X V O", "MMHH MMM MMHH MMM MMM H M M");
}

/* 7b. The current life counts, too: A, trusted with interval 0, is used after two loads; for G, one
 * load later, it has not expired, and E is evicted. */
static void intervals_since_the_fill_count_for_expiry(void **state)
{
    (void)state;
    trace(3, "counter.mode=aip", "ABC DEF A FA G E", "MMM MMM M HH M M");
}

/* 8. Both modes: A bypasses as in test 1, and is evicted as in test 7. With LvP alone O is evicted,
 *   and its next load bypasses. */
static void mode_both_bypasses_and_expires(void **state)
{
    (void)state;
    trace(1, "counter.mode=both", "ABABA", "MMBHB");
    trace(3, "counter.mode=both", "AXXA PQR AXXA STU OAX XX V O", "MMHH MMM MMHH MMM MMM HH M H");
    trace(3, "counter.mode=lvp", "AXXA PQR AXXA STU OAX XX V O", "MMHH MMM MMHH MMM MMM HH M B");
}

/* 9. Counters saturate: with one bit, two uses count as one. */
static void counters_saturate(void **state)
{
    (void)state;
    trace(1, "counter.mode=lvp counter.bits=1", "AAB AAAC A D A E A", "MHM MHHM M M M M B");
}

/* 10. Coverage and false positives: A is predicted and bypasses twice; if cached, its second load
 *   would have hit. Storage as in the paper: 10.625 KB for 256 lines. */
static void coverage_false_positives_and_storage_are_counted(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "counter", 1, 1, "counter.mode=lvp");
    rig_loads(&r, "ABAAB", "MMBBH");
    assert_int_equal(rig_count(&r, BYW_GUESS_ASKED), 4);
    assert_int_equal(rig_count(&r, BYW_GUESS_BYPASSES), 2);
    assert_int_equal(rig_count(&r, BYW_GUESS_FALSE_POSITIVES), 1);
    r.config.l1d_sets = 32;
    r.config.l1d_ways = 8;
    assert_int_equal(byw_mech_storage(&r.config, r.mech), 87040);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_never_reused_bypass),
        cmocka_unit_test(a_count_is_trusted_when_equal_twice_in_a_row),
        cmocka_unit_test(history_is_separate_for_each_pc),
        cmocka_unit_test(one_in_four_bypassing_loads_is_cached),
        cmocka_unit_test(dropped_lines_do_not_train),
        cmocka_unit_test(an_expired_line_is_evicted_first),
        cmocka_unit_test(a_line_expires_after_its_longest_interval),
        cmocka_unit_test(intervals_since_the_fill_count_for_expiry),
        cmocka_unit_test(mode_both_bypasses_and_expires),
        cmocka_unit_test(counters_saturate),
        cmocka_unit_test(coverage_false_positives_and_storage_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
