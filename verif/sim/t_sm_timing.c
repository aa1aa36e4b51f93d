/* SPDX-License-Identifier: Apache-2.0
 *
 * t_sm_timing.c - latencies, intervals and bounds of the SM's units and of its loads, each probed
 * at the last cycle in which an instruction must wait and the first in which it issues, for several
 * values of each key. Whether a warp may issue at all is tested in t_warp_timing.c.
 */
#include "sim/sm_rig.h"
#include "sim/sm_units.h"
#include "sim/timing_keys.h"

/* --- arithmetic --------------------------------------------------------------------------- */

/* A consumer that directly follows its producer. */
static void result_comes_after_its_latency(void **state)
{
    static const uint32_t more[] = {0, 1, 13, 240, 255, 256, 257, 900};

    for (uint32_t n = 0; n < UNITS * sizeof(more) / sizeof(more[0]); n++) {
        uint32_t u = n % UNITS, add_cycles = more[n / UNITS];
        struct rig rig;
        struct byw_config *c = rig_config(&rig);

        if (add_cycles > 13 && ((const struct timing_key *)*state)->offset != unit[u].latency)
            continue; /* beyond the range of all keys but latencies */
        *timing_key(state, c) += add_cycles;
        rig_start(&rig);
        warp(&rig);
        add(&rig.bench, unit[u].cls, 1, 1);
        add(&rig.bench, BYW_CLASS_INT, 1, 0);
        place(&rig);
        expect_issues(&rig, SM_FIRST_ISSUE, 1);
        expect_issues(&rig,
                      SM_FIRST_ISSUE + c->sm_issue_unit + value(c, unit[u].collect) +
                          value(c, unit[u].latency) + c->sm_writeback,
                      1);
        rig_end(&rig);
    }
}

/* The scoreboard checks this many instructions ahead; one further ahead is not delayed. */
static void result_reaches_so_far_ahead(void **state)
{
    (void)state;
    for (uint32_t use = BYW_WARP_RING - 1; use <= BYW_WARP_RING; use++) {
        struct rig rig;
        struct byw_config *c = rig_config(&rig);

        c->lat_dp = 500;
        rig_start(&rig);
        warp(&rig);
        add(&rig.bench, BYW_CLASS_DP, 1, use);
        add(&rig.bench, BYW_CLASS_INT, use - 1, 0);
        add(&rig.bench, BYW_CLASS_FP, 1, 0);
        place(&rig);
        for (uint32_t i = 0; i < use; i++)
            next_issue(&rig);
        if (use < BYW_WARP_RING)
            expect_issues(&rig, SM_FIRST_ISSUE + c->sm_issue_unit + 1 + 500 + c->sm_writeback, 1);
        else
            assert_true(next_issue(&rig) < 100);
        rig_end(&rig);
    }
}

/* A unit accepts the next warp after its interval times the passes that a warp's lanes need. */
static void unit_takes_the_next_after_its_interval(void **state)
{
    for (uint32_t n = 0; n < UNITS * 4; n++) {
        static const uint32_t values[] = {1, 2, 8, 32};
        uint32_t u = n % UNITS;
        struct rig rig;
        struct byw_config *c = rig_config(&rig);

        c->ii_sp = 2;
        c->ii_sfu = 3;
        c->ii_dp = 5;
        *timing_key(state, c) = values[n / UNITS];
        c->sm_own_units = 1 - n % 2;
        c->sp_units = 1;
        rig_start(&rig);
        warp(&rig);
        add(&rig.bench, unit[u].cls, 2, 0);
        place(&rig);
        expect_issues(&rig, SM_FIRST_ISSUE, 1);
        expect_issues(&rig,
                      SM_FIRST_ISSUE + (uint64_t)value(c, unit[u].interval) * (32 / c->sm_simd), 1);
        rig_end(&rig);
    }
}

/* Eight warps pass a barrier and request the same unit in one cycle; returns that cycle. */
static uint64_t eight_at_once(struct rig *rig, enum byw_class cls)
{
    rig_start(rig);
    for (uint32_t w = 0; w < 8; w++) {
        warp(rig);
        add(&rig->bench, BYW_CLASS_BARRIER, 1, 0);
        add(&rig->bench, cls, 1, 0);
    }
    place(rig);
    while (issued(rig) < 8)
        next_issue(rig);
    return rig->now;
}

