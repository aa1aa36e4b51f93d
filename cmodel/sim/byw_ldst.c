/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/byw_ldst.h"

#include <string.h>

#include "policy/byw_hint.h"

void byw_ldst_init(struct byw_ldst *ldst, const struct byw_config *config)
{
    memset(ldst, 0, sizeof(*ldst));
    ldst->config = config;
    ldst->room = config->sm_lsu_queue + config->sm_collectors;
}

static bool is_store(uint8_t cls)
{
    return cls == BYW_CLASS_STORE || cls == BYW_CLASS_LOCAL_STORE || cls == BYW_CLASS_SHARED_STORE;
}

static uint8_t op_of(uint8_t cls)
{
    switch (cls) {
    case BYW_CLASS_STORE:
        return BYW_OP_STORE;
    case BYW_CLASS_ATOMIC:
        return BYW_OP_ATOMIC;
    case BYW_CLASS_LOCAL_LOAD:
        return BYW_OP_LOCAL_LOAD;
    case BYW_CLASS_LOCAL_STORE:
        return BYW_OP_LOCAL_STORE;
    default:
        return BYW_OP_LOAD;
    }
}

/* Gives an entry a copy of its record and addresses. */
static void keep(struct byw_ldst *ldst, struct byw_ldst_entry *e)
{
    struct byw_ldst_kept *kept = &ldst->kept[e - ldst->queue];

    kept->inst = *e->inst;
    if (e->inst->form == BYW_FORM_LIST) {
        memcpy(kept->addr, e->cta->addr + e->inst->list,
               (size_t)__builtin_popcountll(e->inst->mask) * sizeof(kept->addr[0]));
        kept->inst.list = 0;
    }
    kept->cta.addr = kept->addr;
    e->inst = &kept->inst;
    e->cta = &kept->cta;
}

void byw_ldst_push(struct byw_ldst *ldst, struct byw_warps *warps, uint32_t w, uint64_t now)
{
    struct byw_ldst_entry *e = &ldst->queue[(ldst->first + ldst->count++) % ldst->room];
    struct byw_warp *warp = &warps->warp[w];

    e->inst = warp->inst;
    e->cta = warp->cta;
    if (warp->windowed)
        keep(ldst, e);
    e->at = now + ldst->config->sm_issue_lsu;
    e->warp = (uint8_t)w;
    e->load = is_store(warp->cls) ? BYW_NO_LOAD : byw_warps_load(warps, w);
    if (e->load != BYW_NO_LOAD)
        warps->load[e->load].issued = now;
    else
        warp->stores++; /* the warp has not drained while its store is in the queue */
}

static void pop(struct byw_ldst *ldst)
{
    ldst->first = (ldst->first + 1) % ldst->room;
    ldst->count--;
    ldst->started = false;
}

/* The address phase begins: how many cycles or transactions it takes. */
static void start(struct byw_ldst *ldst, struct byw_warps *warps)
{
    const struct byw_ldst_entry *e = &ldst->queue[ldst->first];
    uint8_t cls = e->inst->cls;

    ldst->started = true;
    ldst->passes = 1;
    ldst->global = false;
    if (cls == BYW_CLASS_SHARED_LOAD || cls == BYW_CLASS_SHARED_STORE) {
        ldst->passes = (e->inst->degree > 1) ? e->inst->degree : 1;
        ldst->conflict_cycles += ldst->passes - 1;
        return;
    }
    if (cls == BYW_CLASS_CONST_LOAD)
        return;
    ldst->transactions = byw_coalesce(ldst->config, e->inst, e->cta, ldst->out);
    ldst->next = 0;
    ldst->global = ldst->transactions != 0;
    ldst->coalesced += ldst->transactions;
    if (!ldst->global)
        return;
    if (e->load != BYW_NO_LOAD)
        warps->load[e->load].transactions = warps->load[e->load].remaining =
            (uint16_t)ldst->transactions;
    else
        warps->warp[e->warp].stores =
            (uint16_t)(warps->warp[e->warp].stores + ldst->transactions - 1);
}

static uint8_t hint_of(const struct byw_ldst *ldst, const struct byw_req *req)
{
    uint8_t hint;

    if (req->op != BYW_OP_LOAD)
        return BYW_HINT_NONE;
    hint = (uint8_t)byw_hint_rdna2(ldst->config->hint_loads == BYW_LOADS_VOLATILE,
                                   ldst->config->hint_loads == BYW_LOADS_NONTEMPORAL, BYW_LEVEL_L0);
    if (ldst->advice != NULL)
        byw_load_hint(ldst->advice, req->pc, &hint);
    return hint == BYW_ADVICE_NONTEMPORAL ? (uint8_t)BYW_HINT_NONE : hint;
}

bool byw_ldst_request(struct byw_ldst *ldst, struct byw_warps *warps, uint64_t now,
                      struct byw_req *req)
{
    const struct byw_ldst_entry *e = &ldst->queue[ldst->first];

    if (ldst->count == 0 || now < e->at)
        return false;
    if (!ldst->started)
        start(ldst, warps);
    if (!ldst->global) {
        if (--ldst->passes == 0) {
            if (e->load != BYW_NO_LOAD) {
                uint32_t latency = (e->inst->cls == BYW_CLASS_CONST_LOAD)
                                       ? ldst->config->const_latency
                                       : ldst->config->smem_latency;
                byw_warps_load_after(warps, e->load, now, latency + ldst->config->sm_writeback);
            } else {
                byw_warps_store_answer(warps, e->warp);
            }
            pop(ldst);
        }
        return false;
    }
    req->line = ldst->out[ldst->next].line;
    req->bytes = ldst->out[ldst->next].bytes;
    req->data = NULL;
    req->pc = e->inst->pc;
    req->op = op_of(e->inst->cls);
    req->id = (e->load != BYW_NO_LOAD) ? e->load : BYW_STORE_ID | e->warp;
    req->warp = e->warp;
    req->hint = hint_of(ldst, req);
    return true;
}

void byw_ldst_accepted(struct byw_ldst *ldst, struct byw_warps *warps, uint64_t now)
{
    uint16_t load = ldst->queue[ldst->first].load;

    if (++ldst->next != ldst->transactions)
        return;
    if (load != BYW_NO_LOAD)
        warps->load[load].sent = now;
    pop(ldst);
}

uint64_t byw_ldst_next(const struct byw_ldst *ldst)
{
    return (ldst->count == 0) ? UINT64_MAX : ldst->queue[ldst->first].at;
}
