/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_mrmu - byw_mrmu.v against byw_mrmu_count() and byw_mrmu_judge(): the verdict on each
 * window, and, in each of its cycles, the verdict on the cycles before. Miss rates are near low or
 * high and often exactly there; held windows continue. Each run has two of the longest windows, one
 * in which all loads miss and one in which none does.
 */
#include "l1d/byw_l1d.h"
#include "policy/byw_mrmu.h"
#include "policy/monitor_lock.h"

enum { LONGEST = 65535 };

struct ports {
    uint32_t low, high, few, pending_is_miss;
    uint32_t load, miss, hit_pending, bypass, code;
};

struct setting {
    uint32_t left; /* windows left in the phase */
    uint32_t cycles; /* length of a window */
    uint32_t low, high, few;
    uint32_t load, miss, pending, bypass; /* percent */
    bool pending_is_miss;
    struct byw_mrmu of[BYW_BDU_TABLE];
};

struct met {
    uint64_t settings, windows;
    uint64_t code[4];
    uint64_t at_low, at_high, pending, bypassed, longest;
};

static struct ports find_ports(const struct dut *d)
{
    return (struct ports){
        .low = dut_port(d, "low_i"),
        .high = dut_port(d, "high_i"),
        .few = dut_port(d, "few_i"),
        .pending_is_miss = dut_port(d, "pending_is_miss_i"),
        .load = dut_port(d, "load_i"),
        .miss = dut_port(d, "miss_i"),
        .hit_pending = dut_port(d, "hit_pending_i"),
        .bypass = dut_port(d, "bypass_i"),
        .code = dut_port(d, "code_o"),
    };
}

static uint32_t share(struct lock *l)
{
    return lock_chance(l, 60) ? 64 * lock_below(l, 5) : lock_below(l, 257);
}

static struct setting random_setting(struct lock *l)
{
    struct setting s = {
        .left = 1 + lock_below(l, 20),
        .cycles = 1 + lock_below(l, lock_chance(l, 95) ? 40 : 2000),
        .low = share(l),
        .load = lock_chance(l, 30) ? 100 : lock_below(l, 101),
        .miss = lock_below(l, 101),
        .pending = lock_below(l, 60),
        .bypass = lock_chance(l, 50) ? 0 : lock_below(l, 101),
        .pending_is_miss = lock_below(l, 2),
    };
    uint32_t more = share(l);

    s.high = lock_chance(l, 20) || more < s.low ? s.low : more;
    s.few = lock_chance(l, 60) ? 0 : lock_below(l, s.cycles + 3);
    if (lock_chance(l, 50)) /* near a limit */
        s.miss = 100 * (lock_chance(l, 50) ? s.low : s.high) / 256;
    return s;
}

static struct setting new_setting(struct lock *l, const struct ports *p, struct met *met)
{
    struct setting s = random_setting(l);

    if (met->settings < 2)
        s = (struct setting){
            .left = 1,
            .cycles = LONGEST,
            .low = met->settings == 0 ? 0 : 256,
            .high = met->settings == 0 ? 0 : 256,
            .few = LONGEST,
            .load = 100,
            .miss = met->settings == 0 ? 100 : 0,
        };
    met->settings++;
    dut_put(l->dut, p->low, s.low);
    dut_put(l->dut, p->high, s.high);
    dut_put(l->dut, p->few, s.few);
    dut_put(l->dut, p->pending_is_miss, s.pending_is_miss);
    return s;
}

/* Pulses of a cycle, sometimes with those of a store or of no accepted request. */
static uint32_t pulses(struct lock *l, const struct setting *s)
{
    uint32_t events = 0;

    if (lock_chance(l, s->load))
        events |= UINT32_C(1) << BYW_EV_LOAD;
    else if (lock_chance(l, 50))
        events |= UINT32_C(1) << BYW_EV_STORE;
    if (lock_chance(l, s->bypass))
        events |= UINT32_C(1) << BYW_EV_BYPASS;
    else if (lock_chance(l, s->miss))
        events |= UINT32_C(1) << BYW_EV_MISS;
    else if (lock_chance(l, s->pending))
        events |= UINT32_C(1) << BYW_EV_HIT_PENDING;
    else
        events |= UINT32_C(1) << BYW_EV_HIT;
    return events;
}

