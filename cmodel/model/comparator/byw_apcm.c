/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_apcm.c - APCM-like (mechanisms/comparators.md 4.1): one warp is monitored.  The reuse of the
 * lines that its loads fetch classifies the load PCs.  Loads of streaming PCs bypass; lines reused
 * by their own warp are protected.
 *
 * This is based only on the abstract of APCM and notes on it: classes by PC, one monitored warp,
 * streams bypass, lines with intra-warp locality stay. Tables, limits and lifetimes are our
 * choices.
 */
#include <stdlib.h>
#include <string.h>

#include "common/byw_bits.h"
#include "policy/byw_mech_ops.h"
#include "record/byw_set.h"

enum { KEY_ENABLE, KEY_BLOCKS, KEY_QUIET, KEY_LIFE, KEYS };
static const struct byw_param keys[KEYS] = {
    BYW_MECH_ENABLE("apcm_like", "streams bypass, lines reused by their own warp are protected"),
    BYW_MECH_U32("apcm_like.blocks", 32, 2, 255,
                 "lines monitored per PC before the PC is classified"),
    BYW_MECH_U32("apcm_like.quiet", 64, 16, 1000000,
                 "loads of other warps without a load of the monitored warp, after which it counts "
                 "as ended"),
    BYW_MECH_U32("apcm_like.life", 4, 1, 64,
                 "loads of a set, per way, after which an unused line loses its protection"),
};

enum { COUNT_BYPASSES, COUNT_FULL, COUNT_PROTECTED, COUNT_CLASSES, COUNTS };
static const struct byw_mech_counter counters[COUNTS] = {
    {"policy_stats.apcm_like.bypasses", "events", "a load of a streaming PC bypasses"},
    {"policy_stats.apcm_like.full", "events",
     "a load bypasses because all lines of its set are protected"},
    {"policy_stats.apcm_like.protected", "lines", "a line is placed and protected"},
    {"policy_stats.apcm_like.classes", "events", "a PC is classified"},
};

enum { WATCHED = 32, PCS = 32, FEW = 4, NOBODY = UINT8_MAX };
enum class { UNKNOWN, STREAMING, INTRA, INTER, MIXED };

/* A line fetched by the monitored warp. */
struct watch {
    bool valid, same, other; /* same: reused by its own warp; other: by another warp */
    uint8_t pc; /* index in the PC table */
    uint32_t last; /* PC of the last use by its own warp */
    uint64_t line;
};

struct pc_entry {
    bool valid;
    uint8_t class;
    uint32_t pc, last; /* last: PC of the load that was the last to use a line fetched by this PC */
    uint32_t blocks, same, other; /* blocks: lines monitored to their end; same, other: those reused
                                     by their own warp, by others */
};

struct line_state {
    bool protect, coming;
    uint8_t pc; /* index in the PC table of the load that fetched it */
    uint32_t idle; /* loads of the set since the line's last use */
    uint64_t used_at;
};

struct apcm {
    struct byw_mech_setup setup;
    uint32_t values[KEYS];
    uint8_t monitor; /* monitored warp; NOBODY: the next warp that loads */
    uint32_t silence; /* loads since the monitored warp's last load */
    uint32_t next; /* entry of `watch` to replace next */
    struct watch watch[WATCHED];
    struct pc_entry pc[PCS];
    struct line_state *line; /* by block: state of its line */
    uint32_t *block_of; /* by MSHR: block that its fill goes to */
    uint8_t *owner; /* by MSHR: index of its load in the PC table */
    uint64_t uses;
    uint64_t count[COUNTS];
};

enum { NO_BLOCK = UINT32_MAX };

static void forget(struct apcm *a)
{
    a->monitor = NOBODY;
    a->silence = a->next = 0;
    memset(a->watch, 0, sizeof(a->watch));
    memset(a->pc, 0, sizeof(a->pc));
    memset(a->line, 0, a->setup.blocks * sizeof(*a->line));
    for (uint32_t i = 0; i < a->setup.mshrs; i++)
        a->block_of[i] = NO_BLOCK;
}

static void reset(void *self)
{
    struct apcm *a = self;

    forget(a);
    memset(a->count, 0, sizeof(a->count));
}

static void release(void *self)
{
    struct apcm *a = self;

    free(a->line);
    free(a->block_of);
    free(a->owner);
    free(a);
}

static enum byw_status create(const struct byw_mech_setup *setup, void **self)
{
    struct apcm *a = calloc(1, sizeof(*a));

    if (a == NULL)
        return BYW_ENOMEM;
    a->setup = *setup;
    memcpy(a->values, setup->values, sizeof(a->values));
    a->line = calloc(setup->blocks, sizeof(*a->line));
    a->block_of = calloc(setup->mshrs, sizeof(*a->block_of));
    a->owner = calloc(setup->mshrs, sizeof(*a->owner));
    if (a->line == NULL || a->block_of == NULL || a->owner == NULL) {
        release(a);
        return BYW_ENOMEM;
    }
    reset(a);
    *self = a;
    return BYW_OK;
}

