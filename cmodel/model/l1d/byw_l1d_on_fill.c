/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l1d_on_fill.c - The allocate-on-fill organization of the L1D: sectors, its decision point,
 * and the fill stages f1 and f2.  Order and ties: rtl/doc/l1d_pipeline.md, "Allocate on fill".
 */
#include "l1d/byw_l1d_state.h"
#include "policy/byw_sectored.h"

static struct byw_byte_mask bytes_mask(uint32_t first, uint32_t count)
{
    struct byw_byte_mask below = byw_byte_mask_line(first);
    struct byw_byte_mask mask = byw_byte_mask_line(first + count);

    mask.w[0] &= ~below.w[0];
    mask.w[1] &= ~below.w[1];
    return mask;
}

void byw_l1d_init_sectors(struct byw_l1d *l1d, const struct byw_config *config)
{
    uint32_t i;

    l1d->sector_bytes = config->l1d_line / config->l1d_sectors;
    l1d->sector_bits = byw_clog2(config->l1d_sectors);
    for (i = 0; i < config->l1d_sectors; i++)
        l1d->fetch[i] = bytes_mask(i * l1d->sector_bytes, l1d->sector_bytes);
}

uint8_t byw_l1d_sector(const struct byw_l1d *l1d, const struct byw_byte_mask *bytes)
{
    uint32_t first = bytes->w[0] != 0   ? byw_ctz64(bytes->w[0])
                     : bytes->w[1] != 0 ? 64 + byw_ctz64(bytes->w[1])
                                        : 0;

    return (uint8_t)(first / l1d->sector_bytes);
}

static uint8_t sector_bit(uint32_t sector)
{
    return (uint8_t)(1U << sector);
}

/* The mechanisms' advice on the request in s2. */
static void advise(const struct byw_l1d *l1d, const struct byw_l1d_slot *s2,
                   const struct byw_set *set, const struct byw_sector *sector, uint8_t hint,
                   struct byw_l1d_cycle *now, struct byw_advice *advice)
{
    *advice = (struct byw_advice){.bypass = s2->bypass};
    now->asks = l1d->pred.on && !s2->bypass && byw_op_is_load(s2->req.op) &&
                byw_sectored_asks(&l1d->policy, set, now->tag, sector, hint);
    if (!now->asks)
        return;
    now->guess = byw_pc_pred_ask(&l1d->pred, s2->set, s2->req.pc);
    advice->dead = byw_pc_guess_bypass(&now->guess);
}

void byw_l1d_comb_sector(const struct byw_l1d *l1d, struct byw_resources *res,
                         struct byw_l1d_cycle *now)
{
    const struct byw_l1d_slot *s2 = byw_l1d_s2(l1d);
    const struct byw_set *set = byw_l1d_record(l1d, s2->set);
    struct byw_sector sector = {.bit = sector_bit(s2->sector)};
    struct byw_policy room;
    struct byw_advice advice;
    uint32_t n = BYW_MSHR_NONE;
    uint8_t hint = s2->req.hint;

    if (!byw_policy_blind(&l1d->policy) && !s2->blind &&
        !byw_sector_valid(set, now->tag, sector.bit)) /* otherwise no fill of it is outstanding */
        n = byw_mshr_lookup(&l1d->mshr, byw_l1d_block(l1d, s2));
    sector.pending = n != BYW_MSHR_NONE;
    res->merge = sector.pending && byw_mshr_has_room(&l1d->mshr, n);
    now->pending = sector.pending;
    if (l1d->chain.count != 0)
        hint = byw_l1d_mech_hint(l1d, now);
    advise(l1d, s2, set, &sector, hint, now, &advice);
    byw_sectored_choose(byw_l1d_policy_of(l1d, s2, &room), set, now->tag, &sector, s2->req.op, hint,
                        &advice, res, &now->d);
    now->sector_miss =
        byw_op_is_load(s2->req.op) && now->d.outcome == BYW_MISS && now->tag != BYW_NONE;
}

