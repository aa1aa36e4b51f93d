/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/byw_l2.h"

#include "l2/byw_bypass_bit.h"
#include "sim/byw_l2_lines.h"
#include "sim/byw_l2_policy.h"

bool byw_l2_ready(const struct byw_l2 *l2)
{
    /* Room for four, the parts of a line of four sectors, is kept; the delay line itself has no
     * limit, what is on it drains into the queue behind this check. */
    uint32_t keep = l2->in_limit < 4 ? l2->in_limit : 4;

    return l2->in.count + keep <= l2->in_limit;
}

/* Puts the parts of a request, one per sector, on the delay line; it waits for them.  A sector of
 * which a write writes nothing has none. */
static void split(struct byw_l2 *l2, uint32_t whole)
{
    uint32_t words = l2->sector_bytes / 4;
    uint8_t parts = 0;

    for (uint32_t s = 0; s * l2->sector_bytes < l2->pool->packet[whole].txn.bytes; s++) {
        uint32_t holes = l2->pool->packet[whole].txn.holes >> s * words & l2->sector_words;
        struct byw_packet *part;
        uint32_t p;

        if (holes == l2->sector_words)
            continue;
        p = byw_pool_take(l2->pool);
        part = &l2->pool->packet[p];
        *part = l2->pool->packet[whole];
        part->origin = BYW_ORIGIN_PART;
        part->parent = whole;
        part->txn.addr += s * l2->sector_bytes;
        part->txn.bytes = (uint16_t)l2->sector_bytes;
        part->txn.holes = holes;
        byw_fifo_push(l2->pool, &l2->rop, p);
        parts++;
    }
    assert(parts > 0);
    l2->pool->packet[whole].parts = parts;
    byw_packet_move(l2->pool, whole, BYW_AT_PARTS);
    l2->stats->parts += parts - 1U;
}

void byw_l2_push(struct byw_l2 *l2, uint32_t packet, uint64_t core_now)
{
    l2->stats->requests++;
    l2->pool->packet[packet].ready = core_now + l2->rop_latency;
    if (l2->pool->packet[packet].txn.bytes > l2->sector_bytes)
        split(l2, packet);
    else
        byw_fifo_push(l2->pool, &l2->rop, packet);
}

/* A request is done: it goes to out, a part when it is the last one's, or ends here if it has no
 * answer. */
static void leave(struct byw_l2 *l2, uint32_t p)
{
    struct byw_packet *packet = &l2->pool->packet[p];

    if (!byw_packet_returns(packet)) {
        byw_packet_end(l2->pool, &l2->total->posted, p);
        return;
    }
    if (packet->origin == BYW_ORIGIN_PART) {
        uint32_t whole = packet->parent;

        l2->pool->packet[whole].txn.mispredict |= packet->txn.mispredict;
        byw_pool_give(l2->pool, p);
        if (--l2->pool->packet[whole].parts > 0)
            return;
        p = whole;
    }
    /* The cycle that takes it from out is the next one at the earliest; the delay comes on top. */
    l2->pool->packet[p].ready = l2->core_now + (l2->data_latency > 0 ? l2->data_latency + 1 : 0);
    byw_fifo_push(l2->pool, &l2->out, p);
}

/* Why a miss or a merge cannot be taken; `most`: packets it may put into the miss queue. */
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

void byw_l2_touch(struct byw_l2 *l2, uint32_t at)
{
    l2->used[at >> l2->sectors_log2] = ++l2->tick;
}

uint64_t byw_l2_port_free(const struct byw_l2 *l2, uint32_t bytes, uint64_t now)
{
    return now + (bytes + l2->port_bytes - 1) / l2->port_bytes;
}

/* The line of an address is dirty from now on, or from its fill on. */
static void dirtied(struct byw_l2 *l2, uint64_t addr)
{
    if (l2->policy != NULL)
        byw_l2_policy_dirtied(l2, addr);
}

/* Gives the line of `at` to a new one, whose sectors are all invalid; the old one is written back
 * if it must be. */
static void replace(struct byw_l2 *l2, uint32_t at, uint64_t born, uint64_t now)
{
    uint32_t line = at >> l2->sectors_log2;

    if (byw_l2_write_back(l2, line, born, now) && l2->policy != NULL)
        byw_l2_policy_evicted(l2, l2->tag[line] << l2->line_log2);
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
    bool next_to_go = l2->streams && found == BYW_L2_MISS && packet->txn.nontemporal;
    uint32_t m = byw_l2_take_mshr(l2, p, at);

    l2->mshr[m].dirty = atomic || found == BYW_L2_IS_WRITTEN;
    l2->stats->sector_misses += found != BYW_L2_MISS;
    if (found == BYW_L2_MISS) {
        replace(l2, at, born, now);
        l2->tag[at >> l2->sectors_log2] = line;
    }
    l2->state[at] = BYW_L2_PENDING;
    l2->owner[at] = m;
    byw_l2_touch(l2, at);
    if (next_to_go)
        l2->used[at >> l2->sectors_log2] = 0;
    if (atomic)
        dirtied(l2, line << l2->line_log2);
}

