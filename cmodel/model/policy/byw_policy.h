/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_policy.h - the one decision point: hit, pending hit, miss, bypass, or reservation fail with a
 * reason.
 *
 * byw_policy_decide() computes the decision from a set record, the request, the mode, the hint and
 * the free resources.  byw_policy_apply() writes the record when the decision is accepted.  Both
 * are pure, so each decision can be proved equal to its RTL.
 *
 * Modes: base caches every load. bypass_all searches no tags and sends every load past the cache.
 * decoupled uses the locality filter (byw_locality.h) while filter_on, otherwise it works like base
 * with its own tags.  A threshold of 0 means that the filter is off.  Hints (not in bypass_all):
 * .cg takes the bypass path by the rule bypass_on_hit, volatile always drops a present copy and
 * bypasses, .cs inserts the line as the next victim, .ca commits at once (byw_hint.h).  Hinted
 * bypasses install no tag and count no reference.
 *
 * byw_policy_choose() does the same with the advice of the other mechanisms, in this order.  Each
 * combines with each mode except bypass_all:
 *
 *   1. bypass mode (two-level)   a load bypasses, whatever its hint; a present line stays
 *   2. predicted hot (hybrid)    a load without a hint is treated as .ca
 *   3. predicted dead (PC)       a load whose line has no tag bypasses and installs none; a
 *                                candidate's RC takes precedence over the prediction
 *   4. rescue rules              a load that would be refused bypasses (byw_rescue.h)
 */
#ifndef BYW_POLICY_H
#define BYW_POLICY_H

#include "common/byw_config.h"
#include "policy/byw_locality.h"
#include "policy/byw_rescue.h"
#include "record/byw_write_decide.h"

struct byw_policy {
    struct byw_locality loc;
    uint32_t mode; /* BYW_MODE_* */
    uint32_t bypass_on_hit; /* BYW_BYP_* */
    uint32_t store_hit; /* BYW_STORE_* */
    bool stale_fills; /* l1d.stale_fills */
    struct byw_rescues rescues;
    bool tag_lru; /* tag ages are kept (decoupled) */
    bool on_fill; /* l1d.allocate = on_fill: byw_sectored.h decides instead */
};

/* The mechanisms' advice on a load. */
struct byw_advice {
    bool bypass; /* two-level: the load was accepted in bypass mode */
    bool hot; /* PC predictor: allocate a line at once */
    bool dead; /* PC predictor: the line will not be reused */
};

/* Takes the policy and the set geometry from a configuration.  BYW_EINVAL, with a message: broken
 * rule (byw_policy_rules.h).  BYW_EUNSUPPORTED: the L1D does not support the
 * combination. */
enum byw_status byw_policy_init(struct byw_policy *policy, const struct byw_config *config,
                                struct byw_diag *diag);

/* Whether the request is decided without reading the tags. */
static inline bool byw_policy_blind(const struct byw_policy *policy)
{
    return policy->mode == BYW_MODE_BYPASS_ALL;
}

/* Whether the locality filter is inactive in this cycle. */
static inline bool byw_policy_off(const struct byw_policy *policy, bool filter_on)
{
    return policy->mode != BYW_MODE_DECOUPLED || !filter_on || policy->loc.threshold == 0;
}

/* tag: the way found by byw_set_match(), or BYW_NONE. op: load, store, local or atomic. */
void byw_policy_decide(const struct byw_policy *policy, const struct byw_set *set,
                       const struct byw_repl_at *at, int tag, uint8_t op, uint8_t hint,
                       bool filter_on, const struct byw_resources *res, struct byw_decision *d);

/* byw_policy_decide() with advice for loads.  In bypass mode `tag` may be BYW_NONE although the
 * line is present: the record need not have been read (rtl/doc/l1d_pipeline.md). */
void byw_policy_choose(const struct byw_policy *policy, const struct byw_set *set,
                       const struct byw_repl_at *at, int tag, uint8_t op, uint8_t hint,
                       bool filter_on, const struct byw_advice *advice,
                       const struct byw_resources *res, struct byw_decision *d);

/* Whether a load with this result of the tag search asks the PC predictor. */
bool byw_policy_asks(const struct byw_policy *policy, const struct byw_set *set, int tag,
                     uint8_t hint);

/* Writes the record; key: that of the request's line.  Returns true if the record changed. */
bool byw_policy_apply(const struct byw_policy *policy, struct byw_set *set,
                      const struct byw_repl_at *at, uint64_t key, const struct byw_decision *d);

#endif
