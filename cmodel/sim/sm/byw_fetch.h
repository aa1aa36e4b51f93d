/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_fetch.h - instruction fetch of one SM: one fetch per cycle, round robin over the warps whose
 * instruction buffer is empty, through an instruction cache that misses into the L2.
 *
 * A fetch in cycle t is decoded in t + 1 and can issue in t + 2.
 *
 * icache.mshr_merges limits the fetches per outstanding line.  A fetch beyond the limit is refused,
 * and the next warp gets its turn.  When the line arrives, its fetches are served one per cycle, in
 * order and before any other fetch.
 */
#ifndef BYW_FETCH_H
#define BYW_FETCH_H

#include "common/byw_config.h"
#include "sim/sm/byw_warps.h"

enum { BYW_ICACHE_PENDING = 2 }; /* most outstanding instruction lines */

struct byw_fetch {
    bool modelled;
    uint32_t sets, ways, shift; /* shift: log2 of the line */
    uint32_t insts; /* instructions per fetch */
    bool behind; /* icache.behind_last */
    uint32_t merges; /* fetches per outstanding line */
    bool in_order; /* icache.mshr_merges is not 0 */
    uint32_t last; /* the warp that was fetched last */
    uint32_t decoding; /* warp fetched in the previous cycle; BYW_WARP_SLOTS: none */
    uint64_t code; /* byte address of the running kernel's code */
    uint64_t waiting; /* warps whose line is outstanding */
    uint64_t clock; /* number of accesses, for LRU */
    uint64_t misses;
    uint32_t unsent; /* outstanding lines not yet requested */
    struct {
        uint64_t line, warps;
        bool used, sent;
        uint8_t held; /* fetches; with merges, in the order in which they were made */
        uint8_t fetch[BYW_WARP_SLOTS];
    } pending[BYW_ICACHE_PENDING];
    uint32_t served, filled; /* merges: positions in the ring, modulo 2^32 */
    uint8_t ring[BYW_WARP_SLOTS]; /* warps whose line has arrived */
    uint64_t follows[BYW_WARP_SLOTS]; /* behind_last: the warp's next fetch address; 0: its own
                                       * address */
    struct {
        uint64_t tag; /* line + 1, 0: invalid */
        uint64_t used; /* clock of the last access */
    } * place; /* sets x ways instruction lines */
};

enum byw_status byw_fetch_init(struct byw_fetch *fetch, const struct byw_config *config);
void byw_fetch_release(struct byw_fetch *fetch);

/* With icache.behind_last: warp w issues its next instruction. */
void byw_fetch_passed(struct byw_fetch *fetch, uint32_t w, const struct byw_warp *warp);

/* The decode and fetch stages of one cycle. */
void byw_fetch_step(struct byw_fetch *fetch, struct byw_warps *warps);

/* Whether a step would change nothing: nothing is being decoded and no warp needs a fetch. */
bool byw_fetch_asleep(const struct byw_fetch *fetch, const struct byw_warps *warps);

/* Whether there is a line to request from the L2.  _line: its number and address.  _sent: it was
 * requested.  _fill: it arrived. */
static inline bool byw_fetch_wants(const struct byw_fetch *fetch)
{
    return fetch->unsent != 0;
}
uint32_t byw_fetch_line(const struct byw_fetch *fetch, uint64_t *addr);
void byw_fetch_sent(struct byw_fetch *fetch, uint32_t number);
void byw_fetch_fill(struct byw_fetch *fetch, uint32_t number);

#endif
