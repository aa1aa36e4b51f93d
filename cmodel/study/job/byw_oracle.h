/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_oracle.h - how many loads an L1D could have hit among the accesses that it accepted
 * (top/byw_recorder.h).
 *
 * A load hits if its line is in the cache, filled or in flight. Counted for the same order of
 * accesses:
 *
 *   LRU         a plain cache: every load without a line allocates one. Which lines were in
 *               flight, and not evictable, is taken from the record, so on the record of a plain
 *               run it must equal the run, access by access
 *   best        the most hits that any cache of this geometry can have, deciding with hindsight
 *               which loads bypass and which line is evicted (Belady's MIN with bypass, per set)
 *   infinite    a cache with unlimited sets: all except first touches
 *
 * In all of them a kernel start drops every line. A volatile load, an atomic unless
 * l1d.atomic_keeps = on, and a store if l1d.store_hit = evict drop their line; with l1d.stale_fills
 * = on, no store drops a line in flight (LRU) or any line (best and infinite, which are bounds).
 *
 * `best` is a bound for allocate on miss. It treats sectors as separate lines, as many per set as
 * its lines have, so it may be higher than any real cache can reach. With allocate on fill, loads
 * that merge need no line, so a run may have more hits.
 */
#ifndef BYW_ORACLE_H
#define BYW_ORACLE_H

#include <jansson.h>

#include "common/byw_config.h"
#include "top/byw_recorder.h"

struct byw_oracle {
    uint64_t loads; /* accepted, global and local */
    uint64_t hits, pending; /* loads of the run that hit, by the state of their line */
    uint64_t lru_hits, lru_pending;
    uint64_t best;
    uint64_t best_lines; /* loads without a line that allocate one; the others bypass */
    uint64_t infinite;
};

/* Counts one L1's records.  BYW_ENOMEM. */
enum byw_status byw_oracle_count(const struct byw_config *config, const struct byw_record *record,
                                 uint64_t count, struct byw_oracle *oracle);

/* sum += part */
void byw_oracle_add(struct byw_oracle *sum, const struct byw_oracle *part);

/* Whether these settings are those of the plain cache that LRU models. Must not be called if loads
 * have individual advice. */
bool byw_oracle_is_plain(const struct byw_config *config);

/* Counts all SMs' records and checks three laws: with allocate on miss, neither the run nor LRU has
 * more hits than `best`; `best` has no more than `infinite`; a plain run has the hits of LRU (not
 * checked if `advised`: loads had individual advice). *json: a new reference, the sums and a list
 * per_sm. BYW_ECHECK names the violated law; BYW_ENOMEM. */
enum byw_status byw_oracle_json(const struct byw_config *config,
                                const struct byw_recorder *recorders, bool advised, json_t **json,
                                struct byw_diag *diag);

#endif
