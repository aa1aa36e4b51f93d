/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/byw_lines.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void byw_lines_open(struct byw_lines *lines, struct byw_source *source)
{
    *lines = (struct byw_lines){.source = source};
}

void byw_lines_close(struct byw_lines *lines)
{
    byw_source_close(lines->source);
    byw_lines_open(lines, NULL);
}

enum byw_status byw_lines_expected(const struct byw_lines *lines, struct byw_diag *diag,
                                   const char *format, ...)
{
    char what[256];
    va_list args;

    va_start(args, format);
    vsnprintf(what, sizeof(what), format, args);
    va_end(args);
    return byw_diag_set(diag, BYW_EFORMAT, "%s:%llu: %s", byw_source_path(lines->source),
                        (unsigned long long)lines->number, what);
}

enum byw_status byw_lines_next(struct byw_lines *lines, struct byw_line *line,
                               struct byw_diag *diag)
{
    const uint8_t *data, *newline;
    size_t size, need = 1;
    enum byw_status st;

    byw_source_take(lines->source, lines->pending);
    lines->pending = 0;
    for (;;) {
        st = byw_source_peek(lines->source, need, &data, &size, diag);
        if (st != BYW_OK)
            return st;
        newline = (size != 0) ? memchr(data, '\n', size) : NULL;
        if (newline != NULL || size < need)
            break;
        if (size == BYW_SOURCE_WINDOW)
            return byw_lines_expected(lines, diag, "expected a line shorter than 256 KB");
        need = size + 1;
    }
    if (size == 0)
        return BYW_END;
    lines->number++;
    line->text = (const char *)data;
    line->length = (newline != NULL) ? (size_t)(newline - data) : size;
    lines->pending = line->length + (newline != NULL);
    while (line->length > 0 &&
           (line->text[line->length - 1] == '\r' || line->text[line->length - 1] == ' '))
        line->length--;
    return BYW_OK;
}

bool byw_line_starts(const struct byw_line *line, const char *word, struct byw_scan *rest)
{
    size_t length = strlen(word);

    if (line->length < length || memcmp(line->text, word, length) != 0)
        return false;
    *rest = (struct byw_scan){.at = line->text + length, .end = line->text + line->length};
    return true;
}

bool byw_scan_triple(struct byw_scan *scan, uint32_t value[3])
{
    for (unsigned d = 0; d < 3; d++) {
        while (scan->at < scan->end && (*scan->at == ' ' || *scan->at == '(' || *scan->at == ','))
            scan->at++;
        if (!byw_scan_u32(scan, &value[d]))
            return false;
    }
    return true;
}
