/* SPDX-License-Identifier: Apache-2.0
 *
 * t_launches.c - what happens to the caches between launches: nothing, self-invalidation, flush.
 *
 * Two launches of one warp each: the first stores LINES lines, the second loads them.
 */
#include "policy/byw_hint.h"
#include "sim/gpu_rig.h"
#include "sim/memory/byw_l2.h"
#include "sim/sm/byw_load_advice.h"

enum { LINES = 24 };

/* Writes a launch of one warp, which stores or loads the lines one by one. */
static void one_launch(struct bench *b, uint32_t number, enum byw_class cls)
{
    struct byw_kernel k = kernel_of(1, 32);

    k.launch = number;
    assert_int_equal(byw_trace_kernel(b->writer, &k, NULL), BYW_OK);
    byw_cta_clear(&b->cta);
    byw_cta_add_warp(&b->cta);
    for (uint32_t i = 0; i < LINES; i++)
        add(b, cls, 1, cls == BYW_CLASS_LOAD)->base += 128 * i;
    add(b, BYW_CLASS_EXIT, 1, 0);
    assert_int_equal(byw_trace_cta(b->writer, &b->cta, NULL), BYW_OK);
}

static struct byw_gpu_result *store_then_load(struct bench *b)
{
    assert_int_equal(byw_trace_create(b->path, 0, &b->writer, NULL), BYW_OK);
    one_launch(b, 0, BYW_CLASS_STORE);
    one_launch(b, 1, BYW_CLASS_LOAD);
    return finish(b);
}

static struct byw_gpu_result *load_once(struct bench *b)
{
    assert_int_equal(byw_trace_create(b->path, 0, &b->writer, NULL), BYW_OK);
    one_launch(b, 0, BYW_CLASS_LOAD);
    return finish(b);
}

static struct byw_gpu_result *load_twice(struct bench *b)
{
    assert_int_equal(byw_trace_create(b->path, 0, &b->writer, NULL), BYW_OK);
    one_launch(b, 0, BYW_CLASS_LOAD);
    one_launch(b, 1, BYW_CLASS_LOAD);
    return finish(b);
}

static void caches_keep_lines_between_launches(void **state)
{
    struct bench *b = *state;
    struct byw_gpu_result *r;

    b->config.l2_write_miss = BYW_WRITE_MISS_LAZY;
    r = store_then_load(b);
    assert_int_equal(r->mem.l2.hits, LINES);
    assert_int_equal(r->mem.l2.writebacks, 0);
    assert_int_equal(r->mem.dram_reads + r->mem.dram_writes, 0);
    assert_int_equal(r->flush_cycles, 0);
    assert_int_equal(r->mem.l2.flushed + r->mem.l2.dropped, 0);
    byw_gpu_result_free(r);
}

/* A flush writes each line once, at the end of its launch; the written data stays valid. */
static void a_flush_writes_each_line_once(void **state)
{
    struct bench *b = *state;
    struct byw_gpu_result *without, *with;

    b->config.l2_write_miss = BYW_WRITE_MISS_LAZY;
    without = store_then_load(b);
    b->config.l2_end = 1;
    with = store_then_load(b);
    assert_int_equal(with->mem.l2.flushed, LINES);
    assert_int_equal(with->mem.l2.writebacks, LINES);
    assert_int_equal(with->mem.dram_writes, LINES * 128 / b->config.dram_atom);
    assert_int_equal(with->mem.dram_reads, 0);
    assert_int_equal(with->mem.l2.hits, LINES);
    /* Flush time counts towards the launch: for the first launch, at least the trip to DRAM. */
    assert_true(with->flush_cycles > b->config.dram_latency + LINES / b->config.l2_slices);
    assert_int_equal(with->cycles, without->cycles + with->flush_cycles);
    assert_int_equal(with->kernel[0].cycles + with->kernel[1].cycles, with->cycles);
    assert_true(with->kernel[0].cycles > without->kernel[0].cycles + b->config.dram_latency);
    byw_gpu_result_free(without);
    byw_gpu_result_free(with);
}

/* Bytes of a line that a store omits are fetched when the line is read, and are not written
 * back. */
static void holes_of_stores_are_fetched_on_a_read(void **state)
{
    struct bench *b = *state;
    uint32_t atoms = 128 / b->config.dram_atom;

    b->config.l2_write_miss = BYW_WRITE_MISS_LAZY;
    b->config.l2_end = 1;
    for (uint32_t half = 0; half < 2; half++) {
        struct byw_gpu_result *r;
        struct byw_kernel k = kernel_of(1, 32);

        assert_int_equal(byw_trace_create(b->path, 0, &b->writer, NULL), BYW_OK);
        assert_int_equal(byw_trace_kernel(b->writer, &k, NULL), BYW_OK);
        byw_cta_clear(&b->cta);
        byw_cta_add_warp(&b->cta);
        /* Lanes 0 to 15 and 24 to 31, which omits the third quarter; or all lanes. */
        add(b, BYW_CLASS_STORE, 1, 0)->mask = half ? 0xff00ffff : 0xffffffff;
        add(b, BYW_CLASS_EXIT, 1, 0);
        assert_int_equal(byw_trace_cta(b->writer, &b->cta, NULL), BYW_OK);
        one_launch(b, 1, BYW_CLASS_LOAD);
        r = finish(b);
        assert_int_equal(r->mem.l2.hits, half ? 0 : 1);
        assert_int_equal(r->mem.dram_reads, (LINES - 1 + half) * atoms);
        assert_int_equal(r->mem.dram_writes, 128 / b->config.dram_atom);
        byw_gpu_result_free(r);
    }
}

