/* SPDX-License-Identifier: Apache-2.0
 *
 * SMs ahead of the memory side.  What an SM does at its ports in a cycle goes into the slot of that
 * cycle, at most one push and one pop; the memory side takes it from there when it comes to the
 * cycle.  Replies go the other way: an SM is shown those that have crossed, with the cycle in which
 * it sees them.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/byw_memsys_parts.h"

enum { PUSHED, POPPED, SLOT_SETS };

/* Requests that still fit when a buffer counts as nearly full: those that the SM may push before it
 * learns that. */
enum { CROWD_ROOM = 2 * BYW_AHEAD_MAX };

/* The set of SMs of a lane that pushed, or popped, in a cycle. */
static uint64_t *slot(const struct byw_memsys *memsys, uint64_t *lane, uint64_t cycle, uint32_t set)
{
    return lane + (cycle % BYW_AHEAD_MAX * SLOT_SETS + set) * memsys->slot_words;
}

static size_t lane_words(const struct byw_memsys *memsys)
{
    return (size_t)BYW_AHEAD_MAX * SLOT_SETS * memsys->slot_words;
}

static uint64_t *lane_slots(const struct byw_memsys *memsys, uint32_t lane)
{
    return memsys->slots + lane * lane_words(memsys);
}

enum byw_status byw_memsys_lanes(struct byw_memsys *memsys, uint32_t lanes)
{
    const struct byw_config *config = &memsys->config;
    uint32_t sectors =
        config->l2_sectors > config->l3_sectors ? config->l2_sectors : config->l3_sectors;
    uint32_t n = config->sm_count, parts = config->l2_slices + config->dram_channels;

    memsys->lanes = lanes;
    memsys->slot_words = (n + 63) / 64;
    memsys->margin = BYW_AHEAD_MAX * (n + (parts + memsys->groups) * (sectors + 3));
    memsys->port = aligned_alloc(alignof(struct byw_sm_port), n * sizeof(*memsys->port));
    memsys->slots = aligned_alloc(64, lanes * lane_words(memsys) * sizeof(*memsys->slots));
    if (memsys->port == NULL || memsys->slots == NULL)
        return BYW_ENOMEM;
    memset(memsys->port, 0, n * sizeof(*memsys->port));
    memset(memsys->slots, 0, lanes * lane_words(memsys) * sizeof(*memsys->slots));
    for (uint32_t i = 0; i < n; i++)
        byw_memsys_lane(memsys, i, 0);
    return BYW_OK;
}

void byw_memsys_lane(struct byw_memsys *memsys, uint32_t sm, uint32_t lane)
{
    memsys->port[sm].slots = lane_slots(memsys, lane);
}

/* --- the SMs' side ------------------------------------------------------------------------ */

void byw_memsys_at(struct byw_memsys *memsys, uint32_t sm, uint64_t cycle)
{
    memsys->port[sm].at = cycle;
}

bool byw_memsys_crowded(struct byw_memsys *memsys, uint32_t sm)
{
    struct byw_sm_port *port = &memsys->port[sm];

    port->exact = atomic_load_explicit(&port->crowded, memory_order_relaxed);
    return port->exact;
}

bool byw_memsys_ahead_ready(const struct byw_memsys *memsys, uint32_t sm)
{
    const struct byw_sm_port *port = &memsys->port[sm];

    if (port->at < port->open_at)
        return false;
    /* The memory side waits in this cycle, too. */
    return !port->exact || memsys->sm_request->in[sm].count < memsys->sm_request->in_limit;
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

    port->pushed[port->at % BYW_AHEAD_MAX] = *txn;
    slot(memsys, port->slots, port->at, PUSHED)[txn->sm / 64] |= UINT64_C(1) << txn->sm % 64;
    port->open_at = after_transfer(memsys, port->at);
    if (port->exact &&
        memsys->sm_request->in[txn->sm].count + CROWD_ROOM + 1 < memsys->sm_request->in_limit)
        atomic_store_explicit(&port->crowded, false, memory_order_relaxed);
}

uint64_t byw_memsys_reply_at(struct byw_memsys *memsys, uint32_t sm)
{
    struct byw_sm_port *port = &memsys->port[sm];

    if (port->known == port->popped)
        port->known = atomic_load_explicit(&port->shown, memory_order_acquire);
    return port->known == port->popped ? UINT64_MAX
                                       : port->reply[port->popped % BYW_REPLIES_AHEAD].ready;
}

const struct byw_txn *byw_memsys_ahead_reply(const struct byw_memsys *memsys, uint32_t sm)
{
    const struct byw_sm_port *port = &memsys->port[sm];
    uint32_t i = port->popped % BYW_REPLIES_AHEAD;

    if (port->known == port->popped || port->reply[i].ready > port->at)
        return NULL;
    return &memsys->pool.packet[port->reply[i].packet].txn;
}

void byw_memsys_ahead_pop(struct byw_memsys *memsys, uint32_t sm)
{
    struct byw_sm_port *port = &memsys->port[sm];

    slot(memsys, port->slots, port->at, POPPED)[sm / 64] |= UINT64_C(1) << sm % 64;
    port->popped++;
}

/* --- the memory side ---------------------------------------------------------------------- */

