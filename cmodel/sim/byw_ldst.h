/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_ldst.h - the load/store unit of one SM: a queue of memory instructions in issue order.
 *
 * With sm.operand_stages the queue is in the stages (byw_stages.h): an instruction has an entry
 * here from issue on, and the unit holds one.  Until the L1D has taken its first access, or its
 * passes through the scratchpad have begun, it is fresh: it still has its execution register.
 * Passes begin when the L1D could take an access: the one before is then at the L1D's decision.
 * Without stages the unit is a queue:
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

/* The most of sm.lsu_queue and of sm.collectors; more than stages hold. */
enum { BYW_LDST_MAX = 96 };

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
    uint32_t next, transactions; /* of out */
    uint32_t beats; /* of a line; 1 without beats */
    uint8_t hint; /* of a load without advice */
    uint8_t load_hint; /* of the head, if it is a load */
    bool more; /* a beat of it has left */
    uint32_t beat; /* of out[next] that leaves next; without beats 0 */
    uint64_t coalesced, conflict_cycles;
    bool staged;
    uint8_t unit; /* staged: the entry in the unit, BYW_LDST_MAX: none */
    bool fresh; /* staged: nothing of it has been taken */
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

/* Operand collectors that waiting memory instructions hold: all but the ones that are past theirs
 * (at the unit and in front of it) and the one that has not got one yet. */
static inline uint32_t byw_ldst_collectors(const struct byw_ldst *ldst)
{
    uint32_t past = ldst->config->sm_lsu_queue - 1;
    uint32_t held = (ldst->count > past) ? ldst->count - past : 0;

    return (held < ldst->config->sm_collectors) ? held : ldst->config->sm_collectors;
}

/* Queues the instruction that warp w issues at cycle `now` (not full; call before
 * byw_warps_issue, which moves the warp on); returns its entry. */
uint32_t byw_ldst_push(struct byw_ldst *ldst, struct byw_warps *warps, uint32_t w, uint64_t now);

/* Staged: whether the unit is free, and an entry's entering it. */
static inline bool byw_ldst_takes(const struct byw_ldst *ldst)
{
    return ldst->unit == BYW_LDST_MAX;
}

/* A cycle in the scratchpad, after the L1D; open: that could take an access. */
void byw_ldst_pass(struct byw_ldst *ldst, struct byw_warps *warps, bool open, uint64_t now);

void byw_ldst_enter(struct byw_ldst *ldst, struct byw_warps *warps, uint32_t entry);

/* Staged: an entry is the next or one of the next to enter, its addresses are needed soon. */
void byw_ldst_prefetch(const struct byw_ldst *ldst, uint32_t entry);

/* Only the L1D's taking a request can move anything in the unit. */
bool byw_ldst_stuck(const struct byw_ldst *ldst);

/* How many accesses a load is behind, itself included; 0: it is not in the unit's queue any more.
 */
uint32_t byw_ldst_position(const struct byw_ldst *ldst, uint16_t load);

/* Cycle `now`, before the L1D: whether the head has a request for the L1D. */
bool byw_ldst_offers(struct byw_ldst *ldst, struct byw_warps *warps, uint64_t now);

/* It, if it has one: the same until the L1D takes it. */
void byw_ldst_request(const struct byw_ldst *ldst, struct byw_req *req);

/* The L1D took the request. */
void byw_ldst_accepted(struct byw_ldst *ldst, struct byw_warps *warps, uint64_t now);

/* Cycle in which the head reaches the unit; UINT64_MAX when the queue is empty. */
uint64_t byw_ldst_next(const struct byw_ldst *ldst);

#endif
