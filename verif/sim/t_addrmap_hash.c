/* SPDX-License-Identifier: Apache-2.0
 *
 * IPOLY hashing: the polynomials are irreducible, remainders are those of long division, blocks and
 * strides of powers of two spread evenly over slices and sets, and the hashed map has an inverse.
 */
#include "memsys_presets.h"
#include "sim/memory/byw_addrmap.h"

/* Remainder by long division over GF(2). */
static uint64_t remainder_of(uint64_t number, uint64_t polynomial, uint32_t degree)
{
    for (uint32_t bit = 64; bit-- > degree;)
        if ((number >> bit) & 1)
            number ^= polynomial << (bit - degree);
    return number;
}

static void polynomials_are_irreducible(void **state)
{
    (void)state;
    for (uint32_t degree = 1; degree <= BYW_IPOLY_DEGREE_MAX; degree++) {
        uint32_t polynomial = byw_ipoly_polynomial(degree);

        assert_int_equal(polynomial >> degree, 1);
        /* No polynomial of half the degree or less divides it. */
        for (uint32_t d = 1; d <= degree / 2; d++)
            for (uint64_t p = UINT64_C(1) << d; p < UINT64_C(2) << d; p++)
                assert_int_not_equal(remainder_of(polynomial, p, d), 0);
    }
}

/* x^4 + x + 1, x^5 + x^2 + 1 and x^6 + x + 1, by hand: x^4 is x + 1, x^7 is x^3 + x + 1. */
static void remainders_equal_values_worked_out_by_hand(void **state)
{
    struct byw_ipoly ipoly;

    (void)state;
    assert_int_equal(byw_ipoly_polynomial(4), 19);
    assert_int_equal(byw_ipoly_polynomial(5), 37);
    assert_int_equal(byw_ipoly_polynomial(6), 67);
    byw_ipoly_init(&ipoly, 4);
    assert_int_equal(byw_ipoly_mod(&ipoly, 0xd), 0xd);
    assert_int_equal(byw_ipoly_mod(&ipoly, 1 << 4), 0x3);
    assert_int_equal(byw_ipoly_mod(&ipoly, 1 << 7), 0xb);
    assert_int_equal(byw_ipoly_mod(&ipoly, 1 << 7 | 1 << 4), 0x8);
    assert_int_equal(byw_ipoly_mod(&ipoly, 1 << 15), 0x1); /* the multiplicative order of x */
    byw_ipoly_init(&ipoly, 0);
    assert_int_equal(byw_ipoly_mod(&ipoly, 12345), 0);
}

static void remainders_equal_long_division(void **state)
{
    uint64_t seed = rig_seed(), x = seed;

    (void)state;
    for (uint32_t degree = 1; degree <= BYW_IPOLY_DEGREE_MAX; degree++) {
        struct byw_ipoly ipoly;

        byw_ipoly_init(&ipoly, degree);
        for (int i = 0; i < 2000; i++) {
            uint64_t number = rig_random(&x) >> rig_below(&x, 60);

            RIG_CHECK(byw_ipoly_mod(&ipoly, number) ==
                          remainder_of(number, byw_ipoly_polynomial(degree), degree),
                      seed);
        }
    }
}

static struct byw_addrmap map_of(const struct byw_config *config)
{
    struct byw_addrmap map;
    struct byw_diag diag = {""};

