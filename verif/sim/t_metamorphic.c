/* SPDX-License-Identifier: Apache-2.0
 *
 * t_metamorphic.c - relations between runs that hold whatever the right number of cycles is: a
 * cache without limits fetches a line once, no memory is faster than an ideal one, a filter that
 * is off is no filter, SMs have no favourites, and equal runs are equal.
 */
#include "sim/gpu_rig.h"

enum { WARPS = 3, LOADS = 60, LINES = 500 };

/* Loads only, of words scattered over LINES lines; `touched` gets one mark for each line used. */
static struct byw_gpu_result *scattered(struct bench *b, uint32_t ctas, uint64_t seed,
                                        bool touched[LINES])
{
    struct byw_kernel k = kernel_of(ctas, 32 * WARPS);
    struct byw_rng rng;

    byw_rng_init(&rng, seed);
    memset(touched, 0, LINES * sizeof(touched[0]));
    assert_int_equal(byw_trace_create(b->path, 0, &b->writer, NULL), BYW_OK);
    assert_int_equal(byw_trace_kernel(b->writer, &k, NULL), BYW_OK);
    for (uint32_t c = 0; c < ctas; c++) {
        byw_cta_clear(&b->cta);
        b->cta.id[0] = c;
        for (uint32_t i = 0; i < WARPS * LOADS; i++) {
            uint32_t line = byw_rng_below(&rng, LINES - 1), width = 1 + byw_rng_below(&rng, 2);
            struct byw_inst *load;

            if (i % LOADS == 0)
                byw_cta_add_warp(&b->cta);
            load = add(b, BYW_CLASS_LOAD, 1, byw_rng_below(&rng, 4));
            load->base = 128 * (uint64_t)line;
            load->stride = (int32_t)(4 * width);
            touched[line] = true;
            if (width == 2)
                touched[line + 1] = true;
        }
        assert_int_equal(byw_trace_cta(b->writer, &b->cta, NULL), BYW_OK);
    }
    return finish(b);
}

static uint64_t count(const bool touched[LINES])
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < LINES; i++)
        n += touched[i];
    return n;
}

static void make_l1_unlimited(struct byw_config *config)
{
    config->l1d_sets = 4096;
    config->l1d_ways = 64;
    config->l1d_mshrs = 4096;
    config->l1d_merges = 64;
}

static void an_unlimited_l1_misses_once_per_line(void **state)
{
    struct bench *b = *state;
    bool touched[LINES];

    make_l1_unlimited(&b->config);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct byw_gpu_result *r;
        uint64_t lines;

        b->config.sm_count = 1;
        r = scattered(b, 6, seed, touched);
        lines = count(touched);
        assert_int_equal(r->l1.ev[BYW_EV_MISS], lines);
        assert_int_equal(r->mem.l2.reads, lines);
        assert_true(r->l1.ev[BYW_EV_LOAD] > 2 * lines);
        byw_gpu_result_free(r);

        b->config.sm_count = 4;
        r = scattered(b, 24, seed, touched);
        lines = count(touched);
        for (uint32_t i = 0; i < 4; i++) {
            assert_true(r->sm[i].l1.ev[BYW_EV_MISS] <= lines);
            assert_true(r->sm[i].l1.ev[BYW_EV_LOAD] > 0);
        }
        byw_gpu_result_free(r);
    }
}

/* Nothing below the L1s takes longer than a cycle or two, nothing there is ever full. */
static void make_memory_ideal(struct byw_config *c)
{
    c->icnt_mhz = c->l2_mhz = c->dram_mhz = 8 * c->core_mhz;
    c->icnt_eject = c->l2_rop = c->dram_latency = 0;
    c->l2_port = 128;
    c->l2_mshrs = 4096;
    c->l2_merges = 64;
    c->l2_miss_queue = c->l2_in_queue = c->l2_out_queue = c->l2_dram_queue = 256;
    c->dram_queue = 1024;
    c->dram_burst = 1;
    c->t_ccd = c->t_ccdl = 1;
    c->t_rrd = c->t_rcd = c->t_ras = c->t_rp = c->t_rc = c->t_cl = c->t_wl = 0;
    c->t_cdlr = c->t_wr = c->t_rtpl = 0;
}

static void ideal_memory_is_a_lower_bound(void **state)
{
    struct bench *b = *state;
    struct byw_config real = b->config;

    for (uint64_t seed = 0; seed < 3; seed++) {
        for (uint32_t mode = BYW_MODE_BASE; mode <= BYW_MODE_DECOUPLED; mode++) {
            struct byw_gpu_result *ideal, *r;

            b->seed = seed;
            b->config = real;
            b->config.policy_mode = mode;
            r = mixed(b);
            make_memory_ideal(&b->config);
            ideal = mixed(b);
            assert_true(ideal->cycles < r->cycles);
            assert_int_equal(ideal->coalesced, r->coalesced);
            byw_gpu_result_free(r);
            byw_gpu_result_free(ideal);
        }
    }
}

