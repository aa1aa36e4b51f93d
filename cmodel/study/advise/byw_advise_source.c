/* SPDX-License-Identifier: Apache-2.0 */
#include "study/advise/byw_advise_source.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/byw_input.h"

enum { SOURCE_MAX = 16 << 20 };

/* The path stored in N.path next to a copy N.cl, relative to the working folder; only the last
 * component if the file is outside it.  NULL: no such file. */
static char *original_of(const char *copy)
{
    char path[PATH_MAX], here[PATH_MAX], *file = NULL;
    size_t length = strlen(copy), depth;
    FILE *in;

    if (length < 3 || length + 4 > sizeof(path) || strcmp(copy + length - 3, ".cl") != 0)
        return NULL;
    snprintf(path, sizeof(path), "%.*s.path", (int)(length - 3), copy);
    in = fopen(path, "r");
    if (in == NULL)
        return NULL;
    if (fgets(path, sizeof(path), in) != NULL && getcwd(here, sizeof(here)) != NULL) {
        depth = strlen(here);
        file = strdup(strncmp(path, here, depth) == 0 && path[depth] == '/' ? path + depth + 1
                      : strrchr(path, '/') != NULL                          ? strrchr(path, '/') + 1
                                                                            : path);
    }
    fclose(in);
    return file;
}

enum byw_status byw_advise_source_read(struct byw_advise_source *source, const char *path,
                                       struct byw_diag *diag)
{
    size_t room = 1 << 16, used = 0;
    char *text;
    FILE *in;

    if (source->count == BYW_ADVISE_TEXTS)
        return byw_diag_set(diag, BYW_EINVAL, "%s: is one source too many; expected at most %d",
                            path, BYW_ADVISE_TEXTS);
    if (byw_input_open(path, BYW_INPUT_FILE, "the kernels' source", &in, diag) != BYW_OK)
        return BYW_EIO;
    text = malloc(room);
    while (text != NULL && !feof(in) && !ferror(in) && used < SOURCE_MAX) {
        used += fread(text + used, 1, room - 1 - used, in);
        if (used == room - 1) {
            char *grown = realloc(text, room *= 2);

            if (grown == NULL)
                free(text);
            text = grown;
        }
    }
    if (text == NULL || ferror(in) || used >= SOURCE_MAX) {
        enum byw_status st =
            byw_diag_set(diag, BYW_EIO, "%s: cannot be read (%s); expected the kernels' source",
                         path, used >= SOURCE_MAX ? "too long" : strerror(errno));

        fclose(in);
        free(text);
        return st;
    }
    fclose(in);
    text[used] = '\0';
    source->file[source->count] = original_of(path);
    source->text[source->count++] = text;
    return BYW_OK;
}

void byw_advise_source_release(struct byw_advise_source *source)
{
    for (uint32_t i = 0; i < source->count; i++) {
        free(source->text[i]);
        free(source->file[i]);
    }
    source->count = 0;
}

/* --- words and brackets --------------------------------------------------------------------- */

static bool in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The next occurrence of `word` as a whole word. */
static const char *find_word(const char *text, const char *word)
{
    size_t n = strlen(word);

    for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
        if ((at == text || !in_name(at[-1])) && !in_name(at[n]))
            return at;
    return NULL;
}

/* Position after the bracket that closes the one at `open`; NULL if there is none. */
static const char *closing(const char *open)
{
    const char close = *open == '(' ? ')' : *open == '{' ? '}' : ']';
    int depth = 0;

    for (const char *at = open; *at != '\0'; at++) {
        depth += *at == *open;
        depth -= *at == close;
        if (depth == 0)
            return at + 1;
    }
    return NULL;
}

/* --- parameters ----------------------------------------------------------------------------- */

/* A kernel's name as written in the source: for a mangled C++ name (_Z6gatherPKi, _ZN2ns6gatherEv)
 * the last component. */
static void plain_name(const char *kernel, char name[BYW_SOURCE_NAME])
{
    const char *at = kernel + 2;

    snprintf(name, BYW_SOURCE_NAME, "%s", kernel);
    if (strncmp(kernel, "_Z", 2) != 0)
        return;
    for (at += *at == 'N'; isdigit((unsigned char)*at);) {
        size_t length = strtoul(at, NULL, 10);

        at += strspn(at, "0123456789");
        snprintf(name, BYW_SOURCE_NAME, "%.*s", (int)(length < BYW_SOURCE_NAME ? length : 0), at);
        if (kernel[2] != 'N' || length > strlen(at))
            return;
        at += length;
    }
}

