/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_warp_fifos.h - requests that wait in FIFOs by their warp, as in MRPB (MECHANISMS 2.3): the
 * first FIFO that is not empty goes first, and keeps its turn until its request is taken.
 */
#ifndef BYW_WARP_FIFOS_H
#define BYW_WARP_FIFOS_H

#include "l1d/byw_req_queue.h"

struct byw_warp_fifos {
    uint32_t queues, depth, line_bytes;
    uint32_t filled; /* requests inside */
    uint64_t entered; /* requests since reset */
    uint64_t waiting; /* bit per FIFO that is not empty */
    uint32_t chosen; /* FIFO whose head is offered; queues: none */
    uint32_t *first, *count; /* by FIFO */
    struct byw_warp_fifo_entry *entry; /* queues x depth */
};

/* queues: 1..64 FIFOs, a warp's is its slot modulo these; depth: 1..64 requests of each.
 * BYW_ENOMEM; release() is allowed then, too. */
enum byw_status byw_warp_fifos_init(struct byw_warp_fifos *f, const struct byw_mech_setup *setup,
                                    uint32_t queues, uint32_t depth);
void byw_warp_fifos_release(struct byw_warp_fifos *f);
void byw_warp_fifos_clear(struct byw_warp_fifos *f);

bool byw_warp_fifos_room(const struct byw_warp_fifos *f, const struct byw_req *req);
void byw_warp_fifos_push(struct byw_warp_fifos *f, const struct byw_req *req); /* with room */

/* Not empty: the request that goes first; the chosen one is taken. */
const struct byw_req *byw_warp_fifos_choose(struct byw_warp_fifos *f);
void byw_warp_fifos_pop(struct byw_warp_fifos *f);

/* Of the chosen request: how many entered before it; whether one of them still waits. */
uint64_t byw_warp_fifos_number(const struct byw_warp_fifos *f);
bool byw_warp_fifos_passes(const struct byw_warp_fifos *f);

/* MECHANISMS 14: an entry is 64 bits. */
uint64_t byw_warp_fifos_bits(uint32_t queues, uint32_t depth);

#endif
