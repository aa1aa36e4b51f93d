/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules of the L1D that RTL and C model could both break: each test states one rule in words and
 * numbers, at the ports (rtl/doc/l1d_pipeline.md, write_path.md, repl.md, locality.md).
 */
#include "common/byw_l1d_host.h"

static struct host *make(const char *name, uint32_t mode, uint32_t sets)
{
    struct byw_config c;

    byw_config_defaults(&c);
    c.policy_mode = mode;
    c.l1d_sets = sets;
    c.dec_rc_init = 0;
    return host_new(name, &c, host_seed(1));
}

/* A loaded line of which bytes [first, first + count) were then stored locally: dirty. */
static void dirty_line(struct host *h, uint64_t line, uint32_t first, uint32_t count)
{
    uint8_t data[HOST_WHOLE];
    struct byw_req req = {.op = BYW_OP_LOCAL_STORE, .line = line, .data = data};

    host_do(h, BYW_OP_LOCAL_LOAD, line, BYW_HINT_NONE);
    memset(data, 0x5a, sizeof(data));
    req.bytes = host_mask(first, count);
    req.id = host_free_id(h);
    while (!host_cycle(h, &req))
        ;
    host_drain(h);
}

/* A hit that waits for its response keeps its line at the data RAM's output, so a dirty line is
 * read for its write-back only in or after the cycle in which that response is taken. */
static void a_write_back_waits_for_the_hit_that_uses_the_ram(void **state)
{
    static const uint8_t op[] = {BYW_OP_STORE, BYW_OP_FLUSH};
    uint32_t i;

    (void)state;
    for (i = 0; i < 2; i++) {
        struct host *h = make("write-back waits for hit", BYW_MODE_BASE, 32);
        uint32_t reads;

        dirty_line(h, 1, 0, 4);
        host_do(h, BYW_OP_LOAD, 2, BYW_HINT_NONE);
        reads = (uint32_t)h->ev[BYW_EV_DATA_READ];
        h->rsp_percent = 0;
        host_send(h, BYW_OP_LOAD, 2, BYW_HINT_NONE);
        host_send(h, op[i], 1, BYW_HINT_NONE);
        idle_cycles(h, 50);
        assert_int_equal(h->ev[BYW_EV_DATA_READ], reads + 1); /* the hit's */
        h->rsp_percent = 100;
        host_cycle(h, NULL);
        assert_int_equal(h->ev[BYW_EV_DATA_READ], reads + 2);
        host_drain(h);
        host_free(h);
    }
}

/* FLUSH is answered after the last dirty line has left for memory. Before that, the line is in the
 * write-back register for one cycle and then in the queue until memory accepts it; neither state is
 * enough. */
static void flush_is_answered_after_the_last_dirty_line_left(void **state)
{
    struct host *h = make("flush answers last", BYW_MODE_BASE, 32);
    uint32_t id;

    (void)state;
    dirty_line(h, 1, 0, 4);
    h->req_percent = 0;
    id = host_send(h, BYW_OP_FLUSH, 0, BYW_HINT_NONE);
    idle_cycles(h, 200);
    assert_true(h->id[id].busy);
    assert_int_equal(h->ev[BYW_EV_MEM_WRITE], 0);
    h->req_percent = 100;
    while (h->id[id].busy) {
        bool left = h->ev[BYW_EV_MEM_WRITE] != 0; /* in an earlier cycle */

        host_cycle(h, NULL);
        assert_true(left || h->id[id].busy);
    }
    assert_int_equal(h->ev[BYW_EV_MEM_WRITE], 1);
    host_free(h);
}

/* A write-back carries only the bytes stored since the fill: another SM may have written the
 * others. */
