/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_womu - byw_womu.v against byw_womu_count() and byw_womu_below(): what the sum is
 * over the bound, and the verdict, in every cycle.  Windows of a few cycles whose bound is often
 * hit exactly, and once a run the longest window with all 64 warps active.
 */
#include "cosim/lock.h"
#include "policy/byw_womu.h"

enum { LONGEST = 65535, WARPS_MAX = 64 };

struct ports {
    uint32_t rst, average, bound, clear, resume, resume_over, warps, below, over;
};

struct window {
    uint32_t cycles, left;
    uint32_t whole, limit, warps_max;
    bool average;
};

struct met {
    uint64_t below, not_below, ties, long_windows;
};

static struct ports find_ports(const struct dut *d)
{
    return (struct ports){
        .rst = dut_port(d, "rst_i"),
        .average = dut_port(d, "average_i"),
        .bound = dut_port(d, "bound_i"),
        .clear = dut_port(d, "clear_i"),
        .resume = dut_port(d, "resume_i"),
        .resume_over = dut_port(d, "resume_over_i"),
        .warps = dut_port(d, "warps_i"),
        .below = dut_port(d, "below_o"),
        .over = dut_port(d, "over_o"),
    };
}

static uint64_t bound(const struct window *w)
{
    return (uint64_t)w->limit * w->whole * (w->average ? w->cycles : 1);
}

/* What a sum is over the bound, in whole warps, rounded down: 24 bits, signed. */
static uint64_t over(const struct window *w, uint64_t sum)
{
    return (sum - (bound(w) + 255) / 256) & 0xffffff;
}

static struct window new_window(struct lock *l, const struct ports *p)
{
    struct window w = {
        .cycles = l->cycle == 0 ? LONGEST : 1 + lock_below(l, lock_chance(l, 95) ? 6 : 300),
        .whole = l->cycle == 0 ? WARPS_MAX : 1 + lock_below(l, WARPS_MAX),
        .limit = lock_chance(l, 50) ? 64 * lock_below(l, 5) : lock_below(l, 257),
        .average = l->cycle == 0 || lock_chance(l, 70),
    };

    if (l->cycle == 0)
        w.limit = 256;
    w.left = w.cycles;
    w.warps_max = lock_chance(l, 50) ? w.whole : 1 + lock_below(l, w.whole);
    dut_put(l->dut, p->average, w.average);
    dut_put(l->dut, p->bound, bound(&w));
    return w;
}

static void compare(struct lock *l, const struct ports *p, const struct byw_womu *womu,
                    const struct window *w, struct met *met)
{
    bool below = byw_womu_below(womu, w->average, w->cycles, w->whole, w->limit);
    uint64_t part = w->average ? womu->sum : womu->last;

    lock_same(l, "below", below, dut_get(l->dut, p->below));
    lock_same(l, "over", over(w, womu->sum), dut_get(l->dut, p->over));
    if (w->left != 0)
        return;
    met->below += below;
    met->not_below += !below;
    met->ties += 256 * part == bound(w);
    met->long_windows += w->cycles == LONGEST && womu->sum == WARPS_MAX * LONGEST;
}

static void one_cycle(struct lock *l, const struct ports *p, struct byw_womu *womu,
                      struct window *w, struct met *met)
{
    bool all = w->cycles == LONGEST;
    uint32_t warps = all ? WARPS_MAX : lock_below(l, w->warps_max + 1);
    bool clear = w->left == 1 || (!all && lock_chance(l, 1)); /* or the window is given up */
    bool resume = !all && lock_chance(l, 2);
    uint32_t sum = lock_below(l, WARPS_MAX * (LONGEST - 300));

    dut_put(l->dut, p->warps, warps);
    dut_put(l->dut, p->clear, clear);
    dut_put(l->dut, p->resume, resume);
    dut_put(l->dut, p->resume_over, over(w, sum));
    dut_eval(l->dut);
    byw_womu_count(womu, warps, 1);
    w->left--;
    compare(l, p, womu, w, met);
    if (clear) /* with the bound of the window that begins */
        *w = new_window(l, p);
    dut_tick(l->dut);
    if (resume)
        byw_womu_resume(womu, sum);
    if (clear)
        byw_womu_clear(womu);
}

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 300000);
    struct ports p = find_ports(l.dut);
    struct window w = new_window(&l, &p);
    struct byw_womu womu;
    struct met met = {0};

    byw_womu_clear(&womu);
    dut_put(l.dut, p.rst, 1);
    dut_eval(l.dut);
    dut_tick(l.dut);
    dut_put(l.dut, p.rst, 0);
    for (l.cycle = 0; l.cycle < l.cycles; l.cycle++)
        one_cycle(&l, &p, &womu, &w, &met);
    lock_met(&l, "no window was below", met.below);
    lock_met(&l, "no window was not below", met.not_below);
    lock_met(&l, "no window hit the bound exactly", met.ties);
    if (l.cycles > LONGEST)
        lock_met(&l, "the longest window did not end", met.long_windows);
    return lock_pass(&l, ", %" PRIu64 " below, %" PRIu64 " not, %" PRIu64 " ties", met.below,
                     met.not_below, met.ties);
}
