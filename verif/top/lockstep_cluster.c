/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_cluster - byw_cluster.v (registers, N times byw_sm_l1, byw_sm_duel) against
 * byw_cluster.c: outputs and events of every SM in every cycle, which SMs filter, and the register
 * bus with all its answers. Each SM has its own random traffic. All settings come over the bus:
 * writes at any time, which are errors for the L1s' settings unless all L1s are idle; and every few
 * thousand cycles a pause in which everything is set again, sometimes with a RESET. At the end
 * every counter of every SM is read over the bus.
 */
#include "top/byw_cluster.h"
#include "top/lock_sms.h"

enum { PLAN = 4 * P_SMS * BYW_COUNTERS + 64 };

struct access {
    bool write;
    uint32_t addr, data;
};

struct bus_ports {
    uint32_t rst, filter_on, req_valid, req_ready, req_write, req_addr, req_data;
    uint32_t rsp_valid, rsp_ready, rsp_data, rsp_error;
};

struct bench {
    struct lock_sms s;
    struct bus_ports p;
    struct byw_cluster *cluster;
    struct access plan[PLAN]; /* accesses still to be made, one after the other */
    uint32_t planned, at;
    struct byw_cluster_bus_in bus;
    bool awaits; /* an answer is outstanding */
    struct access last; /* the last access with its response */
    bool idle; /* all SMs, in the last cycle */
    uint32_t left; /* cycles until the next pause */
    uint32_t busy; /* percent: accesses in addition to the plan */
    bool reads_only; /* these accesses are reads, so that dueling completes its windows */
    uint64_t flips, accesses, errors, renewed, resets, counts, nonzero;
};

static struct bus_ports find_ports(const struct dut *d)
{
    return (struct bus_ports){
        .rst = dut_port(d, "rst_i"),
        .filter_on = dut_port(d, "filter_on_o"),
        .req_valid = dut_port(d, "csr_req_valid_i"),
        .req_ready = dut_port(d, "csr_req_ready_o"),
        .req_write = dut_port(d, "csr_req_write_i"),
        .req_addr = dut_port(d, "csr_req_addr_i"),
        .req_data = dut_port(d, "csr_req_data_i"),
        .rsp_valid = dut_port(d, "csr_rsp_valid_o"),
        .rsp_ready = dut_port(d, "csr_rsp_ready_i"),
        .rsp_data = dut_port(d, "csr_rsp_data_o"),
        .rsp_error = dut_port(d, "csr_rsp_error_o"),
    };
}

/* --- the accesses ------------------------------------------------------------------------- */

static void plan(struct bench *b, bool write, uint32_t addr, uint32_t data)
{
    if (b->planned < PLAN)
        b->plan[b->planned++] = (struct access){write, addr, data};
}

static void plan_count(struct bench *b, uint32_t sm, uint32_t number)
{
    plan(b, true, BYW_CSR_COUNTER_SELECT, sm << BYW_CSR_COUNTER_SELECT_SM_LSB | number);
    plan(b, false, BYW_CSR_COUNTER_LOW, 0);
    plan(b, false, BYW_CSR_COUNTER_HIGH, 0);
}

/* Register writes for a random configuration: the L1s' own registers, or dueling's. */
static void plan_settings(struct bench *b, bool of_l1s, uint32_t percent)
{
    struct byw_config config = lock_sms_random_config(&b->s.l);
    struct byw_csr csr;
    uint32_t i;

    lock_sms_set_trial(&config, lock_chance(&b->s.l, 70));
    config.duel_rule = lock_below(&b->s.l, 2);
    config.duel_settle = lock_below(&b->s.l, 60);
    config.duel_speedup = lock_below(&b->s.l, 100);
    config.duel_noise = lock_below(&b->s.l, 4);
    byw_csr_init(&csr, P_SMS);
    byw_csr_from_config(&csr, &config);
    {
        const struct access all[] = {
            {true, BYW_CSR_POLICY, csr.policy},
            {true, BYW_CSR_PC_PRED, csr.pc_pred},
            {true, BYW_CSR_TWO_LEVEL, csr.two_level},
            {true, BYW_CSR_TWO_LEVEL_WINDOW, csr.two_level_window},
            {true, BYW_CSR_TWO_LEVEL_PERIOD, csr.two_level_period},
            {true, BYW_CSR_TWO_LEVEL_BOUND, csr.two_level_bound},
            {true, BYW_CSR_DUEL, csr.duel},
            {true, BYW_CSR_DUEL_INTERVAL, csr.duel_interval},
            {true, BYW_CSR_DUEL_MIN, csr.duel_min},
            {true, BYW_CSR_DUEL_HOLD, csr.duel_hold},
            {true, BYW_CSR_DUEL_SETTLE, csr.duel_settle},
        };

        for (i = of_l1s ? 0 : 6; i < (of_l1s ? 6 : 11); i++)
            if (lock_chance(&b->s.l, percent))
                plan(b, true, all[i].addr, all[i].data);
    }
}

