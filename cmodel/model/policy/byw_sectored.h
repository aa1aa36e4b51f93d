/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_sectored.h - the decision point of the allocate-on-fill organization, with lines of one or
 * more sectors (paper 001, table 1; mechanisms/two_level.md 3.5).
 *
 * It replaces byw_policy_choose() if byw_policy.on_fill.  A request accesses one sector, which is
 *
 *   valid      HIT; touches the line
 *   pending    HIT_PENDING: an MSHR fetches the sector; merges, or is refused when the list is full
 *   neither    MISS: needs a miss slot and an MSHR; reserves no line and writes no record, so
 *              it is never refused because of a line
 *
 * All stores are written through, local stores too, because a fill could not evict a dirty line.  A
 * store to a valid sector evicts or updates the line (l1d.store_hit; a local store always updates).
 * A store to a pending sector detaches its MSHR, whose fill would bring the old bytes.  Atomics,
 * volatile loads and evicting bypasses drop the line if their sector is valid, and detach a pending
 * one.  Fetches of other sectors continue, because their bytes are current.
 *
 * Modes base and bypass_all; hints as in byw_hint.h, where .cs takes effect when the sector is
 * installed; advice and its order as in byw_policy.h.  A load asks the PC predictor if its sector
 * is neither valid nor pending.
 */
#ifndef BYW_SECTORED_H
#define BYW_SECTORED_H

#include "policy/byw_policy.h"

/* The one sector that a request accesses. */
struct byw_sector {
    uint8_t bit; /* the sector's valid bit */
    bool pending; /* an attached MSHR fetches it; then it is not valid */
};

/* Whether the sector is valid in the line of tag way `tag`. */
static inline bool byw_sector_valid(const struct byw_set *set, int tag, uint8_t bit)
{
    return tag != BYW_NONE && (set->tag[tag].sectors & bit) != 0;
}

/* Whether a load asks the PC predictor. */
bool byw_sectored_asks(const struct byw_policy *policy, const struct byw_set *set, int tag,
                       const struct byw_sector *sector, uint8_t hint);

/* tag: the way found by byw_set_match(), or BYW_NONE.  In bypass mode and in mode bypass_all the
 * tags need not be read: tag may be BYW_NONE and pending false.  byw_policy_apply() writes the
 * record. */
void byw_sectored_choose(const struct byw_policy *policy, const struct byw_set *set, int tag,
                         const struct byw_sector *sector, uint8_t op, uint8_t hint,
                         const struct byw_advice *advice, const struct byw_resources *res,
                         struct byw_decision *d);

#endif
