/* SPDX-License-Identifier: Apache-2.0
 *
 * t_ahead.c - SMs that run ahead of the memory side see the same replies in the same cycles as SMs
 * in step, on any memory system, in any order and with any lead; and the largest lead is bounded.
 */
#include "memsys_presets.h"
#include "memsys_traffic.h"

enum { CYCLES = 6000, SMS_MAX = 80 };

/* --- a random SM -------------------------------------------------------------------------- */

/* An SM whose behaviour depends only on its cycle and on the replies it has seen. */
struct sm {
    uint64_t x; /* state of the SM's random numbers */
    uint64_t at; /* the next cycle of the SM */
    uint64_t log; /* a hash of the replies it saw and of their cycles */
    uint32_t sent, seen;
    bool lazy; /* the SM leaves replies in the port for a while */
};

static void sm_begin(struct sm *sm, uint32_t number)
{
    *sm = (struct sm){.x = rig_seed() + number * UINT64_C(0x2545f4914f6cdd1d), .lazy = number == 1};
}

/* Whether the SM sends a request now, in phases: very many requests, a few, hardly any, none. */
static bool sends(struct sm *sm, uint32_t number)
{
    static const uint32_t one_in[] = {1, 12, 140, 100000};
    uint32_t phase = (uint32_t)(sm->at / 700) % 4;

    return rig_below(&sm->x, phase == 0 && number >= 8 ? 30 : one_in[phase]) == 0;
}

static void sm_cycle(struct byw_memsys *memsys, const struct byw_config *config, uint32_t number,
                     struct sm *sm)
{
    const struct byw_txn *reply;
    uint32_t bytes = config->l1d_line, dice = rig_below(&sm->x, 16);
    enum byw_txn_kind kind = dice < 9    ? BYW_TXN_READ
                             : dice < 13 ? BYW_TXN_WRITE
                             : dice < 14 ? BYW_TXN_ATOMIC
                             : dice < 15 ? BYW_TXN_INST
                                         : BYW_TXN_WRITEBACK;

    for (uint32_t i = 0; i < config->l1d_rate && (!sm->lazy || sm->at % 900 > 600); i++) {
        reply = byw_memsys_reply(memsys, number);
        if (reply == NULL)
            break;
        sm->log = (sm->log ^ reply->id ^ sm->at << 20) * UINT64_C(0x100000001b3);
        sm->seen++;
        byw_memsys_pop(memsys, number);
    }
    if (sends(sm, number) && byw_memsys_ready(memsys, number))
        push(memsys, number, (uint64_t)rig_below(&sm->x, 3000) * bytes, kind, bytes, sm->sent++);
    sm->at++;
}

/* --- in step and ahead -------------------------------------------------------------------- */

static void keep_step(struct byw_memsys *memsys, const struct byw_config *config, struct sm *sm)
{
    for (uint32_t cycle = 0; cycle < CYCLES; cycle++) {
        for (uint32_t s = 0; s < config->sm_count; s++)
            sm_cycle(memsys, config, s, &sm[s]);
        byw_memsys_tick(memsys);
    }
}

/* Advances each SM by some cycles, then the memory side. furthest: largest lead of an SM. */
static void go_ahead(struct byw_memsys *memsys, const struct byw_config *config, struct sm *sm,
                     uint64_t *furthest)
{
    uint64_t x = rig_seed(), low = 0;

    *furthest = 0;
    byw_memsys_part(memsys);
    for (uint32_t round = 0; low < CYCLES; round++) {
        uint64_t reach = byw_memsys_reach(memsys);

        assert_true(round < 100 * CYCLES);
        reach = reach < CYCLES ? reach : CYCLES;
        low = CYCLES;
        for (uint32_t s = 0; s < config->sm_count; s++) {
            uint64_t stop = sm[s].at + 1 + rig_below(&x, 200);

            while (sm[s].at < reach && sm[s].at < stop && byw_memsys_at(memsys, s, sm[s].at)) {
                byw_memsys_reply_at(memsys, s);
                sm_cycle(memsys, config, s, &sm[s]);
            }
            low = sm[s].at < low ? sm[s].at : low;
            if (sm[s].at - byw_memsys_cycle(memsys) > *furthest)
                *furthest = sm[s].at - byw_memsys_cycle(memsys);
        }
        /* In step, the memory side stays behind the SMs; otherwise it runs to its own bound. */
        byw_memsys_run(memsys, low, byw_memsys_leads(memsys) ? CYCLES : low);
    }
    byw_memsys_join(memsys);
}

/* Runs the memory side in step and with SMs ahead; both must be equal. Returns the largest lead of
 * an SM. */
