/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trial.c - trials: each L1 measures in windows of loads what its cache is worth and, if it is
 * worth little, tries two ways of bypassing and keeps the faster (MECHANISMS 13.1).
 *
 *   CACHE    every load is cached
 *   PROTECT  lines are protected for a distance in loads of their set, as in PDP
 * (byw_protection.h); a load whose set has none that may give way bypasses; if loads come in runs
 * of a warp, requests wait in FIFOs by warp, as in MRPB (byw_warp_fifos.h) RELIEVE  every load is
 * cached, and one that would be refused for any reason bypasses
 *
 * In all three a load whose set is all pending bypasses, in CACHE only while hits are few.
 */
#include <stdlib.h>
#include <string.h>

#include "common/byw_bits.h"
#include "comparator/byw_protection.h"
#include "comparator/byw_warp_fifos.h"
#include "record/byw_set.h"

enum {
    KEY_ENABLE,
    KEY_WINDOW,
    KEY_REUSE,
    KEY_REFUSED,
    KEY_CONFIRM,
    KEY_WINDOWS,
    KEY_MARGIN,
    KEY_OVERTIME,
    KEY_REST,
    KEY_DOUBLINGS,
    KEY_DISTANCE,
    KEY_STEP,
    KEY_LINE_WINDOW,
    KEY_LINE_REUSE,
    KEY_RUN,
    KEY_QUEUES,
    KEY_DEPTH,
    KEYS
};
static const struct byw_param keys[KEYS] = {
    BYW_MECH_ENABLE("trial", "an L1 with little reuse tries ways to bypass and keeps the faster"),
    BYW_MECH_U32("trial.window", 256, 8, 65536, "loads of a window"),
    BYW_MECH_U32("trial.reuse_pct", 40, 0, 101,
                 "loads of a window that find their line, below "
                 "which there may be a trial"),
    BYW_MECH_U32("trial.refused_pct", 40, 0, 100, "refused cycles of it that a trial needs"),
    BYW_MECH_U32("trial.confirm", 3, 1, 64, "windows in a row that ask for a trial"),
    BYW_MECH_U32("trial.windows", 4, 1, 64, "windows of each side, the later half measured"),
    BYW_MECH_U32("trial.margin_pct", 5, 0, 100,
                 "how much faster than caching the winner must be, and relieving than protecting"),
    BYW_MECH_U32("trial.overtime_pct", 30, 0, 1000,
                 "how much longer than a window of caching a tried one may take"),
    BYW_MECH_U32("trial.rest", 16, 0, 65536, "windows without a trial after one that failed"),
    BYW_MECH_U32("trial.doublings", 8, 0, 15,
                 "failed trials, each of which makes the next rest twice as long"),
    BYW_MECH_U32("trial.distance", 48, 1, 255, "protecting distance in loads of the set"),
    BYW_MECH_U32("trial.step", 16, 1, 256, "loads of a set for one step of its distances"),
    BYW_MECH_U32("trial.line_window", 128, 1, 65536,
                 "caching: loads from one judgement of the bypass of sets all pending to the next"),
    BYW_MECH_U32("trial.line_reuse_pct", 50, 0, 101,
                 "... of which fewer must find their line for that bypass"),
    BYW_MECH_U32(
        "trial.run_pct", 50, 0, 101,
        "protecting: loads of a cached window that follow one of their warp, from which on "
        "requests wait by warp"),
    BYW_MECH_U32("trial.queues", 8, 1, 64, "FIFOs that they wait in"),
    BYW_MECH_U32("trial.depth", 2, 1, 64, "requests a FIFO holds"),
};

enum { COUNT_TRIALS, COUNT_PROTECT, COUNT_RELIEVE, COUNT_PASSED, COUNT_BYPASSES, COUNTS };
static const struct byw_mech_counter counters[COUNTS] = {
    {"policy_stats.trial.trials", "trials", "a window starts a trial"},
    {"policy_stats.trial.protect", "trials", "... that protecting wins"},
    {"policy_stats.trial.relieve", "trials", "... that relieving wins"},
    {"policy_stats.trial.passed", "requests",
     "a request leaves its FIFO while one that came first waits"},
    {"policy_stats.trial.bypasses", "events", "a load bypasses because its set is all protected"},
};

enum mode { CACHE, PROTECT, RELIEVE, MODES };
enum { CYCLES_MAX = (1 << 24) - 1 };

