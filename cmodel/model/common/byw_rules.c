/* SPDX-License-Identifier: Apache-2.0 */
#include "common/byw_rules.h"

#include <stdio.h>
#include <string.h>

const char *byw_rules_fault(const struct byw_rule *rules, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!rules[i].ok)
            return rules[i].text;
    return NULL;
}

/* Whether the text contains the key as a separate word. */
static bool names_key(const char *text, const char *key)
{
    size_t length = strlen(key);

    for (const char *at = strstr(text, key); at != NULL; at = strstr(at + 1, key)) {
        bool begins = at == text || strchr(" (", at[-1]) != NULL;
        char next = at[length];

        if (begins && (next == '\0' || strchr(" ,)", next) != NULL))
            return true;
    }
    return false;
}

/* Appends " (here key = value, ...)" with every key that the rule names. */
static void add_values(const struct byw_config *config, char *text, size_t room)
{
    const struct byw_registry *all = config->registry;
    const char *rule_end = text + strlen(text);
    size_t used = (size_t)(rule_end - text);
    char rule[256];
    bool any = false;

    snprintf(rule, sizeof(rule), "%s", text);
    for (size_t i = 0; i < all->params && used < room; i++) {
        char value[BYW_CONFIG_STR];

        if (!names_key(rule, all->param[i].key))
            continue;
        byw_config_text(config, i, value, sizeof(value));
        used += (size_t)snprintf(text + used, room - used, "%s%s = %s", any ? ", " : " (here ",
                                 all->param[i].key, value);
        any = true;
    }
    if (any && used < room)
        snprintf(text + used, room - used, ")");
}

void byw_rule_sentence(const struct byw_config *config, const char *fault, char text[BYW_RULE_ROOM])
{
    snprintf(text, BYW_RULE_ROOM, "%s", fault);
    add_values(config, text, BYW_RULE_ROOM);
}
