/* SPDX-License-Identifier: Apache-2.0
 *
 * PDP as its rule is written (mechanisms/comparators.md 2.4), worked out by hand on one set. "A3"
 * is line A with a remaining distance of 3.
 */
#include "comparator/byw_pdp_sampler.h"
#include "comparator/mech_rig.h"

static void trace(uint32_t ways, const char *settings, const char *letters, const char *want)
{
    struct rig r;

    rig_open(&r, "pdp", 1, ways, settings);
    rig_loads(&r, letters, want);
    rig_close(&r);
}

/* 1. The central rule, two ways, PD 3: A and B are cached (A1 B2); C finds no line at 0 and
 *   bypasses (A0 B1); D evicts A (D2 B0), E evicts B. */
static void loads_bypass_a_fully_protected_set(void **state)
{
    (void)state;
    trace(2, "pdp.distance=3", "ABCDE", "MMBMM");
    trace(2, "pdp.distance=3", "ABCA", "MMBH"); /* A is at distance 0, but still present */
    trace(2, "pdp.distance=3", "ABCDA", "MMBMM"); /* evicted for D; A evicts B */
}

/* 2. A use renews the protection: A1 B2, A: A2 B1, C bypasses (A1 B0), D evicts B. */
static void a_use_renews_the_protection(void **state)
{
    (void)state;
    trace(2, "pdp.distance=3", "ABACDA", "MMHBMH");
}

/* 3. Distance 1: a line reaches 0 after its own load, so nothing bypasses. Among lines at 0 the
 *   least recently used is evicted: plain LRU. */
static void distance_one_equals_lru(void **state)
{
    (void)state;
    trace(2, "pdp.distance=1", "ABCDAB ABAC AB", "MMMMMM HHHM HM");
}

/* The order within a load, one way, PD 2: a load is decided, sets its line to PD and only then ages
 * the set, including this line.  A is set to 2 and aged to 1.  B finds A1, bypasses and ages A to
 * 0; C evicts A.  (If ageing came first, B would evict A; if a load did not age its own line, C
 * would bypass, too.)  With allocate on fill, A is set to 2 by its fill, after its load: one more
 * bypass. */
static void a_load_is_decided_then_protects_then_ages_the_set(void **state)
{
    (void)state;
    trace(1, "pdp.distance=2", "ABC", "MBM");
    trace(1, "pdp.distance=2 l1d.allocate=on_fill", "ABCD", "MBBM");
}

/* 4. A bypass and a hit count as loads of the set, as a miss does; a store does not, and the line
 *   that it drops leaves a free way. */
static void bypasses_and_hits_age_the_set_but_stores_do_not(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "pdp", 1, 2, "pdp.distance=6");
    rig_loads(&r, "AB CCCC D", "MM BBBB M"); /* A5; B: A4 B5; four bypasses: A0 B1 */
    rig_close(&r);
    rig_open(&r, "pdp", 1, 2, "pdp.distance=6");
    rig_loads(&r, "AB", "MM");
    rig_drop(&r, rig_line(&r, 'B')); /* a store, three times: A stays at 4 */
    rig_loads(&r, "C", "M"); /* A3 C5 */
    rig_drop(&r, rig_line(&r, 'C'));
    rig_loads(&r, "D EEE", "M BBM"); /* A2 D5; A1, A0, then A is evicted */
    rig_close(&r);
}

/* 5. A line in flight is never a victim, even with distance 0; a load that merges into it renews
 * its protection. */
static void a_pending_line_is_never_the_victim(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "pdp", 1, 1, "pdp.distance=1");
    r.late = true;
    rig_loads(&r, "AB", "MB"); /* A0, but in flight */
    rig_fill(&r, rig_line(&r, 'A'));
    rig_loads(&r, "B", "M");
    rig_close(&r);
    rig_open(&r, "pdp", 1, 1, "pdp.distance=1 pdp.pending=wait");
    r.late = true;
    rig_loads(&r, "AB", "MR"); /* waits for A0, as in a plain cache */
    rig_close(&r);
    rig_open(&r, "pdp", 1, 1, "pdp.distance=2");
    r.late = true;
    rig_loads(&r, "AA", "MP"); /* A1 again */
    rig_fill(&r, rig_line(&r, 'A'));
    rig_loads(&r, "BB", "BM");
    rig_close(&r);
}

/* 6. Step 2: every second load of the set decrements the distances, so PD 4 is two steps. The first
 *   load gives A2; B decrements all: A1 B1; C bypasses; D bypasses, then A0 B0; E evicts A. */
static void distances_decrement_once_per_step(void **state)
{
    (void)state;
    trace(2, "pdp.distance=4 pdp.step=2", "ABCDE", "MMBBM");
}

/* 7. Distance 0: an allocated line stays; RPDs of few bits saturate. */
static void distance_zero_protects_forever_and_narrow_counters_saturate(void **state)
{
    (void)state;
    trace(2, "pdp.distance=0", "ABCDEFGHIJKLMNOPAB", "MMBBBBBBBBBBBBBBHH");
    trace(1, "pdp.distance=200 pdp.rpd_bits=2", "ABCD", "MBBM"); /* 3, not 200 */
}

