/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_text.h - names that come from file systems, traces and programs, as text for tables, JSON and
 * HTML.
 *
 * A file name may hold any bytes; JSON and HTML take UTF-8 only, and a terminal obeys control
 * characters.  What is printable UTF-8 stays; every other byte becomes \xNN, its value in two
 * lower-case hex digits ("caf\xe9").
 */
#ifndef BYW_TEXT_H
#define BYW_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Most bytes of text that a byte may take. */
enum { BYW_TEXT_GROWTH = 4 };

/* Width of what is printed for a terminal. */
enum { BYW_TEXT_COLUMNS = 80 };

/* Prints words in lines of at most 80 columns and ends the last one.  The first line begins at
 * column `at` (from 0, what is printed already), further ones with `margin`.  A line break in the
 * text is a blank, but for one before a blank or another line break.  A word that is longer than a
 * line is printed whole. */
void byw_text_wrap(FILE *out, const char *text, size_t at, const char *margin);
/* The same with a margin of `at` blanks. */
void byw_text_wrap_at(FILE *out, const char *text, size_t at);
/* A row of two columns: the text is wrapped from column `at` on, beside what is left of it, or
 * below it if that is too long. */
void byw_text_beside(FILE *out, const char *left, const char *text, size_t at);
/* Columns of UTF-8 text: its characters; bytes of its first so many columns, or of all of it. */
size_t byw_text_columns(const char *text);
size_t byw_text_bytes(const char *text, size_t columns);

/* Writes the text of `bytes` into text[room], cut between characters if it does not fit. */
void byw_text_printable(const char *bytes, char *text, size_t room);

#endif
