/* SPDX-License-Identifier: Apache-2.0 */
#include "common/byw_mech.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define MECH(name) extern const struct byw_mech byw_mech_##name;
#include "configs/byw_mechanisms.def"
#undef MECH

static const struct byw_mech *const mechs[] = {
#define MECH(name) &byw_mech_##name,
#include "configs/byw_mechanisms.def"
#undef MECH
};

enum { MECH_COUNT = sizeof(mechs) / sizeof(mechs[0]), NAME_ROOM = 64 };

size_t byw_mech_count(void)
{
    return MECH_COUNT;
}

const struct byw_mech *byw_mech(size_t i)
{
    return mechs[i];
}

const struct byw_mech *byw_mech_named(const char *name)
{
    for (size_t i = 0; i < MECH_COUNT; i++)
        if (strcmp(mechs[i]->name, name) == 0)
            return mechs[i];
    return NULL;
}

const uint32_t *byw_mech_values(const struct byw_config *config, const struct byw_mech *mech)
{
    const uint32_t *values = config->mech;

    for (size_t i = 0; mechs[i] != mech; i++)
        values += mechs[i]->key_count;
    return values;
}

uint64_t byw_mech_storage(const struct byw_config *config, const struct byw_mech *mech)
{
    return mech->storage_bits == NULL ? 0
                                      : mech->storage_bits(config, byw_mech_values(config, mech));
}

size_t byw_mech_counter_base(const struct byw_mech *mech)
{
    size_t base = 0;

    for (size_t i = 0; mechs[i] != mech; i++)
        base += mechs[i]->counter_count;
    assert(base + mech->counter_count <= BYW_MECH_COUNTERS);
    return base;
}

/* Whether the '|'-separated list contains the first `length` characters of `word`. */
static bool has_word(const char *list, const char *word, size_t length)
{
    for (; list != NULL; list = strchr(list, '|')) {
        list += *list == '|';
        if (strncmp(list, word, length) == 0 && strchr("|", list[length]) != NULL)
            return true;
    }
    return false;
}

/* The first word of a '|'-separated list. */
static void first_word(const char *list, char word[NAME_ROOM])
{
    size_t length = strcspn(list, "|");

    length = length < NAME_ROOM ? length : NAME_ROOM - 1;
    memcpy(word, list, length);
    word[length] = '\0';
}

bool byw_mech_in_use(const struct byw_config *config, const struct byw_mech *mech)
{
    size_t length;
    const char *value = byw_config_choice(config, byw_param_named(mech->enable), &length);

    return value != NULL && has_word(mech->on, value, length);
}

const struct byw_mech *byw_mech_without_rtl(const struct byw_config *config)
{
    for (size_t i = 0; i < MECH_COUNT; i++)
        if (mechs[i]->c_only && byw_mech_in_use(config, mechs[i]))
            return mechs[i];
    return NULL;
}

void byw_mech_use_text(const struct byw_config *config, char *text, size_t room)
{
    size_t used = 0;

    for (size_t i = 0; i < MECH_COUNT && used < room; i++)
        if (byw_mech_in_use(config, mechs[i]))
            used += (size_t)snprintf(text + used, room - used, "%s%s", used == 0 ? "" : " ",
                                     mechs[i]->name);
    if (used == 0)
        snprintf(text, room, "none");
}

/* Sets the enable key to its first choice, which turns the mechanism off. */
static enum byw_status turn_off(struct byw_config *config, const struct byw_mech *mech,
                                const char *where, struct byw_diag *diag)
{
    char off[NAME_ROOM];

    first_word(byw_param(byw_param_named(mech->enable))->choices, off);
    return byw_config_set(config, mech->enable, off, where, diag);
}

static enum byw_status unknown(const char *name, const char *where, struct byw_diag *diag)
{
    const char *names[MECH_COUNT], *near;
    char list[512] = "";
    size_t used = 0;

    for (size_t i = 0; i < MECH_COUNT; i++) {
        names[i] = mechs[i]->name;
        if (used < sizeof(list))
            used += (size_t)snprintf(list + used, sizeof(list) - used, ", %s", names[i]);
    }
    near = byw_nearest(name, names, MECH_COUNT);
    return byw_diag_set(diag, BYW_EINVAL,
                        "%s: policy.use names '%s'; expected none or some of%s%s%s%s", where, name,
                        list + 1, near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                        near != NULL ? "'?" : "");
}

/* Turns one mechanism on.  Fails if a mechanism already in use shares its enable key. */
static enum byw_status turn_on(struct byw_config *config, const char *name, const char *where,
                               struct byw_diag *diag)
{
    const struct byw_mech *mech = byw_mech_named(name);
    char value[BYW_CONFIG_TEXT];

    if (mech == NULL)
        return unknown(name, where, diag);
    for (size_t i = 0; i < MECH_COUNT; i++)
        if (mechs[i] != mech && strcmp(mechs[i]->enable, mech->enable) == 0 &&
            byw_mech_in_use(config, mechs[i]))
            return byw_diag_set(
                diag, BYW_EINVAL,
                "%s: policy.use names %s and %s; expected only one, because both set %s", where,
                mechs[i]->name, name, mech->enable);
    first_word(mech->on, value);
    return byw_config_set(config, mech->enable, value, where, diag);
}

enum byw_status byw_mech_use(struct byw_config *config, const char *names, const char *where,
                             struct byw_diag *diag)
{
    enum byw_status status = BYW_OK;
    bool any = false;

    for (size_t i = 0; i < MECH_COUNT && status == BYW_OK; i++)
        status = turn_off(config, mechs[i], where, diag);
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
