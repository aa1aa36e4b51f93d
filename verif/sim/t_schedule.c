/* SPDX-License-Identifier: Apache-2.0
 *
 * t_schedule.c - issue by machine code: hand-made tables with stall counts, barriers, pipes and
 * yields, in the cycles in which the schedule allows each instruction.
 */
#include "code_rig.h"
#include "sim/timing_keys.h"

/* Cycles between consecutive issues of the only warp. */
static void expect_gaps(struct code *code, const uint32_t *gap, uint32_t count)
{
    uint64_t at = next_issue(&code->rig);

    for (uint32_t i = 0; i < count; i++) {
        uint64_t next = next_issue(&code->rig);

        assert_int_equal(next - at, gap[i]);
        at = next;
    }
}

/* --- the rule --------------------------------------------------------------------------------- */

static void an_instruction_issues_when_stall_and_barriers_allow_it(void **state)
{
    struct byw_machine_inst inst = {.wait = 0};

    (void)state;
    assert_false(byw_schedule_may_issue(&inst, UINT64_MAX, 10, 9));
    assert_true(byw_schedule_may_issue(&inst, UINT64_MAX, 10, 10));
    for (uint32_t b = 0; b < BYW_MACHINE_BARRIERS; b++) {
        uint64_t held = UINT64_C(3) << 8 * b;

        inst.wait = (uint8_t)(1 << b);
        assert_false(byw_schedule_may_issue(&inst, held, 0, 0));
        assert_true(byw_schedule_may_issue(&inst, ~(UINT64_C(0xff) << 8 * b), 0, 0));
        inst.wait = 0x3f;
        assert_false(byw_schedule_may_issue(&inst, held, 0, 0));
        assert_true(byw_schedule_may_issue(&inst, 0, 0, 0));
    }
}

/* --- stall counts ----------------------------------------------------------------------------- */

/* A stall of n is n cycles to the next instruction; 0 is 1.  Neither latencies of the trace's
 * instructions nor fetches add to it, in one record or in many. */
static void a_chain_of_stalls_takes_their_sum(void **state)
{
    static const uint8_t stall[] = {1, 2, 15, 0, 4, 13, 1, 1, 1, 1, 1, 1, 1, 1, 6, 5};
    static const uint32_t gap[] = {1, 2, 15, 1, 4, 13, 1, 1, 1, 1, 1, 1, 1, 1, 6};

    (void)state;
    for (uint32_t together = 0; together < 2; together++) {
        struct code code;

        code_config(&code);
        rig_start(&code.rig);
        for (size_t i = 0; i < sizeof(stall); i++)
            op(&code, BYW_MACHINE_NOP, stall[i]);
        run(&code, together != 0);
        go(&code);
        expect_gaps(&code, gap, sizeof(gap) / sizeof(gap[0]));
        assert_int_equal(code.rig.sm->counters.machine_instructions, sizeof(stall));
        rig_end(&code.rig);
    }
}

/* --- barriers --------------------------------------------------------------------------------- */

/* An instruction of variable latency holds its barrier for that latency; only the one that waits
 * for it is held up. */
static void a_wait_ends_with_the_latency(void **state)
{
    const uint32_t latency = byw_schedule_time(BYW_MACHINE_MUFU).latency;
    struct code code;

    (void)state;
    code_config(&code);
    rig_start(&code.rig);
    op(&code, BYW_MACHINE_MUFU, 1)->write_barrier = 3;
    op(&code, BYW_MACHINE_NOP, 1)->wait = 1 << 2;
    op(&code, BYW_MACHINE_NOP, 2);
    op(&code, BYW_MACHINE_NOP, 1)->wait = 1 << 3;
    op(&code, BYW_MACHINE_NOP, 1);
    run(&code, true);
    go(&code);
    expect_gaps(&code, (const uint32_t[]){1, 1, latency - 2, 1}, 4);
    rig_end(&code.rig);
}