/* Plans a phase with traffic, as opposed to a pause. */
static void plan_any(struct bench *b)
{
    static const uint32_t addresses[] = {
#define REG(name, offset, width, reset, access, meaning) offset,
#include "top/byw_csr.def"
    };
    struct lock *l = &b->s.l;
    uint32_t word = (uint32_t)byw_rng_next(&l->rng);

    switch (b->reads_only ? 5 + lock_below(l, 8) : lock_below(l, 13)) {
    case 0:
        plan(b, true, BYW_CSR_COMMAND, word & 3);
        break;
    case 1:
        plan(b, true, BYW_CSR_KERNEL_PC, 0x100 * lock_below(l, LOCK_KERNELS));
        break;
    case 2:
        plan_settings(b, false, 50);
        break;
    case 3:
        plan_settings(b, true, 30);
        break;
    case 4:
        plan(b, lock_chance(l, 50), (word & 0xF7C) | 0x80, word); /* no register */
        break;
    case 5:
        plan(b, false, BYW_CSR_STATUS, 0);
        break;
    case 6:
    case 7:
        plan(b, false, addresses[lock_below(l, sizeof(addresses) / sizeof(addresses[0]))], 0);
        break;
    default:
        plan_count(b, lock_below(l, P_SMS + 1), lock_below(l, BYW_COUNTERS + 1));
        break;
    }
}

/* Sets everything again: the SMs are idle and stay so until the plan is done. */
static void plan_renewal(struct bench *b)
{
    plan_settings(b, true, 90);
    plan_settings(b, false, 90);
    if (lock_chance(&b->s.l, 40)) {
        plan(b, true, BYW_CSR_COMMAND, 1U << BYW_CSR_COMMAND_RESET_LSB);
        b->resets++;
    }
    b->renewed++;
}

static void next_access(struct bench *b)
{
    if (b->awaits || b->bus.req_valid)
        return;
    if (b->at == b->planned) {
        b->at = b->planned = 0;
        if (b->s.quiet || !lock_chance(&b->s.l, b->busy))
            return;
        plan_any(b);
        if (b->planned == 0)
            return;
    }
    b->last = b->plan[b->at++];
    b->bus.req_valid = true;
    b->bus.req_write = b->last.write;
    b->bus.req_addr = b->last.addr;
    b->bus.req_data = b->last.data;
}

/* Pauses: quiet, then idle, then the plan, then traffic again. */
static void renew(struct bench *b)
{
    uint32_t sm;

    if (b->left != 0) {
        b->left--;
        return;
    }
    if (!b->s.quiet) {
        b->s.quiet = true;
        return;
    }
    if (b->at != b->planned || b->awaits || b->bus.req_valid)
        return;
    for (sm = 0; sm < P_SMS; sm++)
        if (!b->idle || b->s.traffic[sm].in.req_valid)
            return;
    if (b->renewed % 2 == 0) {
        plan_renewal(b); /* this function runs again when the plan is done */
        return;
    }
    b->renewed++;
    b->s.quiet = false;
    for (sm = 0; sm < P_SMS; sm++)
        b->s.traffic[sm].phase_left = 0;
    b->left = 1000 + lock_below(&b->s.l, 4000);
    b->busy = lock_chance(&b->s.l, 30) ? 100 : lock_below(&b->s.l, 30);
    b->reads_only = lock_chance(&b->s.l, 60);
}

/* --- a cycle ------------------------------------------------------------------------------ */

static void put_bus(struct bench *b)
{
    struct dut *d = b->s.l.dut;

    b->bus.rsp_ready = lock_chance(&b->s.l, 80);
    dut_put(d, b->p.req_valid, b->bus.req_valid);
    dut_put(d, b->p.req_write, b->bus.req_write);
    dut_put(d, b->p.req_addr, b->bus.req_addr);
    dut_put(d, b->p.req_data, b->bus.req_data);
    dut_put(d, b->p.rsp_ready, b->bus.rsp_ready);
}

static void compare_bus(struct bench *b)
{
    struct byw_cluster_bus_out out;
    const struct dut *d = b->s.l.dut;
    struct byw_diag diag;

    if (byw_cluster_bus(b->cluster, &b->bus, &out, &diag) != BYW_OK) {
        fprintf(stderr, "%s\n", diag.text);
        exit(2);
    }
    lock_same(&b->s.l, "csr_req_ready", out.req_ready, dut_get(d, b->p.req_ready));
    lock_same(&b->s.l, "csr_rsp_valid", out.rsp_valid, dut_get(d, b->p.rsp_valid));
    if (out.rsp_valid) {
        lock_same_at(&b->s.l, "csr_rsp_data of", b->last.addr, out.rsp_data,
                     dut_get(d, b->p.rsp_data));
        lock_same_at(&b->s.l, "csr_rsp_error of", b->last.addr, out.rsp_error,
                     dut_get(d, b->p.rsp_error));
    }
    if (out.rsp_valid && b->bus.rsp_ready) {
        b->awaits = false;
        b->accesses++;
        b->errors += out.rsp_error;
        b->counts += b->last.addr == BYW_CSR_COUNTER_LOW;
        b->nonzero += b->last.addr == BYW_CSR_COUNTER_LOW && out.rsp_data != 0;
    }
    if (b->bus.req_valid && out.req_ready) {
        b->awaits = true;
        b->bus.req_valid = false;
        return;
    }
}

