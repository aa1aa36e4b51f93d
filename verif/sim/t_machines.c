/* SPDX-License-Identifier: Apache-2.0
 *
 * t_machines.c - every shipped machine runs: a mixed trace obeys the conservation laws, skipping
 * sleeping cycles changes nothing, and the policies fit its cache.
 */
#include "sim/gpu_rig.h"

static void run_both_ways(struct bench *b, uint32_t mode, bool two_level)
{
    struct byw_gpu_result *skipped, *stepped;

    b->config.policy_mode = mode;
    b->config.dec_tag_ways = 2 * b->config.l1d_ways;
    b->config.tl_on = two_level;
    b->config.tl_sample = 500; /* short enough that decisions fall inside the run */
    b->options.every_cycle = false;
    skipped = mixed(b);
    b->options.every_cycle = true;
    stepped = mixed(b);
    assert_same(skipped, stepped);
    assert_int_equal(skipped->kernel_count, 2);
    assert_true(skipped->mem.dram_reads > 0);
    byw_gpu_result_free(skipped);
    byw_gpu_result_free(stepped);
}

static uint32_t on_fill; /* number of machines whose L1D allocates on fill */

static void runs(struct bench *b)
{
    on_fill += b->config.l1d_alloc == BYW_ALLOC_ON_FILL;
    run_both_ways(b, BYW_MODE_BASE, false);
    run_both_ways(b, BYW_MODE_BASE, true);
    run_both_ways(b, BYW_MODE_BYPASS_ALL, false);
    if (b->config.l1d_alloc == BYW_ALLOC_ON_MISS)
        run_both_ways(b, BYW_MODE_DECOUPLED, false);
}

static void every_machine_runs(void **state)
{
    for_each_machine(*state, runs);
    assert_int_equal(on_fill, 6); /* both Pascals, V100, A100, H100 and H200 */
}

/* The same work takes half as many instructions as waves of 64 on a GCN machine as it does as warps
 * of 32. */
static void waves_of_64_run_on_gcn(void **state)
{
    struct bench *b = *state;
    struct byw_kernel k = kernel_of(64, 256);
    struct byw_gpu_result *r[2];

    load_machine(b, "cmodel/configs/machines/gcn_apu.cfg");
    for (uint32_t wide = 0; wide < 2; wide++) {
        uint32_t lanes = 32 << wide;

        k.warp_size = b->config.sm_lanes = lanes;
        assert_int_equal(byw_trace_create(b->path, 0, &b->writer, NULL), BYW_OK);
        assert_int_equal(byw_trace_kernel(b->writer, &k, NULL), BYW_OK);
        for (uint32_t c = 0; c < 64; c++) {
            byw_cta_clear(&b->cta);
            b->cta.id[0] = c;
            for (uint32_t w = 0; w < 256 / lanes; w++) {
                struct byw_inst *inst;

                byw_cta_add_warp(&b->cta);
                inst = add(b, BYW_CLASS_LOAD, 1, 1);
                inst->base += 4 * (uint64_t)(c * 256 + w * lanes);
                inst->mask = wide ? UINT64_MAX : UINT32_MAX;
                inst = add(b, BYW_CLASS_FP, 400, 0);
                inst->mask = wide ? UINT64_MAX : UINT32_MAX;
            }
            assert_int_equal(byw_trace_cta(b->writer, &b->cta, NULL), BYW_OK);
        }
        r[wide] = finish(b);
    }
    assert_int_equal(r[0]->thread_instructions, r[1]->thread_instructions);
    assert_int_equal(r[0]->warp_instructions, 2 * r[1]->warp_instructions);
    assert_int_equal(r[0]->coalesced, r[1]->coalesced); /* lines of 64 bytes either way */
    /* 16 lanes take 2 cycles for 32 threads and 4 for 64: except for fetches, the same time */
    assert_in_range(r[1]->cycles, r[0]->cycles / 2, r[0]->cycles + 100);
    assert_in_range(r[1]->cycles, 64 * 4 * 400 * 4 / (8 * 4), 64 * 4 * 400 * 4 / (8 * 4) * 2);
    byw_gpu_result_free(r[0]);
    byw_gpu_result_free(r[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_machine_runs, setup, teardown),
        cmocka_unit_test_setup_teardown(waves_of_64_run_on_gcn, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
