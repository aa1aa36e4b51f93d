/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_advise_carried.h - whether a patched program (byw_advise_patch.h), captured again, carries
 * its hints: a program may build its kernels from something other than their source.
 */
#ifndef BYW_ADVISE_CARRIED_H
#define BYW_ADVISE_CARRIED_H

#include <jansson.h>

#include "common/byw_status.h"

/* Adds to each patched place of the report the member "carried": the kernel's code in the trace
 * has a load with that hint on that line. BYW_ECHECK with the reason: a kernel has no such
 * place. */
enum byw_status byw_advise_carried(json_t *report, const char *trace, struct byw_diag *diag);

#endif
