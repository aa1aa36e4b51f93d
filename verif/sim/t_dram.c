/* SPDX-License-Identifier: Apache-2.0
 *
 * Every DRAM distance at its last forbidden and its first allowed cycle, the order of service, and
 * random traffic under a protocol monitor that knows the distances from the data sheet's side.
 */
#include "memsys_rig.h"
#include "sim/byw_dram.h"

struct rig {
    struct byw_config config;
    struct byw_packet_pool pool;
    struct byw_mem_stats stats;
    struct byw_dram dram;
    uint64_t now; /* the next cycle */
};

/* A configuration in which every distance is 0 or 1, so that a test sets just its own. */
static void bare_config(struct byw_config *config)
{
    rig_config(config);
    config->t_ccd = config->t_ccdl = 1;
    config->t_rrd = config->t_rcd = config->t_ras = config->t_rp = config->t_rc = 0;
    config->t_cl = config->t_wl = config->t_cdlr = config->t_wr = config->t_rtpl = 0;
    config->dram_burst = 1;
}

static void rig_start(struct rig *rig)
{
    rig_pool_init(&rig->pool, 4096);
    memset(&rig->stats, 0, sizeof(rig->stats));
    byw_dram_init(&rig->dram, &rig->config, &rig->pool, &rig->stats);
    rig->now = 1;
}

static void rig_end(struct rig *rig)
{
    free(rig->pool.packet);
}

static uint32_t push(struct rig *rig, uint32_t bank, uint64_t row, bool write, uint32_t atoms)
{
    uint32_t p = rig_packet(&rig->pool, 0, rig->pool.touched, write ? BYW_TXN_WRITE : BYW_TXN_READ,
                            atoms * 64);

    rig->pool.packet[p].bank = (uint8_t)bank;
    rig->pool.packet[p].row = row;
    rig->pool.packet[p].atoms = (uint8_t)atoms;
    byw_dram_push(&rig->dram, p, rig->now - 1);
    return p;
}

static void step(struct rig *rig)
{
    assert_int_equal(byw_dram_cycle(&rig->dram, rig->now), BYW_NO_PACKET);
    rig->now++;
}

/* Nothing is counted before cycle `at`, one more in it. */
static void expect_at(struct rig *rig, const uint64_t *counter, uint64_t at)
{
    uint64_t before = *counter;

    assert_true(at >= rig->now);
    while (rig->now < at)
        step(rig);
    assert_int_equal(*counter, before);
    step(rig);
    assert_int_equal(*counter, before + 1);
}

/* Steps to the next count and returns its cycle. */
static uint64_t next_of(struct rig *rig, const uint64_t *counter)
{
    uint64_t before = *counter;

    for (int i = 0; *counter == before; i++) {
        assert_true(i < 1000);
        step(rig);
    }
    return rig->now - 1;
}

static void open_row(struct rig *rig, uint32_t bank, uint64_t row)
{
    push(rig, bank, row, false, 1);
    for (int i = 0; i < 300; i++)
        step(rig);
    assert_true(rig->dram.bank[bank].open && rig->dram.bank[bank].row == row);
}

static void test_activate_to_column(void **state)
{
    struct rig rig;

    (void)state;
    bare_config(&rig.config);
    rig.config.t_rcd = 9;
    rig.config.t_wl = 3;
    rig_start(&rig);
    push(&rig, 0, 5, false, 1);
    expect_at(&rig, &rig.stats.dram_activates, 1);
    expect_at(&rig, &rig.stats.dram_reads, 1 + 9);
    for (int i = 0; i < 50; i++)
        step(&rig);
    push(&rig, 1, 5, true, 1);
    expect_at(&rig, &rig.stats.dram_activates, rig.now);
    expect_at(&rig, &rig.stats.dram_writes, rig.now - 1 + 9 - (3 + 1));
    rig_end(&rig);
}

