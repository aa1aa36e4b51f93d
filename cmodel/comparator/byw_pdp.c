/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_pdp.c - PDP, replacement by protecting distance (Duong et al., MICRO 2012), with bypass, as
 * paper 000 compares it (MECHANISMS 2.4).
 *
 * Each line has a remaining protecting distance (RPD): set to the protecting distance PD when the
 * line comes or is used, then one less with every load of its set.  A line at 0 may give way; if a
 * set has none, its misses bypass.  PD is a constant, or computed anew every period from the reuse
 * distances that byw_pdp_sampler.h sees.
 */
#include "comparator/byw_pdp_sampler.h"

#include <stdlib.h>
#include <string.h>

#include "common/byw_bits.h"
#include "policy/byw_mech_ops.h"
#include "record/byw_set.h"

enum {
    KEY_ENABLE,
    KEY_MODE,
    KEY_DISTANCE,
    KEY_RPD_BITS,
    KEY_STEP,
    KEY_PERIOD,
    KEY_SAMPLED,
    KEY_PENDING,
    KEYS
};
enum { STATIC, DYNAMIC }; /* pdp.mode */
enum { BYPASS, WAIT }; /* pdp.pending */
static const struct byw_param keys[KEYS] = {
    BYW_MECH_ENABLE("pdp", "lines are protected for a distance; misses of a set without an "
                           "unprotected line bypass"),
    {.file = BYW_PARAM_POLICY,
     .kind = BYW_PARAM_ENUM,
     .key = "pdp.mode",
     .choices = "static|dynamic",
     .meaning = "the protecting distance is pdp.distance; or computed from sampled reuse"},
    BYW_MECH_U32("pdp.distance", 4, 0, 256,
                 "protecting distance in loads of the set; of dynamic: the first; 0: without end"),
    BYW_MECH_U32("pdp.rpd_bits", 8, 1, 8, "bits of the remaining distance per line"),
    BYW_MECH_U32("pdp.step", 1, 1, 256, "loads of a set for one step of its remaining distances"),
    BYW_MECH_U32("pdp.period", 8192, 64, 1000000,
                 "dynamic: loads from one computation of the distance to the next"),
    BYW_MECH_U32("pdp.sampled_every", 4, 1, 64, "dynamic: one set in so many is sampled"),
    {.file = BYW_PARAM_POLICY,
     .kind = BYW_PARAM_ENUM,
     .key = "pdp.pending",
     .choices = "bypass|wait",
     .meaning = "a miss whose set has unprotected lines on their way alone: bypasses, or waits"},
};

enum { COUNT_BYPASSES, COUNT_UPDATES, COUNT_DISTANCES, COUNTS };
static const struct byw_mech_counter counters[COUNTS] = {
    {"policy_stats.pdp.bypasses", "events", "a load bypasses because its set is all protected"},
    {"policy_stats.pdp.updates", "events", "the protecting distance is computed"},
    {"policy_stats.pdp.distances", "loads", "sum of the distances computed"},
};

enum { NO_BLOCK = UINT32_MAX };

struct pdp {
    struct byw_mech_setup setup;
    uint32_t values[KEYS];
    uint32_t protect; /* what RPD is set to, in steps; 0: without end */
    uint32_t loads; /* of the period */
    uint8_t *rpd; /* by block */
    uint8_t *state; /* by block: enum place */
    uint64_t *used_at; /* by block: its last use, in uses */
    uint64_t uses;
    uint32_t *since; /* by set: loads since the last step */
    uint32_t *block_of; /* by MSHR: block that its fill is for */
    struct byw_pdp_sampler sampler;
    uint64_t count[COUNTS];
};

enum place { FREE, COMING, FILLED };

static void set_distance(struct pdp *p, uint32_t distance)
{
    uint32_t steps = (distance + p->values[KEY_STEP] - 1) / p->values[KEY_STEP];
    uint32_t most = (uint32_t)byw_mask64(p->values[KEY_RPD_BITS]);

    p->protect = steps > most ? most : steps;
}

static void forget_lines(struct pdp *p)
{
    memset(p->rpd, 0, p->setup.blocks);
    memset(p->state, FREE, p->setup.blocks);
    memset(p->since, 0, p->setup.sets * sizeof(*p->since));
    for (uint32_t i = 0; i < p->setup.mshrs; i++)
        p->block_of[i] = NO_BLOCK;
}

