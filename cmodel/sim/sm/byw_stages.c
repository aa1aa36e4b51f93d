/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/sm/byw_stages.h"

#include <string.h>

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
    stages->ports = config->collector_ports;
    stages->buses = config->result_buses;
    stages->writeback = config->sm_writeback;
    stages->first_free = BYW_NO_STAGED;
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

static uint64_t bit64(uint32_t c)
{
    return UINT64_C(1) << c;
}

/* --- instruction numbers ------------------------------------------------------------------- */

static uint32_t take_number(struct byw_stages *stages)
{
    uint32_t n = stages->first_free;

    if (n == BYW_NO_STAGED)
        return stages->fresh++;
    stages->first_free = stages->staged[n].next;
    return n;
}

static void give_number(struct byw_stages *stages, uint32_t n)
{
    stages->staged[n].next = stages->first_free;
    stages->first_free = (uint8_t)n;
}

static uint32_t number_at(const struct byw_stage_regs *regs, uint32_t i)
{
    return (uint8_t)(regs->reg >> 8 * i);
}

static void put_in(struct byw_stage_regs *regs, uint32_t n)
{
    regs->reg |= (uint64_t)n << 8 * regs->count++; /* the bytes above the last one are 0 */
}

static void take_out(struct byw_stage_regs *regs, uint32_t i)
{
    uint64_t before = (UINT64_C(1) << 8 * i) - 1;

    regs->reg = (regs->reg & before) | (regs->reg >> 8 & ~before);
    regs->count--;
}

/* --- issue --------------------------------------------------------------------------------- */

void byw_stages_enter(struct byw_stages *stages, struct byw_warps *warps, uint32_t w,
                      uint32_t access, uint64_t now)
{
    uint8_t cls = warps->warp[w].cls, u = warps->warp[w].unit;
    struct byw_stage_regs *in = &stages->in[u];
    uint32_t n = take_number(stages);
    struct byw_staged *made = &stages->staged[n];

    made->turn = stages->issued++;
    made->load = cls == BYW_CLASS_EXIT ? byw_warps_load(warps, w, now) : BYW_NO_LOAD;
    made->latency = stages->latency[cls];
    made->warp = (uint8_t)w;
    made->place = u == BYW_UNIT_LSU ? BYW_NO_PLACE : byw_warps_expect(warps, w);
    made->unit = u;
    made->collect = stages->collect[cls];
    made->access = (uint8_t)access;
    put_in(in, n);
    stages->in_used |= bit(u);
    stages->closed[u] = -(uint64_t)(in->count == stages->width[u]);
    stages->inside++;
}

/* --- units -------------------------------------------------------------------------------- */

/* The index of the instruction that was issued first. */
static uint32_t oldest(const struct byw_stages *stages, const struct byw_stage_regs *regs)
{
    uint32_t best = 0, turn = stages->staged[number_at(regs, 0)].turn;

    for (uint32_t i = 1; i < regs->count; i++) {
        uint32_t other = stages->staged[number_at(regs, i)].turn;
        bool before = (int32_t)(other - turn) < 0;

        best = before ? i : best;
        turn = before ? other : turn;
    }
    return best;
}

/* Books the unit's output for cycle `at`; false if it is taken. */
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

/* Reuses the words of past cycles for future ones. */
static void turn_bus(struct byw_stages *stages, uint64_t now)
{
    enum { WORDS = BYW_BUS_RING / BYW_BUS_WORD };
    uint64_t word = now / BYW_BUS_WORD;

    if (word - stages->bus_word >= WORDS)
        stages->bus_word = word - WORDS;
    for (; stages->bus_word != word; stages->bus_word++)
        stages->bus[stages->bus_word % WORDS] = 0;
}

static bool book_bus(struct byw_stages *stages, uint64_t at)
{
    uint64_t *word = &stages->bus[at % BYW_BUS_RING / BYW_BUS_WORD];
    uint32_t place = (uint32_t)(at % BYW_BUS_WORD) * BYW_BUS_BITS;

    if ((*word >> place & 15) == stages->buses)
        return false;
    *word += UINT64_C(1) << place;
    return true;
}

/* Removes instruction i from the registers after the collectors. */
static void leave(struct byw_stages *stages, uint32_t u, uint32_t i)
{
    struct byw_stage_regs *out = &stages->out[u];

    give_number(stages, number_at(out, i));
    take_out(out, i);
    stages->out_full &= ~bit(u);
    stages->out_used &= ~((uint32_t)(out->count == 0) << u);
    stages->inside--;
}

/* The unit takes the oldest instruction of its registers if it can. */
static void execute(struct byw_stages *stages, struct byw_warps *warps, uint32_t u,
                    struct byw_alu *alu, uint64_t now)
{
    const struct byw_stage_regs *out = &stages->out[u];
    const struct byw_staged *staged;
    uint32_t i, latency;

