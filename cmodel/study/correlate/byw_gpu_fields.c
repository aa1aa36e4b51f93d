/* SPDX-License-Identifier: Apache-2.0 */
#include "study/correlate/byw_gpu_fields.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "study/correlate/byw_gpu_table.h"

/* Removes the quotes of a field that begins with one; returns the place after it, NULL: not
 * closed. */
static char *unquote(char *text)
{
    char *to = text;

    for (char *at = text + 1; *at != '\0'; at++) {
        if (*at == '"' && at[1] != '"') {
            *to = '\0';
            return at + 1;
        }
        at += *at == '"';
        *to++ = *at;
    }
    return NULL;
}

enum byw_status byw_gpu_fields(char *line, char separator, char **field, size_t *count)
{
    char *at = line;

    for (*count = 0; *count < BYW_GPU_FIELDS; at++) {
        char *end, was;

        field[(*count)++] = at;
        end = *at == '"' ? unquote(at) : at + strcspn(at, (const char[]){separator, '\0'});
        if (end == NULL || (*end != separator && *end != '\0'))
            return BYW_EFORMAT;
        was = *end;
        *end = '\0';
        if (was == '\0')
            return BYW_OK;
        at = end;
    }
    return BYW_EINVAL;
}

/* The last component of a mangled name, "_ZN2ns4adamIfEE...". */
static void name_of_mangled(const char *at, char *name, size_t room)
{
    at += 2;
    at += *at == 'N';
    at += strspn(at, "rVKL");
    for (;;) {
        size_t length = 0, digits = strspn(at, "0123456789");

        if (digits == 0 || digits > 4)
            return;
        for (; digits > 0; digits--)
            length = 10 * length + (size_t)(*at++ - '0');
        if (length > strlen(at))
            length = strlen(at);
        snprintf(name, room, "%.*s", (int)length, at);
        at += length;
    }
}

void byw_gpu_kernel_name(const char *full, char *name, size_t room)
{
    static const char nowhere[] = "(anonymous namespace)";
    const char *begin = full, *end = NULL;
    size_t depth = 0;

    if (strncmp(full, "_Z", 2) == 0) {
        snprintf(name, room, "%s", full);
        name_of_mangled(full, name, room);
        return;
    }
    for (const char *at = full;; at++) {
        if (strncmp(at, nowhere, sizeof(nowhere) - 1) == 0)
            at += sizeof(nowhere) - 1;
        if (*at == '\0' || (*at == '(' && depth == 0)) {
            end = end != NULL ? end : at;
            break;
        }
        if (*at == '<' && depth++ == 0)
            end = at;
        else if (*at == '>' && depth > 0)
            depth--;
        else if (depth == 0 && (*at == ' ' || *at == ':')) {
            begin = at + 1;
            end = NULL;
        }
    }
    snprintf(name, room, "%.*s", (int)(end > begin ? end - begin : 0), begin);
}
