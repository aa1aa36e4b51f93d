/* SPDX-License-Identifier: Apache-2.0
 *
 * A narrow datapath of the L1D: rules 1 to 5 of rtl/doc/l1d_pipeline.md, "Beats", by number, at the
 * cycle before, in and after each beat, and the configurations that are refused. Rule 6 is in
 * t_l1d_beats_write_back.c, rule 7 in t_l1d_beats_twins.c, random traffic in t_l1d_beats_random.c.
 */
#include "l1d/beats_rig.h"
#include "l1d/hand.h"

/* Rule 1: a load of any beat hits in 3 cycles, or 4 with the look stage. A miss takes one more
 * cycle for each beat after the first; all other latencies are unchanged. */
static void hits_take_three_cycles_and_misses_one_more_per_beat(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t look = i % 2, bytes = 8U << i / 2, n = 128 / bytes;
        struct byw_config c = config(BYW_MODE_BASE, look);
        struct host *h;

        c.port.beat_bytes = bytes;
        h = make("beats: latencies", &c);
        assert_int_equal(took(h, BYW_OP_LOAD, 1, n - 1), LATENCY + 4 + look + n - 1);
        for (uint32_t beat = 0; beat < n; beat++)
            assert_int_equal(took(h, BYW_OP_LOAD, 1, beat), 3 + look);
        assert_int_equal(h->ev[BYW_EV_FILL], 1);
        assert_int_equal(h->ev[BYW_EV_DATA_WRITE], n);
        assert_int_equal(took(h, BYW_OP_STORE, 3, 1), LATENCY + 4 + look);
        assert_int_equal(took(h, BYW_OP_ATOMIC, 3, 1), LATENCY + 4 + look);
        assert_int_equal(host_do(h, BYW_OP_LOAD, 4, BYW_HINT_BYPASS), LATENCY + 4 + look);
        host_free(h);
    }
}

/* Rule 1: hits of all beats, one per cycle. */
static void hits_of_all_beats_come_one_per_cycle(void **state)
{
    (void)state;
    for (uint32_t look = 0; look < 2; look++) {
        struct byw_config c = config(BYW_MODE_BASE, look);
        struct host *h = make("beats: hits", &c);
        uint32_t id[32];
        uint64_t first;

        took(h, BYW_OP_LOAD, 1, 0);
        first = h->cycle;
        for (uint32_t i = 0; i < 32; i++)
            id[i] = send(h, BYW_OP_LOAD, 1, i * 3 % BEATS);
        host_drain(h);
        for (uint32_t i = 0; i < 32; i++)
            assert_int_equal(h->rsp_cycle[id[i]], first + i + 3 + look);
        host_free(h);
    }
}

/* Fills line 1 for a load of beat 2, with the fill's first beat in cycle *first; `before`: first
 * makes beat 0 of line 2 dirty. */
static struct host *filling(const struct byw_config *c, uint64_t *first, uint32_t *id, bool before)
{
    struct host *h = make("beats: about a fill", c);

    if (before) {
        took(h, BYW_OP_LOCAL_LOAD, 2, 0);
        took(h, BYW_OP_LOCAL_STORE, 2, 0);
    }
    *id = send(h, BYW_OP_LOAD, 1, 2);
    *first = h->id[*id].cycle + 3 + c->l1d_look + LATENCY;
    return h;
}

/* Sends a request that is first decided in cycle `at`; no other request stalls. */
static uint32_t decided_at(struct host *h, enum byw_op op, uint64_t line, uint64_t at)
{
    uint32_t id;

    idle_until(h, at - 2 - h->config.l1d_look);
    id = send(h, op, line, 0);
    assert_int_equal(h->id[id].cycle + 2 + h->config.l1d_look, at);
    return id;
}

