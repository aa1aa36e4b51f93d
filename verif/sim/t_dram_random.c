/* SPDX-License-Identifier: Apache-2.0
 *
 * t_dram_random.c - random traffic on a DRAM channel, checked by a protocol monitor written from
 * the data sheet.
 */
#include "dram_rig.h"

/* --- random traffic ----------------------------------------------------------------------- */

enum { BANKS = 16 };

/* Times of the last commands, initially far in the past. */
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

static void random_traffic_obeys_the_protocol(void **state)
{
    (void)state;
    for (uint32_t variant = 0; variant < 4; variant++)
        random_protocol(variant, rig_seed() + variant);
}

/* Sleeping until `wake`, and checking armed banks only from `armed_next`, changes nothing: a
 * channel that does everything in every cycle behaves the same. */
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
        /* An idle channel counts its refreshes, and the rows they close, when it wakes. */
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

static void sleeping_until_wake_changes_nothing(void **state)
{
    (void)state;
    for (uint32_t variant = 0; variant < VARIANTS; variant++)
        for (uint32_t sched = 0; sched < 2; sched++)
            wake_is_exact(variant, sched, rig_seed() + variant);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_traffic_obeys_the_protocol),
        cmocka_unit_test(sleeping_until_wake_changes_nothing),
    };

    return cmocka_run_group_tests_name("dram_random", tests, NULL, NULL);
}
