/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/sm/byw_outlet.h"

#include <stdlib.h>
#include <string.h>

#include "common/byw_bits.h"

#define NONE UINT16_MAX

enum { RING = BYW_OUTLET_ROOM + 1 };

enum byw_status byw_outlet_init(struct byw_outlet *outlet, const struct byw_config *config)
{
    memset(outlet, 0, sizeof(*outlet));
    outlet->joins = config->l1d_bypass_joins;
    outlet->sharers = config->l1d_bypass_sharers;
    outlet->merges = config->l1d_merge_sectors;
    outlet->merge_cycles = config->l1d_merge_cycles;
    outlet->on = config->l1d_rate > 1 || outlet->joins != 0 || outlet->merges != 0;
    outlet->line_log2 = byw_clog2(config->l1d_line);
    if (!outlet->on)
        return BYW_OK;
    outlet->request = malloc(BYW_OUTLET_REQUESTS * sizeof(*outlet->request));
    outlet->packet = aligned_alloc(64, BYW_OUTLET_REQUESTS * sizeof(*outlet->packet));
    if (outlet->request == NULL || outlet->packet == NULL) {
        byw_outlet_release(outlet);
        return BYW_ENOMEM;
    }
    for (uint32_t i = 0; i < BYW_OUTLET_REQUESTS; i++) {
        uint16_t next = (uint16_t)(i + 1 < BYW_OUTLET_REQUESTS ? i + 1 : NONE);

        outlet->request[i].next = outlet->packet[i].next = next;
    }
    memset(outlet->bucket, 0xff, sizeof(outlet->bucket));
    return BYW_OK;
}

void byw_outlet_release(struct byw_outlet *outlet)
{
    free(outlet->request);
    free(outlet->packet);
    outlet->request = NULL;
    outlet->packet = NULL;
}

/* --- open packets -------------------------------------------------------------------------- */

static uint16_t *bucket_of(struct byw_outlet *outlet, uint64_t addr)
{
    uint64_t line = addr >> outlet->line_log2;

    return &outlet->bucket[(line ^ line >> 8) % BYW_OUTLET_BUCKETS];
}

static void open_packet(struct byw_outlet *outlet, uint16_t n)
{
    uint16_t *head = bucket_of(outlet, outlet->packet[n].addr);

    outlet->packet[n].open = true;
    outlet->packet[n].next = *head;
    *head = n;
}

static void close_packet(struct byw_outlet *outlet, uint16_t n)
{
    uint16_t *link = bucket_of(outlet, outlet->packet[n].addr);

    if (!outlet->packet[n].open)
        return;
    while (*link != n)
        link = &outlet->packet[*link].next;
    *link = outlet->packet[n].next;
    outlet->packet[n].open = false;
}

/* The open packet that fetches all bytes of a load and serves few enough, or NONE. */
static uint16_t fetching(struct byw_outlet *outlet, const struct byw_txn *txn, uint64_t now)
{
    uint16_t n = *bucket_of(outlet, txn->addr);

    while (n != NONE && (outlet->packet[n].since + outlet->joins < now ||
                         (outlet->sharers != 0 && outlet->packet[n].sharers >= outlet->sharers) ||
                         txn->addr < outlet->packet[n].addr ||
                         txn->addr + txn->bytes > outlet->packet[n].addr + outlet->packet[n].bytes))
        n = outlet->packet[n].next;
    return n;
}

static void close_line(struct byw_outlet *outlet, uint64_t addr)
{
    uint16_t n = *bucket_of(outlet, addr);

    while (n != NONE) {
        uint16_t next = outlet->packet[n].next;

        if (outlet->packet[n].addr >> outlet->line_log2 == addr >> outlet->line_log2)
            close_packet(outlet, n);
        n = next;
    }
}

/* --- requests ------------------------------------------------------------------------------ */

