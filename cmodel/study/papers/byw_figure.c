/* SPDX-License-Identifier: Apache-2.0 */
#include "study/papers/byw_figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/papers/byw_reproduce_state.h"

/* The names of the rows. */
static enum byw_status list_rows(const struct byw_reproduce *r, const struct byw_figure *figure,
                                 struct byw_names *names, struct byw_diag *diag)
{
    *names = (struct byw_names){.count = 0};
    if (figure->rows == 0)
        return byw_reproduce_names(r, &figure->of, names, diag);
    names->name = calloc(figure->rows, sizeof(char *));
    for (size_t i = 0; names->name != NULL && i < figure->rows; i++) {
        names->name[i] = strdup(figure->row[i].name);
        names->count += names->name[i] != NULL;
    }
    return names->count == figure->rows ? BYW_OK : byw_no_memory(diag, "a figure");
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
    for (size_t c = 0; c < t->columns; c++) {
        const struct byw_figure_column *column = &t->figure->column[c];

        for (size_t p = 0; p < column->points; p++)
            for (size_t i = 0; i < t->rows; i++)
                if (strcmp(column->point[p].row, t->row[i]) == 0)
                    t->paper[i * t->columns + c] = column->point[p].value;
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
                 const struct byw_names *names)
{
    const struct byw_figure *figure = t->figure;
    bool relative = figure->scale == BYW_RELATIVE, good = true;

    for (size_t c = 0; good && c < t->columns; c++)
        good = (t->column[c] = strdup(figure->column[c].name)) != NULL;
    for (size_t i = 0; good && i < names->count; i++) {
        const char *row = figure->rows > 0 ? "ALL" : names->name[i];
        const char *metric = figure->rows > 0 ? figure->row[i].metric : figure->metric;
        double *value = t->value + i * t->columns;

        t->row[i] = strdup(names->name[i]);
        good = t->row[i] != NULL;
        for (size_t c = 0; c < t->columns; c++) {
            const struct byw_source *source = &figure->column[c].source;

            value[c] = byw_reproduce_metric(r, source, row, metric);
            t->run[i * t->columns + c] = byw_reproduce_run(r, source, row);
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
    struct byw_names names;
    enum byw_status st = list_rows(reproduce, figure, &names, diag);

    *table = (struct byw_figure_table){
        .figure = figure, .columns = figure->columns, .mean = figure->rows == 0 && names.count > 1};
    table->rows = names.count + table->mean;
    if (st == BYW_OK && (!allocate(table) || !fill(reproduce, table, &names)))
        st = byw_no_memory(diag, "a figure");
    if (st == BYW_OK && table->mean) {
        table->row[names.count] = strdup("mean");
        if (table->row[names.count] == NULL)
            st = byw_no_memory(diag, "a figure");
        else
            add_means(table);
    }
    if (st == BYW_OK)
        add_papers(table);
    else
        byw_figure_release(table);
    byw_names_free(&names);
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
