/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_set_duel.h - set dueling between two policies of one cache (named by paper 002;
 * mechanisms/baselines.md 2.5, mechanisms/pc_pred.md 5.1).
 *
 * A set leads when its two highest index bits equal its two lowest ones.  Index bit 2 selects the
 * policy that it always follows: of 32 sets, 0 9 18 27 lead for the first and 4 13 22 31 for the
 * second.  PSEL (8 bits, saturating, initially 128) is incremented by a miss in a leader of the
 * first policy and decremented by a miss in a leader of the second.  The other sets follow the
 * second policy while PSEL >= 128.  Set dueling needs at least 8 sets (16: 2 + 2 leaders, 64: 8 +
 * 8); with fewer, the PC predictor works without it.  PSEL is kept across kernels.
 */
#ifndef BYW_SET_DUEL_H
#define BYW_SET_DUEL_H

#include <stdbool.h>
#include <stdint.h>

enum { BYW_PSEL_MAX = 255, BYW_PSEL_HALF = 128, BYW_SET_DUEL_MIN_SETS = 8 };

enum byw_set_role { BYW_SET_FOLLOWS, BYW_SET_LEADS_FIRST, BYW_SET_LEADS_SECOND };

struct byw_set_duel {
    uint32_t set_bits; /* log2 of the sets, 3 or more */
    uint32_t psel;
};

static inline void byw_set_duel_init(struct byw_set_duel *duel, uint32_t set_bits)
{
    duel->set_bits = set_bits;
    duel->psel = BYW_PSEL_HALF;
}

static inline enum byw_set_role byw_set_duel_role(const struct byw_set_duel *duel, uint32_t set)
{
    if (set >> (duel->set_bits - 2) != (set & 3))
        return BYW_SET_FOLLOWS;
    return (set >> 2 & 1) != 0 ? BYW_SET_LEADS_SECOND : BYW_SET_LEADS_FIRST;
}

/* Whether the set follows the second policy. */
static inline bool byw_set_duel_second(const struct byw_set_duel *duel, uint32_t set)
{
    enum byw_set_role role = byw_set_duel_role(duel, set);

    return role == BYW_SET_FOLLOWS ? duel->psel >= BYW_PSEL_HALF : role == BYW_SET_LEADS_SECOND;
}

/* Call on a miss in the set. */
static inline void byw_set_duel_miss(struct byw_set_duel *duel, uint32_t set)
{
    enum byw_set_role role = byw_set_duel_role(duel, set);

    if (role == BYW_SET_LEADS_FIRST && duel->psel < BYW_PSEL_MAX)
        duel->psel++;
    if (role == BYW_SET_LEADS_SECOND && duel->psel > 0)
        duel->psel--;
}

#endif
