/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_hint.h - software hints: what the hint of a load requests from the L1, and the sources of
 * hints (paper 003, mechanisms/hints.md 6.1; PTX cache operators).
 *
 *   hint        at the L1                                       RDNA2 (volatile/nontemporal)  PTX
 *   none        the policy decides                              F/F                           -
 *   .cg bypass  bypass path; bypass_on_hit if the line is present  -                          .cg
 *   .cs stream  as none, but inserted as the next victim        F/T at the streaming level    .cs
 *   .ca cache   the L1 path; the locality filter commits it     -                             .ca
 *   volatile    miss-evict: drop a present copy, then bypass    T/F, T/T (volatile wins)      .cv
 *
 * RDNA2's nontemporal load (SLC) streams in the L2 only: its L0 and L1 treat it like any other
 * load.
 */
#ifndef BYW_HINT_H
#define BYW_HINT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/byw_config.h"
#include "record/byw_request.h"

struct byw_hint_rules {
    bool bypass; /* take the bypass path, unless the line is present and on_hit serves it */
    bool at_once; /* commit at the first reference */
    bool last; /* insert as the next victim */
    uint32_t on_hit; /* BYW_BYP_*, with bypass */
};

/* on_hit: the configured policy.bypass_on_hit. */
static inline struct byw_hint_rules byw_hint_rules(uint8_t hint, uint32_t on_hit)
{
    struct byw_hint_rules rules = {
        .bypass = hint == BYW_HINT_BYPASS || hint == BYW_HINT_VOLATILE,
        .at_once = hint == BYW_HINT_CACHE,
        .last = hint == BYW_HINT_STREAM,
        .on_hit = hint == BYW_HINT_VOLATILE ? (uint32_t)BYW_BYP_EVICT : on_hit,
    };

    return rules;
}

/* The levels of RDNA2's hierarchy that a load instruction's bits address. */
enum byw_hint_level { BYW_LEVEL_L0, BYW_LEVEL_L1, BYW_LEVEL_L2 };

/* The hint for one level of a load with these LLVM flags. */
static inline enum byw_hint byw_hint_rdna2(bool is_volatile, bool nontemporal,
                                           enum byw_hint_level level)
{
    if (is_volatile)
        return level == BYW_LEVEL_L2 ? BYW_HINT_NONE : BYW_HINT_VOLATILE;
    return nontemporal && level == BYW_LEVEL_L2 ? BYW_HINT_STREAM : BYW_HINT_NONE;
}

#endif
