/* SPDX-License-Identifier: Apache-2.0
 *
 * t_outlet.c - packets of several requests between an L1D and the crossbar: which requests are
 * combined, which share an answer, and which requests an answer serves.
 */
#include "sim/gpu_rig.h"
#include "sim/sm/byw_ldst.h"
#include "sim/sm/byw_outlet.h"

struct box {
    struct byw_config config;
    struct byw_outlet outlet;
};

static void open_box(struct box *box, uint32_t joins)
{
    byw_config_defaults(&box->config);
    box->config.l1d_line = 128;
    box->config.l1d_rate = 4;
    box->config.l1d_bypass_joins = joins;
    assert_int_equal(byw_outlet_init(&box->outlet, &box->config), BYW_OK);
}

static void push(struct box *box, uint8_t kind, uint64_t addr, uint16_t bytes, uint32_t id,
                 bool bypass)
{
    const struct byw_txn txn = {
        .kind = kind, .addr = addr, .bytes = bytes, .id = id, .bypass = bypass, .port = 1};

    assert_true(byw_outlet_ready(&box->outlet));
    byw_outlet_push(&box->outlet, &txn, 0);
}

static const struct byw_txn *waiting(const struct box *box, uint32_t i)
{
    assert_true(i < box->outlet.count);
    return &box->outlet.waiting[(box->outlet.head + i) % (BYW_OUTLET_ROOM + 1)];
}

/* Expects that the answer to a packet serves these requests in this order. */
static void serves(struct box *box, uint32_t packet, const uint32_t *id, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(byw_outlet_answer(&box->outlet, packet)->id, id[i]);
        assert_int_equal(byw_outlet_served(&box->outlet, packet), i + 1 == count);
    }
}

/* Four sectors, upwards or downwards, leave as one packet of 128 bytes whose answer serves four. */
static void sectors_of_a_line_leave_as_one_packet(void **state)
{
    for (uint32_t down = 0; down < 2; down++) {
        struct box box;

        (void)state;
        open_box(&box, 0);
        for (uint32_t i = 0; i < 4; i++)
            push(&box, BYW_TXN_READ, 0x1000 + 32 * (down ? 3 - i : i), 32, 10 + i, false);
        assert_int_equal(box.outlet.count, 1);
        assert_int_equal(waiting(&box, 0)->addr, 0x1000);
        assert_int_equal(waiting(&box, 0)->bytes, 128);
        assert_int_equal(box.outlet.combined, 3);
        serves(&box, waiting(&box, 0)->id, (const uint32_t[]){10, 11, 12, 13}, 4);
        byw_outlet_release(&box.outlet);
    }
}

/* A read fetches only the requested sectors: sectors 1 and 2 do not form one half of a line. */
static void reads_fetch_no_sector_that_nobody_asked_for(void **state)
{
    struct box box;

    (void)state;
    open_box(&box, 0);
    push(&box, BYW_TXN_READ, 0x1020, 32, 1, false);
    push(&box, BYW_TXN_READ, 0x1040, 32, 2, false);
    push(&box, BYW_TXN_READ, 0x1080, 32, 3, false); /* a sector of the next line */
    push(&box, BYW_TXN_WRITE, 0x10a0, 32, 4, false); /* a request of another kind */
    assert_int_equal(box.outlet.count, 4);
    byw_outlet_release(&box.outlet);
}

/* Unwritten words stay unwritten when two halves of a line leave together. */
static void combined_writes_keep_their_holes(void **state)
{
    struct byw_txn low = {.kind = BYW_TXN_WRITE, .addr = 0x1000, .bytes = 32, .holes = 0x0f};
    struct byw_txn high = {.kind = BYW_TXN_WRITE, .addr = 0x1020, .bytes = 32, .holes = 0x80};

    for (uint32_t down = 0; down < 2; down++) {
        struct box box;

        (void)state;
        open_box(&box, 0);
        byw_outlet_push(&box.outlet, down ? &high : &low, 0);
        byw_outlet_push(&box.outlet, down ? &low : &high, 0);
        assert_int_equal(box.outlet.count, 1);
        assert_int_equal(waiting(&box, 0)->addr, 0x1000);
        assert_int_equal(waiting(&box, 0)->bytes, 64);
        assert_int_equal(waiting(&box, 0)->holes, 0x800f);
        byw_outlet_release(&box.outlet);
    }
}

/* A bypassed load of a sector in flight (ld.global.cg, L1::no_allocate) sends no packet. A cached
 * load does, and so does one after a store to the line or after the answer. */
