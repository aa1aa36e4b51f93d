/* SPDX-License-Identifier: Apache-2.0
 *
 * The address map: values worked out by hand, its inverse, and the refusals.
 */
#include "memsys_rig.h"
#include "sim/memory/byw_addrmap.h"

static struct byw_addrmap map_of(const struct byw_config *config)
{
    struct byw_addrmap map;
    struct byw_diag diag = {""};

    if (byw_addrmap_init(&map, config, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
    return map;
}

/* Six channels: 0x12345678 >> 8 is 0x123456 = 1193046 = 6 * 198841 + 0; 198841 is 0x308b9, so the
 * local address is 0x308b978 = 11 0000 1000 1011 1001 0111 1000. */
static void mapping_equals_values_worked_out_by_hand(void **state)
{
    struct byw_config config;
    struct byw_addrmap map;
    struct byw_addr_parts parts;

    (void)state;
    rig_config(&config);
    map = map_of(&config);
    assert_int_equal(byw_addrmap_channel(&map, 0x12345678), 0);
    assert_int_equal(byw_addrmap_channel(&map, 0x12345778), 1);
    assert_int_equal(byw_addrmap_channel(&map, 0x12345b78), 5);
    assert_int_equal(byw_addrmap_local(&map, 0x12345678), 0x308b978);
    assert_int_equal(byw_addrmap_local(&map, 0x12345b78), 0x308b978);
    assert_int_equal(byw_addrmap_local(&map, 0x12345c78), 0x308ba78);
    parts = byw_addrmap_split(&map, 0x12345678);
    assert_int_equal(parts.channel, 0);
    assert_int_equal(parts.row, 0x308);
    /* Bits 15..13 are 101, bit 8 is 1. */
    assert_int_equal(parts.bank, 0xb);
    /* Bits 12..9 are 1100, bits 7..6 are 01, bits 5..0 are 111000. */
    assert_int_equal(parts.column, (0xc << 8) | (1 << 6) | 0x38);
    /* Line 128, 64 sets: bits 12..7 of the local address. */
    assert_int_equal(byw_addrmap_set(&map, 0x12345678), (0x308b978 >> 7) & 63);
    assert_int_equal(byw_addrmap_slice(&map, 0x12345b78), 5);
}

static void mapping_has_an_inverse(void **state)
{
    static const uint32_t channels[] = {1, 2, 3, 6, 8, 24};
    uint64_t seed = rig_seed(), x = seed;
    struct byw_config config;

    (void)state;
    for (size_t c = 0; c < sizeof(channels) / sizeof(channels[0]); c++) {
        for (uint32_t inner = 1; inner <= 4; inner *= 2) {
            struct byw_addrmap map;

            rig_config(&config);
            config.dram_channels = channels[c];
            config.l2_slices = channels[c] * inner;
            map = map_of(&config);
            for (int i = 0; i < 20000; i++) {
                uint64_t addr = rig_random(&x) >> 4;
                struct byw_addr_parts parts = byw_addrmap_split(&map, addr);
                uint32_t slice = byw_addrmap_slice(&map, addr);

                RIG_CHECK(byw_addrmap_join(&map, &parts) == addr, seed);
                RIG_CHECK(parts.channel < channels[c] && parts.bank < 16, seed);
                RIG_CHECK(parts.channel == slice / inner, seed);
                RIG_CHECK(slice % inner == (parts.bank & (inner - 1)), seed);
            }
        }
    }
}

/* The inverse: different locations have different addresses. */
static void different_places_have_different_addresses(void **state)
{
    uint64_t seed = rig_seed(), x = seed;
    struct byw_config config;
    struct byw_addrmap map;

    (void)state;
    rig_config(&config);
    map = map_of(&config);
    for (int i = 0; i < 50000; i++) {
        struct byw_addr_parts in = {
            .row = rig_random(&x) >> 32,
            .channel = rig_below(&x, 6),
            .bank = rig_below(&x, 16),
            .column = rig_below(&x, 1 << 12),
        };
        struct byw_addr_parts out = byw_addrmap_split(&map, byw_addrmap_join(&map, &in));

        RIG_CHECK(in.row == out.row && in.channel == out.channel && in.bank == out.bank &&
                      in.column == out.column,
                  seed);
    }
}

/* With a power of two of channels, the division selects bits. */
static void powers_of_two_select_bits(void **state)
{
    uint64_t x = rig_seed();
    struct byw_config config;
    struct byw_addrmap map;

    (void)state;
    rig_config(&config);
    config.dram_channels = config.l2_slices = 8;
    map = map_of(&config);
    for (int i = 0; i < 10000; i++) {
        uint64_t addr = rig_random(&x);

        assert_int_equal(byw_addrmap_channel(&map, addr), (addr >> 8) & 7);
        assert_int_equal(byw_addrmap_local(&map, addr), (addr & 0xff) | ((addr >> 11) << 8));
    }
}

/* Consecutive lines of one slice use consecutive sets, so all sets are used equally. */
static void all_sets_are_used_equally(void **state)
{
    struct byw_config config;
    struct byw_addrmap map;

    (void)state;
    for (uint32_t inner = 1; inner <= 2; inner++) {
        uint32_t count[12][64] = {{0}};

        rig_config(&config);
        config.l2_slices = 6 * inner;
        map = map_of(&config);
        for (uint64_t line = 0; line < 6 * inner * 64 * 10; line++)
            count[byw_addrmap_slice(&map, line * 128)][byw_addrmap_set(&map, line * 128)]++;
        for (uint32_t s = 0; s < 6 * inner; s++)
            for (uint32_t set = 0; set < 64; set++)
                assert_int_equal(count[s][set], 10);
    }
}

static void impossible_maps_are_refused(void **state)
{
    static const struct {
        const char *map;
        uint32_t slices, banks;
    } bad[] = {
        {"RRRR.BBBCCCCB.CCSSSSS", 6, 16}, /* atom of 32 bytes */
        {"RRRR.BBCCCCB.CCSSSSSS", 6, 16}, /* 8 banks */
        {"RRRR.BBB0CCCB.CCSSSSSS", 6, 16}, /* hole */
        {"RRRR.BBBXCCCB.CCSSSSSS", 6, 16},
        {"", 6, 16},
        {"0000RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS", 7, 16}, /* slices */
        {"0000RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS", 18, 16},
        {"RRRRRRRR.BBBCCCCC.CBSSSSSS", 12, 16}, /* a line on two slices */
    };

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct byw_config config;
        struct byw_addrmap map;
        struct byw_diag diag = {""};

        rig_config(&config);
        snprintf(config.dram_map, sizeof(config.dram_map), "%s", bad[i].map);
        config.l2_slices = bad[i].slices;
        config.dram_banks = bad[i].banks;
        assert_int_equal(byw_addrmap_init(&map, &config, &diag), BYW_EINVAL);
        assert_true(strstr(diag.text, "expected") != NULL || strstr(diag.text, "has") != NULL ||
                    strstr(diag.text, "split") != NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mapping_equals_values_worked_out_by_hand),
        cmocka_unit_test(mapping_has_an_inverse),
        cmocka_unit_test(different_places_have_different_addresses),
        cmocka_unit_test(powers_of_two_select_bits),
        cmocka_unit_test(all_sets_are_used_equally),
        cmocka_unit_test(impossible_maps_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
