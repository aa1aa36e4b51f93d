/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_sm_l1 - byw_sm_l1.v against byw_sm_l1.c: every output of every cycle, the two-level
 * unit's state, counters read during the run and all of them at the end. Random traffic; new
 * settings come with a reset at any time, or with restart_i once the cache is idle. With P_TRIAL
 * also trials, which new settings may switch on and off; with P_PARITY bits of the data store are
 * flipped.
 */
#define P_SMS 1

#define LOCK_SMS_BEATS

#ifndef P_STATS
#define P_STATS 1
#endif

#include "cosim/lock_flip.h"
#include "top/byw_sm_l1.h"
#include "top/lock_sms.h"

struct setting_ports {
    uint32_t rst, restart, filter_on, cfg, pc_cfg, tl_cfg, tl_window, tl_period, tl_bound;
    uint32_t pc_counter, count_req, count_sel, count_valid, count_data;
};

struct bench {
    struct lock_sms s;
    struct setting_ports p;
    struct byw_sm_l1 sm;
    bool alive; /* sm has been created */
    bool idle; /* the L1 was idle in the last cycle */
    bool restart; /* settings are new in this cycle */
    uint32_t left; /* cycles until new settings */
    bool reads;
    uint32_t sel, waited;
    uint64_t want; /* the answer */
    uint64_t counters, restarts;
    uint64_t parity; /* pulses of wrong parity */
    bool trial; /* trials may be on, until the next reset */
};

static struct setting_ports find_ports(const struct dut *d)
{
    return (struct setting_ports){
        .rst = dut_port(d, "rst_i"),
        .restart = dut_port(d, "restart_i"),
        .filter_on = dut_port(d, "filter_on_i"),
        .cfg = dut_port(d, "cfg_i"),
        .pc_cfg = dut_port(d, "pc_cfg_i"),
        .tl_cfg = dut_port(d, "tl_cfg_i"),
        .tl_window = dut_port(d, "tl_window_i"),
        .tl_period = dut_port(d, "tl_period_i"),
        .tl_bound = dut_port(d, "tl_bound_i"),
        .pc_counter = dut_port(d, "pc_counter_o"),
        .count_req = dut_port(d, "count_req_i"),
        .count_sel = dut_port(d, "count_sel_i"),
        .count_valid = dut_port(d, "count_valid_o"),
        .count_data = dut_port(d, "count_data_o"),
    };
}

static void put_settings(struct bench *b, const struct byw_config *config)
{
    struct dut *d = b->s.l.dut;
    struct byw_csr csr;

    byw_csr_init(&csr, 1);
    byw_csr_from_config(&csr, config);
    dut_put(d, b->p.cfg, csr.policy);
    dut_put(d, b->p.pc_cfg, csr.pc_pred | !P_PC_PRED); /* omitted unit: no effect */
    dut_put(d, b->p.tl_cfg, csr.two_level);
    dut_put(d, b->p.tl_window, csr.two_level_window);
    dut_put(d, b->p.tl_period, csr.two_level_period);
    dut_put(d, b->p.tl_bound, csr.two_level_bound);
}

static void check(enum byw_status status, const struct byw_diag *diag)
{
    if (status == BYW_OK)
        return;
    fprintf(stderr, "%s\n", diag->text);
    exit(2);
}

/* Resets both sides: creates a new L1 in C, and drives a reset cycle in RTL. */
static void reset(struct bench *b)
{
    struct byw_config config = lock_sms_random_config(&b->s.l);
    struct dut *d = b->s.l.dut;
    struct byw_diag diag;

    b->trial = lock_chance(&b->s.l, 80);
    lock_sms_set_trial(&config, b->trial);
    if (b->alive)
        byw_sm_l1_release(&b->sm);
    check(byw_sm_l1_init(&b->sm, &config, &byw_l1d_model, true, &diag), &diag);
    b->alive = true;
    b->reads = false;
    put_settings(b, &config);
    dut_put(d, b->p.count_req, 0);
    dut_put(d, b->p.restart, 0);
    dut_put(d, b->p.rst, 1);
    dut_eval(d);
    dut_tick(d);
    dut_put(d, b->p.rst, 0);
    traffic_forget(&b->s.traffic[0]);
}

static void restart(struct bench *b)
{
    struct byw_config config = lock_sms_random_config(&b->s.l);
    struct byw_diag diag;

    lock_sms_set_trial(&config, b->trial && lock_chance(&b->s.l, 70));
    check(b->sm.ops->configure(b->sm.l1d, &config, &diag), &diag);
    byw_two_level_configure(&b->sm.two_level, &config);
    put_settings(b, &config);
    b->restart = true;
    b->restarts++;
}

/* Every few thousand cycles: either an immediate reset, or no new requests until the cache is idle,
 * then a restart. */
