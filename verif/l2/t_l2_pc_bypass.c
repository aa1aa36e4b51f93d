/* SPDX-License-Identifier: Apache-2.0
 *
 * t_l2_pc_bypass - the L2's PC-based bypass: which events train, which requests bypass, sampling,
 * leader sets.
 */
#include <stdlib.h>

#include "common/test.h"
#include "l2/byw_l2_pc_bypass.h"

enum { SETS = 256, WAYS = 2, FOLLOWER = 1, PC_A = 3, PC_B = 9, LOAD = 0, STORE = 1 };

static struct byw_l2_pc_bypass fresh(uint32_t sets, uint32_t sample)
{
    struct byw_l2_pc_bypass p;
    struct byw_config config;

    byw_config_defaults(&config);
    config.pc_sample = sample;
    assert_int_equal(byw_l2_pc_bypass_init(&p, &config, sets, WAYS), BYW_OK);
    return p;
}

/* Allocates line 0 with `hash` and evicts it without a reuse, `times` times. */
static void die(struct byw_l2_pc_bypass *p, uint16_t hash, uint32_t times)
{
    byw_l2_pc_bypass_take(p, 0, false, true, hash);
    for (uint32_t i = 0; i < times; i++)
        byw_l2_pc_bypass_take(p, 0, true, true, hash);
}

static void evictions_without_reuse_make_a_pc_dead(void **state)
{
    struct byw_l2_pc_bypass p = fresh(SETS, 0);

    (void)state;
    die(&p, PC_A, 7);
    assert_false(byw_l2_pc_bypass_ask(&p, FOLLOWER, LOAD, PC_A).dead);
    die(&p, PC_A, 1);
    assert_true(byw_l2_pc_bypass_ask(&p, FOLLOWER, LOAD, PC_A).bypass);
    assert_false(byw_l2_pc_bypass_ask(&p, FOLLOWER, LOAD, PC_B).dead);
    die(&p, PC_A, 50);
    assert_int_equal(p.table.counter[PC_A], 15);
    byw_l2_pc_bypass_release(&p);
}

static void the_last_pc_to_touch_is_trained(void **state)
{
    struct byw_l2_pc_bypass p = fresh(SETS, 0);

    (void)state;
    p.table.counter[PC_A] = p.table.counter[PC_B] = 5;
    byw_l2_pc_bypass_take(&p, 1, false, true, PC_A);
    byw_l2_pc_bypass_reuse(&p, 1, true, PC_B); /* for example a store that merges into it */
    assert_int_equal(p.table.counter[PC_A], 4);
    byw_l2_pc_bypass_take(&p, 1, true, true, PC_A);
    assert_int_equal(p.table.counter[PC_B], 6);
    assert_int_equal(p.table.counter[PC_A], 4);
    byw_l2_pc_bypass_take(&p, 1, false, true, PC_B); /* the line was dropped before */
    assert_int_equal(p.table.counter[PC_A], 4);
    byw_l2_pc_bypass_release(&p);
}

static void an_access_without_a_pc_trains_nothing(void **state)
{
    struct byw_l2_pc_bypass p = fresh(SETS, 0);

    (void)state;
    p.table.counter[0] = p.table.counter[PC_A] = 5;
    byw_l2_pc_bypass_take(&p, 1, false, true, PC_A);
    byw_l2_pc_bypass_reuse(&p, 1, false, 0);
    assert_int_equal(p.table.counter[PC_A], 5);
    byw_l2_pc_bypass_take(&p, 1, true, false, 0);
    assert_int_equal(p.table.counter[PC_A], 6);
    byw_l2_pc_bypass_reuse(&p, 1, true, PC_A);
    assert_int_equal(p.table.counter[0], 5);
    byw_l2_pc_bypass_release(&p);
}

