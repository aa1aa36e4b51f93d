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

enum { BYW_REPLIES_AHEAD = 2 * BYW_AHEAD_MAX }; /* that an SM is shown at once */

/* An SM's side of its two ports while it is ahead of the memory side. */
struct byw_sm_port {
    alignas(64) uint64_t at; /* the cycle it steps */
    uint64_t open_at; /* the cycle from which it may push again */
    uint64_t
        *slots; /* of its lane: by cycle modulo BYW_AHEAD_MAX the SMs that pushed, that popped */
    uint32_t popped; /* replies */
    uint32_t known; /* replies shown, when it looked last */
    bool exact; /* it keeps step with the memory side, its buffer is crowded */
    _Atomic bool crowded;
    struct byw_txn pushed[BYW_AHEAD_MAX]; /* by cycle */
    /* and the memory side's */
    alignas(64) _Atomic uint32_t shown; /* replies */
    uint32_t taken; /* of them, whose pop it has come to */
    uint32_t last; /* packet shown last */
    struct {
        uint64_t ready;
        uint32_t packet;
    } reply[BYW_REPLIES_AHEAD]; /* by number */
};

struct byw_memsys {
    struct byw_config config;
    struct byw_addrmap map;
    struct byw_clock clock;
    struct byw_packet_pool pool;
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
    bool ahead; /* the SMs are */
    uint32_t lanes, slot_words; /* words of a set of SMs */
    uint32_t margin; /* packets that SMs ahead and the memory side may take until they stop */
    uint64_t announced; /* replies shown */
    uint64_t *slots; /* of all lanes */
    struct byw_sm_port *port; /* by SM */
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

/* --- byw_memsys_ahead.c ------------------------------------------------------------------- */

/* The replies that came in the last transfer are shown to their SMs. */
void byw_memsys_announce(struct byw_memsys *memsys);

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
