/* SPDX-License-Identifier: Apache-2.0
 *
 * Modes by name. The RTL gets BYW_MODE_* of rtl/include/byw_modes.vh instead of a number; the C
 * model gets the policy key by key. Successive loads of one line: with BL a fill, then hits; with
 * BALL every load bypasses and no record is read; with DECOUPLED the first bypasses, the second
 * allocates a line, the third hits. A load that finds no free MSHR bypasses with STALL and waits
 * with BL. A store leaves its line present with STORE_UPDATE, and evicts it without.
 */
#include "modes.h"
#include "scenario/rig.h"

static struct byw_config defaults(const struct rig *r)
{
    struct byw_config c = rig_config(r);

    c.dec_rc_init = 1;
    return c;
}

static void start(struct rig *r, const struct byw_config *c, uint32_t cfg, uint32_t pc_cfg)
{
    rig_start(r, c);
    r->cfg = cfg;
    r->pc_cfg = pc_cfg;
    rig_reset(r);
}

static void three_loads(struct rig *r, enum byw_served first, enum byw_served second,
                        enum byw_served third)
{
    rig_served(r, rig_do(r, BYW_OP_LOAD, 1), first, r->latency + 4);
    rig_served(r, rig_do(r, BYW_OP_LOAD, 1), second, second == BYW_SERVED_HIT ? 3 : r->latency + 4);
    rig_served(r, rig_do(r, BYW_OP_LOAD, 1), third, third == BYW_SERVED_HIT ? 3 : r->latency + 4);
}

/* One load more than there are MSHRs, each of another line. */
static void one_too_many(struct rig *r, bool bypasses)
{
    uint32_t i, id = 0, n = r->size.mshrs;

    r->hold = true;
    for (i = 0; i <= n; i++)
        id = rig_send(r, BYW_OP_LOAD, 1 + i);
    rig_run(r, 10);
    rig_same(r, "the load is refused", !bypasses, r->ev[BYW_EV_FAIL_MSHR] != 0);
    r->hold = false;
    rig_drain(r);
    rig_served(r, id, bypasses ? BYW_SERVED_BYPASS : BYW_SERVED_FILL, 0);
}

void scenario(struct rig *r)
{
    struct byw_config c = defaults(r);

    start(r, &c, NAMED_BL, NAMED_BL_PC_CFG);
    three_loads(r, BYW_SERVED_FILL, BYW_SERVED_HIT, BYW_SERVED_HIT);
    rig_do(r, BYW_OP_STORE, 1);
    rig_served(r, rig_do(r, BYW_OP_LOAD, 1), BYW_SERVED_FILL, r->latency + 4);
    start(r, &c, NAMED_BL, NAMED_BL_PC_CFG);
    one_too_many(r, false);

    c.l1d_store_hit = BYW_STORE_UPDATE;
    start(r, &c, NAMED_BL | NAMED_STORE_UPDATE, NAMED_BL_PC_CFG);
    rig_do(r, BYW_OP_LOAD, 1);
    rig_do(r, BYW_OP_STORE, 1);
    rig_served(r, rig_do(r, BYW_OP_LOAD, 1), BYW_SERVED_HIT, 3);

    c = defaults(r);
    c.policy_mode = BYW_MODE_BYPASS_ALL;
    c.byp_on_hit = 1;
    start(r, &c, NAMED_BALL, NAMED_BALL_PC_CFG);
    three_loads(r, BYW_SERVED_BYPASS, BYW_SERVED_BYPASS, BYW_SERVED_BYPASS);
    rig_same(r, "records read", 0, r->ev[BYW_EV_TAG_READ]);

    c = defaults(r);
    c.policy_mode = BYW_MODE_DECOUPLED;
    start(r, &c, NAMED_DECOUPLED, NAMED_DECOUPLED_PC_CFG);
    three_loads(r, BYW_SERVED_BYPASS, BYW_SERVED_FILL, BYW_SERVED_HIT);

    c = defaults(r);
    c.stall_bypass = BYW_STALL_ANY;
    start(r, &c, NAMED_STALL, NAMED_STALL_PC_CFG);
    one_too_many(r, true);
}
