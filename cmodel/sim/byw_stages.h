/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_stages.h - the stages of one SM between issue and the units (sm.operand_stages = on).
 *
 *   scheduler -> issue registers -> operand collectors -> execution registers -> unit -> writeback
 *
 * Each unit (int/float, special function, double, load/store) has sm.width_* registers on either
 * side of the collectors, which all share.  An instruction issues into a register of its unit; each
 * of sm.collector_ports ports takes one instruction per unit and cycle into the lowest free
 * collector and one instruction out of a collector, in turn; the units take from their
 * registers in the order of issue.  An arithmetic one takes an instruction only if it can book one
 * of sm.result_buses for the cycle in which its result comes out.  So an instruction whose unit is
 * busy holds its register or its collector, and a clogged memory path holds back arithmetic when
 * all collectors hold accesses.
 *
 * When a result will come is not known at issue: byw_warps.h waits for byw_warps_result().
 *
 * Reads of one instruction's operands take sm.collect_*; registers and their banks are not in a
 * trace.  The L1D's three cycles (rtl/doc/l1d_pipeline.md) begin where the reference's access has
 * three more stages in front of it, so that a memory instruction's way here is that much shorter:
 * its operands need no cycle, and the load/store unit takes it in the cycle in which it leaves its
 * collector if it can.
 */
#ifndef BYW_STAGES_H
#define BYW_STAGES_H

#include "common/byw_config.h"
#include "sim/byw_ldst.h"
#include "sim/byw_warps.h"

enum {
    BYW_STAGE_REGS = 8, /* the most registers of a unit on one side: bytes of a word */
    BYW_STAGE_PORTS = 16,
    BYW_COLLECTORS = 64,
    BYW_STAGED = BYW_COLLECTORS + 2 * BYW_STAGE_REGS * BYW_UNIT_COUNT, /* the most inside */
    BYW_STAGE_RING = 32, /* more cycles than operands take */
    BYW_BUS_RING = 1024, /* more cycles than a unit takes, and a word of them */
    BYW_BUS_BITS = 4, /* of a cycle: as many results as there are buses, 8 at most */
    BYW_BUS_WORD = 64 / BYW_BUS_BITS, /* cycles in a word */
    BYW_ALU_UNITS = 16
};

#define BYW_NO_STAGED UINT8_MAX

/* An instruction inside; it stays where it is, and what moves is its number there. */
struct byw_staged {
    uint32_t turn; /* in the order of issue */
    uint16_t load; /* of an exit: what holds its warp until it has left */
    uint16_t latency; /* of its unit */
    uint8_t warp;
    uint8_t place; /* of the consumer in the warp's ring, BYW_NO_PLACE: none */
    uint8_t unit;
    uint8_t collect; /* cycles that its operands take */
    uint8_t access; /* the load/store unit's entry */
    uint8_t next; /* of those free */
};

/* Registers in front of or behind the collectors. */
struct byw_stage_regs {
    uint64_t reg; /* numbers of instructions in the order of arrival, the first one lowest */
    uint32_t count;
};

/* An arithmetic unit. */
struct byw_alu {
    uint64_t free; /* cycle from which it takes a warp */
    uint64_t out; /* cycle from `base` on in which a result comes out, as bits */
    uint64_t base;
};

struct byw_stages {
    const struct byw_config *config;
    bool on;
    uint32_t width[BYW_UNIT_COUNT], alus[BYW_UNIT_COUNT];
    uint32_t interval[BYW_UNIT_COUNT];
    uint16_t latency[BYW_CLASS_COUNT]; /* of the unit */
    uint8_t collect[BYW_CLASS_COUNT]; /* cycles that the operands take */
    uint32_t ports, buses, writeback; /* as configured */
    uint32_t inside; /* instructions between issue and unit */
    uint32_t in_used, out_used; /* units with registers in use, as bits */
    uint32_t out_full; /* with none free behind the collectors */
    uint64_t closed[BYW_UNIT_COUNT]; /* all ones: a unit with none free in front of them */
    uint32_t issued;
    struct byw_stage_regs in[BYW_UNIT_COUNT], out[BYW_UNIT_COUNT];
    uint64_t free; /* collectors */
    uint64_t there; /* collectors whose operands are there */
    uint64_t reading; /* those whose operands are not */
    uint64_t held[BYW_UNIT_COUNT]; /* by unit: collectors with its instructions */
    uint64_t arrive[BYW_STAGE_RING]; /* by cycle: collectors whose operands then are there */
    uint8_t last[BYW_STAGE_PORTS]; /* collector that a port served last */
    uint8_t collector[BYW_COLLECTORS]; /* number of the instruction in it */
    uint8_t first_free,
        fresh; /* numbers given back, BYW_NO_STAGED: none; from here on never used */
    struct byw_staged staged[BYW_STAGED];
    struct byw_alu alu[BYW_UNIT_COUNT][BYW_ALU_UNITS];
    uint64_t bus_word; /* number of the current cycle's word; those before it are empty again */
    uint64_t bus[BYW_BUS_RING / BYW_BUS_WORD]; /* results that come out, by cycle */
};

void byw_stages_init(struct byw_stages *stages, const struct byw_config *config);

/* Warps of `lanes` lanes follow. */
void byw_stages_launch(struct byw_stages *stages, uint32_t lanes);

/* Of the warps in `set`, those whose next instruction has a free issue register. */
static inline uint64_t byw_stages_issuable(const struct byw_stages *stages,
                                           const struct byw_warps *warps, uint64_t set)
{
    uint64_t shut = 0;

    for (uint32_t u = 0; u < BYW_UNIT_COUNT; u++)
        shut |= warps->next[u] & stages->closed[u];
    return set & ~shut;
}

/* Warp w's next instruction enters at cycle `now` (before byw_warps_issue); access: of one for the
 * load/store unit, its entry there. */
void byw_stages_enter(struct byw_stages *stages, struct byw_warps *warps, uint32_t w,
                      uint32_t access, uint64_t now);

/* A cycle, before issue.  False if nothing moved, so that nothing will without the load/store
 * unit or an issue. */
bool byw_stages_step(struct byw_stages *stages, struct byw_warps *warps, struct byw_ldst *ldst,
                     uint64_t now);

#endif
