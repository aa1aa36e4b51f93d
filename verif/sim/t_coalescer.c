/* SPDX-License-Identifier: Apache-2.0
 *
 * t_coalescer.c - transactions of a warp's addresses: Fermi's rule case by case, and a brute-force
 * count on random warps.
 */
#include <stdlib.h>
#include <string.h>

#include "common/byw_rng.h"
#include "common/test.h"
#include "sim/sm/byw_coalescer.h"

struct bench {
    struct byw_config config;
    struct byw_cta cta;
    struct byw_inst inst;
    struct byw_coalesced out[BYW_COALESCED_MAX];
    uint32_t n;
};

static int setup(void **state)
{
    struct bench *b = calloc(1, sizeof(*b));

    byw_config_defaults(&b->config);
    byw_cta_init(&b->cta);
    *state = b;
    return 0;
}

static int teardown(void **state)
{
    struct bench *b = *state;

    byw_cta_release(&b->cta);
    free(b);
    return 0;
}

static void run(struct bench *b, uint64_t mask, uint64_t base, int32_t stride, uint8_t width)
{
    b->inst = (struct byw_inst){.mask = mask,
                                .base = base,
                                .stride = stride,
                                .width = width,
                                .count = 1,
                                .cls = BYW_CLASS_LOAD,
                                .form = BYW_FORM_STRIDE};
    b->n = byw_coalesce(&b->config, &b->inst, &b->cta, b->out);
}

static uint32_t extent(const struct bench *b, uint32_t i, uint32_t *offset)
{
    return byw_mask_extent(&b->out[i].bytes, b->config.coalesce_min, offset);
}

static void aligned_words_are_one_line(void **state)
{
    struct bench *b = *state;
    uint32_t offset;

    run(b, 0xffffffff, 0x1000, 4, 4);
    assert_int_equal(b->n, 1);
    assert_int_equal(b->out[0].line, 0x1000 / 128);
    assert_int_equal(extent(b, 0, &offset), 128);
    assert_true(b->out[0].bytes.w[0] == UINT64_MAX && b->out[0].bytes.w[1] == UINT64_MAX);
}

static void sectors_and_lines_are_rules_of_their_own(void **state)
{
    struct bench *b = *state;

    b->config.coalesce_rule = BYW_COALESCE_SECTOR;
    run(b, 0xffffffff, 0x1000, 4, 4);
    assert_int_equal(b->n, 4);
    assert_int_equal(b->out[0].line, 0x1000 / 128);
    assert_true(b->out[0].bytes.w[1] == 0xffffffff00000000 && b->out[0].bytes.w[0] == 0);
    run(b, 0xffffffff, 0x1000, 1, 1); /* segments of 32 bytes, whatever the access width */
    assert_int_equal(b->n, 1);
    run(b, 0xffffffff, 0x1000, 128, 4);
    assert_int_equal(b->n, 32);

    b->config.coalesce_rule = BYW_COALESCE_LINE;
    b->config.l1d_line = b->config.coalesce_bytes = 64;
    run(b, UINT64_MAX, 0x1000, 4, 4); /* a wave of 64: four lines of 64 bytes */
    assert_int_equal(b->n, 4);
    assert_int_equal(b->out[0].line, 0x10c0 / 64);
    assert_true(b->out[0].bytes.w[0] == UINT64_MAX && b->out[0].bytes.w[1] == 0);
    run(b, UINT64_MAX, 0x1000, 1, 1); /* fermi's rule would make two */
    assert_int_equal(b->n, 1);
    run(b, UINT64_MAX, 0x1000, 64, 4);
    assert_int_equal(b->n, 64);
}

static void unaligned_words_are_two_lines_highest_first(void **state)
{
    struct bench *b = *state;
    uint32_t offset;

    run(b, 0xffffffff, 0x1004, 4, 4);
    assert_int_equal(b->n, 2);
    assert_int_equal(b->out[0].line, 0x1080 / 128);
    assert_int_equal(extent(b, 0, &offset), 32);
    assert_int_equal(offset, 0);
    assert_int_equal(extent(b, 1, &offset), 128);
}

static void lanes_a_line_apart_are_a_line_each(void **state)
{
    struct bench *b = *state;

    run(b, 0xffffffff, 0x8000, 128, 4);
    assert_int_equal(b->n, 32);
    for (uint32_t i = 1; i < 32; i++)
        assert_int_equal(b->out[i].line + 1, b->out[i - 1].line);
}

static void a_broadcast_is_the_smallest_piece(void **state)
{
    struct bench *b = *state;
    uint32_t offset;

    run(b, 0xffffffff, 0x1060, 0, 4);
    assert_int_equal(b->n, 1);
    assert_int_equal(extent(b, 0, &offset), 32);
    assert_int_equal(offset, 96);
}

static void upper_half_is_cut_to_64(void **state)
{
    struct bench *b = *state;
    uint32_t offset;

    run(b, 0xffff0000, 0x1000, 4, 4);
    assert_int_equal(b->n, 1);
    assert_int_equal(extent(b, 0, &offset), 64);
    assert_int_equal(offset, 64);
}

static void bytes_use_segments_of_32(void **state)
{
    struct bench *b = *state;

    run(b, 0xffffffff, 0x1000, 1, 1);
    assert_int_equal(b->n, 1);
    run(b, 0xffffffff, 0x1000, 2, 1); /* 64 bytes span two segments of one line */
    assert_int_equal(b->n, 2);
    assert_int_equal(b->out[0].line, b->out[1].line);
    run(b, 0xffffffff, 0x1000, 2, 2); /* 16-bit accesses: segments of 64 */
    assert_int_equal(b->n, 1);
}

