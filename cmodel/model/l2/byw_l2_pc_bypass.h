/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l2_pc_bypass.h - PC-based bypass of an L2 slice for loads and stores (paper 004;
 * mechanisms/l2_policies.md 7.4): the predictor of paper 002, one level down.
 *
 * A table of saturating counters, indexed by a hash of the request's PC, learns whether that PC is
 * usually the last to touch a line.  Loads and stores share the table.  Each line of the slice
 * stores the hash of the access that touched it last.
 *
 *   finds its line (filled, written or pending)   counter[line's hash] - 1, line's hash := its own
 *   allocates a line                              line's hash := its own
 *   ... and evicts another line for it            first, counter[that line's hash] + 1
 *   dropped or cleaned by a flush                 nothing
 *
 * A load or store without a line asks the predictor.  It is predicted dead if its counter is at or
 * above the threshold for its kind, and then bypasses the slice; a store writes its bytes to
 * memory.  Every sample-th dead load allocates a line nevertheless, to keep the table learning.  So
 * do all dead loads in eight leader sets (in slices of 64 sets or more).  No cache below can verify
 * the predictions, as the L2 does for paper 002.  Dead stores are never sampled: a sampled load
 * costs a line, but a sampled store costs a write-back out of row order.  Stores train the table
 * through the lines that they find.  Accesses without a PC (instructions, write-backs of an L1)
 * neither ask nor train, and a line they touched last trains nothing.
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
    bool traced; /* an access with a PC touched the line last */
};

struct byw_l2_pc_bypass {
    uint8_t threshold[2]; /* thresholds for loads and for stores */
    uint32_t set_bits; /* log2 of the slice's sets */
    struct byw_pc_table table; /* indexed by the hashes that the requests carry */
    struct byw_l2_pc_line *line;
};

struct byw_l2_pc_guess {
    bool dead; /* the counter is at or above the threshold */
    bool overruled; /* a dead load, cached because its set is a leader */
    bool sampled; /* a dead load, cached to keep learning */
    bool counts; /* a dead load that counts for sampling */
    bool bypass;
};

/* Keys pc.entries, bits, threshold, initial, shift and sample, and l2_policy.store_threshold. sets:
 * a power of two.  BYW_ENOMEM. */
enum byw_status byw_l2_pc_bypass_init(struct byw_l2_pc_bypass *p, const struct byw_config *config,
                                      uint32_t sets, uint32_t ways);
void byw_l2_pc_bypass_release(struct byw_l2_pc_bypass *p);

/* Restores the state after reset. */
void byw_l2_pc_bypass_clear(struct byw_l2_pc_bypass *p);

/* Whether the set never bypasses: of 256 sets 0, 33, 66, ... 231. */
bool byw_l2_pc_bypass_leads(const struct byw_l2_pc_bypass *p, uint32_t set);

/* The prediction for a load or store without a line; pure. */
struct byw_l2_pc_guess byw_l2_pc_bypass_ask(const struct byw_l2_pc_bypass *p, uint32_t set,
                                            bool store, uint16_t hash);

/* The access with this guess is accepted: updates sampling. */
void byw_l2_pc_bypass_accept(struct byw_l2_pc_bypass *p, const struct byw_l2_pc_guess *guess);

/* An access finds line `line`. traced: it has a PC, with this hash. */
void byw_l2_pc_bypass_reuse(struct byw_l2_pc_bypass *p, uint32_t line, bool traced, uint16_t hash);

/* An access allocates the line. evicts: another line is evicted for it. */
void byw_l2_pc_bypass_take(struct byw_l2_pc_bypass *p, uint32_t line, bool evicts, bool traced,
                           uint16_t hash);

#endif
