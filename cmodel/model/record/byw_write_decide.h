/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_write_decide.h - what stores and atomics do to a set record (mechanisms/cache.md 0.3).
 *
 * Global stores are written through and never allocate.  A filled line that a store hits is evicted
 * or updated (l1d.store_hit).  A pending line is given up: the tag loses its line at once, and the
 * MSHR is marked so that the fill serves the loads merged before the store and is then dropped.  A
 * later load starts a new fetch, ordered behind the store.  Local stores are written back if their
 * line is filled, else written through.  Atomics drop the copy in the L1, take the bypass path and
 * train nothing.
 *
 * `stale` (l1d.stale_fills) is the error of Accel-Sim's caches: a store leaves a pending line as it
 * is, whose fill then installs the bytes from before the store.
 */
#ifndef BYW_WRITE_DECIDE_H
#define BYW_WRITE_DECIDE_H

#include "record/byw_decision.h"

/* Settings for stores, local stores and atomics. update: l1d.store_hit; off: the filter is
 * inactive; age, store_rc, rc_max: from the locality filter; stale: l1d.stale_fills. */
struct byw_write_rules {
    bool update;
    bool off;
    bool age;
    bool store_rc;
    bool stale;
    uint8_t rc_max;
};

void byw_write_decide(const struct byw_write_rules *rules, const struct byw_set *set, int tag,
                      uint8_t op, const struct byw_resources *res, struct byw_decision *d);

/* The tag gives up its data line (store, atomic, evicting bypass).  Also used by the policy. */
void byw_write_release(const struct byw_set *set, int tag, bool off, bool age,
                       struct byw_decision *d);

#endif
