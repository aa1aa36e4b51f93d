/* SPDX-License-Identifier: Apache-2.0
 *
 * The guarantees for integrators: empty byte masks, ids, answers from before a reset
 * (rtl/doc/l1d.md), and the order in which requests to one line leave (rtl/doc/ordering.md).
 * Combinational paths are in t_l1d_paths.c, dirty lines in t_l1d_dirty.c.
 */
#include "l1d/contract_rig.h"

/* ---- byte masks ----------------------------------------------------------------------------- */

static bool present(struct host *h)
{
    return host_do(h, BYW_OP_LOAD, 1, BYW_HINT_NONE) == 3;
}

/* A request without bytes is handled as usual: it fetches, drops, and is answered like any other.
 * It changes no byte and makes no line dirty. */
static void empty_mask_changes_no_byte(void **state)
{
    struct byw_byte_mask none = {{0, 0}};
    uint32_t sent[4];
    struct host *h = make("empty mask, no line", BYW_STORE_UPDATE);

    (void)state;
    do_bytes(h, BYW_OP_STORE, BYW_HINT_NONE, &none, sent);
    assert_int_equal(sent[BYW_MEM_STORE], 1); /* it is sent to memory and acknowledged */
    do_bytes(h, BYW_OP_LOAD, BYW_HINT_BYPASS, &none, sent);
    assert_int_equal(sent[BYW_MEM_BYPASS], 1);
    do_bytes(h, BYW_OP_LOAD, BYW_HINT_NONE, &none, sent);
    assert_int_equal(sent[BYW_MEM_FILL], 1); /* it fetches the whole line ... */
    assert_true(present(h)); /* ... and keeps it */
    do_bytes(h, BYW_OP_STORE, BYW_HINT_NONE, &none, sent);
    assert_int_equal(sent[BYW_MEM_STORE], 1);
    assert_true(present(h)); /* ... with its old bytes, which the host compares */
    do_bytes(h, BYW_OP_LOCAL_STORE, BYW_HINT_NONE, &none, sent);
    assert_int_equal(sent[BYW_MEM_STORE], 0);
    do_bytes(h, BYW_OP_FLUSH, BYW_HINT_NONE, &none, sent);
    assert_int_equal(sent[BYW_MEM_WRITEBACK], 0);
    do_bytes(h, BYW_OP_ATOMIC, BYW_HINT_NONE, &none, sent);
    assert_int_equal(sent[BYW_MEM_BYPASS], 1);
    assert_false(present(h)); /* an atomic drops the line whatever its byte mask */
    host_free(h);

    h = make("empty mask, write-evict", BYW_STORE_EVICT);
    host_do(h, BYW_OP_LOAD, 1, BYW_HINT_NONE);
    do_bytes(h, BYW_OP_STORE, BYW_HINT_NONE, &none, sent);
    assert_int_equal(sent[BYW_MEM_STORE], 1);
    assert_false(present(h));
    host_free(h);
}

/* In a sectored line a request without bytes accesses sector 0, one with bytes in two sectors the
 * lower of them. */
static void the_lowest_byte_of_a_mask_selects_the_sector(void **state)
{
    static const struct {
        uint32_t first, count, sector;
    } mask[] = {{0, 0, 0}, {40, 4, 1}, {63, 2, 1}, {127, 1, 3}};
    size_t i;

    (void)state;
    for (i = 0; i < sizeof(mask) / sizeof(mask[0]); i++) {
        struct byw_config c = small(BYW_MODE_BASE);
        struct byw_byte_mask bytes = host_mask(mask[i].first, mask[i].count), want;
        struct byw_l1d_in in = {.req_valid = true, .rsp_ready = true, .mem_req_ready = true};
        struct byw_l1d_out out;
        struct byw_l1d *l1d;
        struct byw_diag diag;
        uint32_t n;

        c.l1d_alloc = BYW_ALLOC_ON_FILL;
        c.l1d_sectors = 4;
        assert_int_equal(byw_l1d_create(&c, true, &l1d, &diag), BYW_OK);
        in.req.bytes = bytes;
        want = host_mask(mask[i].sector * 32, 32);
        for (n = 0; n < 10; n++) {
            byw_l1d_step(l1d, &in, &in.ctrl, &out);
            in.req_valid = false;
            if (out.mem_req_valid)
                break;
        }
        assert_true(out.mem_req_valid);
        assert_memory_equal(&out.mem_req.bytes, &want, sizeof(want));
        byw_l1d_free(l1d);
    }
}

/* ---- ids, and answers from before a reset ---------------------------------------------------- */

