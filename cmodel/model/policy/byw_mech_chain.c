/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/byw_mech_chain.h"

#include <string.h>

#include "record/byw_decision.h"
#include "record/byw_set.h"

/* For every link: the link `l` and its hooks `ops_`. */
#define FOR_EACH(l, ops_)                                                                          \
    for (const struct byw_mech_link *l = chain->link; l != chain->link + chain->count; l++)        \
        for (const struct byw_mech_ops *ops_ = l->mech->ops; ops_ != NULL; ops_ = NULL)

bool byw_mech_chain_verifies(const struct byw_config *config)
{
    const struct byw_registry *all = config->registry;

    for (size_t i = 0; i < all->mechs; i++)
        if (all->mech[i]->ops != NULL && all->mech[i]->ops->verified &&
            byw_mech_in_use(config, all->mech[i]))
            return true;
    return false;
}

static enum byw_status add(struct byw_mech_chain *chain, const struct byw_config *config,
                           const struct byw_mech *mech, size_t counters, struct byw_diag *diag)
{
    const struct byw_mech_setup setup = byw_mech_setup_of(config, mech);
    struct byw_mech_link *link = &chain->link[chain->count];
    enum byw_status status;

    if (chain->count == BYW_MECH_LINKS)
        return byw_diag_set(diag, BYW_EUNSUPPORTED,
                            "policy.use: %s is one mechanism too many; expected at most %d without "
                            "hardware",
                            mech->name, BYW_MECH_LINKS);
    status = mech->ops->create(&setup, &link->self);
    if (status != BYW_OK)
        return byw_diag_set(diag, status, "out of memory for mechanism %s", mech->name);
    link->mech = mech;
    link->counters = counters;
    chain->count++;
    chain->chooses = chain->chooses || mech->ops->victim != NULL || mech->ops->spare != NULL;
    chain->ticks = chain->ticks || mech->ops->tick != NULL || mech->ops->busy != NULL;
    chain->restless = chain->restless || mech->ops->restless;
    return BYW_OK;
}

enum byw_status byw_mech_chain_create(struct byw_mech_chain *chain, const struct byw_config *config,
                                      struct byw_diag *diag)
{
    const struct byw_registry *all = config->registry;
    enum byw_status status = BYW_OK;
    size_t counters = 0;

    *chain = (struct byw_mech_chain){0};
    for (size_t i = 0; i < all->mechs && status == BYW_OK; i++) {
        if (all->mech[i]->ops != NULL && byw_mech_in_use(config, all->mech[i]))
            status = add(chain, config, all->mech[i], counters, diag);
        counters += all->mech[i]->counter_count;
    }
    if (status != BYW_OK)
        byw_mech_chain_release(chain);
    return status;
}

void byw_mech_chain_release(struct byw_mech_chain *chain)
{
    FOR_EACH (link, ops)
        ops->release(link->self);
    chain->count = 0;
}

bool byw_mech_chain_profiles(const struct byw_config *config)
{
    const struct byw_registry *all = config->registry;

    for (size_t i = 0; i < all->mechs; i++)
        if (all->mech[i]->ops != NULL && all->mech[i]->ops->profiled != NULL &&
            byw_mech_in_use(config, all->mech[i]))
            return true;
    return false;
}

void byw_mech_chain_switched(struct byw_mech_chain *chain, const struct byw_config *config)
{
    FOR_EACH (link, ops)
        if (ops->switched != NULL)
            ops->switched(link->self, byw_mech_in_use(config, link->mech));
}

void byw_mech_chain_profiled(struct byw_mech_chain *chain, uint32_t sm, struct byw_profile *profile)
{
    FOR_EACH (link, ops)
        if (ops->profiled != NULL)
            ops->profiled(link->self, sm, profile);
}

void *byw_mech_chain_state(const struct byw_mech_chain *chain, const struct byw_mech *mech)
{
    FOR_EACH (link, ops)
        if (link->mech == mech)
            return link->self;
    return NULL;
}

void byw_mech_chain_reset(struct byw_mech_chain *chain)
{
    FOR_EACH (link, ops)
        if (ops->reset != NULL)
            ops->reset(link->self);
}

