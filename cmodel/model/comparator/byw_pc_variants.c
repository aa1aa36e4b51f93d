/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_pc_variants.c - the PC predictor (policy/byw_pc_pred.h, paper 002) with variants that the
 * paper leaves open and the hardware omits (mechanisms/pc_pred.md 5.1): lines predicted dead at a
 * hit are evicted first; stores that find their line train like loads.
 *
 * It is the same predictor with the same keys, called through hooks.  Without a variant it does
 * what mechanism pc does.
 */
#include <stdlib.h>
#include <string.h>

#include "comparator/byw_guesses.h"
#include "policy/byw_pc_pred.h"
#include "record/byw_set.h"

enum { KEY_ENABLE, KEY_DEAD, KEY_STORES, KEYS };
static const struct byw_param keys[KEYS] = {
    BYW_MECH_ENABLE("pc_variants", "the PC predictor with one or both of these variants"),
    {.file = BYW_PARAM_POLICY,
     .kind = BYW_PARAM_ENUM,
     .key = "pc_variants.dead_first",
     .choices = "no|yes",
     .meaning =
         "a hit whose PC is at pc.threshold marks its line dead; dead lines are evicted first"},
    {.file = BYW_PARAM_POLICY,
     .kind = BYW_PARAM_ENUM,
     .key = "pc_variants.stores_train",
     .choices = "no|yes",
     .meaning = "a store that hits and keeps its line trains like a load of its PC"},
};

enum { COUNT_DEAD = BYW_GUESS_COUNTS, COUNTS };
static const struct byw_mech_counter counters[COUNTS] = {
    BYW_GUESS_COUNTERS("pc_variants"),
    {"policy_stats.pc_variants.dead", "lines", "a line marked dead is evicted"},
};

struct variants {
    struct byw_mech_setup setup;
    bool dead_first, stores_train, on_miss, reports;
    struct byw_pc_pred pred;
    bool *dead; /* by block: its line is predicted dead */
    uint64_t *used_at; /* by block: value of `uses` at its last use */
    uint64_t uses;
    struct byw_guesses guesses;
    uint64_t count[COUNTS];
};

static void release(void *self)
{
    struct variants *v = self;

    byw_pc_pred_release(&v->pred);
    byw_shadow_release(&v->guesses.shadow);
    free(v->dead);
    free(v->used_at);
    free(v);
}

static void forget_lines(struct variants *v)
{
    memset(v->dead, 0, v->setup.blocks * sizeof(*v->dead));
    byw_shadow_clear(&v->guesses.shadow);
}

static void reset(void *self)
{
    struct variants *v = self;

    byw_pc_pred_clear(&v->pred);
    forget_lines(v);
    memset(v->count, 0, sizeof(v->count));
}

static enum byw_status create(const struct byw_mech_setup *setup, void **self)
{
    struct variants *v = calloc(1, sizeof(*v));
    struct byw_config config = *setup->config;

    if (v == NULL)
        return BYW_ENOMEM;
    v->setup = *setup;
    v->dead_first = setup->values[KEY_DEAD] != 0;
    v->stores_train = setup->values[KEY_STORES] != 0;
    v->on_miss = config.l1d_alloc == BYW_ALLOC_ON_MISS;
    v->reports = config.pc_l2bit != 0;
    config.pc_on = 1;
    v->dead = calloc(setup->blocks, sizeof(*v->dead));
    v->used_at = calloc(setup->blocks, sizeof(*v->used_at));
    if (v->dead == NULL || v->used_at == NULL ||
        byw_pc_pred_init(&v->pred, &config, byw_clog2(setup->sets), setup->blocks) != BYW_OK ||
        byw_shadow_init(&v->guesses.shadow, setup->config, true) != BYW_OK) {
        release(v);
        return BYW_ENOMEM;
    }
    *self = v;
    return BYW_OK;
}

static void emptied(void *self, bool kernel_start, uint32_t pc)
{
    (void)kernel_start;
    (void)pc;
    forget_lines(self);
}

static enum byw_opinion ask(const void *self, const struct byw_mech_access *load)
{
    const struct variants *v = self;
    struct byw_pc_guess guess;

    if (!byw_guess_asks(load))
        return BYW_OPINION_NONE;
    guess = byw_pc_pred_ask(&v->pred, load->set, load->pc);
    return byw_pc_guess_bypass(&guess) ? BYW_OPINION_BYPASS : BYW_OPINION_NONE;
}

/* The least recently used of the marked lines. */
static int victim(const void *self, uint32_t set, uint64_t eligible)
{
    const struct variants *v = self;
    uint32_t first = set * v->setup.ways;
    int chosen = BYW_NONE;

    for (uint32_t way = 0; v->dead_first && way < v->setup.ways; way++)
        if ((eligible >> way & 1) != 0 && v->dead[first + way] &&
            (chosen == BYW_NONE || v->used_at[first + way] < v->used_at[first + (uint32_t)chosen]))
            chosen = (int)way;
    return chosen;
}

