/* SPDX-License-Identifier: Apache-2.0
 *
 * The allocate-on-fill L1D under random traffic, compared with a flat memory (every load returns
 * the right bytes, every request is answered once, the invariants hold after every access and
 * install); and its hits and misses compared with a list of lines in order of use.
 */
#include "common/byw_l1d_mix.h"
#include "l1d/fill_rig.h"

/* Events that must not coincide, and state that must not change when a request is refused. */
static void watch(struct host *h, const unsigned char *before, size_t bytes)
{
    uint32_t accepted = 1U << BYW_EV_LOAD | 1U << BYW_EV_STORE | 1U << BYW_EV_ATOMIC;
    uint32_t fails = 1U << BYW_EV_FAIL_LINE | 1U << BYW_EV_FAIL_MSHR | 1U << BYW_EV_FAIL_MERGE |
                     1U << BYW_EV_FAIL_MISS_QUEUE | 1U << BYW_EV_FAIL_ICNT;
    uint32_t events = h->out.events;
    bool installs = (events & 1U << BYW_EV_FILL) != 0;
    bool changed = memcmp(before, h->l1d->tags.records, bytes) != 0;

    if ((events & fails) != 0 && (events & accepted) != 0)
        host_fail(h, "refused and accepted at once");
    if (installs && (events & (fails | accepted)) != 0)
        host_fail(h, "a decision in the cycle of an install");
    if ((events & 1U << BYW_EV_FAIL_LINE) != 0)
        host_fail(h, "refused for want of a line");
    if ((events & fails) != 0 && changed)
        host_fail(h, "a refusal changed the record");
    if ((events & 1U << BYW_EV_MISS) != 0 && (events & 1U << BYW_EV_LOAD) != 0 && changed)
        host_fail(h, "a miss wrote a record");
    if (changed || (events & accepted) != 0)
        host_check(h);
}

static void run_traffic(const char *name, const struct byw_config *c, uint32_t accesses,
                        uint32_t bypasses, uint32_t kernels)
{
    struct host *h = host_new(name, c, host_seed(1));
    size_t bytes = h->l1d->tags.stride * c->l1d_sets;
    unsigned char *before = malloc(bytes);
    uint8_t data[HOST_WHOLE];
    struct byw_req req;
    bool offered = false;
    uint32_t n = 0;

    assert_non_null(before);
    host_disturb(h);
    while (n < accesses) {
        if (!offered)
            offered = host_random_req(h, &host_everything, data, &req);
        if (bypasses != 0 && byw_rng_below(&h->rng, bypasses) == 0)
            h->bypass = !h->bypass;
        h->kernel_start = kernels != 0 && byw_rng_below(&h->rng, kernels) == 0;
        memcpy(before, h->l1d->tags.records, bytes);
        if (host_cycle(h, offered ? &req : NULL)) {
            offered = false;
            n++;
        }
        watch(h, before, bytes);
    }
    free(before);
    host_drain(h);
    host_check(h);
    host_check_counts(h);
    if (c->policy_mode == BYW_MODE_BASE &&
        (h->ev[BYW_EV_FILL] == 0 || h->ev[BYW_EV_HIT] == 0 || h->ev[BYW_EV_HIT_PENDING] == 0 ||
         h->ev[BYW_EV_EVICT] == 0 || (c->l1d_sectors > 1) != (h->ev[BYW_EV_SECTOR_MISS] != 0)))
        host_fail(h, "traffic that does not meet every case");
    host_free(h);
}

static void shrink(struct byw_config *c)
{
    c->l1d_mshrs = 6;
    c->l1d_merges = 3;
    c->l1d_miss_queue = 3;
    c->l1d_bypass_queue = 2;
    c->l1d_trackers = 5;
}

static void every_shape_returns_the_right_bytes(void **state)
{
    static const struct {
        uint32_t sets, ways, line, sectors;
    } shape[] = {{4, 4, 128, 4}, {4, 48, 128, 4}, {1, 1, 128, 2}, {2, 3, 64, 2},
                 {8, 1, 32, 1},  {2, 5, 128, 1},  {1, 7, 128, 4}};
    size_t i;

    (void)state;
    for (i = 0; i < sizeof(shape) / sizeof(shape[0]); i++) {
        struct byw_config c = config(shape[i].sets, shape[i].ways, shape[i].sectors);

        c.l1d_line = shape[i].line;
        if (i != 1)
            shrink(&c);
        if (shape[i].ways == 48)
            c.l1d_sets = 1; /* 96 lines in traffic */
        run_traffic("shape", &c, 40000, 0, 0);
        run_traffic("shape, bypass mode, kernels", &c, 20000, 200, 500);
    }
}

static void every_option_returns_the_right_bytes(void **state)
{
    uint32_t i;

    (void)state;
    for (i = 0; i < 72; i++) {
        struct byw_config c = config(8, 2 + i % 3, i % 2 == 0 ? 4 : 2);

        shrink(&c);
        c.l1d_store_hit = i % 2;
        c.l1d_repl = i / 2 % 5; /* all replacement policies */
        c.byp_on_hit = i % 3;
        c.stall_bypass = i / 3 % 3;
        c.dec_rc_on_hit = 1; /* a key of the filter, which is off */
        c.pc_on = i / 4 % 2;
        c.pc_sample = i % 5;
        c.pc_threshold = 2 + i % 7;
        c.pc_inv = i / 8 % 2;
        c.pc_duel = i / 16 % 2;
        run_traffic("options", &c, 10000, i % 7 == 0 ? 300 : 0, i % 11 == 0 ? 400 : 0);
    }
}

