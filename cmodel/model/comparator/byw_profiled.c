/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_profiled.c - Profiled-BYPASS (paper 000, section 6; mechanisms/comparators.md 2.2): an
 * earlier run counted the loads of each line; lines with few loads bypass.
 *
 * The profile run uses this mechanism, too: while it records the profile, nothing bypasses.
 * Without a profile (an L1D outside the simulator) the mechanism does nothing.
 */
#include <stdlib.h>

#include "policy/byw_mech_ops.h"
#include "policy/byw_profile.h"

enum { KEY_ENABLE, KEY_FILTER, KEY_THRESHOLD, KEYS };
enum { LOCAL, GLOBAL, COMBINED, COMBINED_AND }; /* profiled.filter */
static const struct byw_param keys[KEYS] = {
    BYW_MECH_ENABLE("profiled",
                    "a profile run counts the loads of each line; lines with few bypass"),
    {.file = BYW_PARAM_POLICY,
     .kind = BYW_PARAM_ENUM,
     .key = "profiled.filter",
     .choices = "local|global|combined|combined_and",
     .meaning = "counted loads of the line: by the SM; by the kernel on all SMs; either of them; "
                "both",
     .def = COMBINED},
    BYW_MECH_U32("profiled.threshold", 2, 1, 1000,
                 "smallest number of loads with which a line is cached"),
};

enum { COUNT_BYPASSES, COUNTS };
static const struct byw_mech_counter counters[COUNTS] = {
    {"policy_stats.profiled.bypasses", "events", "a load bypasses because its line has few loads"},
};

struct profiled {
    uint32_t filter, threshold;
    struct byw_profile *profile; /* NULL: none */
    uint32_t sm, kernel;
    uint64_t count[COUNTS];
};

static enum byw_status create(const struct byw_mech_setup *setup, void **self)
{
    struct profiled *p = calloc(1, sizeof(*p));

    if (p == NULL)
        return BYW_ENOMEM;
    p->filter = setup->values[KEY_FILTER];
    p->threshold = setup->values[KEY_THRESHOLD];
    *self = p;
    return BYW_OK;
}

static void reset(void *self)
{
    struct profiled *p = self;

    p->kernel = 0;
    p->count[COUNT_BYPASSES] = 0;
}

static void take_profile(void *self, uint32_t sm, struct byw_profile *profile)
{
    struct profiled *p = self;

    p->sm = sm;
    p->profile = profile;
}

static void emptied(void *self, bool kernel_start, uint32_t pc)
{
    if (kernel_start)
        ((struct profiled *)self)->kernel = pc;
}

/* Whether the profile counts enough loads of the line. */
static bool often(const struct profiled *p, uint64_t line)
{
    uint32_t local = byw_profile_local(p->profile, p->sm, line);
    uint32_t global = byw_profile_global(p->profile, p->kernel, line);

    switch (p->filter) {
    case LOCAL:
        return local >= p->threshold;
    case GLOBAL:
        return global >= p->threshold;
    case COMBINED_AND:
        return local >= p->threshold && global >= p->threshold;
    default:
        return local >= p->threshold || global >= p->threshold;
    }
}

static enum byw_opinion ask(const void *self, const struct byw_mech_access *load)
{
    const struct profiled *p = self;

    if (load->present || p->profile == NULL || byw_profile_recording(p->profile))
        return BYW_OPINION_NONE;
    return often(p, load->line) ? BYW_OPINION_NONE : BYW_OPINION_BYPASS;
}

static void accepted(void *self, const struct byw_mech_access *access,
                     const struct byw_mech_result *result)
{
    struct profiled *p = self;

    if ((access->op != BYW_OP_LOAD && access->op != BYW_OP_LOCAL_LOAD) || p->profile == NULL)
        return;
    if (byw_profile_recording(p->profile))
        byw_profile_add(p->profile, p->sm, p->kernel, access->line);
    else
        p->count[COUNT_BYPASSES] += result->outcome == BYW_BYPASS;
}

static const uint64_t *counts(const void *self)
{
    return ((const struct profiled *)self)->count;
}

static const struct byw_mech_ops ops = {
    .create = create,
    .release = free,
    .reset = reset,
    .profiled = take_profile,
    .emptied = emptied,
    .ask = ask,
    .accepted = accepted,
    .counters = counts,
};

const struct byw_mech byw_mech_profiled = {
    .name = "profiled",
    .paper = "000",
    .sentence =
        "lines that a profile run seldom loaded bypass; its table is not counted as storage",
    .enable = "profiled.enable",
    .on = "on",
    .c_only = true,
    .keys = keys,
    .key_count = KEYS,
    .counters = counters,
    .counter_count = COUNTS,
    .ops = &ops,
};
