/* SPDX-License-Identifier: Apache-2.0
 *
 * The whole L1D under random traffic against a flat memory: every load returns the right bytes,
 * every request is answered once, the ports obey their rules, and the invariants of
 * mechanisms/across.md 15.1 hold after every access, in every mode and with every option.
 */
#include "common/byw_l1d_mix.h"

/* Checks assertions 4 and 5 of mechanisms/across.md 15.1, and those of the record, around every
 * clock edge. */
struct watch {
    size_t bytes;
    unsigned char *before;
    uint64_t repl; /* digest of the replacement policy's state */
    uint32_t mshrs;
    uint32_t lines;
    bool filter_on;
    uint64_t attached; /* bit per MSHR, the first 64 */
};

static void watch_before(struct watch *w, const struct host *h)
{
    uint32_t i;

    memcpy(w->before, h->l1d->tags.records, w->bytes);
    w->repl = byw_repl_digest(&h->l1d->repl);
    w->mshrs = h->l1d->mshr.pool.used;
    w->lines = used_ways(h);
    w->filter_on = h->l1d->filter_on;
    w->attached = 0;
    for (i = 0; i < h->config.l1d_mshrs && i < 64; i++)
        w->attached |= (uint64_t)byw_mshr_at(&h->l1d->mshr, i)->attached << i;
}

static void watch_after(struct watch *w, struct host *h)
{
    uint32_t accepted = 1U << BYW_EV_LOAD | 1U << BYW_EV_STORE | 1U << BYW_EV_ATOMIC;
    uint32_t fails = 1U << BYW_EV_FAIL_LINE | 1U << BYW_EV_FAIL_MSHR | 1U << BYW_EV_FAIL_MERGE |
                     1U << BYW_EV_FAIL_MISS_QUEUE | 1U << BYW_EV_FAIL_ICNT;
    bool fill = h->in.mem_rsp_valid && h->out.mem_rsp_ready;
    bool flip = w->filter_on != h->l1d->filter_on; /* drops the candidates */

    if ((h->out.events & fails) != 0 && (h->out.events & accepted) != 0)
        host_fail(h, "refused and accepted at once");
    if ((h->out.events & fails) != 0 && !fill && !flip &&
        (memcmp(w->before, h->l1d->tags.records, w->bytes) != 0 ||
         w->repl != byw_repl_digest(&h->l1d->repl)))
        host_fail(h, "a refusal changed policy state");
    if ((h->out.events & 1U << BYW_EV_BYPASS) != 0 &&
        (h->l1d->mshr.pool.used > w->mshrs || used_ways(h) > w->lines))
        host_fail(h, "a bypass took an MSHR or a line");
    if (fill && h->in.mem_rsp.kind == BYW_MEM_FILL && h->in.mem_rsp.error &&
        h->in.mem_rsp.id < 64 && (w->attached >> h->in.mem_rsp.id & 1) != 0 &&
        (h->out.events & accepted) != 0)
        host_fail(h, "a failed fill and a decision wrote a record at once");
    if ((h->out.events & accepted) != 0 || fill)
        host_check(h);
}

static void run_traffic(struct host *h, const struct host_mix *mix, uint32_t accesses,
                        uint32_t flips)
{
    struct watch w = {.bytes = h->l1d->tags.stride * h->config.l1d_sets};
    uint8_t data[HOST_WHOLE];
    struct byw_req req;
    bool offered = false;
    uint32_t n = 0;

    w.before = malloc(w.bytes);
    assert_non_null(w.before);
    while (n < accesses) {
        if (!offered)
            offered = host_random_req(h, mix, data, &req);
        if (flips != 0 && byw_rng_below(&h->rng, flips) == 0)
            h->filter_on = !h->filter_on;
        watch_before(&w, h);
        if (host_cycle(h, offered ? &req : NULL)) {
            offered = false;
            n++;
        }
        watch_after(&w, h);
    }
    free(w.before);
    host_drain(h);
    host_check(h);
    host_check_counts(h);
}

static void run_config(const char *name, const struct byw_config *config, uint32_t accesses,
                       uint32_t flips)
{
    struct host *h = host_new(name, config, host_seed(1));

    host_disturb(h);
    run_traffic(h, &host_everything, accesses, flips);
    host_free(h);
}

static void base_mode_returns_the_right_bytes(void **state)
{
    struct byw_config c = host_scarce_config(BYW_MODE_BASE);

    (void)state;
    run_config("base", &c, 100000, 0);
    c.l1d_store_hit = BYW_STORE_UPDATE;
    c.l1d_repl = BYW_REPL_SRRIP;
    c.byp_on_hit = BYW_BYP_EVICT;
    run_config("base, update, srrip, evict", &c, 100000, 0);
    c.byp_on_hit = BYW_BYP_IGNORE;
    c.l1d_line = 64;
    run_config("base, ignore, 64-byte lines", &c, 100000, 0);
}

static void bypass_all_returns_the_right_bytes(void **state)
{
    struct byw_config c = host_scarce_config(BYW_MODE_BYPASS_ALL);

    (void)state;
    run_config("bypass_all", &c, 50000, 0);
}

