/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_sm_stream.h - a trace as the coalesced access streams of N SMs, without timing.
 *
 * The accesses that an L1 sees depend on which CTAs share an SM and on how their warps interleave.
 * A trace contains neither.  The model here is fixed and simple:
 *
 *   - CTAs are assigned to the SMs round robin; each launch continues where the last one ended.
 *   - An SM holds as many CTAs at a time as the options and 48 warps allow, but at least one.  It
 *     takes the next ones when all of them have ended.
 *   - Their warps take turns, oldest CTA first, one warp access per turn.  A warp without further
 *     accesses drops out.  Barriers, dependences and latencies are ignored.
 *
 * An access is a cache access as defined in byw_access.h.  As in the simulator's coalescer, its
 * lines leave in descending order.
 *
 * Memory: 64 MB for all SMs together (8 bytes per line of waiting accesses) plus the needs of one
 * CTA.  An SM whose share is full runs its CTAs early, so fewer of them interleave.
 */
#ifndef BYW_SM_STREAM_H
#define BYW_SM_STREAM_H

#include "common/byw_status.h"
#include "trace/stats/byw_access.h"

enum {
    BYW_STREAM_SMS = 15, /* defaults: those of the Fermi machine */
    BYW_STREAM_CTAS = 8,
    BYW_STREAM_SMS_MAX = 512,
    BYW_STREAM_CTAS_MAX = 64,
    BYW_STREAM_WARPS = 48, /* warps per SM, shared by its CTAs */
};

struct byw_sm_stream_options {
    uint32_t sms; /* 1 to 512 */
    uint32_t ctas; /* most CTAs that an SM holds, 1 to 64 */
};

/* Receives one warp access of an SM; returning false ends the walk with BYW_ENOMEM. */
struct byw_sm_stream_sink {
    bool (*access)(void *ctx, uint32_t sm, const uint64_t *line, uint32_t count);
    void *ctx;
};

struct byw_sm_stream;

/* BYW_EINVAL: an option is out of range; BYW_ENOMEM. */
enum byw_status byw_sm_stream_create(const struct byw_sm_stream_options *options,
                                     const struct byw_sm_stream_sink *sink,
                                     struct byw_sm_stream **stream, struct byw_diag *diag);
void byw_sm_stream_free(struct byw_sm_stream *stream); /* accepts NULL */

/* Call in this order for each launch: _launch; for each of its CTAs _cta and then, warp by warp,
 * _access for each access.  Call _finish after the last launch.  All return false if out of memory
 * or if the sink does. */
bool byw_sm_stream_launch(struct byw_sm_stream *stream);
bool byw_sm_stream_cta(struct byw_sm_stream *stream, const struct byw_cta *cta);
bool byw_sm_stream_access(struct byw_sm_stream *stream, uint32_t warp,
                          const struct byw_access *access);
bool byw_sm_stream_finish(struct byw_sm_stream *stream);

#endif
