/* SPDX-License-Identifier: Apache-2.0
 *
 * Mechanisms called through hooks (policy/byw_mech_ops.h): their inputs agree with the record of
 * every set, the data stays right whatever they answer, and refused loads may sleep.
 */
#include "l1d/hook_rig.h"

static void hook(struct host *h, const struct byw_mech *mech, void *self)
{
    struct byw_mech_chain *chain = &h->l1d->chain;

    chain->link[chain->count++] = (struct byw_mech_link){.mech = mech, .self = self};
    chain->chooses = chain->chooses || mech->ops->victim != NULL;
    chain->ticks = chain->ticks || mech->ops->tick != NULL;
    byw_l1d_mech_choose(h->l1d);
    chain->restless = chain->restless || mech->ops->restless;
}

/* --- a mechanism that records its inputs and gives arbitrary answers ---------------------------
 */

struct books {
    struct host *h;
    bool has[BLOCKS]; /* the block has a line */
    uint64_t accepted, cycles, failed, dropped, evicted, joined, emptied;
    uint64_t asked[4]; /* number of questions, by the opinion given */
    uint64_t evicted_at[BLOCKS];
};

static void expect(const struct books *b, bool good, const char *what)
{
    if (!good)
        host_fail(b->h, what);
}

static void books_emptied(void *self, bool kernel_start, uint32_t pc)
{
    struct books *b = self;

    (void)kernel_start;
    (void)pc;
    memset(b->has, 0, sizeof(b->has));
    b->emptied++;
}

static enum byw_opinion books_ask(const void *self, const struct byw_mech_access *load)
{
    const struct books *b = self;
    uint64_t hash = (load->line + b->accepted / 16) * UINT64_C(0x9E3779B97F4A7C15) >> 40;

    expect(b, byw_op_is_load(load->op), "asked about something else than a load");
    expect(b, !load->present || b->h->config.l1d_alloc == BYW_ALLOC_ON_FILL || b->has[load->block],
           "a present load's block has no line");
    expect(b, !(load->present && load->candidate), "a candidate is said to be present");
    ((struct books *)b->h->owner)->asked[hash % 4]++;
    return (enum byw_opinion)(hash % 4);
}

static bool books_rescues(const void *self, const struct byw_mech_access *load,
                          enum byw_rsfail reason)
{
    const struct books *b = self;

    expect(b, reason != BYW_RSFAIL_ICNT, "asked to rescue to a path that is full");
    return (load->line + b->accepted) % 3 == 0;
}

/* Picks the highest way in sets of even number; in the others the replacement policy picks. */
static int books_victim(const void *self, uint32_t set, uint64_t eligible)
{
    const struct books *b = self;
    int way = BYW_NONE;

    expect(b, eligible != 0, "asked for a victim out of none");
    for (uint32_t i = 0; i < 64 && set % 2 == 0; i++)
        if ((eligible >> i & 1) != 0)
            way = (int)i;
    return way;
}

static void books_accepted(void *self, const struct byw_mech_access *access,
                           const struct byw_mech_result *result)
{
    struct books *b = self;
    bool load = byw_op_is_load(access->op);

    b->accepted++;
    expect(b, result->outcome != BYW_RSFAIL, "a refusal is accepted");
    if (load && result->outcome == BYW_MISS)
        expect(b, byw_id_pool_taken(&b->h->l1d->mshr.pool, result->ticket), "no such MSHR");
    if (load && result->outcome == BYW_BYPASS)
        expect(b, byw_id_pool_taken(&b->h->l1d->tracker.pool, result->ticket), "no such tracker");
    if (load && result->outcome == BYW_HIT)
        expect(b, access->present && b->has[result->block], "a hit on a block without a line");
}

static void books_left(void *self, uint32_t block, enum byw_mech_leave why)
{
    struct books *b = self;

    expect(b, block < BLOCKS && b->has[block], "a line leaves a block that has none");
    b->has[block] = false;
    if (why == BYW_LEFT_EVICTED)
        b->evicted_at[block]++;
    b->failed += why == BYW_LEFT_FAILED;
    b->dropped += why == BYW_LEFT_DROPPED;
    b->evicted += why == BYW_LEFT_EVICTED;
}

static void books_installed(void *self, const struct byw_mech_install *install)
{
    struct books *b = self;

    expect(b, b->has[install->block] != install->fresh,
           "a new line for a block that has one, or a sector for one that has none");
    b->has[install->block] = true;
    b->joined += !install->fresh;
}

static void books_tick(void *self, uint64_t cycles)
{
    ((struct books *)self)->cycles += cycles;
}

static const struct byw_mech_ops books_ops = {
    .release = keep,
    .emptied = books_emptied,
    .ask = books_ask,
    .rescues = books_rescues,
    .victim = books_victim,
    .accepted = books_accepted,
    .left = books_left,
    .installed = books_installed,
    .tick = books_tick,
};
static const struct byw_mech books_mech = {.name = "books", .ops = &books_ops};

