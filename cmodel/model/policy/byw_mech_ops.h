/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_mech_ops.h - the hooks through which a bypass mechanism acts on the accesses of one L1.  The
 * L1D calls them.
 *
 * A mechanism owns its state, one per L1, indexed by block (data line number), MSHR or bypass
 * tracker. ask() and rescues() are pure; a refused load calls them again in every cycle.  State
 * changes only in the other hooks, from accepted() on, so a refused access changes no policy state
 * (mechanisms/cache.md 0.1, R1).  All hooks except create and release may be NULL.
 *
 * A load's own hint has priority over a mechanism's opinion.  If several mechanisms are in use, the
 * first opinion wins (configs/byw_mechanisms.def has the order).  The hooks are the same for
 * allocate-on-miss and allocate-on-fill; only the time of installed() differs.
 */
#ifndef BYW_MECH_OPS_H
#define BYW_MECH_OPS_H

#include "common/byw_mech.h"
#include "policy/byw_profile.h"
#include "record/byw_request.h"

/* How to treat a load; each opinion acts like the hint of that name (mechanisms/hints.md 6.2). */
enum byw_opinion {
    BYW_OPINION_NONE,
    BYW_OPINION_CACHE, /* .ca: allocate a line at once, even if the locality filter would not */
    BYW_OPINION_LAST, /* .cs: allocate a line and insert it as the next victim of its set */
    BYW_OPINION_BYPASS, /* .cg: allocate no line; policy.bypass_on_hit applies to a present one */
};

/* An access at the decision point. */
struct byw_mech_access {
    uint64_t line; /* byte address divided by the line size */
    uint32_t set;
    uint32_t block; /* data line number, set * ways + way, if present */
    uint32_t pc;
    uint8_t op; /* enum byw_op; ask() and rescues() see loads only */
    uint8_t warp;
    uint8_t sector; /* sector number in the line; 0 if lines are not sectored */
    bool present; /* a tag of the set has the line, with its sector, in the cache or in flight */
    bool candidate; /* the locality filter has a candidate tag for the line */
    bool asks; /* a load without a hint, not in bypass mode: opinions are requested */
};

/* The result of an accepted access. */
struct byw_mech_result {
    uint8_t outcome; /* enum byw_outcome */
    uint32_t
        ticket; /* loads, atomics: MSHR of a miss or tracker of a bypass; passed to answered() */
    uint32_t block; /* hits, and misses that allocate their line at once (allocate-on-miss) */
};

/* A line or sector is placed: with allocate-on-miss when its miss is accepted, with
 * allocate-on-fill when its bytes arrive. */
struct byw_mech_install {
    uint32_t block;
    uint32_t mshr;
    bool fresh; /* a new line gets the block; otherwise a sector is added to the block's line */
    bool merged; /* allocate-on-fill: other loads waited for the same bytes */
};

enum byw_mech_leave {
    BYW_LEFT_EVICTED, /* replaced by another line */
    BYW_LEFT_DROPPED, /* dropped by a store, a volatile load or an evicting bypass */
    BYW_LEFT_FAILED, /* the line's fill arrived with an error */
};

/* The response of memory to a read. */
struct byw_mech_answer {
    bool bypass; /* true: the response to a bypass, and the ticket is a tracker; false: to a miss,
                    an MSHR */
    bool mispredict; /* the L2 saw the line reused after a predicted bypass (paper 002) */
    uint32_t ticket;
};

/* The inputs of create(). */
struct byw_mech_setup {
    const struct byw_config *config; /* checked */
    const uint32_t *values; /* the mechanism's own keys, in their order */
    uint32_t sets, ways, blocks, mshrs, trackers;
};

static inline struct byw_mech_setup byw_mech_setup_of(const struct byw_config *config,
                                                      const struct byw_mech *mech)
{
    return (struct byw_mech_setup){
        .config = config,
        .values = byw_mech_values(config, mech),
        .sets = config->l1d_sets,
        .ways = config->l1d_ways,
        .blocks = config->l1d_sets * config->l1d_ways,
        .mshrs = config->l1d_mshrs,
        .trackers = config->l1d_trackers,
    };
}

struct byw_mech_ops {
    enum byw_status (*create)(const struct byw_mech_setup *setup, void **self);
    void (*release)(void *self);
    void (*reset)(void *self); /* restores the state after create(); stays switched on or off */
    /* A write to a register switches the mechanism's hardware on or off.  The L1 drops its lines in
     * the same cycle. */
    void (*switched)(void *self, bool on);
    /* Called before the first cycle with the caller's profile and the number of this SM.
     * Mechanisms with this hook run twice: the first run records the profile. */
    void (*profiled)(void *self, uint32_t sm, struct byw_profile *profile);
    /* A kernel start or INVALIDATE dropped every line. pc: the kernel's entry, 0 for INVALIDATE. */
    void (*emptied)(void *self, bool kernel_start, uint32_t pc);

    enum byw_opinion (*ask)(const void *self, const struct byw_mech_access *load);
    /* Whether a load that would be refused bypasses instead. */
    bool (*rescues)(const void *self, const struct byw_mech_access *load, enum byw_rsfail reason);

    /* The way to evict from, out of `eligible` (bit per way, filled lines); BYW_NONE:
     * l1d.replacement chooses.  Pure, like ask(). */
    int (*victim)(const void *self, uint32_t set, uint64_t eligible);
    /* The subset of `eligible`, not empty, from which l1d.replacement chooses. */
    uint64_t (*spare)(const void *self, uint32_t set, uint64_t eligible);

    /* Called once for every accepted access, before left() and installed() of the same cycle. */
    void (*accepted)(void *self, const struct byw_mech_access *access,
                     const struct byw_mech_result *result);
    void (*left)(void *self, uint32_t block, enum byw_mech_leave why);
    void (*installed)(void *self, const struct byw_mech_install *install);
    void (*answered)(void *self, const struct byw_mech_answer *answer);

    /* A request is at the decision point for `cycles` cycles; refused: it is refused in each of
     * them.  Called before the tick() of the same cycles. */
    void (*busy)(void *self, uint64_t cycles, bool refused);
    /* `cycles` cycles pass; an access can be accepted in the first of them only. */
    void (*tick)(void *self, uint64_t cycles);
    /* The L2 watches the lines of loads that bypass on this mechanism's opinion, and answered()
     * reports reuse (BypassBit, paper 002). */
    bool verified;
    /* ask() or rescues() may change as time passes: a refused load then asks in every cycle instead
     * of sleeping until an event. */
    bool restless;

    const uint64_t *(*counters)(const void *self); /* values, in struct byw_mech.counters order */
    /* Hash of the state; collisions are negligible. */
    uint64_t (*digest)(const void *self);
};

#endif
