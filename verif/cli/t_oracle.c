/* SPDX-License-Identifier: Apache-2.0
 *
 * t_oracle - the most hits that an L1D could have had: streams worked out by hand, exhaustive
 * search on small random ones, and whole runs, in which the oracle's LRU must equal the simulator
 * access by access.
 */
#include "sim/gpu_rig.h"
#include "study/job/byw_oracle.h"

enum { STREAM_MAX = 64 };

struct stream {
    struct byw_config config;
    struct byw_record record[STREAM_MAX];
    uint64_t count;
};

/* One set of `ways` lines of 128 bytes. */
static struct stream stream_of(uint32_t ways)
{
    struct stream s = {.count = 0};

    byw_config_defaults(&s.config);
    s.config.l1d_sets = 1;
    s.config.l1d_ways = ways;
    return s;
}

static void put(struct stream *s, enum byw_op op, uint64_t line)
{
    assert_true(s->count < STREAM_MAX);
    s->record[s->count++] = (struct byw_record){.line = line, .op = (uint8_t)op};
}

/* A load and, with a memory of zero latency, its fill. */
static void load(struct stream *s, uint64_t line)
{
    uint64_t miss = s->count;

    put(s, BYW_OP_LOAD, line);
    put(s, (enum byw_op)BYW_RECORD_FILL, miss);
}

static void loads(struct stream *s, const char *lines)
{
    for (; *lines != '\0'; lines++)
        load(s, (uint64_t)(*lines - 'A'));
}

static struct byw_oracle count(const struct stream *s)
{
    struct byw_oracle o;

    assert_int_equal(byw_oracle_count(&s->config, s->record, s->count, &o), BYW_OK);
    return o;
}

static void counts_are(const struct stream *s, uint64_t lru, uint64_t best, uint64_t infinite)
{
    struct byw_oracle o = count(s);

    assert_int_equal(o.lru_hits + o.lru_pending, lru);
    assert_int_equal(o.best, best);
    assert_int_equal(o.infinite, infinite);
}

/* --- by hand -------------------------------------------------------------------------------- */

/* Two ways, A B C A B C A B C: LRU has always just evicted the next line. Best: keeping A and B
 * while every C bypasses gives 4 of the 6 hits of an infinite cache. */
static void three_lines_in_two_ways_bypass_one(void **state)
{
    struct stream s = stream_of(2);

    (void)state;
    loads(&s, "ABCABCABC");
    counts_are(&s, 0, 4, 6);
    assert_int_equal(count(&s).best_lines, 2);
    assert_int_equal(count(&s).loads, 9);
}

/* One way, A B B A: without bypass B evicts A, so A misses; otherwise A is kept and B misses. The
 * best policy gets one more hit, for B or for A, not both. */
static void one_way_keeps_the_more_useful_line(void **state)
{
    struct stream s = stream_of(1);

    (void)state;
    loads(&s, "ABBA");
    counts_are(&s, 1, 1, 2);
    s = stream_of(1);
    loads(&s, "ABA"); /* B bypasses */
    counts_are(&s, 0, 1, 1);
}

/* A line may be evicted before its next use: A A B B A in one way. A hits, is evicted for B, and
 * misses. Keeping A would make its last load hit, but none of B's. Both ways have 2 hits, and LRU
 * chooses the first. */
static void a_line_may_be_evicted_between_its_uses(void **state)
{
    struct stream s = stream_of(1);

    (void)state;
    loads(&s, "AABBA");
    counts_are(&s, 2, 2, 3);
    assert_int_equal(count(&s).best_lines, 2);
}

/* Of two resident lines the one used later is evicted: two ways, A B C B C C A. At C the residents
 * are A, needed at 7, and B, needed at 4: A is evicted, B, C and C hit, A misses. */
static void the_line_used_latest_is_evicted(void **state)
{
    struct stream s = stream_of(2);

    (void)state;
    loads(&s, "ABCBCCA");
    counts_are(&s, 3, 3, 4);
}

