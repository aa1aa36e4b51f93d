/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_ptx_reader.h - state of the parser, its memory and names (byw_ptx_scope.c) and tokens
 * (byw_ptx_reader.c).  Private to these and byw_ptx_parse.c, byw_ptx_declare.c, byw_ptx_code.c.
 */
#ifndef BYW_PTX_READER_H
#define BYW_PTX_READER_H

#include "capture/cuda/byw_ptx.h"
#include "capture/machine/byw_ptx_lex.h"

#define BYW_PTX_BUCKETS 4096u

struct byw_ptx_name {
    struct byw_ptx_symbol *symbol;
    const char *text; /* as written in the source; the symbol may be renamed */
    struct byw_ptx_name *next;
    uint32_t depth;
};

/* Position given by .loc: a file, a line, and the position into which the code was inlined. */
struct byw_ptx_loc {
    uint32_t file, line, column, at_file, at_line, at_column;
};

struct byw_ptx_reader {
    struct byw_ptx_lexer lexer;
    struct byw_ptx_module *module;
    struct byw_diag *diag;
    enum byw_status status;
    struct byw_ptx_function *function; /* the function whose body is being read */
    struct byw_ptx_name *bucket[BYW_PTX_BUCKETS];
    uint32_t depth; /* nesting depth of scopes: 0 module, 1 parameters, 2 body */
    struct byw_ptx_loc *loc; /* of the function */
    uint32_t locs, loc_room;
    uint32_t source_line; /* of the next instruction */
    uint8_t *system; /* per .file: 1 for a header of the toolkit or the system */
    uint32_t files;
    uint32_t unit; /* index among units that are read as one module */
    uint32_t instructions; /* read so far */
};

/* Memory of the tree: zeroed; NULL sets r->status. */
void *byw_ptx_take(struct byw_ptx_reader *r, size_t size);
char *byw_ptx_copy(struct byw_ptx_reader *r, const char *text, size_t length);
/* Makes room for one more element of a list of the tree; may move the list. */
void *byw_ptx_grow(struct byw_ptx_reader *r, void *list, uint32_t count, size_t size);
void byw_ptx_memory_free(struct byw_ptx_memory *memory);

/* A new symbol of the current scope; its name is copied. */
struct byw_ptx_symbol *byw_ptx_declare(struct byw_ptx_reader *r, const char *name, size_t length,
                                       enum byw_ptx_kind kind);
/* The symbol with a name; NULL if there is none. Registers of a range (%r<10>) are created on first
 * use. */
struct byw_ptx_symbol *byw_ptx_find(struct byw_ptx_reader *r, const char *name, size_t length);
/* Removes the name of the most recently declared symbol. */
void byw_ptx_forget(struct byw_ptx_reader *r, const struct byw_ptx_symbol *symbol);
/* Begins another unit, which sees only what earlier units export. */
void byw_ptx_open_unit(struct byw_ptx_reader *r);
void byw_ptx_scope_open(struct byw_ptx_reader *r);
/* Labels used but not defined in the scope become labels of the outer scope. */
void byw_ptx_scope_close(struct byw_ptx_reader *r);

/* Sets r->status and reports what was expected at the current token. */
void byw_ptx_expected(struct byw_ptx_reader *r, const char *what);
/* Skips a token that must be present. */
void byw_ptx_take_mark(struct byw_ptx_reader *r, char mark);

/* Reads the operand at the current token (byw_ptx_code.c). */
bool byw_ptx_read_operand(struct byw_ptx_reader *r, struct byw_ptx_operand *operand);
/* Reads the statement at the current token; not a declaration. */
void byw_ptx_read_statement(struct byw_ptx_reader *r);
void byw_ptx_read_loc(struct byw_ptx_reader *r);

/* _integer reads a number.  _word skips a word if it is the current token. */
uint64_t byw_ptx_take_integer(struct byw_ptx_reader *r);
bool byw_ptx_take_word(struct byw_ptx_reader *r, const char *word);

/* Variables, registers, parameters (byw_ptx_declare.c): from the state space to the semicolon.
 * _read_declaration: false if the current token does not begin one. */
bool byw_ptx_is_space(struct byw_ptx_reader *r, enum byw_ptx_space *space);
void byw_ptx_read_variables(struct byw_ptx_reader *r, bool external, bool visible);
bool byw_ptx_read_declaration(struct byw_ptx_reader *r);
/* ( .param .b32 x, .reg .u32 y ) */
void byw_ptx_read_params(struct byw_ptx_reader *r, struct byw_ptx_symbol ***list, uint32_t *count);

#endif
