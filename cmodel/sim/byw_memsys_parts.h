/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_memsys_parts.h - what the memory system is made of; for its own files and tests only.
 */
#ifndef BYW_MEMSYS_PARTS_H
#define BYW_MEMSYS_PARTS_H

#include <stdalign.h>
#include <stdatomic.h>

#include "sim/byw_clock.h"
#include "sim/byw_dram_port.h"
#include "sim/byw_icnt.h"
#include "sim/byw_mem_ledger.h"

enum { BYW_MEMSYS_LINE_MAX = 256 }; /* bytes; the widest line */

/* A channel has something to do from either cycle on. */
struct byw_channel_wake {
    uint64_t core, dram;
};

/* --- SMs ahead ---------------------------------------------------------------------------- */

enum {
    BYW_REPLIES_AHEAD = BYW_AHEAD_MAX, /* replies that an SM is shown at once */
    BYW_PUSHES_AHEAD = 64, /* requests that an SM may have pushed and the inlet not taken */
    BYW_GATE_TURNS = 128,
};

/* The two ports of an SM that is ahead of the memory side.  What one thread writes again and again
 * and another reads is in cache lines of its own. */
struct byw_sm_port {
    /* the SM's */
    alignas(64) uint64_t at; /* the cycle it steps */
    uint64_t open_at; /* the cycle from which it may push again */
    uint32_t in_limit; /* requests in its buffer to the crossbar */
    uint32_t next_push, next_pop; /* `pushed` and `popped` */
    uint32_t drained_seen, taken_seen, known; /* `drained`, `taken` and `shown` when it looked */
    bool shut; /* its buffer to the crossbar is full in this cycle */
    struct byw_txn seen; /* the reply shown last: id, port, mispredict */
    /* the SM's, for the memory side */
    alignas(64) _Atomic uint32_t pushed; /* requests */
    _Atomic uint32_t popped; /* replies */
    struct {
        uint64_t cycle;
        struct byw_txn txn;
    } push[BYW_PUSHES_AHEAD]; /* by number */
    uint32_t pop[BYW_REPLIES_AHEAD]; /* by number: low bits of the cycle */
    /* the memory side's, for the SM */
    alignas(64) _Atomic uint32_t shown; /* replies */
    _Atomic uint32_t drained; /* requests that have left the buffer to the crossbar */
    _Atomic uint32_t taken; /* requests that have come to it or further */
    struct {
        uint64_t ready; /* the cycle in which the SM sees it */
        uint32_t id;
        uint8_t port;
        bool mispredict;
    } reply[BYW_REPLIES_AHEAD]; /* by number */
    /* the memory side's */
    alignas(64) uint32_t entered; /* `taken` */
    uint32_t booked; /* requests in the calendar, those taken included */
    uint32_t told; /* `shown` */
    uint32_t gone; /* replies whose pop it has come to */
    uint32_t last; /* packet shown last */
    uint32_t packet[BYW_REPLIES_AHEAD]; /* of replies shown, by number */
};

/* When a slice takes packets from the request crossbar, told by the slice to the inlet behind it:
 * the L2 edges from which that is no longer, and again, so. */
struct byw_gate {
    bool now, last; /* at the inlet's edge; after the slice's last cycle */
    uint32_t head, tail; /* turns before, and told */
    uint64_t turn[BYW_GATE_TURNS];
};

/* The request crossbar up to the slices' delay lines. */
struct byw_inlet {
    uint64_t cycle, l2_now; /* edges so far */
    uint32_t phase;
    uint32_t lead; /* core cycles that the slices may be ahead; 0: both keep step */
    struct byw_gate *gate; /* by slice */
    uint64_t *booked; /* by cycle modulo BYW_AHEAD_MAX: the SMs that pushed */
    uint64_t any[BYW_AHEAD_MAX / 64]; /* the cycles in which one did */
    uint32_t words; /* of a set of SMs */
    bool jammed; /* a gate has hardly room for further turns */
    uint64_t returned[BYW_AHEAD_MAX / 16]; /* packets returned to the pool before a block of 16
                                              cycles of the slices */
    uint64_t block; /* the last one */
    uint64_t promised; /* no further reply is seen before this cycle */
    uint64_t strays; /* replies owed from before SMs were ahead */
    uint32_t crossings; /* replies that may arrive at an SM in a core cycle */
    alignas(64) _Atomic uint64_t seen; /* `cycle`, for SMs */
};

