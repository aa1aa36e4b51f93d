/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_write_path.h - the write-back register, and the stores whose acknowledgement is outstanding.
 * For what stores and atomics do to a set see record/byw_write_decide.h.
 *
 * A dirty line is written back before it is evicted: the decision point moves it into the
 * write-back register and decides again.  One cycle later, when the RAM delivers the data, the
 * register moves into a reserved slot of the ordered queue.  A line of several beats takes one pass
 * per beat, in order, and is clean after the last one.  A beat without dirty bytes adds nothing to
 * the queue.
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
    bool wb_bad; /* a byte of wb_bytes has wrong parity */
    uint8_t next_beat; /* beats of line `next_line` that s2 has already written back */
    uint32_t next_line;
    uint32_t acks_pending; /* stores whose acknowledgement is outstanding */
};

enum byw_status byw_write_path_init(struct byw_write_path *wp, uint32_t beat_bytes, bool with_data);
void byw_write_path_release(struct byw_write_path *wp);

#endif
