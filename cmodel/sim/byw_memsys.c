/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/byw_memsys_parts.h"

#include <string.h>

static const uint32_t most_sm_packets = 1U << 20;

static enum byw_status check_config(const struct byw_config *config, struct byw_diag *diag)
{
    if (config->l2_miss_queue < 3)
        return byw_diag_set(diag, BYW_EINVAL,
                            "l2.miss_queue: %u, expected at least 3, what a write miss may need",
                            config->l2_miss_queue);
    if (config->dram_banks > BYW_DRAM_BANKS_MAX || config->dram_banks % config->dram_groups != 0)
        return byw_diag_set(diag, BYW_EINVAL,
                            "dram.banks: %u, expected at most %d, a multiple of "
                            "dram.bank_groups (%u)",
                            config->dram_banks, BYW_DRAM_BANKS_MAX, config->dram_groups);
    if (config->l2_line % config->l2_port != 0 || config->l2_line % config->dram_atom != 0)
        return byw_diag_set(diag, BYW_EINVAL,
                            "l2.line_bytes: %u, expected a multiple of l2.port_bytes (%u) and "
                            "dram.atom_bytes (%u)",
                            config->l2_line, config->l2_port, config->dram_atom);
    return BYW_OK;
}

/* Packets the L2 makes itself are bounded; SM packets may not take their places. */
static enum byw_status pool_init(struct byw_memsys *memsys, const struct byw_config *config)
{
    struct byw_packet_pool *pool = &memsys->pool;
    uint64_t per_slice = (uint64_t)config->l2_mshrs * config->l2_merges + config->l2_miss_queue +
                         config->l2_dram_queue;
    uint64_t per_channel = (uint64_t)config->dram_queue + config->dram_return + config->l2_slices;
    uint64_t own = per_slice * config->l2_slices + per_channel * config->dram_channels;
    uint64_t ports = (uint64_t)config->sm_count + config->l2_slices;
    uint64_t sm = ports * (config->icnt_in_flits + config->icnt_out_flits) + own;

    if (sm > most_sm_packets)
        sm = most_sm_packets;
    if (own + sm >= BYW_NO_PACKET)
        return BYW_ENOMEM;
    pool->capacity = (uint32_t)(own + sm);
    pool->packet = calloc(pool->capacity, sizeof(*pool->packet));
    pool->free = BYW_NO_PACKET;
    memsys->sm_packets = (uint32_t)sm;
    return pool->packet == NULL ? BYW_ENOMEM : BYW_OK;
}

static enum byw_status parts_init(struct byw_memsys *memsys)
{
    const struct byw_config *config = &memsys->config;
    const uint32_t mhz[BYW_CLOCKS] = {config->core_mhz, config->icnt_mhz, config->l2_mhz,
                                      config->dram_mhz};
    uint32_t sms = config->sm_count, slices = config->l2_slices;
    uint32_t per_channel = memsys->map.slices_per_channel;

    memsys->slice = calloc(slices, sizeof(*memsys->slice));
    memsys->channel = calloc(config->dram_channels, sizeof(*memsys->channel));
    if (memsys->slice == NULL || memsys->channel == NULL ||
        byw_clock_init(&memsys->clock, mhz) != BYW_OK || pool_init(memsys, config) != BYW_OK ||
        byw_icnt_init(&memsys->request, sms, slices, config, true) != BYW_OK ||
        byw_icnt_init(&memsys->reply, slices, sms, config, false) != BYW_OK)
        return BYW_ENOMEM;
    for (uint32_t s = 0; s < slices; s++)
        if (byw_l2_init(&memsys->slice[s], s, config, &memsys->map, &memsys->pool,
                        &memsys->stats) != BYW_OK)
            return BYW_ENOMEM;
    for (uint32_t c = 0; c < config->dram_channels; c++)
        if (byw_dram_port_init(&memsys->channel[c], config, &memsys->map, &memsys->pool,
                               &memsys->slice[c * per_channel], &memsys->stats) != BYW_OK)
            return BYW_ENOMEM;
    for (uint32_t bytes = 0; bytes <= BYW_MEMSYS_LINE_MAX; bytes++)
        memsys->flits[bytes] = byw_icnt_flits(config, bytes);
    byw_bits_init(&memsys->slice_runs, slices);
    byw_bits_init(&memsys->slice_answers, slices);
    byw_bits_init(&memsys->channel_runs, config->dram_channels);
    return BYW_OK;
}

