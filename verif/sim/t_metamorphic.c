/* SPDX-License-Identifier: Apache-2.0
 *
 * t_metamorphic.c - relations between runs that hold whatever the correct number of cycles is, on
 * every shipped machine: doubling all clocks keeps the cycles, an unlimited cache fetches each
 * piece once, no memory beats an ideal one, a policy that is off has no effect, the work done does
 * not depend on timing, SMs are treated alike, and equal runs are equal.
 */
#include "common/byw_mech.h"
#include "sim/gpu_rig.h"
#include "sim/memory/byw_memside.h"
#include "sim/sm/byw_sm.h"
#include "sim/timing_rows.h"

enum { WARPS = 3, LOADS = 60, LINES = 500 };

/* Loads only, of words scattered over LINES lines; `touched` marks each line used. */
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
    config->sm_unified = 0; /* so that its size does not depend on a carve-out */
    config->l1d_sets = 1024;
    config->l1d_index = BYW_INDEX_LINEAR;
    config->l1d_ways = 8;
    config->l1d_mshrs = 4096;
    config->l1d_merges = 64;
}

/* A fetch reads a line or a sector; the loads touch all sectors of their lines. */
static void unlimited_l1(struct bench *b)
{
    uint32_t pieces = 128 / (b->config.l1d_line / b->config.l1d_sectors);
    bool touched[LINES];

    make_l1_unlimited(&b->config);
    for (uint64_t seed = 1; seed <= 2; seed++) {
        struct byw_gpu_result *r;
        uint64_t all;

        b->config.sm_count = 1;
        r = scattered(b, 6, seed, touched);
        all = count(touched) * pieces;
        assert_int_equal(r->l1.ev[BYW_EV_MISS], all);
        assert_int_equal(r->l1.ev[BYW_EV_MEM_READ], all);
        assert_int_equal(r->mem.requests + r->combined - r->icache_misses, all);
        assert_true(r->l1.ev[BYW_EV_LOAD] > 2 * all);
        byw_gpu_result_free(r);

        b->config.sm_count = 4;
        r = scattered(b, 24, seed, touched);
        all = count(touched) * pieces;
        for (uint32_t i = 0; i < 4; i++) {
            assert_true(r->sm[i].l1.ev[BYW_EV_MISS] <= all);
            assert_true(r->sm[i].l1.ev[BYW_EV_LOAD] > 0);
        }
        byw_gpu_result_free(r);
    }
}

static void an_unlimited_l1_misses_once_per_line(void **state)
{
    for_each_machine(*state, unlimited_l1);
}

/* The ideal memory system: below the L1s nothing takes more than a cycle or two, and nothing is
 * ever full. */
static void make_memory_ideal(struct byw_config *c)
{
    c->icnt_mhz = c->l2_mhz = c->dram_mhz = 8 * c->core_mhz;
    c->icnt_eject = c->l2_rop = c->l2_data = c->dram_latency = 0;
    c->gl1_tags = c->gl1_data = c->l3_tags = c->l3_data = 0;
    c->l2_port = c->l3_port = c->gl1_port = 128;
    c->l2_mshrs = c->l3_mshrs = c->gl1_mshrs = 4096;
    c->l2_merges = c->l3_merges = c->gl1_merges = 64;
    c->l2_miss_queue = c->l2_in_queue = c->l2_out_queue = c->l2_dram_queue = 256;
    c->l3_miss_queue = c->l3_queue = c->gl1_miss_queue = c->gl1_queue = 256;
    c->dram_queue = 1024;
    c->dram_burst = 1;
    c->t_ccd = c->t_ccdl = 1;
    c->t_rrd = c->t_rcd = c->t_ras = c->t_rp = c->t_rc = c->t_cl = c->t_wl = 0;
    c->t_cdlr = c->t_wr = c->t_rtpl = c->t_refi = c->t_rfc = 0;
}

