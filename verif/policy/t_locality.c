/* SPDX-License-Identifier: Apache-2.0
 *
 * The locality filter on one set record: the golden trace of mechanisms/locality.md 1.3, the
 * options of 1.6, the filter switched off (1.5).  Random accesses: t_locality_random.c.
 */
#include "common/byw_record_bench.h"

/* Worked trace: 8 tag ways, 4 data ways, threshold 2, RC starts at 0, LRU.  "X:r@p" is tag X with
 * RC r and Position p, in the order of the tag ways; free is Free_Line. */
static const struct {
    char line;
    const char *status;
    const char *tags;
    uint32_t free;
} golden[] = {
    {'A', "BYPASS/newtag", "A:0", 4},
    {'B', "BYPASS/newtag", "A:0 B:0", 4},
    {'C', "BYPASS/newtag", "A:0 B:0 C:0", 4},
    {'D', "BYPASS/newtag", "A:0 B:0 C:0 D:0", 4},
    {'A', "BYPASS/cand", "A:1 B:0 C:0 D:0", 4},
    {'B', "BYPASS/cand", "A:1 B:1 C:0 D:0", 4},
    {'A', "MISS/alloc", "A:2@0 B:0 C:0 D:0", 3},
    {'B', "BYPASS/cand", "A:2@0 B:1 C:0 D:0", 3},
    {'C', "BYPASS/cand", "A:2@0 B:1 C:1 D:0", 3},
    {'D', "BYPASS/cand", "A:2@0 B:1 C:1 D:1", 3},
    {'C', "MISS/alloc", "A:1@0 B:0 C:2@1 D:0", 2},
    {'D', "BYPASS/cand", "A:1@0 B:0 C:2@1 D:1", 2},
    {'E', "BYPASS/newtag", "A:1@0 B:0 C:2@1 D:1 E:0", 2},
    {'E', "BYPASS/cand", "A:1@0 B:0 C:2@1 D:1 E:1", 2},
    {'E', "MISS/alloc", "A:0@0 B:0 C:1@1 D:0 E:2@2", 1},
    {'F', "BYPASS/newtag", "A:0@0 B:0 C:1@1 D:0 E:2@2 F:0", 1},
    {'F', "BYPASS/cand", "A:0@0 B:0 C:1@1 D:0 E:2@2 F:1", 1},
    {'F', "MISS/alloc", "A:0@0 B:0 C:0@1 D:0 E:1@2 F:2@3", 0},
    {'G', "BYPASS/newtag", "A:0@0 B:0 C:0@1 D:0 E:1@2 F:2@3 G:0", 0},
    {'G', "BYPASS/cand", "A:0@0 B:0 C:0@1 D:0 E:1@2 F:2@3 G:1", 0},
    {'G', "MISS/alloc+evict", "A:0 B:0 C:0@1 D:0 E:0@2 F:1@3 G:2@0", 0},
    {'A', "BYPASS/cand", "A:1 B:0 C:0@1 D:0 E:0@2 F:1@3 G:2@0", 0},
    {'E', "HIT", "A:1 B:0 C:0@1 D:0 E:0@2 F:1@3 G:2@0", 0},
    {'B', "BYPASS/cand", "A:1 B:1 C:0@1 D:0 E:0@2 F:1@3 G:2@0", 0},
    {'F', "HIT", "A:1 B:1 C:0@1 D:0 E:0@2 F:1@3 G:2@0", 0},
    {'C', "HIT", "A:1 B:1 C:0@1 D:0 E:0@2 F:1@3 G:2@0", 0},
    {'G', "HIT", "A:1 B:1 C:0@1 D:0 E:0@2 F:1@3 G:2@0", 0},
    {'D', "BYPASS/cand", "A:1 B:1 C:0@1 D:1 E:0@2 F:1@3 G:2@0", 0},
    {'H', "BYPASS/newtag", "A:1 B:1 C:0@1 D:1 E:0@2 F:1@3 G:2@0 H:0", 0},
    {'H', "BYPASS/cand", "A:1 B:1 C:0@1 D:1 E:0@2 F:1@3 G:2@0 H:1", 0},
    {'H', "MISS/alloc+evict", "A:0 B:0 C:0@1 D:0 E:0 F:0@3 G:1@0 H:2@2", 0},
    {'A', "BYPASS/cand", "A:1 B:0 C:0@1 D:0 E:0 F:0@3 G:1@0 H:2@2", 0},
};

