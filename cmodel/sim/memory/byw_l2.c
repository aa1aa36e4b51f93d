/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/memory/byw_l2.h"

#include "sim/memory/byw_l2_lines.h"
#include "sim/memory/byw_l2_policy.h"
#include "sim/memory/byw_mem_ledger.h"

bool byw_l2_ready(const struct byw_l2 *l2)
{
    /* Keeps room for the four parts of a line of four sectors.  The delay line itself has no limit;
     * it drains into the queue after this check. */
    uint32_t keep = l2->in_limit < 4 ? l2->in_limit : 4;

    return l2->in.count + keep <= l2->in_limit;
}

/* Puts the parts of a request, one per sector, on the delay line; the request waits for them.  A
 * sector without written bytes gets no part. */
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

static void count_fails(struct byw_level_stats *stats, enum byw_l2_fail why, uint64_t cycles)
{
    stats->fail_cycles += cycles;
    if (why == BYW_L2_FAIL_LINE)
        stats->fail_line += cycles;
    else if (why == BYW_L2_FAIL_QUEUE)
        stats->fail_queue += cycles;
    else if (why == BYW_L2_FAIL_MSHR)
        stats->fail_mshr += cycles;
    else if (why == BYW_L2_FAIL_MERGE)
        stats->fail_merge += cycles;
    else if (why == BYW_L2_FAIL_RINSE)
        stats->fail_rinse += cycles;
}

void byw_l2_settle(struct byw_l2 *l2, uint64_t now)
{
    if (l2->dozes)
        count_fails(l2->stats, l2->blocked, now - l2->stepped - 1);
    l2->stepped = now - 1;
}

/* The head of the input queue looks up the tags.  A failed lookup keeps its result until a fill
 * changes a line of its set. */
static void lookup(struct byw_l2 *l2, uint64_t now)
{
    const struct byw_packet *packet = &l2->pool->packet[l2->in.head];
    uint8_t kind = packet->txn.kind;

    if (!l2->probed) {
        l2->found = (uint8_t)byw_l2_find(l2, packet->txn.addr, packet->set, &l2->found_at);
        l2->probed = true;
    }
    l2->blocked = byw_l2_serve(l2, l2->found, l2->found_at, now);
    if (l2->blocked != BYW_L2_FAIL_NONE) {
        count_fails(l2->stats, l2->blocked, 1);
        return;
    }
    l2->probed = false;
    count_access(l2->stats, kind);
}

/* lookup(), with its counts attributed to the instruction. */
static void lookup_noted(struct byw_l2 *l2, uint64_t now)
{
    const struct byw_txn txn = l2->pool->packet[l2->in.head].txn;
    const struct byw_level_stats before = *l2->stats;

    lookup(l2, now);
    byw_mem_ledger_served(l2->ledger, &txn, &before, l2->stats);
}

/* Answers one request of the oldest filled MSHR.  A fetch for a write just ends. */
static void answer_filled(struct byw_l2 *l2)
{
    uint32_t m = l2->filled_head;
    struct byw_l2_mshr *mshr = &l2->mshr[m];
    uint32_t p = byw_fifo_pop(l2->pool, &mshr->merged);

    if (l2->pool->packet[p].origin == BYW_ORIGIN_FETCH)
        byw_pool_give(l2->pool, p);
    else
        byw_l2_leave(l2, p);
    if (mshr->merged.count > 0)
        return;
    l2->filled_head = mshr->next;
    if (mshr->way == BYW_L2_NOWHERE && l2->policy != NULL)
        l2->policy->answered(l2, m);
    mshr->next = l2->mshr_free;
    l2->mshr_free = m;
    l2->mshr_in_use--;
    l2->blocked = BYW_L2_FAIL_NONE;
}

/* The sector fetched by `p` arrived: its requests, p first, wait to be answered. */
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
        byw_l2_leave(l2, byw_fifo_pop(l2->pool, &l2->from_dram));
    }
}

void byw_l2_cycle(struct byw_l2 *l2, uint64_t core_now, uint64_t now)
{
    byw_l2_settle(l2, now);
    l2->stepped = now;
    l2->dozes = false;
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
        l2->policy->step(l2, now);
    if (l2->in.count > 0 && now >= l2->data_free && l2->to_dram.count < l2->dram_limit &&
        l2->out.count < l2->out_limit) {
        if (l2->blocked != BYW_L2_FAIL_NONE)
            count_fails(l2->stats, l2->blocked, 1);
        else if (l2->ledger != NULL)
            lookup_noted(l2, now);
        else
            lookup(l2, now);
        l2->dozes = l2->blocked == BYW_L2_FAIL_LINE || l2->blocked == BYW_L2_FAIL_MSHR ||
                    l2->blocked == BYW_L2_FAIL_MERGE;
    }
    if (l2->flushing)
        byw_l2_flush_step(l2, now);
    if (l2->rop.count > 0 && l2->in.count < l2->in_limit &&
        core_now >= l2->pool->packet[l2->rop.head].ready) {
        byw_l2_prefetch(l2, l2->pool->packet[l2->rop.head].set);
        byw_fifo_push(l2->pool, &l2->in, byw_fifo_pop(l2->pool, &l2->rop));
    }
}

bool byw_l2_empty(const struct byw_l2 *l2)
{
    return l2->mshr_in_use == 0 && l2->to_dram.count + l2->out.count == 0 &&
           byw_l2_wake(l2, 0) == UINT64_MAX;
}