static void reset(void *self)
{
    struct pdp *p = self;

    forget_lines(p);
    set_distance(p, p->values[KEY_DISTANCE]);
    p->loads = 0;
    byw_pdp_sampler_clear(&p->sampler);
    memset(p->count, 0, sizeof(p->count));
}

static void release(void *self)
{
    struct pdp *p = self;

    byw_pdp_sampler_release(&p->sampler);
    free(p->rpd);
    free(p->state);
    free(p->used_at);
    free(p->since);
    free(p->block_of);
    free(p);
}

static enum byw_status create(const struct byw_mech_setup *setup, void **self)
{
    struct pdp *p = calloc(1, sizeof(*p));
    enum byw_status status;

    if (p == NULL)
        return BYW_ENOMEM;
    p->setup = *setup;
    memcpy(p->values, setup->values, sizeof(p->values));
    p->rpd = calloc(setup->blocks, 1);
    p->state = calloc(setup->blocks, 1);
    p->used_at = calloc(setup->blocks, sizeof(*p->used_at));
    p->since = calloc(setup->sets, sizeof(*p->since));
    p->block_of = calloc(setup->mshrs, sizeof(*p->block_of));
    status =
        byw_pdp_sampler_init(&p->sampler, setup->sets, setup->values[KEY_SAMPLED], setup->ways);
    if (p->rpd == NULL || p->state == NULL || p->used_at == NULL || p->since == NULL ||
        p->block_of == NULL || status != BYW_OK) {
        release(p);
        return BYW_ENOMEM;
    }
    reset(p);
    *self = p;
    return BYW_OK;
}

static void emptied(void *self, bool kernel_start, uint32_t pc)
{
    struct pdp *p = self;

    (void)kernel_start;
    (void)pc;
    forget_lines(p);
    byw_pdp_sampler_forget_lines(&p->sampler);
}

/* Bypass if no way is free or has an unprotected line. */
static enum byw_opinion ask(const void *self, const struct byw_mech_access *load)
{
    const struct pdp *p = self;
    uint32_t first = load->set * p->setup.ways;

    if (load->present)
        return BYW_OPINION_NONE;
    for (uint32_t b = first; b < first + p->setup.ways; b++)
        if (p->state[b] == FREE ||
            (p->rpd[b] == 0 && (p->state[b] == FILLED || p->values[KEY_PENDING] == WAIT)))
            return BYW_OPINION_NONE;
    return BYW_OPINION_BYPASS;
}

/* Whether block a gives way before b: it has less protection, or as little and an older use. */
static bool before(const struct pdp *p, uint32_t a, uint32_t b)
{
    return p->rpd[a] != p->rpd[b] ? p->rpd[a] < p->rpd[b] : p->used_at[a] < p->used_at[b];
}

/* The unprotected line used least recently; if somebody else had the load cached, that nearest to
 * it. */
static int victim(const void *self, uint32_t set, uint64_t eligible)
{
    const struct pdp *p = self;
    uint32_t first = set * p->setup.ways;
    int chosen = BYW_NONE;

    for (uint32_t way = 0; way < p->setup.ways; way++)
        if ((eligible >> way & 1) != 0 &&
            (chosen == BYW_NONE || before(p, first + way, first + (uint32_t)chosen)))
            chosen = (int)way;
    return chosen;
}

static bool protected_for_good(const struct pdp *p)
{
    return p->protect == 0;
}

static void protect(struct pdp *p, uint32_t block)
{
    p->rpd[block] = protected_for_good(p) ? UINT8_MAX : (uint8_t)p->protect;
    p->used_at[block] = ++p->uses;
}

/* A load of the set: its lines are a step nearer to losing their protection. */
static void age(struct pdp *p, uint32_t set)
{
    uint8_t *rpd = &p->rpd[set * p->setup.ways];

    if (protected_for_good(p) || ++p->since[set] < p->values[KEY_STEP])
        return;
    p->since[set] = 0;
    for (uint32_t way = 0; way < p->setup.ways; way++)
        rpd[way] = (uint8_t)(rpd[way] - (rpd[way] != 0));
}

