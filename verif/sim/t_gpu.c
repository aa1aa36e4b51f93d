/* SPDX-License-Identifier: Apache-2.0
 *
 * t_gpu.c - the whole GPU on small synthetic traces: latencies of dependent instructions,
 * throughput limits, and relations between runs that hold for any timing.
 */
#include "sim/gpu_rig.h"
#include "sim/sm/byw_sched.h"

/* Cycles of one warp that executes `n` such instructions (as n records, or as one run of n). */
static uint64_t chain(struct bench *b, enum byw_class cls, uint32_t n, uint32_t use, uint8_t degree,
                      int32_t stride)
{
    struct byw_kernel k = kernel_of(1, 32);
    struct byw_gpu_result *r;
    uint64_t cycles;

    begin(b, &k);
    byw_cta_add_warp(&b->cta);
    for (uint32_t i = 0; i < n; i++) {
        struct byw_inst *inst = add(b, cls, 1, use);
        inst->degree = degree;
        if (byw_class_is_memory(cls))
            inst->stride = stride;
    }
    add(b, BYW_CLASS_EXIT, 1, 0);
    assert_int_equal(byw_trace_cta(b->writer, &b->cta, NULL), BYW_OK);
    r = finish(b);
    cycles = r->cycles;
    assert_int_equal(r->warp_instructions, n + 1);
    byw_gpu_result_free(r);
    return cycles;
}

/* Cycles per instruction times 100, without the start-up. */
static uint64_t cost(struct bench *b, enum byw_class cls, uint32_t use, uint8_t degree,
                     int32_t stride)
{
    return (chain(b, cls, 300, use, degree, stride) - chain(b, cls, 200, use, degree, stride));
}

static void dependent_instructions_cost_their_latency(void **state)
{
    struct bench *b = *state;
    uint32_t pipe = b->config.sm_issue_unit + b->config.sm_writeback;

    uint32_t i = pipe + b->config.collect_int + b->config.lat_int;

    assert_int_equal(cost(b, BYW_CLASS_INT, 1, 1, 0), 100 * i);
    assert_int_equal(cost(b, BYW_CLASS_INT, 2, 1, 0), 50 * i);
    assert_int_equal(cost(b, BYW_CLASS_DP, 1, 1, 0),
                     100 * (pipe + b->config.collect_dp + b->config.lat_dp));
}

/* Cycles of `warps` warps of 64 lanes, each with 100 independent integer instructions. */
static uint64_t waves(struct bench *b, uint32_t warps)
{
    struct byw_kernel k = kernel_of(1, 64 * warps);
    struct byw_gpu_result *r;
    uint64_t cycles;

    k.warp_size = b->config.sm_lanes = 64;
    begin(b, &k);
    for (uint32_t w = 0; w < warps; w++) {
        byw_cta_add_warp(&b->cta);
        add(b, BYW_CLASS_INT, 100, 0)->mask = UINT64_MAX;
    }
    assert_int_equal(byw_trace_cta(b->writer, &b->cta, NULL), BYW_OK);
    r = finish(b);
    cycles = r->cycles;
    assert_int_equal(r->thread_instructions, 6400 * warps);
    byw_gpu_result_free(r);
    return cycles;
}

static void a_wave_occupies_its_simd_for_four_cycles(void **state)
{
    struct bench *b = *state;
    uint64_t one;

    b->config.sm_schedulers = b->config.sp_units = 4;
    b->config.sm_own_units = 1;
    b->config.sm_simd = 16;
    b->config.sm_collectors = 64;
    b->config.sm_warps = 40;
    b->config.sm_threads = 2560;
    b->config.sm_registers = 65536;
    one = waves(b, 1);
    assert_in_range(one, 400, 410);
    assert_in_range(waves(b, 4), one, one + 4); /* one for each SIMD */
    assert_in_range(waves(b, 8), 800, 810);
    assert_in_range(waves(b, 40), 4000, 4050);
    b->config.collect_int = 0; /* collectors are not occupied */
    assert_in_range(waves(b, 40), 4000, 4050);
}

