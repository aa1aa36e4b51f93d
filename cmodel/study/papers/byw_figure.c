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
    t->sd = calloc(cells, sizeof(double));
    t->run = calloc(cells * t->repeats, sizeof(char *));
    if (t->row == NULL || t->column == NULL || t->value == NULL || t->paper == NULL ||
        t->sd == NULL || t->run == NULL)
        return false;
    for (size_t i = 0; i < cells; i++)
        t->value[i] = t->paper[i] = t->sd[i] = NAN;
    return true;
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

/* Means over the rows of one seed. */
static void add_means(const struct byw_figure_table *t, double *cell)
{
    bool geometric = t->figure->scale == BYW_RELATIVE;
    double *mean = cell + (t->rows - 1) * t->columns;
    size_t members = 0;

    for (size_t c = 0; c < t->columns; c++)
        mean[c] = 0.0;
    for (size_t r = 0; r + 1 < t->rows; r++) {
        const double *value = cell + r * t->columns;
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

static bool name_all(struct byw_figure_table *t, const struct byw_names *names)
{
    bool good = true;

    for (size_t c = 0; good && c < t->columns; c++)
        good = (t->column[c] = strdup(t->figure->column[c].name)) != NULL;
    for (size_t i = 0; good && i < t->rows; i++)
        good = (t->row[i] = strdup(i < names->count ? names->name[i] : "mean")) != NULL;
    return good;
}

/* The cells of repetition k. */
static void fill(const struct byw_reproduce *r, struct byw_figure_table *t, unsigned k,
                 double *cell)
{
    const struct byw_figure *figure = t->figure;
    bool relative = figure->scale == BYW_RELATIVE;

    for (size_t i = 0; i < t->rows - t->mean; i++) {
        const char *row = figure->rows > 0 ? "ALL" : t->row[i];
        const char *metric = figure->rows > 0 ? figure->row[i].metric : figure->metric;
        double *value = cell + i * t->columns;

        for (size_t c = 0; c < t->columns; c++) {
            const struct byw_source *source = &figure->column[c].source;

            value[c] = byw_reproduce_metric(r, source, row, metric, k);
            t->run[(i * t->columns + c) * t->repeats + k] = byw_reproduce_run(r, source, row, k);
        }
        for (size_t c = t->columns; relative && c-- > 0;)
            value[c] = value[0] != 0.0 ? value[c] / value[0] : value[c] == 0.0 ? 1.0 : NAN;
    }
    if (t->mean)
        add_means(t, cell);
}

/* Fills the table from its repetitions; false: out of memory. */
static bool fill_all(const struct byw_reproduce *r, struct byw_figure_table *t)
{
    size_t cells = t->rows * t->columns;
    double *cell = calloc(cells * t->repeats + 1, sizeof(*cell));

    for (unsigned k = 0; cell != NULL && k < t->repeats; k++)
        fill(r, t, k, cell + k * cells);
    for (size_t i = 0; cell != NULL && i < cells; i++) {
        double value[BYW_REPEAT_MOST];
        struct byw_spread spread;

        for (unsigned k = 0; k < t->repeats; k++)
            value[k] = cell[k * cells + i];
        spread = byw_spread_of(value, t->repeats);
        t->value[i] = spread.mean;
        t->sd[i] = t->repeats > 1 ? spread.sd : NAN;
    }
    free(cell);
    return cell != NULL;
}

enum byw_status byw_figure_make(const struct byw_reproduce *reproduce,
                                const struct byw_figure *figure, struct byw_figure_table *table,
                                struct byw_diag *diag)
{
    struct byw_names names;
    enum byw_status st = list_rows(reproduce, figure, &names, diag);

    *table = (struct byw_figure_table){.figure = figure,
                                       .columns = figure->columns,
                                       .mean = figure->rows == 0 && names.count > 1,
                                       .repeats = reproduce->repeat};
    table->rows = names.count + table->mean;
    if (st == BYW_OK &&
        (!allocate(table) || !name_all(table, &names) || !fill_all(reproduce, table)))
        st = byw_no_memory(diag, "a figure");
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
    free(table->sd);
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

void byw_figure_sd_text(double sd, char text[32])
{
    char number[32];

    byw_figure_text(sd, number);
    snprintf(text, 32, isnan(sd) ? "" : " ± %.20s", number);
}
