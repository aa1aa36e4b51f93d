/* SPDX-License-Identifier: Apache-2.0
 *
 * t_l2_sectors.c - slices with sectors: fetches, parts of requests, and random accesses against a
 * textbook cache.
 */
#include "l2_lazy.h"

/* Only requested sectors are fetched; if the line is present without the sector, that is a sector
 * miss. */
static void only_requested_sectors_are_fetched(void **state)
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

/* A request for a line takes four accesses, one per cycle, and is answered once, after the last. */
static void a_line_request_takes_one_access_per_sector(void **state)
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

/* Two 64-byte requests for the same half line: their parts merge sector by sector. */
static void parts_merge_sector_by_sector(void **state)
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

/* A line with a sector in flight cannot be a victim, even if its other sectors are the oldest. */
static void a_line_with_a_sector_in_flight_is_no_victim(void **state)
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
    for (uint64_t w = 16; w < 33; w++) { /* all other lines are evicted, this one stays */
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

/* --- against a textbook cache ------------------------------------------------------------- */

enum { WAYS = 16, MODEL_SETS = 4 };

struct model_line {
    uint64_t line;
    bool there[4];
    uint32_t absent[4]; /* words of a sector that are not valid */
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

static void random_accesses_equal_a_textbook_cache(void **state)
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
        cmocka_unit_test(only_requested_sectors_are_fetched),
        cmocka_unit_test(a_line_request_takes_one_access_per_sector),
        cmocka_unit_test(parts_merge_sector_by_sector),
        cmocka_unit_test(a_line_with_a_sector_in_flight_is_no_victim),
        cmocka_unit_test(random_accesses_equal_a_textbook_cache),
    };

    return cmocka_run_group_tests_name("l2_sectors", tests, NULL, NULL);
}