static void bypassed_loads_share_an_answer_in_flight(void **state)
{
    struct box box;
    uint32_t first;

    (void)state;
    open_box(&box, 300);
    push(&box, BYW_TXN_READ, 0x1000, 32, 1, true);
    first = waiting(&box, 0)->id;
    push(&box, BYW_TXN_READ, 0x1000, 32, 2, true);
    assert_int_equal(box.outlet.count, 1);
    assert_int_equal(box.outlet.shared, 1);
    push(&box, BYW_TXN_READ, 0x1000, 32, 3, false);
    assert_int_equal(box.outlet.count, 2);
    push(&box, BYW_TXN_WRITE, 0x1060, 32, 4, false);
    push(&box, BYW_TXN_READ, 0x1000, 32, 5, true);
    assert_int_equal(box.outlet.count, 4);
    serves(&box, first, (const uint32_t[]){1, 2}, 2);
    serves(&box, waiting(&box, 3)->id, (const uint32_t[]){5}, 1);
    push(&box, BYW_TXN_READ, 0x1000, 32, 6, true);
    assert_int_equal(box.outlet.shared, 1);
    byw_outlet_release(&box.outlet);
}

/* With a limit of four, the fifth load sends a new request, and those after it share its answer. */
static void so_many_bypassed_loads_share_an_answer(void **state)
{
    struct box box;

    (void)state;
    open_box(&box, 300);
    box.outlet.sharers = 4;
    for (uint32_t i = 0; i < 8; i++)
        push(&box, BYW_TXN_READ, 0x1000, 32, i, true);
    assert_int_equal(box.outlet.count, 2);
    serves(&box, waiting(&box, 0)->id, (const uint32_t[]){0, 1, 2, 3}, 4);
    serves(&box, waiting(&box, 1)->id, (const uint32_t[]){4, 5, 6, 7}, 4);
    byw_outlet_release(&box.outlet);
}

/* At most 4096 requests may be unanswered; each answer makes room for one. */
static void requests_in_flight_are_bounded(void **state)
{
    struct box box;

    (void)state;
    open_box(&box, 300);
    push(&box, BYW_TXN_READ, 0x1000, 32, 0, true);
    for (uint32_t i = 1; i < BYW_OUTLET_REQUESTS; i++)
        push(&box, BYW_TXN_READ, 0x1000, 32, i, true);
    assert_false(byw_outlet_ready(&box.outlet));
    assert_false(byw_outlet_served(&box.outlet, waiting(&box, 0)->id));
    assert_true(byw_outlet_ready(&box.outlet));
    byw_outlet_release(&box.outlet);
}

static void store(struct box *box, uint64_t addr, uint32_t holes, uint32_t warp)
{
    const struct byw_txn txn = {.kind = BYW_TXN_WRITE,
                                .addr = addr,
                                .bytes = 32,
                                .holes = holes,
                                .id = BYW_STORE_ID | warp,
                                .port = 1};

    byw_outlet_push(&box->outlet, &txn, 0);
}

/* Stores of a warp to a sector are one write, whose answer serves them all.  It leaves when the
 * sector is complete or when a load or another warp needs it.  A complete sector never waits. */
static void stores_of_a_warp_to_a_sector_are_one_write(void **state)
{
    const uint32_t w3 = BYW_STORE_ID | 3, w4 = BYW_STORE_ID | 4;
    struct box box;

    (void)state;
    open_box(&box, 0);
    box.outlet.merges = 8;
    box.outlet.merge_cycles = 100;
    store(&box, 0x1000, 0xf0, 3);
    store(&box, 0x1040, 0xf0, 3);
    assert_int_equal(box.outlet.count, 0);
    assert_true(byw_outlet_busy(&box.outlet));
    store(&box, 0x1000, 0x0f, 3); /* complete */
    assert_int_equal(box.outlet.count, 1);
    assert_int_equal(waiting(&box, 0)->holes, 0);
    serves(&box, waiting(&box, 0)->id, (const uint32_t[]){w3, w3}, 2);
    store(&box, 0x1040, 0xfc, 4); /* a store of another warp */
    assert_int_equal(box.outlet.count, 2);
    serves(&box, waiting(&box, 1)->id, (const uint32_t[]){w3}, 1);
    push(&box, BYW_TXN_READ, 0x1040, 32, 7, false);
    assert_int_equal(box.outlet.count, 4);
    serves(&box, waiting(&box, 2)->id, (const uint32_t[]){w4}, 1);
    assert_int_equal(waiting(&box, 2)->holes, 0xfc);
    store(&box, 0x1080, 0, 3);
    assert_int_equal(box.outlet.count, 5);
    assert_int_equal(box.outlet.held_count, 0);
    byw_outlet_release(&box.outlet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sectors_of_a_line_leave_as_one_packet),
        cmocka_unit_test(reads_fetch_no_sector_that_nobody_asked_for),
        cmocka_unit_test(combined_writes_keep_their_holes),
        cmocka_unit_test(bypassed_loads_share_an_answer_in_flight),
        cmocka_unit_test(so_many_bypassed_loads_share_an_answer),
        cmocka_unit_test(requests_in_flight_are_bounded),
        cmocka_unit_test(stores_of_a_warp_to_a_sector_are_one_write),
    };

    return cmocka_run_group_tests_name("outlet", tests, NULL, NULL);
}
