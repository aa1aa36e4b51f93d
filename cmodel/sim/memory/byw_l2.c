/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/memory/byw_l2.h"

#include <stdlib.h>
#include <string.h>

#include "policy/byw_mech_chain.h"
#include "sim/memory/byw_l2_lines.h"
#include "sim/memory/byw_l2_policy.h"
#include "sim/memory/byw_mem_ledger.h"

struct byw_l2_shape byw_l2_shape(const struct byw_config *config)
{
    return (struct byw_l2_shape){
        .sets = config->l2_sets,
        .ways = config->l2_ways,
        .line_bytes = config->l2_line,
        .sectors = config->l2_sectors,
        .mshrs = config->l2_mshrs,
        .merges = config->l2_merges,
        .miss_queue = config->l2_miss_queue,
        .port_bytes = config->l2_port,
        .write_bytes = config->l2_write_bytes,
        .one_port = config->l2_one_port != 0,
        .in_queue = config->l2_in_queue,
        .out_queue = config->l2_out_queue,
        .down_queue = config->l2_dram_queue,
        .tag_latency = config->l2_rop,
        .data_latency = config->l2_data,
        .atom_bytes = config->dram_atom,
        .write = config->l2_write_miss == BYW_WRITE_MISS_LAZY ? BYW_L2_LAZY : BYW_L2_FETCH,
        .bypass_bits =
            (config->pc_on != 0 && config->pc_l2bit != 0) || byw_mech_chain_verifies(config),
        .streams = true,
        .lasting = config->l2_no_allocate != 0,
    };
}

struct byw_l2_shape byw_l2_shape_l3(const struct byw_config *config)
{
    return (struct byw_l2_shape){
        .sets = config->l3_sets,
        .ways = config->l3_ways,
        .line_bytes = config->l3_line,
        .sectors = config->l3_sectors,
        .mshrs = config->l3_mshrs,
        .merges = config->l3_merges,
        .miss_queue = config->l3_miss_queue,
        .port_bytes = config->l3_port,
        .in_queue = config->l3_queue,
        .out_queue = config->l3_queue,
        .down_queue = config->l3_queue,
        .tag_latency = config->l3_tags,
        .data_latency = config->l3_data,
        .atom_bytes = config->dram_atom,
        .write = BYW_L2_LAZY,
    };
}

struct byw_l2_shape byw_l2_shape_gl1(const struct byw_config *config)
{
    return (struct byw_l2_shape){
        .sets = config->gl1_sets,
        .ways = config->gl1_ways,
        .line_bytes = config->gl1_line,
        .sectors = 1,
        .mshrs = config->gl1_mshrs,
        .merges = config->gl1_merges,
        .miss_queue = config->gl1_miss_queue,
        .port_bytes = config->gl1_port,
        .in_queue = config->gl1_queue,
        .out_queue = config->gl1_queue,
        .down_queue = config->gl1_queue,
        .tag_latency = config->gl1_tags,
        .data_latency = config->gl1_data,
        .atom_bytes = config->dram_atom,
        .write = BYW_L2_THROUGH,
    };
}

static uint32_t log2_of(uint32_t power)
{
    return (uint32_t)__builtin_ctz(power);
}

static void sizes_init(struct byw_l2 *l2, const struct byw_l2_shape *shape)
{
    l2->sets = shape->sets;
    l2->ways = shape->ways;
    l2->mshrs = shape->mshrs;
    l2->merges = shape->merges;
    l2->miss_limit = shape->miss_queue;
    l2->in_limit = shape->in_queue;
    l2->out_limit = shape->out_queue;
    l2->dram_limit = shape->down_queue;
    l2->line_bytes = shape->line_bytes;
    l2->line_log2 = log2_of(shape->line_bytes);
    l2->atom_bytes = shape->atom_bytes;
    l2->line_atoms = (shape->line_bytes + shape->atom_bytes - 1) / shape->atom_bytes;
    l2->port_bytes = shape->port_bytes;
    l2->write_bytes = shape->write_bytes != 0 ? shape->write_bytes : shape->port_bytes;
    l2->one_port = shape->one_port;
    l2->sectors = shape->sectors;
    l2->sectors_log2 = log2_of(shape->sectors);
    l2->sector_bytes = shape->line_bytes / shape->sectors;
    l2->sector_log2 = log2_of(l2->sector_bytes);
    l2->sector_atoms = (l2->sector_bytes + shape->atom_bytes - 1) / shape->atom_bytes;
    l2->sector_cycles = (l2->sector_bytes + shape->port_bytes - 1) / shape->port_bytes;
    l2->sector_words =
        l2->sector_bytes >= 128 ? UINT32_MAX : (UINT32_C(1) << l2->sector_bytes / 4) - 1;
    l2->rop_latency = shape->tag_latency;
    l2->data_latency = shape->data_latency;
    l2->write = shape->write;
    l2->streams = shape->streams;
    l2->lasting = shape->lasting;
}

