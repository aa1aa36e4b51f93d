/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_memsys_ahead.c - SMs ahead of the memory side, and the memory side in two halves.
 *
 * An SM's pushes and pops are recorded with their cycle; the memory side takes them when it reaches
 * that cycle.  Replies go the other way: an SM gets the replies that have crossed, with the
 * cycle in which it sees each of them.
 *
 * The memory side has two halves, each with its own time.  The request network is the request
 * crossbar up to the slices' delay lines.  Everything behind these lines (in short: the slices)
 * sees only packets that have been on a line for l2.rop_latency cycles, so the slices can be ahead
 * of the request network by that many cycles, their lookahead.  The request network needs to know
 * only when the slices accepted packets; their credits tell.
 */
#include <stdalign.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "sim/memory/byw_memside.h"

enum {
    REACH_MAX = BYW_AHEAD_MAX - 8, /* most cycles that SMs may be ahead of the request network */
    BEFORE = 4, /* data is prefetched this many ports ahead */
    LOOKAHEAD_MAX = 200, /* limit on the lookahead, in cycles, so that everything fits into
                            BYW_AHEAD_MAX cycles */
    BLOCK = 16, /* cycles per block */
    BLOCKS = BYW_AHEAD_MAX / BLOCK,
    REPLIES_AHEAD = BYW_AHEAD_MAX, /* replies delivered to an SM whose pops the memory side has not
                                    * reached, at most */
    PUSHES_AHEAD =
        64, /* most requests that an SM may have pushed and the request network not taken */
    CREDIT_CHANGES = 128,
};

/* The two ports of an SM that is ahead of the memory side.  Fields that one thread writes often and
 * another reads are in separate cache lines. */
struct sm_port {
    /* used by the SM */
    alignas(64) uint64_t at; /* the cycle it steps */
    uint64_t open_at; /* first cycle in which it may push again */
    uint32_t in_limit; /* most requests in its buffer to the crossbar */
    uint32_t next_push, next_pop; /* local copies of `pushed` and `popped` */
    uint32_t drained_seen, taken_seen,
        known; /* `drained`, `taken` and `delivered` when last read */
    uint32_t left_seen; /* `left` when last read */
    uint32_t pops; /* most replies that it pops in a cycle */
    bool shut; /* the SM's buffer to the crossbar is full in this cycle */
    struct byw_txn seen; /* the last reply delivered: id, port, mispredict, fetched */
    /* written by the SM, read by the memory side */
    alignas(64) _Atomic uint32_t pushed; /* requests pushed so far */
    _Atomic uint32_t popped; /* replies popped so far */
    struct {
        uint64_t cycle;
        struct byw_txn txn;
    } push[PUSHES_AHEAD]; /* by number of the request, modulo PUSHES_AHEAD */
    uint32_t pop[REPLIES_AHEAD]; /* by number of the reply: low bits of the cycle of its pop */
    /* written by the memory side, read by the SM */
    alignas(64) _Atomic uint32_t delivered; /* replies delivered so far */
    _Atomic uint32_t drained; /* requests that have left the buffer to the crossbar */
    _Atomic uint32_t taken; /* requests that have entered that buffer */
    _Atomic uint32_t left; /* replies whose pop the memory side has reached */
    struct {
        uint64_t ready; /* the cycle in which the SM sees it */
        uint32_t id;
        uint8_t port;
        bool mispredict, fetched;
    } reply[REPLIES_AHEAD]; /* by number of the reply, modulo REPLIES_AHEAD */
    /* used by the memory side */
    alignas(64) uint32_t entered; /* local copy of `taken` */
    uint32_t booked; /* requests in the calendar, including those taken */
    uint32_t delivered_now; /* local copy of `delivered` */
    uint32_t gone; /* local copy of `left` */
    uint32_t last; /* the last packet delivered */
    uint32_t packet[REPLIES_AHEAD]; /* packets of the delivered replies, by reply number */
};

/* Credit of a slice: when it accepts packets from the request crossbar, reported by the slice to
 * the request network, which is behind in time: the L2 edges at which this changes. */
struct credit {
    bool now, last; /* at the request network's edge; after the slice's last cycle */
    uint32_t head, tail; /* changes consumed; changes reported */
    uint64_t change[CREDIT_CHANGES];
};

