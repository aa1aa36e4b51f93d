/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_mech_ops.h - what a bypass mechanism does to the accesses of one L1: hooks that the L1D
 * calls.
 *
 * A mechanism keeps its state to itself, one per L1, indexed by block (data line number), MSHR or
 * bypass tracker.  ask() and rescues() are pure questions, which a refused load puts again in every
 * cycle; state changes only in the other hooks, from accepted() on, so that a refused access
 * changes no policy state (MECHANISMS 0.1, R1).  Any hook may be NULL but create and release.
 *
 * A load's own hint goes before a mechanism's opinion, and of several mechanisms in use the first
 * one with an opinion is followed (configs/byw_mechanisms.def has their order).  With allocate on
 * miss and on fill the hooks are the same; what differs is when installed() comes.
 */
#ifndef BYW_MECH_OPS_H
#define BYW_MECH_OPS_H

#include "common/byw_mech.h"
#include "policy/byw_profile.h"
#include "record/byw_request.h"

/* What a load should be taken for; each works like the hint of that name (MECHANISMS 6.2). */
enum byw_opinion {
    BYW_OPINION_NONE,
    BYW_OPINION_CACHE, /* .ca: a line at once, also from the locality filter */
    BYW_OPINION_LAST, /* .cs: a line, as the next of its set to go */
    BYW_OPINION_BYPASS, /* .cg: no line; policy.bypass_on_hit says what becomes of a present one */
};

/* An access at the decision point. */
struct byw_mech_access {
    uint64_t line; /* byte address divided by the line size */
    uint32_t set;
    uint32_t block; /* present: data line number, set * ways + way */
    uint32_t pc;
    uint8_t op; /* enum byw_op; questions are about loads only */
    uint8_t warp;
    uint8_t sector; /* of the line; 0 if lines are not sectored */
    bool present; /* a tag of the set has the line, with its sector, in the cache or on its way */
    bool candidate; /* the locality filter watches the line */
    bool asks; /* a load without a hint, not in bypass mode: opinions are asked for */
};

/* What became of an accepted access. */
struct byw_mech_result {
    uint8_t outcome; /* enum byw_outcome */
    uint32_t
        ticket; /* loads, atomics: MSHR of a miss, tracker of a bypass; answered() has it again */
    uint32_t block; /* hits, and misses that take their line at once (allocate on miss) */
};

/* A line or sector has its place: with allocate on miss when its miss is accepted, with allocate on
 * fill when its bytes come. */
struct byw_mech_install {
    uint32_t block;
    uint32_t mshr;
    bool fresh; /* the block is given to a new line; else a sector joins the one it has */
    bool merged; /* on fill: other loads waited for the same bytes */
};

enum byw_mech_leave {
    BYW_LEFT_EVICTED, /* for another line */
    BYW_LEFT_DROPPED, /* by a store, a volatile load, or a bypass that evicts */
    BYW_LEFT_FAILED, /* its fill came with an error */
};

/* A read's answer from memory. */
struct byw_mech_answer {
    bool bypass; /* of a bypass: the ticket is a tracker; else of a miss: an MSHR */
    bool mispredict; /* the L2 saw the line reused after a predicted bypass (paper 002) */
    uint32_t ticket;
};

/* What create() may build on. */
struct byw_mech_setup {
    const struct byw_config *config; /* checked */
    const uint32_t *values; /* of the mechanism's own keys, in their order */
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
    void (*reset)(void *self); /* as after create(), switched on or off as it is */
    /* New settings of a running L1, whose lines are dropped: the register says whether its hardware
     * is to work. */
    void (*switched)(void *self, bool on);
    /* Before the first cycle: what a profile run finds or has found, the caller's, and which SM
     * this is.  A mechanism that has this hook gets two runs; in the first one the profile records.
     */
    void (*profiled)(void *self, uint32_t sm, struct byw_profile *profile);
    /* A kernel starts, or INVALIDATE: no block has a line any more.  pc: the kernel's entry, 0 for
     * INVALIDATE. */
    void (*emptied)(void *self, bool kernel_start, uint32_t pc);

    enum byw_opinion (*ask)(const void *self, const struct byw_mech_access *load);
    /* Whether a load that would be refused bypasses instead. */
    bool (*rescues)(const void *self, const struct byw_mech_access *load, enum byw_rsfail reason);

    /* The way of a set whose line gives way to another, out of `eligible` (bit per way, filled
     * lines); BYW_NONE leaves it to l1d.replacement.  Pure like ask(). */
    int (*victim)(const void *self, uint32_t set, uint64_t eligible);
    /* Those of `eligible`, at least one, among which l1d.replacement is to choose. */
    uint64_t (*spare)(const void *self, uint32_t set, uint64_t eligible);

    /* Any access is accepted, once; before left() and installed() of the same cycle. */
    void (*accepted)(void *self, const struct byw_mech_access *access,
                     const struct byw_mech_result *result);
    void (*left)(void *self, uint32_t block, enum byw_mech_leave why);
    void (*installed)(void *self, const struct byw_mech_install *install);
    void (*answered)(void *self, const struct byw_mech_answer *answer);

    /* In `cycles` cycles there is a request at the decision point; refused: in each of them it is
     * refused.  Before the tick() of the same cycles. */
    void (*busy)(void *self, uint64_t cycles, bool refused);
    /* `cycles` cycles pass; nothing is accepted in all but the first of them. */
    void (*tick)(void *self, uint64_t cycles);
    /* The L2 watches the lines of loads that bypass on its opinion, and answered() tells of a reuse
     * (BypassBit, paper 002). */
    bool verified;
    /* Whether an answer of ask() or rescues() may change with time alone: a refused load is then
     * asked about in every cycle, instead of sleeping until something happens. */
    bool restless;

    const uint64_t *(*counters)(const void *self); /* in the order of struct byw_mech's */
    /* A number that differs, as good as surely, when the state does. */
    uint64_t (*digest)(const void *self);
};

#endif