/* Ids are not compared: requests that share an id are each answered with it. Where an order is
 * promised (merged requests of one fill), the older request is answered first. */
static void ids_need_not_be_unique(void **state)
{
    struct byw_config c = small(BYW_MODE_BASE);
    struct byw_l1d_in in = {.rsp_ready = true, .mem_req_ready = true};
    struct byw_l1d_out out;
    struct byw_l1d *l1d;
    struct byw_diag diag;
    uint8_t data[HOST_WHOLE] = {0};
    uint32_t n, answers = 0;

    (void)state;
    assert_int_equal(byw_l1d_create(&c, true, &l1d, &diag), BYW_OK);
    for (n = 0; n < 60; n++) {
        in.req_valid = n < 4; /* a miss, a merge, a bypass, a store: all with id 9 */
        in.req = (struct byw_req){.op = n == 3 ? BYW_OP_STORE : BYW_OP_LOAD,
                                  .hint = n == 2 ? BYW_HINT_BYPASS : BYW_HINT_NONE,
                                  .line = n < 2 ? 1 : n,
                                  .bytes = host_mask(0, HOST_WHOLE),
                                  .data = data,
                                  .id = 9};
        byw_l1d_step(l1d, &in, &in.ctrl, &out);
        if (out.rsp_valid) {
            assert_int_equal(out.rsp.id, 9);
            answers++;
        }
        in.mem_rsp_valid = out.mem_req_valid;
        in.mem_rsp =
            (struct byw_mem_rsp){.data = data, .id = out.mem_req.id, .kind = out.mem_req.kind};
    }
    assert_int_equal(answers, 4);
    assert_true(out.idle);
    byw_l1d_free(l1d);
}

/* After a reset MSHR numbers start at 0 again, so an answer from before the reset would be taken
 * for that of a new miss: memory must not send one. */
static void answers_from_before_a_reset_match_new_requests(void **state)
{
    struct byw_config c = small(BYW_MODE_BASE);
    struct byw_l1d_in in = {.rsp_ready = true, .mem_req_ready = true};
    struct byw_l1d_in reset = {.rst = true};
    struct byw_l1d_out out;
    struct byw_l1d *l1d;
    struct byw_diag diag;
    uint8_t old[HOST_WHOLE];
    uint32_t n, round, old_id = 99;

    (void)state;
    memset(old, 0x0d, sizeof(old));
    assert_int_equal(byw_l1d_create(&c, true, &l1d, &diag), BYW_OK);
    for (round = 0; round < 2; round++) {
        for (n = 0; n < 8; n++) {
            in.req_valid = n == 0;
            in.req = (struct byw_req){
                .line = round + 1, .bytes = host_mask(0, HOST_WHOLE), .id = 40 + round};
            byw_l1d_step(l1d, &in, &in.ctrl, &out);
            if (out.mem_req_valid && round == 0)
                old_id = out.mem_req.id;
            else if (out.mem_req_valid)
                assert_int_equal(out.mem_req.id, old_id);
        }
        if (round == 0)
            byw_l1d_tick(l1d, &reset);
    }
    in.mem_rsp_valid = true;
    in.mem_rsp = (struct byw_mem_rsp){.data = old, .id = old_id, .kind = BYW_MEM_FILL};
    byw_l1d_step(l1d, &in, &in.ctrl, &out);
    in.mem_rsp_valid = false;
    byw_l1d_step(l1d, &in, &in.ctrl, &out);
    assert_true(out.rsp_valid && out.rsp.id == 41 && !out.rsp.error);
    assert_memory_equal(out.rsp.data, old, sizeof(old)); /* line 1's bytes for line 2 */
    byw_l1d_free(l1d);
}

/* ---- order ---------------------------------------------------------------------------------- */

/* Requests to one line leave in the order of acceptance, on any path; a write-back leaves directly
 * before the request that caused it. */
