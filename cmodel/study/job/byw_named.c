/* SPDX-License-Identifier: Apache-2.0 */
#include "study/job/byw_named.h"

#include <stdlib.h>
#include <string.h>

#include "common/byw_array.h"
#include "common/byw_text.h"

static size_t find(char *const *list, size_t count, const char *text)
{
    size_t i = 0;

    while (i < count && strcmp(list[i], text) != 0)
        i++;
    return i;
}

enum byw_status byw_named_add(struct byw_named *list, const char *given, size_t *place, bool *added,
                              struct byw_diag *diag)
{
    char name[BYW_PATH_ROOM];
    size_t n = list->count;

    *place = find(list->given, n, given);
    if (added != NULL)
        *added = *place == n;
    if (*place < n)
        return BYW_OK;
    if (n == list->most)
        return byw_diag_set(diag, BYW_EINVAL, "%s '%s' is one too many; expected at most %zu",
                            list->noun, given, list->most);
    if (!BYW_ARRAY_ROOM(list->given, list->given_room, n + 1) ||
        !BYW_ARRAY_ROOM(list->name, list->name_room, n + 1))
        return byw_no_memory(diag, "the list of runs");
    byw_setup_name(given, name, sizeof(name));
    if (find(list->name, n, name) != n)
        byw_text_printable(given, name, sizeof(name));
    list->given[n] = strdup(given);
    list->name[n] = strdup(name);
    list->count++;
    return list->given[n] != NULL && list->name[n] != NULL
               ? BYW_OK
               : byw_no_memory(diag, "the list of runs");
}

void byw_named_release(struct byw_named *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->given[i]);
        free(list->name[i]);
    }
    free(list->given);
    free(list->name);
}
