/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_sass.h - the meaning of SASS opcodes (Kepler to Hopper) for the simulator.
 */
#ifndef BYW_SASS_H
#define BYW_SASS_H

#include <stddef.h>
#include <stdint.h>

#include "trace/byw_bytes.h"
#include "trace/byw_inst.h"

/* The memory that an opcode accesses. */
enum byw_sass_space {
    BYW_SASS_NONE, /* no memory */
    BYW_SASS_FIXED, /* the one implied by the class */
    BYW_SASS_GENERIC, /* determined by the address: global, shared or local */
};

struct byw_sass {
    uint8_t cls; /* enum byw_class; generic: the class for global memory */
    uint8_t space; /* enum byw_sass_space */
    uint8_t width; /* bytes per lane; 0 if there is no memory access */
    bool known;
};

/* Meaning of an opcode with its modifiers, for example LDG.E.128.  The width is taken from the
 * modifiers, because tracers report it wrongly: .U8 .S8 1, .U16 .S16 2, .64 8, .128 16, else 4.  An
 * opcode that is not in the table is an integer instruction with `known` false. */
struct byw_sass byw_sass_decode(const char *opcode, size_t length);

#endif
