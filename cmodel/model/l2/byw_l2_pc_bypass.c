/* SPDX-License-Identifier: Apache-2.0 */
#include "l2/byw_l2_pc_bypass.h"

#include <stdlib.h>

#include "common/byw_bits.h"
#include "common/byw_mech.h"

enum byw_status byw_l2_pc_bypass_init(struct byw_l2_pc_bypass *p, const struct byw_config *config,
                                      uint32_t sets, uint32_t ways)
{
    *p = (struct byw_l2_pc_bypass){
        .threshold = {(uint8_t)config->pc_threshold, (uint8_t)config->l2_pc_stores},
        .set_bits = byw_clog2(sets),
    };
    byw_pc_table_configure(&p->table, config);
    p->line = calloc((size_t)sets * ways, sizeof(p->line[0]));
    if (p->line == NULL)
        return BYW_ENOMEM;
    byw_l2_pc_bypass_clear(p);
    return BYW_OK;
}

void byw_l2_pc_bypass_release(struct byw_l2_pc_bypass *p)
{
    free(p->line);
    p->line = NULL;
}

void byw_l2_pc_bypass_clear(struct byw_l2_pc_bypass *p)
{
    byw_pc_table_clear(&p->table);
}

bool byw_l2_pc_bypass_leads(const struct byw_l2_pc_bypass *p, uint32_t set)
{
    uint32_t low = p->set_bits - byw_clog2(BYW_L2_PC_LEADERS); /* bits below the leader's number */

    return 1U << p->set_bits >= BYW_L2_PC_LEADING_SETS_MIN && (set & byw_mask64(low)) == set >> low;
}

struct byw_l2_pc_guess byw_l2_pc_bypass_ask(const struct byw_l2_pc_bypass *p, uint32_t set,
                                            bool store, uint16_t hash)
{
    struct byw_l2_pc_guess guess = {.dead = p->table.counter[hash] >= p->threshold[store]};
    bool tried = guess.dead && !store;

    guess.overruled = tried && byw_l2_pc_bypass_leads(p, set);
    guess.counts = tried && !guess.overruled && p->table.sample != 0;
    guess.sampled = guess.counts && byw_pc_table_samples(&p->table);
    guess.bypass = guess.dead && !guess.overruled && !guess.sampled;
    return guess;
}

void byw_l2_pc_bypass_accept(struct byw_l2_pc_bypass *p, const struct byw_l2_pc_guess *guess)
{
    if (guess->counts)
        byw_pc_table_accept(&p->table, guess->sampled);
}

void byw_l2_pc_bypass_reuse(struct byw_l2_pc_bypass *p, uint32_t line, bool traced, uint16_t hash)
{
    struct byw_l2_pc_line *last = &p->line[line];

    if (!traced)
        return;
    if (last->traced)
        byw_pc_table_less(&p->table, last->hash);
    *last = (struct byw_l2_pc_line){.hash = hash, .traced = true};
}

void byw_l2_pc_bypass_take(struct byw_l2_pc_bypass *p, uint32_t line, bool evicts, bool traced,
                           uint16_t hash)
{
    struct byw_l2_pc_line *last = &p->line[line];

    if (evicts && last->traced)
        byw_pc_table_more(&p->table, last->hash);
    *last = (struct byw_l2_pc_line){.hash = hash, .traced = traced};
}

const struct byw_mech byw_mech_l2_pc_bypass = {
    .name = "l2_pc_bypass",
    .paper = "004",
    .sentence = "an access bypasses the L2 if most lines fetched by its instruction were evicted "
                "without reuse",
    .enable = "l2_policy.pc_bypass",
    .on = "on",
    .unit = "l2_pc_bypass",
};
