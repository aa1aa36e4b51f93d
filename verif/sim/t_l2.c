/* SPDX-License-Identifier: Apache-2.0
 *
 * One L2 slice; the test plays the crossbar and DRAM.
 */
#include "l2_rig.h"

static void a_filled_line_hits(void **state)
{
    struct rig rig;
    uint32_t id, got, p;

    (void)state;
    rig_defaults(&rig);
    id = send(&rig, 7, BYW_TXN_READ, 32);
    step(&rig); /* moves to the input queue */
    step(&rig); /* looks up the tags */
    assert_int_equal(rig.stats.l2.misses, 1);
    assert_int_equal(rig.l2.to_dram.count, 0);
    step(&rig); /* miss queue */
    p = to_dram(&rig);
    assert_int_equal(rig.pool.packet[p].atoms, 2); /* the whole line */
    assert_false(byw_packet_writes(&rig.pool.packet[p]));
    from_dram(&rig, p);
    assert_int_equal(wait_answer(&rig, &got), 2); /* fill, answer */
    assert_int_equal(got, id);
    id = send(&rig, 7, BYW_TXN_READ, 128);
    assert_int_equal(wait_answer(&rig, &got), 2);
    assert_int_equal(got, id);
    assert_int_equal(rig.stats.l2.hits, 1);
    assert_true(byw_l2_empty(&rig.l2));
    rig_end(&rig);
}

static void requests_wait_before_the_tags(void **state)
{
    struct rig rig;
    uint32_t got;

    (void)state;
    rig_config(&rig.config);
    rig_start(&rig);
    load(&rig, 7);
    rig.l2.rop_latency = 120;
    send(&rig, 7, BYW_TXN_READ, 128);
    assert_int_equal(byw_l2_wake(&rig.l2, rig.now), rig.now + 120);
    assert_int_equal(wait_answer(&rig, &got), 122);
    rig_end(&rig);
}

static void a_full_merge_list_refuses(void **state)
{
    struct rig rig;
    uint32_t id[5], p;

    (void)state;
    rig_defaults(&rig);
    for (int i = 0; i < 5; i++)
        id[i] = send(&rig, 3, BYW_TXN_READ, 128);
    steps(&rig, 20);
    assert_int_equal(rig.stats.l2.misses, 1);
    assert_int_equal(rig.stats.l2.pending, 3); /* an MSHR has four requests, including the first */
    assert_true(rig.stats.l2.fail_merge > 10);
    assert_int_equal(rig.stats.l2.fail_merge, rig.stats.l2.fail_cycles);
    p = to_dram(&rig);
    assert_int_equal(to_dram(&rig), BYW_NO_PACKET);
    from_dram(&rig, p);
    step(&rig); /* fill; the fifth then hits */
    assert_int_equal(rig.stats.l2.hits, 1);
    for (int i = 0; i < 10; i++)
        step(&rig);
    /* The hit leaves at once; the merged requests leave one per cycle, in order. */
    assert_int_equal(answer(&rig), id[4]);
    for (int i = 0; i < 4; i++)
        assert_int_equal(answer(&rig), id[i]);
    assert_true(byw_l2_empty(&rig.l2));
    rig_end(&rig);
}

static void a_miss_without_an_mshr_is_refused(void **state)
{
    struct rig rig;
    uint32_t first, p;

    (void)state;
    rig_config(&rig.config);
    rig.config.l2_mshrs = 4;
    rig_start(&rig);
    for (uint64_t i = 0; i < 5; i++) {
        send(&rig, i, BYW_TXN_READ, 128);
        steps(&rig, 3);
    }
    assert_int_equal(rig.stats.l2.misses, 4);
    assert_true(rig.stats.l2.fail_mshr > 0);
    first = to_dram(&rig);
    for (int i = 0; i < 3; i++)
        assert_int_not_equal(to_dram(&rig), BYW_NO_PACKET);
    from_dram(&rig, first);
    step(&rig); /* during the fill the MSHR is still occupied */
    assert_int_equal(rig.stats.l2.misses, 4);
    step(&rig); /* answer: it is free */
    assert_int_equal(rig.stats.l2.misses, 5);
    step(&rig);
    p = to_dram(&rig);
    assert_int_equal(rig.pool.packet[p].txn.addr, 4 * 128);
    rig_end(&rig);
}

/* A read needs two entries of the miss queue (its own and a victim's), a write three; counted after
 * the departure of a packet in the same cycle. */
