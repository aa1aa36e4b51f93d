/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_sm_stream.h - a trace as the coalesced access streams of N SMs, without timing.
 *
 * What an L1 sees depends on which CTAs share an SM and how their warps take turns; a trace says
 * neither.  The model here is fixed and simple:
 *
 *   - CTAs go to the SMs round robin, from launch to launch on from where the last one ended;
 *   - an SM holds as many CTAs at a time as the options and 48 warps allow, one at least, and
 *     takes the next ones when all of them have ended;
 *   - their warps take turns, oldest CTA first, one warp access each turn; a warp that has no more
 *     accesses drops out.  Barriers, dependences and latencies are ignored.
 *
 * An access is what byw_access.h calls a cache access; its lines leave in descending order, as from
 * the simulator's coalescer.
 *
 * Memory: 64 MB for all SMs together (8 bytes per line of waiting accesses) plus what one CTA
 * needs; an SM whose share is full lets its CTAs run early, so that fewer of them take turns.
 */
#ifndef BYW_SM_STREAM_H
#define BYW_SM_STREAM_H

#include "common/byw_status.h"
#include "trace/byw_access.h"

enum {
    BYW_STREAM_SMS = 15, /* defaults: those of the Fermi machine */
    BYW_STREAM_CTAS = 8,
    BYW_STREAM_SMS_MAX = 512,
    BYW_STREAM_CTAS_MAX = 64,
    BYW_STREAM_WARPS = 48, /* an SM's, shared by its CTAs */
};

struct byw_sm_stream_options {
    uint32_t sms; /* 1 to 512 */
    uint32_t ctas; /* CTAs that an SM holds at most, 1 to 64 */
};

/* Takes one warp access of an SM; false ends the walk with BYW_ENOMEM. */
struct byw_sm_stream_sink {
    bool (*access)(void *ctx, uint32_t sm, const uint64_t *line, uint32_t count);
    void *ctx;
};

struct byw_sm_stream;

/* BYW_EINVAL for options out of range, BYW_ENOMEM. */
enum byw_status byw_sm_stream_create(const struct byw_sm_stream_options *options,
                                     const struct byw_sm_stream_sink *sink,
                                     struct byw_sm_stream **stream, struct byw_diag *diag);
void byw_sm_stream_free(struct byw_sm_stream *stream); /* NULL is allowed */

/* In this order for each launch: _launch; for each of its CTAs _cta and then, warp by warp, _access
 * for each access; after the last launch _finish.  All return false when memory is short or the
 * sink says so. */
bool byw_sm_stream_launch(struct byw_sm_stream *stream);
bool byw_sm_stream_cta(struct byw_sm_stream *stream, const struct byw_cta *cta);
bool byw_sm_stream_access(struct byw_sm_stream *stream, uint32_t warp,
                          const struct byw_access *access);
bool byw_sm_stream_finish(struct byw_sm_stream *stream);

#endif
