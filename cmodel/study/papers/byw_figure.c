/* SPDX-License-Identifier: Apache-2.0 */
#include "study/papers/byw_figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/papers/byw_reproduce_state.h"

static enum byw_status no_memory(struct byw_diag *diag)
{
    return byw_diag_set(diag, BYW_ENOMEM, "no memory for a figure");
}

bool byw_figure_next(char **rest, char **name, char **variant)
{
    char *colon;

    *name = strsep(rest, ";");
    colon = *name != NULL ? strchr(*name, ':') : NULL;
    if (colon == NULL)
        return false;
    *colon = '\0';
    *name += strspn(*name, " ");
    *variant = colon + 1 + strspn(colon + 1, " ");
    return true;
}

/* Rows that are metrics, not workloads: "=NAME: METRIC; NAME: METRIC". */
static bool rows_are_metrics(const struct byw_figure *figure)
{
    return figure->rows[0] == '=';
}

struct columns {
    char *text; /* what the pointers point into */
    size_t count;
    char *name[32], *variant[32];
};

static bool take_list(const char *list, struct columns *c)
{
    const size_t room = sizeof(c->name) / sizeof(c->name[0]);
    char *rest;

    c->count = 0;
    rest = c->text = strdup(list);
    while (rest != NULL && c->count < room &&
           byw_figure_next(&rest, &c->name[c->count], &c->variant[c->count]))
        c->count++;
    return c->text != NULL;
}

/* The names of the rows, and their metrics where they are those. */
static enum byw_status list_rows(const struct byw_reproduce *r, const struct byw_figure *figure,
                                 struct columns *metrics, struct byw_names *names,
                                 struct byw_diag *diag)
{
    *names = (struct byw_names){.count = 0};
    if (!rows_are_metrics(figure))
        return byw_reproduce_names(r, figure->rows, names, diag);
    if (!take_list(figure->rows + 1, metrics))
        return no_memory(diag);
    names->name = calloc(metrics->count + 1, sizeof(char *));
    for (size_t i = 0; names->name != NULL && i < metrics->count; i++) {
        names->name[i] = strdup(metrics->name[i]);
        names->count += names->name[i] != NULL;
    }
    return names->count == metrics->count ? BYW_OK : no_memory(diag);
}

static bool allocate(struct byw_figure_table *t)
{
    size_t cells = t->rows * t->columns + 1;

    t->row = calloc(t->rows + 1, sizeof(char *));
    t->column = calloc(t->columns + 1, sizeof(char *));
    t->value = calloc(cells, sizeof(double));
    t->paper = calloc(cells, sizeof(double));
    t->run = calloc(cells, sizeof(char *));
    for (size_t i = 0; t->value != NULL && t->paper != NULL && i < cells; i++)
        t->value[i] = t->paper[i] = NAN;
    return t->row != NULL && t->column != NULL && t->value != NULL && t->paper != NULL &&
           t->run != NULL;
}

static void add_papers(struct byw_figure_table *t)
{
    for (size_t n = 0; n < byw_figure_number_count(); n++) {
        const struct byw_figure_number *p = byw_figure_number(n);

        for (size_t i = 0; strcmp(p->id, t->figure->id) == 0 && i < t->rows * t->columns; i++)
            if (strcmp(p->row, t->row[i / t->columns]) == 0 &&
                strcmp(p->column, t->column[i % t->columns]) == 0)
                t->paper[i] = p->value;
    }
}

static void add_means(struct byw_figure_table *t)
{
    bool geometric = t->figure->scale == BYW_RELATIVE;
    double *mean = t->value + (t->rows - 1) * t->columns;
    size_t members = 0;

    for (size_t c = 0; c < t->columns; c++)
        mean[c] = 0.0;
    for (size_t r = 0; r + 1 < t->rows; r++) {
        const double *value = t->value + r * t->columns;
        bool complete = true;

        for (size_t c = 0; c < t->columns; c++)
            complete = complete && !isnan(value[c]) && (!geometric || value[c] > 0.0);
        for (size_t c = 0; complete && c < t->columns; c++)
            mean[c] += geometric ? log(value[c]) : value[c];
        members += complete;
    }
    for (size_t c = 0; c < t->columns; c++) {
        mean[c] = members > 0 ? mean[c] / (double)members : NAN;
        if (geometric)
            mean[c] = exp(mean[c]);
    }
}

