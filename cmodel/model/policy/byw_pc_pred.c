/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/byw_pc_pred.h"

#include <stdlib.h>
#include <string.h>

#include "common/byw_bits.h"
#include "common/byw_mech.h"

/* After a reset, the RTL queues one entry per table row in the report ring; each clears its row. */
_Static_assert((int)BYW_PC_CLEAR <= (int)BYW_PC_REPORTS, "the rows fit into the ring");

static enum byw_status take_memory(struct byw_pc_pred *pred, const struct byw_config *config,
                                   uint32_t lines)
{
    if (config->pc_on == 0 || pred->line != NULL)
        return BYW_OK;
    pred->line = calloc(lines, sizeof(pred->line[0]));
    pred->miss = calloc(config->l1d_mshrs, sizeof(pred->miss[0]));
    pred->bypass = calloc(config->l1d_trackers, sizeof(pred->bypass[0]));
    if (pred->line != NULL && pred->miss != NULL && pred->bypass != NULL)
        return BYW_OK;
    byw_pc_pred_release(pred);
    return BYW_ENOMEM;
}

enum byw_status byw_pc_pred_configure(struct byw_pc_pred *pred, const struct byw_config *config,
                                      uint32_t lines)
{
    enum byw_status status = take_memory(pred, config, lines);

    if (status != BYW_OK)
        return status;
    pred->on = config->pc_on != 0;
    pred->duels = config->pc_duel != 0 && config->l1d_sets >= BYW_SET_DUEL_MIN_SETS;
    pred->invalidation_trains = config->pc_inv != 0;
    pred->prior = config->pc_prior != 0;
    pred->threshold = (uint8_t)config->pc_threshold;
    byw_pc_table_configure(&pred->table, config);
    return BYW_OK;
}

enum byw_status byw_pc_pred_init(struct byw_pc_pred *pred, const struct byw_config *config,
                                 uint32_t set_bits, uint32_t lines)
{
    enum byw_status status;

    *pred = (struct byw_pc_pred){0};
    status = byw_pc_pred_configure(pred, config, lines);
    if (status != BYW_OK)
        return status;
    byw_set_duel_init(&pred->duel, set_bits);
    byw_pc_pred_clear(pred);
    return BYW_OK;
}

void byw_pc_pred_release(struct byw_pc_pred *pred)
{
    free(pred->line);
    free(pred->miss);
    free(pred->bypass);
    pred->line = pred->miss = pred->bypass = NULL;
}

void byw_pc_pred_clear(struct byw_pc_pred *pred)
{
    uint32_t entries = 1U << pred->table.index_bits;

    byw_pc_table_clear(&pred->table);
    byw_set_duel_init(&pred->duel, pred->duel.set_bits);
    pred->waiting = pred->entered = 0;
    pred->stepped = false;
    pred->clearing = entries < BYW_PC_CLEAR ? entries : BYW_PC_CLEAR;
}

struct byw_pc_guess byw_pc_pred_read(const struct byw_pc_pred *pred, uint32_t pc)
{
    struct byw_pc_guess guess = {.hash = byw_pc_table_hash(&pred->table, pc)};

    guess.counter = pred->table.counter[guess.hash];
    guess.dead = guess.counter >= pred->threshold;
    guess.hot = pred->prior && guess.counter == 0;
    return guess;
}

void byw_pc_pred_follow(const struct byw_pc_pred *pred, uint32_t set, struct byw_pc_guess *guess)
{
    guess->overruled = guess->dead && pred->duels && !byw_set_duel_second(&pred->duel, set);
    guess->sampled = guess->dead && !guess->overruled && byw_pc_table_samples(&pred->table);
}

struct byw_pc_guess byw_pc_pred_ask(const struct byw_pc_pred *pred, uint32_t set, uint32_t pc)
{
    struct byw_pc_guess guess = byw_pc_pred_read(pred, pc);

    byw_pc_pred_follow(pred, set, &guess);
    return guess;
}

void byw_pc_pred_accept(struct byw_pc_pred *pred, uint32_t set, const struct byw_pc_guess *guess)
{
    if (pred->duels)
        byw_set_duel_miss(&pred->duel, set);
    if (guess->dead && !guess->overruled)
        byw_pc_table_accept(&pred->table, guess->sampled);
}

/* Queues a decrement for a later clock edge. */
static void push(struct byw_pc_pred *pred, uint16_t hash)
{
    if (pred->clearing != 0 || pred->waiting == BYW_PC_REPORTS)
        return;
    pred->report[pred->waiting++] = hash;
    pred->entered++;
}

/* The training step of this clock edge. */
static void step(struct byw_pc_pred *pred, uint16_t hash, bool up)
{
    if (pred->clearing != 0)
        return;
    if (up)
        byw_pc_table_more(&pred->table, hash);
    else
        byw_pc_table_less(&pred->table, hash);
    pred->stepped = true;
}

void byw_pc_pred_reuse(struct byw_pc_pred *pred, uint32_t line, uint16_t hash)
{
    step(pred, pred->line[line], false);
    pred->line[line] = hash;
}

void byw_pc_pred_reuse_merged(struct byw_pc_pred *pred, uint16_t hash)
{
    if (pred->stepped)
        push(pred, hash);
    else
        step(pred, hash, false);
}

void byw_pc_pred_evict(struct byw_pc_pred *pred, uint32_t line)
{
    step(pred, pred->line[line], true);
}

void byw_pc_pred_mispredict(struct byw_pc_pred *pred, uint16_t hash)
{
    push(pred, hash);
}

void byw_pc_pred_tick(struct byw_pc_pred *pred)
{
    if (!pred->stepped && pred->waiting > pred->entered) {
        byw_pc_table_less(&pred->table, pred->report[0]);
        memmove(pred->report, pred->report + 1, --pred->waiting * sizeof(pred->report[0]));
    }
    pred->stepped = false;
    pred->entered = 0;
    pred->clearing -= pred->clearing != 0;
}

void byw_pc_pred_skip(struct byw_pc_pred *pred, uint64_t cycles)
{
    for (; cycles != 0 && (pred->waiting | pred->clearing | pred->stepped) != 0; cycles--)
        byw_pc_pred_tick(pred);
}

/* The counters and each line's hash.  As in the paper, the hashes of loads in flight are not
 * counted. */
static uint64_t storage_bits(const struct byw_config *c, const uint32_t *values)
{
    uint64_t lines = (uint64_t)c->l1d_sets * c->l1d_ways;

    (void)values;
    return (uint64_t)c->pc_entries * c->pc_bits + lines * byw_clog2(c->pc_entries);
}

const struct byw_mech byw_mech_pc = {
    .name = "pc",
    .paper = "002",
    .sentence =
        "a load bypasses if most lines fetched by its instruction were evicted without reuse",
    .enable = "pc.enable",
    .on = "on",
    .unit = "pc_pred",
    .storage_bits = storage_bits,
};
