/* SPDX-License-Identifier: Apache-2.0
 *
 * Clock domains: number of edges, order of edges inside a core cycle, and that only ratios matter.
 */
#include "memsys_rig.h"
#include "sim/memory/byw_clock.h"

static void count_edges(const struct byw_clock *clock, uint64_t cycles, uint64_t edges[BYW_CLOCKS])
{
    uint32_t count;

    memset(edges, 0, BYW_CLOCKS * sizeof(edges[0]));
    for (uint64_t n = 0; n < cycles; n++) {
        const uint8_t *step = byw_clock_steps(clock, (uint32_t)(n % clock->period), &count);

        assert_true(step[0] & (1U << BYW_CLOCK_CORE));
        for (uint32_t i = 0; i < count; i++) {
            assert_true(step[i] != 0 && (i == 0 || !(step[i] & (1U << BYW_CLOCK_CORE))));
            for (uint32_t d = 0; d < BYW_CLOCKS; d++) {
                if (!((step[i] >> d) & 1))
                    continue;
                assert_int_equal(byw_clock_cycle(clock, d, edges[d]), n);
                edges[d]++;
            }
        }
        for (uint32_t d = 0; d < BYW_CLOCKS; d++)
            assert_int_equal(byw_clock_edges(clock, d, n + 1), edges[d]);
    }
}

/* 700 cycles at 700 MHz take 1 us, so a clock of f MHz has f edges in that time. */
static void a_clock_has_its_frequency_in_edges(void **state)
{
    static const uint32_t mhz[][BYW_CLOCKS] = {
        {700, 700, 700, 924}, {700, 650, 1400, 924}, {1, 1, 1, 1}, {1000, 3, 997, 1}, {1, 5, 3, 7}};

    (void)state;
    for (size_t i = 0; i < sizeof(mhz) / sizeof(mhz[0]); i++) {
        struct byw_clock clock;
        uint64_t edges[BYW_CLOCKS];

        assert_int_equal(byw_clock_init(&clock, mhz[i]), BYW_OK);
        count_edges(&clock, mhz[i][0] * 3, edges);
        for (uint32_t d = 0; d < BYW_CLOCKS; d++)
            assert_int_equal(edges[d], mhz[i][d] * 3);
        byw_clock_free(&clock);
    }
}

static void only_ratios_of_clocks_matter(void **state)
{
    static const uint32_t one[BYW_CLOCKS] = {700, 650, 700, 924};
    static const uint32_t two[BYW_CLOCKS] = {1400, 1300, 1400, 1848};
    struct byw_clock a, b;

    (void)state;
    assert_int_equal(byw_clock_init(&a, one), BYW_OK);
    assert_int_equal(byw_clock_init(&b, two), BYW_OK);
    assert_int_equal(a.period, b.period);
    assert_memory_equal(a.start, b.start, (a.period + 1) * sizeof(a.start[0]));
    assert_memory_equal(a.step, b.step, a.start[a.period]);
    byw_clock_free(&a);
    byw_clock_free(&b);
}

/* Core 2, crossbar 3, L2 2, DRAM 6: edges at multiples of 1/6 cycle, in order of time. */
static void edges_come_in_order_of_time(void **state)
{
    enum {
        C = 1 << BYW_CLOCK_CORE,
        I = 1 << BYW_CLOCK_ICNT,
        L = 1 << BYW_CLOCK_L2,
        D = 1 << BYW_CLOCK_DRAM
    };
    static const uint32_t mhz[BYW_CLOCKS] = {2, 3, 2, 6};
    static const uint8_t want[] = {C | I | L | D, D, I | D, C | L | D, I | D, D};
    struct byw_clock clock;
    uint32_t count;

    (void)state;
    assert_int_equal(byw_clock_init(&clock, mhz), BYW_OK);
    assert_memory_equal(byw_clock_steps(&clock, 0, &count), want, 3);
    assert_int_equal(count, 3);
    assert_memory_equal(byw_clock_steps(&clock, 1, &count), want + 3, 3);
    assert_int_equal(count, 3);
    byw_clock_free(&clock);
}

static void a_clock_of_zero_is_refused(void **state)
{
    static const uint32_t mhz[BYW_CLOCKS] = {700, 700, 0, 924};
    struct byw_clock clock;

    (void)state;
    assert_int_equal(byw_clock_init(&clock, mhz), BYW_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clock_has_its_frequency_in_edges),
        cmocka_unit_test(only_ratios_of_clocks_matter),
        cmocka_unit_test(edges_come_in_order_of_time),
        cmocka_unit_test(a_clock_of_zero_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
