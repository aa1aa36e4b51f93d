/* SPDX-License-Identifier: Apache-2.0
 *
 * A narrow datapath of the L1D: the rules of rtl/doc/l1d_pipeline.md, "Beats", by number, at the
 * cycle before, in and after each beat.  Line 1 and lines 33, 65 share a set, line 2 is in another.
 */
#include "common/byw_l1d_mix.h"
#include "l1d/hand.h"

enum { LATENCY = 20, BYTES = 32, BEATS = 4, SAME = 32 };

static struct byw_config config(uint32_t mode, uint32_t look)
{
    struct byw_config c;

    byw_config_defaults(&c);
    c.policy_mode = mode;
    c.l1d_look = look;
    c.port.beat_bytes = BYTES;
    return c;
}

static struct host *make(const char *name, const struct byw_config *c)
{
    struct host *h = host_new(name, c, host_seed(1));

    h->latency = LATENCY;
    return h;
}

static uint32_t send(struct host *h, enum byw_op op, uint64_t line, uint32_t beat)
{
    h->beat = beat;
    return host_send(h, op, line, BYW_HINT_NONE);
}

static uint64_t took(struct host *h, enum byw_op op, uint64_t line, uint32_t beat)
{
    h->beat = beat;
    return host_do(h, op, line, BYW_HINT_NONE);
}

/* Rule 1: a load of any beat hits in 3 cycles, 4 with the look stage; a miss takes a cycle more for
 * each beat behind the first, all others are as they were. */
static void test_latencies(void **state)
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
static void test_hits(void **state)
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

/* A fill whose first beat comes in cycle `*first`, for a load of beat 2 of line 1; `before` dirties
 * beat 0 of line 2 first. */
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

/* A request whose first decision falls into cycle `at`, everything else flowing. */
static uint32_t decided_at(struct host *h, enum byw_op op, uint64_t line, uint64_t at)
{
    uint32_t id;

    idle_until(h, at - 2 - h->config.l1d_look);
    id = send(h, op, line, 0);
    assert_int_equal(h->id[id].cycle + 2 + h->config.l1d_look, at);
    return id;
}

/* Rule 2: the line is pending up to and in the cycle of the last beat. */
static void test_pending(void **state)
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

/* Rule 3: a store that writes the data store waits for each beat that does, or with the look stage
 * might. */
static void test_write_port(void **state)
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
        /* The store's acknowledgement comes between the beats of a detached fill. */
        if (!detached)
            assert_int_equal(h->rsp_cycle[other] - h->id[other].cycle, 3 + look + wait);
        else
            assert_true(h->rsp_cycle[other] - h->id[other].cycle >= 3 + look + wait);
        host_free(h);
    }
}

/* Rule 4: a line that is given up before, between or in the beats is not kept; who waited for it is
 * served; the next load fetches it again, also while the rest of the beats comes. */