static void one_cycle(struct bench *b)
{
    struct byw_l1d_out out;
    uint32_t words[8], sm;
    bool last_on = byw_cluster_filter_on(b->cluster, P_SMS - 1);
    bool idle = true;

    renew(b);
    next_access(b);
    put_bus(b);
    for (sm = 0; sm < P_SMS; sm++)
        lock_sms_next(&b->s, sm);
    lock_sms_eval(&b->s);
    dut_get_bytes(b->s.l.dut, b->p.filter_on, words, sizeof(words));
    compare_bus(b);
    for (sm = 0; sm < P_SMS; sm++) {
        uint32_t state = byw_cluster_two_level(b->cluster, sm);

        lock_same_at(&b->s.l, "filter_on", sm, byw_cluster_filter_on(b->cluster, sm),
                     lock_field(words, sm, 1));
        lock_sms_look(&b->s, sm, byw_cluster_l1d(b->cluster, sm));
        byw_cluster_sm(b->cluster, sm, &b->s.traffic[sm].in, &out);
        lock_sms_compare(&b->s, sm, &out, state);
        lock_sms_compare_trials(&b->s, sm, byw_cluster_stats(b->cluster, sm)->mech);
        traffic_moved(&b->s.traffic[sm], &out);
        idle = idle && out.idle;
    }
    byw_cluster_tick(b->cluster);
    dut_tick(b->s.l.dut);
    b->idle = idle;
    b->flips += last_on != byw_cluster_filter_on(b->cluster, P_SMS - 1);
}

static void read_all(struct bench *b)
{
    uint32_t sm, number;

    b->busy = 0;
    b->left = UINT32_MAX;
    while (b->at != b->planned || b->awaits || b->bus.req_valid)
        one_cycle(b);
    b->at = b->planned = 0;
    for (sm = 0; sm < P_SMS; sm++)
        for (number = 0; number < BYW_COUNTERS; number++)
            plan_count(b, sm, number);
    do
        one_cycle(b);
    while (b->at != b->planned || b->awaits || b->bus.req_valid);
}

/* Trials are on by default in the C twin and off in the RTL. Switches them on in both, before the
 * first request and before anything is read. */
static void start_trials(struct bench *b)
{
    b->s.quiet = true;
    plan_settings(b, true, 100);
    plan(b, true, BYW_CSR_COMMAND, 1U << BYW_CSR_COMMAND_RESET_LSB);
    b->renewed = 1;
}

static void start(struct bench *b)
{
    struct byw_config config = lock_sms_config();
    struct dut *d = b->s.l.dut;
    struct byw_diag diag;
    uint32_t i;

    lock_sms_start(&b->s);
    b->p = find_ports(d);
    lock_sms_set_trial(&config, true);
    if (byw_cluster_create(&config, true, &b->cluster, &diag) != BYW_OK) {
        fprintf(stderr, "%s\n", diag.text);
        exit(2);
    }
    dut_put(d, b->p.rst, 1);
    for (i = 0; i < 2; i++) { /* registers, then commands that use them */
        dut_eval(d);
        dut_tick(d);
    }
    dut_put(d, b->p.rst, 0);
    if (LOCK_TRIAL != 0)
        start_trials(b);
}

static void check_met(struct bench *b)
{
    struct lock *l = &b->s.l;

    lock_sms_check_met(&b->s);
    lock_met(l, "switches of a follower's filter", P_SMS > 2 ? b->flips : 1);
    lock_met(l, "errors on the bus", b->errors);
    lock_met(l, "settings changed", b->renewed / 2);
    lock_met(l, "RESET commands", b->resets);
    lock_met(l, "counters that were not zero", b->nonzero);
}

int main(int argc, char **argv)
{
    struct bench *b = calloc(1, sizeof(*b));
    struct lock *l;
    int status;

    if (b == NULL)
        return 2;
    l = &b->s.l;
    *l = lock_start(argc, argv, 200000);
    start(b);
    for (l->cycle = 0; l->cycle < l->cycles; l->cycle++)
        one_cycle(b);
    read_all(b);
    check_met(b);
    byw_cluster_free(b->cluster);
    status = lock_pass(l,
                       ", %" PRIu64 " loads, %" PRIu64 " settings, %" PRIu64
                       " filter switches, %" PRIu64 " register accesses, %" PRIu64 " counters",
                       b->s.met[BYW_EV_LOAD], b->renewed / 2, b->flips, b->accesses, b->counts);
    free(b);
    return status;
}