/* The parentheses after a kernel's name in its definition. */
static const char *parameters_of(const char *text, const char *kernel)
{
    char name[BYW_SOURCE_NAME];

    plain_name(kernel, name);
    for (const char *at = text; (at = find_word(at, name)) != NULL; at++) {
        const char *open = at + strlen(name), *end;

        open += strspn(open, " \t\r\n");
        end = *open == '(' ? closing(open) : NULL;
        if (end != NULL && end[strspn(end, " \t\r\n")] == '{')
            return open;
    }
    return NULL;
}

uint32_t byw_advise_text_of(const struct byw_advise_source *source, const char *kernel)
{
    for (uint32_t i = 0; i < source->count; i++)
        if (parameters_of(source->text[i], kernel) != NULL)
            return i;
    return source->count != 0 ? 0 : UINT32_MAX;
}

bool byw_advise_line(const struct byw_advise_source *source, const char *kernel, uint32_t line,
                     char text[BYW_SOURCE_LINE])
{
    uint32_t of = byw_advise_text_of(source, kernel);
    const char *at = of != UINT32_MAX ? source->text[of] : NULL;
    size_t n;

    if (at == NULL || line == 0)
        return false;
    for (uint32_t i = 1; i < line; i++) {
        at = strchr(at, '\n');
        if (at == NULL)
            return false;
        at++;
    }
    at += strspn(at, " \t");
    n = strcspn(at, "\n");
    while (n > 0 && isspace((unsigned char)at[n - 1]))
        n--;
    if (n >= BYW_SOURCE_LINE)
        n = BYW_SOURCE_LINE - 1;
    memcpy(text, at, n);
    text[n] = '\0';
    return n != 0;
}

/* The n-th item of a list in parentheses; returns its length, 0 if there is none. */
static size_t pick(const char *open, int32_t n, const char **start)
{
    int depth = 0;

    *start = open + 1;
    for (const char *at = open; *at != '\0'; at++) {
        depth += *at == '(';
        depth -= *at == ')';
        if (depth != 0 && (*at != ',' || depth != 1))
            continue;
        if (n-- == 0)
            return (size_t)(at - *start);
        if (depth == 0)
            break;
        *start = at + 1;
    }
    return 0;
}

static bool is_qualifier(const char *word)
{
    static const char *const qualifiers[] = {"__global", "global",    "const",        "restrict",
                                             "volatile", "__const",   "__restrict__", "__restrict",
                                             "__local",  "__constant"};

    for (size_t i = 0; i < sizeof(qualifiers) / sizeof(qualifiers[0]); i++)
        if (strcmp(qualifiers[i], word) == 0)
            return true;
    return false;
}

bool byw_advise_parameter(const struct byw_advise_source *source, const char *kernel,
                          int32_t argument, char name[BYW_SOURCE_NAME], char type[BYW_SOURCE_NAME])
{
    uint32_t of = byw_advise_text_of(source, kernel);
    const char *open = of != UINT32_MAX ? parameters_of(source->text[of], kernel) : NULL;
    const char *at;
    size_t length = open != NULL && argument >= 0 ? pick(open, argument, &at) : 0;

    name[0] = type[0] = '\0';
    for (size_t i = 0; i < length;) {
        char word[BYW_SOURCE_NAME];
        size_t n = 0;

        while (i + n < length && in_name(at[i + n]))
            n++;
        if (n == 0) {
            i++;
            continue;
        }
        snprintf(word, sizeof(word), "%.*s", (int)(n < sizeof(word) ? n : sizeof(word) - 1),
                 at + i);
        i += n;
        if (is_qualifier(word))
            continue;
        if (strlen(type) + strlen(name) + 2 < BYW_SOURCE_NAME) { /* the last word is the name */
            if (name[0] != '\0' && type[0] != '\0')
                strcat(type, " ");
            strcat(type, name);
        }
        strcpy(name, word);
    }
    return name[0] != '\0' && type[0] != '\0';
}

/* --- expressions ---------------------------------------------------------------------------- */

/* Whether the expression is followed by an operator that changes it: =, +=, <<= and so on, ++,
 * --. */
static bool is_changed(const char *at)
{
    size_t n;

    at += strspn(at, " \t");
    if (strncmp(at, "++", 2) == 0 || strncmp(at, "--", 2) == 0)
        return true;
    if (strncmp(at, "<<=", 3) == 0 || strncmp(at, ">>=", 3) == 0)
        return true;
    n = strspn(at, "+-*/%&|^");
    return n <= 1 && at[n] == '=' && at[n + 1] != '=';
}

