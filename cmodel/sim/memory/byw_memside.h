/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_memside.h - the memory side: the components below the L1s and one cycle of them, without the
 * connection to the SMs.  For the memory system's own files and tests only.
 *
 *   byw_memsys.c  ->  byw_memsys_lockstep.c, byw_memsys_ahead.c  ->  byw_memside.c
 *                 ->  byw_memsys_levels.c (GL1s, L3)  ->  byw_icnt.c, byw_l2.c, byw_dram_port.c
 */
#ifndef BYW_MEMSIDE_H
#define BYW_MEMSIDE_H

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

/* How SMs are connected to the memory side: in lock step (byw_memsys_lockstep.c) or ahead of it
 * (byw_memsys_ahead.c).  Functions of byw_memsys.h with the same names. */
struct byw_memsys_mode {
    bool (*ready)(const struct byw_memsys *memsys, uint32_t sm);
    void (*push)(struct byw_memsys *memsys, const struct byw_txn *txn);
    const struct byw_txn *(*reply)(const struct byw_memsys *memsys, uint32_t sm);
    void (*pop)(struct byw_memsys *memsys, uint32_t sm);
    bool (*tight)(const struct byw_memsys *memsys);
};

struct byw_memsys {
    struct byw_config config;
    struct byw_addrmap map;
    struct byw_clock clock;
    struct byw_gpcs gpcs;
    /* fields read by SMs that are ahead; constant while they are */
    const struct byw_memsys_mode *mode;
    struct byw_ahead *ahead; /* byw_memsys_ahead.c; NULL: SMs never run ahead */
    alignas(64) struct byw_packet_pool pool;
    uint32_t sm_packets; /* number of packets in use at which SMs must wait */
    struct byw_icnt request, reply; /* crossbars to and from the L2 */
    struct byw_icnt near_request, near_reply; /* crossbars between SMs and GL1s */
    struct byw_icnt *sm_request, *sm_reply; /* the crossbars that SMs connect to */
    struct byw_l2 *gl1; /* by group: its GL1; NULL: none */
    struct byw_l2 *slice; /* slices of the L2 */
    struct byw_l2 *l3; /* by channel: its L3; NULL: none */
    struct byw_dram_port *channel;
    uint32_t groups; /* groups of SMs, each with a GL1 */
    uint32_t *l3_last; /* by channel: the L2 slice that sent last */
    struct byw_bits slice_runs; /* slices with work now or at a known time */
    struct byw_bits slice_answers; /* slices with packets for the reply crossbar */
    struct byw_bits gl1_runs, l3_runs; /* GL1s and L3s with packets in them or at their ports */
    struct byw_bits channel_runs; /* channels with packets */
    struct byw_bits visible; /* in lock step: SMs that can see a reply */
    uint64_t next_visible; /* in lock step: no further reply is visible before this core cycle */
    uint64_t *slice_wake; /* core cycle before which a slice does nothing unless it receives a
                           * packet */
    struct byw_channel_wake *channel_wake; /* for each channel: cycles before which it does nothing
                                              unless it receives a packet */
    uint64_t cycle, icnt_now, l2_now, dram_now; /* edges so far, by domain */
    uint32_t phase; /* cycle modulo the clocks' period */
    bool flushing; /* a flush was requested */
    uint32_t margin; /* packets that SMs ahead and the memory side may take before they stop */
    uint64_t outstanding; /* replies not yet at their SMs, to requests that have entered */
    uint32_t flits[BYW_MEMSYS_LINE_MAX + 1]; /* flits of a packet, by bytes of data */
    struct byw_mem_stats stats;
    struct byw_mem_ledger *ledger; /* NULL: none */
};

/* --- byw_memsys.c ------------------------------------------------------------------------- */

/* BYW_EINVAL: keys that are inconsistent. */
enum byw_status byw_memsys_config(const struct byw_config *config, struct byw_diag *diag);

/* --- byw_memside.c ------------------------------------------------------------------------ */

/* A slice of the L2 or a channel has received work. */
static inline void byw_memside_rouse_slice(struct byw_memsys *memsys, uint32_t s)
{
    byw_bits_set(&memsys->slice_runs, s);
    memsys->slice_wake[s] = 0;
}

static inline void byw_memside_rouse_channel(struct byw_memsys *memsys, uint32_t c)
{
    byw_bits_set(&memsys->channel_runs, c);
    memsys->channel_wake[c].dram = 0;
}

/* _enter puts a request on the crossbar; _leave removes the oldest reply to SM sm from it. */
void byw_memside_enter(struct byw_memsys *memsys, const struct byw_txn *txn);
void byw_memside_leave(struct byw_memsys *memsys, uint32_t sm);

/* The parts of a cycle: finished packets move to the reply crossbar; an edge of all channels; an
 * edge of the L2, and of one of its slices; a transfer of the crossbars, whose replies SMs see in
 * cycle `seen`. */
void byw_memside_send_replies(struct byw_memsys *memsys);
void byw_memside_dram_step(struct byw_memsys *memsys);
void byw_memside_l2_step(struct byw_memsys *memsys);
void byw_memside_slice_step(struct byw_memsys *memsys, uint32_t s, uint64_t now);
void byw_memside_cross_requests(struct byw_memsys *memsys);
void byw_memside_cross_replies(struct byw_memsys *memsys, uint64_t seen);

/* Runs the edges of a core cycle in order.  The caller supplies the actions at edges of the L2 and
 * crossbar clocks.  Inline, because it is the memory side's inner loop. */
static inline void
byw_memside_steps(struct byw_memsys *memsys, void (*l2_edge)(struct byw_memsys *memsys),
                  void (*crossbar_edge)(struct byw_memsys *memsys, uint64_t seen))
{
    uint32_t count;
    const uint8_t *step = byw_clock_steps(&memsys->clock, memsys->phase, &count);
    uint64_t seen = memsys->cycle + 1 + memsys->config.icnt_eject;

    for (uint32_t i = 0; i < count; i++) {
        if (step[i] & (1U << BYW_CLOCK_ICNT))
            byw_memside_send_replies(memsys);
        if (step[i] & (1U << BYW_CLOCK_DRAM))
            byw_memside_dram_step(memsys);
        if (step[i] & (1U << BYW_CLOCK_L2))
            l2_edge(memsys);
        if (step[i] & (1U << BYW_CLOCK_ICNT))
            crossbar_edge(memsys, seen);
        if (step[i] & (1U << BYW_CLOCK_CORE))
            memsys->pool.now = ++memsys->cycle;
    }
    memsys->phase = (memsys->phase + 1 < memsys->clock.period) ? memsys->phase + 1 : 0;
}

/* Number of core cycles in which nothing changes without a push or a pop; UINT64_MAX: nothing ever
 * will.  Replies that have arrived at SMs do not count.  _slices_quiet ignores the request
 * crossbar. _skip advances the time by at most that many cycles. */
uint64_t byw_memside_quiet(const struct byw_memsys *memsys);
uint64_t byw_memside_slices_quiet(const struct byw_memsys *memsys);
void byw_memside_skip(struct byw_memsys *memsys, uint64_t cycles);

/* --- the two modes ------------------------------------------------------------------------ */

/* From now on SMs run in lock step. */
void byw_memsys_lockstep(struct byw_memsys *memsys);

/* Accepts NULL. */
void byw_ahead_free(struct byw_ahead *ahead);

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
