/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/machine/byw_numbering.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/machine/byw_ptx_lex.h"
#include "common/byw_array.h"

#define FILES_MOST 65536u
#define LOC_ROOM 40 /* longest "\t.loc 1 N 1\n" */

/* One .loc of the original. */
struct loc {
    uint32_t file, line, column, at_file, at_line, at_column;
};

struct numberer {
    struct byw_ptx_lexer lexer;
    struct byw_numbering *out;
    const char *kept; /* input from here on is not copied yet */
    size_t room, file_room;
    struct loc *loc;
    size_t locs, loc_room;
    const char *text;
    uint32_t *of; /* per instruction: index of its loc + 1; 0: none */
    size_t of_room, place_room;
    size_t first_loc; /* of the function */
    uint32_t arch;
    bool no_memory, bad;
};

static void put(struct numberer *n, const char *text, size_t length)
{
    struct byw_numbering *out = n->out;

    if (n->no_memory || !BYW_ARRAY_ROOM(out->text, n->room, out->length + length + 1)) {
        n->no_memory = true;
        return;
    }
    memcpy(out->text + out->length, text, length);
    out->length += length;
    out->text[out->length] = '\0';
}

/* Copies the input up to `end`. */
static void keep(struct numberer *n, const char *end)
{
    put(n, n->kept, (size_t)(end - n->kept));
    n->kept = end;
}

/* Where the current token begins. */
static const char *start(const struct numberer *n)
{
    const struct byw_ptx_lexer *l = &n->lexer;

    if (l->token == BYW_PTX_WORD)
        return l->text;
    return l->token == BYW_PTX_END ? l->end : l->at - 1;
}

static uint32_t take_count(struct numberer *n)
{
    uint64_t value = n->lexer.value;

    if (n->lexer.token != BYW_PTX_INTEGER || value > UINT32_MAX) {
        n->bad = true;
        return 0;
    }
    byw_ptx_next(&n->lexer);
    return (uint32_t)value;
}

/* .loc file line column[, function_name label[+n]][, inlined_at file line column]; all of it is
 * left out of the output. */
static void read_loc(struct numberer *n)
{
    struct loc loc = {0};

    keep(n, start(n));
    byw_ptx_next(&n->lexer);
    loc.file = take_count(n);
    loc.line = take_count(n);
    loc.column = take_count(n);
    while (!n->bad && byw_ptx_is_mark(&n->lexer, ',')) {
        byw_ptx_next(&n->lexer);
        if (byw_ptx_is_word(&n->lexer, "inlined_at")) {
            byw_ptx_next(&n->lexer);
            loc.at_file = take_count(n);
            loc.at_line = take_count(n);
            loc.at_column = take_count(n);
            continue;
        }
        byw_ptx_next(&n->lexer); /* function_name */
        byw_ptx_next(&n->lexer);
        if (byw_ptx_is_mark(&n->lexer, '+')) {
            byw_ptx_next(&n->lexer);
            take_count(n);
        }
    }
    n->kept = start(n);
    if (!BYW_ARRAY_ROOM(n->loc, n->loc_room, n->locs + 1)) {
        n->no_memory = true;
        return;
    }
    n->loc[n->locs++] = loc;
}

/* .file number ["folder"] "name"[, time, size] */
static void read_file(struct numberer *n)
{
    struct byw_numbering *out = n->out;
    uint32_t number;

    keep(n, start(n));
    byw_ptx_next(&n->lexer);
    number = take_count(n);
    if (n->bad || number >= FILES_MOST || n->lexer.token != BYW_PTX_STRING) {
        n->bad = true;
        return;
    }
    if (number >= out->files) {
        if (!BYW_ARRAY_ROOM(out->file, n->file_room, number + 1u)) {
            n->no_memory = true;
            return;
        }
        while (out->files <= number)
            out->file[out->files++] = NULL;
    }
    free(out->file[number]);
    out->file[number] = strndup(n->lexer.text, n->lexer.length);
    if (byw_ptx_next(&n->lexer) == BYW_PTX_STRING) {
        char *folder = out->file[number], *whole = NULL;

        if (folder == NULL ||
            asprintf(&whole, "%s/%.*s", folder, (int)n->lexer.length, n->lexer.text) < 0)
            whole = NULL;
        free(folder);
        out->file[number] = whole;
        byw_ptx_next(&n->lexer);
    }
    while (byw_ptx_is_mark(&n->lexer, ',')) {
        byw_ptx_next(&n->lexer);
        take_count(n);
    }
    n->kept = start(n);
}

/* .target sm_90a[, texmode_unified][, debug]: replaced by the requested architecture, without
 * debug. */
