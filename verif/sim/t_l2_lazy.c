/* SPDX-License-Identifier: Apache-2.0
 *
 * t_l2_lazy.c - lazy fetch and write-through, rule by rule; flush and invalidation.
 */
#include "l2_lazy.h"
#include "sim/memory/byw_l2_lines.h"

/* --- lazy writes -------------------------------------------------------------------------- */

/* A write miss sends nothing to lower levels: it is answered at once, leaves a dirty line, and a
 * read of its bytes needs no fetch. */
static void a_write_miss_fetches_nothing(void **state)
{
    struct rig rig;
    uint32_t id, got;

    (void)state;
    rig_lazy(&rig);
    id = send_at(&rig, 64, BYW_TXN_WRITE, 32, 0);
    assert_int_equal(wait_answer(&rig, &got), 2);
    assert_int_equal(got, id);
    assert_int_equal(rig.stats.l2.unfetched, 1);
    assert_int_equal(rig.stats.l2.write_misses, 1);
    id = send_at(&rig, 64, BYW_TXN_READ, 32, 0);
    assert_int_equal(wait_answer(&rig, &got), 2);
    assert_int_equal(got, id);
    assert_int_equal(to_dram(&rig), BYW_NO_PACKET);
    assert_true(byw_l2_empty(&rig.l2));
    rig_end(&rig);
}

/* A read of an incomplete sector fetches the sector; a read of a complete one does not. */
static void a_read_of_missing_words_fetches(void **state)
{
    struct rig rig;
    uint32_t p;

    (void)state;
    rig_lazy(&rig);
    access_at(&rig, 0, BYW_TXN_WRITE, 32, 0x7f); /* writes only the last word */
    access_at(&rig, 0, BYW_TXN_WRITE, 32, 0xfe); /* writes the first word as well */
    assert_int_equal(rig.stats.l2.write_hits, 1);
    send_at(&rig, 0, BYW_TXN_READ, 32, 0);
    steps(&rig, 3);
    assert_int_equal(rig.stats.l2.fetched, 1);
    p = to_dram(&rig);
    assert_int_equal(packet_of(&rig, p)->atoms, 1);
    from_dram(&rig, p);
    settle(&rig);
    access_at(&rig, 0, BYW_TXN_READ, 32, 0);
    assert_int_equal(rig.stats.l2.fetched, 1);

    access_at(&rig, 4096 * 128, BYW_TXN_WRITE, 32, 0x01);
    access_at(&rig, 4096 * 128, BYW_TXN_WRITE, 32, 0xfe);
    access_at(&rig, 4096 * 128, BYW_TXN_READ, 32, 0);
    assert_int_equal(rig.stats.l2.fetched, 1);
    assert_int_equal(rig.stats.l2.writebacks, 0);
    rig_end(&rig);
}

/* The holes of a request for a line are split by sector; a sector without written bytes is not
 * written. */
static void holes_are_split_by_sector(void **state)
{
    struct rig rig;

    (void)state;
    rig_lazy(&rig);
    /* no bytes of sector 1; sector 3 without one word */
    access_at(&rig, 0, BYW_TXN_WRITE, 128, 0x0100ff00);
    assert_int_equal(rig.stats.l2.writes, 3);
    assert_int_equal(rig.stats.l2.parts, 2);
    access_at(&rig, 0, BYW_TXN_READ, 32, 0);
    access_at(&rig, 64, BYW_TXN_READ, 32, 0);
    assert_int_equal(rig.stats.l2.fetched, 0);
    access_at(&rig, 32, BYW_TXN_READ, 32, 0);
    access_at(&rig, 96, BYW_TXN_READ, 32, 0);
    assert_int_equal(rig.stats.l2.fetched, 2);
    rig_end(&rig);
}

/* Without sectors the mask covers the line: here a quarter of it is valid, and a read fetches. */
static void without_sectors_a_mask_covers_the_line(void **state)
{
    struct rig rig;

    (void)state;
    lazy_config(&rig.config);
    rig.config.l2_sectors = 1;
    rig_start(&rig);
    for (uint64_t at = 0; at < 128; at += 32)
        access_at(&rig, at, BYW_TXN_WRITE, 32, 0);
    access_at(&rig, 0, BYW_TXN_READ, 128, 0);
    assert_int_equal(rig.stats.l2.fetched, 0);
    for (uint64_t at = 0; at < 96; at += 32)
        access_at(&rig, 4096 * 128 + at, BYW_TXN_WRITE, 32, 0);
    access_at(&rig, 4096 * 128, BYW_TXN_READ, 32, 0);
    assert_int_equal(rig.stats.l2.fetched, 1);
    rig_end(&rig);
}

