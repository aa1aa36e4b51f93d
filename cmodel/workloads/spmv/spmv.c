/* SPDX-License-Identifier: Apache-2.0
 *
 * spmv.c - sparse matrix times vector, JDS, one work-item per row.
 *
 * The matrix is a band of nine diagonals plus up to 12 random non-zeros per row.  Rows of one
 * warp are padded with zeros to the longest of them, so a warp does not diverge.
 */
#include "byw_wl.h"
#include "workloads/spmv_cl.h"

#include <stdlib.h>

enum { GROUP = 128, WARP = 32, BAND = 4, EXTRA = 12, MOST = 2 * BAND + 1 + EXTRA };

static const struct byw_wl_option options[] = {
    {"n", "rows and columns of the matrix", {512, 4096, 146689}, 32, 4000000, 1},
    {"repeat", "launches", {1, 2, 50}, 1, 1000, 1},
};
static const struct byw_wl_about about = {
    "spmv", "sparse matrix-vector product in jagged diagonal storage", byw_wl_source, options,
    sizeof options / sizeof options[0]};

struct row {
    int number, length;
    int column[MOST];
    float value[MOST];
};

static void make_row(struct byw_wl *wl, struct row *row, int number, int n)
{
    *row = (struct row){.number = number};
    for (int c = number - BAND; c <= number + BAND; c++)
        if (c >= 0 && c < n)
            row->column[row->length++] = c;
    for (int extra = (int)byw_wl_below(wl, EXTRA + 1); extra > 0; extra--)
        row->column[row->length++] = (int)byw_wl_below(wl, (uint32_t)n);
    for (int i = 0; i < row->length; i++)
        row->value[i] = byw_wl_uniform(wl, -1.0f, 1.0f);
}

/* Longest first; rows of equal length keep their order, so that the result is unique. */
static int compare_rows(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    if (a->length != b->length)
        return a->length > b->length ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

struct jds {
    int rows, stored, diagonals;
    int *start, *warp_length, *permutation, *column;
    float *value;
};

static void make_jds(struct byw_wl *wl, const struct row *row, int n, struct jds *m)
{
    int warps = (n + WARP - 1) / WARP;
    m->rows = n;
    m->diagonals = row[0].length;
    m->start = byw_wl_ints(wl, (size_t)m->diagonals);
    m->warp_length = byw_wl_ints(wl, (size_t)warps);
    m->permutation = byw_wl_ints(wl, (size_t)n);
    for (int i = 0; i < n; i++)
        m->permutation[i] = row[i].number;
    for (int w = 0; w < warps; w++)
        m->warp_length[w] = row[w * WARP].length;
    for (int k = 0; k < m->diagonals; k++) {
        m->start[k] = m->stored;
        for (int w = 0; w < warps && m->warp_length[w] > k; w++)
            m->stored += WARP;
    }
    m->column = byw_wl_ints(wl, (size_t)m->stored);
    m->value = byw_wl_floats(wl, (size_t)m->stored);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < row[i].length; k++) {
            m->column[m->start[k] + i] = row[i].column[k];
            m->value[m->start[k] + i] = row[i].value[k];
        }
    }
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    int n = byw_wl_get_int(&wl, "n");
    size_t rows = (size_t)n;
    struct row *row = byw_wl_alloc(&wl, rows, sizeof *row);
    struct jds m = {.rows = 0};
    for (int i = 0; i < n; i++)
        make_row(&wl, &row[i], i, n);
    qsort(row, rows, sizeof *row, compare_rows);
    make_jds(&wl, row, n, &m);
    float *x = byw_wl_floats(&wl, rows), *want = byw_wl_floats(&wl, rows);
    float *got = byw_wl_floats(&wl, rows);
    for (int i = 0; i < n; i++)
        x[i] = byw_wl_uniform(&wl, -1.0f, 1.0f);
    for (size_t i = 0; i < rows; i++)
        for (int k = 0; k < row[i].length; k++)
            want[row[i].number] += row[i].value[k] * x[row[i].column[k]];

    size_t warps = byw_wl_groups(rows, WARP);
    cl_mem y = byw_wl_buffer(&wl, rows * sizeof(float), NULL);
    cl_mem value = byw_wl_buffer(&wl, (size_t)m.stored * sizeof(float), m.value);
    cl_mem column = byw_wl_buffer(&wl, (size_t)m.stored * sizeof(int), m.column);
    cl_mem permutation = byw_wl_buffer(&wl, rows * sizeof(int), m.permutation);
    cl_mem d_x = byw_wl_buffer(&wl, rows * sizeof(float), x);
    cl_mem start = byw_wl_buffer(&wl, (size_t)m.diagonals * sizeof(int), m.start);
    cl_mem length = byw_wl_buffer(&wl, warps * sizeof(int), m.warp_length);
    cl_kernel kernel = byw_wl_kernel(&wl, "spmv_jds");
    byw_wl_args(&wl, kernel, "mmmmmimm", y, value, column, permutation, d_x, n, start, length);
    for (long i = byw_wl_get(&wl, "repeat"); i > 0; i--)
        byw_wl_launch(&wl, kernel, byw_wl_groups(rows, GROUP), GROUP);
    byw_wl_read(&wl, y, rows * sizeof(float), got);
    byw_wl_check_f32(&wl, "y", got, want, rows, 1e-5f, 1e-5f);
    return byw_wl_end(&wl);
}