static void emptied(void *self, bool kernel_start, uint32_t pc)
{
    (void)kernel_start;
    (void)pc;
    forget(self);
}

/* --- classes ---------------------------------------------------------------------------------- */

static uint8_t place_of(uint32_t pc)
{
    return (uint8_t)((pc >> 2 ^ pc >> 7 ^ pc >> 12) % PCS);
}

static enum class class_of(const struct apcm *a, uint32_t pc) {
    const struct pc_entry *e = &a->pc[place_of(pc)];

    return e->valid && e->pc == pc ? (enum class)e->class : UNKNOWN;
}

/* Less than a tenth reused: streaming.  At least half reused by its own warp and less than a
 * quarter by others: intra; the reverse: inter. */
static void classify(struct apcm *a, struct pc_entry *e)
{
    uint32_t reused = e->same > e->other ? e->same : e->other;
    bool much_same = e->same * 2 >= e->blocks, little_same = e->same * 4 < e->blocks;
    bool much_other = e->other * 2 >= e->blocks, little_other = e->other * 4 < e->blocks;

    if (reused * 10 < e->blocks)
        e->class = STREAMING;
    else if (much_same && little_other)
        e->class = INTRA;
    else
        e->class = much_other && little_same ? INTER : MIXED;
    a->count[COUNT_CLASSES]++;
}

/* Ends the monitoring of a line. */
static void account(struct apcm *a, struct watch *w)
{
    struct pc_entry *e = &a->pc[w->pc];

    w->valid = false;
    if (e->class != UNKNOWN)
        return;
    e->blocks++;
    e->same += w->same;
    e->other += w->other;
    if (w->same)
        e->last = w->last;
    if (e->blocks >= a->values[KEY_BLOCKS])
        classify(a, e);
}

/* The monitored warp has ended: classifies the PCs with enough lines and ends the monitoring. */
static void end_monitor(struct apcm *a)
{
    for (uint32_t i = 0; i < WATCHED; i++)
        if (a->watch[i].valid)
            account(a, &a->watch[i]);
    for (uint32_t i = 0; i < PCS; i++)
        if (a->pc[i].valid && a->pc[i].class == UNKNOWN && a->pc[i].blocks >= FEW)
            classify(a, &a->pc[i]);
    a->monitor = NOBODY;
    a->silence = 0;
}

static void begin_watch(struct apcm *a, const struct byw_mech_access *load)
{
    struct pc_entry *e = &a->pc[place_of(load->pc)];
    struct watch *w = &a->watch[a->next];

    if (!e->valid)
        *e = (struct pc_entry){.valid = true, .pc = load->pc};
    if (e->pc != load->pc || e->class != UNKNOWN)
        return;
    if (w->valid)
        account(a, w);
    *w = (struct watch){.valid = true, .line = load->line, .pc = place_of(load->pc)};
    a->next = (a->next + 1) % WATCHED;
}

static void watch_load(struct apcm *a, const struct byw_mech_access *load)
{
    bool mine;

    if (a->monitor == NOBODY)
        a->monitor = load->warp;
    mine = load->warp == a->monitor;
    for (uint32_t i = 0; i < WATCHED; i++) {
        struct watch *w = &a->watch[i];

        if (!w->valid || w->line != load->line)
            continue;
        w->same |= mine;
        w->other |= !mine;
        w->last = mine ? load->pc : w->last;
        break;
    }
    if (mine) {
        bool found = false;

        for (uint32_t i = 0; i < WATCHED && !found; i++)
            found = a->watch[i].valid && a->watch[i].line == load->line;
        if (!found)
            begin_watch(a, load);
        a->silence = 0;
    } else if (++a->silence >= a->values[KEY_QUIET]) {
        end_monitor(a);
    }
}

/* --- lines ------------------------------------------------------------------------------------ */

static bool full_of_protected(const struct apcm *a, uint32_t set)
{
    const struct line_state *line = &a->line[set * a->setup.ways];
    bool any = false;

    for (uint32_t way = 0; way < a->setup.ways; way++) {
        if (!line[way].protect && !line[way].coming)
            return false;
        any = any || line[way].protect;
    }
    return any;
}

static enum byw_opinion ask(const void *self, const struct byw_mech_access *load)
{
    const struct apcm *a = self;

    if (load->present)
        return BYW_OPINION_NONE;
    if (class_of(a, load->pc) == STREAMING || full_of_protected(a, load->set))
        return BYW_OPINION_BYPASS;
    return BYW_OPINION_NONE;
}

/* The least recently used unprotected line, if the set has a protected one. */
static int victim(const void *self, uint32_t set, uint64_t eligible)
{
    const struct apcm *a = self;
    const struct line_state *line = &a->line[set * a->setup.ways];
    int chosen = BYW_NONE;
    bool any = false;

    for (uint32_t way = 0; way < a->setup.ways; way++) {
        any = any || line[way].protect;
        if ((eligible >> way & 1) != 0 && !line[way].protect &&
            (chosen == BYW_NONE || line[way].used_at < line[chosen].used_at))
            chosen = (int)way;
    }
    return any ? chosen : BYW_NONE;
}

