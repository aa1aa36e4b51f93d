/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/byw_stages.h"

#include <string.h>

static const uint8_t unit_of[BYW_CLASS_COUNT] = {
#define X(code, name, is_memory) [code] = BYW_UNIT_OF(code, is_memory),
    BYW_CLASS_LIST(X)
#undef X
};

static uint32_t latency_of(const struct byw_config *c, uint8_t cls)
{
    switch (cls) {
    case BYW_CLASS_SFU:
        return c->lat_sfu;
    case BYW_CLASS_DP:
        return c->lat_dp;
    case BYW_CLASS_FP:
        return c->lat_fp;
    case BYW_CLASS_BARRIER:
    case BYW_CLASS_EXIT:
        return 1;
    default:
        return c->lat_int;
    }
}

static uint32_t collect_of(const struct byw_config *c, uint8_t cls)
{
    switch (cls) {
    case BYW_CLASS_SFU:
        return c->collect_sfu;
    case BYW_CLASS_DP:
        return c->collect_dp;
    case BYW_CLASS_FP:
        return c->collect_fp;
    case BYW_CLASS_INT:
    case BYW_CLASS_BRANCH:
        return c->collect_int;
    default:
        return 0;
    }
}

void byw_stages_init(struct byw_stages *stages, const struct byw_config *config)
{
    memset(stages, 0, sizeof(*stages));
    stages->config = config;
    stages->on = config->operand_stages != 0;
    stages->width[BYW_UNIT_SP] = config->width_sp;
    stages->width[BYW_UNIT_SFU] = config->width_sfu;
    stages->width[BYW_UNIT_DP] = config->width_dp;
    stages->width[BYW_UNIT_LSU] = config->width_mem;
    stages->width[BYW_UNIT_BRANCH] = config->width_branch;
    stages->alus[BYW_UNIT_SP] = config->sp_units;
    stages->alus[BYW_UNIT_SFU] = stages->alus[BYW_UNIT_DP] = 1;
    stages->alus[BYW_UNIT_BRANCH] = config->branch_units;
    for (uint32_t cls = 0; cls < BYW_CLASS_COUNT; cls++) {
        stages->latency[cls] = (uint16_t)latency_of(config, (uint8_t)cls);
        stages->collect[cls] = (uint8_t)collect_of(config, (uint8_t)cls);
    }
    stages->free =
        config->sm_collectors < 64 ? (UINT64_C(1) << config->sm_collectors) - 1 : UINT64_MAX;
    byw_stages_launch(stages, config->sm_simd);
}

void byw_stages_launch(struct byw_stages *stages, uint32_t lanes)
{
    uint32_t passes = (lanes + stages->config->sm_simd - 1) / stages->config->sm_simd;

    stages->interval[BYW_UNIT_SP] = stages->config->ii_sp * passes;
    stages->interval[BYW_UNIT_SFU] = stages->config->ii_sfu * passes;
    stages->interval[BYW_UNIT_DP] = stages->config->ii_dp * passes;
    stages->interval[BYW_UNIT_BRANCH] = stages->config->ii_branch * passes;
}

static uint32_t bit(uint32_t u)
{
    return UINT32_C(1) << u;
}

void byw_stages_enter(struct byw_stages *stages, struct byw_warps *warps, uint32_t w,
                      uint32_t access)
{
    uint8_t cls = warps->warp[w].cls, u = unit_of[cls];
    struct byw_stage_regs *in = &stages->in[u];
    struct byw_staged *reg = &in->reg[in->count++];

    reg->number = stages->issued++;
    reg->load = cls == BYW_CLASS_EXIT ? byw_warps_load(warps, w) : BYW_NO_LOAD;
    reg->warp = (uint8_t)w;
    reg->cls = cls;
    reg->access = (uint8_t)access;
    reg->place = u == BYW_UNIT_LSU ? BYW_NO_PLACE : byw_warps_expect(warps, w);
    stages->in_used |= bit(u);
    if (in->count == stages->width[u])
        stages->in_full |= bit(u);
    stages->inside++;
}

/* --- units -------------------------------------------------------------------------------- */

