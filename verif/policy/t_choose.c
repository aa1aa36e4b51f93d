/* SPDX-License-Identifier: Apache-2.0
 *
 * The decision point with advice: bypass mode, predicted loads, stall bypass and hints, each rule
 * alone and in combination; hints of RDNA2 (mechanisms/cache.md 0.1, mechanisms/baselines.md 2.3,
 * mechanisms/two_level.md 3.3, mechanisms/pc_pred.md 5.1, mechanisms/hints.md 6.1,
 * mechanisms/across.md 13).
 */
#include "common/byw_record_bench.h"
#include "policy/byw_hint.h"

/* Decides an access with advice; the decision is not applied. */
static struct byw_decision choose(struct bench *b, enum byw_op op, uint64_t line,
                                  enum byw_hint hint, struct byw_advice advice)
{
    struct byw_repl_at at = bench_at(b);
    struct byw_decision d;

    byw_policy_choose(&b->policy, b->set, &at, byw_set_match(&b->policy.loc.geo, b->set, line),
                      (uint8_t)op, (uint8_t)hint, true, &advice, &b->res, &d);
    return d;
}

static struct byw_config base(void)
{
    struct byw_config c = bench_config();

    c.policy_mode = BYW_MODE_BASE;
    return c;
}

static const struct byw_advice nothing, in_bypass = {.bypass = true}, dead = {.dead = true},
                                        hot = {.hot = true};

static bool same(const struct byw_decision *a, const struct byw_decision *b)
{
    return a->outcome == b->outcome && a->reason == b->reason && a->action == b->action &&
           a->note == b->note && a->cause == b->cause && a->rc == b->rc && a->ages == b->ages &&
           a->writes_key == b->writes_key && a->keep_tag == b->keep_tag && a->last == b->last &&
           a->off == b->off && a->orphan == b->orphan && a->tag == b->tag &&
           a->old_tag == b->old_tag && a->way == b->way && a->leaves == b->leaves;
}

static void assert_diverted(const struct byw_decision *d, enum byw_bypass_cause cause)
{
    assert_int_equal(d->outcome, BYW_BYPASS);
    assert_int_equal(d->cause, cause);
    assert_int_equal(d->action, BYW_SET_KEEP);
    assert_int_equal(d->note, BYW_NOTE_NONE);
    assert_int_equal(d->leaves, BYW_NONE);
    assert_int_equal(d->ages, 0);
    assert_false(d->orphan);
}

/* Without advice the decision is that of the mode, for any request, record and resources. */
static void without_advice_the_mode_decides(void **state)
{
    uint32_t mode, op, hint, line, free_res, n = 0;

    (void)state;
    for (mode = BYW_MODE_BASE; mode <= BYW_MODE_DECOUPLED; mode++) {
        struct byw_config c = bench_config();
        struct bench b;

        c.policy_mode = mode;
        b = bench_new(&c);
        if (mode != BYW_MODE_BYPASS_ALL)
            bench_loads(&b, "AAABBBCDEF");
        for (n = 0; n < 5 * 5 * 8 * 16; n++) {
            struct byw_repl_at at = bench_at(&b);
            struct byw_decision with, without;
            int tag;

            op = n % 5;
            hint = n / 5 % 5;
            line = n / 25 % 8;
            free_res = n / 200;
            b.res = (struct byw_resources){.miss_slot = free_res & 1,
                                           .bypass_slot = free_res >> 1 & 1,
                                           .mshr = free_res >> 2 & 1,
                                           .merge = free_res >> 3 & 1};
            tag = byw_set_match(&b.policy.loc.geo, b.set, line);
            with = choose(&b, (enum byw_op)op, line, (enum byw_hint)hint, nothing);
            byw_policy_decide(&b.policy, b.set, &at, tag, (uint8_t)op, (uint8_t)hint, true, &b.res,
                              &without);
            assert_true(same(&with, &without));
            if (op == BYW_OP_LOAD || op == BYW_OP_LOCAL_LOAD)
                continue;
            with = choose(&b, (enum byw_op)op, line, (enum byw_hint)hint,
                          (struct byw_advice){.bypass = true, .dead = true, .hot = true});
            assert_true(same(&with, &without)); /* advice is for loads */
        }
        bench_free(&b);
    }
}

