/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/byw_l2.h"

#include <string.h>

#include "l2/byw_bypass_bit.h"

#define NO_LINE UINT64_MAX /* tag of an invalid way: no line has it */

enum status_of_line { LINE_HIT, LINE_PENDING, LINE_MISS, LINE_NONE };

static void queues_init(struct byw_l2 *l2)
{
    byw_fifo_init(&l2->rop, BYW_AT_ROP);
    byw_fifo_init(&l2->in, BYW_AT_L2_IN);
    byw_fifo_init(&l2->miss, BYW_AT_L2_MISS);
    byw_fifo_init(&l2->to_dram, BYW_AT_L2_DRAM);
    byw_fifo_init(&l2->from_dram, BYW_AT_DRAM_L2);
    byw_fifo_init(&l2->out, BYW_AT_L2_OUT);
}

enum byw_status byw_l2_init(struct byw_l2 *l2, uint32_t number, const struct byw_config *config,
                            const struct byw_addrmap *map, struct byw_packet_pool *pool,
                            struct byw_mem_stats *stats)
{
    size_t lines = (size_t)config->l2_sets * config->l2_ways;

    memset(l2, 0, sizeof(*l2));
    l2->map = map;
    l2->pool = pool;
    l2->stats = stats;
    l2->number = number;
    l2->sets = config->l2_sets;
    l2->ways = config->l2_ways;
    l2->mshrs = config->l2_mshrs;
    l2->merges = config->l2_merges;
    l2->miss_limit = config->l2_miss_queue;
    l2->in_limit = config->l2_in_queue;
    l2->out_limit = config->l2_out_queue;
    l2->dram_limit = config->l2_dram_queue;
    l2->line_bytes = config->l2_line;
    l2->atom_bytes = config->dram_atom;
    l2->line_atoms = (config->l2_line + config->dram_atom - 1) / config->dram_atom;
    l2->port_bytes = config->l2_port;
    l2->line_cycles = config->l2_line / config->l2_port;
    l2->rop_latency = config->l2_rop;
    l2->tag = calloc(lines, sizeof(*l2->tag));
    l2->used = calloc(lines, sizeof(*l2->used));
    l2->owner = calloc(lines, sizeof(*l2->owner));
    l2->state = calloc(lines, sizeof(*l2->state));
    l2->mshr = calloc(l2->mshrs, sizeof(*l2->mshr));
    if (config->pc_on != 0 && config->pc_l2bit != 0) {
        l2->bypass_bit = calloc(lines, sizeof(*l2->bypass_bit));
        if (l2->bypass_bit == NULL) {
            byw_l2_free(l2);
            return BYW_ENOMEM;
        }
    }
    if (l2->tag == NULL || l2->used == NULL || l2->owner == NULL || l2->state == NULL ||
        l2->mshr == NULL) {
        byw_l2_free(l2);
        return BYW_ENOMEM;
    }
    for (size_t i = 0; i < lines; i++)
        l2->tag[i] = NO_LINE;
    for (uint32_t m = 0; m < l2->mshrs; m++)
        l2->mshr[m].next = (m + 1 < l2->mshrs) ? m + 1 : BYW_NO_MSHR;
    l2->filled_head = l2->filled_tail = BYW_NO_MSHR;
    queues_init(l2);
    return BYW_OK;
}

void byw_l2_free(struct byw_l2 *l2)
{
    free(l2->tag);
    free(l2->used);
    free(l2->owner);
    free(l2->state);
    free(l2->bypass_bit);
    free(l2->mshr);
    memset(l2, 0, sizeof(*l2));
}

bool byw_l2_ready(const struct byw_l2 *l2)
{
    /* Room for four is kept, as a slice with sectors would need; the delay line itself has no
     * limit, what is on it drains into the queue behind this check. */
    uint32_t keep = l2->in_limit < 4 ? l2->in_limit : 4;

    return l2->in.count + keep <= l2->in_limit;
}

void byw_l2_push(struct byw_l2 *l2, uint32_t packet, uint64_t core_now)
{
    l2->pool->packet[packet].ready = core_now + l2->rop_latency;
    byw_fifo_push(l2->pool, &l2->rop, packet);
}

/* The way a new line of the set takes: the last invalid one, else the least recently used that is
 * not pending; UINT32_MAX when all are. */
