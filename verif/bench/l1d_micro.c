/* SPDX-License-Identifier: Apache-2.0
 *
 * l1d_micro - microbenchmarks of the L1 data cache, in cycles of the Verilated byw_l1d (its C twin
 * runs beside it and must agree): 32 sets of 4 lines of 128 bytes, 64 MSHRs, 64 bypass trackers.
 *
 * The requester offers a request in every cycle, the response channel is always ready, the memory
 * takes one request and gives one answer per cycle.  "Each": from the acceptance of the first
 * request to the last answer, that cycle included, divided by the requests; "rate": from the
 * acceptance of the first to that of the last.  Prints figure and target; exit 1 when one is
 * missed.
 */
#include "scenario/rig.h"

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
};

enum { MANY = 512 };

static void start(struct rig *r, uint32_t latency)
{
    struct byw_config c = rig_config(r);

    rig_start(r, &c);
    r->latency = latency;
}

static double each(struct rig *r, uint32_t n)
{
    uint64_t last = 0;
    uint32_t i;

    rig_drain(r);
    for (i = r->asks - n; i < r->asks; i++)
        if (r->ask[i].answered > last)
            last = r->ask[i].answered;
    return (double)(last + 1 - r->ask[r->asks - n].accepted) / n;
}

static double rate(const struct rig *r, uint32_t n)
{
    return (double)(r->ask[r->asks - 1].accepted + 1 - r->ask[r->asks - n].accepted) / n;
}

static double hit_latency(struct rig *r)
{
    start(r, 20);
    rig_do(r, BYW_OP_LOAD, 5);
    return (double)rig_took(r, rig_do(r, BYW_OP_LOAD, 5));
}

static double hit_rate(struct rig *r)
{
    uint32_t i;

    start(r, 20);
    for (i = 0; i < 128; i++)
        rig_do(r, BYW_OP_LOAD, i);
    for (i = 0; i < MANY; i++)
        rig_send(r, BYW_OP_LOAD, i * 7 % 128);
    rig_drain(r);
    return r->ev[BYW_EV_HIT] == MANY ? rate(r, MANY) : MANY;
}

static double miss_latency(struct rig *r)
{
    double most = 0;
    uint32_t latency;

    for (latency = 1; latency <= 400; latency += 57) {
        double extra;

        start(r, latency);
        extra = (double)rig_took(r, rig_do(r, BYW_OP_LOAD, 1)) - latency;
        most = extra > most ? extra : most;
    }
    return most;
}

static double distinct_misses(struct rig *r)
{
    uint32_t i;

    start(r, 100);
    for (i = 0; i < MANY; i++)
        rig_send(r, BYW_OP_LOAD, i);
    return each(r, MANY);
}

static double four_per_line(struct rig *r)
{
    uint32_t i;

    start(r, 100);
    for (i = 0; i < 64; i++)
        rig_send(r, BYW_OP_LOAD, i / 4);
    return each(r, 64);
}

static double write_misses(struct rig *r)
{
    uint32_t i;

    start(r, 100);
    for (i = 0; i < MANY; i++)
        rig_send(r, BYW_OP_STORE, i);
    rig_drain(r);
    return rate(r, MANY);
}

static double bypasses(struct rig *r, uint32_t latency)
{
    uint32_t i;

    start(r, latency);
    for (i = 0; i < MANY; i++)
        rig_send_hint(r, BYW_OP_LOAD, i, BYW_HINT_BYPASS);
    rig_drain(r);
    return rate(r, MANY);
}

static bool row(const char *what, double figure, double target)
{
    bool ok = figure <= target;

    printf("%-64s %8.2f %8.2f  %s\n", what, figure, target, ok ? "ok" : "MISSED");
    return ok;
}

static int measure(struct rig *r)
{
    bool ok = true;

    if (setjmp(r->out_of_here) != 0)
        return 1;
    printf("%-64s %8s %8s\n", "L1D, cycles of the RTL", "figure", "target");
    ok &= row("hit: request to response", hit_latency(r), 4);
    ok &= row("hits: cycles per load, rate", hit_rate(r), 1);
    ok &= row("miss: cycles beyond the memory's latency (1 to 400)", miss_latency(r), 6);
    ok &= row("512 distinct misses, memory latency 100: each", distinct_misses(r), 1.8);
    ok &= row("4 loads per line, 16 lines, memory latency 100: each", four_per_line(r), 2.7);
    ok &= row("write misses: cycles per store, rate", write_misses(r), 1);
    ok &= row("bypassed loads, memory latency 50: cycles per load, rate", bypasses(r, 50), 1);
    printf("%-64s %8.2f\n", "bypassed loads, memory latency 100 (64 trackers bound it)",
           bypasses(r, 100));
    return ok ? 0 : 1;
}

int main(int argc, char **argv)
{
    struct rig *r = calloc(1, sizeof(*r));
    int rc;

    if (r == NULL)
        return 2;
    (void)argc;
    r->name = "l1d_micro";
    r->size = size;
    r->l.program = argv[0];
    r->l.seed = 1;
    byw_rng_init(&r->l.rng, 1);
    r->l.dut = dut_create(1);
    rig_ports_find(&r->ports, r->l.dut);
    rc = measure(r);
    byw_l1d_free(r->l1d);
    dut_free(r->l.dut);
    free(r);
    return rc;
}
