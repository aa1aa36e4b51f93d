/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_write_decide.h - what stores and atomics do to a set record (MECHANISMS 0.3).
 *
 * Global stores are written through and never allocate.  A filled line they hit is evicted or
 * updated (l1d.store_hit); a pending one is given up: the tag loses its line at once and the MSHR
 * is marked, so that the fill serves the loads merged before the store and is then dropped, while a
 * later load starts a fetch of its own behind the store.  Local stores are written back if their
 * line is filled, else through.  Atomics drop the present copy, take the bypass path and train
 * nothing.
 */
#ifndef BYW_WRITE_DECIDE_H
#define BYW_WRITE_DECIDE_H

#include "record/byw_decision.h"

/* Decides a store, local store or atomic.  update: l1d.store_hit; off: filter not at work;
 * age, store_rc, rc_max: of the locality filter. */
struct byw_write_rules {
    bool update;
    bool off;
    bool age;
    bool store_rc;
    uint8_t rc_max;
};

void byw_write_decide(const struct byw_write_rules *rules, const struct byw_set *set, int tag,
                      uint8_t op, const struct byw_resources *res, struct byw_decision *d);

/* The tag gives its line back (store, atomic, evicting bypass); shared with the policy. */
void byw_write_release(const struct byw_set *set, int tag, bool off, bool age,
                       struct byw_decision *d);

#endif
