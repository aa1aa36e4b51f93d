/* SPDX-License-Identifier: Apache-2.0
 *
 * A cache with beats compared with one without: an access in beats counts, touches and trains the
 * same as an access to the whole line; and a continuing request that finds its line gone bypasses
 * (rule 7 of rtl/doc/l1d_pipeline.md, "Beats").
 */
#include "l1d/beats_rig.h"

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

/* Rule 7: an access in beats counts, touches and trains the same as an access to the whole line.
 * `apart`: each beat is answered before the next one is requested. */
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

static void an_access_in_beats_counts_and_trains_as_one(void **state)
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

/* Rule 7: a continuing request that finds its line gone bypasses, invisibly to the predictor in the
 * level below. */
static void a_continued_request_without_its_line_bypasses(void **state)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_access_in_beats_counts_and_trains_as_one),
        cmocka_unit_test(a_continued_request_without_its_line_bypasses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
