/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_install.h - how a fill installs its line: the second half of an allocate-on-fill miss (paper
 * 001, table 1; mechanisms/two_level.md 3.5).
 *
 * The miss itself reserves no line.  When the sector arrives and its line is present, the sector is
 * added to the line.  Otherwise the line is installed with this sector only, in the lowest free way
 * or in place of the replacement policy's victim.  No line is ever pending, so there is always a
 * victim and an install cannot be refused.
 *
 * Tag way i owns data way i.  Adding a sector to a line touches the line.  With the streaming hint
 * a line is inserted as the next victim, and its further sectors do not touch it.
 */
#ifndef BYW_INSTALL_H
#define BYW_INSTALL_H

#include "record/byw_repl.h"

struct byw_install {
    bool present; /* the line is present: the sector is added to it */
    bool leaves; /* the line in `way` is evicted */
    uint8_t way; /* tag and data way */
};

/* tag: the way in which byw_set_match() found the fill's line, or BYW_NONE. */
struct byw_install byw_install_decide(const struct byw_repl_ops *repl, const struct byw_set *set,
                                      const struct byw_repl_at *at, int tag);

/* Writes the record. sector: the sector's valid bit; last: the streaming hint. */
void byw_install_apply(const struct byw_repl_ops *repl, struct byw_set *set,
                       const struct byw_repl_at *at, uint64_t key, uint8_t sector, bool last,
                       const struct byw_install *install);

#endif