static void a_million_decoupled_accesses_return_the_right_bytes(void **state)
{
    struct byw_config c = host_scarce_config(BYW_MODE_DECOUPLED);

    (void)state;
    run_config("decoupled", &c, 1000000, 0);
}

/* With the look stage, every mode returns the right bytes. */
static void the_look_stage_returns_the_right_bytes(void **state)
{
    (void)state;
    for (uint32_t mode = BYW_MODE_BASE; mode <= BYW_MODE_DECOUPLED; mode++) {
        struct byw_config c = host_scarce_config(mode);

        c.l1d_look = 1;
        run_config("look stage", &c, 100000, mode == BYW_MODE_DECOUPLED ? 300 : 0);
    }
}

/* Every replacement, under the plain and the decoupled cache. */
static void every_replacement_returns_the_right_bytes(void **state)
{
    (void)state;
    for (uint32_t kind = 0; byw_repl_row(kind) != NULL; kind++) {
        struct byw_config c = host_scarce_config(BYW_MODE_BASE);

        c.l1d_sets = 8;
        c.l1d_repl = kind;
        run_config(byw_repl_row(kind)->name, &c, 30000, 0);
        c.policy_mode = BYW_MODE_DECOUPLED;
        run_config(byw_repl_row(kind)->name, &c, 30000, 300);
    }
}

static void every_decoupled_option_returns_the_right_bytes(void **state)
{
    uint32_t i;

    (void)state;
    for (i = 0; i < 64; i++) {
        struct byw_config c = host_scarce_config(BYW_MODE_DECOUPLED);

        c.dec_lfu_all = i & 1;
        c.dec_rc_on_hit = i >> 1 & 1;
        c.dec_age_merge = i >> 2 & 1;
        c.dec_store_rc = i >> 3 & 1;
        c.dec_byp_rsfail = i >> 4 & 1;
        c.dec_cmp = i >> 5 & 1;
        c.dec_rc_bits = 1 + i % 7;
        c.dec_threshold = i % 4;
        c.dec_tag_ways = 4 + i % 5;
        c.l1d_store_hit = i % 3 == 0;
        c.l1d_repl = i % 5 == 0;
        c.byp_on_hit = i % 3;
        run_config("decoupled options", &c, 10000, i % 2 == 0 ? 0 : 300);
    }
}

static void every_shape_returns_the_right_bytes(void **state)
{
    static const struct {
        uint32_t sets, ways, tags, mshrs, merges, queue;
    } shape[] = {{1, 1, 1, 1, 1, 1},     {1, 2, 3, 2, 1, 1},     {32, 4, 8, 32, 8, 8},
                 {2, 48, 96, 16, 8, 32}, {16, 8, 128, 70, 2, 4}, {64, 64, 64, 4, 64, 2}};
    size_t i;

    (void)state;
    for (i = 0; i < sizeof(shape) / sizeof(shape[0]); i++) {
        struct byw_config c = host_scarce_config(BYW_MODE_DECOUPLED);

        c.l1d_sets = shape[i].sets;
        c.l1d_ways = shape[i].ways;
        c.dec_tag_ways = shape[i].tags;
        c.l1d_mshrs = shape[i].mshrs;
        c.l1d_merges = shape[i].merges;
        c.l1d_miss_queue = c.l1d_bypass_queue = shape[i].queue;
        c.l1d_index = c.l1d_sets >= 32 ? BYW_INDEX_FERMI : BYW_INDEX_LINEAR;
        run_config("shape", &c, 5000, 500);
    }
}

/* kernel_start at any time; without local lines, whose bytes it would drop. */
static void kernel_starts_under_traffic_return_the_right_bytes(void **state)
{
    struct host_mix mix = {.lines = 48, .percent = 90, .stores = 20, .atomics = 5, .hints = 10};
    struct byw_config c = host_scarce_config(BYW_MODE_DECOUPLED);
    struct host *h = host_new("kernel start", &c, host_seed(3));
    int i;

    (void)state;
    h->jitter = 40;
    h->error_percent = 2;
    for (i = 0; i < 300; i++) {
        uint8_t data[HOST_WHOLE];
        struct byw_req req;
        uint32_t n = 0;

        while (n < 60) {
            bool offered = host_random_req(h, &mix, data, &req);

            n += host_cycle(h, offered ? &req : NULL);
            host_check(h);
        }
        h->kernel_start = true;
    }
    host_drain(h);
    host_free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(base_mode_returns_the_right_bytes),
        cmocka_unit_test(bypass_all_returns_the_right_bytes),
        cmocka_unit_test(the_look_stage_returns_the_right_bytes),
        cmocka_unit_test(every_replacement_returns_the_right_bytes),
        cmocka_unit_test(every_shape_returns_the_right_bytes),
        cmocka_unit_test(every_decoupled_option_returns_the_right_bytes),
        cmocka_unit_test(kernel_starts_under_traffic_return_the_right_bytes),
        cmocka_unit_test(a_million_decoupled_accesses_return_the_right_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
