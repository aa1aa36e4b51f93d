/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/memory/byw_memside.h"

#include <inttypes.h>
#include <string.h>

#include "common/byw_heap.h"
#include "sim/memory/byw_l2_policy.h"

#define UNUSED_MEMORY (UINT64_C(1) << 46) /* addresses above are in no trace */

static const uint32_t most_sm_packets = 1U << 20;

static bool power_of_two(uint32_t x)
{
    return x != 0 && (x & (x - 1)) == 0;
}

/* The rules of one level's shape; `name` is the prefix of its keys. */
static enum byw_status check_level(const char *name, const struct byw_l2_shape *shape,
                                   struct byw_diag *diag)
{
    uint32_t sector = shape->line_bytes / shape->sectors;

    if (!power_of_two(shape->sets) || !power_of_two(shape->line_bytes) ||
        !power_of_two(shape->sectors))
        return byw_diag_set(diag, BYW_EINVAL,
                            "%s.sets, %s.line_bytes and %s.sectors: %u, %u and %u, expected "
                            "powers of two",
                            name, name, name, shape->sets, shape->line_bytes, shape->sectors);
    if (shape->miss_queue < 3)
        return byw_diag_set(
            diag, BYW_EINVAL,
            "%s.miss_queue: %u, expected at least 3, as many as a write miss may need", name,
            shape->miss_queue);
    if (sector < 32 || sector % shape->atom_bytes != 0)
        return byw_diag_set(
            diag, BYW_EINVAL,
            "%s.line_bytes / %s.sectors: %u bytes, expected at least 32, a multiple "
            "of dram.atom_bytes (%u)",
            name, name, sector, shape->atom_bytes);
    if (sector % shape->port_bytes != 0 && shape->port_bytes % sector != 0)
        return byw_diag_set(diag, BYW_EINVAL,
                            "%s.port_bytes: %u, expected a multiple or a divisor of a sector's %u "
                            "bytes",
                            name, shape->port_bytes, sector);
    if (shape->line_bytes > 128 && (shape->sectors > 1 || shape->write == BYW_L2_LAZY))
        return byw_diag_set(diag, BYW_EINVAL,
                            "%s.line_bytes: %u, expected at most 128 with sectors or lazy fetches",
                            name, shape->line_bytes);
    if (shape->in_queue < shape->sectors)
        return byw_diag_set(diag, BYW_EINVAL,
                            "%s: an input queue of %u, expected room for the %u parts of a line",
                            name, shape->in_queue, shape->sectors);
    return BYW_OK;
}

static enum byw_status check_levels(const struct byw_config *config, struct byw_diag *diag)
{
    struct byw_l2_shape gl1 = byw_l2_shape_gl1(config), l2 = byw_l2_shape(config),
                        l3 = byw_l2_shape_l3(config);
    enum byw_status status = check_level("l2", &l2, diag);

    if (status == BYW_OK && config->gl1_on != 0)
        status = check_level("gl1", &gl1, diag);
    if (status == BYW_OK && config->l3_on != 0)
        status = check_level("l3", &l3, diag);
    if (status != BYW_OK)
        return status;
    if (config->gl1_on != 0 && (config->sm_count + config->gl1_sms - 1) / config->gl1_sms > 512)
        return byw_diag_set(diag, BYW_EINVAL, "gl1.sms: %u, expected at most 512 groups of SMs",
                            config->gl1_sms);
    if (config->gl1_on != 0 && config->gl1_line > config->l2_line)
        return byw_diag_set(diag, BYW_EINVAL,
                            "gl1.line_bytes: %u, expected at most l2.line_bytes (%u)",
                            config->gl1_line, config->l2_line);
    if (config->l3_on != 0 && config->l3_line < config->l2_line)
        return byw_diag_set(diag, BYW_EINVAL,
                            "l3.line_bytes: %u, expected at least l2.line_bytes (%u)",
                            config->l3_line, config->l2_line);
    if (config->l3_on != 0 && config->l3_line > 1U << config->dram_map_shift)
        return byw_diag_set(diag, BYW_EINVAL,
                            "l3.line_bytes: %u, expected a line to lie in one channel "
                            "(dram.channel_bit is %u)",
                            config->l3_line, config->dram_map_shift);
    return BYW_OK;
}

