/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_csr - byw_csr.v against byw_csr.c: random accesses, mostly to registers, some to unused
 * addresses; answers that wait, slow counters, resets. Values after reset are those of a default
 * configuration.
 */
#include "cosim/lock.h"
#include "cosim/lock_cfg.h"
#include "top/byw_csr.h"

struct ports {
    uint32_t rst, req_valid, req_ready, req_write, req_addr, req_data;
    uint32_t rsp_valid, rsp_ready, rsp_data, rsp_error, idle, duel_on, duel_votes;
    uint32_t kernel_start, kernel_pc, duel_restart, reset, restart;
    uint32_t pc_pred, two_level, window, period, bound, policy, enable, initial, bypass_is_miss,
        hysteresis;
    uint32_t margin, interval, min, hold, settle, by_loads, all_follow, crossover, speedup, noise,
        count_req, count_sm, count_sel, count_valid, count_data;
};

struct met {
    uint64_t errors, starts, restarts, resets, settings, counts, busy_policy, waits;
};

static const uint32_t addresses[] = {
#define REG(name, offset, width, reset, access, meaning) offset,
#include "top/byw_csr.def"
};

enum { ADDRESSES = sizeof(addresses) / sizeof(addresses[0]) };

static struct ports find_ports(const struct dut *d)
{
    return (struct ports){
        .rst = dut_port(d, "rst_i"),
        .req_valid = dut_port(d, "req_valid_i"),
        .req_ready = dut_port(d, "req_ready_o"),
        .req_write = dut_port(d, "req_write_i"),
        .req_addr = dut_port(d, "req_addr_i"),
        .req_data = dut_port(d, "req_data_i"),
        .rsp_valid = dut_port(d, "rsp_valid_o"),
        .rsp_ready = dut_port(d, "rsp_ready_i"),
        .rsp_data = dut_port(d, "rsp_data_o"),
        .rsp_error = dut_port(d, "rsp_error_o"),
        .idle = dut_port(d, "idle_i"),
        .duel_on = dut_port(d, "duel_on_i"),
        .duel_votes = dut_port(d, "duel_votes_i"),
        .kernel_start = dut_port(d, "kernel_start_o"),
        .duel_restart = dut_port(d, "duel_restart_o"),
        .kernel_pc = dut_port(d, "kernel_pc_o"),
        .reset = dut_port(d, "reset_o"),
        .restart = dut_port(d, "restart_o"),
        .pc_pred = dut_port(d, "pc_pred_o"),
        .two_level = dut_port(d, "two_level_o"),
        .window = dut_port(d, "two_level_window_o"),
        .period = dut_port(d, "two_level_period_o"),
        .bound = dut_port(d, "two_level_bound_o"),
        .policy = dut_port(d, "policy_o"),
        .enable = dut_port(d, "duel_enable_o"),
        .initial = dut_port(d, "duel_initial_on_o"),
        .bypass_is_miss = dut_port(d, "duel_bypass_is_miss_o"),
        .hysteresis = dut_port(d, "duel_hysteresis_o"),
        .margin = dut_port(d, "duel_margin_o"),
        .interval = dut_port(d, "duel_interval_o"),
        .min = dut_port(d, "duel_min_accesses_o"),
        .hold = dut_port(d, "duel_hold_o"),
        .settle = dut_port(d, "duel_settle_o"),
        .crossover = dut_port(d, "duel_crossover_o"),
        .speedup = dut_port(d, "duel_speedup_o"),
        .noise = dut_port(d, "duel_noise_o"),
        .by_loads = dut_port(d, "duel_by_loads_o"),
        .all_follow = dut_port(d, "duel_all_follow_o"),
        .count_req = dut_port(d, "count_req_o"),
        .count_sm = dut_port(d, "count_sm_o"),
        .count_sel = dut_port(d, "count_sel_o"),
        .count_valid = dut_port(d, "count_valid_i"),
        .count_data = dut_port(d, "count_data_i"),
    };
}

