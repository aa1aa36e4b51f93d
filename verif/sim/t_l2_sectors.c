/* SPDX-License-Identifier: Apache-2.0
 *
 * Slices with sectors, lazy fetches and write-through: each rule by itself, flush and invalidation,
 * and random accesses against a textbook cache.
 */
#include "l2_rig.h"

/* 64 sets of 16 lines of four 32-byte sectors, DRAM atoms of 32 bytes, lazy. */
static void lazy_config(struct byw_config *c)
{
    rig_config(c);
    c->l2_sectors = 4;
    c->l2_write_miss = BYW_WRITE_MISS_LAZY;
    c->dram_atom = 32;
    c->l2_miss_queue = 8;
    snprintf(c->dram_map, sizeof(c->dram_map), "0000RRRR.RRRRRRRR.RBBBCCCB.CCCSSSSS");
}

static void rig_lazy(struct rig *rig)
{
    lazy_config(&rig->config);
    rig_start(rig);
}

static const struct byw_packet *packet_of(const struct rig *rig, uint32_t p)
{
    assert_int_not_equal(p, BYW_NO_PACKET);
    return &rig->pool.packet[p];
}

static void access_at(struct rig *rig, uint64_t addr, enum byw_txn_kind kind, uint32_t bytes,
                      uint32_t holes)
{
    send_at(rig, addr, kind, bytes, holes);
    settle(rig);
    steps(rig, 4); /* the ports are free again */
}

/* Only the sectors asked for are fetched; a line there without the sector is a sector miss. */
static void test_sectors_are_fetched_alone(void **state)
{
    struct rig rig;
    uint32_t id, p;

    (void)state;
    rig_lazy(&rig);
    id = send_at(&rig, 32, BYW_TXN_READ, 32, 0);
    steps(&rig, 3);
    p = to_dram(&rig);
    assert_int_equal(packet_of(&rig, p)->txn.addr, 32);
    assert_int_equal(packet_of(&rig, p)->atoms, 1);
    from_dram(&rig, p);
    steps(&rig, 2);
    assert_int_equal(answer(&rig), id);
    access_at(&rig, 32, BYW_TXN_READ, 32, 0);
    assert_int_equal(rig.stats.l2.hits, 1);
    access_at(&rig, 96, BYW_TXN_READ, 32, 0);
    assert_int_equal(rig.stats.l2.misses, 2);
    assert_int_equal(rig.stats.l2.sector_misses, 1);
    rig_end(&rig);
}

/* A request for a line is four accesses, one per cycle, and is answered once, after the last. */
static void test_parts(void **state)
{
    struct rig rig;
    uint32_t id, p[4];

    (void)state;
    rig_lazy(&rig);
    access_at(&rig, 64, BYW_TXN_READ, 32, 0);
    id = send_at(&rig, 0, BYW_TXN_READ, 128, 0);
    steps(&rig, 5);
    assert_int_equal(rig.stats.l2.misses, 4);
    assert_int_equal(rig.stats.l2.hits, 1);
    assert_int_equal(rig.stats.l2.parts, 3);
    assert_int_equal(rig.stats.l2.requests, 2);
    step(&rig);
    for (int i = 0; i < 3; i++) {
        p[i] = to_dram(&rig);
        assert_int_equal(packet_of(&rig, p[i])->txn.addr, i < 2 ? i * 32 : 96);
    }
    assert_int_equal(to_dram(&rig), BYW_NO_PACKET);
    from_dram(&rig, p[2]);
    from_dram(&rig, p[0]);
    steps(&rig, 10);
    assert_int_equal(answer(&rig), 0);
    from_dram(&rig, p[1]);
    step(&rig);
    assert_int_equal(answer(&rig), 0);
    step(&rig);
    assert_int_equal(answer(&rig), id);
    assert_int_equal(rig.pool.in_use, 0);
    rig_end(&rig);
}

/* Two 64-byte requests for one half line: their parts merge sector by sector. */
static void test_parts_merge(void **state)
{
    struct rig rig;
    uint32_t p[2];

    (void)state;
    rig_lazy(&rig);
    send_at(&rig, 0, BYW_TXN_READ, 64, 0);
    send_at(&rig, 0, BYW_TXN_READ, 64, 0);
    steps(&rig, 8);
    assert_int_equal(rig.stats.l2.misses, 2);
    assert_int_equal(rig.stats.l2.pending, 2);
    p[0] = to_dram(&rig);
    p[1] = to_dram(&rig);
    assert_int_equal(to_dram(&rig), BYW_NO_PACKET);
    from_dram(&rig, p[1]);
    from_dram(&rig, p[0]);
    steps(&rig, 10);
    assert_int_not_equal(answer(&rig), 0);
    assert_int_not_equal(answer(&rig), 0);
    assert_int_equal(answer(&rig), 0);
    assert_int_equal(rig.pool.in_use, 0);
    rig_end(&rig);
}

