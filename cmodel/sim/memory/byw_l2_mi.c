/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/memory/byw_l2_mi.h"

#include "common/byw_bits.h"

static struct byw_l2_mi *mi_of(const struct byw_l2 *l2)
{
    return l2->policy_state;
}

static uint32_t field_bits(const struct byw_addr_field *field)
{
    uint32_t bits = 0;

    for (uint32_t i = 0; i < field->runs; i++)
        bits += byw_popcount64(field->run[i].mask);
    return bits;
}

static enum byw_status parts_init(struct byw_l2 *l2, struct byw_l2_mi *policy,
                                  const struct byw_config *config)
{
    uint32_t entries = config->l2_dbi_entries / config->l2_slices;
    uint32_t row_log2 = field_bits(&policy->map->column);
    enum byw_status status = BYW_OK;

    if (policy->rinses)
        status = byw_dbi_init(&policy->dbi, entries / config->l2_dbi_ways, config->l2_dbi_ways,
                              1U << (row_log2 - l2->line_log2));
    if (status == BYW_OK && policy->predicts)
        status = byw_l2_pc_bypass_init(&policy->pc, config, l2->sets, l2->ways);
    return status;
}

static bool in_use(const struct byw_config *config)
{
    return config->l2_cached != BYW_L2_CACHES_ALL || config->l2_alloc_bypass != 0 ||
           config->l2_rinse != 0 || config->l2_pc_bypass != 0;
}

static enum byw_status create(struct byw_l2 *l2, const struct byw_config *config,
                              const struct byw_addrmap *map)
{
    struct byw_l2_mi *policy;

    policy = calloc(1, sizeof(*policy));
    if (policy == NULL)
        return BYW_ENOMEM;
    policy->keeps_loads = config->l2_cached != BYW_L2_CACHES_NONE;
    policy->keeps_stores = config->l2_cached == BYW_L2_CACHES_ALL;
    policy->allocation_bypass = config->l2_alloc_bypass != 0;
    policy->rinses = config->l2_rinse != 0;
    policy->predicts = config->l2_pc_bypass != 0;
    policy->map = map;
    policy->channel = l2->number / map->slices_per_channel;
    policy->banks = config->dram_banks;
    l2->policy_state = policy;
    return parts_init(l2, policy, config);
}

static void release(struct byw_l2 *l2)
{
    struct byw_l2_mi *policy = mi_of(l2);

    if (policy == NULL)
        return;
    byw_dbi_release(&policy->dbi);
    byw_l2_pc_bypass_release(&policy->pc);
    free(policy);
    l2->policy_state = NULL;
}

/* --- bypass of the slice ------------------------------------------------------------------ */

/* The MSHR of a bypassing load of the sector; BYW_NO_MSHR: there is none. */
static uint32_t find_passing(const struct byw_l2 *l2, uint64_t addr)
{
    uint64_t sector = addr >> l2->sector_log2;
    uint32_t left = mi_of(l2)->passing;

    for (uint32_t m = 0; left > 0; m++) {
        if (l2->mshr[m].way != BYW_L2_NOWHERE)
            continue;
        if (l2->mshr[m].sector == sector)
            return m;
        left--;
    }
    return BYW_NO_MSHR;
}

static enum byw_l2_fail join(struct byw_l2 *l2, uint32_t m)
{
    struct byw_l2_mshr *mshr = &l2->mshr[m];

    if (mshr->count >= l2->merges)
        return BYW_L2_FAIL_MERGE;
    mshr->count++;
    byw_fifo_push(l2->pool, &mshr->merged, byw_fifo_pop(l2->pool, &l2->in));
    l2->stats->pending++;
    return BYW_L2_FAIL_NONE;
}

/* Whether the access has a PC and asks the predictor. */
static bool asks(const struct byw_l2 *l2, enum byw_l2_found found, const struct byw_packet *packet)
{
    return mi_of(l2)->predicts && (found == BYW_L2_MISS || found == BYW_L2_NO_WAY) &&
           (packet->txn.kind == BYW_TXN_READ || packet->txn.kind == BYW_TXN_WRITE);
}

