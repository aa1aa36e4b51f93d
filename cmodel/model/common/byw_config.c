/* SPDX-License-Identifier: Apache-2.0 */
#include "common/byw_config.h"

#include <assert.h>
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_mech.h"

enum { WORD_MAX = 64 };

static const struct byw_param fixed[] = {
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
#define USE(file_, key_, help)                                                                     \
    {.file = BYW_PARAM_##file_, .kind = BYW_PARAM_USE, .key = key_, .meaning = help},
#include "configs/byw_params.def"
#undef U32
#undef ENUM
#undef STR
#undef USE
};

enum { FIXED_COUNT = sizeof(fixed) / sizeof(fixed[0]) };

/* All keys. put_together() fills the array and sets param_count on first use. */
static struct byw_param params[FIXED_COUNT + BYW_MECH_VALUES];
static size_t param_count;
static uint16_t place[2048]; /* hash table of keys: index in `params` plus 1; 0 = free */
static pthread_once_t once = PTHREAD_ONCE_INIT;

enum { PLACES = sizeof(place) / sizeof(place[0]) };

_Static_assert(2 * (FIXED_COUNT + BYW_MECH_VALUES) <= PLACES, "chains of keys stay short");

/* Index in `place` of a key, or of the free place where it belongs. */
static size_t place_of(const char *key)
{
    uint32_t hash = 2166136261U;

    for (const char *c = key; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619U;
    hash ^= hash >> 15;
    while (place[hash % PLACES] != 0 && strcmp(params[place[hash % PLACES] - 1].key, key) != 0)
        hash++;
    return hash % PLACES;
}

static void put_together(void)
{
    size_t values = 0;

    memcpy(params, fixed, sizeof(fixed));
    for (size_t m = 0; m < byw_mech_count(); m++)
        for (size_t k = 0; k < byw_mech(m)->key_count; k++, values++) {
            assert(values < BYW_MECH_VALUES);
            params[FIXED_COUNT + values] = byw_mech(m)->keys[k];
            params[FIXED_COUNT + values].offset =
                offsetof(struct byw_config, mech) + values * sizeof(uint32_t);
        }
    param_count = FIXED_COUNT + values;
    for (size_t i = param_count; i-- > 0;) /* backwards: the first of two equal keys wins */
        place[place_of(params[i].key)] = (uint16_t)(i + 1);
}

size_t byw_param_count(void)
{
    pthread_once(&once, put_together);
    return param_count;
}

const struct byw_param *byw_param(size_t i)
{
    pthread_once(&once, put_together);
    return &params[i];
}

size_t byw_param_named(const char *key)
{
    size_t count = byw_param_count(), found = place[place_of(key)];

    return found != 0 ? found - 1 : count;
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
    for (size_t i = 0; i < byw_param_count(); i++) {
        const struct byw_param *p = &params[i];

        if (p->kind == BYW_PARAM_STR)
            snprintf((char *)config + p->offset, BYW_CONFIG_STR, "%s", p->def_text);
        else if (p->kind != BYW_PARAM_USE)
            *number_of(config, p) = p->def;
    }
    config->port = (struct byw_port){
#define PORT(parameter, field, def, lo, hi, meaning) .field = (def),
#include "configs/byw_port_params.def"
#undef PORT
    };
}

static int lower(char c)
{
    return tolower((unsigned char)c);
}

/* Edit distance (insert, delete, replace, swap neighbors), ignoring case. */
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
    size_t best = strlen(word) < 3 ? 1 : 1 + strlen(word) / 3; /* a larger distance is not a typo */
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
    for (size_t i = 0; i < count; i++) { /* fall back to a prefix, or to the part after the last
                                          * dot */
        const char *dot = strrchr(candidates[i], '.');

        if (strncmp(candidates[i], word, strlen(word)) == 0 ||
            (dot != NULL && strcmp(dot + 1, word) == 0))
            return candidates[i];
    }
    return NULL;
}

static enum byw_status unknown_key(const char *key, const char *where, struct byw_diag *diag)
{
    const char *names[FIXED_COUNT + BYW_MECH_VALUES];
    const char *near;

    for (size_t i = 0; i < byw_param_count(); i++)
        names[i] = params[i].key;
    near = byw_nearest(key, names, byw_param_count());
    if (near != NULL)
        return byw_diag_set(diag, BYW_ENOENT, "%s: unknown key '%s'; did you mean '%s'?", where,
                            key, near);
    return byw_diag_set(diag, BYW_ENOENT,
                        "%s: unknown key '%s'; expected one of `byway list configs`", where, key);
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

/* The i-th of the '|'-separated choices; NULL if there are fewer. */
static const char *choice_in(const char *choices, uint32_t i, size_t *length)
{
    for (; i > 0; i--) {
        choices = strchr(choices, '|');
        if (choices == NULL)
            return NULL;
        choices++;
    }
    *length = strcspn(choices, "|");
    return choices;
}

/* Copies the i-th choice to `word`; false if there are fewer. */
static bool choice(const char *choices, uint32_t i, char word[WORD_MAX])
{
    size_t length;
    const char *first = choice_in(choices, i, &length);

    if (first == NULL)
        return false;
    length = length < WORD_MAX ? length : WORD_MAX - 1;
    memcpy(word, first, length);
    word[length] = '\0';
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
        return byw_diag_set(
            diag, BYW_EINVAL,
            "%s: %s has %zu characters; expected 1 to %d printable ASCII characters", where, p->key,
            len, BYW_CONFIG_STR - 1);
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
    case BYW_PARAM_USE:
        return byw_mech_use(config, value, where, diag);
    case BYW_PARAM_STR:
        break;
    }
    return set_text((char *)config + p->offset, p, value, where, diag);
}

enum byw_status byw_config_set(struct byw_config *config, const char *key, const char *value,
                               const char *where, struct byw_diag *diag)
{
    size_t i = byw_param_named(key);

    if (i == byw_param_count())
        return unknown_key(key, where, diag);
    return set_param(config, &params[i], value, where, diag);
}

const char *byw_config_choice(const struct byw_config *config, size_t i, size_t *length)
{
    const struct byw_param *p = byw_param(i);

    return p->kind == BYW_PARAM_ENUM ? choice_in(p->choices, number_in(config, p), length) : NULL;
}

void byw_config_text(const struct byw_config *config, size_t i, char *text, size_t room)
{
    const struct byw_param *p = byw_param(i);
    char word[WORD_MAX];

    if (p->kind == BYW_PARAM_USE)
        byw_mech_use_text(config, text, room);
    else if (p->kind == BYW_PARAM_STR)
        snprintf(text, room, "%s", (const char *)config + p->offset);
    else if (p->kind == BYW_PARAM_ENUM && choice(p->choices, number_in(config, p), word))
        snprintf(text, room, "%s", word);
    else
        snprintf(text, room, "%u", number_in(config, p));
}