static void compare_with_record(const struct books *b)
{
    const struct byw_geometry *geo = &b->h->l1d->policy.loc.geo;

    for (uint32_t set = 0; set < geo->sets; set++)
        for (uint32_t way = 0; way < geo->data_ways; way++) {
            bool used = (byw_l1d_record(b->h->l1d, set)->used >> way & 1) != 0;

            expect(b, b->has[set * geo->data_ways + way] == used,
                   "the mechanism was not told who has a block");
        }
}

/* In even sets the highest way was evicted, except when it was in flight. */
static void check_victims(const struct books *b, uint32_t ways)
{
    uint64_t highest[2] = {0, 0}, others[2] = {0, 0};

    for (uint32_t block = 0; block < BLOCKS; block++)
        (block % ways == ways - 1 ? highest : others)[block / ways % 2] += b->evicted_at[block];
    assert_true(highest[0] > others[0]);
    assert_true(highest[1] < others[1]);
}

static void keeps_books(uint32_t mode, uint32_t alloc, uint32_t store_hit)
{
    struct byw_config config = config_of(mode, alloc);
    struct books b = {.accepted = 0};
    uint8_t data[HOST_WHOLE];
    struct byw_req req;
    bool offered = false;
    uint32_t n = 0;

    config.l1d_store_hit = store_hit;
    b.h = host_new("books", &config, host_seed(3));
    b.h->owner = &b;
    b.h->jitter = 60;
    b.h->rsp_percent = 80;
    b.h->req_percent = 70;
    b.h->error_percent = 1;
    hook(b.h, &books_mech, &b);
    while (n < ACCESSES) {
        if (byw_rng_below(&b.h->rng, 2000) == 0)
            b.h->filter_on = !b.h->filter_on;
        if (n % 1000 == 999 && !offered) { /* the next kernel; dirty bytes are written to memory */
            host_do(b.h, BYW_OP_FLUSH, 0, BYW_HINT_NONE);
            b.h->kernel_start = true;
        }
        if (!offered)
            offered = host_random_req(b.h, &host_everything, data, &req);
        if (host_cycle(b.h, offered ? &req : NULL)) {
            offered = false;
            n++;
        }
        compare_with_record(&b);
    }
    host_drain(b.h);
    assert_int_equal(b.accepted,
                     b.h->ev[BYW_EV_LOAD] + b.h->ev[BYW_EV_STORE] + b.h->ev[BYW_EV_ATOMIC]);
    assert_int_equal(b.cycles, b.h->cycle);
    for (int i = 0; i < 4; i++)
        assert_true(b.asked[i] > 100);
    assert_true(b.evicted > 100 && b.emptied > 10);
    check_victims(&b, config.l1d_ways);
    assert_true(alloc == BYW_ALLOC_ON_FILL ? b.joined > 100 : b.failed > 5);
    assert_true(b.dropped > 100 || alloc == BYW_ALLOC_ON_FILL);
    host_free(b.h);
}

static void hooks_agree_with_the_record_of_every_set(void **state)
{
    (void)state;
    keeps_books(BYW_MODE_BASE, BYW_ALLOC_ON_MISS, BYW_STORE_EVICT);
    keeps_books(BYW_MODE_DECOUPLED, BYW_ALLOC_ON_MISS, BYW_STORE_EVICT);
    keeps_books(BYW_MODE_DECOUPLED, BYW_ALLOC_ON_MISS, BYW_STORE_UPDATE);
    keeps_books(BYW_MODE_BASE, BYW_ALLOC_ON_FILL, BYW_STORE_EVICT);
}

/* --- sleep -------------------------------------------------------------------------------- */

/* A refused load sleeps, unless a mechanism may change its mind as time passes. */
static void a_restless_mechanism_keeps_a_refused_load_awake(void **state)
{
    static const struct byw_mech_ops calm = {.release = keep},
                                     restless = {.release = keep, .restless = true};
    static const struct byw_mech mechs[2] = {{.name = "calm", .ops = &calm},
                                             {.name = "restless", .ops = &restless}};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct byw_config config = config_of(BYW_MODE_BASE, BYW_ALLOC_ON_MISS);
        struct byw_req req = {.bytes = host_mask(0, HOST_WHOLE)};
        struct byw_l1d_in in = {.rsp_ready = true, .mem_req_ready = true};
        struct byw_l1d_out out;
        enum byw_event held;
        struct host *h;

        config.l1d_mshrs = 1;
        h = host_new("restless", &config, 1);
        hook(h, &mechs[i], NULL);
        for (uint32_t n = 0; n < 2; n++) { /* the second one needs the MSHR of the first */
            req.line = n;
            req.id = n;
            in.req = req;
            in.req_valid = true;
            byw_l1d_step(h->l1d, &in, &in.ctrl, &out);
            assert_true(out.req_ready);
        }
        in.req_valid = false;
        for (int cycle = 0; cycle < 4; cycle++)
            byw_l1d_step(h->l1d, &in, &in.ctrl, &out);
        assert_int_equal(byw_l1d_asleep(h->l1d, true, true, &held), i == 0);
        if (i == 0)
            assert_int_equal(held, BYW_EV_FAIL_MSHR);
        host_free(h);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hooks_agree_with_the_record_of_every_set),
        cmocka_unit_test(a_restless_mechanism_keeps_a_refused_load_awake),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
