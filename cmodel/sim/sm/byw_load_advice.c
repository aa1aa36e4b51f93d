/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/sm/byw_load_advice.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_array.h"
#include "common/byw_config.h"
#include "common/byw_input.h"
#include "record/byw_request.h"

enum { LINE_ROOM = 1024, FIELDS = 3 };

enum place { PLACE_ALL, PLACE_PC, PLACE_LINE, PLACE_SITES };

struct row {
    char kernel[128]; /* "*": all kernels */
    enum place place;
    uint32_t number; /* PC, source line or stamp */
    uint8_t hint; /* enum byw_hint */
    uint32_t line; /* line number in the file */
    bool used;
};

struct byw_load_advice {
    struct row *row;
    uint32_t count;
    size_t room;
    char path[256]; /* for messages; empty: no file */
};

static const char *const hint_words[] = {
    [BYW_HINT_NONE] = "none",         [BYW_HINT_BYPASS] = "bypass",
    [BYW_HINT_STREAM] = "stream",     [BYW_HINT_CACHE] = "cache",
    [BYW_HINT_VOLATILE] = "volatile", [BYW_ADVICE_NONTEMPORAL] = "nontemporal",
};

enum { HINTS = sizeof(hint_words) / sizeof(hint_words[0]) };

const char *byw_load_hint_word(uint8_t hint)
{
    return hint < HINTS ? hint_words[hint] : "?";
}

bool byw_load_hint_read(const char *word, uint8_t *hint)
{
    for (uint8_t i = 0; i < HINTS; i++)
        if (strcmp(word, hint_words[i]) == 0) {
            *hint = i;
            return true;
        }
    return false;
}

static bool read_stamp(const char *text, uint32_t *stamp)
{
    *stamp = (uint32_t)strtoul(text, NULL, 16);
    return strlen(text) == 8 && text[strspn(text, "0123456789abcdef")] == '\0';
}

static bool read_number(const char *text, uint32_t *number)
{
    unsigned long long n;
    char *end;

    if (!isdigit((unsigned char)text[0]) || strlen(text) > 12)
        return false;
    n = strtoull(text, &end, 0);
    *number = (uint32_t)n;
    return *end == '\0' && n <= UINT32_MAX;
}

static bool read_place(const char *word, struct row *row)
{
    if (strcmp(word, "*") == 0) {
        row->place = PLACE_ALL;
        return true;
    }
    if (strcmp(word, "sites") == 0) {
        row->place = PLACE_SITES;
        return true;
    }
    if (strncmp(word, "pc:", 3) == 0) {
        row->place = PLACE_PC;
        return read_number(word + 3, &row->number);
    }
    row->place = PLACE_LINE;
    return strncmp(word, "line:", 5) == 0 && read_number(word + 5, &row->number) &&
           row->number != 0;
}

/* Splits the line into words.  Returns their number, FIELDS + 1 for more. */
static uint32_t split(char *line, char *word[FIELDS])
{
    uint32_t n = 0;
    char *save = NULL;

    line[strcspn(line, "#")] = '\0';
    for (char *at = strtok_r(line, " \t\r\n", &save); at != NULL;
         at = strtok_r(NULL, " \t\r\n", &save)) {
        if (n == FIELDS)
            return FIELDS + 1;
        word[n++] = at;
    }
    return n;
}

static struct row *add_row(struct byw_load_advice *advice)
{
    if (!BYW_ARRAY_ROOM(advice->row, advice->room, advice->count + 1u))
        return NULL;
    advice->row[advice->count] = (struct row){.place = PLACE_ALL};
    return &advice->row[advice->count];
}

static enum byw_status wrong_hint(const char *path, uint32_t line, const char *word,
                                  struct byw_diag *diag)
{
    const char *near = byw_nearest(word, hint_words, HINTS);

    return byw_diag_set(diag, BYW_EFORMAT,
                        "%s:%u: the hint is '%.40s'; expected none, bypass, stream, cache, "
                        "volatile or nontemporal%s%s%s",
                        path, line, word, near != NULL ? "; did you mean '" : "",
                        near != NULL ? near : "", near != NULL ? "'?" : "");
}

