/* SPDX-License-Identifier: Apache-2.0
 *
 * lock_cfg.h - the RTL registers of one L1, from a configuration of the C model.
 */
#ifndef BYW_LOCK_CFG_H
#define BYW_LOCK_CFG_H

#include "common/byw_config.h"
#include "cosim/lock.h"
#include "top/byw_csr.h"

/* The number of choices in a text like "off|line|any". */
static inline uint32_t lock_choices(const char *choices)
{
    uint32_t n = 1;

    for (; *choices != '\0'; choices++)
        n += *choices == '|';
    return n;
}

/* The policy register (byw_csr.def) that expresses the configuration. */
static inline uint32_t lock_cfg(const struct byw_config *c)
{
    uint32_t cfg = 0;

    cfg |= c->policy_mode | c->byp_on_hit << 2;
    cfg |= (uint32_t)(c->l1d_store_hit == BYW_STORE_UPDATE) << 4;
    cfg |= (c->dec_cmp & 1) << 5 | (c->dec_lfu_all & 1) << 6 | (c->dec_rc_on_hit & 1) << 7;
    cfg |= (c->dec_age_alloc & 1) << 8 | (c->dec_age_evict & 1) << 9 | (c->dec_age_merge & 1) << 10;
    cfg |= (c->dec_store_rc & 1) << 11 | (c->dec_byp_rsfail & 1) << 12 | (c->dec_rc_init & 1) << 13;
    cfg |= c->dec_threshold << 16 | byw_csr_rescues(c);
    return cfg;
}

/* Draws random rescue rules: each is off in `off` of 100 cases. */
static inline void lock_rescues(struct lock *l, uint32_t off, struct byw_config *c)
{
#define RESCUE(unit, field, width, mech, key, choices, on, paper, sentence, meaning)               \
    c->unit = lock_chance(l, off) ? 0 : lock_below(l, lock_choices(choices));
#include "configs/byw_rescues.def"
#undef RESCUE
}

/* The value of register PC_PRED for the configuration. */
static inline uint32_t lock_pc_cfg(const struct byw_config *c)
{
    return (uint32_t)(c->pc_on != 0) | (uint32_t)(c->pc_duel != 0) << 1 |
           (uint32_t)(c->pc_inv != 0) << 2 | (uint32_t)(c->pc_prior != 0) << 3 |
           c->pc_threshold << 4 | c->pc_init << 12 | c->pc_sample << 20;
}

#endif
