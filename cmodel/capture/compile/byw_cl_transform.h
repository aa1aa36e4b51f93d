/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_transform.h - from the GPU bitcode of a program to host bitcode of the same program.
 *
 * Everything here works on LLVM modules through the C API and is only needed when a program is not
 * in the cache.  The steps, in this order:
 *
 *   prepare     inline all helpers into the kernels, expand 64-bit atomics that libclc lacks, leave
 *               out kernels that cannot run
 *   arrays      take kernels with fewer private arrays from a build with more unrolling
 *   join        neighbouring accesses become vector accesses, as in the GPU's machine code
 *   scan        (byw_cl_scan.h) read each kernel as warp instructions
 *   instrument  log part numbers and addresses (traced programs only)
 *   loops       (byw_cl_loops.h) untraced kernels become loops over work-items, where that is
 *               possible
 *   lower       scratchpad, private arrays, work-item functions and barriers to host memory and
 *               calls
 *   wrap        one entry per kernel, and the export table of byw_cl_code.h
 */
#ifndef BYW_CL_TRANSFORM_H
#define BYW_CL_TRANSFORM_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>
#include <stddef.h>

#include "capture/compile/byw_cl_scan.h"
#include "capture/run/byw_cl_code.h"
#include "common/byw_status.h"

/* A kernel during the compilation steps. */
struct byw_cl_unit {
    LLVMValueRef function;
    char name[128];
    struct byw_cl_scan scan;
    struct byw_cl_arg *arg; /* NULL: byw_cl_read_args() reads them from the function */
    uint32_t args;
    uint32_t shared_bytes, private_bytes, registers, compiled_registers, required[3];
    struct byw_cl_marks *marks; /* owned; NULL: no machine code is wanted */
    void *blob;
    /* where a kernel that loops over work-items counts iterations: of the current work-item, and of
     * all of them together; NULL: not needed */
    LLVMValueRef left, rounds;
    size_t blob_size;
};

/* A variable at program scope once it has an address; `start` holds its initial value. */
struct byw_cl_placed {
    uint64_t address, size;
    LLVMValueRef start;
};

struct byw_cl_module {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTypeRef word; /* i64 */
    LLVMTypeRef item; /* [BYW_CL_ITEM_WORDS x i64] */
    LLVMValueRef record; /* the work-item record */
    LLVMValueRef meter[3]; /* functions that count iterations (enum byw_cl_meter) */
    LLVMValueRef waiter[2]; /* functions called where a loop that waits idly repeats */
    struct byw_cl_unit *unit;
    uint32_t units;
    struct byw_cl_placed *variable; /* set by byw_cl_lower_variables() */
    uint32_t variables;
    bool lenient; /* see byw_cl_code.h */
    const char *report; /* see byw_cl_workshop_assemble() */
    const char *machine_why; /* why kernels without marks have no machine code; NULL: it was not
                              * asked for */
    /* Hooks of a front end, or NULL: called once all kernels are lowered, and once the module's
     * target is the host. */
    void (*lowered)(struct byw_cl_module *m);
    enum byw_status (*targeted)(struct byw_cl_module *m, struct byw_diag *diag);
};

/* Expands a call of the atomics library; false if the call is another one. */
bool byw_cl_write_atomic_call(struct byw_cl_module *m, LLVMBuilderRef b, LLVMValueRef call);
enum byw_status byw_cl_load_module(struct byw_cl_module *m, const char *bitcode,
                                   struct byw_diag *diag); /* into m->context */
/* Gives the program its own copy of libclc's tables, which exist in every program. */
void byw_cl_make_private(struct byw_cl_module *m);
enum byw_status byw_cl_prepare(struct byw_cl_module *m, struct byw_diag *diag);
/* Joins neighbouring accesses into vector accesses, as nvptx's code generator does before
 * instruction selection: clang's optimiser splits vector loads whose elements are used one by one,
 * but PTX keeps them whole. Needs the GPU's data layout. */
enum byw_status byw_cl_join_accesses(struct byw_cl_module *m, struct byw_diag *diag);
/* Replaces kernels of a prepared module with those of another build of the program that need fewer
 * bytes of private arrays. */
enum byw_status byw_cl_take_unrolled(struct byw_cl_module *m, const char *bitcode,
                                     struct byw_diag *diag);
/* Runs passes, named as for opt; machine: the target that they query, or NULL. */
enum byw_status byw_cl_run_passes(struct byw_cl_module *m, const char *passes,
                                  LLVMTargetMachineRef machine, struct byw_diag *diag);
