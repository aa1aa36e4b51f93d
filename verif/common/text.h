/* SPDX-License-Identifier: Apache-2.0
 *
 * text.h - searches text that is printed for people.
 */
#ifndef BYW_VERIF_TEXT_H
#define BYW_VERIF_TEXT_H

#include <stdbool.h>
#include <string.h>

/* Whether some line equals `want`, with single blanks between its words. */
static inline bool text_has_line(const char *text, const char *want)
{
    char line[256];
    size_t n = 0;

    for (; *text != '\0'; text++) {
        if (*text == '\n') {
            while (n > 0 && line[n - 1] == ' ')
                n--;
            line[n] = '\0';
            if (strcmp(line, want) == 0)
                return true;
            n = 0;
        } else if (n + 1 < sizeof(line) && !(*text == ' ' && (n == 0 || line[n - 1] == ' '))) {
            line[n++] = *text;
        }
    }
    return false;
}

#endif
