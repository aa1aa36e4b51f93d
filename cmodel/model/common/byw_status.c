/* SPDX-License-Identifier: Apache-2.0 */
#include "common/byw_status.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

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

enum byw_status byw_diag_set(struct byw_diag *diag, enum byw_status status, const char *format, ...)
{
    va_list args;

    if (diag != NULL) {
        va_start(args, format);
        vsnprintf(diag->text, sizeof(diag->text), format, args);
        va_end(args);
    }
    return status;
}

enum byw_status byw_no_memory(struct byw_diag *diag, const char *what)
{
    return byw_diag_set(diag, BYW_ENOMEM, "out of memory for %s", what);
}
