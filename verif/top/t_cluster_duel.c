/* SPDX-License-Identifier: Apache-2.0
 *
 * Dueling in a cluster, end to end: the leaders' counts switch the filter on and off, leaders
 * follow between samples, restarts and the register bus, and a change that new settings hide has no
 * effect.
 */
#include "top/byw_csr.h"
#include "top/cluster_rig.h"

/* Streams through one SM's L1: every line of a window of `lines`, over and over. */
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

static void followers_filter_when_caching_gains_nothing(void **state)
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

/* Between samples the leaders follow the decision like all others; in the next sample they return
 * to their roles (duel.follow = all). */
static void leaders_follow_between_samples(void **state)
{
    struct byw_config c = dueling_config(1500);
    struct rig *rig = steady_rig(&c, 100);
    uint32_t sm;

    (void)state;
    drive(rig, HOST_LINES, 500); /* the first sample; nothing hits, so the filter goes on */
    for (sm = 0; sm < SMS; sm++)
        assert_false(byw_cluster_filter_on(rig->cluster, sm));
    drive(rig, HOST_LINES, 3); /* the vote has not arrived */
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

/* One cycle in which only SM 1 may offer `line` (NULL: none) and the bus may write DUEL (NULL: no
 * write). */
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

/* A write in cycle `at` switches dueling off; in cycle 2000 leader 1 would lose its filter for its
 * second sample. Returns how many tags leader 1 allocates for a line to which it gave a tag in
 * cycle 1900. */
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

/* A change hidden by new settings has no effect: the filter is on in all cycles, no tag is
 * dropped. */
static void a_filter_change_hidden_by_new_settings_never_occurs(void **state)
{
    (void)state;
    assert_int_equal(tags_made_again(1998), 0);
    assert_int_equal(tags_made_again(1999), 0); /* this write prevents the change in cycle 2000; the
                                                   next one comes too late */
    assert_int_equal(tags_made_again(2000), 1);
}

/* Touched twice and never again: caching at the first touch hits half the time, the filter
 * never. */
static void dueling_turns_the_filter_off_when_caching_helps(void **state)
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

/* One cycle in which every SM offers a load of a stream that never hits (if `loads`), and the bus
 * an access (if not NULL). Returns the data of a response in this cycle, 0 if there is none. */
static uint32_t bus_cycle(struct rig *rig, bool loads, const struct byw_cluster_bus_in *access)
{
    struct byw_cluster_bus_in bus = {.rsp_ready = true};
    struct byw_cluster_bus_out out;
    struct byw_diag diag;

    if (access != NULL)
        bus = *access;
    assert_int_equal(byw_cluster_bus(rig->cluster, &bus, &out, &diag), BYW_OK);
    for (uint32_t sm = 0; sm < SMS; sm++) {
        struct host *h = rig->host[sm];
        struct byw_req req = {.line = rig->left[sm] % HOST_LINES, .id = host_free_id(h)};

        req.bytes = host_mask(0, 4);
        h->cycle = rig->cycle;
        rig->left[sm] += host_cycle(h, loads && req.id < HOST_IDS ? &req : NULL);
    }
    byw_cluster_tick(rig->cluster);
    rig->cycle++;
    return out.rsp_valid ? out.rsp_data : 0;
}

static void bus_cycles(struct rig *rig, bool loads, uint32_t cycles)
{
    while (cycles-- != 0)
        bus_cycle(rig, loads, NULL);
}

static void bus_write(struct rig *rig, bool loads, uint32_t addr, uint32_t data)
{
    const struct byw_cluster_bus_in write = {.req_valid = true,
                                             .req_write = true,
                                             .rsp_ready = true,
                                             .req_addr = addr,
                                             .req_data = data};

    bus_cycle(rig, loads, &write);
    bus_cycle(rig, loads, NULL);
}

static uint32_t bus_read(struct rig *rig, uint32_t addr)
{
    const struct byw_cluster_bus_in read = {.req_valid = true, .rsp_ready = true, .req_addr = addr};

    bus_cycle(rig, true, &read);
    return bus_cycle(rig, true, NULL);
}

/* The decision of the first sample of a stream without hits is to filter. DUEL_RESTART and RESET
 * take it back, and the next sample begins with them. */
static void a_restart_takes_the_decision_back(void **state)
{
    (void)state;
    for (uint32_t lsb = BYW_CSR_COMMAND_DUEL_RESTART_LSB; lsb <= BYW_CSR_COMMAND_RESET_LSB; lsb++) {
        struct byw_config c = dueling_config(0);
        struct rig *rig = steady_rig(&c, 10);

        bus_cycles(rig, true, 504);
        assert_true(byw_cluster_filter_on(rig->cluster, 2));
        bus_cycles(rig, false, 200); /* all L1s become idle */
        assert_true(byw_cluster_filter_on(rig->cluster, 2));
        bus_write(rig, false, BYW_CSR_COMMAND, 1U << lsb);
        assert_false(byw_cluster_filter_on(rig->cluster, 2));
        bus_cycles(rig, true, 503);
        assert_false(byw_cluster_filter_on(rig->cluster, 2));
        bus_cycles(rig, true, 1);
        assert_true(byw_cluster_filter_on(rig->cluster, 2));
        rig_free(rig);
    }
}

/* While no policy duels, dueling rests: its first sample begins with the mode `decoupled`. */
static void dueling_begins_with_a_whole_sample(void **state)
{
    struct byw_config c = dueling_config(0);
    struct rig *rig;
    struct byw_csr csr;

    (void)state;
    byw_csr_init(&csr, SMS);
    byw_csr_from_config(&csr, &c);
    c.policy_mode = BYW_MODE_BASE;
    c.duel_on = 0;
    rig = steady_rig(&c, 10);
    bus_write(rig, false, BYW_CSR_DUEL, csr.duel); /* enabled; the mode is still `base` */
    bus_cycles(rig, false, 320);
    bus_write(rig, false, BYW_CSR_POLICY, csr.policy);
    for (uint32_t sm = 0; sm < SMS; sm++)
        assert_int_equal(byw_cluster_filter_on(rig->cluster, sm), sm == 0);
    bus_cycles(rig, true, 502); /* the first cycle of the sample has passed */
    assert_false(byw_cluster_filter_on(rig->cluster, 2));
    bus_cycles(rig, true, 1);
    assert_true(byw_cluster_filter_on(rig->cluster, 2));
    rig_free(rig);
}

/* STATUS.VOTES counts the samples that voted against the decision; the vote that turns it leaves 0.
 * With the rule `crossover` the count starts at the hysteresis. */
static void status_shows_the_votes(void **state)
{
    struct byw_config c = dueling_config(0);
    struct rig *rig;

    (void)state;
    c.duel_hyst = 3;
    rig = steady_rig(&c, 10);
    for (uint32_t sample = 0; sample < 4; sample++) {
        uint32_t status = bus_read(rig, BYW_CSR_STATUS);

        assert_int_equal(status >> BYW_CSR_STATUS_VOTES_LSB, sample % 3);
        assert_int_equal(status >> BYW_CSR_STATUS_FOLLOWERS_ON_LSB & 1, sample == 3);
        bus_cycles(rig, true, 498);
        while (rig->cycle % 500 != 10)
            bus_cycle(rig, true, NULL);
    }
    rig_free(rig);
    c.duel_rule = BYW_DUEL_CROSSOVER;
    rig = steady_rig(&c, 10);
    assert_int_equal(bus_read(rig, BYW_CSR_STATUS) >> BYW_CSR_STATUS_VOTES_LSB, c.duel_hyst);
    rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(followers_filter_when_caching_gains_nothing),
        cmocka_unit_test(leaders_follow_between_samples),
        cmocka_unit_test(dueling_turns_the_filter_off_when_caching_helps),
        cmocka_unit_test(a_restart_takes_the_decision_back),
        cmocka_unit_test(dueling_begins_with_a_whole_sample),
        cmocka_unit_test(status_shows_the_votes),
        cmocka_unit_test(a_filter_change_hidden_by_new_settings_never_occurs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
