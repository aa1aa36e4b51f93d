/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_policy_rules.h - what the keys of the L1D and of the policy must agree in
 * (common/byw_rules.h).
 *
 * Each call gives the text of the first broken rule, or NULL.
 */
#ifndef BYW_POLICY_RULES_H
#define BYW_POLICY_RULES_H

#include "common/byw_rules.h"

/* The shape of set records and their lines: of the machine, whatever the policy. */
const char *byw_geometry_fault(const struct byw_config *config);

/* What the policy asks of set records. */
const char *byw_record_fault(const struct byw_config *config);

/* All that the policy asks for; byw_record_fault() is a part. */
const char *byw_policy_fault(const struct byw_config *config);

#endif
