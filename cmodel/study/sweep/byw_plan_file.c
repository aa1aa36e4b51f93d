/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_array.h"
#include "common/byw_input.h"
#include "study/sweep/byw_plan_state.h"

enum { LINE_ROOM = 4096 };

static void empty(struct byw_plan_axis *axis)
{
    while (axis->count > 0)
        free(axis->value[--axis->count]);
    free(axis->line);
    axis->line = NULL;
}

static void release(struct byw_plan_axis *axis)
{
    empty(axis);
    free(axis->value);
    free(axis->key);
    *axis = (struct byw_plan_axis){.count = 0};
}

void byw_plan_grid_release(struct byw_plan_grid *grid)
{
    release(&grid->machine);
    release(&grid->policy);
    release(&grid->selection);
    release(&grid->given);
    for (size_t k = 0; k < grid->keys; k++)
        release(&grid->key[k]);
    byw_names_free(&grid->workload);
    byw_names_free(&grid->path);
}

static char *trim(char *text)
{
    size_t n;

    while (isspace((unsigned char)*text))
        text++;
    n = strlen(text);
    while (n > 0 && isspace((unsigned char)text[n - 1]))
        text[--n] = '\0';
    return text;
}

static enum byw_status add_value(struct byw_plan_axis *axis, const char *text,
                                 struct byw_diag *diag)
{
    for (size_t i = 0; i < axis->count; i++)
        if (strcmp(axis->value[i], text) == 0)
            return BYW_OK;
    if (!BYW_ARRAY_ROOM(axis->value, axis->room, axis->count + 1))
        return byw_no_memory(diag, "the list of runs");
    axis->value[axis->count] = strdup(text);
    return axis->value[axis->count++] != NULL ? BYW_OK : byw_no_memory(diag, "the list of runs");
}

/* The axis with that name, created if it is a key that has none yet. */
static enum byw_status find_axis(struct byw_plan_grid *grid, const char *name, const char *where,
                                 struct byw_plan_axis **axis, struct byw_diag *diag)
{
    struct byw_config config;
    size_t k = 0;

    *axis = strcmp(name, "machines") == 0    ? &grid->machine
            : strcmp(name, "policies") == 0  ? &grid->policy
            : strcmp(name, "workloads") == 0 ? &grid->selection
            : strcmp(name, "traces") == 0    ? &grid->given
                                             : NULL;
    if (*axis != NULL)
        return BYW_OK;
    if (byw_param_named(name) == byw_param_count()) { /* appends "did you mean" */
        byw_config_defaults(&config);
        return byw_config_set(&config, name, "", where, diag);
    }
    while (k < grid->keys && strcmp(grid->key[k].key, name) != 0)
        k++;
    if (k == BYW_PLAN_AXES)
        return byw_diag_set(diag, BYW_EINVAL, "%s: '%s' is one key too many; expected at most %d",
                            where, name, BYW_PLAN_AXES);
    if (k == grid->keys) {
        grid->key[k].key = strdup(name);
        if (grid->key[k].key == NULL)
            return byw_no_memory(diag, "the list of runs");
        grid->keys++;
    }
    *axis = &grid->key[k];
    return BYW_OK;
}

/* Reports a wrong value with its position, before combinations are formed. */
static enum byw_status check_value(const char *key, const char *value, const char *where,
                                   struct byw_diag *diag)
{
    struct byw_config config;

    byw_config_defaults(&config);
    return byw_config_set(&config, key, value, where, diag);
}

static enum byw_status add_values(struct byw_plan_axis *axis, const char *name, const char *values,
                                  const char *where, struct byw_diag *diag)
{
    char *text = strdup(values), *rest = text, *item;
    size_t before = axis->count;
    enum byw_status st = text != NULL ? BYW_OK : byw_no_memory(diag, "the list of runs");

    while (st == BYW_OK && (item = strsep(&rest, ",")) != NULL) {
        item = trim(item);
        if (*item != '\0' && axis->key != NULL)
            st = check_value(axis->key, item, where, diag);
        if (st == BYW_OK && *item != '\0')
            st = add_value(axis, item, diag);
    }
    free(text);
    if (st == BYW_OK && axis->count == before && before == 0)
        st = byw_diag_set(diag, BYW_EINVAL, "%s: '%s' has no value; expected A,B,C", where, name);
    return st;
}

