/* SPDX-License-Identifier: Apache-2.0
 *
 * Parity of the data store (rtl/doc/data_store.md) and of the tags (rtl/doc/tag_store.md): the
 * effect of a flipped bit on loads, stores and write-backs.
 */
#include "l1d/byw_l1d_state.h"
#include "l1d/contract_rig.h"
#include "l1d/hand.h"

enum {
    LINE = 1,
    SAME_SET = 3, /* another line of its set */
    OTHER_SET = 2,
    BITS = 9 /* of a byte and its parity */
};

struct seen {
    uint32_t hits, write_backs; /* pulses; the second also for fills that are not installed */
    uint8_t written[4]; /* the first bytes of the last write-back */
};

/* A cache with parity that holds line 1, all bytes 0x11. */
static struct hand with_line_of(uint32_t alloc)
{
    struct byw_config c = small(BYW_MODE_BASE);
    struct hand h;

    c.port.parity = 1;
    c.l1d_alloc = alloc;
    h = hand_new(&c);
    memset(h.data, 0x11, sizeof(h.data));
    hand_ask(&h, BYW_OP_LOAD, LINE, BYW_HINT_NONE, 7);
    hand_until(&h, 10);
    assert_int_equal(h.fetches, 1);
    hand_answer(&h, BYW_MEM_FILL, h.fetch[0].id);
    hand_until(&h, 20);
    assert_int_equal(h.rsp.served, BYW_SERVED_FILL);
    return h;
}

static struct hand with_line(void)
{
    return with_line_of(BYW_ALLOC_ON_MISS);
}

/* Flips a bit of the line in whichever way holds it. */
static void flip(struct hand *h, uint32_t byte, uint32_t bit)
{
    const struct byw_geometry *geo = &h->l1d->policy.loc.geo;

    for (uint32_t way = 0; way < geo->data_ways; way++)
        byw_data_store_flip(&h->l1d->lines, LINE * geo->data_ways + way, byte, bit);
}

/* A request and the 20 cycles after it. */
static struct seen run_line(struct hand *h, enum byw_op op, uint64_t line)
{
    struct seen seen = {0};

    h->fetches = 0;
    h->rsp.id = 0;
    hand_ask(h, op, line, BYW_HINT_NONE, 8);
    for (int i = 0; i < 20; i++) {
        hand_cycle(h);
        seen.hits += (h->out.parity & BYW_PARITY_HIT) != 0;
        seen.write_backs += (h->out.parity & BYW_PARITY_WRITEBACK) != 0;
        if (h->out.mem_req_valid && h->out.mem_req.kind == BYW_MEM_WRITEBACK)
            memcpy(seen.written, h->out.mem_req.data, sizeof(seen.written));
    }
    return seen;
}

static struct seen run(struct hand *h, enum byw_op op)
{
    return run_line(h, op, LINE);
}

static void expect_hit(struct hand *h, bool fails)
{
    struct seen seen = run(h, BYW_OP_LOAD);

    assert_int_equal(h->rsp.id, 8);
    assert_int_equal(h->rsp.served, BYW_SERVED_HIT);
    assert_int_equal(h->rsp.error, fails);
    assert_int_equal(seen.hits, fails);
    assert_int_equal(seen.write_backs, 0);
}

static void each_flipped_bit_fails_a_hit_of_its_line(void **state)
{
    static const uint32_t bytes[] = {0, 3, 4, 127}; /* the load asks for bytes 0 to 3 */

    (void)state;
    for (size_t i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++)
        for (uint32_t bit = 0; bit < BITS; bit++) {
            struct hand h = with_line();

            expect_hit(&h, false);
            flip(&h, bytes[i], bit);
            expect_hit(&h, true);
            byw_l1d_free(h.l1d);
        }
}

