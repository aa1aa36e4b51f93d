/* SPDX-License-Identifier: Apache-2.0
 *
 * t_warp_timing.c - what decides which warps may issue: fetch, residence, schedulers' sets, CCWS
 * and launches, each at its bound and one beyond, for several values of each key.
 */
#include "sim/sm/byw_ccws.h"
#include "sim/sm_rig.h"
#include "sim/timing_keys.h"

/* --- fetch -------------------------------------------------------------------------------- */

/* This many instructions issue back to back; then the next fetch takes a cycle more. */
static void instruction_buffer_holds(void **state)
{
    for (uint32_t n = 1; n <= 8; n++) {
        struct rig rig;
        struct byw_config *c = rig_config(&rig);

        *timing_key(state, c) = n;
        rig_start(&rig);
        warp(&rig);
        add(&rig.bench, BYW_CLASS_INT, 30, 0);
        place(&rig);
        for (uint32_t i = 0; i < 30; i++)
            expect_issues(&rig, SM_FIRST_ISSUE + i / n * (n + 1) + i % n, 1);
        rig_end(&rig);
    }
}

static void one_warp_is_fetched_per_cycle(void **state)
{
    struct rig rig;

    (void)state;
    rig_config(&rig)->sm_schedulers = 8;
    rig_start(&rig);
    for (uint32_t w = 0; w < 8; w++) {
        warp(&rig);
        add(&rig.bench, BYW_CLASS_INT, 1, 0);
    }
    place(&rig);
    for (uint32_t w = 0; w < 8; w++)
        expect_issues(&rig, SM_FIRST_ISSUE + w, 1);
    rig_end(&rig);
}

static uint64_t lines_asked_for(struct rig *rig)
{
    struct byw_sm_counters counters;

    step(rig);
    byw_sm_counters(rig->sm, &counters);
    return counters.icache_misses;
}

/* A third line is requested when one of two has arrived and its warp has been fetched. */
static void instruction_lines_outstanding(void **state)
{
    struct rig rig;

    (void)state;
    rig_config(&rig)->icache_on = 1;
    rig_start(&rig);
    for (uint32_t w = 0; w < BYW_ICACHE_PENDING + 1; w++) {
        warp(&rig);
        add(&rig.bench, BYW_CLASS_INT, 1, 0)->pc = w * 4096;
    }
    place(&rig);
    for (uint32_t w = 0; w < BYW_ICACHE_PENDING; w++)
        assert_int_equal(lines_asked_for(&rig), w + 1);
    while (rig.now < 50)
        assert_int_equal(lines_asked_for(&rig), BYW_ICACHE_PENDING);
    byw_fetch_fill(&rig.sm->fetch, 0);
    assert_int_equal(lines_asked_for(&rig), BYW_ICACHE_PENDING);
    assert_int_equal(lines_asked_for(&rig), BYW_ICACHE_PENDING + 1);
    rig_end(&rig);
}

/* A warp's second fetch is for an instruction on another line, so that line is requested. With
 * icache.behind_last nothing is requested: the address after the first two instructions is on the
 * first line. */
static void a_fetch_follows_the_last_instruction(void **state)
{
    for (uint32_t on = 0; on <= 1; on++) {
        struct rig rig;
        struct byw_config *c = rig_config(&rig);

        c->icache_on = 1;
        c->sm_fetch_insts = 2;
        *timing_key(state, c) = on;
        rig_start(&rig);
        warp(&rig);
        add(&rig.bench, BYW_CLASS_INT, 2, 0)->pc = 0;
        add(&rig.bench, BYW_CLASS_INT, 1, 0)->pc = 4096;
        place(&rig);
        while (rig.now < 500)
            (void)lines_asked_for(&rig);
        assert_int_equal(lines_asked_for(&rig), on ? 1 : 2);
        rig_end(&rig);
    }
}

/* The warp whose only instruction issues next. */
static uint32_t next_warp(struct rig *rig)
{
    uint64_t ended = rig->sm->warps.ended;

    next_issue(rig);
    return (uint32_t)__builtin_ctzll(rig->sm->warps.ended & ~ended);
}

/* Four warps need one line, for which the fetches of n wait. The others request in turn, one per
 * cycle, until the line arrives. It serves the waiting fetches; then the turn resumes at its old
 * position. */
