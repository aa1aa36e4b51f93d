/* SPDX-License-Identifier: Apache-2.0
 *
 * t_lane_coalescer_answers - what follows a request, compared with values worked out by hand:
 * responses at the lanes, the signals for stores, errors and idleness, and back-pressure
 * (rtl/doc/lane_coalescer.md).
 *
 * An instruction accepted in cycle t is in s1 in t+1 and, if nothing stalls, in s2 in t+2.
 */
#include <string.h>

#include "common/test.h"
#include "top/byw_lane_coalescer.h"

enum { LANES = 4, LINE = 32, SLOTS = 2 };

struct rig {
    struct byw_lane_coalescer c;
    struct byw_lane_coalescer_in in;
    struct byw_lane_coalescer_out out;
    uint8_t line[LINE]; /* byte i is 0x10 + i */
};

static void start(struct rig *r)
{
    const struct byw_lane_coalescer_config cfg = {LANES, 2, LINE, SLOTS, 0};

    memset(r, 0, sizeof(*r));
    assert_int_equal(byw_lane_coalescer_init(&r->c, &cfg), BYW_OK);
    r->in.req_ready = r->in.out_ready = true;
    for (uint32_t i = 0; i < LINE; i++)
        r->line[i] = (uint8_t)(0x10 + i);
}

static void cycle(struct rig *r)
{
    byw_lane_coalescer_eval(&r->c, &r->in, &r->out);
    byw_lane_coalescer_tick(&r->c, &r->in);
    r->in.in_valid = r->in.rsp_valid = false;
}

/* Offers an instruction, which is accepted in this cycle. */
static void give(struct rig *r, uint8_t op, uint32_t warp, uint32_t lanes, const uint32_t addr[])
{
    r->in.in_valid = true;
    r->in.in = (struct byw_warp_access){.op = op, .lanes = lanes, .warp = warp};
    memcpy(r->in.in.addr, addr, LANES * sizeof(addr[0]));
    for (uint32_t i = 0; i < LANES; i++)
        r->in.in.data[i] = 0xa0b0c0d0U + i;
    cycle(r);
    assert_true(r->out.in_ready);
}

/* Offers the response to request `id`; returns whether it is accepted in this cycle. */
static bool answer(struct rig *r, uint32_t id, bool error)
{
    r->in.rsp_valid = true;
    r->in.rsp = (struct byw_rsp){.id = id, .data = r->line, .error = error};
    cycle(r);
    return r->out.rsp_ready;
}

static const uint32_t one_line[LANES] = {0x04, 0x00, 0x08, 0x1c};
static const uint32_t two_lines[LANES] = {0x04, 0x20, 0x08, 0x1c}; /* lane 1 alone in the second */

static void each_lane_gets_the_word_of_its_address(void **state)
{
    struct rig r;

    (void)state;
    start(&r);
    give(&r, BYW_OP_LOAD, 1, 0xb, one_line);
    cycle(&r);
    cycle(&r);
    assert_true(r.out.req_valid);
    assert_int_equal(r.out.req.bytes.w[0], 0xf00000ffU); /* lane 2 is inactive */
    assert_true(answer(&r, r.out.req.id, false));
    assert_false(r.out.out_valid);
    cycle(&r);
    assert_true(r.out.out_valid && r.out.out_last);
    assert_int_equal(r.out.out_warp, 1);
    assert_int_equal(r.out.out_lanes, 0xb);
    assert_int_equal(r.out.out_data[0], 0x17161514U);
    assert_int_equal(r.out.out_data[1], 0x13121110U);
    assert_int_equal(r.out.out_data[3], 0x2f2e2d2cU);
    cycle(&r);
    assert_false(r.out.out_valid);
    byw_lane_coalescer_release(&r.c);
}

static void a_byte_is_zero_extended(void **state)
{
    const uint32_t addr[LANES] = {0x05, 0x1f, 0x08, 0x02};
    struct rig r;

    (void)state;
    start(&r);
    r.in.in_valid = true;
    r.in.in = (struct byw_warp_access){.op = BYW_OP_LOAD, .byte = true, .lanes = 0xf};
    memcpy(r.in.in.addr, addr, sizeof(addr));
    cycle(&r);
    cycle(&r);
    cycle(&r);
    assert_int_equal(r.out.req.bytes.w[0], 1U << 0x05 | 1U << 0x1f | 1U << 0x08 | 1U << 0x02);
    assert_true(answer(&r, r.out.req.id, false));
    cycle(&r);
    for (uint32_t i = 0; i < LANES; i++)
        assert_int_equal(r.out.out_data[i], 0x10 + addr[i]);
    byw_lane_coalescer_release(&r.c);
}