/* One parity bit finds an odd number of flips. */
static void two_flips_of_a_byte_are_not_found(void **state)
{
    struct hand h = with_line();

    (void)state;
    flip(&h, 2, 0);
    flip(&h, 2, 5);
    expect_hit(&h, false);
    assert_int_equal(h.rsp.data[2], 0x11 ^ 0x21);
    flip(&h, 3, 0); /* a flip in another byte is found */
    expect_hit(&h, true);
    byw_l1d_free(h.l1d);
}

static void the_line_fails_until_it_is_dropped(void **state)
{
    struct hand h = with_line();

    (void)state;
    flip(&h, 100, 8);
    expect_hit(&h, true);
    expect_hit(&h, true);
    run(&h, BYW_OP_INVALIDATE);
    assert_int_equal(h.rsp.error, false);
    run(&h, BYW_OP_LOAD);
    assert_int_equal(h.fetches, 1);
    hand_answer(&h, BYW_MEM_FILL, h.fetch[0].id);
    hand_until(&h, h.cycle + 5);
    assert_int_equal(h.rsp.error, false);
    expect_hit(&h, false);
    byw_l1d_free(h.l1d);
}

/* A store writes bytes 0 to 3 with their parity and leaves the others as they are. */
static void a_store_repairs_the_bytes_that_it_writes(void **state)
{
    struct hand h = with_line();

    (void)state;
    flip(&h, 2, 4);
    run(&h, BYW_OP_LOCAL_STORE);
    assert_int_equal(h.rsp.error, false);
    expect_hit(&h, false);
    flip(&h, 4, 4);
    run(&h, BYW_OP_LOCAL_STORE);
    assert_int_equal(h.rsp.error, false);
    expect_hit(&h, true);
    byw_l1d_free(h.l1d);
}

/* Only dirty bytes are written back; clean ones of the line do not count. */
static void wrong_bytes_are_written_back_and_reported(void **state)
{
    struct hand h = with_line();
    struct seen seen;

    (void)state;
    run(&h, BYW_OP_LOCAL_STORE); /* bytes 1, 2, 3, 4 */
    flip(&h, 4, 0);
    seen = run(&h, BYW_OP_FLUSH);
    assert_int_equal(seen.write_backs, 0);
    run(&h, BYW_OP_LOCAL_STORE);
    flip(&h, 2, 7);
    seen = run(&h, BYW_OP_FLUSH);
    assert_int_equal(seen.write_backs, 1);
    assert_int_equal(seen.hits, 0);
    assert_int_equal(seen.written[1], 2);
    assert_int_equal(seen.written[2], 3 ^ 0x80);
    byw_l1d_free(h.l1d);
}

/* The tag way of a line that the cache holds. */
static uint32_t tag_of(const struct hand *h, uint64_t line)
{
    const struct byw_geometry *geo = &h->l1d->policy.loc.geo;
    uint32_t set = byw_set_index(geo, line);
    int tag = byw_set_match(geo, byw_tag_store_set(&h->l1d->tags, set), byw_set_key(geo, line));

    assert_int_not_equal(tag, BYW_NONE);
    return (uint32_t)tag;
}

static void flip_tag_in(struct hand *h, struct byw_tag_mask *wrong)
{
    byw_tag_store_flip(wrong, byw_set_index(&h->l1d->policy.loc.geo, LINE), tag_of(h, LINE));
}

static void flip_tag_of_line(struct hand *h)
{
    flip_tag_in(h, h->l1d->tags.wrong);
}

/* The request is answered with an error and a pulse, and nothing goes to memory. */
static void expect_bad_tag(struct hand *h, enum byw_op op, uint64_t line)
{
    struct seen seen = run_line(h, op, line);

    assert_int_equal(h->rsp.id, 8);
    assert_int_equal(h->rsp.served,
                     byw_op_is_store((uint8_t)op) ? BYW_SERVED_STORE : BYW_SERVED_HIT);
    assert_int_equal(h->rsp.error, true);
    assert_int_equal(seen.hits, 1);
    assert_int_equal(seen.write_backs, 0);
    assert_int_equal(h->fetches, 0);
}