static void take_out(struct byw_stage_regs *regs, uint32_t i)
{
    regs->count--;
    for (; i < regs->count; i++)
        regs->reg[i] = regs->reg[i + 1];
}

/* The register that was issued first. */
static uint32_t oldest(const struct byw_stage_regs *regs)
{
    uint32_t best = 0;

    for (uint32_t i = 1; i < regs->count; i++) {
        if ((int32_t)(regs->reg[i].number - regs->reg[best].number) < 0)
            best = i;
    }
    return best;
}

/* Whether the unit has its output free in cycle `at`, and takes it. */
static bool book_output(struct byw_alu *alu, uint64_t now, uint64_t at)
{
    uint64_t passed = now - alu->base;

    alu->out = passed < 64 ? alu->out >> passed : 0;
    alu->base = now;
    if (at - now >= 64)
        return true;
    if ((alu->out >> (at - now) & 1) != 0)
        return false;
    alu->out |= UINT64_C(1) << (at - now);
    return true;
}

static bool book_bus(struct byw_stages *stages, uint64_t at)
{
    uint32_t *bus = &stages->bus[at % BYW_BUS_RING];
    uint32_t turn = (uint32_t)(at / BYW_BUS_RING) << 4;

    if ((*bus & ~15U) != turn)
        *bus = turn;
    if ((*bus & 15) == stages->config->result_buses)
        return false;
    ++*bus;
    return true;
}

/* Takes instruction i out from behind the collectors. */
static void leave(struct byw_stages *stages, uint32_t u, uint32_t i)
{
    take_out(&stages->out[u], i);
    stages->out_full &= ~bit(u);
    if (stages->out[u].count == 0)
        stages->out_used &= ~bit(u);
    stages->inside--;
}

/* The unit takes the oldest instruction of its registers if it can. */
static void execute(struct byw_stages *stages, struct byw_warps *warps, uint32_t u,
                    struct byw_alu *alu, uint64_t now)
{
    const struct byw_stage_regs *out = &stages->out[u];
    const struct byw_staged *reg;
    uint32_t i, latency;

    if (alu->free > now)
        return;
    i = oldest(out);
    reg = &out->reg[i];
    latency = stages->latency[reg->cls];
    if (!book_output(alu, now, now + latency))
        return;
    if (!book_bus(stages, now + latency)) {
        alu->out &= ~(UINT64_C(1) << latency % 64);
        return;
    }
    alu->free = now + stages->interval[u];
    latency += stages->config->sm_writeback;
    if (reg->place != BYW_NO_PLACE)
        byw_warps_result(warps, reg->warp, reg->place, now, latency);
    if (reg->load != BYW_NO_LOAD)
        byw_warps_load_after(warps, reg->load, now, latency);
    leave(stages, u, i);
}

/* True also if a unit that is busy holds instructions back. */
static bool execute_all(struct byw_stages *stages, struct byw_warps *warps, uint64_t now)
{
    uint32_t used = stages->out_used & ~bit(BYW_UNIT_LSU);

    for (uint32_t left = used; left != 0; left &= left - 1) {
        uint32_t u = (uint32_t)__builtin_ctz(left);

        for (uint32_t i = 0; i < stages->alus[u] && stages->out[u].count != 0; i++)
            execute(stages, warps, u, &stages->alu[u][i], now);
    }
    return used != 0;
}

static void enter_load_store(struct byw_stages *stages, struct byw_warps *warps,
                             struct byw_ldst *ldst)
{
    uint32_t i = oldest(&stages->out[BYW_UNIT_LSU]);

    byw_ldst_enter(ldst, warps, stages->out[BYW_UNIT_LSU].reg[i].access);
    leave(stages, BYW_UNIT_LSU, i);
}

static inline bool load_store(struct byw_stages *stages, struct byw_warps *warps,
                              struct byw_ldst *ldst)
{
    if ((stages->out_used & bit(BYW_UNIT_LSU)) == 0 || !byw_ldst_takes(ldst))
        return false;
    enter_load_store(stages, warps, ldst);
    return true;
}