enum byw_status byw_plan_add(struct byw_plan *plan, const char *axis, const char *values,
                             const char *where, struct byw_diag *diag)
{
    struct byw_plan_axis *found;
    enum byw_status st = find_axis(&plan->grid[plan->grids - 1], axis, where, &found, diag);

    return st == BYW_OK ? add_values(found, axis, values, where, diag) : st;
}

enum byw_status byw_plan_override(struct byw_plan *plan, const char *axis, const char *values,
                                  const char *where, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    for (size_t i = 0; st == BYW_OK && i < plan->grids; i++) {
        struct byw_plan_axis *found;

        st = find_axis(&plan->grid[i], axis, where, &found, diag);
        if (st != BYW_OK)
            break;
        empty(found);
        st = add_values(found, axis, values, where, diag);
    }
    return st;
}

enum byw_status byw_plan_add_trace(struct byw_plan *plan, const char *path, struct byw_diag *diag)
{
    return add_value(&plan->grid[plan->grids - 1].given, path, diag);
}

enum byw_status byw_plan_override_traces(struct byw_plan *plan, const char *const *path,
                                         size_t count, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    for (size_t i = 0; i < plan->grids; i++) {
        empty(&plan->grid[i].given);
        for (size_t k = 0; st == BYW_OK && k < count; k++)
            st = add_value(&plan->grid[i].given, path[k], diag);
    }
    return st;
}

enum byw_status byw_plan_next(struct byw_plan *plan, struct byw_diag *diag)
{
    if (!BYW_ARRAY_ROOM(plan->grid, plan->grid_room, plan->grids + 1))
        return byw_no_memory(diag, "the list of runs");
    plan->grid[plan->grids++] = (struct byw_plan_grid){.keys = 0};
    return BYW_OK;
}

static bool is_empty(const struct byw_plan_grid *grid)
{
    return grid->machine.count + grid->policy.count + grid->selection.count + grid->given.count +
               grid->keys ==
           0;
}

/* Whether the last grid has values of that axis. */
static bool has(const struct byw_plan *plan, const char *name)
{
    struct byw_plan_grid *grid = &plan->grid[plan->grids - 1];
    struct byw_plan_axis *axis = NULL;

    if (byw_param_named(name) < byw_param_count()) {
        for (size_t k = 0; k < grid->keys; k++)
            if (strcmp(grid->key[k].key, name) == 0)
                return true;
        return false;
    }
    return find_axis(grid, name, "", &axis, NULL) == BYW_OK && axis->count > 0;
}

/* Keeps the line that gives an axis, for messages about its values. */
static enum byw_status note_line(struct byw_plan *plan, const char *name, const char *where,
                                 struct byw_diag *diag)
{
    struct byw_plan_axis *axis;
    enum byw_status st = find_axis(&plan->grid[plan->grids - 1], name, where, &axis, diag);

    if (st != BYW_OK)
        return st;
    axis->line = strdup(where);
    return axis->line != NULL ? BYW_OK : byw_no_memory(diag, "the list of runs");
}

enum byw_status byw_plan_at_line(const struct byw_plan_axis *axis, enum byw_status st,
                                 struct byw_diag *diag)
{
    struct byw_diag why;

    if (st == BYW_OK || axis->line == NULL)
        return st;
    why = *diag;
    return byw_diag_set(diag, st, "%s: %s", axis->line, why.text);
}

static enum byw_status read_line(struct byw_plan *plan, char *line, const char *where,
                                 struct byw_diag *diag)
{
    char *hash = strchr(line, '#');
    char *equals;
    char *axis;
    enum byw_status st;

