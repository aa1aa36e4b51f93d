/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_sectored.h - the decision point of the allocate-on-fill organisation, with lines of one or
 * more sectors (paper 001, table 1; MECHANISMS 3.5).
 *
 * It stands in for byw_policy_choose() when byw_policy.on_fill.  A request lies in one sector,
 * which it finds
 *
 *   valid      HIT; touches the line
 *   pending    HIT_PENDING: an MSHR fetches the sector; merges, or is refused when the list is full
 *   neither    MISS: needs a miss slot and an MSHR; reserves no line and writes no record, so that
 *              it is never refused for want of a line
 *
 * Stores, local ones too, are written through: a dirty line could not leave when a fill comes.  A
 * store to a valid sector evicts the line or updates it (l1d.store_hit; a local store always
 * updates), one to a pending sector detaches its MSHR, whose fill would bring the old bytes.
 * Atomics, volatile loads and bypasses that evict take the line away if their sector is valid, and
 * detach likewise.  Other sectors' fetches go on: their bytes are good.
 *
 * Modes base and bypass_all; hints as in byw_hint.h, .cs works when the sector is installed; the
 * advice and its order as in byw_policy.h.  A load asks the PC predictor when its sector is neither
 * valid nor pending.
 */
#ifndef BYW_SECTORED_H
#define BYW_SECTORED_H

#include "policy/byw_policy.h"

/* The one sector that a request touches. */
struct byw_sector {
    uint8_t bit; /* its valid bit */
    bool pending; /* an attached MSHR fetches it; then it is not valid */
};

/* Whether the sector is in the line of tag way `tag`. */
static inline bool byw_sector_valid(const struct byw_set *set, int tag, uint8_t bit)
{
    return tag != BYW_NONE && (set->tag[tag].sectors & bit) != 0;
}

/* Whether a load asks the PC predictor. */
bool byw_sectored_asks(const struct byw_policy *policy, const struct byw_set *set, int tag,
                       const struct byw_sector *sector, uint8_t hint);

/* tag: the way that byw_set_match() found, or BYW_NONE; in bypass mode and in mode bypass_all it
 * may be BYW_NONE, and pending false, unseen.  byw_policy_apply() writes the record. */
void byw_sectored_choose(const struct byw_policy *policy, const struct byw_set *set, int tag,
                         const struct byw_sector *sector, uint8_t op, uint8_t hint,
                         const struct byw_advice *advice, const struct byw_resources *res,
                         struct byw_decision *d);

#endif
