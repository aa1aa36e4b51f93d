/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l2_lines.h - the lines of a slice: lookup, victims and write-backs.  Private to the files of
 * the slice.
 */
#ifndef BYW_L2_LINES_H
#define BYW_L2_LINES_H

#include "sim/memory/byw_l2.h"

#define BYW_L2_NO_LINE UINT64_MAX /* tag of an invalid way; no line has it */

/* The result of a lookup. */
enum byw_l2_found {
    BYW_L2_HIT,
    BYW_L2_IS_PENDING,
    BYW_L2_IS_WRITTEN, /* only some words are present */
    BYW_L2_NO_SECTOR, /* the line is present, but not the sector */
    BYW_L2_MISS, /* a way is available for the line */
    BYW_L2_NO_WAY, /* no way is available */
};

/* Looks up the sector of an address.  *at: its index, or that of the sector it would be allocated
 * to. */
enum byw_l2_found byw_l2_find(const struct byw_l2 *l2, uint64_t addr, uint32_t set, uint32_t *at);

/* Prefetches into the host's cache what a lookup in the set reads. */
void byw_l2_prefetch(const struct byw_l2 *l2, uint32_t set);

/* Sets the line number of the line at index `at`. */
void byw_l2_name(struct byw_l2 *l2, uint32_t at, uint64_t line);

/* Puts a packet with the line's dirty sectors, if any, into the miss queue and occupies the data
 * port with it; `born` is the packet's age.  Returns whether there were any. */
bool byw_l2_write_back(struct byw_l2 *l2, uint32_t line, uint64_t born, uint64_t now);

/* Whether the line needs a write-back. */
bool byw_l2_dirty(const struct byw_l2 *l2, uint32_t line);

/* The line was written back: it is clean, and partly written sectors are dropped. */
void byw_l2_cleaned(struct byw_l2 *l2, uint32_t line);

/* Drops a sector, and its line if it was the last one. */
void byw_l2_drop(struct byw_l2 *l2, uint32_t at);

/* Drops a pending sector of a slice without a policy: the fetched data will not be kept. */
void byw_l2_give_up(struct byw_l2 *l2, uint32_t at);

/* For a write-through level: whether it forwards the packet instead of caching it. */
static inline bool byw_l2_goes_through(const struct byw_packet *packet)
{
    return byw_packet_writes(packet) || packet->txn.kind == BYW_TXN_ATOMIC ||
           packet->txn.is_volatile;
}

/* Words of its sector that a write does not write, as a mask. */
uint32_t byw_l2_holes(const struct byw_l2 *l2, const struct byw_txn *txn);

/* Performs one cycle of a flush. */
void byw_l2_flush_step(struct byw_l2 *l2, uint64_t now);

/* --- byw_l2_access.c ---------------------------------------------------------------------- */

/* A request is done: it moves to `out`, a split one with its last part, or ends here if it needs no
 * reply. */
void byw_l2_leave(struct byw_l2 *l2, uint32_t p);

/* Serves the head of the input queue with its lookup result, or returns why it cannot. */
enum byw_l2_fail byw_l2_serve(struct byw_l2 *l2, enum byw_l2_found found, uint32_t at,
                              uint64_t now);

/* Updates LRU for the line of a sector. */
void byw_l2_touch(struct byw_l2 *l2, uint32_t at);

/* The data port transfers the bytes of a read hit or of a write from cycle `now` on. */
void byw_l2_occupy(struct byw_l2 *l2, const struct byw_packet *packet, uint64_t now);

/* Allocates an MSHR for packet p, which fetches its sector into the one at `at`, or into none
 * (BYW_L2_NOWHERE). */
uint32_t byw_l2_take_mshr(struct byw_l2 *l2, uint32_t p, uint32_t at);

/* Forwards a write, or an atomic of a write-through level, to the level below. */
void byw_l2_send_on(struct byw_l2 *l2, uint32_t p);

#endif
