/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_units.h - the arithmetic units of one SM and the operand collectors in front of all its
 * units.
 *
 * An instruction holds a collector while its operands are read.  Memory instructions that wait for
 * the load/store unit keep theirs, so a blocked memory path stalls arithmetic, too.
 */
#ifndef BYW_UNITS_H
#define BYW_UNITS_H

#include "common/byw_config.h"
#include "sim/sm/byw_ldst.h"
#include "sim/sm/byw_sched.h"
#include "sim/sm/byw_warps.h"

enum {
    BYW_COLLECT_RING = 128, /* more cycles than an instruction can hold a collector */
    BYW_SP_UNITS = 16
};

/* Times of an arithmetic class on its unit, in cycles. */
struct byw_unit_times {
    uint32_t hold; /* how long an instruction holds its collector */
    uint32_t interval; /* cycles from one warp to the next */
    uint32_t latency; /* cycles from issue until the result is usable */
};

struct byw_units {
    const struct byw_config *config;
    struct byw_unit_times times[BYW_CLASS_COUNT];
    bool own; /* each scheduler has its own units */
    uint64_t sp_free[BYW_SP_UNITS]; /* cycle from which the unit accepts a warp */
    uint64_t sfu_free[BYW_SCHED_MAX], dp_free[BYW_SCHED_MAX]; /* by scheduler; only [0] if shared */
    uint32_t collecting; /* collectors held by arithmetic instructions */
    uint8_t leaving[BYW_COLLECT_RING]; /* of `collecting`: collectors by the cycle from which they
                                          are free */
    uint64_t accounted; /* cycle up to which `leaving` is accounted for */
};

void byw_units_init(struct byw_units *units, const struct byw_config *config);

/* Warps of `lanes` lanes follow. */
void byw_units_launch(struct byw_units *units, uint32_t lanes);

/* Begins cycle `now`: frees the collectors of instructions that have left. */
void byw_units_begin(struct byw_units *units, uint64_t now);

/* The ready and buffered warps that may issue now: unit and collector are free. */
uint64_t byw_units_issuable(const struct byw_units *units, const struct byw_warps *warps,
                            const struct byw_ldst *ldst, const struct byw_sched *sched,
                            uint64_t now);

/* byw_units_issuable() in two parts, for schedulers with their own units.  _room: warps with room
 * in the load/store unit and a collector.  _free: the warps of a set of scheduler s whose unit is
 * free. */
uint64_t byw_units_room(const struct byw_units *units, const struct byw_warps *warps,
                        const struct byw_ldst *ldst);
uint64_t byw_units_free(const struct byw_units *units, const struct byw_warps *warps, uint64_t set,
                        uint32_t s, uint64_t now);

/* Whether a refused arithmetic instruction may soon issue without an external event. */
bool byw_units_recover(const struct byw_units *units, const struct byw_ldst *ldst);

/* Starts an instruction of an arithmetic class, issued by scheduler s.  Returns the cycles until
 * its result is usable.  A unit with fewer lanes than a warp processes it in groups, and so does
 * the consumer: its first group can use the result of the producer's first group. */
uint32_t byw_units_take(struct byw_units *units, uint32_t s, enum byw_class cls, uint64_t now);

#endif
