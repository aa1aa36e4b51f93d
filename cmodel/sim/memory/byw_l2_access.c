/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l2_access.c - The effect of an access on the lines and MSHRs of a slice: hits, misses,
 * merges, and what is forwarded to the level below.
 */
#include "l2/byw_bypass_bit.h"
#include "sim/memory/byw_l2_lines.h"
#include "sim/memory/byw_l2_policy.h"

/* Why a miss or merge cannot be accepted; `most`: packets it may add to the miss queue. */
static enum byw_l2_fail refuse(const struct byw_l2 *l2, enum byw_l2_found found, uint32_t at,
                               uint32_t most, bool fetches)
{
    if (found == BYW_L2_NO_WAY)
        return BYW_L2_FAIL_LINE;
    if (l2->miss.count + most > l2->miss_limit)
        return BYW_L2_FAIL_QUEUE;
    if (found == BYW_L2_IS_PENDING)
        return l2->mshr[l2->owner[at]].count >= l2->merges ? BYW_L2_FAIL_MERGE : BYW_L2_FAIL_NONE;
    return fetches && l2->mshr_in_use >= l2->mshrs ? BYW_L2_FAIL_MSHR : BYW_L2_FAIL_NONE;
}

void byw_l2_leave(struct byw_l2 *l2, uint32_t p)
{
    struct byw_packet *packet = &l2->pool->packet[p];

    if (!byw_packet_returns(packet)) {
        byw_packet_end(l2->pool, &l2->total->posted, p);
        return;
    }
    if (packet->origin == BYW_ORIGIN_PART) {
        uint32_t whole = packet->parent;

        l2->pool->packet[whole].txn.mispredict |= packet->txn.mispredict;
        l2->pool->packet[whole].txn.fetched |= packet->txn.fetched;
        byw_pool_give(l2->pool, p);
        if (--l2->pool->packet[whole].parts > 0)
            return;
        p = whole;
    }
    /* The cycle that takes it from `out` is the next one at the earliest; the delay is added to
     * that. */
    l2->pool->packet[p].ready = l2->core_now + (l2->data_latency > 0 ? l2->data_latency + 1 : 0);
    byw_fifo_push(l2->pool, &l2->out, p);
}

void byw_l2_touch(struct byw_l2 *l2, uint32_t at)
{
    l2->used[at >> l2->sectors_log2] = ++l2->tick;
}

void byw_l2_occupy(struct byw_l2 *l2, const struct byw_packet *packet, uint64_t now)
{
    uint32_t width = byw_packet_writes(packet) ? l2->write_bytes : l2->port_bytes;
    uint64_t free = now + (packet->txn.bytes + width - 1) / width;

    if (l2->data_free < free) /* a victim may occupy it for longer */
        l2->data_free = free;
    if (l2->one_port)
        l2->fill_free = l2->data_free;
}

/* The line of an address is dirty now, or will be with its fill. */
static void dirtied(struct byw_l2 *l2, uint64_t addr)
{
    if (l2->policy != NULL)
        l2->policy->dirtied(l2, addr);
}

/* Whether the line of `at` is the next victim of its set and stays so when the packet uses it. */
static bool stays_next(const struct byw_l2 *l2, uint32_t at, const struct byw_packet *packet)
{
    return l2->lasting && packet->txn.nontemporal && l2->used[at >> l2->sectors_log2] == 0;
}

/* Replaces the line of `at` by a new one whose sectors are all invalid.  The old line is written
 * back if it is dirty. */
static void replace(struct byw_l2 *l2, uint32_t at, uint64_t born, uint64_t now)
{
    uint32_t line = at >> l2->sectors_log2;

    if (byw_l2_write_back(l2, line, born, now) && l2->policy != NULL)
        l2->policy->evicted(l2, l2->tag[line] << l2->line_log2);
    for (uint32_t s = line << l2->sectors_log2; s < (line + 1) << l2->sectors_log2; s++)
        l2->state[s] = BYW_L2_INVALID;
}

uint32_t byw_l2_take_mshr(struct byw_l2 *l2, uint32_t p, uint32_t at)
{
    struct byw_packet *packet = &l2->pool->packet[p];
    uint32_t m = l2->mshr_free;
    struct byw_l2_mshr *mshr = &l2->mshr[m];

    l2->mshr_free = mshr->next;
    l2->mshr_in_use++;
    byw_fifo_init(&mshr->merged, BYW_AT_L2_MSHR);
    mshr->way = at;
    mshr->count = 1;
    mshr->dirty = false;
    packet->dest = (uint16_t)m;
    packet->fills = true;
    packet->atoms = (uint8_t)l2->sector_atoms;
    if (l2->join != NULL)
        byw_l2_join_fetch(l2->join, m, &packet->txn);
    byw_fifo_push(l2->pool, &l2->miss, p);
    l2->stats->fetched++;
    return m;
}

