/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_counter.c - counter-based dead line prediction (Kharbutli, Solihin, ICCD 2005), as compared
 * in paper 002 (mechanisms/predictors.md 5.2).
 *
 * A table, indexed by the line's address and the PC of the load that fetched it, stores how the
 * line was used the last time.  LvP (live time): how often the line was used; a load bypasses if
 * its line was not reused twice in a row.  AIP (access interval): the longest time between two
 * uses, in loads of the set.  A line that has been unused for longer than ever before is expired
 * and is evicted before others.
 */
#include <stdlib.h>
#include <string.h>

#include "common/byw_bits.h"
#include "comparator/byw_guesses.h"
#include "record/byw_set.h"

enum { KEY_ENABLE, KEY_MODE, KEY_INDEX_BITS, KEY_BITS, KEY_SHIFT, KEY_SAMPLE, KEYS };
enum { LVP, AIP, BOTH }; /* counter.mode */
static const struct byw_param keys[KEYS] = {
    BYW_MECH_ENABLE("counter",
                    "lines whose counters predict them dead bypass or are evicted first"),
    {.file = BYW_PARAM_POLICY,
     .kind = BYW_PARAM_ENUM,
     .key = "counter.mode",
     .choices = "lvp|aip|both",
     .meaning = "lvp: lines never reused bypass; aip: lines unused for longer than ever before are "
                "evicted first; both"},
    BYW_MECH_U32("counter.index_bits", 7, 1, 10,
                 "bits of the hashed PC and of the hashed address that index the table"),
    BYW_MECH_U32("counter.bits", 4, 1, 7, "counter width"),
    BYW_MECH_U32("counter.shift", 2, 0, 16, "lowest PC bits, which are not hashed"),
    BYW_MECH_U32("counter.sample", 32, 0, 1024,
                 "one in this many bypassing loads is cached to keep learning; 0 = none"),
};

enum { COUNT_EXPIRED = BYW_GUESS_COUNTS, COUNTS };
static const struct byw_mech_counter counters[COUNTS] = {
    BYW_GUESS_COUNTERS("counter"),
    {"policy_stats.counter.expired", "lines", "an expired line is evicted"},
};

/* A count, and whether it was the same twice in a row. */
struct past {
    uint8_t count;
    bool sure;
};

struct entry {
    struct past uses, interval;
};

struct line {
    uint32_t entry; /* table entry of the load that fetched the line */
    struct entry past; /* the content of that entry at the time */
    uint8_t uses, longest, since; /* since the fill; since: loads of the set since the last use */
    uint64_t used_at;
};

struct counter {
    struct byw_mech_setup setup;
    uint32_t values[KEYS];
    uint8_t most; /* counters saturate here */
    struct entry *table;
    struct line *line; /* by block: state of its line */
    uint32_t *coming; /* by MSHR: table entry of its load */
    uint32_t skipped; /* bypasses since sampling last kept a load */
    uint64_t uses;
    struct byw_guesses guesses;
    uint64_t count[COUNTS];
};

static void release(void *self)
{
    struct counter *c = self;

    byw_shadow_release(&c->guesses.shadow);
    free(c->table);
    free(c->line);
    free(c->coming);
    free(c);
}

static size_t entries(const struct counter *c)
{
    return (size_t)1 << 2 * c->values[KEY_INDEX_BITS];
}

static void forget_lines(struct counter *c)
{
    memset(c->line, 0, c->setup.blocks * sizeof(*c->line));
    byw_shadow_clear(&c->guesses.shadow);
}

static void reset(void *self)
{
    struct counter *c = self;

    memset(c->table, 0, entries(c) * sizeof(*c->table));
    c->skipped = 0;
    forget_lines(c);
    memset(c->count, 0, sizeof(c->count));
}

static enum byw_status create(const struct byw_mech_setup *setup, void **self)
{
    struct counter *c = calloc(1, sizeof(*c));

    if (c == NULL)
        return BYW_ENOMEM;
    c->setup = *setup;
    memcpy(c->values, setup->values, sizeof(c->values));
    c->most = (uint8_t)byw_mask64(setup->values[KEY_BITS]);
    c->table = calloc(entries(c), sizeof(*c->table));
    c->line = calloc(setup->blocks, sizeof(*c->line));
    c->coming = calloc(setup->mshrs, sizeof(*c->coming));
    if (c->table == NULL || c->line == NULL || c->coming == NULL ||
        byw_shadow_init(&c->guesses.shadow, setup->config, true) != BYW_OK) {
        release(c);
        return BYW_ENOMEM;
    }
    *self = c;
    return BYW_OK;
}

static void emptied(void *self, bool kernel_start, uint32_t pc)
{
    (void)kernel_start;
    (void)pc;
    forget_lines(self);
}

/* XOR of all fields of `width` bits. */
static uint32_t fold(uint64_t bits, uint32_t width)
{
    uint64_t sum = 0;

    for (; bits != 0; bits >>= width)
        sum ^= bits & byw_mask64(width);
    return (uint32_t)sum;
}

static uint32_t entry_of(const struct counter *c, const struct byw_mech_access *load)
{
    uint32_t width = c->values[KEY_INDEX_BITS];

    return fold(load->pc >> c->values[KEY_SHIFT], width) << width | fold(load->line, width);
}

/* Whether a load's line is predicted not to be reused. */
static bool is_dead(const struct counter *c, const struct byw_mech_access *load)
{
    const struct past *uses;

    if (c->values[KEY_MODE] == AIP || !byw_guess_asks(load))
        return false;
    uses = &c->table[entry_of(c, load)].uses;
    return uses->sure && uses->count == 0;
}

