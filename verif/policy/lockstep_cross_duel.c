/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_cross_duel - byw_cross_duel.v against byw_cross_duel_count() and byw_cross_duel_tick():
 * compares the filters of all SMs, decision, votes and cycle count in every cycle.  Settings, busy
 * SMs and their hit rates change from phase to phase.
 */
#include "cosim/lock.h"
#include "policy/byw_cross_duel.h"
#include "record/byw_events.h"

struct ports {
    uint32_t rst, restart, interval, settle, hold, min, margin, speedup, noise, hysteresis, initial;
    uint32_t load, miss, bypass, filter, on, votes, cycle;
};

struct met {
    uint64_t samples, turns[2], none, swaps, alone, ties;
};

struct phase {
    uint32_t left; /* cycles left in the phase */
    uint32_t busy; /* one bit for each SM that has loads */
    uint32_t load[2], hit[2]; /* percent, with the filter off and on */
};

static struct ports find_ports(const struct dut *d)
{
    return (struct ports){
        .rst = dut_port(d, "rst_i"),
        .restart = dut_port(d, "restart_i"),
        .interval = dut_port(d, "interval_i"),
        .settle = dut_port(d, "settle_i"),
        .hold = dut_port(d, "hold_i"),
        .min = dut_port(d, "min_loads_i"),
        .margin = dut_port(d, "margin_i"),
        .speedup = dut_port(d, "speedup_i"),
        .noise = dut_port(d, "noise_i"),
        .hysteresis = dut_port(d, "hysteresis_i"),
        .initial = dut_port(d, "initial_on_i"),
        .load = dut_port(d, "load_i"),
        .miss = dut_port(d, "miss_i"),
        .bypass = dut_port(d, "bypass_i"),
        .filter = dut_port(d, "filter_o"),
        .on = dut_port(d, "on_o"),
        .votes = dut_port(d, "votes_o"),
        .cycle = dut_port(d, "cycle_o"),
    };
}

/* New settings, with which the unit is restarted; most samples are short. */
static void new_settings(struct lock *l, const struct ports *p, struct byw_cross_duel *duel)
{
    struct byw_config c;

    byw_config_defaults(&c);
    c.duel_interval = lock_chance(l, 97) ? 4 + lock_below(l, 40) : 500 + lock_below(l, 3000);
    c.duel_settle = lock_chance(l, 30) ? 0 : lock_below(l, 20);
    c.duel_hold = lock_chance(l, 40) ? lock_below(l, 5) : lock_below(l, 3 * c.duel_interval);
    c.duel_min = lock_below(l, c.duel_interval + 1);
    c.duel_margin = lock_chance(l, 30) ? 0 : lock_below(l, 101);
    c.duel_speedup = lock_chance(l, 30) ? 0 : lock_below(l, lock_chance(l, 50) ? 60 : 256);
    c.duel_noise = lock_chance(l, 90) ? lock_below(l, 4) : lock_below(l, 128);
    c.duel_hyst = lock_chance(l, 50) ? 1 : 1 + lock_below(l, 7);
    c.duel_init = lock_below(l, 2);
    byw_cross_duel_init(duel, &c);
    dut_put(l->dut, p->interval, c.duel_interval);
    dut_put(l->dut, p->settle, c.duel_settle);
    dut_put(l->dut, p->hold, c.duel_hold);
    dut_put(l->dut, p->min, c.duel_min);
    dut_put(l->dut, p->margin, c.duel_margin);
    dut_put(l->dut, p->speedup, c.duel_speedup);
    dut_put(l->dut, p->noise, c.duel_noise);
    dut_put(l->dut, p->hysteresis, c.duel_hyst);
    dut_put(l->dut, p->initial, c.duel_init);
}

/* One cycle of reset or restart, with random pulses. */
static void restart(struct lock *l, const struct ports *p)
{
    bool rst = lock_chance(l, 50);

    dut_put(l->dut, p->rst, rst);
    dut_put(l->dut, p->restart, !rst);
    dut_put(l->dut, p->load, lock_below(l, 1U << P_SMS));
    dut_eval(l->dut);
    dut_tick(l->dut);
    dut_put(l->dut, p->rst, 0);
    dut_put(l->dut, p->restart, 0);
}

static struct phase new_phase(struct lock *l, uint32_t interval)
{
    struct phase ph = {
        .left = 1 + lock_below(l, 20 * interval),
        .busy = lock_below(l, 1U << P_SMS) & lock_below(l, 1U << P_SMS),
        .load = {lock_below(l, 101), lock_below(l, 101)},
        .hit = {lock_below(l, 101), lock_below(l, 101)},
    };

