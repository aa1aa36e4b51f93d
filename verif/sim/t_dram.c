/* SPDX-License-Identifier: Apache-2.0
 *
 * t_dram.c - every DRAM distance at its last forbidden and its first allowed cycle, for several
 * values of each key involved; refresh, command buses, bank groups.
 */
#include "dram_rig.h"
#include "sim/timing_keys.h"

static const uint32_t steps_of[] = {0, 1, 2, 17};
enum { STEPS = sizeof(steps_of) / sizeof(steps_of[0]) };

/* --- commands ----------------------------------------------------------------------------- */

static void activate_to_read(void **state)
{
    for (uint32_t i = 0; i < STEPS; i++) {
        struct rig rig;

        bare_config(&rig.config);
        rig.config.t_rcd = 9;
        *timing_key(state, &rig.config) += steps_of[i];
        rig_start(&rig);
        push(&rig, 0, 5, false, 1);
        expect_at(&rig, &rig.stats.dram_activates, 1);
        expect_at(&rig, &rig.stats.dram_reads, 1 + rig.config.t_rcd);
        rig_end(&rig);
    }
}

/* The write data follows after t_wl, so the command may come t_wl cycles earlier. */
static void activate_to_write(void **state)
{
    for (uint32_t i = 0; i < STEPS; i++) {
        struct rig rig;

        bare_config(&rig.config);
        rig.config.t_rcd = 25;
        rig.config.t_wl = 3;
        *timing_key(state, &rig.config) += steps_of[i];
        rig_start(&rig);
        push(&rig, 1, 5, true, 1);
        expect_at(&rig, &rig.stats.dram_activates, 1);
        expect_at(&rig, &rig.stats.dram_writes, 1 + rig.config.t_rcd - (rig.config.t_wl + 1));
        rig_end(&rig);
    }
}

static void activate_to_activate(void **state)
{
    bool same_bank = TIMING_KEY_IS(state, t_rc);

    for (uint32_t i = 0; i < STEPS; i++) {
        struct rig rig;
        uint64_t at;

        bare_config(&rig.config);
        *timing_key(state, &rig.config) = 4 + steps_of[i];
        rig_start(&rig);
        push(&rig, 0, 5, false, 1);
        push(&rig, same_bank ? 0 : 9, 6, false, 1);
        at = next_of(&rig, &rig.stats.dram_activates);
        expect_at(&rig, &rig.stats.dram_activates, at + 4 + steps_of[i]);
        rig_end(&rig);
    }
}

static void activate_to_precharge_to_activate(void **state)
{
    for (uint32_t i = 0; i < STEPS; i++) {
        struct rig rig;
        uint64_t at;

        bare_config(&rig.config);
        rig.config.t_ras = 20;
        rig.config.t_rp = 11;
        *timing_key(state, &rig.config) += steps_of[i];
        rig_start(&rig);
        push(&rig, 0, 5, false, 1);
        push(&rig, 0, 6, false, 1);
        at = next_of(&rig, &rig.stats.dram_activates) + rig.config.t_ras;
        expect_at(&rig, &rig.stats.dram_precharges, at);
        expect_at(&rig, &rig.stats.dram_activates, at + rig.config.t_rp);
        rig_end(&rig);
    }
}

static void column_to_column(void **state)
{
    for (uint32_t i = 0; i < STEPS; i++) {
        struct rig rig;
        uint64_t at;

        bare_config(&rig.config);
        rig.config.t_ccd = 5;
        *timing_key(state, &rig.config) += steps_of[i];
        rig_start(&rig);
        open_row(&rig, 0, 1);
        push(&rig, 0, 1, i % 2 != 0, 3);
        at = next_of(&rig, i % 2 != 0 ? &rig.stats.dram_writes : &rig.stats.dram_reads);
        for (uint32_t n = 1; n < 3; n++)
            expect_at(&rig, i % 2 != 0 ? &rig.stats.dram_writes : &rig.stats.dram_reads,
                      at + (uint64_t)n * rig.config.t_ccd);
        rig_end(&rig);
    }
}

