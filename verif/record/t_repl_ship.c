/* SPDX-License-Identifier: Apache-2.0
 *
 * SHiP-PC as its rule is written (mechanisms/baselines.md 2.5), worked out by hand. A PC's counter
 * starts at 1; at 0 its new lines are inserted with 3 and evicted first, otherwise with 2.
 */
#include "record/repl_rig.h"

enum { SET = 5, HOT = 0x10, STREAM = 0x20, SAME = 0x400 };

/* 1. A PC without history is trusted: 2, as with SRRIP. */
static void a_pc_without_history_is_trusted(void **state)
{
    struct rig r = rig_new(&byw_repl_ship, 2);

    (void)state;
    rig_loads(&r, SET, STREAM, "AB", "MM");
    rig_expect(&r, SET, "A2 B2");
    rig_free(&r);
}

/* 2. The central rule: once a line of a PC was evicted unused, its next lines are evicted first. */
static void a_line_evicted_unused_makes_later_lines_go_first(void **state)
{
    struct rig r = rig_new(&byw_repl_ship, 2);

    (void)state;
    /* 3 3: A is evicted unused, C is inserted after that */
    rig_loads(&r, SET, STREAM, "ABC", "MMM");
    rig_expect(&r, SET, "C3 B3");
    rig_loads(&r, SET, HOT, "D", "M"); /* another PC is not blamed */
    rig_expect(&r, SET, "D2 B3");
    rig_free(&r);
}

/* 3. A line that was used increments its PC's counter to 2, and its eviction does not decrement
 *   it. */
static void a_reused_line_increments_its_pc(void **state)
{
    struct rig r = rig_new(&byw_repl_ship, 1);

    (void)state;
    rig_loads(&r, SET, HOT, "AA", "MH"); /* 1 + 1 */
    rig_loads(&r, SET, HOT, "B", "M"); /* A leaves, used */
    rig_expect(&r, SET, "B2");
    rig_loads(&r, SET, HOT, "C", "M"); /* B leaves unused: 1 */
    rig_expect(&r, SET, "C2");
    rig_loads(&r, SET, HOT, "D", "M"); /* C leaves unused: 0 */
    rig_expect(&r, SET, "D3");
    rig_free(&r);
}

/* 4. Every hit trains: two hits bring the counter from 1 to 3, which two unused lines, B and C,
 *   decrement to 1.  ship_first counts one hit, so that the same loads end at 0. */
static void every_hit_trains_but_with_ship_first_only_the_first(void **state)
{
    static const struct byw_repl_ops *const ops[] = {&byw_repl_ship, &byw_repl_ship_first};
    static const char *const after[] = {"D2", "D3"};

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        struct rig r = rig_new(ops[i], 1);

        rig_loads(&r, SET, HOT, "AAA", "MHH");
        rig_loads(&r, SET, HOT, "BCD", "MMM"); /* A is evicted used, B and C unused */
        rig_expect(&r, SET, after[i]);
        rig_free(&r);
    }
}

/* The order within a miss: the victim trains, then the new line is predicted.  A, evicted unused
 * for B, brings the counter of their PC to 0; B is already inserted with 3. */
static void a_victim_trains_before_the_new_line_is_predicted(void **state)
{
    struct rig r = rig_new(&byw_repl_ship, 1);

    (void)state;
    rig_loads(&r, SET, STREAM, "AB", "MM");
    rig_expect(&r, SET, "B3");
    rig_free(&r);
}

/* 5. The counter saturates at 3: three lines evicted unused outweigh any number of used ones. */
static void the_counter_saturates_at_three(void **state)
{
    struct rig r = rig_new(&byw_repl_ship, 1);

    (void)state;
    rig_loads(&r, SET, HOT, "AABBCCDDEE", "MHMHMHMHMH");
    rig_loads(&r, SET, HOT, "FGH", "MMM"); /* F and G are evicted unused: 1 */
    rig_expect(&r, SET, "H2");
    rig_loads(&r, SET, HOT, "I", "M");
    rig_expect(&r, SET, "I3");
    rig_loads(&r, SET, HOT, "J", "M"); /* 0 stays 0 */
    rig_loads(&r, SET, HOT, "JJ", "HH"); /* 2 */
    rig_loads(&r, SET, HOT, "K", "M");
    rig_expect(&r, SET, "K2");
    rig_free(&r);
}

