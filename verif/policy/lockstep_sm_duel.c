/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_sm_duel - byw_sm_duel.v against byw_sm_duel_count() and byw_sm_duel_tick(): decision,
 * votes and window position in every cycle. Settings (mostly with short windows) and miss rates
 * around the margin change from phase to phase; ties are likely because both leaders often count
 * the same pulses. The run starts with wide samples, of up to 1,000,000 loads, close to the margin,
 * where a wrong high bit of a count or sum changes the vote.
 */
#include "cosim/lock.h"
#include "l1d/byw_l1d.h"
#include "policy/byw_sm_duel.h"

enum { LONGEST = 1000000, WIDE = 7 }; /* longest window in cycles; number of wide samples */

struct ports {
    uint32_t rst, restart, interval, hold, all_follow, by_loads, margin, min, hysteresis;
    uint32_t bypass_is_miss, initial, load, miss, bypass, on, leading, votes, cycle;
};

struct met {
    uint64_t windows, turns, kept_votes, lost_votes, ties, too_few, holds;
};

struct phase {
    uint32_t left; /* cycles left in the phase */
    uint32_t load; /* percent of cycles */
    uint32_t miss[BYW_DUEL_LEADERS]; /* percent of loads */
    uint32_t bypass[BYW_DUEL_LEADERS];
    bool same; /* both leaders see the same pulses */
};

/* A sample in which every cycle has a load of both leaders. */
struct wide {
    uint32_t number; /* below WIDE: number of the wide sample; otherwise none */
    uint32_t miss; /* percent, of leader 1 */
    int64_t side; /* how far leader 0's misses keep 100 (m0 a1 - m1 a0) - margin a0 a1 from zero */
};

static struct ports find_ports(const struct dut *d)
{
    return (struct ports){
        .rst = dut_port(d, "rst_i"),
        .restart = dut_port(d, "restart_i"),
        .interval = dut_port(d, "interval_i"),
        .hold = dut_port(d, "hold_i"),
        .all_follow = dut_port(d, "all_follow_i"),
        .by_loads = dut_port(d, "by_loads_i"),
        .margin = dut_port(d, "margin_i"),
        .min = dut_port(d, "min_accesses_i"),
        .hysteresis = dut_port(d, "hysteresis_i"),
        .bypass_is_miss = dut_port(d, "bypass_is_miss_i"),
        .initial = dut_port(d, "initial_on_i"),
        .load = dut_port(d, "load_i"),
        .miss = dut_port(d, "miss_i"),
        .bypass = dut_port(d, "bypass_i"),
        .on = dut_port(d, "on_o"),
        .leading = dut_port(d, "leading_o"),
        .votes = dut_port(d, "votes_o"),
        .cycle = dut_port(d, "cycle_o"),
    };
}

/* Settings for samples of 2^14 to 2^15, 2^17 to 2^18, up to 2^19, and up to LONGEST loads, compared
 * by miss rate. With a hysteresis of 1, every vote decides on_o.
 */
static void wide_settings(struct lock *l, struct byw_config *c, struct wide *w)
{
    static const uint32_t shortest[WIDE] = {1 << 14, 1 << 14, 1 << 14,    1 << 14,
                                            1 << 17, 1 << 18, LONGEST / 2};
    uint32_t a = shortest[w->number] + lock_below(l, shortest[w->number]);
    bool above = (w->number + l->seed) % 2 != 0;

    c->duel_interval = a;
    c->duel_hold = 0;
    c->duel_compare = 0;
    c->duel_margin = lock_below(l, 100);
    c->duel_min = a + lock_chance(l, 20);
    c->duel_hyst = 1;
    c->duel_init = above;
    c->duel_byp_miss = 1;
    w->miss = lock_below(l, (100 - c->duel_margin) / 2 + 1);
    w->side = (above ? 400 : -400) * (int64_t)a;
}

/* New settings for a unit that is restarted with them. */
static void new_settings(struct lock *l, const struct ports *p, struct byw_config *c,
                         struct byw_sm_duel *duel, struct wide *w)
{
    static const uint32_t margins[] = {0, 1, 10, 50, 99, 100};

