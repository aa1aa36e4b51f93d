/* SPDX-License-Identifier: Apache-2.0
 *
 * t_reuse.c - reuse counts compared with hand-made and brute-force ones, and the SMs' streams.
 *
 * Usage: t_reuse [SEED]; a failure prints the seed.
 */
#include <stdio.h>

#include "common/test.h"
#include "trace/stats/byw_reuse.h"
#include "trace/stats/byw_sm_stream.h"
#include "trace_random.h"

static uint64_t test_seed = 1;

/* --- reuse -------------------------------------------------------------------------------- */

static void count(const uint64_t *line, size_t n, struct byw_reuse_counts *counts)
{
    struct byw_reuse *reuse = byw_reuse_create();

    assert_non_null(reuse);
    for (size_t i = 0; i < n; i++)
        assert_true(byw_reuse_reference(reuse, line[i]));
    memset(counts, 0, sizeof(*counts));
    byw_reuse_add(reuse, counts);
    byw_reuse_free(reuse);
}

/* A B C A is the paper's example of distance 2. */
static void distances_equal_those_worked_out_by_hand(void **state)
{
    static const uint64_t abca[] = {7, 8, 9, 7}, abba[] = {1, 2, 2, 1}, aaaaa[] = {0, 0, 0, 0, 0};
    static const uint64_t five[] = {5, 1, 2, 3, 1, 4, 5}; /* 5: 5 in between, 4 of them distinct */
    struct byw_reuse_counts c;

    (void)state;
    count(abca, 4, &c);
    assert_int_equal(c.requests, 4);
    assert_int_equal(c.lines, 3);
    assert_int_equal(c.by_count[0], 2);
    assert_int_equal(c.by_count[1], 1);
    assert_int_equal(c.distance[2], 1); /* bin 2-3 */
    assert_int_equal(c.stack[2], 1);
    count(abba, 4, &c);
    assert_int_equal(c.distance[0], 1);
    assert_int_equal(c.distance[2], 1);
    assert_int_equal(c.stack[0], 1);
    assert_int_equal(c.stack[1], 1);
    assert_int_equal(c.by_count[1], 2);
    count(aaaaa, 5, &c);
    assert_int_equal(c.by_count[3], 1);
    assert_int_equal(c.by_count[0] + c.by_count[1] + c.by_count[2], 0);
    assert_int_equal(c.distance[0], 4);
    assert_int_equal(c.stack[0], 4);
    count(five, 7, &c);
    assert_int_equal(c.distance[2], 1); /* line 1: 2 between */
    assert_int_equal(c.distance[3], 1); /* line 5: bin 4-7 */
    assert_int_equal(c.stack[2], 1);
    assert_int_equal(c.stack[3], 1);
    count(five, 0, &c);
    assert_int_equal(c.requests + c.lines, 0);
}

/* Bins by their definition, independent of the code's arithmetic. */
static uint32_t bin(uint64_t distance, uint32_t bins)
{
    uint32_t b = 0;

    while (b + 1 < bins && distance >= byw_reuse_bin_start(b + 1))
        b++;
    return b;
}

static void brute_force(const uint64_t *line, size_t n, struct byw_reuse_counts *c)
{
    memset(c, 0, sizeof(*c));
    c->requests = n;
    for (size_t i = 0; i < n; i++) {
        uint64_t distinct = 0, references = 1;
        size_t before = i;

        while (before > 0 && line[before - 1] != line[i])
            before--;
        if (before == 0) {
            for (size_t j = i + 1; j < n; j++)
                references += line[j] == line[i];
            c->lines++;
            c->by_count[(references < 4 ? references : 4) - 1]++;
            continue;
        }
        for (size_t j = before; j < i; j++) {
            bool last = true;

            for (size_t k = j + 1; k < i && last; k++)
                last = line[k] != line[j];
            distinct += last;
        }
        c->distance[bin(i - before, BYW_DISTANCE_BINS)]++;
        c->stack[bin(distinct, BYW_STACK_BINS)]++;
    }
}

