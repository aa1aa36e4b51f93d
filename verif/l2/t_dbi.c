/* SPDX-License-Identifier: Apache-2.0
 *
 * t_dbi - the dirty-block index compared with a cache that keeps its own dirty bits: a bit is set
 * exactly while its line is dirty, rows are rinsed whole, the row written least recently is
 * evicted, no dirty line is lost.
 */
#include <stdlib.h>

#include "common/byw_bits.h"
#include "common/byw_rng.h"
#include "common/test.h"
#include "l2/byw_dbi.h"

enum { SETS = 2, WAYS = 3, BLOCKS = 8, ROWS = 16 };

struct rig {
    struct byw_dbi dbi;
    uint64_t line_dirty[ROWS]; /* the cache's own bits */
    uint32_t rinsed[ROWS * BLOCKS]; /* lines in the order in which they were rinsed */
    uint32_t rinses;
};

static void start(struct rig *rig)
{
    *rig = (struct rig){.rinses = 0};
    assert_int_equal(byw_dbi_init(&rig->dbi, SETS, WAYS, BLOCKS), BYW_OK);
}

static void agree(const struct rig *rig)
{
    for (uint64_t row = 0; row < ROWS; row++)
        assert_int_equal(byw_dbi_dirty(&rig->dbi, row), rig->line_dirty[row]);
}

/* One cycle; the cache writes back the offered line if `take`. An offered line must be dirty,
 * unless the current operation has just cleaned it. */
static enum byw_dbi_step cycle(struct rig *rig, const struct byw_dbi_req *req, bool take)
{
    const struct byw_dbi_walk *walk = &rig->dbi.walk;

    if (take && walk->offers) {
        if ((rig->line_dirty[walk->row] >> walk->block & 1) == 0)
            assert_true(req != NULL && req->row == walk->row && req->block == walk->block);
        rig->line_dirty[walk->row] &= ~byw_bit64(walk->block);
        if (rig->rinses < ROWS * BLOCKS)
            rig->rinsed[rig->rinses] = (uint32_t)walk->row * BLOCKS + walk->block;
        rig->rinses++;
    }
    return byw_dbi_tick(&rig->dbi, req, take);
}

/* Changes the line, then updates the index; runs until the update ends, taking all rinses. */
static void act(struct rig *rig, enum byw_dbi_op op, uint64_t row, uint32_t block)
{
    struct byw_dbi_req req = {.op = op, .row = row, .block = block};

    if (op == BYW_DBI_SET)
        rig->line_dirty[row] |= byw_bit64(block);
    else if (op == BYW_DBI_EVICT || op == BYW_DBI_CLEAN)
        rig->line_dirty[row] &= ~byw_bit64(block);
    while (cycle(rig, &req, true) != BYW_DBI_DONE)
        continue;
}

static void drain(struct rig *rig)
{
    while (byw_dbi_walks(&rig->dbi))
        cycle(rig, NULL, true);
    agree(rig);
}

static void an_evicted_line_rinses_its_row(void **state)
{
    struct rig rig;

    (void)state;
    start(&rig);
    act(&rig, BYW_DBI_SET, 4, 6);
    act(&rig, BYW_DBI_SET, 6, 3);
    act(&rig, BYW_DBI_SET, 4, 1);
    act(&rig, BYW_DBI_SET, 4, 7);
    agree(&rig);
    act(&rig, BYW_DBI_EVICT, 4, 6);
    drain(&rig);
    assert_int_equal(rig.rinses, 2);
    assert_int_equal(rig.rinsed[0], 4 * BLOCKS + 1); /* lowest first */
    assert_int_equal(rig.rinsed[1], 4 * BLOCKS + 7);
    assert_int_equal(byw_dbi_dirty(&rig.dbi, 6), 1 << 3);
    byw_dbi_release(&rig.dbi);
}

static void evicting_a_clean_line_rinses_nothing(void **state)
{
    struct rig rig;

    (void)state;
    start(&rig);
    act(&rig, BYW_DBI_SET, 4, 6);
    act(&rig, BYW_DBI_EVICT, 4, 5);
    act(&rig, BYW_DBI_SET, 4, 2);
    act(&rig, BYW_DBI_CLEAN, 4, 2);
    drain(&rig);
    assert_int_equal(rig.rinses, 0);
    assert_int_equal(byw_dbi_dirty(&rig.dbi, 4), 1 << 6);
    byw_dbi_release(&rig.dbi);
}

static void the_least_recently_written_row_is_replaced(void **state)
{
    struct rig rig;

    (void)state;
    start(&rig);
    act(&rig, BYW_DBI_SET, 0, 0);
    act(&rig, BYW_DBI_SET, 2, 0);
    act(&rig, BYW_DBI_SET, 4, 0);
    act(&rig, BYW_DBI_SET, 0, 5);
    act(&rig, BYW_DBI_LOOKUP, 2, 0); /* a lookup does not count as a write */
    act(&rig, BYW_DBI_SET, 6, 0);
    drain(&rig);
    assert_int_equal(rig.rinses, 1);
    assert_int_equal(rig.rinsed[0], 2 * BLOCKS);
    act(&rig, BYW_DBI_SET, 1, 0); /* the other set still has room */
    drain(&rig);
    assert_int_equal(rig.rinses, 1);
    byw_dbi_release(&rig.dbi);
}

