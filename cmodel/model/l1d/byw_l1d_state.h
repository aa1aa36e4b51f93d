/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l1d_state.h - private to the L1D: its registers and units, and the signals of one cycle.
 */
#ifndef BYW_L1D_STATE_H
#define BYW_L1D_STATE_H

#include "l1d/byw_bypass_tracker.h"
#include "l1d/byw_data_store.h"
#include "l1d/byw_fill.h"
#include "l1d/byw_install.h"
#include "l1d/byw_l1d.h"
#include "l1d/byw_miss_queue.h"
#include "l1d/byw_mshr.h"
#include "l1d/byw_order.h"
#include "l1d/byw_rsp_arb.h"
#include "l1d/byw_write_path.h"
#include "policy/byw_mech_chain.h"
#include "policy/byw_pc_pred.h"
#include "policy/byw_policy.h"

/* How much of the prepared decision in s2 is still valid (l1d.look_stage). */
enum byw_look_view {
    BYW_VIEW_FRESH, /* the whole decision is valid */
    BYW_VIEW_RANKS, /* the tag match is valid; the victim and the counter are not */
    BYW_VIEW_STALE, /* nothing is valid: one cycle to prepare it again */
    BYW_VIEW_THAW, /* the record must be read again, too: one more cycle */
    BYW_VIEW_COLD, /* the set's flags must be read again, too: one more cycle */
};

/* A request in the pipeline.  It keeps its slot while it moves from s1 to s2. */
struct byw_l1d_slot {
    struct byw_req req;
    uint64_t key;
    uint32_t set;
    uint8_t sector; /* sector that it accesses; 0 with allocate-on-miss */
    bool bypass; /* accepted in bypass mode */
    bool blind; /* a load decided without the tags */
    bool uncached; /* decided as an atomic or a store that evicts */
    struct byw_tag_mask wrong; /* tag ways of its set whose key was read with wrong parity */
    uint8_t *data; /* copy of the store bytes; NULL without data */
};

enum { BYW_L1D_SLOTS = 3 }; /* stages s1, look and s2 */

struct byw_l1d_pipe {
    bool s1_valid;
    bool look_valid; /* the stage between s1 and s2, if there is one */
    bool look_cold; /* look's record was changed by something other than a decision */
    bool s2_valid;
    bool s3_valid;
    bool s2_refused; /* s2 was refused in the previous cycle; for byw_l1d_asleep() only */
    uint8_t s1_slot;
    uint8_t look_slot;
    uint8_t s2_slot;
    uint8_t s2_view; /* BYW_VIEW_*; with a look stage */
    bool s2_wait; /* with a look stage: the prepared values are renewed in this cycle, which delays
                     the error response to a request that reads a tag with wrong parity */
    bool s2_new; /* the values it needs were prepared in the previous cycle; for byw_l1d_asleep()
                  * only */
    bool s2_ended; /* the flush or fence in s2 had nothing left to wait for in the previous cycle;
                      for byw_l1d_asleep() only */
    uint8_t s3_bank;
    struct byw_pc_guess s2_read; /* the PC predictor's counter as read when the request left look */
    struct byw_l1d_slot slot[BYW_L1D_SLOTS];
    struct byw_rsp s3;
    uint8_t *s3_data[2]; /* NULL without data; two, so that bytes stay valid until the tick after
                          * next */
};

struct byw_l1d {
    struct byw_policy policy;
    struct byw_pc_pred pred;
    struct byw_mech_chain chain;
    struct byw_tag_store tags;
    struct byw_repl_side repl;
    struct byw_data_store lines;
    struct byw_mshr mshr;
    struct byw_miss_queue queue;
    struct byw_bypass_tracker tracker;
    struct byw_fill fill;
    /* Tag ways whose key the fill in f1, and in f2, read with wrong parity. */
    struct byw_tag_mask f1_wrong, f2_wrong;
    struct byw_write_path write;
    struct byw_rsp_arb arb;
    struct byw_order order;
    struct byw_l1d_pipe pipe;
    struct byw_byte_mask fetch[BYW_SECTORS_MAX]; /* bytes that a miss fetches, per sector */
    uint32_t beat_bytes; /* width of the data ports */
    uint32_t sector_bytes;
    uint32_t sector_bits; /* log2 of the sectors per line */
    uint32_t flush_line; /* next line that a flush examines */
    bool look; /* l1d.look_stage */
    bool atomic_keeps; /* l1d.atomic_keeps */
    bool store_allocates; /* l1d.store_miss */
    bool wb_acks; /* memory acknowledges write-backs */
    bool uncached; /* the hint BYW_HINT_UNCACHED is supported */
    uint32_t func_mask;
    bool filter_on; /* filter_on in the last cycle */
    bool switched; /* the filter was switched since the last cycle */
    uint8_t held; /* why s2 is refused, until a resource changes; BYW_EV_COUNT: must be evaluated */
};