/* The request crossbar up to the slices' delay lines. */
struct request_net {
    uint64_t cycle, l2_now; /* core and L2 clock edges so far */
    uint32_t phase;
    uint32_t lookahead; /* core cycles that the slices may be ahead; 0: lock step */
    struct credit *credit; /* by slice: its credit */
    uint64_t *booked; /* by cycle modulo BYW_AHEAD_MAX: SMs that pushed in it */
    uint64_t any[BYW_AHEAD_MAX / 64]; /* cycles in which an SM pushed */
    uint32_t words; /* words of a set of SMs */
    bool credits_full; /* a slice's credit has little room for further changes */
    uint64_t returned[BLOCKS]; /* packets returned to the pool before each block of
                                * the slices' cycles */
    uint64_t block; /* the last block in `returned` */
    uint64_t promised; /* no further reply is visible before this cycle */
    uint64_t early_replies; /* outstanding replies from before the SMs were ahead */
    uint32_t crossings; /* replies that can arrive at an SM in a core cycle */
    alignas(64) _Atomic uint64_t seen; /* `cycle`, published to the SMs */
};

struct byw_ahead {
    struct sm_port *port; /* by SM; the pointer does not change */
    struct request_net net;
    bool crowded; /* replies may fill an SM's buffer; checked before each cycle */
    uint64_t announced; /* replies delivered to the SMs so far */
};

/* Most edges of a clock in a core cycle. */
static uint32_t edges_per_cycle(const struct byw_memsys *memsys, enum byw_domain domain)
{
    return memsys->clock.f[domain] / memsys->clock.f[BYW_CLOCK_CORE] + 1;
}

/* Core cycles that the slices may be ahead of the request network.  GL1s reply before the L2 does,
 * so there is no lookahead with them.  A slice's edge late in a core cycle sees the next cycle's
 * number, and so sees packets a cycle earlier. */
static uint32_t lookahead(const struct byw_memsys *memsys)
{
    uint32_t rop = memsys->config.l2_rop;

    if (memsys->gl1 != NULL || rop < 2 ||
        edges_per_cycle(memsys, BYW_CLOCK_L2) > CREDIT_CHANGES / 2)
        return 0;
    return rop - 1 < LOOKAHEAD_MAX ? rop - 1 : LOOKAHEAD_MAX;
}

static bool init(struct byw_memsys *memsys, struct byw_ahead *ahead)
{
    const struct byw_config *config = &memsys->config;
    struct request_net *net = &ahead->net;

    memset(ahead, 0, sizeof(*ahead));
    net->lookahead = lookahead(memsys);
    net->crossings = edges_per_cycle(memsys, BYW_CLOCK_ICNT);
    net->words = (config->sm_count + 63) / 64;
    net->booked = calloc((size_t)BYW_AHEAD_MAX * net->words, sizeof(*net->booked));
    net->credit = calloc(config->l2_slices, sizeof(*net->credit));
    ahead->port = aligned_alloc(alignof(struct sm_port), config->sm_count * sizeof(*ahead->port));
    if (net->booked == NULL || net->credit == NULL || ahead->port == NULL)
        return false;
    memset(ahead->port, 0, config->sm_count * sizeof(*ahead->port));
    return true;
}

enum byw_status byw_memsys_lookahead(struct byw_memsys *memsys)
{
    const struct byw_config *config = &memsys->config;
    uint32_t sectors =
        config->l2_sectors > config->l3_sectors ? config->l2_sectors : config->l3_sectors;
    uint32_t n = config->sm_count, parts = config->l2_slices + config->dram_channels;
    struct byw_ahead *ahead = aligned_alloc(alignof(struct byw_ahead), sizeof(*ahead));
    uint32_t cycles;

    memsys->ahead = ahead;
    if (ahead == NULL || !init(memsys, ahead))
        return BYW_ENOMEM;
    cycles = ahead->net.lookahead + 1 + config->icnt_eject;
    cycles = (cycles < REACH_MAX ? cycles : REACH_MAX) + 1;
    memsys->margin = cycles * (n + (parts + memsys->groups) * (sectors + 3));
    return BYW_OK;
}

