/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/byw_source_data.h"

#include <stdlib.h>
#include <string.h>

#include "capture/machine/byw_numbering.h"
#include "common/byw_input.h"
#include "common/byw_text.h"
#include "study/advise/byw_advise_source.h"

enum { TEXT_MOST = 64 << 20, AROUND = 4 /* lines shown around those with code */ };

struct ptx {
    char *text;
    size_t length;
    struct byw_numbering numbered;
};

struct byw_source_texts {
    struct ptx *ptx;
    size_t count;
    struct byw_advise_source source;
    const char *const *path; /* paths of the sources */
};

/* --- reading ---------------------------------------------------------------------------------- */

static char *read_whole(const char *path, const char *what, size_t *length, struct byw_diag *diag)
{
    char *text = NULL;
    size_t got = 0;
    FILE *in, *out;

    if (byw_input_open(path, BYW_INPUT_FILE, what, &in, diag) != BYW_OK)
        return NULL;
    out = open_memstream(&text, length);
    for (int c; out != NULL && got < TEXT_MOST && (c = fgetc(in)) != EOF; got++)
        fputc(c, out);
    if (out == NULL || fclose(out) != 0 || ferror(in) || got == TEXT_MOST) {
        byw_diag_set(diag, BYW_EIO, "%s: cannot be read; expected %s", path, what);
        free(text);
        text = NULL;
    }
    fclose(in);
    return text;
}

static enum byw_status read_ptx(struct ptx *p, const char *path, struct byw_diag *diag)
{
    struct byw_diag why = {""};
    enum byw_status st;

    p->text = read_whole(path, "the kernels' PTX", &p->length, diag);
    if (p->text == NULL)
        return BYW_EIO;
    st = byw_numbering_make(p->text, p->length, 90, &p->numbered, &why);
    return st == BYW_OK ? BYW_OK : byw_diag_set(diag, st, "%s: %s", path, why.text);
}

enum byw_status byw_source_texts_read(const char *const *ptx, size_t ptx_count,
                                      const char *const *source, size_t source_count,
                                      struct byw_source_texts **texts, struct byw_diag *diag)
{
    struct byw_source_texts *t = calloc(1, sizeof(*t));
    enum byw_status st = BYW_OK;

    *texts = t;
    if (t == NULL || (t->ptx = calloc(ptx_count + 1, sizeof(*t->ptx))) == NULL)
        return byw_no_memory(diag, "the PTX");
    t->path = source;
    for (size_t i = 0; st == BYW_OK && i < ptx_count; i++)
        st = read_ptx(&t->ptx[t->count++], ptx[i], diag);
    for (size_t i = 0; st == BYW_OK && i < source_count; i++)
        st = byw_advise_source_read(&t->source, source[i], diag);
    return st;
}

void byw_source_texts_free(struct byw_source_texts *texts)
{
    if (texts == NULL)
        return;
    for (size_t i = 0; i < texts->count; i++) {
        byw_numbering_free(&texts->ptx[i].numbered);
        free(texts->ptx[i].text);
    }
    free(texts->ptx);
    byw_advise_source_release(&texts->source);
    free(texts);
}

/* --- one kernel ------------------------------------------------------------------------------- */

static uint32_t number_of(const json_t *inst, const char *name)
{
    return (uint32_t)json_integer_value(json_object_get(inst, name));
}

/* Whether the PTX has a function of that name, or may have one (byw_kernel_symbol() shortens long
 * ones). */
static bool has_entry(const struct ptx *p, const char *kernel)
{
    const size_t length = strlen(kernel);

    if (strchr(kernel, '~') != NULL)
        return true;
    for (const char *at = p->text; length != 0 && (at = strstr(at, kernel)) != NULL; at += length)
        if (at > p->text && strchr(" \t\r\n", at[-1]) != NULL &&
            strchr("( \t\r\n", at[length]) != NULL)
            return true;
    return false;
}

/* Whether the instructions' numbers and lines are those of the PTX. */
static bool agrees(const struct ptx *p, const json_t *kernel)
{
    const json_t *list = json_object_get(kernel, "instructions");

    for (size_t i = 0; i < json_array_size(list); i++) {
        uint32_t number = number_of(json_array_get(list, i), "ptx");
        uint32_t line = number_of(json_array_get(list, i), "source");

        if (number > p->numbered.count ||
            (number != 0 && p->numbered.place[number - 1].line != line))
            return false;
    }
    return has_entry(p, json_string_value(json_object_get(kernel, "kernel")));
}

/* A range of lines of a source file. */
struct part {
    char *file;
    uint32_t first, last;
};

struct parts {
    struct part *part;
    size_t count;
};

static int part_of(struct parts *parts, const char *file, uint32_t line)
{
    size_t i = 0;

    while (i < parts->count && strcmp(parts->part[i].file, file) != 0)
        i++;
    if (i == parts->count) {
        parts->part[i] = (struct part){.file = strdup(file), .first = line, .last = line};
        parts->count += parts->part[i].file != NULL;
    }
    if (i == parts->count)
        return -1;
    if (line < parts->part[i].first)
        parts->part[i].first = line;
    if (line > parts->part[i].last)
        parts->part[i].last = line;
    return (int)i;
}

static json_t *ptx_row(const struct ptx *p, uint32_t number, int file)
{
    const struct byw_numbering_place *place = &p->numbered.place[number - 1];
    char text[4 * 200 + 4];
    size_t n = 0;

    for (uint32_t i = 0; i < place->length && n < 200; i++) { /* on one line, with single blanks */
        unsigned char c = (unsigned char)p->text[place->at + i];

        if (c > ' ' && c < 127)
            text[n++] = (char)c;
        else if (n > 0 && text[n - 1] != ' ')
            text[n++] = ' ';
    }
    text[n] = '\0';
    return json_pack("{s:I, s:s, s:i, s:I}", "number", (json_int_t)number, "text", text, "file",
                     file, "line", (json_int_t)(file >= 0 ? place->line : 0));
}

