/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_ptx_gen.h - from PTX to the LLVM IR that the capture instruments.
 *
 * The IR looks like what clang makes of OpenCL C for nvptx64: kernels with pointers in address
 * spaces, work-item functions as calls.  Addresses are host addresses throughout:
 *
 *   global, const, generic   as they are; variables are the results of calls of byw_cu_at.NAME
 *   shared                   offsets into the scratchpad, of 32 bits, as in PTX; generic: plus
 *                            BYW_CL_SHARED_BASE
 *   local                    private arrays (allocas)
 *
 * An instruction that byw_ptx_rules.c does not know is looked up in two libraries by its name
 * (bfe.u32: ptx_bfe_u32): the warp library, which is inlined before the scan and counts nothing but
 * its accesses, and the arithmetic library, whose calls the scan counts as one instruction each and
 * which is inlined when the host code is made.  An instruction in neither library becomes a call
 * of a function with a special name, which marks the kernel for removal.
 *
 * Private to byw_ptx_*.c.
 */
#ifndef BYW_PTX_GEN_H
#define BYW_PTX_GEN_H

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "capture/cuda/byw_ptx.h"
#include "capture/run/byw_cl_code.h"

struct byw_ptx_gen {
    const struct byw_ptx_module *ptx;
    LLVMContextRef context;
    LLVMModuleRef module, warp, arithmetic;
    LLVMBuilderRef b;
    LLVMDIBuilderRef di;
    LLVMMetadataRef file, hidden_file, scope, hidden_scope;
    const struct byw_ptx_function *function;
    const struct byw_ptx_instruction *inst;
    LLVMValueRef value; /* of the function */
    LLVMBasicBlockRef entry; /* its allocas */
    LLVMValueRef carry; /* the carry flag; NULL until first used */
    LLVMValueRef stack, stack_top; /* of alloca: memory, and bytes of it that are free */
    uint64_t stack_bytes;
    uint64_t stack_room; /* bytes of a thread's stack for recursive functions */
    /* number of the first instruction with code; 0: code is not marked (byw_cl_code.h) */
    uint32_t marks;
    bool opencl; /* constant memory at an address in a register is a __constant argument's buffer,
                  * which the machine code reads like global memory */
    bool opens; /* the next instruction begins a basic block of the PTX */
    LLVMTypeRef i1, i8, i16, i32, i64, f32, f64, none;
    struct byw_ptx_index *index; /* of the libraries' functions; NULL until first used */
    struct byw_diag *diag;
};

/* Emits an instruction.  False: unknown form; nothing was emitted. */
typedef bool byw_ptx_rule(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst);

/* The rule for an opcode, found by its first part; NULL: none. */
byw_ptx_rule *byw_ptx_rule_of(const struct byw_ptx_instruction *inst);
byw_ptx_rule byw_ptx_rule_load, byw_ptx_rule_store, byw_ptx_rule_atomic, byw_ptx_rule_cvta,
    byw_ptx_rule_isspacep, byw_ptx_rule_call, byw_ptx_rule_mov, byw_ptx_rule_convert,
    byw_ptx_rule_branch, byw_ptx_rule_branch_table, byw_ptx_rule_return, byw_ptx_rule_library,
    byw_ptx_rule_prefetch, byw_ptx_rule_setp, byw_ptx_rule_set, byw_ptx_rule_selp,
    byw_ptx_rule_slct, byw_ptx_rule_matrix, byw_ptx_rule_group, byw_ptx_rule_mbarrier,
    byw_ptx_rule_bulk, byw_ptx_rule_cluster, byw_ptx_rule_tensormap, byw_ptx_rule_alloca,
    byw_ptx_rule_surface, byw_ptx_rule_stack;

/* Whether the rule handles the guard itself. */
bool byw_ptx_takes_guard(byw_ptx_rule *rule);

/* Whether an opcode is the plain operation, without .ftz, .sat or directed rounding; whether a type
 * is a floating-point type of the IR, or a single integer. */
bool byw_ptx_is_plain(const struct byw_ptx_instruction *inst);
bool byw_ptx_is_real(struct byw_ptx_type t);
bool byw_ptx_is_whole(struct byw_ptx_type t);
/* Applies .ftz: single-precision subnormals become zeros of the same sign. */
LLVMValueRef byw_ptx_flush(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst,
                           struct byw_ptx_type type, LLVMValueRef value);
/* Writes the result to the first operand. */
bool byw_ptx_give(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst,
                  LLVMValueRef value);

LLVMTypeRef byw_ptx_llvm_type(struct byw_ptx_gen *g, struct byw_ptx_type type);
unsigned byw_ptx_bits(LLVMTypeRef type);
/* The type of a variable's memory: an array of its size in bytes. */
LLVMTypeRef byw_ptx_array_of(struct byw_ptx_gen *g, const struct byw_ptx_symbol *symbol);

/* Truncates or extends a value to another type; is_signed: sign-extends. */
LLVMValueRef byw_ptx_cast(struct byw_ptx_gen *g, LLVMValueRef value, LLVMTypeRef type,
                          bool is_signed);

/* An operand's value converted to a type; NULL if it has no value (for example a list). */
LLVMValueRef byw_ptx_value(struct byw_ptx_gen *g, const struct byw_ptx_operand *operand,
                           struct byw_ptx_type type);
