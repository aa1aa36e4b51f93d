/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_sectored - byw_sectored.v (with byw_hint, byw_stall_bypass and the replacement units)
 * against byw_sectored.c and byw_policy_apply(): random records, requests, settings and resources.
 */
#define P_KEY_W 31 /* key width of the records; the module does not use keys */

#include "cosim/lock_cfg.h"
#include "cosim/lock_sectors.h"
#include "policy/byw_sectored.h"

struct ports {
    uint32_t cfg, op, hint, sector, hit, hit_way, pending, adv_bypass, adv_dead, asks;
    uint32_t miss_slot, bypass_slot, mshr, merge;
    uint32_t outcome, reason, action, cause, orphan, last, sector_miss, blind;
    struct lock_repl repl;
    struct lock_sectors before, after;
};

struct request {
    int tag;
    uint8_t op, hint, number;
    struct byw_sector sector;
    struct byw_advice advice;
    struct byw_resources res;
};

static struct ports find_ports(const struct dut *d)
{
    return (struct ports){
        .cfg = dut_port(d, "cfg_i"),
        .op = dut_port(d, "op_i"),
        .hint = dut_port(d, "hint_i"),
        .sector = dut_port(d, "sector_i"),
        .hit = dut_port(d, "hit_i"),
        .hit_way = dut_port(d, "hit_way_i"),
        .pending = dut_port(d, "pending_i"),
        .adv_bypass = dut_port(d, "adv_bypass_i"),
        .adv_dead = dut_port(d, "adv_dead_i"),
        .asks = dut_port(d, "asks_o"),
        .miss_slot = dut_port(d, "res_miss_slot_i"),
        .bypass_slot = dut_port(d, "res_bypass_slot_i"),
        .mshr = dut_port(d, "res_mshr_i"),
        .merge = dut_port(d, "res_merge_i"),
        .outcome = dut_port(d, "outcome_o"),
        .reason = dut_port(d, "reason_o"),
        .action = dut_port(d, "action_o"),
        .cause = dut_port(d, "cause_o"),
        .orphan = dut_port(d, "orphan_o"),
        .last = dut_port(d, "last_o"),
        .sector_miss = dut_port(d, "sector_miss_o"),
        .blind = dut_port(d, "blind_o"),
        .repl = lock_repl_ports(d),
        .before = lock_sectors_ports(d, "rec", "i", false),
        .after = lock_sectors_ports(d, "rec", "o", false),
    };
}

static struct byw_config random_config(struct lock *l)
{
    struct byw_config c;

    byw_config_defaults(&c);
    c.l1d_alloc = BYW_ALLOC_ON_FILL;
    c.l1d_index = BYW_INDEX_LINEAR;
    c.l1d_sets = 4;
    c.l1d_ways = P_WAYS;
    c.l1d_sectors = P_SECTORS;
    c.l1d_repl = P_REPL;
    c.l1d_store_hit = lock_below(l, 2);
    c.policy_mode = lock_chance(l, 90) ? BYW_MODE_BASE : BYW_MODE_BYPASS_ALL;
    c.byp_on_hit = lock_below(l, 3);
    lock_rescues(l, 30, &c);
    c.dec_rc_on_hit = lock_below(l, 2);
    return c;
}

static struct request random_request(struct lock *l, const struct byw_policy *policy,
                                     const struct byw_set *set)
{
    struct request r = {.tag = BYW_NONE,
                        .op = (uint8_t)lock_below(l, BYW_OP_INVALIDATE),
                        .hint = (uint8_t)(lock_chance(l, 50) ? 0 : lock_below(l, 5)),
                        .number = (uint8_t)lock_below(l, P_SECTORS)};
    uint32_t way = lock_below(l, P_WAYS);

    r.sector.bit = (uint8_t)(1U << r.number);
    if (!byw_policy_blind(policy) && (set->used >> way & 1) != 0 && lock_chance(l, 80))
        r.tag = (int)way;
    r.sector.pending = !byw_policy_blind(policy) && !byw_sector_valid(set, r.tag, r.sector.bit) &&
                       lock_chance(l, 50);
    r.advice.bypass = lock_chance(l, 10);
    r.advice.dead = lock_chance(l, 30);
    r.res.miss_slot = lock_chance(l, 75);
    r.res.bypass_slot = lock_chance(l, 75);
    r.res.mshr = lock_chance(l, 75);
    r.res.merge = lock_chance(l, 75);
    return r;
}