void byw_ahead_free(struct byw_ahead *ahead)
{
    if (ahead == NULL)
        return;
    free(ahead->net.booked);
    free(ahead->net.credit);
    free(ahead->port);
    free(ahead);
}

static const struct byw_memsys_mode ahead_mode;

/* --- the SMs' side ------------------------------------------------------------------------ */

/* Whether the port has room for every reply that the SM could pop in its next cycle.
 */
static bool sees_replies(const struct sm_port *port)
{
    return port->next_pop + port->pops - port->left_seen <= REPLIES_AHEAD;
}

/* Reads how many requests and pops of the SM the memory side has processed.  Returns whether the SM
 * may step the cycle. */
static bool look_for_room(const struct byw_memsys *memsys, struct sm_port *port, uint64_t cycle)
{
    uint64_t net = atomic_load_explicit(&memsys->ahead->net.seen, memory_order_acquire);

    port->drained_seen = atomic_load_explicit(&port->drained, memory_order_relaxed);
    port->taken_seen = atomic_load_explicit(&port->taken, memory_order_acquire);
    port->left_seen = atomic_load_explicit(&port->left, memory_order_acquire);
    port->shut = port->next_push - port->drained_seen >= port->in_limit;
    return port->next_push - port->taken_seen < PUSHES_AHEAD && sees_replies(port) &&
           (!port->shut || net == cycle);
}

bool byw_memsys_at(struct byw_memsys *memsys, uint32_t sm, uint64_t cycle)
{
    struct sm_port *port = &memsys->ahead->port[sm];

    port->at = cycle;
    port->shut = false;
    return (port->next_push - port->drained_seen < port->in_limit &&
            port->next_push - port->taken_seen < PUSHES_AHEAD && sees_replies(port)) ||
           look_for_room(memsys, port, cycle);
}

static bool ahead_ready(const struct byw_memsys *memsys, uint32_t sm)
{
    const struct sm_port *port = &memsys->ahead->port[sm];

    return port->at >= port->open_at && !port->shut;
}

/* The first cycle, after `cycle`, that follows a transfer of the crossbar. */
static uint64_t after_transfer(const struct byw_memsys *memsys, uint64_t cycle)
{
    const struct byw_clock *clock = &memsys->clock;

    if (clock->f[BYW_CLOCK_ICNT] == clock->f[BYW_CLOCK_CORE])
        return cycle + 1;
    return byw_clock_cycle(clock, BYW_CLOCK_ICNT, byw_clock_edges(clock, BYW_CLOCK_ICNT, cycle)) +
           1;
}

static void ahead_push(struct byw_memsys *memsys, const struct byw_txn *txn)
{
    struct sm_port *port = &memsys->ahead->port[txn->sm];

    port->push[port->next_push % PUSHES_AHEAD].cycle = port->at;
    port->push[port->next_push % PUSHES_AHEAD].txn = *txn;
    port->open_at = after_transfer(memsys, port->at);
    atomic_store_explicit(&port->pushed, ++port->next_push, memory_order_release);
}

/* If the SM has popped all replies that it knows, reads how many have been delivered. */
static void look_for_replies(struct sm_port *port)
{
    if (port->known == port->next_pop)
        port->known = atomic_load_explicit(&port->delivered, memory_order_acquire);
}

uint64_t byw_memsys_reply_at(struct byw_memsys *memsys, uint32_t sm)
{
    struct sm_port *port = &memsys->ahead->port[sm];

    if (port->known == port->next_pop && port->next_pop - port->left_seen == REPLIES_AHEAD)
        port->left_seen = atomic_load_explicit(&port->left, memory_order_acquire);
    look_for_replies(port);
    if (port->known != port->next_pop)
        return port->reply[port->next_pop % REPLIES_AHEAD].ready;
    return port->next_pop - port->left_seen == REPLIES_AHEAD ? 0 : UINT64_MAX;
}

static const struct byw_txn *ahead_reply(const struct byw_memsys *memsys, uint32_t sm)
{
    struct sm_port *port = &memsys->ahead->port[sm];
    uint32_t i = port->next_pop % REPLIES_AHEAD;

    if (port->known == port->next_pop || port->reply[i].ready > port->at)
        return NULL;
    port->seen.id = port->reply[i].id;
    port->seen.port = port->reply[i].port;
    port->seen.mispredict = port->reply[i].mispredict;
    port->seen.fetched = port->reply[i].fetched;
    return &port->seen;
}

