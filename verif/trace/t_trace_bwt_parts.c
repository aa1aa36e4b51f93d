/* SPDX-License-Identifier: Apache-2.0
 *
 * t_trace_bwt_parts.c - BWT1: CTAs written in parts can be read whole, in windows, and skipped.
 * Usage: t_trace_bwt_parts [SEED]; a failure prints the seed.
 */
#include "bwt_rig.h"
#include "trace/bwt/byw_trace_windows.h"

/* A part of `from`: `count` records of warp w starting at `first`. */
static void cut_warp(const struct byw_cta *from, uint32_t w, uint32_t first, uint32_t count,
                     struct byw_cta *part)
{
    byw_cta_clear(part);
    memcpy(part->id, from->id, sizeof(part->id));
    assert_non_null(byw_cta_add_warp(part));
    for (uint32_t i = 0; i < count; i++) {
        const struct byw_inst *inst = &from->inst[from->warp[w].first + first + i];
        struct byw_inst *copy = byw_cta_add_inst(part);

        *copy = *inst;
        if (inst->form == BYW_FORM_LIST) {
            uint32_t lanes = (uint32_t)__builtin_popcountll(inst->mask);

            copy->list = part->addr_count;
            memcpy(byw_cta_add_addr(part, lanes), from->addr + inst->list, lanes * 8);
        }
    }
}

/* Writes each warp in pieces; all first pieces come before the second ones. */
static void write_in_parts(struct byw_trace_writer *writer, const struct byw_cta *cta,
                           uint32_t pieces)
{
    struct byw_cta part;
    struct byw_diag diag;

    byw_cta_init(&part);
    for (uint32_t p = 0; p < pieces; p++) {
        for (uint32_t w = 0; w < cta->warp_count; w++) {
            uint32_t n = cta->warp[w].count, from = n * p / pieces, to = n * (p + 1) / pieces;
            bool last = p + 1 == pieces && w + 1 == cta->warp_count;

            cut_warp(cta, w, from, to - from, &part);
            if (byw_trace_cta_part(writer, &part, w, cta->warp_count, last, &diag) != BYW_OK)
                fail_msg("%s", diag.text);
        }
    }
    byw_cta_release(&part);
}

/* Reads a CTA's windows, all warps in turn, and rebuilds the whole CTA. */
static void join_windows(struct byw_cta *got, struct byw_cta *whole)
{
    struct byw_cta *window = calloc(got->warp_count, sizeof(*window));
    struct byw_cta *warp = calloc(got->warp_count, sizeof(*warp));
    bool more = true;
    struct byw_diag diag;

    for (uint32_t w = 0; w < got->warp_count; w++)
        byw_cta_add_warp(&warp[w]);
    while (more) {
        more = false;
        for (uint32_t w = 0; w < got->warp_count; w++) {
            uint32_t left = window[w].inst_count < 3 ? window[w].inst_count : 3;
            bool again;

            assert_int_equal(byw_windows_next(got->windows, w, left, &window[w], &again, &diag),
                             BYW_OK);
            more |= again;
            assert_true(window[w].inst_count <= BYW_WINDOW_RECORDS + left);
            assert_true(byw_cta_bytes(&window[w]) <= BYW_WINDOW_BYTES + left * 600);
            for (uint32_t i = left; i < window[w].inst_count; i++) {
                struct byw_inst *copy = byw_cta_add_inst(&warp[w]);

                *copy = window[w].inst[i];
                if (copy->form == BYW_FORM_LIST) {
                    uint32_t lanes = (uint32_t)__builtin_popcountll(copy->mask);

                    copy->list = warp[w].addr_count;
                    memcpy(byw_cta_add_addr(&warp[w], lanes),
                           window[w].addr + window[w].inst[i].list, lanes * 8);
                }
            }
        }
    }
    byw_cta_clear(whole);
    memcpy(whole->id, got->id, sizeof(whole->id));
    for (uint32_t w = 0; w < got->warp_count; w++) {
        uint32_t base = whole->addr_count;

        byw_cta_add_warp(whole);
        for (uint32_t i = 0; i < warp[w].inst_count; i++) {
            struct byw_inst *copy = byw_cta_add_inst(whole);

            *copy = warp[w].inst[i];
            copy->list += copy->form == BYW_FORM_LIST ? base : 0;
        }
        if (warp[w].addr_count != 0)
            memcpy(byw_cta_add_addr(whole, warp[w].addr_count), warp[w].addr,
                   warp[w].addr_count * 8);
        byw_cta_release(&warp[w]);
        byw_cta_release(&window[w]);
    }
    free(warp);
    free(window);
}