/* Working sets of all sizes, loops and jumps, long enough that slots are moved and tables grow. */
static size_t random_stream(uint64_t seed, uint64_t line[3000])
{
    uint64_t rng = seed * 0x9e3779b97f4a7c15ull + 1;
    size_t n = 1 + trace_below(&rng, 3000);
    uint32_t set = 1 + trace_below(&rng, 1u << trace_below(&rng, 12));
    uint64_t base = trace_random(&rng) >> 7, at = 0;

    for (size_t i = 0; i < n; i++) {
        switch (trace_below(&rng, 400)) {
        case 0:
            set = 1 + trace_below(&rng, 1u << trace_below(&rng, 12));
            break;
        case 1:
            base = trace_random(&rng) >> 7;
            break;
        default:
            at = trace_below(&rng, 4) == 0 ? trace_below(&rng, set) : at + 1;
        }
        line[i] = base + at % set;
    }
    return n;
}

static void distances_equal_a_brute_force_count(void **state)
{
    static uint64_t line[3000];
    struct byw_reuse_counts got, want;

    (void)state;
    for (uint64_t seed = test_seed; seed < test_seed + 25; seed++) {
        size_t n = random_stream(seed, line);

        count(line, n, &got);
        brute_force(line, n, &want);
        if (memcmp(&got, &want, sizeof(got)) != 0)
            fail_msg("%zu references differ; run again: t_reuse %llu", n, (unsigned long long)seed);
    }
}

/* 3000 lines in a loop: an LRU stack as deep as the working set, and the last bin. */
static void a_long_loop_fills_the_last_bin(void **state)
{
    struct byw_reuse *reuse = byw_reuse_create();
    struct byw_reuse_counts c = {.requests = 0};

    (void)state;
    assert_non_null(reuse);
    for (uint64_t i = 0; i < 300000; i++)
        assert_true(byw_reuse_reference(reuse, i % 3000));
    for (uint64_t i = 0; i < 100000; i++)
        assert_true(byw_reuse_reference(reuse, 1000000 + i));
    assert_true(byw_reuse_reference(reuse, 0));
    byw_reuse_add(reuse, &c);
    byw_reuse_free(reuse);
    assert_int_equal(c.lines, 103000);
    assert_int_equal(c.by_count[3], 3000);
    assert_int_equal(c.by_count[0], 100000);
    assert_int_equal(c.distance[BYW_DISTANCE_BINS - 1], 297001);
    assert_int_equal(c.stack[12], 297000); /* 2048-4095 */
    assert_int_equal(c.stack[BYW_STACK_BINS - 1], 1);
}

/* --- streams ------------------------------------------------------------------------------ */

/* What the sink received: for each access 100 + its SM, then its lines. */
struct record {
    uint64_t item[20000];
    size_t items;
};

static bool record(void *ctx, uint32_t sm, const uint64_t *line, uint32_t n)
{
    struct record *r = ctx;

    r->item[r->items++] = 100 + sm;
    for (uint32_t i = 0; i < n; i++)
        r->item[r->items++] = line[i];
    return true;
}

static struct byw_sm_stream *open_stream(uint32_t sms, uint32_t ctas, struct record *r)
{
    const struct byw_sm_stream_options options = {sms, ctas};
    const struct byw_sm_stream_sink sink = {record, r};
    struct byw_sm_stream *stream;
    struct byw_diag diag = {""};

