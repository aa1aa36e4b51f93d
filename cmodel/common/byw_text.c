/* SPDX-License-Identifier: Apache-2.0 */
#include "common/byw_text.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 4 }; /* bytes of the longest character, and of an escape */

/* Bytes of the printable character at `at` (RFC 3629); 0 if there is none. */
static size_t character(const unsigned char *at)
{
    static const struct {
        unsigned char mask, lead;
        uint32_t lowest;
    } form[LONGEST] = {
        {0x80, 0x00, 0x20}, {0xe0, 0xc0, 0xa0}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};

    for (size_t n = 1; n <= LONGEST; n++) {
        uint32_t code = at[0] & (unsigned char)~form[n - 1].mask;

        if ((at[0] & form[n - 1].mask) != form[n - 1].lead)
            continue;
        for (size_t i = 1; i < n; i++) {
            if ((at[i] & 0xc0) != 0x80)
                return 0;
            code = code << 6 | (at[i] & 0x3fU);
        }
        if (code < form[n - 1].lowest || code == 0x7f || code > 0x10ffff ||
            (code >= 0xd800 && code < 0xe000))
            return 0;
        return n;
    }
    return 0;
}

void byw_text_printable(const char *bytes, char *text, size_t room)
{
    const unsigned char *at = (const unsigned char *)bytes;
    size_t used = 0;

    while (*at != '\0') {
        size_t n = character(at);
        char piece[LONGEST + 1];

        if (n != 0)
            snprintf(piece, sizeof(piece), "%.*s", (int)n, (const char *)at);
        else
            snprintf(piece, sizeof(piece), "\\x%02x", *at);
        if (used + strlen(piece) >= room)
            break;
        memcpy(text + used, piece, strlen(piece));
        used += strlen(piece);
        at += n != 0 ? n : 1;
    }
    text[used] = '\0';
}
