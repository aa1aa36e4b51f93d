/* SPDX-License-Identifier: Apache-2.0
 *
 * The built-in PC predictor and stall bypass, implemented again through hooks
 * (policy/byw_mech_ops.h): the same behaviour, cycle by cycle, in both organisations.
 */
#include "l1d/hook_rig.h"

/* The PC predictor implemented with hooks: it sees only what the hooks pass. */
struct hooked_pc {
    struct byw_pc_pred pred;
    bool on_fill;
};

static bool pc_asks(const struct byw_mech_access *load)
{
    return !load->present && !load->candidate;
}

static enum byw_opinion pc_ask(const void *self, const struct byw_mech_access *load)
{
    const struct hooked_pc *p = self;
    struct byw_pc_guess guess;

    if (!pc_asks(load))
        return BYW_OPINION_NONE;
    guess = byw_pc_pred_ask(&p->pred, load->set, load->pc);
    return byw_pc_guess_bypass(&guess) ? BYW_OPINION_BYPASS : BYW_OPINION_NONE;
}

static void pc_accepted(void *self, const struct byw_mech_access *access,
                        const struct byw_mech_result *result)
{
    struct hooked_pc *p = self;
    uint16_t hash = byw_pc_table_hash(&p->pred.table, access->pc);

    if (!byw_op_is_load(access->op)) {
        if (access->op == BYW_OP_ATOMIC)
            p->pred.bypass[result->ticket] = hash;
        return;
    }
    if (pc_asks(access)) {
        struct byw_pc_guess guess = byw_pc_pred_ask(&p->pred, access->set, access->pc);

        byw_pc_pred_accept(&p->pred, access->set, &guess);
    }
    if (result->outcome == BYW_BYPASS)
        p->pred.bypass[result->ticket] = hash;
    else if (result->outcome == BYW_MISS)
        p->pred.miss[result->ticket] = hash;
    else if (result->outcome == BYW_HIT || !p->on_fill)
        byw_pc_pred_reuse(&p->pred, result->block, hash);
}

static void pc_left(void *self, uint32_t block, enum byw_mech_leave why)
{
    struct hooked_pc *p = self;

    if (why == BYW_LEFT_EVICTED)
        byw_pc_pred_evict(&p->pred, block);
}

static void pc_installed(void *self, const struct byw_mech_install *install)
{
    struct hooked_pc *p = self;

    if (install->merged)
        byw_pc_pred_reuse_merged(&p->pred, p->pred.miss[install->mshr]);
    if (install->fresh)
        p->pred.line[install->block] = p->pred.miss[install->mshr];
}

static void pc_answered(void *self, const struct byw_mech_answer *answer)
{
    struct hooked_pc *p = self;

    if (answer->mispredict)
        byw_pc_pred_mispredict(&p->pred,
                               (answer->bypass ? p->pred.bypass : p->pred.miss)[answer->ticket]);
}

static void pc_tick(void *self, uint64_t cycles)
{
    byw_pc_pred_skip(&((struct hooked_pc *)self)->pred, cycles);
}

static const struct byw_mech_ops pc_ops = {
    .release = keep,
    .verified = true,
    .tick = pc_tick,
    .ask = pc_ask,
    .accepted = pc_accepted,
    .left = pc_left,
    .installed = pc_installed,
    .answered = pc_answered,
};
static const struct byw_mech hooked_pc_mech = {.name = "hooked_pc", .ops = &pc_ops};

static bool always(const void *self, const struct byw_mech_access *load, enum byw_rsfail reason)
{
    (void)self;
    (void)load;
    (void)reason;
    return true;
}

static const struct byw_mech_ops stall_ops = {.release = keep, .rescues = always};
static const struct byw_mech hooked_stall_mech = {.name = "hooked_stall", .ops = &stall_ops};

/* Two caches side by side: the host's with the built-in mechanism, and one with hooks. */
struct pair {
    struct byw_l1d *hooked;
    uint64_t reports;
};

static bool same_mem_req(const struct byw_mem_req *a, const struct byw_mem_req *b)
{
    return a->line == b->line && a->id == b->id && a->kind == b->kind && a->pc == b->pc &&
           a->predicted == b->predicted;
}

