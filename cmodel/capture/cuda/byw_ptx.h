/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_ptx.h - a module of PTX as a tree: variables, functions, instructions.
 *
 * byw_ptx_parse() reads PTX of ISA versions 6 to 9.  The tree keeps opcodes as lists of their
 * parts (ld, global, nc, v2, f32) and resolves names; only byw_ptx_rules.c knows which
 * instructions exist and what they mean.
 */
#ifndef BYW_PTX_H
#define BYW_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/byw_status.h"

/* Fundamental types: the letter says how to interpret the bits. */
struct byw_ptx_type {
    char kind; /* u, s, b, f (16: half, 32, 64), g (bfloat16), p (predicate), 0: no type */
    uint8_t lanes; /* 2 of packed types, else 1 */
    uint16_t bits; /* of all lanes together */
};

/* Reads "u32" or ".u32"; kind 0: not a type. */
struct byw_ptx_type byw_ptx_type_of(const char *text, size_t length);

enum byw_ptx_space {
    BYW_PTX_GENERIC,
    BYW_PTX_REG,
    BYW_PTX_GLOBAL,
    BYW_PTX_CONST,
    BYW_PTX_SHARED,
    BYW_PTX_LOCAL,
    BYW_PTX_PARAM
};

enum byw_ptx_kind { BYW_PTX_VARIABLE, BYW_PTX_FUNCTION, BYW_PTX_LABEL, BYW_PTX_PROTOTYPE };

struct byw_ptx_function;
struct byw_ptx_operand;

/* Kinds of symbols. */
struct byw_ptx_symbol {
    const char *name;
    enum byw_ptx_kind kind;
    enum byw_ptx_space space;
    struct byw_ptx_type type;
    uint32_t vector; /* elements of a vector register, else 1 */
    uint32_t align; /* bytes, 0 natural */
    uint64_t count; /* elements of an array; 1: scalar; 0: extern, size set at launch */
    bool array, external, visible;
    bool is_pointer; /* a parameter that the kernel uses as a global address */
    struct byw_ptx_operand *init; /* flat list of initial values */
    uint32_t inits;
    struct byw_ptx_function *function; /* of the name of a function, or of a prototype */
    struct byw_ptx_operand *targets; /* of .branchtargets and .calltargets */
    uint32_t line;
    void *handle; /* LLVM value or block, set by the generator */
    uint32_t number;
};

enum byw_ptx_operand_kind {
    BYW_PTX_OP_NAME, /* symbol, plus offset */
    BYW_PTX_OP_SPECIAL, /* %tid.x: name */
    BYW_PTX_OP_INTEGER,
    BYW_PTX_OP_FLOAT,
    BYW_PTX_OP_DOUBLE,
    BYW_PTX_OP_LIST, /* { } or ( ) */
    BYW_PTX_OP_ADDRESS, /* [ ]: list */
    BYW_PTX_OP_PAIR, /* a|b: list of two */
    BYW_PTX_OP_SINK /* _ */
};

struct byw_ptx_operand {
    enum byw_ptx_operand_kind kind;
    struct byw_ptx_symbol *symbol;
    const char *name;
    uint64_t value;
    int64_t offset;
    bool negated; /* !%p */
    uint8_t element; /* 1 + index of a vector register's element (%r.y), 0 all of it */
    bool indexed; /* array[4], array[%r1+4]: the constant part of the index is in `offset` */
    struct byw_ptx_symbol *index; /* the register of the index; NULL: none */
    struct byw_ptx_operand *list;
    uint32_t count;
};

#define BYW_PTX_PARTS 20
#define BYW_PTX_OPERANDS 10

struct byw_ptx_instruction {
    struct byw_ptx_symbol *label; /* not NULL: a label rather than an instruction */
    const char *opcode; /* as written */
    const char *part[BYW_PTX_PARTS]; /* the opcode split at its dots */
    uint32_t parts;
    struct byw_ptx_operand operand[BYW_PTX_OPERANDS];
    uint32_t operands;
    struct byw_ptx_operand guard; /* predicate; symbol NULL: none */
    uint32_t line; /* of the PTX */
    uint32_t number; /* among the instructions of the text, from 1; labels: 0 */
    uint32_t source_line; /* of the program; 0: unknown */
};

struct byw_ptx_function {
    const char *name;
    bool entry, defined, noreturn;
    /* it, or a function that it calls, ends the thread by `exit`; set by the generator */
    bool exits;
    /* its address is taken, so that an indirect call may reach it; set by the generator */
    bool addressed;
    bool unwanted; /* a kernel for which no code is generated */
    struct byw_ptx_symbol **result, **param, **local;
    uint32_t results, params, locals;
    struct byw_ptx_instruction *code;
    uint32_t length, room;
    uint32_t required[3], most[3]; /* .reqntid, .maxntid; 0 none */
    uint32_t cluster[3]; /* .reqnctapercluster; 0 none */
    bool clustered; /* .explicitcluster: launches must have clusters */
    uint32_t most_blocks; /* .maxclusterrank; 0 none */
    uint32_t line;
};

struct byw_ptx_module {
    uint32_t version, target; /* 90: version 9.0; 90: sm_90 */
    struct byw_ptx_symbol **variable; /* of the module */
    uint32_t variables;
    struct byw_ptx_function **function;
    uint32_t functions;
    struct byw_ptx_memory *memory; /* all memory of the tree */
};

/* Several modules in one text are read as linked units; each begins with .version. Errors name
 * the line and what was expected there.  BYW_EFORMAT, BYW_ENOMEM. */
enum byw_status byw_ptx_parse(const char *text, size_t length, struct byw_ptx_module *module,
                              struct byw_diag *diag);
void byw_ptx_module_release(struct byw_ptx_module *module);

/* Whether `part` is a part of the opcode.  _type_at: the opcode's n-th type (kind 0 if it has
 * fewer).  _type_name: the first one's name. */
bool byw_ptx_has(const struct byw_ptx_instruction *inst, const char *part);
const char *byw_ptx_type_name(const struct byw_ptx_instruction *inst); /* "" if it has none */
struct byw_ptx_type byw_ptx_type_at(const struct byw_ptx_instruction *inst, uint32_t n);

#endif