static void schedulers_issue_one_each(void **state)
{
    for (uint32_t n = 1; n <= 8; n *= 2) {
        struct rig rig;
        struct byw_config *c = rig_config(&rig);
        uint64_t at;

        *timing_key(state, c) = n;
        at = eight_at_once(&rig, BYW_CLASS_INT);
        for (uint32_t i = 0; i < 8 / n; i++)
            expect_issues(&rig, at + i, n);
        rig_end(&rig);
    }
}

static void so_many_units_take_a_warp_each(void **state)
{
    for (uint32_t n = 1; n <= 7; n += 3) {
        struct rig rig;
        struct byw_config *c = rig_config(&rig);
        uint64_t at;

        *timing_key(state, c) = n;
        c->sm_own_units = 0;
        c->sm_schedulers = 8;
        c->ii_sp = 9;
        at = eight_at_once(&rig, BYW_CLASS_FP);
        expect_issues(&rig, at, n);
        expect_issues(&rig, at + 9, 8 - n < n ? 8 - n : n);
        rig_end(&rig);
    }
}

/* With one unit per scheduler, all schedulers use theirs in one cycle; otherwise one after the
 * other. */
static void units_are_shared_or_own(void **state)
{
    for (uint32_t u = 2; u < UNITS; u++) {
        for (uint32_t own = 0; own < 2; own++) {
            struct rig rig;
            struct byw_config *c = rig_config(&rig);
            uint64_t at;

            *timing_key(state, c) = own;
            c->sm_schedulers = 8;
            c->ii_sfu = c->ii_dp = 6;
            at = eight_at_once(&rig, unit[u].cls);
            expect_issues(&rig, at, own ? 8 : 1);
            if (!own)
                expect_issues(&rig, at + 6, 1);
            rig_end(&rig);
        }
    }
}

/* An instruction occupies a collector while its operands are read. */
static void collectors_are_held(void **state)
{
    for (uint32_t n = 0; n < UNITS * 3; n++) {
        static const uint32_t values[] = {1, 2, 5};
        uint32_t u = n % UNITS;
        struct rig rig;
        struct byw_config *c = rig_config(&rig);
        uint64_t at;

        c->sm_collectors = 3;
        *timing_key(state, c) = values[n / UNITS];
        c->sm_schedulers = 8;
        at = eight_at_once(&rig, unit[u].cls);
        expect_issues(&rig, at, c->sm_collectors);
        at += value(c, unit[u].collect);
        expect_issues(&rig, at, c->sm_collectors < 4 ? c->sm_collectors : 8 - c->sm_collectors);
        rig_end(&rig);
    }
}

/* --- loads and the scratchpad ------------------------------------------------------------- */

static void scratchpad_and_constants_answer_in_time(void **state)
{
    for (uint32_t n = 0; n < 12; n++) {
        static const uint32_t more[] = {0, 1, 11};
        bool shared = n % 2 == 0;
        uint32_t degree = n < 6 ? 1 : 5;
        struct rig rig;
        struct byw_config *c = rig_config(&rig);

        *timing_key(state, c) += more[n / 2 % 3];
        rig_start(&rig);
        warp(&rig);
        add(&rig.bench, shared ? BYW_CLASS_SHARED_LOAD : BYW_CLASS_CONST_LOAD, 1, 1)->degree =
            (uint8_t)degree;
        add(&rig.bench, BYW_CLASS_INT, 1, 0);
        place(&rig);
        expect_issues(&rig, SM_FIRST_ISSUE, 1);
        expect_issues(&rig,
                      SM_FIRST_ISSUE + c->sm_issue_lsu + (shared ? degree - 1 : 0) +
                          (shared ? c->smem_latency : c->const_latency) + c->sm_writeback,
                      1);
        rig_end(&rig);
    }
}

/* A load that hits: three cycles in the L1D (rtl/doc/l1d_pipeline.md), and each further transaction
 * one more. */