/* Two instructions may hold a barrier; it clears with the later one. */
static void a_barrier_counts_its_holders(void **state)
{
    const uint32_t latency = byw_schedule_time(BYW_MACHINE_MUFU).latency;
    struct code code;

    (void)state;
    code_config(&code);
    rig_start(&code.rig);
    op(&code, BYW_MACHINE_MUFU, 10)->write_barrier = 0;
    op(&code, BYW_MACHINE_MUFU, 1)->write_barrier = 0;
    op(&code, BYW_MACHINE_NOP, 1)->wait = 1;
    run(&code, true);
    go(&code);
    expect_gaps(&code, (const uint32_t[]){10, latency}, 2);
    rig_end(&code.rig);
}

/* A load holds its barrier until the last of its sectors is back; an instruction that does not wait
 * issues meanwhile. */
static void a_load_holds_its_barrier_until_its_sectors_are_back(void **state)
{
    uint64_t took[2];

    (void)state;
    for (uint32_t wide = 0; wide < 2; wide++) {
        struct code code;

        code_config(&code);
        rig_start(&code.rig);
        op(&code, BYW_MACHINE_LOAD, 1)->write_barrier = 5;
        op(&code, BYW_MACHINE_NOP, 1);
        op(&code, BYW_MACHINE_NOP, 1)->wait = 1 << 5;
        run(&code, false);
        if (wide != 0)
            code.rig.bench.cta.inst[0].stride = 256; /* 32 lines */
        go(&code);
        expect_gaps(&code, (const uint32_t[]){1}, 1);
        took[wide] = next_issue(&code.rig);
        assert_int_equal(code.rig.sm->warps.loads, 0);
        rig_end(&code.rig);
    }
    assert_true(took[0] > 100);
    assert_true(took[1] >= took[0] + 31);
}

/* A read barrier clears when operands have been read, which a store's acknowledgement is not. */
static void a_read_barrier_lasts_for_its_cycles(void **state)
{
    for (uint32_t cycles = 2; cycles <= 200; cycles += 99) {
        struct code code;
        struct byw_config *c = code_config(&code);

        *timing_key(state, c) = cycles;
        rig_start(&code.rig);
        op(&code, BYW_MACHINE_STORE, 1)->read_barrier = 1;
        op(&code, BYW_MACHINE_NOP, 1)->wait = 1 << 1;
        run(&code, false);
        go(&code);
        expect_gaps(&code, (const uint32_t[]){cycles}, 1);
        rig_end(&code.rig);
    }
}

/* A taken branch takes its stall count plus the penalty; a branch that is not taken, and the last
 * instruction of a record that is no branch, only the stall count. */
static void a_taken_branch_takes_longer(void **state)
{
    for (uint32_t cycles = 0; cycles <= 200; cycles += 100) {
        struct code code;
        struct byw_config *c = code_config(&code);

        *timing_key(state, c) = cycles;
        rig_start(&code.rig);
        op(&code, BYW_MACHINE_NOP, 3);
        op(&code, BYW_MACHINE_BRANCH, 5)->target = 0; /* back to the start: 0, 1, 0, 1, 2 */
        op(&code, BYW_MACHINE_NOP, 1);
        warp(&code.rig);
        for (uint32_t i = 0; i < 2; i++)
            add(&code.rig.bench, BYW_CLASS_INT, 2, 0)->pc = 0;
        add(&code.rig.bench, BYW_CLASS_INT, 1, 0)->pc = 2 * BYW_MACHINE_INST_BYTES;
        go(&code);
        expect_gaps(&code, (const uint32_t[]){3, 5 + cycles, 3, 5}, 4);
        rig_end(&code.rig);
    }
}

/* The first constant load of a launch misses the constant cache, the second one hits. */
static void a_cold_constant_takes_longer(void **state)
{
    const uint32_t latency = byw_schedule_time(BYW_MACHINE_UNIFORM_CONST).latency;

    for (uint32_t cold = 300; cold <= 900; cold += 600) {
        struct code code;
        struct byw_config *c = code_config(&code);

        *timing_key(state, c) = cold;
        rig_start(&code.rig);
        for (uint32_t i = 0; i < 2; i++) {
            op(&code, BYW_MACHINE_UNIFORM_CONST, 2)->write_barrier = 0;
            op(&code, BYW_MACHINE_NOP, 1)->wait = 1;
        }
        run(&code, true);
        go(&code);
        expect_gaps(&code, (const uint32_t[]){cold, 1, latency}, 3);
        rig_end(&code.rig);
    }
}