static void a_request_to_a_set_with_a_wrong_tag_fails_and_changes_nothing(void **state)
{
    static const uint8_t ops[] = {BYW_OP_LOAD, BYW_OP_STORE, BYW_OP_LOCAL_LOAD, BYW_OP_LOCAL_STORE,
                                  BYW_OP_ATOMIC};

    (void)state;
    for (size_t i = 0; i < sizeof(ops); i++) {
        struct hand h = with_line();

        flip_tag_of_line(&h);
        expect_bad_tag(&h, ops[i], LINE);
        expect_bad_tag(&h, ops[i], SAME_SET);
        expect_bad_tag(&h, BYW_OP_LOAD, LINE); /* the second attempt also fails */
        flip_tag_of_line(&h); /* the same bit: the tag is right again, and the line as before */
        expect_hit(&h, false);
        assert_int_equal(h.rsp.data[0], 0x11);
        byw_l1d_free(h.l1d);
    }
}

static void other_sets_do_not_notice_a_wrong_tag(void **state)
{
    struct hand h = with_line();
    struct seen seen;

    (void)state;
    flip_tag_of_line(&h);
    seen = run_line(&h, BYW_OP_LOAD, OTHER_SET);
    assert_int_equal(seen.hits, 0);
    assert_int_equal(h.fetches, 1);
    byw_l1d_free(h.l1d);
}

/* The address of a dirty line does not come from its tag. */
static void flush_saves_dirty_bytes_and_invalidate_repairs_the_set(void **state)
{
    struct hand h = with_line();

    (void)state;
    run(&h, BYW_OP_LOCAL_STORE); /* bytes 1, 2, 3, 4 */
    flip_tag_of_line(&h);
    expect_bad_tag(&h, BYW_OP_LOAD, LINE);
    run(&h, BYW_OP_FLUSH);
    assert_int_equal(h.rsp.error, false);
    assert_int_equal(h.fetches, 1);
    assert_int_equal(h.fetch[0].kind, BYW_MEM_WRITEBACK);
    assert_int_equal(h.fetch[0].line, LINE);
    assert_int_equal(h.fetch[0].bytes.w[0], 0xf);
    expect_bad_tag(&h, BYW_OP_LOAD, LINE);
    run(&h, BYW_OP_INVALIDATE);
    assert_int_equal(h.rsp.error, false);
    run(&h, BYW_OP_LOAD);
    assert_int_equal(h.fetches, 1);
    hand_answer(&h, BYW_MEM_FILL, h.fetch[0].id);
    hand_until(&h, h.cycle + 5);
    assert_int_equal(h.rsp.error, false);
    expect_hit(&h, false);
    byw_l1d_free(h.l1d);
}

static void the_tag_of_an_empty_way_may_be_wrong(void **state)
{
    struct hand h = with_line();
    const struct byw_geometry *geo = &h.l1d->policy.loc.geo;

    (void)state;
    for (uint32_t tag = 0; tag < geo->tag_ways; tag++)
        if (tag != tag_of(&h, LINE))
            byw_tag_store_flip(h.l1d->tags.wrong, byw_set_index(geo, LINE), tag);
    expect_hit(&h, false);
    run_line(&h, BYW_OP_LOAD, SAME_SET); /* writes a tag, with its parity */
    assert_int_equal(h.fetches, 1);
    hand_answer(&h, BYW_MEM_FILL, h.fetch[0].id);
    hand_until(&h, h.cycle + 5);
    expect_hit(&h, false);
    byw_l1d_free(h.l1d);
}

/* A load that bypasses without a look at the tags. */
static void a_load_in_bypass_mode_does_not_notice_a_wrong_tag(void **state)
{
    struct hand h = with_line();
    struct seen seen;

    (void)state;
    flip_tag_of_line(&h);
    h.in.ctrl.bypass = true;
    seen = run(&h, BYW_OP_LOAD);
    assert_int_equal(seen.hits, 0);
    assert_int_equal(h.fetches, 1);
    assert_int_equal(h.fetch[0].kind, BYW_MEM_BYPASS);
    byw_l1d_free(h.l1d);
}

