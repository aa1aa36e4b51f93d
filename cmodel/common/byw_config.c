/* SPDX-License-Identifier: Apache-2.0 */
#include "common/byw_config.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LINE_ROOM = 1024, WORD_MAX = 64 };

static const struct byw_param params[] = {
#define U32(file_, field, key_, def_, lo, hi, help)                                                \
    {.file = BYW_PARAM_##file_,                                                                    \
     .kind = BYW_PARAM_U32,                                                                        \
     .key = key_,                                                                                  \
     .meaning = help,                                                                              \
     .def = def_,                                                                                  \
     .lowest = lo,                                                                                 \
     .highest = hi,                                                                                \
     .offset = offsetof(struct byw_config, field)},
#define ENUM(file_, field, key_, def_, choices_, help)                                             \
    {.file = BYW_PARAM_##file_,                                                                    \
     .kind = BYW_PARAM_ENUM,                                                                       \
     .key = key_,                                                                                  \
     .choices = choices_,                                                                          \
     .meaning = help,                                                                              \
     .def = def_,                                                                                  \
     .offset = offsetof(struct byw_config, field)},
#define STR(file_, field, key_, def_, help)                                                        \
    {.file = BYW_PARAM_##file_,                                                                    \
     .kind = BYW_PARAM_STR,                                                                        \
     .key = key_,                                                                                  \
     .meaning = help,                                                                              \
     .def_text = def_,                                                                             \
     .offset = offsetof(struct byw_config, field)},
#include "configs/byw_params.def"
#undef U32
#undef ENUM
#undef STR
};

enum { PARAM_COUNT = sizeof(params) / sizeof(params[0]) };

size_t byw_param_count(void)
{
    return PARAM_COUNT;
}

const struct byw_param *byw_param(size_t i)
{
    return &params[i];
}

static uint32_t *number_of(struct byw_config *config, const struct byw_param *p)
{
    return (uint32_t *)(void *)((char *)config + p->offset);
}

static uint32_t number_in(const struct byw_config *config, const struct byw_param *p)
{
    return *(const uint32_t *)(const void *)((const char *)config + p->offset);
}

void byw_config_defaults(struct byw_config *config)
{
    memset(config, 0, sizeof(*config));
    for (size_t i = 0; i < PARAM_COUNT; i++) {
        const struct byw_param *p = &params[i];

        if (p->kind == BYW_PARAM_STR)
            snprintf((char *)config + p->offset, BYW_CONFIG_STR, "%s", p->def_text);
        else
            *number_of(config, p) = p->def;
    }
}

static int lower(char c)
{
    return tolower((unsigned char)c);
}

/* Edit distance (insert, drop, replace, swap of neighbours), letter case ignored. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t row[3][WORD_MAX + 1];
    size_t la = strlen(a);
    size_t lb = strlen(b);

    if (la > WORD_MAX || lb > WORD_MAX)
        return SIZE_MAX;
    for (size_t j = 0; j <= lb; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= la; i++) {
        size_t *now = row[i % 3];
        const size_t *up = row[(i - 1) % 3];

        now[0] = i;
        for (size_t j = 1; j <= lb; j++) {
            size_t best = up[j - 1] + (lower(a[i - 1]) != lower(b[j - 1]));

            if (up[j] + 1 < best)
                best = up[j] + 1;
            if (now[j - 1] + 1 < best)
                best = now[j - 1] + 1;
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]) && row[(i - 2) % 3][j - 2] + 1 < best)
                best = row[(i - 2) % 3][j - 2] + 1;
            now[j] = best;
        }
    }
    return row[la % 3][lb];
}

static size_t common_start(const char *a, const char *b)
{
    size_t n = 0;

    while (a[n] != '\0' && lower(a[n]) == lower(b[n]))
        n++;
    return n;
}

const char *byw_nearest(const char *word, const char *const *candidates, size_t count)
{
    size_t best = strlen(word) < 3 ? 1 : 1 + strlen(word) / 3; /* farther is no typing error */
    const char *near = NULL;

    for (size_t i = 0; i < count; i++) {
        size_t d = edit_distance(word, candidates[i]);
        bool tie = d == best && near != NULL;

        if (d < best || (d == best && near == NULL) ||
            (tie && common_start(word, candidates[i]) > common_start(word, near))) {
            best = d;
            near = candidates[i];
        }
    }
    if (near != NULL || strlen(word) < 3)
        return near;
    for (size_t i = 0; i < count; i++) { /* the last part of a dotted key, or its beginning */
        const char *dot = strrchr(candidates[i], '.');

        if (strncmp(candidates[i], word, strlen(word)) == 0 ||
            (dot != NULL && strcmp(dot + 1, word) == 0))
            return candidates[i];
    }
    return NULL;
}

static enum byw_status unknown_key(const char *key, const char *where, struct byw_diag *diag)
{
    const char *names[PARAM_COUNT];
    const char *near;