static void bypass_all_returns_the_right_bytes(void **state)
{
    struct byw_config c = config(4, 4, 4);

    (void)state;
    shrink(&c);
    c.policy_mode = BYW_MODE_BYPASS_ALL;
    run_traffic("bypass_all", &c, 30000, 0, 0);
}

/* Both profiles of mechanisms/machines.md 0.6 at full width. */
static void both_profiles_return_the_right_bytes(void **state)
{
    struct byw_config c = config(4, 48, 4);

    (void)state;
    c.l1d_mshrs = 16;
    c.l1d_miss_queue = 32;
    run_traffic("pascal_paper", &c, 30000, 0, 3000);
    c.l1d_mshrs = 3072;
    c.l1d_merges = 64;
    c.l1d_miss_queue = 16;
    c.l1d_sets = 1;
    run_traffic("pascal_gpgpusim", &c, 3000, 0, 3000);
}

/* A cache as one list per set, most recently used line first. */
struct plain_line {
    uint64_t line;
    uint32_t sectors; /* valid bits; 0: no line */
};

struct plain {
    uint32_t sets, ways;
    struct plain_line at[64 * 64];
};

static struct plain_line *plain_find(struct plain *p, uint64_t line)
{
    struct plain_line *set = &p->at[line % p->sets * p->ways];
    uint32_t i;

    for (i = 0; i < p->ways; i++)
        if (set[i].sectors != 0 && set[i].line == line)
            return &set[i];
    return NULL;
}

/* Moves or inserts the line at the front of its set; the last line is dropped. */
static void plain_front(struct plain *p, uint64_t line, uint32_t sectors)
{
    struct plain_line *set = &p->at[line % p->sets * p->ways], *old = plain_find(p, line);
    uint32_t i = old != NULL ? (uint32_t)(old - set) : p->ways - 1;

    for (; i > 0; i--)
        set[i] = set[i - 1];
    set[0] = (struct plain_line){.line = line, .sectors = sectors};
}

static void plain_drop(struct plain *p, struct plain_line *at)
{
    struct plain_line *set = &p->at[at->line % p->sets * p->ways];
    uint32_t i;

    for (i = (uint32_t)(at - set); i + 1 < p->ways; i++)
        set[i] = set[i + 1];
    set[p->ways - 1].sectors = 0;
}

/* Returns for a load: 0 hit, 1 miss, 2 sector miss; for a store: 0 hit, 1 miss. */
static int plain_access(struct plain *p, bool store, bool update, uint64_t line, uint32_t sector)
{
    struct plain_line *at = plain_find(p, line);
    uint32_t bit = 1U << sector, had = at != NULL ? at->sectors : 0;

    if (!store || ((had & bit) != 0 && update)) {
        plain_front(p, line, had | bit);
        return (had & bit) != 0 ? 0 : had != 0 ? 2 : 1;
    }
    if ((had & bit) != 0)
        plain_drop(p, at);
    return (had & bit) != 0 ? 0 : 1;
}

static int outcome(const struct host *h, const uint64_t *before)
{
    if (h->ev[BYW_EV_SECTOR_MISS] != before[BYW_EV_SECTOR_MISS])
        return 2;
    return h->ev[BYW_EV_MISS] != before[BYW_EV_MISS] ? 1 : 0;
}

/* One request at a time, so that order and time agree. */
static void hits_and_misses_equal_those_of_a_plain_lru_list(void **state)
{
    static const struct {
        uint32_t sets, ways, lines;
        bool update;
    } shape[] = {{4, 48, 400, false},
                 {4, 48, 250, true},
                 {1, 3, 6, true},
                 {2, 5, 20, false},
                 {8, 1, 24, true}};
    size_t i;

    (void)state;
    for (i = 0; i < sizeof(shape) / sizeof(shape[0]); i++) {
        struct byw_config c = config(shape[i].sets, shape[i].ways, 4);
        struct plain p = {.sets = shape[i].sets, .ways = shape[i].ways};
        uint64_t count[3] = {0};
        struct host *h;
        uint32_t n;

        c.l1d_store_hit = shape[i].update ? BYW_STORE_UPDATE : BYW_STORE_EVICT;
        h = host_new("plain reference", &c, host_seed(1));
        h->latency = 2;
        for (n = 0; n < 20000; n++) {
            bool store = host_chance(h, 10);
            uint64_t line = byw_rng_below(&h->rng, shape[i].lines);
            uint64_t before[BYW_EV_COUNT];
            int want;

            memcpy(before, h->ev, sizeof(before));
            h->sector = byw_rng_below(&h->rng, 4);
            host_do(h, store ? BYW_OP_STORE : BYW_OP_LOAD, line, BYW_HINT_NONE);
            want = plain_access(&p, store, shape[i].update, line, h->sector);
            if (outcome(h, before) != want)
                host_fail(h, "another outcome than the plain list's");
            count[want]++;
        }
        assert_true(count[0] > 100 && count[1] > 100 && count[2] > 100);
        host_free(h);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_returns_the_right_bytes),
        cmocka_unit_test(every_option_returns_the_right_bytes),
        cmocka_unit_test(bypass_all_returns_the_right_bytes),
        cmocka_unit_test(both_profiles_return_the_right_bytes),
        cmocka_unit_test(hits_and_misses_equal_those_of_a_plain_lru_list),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