/* Fetches the sector at `at` with packet p and a new MSHR. */
static void fetch(struct byw_l2 *l2, enum byw_l2_found found, uint32_t at, uint32_t p, uint64_t now)
{
    const struct byw_packet *packet = &l2->pool->packet[p];
    uint64_t line = packet->txn.addr >> l2->line_log2, born = packet->born;
    bool atomic = packet->txn.kind == BYW_TXN_ATOMIC;
    bool next_to_go = (l2->streams && found == BYW_L2_MISS && packet->txn.nontemporal) ||
                      stays_next(l2, at, packet);
    uint32_t m = byw_l2_take_mshr(l2, p, at);

    l2->mshr[m].dirty = atomic || found == BYW_L2_IS_WRITTEN;
    l2->stats->sector_misses += found != BYW_L2_MISS;
    if (found == BYW_L2_MISS) {
        replace(l2, at, born, now);
        byw_l2_name(l2, at >> l2->sectors_log2, line);
    }
    l2->state[at] = BYW_L2_PENDING;
    l2->owner[at] = m;
    byw_l2_touch(l2, at);
    if (next_to_go)
        l2->used[at >> l2->sectors_log2] = 0;
    if (atomic)
        dirtied(l2, line << l2->line_log2);
}

/* A read of a sector that is being fetched may share another one's answer. */
static void share_fetch(struct byw_l2 *l2, uint32_t at, struct byw_packet *packet)
{
    if (!byw_l2_joins_fetch(l2->join, l2->owner[at], &packet->txn, packet->joined))
        return;
    if (!packet->joined)
        l2->stats->joined_bytes += packet->txn.bytes;
    packet->joined = true;
}

static void merge(struct byw_l2 *l2, uint32_t at, uint32_t p)
{
    struct byw_l2_mshr *mshr = &l2->mshr[l2->owner[at]];
    struct byw_packet *packet = &l2->pool->packet[p];

    mshr->count++;
    if (l2->join != NULL)
        share_fetch(l2, at, packet);
    if (packet->txn.kind == BYW_TXN_ATOMIC || byw_packet_writes(packet)) {
        mshr->dirty = true;
        dirtied(l2, packet->txn.addr);
    }
    byw_fifo_push(l2->pool, &mshr->merged, p);
    if (!stays_next(l2, at, packet))
        byw_l2_touch(l2, at);
}

/* A packet that fetches the sector of the write `like`; it ends when the MSHR is answered. */
static uint32_t make_fetch(struct byw_l2 *l2, const struct byw_packet *like)
{
    uint32_t p = byw_pool_take(l2->pool);
    struct byw_packet *packet = &l2->pool->packet[p];

    *packet = *like;
    packet->txn.kind = BYW_TXN_READ;
    packet->origin = BYW_ORIGIN_FETCH;
    return p;
}

/* Writes words to a present sector, or as the first ones of a new sector. */
static void put_words(struct byw_l2 *l2, uint32_t at, const struct byw_txn *txn, bool first)
{
    uint32_t holes;

    if (!first && l2->state[at] != BYW_L2_WRITTEN) {
        l2->state[at] = BYW_L2_DIRTY;
        return;
    }
    holes = byw_l2_holes(l2, txn);
    l2->holes[at] = first ? holes : l2->holes[at] & holes;
    l2->state[at] = l2->holes[at] == 0 ? BYW_L2_DIRTY : BYW_L2_WRITTEN;
}

static void hit(struct byw_l2 *l2, uint32_t at, uint64_t now)
{
    uint32_t p = byw_fifo_pop(l2->pool, &l2->in);
    const struct byw_packet *packet = &l2->pool->packet[p];
    bool write = byw_packet_writes(packet);

    if (!stays_next(l2, at, packet))
        byw_l2_touch(l2, at);
    if (!packet->joined)
        byw_l2_occupy(l2, packet, now);
    if (write)
        put_words(l2, at, &packet->txn, false);
    else if (packet->txn.kind == BYW_TXN_ATOMIC)
        l2->state[at] = BYW_L2_DIRTY;
    if (write || packet->txn.kind == BYW_TXN_ATOMIC)
        dirtied(l2, packet->txn.addr);
    l2->stats->hits++;
    l2->stats->write_hits += write;
    byw_l2_leave(l2, p);
}

void byw_l2_send_on(struct byw_l2 *l2, uint32_t p)
{
    struct byw_packet *packet = &l2->pool->packet[p];
    uint32_t atoms = (packet->txn.bytes + l2->atom_bytes - 1) / l2->atom_bytes;

    packet->atoms = (uint8_t)atoms;
    packet->fills = false;
    byw_fifo_push(l2->pool, &l2->miss, p);
    l2->stats->sent_on++;
    l2->stats->write_atoms += atoms;
}

