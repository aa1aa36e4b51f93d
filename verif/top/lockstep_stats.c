/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_stats - byw_stats.v against byw_stats_count() and byw_stats_count_policy(): phases from
 * no pulse to every pulse in every cycle, with one predictor counter value throughout or all
 * values, and reads from rare to back to back. A read must be answered in the cycle stated in
 * byw_stats.h, with the model's sum of the cycles stated there. Every counter is read at the end.
 * Under full load a warp is missing now and then: with 64 in every cycle the low bits of the sum
 * would never change.
 */
#include "cosim/lock.h"
#include "top/byw_stats.h"

enum { WARPS_MAX = 64, PC_ANY = 256 };

struct ports {
    uint32_t rst, events, policy_events, pc_counter, filter_on, two_level, warps;
    uint32_t req, sel, valid, data;
};

struct bench {
    struct lock l;
    struct ports p;
    struct byw_l1_stats stats;
    uint32_t busy; /* percent of pulses */
    uint32_t eager; /* percent: the next read starts at once */
    uint32_t pc_value; /* the PC predictor's counter throughout the phase; PC_ANY: all values */
    bool reading;
    uint32_t sel, waited;
    uint64_t want; /* the answer */
    uint64_t reads, beyond, full_speed;
};

/* The pulses of a cycle. */
struct pulses {
    uint32_t events, policy, state, warps;
    uint8_t pc_counter;
    bool filter_on;
};

static void drive_read(struct bench *b)
{
    if (!b->reading && lock_chance(&b->l, b->eager)) {
        b->reading = true;
        b->waited = 0;
        b->sel = lock_chance(&b->l, 5) ? lock_below(&b->l, 256) : lock_below(&b->l, BYW_COUNTERS);
        b->beyond += b->sel >= BYW_COUNTERS;
    }
    dut_put(b->l.dut, b->p.req, b->reading);
    dut_put(b->l.dut, b->p.sel, b->reading ? b->sel : lock_below(&b->l, 256));
}

static void check_read(struct bench *b)
{
    bool due = b->reading && b->waited == BYW_STATS_ANSWER;

    if (b->waited == BYW_STATS_SAMPLE)
        b->want = byw_stats_counter(&b->stats, b->sel);
    lock_same(&b->l, "rd_valid", due, dut_get(b->l.dut, b->p.valid));
    if (due) {
        lock_same_at(&b->l, "counter", b->sel, b->want, dut_get(b->l.dut, b->p.data));
        b->reading = false;
        b->reads++;
    }
    b->waited++;
}

/* Sets each bit of `bits` with the probability of the phase. */
static uint32_t random_pulses(struct bench *b, uint32_t bits)
{
    uint32_t pulses = 0, i;

    for (i = 0; i < bits; i++)
        if (b->busy == 100 || (b->busy != 0 && lock_chance(&b->l, b->busy)))
            pulses |= UINT32_C(1) << i;
    return pulses;
}

/* Draws a value of the PC counter; low values are likely, because each has a counter of its own. */
static uint32_t random_pc_value(struct bench *b)
{
    return lock_below(&b->l, lock_chance(&b->l, 50) ? 20 : 256);
}

static void put_pulses(struct bench *b, struct pulses *p)
{
    bool all = b->busy == 100;

    p->events = random_pulses(b, BYW_EV_COUNT);
    p->policy = random_pulses(b, BYW_PEV_COUNT);
    p->filter_on = lock_chance(&b->l, b->busy);
    p->pc_counter = (uint8_t)(b->pc_value != PC_ANY ? b->pc_value : random_pc_value(b));
    p->state = lock_chance(&b->l, b->busy) ? (all ? BYW_TL_SAMPLE : lock_below(&b->l, 3)) : 3;
    p->warps = all ? (uint32_t)WARPS_MAX - lock_chance(&b->l, 2) : lock_below(&b->l, WARPS_MAX + 1);
    dut_put(b->l.dut, b->p.events, p->events);
    dut_put(b->l.dut, b->p.policy_events, p->policy);
    dut_put(b->l.dut, b->p.pc_counter, p->pc_counter);
    dut_put(b->l.dut, b->p.filter_on, p->filter_on);
    dut_put(b->l.dut, b->p.two_level, p->state < BYW_TL_STATES ? 1U << p->state : 0);
    dut_put(b->l.dut, b->p.warps, p->warps);
}

