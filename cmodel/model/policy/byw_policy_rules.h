/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_policy_rules.h - rules that the keys of the L1D and the policy must satisfy together
 * (common/byw_rules.h).
 *
 * Each call returns the text of the first broken rule, or NULL.
 */
#ifndef BYW_POLICY_RULES_H
#define BYW_POLICY_RULES_H

#include "common/byw_rules.h"

/* The shape of set records and their lines; depends on the machine, not on the policy. */
const char *byw_geometry_fault(const struct byw_config *config);

/* The policy's requirements on set records. */
const char *byw_record_fault(const struct byw_config *config);

/* Everything that the policy requires; includes byw_record_fault(). */
const char *byw_policy_fault(const struct byw_config *config);

#endif
