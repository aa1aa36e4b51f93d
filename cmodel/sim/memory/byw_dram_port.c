/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/memory/byw_dram_port.h"

#include <string.h>

#include "sim/memory/byw_mem_ledger.h"

enum byw_status byw_dram_port_init(struct byw_dram_port *port, const struct byw_config *config,
                                   uint32_t channel, const struct byw_addrmap *map,
                                   struct byw_packet_pool *pool, struct byw_l2 *first_slice,
                                   uint32_t slices, struct byw_mem_stats *stats)
{
    uint32_t credits = config->dram_queue + config->dram_return;

    memset(port, 0, sizeof(*port));
    byw_dram_init(&port->dram, config, pool, stats);
    port->map = map;
    port->pool = pool;
    port->slice = first_slice;
    port->slices = slices;
    port->latency = config->dram_latency + channel % 2 * config->dram_far;
    port->atom_bytes = config->dram_atom;
    port->ideal = config->dram_ideal != 0;
    port->last = port->slices - 1;
    port->shared_limit = credits > port->slices - 1 ? credits - (port->slices - 1) : 0;
    port->own = calloc(port->slices, sizeof(*port->own));
    byw_fifo_init(&port->delay, BYW_AT_DRAM_DELAY);
    return port->own == NULL ? BYW_ENOMEM : BYW_OK;
}

void byw_dram_port_free(struct byw_dram_port *port)
{
    free(port->own);
    port->own = NULL;
}

static void return_credit(struct byw_dram_port *port, uint32_t s)
{
    if (port->own[s])
        port->own[s] = false;
    else
        port->shared--;
}

static uint32_t slice_of(const struct byw_dram_port *port, uint32_t packet)
{
    return port->pool->packet[packet].slice - port->slice->number;
}

/* Moves the oldest returned packet to its slice.  Returns the served slices as a set. */
static uint64_t give_back(struct byw_dram_port *port)
{
    uint32_t p = port->dram.returned.head;
    uint32_t s;

    if (port->dram.returned.count == 0)
        return 0;
    s = slice_of(port, p);
    if (port->slice[s].from_dram.count >= port->slice[s].dram_limit)
        return 0;
    byw_fifo_pop(port->pool, &port->dram.returned);
    byw_fifo_push(port->pool, &port->slice[s].from_dram, p);
    return_credit(port, s);
    return UINT64_C(1) << s;
}

/* Ends a packet that does not return: the write-back of a victim or of an L1. */
static void end_packet(struct byw_dram_port *port, uint32_t p)
{
    return_credit(port, slice_of(port, p));
    byw_packet_end(port->pool, &port->dram.stats->posted, p);
}

/* One slice, in round-robin order, sends a packet into the delay line. */
static void take_one(struct byw_dram_port *port, uint64_t core_now)
{
    if (byw_dram_full(&port->dram))
        return;
    for (uint32_t i = 0, s = port->last; i < port->slices; i++) {
        struct byw_l2 *l2;
        uint32_t p;

        s = (s + 1 < port->slices) ? s + 1 : 0;
        l2 = &port->slice[s];
        if (l2->to_dram.count == 0 || l2->from_dram.count >= l2->dram_limit ||
            (port->own[s] && port->shared >= port->shared_limit))
            continue;
        p = byw_fifo_pop(port->pool, &l2->to_dram);
        port->pool->packet[p].ready = core_now + port->latency;
        byw_fifo_push(port->pool, &port->delay, p);
        if (port->own[s])
            port->shared++;
        port->own[s] = true;
        port->last = s;
        return;
    }
}

/* Shows a request to the observer; a write with unwritten words is shown atom by atom. */
static void show(const struct byw_dram_port *port, const struct byw_packet *packet, uint64_t now)
{
    bool write = byw_packet_writes(packet);
    uint32_t bytes = packet->atoms * port->atom_bytes;
    uint64_t first = packet->txn.addr & ~(uint64_t)(packet->txn.bytes - 1);

    if (packet->origin != BYW_ORIGIN_EVICT || packet->txn.holes == 0) {
        port->observer.request(port->observer.ctx, now, packet->txn.addr & ~(uint64_t)(bytes - 1),
                               bytes, write);
        return;
    }
    for (uint32_t at = 0; at < packet->txn.bytes; at += port->atom_bytes)
        if (byw_packet_atoms(port->atom_bytes, port->atom_bytes, packet->txn.holes >> at / 4) > 0)
            port->observer.request(port->observer.ctx, now, first + at, port->atom_bytes, write);
}

/* The head of the delay line enters the scheduler when its delay has expired. */
static void admit(struct byw_dram_port *port, uint64_t core_now, uint64_t now)
{
    uint32_t p = port->delay.head;
    struct byw_packet *packet;

    if (port->delay.count == 0 || port->pool->packet[p].ready > core_now ||
        byw_dram_full(&port->dram))
        return;
    byw_fifo_pop(port->pool, &port->delay);
    packet = &port->pool->packet[p];
    packet->row = byw_addrmap_row(port->map, packet->txn.addr, &packet->bank);
    if (port->observer.request != NULL)
        show(port, packet, now);
    byw_dram_push(&port->dram, p, now);
}

/* dram.ideal: returns packets that have waited for the full latency. */
static uint64_t ideal_back(struct byw_dram_port *port, uint64_t core_now)
{
    uint64_t served = 0;

    while (port->delay.count > 0 && port->pool->packet[port->delay.head].ready <= core_now) {
        uint32_t p = port->delay.head, s = slice_of(port, p);

        if (!byw_packet_returns(&port->pool->packet[p])) {
            byw_fifo_pop(port->pool, &port->delay);
            byw_packet_end(port->pool, &port->dram.stats->posted, p);
            continue;
        }
        if (port->slice[s].from_dram.count >= port->slice[s].dram_limit)
            break;
        byw_fifo_pop(port->pool, &port->delay);
        byw_fifo_push(port->pool, &port->slice[s].from_dram, p);
        served |= UINT64_C(1) << s;
    }
    return served;
}

static uint64_t ideal_cycle(struct byw_dram_port *port, uint64_t core_now, uint64_t now)
{
    struct byw_mem_stats *stats = port->dram.stats;
    uint64_t served = ideal_back(port, core_now);

    for (uint32_t s = 0; s < port->slices; s++) {
        while (port->slice[s].to_dram.count > 0) {
            uint32_t p = byw_fifo_pop(port->pool, &port->slice[s].to_dram);
            struct byw_packet *packet = &port->pool->packet[p];
            bool write = byw_packet_writes(packet);

            stats->dram_requests++;
            stats->dram_reads += write ? 0 : packet->atoms;
            stats->dram_writes += write ? packet->atoms : 0;
            stats->dram_busy += (uint64_t)packet->atoms * port->dram.t.burst;
            if (port->dram.ledger != NULL)
                byw_mem_ledger_atoms(port->dram.ledger, &packet->txn, write, packet->atoms);
            packet->ready = core_now + port->latency;
            if (port->observer.request != NULL)
                show(port, packet, now);
            byw_fifo_push(port->pool, &port->delay, p);
        }
    }
    return served;
}

uint64_t byw_dram_port_cycle(struct byw_dram_port *port, uint64_t core_now, uint64_t now)
{
    uint64_t served;
    uint32_t done;

    if (port->ideal)
        return ideal_cycle(port, core_now, now);
    served = give_back(port);
    done = byw_dram_cycle(&port->dram, now);
    if (done != BYW_NO_PACKET)
        end_packet(port, done);
    take_one(port, core_now);
    admit(port, core_now, now);
    return served;
}
