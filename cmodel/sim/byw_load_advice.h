/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_load_advice.h - advice per load, from a file: which hint the loads of which instruction carry
 * (MECHANISMS 6.2).
 *
 * A line is `KERNEL PLACE HINT`, # starts a comment:
 *
 *   KERNEL   name of a kernel, * for all
 *   PLACE    pc:0x60, line:15 (of the source, every load there), * for every load of the kernel
 *   HINT     none, bypass (.cg), stream (.cs), cache (.ca), volatile (.cv), nontemporal
 *
 * Volatile and nontemporal are RDNA2's flags, with what they do below the L1D: a volatile load
 * misses and evicts in a GL1, too, and what a nontemporal one brings into the L2 is the next to go;
 * the L1D treats the latter like any other load.
 *
 * A line `KERNEL sites STAMP` says which code the advice is about: a kernel of that name with other
 * static accesses (byw_load_stamp) is refused, for its PCs may mean other loads.
 *
 * Of several lines that fit a load the last one counts.  `byway trace info --sites` shows kernels,
 * PCs and source lines.  Global loads only; a load without advice carries what hint.loads says.
 */
#ifndef BYW_LOAD_ADVICE_H
#define BYW_LOAD_ADVICE_H

#include "common/byw_status.h"
#include "trace/byw_inst.h"

struct byw_load_advice;

/* A hint that no level above the L2 knows, beside enum byw_hint. */
enum { BYW_ADVICE_NONTEMPORAL = 5 };

/* The hints of one kernel's loads, by PC. */
struct byw_load_hints {
    bool levels; /* set by the caller: nontemporal in the code is BYW_ADVICE_NONTEMPORAL, for the L2
                    alone; else it is .cs */
    bool any; /* the kernel has advice */
    bool all; /* every load, but for the list below, has `rest` */
    uint8_t rest; /* enum byw_hint, or BYW_ADVICE_NONTEMPORAL */
    uint32_t count, room;
    struct byw_load_hint {
        uint32_t pc;
        uint8_t hint;
    } * list; /* by rising PC */
};

/* BYW_EIO, BYW_EFORMAT with the file, the line and what was expected; BYW_ENOMEM. */
enum byw_status byw_load_advice_read(const char *path, struct byw_load_advice **advice,
                                     struct byw_diag *diag);
void byw_load_advice_free(struct byw_load_advice *advice); /* NULL is allowed */

/* Without a file: NULL when memory is short; a row KERNEL pc:N HINT, false when it is. */
struct byw_load_advice *byw_load_advice_empty(void);
bool byw_load_advice_add(struct byw_load_advice *advice, const char *kernel, uint32_t pc,
                         uint8_t hint);

/* What a kernel's code says about its loads (volatile, nontemporal: byw_site.flags), and over that
 * the file (NULL: none); hints: zero at first but for `levels`, used again for each launch.
 * BYW_EFORMAT: the kernel's code is not the one that the file is about; BYW_ENOMEM. */
enum byw_status byw_load_advice_for(struct byw_load_advice *advice, const struct byw_kernel *kernel,
                                    struct byw_load_hints *hints, struct byw_diag *diag);
void byw_load_hints_release(struct byw_load_hints *hints);

/* Sets *hint if the load at this PC has advice. */
void byw_load_hint(const struct byw_load_hints *hints, uint32_t pc, uint8_t *hint);

/* Identity of a kernel's static accesses, whatever their source lines; 0: the trace has no list. */
uint32_t byw_load_stamp(const struct byw_kernel *kernel);

/* A hint's word in such a file; false when there is no such word. */
const char *byw_load_hint_word(uint8_t hint);
bool byw_load_hint_read(const char *word, uint8_t *hint);

/* Line of the first row that no load of any kernel so far has fitted; 0 if there is none. */
uint32_t byw_load_advice_unused(const struct byw_load_advice *advice);

#endif
