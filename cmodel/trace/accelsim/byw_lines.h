/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_lines.h - a text file line by line, for readers that report errors as file:line: message.
 */
#ifndef BYW_LINES_H
#define BYW_LINES_H

#include "trace/accelsim/byw_scan.h"
#include "trace/byw_source.h"

struct byw_lines {
    struct byw_source *source; /* NULL when no file is open */
    uint64_t number; /* number of the current line, from 1 */
    const char *window; /* bytes shown by the source but not taken from it yet */
    const char *at, *end; /* end of the current line; end of the window */
};

/* Without its newline and trailing blanks; valid until the next call. */
struct byw_line {
    const char *text;
    size_t length;
};

/* Starts at the beginning of `source`; takes ownership of it. */
void byw_lines_open(struct byw_lines *lines, struct byw_source *source);
void byw_lines_close(struct byw_lines *lines);

/* BYW_END: end of the file.  BYW_EFORMAT: a line of more than 256 KB. */
enum byw_status byw_lines_next(struct byw_lines *lines, struct byw_line *line,
                               struct byw_diag *diag);

/* Sets "file:line: message" and returns BYW_EFORMAT. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
enum byw_status
byw_lines_expected(const struct byw_lines *lines, struct byw_diag *diag, const char *format, ...);

/* If the line starts with `word`, sets *rest to the text after it. */
bool byw_line_starts(const struct byw_line *line, const char *word, struct byw_scan *rest);

/* Three comma-separated numbers, with or without parentheses. */
bool byw_scan_triple(struct byw_scan *scan, uint32_t value[3]);

#endif
