/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_stages.h - the stages of one SM between issue and the units (sm.operand_stages = on).
 *
 *   scheduler -> issue registers -> operand collectors -> execution registers -> unit -> writeback
 *
 * Each unit (int/float, special function, double, load/store) has sm.width_* registers on either
 * side of the collectors, which all units share.  An instruction issues into a register of its
 * unit.  Each of sm.collector_ports ports moves one instruction per unit and cycle into the lowest
 * free collector, and one instruction, in turn, out of a collector.  The units take instructions
 * from their registers in the order of issue.  An arithmetic unit takes an instruction only if it
 * can book one of sm.result_buses for the cycle of its result.  So an instruction whose unit is
 * busy holds its register or its collector.  If all collectors hold memory accesses, a blocked
 * memory path stalls arithmetic.
 *
 * The cycle of a result is unknown at issue: byw_warps.h waits for byw_warps_result().
 *
 * Reading the operands of an instruction takes sm.collect_* cycles; a trace has no registers or
 * banks.  In Accel-Sim, three more stages precede the point at which the L1D's three cycles
 * (rtl/doc/l1d_pipeline.md) begin.  The path of a memory instruction here is shorter by that much:
 * its operands need no cycle, and the load/store unit takes it in the cycle in which it leaves its
 * collector if it can.
 */
#ifndef BYW_STAGES_H
#define BYW_STAGES_H

#include "common/byw_config.h"
#include "sim/sm/byw_ldst.h"
#include "sim/sm/byw_warps.h"

enum {
    BYW_STAGE_REGS = 8, /* most registers of a unit on one side: bytes of a word */
    BYW_STAGE_PORTS = 16,
    BYW_COLLECTORS = 64,
    BYW_STAGED = BYW_COLLECTORS + 2 * BYW_STAGE_REGS * BYW_UNIT_COUNT, /* most instructions in the
                                                                        * stages */
    BYW_STAGE_RING = 32, /* more cycles than operands need */
    BYW_BUS_RING = 1024, /* more cycles than a unit needs, plus one word */
    BYW_BUS_BITS = 4, /* bits per cycle, which count results up to the number of buses, at most 8 */
    BYW_BUS_WORD = 64 / BYW_BUS_BITS, /* cycles per word */
    BYW_ALU_UNITS = 16
};

#define BYW_NO_STAGED UINT8_MAX

/* An instruction in the stages.  It does not move; only its number moves. */
struct byw_staged {
    uint32_t turn; /* position in the order of issue */
    uint16_t load; /* of an exit: the load slot that keeps its warp resident until the exit has left
                      the stages */
    uint16_t latency; /* cycles that the instruction takes in its unit */
    uint8_t warp;
    uint8_t place; /* entry of the result's consumer in the warp's ring; BYW_NO_PLACE: none */
    uint8_t unit;
    uint8_t collect; /* cycles that its operands need */
    uint8_t access; /* entry in the load/store unit */
    uint8_t next; /* next number in the list of free numbers */
};

/* Registers before or after the collectors. */
struct byw_stage_regs {
    uint64_t reg; /* numbers of instructions in the order of arrival, the first one in the lowest
                   * byte */
    uint32_t count;
};

/* An arithmetic unit. */
struct byw_alu {
    uint64_t free; /* cycle from which it accepts a warp */
    uint64_t out; /* bit i: a result comes out in cycle `base` + i */
    uint64_t base;
};

struct byw_stages {
    const struct byw_config *config;
    bool on;
    uint32_t width[BYW_UNIT_COUNT], alus[BYW_UNIT_COUNT];
    uint32_t interval[BYW_UNIT_COUNT];
    uint16_t latency[BYW_CLASS_COUNT]; /* cycles in the unit, by class */
    uint8_t collect[BYW_CLASS_COUNT]; /* cycles that operands need */
    uint32_t ports, buses, writeback; /* number of ports, of result buses; writeback cycles */
    uint32_t inside; /* instructions between issue and unit */
    uint32_t in_used, out_used; /* units with registers in use, as bits */
    uint32_t out_full; /* units without a free register after the collectors */
    uint64_t closed[BYW_UNIT_COUNT]; /* all ones for a unit without a free register in front of the
                                      * collectors */
    uint32_t issued;
    struct byw_stage_regs in[BYW_UNIT_COUNT], out[BYW_UNIT_COUNT];
    uint64_t free; /* free collectors */
    uint64_t there; /* collectors whose operands have arrived */
    uint64_t reading; /* collectors whose operands have not arrived */
    uint64_t held[BYW_UNIT_COUNT]; /* by unit: collectors that hold its instructions */
    uint64_t arrive[BYW_STAGE_RING]; /* by cycle: collectors whose operands arrive in it */
    uint8_t last[BYW_STAGE_PORTS]; /* collector that each port served last */
    uint8_t collector[BYW_COLLECTORS]; /* number of the instruction in each collector */
    uint8_t first_free, fresh; /* first_free: list of freed numbers; BYW_NO_STAGED: none;
                                * fresh: lowest number never used */
    struct byw_staged staged[BYW_STAGED];
    struct byw_alu alu[BYW_UNIT_COUNT][BYW_ALU_UNITS];
    uint64_t bus_word; /* number of the current cycle's word; earlier words are empty again */
    uint64_t bus[BYW_BUS_RING / BYW_BUS_WORD]; /* by cycle: results on the bus */
};

void byw_stages_init(struct byw_stages *stages, const struct byw_config *config);

/* Warps of `lanes` lanes follow. */
void byw_stages_launch(struct byw_stages *stages, uint32_t lanes);

/* The warps of `set` whose next instruction has a free issue register. */
static inline uint64_t byw_stages_issuable(const struct byw_stages *stages,
                                           const struct byw_warps *warps, uint64_t set)
{
    uint64_t shut = 0;

    for (uint32_t u = 0; u < BYW_UNIT_COUNT; u++)
        shut |= warps->next[u] & stages->closed[u];
    return set & ~shut;
}

/* Warp w's next instruction enters in cycle `now`.  Call before byw_warps_issue(). access: its
 * entry in the load/store unit, if it is a memory instruction. */
void byw_stages_enter(struct byw_stages *stages, struct byw_warps *warps, uint32_t w,
                      uint32_t access, uint64_t now);

/* One cycle, before issue.  Returns false if nothing moved; then nothing will without the
 * load/store unit or an issue. */
bool byw_stages_step(struct byw_stages *stages, struct byw_warps *warps, struct byw_ldst *ldst,
                     uint64_t now);

#endif
