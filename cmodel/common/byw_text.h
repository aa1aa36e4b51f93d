/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_text.h - makes names from file systems, traces and programs printable in tables, JSON and
 * HTML.
 *
 * A file name may contain any bytes, but JSON and HTML accept only UTF-8, and a terminal obeys
 * control characters.  Printable UTF-8 is kept.  Every other byte becomes \xNN, its value in two
 * lower-case hex digits ("caf\xe9").
 */
#ifndef BYW_TEXT_H
#define BYW_TEXT_H

#include <stddef.h>

/* Most bytes of text that one byte can become. */
enum { BYW_TEXT_GROWTH = 4 };

/* Writes `bytes` as printable text to text[room], truncated between characters if it does not
 * fit. */
void byw_text_printable(const char *bytes, char *text, size_t room);

#endif