bool byw_memsys_coming(const struct byw_memsys *memsys, uint32_t sm, uint32_t behind, uint32_t *id,
                       uint8_t *kind)
{
    const struct sm_port *port;
    uint32_t i;

    if (memsys->mode != &ahead_mode)
        return false;
    port = &memsys->ahead->port[sm];
    if (port->known - port->next_pop <= behind)
        return false;
    i = (port->next_pop + behind) % REPLIES_AHEAD;
    *id = port->reply[i].id;
    *kind = port->reply[i].port;
    return true;
}

static void ahead_pop(struct byw_memsys *memsys, uint32_t sm)
{
    struct sm_port *port = &memsys->ahead->port[sm];

    port->pop[port->next_pop % REPLIES_AHEAD] = (uint32_t)port->at;
    atomic_store_explicit(&port->popped, ++port->next_pop, memory_order_release);
    look_for_replies(port); /* the SM may pop another one in this cycle */
}

/* --- the calendar of requests ------------------------------------------------------------- */

static uint64_t *booked(const struct request_net *net, uint64_t cycle)
{
    return net->booked + cycle % BYW_AHEAD_MAX * net->words;
}

/* SM sm has pushed a request in a cycle. */
static void book(struct byw_memsys *memsys, uint32_t sm, uint64_t cycle)
{
    struct request_net *net = &memsys->ahead->net;

    booked(net, cycle)[sm / 64] |= UINT64_C(1) << sm % 64;
    net->any[cycle % BYW_AHEAD_MAX / 64] |= UINT64_C(1) << cycle % 64;
}

/* The first cycle from `from` on in which an SM has pushed a request; at most `to`. */
static uint64_t next_booked(const struct byw_memsys *memsys, uint64_t from, uint64_t to)
{
    while (from < to) {
        uint64_t word = memsys->ahead->net.any[from % BYW_AHEAD_MAX / 64] >> from % 64;

        if (word != 0) {
            from += (uint64_t)__builtin_ctzll(word);
            return from < to ? from : to;
        }
        from += 64 - from % 64;
    }
    return to;
}

/* Puts SM sm's next recorded request on the crossbar. */
static void take_push(struct byw_memsys *memsys, uint32_t sm)
{
    struct sm_port *port = &memsys->ahead->port[sm];

    byw_memside_enter(memsys, &port->push[port->entered++ % PUSHES_AHEAD].txn);
}

/* Puts the requests pushed in a cycle on the crossbar; false if there are none. */
static bool take_booked(struct byw_memsys *memsys, uint64_t cycle)
{
    struct request_net *net = &memsys->ahead->net;
    uint64_t *any = &net->any[cycle % BYW_AHEAD_MAX / 64], *sms = booked(net, cycle);

    if ((*any >> cycle % 64 & 1) == 0)
        return false;
    *any &= ~(UINT64_C(1) << cycle % 64);
    for (uint32_t w = 0; w < net->words; w++) {
        for (uint64_t left = sms[w]; left != 0; left &= left - 1)
            take_push(memsys, w * 64 + (uint32_t)__builtin_ctzll(left));
        sms[w] = 0;
    }
    return true;
}

/* --- credits -------------------------------------------------------------------------------- */

/* Whether slice s accepts a packet at the request network's edge. */
static bool gate_open(struct byw_memsys *memsys, uint32_t s)
{
    struct credit *credit = &memsys->ahead->net.credit[s];

    while (credit->head != credit->tail &&
           credit->change[credit->head % CREDIT_CHANGES] <= memsys->ahead->net.l2_now) {
        credit->now = !credit->now;
        credit->head++;
    }
    return credit->now;
}

/* Reports after an edge of slice s whether the slice accepts packets now. */
static void tell_gate(struct byw_memsys *memsys, uint32_t s, uint64_t edge)
{
    struct credit *credit = &memsys->ahead->net.credit[s];

    if (byw_l2_ready(&memsys->slice[s]) == credit->last)
        return;
    credit->last = !credit->last;
    credit->change[credit->tail++ % CREDIT_CHANGES] = edge + 1;
    memsys->ahead->net.credits_full |=
        credit->tail - credit->head + edges_per_cycle(memsys, BYW_CLOCK_L2) > CREDIT_CHANGES;
}

