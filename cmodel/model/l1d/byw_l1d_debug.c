/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l1d_debug.c - Support for tests and lock-step: invariants over all units, and a digest of the
 * architectural state.
 */
#include <stddef.h>

#include "l1d/byw_l1d_state.h"

const struct byw_tag_store *byw_l1d_tags(const struct byw_l1d *l1d)
{
    return &l1d->tags;
}

void byw_l1d_levels(const struct byw_l1d *l1d, struct byw_l1d_levels *levels)
{
    levels->mshrs = l1d->mshr.pool.used;
    levels->trackers = l1d->tracker.pool.used;
    levels->misses = l1d->queue.level[BYW_POOL_MISS];
    levels->bypasses = l1d->queue.level[BYW_POOL_BYPASS];
}

/* Each pending line has one attached MSHR, and each attached MSHR one pending line. */
static const char *check_mshrs(const struct byw_l1d *l1d)
{
    const struct byw_mshr *mshr = &l1d->mshr;
    uint32_t n, attached = 0, pending = 0;

    for (n = 0; n < mshr->pool.size; n++) {
        const struct byw_mshr_entry *entry = byw_mshr_at(mshr, n);
        const struct byw_set *set = byw_l1d_record(l1d, entry->set);

        if ((entry->attached || entry->draining) && !byw_id_pool_taken(&mshr->pool, n))
            return "a free MSHR is in use";
        if (!entry->attached)
            continue;
        attached++;
        if (byw_mshr_lookup(mshr, entry->line) != n)
            return "a lookup does not find an attached MSHR";
        if (set->tag[entry->tag].status != BYW_TAG_COMMITTED ||
            set->tag[entry->tag].pos != entry->way ||
            set->tag[entry->tag].key != byw_set_key(&l1d->policy.loc.geo, entry->line))
            return "an attached MSHR's tag does not hold its line";
        if ((set->pending & byw_bit64(entry->way)) == 0)
            return "the line of an attached MSHR is not pending";
    }
    for (n = 0; n < l1d->policy.loc.geo.sets; n++)
        pending += byw_popcount64(byw_l1d_record(l1d, n)->pending);
    return pending == attached ? NULL : "a pending line has no MSHR";
}

static const char *check_dirty(const struct byw_l1d *l1d)
{
    const struct byw_geometry *geo = &l1d->policy.loc.geo;
    uint32_t n, dirty = 0;

    for (n = 0; n < l1d->lines.lines; n++) {
        const struct byw_set *set = byw_l1d_record(l1d, n / geo->data_ways);
        uint64_t way = byw_bit64(n % geo->data_ways);

        if (!byw_data_store_dirty(&l1d->lines, n))
            continue;
        dirty++;
        if ((set->used & way) == 0 || (set->pending & way) != 0)
            return "a line that is not filled is dirty";
    }
    return dirty == l1d->lines.dirty_count ? NULL : "the count of dirty lines is wrong";
}

const char *byw_l1d_check(const struct byw_l1d *l1d)
{
    const char *broken = NULL;
    uint32_t i;

    for (i = 0; i < l1d->policy.loc.geo.sets && broken == NULL; i++)
        broken = byw_set_check(&l1d->policy.loc.geo, byw_l1d_record(l1d, i));
    if (broken == NULL)
        broken = l1d->policy.on_fill ? byw_l1d_check_sectors(l1d) : check_mshrs(l1d);
    if (broken == NULL)
        broken = check_dirty(l1d);
    return broken;
}

