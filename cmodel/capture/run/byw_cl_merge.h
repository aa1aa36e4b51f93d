/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_merge.h - merges the logs of 32 (or 64) lanes into the warp instructions of one warp.
 *
 * A warp is merged segment by segment, from the start or the last barrier to the next barrier or
 * the end. Lanes whose next part is the same run it together; of several parts the lowest in merge
 * order runs first (byw_cl_flow.h). Records are collected in the warp's stream until the CTA is
 * complete.
 */
#ifndef BYW_CL_MERGE_H
#define BYW_CL_MERGE_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/run/byw_cl_code.h"
#include "common/byw_status.h"
#include "trace/byw_inst.h"

#define BYW_CL_LANES 64u /* most lanes of a warp */

/* A load whose result has not been needed yet. */
struct byw_cl_pending {
    uint64_t position; /* in the warp's instructions */
    uint32_t record; /* 1 + index in the stream; 0: none */
};

/* The marked parts that a warp ran, for its path through the machine code. Each `turn` is a change
 * of the lanes that run. */
struct byw_cl_steps {
    uint32_t *part;
    struct byw_cl_turn {
        uint32_t step; /* the first step with this mask */
        uint64_t mask;
    } * turn;
    uint32_t count, turns;
    size_t room, turn_room;
    bool broken; /* there are too many to keep */
};
#define BYW_CL_STEPS_MOST (1u << 26)

struct byw_cl_warp {
    struct byw_cl_steps steps;
    struct byw_inst *inst;
    uint64_t *addr;
    struct byw_cl_pending *pending; /* one per load of the kernel */
    uint32_t inst_count, addr_count, pending_room;
    size_t inst_room, addr_room;
    uint64_t position;
    uint64_t local_base; /* trace address of the warp's private arrays */
    uint32_t previous[BYW_CL_LANES]; /* part each lane ran last; UINT32_MAX: none */
    const uint64_t *at[BYW_CL_LANES]; /* position of the next log word to read */
    uint32_t key[BYW_CL_LANES]; /* merge order of the part that it runs next */
    /* the current segment (byw_cl_group.c) */
    uint64_t mask; /* its lanes */
    uint64_t need; /* lanes that must continue; 0: the segment is finished */
    uint64_t ready; /* the lanes of `need` that have already run up to where they stop */
    const uint64_t *start[BYW_CL_LANES]; /* their logs */
    uint64_t *next; /* destination of the next lane's log; NULL: its own log */
};

struct byw_cl_merger {
    const struct byw_cl_code *code;
    const struct byw_cl_part *part;
    const struct byw_cl_slot *slot;
    const struct byw_cl_use *use;
    uint32_t warp_size;
    bool steps; /* whether the steps of each warp are recorded */
    bool silent; /* only determines the order of lanes; streams stay empty */
    struct byw_cl_private { /* private arrays of the work-items, one after another */
        uint64_t base, bytes, item; /* item: bytes of one work-item's arrays */
    } own;
    struct byw_cl_degree {
        uint64_t mask, base;
        int32_t stride;
        uint32_t degree;
        uint8_t width;
    } degree[64]; /* recently seen bank-conflict degrees */
    struct byw_cl_spread {
        uint64_t mask, first; /* first: the first lane's address */
        uint32_t degree;
        uint8_t width;
        uint64_t away[BYW_CL_LANES]; /* distances of the other lanes from the first */
    } spread[16]; /* recently seen degrees of lists of addresses, by slot */
};

void byw_cl_merger_init(struct byw_cl_merger *m, const struct byw_cl_code *code,
                        uint32_t warp_size);

/* Begins a new warp in a stream (its memory is kept). */
enum byw_status byw_cl_warp_begin(const struct byw_cl_merger *m, struct byw_cl_warp *warp,
                                  uint64_t local_base);
void byw_cl_warp_release(struct byw_cl_warp *warp);

/* Merges a segment in pieces: _supply adds the logs of some lanes, or their continuation after
 * BYW_CL_MORE or a meeting point; _merge_some continues for the lanes of `mask` until the
 * segment is over (*need = 0) or lanes (*need) must be supplied first. Lanes at a meeting point
 * are needed once they are the lowest in merge order: all lanes at that point continue together. */
void byw_cl_merge_supply(const struct byw_cl_merger *m, struct byw_cl_warp *warp, uint64_t mask,
                         const uint64_t *const *start);
enum byw_status byw_cl_merge_some(struct byw_cl_merger *m, struct byw_cl_warp *warp, uint64_t mask,
                                  uint64_t *need);

/* Memory the stream takes, in bytes. */
uint64_t byw_cl_warp_bytes(const struct byw_cl_warp *warp);

/* Merges one segment: start[l] is lane l's log, ended by BYW_CL_END, for the lanes of `mask`. */
enum byw_status byw_cl_merge(struct byw_cl_merger *m, struct byw_cl_warp *warp, uint64_t mask,
                             const uint64_t *const *start);

/* Appends the barrier that closed the segment for the lanes of `mask`, or the warp's exit. */
enum byw_status byw_cl_warp_barrier(struct byw_cl_merger *m, struct byw_cl_warp *warp,
                                    uint64_t mask);
enum byw_status byw_cl_warp_exit(struct byw_cl_merger *m, struct byw_cl_warp *warp, uint64_t mask);

#endif
