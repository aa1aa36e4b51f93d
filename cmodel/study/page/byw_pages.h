/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_pages.h - a folder of pages: one per workload of comparisons, or one per paper.
 */
#ifndef BYW_PAGES_H
#define BYW_PAGES_H

#include "common/byw_file.h"
#include "study/compare/byw_compare.h"

/* Makes the folder unless it is there.  BYW_EINVAL: its index.html is not of this command. */
enum byw_status byw_pages_folder(const char *dir, struct byw_diag *diag);

/* Whether a trace can have a page, which is named after it: BYW_EINVAL when its path is not
 * printable UTF-8, or its page would be the index.  Before the runs. */
enum byw_status byw_pages_check(const char *trace, struct byw_diag *diag);

/* DIR/NAME.html for each workload, with the reuse in its trace, its loads and its course over time
 * (where the results have `loads` and `timeline`), and DIR/index.html with all of them and links.
 * Comparisons differ in the machine only; traces are read again, from the places that the results'
 * `provenance` names. */
enum byw_status byw_pages_workloads(struct byw_compare *const *compare, size_t count,
                                    const char *dir, struct byw_diag *diag);

/* The runs that numbers of papers are from. */
struct byw_pages_runs {
    const char *dir; /* of the store, to read */
    const char *link; /* the same, with a / at its end, as pages name it; "": they lie in it */
    const char *command; /* what makes them again */
};

/* DIR/paper-NNN.html for each paper of what byw_reproduce_json() says: claims, verdicts, figures.
 * Numbers lead to runs/ID.json where it names their runs. */
enum byw_status byw_pages_papers(const json_t *claims, const char *dir,
                                 const struct byw_pages_runs *runs, struct byw_diag *diag);

/* All of them on one page; linked: with links to those beside it.  Commits the file, or discards it
 * on failure. */
enum byw_status byw_pages_all_papers(const json_t *claims, bool linked,
                                     const struct byw_pages_runs *runs, struct byw_file *file,
                                     struct byw_diag *diag);

#endif