void byw_mech_chain_emptied(struct byw_mech_chain *chain, bool kernel_start, uint32_t pc)
{
    FOR_EACH (link, ops)
        if (ops->emptied != NULL)
            ops->emptied(link->self, kernel_start, pc);
}

uint8_t byw_mech_chain_hint(const struct byw_mech_chain *chain, const struct byw_mech_access *load,
                            bool *verified)
{
    static const uint8_t hint[] = {
        [BYW_OPINION_NONE] = BYW_HINT_NONE,
        [BYW_OPINION_CACHE] = BYW_HINT_CACHE,
        [BYW_OPINION_LAST] = BYW_HINT_STREAM,
        [BYW_OPINION_BYPASS] = BYW_HINT_BYPASS,
    };

    FOR_EACH (link, ops) {
        enum byw_opinion opinion = ops->ask != NULL ? ops->ask(link->self, load) : BYW_OPINION_NONE;

        *verified = ops->verified && opinion == BYW_OPINION_BYPASS;
        if (opinion != BYW_OPINION_NONE)
            return hint[opinion];
    }
    *verified = false;
    return BYW_HINT_NONE;
}

uint8_t byw_mech_chain_rescues(const struct byw_mech_chain *chain,
                               const struct byw_mech_access *load, enum byw_rsfail reason)
{
    FOR_EACH (link, ops)
        if (ops->rescues != NULL && ops->rescues(link->self, load, reason))
            return link->mech->c_only ? BYW_CAUSE_MECH : BYW_CAUSE_STALL;
    return BYW_CAUSE_NONE;
}

int byw_mech_chain_victim(const void *of, uint32_t set, uint64_t *eligible)
{
    const struct byw_mech_chain *chain = of;

    FOR_EACH (link, ops) {
        int way = ops->victim != NULL ? ops->victim(link->self, set, *eligible) : BYW_NONE;

        if (way != BYW_NONE)
            return way;
        if (ops->spare != NULL)
            *eligible = ops->spare(link->self, set, *eligible);
    }
    return BYW_NONE;
}

void byw_mech_chain_accepted(struct byw_mech_chain *chain, const struct byw_mech_access *access,
                             const struct byw_mech_result *result)
{
    FOR_EACH (link, ops)
        if (ops->accepted != NULL)
            ops->accepted(link->self, access, result);
}

void byw_mech_chain_left(struct byw_mech_chain *chain, uint32_t block, enum byw_mech_leave why)
{
    FOR_EACH (link, ops)
        if (ops->left != NULL)
            ops->left(link->self, block, why);
}

void byw_mech_chain_installed(struct byw_mech_chain *chain, const struct byw_mech_install *install)
{
    FOR_EACH (link, ops)
        if (ops->installed != NULL)
            ops->installed(link->self, install);
}

void byw_mech_chain_answered(struct byw_mech_chain *chain, const struct byw_mech_answer *answer)
{
    FOR_EACH (link, ops)
        if (ops->answered != NULL)
            ops->answered(link->self, answer);
}

void byw_mech_chain_tick(struct byw_mech_chain *chain, uint64_t cycles, bool busy, bool refused)
{
    FOR_EACH (link, ops) {
        if (busy && ops->busy != NULL)
            ops->busy(link->self, cycles, refused);
        if (ops->tick != NULL)
            ops->tick(link->self, cycles);
    }
}

void byw_mech_chain_counters(const struct byw_mech_chain *chain, uint64_t *counters)
{
    memset(counters, 0, BYW_MECH_COUNTERS * sizeof(counters[0]));
    FOR_EACH (link, ops)
        if (ops->counters != NULL)
            memcpy(counters + link->counters, ops->counters(link->self),
                   link->mech->counter_count * sizeof(counters[0]));
}

uint64_t byw_mech_chain_digest(const struct byw_mech_chain *chain)
{
    uint64_t digest = 0;

    FOR_EACH (link, ops)
        if (ops->digest != NULL)
            digest = digest * 31 + ops->digest(link->self);
    return digest;
}
