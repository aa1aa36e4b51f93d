/* SPDX-License-Identifier: Apache-2.0
 *
 * t_stalls.c - what machine instructions wait for: each cause in a hand-made table that has it,
 * with its cycles; and that every resident cycle of a warp has one cause.
 */
#include "code_rig.h"
#include "sim/gpu/byw_stall_book.h"

static void begin_code(struct code *code)
{
    code_config(code);
    rig_start(&code->rig);
    assert_int_equal(byw_sm_count_stalls(code->rig.sm), BYW_OK);
}

static const struct byw_stall_row *row(const struct code *code, uint32_t index)
{
    const struct byw_stall_sums *sums = byw_sm_stalls(code->rig.sm);

    assert_false(sums->lost);
    assert_true(index < sums->count);
    return &sums->row[index];
}

/* Steps until the SM is empty: every cycle of a resident warp has one cause. */
static void run_out(struct code *code)
{
    uint64_t resident = 0, counted = 0;

    for (int i = 0; byw_sm_warps(code->rig.sm) != 0; i++) {
        assert_true(i < 100000);
        step(&code->rig);
        resident += byw_sm_warps(code->rig.sm); /* without the cycle in which it is removed */
    }
    for (uint32_t i = 0; i < code->machine.count; i++)
        for (unsigned c = 0; c < BYW_STALLS; c++)
            counted += row(code, i)->cycles[c];
    assert_int_equal(counted, resident);
}

/* Cycles of an instruction whose waits all go to one other instruction. */
static void expect_wait(const struct code *code, uint32_t at, uint32_t on, enum byw_stall cause,
                        uint64_t cycles)
{
    const struct byw_stall_sums *sums = byw_sm_stalls(code->rig.sm);
    uint32_t first = sums->first[at];

    assert_int_equal(row(code, at)->cycles[cause], cycles);
    assert_int_not_equal(first, UINT32_MAX);
    assert_int_equal(sums->wait[first].on, on);
    assert_int_equal(sums->wait[first].cycles, cycles);
    assert_int_equal(sums->wait[first].next, UINT32_MAX);
}

/* --- one warp --------------------------------------------------------------------------------- */

/* Stall counts, a branch's target, and the fetch belong to the instruction that they delay. */
static void the_schedule_delays_the_next_instruction(void **state)
{
    struct code code;

    (void)state;
    code_config(&code);
    code.rig.bench.config.machine_branch = 7;
    rig_start(&code.rig);
    assert_int_equal(byw_sm_count_stalls(code.rig.sm), BYW_OK);
    op(&code, BYW_MACHINE_NOP, 4);
    op(&code, BYW_MACHINE_BRANCH, 5)->target = 0;
    op(&code, BYW_MACHINE_EXIT, 1);
    warp(&code.rig);
    for (uint32_t i = 0; i < 2; i++)
        add(&code.rig.bench, BYW_CLASS_INT, 2, 0)->pc = 0;
    add(&code.rig.bench, BYW_CLASS_EXIT, 1, 0)->pc = 2 * BYW_MACHINE_INST_BYTES;
    go(&code);
    run_out(&code);
    assert_int_equal(row(&code, 0)->cycles[BYW_STALL_FETCH], SM_FIRST_ISSUE);
    assert_int_equal(row(&code, 0)->cycles[BYW_STALL_ISSUED], 2);
    assert_int_equal(row(&code, 0)->threads, 64);
    assert_int_equal(row(&code, 1)->cycles[BYW_STALL_SCHEDULE], 2 * 3);
    assert_int_equal(row(&code, 0)->cycles[BYW_STALL_SCHEDULE], 4);
    assert_int_equal(row(&code, 0)->cycles[BYW_STALL_BRANCH], 7);
    assert_int_equal(row(&code, 2)->cycles[BYW_STALL_SCHEDULE], 4);
    assert_int_equal(row(&code, 2)->cycles[BYW_STALL_BRANCH], 0);
    rig_end(&code.rig);
}

