/* SPDX-License-Identifier: Apache-2.0
 *
 * LRU compared with time stamps, SRRIP with its rule, literally (repeat: the first way at 3,
 * otherwise increment all).
 */
#include <stdlib.h>
#include <string.h>

#include "common/byw_config.h"
#include "common/byw_rng.h"
#include "common/test.h"
#include "record/byw_repl.h"

enum { WAYS = 6 };
static const struct byw_repl_at at = {.ways = WAYS};

static struct byw_set *new_set(uint32_t ways)
{
    struct byw_geometry geo = {.sets = 1, .tag_ways = ways, .data_ways = ways};
    struct byw_set *set = malloc(byw_set_bytes(&geo));

    assert_non_null(set);
    byw_set_clear(&geo, set);
    return set;
}

static uint64_t random_mask(struct byw_rng *rng)
{
    uint64_t mask = 0;

    while (mask == 0)
        mask = byw_rng_next(rng) & byw_mask64(WAYS);
    return mask;
}

static void lru_ranks_equal_the_order_of_time_stamps(void **state)
{
    struct byw_set *set = new_set(WAYS);
    int64_t stamp[WAYS], now, low = 0;
    struct byw_rng rng;
    uint32_t i;

    (void)state;
    byw_rng_init(&rng, 1);
    for (i = 0; i < WAYS; i++)
        stamp[i] = (int64_t)(WAYS - i);
    for (now = 100; now < 20000; now++) {
        uint64_t eligible = random_mask(&rng);
        uint32_t way = byw_rng_below(&rng, WAYS), oldest = WAYS, got;

        for (i = 0; i < WAYS; i++)
            if ((eligible >> i & 1) != 0 && (oldest == WAYS || stamp[i] < stamp[oldest]))
                oldest = i;
        got = byw_repl_lru.victim(set, &at, eligible);
        assert_int_equal(got, oldest);
        switch (byw_rng_below(&rng, 3)) {
        case 0:
            byw_repl_lru.touched(set, &at, way);
            stamp[way] = now;
            break;
        case 1:
            byw_repl_lru.evicted(set, &at, eligible, got);
            byw_repl_lru.inserted(set, &at, got, false);
            stamp[got] = now;
            break;
        default: /* inserted as the next victim: older than all others */
            byw_repl_lru.inserted(set, &at, got, true);
            stamp[got] = --low;
            break;
        }
    }
    free(set);
}

static void srrip_equals_the_rule_as_written(void **state)
{
    struct byw_set *set = new_set(WAYS);
    uint32_t rrpv[WAYS] = {0}, i;
    struct byw_rng rng;
    int n;

    (void)state;
    byw_rng_init(&rng, 2);
    for (i = 0; i < WAYS; i++) {
        byw_repl_srrip.inserted(set, &at, i, false);
        rrpv[i] = 2;
    }
    for (n = 0; n < 20000; n++) {
        uint64_t eligible = random_mask(&rng);
        uint32_t way = byw_rng_below(&rng, WAYS), victim = WAYS;

        if (byw_rng_below(&rng, 2) == 0) {
            byw_repl_srrip.touched(set, &at, way);
            rrpv[way] = 0;
            continue;
        }
        while (victim == WAYS) {
            for (i = 0; i < WAYS && victim == WAYS; i++)
                if ((eligible >> i & 1) != 0 && rrpv[i] == 3)
                    victim = i;
            for (i = 0; i < WAYS && victim == WAYS; i++)
                rrpv[i] += rrpv[i] < 3;
        }
        assert_int_equal(byw_repl_srrip.victim(set, &at, eligible), victim);
        byw_repl_srrip.evicted(set, &at, eligible, victim);
        byw_repl_srrip.inserted(set, &at, victim, n % 7 == 0);
        rrpv[victim] = n % 7 == 0 ? 3 : 2;
        for (i = 0; i < WAYS; i++)
            assert_int_equal(set->rank[i], rrpv[i]);
    }
    free(set);
}

static void victim_does_not_change_the_record(void **state)
{
    struct byw_set *set = new_set(WAYS);
    uint32_t i;

    (void)state;
    for (i = 0; i < WAYS; i++)
        byw_repl_srrip.inserted(set, &at, i, false);
    assert_int_equal(byw_repl_srrip.victim(set, &at, 0x3e), 1);
    for (i = 0; i < WAYS; i++)
        assert_int_equal(set->rank[i], 2);
    free(set);
}

/* Position n of "a|b|c". */
static bool choice_is(const char *choices, uint32_t n, const char *name)
{
    size_t length = strlen(name);

    while (n-- > 0) {
        choices = strchr(choices, '|');
        if (choices == NULL)
            return false;
        choices++;
    }
    return strncmp(choices, name, length) == 0 && (choices[length] == '|' || choices[length] == 0);
}