void byw_l1d_comb_install(const struct byw_l1d *l1d, bool kernel_start, struct byw_l1d_cycle *now)
{
    const struct byw_geometry *geo = &l1d->policy.loc.geo;
    const struct byw_fill_buffer *buffer;
    const struct byw_mshr_entry *entry;
    const struct byw_set *set;
    struct byw_repl_at at;
    uint64_t key;

    if (!l1d->fill.f2 || kernel_start)
        return;
    buffer = byw_fill_f2(&l1d->fill);
    entry = byw_mshr_at(&l1d->mshr, buffer->mshr);
    if (!entry->attached || buffer->error)
        return;
    now->fill_bad = l1d->tags.wrong != NULL &&
                    byw_tag_store_bad(&l1d->tags, entry->set, &l1d->f2_wrong, BYW_TAG_COMMITTED);
    if (now->fill_bad)
        return;
    now->fill_writes = now->fill_records = true;
    set = byw_l1d_record(l1d, entry->set);
    key = byw_set_key(geo, entry->line >> l1d->sector_bits);
    at = byw_l1d_repl_at(l1d, entry->set, entry->pc);
    now->install = byw_install_decide(l1d->policy.loc.repl, set, &at, byw_set_match(geo, set, key));
}

void byw_l1d_record_written(struct byw_l1d *l1d, uint32_t set, int renamed,
                            const struct byw_l1d_cycle *now)
{
    struct byw_l1d_pipe *pipe = &l1d->pipe;
    struct byw_tag_mask right = {{0}};
    uint32_t i;

    if (renamed != BYW_NONE)
        right.w[renamed / 64] = byw_bit64((uint32_t)renamed % 64);
    l1d->tags.wrong[set] = l1d->tags.wrong_fill[set] = (struct byw_tag_mask){{0}};
    for (i = 0; i < sizeof(right.w) / sizeof(right.w[0]); i++) {
        struct byw_l1d_slot *s1 = &pipe->slot[pipe->s1_slot], *s2 = &pipe->slot[pipe->s2_slot];

        if (s2->set == set)
            s2->wrong.w[i] &= ~right.w[i];
        if (pipe->s1_valid && s1->set == set)
            s1->wrong.w[i] &= now->s1_moves ? ~right.w[i] : 0;
        if (l1d->fill.f1 &&
            byw_mshr_at(&l1d->mshr, byw_fill_youngest(&l1d->fill)->mshr)->set == set)
            l1d->f1_wrong.w[i] &= ~right.w[i];
    }
}

void byw_l1d_tick_install(struct byw_l1d *l1d, const struct byw_l1d_cycle *now)
{
    const struct byw_geometry *geo = &l1d->policy.loc.geo;

    if (l1d->fill.f2) {
        const struct byw_fill_buffer *buffer = byw_fill_f2(&l1d->fill);
        const struct byw_mshr_entry *entry = byw_mshr_at(&l1d->mshr, buffer->mshr);
        struct byw_repl_at at = byw_l1d_repl_at(l1d, entry->set, entry->pc);
        uint32_t sector = (uint32_t)entry->line & ((1U << l1d->sector_bits) - 1);

        if (now->fill_records) {
            if (l1d->pred.on)
                byw_l1d_train_install(l1d, now);
            if (l1d->chain.count != 0)
                byw_l1d_mech_install(l1d, now);
            byw_install_apply(l1d->policy.loc.repl, byw_l1d_record(l1d, entry->set), &at,
                              byw_set_key(geo, entry->line >> l1d->sector_bits), sector_bit(sector),
                              entry->last, &now->install);
            if (!now->install.present)
                byw_repl_placed(&l1d->repl);
            if (l1d->tags.wrong != NULL)
                byw_l1d_record_written(
                    l1d, entry->set, now->install.present ? BYW_NONE : (int)now->install.way, now);
            byw_data_store_write(&l1d->lines,
                                 byw_l1d_line_number(l1d, entry->set, now->install.way), 0,
                                 &l1d->fetch[sector], buffer->data, false);
        }
        byw_mshr_fill(&l1d->mshr, buffer->mshr);
    }
    if (l1d->fill.f1)
        byw_tag_store_prefetch(&l1d->tags,
                               byw_mshr_at(&l1d->mshr, byw_fill_youngest(&l1d->fill)->mshr)->set);
    l1d->f2_wrong = l1d->f1_wrong;
    byw_fill_advance(&l1d->fill);
}

