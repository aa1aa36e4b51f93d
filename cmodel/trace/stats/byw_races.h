/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_races.h - hazards in scratchpad: two warps of a CTA access a byte between the same two
 * barriers, and at least one of them writes it.
 */
#ifndef BYW_RACES_H
#define BYW_RACES_H

#include <stdio.h>

#include "common/byw_status.h"

/* Reads a trace and prints one line for each pair of accesses that race. Kernels with atomic or
 * volatile accesses to scratchpad, and CTAs whose warps do not reach the same barriers, are not
 * judged, because such accesses may order others. *races: the lines printed; *unjudged: launches
 * that were not judged. */
enum byw_status byw_races_print(const char *path, FILE *out, unsigned *races, unsigned *unjudged,
                                struct byw_diag *diag);

#endif
