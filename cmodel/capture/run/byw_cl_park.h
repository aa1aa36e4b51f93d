/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_park.h - parts of traces that wait on disk until the work-groups before theirs have been
 * written.  Resident groups run in turns, but a trace has them one after another, and all their
 * traces together may exceed memory.
 */
#ifndef BYW_CL_PARK_H
#define BYW_CL_PARK_H

#include <stdbool.h>

#include "capture/run/byw_cl_spool.h"
#include "common/byw_status.h"
#include "trace/byw_inst.h"

struct byw_cl_park; /* an unnamed file below $TMPDIR or /tmp */

struct byw_cl_park *byw_cl_park_create(void); /* NULL if out of memory; the file comes later */
void byw_cl_park_free(struct byw_cl_park *park); /* NULL is allowed */

/* The parts of one group, in order; empty: NULL. */
struct byw_cl_parked;
void byw_cl_parked_free(struct byw_cl_parked *list);

/* Moves the records of a part to disk and clears it. */
enum byw_status byw_cl_park_put(struct byw_cl_park *park, struct byw_cl_parked **list,
                                struct byw_cta *cta, const struct byw_cl_spool_part *part,
                                struct byw_diag *diag);

/* Takes the first part of a list into *cta, which is empty; BYW_END: there is none. */
enum byw_status byw_cl_park_take(struct byw_cl_park *park, struct byw_cl_parked **list,
                                 struct byw_cta *cta, struct byw_cl_spool_part *part,
                                 struct byw_diag *diag);

#endif