static enum byw_status read_row(struct byw_load_advice *advice, char *text, const char *path,
                                uint32_t line, struct byw_diag *diag)
{
    char *word[FIELDS];
    uint32_t words = split(text, word);
    struct row *row;

    if (words == 0)
        return BYW_OK;
    if (words != FIELDS)
        return byw_diag_set(diag, BYW_EFORMAT, "%s:%u: expected three words, KERNEL PLACE HINT",
                            path, line);
    row = add_row(advice);
    if (row == NULL)
        return byw_diag_set(diag, BYW_ENOMEM, "%s:%u: out of memory for the advice", path, line);
    row->line = line;
    if (strlen(word[0]) >= sizeof(row->kernel))
        return byw_diag_set(diag, BYW_EFORMAT, "%s:%u: kernel name longer than %zu characters",
                            path, line, sizeof(row->kernel) - 1);
    strcpy(row->kernel, word[0]);
    if (!read_place(word[1], row))
        return byw_diag_set(diag, BYW_EFORMAT,
                            "%s:%u: the place is '%.40s'; expected pc:0x60, line:15, sites or *",
                            path, line, word[1]);
    if (row->place == PLACE_SITES && !read_stamp(word[2], &row->number))
        return byw_diag_set(diag, BYW_EFORMAT,
                            "%s:%u: the stamp is '%.40s'; expected eight digits, 0 to 9 and a to f",
                            path, line, word[2]);
    if (row->place != PLACE_SITES && !byw_load_hint_read(word[2], &row->hint))
        return wrong_hint(path, line, word[2], diag);
    advice->count++;
    return BYW_OK;
}

static enum byw_status read_rows(struct byw_load_advice *advice, FILE *in, const char *path,
                                 struct byw_diag *diag)
{
    char text[LINE_ROOM];
    enum byw_status status = BYW_OK;

    for (uint32_t line = 1; status == BYW_OK && fgets(text, sizeof(text), in) != NULL; line++) {
        if (strchr(text, '\n') == NULL && !feof(in))
            return byw_diag_set(
                diag, BYW_EFORMAT,
                "%s:%u: line too long, or contains a zero byte; expected at most %d "
                "characters of text",
                path, line, LINE_ROOM - 2);
        status = read_row(advice, text, path, line, diag);
    }
    if (status == BYW_OK && ferror(in))
        return byw_diag_set(diag, BYW_EIO, "%s: cannot be read (%s)", path, strerror(errno));
    return status;
}

enum byw_status byw_load_advice_read(const char *path, struct byw_load_advice **advice,
                                     struct byw_diag *diag)
{
    struct byw_load_advice *made;
    FILE *in;
    enum byw_status status = byw_input_open(path, BYW_INPUT_FILE, "an advice file", &in, diag);

    if (status != BYW_OK)
        return BYW_EIO;
    made = calloc(1, sizeof(*made));
    status = made == NULL ? byw_diag_set(diag, BYW_ENOMEM, "%s: out of memory for the advice", path)
                          : read_rows(made, in, path, diag);
    fclose(in);
    if (status == BYW_OK)
        snprintf(made->path, sizeof(made->path), "%s", path);
    if (status == BYW_OK)
        *advice = made;
    else
        byw_load_advice_free(made);
    return status;
}

struct byw_load_advice *byw_load_advice_empty(void)
{
    return calloc(1, sizeof(struct byw_load_advice));
}

bool byw_load_advice_add(struct byw_load_advice *advice, const char *kernel, uint32_t pc,
                         uint8_t hint)
{
    struct row *row = add_row(advice);

    if (row == NULL)
        return false;
    snprintf(row->kernel, sizeof(row->kernel), "%s", kernel);
    row->place = PLACE_PC;
    row->number = pc;
    row->hint = hint;
    advice->count++;
    return true;
}

bool byw_load_advice_add_all(struct byw_load_advice *advice, uint8_t hint)
{
    struct row *row = add_row(advice);

    if (row == NULL)
        return false;
    strcpy(row->kernel, "*");
    row->hint = hint;
    advice->count++;
    return true;
}

void byw_load_advice_free(struct byw_load_advice *advice)
{
    if (advice != NULL)
        free(advice->row);
    free(advice);
}

void byw_load_hints_release(struct byw_load_hints *hints)
{
    free(hints->list);
    *hints = (struct byw_load_hints){0};
}

