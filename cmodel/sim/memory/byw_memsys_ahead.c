/* SPDX-License-Identifier: Apache-2.0
 *
 * SMs ahead of the memory side.  What an SM pushes and pops is written down with its cycle, and the
 * memory side takes it from there when it comes to the cycle.  Replies go the other way: an SM is
 * shown those that have crossed, with the cycle in which it sees them.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/memory/byw_memsys_parts.h"

enum {
    REACH_MAX = BYW_AHEAD_MAX - 8, /* cycles that SMs may be ahead of the inlet */
    BEFORE = 4 /* ports that what one needs is fetched ahead of */
};

enum byw_status byw_memsys_lookahead(struct byw_memsys *memsys)
{
    const struct byw_config *config = &memsys->config;
    uint32_t sectors =
        config->l2_sectors > config->l3_sectors ? config->l2_sectors : config->l3_sectors;
    uint32_t n = config->sm_count, parts = config->l2_slices + config->dram_channels;
    uint32_t cycles;

    if (byw_memsys_inlet_create(memsys) != BYW_OK)
        return BYW_ENOMEM;
    cycles = memsys->inlet->lead + 1 + config->icnt_eject;
    cycles = (cycles < REACH_MAX ? cycles : REACH_MAX) + 1;
    memsys->margin = cycles * (n + (parts + memsys->groups) * (sectors + 3));
    memsys->port = aligned_alloc(alignof(struct byw_sm_port), n * sizeof(*memsys->port));
    if (memsys->port == NULL)
        return BYW_ENOMEM;
    memset(memsys->port, 0, n * sizeof(*memsys->port));
    return BYW_OK;
}

/* --- the SMs' side ------------------------------------------------------------------------ */

/* Asks the memory side what it has taken. */
static bool look_for_room(const struct byw_memsys *memsys, struct byw_sm_port *port, uint64_t cycle)
{
    uint64_t inlet = atomic_load_explicit(&memsys->inlet->seen, memory_order_acquire);

    port->drained_seen = atomic_load_explicit(&port->drained, memory_order_relaxed);
    port->taken_seen = atomic_load_explicit(&port->taken, memory_order_acquire);
    port->shut = port->next_push - port->drained_seen >= port->in_limit;
    return port->next_push - port->taken_seen < BYW_PUSHES_AHEAD && (!port->shut || inlet == cycle);
}

bool byw_memsys_at(struct byw_memsys *memsys, uint32_t sm, uint64_t cycle)
{
    struct byw_sm_port *port = &memsys->port[sm];

    port->at = cycle;
    port->shut = false;
    return (port->next_push - port->drained_seen < port->in_limit &&
            port->next_push - port->taken_seen < BYW_PUSHES_AHEAD) ||
           look_for_room(memsys, port, cycle);
}

bool byw_memsys_ahead_ready(const struct byw_memsys *memsys, uint32_t sm)
{
    const struct byw_sm_port *port = &memsys->port[sm];

    return port->at >= port->open_at && !port->shut;
}

/* The first cycle after `cycle` before which the crossbar has moved packets. */
static uint64_t after_transfer(const struct byw_memsys *memsys, uint64_t cycle)
{
    const struct byw_clock *clock = &memsys->clock;

    if (clock->f[BYW_CLOCK_ICNT] == clock->f[BYW_CLOCK_CORE])
        return cycle + 1;
    return byw_clock_cycle(clock, BYW_CLOCK_ICNT, byw_clock_edges(clock, BYW_CLOCK_ICNT, cycle)) +
           1;
}

void byw_memsys_ahead_push(struct byw_memsys *memsys, const struct byw_txn *txn)
{
    struct byw_sm_port *port = &memsys->port[txn->sm];

    port->push[port->next_push % BYW_PUSHES_AHEAD].cycle = port->at;
    port->push[port->next_push % BYW_PUSHES_AHEAD].txn = *txn;
    port->open_at = after_transfer(memsys, port->at);
    atomic_store_explicit(&port->pushed, ++port->next_push, memory_order_release);
}

uint64_t byw_memsys_reply_at(struct byw_memsys *memsys, uint32_t sm)
{
    struct byw_sm_port *port = &memsys->port[sm];

    if (port->known == port->next_pop)
        port->known = atomic_load_explicit(&port->shown, memory_order_acquire);
    return port->known == port->next_pop ? UINT64_MAX
                                         : port->reply[port->next_pop % BYW_REPLIES_AHEAD].ready;
}

const struct byw_txn *byw_memsys_ahead_reply(const struct byw_memsys *memsys, uint32_t sm)
{
    struct byw_sm_port *port = &memsys->port[sm];
    uint32_t i = port->next_pop % BYW_REPLIES_AHEAD;

    if (port->known == port->next_pop || port->reply[i].ready > port->at)
        return NULL;
    port->seen.id = port->reply[i].id;
    port->seen.port = port->reply[i].port;
    port->seen.mispredict = port->reply[i].mispredict;
    return &port->seen;
}

