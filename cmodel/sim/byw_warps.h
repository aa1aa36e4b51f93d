/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_warps.h - the resident warps of one SM: where each is in its trace and what it waits for.
 *
 * Issue is in order per warp, so a dependence is known completely by the distance from a producer
 * to the first instruction that needs its result (byw_inst.use).  Producers of fixed latency leave
 * a time in the warp's ring at the consumer's place; loads stay in a list until their data is back.
 * A warp's next instruction is in `ready` exactly when neither holds it back.  Times at which
 * a warp must be looked at again are kept in a timing wheel, so that waiting costs nothing.
 *
 * What a step needs of a warp is one cache line: of the record of its next instruction it has a
 * copy, made when the warp gets there, so that the record, which is long out of the caches by the
 * time it issues, is read once.
 *
 * All sets are bit masks over the warp slots (at most 64).
 */
#ifndef BYW_WARPS_H
#define BYW_WARPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/byw_bits.h"
#include "common/byw_status.h"
#include "trace/byw_inst.h"

enum {
    BYW_WARP_SLOTS = 64,
    BYW_WARP_RING = 32, /* instructions ahead that a fixed latency can reach */
    BYW_WHEEL = 256, /* cycles ahead the wheel reaches; longer waits go round */
    BYW_LOAD_SLOTS = 1024 /* loads in flight per SM */
};

#define BYW_NO_INDEX UINT32_MAX
#define BYW_NO_LOAD UINT16_MAX
#define BYW_NO_PLACE UINT8_MAX

/* What an instruction needs to issue; in the order in which the stages serve them. */
enum byw_unit {
    BYW_UNIT_SP,
    BYW_UNIT_SFU,
    BYW_UNIT_LSU,
    BYW_UNIT_DP,
    BYW_UNIT_BRANCH, /* an int/float unit unless stages are modelled */
    BYW_UNIT_COUNT
};

#define BYW_UNIT_OF(cls, is_memory)                                                                \
    ((is_memory) || (cls) == BYW_CLASS_CONST_LOAD ? BYW_UNIT_LSU                                   \
     : (cls) == BYW_CLASS_SFU                     ? BYW_UNIT_SFU                                   \
     : (cls) == BYW_CLASS_DP                      ? BYW_UNIT_DP                                    \
     : (cls) == BYW_CLASS_BRANCH                  ? BYW_UNIT_BRANCH                                \
                                                  : BYW_UNIT_SP)

struct byw_warp {
    const struct byw_inst *inst; /* the next instruction's record */
    const struct byw_cta *cta;
    uint32_t records; /* records left, `inst` included; 0: all issued */
    uint32_t run; /* instructions of *inst already issued */
    uint32_t index; /* number of the next instruction */
    uint32_t need; /* no lower instruction number waits for an outstanding load */
    uint32_t pc, count, use; /* of *inst */
    uint16_t load; /* first outstanding load, in the order of issue; BYW_NO_LOAD: none */
    uint16_t stores; /* store transactions not acknowledged */
    uint8_t cls, unit; /* of *inst; enum byw_unit */
    uint8_t lanes; /* active in *inst */
    uint8_t buffered; /* instructions in the instruction buffer */
    uint8_t cta_slot;
    uint8_t low; /* records at which its next window is taken, 0: all the rest is here */
    bool windowed; /* its records come in windows */
    uint16_t last_load; /* of those outstanding, if there are any */
    uint32_t fetched; /* place in the instruction cache where its code was last found */
};

/* Of a warp of a long CTA: the records available, and where more are. */
struct byw_warp_window {
    struct byw_windows *from;
    uint32_t number; /* of the warp in its CTA */
    struct byw_cta cta;
};

/* A load (or atomic) between issue and the return of its last transaction. */
struct byw_load {
    uint32_t need; /* number of the first instruction that needs it, BYW_NO_INDEX: none */
    uint32_t usable; /* cycle modulo 2^32 from which all that has been answered can be used */
    uint16_t remaining; /* transactions not answered */
    uint16_t next; /* in the warp's list, the free list */
    uint16_t timer; /* in a wheel slot's list */
    uint8_t warp;
};

/* What is told of a load that is long on its way. */
struct byw_load_story {
    uint64_t issued; /* cycle */
    uint64_t sent; /* cycle in which the L1D took its last transaction, 0: not yet */
    uint32_t pc;
    uint16_t transactions; /* 0: not made yet */
};

