/* SPDX-License-Identifier: Apache-2.0
 *
 * The PC-based bypass predictor inside an L1D: what each event trains, which PC a misprediction
 * blames, that refusals and kernel starts train nothing, and that the table's sum equals the sum of
 * its changes (mechanisms/pc_pred.md 5.1, mechanisms/across.md 15.1: 10).
 */
#include "common/byw_l1d_mix.h"
#include "policy/byw_policy_events.h"

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

/* Runs a load with this PC hash until it is answered. */
static void load_by(struct host *h, uint64_t line, uint32_t pc, enum byw_hint hint)
{
    struct byw_req req = {.line = line,
                          .bytes = host_mask(0, 4),
                          .pc = pc << h->config.pc_shift,
                          .hint = (uint8_t)hint,
                          .id = host_free_id(h)};

    while (!host_cycle(h, &req))
        ;
    host_drain(h);
}

/* Expects the counters' reset values; the caller may change them. */
static void let_clear(struct host *h)
{
    uint32_t i;

    for (i = 0; i < BYW_PC_CLEAR; i++)
        host_cycle(h, NULL);
}

static uint32_t counter(const struct host *h, uint32_t pc)
{
    return h->l1d->pred.table.counter[pc];
}

static void set_counter(struct host *h, uint32_t pc, uint8_t value)
{
    h->l1d->pred.table.counter[pc] = value;
}

static void each_event_trains_the_pc_that_touched_last(void **state)
{
    struct byw_config c = config();
    struct host *h = host_new("training", &c, 1);

    (void)state;
    for (uint32_t pc = 0; pc < PCS; pc++)
        set_counter(h, pc, 5);
    load_by(h, 0, 1, BYW_HINT_NONE); /* set 0, first of two ways */
    load_by(h, 8, 2, BYW_HINT_NONE);
    assert_int_equal(counter(h, 1), 5); /* an insertion trains nothing */
    load_by(h, 0, 3, BYW_HINT_NONE); /* a hit: the last touch is now PC 3, no longer PC 1 */
    assert_int_equal(counter(h, 1), 4);
    assert_int_equal(counter(h, 3), 5);
    load_by(h, 16, 4, BYW_HINT_NONE); /* evicts line 8, last touched by PC 2 */
    assert_int_equal(counter(h, 2), 6);
    load_by(h, 24, 4, BYW_HINT_NONE); /* evicts line 0, last touched by PC 3 */
    assert_int_equal(counter(h, 3), 6);
    assert_int_equal(counter(h, 1), 4);
    host_do(h, BYW_OP_STORE, 16, BYW_HINT_NONE); /* write-evict, which is an invalidation */
    load_by(h, 24, 5, BYW_HINT_VOLATILE); /* a volatile load invalidates the line, too */
    assert_int_equal(counter(h, 4), 5);
    assert_int_equal(counter(h, 5), 5);
    load_by(h, 0, 6, BYW_HINT_NONE);
    load_by(h, 8, 6, BYW_HINT_NONE);
    h->kernel_start = true; /* invalidations: they do not count as evictions */
    host_cycle(h, NULL);
    load_by(h, 0, 7, BYW_HINT_NONE);
    load_by(h, 8, 7, BYW_HINT_NONE);
    assert_int_equal(counter(h, 6), 5);
    assert_int_equal(counter(h, 3), 6); /* the table keeps its values */
    host_do(h, BYW_OP_INVALIDATE, 0, BYW_HINT_NONE);
    load_by(h, 0, 7, BYW_HINT_NONE);
    assert_int_equal(counter(h, 7), 5);
    host_free(h);
}

static void invalidations_train_if_configured(void **state)
{
    struct byw_config c = config();
    struct host *h;

    (void)state;
    c.pc_inv = 1;
    h = host_new("invalidations train", &c, 1);
    load_by(h, 0, 1, BYW_HINT_NONE);
    host_do(h, BYW_OP_STORE, 0, BYW_HINT_NONE);
    assert_int_equal(counter(h, 1), 1);
    load_by(h, 0, 2, BYW_HINT_NONE);
    load_by(h, 0, 3, BYW_HINT_VOLATILE);
    assert_int_equal(counter(h, 2), 1);
    load_by(h, 0, 4, BYW_HINT_NONE);
    h->kernel_start = true;
    host_cycle(h, NULL);
    assert_int_equal(counter(h, 4), 0);
    host_free(h);
}