    if (hash != NULL)
        *hash = '\0';
    line = trim(line);
    if (*line == '\0')
        return BYW_OK;
    if (*line == '[') {
        if (line[strlen(line) - 1] != ']')
            return byw_diag_set(diag, BYW_EFORMAT, "%s: '%.60s' has no ']'; expected [name]", where,
                                line);
        return is_empty(&plan->grid[plan->grids - 1]) ? BYW_OK : byw_plan_next(plan, diag);
    }
    equals = strchr(line, '=');
    if (equals == NULL)
        return byw_diag_set(diag, BYW_EFORMAT, "%s: '%.60s' has no '='; expected `key = A, B, C`",
                            where, line);
    *equals = '\0';
    axis = trim(line);
    if (has(plan, axis))
        return byw_diag_set(diag, BYW_EFORMAT,
                            "%s: '%s' is repeated; expected each key once per grid", where, axis);
    st = byw_plan_add(plan, axis, equals + 1, where, diag);
    return st == BYW_OK ? note_line(plan, axis, where, diag) : st;
}

enum byw_status byw_plan_read(struct byw_plan *plan, const char *path, struct byw_diag *diag)
{
    char line[LINE_ROOM], where[BYW_PATH_ROOM];
    FILE *file;
    enum byw_status st = byw_input_open(path, BYW_INPUT_FILE, "a grid file", &file, diag);
    bool good;

    if (st != BYW_OK)
        return st;
    for (unsigned n = 1; st == BYW_OK && fgets(line, sizeof(line), file) != NULL; n++) {
        snprintf(where, sizeof(where), "%s:%u", path, n);
        if (strlen(line) + 1 == sizeof(line))
            st =
                byw_diag_set(diag, BYW_EFORMAT, "%s: line too long; expected at most %d characters",
                             where, LINE_ROOM - 2);
        else
            st = read_line(plan, line, where, diag);
    }
    good = !ferror(file);
    fclose(file);
    if (st == BYW_OK && !good)
        st = byw_diag_set(diag, BYW_EIO, "%s: cannot be read to its end", path);
    return st;
}

/* --- completion ------------------------------------------------------------------------------ */

static enum byw_status append(struct byw_names *names, struct byw_names *more,
                              struct byw_diag *diag)
{
    if (!BYW_ARRAY_ROOM(names->name, names->room, names->count + more->count))
        return byw_no_memory(diag, "the list of runs");
    for (size_t i = 0; i < more->count; i++)
        names->name[names->count++] = more->name[i];
    more->count = 0;
    return BYW_OK;
}

enum byw_status byw_plan_grid_complete(struct byw_plan_grid *grid, const struct byw_places *places,
                                       struct byw_diag *diag)
{
    const bool traces = grid->given.count != 0;
    enum byw_status st = BYW_OK;

    if (grid->machine.count == 0)
        st = add_values(&grid->machine, "machines", traces ? BYW_OWN_MACHINE : BYW_PAPER_MACHINE,
                        "", diag);
    if (st == BYW_OK && grid->policy.count == 0)
        st = add_values(&grid->policy, "policies", traces ? BYW_OWN_POLICIES : BYW_PAPER_POLICIES,
                        "", diag);
    if (st == BYW_OK && grid->selection.count + grid->given.count == 0)
        st = add_values(&grid->selection, "workloads", "all", "", diag);
    for (size_t i = 0; st == BYW_OK && i < grid->selection.count + grid->given.count; i++) {
        size_t own = grid->selection.count;
        struct byw_names more = {.count = 0};

        st = i < own ? byw_workloads_select(places, grid->selection.value[i], &more, diag)
                     : byw_traces_at(grid->given.value[i - own], &more, diag);
        st = byw_plan_at_line(i < own ? &grid->selection : &grid->given, st, diag);
        if (st == BYW_OK)
            st = append(i < own ? &grid->workload : &grid->path, &more, diag);
        byw_names_free(&more);
    }
    return st;
}