static void hits_answer_in_time(void **state)
{
    for (uint32_t n = 0; n < 8; n++) {
        static const uint32_t more[] = {0, 1, 13, 60};
        uint32_t lines = n % 2 ? 4 : 1;
        struct rig rig;
        struct byw_config *c = rig_config(&rig);

        *timing_key(state, c) += more[n / 2];
        rig_start(&rig);
        warp(&rig);
        for (uint32_t i = 0; i < 2; i++) {
            add(&rig.bench, BYW_CLASS_LOAD, 1, 1)->stride = (int32_t)(4 * lines);
            add(&rig.bench, BYW_CLASS_INT, 1, 0);
        }
        place(&rig);
        expect_issues(&rig, SM_FIRST_ISSUE, 1);
        next_issue(&rig); /* the lines are present */
        expect_issues(&rig, rig.now, 1);
        expect_issues(&rig, rig.now - 1 + c->sm_issue_lsu + 3 + (lines - 1) + c->load_extra, 1);
        rig_end(&rig);
    }
}

/* Each beat of a load is a request, one per cycle; a miss waits for the line's last beat. */
static void beats_take_a_cycle_each(void **state)
{
    static const uint32_t bytes[] = {0, 64, 32, 16};
    uint64_t at, first[2] = {0, 0};

    for (uint32_t n = 0; n < 8; n++) {
        uint32_t whole = n % 2, more = bytes[n / 2] == 0 ? 0 : 128 / bytes[n / 2] - 1;
        struct rig rig;
        struct byw_config *c = rig_config(&rig);

        *timing_key(state, c) = bytes[n / 2];
        rig_start(&rig);
        warp(&rig);
        for (uint32_t i = 0; i < 2; i++) {
            add(&rig.bench, BYW_CLASS_LOAD, 1, 1)->stride = whole ? 4 : 0;
            add(&rig.bench, BYW_CLASS_INT, 1, 0);
        }
        place(&rig);
        expect_issues(&rig, SM_FIRST_ISSUE, 1);
        at = next_issue(&rig); /* the line is present */
        first[whole] = n < 2 ? at : first[whole];
        assert_int_equal(at - first[whole], more * (1 + whole));
        expect_issues(&rig, rig.now, 1);
        expect_issues(&rig, rig.now - 1 + c->sm_issue_lsu + 3 + whole * more + c->load_extra, 1);
        rig_end(&rig);
    }
}

/* A load, an atomic on its line, the load again: it misses, or, with the key, hits as if there had
 * been no atomic. */
static void an_atomic_gives_its_line_up(void **state)
{
    for (uint32_t keeps = 0; keeps < 2; keeps++) {
        struct rig rig;
        struct byw_config *c = rig_config(&rig);
        uint64_t at;

        *timing_key(state, c) = keeps;
        rig_start(&rig);
        warp(&rig);
        for (uint32_t i = 0; i < 3; i++) {
            add(&rig.bench, i == 1 ? BYW_CLASS_ATOMIC : BYW_CLASS_LOAD, 1, 1)->stride = 4;
            add(&rig.bench, BYW_CLASS_INT, 1, 0);
        }
        place(&rig);
        for (uint32_t i = 0; i < 5; i++)
            at = next_issue(&rig);
        if (keeps != 0)
            expect_issues(&rig, at + c->sm_issue_lsu + 3, 1);
        else
            assert_true(next_issue(&rig) > at + 100);
        rig_end(&rig);
    }
}

/* After an atomic without a consumer, the next instruction issues in the next cycle, or, with the
 * key, only after the answer from the L2. */
static void an_atomic_holds_its_warp(void **state)
{
    for (uint32_t waits = 0; waits < 2; waits++) {
        struct rig rig;
        struct byw_config *c = rig_config(&rig);

        *timing_key(state, c) = waits;
        rig_start(&rig);
        warp(&rig);
        add(&rig.bench, BYW_CLASS_ATOMIC, 1, 0)->stride = 4;
        add(&rig.bench, BYW_CLASS_INT, 1, 0);
        place(&rig);
        expect_issues(&rig, SM_FIRST_ISSUE, 1);
        if (waits != 0)
            assert_true(next_issue(&rig) > SM_FIRST_ISSUE + 100);
        else
            expect_issues(&rig, SM_FIRST_ISSUE + 1, 1);
        rig_end(&rig);
    }
}

