/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/memory/byw_l2_lines.h"

#include <string.h>

#include "common/byw_bits.h"
#include "sim/memory/byw_l2_policy.h"

static bool any_sector(const struct byw_l2 *l2, uint32_t line, enum byw_l2_state state)
{
    for (uint32_t s = line << l2->sectors_log2; s < (line + 1) << l2->sectors_log2; s++)
        if (l2->state[s] == state)
            return true;
    return false;
}

/* The line to replace in the set: the last invalid one, else the least recently used one that is
 * not pending; UINT32_MAX if all are pending. */
static uint32_t victim(const struct byw_l2 *l2, uint32_t base)
{
    const uint64_t *tag = l2->tag, *used = l2->used;
    const uint8_t *state = l2->state;
    bool whole = l2->sectors_log2 == 0;
    uint32_t oldest = UINT32_MAX;
    uint64_t oldest_used = UINT64_MAX;

    for (uint32_t i = base + l2->ways; i-- > base;) {
        bool waits = whole ? state[i] == BYW_L2_PENDING : any_sector(l2, i, BYW_L2_PENDING);
        uint64_t at = used[i] | -(uint64_t)waits;

        if (tag[i] == BYW_L2_NO_LINE)
            return i;
        oldest = at < oldest_used ? i : oldest;
        oldest_used = at < oldest_used ? at : oldest_used;
    }
    return oldest;
}

static uint8_t print_of(uint64_t line)
{
    return (uint8_t)(line * UINT64_C(0x9E3779B97F4A7C15) >> 56);
}

void byw_l2_name(struct byw_l2 *l2, uint32_t at, uint64_t line)
{
    l2->tag[at] = line;
    l2->print[at] = print_of(line);
}

void byw_l2_prefetch(const struct byw_l2 *l2, uint32_t set)
{
    uint32_t base = set * l2->ways;

    byw_prefetch(&l2->print[base]);
    byw_prefetch(&l2->state[base << l2->sectors_log2]);
    for (uint32_t i = 0; i < l2->ways; i += 64 / sizeof(l2->tag[0])) {
        byw_prefetch(&l2->tag[base + i]);
        byw_prefetch(&l2->used[base + i]);
    }
}

/* The way of a line in its set; UINT32_MAX: none. */
static uint32_t way_of(const struct byw_l2 *l2, uint32_t base, uint64_t line)
{
    for (uint32_t first = 0; first < l2->ways; first += 16) {
        uint32_t like = byw_bytes_like(&l2->print[base + first], print_of(line));

        for (; like != 0; like &= like - 1) {
            uint32_t way = first + byw_ctz64(like);

            if (way < l2->ways && l2->tag[base + way] == line)
                return base + way;
        }
    }
    return UINT32_MAX;
}

enum byw_l2_found byw_l2_find(const struct byw_l2 *l2, uint64_t addr, uint32_t set, uint32_t *at)
{
    static const uint8_t found[] = {[BYW_L2_INVALID] = BYW_L2_NO_SECTOR,
                                    [BYW_L2_PENDING] = BYW_L2_IS_PENDING,
                                    [BYW_L2_CLEAN] = BYW_L2_HIT,
                                    [BYW_L2_DIRTY] = BYW_L2_HIT,
                                    [BYW_L2_WRITTEN] = BYW_L2_IS_WRITTEN};
    uint64_t line = addr >> l2->line_log2;
    uint32_t sector = (uint32_t)(addr >> l2->sector_log2) & (l2->sectors - 1);
    uint32_t way = way_of(l2, set * l2->ways, line);

    if (way != UINT32_MAX) {
        *at = (way << l2->sectors_log2) + sector;
        return found[l2->state[*at]];
    }
    way = victim(l2, set * l2->ways);
    if (way == UINT32_MAX)
        return BYW_L2_NO_WAY;
    *at = (way << l2->sectors_log2) + sector;
    return BYW_L2_MISS;
}

uint32_t byw_l2_holes(const struct byw_l2 *l2, const struct byw_txn *txn)
{
    uint32_t words = txn->bytes / 4U, first = (uint32_t)(txn->addr & (l2->sector_bytes - 1)) / 4U;
    uint32_t written = (words >= 32 ? UINT32_MAX : (UINT32_C(1) << words) - 1) & ~txn->holes;

    return l2->sector_words & ~(written << first);
}

/* Words of a line that need no write-back, as a mask; UINT32_MAX: none needs one. */
static uint32_t line_holes(const struct byw_l2 *l2, uint32_t line)
{
    uint32_t holes = UINT32_MAX; /* a line with sectors has at most 32 words */
    uint32_t words = l2->sector_bytes / 4;

    if (l2->sectors == 1) {
        if (l2->state[line] == BYW_L2_DIRTY)
            return 0;
        return l2->state[line] == BYW_L2_WRITTEN ? l2->holes[line] : UINT32_MAX;
    }
    for (uint32_t s = 0; s < l2->sectors; s++) {
        uint32_t at = (line << l2->sectors_log2) + s;

        if (l2->state[at] == BYW_L2_DIRTY)
            holes &= ~(l2->sector_words << s * words);
        else if (l2->state[at] == BYW_L2_WRITTEN)
            holes &= ~((l2->sector_words & ~l2->holes[at]) << s * words);
    }
    return holes;
}