static void a_miss_needs_places_in_the_miss_queue(void **state)
{
    struct rig rig;

    (void)state;
    for (int write = 0; write < 2; write++) {
        for (uint32_t held = 0; held < 4; held++) {
            bool fits = held + (write ? 3 : 2) <= 4;

            rig_defaults(&rig);
            send(&rig, 9, write ? BYW_TXN_WRITE : BYW_TXN_READ, 128);
            step(&rig);
            for (uint32_t i = 0; i < held + 1; i++)
                byw_fifo_push(&rig.pool, &rig.l2.miss,
                              rig_packet(&rig.pool, 0, 0, BYW_TXN_WRITE, 128));
            step(&rig);
            assert_int_equal(rig.stats.l2.misses, fits);
            assert_int_equal(rig.stats.l2.fail_queue, !fits);
            assert_int_equal(rig.stats.l2.fail_cycles, !fits);
            rig_end(&rig);
        }
    }
}

/* With the queue to DRAM full there is no lookup, so no failed lookup is counted either. */
static void a_full_dram_queue_prevents_lookups(void **state)
{
    struct rig rig;

    (void)state;
    rig_defaults(&rig);
    load(&rig, 9);
    steps(&rig, 4);
    rig.l2.dram_limit = 0;
    send(&rig, 9, BYW_TXN_READ, 128);
    steps(&rig, 20);
    assert_int_equal(rig.stats.l2.hits + rig.stats.l2.fail_cycles, 0);
    rig.l2.dram_limit = 8;
    step(&rig);
    assert_int_equal(rig.stats.l2.hits, 1);
    rig_end(&rig);
}

static void a_hit_occupies_the_data_port(void **state)
{
    static const struct {
        uint32_t bytes, cycles;
    } size[] = {{32, 1}, {64, 2}, {128, 4}};
    struct rig rig;

    (void)state;
    for (size_t i = 0; i < sizeof(size) / sizeof(size[0]); i++) {
        uint32_t got;

        rig_defaults(&rig);
        load(&rig, 1);
        for (int n = 0; n < 6; n++)
            send(&rig, 1, BYW_TXN_READ, size[i].bytes);
        wait_answer(&rig, &got);
        for (int n = 0; n < 5; n++)
            assert_int_equal(wait_answer(&rig, &got), size[i].cycles);
        rig_end(&rig);
    }
}

static void a_fill_occupies_the_fill_port(void **state)
{
    struct rig rig;
    uint32_t p[3], got;

    (void)state;
    rig_defaults(&rig);
    for (uint64_t i = 0; i < 3; i++) {
        send(&rig, i, BYW_TXN_READ, 128);
        steps(&rig, 4);
        p[i] = to_dram(&rig);
    }
    for (int i = 0; i < 3; i++)
        from_dram(&rig, p[i]);
    wait_answer(&rig, &got);
    assert_int_equal(wait_answer(&rig, &got), 4);
    assert_int_equal(wait_answer(&rig, &got), 4);
    rig_end(&rig);
}

static void a_full_output_prevents_lookups(void **state)
{
    struct rig rig;

    (void)state;
    rig_defaults(&rig);
    load(&rig, 1);
    for (int n = 0; n < 12; n++)
        send(&rig, 1, BYW_TXN_READ, 32);
    steps(&rig, 60);
    assert_int_equal(rig.l2.out.count, 8);
    assert_int_equal(rig.stats.l2.hits, 8);
    assert_int_equal(rig.stats.l2.fail_cycles, 0);
    answer(&rig);
    step(&rig);
    assert_int_equal(rig.l2.out.count, 8);
    rig_end(&rig);
}

static void a_write_hit_is_written_back_on_eviction(void **state)
{
    struct rig rig;
    uint32_t read, wb;

    (void)state;
    rig_defaults(&rig);
    for (uint64_t w = 0; w < 16; w++)
        load(&rig, 5 + 64 * w);
    assert_int_equal(rig.stats.l2.writebacks, 0);
    send(&rig, 5, BYW_TXN_WRITE, 32);
    settle(&rig);
    assert_int_equal(rig.stats.l2.write_hits, 1);
    assert_int_equal(rig.stats.l2.write_atoms, 0); /* the line stays in the L2 */
    for (uint64_t w = 1; w < 16; w++) /* line 5 becomes the oldest */
        load(&rig, 5 + 64 * w);
    steps(&rig, 4); /* until the data port is free */
    send(&rig, 5 + 64 * 16, BYW_TXN_READ, 128);
    steps(&rig, 2);
    assert_int_equal(rig.stats.l2.writebacks, 1);
    assert_int_equal(rig.l2.data_free, rig.now - 1 + 4); /* the victim is read out */
    steps(&rig, 4);
    read = to_dram(&rig);
    wb = to_dram(&rig);
    assert_int_equal(rig.pool.packet[read].txn.addr, (5 + 64 * 16) * 128);
    assert_int_equal(rig.pool.packet[wb].txn.addr, 5 * 128);
    assert_true(byw_packet_writes(&rig.pool.packet[wb]));
    assert_false(byw_packet_returns(&rig.pool.packet[wb]));
    assert_int_equal(rig.pool.packet[wb].atoms, 2);
    from_dram(&rig, read);
    from_dram(&rig, wb);
    settle(&rig);
    assert_int_equal(rig.pool.in_use, 0);
    rig_end(&rig);
}