    if (lock_chance(l, 30))
        ph.load[0] = ph.load[1];
    if (lock_chance(l, 40))
        ph.hit[0] = ph.hit[1] = 0;
    return ph;
}

/* Draws the pulses of one SM, sometimes those of a store. */
static uint32_t pulses(struct lock *l, const struct phase *ph, uint32_t sm, bool filter)
{
    if ((ph->busy >> sm & 1) == 0 || !lock_chance(l, ph->load[filter]))
        return lock_chance(l, 20) ? 1U << BYW_EV_STORE | 1U << BYW_EV_MISS : 0;
    if (lock_chance(l, ph->hit[filter]))
        return 1U << BYW_EV_LOAD | 1U << (lock_chance(l, 50) ? BYW_EV_HIT : BYW_EV_HIT_PENDING);
    return 1U << BYW_EV_LOAD | 1U << (lock_chance(l, 50) ? BYW_EV_MISS : BYW_EV_BYPASS);
}

static void note(struct met *m, const struct byw_cross_duel *before,
                 const struct byw_cross_duel *duel)
{
    const uint32_t *loads = before->loads, *hits = before->hits;

    if (duel->coming == BYW_CROSS_LATE) {
        m->samples++;
        m->none += duel->pending == BYW_CROSS_NONE;
        m->ties += loads[0] == loads[1] && hits[0] == hits[1] && loads[0] != 0;
    }
    m->turns[duel->on] += duel->on != before->on;
    m->swaps += duel->leader[0] != before->leader[0];
    m->alone += duel->leader[1] == BYW_CROSS_NOBODY && before->leader[1] != BYW_CROSS_NOBODY;
}

static void one_cycle(struct lock *l, const struct ports *p, struct byw_cross_duel *duel,
                      const struct phase *ph, struct met *met)
{
    struct byw_cross_duel before;
    uint32_t load = 0, miss = 0, bypass = 0, filter = 0, sm, events[P_SMS];

    for (sm = 0; sm < P_SMS; sm++) {
        bool filters = byw_cross_duel_filter(duel, sm);

        events[sm] = pulses(l, ph, sm, filters);
        filter |= (uint32_t)filters << sm;
        load |= (events[sm] >> BYW_EV_LOAD & 1) << sm;
        miss |= (events[sm] >> BYW_EV_MISS & 1) << sm;
        bypass |= (events[sm] >> BYW_EV_BYPASS & 1) << sm;
    }
    dut_put(l->dut, p->load, load);
    dut_put(l->dut, p->miss, miss);
    dut_put(l->dut, p->bypass, bypass);
    dut_eval(l->dut);
    lock_same(l, "filter", filter, dut_get(l->dut, p->filter));
    lock_same(l, "on", duel->on, dut_get(l->dut, p->on));
    lock_same(l, "votes", duel->votes, dut_get(l->dut, p->votes));
    lock_same(l, "cycle", duel->cycle, dut_get(l->dut, p->cycle));
    dut_tick(l->dut);
    for (sm = 0; sm < P_SMS; sm++)
        byw_cross_duel_count(duel, sm, events[sm]);
    before = *duel;
    byw_cross_duel_tick(duel, 1);
    note(met, &before, duel);
}

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 400000);
    struct ports p = find_ports(l.dut);
    struct byw_cross_duel duel;
    struct phase ph = {0};
    struct met met = {0};
    uint32_t settings = 0;

    for (l.cycle = 0; l.cycle < l.cycles; l.cycle++) {
        if (settings-- == 0) {
            new_settings(&l, &p, &duel);
            restart(&l, &p);
            settings = duel.interval * (1 + lock_below(&l, 60));
            ph.left = 0;
        }
        if (ph.left-- == 0)
            ph = new_phase(&l, duel.interval);
        one_cycle(&l, &p, &duel, &ph, &met);
    }
    lock_met(&l, "the filter never went on", met.turns[1]);
    lock_met(&l, "the filter never went off", met.turns[0]);
    lock_met(&l, "no sample had too few loads", met.none);
    lock_met(&l, "no sample was a tie", met.ties);
    if (P_SMS > 2) {
        lock_met(&l, "the leaders never changed", met.swaps);
        lock_met(&l, "no leader was alone", met.alone);
    }
    return lock_pass(&l, ", %" PRIu64 " samples, %" PRIu64 " turns, %" PRIu64 " without a vote",
                     met.samples, met.turns[0] + met.turns[1], met.none);
}
