/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/memory/byw_memside.h"

/* Creates the packet that represents packet p in the level below: a read of the sector that p
 * fetches, or the same write. p waits for its answer, or ends if there will be none. */
static uint32_t descend(struct byw_memsys *memsys, uint32_t p)
{
    struct byw_packet_pool *pool = &memsys->pool;
    uint32_t c = byw_pool_take(pool);
    struct byw_packet *child = &pool->packet[c];

    *child = pool->packet[p];
    child->origin = BYW_ORIGIN_CHILD;
    child->parent = p;
    if (child->fills) {
        uint32_t bytes = child->atoms * memsys->config.dram_atom;

        child->txn.kind = child->txn.kind == BYW_TXN_INST ? BYW_TXN_INST : BYW_TXN_READ;
        child->txn.bytes = (uint16_t)bytes;
        child->txn.addr &= ~(uint64_t)(bytes - 1);
        child->txn.holes = 0;
    }
    child->fills = false;
    if (byw_packet_returns(child))
        byw_packet_move(pool, p, BYW_AT_BELOW);
    else
        byw_packet_end(pool, &memsys->stats.posted, p);
    return c;
}

/* The packet that a finished child represents. */
static uint32_t ascend(struct byw_memsys *memsys, uint32_t c)
{
    struct byw_packet_pool *pool = &memsys->pool;
    uint32_t p = pool->packet[c].parent;

    pool->packet[p].txn.mispredict |= pool->packet[c].txn.mispredict;
    pool->packet[p].txn.fetched |= pool->packet[c].txn.fetched;
    byw_pool_give(pool, c);
    return p;
}

static bool out_ready(const struct byw_memsys *memsys, const struct byw_l2 *level)
{
    return level->out.count > 0 && memsys->pool.packet[level->out.head].ready <= memsys->cycle;
}

void byw_memsys_inject(struct byw_memsys *memsys, uint32_t input, uint32_t p)
{
    struct byw_packet *packet = &memsys->pool.packet[p];
    bool carries = byw_packet_writes(packet) || packet->txn.kind == BYW_TXN_ATOMIC;
    uint32_t slice;

    byw_addrmap_home(&memsys->map, packet->txn.addr, &slice, &packet->set);
    packet->slice = packet->dest = (uint16_t)slice;
    memsys->stats.icnt_req_flits += memsys->flits[carries ? packet->txn.bytes : 0];
    if (memsys->ledger != NULL)
        byw_mem_ledger_of(memsys->ledger, &packet->txn)->req_flits +=
            memsys->flits[carries ? packet->txn.bytes : 0];
    byw_icnt_push(&memsys->request, &memsys->pool, input, p);
}

/* --- GL1 ---------------------------------------------------------------------------------- */

uint32_t byw_memsys_gl1_set(const struct byw_memsys *memsys, uint64_t addr)
{
    return (uint32_t)(addr >> memsys->gl1->line_log2) & (memsys->gl1->sets - 1);
}

static void gl1_cycle(struct byw_memsys *memsys, uint32_t g)
{
    struct byw_l2 *gl1 = &memsys->gl1[g];
    struct byw_packet_pool *pool = &memsys->pool;
    uint32_t back = byw_icnt_front(&memsys->reply, g);

    if (back != BYW_NO_PACKET && pool->packet[back].ready <= memsys->cycle &&
        gl1->from_dram.count < gl1->dram_limit)
        byw_fifo_push(pool, &gl1->from_dram, ascend(memsys, byw_icnt_pop(&memsys->reply, pool, g)));
    if (byw_bits_test(&memsys->near_request.arrived, g) && byw_l2_ready(gl1))
        byw_l2_push(gl1, byw_icnt_pop(&memsys->near_request, pool, g), memsys->cycle);
    byw_l2_cycle(gl1, memsys->cycle, memsys->icnt_now);
    if (gl1->to_dram.count > 0 && byw_icnt_ready(&memsys->request, g))
        byw_memsys_inject(memsys, g, descend(memsys, byw_fifo_pop(pool, &gl1->to_dram)));
    if (out_ready(memsys, gl1) && byw_icnt_ready(&memsys->near_reply, g)) {
        uint32_t p = byw_fifo_pop(pool, &gl1->out);

        pool->packet[p].dest = pool->packet[p].txn.sm;
        byw_icnt_push(&memsys->near_reply, pool, g, p);
        memsys->stats.replies++;
    }
}

static bool gl1_idle(const struct byw_memsys *memsys, uint32_t g)
{
    const struct byw_l2 *gl1 = &memsys->gl1[g];

    return gl1->to_dram.count + gl1->out.count == 0 &&
           byw_l2_wake(gl1, memsys->cycle) == UINT64_MAX;
}