/* CTAs in parts, among whole ones, can be read whole, in windows, and skipped. */
static void ctas_in_parts_are_read_whole_or_in_windows(void **state)
{
    struct byw_trace_writer *writer;
    const struct byw_kernel *got_kernel;
    struct byw_trace *trace;
    struct byw_kernel kernel;
    struct byw_site site[8];
    struct byw_diag diag;
    struct byw_cta want[4], got, whole;
    uint64_t rng = test_seed * 77 + 5;
    char path[128];

    (void)state;
    temp_path(path, "parts");
    byw_cta_init(&got);
    byw_cta_init(&whole);
    trace_random_kernel(&rng, site, &kernel);
    assert_int_equal(byw_trace_create(path, 3, &writer, &diag), BYW_OK);
    for (uint32_t k = 0; k < 2; k++)
        assert_int_equal(byw_trace_kernel(writer, &kernel, &diag), BYW_OK);
    for (uint32_t c = 0; c < 4; c++) {
        byw_cta_init(&want[c]);
        trace_random_cta(&rng, &kernel, 5, c == 2 ? 9000 : 40, &want[c]);
        if (c % 2 == 0)
            write_in_parts(writer, &want[c], 3);
        else
            assert_int_equal(byw_trace_cta(writer, &want[c], &diag), BYW_OK);
    }
    assert_int_equal(byw_trace_finish(writer, &diag), BYW_OK);
    for (int windows = 0; windows < 3; windows++) {
        assert_int_equal(byw_trace_open(path, &trace, &diag), BYW_OK);
        if (windows == 1)
            byw_trace_use_windows(trace);
        for (uint32_t k = 0; k < 2; k++)
            assert_int_equal(byw_trace_next_kernel(trace, &got_kernel, &diag), BYW_OK);
        for (uint32_t c = 0; c < 4 && windows < 2; c++) {
            if (byw_trace_next_cta(trace, &got, &diag) != BYW_OK)
                fail_msg("%s", diag.text);
            if (windows == 1 && c % 2 == 0) {
                assert_non_null(got.windows);
                join_windows(&got, &whole);
            }
            if (!trace_same_cta(&want[c], got.windows != NULL ? &whole : &got))
                FAIL_SEED("a CTA in parts differs", test_seed);
        }
        for (uint32_t c = 1; c < 4 && windows == 2; c += 2) { /* the long ones are skipped */
            assert_int_equal(byw_trace_pass_ctas(trace, 1, &diag), BYW_OK);
            assert_int_equal(byw_trace_next_cta(trace, &got, &diag), BYW_OK);
            if (!trace_same_cta(&want[c], &got))
                FAIL_SEED("a CTA after one in parts differs", test_seed);
        }
        byw_cta_clear(&got);
        assert_int_equal(byw_trace_next_kernel(trace, &got_kernel, &diag), BYW_END);
        byw_trace_close(trace);
    }
    for (uint32_t c = 0; c < 4; c++)
        byw_cta_release(&want[c]);
    byw_cta_release(&got);
    byw_cta_release(&whole);
    unlink(path);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ctas_in_parts_are_read_whole_or_in_windows),
    };

    take_seed(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