static bool samples(const struct counter *c)
{
    return c->values[KEY_SAMPLE] != 0 && c->skipped + 1 >= c->values[KEY_SAMPLE];
}

static enum byw_opinion ask(const void *self, const struct byw_mech_access *load)
{
    return is_dead(self, load) && !samples(self) ? BYW_OPINION_BYPASS : BYW_OPINION_NONE;
}

/* more: loads of the set that line->since does not include yet. */
static bool expired(const struct counter *c, const struct line *line, uint32_t more)
{
    uint32_t since = line->since + more;

    since = since < c->most ? since : c->most;
    return line->past.interval.sure && since > line->longest && since > line->past.interval.count;
}

/* The least recently used of the expired lines. */
static int victim(const void *self, uint32_t set, uint64_t eligible)
{
    const struct counter *c = self;
    const struct line *line = &c->line[set * c->setup.ways];
    /* With allocate-on-miss the load that needs the way counts, too. */
    uint32_t own = c->setup.config->l1d_alloc == BYW_ALLOC_ON_MISS ? 1 : 0;
    int chosen = BYW_NONE;

    for (uint32_t way = 0; c->values[KEY_MODE] != LVP && way < c->setup.ways; way++)
        if ((eligible >> way & 1) != 0 && expired(c, &line[way], own) &&
            (chosen == BYW_NONE || line[way].used_at < line[chosen].used_at))
            chosen = (int)way;
    return chosen;
}

static void more(const struct counter *c, uint8_t *count)
{
    *count = (uint8_t)(*count + (*count < c->most));
}

static void use(struct counter *c, struct line *line)
{
    line->longest = line->since > line->longest ? line->since : line->longest;
    line->since = 0;
    line->used_at = ++c->uses;
    more(c, &line->uses);
}

static void accepted(void *self, const struct byw_mech_access *access,
                     const struct byw_mech_result *result)
{
    struct counter *c = self;
    bool dead = is_dead(c, access);
    bool passes = dead && !samples(c) && result->outcome == BYW_BYPASS;
    bool on_miss = c->setup.config->l1d_alloc == BYW_ALLOC_ON_MISS;

    byw_guesses_accepted(&c->guesses, access, passes, c->count);
    if (access->op != BYW_OP_LOAD && access->op != BYW_OP_LOCAL_LOAD)
        return;
    if (dead)
        c->skipped = passes ? c->skipped + 1 : 0;
    for (uint32_t way = 0; way < c->setup.ways; way++)
        more(c, &c->line[access->set * c->setup.ways + way].since);
    if (result->outcome == BYW_HIT || (result->outcome == BYW_HIT_PENDING && on_miss))
        use(c, &c->line[result->block]);
    else if (result->outcome == BYW_MISS)
        c->coming[result->ticket] = entry_of(c, access);
}

static struct past learnt(uint8_t count, const struct past *past)
{
    return (struct past){.count = count, .sure = count == past->count};
}

static void left(void *self, uint32_t block, enum byw_mech_leave why)
{
    struct counter *c = self;
    const struct line *line = &c->line[block];

    if (why != BYW_LEFT_EVICTED)
        return;
    c->count[COUNT_EXPIRED] += c->values[KEY_MODE] != LVP && expired(c, line, 0);
    c->table[line->entry] = (struct entry){
        .uses = learnt(line->uses, &line->past.uses),
        .interval = learnt(line->longest, &line->past.interval),
    };
}

static void installed(void *self, const struct byw_mech_install *install)
{
    struct counter *c = self;
    uint32_t entry = c->coming[install->mshr];

    if (!install->fresh)
        return;
    c->line[install->block] = (struct line){
        .entry = entry, .past = c->table[entry], .uses = install->merged, .used_at = ++c->uses};
}

static const uint64_t *counts(const void *self)
{
    return ((const struct counter *)self)->count;
}

static uint64_t digest(const void *self)
{
    const struct counter *c = self;
    uint64_t sum = c->skipped;

    for (uint32_t b = 0; b < c->setup.blocks; b++)
        sum = (sum ^ ((uint64_t)c->line[b].entry << 24 | (uint64_t)c->line[b].uses << 16 |
                      (uint64_t)c->line[b].longest << 8 | c->line[b].since)) *
              UINT64_C(0x100000001B3);
    return sum;
}

/* Paper 002: an entry has a counter and a bit that says whether it is sure; a line has the hashed
 * PC, three counters and that bit.  Both modes together need a second entry, two more counters and
 * a bit. */
static uint64_t storage_bits(const struct byw_config *config, const uint32_t *values)
{
    uint64_t bits = values[KEY_BITS], one = bits + 1;
    uint64_t line = values[KEY_INDEX_BITS] + 3 * bits + 1;
    bool both = values[KEY_MODE] == BOTH;

    return (one << 2 * values[KEY_INDEX_BITS]) * (both ? 2 : 1) +
           (uint64_t)config->l1d_sets * config->l1d_ways * (line + (both ? 2 * bits + 1 : 0));
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

const struct byw_mech byw_mech_counter = {
    .name = "counter",
    .paper = "002",
    .sentence = "a load bypasses if its line, fetched by the same PC, was not reused the "
                "last two times",
    .enable = "counter.enable",
    .on = "on",
    .c_only = true,
    .keys = keys,
    .key_count = KEYS,
    .counters = counters,
    .counter_count = COUNTS,
    .ops = &ops,
    .storage_bits = storage_bits,
};
