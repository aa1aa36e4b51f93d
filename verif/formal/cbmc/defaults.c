/* SPDX-License-Identifier: Apache-2.0
 *
 * defaults.c - the configuration of a proof: zero where the test sets nothing.  The rules of the
 * simulator's front end reject nothing here.
 */
#include "common/byw_config.h"
#include "policy/byw_policy_rules.h"

void byw_config_defaults(struct byw_config *config)
{
    *config = (struct byw_config){.l1d_sectors = 1, .l1d_sets = 1};
}

const char *byw_geometry_fault(const struct byw_config *config)
{
    (void)config;
    return NULL;
}

const char *byw_record_fault(const struct byw_config *config)
{
    (void)config;
    return NULL;
}