struct byw_memsys {
    struct byw_config config;
    struct byw_addrmap map;
    struct byw_clock clock;
    /* what SMs that are ahead look at does not change meanwhile */
    bool ahead; /* they are */
    struct byw_inlet *inlet; /* NULL: they never are */
    struct byw_sm_port *port; /* by SM */
    alignas(64) struct byw_packet_pool pool;
    uint32_t sm_packets; /* packets in use from which SMs must wait */
    struct byw_icnt request, reply; /* to and from the L2 */
    struct byw_icnt near_request, near_reply; /* between SMs and GL1s */
    struct byw_icnt *sm_request, *sm_reply; /* those the SMs are at */
    struct byw_l2 *gl1; /* by group; NULL: none */
    struct byw_l2 *slice; /* of the L2 */
    struct byw_l2 *l3; /* by channel; NULL: none */
    struct byw_dram_port *channel;
    uint32_t groups; /* of SMs, each with a GL1 */
    uint32_t *l3_last; /* by channel: the L2 slice that sent last */
    struct byw_bits slice_runs; /* slices with work now or at a known time */
    struct byw_bits slice_answers; /* slices with packets for the reply crossbar */
    struct byw_bits gl1_runs, l3_runs; /* those with packets near them */
    struct byw_bits channel_runs; /* channels with packets */
    struct byw_bits visible; /* SMs that can see a reply */
    uint64_t next_visible; /* no further reply is seen before this core cycle */
    uint64_t *slice_wake; /* core cycle before which a slice does nothing unless given a packet */
    struct byw_channel_wake *channel_wake; /* likewise of a channel */
    uint64_t cycle, icnt_now, l2_now, dram_now; /* edges so far, by domain */
    uint32_t phase; /* cycle modulo the clocks' period */
    bool flushing; /* a flush was asked for */
    bool crowded; /* replies at an SM may fill its buffer; looked at before each cycle */
    uint32_t margin; /* packets that SMs ahead and the memory side may take until they stop */
    uint64_t announced; /* replies shown */
    uint64_t owed; /* replies to requests that have entered, not arrived at their SMs */
    uint32_t flits[BYW_MEMSYS_LINE_MAX + 1]; /* of a packet, by bytes of data */
    struct byw_mem_stats stats;
    struct byw_mem_ledger *ledger; /* NULL: none */
};

/* --- byw_memsys_create.c ------------------------------------------------------------------ */

/* BYW_EINVAL for keys that do not fit each other. */
enum byw_status byw_memsys_config(const struct byw_config *config, struct byw_diag *diag);

/* --- byw_memsys.c ------------------------------------------------------------------------- */

/* A slice of the L2 or a channel has got something to do. */
static inline void byw_memsys_rouse_slice(struct byw_memsys *memsys, uint32_t s)
{
    byw_bits_set(&memsys->slice_runs, s);
    memsys->slice_wake[s] = 0;
}

static inline void byw_memsys_rouse_channel(struct byw_memsys *memsys, uint32_t c)
{
    byw_bits_set(&memsys->channel_runs, c);
    memsys->channel_wake[c].dram = 0;
}

/* What byw_memsys_push() and _pop() do in a cycle of the memory side. */
void byw_memsys_enter(struct byw_memsys *memsys, const struct byw_txn *txn);
void byw_memsys_leave(struct byw_memsys *memsys, uint32_t sm);

/* Replies that have arrived at SMs may be seen now. */
void byw_memsys_look(struct byw_memsys *memsys);

/* The parts of a cycle: finished packets go to the reply crossbar, an edge of all channels, an edge
 * of slice s, a transfer of the reply crossbar whose replies SMs see in cycle `seen`. */
void byw_memsys_send_replies(struct byw_memsys *memsys);
void byw_memsys_dram_step(struct byw_memsys *memsys);
void byw_memsys_slice_step(struct byw_memsys *memsys, uint32_t s, uint64_t now);
void byw_memsys_cross_replies(struct byw_memsys *memsys, uint64_t seen);

/* The edges of a core cycle in their order; what an edge of the L2's and of the crossbars' clock
 * does is the caller's.  Inlined, since it is the memory side's inner loop. */