static uint64_t same(const char *name, const struct byw_config *config)
{
    struct byw_memsys *stepped = create(config), *ahead = create(config);
    struct sm one[SMS_MAX], other[SMS_MAX];
    uint64_t furthest, replies = 0;

    assert_int_equal(byw_memsys_lookahead(ahead), BYW_OK);
    for (uint32_t s = 0; s < config->sm_count; s++) {
        sm_begin(&one[s], s);
        sm_begin(&other[s], s);
    }
    keep_step(stepped, config, one);
    go_ahead(ahead, config, other, &furthest);
    for (uint32_t s = 0; s < config->sm_count; s++) {
        if (one[s].log != other[s].log || one[s].seen != other[s].seen ||
            one[s].sent != other[s].sent)
            fail_msg("%s: SM %u saw %u replies ahead and %u in step, sent %u and %u, or in other "
                     "cycles; rerun with BYW_SEED=0x%llx",
                     name, s, other[s].seen, one[s].seen, other[s].sent, one[s].sent,
                     (unsigned long long)rig_seed());
        replies += one[s].seen;
    }
    assert_true(replies > 1000);
    assert_memory_equal(&stepped->stats, &ahead->stats, sizeof(stepped->stats));
    assert_int_equal(stepped->pool.in_use, ahead->pool.in_use);
    check(ahead);
    byw_memsys_free(stepped);
    byw_memsys_free(ahead);
    return furthest;
}

static void fermi(struct byw_config *c)
{
    preset_machine(c, "fermi");
}

/* The lead of an SM is l2.rop_latency - 1 plus the cycles from the crossbar to the SM. */
static void ahead_by_the_delay_to_the_tags(void **state)
{
    struct byw_config c;

    (void)state;
    fermi(&c);
    assert_int_equal(same("fermi", &c), 119 + 5);
    c.l2_rop = 40;
    assert_int_equal(same("rop 40", &c), 39 + 5);
    c.icnt_eject = 0;
    assert_int_equal(same("eject 0", &c), 39 + 1);
    c.l2_rop = 2;
    assert_int_equal(same("rop 2", &c), 1 + 1);
    c.l2_rop = 1;
    assert_int_equal(same("rop 1", &c), 1);
    c.l2_rop = 0;
    assert_int_equal(same("rop 0", &c), 1);
    c.l2_rop = 3000;
    c.icnt_eject = 1000;
    c.icnt_in_packets = c.icnt_out_packets = 4096;
    assert_int_equal(same("longer than anything is kept", &c), BYW_AHEAD_MAX - 8);
}

static void every_memory_system_answers_in_the_same_cycles(void **state)
{
    static const char *const machine[] = {"v100", "pascal_paper", "gcn_ml", "gcn_apu", "rdna2"};
    struct byw_config c;

    (void)state;
    for (size_t i = 0; i < sizeof(machine) / sizeof(machine[0]); i++) {
        preset_machine(&c, machine[i]);
        same(machine[i], &c);
    }
}

/* Small buffers: an SM or the memory side must wait until the other has room. */
static void small_buffers_answer_in_the_same_cycles(void **state)
{
    struct byw_config c;

    (void)state;
    fermi(&c);
    for (uint32_t packets = 1; packets <= 64; packets *= 4) {
        c.icnt_in_packets = packets;
        c.icnt_out_packets = 65 - packets;
        same("small buffers", &c);
    }
    c.l2_in_queue = 4; /* slices close their gates often */
    c.l2_port = 8;
    same("small input queues", &c);
}

static void any_clocks_answer_in_the_same_cycles(void **state)
{
    static const uint32_t mhz[][2] = {{500, 600}, {1500, 900}, {700, 2100}, {350, 700}, {701, 699}};
    struct byw_config c;

    (void)state;
    for (size_t i = 0; i < sizeof(mhz) / sizeof(mhz[0]); i++) {
        fermi(&c);
        c.icnt_mhz = mhz[i][0];
        c.l2_mhz = mhz[i][1];
        c.icnt_out_packets = i % 2 == 0 ? 512 : 3;
        same("clocks", &c);
    }
}

/* An SM whose L1D has several cycles in one of the SM's (l1d.rate) pops as many replies.  They
 * arrive at most as fast as icnt.clock_mhz allows; one SM leaves hundreds of them in its port. */
static void several_replies_in_a_cycle(void **state)
{
    struct byw_config c;

    (void)state;
    for (uint32_t rate = 2; rate <= 8; rate *= 2) {
        fermi(&c);
        c.l1d_rate = rate;
        same("several replies", &c);
        c.icnt_mhz = 3 * c.core_mhz;
        c.icnt_out_packets = 4096;
        same("several replies, and more than an SM is shown at once", &c);
        c.l2_rop = 0;
        same("several replies, in step", &c);
    }
    preset_machine(&c, "h200");
    c.sm_count = SMS_MAX;
    same("h200", &c);
}

