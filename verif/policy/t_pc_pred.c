/* SPDX-License-Identifier: Apache-2.0
 *
 * The PC-based bypass predictor: hash, threshold, sampling, set dueling, saturation
 * (mechanisms/pc_pred.md 5.1). Inside an L1D: verif/l1d/t_l1d_pc.c.
 */
#include "common/byw_l1d_host.h"
#include "l2/byw_bypass_bit.h"

enum { PCS = 8 };

static struct byw_config config(void)
{
    struct byw_config c;

    byw_config_defaults(&c);
    c.pc_on = 1;
    c.pc_duel = 0;
    c.pc_sample = 0;
    c.l1d_sets = 8;
    c.l1d_ways = 2;
    return c;
}

static struct byw_pc_pred make(const struct byw_config *c)
{
    struct byw_pc_pred pred;

    assert_int_equal(byw_pc_pred_init(&pred, c, byw_clog2(c->l1d_sets), 64), BYW_OK);
    byw_pc_pred_skip(&pred, BYW_PC_CLEAR);
    return pred;
}

/* One clock edge that trains with these pulses. */
static void evict(struct byw_pc_pred *pred, uint32_t line)
{
    byw_pc_pred_evict(pred, line);
    byw_pc_pred_tick(pred);
}

static void reuse(struct byw_pc_pred *pred, uint32_t line, uint16_t hash)
{
    byw_pc_pred_reuse(pred, line, hash);
    byw_pc_pred_tick(pred);
}

/* The clock edge that accepts a report, and the one that applies its step. */
static void mispredict(struct byw_pc_pred *pred, uint16_t hash)
{
    byw_pc_pred_mispredict(pred, hash);
    byw_pc_pred_tick(pred);
    byw_pc_pred_tick(pred);
}

/* --- the unit ------------------------------------------------------------------------------- */

static void the_hash_folds_21_pc_bits(void **state)
{
    struct byw_config c = config();
    struct byw_pc_pred pred = make(&c);
    uint32_t bit;

    (void)state;
    /* pc[8:2] ^ pc[15:9] ^ pc[22:16]: each of the 21 bits above the shift flips one bit. */
    for (bit = 0; bit < 32; bit++)
        assert_int_equal(byw_pc_table_hash(&pred.table, UINT32_C(1) << bit),
                         bit < 2 || bit > 22 ? 0 : 1 << (bit - 2) % 7);
    assert_int_equal(byw_pc_table_hash(&pred.table, 0x1ffu << 2 | 3), 0x7f ^ 3);
    byw_pc_pred_release(&pred);
    c.pc_entries = 16;
    c.pc_shift = 4;
    pred = make(&c);
    for (bit = 0; bit < 32; bit++)
        assert_int_equal(byw_pc_table_hash(&pred.table, UINT32_C(1) << bit),
                         bit < 4 || bit > 15 ? 0 : 1 << (bit - 4) % 4);
    byw_pc_pred_release(&pred);
}

static void reuse_decrements_and_eviction_increments_the_last_pc(void **state)
{
    struct byw_config c = config();
    struct byw_pc_pred pred = make(&c);
    uint32_t i;

    (void)state;
    pred.line[3] = 5;
    for (i = 1; i <= 20; i++) {
        evict(&pred, 3);
        assert_int_equal(pred.table.counter[5], i < 15 ? i : 15);
        assert_int_equal(byw_pc_pred_ask(&pred, 0, 5 << 2).dead, i >= 8);
        assert_int_equal(byw_pc_pred_ask(&pred, 0, 4 << 2).dead, false);
    }
    reuse(&pred, 3, 6); /* decrements the last PC; the line then belongs to the new one */
    assert_int_equal(pred.table.counter[5], 14);
    assert_int_equal(pred.line[3], 6);
    reuse(&pred, 3, 5);
    assert_int_equal(pred.table.counter[6], 0);
    assert_int_equal(pred.table.counter[5], 14);
    mispredict(&pred, 5);
    assert_int_equal(pred.table.counter[5], 13);
    mispredict(&pred, 7);
    assert_int_equal(pred.table.counter[7], 0);
    assert_false(byw_pc_pred_ask(&pred, 0, 7 << 2).hot);
    pred.prior = true;
    assert_true(byw_pc_pred_ask(&pred, 0, 7 << 2).hot);
    assert_false(byw_pc_pred_ask(&pred, 0, 5 << 2).hot);
    pred.table.counter[7] = 1;
    assert_false(byw_pc_pred_ask(&pred, 0, 7 << 2).hot);
    byw_pc_pred_clear(&pred);
    assert_int_equal(pred.table.counter[5], 0);
    byw_pc_pred_release(&pred);
}

