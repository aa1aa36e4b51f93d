/* SPDX-License-Identifier: Apache-2.0
 *
 * shipped_run.h - runs a shipped trace inside a cmocka test, which fails if the run does.
 */
#ifndef SHIPPED_RUN_H
#define SHIPPED_RUN_H

#include "common/test.h"
#include "study/job/byw_job.h"
#include "study/job/byw_setup.h"

/* Machine, policy and workload; set: KEY=VALUE or NULL. */
struct shipped_run {
    const char *machine, *policy, *workload, *set;
};

static inline json_t *shipped_run(const struct shipped_run *what, const struct byw_job_options *how)
{
    const char *const set[] = {what->set};
    struct byw_places places;
    struct byw_config config;
    struct byw_diag diag = {""};
    char trace[BYW_PATH_ROOM];
    struct byw_job job = {.workload = what->workload,
                          .machine = what->machine,
                          .policy = what->policy,
                          .trace = trace,
                          .config = &config};
    json_t *result = NULL;

    if (byw_places_find(&places, &diag) != BYW_OK ||
        byw_setup_config(&places, what->machine, what->policy, set, set[0] != NULL, &config,
                         &diag) != BYW_OK ||
        byw_places_trace(&places, what->workload, config.sm_lanes, trace, &diag) != BYW_OK ||
        byw_job_run(&job, how, &result, &diag) != BYW_OK)
        fail_msg("%s on %s: %s", what->workload, what->machine, diag.text);
    return result;
}

#endif
