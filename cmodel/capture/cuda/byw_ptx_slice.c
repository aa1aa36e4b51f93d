/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_ptx_slice.c - the part of a module that one kernel needs; see byw_ptx_slice.h.
 */
#include "capture/cuda/byw_ptx_slice.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "capture/machine/byw_ptx_lex.h"
#include "common/byw_array.h"
#include "common/byw_index.h"

/* A function or a prototype. A prototype is always kept and reaches nothing. The text between
 * functions is kept for every kernel. */
struct function {
    const char *start, *end; /* from its linkage to its closing brace or semicolon */
    const char *body; /* NULL: a prototype */
    const char *name;
    size_t length;
    bool kept;
};

struct slice {
    struct function *function;
    size_t count, room;
    struct byw_index index; /* of functions by name */
    size_t *pending; /* kept functions whose body is to be read */
    size_t pendings;
};

static uint32_t hash_of(const char *name, size_t length)
{
    return (uint32_t)XXH64(name, length, 0);
}

static struct function *find(const struct slice *s, const char *name, size_t length)
{
    uint32_t n;

    for (uint32_t at = 0;
         (n = byw_index_next(&s->index, hash_of(name, length), &at)) != BYW_INDEX_END;)
        if (s->function[n].length == length && memcmp(s->function[n].name, name, length) == 0)
            return &s->function[n];
    return NULL;
}

static void keep(struct slice *s, struct function *f)
{
    if (f == NULL || f->kept)
        return;
    f->kept = true;
    s->pending[s->pendings++] = (size_t)(f - s->function);
}

/* Returns what follows the brace that closes the one at `at`; NULL if none does. */
static const char *after_braces(const char *at, const char *end)
{
    int depth = 0;

    while (at < end) {
        char c = *at++;

        if (c == '/' && at < end && *at == '/') {
            at = memchr(at, '\n', (size_t)(end - at));
            if (at == NULL)
                return NULL;
        } else if (c == '/' && at < end && *at == '*') {
            at = memmem(at, (size_t)(end - at), "*/", 2);
            if (at == NULL)
                return NULL;
            at += 2;
        } else if (c == '"') {
            while (at < end && *at != '"')
                at += *at == '\\' && end - at > 1 ? 2 : 1;
            at += at < end;
        } else if (c == '{') {
            depth++;
        } else if (c == '}' && --depth == 0) {
            return at;
        }
    }
    return NULL;
}

/* Whether a body declares a variable that lives as long as the module. */
static bool declares(const struct function *f)
{
    static const char *const spaces[] = {".global", ".const"};

    for (size_t i = 0; i < sizeof(spaces) / sizeof(spaces[0]); i++) {
        size_t length = strlen(spaces[i]);
        const char *at = f->body;

        while ((at = memmem(at, (size_t)(f->end - at), spaces[i], length)) != NULL) {
            if (isspace((unsigned char)at[-1]) && isspace((unsigned char)at[length]))
                return true;
            at += length;
        }
    }
    return false;
}

static bool add(struct slice *s, const struct function *f)
{
    if (!BYW_ARRAY_ROOM(s->function, s->room, s->count + 1))
        return false;
    if (f->body != NULL && find(s, f->name, f->length) == NULL &&
        !byw_index_add(&s->index, hash_of(f->name, f->length), (uint32_t)s->count))
        return false;
    s->function[s->count++] = *f;
    return true;
}

/* Reads from .entry or .func to the end of the body or prototype. The name is the first word
 * outside of parentheses that is no directive. False if the module is damaged. */
static bool read_function(struct byw_ptx_lexer *l, const char *start, struct slice *s)
{
    struct function f = {.start = start};
    int depth = 0;

    while (byw_ptx_next(l) != BYW_PTX_END) {
        if (byw_ptx_is_mark(l, '('))
            depth++;
        else if (byw_ptx_is_mark(l, ')'))
            depth--;
        else if (depth == 0 && (byw_ptx_is_mark(l, ';') || byw_ptx_is_mark(l, '{')))
            break;
        else if (depth == 0 && l->token == BYW_PTX_WORD && l->text[0] != '.' && f.name == NULL) {
            f.name = l->text;
            f.length = l->length;
        }
    }
    if (f.name == NULL || l->token == BYW_PTX_END)
        return false;
    f.kept = byw_ptx_is_mark(l, ';');
    f.body = f.kept ? NULL : l->at;
    f.end = f.kept ? l->at : after_braces(l->at - 1, l->end);
    if (f.end == NULL || !add(s, &f))
        return false;
    l->at = f.end;
    return true;
}

