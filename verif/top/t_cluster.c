/* SPDX-License-Identifier: Apache-2.0
 *
 * The cluster: a host that lets L1s sleep and skips cycles sees exactly what one sees that steps
 * every L1 in every cycle (transfers, counters, dueling, final state); and dueling end to end.
 */
#include "common/byw_l1d_mix.h"
#include "l1d/byw_l1d_ops.h"
#include "top/byw_cluster.h"
#include "top/byw_csr.h"

enum { SMS = 4 };

#define AWAKE UINT64_MAX

/* A bench per SM around one cluster.  Traffic comes in bursts with long gaps; what is offered when
 * depends on the cycle and on what was accepted, never on who sleeps. */
struct rig {
    struct byw_cluster *cluster;
    struct host *host[SMS];
    uint64_t asleep_since[SMS];
    bool asleep_ready[SMS]; /* mem_req_ready when it fell asleep */
    uint8_t asleep_warps[SMS]; /* active warps that its cluster knows of */
    uint64_t unticked; /* cycles in which nobody was stepped, not yet skipped */
    uint64_t slept, skipped;
    uint64_t digest; /* of all transfers */
    uint64_t next_burst[SMS];
    uint32_t left[SMS]; /* requests of the burst */
    uint32_t period[SMS]; /* offers one every so many cycles */
    bool pending[SMS]; /* a request is made up */
    struct byw_req req[SMS];
    uint8_t data[SMS][HOST_WHOLE];
    bool may_sleep;
    uint64_t flips; /* of the followers' filter */
    uint64_t cycle;
};

static void step_cluster(struct host *h, const struct byw_l1d_in *in, struct byw_l1d_out *out)
{
    struct rig *rig = h->owner;
    uint32_t sm = 0;

    while (rig->host[sm] != h)
        sm++;
    byw_cluster_sm(rig->cluster, sm, in, out);
}

static struct rig *rig_new(const struct byw_config *config, bool may_sleep, uint64_t seed)
{
    struct rig *rig = calloc(1, sizeof(*rig));
    struct byw_diag diag;
    uint32_t i;

