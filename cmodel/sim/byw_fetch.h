/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_fetch.h - instruction fetch of one SM: one fetch per cycle, round robin over the warps whose
 * instruction buffer is empty, through an instruction cache that misses into the L2.
 *
 * A fetch in cycle t is decoded in t + 1 and can issue in t + 2.
 *
 * With icache.mshr_merges an outstanding line holds so many fetches.  One more is refused, and the
 * turn goes to the next warp.  When the line is there, those that it holds are served, one per
 * cycle, in the order in which they were made and before any other fetch.
 */
#ifndef BYW_FETCH_H
#define BYW_FETCH_H

#include "common/byw_config.h"
#include "sim/byw_warps.h"

enum { BYW_ICACHE_PENDING = 2 }; /* outstanding instruction lines */

struct byw_fetch {
    bool modelled;
    uint32_t sets, ways, shift; /* shift: log2 of the line */
    uint32_t insts; /* instructions per fetch */
    bool behind; /* icache.behind_last */
    uint32_t merges; /* fetches that a line holds */
    bool in_order; /* icache.mshr_merges is not 0 */
    uint32_t last; /* warp fetched last */
    uint32_t decoding; /* warp fetched in the cycle before, BYW_WARP_SLOTS: none */
    uint64_t code; /* byte address of the running kernel's code */
    uint64_t waiting; /* warps whose line is outstanding */
    uint64_t clock; /* accesses, for LRU */
    uint64_t misses;
    uint32_t unsent; /* pending lines not asked for yet */
    struct {
        uint64_t line, warps;
        bool used, sent;
        uint8_t held; /* fetches, with merges in the order in which they were made */
        uint8_t fetch[BYW_WARP_SLOTS];
    } pending[BYW_ICACHE_PENDING];
    uint32_t served, filled; /* merges: of the ring's fetches, modulo 2^32 */
    uint8_t ring[BYW_WARP_SLOTS]; /* warps whose line is there */
    uint64_t follows[BYW_WARP_SLOTS]; /* behind: what a warp fetches next, 0: its own address */
    struct {
        uint64_t tag; /* line + 1, 0: invalid */
        uint64_t used; /* clock of the last access */
    } * place; /* sets x ways */
};

enum byw_status byw_fetch_init(struct byw_fetch *fetch, const struct byw_config *config);
void byw_fetch_release(struct byw_fetch *fetch);

/* With icache.behind_last: warp w issues its next instruction. */
void byw_fetch_passed(struct byw_fetch *fetch, uint32_t w, const struct byw_warp *warp);

/* The decode and fetch stages of one cycle. */
void byw_fetch_step(struct byw_fetch *fetch, struct byw_warps *warps);

/* True when a step would change nothing: no decode under way, no warp to fetch for. */
bool byw_fetch_asleep(const struct byw_fetch *fetch, const struct byw_warps *warps);

/* Whether there is a line to ask the L2 for; its number and address; that it was asked for. */
static inline bool byw_fetch_wants(const struct byw_fetch *fetch)
{
    return fetch->unsent != 0;
}
uint32_t byw_fetch_line(const struct byw_fetch *fetch, uint64_t *addr);
void byw_fetch_sent(struct byw_fetch *fetch, uint32_t number);
void byw_fetch_fill(struct byw_fetch *fetch, uint32_t number);

#endif
