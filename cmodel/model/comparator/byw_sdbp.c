/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_sdbp.c - sampling dead block prediction (Khan, Tian, Jimenez, MICRO 2010), discussed in paper
 * 002 (mechanisms/predictors.md 5.3).
 *
 * A sampler has its own small tags for a few sets and observes which PC touches a line last before
 * its eviction.  Three tables of counters, each with its own hash of the PC, learn from it.  If a
 * load's counters sum to the threshold, it is predicted to be the last touch of its line.  Such a
 * load bypasses or, on a hit, marks its line dead; dead lines are evicted first.
 */
#include <stdlib.h>
#include <string.h>

#include "common/byw_bits.h"
#include "comparator/byw_guesses.h"
#include "record/byw_set.h"

enum { KEY_ENABLE, KEY_ENTRIES, KEY_THRESHOLD, KEY_SETS, KEY_WAYS, KEY_SHIFT, KEYS };
static const struct byw_param keys[KEYS] = {
    BYW_MECH_ENABLE("sdbp", "lines whose last touch is predicted bypass or are evicted first"),
    BYW_MECH_U32("sdbp.entries", 256, 16, 4096, "counters of each of three tables, a power of two"),
    BYW_MECH_U32("sdbp.threshold", 8, 1, 9,
                 "smallest sum of the three counters that predicts a touch to be the last"),
    BYW_MECH_U32("sdbp.sampler_sets", 4, 1, 64, "sets that are sampled"),
    BYW_MECH_U32("sdbp.sampler_ways", 6, 1, 32, "sampled tags per set"),
    BYW_MECH_U32("sdbp.shift", 2, 0, 16, "lowest PC bits, which are not hashed"),
};

enum { TABLES = 3, COUNTER_MAX = 3, PC_BITS = 7, TAG_BITS = 15 };

enum { COUNT_DEAD = BYW_GUESS_COUNTS, COUNTS };
static const struct byw_mech_counter counters[COUNTS] = {
    BYW_GUESS_COUNTERS("sdbp"),
    {"policy_stats.sdbp.dead", "lines", "a line marked dead is evicted"},
};

/* A sampled tag. */
struct sample {
    bool valid, dead;
    uint16_t tag;
    uint8_t pc; /* hash of the PC of the last touch */
    uint64_t used_at;
};

struct sdbp {
    struct byw_mech_setup setup;
    uint32_t values[KEYS];
    uint8_t *table[TABLES];
    struct sample *sample; /* sampled sets x ways */
    bool *dead; /* by block: its line is predicted dead */
    uint64_t *used_at; /* by block: value of `uses` at its last use */
    bool *coming; /* by MSHR: prediction for its load */
    uint64_t uses;
    struct byw_guesses guesses;
    uint64_t count[COUNTS];
};

static void release(void *self)
{
    struct sdbp *s = self;

    byw_shadow_release(&s->guesses.shadow);
    for (uint32_t t = 0; t < TABLES; t++)
        free(s->table[t]);
    free(s->sample);
    free(s->dead);
    free(s->used_at);
    free(s->coming);
    free(s);
}

static size_t samples(const struct sdbp *s)
{
    return (size_t)s->values[KEY_SETS] * s->values[KEY_WAYS];
}

static void forget_lines(struct sdbp *s)
{
    memset(s->dead, 0, s->setup.blocks * sizeof(*s->dead));
    byw_shadow_clear(&s->guesses.shadow);
}

static void reset(void *self)
{
    struct sdbp *s = self;

    for (uint32_t t = 0; t < TABLES; t++)
        memset(s->table[t], 0, s->values[KEY_ENTRIES]);
    memset(s->sample, 0, samples(s) * sizeof(*s->sample));
    forget_lines(s);
    memset(s->count, 0, sizeof(s->count));
}

static enum byw_status create(const struct byw_mech_setup *setup, void **self)
{
    struct sdbp *s = calloc(1, sizeof(*s));
    bool good = s != NULL;