/* An invalidation drops clean lines; dirty lines stay unless they were flushed before. */
static void an_invalidation_drops_clean_lines(void **state)
{
    struct bench *b = *state;
    struct byw_gpu_result *r;
    uint32_t atoms = 128 / b->config.dram_atom;

    b->config.l2_write_miss = BYW_WRITE_MISS_LAZY;
    b->config.l2_start = 1;
    r = store_then_load(b);
    assert_int_equal(r->mem.l2.dropped, 0);
    assert_int_equal(r->mem.l2.hits, LINES);
    byw_gpu_result_free(r);

    r = load_twice(b);
    assert_int_equal(r->mem.l2.dropped, LINES);
    assert_int_equal(r->mem.l2.hits, 0);
    assert_int_equal(r->mem.dram_reads, 2 * LINES * atoms);
    byw_gpu_result_free(r);

    b->config.l2_end = 1;
    r = store_then_load(b);
    assert_int_equal(r->mem.l2.flushed, LINES);
    assert_int_equal(r->mem.l2.dropped, LINES);
    assert_int_equal(r->mem.l2.hits, 0);
    assert_int_equal(r->mem.dram_reads, LINES * atoms);
    assert_int_equal(r->mem.dram_writes, LINES * atoms);
    byw_gpu_result_free(r);
}

/* Each line that a launch fetches replaces a dirty line, which is written back. */
static void a_dirty_l2_writes_back_a_line_for_each_fetched_one(void **state)
{
    struct bench *b = *state;
    struct byw_gpu_result *r;

    b->config.l2_start = BYW_L2_DIRTIED;
    r = load_once(b);
    assert_int_equal(r->mem.l2.hits, 0);
    assert_int_equal(r->mem.l2.writebacks, LINES);
    assert_int_equal(r->mem.dram_writes, LINES * 128 / b->config.dram_atom);
    byw_gpu_result_free(r);
}

/* With l2.no_allocate = next_victim the second line in a set replaces the first one, and all others
 * of the set stay; the second sector of a line does not make it an ordinary line. */
static void loads_without_allocation_replace_their_own_lines(void **state)
{
    struct bench *b = *state;
    struct byw_load_advice *advice = byw_load_advice_empty();

    assert_non_null(advice);
    assert_true(byw_load_advice_add_all(advice, BYW_HINT_BYPASS));
    b->options.advice = advice;
    b->config.l2_start = BYW_L2_DIRTIED;
    b->config.l2_sets = 1;
    for (uint32_t what = 0; what < 4; what++) {
        struct byw_gpu_result *r;

        b->config.l2_sectors = what & 1 ? 2 : 1;
        b->config.l2_no_allocate = what >> 1;
        r = load_once(b);
        assert_int_equal(r->mem.l2.writebacks, what >> 1 ? b->config.l2_slices : LINES);
        byw_gpu_result_free(r);
    }
    b->options.advice = NULL;
    byw_load_advice_free(advice);
}

/* A GL1 is invalidated by its own key; the L2 below it is not. */
static void a_gl1_is_dropped_by_its_own_key(void **state)
{
    struct bench *b = *state;

    b->config.gl1_on = 1;
    b->config.gl1_sms = 5;
    for (uint32_t drop = 0; drop < 2; drop++) {
        struct byw_gpu_result *r;

        b->config.gl1_start = drop;
        r = load_twice(b);
        /* The second launch runs on another SM of the same group. */
        assert_int_equal(r->mem.gl1.dropped, drop ? LINES : 0);
        assert_int_equal(r->mem.gl1.hits, drop ? 0 : LINES);
        assert_int_equal(r->mem.l2.hits, drop ? LINES : 0);
        assert_int_equal(r->mem.l2.dropped, 0);
        byw_gpu_result_free(r);
    }
}

/* Under mixed work the laws hold at every boundary, and skipping changes nothing. */
static void laws_hold_at_every_launch_boundary(void **state)
{
    struct bench *b = *state;

    for (uint32_t what = 0; what < 8; what++) {
        struct byw_gpu_result *skipped, *stepped;

        b->config.l2_write_miss = (what & 4) ? BYW_WRITE_MISS_FETCH : BYW_WRITE_MISS_LAZY;
        b->config.l2_start = what & 1;
        b->config.l2_end = what >> 1 & 1;
        b->seed = what;
        b->options.every_cycle = false;
        skipped = mixed(b);
        b->options.every_cycle = true;
        stepped = mixed(b);
        assert_same(skipped, stepped);
        assert_int_equal(skipped->flush_cycles, stepped->flush_cycles);
        assert_int_equal(skipped->mem.l2.flushed > 0, b->config.l2_end);
        assert_int_equal(skipped->mem.l2.dropped > 0, b->config.l2_start);
        byw_gpu_result_free(skipped);
        byw_gpu_result_free(stepped);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(caches_keep_lines_between_launches, setup, teardown),
        cmocka_unit_test_setup_teardown(a_flush_writes_each_line_once, setup, teardown),
        cmocka_unit_test_setup_teardown(holes_of_stores_are_fetched_on_a_read, setup, teardown),
        cmocka_unit_test_setup_teardown(an_invalidation_drops_clean_lines, setup, teardown),
        cmocka_unit_test_setup_teardown(a_dirty_l2_writes_back_a_line_for_each_fetched_one, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(loads_without_allocation_replace_their_own_lines, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_gl1_is_dropped_by_its_own_key, setup, teardown),
        cmocka_unit_test_setup_teardown(laws_hold_at_every_launch_boundary, setup, teardown),
    };

    return cmocka_run_group_tests_name("launches", tests, NULL, NULL);
}
