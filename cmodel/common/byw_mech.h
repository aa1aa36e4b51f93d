/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_mech.h - the table of bypass mechanisms: what each is called, where it comes from, which keys
 * and counters it has, what it costs.
 *
 * A mechanism is one struct byw_mech in its own file and one line in configs/byw_mechanisms.def;
 * help texts, `byway list`, the configuration, the counters of a result and the refusal of
 * `--l1d rtl` follow from these.  What it does to loads is reached through `ops`
 * (policy/byw_mech_ops.h); mechanisms with hardware are part of the proved decision and called
 * directly, so that theirs is NULL, but for trials, whose hardware is around it.
 *
 * In use is what its enable key says: policy.mode = decoupled, duel.enable = on.  The key
 * policy.use names all mechanisms in use at once; setting it sets every enable key.
 */
#ifndef BYW_MECH_H
#define BYW_MECH_H

#include "common/byw_config.h"

struct byw_mech_ops;
struct byw_req_queue_ops;

/* A counter of the result of a run that uses the mechanism. */
struct byw_mech_counter {
    const char *path; /* "policy_stats.NAME.counter" */
    const char *unit;
    const char *when; /* when it ticks */
};

struct byw_mech {
    const char *name; /* word of policy.use; its keys begin with this and a dot */
    const char *paper; /* number in study/papers.def */
    const char *sentence; /* what it does to a load, for `byway list policies` */
    const char *enable; /* key that says whether it is in use ... */
    const char *on; /* ... by having one of these values, "any|line"; policy.use sets the first */
    const char *unit; /* its hardware's unit in rtl/, NULL: it has none of its own */
    bool c_only; /* the cache has no hardware for it: `--l1d rtl` refuses it by name */
    /* Keys of its own; those of mechanisms with hardware are in configs/byw_params.def. */
    const struct byw_param *keys;
    size_t key_count;
    const struct byw_mech_counter
        *counters; /* those of mechanisms with hardware: study/byw_counters.def */
    size_t counter_count;
    const struct byw_mech_ops *ops; /* NULL: the decision point calls it by name */
    const struct byw_req_queue_ops *queue; /* in front of the L1D (l1d/byw_req_queue.h); or NULL */
    /* Bits per SM that it adds to a cache that keeps every line (MECHANISMS 14); values: of its own
     * keys.  NULL: none in the SM. */
    uint64_t (*storage_bits)(const struct byw_config *config, const uint32_t *values);
};

/* The key "NAME.enable" of a mechanism in C only. */
#define BYW_MECH_ENABLE(name, does)                                                                \
    {                                                                                              \
        .file = BYW_PARAM_POLICY, .kind = BYW_PARAM_ENUM, .key = name ".enable",                   \
        .choices = "off|on", .meaning = does                                                       \
    }
/* A number among its keys. */
#define BYW_MECH_U32(name, default_, least, most, means)                                           \
    {                                                                                              \
        .file = BYW_PARAM_POLICY, .kind = BYW_PARAM_U32, .key = name, .meaning = means,            \
        .def = default_, .lowest = least, .highest = most                                          \
    }

/* The registry, in the order in which loads are judged. */
size_t byw_mech_count(void);
const struct byw_mech *byw_mech(size_t i); /* i < byw_mech_count() */
const struct byw_mech *byw_mech_named(const char *name); /* NULL: none */

bool byw_mech_in_use(const struct byw_config *config, const struct byw_mech *mech);

/* Values of its own keys, in their order. */
const uint32_t *byw_mech_values(const struct byw_config *config, const struct byw_mech *mech);

/* What storage_bits() says of this configuration. */
uint64_t byw_mech_storage(const struct byw_config *config, const struct byw_mech *mech);

/* The number of its first counter among those of all mechanisms. */
enum { BYW_MECH_COUNTERS = 64 };
size_t byw_mech_counter_base(const struct byw_mech *mech);

/* The first mechanism in use that has no hardware, NULL if there is none. */
const struct byw_mech *byw_mech_without_rtl(const struct byw_config *config);

/* policy.use: its value, "none" or names in the registry's order; and what setting it does. */
void byw_mech_use_text(const struct byw_config *config, char *text, size_t room);
enum byw_status byw_mech_use(struct byw_config *config, const char *names, const char *where,
                             struct byw_diag *diag);

#endif