static uint32_t victim(const struct byw_l2 *l2, uint32_t base)
{
    uint32_t oldest = UINT32_MAX;
    uint64_t oldest_used = UINT64_MAX;

    for (uint32_t i = base + l2->ways; i-- > base;) {
        if (l2->state[i] == BYW_L2_INVALID)
            return i;
        if (l2->state[i] != BYW_L2_PENDING && l2->used[i] < oldest_used) {
            oldest_used = l2->used[i];
            oldest = i;
        }
    }
    return oldest;
}

/* Finds the line or the way it would take. */
static enum status_of_line find(const struct byw_l2 *l2, uint64_t line, uint32_t set, uint32_t *at)
{
    const uint64_t *tag = &l2->tag[set * l2->ways];

    for (uint32_t w = 0; w < l2->ways; w++) {
        if (tag[w] == line) {
            *at = set * l2->ways + w;
            return l2->state[*at] == BYW_L2_PENDING ? LINE_PENDING : LINE_HIT;
        }
    }
    *at = victim(l2, set * l2->ways);
    return *at == UINT32_MAX ? LINE_NONE : LINE_MISS;
}

/* Why a miss or a merge cannot be taken; `most`: packets it may put into the miss queue. */
static enum byw_l2_fail refuse(const struct byw_l2 *l2, enum status_of_line status, uint32_t at,
                               uint32_t most)
{
    if (status == LINE_NONE)
        return BYW_L2_FAIL_LINE;
    if (l2->miss.count + most > l2->miss_limit)
        return BYW_L2_FAIL_QUEUE;
    if (status == LINE_PENDING)
        return l2->mshr[l2->owner[at]].count >= l2->merges ? BYW_L2_FAIL_MERGE : BYW_L2_FAIL_NONE;
    return l2->mshr_in_use >= l2->mshrs ? BYW_L2_FAIL_MSHR : BYW_L2_FAIL_NONE;
}

/* Sends a dirty victim to DRAM. */
static void write_back(struct byw_l2 *l2, uint32_t at, uint64_t born, uint64_t now)
{
    uint32_t p = byw_pool_take(l2->pool);
    struct byw_packet *packet = &l2->pool->packet[p];

    memset(packet, 0, sizeof(*packet));
    packet->txn.addr = l2->tag[at] << l2->map->line_log2;
    packet->txn.kind = BYW_TXN_WRITEBACK;
    packet->txn.bytes = (uint16_t)l2->line_bytes;
    packet->origin = BYW_ORIGIN_EVICT;
    packet->born = born;
    packet->slice = (uint16_t)l2->number;
    packet->atoms = (uint8_t)l2->line_atoms;
    byw_fifo_push(l2->pool, &l2->miss, p);
    l2->data_free = now + l2->line_cycles;
    l2->stats->l2_writebacks++;
}

/* Takes the way for a line that is about to be fetched by `packet`, with a new MSHR. */
static void allocate(struct byw_l2 *l2, uint64_t line, uint32_t at, uint32_t p, uint64_t now)
{
    struct byw_packet *packet = &l2->pool->packet[p];
    uint32_t m = l2->mshr_free;
    struct byw_l2_mshr *mshr = &l2->mshr[m];
    bool dirty = l2->state[at] == BYW_L2_DIRTY;

    l2->mshr_free = mshr->next;
    l2->mshr_in_use++;
    byw_fifo_init(&mshr->merged, BYW_AT_L2_MSHR);
    mshr->way = at;
    mshr->count = 1;
    mshr->dirty = packet->txn.kind == BYW_TXN_ATOMIC;
    packet->dest = (uint16_t)m;
    packet->atoms = (uint8_t)l2->line_atoms;
    byw_fifo_push(l2->pool, &l2->miss, p);
    if (dirty)
        write_back(l2, at, packet->born, now);
    l2->tag[at] = line;
    l2->state[at] = BYW_L2_PENDING;
    l2->owner[at] = m;
    l2->used[at] = ++l2->tick;
}

static void merge(struct byw_l2 *l2, uint32_t at, uint32_t p)
{
    struct byw_l2_mshr *mshr = &l2->mshr[l2->owner[at]];

    mshr->count++;
    mshr->dirty = mshr->dirty || l2->pool->packet[p].txn.kind == BYW_TXN_ATOMIC;
    byw_fifo_push(l2->pool, &mshr->merged, p);
    l2->used[at] = ++l2->tick;
}

