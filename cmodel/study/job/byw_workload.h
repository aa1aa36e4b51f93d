/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_workload.h - the registry of benchmarks (workloads/workloads.def) and the sets of them.
 *
 * A selection is a list of names and sets separated by commas: "nw,lud", "@cnf", "all"; sets are
 * the groups of the registry. `all` and sets select only workloads that have a shipped trace.
 */
#ifndef BYW_WORKLOAD_H
#define BYW_WORKLOAD_H

#include "study/job/byw_setup.h"

/* Class in the Decoupled L1D paper, table 1: X(code, name). */
#define BYW_WCLASS_LIST(X)                                                                         \
    X(BYW_WCLASS_CNF, "CNF")                                                                       \
    X(BYW_WCLASS_CF, "CF")                                                                         \
    X(BYW_WCLASS_CI, "CI")                                                                         \
    X(BYW_WCLASS_NONE, "-")

enum byw_wclass {
#define X(code, name) code,
    BYW_WCLASS_LIST(X)
#undef X
};

const char *byw_wclass_name(enum byw_wclass cls);

struct byw_workload {
    const char *name; /* name of the trace */
    const char *program; /* name of the driver and its folder */
    const char *options; /* options with which the driver runs this workload */
    const char *abbr; /* abbreviation in the papers' figures: "PTF" */
    const char *suite; /* suite of the program whose algorithm and shape it has */
    enum byw_wclass cls;
    double n_ipc; /* IPC(BALL) / IPC(BL) in that table; 0: unknown */
    const char *groups; /* sets that the workload belongs to, separated by blanks */
    const char *small; /* input of the shipped trace */
    const char *what; /* description, one line */
    const char *reason; /* reason for the chosen sizes */
};

size_t byw_workload_count(void);
struct byw_workload byw_workload(size_t i); /* i < byw_workload_count() */

/* False if the registry does not have it. */
bool byw_workload_find(const char *name, struct byw_workload *about);

/* Resolves a selection; release the names with byw_names_free().  BYW_ENOENT with "did you mean"
 * for an unknown name or set. */
enum byw_status byw_workloads_select(const struct byw_places *places, const char *selection,
                                     struct byw_names *names, struct byw_diag *diag);

#endif
