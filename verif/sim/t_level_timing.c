/* SPDX-License-Identifier: Apache-2.0
 *
 * t_level_timing.c - every queue, MSHR, port and delay of the caches below the L1s, for each of the
 * three levels that share the code, at the last refused and the first accepted entry.
 */
#include "l2_rig.h"
#include "sim/timing_keys.h"

/* The level to which the probed key belongs; everything else has ample room and no delay. */
static struct byw_l2_shape shape_of(struct rig *rig, void **state, uint32_t set)
{
    struct byw_config *c = &rig->config;
    const char *name = ((const struct timing_key *)*state)->name;

    rig_config(c);
    c->l2_sets = c->l3_sets = c->gl1_sets = 64;
    c->l2_ways = c->l3_ways = c->gl1_ways = 16;
    c->l2_mshrs = c->l3_mshrs = c->gl1_mshrs = 128;
    c->l2_merges = c->l3_merges = c->gl1_merges = 64;
    c->l2_miss_queue = c->l3_miss_queue = c->gl1_miss_queue = 64;
    c->l2_port = c->l3_port = c->gl1_port = 128;
    c->l2_in_queue = c->l2_out_queue = c->l2_dram_queue = c->l3_queue = c->gl1_queue = 64;
    c->l2_rop = c->l3_tags = c->gl1_tags = c->l2_data = c->l3_data = c->gl1_data = 0;
    *timing_key(state, c) = set;
    if (strncmp(name, "gl1", 3) == 0)
        return byw_l2_shape_gl1(c);
    return strncmp(name, "l3", 2) == 0 ? byw_l2_shape_l3(c) : byw_l2_shape(c);
}

static void start(struct rig *rig, void **state, uint32_t set)
{
    struct byw_l2_shape shape = shape_of(rig, state, set);

    rig_start_as(rig, &shape);
}

/* Expects no count in the next `cycles` cycles, and one in the cycle after them. */
static void expect_after(struct rig *rig, const uint64_t *counter, uint32_t cycles)
{
    uint64_t before = *counter;

    steps(rig, (int)cycles);
    assert_int_equal(*counter, before);
    step(rig);
    assert_int_equal(*counter, before + 1);
}

/* --- delays ------------------------------------------------------------------------------- */

/* One cycle to the queue before the tags, then the lookup. */
static void tags_come_after_their_delay(void **state)
{
    static const uint32_t delay[] = {0, 1, 2, 120};

    for (size_t i = 0; i < sizeof(delay) / sizeof(delay[0]); i++) {
        struct rig rig;

        start(&rig, state, delay[i]);
        load(&rig, 7);
        steps(&rig, 4);
        send(&rig, 7, BYW_TXN_READ, 128);
        expect_after(&rig, &rig.stats.l2.hits, delay[i] + 1);
        rig_end(&rig);
    }
}

/* An answer may be taken in the next cycle, plus the delay: after a hit and after a fill. */
static void answers_leave_after_their_delay(void **state)
{
    static const uint32_t delay[] = {0, 1, 2, 30};

    for (size_t i = 0; i < 2 * sizeof(delay) / sizeof(delay[0]); i++) {
        uint32_t cycles = delay[i / 2];
        struct rig rig;

        start(&rig, state, cycles);
        if (i % 2 == 0)
            load(&rig, 7);
        send(&rig, 7, BYW_TXN_READ, 128);
        while (rig.l2.out.count == 0) {
            uint32_t p = to_dram(&rig);

            if (p != BYW_NO_PACKET)
                from_dram(&rig, p);
            step(&rig);
        }
        if (cycles == 0)
            assert_true(rig.pool.packet[rig.l2.out.head].ready <= rig.now);
        else
            assert_int_equal(rig.pool.packet[rig.l2.out.head].ready, rig.now + cycles);
        rig_end(&rig);
    }
}

/* --- MSHRs -------------------------------------------------------------------------------- */

/* While all MSHRs are in use, the next miss waits. It is accepted in the cycle in which one MSHR's
 * last request is answered, after that MSHR's fill. */
static void mshrs_hold(void **state)
{
    for (uint32_t n = 1; n <= 9; n += 4) {
        uint32_t first;
        struct rig rig;

        start(&rig, state, n);
        for (uint32_t i = 0; i <= n; i++)
            send(&rig, i, BYW_TXN_READ, 128);
        steps(&rig, 40);
        assert_int_equal(rig.stats.l2.misses, n);
        assert_int_equal(rig.stats.l2.fail_mshr, rig.stats.l2.fail_cycles);
        assert_true(rig.stats.l2.fail_mshr > 20);
        first = to_dram(&rig);
        from_dram(&rig, first);
        expect_after(&rig, &rig.stats.l2.misses, 1);
        rig_end(&rig);
    }
}