enum byw_status byw_memsys_config(const struct byw_config *config, struct byw_diag *diag)
{
    uint32_t top = config->gl1_on != 0 ? config->gl1_line : config->l2_line;
    uint64_t busy = (uint64_t)config->t_rfc + config->t_rc + config->t_ras + config->t_rp;

    if (config->dram_banks > BYW_DRAM_BANKS_MAX || config->dram_banks % config->dram_groups != 0)
        return byw_diag_set(diag, BYW_EINVAL,
                            "dram.banks: %u, expected at most %d, a multiple of "
                            "dram.bank_groups (%u)",
                            config->dram_banks, BYW_DRAM_BANKS_MAX, config->dram_groups);
    if (config->t_refi > 0 && config->t_refi < 2 * busy)
        return byw_diag_set(diag, BYW_EINVAL,
                            "dram.t_refi: %u, expected 0 or at least %" PRIu64
                            ", so that work is done between refreshes",
                            config->t_refi, 2 * busy);
    if (config->l1d_line > top || config->coalesce_bytes > top ||
        (config->icache_on != 0 && config->icache_line > top))
        return byw_diag_set(diag, BYW_EINVAL,
                            "l1d.line_bytes, coalescer.segment_bytes and icache.line_bytes: %u, %u "
                            "and %u, expected at most the line of the next level (%u)",
                            config->l1d_line, config->coalesce_bytes, config->icache_line, top);
    return check_levels(config, diag);
}

/* The caches create a bounded number of packets, which the pool reserves for them, so SM packets
 * cannot use them up. Packets that represent parts of others, level by level, are added to that.
 * Packets that are never used cost no memory. */
static enum byw_status pool_init(struct byw_memsys *memsys, const struct byw_config *config)
{
    struct byw_packet_pool *pool = &memsys->pool;
    uint64_t per_slice = (uint64_t)config->l2_mshrs * config->l2_merges + config->l2_miss_queue +
                         config->l2_dram_queue;
    uint64_t per_channel = (uint64_t)config->dram_queue + config->dram_return + config->l2_slices;
    uint64_t own = per_slice * config->l2_slices + per_channel * config->dram_channels;
    uint64_t ports = (uint64_t)config->sm_count + config->l2_slices;
    uint64_t sm = ports * (config->icnt_in_packets + config->icnt_out_packets) + own;
    uint64_t all;

    if (sm > most_sm_packets)
        sm = most_sm_packets;
    all = own + sm;
    if (config->gl1_on != 0)
        all *= 2;
    if (config->l2_sectors > 1)
        all *= 1 + 2 * (uint64_t)config->l2_sectors;
    if (config->l3_on != 0)
        all = all * (2 + config->l3_sectors) +
              (uint64_t)config->dram_channels *
                  (config->l3_tags + config->l3_mshrs * config->l3_merges + config->l3_miss_queue +
                   5 * config->l3_queue) *
                  (1 + config->l3_sectors);
    /* SMs that are behind the memory side take their replies later. */
    all += (uint64_t)BYW_AHEAD_MAX * config->sm_count;
    if (all >= BYW_NO_PACKET)
        return BYW_ENOMEM;
    pool->capacity = (uint32_t)all;
    pool->packet =
        byw_heap_block(pool->capacity * sizeof(*pool->packet)); /* filled in when taken */
    pool->free = BYW_NO_PACKET;
    memsys->sm_packets = (uint32_t)sm;
    return pool->packet == NULL ? BYW_ENOMEM : BYW_OK;
}

