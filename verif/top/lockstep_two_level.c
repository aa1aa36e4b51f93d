/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_two_level - byw_two_level.v against byw_two_level.c: mode, state and pulses of every
 * cycle. Short windows with miss rates and occupancies on both sides of random limits, kernels from
 * small pools whose PCs differ in one bit, resets at any time, and phases with the unit switched
 * off. With some settings each verdict depends on an occupancy at its limit, so that one warp more
 * or less in a window, held or not, changes it; with others it depends on the one miss of a window,
 * whose rate equals the limit or falls just short of it.
 */
#include "cosim/lock.h"
#include "l1d/byw_l1d.h"
#include "policy/byw_policy_events.h"
#include "policy/byw_two_level.h"
#include "top/byw_csr.h"

enum { SM_WARPS = 48, KERNELS = 10 };

struct ports {
    uint32_t rst, cfg, window, period, bound, kernel_start, kernel_pc, cta_placed, warps, events;
    uint32_t bypass, policy_events, state;
};

struct phase {
    uint32_t left; /* cycles left in the phase */
    uint32_t load, miss, pending, bypass, start, cta; /* percent */
    uint32_t warps_max;
};

struct bench {
    struct lock l;
    uint32_t pcs[KERNELS];
    uint32_t warps; /* not 0: this many are active, occasionally one less */
    bool one_miss; /* every cycle has a load, and a window one miss */
    uint32_t bit; /* next for one_bit() */
    struct ports p;
    struct byw_two_level tl;
    struct phase ph;
    uint64_t pulses[BYW_PEV_COUNT];
    uint64_t states[BYW_TL_STATES + 1];
};

static struct ports find_ports(const struct dut *d)
{
    return (struct ports){
        .rst = dut_port(d, "rst_i"),
        .cfg = dut_port(d, "two_level_i"),
        .window = dut_port(d, "window_i"),
        .period = dut_port(d, "period_i"),
        .bound = dut_port(d, "bound_i"),
        .kernel_start = dut_port(d, "kernel_start_i"),
        .kernel_pc = dut_port(d, "kernel_pc_i"),
        .cta_placed = dut_port(d, "cta_placed_i"),
        .warps = dut_port(d, "active_warps_i"),
        .events = dut_port(d, "events_i"),
        .bypass = dut_port(d, "bypass_o"),
        .policy_events = dut_port(d, "events_o"),
        .state = dut_port(d, "state_o"),
    };
}

static struct byw_config random_config(struct lock *l)
{
    struct byw_config c;

    byw_config_defaults(&c);
    c.sm_warps = SM_WARPS;
    c.tl_on = lock_chance(l, 90);
    c.tl_sample = 1 + lock_below(l, lock_chance(l, 90) ? 60 : 2000);
    c.tl_low = lock_below(l, 257);
    c.tl_high = lock_chance(l, 30) ? c.tl_low : lock_below(l, 257);
    c.tl_occupancy = lock_below(l, 257);
    c.tl_last = lock_below(l, 2);
    c.tl_min = lock_below(l, 20);
    c.tl_pending = lock_below(l, 2);
    c.tl_resample = lock_below(l, 4);
    c.tl_period = 1 + lock_below(l, 300);
    return c;
}

/* Windows with `warps` active warps are not below the limit, and not few, low or high. */
static void at_the_limit(struct byw_config *c, uint32_t warps)
{
    c->tl_on = 1;
    c->tl_low = 0;
    c->tl_high = 256;
    c->tl_min = 0;
    c->tl_last = 0;
    c->tl_occupancy = 256 * warps / SM_WARPS;
    c->tl_resample = BYW_BDU_PER_KERNEL_PC;
}

/* One miss in a window makes its rate equal to both limits; one load more keeps it below them. */
static void at_the_rate(struct lock *l, struct byw_config *c)
{
    uint32_t limit = lock_chance(l, 50) ? 1 + lock_below(l, 16) : UINT32_C(1) << lock_below(l, 8);

    c->tl_on = 1;
    c->tl_low = c->tl_high = limit;
    c->tl_min = 0;
    c->tl_sample = 256 / limit + lock_below(l, 2);
    c->tl_resample = BYW_BDU_PER_KERNEL_PC;
}

/* Bit by bit: one more in the period delays the next window, and windows have just too few loads or
 * just enough. */
static void one_bit(struct byw_config *c, uint32_t bit)
{
    c->tl_on = 1;
    c->tl_min = UINT32_C(1) << bit % 16;
    c->tl_resample = BYW_BDU_PERIODIC;
    c->tl_period |= UINT32_C(1) << bit;
}

static void new_phase(struct bench *b)
{
    struct lock *l = &b->l;

    b->ph = (struct phase){
        .left = 1 + lock_below(l, 300),
        .load = lock_below(l, 101),
        .miss = lock_below(l, 101),
        .pending = lock_below(l, 60),
        .bypass = lock_chance(l, 50) ? 0 : lock_below(l, 101),
        .start = lock_chance(l, 30) ? 0 : lock_below(l, lock_chance(l, 70) ? 6 : 15),
        .cta = lock_below(l, 101),
        .warps_max = lock_below(l, 65),
    };
}

