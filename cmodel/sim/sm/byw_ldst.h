/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_ldst.h - the load/store unit of one SM: a queue of memory instructions in issue order.
 *
 * With sm.operand_stages the queue is in the stages (byw_stages.h): an instruction has an entry
 * here from issue on, and the unit holds one instruction.  The instruction is fresh, and keeps its
 * execution register, until the L1D has accepted its first access or its scratchpad passes have
 * begun.  Passes begin when the L1D could accept an access, that is, when the previous access is
 * being decided.  Without stages the unit is a queue:
 *
 * The head of the queue is in its address phase.  A scratchpad access stays there for as many
 * cycles as its bank-conflict degree, a global or local access for one cycle per transaction that
 * the L1D accepts.  A refused transaction stays at the head and blocks the following ones
 * (mechanisms/cache.md 0.1).
 */
#ifndef BYW_LDST_H
#define BYW_LDST_H

#include "common/byw_config.h"
#include "sim/sm/byw_coalescer.h"
#include "sim/sm/byw_load_advice.h"
#include "sim/sm/byw_warps.h"

/* Store acknowledgements carry the warp number in a request id of this form. */
#define BYW_STORE_ID 0x10000u

/* Maximum of sm.lsu_queue plus sm.collectors; more than the stages hold. */
enum { BYW_LDST_MAX = 96 };

struct byw_ldst_entry {
    const struct byw_inst *inst;
    const struct byw_cta *cta;
    uint64_t at; /* cycle in which it reaches the unit */
    uint32_t pc; /* PC of the instruction in the trace's own code */
    uint16_t load; /* BYW_NO_LOAD: a store */
    uint8_t warp;
    bool machine; /* the instruction's record is a machine instruction */
};

/* An entry's own copy of its record, needed if the warp's window may be freed before the entry. */
struct byw_ldst_kept {
    struct byw_inst inst;
    struct byw_cta cta;
    uint64_t addr[64];
};

struct byw_ldst {
    const struct byw_config *config;
    const struct byw_load_hints *advice; /* hints of the running kernel's loads; NULL: none */
    uint32_t room, first, count;
    bool started; /* the head's address phase has begun */
    bool global; /* the head uses the L1D */
    uint32_t passes; /* scratchpad: cycles left */
    uint32_t next, transactions; /* of the head: index in `out` of the next transaction, and number
                                    of transactions */
    uint32_t beats; /* beats per line; 1 without beats */
    uint8_t hint; /* hint of loads without advice */
    uint8_t load_hint; /* hint of the head, if it is a load */
    bool more; /* a beat of the access has left */
    uint32_t beat; /* next beat of out[next] to leave; 0 without beats */
    uint64_t coalesced, conflict_cycles;
    bool staged;
    uint8_t unit; /* staged: the entry in the unit; BYW_LDST_MAX: none */
    bool fresh; /* staged: no part of it has been accepted */
    uint64_t used[(BYW_LDST_MAX + 63) / 64]; /* staged: entries in use */
    struct byw_ldst_entry queue[BYW_LDST_MAX];
    struct byw_coalesced out[BYW_COALESCED_MAX];
    struct byw_ldst_kept kept[BYW_LDST_MAX];
};

void byw_ldst_init(struct byw_ldst *ldst, const struct byw_config *config);

static inline bool byw_ldst_full(const struct byw_ldst *ldst)
{
    return ldst->count == ldst->room;
}

/* Operand collectors held by waiting memory instructions: all instructions except those past their
 * collector (at the unit and directly in front of it) and the one that has none yet. */
static inline uint32_t byw_ldst_collectors(const struct byw_ldst *ldst)
{
    uint32_t past = ldst->config->sm_lsu_queue - 1;
    uint32_t held = (ldst->count > past) ? ldst->count - past : 0;

    return (held < ldst->config->sm_collectors) ? held : ldst->config->sm_collectors;
}

/* Queues the instruction that warp w issues in cycle `now` and returns its entry.  The queue must
 * not be full.  Call before byw_warps_issue(), which advances the warp. */
uint32_t byw_ldst_push(struct byw_ldst *ldst, struct byw_warps *warps, uint32_t w, uint64_t now);

/* With operand stages: whether the unit is free. _enter: an entry enters it. */
static inline bool byw_ldst_takes(const struct byw_ldst *ldst)
{
    return ldst->unit == BYW_LDST_MAX;
}

/* One cycle in the scratchpad, after the L1D; open: the L1D could accept an access. */
void byw_ldst_pass(struct byw_ldst *ldst, struct byw_warps *warps, bool open, uint64_t now);

void byw_ldst_enter(struct byw_ldst *ldst, struct byw_warps *warps, uint32_t entry);

/* With operand stages: prefetches the addresses of an entry that enters the unit soon. */
void byw_ldst_prefetch(const struct byw_ldst *ldst, uint32_t entry);

/* Whether only the L1D's acceptance of a request can move anything in the unit. */
bool byw_ldst_stuck(const struct byw_ldst *ldst);

/* Number of accesses up to and including the load; 0: it is no longer in the unit's queue. */
uint32_t byw_ldst_position(const struct byw_ldst *ldst, uint16_t load);

/* Cycle `now`, before the L1D: whether the head has a request for the L1D. */
bool byw_ldst_offers(struct byw_ldst *ldst, struct byw_warps *warps, uint64_t now);

/* The request, if there is one; unchanged until the L1D accepts it. */
void byw_ldst_request(const struct byw_ldst *ldst, struct byw_req *req);

/* The line of that request, if byw_ldst_stuck(). */
static inline uint64_t byw_ldst_line(const struct byw_ldst *ldst)
{
    return ldst->out[ldst->next].line;
}

/* The L1D accepts the request: counts it for its instruction. Call before _accepted. */
void byw_ldst_note(const struct byw_ldst *ldst, struct byw_warps *warps, const struct byw_req *req);

/* The L1D accepted the request. */
void byw_ldst_accepted(struct byw_ldst *ldst, struct byw_warps *warps, uint64_t now);

/* Cycle in which the head reaches the unit; UINT64_MAX if the queue is empty. */
uint64_t byw_ldst_next(const struct byw_ldst *ldst);

#endif