static void stores_drop_or_update_by_configuration(void **state)
{
    struct stream s = stream_of(2);

    (void)state;
    load(&s, 1);
    put(&s, BYW_OP_STORE, 1);
    load(&s, 1);
    s.config.l1d_store_hit = BYW_STORE_EVICT;
    counts_are(&s, 0, 0, 0);
    s.config.l1d_store_hit = BYW_STORE_UPDATE;
    counts_are(&s, 1, 1, 1);
}

static void atomics_and_volatile_loads_drop_lines(void **state)
{
    struct stream s = stream_of(2);

    (void)state;
    s.config.l1d_store_hit = BYW_STORE_UPDATE;
    load(&s, 1);
    put(&s, BYW_OP_ATOMIC, 1);
    load(&s, 1);
    counts_are(&s, 0, 0, 0);
    load(&s, 1);
    counts_are(&s, 1, 1, 1);
    put(&s, BYW_OP_LOAD, 1);
    s.record[s.count - 1].hint = BYW_HINT_VOLATILE;
    load(&s, 1);
    counts_are(&s, 1, 1, 1);
}

static void a_kernel_start_drops_all_lines(void **state)
{
    struct stream s = stream_of(2);

    (void)state;
    loads(&s, "AA");
    put(&s, (enum byw_op)BYW_RECORD_START, 0);
    loads(&s, "AA");
    counts_are(&s, 2, 2, 2);
}

/* Lines in flight cannot be evicted. The set has one way. While A is in flight, a load of B cannot
 * allocate, and a load of A merges. After its fill, A hits; then B evicts A and hits. */
static void lines_in_flight_cannot_be_evicted(void **state)
{
    struct stream s = stream_of(1);
    struct byw_oracle o;

    (void)state;
    put(&s, BYW_OP_LOAD, 0);
    put(&s, BYW_OP_LOAD, 1);
    put(&s, BYW_OP_LOAD, 0);
    put(&s, (enum byw_op)BYW_RECORD_FILL, 0);
    put(&s, BYW_OP_LOAD, 0);
    o = count(&s);
    assert_int_equal(o.lru_pending, 1);
    assert_int_equal(o.lru_hits, 1);
    loads(&s, "BB");
    o = count(&s);
    assert_int_equal(o.lru_hits, 2);
}

/* A store to a line in flight drops it, whatever l1d.store_hit says; the fill of the dropped line
 * must not fill the line that was requested after it. */
static void a_dropped_line_is_not_filled(void **state)
{
    struct stream s = stream_of(1);
    struct byw_oracle o;

    (void)state;
    s.config.l1d_store_hit = BYW_STORE_UPDATE;
    put(&s, BYW_OP_LOAD, 0);
    put(&s, BYW_OP_STORE, 0);
    put(&s, BYW_OP_LOAD, 0); /* record 2 */
    put(&s, (enum byw_op)BYW_RECORD_FILL, 0);
    put(&s, BYW_OP_LOAD, 0);
    o = count(&s);
    assert_int_equal(o.lru_pending, 1);
    assert_int_equal(o.lru_hits, 0);
    put(&s, (enum byw_op)BYW_RECORD_FILL, 2);
    put(&s, BYW_OP_LOAD, 0);
    assert_int_equal(count(&s).lru_hits, 1);
}

/* Sectors of a line hit separately; they share the line's place in LRU order. */
static void sectors_hit_separately(void **state)
{
    struct stream s = stream_of(1);

    (void)state;
    s.config.l1d_sectors = 4;
    s.config.l1d_alloc = BYW_ALLOC_ON_FILL;
    load(&s, 1);
    load(&s, 1);
    s.record[2].sector = 3;
    counts_are(&s, 0, 0, 0);
    load(&s, 1);
    s.record[4].sector = 3;
    counts_are(&s, 1, 1, 1);
    load(&s, 2); /* evicts line 1 */
    load(&s, 1);
    counts_are(&s, 1, 2, 2);
}

