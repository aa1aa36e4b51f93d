/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trial.c - trials (mechanisms/across.md 13.1): the ways of bypassing that an L1 tries.
 * policy/byw_trials.h decides when to try and which to keep.
 *
 *   caching     every load is cached
 *   protecting  lines are protected for a distance in loads of their set, as in PDP
 *               (byw_protection.h); a load bypasses if its set has no line that may be evicted;
 *               if loads come in runs of one warp, they wait in FIFOs by warp, as in MRPB
 *               (byw_warp_fifos.h)
 *   relieving   every load is cached, and a load that would be refused for any reason bypasses
 *
 * In all three, a load bypasses if all lines of its set are pending; while caching, only if there
 * are few hits.
 */
#include <stdlib.h>
#include <string.h>

#include "common/byw_bits.h"
#include "comparator/byw_protection.h"
#include "comparator/byw_warp_fifos.h"
#include "policy/byw_rescue.h"
#include "policy/byw_trials.h"

enum {
    KEY_ENABLE,
#define TRIAL(name, key, def, lowest, highest, meaning) KEY_##name,
#include "configs/byw_trial_params.def"
#undef TRIAL
    KEYS
};
static const struct byw_param keys[KEYS] = {
    BYW_MECH_ENABLE("trial",
                    "an L1 with little reuse tries two ways of bypassing and keeps the faster"),
#define TRIAL(name, key, def, lowest, highest, meaning)                                            \
    BYW_MECH_U32(key, def, lowest, highest, meaning),
#include "configs/byw_trial_params.def"
#undef TRIAL
};

enum { COUNT_TRIALS, COUNT_PROTECT, COUNT_RELIEVE, COUNT_WAITED, COUNT_BYPASSES, COUNTS };
static const struct byw_mech_counter counters[COUNTS] = {
    {"policy_stats.trial.trials", "trials", "a window starts a trial"},
    {"policy_stats.trial.protect", "trials", "a trial ends, and protecting wins"},
    {"policy_stats.trial.relieve", "trials", "a trial ends, and relieving wins"},
    {"policy_stats.trial.waited", "requests", "a load waits in the FIFO of its warp"},
    {"policy_stats.trial.bypasses", "events",
     "a load bypasses because all lines of its set are protected"},
};

struct trial {
    bool on; /* otherwise the trial hardware stays in its initial state; distances still count */
    uint32_t blocks, steps; /* steps: protecting distance, in steps of byw_protection.h */
    struct byw_protection lines;
    struct byw_warp_fifos fifos;
    struct byw_trials trials;
    uint64_t count[COUNTS];
};

/* --- protection ----------------------------------------------------------------------------- */

static enum byw_opinion ask(const void *self, const struct byw_mech_access *load)
{
    const struct trial *t = self;

    if (t->trials.mode != BYW_TRIAL_PROTECT || load->present ||
        !byw_protection_is_full(&t->lines, load->set, false))
        return BYW_OPINION_NONE;
    return BYW_OPINION_BYPASS;
}

static bool rescues(const void *self, const struct byw_mech_access *load, enum byw_rsfail reason)
{
    const struct trial *t = self;
    struct byw_refused refused = {.op = load->op, .reason = (uint8_t)reason};

    return t->on && byw_stall_bypass(byw_trials_stall(&t->trials), &refused);
}

static uint64_t spare(const void *self, uint32_t set, uint64_t eligible)
{
    const struct trial *t = self;

    if (t->trials.mode != BYW_TRIAL_PROTECT)
        return eligible;
    return byw_protection_spare(&t->lines, set, eligible);
}

/* --- windows -------------------------------------------------------------------------------- */

static void accepted(void *self, const struct byw_mech_access *access,
                     const struct byw_mech_result *result)
{
    struct trial *t = self;
    bool pending = result->outcome == BYW_HIT_PENDING;
    bool reused = result->outcome == BYW_HIT || pending;
    uint32_t events;

    if (access->op != BYW_OP_LOAD && access->op != BYW_OP_LOCAL_LOAD)
        return;
    t->count[COUNT_BYPASSES] +=
        result->outcome == BYW_BYPASS && access->asks && ask(self, access) == BYW_OPINION_BYPASS;
    if (result->outcome == BYW_HIT || (pending && access->present))
        byw_protection_use(&t->lines, access->block, t->steps);
    byw_protection_age(&t->lines, access->set);
    byw_trials_enter(&t->trials, access->warp);
    events = byw_trials_load(&t->trials, reused);
    if (!t->on)
        byw_trials_restart(&t->trials);
    if (events == 0 || !t->on)
        return;
    t->count[COUNT_TRIALS] += events >> BYW_TRIAL_EV_START & 1;
    t->count[COUNT_PROTECT] += events >> BYW_TRIAL_EV_PROTECT & 1;
    t->count[COUNT_RELIEVE] += events >> BYW_TRIAL_EV_RELIEVE & 1;
}

static void tick(void *self, uint64_t cycles)
{
    struct trial *t = self;

    if (t->on)
        byw_trials_tick(&t->trials, cycles);
}

/* --- installed and evicted lines -------------------------------------------------------------- */

