/* SPDX-License-Identifier: Apache-2.0
 *
 * t_gpu_policies.c - the bypass mechanisms in the whole GPU: skipping sleeping SMs and L1s changes
 * no counter of any policy, a mechanism without effect changes no cycle, and a two-level unit and a
 * PC predictor act as expected on traces made for them.
 */
#include "sim/gpu_rig.h"

#define SETTINGS 8

struct policy {
    const char *name;
    const char *set[SETTINGS][2];
};

/* Every shipped kind of policy, with windows short enough for a small trace. */
static const struct policy policies[] = {
    {"two_level",
     {{"two_level.enable", "on"}, {"two_level.sample", "300"}, {"two_level.min_accesses", "4"}}},
    {"two_level every launch",
     {{"two_level.enable", "on"},
      {"two_level.sample", "150"},
      {"two_level.resample", "every_launch"},
      {"two_level.active_warps", "last"}}},
    {"two_level periodic",
     {{"two_level.enable", "on"},
      {"two_level.sample", "97"},
      {"two_level.period", "201"},
      {"two_level.low", "100"},
      {"two_level.occupancy", "8"},
      {"two_level.min_accesses", "4"},
      {"two_level.resample", "periodic"}}},
    {"pc", {{"pc.enable", "on"}, {"pc.threshold", "2"}, {"pc.sample", "4"}, {"l1d.ways", "1"}}},
    {"stall", {{"stall.bypass", "any"}, {"l1d.mshrs", "4"}}},
    {"stall_line", {{"stall.bypass", "line"}, {"l1d.sets", "1"}}},
    {"mrpb", {{"policy.use", "mrpb stall"}, {"mrpb.queues", "3"}, {"mrpb.depth", "2"}}},
    {"carb_like",
     {{"policy.use", "carb_like stall"}, {"carb_like.window", "16"}, {"l1d.mshrs", "4"}}},
    {"pemp_like",
     {{"policy.use", "pemp_like stall"}, {"pemp_like.period", "300"}, {"l1d.mshrs", "4"}}},
    {"apcm_like",
     {{"policy.use", "apcm_like stall"},
      {"apcm_like.blocks", "2"},
      {"apcm_like.quiet", "16"},
      {"l1d.mshrs", "4"}}},
    {"pdp", {{"policy.use", "pdp stall"}, {"pdp.distance", "40"}, {"l1d.mshrs", "4"}}},
    {"decoupled pc stall",
     {{"policy.mode", "decoupled"},
      {"pc.enable", "on"},
      {"pc.prior", "yes"},
      {"pc.threshold", "2"},
      {"stall.bypass", "any"},
      {"l1d.ways", "1"},
      {"l1d.mshrs", "4"}}},
    {"all at once",
     {{"policy.mode", "decoupled"},
      {"duel.enable", "on"},
      {"two_level.enable", "on"},
      {"two_level.sample", "97"},
      {"two_level.period", "201"},
      {"two_level.resample", "periodic"},
      {"pc.enable", "on"},
      {"stall.bypass", "any"}}},
};

static void set(struct bench *b, const char *key, const char *value)
{
    struct byw_diag diag = {""};

    if (byw_config_set(&b->config, key, value, "test", &diag) != BYW_OK)
        fail_msg("%s", diag.text);
}

static struct byw_config use(struct bench *b, const struct policy *policy)
{
    struct byw_config before = b->config;

    for (int i = 0; i < SETTINGS && policy->set[i][0] != NULL; i++)
        set(b, policy->set[i][0], policy->set[i][1]);
    return before;
}

static uint64_t policy_pulses(const struct byw_gpu_result *r)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < BYW_PEV_COUNT; i++)
        sum += r->l1.policy[i];
    return sum;
}