static void the_table_matches_the_choices_of_the_key(void **state)
{
    const struct byw_param *param = NULL;
    uint32_t i, choices = 1;

    (void)state;
    for (i = 0; i < byw_param_count(); i++)
        if (strcmp(byw_param(i)->key, "l1d.replacement") == 0)
            param = byw_param(i);
    assert_non_null(param);
    for (const char *c = param->choices; *c != 0; c++)
        choices += *c == '|';
    for (i = 0; byw_repl_row(i) != NULL; i++) {
        assert_true(choice_is(param->choices, i, byw_repl_row(i)->name));
        assert_true(byw_repl_row(i)->paper[0] != 0);
        assert_true(byw_repl_row(i)->rank_bits <= 8);
        assert_ptr_equal(byw_repl(i), byw_repl_row(i)->ops);
    }
    assert_int_equal(i, choices);
    assert_null(byw_repl(i));
    assert_ptr_equal(byw_repl(BYW_REPL_LRU), &byw_repl_lru);
    assert_ptr_equal(byw_repl(BYW_REPL_SRRIP), &byw_repl_srrip);
    assert_int_equal(byw_repl_rank_bits(BYW_REPL_LRU, 1), 1);
    assert_int_equal(byw_repl_rank_bits(BYW_REPL_LRU, 8), 3);
    assert_int_equal(byw_repl_rank_bits(BYW_REPL_LRU, 9), 4);
    assert_int_equal(byw_repl_rank_bits(BYW_REPL_SRRIP, 64), 2);
}

/* The shift register bit by bit, eight steps per number. */
static void the_random_number_takes_eight_shift_steps(void **state)
{
    uint16_t n = BYW_REPL_SEED, bits = BYW_REPL_SEED;
    uint32_t thirtyseconds = 0, i;

    (void)state;
    for (i = 1; i <= UINT16_MAX; i++) {
        for (int step = 0; step < 8; step++)
            bits = (uint16_t)(bits >> 1 | ((bits ^ bits >> 2 ^ bits >> 3 ^ bits >> 5) & 1) << 15);
        n = byw_repl_next_random(n);
        assert_int_equal(n, bits);
        assert_true(n != BYW_REPL_SEED || i == UINT16_MAX);
        thirtyseconds += n % 32 == 0;
    }
    assert_int_equal(n, BYW_REPL_SEED);
    assert_int_equal(thirtyseconds, 65536 / 32 - 1);
}

/* A policy with state per L1: per set, the number of lines evicted there. */
static size_t keeper_bytes(const struct byw_geometry *geo)
{
    return geo->sets * sizeof(uint32_t);
}

static void keeper_evicted(struct byw_set *set, const struct byw_repl_at *told, uint64_t eligible,
                           uint32_t way)
{
    (void)set;
    (void)eligible;
    (void)way;
    ((uint32_t *)told->side->state)[told->set]++;
}

static void each_l1_has_its_own_replacement_state(void **state)
{
    static const struct byw_repl_ops keeper = {.state_bytes = keeper_bytes,
                                               .evicted = keeper_evicted};
    struct byw_geometry geo = {.sets = 4, .tag_ways = 2, .data_ways = 2};
    struct byw_repl_side a, b;
    struct byw_repl_at told;
    uint64_t empty;

    (void)state;
    assert_int_equal(byw_repl_init(&a, &keeper, &geo), BYW_OK);
    assert_int_equal(byw_repl_init(&b, &keeper, &geo), BYW_OK);
    empty = byw_repl_digest(&a);
    told = byw_repl_at(&a, 2, 3, 0x40);
    assert_int_equal(told.ways, 2);
    assert_int_equal(told.set, 3);
    assert_int_equal(told.pc, 0x40);
    assert_int_equal(told.random, BYW_REPL_SEED);
    a.ops->evicted(NULL, &told, 3, 1);
    assert_int_equal(((uint32_t *)a.state)[3], 1);
    assert_true(byw_repl_digest(&a) != empty);
    assert_true(byw_repl_digest(&b) == empty); /* the state of the other L1 is separate */
    byw_repl_placed(&a);
    told = byw_repl_at(&a, 2, 3, 0x40);
    assert_int_equal(told.random, byw_repl_next_random(BYW_REPL_SEED));
    byw_repl_reset(&a);
    assert_true(byw_repl_digest(&a) == empty);
    byw_repl_release(&a);
    byw_repl_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lru_ranks_equal_the_order_of_time_stamps),
        cmocka_unit_test(srrip_equals_the_rule_as_written),
        cmocka_unit_test(victim_does_not_change_the_record),
        cmocka_unit_test(the_table_matches_the_choices_of_the_key),
        cmocka_unit_test(the_random_number_takes_eight_shift_steps),
        cmocka_unit_test(each_l1_has_its_own_replacement_state),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