static void age(struct apcm *a, uint32_t set)
{
    struct line_state *line = &a->line[set * a->setup.ways];

    for (uint32_t way = 0; way < a->setup.ways; way++)
        if (line[way].protect && ++line[way].idle > a->values[KEY_LIFE] * a->setup.ways)
            line[way].protect = false;
}

/* A load uses a line. If its PC is known to make the last use of lines fetched by this line's PC,
 * the line loses its protection. */
static void use(struct apcm *a, const struct byw_mech_access *load)
{
    struct line_state *line = &a->line[load->block];

    line->idle = 0;
    line->used_at = ++a->uses;
    if (line->protect && a->pc[line->pc].last == load->pc)
        line->protect = false;
}

static void count_bypass(struct apcm *a, const struct byw_mech_access *load)
{
    if (load->present)
        return;
    if (class_of(a, load->pc) == STREAMING)
        a->count[COUNT_BYPASSES]++;
    else
        a->count[COUNT_FULL] += full_of_protected(a, load->set);
}

static void accepted(void *self, const struct byw_mech_access *access,
                     const struct byw_mech_result *result)
{
    struct apcm *a = self;

    if (access->op != BYW_OP_LOAD && access->op != BYW_OP_LOCAL_LOAD)
        return;
    if (result->outcome == BYW_BYPASS)
        count_bypass(a, access);
    age(a, access->set);
    if (result->outcome == BYW_HIT || (result->outcome == BYW_HIT_PENDING && access->present))
        use(a, access);
    if (result->outcome == BYW_MISS)
        a->owner[result->ticket] =
            class_of(a, access->pc) == INTRA ? place_of(access->pc) : (uint8_t)PCS;
    watch_load(a, access);
}

static void left(void *self, uint32_t block, enum byw_mech_leave why)
{
    struct apcm *a = self;

    (void)why;
    for (uint32_t i = 0; a->line[block].coming && i < a->setup.mshrs; i++)
        if (a->block_of[i] == block)
            a->block_of[i] = NO_BLOCK;
    a->line[block] = (struct line_state){.protect = false};
}

static void installed(void *self, const struct byw_mech_install *install)
{
    struct apcm *a = self;
    bool on_miss = a->setup.config->l1d_alloc == BYW_ALLOC_ON_MISS;
    uint8_t owner = a->owner[install->mshr];
    bool intra = owner < PCS && a->pc[owner].class == INTRA;

    if (!install->fresh)
        return;
    a->line[install->block] = (struct line_state){
        .protect = intra, .coming = on_miss, .pc = intra ? owner : 0, .used_at = ++a->uses};
    a->count[COUNT_PROTECTED] += intra;
    if (on_miss)
        a->block_of[install->mshr] = install->block;
}

static void answered(void *self, const struct byw_mech_answer *answer)
{
    struct apcm *a = self;
    uint32_t block = answer->bypass ? NO_BLOCK : a->block_of[answer->ticket];

    if (block == NO_BLOCK)
        return;
    a->line[block].coming = false;
    a->block_of[answer->ticket] = NO_BLOCK;
}

static const uint64_t *counts(const void *self)
{
    return ((const struct apcm *)self)->count;
}

static uint64_t digest(const void *self)
{
    const struct apcm *a = self;
    uint64_t sum = a->monitor * UINT64_C(31) + a->silence;

    for (uint32_t b = 0; b < a->setup.blocks; b++)
        sum = (sum ^ (a->line[b].idle * 4 + a->line[b].protect * 2U + a->line[b].coming)) *
              UINT64_C(0x100000001B3);
    for (uint32_t i = 0; i < PCS; i++)
        sum = (sum ^ (a->pc[i].pc * 8 + a->pc[i].class)) * UINT64_C(0x100000001B3);
    return sum;
}

/* Line: protection, 5-bit index of its PC, idle loads.  Monitored line: valid, two reuse bits, a
 * 28-bit tag, index, 7-bit hash of its last use.  PC: valid, class, 7-bit hashes of the PC and its
 * last use, three counts. */
static uint64_t storage_bits(const struct byw_config *config, const uint32_t *values)
{
    uint64_t lines = (uint64_t)config->l1d_sets * config->l1d_ways;
    uint64_t blocks = byw_clog2(values[KEY_BLOCKS]) + 1;

    return lines * (1 + 5 + byw_clog2(values[KEY_LIFE] * config->l1d_ways) + 1) +
           WATCHED * (3 + 28 + 5 + 7) + PCS * (1 + 3 + 7 + 7 + 3 * blocks) + 6 +
           byw_clog2(values[KEY_QUIET]);
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

const struct byw_mech byw_mech_apcm_like = {
    .name = "apcm_like",
    .paper = "001",
    .sentence = "one warp is monitored; loads of streaming PCs bypass, lines that their own warp "
                "reuses are protected",
    .enable = "apcm_like.enable",
    .on = "on",
    .c_only = true,
    .keys = keys,
    .key_count = KEYS,
    .counters = counters,
    .counter_count = COUNTS,
    .ops = &ops,
    .storage_bits = storage_bits,
};
