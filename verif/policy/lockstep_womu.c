/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_womu - byw_womu.v against byw_womu_count() and byw_womu_below(): the verdict on each
 * window, and, where occupancy is the average, in each of its cycles the verdict on the cycles
 * before. Windows of a few cycles often hit the bound exactly; held windows continue; each run has
 * one window of the greatest length, with all 64 warps active.
 */
#include "policy/byw_womu.h"
#include "policy/monitor_lock.h"

enum { LONGEST = 65535, WARPS_MAX = 64 };

struct ports {
    uint32_t average, bound, warps, below;
};

struct setting {
    uint32_t left; /* windows left in the phase */
    uint32_t cycles; /* length of a window */
    uint32_t whole, limit, warps_max;
    bool average;
    struct byw_womu of[BYW_BDU_TABLE];
};

struct met {
    uint64_t below, not_below, ties, long_windows;
};

static struct ports find_ports(const struct dut *d)
{
    return (struct ports){
        .average = dut_port(d, "average_i"),
        .bound = dut_port(d, "bound_i"),
        .warps = dut_port(d, "warps_i"),
        .below = dut_port(d, "below_o"),
    };
}

static uint64_t bound(const struct setting *s)
{
    return (uint64_t)s->limit * s->whole * (s->average ? s->cycles : 1);
}

static struct setting new_setting(struct lock *l, const struct ports *p)
{
    struct setting s = {
        .left = l->cycle == 0 ? 1 : 1 + lock_below(l, 20),
        .cycles = l->cycle == 0 ? LONGEST : 1 + lock_below(l, lock_chance(l, 95) ? 6 : 300),
        .whole = l->cycle == 0 ? WARPS_MAX : 1 + lock_below(l, WARPS_MAX),
        .limit = lock_chance(l, 50) ? 64 * lock_below(l, 5) : lock_below(l, 257),
        .average = l->cycle == 0 || lock_chance(l, 70),
    };

    if (l->cycle == 0)
        s.limit = 256;
    s.warps_max = lock_chance(l, 50) ? s.whole : 1 + lock_below(l, s.whole);
    dut_put(l->dut, p->average, s.average);
    dut_put(l->dut, p->bound, bound(&s));
    return s;
}

static bool compare(struct monitor *m, const struct ports *p, const struct setting *s)
{
    bool below = byw_womu_below(&s->of[m->slot], s->average, s->cycles, s->whole, s->limit);

    lock_same(&m->l, "below", below, dut_get(m->l.dut, p->below));
    return below;
}

/* first: the first cycle since the window opened or resumed, in which the output does not yet
 * describe the previous cycle. */
static void count(struct monitor *m, const struct ports *p, struct setting *s, bool first)
{
    uint32_t warps = s->cycles == LONGEST ? WARPS_MAX : lock_below(&m->l, s->warps_max + 1);

    dut_put(m->l.dut, p->warps, warps);
    monitor_show(m, true);
    if (!first)
        compare(m, p, s);
    monitor_tick(m);
    byw_womu_count(&s->of[m->slot], warps, 1);
    m->left[m->slot]--;
}

static void judge(struct monitor *m, const struct ports *p, const struct setting *s,
                  struct met *met)
{
    const struct byw_womu *womu = &s->of[m->slot];
    bool below;

    dut_put(m->l.dut, p->warps, lock_below(&m->l, WARPS_MAX + 1));
    monitor_show(m, false);
    below = compare(m, p, s);
    monitor_tick(m);
    met->below += below;
    met->not_below += !below;
    met->ties += 256 * (uint64_t)(s->average ? womu->sum : womu->last) == bound(s);
    met->long_windows += s->cycles == LONGEST && womu->sum == WARPS_MAX * LONGEST;
}

static void one_window(struct monitor *m, const struct ports *p, struct setting *s, struct met *met)
{
    if (monitor_open(m, s->cycles))
        byw_womu_clear(&s->of[m->slot]);
    for (bool first = true; m->left[m->slot] != 0; first = false) {
        count(m, p, s, first);
        if (s->cycles != LONGEST && m->left[m->slot] != 0 && lock_chance(&m->l, 15))
            return;
    }
    judge(m, p, s, met);
}

int main(int argc, char **argv)
{
    struct monitor m = monitor_start(argc, argv, 300000);
    struct ports p = find_ports(m.l.dut);
    struct setting s = {0};
    struct met met = {0};

    while (m.l.cycle < m.l.cycles) {
        if (s.left == 0) {
            monitor_forget(&m);
            s = new_setting(&m.l, &p);
        }
        s.left--;
        one_window(&m, &p, &s, &met);
    }
    lock_met(&m.l, "no window was below", met.below);
    lock_met(&m.l, "no window was not below", met.not_below);
    lock_met(&m.l, "no window hit the bound exactly", met.ties);
    lock_met(&m.l, "no held window went on", m.went_on);
    if (m.l.cycles > LONGEST)
        lock_met(&m.l, "the longest window did not end", met.long_windows);
    return lock_pass(&m.l, ", %" PRIu64 " below, %" PRIu64 " not, %" PRIu64 " ties", met.below,
                     met.not_below, met.ties);
}
