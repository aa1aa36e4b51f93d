/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_stalls.h - what each machine instruction of an SM's warps waited for, and what the L1D made
 * of its accesses (member `stalls` of results; `byway source`).
 *
 * Every cycle of a warp that runs machine code, from its placement to its removal, has exactly one
 * cause and one instruction: the one that it issues next (BYW_STALL_DRAIN: its last one).  So the
 * sum over all instructions and causes is the number of cycles for which such warps were resident.
 * A cause ends where the next begins: a wait for a barrier counts from the cycle in which nothing
 * else held the warp, and names the instruction that released a barrier of it last.
 *
 * Answers of the L2 and of the levels below it are distinguished by the requests that the SM's
 * outlet keeps (byw_outlet.h); the H200 has an outlet. Without one, all of them count as
 * BYW_STALL_L2.
 *
 * Nothing here changes the result.  An SM without this (NULL) tests one pointer.
 */
#ifndef BYW_STALLS_H
#define BYW_STALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/byw_status.h"
#include "trace/byw_machine.h"

/* Why a warp did not issue: X(code, name, what it waits for). */
#define BYW_STALL_LIST(X)                                                                          \
    X(BYW_STALL_ISSUED, "issued", "nothing: it issues in this cycle")                              \
    X(BYW_STALL_SCHEDULE, "stall_count", "the stall count of its last instruction")                \
    X(BYW_STALL_BRANCH, "branch", "the target of a branch (sm.machine_branch)")                    \
    X(BYW_STALL_L1, "l1", "an access whose sectors all hit in the L1D")                            \
    X(BYW_STALL_L2, "l2", "an access that the L2 answered")                                        \
    X(BYW_STALL_DRAM, "dram", "an access that the L2 had to fetch from below")                     \
    X(BYW_STALL_SHARED, "shared", "an access to the scratchpad")                                   \
    X(BYW_STALL_CONSTANT, "constant", "a load from constant memory")                               \
    X(BYW_STALL_RESULT, "result", "another result of variable latency (mufu, double, special)")    \
    X(BYW_STALL_OPERANDS, "operands", "operands that an earlier instruction still reads")          \
    X(BYW_STALL_BARRIER, "barrier", "other warps of its CTA, at a barrier")                        \
    X(BYW_STALL_START, "start", "its CTA's turn to begin (gpu.cta_rate)")                          \
    X(BYW_STALL_FETCH, "fetch", "its first instruction")                                           \
    X(BYW_STALL_THROTTLE, "throttle", "the policy, which holds its load back")                     \
    X(BYW_STALL_QUEUE, "lsu_queue", "room in the queue of the load/store unit")                    \
    X(BYW_STALL_PIPE, "pipe", "the pipe of its instruction")                                       \
    X(BYW_STALL_SLOT, "not_selected", "its scheduler, which issued another warp")                  \
    X(BYW_STALL_DRAIN, "drain", "accesses in flight after its last instruction")

enum byw_stall {
#define X(code, name, what) code,
    BYW_STALL_LIST(X)
#undef X
        BYW_STALLS
};

const char *byw_stall_name(enum byw_stall cause);
const char *byw_stall_about(enum byw_stall cause);

/* Of one machine instruction. */
struct byw_stall_row {
    uint64_t
        cycles[BYW_STALLS]; /* warp cycles before it issued, by cause; [ISSUED]: times it did */
    uint64_t threads; /* active lanes, summed over its issues */
    uint64_t requests, sectors; /* requests that the L1D accepted; their 32-byte sectors */
    uint64_t hits, fills, bypasses; /* load requests by what answered: line, fill, past the L1D */
    uint64_t by_l1, by_l2, by_dram; /* loads by the level that answered their slowest sector */
};

/* Cycles for which an instruction waited for another one to release a barrier. */
struct byw_stall_wait {
    uint32_t at, on; /* indices of the instructions */
    uint32_t next; /* same `at`; UINT32_MAX: none */
    enum byw_stall cause;
    uint64_t cycles;
};

