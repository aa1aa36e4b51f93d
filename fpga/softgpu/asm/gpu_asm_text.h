/* SPDX-License-Identifier: Apache-2.0
 *
 * gpu_asm_text.h - splits a line of assembler text into tokens: names, numbers and punctuation.
 * Part of gpu_asm.
 */
#ifndef GPU_ASM_TEXT_H
#define GPU_ASM_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/byw_status.h"

enum { GPU_NAME_MAX = 63 };

enum gpu_token_kind { GPU_TOKEN_END, GPU_TOKEN_NAME, GPU_TOKEN_NUMBER, GPU_TOKEN_SIGN };

struct gpu_token {
    enum gpu_token_kind kind;
    int64_t number;
    char sign;
    char text[GPU_NAME_MAX + 1]; /* text as in the line, truncated and printable */
};

struct gpu_text {
    const char *name; /* name of the file */
    uint32_t line; /* counted from 1 */
    const char *at, *end; /* rest of the line */
    struct gpu_token token; /* next token */
    struct byw_diag *diag;
};

/* Starts at the line at[length] and reads its first token. */
enum byw_status gpu_text_line(struct gpu_text *text, const char *at, size_t length);

/* Reads the next token.  BYW_EFORMAT if it is not a token. */
enum byw_status gpu_text_next(struct gpu_text *text);

/* "name:line: expected WHAT, got TOKEN"; returns BYW_EFORMAT. */
enum byw_status gpu_text_expected(const struct gpu_text *text, const char *what);

/* "name:line: SENTENCE, NAME"; also returns BYW_EFORMAT. */
enum byw_status gpu_text_wrong(const struct gpu_text *text, uint32_t line, const char *sentence,
                               const char *name);

#endif