static const char *status_of(const struct byw_decision *d)
{
    if (d->outcome == BYW_HIT)
        return "HIT";
    if (d->outcome == BYW_MISS)
        return d->old_tag == BYW_NONE ? "MISS/alloc" : "MISS/alloc+evict";
    return d->note == BYW_NOTE_NEW_TAG ? "BYPASS/newtag" : "BYPASS/cand";
}

static void the_golden_trace_matches_row_by_row(void **state)
{
    struct byw_config c = bench_config();
    struct bench b = bench_new(&c);
    char got[256], want[256];
    size_t i;

    (void)state;
    assert_int_equal(sizeof(golden) / sizeof(golden[0]), 32);
    for (i = 0; i < 32; i++) {
        char text[200];

        bench_load(&b, (uint64_t)(golden[i].line - 'A'));
        bench_print(&b, text, sizeof(text));
        snprintf(got, sizeof(got), "row %zu: %s | %s | %u", i + 1, status_of(&b.d), text,
                 byw_set_free_lines(&b.policy.loc.geo, b.set));
        snprintf(want, sizeof(want), "row %zu: %s | %s | %u", i + 1, golden[i].status,
                 golden[i].tags, golden[i].free);
        assert_string_equal(got, want);
        assert_null(byw_set_check(&b.policy.loc.geo, b.set));
    }
    bench_free(&b);
}

static void the_load_that_reaches_the_threshold_is_cached(void **state)
{
    uint32_t threshold, gt, init;

    (void)state;
    /* Without ageing, load number T + 1 - init allocates the line (one load later with >). */
    for (threshold = 1; threshold <= 16; threshold++) {
        for (gt = 0; gt < 2; gt++) {
            for (init = 0; init < 2; init++) {
                struct byw_config c = bench_config();
                struct bench b;
                uint32_t n = 1;

                c.dec_threshold = threshold;
                c.dec_cmp = gt;
                c.dec_rc_init = init;
                b = bench_new(&c);
                while (bench_load(&b, 0) == BYW_BYPASS)
                    n++;
                assert_int_equal(b.d.outcome, BYW_MISS);
                assert_int_equal(n, (threshold + gt > init ? threshold + gt - init : 1) + 1);
                bench_free(&b);
            }
        }
    }
}

static void the_reference_count_saturates(void **state)
{
    struct byw_config c = bench_config();
    struct bench b;
    int i;

    (void)state;
    c.dec_rc_bits = 3;
    c.dec_threshold = 7;
    c.dec_cmp = 1; /* no count exceeds 7: the tag stays a candidate */
    b = bench_new(&c);
    for (i = 0; i < 50; i++) {
        assert_int_equal(bench_load(&b, 0), BYW_BYPASS);
        assert_int_equal(bench_tag(&b, 0)->rc, i < 7 ? i : 7);
    }
    bench_free(&b);
}

/* mechanisms/locality.md 1.6, C2: among equal RCs the tag touched least recently is evicted, but
 * never a committed one (mechanisms/locality.md 1.6, C1). */
static void lfu_evicts_the_oldest_candidate_with_the_lowest_count(void **state)
{
    struct byw_config c = bench_config();
    struct bench b = bench_new(&c);

    (void)state;
    bench_loads(&b, "AAABCDEFGH"); /* A committed, B..H candidates with RC 0 */
    bench_loads(&b, "B"); /* B has RC 1; C is the oldest with RC 0 */
    bench_loads(&b, "I");
    assert_null(bench_tag(&b, 'C' - 'A'));
    bench_loads(&b, "D"); /* D has RC 1; E is the next victim */
    bench_loads(&b, "J");
    assert_null(bench_tag(&b, 'E' - 'A'));
    assert_non_null(bench_tag(&b, 'A' - 'A'));
    assert_int_equal(bench_tag(&b, 0)->status, BYW_TAG_COMMITTED);
    bench_free(&b);
}

