/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/memory/byw_memside.h"

void byw_memside_enter(struct byw_memsys *memsys, const struct byw_txn *txn)
{
    uint32_t p = byw_pool_take(&memsys->pool);
    struct byw_packet *packet = &memsys->pool.packet[p];

    assert(txn->bytes > 0 && txn->bytes <= memsys->config.l2_line);
    packet->txn = *txn;
    packet->txn.mispredict = packet->txn.fetched = false;
    packet->origin = BYW_ORIGIN_SM;
    packet->fills = false;
    packet->born = memsys->pool.now;
    if (!byw_packet_writes(packet))
        packet->txn.holes = 0;
    memsys->stats.requests++;
    memsys->outstanding += byw_packet_returns(packet);
    if (memsys->gl1 == NULL) {
        byw_memsys_inject(memsys, txn->sm, p);
        return;
    }
    packet->slice = packet->dest = (uint16_t)(txn->sm / memsys->config.gl1_sms);
    packet->set = byw_memsys_gl1_set(memsys, txn->addr);
    byw_icnt_push(&memsys->near_request, &memsys->pool, txn->sm, p);
}

void byw_memside_leave(struct byw_memsys *memsys, uint32_t sm)
{
    byw_pool_give(&memsys->pool, byw_icnt_pop(memsys->sm_reply, &memsys->pool, sm));
}

/* A slice puts its oldest finished packet on the reply crossbar.  In hardware a reply of several
 * sectors is one packet per sector, one per crossbar cycle; here it is one packet that leaves with
 * the last sector. */
static void send_reply(struct byw_memsys *memsys, uint32_t s)
{
    struct byw_l2 *l2 = &memsys->slice[s];
    struct byw_fifo *out = &l2->out;
    struct byw_packet *packet = &memsys->pool.packet[out->head];
    uint32_t bytes = packet->txn.kind != BYW_TXN_WRITE ? packet->txn.bytes : 0;
    uint32_t sectors = bytes > l2->sector_bytes ? bytes >> l2->sector_log2 : 1;
    uint32_t flits = sectors * memsys->flits[sectors > 1 ? bytes / sectors : bytes];

    if (packet->ready > memsys->cycle || !byw_icnt_ready(&memsys->reply, s) ||
        memsys->icnt_now < l2->answered + sectors)
        return;
    l2->answered = memsys->icnt_now;
    memsys->stats.icnt_rsp_flits += flits;
    if (memsys->ledger != NULL)
        byw_mem_ledger_of(memsys->ledger, &packet->txn)->rsp_flits += flits;
    packet->dest = packet->txn.sm;
    if (memsys->gl1 != NULL)
        packet->dest = (uint16_t)(packet->txn.sm / memsys->config.gl1_sms);
    else
        memsys->stats.replies++;
    byw_icnt_push(&memsys->reply, &memsys->pool, s, byw_fifo_pop(&memsys->pool, out));
    if (out->count == 0)
        byw_bits_clear(&memsys->slice_answers, s);
}

void byw_memside_send_replies(struct byw_memsys *memsys)
{
    for (uint32_t w = 0; w < memsys->slice_answers.words; w++)
        for (uint64_t left = memsys->slice_answers.w[w]; left != 0; left &= left - 1)
            send_reply(memsys, w * 64 + (uint32_t)__builtin_ctzll(left));
}

static void channel_cycle(struct byw_memsys *memsys, uint32_t c, uint64_t now)
{
    struct byw_channel_wake *wake = &memsys->channel_wake[c];
    struct byw_dram_port *port = &memsys->channel[c];
    uint64_t served = byw_dram_port_cycle(port, memsys->cycle, now);

    if (memsys->l3 != NULL && served != 0)
        byw_bits_set(&memsys->l3_runs, c);
    for (; memsys->l3 == NULL && served != 0; served &= served - 1)
        byw_memside_rouse_slice(memsys, c * port->slices + (uint32_t)__builtin_ctzll(served));
    byw_dram_port_wake(port, now + 1, &wake->core, &wake->dram);
    if (wake->core == UINT64_MAX && wake->dram == UINT64_MAX)
        byw_bits_clear(&memsys->channel_runs, c);
}

