/* SPDX-License-Identifier: Apache-2.0
 *
 * t_l2_policy - the lines that an L2 slice keeps under the policies of paper 004; the test plays
 * the levels above and below. Under random traffic the dirty-block index agrees with the lines in
 * every cycle.
 */
#include <inttypes.h>

#include "common/byw_rng.h"
#include "sim/mi_rig.h"

/* The number of MSHRs held by bypassing loads. */
static uint32_t passing(const struct byw_l2 *l2)
{
    return ((const struct byw_l2_mi *)l2->policy_state)->passing;
}

static void uncached_keeps_nothing(void **state)
{
    struct rig rig;

    (void)state;
    base(&rig);
    rig.config.l2_cached = BYW_L2_CACHES_NONE;
    begin(&rig);
    ask(&rig, 0, BYW_TXN_READ);
    ask(&rig, LINE, BYW_TXN_WRITE);
    settle(&rig);
    ask(&rig, 0, BYW_TXN_READ);
    ask(&rig, LINE, BYW_TXN_READ);
    settle(&rig);
    assert_false(there(&rig, 0));
    assert_int_equal(rig.stats.l2.hits, 0);
    assert_int_equal(rig.stats.l2.passed_loads, 3);
    assert_int_equal(rig.stats.l2.passed_stores, 1);
    ask(&rig, 2 * LINE, BYW_TXN_INST); /* works as usual */
    settle(&rig);
    assert_true(there(&rig, 2 * LINE));
    assert_int_equal(passing(&rig.l2), 0);
    rig_end(&rig);
}

static void loads_join_one_that_passes(void **state)
{
    struct rig rig;
    uint32_t p, id, first, second;

    (void)state;
    base(&rig);
    rig.config.l2_cached = BYW_L2_CACHES_NONE;
    begin(&rig);
    first = ask(&rig, 0, BYW_TXN_READ);
    second = ask(&rig, 0, BYW_TXN_READ);
    ask(&rig, 0, BYW_TXN_WRITE); /* waits for both */
    steps(&rig, 20);
    assert_int_equal(rig.stats.l2.pending, 1);
    assert_int_equal(rig.stats.l2.passed_stores, 0);
    p = to_dram(&rig);
    assert_int_not_equal(p, BYW_NO_PACKET);
    assert_int_equal(to_dram(&rig), BYW_NO_PACKET);
    from_dram(&rig, p);
    wait_answer(&rig, &id);
    assert_int_equal(id, first);
    wait_answer(&rig, &id);
    assert_int_equal(id, second);
    settle(&rig);
    assert_int_equal(rig.stats.l2.passed_stores, 1);
    rig_end(&rig);
}

static void stores_are_written_through_and_update(void **state)
{
    struct rig rig;

    (void)state;
    base(&rig);
    rig.config.l2_cached = BYW_L2_CACHES_LOADS;
    begin(&rig);
    ask(&rig, 0, BYW_TXN_READ);
    settle(&rig);
    ask(&rig, 0, BYW_TXN_WRITE);
    ask(&rig, LINE, BYW_TXN_WRITE);
    settle(&rig);
    assert_true(there(&rig, 0)); /* updated */
    assert_false(there(&rig, LINE));
    assert_int_equal(rig.stats.l2.sent_on, 2);
    assert_int_equal(rig.stats.l2.write_hits, 1);
    byw_l2_flush(&rig.l2);
    settle(&rig);
    assert_int_equal(rig.stats.l2.flushed, 0); /* nothing is dirty */
    rig_end(&rig);
}

/* All ways of set 0 are in flight; then a load and a store to the set arrive. */
static void allocation_bypass_passes_a_busy_set(void **state)
{
    (void)state;
    for (uint32_t on = 0; on < 2; on++) {
        struct rig rig;

        base(&rig);
        rig.config.l2_alloc_bypass = on;
        rig.config.l2_miss_queue = 16;
        begin(&rig);
        for (uint64_t i = 0; i < WAYS; i++)
            ask(&rig, i * SETS * LINE, BYW_TXN_READ);
        ask(&rig, WAYS * SETS * LINE, BYW_TXN_READ);
        ask(&rig, (WAYS + 1) * SETS * LINE, BYW_TXN_WRITE);
        steps(&rig, 40);
        assert_int_equal(rig.stats.l2.passed_loads, on);
        assert_int_equal(rig.stats.l2.full_set_passes, 2 * on); /* one of each */
        assert_int_equal(rig.stats.l2.passed_stores, on);
        assert_int_equal(rig.stats.l2.fail_line > 0, !on);
        settle(&rig);
        assert_int_equal(there(&rig, WAYS * SETS * LINE), !on);
        rig_end(&rig);
    }
}

