/* SPDX-License-Identifier: Apache-2.0 */
#include "study/job/byw_workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct entry {
    struct byw_workload about;
    const char *cls;
};

/* The class in a record is filled in on request, because a name is not a constant expression. */
static const struct entry registry[] = {
#define BYW_WORKLOAD(name, abbr, suite, cls, n_ipc, groups, small, meaning, reason)                \
    BYW_WORKLOAD_OF(name, name, "", abbr, suite, cls, n_ipc, groups, small, meaning, reason)
#define BYW_WORKLOAD_OF(name, program, options, abbr, suite, cls, n_ipc, groups, small, meaning,   \
                        reason)                                                                    \
    {{name, program, options, abbr, suite, BYW_WCLASS_NONE, n_ipc, groups, small, meaning,         \
      reason},                                                                                     \
     cls},
#include "workloads/workloads.def"
#undef BYW_WORKLOAD
#undef BYW_WORKLOAD_OF
};

enum { REGISTRY_COUNT = sizeof(registry) / sizeof(registry[0]) };

static const char *const class_names[] = {
#define X(code, name) [code] = name,
    BYW_WCLASS_LIST(X)
#undef X
};

const char *byw_wclass_name(enum byw_wclass cls)
{
    return class_names[cls];
}

size_t byw_workload_count(void)
{
    return REGISTRY_COUNT;
}

struct byw_workload byw_workload(size_t i)
{
    struct byw_workload about = registry[i].about;

    for (int cls = BYW_WCLASS_CNF; cls < BYW_WCLASS_NONE; cls++)
        if (strcmp(registry[i].cls, class_names[cls]) == 0)
            about.cls = (enum byw_wclass)cls;
    return about;
}

bool byw_workload_find(const char *name, struct byw_workload *about)
{
    for (size_t i = 0; i < REGISTRY_COUNT; i++)
        if (strcmp(registry[i].about.name, name) == 0) {
            *about = byw_workload(i);
            return true;
        }
    return false;
}

/* Whether `word` is one of the words of `list`, letter case ignored. */
static bool has_word(const char *list, const char *word)
{
    size_t len = strlen(word);

    while (*list != '\0') {
        size_t n = strcspn(list, " ");

        if (n == len && strncasecmp(list, word, n) == 0)
            return true;
        list += n;
        list += strspn(list, " ");
    }
    return false;
}

static bool add(struct byw_names *names, const char *name)
{
    /* selected twice, but run once */
    return byw_names_have(names, name) || byw_names_add(names, name, strlen(name));
}

static bool known_set(const char *set)
{
    for (size_t i = 0; i < REGISTRY_COUNT; i++)
        if (has_word(registry[i].about.groups, set))
            return true;
    return false;
}

/* Adds the shipped workloads of a set ("@cnf"), or all of them ("all"). */
static enum byw_status add_shipped(const struct byw_names *shipped, const char *set,
                                   struct byw_names *names, struct byw_diag *diag)
{
    bool all = set[0] != '@';
    bool any = false;

    if (!all && !known_set(set + 1))
        return byw_diag_set(
            diag, BYW_ENOENT,
            "unknown set '%s'; expected one that `byway list workloads` shows, such "
            "as @cnf, @cf, @ci, or all, or workload names",
            set);
    for (size_t i = 0; i < shipped->count; i++) {
        struct byw_workload known;

        if (!all &&
            (!byw_workload_find(shipped->name[i], &known) || !has_word(known.groups, set + 1)))
            continue;
        any = true;
        if (!add(names, shipped->name[i]))
            return byw_no_memory(diag, "the workloads");
    }
    if (!any)
        return byw_diag_set(diag, BYW_ENOENT,
                            "'%s' has no trace; expected .bwt files in the traces folder", set);
    return BYW_OK;
}

static enum byw_status add_item(const struct byw_places *places, const struct byw_names *shipped,
                                const char *item, struct byw_names *names, struct byw_diag *diag)
{
    char path[BYW_PATH_ROOM];
    enum byw_status st;

    if (item[0] == '@' || strcmp(item, "all") == 0)
        return add_shipped(shipped, item, names, diag);
    st = byw_places_trace(places, item, 32, path, diag);
    if (st == BYW_OK && !add(names, item))
        st = byw_no_memory(diag, "the workloads");
    return st;
}

enum byw_status byw_workloads_select(const struct byw_places *places, const char *selection,
                                     struct byw_names *names, struct byw_diag *diag)
{
    struct byw_names shipped;
    char *text = strdup(selection);
    char *rest = text;
    char *item;
    enum byw_status st = byw_places_traces(places, &shipped, diag);

    memset(names, 0, sizeof(*names));
    if (text == NULL)
        st = byw_no_memory(diag, "the workloads");
    while (st == BYW_OK && (item = strsep(&rest, ",")) != NULL)
        if (*item != '\0')
            st = add_item(places, &shipped, item, names, diag);
    if (st == BYW_OK && names->count == 0)
        st = byw_diag_set(diag, BYW_EINVAL,
                          "--workloads '%s' selects nothing; expected names, @cnf, @cf, @ci or all",
                          selection);
    free(text);
    byw_names_free(&shipped);
    if (st != BYW_OK)
        byw_names_free(names);
    return st;
}
