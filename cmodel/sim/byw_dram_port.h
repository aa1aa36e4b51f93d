/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_dram_port.h - between the slices of a channel, of the L2 or of the L3, and its DRAM.
 *
 * In a DRAM cycle, in this order: one returned packet moves to its slice's from_dram queue; the
 * DRAM works; one packet of a to_dram queue (slices round robin) enters the delay line of
 * dram.latency core cycles; one whose delay is over enters the DRAM scheduler.  A slice may send
 * only with a credit: one of its own, or one of the dram.queue + dram.return_queue - (slices - 1)
 * shared ones; the credit comes back when the packet leaves DRAM.  It may send only while its
 * from_dram queue is not full and the scheduler takes requests.
 *
 * dram.ideal: in a DRAM cycle every packet whose dram.latency is over goes back, and every packet
 * in a to_dram queue starts.  No request is slower than that with the real DRAM.
 */
#ifndef BYW_DRAM_PORT_H
#define BYW_DRAM_PORT_H

#include "sim/byw_addrmap.h"
#include "sim/byw_dram.h"
#include "sim/byw_l2.h"

struct byw_dram_port {
    struct byw_dram dram;
    const struct byw_addrmap *map;
    struct byw_packet_pool *pool;
    struct byw_l2 *slice; /* the first of this channel's */
    uint32_t slices;
    uint32_t latency; /* core cycles */
    uint32_t last; /* slice that sent last */
    uint32_t shared, shared_limit; /* credits in use */
    bool *own; /* per slice: its own credit is in use */
    struct byw_fifo delay;
    uint32_t atom_bytes;
    bool ideal;
    struct byw_mem_observer observer; /* its function is NULL when there is none */
};

enum byw_status byw_dram_port_init(struct byw_dram_port *port, const struct byw_config *config,
                                   const struct byw_addrmap *map, struct byw_packet_pool *pool,
                                   struct byw_l2 *first_slice, uint32_t slices,
                                   struct byw_mem_stats *stats);
void byw_dram_port_free(struct byw_dram_port *port);

/* The now-th DRAM cycle.  Returns the slices (of this channel) that got a packet, as a set. */
uint64_t byw_dram_port_cycle(struct byw_dram_port *port, uint64_t core_now, uint64_t now);

/* Lower bounds on when something happens next: a core cycle for the delay line and a DRAM cycle for
 * the rest; UINT64_MAX: never without a packet from a slice.  A full scheduler takes nothing before
 * a cycle of its own. */
static inline void byw_dram_port_wake(const struct byw_dram_port *port, uint64_t now,
                                      uint64_t *core, uint64_t *dram)
{
    *core = UINT64_MAX;
    *dram = port->dram.wake;
    if (port->dram.returned.count > 0)
        *dram = now;
    if (byw_dram_full(&port->dram))
        return;
    if (port->delay.count > 0)
        *core = port->pool->packet[port->delay.head].ready;
    for (uint32_t s = 0; s < port->slices; s++)
        if (port->slice[s].to_dram.count > 0)
            *dram = now;
}

#endif