/* Combinational signals of one cycle (byw_l1d_ctrl.c). */
struct byw_l1d_cycle {
    bool rsp_valid;
    bool rsp_taken;
    uint32_t rsp_source;
    bool s3_free; /* the hit stage can accept a response at the end of this cycle */
    bool mem_rsp_ready;
    bool beat_taken; /* a beat of a fill */
    bool fill_taken; /* the last beat of a fill */
    bool answer_ends; /* a response is accepted, and it is the last for its request */
    bool fill_writes; /* the fill uses the data store's write port */
    bool fill_records; /* the fill uses the record's write port: a failed fill releases its line, or
                        * with allocate-on-fill a fill takes its line */
    struct byw_install install; /* allocate on fill, with fill_records */
    bool fill_bad; /* allocate on fill: a tag with wrong parity keeps the fill from its line */
    bool data_busy, record_busy; /* s2 cannot use the write port; with a look stage also if the fill
                                  * turns out to be detached */
    bool fill_attached; /* a fill is accepted and changes the record of its line's set */
    bool direct_taken; /* a response other than a fill is accepted; one for a write-back has no
                        * requester */
    bool mem_req_valid;
    bool mem_req_taken;
    struct byw_mem_rsp mem_rsp; /* the response, with the cache's own id */
    bool able; /* the request in s2 can be decided: the prepared values are valid */
    bool refused; /* the decision is a refusal */
    bool accept; /* the decision is carried out */
    bool ends; /* everything that the flush or fence in s2 waits for is done */
    bool done; /* an invalidate or flush ends */
    bool walk; /* a flush moves on to the next line */
    bool quiet; /* a later request of an access: the touch or count is not written to the record */
    bool clean; /* a beat of line `clean_line` moves into the write-back register */
    bool strays; /* the line to clean must wait: beats of another line are already written back */
    uint32_t clean_line;
    bool unsteady; /* the filter differs from that of the previous cycle */
    bool s2_open; /* s2 is free at the end of this cycle */
    bool s1_moves; /* s1 is free at the end of this cycle */
    bool req_ready;
    bool req_taken;
    enum byw_event fail; /* BYW_EV_COUNT: none */
    int tag; /* tag way of the request in s2, or BYW_NONE */
    bool verified; /* a bypass advised by a mechanism that wants to learn of reuse */
    bool pending; /* the requested bytes are in flight (allocate-on-fill) */
    bool sector_miss; /* the line is present, its sector is not (allocate-on-fill) */
    bool asks; /* the request in s2 is a load that asks the PC predictor */
    bool stays_blind; /* the accepted request is decided without the tags */
    struct byw_pc_guess guess; /* the predictor's answer; valid if `asks` */
    struct byw_decision d;
};

void byw_l1d_comb(const struct byw_l1d *l1d, const struct byw_l1d_in *in,
                  const struct byw_l1d_ctrl *ctrl, struct byw_l1d_cycle *now);

/* The decision point alone: sets accept, done, walk, clean, fail and d of *now.  The response and
 * fill signals of *now must be set. */
void byw_l1d_comb_s2(const struct byw_l1d *l1d, bool filter_on, struct byw_l1d_cycle *now);

/* The clock edge after a cycle with these signals (byw_l1d_edge.c). */
void byw_l1d_edge(struct byw_l1d *l1d, const struct byw_l1d_in *in, const struct byw_l1d_ctrl *ctrl,
                  const struct byw_l1d_cycle *now);