void byw_memsys_ahead_pop(struct byw_memsys *memsys, uint32_t sm)
{
    struct byw_sm_port *port = &memsys->port[sm];

    port->pop[port->next_pop % BYW_REPLIES_AHEAD] = (uint32_t)port->at;
    atomic_store_explicit(&port->popped, ++port->next_pop, memory_order_release);
}

/* --- the memory side ---------------------------------------------------------------------- */

/* Shows an SM its next reply, if there is one to show and room. */
static void show(struct byw_memsys *memsys, uint32_t sm)
{
    const struct byw_fifo *fifo = &memsys->sm_reply->out[sm];
    struct byw_sm_port *port = &memsys->port[sm];
    uint32_t open = port->told - port->gone, i = port->told % BYW_REPLIES_AHEAD;
    const struct byw_packet *packet;

    if (open == BYW_REPLIES_AHEAD || open == fifo->count)
        return;
    port->last = open == 0 ? fifo->head : memsys->pool.packet[port->last].next;
    packet = &memsys->pool.packet[port->last];
    port->reply[i].ready = packet->ready;
    port->reply[i].id = packet->txn.id;
    port->reply[i].port = packet->txn.port;
    port->reply[i].mispredict = packet->txn.mispredict;
    port->packet[i] = port->last;
    atomic_store_explicit(&port->shown, ++port->told, memory_order_release);
    memsys->announced++;
}

/* Replies that fill an SM's buffer if as many more cross in the next cycle. */
static bool nearly_full(const struct byw_memsys *memsys, uint32_t sm)
{
    return memsys->sm_reply->out[sm].count + memsys->inlet->crossings > memsys->sm_reply->out_limit;
}

void byw_memsys_announce(struct byw_memsys *memsys, uint64_t seen)
{
    assert(memsys->sm_reply->moves == 0 || seen >= memsys->inlet->promised);
    for (uint32_t i = 0; i < memsys->sm_reply->moves; i++) {
        show(memsys, memsys->sm_reply->served[i]);
        memsys->crowded |= nearly_full(memsys, memsys->sm_reply->served[i]);
    }
}

/* Packets that the SM has popped crossed long ago. */
static void prefetch_pops(const struct byw_memsys *memsys, const struct byw_sm_port *port)
{
    uint32_t popped = atomic_load_explicit(&port->popped, memory_order_relaxed);

    for (uint32_t i = port->gone; i != popped; i++)
        byw_packet_prefetch(&memsys->pool, port->packet[i % BYW_REPLIES_AHEAD]);
}

/* The pops of an SM that the slices have come to. */
static void take_pops(struct byw_memsys *memsys, uint32_t sm)
{
    struct byw_sm_port *port = &memsys->port[sm];
    uint32_t popped = atomic_load_explicit(&port->popped, memory_order_acquire);

    while (port->gone != popped &&
           (int32_t)((uint32_t)memsys->cycle - port->pop[port->gone % BYW_REPLIES_AHEAD]) >= 0) {
        port->gone++;
        byw_memsys_leave(memsys, sm);
        show(memsys, sm);
    }
}

bool byw_memsys_replies_fit(struct byw_memsys *memsys, uint64_t known)
{
    if (!memsys->crowded)
        return true;
    memsys->crowded = false;
    for (uint32_t sm = 0; sm < memsys->config.sm_count; sm++) {
        if (nearly_full(memsys, sm))
            take_pops(memsys, sm);
        memsys->crowded |= nearly_full(memsys, sm);
    }
    return !memsys->crowded || memsys->cycle < known;
}

void byw_memsys_take_push(struct byw_memsys *memsys, uint32_t sm)
{
    struct byw_sm_port *port = &memsys->port[sm];

    byw_memsys_enter(memsys, &port->push[port->entered++ % BYW_PUSHES_AHEAD].txn);
}

/* What the SMs have written down for the cycles before `known`. */
static void read_ports(struct byw_memsys *memsys, uint64_t known)
{
    for (uint32_t sm = 0; sm < memsys->config.sm_count; sm++) {
        struct byw_sm_port *port = &memsys->port[sm];
        uint32_t pushed = atomic_load_explicit(&port->pushed, memory_order_acquire);

        if (sm + BEFORE < memsys->config.sm_count)
            prefetch_pops(memsys, &memsys->port[sm + BEFORE]);
        take_pops(memsys, sm);
        for (; port->booked != pushed; port->booked++) {
            uint64_t cycle = port->push[port->booked % BYW_PUSHES_AHEAD].cycle;

            if (cycle >= known)
                break;
            byw_memsys_book(memsys, sm, cycle);
        }
    }
}

/* Tells the SMs how far it is. */
static void tell_ports(struct byw_memsys *memsys)
{
    for (uint32_t sm = 0; sm < memsys->config.sm_count; sm++) {
        struct byw_sm_port *port = &memsys->port[sm];
        uint32_t drained = port->entered - memsys->sm_request->in[sm].count;

        if (port->entered != atomic_load_explicit(&port->taken, memory_order_relaxed))
            atomic_store_explicit(&port->taken, port->entered, memory_order_release);
        if (drained != atomic_load_explicit(&port->drained, memory_order_relaxed))
            atomic_store_explicit(&port->drained, drained, memory_order_relaxed);
    }
    atomic_store_explicit(&memsys->inlet->seen, memsys->inlet->cycle, memory_order_release);
}