/* Relations between the counters of one run. */
static void check_laws(const struct byw_config *config, const struct byw_gpu_result *r)
{
    const uint64_t *pev = r->l1.policy;
    uint64_t states = 0, asked = 0;

    for (uint32_t i = 0; i < BYW_TL_STATES; i++)
        states += r->l1.two_level_cycles[i];
    for (uint32_t i = 0; i < BYW_PC_VALUES; i++)
        asked += r->l1.pc_values[i];
    assert_int_equal(states, config->tl_on != 0 ? r->sm_count * r->cycles : 0);
    assert_int_equal(asked, pev[BYW_PEV_PC_ASK]);
    assert_int_equal(r->mem.l2.mispredicts, pev[BYW_PEV_PC_MISPREDICT]);
    assert_true(pev[BYW_PEV_TL_BYPASS] + pev[BYW_PEV_PC_BYPASS] + pev[BYW_PEV_STALL_BYPASS] <=
                r->l1.ev[BYW_EV_BYPASS]);
    assert_true(pev[BYW_PEV_TL_LOW] + pev[BYW_PEV_TL_HIGH] + pev[BYW_PEV_TL_BUSY] +
                    pev[BYW_PEV_TL_LAZY] + pev[BYW_PEV_TL_FEW] <=
                pev[BYW_PEV_TL_WINDOW]);
}

static void skipping_changes_nothing(void **state)
{
    struct bench *b = *state;

    b->config.icache_on = 1;
    for (size_t p = 0; p < sizeof(policies) / sizeof(policies[0]); p++) {
        struct byw_config before = use(b, &policies[p]);
        struct byw_gpu_result *skipped, *stepped;

        b->options.every_cycle = false;
        skipped = mixed(b);
        b->options.every_cycle = true;
        stepped = mixed(b);
        assert_same(skipped, stepped);
        check_laws(&b->config, skipped);
        for (uint32_t i = 0; i < skipped->sm_count; i++)
            assert_memory_equal(&skipped->sm[i].l1, &stepped->sm[i].l1, sizeof(skipped->sm[i].l1));
        if (policy_pulses(skipped) < 50)
            fail_msg("%s does nothing here", policies[p].name);
        byw_gpu_result_free(skipped);
        byw_gpu_result_free(stepped);
        b->config = before;
    }
}

/* Requests wait in front of the L1D while an SM without a request accesses the scratchpad: the
 * access must proceed, also with operand stages under MRPB. */
static void a_queue_does_not_hold_the_scratchpad(void **state)
{
    struct bench *b = *state;
    struct byw_kernel k = kernel_of(4, 64);
    struct byw_gpu_result *r;

    load_machine(b, "cmodel/configs/machines/fermi.cfg");
    set(b, "policy.use", "mrpb stall");
    assert_true(b->config.operand_stages != 0);
    begin(b, &k);
    for (uint32_t cta = 0; cta < 4; cta++) {
        byw_cta_clear(&b->cta);
        b->cta.id[0] = cta;
        for (uint32_t w = 0; w < 2; w++) {
            byw_cta_add_warp(&b->cta);
            add(b, BYW_CLASS_SHARED_LOAD, 1, 0);
            add(b, BYW_CLASS_LOAD, 1, 0);
            add(b, BYW_CLASS_SHARED_STORE, 1, 0);
            add(b, BYW_CLASS_EXIT, 1, 0);
        }
        assert_int_equal(byw_trace_cta(b->writer, &b->cta, NULL), BYW_OK);
    }
    r = finish(b);
    assert_int_equal(r->warp_instructions, 4 * 2 * 4);
    byw_gpu_result_free(r);
}

/* Mechanisms that never bypass: thresholds that no window reaches, and predictions that sampling
 * always overrides. */
static void no_effect_is_off(void **state)
{
    static const struct policy idle[] = {
        {"two_level that caches",
         {{"two_level.enable", "on"},
          {"two_level.sample", "50"},
          {"two_level.resample", "periodic"},
          {"two_level.period", "1"},
          {"two_level.low", "256"},
          {"two_level.high", "256"},
          {"two_level.occupancy", "0"},
          {"two_level.min_accesses", "0"}}},
        {"pc that samples all",
         {{"pc.enable", "on"}, {"pc.threshold", "1"}, {"pc.sample", "1"}, {"l1d.ways", "4"}}},
    };
    struct bench *b = *state;

    for (uint32_t mode = 0; mode < 2; mode++) {
        struct byw_gpu_result *off;

        b->config.policy_mode = mode == 0 ? BYW_MODE_BASE : BYW_MODE_DECOUPLED;
        off = mixed(b);
        assert_int_equal(policy_pulses(off), 0);
        for (size_t p = 0; p < sizeof(idle) / sizeof(idle[0]); p++) {
            struct byw_config before = use(b, &idle[p]);
            struct byw_gpu_result *on = mixed(b);

            assert_true(policy_pulses(on) > 50);
            assert_int_equal(on->cycles, off->cycles);
            assert_memory_equal(on->l1.ev, off->l1.ev, sizeof(on->l1.ev));
            assert_int_equal(on->l1.stall_cycles, off->l1.stall_cycles);
            assert_memory_equal(on->core_stall, off->core_stall, sizeof(on->core_stall));
            byw_gpu_result_free(on);
            b->config = before;
        }
        byw_gpu_result_free(off);
    }
}

