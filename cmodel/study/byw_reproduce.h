/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_reproduce.h - what the papers claim (claims.def) and draw (figures.def), redone by runs of a
 * sweep and judged.
 *
 * A claim is reproduced when every number of it has the paper's sign, order or level (claims.def
 * says which), partly when some have, not when none has or no run can judge it.
 */
#ifndef BYW_REPRODUCE_H
#define BYW_REPRODUCE_H

#include "study/byw_compare.h"
#include "study/byw_sweep.h"

#define BYW_VERDICT_LIST(X)                                                                        \
    X(BYW_REPRODUCED, "reproduced")                                                                \
    X(BYW_PARTLY, "partly")                                                                        \
    X(BYW_NOT, "not")

enum byw_verdict {
#define X(code, name) code,
    BYW_VERDICT_LIST(X)
#undef X
};

enum byw_sense { BYW_UP, BYW_DOWN, BYW_SAME, BYW_AT_MOST, BYW_LEVEL };
enum byw_how { BYW_GEO, BYW_MEAN, BYW_MAX, BYW_MIN };

struct byw_claim {
    const char *id, *paper, *text, *reason;
};

struct byw_claim_number {
    const char *id, *text, *workloads;
    enum byw_how how;
    const char *metric, *variant, *reference;
    double value; /* the paper's */
    enum byw_sense sense;
};

struct byw_figure {
    const char *id, *paper, *title, *workloads;
    enum byw_metric metric;
    const char *variants;
};

size_t byw_claim_count(void);
const struct byw_claim *byw_claim(size_t i);
size_t byw_claim_number_count(void);
const struct byw_claim_number *byw_claim_number(size_t i);
size_t byw_figure_count(void);
const struct byw_figure *byw_figure(size_t i);

struct byw_reproduce; /* what is asked for, and its runs */

/* paper: a number of papers.def or "all"; figure: NULL or an id of figures.def, then that alone.
 * BYW_ENOENT for what there is none of. */
enum byw_status byw_reproduce_create(const struct byw_places *places, const char *paper,
                                     const char *figure, const char *traces,
                                     struct byw_reproduce **reproduce, struct byw_diag *diag);
void byw_reproduce_free(struct byw_reproduce *reproduce);
const struct byw_plan *byw_reproduce_plan(const struct byw_reproduce *reproduce);
/* Reads the results of its runs, all of which must be in the store. */
enum byw_status byw_reproduce_load(struct byw_reproduce *reproduce, const struct byw_store *store,
                                   struct byw_diag *diag);

bool byw_reproduce_has_claim(const struct byw_reproduce *reproduce, const struct byw_claim *claim);
bool byw_reproduce_has_figure(const struct byw_reproduce *reproduce,
                              const struct byw_figure *figure);
/* Our value; NaN when no workload gave one. */
double byw_reproduce_value(const struct byw_reproduce *reproduce,
                           const struct byw_claim_number *number);
/* Whether a value has the sign, order or level that the paper's has. */
bool byw_claim_holds(const struct byw_claim_number *number, double value);
enum byw_verdict byw_reproduce_verdict(const struct byw_reproduce *reproduce,
                                       const struct byw_claim *claim);
const char *byw_verdict_name(enum byw_verdict verdict);
/* The figure as a comparison, to be freed before `reproduce`. */
enum byw_status byw_reproduce_figure(struct byw_reproduce *reproduce,
                                     const struct byw_figure *figure, struct byw_compare **compare,
                                     struct byw_diag *diag);

/* A metric of a result: a path, a number, or two of them with - + or / between. */
double byw_metric_of(const json_t *result, const char *metric);

/* What it comes to: claims with numbers and verdicts. */
json_t *byw_reproduce_json(const struct byw_reproduce *reproduce);
void byw_reproduce_table(FILE *out, const struct byw_reproduce *reproduce);
/* A page with charts; commits the file (or discards it on failure). */
enum byw_status byw_reproduce_page(struct byw_reproduce *reproduce, struct byw_file *file,
                                   struct byw_diag *diag);

#endif
