/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_anchors.h - the graph of a kernel's machine code, and which of its blocks show that a
 * block of the PTX runs.
 *
 * The assembler unrolls loops, merges and copies blocks, and moves instructions.  But it cannot
 * change how often a store, a barrier or a load is executed.  So for each block of the PTX one of
 * its instructions is chosen, its anchor: an access if it has one, else the arithmetic that is
 * least likely to be duplicated within one execution.  Each copy of the anchor in a block of the
 * machine code stands for one execution of the PTX block; a predicated copy for one or none.
 */
#ifndef BYW_CL_ANCHORS_H
#define BYW_CL_ANCHORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/byw_status.h"
#include "trace/byw_machine.h"

#define BYW_CL_NOWHERE UINT32_MAX

/* A block of the machine code executes a block of the PTX. */
struct byw_cl_stand {
    uint32_t piece; /* number of the PTX block */
    uint16_t copies;
    uint16_t maybe; /* how many of the copies are predicated */
};

struct byw_cl_machine_block {
    uint32_t first, count; /* instructions */
    uint32_t next, taken; /* blocks; BYW_CL_NOWHERE: none */
    uint32_t first_stand, stands;
    bool guards; /* its branch skips the unrolled copies of a loop if the count of iterations is not
                  * positive, which it hardly ever is */
    bool ends; /* threads may exit at its end */
    uint32_t call; /* cost of the call at its end, in instructions; 0: no call */
    uint32_t slow; /* where the branch at its end leads if the operands of its PTX instruction are
                    * unusual: to a call; BYW_CL_NOWHERE: no such branch */
    bool lost; /* ends with a branch to an unknown place */
};

/* Blocks of the PTX are numbered by their mark's place in the list of all marks. */
struct byw_cl_anchors {
    const struct byw_machine *machine;
    struct byw_cl_machine_block *block;
    struct byw_cl_stand *stand;
    uint32_t blocks, stands, pieces;
    uint32_t *piece_of; /* per instruction: its PTX block; BYW_CL_NOWHERE: unknown */
    uint8_t *weight; /* per PTX block: how sure its anchor is; 0: it has none */
    uint32_t *size; /* per PTX block: machine instructions made of it */
    uint32_t *left; /* per instruction: byw_machine_find_returns() */
    uint32_t *price; /* per PTX block with an unsure anchor: cost of leaving it out of a walk, in
                      * instructions; 0: others */
};

/* Anchors below this weight are arithmetic, which the assembler moves and merges. */
#define BYW_CL_SURE 8

/* The PTX block of an instruction with that number; BYW_CL_NOWHERE: none. */
uint32_t byw_cl_piece_at(const uint32_t *mark, uint32_t marks, uint32_t number);

/* marks: of the PTX, ascending (byw_cl_code.h). */
enum byw_status byw_cl_anchors_find(struct byw_cl_anchors *a, const struct byw_machine *machine,
                                    const uint32_t *mark, uint32_t marks);
void byw_cl_anchors_release(struct byw_cl_anchors *a);

#endif