static void clear_jam(struct byw_memsys *memsys)
{
    uint32_t room = CREDIT_CHANGES - edges_per_cycle(memsys, BYW_CLOCK_L2);

    memsys->ahead->net.credits_full = false;
    for (uint32_t s = 0; s < memsys->config.l2_slices; s++) {
        gate_open(memsys, s);
        memsys->ahead->net.credits_full |=
            memsys->ahead->net.credit[s].tail - memsys->ahead->net.credit[s].head > room;
    }
}

/* --- replies and pops --------------------------------------------------------------------- */

/* Delivers to an SM its next reply if there is one and the port has room. */
static void show(struct byw_memsys *memsys, uint32_t sm)
{
    const struct byw_fifo *fifo = &memsys->sm_reply->out[sm];
    struct sm_port *port = &memsys->ahead->port[sm];
    uint32_t open = port->delivered_now - port->gone, i = port->delivered_now % REPLIES_AHEAD;
    const struct byw_packet *packet;

    if (open == REPLIES_AHEAD || open == fifo->count)
        return;
    port->last = open == 0 ? fifo->head : memsys->pool.packet[port->last].next;
    packet = &memsys->pool.packet[port->last];
    port->reply[i].ready = packet->ready;
    port->reply[i].id = packet->txn.id;
    port->reply[i].port = packet->txn.port;
    port->reply[i].mispredict = packet->txn.mispredict;
    port->reply[i].fetched = packet->txn.fetched;
    port->packet[i] = port->last;
    atomic_store_explicit(&port->delivered, ++port->delivered_now, memory_order_release);
    memsys->ahead->announced++;
}

/* Whether the replies that can cross in the next cycle may fill the SM's buffer. */
static bool nearly_full(const struct byw_memsys *memsys, uint32_t sm)
{
    return memsys->sm_reply->out[sm].count + memsys->ahead->net.crossings >
           memsys->sm_reply->out_limit;
}

/* Delivers the replies of the last transfer to their SMs, which see them in cycle `seen`. */
static void announce(struct byw_memsys *memsys, uint64_t seen)
{
    assert(memsys->sm_reply->moves == 0 || seen >= memsys->ahead->net.promised);
    for (uint32_t i = 0; i < memsys->sm_reply->moves; i++) {
        show(memsys, memsys->sm_reply->served[i]);
        memsys->ahead->crowded |= nearly_full(memsys, memsys->sm_reply->served[i]);
    }
}

/* Prefetches the packets that the SM has popped: they crossed long ago and are no longer in the
 * host's caches. */
static void prefetch_pops(const struct byw_memsys *memsys, const struct sm_port *port)
{
    uint32_t popped = atomic_load_explicit(&port->popped, memory_order_relaxed);

    for (uint32_t i = port->gone; i != popped; i++)
        byw_packet_prefetch(&memsys->pool, port->packet[i % REPLIES_AHEAD]);
}

/* Executes an SM's pops up to the slices' cycle. */
static void take_pops(struct byw_memsys *memsys, uint32_t sm)
{
    struct sm_port *port = &memsys->ahead->port[sm];
    uint32_t popped = atomic_load_explicit(&port->popped, memory_order_acquire);

    if (port->gone == popped)
        return;
    while (port->gone != popped &&
           (int32_t)((uint32_t)memsys->cycle - port->pop[port->gone % REPLIES_AHEAD]) >= 0) {
        port->gone++;
        byw_memside_leave(memsys, sm);
        show(memsys, sm);
    }
    atomic_store_explicit(&port->left, port->gone, memory_order_release);
}

/* Whether every SM's reply buffer has room in the slices' next cycle, or the SMs have finished that
 * cycle (it is before `known`) and their pops are counted. */
static bool replies_fit(struct byw_memsys *memsys, uint64_t known)
{
    if (!memsys->ahead->crowded)
        return true;
    memsys->ahead->crowded = false;
    for (uint32_t sm = 0; sm < memsys->config.sm_count; sm++) {
        if (nearly_full(memsys, sm))
            take_pops(memsys, sm);
        memsys->ahead->crowded |= nearly_full(memsys, sm);
    }
    return !memsys->ahead->crowded || memsys->cycle < known;
}