static void write_back_carries_what_was_stored(void **state)
{
    struct host *h = make("write-back", BYW_MODE_BASE, 32);
    struct byw_byte_mask want = host_mask(8, 4), more = host_mask(100, 2);
    uint32_t writes = 0, id;

    (void)state;
    dirty_line(h, 1, 8, 4);
    dirty_line(h, 1, 100, 2);
    memset(h->mem[1], 0x77, 8); /* a store by another SM */
    memset(h->ref[1], 0x77, 8);
    want.w[0] |= more.w[0];
    want.w[1] |= more.w[1];
    id = host_send(h, BYW_OP_FLUSH, 0, BYW_HINT_NONE);
    while (h->id[id].busy) {
        host_cycle(h, NULL);
        if (!h->out.mem_req_valid)
            continue;
        writes++;
        assert_int_equal(h->out.mem_req.kind, BYW_MEM_WRITEBACK);
        assert_memory_equal(&h->out.mem_req.bytes, &want, sizeof(want));
    }
    assert_int_equal(writes, 1);
    assert_memory_equal(h->mem[1], h->ref[1], HOST_WHOLE);
    host_free(h);
}

/* Memory performs an atomic, so it must first get the line's dirty bytes. */
static void atomic_writes_dirty_bytes_back_first(void **state)
{
    struct host *h = make("atomic on a dirty line", BYW_MODE_BASE, 32);
    uint32_t kinds[4] = {0}, sent = 0, id;

    (void)state;
    dirty_line(h, 1, 0, 16);
    id = host_send(h, BYW_OP_ATOMIC, 1, BYW_HINT_NONE);
    while (h->id[id].busy) {
        host_cycle(h, NULL);
        if (h->out.mem_req_valid)
            kinds[sent++ % 4] = h->out.mem_req.kind;
    }
    assert_int_equal(sent, 2);
    assert_int_equal(kinds[0], BYW_MEM_WRITEBACK);
    assert_int_equal(kinds[1], BYW_MEM_BYPASS);
    assert_int_equal(used_ways(h), 0);
    host_free(h);
}

/* A load that evicts a dirty line is refused for two cycles, in which the line moves to the
 * write-back register and to the queue; both are counted, and delay the load. */
static void dirty_victim_costs_two_cycles(void **state)
{
    uint64_t cycles[2];
    uint32_t dirty;

    (void)state;
    for (dirty = 0; dirty < 2; dirty++) {
        struct host *h = make("dirty victim", BYW_MODE_BASE, 1);
        uint64_t line;

        for (line = 0; line < 4; line++)
            host_do(h, BYW_OP_LOAD, line, BYW_HINT_NONE);
        if (dirty != 0)
            dirty_line(h, 0, 0, 4);
        for (line = 1; line < 4; line++)
            host_do(h, BYW_OP_LOAD, line, BYW_HINT_NONE);
        cycles[dirty] = host_do(h, BYW_OP_LOAD, 4, BYW_HINT_NONE);
        assert_int_equal(h->ev[BYW_EV_MEM_WRITE], dirty);
        assert_int_equal(h->ev[BYW_EV_FAIL_MISS_QUEUE], 2 * dirty);
        host_free(h);
    }
    assert_int_equal(cycles[1], cycles[0] + 2);
}

/* A store to a line in flight counts as a hit on a pending line, neither as a hit nor as a miss. */
static void store_to_pending_counts_as_pending(void **state)
{
    static const uint8_t op[] = {BYW_OP_STORE, BYW_OP_LOCAL_STORE};
    int i;

    (void)state;
    for (i = 0; i < 2; i++) {
        struct host *h = make("store to a pending line", BYW_MODE_BASE, 32);

        host_send(h, BYW_OP_LOAD, 1, BYW_HINT_NONE);
        host_send(h, (enum byw_op)op[i], 1, BYW_HINT_NONE);
        host_drain(h);
        assert_int_equal(h->ev[BYW_EV_STORE], 1);
        assert_int_equal(h->ev[BYW_EV_MISS], 1); /* the load */
        assert_int_equal(h->ev[BYW_EV_HIT_PENDING], 1);
        assert_int_equal(h->ev[BYW_EV_HIT], 0);
        host_free(h);
    }
}

/* A merged load uses its line as a hit does: of four lines loaded in turn, the first is merged into
 * while in flight, so the second is least recently used. */
