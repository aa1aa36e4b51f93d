/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_pdp.c - PDP, replacement by protecting distance (Duong et al., MICRO 2012), with bypass, as
 * compared in paper 000 (mechanisms/comparators.md 2.4).
 *
 * Each line has a remaining protecting distance (RPD).  It is set to the protecting distance PD
 * when the line is filled or used and decremented by every load of its set.  A line with RPD 0 may
 * be evicted.  If a set has none, its misses bypass.  PD is a constant, or recomputed every period
 * from the reuse distances that byw_pdp_sampler.h observes.
 */
#include "comparator/byw_pdp_sampler.h"

#include <stdlib.h>
#include <string.h>

#include "common/byw_bits.h"
#include "comparator/byw_protection.h"
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
     .meaning = "the protecting distance is pdp.distance, or is computed from sampled reuse"},
    BYW_MECH_U32("pdp.distance", 4, 0, 256,
                 "protecting distance in loads of the set; dynamic: the initial one; 0: unlimited"),
    BYW_MECH_U32("pdp.rpd_bits", 8, 1, 8, "bits of the remaining distance per line"),
    BYW_MECH_U32("pdp.step", 1, 1, 256, "loads of a set per decrement of its remaining distances"),
    BYW_MECH_U32("pdp.period", 8192, 64, 1000000,
                 "dynamic: loads from one computation of the distance to the next"),
    BYW_MECH_U32("pdp.sampled_every", 4, 1, 64, "dynamic: one set in this many is sampled"),
    {.file = BYW_PARAM_POLICY,
     .kind = BYW_PARAM_ENUM,
     .key = "pdp.pending",
     .choices = "bypass|wait",
     .meaning = "a miss whose set has no unprotected lines except pending ones bypasses, or waits"},
};

enum { COUNT_BYPASSES, COUNT_UPDATES, COUNT_DISTANCES, COUNTS };
static const struct byw_mech_counter counters[COUNTS] = {
    {"policy_stats.pdp.bypasses", "events",
     "a load bypasses because all lines of its set are protected"},
    {"policy_stats.pdp.updates", "events", "the protecting distance is computed"},
    {"policy_stats.pdp.distances", "loads", "sum of the computed distances"},
};

struct pdp {
    struct byw_mech_setup setup;
    uint32_t values[KEYS];
    uint32_t protect; /* initial value of RPD, in steps; 0: unlimited */
    uint32_t protect_load; /* the same for the load accepted last, whose line may be installed after
                            * a new distance was computed */
    uint32_t loads; /* loads of the current period */
    struct byw_protection lines;
    struct byw_pdp_sampler sampler;
    uint64_t count[COUNTS];
};

static void set_distance(struct pdp *p, uint32_t distance)
{
    uint32_t steps = (distance + p->values[KEY_STEP] - 1) / p->values[KEY_STEP];
    uint32_t most = (uint32_t)byw_mask64(p->values[KEY_RPD_BITS]);

    p->protect = steps > most ? most : steps;
}

static void reset(void *self)
{
    struct pdp *p = self;

    byw_protection_clear(&p->lines);
    set_distance(p, p->values[KEY_DISTANCE]);
    p->loads = 0;
    byw_pdp_sampler_clear(&p->sampler);
    memset(p->count, 0, sizeof(p->count));
}

static void release(void *self)
{
    struct pdp *p = self;

    byw_pdp_sampler_release(&p->sampler);
    byw_protection_release(&p->lines);
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
    status = byw_protection_init(&p->lines, setup, setup->values[KEY_STEP]);
    if (status == BYW_OK)
        status =
            byw_pdp_sampler_init(&p->sampler, setup->sets, setup->values[KEY_SAMPLED], setup->ways);
    if (status != BYW_OK) {
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
    byw_protection_clear(&p->lines);
    byw_pdp_sampler_forget_lines(&p->sampler);
}

/* Bypass if no way is free or holds an unprotected line. */
static enum byw_opinion ask(const void *self, const struct byw_mech_access *load)
{
    const struct pdp *p = self;
    bool waits = p->values[KEY_PENDING] == WAIT;

    if (load->present || !byw_protection_is_full(&p->lines, load->set, waits))
        return BYW_OPINION_NONE;
    return BYW_OPINION_BYPASS;
}

/* The least recently used unprotected line.  If all lines are protected because another mechanism
 * had the load cached, the line with the lowest RPD. */
static int victim(const void *self, uint32_t set, uint64_t eligible)
{
    const struct pdp *p = self;

    return byw_protection_victim(&p->lines, set, eligible);
}

/* Protects a line for this many steps; 0: until it is dropped. */
static void protect(struct pdp *p, uint32_t block, uint32_t steps)
{
    byw_protection_use(&p->lines, block, steps == 0 ? UINT8_MAX : steps);
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
        protect(p, access->block, p->protect);
    p->protect_load = p->protect;
    if (p->protect != 0)
        byw_protection_age(&p->lines, access->set);
    if (p->values[KEY_MODE] == DYNAMIC)
        learn(p, access);
}

static void left(void *self, uint32_t block, enum byw_mech_leave why)
{
    struct pdp *p = self;

    (void)why;
    byw_protection_left(&p->lines, block);
}

/* With allocate-on-miss the load that installs the line has already been counted, although the
 * line's protection starts after that load. If this count completed a step, RPD starts one step
 * lower. */
static void installed(void *self, const struct byw_mech_install *install)
{
    struct pdp *p = self;
    const struct byw_protection *lines = &p->lines;
    uint32_t steps = lines->on_miss ? p->protect_load : p->protect;

    if (!install->fresh)
        return;
    protect(p, install->block, steps);
    if (lines->on_miss && steps != 0 && lines->since[install->block / lines->ways] == 0)
        lines->distance[install->block]--;
    byw_protection_installed(&p->lines, install->block, install->mshr);
}

static void answered(void *self, const struct byw_mech_answer *answer)
{
    struct pdp *p = self;

    byw_protection_answered(&p->lines, answer);
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
        sum = (sum ^ ((uint64_t)p->lines.distance[b] << 8 | p->lines.place[b])) *
              UINT64_C(0x100000001B3);
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
    .sentence =
        "lines are protected for a number of loads of their set; misses bypass if all lines of "
        "their set are protected",
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