/* A load of a line of the same set, with its fill: pulses of the fill. */
static uint32_t fetch_same_set(struct hand *h)
{
    uint32_t pulses = 0;

    run_line(h, BYW_OP_LOAD, SAME_SET);
    assert_int_equal(h->fetches, 1);
    hand_answer(h, BYW_MEM_FILL, h->fetch[0].id);
    for (int i = 0; i < 6; i++) {
        hand_cycle(h);
        pulses += (h->out.parity & BYW_PARITY_FILL) != 0;
    }
    assert_int_equal(h->rsp.served, BYW_SERVED_FILL);
    assert_int_equal(h->rsp.error, false);
    return pulses;
}

static void on_fill_a_request_to_a_wrong_tag_fails_until_the_set_is_dropped(void **state)
{
    struct hand h = with_line_of(BYW_ALLOC_ON_FILL);

    (void)state;
    expect_hit(&h, false);
    flip_tag_of_line(&h);
    expect_bad_tag(&h, BYW_OP_LOAD, LINE);
    expect_bad_tag(&h, BYW_OP_STORE, SAME_SET);
    expect_bad_tag(&h, BYW_OP_ATOMIC, LINE);
    run(&h, BYW_OP_INVALIDATE);
    assert_int_equal(h.rsp.error, false);
    assert_int_equal(fetch_same_set(&h), 0);
    byw_l1d_free(h.l1d);
}

/* The fill has the other copy of the record, which it writes into both. */
static void on_fill_the_next_fill_of_the_set_repairs_the_tags_of_requests(void **state)
{
    struct hand h = with_line_of(BYW_ALLOC_ON_FILL);

    (void)state;
    run_line(&h, BYW_OP_LOAD, SAME_SET); /* its fill is in flight */
    assert_int_equal(h.fetches, 1);
    flip_tag_of_line(&h);
    expect_bad_tag(&h, BYW_OP_LOAD, LINE);
    hand_answer(&h, BYW_MEM_FILL, h.fetch[0].id);
    hand_until(&h, h.cycle + 5);
    expect_hit(&h, false);
    byw_l1d_free(h.l1d);
}

static void on_fill_a_fill_beside_a_wrong_tag_is_not_installed(void **state)
{
    struct hand h = with_line_of(BYW_ALLOC_ON_FILL);

    (void)state;
    flip_tag_in(&h, h.l1d->tags.wrong_fill);
    assert_int_equal(fetch_same_set(&h), 1);
    assert_int_equal(fetch_same_set(&h), 1); /* it was not kept */
    expect_hit(&h, false); /* requests have the right copy, and write it into both */
    assert_int_equal(fetch_same_set(&h), 0);
    run_line(&h, BYW_OP_LOAD, SAME_SET);
    assert_int_equal(h.fetches, 0);
    byw_l1d_free(h.l1d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_flipped_bit_fails_a_hit_of_its_line),
        cmocka_unit_test(two_flips_of_a_byte_are_not_found),
        cmocka_unit_test(the_line_fails_until_it_is_dropped),
        cmocka_unit_test(a_store_repairs_the_bytes_that_it_writes),
        cmocka_unit_test(wrong_bytes_are_written_back_and_reported),
        cmocka_unit_test(a_request_to_a_set_with_a_wrong_tag_fails_and_changes_nothing),
        cmocka_unit_test(other_sets_do_not_notice_a_wrong_tag),
        cmocka_unit_test(flush_saves_dirty_bytes_and_invalidate_repairs_the_set),
        cmocka_unit_test(the_tag_of_an_empty_way_may_be_wrong),
        cmocka_unit_test(a_load_in_bypass_mode_does_not_notice_a_wrong_tag),
        cmocka_unit_test(on_fill_a_request_to_a_wrong_tag_fails_until_the_set_is_dropped),
        cmocka_unit_test(on_fill_the_next_fill_of_the_set_repairs_the_tags_of_requests),
        cmocka_unit_test(on_fill_a_fill_beside_a_wrong_tag_is_not_installed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
