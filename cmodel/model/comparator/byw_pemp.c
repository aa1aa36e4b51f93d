/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_pemp.c - PEMP-like (mechanisms/comparators.md 4.2): a partial copy of the tags is read before
 * the cache. While the cache performs badly, loads that miss in the copy bypass.
 *
 * Only the abstract of PEMP was read: a small copy of the tag array, read before the L1D, predicts
 * misses early, in periods.  The conditions for filtering and the sizes are our choices.
 */
#include <stdlib.h>
#include <string.h>

#include "common/byw_bits.h"
#include "policy/byw_mech_ops.h"

enum { KEY_ENABLE, KEY_PERIOD, KEY_TAG_BITS, KEY_REFUSED, KEY_MISSES, KEYS };
static const struct byw_param keys[KEYS] = {
    BYW_MECH_ENABLE("pemp_like", "loads that miss in a copy of the tags bypass, in periods"),
    BYW_MECH_U32("pemp_like.period", 10000, 100, 10000000,
                 "cycles per period; in its first tenth nothing bypasses"),
    BYW_MECH_U32("pemp_like.tag_bits", 12, 1, 32, "bits of a tag in the copy"),
    BYW_MECH_U32("pemp_like.refused_pct", 10, 0, 100,
                 "percentage of refused cycles in a period's first tenth above which loads bypass "
                 "in the rest"),
    BYW_MECH_U32(
        "pemp_like.miss_pct", 80, 0, 100,
        "percentage of misses among the loads of that tenth above which loads bypass in the rest"),
};

enum { COUNT_BYPASSES, COUNT_PERIODS, COUNT_FILTERED, COUNTS };
static const struct byw_mech_counter counters[COUNTS] = {
    {"policy_stats.pemp_like.bypasses", "events", "a load bypasses because it misses in the copy"},
    {"policy_stats.pemp_like.periods", "periods", "the first tenth of a period ends"},
    {"policy_stats.pemp_like.filtered", "periods", "loads of the rest of a period may bypass"},
};

struct pemp {
    struct byw_mech_setup setup;
    uint32_t values[KEYS];
    uint32_t set_bits;
    uint32_t *tag; /* by block; 0: none, else the partial tag + 1 */
    uint64_t now; /* cycle within the period */
    uint64_t refused, loads, misses; /* counts in the first tenth of the period */
    bool judged, filters;
    uint32_t *miss; /* by MSHR: partial tag + 1 of its line */
    uint64_t count[COUNTS];
};

static uint32_t partial(const struct pemp *p, uint64_t line)
{
    return (uint32_t)(line >> p->set_bits & byw_mask64(p->values[KEY_TAG_BITS])) + 1;
}

static void reset(void *self)
{
    struct pemp *p = self;

    memset(p->tag, 0, p->setup.blocks * sizeof(*p->tag));
    memset(p->count, 0, sizeof(p->count));
    p->now = p->refused = p->loads = p->misses = 0;
    p->judged = p->filters = false;
}

static void release(void *self)
{
    struct pemp *p = self;

    free(p->tag);
    free(p->miss);
    free(p);
}

static enum byw_status create(const struct byw_mech_setup *setup, void **self)
{
    struct pemp *p = calloc(1, sizeof(*p));

    if (p == NULL)
        return BYW_ENOMEM;
    p->setup = *setup;
    memcpy(p->values, setup->values, sizeof(p->values));
    p->set_bits = byw_clog2(setup->sets);
    p->tag = calloc(setup->blocks, sizeof(*p->tag));
    p->miss = calloc(setup->mshrs, sizeof(*p->miss));
    if (p->tag == NULL || p->miss == NULL) {
        release(p);
        return BYW_ENOMEM;
    }
    *self = p;
    return BYW_OK;
}

static void emptied(void *self, bool kernel_start, uint32_t pc)
{
    struct pemp *p = self;

    (void)kernel_start;
    (void)pc;
    memset(p->tag, 0, p->setup.blocks * sizeof(*p->tag));
}

