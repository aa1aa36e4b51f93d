/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_mrpb.c - the queues of MRPB, the memory request prioritization buffer (Jia, Shaw, Martonosi,
 * HPCA 2014, as paper 000 compares it; MECHANISMS 2.3): requests wait in FIFOs by their warp, and
 * the first FIFO that is not empty goes on first, so that few warps use the L1D at a time.
 *
 * Its other half, the bypass of what would be refused, is the mechanism `stall`.
 */
#include <stdlib.h>
#include <string.h>

#include "common/byw_bits.h"
#include "l1d/byw_req_queue.h"

enum { KEY_ENABLE, KEY_QUEUES, KEY_DEPTH, KEYS };
static const struct byw_param keys[KEYS] = {
    BYW_MECH_ENABLE("mrpb", "requests of an SM wait in FIFOs by their warp and pass each other"),
    BYW_MECH_U32("mrpb.queues", 48, 1, 64, "FIFOs; a warp's is its slot modulo these"),
    BYW_MECH_U32("mrpb.depth", 8, 1, 64, "requests a FIFO holds"),
};

enum { COUNT_REQUESTS, COUNT_PASSED, COUNT_STARVED, COUNTS };
enum { STARVED = 1000 };
static const struct byw_mech_counter counters[COUNTS] = {
    {"policy_stats.mrpb.requests", "requests", "a request enters a FIFO"},
    {"policy_stats.mrpb.passed", "requests", "a request leaves while one that came first waits"},
    {"policy_stats.mrpb.starved", "requests", "a request leaves that over 1000 others have passed"},
};

struct entry {
    struct byw_req req;
    uint64_t number; /* requests before it */
    uint8_t data[BYW_LINE_MAX]; /* copy of what req.data points to */
};

struct mrpb {
    uint32_t queues, depth, filled, line_bytes;
    uint64_t waiting; /* bit per FIFO that is not empty */
    uint32_t chosen; /* FIFO whose head is offered; queues: none */
    uint32_t *first, *count; /* by FIFO */
    struct entry *entry; /* queues x depth */
    uint64_t counts[COUNTS];
};

static void reset(void *self)
{
    struct mrpb *m = self;

    m->filled = 0;
    m->waiting = 0;
    m->chosen = m->queues;
    memset(m->first, 0, m->queues * sizeof(*m->first));
    memset(m->count, 0, m->queues * sizeof(*m->count));
    memset(m->counts, 0, sizeof(m->counts));
}

static void release(void *self)
{
    struct mrpb *m = self;

    free(m->first);
    free(m->count);
    free(m->entry);
    free(m);
}

static enum byw_status create(const struct byw_mech_setup *setup, void **self)
{
    struct mrpb *m = calloc(1, sizeof(*m));

    if (m == NULL)
        return BYW_ENOMEM;
    m->queues = setup->values[KEY_QUEUES];
    m->depth = setup->values[KEY_DEPTH];
    m->line_bytes = setup->config->l1d_line;
    m->first = calloc(m->queues, sizeof(*m->first));
    m->count = calloc(m->queues, sizeof(*m->count));
    m->entry = calloc((size_t)m->queues * m->depth, sizeof(*m->entry));
    if (m->first == NULL || m->count == NULL || m->entry == NULL) {
        release(m);
        return BYW_ENOMEM;
    }
    reset(m);
    *self = m;
    return BYW_OK;
}

static bool empty(const void *self)
{
    return ((const struct mrpb *)self)->filled == 0;
}

static bool room(const void *self, const struct byw_req *req)
{
    const struct mrpb *m = self;

    return m->count[req->warp % m->queues] != m->depth;
}

/* Place `i` of FIFO q, 0 the head. */
static struct entry *at(const struct mrpb *m, uint32_t q, uint32_t i)
{
    return &m->entry[q * m->depth + (m->first[q] + i) % m->depth];
}

static void push(void *self, const struct byw_req *req)
{
    struct mrpb *m = self;
    uint32_t q = req->warp % m->queues;
    struct entry *entry = at(m, q, m->count[q]++);

    entry->req = *req;
    entry->number = m->counts[COUNT_REQUESTS]++;
    if (req->data != NULL) {
        memcpy(entry->data, req->data, m->line_bytes);
        entry->req.data = entry->data;
    }
    m->filled++;
    m->waiting |= byw_bit64(q);
}

static const struct byw_req *choose(void *self)
{
    struct mrpb *m = self;
    uint32_t q = m->chosen;

    if (q == m->queues)
        q = byw_ctz64(m->waiting);
    m->chosen = q;
    return &at(m, q, 0)->req;
}

/* Whether some request came before this one. */
static bool passes(const struct mrpb *m, uint64_t number)
{
    for (uint64_t left = m->waiting; left != 0; left &= left - 1)
        if (at(m, byw_ctz64(left), 0)->number < number)
            return true;
    return false;
}

/* Requests that have left; one that leaves in its turn has as many before it. */
static uint64_t left(const struct mrpb *m)
{
    return m->counts[COUNT_REQUESTS] - m->filled;
}

static void pop(void *self)
{
    struct mrpb *m = self;
    uint32_t q = m->chosen;

    m->counts[COUNT_PASSED] += passes(m, at(m, q, 0)->number);
    m->counts[COUNT_STARVED] += left(m) > at(m, q, 0)->number + STARVED;
    m->first[q] = (m->first[q] + 1) % m->depth;
    if (--m->count[q] == 0)
        m->waiting &= ~byw_bit64(q);
    m->filled--;
    m->chosen = m->queues;
}

static const uint64_t *counts(const void *self)
{
    return ((const struct mrpb *)self)->counts;
}

/* MECHANISMS 14: an entry is 64 bits. */
static uint64_t storage_bits(const struct byw_config *config, const uint32_t *values)
{
    (void)config;
    return (uint64_t)values[KEY_QUEUES] * values[KEY_DEPTH] * 64;
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
    .sentence = "requests wait in FIFOs by warp, the first one goes first; with `stall`, MRPB",
    .enable = "mrpb.enable",
    .on = "on",
    .keys = keys,
    .key_count = KEYS,
    .counters = counters,
    .counter_count = COUNTS,
    .queue = &ops,
    .storage_bits = storage_bits,
};