struct trial {
    struct byw_mech_setup setup;
    uint32_t values[KEYS];

    struct byw_protection lines;
    struct byw_warp_fifos fifos;

    enum mode mode;
    bool trying;
    bool line_bypass; /* in CACHE a load whose set is all pending bypasses */
    uint32_t line_loads, line_reused;
    uint32_t loads, reused; /* of the window */
    uint32_t cycles, refused; /* of it, at most CYCLES_MAX */
    uint32_t windows; /* trying: of this side; in CACHE: left of the rest */
    uint32_t failed; /* trials, at most trial.doublings */
    uint32_t confirmed; /* windows in a row that ask for a trial */
    uint32_t cached; /* cycles of the fastest of them */
    uint32_t sum; /* cycles of the measured windows of this side */
    uint32_t protecting; /* ... of protecting */
    uint8_t last_warp;
    uint32_t followers; /* loads of the window that follow one of their warp */
    bool runs; /* of the last cached window they were many */
    uint64_t count[COUNTS];
};

/* --- protection ----------------------------------------------------------------------------- */

static void protect(struct trial *t, uint32_t block)
{
    byw_protection_use(&t->lines, block, t->values[KEY_DISTANCE] / t->values[KEY_STEP]);
}

static enum byw_opinion ask(const void *self, const struct byw_mech_access *load)
{
    const struct trial *t = self;

    if (t->mode != PROTECT || load->present || !byw_protection_is_full(&t->lines, load->set, false))
        return BYW_OPINION_NONE;
    return BYW_OPINION_BYPASS;
}

static bool rescues(const void *self, const struct byw_mech_access *load, enum byw_rsfail reason)
{
    const struct trial *t = self;

    (void)load;
    if (t->mode == CACHE)
        return t->line_bypass && reason == BYW_RSFAIL_LINE;
    return t->mode == RELIEVE || reason == BYW_RSFAIL_LINE;
}

static int victim(const void *self, uint32_t set, uint64_t eligible)
{
    const struct trial *t = self;

    return t->mode == PROTECT ? byw_protection_victim(&t->lines, set, eligible) : BYW_NONE;
}

/* --- windows and trials --------------------------------------------------------------------- */

static void begin_window(struct trial *t)
{
    t->loads = t->reused = t->cycles = t->refused = t->followers = 0;
}

static void cache(struct trial *t)
{
    t->mode = CACHE;
    t->trying = false;
    t->windows = 0;
}

/* Caching was better; the next trial waits longer. */
static void fail(struct trial *t)
{
    cache(t);
    t->windows = t->values[KEY_REST] << t->failed;
    t->failed += t->failed < t->values[KEY_DOUBLINGS];
}

static void try_side(struct trial *t, enum mode mode)
{
    t->mode = mode;
    t->trying = true;
    t->windows = t->sum = 0;
}

/* Both sides have had their windows. */
static void decide(struct trial *t)
{
    uint64_t relieving = t->sum, protecting = t->protecting;
    uint64_t measured = t->values[KEY_WINDOWS] - t->values[KEY_WINDOWS] / 2;
    uint64_t margin = t->values[KEY_MARGIN];
    bool protects = protecting * 100 <= relieving * (100 + margin);
    uint64_t best = protects ? protecting : relieving;

    if (best * 100 > t->cached * measured * (100 - margin)) {
        fail(t);
        return;
    }
    t->trying = false;
    t->mode = protects ? PROTECT : RELIEVE;
    t->count[protects ? COUNT_PROTECT : COUNT_RELIEVE]++;
}

static void end_of_tried(struct trial *t)
{
    t->windows++;
    if (t->windows > t->values[KEY_WINDOWS] / 2)
        t->sum += t->cycles;
    if (t->windows < t->values[KEY_WINDOWS])
        return;
    if (t->mode == PROTECT) {
        t->protecting = t->sum;
        try_side(t, RELIEVE);
    } else {
        decide(t);
    }
}

/* Few loads find their line, and many cycles go by with a refused one. */
static bool asks_for_trial(const struct trial *t)
{
    return 100 * t->reused < t->values[KEY_REUSE] * t->values[KEY_WINDOW] &&
           100 * (uint64_t)t->refused >= t->values[KEY_REFUSED] * (uint64_t)t->cycles;
}

