/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace_machine.h - turns a CTA's PTX records and walks into machine instructions.
 *
 * The lanes of a warp start together. Where they diverge, the lanes that do not take the branch
 * continue and the others wait for their turn. They reconverge at convergence barriers (BSSY,
 * BSYNC), at barriers of the CTA, and where the lanes of the warp meet.  A memory instruction takes
 * each lane's next access of its PTX instruction.
 */
#ifndef BYW_TRACE_MACHINE_H
#define BYW_TRACE_MACHINE_H

#include "common/byw_status.h"
#include "trace/byw_inst.h"
#include "trace/byw_machine.h"

struct byw_machine_reader;

/* For CTAs of a launch that has machine code; NULL: out of memory. The kernel must outlive it. */
struct byw_machine_reader *byw_machine_reader_create(const struct byw_kernel *kernel);
void byw_machine_reader_free(struct byw_machine_reader *r);

/* Whether each warp of the CTA has walks. */
bool byw_machine_has_paths(const struct byw_cta *cta);

/* Writes the CTA's machine instructions to the cleared `out`.  BYW_EFORMAT: a walk does not fit the
 * code; diag has the fault only. BYW_EUNSUPPORTED: the CTA would be too long. */
enum byw_status byw_machine_expand(struct byw_machine_reader *r, const struct byw_cta *ptx,
                                   struct byw_cta *out, struct byw_diag *diag);

#endif
