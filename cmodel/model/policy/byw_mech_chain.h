/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_mech_chain.h - the hooked mechanisms in use in one L1, in the order in which they are asked.
 *
 * A chain without links costs its callers one test of `count`.
 */
#ifndef BYW_MECH_CHAIN_H
#define BYW_MECH_CHAIN_H

#include "policy/byw_mech_ops.h"

enum { BYW_MECH_LINKS = 8 };

struct byw_mech_chain {
    uint32_t count;
    bool chooses; /* a mechanism influences which line is evicted */
    bool ticks; /* a mechanism counts cycles: all, or those with a request */
    bool restless; /* a mechanism's answers may change as time passes */
    struct byw_mech_link {
        const struct byw_mech *mech;
        void *self;
        size_t counters; /* index of its first counter among those of all mechanisms */
    } link[BYW_MECH_LINKS];
};

/* Whether a mechanism in use wants the L2 to watch lines that its loads bypass. */
bool byw_mech_chain_verifies(const struct byw_config *config);

/* BYW_EUNSUPPORTED, with a message: more hooked mechanisms are in use than a chain has links. */
enum byw_status byw_mech_chain_create(struct byw_mech_chain *chain, const struct byw_config *config,
                                      struct byw_diag *diag);
void byw_mech_chain_release(struct byw_mech_chain *chain);
/* Whether a mechanism in use needs a profile run.  _profiled: gives this run's profile to those
 * that do. */
bool byw_mech_chain_profiles(const struct byw_config *config);
void byw_mech_chain_profiled(struct byw_mech_chain *chain, uint32_t sm,
                             struct byw_profile *profile);

/* Applies new settings: mechanisms of the chain whose hardware can be switched off are on if
 * `config` uses them. */
void byw_mech_chain_switched(struct byw_mech_chain *chain, const struct byw_config *config);

/* The state of a mechanism; NULL if it is not in the chain. */
void *byw_mech_chain_state(const struct byw_mech_chain *chain, const struct byw_mech *mech);

void byw_mech_chain_reset(struct byw_mech_chain *chain);
void byw_mech_chain_emptied(struct byw_mech_chain *chain, bool kernel_start, uint32_t pc);

/* The first opinion, as a hint for the load (enum byw_hint); BYW_HINT_NONE if no mechanism has one.
 * *verified: the L2 must watch the line if the load bypasses. */
uint8_t byw_mech_chain_hint(const struct byw_mech_chain *chain, const struct byw_mech_access *load,
                            bool *verified);
/* The cause of the bypass if a mechanism rescues the refused load; BYW_CAUSE_NONE: none does. */
uint8_t byw_mech_chain_rescues(const struct byw_mech_chain *chain,
                               const struct byw_mech_access *load, enum byw_rsfail reason);

/* The victim chosen by the first mechanism that has a choice.  BYW_NONE: l1d.replacement chooses
 * among the ways left in *eligible.  `chain` is a struct byw_mech_chain. */
int byw_mech_chain_victim(const void *chain, uint32_t set, uint64_t *eligible);

void byw_mech_chain_accepted(struct byw_mech_chain *chain, const struct byw_mech_access *access,
                             const struct byw_mech_result *result);
void byw_mech_chain_left(struct byw_mech_chain *chain, uint32_t block, enum byw_mech_leave why);
void byw_mech_chain_installed(struct byw_mech_chain *chain, const struct byw_mech_install *install);
void byw_mech_chain_answered(struct byw_mech_chain *chain, const struct byw_mech_answer *answer);
/* Counts identical cycles. busy: with a request at the decision point. */
void byw_mech_chain_tick(struct byw_mech_chain *chain, uint64_t cycles, bool busy, bool refused);

/* counters[BYW_MECH_COUNTERS]: those of all mechanisms, in registry order; 0 if not in use. */
void byw_mech_chain_counters(const struct byw_mech_chain *chain, uint64_t *counters);
uint64_t byw_mech_chain_digest(const struct byw_mech_chain *chain);

#endif