static void merging_touches_the_line(void **state)
{
    struct host *h = make("merging and LRU", BYW_MODE_BASE, 1);
    uint64_t line;

    (void)state;
    h->latency = 100;
    for (line = 0; line < 4; line++)
        host_send(h, BYW_OP_LOAD, line, BYW_HINT_NONE);
    host_send(h, BYW_OP_LOAD, 0, BYW_HINT_NONE);
    host_drain(h);
    assert_int_equal(h->ev[BYW_EV_HIT_PENDING], 1);
    host_do(h, BYW_OP_LOAD, 4, BYW_HINT_NONE);
    assert_int_equal(host_do(h, BYW_OP_LOAD, 0, BYW_HINT_NONE), 3);
    assert_true(host_do(h, BYW_OP_LOAD, 1, BYW_HINT_NONE) > 3);
    host_free(h);
}

/* A store that writes into its line uses the line, as a load does. */
static void an_updating_store_touches_the_line(void **state)
{
    static const uint8_t op[] = {BYW_OP_LOCAL_STORE, BYW_OP_STORE};
    int i;

    (void)state;
    for (i = 0; i < 2; i++) {
        struct byw_config c;
        struct host *h;
        uint64_t line;

        byw_config_defaults(&c);
        c.l1d_sets = 1;
        c.l1d_store_hit = BYW_STORE_UPDATE;
        h = host_new("storing and LRU", &c, host_seed(1));
        for (line = 0; line < 4; line++)
            host_do(h, BYW_OP_LOAD, line, BYW_HINT_NONE);
        host_do(h, (enum byw_op)op[i], 0, BYW_HINT_NONE);
        host_do(h, BYW_OP_LOAD, 4, BYW_HINT_NONE); /* takes the way of line 1 */
        assert_int_equal(host_do(h, BYW_OP_LOAD, 0, BYW_HINT_NONE), 3);
        assert_true(host_do(h, BYW_OP_LOAD, 1, BYW_HINT_NONE) > 3);
        host_free(h);
    }
}

/* An emptied set behaves like a new one: after four loads the line of the first load is the
 * victim. */
static void an_emptied_set_restarts_lru(void **state)
{
    struct host *h = make("LRU after INVALIDATE", BYW_MODE_BASE, 1);
    uint64_t line;

    (void)state;
    for (line = 0; line < 4; line++)
        host_do(h, BYW_OP_LOAD, 3 - line, BYW_HINT_NONE);
    host_do(h, BYW_OP_INVALIDATE, 0, BYW_HINT_NONE);
    for (line = 10; line < 14; line++)
        host_do(h, BYW_OP_LOAD, line, BYW_HINT_NONE);
    host_do(h, BYW_OP_LOAD, 10, BYW_HINT_NONE);
    host_do(h, BYW_OP_LOAD, 14, BYW_HINT_NONE); /* takes the way of line 11 */
    for (line = 12; line < 15; line++)
        assert_int_equal(host_do(h, BYW_OP_LOAD, line, BYW_HINT_NONE), 3);
    assert_int_equal(host_do(h, BYW_OP_LOAD, 10, BYW_HINT_NONE), 3);
    assert_true(host_do(h, BYW_OP_LOAD, 11, BYW_HINT_NONE) > 3);
    host_free(h);
}

/* The random number of the replacement policies changes after each allocated line and at no other
 * event, not even for a load that is refused for a long time. */
static void the_random_number_advances_only_when_a_line_is_placed(void **state)
{
    struct host *h = make("random number", BYW_MODE_BASE, 32);
    uint16_t want = BYW_REPL_SEED;
    uint64_t line;

    (void)state;
    h->latency = 300;
    for (line = 0; line < 40; line++) { /* more loads than there are MSHRs */
        host_send(h, BYW_OP_LOAD, line, BYW_HINT_NONE);
        want = byw_repl_next_random(want);
    }
    host_drain(h);
    assert_true(h->ev[BYW_EV_FAIL_MSHR] > 100);
    assert_int_equal(h->ev[BYW_EV_MISS], 40);
    assert_int_equal(h->l1d->repl.random, want);
    host_do(h, BYW_OP_LOAD, 39, BYW_HINT_NONE); /* hit */
    host_do(h, BYW_OP_LOAD, 90, BYW_HINT_BYPASS);
    host_do(h, BYW_OP_STORE, 39, BYW_HINT_NONE); /* takes the line from its fill */
    host_do(h, BYW_OP_ATOMIC, 38, BYW_HINT_NONE);
    host_do(h, BYW_OP_FLUSH, 0, BYW_HINT_NONE);
    host_do(h, BYW_OP_INVALIDATE, 0, BYW_HINT_NONE);
    assert_int_equal(h->l1d->repl.random, want);
    host_do(h, BYW_OP_LOAD, 39, BYW_HINT_NONE);
    assert_int_equal(h->l1d->repl.random, byw_repl_next_random(want));
    host_free(h);
}