    for (size_t i = 0; i < PARAM_COUNT; i++)
        names[i] = params[i].key;
    near = byw_nearest(key, names, PARAM_COUNT);
    if (near != NULL)
        return byw_diag_set(diag, BYW_ENOENT, "%s: unknown key '%s'; did you mean '%s'?", where,
                            key, near);
    return byw_diag_set(diag, BYW_ENOENT,
                        "%s: unknown key '%s'; expected one of `byway list configs`", where, key);
}

static const struct byw_param *find_param(const char *key)
{
    for (size_t i = 0; i < PARAM_COUNT; i++)
        if (strcmp(params[i].key, key) == 0)
            return &params[i];
    return NULL;
}

static enum byw_status set_number(uint32_t *field, const struct byw_param *p, const char *value,
                                  const char *where, struct byw_diag *diag)
{
    unsigned long long n = 0;
    bool good = isdigit((unsigned char)value[0]) && strlen(value) <= 12;
    char *end = NULL;

    if (good) {
        n = strtoull(value, &end, 10);
        good = *end == '\0' && n >= p->lowest && n <= p->highest;
    }
    if (!good)
        return byw_diag_set(diag, BYW_EINVAL,
                            "%s: %s is '%s'; expected a whole number from %u to %u", where, p->key,
                            value, p->lowest, p->highest);
    *field = (uint32_t)n;
    return BYW_OK;
}

/* Copies the i-th of the '|'-separated choices; false when there are fewer. */
static bool choice(const char *choices, uint32_t i, char word[WORD_MAX])
{
    size_t len;

    for (; i > 0; i--) {
        choices = strchr(choices, '|');
        if (choices == NULL)
            return false;
        choices++;
    }
    len = strcspn(choices, "|");
    snprintf(word, WORD_MAX, "%.*s", (int)len, choices);
    return true;
}

static enum byw_status set_choice(uint32_t *field, const struct byw_param *p, const char *value,
                                  const char *where, struct byw_diag *diag)
{
    char words[16][WORD_MAX];
    const char *names[16];
    const char *near;
    uint32_t count = 0;

    while (count < 16 && choice(p->choices, count, words[count])) {
        if (strcmp(words[count], value) == 0) {
            *field = count;
            return BYW_OK;
        }
        names[count] = words[count];
        count++;
    }
    near = byw_nearest(value, names, count);
    return byw_diag_set(diag, BYW_EINVAL, "%s: %s is '%s'; expected one of %s%s%s%s", where, p->key,
                        value, p->choices, near != NULL ? "; did you mean '" : "",
                        near != NULL ? near : "", near != NULL ? "'?" : "");
}

static enum byw_status set_text(char *field, const struct byw_param *p, const char *value,
                                const char *where, struct byw_diag *diag)
{
    size_t len = strlen(value);
    bool good = len > 0 && len < BYW_CONFIG_STR;

    for (size_t i = 0; good && i < len; i++)
        good = isprint((unsigned char)value[i]) != 0;
    if (!good)
        return byw_diag_set(diag, BYW_EINVAL,
                            "%s: %s has %zu characters; expected 1 to %d printable ASCII ones",
                            where, p->key, len, BYW_CONFIG_STR - 1);
    memset(field, 0, BYW_CONFIG_STR);
    memcpy(field, value, len);
    return BYW_OK;
}

static enum byw_status set_param(struct byw_config *config, const struct byw_param *p,
                                 const char *value, const char *where, struct byw_diag *diag)
{
    switch (p->kind) {
    case BYW_PARAM_U32:
        return set_number(number_of(config, p), p, value, where, diag);
    case BYW_PARAM_ENUM:
        return set_choice(number_of(config, p), p, value, where, diag);
    case BYW_PARAM_STR:
        break;
    }
    return set_text((char *)config + p->offset, p, value, where, diag);
}

enum byw_status byw_config_set(struct byw_config *config, const char *key, const char *value,
                               const char *where, struct byw_diag *diag)
{
    const struct byw_param *p = find_param(key);

    if (p == NULL)
        return unknown_key(key, where, diag);
    return set_param(config, p, value, where, diag);
}

void byw_config_text(const struct byw_config *config, size_t i, char *text, size_t room)
{
    const struct byw_param *p = &params[i];
    char word[WORD_MAX];

    if (p->kind == BYW_PARAM_STR)
        snprintf(text, room, "%s", (const char *)config + p->offset);
    else if (p->kind == BYW_PARAM_ENUM && choice(p->choices, number_in(config, p), word))
        snprintf(text, room, "%s", word);
    else
        snprintf(text, room, "%u", number_in(config, p));
}

/* --- files ----------------------------------------------------------------------------------- */

struct reading {
    struct byw_config *config;
    const char *path;
    enum byw_param_file file;
    uint32_t line;
    uint32_t set_at[PARAM_COUNT]; /* line that set the key, 0 = none yet */
};

static const char *file_noun(enum byw_param_file file)
{
    return file == BYW_PARAM_MACHINE ? "machine" : "policy";
}