static void put(const struct lock *l, const struct ports *p, const struct request *r)
{
    struct dut *d = l->dut;

    dut_put(d, p->op, r->op);
    dut_put(d, p->hint, r->hint);
    dut_put(d, p->sector, r->sector.bit);
    dut_put(d, p->hit, r->tag != BYW_NONE);
    dut_put(d, p->hit_way, r->tag != BYW_NONE ? (uint64_t)r->tag : 0);
    dut_put(d, p->pending, r->sector.pending);
    dut_put(d, p->adv_bypass, r->advice.bypass);
    dut_put(d, p->adv_dead, r->advice.dead);
    dut_put(d, p->miss_slot, r->res.miss_slot);
    dut_put(d, p->bypass_slot, r->res.bypass_slot);
    dut_put(d, p->mshr, r->res.mshr);
    dut_put(d, p->merge, r->res.merge);
}

static bool is_load(uint8_t op)
{
    return op == BYW_OP_LOAD || op == BYW_OP_LOCAL_LOAD;
}

static void compare(const struct lock *l, const struct ports *p, const struct byw_policy *policy,
                    const struct byw_set *set, const struct request *r,
                    const struct byw_decision *d)
{
    bool misses = is_load(r->op) && d->outcome == BYW_MISS;

    lock_same(l, "outcome", d->outcome, dut_get(l->dut, p->outcome));
    lock_same(l, "action", d->action, dut_get(l->dut, p->action));
    lock_same(l, "orphan", d->orphan, dut_get(l->dut, p->orphan));
    lock_same(l, "sector_miss", misses && r->tag != BYW_NONE, dut_get(l->dut, p->sector_miss));
    lock_same(l, "blind", byw_policy_blind(policy), dut_get(l->dut, p->blind));
    lock_same(l, "asks",
              is_load(r->op) && byw_sectored_asks(policy, set, r->tag, &r->sector, r->hint),
              dut_get(l->dut, p->asks));
    if (d->outcome == BYW_RSFAIL)
        lock_same(l, "reason", d->reason, dut_get(l->dut, p->reason));
    if (d->outcome == BYW_BYPASS)
        lock_same(l, "cause", d->cause, dut_get(l->dut, p->cause));
    if (misses)
        lock_same(l, "last", d->last, dut_get(l->dut, p->last));
}

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 150000);
    struct ports p = find_ports(l.dut);
    uint64_t met[BYW_RSFAIL + 1] = {0}, orphans = 0, released = 0;
    struct byw_policy policy;
    struct byw_set *set;
    struct byw_diag diag;
    uint32_t i;

    memset(&policy, 0, sizeof(policy));
    set = calloc(1, sizeof(*set) + P_WAYS * sizeof(set->tag[0]));
    for (l.cycle = 0; l.cycle < l.cycles; l.cycle++) {
        struct byw_config c = random_config(&l);
        struct byw_decision d;
        struct byw_repl_at at;
        struct request r;

        if (set == NULL || byw_policy_init(&policy, &c, &diag) != BYW_OK)
            return 2;
        sectors_random(&l, &policy.loc.geo, set, lock_chance(&l, 50) ? 90 : 40);
        r = random_request(&l, &policy, set);
        dut_put(l.dut, p.cfg, lock_cfg(&c));
        at = lock_repl_random(&l, P_WAYS, 4);
        put(&l, &p, &r);
        lock_repl_put(l.dut, &p.repl, &at);
        lock_sectors_put(l.dut, &p.before, set);
        dut_eval(l.dut);
        byw_sectored_choose(&policy, set, r.tag, &r.sector, r.op, r.hint, &r.advice, &r.res, &d);
        compare(&l, &p, &policy, set, &r, &d);
        byw_policy_apply(&policy, set, &at, 0, &d);
        lock_sectors_same(&l, &p.after, set);
        met[d.outcome]++;
        orphans += d.orphan;
        released += d.action == BYW_SET_RELEASE;
    }
    for (i = 0; i <= BYW_RSFAIL; i++)
        lock_met(&l, "decisions of an outcome", met[i]);
    lock_met(&l, "detached MSHRs", orphans);
    lock_met(&l, "lines taken away", released);
    free(set);
    return lock_pass(&l, ", %" PRIu64 " hits, %" PRIu64 " misses, %" PRIu64 " refusals",
                     met[BYW_HIT], met[BYW_MISS], met[BYW_RSFAIL]);
}