/* 6. The blamed PC is the one that allocated the line, not the one that used or evicted it. */
static void the_pc_that_fetched_the_line_is_trained(void **state)
{
    struct rig r = rig_new(&byw_repl_ship, 1);

    (void)state;
    rig_loads(&r, SET, STREAM, "A", "M");
    rig_loads(&r, SET, HOT, "B", "M"); /* evicts A: STREAM is at 0 */
    rig_loads(&r, SET, STREAM, "B", "H"); /* uses HOT's line: HOT is at 2 */
    rig_loads(&r, SET, STREAM, "C", "M");
    rig_expect(&r, SET, "C3");
    rig_free(&r);
}

/* 7. PCs with one signature share a counter: 0x4 >> 2 is 1, and 0x400 >> 2 = 0x100 folds to 1,
 *   too. */
static void pcs_with_one_signature_share_a_counter(void **state)
{
    struct rig r = rig_new(&byw_repl_ship, 1);

    (void)state;
    rig_loads(&r, SET, 0x4, "AB", "MM");
    rig_loads(&r, SET, SAME, "C", "M");
    rig_expect(&r, SET, "C3");
    rig_loads(&r, SET, 0x8, "D", "M");
    rig_expect(&r, SET, "D2");
    rig_free(&r);
}

/* 8. A line dropped by a store does not count as evicted unused; what is learned in one set applies
 *   to all. */
static void dropped_lines_do_not_train_and_sets_share_the_table(void **state)
{
    struct rig r = rig_new(&byw_repl_ship, 1);

    (void)state;
    for (int i = 0; i < 5; i++) {
        rig_loads(&r, SET, HOT, "A", "M");
        rig_drop(&r, SET, 'A');
    }
    rig_loads(&r, SET, HOT, "A", "M");
    rig_expect(&r, SET, "A2");
    rig_loads(&r, SET, HOT, "B", "M");
    rig_loads(&r, 31, HOT, "C", "M");
    rig_expect(&r, 31, "C3");
    rig_free(&r);
}

/* 9. Ten lines of a stream between two uses of A and B. SRRIP: E and F find A1 B1, G and H A2 B2, I
 *   evicts A, J evicts B. SHiP: C is evicted unused, and the stream stays in its way. */
static void a_stream_does_not_evict_a_loop(void **state)
{
    const struct byw_repl_ops *const ops[2] = {&byw_repl_srrip, &byw_repl_ship};
    uint32_t hits[2] = {0, 0};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct rig r = rig_new(ops[i], 4);

        rig_loads(&r, SET, HOT, "ABAB", "MMHH");
        for (uint32_t turn = 0; turn < 20; turn++) {
            hits[i] += rig_load(&r, SET, HOT, 'A', false, 0);
            hits[i] += rig_load(&r, SET, HOT, 'B', false, 0);
            for (uint32_t n = 0; n < 10; n++) /* each line is used again only after 23 others */
                rig_load(&r, SET, STREAM, (char)('C' + (turn * 10 + n) % 24), false, 0);
        }
        rig_free(&r);
    }
    assert_int_equal(hits[0], 2);
    assert_int_equal(hits[1], 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pc_without_history_is_trusted),
        cmocka_unit_test(a_line_evicted_unused_makes_later_lines_go_first),
        cmocka_unit_test(a_reused_line_increments_its_pc),
        cmocka_unit_test(every_hit_trains_but_with_ship_first_only_the_first),
        cmocka_unit_test(a_victim_trains_before_the_new_line_is_predicted),
        cmocka_unit_test(the_counter_saturates_at_three),
        cmocka_unit_test(the_pc_that_fetched_the_line_is_trained),
        cmocka_unit_test(pcs_with_one_signature_share_a_counter),
        cmocka_unit_test(dropped_lines_do_not_train_and_sets_share_the_table),
        cmocka_unit_test(a_stream_does_not_evict_a_loop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