/* A write to a sector in flight is merged; the sector is dirty once it arrives. */
static void a_write_to_a_sector_in_flight_merges(void **state)
{
    struct rig rig;
    uint32_t id[2], p;

    (void)state;
    rig_lazy(&rig);
    id[0] = send_at(&rig, 0, BYW_TXN_READ, 32, 0);
    id[1] = send_at(&rig, 0, BYW_TXN_WRITE, 32, 0x0f);
    steps(&rig, 6);
    assert_int_equal(rig.stats.l2.pending, 1);
    p = to_dram(&rig);
    assert_int_equal(to_dram(&rig), BYW_NO_PACKET);
    from_dram(&rig, p);
    steps(&rig, 4);
    assert_int_equal(answer(&rig), id[0]);
    assert_int_equal(answer(&rig), id[1]);
    assert_int_equal(rig.l2.state[15 * 4], BYW_L2_DIRTY);
    rig_end(&rig);
}

/* A write miss needs no MSHR, but an entry of the miss queue for the victim: at the last full and
 * the first free entry. */
static void a_write_miss_needs_a_place_for_its_victim(void **state)
{
    struct rig rig;

    (void)state;
    for (uint32_t held = 7; held <= 8; held++) {
        lazy_config(&rig.config);
        rig.config.l2_mshrs = 1;
        rig_start(&rig);
        rig.l2.mshr_in_use = 1;
        send_at(&rig, 0, BYW_TXN_WRITE, 32, 0);
        step(&rig);
        for (uint32_t i = 0; i < held + 1; i++)
            byw_fifo_push(&rig.pool, &rig.l2.miss, rig_packet(&rig.pool, 0, 0, BYW_TXN_WRITE, 32));
        step(&rig);
        assert_int_equal(rig.stats.l2.misses, held == 7);
        assert_int_equal(rig.stats.l2.fail_queue, held == 8);
        rig_end(&rig);
    }
}

/* A victim's dirty sectors leave in one packet, with one atom each, and occupy the port
 * accordingly. */
static void dirty_sectors_leave_in_one_packet(void **state)
{
    struct rig rig;
    uint32_t read, wb;

    (void)state;
    rig_lazy(&rig);
    access_at(&rig, 5 * 128, BYW_TXN_WRITE, 32, 0);
    access_at(&rig, 5 * 128 + 64, BYW_TXN_WRITE, 32, 0xfc); /* two words */
    access_at(&rig, 5 * 128 + 96, BYW_TXN_READ, 32, 0);
    for (uint64_t w = 1; w < 16; w++)
        access_at(&rig, (5 + 64 * w) * 128, BYW_TXN_READ, 32, 0);
    send_at(&rig, (5 + 64 * 16) * 128, BYW_TXN_READ, 32, 0);
    steps(&rig, 2);
    assert_int_equal(rig.l2.data_free, rig.now - 1 + 2);
    steps(&rig, 3);
    read = to_dram(&rig);
    wb = to_dram(&rig);
    assert_int_equal(packet_of(&rig, read)->txn.addr, (5 + 64 * 16) * 128);
    assert_int_equal(packet_of(&rig, wb)->txn.addr, 5 * 128);
    assert_int_equal(packet_of(&rig, wb)->atoms, 2);
    assert_int_equal(packet_of(&rig, wb)->txn.holes, 0xfffcff00);
    assert_false(byw_packet_returns(packet_of(&rig, wb)));
    assert_int_equal(rig.stats.l2.writeback_atoms, 2);
    rig_end(&rig);
}

/* --- write-through ------------------------------------------------------------------------ */

static void write_through_keeps_lines_clean(void **state)
{
    struct rig rig;
    struct byw_l2_shape shape;
    uint32_t p, id;

    (void)state;
    rig_lazy(&rig);
    byw_l2_free(&rig.l2);
    shape = byw_l2_shape(&rig.config);
    shape.write = BYW_L2_THROUGH;
    shape.sectors = 1;
    assert_int_equal(byw_l2_init(&rig.l2, 0, &shape, &rig.pool, &rig.stats, &rig.stats.gl1),
                     BYW_OK);
    for (int atomic = 0; atomic < 2; atomic++) {
        access_at(&rig, 0, BYW_TXN_READ, 128, 0);
        id = send_at(&rig, 0, atomic ? BYW_TXN_ATOMIC : BYW_TXN_WRITE, 32, 0);
        steps(&rig, 4);
        assert_int_equal(answer(&rig), 0); /* the answer comes from below */
        p = to_dram(&rig);
        assert_int_equal(packet_of(&rig, p)->txn.kind, atomic ? BYW_TXN_ATOMIC : BYW_TXN_WRITE);
        assert_int_equal(packet_of(&rig, p)->atoms, 1);
        from_dram(&rig, p);
        steps(&rig, 1);
        assert_int_equal(answer(&rig), id);
        access_at(&rig, 0, BYW_TXN_READ, 32, 0); /* the line was dropped */
        assert_int_equal(rig.stats.gl1.fetched, 2 + atomic);
        assert_int_equal(rig.stats.gl1.sent_on, 1 + atomic);
    }
    assert_int_equal(rig.stats.gl1.hits, 1);
    rig_end(&rig);
}

/* --- boundaries --------------------------------------------------------------------------- */

/* Dirty sectors are written, at most one line per cycle, in the order of the ways. A sector of
 * which only some words are valid is not kept. */
