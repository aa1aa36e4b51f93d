/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_tune_state.h - internals of a search (byw_tune.h), for its files: the candidates
 * (byw_tune_space.c), the search (byw_tune.c), and its report (byw_tune_report.c).
 */
#ifndef BYW_TUNE_STATE_H
#define BYW_TUNE_STATE_H

#include "study/tune/byw_halving.h"
#include "study/tune/byw_tune.h"

enum { BYW_TUNE_KEYS = 96, BYW_TUNE_CHANGES = 12 };

struct byw_tune_key {
    size_t param; /* index in the registry of parameters */
    uint32_t own; /* the policy file's value */
    char **value; /* values that --set allows, as text; NULL: the range */
    size_t values, room;
    char own_text[BYW_CONFIG_TEXT];
};

/* One setting of the keys; only values that differ from the file are set. */
struct byw_tune_candidate {
    char *setting[BYW_TUNE_CHANGES]; /* "key=value" */
    size_t settings;
    uint64_t bits;
    size_t workloads; /* number of tuning workloads that the candidate was run on */
    double score; /* log of the mean ratio on these workloads */
};

struct byw_tune_load {
    char *name; /* name of a workload, or a path */
    bool own; /* whether `name` is a path */
    bool held;
    double ipc[2]; /* with the policy file's values and the best ones; NaN: refused */
};

struct byw_tune {
    struct byw_tune_options options;
    const struct byw_places *places;
    struct byw_config config; /* the machine with the policy file's values */
    struct byw_tune_key key[BYW_TUNE_KEYS];
    size_t keys;
    struct byw_tune_candidate *candidate; /* the first: the policy file's values */
    size_t candidates;
    struct byw_tune_load *load; /* tuning workloads in the order of the rounds, then the others */
    size_t loads, load_room, tuning;
    struct byw_halving_round round[BYW_HALVING_ROUNDS];
    size_t rounds;
    size_t *alive, left; /* after the last round: the ranking */
    unsigned long long random;
};

/* The keys, and the candidates. */
enum byw_status byw_tune_space(struct byw_tune *tune, struct byw_diag *diag);
void byw_tune_space_release(struct byw_tune *tune);

/* _best: the best candidate. _mean: the geometric mean of its ratios to the file's values over the
 * known runs, on the held-out workloads or on the tuning ones. */
const struct byw_tune_candidate *byw_tune_best(const struct byw_tune *tune);
double byw_tune_mean(const struct byw_tune *tune, bool held);

#endif