static void bypass_mode_diverts_loads_but_not_stores(void **state)
{
    struct byw_config c = base();
    struct bench b = bench_new(&c);
    struct byw_decision d;
    int hint;

    (void)state;
    bench_loads(&b, "AB");
    for (hint = BYW_HINT_NONE; hint <= BYW_HINT_VOLATILE; hint++) {
        d = choose(&b, BYW_OP_LOAD, 0, (enum byw_hint)hint, in_bypass); /* a present line stays */
        assert_diverted(&d, BYW_CAUSE_MODE);
        d = choose(&b, BYW_OP_LOCAL_LOAD, 5, (enum byw_hint)hint, in_bypass);
        assert_diverted(&d, BYW_CAUSE_MODE);
    }
    d = choose(&b, BYW_OP_STORE, 0, BYW_HINT_NONE, in_bypass); /* stores still access the line */
    assert_int_equal(d.outcome, BYW_HIT);
    b.res.bypass_slot = false;
    d = choose(&b, BYW_OP_LOAD, 0, BYW_HINT_NONE, in_bypass);
    assert_int_equal(d.outcome, BYW_RSFAIL);
    assert_int_equal(d.reason, BYW_RSFAIL_ICNT);
    assert_int_equal(d.cause, BYW_CAUSE_NONE);
    bench_free(&b);
}

static void a_load_predicted_dead_bypasses_unless_hinted(void **state)
{
    struct byw_config c = base();
    struct bench b = bench_new(&c);
    struct byw_decision d;

    (void)state;
    bench_loads(&b, "A");
    d = choose(&b, BYW_OP_LOAD, 1, BYW_HINT_NONE, dead);
    assert_diverted(&d, BYW_CAUSE_DEAD);
    d = choose(&b, BYW_OP_LOAD, 1, BYW_HINT_STREAM, dead);
    assert_diverted(&d, BYW_CAUSE_DEAD);
    d = choose(&b, BYW_OP_LOAD, 0, BYW_HINT_NONE, dead);
    assert_int_equal(d.outcome, BYW_HIT);
    d = choose(&b, BYW_OP_LOAD, 1, BYW_HINT_CACHE, dead);
    assert_int_equal(d.outcome, BYW_MISS);
    d = choose(&b, BYW_OP_LOAD, 1, BYW_HINT_BYPASS, dead);
    assert_diverted(&d, BYW_CAUSE_NONE); /* chosen by the requester: there is nothing to verify */
    b.res.bypass_slot = false;
    d = choose(&b, BYW_OP_LOAD, 1, BYW_HINT_NONE, dead);
    assert_int_equal(d.outcome, BYW_RSFAIL);
    assert_int_equal(d.reason, BYW_RSFAIL_ICNT);
    bench_free(&b);
}

/* With the filter on: loads predicted dead leave no tag, a candidate's count overrides the
 * prediction, loads predicted hot commit. */
static void a_candidates_count_overrides_the_prediction(void **state)
{
    struct byw_config c = bench_config();
    struct bench b = bench_new(&c);
    struct byw_decision d;

    (void)state;
    bench_loads(&b, "AAB");
    d = choose(&b, BYW_OP_LOAD, 2, BYW_HINT_NONE, dead);
    assert_diverted(&d, BYW_CAUSE_DEAD);
    d = choose(&b, BYW_OP_LOAD, 1, BYW_HINT_NONE, dead); /* B's second touch counts */
    assert_int_equal(d.action, BYW_SET_COUNT);
    assert_int_equal(d.cause, BYW_CAUSE_NONE);
    d = choose(&b, BYW_OP_LOAD, 0, BYW_HINT_NONE, dead); /* A's third load: it is committed */
    assert_int_equal(d.outcome, BYW_MISS);
    d = choose(&b, BYW_OP_LOAD, 2, BYW_HINT_NONE, hot); /* a line at its first touch */
    assert_int_equal(d.outcome, BYW_MISS);
    assert_int_equal(d.note, BYW_NOTE_COMMIT);
    d = choose(&b, BYW_OP_LOAD, 2, BYW_HINT_STREAM, hot); /* a hint has priority */
    assert_int_equal(d.outcome, BYW_BYPASS);
    b.policy.loc.threshold = 0; /* filter off: candidates count as absent */
    d = choose(&b, BYW_OP_LOAD, 1, BYW_HINT_NONE, dead);
    assert_diverted(&d, BYW_CAUSE_DEAD);
    bench_free(&b);
}

