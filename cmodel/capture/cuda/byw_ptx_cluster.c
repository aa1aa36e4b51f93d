/* SPDX-License-Identifier: Apache-2.0
 *
 * Clusters of blocks: addresses of other blocks' shared memory, and the barrier of a cluster.
 */
#include <string.h>

#include "capture/cuda/byw_ptx_gen.h"

/* mapa to, address, rank; getctarank rank, address.  The address is an offset into shared memory,
 * or generic. */
bool byw_ptx_rule_cluster(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    bool ranks = strcmp(inst->part[0], "getctarank") == 0;
    LLVMValueRef args[3], value;

    if (inst->operands != (ranks ? 2 : 3))
        return false;
    args[0] = byw_ptx_value_as(g, &inst->operand[1], g->i64, false);
    args[1] = ranks ? byw_ptx_number(g, 0) : byw_ptx_value_as(g, &inst->operand[2], g->i32, false);
    if (args[0] == NULL || args[1] == NULL)
        return false;
    args[2] = byw_ptx_special(g, "%cluster_ctarank");
    if (ranks)
        args[1] = args[2];
    value = byw_ptx_call_library(g, ranks ? "ptx_cluster_rank" : "ptx_cluster_map", args,
                                 ranks ? 2 : 3);
    return byw_ptx_assign(g, &inst->operand[0], value, false);
}

static bool is_barrier(const struct byw_ptx_instruction *inst, const char *action)
{
    return inst->label == NULL && inst->guard.symbol == NULL && inst->parts > 2 &&
           strcmp(inst->part[0], "barrier") == 0 && strcmp(inst->part[1], "cluster") == 0 &&
           byw_ptx_has(inst, action);
}

/* Whether a barrier.cluster.wait follows its arrive directly, so that all threads of the block meet
 * here. */
static bool is_pair(const struct byw_ptx_gen *g, const struct byw_ptx_instruction *arrive)
{
    const struct byw_ptx_instruction *end = g->function->code + g->function->length;

    return arrive >= g->function->code && arrive + 1 < end && is_barrier(arrive, "arrive") &&
           is_barrier(arrive + 1, "wait");
}

/* barrier.cluster.arrive and .wait. Where all threads of the block meet, a barrier of the block
 * precedes, so that the trace contains one; a cluster of one block needs nothing else. */
bool byw_ptx_cluster_barrier(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    bool arrives = byw_ptx_has(inst, "arrive");

    if (inst->operands != 0 || (!arrives && !byw_ptx_has(inst, "wait")))
        return false;
    if (is_pair(g, inst))
        byw_ptx_call_named(g, "llvm.nvvm.barrier0");
    byw_ptx_call_library(g,
                         arrives                ? "ptx_cluster_arrive"
                         : is_pair(g, inst - 1) ? "ptx_cluster_wait"
                                                : "ptx_cluster_wait_alone",
                         NULL, 0);
    return true;
}