enum byw_status byw_memsys_create(const struct byw_config *config, struct byw_memsys **out,
                                  struct byw_diag *diag)
{
    struct byw_memsys *memsys;
    enum byw_status status = check_config(config, diag);

    *out = NULL;
    if (status != BYW_OK)
        return status;
    memsys = calloc(1, sizeof(*memsys));
    if (memsys == NULL)
        return byw_diag_set(diag, BYW_ENOMEM, "no memory for the memory system");
    memsys->config = *config;
    status = byw_addrmap_init(&memsys->map, config, diag);
    if (status == BYW_OK) {
        status = parts_init(memsys);
        if (status != BYW_OK)
            byw_diag_set(diag, status, "no memory for the queues of the memory system");
    }
    if (status != BYW_OK) {
        byw_memsys_free(memsys);
        return status;
    }
    *out = memsys;
    return BYW_OK;
}

void byw_memsys_free(struct byw_memsys *memsys)
{
    if (memsys == NULL)
        return;
    for (uint32_t s = 0; memsys->slice != NULL && s < memsys->config.l2_slices; s++)
        byw_l2_free(&memsys->slice[s]);
    for (uint32_t c = 0; memsys->channel != NULL && c < memsys->config.dram_channels; c++)
        byw_dram_port_free(&memsys->channel[c]);
    byw_icnt_free(&memsys->request);
    byw_icnt_free(&memsys->reply);
    byw_clock_free(&memsys->clock);
    free(memsys->pool.packet);
    free(memsys->slice);
    free(memsys->channel);
    free(memsys);
}

void byw_memsys_observe(struct byw_memsys *memsys, const struct byw_mem_observer *observer)
{
    for (uint32_t c = 0; c < memsys->config.dram_channels; c++)
        memsys->channel[c].observer = *observer;
}

bool byw_memsys_ready(const struct byw_memsys *memsys, uint32_t sm)
{
    return byw_icnt_ready(&memsys->request, sm) && memsys->pool.in_use < memsys->sm_packets;
}

void byw_memsys_push(struct byw_memsys *memsys, const struct byw_txn *txn)
{
    uint32_t p = byw_pool_take(&memsys->pool);
    struct byw_packet *packet = &memsys->pool.packet[p];
    uint32_t slice;
    bool carries =
        txn->kind == BYW_TXN_WRITE || txn->kind == BYW_TXN_WRITEBACK || txn->kind == BYW_TXN_ATOMIC;

    assert(txn->bytes > 0 && txn->bytes <= memsys->config.l2_line);
    packet->txn = *txn;
    packet->txn.mispredict = false;
    packet->origin = BYW_ORIGIN_SM;
    packet->born = memsys->cycle;
    byw_addrmap_home(&memsys->map, txn->addr, &slice, &packet->set);
    packet->slice = packet->dest = (uint16_t)slice;
    byw_icnt_push(&memsys->request, &memsys->pool, txn->sm, p);
    memsys->stats.requests++;
    memsys->stats.icnt_req_flits += memsys->flits[carries ? txn->bytes : 0];
}

const struct byw_txn *byw_memsys_reply(const struct byw_memsys *memsys, uint32_t sm)
{
    uint32_t p = byw_icnt_front(&memsys->reply, sm);

    if (p == BYW_NO_PACKET || memsys->pool.packet[p].ready > memsys->cycle)
        return NULL;
    return &memsys->pool.packet[p].txn;
}

