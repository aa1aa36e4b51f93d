/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_set_duel.h - set dueling between two policies of one cache (paper 002 names it; MECHANISMS
 * 2.5, 5.1).
 *
 * A set leads when its two highest index bits equal its two lowest ones; index bit 2 says which
 * policy it always follows: of 32 sets, 0 9 18 27 lead for the first and 4 13 22 31 for the second.
 * PSEL, 8 bits, goes up by a miss in a first leader and down by one in a second leader, and
 * saturates; the other sets follow the second policy while PSEL >= 128, where it starts.  Needs 8
 * sets or more (16: 2 + 2 leaders, 64: 8 + 8); the PC predictor of fewer does without.  PSEL is
 * kept across kernels.
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

/* A miss in the set. */
static inline void byw_set_duel_miss(struct byw_set_duel *duel, uint32_t set)
{
    enum byw_set_role role = byw_set_duel_role(duel, set);

    if (role == BYW_SET_LEADS_FIRST && duel->psel < BYW_PSEL_MAX)
        duel->psel++;
    if (role == BYW_SET_LEADS_SECOND && duel->psel > 0)
        duel->psel--;
}

#endif
