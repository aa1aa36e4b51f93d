/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_sass.h - what a SASS opcode (Kepler to Hopper) means to the simulator.
 */
#ifndef BYW_SASS_H
#define BYW_SASS_H

#include <stddef.h>
#include <stdint.h>

#include "trace/byw_bytes.h"
#include "trace/byw_inst.h"

/* Which memory the opcode accesses. */
enum byw_sass_space {
    BYW_SASS_NONE, /* no memory */
    BYW_SASS_FIXED, /* the one that the class says */
    BYW_SASS_GENERIC, /* the address decides: global, shared or local */
};

struct byw_sass {
    uint8_t cls; /* enum byw_class; generic: as if global */
    uint8_t space; /* enum byw_sass_space */
    uint8_t width; /* bytes per lane, 0 when no memory */
    bool known;
};

/* Meaning of an opcode with its modifiers, for instance LDG.E.128.  The width is taken from the
 * modifiers (tracers report it wrongly): .U8 .S8 1, .U16 .S16 2, .64 8, .128 16, else 4.  An
 * opcode that is not in the table is an integer instruction with `known` false. */
struct byw_sass byw_sass_decode(const char *opcode, size_t length);

#endif