static void renew(struct bench *b)
{
    b->restart = false;
    if (!b->alive || (b->left == 0 && !b->s.quiet && lock_chance(&b->s.l, 30))) {
        reset(b);
    } else if (b->left != 0) {
        b->left--;
        return;
    } else if (!b->s.quiet) {
        b->s.quiet = true;
        return;
    } else if (!b->idle || b->s.traffic[0].in.req_valid) {
        return;
    } else {
        restart(b);
    }
    b->s.quiet = false;
    b->s.traffic[0].phase_left = 0;
    b->left = 500 + lock_below(&b->s.l, 4000);
}

/* A read holds its request until it is answered; without counters by 0 and at once. */
static void drive_read(struct bench *b)
{
    if (!b->reads && lock_chance(&b->s.l, 20)) {
        b->reads = true;
        b->waited = 0;
        b->sel = lock_below(&b->s.l, BYW_COUNTERS + 1);
    }
    dut_put(b->s.l.dut, b->p.count_req, b->reads);
    dut_put(b->s.l.dut, b->p.count_sel, b->sel);
}

static void check_read(struct bench *b)
{
    bool due = b->reads && b->waited == (P_STATS ? BYW_STATS_ANSWER : 0);

    if (b->waited++ == BYW_STATS_SAMPLE && P_STATS)
        b->want = byw_stats_counter(&b->sm.stats, b->sel);
    lock_same(&b->s.l, "count_valid", due, dut_get(b->s.l.dut, b->p.count_valid));
    if (!due)
        return;
    lock_same_at(&b->s.l, "counter", b->sel, b->want, dut_get(b->s.l.dut, b->p.count_data));
    b->reads = false;
    b->counters++;
}

static void one_cycle(struct bench *b)
{
    struct byw_l1d_in *in = &b->s.traffic[0].in;
    struct byw_l1d_out out;
    uint32_t state, written;

    renew(b);
    lock_sms_next(&b->s, 0);
    dut_put(b->s.l.dut, b->p.filter_on, in->ctrl.filter_on);
    dut_put(b->s.l.dut, b->p.restart, b->restart);
    drive_read(b);
    lock_sms_eval(&b->s);
    check_read(b);
    state =
        b->sm.two_level.on && !b->restart ? byw_two_level_state(&b->sm.two_level) : BYW_TL_STATES;
    in->ctrl.kernel_start |= b->restart;
    lock_sms_look(&b->s, 0, b->sm.l1d);
    written = lock_set_of_s2(b->sm.l1d);
    byw_sm_l1_step(&b->sm, in, in->ctrl.filter_on, b->restart, &out);
    b->sm.stats.filter_on_cycles += in->ctrl.filter_on;
    lock_sms_compare(&b->s, 0, &out, state);
    if ((out.policy_events & byw_pev(BYW_PEV_PC_ASK)) != 0)
        lock_same(&b->s.l, "pc_counter", out.pc_counter, dut_get(b->s.l.dut, b->p.pc_counter));
    byw_sm_l1_count_mechs(&b->sm);
    lock_sms_compare_trials(&b->s, 0, b->sm.stats.mech);
    b->idle = out.idle;
    b->parity += out.parity != 0;
    traffic_moved(&b->s.traffic[0], &out);
    dut_tick(b->s.l.dut);
    lock_flip(&b->s.l, b->sm.l1d, written);
}

static void read_all(struct bench *b)
{
    uint32_t sel;

    while (b->reads)
        one_cycle(b);
    b->left = UINT32_MAX;
    for (sel = 0; sel < BYW_COUNTERS; sel++) {
        b->reads = true;
        b->waited = 0;
        b->sel = sel;
        while (b->reads)
            one_cycle(b);
    }
}

int main(int argc, char **argv)
{
    struct bench *b = calloc(1, sizeof(*b));
    int status;

    if (b == NULL)
        return 2;
    b->s.l = lock_start(argc, argv, 200000);
    b->p = find_ports(b->s.l.dut);
    lock_sms_start(&b->s);
    for (b->s.l.cycle = 0; b->s.l.cycle < b->s.l.cycles; b->s.l.cycle++)
        one_cycle(b);
    read_all(b);
    lock_sms_check_met(&b->s);
    lock_met(&b->s.l, "counters read", b->counters);
    if (P_PARITY)
        lock_met(&b->s.l, "wrong parity", b->parity);
    lock_met(&b->s.l, "settings changed without a reset", b->restarts);
    byw_sm_l1_release(&b->sm);
    status = lock_pass(
        &b->s.l,
        ", %" PRIu64 " loads, %" PRIu64 " restarts, %" PRIu64 " windows, %" PRIu64 " counters read",
        b->s.met[BYW_EV_LOAD], b->restarts, b->s.policy_met[BYW_PEV_TL_WINDOW], b->counters);
    free(b);
    return status;
}