static struct byw_l2 *level_init(struct byw_memsys *memsys, uint32_t count,
                                 const struct byw_l2_shape *shape, struct byw_level_stats *stats)
{
    struct byw_l2 *level = calloc(count, sizeof(*level));

    for (uint32_t i = 0; level != NULL && i < count; i++) {
        if (byw_l2_init(&level[i], i, shape, &memsys->pool, &memsys->stats, stats) == BYW_OK)
            continue;
        while (i > 0)
            byw_l2_free(&level[--i]);
        free(level);
        return NULL;
    }
    return level;
}

/* SMs of a GPC share reads of the slices. */
static bool joins_init(struct byw_memsys *memsys)
{
    byw_gpcs_read(&memsys->config, &memsys->gpcs); /* byw_gpcs_fault() has checked it */
    for (uint32_t s = 0; s < memsys->config.l2_slices; s++) {
        memsys->slice[s].join = byw_l2_join_create(&memsys->config, &memsys->gpcs);
        if (memsys->slice[s].join == NULL)
            return false;
    }
    return true;
}

static bool levels_init(struct byw_memsys *memsys)
{
    const struct byw_config *config = &memsys->config;
    struct byw_l2_shape gl1 = byw_l2_shape_gl1(config), l2 = byw_l2_shape(config),
                        l3 = byw_l2_shape_l3(config);

    memsys->slice = level_init(memsys, config->l2_slices, &l2, &memsys->stats.l2);
    for (uint32_t s = 0; memsys->slice != NULL && s < config->l2_slices; s++)
        if (byw_l2_policy_init(&memsys->slice[s], config, &memsys->map) != BYW_OK)
            return false;
    if (memsys->slice != NULL && config->l2_join_cycles != 0 && !joins_init(memsys))
        return false;
    if (config->gl1_on != 0) {
        memsys->groups = (config->sm_count + config->gl1_sms - 1) / config->gl1_sms;
        memsys->gl1 = level_init(memsys, memsys->groups, &gl1, &memsys->stats.gl1);
    }
    if (config->l3_on != 0)
        memsys->l3 = level_init(memsys, config->dram_channels, &l3, &memsys->stats.l3);
    memsys->l3_last = calloc(config->dram_channels, sizeof(*memsys->l3_last));
    return memsys->slice != NULL && memsys->l3_last != NULL &&
           (memsys->gl1 != NULL || config->gl1_on == 0) &&
           (memsys->l3 != NULL || config->l3_on == 0);
}

static bool crossbars_init(struct byw_memsys *memsys)
{
    const struct byw_config *config = &memsys->config;
    uint32_t ports = memsys->gl1 != NULL ? memsys->groups : config->sm_count;

    memsys->sm_request = memsys->gl1 != NULL ? &memsys->near_request : &memsys->request;
    memsys->sm_reply = memsys->gl1 != NULL ? &memsys->near_reply : &memsys->reply;
    if (memsys->gl1 != NULL &&
        (byw_icnt_init(&memsys->near_request, config->sm_count, ports, config, true) != BYW_OK ||
         byw_icnt_init(&memsys->near_reply, ports, config->sm_count, config, false) != BYW_OK))
        return false;
    return byw_icnt_init(&memsys->request, ports, config->l2_slices, config, true) == BYW_OK &&
           byw_icnt_init(&memsys->reply, config->l2_slices, ports, config, false) == BYW_OK;
}

static bool channels_init(struct byw_memsys *memsys)
{
    const struct byw_config *config = &memsys->config;
    uint32_t per_channel = memsys->l3 != NULL ? 1 : memsys->map.slices_per_channel;
    struct byw_l2 *slices = memsys->l3 != NULL ? memsys->l3 : memsys->slice;

    memsys->channel = calloc(config->dram_channels, sizeof(*memsys->channel));
    for (uint32_t c = 0; memsys->channel != NULL && c < config->dram_channels; c++)
        if (byw_dram_port_init(&memsys->channel[c], config, c, &memsys->map, &memsys->pool,
                               &slices[c * per_channel], per_channel, &memsys->stats) != BYW_OK)
            return false;
    return memsys->channel != NULL;
}

