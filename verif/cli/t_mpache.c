/* SPDX-License-Identifier: Apache-2.0
 *
 * Mpache: groups of the interaction graph, and Algorithm 1 on affinities worked out by hand
 * (mechanisms/hints.md 6.3).
 */
#include <string.h>

#include "common/test.h"
#include "study/advise/byw_mpache.h"

static const struct byw_mpache_params paper = {
    .thresh1 = 1.5, .thresh2 = 1.0, .weight = 0.1, .mode = {true, true}};

/* Compares the chosen policies with a string: '-' means cached, '0' and '1' are modes. */
static void expect(const struct byw_mpache_graph *g, const struct byw_mpache_params *p,
                   const char *want)
{
    int8_t policy[16];
    char got[17] = "";

    byw_mpache_select(g, p, policy);
    for (uint32_t i = 0; i < g->loads; i++)
        got[i] = policy[i] == BYW_MPACHE_NONE ? '-' : (char)('0' + policy[i]);
    assert_string_equal(got, want);
}

/* 1. Groups: same array, same block, no barrier in between; a load of an unknown array is alone. */
static void loads_of_one_array_and_block_form_a_group(void **state)
{
    static const struct byw_mpache_load load[] = {
        {0x10, 1, 0}, {0x20, 1, 1}, {0x30, 1, 0},  {0x40, 2, 0}, {0x50, 2, -1},
        {0x60, 2, 0}, {0x70, 2, 0}, {0x80, 2, -1}, {0x90, 1, 0},
    };
    static const uint32_t want[] = {0, 1, 0, 2, 3, 2, 4, 5, 0};
    static const uint32_t barrier[] = {0x200, 0x68, 0x8};
    uint32_t group[9];

    (void)state;
    /* The barrier at 0x68 separates 0x60 from 0x70. Blocks are parts of loops, so the load at 0x90
     * of block 1 is beyond the barrier, too. */
    assert_int_equal(byw_mpache_groups(load, 8, barrier, 3, group), 6);
    assert_memory_equal(group, want, 8 * sizeof(want[0]));
    assert_int_equal(byw_mpache_groups(load, 9, barrier, 0, group), 5);
    assert_int_equal(group[6], 2);
    assert_int_equal(group[8], 0);
    assert_int_equal(byw_mpache_groups(load, 0, barrier, 3, group), 0);
}

/* 2. The paper's loads of spmv, and a load that loses in either mode: no load is grouped. */
static void ungrouped_loads_are_decided_alone(void **state)
{
    static const uint32_t group[] = {0, 1, 2, 3};
    static const double affinity[][2] = {
        {-3.06, 1.45}, {25.94, -43.58}, {24.85, -5.72}, {-10, -10}};
    const struct byw_mpache_graph g = {4, 4, group, affinity, affinity};

    (void)state;
    expect(&g, &paper, "100-");
}

/* 3. Cooperation: the loads gain more together than separately. */
static void groups_bypass_if_they_gain_together(void **state)
{
    static const uint32_t group[] = {0, 0};
    static const double load[][2] = {{1.2, 2.0}, {1.0, -3.0}};
    static const double all[][2] = {{6.0, 1.0}};
    const struct byw_mpache_graph g = {2, 1, group, load, all};
    struct byw_mpache_params p = paper;

    (void)state;
    expect(&g, &paper, "00");
    p.thresh1 = 1.9; /* 3.8 >= 2 x 1.9 */
    expect(&g, &p, "00");
    p.thresh1 = 1.91; /* then each load is separate: com is positive and there is no penalty */
    expect(&g, &p, "10");
}

/* 4. A group that loses where its loads gain; with weight zero both would be bypassed. */
static void a_group_that_loses_is_cached(void **state)
{
    static const uint32_t group[] = {0, 0};
    static const double load[][2] = {{0.2, 2.0}, {0.3, 2.0}};
    static const double all[][2] = {{0.5, -30}};
    const struct byw_mpache_graph g = {2, 1, group, load, all};
    struct byw_mpache_params p = paper;

    (void)state;
    expect(&g, &paper, "--");
    p.weight = 0;
    expect(&g, &p, "11");
}

/* 5. Ties: the first mode of a group, the last of a load. */
static void ties_take_the_first_mode_of_a_group(void **state)
{
    static const uint32_t group[] = {0, 0, 1};
    static const double load[][2] = {{0.5, 0.5}, {0.5, 0.5}, {3, 3}};
    static const double all[][2] = {{5, 5}, {3, 3}};
    const struct byw_mpache_graph g = {3, 2, group, load, all};

    (void)state;
    expect(&g, &paper, "001");
}

/* 6. A group whose parts each lose as much as the whole group: com is positive, profit is not. */
static void a_group_without_profit_is_cached(void **state)
{
    static const uint32_t group[] = {0, 0};
    static const double load[][2] = {{0, -50}, {0, -52}};
    static const double all[][2] = {{0, -58}};
    const struct byw_mpache_graph g = {2, 1, group, load, all};
    struct byw_mpache_params p = paper;

    (void)state;
    expect(&g, &paper, "11");
    p.guard = true;
    expect(&g, &p, "--");
}

/* 7. A single mode; a value equal to the threshold counts as reaching it. */
static void thresholds_are_inclusive(void **state)
{
    static const uint32_t group[] = {0, 1};
    static const double affinity[][2] = {{5, 9}, {1.0, 0.99}};
    const struct byw_mpache_graph g = {2, 2, group, affinity, affinity};
    struct byw_mpache_params p = paper;

    (void)state;
    expect(&g, &p, "10");
    p.mode[1] = false;
    expect(&g, &p, "00");
    p.mode[1] = true;
    p.mode[0] = false;
    expect(&g, &p, "1-");
}

/* 8. Liang: every load that gains by bypassing both L0 and L1. */
static void liang_bypasses_every_load_that_gains(void **state)
{
    static const uint32_t group[] = {0, 0, 1};
    static const double affinity[][2] = {{9, 0.1}, {9, 0.0}, {0, -1}};
    const struct byw_mpache_graph g = {3, 2, group, affinity, affinity};
    int8_t policy[3];

    (void)state;
    byw_mpache_liang(&g, 0.0, policy);
    assert_int_equal(policy[0], 1);
    assert_int_equal(policy[1], BYW_MPACHE_NONE);
    assert_int_equal(policy[2], BYW_MPACHE_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_of_one_array_and_block_form_a_group),
        cmocka_unit_test(ungrouped_loads_are_decided_alone),
        cmocka_unit_test(groups_bypass_if_they_gain_together),
        cmocka_unit_test(a_group_that_loses_is_cached),
        cmocka_unit_test(ties_take_the_first_mode_of_a_group),
        cmocka_unit_test(a_group_without_profit_is_cached),
        cmocka_unit_test(thresholds_are_inclusive),
        cmocka_unit_test(liang_bypasses_every_load_that_gains),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
