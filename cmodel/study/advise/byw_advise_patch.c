/* SPDX-License-Identifier: Apache-2.0 */
#include "study/advise/byw_advise_patch.h"

#include <stdlib.h>
#include <string.h>

#include "sim/sm/byw_load_advice.h"
#include "study/job/byw_result_json.h"

enum { CONTEXT = 3, LINE_ROOM = 4096 };

void byw_advise_patch_release(struct byw_advise_patch *patch)
{
    for (size_t i = 0; i < BYW_ADVISE_TEXTS; i++)
        free(patch->text[i]);
    *patch = (struct byw_advise_patch){.changed = 0};
}

/* Start of line `line` (from 1); NULL: the text has fewer lines. */
static const char *line_at(const char *text, uint32_t line)
{
    for (uint32_t i = 1; text != NULL && i < line; i++) {
        text = strchr(text, '\n');
        text = text != NULL ? text + 1 : NULL;
    }
    return text;
}

/* The text written at a place. */
struct hint {
    enum byw_advise_language language;
    uint8_t hint;
    uint32_t compute; /* 0: any GPU */
    char name[BYW_SOURCE_NAME], type[BYW_SOURCE_NAME]; /* name and element type of the array */
};

static bool write_load(const struct hint *h, const char *expression, char *text, size_t room)
{
    return byw_advise_in_place(h->language, h->hint, h->compute, expression, h->type, text, room);
}

/* Adds the hint to every expression `name[...]` of a line, starting with the last one, so that
 * the numbers of nested ones stay valid. Returns their number. */
static uint32_t change_line(char line[LINE_ROOM], const struct hint *h)
{
    uint32_t count = 0;
    size_t at, length;

    while (byw_advise_expression(line, h->name, h->type, count, &at, &length))
        count++;
    for (uint32_t n = count; n-- > 0;) {
        char expression[LINE_ROOM], written[LINE_ROOM + 256], changed[2 * LINE_ROOM + 512];

        byw_advise_expression(line, h->name, h->type, n, &at, &length);
        snprintf(expression, sizeof(expression), "%.*s", (int)length, line + at);
        if (!write_load(h, expression, written, sizeof(written)))
            return 0;
        snprintf(changed, sizeof(changed), "%.*s(%s)%s", (int)at, line, written,
                 line + at + length);
        if (strlen(changed) >= LINE_ROOM)
            return 0;
        strcpy(line, changed);
    }
    return count;
}

/* `x[i] += y;` becomes `x[i] = (load of x[i]) + (y);`. */
static bool change_update(char line[LINE_ROOM], const struct hint *h)
{
    char expression[LINE_ROOM], written[LINE_ROOM + 256], changed[3 * LINE_ROOM + 512];
    size_t at, length, sign, from, rest;

    if (!byw_advise_update(line, h->name, &at, &length, &sign))
        return false;
    snprintf(expression, sizeof(expression), "%.*s", (int)length, line + at);
    if (!write_load(h, expression, written, sizeof(written)))
        return false;
    from = at + length + strspn(line + at + length, " \t");
    rest = from + sign + 1;
    rest += strspn(line + rest, " \t");
    snprintf(changed, sizeof(changed), "%.*s = (%s) %.*s (%.*s);", (int)(at + length), line,
             written, (int)sign, line + from, (int)(strchr(line, ';') - line - (ptrdiff_t)rest),
             line + rest);
    if (strlen(changed) >= LINE_ROOM)
        return false;
    strcpy(line, changed);
    return true;
}

/* Replaces the line at `start` by `line`. */
static enum byw_status replace(char **text, size_t start, size_t length, const char *line)
{
    size_t rest = strlen(*text + start + length);
    char *changed = malloc(start + strlen(line) + rest + 1);

    if (changed == NULL)
        return BYW_ENOMEM;
    memcpy(changed, *text, start);
    strcpy(changed + start, line);
    strcat(changed + start, *text + start + length);
    free(*text);
    *text = changed;
    return BYW_OK;
}

/* Records in the report that the language has no load with this hint. */
static enum byw_status say_unsaid(json_t *place, const struct hint *h)
{
    char text[2 * BYW_SOURCE_NAME];

    snprintf(text, sizeof(text), "%s has no load with hint %s for type %.60s",
             h->language == BYW_ADVISE_CUDA ? "CUDA" : "OpenCL C", byw_load_hint_word(h->hint),
             h->type);
    return json_object_set_new(place, "unsaid", json_string(text)) == 0 ? BYW_OK : BYW_ENOMEM;
}

