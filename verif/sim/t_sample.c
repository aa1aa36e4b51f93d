/* SPDX-License-Identifier: Apache-2.0
 *
 * t_sample.c - runs that simulate a part of their trace: which CTAs and launches are chosen, and
 * how accurate the estimates are.
 */
#include <math.h>

#include "sim/gpu/byw_sample.h"
#include "sim/gpu_rig.h"

/* The events before CTA number `cta` starts (skipped CTAs count). */
struct event {
    uint64_t cta;
    struct byw_sample_step step;
};

/* Walks a launch and records every step at which something happens; returns the number of steps.
 * Nothing happens after the last step. */
static size_t walk(uint64_t ctas, uint64_t wave, uint64_t period, struct event event[16])
{
    struct byw_sample_waves w;
    size_t n = 0;

    byw_sample_waves_begin(&w, ctas, wave, period);
    for (uint64_t cta = 0; cta < ctas; cta++) {
        bool over = byw_sample_waves_over(&w);
        struct byw_sample_step s = byw_sample_waves_step(&w);

        if (s.ends || s.begins || s.warms || s.pass != 0) {
            assert_false(over);
            event[n++] = (struct event){cta, s};
        }
        cta += s.pass;
        assert_true(cta < ctas && n < 16);
    }
    assert_true(byw_sample_waves_over(&w));
    return n;
}

/* Waves of 10 CTAs, three periods of five: two waves at the start; of each period two are skipped,
 * two warm up, one is measured; the last wave and the remainder are simulated. */
static void waves_are_skipped_warmed_up_and_measured(void **state)
{
    static const struct event want[] = {
        {20, {.pass = 20}},
        {50, {.warms = true}},
        {60, {.begins = true}},
        {70, {.ends = true, .pass = 20}},
        {100, {.warms = true}},
        {110, {.begins = true}},
        {120, {.ends = true, .pass = 20}},
        {150, {.warms = true}},
        {160, {.begins = true}},
        {170, {.ends = true}},
    };
    struct event got[16];

    (void)state;
    assert_int_equal(walk(187, 10, 5, got), 10);
    for (size_t i = 0; i < 10; i++) {
        assert_int_equal(got[i].cta, want[i].cta);
        assert_int_equal(got[i].step.pass, want[i].step.pass);
        assert_int_equal(got[i].step.warms, want[i].step.warms);
        assert_int_equal(got[i].step.begins, want[i].step.begins);
        assert_int_equal(got[i].step.ends, want[i].step.ends);
    }
}

/* Three measurements must fit: 2 + 3 x 4 + 1 waves are the minimum. A period that is too long is
 * shortened until three fit; a shorter one is lengthened to cover the remainder. */
static void short_launches_are_not_divided(void **state)
{
    struct event got[16];

    (void)state;
    assert_int_equal(walk(149, 10, 5, got), 0);
    assert_int_equal(walk(150, 10, 5, got), 10);
    assert_int_equal(got[0].step.pass, 10); /* a period of four waves */
    assert_int_equal(walk(600, 10, 1000, got), 10);
    assert_int_equal(got[0].step.pass, 160); /* (60 - 3) / 3 = 19 waves */
    assert_int_equal(walk(650, 10, 16, got), 10);
    assert_int_equal(got[0].step.pass, 170); /* 62 waves in three periods of 20, not of 16 */
    assert_int_equal(walk(600, 10, 0, got), 0);
    assert_int_equal(walk(600, 0, 5, got), 0);
}

/* The first four launches of a kind; then the last two of every six, of which the second counts. */
static void later_launches_of_a_kind_are_sampled(void **state)
{
    static const char want[] = "WMMM"
                               "LLLLWM"
                               "LLLLWM"
                               "LL";

    (void)state;
    for (uint64_t i = 0; want[i] != '\0'; i++)
        assert_int_equal("MWL"[byw_sample_launch(i, 6)], want[i]);
    for (uint64_t i = 1; i < 20; i++)
        assert_int_equal(byw_sample_launch(i, 0), BYW_SAMPLE_MEASURE);
}