/* A word store writes the four bytes of each active lane, a byte store the lowest byte of the
 * lane's data; other bytes of the request are 0. */
static void a_store_carries_the_bytes_of_its_active_lanes(void **state)
{
    const uint32_t addr[LANES] = {0x06, 0x00, 0x10, 0x00};
    struct rig r;

    (void)state;
    for (uint32_t byte = 0; byte < 2; byte++) {
        uint8_t want[LINE] = {0};

        start(&r);
        r.in.in_valid = true;
        r.in.in = (struct byw_warp_access){.op = BYW_OP_STORE, .byte = byte != 0, .lanes = 0x5};
        memcpy(r.in.in.addr, addr, sizeof(addr));
        r.in.in.addr[0] -= byte != 0 ? 0 : 2; /* words are aligned */
        r.in.in.data[0] = 0x04030201;
        r.in.in.data[1] = 0xffffffff;
        r.in.in.data[2] = 0x0d0c0b0a;
        if (byte != 0) {
            want[0x06] = 0x01;
            want[0x10] = 0x0a;
        } else {
            memcpy(want + 0x04, "\1\2\3\4", 4);
            memcpy(want + 0x10, "\12\13\14\15", 4);
        }
        cycle(&r);
        cycle(&r);
        cycle(&r);
        assert_int_equal(r.out.req.bytes.w[0], byte != 0 ? 0x00010040 : 0x000f00f0);
        assert_memory_equal(r.out.req_data, want, LINE);
        byw_lane_coalescer_release(&r.c);
    }
}

/* The last response of a warp completes it, whatever the order of the responses. A store of the
 * same warp does not delay that. */
static void a_warp_is_complete_with_its_last_lane(void **state)
{
    struct rig r;

    (void)state;
    start(&r);
    give(&r, BYW_OP_LOAD, 0, 0x3, two_lines);
    cycle(&r);
    give(&r, BYW_OP_STORE, 0, 0x8, one_line); /* a store after the second request */
    cycle(&r);
    assert_int_equal(r.out.req.id, 1);
    assert_true(answer(&r, 1, false));
    cycle(&r);
    assert_true(r.out.out_valid && !r.out.out_last);
    assert_int_equal(r.out.out_lanes, 0x2);
    assert_true(answer(&r, 0, false));
    cycle(&r);
    assert_true(r.out.out_valid && r.out.out_last);
    assert_int_equal(r.out.out_lanes, 0x1);
    byw_lane_coalescer_release(&r.c);
}

/* Bit w of stores_o: from the cycle after the acceptance of a store of warp w, in s1, in s2 and in
 * flight, up to the cycle of its acknowledgement. */
static void a_store_is_shown_until_it_is_acknowledged(void **state)
{
    struct rig r;

    (void)state;
    for (uint32_t warp = 0; warp < 2; warp++) {
        start(&r);
        r.in.req_ready = false;
        give(&r, BYW_OP_STORE, warp, 0x1, one_line);
        assert_int_equal(r.out.stores, 0);
        for (uint32_t i = 0; i < 5; i++) {
            cycle(&r);
            assert_int_equal(r.out.stores, 1U << warp); /* s1, then s2 */
        }
        r.in.req_ready = true;
        for (uint32_t i = 0; i < 5; i++) {
            cycle(&r);
            assert_int_equal(r.out.stores, 1U << warp); /* in flight */
        }
        assert_true(answer(&r, 0, false));
        assert_int_equal(r.out.stores, 1U << warp);
        cycle(&r);
        assert_int_equal(r.out.stores, 0);
        assert_false(r.out.out_valid);
        byw_lane_coalescer_release(&r.c);
    }
}

static void loads_and_atomics_are_no_stores(void **state)
{
    static const uint8_t op[] = {BYW_OP_LOAD, BYW_OP_ATOMIC};
    struct rig r;

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        start(&r);
        r.in.req_ready = false;
        give(&r, op[i], 1, 0x1, one_line);
        for (uint32_t n = 0; n < 8; n++) {
            cycle(&r);
            assert_int_equal(r.out.stores, 0);
            r.in.req_ready = n > 3;
        }
        byw_lane_coalescer_release(&r.c);
    }
}

