/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_policy_events.h - the events of byw_policy_events.def as bit numbers.
 */
#ifndef BYW_POLICY_EVENTS_H
#define BYW_POLICY_EVENTS_H

#include <stdint.h>

enum byw_policy_event {
#define X(code, name, when) code,
#include "policy/byw_policy_events.def"
#undef X
    BYW_PEV_COUNT
};

static inline uint32_t byw_pev(enum byw_policy_event event)
{
    return UINT32_C(1) << event;
}

#endif
