/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_config_check.h - whether a configuration can be run: the rules of machines, those of policies
 * (policy/byw_policy_rules.h), and those of what the L2 keeps.
 */
#ifndef BYW_CONFIG_CHECK_H
#define BYW_CONFIG_CHECK_H

#include "common/byw_rules.h"

/* Rules that tie several keys together (powers of two, tag ways >= data ways ...).  BYW_EINVAL: one
 * is broken; the sentence says whose, and the values of the keys that the rule names. */
enum byw_status byw_config_check(const struct byw_config *config, struct byw_diag *diag);

/* The same, for a caller who knows the configurations by other names than their titles: whether a
 * rule is broken, which, and whether by the machine alone, whatever the policy. */
bool byw_config_fault(const struct byw_config *config, char text[BYW_RULE_ROOM], bool *of_machine);

#endif
