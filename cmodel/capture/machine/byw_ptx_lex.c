/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/machine/byw_ptx_lex.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_MOST 64 /* longest number, in characters */

void byw_ptx_lexer_open(struct byw_ptx_lexer *lexer, const char *text, size_t length)
{
    *lexer = (struct byw_ptx_lexer){.at = text, .end = text + length, .line = 1};
}

static char peek(const struct byw_ptx_lexer *l, size_t ahead)
{
    return (size_t)(l->end - l->at) > ahead ? l->at[ahead] : '\0';
}

static void skip(struct byw_ptx_lexer *l)
{
    while (l->at < l->end) {
        if (peek(l, 0) == '/' && peek(l, 1) == '/') {
            while (l->at < l->end && *l->at != '\n')
                l->at++;
        } else if (peek(l, 0) == '/' && peek(l, 1) == '*') {
            l->at += 2;
            while (l->at < l->end && !(peek(l, 0) == '*' && peek(l, 1) == '/'))
                l->line += *l->at++ == '\n';
            l->at += l->end - l->at >= 2 ? 2 : l->end - l->at;
        } else if (*l->at == '\0' || isspace((unsigned char)*l->at)) {
            l->line += *l->at++ == '\n';
        } else {
            return;
        }
    }
}

static bool is_word_start(char c)
{
    return isalpha((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.';
}

static bool is_word_part(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.';
}

static enum byw_ptx_token read_word(struct byw_ptx_lexer *l)
{
    l->text = l->at;
    while (l->at < l->end) {
        if (*l->text == '.' && *l->at == '.' && l->at != l->text)
            break; /* directives may follow each other without blanks: .reg.b32 */
        if (is_word_part(*l->at))
            l->at++;
        else if (*l->at == ':' && peek(l, 1) == ':' && is_word_part(peek(l, 2)))
            l->at += 2;
        else
            break;
    }
    l->length = (size_t)(l->at - l->text);
    return BYW_PTX_WORD;
}

static enum byw_ptx_token read_string(struct byw_ptx_lexer *l)
{
    l->text = ++l->at;
    while (l->at < l->end && *l->at != '"') {
        l->line += *l->at == '\n';
        l->at += *l->at == '\\' && l->end - l->at > 1 ? 2 : 1;
    }
    l->length = (size_t)(l->at - l->text);
    if (l->at >= l->end) {
        l->mark = '"';
        return BYW_PTX_BAD;
    }
    l->at++;
    return BYW_PTX_STRING;
}

/* Bits written in hexadecimal after 0f or 0d. */
static enum byw_ptx_token read_bits(struct byw_ptx_lexer *l, unsigned digits,
                                    enum byw_ptx_token token)
{
    l->at += 2;
    l->value = 0;
    for (; digits > 0 && isxdigit((unsigned char)peek(l, 0)); digits--, l->at++) {
        char c = (char)tolower((unsigned char)*l->at);

        l->value = l->value << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return token;
}

static enum byw_ptx_token read_decimal(struct byw_ptx_lexer *l, const char *copy)
{
    char *end;
    double number = strtod(copy, &end);

    memcpy(&l->value, &number, sizeof(l->value));
    l->at += end - copy;
    return BYW_PTX_DOUBLE;
}

static enum byw_ptx_token read_number(struct byw_ptx_lexer *l)
{
    char copy[NUMBER_MOST], *end;
    size_t length = (size_t)(l->end - l->at);
    char kind = (char)tolower((unsigned char)peek(l, 1));
    bool zero = peek(l, 0) == '0';

    if (zero && kind == 'f')
        return read_bits(l, 8, BYW_PTX_FLOAT);
    if (zero && kind == 'd')
        return read_bits(l, 16, BYW_PTX_DOUBLE);
    length = length < sizeof(copy) - 1 ? length : sizeof(copy) - 1;
    memcpy(copy, l->at, length);
    copy[length] = '\0';
    if (zero && kind == 'b') {
        l->value = strtoull(copy + 2, &end, 2);
    } else {
        l->value = strtoull(copy, &end, 0);
        if (*end == '.' || (kind != 'x' && (*end == 'e' || *end == 'E')))
            return read_decimal(l, copy);
    }
    l->at += end - copy;
    if (peek(l, 0) == 'U')
        l->at++;
    return BYW_PTX_INTEGER;
}

enum byw_ptx_token byw_ptx_next(struct byw_ptx_lexer *l)
{
    skip(l);
    l->token_line = l->line;
    if (l->at >= l->end)
        return l->token = BYW_PTX_END;
    if (is_word_start(*l->at))
        return l->token = read_word(l);
    if (isdigit((unsigned char)*l->at))
        return l->token = read_number(l);
    if (*l->at == '"')
        return l->token = read_string(l);
    l->mark = *l->at++;
    l->token = strchr("{}[]()<>,;:=+-*@!|~", l->mark) != NULL ? BYW_PTX_MARK : BYW_PTX_BAD;
    return l->token;
}

bool byw_ptx_is_word(const struct byw_ptx_lexer *l, const char *word)
{
    return l->token == BYW_PTX_WORD && strlen(word) == l->length &&
           memcmp(l->text, word, l->length) == 0;
}

bool byw_ptx_is_mark(const struct byw_ptx_lexer *l, char mark)
{
    return l->token == BYW_PTX_MARK && l->mark == mark;
}

bool byw_ptx_is_system_file(const char *name)
{
    static const char *const parts[] = {
        "/usr/include", "/usr/lib", "/usr/local/cuda", "/cuda-", "/targets/x86_64-linux/include",
        "/cuda/include"};

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (strstr(name, parts[i]) != NULL)
            return true;
    return false;
}
