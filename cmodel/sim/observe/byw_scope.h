/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_scope.h - one set of an L1D over a window of cycles, as a page that can be stepped forward
 * and back: tags with RC and Position, lines, each decision and its rule.
 *
 * A frame is a cycle in which something happened to the set: an access was decided or refused (a
 * refusal repeated over several cycles is one frame), a line's bytes arrived, or the record
 * changed.
 */
#ifndef BYW_SCOPE_H
#define BYW_SCOPE_H

#include "l1d/byw_l1d.h"
#include "top/byw_recorder.h"

struct byw_scope;

/* The subject of the page.  The texts must stay valid until the scope is closed; NULL: unknown. */
struct byw_scope_of {
    uint32_t sm, set;
    const char *pages,
        *commit; /* web address of the rules' pages, and their commit; NULL: unknown */
    const char *workload, *machine, *policy;
    const char *command; /* the command that makes the page */
};

enum byw_status byw_scope_open(const char *path, const struct byw_scope_of *of,
                               struct byw_scope **scope, struct byw_diag *diag);
/* Samples cycle `now`, just evaluated; l1d and recorder are in their state after the edge. l1d =
 * NULL: the L1 does not expose its records, and the page cannot be created. */
void byw_scope_sample(struct byw_scope *scope, uint64_t now, const struct byw_l1d_out *out,
                      const struct byw_l1d *l1d, const struct byw_recorder *recorder,
                      bool filter_on);
/* Writes the page and frees the scope. */
enum byw_status byw_scope_close(struct byw_scope *scope, struct byw_diag *diag);
void byw_scope_free(struct byw_scope *scope);

#endif