/* Shows an SM its next reply, if there is one to show and room. */
static void show(struct byw_memsys *memsys, uint32_t sm)
{
    const struct byw_fifo *fifo = &memsys->sm_reply->out[sm];
    struct byw_sm_port *port = &memsys->port[sm];
    uint32_t shown = atomic_load_explicit(&port->shown, memory_order_relaxed);
    uint32_t open = shown - port->taken, i = shown % BYW_REPLIES_AHEAD;

    if (open == BYW_REPLIES_AHEAD || open == fifo->count)
        return;
    port->last = open == 0 ? fifo->head : memsys->pool.packet[port->last].next;
    port->reply[i].packet = port->last;
    port->reply[i].ready = memsys->pool.packet[port->last].ready;
    atomic_store_explicit(&port->shown, shown + 1, memory_order_release);
    memsys->announced++;
}

void byw_memsys_announce(struct byw_memsys *memsys)
{
    for (uint32_t i = 0; i < memsys->sm_reply->moves; i++)
        show(memsys, memsys->sm_reply->served[i]);
}

static void take_push(struct byw_memsys *memsys, uint32_t sm)
{
    struct byw_sm_port *port = &memsys->port[sm];

    byw_memsys_enter(memsys, &port->pushed[memsys->cycle % BYW_AHEAD_MAX]);
    if (memsys->sm_request->in[sm].count + CROWD_ROOM >= memsys->sm_request->in_limit)
        atomic_store_explicit(&port->crowded, true, memory_order_relaxed);
}

static void take_pop(struct byw_memsys *memsys, uint32_t sm)
{
    memsys->port[sm].taken++;
    byw_memsys_leave(memsys, sm);
    show(memsys, sm);
}

/* What the SMs of a lane did in this cycle; whether they did anything. */
static bool take_slot(struct byw_memsys *memsys, uint64_t *lane, uint32_t set,
                      void (*take)(struct byw_memsys *memsys, uint32_t sm))
{
    uint64_t *sms = slot(memsys, lane, memsys->cycle, set), any = 0;

    for (uint32_t w = 0; w < memsys->slot_words; w++) {
        any |= sms[w];
        for (uint64_t left = sms[w]; left != 0; left &= left - 1)
            take(memsys, w * 64 + (uint32_t)__builtin_ctzll(left));
        sms[w] = 0;
    }
    return any != 0;
}

static bool take_slots(struct byw_memsys *memsys)
{
    bool any = false;

    for (uint32_t lane = 0; lane < memsys->lanes; lane++) {
        any |= take_slot(memsys, lane_slots(memsys, lane), POPPED, take_pop);
        any |= take_slot(memsys, lane_slots(memsys, lane), PUSHED, take_push);
    }
    return any;
}

static bool slots_used(const struct byw_memsys *memsys, uint64_t cycle)
{
    uint64_t any = 0;

    for (uint32_t lane = 0; lane < memsys->lanes; lane++) {
        const uint64_t *sets = slot(memsys, lane_slots(memsys, lane), cycle, PUSHED);

        for (uint32_t w = 0; w < SLOT_SETS * memsys->slot_words; w++)
            any |= sets[w];
    }
    return any != 0;
}

/* Nothing changes in here for `quiet` cycles: time goes on until SMs did something, or `known`. */
static void skip_to_slot(struct byw_memsys *memsys, uint64_t quiet, uint64_t known, uint64_t until)
{
    uint64_t cycles = 1, most = until - memsys->cycle;

    if (quiet < most)
        most = quiet;
    while (cycles < most && memsys->cycle + cycles < known &&
           !slots_used(memsys, memsys->cycle + cycles))
        cycles++;
    if (memsys->cycle + cycles >= known)
        cycles = most;
    byw_memsys_skip(memsys, cycles);
}

void byw_memsys_run(struct byw_memsys *memsys, uint64_t known, uint64_t until)
{
    uint64_t announced = memsys->announced;

    until = until > known ? until : known;
    while (memsys->cycle < until) {
        bool active = memsys->cycle < known && take_slots(memsys);
        uint64_t quiet = active ? 0 : byw_memsys_quiet(memsys);

        if (quiet > 0)
            skip_to_slot(memsys, quiet, known, until);
        else
            byw_memsys_tick(memsys);
        if (memsys->announced != announced)
            until = known;
    }
}

uint64_t byw_memsys_reach(const struct byw_memsys *memsys)
{
    return memsys->cycle + 1 + memsys->config.icnt_eject;
}

uint64_t byw_memsys_cycle(const struct byw_memsys *memsys)
{
    return memsys->cycle;
}

bool byw_memsys_tight(const struct byw_memsys *memsys)
{
    return memsys->pool.in_use + memsys->margin >= memsys->sm_packets;
}

/* --- between the two ---------------------------------------------------------------------- */

void byw_memsys_part(struct byw_memsys *memsys)
{
    const struct byw_icnt *request = memsys->sm_request, *reply = memsys->sm_reply;

    memsys->ahead = true;
    for (uint32_t sm = 0; sm < memsys->config.sm_count; sm++) {
        struct byw_sm_port *port = &memsys->port[sm];
        uint64_t now = memsys->cycle;

        port->at = now;
        port->open_at = 0;
        if (byw_bits_test(&request->closed, sm) && request->in[sm].count < request->in_limit)
            port->open_at = after_transfer(memsys, now);
        atomic_store(&port->crowded, request->in[sm].count + CROWD_ROOM >= request->in_limit);
        port->popped = port->known = port->taken = 0;
        atomic_store(&port->shown, 0);
        for (uint32_t i = 0; i < reply->out[sm].count && i < BYW_REPLIES_AHEAD; i++)
            show(memsys, sm);
    }
}

void byw_memsys_join(struct byw_memsys *memsys)
{
    memsys->ahead = false;
    byw_bits_init(&memsys->visible, memsys->config.sm_count);
    memsys->next_visible = 0;
    byw_memsys_look(memsys);
}