/* Writes the hint of a place; *done: the text contains it. */
static enum byw_status change_place(const char *kernel, json_t *place,
                                    const struct byw_advise_source *source, uint32_t compute,
                                    struct byw_advise_patch *patch, bool *done)
{
    const uint32_t of = byw_advise_text_of(source, kernel);
    const uint32_t number = (uint32_t)byw_result_number(place, "line");
    const int32_t argument = (int32_t)byw_result_number(place, "argument");
    struct hint h = {.language = BYW_ADVISE_OPENCL};
    char line[LINE_ROOM], why[BYW_SOURCE_LINE];
    const char *start;
    size_t length;

    *done = false;
    if (byw_advise_obstacle(source, kernel, number, argument, why) ||
        !byw_load_hint_read(byw_result_text(place, "advice"), &h.hint) ||
        !byw_advise_parameter(source, kernel, argument, h.name, h.type))
        return BYW_OK;
    if (source->file[of] != NULL) {
        h.language = BYW_ADVISE_CUDA;
        h.compute = compute;
    }
    if (patch->text[of] == NULL) {
        patch->text[of] = strdup(source->text[of]);
        if (patch->text[of] == NULL)
            return BYW_ENOMEM;
    }
    start = line_at(patch->text[of], number);
    length = strcspn(start, "\n");
    if (length >= LINE_ROOM)
        return BYW_OK;
    snprintf(line, sizeof(line), "%.*s", (int)length, start);
    if (!change_update(line, &h) && change_line(line, &h) == 0)
        return say_unsaid(place, &h);
    *done = true;
    return replace(&patch->text[of], (size_t)(start - patch->text[of]), length, line);
}

enum byw_status byw_advise_patch(json_t *report, const struct byw_advise_source *source,
                                 uint32_t compute, struct byw_advise_patch *patch)
{
    const json_t *kernel;
    json_t *place;
    enum byw_status st = BYW_OK;
    size_t i, j;

    *patch = (struct byw_advise_patch){.changed = 0};
    json_array_foreach(json_object_get(report, "kernels"), i, kernel)
        json_array_foreach(json_object_get(kernel, "places"), j, place)
    {
        bool done;

        if (st != BYW_OK || byw_result_number(place, "rank") <= 0)
            continue;
        st = change_place(byw_result_text(kernel, "name"), place, source, compute, patch, &done);
        *(done ? &patch->changed : &patch->left) += 1;
        if (st == BYW_OK && json_object_set_new(place, "patched", json_boolean(done)) != 0)
            st = BYW_ENOMEM;
    }
    return st;
}

/* --- diff ----------------------------------------------------------------------------------- */

static uint32_t lines_of(const char *text)
{
    uint32_t n = 0;

    for (; *text != '\0'; n++) {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return n;
}

static void put_line(FILE *out, char sign, const char *text, uint32_t line)
{
    const char *at = line_at(text, line);

    size_t length = strcspn(at, "\n");

    fprintf(out, "%c%.*s\n", sign, (int)length, at);
    if (at[length] == '\0')
        fputs("\\ No newline at end of file\n", out);
}

static bool differs(const char *a, const char *b, uint32_t line)
{
    const char *x = line_at(a, line), *y = line_at(b, line);
    size_t n = strcspn(x, "\n");

    return n != strcspn(y, "\n") || memcmp(x, y, n) != 0;
}

/* The next changed line, starting at `line`; more than `lines`: none. */
static uint32_t next_change(const char *a, const char *b, uint32_t line, uint32_t lines)
{
    while (line <= lines && !differs(a, b, line))
        line++;
    return line;
}

static void diff(FILE *out, const char *name, const char *a, const char *b)
{
    uint32_t lines = lines_of(a), at = next_change(a, b, 1, lines);

    fprintf(out, "--- ./%s\n+++ ./%s\n", name, name);
    while (at <= lines) {
        uint32_t first = at > CONTEXT ? at - CONTEXT : 1, last = at, next = at;

        while (next <= lines && next <= last + 2 * CONTEXT) {
            last = next;
            next = next_change(a, b, next + 1, lines);
        }
        last = last + CONTEXT < lines ? last + CONTEXT : lines;
        fprintf(out, "@@ -%u,%u +%u,%u @@\n", first, last - first + 1, first, last - first + 1);
        for (uint32_t i = first; i <= last; i++) {
            if (differs(a, b, i)) {
                put_line(out, '-', a, i);
                put_line(out, '+', b, i);
            } else {
                put_line(out, ' ', a, i);
            }
        }
        at = next;
    }
}

void byw_advise_diff(FILE *out, const struct byw_advise_source *source,
                     const struct byw_advise_patch *patch)
{
    for (uint32_t i = 0; i < source->count; i++) {
        char number[32];

        snprintf(number, sizeof(number), "%u.cl", i + 1);
        if (patch->text[i] != NULL && strcmp(patch->text[i], source->text[i]) != 0)
            diff(out, source->file[i] != NULL ? source->file[i] : number, source->text[i],
                 patch->text[i]);
    }
}