/* --- slices ------------------------------------------------------------------------------- */

static void slices_edge(struct byw_memsys *memsys)
{
    uint64_t now = memsys->l2_now++;

    for (uint32_t w = 0; w < memsys->slice_runs.words; w++) {
        for (uint64_t left = memsys->slice_runs.w[w]; left != 0; left &= left - 1) {
            uint32_t s = w * 64 + (uint32_t)__builtin_ctzll(left);

            if (memsys->slice_wake[s] > memsys->cycle)
                continue;
            byw_memside_slice_step(memsys, s, now);
            tell_gate(memsys, s, now);
        }
    }
    if (memsys->l3 != NULL)
        byw_memsys_l3_step(memsys, now);
}

static void cross_replies(struct byw_memsys *memsys, uint64_t seen)
{
    byw_memside_cross_replies(memsys, seen);
    announce(memsys, seen);
}

static void slices_tick(struct byw_memsys *memsys)
{
    memsys->pool.now = memsys->cycle;
    byw_memside_steps(memsys, slices_edge, cross_replies);
}

static void note_returned(struct byw_memsys *memsys)
{
    struct request_net *net = &memsys->ahead->net;

    while (net->block < memsys->cycle / BLOCK)
        net->returned[++net->block % BLOCKS] = memsys->pool.returned;
}

/* Packets that slices ahead of the request network have returned but that are still in use at the
 * request network's cycle. */
static uint64_t returned_early(const struct byw_memsys *memsys)
{
    const struct request_net *net = &memsys->ahead->net;

    return memsys->pool.returned - net->returned[net->cycle / BLOCK % BLOCKS];
}

/* Advances the slices. In cycles from `known` on, which not all SMs have finished, they advance
 * only while an SM waits for a reply: otherwise the launch may have ended. */
static void run_slices(struct byw_memsys *memsys, uint64_t known, uint64_t until)
{
    struct request_net *net = &memsys->ahead->net;

    if (until > net->cycle + net->lookahead)
        until = net->cycle + net->lookahead;
    while (memsys->cycle < until && !net->credits_full) {
        bool outstanding = memsys->outstanding > net->early_replies;
        uint64_t quiet, most = (outstanding || until < known ? until : known) - memsys->cycle;

        if ((memsys->cycle >= known && !outstanding) || !replies_fit(memsys, known))
            return;
        quiet = byw_memside_slices_quiet(memsys);
        if (quiet > 0)
            byw_memside_skip(memsys, quiet < most ? quiet : most);
        else
            slices_tick(memsys);
        note_returned(memsys);
    }
}

/* --- the request network ------------------------------------------------------------------ */

static void request_edge(struct byw_memsys *memsys)
{
    for (uint32_t w = 0; w < memsys->request.arrived.words; w++) {
        for (uint64_t left = memsys->request.arrived.w[w]; left != 0; left &= left - 1) {
            uint32_t s = w * 64 + (uint32_t)__builtin_ctzll(left);
            struct byw_l2 *l2 = &memsys->slice[s];
            uint64_t first;

            if (!gate_open(memsys, s))
                continue;
            byw_l2_push(l2, byw_icnt_pop(&memsys->request, &memsys->pool, s),
                        memsys->ahead->net.cycle);
            first = memsys->pool.packet[l2->rop.head].ready;
            byw_bits_set(&memsys->slice_runs, s);
            if (memsys->slice_wake[s] > first)
                memsys->slice_wake[s] = first;
        }
    }
    memsys->ahead->net.l2_now++;
}

static void request_tick(struct byw_memsys *memsys)
{
    struct request_net *net = &memsys->ahead->net;
    uint32_t count;
    const uint8_t *step = byw_clock_steps(&memsys->clock, net->phase, &count);

    for (uint32_t i = 0; i < count; i++) {
        if (step[i] & (1U << BYW_CLOCK_L2))
            request_edge(memsys);
        if (step[i] & (1U << BYW_CLOCK_ICNT))
            byw_icnt_transfer(&memsys->request, &memsys->pool, 0);
        if (step[i] & (1U << BYW_CLOCK_CORE))
            memsys->pool.now = ++net->cycle;
    }
    net->phase = (net->phase + 1 < memsys->clock.period) ? net->phase + 1 : 0;
}

