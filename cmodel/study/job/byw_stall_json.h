/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_stall_json.h - what each machine instruction of a run waited for, as JSON.
 *
 * Member `stalls`: an object with `causes` (name: what is waited for) and `kernels`, by their first
 * launches.  A kernel has
 *
 *   kernel (its symbol), title (as its programmer writes it), first_launch (from 1), launches
 *   cycles (of all its launches), warp_instructions, machine_instructions (those of them that were
 *   timed by machine code)
 *   of the first launch: grid, block, warp_size, shared_bytes, registers, ctas_per_sm (that fit),
 *   warps_per_sm (of these), warps_most (of the machine), limit (ctas, warps, registers, shared,
 *   grid)
 *   arch, warp_cycles (for which warps with machine code were resident), cycles_by_cause (their sum
 *   is warp_cycles), complete (false: memory ran out), and `instructions` without the padding at
 *   the end of the code.  Each has
 *
 *   index, op, unit, ptx (number of the PTX instruction), source (line of the source), stall,
 *   sets (barriers, as "w0 r1"), waits (mask), target, bytes, predicated: of the code, if not 0
 *   issued, threads, cycles (by cause; without `issued`)
 *   waits_for   list of {index, cause, cycles}: instructions that it waited for, most cycles first
 *   requests, sectors   of an access to memory; loads also have hits, fills, bypasses (requests by
 *                       what answered them) and by_l1, by_l2, by_dram (loads by the level that
 *                       answered their slowest sector)
 *
 * Causes and counters that are 0 are left out.
 */
#ifndef BYW_STALL_JSON_H
#define BYW_STALL_JSON_H

#include <jansson.h>

#include "sim/gpu/byw_stall_book.h"

/* New reference; NULL if out of memory. */
json_t *byw_stall_json(const struct byw_stall_book *book);

/* One kernel of the list; a new reference.  _causes: the member of that name. */
json_t *byw_stall_kernel_json(const struct byw_stall_kernel *kernel);
json_t *byw_stall_causes_json(void);

/* The sums by cause of all kernels: an object with `warp_cycles` and the causes. */
json_t *byw_stall_sums_json(const struct byw_stall_book *book);

#endif
