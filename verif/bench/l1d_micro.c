/* SPDX-License-Identifier: Apache-2.0
 *
 * l1d_micro - latencies and rates of the L1 data cache, in cycles of the Verilated byw_l1d (its C
 * twin runs alongside and must agree): 32 sets of 4 lines of 128 bytes, 64 MSHRs, 64 bypass
 * trackers; the same with beats of 32 bytes, each request for a line's first beat; and, with
 * allocate on fill, 4 sets of 3 lines of 4 sectors, 8 MSHRs, 4 trackers.
 *
 * The requester offers a request in every cycle, the response channel is always ready, and memory
 * accepts one request and gives one answer per cycle. "Latency": from acceptance to answer; for
 * requests to memory, in excess of memory's own. "Each": from the acceptance of the first request
 * to the last answer, inclusive. "Rate": from the acceptance of the first to that of the last,
 * inclusive.
 *
 * Prints a table with targets; exit 1 if one is missed. With --figures: the lines of
 * verif/bench/l1d_figures.tsv, which `make test` compares exactly.
 */
#include "scenario/rig.h"

#ifndef P_BEAT_BYTES
#define P_BEAT_BYTES 0
#endif

static const struct rig_size size = {
    .name = P_NAME,
    .alloc = P_ALLOC,
    .sectors = P_SECTORS,
    .sets = P_SETS,
    .ways = P_DATA_WAYS,
    .tag_ways = P_TAG_WAYS,
    .line = P_LINE_BYTES,
    .repl = P_REPL,
    .rc_bits = P_RC_W,
    .mshrs = P_MSHRS,
    .merges = P_MERGES,
    .miss_depth = P_MISS_DEPTH,
    .bypass_depth = P_BYPASS_DEPTH,
    .trackers = P_TRACKERS,
    .line_bits = P_LINE_W,
    .port = {.beat_bytes = P_BEAT_BYTES},
};

enum { MANY = 512 };

/* The result of a measurement: cycles for a number of requests. */
struct figure {
    uint64_t cycles, requests;
};

static void start(struct rig *r, uint32_t store_hit, uint32_t latency)
{
    struct byw_config c = rig_config(r);

    c.l1d_store_hit = store_hit;
    rig_start(r, &c);
    r->latency = latency;
}

/* "Each" of the last n requests: see the head of this file. */
static struct figure each(struct rig *r, uint32_t n)
{
    uint64_t last = 0;
    uint32_t i;

    rig_drain(r);
    for (i = r->asks - n; i < r->asks; i++)
        if (r->ask[i].answered > last)
            last = r->ask[i].answered;
    return (struct figure){last + 1 - r->ask[r->asks - n].accepted, n};
}

static struct figure rate(struct rig *r, uint32_t n)
{
    rig_drain(r);
    return (struct figure){r->ask[r->asks - 1].accepted + 1 - r->ask[r->asks - n].accepted, n};
}

static struct figure latency_of(const struct rig *r, uint32_t id)
{
    return (struct figure){rig_took(r, id), 1};
}

/* Latency in excess of memory's; it must be the same for all memory latencies from 1 to 400. */
static struct figure beyond(struct rig *r, enum byw_op op, enum byw_hint hint)
{
    uint64_t extra = 0;
    uint32_t latency, id;

    for (latency = 1; latency <= 400; latency += 57) {
        start(r, BYW_STORE_EVICT, latency);
        id = hint == BYW_HINT_NONE ? rig_send_sector(r, op, 1, 0) : rig_send_hint(r, op, 1, hint);
        rig_drain(r);
        if (latency != 1)
            rig_same(r, "cycles beyond the memory's latency", extra, rig_took(r, id) - latency);
        extra = rig_took(r, id) - latency;
    }
    return (struct figure){extra, 1};
}

static struct figure miss(struct rig *r)
{
    return beyond(r, BYW_OP_LOAD, BYW_HINT_NONE);
}

static struct figure bypass(struct rig *r)
{
    return beyond(r, BYW_OP_LOAD, BYW_HINT_BYPASS);
}

static struct figure store(struct rig *r)
{
    return beyond(r, BYW_OP_STORE, BYW_HINT_NONE);
}

static struct figure atomic(struct rig *r)
{
    return beyond(r, BYW_OP_ATOMIC, BYW_HINT_NONE);
}

static struct figure hit(struct rig *r)
{
    start(r, BYW_STORE_EVICT, 20);
    rig_do_sector(r, BYW_OP_LOAD, 5, 0);
    return latency_of(r, rig_do_sector(r, BYW_OP_LOAD, 5, 0));
}

