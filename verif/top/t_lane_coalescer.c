/* SPDX-License-Identifier: Apache-2.0
 *
 * t_lane_coalescer - the requests of one instruction, worked out by hand: which lane leads, which
 * lanes share its request, and which request continues the access before
 * (rtl/doc/lane_coalescer.md, Behaviour and Beats).
 */
#include <string.h>

#include "common/test.h"
#include "top/byw_lane_coalescer.h"

enum { LANES = 4, LINE = 32, REQUESTS = 8 };

struct sent {
    uint32_t line, beat, more, cycle;
    uint64_t bytes;
};

/* Collects the requests of one instruction, each accepted at once; returns their number. */
static uint32_t send(uint32_t beat_bytes, uint8_t op, const uint32_t addr[], struct sent sent[])
{
    struct byw_lane_coalescer c;
    const struct byw_lane_coalescer_config cfg = {LANES, 2, LINE, REQUESTS, beat_bytes};
    struct byw_lane_coalescer_in in = {.in_valid = true, .req_ready = true, .out_ready = true};
    struct byw_lane_coalescer_out out;
    uint32_t n = 0, cycle;

    assert_int_equal(byw_lane_coalescer_init(&c, &cfg), BYW_OK);
    in.in.op = op;
    in.in.lanes = (1U << LANES) - 1;
    memcpy(in.in.addr, addr, LANES * sizeof(addr[0]));
    for (cycle = 0; cycle < 12; cycle++) {
        byw_lane_coalescer_eval(&c, &in, &out);
        if (out.req_valid)
            sent[n++] = (struct sent){(uint32_t)out.req.line, out.req.beat, out.req.more, cycle,
                                      out.req.bytes.w[0]};
        byw_lane_coalescer_tick(&c, &in);
        in.in_valid = false;
    }
    byw_lane_coalescer_release(&c);
    return n;
}

static void check(const struct sent *s, uint32_t cycle, uint32_t line, uint32_t beat, uint32_t more,
                  uint64_t bytes)
{
    assert_int_equal(s->cycle, cycle);
    assert_int_equal(s->line, line);
    assert_int_equal(s->beat, beat);
    assert_int_equal(s->more, more);
    assert_int_equal(s->bytes, bytes);
}

/* Lanes 0 and 2 access line 0, lanes 1 and 3 line 1: one request each, in the order of their
 * leaders. */
static void lanes_of_one_line_share_a_request(void **state)
{
    const uint32_t addr[LANES] = {0x00, 0x20, 0x18, 0x24};
    struct sent s[REQUESTS];

    (void)state;
    assert_int_equal(send(0, BYW_OP_LOAD, addr, s), 2);
    check(&s[0], 2, 0, 0, 0, 0x0f00000fU);
    check(&s[1], 3, 1, 0, 0, 0x000000ffU);
}

/* The same with beats of 8: after lane 0 lane 2 leads, before lane 1, since its line was sent last,
 * and continues its access; lanes 1 and 3 share a beat. */
static void beats_of_one_line_are_consecutive(void **state)
{
    const uint32_t addr[LANES] = {0x00, 0x20, 0x18, 0x24};
    struct sent s[REQUESTS];

    (void)state;
    assert_int_equal(send(8, BYW_OP_LOAD, addr, s), 3);
    check(&s[0], 2, 0, 0, 0, 0x0f);
    check(&s[1], 3, 0, 3, 1, 0x0f);
    check(&s[2], 4, 1, 0, 0, 0xff);
}

/* Each lane accesses a separate line: each begins an access. */
static void each_line_begins_an_access(void **state)
{
    const uint32_t addr[LANES] = {0x60, 0x28, 0x50, 0x00};
    struct sent s[REQUESTS];

    (void)state;
    assert_int_equal(send(8, BYW_OP_STORE, addr, s), 4);
    check(&s[0], 2, 3, 0, 0, 0x0f);
    check(&s[1], 3, 1, 1, 0, 0x0f);
    check(&s[2], 4, 2, 2, 0, 0x0f);
    check(&s[3], 5, 0, 0, 0, 0x0f);
}

/* An atomic of lanes 0, 1, 3 on one word and lane 2 on another beat of the line: one access, lane 1
 * before lane 2, whose beat is higher. */
static void an_atomic_is_one_access_of_a_line(void **state)
{
    const uint32_t addr[LANES] = {0x04, 0x04, 0x10, 0x04};
    struct sent s[REQUESTS];

    (void)state;
    assert_int_equal(send(8, BYW_OP_ATOMIC, addr, s), 4);
    check(&s[0], 2, 0, 0, 0, 0xf0);
    check(&s[1], 3, 0, 0, 1, 0xf0);
    check(&s[2], 4, 0, 2, 1, 0x0f);
    check(&s[3], 5, 0, 0, 1, 0xf0);
}

/* A beat as wide as the line means no beats; one that the cache's port does not support is
 * refused. */
static void a_full_line_beat_equals_none_and_bad_widths_are_rejected(void **state)
{
    const uint32_t addr[LANES] = {0x00, 0x20, 0x18, 0x24};
    const uint32_t bad[] = {4, 12, 64};
    struct byw_lane_coalescer c;
    struct sent s[REQUESTS];
    uint32_t i;

    (void)state;
    assert_int_equal(send(LINE, BYW_OP_LOAD, addr, s), 2);
    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        const struct byw_lane_coalescer_config cfg = {LANES, 2, LINE, REQUESTS, bad[i]};

        assert_int_equal(byw_lane_coalescer_init(&c, &cfg), BYW_EINVAL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_of_one_line_share_a_request),
        cmocka_unit_test(beats_of_one_line_are_consecutive),
        cmocka_unit_test(each_line_begins_an_access),
        cmocka_unit_test(an_atomic_is_one_access_of_a_line),
        cmocka_unit_test(a_full_line_beat_equals_none_and_bad_widths_are_rejected),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