/* Loads merged into an outstanding fill are hits: each blames the previous load. */
static void pending_hits_train(void **state)
{
    struct byw_config c = config();
    struct host *h = host_new("pending", &c, 1);
    uint32_t pc;

    (void)state;
    let_clear(h);
    h->latency = 100;
    for (pc = 0; pc < PCS; pc++)
        set_counter(h, pc, 7);
    for (pc = 1; pc <= 4; pc++) {
        struct byw_req req = {.line = 3, .bytes = host_mask(0, 4), .pc = pc << 2, .id = pc};

        while (!host_cycle(h, &req))
            ;
    }
    host_drain(h);
    assert_int_equal(h->ev[BYW_EV_HIT_PENDING], 3);
    for (pc = 1; pc <= 4; pc++)
        assert_int_equal(counter(h, pc), pc < 4 ? 6 : 7);
    assert_int_equal(h->l1d->pred.line[byw_l1d_line_number(h->l1d, 3, 0)], 4);
    host_free(h);
}

static void loads_predicted_dead_bypass(void **state)
{
    struct byw_config c = config();
    struct host *h = host_new("dead", &c, 1);

    (void)state;
    set_counter(h, 1, 8);
    set_counter(h, 2, 7);
    load_by(h, 0, 1, BYW_HINT_NONE);
    assert_int_equal(h->ev[BYW_EV_BYPASS], 1);
    assert_int_equal(used_ways(h), 0);
    load_by(h, 0, 2, BYW_HINT_NONE);
    assert_int_equal(h->ev[BYW_EV_MISS], 1);
    load_by(h, 0, 1, BYW_HINT_NONE); /* only loads that miss are predicted */
    assert_int_equal(h->ev[BYW_EV_HIT], 1);
    load_by(h, 1, 1, BYW_HINT_STREAM);
    assert_int_equal(h->ev[BYW_EV_BYPASS], 2);
    load_by(h, 1, 1, BYW_HINT_CACHE); /* the hint overrides the prediction */
    assert_int_equal(h->ev[BYW_EV_MISS], 2);
    host_do(h, BYW_OP_STORE, 2, BYW_HINT_NONE); /* PC 0; stores do not consult the predictor */
    host_free(h);
}

/* An L2 that reports a misprediction with every read that it answers. */
static void blaming_step(struct host *h, const struct byw_l1d_in *in, struct byw_l1d_out *out)
{
    struct byw_l1d_in blaming = *in;

    blaming.mem_rsp.mispredict = true;
    byw_l1d_step(h->l1d, &blaming, &blaming.ctrl, out);
}

/* With the prior a load whose counter is 0 is hot; without it none is. */
static void only_the_prior_makes_loads_hot(void **state)
{
    (void)state;
    for (uint32_t prior = 0; prior < 2; prior++) {
        struct byw_config c = config();
        struct host *h;

        c.pc_prior = prior;
        h = host_new("hot", &c, 1);
        set_counter(h, 1, 0);
        set_counter(h, 2, 1);
        load_by(h, 0, 1, BYW_HINT_NONE);
        load_by(h, 1, 2, BYW_HINT_NONE);
        assert_int_equal(h->pev[BYW_PEV_PC_ASK], 2);
        assert_int_equal(h->pev[BYW_PEV_PC_HOT], prior);
        host_free(h);
    }
}

/* A load consults the predictor if its line is absent and its hint leaves the decision to the
 * policy. */
