/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l1d_host_state.h - state of the test bench of byw_l1d_host.h: outstanding requests, the
 * memory with its answers, the cycle's ports; and the functions that its parts share.
 */
#ifndef BYW_L1D_HOST_STATE_H
#define BYW_L1D_HOST_STATE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_config.h"
#include "common/byw_rng.h"
#include "common/test.h"
#include "l1d/byw_l1d_state.h"
#include "policy/byw_policy_events.h"

enum { HOST_IDS = 256, HOST_LINES = 512, HOST_MEM = 1024, HOST_WHOLE = 128 };

struct host_mem {
    bool valid;
    uint64_t due;
    uint64_t line;
    uint32_t beats, beat; /* number of beats of the answer; beats already sent */
    uint32_t fails; /* with rsp.error: the beat that fails */
    struct byw_mem_rsp rsp;
    uint8_t data[HOST_WHOLE]; /* the line of a fill, otherwise the beat */
};

struct host_id {
    bool busy;
    bool may_error;
    uint8_t op;
    uint64_t line;
    uint64_t cycle; /* cycle of acceptance */
    struct byw_byte_mask bytes;
    uint8_t want[HOST_WHOLE];
};

struct host {
    const char *name;
    uint64_t seed;
    struct byw_rng rng;
    struct byw_config config;
    struct byw_l1d *l1d;
    void (*step)(struct host *, const struct byw_l1d_in *,
                 struct byw_l1d_out *); /* NULL: the l1d */
    void *owner;
    bool filter_on;
    bool bypass; /* two-level bypass mode */
    bool cta_placed; /* a pulse: true for one cycle */
    uint8_t active_warps;
    uint64_t cycle;
    uint32_t latency; /* from mem_req to mem_rsp, at least 1 */
    uint32_t jitter; /* up to this many additional cycles */
    uint32_t rsp_percent; /* percent of cycles with rsp_ready */
    uint32_t req_percent; /* percent of cycles with mem_req_ready */
    uint32_t error_percent; /* percent of reads that fail */
    uint64_t error_line; /* every read of it fails */
    uint32_t sector; /* sector that host_send() accesses */
    uint32_t beat; /* beat that host_send() accesses */
    bool more; /* host_send() continues the previous request */
    struct host_mem *filling; /* a fill of which some beats have been sent */
    struct byw_req last; /* the last request accepted */
    uint32_t pc; /* PC of the requests of host_send() */
    bool kernel_start; /* a pulse: true for one cycle */
    uint8_t mem[HOST_LINES][HOST_WHOLE];
    uint8_t ref[HOST_LINES][HOST_WHOLE];
    struct host_mem queue[HOST_MEM];
    uint64_t last_due[HOST_LINES];
    uint32_t in_flight;
    struct host_id id[HOST_IDS];
    uint32_t outstanding;
    uint32_t last_id;
    struct byw_l1d_out out; /* outputs of the last cycle */
    struct byw_l1d_in in;
    struct byw_l1d_out held; /* outputs before the last clock edge, for the stability check */
    bool rsp_held;
    bool mem_held;
    uint64_t ev[BYW_EV_COUNT];
    uint64_t pev[BYW_PEV_COUNT];
    uint64_t rsp_cycle[HOST_IDS]; /* cycle of the id's last answer */
    uint8_t rsp_served[HOST_IDS];
    bool rsp_error[HOST_IDS];
    uint64_t digest; /* digest of all outputs */
};

static void host_fail(const struct host *h, const char *what)
{
    print_error("%s: %s at cycle %llu; rerun with SEED=%llu\n", h->name, what,
                (unsigned long long)h->cycle, (unsigned long long)h->seed);
    fail();
}

static inline uint64_t host_seed(uint64_t fallback)
{
    const char *text = getenv("SEED");

    return text != NULL ? strtoull(text, NULL, 0) : fallback;
}

static inline bool host_chance(struct host *h, uint32_t percent)
{
    return percent >= 100 || (percent != 0 && byw_rng_below(&h->rng, 100) < percent);
}

static inline struct byw_byte_mask host_mask(uint32_t first, uint32_t count)
{
    struct byw_byte_mask mask = {{0, 0}};
    uint32_t i;

    for (i = first; i < first + count; i++)
        mask.w[i / 64] |= byw_bit64(i % 64);
    return mask;
}

/* An atomic adds 1 to every byte of its mask and returns the old line. */
static inline void host_perform(uint8_t *line, const struct byw_byte_mask *mask,
                                const uint8_t *data, bool atomic)
{
    uint32_t i;

    for (i = 0; i < HOST_WHOLE; i++)
        if ((mask->w[i / 64] >> (i % 64) & 1) != 0)
            line[i] = (uint8_t)(atomic ? line[i] + 1 : data[i]);
}

static inline struct host *host_new(const char *name, const struct byw_config *config,
                                    uint64_t seed)
{
    struct host *h = calloc(1, sizeof(*h));
    struct byw_diag diag;
    uint32_t i, j;

    assert_non_null(h);
    h->name = name;
    h->seed = seed;
    h->config = *config;
    h->latency = 20;
    h->rsp_percent = h->req_percent = 100;
    h->error_line = UINT64_MAX;
    h->filter_on = true;
    byw_rng_init(&h->rng, seed);
    for (i = 0; i < HOST_LINES; i++)
        for (j = 0; j < HOST_WHOLE; j++)
            h->mem[i][j] = h->ref[i][j] = (uint8_t)byw_rng_next(&h->rng);
    if (byw_l1d_create(config, true, &h->l1d, &diag) != BYW_OK)
        host_fail(h, diag.text);
    return h;
}

static inline void host_free(struct host *h)
{
    byw_l1d_free(h->l1d);
    free(h);
}

/* Width of the data ports. */
static inline uint32_t host_beat_bytes(const struct host *h)
{
    return h->config.port.beat_bytes != 0 ? h->config.port.beat_bytes : h->config.l1d_line;
}

static inline uint32_t host_beats(const struct host *h)
{
    return h->config.l1d_line / host_beat_bytes(h);
}

static inline uint32_t host_sector_bytes(const struct host *h)
{
    return h->config.l1d_line / h->config.l1d_sectors;
}

#endif
