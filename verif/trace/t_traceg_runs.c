/* SPDX-License-Identifier: Apache-2.0
 *
 * t_traceg_runs.c - repeated lines: the records that the parser appends for known runs equal
 * those that it reads line by line; and the shortcut through lists of steps.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_rng.h"
#include "common/test.h"
#include "trace/accelsim/byw_traceg.h"

enum { TEXT_MAX = 1 << 16, LINES_MAX = 600, WARPS = 200 };

struct text {
    char bytes[TEXT_MAX];
    size_t end[LINES_MAX];
    size_t size;
    uint32_t lines;
};

static void add(struct text *text, const char *line)
{
    size_t length = strlen(line);

    memcpy(text->bytes + text->size, line, length);
    text->size += length;
    text->end[text->lines++] = text->size;
}

/* A warp's lines: pieces of a loop that start and end anywhere, some with other registers, between
 * loads, shared accesses and lines that are never cached. */
static void write_warp(struct byw_rng *rng, struct text *text)
{
    uint32_t lines = 1 + byw_rng_below(rng, 200), pc = byw_rng_below(rng, 12);
    char line[160];

    text->size = text->lines = 0;
    while (text->lines < lines) {
        uint32_t what = byw_rng_below(rng, 24);

        if (what == 0)
            snprintf(line, sizeof(line),
                     "0040 ffffffff 1 R%u LDG.E 1 R2 4 2 0x1000 %d 12 -3 4 9999999 12345678 -1 0 "
                     "7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 -123 5 0 \n",
                     24 + byw_rng_below(rng, 8), (int)byw_rng_below(rng, 5000) - 2500);
        else if (what == 1)
            snprintf(line, sizeof(line), "0050 0000000f 0 STS 2 R1 R%u 4 1 0x%x %u 0 \n",
                     24 + byw_rng_below(rng, 8), 4 * byw_rng_below(rng, 64),
                     4 * byw_rng_below(rng, 9));
        else if (what == 2)
            snprintf(line, sizeof(line), "0060 ffffffff 1 R24 SOME_NEW_OPCODE 1 R25 0 0 \n");
        else if (what < 6)
            pc = byw_rng_below(rng, 12);
        if (what > 2) {
            snprintf(line, sizeof(line), "80%x0 ffffffff 1 R%u FFMA 3 R%u R%u R%u 0 \n", pc,
                     24 + pc % 8, 24 + (pc + 3) % 8, 24 + pc * 5 % 8,
                     byw_rng_below(rng, 30) == 0 ? 3 : 27);
            pc = (pc + 1) % 12;
        }
        add(text, line);
    }
}

static void one_by_one(struct byw_traceg *parser, const struct text *text, struct byw_cta *cta)
{
    for (uint32_t i = 0; i < text->lines; i++) {
        size_t begin = i != 0 ? text->end[i - 1] : 0;

        assert_null(byw_traceg_line(parser, text->bytes + begin, text->end[i] - 1 - begin, cta));
    }
}

/* Parses the text as the reader does, with a window that may end anywhere after the current line;
 * returns the number of lines that were appended without parsing. */
static uint32_t in_runs(struct byw_traceg *parser, const struct text *text, struct byw_rng *rng,
                        struct byw_cta *cta)
{
    const char *bytes = text->bytes;
    uint32_t skipped = 0;
    size_t at = 0;

    for (uint32_t i = 0, lines; i < text->lines; i += lines) {
        size_t end = text->end[i] + byw_rng_below(rng, 1000), took;

        if (end > text->size || byw_rng_below(rng, 4) != 0)
            end = text->size;
        took = byw_traceg_again(parser, bytes + at, bytes + end, text->lines - i, cta, &lines);
        skipped += took != 0 ? lines : 0;
        if (took == 0) {
            took = text->end[i] - at;
            assert_null(byw_traceg_line(parser, bytes + at, took - 1, cta));
            byw_traceg_whole(parser, bytes + at, took);
            lines = 1;
        }
        assert_in_range(lines, 1, text->lines - i);
        assert_true(at + took <= end);
        at += took;
        assert_int_equal(at, text->end[i + lines - 1]);
    }
    return skipped;
}

static void compare(const struct byw_cta *a, const struct byw_cta *b)
{
    assert_int_equal(a->inst_count, b->inst_count);
    assert_int_equal(a->addr_count, b->addr_count);
    assert_int_equal(a->warp[0].count, b->warp[0].count);
    assert_memory_equal(a->inst, b->inst, a->inst_count * sizeof(*a->inst));
    if (a->addr_count != 0)
        assert_memory_equal(a->addr, b->addr, a->addr_count * sizeof(*a->addr));
}

