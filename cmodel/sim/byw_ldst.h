/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_ldst.h - the load/store unit of one SM: a queue of memory instructions in issue order.
 *
 * The head of the queue is in its address phase: a scratchpad access holds it for as many cycles as
 * its bank-conflict degree, a global or local one for one cycle per transaction that the L1D takes.
 * A refused transaction stays at the head and blocks what follows (MECHANISMS 0.1).
 */
#ifndef BYW_LDST_H
#define BYW_LDST_H

#include "common/byw_config.h"
#include "sim/byw_coalescer.h"
#include "sim/byw_load_advice.h"
#include "sim/byw_warps.h"

/* Store acknowledgements carry the warp in a request id of this form. */
#define BYW_STORE_ID 0x10000u

enum { BYW_LDST_MAX = 16 + 64 }; /* the most of sm.lsu_queue and of sm.collectors */

struct byw_ldst_entry {
    const struct byw_inst *inst;
    const struct byw_cta *cta;
    uint64_t at; /* cycle in which it reaches the unit */
    uint16_t load; /* BYW_NO_LOAD: a store */
    uint8_t warp;
};

/* An entry's own copy of its record, of a warp whose window may be gone before the entry is. */
struct byw_ldst_kept {
    struct byw_inst inst;
    struct byw_cta cta;
    uint64_t addr[64];
};

struct byw_ldst {
    const struct byw_config *config;
    const struct byw_load_hints *advice; /* of the running kernel; NULL: none */
    uint32_t room, first, count;
    bool started; /* the head's address phase has begun */
    bool global; /* the head uses the L1D */
    uint32_t passes; /* scratchpad: cycles left */
    uint32_t next, transactions;
    uint64_t coalesced, conflict_cycles;
    struct byw_ldst_entry queue[BYW_LDST_MAX];
    struct byw_coalesced out[BYW_COALESCED_MAX];
    struct byw_ldst_kept kept[BYW_LDST_MAX];
};

void byw_ldst_init(struct byw_ldst *ldst, const struct byw_config *config);

static inline bool byw_ldst_full(const struct byw_ldst *ldst)
{
    return ldst->count == ldst->room;
}

/* Operand collectors that waiting memory instructions hold: all but the ones that are past theirs
 * (at the unit and in front of it) and the one that has not got one yet. */
static inline uint32_t byw_ldst_collectors(const struct byw_ldst *ldst)
{
    uint32_t past = ldst->config->sm_lsu_queue - 1;
    uint32_t held = (ldst->count > past) ? ldst->count - past : 0;

    return (held < ldst->config->sm_collectors) ? held : ldst->config->sm_collectors;
}

/* Queues the instruction that warp w issues at cycle `now` (not full; call before
 * byw_warps_issue, which moves the warp on). */
void byw_ldst_push(struct byw_ldst *ldst, struct byw_warps *warps, uint32_t w, uint64_t now);

/* Cycle `now`, before the L1D: the head's request for the L1D into *req; false if it has none. */
bool byw_ldst_request(struct byw_ldst *ldst, struct byw_warps *warps, uint64_t now,
                      struct byw_req *req);

/* The L1D took the request. */
void byw_ldst_accepted(struct byw_ldst *ldst, struct byw_warps *warps, uint64_t now);

/* Cycle in which the head reaches the unit; UINT64_MAX when the queue is empty. */
uint64_t byw_ldst_next(const struct byw_ldst *ldst);

#endif