LLVMValueRef byw_ptx_value_as(struct byw_ptx_gen *g, const struct byw_ptx_operand *operand,
                              LLVMTypeRef type, bool is_signed);

/* Writes a register; the sink (_) accepts any value. False if the operand is not a register. */
bool byw_ptx_assign(struct byw_ptx_gen *g, const struct byw_ptx_operand *operand,
                    LLVMValueRef value, bool is_signed);

/* Allocates stack space in the function's entry block. */
LLVMValueRef byw_ptx_room(struct byw_ptx_gen *g, LLVMTypeRef type, const char *name);

/* A special register as an integer of 32 or 64 bits; NULL if unknown. */
LLVMValueRef byw_ptx_special(struct byw_ptx_gen *g, const char *name);

/* The address of a variable or function as seen by PTX; an offset for shared memory. */
LLVMValueRef byw_ptx_address_of(struct byw_ptx_gen *g, struct byw_ptx_symbol *symbol);
/* The pointer for the operand [..]; NULL: unknown form.  space: of the instruction. */
LLVMValueRef byw_ptx_pointer(struct byw_ptx_gen *g, const struct byw_ptx_operand *operand,
                             enum byw_ptx_space space);
enum byw_ptx_space byw_ptx_space_of(const struct byw_ptx_instruction *inst);
/* The number that represents a function's address. */
uint64_t byw_ptx_function_number(const struct byw_ptx_module *ptx,
                                 const struct byw_ptx_function *f);

/* A function without memory effects and with at most one argument, declared on first use. */
LLVMValueRef byw_ptx_marker(struct byw_ptx_gen *g, const char *name, LLVMTypeRef result);
LLVMValueRef byw_ptx_declare_function(struct byw_ptx_gen *g, const struct byw_ptx_function *f);
LLVMValueRef byw_ptx_call_function(struct byw_ptx_gen *g, LLVMValueRef function, LLVMValueRef *args,
                                   unsigned count);
/* Calls a function that is in a library. */
LLVMValueRef byw_ptx_call_library(struct byw_ptx_gen *g, const char *name, LLVMValueRef *args,
                                  unsigned count);
/* A constant of 32 bits. */
LLVMValueRef byw_ptx_number(struct byw_ptx_gen *g, uint32_t value);
/* Calls a function without arguments and results that the capture lowers, such as byw_cl_meet(). */
void byw_ptx_call_named(struct byw_ptx_gen *g, const char *name);
/* Declares the library's function of that name in the module; NULL if it has none. */
LLVMValueRef byw_ptx_library_function(struct byw_ptx_gen *g, const char *name);

/* Sets `exits` and `addressed` of the module's functions.  A function with `exits` returns whether
 * the thread has ended. */
void byw_ptx_find_exits(const struct byw_ptx_module *ptx);
/* Leaves the function; ends: the thread ends. */
void byw_ptx_leave(struct byw_ptx_gen *g, bool ends);

void byw_ptx_index_free(struct byw_ptx_index *index); /* NULL is allowed */

/* hidden: of the code that follows, only accesses to global memory are counted. */
void byw_ptx_hide(struct byw_ptx_gen *g, bool hidden);

/* Calls CUDA's runtime in place of the function f, with its result and arguments in `place`; false:
 * it is no call of the runtime that byway answers. */
bool byw_ptx_call_runtime(struct byw_ptx_gen *g, const struct byw_ptx_function *f,
                          LLVMValueRef *place);

/* Rewrites recursive functions, so that all functions can be inlined (byw_ptx_recursion.h). */
enum byw_status byw_ptx_end_recursion(struct byw_ptx_gen *g);
/* Name of a stack in a kernel that calls recursive functions: this prefix, and the number of the
 * functions. */
#define BYW_PTX_STACK_PREFIX "recursion stack "

/* All marks of the functions with code, ascending; first, last: the lowest and highest number of
 * their instructions. */
struct byw_ptx_marks {
    uint32_t *mark;
    uint32_t count, first, last;
    size_t room;
};
enum byw_status byw_ptx_find_marks(const struct byw_ptx_module *ptx, struct byw_ptx_marks *marks);
/* Emits a mark unless g->marks is 0. */
void byw_ptx_mark(struct byw_ptx_gen *g, uint32_t mark);
/* Marks which slow path the machine code of the instruction takes: for unusual operands it calls a
 * function (byw_slow_ways.h). */
void byw_ptx_slow(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst);
/* Whether the next instruction begins a basic block. */
bool byw_ptx_ends_block(const struct byw_ptx_instruction *inst);
/* Reports to a barrier in shared memory (mbarrier) that bytes have arrived; false: unknown form. */
bool byw_ptx_deliver(struct byw_ptx_gen *g, const struct byw_ptx_operand *barrier, uint32_t bytes);
/* barrier.cluster */
bool byw_ptx_cluster_barrier(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst);

#define BYW_PTX_LIBRARY_PREFIX "ptx_"
#define BYW_PTX_RUNTIME "ptx_device_runtime"
#define BYW_PTX_VARIABLE_PREFIX "byw_cu_at."
#define BYW_PTX_DYNAMIC BYW_PTX_VARIABLE_PREFIX "dynamic"

/* Generates the whole module into g->module, whose other fields up to `arithmetic` are set. */
enum byw_status byw_ptx_generate(struct byw_ptx_gen *g);

#endif