static void test_activate_to_activate(void **state)
{
    struct rig rig;
    uint64_t at;

    (void)state;
    bare_config(&rig.config);
    rig.config.t_rrd = 7;
    rig_start(&rig);
    push(&rig, 0, 5, false, 1);
    push(&rig, 9, 5, false, 1);
    at = next_of(&rig, &rig.stats.dram_activates);
    expect_at(&rig, &rig.stats.dram_activates, at + 7);
    rig_end(&rig);

    bare_config(&rig.config);
    rig.config.t_rc = 30;
    rig_start(&rig);
    push(&rig, 0, 5, false, 1);
    push(&rig, 0, 6, false, 1);
    at = next_of(&rig, &rig.stats.dram_activates);
    expect_at(&rig, &rig.stats.dram_activates, at + 30);
    rig_end(&rig);
}

static void test_precharge(void **state)
{
    struct rig rig;
    uint64_t at;

    (void)state;
    bare_config(&rig.config);
    rig.config.t_ras = 20;
    rig.config.t_rp = 11;
    rig_start(&rig);
    push(&rig, 0, 5, false, 1);
    push(&rig, 0, 6, false, 1);
    at = next_of(&rig, &rig.stats.dram_activates);
    expect_at(&rig, &rig.stats.dram_precharges, at + 20);
    expect_at(&rig, &rig.stats.dram_activates, at + 20 + 11);
    rig_end(&rig);
}

static void test_column_to_column(void **state)
{
    struct rig rig;
    uint64_t at;

    (void)state;
    bare_config(&rig.config);
    rig.config.t_ccd = 5;
    rig_start(&rig);
    open_row(&rig, 0, 1);
    push(&rig, 0, 1, false, 3);
    at = next_of(&rig, &rig.stats.dram_reads);
    expect_at(&rig, &rig.stats.dram_reads, at + 5);
    expect_at(&rig, &rig.stats.dram_reads, at + 10);
    rig_end(&rig);

    /* Banks 0 and 1 are of one group, bank 4 is of another. */
    bare_config(&rig.config);
    rig.config.t_ccd = 2;
    rig.config.t_ccdl = 6;
    rig_start(&rig);
    open_row(&rig, 0, 1);
    open_row(&rig, 1, 1);
    open_row(&rig, 4, 1);
    push(&rig, 0, 1, false, 1);
    push(&rig, 1, 1, false, 1);
    at = next_of(&rig, &rig.stats.dram_reads);
    expect_at(&rig, &rig.stats.dram_reads, at + 6);
    for (int i = 0; i < 50; i++)
        step(&rig);
    push(&rig, 0, 1, false, 1);
    push(&rig, 4, 1, false, 1);
    at = next_of(&rig, &rig.stats.dram_reads);
    expect_at(&rig, &rig.stats.dram_reads, at + 2);
    rig_end(&rig);
}

static void test_turnaround(void **state)
{
    struct rig rig;
    uint64_t at;

    (void)state;
    bare_config(&rig.config);
    rig.config.t_cl = 8;
    rig.config.t_wl = 3;
    rig.config.dram_burst = 2;
    rig_start(&rig);
    open_row(&rig, 0, 1);
    open_row(&rig, 4, 1);
    push(&rig, 0, 1, false, 1);
    at = next_of(&rig, &rig.stats.dram_reads);
    push(&rig, 4, 1, true, 1);
    expect_at(&rig, &rig.stats.dram_writes, at + 8 + 2 + 2 - 3);
    rig_end(&rig);

    bare_config(&rig.config);
    rig.config.t_wl = 3;
    rig.config.t_cdlr = 4;
    rig.config.dram_burst = 2;
    rig_start(&rig);
    open_row(&rig, 0, 1);
    open_row(&rig, 4, 1);
    push(&rig, 4, 1, true, 1);
    at = next_of(&rig, &rig.stats.dram_writes);
    push(&rig, 0, 1, false, 1);
    expect_at(&rig, &rig.stats.dram_reads, at + 3 + 2 + 4);
    rig_end(&rig);
}