bool byw_l2_dirty(const struct byw_l2 *l2, uint32_t line)
{
    return line_holes(l2, line) != UINT32_MAX;
}

bool byw_l2_write_back(struct byw_l2 *l2, uint32_t line, uint64_t born, uint64_t now)
{
    uint32_t holes = line_holes(l2, line), atoms, p;
    struct byw_packet *packet;

    if (holes == UINT32_MAX)
        return false;
    if (l2->line_bytes < 128)
        holes &= (UINT32_C(1) << l2->line_bytes / 4) - 1;
    atoms = byw_packet_atoms(l2->line_bytes, l2->atom_bytes, holes);
    p = byw_pool_take(l2->pool);
    packet = &l2->pool->packet[p];
    memset(packet, 0, sizeof(*packet));
    packet->txn.addr = l2->tag[line] << l2->line_log2;
    packet->txn.kind = BYW_TXN_WRITEBACK;
    packet->txn.bytes = (uint16_t)l2->line_bytes;
    packet->txn.holes = holes;
    packet->origin = BYW_ORIGIN_EVICT;
    packet->born = born;
    packet->slice = (uint16_t)l2->number;
    packet->atoms = (uint8_t)atoms;
    byw_fifo_push(l2->pool, &l2->miss, p);
    if (!l2->one_port)
        l2->data_free = now + (atoms * l2->atom_bytes + l2->port_bytes - 1) / l2->port_bytes;
    l2->stats->writebacks++;
    l2->stats->writeback_atoms += atoms;
    return true;
}

void byw_l2_drop(struct byw_l2 *l2, uint32_t at)
{
    uint32_t line = at >> l2->sectors_log2;

    l2->state[at] = BYW_L2_INVALID;
    for (uint32_t s = line << l2->sectors_log2; s < (line + 1) << l2->sectors_log2; s++)
        if (l2->state[s] != BYW_L2_INVALID)
            return;
    byw_l2_name(l2, line, BYW_L2_NO_LINE);
}

void byw_l2_give_up(struct byw_l2 *l2, uint32_t at)
{
    l2->mshr[l2->owner[at]].way = BYW_L2_NOWHERE;
    byw_l2_drop(l2, at);
}

static void drop_sectors(struct byw_l2 *l2, bool dirty)
{
    uint32_t sectors = (l2->sets * l2->ways) << l2->sectors_log2;

    for (uint32_t at = 0; at < sectors; at++) {
        if (l2->state[at] == BYW_L2_CLEAN)
            l2->stats->dropped++;
        else if (!dirty || (l2->state[at] != BYW_L2_DIRTY && l2->state[at] != BYW_L2_WRITTEN))
            continue;
        byw_l2_drop(l2, at);
    }
    l2->probed = l2->dozes = false;
    l2->blocked = BYW_L2_FAIL_NONE;
}

void byw_l2_invalidate(struct byw_l2 *l2)
{
    drop_sectors(l2, false);
}

void byw_l2_clear(struct byw_l2 *l2)
{
    drop_sectors(l2, true);
}

void byw_l2_soil(struct byw_l2 *l2, uint32_t set, uint64_t addr)
{
    uint32_t line = victim(l2, set * l2->ways);

    if (line == UINT32_MAX)
        return;
    byw_l2_name(l2, line, addr >> l2->line_log2);
    l2->used[line] = ++l2->tick;
    memset(&l2->state[line << l2->sectors_log2], BYW_L2_DIRTY, l2->sectors);
}

void byw_l2_flush(struct byw_l2 *l2)
{
    l2->flush_at = 0;
    l2->flushing = true;
}

void byw_l2_cleaned(struct byw_l2 *l2, uint32_t line)
{
    for (uint32_t s = line << l2->sectors_log2; s < (line + 1) << l2->sectors_log2; s++) {
        if (l2->state[s] == BYW_L2_DIRTY)
            l2->state[s] = BYW_L2_CLEAN;
        else if (l2->state[s] == BYW_L2_WRITTEN)
            byw_l2_drop(l2, s);
    }
    l2->probed = l2->dozes = false;
    l2->blocked = BYW_L2_FAIL_NONE;
}

void byw_l2_flush_step(struct byw_l2 *l2, uint64_t now)
{
    uint32_t lines = l2->sets * l2->ways, line = l2->flush_at;

    if (l2->policy != NULL && l2->policy->flushes(l2)) {
        l2->policy->flush_step(l2);
        return;
    }
    if (now < l2->data_free || l2->miss.count >= l2->miss_limit)
        return;
    while (line < lines && !byw_l2_write_back(l2, line, l2->core_now, now))
        line++;
    l2->flushing = line < lines;
    if (!l2->flushing)
        return;
    l2->stats->flushed++;
    byw_l2_cleaned(l2, line);
    l2->flush_at = line + 1;
}
