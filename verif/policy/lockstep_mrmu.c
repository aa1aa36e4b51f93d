/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_mrmu - byw_mrmu.v against byw_mrmu_count() and byw_mrmu_judge(): accumulators and
 * verdict in every cycle.  Windows whose miss rate is near low or high and often exactly there;
 * twice a run the longest window, in which all loads miss or none does, and once the longest that
 * is held.
 */
#include <string.h>

#include "cosim/lock.h"
#include "l1d/byw_l1d.h"
#include "policy/byw_mrmu.h"

enum { LONGEST = 65535, STATE_BYTES = 12 };

struct ports {
    uint32_t rst, low, high, few, pending_is_miss, clear;
    uint32_t load, miss, hit_pending, bypass, code, resume, resume_state, state;
};

struct window {
    uint32_t left; /* cycles */
    uint32_t low, high, few;
    uint32_t load, miss, pending, bypass; /* percent */
    bool pending_is_miss;
    uint32_t resumes; /* in one of so many cycles; 0: it is not held */
    bool held; /* what follows was kept in a cycle of this window */
    struct byw_mrmu mrmu;
    uint8_t state[STATE_BYTES];
};

struct met {
    uint64_t windows;
    uint64_t code[4];
    uint64_t at_low, at_high, pending, bypassed, longest, resumed, resumed_late;
};

static struct ports find_ports(const struct dut *d)
{
    return (struct ports){
        .rst = dut_port(d, "rst_i"),
        .low = dut_port(d, "low_i"),
        .high = dut_port(d, "high_i"),
        .few = dut_port(d, "few_i"),
        .pending_is_miss = dut_port(d, "pending_is_miss_i"),
        .clear = dut_port(d, "clear_i"),
        .load = dut_port(d, "load_i"),
        .miss = dut_port(d, "miss_i"),
        .hit_pending = dut_port(d, "hit_pending_i"),
        .bypass = dut_port(d, "bypass_i"),
        .code = dut_port(d, "code_o"),
        .resume = dut_port(d, "resume_i"),
        .resume_state = dut_port(d, "resume_state_i"),
        .state = dut_port(d, "state_o"),
    };
}

static uint32_t share(struct lock *l)
{
    return lock_chance(l, 60) ? 64 * lock_below(l, 5) : lock_below(l, 257);
}

static struct window random_window(struct lock *l)
{
    struct window w = {
        .left = 1 + lock_below(l, lock_chance(l, 95) ? 40 : 2000),
        .low = share(l),
        .load = lock_chance(l, 30) ? 100 : lock_below(l, 101),
        .miss = lock_below(l, 101),
        .pending = lock_below(l, 60),
        .bypass = lock_chance(l, 50) ? 0 : lock_below(l, 101),
        .pending_is_miss = lock_below(l, 2),
        .resumes = 20,
    };
    uint32_t more = share(l);

    w.high = lock_chance(l, 20) || more < w.low ? w.low : more;
    w.few = lock_chance(l, 60) ? 0 : lock_below(l, w.left + 3);
    if (lock_chance(l, 50)) /* near a limit */
        w.miss = 100 * (lock_chance(l, 50) ? w.low : w.high) / 256;
    return w;
}

static struct window new_window(struct lock *l, const struct ports *p, struct met *met)
{
    struct window w = random_window(l);

    if (met->windows < 2)
        w = (struct window){
            .left = LONGEST,
            .low = met->windows == 0 ? 0 : 256,
            .high = met->windows == 0 ? 0 : 256,
            .few = LONGEST,
            .load = 100,
            .miss = met->windows == 0 ? 100 : 0,
        };
    else if (met->windows == 2) /* resumes seldom, or its counts would stay low */
        w = (struct window){.left = LONGEST, .high = 256, .load = 100, .miss = 60, .resumes = 2000};
    met->windows++;
    dut_put(l->dut, p->low, w.low);
    dut_put(l->dut, p->high, w.high);
    dut_put(l->dut, p->few, w.few);
    dut_put(l->dut, p->pending_is_miss, w.pending_is_miss);
    return w;
}

/* Pulses of a cycle, sometimes such as go with a store or with nothing accepted. */
static uint32_t pulses(struct lock *l, const struct window *w)
{
    uint32_t events = 0;

    if (lock_chance(l, w->load))
        events |= UINT32_C(1) << BYW_EV_LOAD;
    else if (lock_chance(l, 50))
        events |= UINT32_C(1) << BYW_EV_STORE;
    if (lock_chance(l, w->bypass))
        events |= UINT32_C(1) << BYW_EV_BYPASS;
    else if (lock_chance(l, w->miss))
        events |= UINT32_C(1) << BYW_EV_MISS;
    else if (lock_chance(l, w->pending))
        events |= UINT32_C(1) << BYW_EV_HIT_PENDING;
    else
        events |= UINT32_C(1) << BYW_EV_HIT;
    return events;
}

