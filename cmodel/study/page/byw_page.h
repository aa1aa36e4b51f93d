/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_page.h - runs as an interactive HTML page: every workload under every policy, sortable,
 * filterable, on a zoomed or logarithmic axis, and for each workload why the policies differ.
 *
 * The page is self-contained: it holds the runs' numbers (not the whole results), and its own
 * script (study/page) draws the charts. Text that works without a script is added by the caller.
 */
#ifndef BYW_PAGE_H
#define BYW_PAGE_H

#include "study/job/byw_result_json.h"

struct byw_page;

struct byw_page *byw_page_create(void); /* NULL: out of memory */
void byw_page_free(struct byw_page *page);
/* Adds a run; prefix: put before its policy's name, "A: ", or "". The result must outlive the
 * page. */
enum byw_status byw_page_add(struct byw_page *page, const json_t *result, const char *prefix,
                             struct byw_diag *diag);
/* The page links each workload to NAME.html next to it, and leaves the larger parts to those
 * pages. */
void byw_page_link(struct byw_page *page);
/* The page is for one workload, whose runs may have the members `timeline` and `loads`; trace: what
 * byw_trace_info_json() says of its trace (`reuse`, `sites`), which must outlive the page; NULL:
 * not known. */
void byw_page_alone(struct byw_page *page, const json_t *trace);
/* Style, for the head; element, data and scripts, for the body after the element with the id
 * "tip". */
void byw_page_style(FILE *out);
enum byw_status byw_page_body(struct byw_page *page, FILE *out, struct byw_diag *diag);

/* Pages name the command that made them. BYW_EINVAL: the file at the path was not made by `maker`,
 * so a command that chooses the path itself must not replace it. */
#define BYW_PAGE_REPORT "byway report"
#define BYW_PAGE_WORKLOADS "byway compare --pages"
#define BYW_PAGE_COMPARE "byway compare --html"
#define BYW_PAGE_DIFF "byway diff --html"
#define BYW_PAGE_SOURCE "byway source --html"
#define BYW_PAGE_MACHINE "byway trace machine --html"
#define BYW_PAGE_CORRELATE "byway correlate --html"
enum byw_status byw_page_may_replace(const char *path, const char *maker, struct byw_diag *diag);
void byw_page_say_maker(FILE *out, const char *maker);

/* A whole page; commits the file (or discards it on failure).  title NULL: generated from what was
 * compared or swept, and on what. */
enum byw_status byw_page_write(struct byw_page *page, const char *title, struct byw_file *file,
                               struct byw_diag *diag);

/* A page of a paper, from data of byw_paper_page.h; otherwise as above. */
enum byw_status byw_page_paper(const json_t *data, const char *title, struct byw_file *file,
                               struct byw_diag *diag);

/* The source, PTX and machine code of kernels: a result with the member `stalls`
 * (job/byw_stall_json.h); otherwise as above. */
enum byw_status byw_page_source(const json_t *data, const char *title, struct byw_file *file,
                                struct byw_diag *diag);

/* A page that compares the simulator with a GPU, from data of correlate/byw_correlate_report.h;
 * otherwise as above. */
enum byw_status byw_page_correlate(const json_t *data, const char *title, struct byw_file *file,
                                   struct byw_diag *diag);

#endif
