/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_locality.h - the locality filter of the decoupled L1D (paper 000, section 4;
 * mechanisms/locality.md 1.3).
 *
 * A load whose line is not committed is filtered.  The first load installs a tag and bypasses,
 * later ones increment RC, and the one that reaches the threshold gets a data line.  The tag victim
 * is the least frequently used tag.  Whenever a line is allocated or evicted, the other tags of the
 * set age.
 *
 * All calls are pure functions of a set record.  The paper leaves one case open: if every tag way
 * is committed (possible only with as many tag ways as data ways), the filter could never replace a
 * line.  LFU then takes a committed tag that is not pending.  If there is none, the load bypasses
 * and installs no tag.
 */
#ifndef BYW_LOCALITY_H
#define BYW_LOCALITY_H

#include "record/byw_decision.h"

struct byw_locality {
    struct byw_geometry geo;
    const struct byw_repl_ops *repl;
    uint8_t threshold; /* 0..63 */
    uint8_t rc_max; /* RC saturates here */
    uint8_t rc_init; /* RC of a new tag */
    bool compare_gt; /* cached when RC > threshold instead of >= */
    bool lfu_all; /* LFU may take committed tags (mechanisms/locality.md 1.6, C1) */
    bool rc_on_hit; /* hits on committed tags increment RC (mechanisms/locality.md 1.6, C3) */
    bool age_on_alloc; /* allocation ages the set */
    bool age_on_evict; /* the eviction of a line, by a store or an allocation, ages the set */
    bool age_merge; /* an allocation that evicts ages the set once, whichever of the two applies
                     * (mechanisms/locality.md 1.6, C4) */
    bool store_rc; /* stores count as references of candidates (mechanisms/locality.md 1.6, C6) */
    bool bypass_on_rsfail; /* a refused commit becomes a bypass (mechanisms/locality.md 1.6, C7) */
};

/* The data way that an allocation would get: a free one, else the victim; BYW_NONE if all are
 * pending.  *victim: it is the victim. */
int byw_locality_line(const struct byw_locality *loc, const struct byw_set *set,
                      const struct byw_repl_at *at, bool *victim);

/* The tag way for a new candidate; BYW_NONE if there is none. */
int byw_locality_lfu(const struct byw_locality *loc, const struct byw_set *set);

/* Decides a load whose line is not committed. tag: the candidate's way or BYW_NONE. at_once: commit
 * regardless of RC (a hint). */
void byw_locality_decide(const struct byw_locality *loc, const struct byw_set *set,
                         const struct byw_repl_at *at, int tag, bool at_once,
                         const struct byw_resources *res, struct byw_decision *d);

/* byw_locality_decide() with the filter off (threshold 0): a miss installs and commits in one step,
 * and there are at most as many valid tags as data ways (mechanisms/sm_duel.md 1.5). */
void byw_locality_decide_off(const struct byw_locality *loc, const struct byw_set *set,
                             const struct byw_repl_at *at, const struct byw_resources *res,
                             struct byw_decision *d);

/* age(set, {excl0, excl1}): decrements the RC of every other valid tag, down to 0. */
void byw_locality_age(const struct byw_locality *loc, struct byw_set *set, int excl0, int excl1);

#endif