/* A packet like the write `like` that fetches its line; it ends when the MSHR is answered. */
static uint32_t make_fetch(struct byw_l2 *l2, const struct byw_packet *like)
{
    uint32_t p = byw_pool_take(l2->pool);
    struct byw_packet *packet = &l2->pool->packet[p];

    *packet = *like;
    packet->txn.kind = BYW_TXN_READ;
    packet->origin = BYW_ORIGIN_FETCH;
    return p;
}

static void hit(struct byw_l2 *l2, uint32_t at, uint64_t now)
{
    uint32_t p = byw_fifo_pop(l2->pool, &l2->in);
    const struct byw_packet *packet = &l2->pool->packet[p];
    bool write = byw_packet_writes(packet);

    l2->used[at] = ++l2->tick;
    l2->data_free = now + (packet->txn.bytes + l2->port_bytes - 1) / l2->port_bytes;
    if (write || packet->txn.kind == BYW_TXN_ATOMIC)
        l2->state[at] = BYW_L2_DIRTY;
    l2->stats->l2_hits++;
    l2->stats->l2_write_hits += write;
    if (packet->txn.kind == BYW_TXN_WRITEBACK) {
        l2->stats->posted++;
        byw_pool_give(l2->pool, p);
    } else {
        byw_fifo_push(l2->pool, &l2->out, p);
    }
}

/* A miss or an access to a pending line that nothing refuses. */
static void miss(struct byw_l2 *l2, enum status_of_line status, uint64_t line, uint32_t at,
                 uint64_t now)
{
    uint32_t p = byw_fifo_pop(l2->pool, &l2->in);
    bool write = byw_packet_writes(&l2->pool->packet[p]);

    if (write) {
        uint32_t bytes = l2->pool->packet[p].txn.bytes;
        uint32_t atoms = (bytes + l2->atom_bytes - 1) / l2->atom_bytes;
        uint32_t fetch = make_fetch(l2, &l2->pool->packet[p]);

        l2->pool->packet[p].atoms = (uint8_t)atoms;
        byw_fifo_push(l2->pool, &l2->miss, p);
        l2->stats->l2_write_misses++;
        l2->stats->l2_write_atoms += atoms;
        l2->stats->l2_fetches += status == LINE_MISS;
        p = fetch;
    }
    if (status == LINE_PENDING) {
        l2->stats->l2_pending++;
        merge(l2, at, p);
    } else {
        l2->stats->l2_misses++;
        allocate(l2, line, at, p, now);
    }
}

/* The head of the input queue is accepted for the line at `at`: its reply tells whether the line was
 * bypassed by a prediction that this access refutes. */
static void check_prediction(struct byw_l2 *l2, uint32_t at)
{
    struct byw_txn *txn = &l2->pool->packet[l2->in.head].txn;

    if (l2->bypass_bit == NULL)
        return;
    txn->mispredict = byw_bypass_bit(&l2->bypass_bit[at], l2->found != LINE_MISS,
                                     txn->kind == BYW_TXN_READ, txn->predicted);
    l2->stats->l2_mispredicts += txn->mispredict;
}

static void count_access(struct byw_mem_stats *stats, uint8_t kind)
{
    stats->l2_reads += kind == BYW_TXN_READ;
    stats->l2_writes += kind == BYW_TXN_WRITE || kind == BYW_TXN_WRITEBACK;
    stats->l2_atomics += kind == BYW_TXN_ATOMIC;
    stats->l2_insts += kind == BYW_TXN_INST;
}

static void count_fail(struct byw_mem_stats *stats, enum byw_l2_fail why)
{
    stats->l2_fail_cycles++;
    stats->l2_fail_line += why == BYW_L2_FAIL_LINE;
    stats->l2_fail_queue += why == BYW_L2_FAIL_QUEUE;
    stats->l2_fail_mshr += why == BYW_L2_FAIL_MSHR;
    stats->l2_fail_merge += why == BYW_L2_FAIL_MERGE;
}

/* The head of the input queue looks up the tags.  A failed one remembers what it found until a fill
 * changes a line of its set. */