/* `launches` launches on one SM, of one kernel or of different ones: a warp streams over lines that
 * it uses once. */
static struct byw_gpu_result *stream(struct bench *b, uint32_t launches, uint32_t loads,
                                     bool other_codes)
{
    assert_int_equal(byw_trace_create(b->path, 0, &b->writer, NULL), BYW_OK);
    for (uint32_t launch = 0; launch < launches; launch++) {
        struct byw_kernel k = kernel_of(1, 32);

        k.launch = launch;
        k.code = other_codes ? launch : 0;
        assert_int_equal(byw_trace_kernel(b->writer, &k, NULL), BYW_OK);
        byw_cta_clear(&b->cta);
        byw_cta_add_warp(&b->cta);
        for (uint32_t i = 0; i < loads; i++) {
            struct byw_inst *inst = add(b, BYW_CLASS_LOAD, 1, 1);

            inst->pc = 64;
            inst->base += 128 * (launch * loads + i);
        }
        add(b, BYW_CLASS_EXIT, 1, 0);
        assert_int_equal(byw_trace_cta(b->writer, &b->cta, NULL), BYW_OK);
    }
    return finish(b);
}

/* The first window costs 5000 cycles; after it everything bypasses, in later launches from the
 * start. */
static void two_level_follows_the_kernel(void **state)
{
    struct bench *b = *state;
    struct byw_gpu_result *r;
    uint64_t sampled;

    b->config.sm_count = 1;
    b->config.tl_on = 1;
    b->config.tl_min = 4;
    r = stream(b, 3, 60, false);
    assert_int_equal(r->l1.policy[BYW_PEV_TL_WINDOW], 1);
    assert_int_equal(r->l1.policy[BYW_PEV_TL_HIGH], 1);
    assert_int_equal(r->l1.policy[BYW_PEV_TL_KNOWN], 2);
    assert_int_equal(r->l1.two_level_cycles[BYW_TL_SAMPLE], 5000);
    sampled = r->l1.ev[BYW_EV_MISS];
    assert_in_range(sampled, 4, 30); /* a miss takes some hundred cycles */
    assert_int_equal(r->l1.ev[BYW_EV_BYPASS], 180 - sampled);
    assert_int_equal(r->l1.policy[BYW_PEV_TL_BYPASS], 180 - sampled);
    assert_int_equal(r->kernel[1].l1.ev[BYW_EV_BYPASS], 60);
    assert_int_equal(r->kernel[2].l1.two_level_cycles[BYW_TL_SAMPLE], 0);
    byw_gpu_result_free(r);
}

/* Only arithmetic: the L1 sleeps all the time but still sees every change of the active warps. A
 * warp limited by fetch has an instruction in two of three cycles. */
static void active_warps_are_counted_in_sleep(void **state)
{
    struct bench *b = *state;
    struct byw_kernel k = kernel_of(1, 32);
    struct byw_gpu_result *r;

    b->config.sm_count = 1;
    b->config.tl_on = 1;
    begin(b, &k);
    byw_cta_add_warp(&b->cta);
    for (uint32_t i = 0; i < 6000; i++)
        add(b, BYW_CLASS_INT, 1, 0);
    add(b, BYW_CLASS_EXIT, 1, 0);
    assert_int_equal(byw_trace_cta(b->writer, &b->cta, NULL), BYW_OK);
    r = finish(b);
    assert_int_equal(r->l1.policy[BYW_PEV_TL_FEW], 1);
    assert_int_equal(r->l1.two_level_cycles[BYW_TL_SAMPLE], 5000);
    assert_in_range(r->l1.two_level_warps, 5000 * 2 / 3 - 5, 5000 * 2 / 3 + 5);
    byw_gpu_result_free(r);
}

/* The predictor learns a streaming PC from evictions: first the cache fills, then eight lines are
 * evicted. */
