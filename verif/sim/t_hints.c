/* SPDX-License-Identifier: Apache-2.0
 *
 * t_hints.c - RDNA2's hint bits below the L0 (mechanisms/hints.md 6.1): miss-evict in the cache
 * that SMs share, streaming in the L2, and a fetch that a write or a volatile load overtakes.
 */
#include "memsys_presets.h"
#include "memsys_traffic.h"
#include "sim/gpu_rig.h"

/* --- one load at a time ------------------------------------------------------------------- */

static void ask(struct byw_memsys *memsys, uint32_t sm, uint64_t addr, bool is_volatile,
                bool nontemporal)
{
    push_txn(memsys, &(struct byw_txn){.addr = addr,
                                       .sm = (uint16_t)sm,
                                       .id = sm,
                                       .bytes = 128,
                                       .kind = BYW_TXN_READ,
                                       .is_volatile = is_volatile,
                                       .nontemporal = nontemporal});
}

/* Ticks until SM sm gets its answer, which it takes. */
static void answered(struct byw_memsys *memsys, uint32_t sm)
{
    for (int i = 0; byw_memsys_reply(memsys, sm) == NULL; i++) {
        assert_true(i < 10000);
        byw_memsys_tick(memsys);
    }
    byw_memsys_pop(memsys, sm);
}

static void load(struct byw_memsys *memsys, uint32_t sm, uint64_t addr, bool is_volatile,
                 bool nontemporal)
{
    ask(memsys, sm, addr, is_volatile, nontemporal);
    answered(memsys, sm);
}

static struct byw_memsys *rdna2(void)
{
    struct byw_config config;

    preset_rdna2(&config);
    return create(&config);
}

/* Always fetched from the L2: a present copy is dropped and none is kept. The L2 serves the load as
 * usual. */
static void volatile_loads_miss_and_evict(void **state)
{
    struct byw_memsys *memsys = rdna2();
    const struct byw_level_stats *gl1 = &memsys->stats.gl1, *l2 = &memsys->stats.l2;

    (void)state;
    load(memsys, 0, 0x10000, true, false);
    assert_int_equal(l2->misses, 1);
    load(memsys, 1, 0x10000, false, false); /* the line was not kept */
    assert_int_equal(gl1->misses, 2);
    assert_int_equal(l2->hits, 1);
    load(memsys, 1, 0x10000, false, false);
    assert_int_equal(gl1->hits, 1);
    load(memsys, 0, 0x10000, true, true); /* volatile wins */
    assert_int_equal(gl1->misses, 3);
    assert_int_equal(gl1->sent_on, 2);
    load(memsys, 1, 0x10000, false, false); /* the copy has been dropped */
    assert_int_equal(gl1->misses, 4);
    assert_int_equal(gl1->hits, 1);
    check(memsys);
    byw_memsys_free(memsys);
}

/* A fetch in flight that a volatile load joins is not kept. Neither is one that a write overtakes:
 * a load after the write fetches again. */
static void overtaken_fetches_are_not_kept(void **state)
{
    (void)state;
    for (uint32_t write = 0; write < 2; write++) {
        struct byw_memsys *memsys = rdna2();
        const struct byw_level_stats *gl1 = &memsys->stats.gl1;

        ask(memsys, 0, 0x10000, false, false);
        for (int i = 0; i < 40; i++)
            byw_memsys_tick(memsys);
        assert_int_equal(gl1->fetched, 1);
        if (write)
            push(memsys, 1, 0x10000, BYW_TXN_WRITE, 32, 1);
        else
            ask(memsys, 1, 0x10000, true, false);
        for (int i = 0; i < 30; i++)
            byw_memsys_tick(memsys);
        assert_int_equal(gl1->pending, 1 - write);
        assert_int_equal(gl1->sent_on, write);
        assert_int_equal(memsys->gl1->mshr_in_use, 1);
        ask(memsys, 2, 0x10000, false, false);
        for (int i = 0; i < 30; i++)
            byw_memsys_tick(memsys);
        assert_int_equal(gl1->fetched, 2);
        assert_int_equal(memsys->gl1->mshr_in_use, 2);
        for (uint32_t sm = 0; sm < 3; sm++)
            answered(memsys, sm);
        assert_int_equal(memsys->gl1->mshr_in_use, 0);
        load(memsys, 3, 0x10000, false, false); /* the second fetch is kept */
        assert_int_equal(gl1->hits, 1);
        check(memsys);
        byw_memsys_free(memsys);
    }
}