static void a_line_holds_fetches(void **state)
{
    enum { WARPS = 4, THERE = 20 };

    for (uint32_t n = 0; n <= WARPS; n++) {
        uint32_t others = WARPS - n;
        struct rig rig;
        struct byw_config *c = rig_config(&rig);

        c->icache_on = 1;
        *timing_key(state, c) = n;
        rig_start(&rig);
        for (uint32_t w = 0; w < WARPS; w++) {
            warp(&rig);
            add(&rig.bench, BYW_CLASS_INT, 1, 0);
        }
        place(&rig);
        byw_sm_stay_awake(rig.sm); /* it must not be woken by a reply */
        while (rig.now < THERE)
            step(&rig);
        byw_fetch_fill(&rig.sm->fetch, BYW_ICACHE_PENDING - 1); /* where the first fetch waits */
        for (uint32_t i = 0; i < WARPS; i++) {
            uint32_t turn = n == 0 || i < n ? i : n + (THERE + i - 2 * n) % others;

            assert_int_equal(next_warp(&rig), (turn + 1) % WARPS); /* warp 1 is the first */
            assert_int_equal(rig.now - 1, THERE + SM_FIRST_ISSUE + i);
        }
        rig_end(&rig);
    }
}

/* --- residence ---------------------------------------------------------------------------- */

/* CTAs of two warps that each need this amount of the key's resource: with one unit less, one CTA
 * fewer fits. The space is free again in the cycle in which a CTA ends. */
static void residence_is_bounded(void **state)
{
    static const struct {
        size_t offset;
        uint32_t need;
    } resource[] = {{offsetof(struct byw_config, sm_ctas), 1},
                    {offsetof(struct byw_config, sm_warps), 2},
                    {offsetof(struct byw_config, sm_threads), 64},
                    {offsetof(struct byw_config, sm_registers), 64 * 20},
                    {offsetof(struct byw_config, sm_shared_bytes), 1000}};
    const struct byw_kernel kernel = {.block = {64, 1, 1},
                                      .grid = {1, 1, 1},
                                      .warp_size = 32,
                                      .registers = 19, /* allocated in units of four */
                                      .shared_bytes = 1000};

    for (uint32_t ctas = 2; ctas <= 8; ctas += 3) {
        struct rig rig;
        struct byw_config *c = rig_config(&rig);
        uint32_t need = 0;

        for (size_t i = 0; i < sizeof(resource) / sizeof(resource[0]); i++) {
            if (((const struct timing_key *)*state)->offset == resource[i].offset)
                need = resource[i].need;
        }
        *timing_key(state, c) = ctas * need - 1;
        assert_int_equal(byw_sm_occupancy(c, &kernel), ctas - 1);
        *timing_key(state, c) = ctas * need;
        assert_int_equal(byw_sm_occupancy(c, &kernel), ctas);
        rig_start(&rig);
        rig.kernel = kernel;
        byw_sm_launch(rig.sm, &kernel, 0);
        for (uint32_t i = 0; i < ctas; i++) {
            assert_true(byw_sm_has_room(rig.sm));
            for (uint32_t w = 0; w < 2; w++) {
                warp(&rig);
                add(&rig.bench, BYW_CLASS_INT, 1 + 30 * i, 0);
            }
            place(&rig);
        }
        assert_false(byw_sm_has_room(rig.sm));
        while (!byw_sm_has_room(rig.sm)) {
            assert_int_equal(byw_sm_ctas(rig.sm), ctas);
            step(&rig);
        }
        assert_int_equal(byw_sm_ctas(rig.sm), ctas - 1);
        rig_end(&rig);
    }
}

/* A kernel that needs more gets the limit (and spills). */
static void thread_registers_are_bounded(void **state)
{
    struct rig rig;
    struct byw_config *c = rig_config(&rig);
    struct byw_kernel kernel = {.block = {64, 1, 1}, .grid = {1, 1, 1}, .warp_size = 32};

    c->sm_registers = 64 * 40 * 6;
    *timing_key(state, c) = 40;
    for (kernel.registers = 36; kernel.registers <= 60; kernel.registers += 4)
        assert_int_equal(byw_sm_occupancy(c, &kernel), 6);
    *timing_key(state, c) = 41; /* allocated in units of four */
    assert_int_equal(byw_sm_occupancy(c, &kernel), 5);
}