/* A wait for a barrier belongs to the instruction that waits, and names the one that holds it. */
static void a_wait_names_what_holds_the_barrier(void **state)
{
    static const struct {
        enum byw_machine_op kind;
        enum byw_stall cause;
    } seen[] = {{BYW_MACHINE_MUFU, BYW_STALL_RESULT},
                {BYW_MACHINE_SPECIAL, BYW_STALL_RESULT},
                {BYW_MACHINE_UNIFORM_CONST, BYW_STALL_CONSTANT},
                {BYW_MACHINE_CONST_LOAD, BYW_STALL_CONSTANT}};

    (void)state;
    for (size_t i = 0; i < sizeof(seen) / sizeof(seen[0]); i++) {
        uint32_t latency = byw_schedule_time(seen[i].kind).latency;
        struct code code;

        begin_code(&code);
        code.rig.bench.config.machine_cold = 0;
        op(&code, BYW_MACHINE_NOP, 1);
        op(&code, seen[i].kind, 1)->write_barrier = 3;
        op(&code, BYW_MACHINE_NOP, 2);
        op(&code, BYW_MACHINE_NOP, 1)->wait = 1 << 3;
        op(&code, BYW_MACHINE_EXIT, 1);
        run(&code, false);
        go(&code);
        run_out(&code);
        expect_wait(&code, 3, 1, seen[i].cause, latency - 3);
        assert_int_equal(row(&code, 3)->cycles[BYW_STALL_SCHEDULE], 1);
        rig_end(&code.rig);
    }
}

/* A load is answered by the level that has its slowest sector; each request is counted by what
 * answered it.  joins: the SM has an outlet, which tells DRAM from the L2. */
static void answer_two_loads(uint32_t joins)
{
    struct code code;

    code_config(&code)->l1d_bypass_joins = joins;
    rig_start(&code.rig);
    assert_int_equal(byw_sm_count_stalls(code.rig.sm), BYW_OK);
    for (uint32_t i = 0; i < 2; i++) { /* the same line twice: below the L2, then in the L1D */
        op(&code, BYW_MACHINE_LOAD, 1)->write_barrier = 0;
        op(&code, BYW_MACHINE_NOP, 1)->wait = 1;
    }
    op(&code, BYW_MACHINE_EXIT, 1);
    run(&code, false);
    go(&code);
    run_out(&code);
    assert_int_equal(row(&code, 0)->requests, 1);
    assert_int_equal(row(&code, 0)->sectors, 4);
    assert_int_equal(row(&code, 0)->fills, 1);
    assert_int_equal(row(&code, 0)->hits, 0);
    assert_int_equal(row(&code, 2)->hits, 1);
    assert_int_equal(row(&code, 2)->by_l1, 1);
    assert_int_equal(row(&code, 0)->by_dram, joins != 0);
    assert_int_equal(row(&code, 0)->by_l2, joins == 0);
    assert_true(row(&code, 1)->cycles[joins != 0 ? BYW_STALL_DRAM : BYW_STALL_L2] > 100);
    assert_true(row(&code, 3)->cycles[BYW_STALL_L1] > 0);
    assert_true(row(&code, 3)->cycles[BYW_STALL_L1] < 100);
    rig_end(&code.rig);
}

static void a_load_names_the_level_that_answered_it(void **state)
{
    (void)state;
    answer_two_loads(0);
    answer_two_loads(48);
}

/* The scratchpad, operands that are read late, and stores in flight after the end. */
static void other_accesses_have_their_own_causes(void **state)
{
    struct code code;

    (void)state;
    begin_code(&code);
    code.rig.bench.config.machine_read = 40;
    op(&code, BYW_MACHINE_SHARED_LOAD, 1)->write_barrier = 1;
    op(&code, BYW_MACHINE_STORE, 1)->wait = 1 << 1;
    code.inst[1].read_barrier = 2;
    op(&code, BYW_MACHINE_NOP, 1)->wait = 1 << 2;
    op(&code, BYW_MACHINE_EXIT, 1);
    run(&code, false);
    go(&code);
    run_out(&code);
    assert_true(row(&code, 1)->cycles[BYW_STALL_SHARED] > 5);
    expect_wait(&code, 2, 1, BYW_STALL_OPERANDS, 39);
    assert_int_equal(row(&code, 1)->requests, 1);
    assert_true(row(&code, 3)->cycles[BYW_STALL_DRAIN] > 20);
    rig_end(&code.rig);
}

/* --- several warps ---------------------------------------------------------------------------- */

