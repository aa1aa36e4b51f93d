/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_memsys_parts.h - the components of the memory system; for its own files and tests only.
 */
#ifndef BYW_MEMSYS_PARTS_H
#define BYW_MEMSYS_PARTS_H

#include <stdalign.h>
#include <stdatomic.h>

#include "sim/memory/byw_clock.h"
#include "sim/memory/byw_dram_port.h"
#include "sim/memory/byw_icnt.h"
#include "sim/memory/byw_mem_ledger.h"

enum { BYW_MEMSYS_LINE_MAX = 256 }; /* bytes of the widest line */

/* A channel may have work from either of these cycles on. */
struct byw_channel_wake {
    uint64_t core, dram;
};

/* --- SMs ahead ---------------------------------------------------------------------------- */

enum {
    BYW_REPLIES_AHEAD = BYW_AHEAD_MAX, /* most replies shown to an SM at once */
    BYW_PUSHES_AHEAD = 64, /* most requests that an SM may have pushed and the inlet not taken */
    BYW_GATE_TURNS = 128,
};

/* The two ports of an SM that is ahead of the memory side.  Fields that one thread writes often and
 * another reads are in separate cache lines. */
struct byw_sm_port {
    /* used by the SM */
    alignas(64) uint64_t at; /* the cycle it steps */
    uint64_t open_at; /* first cycle in which it may push again */
    uint32_t in_limit; /* most requests in its buffer to the crossbar */
    uint32_t next_push, next_pop; /* local copies of `pushed` and `popped` */
    uint32_t drained_seen, taken_seen, known; /* `drained`, `taken` and `shown` when last read */
    bool shut; /* its buffer to the crossbar is full in this cycle */
    struct byw_txn seen; /* the last reply shown: id, port, mispredict */
    /* written by the SM, read by the memory side */
    alignas(64) _Atomic uint32_t pushed; /* requests */
    _Atomic uint32_t popped; /* replies */
    struct {
        uint64_t cycle;
        struct byw_txn txn;
    } push[BYW_PUSHES_AHEAD]; /* by number */
    uint32_t pop[BYW_REPLIES_AHEAD]; /* by number: low bits of the cycle */
    /* written by the memory side, read by the SM */
    alignas(64) _Atomic uint32_t shown; /* replies */
    _Atomic uint32_t drained; /* requests that have left the buffer to the crossbar */
    _Atomic uint32_t taken; /* requests that have entered that buffer */
    struct {
        uint64_t ready; /* the cycle in which the SM sees it */
        uint32_t id;
        uint8_t port;
        bool mispredict;
    } reply[BYW_REPLIES_AHEAD]; /* by number */
    /* used by the memory side */
    alignas(64) uint32_t entered; /* local copy of `taken` */
    uint32_t booked; /* requests in the calendar, including those taken */
    uint32_t told; /* local copy of `shown` */
    uint32_t gone; /* replies whose pop the memory side has reached */
    uint32_t last; /* the last packet shown */
    uint32_t packet[BYW_REPLIES_AHEAD]; /* of the replies shown, by number */
};

/* When a slice accepts packets from the request crossbar, reported by the slice to the inlet, which
 * is behind in time: the L2 edges at which this changes. */
struct byw_gate {
    bool now, last; /* at the inlet's edge; after the slice's last cycle */
    uint32_t head, tail; /* changes consumed; changes reported */
    uint64_t turn[BYW_GATE_TURNS];
};

