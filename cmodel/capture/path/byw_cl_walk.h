/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_walk.h - finds the path of one thread through machine code (its walk) from the PTX blocks
 * that it ran.
 *
 * The sequence of PTX blocks is known, the walk is not.  A block of the machine code consumes the
 * PTX blocks whose anchors it has (byw_cl_anchors.h), in any order, up to as many as it has copies.
 * The best of all walks from the entry to an exit is the one that agrees most with the sequence,
 * weighted by how reliable the anchors are; among equals, the shortest. It is found by dynamic
 * programming over the position in the sequence and the block of the machine code.
 *
 * The search assumes that no slow path (a call for a division or root of unusual operands) is
 * taken. Those that the thread took are then inserted where the walk passes their branches.
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

/* Sets the slow paths for the following walks, sorted; the list must stay valid. */
void byw_cl_walk_slow(struct byw_cl_walker *w, const struct byw_cl_slow *slow, size_t count);

/* piece: numbers of the PTX blocks, in order.  BYW_ECHECK: no walk agrees well enough, or none was
 * found; *why says why. */
enum byw_status byw_cl_walk(struct byw_cl_walker *w, const uint32_t *piece, uint32_t count,
                            struct byw_cl_walk *walk, enum byw_path_why *why);

#endif
