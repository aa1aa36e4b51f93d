/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_ptx_lex.h - tokens of PTX text.
 *
 * A word is a sequence of letters, digits, '_', '$', '%', '.' and "::": an opcode with all
 * modifiers, a directive, a register or a label.  Comments are skipped; lines are counted from 1.
 */
#ifndef BYW_PTX_LEX_H
#define BYW_PTX_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum byw_ptx_token {
    BYW_PTX_END,
    BYW_PTX_WORD,
    BYW_PTX_INTEGER,
    BYW_PTX_FLOAT, /* value: bits of a float (0f...) */
    BYW_PTX_DOUBLE, /* value: bits of a double (0d... or decimal) */
    BYW_PTX_STRING,
    BYW_PTX_MARK, /* one character of punctuation, in `mark` */
    BYW_PTX_BAD /* a character that PTX does not use, in `mark`, or an unclosed string */
};

struct byw_ptx_lexer {
    const char *at, *end;
    uint32_t line;
    /* the token that was read last */
    enum byw_ptx_token token;
    const char *text; /* word, or string without its quotes; not ended by NUL */
    size_t length;
    uint64_t value;
    char mark;
    uint32_t token_line;
};

void byw_ptx_lexer_open(struct byw_ptx_lexer *lexer, const char *text, size_t length);

/* Reads the next token into the lexer and returns it. */
enum byw_ptx_token byw_ptx_next(struct byw_ptx_lexer *lexer);

/* Whether the current token is that word, or that mark. */
bool byw_ptx_is_word(const struct byw_ptx_lexer *lexer, const char *word);
bool byw_ptx_is_mark(const struct byw_ptx_lexer *lexer, char mark);

/* Whether a file named by .file is a header of the toolkit or the system. */
bool byw_ptx_is_system_file(const char *name);

#endif