static char *trim(char *text)
{
    size_t len;

    while (isspace((unsigned char)*text))
        text++;
    len = strlen(text);
    while (len > 0 && isspace((unsigned char)text[len - 1]))
        text[--len] = '\0';
    return text;
}

static enum byw_status read_line(struct reading *r, char *line, struct byw_diag *diag)
{
    char where[512];
    char *hash = strchr(line, '#');
    char *equals;
    const char *key;
    const struct byw_param *p;

    snprintf(where, sizeof(where), "%s:%u", r->path, r->line);
    if (hash != NULL)
        *hash = '\0';
    line = trim(line);
    if (*line == '\0')
        return BYW_OK;
    equals = strchr(line, '=');
    if (equals == NULL)
        return byw_diag_set(diag, BYW_EFORMAT, "%s: '%.60s' has no '='; expected `key = value`",
                            where, line);
    *equals = '\0';
    key = trim(line);
    p = find_param(key);
    if (p == NULL)
        return unknown_key(key, where, diag);
    if (p->file != r->file)
        return byw_diag_set(diag, BYW_EFORMAT,
                            "%s: key '%s' belongs into a %s file; expected keys of a %s here",
                            where, key, file_noun(p->file), file_noun(r->file));
    if (r->set_at[p - params] != 0)
        return byw_diag_set(diag, BYW_EFORMAT,
                            "%s: key '%s' is set again (first in line %u); expected it once", where,
                            key, r->set_at[p - params]);
    r->set_at[p - params] = r->line;
    return set_param(r->config, p, trim(equals + 1), where, diag);
}

/* What a line of bytes cannot be: marked as another encoding, too long, cut by a zero. */
static enum byw_status check_text(const struct reading *r, const char *line, bool last,
                                  struct byw_diag *diag)
{
    size_t length = strlen(line);
    bool ends = last || (length > 0 && line[length - 1] == '\n');

    if (r->line == 1 &&
        (strncmp(line, "\xef\xbb\xbf", 3) == 0 || memchr("\xfe\xff", line[0], 2) != NULL))
        return byw_diag_set(diag, BYW_EFORMAT,
                            "%s:1: begins with a byte order mark; expected plain text without it",
                            r->path);
    if (!ends && length + 1 == LINE_ROOM)
        return byw_diag_set(diag, BYW_EFORMAT,
                            "%s:%u: line too long; expected at most %d characters", r->path,
                            r->line, LINE_ROOM - 2);
    if (!ends)
        return byw_diag_set(diag, BYW_EFORMAT, "%s:%u: holds a zero byte; expected text", r->path,
                            r->line);
    return BYW_OK;
}

static enum byw_status read_stream(struct reading *r, FILE *in, struct byw_diag *diag)
{
    char line[LINE_ROOM];

    while (fgets(line, sizeof(line), in) != NULL) {
        enum byw_status st;

        r->line++;
        st = check_text(r, line, feof(in) != 0, diag);
        if (st != BYW_OK)
            return st;
        st = read_line(r, line, diag);
        if (st != BYW_OK)
            return st;
    }
    if (ferror(in))
        return byw_diag_set(diag, BYW_EIO, "%s:%u: cannot be read (%s); expected a text file",
                            r->path, r->line + 1, strerror(errno));
    for (size_t i = 0; i < PARAM_COUNT; i++)
        if (params[i].file == r->file && r->set_at[i] == 0)
            return byw_diag_set(diag, BYW_EFORMAT,
                                "%s:%u: the file ends without key '%s'; expected every %s key once",
                                r->path, r->line, params[i].key, file_noun(r->file));
    return BYW_OK;
}

/* What a file that is no regular one is; NULL for those. */
static const char *kind_of(mode_t mode)
{
    return S_ISREG(mode)   ? NULL
           : S_ISDIR(mode) ? "a folder"
           : S_ISFIFO(mode) || S_ISSOCK(mode)
               ? "a pipe" /* which gives its content once, and a comparison reads it often */
               : "a device";
}

/* Not opened before it is known to be a file: opening a pipe can wait for ever. */
static FILE *open_config(const char *path, enum byw_param_file file, struct byw_diag *diag)
{
    struct stat info;
    FILE *in = NULL;

    if (stat(path, &info) == 0 && kind_of(info.st_mode) != NULL) {
        byw_diag_set(diag, BYW_EIO, "%s: is %s; expected a %s file", path, kind_of(info.st_mode),
                     file_noun(file));
        return NULL;
    }
    in = fopen(path, "r");
    if (in == NULL)
        byw_diag_set(diag, BYW_EIO, "%s: cannot be opened (%s); expected a %s file", path,
                     strerror(errno), file_noun(file));
    return in;
}

enum byw_status byw_config_read(struct byw_config *config, const char *path,
                                enum byw_param_file file, struct byw_diag *diag)
{
    struct reading r = {.config = config, .path = path, .file = file};
    FILE *in = open_config(path, file, diag);
    enum byw_status st;

    if (in == NULL)
        return BYW_EIO;
    st = read_stream(&r, in, diag);
    fclose(in);
    return st;
}
