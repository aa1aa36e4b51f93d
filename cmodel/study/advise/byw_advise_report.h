/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_advise_report.h - advice (byw_advise.h) as text and as a page, and as a file that `byway run
 * --advice` obeys.
 */
#ifndef BYW_ADVISE_REPORT_H
#define BYW_ADVISE_REPORT_H

#include <jansson.h>
#include <stdbool.h>

#include "common/byw_file.h"

void byw_advise_table(FILE *out, const json_t *report);

/* A self-contained page in the style of the comparison page; commits the file. */
enum byw_status byw_advise_page(const json_t *report, struct byw_file *file, struct byw_diag *diag);

/* Writes the advice file, whose format is in sim/sm/byw_load_advice.h, and commits it. */
enum byw_status byw_advise_file(const json_t *report, struct byw_file *file, struct byw_diag *diag);

/* Says how much the saving depends on the input, using the traces of --also; "" without them. */
void byw_advise_inputs(const json_t *report, char *text, size_t room);
/* The gain of the program, of a kernel or of another trace: "14.2 % fewer cycles", "0.3 ± 0.4 %
 * more cycles, within the noise". */
void byw_advise_words(const json_t *of, char *text, size_t room);

/* " ± 0.3": the deviation of a gain of repeated runs (its member NAME_sd), in percent with `digits`
 * decimals; "" for a single run. */
void byw_advise_deviation(const json_t *of, const char *name, int digits, char *text, size_t room);

/* Says that the search was stopped, and where; "" if it was not. */
void byw_advise_stopped(const json_t *report, char *text, size_t room);

/* Says how to read the gains of repeated runs; "" for single runs. */
void byw_advise_noise(const json_t *report, char *text, size_t room);

/* Where warps wait for a load of the list `waits`, and which levels answer it: "waited for at line
 * 25, 41.0 % of the warp cycles: DRAM 30.0 %, L2 11.0 %". */
void byw_advise_wait(const json_t *wait, char *text, size_t room);

/* How reliable the model's gain is: its interval, or that it is within the model's error, or
 * that the model was never compared with a GPU. */
void byw_advise_promise(const json_t *report, char *text, size_t room);

/* Whether a kernel's classes of launches need different hints: the best gain is above `least`, and
 * the worst is a loss. */
bool byw_advise_depends(const json_t *kernel, double least);

#endif