static void a_flush_writes_dirty_sectors_in_order_of_ways(void **state)
{
    struct rig rig;
    uint64_t start;
    uint32_t p;

    (void)state;
    rig_lazy(&rig);
    access_at(&rig, 0, BYW_TXN_WRITE, 32, 0);
    access_at(&rig, 128, BYW_TXN_WRITE, 32, 0xf0);
    access_at(&rig, 256, BYW_TXN_READ, 32, 0);
    byw_l2_flush(&rig.l2);
    assert_int_equal(byw_l2_wake(&rig.l2, rig.now), rig.now);
    for (start = rig.now; rig.l2.flushing; step(&rig))
        assert_true(rig.now < start + 10);
    steps(&rig, 2);
    p = to_dram(&rig);
    assert_int_equal(packet_of(&rig, p)->txn.addr, 0);
    p = to_dram(&rig);
    assert_int_equal(packet_of(&rig, p)->txn.addr, 128);
    assert_int_equal(packet_of(&rig, p)->txn.holes, 0xfffffff0);
    assert_int_equal(to_dram(&rig), BYW_NO_PACKET);
    access_at(&rig, 0, BYW_TXN_READ, 32, 0);
    access_at(&rig, 256, BYW_TXN_READ, 32, 0);
    assert_int_equal(rig.stats.l2.hits, 2);
    access_at(&rig, 128, BYW_TXN_READ, 32, 0);
    assert_int_equal(rig.stats.l2.hits, 2);
    rig_end(&rig);
}

/* A flush leaves no dirty line, here of 16 lines of one set and of its neighbours. */
static void a_flush_leaves_no_dirty_line(void **state)
{
    struct rig rig;

    (void)state;
    rig_lazy(&rig);
    for (uint64_t line = 0; line < 16; line++)
        access_at(&rig, line * 64 * 128, BYW_TXN_WRITE, 32, 0);
    access_at(&rig, 128, BYW_TXN_WRITE, 32, 0);
    byw_l2_flush(&rig.l2);
    for (uint64_t start = rig.now; rig.l2.flushing; step(&rig)) {
        assert_true(rig.now < start + 200);
        to_dram(&rig);
    }
    assert_int_equal(rig.stats.l2.flushed, 17);
    assert_int_equal(rig.stats.l2.writebacks, 17);
    for (uint32_t line = 0; line < rig.l2.sets * rig.l2.ways; line++)
        assert_false(byw_l2_dirty(&rig.l2, line));
    rig_end(&rig);
}

static void a_flush_waits_for_room(void **state)
{
    struct rig rig;

    (void)state;
    rig_lazy(&rig);
    access_at(&rig, 0, BYW_TXN_WRITE, 32, 0);
    rig.l2.dram_limit = 0;
    while (rig.l2.miss.count < 8)
        byw_fifo_push(&rig.pool, &rig.l2.miss, rig_packet(&rig.pool, 0, 0, BYW_TXN_WRITE, 32));
    byw_l2_flush(&rig.l2);
    steps(&rig, 20);
    assert_int_equal(rig.stats.l2.writebacks, 0);
    rig.l2.dram_limit = 1;
    step(&rig);
    assert_int_equal(rig.stats.l2.writebacks, 1);
    rig_end(&rig);
}

/* A failed lookup remembers its result; an invalidation forces a new lookup. */
static void an_invalidation_forces_a_new_lookup(void **state)
{
    struct rig rig;

    (void)state;
    rig_lazy(&rig);
    access_at(&rig, 0, BYW_TXN_READ, 32, 0);
    access_at(&rig, 32, BYW_TXN_WRITE, 32, 0);
    access_at(&rig, 128, BYW_TXN_READ, 32, 0);
    byw_l2_invalidate(&rig.l2);
    access_at(&rig, 32, BYW_TXN_READ, 32, 0); /* its dirty sector keeps the line valid */
    assert_int_equal(rig.stats.l2.hits, 1);
    access_at(&rig, 0, BYW_TXN_READ, 32, 0);
    assert_int_equal(rig.stats.l2.sector_misses, 2);
    access_at(&rig, 128, BYW_TXN_READ, 32, 0);
    assert_int_equal(rig.stats.l2.hits, 1);
    assert_int_equal(rig.stats.l2.sector_misses, 2); /* the other line is gone */
    rig_end(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_write_miss_fetches_nothing),
        cmocka_unit_test(a_read_of_missing_words_fetches),
        cmocka_unit_test(holes_are_split_by_sector),
        cmocka_unit_test(without_sectors_a_mask_covers_the_line),
        cmocka_unit_test(a_write_to_a_sector_in_flight_merges),
        cmocka_unit_test(a_write_miss_needs_a_place_for_its_victim),
        cmocka_unit_test(dirty_sectors_leave_in_one_packet),
        cmocka_unit_test(write_through_keeps_lines_clean),
        cmocka_unit_test(a_flush_writes_dirty_sectors_in_order_of_ways),
        cmocka_unit_test(a_flush_leaves_no_dirty_line),
        cmocka_unit_test(a_flush_waits_for_room),
        cmocka_unit_test(an_invalidation_forces_a_new_lookup),
    };

    return cmocka_run_group_tests_name("l2_lazy", tests, NULL, NULL);
}