static void merge(struct byw_l2 *l2, uint32_t at, uint32_t p)
{
    struct byw_l2_mshr *mshr = &l2->mshr[l2->owner[at]];
    const struct byw_packet *packet = &l2->pool->packet[p];

    mshr->count++;
    if (packet->txn.kind == BYW_TXN_ATOMIC || byw_packet_writes(packet)) {
        mshr->dirty = true;
        dirtied(l2, packet->txn.addr);
    }
    byw_fifo_push(l2->pool, &mshr->merged, p);
    byw_l2_touch(l2, at);
}

/* A packet like the write `like` that fetches its sector; it ends when the MSHR is answered. */
static uint32_t make_fetch(struct byw_l2 *l2, const struct byw_packet *like)
{
    uint32_t p = byw_pool_take(l2->pool);
    struct byw_packet *packet = &l2->pool->packet[p];

    *packet = *like;
    packet->txn.kind = BYW_TXN_READ;
    packet->origin = BYW_ORIGIN_FETCH;
    return p;
}

/* The words of a write are in a sector that is there, or in one of which these are the first. */
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

    byw_l2_touch(l2, at);
    l2->data_free = byw_l2_port_free(l2, packet->txn.bytes, now);
    if (write)
        put_words(l2, at, &packet->txn, false);
    else if (packet->txn.kind == BYW_TXN_ATOMIC)
        l2->state[at] = BYW_L2_DIRTY;
    if (write || packet->txn.kind == BYW_TXN_ATOMIC)
        dirtied(l2, packet->txn.addr);
    l2->stats->hits++;
    l2->stats->write_hits += write;
    leave(l2, p);
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

/* A miss or an access to a pending sector that nothing refuses. */
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

/* A write that misses takes its sector without a fetch. */
static void miss_lazily(struct byw_l2 *l2, enum byw_l2_found found, uint32_t at, uint64_t now)
{
    uint32_t p = byw_fifo_pop(l2->pool, &l2->in);
    const struct byw_packet *packet = &l2->pool->packet[p];
    uint64_t busy = byw_l2_port_free(l2, packet->txn.bytes, now);

    if (found == BYW_L2_MISS) {
        replace(l2, at, packet->born, now);
        l2->tag[at >> l2->sectors_log2] = packet->txn.addr >> l2->line_log2;
    }
    put_words(l2, at, &packet->txn, true);
    byw_l2_touch(l2, at);
    dirtied(l2, packet->txn.addr);
    if (l2->data_free < busy)
        l2->data_free = busy;
    l2->stats->misses++;
    l2->stats->unfetched++;
    l2->stats->write_misses++;
    l2->stats->sector_misses += found != BYW_L2_MISS;
    leave(l2, p);
}

/* What byw_l2_goes_through() says of the head of the input queue. */
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

/* The head of the input queue is accepted; its reply tells whether it refutes a bypass. */
static void accept(struct byw_l2 *l2, uint32_t at)
{
    struct byw_txn *txn = &l2->pool->packet[l2->in.head].txn;
    bool found = l2->found != BYW_L2_MISS && l2->found != BYW_L2_NO_SECTOR;

    if (l2->policy != NULL)
        byw_l2_policy_kept(l2, l2->found, at);
    if (l2->bypass_bit == NULL)
        return;
    txn->mispredict =
        byw_bypass_bit(&l2->bypass_bit[at], found, txn->kind == BYW_TXN_READ, txn->predicted);
    l2->stats->mispredicts += txn->mispredict;
    l2->stats->mispredicts_own += txn->mispredict && l2->bypass_sm[at] == txn->sm;
    if (txn->kind == BYW_TXN_READ && txn->predicted)
        l2->bypass_sm[at] = txn->sm;
}

static void count_access(struct byw_level_stats *stats, uint8_t kind)
{
    if (kind == BYW_TXN_READ)
        stats->reads++;
    else if (kind == BYW_TXN_ATOMIC)
        stats->atomics++;
    else if (kind == BYW_TXN_INST)
        stats->insts++;
    else
        stats->writes++;
}

static void count_fail(struct byw_level_stats *stats, enum byw_l2_fail why)
{
    stats->fail_cycles++;
    if (why == BYW_L2_FAIL_LINE)
        stats->fail_line++;
    else if (why == BYW_L2_FAIL_QUEUE)
        stats->fail_queue++;
    else if (why == BYW_L2_FAIL_MSHR)
        stats->fail_mshr++;
    else if (why == BYW_L2_FAIL_MERGE)
        stats->fail_merge++;
    else if (why == BYW_L2_FAIL_RINSE)
        stats->fail_rinse++;
}

/* Serves the head of the input queue with what was found for it, or says why it cannot. */
static enum byw_l2_fail serve(struct byw_l2 *l2, enum byw_l2_found found, uint32_t at, uint64_t now)
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
    if (l2->policy != NULL && byw_l2_policy_serve(l2, found, at, now, &fail))
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

