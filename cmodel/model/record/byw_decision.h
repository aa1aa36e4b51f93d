/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_decision.h - the decision on one request: its outcome and the change to the set record.
 *
 * A decision is a value.  Deciding only reads the record; byw_policy_apply() writes it in the cycle
 * in which the decision is accepted.  A reservation fail (BYW_RSFAIL) has the action BYW_SET_KEEP,
 * so it cannot change any policy state (mechanisms/cache.md 0.1, R1).
 */
#ifndef BYW_DECISION_H
#define BYW_DECISION_H

#include <stdbool.h>
#include <stdint.h>

#include "record/byw_repl.h"
#include "record/byw_request.h"
#include "record/byw_set.h"

/* Resources available in this cycle. */
struct byw_resources {
    bool miss_slot; /* a free slot in the ordered queue for a miss or store */
    bool bypass_slot; /* a free bypass slot and a free tracker */
    bool mshr; /* a free MSHR */
    bool merge; /* room to merge into the MSHR of the pending line; meaningless if no line is
                 * pending */
};

enum byw_set_action {
    BYW_SET_KEEP, /* record unchanged */
    BYW_SET_TOUCH, /* hit on a committed tag */
    BYW_SET_COUNT, /* set a candidate's RC to `rc` */
    BYW_SET_INSTALL, /* make tag way `tag` a candidate for the line */
    BYW_SET_COMMIT, /* give data way `way` to tag way `tag` */
    BYW_SET_RELEASE, /* tag way `tag` gives up its data line */
};

/* Why a load bypasses although neither its hint nor the filter requests it. */
enum byw_bypass_cause {
    BYW_CAUSE_NONE,
    BYW_CAUSE_MODE, /* the two-level policy is in bypass mode */
    BYW_CAUSE_DEAD, /* PC predictor: no reuse expected */
    BYW_CAUSE_STALL, /* stall bypass, fixed or set by trials: the load would have been refused */
    BYW_CAUSE_MECH, /* a mechanism without hardware: the load would have been refused */
};

enum byw_filter_note { BYW_NOTE_NONE, BYW_NOTE_NEW_TAG, BYW_NOTE_CANDIDATE, BYW_NOTE_COMMIT };

struct byw_decision {
    uint8_t outcome; /* enum byw_outcome */
    uint8_t reason; /* enum byw_rsfail, if refused */
    uint8_t action; /* enum byw_set_action */
    uint8_t note; /* enum byw_filter_note */
    uint8_t cause; /* enum byw_bypass_cause, for BYW_BYPASS */
    uint8_t rc; /* COUNT, INSTALL, COMMIT: the tag's new RC */
    uint8_t ages; /* times the set is aged, `tag` and `old_tag` excluded */
    bool writes_key; /* COMMIT: first write the line's key to the tag way */
    bool keep_tag; /* a tag that loses its line stays as a candidate */
    bool last; /* COMMIT: insert the line as the next victim */
    bool off; /* filter off: candidates count as invalid */
    bool orphan; /* mark the MSHR of the line (sector) invalidate-on-fill */
    bool stale; /* a store left the pending line as it is (l1d.stale_fills) */
    int16_t tag; /* tag way; BYW_NONE if no tag takes part */
    int16_t old_tag; /* COMMIT: tag way whose line is evicted; BYW_NONE if a free data way is
                      * used */
    int16_t way; /* TOUCH, COMMIT, RELEASE: data way */
    int16_t leaves; /* data way whose filled line is evicted, or BYW_NONE */
};

/* No tag takes part and the record is unchanged. */
static const struct byw_decision byw_decision_none = {
    .tag = BYW_NONE, .old_tag = BYW_NONE, .way = BYW_NONE, .leaves = BYW_NONE};

static inline void byw_decision_refuse(struct byw_decision *d, enum byw_rsfail reason)
{
    d->outcome = BYW_RSFAIL;
    d->reason = (uint8_t)reason;
    d->action = BYW_SET_KEEP;
    d->note = BYW_NOTE_NONE;
    d->cause = BYW_CAUSE_NONE;
    d->orphan = d->stale = false;
    d->leaves = BYW_NONE;
}

/* Sends the load down the bypass path because of `cause`; the set is unchanged. */
static inline void byw_decision_divert(const struct byw_resources *res, enum byw_bypass_cause cause,
                                       struct byw_decision *d)
{
    *d = byw_decision_none;
    if (!res->bypass_slot) {
        byw_decision_refuse(d, BYW_RSFAIL_ICNT);
        return;
    }
    d->outcome = BYW_BYPASS;
    d->cause = (uint8_t)cause;
}

#endif
