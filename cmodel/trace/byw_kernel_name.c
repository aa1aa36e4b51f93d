/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/byw_kernel_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* From the C++ runtime: returns the name in malloc'd memory, or NULL if the symbol is not
 * mangled. */
char *__cxa_demangle(const char *symbol, char *buffer, size_t *length, int *status);

/* The parenthesis that opens the parameters: the first one outside of angle brackets, except that
 * of "(anonymous namespace)". */
static char *parameters(char *name)
{
    static const char nowhere[] = "(anonymous namespace)";
    int depth = 0;

    for (char *at = name; *at != '\0'; at++) {
        if (strncmp(at, nowhere, sizeof(nowhere) - 1) == 0)
            at += sizeof(nowhere) - 2;
        else if (*at == '<')
            depth++;
        else if (*at == '>')
            depth--;
        else if (*at == '(' && depth == 0)
            return at;
    }
    return NULL;
}

/* "sum<256u, float>" without its blanks. */
static void remove_blanks(char *name)
{
    char *to = name;

    for (const char *at = name; *at != '\0'; at++)
        if (*at != ' ')
            *to++ = *at;
    *to = '\0';
}

void byw_kernel_name(const char *symbol, char text[BYW_KERNEL_NAME_ROOM])
{
    int status = 0;
    char *whole =
        strncmp(symbol, "_Z", 2) == 0 ? __cxa_demangle(symbol, NULL, NULL, &status) : NULL;
    char *name = whole, *open;

    if (whole == NULL) {
        snprintf(text, BYW_KERNEL_NAME_ROOM, "%s", symbol);
        return;
    }
    if (strncmp(name, "void ", 5) ==
        0) /* the demangled name of a template begins with its return type */
        name += 5;
    open = parameters(name);
    if (open != NULL)
        *open = '\0';
    remove_blanks(name);
    snprintf(text, BYW_KERNEL_NAME_ROOM, "%s", name);
    free(whole);
}

void byw_kernel_name_fit(const char *name, size_t width, char text[BYW_KERNEL_NAME_ROOM])
{
    const size_t length = strlen(name), first = (width - 3) * 3 / 5;

    if (length <= width)
        snprintf(text, BYW_KERNEL_NAME_ROOM, "%s", name);
    else
        snprintf(text, BYW_KERNEL_NAME_ROOM, "%.*s...%s", (int)first, name,
                 name + length - (width - 3 - first));
}

void byw_kernel_symbol(const char *symbol, char text[BYW_KERNEL_NAME_ROOM])
{
    enum { HASH = 9 /* ~ and eight digits */ };
    const size_t length = strlen(symbol);
    size_t kept;

    if (length < BYW_KERNEL_NAME_ROOM) {
        memcpy(text, symbol, length + 1);
        return;
    }
    byw_kernel_name(symbol, text);
    kept = strlen(text);
    if (kept > BYW_KERNEL_NAME_ROOM - 1 - HASH)
        kept = BYW_KERNEL_NAME_ROOM - 1 - HASH;
    snprintf(text + kept, HASH + 1, "~%08x", (unsigned)XXH64(symbol, length, 0));
}