/* {accesses - few, 256 misses - low accesses, 256 misses - high accesses - 1}: 17, 25, 25 bits. */
static void compare_state(struct lock *l, const struct ports *p, const struct byw_mrmu *mrmu,
                          const struct window *w)
{
    uint64_t misses = 256 * (uint64_t)mrmu->misses, accesses = mrmu->accesses, low;
    uint8_t state[STATE_BYTES];

    dut_get_bytes(l->dut, p->state, state, STATE_BYTES);
    memcpy(&low, state, sizeof(low));
    lock_same(l, "over high", (misses - w->high * accesses - 1) & 0x1ffffff, low & 0x1ffffff);
    lock_same(l, "over low", (misses - w->low * accesses) & 0x1ffffff, low >> 25 & 0x1ffffff);
    lock_same(l, "spare", (accesses - w->few) & 0x1ffff,
              (low >> 50 | (uint64_t)state[8] << 14) & 0x1ffff);
}

static void compare(struct lock *l, const struct ports *p, const struct byw_mrmu *mrmu,
                    const struct window *w, struct met *met)
{
    uint32_t code = byw_mrmu_judge(mrmu, w->low, w->high, w->few);

    lock_same(l, "code", code, dut_get(l->dut, p->code));
    compare_state(l, p, mrmu, w);
    if (w->left != 0)
        return;
    met->code[code]++;
    met->at_low += code == BYW_MRMU_BETWEEN && w->low != w->high && mrmu->misses != 0 &&
                   256 * mrmu->misses == w->low * mrmu->accesses;
    met->at_high += code == BYW_MRMU_BETWEEN && w->low != w->high && mrmu->misses != 0 &&
                    256 * mrmu->misses == w->high * mrmu->accesses;
    met->longest += mrmu->accesses == LONGEST;
}

/* The window goes on from where it was when it was kept last. */
static bool resume(struct lock *l, const struct ports *p, const struct window *w)
{
    bool resumes = w->held && lock_below(l, w->resumes) == 0;

    dut_put(l->dut, p->resume, resumes);
    dut_put_bytes(l->dut, p->resume_state, w->state, STATE_BYTES);
    return resumes;
}

static void keep(struct lock *l, const struct ports *p, const struct byw_mrmu *mrmu,
                 struct window *w)
{
    w->held = true;
    w->mrmu = *mrmu;
    dut_get_bytes(l->dut, p->state, w->state, STATE_BYTES);
}

static void one_cycle(struct lock *l, const struct ports *p, struct byw_mrmu *mrmu,
                      struct window *w, struct met *met)
{
    bool all = w->resumes == 0, resumes;
    uint32_t events = pulses(l, w);
    bool clear;

    dut_put(l->dut, p->load, events >> BYW_EV_LOAD & 1);
    dut_put(l->dut, p->miss, events >> BYW_EV_MISS & 1);
    dut_put(l->dut, p->hit_pending, events >> BYW_EV_HIT_PENDING & 1);
    dut_put(l->dut, p->bypass, events >> BYW_EV_BYPASS & 1);
    byw_mrmu_count(mrmu, events, w->pending_is_miss);
    w->left--;
    met->pending += w->pending_is_miss && (events >> BYW_EV_HIT_PENDING & 1) != 0;
    met->bypassed += events >> BYW_EV_BYPASS & 1;
    clear = w->left == 0;
    resumes = resume(l, p, w);
    dut_put(l->dut, p->clear, clear);
    dut_eval(l->dut);
    compare(l, p, mrmu, w, met);
    if (!all && !resumes && lock_chance(l, 5))
        keep(l, p, mrmu, w);
    if (clear) { /* with the settings of the window that begins */
        byw_mrmu_clear(mrmu);
        *w = new_window(l, p, met);
    } else if (resumes) {
        met->resumed++;
        met->resumed_late += w->mrmu.accesses > LONGEST / 2;
        *mrmu = w->mrmu;
    }
    dut_tick(l->dut);
}

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 400000);
    struct ports p = find_ports(l.dut);
    struct met met = {0};
    struct window w = new_window(&l, &p, &met);
    struct byw_mrmu mrmu;

    byw_mrmu_clear(&mrmu);
    dut_put(l.dut, p.rst, 1);
    dut_eval(l.dut);
    dut_tick(l.dut);
    dut_put(l.dut, p.rst, 0);
    for (l.cycle = 0; l.cycle < l.cycles; l.cycle++)
        one_cycle(&l, &p, &mrmu, &w, &met);
    if (l.cycles > 3 * LONGEST) {
        lock_met(&l, "no window was low", met.code[BYW_MRMU_LOW]);
        lock_met(&l, "no window was high", met.code[BYW_MRMU_HIGH]);
        lock_met(&l, "no window was between", met.code[BYW_MRMU_BETWEEN]);
        lock_met(&l, "no window had too few loads", met.code[BYW_MRMU_FEW]);
        lock_met(&l, "no window was exactly at low", met.at_low);
        lock_met(&l, "no window was exactly at high", met.at_high);
        lock_met(&l, "no merged load was a miss", met.pending);
        lock_met(&l, "no load bypassed", met.bypassed);
        lock_met(&l, "no held window went on", met.resumed);
        lock_met(&l, "none went on with a high count", met.resumed_late);
        lock_met(&l, "only one window was the longest", met.longest > 1);
    }
    return lock_pass(&l, ", %" PRIu64 " windows, %" PRIu64 " at low, %" PRIu64 " at high",
                     met.windows, met.at_low, met.at_high);
}