/* The instruction after a branch issues that many cycles later; with 0, in the next cycle. */
static void a_branch_holds_its_warp(void **state)
{
    static const uint32_t cycles[] = {0, 2, 28, 200};

    for (uint32_t i = 0; i < sizeof(cycles) / sizeof(cycles[0]); i++) {
        struct rig rig;
        struct byw_config *c = rig_config(&rig);

        *timing_key(state, c) = cycles[i];
        rig_start(&rig);
        warp(&rig);
        add(&rig.bench, BYW_CLASS_BRANCH, 1, 0);
        add(&rig.bench, BYW_CLASS_INT, 1, 0);
        place(&rig);
        expect_issues(&rig, SM_FIRST_ISSUE, 1);
        expect_issues(&rig, SM_FIRST_ISSUE + (cycles[i] != 0 ? cycles[i] : 1), 1);
        rig_end(&rig);
    }
}

/* Cycles from the last of `warps` warps' issue at a barrier to their next instruction. */
static uint64_t barrier_takes(struct rig *rig, uint32_t warps)
{
    uint64_t last, next;

    rig_start(rig);
    for (uint32_t w = 0; w < warps; w++) {
        warp(rig);
        add(&rig->bench, BYW_CLASS_BARRIER, 1, 0);
        add(&rig->bench, BYW_CLASS_INT, 1, 0);
    }
    place(rig);
    do
        last = next_issue(rig);
    while (issued(rig) < warps);
    next = next_issue(rig);
    rig_end(rig);
    return next - last;
}

/* The warps of a barrier continue sm.latency_barrier cycles after the last of them has arrived;
 * with 0, in the next cycle. */
static void warps_wait_after_a_barrier(void **state)
{
    static const uint32_t cycles[] = {0, 2, 14, 200};

    for (uint32_t i = 0; i < sizeof(cycles) / sizeof(cycles[0]); i++) {
        struct rig rig;
        struct byw_config *c = rig_config(&rig);

        *timing_key(state, c) = cycles[i];
        assert_int_equal(barrier_takes(&rig, 1 + 2 * i), cycles[i] != 0 ? cycles[i] : 1);
    }
}

/* Four warps that issue in one cycle arrive at their barrier one after the other. */
static void warps_arrive_at_a_barrier_in_turn(void **state)
{
    for (uint32_t interval = 1; interval <= 32; interval += 31) {
        struct rig rig;
        struct byw_config *c = rig_config(&rig);

        *timing_key(state, c) = interval;
        c->sm_schedulers = 4;
        assert_in_range(barrier_takes(&rig, 4), 4 * interval - 3, 4 * interval);
    }
}

/* A load, its consumer, and independent instructions: how many issue before the data arrives. */
static uint64_t issued_without_data(void **state, enum byw_class use, enum byw_class after,
                                    uint32_t slack)
{
    struct rig rig;
    struct byw_config *c = rig_config(&rig);
    uint64_t count;

    *timing_key(state, c) = slack;
    rig_start(&rig);
    warp(&rig);
    add(&rig.bench, BYW_CLASS_LOAD, 1, 1);
    add(&rig.bench, use, 1, 1);
    add(&rig.bench, after, 40, 0);
    place(&rig);
    while (rig.now < SM_FIRST_ISSUE + 60)
        step(&rig);
    count = issued(&rig);
    rig_end(&rig);
    return count;
}

/* With a slack of n, a float instruction that uses a load lets n further instructions issue before
 * the warp waits; an address, a comparison or a branch does not. */
static void float_uses_of_loads_wait_later(void **state)
{
    assert_int_equal(issued_without_data(state, BYW_CLASS_FP, BYW_CLASS_FP, 0), 1);
    for (uint32_t slack = 1; slack < 30; slack += 7) {
        assert_int_equal(issued_without_data(state, BYW_CLASS_FP, BYW_CLASS_FP, slack), 1 + slack);
        assert_int_equal(issued_without_data(state, BYW_CLASS_INT, BYW_CLASS_FP, slack), 1);
        assert_int_equal(issued_without_data(state, BYW_CLASS_FP, BYW_CLASS_INT, slack), 1);
    }
}

