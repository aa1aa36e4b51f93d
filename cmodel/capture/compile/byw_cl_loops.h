/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_loops.h - untraced kernels as loops over the work-items of a group, instead of fibers.
 *
 * A kernel is cut into regions: from its entry or a barrier to the next barrier. At a meeting
 * point, the lanes of a warp wait for each other; a shuffle has two. Kernels are also cut there.
 * Work-items whose path bypasses a meeting point sleep until the paths join. Each region becomes a
 * loop over the work-items (byw_cl_items.c). A branch that decides which barrier comes next must go
 * the same way for all work-items (byw_cl_uniform.c); it is then taken once, between two regions.
 * Of the values that live across regions, those that are the same for all work-items are stored
 * once, cheap ones are recomputed, and the others get an array with an element per work-item.
 *
 * byw_cl_loops_plan() (byw_cl_regions.c) decides whether a kernel can be cut in this way. A
 * kernel runs on fibers if some of its work-items may skip a barrier or meeting point, if its lanes
 * wait for others or exchange values without a call (byw_cl_meets.c), or if it calls printf between
 * barriers, because the order of the output would change.
 */
#ifndef BYW_CL_LOOPS_H
#define BYW_CL_LOOPS_H

#include "capture/compile/byw_cl_transform.h"

#define BYW_CL_NONE UINT32_MAX
#define BYW_CL_LANES 32u /* largest warp whose active lanes a loop can determine */

/* The blocks of a function, in the function's order. */
struct byw_cl_graph {
    LLVMValueRef function;
    LLVMBasicBlockRef *block;
    uint32_t blocks;
    struct byw_cl_map *index; /* block -> number */
};

enum byw_status byw_cl_graph_build(LLVMValueRef function, struct byw_cl_graph *graph);
void byw_cl_graph_release(struct byw_cl_graph *graph);
uint32_t byw_cl_graph_number(const struct byw_cl_graph *graph, LLVMBasicBlockRef block);
/* Number of successors of a block, and the index of one of them. */
unsigned byw_cl_graph_successors(const struct byw_cl_graph *graph, uint32_t block);
uint32_t byw_cl_graph_successor(const struct byw_cl_graph *graph, uint32_t block, unsigned which);
/* Moves the code before an instruction into a new block that continues with the rest. The graph
 * must then be rebuilt. */
LLVMBasicBlockRef byw_cl_graph_split(const struct byw_cl_graph *graph, LLVMValueRef before);
/* Whether a block does nothing but return. */
bool byw_cl_is_bare(LLVMBasicBlockRef block);

/* Which values are the same for all work-items of a group that have not left. */
struct byw_cl_uniform {
    struct byw_cl_map *differs; /* values that may differ */
    bool *apart; /* per block: some work-items may run it while others do not */
    /* Some work-items may bypass meeting points that others reach, and sleep until all paths join.
     * Both arrays give the number of the block where the sleepers wake up: `parts` for a block at
     * whose end the paths part, `asleep` for the blocks that only awake work-items run. BYW_CL_NONE
     * for all other blocks. */
    uint32_t *parts, *asleep;
    bool nested; /* sections with sleepers overlap */
};

/* Questions that the analysis asks about the kernel. */
struct byw_cl_asks {
    /* Whether work-items that take this edge to a return have left for good, so that the others do
     * not depend on it. */
    bool (*leaves)(void *context, uint32_t block, uint32_t to);
    bool (*meets)(void *context, uint32_t block); /* whether a block has a meeting point */
    void *context;
};
enum byw_status byw_cl_uniform_find(const struct byw_cl_graph *graph,
                                    const struct byw_cl_asks *asks, struct byw_cl_uniform *uniform);
void byw_cl_uniform_release(struct byw_cl_uniform *uniform);
bool byw_cl_differs(const struct byw_cl_uniform *uniform, LLVMValueRef value);

/* Distinguishes queries about the work-item itself from queries about its group. */
enum byw_cl_query {
    BYW_CL_QUERY_NONE,
    BYW_CL_QUERY_GROUP, /* uniform across the group */
    BYW_CL_QUERY_LOCAL, /* get_local_id() */
    BYW_CL_QUERY_LINEAR, /* byw_cl_linear() */
    BYW_CL_QUERY_ACTIVE /* byw_cl_active(): lanes that continue together from a meeting point */
};
enum byw_cl_query byw_cl_query_of(LLVMValueRef inst);

/* How a kernel is cut. */
enum byw_cl_start {
    BYW_CL_START_ITEMS, /* a loop over the work-items begins */
    BYW_CL_START_CONTROL /* a branch that is taken once */
};
struct byw_cl_plan {
    struct byw_cl_graph graph;
    struct byw_cl_uniform uniform;
    struct byw_cl_map *start; /* block -> enum byw_cl_start */
    uint32_t *region; /* per block: the number of the block that starts its region */
    uint32_t *next; /* per region start: the start of the next region; BYW_CL_NONE: returns */
    uint32_t *wake; /* per region start: the block where sleeping work-items wake up; BYW_CL_NONE:
                       none sleep */
    bool *barrier_follows; /* per block: a barrier may follow */
    bool leaves; /* work-items may leave before a barrier */
    bool sleeps; /* work-items may sleep */
};

/* Whether an instruction is a barrier or a meeting point. */
bool byw_cl_stops(LLVMValueRef inst);
/* Whether a block begins a region. */
bool byw_cl_is_start(const struct byw_cl_plan *plan, uint32_t block, enum byw_cl_start kind);
/* Whether work-items that take this edge return while others continue to a barrier. */
bool byw_cl_leaves(const struct byw_cl_plan *plan, uint32_t block, uint32_t to);
/* Whether work-items that take this edge sleep while others continue to a meeting point. */
bool byw_cl_sleeps(const struct byw_cl_plan *plan, uint32_t block, uint32_t to);

/* Whether BYWAY_LOOPS is "off". */
bool byw_cl_loops_are_off(void);

/* NULL: the kernel must run on fibers. Its blocks may have been split. */
struct byw_cl_plan *byw_cl_loops_plan(const struct byw_cl_unit *unit);
void byw_cl_plan_free(struct byw_cl_plan *plan);

/* Rewrites the function, before byw_cl_lower(); after BYW_ENOMEM it is unusable. */
enum byw_status byw_cl_loops_build(struct byw_cl_module *m, struct byw_cl_unit *unit,
                                   struct byw_cl_plan *plan);

/* _is_pure: the operation can be repeated anywhere. _can_move: it can also be moved, because it
 * depends only on its operands and cannot fault. */
bool byw_cl_is_pure(LLVMValueRef inst);
bool byw_cl_can_move(LLVMValueRef inst);

/* Metadata of accesses of different work-items, which do not alias (NULL: no memory), and its use
 * for a loop's branch back and for a block's accesses. */
LLVMValueRef byw_cl_access_group(struct byw_cl_module *m);
void byw_cl_mark_loop(struct byw_cl_module *m, LLVMValueRef group, LLVMValueRef branch);
void byw_cl_mark_accesses(struct byw_cl_module *m, LLVMValueRef group, LLVMBasicBlockRef block);

/* Whether the loop that a part heads counts to a bound, and is therefore finite. */
bool byw_cl_counts(const struct byw_cl_scan *scan, const struct byw_cl_part *part, uint32_t head);

#endif