static void test_column_to_precharge(void **state)
{
    struct rig rig;
    uint64_t at;

    (void)state;
    bare_config(&rig.config);
    rig.config.t_wl = 3;
    rig.config.t_wr = 13;
    rig.config.dram_burst = 2;
    rig_start(&rig);
    open_row(&rig, 0, 1);
    push(&rig, 0, 1, true, 1);
    push(&rig, 0, 2, true, 1);
    at = next_of(&rig, &rig.stats.dram_writes);
    expect_at(&rig, &rig.stats.dram_precharges, at + 3 + 2 + 13);
    rig_end(&rig);

    bare_config(&rig.config);
    rig.config.dram_burst = 4;
    rig_start(&rig);
    open_row(&rig, 0, 1);
    push(&rig, 0, 1, false, 1);
    push(&rig, 0, 2, false, 1);
    at = next_of(&rig, &rig.stats.dram_reads);
    expect_at(&rig, &rig.stats.dram_precharges, at + 4);
    rig_end(&rig);

    /* t_rtpl holds for the other banks of the read's group only. */
    for (uint32_t other = 1; other <= 4; other += 3) {
        bare_config(&rig.config);
        rig.config.t_rtpl = 9;
        rig_start(&rig);
        open_row(&rig, 0, 1);
        open_row(&rig, other, 1);
        push(&rig, 0, 1, false, 1);
        at = next_of(&rig, &rig.stats.dram_reads);
        push(&rig, other, 2, false, 1);
        expect_at(&rig, &rig.stats.dram_precharges, other == 1 ? at + 9 : at + 1);
        rig_end(&rig);
    }
}

static void test_data_latency(void **state)
{
    struct rig rig;
    uint64_t at;

    (void)state;
    for (int write = 0; write < 2; write++) {
        bare_config(&rig.config);
        rig.config.t_cl = 12;
        rig.config.t_wl = 4;
        rig_start(&rig);
        open_row(&rig, 0, 1);
        while (rig.dram.returned.count > 0)
            byw_pool_give(&rig.pool, byw_fifo_pop(&rig.pool, &rig.dram.returned));
        push(&rig, 0, 1, write, 1);
        at = next_of(&rig, write ? &rig.stats.dram_writes : &rig.stats.dram_reads);
        at += write ? 4 : 12;
        while (rig.now < at)
            step(&rig);
        assert_int_equal(rig.dram.returned.count, 0);
        step(&rig);
        assert_int_equal(rig.dram.returned.count, 1);
        assert_true(rig.stats.dram_busy == 2);
        rig_end(&rig);
    }
}

/* Order of return of what is inside. */
static void drain(struct rig *rig, uint32_t *order, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++) {
        for (int i = 0; rig->dram.returned.count == 0; i++) {
            assert_true(i < 2000);
            step(rig);
        }
        order[n] = byw_fifo_pop(&rig->pool, &rig->dram.returned);
    }
    assert_true(byw_dram_empty(&rig->dram));
}

static void test_row_hits_first(void **state)
{
    struct rig rig;
    uint32_t p[5], order[5];

    (void)state;
    rig_config(&rig.config);
    rig_start(&rig);
    p[0] = push(&rig, 3, 1, false, 2);
    step(&rig);
    p[1] = push(&rig, 3, 2, false, 2); /* older, other row */
    p[2] = push(&rig, 3, 1, false, 2);
    p[3] = push(&rig, 3, 3, false, 2);
    p[4] = push(&rig, 3, 1, true, 2);
    drain(&rig, order, 5);
    assert_int_equal(order[0], p[0]);
    assert_int_equal(order[1], p[2]);
    assert_int_equal(order[2], p[4]);
    assert_int_equal(order[3], p[1]);
    assert_int_equal(order[4], p[3]);
    assert_int_equal(rig.stats.dram_requests, 5);
    assert_int_equal(rig.stats.dram_row_hits, 2);
    rig_end(&rig);
}

/* Hits that keep coming starve another row; when they stop it is served. */
static void test_hits_have_no_cap(void **state)
{
    struct rig rig;
    uint32_t victim;

    (void)state;
    rig_config(&rig.config);
    rig_start(&rig);
    push(&rig, 0, 1, false, 2);
    step(&rig);
    victim = push(&rig, 0, 2, false, 2);
    for (int i = 0; i < 1000; i++) {
        while (rig.dram.queued < 4)
            push(&rig, 0, 1, false, 2);
        step(&rig);
        while (rig.dram.returned.count > 0) {
            uint32_t p = byw_fifo_pop(&rig.pool, &rig.dram.returned);

            assert_int_not_equal(p, victim);
            byw_pool_give(&rig.pool, p);
        }
    }
    for (int i = 0; i < 200; i++)
        step(&rig);
    assert_int_equal(rig.dram.returned.tail, victim);
    rig_end(&rig);
}

