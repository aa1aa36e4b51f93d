/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_units.h - the arithmetic units of one SM and the operand collectors in front of all its
 * units.
 *
 * An instruction holds a collector while its operands are read; memory instructions that wait for
 * the load/store unit keep theirs, so a clogged memory path holds back arithmetic too.
 */
#ifndef BYW_UNITS_H
#define BYW_UNITS_H

#include "common/byw_config.h"
#include "sim/byw_ldst.h"
#include "sim/byw_sched.h"
#include "sim/byw_warps.h"

enum {
    BYW_COLLECT_RING = 128, /* more cycles than an instruction can hold a collector */
    BYW_SP_UNITS = 16
};

/* An arithmetic class on its unit, in cycles. */
struct byw_unit_times {
    uint32_t hold; /* how long an instruction has its collector */
    uint32_t interval; /* from one warp to the next */
    uint32_t latency; /* from issue until the result can be used */
};

struct byw_units {
    const struct byw_config *config;
    struct byw_unit_times times[BYW_CLASS_COUNT];
    bool own; /* each scheduler has units of its own */
    uint64_t sp_free[BYW_SP_UNITS]; /* cycle from which the unit takes a warp */
    uint64_t sfu_free[BYW_SCHED_MAX], dp_free[BYW_SCHED_MAX]; /* by scheduler, [0] when shared */
    uint32_t collecting; /* collectors held by arithmetic instructions */
    uint8_t leaving[BYW_COLLECT_RING]; /* of them, by the cycle from which they are free */
    uint64_t accounted; /* cycle up to which leaving is accounted for */
};

void byw_units_init(struct byw_units *units, const struct byw_config *config);

/* Warps of `lanes` lanes follow. */
void byw_units_launch(struct byw_units *units, uint32_t lanes);

/* Begins cycle `now`: collectors whose instructions have left are free. */
void byw_units_begin(struct byw_units *units, uint64_t now);

/* Of the ready and buffered warps, those that may issue now: unit and collector are free. */
uint64_t byw_units_issuable(const struct byw_units *units, const struct byw_warps *warps,
                            const struct byw_ldst *ldst, const struct byw_sched *sched,
                            uint64_t now);

/* The same in two parts, where each scheduler has units of its own: those for which there is room
 * in the load/store unit and a collector, and of a set of scheduler s those whose unit is free. */
uint64_t byw_units_room(const struct byw_units *units, const struct byw_warps *warps,
                        const struct byw_ldst *ldst);
uint64_t byw_units_free(const struct byw_units *units, const struct byw_warps *warps, uint64_t set,
                        uint32_t s, uint64_t now);

/* True when a refused arithmetic instruction may issue soon without an event from outside. */
bool byw_units_recover(const struct byw_units *units, const struct byw_ldst *ldst);

/* An instruction of an arithmetic class enters, issued by scheduler s: returns the cycles until its
 * result can be used.  Units of fewer lanes than a warp has work on them in groups, and so does the
 * consumer: its first group can use what the producer's first group made. */
uint32_t byw_units_take(struct byw_units *units, uint32_t s, enum byw_class cls, uint64_t now);

#endif