struct refusal {
    enum byw_rsfail reason;
    struct byw_resources res;
    uint64_t line;
    uint64_t pending;
};

/* A full set of A B C D whose lines are in flight or not; the reason that refuses a load. */
static const struct refusal refusal[] = {
    {BYW_RSFAIL_LINE, {true, true, true, true}, 4, 0xf},
    {BYW_RSFAIL_MISS_QUEUE, {false, true, true, true}, 4, 0},
    {BYW_RSFAIL_MSHR, {true, true, false, true}, 4, 0},
    {BYW_RSFAIL_MERGE, {true, true, true, false}, 0, 0xf},
};

static void a_refused_load_bypasses_but_a_store_waits(void **state)
{
    uint32_t when;
    size_t i;

    (void)state;
    for (when = BYW_STALL_OFF; when <= BYW_STALL_ANY; when++) {
        struct byw_config c = base();
        struct bench b;

        c.stall_bypass = when;
        b = bench_new(&c);
        bench_loads(&b, "ABCD");
        for (i = 0; i < sizeof(refusal) / sizeof(refusal[0]); i++) {
            const struct refusal *r = &refusal[i];
            bool bypasses =
                when == BYW_STALL_ANY || (when == BYW_STALL_LINE && r->reason == BYW_RSFAIL_LINE);
            struct byw_decision d;

            b.res = r->res;
            b.set->pending = r->pending;
            d = choose(&b, BYW_OP_LOAD, r->line, BYW_HINT_NONE, nothing);
            if (bypasses) {
                assert_diverted(&d, BYW_CAUSE_STALL);
            } else {
                assert_int_equal(d.outcome, BYW_RSFAIL);
                assert_int_equal(d.reason, r->reason);
            }
            b.res.bypass_slot = false; /* then the load waits for a slot of the bypass path */
            d = choose(&b, BYW_OP_LOAD, r->line, BYW_HINT_NONE, nothing);
            assert_int_equal(d.outcome, BYW_RSFAIL);
            assert_int_equal(d.reason, bypasses ? BYW_RSFAIL_ICNT : r->reason);
            b.res = r->res;
            d = choose(&b, BYW_OP_STORE, r->line, BYW_HINT_NONE, nothing); /* stores wait */
            assert_int_not_equal(d.outcome, BYW_BYPASS);
        }
        bench_free(&b);
    }
}

/* A refused commit: the stall bypass leaves RC unchanged, rule C7 increments it. */
static void stall_bypass_leaves_the_reference_count(void **state)
{
    struct byw_config c = bench_config();
    struct bench b;
    struct byw_decision d;

    (void)state;
    c.stall_bypass = BYW_STALL_ANY;
    b = bench_new(&c);
    bench_loads(&b, "AA");
    b.res.mshr = false;
    d = choose(&b, BYW_OP_LOAD, 0, BYW_HINT_NONE, nothing);
    assert_diverted(&d, BYW_CAUSE_STALL);
    d = choose(&b, BYW_OP_LOAD, 1, BYW_HINT_NONE, hot); /* a hot load that finds no MSHR */
    assert_diverted(&d, BYW_CAUSE_STALL);
    b.policy.loc.bypass_on_rsfail = true;
    d = choose(&b, BYW_OP_LOAD, 0, BYW_HINT_NONE, nothing);
    assert_int_equal(d.outcome, BYW_BYPASS);
    assert_int_equal(d.action, BYW_SET_COUNT);
    bench_free(&b);
}