    assert_non_null(rig);
    rig->may_sleep = may_sleep;
    if (byw_cluster_create(config, true, &rig->cluster, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
    for (i = 0; i < SMS; i++) {
        rig->host[i] = host_new("cluster", config, seed + i);
        rig->host[i]->step = step_cluster;
        rig->host[i]->owner = rig;
        rig->host[i]->latency = 30 + 150 * i; /* long enough to be refused and asleep meanwhile */
        rig->host[i]->error_percent = 1;
        rig->asleep_since[i] = AWAKE;
    }
    return rig;
}

static void rig_free(struct rig *rig)
{
    uint32_t i;

    for (i = 0; i < SMS; i++)
        host_free(rig->host[i]);
    byw_cluster_free(rig->cluster);
    free(rig);
}

static bool mem_ready(const struct rig *rig, uint32_t sm)
{
    return ((rig->cycle >> 8) * 7 + sm * 3) % 8 != 0;
}

/* Active warps of SM sm in this cycle: they change now and then, whoever sleeps. */
static uint8_t warps(const struct rig *rig, uint32_t sm)
{
    return (uint8_t)(((rig->cycle >> 7) * 11 + sm * 5) % 33);
}

/* The only kernel starts with its first CTA in cycle 0 (later ones would drop local bytes that the
 * host expects to find); further CTAs come whenever they come. */
static bool cta_comes(const struct rig *rig, uint32_t sm)
{
    return (rig->cycle + 700 * sm) % 5000 == 0;
}

/* Whether SM sm offers its request in this cycle. */
static bool rig_offers(struct rig *rig, uint32_t sm)
{
    static const struct host_mix mix = {
        .lines = 100, .percent = 100, .stores = 10, .atomics = 2, .locals = 10, .hints = 3};
    struct host *h = rig->host[sm];

    if (rig->cycle < rig->next_burst[sm])
        return false;
    if (rig->left[sm] == 0) {
        rig->left[sm] = 1 + byw_rng_below(&h->rng, 100);
        rig->period[sm] = byw_rng_below(&h->rng, 2) == 0 ? 1 : 40;
    }
    if (!rig->pending[sm])
        rig->pending[sm] = host_random_req(h, &mix, rig->data[sm], &rig->req[sm]);
    return rig->pending[sm] && rig->cycle % rig->period[sm] == 0;
}

static void rig_mix(struct rig *rig, uint64_t value)
{
    rig->digest = (rig->digest ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    rig->digest ^= rig->digest >> 31;
}

static void rig_wake(struct rig *rig, uint32_t sm)
{
    if (rig->asleep_since[sm] == AWAKE)
        return;
    byw_cluster_sleep(rig->cluster, sm, rig->cycle - rig->asleep_since[sm]);
    rig->slept += rig->cycle - rig->asleep_since[sm];
    rig->asleep_since[sm] = AWAKE;
}

/* A sleeping L1 hears of a new number of active warps. */
static void rig_tell_warps(struct rig *rig, uint32_t sm)
{
    if (rig->asleep_warps[sm] == warps(rig, sm))
        return;
    rig_wake(rig, sm);
    rig->asleep_since[sm] = rig->cycle;
    rig->asleep_warps[sm] = warps(rig, sm);
    byw_cluster_warps(rig->cluster, sm, warps(rig, sm));
}

static void rig_step(struct rig *rig, uint32_t sm, bool offer)
{
    struct host *h = rig->host[sm];

    h->req_percent = mem_ready(rig, sm) ? 100 : 0;
    h->active_warps = warps(rig, sm);
    h->cta_placed = cta_comes(rig, sm);
    h->kernel_start = rig->cycle == 0;
    if (host_cycle(h, offer ? &rig->req[sm] : NULL)) {
        rig->pending[sm] = false;
        if (--rig->left[sm] == 0)
            rig->next_burst[sm] = rig->cycle + byw_rng_below(&h->rng, 3000);
        rig_mix(rig, rig->cycle << 2);
    }
    if (h->out.rsp_valid)
        rig_mix(rig, rig->cycle << 20 | h->out.rsp.id << 2 | 1);
    if (h->out.mem_req_valid && h->in.mem_req_ready)
        rig_mix(rig, rig->cycle << 20 | h->out.mem_req.line << 2 | 2);
}

static void rig_skip(struct rig *rig)
{
    if (rig->unticked != 0)
        byw_cluster_skip(rig->cluster, rig->unticked);
    rig->skipped += rig->unticked;
    rig->unticked = 0;
}

static void rig_cycle(struct rig *rig)
{
    bool offer[SMS], input[SMS], stay[SMS], all_stay = true;
    bool was_on = byw_cluster_filter_on(rig->cluster, SMS - 1);
    uint32_t i;

    for (i = 0; i < SMS; i++) {
        rig->host[i]->cycle = rig->cycle;
        offer[i] = rig_offers(rig, i);
        input[i] =
            offer[i] || host_mem_due(rig->host[i]) != NULL || cta_comes(rig, i) || rig->cycle == 0;
        if (rig->asleep_since[i] != AWAKE)
            rig_tell_warps(rig, i);
        /* Once asleep it is not asked again until something comes. */
        stay[i] =
            rig->asleep_since[i] != AWAKE && !input[i] && rig->asleep_ready[i] == mem_ready(rig, i);
        all_stay = all_stay && stay[i];
    }
    if (all_stay) {
        rig->unticked++;
        return;
    }
    rig_skip(rig);
    for (i = 0; i < SMS; i++) {
        if (stay[i])
            continue;
        rig_wake(rig, i);
        if (rig->may_sleep && !input[i] && byw_cluster_asleep(rig->cluster, i, mem_ready(rig, i))) {
            rig->asleep_since[i] = rig->cycle;
            rig->asleep_ready[i] = mem_ready(rig, i);
            rig->asleep_warps[i] = rig->host[i]->active_warps; /* of its last step */
            rig_tell_warps(rig, i);
        } else {
            rig_step(rig, i, offer[i]);
        }
    }
    byw_cluster_tick(rig->cluster);
    rig->flips += byw_cluster_filter_on(rig->cluster, SMS - 1) != was_on;
}

static void rig_run(struct rig *rig, uint64_t cycles)
{
    uint32_t i;

    for (; cycles > 0; cycles--) {
        rig_cycle(rig);
        rig->cycle++;
    }
    rig_skip(rig);
    for (i = 0; i < SMS; i++)
        rig_wake(rig, i);
}

static void compare(const struct byw_config *config, uint64_t seed, uint64_t *flips,
                    struct byw_l1_stats *sum)
{
    struct rig *plain = rig_new(config, false, seed);
    struct rig *lazy = rig_new(config, true, seed);
    uint32_t sm;

    rig_run(plain, 60000);
    rig_run(lazy, 60000);
    if (plain->digest != lazy->digest)
        fail_msg("transfers differ when L1s sleep; rerun with SEED=%llu", (unsigned long long)seed);
    for (sm = 0; sm < SMS; sm++) {
        const struct byw_l1d *a = byw_cluster_l1d(plain->cluster, sm);
        const struct byw_l1d *b = byw_cluster_l1d(lazy->cluster, sm);

        assert_memory_equal(byw_cluster_stats(plain->cluster, sm),
                            byw_cluster_stats(lazy->cluster, sm), sizeof(struct byw_l1_stats));
        assert_true(byw_l1d_digest(a) == byw_l1d_digest(b));
        assert_null(byw_l1d_check(b));
    }
    assert_int_equal(plain->slept, 0);
    assert_true(lazy->slept > 60000 && lazy->skipped > 1000);
    *flips += plain->flips;
    for (sm = 0; sm < SMS; sm++)
        byw_stats_add(sum, byw_cluster_stats(lazy->cluster, sm), 1);
    rig_free(plain);
    rig_free(lazy);
}

static void test_sleep(void **state)
{
    uint64_t seed = host_seed(100), flips = 0, none = 0;
    struct byw_l1_stats sum = {.stall_cycles = 0};
    uint32_t i;

    (void)state;
    for (i = 0; i < 12; i++) {
        struct byw_config c;

        byw_config_defaults(&c);
        c.sm_count = SMS;
        c.l1d_sets = 2;
        c.l1d_mshrs = 3 + i % 3;
        c.l1d_merges = 2;
        c.l1d_miss_queue = 2;
        c.l1d_bypass_queue = 2;
        c.l1d_trackers = 4;
        c.policy_mode = i % 4 == 0 ? BYW_MODE_BASE : BYW_MODE_DECOUPLED;
        if (i % 8 == 1)
            c.policy_mode = BYW_MODE_BYPASS_ALL;
        c.duel_on = i % 2;
        c.duel_interval = i % 3 == 0 ? 1 : 130;
        c.duel_hold = i % 4 == 3 ? 200 : 0; /* the leaders change, too */
        c.duel_follow = 1;
        c.duel_margin = 0;
        c.duel_min = 1;
        c.dec_byp_rsfail = i % 5 == 0;
        compare(&c, seed + 10 * i,
                c.policy_mode == BYW_MODE_DECOUPLED && c.duel_on ? &flips : &none, &sum);
    }
    assert_int_equal(none, 0);
    assert_true(flips > 50); /* the filter was switched under sleeping caches */
}

/* Two-level, alone and beside the others: windows open and close while the L1s sleep. */
static void test_two_level_sleep(void **state)
{
    uint64_t seed = host_seed(300), flips = 0;
    struct byw_l1_stats sum = {.stall_cycles = 0};
    uint32_t i;

    (void)state;
    for (i = 0; i < 12; i++) {
        struct byw_config c;

        byw_config_defaults(&c);
        c.sm_count = SMS;
        c.l1d_sets = 8;
        c.l1d_ways = 1;
        c.l1d_mshrs = 3 + i % 3;
        c.l1d_merges = 2;
        c.l1d_miss_queue = 2;
        c.l1d_bypass_queue = 2;
        c.l1d_trackers = 4;
        c.policy_mode = i % 3 == 0 ? BYW_MODE_DECOUPLED : BYW_MODE_BASE;
        c.duel_on = i % 6 == 0;
        c.tl_on = 1;
        c.tl_resample = i % 4 == 3 ? BYW_BDU_PER_KERNEL_PC : BYW_BDU_PERIODIC;
        c.tl_sample = 300 + 177 * i;
        c.tl_period = 1 + 400 * i;
        c.tl_low = 80;
        c.tl_high = 200;
        c.tl_occupancy = 85;
        c.tl_min = 4;
        c.tl_last = i & 1;
        c.pc_on = i >> 1 & 1;
        c.pc_threshold = 3;
        c.stall_bypass = i % 3;
        compare(&c, seed + 10 * i, &flips, &sum);
    }
    for (i = BYW_PEV_TL_WINDOW; i < BYW_PEV_COUNT; i++)
        if (i != BYW_PEV_TL_KNOWN && i != BYW_PEV_PC_MISPREDICT && i != BYW_PEV_PC_HOT &&
            sum.policy[i] == 0)
            fail_msg("event %u never came", i);
    assert_true(sum.two_level_cycles[BYW_TL_SAMPLE] > 100000);
    assert_true(sum.two_level_cycles[BYW_TL_BYPASS] > 100000);
    assert_int_equal(sum.two_level_cycles[BYW_TL_SAMPLE] + sum.two_level_cycles[BYW_TL_BYPASS] +
                         sum.two_level_cycles[BYW_TL_CACHE],
                     12 * SMS * 60000);
}

/* Streams through one SM's L1: every line of a window of `lines`, again and again. */
static void drive(struct rig *rig, uint32_t lines, uint32_t cycles)
{
    uint64_t end = rig->cycle + cycles;
    uint32_t i;

    for (; rig->cycle < end; rig->cycle++) {
        for (i = 0; i < SMS; i++) {
            struct host *h = rig->host[i];
            struct byw_req req = {.line = rig->left[i] % lines, .id = host_free_id(h)};

            req.bytes = host_mask(0, 4);
            h->cycle = rig->cycle;
            rig->left[i] += host_cycle(h, req.id < HOST_IDS ? &req : NULL);
        }
        byw_cluster_tick(rig->cluster);
    }
}

/* Dueling in samples of 500 cycles, `hold` cycles apart. */
static struct byw_config dueling_config(uint32_t hold)
{
    struct byw_config c;

    byw_config_defaults(&c);
    c.sm_count = SMS;
    c.policy_mode = BYW_MODE_DECOUPLED;
    c.dec_rc_init = 0;
    c.duel_on = 1;
    c.duel_interval = 500;
    c.duel_hold = hold;
    c.duel_follow = 1;
    c.duel_min = 8;
    return c;
}

/* SMs whose memory makes no errors and answers after `latency` cycles. */
static struct rig *steady_rig(const struct byw_config *config, uint32_t latency)
{
    struct rig *rig = rig_new(config, false, 1);
    uint32_t sm;

    for (sm = 0; sm < SMS; sm++) {
        rig->host[sm]->error_percent = 0;
        rig->host[sm]->latency = latency;
    }
    return rig;
}

static void test_dueling(void **state)
{
    struct byw_config c = dueling_config(0);
    struct rig *rig = steady_rig(&c, 100);
    uint32_t sm;

    (void)state;
    for (sm = 0; sm < SMS; sm++)
        assert_int_equal(byw_cluster_filter_on(rig->cluster, sm), sm == 0);
    drive(rig, HOST_LINES, 20000); /* a loop far larger than the cache: no hits anywhere */
    assert_true(byw_cluster_filter_on(rig->cluster, 2) && byw_cluster_filter_on(rig->cluster, 3));
    assert_true(byw_cluster_filter_on(rig->cluster, 0) && !byw_cluster_filter_on(rig->cluster, 1));
    assert_true(byw_cluster_stats(rig->cluster, 2)->filter_on_cycles > 15000);
    assert_int_equal(byw_cluster_stats(rig->cluster, 0)->filter_on_cycles, 20000);
    assert_int_equal(byw_cluster_stats(rig->cluster, 1)->filter_on_cycles, 0);
    assert_int_equal(byw_cluster_stats(rig->cluster, 1)->ev[BYW_EV_BYPASS], 0);
    assert_true(byw_cluster_stats(rig->cluster, 3)->ev[BYW_EV_BYPASS] > 0);
    rig_free(rig);
}

/* Between samples the leaders obey the decision like all others, and play their roles again in the
 * next sample (duel.follow = all). */
static void test_dueling_leaders_follow(void **state)
{
    struct byw_config c = dueling_config(1500);
    struct rig *rig = steady_rig(&c, 100);
    uint32_t sm;

    (void)state;
    drive(rig, HOST_LINES, 500); /* the first sample; nothing hits, so the filter goes on */
    for (sm = 0; sm < SMS; sm++)
        assert_false(byw_cluster_filter_on(rig->cluster, sm));
    drive(rig, HOST_LINES, 3); /* the vote is on its way */
    assert_false(byw_cluster_filter_on(rig->cluster, 2));
    drive(rig, HOST_LINES, 1);
    for (sm = 0; sm < SMS; sm++)
        assert_true(byw_cluster_filter_on(rig->cluster, sm));
    drive(rig, HOST_LINES, 1495);
    assert_true(byw_cluster_filter_on(rig->cluster, 1));
    drive(rig, HOST_LINES, 1);
    assert_false(byw_cluster_filter_on(rig->cluster, 1)); /* the second sample */
    assert_int_equal(byw_cluster_stats(rig->cluster, 0)->filter_on_cycles, 1996);
    assert_int_equal(byw_cluster_stats(rig->cluster, 1)->filter_on_cycles, 1496);
    assert_int_equal(byw_cluster_stats(rig->cluster, 2)->filter_on_cycles, 1496);
    assert_true(byw_cluster_stats(rig->cluster, 1)->ev[BYW_EV_BYPASS] > 0);
    rig_free(rig);
}

/* A cycle in which SM 1 alone may offer `line` (NULL: nobody) and the bus write DUEL (NULL: not).
 */
static void lone_cycle(struct rig *rig, const uint64_t *line, const uint32_t *duel)
{
    struct byw_cluster_bus_in bus = {
        .req_valid = duel != NULL, .req_write = true, .rsp_ready = true, .req_addr = BYW_CSR_DUEL};
    struct byw_cluster_bus_out out;
    struct byw_diag diag;
    uint32_t sm;

    if (duel != NULL)
        bus.req_data = *duel;
    assert_int_equal(byw_cluster_bus(rig->cluster, &bus, &out, &diag), BYW_OK);
    for (sm = 0; sm < SMS; sm++) {
        struct host *h = rig->host[sm];
        struct byw_req req = {.id = host_free_id(h), .bytes = host_mask(0, 4)};

        if (line != NULL)
            req.line = *line;
        h->cycle = rig->cycle;
        host_cycle(h, line != NULL && sm == 1 ? &req : NULL);
    }
    byw_cluster_tick(rig->cluster);
    rig->cycle++;
}

/* Dueling is switched off by a write in cycle `at`; in cycle 2000 leader 1 would be without its
 * filter, for its second sample.  Returns the tags that leader 1 makes for a line that it made one
 * for in cycle 1900. */
static uint64_t tags_made_again(uint32_t at)
{
    struct byw_config c = dueling_config(1500);
    struct rig *rig = steady_rig(&c, 100);
    const uint64_t line = 7;
    struct byw_csr csr;
    uint64_t made = 0;

    c.duel_on = 0;
    byw_csr_init(&csr, SMS);
    byw_csr_from_config(&csr, &c);
    drive(rig, HOST_LINES, 1800);
    while (rig->cycle < 2100) {
        bool asks = rig->cycle == 1900 || rig->cycle == 2010;

        if (rig->cycle == 2010)
            made = byw_cluster_stats(rig->cluster, 1)->ev[BYW_EV_NEW_TAG];
        lone_cycle(rig, asks ? &line : NULL, rig->cycle == at ? &csr.duel : NULL);
    }
    assert_true(byw_cluster_filter_on(rig->cluster, 1));
    made = byw_cluster_stats(rig->cluster, 1)->ev[BYW_EV_NEW_TAG] - made;
    rig_free(rig);
    return made;
}

/* A turn that new settings hide is never seen: the filter is on in all cycles, no tag is dropped.
 */
static void test_settings_hide_a_turn(void **state)
{
    (void)state;
    assert_int_equal(tags_made_again(1998), 0);
    assert_int_equal(tags_made_again(1999), 0); /* in its place: 2000 is the first cycle without */
    assert_int_equal(tags_made_again(2000), 1);
}

/* Touched twice and never again: caching at the first touch hits half the time, the filter never.
 */
static void test_dueling_switches_off(void **state)
{
    struct byw_config c = dueling_config(0);
    struct rig *rig;
    uint32_t sm, i, n;

    (void)state;
    c.duel_init = 1;
    rig = steady_rig(&c, 2);
    for (n = 0; n < 400; n++) {
        for (i = 0; i < 20; i++) { /* two touches, 10 cycles apart */
            for (sm = 0; sm < SMS; sm++) {
                struct host *h = rig->host[sm];
                struct byw_req req = {.line = n, .id = host_free_id(h), .bytes = host_mask(0, 4)};

                h->cycle = rig->cycle;
                host_cycle(h, i % 10 == 0 ? &req : NULL);
            }
            byw_cluster_tick(rig->cluster);
            rig->cycle++;
        }
    }
    assert_false(byw_cluster_filter_on(rig->cluster, 2));
    assert_true(byw_cluster_stats(rig->cluster, 1)->ev[BYW_EV_HIT] == 400);
    assert_true(byw_cluster_stats(rig->cluster, 0)->ev[BYW_EV_HIT] == 0);
    rig_free(rig);
}

static void test_counters(void **state)
{
    struct byw_config c;
    struct rig *rig;
    uint32_t sm, e;

    (void)state;
    byw_config_defaults(&c);
    c.sm_count = SMS;
    c.policy_mode = BYW_MODE_DECOUPLED;
    c.l1d_mshrs = 2;
    rig = rig_new(&c, false, 9);
    rig_run(rig, 30000);
    for (sm = 0; sm < SMS; sm++) {
        const struct byw_l1_stats *stats = byw_cluster_stats(rig->cluster, sm);
        uint64_t fails = 0;

        host_check_counts(rig->host[sm]);
        for (e = 0; e < BYW_EV_COUNT; e++)
            assert_true(stats->ev[e] == rig->host[sm]->ev[e]);
        for (e = BYW_EV_FAIL_LINE; e <= BYW_EV_FAIL_ICNT; e++)
            fails += stats->ev[e];
        assert_true(stats->stall_cycles == fails && fails != 0);
        assert_true(stats->ev[BYW_EV_NEW_TAG] + stats->ev[BYW_EV_CANDIDATE] <=
                    stats->ev[BYW_EV_BYPASS]);
    }
    rig_free(rig);
}

/* Caches that are not the C model (they count nothing for mechanisms in C) refuse what has no
 * hardware, by its name. */
static void test_others_refuse_by_name(void **state)
{
    static const char *const of_c[][3] = {
        {"policy.use", "pdp", "mechanism pdp"},
        {"policy.use", "profiled", "mechanism profiled"},
        {"policy.use", "apcm_like", "mechanism apcm_like"},
        {"policy.use", "pemp_like", "mechanism pemp_like"},
        {"policy.use", "carb_like", "mechanism carb_like"},
        {"l1d.replacement", "brrip", "replacement brrip"},
        {"l1d.replacement", "drrip", "replacement drrip"},
        {"l1d.replacement", "ship", "replacement ship"},
    };
    struct byw_l1d_ops other = byw_l1d_model;

    (void)state;
    other.counters = NULL;
    other.mech_state = NULL;
    for (size_t i = 0; i < sizeof(of_c) / sizeof(of_c[0]); i++) {
        struct byw_cluster *cluster = NULL;
        struct byw_diag diag = {""};
        struct byw_config c;

        byw_config_defaults(&c);
        assert_int_equal(byw_config_set(&c, of_c[i][0], of_c[i][1], "", NULL), BYW_OK);
        assert_int_equal(byw_cluster_create_on(&c, &other, false, &cluster, &diag),
                         BYW_EUNSUPPORTED);
        assert_non_null(strstr(diag.text, of_c[i][2]));
        assert_int_equal(byw_cluster_create(&c, false, &cluster, &diag), BYW_OK);
        byw_cluster_free(cluster);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_others_refuse_by_name),  cmocka_unit_test(test_sleep),
        cmocka_unit_test(test_two_level_sleep),        cmocka_unit_test(test_dueling),
        cmocka_unit_test(test_dueling_leaders_follow), cmocka_unit_test(test_dueling_switches_off),
        cmocka_unit_test(test_settings_hide_a_turn),   cmocka_unit_test(test_counters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