/* 10, 12, 11, 13: differences 2, -1, 2; variance 9 / 6; standard error sqrt(1.5 / 4); t of three
 * degrees of freedom 3.182. Warm-ups that are 1 above widen the bar by 1. */
static void error_bar_is_that_of_students_t(void **state)
{
    static const double value[] = {10, 12, 11, 13};
    struct byw_sample_series plain = {.count = 0}, warm = {.count = 0};

    (void)state;
    assert_true(isinf(byw_sample_bar(&plain)));
    for (size_t i = 0; i < 4; i++) {
        byw_sample_add(&plain, value[i], value[i]);
        byw_sample_add(&warm, value[i], value[i] + 1);
        assert_true(i > 0 || isinf(byw_sample_bar(&plain)));
    }
    /* The regression line through 10, 12, 11, 13 rises by 0.8 per step, 2.4 in all. */
    assert_true(fabs(byw_sample_bar(&plain) - 3.182 * sqrt(1.5 / 4) - 1.2) < 1e-9);
    assert_true(fabs(byw_sample_bar(&warm) - 3.182 * sqrt(1.5 / 4) - 1 - 1.2) < 1e-9);
}

/* --- whole runs ---------------------------------------------------------------------------------
 */

/* A CTA of two warps: reads of its own lines, some of them twice, computing between them. */
static void put_cta(struct bench *b, struct byw_rng *rng, uint32_t number)
{
    byw_cta_clear(&b->cta);
    b->cta.id[0] = number;
    for (uint32_t w = 0; w < 2; w++) {
        byw_cta_add_warp(&b->cta);
        for (uint32_t i = 0; i < 12; i++) {
            add(b, BYW_CLASS_LOAD, 1, 1)->base =
                0x100000 + 128 * (16 * (uint64_t)(2 * number + w) + byw_rng_below(rng, 16));
            add(b, BYW_CLASS_INT, 1 + byw_rng_below(rng, 8), 1);
        }
        add(b, BYW_CLASS_EXIT, 1, 0);
    }
    assert_int_equal(byw_trace_cta(b->writer, &b->cta, NULL), BYW_OK);
}

static struct byw_gpu_result *launches(struct bench *b, uint32_t count, uint32_t ctas)
{
    struct byw_rng rng;

    byw_rng_init(&rng, 11);
    assert_int_equal(byw_trace_create(b->path, 0, &b->writer, NULL), BYW_OK);
    for (uint32_t l = 0; l < count; l++) {
        struct byw_kernel k = kernel_of(ctas, 64);

        k.launch = l;
        assert_int_equal(byw_trace_kernel(b->writer, &k, NULL), BYW_OK);
        for (uint32_t c = 0; c < ctas; c++)
            put_cta(b, &rng, c);
    }
    return finish(b);
}

static void assert_near(uint64_t got, uint64_t want, double share)
{
    if (fabs((double)got / (double)want - 1) > share)
        fail_msg("%llu is not within %g of %llu", (unsigned long long)got, share,
                 (unsigned long long)want);
}

static void assert_estimates(const struct byw_gpu_result *got, const struct byw_gpu_result *want)
{
    assert_true(fabs((double)got->cycles - (double)want->cycles) <= got->sampled.cycles_bar);
    assert_near(got->cycles, want->cycles, 0.02);
    assert_near(got->warp_instructions, want->warp_instructions, 0.02);
    assert_near(got->l1.ev[BYW_EV_LOAD], want->l1.ev[BYW_EV_LOAD], 0.02);
    assert_near(got->l1.ev[BYW_EV_MISS], want->l1.ev[BYW_EV_MISS], 0.03);
    assert_near(got->mem.l2.reads, want->mem.l2.reads, 0.03);
    assert_near(got->core_stall[0] + 1, want->core_stall[0] + 1, 0.1);
}

