/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_config_check.h - checks whether a configuration can run: the rules of machines, of policies
 * (policy/byw_policy_rules.h), and of the L2 policies.
 */
#ifndef BYW_CONFIG_CHECK_H
#define BYW_CONFIG_CHECK_H

#include "common/byw_rules.h"

/* Checks the rules that relate several keys (powers of two, tag ways >= data ways ...).
 * BYW_EINVAL: one is broken; the message names the machine or policy and the values of the keys in
 * the rule. */
enum byw_status byw_config_check(const struct byw_config *config, struct byw_diag *diag);

/* byw_config_check() for callers that identify configurations by something other than their titles.
 * Returns whether a rule is broken; text: which one; *of_machine: the machine violates it for any
 * policy. */
bool byw_config_fault(const struct byw_config *config, char text[BYW_RULE_ROOM], bool *of_machine);

#endif