    if (!good)
        return BYW_ENOMEM;
    s->setup = *setup;
    memcpy(s->values, setup->values, sizeof(s->values));
    for (uint32_t t = 0; t < TABLES; t++) {
        s->table[t] = calloc(s->values[KEY_ENTRIES], 1);
        good = good && s->table[t] != NULL;
    }
    s->sample = calloc(samples(s), sizeof(*s->sample));
    s->dead = calloc(setup->blocks, sizeof(*s->dead));
    s->used_at = calloc(setup->blocks, sizeof(*s->used_at));
    s->coming = calloc(setup->mshrs, sizeof(*s->coming));
    good = good && s->sample != NULL && s->dead != NULL && s->used_at != NULL && s->coming != NULL;
    if (!good || byw_shadow_init(&s->guesses.shadow, setup->config, true) != BYW_OK) {
        release(s);
        return BYW_ENOMEM;
    }
    *self = s;
    return BYW_OK;
}

/* The sampler keeps its tags: dropping the cache's lines at a kernel's end is not an eviction. */
static void emptied(void *self, bool kernel_start, uint32_t pc)
{
    (void)kernel_start;
    (void)pc;
    forget_lines(self);
}

/* --- the tables ----------------------------------------------------------------------------- */

static uint8_t hash_of(const struct sdbp *s, uint32_t pc)
{
    uint64_t bits = (uint64_t)pc >> s->values[KEY_SHIFT];

    return (uint8_t)((bits ^ bits >> PC_BITS ^ bits >> 2 * PC_BITS) & byw_mask64(PC_BITS));
}

/* Index of a hashed PC in a table.  Odd factors make collisions of two PCs in all three tables
 * rare. */
static uint32_t place(const struct sdbp *s, uint32_t table, uint8_t pc)
{
    static const uint32_t factor[TABLES] = {1, 37, 101};

    return (pc * factor[table] + (uint32_t)(pc >> (2 * table + 1))) & (s->values[KEY_ENTRIES] - 1);
}

static bool last_touch(const struct sdbp *s, uint8_t pc)
{
    uint32_t sum = 0;

    for (uint32_t t = 0; t < TABLES; t++)
        sum += s->table[t][place(s, t, pc)];
    return sum >= s->values[KEY_THRESHOLD];
}

static void train(struct sdbp *s, uint8_t pc, bool last)
{
    for (uint32_t t = 0; t < TABLES; t++) {
        uint8_t *counter = &s->table[t][place(s, t, pc)];

        if (last)
            *counter = (uint8_t)(*counter + (*counter < COUNTER_MAX));
        else
            *counter = (uint8_t)(*counter - (*counter > 0));
    }
}

/* --- the sampler ---------------------------------------------------------------------------- */

/* The tags that sample a set; NULL if the set is not sampled. */
static struct sample *tags_of(const struct sdbp *s, uint32_t set)
{
    uint32_t sampled = s->values[KEY_SETS] < s->setup.sets ? s->values[KEY_SETS] : s->setup.sets;
    uint32_t every = s->setup.sets / sampled;

    return set % every == 0 && set / every < sampled
               ? &s->sample[(size_t)(set / every) * s->values[KEY_WAYS]]
               : NULL;
}

/* The tag to replace: a free one, else a dead one, else the least recently used one. */
static struct sample *oldest(const struct sdbp *s, struct sample *tags)
{
    struct sample *chosen = tags;

    for (uint32_t i = 0; i < s->values[KEY_WAYS]; i++)
        if (!tags[i].valid)
            return &tags[i];
    for (uint32_t i = 1; i < s->values[KEY_WAYS]; i++)
        if (tags[i].dead != chosen->dead ? tags[i].dead : tags[i].used_at < chosen->used_at)
            chosen = &tags[i];
    return chosen;
}

static void watch(struct sdbp *s, struct sample *tags, uint64_t line, uint8_t pc)
{
    uint16_t tag = (uint16_t)(line / s->setup.sets & byw_mask64(TAG_BITS));
    struct sample *at = NULL;

    for (uint32_t i = 0; i < s->values[KEY_WAYS]; i++)
        if (tags[i].valid && tags[i].tag == tag)
            at = &tags[i];
    if (at != NULL) {
        train(s, at->pc, false);
    } else {
        at = oldest(s, tags);
        if (at->valid)
            train(s, at->pc, true);
    }
    *at = (struct sample){
        .valid = true, .dead = last_touch(s, pc), .tag = tag, .pc = pc, .used_at = s->uses};
}

/* --- the cache ------------------------------------------------------------------------------ */

