/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_oracle.h - what an L1D could have found in the accesses that it accepted
 * (top/byw_recorder.h).
 *
 * A load is found when its line is in the cache, filled or on its way.  Counted for the same order
 * of accesses:
 *
 *   LRU         a plain cache: every load without a line takes one.  Which lines were on their way,
 *               and could not go, is as recorded, so that on the record of a plain run it must be
 *               what the run found, access by access
 *   best        as many as any cache of this geometry can find, deciding with hindsight which loads
 *               bypass and which line goes (Belady's MIN with bypass, set by set)
 *   infinite    a cache of endless sets: all but first touches
 *
 * In all of them a kernel start drops every line.  The line that it finds is dropped by a volatile
 * load, by an atomic unless l1d.atomic_keeps = on, and by a store if l1d.store_hit = evict.
 *
 * `best` is a bound for what takes a line at the miss.  With sectors it treats them as lines of
 * their own, as many per set as its lines have, so that it may be above what can be reached; and
 * with allocate on fill loads that meet on their way need no line, so that a run may find more.
 */
#ifndef BYW_ORACLE_H
#define BYW_ORACLE_H

#include <jansson.h>

#include "common/byw_config.h"
#include "top/byw_recorder.h"

struct byw_oracle {
    uint64_t loads; /* accepted, global and local */
    uint64_t hits, pending; /* loads found by the run, by the state of their line */
    uint64_t lru_hits, lru_pending;
    uint64_t best;
    uint64_t best_lines; /* loads without a line that get one in it; the others bypass */
    uint64_t infinite;
};

/* Counts one L1's records.  BYW_ENOMEM. */
enum byw_status byw_oracle_count(const struct byw_config *config, const struct byw_record *record,
                                 uint64_t count, struct byw_oracle *oracle);

/* sum += part */
void byw_oracle_add(struct byw_oracle *sum, const struct byw_oracle *part);

/* Whether these settings are those of the plain cache that LRU stands for; of loads with advice
 * of their own it is not asked. */
bool byw_oracle_is_plain(const struct byw_config *config);

/* Counts all SMs' records and checks the laws: no cache finds more than the best, which finds no
 * more than the infinite one; a plain run what LRU finds (`advised`: it was not plain).  *json: a
 * new reference, the sums and a list per_sm.  BYW_ECHECK names the law that does not hold;
 * BYW_ENOMEM. */
enum byw_status byw_oracle_json(const struct byw_config *config,
                                const struct byw_recorder *recorders, bool advised, json_t **json,
                                struct byw_diag *diag);

#endif
