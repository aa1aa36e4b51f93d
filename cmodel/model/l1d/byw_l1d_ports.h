/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l1d_ports.h - the port records of the L1 data cache, shared by its units, its RTL and its
 * hosts.
 *
 * All groups are valid/ready: a transfer happens when both are set at the clock edge.  Until then,
 * valid and its payload do not change.  Payload is meaningful only with valid.  Data pointers may
 * be NULL if the cache was created without data (the timing simulator needs none).
 */
#ifndef BYW_L1D_PORTS_H
#define BYW_L1D_PORTS_H

#include <stdbool.h>
#include <stdint.h>

#include "record/byw_ctrl.h"
#include "record/byw_request.h"

/* Bytes of a line or beat, bit i = byte i.  A beat is the width of the data ports: a line, or an
 * aligned part of it set in struct byw_port.  Data pointers point to one beat. */
struct byw_byte_mask {
    uint64_t w[BYW_LINE_MAX / 64];
};

struct byw_req {
    uint64_t line; /* line address: byte address divided by the line size */
    struct byw_byte_mask bytes;
    const uint8_t *data; /* stores, atomics: the bytes of one beat */
    uint32_t pc;
    uint32_t id; /* set by the requester; returned in rsp */
    uint8_t beat; /* beat of the line to which `bytes` and `data` belong */
    bool more; /* with beats: the request continues the access of the previous one */
    uint8_t op; /* enum byw_op */
    uint8_t warp;
    uint8_t hint; /* enum byw_hint; for a fence enum byw_fence */
    uint32_t func; /* byw_port.func_w bits for memory; the function of an atomic */
};

/* The kind of a mem_req; returned in mem_rsp. */
enum byw_mem_kind {
    BYW_MEM_FILL, /* read for an MSHR; id = MSHR number */
    BYW_MEM_BYPASS, /* read for a bypassed load or atomic; id = tracker number */
    BYW_MEM_STORE, /* write-through; id = the requester's id; answered by an acknowledgement */
    BYW_MEM_WRITEBACK, /* dirty local line; must not be answered unless struct byw_port requests
                        * it */
};

struct byw_mem_req {
    uint64_t line;
    struct byw_byte_mask bytes; /* requested or written bytes; for a fill, the whole beat */
    const uint8_t *data; /* writes; valid until the next tick */
    uint32_t pc;
    uint32_t id;
    uint32_t func; /* func of the request; for a fill, func of the load that missed */
    uint8_t kind; /* enum byw_mem_kind */
    uint8_t beat; /* ignored for a fill, which is answered by all beats in order */
    bool more; /* `more` of the request; false for a fill or write-back */
    bool write;
    bool bypass;
    bool atomic;
    bool predicted; /* bypassed by the PC predictor; the L2 verifies the prediction (paper 002) */
};

struct byw_mem_rsp {
    const uint8_t *data; /* bytes of a response to a read */
    uint32_t id;
    uint8_t kind; /* enum byw_mem_kind */
    bool error;
    bool mispredict; /* the L2 saw the line reused after the bypass (paper 002) */
};

/* How a response was served. */
enum byw_served {
    BYW_SERVED_HIT,
    BYW_SERVED_FILL, /* fill path 1: the miss itself or a request merged into it */
    BYW_SERVED_BYPASS, /* fill path 2: directly to the requester */
    BYW_SERVED_STORE, /* acknowledgement of a store */
    BYW_SERVED_DONE, /* an invalidate or flush finished */
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

enum {
    BYW_PARITY_HIT = 1, /* the hit stage answers with an error: line or tag have wrong parity */
    BYW_PARITY_WRITEBACK = 2, /* wrong bytes are written back */
    BYW_PARITY_FILL = 2, /* allocate on fill: a fill is not installed, because a tag of its set has
                            wrong parity */
};

struct byw_l1d_out {
    bool req_ready;
    bool rsp_valid;
    bool mem_req_valid;
    bool mem_rsp_ready;
    bool idle; /* nothing in flight */
    uint32_t events; /* event pulses, one bit per line of record/byw_events.def */
    uint32_t policy_events; /* event pulses, one bit per line of policy/byw_policy_events.def */
    uint8_t pc_counter; /* with the pulse pc.asked: value of the predictor's counter */
    uint8_t parity; /* pulses of wrong parity, BYW_PARITY_* */
    struct byw_rsp rsp;
    struct byw_mem_req mem_req;
};

#endif