static void test_given_up(void **state)
{
    static const enum byw_op how[] = {BYW_OP_STORE, BYW_OP_ATOMIC, BYW_OP_INVALIDATE, BYW_OP_LOAD};

    (void)state;
    for (uint32_t i = 0; i < 8 * (BEATS + 2); i++) {
        enum byw_op op = how[i / 2 % 4]; /* the last one: a kernel starts */
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

/* Rule 5: a fill fails if any of its beats does, at its last one; nothing of it is kept. */
static void test_failed(void **state)
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

/* A cache of line 1 with the dirty beats of `mask`. */
static struct host *dirty(const struct byw_config *c, uint32_t mask)
{
    struct host *h = make("beats: dirty", c);

    took(h, BYW_OP_LOCAL_LOAD, 1, 0);
    for (uint32_t beat = 0; beat < BEATS; beat++)
        if ((mask >> beat & 1) != 0)
            took(h, BYW_OP_LOCAL_STORE, 1, beat);
    return h;
}

/* Rule 6: two cycles a beat, then the request is decided; only dirty beats are sent. */
static void test_write_back(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2 * 16; i++) {
        uint32_t look = i % 2, mask = i / 2, n = byw_popcount64(mask);
        uint32_t passes = mask != 0 ? 2 * BEATS : 0;
        struct byw_config c = config(BYW_MODE_BASE, look);
        struct host *h;

        c.byp_on_hit = BYW_BYP_IGNORE;
        h = dirty(&c, mask);
        h->beat = 2;
        assert_int_equal(host_do(h, BYW_OP_LOAD, 1, BYW_HINT_BYPASS), LATENCY + 4 + look + passes);
        assert_int_equal(h->ev[BYW_EV_MEM_WRITE], n);
        host_free(h);

        h = dirty(&c, mask);
        assert_int_equal(took(h, BYW_OP_STORE, 1, 1), LATENCY + 4 + look + passes);
        assert_int_equal(h->ev[BYW_EV_MEM_WRITE], n + 1);
        host_free(h);

        c.l1d_ways = 1;
        h = dirty(&c, mask);
        assert_int_equal(took(h, BYW_OP_LOAD, 1 + SAME, 1),
                         LATENCY + 4 + look + BEATS - 1 + passes);
        assert_int_equal(h->ev[BYW_EV_MEM_WRITE], n);
        host_free(h);

        h = dirty(&c, mask);
        took(h, BYW_OP_FLUSH, 0, 0);
        assert_int_equal(h->ev[BYW_EV_MEM_WRITE], n);
        for (uint32_t beat = 0; beat < BEATS; beat++)
            assert_memory_equal(h->mem[1] + beat * BYTES, h->ref[1] + beat * BYTES, BYTES);
        assert_int_equal(took(h, BYW_OP_FLUSH, 0, 0), 3 + look);
        host_free(h);
    }
}

/* Rule 6: a beat that has been dirtied again after it was sent is sent again, and a kernel start in
 * any cycle of the passes drops the rest. */
static void test_write_back_stops(void **state)
{
    (void)state;
    for (uint32_t late = 0; late < 2 * BEATS + 2; late++) {
        struct byw_config c = config(BYW_MODE_BASE, 0);
        struct host *h = dirty(&c, 15);
        uint32_t id;

        id = send(h, BYW_OP_STORE, 1, 1);
        idle_until(h, h->id[id].cycle + 2 + late);
        h->kernel_start = true;
        host_cycle(h, NULL);
        host_drain(h);
        host_check(h);
        assert_int_equal(h->ev[BYW_EV_MEM_WRITE],
                         (late + 1 < 2 * BEATS ? (late + 1) / 2 : BEATS) + 1);
        memcpy(h->ref[1], h->mem[1], HOST_WHOLE); /* dirty bytes are dropped, and may be */
        took(h, BYW_OP_LOCAL_LOAD, 1, 0);
        took(h, BYW_OP_LOCAL_STORE, 1, 0);
        took(h, BYW_OP_STORE, 1, 3);
        assert_memory_equal(h->mem[1], h->ref[1], HOST_WHOLE);
        host_free(h);
    }
}

static const enum byw_event access_event[] = {
    BYW_EV_LOAD,    BYW_EV_STORE,     BYW_EV_ATOMIC,    BYW_EV_HIT,   BYW_EV_HIT_PENDING,
    BYW_EV_MISS,    BYW_EV_BYPASS,    BYW_EV_STORE_HIT, BYW_EV_EVICT, BYW_EV_EVICT_ZERO,
    BYW_EV_NEW_TAG, BYW_EV_CANDIDATE, BYW_EV_COMMIT,
};

static bool same_set(const struct byw_geometry *geo, const struct byw_set *a,
                     const struct byw_set *b)
{
    if (a->used != b->used || a->pending != b->pending)
        return false;
    for (uint32_t i = 0; i < geo->data_ways; i++)
        if (a->rank[i] != b->rank[i] ||
            ((a->used >> i & 1) != 0 &&
             (a->way[i].owner != b->way[i].owner || a->way[i].reused != b->way[i].reused)))
            return false;
    for (uint32_t i = 0; i < geo->tag_ways; i++)
        if (a->tag[i].key != b->tag[i].key || a->tag[i].status != b->tag[i].status ||
            a->tag[i].age != b->tag[i].age ||
            (a->tag[i].status != BYW_TAG_INVALID && a->tag[i].rc != b->tag[i].rc))
            return false;
    return true;
}

static void same_access(const struct host *whole, const struct host *beats, uint32_t n)
{
    for (size_t i = 0; i < sizeof(access_event) / sizeof(access_event[0]); i++)
        if (whole->ev[access_event[i]] != beats->ev[access_event[i]]) {
            print_error("access %u, event %u\n", n, access_event[i]);
            host_fail(beats, "an access in beats counts otherwise than one of the line");
        }
    if (memcmp(whole->pev, beats->pev, sizeof(whole->pev)) != 0)
        host_fail(beats, "an access in beats has other pulses than one of the line");
    for (uint32_t i = 0; i < whole->config.l1d_sets; i++)
        if (!same_set(&whole->l1d->tags.geo, byw_l1d_record(whole->l1d, i),
                      byw_l1d_record(beats->l1d, i)))
            host_fail(beats, "an access in beats leaves other records than one of the line");
    if (memcmp(&whole->l1d->pred.table, &beats->l1d->pred.table, sizeof(whole->l1d->pred.table)) !=
            0 ||
        whole->l1d->pred.duel.psel != beats->l1d->pred.duel.psel)
        host_fail(beats, "an access in beats teaches otherwise than one of the line");
}

/* Rule 7: whatever an access in beats counts, touches or teaches, one of the whole line does;
 * `apart`: each beat is answered before the next is asked for. */
static void twins(const struct byw_config *c, uint64_t seed, bool apart)
{
    static const enum byw_op ops[] = {BYW_OP_LOAD,       BYW_OP_LOAD,        BYW_OP_LOAD,
                                      BYW_OP_LOCAL_LOAD, BYW_OP_LOCAL_STORE, BYW_OP_STORE,
                                      BYW_OP_ATOMIC};
    struct byw_config line = *c;
    struct host *beats = host_new("beats: as one access", c, seed), *whole;
    struct byw_rng rng;

    line.port.beat_bytes = 0;
    whole = host_new("beats: as one access", &line, seed);
    byw_rng_init(&rng, seed);
    for (uint32_t n = 0; n < 600; n++) {
        enum byw_op op = ops[byw_rng_below(&rng, 7)];
        uint64_t at = byw_rng_below(&rng, 24) * byw_rng_below(&rng, 24) / 24 * 2;
        enum byw_hint hint = byw_rng_below(&rng, 5) == 0 && byw_op_is_load(op)
                                 ? (enum byw_hint)(1 + byw_rng_below(&rng, 3))
                                 : BYW_HINT_NONE;
        uint32_t count = 1 + byw_rng_below(&rng, BEATS);

        whole->filter_on = beats->filter_on = byw_rng_below(&rng, 8) != 0;
        whole->bypass = beats->bypass = byw_rng_below(&rng, 10) == 0;
        whole->pc = beats->pc = byw_rng_below(&rng, 8) * 4;
        host_do(whole, op, at, hint);
        for (uint32_t i = 0; i < count; i++) {
            beats->beat = (n + i) % BEATS;
            beats->more = i != 0;
            host_send(beats, op, at, hint);
            if (apart)
                host_drain(beats);
        }
        host_drain(beats);
        host_check(beats);
        same_access(whole, beats, n);
    }
    host_free(whole);
    host_free(beats);
}

static void test_as_one_access(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 128; i++) {
        struct byw_config c = config(i % 4 == 0 ? BYW_MODE_BASE : BYW_MODE_DECOUPLED, i / 4 % 2);

        c.l1d_sets = 16;
        c.l1d_ways = 2;
        c.dec_tag_ways = 5;
        c.dec_threshold = 1 + i % 3;
        c.dec_rc_on_hit = i / 2 % 2;
        c.dec_store_rc = i / 8 % 2;
        c.dec_lfu_all = i / 16 % 2;
        c.l1d_store_hit = i / 32 % 2;
        c.byp_on_hit = i % 3;
        c.pc_on = i / 64 % 2;
        c.pc_duel = c.pc_on;
        c.pc_threshold = 1;
        c.pc_sample = 3;
        twins(&c, i + 1, i % 2 == 0);
    }
}