static void requests_for_one_line_leave_in_order(void **state)
{
    struct {
        uint8_t op, hint, kind;
    } row[] = {
        {BYW_OP_LOCAL_STORE, BYW_HINT_NONE, BYW_MEM_WRITEBACK}, /* written back by the next one */
        {BYW_OP_LOAD, BYW_HINT_VOLATILE, BYW_MEM_BYPASS},
        {BYW_OP_STORE, BYW_HINT_NONE, BYW_MEM_STORE},
        {BYW_OP_LOAD, BYW_HINT_NONE, BYW_MEM_FILL},
        {BYW_OP_ATOMIC, BYW_HINT_NONE, BYW_MEM_BYPASS},
        {BYW_OP_LOAD, BYW_HINT_BYPASS, BYW_MEM_BYPASS},
        {BYW_OP_LOAD, BYW_HINT_NONE, BYW_MEM_FILL},
        {BYW_OP_STORE, BYW_HINT_NONE, BYW_MEM_STORE},
    };
    enum { ROWS = sizeof(row) / sizeof(row[0]) };
    struct host *h = make("one line", BYW_STORE_EVICT);
    uint8_t kind[2 * ROWS];
    uint32_t i, sent = 0;

    (void)state;
    host_do(h, BYW_OP_LOCAL_LOAD, 1, BYW_HINT_NONE);
    h->req_percent = 0; /* so that all of them wait in the queue */
    for (i = 0; i < ROWS; i++)
        host_send(h, (enum byw_op)row[i].op, 1, (enum byw_hint)row[i].hint);
    for (i = 0; i < 20; i++)
        host_cycle(h, NULL);
    h->req_percent = 100;
    while (h->outstanding != 0) {
        host_cycle(h, NULL);
        if (h->out.mem_req_valid) {
            assert_true(sent < ROWS);
            kind[sent++] = h->out.mem_req.kind;
        }
    }
    assert_int_equal(sent, ROWS);
    for (i = 0; i < ROWS; i++)
        assert_int_equal(kind[i], row[i].kind);
    host_free(h);
}

/* A FLUSH is answered when everything older has left for memory, not when it is acknowledged;
 * INVALIDATE waits for nothing. */
static void flush_waits_for_the_queue_but_not_for_acknowledgements(void **state)
{
    struct host *h = make("flush", BYW_STORE_EVICT);
    uint32_t store, flush, drop;

    (void)state;
    h->latency = 100;
    h->req_percent = 0;
    store = host_send(h, BYW_OP_STORE, 1, BYW_HINT_NONE);
    drop = host_send(h, BYW_OP_INVALIDATE, 0, BYW_HINT_NONE);
    flush = host_send(h, BYW_OP_FLUSH, 0, BYW_HINT_NONE);
    while (h->cycle < 50)
        host_cycle(h, NULL);
    assert_false(h->id[drop].busy);
    assert_true(h->id[flush].busy);
    h->req_percent = 100;
    while (h->id[flush].busy)
        host_cycle(h, NULL);
    assert_true(h->id[store].busy); /* memory has accepted it but not acknowledged it */
    host_drain(h);
    host_free(h);
}

/* If memory refuses a store, the answer has an error; under write-update the line already has the
 * bytes and keeps them. */
static void a_store_that_memory_rejects_stays_in_the_line(void **state)
{
    struct byw_config c = small(BYW_MODE_BASE);
    struct byw_l1d_in in = {.rsp_ready = true, .mem_req_ready = true};
    struct byw_l1d_out out;
    struct byw_l1d *l1d;
    struct byw_diag diag;
    uint8_t old[HOST_WHOLE] = {0}, data[HOST_WHOLE];
    uint32_t n, answers = 0;

    (void)state;
    memset(data, 0x77, sizeof(data));
    assert_int_equal(byw_l1d_create(&c, true, &l1d, &diag), BYW_OK);
    for (n = 0; n < 60; n++) {
        in.req_valid = n % 20 == 0; /* load, store, load */
        in.req = (struct byw_req){.op = n == 20 ? BYW_OP_STORE : BYW_OP_LOAD,
                                  .line = 1,
                                  .bytes = host_mask(0, HOST_WHOLE),
                                  .data = data};
        byw_l1d_step(l1d, &in, &in.ctrl, &out);
        if (out.rsp_valid) {
            answers++;
            assert_int_equal(out.rsp.error, answers == 2);
            if (answers == 3) {
                assert_int_equal(out.rsp.served, BYW_SERVED_HIT);
                assert_memory_equal(out.rsp.data, data, sizeof(data));
            }
        }
        in.mem_rsp_valid = out.mem_req_valid;
        in.mem_rsp = (struct byw_mem_rsp){.data = old,
                                          .id = out.mem_req.id,
                                          .kind = out.mem_req.kind,
                                          .error = out.mem_req.kind == BYW_MEM_STORE};
    }
    assert_int_equal(answers, 3);
    byw_l1d_free(l1d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_mask_changes_no_byte),
        cmocka_unit_test(the_lowest_byte_of_a_mask_selects_the_sector),
        cmocka_unit_test(ids_need_not_be_unique),
        cmocka_unit_test(answers_from_before_a_reset_match_new_requests),
        cmocka_unit_test(requests_for_one_line_leave_in_order),
        cmocka_unit_test(flush_waits_for_the_queue_but_not_for_acknowledgements),
        cmocka_unit_test(a_store_that_memory_rejects_stays_in_the_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