static uint32_t random_events(struct bench *b)
{
    struct lock *l = &b->l;
    uint32_t events = (uint32_t)byw_rng_next(&l->rng) & byw_mask64(BYW_EV_COUNT);
    const uint32_t four = UINT32_C(1) << BYW_EV_LOAD | UINT32_C(1) << BYW_EV_MISS |
                          UINT32_C(1) << BYW_EV_HIT_PENDING | UINT32_C(1) << BYW_EV_BYPASS;

    events &= ~four;
    if (b->one_miss) {
        uint32_t left = b->tl.bdu.sample - b->tl.mrmu.accesses;

        events |= UINT32_C(1) << BYW_EV_LOAD;
        if (b->tl.mrmu.misses == 0 && lock_below(l, left + 1) < 2)
            events |= UINT32_C(1) << BYW_EV_MISS;
        return events;
    }
    if (lock_chance(l, b->ph.load))
        events |= UINT32_C(1) << BYW_EV_LOAD;
    if (lock_chance(l, b->ph.bypass))
        events |= UINT32_C(1) << BYW_EV_BYPASS;
    else if (lock_chance(l, b->ph.miss))
        events |= UINT32_C(1) << BYW_EV_MISS;
    else if (lock_chance(l, b->ph.pending))
        events |= UINT32_C(1) << BYW_EV_HIT_PENDING;
    return events;
}

/* New settings together with a reset, as a register write applies them. */
static uint32_t restart(struct bench *b)
{
    struct byw_config config = random_config(&b->l);
    struct byw_csr csr;
    uint32_t i;

    b->warps = lock_chance(&b->l, 20) ? 3 * (1 + lock_below(&b->l, SM_WARPS / 3)) : 0;
    b->one_miss = b->warps == 0 && lock_chance(&b->l, 25);
    if (b->warps != 0)
        at_the_limit(&config, b->warps);
    if (b->one_miss)
        at_the_rate(&b->l, &config);
    if (b->warps == 0 && !b->one_miss && lock_chance(&b->l, 50))
        one_bit(&config, b->bit++ % 20);
    b->pcs[0] = (uint32_t)byw_rng_next(&b->l.rng);
    for (i = 1; i < KERNELS; i++)
        b->pcs[i] = b->pcs[0] ^ UINT32_C(1) << lock_below(&b->l, 32);
    byw_csr_init(&csr, 1);
    byw_csr_from_config(&csr, &config);
    dut_put(b->l.dut, b->p.cfg, csr.two_level);
    dut_put(b->l.dut, b->p.window, csr.two_level_window);
    dut_put(b->l.dut, b->p.period, csr.two_level_period);
    dut_put(b->l.dut, b->p.bound, csr.two_level_bound);
    dut_put(b->l.dut, b->p.rst, 1);
    dut_eval(b->l.dut);
    lock_same(&b->l, "pulses during reset", 0, dut_get(b->l.dut, b->p.policy_events));
    lock_same(&b->l, "state during reset", 0, dut_get(b->l.dut, b->p.state));
    dut_tick(b->l.dut);
    dut_put(b->l.dut, b->p.rst, 0);
    byw_two_level_configure(&b->tl, &config);
    byw_two_level_clear(&b->tl);
    return 200 + lock_below(&b->l, 4000);
}

static void one_cycle(struct bench *b)
{
    struct byw_l1d_ctrl ctrl = {
        .kernel_start = lock_chance(&b->l, b->ph.start),
        .cta_placed = lock_chance(&b->l, b->ph.cta),
        .active_warps = (uint8_t)lock_below(&b->l, b->ph.warps_max + 1),
        .kernel_pc = b->pcs[lock_below(&b->l, KERNELS)],
    };
    uint32_t events = random_events(b);
    uint32_t state = byw_two_level_state(&b->tl);
    struct dut *d = b->l.dut;
    uint32_t pulses, i;

    if (b->warps != 0)
        ctrl.active_warps = (uint8_t)(b->warps - lock_chance(&b->l, 1));
    dut_put(d, b->p.kernel_start, ctrl.kernel_start);
    dut_put(d, b->p.kernel_pc, ctrl.kernel_pc);
    dut_put(d, b->p.cta_placed, ctrl.cta_placed);
    dut_put(d, b->p.warps, ctrl.active_warps);
    dut_put(d, b->p.events, events);
    dut_eval(d);
    lock_same(&b->l, "bypass", byw_two_level_bypasses(&b->tl), dut_get(d, b->p.bypass));
    state = b->tl.on ? state : BYW_TL_STATES;
    lock_same(&b->l, "state", b->tl.on ? 1U << state : 0, dut_get(d, b->p.state));
    pulses = byw_two_level_tick(&b->tl, &ctrl, events);
    lock_same(&b->l, "events", pulses, dut_get(d, b->p.policy_events));
    dut_tick(d);
    b->states[state]++;
    for (i = 0; i < BYW_PEV_COUNT; i++)
        b->pulses[i] += pulses >> i & 1;
}

int main(int argc, char **argv)
{
    static const char *const name[] = {
#define X(code, name, when) "times that the event was met: " name,
#include "policy/byw_policy_events.def"
#undef X
    };
    struct bench b = {.l = lock_start(argc, argv, 300000)};
    uint32_t left = 0, i;

    b.p = find_ports(b.l.dut);
    for (b.l.cycle = 0; b.l.cycle < b.l.cycles; b.l.cycle++) {
        if (left-- == 0)
            left = restart(&b);
        if (b.ph.left-- == 0)
            new_phase(&b);
        one_cycle(&b);
    }
    for (i = BYW_PEV_TL_WINDOW; i <= BYW_PEV_TL_KNOWN; i++)
        lock_met(&b.l, name[i], b.pulses[i]);
    for (i = 0; i <= BYW_TL_STATES; i++)
        lock_met(&b.l, "a state was never met", b.states[i]);
    return lock_pass(&b.l, ", %" PRIu64 " windows, %" PRIu64 " known kernels",
                     b.pulses[BYW_PEV_TL_WINDOW], b.pulses[BYW_PEV_TL_KNOWN]);
}
