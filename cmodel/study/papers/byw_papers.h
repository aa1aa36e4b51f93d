/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_papers.h - the papers' claims and figures: the records that `byway reproduce` works on.
 *
 * The shipped records are study/papers/NNN.claims, one file per paper, built into the program.  A
 * user's files add records.  The format, with an example, is in cmodel/doc/add_a_claim.md; every
 * error names file and line.
 */
#ifndef BYW_PAPERS_H
#define BYW_PAPERS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/byw_status.h"
#include "study/job/byw_paper.h"

/* How a number is judged: above or below the reference; SAME: within 5 % of it; AT_MOST: at most 1
 * % above it; LEVEL: within a factor of two of the paper's value; SHARE: also within 10 points. */
#define BYW_SENSE_LIST(X)                                                                          \
    X(BYW_UP, "above", "above 1")                                                                  \
    X(BYW_DOWN, "below", "below 1")                                                                \
    X(BYW_SAME, "same", "1, within 5 %")                                                           \
    X(BYW_AT_MOST, "at_most", "at most 1.01")                                                      \
    X(BYW_LEVEL, "level", "within a factor of 2")                                                  \
    X(BYW_SHARE, "share", "within 10 points and a factor of 2")

enum byw_sense {
#define X(code, word, name) code,
    BYW_SENSE_LIST(X)
#undef X
};

/* How a number combines the values of its workloads. */
enum byw_how { BYW_GEO, BYW_MEAN, BYW_MAX, BYW_MIN };

/* How a figure shows values.  RELATIVE: divided by those of the first column.  TABLE: absolute,
 * without a chart. */
enum byw_scale { BYW_RELATIVE, BYW_ABSOLUTE, BYW_TABLE };

/* The source of a value (byw_reproduce.h lists the runs). */
struct byw_source {
    const char *run; /* "fermi/bl l1d.sets=64", "trace", ...; NULL: no source */
    const char *workload; /* used in every row; NULL: the workload of the row */
    const char *metric; /* replaces the row's metric, or is appended to it if it begins with a dot;
                           NULL: none */
    const char *where; /* "001.claims:12", for messages */
};

/* Workloads as --workloads takes them, or names that are not workloads, such as Mpache's kernels.
 */
struct byw_selection {
    const char *list; /* names of workloads or kernels, separated by commas */
    bool kernels;
};

struct byw_claim_number {
    const char *id; /* id of its claim */
    const char *text;
    struct byw_selection of;
    enum byw_how how;
    const char *metric;
    struct byw_source source, reference; /* the value is divided by that of `reference`, if any */
    double value; /* the paper's value; 1 if its text only gives an order */
    enum byw_sense sense;
    const char *acts; /* a metric of the reference, in percent: below 1 the reference is a mechanism
                         that does nothing, and there is no verdict; NULL: no such condition */
    const char *relative_to; /* name of an earlier number of the claim by which this one is divided;
                                NULL: none */
};

struct byw_claim {
    const char *id, *paper;
    const char *text; /* the paper's words, shortened */
    const char *section; /* section of the paper; "": none */
    const char *reason; /* why byway's result differs; shown only with a claim that is not
                           reproduced */
    const char *experiment; /* the command that shows the reason; "" */
    struct byw_claim_number *number;
    size_t numbers, room;
};

/* The paper's value for a row of a column. */
struct byw_figure_point {
    const char *row;
    double value;
};

struct byw_figure_column {
    const char *name;
    struct byw_source source;
    struct byw_figure_point *point;
    size_t points, room;
};

/* A row that is a metric, in a figure whose rows are not workloads. */
struct byw_figure_row {
    const char *name, *metric;
};

struct byw_figure {
    const char *id, *paper, *title;
    const char *what; /* the quantity: "IPC over BL" */
    enum byw_scale scale;
    struct byw_selection of; /* which workloads or kernels are the rows; unused if metrics are */
    const char *metric; /* the metric, if rows are workloads; "" if each column has its own */
    struct byw_figure_row *row;
    size_t rows, row_room;
    struct byw_figure_column *column;
    size_t columns, column_room;
};

struct byw_papers {
    struct byw_paper *paper; /* records of papers.def, then those of users' files */
    size_t papers, paper_room;
    struct byw_claim *claim;
    size_t claims, claim_room;
    struct byw_figure *figure;
    size_t figures, figure_room;
    char **text; /* memory of the strings above */
    size_t texts, text_room;
};

/* Loads the shipped records and those of some files.  BYW_EIO, BYW_EFORMAT: a file cannot be read
 * or breaks the schema; the message names its line. */
enum byw_status byw_papers_load(const char *const *file, size_t files, struct byw_papers **papers,
                                struct byw_diag *diag);
void byw_papers_free(struct byw_papers *papers);

#endif