static struct figure local_store_hit(struct rig *r)
{
    start(r, BYW_STORE_EVICT, 20);
    rig_do(r, BYW_OP_LOCAL_LOAD, 5);
    return latency_of(r, rig_do(r, BYW_OP_LOCAL_STORE, 5));
}

static struct figure invalidate(struct rig *r)
{
    start(r, BYW_STORE_EVICT, 20);
    rig_do_sector(r, BYW_OP_LOAD, 5, 0);
    return latency_of(r, rig_do(r, BYW_OP_INVALIDATE, 0));
}

static struct figure clean_flush(struct rig *r)
{
    start(r, BYW_STORE_EVICT, 20);
    rig_do_sector(r, BYW_OP_LOAD, 5, 0);
    return latency_of(r, rig_do(r, BYW_OP_FLUSH, 0));
}

static struct figure dirty_flush(struct rig *r)
{
    uint32_t i;

    start(r, BYW_STORE_EVICT, 20);
    for (i = 0; i < 128; i++) {
        rig_do(r, BYW_OP_LOCAL_LOAD, i);
        rig_do(r, BYW_OP_LOCAL_STORE, i);
    }
    return (struct figure){rig_took(r, rig_do(r, BYW_OP_FLUSH, 0)), 128};
}

/* A load that must first write a dirty line back, in excess of memory's latency. */
static struct figure dirty_victim(struct rig *r)
{
    uint32_t i;

    start(r, BYW_STORE_EVICT, 20);
    rig_do(r, BYW_OP_LOCAL_LOAD, 0);
    rig_do(r, BYW_OP_LOCAL_STORE, 0);
    for (i = 1; i < r->size.ways; i++)
        rig_do(r, BYW_OP_LOAD, rig_line(r, 0, i));
    i = rig_do(r, BYW_OP_LOAD, rig_line(r, 0, r->size.ways));
    return (struct figure){rig_took(r, i) - r->latency, 1};
}

/* As many lines, or sectors, as the cache holds. */
static uint32_t lines(const struct rig *r)
{
    return r->size.sets * r->size.ways;
}

static struct figure hits(struct rig *r)
{
    uint32_t i;

    start(r, BYW_STORE_EVICT, 20);
    for (i = 0; i < lines(r); i++)
        rig_do_sector(r, BYW_OP_LOAD, i, 0);
    for (i = 0; i < MANY; i++)
        rig_send_sector(r, BYW_OP_LOAD, i * 7 % lines(r), 0);
    rig_drain(r);
    rig_same(r, "hits", MANY, r->ev[BYW_EV_HIT]);
    return rate(r, MANY);
}

static struct figure misses(struct rig *r)
{
    uint32_t i;

    start(r, BYW_STORE_EVICT, 100);
    for (i = 0; i < MANY; i++)
        rig_send_sector(r, BYW_OP_LOAD, i, 0);
    return each(r, MANY);
}

static struct figure sector_misses(struct rig *r)
{
    uint32_t i;

    start(r, BYW_STORE_EVICT, 100);
    for (i = 0; i < 64; i++)
        rig_send_sector(r, BYW_OP_LOAD, i / 4, i % 4);
    return each(r, 64);
}

static struct figure four_per_line(struct rig *r)
{
    uint32_t i;

    start(r, BYW_STORE_EVICT, 100);
    for (i = 0; i < 64; i++)
        rig_send_sector(r, BYW_OP_LOAD, i / 4, 0);
    return each(r, 64);
}

static struct figure stores(struct rig *r, uint32_t store_hit, bool present)
{
    uint32_t i;

    start(r, store_hit, 100);
    for (i = 0; i < lines(r) && present; i++)
        rig_do_sector(r, BYW_OP_LOAD, i, 0);
    for (i = 0; i < lines(r); i++)
        rig_send_sector(r, BYW_OP_STORE, i, 0);
    rig_drain(r);
    rig_same(r, "stores that hit", present ? lines(r) : 0, r->ev[BYW_EV_STORE_HIT]);
    return rate(r, lines(r));
}

static struct figure stores_miss(struct rig *r)
{
    return stores(r, BYW_STORE_EVICT, false);
}

static struct figure stores_evict(struct rig *r)
{
    return stores(r, BYW_STORE_EVICT, true);
}

static struct figure stores_update(struct rig *r)
{
    return stores(r, BYW_STORE_UPDATE, true);
}