/* --- pipes and the scheduler ------------------------------------------------------------------ */

/* Warps of one scheduler share a pipe at its interval; float instructions use two halves. */
static void pipes_take_a_warp_per_interval(void **state)
{
    static const struct {
        enum byw_machine_op kind;
        uint32_t cycles; /* cycles for four warps, from the first issue to the last */
    } seen[] = {{BYW_MACHINE_NOP, 3},   {BYW_MACHINE_FMA, 3},    {BYW_MACHINE_IMAD, 6},
                {BYW_MACHINE_INT, 6},   {BYW_MACHINE_DOUBLE, 6}, {BYW_MACHINE_MUFU, 24},
                {BYW_MACHINE_BITS, 24}, {BYW_MACHINE_CONVERT, 6}};

    (void)state;
    for (size_t i = 0; i < sizeof(seen) / sizeof(seen[0]); i++) {
        struct code code;
        uint64_t first, last = 0;

        code_config(&code);
        rig_start(&code.rig);
        op(&code, BYW_MACHINE_NOP, 15); /* while the warps are fetched one by one */
        op(&code, seen[i].kind, 1);
        for (uint32_t w = 0; w < 4; w++)
            run(&code, true);
        go(&code);
        while (issued(&code.rig) < 4)
            next_issue(&code.rig);
        first = next_issue(&code.rig);
        while (issued(&code.rig) < 8)
            last = next_issue(&code.rig);
        assert_int_equal(last - first, seen[i].cycles);
        rig_end(&code.rig);
    }
}

/* gto keeps issuing a warp; an instruction with yield lets another one go first. */
static void a_yield_lets_another_warp_go_first(void **state)
{
    (void)state;
    for (uint32_t yields = 0; yields < 2; yields++) {
        struct byw_config c;
        struct byw_sched sched;
        struct byw_warps *warps = calloc(1, sizeof(*warps));

        byw_config_defaults(&c);
        c.sm_scheduler = BYW_SCHED_GTO;
        c.sm_schedulers = 1;
        byw_warps_init(warps, 0);
        byw_sched_init(&sched, &c, NULL);
        warps->older[1] = 1;
        assert_int_equal(byw_sched_pick(&sched, 0, 3, warps), 0);
        if (yields != 0)
            byw_sched_yield(&sched, 0, 0);
        assert_int_equal(byw_sched_pick(&sched, 0, 3, warps), yields);
        assert_int_equal(byw_sched_pick(&sched, 0, 1, warps), 0);
        byw_sched_yield(&sched, 0, 0); /* alone, it goes on */
        assert_int_equal(byw_sched_pick(&sched, 0, 1, warps), 0);
        free(warps);
    }
}

/* With the key off, or for a CTA without a path, the trace's own instructions are timed. */
static void other_ctas_are_timed_as_before(void **state)
{
    (void)state;
    for (uint32_t on = 0; on < 2; on++) {
        struct code code;
        struct byw_config *c = code_config(&code);

        c->machine_code = on;
        rig_start(&code.rig);
        op(&code, BYW_MACHINE_NOP, 15);
        op(&code, BYW_MACHINE_NOP, 15);
        run(&code, true);
        go(&code);
        expect_gaps(&code, (const uint32_t[]){on != 0 ? 15 : 1}, 1);
        assert_int_equal(code.rig.sm->counters.machine_instructions, on != 0 ? 2 : 0);
        rig_end(&code.rig);
    }
}

int main(void)
{
#define SCHEDULE TIMING_KEY
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_instruction_issues_when_stall_and_barriers_allow_it),
        cmocka_unit_test(a_chain_of_stalls_takes_their_sum),
        cmocka_unit_test(a_wait_ends_with_the_latency),
        cmocka_unit_test(a_barrier_counts_its_holders),
        cmocka_unit_test(a_load_holds_its_barrier_until_its_sectors_are_back),
        cmocka_unit_test(pipes_take_a_warp_per_interval),
        cmocka_unit_test(a_yield_lets_another_warp_go_first),
        cmocka_unit_test(other_ctas_are_timed_as_before),
#include "sim/timing_keys.def"
    };

    return cmocka_run_group_tests_name("schedule", tests, NULL, NULL);
}
