/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_dram_port.h - connects the L2 or L3 slices of a channel to its DRAM.
 *
 * Order within a DRAM cycle: one returned packet moves to its slice's from_dram queue; the DRAM
 * performs its cycle; one packet of a to_dram queue (slices round robin) enters the delay line of
 * dram.latency core cycles (odd channels: dram.far_latency more); one packet whose delay has
 * expired enters the DRAM scheduler.  A slice may send only with a credit: its own, or one of the
 * dram.queue + dram.return_queue - (slices - 1) shared ones.  The credit is returned when the
 * packet leaves the DRAM.  A slice may also send only while its from_dram queue is not full and the
 * scheduler accepts requests.
 *
 * dram.ideal: in each DRAM cycle every packet whose dram.latency has expired returns, and every
 * packet in a to_dram queue starts.  No request is slower than with the real DRAM.
 */
#ifndef BYW_DRAM_PORT_H
#define BYW_DRAM_PORT_H

#include "sim/memory/byw_addrmap.h"
#include "sim/memory/byw_dram.h"
#include "sim/memory/byw_l2.h"

struct byw_dram_port {
    struct byw_dram dram;
    const struct byw_addrmap *map;
    struct byw_packet_pool *pool;
    struct byw_l2 *slice; /* first slice of this channel */
    uint32_t slices;
    uint32_t latency; /* delay of a packet, in core cycles */
    uint32_t last; /* slice that sent last */
    uint32_t shared, shared_limit; /* credits in use */
    bool *own; /* per slice: its own credit is in use */
    struct byw_fifo delay;
    uint32_t atom_bytes;
    bool ideal;
    struct byw_mem_observer observer; /* its function is NULL if there is no observer */
};

enum byw_status byw_dram_port_init(struct byw_dram_port *port, const struct byw_config *config,
                                   uint32_t channel, const struct byw_addrmap *map,
                                   struct byw_packet_pool *pool, struct byw_l2 *first_slice,
                                   uint32_t slices, struct byw_mem_stats *stats);
void byw_dram_port_free(struct byw_dram_port *port);

/* DRAM cycle `now`.  Returns the slices (of this channel) that received a packet, as a set. */
uint64_t byw_dram_port_cycle(struct byw_dram_port *port, uint64_t core_now, uint64_t now);

/* Lower bounds on the next event: a core cycle for the delay line and a DRAM cycle for everything
 * else.  UINT64_MAX: never without a packet from a slice.  A full scheduler accepts nothing before
 * its next DRAM cycle. */
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
