/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_bdu - byw_bdu.v against byw_bdu_decide(), byw_bdu_pass() and byw_bdu_take(): mode,
 * armed, sampling and the pulses of every cycle. Windows and periods of a few cycles, so that their
 * ends coincide with kernel starts and CTAs; kernels from pools smaller and larger than the table,
 * which start while others are looked up. Once a run: the longest window, a period wider than any
 * window, and long windows of a few alternating kernels.
 */
#include "cosim/lock.h"
#include "policy/byw_bdu.h"

enum { LONGEST = 65535, LONG_PERIOD = 1 << 17, KERNELS = 12 };
enum {
    SECOND = LONGEST + 100,
    THIRD = SECOND + LONG_PERIOD + LONGEST + 3000
}; /* cycles of settings */

struct ports {
    uint32_t rst, resample, sample, period, kernel_start, kernel_pc, cta_placed, decision;
    uint32_t bypass, armed, sampling, judged, window, known;
    uint32_t hold, resume, held, slot;
};

struct phase {
    uint32_t left; /* cycles left in the phase */
    uint32_t start, cta, decision; /* percent of cycles */
    uint32_t kernels; /* number of kernels in the pool */
    uint32_t turn; /* which bit of the PCs differs */
};

struct met {
    uint64_t decisions[4]; /* indexed by enum byw_bdu_resample */
    uint64_t known_bypass, known_cache, put_off, given_way, waited, forgotten, goes_on, given_up;
    uint64_t reopened, all, long_period;
    uint64_t held, resumed, lost, held_long;
};

static struct ports find_ports(const struct dut *d)
{
    return (struct ports){
        .rst = dut_port(d, "rst_i"),
        .resample = dut_port(d, "resample_i"),
        .sample = dut_port(d, "sample_i"),
        .period = dut_port(d, "period_i"),
        .kernel_start = dut_port(d, "kernel_start_i"),
        .kernel_pc = dut_port(d, "kernel_pc_i"),
        .cta_placed = dut_port(d, "cta_placed_i"),
        .decision = dut_port(d, "decision_i"),
        .bypass = dut_port(d, "bypass_o"),
        .armed = dut_port(d, "armed_o"),
        .sampling = dut_port(d, "sampling_o"),
        .judged = dut_port(d, "judged_o"),
        .window = dut_port(d, "window_o"),
        .known = dut_port(d, "known_o"),
        .hold = dut_port(d, "hold_o"),
        .resume = dut_port(d, "resume_o"),
        .held = dut_port(d, "held_o"),
        .slot = dut_port(d, "slot_o"),
    };
}

/* New settings and a reset, with random pulses. Returns the cycles until the next. */
static uint32_t new_settings(struct lock *l, const struct ports *p, struct byw_bdu *bdu)
{
    bool first = l->cycle == 0, second = l->cycle == SECOND, third = l->cycle == THIRD;
    uint32_t resample = first ? (uint32_t)BYW_BDU_EVERY_LAUNCH : lock_below(l, 4);
    uint32_t sample = first ? (uint32_t)LONGEST : 1 + lock_below(l, lock_chance(l, 50) ? 12 : 500);
    uint32_t period = 1 + lock_below(l, lock_chance(l, 95) ? 20 : 70000);

    if (second) {
        resample = BYW_BDU_PERIODIC;
        period = LONG_PERIOD + lock_below(l, LONGEST);
    }
    if (third) {
        resample = BYW_BDU_PER_KERNEL_PC;
        sample = LONGEST - lock_below(l, 20000);
    }
    byw_bdu_init(bdu, resample, sample, period);
    dut_put(l->dut, p->resample, resample);
    dut_put(l->dut, p->sample, sample);
    dut_put(l->dut, p->period, period);
    dut_put(l->dut, p->rst, 1);
    dut_put(l->dut, p->kernel_start, lock_below(l, 2));
    dut_put(l->dut, p->cta_placed, lock_below(l, 2));
    dut_eval(l->dut);
    dut_tick(l->dut);
    dut_put(l->dut, p->rst, 0);
    if (first)
        return SECOND;
    if (second)
        return THIRD - SECOND;
    if (third)
        return 4 * LONGEST;
    if (resample == BYW_BDU_PERIODIC)
        return 3 * period + lock_below(l, 200);
    return 1 + lock_below(l, resample == BYW_BDU_PER_KERNEL_PC ? 12000 : 200);
}