static void read_target(struct numberer *n)
{
    struct byw_numbering *out = n->out;
    const char *word;
    uint32_t number;

    byw_ptx_next(&n->lexer);
    word = n->lexer.text;
    if (n->lexer.token != BYW_PTX_WORD || n->lexer.length < 4 || n->lexer.length > 12 ||
        memcmp(word, "sm_", 3) != 0) {
        n->bad = true;
        return;
    }
    number = (uint32_t)strtoul(word + 3, NULL, 10);
    snprintf(out->target, sizeof(out->target), "sm_%" PRIu32, n->arch);
    if (number == n->arch) {
        snprintf(out->target, sizeof(out->target), "%.*s", (int)n->lexer.length, word);
    } else if (number > n->arch) {
        keep(n, word);
        put(n, out->target, strlen(out->target));
        n->kept = word + n->lexer.length;
    }
    byw_ptx_next(&n->lexer);
    while (byw_ptx_is_mark(&n->lexer, ',')) {
        const char *comma = start(n);

        byw_ptx_next(&n->lexer);
        if (byw_ptx_is_word(&n->lexer, "debug")) {
            keep(n, comma);
            n->kept = n->lexer.at;
        }
        byw_ptx_next(&n->lexer);
    }
}

/* Skips from '{' past its '}'. */
static void skip_braces(struct numberer *n)
{
    uint32_t depth = 0;

    do {
        depth += byw_ptx_is_mark(&n->lexer, '{');
        depth -= byw_ptx_is_mark(&n->lexer, '}');
        byw_ptx_next(&n->lexer);
    } while (depth > 0 && n->lexer.token != BYW_PTX_END);
    n->bad |= depth > 0;
}

static void skip_statement(struct numberer *n)
{
    while (n->lexer.token != BYW_PTX_END && !byw_ptx_is_mark(&n->lexer, ';'))
        byw_ptx_next(&n->lexer);
    n->bad |= n->lexer.token == BYW_PTX_END;
    byw_ptx_next(&n->lexer);
}

static void read_instruction(struct numberer *n)
{
    struct byw_numbering *out = n->out;
    struct byw_numbering_place *place;
    char loc[LOC_ROOM];

    if (!BYW_ARRAY_ROOM(n->of, n->of_room, out->count + 1u) ||
        !BYW_ARRAY_ROOM(out->place, n->place_room, out->count + 1u)) {
        n->no_memory = true;
        return;
    }
    n->of[out->count] = n->locs > n->first_loc ? (uint32_t)n->locs : 0;
    place = &out->place[out->count++];
    *place = (struct byw_numbering_place){.at = (uint32_t)(start(n) - n->text),
                                          .ptx_line = n->lexer.token_line};
    keep(n, start(n));
    put(n, loc, (size_t)snprintf(loc, sizeof(loc), "\n\t.loc 1 %" PRIu32 " 1\n\t", out->count));
    while (n->lexer.token != BYW_PTX_END && !byw_ptx_is_mark(&n->lexer, ';'))
        byw_ptx_next(&n->lexer);
    place->length = (uint32_t)(start(n) - n->text) - place->at;
    skip_statement(n);
}

static void read_statement(struct numberer *n)
{
    struct byw_ptx_lexer ahead = n->lexer;

    if (n->lexer.token == BYW_PTX_WORD) {
        byw_ptx_next(&ahead);
        if (byw_ptx_is_mark(&ahead, ':')) {
            byw_ptx_next(&ahead);
            n->lexer = ahead;
            return;
        }
        if (*n->lexer.text == '.') {
            skip_statement(n);
            return;
        }
    } else if (!byw_ptx_is_mark(&n->lexer, '@')) {
        n->bad = true;
        return;
    }
    read_instruction(n);
}

/* The body of a function, from its '{'. */
static void read_body(struct numberer *n)
{
    uint32_t depth = 0;

    n->first_loc = n->locs;
    do {
        if (byw_ptx_is_mark(&n->lexer, '{') || byw_ptx_is_mark(&n->lexer, '}')) {
            depth += n->lexer.mark == '{' ? 1u : UINT32_MAX;
            byw_ptx_next(&n->lexer);
        } else if (byw_ptx_is_mark(&n->lexer, ';')) {
            byw_ptx_next(&n->lexer);
        } else if (byw_ptx_is_word(&n->lexer, ".loc")) {
            read_loc(n);
        } else {
            read_statement(n);
        }
        n->bad |= n->lexer.token == BYW_PTX_END && depth > 0;
    } while (depth > 0 && !n->bad && !n->no_memory);
}