static enum byw_status parts_init(struct byw_memsys *memsys)
{
    const struct byw_config *config = &memsys->config;
    const uint32_t mhz[BYW_CLOCKS] = {config->core_mhz, config->icnt_mhz, config->l2_mhz,
                                      config->dram_mhz};

    if (byw_clock_init(&memsys->clock, mhz) != BYW_OK || pool_init(memsys, config) != BYW_OK ||
        !levels_init(memsys) || !crossbars_init(memsys) || !channels_init(memsys))
        return BYW_ENOMEM;
    for (uint32_t bytes = 0; bytes <= BYW_MEMSYS_LINE_MAX; bytes++)
        memsys->flits[bytes] = byw_icnt_flits(config, bytes);
    byw_bits_init(&memsys->slice_runs, config->l2_slices);
    byw_bits_init(&memsys->slice_answers, config->l2_slices);
    byw_bits_init(&memsys->gl1_runs, memsys->groups);
    byw_bits_init(&memsys->l3_runs, config->dram_channels);
    byw_bits_init(&memsys->channel_runs, config->dram_channels);
    memsys->slice_wake = calloc(config->l2_slices, sizeof(*memsys->slice_wake));
    memsys->channel_wake = calloc(config->dram_channels, sizeof(*memsys->channel_wake));
    return memsys->slice_wake == NULL || memsys->channel_wake == NULL ? BYW_ENOMEM : BYW_OK;
}

enum byw_status byw_memsys_create(const struct byw_config *config, struct byw_memsys **out,
                                  struct byw_diag *diag)
{
    struct byw_memsys *memsys;
    enum byw_status status = byw_memsys_config(config, diag);

    *out = NULL;
    if (status != BYW_OK)
        return status;
    memsys = aligned_alloc(alignof(struct byw_memsys), sizeof(*memsys));
    if (memsys == NULL)
        return byw_no_memory(diag, "the memory system");
    memset(memsys, 0, sizeof(*memsys));
    memsys->config = *config;
    status = byw_addrmap_init(&memsys->map, config, diag);
    if (status == BYW_OK) {
        status = parts_init(memsys);
        if (status != BYW_OK)
            byw_no_memory(diag, "the queues of the memory system");
    }
    if (status != BYW_OK) {
        byw_memsys_free(memsys);
        return status;
    }
    byw_memsys_lockstep(memsys);
    *out = memsys;
    return BYW_OK;
}

static void level_free(struct byw_l2 *level, uint32_t count)
{
    for (uint32_t i = 0; level != NULL && i < count; i++)
        byw_l2_free(&level[i]);
    free(level);
}

void byw_memsys_free(struct byw_memsys *memsys)
{
    if (memsys == NULL)
        return;
    level_free(memsys->gl1, memsys->groups);
    level_free(memsys->slice, memsys->config.l2_slices);
    level_free(memsys->l3, memsys->config.dram_channels);
    for (uint32_t c = 0; memsys->channel != NULL && c < memsys->config.dram_channels; c++)
        byw_dram_port_free(&memsys->channel[c]);
    byw_icnt_free(&memsys->near_request);
    byw_icnt_free(&memsys->near_reply);
    byw_icnt_free(&memsys->request);
    byw_icnt_free(&memsys->reply);
    byw_clock_free(&memsys->clock);
    byw_heap_block_free(memsys->pool.packet, memsys->pool.capacity * sizeof(*memsys->pool.packet));
    byw_ahead_free(memsys->ahead);
    free(memsys->l3_last);
    free(memsys->slice_wake);
    free(memsys->channel_wake);
    free(memsys->channel);
    free(memsys);
}

void byw_memsys_observe(struct byw_memsys *memsys, const struct byw_mem_observer *observer)
{
    for (uint32_t c = 0; c < memsys->config.dram_channels; c++)
        memsys->channel[c].observer = *observer;
}

