/* SPDX-License-Identifier: Apache-2.0 */
#include "softgpu/asm/gpu_asm_text.h"

#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
}

static int digit_value(char c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

enum byw_status gpu_text_wrong(const struct gpu_text *text, uint32_t line, const char *sentence,
                               const char *name)
{
    return byw_diag_set(text->diag, BYW_EFORMAT, "%s:%u: %s%s%s", text->name, (unsigned)line,
                        sentence, name[0] != '\0' ? " " : "", name);
}

enum byw_status gpu_text_expected(const struct gpu_text *text, const char *what)
{
    return byw_diag_set(text->diag, BYW_EFORMAT, "%s:%u: expected %s, got %s%s%s", text->name,
                        (unsigned)text->line, what, text->token.kind == GPU_TOKEN_END ? "" : "'",
                        text->token.kind == GPU_TOKEN_END ? "the end of the line"
                                                          : text->token.text,
                        text->token.kind == GPU_TOKEN_END ? "" : "'");
}

/* Copies the text of the token, truncated; non-printable bytes become question marks. */
static void keep(struct gpu_text *text, const char *from, size_t length)
{
    size_t i;

    if (length > GPU_NAME_MAX)
        length = GPU_NAME_MAX;
    for (i = 0; i < length; i++)
        text->token.text[i] = (char)(from[i] >= ' ' && from[i] <= '~' ? from[i] : '?');
    text->token.text[length] = '\0';
}

/* Rejects values beyond 32 bits, signed or unsigned. */
static enum byw_status number(struct gpu_text *text)
{
    const char *from = text->at;
    bool minus = *from == '-', any = false;
    int base = 10;
    int64_t value = 0;

    if (minus)
        text->at++;
    if (text->end - text->at > 1 && text->at[0] == '0' && (text->at[1] | 32) == 'x') {
        base = 16;
        text->at += 2;
    }
    for (; text->at < text->end && digit_value(*text->at) < base; text->at++) {
        any = true;
        if (value <= INT64_C(0x100000000))
            value = value * base + digit_value(*text->at);
    }
    while (text->at < text->end && (is_name(*text->at) || is_digit(*text->at))) {
        any = false;
        text->at++;
    }
    keep(text, from, (size_t)(text->at - from));
    if (!any)
        return gpu_text_expected(text, "a number");
    if (value > (minus ? INT64_C(0x80000000) : INT64_C(0xffffffff)))
        return gpu_text_expected(text, "a number of 32 bits");
    text->token.kind = GPU_TOKEN_NUMBER;
    text->token.number = minus ? -value : value;
    return BYW_OK;
}

enum byw_status gpu_text_next(struct gpu_text *text)
{
    const char *from;

    while (text->at < text->end && (*text->at == ' ' || *text->at == '\t' || *text->at == '\r'))
        text->at++;
    text->token = (struct gpu_token){.kind = GPU_TOKEN_END};
    if (text->at == text->end || *text->at == '#')
        return BYW_OK;
    from = text->at;
    text->token.kind = GPU_TOKEN_SIGN;
    if (is_digit(*from) || (*from == '-' && text->end - from > 1 && is_digit(from[1])))
        return number(text);
    text->at++;
    if (is_name(*from)) {
        while (text->at < text->end && (is_name(*text->at) || is_digit(*text->at)))
            text->at++;
        keep(text, from, (size_t)(text->at - from));
        text->token.kind = GPU_TOKEN_NAME;
        if (text->at - from > GPU_NAME_MAX)
            return gpu_text_expected(text, "a name of at most 63 characters");
        return BYW_OK;
    }
    keep(text, from, 1);
    text->token.sign = *from;
    if (strchr(",():", *from) == NULL || *from == '\0')
        return gpu_text_expected(text, "a name, a number or one of , ( ) :");
    return BYW_OK;
}

enum byw_status gpu_text_line(struct gpu_text *text, const char *at, size_t length)
{
    text->line++;
    text->at = at;
    text->end = at + length;
    return gpu_text_next(text);
}