/* One launch of 200 waves: a third is simulated, and the estimate of the whole is right. */
static void waves_of_a_launch(void **state)
{
    struct bench *b = *state;
    struct byw_gpu_result *whole, *part;
    uint32_t wave;

    b->config.sm_count = 2;
    b->config.sm_ctas = 4;
    wave = 8;
    whole = launches(b, 1, 200 * wave);
    assert_int_equal(whole->sampled.period, 0);
    b->config.sample_period = 10;
    part = launches(b, 1, 200 * wave);
    assert_int_equal(part->sampled.period, 10);
    assert_int_equal(part->sampled.launches, 1);
    assert_int_equal(part->sampled.launches_left_out, 0);
    assert_int_equal(part->sampled.ctas, 200 * wave);
    assert_int_equal(part->sampled.ctas_left_out, 19 * 7 * wave); /* (200 - 3) / 10 periods of 7 */
    assert_true(part->sampled.cycles_simulated < (double)whole->cycles * 0.36);
    assert_estimates(part, whole);
    byw_gpu_result_free(whole);
    byw_gpu_result_free(part);
}

/* Sixty launches of one kind, too short to be divided: 4, then 2 of every 8. */
static void repeated_launches_are_estimated(void **state)
{
    struct bench *b = *state;
    struct byw_gpu_result *whole, *part;

    b->config.sm_count = 2;
    whole = launches(b, 60, 24);
    b->config.sample_period = 8;
    part = launches(b, 60, 24);
    assert_int_equal(part->sampled.launches, 60);
    assert_int_equal(part->sampled.launches_left_out, 7 * 6);
    assert_int_equal(part->sampled.ctas_left_out, 7 * 6 * 24);
    assert_int_equal(part->kernel_count, 18);
    assert_estimates(part, whole);
    byw_gpu_result_free(whole);
    byw_gpu_result_free(part);
}

/* Nothing can be skipped: every figure equals the plain run's, and the error bar is zero. */
static void a_sample_that_leaves_nothing_out_is_exact(void **state)
{
    struct bench *b = *state;
    struct byw_gpu_result *whole = mixed(b), *part;

    b->config.sample_period = 16;
    part = mixed(b);
    assert_int_equal(part->cycles, whole->cycles);
    assert_int_equal(part->sampled.cycles_simulated, whole->cycles);
    assert_true(part->sampled.cycles_bar == 0);
    assert_memory_equal(&part->l1, &whole->l1, sizeof(whole->l1));
    assert_memory_equal(&part->mem, &whole->mem, sizeof(whole->mem));
    assert_memory_equal(part->core_stall, whole->core_stall, sizeof(whole->core_stall));
    byw_gpu_result_free(whole);
    byw_gpu_result_free(part);
}

/* Stopped early: the simulated part is reported, marked as partial. */
static void a_stopped_sample_is_partial(void **state)
{
    struct bench *b = *state;
    struct byw_gpu_result *r;

    b->config.sm_count = 2;
    b->config.sm_ctas = 4;
    b->config.sample_period = 10;
    b->options.max_cycles = 2000;
    r = launches(b, 1, 1600);
    assert_true(r->partial);
    assert_true(r->sampled.cycles_simulated == 2000);
    assert_true(r->cycles >= 2000);
    byw_gpu_result_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waves_are_skipped_warmed_up_and_measured),
        cmocka_unit_test(short_launches_are_not_divided),
        cmocka_unit_test(later_launches_of_a_kind_are_sampled),
        cmocka_unit_test(error_bar_is_that_of_students_t),
        cmocka_unit_test_setup_teardown(waves_of_a_launch, setup, teardown),
        cmocka_unit_test_setup_teardown(repeated_launches_are_estimated, setup, teardown),
        cmocka_unit_test_setup_teardown(a_sample_that_leaves_nothing_out_is_exact, setup, teardown),
        cmocka_unit_test_setup_teardown(a_stopped_sample_is_partial, setup, teardown),
    };

    return cmocka_run_group_tests_name("sample", tests, NULL, NULL);
}