/* A line with a sector on its way is no victim, though its other sectors are old. */
static void test_pending_sector_keeps_line(void **state)
{
    struct rig rig;
    uint32_t p;

    (void)state;
    rig_lazy(&rig);
    for (uint64_t w = 0; w < 16; w++)
        access_at(&rig, (5 + 64 * w) * 128, BYW_TXN_READ, 32, 0);
    send_at(&rig, 5 * 128 + 32, BYW_TXN_READ, 32, 0);
    steps(&rig, 4);
    p = to_dram(&rig);
    for (uint64_t w = 16; w < 33; w++) { /* all the other lines go, this one stays */
        send_at(&rig, (5 + 64 * w) * 128, BYW_TXN_READ, 32, 0);
        steps(&rig, 4);
        from_dram(&rig, to_dram(&rig));
        steps(&rig, 4);
        assert_int_not_equal(answer(&rig), 0);
    }
    assert_int_equal(rig.l2.mshr_in_use, 1);
    from_dram(&rig, p);
    settle(&rig);
    access_at(&rig, 5 * 128, BYW_TXN_READ, 32, 0);
    assert_int_equal(rig.stats.l2.hits, 1);
    rig_end(&rig);
}

/* --- lazy writes -------------------------------------------------------------------------------
 */

/* A write miss goes nowhere: answered at once, dirty, read without a fetch. */
static void test_lazy_write(void **state)
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

/* With one word missing a read fetches the sector; with none missing it does not. */
static void test_lazy_fetch_on_read(void **state)
{
    struct rig rig;
    uint32_t p;

    (void)state;
    rig_lazy(&rig);
    access_at(&rig, 0, BYW_TXN_WRITE, 32, 0x7f); /* only the last word */
    access_at(&rig, 0, BYW_TXN_WRITE, 32, 0xfe); /* and the first */
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

/* The holes of a request for a line belong to its sectors one by one; a sector of which nothing is
 * written has no part. */
static void test_holes_of_a_line(void **state)
{
    struct rig rig;

    (void)state;
    rig_lazy(&rig);
    access_at(&rig, 0, BYW_TXN_WRITE, 128, 0x0100ff00); /* sector 1 not, of sector 3 a word not */
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

/* Without sectors the mask is of the whole line: a quarter of it, and a read fetches. */
static void test_lazy_without_sectors(void **state)
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

/* A write to a sector on its way is merged; the sector is dirty once it is there. */
static void test_lazy_write_to_pending(void **state)
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

/* Needs no MSHR, but a place in the miss queue for the victim: t-1 and t of the queue. */
static void test_lazy_refusal(void **state)
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

/* A victim's dirty sectors leave in one packet, of as many atoms; the port is busy as long. */
static void test_write_back_of_sectors(void **state)
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

/* --- write-through -----------------------------------------------------------------------------
 */

static void test_write_through(void **state)
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
        access_at(&rig, 0, BYW_TXN_READ, 32, 0); /* it was dropped */
        assert_int_equal(rig.stats.gl1.fetched, 2 + atomic);
        assert_int_equal(rig.stats.gl1.sent_on, 1 + atomic);
    }
    assert_int_equal(rig.stats.gl1.hits, 1);
    rig_end(&rig);
}

/* --- boundaries --------------------------------------------------------------------------------
 */

/* Dirty sectors leave, one line per cycle at most, in the order of the ways; words that are alone
 * in their sector do not stay. */
static void test_flush(void **state)
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

static void test_flush_waits_for_room(void **state)
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

