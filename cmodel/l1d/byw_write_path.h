/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_write_path.h - the write-back register, and the stores whose acknowledgement is outstanding.
 * What stores and atomics do to a set: record/byw_write_decide.h.
 *
 * A dirty line is written back before it leaves: the decision point sends it into the write-back
 * register and decides again afterwards.  The register reaches the ordered queue one cycle later,
 * with the data the RAM then delivers, and has its slot reserved.  A line of several beats takes
 * one pass for each, from the first to the last, and is clean with the last one; a beat without
 * dirty bytes leaves nothing in the queue.
 */
#ifndef BYW_WRITE_PATH_H
#define BYW_WRITE_PATH_H

#include "common/byw_status.h"
#include "l1d/byw_l1d_ports.h"

struct byw_write_path {
    bool wb_valid;
    uint64_t wb_line;
    struct byw_byte_mask wb_bytes;
    uint8_t *wb_data; /* NULL without data */
    uint8_t wb_beat;
    uint8_t next_beat; /* of line `next_line`, which s2 cleans: passes so far */
    uint32_t next_line;
    uint32_t acks_pending; /* stores whose acknowledgement is outstanding */
};

enum byw_status byw_write_path_init(struct byw_write_path *wp, uint32_t beat_bytes, bool with_data);
void byw_write_path_release(struct byw_write_path *wp);

#endif