static void test_fcfs_keeps_order(void **state)
{
    struct rig rig;
    uint32_t p[4], order[4];

    (void)state;
    rig_config(&rig.config);
    rig.config.dram_sched = BYW_DRAM_FCFS;
    rig_start(&rig);
    p[0] = push(&rig, 3, 1, false, 2);
    p[1] = push(&rig, 3, 2, false, 2);
    p[2] = push(&rig, 3, 1, false, 2);
    p[3] = push(&rig, 7, 1, false, 2);
    for (int i = 0; i < 5; i++)
        step(&rig);
    assert_int_equal(rig.dram.serving, 1 << 3); /* bank 7 waits behind bank 3's second */
    drain(&rig, order, 4);
    assert_memory_equal(&order[0], &p[0], 2 * sizeof(p[0]));
    rig_end(&rig);
}

static void test_full(void **state)
{
    struct rig rig;

    (void)state;
    rig_config(&rig.config);
    rig_start(&rig);
    for (uint32_t i = 0; i < rig.config.dram_queue; i++) {
        assert_false(byw_dram_full(&rig.dram));
        push(&rig, 2, i, false, 2);
    }
    assert_true(byw_dram_full(&rig.dram));
    step(&rig); /* one goes to the bank */
    assert_false(byw_dram_full(&rig.dram));
    rig_end(&rig);
}

/* A full return queue stops data and column commands, and loses nothing. */
static void test_return_queue(void **state)
{
    struct rig rig;
    uint32_t got = 0;

    (void)state;
    rig_config(&rig.config);
    rig.config.dram_return = 2;
    rig_start(&rig);
    for (uint32_t i = 0; i < 12; i++)
        push(&rig, i, 1, false, 2);
    for (int i = 0; i < 500; i++)
        step(&rig);
    assert_int_equal(rig.dram.returned.count, 2);
    assert_true(rig.stats.dram_reads < 24);
    for (int i = 0; i < 500; i++) {
        if (rig.dram.returned.count > 0) {
            byw_pool_give(&rig.pool, byw_fifo_pop(&rig.pool, &rig.dram.returned));
            got++;
        }
        step(&rig);
    }
    assert_int_equal(got, 12);
    assert_true(byw_dram_empty(&rig.dram));
    rig_end(&rig);
}

/* --- random traffic -----------------------------------------------------------------------------
 */

enum { BANKS = 16 };

/* Times of the last commands, far in the past at first. */
struct monitor {
    int64_t act[BANKS], pre[BANKS], rd[BANKS], wr[BANKS];
};

static void apart(int64_t now, int64_t before, uint32_t distance, const char *what, uint64_t seed)
{
    if (now - before < (int64_t)distance)
        fail_msg("%s: %lld cycles apart, expected %u; rerun with BYW_SEED=0x%llx", what,
                 (long long)(now - before), distance, (unsigned long long)seed);
}

static bool same_group(const struct byw_config *c, uint32_t a, uint32_t b)
{
    uint32_t per = c->dram_banks / c->dram_groups;

    if (c->dram_group_timing == 0)
        return a == b;
    return c->dram_group_index == BYW_GROUP_LOW ? a % c->dram_groups == b % c->dram_groups
                                                : a / per == b / per;
}