/* Index of the first entry at or after this PC. */
static uint32_t find(const struct byw_load_hints *hints, uint32_t pc)
{
    uint32_t low = 0, high = hints->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (hints->list[middle].pc < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void byw_load_hint(const struct byw_load_hints *hints, uint32_t pc, uint8_t *hint)
{
    uint32_t at = find(hints, pc);

    if (at < hints->count && hints->list[at].pc == pc)
        *hint = hints->list[at].hint;
    else if (hints->all)
        *hint = hints->rest;
}

static bool set_hint(struct byw_load_hints *hints, uint32_t pc, uint8_t hint)
{
    uint32_t at = find(hints, pc);

    hints->any = true;
    if (at < hints->count && hints->list[at].pc == pc) {
        hints->list[at].hint = hint;
        return true;
    }
    if (!BYW_ARRAY_ROOM(hints->list, hints->room, hints->count + 1u))
        return false;
    memmove(&hints->list[at + 1], &hints->list[at], (hints->count - at) * sizeof(*hints->list));
    hints->list[at] = (struct byw_load_hint){pc, hint};
    hints->count++;
    return true;
}

/* Applies a row about single loads of a kernel.  The trace may have no list of static accesses. */
static bool apply_to_sites(struct row *row, const struct byw_kernel *kernel,
                           struct byw_load_hints *hints)
{
    bool good = true;

    if (kernel->site_count == 0 && row->place == PLACE_PC) {
        row->used = true;
        return set_hint(hints, row->number, row->hint);
    }
    for (uint32_t i = 0; i < kernel->site_count && good; i++) {
        const struct byw_site *site = &kernel->site[i];

        if (site->cls == BYW_CLASS_LOAD &&
            (row->place == PLACE_PC ? site->pc : site->line) == row->number) {
            row->used = true;
            good = set_hint(hints, site->pc, row->hint);
        }
    }
    return good;
}

/* Applies the hints in the code. */
static bool apply_code(const struct byw_kernel *kernel, struct byw_load_hints *hints)
{
    const uint8_t hint[] = {
        [BYW_SITE_VOLATILE] = BYW_HINT_VOLATILE,
        [BYW_SITE_NONTEMPORAL] = hints->levels ? BYW_ADVICE_NONTEMPORAL : BYW_HINT_STREAM,
        [BYW_SITE_NO_ALLOCATE] = BYW_HINT_BYPASS,
    };
    bool good = true;

    for (uint32_t i = 0; i < kernel->site_count && good; i++) {
        const struct byw_site *site = &kernel->site[i];

        if (site->cls == BYW_CLASS_LOAD && (site->flags & BYW_SITE_HINTS) != 0)
            good = set_hint(hints, site->pc, hint[site->flags & BYW_SITE_HINTS]);
    }
    return good;
}

/* Removes a hint that was given to all loads from those that take none. */
static bool spare_constants(const struct byw_kernel *kernel, struct byw_load_hints *hints)
{
    bool good = true;

    for (uint32_t i = 0; i < kernel->site_count && good; i++)
        if ((kernel->site[i].flags & BYW_SITE_CONSTANT) != 0)
            good = set_hint(hints, kernel->site[i].pc, BYW_HINT_NONE);
    return good;
}

static void mix(uint32_t *hash, uint32_t value)
{
    for (int byte = 0; byte < 4; byte++, value >>= 8)
        *hash = (*hash ^ (value & 0xff)) * UINT32_C(16777619);
}

uint32_t byw_load_stamp(const struct byw_kernel *kernel)
{
    uint32_t hash = UINT32_C(2166136261);

    if (kernel->site_count == 0)
        return 0;
    for (uint32_t i = 0; i < kernel->site_count; i++) {
        const struct byw_site *site = &kernel->site[i];

        mix(&hash, site->pc);
        mix(&hash, (uint32_t)site->argument);
        mix(&hash, (uint32_t)site->cls << 8 | site->width);
    }
    return hash != 0 ? hash : 1;
}

/* Checks that the row is about this code. */
static enum byw_status check_stamp(const struct byw_load_advice *advice, struct row *row,
                                   const struct byw_kernel *kernel, struct byw_diag *diag)
{
    uint32_t stamp = byw_load_stamp(kernel);

    row->used = true;
    if (stamp == 0 || stamp == row->number)
        return BYW_OK;
    return byw_diag_set(
        diag, BYW_EFORMAT,
        "%s:%u: the advice is stale: the loads of kernel %s have changed since it was "
        "written; expected sites %08x, found %08x",
        advice->path, row->line, kernel->name, row->number, stamp);
}

enum byw_status byw_load_advice_for(struct byw_load_advice *advice, const struct byw_kernel *kernel,
                                    struct byw_load_hints *hints, struct byw_diag *diag)
{
    enum byw_status st;

    hints->any = hints->all = false;
    hints->count = 0;
    if (!apply_code(kernel, hints))
        return byw_no_memory(diag, "advice");
    for (uint32_t i = 0; advice != NULL && i < advice->count; i++) {
        struct row *row = &advice->row[i];

        if (strcmp(row->kernel, "*") != 0 && strcmp(row->kernel, kernel->name) != 0)
            continue;
        if (row->place == PLACE_SITES) {
            st = check_stamp(advice, row, kernel, diag);
            if (st != BYW_OK)
                return st;
        } else if (row->place == PLACE_ALL) {
            row->used = hints->any = hints->all = true;
            hints->rest = row->hint;
            hints->count = 0;
            if (!spare_constants(kernel, hints))
                return byw_no_memory(diag, "advice");
        } else if (!apply_to_sites(row, kernel, hints)) {
            return byw_no_memory(diag, "advice");
        }
    }
    return BYW_OK;
}

uint32_t byw_load_advice_unused(const struct byw_load_advice *advice)
{
    for (uint32_t i = 0; i < advice->count; i++)
        if (!advice->row[i].used)
            return advice->row[i].line;
    return 0;
}