static struct byw_l2_pc_guess guess_for(const struct byw_l2 *l2, const struct byw_packet *packet)
{
    const struct byw_l2_pc_bypass *pc = &mi_of(l2)->pc;

    return byw_l2_pc_bypass_ask(pc, packet->set, byw_packet_writes(packet),
                                byw_pc_table_hash(&pc->table, packet->txn.pc));
}

/* Whether loads, or stores, allocate sectors at all. */
static bool keeps(const struct byw_l2 *l2, const struct byw_packet *packet)
{
    return byw_packet_writes(packet) ? mi_of(l2)->keeps_stores : mi_of(l2)->keeps_loads;
}

/* Allocation bypass: the whole set is pending. */
static bool has_no_room(const struct byw_l2 *l2, enum byw_l2_found found)
{
    return found == BYW_L2_NO_WAY && mi_of(l2)->allocation_bypass;
}

/* Counts, by reason, a bypassing access whose sector is absent. A dead one also counts for
 * sampling. */
static void count_pass(struct byw_l2 *l2, enum byw_l2_found found, const struct byw_packet *packet)
{
    struct byw_l2_pc_guess guess;

    l2->stats->full_set_passes += keeps(l2, packet) && has_no_room(l2, found);
    if (!asks(l2, found, packet))
        return;
    guess = guess_for(l2, packet);
    if (guess.bypass)
        byw_l2_pc_bypass_accept(&mi_of(l2)->pc, &guess);
}

/* Whether a load or store without a sector bypasses. */
static bool passes(const struct byw_l2 *l2, enum byw_l2_found found,
                   const struct byw_packet *packet)
{
    if (!keeps(l2, packet) || has_no_room(l2, found))
        return true;
    return asks(l2, found, packet) && guess_for(l2, packet).bypass;
}

static enum byw_l2_fail pass_load(struct byw_l2 *l2, enum byw_l2_found found)
{
    uint32_t p, m;

    if (l2->miss.count >= l2->miss_limit)
        return BYW_L2_FAIL_QUEUE;
    if (l2->mshr_in_use >= l2->mshrs)
        return BYW_L2_FAIL_MSHR;
    p = byw_fifo_pop(l2->pool, &l2->in);
    count_pass(l2, found, &l2->pool->packet[p]);
    m = byw_l2_take_mshr(l2, p, BYW_L2_NOWHERE);
    l2->mshr[m].sector = l2->pool->packet[p].txn.addr >> l2->sector_log2;
    mi_of(l2)->passing++;
    l2->stats->misses++;
    l2->stats->passed_loads++;
    return BYW_L2_FAIL_NONE;
}

static enum byw_l2_fail pass_store(struct byw_l2 *l2, enum byw_l2_found found, uint32_t at,
                                   uint64_t now)
{
    const struct byw_packet *packet = &l2->pool->packet[l2->in.head];

    if (found == BYW_L2_IS_PENDING || find_passing(l2, packet->txn.addr) != BYW_NO_MSHR)
        return BYW_L2_FAIL_MERGE;
    if (l2->miss.count >= l2->miss_limit)
        return BYW_L2_FAIL_QUEUE;
    if (found == BYW_L2_HIT) { /* the copy is updated and keeps its state */
        byw_l2_touch(l2, at);
        byw_l2_occupy(l2, packet, now);
        l2->stats->hits++;
        l2->stats->write_hits++;
    } else {
        count_pass(l2, found, packet);
        l2->stats->misses++;
        l2->stats->unfetched++;
        l2->stats->write_misses++;
    }
    l2->stats->passed_stores++;
    byw_l2_send_on(l2, byw_fifo_pop(l2->pool, &l2->in));
    return BYW_L2_FAIL_NONE;
}

static bool serve(struct byw_l2 *l2, enum byw_l2_found found, uint32_t at, uint64_t now,
                  enum byw_l2_fail *fail)
{
    const struct byw_packet *packet = &l2->pool->packet[l2->in.head];
    bool present = found == BYW_L2_HIT || found == BYW_L2_IS_PENDING || found == BYW_L2_IS_WRITTEN;