/* Two reads of open rows: in banks of one group, and in banks of two groups. */
static void column_to_column_by_group(void **state)
{
    static const struct {
        uint32_t index, timing, other;
        bool one_group;
    } pair[] = {{BYW_GROUP_HIGH, 1, 1, true},  {BYW_GROUP_HIGH, 1, 4, false},
                {BYW_GROUP_LOW, 1, 1, false},  {BYW_GROUP_LOW, 1, 4, true},
                {BYW_GROUP_HIGH, 0, 1, false}, {BYW_GROUP_LOW, 0, 4, false}};

    for (uint32_t n = 0; n < STEPS * sizeof(pair) / sizeof(pair[0]); n++) {
        uint32_t i = n / STEPS;
        struct rig rig;
        uint64_t at;

        bare_config(&rig.config);
        rig.config.t_ccd = 2;
        rig.config.t_ccdl = 25;
        if (TIMING_KEY_IS(state, t_ccd) || TIMING_KEY_IS(state, t_ccdl))
            *timing_key(state, &rig.config) += steps_of[n % STEPS];
        rig.config.dram_group_index = pair[i].index;
        rig.config.dram_group_timing = pair[i].timing;
        rig_start(&rig);
        open_row(&rig, 0, 1);
        open_row(&rig, pair[i].other, 1);
        push(&rig, 0, 1, false, 1);
        push(&rig, pair[i].other, 1, false, 1);
        at = next_of(&rig, &rig.stats.dram_reads);
        expect_at(&rig, &rig.stats.dram_reads,
                  at + (pair[i].one_group ? rig.config.t_ccdl : rig.config.t_ccd));
        rig_end(&rig);
    }
}

static void read_to_write(void **state)
{
    for (uint32_t i = 0; i < STEPS; i++) {
        struct rig rig;
        uint64_t at;

        bare_config(&rig.config);
        rig.config.t_cl = 28;
        rig.config.t_wl = 3;
        rig.config.dram_burst = 2;
        *timing_key(state, &rig.config) += steps_of[i];
        rig_start(&rig);
        open_row(&rig, 0, 1);
        open_row(&rig, 4, 1);
        push(&rig, 0, 1, false, 1);
        at = next_of(&rig, &rig.stats.dram_reads);
        push(&rig, 4, 1, true, 1);
        expect_at(&rig, &rig.stats.dram_writes,
                  at + rig.config.t_cl + rig.config.dram_burst + 2 - rig.config.t_wl);
        rig_end(&rig);
    }
}

static void write_to_read(void **state)
{
    for (uint32_t i = 0; i < STEPS; i++) {
        struct rig rig;
        uint64_t at;

        bare_config(&rig.config);
        rig.config.t_wl = 3;
        rig.config.t_cdlr = 4;
        rig.config.dram_burst = 2;
        *timing_key(state, &rig.config) += steps_of[i];
        rig_start(&rig);
        open_row(&rig, 0, 1);
        open_row(&rig, 4, 1);
        push(&rig, 4, 1, true, 1);
        at = next_of(&rig, &rig.stats.dram_writes);
        push(&rig, 0, 1, false, 1);
        expect_at(&rig, &rig.stats.dram_reads,
                  at + rig.config.t_wl + rig.config.dram_burst + rig.config.t_cdlr);
        rig_end(&rig);
    }
}

static void write_to_precharge(void **state)
{
    for (uint32_t i = 0; i < STEPS; i++) {
        struct rig rig;
        uint64_t at;

        bare_config(&rig.config);
        rig.config.t_wl = 3;
        rig.config.t_wr = 13;
        rig.config.dram_burst = 2;
        *timing_key(state, &rig.config) += steps_of[i];
        rig_start(&rig);
        open_row(&rig, 0, 1);
        push(&rig, 0, 1, true, 1);
        push(&rig, 0, 2, true, 1);
        at = next_of(&rig, &rig.stats.dram_writes);
        expect_at(&rig, &rig.stats.dram_precharges,
                  at + rig.config.t_wl + rig.config.dram_burst + rig.config.t_wr);
        rig_end(&rig);
    }
}

static void read_to_precharge_of_the_bank(void **state)
{
    for (uint32_t i = 0; i < STEPS; i++) {
        struct rig rig;
        uint64_t at;

        bare_config(&rig.config);
        rig.config.dram_burst = 4;
        *timing_key(state, &rig.config) += steps_of[i];
        rig_start(&rig);
        open_row(&rig, 0, 1);
        push(&rig, 0, 1, false, 1);
        push(&rig, 0, 2, false, 1);
        at = next_of(&rig, &rig.stats.dram_reads);
        expect_at(&rig, &rig.stats.dram_precharges, at + rig.config.dram_burst);
        rig_end(&rig);
    }
}

/* The distance applies to all banks of the read's group; without group timing, to its bank
 * alone. */