static void see_column(struct monitor *m, const struct byw_config *c, uint32_t b, bool write,
                       int64_t now, uint64_t seed)
{
    uint32_t burst = c->dram_burst;

    for (uint32_t o = 0; o < BANKS; o++) {
        int64_t last = m->rd[o] > m->wr[o] ? m->rd[o] : m->wr[o];

        bool near = same_group(c, o, b) && c->dram_group_timing != 0;

        apart(now, last, near ? c->t_ccdl : c->t_ccd, "column, column", seed);
        if (write)
            apart(now, m->rd[o], c->t_cl + burst + 2 - c->t_wl, "read, write", seed);
        else
            apart(now, m->wr[o], c->t_wl + burst + c->t_cdlr, "write, read", seed);
    }
    apart(now, m->act[b], write ? c->t_rcd - c->t_wl - 1 : c->t_rcd, "activate, column", seed);
    (write ? m->wr : m->rd)[b] = now;
}

static void see_row(struct monitor *m, const struct byw_config *c, uint32_t b, bool activate,
                    int64_t now, uint64_t seed)
{
    if (activate) {
        for (uint32_t o = 0; o < BANKS; o++)
            apart(now, m->act[o], c->t_rrd, "activate, activate", seed);
        apart(now, m->act[b], c->t_rc, "activate, activate in the bank", seed);
        apart(now, m->pre[b], c->t_rp, "precharge, activate", seed);
        m->act[b] = now;
        return;
    }
    apart(now, m->act[b], c->t_ras, "activate, precharge", seed);
    apart(now, m->wr[b], c->t_wl + c->dram_burst + c->t_wr, "write, precharge", seed);
    apart(now, m->rd[b], c->dram_burst, "read, precharge", seed);
    for (uint32_t o = 0; o < BANKS; o++)
        if (same_group(c, o, b))
            apart(now, m->rd[o], c->t_rtpl, "read, precharge in the group", seed);
    m->pre[b] = now;
}

/* Compares the channel before and after a cycle to find the commands sent in it. */
static void watch(struct monitor *m, const struct rig *rig, const struct byw_dram *was,
                  const uint8_t *atoms, int64_t now, uint64_t *sent, uint64_t seed)
{
    uint32_t columns = 0, rows = 0;

    /* A row command comes before the column command of its cycle. */
    for (uint32_t b = 0; b < BANKS; b++) {
        if (rig->dram.bank[b].open == was->bank[b].open)
            continue;
        see_row(m, &rig->config, b, rig->dram.bank[b].open, now, seed);
        rows++;
    }
    for (uint32_t p = 0; p < rig->pool.touched; p++) {
        const struct byw_packet *packet = &rig->pool.packet[p];

        if (packet->atoms != atoms[p]) {
            assert_true(was->bank[packet->bank].open);
            assert_int_equal(was->bank[packet->bank].row, packet->row);
            see_column(m, &rig->config, packet->bank, byw_packet_writes(packet), now, seed);
            columns++;
        }
    }
    sent[0] += columns;
    sent[1] += rows;
    assert_true(columns <= 1 && rows <= 1);
}

static void vary(struct byw_config *c, uint32_t variant)
{
    rig_config(c);
    c->dram_group_index = variant == 1 ? BYW_GROUP_LOW : BYW_GROUP_HIGH;
    c->dram_group_timing = variant != 2;
    c->dram_dual_bus = variant == 3;
    if (variant == 2)
        c->t_rtpl = 7;
    if (variant == 4) {
        c->t_refi = 900;
        c->t_rfc = 90;
    }
}

enum { VARIANTS = 5 };

