/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_warps.h - the resident warps of one SM: where each stands in its trace and what it waits for.
 *
 * Issue is in order per warp, so a dependence is known completely by the distance from a producer
 * to the first instruction that needs its result (byw_inst.use).  Producers of fixed latency leave
 * a time in the warp's ring at the consumer's place; loads stay in a list until their data is back.
 * A warp's next instruction is in `ready` exactly when neither holds it back.  Times at which
 * a warp must be looked at again stand in a wheel, so that waiting costs nothing.
 *
 * All sets are bit masks over the warp slots (at most 64).
 */
#ifndef BYW_WARPS_H
#define BYW_WARPS_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/byw_inst.h"

enum {
    BYW_WARP_SLOTS = 64,
    BYW_WARP_RING = 32, /* instructions ahead that a fixed latency can reach */
    BYW_WHEEL = 256, /* cycles ahead the wheel reaches; longer waits go round */
    BYW_LOAD_SLOTS = 1024 /* loads in flight per SM */
};

#define BYW_NO_INDEX UINT32_MAX
#define BYW_NO_LOAD UINT16_MAX

struct byw_warp {
    const struct byw_inst *inst; /* the next instruction's record */
    const struct byw_cta *cta;
    uint64_t age; /* launch order on this SM */
    uint32_t records; /* records left, `inst` included; 0: all issued */
    uint32_t run; /* instructions of *inst already issued */
    uint32_t index; /* number of the next instruction */
    uint32_t need; /* lowest instruction number that waits for an outstanding load */
    uint16_t load; /* first outstanding load, BYW_NO_LOAD: none */
    uint16_t stores; /* store transactions not acknowledged */
    uint8_t buffered; /* instructions in the instruction buffer */
    uint8_t cta_slot;
    uint64_t not_before[BYW_WARP_RING]; /* by instruction number modulo the ring */
};

/* A load (or atomic) between issue and the return of its last transaction. */
struct byw_load {
    uint64_t issued; /* cycle */
    uint64_t sent; /* cycle in which the L1D took its last transaction, 0: not yet */
    uint32_t need; /* number of the first instruction that needs it, BYW_NO_INDEX: none */
    uint32_t pc;
    uint16_t transactions; /* 0: not made yet */
    uint16_t remaining; /* transactions not answered */
    uint16_t next; /* in the warp's list, the free list */
    uint16_t timer; /* in a wheel slot's list */
    uint8_t warp;
};

struct byw_warps {
    uint64_t live; /* resident, not finished */
    uint64_t ready; /* next instruction has its operands */
    uint64_t buffered; /* next instruction is in the instruction buffer */
    uint64_t barrier; /* waits at a barrier */
    uint64_t ended; /* all instructions issued, accesses still out */
    uint64_t next_lsu, next_sfu, next_dp; /* the next instruction needs this unit */
    uint64_t on_load; /* held back by a load */
    uint64_t wheel[BYW_WHEEL];
    uint64_t turning; /* entries in the wheel, warps and loads */
    uint16_t load_timer[BYW_WHEEL]; /* loads that complete at that time */
    uint16_t free_load;
    uint32_t loads; /* in flight */
    uint64_t age;
    struct byw_warp warp[BYW_WARP_SLOTS];
    struct byw_load load[BYW_LOAD_SLOTS];
};

void byw_warps_init(struct byw_warps *warps);

/* Puts a warp of a CTA into a free slot; it may be fetched from the next cycle on. */
void byw_warps_place(struct byw_warps *warps, uint32_t slot, const struct byw_cta *cta,
                     const struct byw_warp_trace *trace, uint32_t cta_slot);

/* The wheel at cycle `now`: warps whose time has come become ready, timed loads complete.
 * Returns the warps of which a load completed (they may have ended). */
uint64_t byw_warps_turn(struct byw_warps *warps, uint64_t now);

/* Next cycle after `now` at which the wheel has something, UINT64_MAX if nothing. */
uint64_t byw_warps_next(const struct byw_warps *warps, uint64_t now);

/* Takes the next instruction of warp w off its trace at cycle `now`; its result, if of fixed
 * latency, is there `latency` cycles later (0: no result to wait for). */
void byw_warps_issue(struct byw_warps *warps, uint32_t w, uint64_t now, uint32_t latency);

/* Registers the load that warp w is about to issue (call before byw_warps_issue). */
uint16_t byw_warps_load(struct byw_warps *warps, uint32_t w);

/* One transaction of the load is answered; returns true when it was the last: the load completes
 * `extra` (below BYW_WHEEL) cycles later. */
bool byw_warps_load_answer(struct byw_warps *warps, uint16_t load, uint64_t now, uint32_t extra);

/* The load completes `cycles` (1 .. BYW_WHEEL - 1) after `now` as a whole. */
void byw_warps_load_after(struct byw_warps *warps, uint16_t load, uint64_t now, uint32_t cycles);

/* Warps of `set` go on behind their barrier. */
void byw_warps_release(struct byw_warps *warps, uint64_t set, uint64_t now);

/* True when nothing of a warp whose instructions are all issued is in flight any more. */
static inline bool byw_warp_drained(const struct byw_warp *warp)
{
    return warp->records == 0 && warp->load == BYW_NO_LOAD && warp->stores == 0;
}

#endif