    byw_config_defaults(c);
    c->duel_interval = lock_chance(l, 97) ? 1 + lock_below(l, 40) : 500 + lock_below(l, 4000);
    c->duel_hold = lock_chance(l, 65) ? 0 : lock_below(l, 3 * c->duel_interval + 3);
    if (lock_chance(l, 5)) /* each bit alone indicates a hold */
        c->duel_hold = UINT32_C(1) << lock_below(l, 20);
    c->duel_follow = lock_below(l, 2);
    c->duel_compare = lock_chance(l, 25);
    c->duel_margin = margins[lock_below(l, 6)];
    c->duel_min = lock_chance(l, 30) ? lock_below(l, 2) : lock_below(l, c->duel_interval / 3 + 1);
    c->duel_hyst = lock_chance(l, 50) ? 1 : 1 + lock_below(l, 15);
    c->duel_byp_miss = lock_below(l, 2);
    c->duel_init = lock_below(l, 2);
    if (w->number < WIDE) {
        wide_settings(l, c, w);
    } else if (lock_chance(l, 15)) { /* every load counts: just enough loads, or one too few */
        c->duel_min = c->duel_interval + lock_below(l, 2);
        c->duel_hyst = 1;
        c->duel_init = 0;
        c->duel_byp_miss = 1;
    }
    byw_sm_duel_init(duel, c);
    dut_put(l->dut, p->interval, c->duel_interval);
    dut_put(l->dut, p->hold, c->duel_hold);
    dut_put(l->dut, p->all_follow, c->duel_follow);
    dut_put(l->dut, p->by_loads, c->duel_compare);
    dut_put(l->dut, p->margin, c->duel_margin);
    dut_put(l->dut, p->min, c->duel_min);
    dut_put(l->dut, p->hysteresis, c->duel_hyst);
    dut_put(l->dut, p->bypass_is_miss, c->duel_byp_miss);
    dut_put(l->dut, p->initial, c->duel_init);
}

static struct phase new_phase(struct lock *l, uint32_t interval, bool all)
{
    struct phase ph = {
        .left = 1 + lock_below(l, 6 * interval + 30),
        .load = all || lock_chance(l, 30) ? 100 : lock_below(l, 101),
        .miss = {lock_below(l, 101), lock_below(l, 101)},
        .bypass = {lock_below(l, 60), lock_chance(l, 50) ? 0 : lock_below(l, 60)},
        .same = lock_chance(l, 20),
    };

    if (all) /* the vote is visible: on */
        ph.miss[0] = ph.bypass[0] = 0;
    if (lock_chance(l, 30))
        ph.miss[1] = ph.miss[0] > 10 ? ph.miss[0] - 10 : 0;
    return ph;
}

/* A leader's pulses, sometimes together with those of a store or of no accepted request. */
static uint32_t pulses(struct lock *l, const struct phase *ph, uint32_t leader)
{
    uint32_t events = 0;

    if (lock_chance(l, ph->load))
        events |= UINT32_C(1) << BYW_EV_LOAD;
    else if (lock_chance(l, 50))
        events |= UINT32_C(1) << BYW_EV_STORE;
    if (lock_chance(l, ph->bypass[leader]))
        events |= UINT32_C(1) << BYW_EV_BYPASS;
    else if (lock_chance(l, ph->miss[leader]))
        events |= UINT32_C(1) << BYW_EV_MISS;
    return events;
}

/* Both leaders' pulses in a wide sample. */
static void wide_pulses(struct lock *l, const struct byw_sm_duel *duel, const struct wide *w,
                        uint32_t *ev)
{
    int64_t a0 = duel->accesses[0], a1 = duel->accesses[1];
    int64_t m0 = duel->misses[0], m1 = duel->misses[1];
    int64_t over = 100 * (m0 * a1 - m1 * a0) - (int64_t)duel->margin_pct * a0 * a1;

    ev[0] = ev[1] = UINT32_C(1) << BYW_EV_LOAD;
    if (over < w->side)
        ev[0] |= UINT32_C(1) << (lock_chance(l, 50) ? BYW_EV_MISS : BYW_EV_BYPASS);
    if (lock_chance(l, w->miss))
        ev[1] |= UINT32_C(1) << (lock_chance(l, 50) ? BYW_EV_MISS : BYW_EV_BYPASS);
}

static void put_pulses(struct lock *l, const struct ports *p, const uint32_t *ev)
{
    uint32_t load = 0, miss = 0, bypass = 0, i;

    for (i = 0; i < BYW_DUEL_LEADERS; i++) {
        load |= (ev[i] >> BYW_EV_LOAD & 1) << i;
        miss |= (ev[i] >> BYW_EV_MISS & 1) << i;
        bypass |= (ev[i] >> BYW_EV_BYPASS & 1) << i;
    }
    dut_put(l->dut, p->load, load);
    dut_put(l->dut, p->miss, miss);
    dut_put(l->dut, p->bypass, bypass);
}