void byw_memsys_account(struct byw_memsys *memsys, struct byw_mem_ledger *ledger)
{
    memsys->ledger = ledger;
    for (uint32_t s = 0; s < memsys->config.l2_slices; s++)
        memsys->slice[s].ledger = ledger;
    for (uint32_t c = 0; c < memsys->config.dram_channels; c++)
        memsys->channel[c].dram.ledger = ledger;
}

/* --- the connection to the SMs ------------------------------------------------------------ */

bool byw_memsys_ready(const struct byw_memsys *memsys, uint32_t sm)
{
    return memsys->mode->ready(memsys, sm);
}

void byw_memsys_push(struct byw_memsys *memsys, const struct byw_txn *txn)
{
    memsys->mode->push(memsys, txn);
}

const struct byw_txn *byw_memsys_reply(const struct byw_memsys *memsys, uint32_t sm)
{
    return memsys->mode->reply(memsys, sm);
}

void byw_memsys_pop(struct byw_memsys *memsys, uint32_t sm)
{
    memsys->mode->pop(memsys, sm);
}

bool byw_memsys_tight(const struct byw_memsys *memsys)
{
    return memsys->mode->tight(memsys);
}

/* --- boundaries of kernels ---------------------------------------------------------------- */

bool byw_memsys_empty(const struct byw_memsys *memsys)
{
    if (memsys->pool.in_use > 0)
        return false;
    for (uint32_t s = 0; memsys->flushing && s < memsys->config.l2_slices; s++)
        if (memsys->slice[s].flushing)
            return false;
    return true;
}

void byw_memsys_invalidate_l2(struct byw_memsys *memsys)
{
    for (uint32_t s = 0; s < memsys->config.l2_slices; s++) {
        byw_l2_settle(&memsys->slice[s], memsys->l2_now);
        byw_l2_invalidate(&memsys->slice[s]);
        byw_memside_rouse_slice(memsys, s);
    }
}

void byw_memsys_clear_l2(struct byw_memsys *memsys)
{
    for (uint32_t s = 0; s < memsys->config.l2_slices; s++) {
        byw_l2_settle(&memsys->slice[s], memsys->l2_now);
        byw_l2_clear(&memsys->slice[s]);
        byw_memside_rouse_slice(memsys, s);
    }
}

void byw_memsys_soil_l2(struct byw_memsys *memsys)
{
    enum { TIMES = 4 }; /* times the L2's size is written, because hashed sets do not fill evenly */
    const struct byw_config *config = &memsys->config;
    uint64_t lines = (uint64_t)TIMES * config->l2_slices * config->l2_sets * config->l2_ways;

    for (uint64_t i = 0; i < lines; i++) {
        uint64_t addr = UNUSED_MEMORY + i * config->l2_line;
        uint32_t slice, set;

        byw_addrmap_home(&memsys->map, addr, &slice, &set);
        byw_l2_soil(&memsys->slice[slice], set, addr);
    }
}

void byw_memsys_invalidate_gl1(struct byw_memsys *memsys)
{
    for (uint32_t g = 0; g < memsys->groups; g++)
        byw_l2_invalidate(&memsys->gl1[g]);
}

void byw_memsys_flush(struct byw_memsys *memsys)
{
    memsys->flushing = true;
    for (uint32_t s = 0; s < memsys->config.l2_slices; s++) {
        byw_l2_settle(&memsys->slice[s], memsys->l2_now);
        byw_l2_flush(&memsys->slice[s]);
        byw_memside_rouse_slice(memsys, s);
    }
}

const struct byw_mem_stats *byw_memsys_stats(struct byw_memsys *memsys)
{
    for (uint32_t s = 0; s < memsys->config.l2_slices; s++)
        byw_l2_settle(&memsys->slice[s], memsys->l2_now);
    return &memsys->stats;
}