static void an_evicted_line_takes_its_row_along(void **state)
{
    struct rig rig;
    uint64_t row = UINT64_C(5) << 20, mates = 3;

    (void)state;
    base(&rig);
    rig.config.l2_rinse = 1;
    begin(&rig);
    for (uint64_t i = 0; i <= mates; i++) /* lines of one row, one in each set */
        ask(&rig, row + i * LINE, BYW_TXN_WRITE);
    settle(&rig);
    assert_true(byw_l2_mi_agrees(&rig.l2));
    for (uint64_t i = 1; i <= WAYS; i++) /* evict the first of them */
        ask(&rig, row + i * (UINT64_C(1) << 16), BYW_TXN_READ);
    assert_int_equal(next_writeback(&rig), row);
    for (uint64_t i = 1; i <= mates; i++)
        assert_int_equal(next_writeback(&rig), row + i * LINE);
    settle(&rig);
    assert_int_equal(rig.stats.l2.rinsed, mates);
    for (uint64_t i = 1; i <= mates; i++)
        assert_true(there(&rig, row + i * LINE));
    byw_l2_flush(&rig.l2);
    settle(&rig);
    assert_int_equal(rig.stats.l2.flushed, 0); /* the lines are clean */
    rig_end(&rig);
}

static void a_flush_goes_by_rows(void **state)
{
    struct rig rig;
    uint64_t first = 0;

    (void)state;
    base(&rig);
    rig.config.l2_rinse = 1;
    begin(&rig);
    for (uint64_t i = 0; i < 4; i++)
        for (uint64_t r = 1; r <= 3; r++) /* rows by turns */
            ask(&rig, (r << 20) + i * LINE, BYW_TXN_WRITE);
    for (int i = 0; i < 200; i++) { /* nothing leaves */
        step(&rig);
        while (answer(&rig) != 0)
            continue;
    }
    byw_l2_flush(&rig.l2);
    for (uint64_t i = 0; i < 12; i++) {
        uint64_t addr = next_writeback(&rig);

        if (i % 4 == 0)
            first = addr;
        assert_int_equal(addr, first + i % 4 * LINE);
    }
    settle(&rig);
    assert_false(rig.l2.flushing);
    assert_int_equal(rig.stats.l2.flushed, 12);
    assert_true(byw_l2_mi_agrees(&rig.l2));
    rig_end(&rig);
}

static void a_pc_without_reuse_passes(void **state)
{
    struct rig rig;

    (void)state;
    base(&rig);
    rig.config.l2_pc_bypass = 1;
    rig.config.pc_sample = 0;
    begin(&rig);
    for (uint64_t i = 0; i < 200; i++) {
        ask_with_pc(&rig, i * LINE, i % 2 == 0 ? BYW_TXN_READ : BYW_TXN_WRITE, 0x40);
        settle(&rig);
    }
    assert_true(rig.stats.l2.passed_loads > 50);
    assert_true(rig.stats.l2.passed_stores > 50);
    for (int i = 0; i < 50; i++) { /* another PC, which always uses the same lines */
        ask_with_pc(&rig, (UINT64_C(1) << 20) + (uint64_t)(i % 4) * LINE, BYW_TXN_READ, 0x80);
        settle(&rig);
    }
    assert_int_equal(rig.stats.l2.hits, 46);
    rig_end(&rig);
}

/* Random requests, with an impatient or a slow DRAM: the index agrees with the lines in every
 * cycle, and nothing remains at the end. */