static void read_to_precharge_of_the_group(void **state)
{
    static const struct {
        uint32_t timing, other;
        bool holds;
    } pair[] = {{1, 1, true}, {1, 4, false}, {1, 0, true}, {0, 1, false}, {0, 0, true}};

    (void)state;
    for (uint32_t n = 0; n < STEPS * sizeof(pair) / sizeof(pair[0]); n++) {
        uint32_t i = n / STEPS;
        struct rig rig;
        uint64_t at;

        bare_config(&rig.config);
        rig.config.t_rtpl = 9 + steps_of[n % STEPS];
        rig.config.dram_group_timing = pair[i].timing;
        rig_start(&rig);
        open_row(&rig, 0, 1);
        if (pair[i].other != 0)
            open_row(&rig, pair[i].other, 1);
        push(&rig, 0, 1, false, 1);
        at = next_of(&rig, &rig.stats.dram_reads);
        push(&rig, pair[i].other, 2, false, 1);
        expect_at(&rig, &rig.stats.dram_precharges,
                  pair[i].holds ? at + rig.config.t_rtpl : at + 1);
        rig_end(&rig);
    }
}

/* --- data --------------------------------------------------------------------------------- */

static void command_to_data(void **state)
{
    bool write = TIMING_KEY_IS(state, t_wl);

    for (uint32_t i = 0; i < STEPS; i++) {
        struct rig rig;
        uint64_t at;

        bare_config(&rig.config);
        *timing_key(state, &rig.config) = 4 + steps_of[i];
        rig_start(&rig);
        open_row(&rig, 0, 1);
        while (rig.dram.returned.count > 0)
            byw_pool_give(&rig.pool, byw_fifo_pop(&rig.pool, &rig.dram.returned));
        push(&rig, 0, 1, write, 1);
        at = next_of(&rig, write ? &rig.stats.dram_writes : &rig.stats.dram_reads);
        while (rig.now < at + 4 + steps_of[i])
            step(&rig);
        assert_int_equal(rig.dram.returned.count, 0);
        step(&rig);
        assert_int_equal(rig.dram.returned.count, 1);
        assert_int_equal(rig.stats.dram_busy, 2 * rig.config.dram_burst);
        rig_end(&rig);
    }
}

static void atoms_keep_the_bus_busy(void **state)
{
    for (uint32_t i = 0; i < STEPS; i++) {
        struct rig rig;

        bare_config(&rig.config);
        *timing_key(state, &rig.config) += steps_of[i];
        rig_start(&rig);
        push(&rig, 0, 5, false, 3);
        push(&rig, 0, 5, true, 2);
        while (rig.now < 200)
            step(&rig);
        assert_int_equal(rig.stats.dram_busy, 5 * rig.config.dram_burst);
        rig_end(&rig);
    }
}

/* --- refresh, command buses --------------------------------------------------------------- */

/* A refresh takes t_rfc before the next activate; an open row adds t_rp. Between refreshes the
 * channel works as usual. */
static void refresh_to_activate(void **state)
{
    for (uint32_t i = 0; i < STEPS; i++) {
        uint64_t refi, rfc, rp;
        struct rig rig;

        bare_config(&rig.config);
        rig.config.t_rp = 11;
        rig.config.t_refi = 200;
        rig.config.t_rfc = 50;
        *timing_key(state, &rig.config) += steps_of[i];
        refi = rig.config.t_refi;
        rfc = rig.config.t_rfc;
        rp = rig.config.t_rp;
        rig_start(&rig);
        while (rig.now < refi)
            step(&rig);
        push(&rig, 0, 5, false, 1); /* arrives in the refresh's cycle; all rows are closed */
        expect_at(&rig, &rig.stats.dram_activates, refi + rfc);
        while (rig.now < 2 * refi)
            step(&rig);
        push(&rig, 0, 5, false, 1); /* its row stays open until then */
        expect_at(&rig, &rig.stats.dram_activates, 2 * refi + rp + rfc);
        assert_int_equal(rig.stats.dram_precharges, 1);
        while (rig.now < 3 * refi - 1)
            step(&rig);
        push(&rig, 0, 5, false, 1);
        /* a row hit just before the third refresh */
        expect_at(&rig, &rig.stats.dram_reads, 3 * refi - 1);
        assert_int_equal(rig.stats.dram_refreshes, 2);
        rig_end(&rig);
    }
}

/* A refresh waits until the row may be precharged. An idle channel that missed three refreshes
 * makes up for them; the last one may still be in progress. */
static void refresh_waits_and_catches_up(void **state)
{
    struct rig rig;

    (void)state;
    bare_config(&rig.config);
    rig.config.t_ras = 30;
    rig.config.t_refi = 200;
    rig.config.t_rp = rig.config.t_rfc = 50;
    rig_start(&rig);
    while (rig.now < 190)
        step(&rig);
    push(&rig, 0, 5, false, 1);
    expect_at(&rig, &rig.stats.dram_activates, 190);
    while (rig.now < 205)
        step(&rig);
    push(&rig, 3, 5, false, 1);
    expect_at(&rig, &rig.stats.dram_activates, 190 + 30 + 50 + 50);
    while (rig.now < 830) {
        step(&rig);
        assert_true(rig.now < 350 || rig.dram.wake == UINT64_MAX); /* it sleeps meanwhile */
    }
    push(&rig, 3, 5, false, 1);
    expect_at(&rig, &rig.stats.dram_activates, 800 + 50);
    assert_int_equal(rig.stats.dram_refreshes, 4);
    rig_end(&rig);
}

