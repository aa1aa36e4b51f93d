/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_mrpb.c - the queues of MRPB, the memory request prioritization buffer (Jia, Shaw, Martonosi,
 * HPCA 2014, as compared in paper 000; mechanisms/baselines.md 2.3).  Requests wait in one FIFO per
 * warp, and the first FIFO that is not empty is served first, so few warps use the L1D at a time.
 *
 * The other half of MRPB, bypassing instead of stalling, is the mechanism `stall`.
 */
#include <stdlib.h>
#include <string.h>

#include "comparator/byw_warp_fifos.h"

enum { KEY_ENABLE, KEY_QUEUES, KEY_DEPTH, KEYS };
static const struct byw_param keys[KEYS] = {
    BYW_MECH_ENABLE("mrpb", "requests of an SM wait in FIFOs by warp and are reordered"),
    BYW_MECH_U32("mrpb.queues", 48, 1, 64,
                 "number of FIFOs; a warp uses the one numbered by its slot modulo this"),
    BYW_MECH_U32("mrpb.depth", 8, 1, 64, "requests per FIFO"),
};

enum { COUNT_REQUESTS, COUNT_PASSED, COUNT_STARVED, COUNTS };
enum { STARVED = 1000 };
static const struct byw_mech_counter counters[COUNTS] = {
    {"policy_stats.mrpb.requests", "requests", "a request enters a FIFO"},
    {"policy_stats.mrpb.passed", "requests", "a request leaves before an older one"},
    {"policy_stats.mrpb.starved", "requests",
     "a request leaves after being overtaken by more than 1000 others"},
};

struct mrpb {
    struct byw_warp_fifos fifos;
    uint64_t counts[COUNTS];
};

static void reset(void *self)
{
    struct mrpb *m = self;

    byw_warp_fifos_clear(&m->fifos);
    memset(m->counts, 0, sizeof(m->counts));
}

static void release(void *self)
{
    struct mrpb *m = self;

    byw_warp_fifos_release(&m->fifos);
    free(m);
}

static enum byw_status create(const struct byw_mech_setup *setup, void **self)
{
    struct mrpb *m = calloc(1, sizeof(*m));

    if (m == NULL)
        return BYW_ENOMEM;
    if (byw_warp_fifos_init(&m->fifos, setup, setup->values[KEY_QUEUES],
                            setup->values[KEY_DEPTH]) != BYW_OK) {
        release(m);
        return BYW_ENOMEM;
    }
    *self = m;
    return BYW_OK;
}

static bool empty(const void *self)
{
    return ((const struct mrpb *)self)->fifos.filled == 0;
}

static bool room(const void *self, const struct byw_req *req)
{
    return byw_warp_fifos_room(&((const struct mrpb *)self)->fifos, req);
}

static void push(void *self, const struct byw_req *req)
{
    struct mrpb *m = self;

    byw_warp_fifos_push(&m->fifos, req);
    m->counts[COUNT_REQUESTS]++;
}

static const struct byw_req *choose(void *self)
{
    return byw_warp_fifos_choose(&((struct mrpb *)self)->fifos);
}

/* The number of requests that have left. If a request leaves in order, this equals the number of
 * requests that entered before it. */
static uint64_t left(const struct mrpb *m)
{
    return m->fifos.entered - m->fifos.filled;
}

static void pop(void *self)
{
    struct mrpb *m = self;
    uint64_t before = byw_warp_fifos_number(&m->fifos);

    m->counts[COUNT_PASSED] += byw_warp_fifos_passes(&m->fifos);
    m->counts[COUNT_STARVED] += left(m) > before + STARVED;
    byw_warp_fifos_pop(&m->fifos);
}

static const uint64_t *counts(const void *self)
{
    return ((const struct mrpb *)self)->counts;
}

static uint64_t storage_bits(const struct byw_config *config, const uint32_t *values)
{
    (void)config;
    return byw_warp_fifos_bits(values[KEY_QUEUES], values[KEY_DEPTH]);
}

static const struct byw_req_queue_ops ops = {
    .create = create,
    .release = release,
    .reset = reset,
    .empty = empty,
    .room = room,
    .push = push,
    .choose = choose,
    .pop = pop,
    .counters = counts,
};

const struct byw_mech byw_mech_mrpb = {
    .name = "mrpb",
    .paper = "000",
    .sentence =
        "requests wait in FIFOs by warp, and the first FIFO has priority; with `stall`, MRPB",
    .enable = "mrpb.enable",
    .on = "on",
    .keys = keys,
    .key_count = KEYS,
    .counters = counters,
    .counter_count = COUNTS,
    .queue = &ops,
    .storage_bits = storage_bits,
};
