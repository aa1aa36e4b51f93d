/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_hot_lines.h - the lines of a kernel at which its warps waited most, from the member `stalls`
 * of a result (byw_stall_json.h).
 *
 * A line is one of the source; without line information, a PTX instruction, or a machine
 * instruction.  Cycles belong to the line of the instruction that waits.
 */
#ifndef BYW_HOT_LINES_H
#define BYW_HOT_LINES_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/sm/byw_stalls.h"

enum byw_hot_kind { BYW_HOT_SOURCE, BYW_HOT_PTX, BYW_HOT_MACHINE };

struct byw_hot_line {
    uint32_t line;
    uint64_t cycles; /* cycles for which warps waited at this line */
    enum byw_stall cause; /* the cause of most of these cycles */
    uint64_t cause_cycles;
    /* the instruction that was waited for longest; on_cycles 0: none */
    uint32_t on_line, on_index;
    const char *on_op; /* owned by the result */
    uint64_t on_cycles;
};

struct byw_hot_lines {
    enum byw_hot_kind kind;
    uint64_t warp_cycles;
    size_t count;
    struct byw_hot_line *line; /* most cycles first; those without any are left out */
};

/* kernel: one of the list; the result must outlive the lines.  BYW_ENOMEM. */
enum byw_status byw_hot_lines_find(const json_t *kernel, struct byw_hot_lines *lines);
void byw_hot_lines_release(struct byw_hot_lines *lines);

/* "line", "PTX instruction", "machine instruction". */
const char *byw_hot_kind_name(enum byw_hot_kind kind);

/* The cause with that name; BYW_STALLS: none has it. */
enum byw_stall byw_hot_cause(const char *name);

#endif
