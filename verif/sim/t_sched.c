/* SPDX-License-Identifier: Apache-2.0
 *
 * t_sched.c - the schedulers that limit which warps run: two-level, fetch groups, statically
 * limited warps, CCWS; each alone, and on a workload whose warps together do not fit in the L1D.
 */
#include "sim/gpu_rig.h"
#include "sim/sm/byw_ccws.h"
#include "sim/sm/byw_sched.h"

/* Warps in slots 0 .. 7, youngest in slot 0; two schedulers, so that 0 owns 0, 2, 4, 6. */
static void place_eight(struct byw_sched *sched, struct byw_warps *warps, struct bench *b,
                        uint32_t kind)
{
    struct byw_warp_trace t = {.first = 0, .count = 1};

    byw_warps_init(warps, 0);
    byw_cta_add_warp(&b->cta);
    add(b, BYW_CLASS_INT, 100, 0);
    for (uint32_t w = 8; w-- > 0;)
        byw_warps_place(warps, w, &b->cta, &t, 0);
    b->config.sm_scheduler = kind;
    b->config.sm_group_warps = 2;
    b->config.sm_warp_limit = 2;
    byw_throttle_release(&b->throttle);
    assert_int_equal(byw_throttle_init(&b->throttle, &b->config), BYW_OK);
    byw_sched_init(sched, &b->config, &b->throttle);
}

static void a_fetch_group_runs_until_all_of_it_waits(void **state)
{
    static struct byw_warps warps;
    struct byw_sched sched;

    place_eight(&sched, &warps, *state, BYW_SCHED_FETCH_GROUP);
    assert_int_equal(byw_sched_pick(&sched, 0, 0x55, &warps), 0); /* the group of warps 0 and 2 */
    assert_int_equal(byw_sched_pick(&sched, 0, 0x55, &warps), 2);
    assert_int_equal(byw_sched_pick(&sched, 0, 0x55, &warps), 0);
    warps.on_load |= 1;
    assert_int_equal(byw_sched_pick(&sched, 0, 0x54, &warps), 2);
    assert_int_equal(byw_sched_pick(&sched, 0, 0x50, &warps),
                     BYW_WARP_SLOTS); /* 2 continues soon */
    warps.barrier |= 4;
    assert_int_equal(byw_sched_pick(&sched, 0, 0x50, &warps), 4); /* the group of warps 4 and 6 */
    warps.on_load = warps.barrier = 0;
    assert_int_equal(byw_sched_pick(&sched, 0, 0x55, &warps), 6); /* the group keeps its turn */
    warps.on_load = 0x50;
    assert_int_equal(byw_sched_pick(&sched, 0, 0x05, &warps), 0); /* wraps around to the first */
    /* the other group has its own turn */
    assert_int_equal(byw_sched_pick(&sched, 1, 0x5a, &warps), 1);
}

static void waiting_warps_give_up_their_active_places(void **state)
{
    static struct byw_warps warps;
    struct byw_sched sched;

    place_eight(&sched, &warps, *state, BYW_SCHED_TWO_LEVEL);
    sched.active_max = 2;
    assert_int_equal(byw_sched_pick(&sched, 0, 0x55, &warps), 0); /* 0 and 2 are active */
    assert_int_equal(byw_sched_pick(&sched, 0, 0x51, &warps), 0); /* 2 continues soon */
    warps.on_load = 1;
    assert_int_equal(byw_sched_pick(&sched, 0, 0x50, &warps), 4); /* promoted for 0 */
    warps.barrier = 4;
    assert_int_equal(byw_sched_pick(&sched, 0, 0x40, &warps), 6); /* promoted for 2 */
    warps.on_load = warps.barrier = 0;
    assert_int_equal(byw_sched_pick(&sched, 0, 0x05, &warps), BYW_WARP_SLOTS); /* no place free */
}

