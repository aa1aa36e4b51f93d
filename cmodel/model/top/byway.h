/* SPDX-License-Identifier: Apache-2.0
 *
 * byway.h - the stable C interface of the golden model: the L1 of one SM, with the ports of
 * byw_sm_l1.v by name.  It needs no other header of byway, and its types are those that DPI-C
 * passes, so a SystemVerilog bench imports these functions directly
 * (rtl/sv/byw_sm_l1_scoreboard.sv).
 *
 * In each cycle: put every input as it is at the clock edge, step, get the outputs of that cycle.
 * Ports have up to 1024 bits: BYWAY_WORDS words of 32 bits, the lowest bits first.  An object must
 * be used by one thread at a time; any number of objects may exist.
 *
 * BYWAY_ABI is also the number in the name of the shared library, libbyway.so.1. It changes when a
 * function changes or disappears, not when a function or a port is added.
 */
#ifndef BYWAY_H
#define BYWAY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BYWAY_ABI 1
#define BYWAY_WORDS 32

struct byway_l1;

/* A cache with these parameters of byw_sm_l1, "SETS=64 DATA_WAYS=2 ..."; the others have their
 * defaults.  Check byway_l1_error() before use.  NULL: out of memory. */
struct byway_l1 *byway_l1_create(const char *parameters);
void byway_l1_free(struct byway_l1 *l1); /* accepts NULL */

/* One sentence on what is wrong with the parameters, or with the settings taken at the last reset
 * or restart; empty if nothing is.  Valid until the next call with this object. */
const char *byway_l1_error(const struct byway_l1 *l1);

/* Number of a port by its name ("req_line_i"); -1: there is none. */
int byway_l1_port(const char *name);

/* Bits of a port with the parameters of this cache; 0: there is no such port. */
int byway_l1_width(const struct byway_l1 *l1, int port);

/* Sets an input.  Outputs and clk_i are ignored. */
void byway_l1_put(struct byway_l1 *l1, int port, const uint32_t *value);

/* One cycle: its outputs, then the clock edge.  Until the first cycle with rst_i no output is
 * defined. */
void byway_l1_step(struct byway_l1 *l1);

/* An output of the last cycle.  Bits that are 0 in `defined` have no meaning in this cycle: payload
 * without its valid, everything during a reset. */
void byway_l1_get(const struct byway_l1 *l1, int port, uint32_t *value, uint32_t *defined);

#ifdef __cplusplus
}
#endif

#endif