/* Bank 2's column command and bank 5's activate are due in one cycle: with two buses both are
 * sent at once, with one bus they are sent one after the other. */
static void one_command_per_bus(void **state)
{
    (void)state;
    for (uint32_t dual = 0; dual < 2; dual++) {
        struct rig rig;
        uint64_t at;

        bare_config(&rig.config);
        rig.config.dram_dual_bus = dual;
        rig_start(&rig);
        open_row(&rig, 2, 1);
        push(&rig, 2, 1, false, 8);
        at = next_of(&rig, &rig.stats.dram_reads);
        rig.dram.turn = 0;
        push(&rig, 5, 1, false, 1);
        assert_int_equal(next_of(&rig, &rig.stats.dram_reads), at + 1);
        assert_int_equal(rig.stats.dram_activates, 1 + dual);
        rig_end(&rig);
    }
}

/* Each bank serves one request. Another request to a busy bank waits for its last column
 * command. */
static void a_bank_serves_one_request(void **state)
{
    for (uint32_t banks = 4; banks <= 64; banks *= 4) {
        struct rig rig;

        bare_config(&rig.config);
        *timing_key(state, &rig.config) = banks;
        rig.config.t_rcd = 100;
        rig_start(&rig);
        for (uint32_t b = 0; b < banks; b++)
            push(&rig, b, 1, false, 1);
        push(&rig, 0, 1, false, 1);
        while (rig.now <= banks)
            step(&rig);
        assert_int_equal(rig.stats.dram_requests, banks);
        expect_at(&rig, &rig.stats.dram_reads, 1 + 100); /* bank 0's, activated in cycle 1 */
        expect_at(&rig, &rig.stats.dram_requests, 1 + 100 + 1);
        rig_end(&rig);
    }
}

/* --- queues ------------------------------------------------------------------------------- */

/* The queue holds as many requests as its scheduler's key says. A slot becomes free in the cycle
 * after a request moves to its bank: for the first request at once, for the next when the bank
 * sends its last column command. */
static void queue_holds(void **state)
{
    for (uint32_t n = 1; n <= 9; n += 4) {
        struct rig rig;

        bare_config(&rig.config);
        rig.config.dram_queue = rig.config.dram_fcfs_queue = 100;
        *timing_key(state, &rig.config) = n;
        rig.config.dram_sched =
            TIMING_KEY_IS(state, dram_fcfs_queue) ? BYW_DRAM_FCFS : BYW_DRAM_FRFCFS;
        rig.config.t_rcd = 20;
        rig_start(&rig);
        for (uint32_t i = 0; i < n; i++) {
            assert_false(byw_dram_full(&rig.dram));
            push(&rig, 2, 1, false, 1);
        }
        assert_true(byw_dram_full(&rig.dram));
        step(&rig);
        assert_false(byw_dram_full(&rig.dram));
        push(&rig, 2, 1, false, 1);
        assert_true(byw_dram_full(&rig.dram));
        expect_at(&rig, &rig.stats.dram_reads, 1 + 20);
        assert_true(byw_dram_full(&rig.dram));
        step(&rig);
        assert_false(byw_dram_full(&rig.dram));
        rig_end(&rig);
    }
}

/* If the return queue is full, data stays on the bus until the cycle after a packet leaves the
 * queue; later column commands wait as well. */
static void return_queue_holds(void **state)
{
    for (uint32_t n = 1; n <= 9; n += 4) {
        struct rig rig;

        bare_config(&rig.config);
        *timing_key(state, &rig.config) = n;
        rig_start(&rig);
        for (uint32_t i = 0; i < n + 3; i++)
            push(&rig, i, 1, false, 1);
        for (uint32_t i = 0; i < 100; i++)
            step(&rig);
        assert_int_equal(rig.dram.returned.count, n);
        assert_int_equal(rig.stats.dram_reads, n + 1);
        byw_pool_give(&rig.pool, byw_fifo_pop(&rig.pool, &rig.dram.returned));
        step(&rig);
        assert_int_equal(rig.dram.returned.count, n);
        step(&rig);
        assert_int_equal(rig.dram.returned.count, n);
        assert_int_equal(rig.stats.dram_reads, n + 2);
        rig_end(&rig);
    }
}

int main(void)
{
#define DRAM TIMING_KEY
    const struct CMUnitTest tests[] = {
#include "sim/timing_keys.def"
    };

    return cmocka_run_group_tests_name("dram", tests, NULL, NULL);
}
