/* SPDX-License-Identifier: Apache-2.0 */
#include "study/job/byw_silicon.h"

#include <math.h>
#include <string.h>

#include "common/byw_bits.h"

enum constant {
#define X(name, value, unit, source) name,
#include "study/job/byw_sram.def"
#undef X
    CONSTANTS
};

static const double constant[CONSTANTS] = {
#define X(name, value, unit, source) value,
#include "study/job/byw_sram.def"
#undef X
};

enum { ID = 16, PC = 32 }; /* bits of an id and of a PC (rtl/doc/l1d.md) */

double byw_sram_read_pj(double words, double bits)
{
    return constant[READ_FIXED] +
           bits * (constant[READ_CELL] * words + constant[READ_WIRE] * sqrt(words * bits));
}

double byw_sram_area_um2(double words, double bits)
{
    return words * bits * constant[AREA_CELL] + bits * sqrt(words * bits) * constant[AREA_PORT];
}

double byw_sram_leak_uw(double words, double bits)
{
    return words * bits * constant[LEAK_CELL];
}

static void add(struct byw_silicon *cost, const char *name, uint64_t words, uint64_t bits)
{
    struct byw_silicon_row *row = &cost->row[cost->count++];
    double w = (double)words, b = (double)bits;

    *row = (struct byw_silicon_row){.name = name, .words = words, .bits = bits};
    if (words != 0) {
        row->area_um2 = byw_sram_area_um2(w, b);
        row->read_pj = byw_sram_read_pj(w, b);
        row->leak_uw = byw_sram_leak_uw(w, b);
    } else {
        row->area_um2 = b * constant[FLOP_AREA];
        row->clock_pj = b * constant[FLOP_CLOCK];
        row->leak_uw = byw_sram_leak_uw(1, b);
    }
    cost->bits += words != 0 ? words * bits : bits;
    cost->area_um2 += row->area_um2;
    cost->clock_pj += row->clock_pj;
    cost->leak_uw += row->leak_uw;
}

/* Bits of a set's record in its RAM (rtl/doc/tag_store.md). */
static uint64_t record_bits(const struct byw_config *c)
{
    uint64_t key = c->pa_bits - byw_clog2(c->l1d_line) - byw_clog2(c->l1d_sets);
    uint64_t way = byw_clog2(c->l1d_ways), tag;

    if (c->policy_mode != BYW_MODE_DECOUPLED) /* key, status; rank */
        return c->l1d_ways * (key + 2 + way);
    tag = byw_clog2(c->dec_tag_ways);
    return c->dec_tag_ways * (key + 2 + c->dec_rc_bits + way + tag) + c->l1d_ways * (tag + way + 2);
}

static void add_predictors(const struct byw_config *c, struct byw_silicon *cost)
{
    uint64_t hash = byw_clog2(c->pc_entries);

    if (c->pc_on != 0) {
        add(cost, "PC table", c->pc_entries, c->pc_bits);
        add(cost, "hashes of lines", c->l1d_sets, c->l1d_ways * hash);
        add(cost, "hashes in flight", c->l1d_mshrs + c->l1d_trackers, hash);
    }
    if (c->tl_on != 0)
        add(cost, "held windows", 8, 23 + 66); /* rtl/doc/two_level.md */
}