/* A load or store by this PC hits the line of a block. */
static void use(struct variants *v, uint32_t block, uint16_t hash)
{
    byw_pc_pred_reuse(&v->pred, block, hash);
    v->dead[block] = v->pred.table.counter[hash] >= v->pred.threshold;
    v->used_at[block] = ++v->uses;
}

static void accept_load(struct variants *v, const struct byw_mech_access *load,
                        const struct byw_mech_result *result, uint16_t hash)
{
    if (byw_guess_asks(load)) {
        struct byw_pc_guess guess = byw_pc_pred_ask(&v->pred, load->set, load->pc);

        byw_pc_pred_accept(&v->pred, load->set, &guess);
    }
    if (result->outcome == BYW_BYPASS)
        v->pred.bypass[result->ticket] = hash;
    else if (result->outcome == BYW_MISS)
        v->pred.miss[result->ticket] = hash;
    else if (result->outcome == BYW_HIT || v->on_miss)
        use(v, result->block, hash);
}

static void accepted(void *self, const struct byw_mech_access *access,
                     const struct byw_mech_result *result)
{
    struct variants *v = self;
    uint16_t hash = byw_pc_table_hash(&v->pred.table, access->pc);
    bool local = access->op == BYW_OP_LOCAL_STORE;
    bool keeps = local || v->setup.config->l1d_store_hit == BYW_STORE_UPDATE;
    bool passes = result->outcome == BYW_BYPASS && ask(self, access) == BYW_OPINION_BYPASS;

    byw_guesses_accepted(&v->guesses, access, passes, v->count);
    if (access->op == BYW_OP_LOAD || access->op == BYW_OP_LOCAL_LOAD)
        accept_load(v, access, result, hash);
    else if (access->op == BYW_OP_ATOMIC)
        v->pred.bypass[result->ticket] = hash;
    else if (v->stores_train && keeps && result->outcome == BYW_HIT)
        use(v, result->block, hash);
}

static void left(void *self, uint32_t block, enum byw_mech_leave why)
{
    struct variants *v = self;

    if (why == BYW_LEFT_EVICTED || (why == BYW_LEFT_DROPPED && v->pred.invalidation_trains))
        byw_pc_pred_evict(&v->pred, block);
    v->count[COUNT_DEAD] += why == BYW_LEFT_EVICTED && v->dead_first && v->dead[block];
    v->dead[block] = false;
}

static void installed(void *self, const struct byw_mech_install *install)
{
    struct variants *v = self;

    if (install->merged)
        byw_pc_pred_reuse_merged(&v->pred, v->pred.miss[install->mshr]);
    if (!install->fresh)
        return;
    v->pred.line[install->block] = v->pred.miss[install->mshr];
    v->dead[install->block] = false;
    v->used_at[install->block] = ++v->uses;
}

static void answered(void *self, const struct byw_mech_answer *answer)
{
    struct variants *v = self;

    if (v->reports && answer->mispredict)
        byw_pc_pred_mispredict(&v->pred,
                               (answer->bypass ? v->pred.bypass : v->pred.miss)[answer->ticket]);
}

static void tick(void *self, uint64_t cycles)
{
    byw_pc_pred_skip(&((struct variants *)self)->pred, cycles);
}

static const uint64_t *counts(const void *self)
{
    return ((const struct variants *)self)->count;
}

static uint64_t digest(const void *self)
{
    const struct variants *v = self;
    uint64_t sum = v->uses;

    for (uint32_t i = 0; i < UINT32_C(1) << v->pred.table.index_bits; i++)
        sum = (sum ^ v->pred.table.counter[i]) * UINT64_C(0x100000001B3);
    for (uint32_t b = 0; b < v->setup.blocks; b++)
        sum = (sum ^ ((uint64_t)v->pred.line[b] << 1 | v->dead[b])) * UINT64_C(0x100000001B3);
    return sum;
}

/* The storage of mechanism pc, plus one mark per line. */
static uint64_t storage_bits(const struct byw_config *c, const uint32_t *values)
{
    uint64_t lines = (uint64_t)c->l1d_sets * c->l1d_ways;

    return (uint64_t)c->pc_entries * c->pc_bits +
           lines * (byw_clog2(c->pc_entries) + (values[KEY_DEAD] != 0));
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
    .tick = tick,
    .verified = true,
    .counters = counts,
    .digest = digest,
};

const struct byw_mech byw_mech_pc_variants = {
    .name = "pc_variants",
    .paper = "002",
    .sentence = "the PC predictor, with dead lines evicted first or stores that train",
    .enable = "pc_variants.enable",
    .on = "on",
    .c_only = true,
    .keys = keys,
    .key_count = KEYS,
    .counters = counters,
    .counter_count = COUNTS,
    .ops = &ops,
    .storage_bits = storage_bits,
};