static void mix(uint64_t *digest, uint64_t value)
{
    *digest = (*digest ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    *digest ^= *digest >> 29;
}

static void mix_tags(uint64_t *digest, const struct byw_l1d *l1d)
{
    const struct byw_geometry *geo = &l1d->policy.loc.geo;
    uint32_t i, j;

    for (i = 0; i < geo->sets; i++) {
        const struct byw_set *set = byw_l1d_record(l1d, i);

        mix(digest, set->used);
        mix(digest, set->pending);
        for (j = 0; j < geo->data_ways; j++)
            mix(digest, (uint64_t)set->way[j].owner << 16 | (uint64_t)set->rank[j] << 8 |
                            set->way[j].reused);
        for (j = 0; j < geo->tag_ways; j++) {
            const struct byw_tag *tag = &set->tag[j];

            mix(digest, tag->key);
            mix(digest, (uint64_t)tag->status << 32 | (uint64_t)tag->rc << 24 |
                            (uint64_t)tag->pos << 16 | (uint64_t)tag->age << 8 | tag->sectors);
        }
    }
}

static void mix_predictor(uint64_t *digest, const struct byw_l1d *l1d)
{
    const struct byw_pc_pred *pred = &l1d->pred;
    uint32_t i;

    if (!pred->on)
        return;
    for (i = 0; i < BYW_PC_TABLE_MAX; i++)
        mix(digest, pred->table.counter[i]);
    for (i = 0; i < l1d->lines.lines; i++)
        mix(digest, pred->line[i]);
    for (i = 0; i < l1d->mshr.pool.size; i++)
        mix(digest, byw_id_pool_taken(&l1d->mshr.pool, i) ? pred->miss[i] : UINT64_MAX);
    for (i = 0; i < l1d->tracker.pool.size; i++)
        mix(digest, byw_id_pool_taken(&l1d->tracker.pool, i) ? pred->bypass[i] : UINT64_MAX);
    mix(digest, (uint64_t)pred->table.skipped << 32 | pred->duel.psel);
    for (i = 0; i < pred->waiting; i++)
        mix(digest, pred->report[i]);
    mix(digest, (uint64_t)pred->waiting << 32 | pred->clearing);
}

static void mix_misses(uint64_t *digest, const struct byw_l1d *l1d)
{
    const struct byw_miss_queue *q = &l1d->queue;
    uint32_t i, j;

    for (i = 0; i < l1d->mshr.pool.size; i++) {
        const struct byw_mshr_entry *entry = byw_mshr_at(&l1d->mshr, i);

        mix(digest, byw_id_pool_taken(&l1d->mshr.pool, i));
        if (!byw_id_pool_taken(&l1d->mshr.pool, i))
            continue;
        mix(digest, entry->line);
        mix(digest, (uint64_t)entry->count << 3 | (uint64_t)entry->last << 2 |
                        (uint64_t)entry->attached << 1 | entry->draining);
        for (j = 0; j < entry->count; j++)
            mix(digest, byw_mshr_target(&l1d->mshr, i, j));
    }
    for (i = 0; i < q->count; i++) {
        const struct byw_mem_req *req = &q->entry[(q->head + i) % q->size];

        mix(digest, req->line);
        mix(digest, (uint64_t)req->id << 16 | (uint64_t)req->beat << 8 | (uint64_t)req->more << 4 |
                        req->kind);
    }
    for (i = 0; i < l1d->tracker.pool.size; i++)
        mix(digest, byw_id_pool_taken(&l1d->tracker.pool, i) ? l1d->tracker.id[i] : UINT64_MAX);
    for (i = 0; l1d->order.on && i < l1d->order.size; i++)
        mix(digest, l1d->order.entry[i].busy ? l1d->order.entry[i].id : UINT64_MAX);
}

static uint64_t slot_digest(const struct byw_l1d_slot *slot)
{
    return (uint64_t)slot->req.id << 10 | (uint64_t)slot->req.beat << 3 |
           (uint64_t)slot->req.more << 2 | (uint64_t)slot->bypass << 1 | slot->blind;
}

uint64_t byw_l1d_digest(const struct byw_l1d *l1d)
{
    const struct byw_l1d_pipe *pipe = &l1d->pipe;
    uint64_t digest = 0;
    uint32_t i;

    mix_tags(&digest, l1d);
    mix_misses(&digest, l1d);
    mix_predictor(&digest, l1d);
    for (i = 0; i < l1d->lines.lines; i++) {
        mix(&digest, l1d->lines.dirty[i].w[0]);
        mix(&digest, l1d->lines.dirty[i].w[1]);
    }
    mix(&digest, pipe->s1_valid ? slot_digest(&pipe->slot[pipe->s1_slot]) : UINT64_MAX);
    if (l1d->look)
        mix(&digest, pipe->look_valid
                         ? slot_digest(&pipe->slot[pipe->look_slot]) << 1 | pipe->look_cold
                         : UINT64_MAX);
    if (l1d->look && pipe->s2_valid)
        mix(&digest, (uint64_t)pipe->s2_view << 1 | pipe->s2_new);
    mix(&digest, pipe->s2_valid ? slot_digest(&pipe->slot[pipe->s2_slot]) : UINT64_MAX);
    mix(&digest, pipe->s3_valid ? pipe->s3.id : UINT64_MAX);
    mix(&digest, l1d->fill.direct_valid ? l1d->fill.direct.id : UINT64_MAX);
    mix(&digest, (uint64_t)l1d->fill.f1 << 63 | (uint64_t)l1d->fill.f2 << 62 |
                     (uint64_t)l1d->fill.count << 32 | l1d->fill.next_target);
    for (i = 0; i < l1d->fill.count; i++)
        mix(&digest, l1d->fill.buffer[(l1d->fill.head + i) & (l1d->fill.buffers - 1)].mshr);
    mix(&digest, l1d->write.wb_valid ? l1d->write.wb_line : UINT64_MAX);
    mix(&digest, l1d->write.acks_pending);
    if (byw_l1d_has_beats(l1d)) {
        mix(&digest, (uint64_t)l1d->fill.beat << 1 | l1d->fill.failed);
        mix(&digest, (uint64_t)l1d->write.next_beat << 8 | l1d->write.wb_beat);
        mix(&digest, l1d->write.next_beat != 0 ? l1d->write.next_line : UINT64_MAX);
    }
    mix(&digest, (uint64_t)l1d->arb.last << 8 | (l1d->arb.held ? l1d->arb.choice + 1U : 0));
    mix(&digest, (uint64_t)l1d->flush_line << 1 | l1d->filter_on);
    mix(&digest, byw_repl_digest(&l1d->repl));
    mix(&digest, byw_mech_chain_digest(&l1d->chain));
    return digest;
}