static void a_write_that_misses_is_sent_to_dram(void **state)
{
    struct rig rig;
    uint32_t id, got, write, fetch, clean;

    (void)state;
    rig_defaults(&rig);
    id = send(&rig, 5, BYW_TXN_WRITE, 64);
    steps(&rig, 5);
    assert_int_equal(rig.stats.l2.write_misses, 1);
    assert_int_equal(rig.stats.l2.write_fetches, 1);
    write = to_dram(&rig);
    fetch = to_dram(&rig);
    assert_true(byw_packet_writes(&rig.pool.packet[write]));
    assert_int_equal(rig.pool.packet[write].atoms, 1);
    assert_false(byw_packet_writes(&rig.pool.packet[fetch]));
    assert_int_equal(rig.pool.packet[fetch].atoms, 2);
    from_dram(&rig, fetch);
    steps(&rig, 5);
    assert_int_equal(answer(&rig), 0); /* no request waits for the fetch */
    from_dram(&rig, write);
    assert_int_equal(wait_answer(&rig, &got), 1);
    assert_int_equal(got, id);
    /* The line is present and clean, so it is evicted without a write-back. */
    for (uint64_t w = 0; w <= 16; w++)
        load(&rig, 5 + 64 * w);
    clean = (uint32_t)rig.stats.l2.writebacks;
    assert_int_equal(clean, 0);
    assert_int_equal(rig.stats.l2.hits, 1);
    assert_int_equal(rig.pool.in_use, 0);
    rig_end(&rig);
}

/* A write to a line in flight is sent to DRAM as well, together with its fetch. */
static void a_write_to_a_line_in_flight_is_sent_to_dram(void **state)
{
    struct rig rig;
    uint32_t read, write;

    (void)state;
    rig_defaults(&rig);
    send(&rig, 5, BYW_TXN_READ, 128);
    send(&rig, 5, BYW_TXN_WRITE, 128);
    steps(&rig, 8);
    assert_int_equal(rig.stats.l2.pending, 1);
    assert_int_equal(rig.stats.l2.write_fetches, 0);
    read = to_dram(&rig);
    write = to_dram(&rig);
    assert_int_equal(to_dram(&rig), BYW_NO_PACKET);
    from_dram(&rig, read);
    from_dram(&rig, write);
    settle(&rig);
    assert_int_equal(rig.pool.in_use, 0);
    rig_end(&rig);
}

/* An L1's write-back gets no answer, hit or miss. */
static void write_backs_get_no_answer(void **state)
{
    struct rig rig;

    (void)state;
    rig_defaults(&rig);
    load(&rig, 5);
    send(&rig, 5, BYW_TXN_WRITEBACK, 128);
    steps(&rig, 10);
    assert_int_equal(rig.l2.out.count, 0);
    assert_int_equal(rig.stats.posted, 1);
    assert_int_equal(rig.l2.state[5 * 16 + 15], BYW_L2_DIRTY);
    send(&rig, 6, BYW_TXN_WRITEBACK, 128);
    steps(&rig, 10);
    assert_false(byw_packet_returns(&rig.pool.packet[to_dram(&rig)]));
    rig_end(&rig);
}

static void an_atomic_makes_its_line_dirty(void **state)
{
    struct rig rig;

    (void)state;
    rig_defaults(&rig);
    send(&rig, 5, BYW_TXN_ATOMIC, 32);
    settle(&rig);
    load(&rig, 6);
    send(&rig, 6, BYW_TXN_ATOMIC, 32);
    settle(&rig);
    assert_int_equal(rig.l2.state[5 * 16 + 15], BYW_L2_DIRTY);
    assert_int_equal(rig.l2.state[6 * 16 + 15], BYW_L2_DIRTY);
    assert_int_equal(rig.stats.l2.atomics, 2);
    rig_end(&rig);
}