void byw_memsys_pop(struct byw_memsys *memsys, uint32_t sm)
{
    byw_pool_give(&memsys->pool, byw_icnt_pop(&memsys->reply, &memsys->pool, sm));
}

/* Each slice puts one finished packet on the reply crossbar. */
static void send_replies(struct byw_memsys *memsys)
{
    for (uint32_t s = byw_bits_next(&memsys->slice_answers, 0); s != BYW_BITS_MAX;
         s = byw_bits_next(&memsys->slice_answers, s + 1)) {
        struct byw_fifo *out = &memsys->slice[s].out;
        struct byw_packet *packet = &memsys->pool.packet[out->head];
        bool carries = packet->txn.kind != BYW_TXN_WRITE;

        if (!byw_icnt_ready(&memsys->reply, s))
            continue;
        memsys->stats.replies++;
        memsys->stats.icnt_rsp_flits += memsys->flits[carries ? packet->txn.bytes : 0];
        packet->dest = packet->txn.sm;
        byw_icnt_push(&memsys->reply, &memsys->pool, s, byw_fifo_pop(&memsys->pool, out));
        if (out->count == 0)
            byw_bits_clear(&memsys->slice_answers, s);
    }
}

static void dram_step(struct byw_memsys *memsys)
{
    uint64_t now = memsys->dram_now++;

    for (uint32_t c = byw_bits_next(&memsys->channel_runs, 0); c != BYW_BITS_MAX;
         c = byw_bits_next(&memsys->channel_runs, c + 1)) {
        struct byw_dram_port *port = &memsys->channel[c];
        uint32_t s;

        if (!byw_dram_port_due(port, memsys->cycle, now))
            continue;
        s = byw_dram_port_cycle(port, memsys->cycle, now);
        if (s != UINT32_MAX)
            byw_bits_set(&memsys->slice_runs, c * port->slices + s);
        if (byw_dram_port_asleep(port))
            byw_bits_clear(&memsys->channel_runs, c);
    }
}

static void slice_cycle(struct byw_memsys *memsys, uint32_t s, uint64_t now)
{
    struct byw_l2 *l2 = &memsys->slice[s];

    if (byw_bits_test(&memsys->request.arrived, s)) {
        if (byw_l2_ready(l2))
            byw_l2_push(l2, byw_icnt_pop(&memsys->request, &memsys->pool, s), memsys->cycle);
        byw_bits_set(&memsys->slice_runs, s);
    } else if (byw_l2_wake(l2, memsys->cycle) > memsys->cycle) {
        return;
    }
    byw_l2_cycle(l2, memsys->cycle, now);
    if (l2->out.count > 0)
        byw_bits_set(&memsys->slice_answers, s);
    if (l2->to_dram.count > 0)
        byw_bits_set(&memsys->channel_runs, s / memsys->map.slices_per_channel);
    if (byw_l2_wake(l2, memsys->cycle) == UINT64_MAX)
        byw_bits_clear(&memsys->slice_runs, s);
}

/* Slices with a packet at the crossbar or in a queue of theirs. */
static void l2_step(struct byw_memsys *memsys)
{
    uint64_t now = memsys->l2_now++;

    for (uint32_t w = 0; w < memsys->slice_runs.words; w++) {
        uint64_t left = memsys->slice_runs.w[w] | memsys->request.arrived.w[w];

        for (; left != 0; left &= left - 1)
            slice_cycle(memsys, w * 64 + (uint32_t)__builtin_ctzll(left), now);
    }
}

