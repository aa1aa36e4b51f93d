/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_install.h - a fill takes its line: the second half of an allocate-on-fill miss (paper 001,
 * table 1; MECHANISMS 3.5).
 *
 * The miss itself reserves nothing.  When its sector arrives, either the line is there already,
 * then the sector joins it; or the line is installed with this sector only, in the lowest free way,
 * else in place of the victim of the replacement policy.  There is always a victim, since no line
 * is ever pending: an install cannot be refused.
 *
 * Tag way i owns data way i.  A sector that joins a line touches it; the streaming hint inserts a
 * line as the next to go, and its further sectors do not touch it.
 */
#ifndef BYW_INSTALL_H
#define BYW_INSTALL_H

#include "record/byw_repl.h"

struct byw_install {
    bool present; /* the line is there: the sector joins it */
    bool leaves; /* the line in `way` gives way */
    uint8_t way; /* tag and data way */
};

/* tag: the way that byw_set_match() found for the fill's line, or BYW_NONE. */
struct byw_install byw_install_decide(const struct byw_repl_ops *repl, const struct byw_set *set,
                                      const struct byw_repl_at *at, int tag);

/* Writes the record.  sector: its valid bit; last: the streaming hint. */
void byw_install_apply(const struct byw_repl_ops *repl, struct byw_set *set,
                       const struct byw_repl_at *at, uint64_t key, uint8_t sector, bool last,
                       const struct byw_install *install);

#endif