static void every_fourth_dead_load_is_cached(void **state)
{
    struct byw_l2_pc_bypass p = fresh(SETS, 4);
    uint32_t kept = 0;

    (void)state;
    p.table.counter[PC_A] = 8;
    for (int i = 0; i < 40; i++) {
        struct byw_l2_pc_guess guess = byw_l2_pc_bypass_ask(&p, FOLLOWER, LOAD, PC_A);

        assert_int_equal(guess.sampled, i % 4 == 3);
        kept += !guess.bypass;
        byw_l2_pc_bypass_accept(&p, &guess);
    }
    assert_int_equal(kept, 10);
    byw_l2_pc_bypass_release(&p);
}

static void eight_sets_never_bypass(void **state)
{
    (void)state;
    for (uint32_t sets = 1; sets <= 4096; sets *= 2) {
        struct byw_l2_pc_bypass p = fresh(sets, 0);
        uint32_t leaders = 0;

        p.table.counter[PC_A] = 15;
        for (uint32_t s = 0; s < sets; s++) {
            struct byw_l2_pc_guess guess = byw_l2_pc_bypass_ask(&p, s, LOAD, PC_A);

            assert_int_equal(guess.overruled, byw_l2_pc_bypass_leads(&p, s));
            assert_int_equal(guess.bypass, !guess.overruled);
            leaders += guess.overruled;
        }
        assert_int_equal(leaders, sets < 64 ? 0 : 8);
        if (sets == 256)
            assert_true(byw_l2_pc_bypass_leads(&p, 231));
        byw_l2_pc_bypass_release(&p);
    }
}

/* Stores have their own threshold. A dead store bypasses even in a leader set, and sampling never
 * allocates it. */
static void dead_stores_are_never_sampled(void **state)
{
    struct byw_l2_pc_bypass p = fresh(SETS, 4);

    (void)state;
    p.threshold[STORE] = 3;
    p.table.counter[PC_A] = 2;
    assert_false(byw_l2_pc_bypass_ask(&p, FOLLOWER, STORE, PC_A).dead);
    p.table.counter[PC_A] = 3;
    assert_false(byw_l2_pc_bypass_ask(&p, FOLLOWER, LOAD, PC_A).dead); /* not dead below 8 */
    for (uint32_t i = 0; i < 40; i++) {
        struct byw_l2_pc_guess guess =
            byw_l2_pc_bypass_ask(&p, i % 2 != 0 ? 0 : FOLLOWER, STORE, PC_A);

        assert_true(guess.bypass);
        byw_l2_pc_bypass_accept(&p, &guess);
        assert_int_equal(p.table.skipped, 0);
    }
    byw_l2_pc_bypass_take(&p, 1, false, true, PC_B); /* the line of a load, hit by the store */
    byw_l2_pc_bypass_reuse(&p, 1, true, PC_A);
    byw_l2_pc_bypass_reuse(&p, 1, true, PC_B); /* then hit by the load again */
    assert_false(byw_l2_pc_bypass_ask(&p, FOLLOWER, STORE, PC_A).dead);
    byw_l2_pc_bypass_release(&p);
}

/* A live load is cached in any set, with no reason reported, and does not advance sampling. */
static void a_live_load_is_neither_overruled_nor_sampled(void **state)
{
    struct byw_l2_pc_bypass p = fresh(SETS, 1);

    (void)state;
    for (uint32_t s = 0; s < SETS; s++) {
        struct byw_l2_pc_guess guess = byw_l2_pc_bypass_ask(&p, s, LOAD, PC_A);

        assert_false(guess.dead || guess.overruled || guess.counts || guess.sampled ||
                     guess.bypass);
    }
    byw_l2_pc_bypass_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evictions_without_reuse_make_a_pc_dead),
        cmocka_unit_test(the_last_pc_to_touch_is_trained),
        cmocka_unit_test(an_access_without_a_pc_trains_nothing),
        cmocka_unit_test(every_fourth_dead_load_is_cached),
        cmocka_unit_test(eight_sets_never_bypass),
        cmocka_unit_test(dead_stores_are_never_sampled),
        cmocka_unit_test(a_live_load_is_neither_overruled_nor_sampled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