/* A clock edge without a step applies the oldest waiting report, not one that arrives with it;
 * BYW_PC_REPORTS can wait. */
static void queued_reports_train_at_edges_without_a_step(void **state)
{
    struct byw_config c = config();
    struct byw_pc_pred pred;
    uint32_t i;

    (void)state;
    c.pc_bits = 8;
    c.pc_init = 250;
    pred = make(&c);
    pred.line[0] = 100;
    for (i = 0; i <= BYW_PC_REPORTS; i++) { /* a step at the end of the range counts, too */
        byw_pc_pred_mispredict(&pred, (uint16_t)i);
        evict(&pred, 0);
        assert_int_equal(pred.table.counter[100], i < 5 ? 251 + i : 255);
        assert_int_equal(pred.table.counter[i], 250);
    }
    /* arrives at the clock edge of the first report, whose slot is not free yet */
    byw_pc_pred_mispredict(&pred, 60);
    byw_pc_pred_tick(&pred);
    byw_pc_pred_mispredict(&pred, 61);
    for (i = 1; i < BYW_PC_REPORTS; i++) {
        assert_int_equal(pred.table.counter[i - 1], 249);
        assert_int_equal(pred.table.counter[i], 250);
        byw_pc_pred_tick(&pred);
    }
    assert_int_equal(pred.table.counter[61], 250);
    byw_pc_pred_tick(&pred);
    assert_int_equal(pred.table.counter[61], 249);
    assert_int_equal(pred.table.counter[60], 250);
    assert_int_equal(pred.table.counter[BYW_PC_REPORTS], 250);
    byw_pc_pred_mispredict(&pred, 62); /* alone: not applied at the clock edge of its arrival */
    byw_pc_pred_tick(&pred);
    assert_int_equal(pred.table.counter[62], 250);
    byw_pc_pred_tick(&pred);
    assert_int_equal(pred.table.counter[62], 249);
    byw_pc_pred_release(&pred);
}

/* A fill's second step waits like a report, but has priority over reports. */
static void the_second_step_of_a_fill_waits_before_reports(void **state)
{
    struct byw_config c = config();
    struct byw_pc_pred pred;
    uint32_t i;

    (void)state;
    c.pc_init = 9;
    pred = make(&c);
    pred.line[0] = 101;
    byw_pc_pred_evict(&pred, 0);
    byw_pc_pred_reuse_merged(&pred, 50);
    byw_pc_pred_mispredict(&pred, 51);
    for (i = 0; i < 3; i++) {
        byw_pc_pred_tick(&pred);
        assert_int_equal(pred.table.counter[101], 10);
        assert_int_equal(pred.table.counter[50], i < 1 ? 9 : 8);
        assert_int_equal(pred.table.counter[51], i < 2 ? 9 : 8);
    }
    byw_pc_pred_reuse_merged(&pred, 52); /* its only step is applied at once */
    byw_pc_pred_tick(&pred);
    assert_int_equal(pred.table.counter[52], 8);
    byw_pc_pred_release(&pred);
}

/* After a reset clearing the counters takes BYW_PC_CLEAR cycles, or as many as there are
 * counters. */