static void step_both(struct host *h, const struct byw_l1d_in *in, struct byw_l1d_out *out)
{
    struct pair *pair = h->owner;
    struct byw_l1d_in with = *in;
    struct byw_l1d_out other;

    with.mem_rsp.mispredict = in->mem_rsp_valid && (in->mem_rsp.id + h->cycle / 64) % 5 == 0;
    pair->reports += with.mem_rsp.mispredict;
    byw_l1d_step(pair->hooked, &with, &with.ctrl, &other);
    byw_l1d_step(h->l1d, &with, &with.ctrl, out);
    if (out->events != other.events || out->req_ready != other.req_ready ||
        out->rsp_valid != other.rsp_valid || out->mem_req_valid != other.mem_req_valid ||
        out->mem_rsp_ready != other.mem_rsp_ready || out->idle != other.idle ||
        (out->rsp_valid && !host_same_rsp(&out->rsp, &other.rsp)) ||
        (out->mem_req_valid && !same_mem_req(&out->mem_req, &other.mem_req)))
        host_fail(h, "a mechanism through hooks differs from the one built in");
}

static void same_as_built_in(const struct byw_config *built_in, const struct byw_config *hooked,
                             const struct byw_mech *mech, void *self, const struct host_mix *mix)
{
    struct host *h = host_new(mech->name, built_in, host_seed(5));
    struct pair pair = {.reports = 0};
    uint8_t data[HOST_WHOLE];
    struct byw_req req;
    bool offered = false;
    uint32_t n = 0;

    assert_int_equal(byw_l1d_create(hooked, true, &pair.hooked, NULL), BYW_OK);
    pair.hooked->chain.link[0] = (struct byw_mech_link){.mech = mech, .self = self};
    pair.hooked->chain.count = 1;
    pair.hooked->chain.ticks = mech->ops->tick != NULL;
    h->owner = &pair;
    h->step = step_both;
    h->jitter = 40;
    h->req_percent = 70;
    while (n < ACCESSES) {
        if (!offered)
            offered = host_random_req(h, mix, data, &req);
        if (offered && n % 7 == 0) /* from 13 PCs whose lines are rarely reused */
            req.line = 96 + byw_rng_below(&h->rng, 400);
        req.pc = (uint32_t)(req.line / 32) * 4;
        if (host_cycle(h, offered ? &req : NULL)) {
            offered = false;
            n++;
        }
    }
    host_drain(h);
    assert_true(h->ev[BYW_EV_BYPASS] > 500 && h->ev[BYW_EV_MISS] > 500);
    assert_true(pair.reports > 100);
    byw_l1d_free(pair.hooked);
    host_free(h);
}

static void the_pc_predictor_through_hooks_equals_the_built_in_one(void **state)
{
    static const struct host_mix mix = {
        .lines = 96, .percent = 90, .stores = 15, .atomics = 4, .locals = 10};

    (void)state;
    for (uint32_t alloc = BYW_ALLOC_ON_MISS; alloc <= BYW_ALLOC_ON_FILL; alloc++) {
        struct byw_config hooked = config_of(BYW_MODE_BASE, alloc), built_in = hooked;
        struct hooked_pc p = {.on_fill = alloc == BYW_ALLOC_ON_FILL};

        built_in.pc_on = 1;
        built_in.pc_sample = 8;
        assert_int_equal(byw_pc_pred_init(&p.pred, &built_in, 3, BLOCKS), BYW_OK);
        same_as_built_in(&built_in, &hooked, &hooked_pc_mech, &p, &mix);
        byw_pc_pred_release(&p.pred);
    }
}

static void the_stall_bypass_through_hooks_equals_the_built_in_one(void **state)
{
    static const struct host_mix mix = {
        .lines = 96, .percent = 95, .stores = 15, .atomics = 4, .locals = 10, .hints = 10};

    (void)state;
    for (uint32_t alloc = BYW_ALLOC_ON_MISS; alloc <= BYW_ALLOC_ON_FILL; alloc++) {
        struct byw_config hooked = config_of(BYW_MODE_BASE, alloc), built_in = hooked;

        built_in.stall_bypass = BYW_STALL_ANY;
        same_as_built_in(&built_in, &hooked, &hooked_stall_mech, NULL, &mix);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pc_predictor_through_hooks_equals_the_built_in_one),
        cmocka_unit_test(the_stall_bypass_through_hooks_equals_the_built_in_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
