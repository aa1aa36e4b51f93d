/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_rescue.h - the rescue rules of configs/byw_rescues.def: whether a load that the L1D would
 * refuse bypasses instead.
 *
 * Each rule is a pure function of the register field that turns it on and of the load.  A load that
 * one of them rescues takes the bypass path in the same cycle.  It does not change the set, and
 * without a free bypass slot and tracker it is refused for that reason (mechanisms/cache.md 0.1,
 * R2).  Stores and atomics still wait, as do loads that were already refused the bypass path.
 *
 * A rule must treat BYW_RSFAIL_MSHR and BYW_RSFAIL_MISS_QUEUE alike: the RTL asks before it knows
 * which of the two is missing (rtl/doc/policy.md).
 */
#ifndef BYW_RESCUE_H
#define BYW_RESCUE_H

#include "common/byw_config.h"
#include "record/byw_decision.h"
#include "record/byw_request.h"

/* What the rules see of a refused load. */
struct byw_refused {
    uint8_t op; /* BYW_OP_LOAD or BYW_OP_LOCAL_LOAD */
    uint8_t hint; /* BYW_HINT_*, as it came with the load */
    uint8_t reason; /* enum byw_rsfail */
};

/* The rules; when: the value of their key. */
#define RESCUE(unit, field, width, mech, key, choices, on, paper, sentence, meaning)               \
    bool byw_##unit(uint32_t when, const struct byw_refused *load);
#include "configs/byw_rescues.def"
#undef RESCUE

/* The values of all their keys. */
struct byw_rescues {
#define RESCUE(unit, field, width, mech, key, choices, on, paper, sentence, meaning) uint8_t unit;
#include "configs/byw_rescues.def"
#undef RESCUE
};

struct byw_rescues byw_rescues_of(const struct byw_config *config);

/* Whether any of them is on. */
bool byw_rescues_on(const struct byw_rescues *rescues);

/* C twin of rtl/policy/byw_rescue.v. */
bool byw_rescue(const struct byw_rescues *rescues, const struct byw_refused *load);

#endif