static void limited_warps_are_the_oldest_outside_barriers(void **state)
{
    static struct byw_warps warps;
    struct byw_sched sched;

    place_eight(&sched, &warps, *state, BYW_SCHED_SWL);
    assert_int_equal(byw_sched_pick(&sched, 0, 0x55, &warps), 6);
    assert_int_equal(byw_sched_pick(&sched, 0, 0x15, &warps), 4);
    assert_int_equal(byw_sched_pick(&sched, 0, 0x05, &warps),
                     BYW_WARP_SLOTS); /* warp 2 is not among the limited warps */
    warps.on_load = 0x50;
    assert_int_equal(byw_sched_pick(&sched, 0, 0x05, &warps), BYW_WARP_SLOTS);
    warps.barrier = 0x40;
    assert_int_equal(byw_sched_pick(&sched, 0, 0x05, &warps), 2);
    warps.ended = 0x10;
    assert_int_equal(byw_sched_pick(&sched, 0, 0x01, &warps), 0);
}

/* A throttle's row number is the value of sm.scheduler that names it. */
static void throttles_have_the_names_of_their_choices(void **state)
{
    struct bench *b = *state;
    uint32_t found = 0;

    for (uint32_t kind = 0; kind < 6; kind++) {
        const struct byw_throttle_ops *ops = byw_throttle_ops(kind);
        char name[BYW_CONFIG_TEXT];

        b->config.sm_scheduler = kind;
        byw_config_text(&b->config, byw_param_named("sm.scheduler"), name, sizeof(name));
        if (ops != NULL)
            assert_string_equal(ops->name, name);
        found += ops != NULL;
    }
    assert_int_equal(found, 2);
    assert_null(byw_throttle_ops(6));
}

static struct byw_ccws make_ccws(struct bench *b)
{
    struct byw_ccws c;

    b->config.sm_scheduler = BYW_SCHED_CCWS;
    b->config.l1d_sets = 1;
    b->config.l1d_ways = 2;
    b->config.ccws_victims = 2;
    assert_int_equal(byw_ccws_init(&c, &b->config), BYW_OK);
    return c;
}

static void lost_locality_raises_the_score_and_time_lowers_it(void **state)
{
    struct byw_ccws c = make_ccws(*state);

    for (uint64_t line = 1; line <= 3; line++)
        byw_ccws_load(&c, 0, line, 0, 79, 4); /* 3 evicts 1 */
    assert_int_equal(c.hits, 0);
    byw_ccws_load(&c, 1, 1, 10, 79, 4); /* lost by warp 0, not by warp 1; evicts 2 */
    assert_int_equal(c.hits, 0);
    assert_true(byw_ccws_permitted(&c, 0xf, 10) == 0xf);
    byw_ccws_load(&c, 0, 2, 20, 15, 4);
    assert_int_equal(c.hits, 1);
    /* 1 hit / 16 instructions * 8 * 100 * 4 warps */
    assert_int_equal(byw_ccws_score(&c, 0, 20), 200);
    assert_int_equal(byw_ccws_score(&c, 0, 21), 199);
    assert_int_equal(byw_ccws_score(&c, 0, 119), 101);
    assert_int_equal(byw_ccws_score(&c, 0, 120), 100);
    assert_int_equal(byw_ccws_score(&c, 0, 500), 100);
    assert_int_equal(byw_ccws_score(&c, 1, 20), 100);
    /* scores 200 + 100 + 100 reach the cutoff of 400 */
    assert_true(byw_ccws_permitted(&c, 0xf, 20) == 0x7);
    assert_true(byw_ccws_permitted(&c, 0xf, 119) == 0x7);
    assert_true(byw_ccws_permitted(&c, 0xf, 120) == 0xf);
    byw_ccws_release(&c);
}