/* Sets do not share ways: lines 0, 2, 4 of two sets of one way are in set 0. */
static void sets_do_not_share_ways(void **state)
{
    struct stream s = stream_of(1);

    (void)state;
    s.config.l1d_sets = 2;
    loads(&s, "ACAC");
    counts_are(&s, 0, 1, 2);
    s = stream_of(1);
    s.config.l1d_sets = 2;
    loads(&s, "ABAB");
    counts_are(&s, 2, 2, 2);
}

/* --- the exhaustive best -------------------------------------------------------------------- */

/* The most hits that a cache with this content can have from load n on: tries every victim, and
 * bypass. */
static uint32_t exhaustive(const struct stream *s, uint64_t n, uint64_t *way)
{
    uint32_t ways = s->config.l1d_ways, most;
    uint64_t line = s->record[n].line, old;

    if (n == s->count)
        return 0;
    if (s->record[n].op == BYW_RECORD_FILL)
        return exhaustive(s, n + 1, way);
    for (uint32_t w = 0; w < ways; w++) {
        if (way[w] != line)
            continue;
        if (s->record[n].op == BYW_OP_LOAD)
            return 1 + exhaustive(s, n + 1, way);
        way[w] = UINT64_MAX; /* a store */
        most = exhaustive(s, n + 1, way);
        way[w] = line;
        return most;
    }
    most = exhaustive(s, n + 1, way);
    for (uint32_t w = 0; s->record[n].op == BYW_OP_LOAD && w < ways; w++) {
        uint32_t found;

        old = way[w];
        way[w] = line;
        found = exhaustive(s, n + 1, way);
        way[w] = old;
        most = found > most ? found : most;
    }
    return most;
}

static void best_equals_an_exhaustive_search(void **state)
{
    struct byw_rng rng;
    uint32_t above_lru = 0;

    (void)state;
    byw_rng_init(&rng, 11);
    for (uint32_t round = 0; round < 300; round++) {
        uint64_t way[3] = {UINT64_MAX, UINT64_MAX, UINT64_MAX};
        struct stream s = stream_of(1 + byw_rng_below(&rng, 3));
        uint32_t lines = 3 + byw_rng_below(&rng, 4);
        struct byw_oracle o;

        for (uint32_t i = 0; i < 11; i++) {
            if (byw_rng_below(&rng, 8) == 0)
                put(&s, BYW_OP_STORE, byw_rng_below(&rng, lines));
            else
                load(&s, byw_rng_below(&rng, lines));
        }
        o = count(&s);
        assert_int_equal(o.best, exhaustive(&s, 0, way));
        assert_true(o.lru_hits + o.lru_pending <= o.best && o.best <= o.infinite);
        above_lru += o.best > o.lru_hits + o.lru_pending;
    }
    assert_true(above_lru > 100);
}

/* --- whole runs ----------------------------------------------------------------------------- */

static json_t *run(struct bench *b, const char *policy, bool advised, enum byw_status expected)
{
    struct byw_recorder *recorders;
    struct byw_gpu_result *result;
    struct byw_diag diag = {""};
    json_t *json = NULL;
    uint64_t found = 0, loads_found;

    if (policy != NULL)
        assert_int_equal(byw_config_read(&b->config, policy, NULL, BYW_PARAM_POLICY, &diag),
                         BYW_OK);
    recorders = calloc(b->config.sm_count, sizeof(*recorders));
    for (uint32_t i = 0; i < b->config.sm_count; i++)
        assert_int_equal(byw_recorder_init(&recorders[i], &b->config), BYW_OK);
    b->options.recorders = recorders;
    result = mixed(b);
    if (byw_oracle_json(&b->config, recorders, advised, &json, &diag) != expected)
        fail_msg("%s", diag.text);
    if (expected == BYW_OK) {
        assert_int_equal(json_integer_value(json_object_get(json, "loads")),
                         result->l1.ev[BYW_EV_LOAD]);
        found = (uint64_t)json_integer_value(json_object_get(json, "hits"));
        loads_found = result->l1.ev[BYW_EV_HIT] - result->l1.ev[BYW_EV_STORE_HIT];
        assert_int_equal(found, loads_found);
    }
    for (uint32_t i = 0; i < b->config.sm_count; i++)
        byw_recorder_release(&recorders[i]);
    free(recorders);
    b->options.recorders = NULL;
    byw_gpu_result_free(result);
    return json;
}