void byw_memsys_tick(struct byw_memsys *memsys)
{
    uint32_t count;
    const uint8_t *step = byw_clock_steps(&memsys->clock, memsys->phase, &count);
    uint64_t seen = memsys->cycle + 1 + memsys->config.icnt_eject;

    for (uint32_t i = 0; i < count; i++) {
        if (step[i] & (1U << BYW_CLOCK_ICNT))
            send_replies(memsys);
        if (step[i] & (1U << BYW_CLOCK_DRAM))
            dram_step(memsys);
        if (step[i] & (1U << BYW_CLOCK_L2))
            l2_step(memsys);
        if (step[i] & (1U << BYW_CLOCK_ICNT)) {
            byw_icnt_transfer(&memsys->request, &memsys->pool, 0);
            byw_icnt_transfer(&memsys->reply, &memsys->pool, seen);
        }
        if (step[i] & (1U << BYW_CLOCK_CORE))
            memsys->cycle++;
    }
    memsys->phase = (memsys->phase + 1 < memsys->clock.period) ? memsys->phase + 1 : 0;
}

/* The earliest core cycle in which a channel or a slice with a timer may do something or a reply is
 * seen; replies that are seen already wait for their SM. */
static uint64_t next_event(const struct byw_memsys *memsys)
{
    bool late = memsys->clock.f[BYW_CLOCK_L2] != memsys->clock.f[BYW_CLOCK_CORE];
    uint64_t next = UINT64_MAX;

    for (uint32_t s = byw_bits_next(&memsys->slice_runs, 0); s != BYW_BITS_MAX;
         s = byw_bits_next(&memsys->slice_runs, s + 1)) {
        uint64_t at = byw_l2_wake(&memsys->slice[s], memsys->cycle);

        /* Edges late in a core cycle already see the next cycle's number. */
        if (at != UINT64_MAX && at > 0 && late)
            at--;
        next = at < next ? at : next;
    }
    for (uint32_t o = byw_bits_next(&memsys->reply.arrived, 0); o != BYW_BITS_MAX;
         o = byw_bits_next(&memsys->reply.arrived, o + 1)) {
        uint64_t at = memsys->pool.packet[byw_icnt_front(&memsys->reply, o)].ready;

        next = (at > memsys->cycle && at < next) ? at : next;
    }
    for (uint32_t c = byw_bits_next(&memsys->channel_runs, 0);
         c != BYW_BITS_MAX && next > memsys->cycle;
         c = byw_bits_next(&memsys->channel_runs, c + 1)) {
        uint64_t core, dram;

        byw_dram_port_wake(&memsys->channel[c], memsys->dram_now, &core, &dram);
        if (core != UINT64_MAX && core > 0)
            core--;
        if (dram != UINT64_MAX)
            dram = byw_clock_cycle(&memsys->clock, BYW_CLOCK_DRAM, dram);
        next = core < next ? core : next;
        next = dram < next ? dram : next;
    }
    return next;
}

uint64_t byw_memsys_quiet(const struct byw_memsys *memsys)
{
    uint64_t next;

    if (memsys->request.at_inputs + memsys->request.at_outputs + memsys->reply.at_inputs > 0 ||
        byw_bits_any(&memsys->slice_answers))
        return 0;
    next = next_event(memsys);
    if (next == UINT64_MAX)
        return UINT64_MAX;
    return next > memsys->cycle ? next - memsys->cycle : 0;
}

void byw_memsys_skip(struct byw_memsys *memsys, uint64_t cycles)
{
    memsys->cycle += cycles;
    memsys->phase = (uint32_t)((memsys->phase + cycles) % memsys->clock.period);
    memsys->dram_now = byw_clock_edges(&memsys->clock, BYW_CLOCK_DRAM, memsys->cycle);
    memsys->l2_now = byw_clock_edges(&memsys->clock, BYW_CLOCK_L2, memsys->cycle);
}

bool byw_memsys_empty(const struct byw_memsys *memsys)
{
    return memsys->pool.in_use == 0;
}

const struct byw_mem_stats *byw_memsys_stats(const struct byw_memsys *memsys)
{
    return &memsys->stats;
}
