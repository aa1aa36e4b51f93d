/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_carb.c - CARB-like (mechanisms/comparators.md 4.3): while too many cycles are lost to
 * reservation fails, loads of the upper half of the warps bypass.  Paper 001 names CARB without
 * describing it.  This is a scheme of that kind, not CARB itself.
 */
#include <stdlib.h>

#include "common/byw_bits.h"
#include "policy/byw_mech_ops.h"

enum { KEY_ENABLE, KEY_WINDOW, KEY_LIMIT, KEY_MARGIN, KEYS };
static const struct byw_param keys[KEYS] = {
    BYW_MECH_ENABLE("carb_like", "half of the warps bypass while loads are often refused"),
    BYW_MECH_U32("carb_like.window", 256, 16, 1000000, "cycles of a window"),
    BYW_MECH_U32("carb_like.limit_pct", 25, 0, 100,
                 "percentage of refused cycles among busy ones above which warps bypass"),
    BYW_MECH_U32("carb_like.margin_pct", 10, 0, 100,
                 "percentage points below the limit at which bypassing stops"),
};

enum { COUNT_BYPASSES, COUNT_WINDOWS, COUNT_CONTENDED, COUNTS };
static const struct byw_mech_counter counters[COUNTS] = {
    {"policy_stats.carb_like.bypasses", "events", "a load bypasses because of its warp"},
    {"policy_stats.carb_like.windows", "windows", "a window ends"},
    {"policy_stats.carb_like.contended", "windows", "a window ends, after which warps bypass"},
};

struct carb {
    uint32_t window, limit, margin;
    uint32_t first; /* first warp that may bypass; all higher ones may, too */
    uint64_t cycles, busy, refused; /* counts of the current window */
    bool contended;
    uint64_t count[COUNTS];
};

static void reset(void *self)
{
    struct carb *c = self;

    *c = (struct carb){
        .window = c->window, .limit = c->limit, .margin = c->margin, .first = c->first};
}

static enum byw_status create(const struct byw_mech_setup *setup, void **self)
{
    struct carb *c = calloc(1, sizeof(*c));

    if (c == NULL)
        return BYW_ENOMEM;
    c->window = setup->values[KEY_WINDOW];
    c->limit = setup->values[KEY_LIMIT];
    c->margin = setup->values[KEY_MARGIN];
    c->first = setup->config->sm_warps / 2;
    *self = c;
    return BYW_OK;
}

static enum byw_opinion ask(const void *self, const struct byw_mech_access *load)
{
    const struct carb *c = self;

    return c->contended && load->warp >= c->first ? BYW_OPINION_BYPASS : BYW_OPINION_NONE;
}

/* A finished window is judged when a request is accepted, so a waiting request gets the same answer
 * in every cycle. */
static void judge(struct carb *c)
{
    uint64_t limit = c->contended && c->limit > c->margin ? c->limit - c->margin : c->limit;

    if (c->contended && c->limit <= c->margin)
        limit = 0;
    c->contended = c->refused * 100 > limit * c->busy;
    c->count[COUNT_WINDOWS]++;
    c->count[COUNT_CONTENDED] += c->contended;
    c->cycles = c->busy = c->refused = 0;
}

static void accepted(void *self, const struct byw_mech_access *access,
                     const struct byw_mech_result *result)
{
    struct carb *c = self;

    if (access->op == BYW_OP_LOAD || access->op == BYW_OP_LOCAL_LOAD)
        c->count[COUNT_BYPASSES] +=
            result->outcome == BYW_BYPASS && ask(self, access) == BYW_OPINION_BYPASS;
    if (c->cycles >= c->window)
        judge(c);
}

static void busy(void *self, uint64_t cycles, bool refused)
{
    struct carb *c = self;

    c->busy += cycles;
    c->refused += refused ? cycles : 0;
}

static void tick(void *self, uint64_t cycles)
{
    ((struct carb *)self)->cycles += cycles;
}

static const uint64_t *counts(const void *self)
{
    return ((const struct carb *)self)->count;
}

static uint64_t digest(const void *self)
{
    const struct carb *c = self;

    return (c->cycles * 31 + c->busy) * 31 + c->refused * 2 + c->contended;
}

/* Three counters and the decision. */
static uint64_t storage_bits(const struct byw_config *config, const uint32_t *values)
{
    (void)config;
    return 3 * ((uint64_t)byw_clog2(values[KEY_WINDOW]) + 1) + 1;
}

static const struct byw_mech_ops ops = {
    .create = create,
    .release = free,
    .reset = reset,
    .ask = ask,
    .accepted = accepted,
    .busy = busy,
    .tick = tick,
    .counters = counts,
    .digest = digest,
};

const struct byw_mech byw_mech_carb_like = {
    .name = "carb_like",
    .paper = "001",
    .sentence =
        "while many cycles are lost to reservation fails, loads of the upper half of the warps "
        "bypass",
    .enable = "carb_like.enable",
    .on = "on",
    .c_only = true,
    .keys = keys,
    .key_count = KEYS,
    .counters = counters,
    .counter_count = COUNTS,
    .ops = &ops,
    .storage_bits = storage_bits,
};