    memset(r, 0, sizeof(*r));
    if (byw_sm_stream_create(&options, &sink, &stream, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
    return stream;
}

/* A CTA whose warps access `per_warp` lines each: first, first + 1 ... */
static void feed_cta(struct byw_sm_stream *stream, uint32_t warps, uint32_t per_warp,
                     uint64_t first)
{
    struct byw_access access = {.lines = 1};
    struct byw_cta cta;

    byw_cta_init(&cta);
    for (uint32_t w = 0; w < warps; w++)
        byw_cta_add_warp(&cta);
    assert_true(byw_sm_stream_cta(stream, &cta));
    for (uint32_t w = 0; w < warps; w++) {
        for (uint32_t i = 0; i < per_warp; i++) {
            access.line[0] = first++;
            assert_true(byw_sm_stream_access(stream, w, &access));
        }
    }
    byw_cta_release(&cta);
}

static void expect_items(const struct record *r, const uint64_t *want, size_t n)
{
    assert_int_equal(r->items, n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(r->item[i], want[i]);
}

static void warps_of_resident_ctas_take_turns(void **state)
{
    /* SM 0 gets CTAs 1 and 3, SM 1 CTA 2; warps 1-2 3-4, 21-22 23-24, 11-12 13-14 */
    static const uint64_t both[] = {100, 1,  100, 3,  100, 21, 100, 23, 100, 2,  100, 4,
                                    100, 22, 100, 24, 101, 11, 101, 13, 101, 12, 101, 14};
    /* one CTA at a time: SM 0's first one runs when the next one is placed */
    static const uint64_t single[] = {100, 1,  100, 3,  100, 2,  100, 4,  100, 21, 100, 23,
                                      100, 22, 100, 24, 101, 11, 101, 13, 101, 12, 101, 14};
    static struct record r;
    struct byw_sm_stream *stream;

    (void)state;
    for (uint32_t ctas = 1; ctas <= 2; ctas++) {
        stream = open_stream(2, ctas, &r);
        assert_true(byw_sm_stream_launch(stream));
        feed_cta(stream, 2, 2, 1);
        feed_cta(stream, 2, 2, 11);
        feed_cta(stream, 2, 2, 21);
        assert_true(byw_sm_stream_finish(stream));
        expect_items(&r, ctas == 1 ? single : both, sizeof(both) / sizeof(both[0]));
        byw_sm_stream_free(stream);
    }
}

/* The first CTA of the next launch goes to the SM after the last one used, and follows all earlier
 * accesses. */
static void a_launch_starts_behind_the_last_sm_used(void **state)
{
    static const uint64_t want[] = {100, 1, 101, 2, 102, 3, 100, 4};
    static struct record r;
    struct byw_sm_stream *stream = open_stream(3, 8, &r);

    (void)state;
    for (uint64_t i = 1; i <= 4; i++) {
        assert_true(byw_sm_stream_launch(stream));
        feed_cta(stream, 1, 1, i);
    }
    assert_true(byw_sm_stream_finish(stream));
    expect_items(&r, want, 8);
    byw_sm_stream_free(stream);
}

/* Lines of an access leave in descending order; a warp without accesses and an empty CTA are
 * skipped; warps of unequal length end early. */
static void empty_warps_and_ctas_are_skipped(void **state)
{
    static const uint64_t want[] = {100, 9, 5, 3, 100, 20, 100, 30, 100, 21};
    static struct record r;
    struct byw_sm_stream *stream = open_stream(1, 8, &r);
    struct byw_access access = {.lines = 3, .line = {5, 9, 3}};
    struct byw_cta cta;

    (void)state;
    byw_cta_init(&cta);
    assert_true(byw_sm_stream_launch(stream));
    assert_true(byw_sm_stream_cta(stream, &cta));
    for (uint32_t w = 0; w < 4; w++)
        byw_cta_add_warp(&cta);
    assert_true(byw_sm_stream_cta(stream, &cta));
    assert_true(byw_sm_stream_access(stream, 0, &access));
    access.lines = 1;
    access.line[0] = 20;
    assert_true(byw_sm_stream_access(stream, 2, &access));
    access.line[0] = 21;
    assert_true(byw_sm_stream_access(stream, 2, &access));
    access.line[0] = 30;
    assert_true(byw_sm_stream_access(stream, 3, &access));
    assert_true(byw_sm_stream_finish(stream));
    expect_items(&r, want, sizeof(want) / sizeof(want[0]));
    byw_sm_stream_free(stream);
    byw_cta_release(&cta);
}

/* 48 warps: of three CTAs of 20 warps, two alternate. */
static void an_sm_holds_as_many_ctas_as_its_warps_allow(void **state)
{
    static struct record r;
    struct byw_sm_stream *stream = open_stream(1, 8, &r);

    (void)state;
    assert_true(byw_sm_stream_launch(stream));
    for (uint64_t i = 0; i < 3; i++)
        feed_cta(stream, 20, 2, 1000 * i);
    assert_true(byw_sm_stream_finish(stream));
    assert_int_equal(r.items, 240);
    assert_int_equal(r.item[41],
                     1000); /* after the first access of each warp of CTA 0: CTA 1 begins */
    assert_int_equal(r.item[161], 2000); /* after all accesses of CTAs 0 and 1: CTA 2 begins */
    byw_sm_stream_free(stream);
}

static void invalid_streams_are_refused(void **state)
{
    static const struct byw_sm_stream_options bad[] = {{0, 1}, {513, 1}, {1, 0}, {1, 65}};
    const struct byw_sm_stream_sink sink = {record, NULL};
    struct byw_sm_stream *stream;
    struct byw_diag diag;

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        diag.text[0] = '\0';
        assert_int_equal(byw_sm_stream_create(&bad[i], &sink, &stream, &diag), BYW_EINVAL);
        assert_non_null(strstr(diag.text, "expected 1 to"));
    }
}

/* Checks that every access is emitted once, in its warp's order, on its CTA's SM. */
static bool in_order(void *ctx, uint32_t sm, const uint64_t *line, uint32_t n)
{
    struct record *r = ctx;

    for (uint32_t i = 0; i < n; i++, r->items++) {
        uint64_t *last = &r->item[line[i] >> 32]; /* the last line of that warp */

        if ((line[i] >> 48) != sm || (uint32_t)line[i] != *last)
            return false;
        (*last)++;
    }
    return n == 1;
}

static void streams_emit_every_access_once(void **state)
{
    static struct record r;
    struct byw_access access = {.lines = 1};
    struct byw_sm_stream *stream;
    struct byw_diag diag;
    struct byw_cta cta;

    (void)state;
    byw_cta_init(&cta);
    for (uint64_t seed = test_seed; seed < test_seed + 20; seed++) {
        uint64_t rng = seed * 0x9e3779b97f4a7c15ull + 1, warp = 0, total = 0;
        const struct byw_sm_stream_options options = {1, 1 + trace_below(&rng, 9)};
        const struct byw_sm_stream_sink sink = {in_order, &r};

        memset(&r, 0, sizeof(r));
        assert_int_equal(byw_sm_stream_create(&options, &sink, &stream, &diag), BYW_OK);
        for (uint32_t c = 0; c < 200; c++) {
            uint32_t warps = trace_below(&rng, 30);
            bool ok = (c % 50 != 0 || byw_sm_stream_launch(stream));

            byw_cta_clear(&cta);
            for (uint32_t w = 0; w < warps; w++)
                byw_cta_add_warp(&cta);
            ok = ok && byw_sm_stream_cta(stream, &cta);
            for (uint32_t w = 0; w < warps; w++, warp++) {
                uint32_t accesses = trace_below(&rng, 20);

                total += accesses;
                for (uint32_t i = 0; i < accesses && ok; i++) {
                    access.line[0] = warp << 32 | i;
                    ok = byw_sm_stream_access(stream, w, &access);
                }
            }
            if (!ok)
                fail_msg("out of order; run again: t_reuse %llu", (unsigned long long)seed);
        }
        assert_true(byw_sm_stream_finish(stream));
        assert_int_equal(r.items, total);
        byw_sm_stream_free(stream);
    }
    byw_cta_release(&cta);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_equal_those_worked_out_by_hand),
        cmocka_unit_test(distances_equal_a_brute_force_count),
        cmocka_unit_test(a_long_loop_fills_the_last_bin),
        cmocka_unit_test(warps_of_resident_ctas_take_turns),
        cmocka_unit_test(a_launch_starts_behind_the_last_sm_used),
        cmocka_unit_test(empty_warps_and_ctas_are_skipped),
        cmocka_unit_test(an_sm_holds_as_many_ctas_as_its_warps_allow),
        cmocka_unit_test(invalid_streams_are_refused),
        cmocka_unit_test(streams_emit_every_access_once),
    };

    if (argc > 1)
        test_seed = strtoull(argv[1], NULL, 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
