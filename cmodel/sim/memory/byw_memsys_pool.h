/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_memsys_pool.h - packets of the memory system: one pool, passed on by index through FIFOs.
 *
 * A packet is a transaction in flight through crossbar, L2 and DRAM, or one created by the L2 (a
 * fetch for a write miss, a write-back).  It is in exactly one FIFO at a time, so the FIFO links
 * are in the packet and no queue allocates memory.  Freed packets are reused last in, first out,
 * which keeps the few that are in flight in the host's caches.
 *
 * Also here: bit sets of ports, slices and channels, so that idle ones cost nothing.
 */
#ifndef BYW_MEMSYS_POOL_H
#define BYW_MEMSYS_POOL_H

#include <assert.h>
#include <stdlib.h>

#include "common/byw_bits.h"
#include "sim/memory/byw_memsys.h"

#define BYW_NO_PACKET UINT32_MAX

/* Where a packet waits, for the watchdog; a FIFO stamps its place on each packet it takes. */
#define BYW_PLACE_LIST(X)                                                                          \
    X(BYW_AT_FREE, "nowhere")                                                                      \
    X(BYW_AT_REQ_IN, "the request crossbar's input")                                               \
    X(BYW_AT_REQ_OUT, "the request crossbar's output")                                             \
    X(BYW_AT_ROP, "the delay line from the crossbar to the L2")                                    \
    X(BYW_AT_PARTS, "its parts, one per sector")                                                   \
    X(BYW_AT_BELOW, "the next cache level")                                                        \
    X(BYW_AT_L2_IN, "the L2 slice's input queue")                                                  \
    X(BYW_AT_L2_MSHR, "an L2 MSHR")                                                                \
    X(BYW_AT_L2_MISS, "the L2 miss queue")                                                         \
    X(BYW_AT_L2_DRAM, "the queue from L2 to DRAM")                                                 \
    X(BYW_AT_DRAM_DELAY, "the delay line from the L2 to the DRAM scheduler")                       \
    X(BYW_AT_DRAM_QUEUE, "the DRAM scheduler's queue")                                             \
    X(BYW_AT_DRAM_BANK, "a DRAM bank")                                                             \
    X(BYW_AT_DRAM_DATA, "the DRAM data bus")                                                       \
    X(BYW_AT_DRAM_RETURN, "the DRAM return queue")                                                 \
    X(BYW_AT_DRAM_L2, "the queue from DRAM to L2")                                                 \
    X(BYW_AT_L2_OUT, "the L2 slice's output queue")                                                \
    X(BYW_AT_RSP_IN, "the reply crossbar's input")                                                 \
    X(BYW_AT_RSP_OUT, "the reply crossbar's output")

enum byw_packet_place {
#define X(code, text) code,
    BYW_PLACE_LIST(X)
#undef X
};

enum byw_packet_origin {
    BYW_ORIGIN_SM,
    BYW_ORIGIN_FETCH, /* read of a sector by a cache for a write miss */
    BYW_ORIGIN_EVICT, /* write of a dirty victim by a cache */
    BYW_ORIGIN_PART, /* one sector of the request `parent`, in the same cache */
    BYW_ORIGIN_CHILD, /* represents `parent` in the level below */
};

struct byw_packet {
    struct byw_txn txn;
    uint64_t ready; /* cycle at which its delay expires; core clock, or DRAM clock in the DRAM */
    uint64_t born; /* core cycle of its push */
    uint64_t row; /* DRAM row */
    uint64_t entered; /* core cycle in which it reached its place */
    uint64_t path; /* earlier places, five bits each, the last one lowest; ends with 0 */
    uint32_t next; /* next packet in the FIFO */
    uint32_t set; /* set within the slice */
    uint32_t parent; /* the packet that a part or child belongs to */
    uint16_t dest; /* crossbar output; below a cache the MSHR number of a fill */
    uint16_t slice;
    uint8_t bank;
    uint8_t atoms; /* DRAM column commands still to be issued */
    uint8_t parts; /* unfinished parts of a split request */
    bool fills; /* returns with a sector, not as an acknowledgement */
    bool joined; /* shares the L2's answer to another read (byw_l2_join.h) */
    uint8_t place; /* enum byw_packet_place */
    uint8_t origin; /* enum byw_packet_origin */
};