/* Appends a request to packet n, with the requests linked after it up to `last` (NONE: none). */
static void append(struct byw_outlet *outlet, uint16_t n, const struct byw_outlet_request *request,
                   uint16_t last)
{
    struct byw_outlet_packet *packet = &outlet->packet[n];
    uint16_t r = outlet->free_request;

    outlet->free_request = outlet->request[r].next;
    outlet->request[r] = *request;
    if (packet->last == NONE)
        packet->first.next = r;
    else
        outlet->request[packet->last].next = r;
    packet->last = last == NONE ? r : last;
    outlet->combined++;
}

/* Whether two waiting packets are halves of a larger one. */
static bool halves(const struct byw_outlet *outlet, const struct byw_txn *a,
                   const struct byw_txn *b)
{
    return a->kind == b->kind && a->bytes == b->bytes && a->bypass == b->bypass &&
           a->predicted == b->predicted && a->is_volatile == b->is_volatile &&
           a->nontemporal == b->nontemporal && a->kind <= BYW_TXN_WRITE &&
           (a->addr ^ b->addr) == a->bytes && a->bytes < 1U << outlet->line_log2;
}

/* Combines the last two waiting packets while they are halves of one. */
static void combine(struct byw_outlet *outlet)
{
    while (outlet->count > 1) {
        uint32_t at = (outlet->head + outlet->count - 1) % RING;
        struct byw_txn *b = &outlet->waiting[at];
        struct byw_txn *a = &outlet->waiting[(at + RING - 1) % RING];
        struct byw_outlet_packet *into, *from;

        if (!halves(outlet, a, b))
            return;
        into = &outlet->packet[a->id];
        from = &outlet->packet[b->id];
        if (a->kind == BYW_TXN_WRITE && a->addr < b->addr)
            a->holes |= b->holes << a->bytes / 4;
        else if (a->kind == BYW_TXN_WRITE)
            a->holes = a->holes << a->bytes / 4 | b->holes;
        a->addr &= ~(uint64_t)a->bytes;
        a->bytes = (uint16_t)(2 * a->bytes);
        append(outlet, (uint16_t)a->id, &from->first, from->last);
        close_packet(outlet, (uint16_t)b->id);
        from->next = outlet->free_packet;
        outlet->free_packet = (uint16_t)b->id;
        into->addr = a->addr; /* in the same line, and so in the same bucket */
        into->bytes = a->bytes;
        outlet->since[(at + RING - 1) % RING] = outlet->since[at];
        outlet->count--;
    }
}

/* A packet for a request; its number is the packet's id below. */
static uint16_t make_packet(struct byw_outlet *outlet, const struct byw_txn *txn,
                            const struct byw_outlet_request *request, uint64_t now)
{
    uint16_t n = outlet->free_packet;

    outlet->free_packet = outlet->packet[n].next;
    outlet->packet[n] = (struct byw_outlet_packet){.addr = txn->addr,
                                                   .bytes = txn->bytes,
                                                   .sharers = 1,
                                                   .first = *request,
                                                   .last = NONE,
                                                   .next = NONE,
                                                   .since = now};
    return n;
}

static void enqueue(struct byw_outlet *outlet, const struct byw_txn *txn, uint64_t now)
{
    uint32_t at = (outlet->head + outlet->count) % RING;

    outlet->waiting[at] = *txn;
    outlet->since[at] = now;
    outlet->count++;
}

/* --- partly written sectors ------------------------------------------------------------------- */

/* The waiting sector of an address; held_count: none. */
static uint32_t held_at(const struct byw_outlet *outlet, uint64_t addr)
{
    uint32_t i = 0;

    while (i < outlet->held_count && outlet->held[i].addr != addr)
        i++;
    return i;
}

/* A held sector becomes a packet. */
static void let_go(struct byw_outlet *outlet, uint32_t i, uint64_t now)
{
    uint32_t behind = --outlet->held_count - i;

    enqueue(outlet, &outlet->held[i], now);
    memmove(&outlet->held[i], &outlet->held[i + 1], behind * sizeof(outlet->held[0]));
    memmove(&outlet->held_until[i], &outlet->held_until[i + 1],
            behind * sizeof(outlet->held_until[0]));
    combine(outlet);
}