static void nothing_trains_while_reset_clears_the_table(void **state)
{
    struct byw_config c = config();
    struct byw_pc_pred pred;
    uint32_t i;

    (void)state;
    for (c.pc_entries = 128; c.pc_entries >= 8; c.pc_entries /= 16) {
        uint32_t cycles = c.pc_entries < BYW_PC_CLEAR ? c.pc_entries : BYW_PC_CLEAR;

        pred = make(&c);
        byw_pc_pred_clear(&pred);
        pred.line[0] = 7;
        for (i = 0; i < cycles; i++) {
            byw_pc_pred_mispredict(&pred, 7);
            evict(&pred, 0);
            assert_int_equal(pred.table.counter[7], 0);
        }
        evict(&pred, 0);
        assert_int_equal(pred.table.counter[7], 1);
        byw_pc_pred_release(&pred);
    }
}

/* Which of `n` loads predicted dead are cached by sampling, as a bit vector. */
static uint64_t samples(struct byw_pc_pred *pred, uint32_t n)
{
    uint64_t sampled = 0;
    uint32_t i;

    for (i = 0; i < n; i++) {
        struct byw_pc_guess guess = byw_pc_pred_ask(pred, 1, 0);
        struct byw_pc_guess live = byw_pc_pred_ask(pred, 1, 1 << 2);

        assert_true(guess.dead);
        assert_int_equal(byw_pc_guess_bypass(&guess), !guess.sampled);
        guess = byw_pc_pred_ask(pred, 1, 0); /* asking changes nothing */
        byw_pc_pred_accept(pred, 1, &live); /* a live load is not counted as a sample */
        byw_pc_pred_accept(pred, 1, &guess);
        sampled |= (uint64_t)guess.sampled << i;
    }
    return sampled;
}

static void one_in_pc_sample_dead_loads_is_cached(void **state)
{
    struct byw_config c = config();
    struct byw_pc_pred pred;

    (void)state;
    c.pc_sample = 32;
    pred = make(&c);
    pred.table.counter[0] = 15;
    assert_true(samples(&pred, 64) == (byw_bit64(31) | byw_bit64(63)));
    byw_pc_pred_release(&pred);
    c.pc_sample = 1;
    pred = make(&c);
    pred.table.counter[0] = 15;
    assert_true(samples(&pred, 64) == UINT64_MAX);
    byw_pc_pred_release(&pred);
    c.pc_sample = 0;
    pred = make(&c);
    pred.table.counter[0] = 15;
    assert_true(samples(&pred, 64) == 0);
    byw_pc_pred_release(&pred);
}

static void leader_sets_move_psel_and_followers_obey(void **state)
{
    static const uint32_t first[] = {0, 9, 18, 27}, second[] = {4, 13, 22, 31};
    struct byw_set_duel duel;
    uint32_t set, bits, i, roles[3];

    (void)state;
    byw_set_duel_init(&duel, 5);
    for (set = 0; set < 32; set++) {
        enum byw_set_role want = BYW_SET_FOLLOWS;

        for (i = 0; i < 4; i++) {
            if (first[i] == set)
                want = BYW_SET_LEADS_FIRST;
            if (second[i] == set)
                want = BYW_SET_LEADS_SECOND;
        }
        assert_int_equal(byw_set_duel_role(&duel, set), want);
    }
    for (bits = 3; bits <= 10;
         bits++) { /* equally many leaders of each policy, an eighth of the sets each */
        byw_set_duel_init(&duel, bits);
        memset(roles, 0, sizeof(roles));
        for (set = 0; set < UINT32_C(1) << bits; set++)
            roles[byw_set_duel_role(&duel, set)]++;
        assert_int_equal(roles[BYW_SET_LEADS_FIRST], UINT32_C(1) << bits >> 3);
        assert_int_equal(roles[BYW_SET_LEADS_SECOND], UINT32_C(1) << bits >> 3);
    }
    byw_set_duel_init(&duel, 5);
    assert_true(byw_set_duel_second(&duel, 1));
    byw_set_duel_miss(&duel, 4); /* the second policy misses: 127 */
    assert_false(byw_set_duel_second(&duel, 1));
    assert_true(byw_set_duel_second(&duel, 31)); /* leaders never follow */
    byw_set_duel_miss(&duel, 27);
    assert_true(byw_set_duel_second(&duel, 1));
    assert_false(byw_set_duel_second(&duel, 0));
    byw_set_duel_miss(&duel, 2); /* a follower's miss does not count */
    assert_int_equal(duel.psel, 128);
    for (i = 0; i < 300; i++)
        byw_set_duel_miss(&duel, 0);
    assert_int_equal(duel.psel, 255);
    for (i = 0; i < 300; i++)
        byw_set_duel_miss(&duel, 31);
    assert_int_equal(duel.psel, 0);
}