static void a_flush_rinses_row_by_row(void **state)
{
    struct rig rig;

    (void)state;
    start(&rig);
    for (uint32_t i = 0; i < 12; i++)
        act(&rig, BYW_DBI_SET, i % 4, i / 4 * 3);
    act(&rig, BYW_DBI_FLUSH, 0, 0);
    drain(&rig);
    assert_int_equal(rig.rinses, 12);
    for (uint32_t i = 1; i < 12; i++) /* a row's blocks leave consecutively, in ascending order */
        assert_true(rig.rinsed[i] / BLOCKS != rig.rinsed[i - 1] / BLOCKS ||
                    rig.rinsed[i] > rig.rinsed[i - 1]);
    for (uint32_t i = 3; i < 12; i += 3)
        assert_int_not_equal(rig.rinsed[i] / BLOCKS, rig.rinsed[i - 1] / BLOCKS);
    byw_dbi_release(&rig.dbi);
}

static void a_row_may_become_dirty_while_it_is_rinsed(void **state)
{
    struct rig rig;
    struct byw_dbi_req set = {.op = BYW_DBI_SET, .row = 4, .block = 2};

    (void)state;
    start(&rig);
    act(&rig, BYW_DBI_SET, 4, 0);
    act(&rig, BYW_DBI_SET, 4, 1);
    act(&rig, BYW_DBI_SET, 4, 2);
    act(&rig, BYW_DBI_EVICT, 4, 0);
    cycle(&rig, NULL, false); /* block 1 is offered, block 2 is in the walker */
    assert_int_equal(cycle(&rig, &set, false), BYW_DBI_DONE); /* dirty already */
    agree(&rig);
    set.block = 5;
    assert_int_equal(cycle(&rig, &set, false), BYW_DBI_DONE);
    rig.line_dirty[4] |= 1 << 5;
    drain(&rig);
    assert_int_equal(rig.rinses, 2);
    assert_int_equal(byw_dbi_dirty(&rig.dbi, 4), 1 << 5); /* written since then: not rinsed */
    byw_dbi_release(&rig.dbi);
}

static void cleaning_a_block_on_offer_waits(void **state)
{
    struct rig rig;
    struct byw_dbi_req clean = {.op = BYW_DBI_CLEAN, .row = 4, .block = 1};

    (void)state;
    start(&rig);
    act(&rig, BYW_DBI_SET, 4, 0);
    act(&rig, BYW_DBI_SET, 4, 1);
    act(&rig, BYW_DBI_EVICT, 4, 0);
    cycle(&rig, NULL, false);
    assert_true(rig.dbi.walk.offers);
    assert_int_equal(cycle(&rig, &clean, false), BYW_DBI_WAIT);
    assert_int_equal(cycle(&rig, &clean, true), BYW_DBI_WAIT);
    assert_int_equal(cycle(&rig, &clean, false), BYW_DBI_DONE);
    drain(&rig);
    byw_dbi_release(&rig.dbi);
}

/* Only an eviction needs the walker for the rest of its row: a block is cleaned while another row
 * is rinsed. */
static void cleaning_does_not_wait_for_another_row(void **state)
{
    struct rig rig;
    struct byw_dbi_req clean = {.op = BYW_DBI_CLEAN, .row = 6, .block = 1};
    struct byw_dbi_req evict = {.op = BYW_DBI_EVICT, .row = 6, .block = 2};

    (void)state;
    start(&rig);
    for (uint32_t block = 0; block < 4; block++) {
        act(&rig, BYW_DBI_SET, 4, block);
        act(&rig, BYW_DBI_SET, 6, block);
    }
    act(&rig, BYW_DBI_EVICT, 4, 0);
    rig.line_dirty[6] &= ~byw_bit64(1);
    assert_int_equal(cycle(&rig, &clean, false), BYW_DBI_DONE);
    assert_int_equal(cycle(&rig, &evict, false), BYW_DBI_WAIT);
    drain(&rig);
    byw_dbi_release(&rig.dbi);
}

static void bits_and_lines_agree_under_any_traffic(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        struct byw_rng rng;
        struct rig rig;

        byw_rng_init(&rng, seed);
        start(&rig);
        for (int i = 0; i < 20000; i++) {
            uint64_t row = byw_rng_below(&rng, ROWS);
            uint32_t block = byw_rng_below(&rng, BLOCKS), what = byw_rng_below(&rng, 100);
            enum byw_dbi_op op = what < 60   ? BYW_DBI_SET
                                 : what < 80 ? BYW_DBI_EVICT
                                 : what < 99 ? BYW_DBI_CLEAN
                                             : BYW_DBI_FLUSH;

            for (uint32_t n = byw_rng_below(&rng, 3); n > 0; n--)
                cycle(&rig, NULL, byw_rng_below(&rng, 2) != 0);
            act(&rig, op, row, block);
            agree(&rig);
        }
        act(&rig, BYW_DBI_FLUSH, 0, 0);
        drain(&rig);
        for (uint64_t row = 0; row < ROWS; row++)
            if (rig.line_dirty[row] != 0)
                fail_msg("seed %d: a dirty line of row %d is lost", (int)seed, (int)row);
        byw_dbi_release(&rig.dbi);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_evicted_line_rinses_its_row),
        cmocka_unit_test(evicting_a_clean_line_rinses_nothing),
        cmocka_unit_test(the_least_recently_written_row_is_replaced),
        cmocka_unit_test(a_flush_rinses_row_by_row),
        cmocka_unit_test(a_row_may_become_dirty_while_it_is_rinsed),
        cmocka_unit_test(cleaning_a_block_on_offer_waits),
        cmocka_unit_test(cleaning_does_not_wait_for_another_row),
        cmocka_unit_test(bits_and_lines_agree_under_any_traffic),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