/* Where the slices are never ahead of the inlet: cycles of both, and on up to `until` if no reply
 * that SMs see comes between. */
static void run_in_step(struct byw_memsys *memsys, uint64_t known, uint64_t until)
{
    uint64_t announced = memsys->announced;

    while (memsys->cycle < until) {
        uint64_t quiet = 0, to = until;

        byw_memsys_replies_fit(memsys, until);
        if (memsys->cycle >= known || !byw_memsys_take_booked(memsys, memsys->cycle))
            quiet = byw_memsys_quiet(memsys);
        if (quiet < to - memsys->cycle)
            to = memsys->cycle + quiet;
        if (memsys->cycle < known)
            to = byw_memsys_next_booked(memsys, memsys->cycle, to);
        if (quiet > 0)
            byw_memsys_skip(memsys, to - memsys->cycle);
        else
            byw_memsys_tick(memsys);
        if (memsys->announced != announced)
            until = known;
    }
    memsys->inlet->cycle = memsys->cycle;
}

/* The first cycle in which an SM can see a reply that it has not been shown: one that crosses in
 * the slices' next cycle, or if none is owed, when a request that enters now is through the
 * slices' delay line. */
static uint64_t reach(const struct byw_memsys *memsys)
{
    const struct byw_inlet *inlet = memsys->inlet;
    uint64_t crosses = memsys->cycle, seen;

    if (memsys->owed == 0 && inlet->cycle + inlet->lead > crosses)
        crosses = inlet->cycle + inlet->lead;
    seen = crosses + 1 + memsys->config.icnt_eject;
    return seen < inlet->cycle + REACH_MAX ? seen : inlet->cycle + REACH_MAX;
}

void byw_memsys_run(struct byw_memsys *memsys, uint64_t known, uint64_t until)
{
    read_ports(memsys, known);
    if (memsys->inlet->lead > 0)
        byw_memsys_inlet_run(memsys, known, until);
    else
        run_in_step(memsys, known, until > known ? until : known);
    memsys->inlet->promised = reach(memsys);
    tell_ports(memsys);
}

uint64_t byw_memsys_reach(const struct byw_memsys *memsys)
{
    return memsys->inlet->promised;
}

uint64_t byw_memsys_cycle(const struct byw_memsys *memsys)
{
    return memsys->ahead ? memsys->inlet->cycle : memsys->cycle;
}

uint64_t byw_memsys_first(const struct byw_memsys *memsys)
{
    return memsys->cycle;
}

bool byw_memsys_leads(const struct byw_memsys *memsys)
{
    return memsys->inlet->lead > 0;
}

bool byw_memsys_tight(const struct byw_memsys *memsys)
{
    uint64_t early = memsys->ahead && memsys->inlet->lead > 0 ? byw_memsys_inlet_early(memsys) : 0;

    return memsys->pool.in_use + early + memsys->margin >= memsys->sm_packets;
}

/* --- between the two ---------------------------------------------------------------------- */

void byw_memsys_part(struct byw_memsys *memsys)
{
    const struct byw_icnt *request = memsys->sm_request, *reply = memsys->sm_reply;

    memsys->ahead = true;
    memsys->crowded = true;
    byw_memsys_inlet_part(memsys);
    for (uint32_t sm = 0; sm < memsys->config.sm_count; sm++) {
        struct byw_sm_port *port = &memsys->port[sm];
        uint32_t inside = request->in[sm].count;
        uint64_t now = memsys->cycle;

        port->at = now;
        port->open_at = 0;
        if (byw_bits_test(&request->closed, sm) && inside < request->in_limit)
            port->open_at = after_transfer(memsys, now);
        port->drained_seen = 0;
        port->in_limit = request->in_limit;
        port->entered = port->booked = port->next_push = port->taken_seen = inside;
        atomic_store(&port->pushed, inside);
        atomic_store(&port->taken, inside);
        atomic_store(&port->drained, 0);
        port->known = port->next_pop = port->gone = port->told = 0;
        atomic_store(&port->popped, 0);
        atomic_store(&port->shown, 0);
        for (uint32_t i = 0; i < reply->out[sm].count && i < BYW_REPLIES_AHEAD; i++)
            show(memsys, sm);
    }
    memsys->inlet->promised = reach(memsys);
    tell_ports(memsys);
}

void byw_memsys_join(struct byw_memsys *memsys)
{
    assert(memsys->inlet->cycle == memsys->cycle);
    for (uint32_t sm = 0; sm < memsys->config.sm_count; sm++)
        take_pops(memsys, sm);
    memsys->ahead = false;
    byw_bits_init(&memsys->visible, memsys->config.sm_count);
    memsys->next_visible = 0;
    byw_memsys_look(memsys);
}