/* Rule 2: the line is in flight up to and including the cycle of its last beat. */
static void a_line_is_pending_until_its_last_beat(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2 * (BEATS + 2); i++) {
        struct byw_config c = config(BYW_MODE_BASE, i % 2);
        uint64_t first;
        uint32_t late = i / 2, id, other;
        struct host *h = filling(&c, &first, &id, false);

        other = decided_at(h, BYW_OP_LOAD, 1, first - 1 + late);
        host_drain(h);
        assert_int_equal(h->rsp_cycle[id], first + BEATS);
        assert_int_equal(h->ev[BYW_EV_HIT_PENDING], late <= BEATS);
        assert_int_equal(h->ev[BYW_EV_HIT], late > BEATS);
        assert_int_equal(h->rsp_served[other], late <= BEATS ? BYW_SERVED_FILL : BYW_SERVED_HIT);
        host_free(h);
    }
}

/* Rule 3: a store that writes the data store waits for each beat that writes it or, with the look
 * stage, might write it. */
static void stores_wait_for_beats_that_use_the_write_port(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 4 * (BEATS + 2); i++) {
        uint32_t look = i % 2, detached = i / 2 % 2, late = i / 4, id, other, wait;
        struct byw_config c = config(BYW_MODE_BASE, look);
        uint64_t first;
        struct host *h = filling(&c, &first, &id, true);

        if (detached)
            send(h, BYW_OP_STORE, 1, 0);
        other = decided_at(h, BYW_OP_LOCAL_STORE, 2, first - 1 + late);
        host_drain(h);
        wait = late == 0 || late > BEATS || (detached && !look) ? 0 : BEATS + 1 - late;
        /* The store's acknowledgement arrives between the beats of a detached fill. */
        if (!detached)
            assert_int_equal(h->rsp_cycle[other] - h->id[other].cycle, 3 + look + wait);
        else
            assert_true(h->rsp_cycle[other] - h->id[other].cycle >= 3 + look + wait);
        host_free(h);
    }
}

/* Rule 4: a line that is dropped before, between or in its beats is not kept. Loads that wait for
 * it are answered; the next load fetches it again, even while the remaining beats arrive. */
static void a_line_given_up_between_beats_is_not_kept(void **state)
{
    static const enum byw_op how[] = {BYW_OP_STORE, BYW_OP_ATOMIC, BYW_OP_INVALIDATE, BYW_OP_LOAD};

    (void)state;
    for (uint32_t i = 0; i < 8 * (BEATS + 2); i++) {
        enum byw_op op = how[i / 2 % 4]; /* the last way to drop it is a kernel start */
        uint32_t late = i / 8, id, again;
        struct byw_config c = config(BYW_MODE_BASE, i % 2);
        uint64_t first;
        struct host *h = filling(&c, &first, &id, false);

        if (op == BYW_OP_LOAD) {
            idle_until(h, first - 1 + late);
            h->kernel_start = true;
            host_cycle(h, NULL);
        } else {
            decided_at(h, op, 1, first - 1 + late);
        }
        again = send(h, BYW_OP_LOAD, 1, 3);
        host_drain(h);
        host_check(h);
        assert_int_equal(h->rsp_served[id], BYW_SERVED_FILL);
        assert_int_equal(h->rsp_served[again], BYW_SERVED_FILL);
        assert_int_equal(h->ev[BYW_EV_MISS], 2);
        assert_int_equal(took(h, BYW_OP_LOAD, 1, 1), 3 + c.l1d_look);
        host_free(h);
    }
}

/* Rule 5: a fill fails if any of its beats does; it fails at its last beat, and nothing is kept. */
static void an_error_in_any_beat_fails_the_fill(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed < 40; seed++) {
        struct byw_config c = config(BYW_MODE_BASE, seed % 2);
        struct host *h = host_new("beats: failed", &c, seed);
        uint32_t a, b;

        h->latency = LATENCY;
        h->error_line = 1;
        a = send(h, BYW_OP_LOAD, 1, 0);
        b = send(h, BYW_OP_LOAD, 1, 3);
        host_drain(h);
        assert_true(h->rsp_error[a] && h->rsp_error[b]);
        assert_int_equal(h->rsp_cycle[a] - h->id[a].cycle, LATENCY + 4 + c.l1d_look + BEATS - 1);
        assert_int_equal(used_ways(h), 0);
        assert_int_equal(h->ev[BYW_EV_FILL], 0);
        h->error_line = UINT64_MAX;
        a = send(h, BYW_OP_LOAD, 1, 0);
        host_drain(h);
        assert_false(h->rsp_error[a]);
        assert_int_equal(h->ev[BYW_EV_FILL], 1);
        host_free(h);
    }
}

