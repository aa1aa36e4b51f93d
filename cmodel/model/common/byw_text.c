/* SPDX-License-Identifier: Apache-2.0 */
#include "common/byw_text.h"

#include <stdbool.h>
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

/* --- lines for a terminal ------------------------------------------------------------------- */

static size_t columns_of(const char *text, size_t bytes)
{
    size_t columns = 0;

    for (size_t i = 0; i < bytes; i++)
        columns += ((unsigned char)text[i] & 0xc0) != 0x80;
    return columns;
}

size_t byw_text_columns(const char *text)
{
    return columns_of(text, strlen(text));
}

size_t byw_text_bytes(const char *text, size_t columns)
{
    size_t bytes = 0;

    while (text[bytes] != '\0' && (columns > 0 || ((unsigned char)text[bytes] & 0xc0) == 0x80)) {
        columns -= ((unsigned char)text[bytes] & 0xc0) != 0x80;
        bytes++;
    }
    return bytes;
}

void byw_text_wrap(FILE *out, const char *text, size_t at, const char *margin)
{
    bool begins = true;

    while (*text != '\0') {
        size_t blanks = strspn(text, " "), word = strcspn(text + blanks, " \n");

        if (*text == '\n' && (begins || text[1] == ' ' || text[1] == '\n')) {
            fprintf(out, "\n%s", text[1] == '\n' ? "" : margin);
            at = columns_of(margin, strlen(margin));
            text++;
            begins = true;
            continue;
        }
        if (*text == '\n') {
            blanks = 1;
            word = strcspn(text + 1, " \n");
        }
        if (!begins && at + blanks + columns_of(text + blanks, word) > BYW_TEXT_COLUMNS) {
            fprintf(out, "\n%s", margin);
            at = columns_of(margin, strlen(margin));
            text += blanks;
            blanks = 0;
        }
        fprintf(out, "%*s%.*s", (int)blanks, "", (int)word, text + blanks);
        at += blanks + columns_of(text + blanks, word);
        text += blanks + word;
        begins = false;
    }
    fputc('\n', out);
}

void byw_text_wrap_at(FILE *out, const char *text, size_t at)
{
    char margin[BYW_TEXT_COLUMNS + 1];

    snprintf(margin, sizeof(margin), "%*s", (int)at, "");
    byw_text_wrap(out, text, at, margin);
}

void byw_text_beside(FILE *out, const char *left, const char *text, size_t at)
{
    size_t used = byw_text_columns(left);

    if (used < at)
        fprintf(out, "%s%*s", left, (int)(at - used), "");
    else
        fprintf(out, "%s\n%*s", left, (int)at, "");
    byw_text_wrap_at(out, text, at);
}

bool byw_text_ends(const char *text, const char *ending)
{
    size_t n = strlen(text), m = strlen(ending);

    return n >= m && strcmp(text + n - m, ending) == 0;
}

const char *byw_word_at(const char *list, uint32_t i, size_t *length)
{
    for (; i > 0 && list != NULL; i--) {
        list = strchr(list, '|');
        list += list != NULL;
    }
    if (list != NULL)
        *length = strcspn(list, "|");
    return list;
}

int byw_word_find(const char *list, const char *word, size_t length)
{
    const char *at;
    size_t size;

    for (uint32_t i = 0; (at = byw_word_at(list, i, &size)) != NULL; i++)
        if (size == length && strncmp(at, word, length) == 0)
            return (int)i;
    return -1;
}