static enum byw_opinion ask(const void *self, const struct byw_mech_access *load)
{
    const struct sdbp *s = self;

    return byw_guess_asks(load) && last_touch(s, hash_of(s, load->pc)) ? BYW_OPINION_BYPASS
                                                                       : BYW_OPINION_NONE;
}

/* The least recently used of the dead lines. */
static int victim(const void *self, uint32_t set, uint64_t eligible)
{
    const struct sdbp *s = self;
    uint32_t first = set * s->setup.ways;
    int chosen = BYW_NONE;

    for (uint32_t way = 0; way < s->setup.ways; way++)
        if ((eligible >> way & 1) != 0 && s->dead[first + way] &&
            (chosen == BYW_NONE || s->used_at[first + way] < s->used_at[first + (uint32_t)chosen]))
            chosen = (int)way;
    return chosen;
}

static void touch(struct sdbp *s, uint32_t block, bool dead)
{
    s->dead[block] = dead;
    s->used_at[block] = s->uses;
}

/* As published, the tables decide a load before they learn from it. Here the sampler trains the
 * tables, and the trained tables then decide the mark of the load's line. */
static void accepted(void *self, const struct byw_mech_access *access,
                     const struct byw_mech_result *result)
{
    struct sdbp *s = self;
    bool on_miss = s->setup.config->l1d_alloc == BYW_ALLOC_ON_MISS;
    uint8_t pc = hash_of(s, access->pc);
    struct sample *tags = tags_of(s, access->set);

    byw_guesses_accepted(&s->guesses, access,
                         result->outcome == BYW_BYPASS && ask(self, access) == BYW_OPINION_BYPASS,
                         s->count);
    if (access->op != BYW_OP_LOAD && access->op != BYW_OP_LOCAL_LOAD)
        return;
    s->uses++;
    if (tags != NULL)
        watch(s, tags, access->line, pc);
    if (result->outcome == BYW_HIT || (result->outcome == BYW_HIT_PENDING && on_miss))
        touch(s, result->block, last_touch(s, pc));
    else if (result->outcome == BYW_MISS)
        s->coming[result->ticket] = last_touch(s, pc);
}

static void left(void *self, uint32_t block, enum byw_mech_leave why)
{
    struct sdbp *s = self;

    s->count[COUNT_DEAD] += why == BYW_LEFT_EVICTED && s->dead[block];
    s->dead[block] = false;
}

static void installed(void *self, const struct byw_mech_install *install)
{
    struct sdbp *s = self;

    if (install->fresh)
        touch(s, install->block, s->coming[install->mshr]);
}

static const uint64_t *counts(const void *self)
{
    return ((const struct sdbp *)self)->count;
}

static uint64_t digest(const void *self)
{
    const struct sdbp *s = self;
    uint64_t sum = s->uses;

    for (uint32_t t = 0; t < TABLES; t++)
        for (uint32_t i = 0; i < s->values[KEY_ENTRIES]; i++)
            sum = (sum ^ s->table[t][i]) * UINT64_C(0x100000001B3);
    for (uint32_t b = 0; b < s->setup.blocks; b++)
        sum = (sum ^ s->dead[b]) * UINT64_C(0x100000001B3);
    return sum;
}

/* The tables; the sampler's tags, hashed PCs, valid and dead bits and ranks; one bit per line. */
static uint64_t storage_bits(const struct byw_config *config, const uint32_t *values)
{
    uint64_t sample = TAG_BITS + PC_BITS + 2 + byw_clog2(values[KEY_WAYS]);

    return (uint64_t)TABLES * values[KEY_ENTRIES] * 2 +
           (uint64_t)values[KEY_SETS] * values[KEY_WAYS] * sample +
           (uint64_t)config->l1d_sets * config->l1d_ways;
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
    .counters = counts,
    .digest = digest,
};

const struct byw_mech byw_mech_sdbp = {
    .name = "sdbp",
    .paper = "002",
    .sentence =
        "a load bypasses if three tables, trained on sampled sets, predict that its PC touches "
        "lines last",
    .enable = "sdbp.enable",
    .on = "on",
    .c_only = true,
    .keys = keys,
    .key_count = KEYS,
    .counters = counters,
    .counter_count = COUNTS,
    .ops = &ops,
    .storage_bits = storage_bits,
};
