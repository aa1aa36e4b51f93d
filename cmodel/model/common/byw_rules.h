/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_rules.h - rules that relate several configuration keys, and the message for a broken rule.
 *
 * Each list of rules is next to the units whose keys it relates: policy/byw_policy_rules.h and
 * sim/byw_config_check.h.  The latter also checks the whole configuration.
 */
#ifndef BYW_RULES_H
#define BYW_RULES_H

#include "common/byw_config.h"

struct byw_rule {
    bool ok; /* the configuration satisfies the rule */
    const char *text; /* constant; names its keys as separate words */
};

/* Text of the first broken rule; NULL if there is none. */
const char *byw_rules_fault(const struct byw_rule *rules, size_t count);

#define BYW_RULES_FAULT(rules) byw_rules_fault(rules, sizeof(rules) / sizeof((rules)[0]))

/* The message for a broken rule: its text and the values of the keys it names. */
enum { BYW_RULE_ROOM = 384 };
void byw_rule_sentence(const struct byw_config *config, const char *fault,
                       char text[BYW_RULE_ROOM]);

#endif
