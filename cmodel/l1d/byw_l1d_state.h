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

/* How much of the decision in s2 was worked out ahead is still true (l1d.look_stage). */
enum byw_look_view {
    BYW_VIEW_FRESH, /* all of it */
    BYW_VIEW_RANKS, /* what the tags say of its line; not who would leave, nor its counter */
    BYW_VIEW_STALE, /* nothing: one cycle to look again */
    BYW_VIEW_THAW, /* nor the record: one more cycle */
    BYW_VIEW_COLD, /* nor what its set's flip-flops say: one more */
};

/* A request inside the pipeline; it stays in its slot while it moves from s1 to s2. */
struct byw_l1d_slot {
    struct byw_req req;
    uint64_t key;
    uint32_t set;
    uint8_t sector; /* that it touches; 0 with allocate on miss */
    bool bypass; /* taken in bypass mode */
    bool blind; /* a load that is decided without the tags */
    bool uncached; /* decided as an atomic or a store that evicts */
    uint8_t *data; /* copy of the store bytes, NULL without data */
};

enum { BYW_L1D_SLOTS = 3 }; /* s1, look, s2 */

struct byw_l1d_pipe {
    bool s1_valid;
    bool look_valid; /* the stage between s1 and s2, if there is one */
    bool look_cold; /* its record changed otherwise than by a decision */
    bool s2_valid;
    bool s3_valid;
    bool s2_refused; /* s2 was refused in the cycle before; for byw_l1d_asleep() only */
    uint8_t s1_slot;
    uint8_t look_slot;
    uint8_t s2_slot;
    uint8_t s2_view; /* BYW_VIEW_*; with a look stage */
    bool s2_new; /* what it needs to know was looked at in the cycle before; likewise */
    bool s2_ended; /* what it waits for was done in the cycle before; likewise */
    uint8_t s3_bank;
    struct byw_pc_guess s2_read; /* what the PC predictor's counter said as it left look */
    struct byw_l1d_slot slot[BYW_L1D_SLOTS];
    struct byw_rsp s3;
    uint8_t *s3_data[2]; /* NULL without data; two, so that bytes live until the tick after next */
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
    struct byw_write_path write;
    struct byw_rsp_arb arb;
    struct byw_order order;
    struct byw_l1d_pipe pipe;
    struct byw_byte_mask fetch[BYW_SECTORS_MAX]; /* what a miss asks for, by sector */
    uint32_t beat_bytes; /* of the data ports */
    uint32_t sector_bytes;
    uint32_t sector_bits; /* log2 of the sectors of a line */
    uint32_t flush_line; /* next line that a flush looks at */
    bool look; /* l1d.look_stage */
    bool atomic_keeps; /* l1d.atomic_keeps */
    bool wb_acks; /* memory answers write-backs */
    bool uncached; /* hint uncached means something */
    uint32_t func_mask;
    bool filter_on; /* of the last cycle */
    bool switched; /* since the last cycle */
    uint8_t held; /* why s2 is refused until one of them changes; BYW_EV_COUNT: to be looked at */
};

/* Combinational signals of one cycle (byw_l1d_ctrl.c). */
struct byw_l1d_cycle {
    bool rsp_valid;
    bool rsp_taken;
    uint32_t rsp_source;
    bool s3_free; /* the hit stage can take a response at the end of this cycle */
    bool mem_rsp_ready;
    bool beat_taken; /* of a fill */
    bool fill_taken; /* its last one */
    bool answer_ends; /* an answer is taken, and nothing more comes for its request */
    bool fill_writes; /* the data store's write port is the fill's */
    bool fill_records; /* a failed fill gives its line back, or with allocate on fill one takes its
                          line: the record's write port is the fill's */
    struct byw_install install; /* allocate on fill, with fill_records */
    bool data_busy, record_busy; /* the write port is not s2's; with a look stage also if the fill
                                    turns out to be detached */
    bool fill_attached; /* a fill is taken, and changes the record of its line's set */
    bool direct_taken; /* of another kind; one of a write-back has nobody to go to */
    bool mem_req_valid;
    bool mem_req_taken;
    struct byw_mem_rsp mem_rsp; /* as the cache knows it */
    bool able; /* the request in s2 can be decided: what was worked out ahead is true */
    bool refused; /* the decision cannot be */
    bool accept; /* the decision is carried out */
    bool ends; /* all that the flush or fence in s2 waits for is done */
    bool done; /* an invalidate or flush ends */
    bool walk; /* a flush goes on to the next line */
    bool quiet; /* it goes on with an access, and does not write the record that says so */
    bool clean; /* a beat of line `clean_line` goes into the write-back register */
    bool strays; /* none does: the beats begun with are another line's */
    uint32_t clean_line;
    bool unsteady; /* the filter is not as in the cycle before */
    bool s2_open; /* s2 is free at the end of this cycle */
    bool s1_moves; /* s1 is free */
    bool req_ready;
    bool req_taken;
    enum byw_event fail; /* BYW_EV_COUNT: none */
    int tag; /* of the request in s2 */
    bool verified; /* a bypass on the advice of a mechanism that wants to know of reuse */
    bool pending; /* the bytes it wants are on their way (allocate on fill) */
    bool sector_miss; /* its line is there, its sector is not (allocate on fill) */
    bool asks; /* it is a load that asks the PC predictor */
    bool stays_blind; /* the request taken is decided without the tags */
    struct byw_pc_guess guess; /* with asks */
    struct byw_decision d;
};

void byw_l1d_comb(const struct byw_l1d *l1d, const struct byw_l1d_in *in,
                  const struct byw_l1d_ctrl *ctrl, struct byw_l1d_cycle *now);

