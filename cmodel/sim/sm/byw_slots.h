/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_slots.h - what warp schedulers use their cycles for.
 */
#ifndef BYW_SLOTS_H
#define BYW_SLOTS_H

/* What a warp scheduler did in a cycle of an SM that has work: X(code, name, when it counts). */
#define BYW_SLOT_LIST(X)                                                                           \
    X(BYW_SLOT_ISSUE, "issued", "a scheduler issues a warp instruction")                           \
    X(BYW_SLOT_EMPTY, "empty", "no warp of this scheduler is resident")                            \
    X(BYW_SLOT_FETCH, "fetch", "every warp that could issue waits for its instruction")            \
    X(BYW_SLOT_BARRIER, "barrier", "every resident warp waits at a barrier")                       \
    X(BYW_SLOT_SCOREBOARD, "scoreboard", "the ready warps wait for an outstanding result")         \
    X(BYW_SLOT_UNIT, "unit", "the ready warp's arithmetic unit is busy")                           \
    X(BYW_SLOT_MEMORY, "memory", "the ready warp's access waits for the load/store unit")

enum byw_slot {
#define X(code, name, when) code,
    BYW_SLOT_LIST(X)
#undef X
        BYW_SLOT_COUNT
};

#endif