/* Whether the copy has the line.  A partial tag may match another line, too. */
static bool known(const struct pemp *p, uint32_t set, uint64_t line)
{
    const uint32_t *tag = &p->tag[set * p->setup.ways], wanted = partial(p, line);

    for (uint32_t way = 0; way < p->setup.ways; way++)
        if (tag[way] == wanted)
            return true;
    return false;
}

static enum byw_opinion ask(const void *self, const struct byw_mech_access *load)
{
    const struct pemp *p = self;

    return p->filters && !known(p, load->set, load->line) ? BYW_OPINION_BYPASS : BYW_OPINION_NONE;
}

/* The phase of the period changes only when a request is accepted, so a waiting request gets the
 * same answer in every cycle. */
static void turn(struct pemp *p)
{
    if (!p->judged && p->now >= p->values[KEY_PERIOD] / 10) {
        p->judged = true;
        p->filters = p->refused * 100 > p->now * p->values[KEY_REFUSED] ||
                     p->misses * 100 > p->loads * p->values[KEY_MISSES];
        p->count[COUNT_PERIODS]++;
        p->count[COUNT_FILTERED] += p->filters;
    } else if (p->now >= p->values[KEY_PERIOD]) {
        p->now = p->refused = p->loads = p->misses = 0;
        p->judged = p->filters = false;
    }
}

static void accepted(void *self, const struct byw_mech_access *access,
                     const struct byw_mech_result *result)
{
    struct pemp *p = self;

    if (access->op == BYW_OP_LOAD || access->op == BYW_OP_LOCAL_LOAD) {
        p->count[COUNT_BYPASSES] +=
            result->outcome == BYW_BYPASS && ask(self, access) == BYW_OPINION_BYPASS;
        if (result->outcome == BYW_MISS)
            p->miss[result->ticket] = partial(p, access->line);
        p->loads += !p->judged;
        p->misses += !p->judged && result->outcome == BYW_MISS;
    }
    turn(p);
}

static void left(void *self, uint32_t block, enum byw_mech_leave why)
{
    (void)why;
    ((struct pemp *)self)->tag[block] = 0;
}

static void installed(void *self, const struct byw_mech_install *install)
{
    struct pemp *p = self;

    p->tag[install->block] = p->miss[install->mshr];
}

static void busy(void *self, uint64_t cycles, bool refused)
{
    struct pemp *p = self;

    p->refused += refused && !p->judged ? cycles : 0;
}

static void tick(void *self, uint64_t cycles)
{
    ((struct pemp *)self)->now += cycles;
}

static const uint64_t *counts(const void *self)
{
    return ((const struct pemp *)self)->count;
}

static uint64_t digest(const void *self)
{
    const struct pemp *p = self;
    uint64_t sum = (p->now * 31 + p->refused) * 4 + p->judged * 2U + p->filters;

    for (uint32_t b = 0; b < p->setup.blocks; b++)
        sum = (sum ^ p->tag[b]) * UINT64_C(0x100000001B3);
    return sum;
}

/* A valid bit for each copied tag; three counters up to a tenth of the period, one up to the
 * period; two bits of state. */
static uint64_t storage_bits(const struct byw_config *config, const uint32_t *values)
{
    uint64_t lines = (uint64_t)config->l1d_sets * config->l1d_ways;

    return lines * (values[KEY_TAG_BITS] + 1) + 3 * (uint64_t)byw_clog2(values[KEY_PERIOD] / 10) +
           byw_clog2(values[KEY_PERIOD]) + 2;
}

static const struct byw_mech_ops ops = {
    .create = create,
    .release = release,
    .reset = reset,
    .emptied = emptied,
    .ask = ask,
    .accepted = accepted,
    .left = left,
    .installed = installed,
    .busy = busy,
    .tick = tick,
    .counters = counts,
    .digest = digest,
};

const struct byw_mech byw_mech_pemp_like = {
    .name = "pemp_like",
    .paper = "001",
    .sentence =
        "in periods in which the cache performs badly, loads that miss in a copy of its tags "
        "bypass",
    .enable = "pemp_like.enable",
    .on = "on",
    .c_only = true,
    .keys = keys,
    .key_count = KEYS,
    .counters = counters,
    .counter_count = COUNTS,
    .ops = &ops,
    .storage_bits = storage_bits,
};