    *fail = BYW_L2_FAIL_NONE;
    if (packet->txn.kind == BYW_TXN_READ && !present) {
        uint32_t m = find_passing(l2, packet->txn.addr);

        if (m != BYW_NO_MSHR || passes(l2, found, packet)) {
            *fail = m != BYW_NO_MSHR ? join(l2, m) : pass_load(l2, found);
            return true;
        }
    }
    if (byw_packet_writes(packet) &&
        (!mi_of(l2)->keeps_stores || (!present && passes(l2, found, packet)))) {
        *fail = pass_store(l2, found, at, now);
        return true;
    }
    if (mi_of(l2)->ops > 1) { /* the access may add two more */
        *fail = BYW_L2_FAIL_RINSE;
        return true;
    }
    return false;
}

static void kept(struct byw_l2 *l2, enum byw_l2_found found, uint32_t at)
{
    struct byw_l2_pc_bypass *pc = &mi_of(l2)->pc;
    const struct byw_packet *packet = &l2->pool->packet[l2->in.head];
    uint32_t line = at >> l2->sectors_log2;
    bool traced = packet->txn.kind == BYW_TXN_READ || packet->txn.kind == BYW_TXN_WRITE ||
                  packet->txn.kind == BYW_TXN_ATOMIC;
    uint16_t hash;

    if (!mi_of(l2)->predicts)
        return;
    hash = byw_pc_table_hash(&pc->table, packet->txn.pc);
    if (asks(l2, found, packet)) {
        struct byw_l2_pc_guess guess = guess_for(l2, packet);

        byw_l2_pc_bypass_accept(pc, &guess);
    }
    if (found == BYW_L2_MISS)
        byw_l2_pc_bypass_take(pc, line, l2->tag[line] != BYW_L2_NO_LINE, traced, hash);
    else
        byw_l2_pc_bypass_reuse(pc, line, traced, hash);
}

static void answered(struct byw_l2 *l2, uint32_t m)
{
    l2->mshr[m].way = 0;
    mi_of(l2)->passing--;
}

/* --- rinsing ------------------------------------------------------------------------------ */

static void hand_in(struct byw_l2 *l2, enum byw_dbi_op op, uint64_t addr)
{
    struct byw_l2_mi *policy = mi_of(l2);
    struct byw_addr_parts parts = byw_addrmap_split(policy->map, addr);

    if (!policy->rinses)
        return;
    assert(policy->ops < BYW_L2_MI_OPS);
    policy->op[policy->ops++] = (struct byw_dbi_req){
        .op = op,
        .row = parts.row * policy->banks + parts.bank,
        .block = parts.column >> l2->line_log2,
    };
    l2->rinsing = true;
}

static void dirtied(struct byw_l2 *l2, uint64_t addr)
{
    hand_in(l2, BYW_DBI_SET, addr);
}

static void evicted(struct byw_l2 *l2, uint64_t addr)
{
    hand_in(l2, BYW_DBI_EVICT, addr);
}

static uint64_t address_of(const struct byw_l2 *l2, uint64_t row, uint32_t block)
{
    const struct byw_l2_mi *policy = mi_of(l2);
    struct byw_addr_parts parts = {
        .row = row / policy->banks,
        .channel = policy->channel,
        .bank = (uint32_t)(row % policy->banks),
        .column = block << l2->line_log2,
    };

    return byw_addrmap_join(policy->map, &parts);
}

/* The line of an address; UINT32_MAX: it is not present. */
static uint32_t find_line(const struct byw_l2 *l2, uint64_t addr)
{
    uint32_t base = byw_addrmap_set(mi_of(l2)->map, addr) * l2->ways;

    for (uint32_t i = base; i < base + l2->ways; i++)
        if (l2->tag[i] == addr >> l2->line_log2)
            return i;
    return UINT32_MAX;
}

/* Whether a pending sector of the line will be dirty. */
static bool will_be_dirty(const struct byw_l2 *l2, uint32_t line)
{
    for (uint32_t s = line << l2->sectors_log2; s < (line + 1) << l2->sectors_log2; s++)
        if (l2->state[s] == BYW_L2_PENDING && l2->mshr[l2->owner[s]].dirty)
            return true;
    return false;
}