/* Warps of one scheduler: one issues, the others are passed over; a pipe that is taken delays. */
static void warps_wait_for_their_scheduler_and_pipe(void **state)
{
    (void)state;
    for (uint32_t slow = 0; slow < 2; slow++) {
        struct code code;

        begin_code(&code);
        op(&code, BYW_MACHINE_NOP, 15); /* while the warps are fetched one by one */
        op(&code, slow != 0 ? BYW_MACHINE_MUFU : BYW_MACHINE_NOP, 1);
        op(&code, BYW_MACHINE_EXIT, 1);
        for (uint32_t w = 0; w < 4; w++)
            run(&code, false);
        go(&code);
        run_out(&code);
        assert_int_equal(row(&code, 1)->cycles[BYW_STALL_ISSUED], 4);
        if (slow == 0)
            assert_int_equal(row(&code, 1)->cycles[BYW_STALL_PIPE], 0);
        else
            assert_true(row(&code, 1)->cycles[BYW_STALL_PIPE] > 8);
        rig_end(&code.rig);
    }
}

/* A warp at a barrier waits for the slowest one; the stall counts for the instruction after the
 * barrier. */
static void a_barrier_waits_for_the_slowest_warp(void **state)
{
    struct code code;

    (void)state;
    begin_code(&code);
    op(&code, BYW_MACHINE_NOP, 1);
    op(&code, BYW_MACHINE_NOP, 15);
    op(&code, BYW_MACHINE_BARRIER, 1);
    op(&code, BYW_MACHINE_EXIT, 1);
    for (uint32_t w = 0; w < 2; w++) { /* the second one runs 50 more instructions before */
        warp(&code.rig);
        add(&code.rig.bench, BYW_CLASS_INT, 1, 0)->pc = 0;
        for (uint32_t i = 0; i < 50 * w; i++)
            add(&code.rig.bench, BYW_CLASS_INT, 1, 0)->pc = BYW_MACHINE_INST_BYTES;
        add(&code.rig.bench, BYW_CLASS_BARRIER, 1, 0)->pc = 2 * BYW_MACHINE_INST_BYTES;
        add(&code.rig.bench, BYW_CLASS_EXIT, 1, 0)->pc = 3 * BYW_MACHINE_INST_BYTES;
    }
    go(&code);
    run_out(&code);
    assert_true(row(&code, 3)->cycles[BYW_STALL_BARRIER] > 50 * 14);
    assert_int_equal(row(&code, 2)->cycles[BYW_STALL_BARRIER], 0);
    rig_end(&code.rig);
}

/* More loads than the load/store unit holds wait for its queue.  Random code adds up, too. */
static void every_resident_cycle_has_a_cause(void **state)
{
    static const enum byw_machine_op kind[] = {
        BYW_MACHINE_NOP,         BYW_MACHINE_INT,   BYW_MACHINE_MUFU,          BYW_MACHINE_LOAD,
        BYW_MACHINE_SHARED_LOAD, BYW_MACHINE_STORE, BYW_MACHINE_UNIFORM_CONST, BYW_MACHINE_FMA};
    struct byw_rng rng;
    uint64_t queue = 0;

    (void)state;
    byw_rng_init(&rng, 58);
    for (uint32_t round = 0; round < 50; round++) {
        struct code code;

        code_config(&code);
        code.rig.bench.config.sm_collectors = 2;
        code.rig.bench.config.sm_schedulers = 1 + round % 4;
        rig_start(&code.rig);
        assert_int_equal(byw_sm_count_stalls(code.rig.sm), BYW_OK);
        for (uint32_t i = 0; i < 30; i++) {
            struct byw_machine_inst *inst =
                op(&code, kind[byw_rng_below(&rng, 8)], (uint8_t)byw_rng_below(&rng, 16));

            inst->yield = (uint8_t)byw_rng_below(&rng, 2);
            inst->wait = (uint8_t)(byw_rng_below(&rng, 64) & byw_rng_below(&rng, 64));
            if (inst->op == BYW_MACHINE_STORE)
                inst->read_barrier = (uint8_t)byw_rng_below(&rng, 6);
            else if (inst->op == BYW_MACHINE_LOAD || byw_rng_below(&rng, 2) == 0)
                inst->write_barrier = (uint8_t)byw_rng_below(&rng, 6);
        }
        op(&code, BYW_MACHINE_BARRIER, 1);
        op(&code, BYW_MACHINE_EXIT, 1);
        for (uint32_t w = 0; w < 8; w++) {
            run(&code, false);
            for (uint32_t i = 0; i < 30; i++)
                code.rig.bench.cta.inst[32 * w + i].stride = (int32_t)(4 << byw_rng_below(&rng, 6));
        }
        go(&code);
        run_out(&code);
        for (uint32_t i = 0; i < code.machine.count; i++)
            queue += row(&code, i)->cycles[BYW_STALL_QUEUE];
        rig_end(&code.rig);
    }
    assert_true(queue > 0);
}

