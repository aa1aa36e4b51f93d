/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_guesses.h - what a predictor's bypasses are worth (paper 002; MECHANISMS 5.1): of the loads
 * that asked it, how many bypass on its word (coverage), and how many of those bypasses were wrong
 * (false positives), by the tags of l1d/byw_shadow.h.
 *
 * Accounting of the model only: no hardware, no part of a mechanism's storage.
 */
#ifndef BYW_GUESSES_H
#define BYW_GUESSES_H

#include "l1d/byw_shadow.h"
#include "policy/byw_mech_ops.h"

enum { BYW_GUESS_ASKED, BYW_GUESS_BYPASSES, BYW_GUESS_FALSE_POSITIVES, BYW_GUESS_COUNTS };

/* The first counters of a predictor, in that order. */
#define BYW_GUESS_COUNTERS(name)                                                                   \
    {"policy_stats." name ".asked", "events",                                                      \
     "an accepted load has no line, so that its fate is "                                          \
     "predicted"},                                                                                 \
        {"policy_stats." name ".bypasses", "events", "such a load bypasses on the prediction"},    \
    {                                                                                              \
        "policy_stats." name ".false_positives", "events",                                         \
            "a load would have found its line in the cache if its last load had not bypassed on "  \
            "a prediction; once per bypass"                                                        \
    }

struct byw_guesses {
    struct byw_shadow shadow;
};

/* Whether the access is a load whose fate is predicted. */
static inline bool byw_guess_asks(const struct byw_mech_access *access)
{
    return (access->op == BYW_OP_LOAD || access->op == BYW_OP_LOCAL_LOAD) && !access->present &&
           !access->candidate;
}

/* An access is accepted; passes: a load that bypasses on the prediction.  count: of the mechanism,
 * these first. */
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
