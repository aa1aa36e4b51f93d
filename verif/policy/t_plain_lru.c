/* SPDX-License-Identifier: Apache-2.0
 *
 * Base mode, threshold 0 and the filter switched off are the same: a plain LRU cache. The reference
 * is a list of lines per set, written without any of the model's code.
 */
#include "common/byw_l1d_host.h"
#include "common/byw_record_bench.h"

enum { LRU_SETS = 32, LRU_WAYS = 8 };

struct lru {
    uint32_t ways;
    uint32_t count[LRU_SETS];
    uint64_t line[LRU_SETS][LRU_WAYS]; /* youngest first */
};

/* True if present; moves it to the front. */
static bool lru_load(struct lru *lru, uint32_t set, uint64_t line)
{
    uint64_t *list = lru->line[set];
    uint32_t i = 0;
    bool hit;

    while (i < lru->count[set] && list[i] != line)
        i++;
    hit = i < lru->count[set];
    if (!hit && lru->count[set] < lru->ways)
        lru->count[set]++;
    if (i == lru->ways)
        i--;
    for (; i > 0; i--)
        list[i] = list[i - 1];
    list[0] = line;
    return hit;
}

static bool lru_store(struct lru *lru, uint32_t set, uint64_t line)
{
    uint64_t *list = lru->line[set];
    uint32_t i = 0;

    while (i < lru->count[set] && list[i] != line)
        i++;
    if (i == lru->count[set])
        return false;
    lru->count[set]--;
    for (; i < lru->count[set]; i++)
        list[i] = list[i + 1];
    return true;
}

static void compare_record(const struct byw_config *config, bool filter_on, uint32_t lines)
{
    struct bench b = bench_new(config);
    struct lru lru = {.ways = config->l1d_ways};
    struct byw_rng rng;
    int i;

    b.filter_on = filter_on;
    byw_rng_init(&rng, host_seed(7) + lines);
    for (i = 0; i < 200000; i++) {
        uint64_t line = byw_rng_below(&rng, lines);
        bool store = byw_rng_below(&rng, 10) == 0;
        bool want = store ? lru_store(&lru, 0, line) : lru_load(&lru, 0, line);
        bool got = bench_do(&b, store ? BYW_OP_STORE : BYW_OP_LOAD, line) == BYW_HIT;

        if (got != want)
            fail_msg("access %d of line %d: hit %d, plain LRU says %d; rerun with SEED=%llu", i,
                     (int)line, got, want, (unsigned long long)host_seed(7));
    }
    bench_free(&b);
}

static void a_record_without_filter_equals_an_lru_list(void **state)
{
    uint32_t ways;

    (void)state;
    for (ways = 1; ways <= LRU_WAYS; ways++) {
        struct byw_config c = bench_config();

        c.l1d_ways = ways;
        c.dec_tag_ways = 2 * ways;
        compare_record(&c, false, 2 * ways + 1);
        c.dec_threshold = 0;
        compare_record(&c, true, 2 * ways + 1);
        c.policy_mode = BYW_MODE_BASE;
        compare_record(&c, true, 2 * ways + 1);
    }
}

/* The set index implemented again, from the text of mechanisms/cache.md 0.4. */
static uint32_t fermi_set(uint64_t line)
{
    uint64_t a = line * 128;
    uint32_t low = (uint32_t)(a >> 7) & 31;
    uint32_t high = (uint32_t)((a >> 19 & 1) * 16 + (a >> 17 & 1) * 8 + (a >> 15 & 1) * 4 +
                               (a >> 14 & 1) * 2 + (a >> 13 & 1));

    return low ^ high;
}

static void compare_cache(const struct byw_config *config, bool filter_on)
{
    struct host *h = host_new("plain LRU", config, host_seed(11));
    struct lru lru = {.ways = config->l1d_ways};
    int i;

    h->latency = 3;
    h->filter_on = filter_on;
    for (i = 0; i < 20000; i++) {
        uint64_t line = byw_rng_below(&h->rng, 320);
        uint32_t set = config->l1d_index == BYW_INDEX_FERMI ? fermi_set(line) : line % 32;
        bool store = host_chance(h, 10);
        bool want = store ? lru_store(&lru, set, line) : lru_load(&lru, set, line);
        uint64_t hits = h->ev[BYW_EV_HIT];

        host_do(h, store ? BYW_OP_STORE : BYW_OP_LOAD, line, BYW_HINT_NONE);
        if ((h->ev[BYW_EV_HIT] != hits) != want)
            host_fail(h, "hit differs from a plain LRU cache");
    }
    assert_true(h->ev[BYW_EV_HIT] > 2000 && h->ev[BYW_EV_MISS] > 2000);
    host_free(h);
}

static void a_cache_without_filter_equals_an_lru_list(void **state)
{
    struct byw_config c;

    (void)state;
    byw_config_defaults(&c);
    c.l1d_index = BYW_INDEX_FERMI;
    compare_cache(&c, false);
    c.policy_mode = BYW_MODE_DECOUPLED;
    compare_cache(&c, false);
    c.dec_threshold = 0;
    c.l1d_index = BYW_INDEX_LINEAR;
    compare_cache(&c, true);
}

/* mechanisms/across.md 15.1, assertion 8: after the filter has been on for some time, and once its
 * lines are gone, the cache with the filter off behaves like the plain one. */
static void a_filter_switched_off_later_equals_lru(void **state)
{
    struct byw_config c = bench_config();
    struct bench b = bench_new(&c);
    struct lru lru = {.ways = c.l1d_ways};
    struct byw_rng rng;
    uint64_t line;
    int i;

    (void)state;
    byw_rng_init(&rng, host_seed(5));
    for (i = 0; i < 1000; i++)
        bench_load(&b, byw_rng_below(&rng, 12));
    b.filter_on = false;
    for (line = 100; line < 104; line++) {
        bench_load(&b, line);
        lru_load(&lru, 0, line);
    }
    for (i = 0; i < 100000; i++) {
        line = byw_rng_below(&rng, 9);
        assert_int_equal(bench_load(&b, line) == BYW_HIT, lru_load(&lru, 0, line));
    }
    bench_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_record_without_filter_equals_an_lru_list),
        cmocka_unit_test(a_cache_without_filter_equals_an_lru_list),
        cmocka_unit_test(a_filter_switched_off_later_equals_lru),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
