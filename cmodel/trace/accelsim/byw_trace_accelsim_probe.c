/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace_accelsim_probe.c - Detects a file of an Accel-Sim trace from its first bytes.
 */
#include <string.h>

#include "trace/accelsim/byw_lines.h"
#include "trace/byw_trace_format.h"

/* The first line that is neither blank nor a comment. */
static struct byw_line first_line(const uint8_t *data, size_t size)
{
    struct byw_line line = {.text = (const char *)data};
    const char *end = line.text + size;

    while (line.text < end) {
        const char *newline = memchr(line.text, '\n', (size_t)(end - line.text));

        line.length = (size_t)((newline != NULL ? newline : end) - line.text);
        if (line.length > 0 && strchr("#\r", line.text[0]) == NULL)
            return line;
        line.text += line.length + (newline != NULL);
    }
    line.length = 0;
    return line;
}

bool byw_trace_accelsim_is_kernel(const uint8_t *data, size_t size)
{
    struct byw_line line = first_line(data, size);

    return line.length > 0 && line.text[0] == '-';
}

bool byw_trace_accelsim_probe(const uint8_t *data, size_t size)
{
    struct byw_line line = first_line(data, size);
    struct byw_scan rest;

    return line.length > 0 && (line.text[0] == '-' || byw_line_starts(&line, "Memcpy", &rest) ||
                               byw_line_starts(&line, "nccl", &rest) ||
                               memmem(line.text, line.length, ".traceg", 7) != NULL);
}