static void lookup(struct byw_l2 *l2, uint64_t now)
{
    const struct byw_packet *packet = &l2->pool->packet[l2->in.head];
    uint64_t line = packet->txn.addr >> l2->map->line_log2;
    uint8_t kind = packet->txn.kind;

    if (!l2->probed) {
        l2->found = (uint8_t)find(l2, line, packet->set, &l2->found_at);
        l2->probed = true;
    }
    if (l2->found == LINE_HIT) {
        check_prediction(l2, l2->found_at);
        hit(l2, l2->found_at, now);
    } else {
        l2->blocked = refuse(l2, l2->found, l2->found_at, byw_packet_writes(packet) ? 3 : 2);
        if (l2->blocked != BYW_L2_FAIL_NONE) {
            count_fail(l2->stats, l2->blocked);
            return;
        }
        check_prediction(l2, l2->found_at);
        miss(l2, l2->found, line, l2->found_at, now);
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
        byw_fifo_push(l2->pool, &l2->out, p);
    if (mshr->merged.count > 0)
        return;
    l2->filled_head = mshr->next;
    mshr->next = l2->mshr_free;
    l2->mshr_free = m;
    l2->mshr_in_use--;
    l2->blocked = BYW_L2_FAIL_NONE;
}

/* The line that `p` fetched is there: its requests, p first, wait to be answered. */
static void fill(struct byw_l2 *l2, uint32_t p, uint64_t now)
{
    uint32_t m = l2->pool->packet[p].dest;
    struct byw_l2_mshr *mshr = &l2->mshr[m];

    l2->pool->packet[p].next = mshr->merged.head;
    l2->pool->packet[p].place = BYW_AT_L2_MSHR;
    if (mshr->merged.count++ == 0)
        mshr->merged.tail = p;
    mshr->merged.head = p;
    l2->state[mshr->way] = mshr->dirty ? BYW_L2_DIRTY : BYW_L2_CLEAN;
    mshr->next = BYW_NO_MSHR;
    if (l2->filled_head == BYW_NO_MSHR)
        l2->filled_head = m;
    else
        l2->mshr[l2->filled_tail].next = m;
    l2->filled_tail = m;
    l2->fill_free = now + l2->line_cycles;
    if (l2->probed && mshr->way / l2->ways == l2->pool->packet[l2->in.head].set) {
        l2->probed = false;
        l2->blocked = BYW_L2_FAIL_NONE;
    }
}

static void take_from_dram(struct byw_l2 *l2, uint64_t now)
{
    uint32_t p = l2->from_dram.head;

    if (!byw_packet_writes(&l2->pool->packet[p])) {
        if (now >= l2->fill_free)
            fill(l2, byw_fifo_pop(l2->pool, &l2->from_dram), now);
    } else if (l2->out.count < l2->out_limit) {
        byw_fifo_push(l2->pool, &l2->out, byw_fifo_pop(l2->pool, &l2->from_dram));
    }
}

void byw_l2_cycle(struct byw_l2 *l2, uint64_t core_now, uint64_t now)
{
    if (l2->filled_head != BYW_NO_MSHR && l2->out.count < l2->out_limit)
        answer_filled(l2);
    if (l2->from_dram.count > 0)
        take_from_dram(l2, now);
    if (l2->miss.count > 0 && l2->to_dram.count < l2->dram_limit) {
        byw_fifo_push(l2->pool, &l2->to_dram, byw_fifo_pop(l2->pool, &l2->miss));
        l2->blocked = BYW_L2_FAIL_NONE;
    }
    if (l2->in.count > 0 && now >= l2->data_free && l2->to_dram.count < l2->dram_limit &&
        l2->out.count < l2->out_limit) {
        if (l2->blocked != BYW_L2_FAIL_NONE)
            count_fail(l2->stats, l2->blocked);
        else
            lookup(l2, now);
    }
    if (l2->rop.count > 0 && l2->in.count < l2->in_limit &&
        core_now >= l2->pool->packet[l2->rop.head].ready)
        byw_fifo_push(l2->pool, &l2->in, byw_fifo_pop(l2->pool, &l2->rop));
}

bool byw_l2_empty(const struct byw_l2 *l2)
{
    return l2->mshr_in_use == 0 && l2->to_dram.count + l2->out.count == 0 &&
           byw_l2_wake(l2, 0) == UINT64_MAX;
}