/* A line that a nontemporal load allocated is evicted first. Its hits are ordinary hits, and the
 * caches above and below ignore the hint. */
static void nontemporal_lines_go_next(void **state)
{
    struct byw_memsys *memsys = rdna2();
    uint64_t set = (uint64_t)memsys->config.l2_sets * memsys->config.l2_slices * 128;
    uint32_t ways = memsys->config.l2_ways;

    (void)state;
    for (uint64_t i = 0; i < ways; i++)
        load(memsys, 0, i * set, false, i == 3);
    assert_int_equal(memsys->stats.l2.misses, ways);
    byw_memsys_invalidate_gl1(memsys);
    load(memsys, 0, ways * set, false, false); /* evicts line 3, not line 0 */
    load(memsys, 10, 0, false, false);
    assert_int_equal(memsys->stats.l2.hits, 1);
    load(memsys, 10, 3 * set, false, true);
    assert_int_equal(memsys->stats.l2.misses, ways + 2);
    load(memsys, 20, 3 * set, false, true);
    assert_int_equal(memsys->stats.l2.hits, 2);
    load(memsys, 21, 3 * set, false, false);
    assert_int_equal(memsys->stats.gl1.hits, 1);
    check(memsys);
    byw_memsys_free(memsys);
}

/* --- a whole machine ---------------------------------------------------------------------- */

static struct byw_gpu_result *with_hints(struct bench *b, const char *hints)
{
    struct byw_gpu_result *skipped, *stepped;

    load_machine(b, "cmodel/configs/machines/rdna2.cfg");
    b->config.l2_sets = 1; /* so that lines are evicted from it */
    assert_int_equal(byw_config_set(&b->config, "hint.loads", hints, "test", NULL), BYW_OK);
    b->options.every_cycle = false;
    skipped = mixed(b);
    b->options.every_cycle = true;
    stepped = mixed(b);
    assert_same(skipped, stepped);
    byw_gpu_result_free(stepped);
    return skipped;
}

static void hints_reach_their_levels(void **state)
{
    struct byw_gpu_result *none = with_hints(*state, "none");
    struct byw_gpu_result *nontemporal = with_hints(*state, "nontemporal");
    struct byw_gpu_result *is_volatile = with_hints(*state, "volatile");

    assert_true(none->l1.ev[BYW_EV_HIT] > 0);
    assert_int_equal(none->l1.ev[BYW_EV_BYPASS], 0);
    assert_true(none->mem.gl1.hits > 0);
    /* No load leaves a line in the L0 or the shared cache; only instructions do. */
    assert_int_equal(is_volatile->l1.ev[BYW_EV_BYPASS], is_volatile->l1.ev[BYW_EV_LOAD]);
    assert_int_equal(is_volatile->l1.ev[BYW_EV_HIT], 0);
    assert_int_equal(is_volatile->mem.gl1.fetched, is_volatile->mem.gl1.insts -
                                                       is_volatile->mem.gl1.hits -
                                                       is_volatile->mem.gl1.pending);
    assert_int_equal(is_volatile->mem.gl1.sent_on, is_volatile->mem.gl1.writes +
                                                       is_volatile->mem.gl1.atomics +
                                                       is_volatile->mem.gl1.reads);
    assert_true(is_volatile->mem.l2.reads > none->mem.l2.reads);
    /* The hint nontemporal affects only the L2. */
    assert_int_equal(nontemporal->l1.ev[BYW_EV_BYPASS], 0);
    assert_true(nontemporal->mem.gl1.hits > 0);
    assert_int_not_equal(nontemporal->mem.l2.misses, none->mem.l2.misses);
    byw_gpu_result_free(none);
    byw_gpu_result_free(nontemporal);
    byw_gpu_result_free(is_volatile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volatile_loads_miss_and_evict),
        cmocka_unit_test(overtaken_fetches_are_not_kept),
        cmocka_unit_test(nontemporal_lines_go_next),
        cmocka_unit_test_setup_teardown(hints_reach_their_levels, setup, teardown),
    };

    return cmocka_run_group_tests_name("hints", tests, NULL, NULL);
}
