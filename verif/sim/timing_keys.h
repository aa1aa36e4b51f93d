/* SPDX-License-Identifier: Apache-2.0
 *
 * timing_keys.h - the main program of a timing test: runs the probes that timing_keys.def lists for
 * it, each with the key that it is to probe.
 *
 * A probe shows its constraint at the last forbidden cycle and at the first allowed one, for
 * several values of the key; of a queue, that it takes as many as the key says, no more, and the
 * next one when one has left.  A program names its rows' macro TIMING_KEY (and that of its bounds
 * TIMING_BOUND) and includes timing_keys.def as its list of tests, behind the probes.
 */
#ifndef TIMING_KEYS_H
#define TIMING_KEYS_H

#include "common/byw_config.h"

struct timing_key {
    const char *name; /* of the field in struct byw_config, or of a bound without a key */
    size_t offset; /* in struct byw_config */
};

/* The key of a probe in a configuration, given the probe's state. */
static inline uint32_t *timing_key(void *const *state, struct byw_config *config)
{
    const struct timing_key *key = *state;

    return (uint32_t *)(void *)((char *)config + key->offset);
}

/* Whether a probe is run for this field. */
#define TIMING_KEY_IS(state, field)                                                                \
    (((const struct timing_key *)*(state))->offset == offsetof(struct byw_config, field))

/* A row of timing_keys.def as a test of cmocka. */
#define TIMING_KEY(field, probe)                                                                   \
    {#field ": " #probe, probe, NULL, NULL,                                                        \
     &(struct timing_key){#field, offsetof(struct byw_config, field)}},
#define TIMING_BOUND(name, probe)                                                                  \
    {#name ": " #probe, probe, NULL, NULL, &(struct timing_key){#name, 0}},

#endif