/* --- warps that may issue ----------------------------------------------------------------- */

/* The set of warps that the scheduler picks, over many cycles, out of eight warps of one
 * scheduler. */
struct eight {
    struct byw_warps warps;
    struct byw_sched sched;
    struct byw_throttle throttle;
};

static struct eight *eight_warps(struct bench *b, uint32_t kind)
{
    struct eight *e = calloc(1, sizeof(*e));
    struct byw_warp_trace trace = {.first = 0, .count = 1};

    assert_non_null(e);
    b->config.sm_schedulers = 1;
    b->config.sm_scheduler = kind;
    byw_cta_init(&b->cta);
    byw_cta_add_warp(&b->cta);
    add(b, BYW_CLASS_INT, 100, 0);
    byw_warps_init(&e->warps, 0);
    for (uint32_t w = 0; w < 8; w++)
        byw_warps_place(&e->warps, w, &b->cta, &trace, 0);
    assert_int_equal(byw_throttle_init(&e->throttle, &b->config), BYW_OK);
    byw_sched_init(&e->sched, &b->config, &e->throttle);
    return e;
}

static uint64_t picked(struct eight *e)
{
    uint64_t set = 0;

    for (uint32_t i = 0; i < 64; i++) {
        uint64_t going = 0xff & ~e->warps.on_load & ~e->warps.barrier & ~set;
        uint32_t w = byw_sched_pick(&e->sched, 0, going, &e->warps);

        if (w < BYW_WARP_SLOTS)
            set |= UINT64_C(1) << w;
    }
    return set;
}

/* Exactly this many warps issue. The next warp issues as soon as one of them waits for data or,
 * with swl, at a barrier, and not before. */
static void so_many_warps_are_active(void **state)
{
    uint32_t kind = TIMING_KEY_IS(state, sm_active_warps) ? BYW_SCHED_TWO_LEVEL : BYW_SCHED_SWL;

    for (uint32_t n = 1; n < 8; n++) {
        struct rig rig;
        struct eight *e;

        *timing_key(state, rig_config(&rig)) = n;
        e = eight_warps(&rig.bench, kind);
        assert_int_equal(picked(e), (1 << n) - 1);
        if (kind == BYW_SCHED_SWL)
            e->warps.barrier = 1;
        else
            e->warps.on_load = 1;
        assert_int_equal(picked(e), (1 << (n + 1)) - 2);
        byw_cta_release(&rig.bench.cta);
        byw_throttle_release(&e->throttle);
        free(e);
    }
}

/* Warps of a group run until all of them wait; then the next group runs. */
static void a_fetch_group_holds(void **state)
{
    for (uint32_t n = 1; n <= 4; n++) {
        struct rig rig;
        struct eight *e;

        *timing_key(state, rig_config(&rig)) = n;
        e = eight_warps(&rig.bench, BYW_SCHED_FETCH_GROUP);
        assert_int_equal(picked(e), (1 << n) - 1);
        e->warps.on_load = (1U << n) - 2; /* all warps but one */
        assert_int_equal(picked(e), 1);
        e->warps.on_load = (1U << n) - 1;
        assert_int_equal(picked(e), ((1 << n) - 1) << n);
        byw_cta_release(&rig.bench.cta);
        byw_throttle_release(&e->throttle);
        free(e);
    }
}

/* --- ccws --------------------------------------------------------------------------------- */

/* One warp's loads in a cache of one line: each load evicts the previous line. */
static struct byw_ccws one_line(struct rig *rig, void **state, uint32_t set)
{
    struct byw_config *c = rig_config(rig);
    struct byw_ccws ccws;

    *timing_key(state, c) = set;
    c->sm_scheduler = BYW_SCHED_CCWS;
    c->l1d_sets = c->l1d_ways = 1;
    assert_int_equal(byw_ccws_init(&ccws, c), BYW_OK);
    return ccws;
}

/* The n most recent victims are remembered; the one before them is forgotten. */
static void victims_are_remembered(void **state)
{
    for (uint32_t n = 1; n <= 16; n *= 4) {
        for (uint32_t more = 0; more < 2; more++) {
            struct rig rig;
            struct byw_ccws ccws = one_line(&rig, state, n);

            for (uint32_t i = 0; i <= n + more; i++)
                byw_ccws_load(&ccws, 0, 100 + i, 0, 1000, 1);
            byw_ccws_load(&ccws, 0, 100, 0, 1000, 1);
            assert_int_equal(ccws.hits, 1 - more);
            byw_ccws_release(&ccws);
        }
    }
}