/* A lookup that failed remembers what it found; an invalidation makes it look again. */
static void test_invalidate(void **state)
{
    struct rig rig;

    (void)state;
    rig_lazy(&rig);
    access_at(&rig, 0, BYW_TXN_READ, 32, 0);
    access_at(&rig, 32, BYW_TXN_WRITE, 32, 0);
    access_at(&rig, 128, BYW_TXN_READ, 32, 0);
    byw_l2_invalidate(&rig.l2);
    access_at(&rig, 32, BYW_TXN_READ, 32, 0); /* the dirty sector keeps its line */
    assert_int_equal(rig.stats.l2.hits, 1);
    access_at(&rig, 0, BYW_TXN_READ, 32, 0);
    assert_int_equal(rig.stats.l2.sector_misses, 2);
    access_at(&rig, 128, BYW_TXN_READ, 32, 0);
    assert_int_equal(rig.stats.l2.hits, 1);
    assert_int_equal(rig.stats.l2.sector_misses, 2); /* the other line is gone */
    rig_end(&rig);
}

/* --- against a textbook cache ------------------------------------------------------------------
 */

enum { WAYS = 16, MODEL_SETS = 4 };

struct model_line {
    uint64_t line;
    bool there[4];
    uint32_t absent[4]; /* words of a sector that are not */
    bool dirty[4];
};

struct model {
    struct model_line way[MODEL_SETS][WAYS]; /* most recent first */
    uint32_t held[MODEL_SETS];
    uint64_t hits, fetched, writebacks, atoms;
};

static void model_access(struct model *m, uint32_t set, uint64_t line, uint32_t sector, bool write,
                         uint32_t holes)
{
    struct model_line found = {.line = line};
    uint32_t w = 0;

    while (w < m->held[set] && m->way[set][w].line != line)
        w++;
    if (w < m->held[set]) {
        found = m->way[set][w];
    } else if (m->held[set] < WAYS) {
        m->held[set]++;
    } else {
        uint32_t dirty = 0;

        w = WAYS - 1;
        for (uint32_t s = 0; s < 4; s++)
            dirty += m->way[set][w].dirty[s];
        m->writebacks += dirty > 0;
        m->atoms += dirty;
    }
    if (write) {
        m->hits += found.there[sector];
        found.absent[sector] = (found.there[sector] ? found.absent[sector] : 0xff) & holes;
    } else {
        bool whole = found.there[sector] && found.absent[sector] == 0;

        m->hits += whole;
        m->fetched += !whole;
        found.absent[sector] = 0;
    }
    found.there[sector] = true;
    found.dirty[sector] = found.dirty[sector] || write;
    memmove(&m->way[set][1], &m->way[set][0], w * sizeof(m->way[set][0]));
    m->way[set][0] = found;
}

static void test_random_is_textbook(void **state)
{
    static struct model m;
    uint64_t seed = rig_seed(), x = seed;
    struct rig rig;

    (void)state;
    memset(&m, 0, sizeof(m));
    rig_lazy(&rig);
    for (int i = 0; i < 30000; i++) {
        uint32_t set = rig_below(&x, MODEL_SETS), sector = rig_below(&x, 4);
        uint64_t line = set + 64 * (uint64_t)rig_below(&x, 20);
        bool write = rig_below(&x, 2) == 0;
        uint32_t holes = write && rig_below(&x, 2) == 0 ? rig_below(&x, 255) : 0;

        access_at(&rig, line * 128 + sector * 32, write ? BYW_TXN_WRITE : BYW_TXN_READ, 32, holes);
        model_access(&m, set, line, sector, write, holes);
        RIG_CHECK(rig.stats.l2.hits == m.hits, seed);
        RIG_CHECK(rig.stats.l2.fetched == m.fetched, seed);
        RIG_CHECK(rig.stats.l2.writebacks == m.writebacks, seed);
        RIG_CHECK(rig.stats.l2.writeback_atoms == m.atoms, seed);
    }
    RIG_CHECK(m.hits > 5000 && m.writebacks > 1000 && m.atoms > m.writebacks, seed);
    RIG_CHECK(m.fetched > 5000, seed);
    rig_end(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sectors_are_fetched_alone),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_parts_merge),
        cmocka_unit_test(test_pending_sector_keeps_line),
        cmocka_unit_test(test_lazy_write),
        cmocka_unit_test(test_lazy_fetch_on_read),
        cmocka_unit_test(test_holes_of_a_line),
        cmocka_unit_test(test_lazy_without_sectors),
        cmocka_unit_test(test_lazy_write_to_pending),
        cmocka_unit_test(test_lazy_refusal),
        cmocka_unit_test(test_write_back_of_sectors),
        cmocka_unit_test(test_write_through),
        cmocka_unit_test(test_flush),
        cmocka_unit_test(test_flush_waits_for_room),
        cmocka_unit_test(test_invalidate),
        cmocka_unit_test(test_random_is_textbook),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