static void only_loads_that_the_policy_decides_ask(void **state)
{
    (void)state;
    for (uint32_t alloc = BYW_ALLOC_ON_MISS; alloc <= BYW_ALLOC_ON_FILL; alloc++)
        for (uint32_t hint = BYW_HINT_NONE; hint <= BYW_HINT_VOLATILE; hint++) {
            struct byw_config c = config();
            struct host *h;

            c.policy_mode = BYW_MODE_BASE;
            c.l1d_alloc = alloc;
            h = host_new("asks", &c, 1);
            load_by(h, 0, 1, (enum byw_hint)hint);
            assert_int_equal(h->pev[BYW_PEV_PC_ASK],
                             hint == BYW_HINT_NONE || hint == BYW_HINT_STREAM);
            load_by(h, 1, 1, BYW_HINT_NONE);
            h->pev[BYW_PEV_PC_ASK] = 0;
            load_by(h, 1, 1, (enum byw_hint)hint); /* present */
            assert_int_equal(h->pev[BYW_PEV_PC_ASK], 0);
            host_free(h);
        }
}

/* The beats of one access are one hit and one reuse of their line, and write its record once. */
static void later_beats_are_no_further_reuse(void **state)
{
    struct byw_config c = config();
    struct host *h;
    uint64_t writes;

    (void)state;
    c.policy_mode = BYW_MODE_BASE;
    c.port.beat_bytes = 32;
    h = host_new("beats", &c, 1);
    host_do(h, BYW_OP_LOAD, 0, BYW_HINT_NONE);
    writes = h->ev[BYW_EV_TAG_WRITE];
    for (h->beat = 0; h->beat < 4; h->beat++) {
        h->more = h->beat != 0;
        host_do(h, BYW_OP_LOAD, 0, BYW_HINT_NONE);
    }
    assert_int_equal(h->pev[BYW_PEV_PC_REUSED], 1);
    assert_int_equal(h->ev[BYW_EV_HIT], 1);
    assert_int_equal(h->ev[BYW_EV_TAG_WRITE], writes + 1);
    host_free(h);
}

static void a_misprediction_decrements_the_answered_pc(void **state)
{
    struct byw_config c = config();
    struct host *h = host_new("blame", &c, 1);

    (void)state;
    h->step = blaming_step;
    for (uint32_t pc = 0; pc < PCS; pc++)
        set_counter(h, pc, pc == 1 ? 15 : 6);
    load_by(h, 0, 1, BYW_HINT_NONE); /* a bypass */
    assert_int_equal(counter(h, 1), 14);
    load_by(h, 0, 2, BYW_HINT_NONE); /* a fill reports the line that PC 1 bypassed: decrements the
                                        counter of PC 2 */
    assert_int_equal(counter(h, 2), 5);
    assert_int_equal(counter(h, 1), 14);
    host_do(h, BYW_OP_STORE, 1, BYW_HINT_NONE); /* acknowledgements report no misprediction */
    assert_int_equal(counter(h, 0), 6);
    host_free(h);
}

/* --- random traffic: the table is the sum of its changes ---------------------------------- */

struct sums {
    uint64_t pev[BYW_PEV_COUNT];
    uint64_t refusals; /* refused cycles, in which the predictor must not change */
};

/* Includes the reports in the queue, which are few, so none is lost. */
static uint64_t table_sum(const struct byw_l1d *l1d)
{
    uint64_t sum = -(uint64_t)l1d->pred.waiting;
    uint32_t i;

    for (i = 0; i < UINT32_C(1) << l1d->pred.table.index_bits; i++)
        sum += l1d->pred.table.counter[i];
    return sum;
}

static void counting_step(struct host *h, const struct byw_l1d_in *in, struct byw_l1d_out *out)
{
    static const uint32_t fails =
        UINT32_C(1) << BYW_EV_FAIL_LINE | UINT32_C(1) << BYW_EV_FAIL_MSHR |
        UINT32_C(1) << BYW_EV_FAIL_MERGE | UINT32_C(1) << BYW_EV_FAIL_MISS_QUEUE |
        UINT32_C(1) << BYW_EV_FAIL_ICNT;
    struct sums *sums = h->owner;
    struct byw_l1d_in blaming = *in;
    uint64_t before = table_sum(h->l1d);
    uint32_t skipped = h->l1d->pred.table.skipped, psel = h->l1d->pred.duel.psel, e;
    int64_t change;

    blaming.mem_rsp.mispredict = in->mem_rsp_valid && host_chance(h, 20);
    byw_l1d_step(h->l1d, &blaming, &blaming.ctrl, out);
    for (e = 0; e < BYW_PEV_COUNT; e++)
        sums->pev[e] += out->policy_events >> e & 1;
    change = (int64_t)(table_sum(h->l1d) - before);
    change -= (out->policy_events >> BYW_PEV_PC_DEAD & 1) != 0;
    change += (out->policy_events >> BYW_PEV_PC_REUSED & 1) != 0;
    change += (out->policy_events >> BYW_PEV_PC_MISPREDICT & 1) != 0;
    if (change != 0)
        host_fail(h, "the table changed by something else than its events");
    if ((out->events & fails) == 0)
        return;
    sums->refusals++;
    if (skipped != h->l1d->pred.table.skipped || psel != h->l1d->pred.duel.psel)
        host_fail(h, "a refusal changed the predictor");
}

