/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_registry.c - All mechanisms and all configuration keys.
 *
 * The registry is above the layers that define mechanisms.  byw_config_defaults() stores it in
 * a configuration, through which lower layers reach the mechanisms without depending on them.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_mech.h"

#define MECH(name) extern const struct byw_mech byw_mech_##name;
#include "configs/byw_mechanisms.def"
#undef MECH

static const struct byw_mech *const mechs[] = {
#define MECH(name) &byw_mech_##name,
#include "configs/byw_mechanisms.def"
#undef MECH
};

enum { MECH_COUNT = sizeof(mechs) / sizeof(mechs[0]) };

static const struct byw_param fixed[] = {
#define U32(file_, field, key_, def_, lo, hi, help)                                                \
    {.file = BYW_PARAM_##file_,                                                                    \
     .kind = BYW_PARAM_U32,                                                                        \
     .key = key_,                                                                                  \
     .meaning = help,                                                                              \
     .def = def_,                                                                                  \
     .lowest = lo,                                                                                 \
     .highest = hi,                                                                                \
     .offset = offsetof(struct byw_config, field)},
#define ENUM(file_, field, key_, def_, choices_, help)                                             \
    {.file = BYW_PARAM_##file_,                                                                    \
     .kind = BYW_PARAM_ENUM,                                                                       \
     .key = key_,                                                                                  \
     .choices = choices_,                                                                          \
     .meaning = help,                                                                              \
     .def = def_,                                                                                  \
     .offset = offsetof(struct byw_config, field)},
#define STR(file_, field, key_, def_, help)                                                        \
    {.file = BYW_PARAM_##file_,                                                                    \
     .kind = BYW_PARAM_STR,                                                                        \
     .key = key_,                                                                                  \
     .meaning = help,                                                                              \
     .def_text = def_,                                                                             \
     .offset = offsetof(struct byw_config, field)},
#define USE(file_, key_, help)                                                                     \
    {.file = BYW_PARAM_##file_, .kind = BYW_PARAM_USE, .key = key_, .meaning = help},
#include "configs/byw_params.def"
#undef U32
#undef ENUM
#undef STR
#undef USE
};

enum { FIXED_COUNT = sizeof(fixed) / sizeof(fixed[0]) };

/* Written once, by put_together(). */
static struct byw_param params[FIXED_COUNT + BYW_MECH_VALUES];
static uint16_t by_key[FIXED_COUNT + BYW_MECH_VALUES];
static struct byw_registry registry = {.param = params,
                                       .by_key = by_key,
                                       .mech = mechs,
                                       .mechs = MECH_COUNT,
                                       .use = byw_mech_use,
                                       .use_text = byw_mech_use_text};
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Orders indices by key; of two equal keys the first comes first. */
static int compare_keys(const void *left, const void *right)
{
    uint16_t a = *(const uint16_t *)left, b = *(const uint16_t *)right;
    int order = strcmp(params[a].key, params[b].key);

    return order != 0 ? order : (a > b) - (a < b);
}

static void put_together(void)
{
    size_t values = 0;

    memcpy(params, fixed, sizeof(fixed));
    for (size_t m = 0; m < MECH_COUNT; m++)
        for (size_t k = 0; k < mechs[m]->key_count; k++, values++) {
            assert(values < BYW_MECH_VALUES);
            params[FIXED_COUNT + values] = mechs[m]->keys[k];
            params[FIXED_COUNT + values].offset =
                offsetof(struct byw_config, mech) + values * sizeof(uint32_t);
        }
    registry.params = FIXED_COUNT + values;
    for (size_t i = 0; i < registry.params; i++)
        by_key[i] = (uint16_t)i;
    qsort(by_key, registry.params, sizeof(by_key[0]), compare_keys);
}

static const struct byw_registry *all(void)
{
    pthread_once(&once, put_together);
    return &registry;
}

size_t byw_param_count(void)
{
    return all()->params;
}

const struct byw_param *byw_param(size_t i)
{
    return &all()->param[i];
}

size_t byw_param_named(const char *key)
{
    return byw_registry_find(all(), key);
}

void byw_config_defaults(struct byw_config *config)
{
    memset(config, 0, sizeof(*config));
    config->registry = all();
    for (size_t i = 0; i < byw_param_count(); i++) {
        const struct byw_param *p = byw_param(i);
        char *field = (char *)config + p->offset;

        if (p->kind == BYW_PARAM_STR)
            snprintf(field, BYW_CONFIG_STR, "%s", p->def_text);
        else if (p->kind != BYW_PARAM_USE)
            memcpy(field, &p->def, sizeof(p->def));
    }
    config->port = (struct byw_port){
#define PORT(parameter, field, def, lo, hi, meaning) .field = (def),
#include "configs/byw_port_params.def"
#undef PORT
    };
}

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
    return byw_registry_mech(all(), name);
}

size_t byw_mech_counter_base(const struct byw_mech *mech)
{
    size_t base = 0;

    for (size_t i = 0; mechs[i] != mech; i++)
        base += mechs[i]->counter_count;
    assert(base + mech->counter_count <= BYW_MECH_COUNTERS);
    return base;
}