/* The predictor's table after a miss all of whose beats report a misprediction. */
static struct byw_pc_table reported(uint32_t beat_bytes)
{
    struct byw_config c = config(BYW_MODE_BASE, 0);
    uint32_t n = beat_bytes != 0 ? BEATS : 1, reports = 0;
    struct byw_pc_table table;
    struct hand h;

    c.pc_on = 1;
    c.pc_init = 5;
    c.pc_threshold = 15;
    c.port.beat_bytes = beat_bytes;
    h = hand_new(&c);
    hand_until(&h, 2000);
    hand_ask(&h, BYW_OP_LOAD, 1, BYW_HINT_NONE, 1);
    hand_until(&h, 2004);
    assert_int_equal(h.fetches, 1);
    for (uint32_t beat = 0; beat < n; beat++) {
        h.in.mem_rsp_valid = true;
        h.in.mem_rsp = (struct byw_mem_rsp){
            .data = h.data, .id = h.fetch[0].id, .kind = BYW_MEM_FILL, .mispredict = true};
        hand_cycle(&h);
        reports += h.out.policy_events >> BYW_PEV_PC_MISPREDICT & 1;
        assert_int_equal(reports, beat == n - 1);
    }
    h.in.mem_rsp_valid = false;
    hand_until(&h, 2020);
    table = h.l1d->pred.table;
    byw_l1d_free(h.l1d);
    return table;
}

/* Rule 5: only the last beat of a fill reports a misprediction. */
static void only_the_last_beat_reports_a_misprediction(void **state)
{
    struct byw_pc_table line = reported(0), beats = reported(BYTES);
    uint32_t lower = 0;

    (void)state;
    for (uint32_t i = 0; i < 128; i++) {
        assert_int_equal(line.counter[i], beats.counter[i]);
        lower += line.counter[i] != 5;
    }
    assert_int_equal(lower, 1);
}

/* Configurations that a cache with beats does not support are refused with a sentence. */
static void unsupported_beats_are_rejected_by_name(void **state)
{
    static const uint32_t wrong[] = {1, 4, 12, 48, 128, 256};
    struct byw_config c = config(BYW_MODE_BASE, 0);
    struct byw_l1d *l1d;
    struct byw_diag diag;

    (void)state;
    c.l1d_line = 64;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        c.port.beat_bytes = wrong[i];
        assert_int_equal(byw_l1d_create(&c, true, &l1d, &diag), BYW_EINVAL);
        assert_non_null(strstr(diag.text, "l1d.line_bytes"));
    }
    c.port.beat_bytes = 16;
    c.l1d_alloc = BYW_ALLOC_ON_FILL;
    assert_int_equal(byw_l1d_create(&c, true, &l1d, &diag), BYW_EUNSUPPORTED);
    assert_non_null(strstr(diag.text, "l1d.allocate = on_miss"));
    c.port.beat_bytes = 64; /* the line */
    assert_int_equal(byw_l1d_create(&c, true, &l1d, &diag), BYW_OK);
    byw_l1d_free(l1d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hits_take_three_cycles_and_misses_one_more_per_beat),
        cmocka_unit_test(hits_of_all_beats_come_one_per_cycle),
        cmocka_unit_test(a_line_is_pending_until_its_last_beat),
        cmocka_unit_test(stores_wait_for_beats_that_use_the_write_port),
        cmocka_unit_test(a_line_given_up_between_beats_is_not_kept),
        cmocka_unit_test(an_error_in_any_beat_fails_the_fill),
        cmocka_unit_test(only_the_last_beat_reports_a_misprediction),
        cmocka_unit_test(unsupported_beats_are_rejected_by_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