/* The request crossbar up to the slices' delay lines. */
struct byw_inlet {
    uint64_t cycle, l2_now; /* edges so far */
    uint32_t phase;
    uint32_t lead; /* core cycles that the slices may be ahead; 0: lock step */
    struct byw_gate *gate; /* by slice */
    uint64_t *booked; /* by cycle modulo BYW_AHEAD_MAX: SMs that pushed in it */
    uint64_t any[BYW_AHEAD_MAX / 64]; /* cycles in which an SM pushed */
    uint32_t words; /* words of a set of SMs */
    bool jammed; /* a gate has little room for further changes */
    uint64_t returned[BYW_AHEAD_MAX / 16]; /* packets returned to the pool before each block of 16
                                            * cycles of the slices */
    uint64_t block; /* the last block */
    uint64_t promised; /* no further reply is visible before this cycle */
    uint64_t strays; /* outstanding replies from before the SMs were ahead */
    uint32_t crossings; /* replies that can arrive at an SM in a core cycle */
    alignas(64) _Atomic uint64_t seen; /* `cycle`, published to the SMs */
};

struct byw_memsys {
    struct byw_config config;
    struct byw_addrmap map;
    struct byw_clock clock;
    /* fields read by SMs that are ahead; constant while they are */
    bool ahead; /* the SMs are ahead */
    struct byw_inlet *inlet; /* NULL: SMs never run ahead */
    struct byw_sm_port *port; /* by SM */
    alignas(64) struct byw_packet_pool pool;
    uint32_t sm_packets; /* number of packets in use at which SMs must wait */
    struct byw_icnt request, reply; /* to and from the L2 */
    struct byw_icnt near_request, near_reply; /* between SMs and GL1s */
    struct byw_icnt *sm_request, *sm_reply; /* the crossbars that SMs connect to */
    struct byw_l2 *gl1; /* by group; NULL: none */
    struct byw_l2 *slice; /* of the L2 */
    struct byw_l2 *l3; /* by channel; NULL: none */
    struct byw_dram_port *channel;
    uint32_t groups; /* groups of SMs, each with a GL1 */
    uint32_t *l3_last; /* by channel: the L2 slice that sent last */
    struct byw_bits slice_runs; /* slices with work now or at a known time */
    struct byw_bits slice_answers; /* slices with packets for the reply crossbar */
    struct byw_bits gl1_runs, l3_runs; /* those with packets in or near them */
    struct byw_bits channel_runs; /* channels with packets */
    struct byw_bits visible; /* SMs that can see a reply */
    uint64_t next_visible; /* no further reply is visible before this core cycle */
    uint64_t *slice_wake; /* core cycle before which a slice does nothing unless it receives a
                           * packet */
    struct byw_channel_wake *channel_wake; /* the same for each channel */
    uint64_t cycle, icnt_now, l2_now, dram_now; /* edges so far, by domain */
    uint32_t phase; /* cycle modulo the clocks' period */
    bool flushing; /* a flush was requested */
    bool crowded; /* replies may fill an SM's buffer; checked before each cycle */
    uint32_t margin; /* packets that SMs ahead and the memory side may take before they stop */
    uint64_t announced; /* replies shown */
    uint64_t owed; /* replies to requests that have entered, not arrived at their SMs */
    uint32_t flits[BYW_MEMSYS_LINE_MAX + 1]; /* of a packet, by bytes of data */
    struct byw_mem_stats stats;
    struct byw_mem_ledger *ledger; /* NULL: none */
};

/* --- byw_memsys_create.c ------------------------------------------------------------------ */

/* BYW_EINVAL: keys that are inconsistent. */
enum byw_status byw_memsys_config(const struct byw_config *config, struct byw_diag *diag);

/* --- byw_memsys.c ------------------------------------------------------------------------- */

/* A slice of the L2 or a channel has received work. */
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

/* The work of byw_memsys_push() and _pop() in a cycle of the memory side. */
void byw_memsys_enter(struct byw_memsys *memsys, const struct byw_txn *txn);
void byw_memsys_leave(struct byw_memsys *memsys, uint32_t sm);

/* Makes replies visible that have arrived at SMs. */
void byw_memsys_look(struct byw_memsys *memsys);

/* The parts of a cycle: finished packets move to the reply crossbar; an edge of all channels; an
 * edge of slice s; a transfer of the reply crossbar whose replies SMs see in cycle `seen`. */