void byw_memside_dram_step(struct byw_memsys *memsys)
{
    uint64_t now = memsys->dram_now++;

    for (uint32_t w = 0; w < memsys->channel_runs.words; w++) {
        for (uint64_t left = memsys->channel_runs.w[w]; left != 0; left &= left - 1) {
            uint32_t c = w * 64 + (uint32_t)__builtin_ctzll(left);

            if (now >= memsys->channel_wake[c].dram ||
                memsys->cycle >= memsys->channel_wake[c].core)
                channel_cycle(memsys, c, now);
        }
    }
}

/* A lower bound on the core cycle in which a slice next has work after its now-th edge. */
static uint64_t slice_wake(const struct byw_memsys *memsys, const struct byw_l2 *l2, uint64_t now)
{
    const struct byw_clock *clock = &memsys->clock;
    uint64_t at = byw_l2_next(l2, now);

    if (at <= now + 1)
        return memsys->cycle;
    if (at != UINT64_MAX && clock->f[BYW_CLOCK_L2] == clock->f[BYW_CLOCK_CORE])
        at = memsys->cycle + (at - now);
    else if (at != UINT64_MAX)
        at = byw_clock_cycle(clock, BYW_CLOCK_L2, at);
    if (l2->rop.count > 0 && l2->in.count < l2->in_limit) {
        uint64_t arrives = memsys->pool.packet[l2->rop.head].ready;

        at = arrives < at ? arrives : at;
    }
    return at;
}

void byw_memside_slice_step(struct byw_memsys *memsys, uint32_t s, uint64_t now)
{
    struct byw_l2 *l2 = &memsys->slice[s];

    byw_l2_cycle(l2, memsys->cycle, now);
    if (l2->out.count > 0)
        byw_bits_set(&memsys->slice_answers, s);
    if (l2->to_dram.count > 0) {
        uint32_t c = s / memsys->map.slices_per_channel;

        if (memsys->l3 != NULL)
            byw_bits_set(&memsys->l3_runs, c);
        else if (!byw_dram_full(&memsys->channel[c].dram))
            byw_memside_rouse_channel(memsys, c);
    }
    memsys->slice_wake[s] = slice_wake(memsys, l2, now);
    if (memsys->slice_wake[s] == UINT64_MAX)
        byw_bits_clear(&memsys->slice_runs, s);
    else
        byw_bits_set(&memsys->slice_runs, s);
}

/* The slice has a packet at the crossbar or in one of its queues. */
static void slice_cycle(struct byw_memsys *memsys, uint32_t s, uint64_t now)
{
    struct byw_l2 *l2 = &memsys->slice[s];

    if (byw_bits_test(&memsys->request.arrived, s)) {
        if (byw_l2_ready(l2))
            byw_l2_push(l2, byw_icnt_pop(&memsys->request, &memsys->pool, s), memsys->cycle);
    } else if (memsys->slice_wake[s] > memsys->cycle) {
        return;
    }
    byw_memside_slice_step(memsys, s, now);
}

void byw_memside_l2_step(struct byw_memsys *memsys)
{
    uint64_t now = memsys->l2_now++;

    for (uint32_t w = 0; w < memsys->slice_runs.words; w++) {
        uint64_t left = memsys->slice_runs.w[w] | memsys->request.arrived.w[w];

        for (; left != 0; left &= left - 1)
            slice_cycle(memsys, w * 64 + (uint32_t)__builtin_ctzll(left), now);
    }
    if (memsys->l3 != NULL)
        byw_memsys_l3_step(memsys, now);
}

void byw_memside_cross_requests(struct byw_memsys *memsys)
{
    if (memsys->gl1 != NULL) {
        byw_memsys_gl1_step(memsys);
        byw_icnt_transfer(&memsys->near_request, &memsys->pool, 0);
    }
    byw_icnt_transfer(&memsys->request, &memsys->pool, 0);
}

