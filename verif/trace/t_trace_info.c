/* SPDX-License-Identifier: Apache-2.0
 *
 * t_trace_info.c - the text of `byway trace info`: each figure is in its place. The counts are
 * synthetic, so that no two figures are equal.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/test.h"
#include "common/text.h"
#include "trace/stats/byw_trace_info.h"

static struct byw_trace_launch launch_of(uint32_t number, uint64_t instructions)
{
    struct byw_trace_launch l = {.kernel = {.launch = number,
                                            .grid = {number + 1, 2, 3},
                                            .block = {32, 4, 1},
                                            .warp_size = 32},
                                 .counts = {.ctas = 6 * (number + 1),
                                            .warp_instructions = instructions,
                                            .accesses = 7,
                                            .lines = 9}};

    snprintf(l.kernel.name, sizeof(l.kernel.name), "kernel%u", number);
    return l;
}

static void figures_stand_where_they_belong(void **state)
{
    struct byw_trace_launch launch[3] = {launch_of(0, 100), launch_of(1, 101), launch_of(2, 102)};
    const struct byw_trace_shown two = {.rows = 2};
    struct byw_trace_info info = {
        .path = "a.bwt",
        .format = "bwt",
        .note = {.file_bytes = 4500},
        .kernels = 2,
        .launch_count = 3,
        .launch = launch,
        .footprint_lines = 24,
        .total = {.ctas = 11,
                  .warps = 44,
                  .warp_instructions = 1000,
                  .thread_instructions = 20000,
                  .accesses = 100,
                  .lanes = 3000,
                  .lines = 200,
                  .sectors = 700,
                  .shared_accesses = 50,
                  .shared_passes = 75},
    };
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    (void)state;
    info.total.mix[BYW_CLASS_LOAD] = 125;
    assert_non_null(out);
    byw_trace_info_print(&info, &two, out);
    fclose(out);
    assert_true(text_has_line(text, "trace a.bwt"));
    assert_true(text_has_line(text, "format bwt, 4500 bytes"));
    assert_true(text_has_line(text, "kernels, launches 2, 3"));
    assert_true(text_has_line(text, "CTAs, warps 11, 44"));
    assert_true(text_has_line(text, "warp instructions 1000"));
    assert_true(text_has_line(text, "thread instructions 20000 (20.00 per warp instruction)"));
    assert_true(text_has_line(text, "cache accesses 100"));
    assert_true(text_has_line(text, "lanes per access 30.00"));
    assert_true(text_has_line(text, "lines per access 2.00 (128 bytes)"));
    assert_true(text_has_line(text, "sectors per access 7.00 (32 bytes)"));
    assert_true(text_has_line(text, "footprint 24 lines, 3.0 KB"));
    assert_true(text_has_line(text, "scratchpad accesses 50 (1.50 passes each)"));
    assert_true(text_has_line(text, "bytes per access 30.000 in the file")); /* 4500 / (100 + 50) */
    assert_true(text_has_line(text, "load 125 12.50%"));
    assert_true(text_has_line(text, "1 kernel0 1x2x3 32x4x1 6 100 7 9"));
    assert_true(text_has_line(text, "2 kernel1 2x2x3 32x4x1 12 101 7 9"));
    assert_true(text_has_line(text, "... 1 more launches with 102 instructions"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_stand_where_they_belong),
    };

    return cmocka_run_group_tests_name("trace_info", tests, NULL, NULL);
}