static void run_sums(const struct byw_config *c, uint64_t seed)
{
    static const struct host_mix mix = {
        .lines = 200, .percent = 90, .stores = 10, .atomics = 3, .locals = 20, .hints = 5};
    struct host *h = host_new("sums", c, seed);
    struct sums sums = {{0}, 0};
    uint8_t data[HOST_WHOLE];
    struct byw_req req;
    bool offered = false;
    uint32_t i;

    let_clear(h);
    h->step = counting_step;
    h->owner = &sums;
    h->jitter = 40;
    h->req_percent = 60;
    h->error_percent = 1;
    for (i = 0; i < 60000; i++) {
        if (!offered)
            offered = host_random_req(h, &mix, data, &req);
        offered = !host_cycle(h, offered ? &req : NULL) && offered;
    }
    host_drain(h);
    host_check(h);
    host_check_counts(h);
    assert_true(sums.refusals > 1000); /* every event occurs often enough */
    assert_true(sums.pev[BYW_PEV_PC_DEAD] > 500 && sums.pev[BYW_PEV_PC_REUSED] > 500);
    assert_true(sums.pev[BYW_PEV_PC_MISPREDICT] > 500 && sums.pev[BYW_PEV_PC_BYPASS] > 500);
    assert_true(sums.pev[BYW_PEV_PC_SAMPLE] > 20);
    assert_int_equal(sums.pev[BYW_PEV_PC_OVERRULED] != 0, c->pc_duel);
    assert_true(sums.pev[BYW_PEV_PC_ASK] >= sums.pev[BYW_PEV_PC_BYPASS] +
                                                sums.pev[BYW_PEV_PC_SAMPLE] +
                                                sums.pev[BYW_PEV_PC_OVERRULED]);
    host_free(h);
}

static void the_sum_of_the_table_is_the_sum_of_its_changes(void **state)
{
    struct byw_config c = config();
    uint32_t i;

    (void)state;
    c.pc_bits = 8; /* wide enough never to saturate from the middle */
    c.pc_init = 128;
    c.pc_threshold = 130;
    c.pc_entries = 1024;
    c.pc_shift = 0;
    c.pc_sample = 32;
    c.l1d_mshrs = 6;
    c.l1d_merges = 3;
    c.l1d_miss_queue = 3;
    c.l1d_bypass_queue = 2;
    c.l1d_trackers = 5;
    for (i = 0; i < 6; i++) {
        c.pc_duel = i & 1;
        c.pc_inv = i >> 1 & 1;
        c.stall_bypass = i % 3;
        c.pc_threshold = i < 4 ? 130 : 120; /* with the filter few lines are evicted */
        c.policy_mode = i < 4 ? BYW_MODE_BASE : BYW_MODE_DECOUPLED;
        run_sums(&c, host_seed(50) + i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_event_trains_the_pc_that_touched_last),
        cmocka_unit_test(invalidations_train_if_configured),
        cmocka_unit_test(pending_hits_train),
        cmocka_unit_test(loads_predicted_dead_bypass),
        cmocka_unit_test(only_the_prior_makes_loads_hot),
        cmocka_unit_test(only_loads_that_the_policy_decides_ask),
        cmocka_unit_test(later_beats_are_no_further_reuse),
        cmocka_unit_test(a_misprediction_decrements_the_answered_pc),
        cmocka_unit_test(the_sum_of_the_table_is_the_sum_of_its_changes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
