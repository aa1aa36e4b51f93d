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

/* Most bytes of text that a byte may take. */
enum { BYW_TEXT_GROWTH = 4 };

/* Writes the text of `bytes` into text[room], cut between characters if it does not fit. */
void byw_text_printable(const char *bytes, char *text, size_t room);

#endif
