/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_shadow.h - checks the bypasses of a predictor (paper 002): would the line have been reused if
 * it had been cached?
 *
 * A tag array with the geometry and replacement of the L1, in which no load bypasses.  It sees
 * every access that the L1 accepts.  A load that the predictor makes bypass allocates here like any
 * other and marks its sector.  A later load that finds a marked sector is a false positive: it
 * would have hit.  The mark is then cleared, so a bypass counts once.  Stores and atomics do to the
 * lines what they do in the L1 (l1d.store_hit).  A kernel start drops everything.  This is
 * accounting in the model only: it changes nothing else and has no hardware.
 */
#ifndef BYW_SHADOW_H
#define BYW_SHADOW_H

#include "common/byw_config.h"
#include "l1d/byw_l1d_ports.h"
#include "record/byw_repl.h"

enum { BYW_SHADOW_PIPE = 8 }; /* more than an L1 holds between its port and its decision */

struct byw_shadow_line {
    uint64_t line; /* UINT64_MAX: none */
    uint8_t there, marked; /* sectors present; sectors marked; one bit per sector */
};

struct byw_shadow {
    struct byw_geometry geo;
    struct byw_repl_side repl;
    uint32_t sector_bytes;
    bool evicts; /* a store drops the sector that it hits */
    struct {
        uint64_t line;
        uint32_t pc;
        uint8_t sector, op;
    } pipe[BYW_SHADOW_PIPE]; /* accepted at the port, not yet decided */
    uint32_t first, count;
    struct byw_set **set; /* only the replacement state is used */
    struct byw_shadow_line *lines;
};

/* If not `on`, it uses no memory and ignores all accesses.  BYW_ENOMEM. */
enum byw_status byw_shadow_init(struct byw_shadow *shadow, const struct byw_config *config,
                                bool on);
void byw_shadow_release(struct byw_shadow *shadow);

/* Drops every line, as a kernel start does. */
void byw_shadow_clear(struct byw_shadow *shadow);

/* A load, store or atomic to a sector is accepted. passes: the predictor makes a load bypass.
 * Returns whether the load shows that an earlier bypass was wrong. */
bool byw_shadow_access(struct byw_shadow *shadow, uint64_t line, uint32_t sector, uint8_t op,
                       uint32_t pc, bool passes);

/* A cycle of the L1.  Returns whether the load decided in it shows that a bypass was wrong. */
bool byw_shadow_step(struct byw_shadow *shadow, const struct byw_l1d_in *in,
                     const struct byw_l1d_out *out);

#endif