/* One cycle with pulses, which are returned. */
static uint32_t one_cycle(struct monitor *m, const struct ports *p, const struct setting *s,
                          bool window)
{
    struct dut *d = m->l.dut;
    uint32_t events = pulses(&m->l, s);

    dut_put(d, p->load, events >> BYW_EV_LOAD & 1);
    dut_put(d, p->miss, events >> BYW_EV_MISS & 1);
    dut_put(d, p->hit_pending, events >> BYW_EV_HIT_PENDING & 1);
    dut_put(d, p->bypass, events >> BYW_EV_BYPASS & 1);
    monitor_show(m, window);
    return events;
}

static enum byw_mrmu_code compare(struct monitor *m, const struct ports *p, const struct setting *s)
{
    enum byw_mrmu_code code = byw_mrmu_judge(&s->of[m->slot], s->low, s->high, s->few);

    lock_same(&m->l, "code", code, dut_get(m->l.dut, p->code));
    return code;
}

static void count(struct monitor *m, const struct ports *p, struct setting *s, struct met *met)
{
    uint32_t events = one_cycle(m, p, s, true);

    compare(m, p, s);
    monitor_tick(m);
    byw_mrmu_count(&s->of[m->slot], events, s->pending_is_miss);
    m->left[m->slot]--;
    met->pending += s->pending_is_miss && (events >> BYW_EV_HIT_PENDING & 1) != 0;
    met->bypassed += events >> BYW_EV_BYPASS & 1;
}

static void judge(struct monitor *m, const struct ports *p, const struct setting *s,
                  struct met *met)
{
    const struct byw_mrmu *mrmu = &s->of[m->slot];
    enum byw_mrmu_code code;

    one_cycle(m, p, s, false);
    code = compare(m, p, s);
    monitor_tick(m);
    met->windows++;
    met->code[code]++;
    met->at_low += code == BYW_MRMU_BETWEEN && s->low != s->high && mrmu->misses != 0 &&
                   256 * mrmu->misses == s->low * mrmu->accesses;
    met->at_high += code == BYW_MRMU_BETWEEN && s->low != s->high && mrmu->misses != 0 &&
                    256 * mrmu->misses == s->high * mrmu->accesses;
    met->longest += mrmu->accesses == LONGEST;
}

static void one_window(struct monitor *m, const struct ports *p, struct setting *s, struct met *met)
{
    one_cycle(m, p, s, false); /* pulses outside any window */
    if (monitor_open(m, s->cycles))
        byw_mrmu_clear(&s->of[m->slot]);
    while (m->left[m->slot] != 0) {
        count(m, p, s, met);
        if (s->cycles != LONGEST && m->left[m->slot] != 0 && lock_chance(&m->l, 5))
            return;
    }
    judge(m, p, s, met);
}

int main(int argc, char **argv)
{
    struct monitor m = monitor_start(argc, argv, 400000);
    struct ports p = find_ports(m.l.dut);
    struct setting s = {0};
    struct met met = {0};

    while (m.l.cycle < m.l.cycles) {
        if (s.left == 0) {
            monitor_forget(&m);
            s = new_setting(&m.l, &p, &met);
        }
        s.left--;
        one_window(&m, &p, &s, &met);
    }
    if (m.l.cycles > 3 * LONGEST) {
        lock_met(&m.l, "no window was low", met.code[BYW_MRMU_LOW]);
        lock_met(&m.l, "no window was high", met.code[BYW_MRMU_HIGH]);
        lock_met(&m.l, "no window was between", met.code[BYW_MRMU_BETWEEN]);
        lock_met(&m.l, "no window had too few loads", met.code[BYW_MRMU_FEW]);
        lock_met(&m.l, "no window was exactly at low", met.at_low);
        lock_met(&m.l, "no window was exactly at high", met.at_high);
        lock_met(&m.l, "no merged load was a miss", met.pending);
        lock_met(&m.l, "no load bypassed", met.bypassed);
        lock_met(&m.l, "no held window went on", m.went_on);
        lock_met(&m.l, "only one window was the longest", met.longest > 1);
    }
    return lock_pass(&m.l, ", %" PRIu64 " windows, %" PRIu64 " at low, %" PRIu64 " at high",
                     met.windows, met.at_low, met.at_high);
}