/* A miss, or an access to a pending sector, that was not refused. */
static void miss(struct byw_l2 *l2, enum byw_l2_found found, uint32_t at, uint64_t now)
{
    uint32_t p = byw_fifo_pop(l2->pool, &l2->in);
    bool write = byw_packet_writes(&l2->pool->packet[p]);

    if (write) {
        l2->stats->write_misses++;
        if (l2->write == BYW_L2_FETCH) {
            uint32_t own = make_fetch(l2, &l2->pool->packet[p]);

            byw_l2_send_on(l2, p);
            l2->stats->write_fetches += found != BYW_L2_IS_PENDING;
            p = own;
        }
    }
    if (found == BYW_L2_IS_PENDING) {
        l2->stats->pending++;
        merge(l2, at, p);
    } else {
        l2->stats->misses++;
        fetch(l2, found, at, p, now);
    }
}

/* A write miss that allocates its sector without a fetch. */
static void miss_lazily(struct byw_l2 *l2, enum byw_l2_found found, uint32_t at, uint64_t now)
{
    uint32_t p = byw_fifo_pop(l2->pool, &l2->in);
    const struct byw_packet *packet = &l2->pool->packet[p];

    if (found == BYW_L2_MISS) {
        replace(l2, at, packet->born, now);
        byw_l2_name(l2, at >> l2->sectors_log2, packet->txn.addr >> l2->line_log2);
    }
    put_words(l2, at, &packet->txn, true);
    byw_l2_touch(l2, at);
    dirtied(l2, packet->txn.addr);
    byw_l2_occupy(l2, packet, now);
    l2->stats->misses++;
    l2->stats->unfetched++;
    l2->stats->write_misses++;
    l2->stats->sector_misses += found != BYW_L2_MISS;
    byw_l2_leave(l2, p);
}

/* Forwards the head of the input queue to the level below (byw_l2_goes_through()). */
static void pass_through(struct byw_l2 *l2, enum byw_l2_found found, uint32_t at)
{
    uint32_t p = byw_fifo_pop(l2->pool, &l2->in);

    if (found == BYW_L2_IS_PENDING && l2->pool->packet[p].txn.is_volatile) {
        l2->stats->pending++;
        merge(l2, at, p);
        byw_l2_give_up(l2, at);
        return;
    }
    if (found == BYW_L2_HIT)
        byw_l2_drop(l2, at);
    else if (found == BYW_L2_IS_PENDING)
        byw_l2_give_up(l2, at);
    l2->stats->misses++;
    l2->stats->unfetched++;
    l2->stats->write_misses += byw_packet_writes(&l2->pool->packet[p]);
    byw_l2_send_on(l2, p);
}

/* Accepts the head of the input queue; its reply says whether a bypass was mispredicted. */
static void accept(struct byw_l2 *l2, uint32_t at)
{
    struct byw_txn *txn = &l2->pool->packet[l2->in.head].txn;
    bool found = l2->found != BYW_L2_MISS && l2->found != BYW_L2_NO_SECTOR;

    if (l2->policy != NULL)
        l2->policy->kept(l2, l2->found, at);
    if (l2->bypass_bit == NULL)
        return;
    txn->mispredict =
        byw_bypass_bit(&l2->bypass_bit[at], found, txn->kind == BYW_TXN_READ, txn->predicted);
    l2->stats->mispredicts += txn->mispredict;
    l2->stats->mispredicts_own += txn->mispredict && l2->bypass_sm[at] == txn->sm;
    if (txn->kind == BYW_TXN_READ && txn->predicted)
        l2->bypass_sm[at] = txn->sm;
}

enum byw_l2_fail byw_l2_serve(struct byw_l2 *l2, enum byw_l2_found found, uint32_t at, uint64_t now)
{
    const struct byw_packet *packet = &l2->pool->packet[l2->in.head];
    bool write = byw_packet_writes(packet), lazy = write && l2->write == BYW_L2_LAZY;
    enum byw_l2_fail fail;

    if (l2->write == BYW_L2_THROUGH && byw_l2_goes_through(packet)) {
        if (l2->miss.count >= l2->miss_limit)
            return BYW_L2_FAIL_QUEUE;
        if (found == BYW_L2_IS_PENDING && packet->txn.is_volatile &&
            l2->mshr[l2->owner[at]].count >= l2->merges)
            return BYW_L2_FAIL_MERGE;
        pass_through(l2, found, at);
        return BYW_L2_FAIL_NONE;
    }
    if (l2->policy != NULL && l2->policy->serve(l2, found, at, now, &fail))
        return fail;
    if (found == BYW_L2_HIT || (lazy && found == BYW_L2_IS_WRITTEN)) {
        accept(l2, at);
        hit(l2, at, now);
        return BYW_L2_FAIL_NONE;
    }
    fail = refuse(l2, found, at, lazy ? 1 : write ? 3 : 2, !lazy);
    if (fail != BYW_L2_FAIL_NONE)
        return fail;
    accept(l2, at);
    if (lazy && found != BYW_L2_IS_PENDING)
        miss_lazily(l2, found, at, now);
    else
        miss(l2, found, at, now);
    return BYW_L2_FAIL_NONE;
}