/* Instructions that issue while no load has its data.  Each of `loads` loads is stored to the
 * scratchpad by the instruction after it; `end` follows. */
static uint64_t issued_in_copy(void **state, uint32_t slack, uint32_t loads, enum byw_class end)
{
    struct rig rig;
    struct byw_config *c = rig_config(&rig);
    uint64_t count;

    *timing_key(state, c) = slack;
    rig_start(&rig);
    warp(&rig);
    for (uint32_t i = 0; i < loads; i++) {
        add(&rig.bench, BYW_CLASS_LOAD, 1, 1);
        add(&rig.bench, BYW_CLASS_SHARED_STORE, 1, 0);
    }
    add(&rig.bench, end, 1, 0);
    add(&rig.bench, BYW_CLASS_LOAD, 1, 0);
    place(&rig);
    while (rig.now < SM_FIRST_ISSUE + 60)
        step(&rig);
    count = issued(&rig);
    rig_end(&rig);
    return count;
}

/* Rounds of a loop: a load, an integer instruction that adds it to a sum, `more`, and a branch.
 * Returns how many instructions issue before the first data arrive. */
static uint64_t issued_in_loop(void **state, uint32_t slack, enum byw_class more, bool backward)
{
    enum { ROUNDS = 12, BODY = 4 };
    struct rig rig;
    struct byw_config *c = rig_config(&rig);
    uint64_t count;

    *timing_key(state, c) = slack;
    rig_start(&rig);
    warp(&rig);
    for (uint32_t r = 0; r < ROUNDS; r++) {
        uint32_t pc = backward ? 0 : r * BODY * BYW_INST_BYTES;

        add(&rig.bench, BYW_CLASS_LOAD, 1, 1)->pc = pc;
        add(&rig.bench, BYW_CLASS_INT, 1, BODY)->pc = pc + BYW_INST_BYTES;
        add(&rig.bench, more, 1, 0)->pc = pc + 2 * BYW_INST_BYTES;
        add(&rig.bench, BYW_CLASS_BRANCH, 1, 0)->pc = pc + 3 * BYW_INST_BYTES;
    }
    place(&rig);
    while (rig.now < SM_FIRST_ISSUE + 60)
        step(&rig);
    count = issued(&rig);
    rig_end(&rig);
    return count;
}

/* The assembler unrolls a loop that adds up integers: the load of the next round issues before the
 * sum waits.  Not so across a store, which might change what is loaded, nor without a loop. */
static void integer_sums_of_loads_wait_later(void **state)
{
    assert_int_equal(issued_in_loop(state, 0, BYW_CLASS_INT, true), 1);
    assert_int_equal(issued_in_loop(state, 32, BYW_CLASS_INT, true), 5);
    assert_int_equal(issued_in_loop(state, 3, BYW_CLASS_INT, true), 4);
    assert_int_equal(issued_in_loop(state, 32, BYW_CLASS_STORE, true), 1);
    assert_int_equal(issued_in_loop(state, 32, BYW_CLASS_INT, false), 1);
}

/* The assembler moves loads above stores of earlier loads' data to the scratchpad: a warp waits at
 * such a store only after the last load of the straight-line code that the slack reaches. */
static void loads_pass_stores_to_the_scratchpad(void **state)
{
    assert_int_equal(issued_in_copy(state, 0, 4, BYW_CLASS_BARRIER), 1);
    /* L S L S L S L, then the last S waits; a barrier and a branch end the code */
    assert_int_equal(issued_in_copy(state, 32, 4, BYW_CLASS_BARRIER), 7);
    assert_int_equal(issued_in_copy(state, 32, 4, BYW_CLASS_BRANCH), 7);
    /* without an end, the load behind them is passed, too */
    assert_int_equal(issued_in_copy(state, 32, 4, BYW_CLASS_INT), 10);
    /* the slack reaches one load further */
    assert_int_equal(issued_in_copy(state, 2, 4, BYW_CLASS_BARRIER), 3);
    assert_int_equal(issued_in_copy(state, 32, 1, BYW_CLASS_BARRIER), 1);
}

