/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_text.h - texts: names from file systems, traces and programs made printable in tables, JSON
 * and HTML; lines; words.
 *
 * A file name may contain any bytes, but JSON and HTML accept only UTF-8, and a terminal obeys
 * control characters.  Printable UTF-8 is kept.  Every other byte becomes \xNN, its value in two
 * lower-case hex digits ("caf\xe9").
 */
#ifndef BYW_TEXT_H
#define BYW_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Most bytes of text that one byte can become. */
enum { BYW_TEXT_GROWTH = 4 };

/* Width of terminal output. */
enum { BYW_TEXT_COLUMNS = 80 };

/* Prints text in lines of at most 80 columns and ends the last line.  `at` columns of the first
 * line are already printed; further lines begin with `margin`.  A line break in the text counts as
 * a blank unless a blank or another line break follows.  A word longer than a line is printed
 * whole. */
void byw_text_wrap(FILE *out, const char *text, size_t at, const char *margin);
/* byw_text_wrap() with a margin of `at` blanks. */
void byw_text_wrap_at(FILE *out, const char *text, size_t at);
/* Prints a row of two columns: `left`, then the text wrapped from column `at` on; the text begins
 * on the next line if `left` is too long. */
void byw_text_beside(FILE *out, const char *left, const char *text, size_t at);
/* _columns: columns of UTF-8 text, one per character. _bytes: bytes of the first `columns` columns
 * of the text, or of the whole text if it is shorter. */
size_t byw_text_columns(const char *text);
size_t byw_text_bytes(const char *text, size_t columns);

/* Writes `bytes` as printable text to text[room], truncated between characters if it does not
 * fit. */
void byw_text_printable(const char *bytes, char *text, size_t room);

bool byw_text_ends(const char *text, const char *ending);

/* A list "a|b|c", as in the table of configuration keys; list may be NULL (no words). _at: the i-th
 * word, *length characters without a terminating zero; NULL if there are fewer. _find: the position
 * of a word of `length` characters; -1 if the list lacks it. */
const char *byw_word_at(const char *list, uint32_t i, size_t *length);
int byw_word_find(const char *list, const char *word, size_t length);

#endif
