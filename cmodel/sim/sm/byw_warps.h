/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_warps.h - the resident warps of one SM: the position of each in its trace and what it waits
 * for.
 *
 * Issue is in order per warp, so a dependence is fully described by the distance from a producer to
 * the first instruction that needs its result (byw_inst.use).  Producers of fixed latency write a
 * time into the consumer's entry of the warp's ring; loads stay in a list until their data have
 * returned.  A warp's next instruction is in `ready` exactly if neither blocks it.  Times at
 * which a warp must be examined again are kept in a timing wheel, so waiting costs nothing.
 *
 * A step reads one cache line per warp.  It contains a copy of the record of its next instruction,
 * made when the warp reaches the record.  So the record, which is evicted from the host's caches
 * before it issues, is read only once.
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
#include "sim/sm/byw_schedule.h"
#include "sim/sm/byw_stalls.h"
#include "trace/byw_inst.h"

enum {
    BYW_WARP_SLOTS = 64,
    BYW_WARP_RING = 32, /* instructions ahead that a fixed latency can reach */
    BYW_WHEEL = 256, /* cycles ahead that the wheel reaches; longer waits go around again */
    BYW_LOAD_SLOTS = 1024, /* loads in flight per SM */
    BYW_LOADS_OF_A_CYCLE = 2 * BYW_SCHED_MAX /* most that machine code adds in one cycle */
};

#define BYW_NO_INDEX UINT32_MAX
#define BYW_NO_LOAD UINT16_MAX
#define BYW_NO_PLACE UINT8_MAX

/* The unit that an instruction needs to issue, in the order in which the stages serve them. */
enum byw_unit {
    BYW_UNIT_SP,
    BYW_UNIT_SFU,
    BYW_UNIT_LSU,
    BYW_UNIT_DP,
    BYW_UNIT_BRANCH, /* an int/float unit unless stages are modeled */
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
    uint32_t records; /* records left, including `inst`; 0: all issued */
    uint32_t run; /* instructions of *inst already issued */
    uint32_t index; /* number of the next instruction */
    uint32_t need; /* no instruction with a lower number waits for an outstanding load */
    uint32_t pc, count, use; /* fields of *inst */
    uint16_t load; /* first outstanding load in the order of issue; BYW_NO_LOAD: none */
    uint16_t stores; /* unacknowledged store transactions */
    uint8_t cls, unit; /* fields of *inst; unit: enum byw_unit */
    uint8_t lanes; /* active lanes of *inst */
    uint8_t buffered; /* instructions in the instruction buffer */
    uint8_t cta_slot;
    uint8_t low; /* number of records at which its next window is loaded; 0: there are no more
                  * windows */
    bool windowed; /* the warp's records come in windows */
    uint16_t last_load; /* the last outstanding load, if there is one */
    uint32_t fetched; /* index in the instruction cache at which its code was last found */
};

/* For a warp of a long CTA: the available records, and the source of further ones. */
struct byw_warp_window {
    struct byw_windows *from;
    uint32_t number; /* number of the warp in its CTA */
    struct byw_cta cta;
};

/* A load (or atomic) between issue and the return of its last transaction. */
struct byw_load {
    uint32_t need; /* number of the first instruction that needs it; BYW_NO_INDEX: none */
    uint32_t usable; /* cycle modulo 2^32 from which all answered transactions are usable */
    uint16_t remaining; /* unanswered transactions */
    uint16_t next; /* next load in the warp's list or in the free list */
    uint16_t timer; /* next load in the list of a wheel slot */
    uint8_t warp;
    uint8_t barrier; /* machine code: that it holds; BYW_MACHINE_NO_BARRIER: none */
};

/* History of a load, for the watchdog's report. */
struct byw_load_story {
    uint64_t issued; /* cycle in which the load was issued */
    uint64_t sent; /* cycle in which the L1D accepted its last transaction; 0: not yet */
    uint32_t pc;
    uint16_t transactions; /* 0: not made yet */
};