static void random_protocol(uint32_t variant, uint64_t seed)
{
    struct rig rig;
    struct monitor m;
    uint64_t x = seed;
    uint64_t pushed = 0, popped = 0, sent[2] = {0, 0};

    vary(&rig.config, variant);
    rig.config.dram_return = 20;
    rig_start(&rig);
    for (uint32_t b = 0; b < BANKS; b++)
        m.act[b] = m.pre[b] = m.rd[b] = m.wr[b] = -1000;
    for (uint32_t i = 0; i < 80000; i++) {
        struct byw_dram was;
        uint8_t atoms[64];
        uint32_t load = (i / 1000) % 4; /* idle, light, heavy, one bank */

        if (!byw_dram_full(&rig.dram) && load > 0 && (load > 1 || rig_below(&x, 40) == 0)) {
            push(&rig, load == 3 ? 5 : rig_below(&x, BANKS), rig_below(&x, 3),
                 rig_below(&x, 3) == 0, 1 + rig_below(&x, 2));
            pushed++;
        }
        was = rig.dram;
        assert_true(rig.pool.touched <= 64);
        for (uint32_t p = 0; p < rig.pool.touched; p++)
            atoms[p] = rig.pool.packet[p].atoms;
        step(&rig);
        watch(&m, &rig, &was, atoms, (int64_t)rig.now - 1, sent, seed);
        if (rig.dram.returned.count > 0 && rig_below(&x, 3) != 0) {
            byw_pool_give(&rig.pool, byw_fifo_pop(&rig.pool, &rig.dram.returned));
            popped++;
        }
    }
    RIG_CHECK(sent[0] == rig.stats.dram_reads + rig.stats.dram_writes, seed);
    RIG_CHECK(sent[1] == rig.stats.dram_activates + rig.stats.dram_precharges, seed);
    for (int i = 0; i < 2000; i++) {
        step(&rig);
        if (rig.dram.returned.count > 0) {
            byw_pool_give(&rig.pool, byw_fifo_pop(&rig.pool, &rig.dram.returned));
            popped++;
        }
    }
    RIG_CHECK(pushed > 4000 && pushed == popped, seed);
    RIG_CHECK(byw_dram_empty(&rig.dram) && rig.pool.in_use == 0, seed);
    rig_end(&rig);
}

static void test_random_protocol(void **state)
{
    (void)state;
    for (uint32_t variant = 0; variant < 4; variant++)
        random_protocol(variant, rig_seed() + variant);
}

/* Sleeping until `wake`, and looking at armed banks only from `armed_next`, changes nothing: a
 * channel that does all in every cycle behaves the same. */
static void wake_is_exact(uint32_t variant, uint32_t sched, uint64_t seed)
{
    struct rig a, b;
    uint64_t x = seed;

    vary(&a.config, variant);
    a.config.dram_sched = sched;
    b.config = a.config;
    rig_start(&a);
    rig_start(&b);
    for (uint32_t i = 0; i < 40000; i++) {
        uint32_t load = (i / 500) % 3;

        if (!byw_dram_full(&a.dram) && load > 0 && (load > 1 || rig_below(&x, 30) == 0)) {
            uint32_t bank = rig_below(&x, BANKS), row = rig_below(&x, 3);
            bool write = rig_below(&x, 3) == 0;

            push(&a, bank, row, write, 2);
            push(&b, bank, row, write, 2);
        }
        b.dram.wake = b.dram.armed_next = 0;
        step(&a);
        step(&b);
        /* An idle channel counts its refreshes, and the rows they close, when it works again. */
        if (variant < 4 || (a.dram.queued > 0 && a.dram.serving != 0))
            RIG_CHECK(memcmp(&a.stats, &b.stats, sizeof(a.stats)) == 0, seed);
        RIG_CHECK(a.dram.returned.count == b.dram.returned.count, seed);
        while (a.dram.returned.count > 0) {
            uint32_t p = byw_fifo_pop(&a.pool, &a.dram.returned);

            RIG_CHECK(p == byw_fifo_pop(&b.pool, &b.dram.returned), seed);
            byw_pool_give(&a.pool, p);
            byw_pool_give(&b.pool, p);
        }
    }
    RIG_CHECK(a.stats.dram_reads > 1000 && (a.stats.dram_refreshes > 30) == (variant == 4), seed);
    rig_end(&a);
    rig_end(&b);
}

static void test_wake_is_exact(void **state)
{
    (void)state;
    for (uint32_t variant = 0; variant < VARIANTS; variant++)
        for (uint32_t sched = 0; sched < 2; sched++)
            wake_is_exact(variant, sched, rig_seed() + variant);
}

/* --- refresh, command buses, FCFS's own queue --------------------------------------------------
 */

