/* SPDX-License-Identifier: Apache-2.0
 *
 * BRRIP as its rule is written (mechanisms/baselines.md 2.5), worked out by hand: a number from 0
 * to 3 per line; lines with 3 are evicted first.
 */
#include "record/repl_rig.h"

enum { SET = 1, PC = 0x40 };

/* 1. A new line is predicted to be reused last: 3. */
static void a_new_line_is_evicted_first(void **state)
{
    struct rig r = rig_new(&byw_repl_brrip, 4);

    (void)state;
    rig_loads(&r, SET, PC, "AB", "MM");
    rig_expect(&r, SET, "A3 B3 - -");
    rig_free(&r);
}

/* 2. If the lower five bits of the random number are zero, it is inserted as by SRRIP: 2. */
static void one_random_number_in_32_inserts_as_srrip(void **state)
{
    struct rig r = rig_new(&byw_repl_brrip, 4);

    (void)state;
    r.side.random = 32;
    rig_loads(&r, SET, PC, "A", "M");
    r.side.random = 0xffe0;
    rig_loads(&r, SET, PC, "B", "M");
    r.side.random = 31;
    rig_loads(&r, SET, PC, "C", "M");
    rig_expect(&r, SET, "A2 B2 C3 -");
    rig_free(&r);
}

/* 3. Among the 65,535 numbers of the L1's generator, this is every 32nd: 2047. */
static void the_random_source_selects_every_32nd_number(void **state)
{
    struct rig r = rig_new(&byw_repl_brrip, 1);
    uint32_t kept = 0;

    (void)state;
    r.side.random = BYW_REPL_SEED;
    for (uint32_t i = 0; i < UINT16_MAX; i++) {
        rig_load(&r, SET, PC, i % 2 != 0 ? 'A' : 'B', false, 0);
        kept += r.set[SET]->rank[0] == 2;
        byw_repl_placed(&r.side);
    }
    assert_int_equal(kept, 65536 / 32 - 1);
    rig_free(&r);
}

/* 4. A hit sets it to 0. */
static void a_hit_sets_the_prediction_to_zero(void **state)
{
    struct rig r = rig_new(&byw_repl_brrip, 4);

    (void)state;
    rig_loads(&r, SET, PC, "ABA", "MMH");
    rig_expect(&r, SET, "A0 B3 - -");
    rig_free(&r);
}

/* 5. The central rule: a stream uses one way and leaves the others alone. SRRIP loses A and B to
 *   the same stream: C and D enter with 2; E finds no 3, all are incremented, and so on. */
static void a_stream_occupies_one_way_only(void **state)
{
    struct rig r = rig_new(&byw_repl_brrip, 4), s = rig_new(&byw_repl_srrip, 4);

    (void)state;
    rig_loads(&r, SET, PC, "ABAB", "MMHH");
    rig_loads(&r, SET, PC, "CDEFGHIJKL", "MMMMMMMMMM");
    rig_expect(&r, SET, "A0 B0 L3 D3");
    rig_loads(&r, SET, PC, "AB", "HH");
    rig_loads(&s, SET, PC, "ABAB", "MMHH");
    rig_loads(&s, SET, PC, "CDEF", "MMMM");
    rig_expect(&s, SET, "A1 B1 E2 F2");
    rig_loads(&s, SET, PC, "GHIJ", "MMMM"); /* G: 2 2 3 3 -> way 2; H way 3; I: 3 3 3 3 -> way 0 */
    rig_expect(&s, SET, "I2 J2 G3 H3");
    rig_loads(&s, SET, PC, "AB", "MM");
    rig_free(&r);
    rig_free(&s);
}

/* 6. If no line has 3, all are incremented until one has, and the lowest such way is evicted. */
static void predictions_age_until_one_reaches_three(void **state)
{
    struct rig r = rig_new(&byw_repl_brrip, 3);

    (void)state;
    rig_loads(&r, SET, PC, "ABCABC", "MMMHHH");
    r.set[SET]->rank[1] = 1;
    rig_loads(&r, SET, PC, "D", "M"); /* 0 1 0 become 2 3 2, so B is evicted */
    rig_expect(&r, SET, "A2 D3 C2");
    rig_free(&r);
}

/* 7. A line in flight is never a victim. */
static void a_pending_line_is_never_the_victim(void **state)
{
    struct rig r = rig_new(&byw_repl_brrip, 3);

    (void)state;
    rig_loads(&r, SET, PC, "ABC", "MMM");
    assert_false(rig_load(&r, SET, PC, 'D', false, 0x3));
    rig_expect(&r, SET, "A3 B3 D3");
    rig_free(&r);
}

/* 8. A load with the hint .cs inserts its line as the next victim, even when it is the one in
 * 32. */
static void the_streaming_hint_inserts_the_next_victim(void **state)
{
    struct rig r = rig_new(&byw_repl_brrip, 2);

    (void)state;
    r.side.random = 32;
    rig_load(&r, SET, PC, 'A', true, 0);
    rig_load(&r, SET, PC, 'B', false, 0);
    rig_expect(&r, SET, "A3 B2");
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_line_is_evicted_first),
        cmocka_unit_test(one_random_number_in_32_inserts_as_srrip),
        cmocka_unit_test(the_random_source_selects_every_32nd_number),
        cmocka_unit_test(a_hit_sets_the_prediction_to_zero),
        cmocka_unit_test(a_stream_occupies_one_way_only),
        cmocka_unit_test(predictions_age_until_one_reaches_three),
        cmocka_unit_test(a_pending_line_is_never_the_victim),
        cmocka_unit_test(the_streaming_hint_inserts_the_next_victim),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