/* Lines in flight cannot be victims: if all lines of a set are in flight, a lookup fails. */
static void lines_in_flight_are_no_victims(void **state)
{
    struct rig rig;
    uint32_t p[16];

    (void)state;
    rig_defaults(&rig);
    for (uint64_t w = 0; w < 16; w++) {
        send(&rig, 5 + 64 * w, BYW_TXN_READ, 128);
        steps(&rig, 5);
        p[w] = to_dram(&rig);
        assert_int_not_equal(p[w], BYW_NO_PACKET);
    }
    send(&rig, 5 + 64 * 16, BYW_TXN_READ, 128);
    steps(&rig, 20);
    assert_int_equal(rig.stats.l2.misses, 16);
    assert_int_equal(rig.stats.l2.fail_line, 19);
    from_dram(&rig, p[11]);
    steps(&rig, 2);
    assert_int_equal(rig.stats.l2.misses, 17);
    assert_int_equal(rig.l2.tag[5 * 16 + (15 - 11)], 5 + 64 * 16); /* filled line 11's way */
    for (int w = 0; w < 16; w++)
        if (w != 11)
            from_dram(&rig, p[w]);
    settle(&rig);
    rig_end(&rig);
}

/* The crossbar may deliver while the input queue has four free entries. */
static void input_closes_below_four_free_places(void **state)
{
    struct rig rig;

    (void)state;
    rig_defaults(&rig);
    rig.l2.dram_limit = 0; /* no lookups */
    for (int i = 0; i < 4; i++) {
        assert_true(byw_l2_ready(&rig.l2));
        send(&rig, 1, BYW_TXN_READ, 128);
        steps(&rig, 2);
    }
    assert_true(byw_l2_ready(&rig.l2));
    send(&rig, 1, BYW_TXN_READ, 128);
    step(&rig);
    assert_false(byw_l2_ready(&rig.l2));
    rig_end(&rig);
}

/* Single accesses: exactly the hits and write-backs of a textbook LRU cache. */
static void random_accesses_equal_a_textbook_lru_cache(void **state)
{
    enum { WAYS = 16, SETS = 64 };
    struct rig rig;
    uint64_t seed = rig_seed(), x = seed;
    static uint64_t line[SETS][WAYS]; /* most recent first */
    static bool dirty[SETS][WAYS];
    static uint32_t held[SETS];
    uint64_t hits = 0, writebacks = 0;

    (void)state;
    memset(held, 0, sizeof(held));
    rig_defaults(&rig);
    for (int i = 0; i < 30000; i++) {
        uint32_t set = rig_below(&x, 4), w;
        uint64_t l = set + 64 * (uint64_t)rig_below(&x, 24);
        uint32_t kind = rig_below(&x, 4); /* two in four are reads */
        bool d = false;

        send(&rig, l, kind == 0 ? BYW_TXN_WRITE : kind == 1 ? BYW_TXN_ATOMIC : BYW_TXN_READ, 32);
        settle(&rig);
        for (w = 0; w < held[set] && line[set][w] != l; w++)
            continue;
        if (w < held[set]) {
            hits++;
            d = dirty[set][w] || kind <= 1;
        } else {
            d = kind == 1; /* a write that misses is sent to DRAM */
            if (held[set] < WAYS)
                held[set]++;
            else
                writebacks += dirty[set][WAYS - 1];
            w = held[set] - 1;
        }
        memmove(&line[set][1], &line[set][0], w * sizeof(line[set][0]));
        memmove(&dirty[set][1], &dirty[set][0], w * sizeof(dirty[set][0]));
        line[set][0] = l;
        dirty[set][0] = d;
        RIG_CHECK(rig.stats.l2.hits == hits, seed);
        RIG_CHECK(rig.stats.l2.writebacks == writebacks, seed);
    }
    RIG_CHECK(hits > 5000 && writebacks > 1000, seed);
    rig_end(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_filled_line_hits),
        cmocka_unit_test(requests_wait_before_the_tags),
        cmocka_unit_test(a_full_merge_list_refuses),
        cmocka_unit_test(a_miss_without_an_mshr_is_refused),
        cmocka_unit_test(a_miss_needs_places_in_the_miss_queue),
        cmocka_unit_test(a_full_dram_queue_prevents_lookups),
        cmocka_unit_test(a_hit_occupies_the_data_port),
        cmocka_unit_test(a_fill_occupies_the_fill_port),
        cmocka_unit_test(a_full_output_prevents_lookups),
        cmocka_unit_test(a_write_hit_is_written_back_on_eviction),
        cmocka_unit_test(a_write_that_misses_is_sent_to_dram),
        cmocka_unit_test(a_write_to_a_line_in_flight_is_sent_to_dram),
        cmocka_unit_test(write_backs_get_no_answer),
        cmocka_unit_test(an_atomic_makes_its_line_dirty),
        cmocka_unit_test(lines_in_flight_are_no_victims),
        cmocka_unit_test(input_closes_below_four_free_places),
        cmocka_unit_test(random_accesses_equal_a_textbook_lru_cache),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
