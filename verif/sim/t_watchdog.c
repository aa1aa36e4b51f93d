/* SPDX-License-Identifier: Apache-2.0
 *
 * t_watchdog.c - runs that end early: a hang is detected immediately and reported with its cause,
 * and a run that reaches a limit gives a partial result that still obeys the conservation laws.
 */
#include <sys/resource.h>

#include "sim/gpu_rig.h"

/* Two CTAs of two warps: warp 0 loads, stores, waits for its data and then at a barrier, where warp
 * 1 waits for it. */
static void two_ctas(struct bench *b)
{
    struct byw_kernel k = kernel_of(2, 64);

    begin(b, &k);
    for (uint32_t c = 0; c < 2; c++) {
        byw_cta_clear(&b->cta);
        b->cta.id[0] = c;
        byw_cta_add_warp(&b->cta);
        add(b, BYW_CLASS_INT, 1, 0);
        add(b, BYW_CLASS_LOAD, 1, 1)->pc = 0x48;
        add(b, BYW_CLASS_FP, 1, 0)->pc = 0x50;
        add(b, BYW_CLASS_BARRIER, 1, 0);
        add(b, BYW_CLASS_STORE, 1, 0);
        byw_cta_add_warp(&b->cta);
        add(b, BYW_CLASS_BARRIER, 1, 0);
        add(b, BYW_CLASS_EXIT, 1, 0);
        assert_int_equal(byw_trace_cta(b->writer, &b->cta, NULL), BYW_OK);
    }
    assert_int_equal(byw_trace_finish(b->writer, NULL), BYW_OK);
}

static double user_seconds(void)
{
    struct rusage u;

    getrusage(RUSAGE_SELF, &u);
    return (double)u.ru_utime.tv_sec + 1e-6 * (double)u.ru_utime.tv_usec;
}

/* Expects that the hang is detected within a second of processor time, with a message that contains
 * every phrase. */
static void hangs(struct bench *b, const char *const *phrase, size_t phrases)
{
    struct byw_trace *trace;
    struct byw_gpu_result *result;
    struct byw_diag diag = {""};
    double start = user_seconds();

    assert_int_equal(byw_trace_open(b->path, &trace, &diag), BYW_OK);
    assert_int_equal(byw_gpu_run(&b->config, trace, &b->options, &result, &diag), BYW_ESTUCK);
    assert_null(result);
    assert_true(user_seconds() - start < 1.0);
    for (size_t i = 0; i < phrases; i++) {
        if (strstr(diag.text, phrase[i]) == NULL)
            fail_msg("'%s' is not in '%s'", phrase[i], diag.text);
    }
    byw_trace_close(trace);
}

static void a_lost_reply_names_its_warp(void **state)
{
    static const char *const phrase[] = {
        "no progress at cycle",
        "SM 1: warp 0 of CTA (1,0,0) is at instruction 2 (pc 0x50, fp) waiting for its operands",
        "its oldest load (pc 0x48) was issued in cycle 4,",
        "was with the L1D from cycle 7 on, and 1 of its 1 transactions are not answered",
        "2 warps live, 1 of them at a barrier, 1 loads in flight",
        "the memory system is empty"};
    struct bench *b = *state;

    two_ctas(b);
    b->options.lose_reply = 2; /* the replies to the loads arrive first; SM 0's before SM 1's */
    hangs(b, phrase, sizeof(phrase) / sizeof(phrase[0]));
}

static void it_is_found_without_skipping_too(void **state)
{
    static const char *const phrase[] = {"SM 0: warp 2 of CTA (1,0,0) is at instruction 2",
                                         "2 loads in flight"} /* merged */;
    struct bench *b = *state;

    two_ctas(b);
    b->config.sm_count = 1;
    b->options.every_cycle = true;
    b->options.lose_reply = 1;
    hangs(b, phrase, sizeof(phrase) / sizeof(phrase[0]));
}

static void a_lost_acknowledgement_is_told_from_a_load(void **state)
{
    static const char *const phrase[] = {
        "warp 0 of CTA (0,0,0) has issued all its instructions, 1 store transactions not "
        "acknowledged"};
    struct bench *b = *state;

    two_ctas(b);
    b->options.lose_reply = 3;
    hangs(b, phrase, sizeof(phrase) / sizeof(phrase[0]));
}

/* An L1D that receives no answers. */
static void deaf_step(struct byw_l1d *l1d, const struct byw_l1d_in *in,
                      const struct byw_l1d_ctrl *ctrl, struct byw_l1d_out *out)
{
    struct byw_l1d_in heard = *in;

    heard.mem_rsp_valid = false;
    byw_l1d_model.step(l1d, &heard, ctrl, out);
    out->mem_rsp_ready = false;
}