void byw_l1d_place_store(struct byw_l1d *l1d)
{
    const struct byw_l1d_slot *s2 = byw_l1d_s2(l1d);
    const struct byw_geometry *geo = &l1d->policy.loc.geo;
    struct byw_repl_at at = byw_l1d_repl_at(l1d, s2->set, s2->req.pc);
    struct byw_set *set = byw_l1d_record(l1d, s2->set);
    struct byw_install install =
        byw_install_decide(l1d->policy.loc.repl, set, &at, byw_set_match(geo, set, s2->key));
    uint32_t line = byw_l1d_line_number(l1d, s2->set, install.way);

    if (install.leaves && l1d->pred.on)
        byw_pc_pred_evict(&l1d->pred, line);
    if (install.leaves)
        byw_mech_chain_left(&l1d->chain, line, BYW_LEFT_EVICTED);
    if (!install.present && l1d->pred.on)
        l1d->pred.line[line] = byw_pc_table_hash(&l1d->pred.table, s2->req.pc);
    byw_install_apply(l1d->policy.loc.repl, set, &at, s2->key, sector_bit(s2->sector), false,
                      &install);
    if (!install.present)
        byw_repl_placed(&l1d->repl);
}

uint32_t byw_l1d_install_events(const struct byw_l1d *l1d, const struct byw_l1d_cycle *now)
{
    uint32_t events = 0;

    if (now->accept && now->sector_miss)
        events |= UINT32_C(1) << BYW_EV_SECTOR_MISS;
    if (now->fill_records && now->install.leaves) {
        uint32_t set = byw_mshr_at(&l1d->mshr, byw_fill_f2(&l1d->fill)->mshr)->set;

        events |= UINT32_C(1) << BYW_EV_EVICT;
        if (!byw_l1d_record(l1d, set)->way[now->install.way].reused)
            events |= UINT32_C(1) << BYW_EV_EVICT_ZERO;
    }
    return events;
}

static const char *check_record(const struct byw_l1d *l1d, const struct byw_set *set)
{
    const struct byw_geometry *geo = &l1d->policy.loc.geo;
    uint32_t i, valid = (1U << (1U << l1d->sector_bits)) - 1;

    if (set->pending != 0)
        return "a line is pending although fills allocate";
    for (i = 0; i < geo->tag_ways; i++) {
        const struct byw_tag *tag = &set->tag[i];

        if (tag->status == BYW_TAG_CANDIDATE || tag->rc != 0)
            return "the locality filter is in use";
        if (tag->status == BYW_TAG_COMMITTED && tag->pos != i)
            return "a tag owns another way's line";
        if ((tag->status == BYW_TAG_COMMITTED) != (tag->sectors != 0))
            return "a line without a sector, or a sector without a line";
        if ((tag->sectors & ~valid) != 0)
            return "a sector outside the line is valid";
    }
    return NULL;
}

static const char *check_attached(const struct byw_l1d *l1d, uint32_t n)
{
    const struct byw_mshr_entry *entry = byw_mshr_at(&l1d->mshr, n);
    const struct byw_geometry *geo = &l1d->policy.loc.geo;
    const struct byw_set *set = byw_l1d_record(l1d, entry->set);
    uint64_t line = entry->line >> l1d->sector_bits;
    uint32_t sector = (uint32_t)entry->line & ((1U << l1d->sector_bits) - 1);

    if (byw_mshr_lookup(&l1d->mshr, entry->line) != n)
        return "a lookup does not find an attached MSHR";
    if (byw_set_index(geo, line) != entry->set)
        return "an MSHR has the set of another line";
    if (byw_sector_valid(set, byw_set_match(geo, set, byw_set_key(geo, line)), sector_bit(sector)))
        return "a sector is valid and pending";
    return NULL;
}

const char *byw_l1d_check_sectors(const struct byw_l1d *l1d)
{
    const char *broken = NULL;
    uint32_t n;

    for (n = 0; n < l1d->policy.loc.geo.sets && broken == NULL; n++)
        broken = check_record(l1d, byw_l1d_record(l1d, n));
    for (n = 0; n < l1d->mshr.pool.size && broken == NULL; n++) {
        const struct byw_mshr_entry *entry = byw_mshr_at(&l1d->mshr, n);

        if ((entry->attached || entry->draining) && !byw_id_pool_taken(&l1d->mshr.pool, n))
            return "a free MSHR is in use";
        if (entry->attached)
            broken = check_attached(l1d, n);
    }
    if (broken == NULL && l1d->lines.dirty_count != 0)
        broken = "a line is dirty although stores are written through";
    return broken;
}