    if (alu->free > now)
        return;
    i = oldest(stages, out);
    staged = &stages->staged[number_at(out, i)];
    latency = staged->latency;
    if (!book_output(alu, now, now + latency))
        return;
    if (!book_bus(stages, now + latency)) {
        alu->out &= ~(UINT64_C(1) << latency % 64);
        return;
    }
    alu->free = now + stages->interval[u];
    latency += stages->writeback;
    if (staged->place != BYW_NO_PLACE)
        byw_warps_result(warps, staged->warp, staged->place, now, latency);
    if (staged->load != BYW_NO_LOAD)
        byw_warps_load_after(warps, staged->load, now, latency);
    leave(stages, u, i);
}

/* Lets the units take instructions. Returns false if no unit had an instruction to take. */
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
    const struct byw_stage_regs *out = &stages->out[BYW_UNIT_LSU];
    uint32_t i = oldest(stages, out);

    byw_ldst_enter(ldst, warps, stages->staged[number_at(out, i)].access);
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

    stages->there |= *arrive;
    stages->reading &= ~*arrive;
    *arrive = 0;
}

/* The collectors of `set` whose instruction finds a free register of its unit. */
static uint64_t with_room(const struct byw_stages *stages, uint32_t full, uint64_t set)
{
    for (; full != 0; full &= full - 1)
        set &= ~stages->held[__builtin_ctz(full)];
    return set;
}

/* Moves the collector's instruction to its unit; returns the unit's number. */
static uint32_t move_out(struct byw_stages *stages, uint32_t c)
{
    uint32_t n = stages->collector[c], u = stages->staged[n].unit;

    put_in(&stages->out[u], n);
    stages->out_used |= bit(u);
    stages->out_full |= (uint32_t)(stages->out[u].count == stages->width[u]) << u;
    stages->held[u] &= ~bit64(c);
    stages->there &= ~bit64(c);
    stages->free |= bit64(c);
    return u;
}

/* Each port in turn moves out one instruction with all its operands.  A fresh access still occupies
 * a register of the load/store unit. */
static bool dispatch(struct byw_stages *stages, const struct byw_ldst *ldst)
{
    const struct byw_stage_regs *lsu = &stages->out[BYW_UNIT_LSU];
    uint32_t lsu_width = stages->width[BYW_UNIT_LSU] - ldst->fresh, full = stages->out_full;
    uint64_t set = stages->there;
    bool moved = false;

    if (set == 0)
        return false;
    full |= (uint32_t)(lsu->count >= lsu_width) << BYW_UNIT_LSU;
    set = with_room(stages, full, set);
    for (uint32_t p = 0; set != 0 && p < stages->ports; p++) {
        uint64_t behind = set & ~UINT64_C(1) << stages->last[p];
        uint32_t c = (uint32_t)__builtin_ctzll(behind != 0 ? behind : set), u;

        stages->last[p] = (uint8_t)c;
        u = move_out(stages, c);
        if (u == BYW_UNIT_LSU)
            byw_ldst_prefetch(ldst, stages->staged[stages->collector[c]].access);
        set &= ~bit64(c);
        if ((stages->out_full & bit(u)) != 0 || (u == BYW_UNIT_LSU && lsu->count >= lsu_width))
            set &= ~stages->held[u];
        moved = true;
    }
    return moved;
}

/* Moves the unit's first instruction into the lowest free collector. */
static void collect(struct byw_stages *stages, uint32_t u, uint64_t now)
{
    struct byw_stage_regs *in = &stages->in[u];
    uint32_t c = (uint32_t)__builtin_ctzll(stages->free), n = number_at(in, 0);

    stages->free &= ~bit64(c);
    stages->collector[c] = (uint8_t)n;
    stages->held[u] |= bit64(c);
    stages->reading |= bit64(c);
    stages->arrive[(now + 1 + stages->staged[n].collect) % BYW_STAGE_RING] |= bit64(c);
    take_out(in, 0);
    stages->closed[u] = 0;
    stages->in_used &= ~((uint32_t)(in->count == 0) << u);
}

/* Each port moves one instruction of every unit into a collector. */
static bool allocate(struct byw_stages *stages, uint64_t now)
{
    bool moved = false;

    for (uint32_t p = 0; stages->in_used != 0 && p < stages->ports; p++) {
        for (uint32_t left = stages->in_used; left != 0; left &= left - 1) {
            if (stages->free == 0)
                return moved;
            collect(stages, (uint32_t)__builtin_ctz(left), now);
            moved = true;
        }
    }
    return moved;
}

bool byw_stages_step(struct byw_stages *stages, struct byw_warps *warps, struct byw_ldst *ldst,
                     uint64_t now)
{
    bool moved;

    if (stages->inside == 0)
        return false;
    if (now / BYW_BUS_WORD != stages->bus_word)
        turn_bus(stages, now);
    moved = execute_all(stages, warps, now);
    moved |= load_store(stages, warps, ldst);
    begin(stages, now);
    moved |= dispatch(stages, ldst);
    moved |= load_store(stages, warps, ldst);
    moved |= allocate(stages, now);
    return moved || stages->reading != 0;
}