static void predictor_learns_the_stream(void **state)
{
    struct bench *b = *state;
    struct byw_gpu_result *r;

    b->config.sm_count = 1;
    b->config.pc_on = 1;
    b->config.pc_duel = 0;
    r = stream(b, 1, 600, false);
    assert_int_equal(r->l1.ev[BYW_EV_BYPASS], r->l1.policy[BYW_PEV_PC_BYPASS]);
    assert_int_equal(r->l1.policy[BYW_PEV_PC_ASK], 600);
    assert_int_equal(r->l1.policy[BYW_PEV_PC_SAMPLE], (600 - 128 - 8) / 32);
    assert_int_equal(r->l1.ev[BYW_EV_MISS], 128 + 8 + (600 - 128 - 8) / 32);
    assert_int_equal(r->mem.l2.mispredicts, 0);
    byw_gpu_result_free(r);
    b->config.pc_sample = 0;
    r = stream(b, 2, 600, false); /* the next launch finds the table as it was */
    assert_int_equal(r->l1.ev[BYW_EV_MISS], 128 + 8);
    byw_gpu_result_free(r);
    r = stream(b, 2, 600, true); /* another kernel has other PCs */
    assert_int_equal(r->l1.ev[BYW_EV_MISS], 2 * (128 + 8));
    byw_gpu_result_free(r);
}

/* A loop over too many lines bypasses its second half, whose lines are requested again. */
static void the_l2_reports_mistakes(void **state)
{
    struct bench *b = *state;
    struct byw_kernel k = kernel_of(1, 32);
    struct byw_gpu_result *r;

    b->config.sm_count = 1;
    b->config.pc_on = 1;
    b->config.pc_duel = 0;
    b->config.pc_sample = 0;
    for (uint32_t bit = 0; bit < 2; bit++) {
        b->config.pc_l2bit = bit;
        begin(b, &k);
        byw_cta_add_warp(&b->cta);
        for (uint32_t i = 0; i < 900; i++) {
            struct byw_inst *inst = add(b, BYW_CLASS_LOAD, 1, 1);

            inst->pc = 64;
            inst->base += 128 * (i % 300);
        }
        add(b, BYW_CLASS_EXIT, 1, 0);
        assert_int_equal(byw_trace_cta(b->writer, &b->cta, NULL), BYW_OK);
        r = finish(b);
        assert_int_equal(r->l1.policy[BYW_PEV_PC_MISPREDICT], r->mem.l2.mispredicts);
        assert_int_equal(r->mem.l2.mispredicts != 0, bit);
        byw_gpu_result_free(r);
    }
}

/* Two loads in close succession: the second finds the bypassed fetch of the first in flight, which
 * counts as a reuse. */
static void a_fetch_under_way_is_a_reuse(void **state)
{
    struct bench *b = *state;
    struct byw_kernel k = kernel_of(1, 32);
    struct byw_gpu_result *r;

    b->config.sm_count = 1;
    b->config.pc_on = 1;
    b->config.pc_duel = 0;
    b->config.pc_sample = 0;
    begin(b, &k);
    byw_cta_add_warp(&b->cta);
    for (uint32_t i = 0; i < 402; i++) {
        struct byw_inst *inst = add(b, BYW_CLASS_LOAD, 1, 1);

        inst->pc = 64;
        inst->base += 128 * (i < 400 ? i : 400);
        inst->use = i != 400; /* the last load does not wait for the previous one */
    }
    add(b, BYW_CLASS_EXIT, 1, 0);
    assert_int_equal(byw_trace_cta(b->writer, &b->cta, NULL), BYW_OK);
    r = finish(b);
    assert_int_equal(r->l1.ev[BYW_EV_MISS], 128 + 8);
    assert_int_equal(r->mem.l2.mispredicts, 1);
    byw_gpu_result_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(skipping_changes_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(a_queue_does_not_hold_the_scratchpad, setup, teardown),
        cmocka_unit_test_setup_teardown(no_effect_is_off, setup, teardown),
        cmocka_unit_test_setup_teardown(two_level_follows_the_kernel, setup, teardown),
        cmocka_unit_test_setup_teardown(predictor_learns_the_stream, setup, teardown),
        cmocka_unit_test_setup_teardown(active_warps_are_counted_in_sleep, setup, teardown),
        cmocka_unit_test_setup_teardown(a_fetch_under_way_is_a_reuse, setup, teardown),
        cmocka_unit_test_setup_teardown(the_l2_reports_mistakes, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
