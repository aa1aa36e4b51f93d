/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_csr - byw_csr.v against byw_csr.c: random accesses, mostly to registers, some to what is
 * none; answers that are left waiting, counters that take their time, resets.  Values after reset
 * are those of a default configuration.
 */
#include "cosim/lock.h"
#include "cosim/lock_cfg.h"
#include "top/byw_csr.h"

struct ports {
    uint32_t rst, req_valid, req_ready, req_write, req_addr, req_data;
    uint32_t rsp_valid, rsp_ready, rsp_data, rsp_error, idle, duel_on, duel_votes;
    uint32_t kernel_start, duel_restart, policy, enable, initial, bypass_is_miss, hysteresis;
    uint32_t margin, interval, min, count_req, count_sm, count_sel, count_valid, count_data;
};

struct met {
    uint64_t errors, starts, restarts, counts, busy_policy, waits;
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
        .policy = dut_port(d, "policy_o"),
        .enable = dut_port(d, "duel_enable_o"),
        .initial = dut_port(d, "duel_initial_on_o"),
        .bypass_is_miss = dut_port(d, "duel_bypass_is_miss_o"),
        .hysteresis = dut_port(d, "duel_hysteresis_o"),
        .margin = dut_port(d, "duel_margin_o"),
        .interval = dut_port(d, "duel_interval_o"),
        .min = dut_port(d, "duel_min_accesses_o"),
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
    SAME(hysteresis, HYSTERESIS);
    SAME(margin, MARGIN);
#undef SAME
    lock_same(l, "policy", csr->policy, dut_get(l->dut, p->policy));
    lock_same(l, "interval", csr->duel_interval, dut_get(l->dut, p->interval));
    lock_same(l, "min", csr->duel_min, dut_get(l->dut, p->min));
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
    lock_same(l, "count_req", out->count_req, dut_get(l->dut, p->count_req));
    if (out->count_req) {
        lock_same(l, "count_sm", csr->counter_select >> 8, dut_get(l->dut, p->count_sm));
        lock_same(l, "count_sel", csr->counter_select & 255, dut_get(l->dut, p->count_sel));
    }
    compare_settings(l, p, csr);
}

static void check_reset_values(struct lock *l)
{
    struct byw_config config;

    byw_config_defaults(&config);
    lock_same(l, "POLICY after reset", lock_cfg(&config), BYW_CSR_POLICY_RESET);
    lock_same(l, "DUEL after reset", byw_csr_duel_value(&config), BYW_CSR_DUEL_RESET);
    lock_same(l, "DUEL_INTERVAL after reset", config.duel_interval, BYW_CSR_DUEL_INTERVAL_RESET);
    lock_same(l, "DUEL_MIN after reset", config.duel_min, BYW_CSR_DUEL_MIN_RESET);
}

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 100000);
    struct ports p = find_ports(l.dut);
    struct byw_csr csr;
    struct met met = {0};

    check_reset_values(&l);
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
    lock_met(&l, "no counter was read", met.counts);
    lock_met(&l, "no answer waited", met.waits);
    lock_met(&l, "POLICY was never written while busy", met.busy_policy);
    return lock_pass(&l, ", %" PRIu64 " errors, %" PRIu64 " counters read", met.errors, met.counts);
}
