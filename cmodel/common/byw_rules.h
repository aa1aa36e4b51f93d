/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_rules.h - rules that tie several configuration keys together: lists of them, and the sentence
 * for one that is broken.
 *
 * The rules are next to the units whose keys they tie: policy/byw_policy_rules.h,
 * sim/byw_config_check.h, which is also where a whole configuration is checked.
 */
#ifndef BYW_RULES_H
#define BYW_RULES_H

#include "common/byw_config.h"

struct byw_rule {
    bool ok; /* the configuration keeps it */
    const char *text; /* a constant; names its keys as separate words */
};

/* The text of the first rule that is broken; NULL: none. */
const char *byw_rules_fault(const struct byw_rule *rules, size_t count);

#define BYW_RULES_FAULT(rules) byw_rules_fault(rules, sizeof(rules) / sizeof((rules)[0]))

/* The sentence for a broken rule: its text, and the values of the keys that it names. */
enum { BYW_RULE_ROOM = 384 };
void byw_rule_sentence(const struct byw_config *config, const char *fault,
                       char text[BYW_RULE_ROOM]);

#endif