struct byw_packet_pool {
    struct byw_packet *packet;
    uint64_t now; /* core cycle, for the packets' histories */
    uint32_t capacity;
    uint32_t touched; /* packets ever used; those above are untouched memory */
    uint32_t free; /* head of the list of returned packets */
    uint32_t in_use;
    uint64_t returned; /* packets returned so far */
};

struct byw_fifo {
    uint32_t head, tail, count;
    uint8_t place;
};

/* Prefetches a packet into the host's cache; the next one to be taken or moved was used long
 * ago. */
static inline void byw_packet_prefetch(const struct byw_packet_pool *pool, uint32_t i)
{
    const struct byw_packet *packet = &pool->packet[i & -(uint32_t)(i != BYW_NO_PACKET)];

    byw_prefetch(packet);
    byw_prefetch(&packet->place);
}

static inline uint32_t byw_pool_take(struct byw_packet_pool *pool)
{
    uint32_t i = pool->free;

    if (i != BYW_NO_PACKET) {
        pool->free = pool->packet[i].next;
        byw_packet_prefetch(pool, pool->free);
    } else {
        assert(pool->touched < pool->capacity);
        i = pool->touched++;
    }
    pool->in_use++;
    pool->packet[i].place = BYW_AT_FREE;
    pool->packet[i].path = 0;
    return i;
}

static inline void byw_pool_give(struct byw_packet_pool *pool, uint32_t i)
{
    pool->packet[i].place = BYW_AT_FREE;
    pool->packet[i].next = pool->free;
    pool->free = i;
    pool->in_use--;
    pool->returned++;
}

static inline void byw_fifo_init(struct byw_fifo *fifo, enum byw_packet_place place)
{
    fifo->head = BYW_NO_PACKET;
    fifo->tail = 0;
    fifo->count = 0;
    fifo->place = (uint8_t)place;
}

/* The packet moves to a place. */
static inline void byw_packet_move(struct byw_packet_pool *pool, uint32_t i, uint8_t place)
{
    struct byw_packet *packet = &pool->packet[i];

    packet->path = packet->path << 5 | packet->place;
    packet->place = place;
    packet->entered = pool->now;
}

static inline void byw_fifo_push(struct byw_packet_pool *pool, struct byw_fifo *fifo, uint32_t i)
{
    uint32_t *link = &pool->packet[fifo->tail].next;

    byw_packet_move(pool, i, fifo->place);
    pool->packet[i].next = BYW_NO_PACKET;
    link = fifo->count++ == 0 ? &fifo->head : link;
    *link = i;
    fifo->tail = i;
}

static inline uint32_t byw_fifo_pop(const struct byw_packet_pool *pool, struct byw_fifo *fifo)
{
    uint32_t i = fifo->head;

    assert(fifo->count > 0);
    fifo->head = pool->packet[i].next;
    fifo->count--;
    byw_packet_prefetch(pool, fifo->head);
    return i;
}

/* Removes the packet after `before` (BYW_NO_PACKET: the first one). */
static inline uint32_t byw_fifo_remove(struct byw_packet_pool *pool, struct byw_fifo *fifo,
                                       uint32_t before)
{
    uint32_t i;

    if (before == BYW_NO_PACKET)
        return byw_fifo_pop(pool, fifo);
    i = pool->packet[before].next;
    pool->packet[before].next = pool->packet[i].next;
    if (fifo->tail == i)
        fifo->tail = before;
    fifo->count--;
    return i;
}