static struct byw_csr_in random_in(struct lock *l, const struct byw_csr *csr)
{
    struct byw_csr_in in = {
        .rst = l->cycle == 0 || lock_below(l, 500) == 0,
        .req_valid = lock_chance(l, 70),
        .req_write = lock_chance(l, 50),
        .rsp_ready = lock_chance(l, 60),
        .req_addr = addresses[lock_below(l, ADDRESSES)],
        .req_data = (uint32_t)byw_rng_next(&l->rng),
        .idle = lock_chance(l, 50),
        .duel_on = lock_chance(l, 50),
        .duel_votes = (uint8_t)lock_below(l, 16),
        .count_valid = csr->counting && lock_chance(l, 30),
        .count_data = byw_rng_next(&l->rng),
    };

    if (lock_chance(l, 10))
        in.req_addr = lock_below(l, 4096);
    return in;
}

static void put(struct dut *d, const struct ports *p, const struct byw_csr_in *in)
{
    dut_put(d, p->rst, in->rst);
    dut_put(d, p->req_valid, in->req_valid);
    dut_put(d, p->req_write, in->req_write);
    dut_put(d, p->rsp_ready, in->rsp_ready);
    dut_put(d, p->req_addr, in->req_addr);
    dut_put(d, p->req_data, in->req_data);
    dut_put(d, p->idle, in->idle);
    dut_put(d, p->duel_on, in->duel_on);
    dut_put(d, p->duel_votes, in->duel_votes);
    dut_put(d, p->count_valid, in->count_valid);
    dut_put(d, p->count_data, in->count_data);
}