/* While a candidate exists, no cached line is evicted for a new tag, however low its count. */
static void candidates_go_before_cached_lines(void **state)
{
    struct byw_config c = bench_config();
    struct bench b = bench_new(&c);

    (void)state;
    bench_loads(&b, "AAABBBCCC"); /* the commits of B and C age A to 0 */
    bench_loads(&b, "DDEEFFGGHH"); /* five candidates with RC 1 fill the eight ways */
    bench_loads(&b, "I");
    assert_int_equal(bench_tag(&b, 0)->status, BYW_TAG_COMMITTED);
    assert_null(bench_tag(&b, 'D' - 'A'));
    bench_free(&b);
}

static void lfu_over_all_tags_evicts_cached_lines(void **state)
{
    uint32_t age;

    (void)state;
    for (age = 0; age < 2; age++) {
        struct byw_config c = bench_config();
        struct bench b;

        c.dec_lfu_all = 1;
        c.dec_age_evict = age;
        b = bench_new(&c);
        bench_loads(&b, "AAABBBCCC"); /* the commits of B and C age A to 0 */
        assert_int_equal(bench_tag(&b, 0)->rc, 0);
        bench_loads(&b, "DDEEFFGGHH"); /* five candidates with RC 1 fill the eight ways */
        bench_loads(&b, "I");
        assert_null(bench_tag(&b, 0)); /* the literal reading evicts the cached line */
        assert_int_equal(b.d.leaves, 0);
        assert_int_equal(byw_set_free_lines(&b.policy.loc.geo, b.set), 2);
        assert_int_equal(bench_tag(&b, 'D' - 'A')->rc, 1 - age); /* the replacement of the tag
                                                                    counts as an eviction */
        assert_null(byw_set_check(&b.policy.loc.geo, b.set));
        bench_free(&b);
    }
}

/* SRRIP under the policy: a victim search ages the set only if its decision is accepted. */
static void srrip_ages_only_when_the_decision_is_accepted(void **state)
{
    struct byw_config c = bench_config();
    struct bench b;

    (void)state;
    c.policy_mode = BYW_MODE_BASE;
    c.l1d_repl = BYW_REPL_SRRIP;
    c.l1d_ways = 2;
    b = bench_new(&c);
    bench_loads(&b, "ABA"); /* A predicts 0, B 2 */
    b.res.mshr = false;
    assert_int_equal(bench_load(&b, 2), BYW_RSFAIL);
    assert_int_equal(b.set->rank[0], 0);
    b.res.mshr = true;
    assert_int_equal(bench_load(&b, 2), BYW_MISS);
    bench_expect(&b, "A:0@0 C:0@1");
    assert_int_equal(b.set->rank[0], 1);
    assert_int_equal(b.set->rank[1], 2);
    bench_free(&b);
}

static void with_all_tags_committed_lfu_takes_one_or_the_load_bypasses(void **state)
{
    struct byw_config c = bench_config();
    struct bench b;

    (void)state;
    c.dec_tag_ways = 4;
    c.dec_threshold = 1;
    b = bench_new(&c);
    bench_loads(&b, "AABBCCDD");
    bench_expect(&b, "A:0@0 B:0@1 C:0@2 D:1@3");
    /* A is evicted: least RC, touched least recently */
    assert_int_equal(bench_load(&b, 4), BYW_BYPASS);
    bench_expect(&b, "E:0 B:0@1 C:0@2 D:0@3");
    b.fill_late = true;
    assert_int_equal(bench_load(&b, 4), BYW_MISS);
    b.set->pending = byw_mask64(4); /* nothing can be evicted: no tag is allocated */
    assert_int_equal(bench_load(&b, 5), BYW_BYPASS);
    assert_null(bench_tag(&b, 5));
    bench_free(&b);
}

static void each_aging_option_ages_the_set(void **state)
{
    struct byw_config c = bench_config();
    struct bench b;

    (void)state;
    c.dec_threshold = 3;
    c.dec_age_alloc = 0;
    b = bench_new(&c);
    bench_loads(&b, "AAABBBB");
    bench_expect(&b, "A:2 B:3@0");
    bench_do(&b, BYW_OP_STORE, 1); /* the store evicts B: all others age */
    bench_expect(&b, "A:1 B:0");
    bench_free(&b);

    c.dec_age_evict = 0;
    b = bench_new(&c);
    bench_loads(&b, "AAABBBB");
    bench_do(&b, BYW_OP_STORE, 1);
    bench_expect(&b, "A:2 B:0");
    bench_free(&b);
}