static bool holds_long(const struct byw_bdu *bdu)
{
    return bdu->resample == BYW_BDU_PER_KERNEL_PC && bdu->sample > LONGEST / 2;
}

static struct phase new_phase(struct lock *l, const struct byw_bdu *bdu)
{
    struct phase ph = {
        .left = 1 + lock_below(l, bdu->resample == BYW_BDU_PER_KERNEL_PC ? 1000 : 200),
        .start = lock_below(l, lock_chance(l, 70) ? 10 : 60),
        .cta = lock_below(l, 101),
        .decision = lock_below(l, 101),
        .kernels = lock_chance(l, 30) ? KERNELS : 1 + lock_below(l, KERNELS),
        .turn = lock_below(l, 32),
    };

    if (l->cycle == 0) /* one start, and no event that aborts its window */
        ph = (struct phase){.left = SECOND, .cta = 50, .decision = 100, .kernels = 1};
    if (holds_long(bdu)) { /* two alternating kernels, so that their windows end */
        ph.kernels = 2;
        ph.turn = 0;
    }
    return ph;
}

/* A kernel's PC. Each differs from the first one's in one random bit, another one in each phase. */
static uint32_t kernel_pc(uint32_t kernel, uint32_t turn)
{
    uint32_t one = kernel == 0 ? 0 : UINT32_C(1) << (kernel * 31 / (KERNELS - 1) + turn) % 32;

    return UINT32_C(0x80001000) ^ one;
}

/* Records the unit's state in the cycle in which a kernel started. */
static void note_begin(struct met *m, const struct byw_bdu *was, const struct byw_bdu *is,
                       bool known)
{
    m->known_bypass += known && is->bypass;
    m->known_cache += known && !is->bypass;
    m->forgotten += is->next != was->next && was->table[was->next].decided;
    m->goes_on += was->sampling && is->sampling;
    m->given_up += was->sampling && !is->sampling && was->resample == BYW_BDU_EVERY_LAUNCH;
    m->waited += is->cta;
}

static void note(struct met *m, const struct byw_bdu *was, const struct byw_bdu *is,
                 const struct byw_bdu_moves *moves)
{
    bool reopened = moves->begins && was->resample == BYW_BDU_PERIODIC && was->decided;

    if (was->start.on && !is->start.on)
        note_begin(m, was, is, moves->known);
    m->put_off += was->start.on && was->start.left == 1 && is->start.on;
    m->decisions[is->resample] += was->judged;
    m->reopened += reopened;
    m->long_period += reopened && is->period >= LONG_PERIOD;
    m->all += was->judged && is->sample == LONGEST;
    m->held_long += was->judged && holds_long(is);
    m->held += moves->hold;
    m->resumed += moves->resume;
    m->lost += moves->hold && is->kernel == moves->hold_slot;
}

static void compare(struct lock *l, const struct ports *p, const struct byw_bdu *was,
                    const struct byw_bdu_moves *moves)
{
    lock_same(l, "bypass", was->bypass, dut_get(l->dut, p->bypass));
    lock_same(l, "armed", was->armed, dut_get(l->dut, p->armed));
    lock_same(l, "sampling", was->sampling, dut_get(l->dut, p->sampling));
    lock_same(l, "judged", was->judged, dut_get(l->dut, p->judged));
    lock_same(l, "window", moves->begins, dut_get(l->dut, p->window));
    lock_same(l, "known", moves->known, dut_get(l->dut, p->known));
    lock_same(l, "hold", moves->hold, dut_get(l->dut, p->hold));
    lock_same(l, "resume", moves->resume, dut_get(l->dut, p->resume));
    lock_same(l, "slot", was->kernel, dut_get(l->dut, p->slot));
    if (was->armed && was->resample == BYW_BDU_PER_KERNEL_PC)
        lock_same(l, "held", was->table[was->kernel].held, dut_get(l->dut, p->held));
}