/* Adds the log to a traced kernel. An untraced kernel only counts iterations, unless its lanes
 * meet: it then also needs the log, which shows where each lane is. */
void byw_cl_instrument(struct byw_cl_module *m, struct byw_cl_unit *unit, bool traced);
/* Counts iterations in a kernel that becomes a loop over work-items (byw_cl_loops.h). */
struct byw_cl_plan;
void byw_cl_instrument_loops(struct byw_cl_module *m, struct byw_cl_unit *unit,
                             const struct byw_cl_plan *plan);
void byw_cl_lower(struct byw_cl_module *m);
/* Adds a private array to a kernel's private memory; returns its offset. */
uint32_t byw_cl_place_array(struct byw_cl_unit *unit, LLVMTargetDataRef layout, LLVMValueRef array);
/* Gives variables at program scope addresses, and creates the list BYW_CL_VARIABLES. */
enum byw_status byw_cl_lower_variables(struct byw_cl_module *m, struct byw_diag *diag);
void byw_cl_list_variables(struct byw_cl_module *m);
bool byw_cl_can_lower(LLVMValueRef call); /* whether a kernel may call this function */
enum byw_status byw_cl_read_args(struct byw_cl_module *m, struct byw_cl_unit *unit);
void byw_cl_wrap(struct byw_cl_module *m);

/* The counter of loop iterations. _open creates it, a local variable. _check is the check at the
 * head of a loop (cursor: the local cursor, NULL if untraced); _loops is the same in a kernel that
 * loops over work-items. _exits notes how a work-item leaves. */
enum byw_cl_meter { BYW_CL_METER_PLAIN, BYW_CL_METER_TRACED, BYW_CL_METER_LOOPS };
LLVMValueRef byw_cl_meter_open(struct byw_cl_module *m, struct byw_cl_unit *unit, LLVMBuilderRef b);
void byw_cl_meter_check(struct byw_cl_module *m, LLVMBuilderRef b, uint32_t part, LLVMValueRef left,
                        LLVMValueRef cursor);
void byw_cl_meter_loops(struct byw_cl_module *m, LLVMBuilderRef b, uint32_t part, LLVMValueRef left,
                        LLVMValueRef linear); /* NULL: the current work-item */
/* Adds a call at the head of an idle waiting loop, in place of the check for endless loops. */
void byw_cl_meter_wait(struct byw_cl_module *m, const struct byw_cl_unit *unit, LLVMBuilderRef b,
                       uint32_t part, LLVMValueRef cursor);
void byw_cl_meter_exits(struct byw_cl_module *m, struct byw_cl_unit *unit);
LLVMValueRef byw_cl_call_runtime(struct byw_cl_module *m, LLVMBuilderRef b, unsigned function_word,
                                 LLVMValueRef part);

/* Replaces a printf by a call of byw_cl_print() (byw_cl_print.h). */
void byw_cl_lower_printf(struct byw_cl_module *m, LLVMBuilderRef b, LLVMValueRef call);

/* Emits code that loads or stores word `index` of the work-item record. */
LLVMValueRef byw_cl_record_load(struct byw_cl_module *m, LLVMBuilderRef b, unsigned index);
void byw_cl_record_store(struct byw_cl_module *m, LLVMBuilderRef b, unsigned index,
                         LLVMValueRef value);

/* Whether a second build with more unrolling would help: some function has a private array. */
bool byw_cl_keeps_arrays(const char *bitcode);

void byw_cl_drop_attributes(LLVMValueRef function);

/* Runs all steps from `scan` onwards on a prepared module, and writes the file `output`. */
enum byw_status byw_cl_transform_module(struct byw_cl_module *m, const char *output, bool traced,
                                        uint64_t *instructions, struct byw_diag *diag);
void byw_cl_module_release(struct byw_cl_module *m);

/* Reads bitcode from file `input`, and from `unrolled` (NULL: none) the same program with more
 * unrolling; writes host bitcode to file `output`. report: byw_cl_workshop_assemble(). Kernels with
 * unsupported features (images, for one) are left out; *diag then names them, also on BYW_OK.
 * BYW_EUNSUPPORTED if no kernel remains. *instructions: size of the kernels before the log is
 * added. */
enum byw_status byw_cl_transform(const char *input, const char *unrolled, const char *report,
                                 const char *machine_why, const char *output, bool traced,
                                 uint64_t *instructions, struct byw_diag *diag);

#endif