static void bypass_mode_precedes_prediction_precedes_stall_bypass(void **state)
{
    struct byw_advice all = {.bypass = true, .dead = true, .hot = true};
    struct byw_config c = base();
    struct bench b;
    struct byw_decision d;

    (void)state;
    c.stall_bypass = BYW_STALL_ANY;
    b = bench_new(&c);
    b.res.mshr = false;
    d = choose(&b, BYW_OP_LOAD, 0, BYW_HINT_NONE, all);
    assert_diverted(&d, BYW_CAUSE_MODE);
    all.bypass = false;
    d = choose(&b, BYW_OP_LOAD, 0, BYW_HINT_NONE, all);
    assert_diverted(&d, BYW_CAUSE_DEAD);
    all.dead = false;
    d = choose(&b, BYW_OP_LOAD, 0, BYW_HINT_NONE, all);
    assert_diverted(&d, BYW_CAUSE_STALL);
    bench_free(&b);
}

static void each_hint_sets_its_rules(void **state)
{
    static const struct {
        enum byw_hint hint;
        bool bypass, at_once, last;
    } row[] = {{BYW_HINT_NONE, 0, 0, 0},
               {BYW_HINT_BYPASS, 1, 0, 0},
               {BYW_HINT_STREAM, 0, 0, 1},
               {BYW_HINT_CACHE, 0, 1, 0},
               {BYW_HINT_VOLATILE, 1, 0, 0}};
    uint32_t on_hit;
    size_t i;

    (void)state;
    for (i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        for (on_hit = BYW_BYP_SERVE; on_hit <= BYW_BYP_EVICT; on_hit++) {
            struct byw_hint_rules r = byw_hint_rules((uint8_t)row[i].hint, on_hit);

            assert_int_equal(r.bypass, row[i].bypass);
            assert_int_equal(r.at_once, row[i].at_once);
            assert_int_equal(r.last, row[i].last);
            assert_int_equal(r.on_hit,
                             row[i].hint == BYW_HINT_VOLATILE ? (uint32_t)BYW_BYP_EVICT : on_hit);
        }
    }
}

static void rdna2_flags_map_to_hints(void **state)
{
    /* Rows of mechanisms/hints.md 6.1: volatile, nontemporal, then the hint at L0, L1, L2. */
    static const uint8_t rdna2[4][5] = {
        {0, 0, BYW_HINT_NONE, BYW_HINT_NONE, BYW_HINT_NONE},
        {0, 1, BYW_HINT_NONE, BYW_HINT_NONE, BYW_HINT_STREAM},
        {1, 0, BYW_HINT_VOLATILE, BYW_HINT_VOLATILE, BYW_HINT_NONE},
        {1, 1, BYW_HINT_VOLATILE, BYW_HINT_VOLATILE, BYW_HINT_NONE},
    };
    int i, level;

    (void)state;
    for (i = 0; i < 4; i++)
        for (level = BYW_LEVEL_L0; level <= BYW_LEVEL_L2; level++)
            assert_int_equal(byw_hint_rdna2(rdna2[i][0], rdna2[i][1], (enum byw_hint_level)level),
                             rdna2[i][2 + level]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_advice_the_mode_decides),
        cmocka_unit_test(bypass_mode_diverts_loads_but_not_stores),
        cmocka_unit_test(a_load_predicted_dead_bypasses_unless_hinted),
        cmocka_unit_test(a_candidates_count_overrides_the_prediction),
        cmocka_unit_test(a_refused_load_bypasses_but_a_store_waits),
        cmocka_unit_test(stall_bypass_leaves_the_reference_count),
        cmocka_unit_test(bypass_mode_precedes_prediction_precedes_stall_bypass),
        cmocka_unit_test(each_hint_sets_its_rules),
        cmocka_unit_test(rdna2_flags_map_to_hints),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
