/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_reproduce_state.h - private to byw_reproduce: what is asked for and what was found.
 */
#ifndef BYW_REPRODUCE_STATE_H
#define BYW_REPRODUCE_STATE_H

#include "study/papers/byw_reproduce.h"

enum { BYW_VARIANT_ROOM = 512 };

/* A configuration or another source, and the workloads that it is asked for. */
struct byw_variant {
    char *text; /* "fermi/bl l1d.sets=64", "trace" */
    char *workloads;
};

struct byw_reproduce {
    const struct byw_places *places;
    const char *paper, *figure, *traces, *size;
    bool claims; /* alone */
    bool cut; /* byw_reproduce_make() was stopped: of the others some are not made */
    struct byw_variant *variant; /* of runs: grids of the plan */
    size_t variants;
    struct byw_variant *other; /* the rest */
    size_t others;
    struct byw_plan *plan; /* NULL: no runs */
    json_t *result; /* by run id */
    json_t *made; /* of the others: by variant, by workload */
};

/* A variant taken apart; texts are empty where it has none. */
struct byw_variant_parts {
    char config[BYW_VARIANT_ROOM], workload[BYW_VARIANT_ROOM], metric[BYW_VARIANT_ROOM];
};
void byw_variant_split(const char *text, struct byw_variant_parts *parts);
/* Whether the plan makes it: MACHINE/POLICY ... */
bool byw_variant_is_run(const char *config);

/* Whether the claim's reason is shown beside its verdict. */
bool byw_reproduce_explains(enum byw_verdict verdict, const struct byw_claim *claim);

/* What a variant gives for a workload: metric, or its own.  NaN: nothing. */
double byw_reproduce_metric(const struct byw_reproduce *r, const char *variant,
                            const char *workload, const char *metric);

/* The id of the run that it is from; NULL where it is from none of the sweep. */
const char *byw_reproduce_run(const struct byw_reproduce *r, const char *variant,
                              const char *workload);

/* Names of a selection: workloads of the registry, or the list's own where the variant is not of
 * workloads. */
enum byw_status byw_reproduce_names(const struct byw_reproduce *r, const char *selection,
                                    struct byw_names *names, struct byw_diag *diag);

#endif