/* An SM is shown a part of the replies that wait for it.  It must not step a cycle in which it
 * could pop more of them than it was shown, even if the memory side allows it many cycles. */
static void waits_for_replies_not_shown_yet(void **state)
{
    enum { REPLIES = 600, RATE = 8 };
    struct byw_config c;
    struct byw_memsys *memsys;
    uint64_t at;
    uint32_t sent = 0, seen = 0;

    (void)state;
    fermi(&c);
    c.l1d_rate = RATE;
    c.icnt_out_packets = 4096;
    memsys = create(&c);
    while (memsys->reply.out[0].count < REPLIES) {
        if (sent < REPLIES && byw_memsys_ready(memsys, 0))
            push(memsys, 0, 0x1000, BYW_TXN_READ, 128, sent++);
        byw_memsys_tick(memsys);
    }
    assert_int_equal(byw_memsys_lookahead(memsys), BYW_OK);
    byw_memsys_part(memsys);
    for (at = byw_memsys_cycle(memsys); seen < REPLIES;) {
        for (; at < byw_memsys_reach(memsys) && byw_memsys_at(memsys, 0, at); at++) {
            for (uint32_t i = 0; i < RATE && seen < REPLIES; i++, seen++) {
                byw_memsys_reply_at(memsys, 0);
                assert_non_null(byw_memsys_reply(memsys, 0));
                byw_memsys_pop(memsys, 0);
            }
        }
        byw_memsys_run(memsys, at, at);
    }
    byw_memsys_free(memsys);
}

/* --- the bound ---------------------------------------------------------------------------- */

/* If no reply is outstanding, SMs may advance to the first cycle in which a request sent now could
 * be answered. Here the answer is an L2 hit: 1 cycle to the delay line, 1 in it, 1 for the lookup,
 * 1 to leave. */
static void reach_without_anything_owed(void **state)
{
    enum { HIT = 4 };
    struct byw_config c;
    struct byw_memsys *memsys;
    uint64_t reach;

    (void)state;
    fermi(&c);
    memsys = create(&c);
    round_trip(memsys, 0x1000, BYW_TXN_READ);
    assert_int_equal(byw_memsys_lookahead(memsys), BYW_OK);
    byw_memsys_part(memsys);
    reach = byw_memsys_reach(memsys);
    assert_int_equal(reach - byw_memsys_cycle(memsys), c.l2_rop - 1 + 1 + c.icnt_eject);
    assert_true(byw_memsys_at(memsys, 0, byw_memsys_cycle(memsys)));
    push(memsys, 0, 0x1000, BYW_TXN_READ, 128, 1);
    byw_memsys_run(memsys, reach, reach);
    byw_memsys_run(memsys, reach, reach + 100);
    assert_int_equal(byw_memsys_reply_at(memsys, 0), reach + HIT);
    byw_memsys_free(memsys);
}

/* The slices may pass the SMs' cycle only while a reply is outstanding for which an SM waits. */
static void no_further_than_the_sms_know(void **state)
{
    struct byw_config c;
    struct byw_memsys *memsys;
    uint64_t now;

    (void)state;
    fermi(&c);
    memsys = create(&c);
    assert_int_equal(byw_memsys_lookahead(memsys), BYW_OK);
    byw_memsys_part(memsys);
    byw_memsys_run(memsys, 10, 1000);
    assert_int_equal(byw_memsys_first(memsys), 10);
    now = byw_memsys_cycle(memsys);
    assert_int_equal(now, 10);
    assert_true(byw_memsys_at(memsys, 3, now));
    push(memsys, 3, 0x1000, BYW_TXN_WRITEBACK, 128, 1); /* has no reply */
    byw_memsys_run(memsys, 20, 1000);
    assert_int_equal(byw_memsys_first(memsys), 20);
    assert_true(byw_memsys_at(memsys, 3, 20));
    push(memsys, 3, 0x1000, BYW_TXN_READ, 128, 1);
    byw_memsys_run(memsys, 21, 1000);
    assert_int_equal(byw_memsys_first(memsys), 21 + c.l2_rop - 1);
    assert_int_equal(byw_memsys_reach(memsys), 21 + c.l2_rop - 1 + 1 + c.icnt_eject);
    byw_memsys_free(memsys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ahead_by_the_delay_to_the_tags),
        cmocka_unit_test(every_memory_system_answers_in_the_same_cycles),
        cmocka_unit_test(small_buffers_answer_in_the_same_cycles),
        cmocka_unit_test(any_clocks_answer_in_the_same_cycles),
        cmocka_unit_test(several_replies_in_a_cycle),
        cmocka_unit_test(waits_for_replies_not_shown_yet),
        cmocka_unit_test(reach_without_anything_owed),
        cmocka_unit_test(no_further_than_the_sms_know),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