/* The head of the input queue looks up the tags.  A failed one remembers what it found until a fill
 * changes a line of its set. */
static void lookup(struct byw_l2 *l2, uint64_t now)
{
    const struct byw_packet *packet = &l2->pool->packet[l2->in.head];
    uint8_t kind = packet->txn.kind;

    if (!l2->probed) {
        l2->found = (uint8_t)byw_l2_find(l2, packet->txn.addr, packet->set, &l2->found_at);
        l2->probed = true;
    }
    l2->blocked = serve(l2, l2->found, l2->found_at, now);
    if (l2->blocked != BYW_L2_FAIL_NONE) {
        count_fail(l2->stats, l2->blocked);
        return;
    }
    l2->probed = false;
    count_access(l2->stats, kind);
}

/* One request of the oldest filled MSHR is answered; a fetch for a write just ends. */
static void answer_filled(struct byw_l2 *l2)
{
    uint32_t m = l2->filled_head;
    struct byw_l2_mshr *mshr = &l2->mshr[m];
    uint32_t p = byw_fifo_pop(l2->pool, &mshr->merged);

    if (l2->pool->packet[p].origin == BYW_ORIGIN_FETCH)
        byw_pool_give(l2->pool, p);
    else
        leave(l2, p);
    if (mshr->merged.count > 0)
        return;
    l2->filled_head = mshr->next;
    if (mshr->way == BYW_L2_NOWHERE && l2->policy != NULL)
        byw_l2_policy_answered(l2, m);
    mshr->next = l2->mshr_free;
    l2->mshr_free = m;
    l2->mshr_in_use--;
    l2->blocked = BYW_L2_FAIL_NONE;
}

/* The sector that `p` fetched is there: its requests, p first, wait to be answered. */
static void fill(struct byw_l2 *l2, uint32_t p, uint64_t now)
{
    uint32_t m = l2->pool->packet[p].dest;
    struct byw_l2_mshr *mshr = &l2->mshr[m];

    l2->pool->packet[p].next = mshr->merged.head;
    byw_packet_move(l2->pool, p, BYW_AT_L2_MSHR);
    if (mshr->merged.count++ == 0)
        mshr->merged.tail = p;
    mshr->merged.head = p;
    mshr->next = BYW_NO_MSHR;
    if (l2->filled_head == BYW_NO_MSHR)
        l2->filled_head = m;
    else
        l2->mshr[l2->filled_tail].next = m;
    l2->filled_tail = m;
    if (mshr->way == BYW_L2_NOWHERE)
        return;
    l2->state[mshr->way] = mshr->dirty ? BYW_L2_DIRTY : BYW_L2_CLEAN;
    l2->fill_free = now + l2->sector_cycles;
    if (l2->probed &&
        (mshr->way >> l2->sectors_log2) / l2->ways == l2->pool->packet[l2->in.head].set) {
        l2->probed = false;
        l2->blocked = BYW_L2_FAIL_NONE;
    }
}

static void take_from_below(struct byw_l2 *l2, uint64_t now)
{
    uint32_t p = l2->from_dram.head;

    if (l2->pool->packet[p].fills) {
        if (now >= l2->fill_free)
            fill(l2, byw_fifo_pop(l2->pool, &l2->from_dram), now);
    } else if (l2->out.count < l2->out_limit) {
        leave(l2, byw_fifo_pop(l2->pool, &l2->from_dram));
    }
}

void byw_l2_cycle(struct byw_l2 *l2, uint64_t core_now, uint64_t now)
{
    l2->core_now = core_now;
    if (l2->filled_head != BYW_NO_MSHR && l2->out.count < l2->out_limit)
        answer_filled(l2);
    if (l2->from_dram.count > 0)
        take_from_below(l2, now);
    if (l2->miss.count > 0 && l2->to_dram.count < l2->dram_limit) {
        byw_fifo_push(l2->pool, &l2->to_dram, byw_fifo_pop(l2->pool, &l2->miss));
        l2->blocked = BYW_L2_FAIL_NONE;
    }
    if (l2->rinsing)
        byw_l2_policy_step(l2, now);
    if (l2->in.count > 0 && now >= l2->data_free && l2->to_dram.count < l2->dram_limit &&
        l2->out.count < l2->out_limit) {
        if (l2->blocked != BYW_L2_FAIL_NONE)
            count_fail(l2->stats, l2->blocked);
        else
            lookup(l2, now);
    }
    if (l2->flushing)
        byw_l2_flush_step(l2, now);
    if (l2->rop.count > 0 && l2->in.count < l2->in_limit &&
        core_now >= l2->pool->packet[l2->rop.head].ready)
        byw_fifo_push(l2->pool, &l2->in, byw_fifo_pop(l2->pool, &l2->rop));
}

bool byw_l2_empty(const struct byw_l2 *l2)
{
    return l2->mshr_in_use == 0 && l2->to_dram.count + l2->out.count == 0 &&
           byw_l2_wake(l2, 0) == UINT64_MAX;
}