static void note_window(struct met *m, const struct byw_sm_duel *before,
                        const struct byw_duel_verdict *newest)
{
    const struct byw_duel_verdict *last = &before->newest;
    uint64_t a0 = before->accesses[0], a1 = before->accesses[1];
    uint64_t m0 = before->misses[0], m1 = before->misses[1];

    m->windows++;
    if (a0 < before->min_accesses || a1 < before->min_accesses) {
        m->too_few++;
        return;
    }
    m->turns += newest->on != last->on;
    m->kept_votes += newest->votes > last->votes;
    m->lost_votes += newest->votes < last->votes && newest->on == last->on;
    if (before->by_loads)
        m->ties += 100 * a1 == 100 * a0 + before->margin_pct * a1;
    else
        m->ties += 100 * m0 * a1 == 100 * m1 * a0 + before->margin_pct * a0 * a1;
}

static void one_cycle(struct lock *l, const struct ports *p, struct byw_sm_duel *duel,
                      struct phase *ph, const struct wide *w, struct met *met)
{
    uint32_t ev[BYW_DUEL_LEADERS], i;
    struct byw_sm_duel counted;

    if (w->number < WIDE)
        wide_pulses(l, duel, w, ev);
    else
        for (i = 0; i < BYW_DUEL_LEADERS; i++)
            ev[i] = i == 1 && ph->same ? ev[0] : pulses(l, ph, i);
    put_pulses(l, p, ev);
    dut_eval(l->dut);
    lock_same(l, "on", duel->on, dut_get(l->dut, p->on));
    lock_same(l, "filter of SM 0", byw_sm_duel_filter(duel, 0),
              dut_get(l->dut, p->leading) || dut_get(l->dut, p->on));
    lock_same(l, "filter of SM 1", byw_sm_duel_filter(duel, 1),
              !dut_get(l->dut, p->leading) && dut_get(l->dut, p->on));
    lock_same(l, "votes", duel->votes, dut_get(l->dut, p->votes));
    lock_same(l, "cycle", duel->cycle, dut_get(l->dut, p->cycle));
    dut_tick(l->dut);
    for (i = 0; i < BYW_DUEL_LEADERS; i++)
        byw_sm_duel_count(duel, i, ev[i]);
    counted = *duel;
    byw_sm_duel_tick(duel, 1);
    if (duel->cycle == 0 && !counted.holding)
        note_window(met, &counted, &duel->newest);
    met->holds += duel->cycle == 0 && counted.holding;
}

/* One cycle of reset, with random pulses. */
static void restart(struct lock *l, const struct ports *p, bool rst)
{
    dut_put(l->dut, p->rst, rst);
    dut_put(l->dut, p->restart, !rst);
    dut_put(l->dut, p->load, lock_below(l, 4));
    dut_put(l->dut, p->miss, lock_below(l, 4));
    dut_eval(l->dut);
    dut_tick(l->dut);
    dut_put(l->dut, p->rst, 0);
    dut_put(l->dut, p->restart, 0);
}

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 2400000);
    struct ports p = find_ports(l.dut);
    struct byw_config config;
    struct byw_sm_duel duel;
    struct phase ph = {0};
    struct wide wide = {0};
    struct met met = {0};
    uint32_t settings = 0, begun = 0;

    for (l.cycle = 0; l.cycle < l.cycles; l.cycle++) {
        if (settings == 0) {
            wide.number = begun++;
            new_settings(&l, &p, &config, &duel, &wide);
            restart(&l, &p, begun == 1 || lock_chance(&l, 50));
            settings = config.duel_interval * (wide.number < WIDE ? 1 : 1 + lock_below(&l, 20)) +
                       (wide.number < WIDE ? BYW_DUEL_LATE + 1 : lock_below(&l, 20));
            ph.left = 0;
        }
        settings--;
        if (ph.left-- == 0)
            ph = new_phase(&l, config.duel_interval, config.duel_min >= config.duel_interval);
        one_cycle(&l, &p, &duel, &ph, &wide, &met);
    }
    lock_met(&l, "the decision never turned", met.turns);
    lock_met(&l, "no vote was kept for later", met.kept_votes);
    lock_met(&l, "no votes were forgotten", met.lost_votes);
    lock_met(&l, "no window hit the margin exactly", met.ties);
    lock_met(&l, "no hold ended", met.holds);
    lock_met(&l, "no window had too few loads", met.too_few);
    return lock_pass(&l, ", %" PRIu64 " windows, %" PRIu64 " turns, %" PRIu64 " ties", met.windows,
                     met.turns, met.ties);
}