static void one_warp_alone_is_bound_by_fetch(void **state)
{
    struct bench *b = *state;

    assert_int_equal(cost(b, BYW_CLASS_INT, 0, 1, 0), 150); /* two instructions in three cycles */
    assert_int_equal(cost(b, BYW_CLASS_LOAD, 0, 1, 4), 150);
}

static void dependent_l1_hits_cost_six_cycles(void **state)
{
    assert_int_equal(cost(*state, BYW_CLASS_LOAD, 1, 1, 4), 600);
}

static void load_latency_is_added_to_each_load(void **state)
{
    struct bench *b = *state;

    b->config.load_extra = 1;
    assert_int_equal(cost(b, BYW_CLASS_LOAD, 1, 1, 4), 700);
    b->config.load_extra = 76;
    assert_int_equal(cost(b, BYW_CLASS_LOAD, 1, 1, 4), 8200); /* the value of Pascal */
    assert_int_equal(cost(b, BYW_CLASS_LOAD, 1, 1, 128), 3700 + 7600);
    b->config.load_extra = 255;
    assert_int_equal(cost(b, BYW_CLASS_LOAD, 1, 1, 4), 26100);
    assert_int_equal(cost(b, BYW_CLASS_LOAD, 0, 1, 4), 150); /* pipelined: neither access waits */
}

static void divergent_hits_cost_a_cycle_per_line_more(void **state)
{
    assert_int_equal(cost(*state, BYW_CLASS_LOAD, 1, 1, 128), 3700);
}

static void scratchpad_conflicts_cost_a_cycle_per_pass(void **state)
{
    struct bench *b = *state;
    uint64_t one = cost(b, BYW_CLASS_SHARED_LOAD, 1, 1, 4);

    assert_int_equal(one, 800);
    assert_int_equal(cost(b, BYW_CLASS_SHARED_LOAD, 1, 5, 4), one + 400);
}

static void skipping_changes_nothing(void **state)
{
    struct bench *b = *state;

    b->config.icache_on = 1;
    b->config.sm_group_warps = b->config.sm_warp_limit = 2;
    for (uint32_t i = 0; i <= BYW_SCHED_SWL; i++) {
        struct byw_gpu_result *skipped, *stepped;

        b->config.policy_mode = i % (BYW_MODE_DECOUPLED + 1);
        b->config.duel_on = b->config.policy_mode == BYW_MODE_DECOUPLED;
        b->config.sm_scheduler = i;
        b->config.sm_own_units = i % 2;
        b->config.sm_simd = 16;
        b->config.load_extra = 10 * i;
        b->options.every_cycle = false;
        skipped = mixed(b);
        b->options.every_cycle = true;
        stepped = mixed(b);
        assert_same(skipped, stepped);
        byw_gpu_result_free(skipped);
        byw_gpu_result_free(stepped);
    }
}

/* The line of a store that misses the L2 is still being fetched from DRAM when the last CTA
 * ends. */
static void a_launch_ends_with_its_last_cta(void **state)
{
    struct bench *b = *state;
    uint64_t skipped = chain(b, BYW_CLASS_STORE, 1, 0, 1, 4);

    b->options.every_cycle = true;
    assert_int_equal(skipped, chain(b, BYW_CLASS_STORE, 1, 0, 1, 4));
}