static void skip_requests(struct byw_memsys *memsys, uint64_t to)
{
    struct request_net *net = &memsys->ahead->net;

    net->phase = (uint32_t)((net->phase + to - net->cycle) % memsys->clock.period);
    net->cycle = to;
    net->l2_now = byw_clock_edges(&memsys->clock, BYW_CLOCK_L2, to);
}

static void run_requests(struct byw_memsys *memsys, uint64_t until)
{
    struct request_net *net = &memsys->ahead->net;

    while (net->cycle < until) {
        memsys->pool.now = net->cycle;
        if (!take_booked(memsys, net->cycle) &&
            memsys->request.at_inputs + memsys->request.at_outputs == 0)
            skip_requests(memsys, next_booked(memsys, net->cycle, until));
        else
            request_tick(memsys);
    }
    if (net->credits_full)
        clear_jam(memsys);
}

static void part_requests(struct byw_memsys *memsys)
{
    struct request_net *net = &memsys->ahead->net;

    net->cycle = memsys->cycle;
    net->l2_now = memsys->l2_now;
    net->phase = memsys->phase;
    net->credits_full = false;
    net->early_replies = memsys->outstanding;
    net->block = memsys->cycle / BLOCK;
    for (uint32_t i = 0; i < BLOCKS; i++)
        net->returned[i] = memsys->pool.returned;
    for (uint32_t s = 0; s < memsys->config.l2_slices; s++) {
        struct credit *credit = &net->credit[s];

        credit->now = credit->last = byw_l2_ready(&memsys->slice[s]);
        credit->head = credit->tail = 0;
    }
}

static void run_halves(struct byw_memsys *memsys, uint64_t known, uint64_t until)
{
    struct request_net *net = &memsys->ahead->net;
    uint64_t slices, requests;

    do {
        slices = memsys->cycle;
        requests = net->cycle;
        run_slices(memsys, known, until);
        run_requests(memsys, memsys->cycle < known ? memsys->cycle : known);
    } while (memsys->cycle != slices || net->cycle != requests);
}

/* --- both halves -------------------------------------------------------------------------- */

/* Reads what the SMs have recorded for the cycles before `known`. */
static void read_ports(struct byw_memsys *memsys, uint64_t known)
{
    for (uint32_t sm = 0; sm < memsys->config.sm_count; sm++) {
        struct sm_port *port = &memsys->ahead->port[sm];
        uint32_t pushed = atomic_load_explicit(&port->pushed, memory_order_acquire);

        if (sm + BEFORE < memsys->config.sm_count)
            prefetch_pops(memsys, &memsys->ahead->port[sm + BEFORE]);
        take_pops(memsys, sm);
        for (; port->booked != pushed; port->booked++) {
            uint64_t cycle = port->push[port->booked % PUSHES_AHEAD].cycle;

            if (cycle >= known)
                break;
            book(memsys, sm, cycle);
        }
    }
}

/* Publishes the progress of the request network to the SMs. */
static void tell_ports(struct byw_memsys *memsys)
{
    for (uint32_t sm = 0; sm < memsys->config.sm_count; sm++) {
        struct sm_port *port = &memsys->ahead->port[sm];
        uint32_t drained = port->entered - memsys->sm_request->in[sm].count;

        if (port->entered != atomic_load_explicit(&port->taken, memory_order_relaxed))
            atomic_store_explicit(&port->taken, port->entered, memory_order_release);
        if (drained != atomic_load_explicit(&port->drained, memory_order_relaxed))
            atomic_store_explicit(&port->drained, drained, memory_order_relaxed);
    }
    atomic_store_explicit(&memsys->ahead->net.seen, memsys->ahead->net.cycle, memory_order_release);
}

static void cross_both(struct byw_memsys *memsys, uint64_t seen)
{
    byw_memside_cross_requests(memsys);
    cross_replies(memsys, seen);
}

/* Without a lookahead: steps request network and slices together up to `known`, then on to `until`,
 * but stops when a reply to an SM is announced. */