static void end_of_cached(struct trial *t)
{
    t->runs = 100 * t->followers >= t->values[KEY_RUN] * t->values[KEY_WINDOW];
    if (t->windows != 0) {
        t->windows--;
        return;
    }
    if (!asks_for_trial(t)) {
        t->confirmed = 0;
        return;
    }
    if (t->confirmed == 0 || t->cycles < t->cached)
        t->cached = t->cycles;
    if (++t->confirmed < t->values[KEY_CONFIRM])
        return;
    t->confirmed = 0;
    t->count[COUNT_TRIALS]++;
    try_side(t, PROTECT);
}

static void judge_lines(struct trial *t, bool reused)
{
    t->line_reused += reused;
    if (++t->line_loads < t->values[KEY_LINE_WINDOW])
        return;
    t->line_bypass = 100 * t->line_reused < t->values[KEY_LINE_REUSE] * t->values[KEY_LINE_WINDOW];
    t->line_loads = t->line_reused = 0;
}

static void accepted(void *self, const struct byw_mech_access *access,
                     const struct byw_mech_result *result)
{
    struct trial *t = self;
    bool pending = result->outcome == BYW_HIT_PENDING;
    bool reused = result->outcome == BYW_HIT || pending;

    if (access->op != BYW_OP_LOAD && access->op != BYW_OP_LOCAL_LOAD)
        return;
    t->count[COUNT_BYPASSES] +=
        result->outcome == BYW_BYPASS && ask(self, access) == BYW_OPINION_BYPASS;
    if (result->outcome == BYW_HIT || (pending && access->present))
        protect(t, access->block);
    byw_protection_age(&t->lines, access->set);
    judge_lines(t, reused);
    if (t->trying &&
        (uint64_t)t->cycles * 100 > (uint64_t)t->cached * (100 + t->values[KEY_OVERTIME])) {
        fail(t);
        begin_window(t);
    }
    t->reused += reused;
    t->followers += access->warp == t->last_warp;
    t->last_warp = access->warp;
    if (++t->loads < t->values[KEY_WINDOW])
        return;
    if (t->trying)
        end_of_tried(t);
    else if (t->mode == CACHE)
        end_of_cached(t);
    begin_window(t);
}

static uint32_t later(uint32_t cycles, uint64_t more)
{
    return more > CYCLES_MAX - cycles ? CYCLES_MAX : cycles + (uint32_t)more;
}

static void busy(void *self, uint64_t cycles, bool refused)
{
    struct trial *t = self;

    if (refused)
        t->refused = later(t->refused, cycles);
}

static void tick(void *self, uint64_t cycles)
{
    struct trial *t = self;

    t->cycles = later(t->cycles, cycles);
}

/* --- lines that come and go ----------------------------------------------------------------- */

static void left(void *self, uint32_t block, enum byw_mech_leave why)
{
    struct trial *t = self;

    (void)why;
    byw_protection_left(&t->lines, block);
}

static void installed(void *self, const struct byw_mech_install *install)
{
    struct trial *t = self;

    protect(t, install->block);
    byw_protection_installed(&t->lines, install->block, install->mshr);
}

static void answered(void *self, const struct byw_mech_answer *answer)
{
    struct trial *t = self;

    byw_protection_answered(&t->lines, answer);
}

static void emptied(void *self, bool kernel_start, uint32_t pc)
{
    struct trial *t = self;

    (void)kernel_start;
    (void)pc;
    byw_protection_clear(&t->lines);
}

/* --- requests in front of the L1D ------------------------------------------------------------- */

static bool queue_empty(const void *self)
{
    return ((const struct trial *)self)->fifos.filled == 0;
}

static bool room(const void *self, const struct byw_req *req)
{
    const struct trial *t = self;

    return t->mode == PROTECT && t->runs && byw_warp_fifos_room(&t->fifos, req);
}

static void push(void *self, const struct byw_req *req)
{
    byw_warp_fifos_push(&((struct trial *)self)->fifos, req);
}

static const struct byw_req *choose(void *self)
{
    return byw_warp_fifos_choose(&((struct trial *)self)->fifos);
}

static void pop(void *self)
{
    struct trial *t = self;

    t->count[COUNT_PASSED] += byw_warp_fifos_passes(&t->fifos);
    byw_warp_fifos_pop(&t->fifos);
}

static const struct byw_req_queue_ops queue = {
    .empty = queue_empty,
    .room = room,
    .push = push,
    .through = true,
    .choose = choose,
    .pop = pop,
};

/* --- life ----------------------------------------------------------------------------------- */