/* The predictor's table after a miss of which every beat reports a misprediction. */
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

/* Rule 5: of a fill the last beat alone reports a misprediction. */
static void test_mispredictions(void **state)
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

/* Rule 7: without its line a request that goes on bypasses, unseen by the predictor below. */
static void test_more_without_line(void **state)
{
    struct byw_config c = config(BYW_MODE_BASE, 0);
    struct host *h = make("beats: more without a line", &c);
    uint32_t id;

    (void)state;
    h->more = true;
    id = send(h, BYW_OP_LOAD, 1, 1);
    while (!h->out.mem_req_valid)
        host_cycle(h, NULL);
    assert_true(h->out.mem_req.more && h->out.mem_req.bypass && !h->out.mem_req.predicted);
    assert_int_equal(h->out.mem_req.beat, 1);
    host_drain(h);
    assert_int_equal(h->rsp_served[id], BYW_SERVED_BYPASS);
    assert_int_equal(used_ways(h), 0);
    assert_int_equal(h->ev[BYW_EV_LOAD] + h->ev[BYW_EV_BYPASS], 0);
    host_free(h);
}

/* Rule 6: the victim changes while a line is written back, since the filter is switched: by LFU
 * line 33 leaves, by LRU line 1.  The beats of the other line start at its first. */
