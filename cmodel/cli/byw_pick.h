/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_pick.h - the options --launches and --kernels, which choose launches of a trace.
 */
#ifndef BYW_PICK_H
#define BYW_PICK_H

#include "study/job/byw_job.h"
#include "trace/byw_kernel_pick.h"
#include "trace/byw_launch_range.h"

struct byw_cli_pick {
    struct byw_launch_ranges launches;
    struct byw_kernel_pick *kernels;
};

/* Rows of a command's table of options; `pick`: a struct byw_cli_pick *. */
#define BYW_CLI_PICK_OPTIONS(pick)                                                                 \
    {"launches",                                                                                   \
     0,                                                                                            \
     "LIST",                                                                                       \
     "only these launches of the trace, counted from 1: 3,7-9,20-",                                \
     .take = byw_cli_take_launches,                                                                \
     .into = (pick)},                                                                              \
    {                                                                                              \
        "kernels", 'k', "REGEX",                                                                   \
            "only launches of kernels whose symbol or C++ name contains a match of this extended " \
            "regular expression",                                                                  \
            .take = byw_cli_take_kernels, .into = (pick)                                           \
    }

enum byw_status byw_cli_take_launches(const char *value, void *pick, struct byw_diag *diag);
enum byw_status byw_cli_take_kernels(const char *value, void *pick, struct byw_diag *diag);

/* Whether the options leave out any launch. */
bool byw_cli_pick_any(const struct byw_cli_pick *pick);

/* Copies the choice to the options of a run; the pick must outlive it. */
void byw_cli_pick_apply(const struct byw_cli_pick *pick, struct byw_job_options *how);
void byw_cli_pick_release(struct byw_cli_pick *pick);

#endif
