/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_walk.h - finds the walk of one thread through machine code from the PTX blocks it ran.
 *
 * The sequence of PTX blocks is known, the walk is not.  A block of the machine code consumes the
 * PTX blocks whose anchors it has (byw_cl_anchors.h), in any order, up to as many as it has
 * copies. Of all walks from the entry to an exit the best is taken: first the one that agrees with
 * the sequence most, weighed by how sure anchors are, then the shortest. It is found by dynamic
 * programming over the place in the sequence and the block of the machine code.
 *
 * The search takes called slow paths (division, roots of unusual operands) to be absent.  Those
 * that the thread took are put into the walk that was found, where it passes their branches.
 */
#ifndef BYW_CL_WALK_H
#define BYW_CL_WALK_H

#include "capture/path/byw_cl_anchors.h"
#include "capture/path/byw_cl_slow.h"
#include "trace/byw_inst.h"

/* A walk as bits, one for each instruction that decides (byw_machine_decides()), in the order of
 * the walk; lowest bit of a byte first. */
struct byw_cl_walk {
    uint8_t *bit;
    uint32_t bits;
    size_t room; /* bytes */
    uint64_t instructions; /* it executes */
    uint64_t wrong, all; /* weights of PTX blocks that it contradicts, and of all of them */
};

struct byw_cl_walker;
struct byw_cl_walker *byw_cl_walker_create(const struct byw_cl_anchors *anchors);
void byw_cl_walker_free(struct byw_cl_walker *w);

/* Slow paths of the walks to come, sorted; they must stay. */
void byw_cl_walk_slow(struct byw_cl_walker *w, const struct byw_cl_slow *slow, size_t count);

/* piece: numbers of the PTX blocks, in order.  BYW_ECHECK: no walk agrees well enough, or none was
 * found; *why says why. */
enum byw_status byw_cl_walk(struct byw_cl_walker *w, const uint32_t *piece, uint32_t count,
                            struct byw_cl_walk *walk, enum byw_path_why *why);

#endif
