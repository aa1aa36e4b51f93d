/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_reproduce_order.c - the order of the runs.
 *
 * A claim can be judged when all of its runs exist, so runs are made claim by claim, the claim with
 * the least missing time next; then figures in the same way. Within each, the shortest runs come
 * first.
 */
#include <stdlib.h>
#include <string.h>

#include "study/papers/byw_reproduce_state.h"

/* A unit that is complete or not: a claim or a figure. */
struct group {
    bool *has; /* per point: whether the group needs it */
    bool placed, claim;
};

struct order {
    const struct byw_reproduce *r;
    const double *seconds;
    struct group *group;
    size_t groups, points, placed;
    size_t *point;
    bool *done; /* per point: whether it is in the order */
};

/* Marks all repetitions of a source's run for a row as needed by the group. */
static void mark(const struct order *o, struct group *g, const struct byw_source *source,
                 const char *row)
{
    for (unsigned k = 0; k < byw_source_repeats(o->r, source); k++) {
        const char *id = byw_reproduce_run(o->r, source, row, k);

        for (size_t i = 0; id != NULL && i < o->points; i++)
            if (strcmp(byw_plan_point(o->r->plan, i)->id, id) == 0)
                g->has[i] = true;
    }
}

static enum byw_status mark_all(const struct order *o, struct group *g,
                                const struct byw_source *source, const struct byw_selection *rows,
                                struct byw_diag *diag)
{
    struct byw_names names;
    enum byw_status st;

    if (source->run == NULL || !byw_source_is_run(source))
        return BYW_OK;
    if (source->workload != NULL) { /* the source has the same workload in every row */
        mark(o, g, source, "");
        return BYW_OK;
    }
    st = byw_reproduce_names(o->r, rows, &names, diag);
    for (size_t i = 0; st == BYW_OK && i < names.count; i++)
        mark(o, g, source, names.name[i]);
    if (st == BYW_OK)
        byw_names_free(&names);
    return st;
}

static enum byw_status claim_group(const struct order *o, struct group *g,
                                   const struct byw_claim *claim, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    g->claim = true;
    for (size_t i = 0; st == BYW_OK && i < claim->numbers; i++) {
        const struct byw_claim_number *n = &claim->number[i];

        st = mark_all(o, g, &n->source, &n->of, diag);
        if (st == BYW_OK)
            st = mark_all(o, g, &n->reference, &n->of, diag);
    }
    return st;
}

static enum byw_status figure_group(const struct order *o, struct group *g,
                                    const struct byw_figure *figure, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    for (size_t c = 0; st == BYW_OK && c < figure->columns; c++)
        st = mark_all(o, g, &figure->column[c].source, &figure->of, diag);
    return st;
}

static enum byw_status make_groups(struct order *o, struct byw_diag *diag)
{
    const struct byw_papers *papers = o->r->papers;
    enum byw_status st = BYW_OK;
    size_t most = papers->claims + papers->figures;

    o->group = calloc(most, sizeof(*o->group));
    for (size_t i = 0; st == BYW_OK && i < most; i++) {
        const struct byw_claim *claim = i < papers->claims ? &papers->claim[i] : NULL;
        const struct byw_figure *figure =
            claim == NULL ? &papers->figure[i - papers->claims] : NULL;
        struct group *g = o->group != NULL ? &o->group[o->groups] : NULL;

        if (claim != NULL ? !byw_reproduce_has_claim(o->r, claim)
                          : !byw_reproduce_has_figure(o->r, figure))
            continue;
        if (g == NULL || (g->has = calloc(o->points + 1, sizeof(bool))) == NULL)
            return byw_no_memory(diag, "the order of the runs");
        o->groups++;
        st = claim != NULL ? claim_group(o, g, claim, diag) : figure_group(o, g, figure, diag);
    }
    return st;
}

/* Total time of a group's runs that are not in the order yet. */
static double left(const struct order *o, const struct group *g)
{
    double sum = 0.0;

    for (size_t i = 0; i < o->points; i++)
        sum += g->has[i] && !o->done[i] ? o->seconds[i] : 0.0;
    return sum;
}

/* The group to complete next; NULL if all are complete. */
static struct group *next(const struct order *o)
{
    struct group *best = NULL;

    for (size_t i = 0; i < o->groups; i++) {
        struct group *g = &o->group[i];

        if (!g->placed && (best == NULL || (g->claim == best->claim && left(o, g) < left(o, best))))
            best = g;
    }
    return best;
}

/* The group's runs, the shortest first. */
static void place(struct order *o, struct group *g)
{
    g->placed = true;
    for (;;) {
        size_t best = o->points;

        for (size_t i = 0; i < o->points; i++)
            if (g->has[i] && !o->done[i] && (best == o->points || o->seconds[i] < o->seconds[best]))
                best = i;
        if (best == o->points)
            return;
        o->done[best] = true;
        o->point[o->placed++] = best;
    }
}

enum byw_status byw_reproduce_order(const struct byw_reproduce *reproduce, const double *seconds,
                                    size_t *point, struct byw_diag *diag)
{
    struct order o = {.r = reproduce,
                      .seconds = seconds,
                      .points = byw_plan_count(reproduce->plan),
                      .point = point};
    struct group *g;
    enum byw_status st;

    o.done = calloc(o.points + 1, sizeof(*o.done));
    st = o.done != NULL ? make_groups(&o, diag) : byw_no_memory(diag, "the order of the runs");
    while (st == BYW_OK && (g = next(&o)) != NULL)
        place(&o, g);
    for (size_t i = 0; st == BYW_OK && i < o.points; i++) /* points that belong to no group */
        if (!o.done[i])
            point[o.placed++] = i;
    for (size_t i = 0; i < o.groups; i++)
        free(o.group[i].has);
    free(o.group);
    free(o.done);
    return st;
}
