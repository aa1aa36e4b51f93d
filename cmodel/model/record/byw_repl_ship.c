/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_repl_ship.c - SHiP-PC (mechanisms/baselines.md 2.5): as SRRIP, but a new line is predicted to
 * be re-referenced in the distant future if the lines its PC fetched lately were not reused.  Each
 * line keeps the signature of that PC and a reused bit.  A table of counters indexed by signature
 * learns from every reuse and from lines evicted without reuse.  ship_first learns from the first
 * reuse of a line only.
 */
#include "record/byw_repl.h"

enum { SIGNATURE_BITS = 8, SIGNATURES = 1 << SIGNATURE_BITS, COUNTER_BITS = 2, COUNTER_MAX = 3 };
enum { START = 1 }; /* a PC is trusted until one of its lines is evicted unused */

struct ship {
    uint8_t counter[SIGNATURES]; /* XORed with START, so that reset (all zero) means START */
    struct ship_line {
        uint8_t signature;
        bool used;
    } line[]; /* by set and way */
};

static size_t ship_bytes(const struct byw_geometry *geo)
{
    return sizeof(struct ship) + (size_t)geo->sets * geo->data_ways * sizeof(struct ship_line);
}

static uint64_t ship_bits(const struct byw_geometry *geo)
{
    return SIGNATURES * COUNTER_BITS + (uint64_t)geo->sets * geo->data_ways * (SIGNATURE_BITS + 1);
}

static struct ship_line *line_at(const struct byw_repl_at *at, uint32_t way)
{
    struct ship *s = at->side->state;

    return &s->line[at->set * at->ways + way];
}

/* XOR of three fields of PC bits, the first at bit 2. */
static uint8_t signature_of(uint32_t pc)
{
    uint32_t bits = pc >> 2;

    return (uint8_t)(bits ^ bits >> SIGNATURE_BITS ^ bits >> 2 * SIGNATURE_BITS);
}

static uint32_t counter(const struct ship *s, uint8_t signature)
{
    return s->counter[signature] ^ (uint32_t)START;
}

static void set_counter(struct ship *s, uint8_t signature, uint32_t value)
{
    s->counter[signature] = (uint8_t)(value ^ (uint32_t)START);
}

static uint32_t ship_victim(const struct byw_set *set, const struct byw_repl_at *at,
                            uint64_t eligible)
{
    return byw_repl_srrip.victim(set, at, eligible);
}

static void ship_evicted(struct byw_set *set, const struct byw_repl_at *at, uint64_t eligible,
                         uint32_t way)
{
    struct ship *s = at->side->state;
    const struct ship_line *line = line_at(at, way);
    uint32_t now = counter(s, line->signature);

    byw_repl_srrip.evicted(set, at, eligible, way);
    if (!line->used && now > 0)
        set_counter(s, line->signature, now - 1);
}

static void ship_inserted(struct byw_set *set, const struct byw_repl_at *at, uint32_t way,
                          bool last)
{
    const struct ship *s = at->side->state;
    uint8_t signature = signature_of(at->pc);

    *line_at(at, way) = (struct ship_line){.signature = signature};
    byw_repl_srrip.inserted(set, at, way, last || counter(s, signature) == 0);
}

static void ship_touched(struct byw_set *set, const struct byw_repl_at *at, uint32_t way)
{
    struct ship *s = at->side->state;
    struct ship_line *line = line_at(at, way);
    uint32_t now = counter(s, line->signature);

    byw_repl_srrip.touched(set, at, way);
    if (now < COUNTER_MAX)
        set_counter(s, line->signature, now + 1);
    line->used = true;
}

static void ship_first_touched(struct byw_set *set, const struct byw_repl_at *at, uint32_t way)
{
    if (line_at(at, way)->used)
        byw_repl_srrip.touched(set, at, way);
    else
        ship_touched(set, at, way);
}

const struct byw_repl_ops byw_repl_ship = {
    .state_bytes = ship_bytes,
    .storage_bits = ship_bits,
    .victim = ship_victim,
    .evicted = ship_evicted,
    .inserted = ship_inserted,
    .touched = ship_touched,
};

const struct byw_repl_ops byw_repl_ship_first = {
    .state_bytes = ship_bytes,
    .storage_bits = ship_bits,
    .victim = ship_victim,
    .evicted = ship_evicted,
    .inserted = ship_inserted,
    .touched = ship_first_touched,
};