/* A load of the same sector shares the first one's answer up to the last cycle of the joining time;
 * one a cycle later sends a new request, whose answer further ones share. */
static void a_bypassed_load_asks_again_after_the_joining_time(void **state)
{
    for (uint32_t joins = 1; joins <= 100; joins += 33) {
        struct byw_txn txn = {.kind = BYW_TXN_READ, .addr = 0x1000, .bytes = 32, .bypass = true};
        struct byw_outlet outlet;
        struct byw_config c;

        byw_config_defaults(&c);
        *timing_key(state, &c) = joins;
        assert_int_equal(byw_outlet_init(&outlet, &c), BYW_OK);
        byw_outlet_push(&outlet, &txn, 200);
        byw_outlet_push(&outlet, &txn, 200 + joins);
        assert_int_equal(outlet.count, 1);
        byw_outlet_push(&outlet, &txn, 201 + joins);
        assert_int_equal(outlet.count, 2);
        byw_outlet_push(&outlet, &txn, 201 + 2 * joins);
        assert_int_equal(outlet.shared, 2);
        byw_outlet_release(&outlet);
    }
}

/* An outlet in which partly written sectors wait: 8 bytes of each are written. */
static void hold_sector(struct byw_outlet *outlet, uint32_t sector, uint64_t now)
{
    struct byw_txn txn = {
        .kind = BYW_TXN_WRITE, .addr = 64 * sector, .bytes = 32, .holes = 0xfc, .id = BYW_STORE_ID};

    byw_outlet_push(outlet, &txn, now);
}

/* So many sectors wait; the next one takes the place of the first. */
static void so_many_written_sectors_wait(void **state)
{
    for (uint32_t n = 1; n <= BYW_OUTLET_HELD; n += 21) {
        struct byw_outlet outlet;
        struct byw_config c;

        byw_config_defaults(&c);
        *timing_key(state, &c) = n;
        assert_int_equal(byw_outlet_init(&outlet, &c), BYW_OK);
        for (uint32_t i = 0; i < n; i++)
            hold_sector(&outlet, i, 200);
        assert_int_equal(outlet.count, 0);
        hold_sector(&outlet, n, 200);
        assert_int_equal(outlet.count, 1);
        assert_int_equal(outlet.waiting[0].addr, 0);
        byw_outlet_release(&outlet);
    }
}

/* A sector leaves that many cycles after its first store, also if others follow. */
static void a_written_sector_waits_so_long(void **state)
{
    for (uint32_t cycles = 1; cycles <= 200; cycles += 199) {
        struct byw_outlet outlet;
        struct byw_config c;

        byw_config_defaults(&c);
        c.l1d_merge_sectors = 4;
        *timing_key(state, &c) = cycles;
        assert_int_equal(byw_outlet_init(&outlet, &c), BYW_OK);
        hold_sector(&outlet, 0, 500);
        hold_sector(&outlet, 0, 500 + cycles - 1);
        byw_outlet_send(&outlet, NULL, 500 + cycles - 1);
        assert_int_equal(outlet.count, 0);
        byw_outlet_send(&outlet, NULL, 500 + cycles);
        assert_int_equal(outlet.count, 1);
        byw_outlet_release(&outlet);
    }
}