/* Equal in everything but how often the filter says that it did what the plain cache does. */
static void assert_same_cache(struct byw_gpu_result *a, struct byw_gpu_result *b)
{
    static const enum byw_event own[] = {BYW_EV_NEW_TAG, BYW_EV_CANDIDATE, BYW_EV_COMMIT,
                                         BYW_EV_TAG_WRITE};

    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
        a->l1.ev[own[i]] = b->l1.ev[own[i]];
        for (uint32_t s = 0; s < a->sm_count; s++)
            a->sm[s].l1.ev[own[i]] = b->sm[s].l1.ev[own[i]];
    }
    a->l1.filter_on_cycles = b->l1.filter_on_cycles;
    for (uint32_t s = 0; s < a->sm_count; s++)
        a->sm[s].l1.filter_on_cycles = b->sm[s].l1.filter_on_cycles;
    assert_same(a, b);
}

static void a_policy_that_is_off_changes_nothing(void **state)
{
    struct bench *b = *state;
    struct byw_gpu_result *base = mixed(b), *off;

    /* The keys of a policy that is not chosen. */
    b->config.dec_threshold = 5;
    b->config.dec_tag_ways = 16;
    b->config.dec_age_alloc = 0;
    b->config.duel_interval = 7;
    off = mixed(b);
    assert_same(base, off);
    byw_gpu_result_free(off);

    /* The locality filter that lets everything in, with no more tags than lines. */
    b->config.policy_mode = BYW_MODE_DECOUPLED;
    b->config.dec_threshold = 0;
    b->config.dec_tag_ways = b->config.l1d_ways;
    off = mixed(b);
    assert_same_cache(base, off);
    byw_gpu_result_free(off);

    /* The check can fail: the filter that is on does change something. */
    b->config.dec_threshold = 2;
    off = mixed(b);
    assert_int_not_equal(off->cycles, base->cycles);
    byw_gpu_result_free(off);
    byw_gpu_result_free(base);
}

static void renamed_sms_change_only_their_rows(void **state)
{
    struct bench *b = *state;
    uint32_t n = b->config.sm_count;
    struct byw_gpu_result *base = mixed(b), *renamed;
    bool rows_differ = false;

    for (uint32_t by = 1; by < n; by += 3) {
        b->options.first_sm = by;
        renamed = mixed(b);
        for (uint32_t i = 0; i < n; i++) {
            const struct byw_gpu_sm *here = &renamed->sm[(i + by) % n];

            assert_memory_equal(here, &base->sm[i], sizeof(*here));
            rows_differ |= memcmp(&renamed->sm[i], &base->sm[i], sizeof(*here)) != 0;
        }
        memcpy(renamed->sm, base->sm, n * sizeof(*base->sm));
        assert_same(renamed, base);
        byw_gpu_result_free(renamed);
    }
    assert_true(rows_differ);
    byw_gpu_result_free(base);
}

static void count_calls(void *ctx, uint64_t cycles, uint64_t warp_instructions, uint32_t launches)
{
    (void)cycles;
    (void)warp_instructions;
    (void)launches;
    ++*(int *)ctx;
}

static void equal_runs_are_equal(void **state)
{
    struct bench *b = *state;
    struct byw_gpu_result *first = mixed(b), *other, *again;
    int calls = 0;

    b->seed = 1;
    other = mixed(b);
    b->seed = 0;
    b->options.progress = count_calls;
    b->options.progress_ctx = &calls;
    again = mixed(b);
    assert_same(first, again);
    assert_int_equal(first->kernel_count, again->kernel_count);
    for (uint32_t i = 0; i < first->kernel_count; i++)
        assert_memory_equal(&first->kernel[i], &again->kernel[i], sizeof(first->kernel[i]));
    assert_int_not_equal(first->cycles, other->cycles);
    byw_gpu_result_free(first);
    byw_gpu_result_free(other);
    byw_gpu_result_free(again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_unlimited_l1_misses_once_per_line, setup, teardown),
        cmocka_unit_test_setup_teardown(ideal_memory_is_a_lower_bound, setup, teardown),
        cmocka_unit_test_setup_teardown(a_policy_that_is_off_changes_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(renamed_sms_change_only_their_rows, setup, teardown),
        cmocka_unit_test_setup_teardown(equal_runs_are_equal, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
