/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l1d_ports.h - the port records of the L1 data cache, shared by its units, its RTL and its
 * hosts.
 *
 * All groups are valid/ready: a transfer happens when both are set at the clock edge, and valid
 * with its payload stays until then.  Payload means something only with valid.  Data pointers may
 * be NULL when the cache was created without data (the timing simulator needs none).
 */
#ifndef BYW_L1D_PORTS_H
#define BYW_L1D_PORTS_H

#include <stdbool.h>
#include <stdint.h>

#include "record/byw_ctrl.h"
#include "record/byw_request.h"

/* Bytes of a line or beat, bit i = byte i.  A beat is what the data ports are wide: the line, or
 * the aligned part of it that struct byw_port asks for; data pointers are to a beat. */
struct byw_byte_mask {
    uint64_t w[BYW_LINE_MAX / 64];
};

struct byw_req {
    uint64_t line; /* line address: byte address divided by the line size */
    struct byw_byte_mask bytes;
    const uint8_t *data; /* stores, atomics: a beat's worth of bytes */
    uint32_t pc;
    uint32_t id; /* the requester's; comes back in rsp */
    uint8_t beat; /* of the line, that bytes and data are of */
    bool more; /* with beats: goes on with the access that the request before began or went on with
                */
    uint8_t op; /* enum byw_op */
    uint8_t warp;
    uint8_t hint; /* enum byw_hint; of a fence enum byw_fence */
    uint32_t func; /* byw_port.func_w bits for memory, of an atomic its function */
};

/* What a mem_req asks for; comes back in mem_rsp. */
enum byw_mem_kind {
    BYW_MEM_FILL, /* read for an MSHR; id = MSHR number */
    BYW_MEM_BYPASS, /* read of a bypassed load or atomic; id = tracker number */
    BYW_MEM_STORE, /* write-through; id = the requester's id; the answer is an acknowledgement */
    BYW_MEM_WRITEBACK, /* dirty local line; no answer expected, none must be given, unless
                          struct byw_port asks for it */
};

struct byw_mem_req {
    uint64_t line;
    struct byw_byte_mask bytes; /* wanted or written bytes; all of the beat for a fill */
    const uint8_t *data; /* writes; valid until the next tick */
    uint32_t pc;
    uint32_t id;
    uint32_t func; /* the request's; of a fill that of the load that missed */
    uint8_t kind; /* enum byw_mem_kind */
    uint8_t beat; /* means nothing for a fill, which is answered by all beats in their order */
    bool more; /* the request's; of a fill or write-back false */
    bool write;
    bool bypass;
    bool atomic;
    bool predicted; /* a bypass by the PC predictor, for the L2 to verify (paper 002) */
};

struct byw_mem_rsp {
    const uint8_t *data; /* reads */
    uint32_t id;
    uint8_t kind; /* enum byw_mem_kind */
    bool error;
    bool mispredict; /* the L2 saw the line reused after a bypass (paper 002) */
};

/* How a response was served. */
enum byw_served {
    BYW_SERVED_HIT,
    BYW_SERVED_FILL, /* fill path 1: the miss itself or a request merged into it */
    BYW_SERVED_BYPASS, /* fill path 2: straight to the requester */
    BYW_SERVED_STORE, /* acknowledgement of a store */
    BYW_SERVED_DONE, /* invalidate or flush finished */
};

struct byw_rsp {
    const uint8_t *data; /* loads and atomics; valid until the next tick */
    uint32_t id;
    uint8_t served; /* enum byw_served */
    bool error;
};

struct byw_l1d_in {
    bool rst;
    bool req_valid;
    bool rsp_ready;
    bool mem_req_ready;
    bool mem_rsp_valid;
    struct byw_req req;
    struct byw_mem_rsp mem_rsp;
    struct byw_l1d_ctrl ctrl;
};

struct byw_l1d_out {
    bool req_ready;
    bool rsp_valid;
    bool mem_req_valid;
    bool mem_rsp_ready;
    bool idle; /* nothing in flight */
    uint32_t events; /* one bit per event counter (record/byw_events.def order) */
    uint32_t policy_events; /* likewise, policy/byw_policy_events.def */
    uint8_t pc_counter; /* with the pulse pc.asked: what the predictor's counter says */
    struct byw_rsp rsp;
    struct byw_mem_req mem_req;
};

#endif