static void learn(struct pdp *p, const struct byw_mech_access *load)
{
    uint32_t distance;

    byw_pdp_sampler_load(&p->sampler, load->set, load->line);
    if (++p->loads < p->values[KEY_PERIOD])
        return;
    p->loads = 0;
    distance = byw_pdp_sampler_best(&p->sampler);
    byw_pdp_sampler_restart(&p->sampler);
    if (distance != 0)
        set_distance(p, distance);
    p->count[COUNT_UPDATES]++;
    p->count[COUNT_DISTANCES] += (uint64_t)p->protect * p->values[KEY_STEP];
}

static void accepted(void *self, const struct byw_mech_access *access,
                     const struct byw_mech_result *result)
{
    struct pdp *p = self;

    if (access->op != BYW_OP_LOAD && access->op != BYW_OP_LOCAL_LOAD)
        return;
    p->count[COUNT_BYPASSES] +=
        result->outcome == BYW_BYPASS && ask(self, access) == BYW_OPINION_BYPASS;
    if (result->outcome == BYW_HIT || (result->outcome == BYW_HIT_PENDING && access->present))
        protect(p, access->block);
    age(p, access->set);
    if (p->values[KEY_MODE] == DYNAMIC)
        learn(p, access);
}

static void left(void *self, uint32_t block, enum byw_mech_leave why)
{
    struct pdp *p = self;

    (void)why;
    for (uint32_t i = 0; p->state[block] == COMING && i < p->setup.mshrs; i++)
        if (p->block_of[i] == block)
            p->block_of[i] = NO_BLOCK;
    p->state[block] = FREE;
    p->rpd[block] = 0;
}

/* With allocate on miss the line's own load has just been counted, after its protection by the
 * rule: it starts a step lower. */
static void installed(void *self, const struct byw_mech_install *install)
{
    struct pdp *p = self;
    bool on_miss = p->setup.config->l1d_alloc == BYW_ALLOC_ON_MISS;

    if (!install->fresh)
        return;
    protect(p, install->block);
    if (on_miss && !protected_for_good(p) && p->since[install->block / p->setup.ways] == 0)
        p->rpd[install->block]--;
    p->state[install->block] = on_miss ? COMING : FILLED;
    if (on_miss)
        p->block_of[install->mshr] = install->block;
}

static void answered(void *self, const struct byw_mech_answer *answer)
{
    struct pdp *p = self;
    uint32_t block = answer->bypass ? NO_BLOCK : p->block_of[answer->ticket];

    if (block == NO_BLOCK)
        return;
    p->state[block] = FILLED;
    p->block_of[answer->ticket] = NO_BLOCK;
}

static const uint64_t *counts(const void *self)
{
    return ((const struct pdp *)self)->count;
}

static uint64_t digest(const void *self)
{
    const struct pdp *p = self;
    uint64_t sum = p->protect * UINT64_C(31) + p->loads;

    for (uint32_t b = 0; b < p->setup.blocks; b++)
        sum = (sum ^ ((uint64_t)p->rpd[b] << 8 | p->state[b])) * UINT64_C(0x100000001B3);
    return sum;
}

static uint64_t storage_bits(const struct byw_config *config, const uint32_t *values)
{
    uint64_t bits = (uint64_t)config->l1d_sets * config->l1d_ways * values[KEY_RPD_BITS];

    bits += values[KEY_STEP] > 1 ? (uint64_t)config->l1d_sets * byw_clog2(values[KEY_STEP]) : 0;
    if (values[KEY_MODE] == DYNAMIC)
        bits += values[KEY_RPD_BITS] + byw_clog2(values[KEY_PERIOD]) +
                byw_pdp_sampler_bits(config->l1d_sets, values[KEY_SAMPLED]);
    return bits;
}

static const struct byw_mech_ops ops = {
    .create = create,
    .release = release,
    .reset = reset,
    .emptied = emptied,
    .ask = ask,
    .victim = victim,
    .accepted = accepted,
    .left = left,
    .installed = installed,
    .answered = answered,
    .counters = counts,
    .digest = digest,
};

const struct byw_mech byw_mech_pdp = {
    .name = "pdp",
    .paper = "000",
    .sentence = "lines are protected for a number of loads of their set; misses of a set that is "
                "all protected bypass",
    .enable = "pdp.enable",
    .on = "on",
    .c_only = true,
    .keys = keys,
    .key_count = KEYS,
    .counters = counters,
    .counter_count = COUNTS,
    .ops = &ops,
    .storage_bits = storage_bits,
};