static void reset(void *self)
{
    struct trial *t = self;

    byw_protection_clear(&t->lines);
    byw_warp_fifos_clear(&t->fifos);
    begin_window(t);
    cache(t);
    t->failed = t->confirmed = 0;
    t->last_warp = 0;
    t->runs = false;
    t->line_bypass = true;
    t->line_loads = t->line_reused = 0;
    memset(t->count, 0, sizeof(t->count));
}

static void release(void *self)
{
    struct trial *t = self;

    byw_protection_release(&t->lines);
    byw_warp_fifos_release(&t->fifos);
    free(t);
}

static enum byw_status create(const struct byw_mech_setup *setup, void **self)
{
    struct trial *t = calloc(1, sizeof(*t));

    if (t == NULL)
        return BYW_ENOMEM;
    t->setup = *setup;
    memcpy(t->values, setup->values, sizeof(t->values));
    if (byw_protection_init(&t->lines, setup, setup->values[KEY_STEP]) != BYW_OK ||
        byw_warp_fifos_init(&t->fifos, setup, t->values[KEY_QUEUES], t->values[KEY_DEPTH]) !=
            BYW_OK) {
        release(t);
        return BYW_ENOMEM;
    }
    reset(t);
    *self = t;
    return BYW_OK;
}

static const uint64_t *counts(const void *self)
{
    return ((const struct trial *)self)->count;
}

static uint64_t digest(const void *self)
{
    const struct trial *t = self;
    uint64_t digest = (uint64_t)t->mode * 2 + t->trying;

    digest = digest * 31 + t->loads;
    digest = digest * 31 + t->cycles;
    digest = digest * 31 + t->windows;
    digest = digest * 31 + t->confirmed * UINT64_C(32) + t->failed;
    digest = digest * 31 + t->followers * UINT64_C(2) + t->runs;
    digest = digest * 31 + t->fifos.entered * UINT64_C(4096) + t->fifos.filled;
    digest = digest * 31 + t->line_loads * UINT64_C(2) + t->line_bypass;
    for (uint32_t b = 0; b < t->setup.blocks; b++)
        digest = digest * 31 + t->lines.distance[b];
    return digest;
}

/* Distances and their steps; the window's loads, reuse, runs and cycles, refused or not; the
 * trial's sums; mode; FIFOs.  The order of use is the L1's own. */
static uint64_t storage_bits(const struct byw_config *c, const uint32_t *values)
{
    uint64_t lines = (uint64_t)c->l1d_sets * c->l1d_ways;
    uint64_t cycles = byw_clog2(CYCLES_MAX);
    uint64_t rest = (uint64_t)values[KEY_REST] << values[KEY_DOUBLINGS];
    uint64_t windows = values[KEY_WINDOWS] > rest ? values[KEY_WINDOWS] : rest;

    return lines * byw_clog2(values[KEY_DISTANCE] / values[KEY_STEP] + 1) +
           c->l1d_sets * (uint64_t)byw_clog2(values[KEY_STEP]) +
           3 * (uint64_t)byw_clog2(values[KEY_WINDOW]) +
           2 * (uint64_t)byw_clog2(values[KEY_LINE_WINDOW]) + 3 * cycles +
           2 * (cycles + byw_clog2(values[KEY_WINDOWS])) + byw_clog2(windows + 1) +
           byw_clog2(values[KEY_DOUBLINGS] + 1) + byw_clog2(values[KEY_CONFIRM] + 1) + 13 +
           byw_warp_fifos_bits(values[KEY_QUEUES], values[KEY_DEPTH]);
}

static const struct byw_mech_ops ops = {
    .create = create,
    .release = release,
    .reset = reset,
    .emptied = emptied,
    .ask = ask,
    .rescues = rescues,
    .victim = victim,
    .accepted = accepted,
    .left = left,
    .installed = installed,
    .answered = answered,
    .busy = busy,
    .tick = tick,
    .counters = counts,
    .digest = digest,
};

const struct byw_mech byw_mech_trial = {
    .name = "trial",
    .paper = "000",
    .sentence = "an L1 with little reuse and many refusals tries protecting lines and relieving "
                "refusals, and keeps the faster",
    .queue = &queue,
    .enable = "trial.enable",
    .on = "on",
    .c_only = true,
    .keys = keys,
    .key_count = KEYS,
    .counters = counters,
    .counter_count = COUNTS,
    .ops = &ops,
    .storage_bits = storage_bits,
};