void byw_memside_cross_replies(struct byw_memsys *memsys, uint64_t seen)
{
    if (memsys->gl1 != NULL)
        byw_icnt_transfer(&memsys->near_reply, &memsys->pool, seen);
    byw_icnt_transfer(&memsys->reply, &memsys->pool, memsys->gl1 != NULL ? 0 : seen);
    memsys->icnt_now++;
    memsys->outstanding -= memsys->sm_reply->moves;
}

/* The earliest core cycle in which a channel or a slice may have work. */
static uint64_t next_event(const struct byw_memsys *memsys)
{
    bool late = memsys->clock.f[BYW_CLOCK_L2] != memsys->clock.f[BYW_CLOCK_CORE];
    bool late_icnt = memsys->clock.f[BYW_CLOCK_ICNT] != memsys->clock.f[BYW_CLOCK_CORE];
    bool more = memsys->l3 != NULL || memsys->gl1 != NULL;
    uint64_t next = more ? byw_memsys_levels_wake(memsys) : UINT64_MAX;

    for (uint32_t s = byw_bits_next(&memsys->slice_answers, 0); s != BYW_BITS_MAX;
         s = byw_bits_next(&memsys->slice_answers, s + 1)) {
        uint64_t at = memsys->pool.packet[memsys->slice[s].out.head].ready;

        next = at <= next ? at - (at > 0 && late_icnt) : next;
    }
    for (uint32_t s = byw_bits_next(&memsys->slice_runs, 0);
         s != BYW_BITS_MAX && next > memsys->cycle; s = byw_bits_next(&memsys->slice_runs, s + 1)) {
        uint64_t at = memsys->slice_wake[s];

        /* Edges late in a core cycle already see the next cycle's number. */
        if (at != UINT64_MAX && at > 0 && late)
            at--;
        next = at < next ? at : next;
    }
    for (uint32_t c = byw_bits_next(&memsys->channel_runs, 0);
         c != BYW_BITS_MAX && next > memsys->cycle;
         c = byw_bits_next(&memsys->channel_runs, c + 1)) {
        uint64_t core = memsys->channel_wake[c].core, dram = memsys->channel_wake[c].dram;

        if (core != UINT64_MAX && core > 0)
            core--;
        if (dram != UINT64_MAX)
            dram = byw_clock_cycle(&memsys->clock, BYW_CLOCK_DRAM, dram);
        next = core < next ? core : next;
        next = dram < next ? dram : next;
    }
    return next;
}

uint64_t byw_memside_slices_quiet(const struct byw_memsys *memsys)
{
    uint64_t next = memsys->reply.at_inputs > 0 ? memsys->cycle : next_event(memsys);

    if (next == UINT64_MAX)
        return UINT64_MAX;
    return next > memsys->cycle ? next - memsys->cycle : 0;
}

uint64_t byw_memside_quiet(const struct byw_memsys *memsys)
{
    if (memsys->request.at_inputs + memsys->request.at_outputs > 0 ||
        memsys->near_request.at_inputs + memsys->near_request.at_outputs +
                memsys->near_reply.at_inputs >
            0)
        return 0;
    return byw_memside_slices_quiet(memsys);
}

void byw_memside_skip(struct byw_memsys *memsys, uint64_t cycles)
{
    memsys->cycle += cycles;
    memsys->pool.now = memsys->cycle;
    memsys->phase = (uint32_t)((memsys->phase + cycles) % memsys->clock.period);
    memsys->dram_now = byw_clock_edges(&memsys->clock, BYW_CLOCK_DRAM, memsys->cycle);
    memsys->l2_now = byw_clock_edges(&memsys->clock, BYW_CLOCK_L2, memsys->cycle);
    memsys->icnt_now = byw_clock_edges(&memsys->clock, BYW_CLOCK_ICNT, memsys->cycle);
}