/* The fill of a committed line fails. With the filter on, its tag stays as a candidate with its RC;
 * with the filter off there are no candidates, so nothing stays. */
static void failed_fill_keeps_a_candidate(void **state)
{
    uint32_t off;

    (void)state;
    for (off = 0; off < 2; off++) {
        struct host *h = make("failed fill", BYW_MODE_DECOUPLED, 32);

        host_do(h, BYW_OP_LOAD, 1, BYW_HINT_NONE); /* the tag is new, with RC 0 */
        h->error_line = 1;
        host_send(h, BYW_OP_LOAD, 1, BYW_HINT_CACHE); /* RC 1, commits at once */
        idle_cycles(h, 5);
        h->filter_on = off == 0;
        host_drain(h);
        h->filter_on = true;
        host_cycle(h, NULL);
        h->error_line = UINT64_MAX;
        assert_int_equal(h->ev[BYW_EV_COMMIT], 1);
        assert_int_equal(h->ev[BYW_EV_FILL], 0);
        assert_int_equal(used_ways(h), 0);
        /* RC 2 reaches the threshold; or the tag is new */
        host_do(h, BYW_OP_LOAD, 1, BYW_HINT_NONE);
        assert_int_equal(h->ev[BYW_EV_COMMIT], off == 0 ? 2 : 1);
        assert_int_equal(h->ev[BYW_EV_NEW_TAG], off == 0 ? 1 : 2);
        host_free(h);
    }
}

/* A flush examines a line in each cycle, set by set, and does not wait at a dirty one: write-backs
 * of lines that are 8 sets apart leave 8 times as many cycles apart as a set has ways, if memory
 * takes each at once. */
static void a_flush_does_not_wait_at_a_dirty_line(void **state)
{
    struct host *h = make("flush walks on", BYW_MODE_BASE, 32);
    uint64_t cycle[2] = {0, 0};
    uint32_t seen = 0;

    (void)state;
    h->req_percent = h->rsp_percent = 100;
    dirty_line(h, 1, 0, 4);
    dirty_line(h, 9, 0, 4);
    host_send(h, BYW_OP_FLUSH, 0, BYW_HINT_NONE);
    for (uint32_t i = 0; i < 1000 && seen < 2; i++) {
        host_cycle(h, NULL);
        if (h->out.mem_req_valid && h->out.mem_req.kind == BYW_MEM_WRITEBACK)
            cycle[seen++] = h->cycle;
    }
    assert_int_equal(seen, 2);
    assert_int_equal(cycle[1] - cycle[0], 8 * h->config.l1d_ways);
    host_drain(h);
    host_free(h);
}

/* A reset clears every request, in whichever register it is: here the steps of a write-back and of
 * its FLUSH, one cycle after the other. */
static void reset_during_a_write_back_leaves_nothing(void **state)
{
    struct byw_l1d_in in = {.rst = true};
    uint32_t at, i, in_register = 0;

    (void)state;
    for (at = 0; at < 20; at++) {
        struct host *h = make("reset in a write-back", BYW_MODE_BASE, 32);

        dirty_line(h, 1, 0, 4);
        h->req_percent = 0;
        host_send(h, BYW_OP_FLUSH, 0, BYW_HINT_NONE);
        idle_cycles(h, at);
        in_register += h->l1d->write.wb_valid;
        byw_l1d_tick(h->l1d, &in);
        for (i = 0; i < 20; i++) {
            struct byw_l1d_in none = {.rsp_ready = true};
            struct byw_l1d_out out;

            byw_l1d_step(h->l1d, &none, &none.ctrl, &out);
            assert_true(out.idle);
            assert_false(out.mem_req_valid || out.rsp_valid);
        }
        host_free(h);
    }
    assert_int_equal(in_register, 1);
}