static bool fill(const struct byw_reproduce *r, struct byw_figure_table *t,
                 const struct columns *columns, const struct columns *metrics,
                 const struct byw_names *names)
{
    bool relative = t->figure->scale == BYW_RELATIVE, good = true;

    for (size_t c = 0; good && c < t->columns; c++)
        good = (t->column[c] = strdup(columns->name[c])) != NULL;
    for (size_t i = 0; good && i < names->count; i++) {
        const char *workload = metrics->count > 0 ? "ALL" : names->name[i];
        const char *metric = metrics->count > 0 ? metrics->variant[i] : t->figure->metric;
        double *value = t->value + i * t->columns;

        t->row[i] = strdup(names->name[i]);
        good = t->row[i] != NULL;
        for (size_t c = 0; c < t->columns; c++) {
            value[c] = byw_reproduce_metric(r, columns->variant[c], workload, metric);
            t->run[i * t->columns + c] = byw_reproduce_run(r, columns->variant[c], workload);
        }
        for (size_t c = t->columns; relative && c-- > 0;)
            value[c] = value[0] != 0.0 ? value[c] / value[0] : value[c] == 0.0 ? 1.0 : NAN;
    }
    return good;
}

enum byw_status byw_figure_make(const struct byw_reproduce *reproduce,
                                const struct byw_figure *figure, struct byw_figure_table *table,
                                struct byw_diag *diag)
{
    struct columns columns = {.count = 0}, metrics = {.count = 0};
    struct byw_names names;
    enum byw_status st = list_rows(reproduce, figure, &metrics, &names, diag);

    *table = (struct byw_figure_table){.figure = figure, .mean = metrics.count == 0};
    if (st == BYW_OK && !take_list(figure->columns, &columns))
        st = no_memory(diag);
    table->mean = table->mean && names.count > 1;
    table->rows = names.count + table->mean;
    table->columns = columns.count;
    if (st == BYW_OK && (!allocate(table) || !fill(reproduce, table, &columns, &metrics, &names)))
        st = no_memory(diag);
    if (st == BYW_OK && table->mean) {
        table->row[names.count] = strdup("mean");
        if (table->row[names.count] == NULL)
            st = no_memory(diag);
        else
            add_means(table);
    }
    if (st == BYW_OK)
        add_papers(table);
    else
        byw_figure_release(table);
    byw_names_free(&names);
    free(columns.text);
    free(metrics.text);
    return st;
}

void byw_figure_release(struct byw_figure_table *table)
{
    for (size_t i = 0; table->row != NULL && i < table->rows; i++)
        free(table->row[i]);
    for (size_t i = 0; table->column != NULL && i < table->columns; i++)
        free(table->column[i]);
    free(table->row);
    free(table->column);
    free(table->value);
    free(table->paper);
    free(table->run);
    *table = (struct byw_figure_table){.rows = 0};
}

bool byw_figure_has_chart(const struct byw_figure_table *table)
{
    return table->figure->scale != BYW_TABLE;
}

void byw_figure_text(double value, char text[32])
{
    if (isnan(value))
        strcpy(text, "-");
    else if (value == 0.0 || (fabs(value) >= 0.0995 && fabs(value) < 1000.0))
        snprintf(text, 32, "%.*f", fabs(value) < 9.9995 ? 3 : fabs(value) < 99.995 ? 2 : 1, value);
    else
        snprintf(text, 32, fabs(value) < 1.0 ? "%.3g" : "%.0f", value);
}
