/* SPDX-License-Identifier: Apache-2.0 */
#include "softgpu/gpu_modes.h"

#include <stddef.h>

static void bl(struct byw_config *c)
{
    c->policy_mode = BYW_MODE_BASE;
}

/* Stores update present lines. */
static void bl_update(struct byw_config *c)
{
    bl(c);
    c->l1d_store_hit = 1;
}

static void ball(struct byw_config *c)
{
    c->policy_mode = BYW_MODE_BYPASS_ALL;
    c->byp_on_hit = BYW_BYP_IGNORE;
}

static void decoupled(struct byw_config *c)
{
    c->policy_mode = BYW_MODE_DECOUPLED;
}

static void stall(struct byw_config *c)
{
    c->stall_bypass = BYW_STALL_ANY;
}

/* Kernels are short: the table starts undecided and decides early. */
static void pc(struct byw_config *c)
{
    c->pc_on = 1;
    c->pc_init = 2;
    c->pc_threshold = 3;
    c->pc_sample = 8;
}

/* Windows as short as the kernels. */
static void two_level(struct byw_config *c)
{
    c->tl_on = 1;
    c->tl_sample = 200;
    c->tl_min = 4;
    c->tl_low = 40;
    c->tl_high = 120;
    c->tl_resample = 3;
    c->tl_period = 400;
}

static void everything(struct byw_config *c)
{
    decoupled(c);
    stall(c);
    pc(c);
    two_level(c);
    c->l1d_store_hit = 1;
}

const struct gpu_mode gpu_modes[] = {
    {"bl", bl},
    {"bl_update", bl_update},
    {"ball", ball},
    {"decoupled", decoupled},
    {"stall", stall},
    {"pc", pc},
    {"two_level", two_level},
    {"everything", everything},
    {NULL, NULL},
};