/* No memory system is faster than the ideal one, nor than one in which only the DRAM is ideal. */
static void ideal_memory(struct bench *b)
{
    const struct byw_config real = b->config;

    for (uint32_t mode = BYW_MODE_BASE; mode <= BYW_MODE_DECOUPLED; mode++) {
        struct byw_gpu_result *ideal, *dram, *r;

        if (mode == BYW_MODE_DECOUPLED && real.l1d_alloc == BYW_ALLOC_ON_FILL)
            continue;
        b->seed = mode;
        b->config = real;
        b->config.policy_mode = mode;
        b->config.dec_tag_ways = 2 * real.l1d_ways;
        r = mixed(b);
        b->config.dram_ideal = 1;
        dram = mixed(b);
        b->config.dram_ideal = 0;
        make_memory_ideal(&b->config);
        ideal = mixed(b);
        assert_true(dram->cycles < r->cycles);
        assert_true(ideal->cycles < dram->cycles);
        assert_int_equal(ideal->coalesced, r->coalesced);
        assert_int_equal(dram->coalesced, r->coalesced);
        byw_gpu_result_free(r);
        byw_gpu_result_free(dram);
        byw_gpu_result_free(ideal);
    }
}

static void ideal_memory_is_a_lower_bound(void **state)
{
    for_each_machine(*state, ideal_memory);
}

static void doubled_clocks(struct bench *b)
{
    struct byw_gpu_result *slow = mixed(b), *fast;

    b->config.core_mhz *= 2;
    b->config.icnt_mhz *= 2;
    b->config.l2_mhz *= 2;
    b->config.dram_mhz *= 2;
    fast = mixed(b);
    assert_same(slow, fast);
    byw_gpu_result_free(slow);
    byw_gpu_result_free(fast);
}

static void doubling_all_clocks_changes_no_cycle(void **state)
{
    for_each_machine(*state, doubled_clocks);
}

/* --- policies ----------------------------------------------------------------------------- */

static uint32_t *field(struct byw_config *config, size_t offset)
{
    return (uint32_t *)(void *)((char *)config + offset);
}

/* Keys that switch a mechanism on. */
static bool is_switch(const struct byw_param *param)
{
    for (size_t i = 0; i < byw_mech_count(); i++)
        if (strcmp(param->key, byw_mech(i)->enable) == 0)
            return true;
    return false;
}

/* Number of choices of an ENUM key. */
static uint32_t choices(const struct byw_param *param)
{
    uint32_t n = 1;

    for (const char *c = param->choices; *c != '\0'; c++)
        n += *c == '|';
    return n;
}

static bool acceptable(const struct byw_config *config)
{
    const struct byw_kernel kernel = kernel_of(40, 96);

    return byw_config_check(config, NULL) == BYW_OK && byw_memsys_config(config, NULL) == BYW_OK &&
           byw_sm_occupancy(config, &kernel) > 0;
}

/* All policy keys, each at its lowest and then at its highest value, with every mechanism off. */
static void policies_off(struct bench *b)
{
    struct byw_gpu_result *base = mixed(b), *off;

    for (uint32_t high = 0; high < 2; high++) {
        uint32_t changed = 0;

        for (size_t i = 0; i < byw_param_count(); i++) {
            const struct byw_param *param = byw_param(i);
            struct byw_config before = b->config;

            if (param->file != BYW_PARAM_POLICY || param->kind == BYW_PARAM_STR ||
                param->kind == BYW_PARAM_USE || is_switch(param))
                continue;
            if (param->kind == BYW_PARAM_ENUM)
                *field(&b->config, param->offset) = high ? choices(param) - 1 : 0;
            else
                *field(&b->config, param->offset) = high ? param->highest : param->lowest;
            if (acceptable(&b->config))
                changed++;
            else
                b->config = before;
        }
        assert_true(changed > 30);
        off = mixed(b);
        assert_same(base, off);
        byw_gpu_result_free(off);
    }
    byw_gpu_result_free(base);
}

/* Expects equal results except for the counters of the filter. */
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