static void one_warp_may_always_go_on(void **state)
{
    struct byw_ccws c = make_ccws(*state);

    for (uint64_t line = 1; line <= 3; line++)
        byw_ccws_load(&c, 5, line, 0, 0, 8);
    byw_ccws_load(&c, 5, 1, 0, 0, 8);
    assert_int_equal(byw_ccws_score(&c, 5, 0), 6400); /* far beyond the cutoff of 800 */
    assert_true(byw_ccws_permitted(&c, 0xff, 0) == 0x20);
    assert_true(byw_ccws_permitted(&c, 0xdf, 0) == 0xdf); /* warp 5 has ended; the other scores are
                                                             equal */
    byw_ccws_place(&c, 5); /* another warp takes its slot */
    assert_int_equal(byw_ccws_score(&c, 5, 0), 100);
    byw_ccws_release(&c);
}

static void victims_are_forgotten_oldest_first(void **state)
{
    struct byw_ccws c = make_ccws(*state);

    for (uint64_t line = 1; line <= 5; line++)
        byw_ccws_load(&c, 0, line, 0, 0, 8); /* 1, 2 and 3 are lost; there is room for two */
    byw_ccws_load(&c, 0, 1, 0, 0, 8); /* too old; now 4 replaces 2 */
    assert_int_equal(c.hits, 0);
    byw_ccws_load(&c, 0, 3, 0, 0, 8);
    assert_int_equal(c.hits, 1);
    byw_ccws_clear(&c);
    byw_ccws_load(&c, 0, 1, 0, 0, 8); /* an empty cache evicts nothing, so there are no victims */
    assert_int_equal(c.hits, 1);
    byw_ccws_release(&c);
}

/* 24 warps; each loops over 8 private lines: 192 lines for a cache of 128. */
static double hit_rate(struct bench *b, uint32_t kind)
{
    struct byw_kernel k = kernel_of(3, 32 * 8);
    struct byw_gpu_result *r;
    double rate;

    b->config.sm_scheduler = kind;
    b->config.sm_count = 1;
    assert_int_equal(byw_trace_create(b->path, 0, &b->writer, NULL), BYW_OK);
    assert_int_equal(byw_trace_kernel(b->writer, &k, NULL), BYW_OK);
    for (uint32_t c = 0; c < 3; c++) {
        byw_cta_clear(&b->cta);
        b->cta.id[0] = c;
        for (uint32_t w = 0; w < 8; w++) {
            byw_cta_add_warp(&b->cta);
            for (uint32_t i = 0; i < 320; i++)
                add(b, BYW_CLASS_LOAD, 1, 1)->base = 128 * ((c * 8 + w) * 8 + i % 8);
            add(b, BYW_CLASS_EXIT, 1, 0);
        }
        assert_int_equal(byw_trace_cta(b->writer, &b->cta, NULL), BYW_OK);
    }
    r = finish(b);
    assert_int_equal(r->warp_instructions, 24 * 321);
    rate = (double)r->l1.ev[BYW_EV_HIT] / (double)r->l1.ev[BYW_EV_LOAD];
    byw_gpu_result_free(r);
    return rate;
}

static void throttling_saves_a_working_set_that_does_not_fit(void **state)
{
    struct bench *b = *state;
    double lrr = hit_rate(b, BYW_SCHED_LRR), ccws = hit_rate(b, BYW_SCHED_CCWS), swl;

    b->config.sm_warp_limit = 6; /* 2 schedulers x 6 warps x 8 lines fit */
    swl = hit_rate(b, BYW_SCHED_SWL);
    assert_true(lrr < 0.2);
    assert_true(ccws > 2 * lrr && ccws > 0.3);
    assert_true(swl > 0.9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_fetch_group_runs_until_all_of_it_waits, setup, teardown),
        cmocka_unit_test_setup_teardown(waiting_warps_give_up_their_active_places, setup, teardown),
        cmocka_unit_test_setup_teardown(limited_warps_are_the_oldest_outside_barriers, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(throttles_have_the_names_of_their_choices, setup, teardown),
        cmocka_unit_test_setup_teardown(lost_locality_raises_the_score_and_time_lowers_it, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(one_warp_may_always_go_on, setup, teardown),
        cmocka_unit_test_setup_teardown(victims_are_forgotten_oldest_first, setup, teardown),
        cmocka_unit_test_setup_teardown(throttling_saves_a_working_set_that_does_not_fit, setup,
                                        teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