static void repeated_lines_equal_lines_read_one_by_one(void **state)
{
    struct byw_traceg *plain = calloc(1, sizeof(*plain)), *runs = calloc(1, sizeof(*runs));
    struct text *text = malloc(sizeof(*text));
    uint32_t skipped = 0, lines = 0;
    struct byw_cta want, got;
    struct byw_rng rng;

    (void)state;
    assert_true(plain != NULL && runs != NULL && text != NULL);
    byw_rng_init(&rng, 7);
    byw_cta_init(&want);
    byw_cta_init(&got);
    for (uint32_t w = 0; w < WARPS; w++) {
        if (w % 50 == 0) {
            byw_traceg_start_kernel(plain);
            byw_traceg_start_kernel(runs);
        }
        write_warp(&rng, text);
        byw_cta_clear(&want);
        byw_cta_clear(&got);
        assert_true(byw_cta_add_warp(&want) != NULL && byw_cta_add_warp(&got) != NULL);
        byw_traceg_start_warp(plain);
        byw_traceg_start_warp(runs);
        one_by_one(plain, text, &want);
        skipped += in_runs(runs, text, &rng, &got);
        lines += text->lines;
        compare(&want, &got);
        assert_int_equal(plain->unknown, runs->unknown);
    }
    assert_in_range(skipped, lines / 2, lines); /* the shortcut has an effect */
    byw_cta_release(&want);
    byw_cta_release(&got);
    byw_traceg_release(plain);
    byw_traceg_release(runs);
    free(plain);
    free(runs);
    free(text);
}

/* Runs of an earlier kernel are forgotten: the new header may change the meaning of lines. */
static void a_new_kernel_forgets_known_runs(void **state)
{
    static const char line[] =
        "0080 ffffffff 1 R1 FFMA 3 R2 R3 R4 0 \n0090 ffffffff 1 R1 FFMA 1 R2 0";
    struct byw_traceg *parser = calloc(1, sizeof(*parser));
    size_t whole = (size_t)(strchr(line, '\n') + 1 - line);
    const char *end = line + sizeof(line) - 1;
    struct byw_cta cta;
    uint32_t lines;

    (void)state;
    assert_non_null(parser);
    byw_cta_init(&cta);
    byw_cta_add_warp(&cta);
    for (int kernel = 0; kernel < 2; kernel++) {
        byw_traceg_start_kernel(parser);
        byw_traceg_start_warp(parser);
        assert_int_equal(byw_traceg_again(parser, line, end, 9, &cta, &lines), 0);
        assert_null(byw_traceg_line(parser, line, whole - 1, &cta));
        byw_traceg_whole(parser, line, whole);
        byw_traceg_start_warp(parser);
        assert_int_equal(byw_traceg_again(parser, line, end, 9, &cta, &lines), whole);
        assert_int_equal(lines, 1);
        assert_int_equal(byw_traceg_again(parser, line, end, 0, &cta, &lines), 0);
    }
    byw_cta_release(&cta);
    byw_traceg_release(parser);
    free(parser);
}

/* Steps of any length, with any blanks between them. */
static void lists_of_steps_may_have_any_blanks(void **state)
{
    struct byw_traceg *parser = calloc(1, sizeof(*parser));
    struct byw_rng rng;
    struct byw_cta cta;

    (void)state;
    assert_non_null(parser);
    byw_rng_init(&rng, 9);
    byw_cta_init(&cta);
    byw_traceg_start_kernel(parser);
    for (unsigned i = 0; i < 2000; i++) {
        char line[1000] = "0040 ffffffff 1 R1 LDG.E 1 R2 4 2 0x7000000000000000";
        uint64_t want[BYW_TRACEG_LANES] = {0x7000000000000000};
        size_t length = strlen(line);

        for (unsigned lane = 1; lane < BYW_TRACEG_LANES; lane++) {
            int64_t step = (int64_t)(byw_rng_next(&rng) >> (9 + byw_rng_below(&rng, 55)));

            if (byw_rng_below(&rng, 2) != 0)
                step = -step;
            want[lane] = want[lane - 1] + (uint64_t)step;
            length += (size_t)snprintf(line + length, sizeof(line) - length, "%s%lld",
                                       byw_rng_below(&rng, 9) == 0 ? "\t " : " ", (long long)step);
        }
        byw_cta_clear(&cta);
        byw_cta_add_warp(&cta);
        byw_traceg_start_warp(parser);
        assert_null(byw_traceg_line(parser, line, length, &cta));
        for (uint32_t lane = 0; lane < BYW_TRACEG_LANES; lane++)
            assert_int_equal(byw_inst_address(&cta.inst[0], &cta, lane, lane), want[lane]);
    }
    byw_cta_clear(&cta);
    byw_cta_add_warp(&cta);
    assert_non_null(
        byw_traceg_line(parser, "0040 3 1 R1 LDG.E 1 R2 4 2 0x70 1x 0 0 0 0 0 0", 48, &cta));
    assert_non_null(
        byw_traceg_line(parser, "0040 3 1 R1 LDG.E 1 R2 4 2 0x70 - 10 0 0 0 0 0", 48, &cta));
    byw_cta_release(&cta);
    byw_traceg_release(parser);
    free(parser);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repeated_lines_equal_lines_read_one_by_one),
        cmocka_unit_test(a_new_kernel_forgets_known_runs),
        cmocka_unit_test(lists_of_steps_may_have_any_blanks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