static void traffic(uint64_t seed, bool pcby, uint32_t sectors)
{
    struct byw_rng rng;
    struct rig rig;
    uint32_t slow;

    base(&rig);
    byw_rng_init(&rng, seed);
    rig.config.l2_rinse = 1;
    rig.config.l2_line = sectors * LINE;
    rig.config.l2_sectors = sectors;
    rig.config.l2_alloc_bypass = byw_rng_below(&rng, 2);
    rig.config.l2_pc_bypass = pcby;
    rig.config.l2_dbi_ways = UINT32_C(1) << byw_rng_below(&rng, 3);
    rig.config.l2_dbi_entries = rig.config.l2_dbi_ways << byw_rng_below(&rng, 3);
    slow = 1 + byw_rng_below(&rng, 20);
    begin(&rig);
    for (int i = 0; i < 20000; i++) {
        static const enum byw_txn_kind kinds[] = {BYW_TXN_READ,   BYW_TXN_WRITE,     BYW_TXN_WRITE,
                                                  BYW_TXN_ATOMIC, BYW_TXN_WRITEBACK, BYW_TXN_INST};
        uint32_t p;

        if (byw_l2_ready(&rig.l2) && byw_rng_below(&rng, 3) != 0) {
            uint64_t row = byw_rng_below(&rng, 12), block = byw_rng_below(&rng, 8);
            enum byw_txn_kind kind = kinds[byw_rng_below(&rng, 6)];
            uint64_t addr = (row << 17) + block * LINE;

            if (kind == BYW_TXN_WRITE && byw_rng_below(&rng, 4) == 0)
                send_at(&rig, addr + 32, kind, 32, 0);
            else
                ask_with_pc(&rig, addr, kind, 4 * byw_rng_below(&rng, 16));
        }
        if (byw_rng_below(&rng, 3000) == 0)
            byw_l2_flush(&rig.l2);
        step(&rig);
        if (byw_rng_below(&rng, slow) == 0 && (p = to_dram(&rig)) != BYW_NO_PACKET)
            from_dram(&rig, p);
        while (answer(&rig) != 0)
            continue;
        if (!byw_l2_mi_agrees(&rig.l2))
            fail_msg("seed %" PRIu64 ": in cycle %d the index does not agree", seed, i);
    }
    settle(&rig);
    byw_l2_flush(&rig.l2);
    settle(&rig);
    assert_int_equal(passing(&rig.l2), 0);
    for (uint32_t line = 0; line < SETS * WAYS; line++)
        assert_false(byw_l2_dirty(&rig.l2, line));
    assert_true(rig.stats.l2.rinsed > 50);
    assert_true(rig.stats.l2.fail_rinse > 0);
    rig_end(&rig);
}

static void the_index_agrees_under_any_traffic(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++)
        traffic(seed, seed % 2 == 0, 1 + seed / 2 % 2);
}

/* Under random traffic every request is answered once, for every caching policy, and DRAM gets
 * as many requests as the counters show. */
static void nothing_gets_lost_past_the_slice(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        uint32_t asked = 0, answered = 0, id, slow;
        struct byw_rng rng;
        struct rig rig;

        base(&rig);
        byw_rng_init(&rng, seed);
        rig.config.l2_cached = 1 + (uint32_t)(seed % 2);
        rig.config.l2_mshrs = 1 + byw_rng_below(&rng, 8);
        rig.config.l2_merges = 1 + byw_rng_below(&rng, 3);
        slow = 1 + byw_rng_below(&rng, 30);
        begin(&rig);
        for (int i = 0; i < 20000 || answered < asked; i++) {
            uint32_t p;

            if (i < 15000 && byw_l2_ready(&rig.l2)) {
                static const enum byw_txn_kind kinds[] = {BYW_TXN_READ, BYW_TXN_READ, BYW_TXN_WRITE,
                                                          BYW_TXN_ATOMIC, BYW_TXN_INST};

                ask(&rig, byw_rng_below(&rng, 40) * LINE, kinds[byw_rng_below(&rng, 5)]);
                asked++;
            }
            step(&rig);
            if (byw_rng_below(&rng, slow) == 0 && (p = to_dram(&rig)) != BYW_NO_PACKET)
                from_dram(&rig, p);
            while ((id = answer(&rig)) != 0)
                answered++;
            if (i > 2000000)
                fail_msg("seed %" PRIu64 ": %u of %u answered", seed, answered, asked);
        }
        settle(&rig);
        assert_int_equal(answered, asked);
        assert_int_equal(rig.pool.in_use, 0);
        assert_int_equal(passing(&rig.l2), 0);
        assert_true(rig.stats.l2.passed_stores > 0);
        assert_int_equal(rig.stats.l2.passed_loads > 0, rig.config.l2_cached == BYW_L2_CACHES_NONE);
        assert_int_equal(rig.stats.l2.misses, rig.stats.l2.fetched + rig.stats.l2.unfetched);
        rig_end(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uncached_keeps_nothing),
        cmocka_unit_test(loads_join_one_that_passes),
        cmocka_unit_test(stores_are_written_through_and_update),
        cmocka_unit_test(allocation_bypass_passes_a_busy_set),
        cmocka_unit_test(an_evicted_line_takes_its_row_along),
        cmocka_unit_test(a_flush_goes_by_rows),
        cmocka_unit_test(a_pc_without_reuse_passes),
        cmocka_unit_test(the_index_agrees_under_any_traffic),
        cmocka_unit_test(nothing_gets_lost_past_the_slice),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
