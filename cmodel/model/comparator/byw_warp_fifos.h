/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_warp_fifos.h - requests that wait in FIFOs by warp, as in MRPB (mechanisms/baselines.md 2.3).
 * The first FIFO that is not empty has priority; a chosen FIFO stays chosen until its request is
 * taken.
 */
#ifndef BYW_WARP_FIFOS_H
#define BYW_WARP_FIFOS_H

#include "l1d/byw_req_queue.h"

struct byw_warp_fifos {
    uint32_t queues, depth, line_bytes;
    uint32_t filled; /* requests inside */
    uint64_t entered; /* requests since reset */
    uint64_t waiting; /* bit per non-empty FIFO */
    uint32_t chosen; /* FIFO whose head is offered; `queues`: none */
    uint32_t *first, *count; /* by FIFO: index of its head, and requests in it */
    struct byw_warp_fifo_entry *entry; /* queues x depth */
};

/* queues: 1..64 FIFOs, a warp uses the one numbered by its slot modulo `queues`; depth: 1..64
 * requests per FIFO.  BYW_ENOMEM; release() is allowed after it. */
enum byw_status byw_warp_fifos_init(struct byw_warp_fifos *f, const struct byw_mech_setup *setup,
                                    uint32_t queues, uint32_t depth);
void byw_warp_fifos_release(struct byw_warp_fifos *f);
void byw_warp_fifos_clear(struct byw_warp_fifos *f);

bool byw_warp_fifos_room(const struct byw_warp_fifos *f, const struct byw_req *req);
void byw_warp_fifos_push(struct byw_warp_fifos *f, const struct byw_req *req); /* needs room */

/* _choose: the request to serve first; needs a non-empty FIFO.  _pop: the chosen request is
 * taken. */
const struct byw_req *byw_warp_fifos_choose(struct byw_warp_fifos *f);
void byw_warp_fifos_pop(struct byw_warp_fifos *f);

/* For the chosen request: how many requests entered before it, and whether one of them still
 * waits. */
uint64_t byw_warp_fifos_number(const struct byw_warp_fifos *f);
bool byw_warp_fifos_passes(const struct byw_warp_fifos *f);

/* Storage bits (mechanisms/across.md 14); an entry is 64 bits. */
uint64_t byw_warp_fifos_bits(uint32_t queues, uint32_t depth);

#endif
