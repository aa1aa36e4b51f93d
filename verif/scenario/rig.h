/* SPDX-License-Identifier: Apache-2.0
 *
 * rig.h - test rig of the scenarios: the Verilated byw_l1d and its C twin in lock step, a requester
 * in front of both and a memory behind them.
 *
 * Every cycle both caches get the same inputs. All outputs, events and bytes must be equal, valid
 * and payload must stay until they are taken, and the twin's invariants must hold. Every answer
 * must belong to a waiting request, and a load without error must return the bytes of a flat memory
 * that applies requests in the order of acceptance. When a scenario returns, the rig drains and
 * flushes the caches, and compares the memory image with the flat one. A scenario adds what its
 * header comment says: cycles, orders, counts.
 *
 * Cycles are numbered from the reset of rig_start(). The "cycle of a request" is that of its
 * acceptance: t of rtl/doc/l1d_pipeline.md.
 *
 * A scenario is one file NNN-behaviour.c with one function, `scenario`. Numbers: 000 pipeline and
 * channels, 100 tags, reset, kernel boundary, 200 stores and local lines, 300 misses and fills, 400
 * bypassing; these run with allocate on miss. 500: allocate on fill, with sectors. 600: optional
 * features of the port (rtl/doc/handshake.md), at their own sizes, one per order guard. 700: the
 * look stage, at its own size. A scenario is compiled once and runs at several sizes, so it takes
 * numbers from rig->size.
 */
#ifndef BYW_RIG_H
#define BYW_RIG_H

#include <setjmp.h>

#include "cosim/lock.h"
#include "l1d/byw_l1d.h"
#include "policy/byw_policy_events.h"
#include "scenario/rig_ports.h"

enum {
    RIG_LINE = 128, /* bytes, the widest line */
    RIG_LINES = 1024, /* lines of the memory; higher addresses wrap */
    RIG_IDS = 2048, /* requests of one scenario */
    RIG_LR = 0x52, /* functions of an atomic in this memory: load-reserved */
    RIG_SC = 0x53, /* store-conditional; all others add 1 to each byte */
};

/* Parameters of the Verilated cache. */
struct rig_size {
    const char *name;
    uint32_t alloc; /* BYW_ALLOC_* */
    uint32_t sectors, sets, ways, tag_ways, line, repl, look, rc_bits, mshrs, merges, miss_depth,
        bypass_depth, trackers, line_bits;
    struct byw_port port;
};

/* A request of the scenario. */
struct rig_ask {
    uint64_t line;
    uint64_t accepted, answered; /* cycles of these events */
    uint32_t answers; /* must still be 1 at the end */
    uint8_t op, served;
    bool taken, error, lost; /* lost: a reset dropped it */
    bool result; /* an SC: the answer is its result, not bytes of a line */
    struct byw_byte_mask bytes; /* the bytes asked for */
    uint8_t want[RIG_LINE], got[RIG_LINE];
};

/* A request that left at the memory port. */
struct rig_fetch {
    uint64_t line;
    uint64_t taken; /* cycle in which the memory accepted it */
    uint32_t id, pc, func;
    uint8_t kind;
    uint8_t come; /* beats of a fill that were accepted */
    bool waits; /* waits for its answer to be accepted */
    bool write, atomic, predicted, performed;
    struct byw_byte_mask bytes;
    uint8_t sent[RIG_LINE]; /* bytes sent by a write or atomic */
    uint8_t data[RIG_LINE]; /* bytes of the memory when it was performed, or the SC's result */
};

struct rig {
    struct lock l; /* seed, cycle, random numbers, the Verilated module */
    struct rig_size size;
    struct byw_config config;
    struct byw_l1d *l1d;
    struct byw_l1d_in in; /* ctrl: set by the scenario; pulses last one cycle */
    struct byw_l1d_out out; /* outputs of the last cycle */
    uint64_t cycle;

    /* set by the scenario: */
    uint32_t cfg,
        pc_cfg; /* the RTL's settings, applied by rig_reset(); at the start those of config */
    bool rsp_ready, mem_ready; /* both true at the start */
    bool hold; /* the memory answers only on rig_answer() */
    uint32_t latency; /* else: cycles from mem_req to mem_rsp, at least 1 */
    bool late; /* the memory performs a request when it answers, not when it takes it */
    uint64_t error_line; /* reads of it fail */
    bool mispredict; /* the L2 reports a reuse with each answer to a predicted bypass */
    uint32_t pc, func; /* PC and function of the next requests */

    struct rig_ask ask[RIG_IDS];
    uint32_t asks; /* requests offered so far; ids count from 0 */
    uint32_t order[RIG_IDS]; /* ids as they were answered */
    uint32_t answers;
    struct rig_fetch fetch[2 * RIG_IDS];
    uint32_t fetches;
    uint64_t ev[BYW_EV_COUNT], pev[BYW_PEV_COUNT]; /* pulses since rig_start() */

