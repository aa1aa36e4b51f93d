/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_outlet.h - gathers the requests that an L1D sends below into packets (l1d.rate,
 * l1d.bypass_joins, l1d.merge_sectors).
 *
 * An L1D with sectors sends one request per sector.  Requests of one kind for neighboring sectors
 * of a line that leave one after the other become one packet of 64 or 128 bytes, aligned to its
 * size.  A packet waits at least one cycle for further sectors; one leaves per cycle.  With
 * l1d.bypass_joins, a bypassed load of bytes that an earlier bypassed load is fetching causes no
 * packet: it shares the answer, unless l1d.bypass_sharers loads already do.  A store to the line
 * ends that.
 *
 * With l1d.merge_sectors, a write that leaves words of its sector unwritten waits for further
 * stores of its warp to that sector.  It leaves when the sector is complete, after
 * l1d.merge_cycles, when a load or atomic needs the sector, or when another sector needs its place.
 *
 * Each packet has a list of the requests that its answer serves, which the L1D takes one by one.
 * Without any of these keys the outlet is off, and requests do not pass through it.
 */
#ifndef BYW_OUTLET_H
#define BYW_OUTLET_H

#include "common/byw_bits.h"
#include "sim/memory/byw_memsys.h"

enum {
    BYW_OUTLET_ROOM = 16, /* most packets that wait */
    BYW_OUTLET_REQUESTS = 4096, /* requests without an answer; more are refused */
    BYW_OUTLET_BUCKETS = 256,
    BYW_OUTLET_HELD = 64, /* most partly written sectors that wait */
};

/* A request and the next one that the same answer serves. */
struct byw_outlet_request {
    uint32_t id;
    uint16_t next;
    uint8_t port;
};

/* A packet that has not been answered; its number is its id in the levels below.  Most packets
 * serve one request, so the first request is stored here: an answer then reads one line of the
 * host's cache. */
struct byw_outlet_packet {
    uint64_t addr;
    uint64_t since; /* cycle of its first request */
    struct byw_outlet_request first; /* head of the list of its requests */
    uint16_t last; /* tail of that list; NONE: `first` is the only one */
    uint16_t bytes;
    uint16_t next; /* next packet in the same bucket */
    bool open; /* bypassed loads may still join it */
    uint8_t sharers; /* loads that share its answer; counted only if they are limited */
};

_Static_assert(sizeof(struct byw_outlet_packet) == 32, "two packets are one cache line");

struct byw_outlet {
    bool on;
    uint32_t joins, sharers; /* l1d.bypass_joins, l1d.bypass_sharers */
    uint32_t line_log2;
    uint32_t head, count; /* first entry and number of entries of `waiting` */
    uint16_t free_request, free_packet; /* lists of free entries */
    uint16_t requests; /* requests without an answer */
    uint64_t combined; /* requests that needed no packet of their own */
    uint64_t merged; /* stores that became part of a held sector (among `combined`) */
    uint64_t shared; /* loads that share another load's answer (among `combined`) */
    struct byw_txn waiting[BYW_OUTLET_ROOM + 1]; /* one more for a held sector that makes room */
    uint64_t since[BYW_OUTLET_ROOM + 1]; /* cycle in which the packet last got a sector */
    uint32_t merges, merge_cycles; /* l1d.merge_sectors, l1d.merge_cycles */
    uint32_t held_count;
    struct byw_txn held[BYW_OUTLET_HELD]; /* partly written sectors, oldest first */
    uint64_t held_until[BYW_OUTLET_HELD];
    uint16_t bucket[BYW_OUTLET_BUCKETS]; /* open packets, by line */
    struct byw_outlet_request *request;
    struct byw_outlet_packet *packet;
};

/* BYW_ENOMEM */
enum byw_status byw_outlet_init(struct byw_outlet *outlet, const struct byw_config *config);
void byw_outlet_release(struct byw_outlet *outlet);

/* Whether the outlet accepts a request. */
static inline bool byw_outlet_ready(const struct byw_outlet *outlet)
{
    return outlet->count < BYW_OUTLET_ROOM && outlet->requests < BYW_OUTLET_REQUESTS;
}

void byw_outlet_push(struct byw_outlet *outlet, const struct byw_txn *txn, uint64_t now);

/* Whether the outlet has anything to send, now or later. */
static inline bool byw_outlet_busy(const struct byw_outlet *outlet)
{
    return outlet->count + outlet->held_count != 0;
}

/* Puts the oldest packet on the crossbar, if it may leave in cycle `now`. */
void byw_outlet_send(struct byw_outlet *outlet, struct byw_memsys *memsys, uint64_t now);

/* The next request to be served by the answer to packet `number`. */
static inline const struct byw_outlet_request *byw_outlet_answer(const struct byw_outlet *outlet,
                                                                 uint32_t number)
{
    return &outlet->packet[number].first;
}

/* Packet `number` will be answered soon: prefetches it into the host's cache. */
static inline void byw_outlet_prefetch(const struct byw_outlet *outlet, uint32_t number)
{
    byw_prefetch(&outlet->packet[number]);
}

/* The L1D has taken the request returned by _answer.  Returns whether it was the packet's last one;
 * the packet is then freed. */
bool byw_outlet_served(struct byw_outlet *outlet, uint32_t number);

#endif