static struct figure bypasses(struct rig *r, uint32_t latency)
{
    uint32_t i;

    start(r, BYW_STORE_EVICT, latency);
    for (i = 0; i < MANY; i++)
        rig_send_hint(r, BYW_OP_LOAD, i, BYW_HINT_BYPASS);
    return rate(r, MANY);
}

static struct figure bypasses_50(struct rig *r)
{
    return bypasses(r, 50);
}

static struct figure bypasses_100(struct rig *r)
{
    return bypasses(r, 100);
}

enum caches { BOTH, ON_MISS, ON_FILL };

/* target: cycles per request of the allocate-on-miss cache with whole lines, in hundredths; 0:
 * none. */
static const struct row {
    const char *what;
    struct figure (*measure)(struct rig *);
    enum caches caches;
    uint32_t target;
} rows[] = {
    {"hit: latency", hit, BOTH, 400},
    {"miss: latency beyond the memory's", miss, BOTH, 600},
    {"bypassed load: latency beyond the memory's", bypass, BOTH, 0},
    {"store: latency beyond the memory's", store, BOTH, 0},
    {"atomic: latency beyond the memory's", atomic, BOTH, 0},
    {"local store that hits: latency", local_store_hit, ON_MISS, 0},
    {"miss in place of a dirty line: latency beyond the memory's", dirty_victim, ON_MISS, 0},
    {"invalidate: latency", invalidate, BOTH, 0},
    {"flush, nothing dirty: latency", clean_flush, BOTH, 0},
    {"flush, 128 dirty lines: latency", dirty_flush, ON_MISS, 0},
    {"512 hits: rate", hits, BOTH, 100},
    {"512 misses, memory latency 100: each", misses, BOTH, 180},
    {"4 loads per line, 16 lines, memory latency 100: each", four_per_line, BOTH, 270},
    {"4 sectors per line, 16 lines, memory latency 100: each", sector_misses, ON_FILL, 0},
    {"stores that miss: rate", stores_miss, BOTH, 100},
    {"stores that hit and evict: rate", stores_evict, BOTH, 0},
    {"stores that hit and update: rate", stores_update, BOTH, 0},
    {"512 bypassed loads, memory latency 50: rate", bypasses_50, BOTH, 100},
    {"512 bypassed loads, memory latency 100 (trackers bound it): rate", bypasses_100, BOTH, 0},
};

static bool print_row(const struct rig *r, const struct row *row, struct figure f, bool figures)
{
    bool judged =
        row->target != 0 && r->size.alloc == BYW_ALLOC_ON_MISS && r->size.port.beat_bytes == 0;
    bool ok = !judged || f.cycles * 100 <= f.requests * row->target;
    double per = (double)f.cycles / (double)f.requests;

    if (figures)
        printf("%s\t%s\t%" PRIu64 "\t%" PRIu64 "\n", r->size.name, row->what, f.cycles, f.requests);
    else if (judged)
        printf("%-66s %8.2f %8.2f  %s\n", row->what, per, row->target / 100.0,
               ok ? "ok" : "MISSED");
    else
        printf("%-66s %8.2f\n", row->what, per);
    return ok;
}

static bool print_rows(struct rig *r, bool figures)
{
    bool ok = true;
    size_t i;

    if (!figures)
        printf("L1D %-62s %8s %8s\n", r->size.name, "cycles", "target");
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (rows[i].caches == BOTH ||
            (rows[i].caches == ON_FILL) == (r->size.alloc == BYW_ALLOC_ON_FILL))
            ok &= print_row(r, &rows[i], rows[i].measure(r), figures);
    return ok;
}

static int measure(struct rig *r, bool figures)
{
    if (setjmp(r->out_of_here) != 0)
        return 1;
    return print_rows(r, figures) ? 0 : 1;
}

int main(int argc, char **argv)
{
    struct rig *r = calloc(1, sizeof(*r));
    int rc;

    if (r == NULL)
        return 2;
    r->name = "l1d_micro";
    r->size = size;
    r->l.program = argv[0];
    r->l.seed = 1;
    byw_rng_init(&r->l.rng, 1);
    r->l.dut = dut_create(1);
    rig_ports_find(&r->ports, r->l.dut);
    rc = measure(r, argc > 1 && strcmp(argv[1], "--figures") == 0);
    byw_l1d_free(r->l1d);
    dut_free(r->l.dut);
    free(r);
    return rc;
}