static void one_cycle(struct bench *b, bool rst)
{
    struct pulses p;

    put_pulses(b, &p);
    dut_put(b->l.dut, b->p.rst, rst);
    drive_read(b);
    dut_eval(b->l.dut);
    if (!rst)
        check_read(b);
    dut_tick(b->l.dut);
    if (rst) {
        b->stats = (struct byw_l1_stats){0};
        return;
    }
    byw_stats_count(&b->stats, p.events);
    byw_stats_count_policy(&b->stats, p.policy, p.pc_counter);
    b->stats.filter_on_cycles += p.filter_on;
    if (p.state < BYW_TL_STATES)
        b->stats.two_level_cycles[p.state]++;
    if (p.state == BYW_TL_SAMPLE)
        b->stats.two_level_warps += p.warps;
}

static void read_all(struct bench *b)
{
    uint32_t i;

    b->busy = 0;
    b->eager = 0;
    while (b->reading)
        one_cycle(b, false);
    for (i = 0; i < BYW_COUNTERS; i++) {
        b->reading = true;
        b->waited = 0;
        b->sel = i;
        while (b->reading)
            one_cycle(b, false);
    }
}

int main(int argc, char **argv)
{
    struct bench b = {.l = lock_start(argc, argv, 60000)};
    struct dut *d = b.l.dut;

    b.p = (struct ports){.rst = dut_port(d, "rst_i"),
                         .events = dut_port(d, "events_i"),
                         .policy_events = dut_port(d, "policy_events_i"),
                         .pc_counter = dut_port(d, "pc_counter_i"),
                         .two_level = dut_port(d, "two_level_i"),
                         .warps = dut_port(d, "active_warps_i"),
                         .filter_on = dut_port(d, "filter_on_i"),
                         .req = dut_port(d, "rd_req_i"),
                         .sel = dut_port(d, "rd_sel_i"),
                         .valid = dut_port(d, "rd_valid_o"),
                         .data = dut_port(d, "rd_data_o")};
    one_cycle(&b, true);
    for (b.l.cycle = 0; b.l.cycle < b.l.cycles; b.l.cycle++) {
        if (b.l.cycle % 1000 == 0) {
            uint32_t kind = lock_below(&b.l, 4);

            b.busy = kind == 0 ? 100 : kind == 1 ? 0 : lock_below(&b.l, 101);
            b.eager = lock_chance(&b.l, 40) ? 100 : lock_below(&b.l, 30);
            b.pc_value = lock_chance(&b.l, 50) ? random_pc_value(&b) : PC_ANY;
            if (b.l.cycle % 3000 == 0) { /* each counter value of the PC predictor, back to back */
                b.busy = b.eager = 100;
                b.pc_value = (uint32_t)(b.l.cycle / 3000 % BYW_PC_VALUES);
            }
            b.full_speed += b.busy == 100 && b.eager == 100;
            if (b.l.cycle % 16000 == 0 && b.l.cycle != 0)
                read_all(&b);
            if (lock_chance(&b.l, 20)) {
                one_cycle(&b, true);
                b.reading = false;
            }
        }
        one_cycle(&b, false);
    }
    read_all(&b);
    lock_met(&b.l, "no counter beyond the last was read", b.beyond);
    lock_met(&b.l, "never all pulses under the fastest reads", b.full_speed);
    lock_met(&b.l, "no active warp was counted", b.stats.two_level_warps);
    return lock_pass(&b.l, ", %" PRIu64 " reads, %" PRIu64 " loads counted", b.reads,
                     b.stats.ev[BYW_EV_LOAD]);
}
