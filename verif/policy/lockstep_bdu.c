/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_bdu - byw_bdu.v against byw_bdu_pass(), byw_bdu_decide() and byw_bdu_edge(): mode,
 * armed, sampling and the pulses of every cycle.  Windows and periods of a few cycles, so that
 * their ends meet kernel starts and CTAs; kernels from pools both smaller and larger than the
 * table; once a run the longest window, a period of more bits than any window, and long windows of
 * a few kernels that take turns.
 */
#include "cosim/lock.h"
#include "policy/byw_bdu.h"

enum { LONGEST = 65535, LONG_PERIOD = 1 << 17, KERNELS = 12 };
enum { SECOND = LONGEST + 100, THIRD = SECOND + LONG_PERIOD + 3000 }; /* cycles of settings */

struct ports {
    uint32_t rst, resample, sample, period, kernel_start, kernel_pc, cta_placed, decision;
    uint32_t bypass, armed, sampling, ends, window, known;
    uint32_t hold, hold_slot, resume, resume_slot;
};

struct phase {
    uint32_t left; /* cycles */
    uint32_t start, cta, decision; /* percent of cycles */
    uint32_t kernels; /* of the pool */
    uint32_t turn; /* of the PCs' bits */
};

struct met {
    uint64_t decisions[4]; /* by enum byw_bdu_resample */
    uint64_t known_bypass, known_cache, known_at_end, forgotten, goes_on, given_up;
    uint64_t reopened, all, long_period;
    uint64_t held, resumed, swapped, lost, held_long;
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
        .ends = dut_port(d, "ends_o"),
        .window = dut_port(d, "window_o"),
        .known = dut_port(d, "known_o"),
        .hold = dut_port(d, "hold_o"),
        .hold_slot = dut_port(d, "hold_slot_o"),
        .resume = dut_port(d, "resume_o"),
        .resume_slot = dut_port(d, "resume_slot_o"),
    };
}

