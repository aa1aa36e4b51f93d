/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_races.h - hazards in scratchpad and global memory: two warps of a CTA access a byte between
 * the same two barriers, and at least one of them writes it.
 */
#ifndef BYW_RACES_H
#define BYW_RACES_H

#include <stdio.h>

#include "common/byw_status.h"

/* Reads a trace and prints one line for each pair of accesses that race. Atomic and volatile
 * accesses may order others: kernels with such accesses to scratchpad are not judged for it, and
 * bytes of global memory with such an access not at all. Writes of one line to one byte of global
 * memory are taken to write the same value. CTAs whose warps do not reach the same barriers are not
 * judged. *races: the lines printed; *unjudged: launches that were not, or not completely, judged.
 */
enum byw_status byw_races_print(const char *path, FILE *out, unsigned *races, unsigned *unjudged,
                                struct byw_diag *diag);

#endif