/* A declaration at module scope, or a function. */
static void read_declaration(struct numberer *n)
{
    bool function = false;

    while (!n->bad && n->lexer.token != BYW_PTX_END && !byw_ptx_is_mark(&n->lexer, ';')) {
        if (byw_ptx_is_mark(&n->lexer, '{')) {
            if (!function) {
                skip_braces(n);
                continue;
            }
            read_body(n);
            return;
        }
        function |= byw_ptx_is_word(&n->lexer, ".entry") || byw_ptx_is_word(&n->lexer, ".func");
        byw_ptx_next(&n->lexer);
    }
    byw_ptx_next(&n->lexer);
}

static void read_module(struct numberer *n)
{
    byw_ptx_next(&n->lexer);
    while (n->lexer.token != BYW_PTX_END && !n->bad && !n->no_memory) {
        if (byw_ptx_is_word(&n->lexer, ".target")) {
            read_target(n);
        } else if (byw_ptx_is_word(&n->lexer, ".version") ||
                   byw_ptx_is_word(&n->lexer, ".address_size")) {
            byw_ptx_next(&n->lexer);
            byw_ptx_next(&n->lexer);
        } else if (byw_ptx_is_word(&n->lexer, ".file")) {
            read_file(n);
        } else if (byw_ptx_is_word(&n->lexer, ".section")) {
            keep(n, start(n));
            while (n->lexer.token != BYW_PTX_END && !byw_ptx_is_mark(&n->lexer, '{'))
                byw_ptx_next(&n->lexer);
            skip_braces(n);
            n->kept = start(n);
        } else {
            read_declaration(n);
        }
        n->bad |= n->lexer.token == BYW_PTX_BAD;
    }
    keep(n, n->lexer.end);
    put(n, "\n.file 1 \"ptx\"\n", 15);
}

static bool is_system(const struct byw_numbering *out, uint32_t file)
{
    return file < out->files && out->file[file] != NULL && byw_ptx_is_system_file(out->file[file]);
}

/* The source position of loc `at` - 1. A position in a header is replaced by the one that it was
 * inlined into, which an earlier .loc has. */
static void resolve(const struct numberer *n, uint32_t at, struct byw_numbering_place *place)
{
    struct loc loc = n->loc[at - 1];
    uint32_t i = at - 1;

    while (is_system(n->out, loc.file) && loc.at_line != 0) {
        while (i > 0 && (n->loc[i - 1].file != loc.at_file || n->loc[i - 1].line != loc.at_line ||
                         n->loc[i - 1].column != loc.at_column))
            i--;
        if (i == 0 || !is_system(n->out, loc.at_file)) {
            place->file = loc.at_file;
            place->line = loc.at_line;
            return;
        }
        loc = n->loc[--i];
    }
    place->file = loc.file;
    place->line = is_system(n->out, loc.file) ? 0 : loc.line;
}

enum byw_status byw_numbering_make(const char *text, size_t length, uint32_t arch,
                                   struct byw_numbering *numbered, struct byw_diag *diag)
{
    struct numberer n = {.out = numbered, .kept = text, .text = text, .arch = arch};
    enum byw_status status = BYW_OK;

    *numbered = (struct byw_numbering){0};
    if (length > INT32_MAX)
        return byw_diag_set(diag, BYW_EINVAL, "the PTX is too long; expected at most 2 GiB");
    byw_ptx_lexer_open(&n.lexer, text, length);
    read_module(&n);
    if (n.bad || numbered->target[0] == '\0')
        status = byw_diag_set(diag, BYW_EINVAL, "line %" PRIu32 ": %s", n.lexer.token_line,
                              n.bad ? "cannot be parsed as PTX" : "PTX without .target");
    if (n.no_memory)
        status = byw_no_memory(diag, "numbered PTX");
    for (uint32_t i = 0; status == BYW_OK && i < numbered->count; i++)
        if (n.of[i] != 0)
            resolve(&n, n.of[i], &numbered->place[i]);
    free(n.loc);
    free(n.of);
    if (status != BYW_OK)
        byw_numbering_free(numbered);
    return status;
}

void byw_numbering_free(struct byw_numbering *numbered)
{
    for (uint32_t i = 0; i < numbered->files; i++)
        free(numbered->file[i]);
    free(numbered->file);
    free(numbered->place);
    free(numbered->text);
    *numbered = (struct byw_numbering){0};
}

uint32_t byw_numbering_line(const struct byw_numbering *numbered, uint32_t number,
                            const char **file)
{
    const struct byw_numbering_place *place;

    *file = NULL;
    if (number == 0 || number > numbered->count)
        return 0;
    place = &numbered->place[number - 1];
    *file = place->file < numbered->files ? numbered->file[place->file] : NULL;
    return place->line;
}
