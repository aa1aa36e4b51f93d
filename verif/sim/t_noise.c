/* SPDX-License-Identifier: Apache-2.0
 *
 * t_noise.c - key noise.seed: which values it changes, by how much, and that equal seeds give equal
 * changes.
 */
#include <string.h>

#include "common/test.h"
#include "sim/gpu/byw_noise.h"

enum { SEEDS = 200 };

static struct byw_config described(void)
{
    struct byw_config c;

    byw_config_defaults(&c);
    c.l2_rop = 120;
    c.l2_data = 30;
    c.dram_latency = 100;
    c.icnt_eject = 4;
    return c;
}

static void seed_0_is_the_machine_as_described(void **state)
{
    struct byw_config c = described(), got = byw_noise_machine(&c);
    uint64_t start[512];

    (void)state;
    assert_memory_equal(&got, &c, sizeof(c));
    assert_int_equal(byw_noise_starts(&c, 3, 1000, start), 1000);
    for (uint32_t s = 0; s < c.sm_count; s++)
        assert_int_equal(start[s], 1000);
}

/* 120 cycles move by 2 at most, 30 by 1, and 4 not at all; every value in between occurs. */
static void latencies_move_by_a_fiftieth_at_most(void **state)
{
    bool rop[5] = {false}, data[3] = {false};
    struct byw_config c = described();

    (void)state;
    for (c.noise_seed = 1; c.noise_seed <= SEEDS; c.noise_seed++) {
        struct byw_config got = byw_noise_machine(&c);

        assert_in_range(got.l2_rop, 118, 122);
        assert_in_range(got.l2_data, 29, 31);
        assert_in_range(got.dram_latency, 98, 102);
        assert_int_equal(got.icnt_eject, 4);
        rop[got.l2_rop - 118] = true;
        data[got.l2_data - 29] = true;
    }
    for (uint32_t i = 0; i < 5; i++)
        assert_true(rop[i]);
    for (uint32_t i = 0; i < 3; i++)
        assert_true(data[i]);
}

static void nothing_but_latencies_moves(void **state)
{
    struct byw_config c = described();

    (void)state;
    for (c.noise_seed = 1; c.noise_seed <= SEEDS; c.noise_seed++) {
        struct byw_config got = byw_noise_machine(&c);

        got.l2_rop = c.l2_rop;
        got.l2_data = c.l2_data;
        got.dram_latency = c.dram_latency;
        got.load_extra = c.load_extra;
        got.gl1_tags = c.gl1_tags;
        got.gl1_data = c.gl1_data;
        got.l3_tags = c.l3_tags;
        got.l3_data = c.l3_data;
        assert_memory_equal(&got, &c, sizeof(c));
    }
}

/* Latencies under neighbouring seeds are independent: half of the pairs differ in the sign of the
 * noise. */
static void seeds_are_independent(void **state)
{
    struct byw_config c = described();
    uint32_t same = 0, pairs = 0;

    (void)state;
    for (c.noise_seed = 1; c.noise_seed <= SEEDS; c.noise_seed++) {
        struct byw_config got = byw_noise_machine(&c);

        if (got.l2_rop == 120 || got.dram_latency == 100)
            continue;
        pairs++;
        same += (got.l2_rop > 120) == (got.dram_latency > 100);
    }
    assert_true(pairs > SEEDS / 2);
    assert_in_range(same, pairs * 35 / 100, pairs * 65 / 100);
}

static void sms_start_within_16_cycles(void **state)
{
    struct byw_config c = described();
    uint64_t a[512], b[512], last = 0;
    uint32_t different = 0;

    (void)state;
    c.noise_seed = 7;
    c.sm_count = 132;
    assert_in_range(byw_noise_starts(&c, 0, 500, a), 500, 515);
    for (uint32_t s = 0; s < c.sm_count; s++) {
        assert_in_range(a[s], 500, 515);
        last = a[s] > last ? a[s] : last;
    }
    assert_int_equal(byw_noise_starts(&c, 0, 500, b), last);
    assert_memory_equal(a, b, c.sm_count * sizeof(a[0]));
    byw_noise_starts(&c, 1, 500, b); /* another launch starts differently */
    for (uint32_t s = 0; s < c.sm_count; s++)
        different += a[s] != b[s];
    assert_true(different > c.sm_count / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seed_0_is_the_machine_as_described),
        cmocka_unit_test(latencies_move_by_a_fiftieth_at_most),
        cmocka_unit_test(nothing_but_latencies_moves),
        cmocka_unit_test(seeds_are_independent),
        cmocka_unit_test(sms_start_within_16_cycles),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