static void test_other_victim(void **state)
{
    uint32_t again = 0;

    (void)state;
    for (uint32_t late = 0; late < 2 * BEATS + 2; late++) {
        struct byw_config c = config(BYW_MODE_DECOUPLED, 0);
        struct host *h;
        uint32_t id;

        c.l1d_ways = c.dec_tag_ways = 2;
        c.dec_lfu_all = c.dec_rc_on_hit = 1;
        h = make("beats: another victim", &c);
        h->filter_on = false;
        took(h, BYW_OP_LOCAL_LOAD, 1, 0);
        took(h, BYW_OP_LOCAL_LOAD, 1 + SAME, 0);
        h->filter_on = true;
        took(h, BYW_OP_LOCAL_LOAD, 1, 0);
        took(h, BYW_OP_LOCAL_LOAD, 1, 0);
        h->filter_on = false;
        for (uint32_t beat = 0; beat < 2 * BEATS; beat++)
            took(h, BYW_OP_LOCAL_STORE, beat < BEATS ? 1 : 1 + SAME, beat % BEATS);
        h->filter_on = true;
        id = send(h, BYW_OP_LOAD, 1 + 2 * SAME, 0);
        idle_until(h, h->id[id].cycle + 2 + late);
        h->filter_on = false;
        host_drain(h);
        again += h->ev[BYW_EV_MEM_WRITE] > BEATS;
        took(h, BYW_OP_FLUSH, 0, 0);
        assert_memory_equal(h->mem[1], h->ref[1], HOST_WHOLE);
        assert_memory_equal(h->mem[1 + SAME], h->ref[1 + SAME], HOST_WHOLE);
        host_free(h);
    }
    assert_true(again >= BEATS - 1);
}

/* Random traffic against a flat memory, all mechanisms on; kernels start without local lines only,
 * whose bytes they would drop. */
static void traffic(const struct byw_config *c, const struct host_mix *mix, uint64_t seed,
                    uint32_t accesses, uint32_t flips)
{
    struct host *h = host_new("beats: traffic", c, seed);
    uint8_t data[HOST_WHOLE];
    struct byw_req req;
    bool offered = false;
    uint32_t n = 0;

    h->jitter = 60;
    h->rsp_percent = 80;
    h->req_percent = 70;
    h->error_percent = 1;
    while (n < accesses) {
        if (!offered)
            offered = host_random_req(h, mix, data, &req);
        if (flips != 0 && byw_rng_below(&h->rng, flips) == 0)
            h->filter_on = !h->filter_on;
        if (byw_rng_below(&h->rng, 500) == 0)
            h->bypass = !h->bypass;
        h->kernel_start = mix->locals == 0 && byw_rng_below(&h->rng, 300) == 0;
        if (host_cycle(h, offered ? &req : NULL)) {
            offered = false;
            n++;
        }
        if (n % 16 == 0)
            host_check(h);
    }
    host_drain(h);
    host_check(h);
    host_check_counts(h);
    host_do(h, BYW_OP_FLUSH, 0, BYW_HINT_NONE);
    for (uint32_t i = 0; i < HOST_LINES; i++)
        assert_memory_equal(h->mem[i], h->ref[i], c->l1d_line);
    host_free(h);
}

static void test_random(void **state)
{
    struct host_mix mix = {
        .lines = 48, .percent = 80, .stores = 20, .atomics = 4, .hints = 10, .flushes = 1};

    (void)state;
    for (uint32_t i = 0; i < 96; i++) {
        struct byw_config c = config(i % 3, i / 3 % 2);

        c.l1d_line = 32U << i / 6 % 3;
        c.port.beat_bytes = 8U << i % 2;
        c.l1d_sets = 4;
        c.l1d_ways = 2;
        c.dec_tag_ways = 4;
        c.l1d_mshrs = 6;
        c.l1d_merges = 5;
        c.l1d_miss_queue = 3;
        c.l1d_bypass_queue = 2;
        c.l1d_trackers = 5;
        c.dec_lfu_all = i / 2 % 2;
        c.byp_on_hit = i % 3;
        c.l1d_store_hit = i / 4 % 2;
        c.stall_bypass = i / 8 % 3;
        c.pc_on = i / 16 % 2 && c.policy_mode != BYW_MODE_BYPASS_ALL;
        c.pc_threshold = 1;
        c.port.order = i / 32 % 3;
        c.port.fence = i / 5 % 2;
        mix.runs = i % 4 * 25;
        mix.locals = i % 5 == 0 ? 0 : 60;
        traffic(&c, &mix, i + 1, 6000, i % 7 == 0 ? 0 : 40);
    }
}

/* What a cache with beats cannot be is refused with a sentence. */
static void test_refused(void **state)
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
        cmocka_unit_test(test_latencies),      cmocka_unit_test(test_hits),
        cmocka_unit_test(test_pending),        cmocka_unit_test(test_write_port),
        cmocka_unit_test(test_given_up),       cmocka_unit_test(test_failed),
        cmocka_unit_test(test_write_back),     cmocka_unit_test(test_write_back_stops),
        cmocka_unit_test(test_as_one_access),  cmocka_unit_test(test_more_without_line),
        cmocka_unit_test(test_mispredictions), cmocka_unit_test(test_other_victim),
        cmocka_unit_test(test_random),         cmocka_unit_test(test_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
