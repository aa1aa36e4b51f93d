/* SPDX-License-Identifier: Apache-2.0
 *
 * t_gpu_rules.c - rules of the whole GPU that a comparison of two runs cannot show: where CTAs are
 * placed, how instructions are counted, and to which launch a counter belongs. Expected figures are
 * worked out by hand.
 */
#include "sim/gpu_rig.h"

/* A launch of `ctas` one-warp CTAs of ten instructions, of which only the lanes of `mask` are
 * active. */
static void launch(struct bench *b, uint32_t number, uint32_t ctas, uint64_t mask, bool loads)
{
    struct byw_kernel k = kernel_of(ctas, 32);

    k.launch = number;
    assert_int_equal(byw_trace_kernel(b->writer, &k, NULL), BYW_OK);
    for (uint32_t c = 0; c < ctas; c++) {
        byw_cta_clear(&b->cta);
        b->cta.id[0] = c;
        byw_cta_add_warp(&b->cta);
        add(b, BYW_CLASS_INT, 9, 0)->mask = mask;
        if (loads)
            add(b, BYW_CLASS_LOAD, 1, 0)->mask = mask;
        else
            add(b, BYW_CLASS_INT, 1, 0)->mask = mask;
        assert_int_equal(byw_trace_cta(b->writer, &b->cta, NULL), BYW_OK);
    }
}

static void create(struct bench *b)
{
    assert_int_equal(byw_trace_create(b->path, 0, &b->writer, NULL), BYW_OK);
}

/* Each SM gets one CTA in turn; the next launch starts at the SM after the one that got the last
 * CTA. On 15 SMs: 5 CTAs on SMs 0 to 4, then 12 on SMs 5 to 14, 0 and 1, then 16 on all SMs
 * starting at 2, and 2 again. */
static void ctas_are_dealt_out_in_turn(void **state)
{
    static const uint32_t want[15] = {3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
    struct bench *b = *state;
    struct byw_gpu_result *r;
    uint32_t sum = 0;

    assert_int_equal(b->config.sm_count, 15);
    create(b);
    launch(b, 0, 5, 0xffffffff, false);
    launch(b, 1, 12, 0xffffffff, false);
    launch(b, 2, 16, 0xffffffff, false);
    r = finish(b);
    for (uint32_t i = 0; i < 15; i++) {
        uint32_t ctas = (uint32_t)(r->sm[i].warp_instructions / 10);

        sum += ctas;
        assert_int_equal(ctas, want[i]);
    }
    assert_int_equal(sum, 5 + 12 + 16);
    byw_gpu_result_free(r);
}

/* A warp's instruction counts once for the warp and once for each active lane. */
static void active_lanes_are_counted(void **state)
{
    struct bench *b = *state;
    struct byw_gpu_result *r;

    create(b);
    launch(b, 0, 3, 0x80000113, false); /* 5 lanes */
    r = finish(b);
    assert_int_equal(r->warp_instructions, 3 * 10);
    assert_int_equal(r->thread_instructions, 3 * 10 * 5);
    byw_gpu_result_free(r);
}

/* Each launch has its own counts, and the run has their sum. */
static void launches_have_their_own_counts(void **state)
{
    struct bench *b = *state;
    struct byw_gpu_result *r;

    create(b);
    launch(b, 0, 2, 0xffffffff, true);
    launch(b, 1, 3, 0x1, true);
    r = finish(b);
    assert_int_equal(r->kernel_count, 2);
    assert_int_equal(r->kernel[0].warp_instructions, 20);
    assert_int_equal(r->kernel[1].warp_instructions, 30);
    assert_int_equal(r->kernel[0].thread_instructions, 20 * 32);
    assert_int_equal(r->kernel[1].thread_instructions, 30);
    assert_int_equal(r->kernel[0].l1.ev[BYW_EV_LOAD], 2);
    assert_int_equal(r->kernel[1].l1.ev[BYW_EV_LOAD], 3);
    assert_int_equal(r->l1.ev[BYW_EV_LOAD], 5);
    assert_int_equal(r->thread_instructions, 20 * 32 + 30);
    assert_int_equal(r->kernel[0].cycles + r->kernel[1].cycles,
                     r->cycles - b->config.launch_cycles);
    byw_gpu_result_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ctas_are_dealt_out_in_turn, setup, teardown),
        cmocka_unit_test_setup_teardown(active_lanes_are_counted, setup, teardown),
        cmocka_unit_test_setup_teardown(launches_have_their_own_counts, setup, teardown),
    };

    return cmocka_run_group_tests_name("gpu_rules", tests, NULL, NULL);
}
