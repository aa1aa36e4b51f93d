/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/path/byw_cl_slow.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    uint32_t branches[2];
    const char *taken[2];
} ways[] = {
    {{0, 0}, {"", ""}},
#define X(name, branches, taken, other, other_taken) {{branches, other}, {taken, other_taken}},
#include "capture/path/byw_slow_ways.def"
#undef X
};

static int in_order(const void *left, const void *right)
{
    const struct byw_cl_slow *l = left, *r = right;

    if (l->number != r->number)
        return l->number < r->number ? -1 : 1;
    return (l->turn > r->turn) - (l->turn < r->turn);
}

void byw_cl_slow_sort(struct byw_cl_slow *list, size_t count)
{
    if (count != 0)
        qsort(list, count, sizeof(*list), in_order);
}

uint32_t byw_cl_slow_find(const struct byw_cl_slow *list, size_t count, uint32_t number,
                          uint32_t turn)
{
    const struct byw_cl_slow key = {.number = number, .turn = turn},
                             *found = count == 0
                                          ? NULL
                                          : bsearch(&key, list, count, sizeof(key), in_order);

    return found == NULL ? BYW_SLOW_NONE : found->way;
}

/* Conditional branches of the function that begins at `at`: its code ends at its return. */
static uint32_t branches_of(const struct byw_machine *m, const uint32_t *left, uint32_t at)
{
    uint32_t count = 0;

    for (; at < m->count && left[at] != UINT32_MAX && m->inst[at].op != BYW_MACHINE_RETURN; at++)
        count += m->inst[at].op == BYW_MACHINE_BRANCH && byw_machine_decides(&m->inst[at]);
    return count;
}

/* Whether the path is shorter if this conditional branch is taken. */
static bool is_shorter(const struct byw_machine *m, const uint32_t *left, uint32_t at)
{
    uint32_t to = m->inst[at].target;

    return to < m->count && left[to] < (at + 1 < m->count ? left[at + 1] : UINT32_MAX);
}

/* Follows the code from `at` to the function's return. choice: whether each branch is taken; NULL:
 * the shortest path. Returns false if the choice does not fit the code. */
static bool walk(const struct byw_machine *m, const uint32_t *left, uint32_t at, const char *choice,
                 bool *taken, uint32_t *count, uint64_t *instructions)
{
    *count = 0;
    *instructions = 0;
    for (; at < m->count && left[at] != UINT32_MAX; ++*instructions) {
        const struct byw_machine_inst *inst = &m->inst[at];
        bool go = inst->op == BYW_MACHINE_BRANCH &&
                  (inst->flags & (BYW_MACHINE_NEVER | BYW_MACHINE_IF_DIVERGED)) == 0;

        if (inst->op == BYW_MACHINE_RETURN && (inst->flags & BYW_MACHINE_NEVER) == 0) {
            ++*instructions;
            return choice == NULL || choice[*count] == '\0';
        }
        if (*instructions > 4 * (uint64_t)m->count)
            return false;
        if (go && byw_machine_decides(inst)) {
            if (*count == BYW_CL_SLOW_BRANCHES || (choice != NULL && choice[*count] == '\0'))
                return false;
            go = choice != NULL ? choice[*count] == '1' : is_shorter(m, left, at);
            taken[(*count)++] = go;
        }
        at = go ? inst->target : at + 1;
    }
    return false;
}

uint32_t byw_cl_slow_walk(const struct byw_machine *m, const uint32_t *left, uint32_t at,
                          uint32_t way, bool *taken, uint64_t *instructions)
{
    uint32_t branches = branches_of(m, left, at), count = 0;

    for (int form = 0; form < 2 && way > BYW_SLOW_NONE && way < BYW_SLOW_WAYS; form++)
        if (ways[way].branches[form] != 0 && ways[way].branches[form] == branches &&
            walk(m, left, at, ways[way].taken[form], taken, &count, instructions))
            return count;
    walk(m, left, at, NULL, taken, &count, instructions);
    return count;
}