/* While a word waits at `out`, no other response of a load is accepted; an acknowledgement is. */
static void only_acknowledgements_pass_a_waiting_word(void **state)
{
    struct rig r;

    (void)state;
    start(&r);
    give(&r, BYW_OP_LOAD, 0, 0x3, two_lines);
    cycle(&r);
    cycle(&r);
    cycle(&r);
    r.in.out_ready = false;
    assert_true(answer(&r, 0, false));
    assert_false(answer(&r, 1, false));
    assert_true(r.out.out_valid && r.out.out_lanes == 0x1);
    give(&r, BYW_OP_STORE, 1, 0x1, one_line);
    cycle(&r);
    cycle(&r);
    assert_true(r.out.req_valid && r.out.req.id == 0); /* the slot that is free again */
    assert_true(answer(&r, 0, false));
    assert_false(answer(&r, 1, false));
    r.in.out_ready = true;
    assert_true(answer(&r, 1, false)); /* accepted in the cycle in which the word leaves */
    cycle(&r);
    assert_true(r.out.out_valid && r.out.out_lanes == 0x2);
    byw_lane_coalescer_release(&r.c);
}

/* The cycle after an accepted response with an error; one that waits raises none. */
static void an_error_is_one_pulse(void **state)
{
    struct rig r;

    (void)state;
    start(&r);
    give(&r, BYW_OP_LOAD, 0, 0x3, two_lines);
    cycle(&r);
    cycle(&r);
    cycle(&r);
    assert_true(answer(&r, 0, true));
    assert_false(r.out.error);
    r.in.out_ready = false;
    cycle(&r);
    assert_true(r.out.error);
    assert_false(answer(&r, 1, true));
    assert_false(r.out.error);
    r.in.out_ready = true;
    assert_true(answer(&r, 1, false));
    assert_false(r.out.error);
    cycle(&r);
    assert_false(r.out.error);
    byw_lane_coalescer_release(&r.c);
}

/* An instruction in s1, in s2 or in flight, or a word at `out`: not idle. */
static void idle_means_that_nothing_is_inside(void **state)
{
    struct rig r;

    (void)state;
    start(&r);
    r.in.req_ready = false;
    cycle(&r);
    assert_true(r.out.idle);
    give(&r, BYW_OP_LOAD, 0, 0x1, one_line);
    assert_true(r.out.idle);
    cycle(&r);
    assert_false(r.out.idle); /* s1 */
    cycle(&r);
    assert_false(r.out.idle); /* s2 */
    r.in.req_ready = true;
    cycle(&r);
    assert_false(r.out.idle);
    cycle(&r);
    assert_false(r.out.idle); /* in flight */
    r.in.out_ready = false;
    assert_true(answer(&r, 0, false));
    cycle(&r);
    assert_true(r.out.out_valid && !r.out.idle);
    r.in.out_ready = true;
    cycle(&r);
    cycle(&r);
    assert_true(r.out.idle);
    byw_lane_coalescer_release(&r.c);
}

/* A waiting request keeps its id, even if a lower slot becomes free. */
static void a_waiting_request_keeps_its_slot(void **state)
{
    struct rig r;

    (void)state;
    start(&r);
    give(&r, BYW_OP_LOAD, 0, 0x1, one_line);
    give(&r, BYW_OP_LOAD, 1, 0x1, one_line);
    cycle(&r);
    assert_int_equal(r.out.req.id, 0);
    r.in.req_ready = false;
    cycle(&r);
    assert_true(r.out.req_valid && r.out.req.id == 1);
    assert_true(answer(&r, 0, false));
    cycle(&r);
    assert_true(r.out.req_valid && r.out.req.id == 1);
    byw_lane_coalescer_release(&r.c);
}

/* An instruction is accepted if s1 is empty, or in the cycle in which the last request of the
 * previous one moves into s2. */
static void the_next_instruction_follows_the_last_request(void **state)
{
    struct rig r;

    (void)state;
    start(&r);
    give(&r, BYW_OP_LOAD, 0, 0x3, two_lines);
    cycle(&r);
    assert_false(r.out.in_ready); /* the second request stays in s1 */
    r.in.req_ready = false;
    cycle(&r);
    assert_false(r.out.in_ready); /* the first one waits in s2 */
    r.in.req_ready = true;
    cycle(&r);
    assert_true(r.out.in_ready);
    cycle(&r);
    assert_true(r.out.in_ready);
    byw_lane_coalescer_release(&r.c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_lane_gets_the_word_of_its_address),
        cmocka_unit_test(a_byte_is_zero_extended),
        cmocka_unit_test(a_store_carries_the_bytes_of_its_active_lanes),
        cmocka_unit_test(a_warp_is_complete_with_its_last_lane),
        cmocka_unit_test(a_store_is_shown_until_it_is_acknowledged),
        cmocka_unit_test(loads_and_atomics_are_no_stores),
        cmocka_unit_test(only_acknowledgements_pass_a_waiting_word),
        cmocka_unit_test(an_error_is_one_pulse),
        cmocka_unit_test(idle_means_that_nothing_is_inside),
        cmocka_unit_test(a_waiting_request_keeps_its_slot),
        cmocka_unit_test(the_next_instruction_follows_the_last_request),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