static void one_cycle(struct lock *l, const struct ports *p, struct byw_bdu *bdu,
                      const struct phase *ph, struct met *met)
{
    bool start = l->cycle == 0 || lock_chance(l, ph->start), cta = lock_chance(l, ph->cta);
    uint32_t pc = kernel_pc(lock_below(l, ph->kernels), ph->turn);
    bool decision = lock_chance(l, ph->decision);
    struct byw_bdu_moves moves;
    struct byw_bdu was = *bdu;

    if (!bdu->start.on && bdu->sampling && bdu->table[bdu->next].valid &&
        bdu->kernel == bdu->next && lock_chance(l, 3)) {
        start = true; /* a kernel that is not in the table takes this one's entry */
        pc = UINT32_C(0x1000) + lock_below(l, 1 << 20);
    }
    dut_put(l->dut, p->kernel_start, start);
    dut_put(l->dut, p->kernel_pc, pc);
    dut_put(l->dut, p->cta_placed, cta);
    dut_put(l->dut, p->decision, decision);
    dut_eval(l->dut);
    if (bdu->judged)
        byw_bdu_decide(bdu, decision);
    moves = byw_bdu_pass(bdu, 1);
    compare(l, p, &was, &moves);
    note(met, &was, bdu, &moves);
    met->given_way += start && bdu->start.on;
    byw_bdu_take(bdu, start, pc, cta);
    dut_tick(l->dut);
}

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 1000000);
    struct ports p = find_ports(l.dut);
    struct byw_bdu bdu = {0};
    struct phase ph = {0};
    struct met met = {0};
    uint32_t settings = 0;

    for (l.cycle = 0; l.cycle < l.cycles; l.cycle++) {
        if (settings == 0) {
            settings = new_settings(&l, &p, &bdu);
            ph.left = 0;
        }
        settings--;
        if (ph.left-- == 0)
            ph = new_phase(&l, &bdu);
        one_cycle(&l, &p, &bdu, &ph, &met);
    }
    if (l.cycles >= 600000) {
        lock_met(&l, "no decision of per_kernel_pc", met.decisions[BYW_BDU_PER_KERNEL_PC]);
        lock_met(&l, "no decision of every_launch", met.decisions[BYW_BDU_EVERY_LAUNCH]);
        lock_met(&l, "no decision of first_only", met.decisions[BYW_BDU_FIRST_ONLY]);
        lock_met(&l, "no decision of periodic", met.decisions[BYW_BDU_PERIODIC]);
        lock_met(&l, "no kernel was known to bypass", met.known_bypass);
        lock_met(&l, "no kernel was known to cache", met.known_cache);
        lock_met(&l, "no window put a kernel off", met.put_off);
        lock_met(&l, "no kernel gave way to the next one", met.given_way);
        lock_met(&l, "no CTA waited for its kernel", met.waited);
        lock_met(&l, "no decision gave way to another kernel", met.forgotten);
        lock_met(&l, "no window went on over a start", met.goes_on);
        lock_met(&l, "no window was given up", met.given_up);
        lock_met(&l, "no window was held", met.held);
        lock_met(&l, "no window went on", met.resumed);
        lock_met(&l, "no held window lost its entry at once", met.lost);
        lock_met(&l, "no period ended", met.reopened);
        lock_met(&l, "the longest window did not end", met.all);
        lock_met(&l, "no long window ended after others", met.held_long);
        lock_met(&l, "the long period did not end", met.long_period);
    }
    return lock_pass(
        &l, ", %" PRIu64 " known, %" PRIu64 " held, %" PRIu64 " went on, %" PRIu64 " periods",
        met.known_bypass + met.known_cache, met.held, met.resumed, met.reopened);
}