static void run_in_step(struct byw_memsys *memsys, uint64_t known, uint64_t until)
{
    uint64_t announced = memsys->ahead->announced;

    while (memsys->cycle < until) {
        uint64_t quiet = 0, to = until;

        replies_fit(memsys, until);
        if (memsys->cycle >= known || !take_booked(memsys, memsys->cycle))
            quiet = byw_memside_quiet(memsys);
        if (quiet < to - memsys->cycle)
            to = memsys->cycle + quiet;
        if (memsys->cycle < known)
            to = next_booked(memsys, memsys->cycle, to);
        if (quiet > 0)
            byw_memside_skip(memsys, to - memsys->cycle);
        else
            byw_memside_steps(memsys, byw_memside_l2_step, cross_both);
        if (memsys->ahead->announced != announced)
            until = known;
    }
    memsys->ahead->net.cycle = memsys->cycle;
}

/* The first cycle in which an SM can see a reply that has not been delivered to it.  Such a reply
 * crosses in the slices' next cycle or, if none is outstanding, once a request that enters now has
 * passed the slices' delay line. */
static uint64_t reach(const struct byw_memsys *memsys)
{
    const struct request_net *net = &memsys->ahead->net;
    uint64_t crosses = memsys->cycle, seen;

    if (memsys->outstanding == 0 && net->cycle + net->lookahead > crosses)
        crosses = net->cycle + net->lookahead;
    seen = crosses + 1 + memsys->config.icnt_eject;
    return seen < net->cycle + REACH_MAX ? seen : net->cycle + REACH_MAX;
}

void byw_memsys_run(struct byw_memsys *memsys, uint64_t known, uint64_t until)
{
    read_ports(memsys, known);
    if (memsys->ahead->net.lookahead > 0)
        run_halves(memsys, known, until);
    else
        run_in_step(memsys, known, until > known ? until : known);
    memsys->ahead->net.promised = reach(memsys);
    tell_ports(memsys);
}

uint64_t byw_memsys_reach(const struct byw_memsys *memsys)
{
    return memsys->ahead->net.promised;
}

uint64_t byw_memsys_cycle(const struct byw_memsys *memsys)
{
    return memsys->ahead->net.cycle;
}

uint64_t byw_memsys_first(const struct byw_memsys *memsys)
{
    return memsys->cycle;
}

bool byw_memsys_leads(const struct byw_memsys *memsys)
{
    return memsys->ahead->net.lookahead > 0;
}

/* --- changing the mode -------------------------------------------------------------------- */

static bool ahead_tight(const struct byw_memsys *memsys)
{
    uint64_t early = byw_memsys_leads(memsys) ? returned_early(memsys) : 0;

    return memsys->pool.in_use + early + memsys->margin >= memsys->sm_packets;
}

static const struct byw_memsys_mode ahead_mode = {
    .ready = ahead_ready,
    .push = ahead_push,
    .reply = ahead_reply,
    .pop = ahead_pop,
    .tight = ahead_tight,
};

void byw_memsys_part(struct byw_memsys *memsys)
{
    const struct byw_icnt *request = memsys->sm_request, *reply = memsys->sm_reply;

    memsys->mode = &ahead_mode;
    memsys->ahead->crowded = true;
    part_requests(memsys);
    for (uint32_t sm = 0; sm < memsys->config.sm_count; sm++) {
        struct sm_port *port = &memsys->ahead->port[sm];
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
        port->known = port->next_pop = port->left_seen = port->gone = port->delivered_now = 0;
        port->pops = memsys->config.l1d_rate;
        atomic_store(&port->popped, 0);
        atomic_store(&port->left, 0);
        atomic_store(&port->delivered, 0);
        for (uint32_t i = 0; i < reply->out[sm].count && i < REPLIES_AHEAD; i++)
            show(memsys, sm);
    }
    memsys->ahead->net.promised = reach(memsys);
    tell_ports(memsys);
}

void byw_memsys_join(struct byw_memsys *memsys)
{
    assert(memsys->ahead->net.cycle == memsys->cycle);
    for (uint32_t sm = 0; sm < memsys->config.sm_count; sm++)
        take_pops(memsys, sm);
    byw_memsys_lockstep(memsys);
}
