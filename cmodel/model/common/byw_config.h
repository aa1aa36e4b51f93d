/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_config.h - the resolved configuration of a run: one machine, one policy.
 *
 * Keys, defaults, ranges and meanings are defined only in cmodel/configs/byw_params.def.  To build
 * a configuration, call byw_config_defaults(), read files of `key = value` lines (# starts a
 * comment), set single keys, and check the result as a whole (sim/gpu/byw_config_check.h).
 */
#ifndef BYW_CONFIG_H
#define BYW_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/byw_status.h"

enum { BYW_INDEX_LINEAR, BYW_INDEX_FERMI, BYW_INDEX_FOLD };
enum { BYW_ALLOC_ON_MISS, BYW_ALLOC_ON_FILL };
enum {
#define REPL(code, name, rank_bits, paper) BYW_REPL_##code,
#include "configs/byw_replacements.def"
#undef REPL
};
enum { BYW_STORE_EVICT, BYW_STORE_UPDATE };
enum { BYW_MODE_BASE, BYW_MODE_BYPASS_ALL, BYW_MODE_DECOUPLED };
enum { BYW_BYP_SERVE, BYW_BYP_IGNORE, BYW_BYP_EVICT };
enum { BYW_LOADS_PLAIN, BYW_LOADS_NONTEMPORAL, BYW_LOADS_VOLATILE };
enum { BYW_L2_KEEPS, BYW_L2_DROPS_CLEAN, BYW_L2_EMPTY, BYW_L2_DIRTIED };
enum { BYW_STALL_OFF, BYW_STALL_LINE, BYW_STALL_ANY };
/* The highest bits of the register POLICY are the fields of the rescue rules, in the order of
 * byw_rescues.def. */
enum {
    BYW_RESCUE_BELOW = 21, /* the bit below the first of these fields */
#define RESCUE(unit, field, width, mech, key, choices, on, paper, sentence, meaning)               \
    BYW_RESCUE_##field##_LSB, BYW_RESCUE_##field##_MSB = BYW_RESCUE_##field##_LSB + (width)-1,
#include "configs/byw_rescues.def"
#undef RESCUE
    BYW_RESCUE_BITS /* width of POLICY */
};
_Static_assert(BYW_RESCUE_BITS <= 32, "byw_rescues.def: the fields exceed the register POLICY");
enum { BYW_DUEL_LITERAL, BYW_DUEL_CROSSOVER }; /* duel.rule */
enum byw_order_mode { BYW_ORDER_OFF, BYW_ORDER_WRITES, BYW_ORDER_ALL };

enum {
    BYW_CONFIG_STR = 128, /* bytes of a text value, terminating zero included */
    BYW_CONFIG_TEXT = 256, /* bytes of any value as text */
    BYW_MECH_VALUES = 96, /* keys declared by mechanisms */
};

/* Optional features of the native L1D port.  They have no configuration keys. */
struct byw_port {
#define PORT(parameter, field, def, lo, hi, meaning) uint32_t field;
#include "configs/byw_port_params.def"
#undef PORT
};

struct byw_registry;

struct byw_config {
#define U32(file, field, key, def, lo, hi, help) uint32_t field;
#define ENUM(file, field, key, def, choices, help) uint32_t field;
#define STR(file, field, key, def, help) char field[BYW_CONFIG_STR];
#define USE(file, key, help)
#include "configs/byw_params.def"
#undef USE
#undef U32
#undef ENUM
#undef STR
    uint32_t mech[BYW_MECH_VALUES]; /* keys declared by mechanisms (common/byw_mech.h) */
    struct byw_port port;
    const struct byw_registry *registry; /* all keys and mechanisms */
};

/* The kind of file that sets a key. MACHINE: every machine file must set it. POLICY: a policy file
 * may. EITHER: every machine file must, and a policy file may. OPTION: a machine file may. The base
 * of a machine file may set a key on its behalf. */
enum byw_param_file { BYW_PARAM_MACHINE, BYW_PARAM_POLICY, BYW_PARAM_EITHER, BYW_PARAM_OPTION };
/* USE: policy.use, which sets the enable keys of all mechanisms. */
enum byw_param_kind { BYW_PARAM_U32, BYW_PARAM_ENUM, BYW_PARAM_STR, BYW_PARAM_USE };

/* One row of the key table, for help texts, listings and JSON. */
struct byw_param {
    enum byw_param_file file;
    enum byw_param_kind kind;
    const char *key;
    const char *choices; /* ENUM: names separated by '|' */
    const char *meaning;
    uint32_t def, lowest, highest; /* U32, ENUM (def) */
    const char *def_text; /* STR */
    size_t offset; /* offset of the field in struct byw_config; unused for USE */
};

/* All keys and mechanisms. registry/byw_registry.c puts a pointer to this table into each
 * configuration, because this layer must not depend on the layers above it, which define the
 * mechanisms. */
struct byw_mech;
struct byw_registry {
    const struct byw_param *param; /* keys of configs/byw_params.def, then those of mechanisms */
    const uint16_t *by_key; /* indices of the keys, sorted by key */
    size_t params;
    const struct byw_mech *const *mech; /* in the order in which they judge a load */
    size_t mechs;
    /* byw_mech_use() and byw_mech_use_text(), which write and read policy.use */
    enum byw_status (*use)(struct byw_config *config, const char *names, const char *where,
                           struct byw_diag *diag);
    void (*use_text)(const struct byw_config *config, char *text, size_t room);
};

/* Index of a key; registry->params if there is none. */
size_t byw_registry_find(const struct byw_registry *registry, const char *key);

/* The registry's keys (defined in registry/, as is byw_config_defaults()). */
size_t byw_param_count(void);
const struct byw_param *byw_param(size_t i); /* i < byw_param_count() */
size_t byw_param_named(const char *key); /* byw_param_count() if there is none */

void byw_config_defaults(struct byw_config *config);

/* Sets one key from text.  BYW_ENOENT: unknown key (the message suggests the nearest one).
 * BYW_EINVAL: value out of range.  `where` starts the message: "file:line" or "--set". */
enum byw_status byw_config_set(struct byw_config *config, const char *key, const char *value,
                               const char *where, struct byw_diag *diag);

/* Reads a machine or policy file.  The file may set each key of its kind once; other keys keep
 * their values.  Its first setting may be `base = NAME`: NAME.cfg of the same kind, next to this
 * file or in the folder `shipped` (NULL: none), or a path relative to this file's folder, is read
 * first. Bases may have bases.  Every file must set its title; without a base, a policy file must
 * also set policy.about, and a machine file all its keys.  BYW_ENOENT: no such base; BYW_EFORMAT: a
 * cycle of bases, a missing or repeated key. */
enum byw_status byw_config_read(struct byw_config *config, const char *path, const char *shipped,
                                enum byw_param_file file, struct byw_diag *diag);

/* Name of the choice selected by parameter i, without a terminating zero; NULL unless it is an
 * ENUM. */
const char *byw_config_choice(const struct byw_config *config, size_t i, size_t *length);

/* Writes the value of parameter i as text ("on_miss", "32") into text[room]. */
void byw_config_text(const struct byw_config *config, size_t i, char *text, size_t room);

/* The candidate nearest to `word` by edit distance, for "did you mean"; NULL if none is near. */
const char *byw_nearest(const char *word, const char *const *candidates, size_t count);

#endif