static void compare_settings(struct lock *l, const struct ports *p, const struct byw_csr *csr)
{
#define SAME(port, name)                                                                           \
    lock_same(l, #port,                                                                            \
              byw_csr_field(csr->duel, BYW_CSR_DUEL_##name##_LSB, BYW_CSR_DUEL_##name##_W),        \
              dut_get(l->dut, p->port))
    SAME(enable, ENABLE);
    SAME(initial, INITIAL_ON);
    SAME(bypass_is_miss, BYPASS_IS_MISS);
    SAME(by_loads, BY_LOADS);
    SAME(all_follow, ALL_FOLLOW);
    SAME(hysteresis, HYSTERESIS);
    SAME(margin, MARGIN);
    SAME(crossover, CROSSOVER);
    SAME(speedup, SPEEDUP);
    SAME(noise, NOISE);
#undef SAME
    lock_same(l, "policy", csr->policy, dut_get(l->dut, p->policy));
    lock_same(l, "pc_pred", csr->pc_pred, dut_get(l->dut, p->pc_pred));
    lock_same(l, "two_level", csr->two_level, dut_get(l->dut, p->two_level));
    lock_same(l, "two_level_window", csr->two_level_window, dut_get(l->dut, p->window));
    lock_same(l, "two_level_period", csr->two_level_period, dut_get(l->dut, p->period));
    lock_same(l, "two_level_bound", csr->two_level_bound, dut_get(l->dut, p->bound));
    lock_same(l, "kernel_pc", csr->kernel_pc, dut_get(l->dut, p->kernel_pc));
    lock_same(l, "interval", csr->duel_interval, dut_get(l->dut, p->interval));
    lock_same(l, "min", csr->duel_min, dut_get(l->dut, p->min));
    lock_same(l, "hold", csr->duel_hold, dut_get(l->dut, p->hold));
    lock_same(l, "settle", csr->duel_settle, dut_get(l->dut, p->settle));
}

static void compare(struct lock *l, const struct ports *p, const struct byw_csr *csr,
                    const struct byw_csr_out *out)
{
    lock_same(l, "req_ready", out->req_ready, dut_get(l->dut, p->req_ready));
    lock_same(l, "rsp_valid", out->rsp_valid, dut_get(l->dut, p->rsp_valid));
    if (out->rsp_valid) {
        lock_same(l, "rsp_data", out->rsp_data, dut_get(l->dut, p->rsp_data));
        lock_same(l, "rsp_error", out->rsp_error, dut_get(l->dut, p->rsp_error));
    }
    lock_same(l, "kernel_start", out->kernel_start, dut_get(l->dut, p->kernel_start));
    lock_same(l, "duel_restart", out->duel_restart, dut_get(l->dut, p->duel_restart));
    lock_same(l, "reset", out->reset, dut_get(l->dut, p->reset));
    lock_same(l, "restart", out->restart, dut_get(l->dut, p->restart));
    lock_same(l, "count_req", out->count_req, dut_get(l->dut, p->count_req));
    if (out->count_req) {
        lock_same(l, "count_sm", csr->counter_select >> 8, dut_get(l->dut, p->count_sm));
        lock_same(l, "count_sel", csr->counter_select & 255, dut_get(l->dut, p->count_sel));
    }
    compare_settings(l, p, csr);
}

/* The table's reset values equal a default configuration, and conversions between registers and
 * configurations in both directions are inverse to each other. */
static void check_values(struct lock *l)
{
    struct byw_csr reset, csr;
    struct byw_config config;

    byw_csr_init(&reset, P_SMS);
    csr = reset;
    byw_config_defaults(&config);
    byw_csr_from_config(&csr, &config);
    lock_same(l, "POLICY after reset", lock_cfg(&config), csr.policy);
#define SAME(reg) lock_same(l, #reg " after reset", csr.reg, reset.reg)
    SAME(policy);
    SAME(pc_pred);
    SAME(two_level);
    SAME(two_level_window);
    SAME(two_level_period);
    SAME(two_level_bound);
    SAME(duel);
    SAME(duel_interval);
    SAME(duel_min);
    SAME(duel_hold);
    SAME(duel_settle);
#undef SAME
}

static void check_round_trip(struct lock *l, const struct byw_csr *csr)
{
    struct byw_csr back = *csr;
    struct byw_config config;
    const uint32_t unused = UINT32_C(0x8000); /* bit of POLICY without a field */

    byw_config_defaults(&config);
    byw_csr_to_config(csr, &config);
    byw_csr_from_config(&back, &config);
#define SAME(reg, mask) lock_same(l, #reg " there and back", csr->reg &(mask), back.reg)
    SAME(policy, ~unused);
    SAME(pc_pred, UINT32_MAX);
    SAME(two_level, 0x1FF1FF37);
    SAME(two_level_window, UINT32_MAX);
    SAME(two_level_period, UINT32_MAX);
    SAME(duel, UINT32_MAX);
    SAME(duel_interval, UINT32_MAX);
    SAME(duel_min, UINT32_MAX);
    SAME(duel_hold, UINT32_MAX);
    SAME(duel_settle, UINT32_MAX);
#undef SAME
}

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 100000);
    struct ports p = find_ports(l.dut);
    struct byw_csr csr;
    struct met met = {0};

    check_values(&l);
    byw_csr_init(&csr, P_SMS);
    for (l.cycle = 0; l.cycle < l.cycles; l.cycle++) {
        struct byw_csr_in in = random_in(&l, &csr);
        struct byw_csr_out out;

        put(l.dut, &p, &in);
        dut_eval(l.dut);
        byw_csr_eval(&csr, &out);
        if (l.cycle != 0)
            compare(&l, &p, &csr, &out);
        met.errors += out.rsp_valid && out.rsp_error;
        met.starts += out.kernel_start;
        met.restarts += out.duel_restart;
        met.resets += out.reset;
        met.settings += out.restart;
        if (out.restart)
            check_round_trip(&l, &csr);
        met.counts += in.count_valid;
        met.waits += out.rsp_valid && !in.rsp_ready;
        met.busy_policy += in.req_valid && out.req_ready && in.req_write && !in.idle &&
                           in.req_addr == BYW_CSR_POLICY;
        dut_tick(l.dut);
        byw_csr_tick(&csr, &in);
    }
    lock_met(&l, "no error was met", met.errors);
    lock_met(&l, "no kernel start", met.starts);
    lock_met(&l, "no dueling restart", met.restarts);
    lock_met(&l, "no reset", met.resets);
    lock_met(&l, "no new settings of the L1s", met.settings);
    lock_met(&l, "no counter was read", met.counts);
    lock_met(&l, "no answer waited", met.waits);
    lock_met(&l, "POLICY was never written while busy", met.busy_policy);
    return lock_pass(&l, ", %" PRIu64 " errors, %" PRIu64 " counters read", met.errors, met.counts);
}