static void left(void *self, uint32_t block, enum byw_mech_leave why)
{
    struct trial *t = self;

    (void)why;
    byw_protection_left(&t->lines, block);
}

static void installed(void *self, const struct byw_mech_install *install)
{
    struct trial *t = self;

    byw_protection_use(&t->lines, install->block, t->steps);
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

    return (req->op == BYW_OP_LOAD || req->op == BYW_OP_LOCAL_LOAD) &&
           byw_trials_by_warp(&t->trials) && byw_warp_fifos_room(&t->fifos, req);
}

static void push(void *self, const struct byw_req *req)
{
    struct trial *t = self;

    t->count[COUNT_WAITED]++;
    byw_warp_fifos_push(&t->fifos, req);
}

static const struct byw_req *choose(void *self)
{
    return byw_warp_fifos_choose(&((struct trial *)self)->fifos);
}

static void pop(void *self)
{
    byw_warp_fifos_pop(&((struct trial *)self)->fifos);
}

static const struct byw_req_queue_ops queue = {
    .empty = queue_empty,
    .room = room,
    .push = push,
    .through = true,
    .choose = choose,
    .pop = pop,
};

/* --- creation, reset, release ----------------------------------------------------------------- */

static void reset(void *self)
{
    struct trial *t = self;

    byw_protection_clear(&t->lines);
    byw_warp_fifos_clear(&t->fifos);
    byw_trials_reset(&t->trials);
    memset(t->count, 0, sizeof(t->count));
}

static void switched(void *self, bool on)
{
    struct trial *t = self;

    if (!on)
        byw_trials_restart(&t->trials);
    t->on = on;
}

static void release(void *self)
{
    struct trial *t = self;

    byw_protection_release(&t->lines);
    byw_warp_fifos_release(&t->fifos);
    free(t);
}

static struct byw_trial_rules rules_of(const uint32_t *values)
{
    return (struct byw_trial_rules){
        .window = values[KEY_WINDOW],
        .reuse_pct = values[KEY_REUSE_PCT],
        .confirm = values[KEY_CONFIRM],
        .windows = values[KEY_WINDOWS],
        .margin_pct = values[KEY_MARGIN_PCT],
        .overtime_pct = values[KEY_OVERTIME_PCT],
        .rest = values[KEY_REST],
        .doublings = values[KEY_DOUBLINGS],
        .line_window = values[KEY_LINE_WINDOW],
        .line_reuse_pct = values[KEY_LINE_REUSE_PCT],
        .run_pct = values[KEY_RUN_PCT],
    };
}

static enum byw_status create(const struct byw_mech_setup *setup, void **self)
{
    const uint32_t *values = setup->values;
    const struct byw_trial_rules rules = rules_of(values);
    struct trial *t = calloc(1, sizeof(*t));

    if (t == NULL)
        return BYW_ENOMEM;
    t->on = true;
    t->blocks = setup->blocks;
    t->steps = values[KEY_DISTANCE] / values[KEY_STEP];
    byw_trials_init(&t->trials, &rules, BYW_TRIAL_CYCLE_BITS);
    if (byw_protection_init(&t->lines, setup, values[KEY_STEP]) != BYW_OK ||
        byw_warp_fifos_init(&t->fifos, setup, values[KEY_QUEUES], values[KEY_DEPTH]) != BYW_OK) {
        release(t);
        return BYW_ENOMEM;
    }
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
    uint64_t digest = byw_trials_digest(&t->trials);

    digest = digest * 31 + t->fifos.entered * UINT64_C(4096) + t->fifos.filled;
    for (uint32_t b = 0; b < t->blocks; b++)
        digest = digest * 31 + t->lines.distance[b];
    return digest;
}

/* Bits for: the distances and their step counts, the trial unit, the FIFOs. The order of use is not
 * counted, because every L1 has it. */
static uint64_t storage_bits(const struct byw_config *c, const uint32_t *values)
{
    const struct byw_trial_rules rules = rules_of(values);
    uint64_t lines = (uint64_t)c->l1d_sets * c->l1d_ways;

    return lines * byw_clog2(values[KEY_DISTANCE] / values[KEY_STEP] + 1) +
           c->l1d_sets * (uint64_t)byw_clog2(values[KEY_STEP]) + byw_trials_bits(&rules) +
           byw_warp_fifos_bits(values[KEY_QUEUES], values[KEY_DEPTH]);
}

static const struct byw_mech_ops ops = {
    .create = create,
    .release = release,
    .reset = reset,
    .switched = switched,
    .emptied = emptied,
    .ask = ask,
    .rescues = rescues,
    .spare = spare,
    .accepted = accepted,
    .left = left,
    .installed = installed,
    .answered = answered,
    .tick = tick,
    .counters = counts,
    .digest = digest,
};

const struct byw_mech byw_mech_trial = {
    .name = "trial",
    .paper = "000",
    .sentence = "an L1 with little reuse tries protecting lines and relieving stalls, and keeps "
                "the faster",
    .queue = &queue,
    .enable = "trial.enable",
    .on = "on",
    .unit = "trials",
    .keys = keys,
    .key_count = KEYS,
    .counters = counters,
    .counter_count = COUNTS,
    .ops = &ops,
    .storage_bits = storage_bits,
};