struct byw_warps {
    uint64_t live; /* resident, not finished */
    uint64_t ready; /* next instruction has its operands */
    uint64_t buffered; /* next instruction is in the instruction buffer */
    uint64_t next[BYW_UNIT_COUNT]; /* by unit: the next instruction needs it */
    uint64_t on_load; /* held back by a load */
    uint64_t barrier; /* waits at a barrier */
    uint64_t ended; /* all instructions issued, accesses still out */
    uint64_t drained; /* of these, those with nothing in flight any more */
    uint64_t far; /* in the wheel for a time beyond its reach */
    uint64_t on_result; /* held back by a result whose time is not known yet */
    uint64_t unused[6]; /* up to the end of the cache line */
    uint64_t turning[BYW_WHEEL / 64]; /* places of the wheel with warps or loads, as bits */
    uint64_t wheel[BYW_WHEEL]; /* warps to look at in that cycle */
    uint16_t load_timer[BYW_WHEEL]; /* loads that complete in that cycle */
    uint64_t older[BYW_WARP_SLOTS]; /* by warp: those placed before it */
    struct byw_warp warp[BYW_WARP_SLOTS];
    /* What the next instructions wait for, by their number modulo the ring: no earlier than this
     * cycle, times 256, plus results whose time is not known. */
    uint64_t results[BYW_WARP_SLOTS][BYW_WARP_RING];
    uint32_t loads; /* in flight */
    uint16_t free_load; /* a list of those given back; BYW_NO_LOAD: empty */
    uint16_t fresh_loads; /* from here on none has ever been used */
    struct byw_load load[BYW_LOAD_SLOTS];
    struct byw_load_story story[BYW_LOAD_SLOTS]; /* of the load with the same number */
    struct byw_warp_window *window; /* by warp; NULL before the first long CTA */
    enum byw_status status; /* not BYW_OK: a window could not be read, its warp ended there */
    struct byw_diag diag; /* of that */
};

/* In an SM, which begins a cache line, sets and warps do, too. */
_Static_assert(sizeof(struct byw_warp) == 64 && offsetof(struct byw_warps, warp) % 64 == 0,
               "a warp is a cache line");

void byw_warps_init(struct byw_warps *warps);

/* Puts a warp of a CTA into a free slot; it may be fetched from the next cycle on. */
void byw_warps_place(struct byw_warps *warps, uint32_t slot, const struct byw_cta *cta,
                     const struct byw_warp_trace *trace, uint32_t cta_slot);

/* The same for a warp of a long CTA: its number there, and where its records are. */
void byw_warps_place_windowed(struct byw_warps *warps, uint32_t slot, struct byw_windows *windows,
                              uint32_t number, uint32_t cta_slot);
/* Takes the next window of warp w, whose record in hand stays the next one. */
void byw_warps_take_window(struct byw_warps *warps, uint32_t w);
void byw_warps_release_windows(struct byw_warps *warps);

/* The wheel at cycle `now`: warps whose time has come become ready, timed loads complete. */
void byw_warps_turn(struct byw_warps *warps, uint64_t now);

/* Next cycle after `now` at which the wheel has something, UINT64_MAX if nothing. */
uint64_t byw_warps_next(const struct byw_warps *warps, uint64_t now);

/* Takes the next instruction of warp w off its trace at cycle `now`; its result, if of fixed
 * latency, is there `latency` cycles later (0: no result to wait for). */
void byw_warps_issue(struct byw_warps *warps, uint32_t w, uint64_t now, uint32_t latency);

/* Warp w is about to issue (before byw_warps_issue, with latency 0) an instruction whose result's
 * time byw_warps_result() will tell.  Returns the consumer's place, BYW_NO_PLACE if it has none. */
uint8_t byw_warps_expect(struct byw_warps *warps, uint32_t w);

/* The result for that place is there `latency` (at least 1) cycles after `now`. */
void byw_warps_result(struct byw_warps *warps, uint32_t w, uint32_t place, uint64_t now,
                      uint32_t latency);

/* Registers the load that warp w is about to issue at cycle `now` (call before byw_warps_issue). */
uint16_t byw_warps_load(struct byw_warps *warps, uint32_t w, uint64_t now);

/* Tells of how many transactions it is. */
static inline void byw_warps_load_made(struct byw_warps *warps, uint16_t load,
                                       uint32_t transactions)
{
    warps->load[load].remaining = warps->story[load].transactions = (uint16_t)transactions;
}

/* One transaction of the load is answered and can be used `extra` (below BYW_WHEEL) cycles later;
 * returns true when it was the last: the load completes when all of them can be used. */
bool byw_warps_load_answer(struct byw_warps *warps, uint16_t load, uint64_t now, uint32_t extra);

/* The load completes `cycles` (1 .. BYW_WHEEL - 1) after `now` as a whole. */
void byw_warps_load_after(struct byw_warps *warps, uint16_t load, uint64_t now, uint32_t cycles);

/* A store transaction of warp w is acknowledged (byw_warp.stores counts them). */
void byw_warps_store_answer(struct byw_warps *warps, uint32_t w);

/* Warps of `set` go on past their barrier. */
void byw_warps_release(struct byw_warps *warps, uint64_t set, uint64_t now);

/* An access that lists its addresses needs them soon. */
static inline void byw_warps_prefetch_list(const struct byw_inst *inst, const struct byw_cta *cta)
{
    const uint64_t *list = &cta->addr[inst->list];
    uint32_t lanes = byw_popcount64(inst->mask);

    for (uint32_t i = 0; i < lanes; i += 64 / sizeof(*list))
        byw_prefetch(list + i);
}

/* Warp w will soon issue: brings what that takes into the host's cache. */
void byw_warps_prefetch(const struct byw_warps *warps, uint32_t w);

/* Takes a drained warp away. */
void byw_warps_remove(struct byw_warps *warps, uint32_t w);

/* The warp of `set` (not empty) that was placed first.  Each turn goes to an older one; there is a
 * second one only if the lowest slot's warp is not the oldest. */
static inline uint32_t byw_warps_oldest(const struct byw_warps *warps, uint64_t set)
{
    uint32_t w;

    do {
        w = (uint32_t)__builtin_ctzll(set);
        set &= warps->older[w];
    } while (set != 0);
    return w;
}

#endif
