/* SPDX-License-Identifier: Apache-2.0
 *
 * Profiled-BYPASS as its rule is written (mechanisms/comparators.md 2.2), worked out by hand: two
 * SMs, a profile run and a second run, both small.
 */
#include "comparator/mech_rig.h"
#include "policy/byw_profile.h"

enum { KERNEL = 0x1000, OTHER_KERNEL = 0x2000 };

/* Both SMs of a run, one set of `ways` lines each. */
struct pair {
    struct rig sm[2];
    struct byw_profile *profile;
};

static void begin(struct pair *p, uint32_t ways, const char *settings)
{
    if (p->profile == NULL)
        p->profile = byw_profile_create();
    assert_non_null(p->profile);
    for (uint32_t i = 0; i < 2; i++) {
        rig_open(&p->sm[i], "profiled", 1, ways, settings);
        p->sm[i].ops->profiled(p->sm[i].self, i, p->profile);
        rig_kernel(&p->sm[i], KERNEL);
    }
}

static void end(struct pair *p)
{
    for (uint32_t i = 0; i < 2; i++)
        rig_close(&p->sm[i]);
}

/* The profile run of the worked example: SM 0 loads A three times and B once, SM 1 loads B
 * twice. */
static struct pair profiled(void)
{
    struct pair p = {.profile = NULL};

    begin(&p, 4, "");
    rig_loads(&p.sm[0], "AAAB", "MHHM");
    rig_loads(&p.sm[1], "BB", "MH");
    end(&p);
    assert_int_equal(byw_profile_finish(p.profile), BYW_OK);
    return p;
}

static void second(const char *settings, const char *letters, const char *of_0, const char *of_1)
{
    struct pair p = profiled();

    begin(&p, 4, settings);
    rig_loads(&p.sm[0], letters, of_0);
    rig_loads(&p.sm[1], letters, of_1);
    end(&p);
    byw_profile_free(p.profile);
}

/* 1. In the profile run nothing bypasses, and every load is counted, hits included. */
static void the_profile_run_counts_loads_and_never_bypasses(void **state)
{
    struct pair p = profiled();

    (void)state;
    assert_int_equal(byw_profile_local(p.profile, 0, 0), 3);
    assert_int_equal(byw_profile_local(p.profile, 0, 1), 1);
    assert_int_equal(byw_profile_local(p.profile, 1, 0), 0);
    assert_int_equal(byw_profile_local(p.profile, 1, 1), 2);
    assert_int_equal(byw_profile_global(p.profile, KERNEL, 0), 3);
    assert_int_equal(byw_profile_global(p.profile, KERNEL, 1), 3);
    assert_int_equal(byw_profile_global(p.profile, OTHER_KERNEL, 0), 0);
    byw_profile_free(p.profile);
}

/* 2. The central rule, local: a line with fewer loads by this SM than the threshold bypasses. */
static void lines_with_few_loads_by_this_sm_bypass(void **state)
{
    (void)state;
    second("profiled.filter=local profiled.threshold=3", "ABAB", "MBHB", "BBBB");
    second("profiled.filter=local profiled.threshold=2", "ABAB", "MBHB", "BMBH");
}

/* 3. Global: the loads of all SMs count. */
static void global_counts_sum_over_all_sms(void **state)
{
    (void)state;
    second("profiled.filter=global profiled.threshold=3", "ABAB", "MMHH", "MMHH");
    second("profiled.filter=global profiled.threshold=4", "AB", "BB", "BB");
}

/* 4. The global count is per kernel: another kernel's loads do not count. */
static void global_counts_are_per_kernel(void **state)
{
    struct pair p = profiled();

    (void)state;
    begin(&p, 4, "profiled.filter=global profiled.threshold=3");
    rig_kernel(&p.sm[0], OTHER_KERNEL);
    rig_loads(&p.sm[0], "AB", "BB");
    rig_kernel(&p.sm[0], KERNEL);
    rig_loads(&p.sm[0], "AB", "MM");
    end(&p);
    begin(&p, 4, "profiled.filter=local profiled.threshold=3"); /* the local filter does not */
    rig_kernel(&p.sm[0], OTHER_KERNEL);
    rig_loads(&p.sm[0], "A", "M");
    end(&p);
    byw_profile_free(p.profile);
}

/* 5. Combined: either count suffices; combined_and: both are needed. */
static void combined_needs_either_count_and_combined_and_both(void **state)
{
    struct pair p = profiled();

    (void)state;
    begin(&p, 4, "profiled.filter=combined profiled.threshold=3");
    rig_loads(&p.sm[0], "AB", "MM");
    rig_kernel(&p.sm[0], OTHER_KERNEL); /* cached because of the local count alone */
    rig_loads(&p.sm[0], "AB", "MB");
    end(&p);
    begin(&p, 4, "profiled.filter=combined_and profiled.threshold=3");
    rig_loads(&p.sm[0], "AB", "MB");
    rig_kernel(&p.sm[0], OTHER_KERNEL);
    rig_loads(&p.sm[0], "A", "B");
    end(&p);
    byw_profile_free(p.profile);
}

/* 6. Threshold 1: lines in the profile are cached, others bypass. */
static void threshold_one_caches_every_profiled_line(void **state)
{
    (void)state;
    second("profiled.filter=local profiled.threshold=1", "ABC", "MMB", "BMB");
}

/* 7. Stores are not counted. */
static void stores_are_not_counted(void **state)
{
    struct pair p = {.profile = NULL};

    (void)state;
    begin(&p, 4, "");
    rig_loads(&p.sm[0], "A", "M");
    rig_drop(&p.sm[0], 0);
    assert_int_equal(byw_profile_local(p.profile, 0, 0), 1);
    end(&p);
    byw_profile_free(p.profile);
}

/* 8. Without a profile the mechanism has no effect. */
static void without_a_profile_nothing_bypasses(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "profiled", 1, 4, "profiled.threshold=16");
    rig_loads(&r, "ABAB", "MMHH");
    rig_close(&r);
}

/* 9. The profile holds any number of lines: 100,000 of two SMs. */
static void the_profile_holds_100000_lines(void **state)
{
    struct byw_profile *p = byw_profile_create();

    (void)state;
    for (uint32_t round = 0; round < 2; round++)
        for (uint64_t line = 0; line < 100000; line++)
            assert_true(byw_profile_add(p, line % 2 != 0, KERNEL, line * 8));
    assert_int_equal(byw_profile_finish(p), BYW_OK);
    for (uint64_t line = 0; line < 100000; line++) {
        assert_int_equal(byw_profile_local(p, line % 2 != 0, line * 8), 2);
        assert_int_equal(byw_profile_local(p, line % 2 == 0, line * 8), 0);
    }
    byw_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_profile_run_counts_loads_and_never_bypasses),
        cmocka_unit_test(lines_with_few_loads_by_this_sm_bypass),
        cmocka_unit_test(global_counts_sum_over_all_sms),
        cmocka_unit_test(global_counts_are_per_kernel),
        cmocka_unit_test(combined_needs_either_count_and_combined_and_both),
        cmocka_unit_test(threshold_one_caches_every_profiled_line),
        cmocka_unit_test(stores_are_not_counted),
        cmocka_unit_test(without_a_profile_nothing_bypasses),
        cmocka_unit_test(the_profile_holds_100000_lines),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
