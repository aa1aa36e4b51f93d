/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_fill.h - the response side of the cache: fill path 1 and fill path 2 (paper 000,
 * section 2.2).
 *
 * Path 1: a fill is written into the data store in the cycle it is accepted and waits here with its
 * MSHR number and its bytes until every request merged on it has been answered, one per cycle.
 * There is room for two, so that the next fill is accepted while the last one drains. Path 2: a
 * bypass response or store acknowledgement passes through one register straight to the requester.
 */
#ifndef BYW_FILL_H
#define BYW_FILL_H

#include "common/byw_status.h"
#include "l1d/byw_l1d_ports.h"

enum { BYW_FILL_BUFFERS = 2 };

struct byw_fill_buffer {
    uint32_t mshr;
    bool error;
    uint8_t *data; /* NULL without data */
};

struct byw_fill {
    uint32_t head; /* buffer that drains */
    uint32_t count; /* buffers in use */
    uint32_t next_target; /* of the draining MSHR's list */
    uint32_t line_bytes;
    struct byw_fill_buffer buffer[BYW_FILL_BUFFERS];
    bool pass_valid;
    struct byw_rsp pass; /* path 2 */
    uint32_t pass_bank; /* which pass_data is shown */
    uint8_t
        *pass_data[2]; /* NULL without data; two, so that bytes live until the tick after next */
};

enum byw_status byw_fill_init(struct byw_fill *fill, uint32_t line_bytes, bool with_data);
void byw_fill_release(struct byw_fill *fill);
void byw_fill_clear(struct byw_fill *fill);

/* Takes a fill; needs count < BYW_FILL_BUFFERS. */
void byw_fill_accept(struct byw_fill *fill, const struct byw_mem_rsp *rsp);

/* Takes a bypass response or acknowledgement for requester id. */
void byw_fill_pass(struct byw_fill *fill, const struct byw_mem_rsp *rsp, uint32_t id);

/* The target shown was answered; last: it was the last of its MSHR, whose buffer is free now. */
void byw_fill_drain(struct byw_fill *fill, bool last);

#endif