static void set_dueling_overrules_dead_predictions(void **state)
{
    struct byw_config c = config();
    struct byw_pc_pred pred;
    struct byw_pc_guess guess;

    (void)state;
    c.pc_duel = 1;
    c.l1d_sets = 32;
    c.pc_sample = 2;
    pred = make(&c);
    pred.table.counter[0] = 15;
    guess = byw_pc_pred_ask(&pred, 9, 0); /* a set whose policy never bypasses */
    assert_true(guess.dead && guess.overruled && !guess.sampled);
    assert_false(byw_pc_guess_bypass(&guess));
    byw_pc_pred_accept(&pred, 9, &guess);
    assert_int_equal(pred.table.skipped, 0); /* did not count as a sample */
    assert_int_equal(pred.duel.psel, 129);
    guess = byw_pc_pred_ask(&pred, 13, 0);
    assert_true(byw_pc_guess_bypass(&guess));
    byw_pc_pred_accept(&pred, 13, &guess);
    byw_pc_pred_accept(&pred, 13, &(struct byw_pc_guess){0});
    assert_int_equal(pred.duel.psel, 127);
    guess = byw_pc_pred_ask(&pred, 13, 0);
    assert_true(guess.sampled);
    guess = byw_pc_pred_ask(&pred, 1, 0); /* followers: PSEL says never bypass */
    assert_true(guess.overruled);
    byw_pc_pred_release(&pred);
}

static void a_reuse_after_a_bypass_is_a_misprediction(void **state)
{
    static const struct {
        bool before, found, load, predicted, after, mispredict;
    } row[] = {
        {0, 0, 1, 0, 0, 0}, {1, 0, 1, 0, 0, 0}, {0, 0, 1, 1, 1, 0}, {1, 0, 1, 1, 1, 0}, /* miss */
        {0, 1, 1, 0, 0, 0}, {0, 1, 1, 1, 1, 0}, {1, 1, 1, 0, 0, 1}, {1, 1, 1, 1, 1, 1}, /* hit */
        {0, 0, 0, 0, 0, 0}, {1, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0}, {1, 1, 0, 0, 1, 0}, /* other */
    };
    size_t i;

    (void)state;
    for (i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        uint8_t bit = row[i].before;

        assert_int_equal(byw_bypass_bit(&bit, row[i].found, row[i].load, row[i].predicted),
                         row[i].mispredict);
        assert_int_equal(bit, row[i].after);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_hash_folds_21_pc_bits),
        cmocka_unit_test(reuse_decrements_and_eviction_increments_the_last_pc),
        cmocka_unit_test(queued_reports_train_at_edges_without_a_step),
        cmocka_unit_test(the_second_step_of_a_fill_waits_before_reports),
        cmocka_unit_test(nothing_trains_while_reset_clears_the_table),
        cmocka_unit_test(one_in_pc_sample_dead_loads_is_cached),
        cmocka_unit_test(leader_sets_move_psel_and_followers_obey),
        cmocka_unit_test(set_dueling_overrules_dead_predictions),
        cmocka_unit_test(a_reuse_after_a_bypass_is_a_misprediction),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
