/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_result_json.h - a run's result as JSON: counters of byw_counters.def and every configuration
 * key.
 *
 * Two runs of the same trace and configuration give the same text, except for the members `sim` and
 * `provenance` (byw_provenance.h).
 */
#ifndef BYW_RESULT_JSON_H
#define BYW_RESULT_JSON_H

#include <jansson.h>

#include "common/byw_file.h"
#include "study/job/byw_counters.h"

#define BYW_COMPARE_SCHEMA "byway.compare/1" /* results on one machine, compared */
#define BYW_MACHINES_SCHEMA "byway.machines/1" /* comparisons on several machines */
#define BYW_RESULT_SCHEMA "byway.run/1"

/* The lists of a result: per_sm, which is most of its text, and per_kernel. */
enum byw_result_lists { BYW_LISTS_ALL, BYW_LISTS_KERNELS, BYW_LISTS_NONE };

struct byw_run_names {
    const char *workload, *machine, *policy, *trace_format;
    const char *advice; /* name of the file with hints of loads; NULL: none */
    enum byw_result_lists lists;
};

/* A new reference, NULL when memory is short. */
json_t *byw_result_json(const struct byw_run_names *names, const struct byw_config *config,
                        const struct byw_gpu_result *result, const struct byw_cost *cost);

/* Record of a run that the machine or the policy refuses: names, configuration, and the reason as
 * the member `refused`; no counters. */
json_t *byw_result_refusal(const struct byw_run_names *names, const struct byw_config *config,
                           const char *why);
/* The reason why the run was refused; NULL if it was not. */
const char *byw_result_refused(const json_t *result);

/* The resolved configuration: {"l1d.sets": 32, "l1d.allocate": "on_miss", ...}. */
json_t *byw_config_json(const struct byw_config *config);

/* Adds to an object the counters that the source can give, in the table's order. */
bool byw_result_counters(json_t *object, const struct byw_counter_source *source);

/* Number at a dotted path of a result ("l1d.hits"), 0 if there is none. */
double byw_result_number(const json_t *result, const char *path);
bool byw_result_has(const json_t *result, const char *path); /* a number there */
const char *byw_result_text(const json_t *result, const char *path); /* "" when there is none */

/* Indented text with a final newline; the caller frees it. NULL if memory runs out. */
char *byw_json_text(const json_t *json);

/* New reference; NULL, with a message in diag, if the file cannot be read or is not JSON. expected:
 * what the file should contain, for the message. */
json_t *byw_json_read(const char *path, const char *expected, struct byw_diag *diag);

/* Writes it, and commits the file (or discards it on failure). */
enum byw_status byw_json_write(const json_t *json, struct byw_file *file, struct byw_diag *diag);

#endif