/* One data way, threshold 3: A owns it, C has 2 references, B's allocation evicts A. C ages once
 * for the allocation, once for the eviction, and only once for both when they are merged. */
static void an_evicting_allocation_ages_once_if_merged(void **state)
{
    static const struct {
        uint32_t on_alloc, on_evict, merge;
        const char *record;
    } rule[] = {
        {0, 0, 0, "A:0 C:2 B:3@0"}, {0, 0, 1, "A:0 C:2 B:3@0"}, {0, 1, 0, "A:0 C:1 B:3@0"},
        {0, 1, 1, "A:0 C:1 B:3@0"}, {1, 0, 0, "A:0 C:1 B:3@0"}, {1, 0, 1, "A:0 C:1 B:3@0"},
        {1, 1, 0, "A:0 C:0 B:3@0"}, {1, 1, 1, "A:0 C:1 B:3@0"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rule) / sizeof(rule[0]); i++) {
        struct byw_config c = bench_config();
        struct bench b;

        c.dec_threshold = 3;
        c.l1d_ways = 1;
        c.dec_age_alloc = rule[i].on_alloc;
        c.dec_age_evict = rule[i].on_evict;
        c.dec_age_merge = rule[i].merge;
        b = bench_new(&c);
        bench_loads(&b, "AAAACCCBBBB");
        bench_expect(&b, rule[i].record);
        bench_free(&b);
    }
}

static void stores_and_hits_count_only_if_configured(void **state)
{
    struct byw_config c = bench_config();
    struct bench b;

    (void)state;
    c.dec_rc_on_hit = 1;
    b = bench_new(&c);
    bench_loads(&b, "AAAAA");
    bench_expect(&b, "A:4@0");
    bench_free(&b);

    c.dec_rc_on_hit = 0;
    c.dec_store_rc = 1;
    b = bench_new(&c);
    bench_loads(&b, "A");
    bench_do(&b, BYW_OP_STORE, 0);
    bench_expect(&b, "A:1");
    bench_do(&b, BYW_OP_STORE, 1); /* no tag for a store that misses */
    bench_expect(&b, "A:1");
    bench_loads(&b, "A");
    bench_expect(&b, "A:2@0");
    bench_free(&b);
}

/* C7 and R1: refusals, in the order line, miss queue, MSHR. */
static void refusals_name_line_then_miss_queue_then_mshr(void **state)
{
    struct byw_config c = bench_config();
    struct bench b = bench_new(&c);

    (void)state;
    bench_loads(&b, "AA");
    b.res.miss_slot = b.res.mshr = false;
    b.fill_late = true;
    assert_int_equal(bench_load(&b, 0), BYW_RSFAIL);
    assert_int_equal(b.d.reason, BYW_RSFAIL_MISS_QUEUE);
    b.res.miss_slot = true;
    assert_int_equal(bench_load(&b, 0), BYW_RSFAIL);
    assert_int_equal(b.d.reason, BYW_RSFAIL_MSHR);
    bench_expect(&b, "A:1");
    b.res.mshr = true;
    bench_loads(&b, "ABBBCCCDDD"); /* four pending lines */
    bench_loads(&b, "EE");
    b.res.miss_slot = b.res.mshr = false;
    assert_int_equal(bench_load(&b, 4), BYW_RSFAIL);
    assert_int_equal(b.d.reason, BYW_RSFAIL_LINE);
    assert_int_equal(bench_tag(&b, 4)->rc, 1);
    b.res.merge = false;
    assert_int_equal(bench_load(&b, 0), BYW_RSFAIL);
    assert_int_equal(b.d.reason, BYW_RSFAIL_MERGE);
    b.res.bypass_slot = false;
    assert_int_equal(bench_load(&b, 5), BYW_RSFAIL);
    assert_int_equal(b.d.reason, BYW_RSFAIL_ICNT);
    assert_null(bench_tag(&b, 5));
    b.policy.loc.bypass_on_rsfail = true;
    b.res.bypass_slot = true;
    assert_int_equal(bench_load(&b, 4), BYW_BYPASS);
    assert_int_equal(bench_tag(&b, 4)->rc, 2);
    bench_free(&b);
}

