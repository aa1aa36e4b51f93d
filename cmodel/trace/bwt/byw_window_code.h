/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_window_code.h - codes the records of one warp in few bytes, quickly, for the windows of long
 * CTAs.
 *
 * A record is predicted to have the shape that followed the previous record's shape before, and the
 * same mask.  Its address is predicted to be as far from its shape's last address as that was from
 * the one before it.  Up to 128 consecutive predicted records take one byte.  For other records the
 * differences are stored.
 */
#ifndef BYW_WINDOW_CODE_H
#define BYW_WINDOW_CODE_H

#include "trace/bwt/byw_trace_windows.h"
#include "trace/byw_bytes.h"

/* The history of one shape: all fields of a record except mask, base and list. */
struct byw_window_shape {
    struct byw_inst inst;
    uint64_t base, step;
    uint16_t next; /* the shape that followed it last; 0: none */
};

/* The state of coding.  Shape 0 is the predecessor of the first record. */
struct byw_window_code {
    uint32_t count;
    uint64_t mask;
    uint16_t slot[2 * BYW_WINDOW_RECORDS]; /* for writing: shapes by hash */
    struct byw_window_shape shape[BYW_WINDOW_RECORDS + 1];
};

/* Appends `count` (up to BYW_WINDOW_RECORDS) records, whose lists are in `addr`. */
void byw_window_write(struct byw_window_code *code, const struct byw_inst *inst, uint32_t count,
                      const uint64_t *addr, struct byw_bytes *bytes);

/* Adds the records written to `at` to the CTA.  BYW_EFORMAT: malformed. */
enum byw_status byw_window_read(struct byw_window_code *code, const uint8_t *at, size_t size,
                                struct byw_cta *cta);

#endif