/* --- sums ------------------------------------------------------------------------------------- */

static void sums_of_sms_add_up(void **state)
{
    struct byw_stall_sums a = {.count = 0}, b = {.count = 0};

    (void)state;
    assert_int_equal(byw_stall_sums_begin(&a, 3), BYW_OK);
    assert_int_equal(byw_stall_sums_begin(&b, 3), BYW_OK);
    for (uint32_t i = 0; i < 3; i++) {
        a.row[i].cycles[BYW_STALL_L2] = i;
        b.row[i].cycles[BYW_STALL_L2] = 10 * i;
        b.row[i].by_dram = i;
    }
    byw_stall_sums_wait(&a, 1, 0, BYW_STALL_L2, 5);
    byw_stall_sums_wait(&b, 1, 0, BYW_STALL_L2, 6);
    byw_stall_sums_wait(&b, 1, 2, BYW_STALL_L2, 7);
    byw_stall_sums_wait(&b, 1, 0, BYW_STALL_DRAM, 8);
    byw_stall_sums_add(&a, &b);
    assert_int_equal(a.row[2].cycles[BYW_STALL_L2], 22);
    assert_int_equal(a.row[2].by_dram, 2);
    assert_int_equal(a.waits, 3);
    assert_int_equal(a.wait[a.first[1]].cycles, 11);
    assert_int_equal(a.wait[a.wait[a.first[1]].next].on, 2);
    byw_stall_sums_release(&a);
    byw_stall_sums_release(&b);
}

/* A hostile trace may claim one code for launches with different tables. */
static void launches_with_other_tables_have_their_own_entry(void **state)
{
    static const struct byw_machine_inst inst[3] = {{.op = BYW_MACHINE_EXIT}};
    const struct byw_machine machine[2] = {{.count = 3, .inst = inst}, {.count = 2, .inst = inst}};
    const struct byw_gpu_kernel counters = {.cycles = 1};
    struct byw_stall_book *book = byw_stall_book_create();
    struct byw_stall_sums sums = {.count = 0}, none = {.count = 0};
    struct byw_kernel kernel = kernel_of(1, 32);
    struct byw_config config;

    (void)state;
    byw_config_defaults(&config);
    config.machine_code = 1;
    assert_int_equal(byw_stall_sums_begin(&sums, 3), BYW_OK);
    byw_stall_sums_wait(&sums, 2, 1, BYW_STALL_L2, 5);
    byw_stall_sums_add(&none, &sums);
    assert_int_equal(none.waits, 0);
    for (uint32_t i = 0; i < 4; i++) { /* without a table, with 3, with 2, with 3 again */
        kernel.machine = i == 0 ? NULL : &machine[i == 2];
        assert_int_equal(byw_stall_book_launch(book, &config, &kernel, &counters), BYW_OK);
        byw_stall_book_sm(book, &sums);
    }
    assert_int_equal(byw_stall_book_count(book), 3);
    assert_int_equal(byw_stall_book_kernel(book, 0)->sums.waits, 0);
    assert_int_equal(byw_stall_book_kernel(book, 1)->sums.wait[0].cycles, 10);
    assert_int_equal(byw_stall_book_kernel(book, 2)->sums.waits, 0);
    byw_stall_sums_release(&sums);
    byw_stall_sums_release(&none);
    byw_stall_book_free(book);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_schedule_delays_the_next_instruction),
        cmocka_unit_test(a_wait_names_what_holds_the_barrier),
        cmocka_unit_test(a_load_names_the_level_that_answered_it),
        cmocka_unit_test(other_accesses_have_their_own_causes),
        cmocka_unit_test(warps_wait_for_their_scheduler_and_pipe),
        cmocka_unit_test(a_barrier_waits_for_the_slowest_warp),
        cmocka_unit_test(every_resident_cycle_has_a_cause),
        cmocka_unit_test(sums_of_sms_add_up),
        cmocka_unit_test(launches_with_other_tables_have_their_own_entry),
    };

    return cmocka_run_group_tests_name("stalls", tests, NULL, NULL);
}
