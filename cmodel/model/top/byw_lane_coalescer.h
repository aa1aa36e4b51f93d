/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_lane_coalescer.h - converts a warp's load, store or atomic to requests of lines or beats and
 * returns the responses to its lanes; C twin of rtl/top/byw_lane_coalescer.v,
 * rtl/doc/lane_coalescer.md.
 *
 * In each cycle byw_lane_coalescer_eval() gives the outputs, and byw_lane_coalescer_tick() passes
 * the clock edge with the same inputs.
 */
#ifndef BYW_LANE_COALESCER_H
#define BYW_LANE_COALESCER_H

#include "l1d/byw_l1d_ports.h"
#include "top/byw_lanes.h"

enum { BYW_COALESCER_LANES = 16, BYW_COALESCER_WARPS = 32 };

struct byw_lane_coalescer_config {
    uint32_t lanes; /* 1 .. 16 */
    uint32_t warps; /* 2 .. 32 */
    uint32_t line_bytes; /* a power of two from 8 to BYW_LINE_MAX */
    uint32_t slots; /* 1 .. BYW_LANES_SLOTS_MAX */
    uint32_t beat_bytes; /* a power of two from 8 to line_bytes; 0: line_bytes */
};

/* The access of a warp; words are aligned to 4 bytes. */
struct byw_warp_access {
    uint8_t op; /* BYW_OP_LOAD, BYW_OP_STORE, BYW_OP_ATOMIC */
    bool byte; /* the lanes access single bytes, not words */
    uint8_t hint;
    uint32_t lanes; /* the active lanes; at least one */
    uint32_t warp, pc;
    uint32_t func; /* function of an atomic, passed on */
    uint32_t addr[BYW_COALESCER_LANES];
    uint32_t data[BYW_COALESCER_LANES];
};

struct byw_lane_coalescer_in {
    bool rst;
    bool in_valid, req_ready, rsp_valid, out_ready;
    struct byw_warp_access in;
    struct byw_rsp rsp; /* with id, data and error only */
};

struct byw_lane_coalescer_out {
    bool in_ready, req_valid, rsp_ready, out_valid, out_last, error, idle;
    struct byw_req req; /* data: req_data */
    uint8_t req_data[BYW_LINE_MAX];
    uint32_t out_warp, out_lanes;
    uint32_t out_data[BYW_COALESCER_LANES];
    uint32_t stores; /* bit w: warp w has unacknowledged stores */
};

struct byw_lane_coalescer {
    struct byw_lane_coalescer_config cfg;
    struct byw_lanes lanes; /* u_lanes */
    bool v1, v2; /* stages s1 and s2 hold an access: a1, a2 */
    struct byw_warp_access a1, a2; /* a2.lanes: lanes of one line or beat */
    uint32_t near; /* with beats: remaining lanes of a1 in the line sent last */
    bool more2; /* a2 continues the previous access */
    bool out_valid, error;
    uint32_t out_warp, out_lanes;
    uint32_t out_data[BYW_COALESCER_LANES];
    uint32_t due[BYW_COALESCER_WARPS]; /* lanes without a response, per warp */
    uint32_t stores[BYW_COALESCER_WARPS];
};

/* BYW_EINVAL: a number is out of range. */
enum byw_status byw_lane_coalescer_init(struct byw_lane_coalescer *c,
                                        const struct byw_lane_coalescer_config *cfg);
void byw_lane_coalescer_release(struct byw_lane_coalescer *c);

void byw_lane_coalescer_eval(const struct byw_lane_coalescer *c,
                             const struct byw_lane_coalescer_in *in,
                             struct byw_lane_coalescer_out *out);
void byw_lane_coalescer_tick(struct byw_lane_coalescer *c, const struct byw_lane_coalescer_in *in);

#endif
