/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/accelsim/byw_lines.h"

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

/* Lets the source move its window so that it begins with the unread bytes and contains a whole
 * line, or the rest of the file. */
static enum byw_status refill(struct byw_lines *lines, struct byw_diag *diag)
{
    size_t left = (size_t)(lines->end - lines->at), size;
    const uint8_t *data;

    byw_source_take(lines->source, (size_t)(lines->at - lines->window));
    lines->window = lines->at = lines->end = NULL;
    do {
        enum byw_status st;

        if (left == BYW_SOURCE_WINDOW)
            return byw_lines_expected(lines, diag, "expected a line shorter than 256 KB");
        st = byw_source_peek(lines->source, left + 1, &data, &size, diag);
        if (st != BYW_OK)
            return st;
        if (size <= left)
            break;
        left = size;
    } while (memchr(data, '\n', size) == NULL);
    if (size != 0) {
        lines->window = lines->at = (const char *)data;
        lines->end = lines->at + size;
    }
    return BYW_OK;
}

enum byw_status byw_lines_next(struct byw_lines *lines, struct byw_line *line,
                               struct byw_diag *diag)
{
    const char *newline = NULL, *end;

    if (lines->at != lines->end)
        newline = memchr(lines->at, '\n', (size_t)(lines->end - lines->at));
    if (newline == NULL) {
        enum byw_status st = refill(lines, diag);

        if (st != BYW_OK)
            return st;
        if (lines->at == lines->end)
            return BYW_END;
        newline = memchr(lines->at, '\n', (size_t)(lines->end - lines->at));
    }
    end = (newline != NULL) ? newline : lines->end;
    lines->number++;
    line->text = lines->at;
    lines->at = (newline != NULL) ? newline + 1 : end;
    while (end != line->text && (end[-1] == '\r' || end[-1] == ' '))
        end--;
    line->length = (size_t)(end - line->text);
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
