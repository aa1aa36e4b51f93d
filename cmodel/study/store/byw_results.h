/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_results.h - stored results: a JSON file of `byway run` or `byway compare`, or the folder of a
 * sweep.
 */
#ifndef BYW_RESULTS_H
#define BYW_RESULTS_H

#include "study/job/byw_result_json.h"

struct byw_results {
    size_t count, room;
    json_t **run; /* owned references */
};

/* Must be released, also after a failure. */
enum byw_status byw_results_read(struct byw_results *results, const char *name,
                                 struct byw_diag *diag);
void byw_results_release(struct byw_results *results);

#endif
