/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_pages.h - a folder of pages: one per workload of comparisons, or one per paper.
 */
#ifndef BYW_PAGES_H
#define BYW_PAGES_H

#include "common/byw_file.h"
#include "study/compare/byw_compare.h"

/* Creates the folder if needed. BYW_EINVAL: its index.html was not made by this command. */
enum byw_status byw_pages_folder(const char *dir, struct byw_diag *diag);

/* Checks, before the runs, whether a trace can have a page, which is named after it: BYW_EINVAL if
 * its path is not printable UTF-8, or its page would be the index. */
enum byw_status byw_pages_check(const char *trace, struct byw_diag *diag);

/* Writes DIR/NAME.html for each workload, with the reuse in its trace, its loads and its timeline
 * (if the results have `loads` and `timeline`), and DIR/index.html with all of them and links.
 * Comparisons differ in the machine only; traces are read again, from the paths in the results'
 * `provenance`. */
enum byw_status byw_pages_workloads(struct byw_compare *const *compare, size_t count,
                                    const char *dir, struct byw_diag *diag);

/* The folder of the runs from which a paper's numbers come. */
struct byw_pages_runs {
    const char *dir; /* folder of the store to read */
    const char *link; /* the same folder as pages name it in links, ending in /; "": the page's own
                         folder */
    const char *command; /* the command that makes the runs again */
};

/* Writes DIR/paper-NNN.html for each paper in the output of byw_reproduce_json(): claims, verdicts,
 * figures. Numbers link to runs/ID.json if their runs are known. */
enum byw_status byw_pages_papers(const json_t *claims, const char *dir,
                                 const struct byw_pages_runs *runs, struct byw_diag *diag);

/* All papers on one page; linked: with links to the separate pages. Commits the file, or discards
 * it on failure. */
enum byw_status byw_pages_all_papers(const json_t *claims, bool linked,
                                     const struct byw_pages_runs *runs, struct byw_file *file,
                                     struct byw_diag *diag);

#endif
