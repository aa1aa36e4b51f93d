/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_pc_pred.h - the PC-based bypass predictor of one L1 (paper 002; MECHANISMS 5.1).
 *
 * A table of saturating counters, indexed by a hash of a load's PC, learns whether the last touch
 * of lines comes from that PC.  Each data line remembers the hash of the load that touched it last.
 *
 *   load finds its line (filled or pending)   counter[line's hash] - 1, line's hash := its own
 *   load takes a line                         line's hash := its own
 *   a line gives way to another               counter[its hash] + 1
 *   invalidated (kernel start, store, drop)   nothing (pc.invalidation_trains: as above, except at
 *                                             a kernel start)
 *   the L2 reports a reuse after a bypass     counter[hash of the load it answers] - 1
 *
 * A load without a line asks: it is predicted dead when its counter is at the threshold or above.
 * Dead loads bypass, but every pc.sample-th of them is cached to keep the table learning, and, with
 * set dueling, the sets that follow "never bypass" cache all of them.  Stores and atomics neither
 * ask nor train.  A refused request changes nothing.
 *
 * The hashes of loads in flight are stored with the MSHRs and bypass trackers: storage the paper
 * does not count.  The table is kept across kernels, cleared by reset.
 *
 * One counter makes one step a cycle.  A decision's step is made at its edge; if an install has
 * two, the second waits, as reports do, for a later edge without: BYW_PC_REPORTS in one order, and
 * what finds all places taken is forgotten.  In the first cycles after a reset nothing trains the
 * counters.
 */
#ifndef BYW_PC_PRED_H
#define BYW_PC_PRED_H

#include "common/byw_config.h"
#include "common/byw_pc_table.h"
#include "record/byw_set_duel.h"

/* Places for waiting reports; cycles after a reset without training, if there are as many
 * counters. */
enum { BYW_PC_REPORTS = 16, BYW_PC_CLEAR = 16 };

struct byw_pc_pred {
    bool on;
    bool duels;
    bool invalidation_trains;
    bool prior; /* a counter of 0 is worth a line at once (hybrid) */
    uint8_t threshold;
    struct byw_pc_table table;
    struct byw_set_duel duel;
    uint16_t *line; /* hash of the last load that touched each data line */
    uint16_t *miss; /* hash of the load each MSHR was taken for */
    uint16_t *bypass; /* hash of the load each bypass tracker was taken for */
    uint16_t report[BYW_PC_REPORTS]; /* hashes of those that wait, the oldest first */
    uint32_t waiting;
    uint32_t entered; /* of those, at this edge */
    uint32_t clearing; /* cycles until the counters are as after reset */
    bool stepped; /* this edge has its own step */
};

/* What the predictor says to a load without a line. */
struct byw_pc_guess {
    uint16_t hash;
    uint8_t counter;
    bool dead; /* the counter is at the threshold */
    bool hot; /* the prior is used and the counter is 0 */
    bool sampled; /* dead, but cached to learn */
    bool overruled; /* dead, but its set does not bypass */
};

/* Whether the guess is to bypass. */
static inline bool byw_pc_guess_bypass(const struct byw_pc_guess *guess)
{
    return guess->dead && !guess->sampled && !guess->overruled;
}

/* set_bits: of the cache; lines, mshrs, trackers: how many it has.  A predictor that is off takes
 * no memory. */
enum byw_status byw_pc_pred_init(struct byw_pc_pred *pred, const struct byw_config *config,
                                 uint32_t set_bits, uint32_t lines);
/* New settings; the table stays.  Hashes of lines, MSHRs and trackers mean nothing after it. */
enum byw_status byw_pc_pred_configure(struct byw_pc_pred *pred, const struct byw_config *config,
                                      uint32_t lines);
void byw_pc_pred_release(struct byw_pc_pred *pred);

/* Reset. */
void byw_pc_pred_clear(struct byw_pc_pred *pred);

struct byw_pc_guess byw_pc_pred_ask(const struct byw_pc_pred *pred, uint32_t set, uint32_t pc);

/* The same in two steps: what the counter says now, and whether that is followed now. */
struct byw_pc_guess byw_pc_pred_read(const struct byw_pc_pred *pred, uint32_t pc);
void byw_pc_pred_follow(const struct byw_pc_pred *pred, uint32_t set, struct byw_pc_guess *guess);

/* The load that got this guess is accepted: sampling and dueling go on. */
void byw_pc_pred_accept(struct byw_pc_pred *pred, uint32_t set, const struct byw_pc_guess *guess);

/* A load with this hash finds line `line`. */
void byw_pc_pred_reuse(struct byw_pc_pred *pred, uint32_t line, uint16_t hash);

/* Allocate on fill: a fill serves more than its own load, which has this hash. */
void byw_pc_pred_reuse_merged(struct byw_pc_pred *pred, uint16_t hash);

/* Line `line` is evicted; before a reuse at the same edge. */
void byw_pc_pred_evict(struct byw_pc_pred *pred, uint32_t line);

/* The L2 found a line reused after a bypass; hash: of the load that it answers. */
void byw_pc_pred_mispredict(struct byw_pc_pred *pred, uint16_t hash);

/* The end of an edge, after what trains; and `cycles` edges without training. */
void byw_pc_pred_tick(struct byw_pc_pred *pred);
void byw_pc_pred_skip(struct byw_pc_pred *pred, uint64_t cycles);

#endif