void byw_silicon_of(const struct byw_config *c, struct byw_silicon *cost)
{
    uint64_t lines = (uint64_t)c->l1d_sets * c->l1d_ways, data = 8 * (uint64_t)c->l1d_line;
    uint64_t address = c->pa_bits - byw_clog2(c->l1d_line);
    uint64_t request = data + c->l1d_line + address + PC + ID;
    bool bypasses = c->policy_mode != BYW_MODE_BASE || c->pc_on != 0 || c->tl_on != 0;

    *cost = (struct byw_silicon){.count = 0};
    add(cost, "tags", c->l1d_sets, record_bits(c));
    add(cost, "data", lines, data);
    add(cost, "dirty bytes", lines, c->l1d_line + address);
    add(cost, "MSHR targets", (uint64_t)c->l1d_mshrs * c->l1d_merges, ID);
    add(cost, "queue", c->l1d_miss_queue + c->l1d_bypass_queue, request);
    if (bypasses)
        add(cost, "trackers", c->l1d_trackers, ID);
    add_predictors(c, cost);
    /* Two stages of a request and its record; pending, fail and dirty of each line, empty and drop
     * of each set; two fill buffers and the register of path 2. */
    add(cost, "registers", 0,
        2 * (request + record_bits(c)) + 3 * lines + 2 * c->l1d_sets + 3 * (data + ID));
}

const struct byw_silicon_row *byw_silicon_find(const struct byw_silicon *cost, const char *name)
{
    for (size_t i = 0; i < cost->count; i++)
        if (strcmp(cost->row[i].name, name) == 0)
            return &cost->row[i];
    return NULL;
}

/* The tags as in the papers' CACTI model: one tag per word (rtl/doc/tag_store.md: in the RTL a set
 * per word). */
struct entries {
    double tags, bits;
};

static struct entries entries_of(const struct byw_config *c)
{
    double key = c->pa_bits - byw_clog2(c->l1d_line) - byw_clog2(c->l1d_sets);
    double hash = c->pc_on != 0 ? byw_clog2(c->pc_entries) : 0, way = byw_clog2(c->l1d_ways);

    if (c->policy_mode != BYW_MODE_DECOUPLED)
        return (struct entries){(double)c->l1d_sets * c->l1d_ways, key + 2 + way + hash};
    return (struct entries){(double)c->l1d_sets * c->dec_tag_ways,
                            key + 2 + c->dec_rc_bits + way + byw_clog2(c->dec_tag_ways) + hash};
}

static double of_entries(double (*what)(double, double), const struct byw_config *c)
{
    struct entries e = entries_of(c);

    return what(e.tags, e.bits);
}

static double extra(double (*what)(double, double), const struct byw_config *c,
                    const struct byw_config *more)
{
    return of_entries(what, more) - of_entries(what, c);
}

static double leak_uw(const struct byw_config *c)
{
    struct byw_silicon all;

    byw_silicon_of(c, &all);
    return all.leak_uw;
}

void byw_silicon_printed(const struct byw_config cache[4],
                         struct byw_silicon_printed printed[BYW_SILICON_PRINTED])
{
    const struct byw_config *plain = &cache[0], *dec = &cache[1], *gcn = &cache[2], *pc = &cache[3];
    double data = byw_sram_read_pj((double)gcn->l1d_sets * gcn->l1d_ways, 8.0 * gcn->l1d_line);
    const struct byw_silicon_printed all[BYW_SILICON_PRINTED] = {
        {"000", "area that more tags add", "mm2", 0.008,
         extra(byw_sram_area_um2, plain, dec) / 1e6},
        {"000", "energy that they add to a read", "nJ", 0.002,
         extra(byw_sram_read_pj, plain, dec) / 1e3},
        {"000", "leakage that they add", "mW", 1.7, extra(byw_sram_leak_uw, plain, dec) / 1e3},
        {"002", "tag access", "nJ", 0.00134096, of_entries(byw_sram_read_pj, gcn) / 1e3},
        {"002", "tag access with a hash", "nJ", 0.0017867, of_entries(byw_sram_read_pj, pc) / 1e3},
        {"002", "data access", "nJ", 0.106434, data / 1e3},
        {"002", "PC table access", "nJ", 0.000126232,
         byw_sram_read_pj(pc->pc_entries, pc->pc_bits) / 1e3},
        {"002", "leakage with the predictor over that without", "", 7.72904 / 7.538627,
         leak_uw(pc) / leak_uw(gcn)},
    };

    memcpy(printed, all, sizeof(all));
}