/* Directives that end with their line or their string, without a semicolon. */
static bool is_line(const struct byw_ptx_lexer *l)
{
    return byw_ptx_is_word(l, ".version") || byw_ptx_is_word(l, ".target") ||
           byw_ptx_is_word(l, ".address_size") || byw_ptx_is_word(l, ".file") ||
           byw_ptx_is_word(l, ".loc");
}

static bool is_linkage(const struct byw_ptx_lexer *l)
{
    return byw_ptx_is_word(l, ".visible") || byw_ptx_is_word(l, ".weak") ||
           byw_ptx_is_word(l, ".extern") || byw_ptx_is_word(l, ".common");
}

static bool find_functions(const char *text, size_t length, struct slice *s)
{
    struct byw_ptx_lexer l;
    const char *start = NULL; /* the linkage that was read last */

    byw_ptx_lexer_open(&l, text, length);
    while (byw_ptx_next(&l) != BYW_PTX_END) {
        const char *word = l.text;

        if (is_line(&l)) {
            l.at = memchr(l.at, '\n', (size_t)(l.end - l.at));
            if (l.at == NULL)
                return true;
        } else if (byw_ptx_is_word(&l, ".entry") || byw_ptx_is_word(&l, ".func")) {
            if (!read_function(&l, start != NULL ? start : word, s))
                return false;
        } else if (byw_ptx_is_mark(&l, '{')) { /* a value or a section */
            l.at = after_braces(l.at - 1, l.end);
            if (l.at == NULL)
                return false;
        }
        start = !is_linkage(&l) ? NULL : start != NULL ? start : word;
    }
    return true;
}

/* Keeps the functions that a text names. */
static void keep_named(struct slice *s, const char *from, const char *to)
{
    struct byw_ptx_lexer l;

    byw_ptx_lexer_open(&l, from, (size_t)(to - from));
    while (byw_ptx_next(&l) != BYW_PTX_END)
        if (l.token == BYW_PTX_WORD && l.text[0] != '.')
            keep(s, find(s, l.text, l.length));
}

static bool choose(struct slice *s, const char *text, size_t length, const char *kernel)
{
    struct function *wanted = find(s, kernel, strlen(kernel));
    const char *at = text;

    s->pending = malloc((s->count + 1) * sizeof(*s->pending));
    if (wanted == NULL || s->pending == NULL)
        return false;
    keep(s, wanted);
    for (size_t i = 0; i < s->count; i++) {
        if (s->function[i].body != NULL && declares(&s->function[i]))
            keep(s, &s->function[i]);
        keep_named(s, at, s->function[i].start);
        at = s->function[i].end;
    }
    keep_named(s, at, text + length);
    while (s->pendings > 0) {
        const struct function *f = &s->function[s->pending[--s->pendings]];

        keep_named(s, f->start, f->end);
    }
    return true;
}

static char *copy(const struct slice *s, const char *text, size_t length, size_t *sliced)
{
    char *out = malloc(length + 1);
    const char *at = text;
    size_t size = 0;

    if (out == NULL)
        return NULL;
    for (size_t i = 0; i <= s->count; i++) {
        const struct function *f = i < s->count ? &s->function[i] : NULL;
        const char *to = f == NULL ? text + length : f->kept ? f->end : f->start;

        memcpy(out + size, at, (size_t)(to - at));
        size += (size_t)(to - at);
        at = f == NULL ? to : f->end;
    }
    out[size] = '\0';
    *sliced = size;
    return out;
}

char *byw_ptx_slice(const char *text, size_t length, const char *kernel, size_t *sliced)
{
    struct slice s = {0};
    char *out = NULL;

    if (find_functions(text, length, &s) && choose(&s, text, length, kernel))
        out = copy(&s, text, length, sliced);
    free(s.function);
    free(s.pending);
    byw_index_release(&s.index);
    return out;
}