/* New settings and a reset, whatever the pulses say.  Returns the cycles until the next. */
static uint32_t new_settings(struct lock *l, const struct ports *p, struct byw_bdu *bdu)
{
    bool first = l->cycle == 0, second = l->cycle == SECOND, third = l->cycle == THIRD;
    uint32_t resample = first ? (uint32_t)BYW_BDU_EVERY_LAUNCH : lock_below(l, 4);
    uint32_t sample = first ? (uint32_t)LONGEST : 1 + lock_below(l, lock_chance(l, 90) ? 12 : 500);
    uint32_t period = 1 + lock_below(l, lock_chance(l, 90) ? 20 : 70000);

    if (second) {
        resample = BYW_BDU_PERIODIC;
        period = LONG_PERIOD;
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
    return 1 + lock_below(l, resample == BYW_BDU_PER_KERNEL_PC ? 4000 : 200);
}

static bool holds_long(const struct byw_bdu *bdu)
{
    return bdu->resample == BYW_BDU_PER_KERNEL_PC && bdu->sample > LONGEST / 2;
}

static struct phase new_phase(struct lock *l, const struct byw_bdu *bdu)
{
    struct phase ph = {
        .left = 1 + lock_below(l, 200),
        .start = lock_below(l, lock_chance(l, 50) ? 10 : 60),
        .cta = lock_below(l, 101),
        .decision = lock_below(l, 101),
        .kernels = 1 + lock_below(l, KERNELS),
        .turn = lock_below(l, 32),
    };

    if (l->cycle == 0) /* one start and nothing that gives its window up */
        ph = (struct phase){.left = SECOND, .cta = 50, .decision = 100, .kernels = 1};
    if (holds_long(bdu)) { /* the same two, so that their windows end */
        ph.kernels = 2;
        ph.turn = 0;
    }
    return ph;
}

/* A kernel's PC; PCs differ in one bit, anywhere, in other bits in each phase. */
static uint32_t kernel_pc(uint32_t kernel, uint32_t turn)
{
    return UINT32_C(0x80001000) ^ UINT32_C(1) << (kernel * 31 / (KERNELS - 1) + turn) % 32;
}

/* What the edge of a cycle with a kernel start was. */
static void note_start(struct met *m, const struct byw_bdu *was, const struct byw_bdu *is,
                       bool ended, bool known)
{
    bool open = was->sampling && !ended;

    m->known_bypass += known && is->bypass;
    m->known_cache += known && !is->bypass;
    m->known_at_end += known && ended && is->kernel == was->kernel;
    m->forgotten += is->next != was->next && was->table[was->next].decided;
    m->goes_on += open && is->sampling && is->left + 1 == was->left;
    m->given_up += open && !is->sampling && was->resample == BYW_BDU_EVERY_LAUNCH;
}

/* *ahead: the PC of a kernel that starts in this cycle; the port has the next cycle's. */
static void one_cycle(struct lock *l, const struct ports *p, struct byw_bdu *bdu,
                      const struct phase *ph, uint32_t *ahead, struct met *met)
{
    bool start = l->cycle == 0 || lock_chance(l, ph->start), cta = lock_chance(l, ph->cta);
    uint32_t pc = *ahead;
    bool decision = lock_chance(l, ph->decision), ends, reopens;
    struct byw_bdu_moves moves;
    struct byw_bdu was = *bdu;

    dut_put(l->dut, p->kernel_start, start);
    *ahead = kernel_pc(lock_below(l, ph->kernels), ph->turn);
    dut_put(l->dut, p->kernel_pc, *ahead);
    dut_put(l->dut, p->cta_placed, cta);
    dut_put(l->dut, p->decision, decision);
    dut_eval(l->dut);
    lock_same(l, "bypass", bdu->bypass, dut_get(l->dut, p->bypass));
    lock_same(l, "armed", bdu->armed, dut_get(l->dut, p->armed));
    lock_same(l, "sampling", bdu->sampling, dut_get(l->dut, p->sampling));
    ends = byw_bdu_pass(bdu, 1, &reopens);
    if (ends)
        byw_bdu_decide(bdu, decision);
    moves = byw_bdu_edge(bdu, start, pc, cta);
    lock_same(l, "ends", ends, dut_get(l->dut, p->ends));
    lock_same(l, "window", reopens || moves.begins, dut_get(l->dut, p->window));
    lock_same(l, "known", moves.known, dut_get(l->dut, p->known));
    lock_same(l, "hold", moves.hold, dut_get(l->dut, p->hold));
    lock_same(l, "resume", moves.resume, dut_get(l->dut, p->resume));
    if (moves.hold)
        lock_same(l, "hold_slot", moves.hold_slot, dut_get(l->dut, p->hold_slot));
    if (moves.resume)
        lock_same(l, "resume_slot", moves.resume_slot, dut_get(l->dut, p->resume_slot));
    dut_tick(l->dut);
    met->decisions[bdu->resample] += ends;
    met->reopened += reopens;
    met->long_period += reopens && bdu->period == LONG_PERIOD;
    met->all += ends && bdu->sample == LONGEST;
    met->held_long += ends && holds_long(bdu);
    met->held += moves.hold;
    met->resumed += moves.resume;
    met->swapped += moves.hold && moves.resume;
    met->lost += moves.hold && bdu->kernel == moves.hold_slot;
    if (start)
        note_start(met, &was, bdu, ends, moves.known);
}

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 800000);
    struct ports p = find_ports(l.dut);
    struct byw_bdu bdu = {0};
    struct phase ph = {0};
    struct met met = {0};
    uint32_t settings = 0, ahead = 0;

    for (l.cycle = 0; l.cycle < l.cycles; l.cycle++) {
        if (settings == 0) {
            settings = new_settings(&l, &p, &bdu);
            ph.left = 0;
        }
        settings--;
        if (ph.left-- == 0)
            ph = new_phase(&l, &bdu);
        one_cycle(&l, &p, &bdu, &ph, &ahead, &met);
    }
    if (l.cycles >= 600000) {
        lock_met(&l, "no decision of per_kernel_pc", met.decisions[BYW_BDU_PER_KERNEL_PC]);
        lock_met(&l, "no decision of every_launch", met.decisions[BYW_BDU_EVERY_LAUNCH]);
        lock_met(&l, "no decision of first_only", met.decisions[BYW_BDU_FIRST_ONLY]);
        lock_met(&l, "no decision of periodic", met.decisions[BYW_BDU_PERIODIC]);
        lock_met(&l, "no kernel was known to bypass", met.known_bypass);
        lock_met(&l, "no kernel was known to cache", met.known_cache);
        lock_met(&l, "no decision served a start at its own edge", met.known_at_end);
        lock_met(&l, "no decision gave way to another kernel", met.forgotten);
        lock_met(&l, "no window went on over a start", met.goes_on);
        lock_met(&l, "no window was given up", met.given_up);
        lock_met(&l, "no window was held", met.held);
        lock_met(&l, "no window went on", met.resumed);
        lock_met(&l, "no window made way for another one", met.swapped);
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