/* In the cycle in which the sector arrives, another request for it is accepted, as a hit. */
static void mshr_lists_hold(void **state)
{
    for (uint32_t n = 1; n <= 9; n += 4) {
        struct rig rig;

        start(&rig, state, n);
        for (uint32_t i = 0; i <= n; i++)
            send(&rig, 3, BYW_TXN_READ, 128);
        steps(&rig, 40);
        assert_int_equal(rig.stats.l2.misses, 1);
        assert_int_equal(rig.stats.l2.pending, n - 1);
        assert_int_equal(rig.stats.l2.fail_merge, rig.stats.l2.fail_cycles);
        from_dram(&rig, to_dram(&rig));
        expect_after(&rig, &rig.stats.l2.hits, 0);
        rig_end(&rig);
    }
}

/* --- queues ------------------------------------------------------------------------------- */

/* Free entries that a lookup needs, counted after a departure in the same cycle: a read needs its
 * own and a victim's; a write needs one; a write that fetches needs all three. */
static void miss_queue_holds(void **state)
{
    for (uint32_t write = 0; write < 2; write++) {
        for (uint32_t n = 3; n <= 9; n += 3) {
            struct byw_l2_shape shape;
            struct rig rig;
            uint32_t need;

            shape = shape_of(&rig, state, n);
            need = write == 0 ? 2 : shape.write == BYW_L2_FETCH ? 3 : 1;
            rig_start_as(&rig, &shape);
            send(&rig, 9, write ? BYW_TXN_WRITE : BYW_TXN_READ, 128);
            step(&rig);
            for (uint32_t i = 0; i < n - need + 2; i++)
                byw_fifo_push(&rig.pool, &rig.l2.miss,
                              rig_packet(&rig.pool, 0, 0, BYW_TXN_WRITE, 128));
            expect_after(&rig, &rig.stats.l2.misses, 1); /* one entry too few, then just enough */
            assert_int_equal(rig.stats.l2.fail_queue, 1);
            rig_end(&rig);
        }
    }
}

/* The delay line hands over another request in the cycle in which the tags take one. The input
 * from above closes while fewer than four entries (or all entries of a shorter queue) are free. */
static void input_queue_holds(void **state)
{
    for (uint32_t n = 1; n <= 9; n += 4) {
        struct rig rig;

        start(&rig, state, n);
        load(&rig, 1);
        rig.l2.data_free = UINT64_MAX; /* no lookups */
        for (uint32_t i = 0; i < n + 1; i++) {
            bool ready = n < 4 ? i == 0 : i <= n - 4;

            assert_int_equal(byw_l2_ready(&rig.l2), ready);
            send(&rig, 1, BYW_TXN_READ, 32);
            step(&rig);
            assert_int_equal(rig.l2.in.count, i < n ? i + 1 : n);
        }
        assert_int_equal(rig.l2.rop.count, 1);
        rig.l2.data_free = 0;
        expect_after(&rig, &rig.stats.l2.hits, 0);
        assert_int_equal(rig.l2.in.count, n);
        assert_int_equal(rig.l2.rop.count, 0);
        rig_end(&rig);
    }
}

/* There is another lookup in the cycle after an answer leaves; without room there is no lookup,
 * and therefore no failed one. An MSHR's answer and an acknowledgement wait in the same way. */
static void output_queue_holds(void **state)
{
    for (uint32_t n = 1; n <= 9; n += 4) {
        struct rig rig;
        uint32_t two;

        start(&rig, state, n);
        load(&rig, 1);
        send(&rig, 2, BYW_TXN_READ, 32);
        steps(&rig, 5);
        two = to_dram(&rig);
        for (uint32_t i = 0; i < n + 2; i++)
            send(&rig, 1, BYW_TXN_READ, 32);
        steps(&rig, 60);
        assert_int_equal(rig.l2.out.count, n);
        assert_int_equal(rig.stats.l2.hits, n);
        answer(&rig);
        expect_after(&rig, &rig.stats.l2.hits, 0);
        assert_int_equal(rig.l2.out.count, n);
        from_dram(&rig, two); /* filled, its answer is ready */
        steps(&rig, 5);
        assert_int_equal(rig.l2.mshr_in_use, 1);
        answer(&rig);
        step(&rig);
        assert_int_equal(rig.l2.mshr_in_use, 0);
        assert_int_equal(rig.stats.l2.hits, n + 1); /* the MSHR's answer came first */
        assert_int_equal(rig.stats.l2.fail_cycles, 0);
        rig_end(&rig);
    }
}

/* Another miss leaves the miss queue, or another request is looked up, in the cycle after one is
 * taken. */