static bool arrays_init(struct byw_l2 *l2, const struct byw_l2_shape *shape)
{
    size_t lines = (size_t)shape->sets * shape->ways, sectors = lines * shape->sectors;

    l2->tag = malloc(lines * sizeof(*l2->tag));
    l2->print = calloc(lines + 15, 1); /* compared 16 at a time */
    l2->used = calloc(lines, sizeof(*l2->used));
    l2->owner = calloc(sectors, sizeof(*l2->owner));
    l2->state = calloc(sectors, sizeof(*l2->state));
    l2->mshr = calloc(l2->mshrs, sizeof(*l2->mshr));
    if (shape->bypass_bits) {
        l2->bypass_bit = calloc(sectors, sizeof(*l2->bypass_bit));
        l2->bypass_sm = calloc(sectors, sizeof(*l2->bypass_sm));
    }
    if (shape->write == BYW_L2_LAZY)
        l2->holes = calloc(sectors, sizeof(*l2->holes));
    if (l2->tag == NULL || l2->print == NULL || l2->used == NULL || l2->owner == NULL ||
        l2->state == NULL || l2->mshr == NULL ||
        (shape->bypass_bits && (l2->bypass_bit == NULL || l2->bypass_sm == NULL)) ||
        (shape->write == BYW_L2_LAZY && l2->holes == NULL))
        return false;
    for (size_t i = 0; i < lines; i++)
        l2->tag[i] = BYW_L2_NO_LINE; /* the print of an invalid line is ignored */
    for (uint32_t m = 0; m < l2->mshrs; m++)
        l2->mshr[m].next = (m + 1 < l2->mshrs) ? m + 1 : BYW_NO_MSHR;
    return true;
}

enum byw_status byw_l2_init(struct byw_l2 *l2, uint32_t number, const struct byw_l2_shape *shape,
                            struct byw_packet_pool *pool, struct byw_mem_stats *total,
                            struct byw_level_stats *stats)
{
    memset(l2, 0, sizeof(*l2));
    l2->pool = pool;
    l2->total = total;
    l2->stats = stats;
    l2->number = number;
    sizes_init(l2, shape);
    if (!arrays_init(l2, shape)) {
        byw_l2_free(l2);
        return BYW_ENOMEM;
    }
    l2->filled_head = l2->filled_tail = BYW_NO_MSHR;
    byw_fifo_init(&l2->rop, BYW_AT_ROP);
    byw_fifo_init(&l2->in, BYW_AT_L2_IN);
    byw_fifo_init(&l2->miss, BYW_AT_L2_MISS);
    byw_fifo_init(&l2->to_dram, BYW_AT_L2_DRAM);
    byw_fifo_init(&l2->from_dram, BYW_AT_DRAM_L2);
    byw_fifo_init(&l2->out, BYW_AT_L2_OUT);
    return BYW_OK;
}

void byw_l2_free(struct byw_l2 *l2)
{
    byw_l2_policy_free(l2);
    free(l2->tag);
    free(l2->print);
    free(l2->used);
    free(l2->owner);
    free(l2->holes);
    free(l2->state);
    free(l2->bypass_bit);
    free(l2->bypass_sm);
    free(l2->mshr);
    byw_l2_join_free(l2->join);
    memset(l2, 0, sizeof(*l2));
}

/* --- requests ------------------------------------------------------------------------------ */

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
    struct byw_packet *p = &l2->pool->packet[packet];

    l2->stats->requests++;
    p->ready = core_now + l2->rop_latency;
    p->joined = l2->join != NULL && byw_l2_joins(l2->join, &p->txn, core_now);
    if (p->joined)
        l2->stats->joined_bytes += p->txn.bytes;
    if (p->txn.bytes > l2->sector_bytes)
        split(l2, packet);
    else
        byw_fifo_push(l2->pool, &l2->rop, packet);
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

    l2->pool->packet[p].txn.fetched = true;
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
    if (l2->one_port)
        l2->data_free = l2->fill_free;
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