/* Whether the level below sees the packet as a write; _returns: whether it returns from there. */
static inline bool byw_packet_writes(const struct byw_packet *packet)
{
    return packet->txn.kind == BYW_TXN_WRITE || packet->txn.kind == BYW_TXN_WRITEBACK;
}

static inline bool byw_packet_returns(const struct byw_packet *packet)
{
    return packet->txn.kind != BYW_TXN_WRITEBACK;
}

/* Ends a packet that has no answer, and the request whose last part it is. */
static inline void byw_packet_end(struct byw_packet_pool *pool, uint64_t *posted, uint32_t p)
{
    for (;;) {
        uint8_t origin = pool->packet[p].origin;
        uint32_t parent = pool->packet[p].parent;

        *posted += origin == BYW_ORIGIN_SM;
        byw_pool_give(pool, p);
        if (origin != BYW_ORIGIN_PART || --pool->packet[parent].parts > 0)
            return;
        p = parent;
    }
}

/* DRAM atoms of a request that does not write the words in `holes`. */
static inline uint32_t byw_packet_atoms(uint32_t bytes, uint32_t atom_bytes, uint32_t holes)
{
    uint32_t words = atom_bytes / 4, atoms = 0;

    if (holes == 0)
        return (bytes + atom_bytes - 1) / atom_bytes;
    for (uint32_t at = 0; at < bytes / 4; at += words)
        atoms += (~holes >> at & (words >= 32 ? UINT32_MAX : (UINT32_C(1) << words) - 1)) != 0;
    return atoms;
}

/* Sets of small numbers. */
enum { BYW_BITS_MAX = 512, BYW_BITS_WORDS = BYW_BITS_MAX / 64 };

struct byw_bits {
    uint64_t w[BYW_BITS_WORDS];
    uint32_t words; /* words in use */
};

static inline void byw_bits_init(struct byw_bits *bits, uint32_t size)
{
    assert(size <= BYW_BITS_MAX);
    for (uint32_t i = 0; i < BYW_BITS_WORDS; i++)
        bits->w[i] = 0;
    bits->words = (size + 63) / 64;
}

static inline void byw_bits_set(struct byw_bits *bits, uint32_t i)
{
    bits->w[i / 64] |= UINT64_C(1) << (i % 64);
}

static inline void byw_bits_clear(struct byw_bits *bits, uint32_t i)
{
    bits->w[i / 64] &= ~(UINT64_C(1) << (i % 64));
}

static inline bool byw_bits_test(const struct byw_bits *bits, uint32_t i)
{
    return (bits->w[i / 64] >> (i % 64)) & 1;
}

static inline bool byw_bits_any(const struct byw_bits *bits)
{
    for (uint32_t i = 0; i < bits->words; i++)
        if (bits->w[i] != 0)
            return true;
    return false;
}

/* The first member at or above `from`; BYW_BITS_MAX if there is none. */
static inline uint32_t byw_bits_next(const struct byw_bits *bits, uint32_t from)
{
    uint32_t word = from / 64;
    uint64_t w;

    if (word >= bits->words)
        return BYW_BITS_MAX;
    w = bits->w[word] & (UINT64_MAX << (from % 64));
    while (w == 0) {
        if (++word == bits->words)
            return BYW_BITS_MAX;
        w = bits->w[word];
    }
    return word * 64 + (uint32_t)__builtin_ctzll(w);
}

/* byw_bits_next() that wraps around to 0.  The set must not be empty; `from` must be below its
 * size. */
static inline uint32_t byw_bits_around(const struct byw_bits *bits, uint32_t from)
{
    uint32_t i;

    if (bits->words == 1) {
        uint64_t behind = bits->w[0] & UINT64_MAX << from;

        return (uint32_t)__builtin_ctzll(behind != 0 ? behind : bits->w[0]);
    }
    i = byw_bits_next(bits, from);
    return (i != BYW_BITS_MAX) ? i : byw_bits_next(bits, 0);
}

#endif
