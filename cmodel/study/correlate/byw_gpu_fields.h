/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_gpu_fields.h - the text of a table of counters: fields of a line.
 */
#ifndef BYW_GPU_FIELDS_H
#define BYW_GPU_FIELDS_H

#include <stddef.h>

#include "common/byw_status.h"

enum { BYW_GPU_FIELDS = 4096 }; /* longest line, in fields */

#define BYW_GPU_BAD_QUOTES "a quote is not closed, or text follows it; expected \"text\","

/* Splits a line in place; quoted fields lose their quotes.  field[BYW_GPU_FIELDS] points into it.
 * BYW_EINVAL: too many fields; BYW_EFORMAT: BYW_GPU_BAD_QUOTES. */
enum byw_status byw_gpu_fields(char *line, char separator, char **field, size_t *count);

#endif