/* 1.5: switched off, the filter drops candidates, installs in one step and keeps at most as many
 * tags as lines. When it is switched on again, the tags of lines are kept. */
static void switching_the_filter_off_drops_candidates_only(void **state)
{
    struct byw_config c = bench_config();
    struct bench b = bench_new(&c);

    (void)state;
    bench_loads(&b, "AAABCDE");
    byw_set_drop_candidates(&b.policy.loc.geo, b.set);
    b.filter_on = false;
    bench_expect(&b, "A:2@0");
    bench_loads(&b, "B");
    bench_expect(&b, "A:2@0 B:0@1");
    bench_loads(&b, "CD");
    assert_int_equal(bench_load(&b, 0), BYW_HIT);
    bench_loads(&b, "E"); /* LRU: B's line and tag way */
    bench_expect(&b, "A:2@0 E:0@1 C:0@2 D:0@3");
    bench_do(&b, BYW_OP_STORE, 2);
    bench_expect(&b, "A:2@0 E:0@1 D:0@3"); /* no candidate is left behind */
    b.filter_on = true;
    bench_loads(&b, "F");
    bench_expect(&b, "A:2@0 E:0@1 F:0 D:0@3");
    assert_int_equal(bench_load(&b, 3), BYW_HIT);
    bench_free(&b);
}

/* decoupled.rc_init is the initial RC of every new tag, with the filter on or off. */
static void a_new_tag_starts_at_rc_init(void **state)
{
    uint32_t init, on;

    (void)state;
    for (init = 0; init < 2; init++) {
        for (on = 0; on < 2; on++) {
            struct byw_config c = bench_config();
            struct bench b;

            c.dec_rc_init = init;
            b = bench_new(&c);
            b.filter_on = on != 0;
            bench_load(&b, 1);
            assert_int_equal(bench_tag(&b, 1)->status, on ? BYW_TAG_CANDIDATE : BYW_TAG_COMMITTED);
            assert_int_equal(bench_tag(&b, 1)->rc, init);
            bench_free(&b);
        }
    }
}

/* Candidates that a record still holds when the filter is switched off count as absent. */
static void candidates_are_absent_while_the_filter_is_off(void **state)
{
    struct byw_config c = bench_config();
    struct bench b = bench_new(&c);

    (void)state;
    bench_loads(&b, "ABCDEFGH");
    b.filter_on = false;
    assert_int_equal(bench_load(&b, 3), BYW_MISS);
    bench_expect(&b, "D:0@0");
    assert_null(byw_set_check(&b.policy.loc.geo, b.set));
    bench_free(&b);
}

static void stores_and_atomics_release_or_update_lines(void **state)
{
    struct byw_config c = bench_config();
    struct bench b = bench_new(&c);

    (void)state;
    bench_loads(&b, "AAAB");
    assert_int_equal(bench_do(&b, BYW_OP_STORE, 0), BYW_HIT); /* write-evict */
    assert_int_equal(b.d.leaves, 0);
    bench_expect(&b, "A:0 B:0");
    assert_int_equal(bench_do(&b, BYW_OP_STORE, 1), BYW_MISS);
    bench_expect(&b, "A:0 B:0");
    bench_loads(&b, "AA");
    assert_int_equal(bench_do(&b, BYW_OP_LOCAL_STORE, 0), BYW_HIT); /* write-back: stays */
    bench_expect(&b, "A:2@0 B:0");
    bench_loads(&b, "BB");
    assert_int_equal(bench_do(&b, BYW_OP_ATOMIC, 0), BYW_BYPASS); /* drops the copy, no ageing */
    bench_expect(&b, "A:0 B:2@1");
    b.fill_late = true;
    bench_loads(&b, "AA");
    assert_int_equal(bench_do(&b, BYW_OP_STORE, 0), BYW_MISS); /* pending: the MSHR is detached */
    assert_true(b.d.orphan);
    assert_int_equal(b.d.leaves, BYW_NONE);
    bench_expect(&b, "A:0 B:0@1");
    bench_free(&b);

    c.l1d_store_hit = BYW_STORE_UPDATE;
    b = bench_new(&c);
    bench_loads(&b, "AAA");
    assert_int_equal(bench_do(&b, BYW_OP_STORE, 0), BYW_HIT);
    bench_expect(&b, "A:2@0");
    bench_free(&b);
}

