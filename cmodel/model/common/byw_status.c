/* SPDX-License-Identifier: Apache-2.0 */
#include "common/byw_status.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *byw_status_text(enum byw_status status)
{
    static const char *const text[] = {
#define X(code, text) [code] = text,
        BYW_STATUS_LIST(X)
#undef X
    };
    size_t i = (size_t)status;

    return (i < sizeof(text) / sizeof(text[0])) ? text[i] : "unknown status";
}

static bool inside_character(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* Keeps the first and the last half of a message that does not fit: a long path is in between, and
 * what is wrong with it after it. */
static void shorten(struct byw_diag *diag, const char *whole, size_t length)
{
    static const char gap[] = " ... ";
    size_t head = (sizeof(diag->text) - sizeof(gap)) / 2, tail = length - head;

    while (head > 0 && inside_character(whole[head]))
        head--;
    while (tail < length && inside_character(whole[tail]))
        tail++;
    memcpy(diag->text, whole, head);
    memcpy(diag->text + head, gap, sizeof(gap) - 1);
    memcpy(diag->text + head + sizeof(gap) - 1, whole + tail, length - tail + 1);
}

enum byw_status byw_diag_set(struct byw_diag *diag, enum byw_status status, const char *format, ...)
{
    va_list args, again;
    char *whole;
    int length;

    if (diag == NULL)
        return status;
    va_start(args, format);
    va_copy(again, args);
    length = vsnprintf(diag->text, sizeof(diag->text), format, args);
    whole = length >= (int)sizeof(diag->text) ? malloc((size_t)length + 1) : NULL;
    if (whole != NULL && vsnprintf(whole, (size_t)length + 1, format, again) == length)
        shorten(diag, whole, (size_t)length);
    free(whole);
    va_end(again);
    va_end(args);
    return status;
}

enum byw_status byw_no_memory(struct byw_diag *diag, const char *what)
{
    return byw_diag_set(diag, BYW_ENOMEM, "out of memory for %s", what);
}
