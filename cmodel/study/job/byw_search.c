/* SPDX-License-Identifier: Apache-2.0 */
#include "study/job/byw_search.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool byw_search_wanted(const struct byw_config *config)
{
    return strcmp(config->search_key, "none") != 0;
}

enum byw_status byw_search_set(struct byw_config *config, uint32_t value, struct byw_diag *diag)
{
    char text[16];

    snprintf(text, sizeof(text), "%u", value);
    return byw_config_set(config, config->search_key, text, "search.values", diag);
}

static bool number(const char **at, uint32_t *value)
{
    unsigned long n;
    char *end;

    if (!isdigit((unsigned char)**at))
        return false;
    n = strtoul(*at, &end, 10);
    if (end - *at > 9)
        return false;
    *value = (uint32_t)n;
    *at = end;
    return true;
}

/* Reads FIRST, FIRST-LAST or FIRST-LAST/STEP. */
static bool range(const char **at, uint32_t *first, uint32_t *last, uint32_t *step)
{
    *step = 1;
    if (!number(at, first))
        return false;
    *last = *first;
    if (**at == '-') {
        ++*at;
        if (!number(at, last) || *last < *first)
            return false;
        if (**at == '/') {
            ++*at;
            if (!number(at, step) || *step == 0)
                return false;
        }
    }
    return **at == ' ' || **at == '\0';
}

enum byw_status byw_search_list(const struct byw_config *config, uint32_t values[BYW_SEARCH_VALUES],
                                size_t *count, struct byw_diag *diag)
{
    struct byw_config trial = *config;
    const char *at = config->search_values;
    enum byw_status st = BYW_OK;
    uint32_t first, last, step;

    *count = 0;
    while (st == BYW_OK && at[strspn(at, " ")] != '\0') {
        at += strspn(at, " ");
        if (!range(&at, &first, &last, &step))
            return byw_diag_set(diag, BYW_EINVAL,
                                "search.values is '%s'; expected numbers and ranges like "
                                "\"1-16 20-64/4\"",
                                config->search_values);
        for (uint32_t v = first; st == BYW_OK && v <= last; v += step) {
            if (*count == BYW_SEARCH_VALUES)
                return byw_diag_set(diag, BYW_EINVAL,
                                    "search.values has too many values; expected at most %d",
                                    BYW_SEARCH_VALUES);
            values[(*count)++] = v;
            st = byw_search_set(&trial, v, diag);
        }
    }
    if (st == BYW_OK && *count == 0)
        return byw_diag_set(diag, BYW_EINVAL, "search.values is empty; expected numbers");
    return st;
}
