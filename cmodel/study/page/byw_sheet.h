/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_sheet.h - simple pages without scripts: headings, sentences, and tables whose numbers may
 * have a bar behind them.
 *
 *   byw_sheet_begin(out, "Cost of the L1D", "Machine fermi, policy bl.");
 *   byw_sheet_table(out, "Memories", "memory|bits|area, um2", 1);
 *   byw_sheet_row(out); byw_sheet_text(out, "tags", NULL); byw_sheet_number(out, 42, 0, 0.5); ...
 *   byw_sheet_table_end(out);
 *   byw_sheet_end(out);
 */
#ifndef BYW_SHEET_H
#define BYW_SHEET_H

#include <stdio.h>

#define BYW_SHEET_NO_BAR (-1.0)

/* Text is escaped.  about: the sentence under the title. */
void byw_sheet_begin(FILE *out, const char *title, const char *about);
void byw_sheet_note(FILE *out, const char *text);

/* A heading and a table.  heads: its columns, separated by |; the first `left` are aligned left. */
void byw_sheet_table(FILE *out, const char *heading, const char *heads, unsigned left);
void byw_sheet_row(FILE *out);

/* Cells of the row, from the left.  title: shown for the cell; NULL: none. */
void byw_sheet_text(FILE *out, const char *text, const char *title);

/* part: length of the bar, 0 to 1, or BYW_SHEET_NO_BAR.  A value that is no number is "-". */
void byw_sheet_number(FILE *out, double value, int decimals, double part);
void byw_sheet_table_end(FILE *out);
void byw_sheet_end(FILE *out);

#endif
