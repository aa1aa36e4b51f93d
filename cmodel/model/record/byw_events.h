/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_events.h - the events of byw_events.def as bit numbers.
 */
#ifndef BYW_EVENTS_H
#define BYW_EVENTS_H

enum byw_event {
#define X(code, name, when) code,
#include "record/byw_events.def"
#undef X
    BYW_EV_COUNT
};

#endif
