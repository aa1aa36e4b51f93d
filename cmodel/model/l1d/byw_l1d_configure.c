/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l1d_configure.c - Applies new settings to a running L1D after a register write.
 */
#include "l1d/byw_l1d.h"
#include "l1d/byw_l1d_state.h"

/* Modes differ in the number of tags.  The content may be dropped, because a kernel start
 * follows. */
static enum byw_status take_tags(struct byw_l1d *l1d, const struct byw_geometry *geo)
{
    struct byw_tag_store tags;
    enum byw_status status;

    if (geo->tag_ways == l1d->tags.geo.tag_ways)
        return BYW_OK;
    status = byw_tag_store_init(&tags, geo);
    if (status != BYW_OK)
        return status;
    tags.wrong = l1d->tags.wrong; /* all tags become invalid, but the keys keep their parity */
    tags.wrong_fill = l1d->tags.wrong_fill;
    l1d->tags.wrong = l1d->tags.wrong_fill = NULL;
    byw_tag_store_release(&l1d->tags);
    l1d->tags = tags;
    return BYW_OK;
}

enum byw_status byw_l1d_configure(struct byw_l1d *l1d, const struct byw_config *config,
                                  struct byw_diag *diag)
{
    struct byw_policy policy;
    const struct byw_geometry *geo = &policy.loc.geo;
    enum byw_status status = byw_policy_init(&policy, config, diag);

    if (status != BYW_OK)
        return status;
    status = byw_pc_pred_configure(&l1d->pred, config, geo->sets * geo->data_ways);
    if (status == BYW_OK)
        status = take_tags(l1d, geo);
    if (status == BYW_OK && policy.loc.repl != l1d->policy.loc.repl) {
        byw_repl_release(&l1d->repl);
        status = byw_repl_init(&l1d->repl, policy.loc.repl, geo);
        byw_l1d_mech_choose(l1d);
    }
    if (status != BYW_OK)
        return byw_no_memory(diag, "an L1 data cache's new settings");
    byw_mech_chain_switched(&l1d->chain, config);
    l1d->policy = policy;
    l1d->held = BYW_EV_COUNT;
    return BYW_OK;
}
