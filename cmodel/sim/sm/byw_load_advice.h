/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_load_advice.h - advice per load from a file: which hint the loads of each instruction carry
 * (mechanisms/hints.md 6.2).
 *
 * A line is `KERNEL PLACE HINT`, # starts a comment:
 *
 *   KERNEL   name of a kernel, * for all
 *   PLACE    pc:0x60, line:15 (every load of that source line), * (every load of the kernel)
 *   HINT     none, bypass (L1::no_allocate, .cg), stream (.cs), cache (.ca), volatile (.cv),
 *            nontemporal
 *
 * policy.bypass_on_hit says whether the L1D serves a bypassed load that finds its line.  A volatile
 * load is never served, like the .cg loads of recent NVIDIA GPUs.  Loads from __constant buffers
 * take no hint: * leaves them out.
 *
 * Volatile and nontemporal are RDNA2's flags and also apply below the L1D.  A volatile load misses
 * and evicts in a GL1, too.  A line that a nontemporal load brings into the L2 is the next victim;
 * the L1D treats nontemporal loads like any other.
 *
 * A line `KERNEL sites STAMP` identifies the code that the advice is about.  A kernel of that name
 * with other static accesses (byw_load_stamp) is rejected, because its PCs may belong to other
 * loads.
 *
 * If several lines match a load, the last one wins.  `byway trace info --sites` shows kernels, PCs
 * and source lines.  Advice applies to global loads only.  A load without advice carries the hint
 * of hint.loads.
 */
#ifndef BYW_LOAD_ADVICE_H
#define BYW_LOAD_ADVICE_H

#include "common/byw_status.h"
#include "trace/byw_inst.h"

struct byw_load_advice;

/* A hint that only the L2 acts on, in addition to enum byw_hint. */
enum { BYW_ADVICE_NONTEMPORAL = 5 };

/* The hints of one kernel's loads, by PC. */
struct byw_load_hints {
    bool levels; /* set by the caller. True: nontemporal in the code means BYW_ADVICE_NONTEMPORAL,
                    which only the L2 obeys; false: it means .cs */
    bool any; /* the kernel has advice */
    bool all; /* every load except those in `list` has `rest` */
    uint8_t rest; /* enum byw_hint, or BYW_ADVICE_NONTEMPORAL */
    uint32_t count;
    size_t room;
    struct byw_load_hint {
        uint32_t pc;
        uint8_t hint;
    } * list; /* hints, by ascending PC */
};

/* BYW_EIO, or BYW_EFORMAT with file, line and the expected form; BYW_ENOMEM. */
enum byw_status byw_load_advice_read(const char *path, struct byw_load_advice **advice,
                                     struct byw_diag *diag);
void byw_load_advice_free(struct byw_load_advice *advice); /* accepts NULL */

/* Advice without a file.  _empty: NULL if out of memory.  _add: a row KERNEL pc:N HINT; _add_all: a
 * row * * HINT; false if out of memory. */
struct byw_load_advice *byw_load_advice_empty(void);
bool byw_load_advice_add(struct byw_load_advice *advice, const char *kernel, uint32_t pc,
                         uint8_t hint);
bool byw_load_advice_add_all(struct byw_load_advice *advice, uint8_t hint);

/* Combines the hints in a kernel's code (volatile, nontemporal: byw_site.flags) with those of the
 * file, which have priority; advice = NULL: no file. hints: zeroed before the first launch except
 * for `levels`, then reused.  BYW_EFORMAT: the file is about other code; BYW_ENOMEM. */
enum byw_status byw_load_advice_for(struct byw_load_advice *advice, const struct byw_kernel *kernel,
                                    struct byw_load_hints *hints, struct byw_diag *diag);
void byw_load_hints_release(struct byw_load_hints *hints);

/* Sets *hint if the load at this PC has advice. */
void byw_load_hint(const struct byw_load_hints *hints, uint32_t pc, uint8_t *hint);

/* Hash of a kernel's static accesses, independent of source lines; 0: the trace has no list. */
uint32_t byw_load_stamp(const struct byw_kernel *kernel);

/* A hint's word in such a file.  _read: false if there is no such word. */
const char *byw_load_hint_word(uint8_t hint);
bool byw_load_hint_read(const char *word, uint8_t *hint);

/* Line of the first row that has matched no load of any kernel so far; 0 if there is none. */
uint32_t byw_load_advice_unused(const struct byw_load_advice *advice);

#endif
