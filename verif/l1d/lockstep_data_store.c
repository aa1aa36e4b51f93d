/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_data_store - byw_data_store.v (with byw_ram_1r1w) against byw_data_store.c: fills of
 * beats (or of the whole line) and of sectors, stores with random masks, dirty or not, reads,
 * cleaning of one line and of all.
 */
#include "cosim/lock.h"
#include "l1d/byw_data_store.h"

enum { LINES = P_SETS * P_DATA_WAYS, BEATS = P_LINE_BYTES / P_BEAT_BYTES };

struct ports {
    uint32_t rst, rd_en, rd_set, rd_way, rd_data, rd_mask, rd_line, fill, fill_set, fill_way;
    uint32_t fill_mask, fill_data, store, store_dirty, store_set, store_way, store_line, store_mask;
    uint32_t store_data, query_set, query_way, way, query_dirty, any_dirty, clean, clean_all;
    uint32_t next, step, next_set, walk_way, walk_dirty;
    uint32_t rd_beat, rd_beat_o, rd_dirty, fill_beat, fill_keeps, store_beat, store_comes;
};

static struct ports find_ports(const struct dut *d)
{
    return (struct ports){
        .rst = dut_port(d, "rst_i"),
        .rd_en = dut_port(d, "rd_en_i"),
        .rd_set = dut_port(d, "rd_set_i"),
        .rd_way = dut_port(d, "rd_way_i"),
        .rd_beat = dut_port(d, "rd_beat_i"),
        .rd_beat_o = dut_port(d, "rd_beat_o"),
        .rd_dirty = dut_port(d, "rd_dirty_o"),
        .fill_beat = dut_port(d, "fill_beat_i"),
        .store_beat = dut_port(d, "store_beat_i"),
        .rd_data = dut_port(d, "rd_data_o"),
        .rd_mask = dut_port(d, "rd_mask_o"),
        .rd_line = dut_port(d, "rd_line_o"),
        .fill = dut_port(d, "fill_i"),
        .fill_set = dut_port(d, "fill_set_i"),
        .fill_way = dut_port(d, "fill_way_i"),
        .fill_mask = dut_port(d, "fill_mask_i"),
        .fill_data = dut_port(d, "fill_data_i"),
        .store = dut_port(d, "store_i"),
        .store_dirty = dut_port(d, "store_dirty_i"),
        .store_set = dut_port(d, "store_set_i"),
        .store_way = dut_port(d, "store_way_i"),
        .store_line = dut_port(d, "store_line_i"),
        .store_mask = dut_port(d, "store_mask_i"),
        .store_data = dut_port(d, "store_data_i"),
        .next = dut_port(d, "next_load_i"),
        .step = dut_port(d, "walk_step_i"),
        .next_set = dut_port(d, "next_set_i"),
        .store_comes = dut_port(d, "store_early_i"),
        .fill_keeps = dut_port(d, "fill_owned_i"),
        .query_set = dut_port(d, "query_set_i"),
        .query_way = dut_port(d, "query_way_i"),
        .way = dut_port(d, "way_i"),
        .walk_way = dut_port(d, "walk_way_i"),
        .walk_dirty = dut_port(d, "walk_dirty_o"),
        .query_dirty = dut_port(d, "query_dirty_o"),
        .any_dirty = dut_port(d, "any_dirty_o"),
        .clean = dut_port(d, "clean_i"),
        .clean_all = dut_port(d, "clean_all_i"),
    };
}

static void put_line(struct lock *l, uint32_t set, uint32_t way, uint32_t line)
{
    dut_put(l->dut, set, line / P_DATA_WAYS);
    dut_put(l->dut, way, line % P_DATA_WAYS);
}

static struct byw_byte_mask random_mask(struct lock *l)
{
    struct byw_byte_mask whole = byw_byte_mask_line(P_BEAT_BYTES);
    uint64_t sparse = lock_chance(l, 50) ? byw_rng_next(&l->rng) : UINT64_MAX;

    if (lock_chance(l, 5))
        return (struct byw_byte_mask){{0, 0}};
    return (struct byw_byte_mask){
        {whole.w[0] & byw_rng_next(&l->rng) & sparse, whole.w[1] & byw_rng_next(&l->rng) & sparse}};
}

/* A random half of a beat. */
static struct byw_byte_mask random_part(struct lock *l)
{
    struct byw_byte_mask half = byw_byte_mask_line(P_BEAT_BYTES / 2);
    struct byw_byte_mask whole = byw_byte_mask_line(P_BEAT_BYTES);

