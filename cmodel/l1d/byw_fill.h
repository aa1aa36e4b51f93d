/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_fill.h - the response side of the cache: fill path 1 and fill path 2 (paper 000,
 * section 2.2).
 *
 * Path 1: a fill is written into the data store in the cycle it is accepted and waits here with its
 * MSHR number and its bytes until every request merged on it has been answered, one per cycle.
 * There is room for two, so that the next fill is accepted while the last one drains.  A fill comes
 * in beats, one after the other; it is accepted with its last one.  Path 2: a bypass response or
 * store acknowledgement passes through one register straight to the requester.
 *
 * With allocate-on-fill a fill first goes through two stages, in which its line is looked up and
 * then written (byw_install.h): accepted in cycle t, it is in f1 at t+1, in f2 at t+2, and its
 * requests are answered from t+3 on.  The stages never wait.  A fill then lives in its buffer for
 * four cycles or more, so that there are four of them.
 */
#ifndef BYW_FILL_H
#define BYW_FILL_H

#include "common/byw_status.h"
#include "l1d/byw_l1d_ports.h"

enum { BYW_FILL_BUFFERS = 2, BYW_FILL_BUFFERS_STAGED = 4 };

struct byw_fill_buffer {
    uint32_t mshr;
    bool error; /* of any beat */
    uint8_t *data; /* a line; NULL without data */
};

struct byw_fill {
    uint32_t head; /* buffer that drains */
    uint32_t count; /* buffers in use */
    uint32_t buffers; /* that there are: a power of two */
    uint32_t ready; /* of these, those whose requests can be answered */
    bool staged; /* fills go through f1 and f2 */
    bool f1, f2; /* a fill is in that stage: the youngest ones of the buffers */
    uint32_t next_target; /* of the draining MSHR's list */
    uint32_t beat_bytes;
    uint32_t beats; /* of a fill */
    uint32_t beat; /* beats that have come of the fill that is coming */
    bool failed; /* one of them with an error */
    struct byw_fill_buffer buffer[BYW_FILL_BUFFERS_STAGED];
    bool direct_valid;
    struct byw_rsp direct; /* path 2 */
    uint32_t direct_bank; /* which direct_data is shown */
    uint8_t
        *direct_data[2]; /* NULL without data; two, so that bytes live until the tick after next */
};

enum byw_status byw_fill_init(struct byw_fill *fill, uint32_t line_bytes, uint32_t beat_bytes,
                              bool staged, bool with_data);
void byw_fill_release(struct byw_fill *fill);
void byw_fill_clear(struct byw_fill *fill);

/* Whether a fill can be accepted, and whether one has targets to answer. */
static inline bool byw_fill_room(const struct byw_fill *fill)
{
    return fill->count < fill->buffers;
}
static inline bool byw_fill_answers(const struct byw_fill *fill)
{
    return fill->ready != 0;
}

/* The beat to come is the last of its fill; whether the fill fails with this beat of it. */
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

/* The target shown was answered; last: it was the last of its MSHR, whose buffer is free now. */
void byw_fill_drain(struct byw_fill *fill, bool last);

#endif