/* --- operands ----------------------------------------------------------------------------- */

static void begin(struct byw_stages *stages, uint64_t now)
{
    uint64_t *arrive = &stages->arrive[now % BYW_STAGE_RING];

    for (; *arrive != 0; *arrive &= *arrive - 1) {
        uint32_t c = (uint32_t)__builtin_ctzll(*arrive);

        stages->holds[unit_of[stages->collector[c].cls]] |= UINT64_C(1) << c;
        stages->there |= UINT64_C(1) << c;
        stages->reading--;
    }
}

/* Units without a register for a collector's instruction, as bits; the load/store unit's stays with
 * an access that is fresh. */
static uint32_t without_room(const struct byw_stages *stages, const struct byw_ldst *ldst)
{
    bool lsu = ldst->fresh && stages->out[BYW_UNIT_LSU].count + 1 >= stages->width[BYW_UNIT_LSU];

    return stages->out_full | (uint32_t)lsu << BYW_UNIT_LSU;
}

/* Each port moves an instruction with all its operands out, in turn. */
static bool dispatch(struct byw_stages *stages, const struct byw_ldst *ldst)
{
    uint64_t set = stages->there;
    bool moved = false;

    if (set == 0)
        return false;
    for (uint32_t full = without_room(stages, ldst); full != 0; full &= full - 1)
        set &= ~stages->holds[__builtin_ctz(full)];
    for (uint32_t p = 0; p < stages->config->collector_ports && set != 0; p++) {
        uint64_t behind = stages->last[p] < 63 ? set & (~UINT64_C(0) << (stages->last[p] + 1)) : 0;
        uint32_t c = (uint32_t)__builtin_ctzll(behind != 0 ? behind : set);
        uint32_t u = unit_of[stages->collector[c].cls];

        stages->last[p] = c;
        stages->out[u].reg[stages->out[u].count++] = stages->collector[c];
        stages->out_used |= bit(u);
        if (stages->out[u].count == stages->width[u])
            stages->out_full |= bit(u);
        stages->holds[u] &= ~(UINT64_C(1) << c);
        stages->there &= ~(UINT64_C(1) << c);
        stages->free |= UINT64_C(1) << c;
        set &= ~(UINT64_C(1) << c);
        if ((without_room(stages, ldst) & bit(u)) != 0)
            set &= ~stages->holds[u];
        moved = true;
    }
    return moved;
}

/* The unit's first instruction gets the lowest free collector. */
static void collect(struct byw_stages *stages, uint32_t u, uint64_t now)
{
    struct byw_stage_regs *in = &stages->in[u];
    uint32_t c = (uint32_t)__builtin_ctzll(stages->free);

    stages->free &= stages->free - 1;
    stages->collector[c] = in->reg[0];
    take_out(in, 0);
    stages->in_full &= ~bit(u);
    if (in->count == 0)
        stages->in_used &= ~bit(u);
    stages->reading++;
    stages->arrive[(now + 1 + stages->collect[stages->collector[c].cls]) % BYW_STAGE_RING] |=
        UINT64_C(1) << c;
}

/* Each port moves one instruction of every unit into a collector. */
static bool allocate(struct byw_stages *stages, uint64_t now)
{
    bool moved = false;

    for (uint32_t p = 0; p < stages->config->collector_ports; p++) {
        for (uint32_t left = stages->in_used; left != 0; left &= left - 1) {
            if (stages->free == 0)
                return moved;
            collect(stages, (uint32_t)__builtin_ctz(left), now);
            moved = true;
        }
        if (stages->in_used == 0)
            break;
    }
    return moved;
}

bool byw_stages_step(struct byw_stages *stages, struct byw_warps *warps, struct byw_ldst *ldst,
                     uint64_t now)
{
    bool moved;

    if (stages->inside == 0)
        return false;
    moved = execute_all(stages, warps, now);
    moved |= load_store(stages, warps, ldst);
    begin(stages, now);
    moved |= dispatch(stages, ldst);
    moved |= load_store(stages, warps, ldst);
    moved |= allocate(stages, now);
    return moved || stages->reading != 0;
}