/* A rinse makes queued reports that the line became dirty obsolete.  The index has already recorded
 * the rinse. */
static void forget(struct byw_l2_mi *policy)
{
    const struct byw_dbi_walk *walk = &policy->dbi.walk;

    for (uint32_t i = 1; i < policy->ops; i++)
        if (policy->op[i].op == BYW_DBI_SET && policy->op[i].row == walk->row &&
            policy->op[i].block == walk->block)
            policy->op[i].op = BYW_DBI_LOOKUP;
}

/* Writes the line on offer back if possible in this cycle.  A line that is no longer dirty needs no
 * write-back. */
static bool rinse(struct byw_l2 *l2, uint64_t now)
{
    const struct byw_dbi_walk *walk = &mi_of(l2)->dbi.walk;
    uint32_t line = find_line(l2, address_of(l2, walk->row, walk->block));

    if (line == UINT32_MAX)
        return true;
    if (will_be_dirty(l2, line) || now < l2->data_free || l2->miss.count + 3 > l2->miss_limit)
        return false;
    if (!byw_l2_write_back(l2, line, l2->core_now, now))
        return true;
    byw_l2_cleaned(l2, line);
    forget(mi_of(l2));
    if (l2->flushing)
        l2->stats->flushed++;
    else
        l2->stats->rinsed++;
    return true;
}

static void step(struct byw_l2 *l2, uint64_t now)
{
    struct byw_l2_mi *policy = mi_of(l2);
    bool taken = policy->dbi.walk.offers && rinse(l2, now), first = policy->ops > 0;

    if (byw_dbi_tick(&policy->dbi, first ? &policy->op[0] : NULL, taken) == BYW_DBI_DONE && first) {
        policy->ops--;
        for (uint32_t i = 0; i < policy->ops; i++)
            policy->op[i] = policy->op[i + 1];
    }
    l2->rinsing = policy->ops > 0 || byw_dbi_walks(&policy->dbi);
    if (l2->blocked == BYW_L2_FAIL_RINSE)
        l2->blocked = BYW_L2_FAIL_NONE;
}

static void flush_step(struct byw_l2 *l2)
{
    if (l2->flush_at == 0 && mi_of(l2)->ops < BYW_L2_MI_OPS - 2) {
        hand_in(l2, BYW_DBI_FLUSH, 0);
        l2->flush_at = 1;
    } else if (l2->flush_at != 0 && !l2->rinsing) {
        l2->flushing = false;
    }
}

bool byw_l2_mi_agrees(const struct byw_l2 *l2)
{
    const struct byw_l2_mi *policy = mi_of(l2);
    uint64_t bits = policy->dbi.walk.offers + byw_popcount64(policy->dbi.walk.dirty), dirty = 0;

    if (policy->ops > 0)
        return true;
    for (uint32_t i = 0; i < policy->dbi.sets * policy->dbi.ways; i++)
        bits += byw_popcount64(policy->dbi.entry[i].dirty);
    for (uint32_t line = 0; line < l2->sets * l2->ways; line++) {
        uint64_t addr = l2->tag[line] << l2->line_log2;
        struct byw_addr_parts parts = byw_addrmap_split(policy->map, addr);
        bool is = will_be_dirty(l2, line) || byw_l2_dirty(l2, line);

        dirty += is;
        if (is && (byw_dbi_dirty(&policy->dbi, parts.row * policy->banks + parts.bank) >>
                       (parts.column >> l2->line_log2) &
                   1) == 0)
            return false;
    }
    return bits == dirty;
}

static bool flushes(const struct byw_l2 *l2)
{
    return mi_of(l2)->rinses;
}

const struct byw_l2_policy_ops byw_l2_policy_mi = {
    .in_use = in_use,
    .create = create,
    .release = release,
    .serve = serve,
    .kept = kept,
    .dirtied = dirtied,
    .evicted = evicted,
    .answered = answered,
    .step = step,
    .flushes = flushes,
    .flush_step = flush_step,
};
