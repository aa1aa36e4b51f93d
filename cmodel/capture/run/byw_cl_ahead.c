/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/run/byw_cl_ahead.h"

#include <stdlib.h>

struct byw_cl_ahead_log {
    struct byw_cl_ahead_log *next;
    uint64_t word[];
};

uint64_t *byw_cl_ahead_add(struct byw_cl_ahead *ahead, uint64_t words)
{
    struct byw_cl_ahead_log *log = malloc(sizeof(*log) + words * sizeof(log->word[0]));

    if (log == NULL)
        return NULL;
    log->next = NULL;
    if (ahead->first == NULL)
        ahead->first = log;
    else
        ahead->last->next = log;
    ahead->last = log;
    ahead->open = true;
    return log->word;
}

uint64_t *byw_cl_ahead_take(struct byw_cl_ahead *ahead, bool *open)
{
    free(ahead->taken);
    ahead->taken = ahead->first;
    if (ahead->taken == NULL)
        return NULL;
    *open = ahead->open && ahead->taken == ahead->last;
    ahead->open &= !*open;
    ahead->first = ahead->taken->next;
    return ahead->taken->word;
}

void byw_cl_ahead_clear(struct byw_cl_ahead *ahead)
{
    bool open;

    while (byw_cl_ahead_take(ahead, &open) != NULL)
        continue;
    ahead->open = false;
}