/* After lost locality the score is hits / instructions * k * base * warps; then it drops by one per
 * cycle, down to the base. */
static void scores_fall_to_the_base(void **state)
{
    for (uint32_t n = 1; n <= 4; n++) {
        struct rig rig;
        struct byw_ccws ccws = one_line(&rig, state, 50 * n);
        const struct byw_config *c = &rig.bench.config;
        uint64_t top = (uint64_t)c->ccws_k * c->ccws_base * 10 / 4, base = c->ccws_base;

        byw_ccws_load(&ccws, 0, 1, 0, 3, 10);
        byw_ccws_load(&ccws, 0, 2, 0, 3, 10);
        byw_ccws_load(&ccws, 0, 1, 77, 3, 10); /* one hit in four instructions */
        assert_int_equal(byw_ccws_score(&ccws, 0, 77), top);
        assert_int_equal(byw_ccws_score(&ccws, 0, 78), top - 1);
        assert_int_equal(byw_ccws_score(&ccws, 0, 77 + top - base - 1), base + 1);
        assert_int_equal(byw_ccws_score(&ccws, 0, 77 + top - base), base);
        assert_int_equal(byw_ccws_score(&ccws, 0, 77 + top), base);
        byw_ccws_release(&ccws);
    }
}

/* --- launches ----------------------------------------------------------------------------- */

static uint64_t two_launches(void **state, uint32_t gap)
{
    struct bench *b;
    struct byw_gpu_result *r;
    void *bench = NULL;
    uint64_t cycles;

    setup(&bench);
    b = bench;
    b->config.sm_schedulers = 1; /* their turns depend on the cycle */
    *timing_key(state, &b->config) = gap;
    r = mixed(b);
    cycles = r->cycles;
    byw_gpu_result_free(r);
    teardown(&bench);
    return cycles;
}

/* The memory side is idle by then, so the second launch takes as long as usual. */
static void a_launch_waits_for_its_turn(void **state)
{
    uint64_t at = two_launches(state, 2000);

    assert_int_equal(two_launches(state, 2001), at + 2);
    assert_int_equal(two_launches(state, 5000), at + 2 * 3000);
}

/* Cycles of a launch of one-instruction CTAs that all fit at once. */
static uint64_t ctas_of_one_instruction(void **state, uint32_t rate, uint32_t ctas)
{
    struct byw_kernel k = kernel_of(ctas, 32);
    struct byw_gpu_result *r;
    void *bench = NULL;
    struct bench *b;
    uint64_t cycles;

    setup(&bench);
    b = bench;
    b->config.sm_count = 10;
    b->config.icache_on = 0;
    *timing_key(state, &b->config) = rate;
    begin(b, &k);
    for (uint32_t c = 0; c < ctas; c++) {
        byw_cta_clear(&b->cta);
        b->cta.id[0] = c;
        byw_cta_add_warp(&b->cta);
        add(b, BYW_CLASS_EXIT, 1, 0);
        assert_int_equal(byw_trace_cta(b->writer, &b->cta, NULL), BYW_OK);
    }
    r = finish(b);
    cycles = r->cycles;
    byw_gpu_result_free(r);
    teardown(&bench);
    return cycles;
}

/* n further CTAs take n * 1000 / rate further cycles. */
static void ctas_begin_one_after_the_other(void **state)
{
    static const uint32_t rate[] = {500, 1000, 780}, cycles[] = {78, 39, 50};

    for (uint32_t i = 0; i < sizeof(rate) / sizeof(rate[0]); i++)
        assert_int_equal(ctas_of_one_instruction(state, rate[i], 79),
                         ctas_of_one_instruction(state, rate[i], 40) + cycles[i]);
    assert_in_range(ctas_of_one_instruction(state, 0, 79), 1, 12); /* ten SMs, one each per cycle */
}

int main(void)
{
#define WARP TIMING_KEY
#define WARP_BOUND TIMING_BOUND
    const struct CMUnitTest tests[] = {
#include "sim/timing_keys.def"
    };

    return cmocka_run_group_tests_name("warp_timing", tests, NULL, NULL);
}
