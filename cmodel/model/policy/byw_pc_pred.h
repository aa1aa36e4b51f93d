/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_pc_pred.h - the PC-based bypass predictor of one L1 (paper 002; mechanisms/pc_pred.md 5.1).
 *
 * A table of saturating counters, indexed by a hash of a load's PC, learns whether that PC is
 * usually the last to touch a line.  Each data line stores the hash of the load that touched it
 * last.
 *
 *   load finds its line (filled or pending)   counter[line's hash] - 1, line's hash := its own
 *   load allocates a line                     line's hash := its own
 *   a line is replaced by another             counter[its hash] + 1
 *   a line is invalidated (kernel start,      nothing (pc.invalidation_trains: as above, except at
 *   store, drop)                              a kernel start)
 *   the L2 reports a reuse after a bypass     counter[hash of the answered load] - 1
 *
 * A load without a line asks the predictor.  It is predicted dead if its counter is at or above the
 * threshold.  Dead loads bypass, with two exceptions: every pc.sample-th one is cached to keep the
 * table learning, and with set dueling, sets that follow "never bypass" cache all of them.  Stores
 * and atomics neither ask nor train.  A refused request changes nothing.
 *
 * The hashes of loads in flight are stored with the MSHRs and bypass trackers; the paper does not
 * count this storage.  The table is kept across kernels and cleared by reset.
 *
 * There is one training step per cycle.  A decision makes its step at its clock edge.  If an
 * install needs two, the second one is queued, as are reports of the L2, for a later edge without a
 * step.  The queue holds BYW_PC_REPORTS entries in order; entries that find it full are lost.  In
 * the first cycles after a reset nothing trains the counters.
 */
#ifndef BYW_PC_PRED_H
#define BYW_PC_PRED_H

#include "common/byw_config.h"
#include "common/byw_pc_table.h"
#include "record/byw_set_duel.h"

/* Entries of the report queue.  Cycles without training after a reset, if there are at least as
 * many counters. */
enum { BYW_PC_REPORTS = 16, BYW_PC_CLEAR = 16 };

struct byw_pc_pred {
    bool on;
    bool duels;
    bool invalidation_trains;
    bool prior; /* a load whose counter is 0 allocates a line at once (hybrid) */
    uint8_t threshold;
    struct byw_pc_table table;
    struct byw_set_duel duel;
    uint16_t *line; /* hash of the last load that touched each data line */
    uint16_t *miss; /* hash of the load that allocated each MSHR */
    uint16_t *bypass; /* hash of the load that took each bypass tracker */
    uint16_t report[BYW_PC_REPORTS]; /* hashes of the queued steps, oldest first */
    uint32_t waiting;
    uint32_t entered; /* steps of `report` that were queued at this edge */
    uint32_t clearing; /* cycles until the counters are reset */
    bool stepped; /* a decision makes a step at this edge */
};

/* The prediction for a load without a line. */
struct byw_pc_guess {
    uint16_t hash;
    uint8_t counter;
    bool dead; /* the counter is at or above the threshold */
    bool hot; /* the prior is in use and the counter is 0 */
    bool sampled; /* dead, but cached to keep learning */
    bool overruled; /* dead, but its set does not bypass */
};

/* Whether the prediction is to bypass. */
static inline bool byw_pc_guess_bypass(const struct byw_pc_guess *guess)
{
    return guess->dead && !guess->sampled && !guess->overruled;
}

/* set_bits, lines: of the cache.  A predictor that is off uses no memory. */
enum byw_status byw_pc_pred_init(struct byw_pc_pred *pred, const struct byw_config *config,
                                 uint32_t set_bits, uint32_t lines);
/* Applies new settings and keeps the table.  The hashes of lines, MSHRs and trackers are then
 * invalid. */
enum byw_status byw_pc_pred_configure(struct byw_pc_pred *pred, const struct byw_config *config,
                                      uint32_t lines);
void byw_pc_pred_release(struct byw_pc_pred *pred);

/* Restores the state after reset. */
void byw_pc_pred_clear(struct byw_pc_pred *pred);

struct byw_pc_guess byw_pc_pred_ask(const struct byw_pc_pred *pred, uint32_t set, uint32_t pc);

/* byw_pc_pred_ask() in two steps: _read reads the counter, _follow applies sampling and dueling. */
struct byw_pc_guess byw_pc_pred_read(const struct byw_pc_pred *pred, uint32_t pc);
void byw_pc_pred_follow(const struct byw_pc_pred *pred, uint32_t set, struct byw_pc_guess *guess);

/* The load with this guess is accepted: updates sampling and dueling. */
void byw_pc_pred_accept(struct byw_pc_pred *pred, uint32_t set, const struct byw_pc_guess *guess);

/* A load with this hash finds line `line`. */
void byw_pc_pred_reuse(struct byw_pc_pred *pred, uint32_t line, uint16_t hash);

/* Allocate-on-fill: a fill serves more than the load that fetched it, which has this hash. */
void byw_pc_pred_reuse_merged(struct byw_pc_pred *pred, uint16_t hash);

/* Line `line` is evicted.  Call before a reuse at the same edge. */
void byw_pc_pred_evict(struct byw_pc_pred *pred, uint32_t line);

/* The L2 saw a line reused after a bypass. hash: that of the answered load. */
void byw_pc_pred_mispredict(struct byw_pc_pred *pred, uint16_t hash);

/* Ends a clock edge, after all training.  _skip: `cycles` edges without training. */
void byw_pc_pred_tick(struct byw_pc_pred *pred);
void byw_pc_pred_skip(struct byw_pc_pred *pred, uint64_t cycles);

#endif
