/* SPDX-License-Identifier: Apache-2.0
 *
 * A narrow datapath under random traffic: compares every load with a flat memory, then the records,
 * and at the end the flushed bytes.
 */
#include "common/byw_l1d_mix.h"
#include "l1d/beats_rig.h"

/* Random traffic with all mechanisms on. A kernel start would drop the bytes of local lines, so
 * kernels start only in traffic without local lines. */
static void traffic(const struct byw_config *c, const struct host_mix *mix, uint64_t seed,
                    uint32_t accesses, uint32_t flips)
{
    struct host *h = host_new("beats: traffic", c, seed);
    uint8_t data[HOST_WHOLE];
    struct byw_req req;
    bool offered = false;
    uint32_t n = 0;

    host_disturb(h);
    while (n < accesses) {
        if (!offered)
            offered = host_random_req(h, mix, data, &req);
        if (flips != 0 && byw_rng_below(&h->rng, flips) == 0)
            h->filter_on = !h->filter_on;
        if (byw_rng_below(&h->rng, 500) == 0)
            h->bypass = !h->bypass;
        h->kernel_start = mix->locals == 0 && byw_rng_below(&h->rng, 300) == 0;
        if (host_cycle(h, offered ? &req : NULL)) {
            offered = false;
            n++;
        }
        if (n % 16 == 0)
            host_check(h);
    }
    host_drain(h);
    host_check(h);
    host_check_counts(h);
    host_do(h, BYW_OP_FLUSH, 0, BYW_HINT_NONE);
    for (uint32_t i = 0; i < HOST_LINES; i++)
        assert_memory_equal(h->mem[i], h->ref[i], c->l1d_line);
    host_free(h);
}

static void every_load_returns_the_right_bytes_with_beats(void **state)
{
    struct host_mix mix = {
        .lines = 48, .percent = 80, .stores = 20, .atomics = 4, .hints = 10, .flushes = 1};

    (void)state;
    for (uint32_t i = 0; i < 96; i++) {
        struct byw_config c = config(i % 3, i / 3 % 2);

        c.l1d_line = 32U << i / 6 % 3;
        c.port.beat_bytes = 8U << i % 2;
        c.l1d_sets = 4;
        c.l1d_ways = 2;
        c.dec_tag_ways = 4;
        c.l1d_mshrs = 6;
        c.l1d_merges = 5;
        c.l1d_miss_queue = 3;
        c.l1d_bypass_queue = 2;
        c.l1d_trackers = 5;
        c.dec_lfu_all = i / 2 % 2;
        c.byp_on_hit = i % 3;
        c.l1d_store_hit = i / 4 % 2;
        c.stall_bypass = i / 8 % 3;
        c.pc_on = i / 16 % 2 && c.policy_mode != BYW_MODE_BYPASS_ALL;
        c.pc_threshold = 1;
        c.port.order = i / 32 % 3;
        c.port.fence = i / 5 % 2;
        mix.runs = i % 4 * 25;
        mix.locals = i % 5 == 0 ? 0 : 60;
        traffic(&c, &mix, i + 1, 6000, i % 7 == 0 ? 0 : 40);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_load_returns_the_right_bytes_with_beats),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
