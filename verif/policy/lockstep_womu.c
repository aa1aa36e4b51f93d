/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_womu - byw_womu.v against byw_womu_count() and byw_womu_below(): the verdict on each
 * window, and in the cycles of those whose occupancy is the average what it would be on those
 * before.  Windows of a few cycles whose bound is often hit exactly, held ones that go on, and once
 * a run the longest window with all 64 warps active.
 */
#include "cosim/lock.h"
#include "policy/byw_womu.h"

enum { LONGEST = 65535, WARPS_MAX = 64 };

enum { SLOTS = 8 };

struct ports {
    uint32_t average, bound, slot, window, held, warps, below;
};

/* One setting of the unit, with a window in each entry. */
struct setting {
    uint32_t left; /* windows */
    uint32_t cycles; /* of a window */
    uint32_t whole, limit, warps_max;
    bool average;
    struct {
        uint32_t left; /* cycles; 0: none is held */
        struct byw_womu womu;
    } of[SLOTS];
};

struct met {
    uint64_t below, not_below, ties, long_windows, went_on;
};

static struct ports find_ports(const struct dut *d)
{
    return (struct ports){
        .average = dut_port(d, "average_i"),
        .bound = dut_port(d, "bound_i"),
        .slot = dut_port(d, "slot_i"),
        .window = dut_port(d, "window_i"),
        .held = dut_port(d, "held_i"),
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

/* A cycle of the window in `slot`, or behind or between windows. */
static void one_cycle(struct lock *l, const struct ports *p, const struct setting *s, uint32_t slot,
                      bool window)
{
    dut_put(l->dut, p->slot, slot);
    dut_put(l->dut, p->window, window);
    dut_put(l->dut, p->held, s->of[slot].left != 0);
    dut_eval(l->dut);
}

static void end_cycle(struct lock *l)
{
    dut_tick(l->dut);
    l->cycle++;
}

/* first: since the window opened or went on; what is said then is not of the cycle before. */
static void count(struct lock *l, const struct ports *p, struct setting *s, uint32_t slot,
                  bool first)
{
    struct byw_womu *womu = &s->of[slot].womu;
    uint32_t warps = s->cycles == LONGEST ? WARPS_MAX : lock_below(l, s->warps_max + 1);

    one_cycle(l, p, s, slot, true);
    dut_put(l->dut, p->warps, warps);
    dut_eval(l->dut);
    if (!first)
        lock_same(l, "below so far",
                  byw_womu_below(womu, s->average, s->cycles, s->whole, s->limit),
                  dut_get(l->dut, p->below));
    end_cycle(l);
    byw_womu_count(womu, warps, 1);
    s->of[slot].left--;
}

static void judge(struct lock *l, const struct ports *p, const struct setting *s, uint32_t slot,
                  struct met *met)
{
    const struct byw_womu *womu = &s->of[slot].womu;
    bool below = byw_womu_below(womu, s->average, s->cycles, s->whole, s->limit);

    one_cycle(l, p, s, slot, false);
    dut_put(l->dut, p->warps, lock_below(l, WARPS_MAX + 1));
    dut_eval(l->dut);
    lock_same(l, "below", below, dut_get(l->dut, p->below));
    end_cycle(l);
    met->below += below;
    met->not_below += !below;
    met->ties += 256 * (uint64_t)(s->average ? womu->sum : womu->last) == bound(s);
    met->long_windows += s->cycles == LONGEST && womu->sum == WARPS_MAX * LONGEST;
}

/* A window is opened or goes on, in any entry, and ends or is held. */
static void one_window(struct lock *l, const struct ports *p, struct setting *s, struct met *met)
{
    uint32_t slot = lock_below(l, SLOTS), idle = 1 + lock_below(l, 3);

    for (; idle != 0; idle--) {
        one_cycle(l, p, s, slot, false);
        end_cycle(l);
    }
    met->went_on += s->of[slot].left != 0;
    if (s->of[slot].left == 0) {
        byw_womu_clear(&s->of[slot].womu);
        s->of[slot].left = s->cycles;
    }
    for (bool first = true; s->of[slot].left != 0; first = false) {
        count(l, p, s, slot, first);
        if (s->cycles != LONGEST && s->of[slot].left != 0 && lock_chance(l, 15))
            return;
    }
    judge(l, p, s, slot, met);
}

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 300000);
    struct ports p = find_ports(l.dut);
    struct setting s = {0};
    struct met met = {0};

    while (l.cycle < l.cycles) {
        if (s.left == 0)
            s = new_setting(&l, &p);
        s.left--;
        one_window(&l, &p, &s, &met);
    }
    lock_met(&l, "no window was below", met.below);
    lock_met(&l, "no window was not below", met.not_below);
    lock_met(&l, "no window hit the bound exactly", met.ties);
    lock_met(&l, "no held window went on", met.went_on);
    if (l.cycles > LONGEST)
        lock_met(&l, "the longest window did not end", met.long_windows);
    return lock_pass(&l, ", %" PRIu64 " below, %" PRIu64 " not, %" PRIu64 " ties", met.below,
                     met.not_below, met.ties);
}
