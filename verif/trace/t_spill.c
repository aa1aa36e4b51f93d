/* SPDX-License-Identifier: Apache-2.0
 *
 * t_spill.c - a CTA of a text trace that is too long for memory: its windows equal, record by
 * record, the output of a reader without windows, including results needed long after their record
 * has left the window.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/test.h"
#include "trace/accelsim/byw_spill.h"
#include "trace/file/byw_trace.h"

/* Four warps; one fills more than two parts. */
enum { LONG = 2 * BYW_SPILL_BYTES / (int)sizeof(struct byw_inst) + 5000, WARPS = 4 };

static const uint32_t length[WARPS] = {40, LONG, 0, 70000};

/* Instruction i of n: the first ones write R9, and R20 and R21 together; R21 is needed soon, R20
 * and R9 by the last ones; the others form short chains. */
static void put_inst(FILE *f, uint32_t i, uint32_t n)
{
    static const char *const says[] = {"1 R9 LDG.E 1 R2 4 1 0x7f0000001000 4",
                                       "2 R20 R21 IMAD 1 R5 0", "1 R3 FADD 1 R21 0"};

    if (i < 3)
        fprintf(f, "0010 ffffffff %s\n", says[i]);
    else if (i + 3 == n)
        fprintf(f, "0020 ffffffff 1 R4 FADD 2 R20 R9 0\n");
    else if (i + 1 == n)
        fprintf(f, "0030 ffffffff 0 EXIT 0 0\n");
    else
        fprintf(f, "%04x ffffffff 1 R%u FADD 1 R%u 0\n", 64 + 16 * (i % 8), 10 + i % 5,
                10 + (i + 2) % 5);
}

static void put_trace(const char *path)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fprintf(f,
            "-kernel name = k\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (%d,1,1)\n"
            "-shmem = 0\n-nregs = 20\n-accelsim tracer version = 5\n\n#BEGIN_TB\n\n"
            "thread block = 0,0,0\n",
            32 * WARPS);
    for (uint32_t w = 0; w < WARPS; w++) {
        if (length[w] == 0)
            continue; /* executed nothing */
        fprintf(f, "\nwarp = %u\ninsts = %u\n", w, length[w]);
        for (uint32_t i = 0; i < length[w]; i++)
            put_inst(f, i, length[w]);
    }
    fprintf(f, "\n#END_TB\n");
    assert_int_equal(fclose(f), 0);
}

static struct byw_trace *read_cta(const char *path, bool windows, struct byw_cta *cta)
{
    const struct byw_kernel *kernel;
    struct byw_trace *trace;
    struct byw_diag diag = {""};

    byw_cta_init(cta);
    assert_int_equal(byw_trace_open(path, &trace, &diag), BYW_OK);
    if (windows)
        byw_trace_use_windows(trace);
    assert_int_equal(byw_trace_next_kernel(trace, &kernel, &diag), BYW_OK);
    if (byw_trace_next_cta(trace, cta, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
    return trace;
}

static void assert_same(const struct byw_inst *got, const struct byw_inst *want, uint32_t number)
{
    if (got->pc != want->pc || got->use != want->use || got->cls != want->cls ||
        got->mask != want->mask || got->count != want->count || got->form != want->form ||
        (got->width != 0 && (got->base != want->base || got->stride != want->stride)))
        fail_msg("record %u: pc %x use %u, expected pc %x use %u", number, got->pc, got->use,
                 want->pc, want->use);
}

/* Compares all windows of warp w, one after the other, with the whole warp. */
static void compare_warp(struct byw_windows *windows, const struct byw_cta *whole, uint32_t w)
{
    struct byw_diag diag = {""};
    struct byw_cta window;
    uint32_t at = 0;
    bool more;

    byw_cta_init(&window);
    do {
        assert_int_equal(byw_windows_next(windows, w, 0, &window, &more, &diag), BYW_OK);
        assert_true(at + window.inst_count <= whole->warp[w].count);
        for (uint32_t i = 0; i < window.inst_count; i++, at++)
            assert_same(&window.inst[i], &whole->inst[whole->warp[w].first + at], at);
    } while (more);
    assert_int_equal(at, whole->warp[w].count);
    byw_cta_release(&window);
}

static void a_long_cta_comes_in_windows(void **state)
{
    char path[] = "/tmp/byway-spill-XXXXXX.traceg";
    struct byw_cta whole, cta;
    struct byw_trace *one, *other;
    int fd = mkstemps(path, 7);

    (void)state;
    assert_true(fd >= 0 && close(fd) == 0);
    put_trace(path);
    one = read_cta(path, false, &whole);
    other = read_cta(path, true, &cta);
    assert_null(whole.windows);
    assert_non_null(cta.windows);
    assert_int_equal(cta.warp_count, WARPS);
    assert_int_equal(whole.warp_count, WARPS);
    assert_int_equal(whole.inst[whole.warp[1].first].use, LONG - 3); /* the first use of R9 */
    assert_int_equal(whole.inst[whole.warp[1].first + 1].use, 1); /* R21, before R20 */
    assert_true(cta.inst_room * sizeof(*cta.inst) < 4 * (uint64_t)BYW_SPILL_BYTES);
    for (uint32_t w = 0; w < WARPS; w++)
        compare_warp(cta.windows, &whole, w);
    byw_cta_release(&whole);
    byw_cta_release(&cta);
    byw_trace_close(one);
    byw_trace_close(other);
    unlink(path);
}

/* The file ends inside a CTA of which parts have been emitted: an error, and no file remains. */
static void a_long_cta_is_cut_off(void **state)
{
    char path[] = "/tmp/byway-spill-XXXXXX.traceg";
    const struct byw_kernel *kernel;
    struct byw_trace *trace;
    struct byw_diag diag = {""};
    struct byw_cta cta;
    int fd = mkstemps(path, 7);

    (void)state;
    assert_true(fd >= 0 && close(fd) == 0);
    put_trace(path);
    assert_int_equal(truncate(path, (off_t)LONG * 30), 0);
    byw_cta_init(&cta);
    assert_int_equal(byw_trace_open(path, &trace, &diag), BYW_OK);
    byw_trace_use_windows(trace);
    assert_int_equal(byw_trace_next_kernel(trace, &kernel, &diag), BYW_OK);
    assert_int_not_equal(byw_trace_next_cta(trace, &cta, &diag), BYW_OK);
    byw_cta_release(&cta);
    byw_trace_close(trace);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_cta_comes_in_windows),
        cmocka_unit_test(a_long_cta_is_cut_off),
    };

    return cmocka_run_group_tests_name("spill", tests, NULL, NULL);
}