    if (lock_chance(l, 50))
        return half;
    return (struct byw_byte_mask){{whole.w[0] & ~half.w[0], whole.w[1] & ~half.w[1]}};
}

/* Draws a line, of this set or of any set. */
static uint32_t pick(struct lock *l, bool of_set, uint32_t set)
{
    return of_set ? set * P_DATA_WAYS + lock_below(l, P_DATA_WAYS) : lock_below(l, LINES);
}

struct read { /* a read in the last cycle with rd_en */
    bool any, dirty;
    uint8_t data[BYW_LINE_MAX];
    struct byw_byte_mask mask;
    uint64_t line;
    uint32_t beat;
};

static void compare_read(const struct lock *l, const struct ports *p, const struct read *r)
{
    struct byw_byte_mask mask = {{0, 0}};
    uint8_t got[BYW_LINE_MAX];

    dut_get_bytes(l->dut, p->rd_data, got, P_BEAT_BYTES);
    lock_same_bytes(l, "rd_data", r->data, got, P_BEAT_BYTES);
    if (!r->dirty)
        return;
    lock_same(l, "rd_line", r->line, dut_get(l->dut, p->rd_line));
    lock_same(l, "rd_beat", r->beat, dut_get(l->dut, p->rd_beat_o));
    lock_same(l, "rd_dirty", (r->mask.w[0] | r->mask.w[1]) != 0, dut_get(l->dut, p->rd_dirty));
    if ((r->mask.w[0] | r->mask.w[1]) == 0)
        return;
    dut_get_bytes(l->dut, p->rd_mask, mask.w, sizeof(mask.w));
    lock_same(l, "rd_mask low", r->mask.w[0], mask.w[0]);
    lock_same(l, "rd_mask high", r->mask.w[1], mask.w[1]);
}

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 60000);
    struct ports p = find_ports(l.dut);
    uint64_t address[LINES] = {0};
    uint32_t set = 0; /* line of dirty stores, cleans and dirty queries */
    uint64_t reads = 0, dirty_reads = 0, clean_beats = 0, cleans = 0;
    struct byw_data_store ds;
    struct read r = {.any = false};
    uint32_t i;

    if (byw_data_store_init(&ds, LINES, P_LINE_BYTES, P_BEAT_BYTES, true) != BYW_OK)
        return 2;
    for (l.cycle = 0; l.cycle < l.cycles + LINES * BEATS; l.cycle++) {
        bool first = l.cycle < LINES * BEATS; /* initializes every line */
        bool reset = first, fills = first || lock_chance(&l, 20);
        bool stores = !fills && lock_chance(&l, 60), dirty = stores && lock_chance(&l, 60);
        uint32_t target = first ? (uint32_t)l.cycle / BEATS : pick(&l, stores, set);
        uint32_t other = pick(&l, true, set), walk = pick(&l, true, set);
        bool rd = other != target && !dirty && lock_chance(&l, 60);
        bool cleaning =
            !first && !stores && byw_data_store_dirty(&ds, other) && lock_chance(&l, 30);
        bool all = !first && !stores && lock_below(&l, 2000) == 0;
        struct byw_byte_mask mask = random_mask(&l), part = random_part(&l);
        bool whole = first || lock_chance(&l, 50);
        bool comes =
            fills || (P_LOOK && !stores && lock_chance(&l, 20)); /* a fill, perhaps detached */
        bool lost = !fills && (comes || !P_LOOK) &&
                    lock_chance(&l, 50); /* its block already holds another line */
        bool moves = lock_chance(&l, 50);
        uint32_t next = moves ? lock_below(&l, P_SETS) : 0;
        bool walks = moves && lock_chance(&l, 30);
        uint32_t beat = BEATS == 1 ? 0 : first ? (uint32_t)l.cycle % BEATS : lock_below(&l, BEATS);
        uint32_t rd_beat = BEATS == 1 ? 0 : dirty ? beat : lock_below(&l, BEATS);
        bool waits = !stores && lock_chance(&l, 20); /* a dirty store that is not performed */
        /* The store is not performed yet, but its bytes are already written unless a fill uses the
         * port. */
        bool ahead = P_LOOK && !first && !stores && !rd && lock_chance(&l, 20);
        bool early = dirty && lock_chance(&l, 50); /* the dirty store also reads its line */
        uint8_t data[BYW_LINE_MAX], stray[BYW_LINE_MAX];
        uint64_t line = byw_rng_next(&l.rng) & byw_mask64(P_LINE_W);

        for (i = 0; i < P_BEAT_BYTES; i++)
            stray[i] = (uint8_t) ~(data[i] = (uint8_t)byw_rng_next(&l.rng));
        if (!first && fills && byw_data_store_dirty(&ds, target))
            fills = false; /* a dirty line leaves the store clean */
        dut_put(l.dut, p.rst, reset);
        dut_put(l.dut, p.rd_en, rd || early);
        put_line(&l, p.rd_set, p.rd_way, dirty ? target : other);
        dut_put(l.dut, p.rd_beat, rd_beat);
        dut_put(l.dut, p.fill_beat, beat);
        dut_put(l.dut, p.store_beat, beat);
        dut_put(l.dut, p.fill, P_LOOK ? comes : fills || lost);
        dut_put(l.dut, p.fill_keeps, fills || (!lost && !(P_LOOK && comes) && lock_chance(&l, 50)));
        put_line(&l, p.fill_set, p.fill_way, lost ? lock_below(&l, LINES) : target);
        if (whole)
            part = byw_byte_mask_line(P_BEAT_BYTES);
        dut_put_bytes(l.dut, p.fill_mask, part.w, sizeof(part.w));
        dut_put_bytes(l.dut, p.fill_data, lost ? stray : data, P_BEAT_BYTES);
        dut_put(l.dut, p.store, stores);
        dut_put(l.dut, p.store_comes, stores || ahead);
        dut_put(l.dut, p.store_dirty, waits || (dirty && (mask.w[0] | mask.w[1]) != 0));
        put_line(&l, p.store_set, p.store_way, target);
        dut_put(l.dut, p.store_line, line);
        dut_put_bytes(l.dut, p.store_mask, mask.w, sizeof(mask.w));
        dut_put_bytes(l.dut, p.store_data, data, P_BEAT_BYTES);
        put_line(&l, p.query_set, p.way, other);
        put_line(&l, p.query_set, p.walk_way, walk);
        put_line(&l, p.query_set, p.query_way, other);
        dut_put(l.dut, p.next, moves && !walks);
        dut_put(l.dut, p.step, walks);
        dut_put(l.dut, p.next_set, next);
        dut_put(l.dut, p.clean, cleaning);
        dut_put(l.dut, p.clean_all, all);
        dut_eval(l.dut);
        if (!first) {
            lock_same(&l, "any_dirty", ds.dirty_count != 0, dut_get(l.dut, p.any_dirty));
            lock_same(&l, "query_dirty", byw_data_store_dirty(&ds, other),
                      dut_get(l.dut, p.query_dirty));
            lock_same(&l, "walk_dirty", byw_data_store_dirty(&ds, walk),
                      dut_get(l.dut, p.walk_dirty));
            if (r.any)
                compare_read(&l, &p, &r);
        }
        if (rd && !first) {
            r = (struct read){.any = true,
                              .dirty = byw_data_store_dirty(&ds, other),
                              .mask = byw_data_store_dirty_bytes(&ds, other, rd_beat),
                              .line = address[other],
                              .beat = rd_beat};
            memcpy(r.data, byw_data_store_read(&ds, other, rd_beat), P_BEAT_BYTES);
            reads++;
            dirty_reads += r.dirty;
            clean_beats += r.dirty && (r.mask.w[0] | r.mask.w[1]) == 0;
        }
        if (fills && whole)
            byw_data_store_fill(&ds, target, beat, data);
        else if (fills)
            byw_data_store_write(&ds, target, beat, &part, data, false);
        if ((dirty || waits) && !rd)
            r.dirty = false; /* its mask is no longer visible */
        if (early)
            r.any = false; /* nor are bytes */
        if (stores || (ahead && !comes))
            byw_data_store_write(&ds, target, beat, &mask, data, dirty);
        if (dirty && (mask.w[0] | mask.w[1]) != 0)
            address[target] = line;
        if (cleaning)
            byw_data_store_clean(&ds, other);
        cleans += cleaning;
        if (all)
            byw_data_store_clean_all(&ds);
        if (moves)
            set = next;
        dut_tick(l.dut);
    }
    lock_met(&l, "reads of a dirty line", dirty_reads);
    lock_met(&l, "lines cleaned", cleans);
    if (BEATS > 1)
        lock_met(&l, "reads of a clean beat of a dirty line", clean_beats);
    byw_data_store_release(&ds);
    return lock_pass(&l, ", %" PRIu64 " reads, %" PRIu64 " of dirty lines", reads, dirty_reads);
}
