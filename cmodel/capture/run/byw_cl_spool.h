/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_spool.h - writes the CTAs of a launch on a second thread while the next ones run.
 *
 * CTAs reach the writer in the order in which they are put, so a trace has the same bytes with and
 * without the thread. Only a launch with enough to write (128 CTAs, or 1 MB) starts the thread,
 * which ends with the launch, because a program may fork between launches. At most 16 MB of CTAs
 * wait, or one larger one.
 */
#ifndef BYW_CL_SPOOL_H
#define BYW_CL_SPOOL_H

#include <stdbool.h>

#include "common/byw_status.h"
#include "trace/bwt/byw_trace_writer.h"

struct byw_cl_spool;

struct byw_cl_spool *byw_cl_spool_create(void); /* NULL if out of memory */
void byw_cl_spool_free(struct byw_cl_spool *spool); /* NULL is allowed; call between launches */

/* Begins a launch whose kernel has been written; until the launch ends, the spool owns the
 * writer. */
void byw_cl_spool_begin(struct byw_cl_spool *spool, struct byw_trace_writer *writer);

/* For a CTA delivered in parts: see byw_trace_cta_part(). */
struct byw_cl_spool_part {
    uint32_t first_warp, warps;
    bool last;
};

/* Takes the content of *cta, a CTA or a part of one (NULL: a whole one), and leaves it empty. An
 * error may be that of an earlier CTA; _end says which. */
enum byw_status byw_cl_spool_put(struct byw_cl_spool *spool, struct byw_cta *cta,
                                 const struct byw_cl_spool_part *part);

/* Returns when all is written. */
enum byw_status byw_cl_spool_end(struct byw_cl_spool *spool, struct byw_diag *diag);

#endif