/* The look stage (byw_l1d_look.c).  _able: whether the request in s2 can be decided in this cycle.
 * At the clock edge, _ask and _tick update which prepared values stay valid and move requests from
 * s1 into look and from look into s2. */
bool byw_l1d_look_able(const struct byw_l1d *l1d, bool unsteady);
void byw_l1d_look_ask(struct byw_l1d *l1d); /* call before any training of the predictor */
void byw_l1d_look_tick(struct byw_l1d *l1d, const struct byw_l1d_ctrl *ctrl,
                       const struct byw_l1d_cycle *now);

/* Event pulses of the cycle. */
uint32_t byw_l1d_events(const struct byw_l1d *l1d, const struct byw_l1d_cycle *now,
                        const struct byw_l1d_in *in);

/* The PC predictor (byw_l1d_pc.c).  _train: trains on the accepted decision of s2, before it is
 * carried out.  _verify: trains on a response.  _train_install: with allocate-on-fill, trains on
 * the fill in f2.  _policy_events: the event pulses of the cycle. */
void byw_l1d_train(struct byw_l1d *l1d, const struct byw_l1d_cycle *now);
void byw_l1d_verify(struct byw_l1d *l1d, const struct byw_mem_rsp *rsp);
void byw_l1d_train_install(struct byw_l1d *l1d, const struct byw_l1d_cycle *now);
uint32_t byw_l1d_policy_events(const struct byw_l1d *l1d, const struct byw_l1d_in *in,
                               const struct byw_l1d_cycle *now);

/* The hooked mechanisms (byw_l1d_mech.c); needs a chain with links.  _hint: the hint that applies
 * to the load in s2.  _rescue: whether it bypasses instead of being refused; changes d.  _accepted:
 * the access was accepted and carried out, with its MSHR or tracker as `ticket`.  _install: with
 * allocate-on-fill, the fill in f2, before its record is written.  _answered: a response of
 * memory. */
void byw_l1d_mech_choose(struct byw_l1d *l1d); /* sets how victims are chosen; call after creation
                                                * and configuration */
uint8_t byw_l1d_mech_hint(const struct byw_l1d *l1d, struct byw_l1d_cycle *now);
void byw_l1d_mech_rescue(const struct byw_l1d *l1d, const struct byw_resources *res,
                         struct byw_l1d_cycle *now);
void byw_l1d_mech_accepted(struct byw_l1d *l1d, const struct byw_l1d_cycle *now, uint32_t ticket);
void byw_l1d_mech_install(struct byw_l1d *l1d, const struct byw_l1d_cycle *now);
void byw_l1d_mech_answered(struct byw_l1d *l1d, const struct byw_mem_rsp *rsp);

/* Allocate on fill (byw_l1d_on_fill.c).  _sector: the sector of a request's bytes. _comb_sector:
 * the decision point.  _comb_install: the signals of the fill in f2.  _tick_install: the clock edge
 * of the fill stages; call it before a fill is accepted.  _install_events: pulses other than those
 * of byw_l1d_events().  _check_sectors: NULL or the broken invariant. */
void byw_l1d_init_sectors(struct byw_l1d *l1d, const struct byw_config *config);
uint8_t byw_l1d_sector(const struct byw_l1d *l1d, const struct byw_byte_mask *bytes);
void byw_l1d_comb_sector(const struct byw_l1d *l1d, struct byw_resources *res,
                         struct byw_l1d_cycle *now);
void byw_l1d_comb_install(const struct byw_l1d *l1d, bool kernel_start, struct byw_l1d_cycle *now);
void byw_l1d_tick_install(struct byw_l1d *l1d, const struct byw_l1d_cycle *now);
/* Updates parity after a write of the set's record. renamed: the tag way whose key changed, or
 * BYW_NONE. */
void byw_l1d_record_written(struct byw_l1d *l1d, uint32_t set, int renamed,
                            const struct byw_l1d_cycle *now);
/* The store in s2 makes its sector present (l1d.store_miss). */
void byw_l1d_place_store(struct byw_l1d *l1d);
uint32_t byw_l1d_install_events(const struct byw_l1d *l1d, const struct byw_l1d_cycle *now);
const char *byw_l1d_check_sectors(const struct byw_l1d *l1d);