/* A store that evicts a line does not make its tag the youngest: among tags of one count the tag
 * touched longest ago by a load is replaced first. */
static void losing_a_line_does_not_touch_the_tag(void **state)
{
    struct byw_config c = bench_config();
    struct bench b = bench_new(&c);

    (void)state;
    bench_loads(&b, "AAABCDEFGH"); /* all but A are candidates */
    assert_int_equal(bench_do(&b, BYW_OP_STORE, 0), BYW_HIT); /* now A is a candidate, too */
    bench_loads(&b, "I");
    assert_null(bench_tag(&b, 0));
    bench_free(&b);
}

static void hints_commit_stream_or_bypass(void **state)
{
    struct byw_config c = bench_config();
    struct bench b = bench_new(&c);

    (void)state;
    assert_int_equal(bench_hint(&b, BYW_OP_LOAD, 0, BYW_HINT_CACHE), BYW_MISS);
    bench_expect(&b, "A:0@0");
    assert_int_equal(bench_hint(&b, BYW_OP_LOAD, 1, BYW_HINT_BYPASS), BYW_BYPASS);
    bench_expect(&b, "A:0@0");
    assert_int_equal(bench_hint(&b, BYW_OP_LOAD, 0, BYW_HINT_BYPASS), BYW_HIT);
    assert_int_equal(bench_hint(&b, BYW_OP_LOAD, 0, BYW_HINT_VOLATILE), BYW_BYPASS);
    bench_expect(&b, "A:0");
    bench_hint(&b, BYW_OP_LOAD, 0, BYW_HINT_CACHE);
    b.policy.bypass_on_hit = BYW_BYP_IGNORE;
    assert_int_equal(bench_hint(&b, BYW_OP_LOAD, 0, BYW_HINT_BYPASS), BYW_BYPASS);
    assert_int_equal(bench_load(&b, 0), BYW_HIT);
    b.policy.bypass_on_hit = BYW_BYP_EVICT;
    assert_int_equal(bench_hint(&b, BYW_OP_LOAD, 0, BYW_HINT_BYPASS), BYW_BYPASS);
    bench_expect(&b, "A:0");
    b.filter_on = false;
    bench_hint(&b, BYW_OP_LOAD, 1, BYW_HINT_STREAM);
    bench_loads(&b, "CDE");
    bench_loads(&b, "F"); /* the streamed line is evicted first, though it is not the oldest */
    assert_null(bench_tag(&b, 1));
    bench_hint(&b, BYW_OP_LOAD, 6, BYW_HINT_STREAM);
    bench_loads(&b, "H");
    assert_null(bench_tag(&b, 6));
    bench_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_golden_trace_matches_row_by_row),
        cmocka_unit_test(the_load_that_reaches_the_threshold_is_cached),
        cmocka_unit_test(the_reference_count_saturates),
        cmocka_unit_test(lfu_evicts_the_oldest_candidate_with_the_lowest_count),
        cmocka_unit_test(candidates_go_before_cached_lines),
        cmocka_unit_test(lfu_over_all_tags_evicts_cached_lines),
        cmocka_unit_test(srrip_ages_only_when_the_decision_is_accepted),
        cmocka_unit_test(with_all_tags_committed_lfu_takes_one_or_the_load_bypasses),
        cmocka_unit_test(each_aging_option_ages_the_set),
        cmocka_unit_test(an_evicting_allocation_ages_once_if_merged),
        cmocka_unit_test(stores_and_hits_count_only_if_configured),
        cmocka_unit_test(refusals_name_line_then_miss_queue_then_mshr),
        cmocka_unit_test(switching_the_filter_off_drops_candidates_only),
        cmocka_unit_test(a_new_tag_starts_at_rc_init),
        cmocka_unit_test(candidates_are_absent_while_the_filter_is_off),
        cmocka_unit_test(stores_and_atomics_release_or_update_lines),
        cmocka_unit_test(losing_a_line_does_not_touch_the_tag),
        cmocka_unit_test(hints_commit_stream_or_bypass),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