struct byw_stall_sums {
    uint32_t count; /* rows; 0: no machine code */
    struct byw_stall_row *row;
    uint32_t *first; /* by instruction: first entry of its list in `wait` */
    struct byw_stall_wait *wait;
    size_t waits, wait_room;
    bool lost; /* memory ran out; the sums lack something */
};

/* _begin: zeros for a kernel of `count` instructions; BYW_ENOMEM.  _add: adds the sums of the same
 * kernel; instructions beyond the size of `to` are dropped. */
enum byw_status byw_stall_sums_begin(struct byw_stall_sums *sums, uint32_t count);
void byw_stall_sums_add(struct byw_stall_sums *to, const struct byw_stall_sums *from);
void byw_stall_sums_wait(struct byw_stall_sums *sums, uint32_t at, uint32_t on,
                         enum byw_stall cause, uint64_t cycles);
void byw_stall_sums_release(struct byw_stall_sums *sums);

/* --- one SM ------------------------------------------------------------------------------- */

struct byw_stalls;

enum { BYW_STALL_WARPS = 64, BYW_STALL_LOADS = 1024 }; /* as in byw_warps.h */

/* What a dependency barrier of the machine code protects: a result until it is written, or operands
 * until they are read. */
enum byw_holder { BYW_HOLDS_RESULT, BYW_HOLDS_OPERANDS };

struct byw_stalls *byw_stalls_create(void); /* NULL: out of memory */
void byw_stalls_free(struct byw_stalls *stalls); /* accepts NULL */

/* A launch with this machine code (NULL: none) begins. _sums: the launch's counts so far. */
void byw_stalls_launch(struct byw_stalls *stalls, const struct byw_machine *machine);
const struct byw_stall_sums *byw_stalls_sums(const struct byw_stalls *stalls);

/* Warp w is placed in cycle `now`; its first instruction has this index. */
void byw_stalls_place(struct byw_stalls *stalls, uint32_t w, uint32_t index, uint64_t now);
/* Assigns `cause` to the cycles of warp w before cycle `until` that have no cause yet. */
void byw_stalls_until(struct byw_stalls *stalls, uint32_t w, enum byw_stall cause, uint64_t until);
/* Assigns `cause` to this cycle of the warps of `set`, which could have issued but did not. */
void byw_stalls_pass(struct byw_stalls *stalls, uint64_t set, enum byw_stall cause);
/* Warp w issues in cycle `now`; rest: the cause of its earlier cycles that have none.  _next: index
 * of the warp's next instruction; UINT32_MAX: none. */
void byw_stalls_issue(struct byw_stalls *stalls, uint32_t w, uint32_t lanes, enum byw_stall rest,
                      uint64_t now);
void byw_stalls_next(struct byw_stalls *stalls, uint32_t w, uint32_t index);

/* _hold: the next instruction of warp w takes entry `load` of the SM's loads (byw_warps.h) and
 * holds a barrier.  _let_go: it releases the barrier; waits: the warp was waiting for that until
 * now. */
void byw_stalls_hold(struct byw_stalls *stalls, uint32_t load, uint32_t w, enum byw_holder what,
                     uint64_t now);
void byw_stalls_let_go(struct byw_stalls *stalls, uint32_t load, uint32_t w, bool waits,
                       uint64_t now);

/* The L1D accepted a request of the instruction at this byte address; load: UINT16_MAX for none. */
void byw_stalls_request(struct byw_stalls *stalls, uint32_t pc, uint32_t load, uint64_t line,
                        uint32_t sectors);
/* A reply reaches the L1D: the line, and whether the L2 had to fetch it. */
void byw_stalls_reply(struct byw_stalls *stalls, uint64_t line, bool fetched, uint64_t now);
/* A request of a load is answered (enum byw_served). */
void byw_stalls_answer(struct byw_stalls *stalls, uint32_t load, int served);

#endif