/* Whether the expression is preceded by an operator that takes its address or changes it. */
static bool is_taken(const char *text, const char *at)
{
    while (at > text && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    if (at - text >= 2 && (strncmp(at - 2, "++", 2) == 0 || strncmp(at - 2, "--", 2) == 0))
        return true;
    if (at == text || at[-1] != '&' || (at - text >= 2 && at[-2] == '&'))
        return false;
    for (at--; at > text && (at[-1] == ' ' || at[-1] == '\t');)
        at--;
    return at == text || !(in_name(at[-1]) || at[-1] == ')' || at[-1] == ']'); /* otherwise it is a
                                                                                  bitwise and */
}

bool byw_advise_is_built_in(const char *type)
{
    static const char *const scalars[] = {"char", "uchar", "short",  "ushort",   "int",
                                          "uint", "long",  "ulong",  "float",    "double",
                                          "half", "bool",  "size_t", "unsigned", "signed"};

    for (size_t i = 0; i < sizeof(scalars) / sizeof(scalars[0]); i++) {
        size_t n = strlen(scalars[i]);

        if (strncmp(type, scalars[i], n) == 0 &&
            (!in_name(type[n]) || isdigit((unsigned char)type[n])))
            return true;
    }
    return false;
}

/* Whether `at` is outside the line's comments. */
static bool is_code(const char *line, const char *at)
{
    while ((line = strchr(line, '/')) != NULL && line < at) {
        if (line[1] == '/')
            return false;
        if (line[1] == '*') {
            line = strstr(line + 2, "*/");
            if (line == NULL || line > at)
                return false;
        }
        line++;
    }
    return true;
}

/* Position after the following structure member and its brackets. */
static const char *member_end(const char *end)
{
    if (*end != '.' || !in_name(end[1]))
        return end;
    for (end++; in_name(*end);)
        end++;
    while (*end == '[' && closing(end) != NULL)
        end = closing(end);
    return end;
}

bool byw_advise_expression(const char *text, const char *name, const char *type, uint32_t n,
                           size_t *at, size_t *length)
{
    for (const char *from = text; (from = find_word(from, name)) != NULL; from++) {
        const char *open = from + strlen(name), *end;

        open += strspn(open, " \t");
        end = *open == '[' ? closing(open) : NULL;
        if (end != NULL && !byw_advise_is_built_in(type))
            end = member_end(end);
        if (end == NULL || is_changed(end) || is_taken(text, from) || !is_code(text, from) ||
            n-- != 0)
            continue;
        *at = (size_t)(from - text);
        *length = (size_t)(end - from);
        return true;
    }
    return false;
}

bool byw_advise_update(const char *text, const char *name, size_t *at, size_t *length,
                       size_t *operator_length)
{
    const char *from = text + strspn(text, " \t"), *open = from + strlen(name), *end, *sign;
    size_t last = strlen(text);

    while (last > 0 && isspace((unsigned char)text[last - 1]))
        last--;
    if (find_word(from, name) != from || last == 0 || text[last - 1] != ';' ||
        strchr(text, ';') != text + last - 1)
        return false;
    open += strspn(open, " \t");
    end = *open == '[' ? closing(open) : NULL;
    if (end == NULL)
        return false;
    sign = end + strspn(end, " \t");
    *operator_length = strncmp(sign, "<<=", 3) == 0 || strncmp(sign, ">>=", 3) == 0 ? 2 : 1;
    if (*operator_length == 1 && strchr("+-*/%&|^", *sign) == NULL)
        return false;
    if (*sign == '\0' || sign[*operator_length] != '=')
        return false;
    *at = (size_t)(from - text);
    *length = (size_t)(end - from);
    return true;
}

/* --- expressions that cannot be rewritten --------------------------------------------------- */

/* Whether the line is inside the kernel's own text, from its name to the end of its body. */
static bool is_inside(const char *text, const char *open, uint32_t line)
{
    const char *body = strchr(closing(open), '{'), *end = closing(body);
    uint32_t number = 1;

    for (const char *at = text; at < open; at++)
        number += *at == '\n';
    if (line < number || end == NULL) /* #if may unbalance the braces */
        return line >= number;
    for (const char *at = open; at < end; at++)
        number += *at == '\n';
    return line <= number;
}

/* The replacement text of a macro and its length; NULL: the word is not a macro. */
static const char *macro_body(const char *text, const char *word, size_t *length)
{
    for (const char *at = text; (at = find_word(at, word)) != NULL; at++) {
        const char *before = at, *end;

        while (before > text && (before[-1] == ' ' || before[-1] == '\t'))
            before--;
        if (before - text < 7 || memcmp(before - 6, "define", 6) != 0)
            continue;
        at += strlen(word);
        for (end = at; *end != '\0' && (*end != '\n' || end[-1] == '\\');)
            end++;
        *length = (size_t)(end - at);
        return at;
    }
    return NULL;
}

/* The first macro on a line that reads the array: its text names the array, or the array is its
 * argument and its text has brackets or a *. */
static bool find_macro(const char *text, const char *line, const char *name,
                       char word[BYW_SOURCE_NAME])
{
    for (const char *at = line; *at != '\0';) {
        size_t n = 0, length;
        const char *body;

        while (in_name(at[n]))
            n++;
        if (n == 0 || n >= BYW_SOURCE_NAME) {
            at += n != 0 ? n : 1;
            continue;
        }
        snprintf(word, BYW_SOURCE_NAME, "%.*s", (int)n, at);
        at += n;
        body = macro_body(text, word, &length);
        if (body != NULL) {
            char own[BYW_SOURCE_LINE];

            snprintf(own, sizeof(own), "%.*s",
                     (int)(length < sizeof(own) ? length : sizeof(own) - 1), body);
            if (find_word(own, name) != NULL ||
                (*own == '(' && find_word(line, name) != NULL && strpbrk(own, "[*") != NULL))
                return true;
        }
    }
    return false;
}

/* Whether the type is a structure or union that the source defines. */
static bool is_structure(const char *text, const char *type)
{
    for (const char *at = text; (at = find_word(at, type)) != NULL; at++) {
        const char *before = at, *after = at + strlen(type);

        while (before > text && isspace((unsigned char)before[-1]))
            before--;
        after += strspn(after, " \t\r\n");
        if (before > text && (before[-1] == '}' || *after == '{') &&
            (*after == ';' || *after == '{'))
            return true;
    }
    return strncmp(type, "struct ", 7) == 0 || strncmp(type, "union ", 6) == 0;
}

/* The reason why the line has no read-only expression `name[...]`. */
static void explain(const char *all, const char *line, const char *name, char *text, size_t room)
{
    const char *at = find_word(line, name), *open;
    char word[BYW_SOURCE_NAME];

    while (at != NULL && !is_code(line, at))
        at = find_word(at + 1, name);
    open = at != NULL ? at + strlen(name) : "";
    open += strspn(open, " \t");
    if (find_macro(all, line, name, word))
        snprintf(text, room, "macro %s hides the expression", word);
    else if (at == NULL)
        snprintf(text, room, "'%s' is read under another name", name);
    else if (*open != '[')
        snprintf(text, room, "'%s' is read without an index in brackets", name);
    else if (closing(open) == NULL)
        snprintf(text, room, "the expression continues in the next line");
    else
        snprintf(text, room, "'%s' is changed or its address is taken", name);
}

bool byw_advise_obstacle(const struct byw_advise_source *source, const char *kernel, uint32_t line,
                         int32_t argument, char text[BYW_SOURCE_LINE])
{
    const uint32_t of = byw_advise_text_of(source, kernel);
    const char *all = of != UINT32_MAX ? source->text[of] : NULL;
    const char *open = all != NULL ? parameters_of(all, kernel) : NULL;
    char own[BYW_SOURCE_LINE], name[BYW_SOURCE_NAME], type[BYW_SOURCE_NAME];
    size_t at, length, sign;

    text[0] = '\0';
    if (all == NULL)
        snprintf(text, BYW_SOURCE_LINE, "the source is not known; --source names it");
    else if (open == NULL)
        snprintf(text, BYW_SOURCE_LINE, "the source defines no kernel of this name");
    else if (line == 0 || !byw_advise_line(source, kernel, line, own))
        snprintf(text, BYW_SOURCE_LINE, "the compiler recorded no source line for this load");
    else if (!is_inside(all, open, line))
        snprintf(text, BYW_SOURCE_LINE, "it is in a function that the kernel inlines");
    else if (!byw_advise_parameter(source, kernel, argument, name, type))
        snprintf(text, BYW_SOURCE_LINE, "its address is not based on one argument of the kernel");
    else if (!byw_advise_expression(own, name, type, 0, &at, &length) &&
             !byw_advise_update(own, name, &at, &length, &sign))
        explain(all, own, name, text, BYW_SOURCE_LINE);
    else if (memchr(own + at, '.', length) == NULL && is_structure(all, type))
        snprintf(text, BYW_SOURCE_LINE, "a whole structure is read; a hint is for one member");
    return text[0] != '\0';
}
