/* SPDX-License-Identifier: Apache-2.0
 *
 * LRU against time stamps, SRRIP against the rule as its text says it (repeat: first way at 3, else
 * all +1).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "common/byw_config.h"
#include "common/byw_rng.h"
#include "record/byw_repl.h"

enum { WAYS = 6 };

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

static void test_lru(void **state)
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
        got = byw_repl_lru.victim(set, WAYS, eligible);
        assert_int_equal(got, oldest);
        switch (byw_rng_below(&rng, 3)) {
        case 0:
            byw_repl_lru.touched(set, WAYS, way);
            stamp[way] = now;
            break;
        case 1:
            byw_repl_lru.evicted(set, WAYS, eligible);
            byw_repl_lru.inserted(set, WAYS, got, false);
            stamp[got] = now;
            break;
        default: /* inserted as the next to go: older than all */
            byw_repl_lru.inserted(set, WAYS, got, true);
            stamp[got] = --low;
            break;
        }
    }
    free(set);
}

static void test_srrip(void **state)
{
    struct byw_set *set = new_set(WAYS);
    uint32_t rrpv[WAYS] = {0}, i;
    struct byw_rng rng;
    int n;

    (void)state;
    byw_rng_init(&rng, 2);
    for (i = 0; i < WAYS; i++) {
        byw_repl_srrip.inserted(set, WAYS, i, false);
        rrpv[i] = 2;
    }
    for (n = 0; n < 20000; n++) {
        uint64_t eligible = random_mask(&rng);
        uint32_t way = byw_rng_below(&rng, WAYS), victim = WAYS;

        if (byw_rng_below(&rng, 2) == 0) {
            byw_repl_srrip.touched(set, WAYS, way);
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
        assert_int_equal(byw_repl_srrip.victim(set, WAYS, eligible), victim);
        byw_repl_srrip.evicted(set, WAYS, eligible);
        byw_repl_srrip.inserted(set, WAYS, victim, n % 7 == 0);
        rrpv[victim] = n % 7 == 0 ? 3 : 2;
        for (i = 0; i < WAYS; i++)
            assert_int_equal(set->way[i].rank, rrpv[i]);
    }
    free(set);
}

static void test_victim_only_looks(void **state)
{
    struct byw_set *set = new_set(WAYS);
    uint32_t i;

    (void)state;
    for (i = 0; i < WAYS; i++)
        byw_repl_srrip.inserted(set, WAYS, i, false);
    assert_int_equal(byw_repl_srrip.victim(set, WAYS, 0x3e), 1);
    for (i = 0; i < WAYS; i++)
        assert_int_equal(set->way[i].rank, 2);
    free(set);
}

static void test_registry(void **state)
{
    (void)state;
    assert_string_equal(byw_repl(BYW_REPL_LRU)->name, "lru");
    assert_string_equal(byw_repl(BYW_REPL_SRRIP)->name, "srrip");
    assert_null(byw_repl(99));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lru),
        cmocka_unit_test(test_srrip),
        cmocka_unit_test(test_victim_only_looks),
        cmocka_unit_test(test_registry),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