    if (byw_addrmap_init(&map, config, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
    return map;
}

/* 16, 32 and 64 slices in various numbers of channels. */
static const struct {
    uint32_t channels, slices;
} shape[] = {{16, 16}, {8, 16}, {32, 32}, {16, 32}, {32, 64}, {64, 64}, {4, 64}, {1, 16}, {2, 2}};

enum { SHAPES = sizeof(shape) / sizeof(shape[0]) };

static struct byw_addrmap hashed(uint32_t i)
{
    struct byw_config config;

    preset_volta(&config);
    config.dram_channels = shape[i].channels;
    config.l2_slices = shape[i].slices;
    return map_of(&config);
}

/* Every slice and every set gets the same number of lines of any aligned power-of-two block that is
 * large enough to reach all of them. */
static void aligned_blocks_spread_evenly(void **state)
{
    enum { LINES_LOG2 = 16 };
    static uint32_t count[64][32];
    uint64_t seed = rig_seed(), x = seed;

    (void)state;
    for (uint32_t i = 0; i < SHAPES; i++) {
        struct byw_addrmap map = hashed(i);
        uint64_t lines = UINT64_C(1) << LINES_LOG2;

        for (int block = 0; block < 4; block++) {
            uint64_t base = (rig_random(&x) >> 24) << (LINES_LOG2 + 7);
            uint64_t per_set = lines / shape[i].slices / 32;

            memset(count, 0, sizeof(count));
            for (uint64_t line = 0; line < lines; line++) {
                uint32_t slice, set;

                byw_addrmap_home(&map, base + line * 128, &slice, &set);
                RIG_CHECK(slice < shape[i].slices && set < 32, seed);
                count[slice][set]++;
            }
            for (uint32_t slice = 0; slice < shape[i].slices; slice++)
                for (uint32_t set = 0; set < 32; set++)
                    RIG_CHECK(count[slice][set] == per_set, seed);
        }
    }
}

/* Lines at a power-of-two stride, as many as there are slices: each slice gets one, whereas a
 * linear map sends all of them to one slice. (A stride below 32 KB changes bits on both sides of
 * the inner slice bit.) */
static void power_of_two_strides_reach_every_slice(void **state)
{
    struct byw_config config;
    struct byw_addrmap map, linear;

    (void)state;
    preset_volta(&config);
    map = map_of(&config);
    config.l2_slice_index = BYW_HASH_LINEAR;
    linear = map_of(&config);
    for (uint32_t log2 = 15; log2 <= 30; log2++) {
        uint64_t seen = 0, seen_linear = 0;

        for (uint64_t i = 0; i < 64; i++) {
            seen |= UINT64_C(1) << byw_addrmap_slice(&map, i << log2);
            seen_linear |= UINT64_C(1) << byw_addrmap_slice(&linear, i << log2);
        }
        assert_true(seen == UINT64_MAX);
        assert_true(__builtin_popcountll(seen_linear) == 1);
    }
}

static void hashed_map_has_an_inverse(void **state)
{
    uint64_t seed = rig_seed(), x = seed;

    (void)state;
    for (uint32_t i = 0; i < SHAPES; i++) {
        struct byw_addrmap map = hashed(i);

        for (int n = 0; n < 20000; n++) {
            uint64_t addr = rig_random(&x) >> 16;
            struct byw_addr_parts parts = byw_addrmap_split(&map, addr);
            uint32_t slice = byw_addrmap_slice(&map, addr);

            RIG_CHECK(byw_addrmap_join(&map, &parts) == addr, seed);
            RIG_CHECK(parts.channel < shape[i].channels, seed);
            RIG_CHECK(parts.channel == slice / (shape[i].slices / shape[i].channels), seed);
        }
    }
}

/* Hashing moves lines between slices; their place inside a DRAM channel does not change. */
static void hashing_keeps_the_place_inside_a_channel(void **state)
{
    uint64_t seed = rig_seed(), x = seed;
    struct byw_config config;
    struct byw_addrmap map, linear;
    uint32_t moved = 0;

    (void)state;
    preset_volta(&config);
    map = map_of(&config);
    config.l2_slice_index = config.l2_index = BYW_HASH_LINEAR;
    linear = map_of(&config);
    for (int n = 0; n < 20000; n++) {
        uint64_t addr = rig_random(&x) >> 20;
        struct byw_addr_parts a = byw_addrmap_split(&map, addr);
        struct byw_addr_parts b = byw_addrmap_split(&linear, addr);

        RIG_CHECK(a.row == b.row && a.bank == b.bank && a.column == b.column, seed);
        moved += a.channel != b.channel;
        RIG_CHECK(byw_addrmap_slice(&map, addr) == byw_addrmap_slice(&map, addr ^ 255), seed);
    }
    RIG_CHECK(moved > 18000, seed);
}

/* For powers of two, shifts give the same result as the division. */
static void shifts_equal_divisions(void **state)
{
    uint64_t seed = rig_seed(), x = seed;

    (void)state;
    for (uint32_t channels = 1; channels <= 64; channels *= 2) {
        struct byw_config config;
        struct byw_addrmap map;

        rig_config(&config);
        config.dram_channels = config.l2_slices = channels;
        map = map_of(&config);
        for (int n = 0; n < 5000; n++) {
            uint64_t addr = rig_random(&x) >> 16, high = addr >> 8;

            RIG_CHECK(byw_addrmap_channel(&map, addr) == high % channels, seed);
            RIG_CHECK(byw_addrmap_local(&map, addr) == (high / channels << 8 | (addr & 255)), seed);
            RIG_CHECK(byw_addrmap_channel_line(&map, addr, 6) ==
                          (high / channels << 8 | (addr & 255)) >> 6,
                      seed);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polynomials_are_irreducible),
        cmocka_unit_test(remainders_equal_values_worked_out_by_hand),
        cmocka_unit_test(remainders_equal_long_division),
        cmocka_unit_test(aligned_blocks_spread_evenly),
        cmocka_unit_test(power_of_two_strides_reach_every_slice),
        cmocka_unit_test(hashed_map_has_an_inverse),
        cmocka_unit_test(hashing_keeps_the_place_inside_a_channel),
        cmocka_unit_test(shifts_equal_divisions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