/* Number of reads and writes of set records and lines by a request that follows a prelude of
 * others. */
static void accesses_to_records_and_lines_are_counted(void **state)
{
    static const struct {
        const char *name;
        uint8_t before[2]; /* requests to the line, BYW_OP_INVALIDATE: none */
        uint8_t op;
        bool fails;
        uint32_t tag_reads, tag_writes, data_reads, data_writes;
    } path[] = {
        {"load, absent", {5, 5}, BYW_OP_LOAD, false, 1, 1, 0, 1},
        {"load whose fill fails", {5, 5}, BYW_OP_LOAD, true, 1, 2, 0, 0},
        {"load, present", {BYW_OP_LOAD, 5}, BYW_OP_LOAD, false, 1, 1, 1, 0},
        {"store, absent", {5, 5}, BYW_OP_STORE, false, 1, 0, 0, 0},
        {"store, present: evicts", {BYW_OP_LOAD, 5}, BYW_OP_STORE, false, 1, 1, 0, 0},
        {"local store, present", {BYW_OP_LOAD, 5}, BYW_OP_LOCAL_STORE, false, 1, 1, 0, 1},
        {"atomic, absent", {5, 5}, BYW_OP_ATOMIC, false, 1, 0, 0, 0},
        {"atomic, dirty", {BYW_OP_LOAD, BYW_OP_LOCAL_STORE}, BYW_OP_ATOMIC, false, 1, 1, 1, 0},
        {"flush, clean", {BYW_OP_LOAD, 5}, BYW_OP_FLUSH, false, 0, 0, 0, 0},
        {"flush, dirty", {BYW_OP_LOAD, BYW_OP_LOCAL_STORE}, BYW_OP_FLUSH, false, 0, 0, 1, 0},
        {"invalidate", {BYW_OP_LOAD, 5}, BYW_OP_INVALIDATE, false, 0, 0, 0, 0},
    };
    size_t i, k;

    (void)state;
    assert_true(BYW_OP_INVALIDATE == 5);
    for (i = 0; i < sizeof(path) / sizeof(path[0]); i++) {
        struct host *h = make(path[i].name, BYW_MODE_BASE, 32);

        for (k = 0; k < 2; k++)
            if (path[i].before[k] != BYW_OP_INVALIDATE)
                host_do(h, (enum byw_op)path[i].before[k], 1, BYW_HINT_NONE);
        memset(h->ev, 0, sizeof(h->ev));
        h->error_line = path[i].fails ? 1 : UINT64_MAX;
        host_do(h, (enum byw_op)path[i].op, 1, BYW_HINT_NONE);
        if (h->ev[BYW_EV_TAG_READ] != path[i].tag_reads ||
            h->ev[BYW_EV_TAG_WRITE] != path[i].tag_writes ||
            h->ev[BYW_EV_DATA_READ] != path[i].data_reads ||
            h->ev[BYW_EV_DATA_WRITE] != path[i].data_writes)
            host_fail(h, "reads and writes of the arrays are not those of the path");
        host_free(h);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_write_back_waits_for_the_hit_that_uses_the_ram),
        cmocka_unit_test(flush_is_answered_after_the_last_dirty_line_left),
        cmocka_unit_test(write_back_carries_what_was_stored),
        cmocka_unit_test(atomic_writes_dirty_bytes_back_first),
        cmocka_unit_test(dirty_victim_costs_two_cycles),
        cmocka_unit_test(store_to_pending_counts_as_pending),
        cmocka_unit_test(merging_touches_the_line),
        cmocka_unit_test(an_updating_store_touches_the_line),
        cmocka_unit_test(accesses_to_records_and_lines_are_counted),
        cmocka_unit_test(an_emptied_set_restarts_lru),
        cmocka_unit_test(the_random_number_advances_only_when_a_line_is_placed),
        cmocka_unit_test(failed_fill_keeps_a_candidate),
        cmocka_unit_test(a_flush_does_not_wait_at_a_dirty_line),
        cmocka_unit_test(reset_during_a_write_back_leaves_nothing),
    };

    return cmocka_run_group_tests_name("l1d_rules", tests, NULL, NULL);
}
