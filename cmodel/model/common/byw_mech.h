/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_mech.h - a bypass mechanism as the registry knows it: name, paper, keys, counters and cost.
 *
 * A mechanism is one struct byw_mech in its own file and one line in configs/byw_mechanisms.def.
 * Help texts, `byway list`, the configuration, the counters of a result and the check of `--l1d
 * rtl` are derived from the struct.  Loads reach a mechanism through `ops` (policy/byw_mech_ops.h).
 * Mechanisms with hardware are called directly by the decision logic, which is formally proved, and
 * their `ops` is NULL. The exception is trials, whose hardware surrounds the decision.
 *
 * The enable key says whether a mechanism is in use: policy.mode = decoupled, duel.enable = on.
 * The key policy.use lists all mechanisms in use; setting it sets every enable key.
 */
#ifndef BYW_MECH_H
#define BYW_MECH_H

#include "common/byw_config.h"

struct byw_mech_ops;
struct byw_req_queue_ops;

/* A counter in the result of a run that uses the mechanism. */
struct byw_mech_counter {
    const char *path; /* "policy_stats.NAME.counter" */
    const char *unit;
    const char *when; /* when it counts */
};

struct byw_mech {
    const char *name; /* word in policy.use; prefix of its keys, before the dot */
    const char *paper; /* number in study/job/papers.def */
    const char *sentence; /* what it does to a load, for `byway list policies` */
    const char *enable; /* key that turns it on */
    const char *on; /* values of `enable` that do so, "any|line"; policy.use sets the first */
    const char *unit; /* name of its unit in rtl/; NULL: it has no separate unit */
    bool c_only; /* no hardware; `--l1d rtl` rejects it by name */
    /* Its own keys.  Keys of mechanisms with hardware are in configs/byw_params.def. */
    const struct byw_param *keys;
    size_t key_count;
    const struct byw_mech_counter
        *counters; /* mechanisms with hardware: in study/job/byw_counters.def */
    size_t counter_count;
    const struct byw_mech_ops *ops; /* NULL: the decision point calls it directly */
    const struct byw_req_queue_ops *queue; /* request queue in front of the L1D
                                            * (l1d/byw_req_queue.h), or NULL */
    /* Bits per SM that it adds to a cache that caches every line (mechanisms/across.md 14); values:
     * its own keys.  NULL: no storage in the SM. */
    uint64_t (*storage_bits)(const struct byw_config *config, const uint32_t *values);
};

/* The key "NAME.enable" of a mechanism without hardware. */
#define BYW_MECH_ENABLE(name, does)                                                                \
    {                                                                                              \
        .file = BYW_PARAM_POLICY, .kind = BYW_PARAM_ENUM, .key = name ".enable",                   \
        .choices = "off|on", .meaning = does                                                       \
    }
/* A numeric key. */
#define BYW_MECH_U32(name, default_, least, most, means)                                           \
    {                                                                                              \
        .file = BYW_PARAM_POLICY, .kind = BYW_PARAM_U32, .key = name, .meaning = means,            \
        .def = default_, .lowest = least, .highest = most                                          \
    }

/* Mechanism of that name; NULL: none. */
const struct byw_mech *byw_registry_mech(const struct byw_registry *registry, const char *name);

/* The registry (registry/byw_registry.c), in the order in which mechanisms judge a load. */
size_t byw_mech_count(void);
const struct byw_mech *byw_mech(size_t i); /* i < byw_mech_count() */
const struct byw_mech *byw_mech_named(const char *name); /* NULL: none */

bool byw_mech_in_use(const struct byw_config *config, const struct byw_mech *mech);

/* Values of the mechanism's own keys, in the order of `keys`. */
const uint32_t *byw_mech_values(const struct byw_config *config, const struct byw_mech *mech);

/* Result of storage_bits() for this configuration. */
uint64_t byw_mech_storage(const struct byw_config *config, const struct byw_mech *mech);

/* Index of the mechanism's first counter among the counters of all mechanisms. */
enum { BYW_MECH_COUNTERS = 64 };
size_t byw_mech_counter_base(const struct byw_mech *mech);

/* The first mechanism in use without hardware; NULL if there is none. */
const struct byw_mech *byw_mech_without_rtl(const struct byw_config *config);

/* policy.use as text ("none" or names in registry order), and the effect of setting it. */
void byw_mech_use_text(const struct byw_config *config, char *text, size_t room);
enum byw_status byw_mech_use(struct byw_config *config, const char *names, const char *where,
                             struct byw_diag *diag);

#endif
