/* SPDX-License-Identifier: Apache-2.0
 *
 * SDBP as its rules are written (mechanisms/predictors.md 5.3), worked out by hand. A PC is
 * predicted dead when its three counters, 0 to 3 each, add up to 8: after three evictions from the
 * sampler.
 */
#include "comparator/byw_guesses.h"
#include "comparator/mech_rig.h"

enum { P = 0, Q = 4 }; /* PCs */

static void trace(const char *settings, const char *letters, const char *want)
{
    struct rig r;

    rig_open(&r, "sdbp", 1, 1, settings);
    rig_loads(&r, letters, want);
    rig_close(&r);
}

/* 1. The central rule, one sampled tag: B, C and D each evict the line before, adding 3 each time;
 *   E bypasses. */
static void loads_predicted_as_last_touch_bypass(void **state)
{
    (void)state;
    trace("sdbp.sampler_ways=1", "ABCDE", "MMMMB");
    trace("sdbp.sampler_ways=1 sdbp.threshold=3", "ABC", "MMB");
}

/* 2. The sampler sees loads that bypass: E's second load finds its tag there, and lowers the sum to
 *   6. */
static void reuse_in_the_sampler_decrements_the_counters(void **state)
{
    (void)state;
    trace("sdbp.sampler_ways=1", "ABCD EE F", "MMMM BB M");
}

/* 3. With more sampled tags than lines in use nothing is evicted and nothing is learned. */
static void a_sampler_without_evictions_learns_nothing(void **state)
{
    (void)state;
    trace("sdbp.sampler_ways=3", "ABCABCABCABC", "MMMMMMMMMMMM");
    trace("sdbp.sampler_ways=2", "ABCABC", "MMMMMB"); /* C, A and B each evict a sampled tag */
}

/* 4. Each PC has separate counters. */
static void counters_are_separate_for_each_pc(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "sdbp", 1, 1, "sdbp.sampler_ways=1");
    rig_loads(&r, "ABCDE", "MMMMB");
    r.pc = Q;
    rig_loads(&r, "FGH", "MMM"); /* the tag of E belongs to P; those of F and G belong to Q: 6 */
    rig_loads(&r, "I", "M");
    rig_loads(&r, "J", "B");
    rig_close(&r);
}

/* 5. Only sampled sets train, but all sets are predicted: of two sets, set 0 is sampled. */
static void only_sampled_sets_train(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "sdbp", 2, 1, "sdbp.sampler_ways=1 sdbp.sampler_sets=1");
    for (uint64_t line = 1; line < 21; line += 2)
        assert_int_equal(rig_load(&r, line), 'M');
    for (uint64_t line = 0; line < 8; line += 2)
        assert_int_equal(rig_load(&r, line), 'M');
    assert_int_equal(rig_load(&r, 21), 'B');
    assert_int_equal(rig_load(&r, 8), 'B');
    rig_close(&r);
}

/* 6. P is predicted to touch lines last, so its touch marks line 3 as dead: line 5 evicts line 3,
 *   although line 1 is older. A touch by Q would clear the mark. */
static void dead_lines_are_evicted_first(void **state)
{
    struct rig r;

    (void)state;
    for (int again = 0; again < 2; again++) {
        rig_open(&r, "sdbp", 2, 2, "sdbp.sampler_ways=1 sdbp.sampler_sets=1");
        for (uint64_t line = 0; line < 8; line += 2)
            rig_load(&r, line);
        r.pc = Q;
        assert_int_equal(rig_load(&r, 1), 'M');
        assert_int_equal(rig_load(&r, 3), 'M');
        r.pc = P;
        assert_int_equal(rig_load(&r, 3), 'H');
        r.pc = Q;
        if (again != 0)
            assert_int_equal(rig_load(&r, 3), 'H');
        assert_int_equal(rig_load(&r, 5), 'M');
        assert_int_equal(rig_load(&r, 1), again != 0 ? 'M' : 'H');
        assert_int_equal(rig_count(&r, BYW_GUESS_COUNTS), again != 0 ? 0 : 1);
        rig_close(&r);
    }
}

/* The order within a load, one set of two lines, one sampled tag; E is loaded by Q.  First the
 * decision, by the tables before the load: D finds a sum of 6 and is cached, although its own
 * training makes that 9.  Then the sampler trains, and last the trained tables mark the line: D is
 * dead at 9, so that E evicts it and C stays.  If D is loaded again, its tag is found, the sum
 * falls to 6 and D is marked live: E evicts C. */
static void a_load_is_decided_then_trains_then_marks_its_line(void **state)
{
    struct rig r;

    (void)state;
    for (int again = 0; again < 2; again++) {
        rig_open(&r, "sdbp", 1, 2, "sdbp.sampler_ways=1");
        rig_loads(&r, "ABCD", "MMMM");
        if (again != 0)
            rig_loads(&r, "D", "H");
        r.pc = Q;
        rig_loads(&r, "E", "M");
        rig_loads(&r, "C", again != 0 ? "M" : "H");
        rig_close(&r);
    }
}

/* 7. Stores train nothing; a kernel start keeps the tables and the sampler. */
static void stores_do_not_train_and_kernel_starts_keep_the_tables(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "sdbp", 1, 1, "sdbp.sampler_ways=1");
    for (char line = 'A'; line < 'K'; line++) {
        rig_loads(&r, "Z", "M");
        rig_drop(&r, rig_line(&r, 'Z'));
    }
    rig_loads(&r, "ABC", "MMM"); /* Z's tag is evicted for A: 3, then 6, then 9 */
    rig_kernel(&r, 0);
    rig_loads(&r, "D", "B");
    rig_close(&r);
    rig_open(&r, "sdbp", 1, 1, "sdbp.sampler_ways=1");
    rig_loads(&r, "ABC", "MMM");
    rig_kernel(&r, 0);
    rig_loads(&r, "DE", "MB"); /* C's tag was still present */
    rig_close(&r);
}

/* 8. Coverage and false positives: E bypasses twice, the second time wrongly. Storage: 289 bytes
 *   for 128 lines. */
static void coverage_false_positives_and_storage_are_counted(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "sdbp", 1, 1, "sdbp.sampler_ways=1");
    rig_loads(&r, "ABCDEE", "MMMMBB");
    assert_int_equal(rig_count(&r, BYW_GUESS_ASKED), 6);
    assert_int_equal(rig_count(&r, BYW_GUESS_BYPASSES), 2);
    assert_int_equal(rig_count(&r, BYW_GUESS_FALSE_POSITIVES), 1);
    rig_close(&r);
    rig_open(&r, "sdbp", 32, 4, "");
    assert_int_equal(byw_mech_storage(&r.config, r.mech), 2312);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_predicted_as_last_touch_bypass),
        cmocka_unit_test(reuse_in_the_sampler_decrements_the_counters),
        cmocka_unit_test(a_sampler_without_evictions_learns_nothing),
        cmocka_unit_test(counters_are_separate_for_each_pc),
        cmocka_unit_test(only_sampled_sets_train),
        cmocka_unit_test(dead_lines_are_evicted_first),
        cmocka_unit_test(a_load_is_decided_then_trains_then_marks_its_line),
        cmocka_unit_test(stores_do_not_train_and_kernel_starts_keep_the_tables),
        cmocka_unit_test(coverage_false_positives_and_storage_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