/* 8. Sets are independent, and a kernel start empties all. */
static void sets_age_separately_and_kernel_starts_empty_them(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "pdp", 2, 1, "pdp.distance=4");
    assert_int_equal(rig_load(&r, 0), 'M');
    for (uint64_t line = 1; line < 20; line += 2) /* the other set */
        rig_load(&r, line);
    assert_int_equal(rig_load(&r, 2), 'B');
    rig_kernel(&r, 0);
    assert_int_equal(rig_load(&r, 2), 'M');
    assert_int_equal(rig_count(&r, 0), 1 + 10 - 3); /* bypasses: one of line 2; the other set has
                                                       MBBB MBBB MB */
    rig_close(&r);
}

/* 9. The sampler: every 8th load enters; A is reused 8 * n + t loads later. */
static void the_sampler_measures_reuse_distances(void **state)
{
    struct byw_pdp_sampler s;

    (void)state;
    assert_int_equal(byw_pdp_sampler_init(&s, 1, 1, 4), BYW_OK);
    for (uint64_t line = 1; line <= 8; line++) /* 8 enters */
        byw_pdp_sampler_load(&s, 0, line);
    for (uint64_t line = 100; line < 109; line++) /* 107 enters */
        byw_pdp_sampler_load(&s, 0, line);
    byw_pdp_sampler_load(&s, 0, 8); /* the 10th load after it */
    assert_int_equal(s.count[(10 - 1) / 4], 1);
    byw_pdp_sampler_load(&s, 0, 8); /* its entry has been consumed */
    byw_pdp_sampler_load(&s, 0, 107); /* 1 + 2 + 1 loads after it */
    assert_int_equal(s.count[(4 - 1) / 4], 1);
    assert_int_equal(s.entered, 2);
    for (uint64_t line = 200; line < 200 + 300; line++)
        byw_pdp_sampler_load(&s, 0, line);
    byw_pdp_sampler_load(&s, 0, 203); /* over 256 loads ago: forgotten */
    for (uint32_t i = 0, sum = 0; i < BYW_PDP_RANGES; i++) {
        sum += s.count[i];
        if (i == BYW_PDP_RANGES - 1)
            assert_int_equal(sum, 2);
    }
    byw_pdp_sampler_release(&s);
}

/* 10. E(d), ways 4. 10 of 100 lines are reused at 8, 30 at 100 (ranges that end there): E(8) = 10 /
 *   (10 * 8 + 90 * 12) = 10/1160 = .0086; E(100) = 40 / (80 + 30 * 100 + 60 * 104) = 40/9320 =
 *   .0043: the best is 8. With 60 at 16 instead: E(16) = 70 / (80 + 960 + 30 * 20) = 70/1640 =
 *   .043. */
static void the_distance_with_most_hits_per_load_is_chosen(void **state)
{
    struct byw_pdp_sampler s;

    (void)state;
    assert_int_equal(byw_pdp_sampler_init(&s, 1, 1, 4), BYW_OK);
    assert_int_equal(byw_pdp_sampler_best(&s), 0);
    s.entered = 100;
    assert_int_equal(byw_pdp_sampler_best(&s), 0); /* no line is used again */
    s.count[1] = 10;
    s.count[24] = 30;
    assert_int_equal(byw_pdp_sampler_best(&s), 8);
    s.count[24] = 0;
    s.count[3] = 60;
    assert_int_equal(byw_pdp_sampler_best(&s), 16);
    byw_pdp_sampler_release(&s);
}

/* 11. Dynamic: the first period uses pdp.distance, later ones the observed distances. Nine lines in
 *   turn, one way: each is reused 9 loads later, in the range that ends at 12. */
static void dynamic_mode_adopts_the_sampled_distance(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "pdp", 1, 1, "pdp.mode=dynamic pdp.distance=1 pdp.period=1000");
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(rig_load(&r, i % 9), 'M');
    assert_int_equal(rig_count(&r, 1), 1);
    assert_int_equal(rig_count(&r, 2), 12);
    /* The new distance applies from the next load: the line of load 999 still got PD 1, so load
     * 1000 evicts it, and the line of load 1000 is protected. */
    assert_int_equal(rig_load(&r, 1000 % 9), 'M');
    assert_int_equal(rig_load(&r, 1001 % 9), 'B');
    for (uint32_t i = 1002, hits = 0; i < 1900; i++) {
        hits += rig_load(&r, i % 9) == 'H';
        if (i == 1899)
            assert_true(hits >= 98); /* one of the nine lines stays */
    }
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_bypass_a_fully_protected_set),
        cmocka_unit_test(a_use_renews_the_protection),
        cmocka_unit_test(distance_one_equals_lru),
        cmocka_unit_test(a_load_is_decided_then_protects_then_ages_the_set),
        cmocka_unit_test(bypasses_and_hits_age_the_set_but_stores_do_not),
        cmocka_unit_test(a_pending_line_is_never_the_victim),
        cmocka_unit_test(distances_decrement_once_per_step),
        cmocka_unit_test(distance_zero_protects_forever_and_narrow_counters_saturate),
        cmocka_unit_test(sets_age_separately_and_kernel_starts_empty_them),
        cmocka_unit_test(the_sampler_measures_reuse_distances),
        cmocka_unit_test(the_distance_with_most_hits_per_load_is_chosen),
        cmocka_unit_test(dynamic_mode_adopts_the_sampled_distance),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
