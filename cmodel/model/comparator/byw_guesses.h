/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_guesses.h - measures the quality of a predictor's bypasses (paper 002;
 * mechanisms/pc_pred.md 5.1): how many of the loads that asked it bypass on its prediction
 * (coverage), and how many of these bypasses were wrong (false positives), by the tags of
 * l1d/byw_shadow.h.
 *
 * Accounting in the model only: no hardware, not part of a mechanism's storage.
 */
#ifndef BYW_GUESSES_H
#define BYW_GUESSES_H

#include "l1d/byw_shadow.h"
#include "policy/byw_mech_ops.h"

enum { BYW_GUESS_ASKED, BYW_GUESS_BYPASSES, BYW_GUESS_FALSE_POSITIVES, BYW_GUESS_COUNTS };

/* Every predictor's list of counters begins with these, in this order. */
#define BYW_GUESS_COUNTERS(name)                                                                   \
    {"policy_stats." name ".asked", "events",                                                      \
     "an accepted load has no line, so its reuse is "                                              \
     "predicted"},                                                                                 \
        {"policy_stats." name ".bypasses", "events",                                               \
         "such a load bypasses because of the prediction"},                                        \
    {                                                                                              \
        "policy_stats." name ".false_positives", "events",                                         \
            "a load would have hit if the previous load of its line had not bypassed because of "  \
            "a prediction; once per bypass"                                                        \
    }

struct byw_guesses {
    struct byw_shadow shadow;
};

/* Whether the access is a load whose reuse is predicted. */
static inline bool byw_guess_asks(const struct byw_mech_access *access)
{
    return (access->op == BYW_OP_LOAD || access->op == BYW_OP_LOCAL_LOAD) && !access->present &&
           !access->candidate;
}

/* Call when an access is accepted. passes: the load bypasses on the prediction. count: the
 * mechanism's counters, of which the first are those of BYW_GUESS_COUNTERS. */
static inline void byw_guesses_accepted(struct byw_guesses *guesses,
                                        const struct byw_mech_access *access, bool passes,
                                        uint64_t *count)
{
    count[BYW_GUESS_ASKED] += byw_guess_asks(access);
    count[BYW_GUESS_BYPASSES] += passes;
    count[BYW_GUESS_FALSE_POSITIVES] += byw_shadow_access(
        &guesses->shadow, access->line, access->sector, access->op, access->pc, passes);
}

#endif