static void queue_down_holds(void **state)
{
    for (uint32_t n = 1; n <= 9; n += 4) {
        struct rig rig;

        start(&rig, state, n);
        for (uint32_t i = 0; i < n + 3; i++)
            send(&rig, i, BYW_TXN_READ, 32);
        steps(&rig, 60);
        assert_int_equal(rig.l2.to_dram.count, n);
        assert_int_equal(rig.stats.l2.misses, n);
        assert_int_equal(rig.stats.l2.fail_cycles, 0);
        assert_int_not_equal(to_dram(&rig), BYW_NO_PACKET);
        expect_after(&rig, &rig.stats.l2.misses, 0);
        for (uint32_t i = 0; i < 3; i++)
            byw_fifo_push(&rig.pool, &rig.l2.miss, rig_packet(&rig.pool, 0, 0, BYW_TXN_WRITE, 128));
        for (uint32_t i = 0; i < 3; i++) {
            steps(&rig, 10);
            assert_int_equal(rig.l2.to_dram.count, n);
            assert_int_equal(rig.l2.miss.count, 3 - i);
            assert_int_not_equal(to_dram(&rig), BYW_NO_PACKET);
            step(&rig);
            assert_int_equal(rig.l2.to_dram.count, n);
        }
        rig_end(&rig);
    }
}

/* --- ports -------------------------------------------------------------------------------- */

/* A hit occupies the data port for the cycles that its size takes, rounded up. */
static void data_port_passes(void **state)
{
    for (uint32_t n = 0; n < 6 * 3; n++) {
        uint32_t port = 8U << n / 3, bytes = 32U << n % 3;
        struct rig rig;

        start(&rig, state, port);
        load(&rig, 1);
        steps(&rig, 20);
        for (uint32_t i = 0; i < 4; i++)
            send(&rig, 1, BYW_TXN_READ, bytes);
        expect_after(&rig, &rig.stats.l2.hits, 1);
        for (uint32_t i = 1; i < 4; i++)
            expect_after(&rig, &rig.stats.l2.hits, (bytes + port - 1) / port - 1);
        rig_end(&rig);
    }
}

/* A fill occupies the fill port likewise; its answer leaves in the cycle after it. */
static void fill_port_passes(void **state)
{
    for (uint32_t port = 8; port <= 256; port *= 2) {
        uint32_t cycles = (128 + port - 1) / port;
        struct rig rig;
        uint32_t id;

        start(&rig, state, port);
        for (uint64_t i = 0; i < 3; i++)
            send(&rig, i, BYW_TXN_READ, 128);
        steps(&rig, 10);
        for (uint64_t i = 0; i < 3; i++)
            from_dram(&rig, to_dram(&rig));
        assert_int_equal(wait_answer(&rig, &id), 2);
        assert_int_equal(wait_answer(&rig, &id), cycles);
        assert_int_equal(wait_answer(&rig, &id), cycles);
        rig_end(&rig);
    }
}

/* A write that hits occupies the data port for its bytes at l2.write_bytes per cycle; with 0, as
 * a read. */
static void writes_pass_at_their_own_rate(void **state)
{
    static const uint32_t width[] = {0, 8, 22, 128};

    for (size_t n = 0; n < 3 * sizeof(width) / sizeof(width[0]); n++) {
        uint32_t bytes = 32U << n % 3, per = width[n / 3] != 0 ? width[n / 3] : 128;
        struct rig rig;

        start(&rig, state, width[n / 3]);
        load(&rig, 1);
        steps(&rig, 20);
        for (uint32_t i = 0; i < 4; i++)
            send(&rig, 1, BYW_TXN_WRITE, bytes);
        expect_after(&rig, &rig.stats.l2.hits, 1);
        for (uint32_t i = 1; i < 4; i++)
            expect_after(&rig, &rig.stats.l2.hits, (bytes + per - 1) / per - 1);
        rig_end(&rig);
    }
}

/* A line of 128 bytes arrives from below as hits wait.  With one port of 16 bytes the hits
 * wait for its 8 cycles; with separate fill and data ports they do not.  A dirty victim occupies
 * the data port only. */
static void fills_take_the_data_port(void **state)
{
    enum { SETS = 64 }; /* lines 0 and SETS share a set */

    for (uint32_t one = 0; one < 2; one++) {
        struct byw_l2_shape shape;
        struct rig rig;

        shape = shape_of(&rig, state, one);
        shape.port_bytes = 16;
        shape.ways = 1;
        shape.write_bytes = 128;
        rig_start_as(&rig, &shape);
        load(&rig, 0);
        steps(&rig, 20);
        send(&rig, 0, BYW_TXN_WRITE, 128);
        send(&rig, SETS, BYW_TXN_READ, 128);
        steps(&rig, 3); /* the write hits; the miss evicts its line, which is written back */
        assert_int_equal(rig.stats.l2.writebacks, 1);
        assert_int_equal(rig.l2.data_free > rig.now + 4, one == 0);
        steps(&rig, 20);
        from_dram(&rig, to_dram(&rig));
        from_dram(&rig, to_dram(&rig));
        send(&rig, SETS, BYW_TXN_READ, 32);
        step(&rig); /* the fill */
        expect_after(&rig, &rig.stats.l2.hits, one != 0 ? 7 : 0);
        rig_end(&rig);
    }
}

int main(void)
{
#define LEVEL TIMING_KEY
    const struct CMUnitTest tests[] = {
#include "sim/timing_keys.def"
    };

    return cmocka_run_group_tests_name("level_timing", tests, NULL, NULL);
}
