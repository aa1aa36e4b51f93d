/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_window_code.h - records of one warp as few bytes, quickly: the windows of long CTAs.
 *
 * A record is expected to be of the shape that followed the last one's before, with its mask, as
 * far behind its shape's last address as that was behind the one before.  Expected records in a row
 * take a byte for up to 128; of others it is said what is different.
 */
#ifndef BYW_WINDOW_CODE_H
#define BYW_WINDOW_CODE_H

#include "trace/byw_bytes.h"
#include "trace/byw_trace_windows.h"

/* What has been seen of one shape: all of a record but mask, base and list. */
struct byw_window_shape {
    struct byw_inst inst;
    uint64_t base, step;
    uint16_t next; /* the shape that came after it; 0: none has */
};

/* Shape 0 stands for the beginning. */
struct byw_window_code {
    uint32_t count;
    uint64_t mask;
    uint16_t slot[2 * BYW_WINDOW_RECORDS]; /* of who writes: shapes by hash */
    struct byw_window_shape shape[BYW_WINDOW_RECORDS + 1];
};

/* Appends `count` (up to BYW_WINDOW_RECORDS) records, whose lists are in addr. */
void byw_window_write(struct byw_window_code *code, const struct byw_inst *inst, uint32_t count,
                      const uint64_t *addr, struct byw_bytes *bytes);

/* Adds what was written to the CTA.  BYW_EFORMAT: it was not. */
enum byw_status byw_window_read(struct byw_window_code *code, const uint8_t *at, size_t size,
                                struct byw_cta *cta);

#endif