static inline void byw_memsys_steps(struct byw_memsys *memsys,
                                    void (*l2_edge)(struct byw_memsys *memsys),
                                    void (*crossbar_edge)(struct byw_memsys *memsys, uint64_t seen))
{
    uint32_t count;
    const uint8_t *step = byw_clock_steps(&memsys->clock, memsys->phase, &count);
    uint64_t seen = memsys->cycle + 1 + memsys->config.icnt_eject;

    for (uint32_t i = 0; i < count; i++) {
        if (step[i] & (1U << BYW_CLOCK_ICNT))
            byw_memsys_send_replies(memsys);
        if (step[i] & (1U << BYW_CLOCK_DRAM))
            byw_memsys_dram_step(memsys);
        if (step[i] & (1U << BYW_CLOCK_L2))
            l2_edge(memsys);
        if (step[i] & (1U << BYW_CLOCK_ICNT))
            crossbar_edge(memsys, seen);
        if (step[i] & (1U << BYW_CLOCK_CORE))
            memsys->pool.now = ++memsys->cycle;
    }
    memsys->phase = (memsys->phase + 1 < memsys->clock.period) ? memsys->phase + 1 : 0;
}

/* byw_memsys_quiet() of all but the request crossbar. */
uint64_t byw_memsys_slices_quiet(const struct byw_memsys *memsys);

/* --- byw_memsys_inlet.c ------------------------------------------------------------------- */

enum byw_status byw_memsys_inlet_create(struct byw_memsys *memsys);
void byw_memsys_inlet_free(struct byw_memsys *memsys);

/* Both start from the memory side's cycle. */
void byw_memsys_inlet_part(struct byw_memsys *memsys);

/* SM sm has pushed a request in a cycle; whether one has, in the inlet's; the first cycle from
 * `from` on in which one has, `to` if there is none before. */
void byw_memsys_book(struct byw_memsys *memsys, uint32_t sm, uint64_t cycle);
uint64_t byw_memsys_next_booked(const struct byw_memsys *memsys, uint64_t from, uint64_t to);
bool byw_memsys_take_booked(struct byw_memsys *memsys, uint64_t cycle);

/* byw_memsys_run() where the slices may be ahead of the inlet. */
void byw_memsys_inlet_run(struct byw_memsys *memsys, uint64_t known, uint64_t until);

/* Packets that slices ahead of the inlet have returned and that are in use at its cycle. */
uint64_t byw_memsys_inlet_early(const struct byw_memsys *memsys);

/* --- byw_memsys_ahead.c ------------------------------------------------------------------- */

/* The replies that came in the last transfer are shown to their SMs, which see them in cycle
 * `seen`. */
void byw_memsys_announce(struct byw_memsys *memsys, uint64_t seen);

/* Whether every SM's buffer of replies has room in the next cycle of the slices, or SMs are through
 * that cycle (it is before `known`) and their pops are counted. */
bool byw_memsys_replies_fit(struct byw_memsys *memsys, uint64_t known);

/* SM sm's next request enters. */
void byw_memsys_take_push(struct byw_memsys *memsys, uint32_t sm);

/* byw_memsys_ready(), _push(), _reply() and _pop() of an SM that is ahead. */
bool byw_memsys_ahead_ready(const struct byw_memsys *memsys, uint32_t sm);
void byw_memsys_ahead_push(struct byw_memsys *memsys, const struct byw_txn *txn);
const struct byw_txn *byw_memsys_ahead_reply(const struct byw_memsys *memsys, uint32_t sm);
void byw_memsys_ahead_pop(struct byw_memsys *memsys, uint32_t sm);

/* --- byw_memsys_levels.c: the GL1s and the L3 --------------------------------------------- */

/* Puts a packet on the crossbar to the L2. */
void byw_memsys_inject(struct byw_memsys *memsys, uint32_t input, uint32_t packet);

/* The part of a crossbar cycle of all GL1s, and of an L2 cycle of the whole L3. */
void byw_memsys_gl1_step(struct byw_memsys *memsys);
void byw_memsys_l3_step(struct byw_memsys *memsys, uint64_t now);

/* Set of the GL1 that an address goes to. */
uint32_t byw_memsys_gl1_set(const struct byw_memsys *memsys, uint64_t addr);

/* The core cycle in which they have something to do next; UINT64_MAX: not without others. */
uint64_t byw_memsys_levels_wake(const struct byw_memsys *memsys);

#endif
