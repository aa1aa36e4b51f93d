/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/byw_pick.h"

enum byw_status byw_cli_take_launches(const char *value, void *pick, struct byw_diag *diag)
{
    return byw_launch_ranges_read("--launches", value, &((struct byw_cli_pick *)pick)->launches,
                                  diag);
}

enum byw_status byw_cli_take_kernels(const char *value, void *pick, struct byw_diag *diag)
{
    return byw_kernel_pick_create(value, &((struct byw_cli_pick *)pick)->kernels, diag);
}

bool byw_cli_pick_any(const struct byw_cli_pick *pick)
{
    return pick->launches.count != 0 || pick->kernels != NULL;
}

void byw_cli_pick_apply(const struct byw_cli_pick *pick, struct byw_job_options *how)
{
    how->launches = pick->launches.count != 0 ? pick->launches.range : NULL;
    how->launch_ranges = pick->launches.count;
    how->kernels = pick->kernels;
}

void byw_cli_pick_release(struct byw_cli_pick *pick)
{
    byw_kernel_pick_free(pick->kernels);
    pick->kernels = NULL;
}
