/* SPDX-License-Identifier: Apache-2.0 */
#include "common/byw_config.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_text.h"

enum { WORD_MAX = 64 };

size_t byw_registry_find(const struct byw_registry *registry, const char *key)
{
    size_t low = 0, high = registry->params;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (strcmp(registry->param[registry->by_key[middle]].key, key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < registry->params && strcmp(registry->param[registry->by_key[low]].key, key) == 0)
        return registry->by_key[low];
    return registry->params;
}

static uint32_t *number_of(struct byw_config *config, const struct byw_param *p)
{
    return (uint32_t *)(void *)((char *)config + p->offset);
}

static uint32_t number_in(const struct byw_config *config, const struct byw_param *p)
{
    return *(const uint32_t *)(const void *)((const char *)config + p->offset);
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

/* The part of a key after its last dot; the whole key if it has no dot. */
static const char *last_part(const char *key)
{
    const char *dot = strrchr(key, '.');

    return dot != NULL ? dot + 1 : key;
}

/* The candidate whose last part is nearest to `word`, at most `most` edits away; NULL: none. */
static const char *nearest_last_part(const char *word, size_t most, const char *const *candidates,
                                     size_t count)
{
    const char *near = NULL;

    for (size_t i = 0; i < count; i++) {
        size_t d = edit_distance(word, last_part(candidates[i]));

        if (d > most || (near != NULL && d == most))
            continue;
        most = d;
        near = candidates[i];
    }
    return near;
}

/* Finds a candidate whose last part resembles the group of `word` (the part before its dot), if no
 * candidate has that group: "l1d.mshrs" for "mshr.entries". NULL: none. */
static const char *nearest_to_group(const char *word, const char *const *candidates, size_t count)
{
    size_t length = strcspn(word, ".");
    char group[WORD_MAX];

    if (word[length] == '\0' || strchr(word + length + 1, '.') != NULL || length < 3 ||
        length >= sizeof(group))
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (strncmp(candidates[i], word, length + 1) == 0)
            return NULL;
    memcpy(group, word, length);
    group[length] = '\0';
    return nearest_last_part(group, 1, candidates, count);
}

const char *byw_nearest(const char *word, const char *const *candidates, size_t count)
{
    const char *group = nearest_to_group(word, candidates, count);
    size_t best = strlen(word) < 3 ? 1 : 1 + strlen(word) / 3; /* a larger distance is not a typo */
    const char *near = NULL;

    if (group != NULL)
        return group;
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
    for (size_t i = 0; i < count;
         i++) /* fall back to a prefix, or to the part after the last dot */
        if (strncmp(candidates[i], word, strlen(word)) == 0)
            return candidates[i];
    return nearest_last_part(word, 1 + strlen(word) / 5, candidates, count);
}

static enum byw_status unknown_key(const struct byw_registry *registry, const char *key,
                                   const char *where, struct byw_diag *diag)
{
    const char **names = malloc(registry->params * sizeof(*names));
    const char *near = NULL;

    for (size_t i = 0; names != NULL && i < registry->params; i++)
        names[i] = registry->param[i].key;
    if (names != NULL)
        near = byw_nearest(key, names, registry->params);
    free(names);
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

/* Copies the i-th choice to `word`; false if there are fewer. */
static bool choice(const char *choices, uint32_t i, char word[WORD_MAX])
{
    size_t length;
    const char *first = byw_word_at(choices, i, &length);

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
        return config->registry->use(config, value, where, diag);
    case BYW_PARAM_STR:
        break;
    }
    return set_text((char *)config + p->offset, p, value, where, diag);
}

enum byw_status byw_config_set(struct byw_config *config, const char *key, const char *value,
                               const char *where, struct byw_diag *diag)
{
    const struct byw_registry *registry = config->registry;
    size_t i = byw_registry_find(registry, key);

    if (i == registry->params)
        return unknown_key(registry, key, where, diag);
    return set_param(config, &registry->param[i], value, where, diag);
}

const char *byw_config_choice(const struct byw_config *config, size_t i, size_t *length)
{
    const struct byw_param *p = &config->registry->param[i];

    return p->kind == BYW_PARAM_ENUM ? byw_word_at(p->choices, number_in(config, p), length) : NULL;
}

void byw_config_text(const struct byw_config *config, size_t i, char *text, size_t room)
{
    const struct byw_param *p = &config->registry->param[i];
    char word[WORD_MAX];

    if (p->kind == BYW_PARAM_USE)
        config->registry->use_text(config, text, room);
    else if (p->kind == BYW_PARAM_STR)
        snprintf(text, room, "%s", (const char *)config + p->offset);
    else if (p->kind == BYW_PARAM_ENUM && choice(p->choices, number_in(config, p), word))
        snprintf(text, room, "%s", word);
    else
        snprintf(text, room, "%u", number_in(config, p));
}
