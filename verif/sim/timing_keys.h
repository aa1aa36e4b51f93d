/* SPDX-License-Identifier: Apache-2.0
 *
 * timing_keys.h - the main program of a timing test: runs the probes that timing_keys.def lists for
 * it, each with its key.
 *
 * A probe shows its constraint at the last forbidden and the first allowed cycle, for several
 * values of the key. For a queue, it shows that the queue accepts as many entries as the key says,
 * no more, and the next one when an entry has left. A program names its rows' macro TIMING_KEY (and
 * that of its bounds TIMING_BOUND) and includes timing_keys.def as its list of tests, after the
 * probes.
 */
#ifndef TIMING_KEYS_H
#define TIMING_KEYS_H

#include "common/byw_config.h"

struct timing_key {
    const char *name; /* name of a field in struct byw_config, or of a bound without a key */
    size_t offset; /* offset of that field in struct byw_config */
};

/* Pointer to the probed key in a configuration, given the probe's state. */
static inline uint32_t *timing_key(void *const *state, struct byw_config *config)
{
    const struct timing_key *key = *state;

    return (uint32_t *)(void *)((char *)config + key->offset);
}

/* Whether a probe runs for this field. */
#define TIMING_KEY_IS(state, field)                                                                \
    (((const struct timing_key *)*(state))->offset == offsetof(struct byw_config, field))

/* A row of timing_keys.def as a test of cmocka. */
#define TIMING_KEY(field, probe)                                                                   \
    {#field ": " #probe, probe, NULL, NULL,                                                        \
     &(struct timing_key){#field, offsetof(struct byw_config, field)}},
#define TIMING_BOUND(name, probe)                                                                  \
    {#name ": " #probe, probe, NULL, NULL, &(struct timing_key){#name, 0}},

#endif
