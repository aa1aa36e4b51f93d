/* SPDX-License-Identifier: Apache-2.0
 *
 * t_l2_sleep.c - a slice that is stepped only at the cycles of byw_l2_next() behaves like one
 * that is stepped in every cycle.
 */
#include "common/byw_rng.h"

#include "l2_rig.h"

enum { CYCLES = 20000 };

/* Time of a slice's next event if no packet arrives: an event of its own, or an arrival from the
 * delay line. */
static uint64_t next_of(const struct rig *rig, uint64_t now)
{
    const struct byw_l2 *l2 = &rig->l2;
    uint64_t next = byw_l2_next(l2, now);

    if (l2->rop.count > 0 && l2->in.count < l2->in_limit &&
        rig->pool.packet[l2->rop.head].ready < next)
        next = rig->pool.packet[l2->rop.head].ready;
    return next;
}

/* One of the two slices with its own DRAM, which answers in order after a delay. */
struct side {
    struct rig rig;
    uint32_t owed[64], count;
    uint64_t next; /* cycle until which the slice sleeps */
    uint64_t stepped; /* cycles in which it was not stepped */
};

static void start(struct side *side)
{
    rig_config(&side->rig.config);
    side->rig.config.l2_mshrs = 4;
    rig_start(&side->rig);
    side->rig.l2.rop_latency = 12;
    side->count = 0;
    side->next = side->stepped = 0;
}

/* Moves packets between slice and DRAM; returns whether the slice got one. */
static bool serve(struct side *side, bool take, bool give)
{
    uint32_t p = take && side->count < 64 ? to_dram(&side->rig) : BYW_NO_PACKET;
    bool got = false;

    if (p != BYW_NO_PACKET && byw_packet_returns(&side->rig.pool.packet[p]))
        side->owed[side->count++] = p;
    if (give && side->count > 0) {
        from_dram(&side->rig, side->owed[0]);
        memmove(side->owed, side->owed + 1, --side->count * sizeof(side->owed[0]));
        got = true;
    }
    return got;
}

static void sleeping_changes_nothing(void **state)
{
    static struct side a, b; /* a is stepped in every cycle, b only when it must be */
    struct byw_rng rng;
    uint64_t answers = 0;

    (void)state;
    byw_rng_init(&rng, 17);
    start(&a);
    start(&b);
    for (uint64_t i = 0; i < CYCLES; i++) {
        uint64_t r = byw_rng_next(&rng), now = a.rig.now;
        bool take = (r & 3) != 0, give = (r >> 2 & 15) == 0, comes;

        if ((r >> 8 & 3) == 0 && byw_l2_ready(&a.rig.l2)) {
            enum byw_txn_kind kind = (r >> 12 & 7) == 0 ? BYW_TXN_WRITE : BYW_TXN_READ;

            assert_true(byw_l2_ready(&b.rig.l2));
            send(&a.rig, r >> 16 & 255, kind, 128);
            send(&b.rig, r >> 16 & 255, kind, 128);
            b.next = next_of(&b.rig, now - 1) < b.next ? next_of(&b.rig, now - 1) : b.next;
        }
        serve(&a, take, give);
        comes = serve(&b, take, give);
        step(&a.rig);
        if (comes || now >= b.next) {
            byw_l2_cycle(&b.rig.l2, now, now);
            b.next = next_of(&b.rig, now);
            b.stepped++;
        }
        b.rig.now++;
        if ((r >> 40 & 1) != 0) {
            uint32_t id = answer(&a.rig);

            assert_int_equal(id, answer(&b.rig));
            answers += id != 0;
        }
        if ((r >> 48 & 255) == 0) {
            byw_l2_settle(&b.rig.l2, b.rig.now);
            assert_memory_equal(&a.rig.stats.l2, &b.rig.stats.l2, sizeof(a.rig.stats.l2));
        }
    }
    assert_true(answers > 1000);
    assert_true(a.rig.stats.l2.fail_mshr > 1000);
    assert_true(b.stepped < CYCLES * 3 / 4);
    rig_end(&a.rig);
    rig_end(&b.rig);
}

/* A line of 128 bytes occupies a port of 32 bytes for 4 cycles: the next request is looked up in
 * the fourth cycle after it, not before. */
static void a_slice_sleeps_while_its_port_is_busy(void **state)
{
    struct rig rig;
    uint64_t hit;

    (void)state;
    rig_defaults(&rig);
    load(&rig, 7);
    send(&rig, 7, BYW_TXN_READ, 128);
    send(&rig, 7, BYW_TXN_READ, 128);
    steps(&rig, 3); /* both requests are in the queue; the first has hit */
    hit = rig.l2.data_free;
    assert_int_equal(rig.stats.l2.hits, 1);
    assert_int_equal(byw_l2_next(&rig.l2, rig.now - 1), hit);
    while (rig.now < hit)
        step(&rig);
    assert_int_equal(rig.stats.l2.hits, 1);
    step(&rig);
    assert_int_equal(rig.stats.l2.hits, 2);
    rig_end(&rig);
}

/* A slice with a refused request sleeps until DRAM answers; every skipped cycle counts as a
 * stall. */
static void slept_refusals_count_as_stalls(void **state)
{
    struct rig rig;
    uint64_t fails;

    (void)state;
    rig_config(&rig.config);
    rig.config.l2_mshrs = 1;
    rig_start(&rig);
    send(&rig, 0, BYW_TXN_READ, 128);
    send(&rig, 1, BYW_TXN_READ, 128);
    steps(&rig, 6);
    fails = rig.stats.l2.fail_mshr;
    assert_true(fails > 0);
    assert_int_equal(byw_l2_next(&rig.l2, rig.now - 1), UINT64_MAX);
    byw_l2_settle(&rig.l2, rig.now + 10);
    assert_int_equal(rig.stats.l2.fail_mshr, fails + 10);
    byw_l2_settle(&rig.l2, rig.now + 10); /* nothing twice */
    assert_int_equal(rig.stats.l2.fail_mshr, fails + 10);
    rig_end(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sleeping_changes_nothing),
        cmocka_unit_test(a_slice_sleeps_while_its_port_is_busy),
        cmocka_unit_test(slept_refusals_count_as_stalls),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
