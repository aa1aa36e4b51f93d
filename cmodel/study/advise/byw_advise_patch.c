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

/* Gives every expression `name[...]` of a line its hint, starting with the last one, so that the
 * numbers of nested ones stay valid. Returns how many. */
static uint32_t change_line(char line[LINE_ROOM], const char *name, const char *type, uint8_t hint)
{
    uint32_t count = 0;
    size_t at, length;

    while (byw_advise_expression(line, name, type, count, &at, &length))
        count++;
    for (uint32_t n = count; n-- > 0;) {
        char expression[LINE_ROOM], written[LINE_ROOM + 128], changed[2 * LINE_ROOM + 256];

        byw_advise_expression(line, name, type, n, &at, &length);
        snprintf(expression, sizeof(expression), "%.*s", (int)length, line + at);
        if (!byw_advise_written(BYW_ADVISE_OPENCL, hint, 0, false, expression, type, written,
                                sizeof(written)))
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
static bool change_update(char line[LINE_ROOM], const char *name, const char *type, uint8_t hint)
{
    char expression[LINE_ROOM], written[LINE_ROOM + 128], changed[3 * LINE_ROOM + 256];
    size_t at, length, sign, from, rest;

    if (!byw_advise_update(line, name, &at, &length, &sign))
        return false;
    snprintf(expression, sizeof(expression), "%.*s", (int)length, line + at);
    if (!byw_advise_written(BYW_ADVISE_OPENCL, hint, 0, false, expression, type, written,
                            sizeof(written)))
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

/* Writes the hint of a place; *done: the text has it. */
static enum byw_status change_place(const char *kernel, const json_t *place,
                                    const struct byw_advise_source *source,
                                    struct byw_advise_patch *patch, bool *done)
{
    const uint32_t of = byw_advise_text_of(source, kernel);
    const uint32_t number = (uint32_t)byw_result_number(place, "line");
    const int32_t argument = (int32_t)byw_result_number(place, "argument");
    char type[BYW_SOURCE_NAME], name[BYW_SOURCE_NAME], line[LINE_ROOM], why[BYW_SOURCE_LINE];
    const char *start;
    uint8_t hint;
    size_t length;

    *done = false;
    if (byw_advise_obstacle(source, kernel, number, argument, why) ||
        !byw_load_hint_read(byw_result_text(place, "advice"), &hint) ||
        !byw_advise_parameter(source, kernel, argument, name, type))
        return BYW_OK;
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
    if (!change_update(line, name, type, hint) && change_line(line, name, type, hint) == 0)
        return BYW_OK;
    *done = true;
    return replace(&patch->text[of], (size_t)(start - patch->text[of]), length, line);
}

enum byw_status byw_advise_patch(json_t *report, const struct byw_advise_source *source,
                                 struct byw_advise_patch *patch)
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
        st = change_place(byw_result_text(kernel, "name"), place, source, patch, &done);
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

static void diff(FILE *out, uint32_t number, const char *a, const char *b)
{
    uint32_t lines = lines_of(a), at = next_change(a, b, 1, lines);

    fprintf(out, "--- ./%u.cl\n+++ ./%u.cl\n", number, number);
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
    for (uint32_t i = 0; i < source->count; i++)
        if (patch->text[i] != NULL && strcmp(patch->text[i], source->text[i]) != 0)
            diff(out, i + 1, source->text[i], patch->text[i]);
}