struct byw_warps {
    uint64_t live; /* resident warps that have not finished */
    uint64_t ready; /* the next instruction has its operands */
    uint64_t buffered; /* the next instruction is in the instruction buffer */
    uint64_t next[BYW_UNIT_COUNT]; /* by unit: the next instruction needs it */
    uint64_t on_load; /* held back by a load */
    uint64_t barrier; /* waits at a barrier */
    uint64_t ended; /* all instructions issued, accesses still in flight */
    uint64_t drained; /* ended, with nothing in flight */
    uint64_t far; /* warps in the wheel that wait for a time beyond its reach */
    uint64_t on_result; /* held back by a result whose time is not known yet */
    uint64_t unused[6]; /* padding to the end of the cache line */
    uint64_t turning[BYW_WHEEL / 64]; /* slots of the wheel with warps or loads, as bits */
    uint64_t wheel[BYW_WHEEL]; /* warps to examine in that cycle */
    uint16_t load_timer[BYW_WHEEL]; /* loads that complete in that cycle */
    uint64_t older[BYW_WARP_SLOTS]; /* by warp: those placed before it */
    struct byw_warp warp[BYW_WARP_SLOTS];
    /* What the next instructions wait for, by their number modulo the ring: 256 times the earliest
     * cycle, plus the number of results whose time is not known. */
    uint64_t results[BYW_WARP_SLOTS][BYW_WARP_RING];
    uint32_t loads; /* number of loads in flight */
    uint32_t slack; /* sm.load_slack */
    uint16_t free_load; /* list of freed entries; BYW_NO_LOAD: empty */
    uint16_t fresh_loads; /* lowest entry never used */
    struct byw_load load[BYW_LOAD_SLOTS];
    struct byw_load_story story[BYW_LOAD_SLOTS]; /* history of the load with the same number */
    struct byw_schedule schedule;
    struct byw_stalls *stalls; /* what machine instructions wait for; NULL: not counted */
    struct byw_warp_window *window; /* by warp: its window; NULL before the first long CTA */
    enum byw_status status; /* not BYW_OK: a window could not be read, so its warp ended early */
    struct byw_diag diag; /* describes `status` */
};

/* An SM starts at a cache line, so sets and warps do, too. */
_Static_assert(sizeof(struct byw_warp) == 64 && offsetof(struct byw_warps, warp) % 64 == 0,
               "a warp is one cache line");

/* slack: sm.load_slack */
void byw_warps_init(struct byw_warps *warps, uint32_t slack);

/* _machine: whether warp w's records are machine instructions. _next_inst: the next one of
 * these. */
static inline bool byw_warps_machine(const struct byw_warps *warps, uint32_t w)
{
    return (warps->schedule.warps >> w & 1) != 0;
}
static inline const struct byw_machine_inst *byw_warps_next_inst(const struct byw_warps *warps,
                                                                 uint32_t w)
{
    const struct byw_warp *warp = &warps->warp[w];

    return byw_schedule_at(&warps->schedule, warp->pc + warp->run * BYW_MACHINE_INST_BYTES);
}

/* PC of warp w's next record in the trace's own code. */
static inline uint32_t byw_warps_pc(const struct byw_warps *warps, uint32_t w)
{
    uint32_t pc = warps->warp[w].pc;

    return byw_warps_machine(warps, w) ? warps->schedule.pc[pc / BYW_MACHINE_INST_BYTES] : pc;
}

/* Machine code: the instruction that warp w is about to issue holds a barrier for `cycles` cycles.
 */
void byw_warps_hold_barrier(struct byw_warps *warps, uint32_t w, uint32_t barrier,
                            enum byw_holder what, uint64_t now, uint32_t cycles);

/* Places a warp of a CTA in a free slot.  It may be fetched from the next cycle on. */
void byw_warps_place(struct byw_warps *warps, uint32_t slot, const struct byw_cta *cta,
                     const struct byw_warp_trace *trace, uint32_t cta_slot);

