/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l2_pc_bypass.h - PC-based bypass of an L2 slice, for loads and stores (paper 004; MECHANISMS
 * 7.4): the predictor of paper 002 one level down.
 *
 * A table of saturating counters, indexed by a hash of the PC that comes with the request, learns
 * whether the last touch of lines comes from that PC; loads and stores share it.  Each line of the
 * slice remembers the hash of the access that touched it last.
 *
 *   finds its line (filled, written or pending)   counter[line's hash] - 1, line's hash := its own
 *   takes a line                                  line's hash := its own
 *   and another line gives way for it             counter[that line's hash] + 1 before
 *   dropped or cleaned by a flush                 nothing
 *
 * A load or store without a line asks: it is predicted dead when its counter is at its kind's
 * threshold or above, and goes past the slice; a store then writes its bytes to memory.  Every
 * sample-th dead load takes a line nevertheless, to keep the table learning, and so do all of eight
 * leader sets (in slices of 64 sets or more).  There is no cache below that could verify, as paper
 * 002's L2 does.  Dead stores are not tried: a load kept as a sample costs a place, a store a write
 * back out of its row's order.  They learn from the lines that they find.
 * Accesses without a PC (instructions, write-backs of an L1) neither ask nor train, and leave a
 * line that trains nothing.
 */
#ifndef BYW_L2_PC_BYPASS_H
#define BYW_L2_PC_BYPASS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/byw_config.h"
#include "common/byw_pc_table.h"

enum { BYW_L2_PC_LEADERS = 8, BYW_L2_PC_LEADING_SETS_MIN = 64 };

struct byw_l2_pc_line {
    uint16_t hash;
    bool traced; /* an access with a PC touched the line */
};

struct byw_l2_pc_bypass {
    uint8_t threshold[2]; /* of loads, of stores */
    uint32_t set_bits; /* log2 of the slice's sets */
    struct byw_pc_table table; /* its hashes come with the requests */
    struct byw_l2_pc_line *line;
};

struct byw_l2_pc_guess {
    bool dead; /* the counter is at the threshold */
    bool overruled; /* a dead load, but its set leads */
    bool sampled; /* a dead load, but kept to learn */
    bool counts; /* a dead load that sampling counts */
    bool bypass;
};

/* Keys pc.entries, bits, threshold, initial, shift and sample, and l2_policy.store_threshold. sets:
 * a power of two.  BYW_ENOMEM.
 */
enum byw_status byw_l2_pc_bypass_init(struct byw_l2_pc_bypass *p, const struct byw_config *config,
                                      uint32_t sets, uint32_t ways);
void byw_l2_pc_bypass_release(struct byw_l2_pc_bypass *p);

/* Reset. */
void byw_l2_pc_bypass_clear(struct byw_l2_pc_bypass *p);

/* Whether the set never bypasses: of 256 sets 0, 33, 66, ... 231. */
bool byw_l2_pc_bypass_leads(const struct byw_l2_pc_bypass *p, uint32_t set);

/* The guess for a load or a store without a line; pure. */
struct byw_l2_pc_guess byw_l2_pc_bypass_ask(const struct byw_l2_pc_bypass *p, uint32_t set,
                                            bool store, uint16_t hash);

/* The access that got this guess is accepted: sampling goes on. */
void byw_l2_pc_bypass_accept(struct byw_l2_pc_bypass *p, const struct byw_l2_pc_guess *guess);

/* An access finds line `line`; traced: it has a PC, with this hash. */
void byw_l2_pc_bypass_reuse(struct byw_l2_pc_bypass *p, uint32_t line, bool traced, uint16_t hash);

/* An access takes it; evicts: another line gives way. */
void byw_l2_pc_bypass_take(struct byw_l2_pc_bypass *p, uint32_t line, bool evicts, bool traced,
                           uint16_t hash);

#endif