/* The decision point alone: fills accept, done, walk, clean, fail and d of *now, whose response and
 * fill signals are set. */
void byw_l1d_comb_s2(const struct byw_l1d *l1d, bool filter_on, struct byw_l1d_cycle *now);

/* The clock edge of a cycle with these signals (byw_l1d_edge.c). */
void byw_l1d_edge(struct byw_l1d *l1d, const struct byw_l1d_in *in, const struct byw_l1d_ctrl *ctrl,
                  const struct byw_l1d_cycle *now);

/* The look stage (byw_l1d_look.c): whether the request in s2 can be decided in this cycle; at the
 * clock edge, what of the work done ahead stays true, and the move from s1 into look and from look
 * into s2. */
bool byw_l1d_look_able(const struct byw_l1d *l1d, bool unsteady);
void byw_l1d_look_ask(struct byw_l1d *l1d); /* before anything trains */
void byw_l1d_look_tick(struct byw_l1d *l1d, const struct byw_l1d_ctrl *ctrl,
                       const struct byw_l1d_cycle *now);

/* Event pulses of the cycle. */
uint32_t byw_l1d_events(const struct byw_l1d *l1d, const struct byw_l1d_cycle *now,
                        const struct byw_l1d_in *in);

/* The PC predictor at work (byw_l1d_pc.c): the accepted decision of s2, before it is carried out;
 * a response; with allocate on fill, the fill in f2; the pulses of the cycle. */
void byw_l1d_train(struct byw_l1d *l1d, const struct byw_l1d_cycle *now);
void byw_l1d_verify(struct byw_l1d *l1d, const struct byw_mem_rsp *rsp);
void byw_l1d_train_install(struct byw_l1d *l1d, const struct byw_l1d_cycle *now);
uint32_t byw_l1d_policy_events(const struct byw_l1d *l1d, const struct byw_l1d_in *in,
                               const struct byw_l1d_cycle *now);

/* The mechanisms that are called through hooks (byw_l1d_mech.c), for a chain with links.  The hint
 * that the load in s2 works by; whether it bypasses instead of being refused, which changes d; the
 * accepted access, carried out, with its MSHR or tracker; with allocate on fill, the fill in f2,
 * before its record is written; an answer of memory. */
void byw_l1d_mech_choose(struct byw_l1d *l1d); /* who chooses victims; once made or configured */
uint8_t byw_l1d_mech_hint(const struct byw_l1d *l1d, struct byw_l1d_cycle *now);
void byw_l1d_mech_rescue(const struct byw_l1d *l1d, const struct byw_resources *res,
                         struct byw_l1d_cycle *now);
void byw_l1d_mech_accepted(struct byw_l1d *l1d, const struct byw_l1d_cycle *now, uint32_t ticket);
void byw_l1d_mech_install(struct byw_l1d *l1d, const struct byw_l1d_cycle *now);
void byw_l1d_mech_answered(struct byw_l1d *l1d, const struct byw_mem_rsp *rsp);

/* The allocate-on-fill organisation (byw_l1d_on_fill.c): its sectors; the decision point; the fill
 * in f2, whose signals it sets; the clock edge of the fill stages, before a fill is accepted; its
 * pulses besides those of byw_l1d_events(); its invariants, NULL or what is broken. */
void byw_l1d_init_sectors(struct byw_l1d *l1d, const struct byw_config *config);
uint8_t byw_l1d_sector(const struct byw_l1d *l1d, const struct byw_byte_mask *bytes);
void byw_l1d_comb_sector(const struct byw_l1d *l1d, struct byw_resources *res,
                         struct byw_l1d_cycle *now);
void byw_l1d_comb_install(const struct byw_l1d *l1d, bool kernel_start, struct byw_l1d_cycle *now);
void byw_l1d_tick_install(struct byw_l1d *l1d, const struct byw_l1d_cycle *now);
uint32_t byw_l1d_install_events(const struct byw_l1d *l1d, const struct byw_l1d_cycle *now);
const char *byw_l1d_check_sectors(const struct byw_l1d *l1d);

static inline const struct byw_l1d_slot *byw_l1d_s2(const struct byw_l1d *l1d)
{
    return &l1d->pipe.slot[l1d->pipe.s2_slot];
}

/* Whether s1 moves into look although the request in s2 stays: it waits behind one of its set. */
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

/* What the replacement policy is told about a request or fill. */
static inline struct byw_repl_at byw_l1d_repl_at(const struct byw_l1d *l1d, uint32_t set,
                                                 uint32_t pc)
{
    return byw_repl_at(&l1d->repl, l1d->policy.loc.geo.data_ways, set, pc);
}

/* With this filter a cycle is the first of its kind. */
static inline bool byw_l1d_unsteady(const struct byw_l1d *l1d, bool filter_on)
{
    return l1d->switched || filter_on != l1d->filter_on;
}

static inline uint32_t byw_l1d_line_number(const struct byw_l1d *l1d, uint32_t set, int way)
{
    return set * l1d->policy.loc.geo.data_ways + (uint32_t)way;
}

/* What the MSHRs know a slot's line or sector by. */
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

/* The answer that memory shows, with the cache's own id. */
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

/* The beat that the line in question would go out with next is its last. */
static inline bool byw_l1d_cleans_last(const struct byw_l1d *l1d)
{
    return l1d->write.next_beat + 1U == l1d->fill.beats;
}

/* Stores that leave for memory even if they hit. */
static inline bool byw_l1d_through(const struct byw_l1d *l1d, uint8_t op)
{
    return op == BYW_OP_STORE || (op == BYW_OP_LOCAL_STORE && l1d->policy.on_fill);
}

#endif