    /* set by the rig: */
    struct rig_ports ports;
    struct rig_held held; /* outputs offered and not taken in the last cycle */
    uint8_t req_data[RIG_LINE];
    uint8_t rsp_data[RIG_LINE];
    uint32_t open_fetch; /* index of the fetch that mem_rsp answers */
    bool reserved; /* the memory keeps a reservation */
    uint64_t reserved_line;
    uint8_t mem[RIG_LINES][RIG_LINE], flat[RIG_LINES][RIG_LINE];
    uint64_t requests; /* number of requests in all scenarios */
    const char *name;
    jmp_buf out_of_here;
};

/* The function that a scenario's file defines; the build adds its number to the name. */
void scenario(struct rig *r);

/* Bytes of the data ports; with beats one beat, and every request of the rig is for its line's
 * first. */
static inline uint32_t rig_port_bytes(const struct rig *r)
{
    return r->size.port.beat_bytes != 0 ? r->size.port.beat_bytes : r->size.line;
}

/* Whether memory answers write-backs, too. */
static inline bool rig_wb_acks(const struct rig *r)
{
    return r->size.port.order != BYW_ORDER_OFF || r->size.port.fence != 0;
}

/* Configuration of the rig's size, base mode, stores evict. rig_start() creates two empty caches
 * from it and starts the cycle count. */
struct byw_config rig_config(const struct rig *r);
void rig_start(struct rig *r, const struct byw_config *config);
/* One reset cycle at any time; the memory drops the answers that it owes. */
void rig_reset(struct rig *r);

/* Line number k of a set. */
static inline uint64_t rig_line(const struct rig *r, uint32_t set, uint32_t k)
{
    return set + (uint64_t)k * r->size.sets;
}

/* Offers a request until it is accepted, for all bytes of the line, with random data. Returns its
 * id. */
uint32_t rig_offer(struct rig *r, enum byw_op op, uint64_t line, enum byw_hint hint);
/* Bytes first..first+count-1 only. */
uint32_t rig_offer_bytes(struct rig *r, enum byw_op op, uint64_t line, uint32_t first,
                         uint32_t count);

/* Offers a request for all bytes of one sector. */
uint32_t rig_offer_sector(struct rig *r, enum byw_op op, uint64_t line, uint32_t sector);

/* A fence, hint BYW_FENCE_*. */
uint32_t rig_send_fence(struct rig *r, uint32_t what);

/* _cycle runs one cycle, _run n cycles, _until the cycles before number `cycle`. */
void rig_cycle(struct rig *r);
void rig_run(struct rig *r, uint32_t n);
void rig_until(struct rig *r, uint64_t cycle);

/* Offers and runs until accepted. */
uint32_t rig_send(struct rig *r, enum byw_op op, uint64_t line);
uint32_t rig_send_hint(struct rig *r, enum byw_op op, uint64_t line, enum byw_hint hint);
uint32_t rig_send_sector(struct rig *r, enum byw_op op, uint64_t line, uint32_t sector);
/* Runs until everything is answered and both caches are idle. */
void rig_drain(struct rig *r);
/* Sends a request and runs until it is answered and both caches are idle. */
uint32_t rig_do(struct rig *r, enum byw_op op, uint64_t line);
uint32_t rig_do_sector(struct rig *r, enum byw_op op, uint64_t line, uint32_t sector);

/* While r->hold is set, memory answers only on request: rig_show_answer() offers the answer to the
 * oldest waiting fetch of the line; rig_answer() also runs until it is accepted and returns that
 * cycle; rig_answer_fetch() answers fetch number i. */
void rig_show_answer(struct rig *r, uint64_t line, bool error);
uint64_t rig_answer(struct rig *r, uint64_t line, bool error);
uint64_t rig_answer_fetch(struct rig *r, uint32_t i);

/* Cycles from acceptance to answer. */
static inline uint64_t rig_took(const struct rig *r, uint32_t id)
{
    return r->ask[id].answered - r->ask[id].accepted;
}

/* Checks.  `what` names the quantity; a difference ends the scenario with its line. */
#define rig_same(r, what, want, got)                                                               \
    rig_same_at((r), __LINE__, (what), (uint64_t)(want), (uint64_t)(got))
#define rig_true(r, what, condition) rig_same_at((r), __LINE__, (what), 1, (condition) ? 1 : 0)
void rig_same_at(struct rig *r, int line, const char *what, uint64_t want, uint64_t got);

/* Checks that a request was served this way and, if cycles is not 0, took so many. */
#define rig_served(r, id, how, cycles) rig_served_at((r), __LINE__, (id), (how), (cycles))
void rig_served_at(struct rig *r, int line, uint32_t id, enum byw_served how, uint64_t cycles);

#endif