void byw_memsys_send_replies(struct byw_memsys *memsys);
void byw_memsys_dram_step(struct byw_memsys *memsys);
void byw_memsys_slice_step(struct byw_memsys *memsys, uint32_t s, uint64_t now);
void byw_memsys_cross_replies(struct byw_memsys *memsys, uint64_t seen);

/* Runs the edges of a core cycle in order.  The caller supplies the actions at edges of the L2 and
 * crossbar clocks.  Inline, because it is the memory side's inner loop. */
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

/* byw_memsys_quiet() without the request crossbar. */
uint64_t byw_memsys_slices_quiet(const struct byw_memsys *memsys);

/* --- byw_memsys_inlet.c ------------------------------------------------------------------- */

enum byw_status byw_memsys_inlet_create(struct byw_memsys *memsys);
void byw_memsys_inlet_free(struct byw_memsys *memsys);

/* Inlet and slices start from the memory side's cycle. */
void byw_memsys_inlet_part(struct byw_memsys *memsys);

/* _book: SM sm has pushed a request in a cycle.  _next_booked: the first cycle from `from` on in
 * which an SM has, or `to` if there is none before it.  _take_booked: whether one has in the
 * inlet's cycle. */
void byw_memsys_book(struct byw_memsys *memsys, uint32_t sm, uint64_t cycle);
uint64_t byw_memsys_next_booked(const struct byw_memsys *memsys, uint64_t from, uint64_t to);
bool byw_memsys_take_booked(struct byw_memsys *memsys, uint64_t cycle);

/* byw_memsys_run() if the slices may be ahead of the inlet. */
void byw_memsys_inlet_run(struct byw_memsys *memsys, uint64_t known, uint64_t until);

/* Packets that slices ahead of the inlet have returned but that are still in use at the inlet's
 * cycle. */
uint64_t byw_memsys_inlet_early(const struct byw_memsys *memsys);

/* --- byw_memsys_ahead.c ------------------------------------------------------------------- */

/* Shows the replies of the last transfer to their SMs, which see them in cycle `seen`. */
void byw_memsys_announce(struct byw_memsys *memsys, uint64_t seen);

/* Whether every SM's reply buffer has room in the next cycle of the slices, or the SMs have
 * finished that cycle (it is before `known`) and their pops are counted. */
bool byw_memsys_replies_fit(struct byw_memsys *memsys, uint64_t known);

/* SM sm's next request enters. */
void byw_memsys_take_push(struct byw_memsys *memsys, uint32_t sm);

/* byw_memsys_ready(), _push(), _reply() and _pop() for an SM that is ahead. */
bool byw_memsys_ahead_ready(const struct byw_memsys *memsys, uint32_t sm);
void byw_memsys_ahead_push(struct byw_memsys *memsys, const struct byw_txn *txn);
const struct byw_txn *byw_memsys_ahead_reply(const struct byw_memsys *memsys, uint32_t sm);
void byw_memsys_ahead_pop(struct byw_memsys *memsys, uint32_t sm);

/* --- byw_memsys_levels.c: the GL1s and the L3 --------------------------------------------- */

/* Puts a packet on the crossbar to the L2. */
void byw_memsys_inject(struct byw_memsys *memsys, uint32_t input, uint32_t packet);

/* The work of all GL1s in a crossbar cycle, and of the whole L3 in an L2 cycle. */
void byw_memsys_gl1_step(struct byw_memsys *memsys);
void byw_memsys_l3_step(struct byw_memsys *memsys, uint64_t now);

/* The GL1 set of an address. */
uint32_t byw_memsys_gl1_set(const struct byw_memsys *memsys, uint64_t addr);

/* The core cycle in which GL1s and L3 next have work; UINT64_MAX: not without other parts. */
uint64_t byw_memsys_levels_wake(const struct byw_memsys *memsys);

#endif