/* byw_oracle_json() compares a plain run with LRU on every machine: both organisations, stores that
 * evict and stores that update, sectors. */
static void plain_is_lru(struct bench *b)
{
    json_t *json;

    b->config.sm_unified = 0; /* the oracle handles an L1D of one size that only loads fill */
    b->config.l1d_store_miss = 0;
    b->config.l1d_ways = b->config.l1d_ways > 4 ? 4 : b->config.l1d_ways;
    json = run(b, NULL, false, BYW_OK);
    assert_int_equal(json_integer_value(json_object_get(json, "hits")),
                     json_integer_value(json_object_get(json, "lru_hits")));
    assert_true(json_integer_value(json_object_get(json, "hits")) > 20);
    assert_int_equal(json_array_size(json_object_get(json, "per_sm")), b->config.sm_count);
    json_decref(json);
}

static void plain_runs_equal_lru(void **state)
{
    for_each_machine(*state, plain_is_lru);
}

/* With a request queue, two-level bypass, filter and predictor: the invariants hold, and the counts
 * equal the run's. */
static void laws_hold_under_other_policies(void **state)
{
    static const char *const policies[] = {"mrpb", "decoupled", "pc", "stall", "ball"};
    struct bench *b = *state;

    for (size_t i = 0; i < sizeof(policies) / sizeof(policies[0]); i++) {
        char path[128];

        byw_config_defaults(&b->config);
        snprintf(path, sizeof(path), "cmodel/configs/policies/%s.cfg", policies[i]);
        json_decref(run(b, path, false, BYW_OK));
    }
}

/* Proves that the check can fail: a run with SRRIP declared as plain differs from LRU. */
static void another_replacement_differs_from_lru(void **state)
{
    struct bench *b = *state;
    struct byw_config lru;
    json_t *json;

    b->config.l1d_ways = 2;
    b->config.l1d_sets = 4;
    lru = b->config;
    b->config.l1d_repl =
        byw_config_set(&lru, "l1d.replacement", "srrip", "", NULL) == BYW_OK ? lru.l1d_repl : 0;
    assert_false(byw_oracle_is_plain(&b->config));
    json = run(b, NULL, false, BYW_OK);
    assert_int_not_equal(json_integer_value(json_object_get(json, "hits")),
                         json_integer_value(json_object_get(json, "lru_hits")));
    json_decref(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_lines_in_two_ways_bypass_one),
        cmocka_unit_test(one_way_keeps_the_more_useful_line),
        cmocka_unit_test(a_line_may_be_evicted_between_its_uses),
        cmocka_unit_test(the_line_used_latest_is_evicted),
        cmocka_unit_test(stores_drop_or_update_by_configuration),
        cmocka_unit_test(atomics_and_volatile_loads_drop_lines),
        cmocka_unit_test(a_kernel_start_drops_all_lines),
        cmocka_unit_test(lines_in_flight_cannot_be_evicted),
        cmocka_unit_test(a_dropped_line_is_not_filled),
        cmocka_unit_test(sectors_hit_separately),
        cmocka_unit_test(sets_do_not_share_ways),
        cmocka_unit_test(best_equals_an_exhaustive_search),
        cmocka_unit_test_setup_teardown(plain_runs_equal_lru, setup, teardown),
        cmocka_unit_test_setup_teardown(laws_hold_under_other_policies, setup, teardown),
        cmocka_unit_test_setup_teardown(another_replacement_differs_from_lru, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
