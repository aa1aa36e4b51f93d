/* SPDX-License-Identifier: Apache-2.0 */
#include "common/byw_mech.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_text.h"

enum { NAME_ROOM = 64 };

const struct byw_mech *byw_registry_mech(const struct byw_registry *registry, const char *name)
{
    for (size_t i = 0; i < registry->mechs; i++)
        if (strcmp(registry->mech[i]->name, name) == 0)
            return registry->mech[i];
    return NULL;
}

const uint32_t *byw_mech_values(const struct byw_config *config, const struct byw_mech *mech)
{
    const uint32_t *values = config->mech;

    for (size_t i = 0; config->registry->mech[i] != mech; i++)
        values += config->registry->mech[i]->key_count;
    return values;
}

uint64_t byw_mech_storage(const struct byw_config *config, const struct byw_mech *mech)
{
    return mech->storage_bits == NULL ? 0
                                      : mech->storage_bits(config, byw_mech_values(config, mech));
}

/* The first word of a list "a|b|c". */
static void first_word(const char *list, char word[NAME_ROOM])
{
    size_t length;
    const char *first = byw_word_at(list, 0, &length);

    snprintf(word, NAME_ROOM, "%.*s", (int)length, first);
}

bool byw_mech_in_use(const struct byw_config *config, const struct byw_mech *mech)
{
    size_t length;
    const char *value =
        byw_config_choice(config, byw_registry_find(config->registry, mech->enable), &length);

    return value != NULL && byw_word_find(mech->on, value, length) >= 0;
}

const struct byw_mech *byw_mech_without_rtl(const struct byw_config *config)
{
    const struct byw_registry *all = config->registry;

    for (size_t i = 0; i < all->mechs; i++)
        if (all->mech[i]->c_only && byw_mech_in_use(config, all->mech[i]))
            return all->mech[i];
    return NULL;
}

void byw_mech_use_text(const struct byw_config *config, char *text, size_t room)
{
    const struct byw_registry *all = config->registry;
    size_t used = 0;

    for (size_t i = 0; i < all->mechs && used < room; i++)
        if (byw_mech_in_use(config, all->mech[i]))
            used += (size_t)snprintf(text + used, room - used, "%s%s", used == 0 ? "" : " ",
                                     all->mech[i]->name);
    if (used == 0)
        snprintf(text, room, "none");
}

/* Sets the enable key to its first choice, which turns the mechanism off. */
static enum byw_status turn_off(struct byw_config *config, const struct byw_mech *mech,
                                const char *where, struct byw_diag *diag)
{
    const struct byw_registry *all = config->registry;
    char off[NAME_ROOM];

    first_word(all->param[byw_registry_find(all, mech->enable)].choices, off);
    return byw_config_set(config, mech->enable, off, where, diag);
}

static enum byw_status unknown(const struct byw_registry *all, const char *name, const char *where,
                               struct byw_diag *diag)
{
    const char **names = malloc(all->mechs * sizeof(*names)), *near = NULL;
    char list[512] = "";
    size_t used = 0;

    if (names == NULL)
        return byw_no_memory(diag, "the names of mechanisms");
    for (size_t i = 0; i < all->mechs; i++) {
        names[i] = all->mech[i]->name;
        if (used < sizeof(list))
            used += (size_t)snprintf(list + used, sizeof(list) - used, ", %s", names[i]);
    }
    near = byw_nearest(name, names, all->mechs);
    free(names);
    return byw_diag_set(diag, BYW_EINVAL,
                        "%s: policy.use names '%s'; expected none or some of%s%s%s%s", where, name,
                        list + 1, near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                        near != NULL ? "'?" : "");
}

/* Turns one mechanism on.  Fails if a mechanism already in use shares its enable key. */
static enum byw_status turn_on(struct byw_config *config, const char *name, const char *where,
                               struct byw_diag *diag)
{
    const struct byw_registry *all = config->registry;
    const struct byw_mech *mech = byw_registry_mech(all, name);
    char value[BYW_CONFIG_TEXT];

    if (mech == NULL)
        return unknown(all, name, where, diag);
    for (size_t i = 0; i < all->mechs; i++)
        if (all->mech[i] != mech && strcmp(all->mech[i]->enable, mech->enable) == 0 &&
            byw_mech_in_use(config, all->mech[i]))
            return byw_diag_set(
                diag, BYW_EINVAL,
                "%s: policy.use names %s and %s; expected only one, because both set %s", where,
                all->mech[i]->name, name, mech->enable);
    first_word(mech->on, value);
    return byw_config_set(config, mech->enable, value, where, diag);
}

enum byw_status byw_mech_use(struct byw_config *config, const char *names, const char *where,
                             struct byw_diag *diag)
{
    enum byw_status status = BYW_OK;
    bool any = false;

    for (size_t i = 0; i < config->registry->mechs && status == BYW_OK; i++)
        status = turn_off(config, config->registry->mech[i], where, diag);
    while (status == BYW_OK && names[strspn(names, " \t")] != '\0') {
        char name[NAME_ROOM];
        size_t length;

        names += strspn(names, " \t");
        length = strcspn(names, " \t");
        snprintf(name, sizeof(name), "%.*s", (int)length, names);
        names += length;
        if (any || strcmp(name, "none") != 0 || names[strspn(names, " \t")] != '\0')
            status = turn_on(config, name, where, diag);
        any = true;
    }
    if (status == BYW_OK && !any)
        return byw_diag_set(diag, BYW_EINVAL,
                            "%s: policy.use is empty; expected none or names of mechanisms", where);
    return status;
}
