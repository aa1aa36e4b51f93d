/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_slow_ways.h - the ways of byw_slow_ways.def, numbered from 1; 0: the short code is exact, so
 * that no function is called.
 */
#ifndef BYW_SLOW_WAYS_H
#define BYW_SLOW_WAYS_H

enum byw_slow_way {
    BYW_SLOW_NONE,
#define X(name, branches, taken, other, other_taken) BYW_SLOW_##name,
#include "byw_slow_ways.def"
#undef X
    BYW_SLOW_WAYS
};

#endif