/* byw_warps_place() for a warp of a long CTA, whose records are read in windows. number: its number
 * in the CTA. */
void byw_warps_place_windowed(struct byw_warps *warps, uint32_t slot, const struct byw_cta *whole,
                              uint32_t number, uint32_t cta_slot);
/* Warp w, just placed, issues nothing before cycle `until`. */
void byw_warps_hold(struct byw_warps *warps, uint32_t w, uint64_t now, uint64_t until);
void byw_warps_release_windows(struct byw_warps *warps);

/* Advances the wheel to cycle `now`: warps whose time has come become ready, timed loads
 * complete. */
void byw_warps_turn(struct byw_warps *warps, uint64_t now);

/* The next cycle after `now` in which the wheel has work; UINT64_MAX if there is none. */
uint64_t byw_warps_next(const struct byw_warps *warps, uint64_t now);

/* Issues the next instruction of warp w in cycle `now`.  If it has a fixed latency, its result is
 * available `latency` cycles later (0: no result to wait for). */
void byw_warps_issue(struct byw_warps *warps, uint32_t w, uint64_t now, uint32_t latency);

/* Warp w is about to issue an instruction whose result time byw_warps_result() will supply.  Call
 * before byw_warps_issue(), which then gets latency 0.  Returns the ring entry of the result's
 * consumer; BYW_NO_PLACE: nothing consumes it. */
uint8_t byw_warps_expect(struct byw_warps *warps, uint32_t w);

/* The result for ring entry `place` is available `latency` (at least 1) cycles after `now`. */
void byw_warps_result(struct byw_warps *warps, uint32_t w, uint32_t place, uint64_t now,
                      uint32_t latency);

/* Registers the load that warp w is about to issue in cycle `now`.  Call before
 * byw_warps_issue(). */
uint16_t byw_warps_load(struct byw_warps *warps, uint32_t w, uint64_t now);

/* Sets the load's number of transactions. */
static inline void byw_warps_load_made(struct byw_warps *warps, uint16_t load,
                                       uint32_t transactions)
{
    warps->load[load].remaining = warps->story[load].transactions = (uint16_t)transactions;
}

/* One transaction of the load is answered and usable `extra` (below BYW_WHEEL) cycles later.
 * Returns true if it was the last one.  The load completes when all transactions are usable. */
bool byw_warps_load_answer(struct byw_warps *warps, uint16_t load, uint64_t now, uint32_t extra);

/* The whole load completes `cycles` (1 .. BYW_WHEEL - 1) after `now`. */
void byw_warps_load_after(struct byw_warps *warps, uint16_t load, uint64_t now, uint32_t cycles);

/* A store transaction of warp w is acknowledged (counted in byw_warp.stores). */
void byw_warps_store_answer(struct byw_warps *warps, uint32_t w);

/* Releases the warps of `set` from their barrier in cycle `now`; they issue from cycle `until` on.
 */
void byw_warps_release(struct byw_warps *warps, uint64_t set, uint64_t now, uint64_t until);

/* Prefetches the address list of an access that needs it soon. */
static inline void byw_warps_prefetch_list(const struct byw_inst *inst, const struct byw_cta *cta)
{
    const uint64_t *list = &cta->addr[inst->list];
    uint32_t lanes = byw_popcount64(inst->mask);

    for (uint32_t i = 0; i < lanes; i += 64 / sizeof(*list))
        byw_prefetch(list + i);
}

/* Warp w will issue soon: prefetches into the host's cache what that needs. */
void byw_warps_prefetch(const struct byw_warps *warps, uint32_t w);

/* Removes a drained warp. */
void byw_warps_remove(struct byw_warps *warps, uint32_t w);

/* The warp of `set` (not empty) that was placed first.  Each iteration moves to an older one; there
 * is a second iteration only if the warp in the lowest slot is not the oldest. */
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