/* A locality filter that admits every line, with no more tags than lines, has no effect either. */
static void filter_without_effect(struct bench *b)
{
    struct byw_gpu_result *base, *off;

    if (b->config.l1d_alloc == BYW_ALLOC_ON_FILL)
        return; /* such an L1D has no filter */
    base = mixed(b);
    b->config.policy_mode = BYW_MODE_DECOUPLED;
    b->config.dec_threshold = 0;
    b->config.dec_tag_ways = b->config.l1d_ways;
    off = mixed(b);
    assert_same_cache(base, off);
    byw_gpu_result_free(off);

    /* Proves that the check above can fail: with the filter on, results differ. */
    b->config.dec_threshold = 2;
    off = mixed(b);
    assert_int_not_equal(off->cycles, base->cycles);
    byw_gpu_result_free(off);
    byw_gpu_result_free(base);
}

static void a_policy_that_is_off_changes_nothing(void **state)
{
    for_each_machine(*state, policies_off);
    for_each_machine(*state, filter_without_effect);
}

/* --- work --------------------------------------------------------------------------------- */

/* Sets every key that a timing test probes to between half and twice its value. */
static void turn_knobs(struct bench *b, struct byw_rng *rng)
{
    uint32_t changed = 0;

    for (size_t i = 0; i < byw_param_count(); i++) {
        const struct byw_param *param = byw_param(i);
        struct byw_config before = b->config;
        uint32_t *value = field(&b->config, param->offset);

        if (timing_rows(param->offset, true) == 0 || strcmp(param->key, "dram.banks") == 0)
            continue; /* dram.map determines the banks */
        if (param->kind == BYW_PARAM_ENUM) {
            *value = byw_rng_below(rng, choices(param));
        } else {
            *value = *value / 2 + byw_rng_below(rng, *value * 3 / 2 + 2);
            *value = *value < param->lowest ? param->lowest : *value;
            *value = *value > param->highest ? param->highest : *value;
        }
        if (acceptable(&b->config))
            changed++;
        else
            b->config = before;
    }
    assert_true(changed > 60);
}

static void any_timing(struct bench *b)
{
    const struct byw_config machine = b->config;
    struct byw_gpu_result *base = mixed(b);
    struct byw_rng rng;

    byw_rng_init(&rng, 5);
    for (uint32_t i = 0; i < 3; i++) {
        struct byw_gpu_result *r;

        b->config = machine;
        turn_knobs(b, &rng);
        r = mixed(b);
        assert_int_not_equal(r->cycles, base->cycles);
        assert_int_equal(r->warp_instructions, base->warp_instructions);
        assert_int_equal(r->thread_instructions, base->thread_instructions);
        assert_int_equal(r->coalesced, base->coalesced);
        assert_int_equal(r->l1.ev[BYW_EV_LOAD], base->l1.ev[BYW_EV_LOAD]);
        assert_int_equal(r->l1.ev[BYW_EV_STORE], base->l1.ev[BYW_EV_STORE]);
        assert_int_equal(r->l1.ev[BYW_EV_ATOMIC], base->l1.ev[BYW_EV_ATOMIC]);
        assert_int_equal(r->shared_conflict_cycles, base->shared_conflict_cycles);
        byw_gpu_result_free(r);
    }
    byw_gpu_result_free(base);
}

static void instructions_do_not_depend_on_timing(void **state)
{
    for_each_machine(*state, any_timing);
}

/* --- names and repetitions ---------------------------------------------------------------- */

static void renamed_sms(struct bench *b)
{
    uint32_t n = b->config.sm_count;
    struct byw_gpu_result *base = mixed(b), *renamed;
    bool rows_differ = false;

    for (uint32_t by = 1; by < n; by += n / 3 + 1) {
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

static void renamed_sms_change_only_their_rows(void **state)
{
    for_each_machine(*state, renamed_sms);
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
        cmocka_unit_test_setup_teardown(doubling_all_clocks_changes_no_cycle, setup, teardown),
        cmocka_unit_test_setup_teardown(a_policy_that_is_off_changes_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(instructions_do_not_depend_on_timing, setup, teardown),
        cmocka_unit_test_setup_teardown(renamed_sms_change_only_their_rows, setup, teardown),
        cmocka_unit_test_setup_teardown(equal_runs_are_equal, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