static void doubles_and_vectors_take_more_lines(void **state)
{
    struct bench *b = *state;

    run(b, 0xffffffff, 0x1000, 8, 8);
    assert_int_equal(b->n, 2);
    run(b, 0xffffffff, 0x1000, 16, 16);
    assert_int_equal(b->n, 4);
    run(b, 0x1, 0x107c, 8, 8); /* one lane across two lines */
    assert_int_equal(b->n, 2);
}

static void no_lane_is_no_transaction(void **state)
{
    struct bench *b = *state;

    run(b, 0, 0x1000, 4, 4);
    assert_int_equal(b->n, 0);
}

static void colliding_atomics_are_serialised(void **state)
{
    struct bench *b = *state;

    run(b, 0xff, 0x1000, 0, 4);
    b->inst.cls = BYW_CLASS_ATOMIC;
    assert_int_equal(byw_coalesce(&b->config, &b->inst, &b->cta, b->out), 8);
    b->inst.stride = 4;
    assert_int_equal(byw_coalesce(&b->config, &b->inst, &b->cta, b->out), 1);
}

/* Atomics reach the L2 in sectors of 32 bytes, regardless of the segments of loads; with the
 * whole-line rule, in lines. */
static void atomics_go_by_sectors(void **state)
{
    struct bench *b = *state;

    run(b, UINT32_MAX, 0x1000, 4, 4);
    assert_int_equal(b->n, 1);
    b->inst.cls = BYW_CLASS_ATOMIC;
    assert_int_equal(byw_coalesce(&b->config, &b->inst, &b->cta, b->out), 4);
    b->inst.stride = 64;
    assert_int_equal(byw_coalesce(&b->config, &b->inst, &b->cta, b->out), 32);
    b->inst.stride = 4;
    b->config.coalesce_rule = BYW_COALESCE_LINE;
    assert_int_equal(byw_coalesce(&b->config, &b->inst, &b->cta, b->out), 1);
}

/* Bytes touched, by brute force, in a window of 64 KB. */
static void random_warps_cover_exactly_their_bytes(void **state)
{
    struct bench *b = *state;
    struct byw_rng rng;
    static uint8_t want[1 << 16], got[1 << 16];

    byw_rng_init(&rng, 1);
    for (int round = 0; round < 3000; round++) {
        uint8_t width = (uint8_t)(1u << (byw_rng_next(&rng) % 5));
        uint64_t mask = byw_rng_next(&rng) & 0xffffffff & byw_rng_next(&rng);
        uint32_t segment = width == 1 ? 32 : width == 2 ? 64 : 128, segments = 0;
        uint32_t lanes = (uint32_t)__builtin_popcountll(mask), k = 0;
        uint64_t *addr;

        byw_cta_clear(&b->cta);
        addr = byw_cta_add_addr(&b->cta, lanes);
        memset(want, 0, sizeof(want));
        memset(got, 0, sizeof(got));
        for (uint32_t i = 0; i < lanes; i++) {
            addr[k++] = byw_rng_next(&rng) % (sizeof(want) - 16);
            memset(&want[addr[i]], 1, width);
        }
        b->inst = (struct byw_inst){.mask = mask,
                                    .width = width,
                                    .count = 1,
                                    .cls = BYW_CLASS_STORE,
                                    .form = BYW_FORM_LIST};
        b->n = byw_coalesce(&b->config, &b->inst, &b->cta, b->out);
        for (uint32_t i = 0; i < b->n; i++) {
            for (uint32_t j = 0; j < 128; j++) {
                if (b->out[i].bytes.w[j / 64] >> (j % 64) & 1) {
                    assert_int_equal(got[b->out[i].line * 128 + j], 0);
                    got[b->out[i].line * 128 + j] = 1;
                }
            }
            assert_true(i == 0 || b->out[i].line <= b->out[i - 1].line);
        }
        assert_memory_equal(want, got, sizeof(want));
        for (uint32_t s = 0; s < sizeof(want); s += segment)
            segments += memchr(&want[s], 1, segment) != NULL;
        assert_int_equal(b->n, segments);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(aligned_words_are_one_line, setup, teardown),
        cmocka_unit_test_setup_teardown(sectors_and_lines_are_rules_of_their_own, setup, teardown),
        cmocka_unit_test_setup_teardown(unaligned_words_are_two_lines_highest_first, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(lanes_a_line_apart_are_a_line_each, setup, teardown),
        cmocka_unit_test_setup_teardown(a_broadcast_is_the_smallest_piece, setup, teardown),
        cmocka_unit_test_setup_teardown(upper_half_is_cut_to_64, setup, teardown),
        cmocka_unit_test_setup_teardown(bytes_use_segments_of_32, setup, teardown),
        cmocka_unit_test_setup_teardown(doubles_and_vectors_take_more_lines, setup, teardown),
        cmocka_unit_test_setup_teardown(no_lane_is_no_transaction, setup, teardown),
        cmocka_unit_test_setup_teardown(colliding_atomics_are_serialised, setup, teardown),
        cmocka_unit_test_setup_teardown(atomics_go_by_sectors, setup, teardown),
        cmocka_unit_test_setup_teardown(random_warps_cover_exactly_their_bytes, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