/* Finds the range of PTX lines that the instructions come from. */
static void range_of(const json_t *kernel, uint32_t *first, uint32_t *last)
{
    const json_t *list = json_object_get(kernel, "instructions");

    *first = UINT32_MAX;
    *last = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        uint32_t number = number_of(json_array_get(list, i), "ptx");

        if (number == 0)
            continue;
        *first = number < *first ? number : *first;
        *last = number > *last ? number : *last;
    }
}

static json_t *ptx_json(const struct ptx *p, const json_t *kernel, struct parts *parts)
{
    json_t *list = json_array();
    uint32_t first, last;

    range_of(kernel, &first, &last);
    for (uint32_t number = first; number <= last; number++) {
        const char *file = NULL;
        uint32_t line = byw_numbering_line(&p->numbered, number, &file);
        int part = line != 0 && file != NULL ? part_of(parts, file, line) : -1;

        json_array_append_new(list, ptx_row(p, number, part));
    }
    return list;
}

/* --- source ----------------------------------------------------------------------------------- */

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

/* Returns the given text with that file name, or, if the file is "<source>" (OpenCL C), the text
 * that defines the kernel. NULL: none. */
static const char *given(const struct byw_source_texts *t, const char *file, const char *kernel)
{
    uint32_t number;

    for (uint32_t i = 0; i < t->source.count; i++) {
        const char *name = t->source.file[i] != NULL ? t->source.file[i] : t->path[i];

        if (strcmp(base_of(name), base_of(file)) == 0)
            return t->source.text[i];
    }
    number = byw_advise_text_of(&t->source, kernel);
    return *file == '<' && number < t->source.count ? t->source.text[number] : NULL;
}

static json_t *lines_json(const char *text, uint32_t first, uint32_t last)
{
    json_t *list = json_array();
    uint32_t line = 1;

    for (; text != NULL && *text != '\0' && line <= last; line++) {
        size_t length = strcspn(text, "\n");
        char *copy = line >= first ? strndup(text, length) : NULL;

        if (copy != NULL) {
            char *clean = malloc(BYW_TEXT_GROWTH * length + 1);

            copy[strcspn(copy, "\r")] = '\0';
            for (char *c = copy; *c != '\0'; c++)
                *c = *c == '\t' ? ' ' : *c;
            if (clean != NULL)
                byw_text_printable(copy, clean, BYW_TEXT_GROWTH * length + 1);
            json_array_append_new(list, json_string(clean != NULL ? clean : ""));
            free(clean);
        }
        free(copy);
        text += length + (text[length] == '\n');
    }
    return list;
}

static json_t *part_json(const struct byw_source_texts *t, const struct part *part,
                         const char *kernel)
{
    uint32_t first = part->first > AROUND ? part->first - AROUND : 1;
    const char *text = given(t, part->file, kernel);
    char *own = NULL;
    struct byw_diag diag;
    size_t length;
    json_t *json;

    if (text == NULL && part->file[0] == '/')
        text = own = read_whole(part->file, "the kernels' source", &length, &diag);
    json = json_pack("{s:s, s:I, s:I, s:o}", "file",
                     part->file[0] == '<' ? "OpenCL C" : base_of(part->file), "first",
                     (json_int_t)first, "last", (json_int_t)part->last, "lines",
                     lines_json(text, first, part->last + AROUND));
    free(own);
    return json;
}

/* Without PTX: takes the instructions' line numbers, which refer to the text that defines the
 * kernel. */
static void take_lines(const json_t *kernel, struct parts *parts)
{
    const json_t *list = json_object_get(kernel, "instructions");

    for (size_t i = 0; i < json_array_size(list); i++) {
        uint32_t line = number_of(json_array_get(list, i), "source");

        if (line != 0)
            part_of(parts, "<source>", line);
    }
}

enum byw_status byw_source_texts_add(const struct byw_source_texts *texts, json_t *kernel,
                                     struct byw_diag *diag)
{
    const char *name = json_string_value(json_object_get(kernel, "kernel"));
    struct parts parts = {.count = 0};
    json_t *list = json_array();
    const struct ptx *found = NULL;
    bool named = false;

    for (size_t i = 0; found == NULL && i < texts->count; i++) {
        named = named || has_entry(&texts->ptx[i], name);
        if (agrees(&texts->ptx[i], kernel))
            found = &texts->ptx[i];
    }
    parts.part = calloc((found != NULL ? found->numbered.files : 0u) + 2u, sizeof(*parts.part));
    if (parts.part == NULL || list == NULL) {
        json_decref(list);
        return byw_no_memory(diag, "the source");
    }
    if (found != NULL)
        json_object_set_new(kernel, "ptx", ptx_json(found, kernel, &parts));
    else
        json_object_set_new(kernel, "ptx_why",
                            json_string(named               ? "the PTX given is of another build"
                                        : texts->count != 0 ? "no PTX given has this kernel"
                                                            : "no PTX was given"));
    if (found == NULL)
        take_lines(kernel, &parts);
    for (size_t i = 0; i < parts.count; i++)
        json_array_append_new(list, part_json(texts, &parts.part[i], name));
    if (parts.count == 0)
        json_object_set_new(kernel, "text_why",
                            json_string("the code has no line information; compile CUDA with "
                                        "-lineinfo"));
    json_object_set_new(kernel, "texts", list);
    for (size_t i = 0; i < parts.count; i++)
        free(parts.part[i].file);
    free(parts.part);
    return BYW_OK;
}