/* Cycles during which a load's transactions are accepted: `sectors` of each of `lines` lines. */
static uint64_t accepting(void **state, uint32_t rate, uint32_t lines, uint32_t sectors)
{
    struct rig rig;
    struct byw_config *c = rig_config(&rig);
    uint64_t first = 0, last = 0, before = 0, *addr;
    struct byw_inst *inst;

    *timing_key(state, c) = rate;
    c->l1d_sectors = 4;
    c->l1d_alloc = BYW_ALLOC_ON_FILL;
    c->coalesce_rule = BYW_COALESCE_SECTOR;
    c->l1d_miss_queue = 64;
    rig_start(&rig);
    warp(&rig);
    inst = add(&rig.bench, BYW_CLASS_LOAD, 1, 0);
    inst->form = BYW_FORM_LIST;
    inst->mask = byw_mask64(lines * sectors);
    inst->list = rig.bench.cta.addr_count;
    addr = byw_cta_add_addr(&rig.bench.cta, lines * sectors);
    for (uint32_t i = 0; i < lines * sectors; i++)
        addr[i] = 0x10000 + 128 * (i / sectors) + 32 * (i % sectors);
    place(&rig);
    while (rig.now < 200) {
        uint64_t now = byw_cluster_stats(rig.cluster, 0)->ev[BYW_EV_LOAD];

        step(&rig);
        now = byw_cluster_stats(rig.cluster, 0)->ev[BYW_EV_LOAD];
        if (now != before && first == 0)
            first = rig.now;
        if (now != before)
            last = rig.now;
        before = now;
    }
    assert_int_equal(before, lines * sectors);
    rig_end(&rig);
    return last - first + 1;
}

/* An L1D at n times the SM's rate accepts up to n sectors of a line per cycle, all of one line. */
static void sectors_of_a_line_are_accepted_together(void **state)
{
    assert_int_equal(accepting(state, 1, 8, 4), 32);
    assert_in_range(accepting(state, 4, 8, 4), 8,
                    9); /* 128 bytes per cycle; its pipeline may add a cycle */
    assert_in_range(accepting(state, 4, 16, 2), 16, 17);
    assert_in_range(accepting(state, 4, 32, 1), 32, 33);
}

/* The cycle in which the consumer of a load of `lines` absent lines issues, if each access takes
 * `access` cycles more. */
static uint64_t consumer_of(void **state, uint32_t mode, uint32_t lines, uint32_t access)
{
    struct rig rig;
    struct byw_config *c = rig_config(&rig);
    uint64_t at;

    *timing_key(state, c) += access;
    c->policy_mode = mode;
    rig_start(&rig);
    warp(&rig);
    add(&rig.bench, BYW_CLASS_LOAD, 1, 1)->stride = (int32_t)(4 * lines);
    add(&rig.bench, BYW_CLASS_INT, 1, 0);
    place(&rig);
    next_issue(&rig);
    at = next_issue(&rig);
    rig_end(&rig);
    return at;
}

/* A fill is a cache access and costs as much as a hit; a bypass is not, and costs nothing (paper
 * 001, section 3.1). */
static void only_lines_take_the_caches_latency(void **state)
{
    static const uint32_t access[] = {1, 13, 76, 255};

    for (uint32_t lines = 1; lines <= 4; lines += 3) {
        uint64_t fill = consumer_of(state, BYW_MODE_BASE, lines, 0);
        uint64_t bypass = consumer_of(state, BYW_MODE_BYPASS_ALL, lines, 0);

        for (uint32_t i = 0; i < sizeof(access) / sizeof(access[0]); i++) {
            assert_int_equal(consumer_of(state, BYW_MODE_BASE, lines, access[i]), fill + access[i]);
            assert_int_equal(consumer_of(state, BYW_MODE_BYPASS_ALL, lines, access[i]), bypass);
        }
    }
}

/* An access holds the unit for 255 cycles. The queue holds as many accesses as its key says;
 * later ones wait in the collectors. The next instruction issues in the cycle in which the head
 * leaves. */
static void load_store_queue_holds(void **state)
{
    for (uint32_t n = 0; n < 9; n++) {
        static const uint32_t depth[] = {2, 5, 16}, collectors[] = {1, 3, 8};
        struct rig rig;
        struct byw_config *c = rig_config(&rig);

        c->sm_collectors = collectors[n / 3];
        *timing_key(state, c) =
            TIMING_KEY_IS(state, sm_collectors) ? collectors[n % 3] : depth[n % 3];
        rig_start(&rig);
        warp(&rig);
        for (uint32_t i = 0; i < 60; i++)
            add(&rig.bench, BYW_CLASS_SHARED_LOAD, 1, 0)->degree = 255;
        place(&rig);
        while (rig.now < 200)
            step(&rig);
        assert_int_equal(issued(&rig), c->sm_lsu_queue + c->sm_collectors);
        expect_issues(&rig, SM_FIRST_ISSUE + c->sm_issue_lsu + 254, 1);
        expect_issues(&rig, SM_FIRST_ISSUE + c->sm_issue_lsu + 254 + 255, 1);
        rig_end(&rig);
    }
}