void byw_memsys_gl1_step(struct byw_memsys *memsys)
{
    for (uint32_t w = 0; w < memsys->gl1_runs.words; w++) {
        uint64_t left =
            memsys->gl1_runs.w[w] | memsys->near_request.arrived.w[w] | memsys->reply.arrived.w[w];

        for (; left != 0; left &= left - 1) {
            uint32_t g = w * 64 + (uint32_t)__builtin_ctzll(left);

            gl1_cycle(memsys, g);
            if (gl1_idle(memsys, g))
                byw_bits_clear(&memsys->gl1_runs, g);
            else
                byw_bits_set(&memsys->gl1_runs, g);
        }
    }
}

/* --- L3 ----------------------------------------------------------------------------------- */

/* The next L2 slice of a channel, in turn, that has something for the L3; UINT32_MAX: none. */
static uint32_t l3_sender(const struct byw_memsys *memsys, uint32_t c)
{
    uint32_t per_channel = memsys->map.slices_per_channel, s = memsys->l3_last[c];

    for (uint32_t i = 0; i < per_channel; i++) {
        s = (s + 1 < per_channel) ? s + 1 : 0;
        if (memsys->slice[c * per_channel + s].to_dram.count > 0)
            return s;
    }
    return UINT32_MAX;
}

static void l3_answer(struct byw_memsys *memsys, struct byw_l2 *l3)
{
    struct byw_packet_pool *pool = &memsys->pool;
    uint32_t s = pool->packet[pool->packet[l3->out.head].parent].slice;
    struct byw_l2 *l2 = &memsys->slice[s];

    if (l2->from_dram.count >= l2->dram_limit)
        return;
    byw_fifo_push(pool, &l2->from_dram, ascend(memsys, byw_fifo_pop(pool, &l3->out)));
    byw_memside_rouse_slice(memsys, s);
}

static void l3_take(struct byw_memsys *memsys, uint32_t c)
{
    struct byw_l2 *l3 = &memsys->l3[c];
    uint32_t s = l3_sender(memsys, c), p;
    struct byw_packet *packet;

    if (s == UINT32_MAX || !byw_l2_ready(l3))
        return;
    memsys->l3_last[c] = s;
    s += c * memsys->map.slices_per_channel;
    p = descend(memsys, byw_fifo_pop(&memsys->pool, &memsys->slice[s].to_dram));
    packet = &memsys->pool.packet[p];
    packet->slice = (uint16_t)c;
    packet->set =
        (uint32_t)byw_addrmap_channel_line(&memsys->map, packet->txn.addr, l3->line_log2) &
        (l3->sets - 1);
    byw_l2_push(l3, p, memsys->cycle);
}

void byw_memsys_l3_step(struct byw_memsys *memsys, uint64_t now)
{
    for (uint32_t c = byw_bits_next(&memsys->l3_runs, 0); c != BYW_BITS_MAX;
         c = byw_bits_next(&memsys->l3_runs, c + 1)) {
        struct byw_l2 *l3 = &memsys->l3[c];

        if (out_ready(memsys, l3))
            l3_answer(memsys, l3);
        l3_take(memsys, c);
        byw_l2_cycle(l3, memsys->cycle, now);
        if (l3->to_dram.count > 0)
            byw_memside_rouse_channel(memsys, c);
        if (l3->out.count == 0 && byw_l2_wake(l3, memsys->cycle) == UINT64_MAX &&
            l3_sender(memsys, c) == UINT32_MAX)
            byw_bits_clear(&memsys->l3_runs, c);
    }
}

/* --- time --------------------------------------------------------------------------------- */

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Edges late in a core cycle already see the next cycle's number. */
static uint64_t seen_from(const struct byw_memsys *memsys, enum byw_domain domain, uint64_t at)
{
    bool late = memsys->clock.f[domain] != memsys->clock.f[BYW_CLOCK_CORE];

    return (late && at != UINT64_MAX && at > 0) ? at - 1 : at;
}

static uint64_t level_wake(const struct byw_memsys *memsys, const struct byw_l2 *level)
{
    uint64_t at = byw_l2_wake(level, memsys->cycle);

    if (level->out.count > 0)
        at = earlier(at, memsys->pool.packet[level->out.head].ready);
    return at;
}

uint64_t byw_memsys_levels_wake(const struct byw_memsys *memsys)
{
    uint64_t next = UINT64_MAX;

    for (uint32_t c = byw_bits_next(&memsys->l3_runs, 0); c != BYW_BITS_MAX;
         c = byw_bits_next(&memsys->l3_runs, c + 1)) {
        if (l3_sender(memsys, c) != UINT32_MAX)
            return memsys->cycle;
        next = earlier(next, seen_from(memsys, BYW_CLOCK_L2, level_wake(memsys, &memsys->l3[c])));
    }
    for (uint32_t g = 0; g < memsys->groups && next > memsys->cycle; g++) {
        const struct byw_l2 *gl1 = &memsys->gl1[g];
        uint32_t back = byw_icnt_front(&memsys->reply, g);
        uint64_t at = gl1->to_dram.count > 0 ? memsys->cycle : level_wake(memsys, gl1);

        if (back != BYW_NO_PACKET)
            at = earlier(at, memsys->pool.packet[back].ready);
        next = earlier(next, seen_from(memsys, BYW_CLOCK_ICNT, at));
    }
    return next;
}