static inline const struct byw_l1d_slot *byw_l1d_s2(const struct byw_l1d *l1d)
{
    return &l1d->pipe.slot[l1d->pipe.s2_slot];
}

/* Whether s1 can move into look while s2 is held.  A request to the set of the one in s2 waits in
 * s1. */
static inline bool byw_l1d_look_open(const struct byw_l1d *l1d)
{
    const struct byw_l1d_pipe *pipe = &l1d->pipe;

    return l1d->look && !pipe->look_valid &&
           !(pipe->s1_valid && pipe->slot[pipe->s1_slot].set == byw_l1d_s2(l1d)->set);
}

static inline struct byw_set *byw_l1d_record(const struct byw_l1d *l1d, uint32_t set)
{
    return byw_tag_store_set(&l1d->tags, set);
}

/* Policy inputs for a request or fill. */
static inline struct byw_repl_at byw_l1d_repl_at(const struct byw_l1d *l1d, uint32_t set,
                                                 uint32_t pc)
{
    return byw_repl_at(&l1d->repl, l1d->policy.loc.geo.data_ways, set, pc);
}

/* Whether the filter differs from that of the previous cycle. */
static inline bool byw_l1d_unsteady(const struct byw_l1d *l1d, bool filter_on)
{
    return l1d->switched || filter_on != l1d->filter_on;
}

static inline uint32_t byw_l1d_line_number(const struct byw_l1d *l1d, uint32_t set, int way)
{
    return set * l1d->policy.loc.geo.data_ways + (uint32_t)way;
}

/* The key by which the MSHRs look up a slot's line or sector. */
static inline uint64_t byw_l1d_block(const struct byw_l1d *l1d, const struct byw_l1d_slot *slot)
{
    return slot->req.line << l1d->sector_bits | slot->sector;
}

static inline bool byw_l1d_has_beats(const struct byw_l1d *l1d)
{
    return l1d->fill.beats > 1;
}

static inline bool byw_op_is_load(uint8_t op)
{
    return op == BYW_OP_LOAD || op == BYW_OP_LOCAL_LOAD;
}

static inline bool byw_op_is_store(uint8_t op)
{
    return op == BYW_OP_STORE || op == BYW_OP_LOCAL_STORE;
}

/* The response on the memory port, with the cache's own id. */
static inline void byw_l1d_own(const struct byw_l1d *l1d, const struct byw_l1d_in *in,
                               struct byw_l1d_cycle *now)
{
    now->mem_rsp = in->mem_rsp;
    if (l1d->order.on)
        now->mem_rsp.id = byw_order_own(&l1d->order, &in->mem_rsp);
}

/* An invalidate or a fence that drops all lines. */
static inline bool byw_l1d_drops(const struct byw_req *req)
{
    return req->op == BYW_OP_INVALIDATE ||
           (req->op == BYW_OP_FENCE && req->hint == BYW_FENCE_INVALIDATE);
}

static inline bool byw_l1d_is_uncached(const struct byw_l1d *l1d, const struct byw_req *req)
{
    return l1d->uncached && req->hint == BYW_HINT_UNCACHED &&
           (byw_op_is_load(req->op) || byw_op_is_store(req->op));
}

/* The policy that decides a request: an uncached store updates no line and trains no tag. */
static inline const struct byw_policy *byw_l1d_policy_of(const struct byw_l1d *l1d,
                                                         const struct byw_l1d_slot *slot,
                                                         struct byw_policy *room)
{
    if (!slot->uncached)
        return &l1d->policy;
    *room = l1d->policy;
    room->store_hit = BYW_STORE_EVICT;
    room->loc.store_rc = false;
    return room;
}

/* Whether the next beat of the line to clean is its last. */
static inline bool byw_l1d_cleans_last(const struct byw_l1d *l1d)
{
    return l1d->write.next_beat + 1U == l1d->fill.beats;
}

/* Stores that are written to memory even if they hit. */
static inline bool byw_l1d_through(const struct byw_l1d *l1d, uint8_t op)
{
    return op == BYW_OP_STORE || (op == BYW_OP_LOCAL_STORE && l1d->policy.on_fill);
}

#endif