static void deaf_machine(struct bench *b)
{
    static const char *const phrase[] = {"no progress at cycle",
                                         "warp 0 of CTA (",
                                         "the oldest of ",
                                         " requests below the L1s is a read of ",
                                         " bytes at 0x100",
                                         " in the reply crossbar's output, slice ",
                                         " cycles in ",
                                         ", after ",
                                         ", then the reply crossbar's input"};
    struct byw_l1d_ops ops = byw_l1d_model;

    ops.step = deaf_step;
    b->options.l1d = &ops;
    b->config.icache_on = 0;
    two_ctas(b);
    hangs(b, phrase, sizeof(phrase) / sizeof(phrase[0]));
}

static void a_request_below_is_named_with_its_way(void **state)
{
    for_each_machine(*state, deaf_machine);
}

static void the_trace_itself_ends(void **state)
{
    struct bench *b = *state;
    struct byw_trace *trace;
    struct byw_gpu_result *r;
    struct byw_diag diag = {""};

    two_ctas(b);
    b->options.lose_reply = 5; /* there are four */
    assert_int_equal(byw_trace_open(b->path, &trace, &diag), BYW_OK);
    assert_int_equal(byw_gpu_run(&b->config, trace, &b->options, &r, &diag), BYW_OK);
    assert_int_equal(r->warp_instructions, 14);
    assert_int_equal(r->mem.replies, 4);
    byw_gpu_result_free(r);
    byw_trace_close(trace);
}

static void slow_memory_is_not_taken_for_a_hang(void **state)
{
    struct bench *b = *state;
    struct byw_trace *trace;
    struct byw_gpu_result *r;
    struct byw_diag diag = {""};

    two_ctas(b);
    /* a read takes dozens of the memory's cycles, each 700 core cycles long */
    b->config.dram_mhz = 1;
    b->config.t_rcd = 1000;
    assert_int_equal(byw_trace_open(b->path, &trace, &diag), BYW_OK);
    assert_int_equal(byw_gpu_run(&b->config, trace, &b->options, &r, &diag), BYW_OK);
    assert_true(r->cycles > 700000);
    byw_gpu_result_free(r);
    byw_trace_close(trace);
}

static void a_limit_of_instructions_leaves_a_partial_result(void **state)
{
    struct bench *b = *state;
    struct byw_gpu_result *whole = mixed(b), *part;

    b->options.max_instructions = whole->warp_instructions / 4;
    part = mixed(b);
    assert_true(part->partial);
    assert_true(part->warp_instructions >= b->options.max_instructions);
    assert_true(part->cycles < whole->cycles);
    byw_gpu_result_free(part);
    byw_gpu_result_free(whole);
}

static void a_choice_without_a_launch_is_refused(void **state)
{
    static const struct byw_launch_range none[] = {{3, 9}};
    struct bench *b = *state;
    struct byw_trace *trace;
    struct byw_gpu_result *r;
    struct byw_diag diag = {""};

    two_ctas(b);
    b->options.launches = none;
    b->options.launch_ranges = 1;
    assert_int_equal(byw_trace_open(b->path, &trace, &diag), BYW_OK);
    assert_int_equal(byw_gpu_run(&b->config, trace, &b->options, &r, &diag), BYW_EINVAL);
    assert_non_null(strstr(diag.text, "none of the chosen launches"));
    byw_trace_close(trace);
}

static void chosen_launches_run_alone(void **state)
{
    static const struct byw_launch_range second[] = {{1, 1}}, both[] = {{0, 0}, {1, 7}};
    struct bench *b = *state;
    struct byw_gpu_result *whole = mixed(b), *r;

    b->options.launches = both;
    b->options.launch_ranges = 2;
    r = mixed(b);
    assert_same(r, whole);
    byw_gpu_result_free(r);

    b->options.launches = second;
    b->options.launch_ranges = 1;
    r = mixed(b);
    assert_int_equal(r->kernel_count, 1);
    assert_int_equal(r->kernel[0].launch, 1);
    assert_int_equal(r->warp_instructions, whole->kernel[1].warp_instructions);
    assert_int_equal(r->warp_instructions, r->kernel[0].warp_instructions);
    assert_int_equal(r->cycles, r->kernel[0].cycles);
    assert_false(r->partial);
    byw_gpu_result_free(r);
    byw_gpu_result_free(whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_lost_reply_names_its_warp, setup, teardown),
        cmocka_unit_test_setup_teardown(it_is_found_without_skipping_too, setup, teardown),
        cmocka_unit_test_setup_teardown(a_lost_acknowledgement_is_told_from_a_load, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_request_below_is_named_with_its_way, setup, teardown),
        cmocka_unit_test_setup_teardown(the_trace_itself_ends, setup, teardown),
        cmocka_unit_test_setup_teardown(slow_memory_is_not_taken_for_a_hang, setup, teardown),
        cmocka_unit_test_setup_teardown(a_limit_of_instructions_leaves_a_partial_result, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_choice_without_a_launch_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(chosen_launches_run_alone, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