static void instructions_do_not_depend_on_timing(void **state)
{
    static const char *const knob[][2] = {{"l1d.mshrs", "2"},
                                          {"l1d.miss_queue", "1"},
                                          {"sm.scheduler", "lrr"},
                                          {"sm.collectors", "1"},
                                          {"l2.rop_latency", "0"},
                                          {"dram.scheduler", "fcfs"},
                                          {"sm.scheduler", "two_level"},
                                          {"sm.scheduler", "fetch_group"},
                                          {"sm.scheduler", "ccws"},
                                          {"sm.scheduler", "swl"},
                                          {"sm.simd_width", "8"},
                                          {"sm.own_units", "on"},
                                          {"l1d.sets", "1"},
                                          {"policy.mode", "bypass_all"},
                                          {"policy.mode", "decoupled"}};
    struct bench *b = *state;
    struct byw_gpu_result *base = mixed(b);

    for (size_t i = 0; i < sizeof(knob) / sizeof(knob[0]); i++) {
        struct byw_config config = b->config;
        struct byw_gpu_result *r;

        assert_int_equal(byw_config_set(&b->config, knob[i][0], knob[i][1], "test", NULL), BYW_OK);
        r = mixed(b);
        assert_int_equal(r->warp_instructions, base->warp_instructions);
        assert_int_equal(r->thread_instructions, base->thread_instructions);
        assert_int_equal(r->coalesced, base->coalesced);
        assert_int_equal(r->l1.ev[BYW_EV_LOAD] + r->l1.ev[BYW_EV_STORE] + r->l1.ev[BYW_EV_ATOMIC],
                         base->coalesced);
        byw_gpu_result_free(r);
        b->config = config;
    }
    byw_gpu_result_free(base);
}

static void a_kernel_that_does_not_fit_is_refused(void **state)
{
    struct bench *b = *state;
    struct byw_kernel k = kernel_of(1, 2048);
    struct byw_trace *trace;
    struct byw_gpu_result *result;
    struct byw_diag diag = {""};

    begin(b, &k);
    for (uint32_t w = 0; w < 64; w++) {
        byw_cta_add_warp(&b->cta);
        add(b, BYW_CLASS_EXIT, 1, 0);
    }
    assert_int_equal(byw_trace_cta(b->writer, &b->cta, NULL), BYW_OK);
    assert_int_equal(byw_trace_finish(b->writer, NULL), BYW_OK);
    assert_int_equal(byw_trace_open(b->path, &trace, &diag), BYW_OK);
    assert_int_equal(byw_gpu_run(&b->config, trace, &b->options, &result, &diag), BYW_EINVAL);
    assert_non_null(strstr(diag.text, "does not fit"));
    assert_null(result);
    byw_trace_close(trace);
}

static void a_trace_of_another_width_is_refused(void **state)
{
    struct bench *b = *state;
    struct byw_kernel k = kernel_of(1, 64);
    struct byw_trace *trace;
    struct byw_gpu_result *result;
    struct byw_diag diag = {""};

    k.warp_size = 64;
    begin(b, &k);
    byw_cta_add_warp(&b->cta);
    add(b, BYW_CLASS_EXIT, 1, 0);
    assert_int_equal(byw_trace_cta(b->writer, &b->cta, NULL), BYW_OK);
    assert_int_equal(byw_trace_finish(b->writer, NULL), BYW_OK);
    assert_int_equal(byw_trace_open(b->path, &trace, &diag), BYW_OK);
    assert_int_equal(byw_gpu_run(&b->config, trace, &b->options, &result, &diag), BYW_EINVAL);
    assert_non_null(strstr(diag.text, "warps of 64 lanes, but the machine's have 32"));
    assert_null(result);
    byw_trace_close(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(dependent_instructions_cost_their_latency, setup, teardown),
        cmocka_unit_test_setup_teardown(a_wave_occupies_its_simd_for_four_cycles, setup, teardown),
        cmocka_unit_test_setup_teardown(one_warp_alone_is_bound_by_fetch, setup, teardown),
        cmocka_unit_test_setup_teardown(dependent_l1_hits_cost_six_cycles, setup, teardown),
        cmocka_unit_test_setup_teardown(load_latency_is_added_to_each_load, setup, teardown),
        cmocka_unit_test_setup_teardown(divergent_hits_cost_a_cycle_per_line_more, setup, teardown),
        cmocka_unit_test_setup_teardown(scratchpad_conflicts_cost_a_cycle_per_pass, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(skipping_changes_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(a_launch_ends_with_its_last_cta, setup, teardown),
        cmocka_unit_test_setup_teardown(instructions_do_not_depend_on_timing, setup, teardown),
        cmocka_unit_test_setup_teardown(a_kernel_that_does_not_fit_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(a_trace_of_another_width_is_refused, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
