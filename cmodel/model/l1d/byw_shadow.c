/* SPDX-License-Identifier: Apache-2.0 */
#include "l1d/byw_shadow.h"

#include <stdlib.h>

#include "l1d/byw_l1d.h"
#include "policy/byw_policy_events.h"

#define DECIDED                                                                                    \
    (UINT32_C(1) << BYW_EV_LOAD | UINT32_C(1) << BYW_EV_STORE | UINT32_C(1) << BYW_EV_ATOMIC)

void byw_shadow_clear(struct byw_shadow *shadow)
{
    for (uint32_t s = 0; s < shadow->geo.sets; s++)
        byw_set_clear(&shadow->geo, shadow->set[s]);
    for (uint32_t i = 0; i < shadow->geo.sets * shadow->geo.data_ways; i++)
        shadow->lines[i] = (struct byw_shadow_line){.line = UINT64_MAX};
}

enum byw_status byw_shadow_init(struct byw_shadow *shadow, const struct byw_config *config, bool on)
{
    *shadow = (struct byw_shadow){
        .geo = byw_geometry_of(config, config->l1d_ways),
        .sector_bytes = config->l1d_line / config->l1d_sectors,
        .evicts = config->l1d_store_hit == BYW_STORE_EVICT,
    };
    if (!on)
        return BYW_OK;
    shadow->set = calloc(shadow->geo.sets, sizeof(*shadow->set));
    shadow->lines =
        calloc((size_t)shadow->geo.sets * shadow->geo.data_ways, sizeof(*shadow->lines));
    if (shadow->set == NULL || shadow->lines == NULL)
        return BYW_ENOMEM;
    for (uint32_t s = 0; s < shadow->geo.sets; s++) {
        shadow->set[s] = malloc(byw_set_bytes(&shadow->geo));
        if (shadow->set[s] == NULL)
            return BYW_ENOMEM;
    }
    byw_shadow_clear(shadow);
    return byw_repl_init(&shadow->repl, byw_repl(config->l1d_repl), &shadow->geo);
}

void byw_shadow_release(struct byw_shadow *shadow)
{
    for (uint32_t s = 0; shadow->set != NULL && s < shadow->geo.sets; s++)
        free(shadow->set[s]);
    free(shadow->set);
    byw_repl_release(&shadow->repl);
    free(shadow->lines);
    *shadow = (struct byw_shadow){0};
}

/* The line's way in its set.  If it is absent: a newly allocated way if `takes`, else data_ways. */
static uint32_t way_of(struct byw_shadow *shadow, uint32_t set, uint64_t line, uint32_t pc,
                       bool takes)
{
    uint32_t ways = shadow->geo.data_ways, way;
    struct byw_repl_at at = byw_repl_at(&shadow->repl, ways, set, pc);
    const struct byw_repl_ops *repl = shadow->repl.ops;
    struct byw_shadow_line *lines = &shadow->lines[(size_t)set * ways];

    for (way = 0; way < ways; way++)
        if (lines[way].line == line) {
            repl->touched(shadow->set[set], &at, way);
            return way;
        }
    if (!takes)
        return ways;
    for (way = 0; way < ways && lines[way].line != UINT64_MAX;)
        way++;
    if (way == ways) {
        uint64_t all = byw_mask64(ways);

        way = repl->victim(shadow->set[set], &at, all);
        repl->evicted(shadow->set[set], &at, all, way);
    }
    lines[way] = (struct byw_shadow_line){.line = line};
    repl->inserted(shadow->set[set], &at, way, false);
    byw_repl_placed(&shadow->repl);
    return way;
}

bool byw_shadow_access(struct byw_shadow *shadow, uint64_t line, uint32_t sector, uint8_t op,
                       uint32_t pc, bool passes)
{
    bool load = op == BYW_OP_LOAD || op == BYW_OP_LOCAL_LOAD, wrong;
    uint32_t set = byw_set_index(&shadow->geo, line), way = way_of(shadow, set, line, pc, load);
    struct byw_shadow_line *at = &shadow->lines[(size_t)set * shadow->geo.data_ways + way];
    uint8_t bit = (uint8_t)(1U << sector);

    if (way == shadow->geo.data_ways)
        return false;
    if (!load) {
        bool drops = op == BYW_OP_ATOMIC || (op == BYW_OP_STORE && shadow->evicts);

        if (drops && (at->there & bit) != 0)
            *at = (struct byw_shadow_line){.line = UINT64_MAX};
        return false;
    }
    wrong = (at->marked & bit) != 0;
    at->there |= bit;
    at->marked = (uint8_t)((at->marked & ~bit) | (passes ? bit : 0));
    return wrong;
}

/* The sector of the first requested byte. */
static uint8_t sector_of(const struct byw_shadow *shadow, const struct byw_req *req)
{
    uint32_t byte = req->bytes.w[0] != 0   ? byw_ctz64(req->bytes.w[0])
                    : req->bytes.w[1] != 0 ? 64 + byw_ctz64(req->bytes.w[1])
                                           : 0;

    return (uint8_t)(byte / shadow->sector_bytes);
}

bool byw_shadow_step(struct byw_shadow *shadow, const struct byw_l1d_in *in,
                     const struct byw_l1d_out *out)
{
    bool passes = (out->policy_events & byw_pev(BYW_PEV_PC_BYPASS)) != 0, wrong = false;
    uint32_t place = (shadow->first + shadow->count) % BYW_SHADOW_PIPE;

    if (shadow->lines == NULL)
        return false;
    if (in->rst) {
        shadow->count = 0;
        byw_repl_reset(&shadow->repl);
    }
    if (in->rst || in->ctrl.kernel_start)
        byw_shadow_clear(shadow);
    if (!in->rst && (out->events & DECIDED) != 0 && shadow->count != 0) {
        uint32_t head = shadow->first;

        shadow->first = (head + 1) % BYW_SHADOW_PIPE;
        shadow->count--;
        wrong = byw_shadow_access(shadow, shadow->pipe[head].line, shadow->pipe[head].sector,
                                  shadow->pipe[head].op, shadow->pipe[head].pc, passes);
    }
    if (!in->rst && in->req_valid && out->req_ready && in->req.op < BYW_OP_INVALIDATE) {
        shadow->pipe[place].line = in->req.line;
        shadow->pipe[place].sector = sector_of(shadow, &in->req);
        shadow->pipe[place].op = in->req.op;
        shadow->pipe[place].pc = in->req.pc;
        shadow->count++;
    }
    return wrong;
}