/* Every 200 cycles, 50 long, after t_rp if a row is open: t-1 and t of the activate. */
static void test_refresh(void **state)
{
    struct rig rig;

    (void)state;
    bare_config(&rig.config);
    rig.config.t_rp = 11;
    rig.config.t_refi = 200;
    rig.config.t_rfc = 50;
    rig_start(&rig);
    while (rig.now < 200)
        step(&rig);
    push(&rig, 0, 5, false, 1); /* seen in cycle 200, with all rows closed */
    expect_at(&rig, &rig.stats.dram_activates, 200 + 50);
    while (rig.now < 400)
        step(&rig);
    push(&rig, 0, 5, false, 1); /* its row is open until then */
    expect_at(&rig, &rig.stats.dram_activates, 400 + 11 + 50);
    assert_int_equal(rig.stats.dram_precharges, 1);
    while (rig.now < 500)
        step(&rig);
    push(&rig, 0, 5, false, 1);
    expect_at(&rig, &rig.stats.dram_reads, 500); /* a row hit in between */
    assert_int_equal(rig.stats.dram_refreshes, 2);
    rig_end(&rig);
}

/* A refresh waits for what holds the precharge; three that an idle channel missed are made up
 * for, of which the last may still be under way. */
static void test_refresh_waits_and_catches_up(void **state)
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

/* Bank 2's column command and, later in the turn, bank 5's activate: in one cycle with two buses,
 * one after the other without. */
static void test_dual_bus(void **state)
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

static void test_bank_groups(void **state)
{
    static const struct {
        uint32_t index, timing, other, distance;
    } pair[] = {{BYW_GROUP_HIGH, 1, 1, 6}, {BYW_GROUP_HIGH, 1, 4, 2}, {BYW_GROUP_LOW, 1, 1, 2},
                {BYW_GROUP_LOW, 1, 4, 6},  {BYW_GROUP_HIGH, 0, 1, 2}, {BYW_GROUP_LOW, 0, 4, 2}};

    (void)state;
    for (size_t i = 0; i < sizeof(pair) / sizeof(pair[0]); i++) {
        struct rig rig;
        uint64_t at;

        bare_config(&rig.config);
        rig.config.t_ccd = 2;
        rig.config.t_ccdl = 6;
        rig.config.dram_group_index = pair[i].index;
        rig.config.dram_group_timing = pair[i].timing;
        rig_start(&rig);
        open_row(&rig, 0, 1);
        open_row(&rig, pair[i].other, 1);
        push(&rig, 0, 1, false, 1);
        push(&rig, pair[i].other, 1, false, 1);
        at = next_of(&rig, &rig.stats.dram_reads);
        expect_at(&rig, &rig.stats.dram_reads, at + pair[i].distance);
        rig_end(&rig);
    }
}

/* Each scheduler is full at its own key. */
static void test_queue_by_scheduler(void **state)
{
    (void)state;
    for (uint32_t sched = 0; sched < 2; sched++) {
        struct rig rig;

        bare_config(&rig.config);
        rig.config.dram_sched = sched;
        rig.config.dram_queue = 9;
        rig.config.dram_fcfs_queue = 3;
        rig_start(&rig);
        for (uint32_t i = 0; i < (sched == BYW_DRAM_FCFS ? 3U : 9U); i++) {
            assert_false(byw_dram_full(&rig.dram));
            push(&rig, 0, 1, false, 1);
        }
        assert_true(byw_dram_full(&rig.dram));
        rig_end(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_activate_to_column),
        cmocka_unit_test(test_activate_to_activate),
        cmocka_unit_test(test_precharge),
        cmocka_unit_test(test_column_to_column),
        cmocka_unit_test(test_turnaround),
        cmocka_unit_test(test_column_to_precharge),
        cmocka_unit_test(test_data_latency),
        cmocka_unit_test(test_row_hits_first),
        cmocka_unit_test(test_hits_have_no_cap),
        cmocka_unit_test(test_fcfs_keeps_order),
        cmocka_unit_test(test_full),
        cmocka_unit_test(test_return_queue),
        cmocka_unit_test(test_random_protocol),
        cmocka_unit_test(test_wake_is_exact),
        cmocka_unit_test(test_refresh),
        cmocka_unit_test(test_refresh_waits_and_catches_up),
        cmocka_unit_test(test_dual_bus),
        cmocka_unit_test(test_bank_groups),
        cmocka_unit_test(test_queue_by_scheduler),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
