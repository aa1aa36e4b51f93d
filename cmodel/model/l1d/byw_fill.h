/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_fill.h - the response side of the cache: fill path 1 and fill path 2 (paper 000, section
 * 2.2).
 *
 * Path 1: a fill is written into the data store in the cycle in which it is accepted.  Its MSHR
 * number and bytes stay in a buffer until every request merged into it has been answered, one per
 * cycle.  There are two buffers, so the next fill is accepted while the last one drains.  A fill
 * arrives in consecutive beats and counts as accepted with its last beat.  Path 2: a bypass
 * response or store acknowledgement passes through one register directly to the requester.
 *
 * With allocate-on-fill, a fill first passes through two stages: f1 looks up its line, f2 writes it
 * (byw_install.h).  A fill accepted in cycle t is in f1 at t+1, in f2 at t+2, and its requests are
 * answered from t+3 on.  The stages never stall.  A fill then occupies its buffer for at least four
 * cycles, so there are four buffers.
 */
#ifndef BYW_FILL_H
#define BYW_FILL_H

#include "common/byw_status.h"
#include "l1d/byw_l1d_ports.h"

enum { BYW_FILL_BUFFERS = 2, BYW_FILL_BUFFERS_STAGED = 4 };

struct byw_fill_buffer {
    uint32_t mshr;
    bool error; /* an error in any beat */
    uint8_t *data; /* bytes of one line; NULL without data */
};

struct byw_fill {
    uint32_t head; /* buffer that is draining */
    uint32_t count; /* buffers in use */
    uint32_t buffers; /* number of buffers, a power of two */
    uint32_t ready; /* used buffers whose requests can be answered */
    bool staged; /* fills go through f1 and f2 */
    bool f1, f2; /* a fill is in that stage; the fills in f1 and f2 have the youngest buffers */
    uint32_t next_target; /* index in the draining MSHR's list */
    uint32_t beat_bytes;
    uint32_t beats; /* beats per fill */
    uint32_t beat; /* beats received of the fill in progress */
    bool failed; /* one of the beats received had an error */
    struct byw_fill_buffer buffer[BYW_FILL_BUFFERS_STAGED];
    bool direct_valid;
    struct byw_rsp direct; /* the response in the register of path 2 */
    uint32_t direct_bank; /* index of the direct_data that is on the port */
    uint8_t *direct_data[2]; /* NULL without data; two, so that bytes stay valid until the tick
                              * after next */
};

enum byw_status byw_fill_init(struct byw_fill *fill, uint32_t line_bytes, uint32_t beat_bytes,
                              bool staged, bool with_data);
void byw_fill_release(struct byw_fill *fill);
void byw_fill_clear(struct byw_fill *fill);

/* Whether a fill can be accepted, and whether a buffered fill has targets to answer. */
static inline bool byw_fill_room(const struct byw_fill *fill)
{
    return fill->count < fill->buffers;
}
static inline bool byw_fill_answers(const struct byw_fill *fill)
{
    return fill->ready != 0;
}

/* Whether the next beat is the last of its fill, and whether the fill fails with this beat. */
static inline bool byw_fill_ends(const struct byw_fill *fill)
{
    return fill->beat + 1 == fill->beats;
}
static inline bool byw_fill_fails(const struct byw_fill *fill, const struct byw_mem_rsp *rsp)
{
    return fill->failed || rsp->error;
}

/* The buffer of the fill in f2; needs f2. */
static inline const struct byw_fill_buffer *byw_fill_f2(const struct byw_fill *fill)
{
    return &fill->buffer[(fill->head + fill->count - 1 - fill->f1) & (fill->buffers - 1)];
}

/* The buffer of the last fill accepted, in f1 if there is a fill in f1. */
static inline const struct byw_fill_buffer *byw_fill_youngest(const struct byw_fill *fill)
{
    return &fill->buffer[(fill->head + fill->count - 1) & (fill->buffers - 1)];
}

/* Clock edge of the stages, before byw_fill_accept(). */
static inline void byw_fill_advance(struct byw_fill *fill)
{
    fill->ready += fill->f2;
    fill->f2 = fill->f1;
    fill->f1 = false;
}

/* Takes a beat of a fill; needs byw_fill_room(). */
void byw_fill_accept(struct byw_fill *fill, const struct byw_mem_rsp *rsp);

/* Takes a bypass response or acknowledgement for requester id. */
void byw_fill_direct(struct byw_fill *fill, const struct byw_mem_rsp *rsp, uint32_t id);

/* The current target was answered. last: it was the last of its MSHR, so the buffer becomes
 * free. */
void byw_fill_drain(struct byw_fill *fill, bool last);

#endif