/* Whether the request has been added to a held sector or is held itself. */
static bool hold(struct byw_outlet *outlet, const struct byw_txn *txn,
                 const struct byw_outlet_request *request, uint64_t now)
{
    uint32_t i = held_at(outlet, txn->addr);
    struct byw_txn *held = &outlet->held[i];

    if (i < outlet->held_count && txn->kind == BYW_TXN_WRITE && held->bytes == txn->bytes &&
        outlet->packet[held->id].first.id == txn->id) {
        append(outlet, (uint16_t)held->id, request, NONE);
        outlet->merged++;
        held->holes &= txn->holes;
        if (held->holes == 0)
            let_go(outlet, i, now);
        return true;
    }
    if (i < outlet->held_count)
        let_go(outlet, i, now);
    if (txn->kind != BYW_TXN_WRITE || txn->holes == 0)
        return false;
    if (outlet->held_count == outlet->merges)
        let_go(outlet, 0, now);
    held = &outlet->held[outlet->held_count];
    outlet->held_until[outlet->held_count++] = now + outlet->merge_cycles;
    *held = *txn;
    held->id = make_packet(outlet, txn, request, now);
    return true;
}

void byw_outlet_push(struct byw_outlet *outlet, const struct byw_txn *txn, uint64_t now)
{
    const struct byw_outlet_request request = {.id = txn->id, .next = NONE, .port = txn->port};
    bool joins = outlet->joins != 0 && txn->kind == BYW_TXN_READ && txn->bypass;
    uint16_t n = joins ? fetching(outlet, txn, now) : NONE;
    struct byw_txn packet = *txn;

    if (txn->kind != BYW_TXN_WRITEBACK) /* which has no answer */
        outlet->requests++;
    if (n != NONE) {
        append(outlet, n, &request, NONE);
        if (outlet->sharers != 0)
            outlet->packet[n].sharers++;
        outlet->shared++;
        return;
    }
    if (outlet->joins != 0 && txn->kind != BYW_TXN_READ)
        close_line(outlet, txn->addr);
    if (outlet->merges != 0 && hold(outlet, txn, &request, now))
        return;
    if (txn->kind != BYW_TXN_WRITEBACK)
        packet.id = make_packet(outlet, txn, &request, now);
    enqueue(outlet, &packet, now);
    if (txn->kind == BYW_TXN_WRITEBACK)
        return;
    if (joins)
        open_packet(outlet, (uint16_t)packet.id);
    combine(outlet);
}

void byw_outlet_send(struct byw_outlet *outlet, struct byw_memsys *memsys, uint64_t now)
{
    const struct byw_txn *txn = &outlet->waiting[outlet->head];

    while (outlet->held_count != 0 && outlet->held_until[0] <= now &&
           outlet->count < BYW_OUTLET_ROOM)
        let_go(outlet, 0, now);
    if (outlet->count == 0 || outlet->since[outlet->head] == now ||
        !byw_memsys_ready(memsys, txn->sm))
        return;
    byw_memsys_push(memsys, txn);
    outlet->head = (outlet->head + 1) % RING;
    outlet->count--;
}

bool byw_outlet_served(struct byw_outlet *outlet, uint32_t number)
{
    struct byw_outlet_packet *packet = &outlet->packet[number];
    uint16_t r = packet->first.next;

    close_packet(outlet, (uint16_t)number);
    outlet->requests--;
    if (r == NONE) {
        packet->next = outlet->free_packet;
        outlet->free_packet = (uint16_t)number;
        return true;
    }
    packet->first = outlet->request[r];
    outlet->request[r].next = outlet->free_request;
    outlet->free_request = r;
    if (packet->last == r)
        packet->last = NONE;
    return false;
}
