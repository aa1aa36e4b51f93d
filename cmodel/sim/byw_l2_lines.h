/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l2_lines.h - the lines of a slice: looking for one, its victims and write-backs; for the
 * slice's own files.
 */
#ifndef BYW_L2_LINES_H
#define BYW_L2_LINES_H

#include "sim/byw_l2.h"

#define BYW_L2_NO_LINE UINT64_MAX /* tag of an invalid way: no line has it */

/* What a lookup finds. */
enum byw_l2_found {
    BYW_L2_HIT,
    BYW_L2_IS_PENDING,
    BYW_L2_IS_WRITTEN, /* some words only */
    BYW_L2_NO_SECTOR, /* the line, but not the sector */
    BYW_L2_MISS, /* there is a way for the line */
    BYW_L2_NO_WAY, /* there is none */
};

/* Looks for the sector of an address; *at is its index, or that of the sector it would take. */
enum byw_l2_found byw_l2_find(const struct byw_l2 *l2, uint64_t addr, uint32_t set, uint32_t *at);

/* Brings into the host's cache what a lookup in the set will look at. */
void byw_l2_prefetch(const struct byw_l2 *l2, uint32_t set);

/* The line at index `at` is another one from now on. */
void byw_l2_name(struct byw_l2 *l2, uint32_t at, uint64_t line);

/* Puts a packet with the line's dirty sectors into the miss queue, if there are any, and keeps the
 * data port busy with it; `born` is the packet's age.  Says whether there were any. */
bool byw_l2_write_back(struct byw_l2 *l2, uint32_t line, uint64_t born, uint64_t now);

/* Whether the line has something to write back. */
bool byw_l2_dirty(const struct byw_l2 *l2, uint32_t line);

/* The line was written back: it is clean; what was only partly written goes. */
void byw_l2_cleaned(struct byw_l2 *l2, uint32_t line);

/* Drops a sector, with the line if it was the last. */
void byw_l2_drop(struct byw_l2 *l2, uint32_t at);

/* Drops a pending sector of a slice without a policy: what its fetch brings will not be kept. */
void byw_l2_give_up(struct byw_l2 *l2, uint32_t at);

/* Of a write-through level: what it hands on instead of keeping it. */
static inline bool byw_l2_goes_through(const struct byw_packet *packet)
{
    return byw_packet_writes(packet) || packet->txn.kind == BYW_TXN_ATOMIC ||
           packet->txn.is_volatile;
}

/* Words of its sector that a write leaves out, as a mask. */
uint32_t byw_l2_holes(const struct byw_l2 *l2, const struct byw_txn *txn);

/* The part of a flush in this cycle. */
void byw_l2_flush_step(struct byw_l2 *l2, uint64_t now);

/* --- byw_l2.c ----------------------------------------------------------------------------- */

/* A request is done: it goes to out, a part when it is the last one's, or ends here if it has no
 * answer. */
void byw_l2_leave(struct byw_l2 *l2, uint32_t p);

/* --- byw_l2_access.c ---------------------------------------------------------------------- */

/* Serves the head of the input queue with what was found for it, or says why it cannot. */
enum byw_l2_fail byw_l2_serve(struct byw_l2 *l2, enum byw_l2_found found, uint32_t at,
                              uint64_t now);

/* The line of a sector is used. */
void byw_l2_touch(struct byw_l2 *l2, uint32_t at);

/* When the data port is free after so many bytes. */
uint64_t byw_l2_port_free(const struct byw_l2 *l2, uint32_t bytes, uint64_t now);

/* Packet p fetches its sector, for the one at `at` or BYW_L2_NOWHERE, with a new MSHR. */
uint32_t byw_l2_take_mshr(struct byw_l2 *l2, uint32_t p, uint32_t at);

/* Sends a write, or an atomic of a write-through level, on to the level below. */
void byw_l2_send_on(struct byw_l2 *l2, uint32_t p);

#endif