/* All schedulers compete for the slot that an access frees: in cycle t, scheduler (t + 1) modulo
 * their number gets it. */
static void schedulers_take_turns(void **state)
{
    for (uint32_t n = 0; n < 4; n++) {
        struct rig rig;
        struct byw_config *c = rig_config(&rig);

        c->sm_lsu_queue = 2;
        c->sm_collectors = 1;
        *timing_key(state, c) = 2 + n / 2;
        rig_start(&rig);
        for (uint32_t w = 0; w < c->sm_schedulers; w++) {
            warp(&rig);
            for (uint32_t i = 0; i < 12; i++)
                add(&rig.bench, BYW_CLASS_SHARED_LOAD, 1, 0)->degree = (uint8_t)(120 + n % 2);
        }
        place(&rig);
        while (rig.now < 60)
            step(&rig);
        for (uint32_t i = 0; i < 6; i++) {
            uint32_t index[BYW_WARP_SLOTS], first;

            for (uint32_t w = 0; w < c->sm_schedulers; w++)
                index[w] = rig.sm->warps.warp[w].index;
            first = (uint32_t)(next_issue(&rig) + 1) % c->sm_schedulers;
            assert_int_equal(rig.sm->warps.warp[first].index, index[first] + 1);
        }
        rig_end(&rig);
    }
}

/* While waiting accesses hold all collectors, an arithmetic instruction of another warp waits until
 * one of them leaves; with one access fewer it does not wait. */
static void waiting_accesses_hold_collectors(void **state)
{
    for (uint32_t n = 0; n < 6; n++) {
        uint32_t free_ones = n % 2, accesses;
        struct rig rig;
        struct byw_config *c = rig_config(&rig);

        c->sm_lsu_queue = c->sm_collectors = 4;
        *timing_key(state, c) = 2 + n / 2 * 3;
        c->lat_dp = 150;
        c->sm_schedulers = 2;
        accesses = c->sm_lsu_queue - 1 + c->sm_collectors - free_ones;
        rig_start(&rig);
        warp(&rig);
        add(&rig.bench, BYW_CLASS_DP, 1, 1);
        add(&rig.bench, BYW_CLASS_INT, 1, 0);
        warp(&rig); /* is fetched before the other warp */
        for (uint32_t i = 0; i < accesses; i++)
            add(&rig.bench, BYW_CLASS_SHARED_LOAD, 1, 0)->degree = 255;
        place(&rig);
        while (rig.now < 200)
            step(&rig);
        assert_int_equal(issued(&rig), accesses + 1 + free_ones);
        if (free_ones == 0)
            expect_issues(&rig, SM_FIRST_ISSUE + c->sm_issue_lsu + 254, 1);
        rig_end(&rig);
    }
}

static void loads_in_flight_are_bounded(void **state)
{
    struct rig rig;

    (void)state;
    rig_config(&rig);
    rig_start(&rig);
    warp(&rig);
    add(&rig.bench, BYW_CLASS_LOAD, 1, 0);
    place(&rig);
    step(&rig);
    rig.sm->warps.loads = BYW_LOAD_SLOTS;
    while (rig.now < 20)
        step(&rig);
    assert_int_equal(issued(&rig), 0);
    rig.sm->warps.loads = BYW_LOAD_SLOTS - 1;
    rig.sm->core_wake = rig.now; /* wakes the SM, as a completed load would */
    expect_issues(&rig, 20, 1);
    rig_end(&rig);
}

int main(void)
{
#define SM TIMING_KEY
#define SM_BOUND TIMING_BOUND
    const struct CMUnitTest tests[] = {
#include "sim/timing_keys.def"
    };

    return cmocka_run_group_tests_name("sm_timing", tests, NULL, NULL);
}
