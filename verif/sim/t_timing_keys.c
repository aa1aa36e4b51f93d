/* SPDX-License-Identifier: Apache-2.0
 *
 * t_timing_keys.c - every key of byw_params.def that delays or limits something has a probe in
 * timing_keys.def; and the probes of the policies' windows.
 */
#include <string.h>

#include "common/test.h"
#include "l1d/byw_l1d.h"
#include "policy/byw_cross_duel.h"
#include "policy/byw_sm_duel.h"
#include "policy/byw_two_level.h"
#include "sim/timing_keys.h"
#include "sim/timing_rows.h"

/* --- the policies' windows ---------------------------------------------------------------- */

/* A window's votes are counted in its last cycle and take effect four cycles later. */
static void duel_decides_at_its_interval(void **state)
{
    static const uint32_t cycles[] = {1, 2, 500};

    for (size_t i = 0; i < 2 * sizeof(cycles) / sizeof(cycles[0]); i++) {
        bool on = i % 2 == 0;
        struct byw_config c;
        struct byw_sm_duel duel;

        byw_config_defaults(&c);
        *timing_key(state, &c) = cycles[i / 2];
        c.duel_hold = 0;
        c.duel_min = 1;
        c.duel_init = on;
        byw_sm_duel_init(&duel, &c);
        byw_sm_duel_count(&duel, on ? 0 : 1, 1U << BYW_EV_LOAD | 1U << BYW_EV_MISS);
        byw_sm_duel_count(&duel, on ? 1 : 0, 1U << BYW_EV_LOAD | 1U << BYW_EV_HIT);
        for (uint32_t n = 1; n < cycles[i / 2] + 4; n++) {
            assert_int_equal(byw_sm_duel_tick(&duel, 1), 1);
            assert_int_equal(duel.on, on);
        }
        byw_sm_duel_tick(&duel, 1);
        assert_int_equal(duel.on, !on);
    }
}

/* The leaders follow the decision during the hold, then return to their roles. */
static void duel_holds_for_its_cycles(void **state)
{
    static const uint32_t cycles[] = {1, 2, 500};

    for (size_t i = 0; i < sizeof(cycles) / sizeof(cycles[0]); i++) {
        struct byw_config c;
        struct byw_sm_duel duel;

        byw_config_defaults(&c);
        *timing_key(state, &c) = cycles[i];
        c.duel_interval = 3;
        c.duel_follow = 1;
        c.duel_init = 1;
        byw_sm_duel_init(&duel, &c);
        for (uint32_t round = 0; round < 2; round++) {
            for (uint32_t n = 0; n < 3; n++) {
                assert_false(byw_sm_duel_filter(&duel, 1));
                byw_sm_duel_tick(&duel, 1);
            }
            for (uint32_t n = 0; n < cycles[i]; n++) {
                assert_true(byw_sm_duel_filter(&duel, 1));
                byw_sm_duel_tick(&duel, 1);
            }
        }
        assert_false(byw_sm_duel_filter(&duel, 1));
    }
}

/* Loads of the first cycles of a half do not count; those from then on do. */
static void crossover_settles_for_its_cycles(void **state)
{
    static const uint32_t cycles[] = {0, 1, 2, 300};

    for (size_t i = 0; i < sizeof(cycles) / sizeof(cycles[0]); i++) {
        struct byw_config c;
        struct byw_cross_duel duel;

        byw_config_defaults(&c);
        *timing_key(state, &c) = cycles[i];
        c.duel_interval = 4;
        byw_cross_duel_init(&duel, &c);
        for (uint32_t n = 0; n < cycles[i] + 3; n++) {
            byw_cross_duel_count(&duel, 0, 1U << BYW_EV_LOAD);
            byw_cross_duel_tick(&duel, 1);
            assert_int_equal(duel.loads[BYW_CROSS_FILTER], n < cycles[i] ? 0 : n - cycles[i] + 1);
        }
    }
}

/* Samples for the key's number of cycles, then idles until the next sample, repeatedly. */
static void two_level_samples_in_its_windows(void **state)
{
    static const uint32_t cycles[] = {1, 2, 300};

    for (size_t i = 0; i < sizeof(cycles) / sizeof(cycles[0]); i++) {
        struct byw_l1d_ctrl ctrl = {.kernel_start = true, .cta_placed = true};
        struct byw_two_level tl;
        struct byw_config c;

        byw_config_defaults(&c);
        c.tl_on = 1;
        assert_int_equal(byw_config_set(&c, "two_level.resample", "periodic", "test", NULL),
                         BYW_OK);
        c.tl_sample = 40;
        c.tl_period = 70;
        *timing_key(state, &c) = cycles[i];
        byw_two_level_init(&tl, &c);
        byw_two_level_tick(&tl, &ctrl, 0);
        memset(&ctrl, 0, sizeof(ctrl));
        for (uint32_t n = 0; n < 3; n++) /* until the CTA that follows the kernel start counts */
            byw_two_level_tick(&tl, &ctrl, 0);
        for (uint32_t round = 0; round < 3; round++) {
            for (uint32_t n = 0; n < c.tl_sample; n++) {
                assert_int_equal(byw_two_level_state(&tl), BYW_TL_SAMPLE);
                byw_two_level_tick(&tl, &ctrl, 0);
            }
            for (uint32_t n = 0; n < c.tl_period; n++) {
                /* too few loads; the first cycle of the verdict */
                assert_int_equal(byw_two_level_state(&tl), n == 0 ? BYW_TL_CACHE : BYW_TL_BYPASS);
                byw_two_level_tick(&tl, &ctrl, 0);
            }
        }
    }
}

/* --- completeness ------------------------------------------------------------------------- */

/* Whether a key's unit is cycles or clocks, whatever it means. */
static bool is_time(const struct byw_param *param)
{
    return strstr(param->meaning, "cycles") != NULL || strstr(param->meaning, "clocks") != NULL;
}

/* Every machine key has a row; those in cycles, policy keys included, have a probe. Keys of
 * mechanisms in C are tested in verif/comparator. */
static void every_key_has_its_row(void **state)
{
    (void)state;
    for (size_t i = 0; i < byw_param_count(); i++) {
        const struct byw_param *param = byw_param(i);
        uint32_t probes = timing_rows(param->offset, true);
        uint32_t excuses = timing_rows(param->offset, false);

        if (param->offset >= offsetof(struct byw_config, mech))
            continue;
        if (probes + excuses == 0 && (param->file == BYW_PARAM_MACHINE || is_time(param)))
            fail_msg("timing_keys.def has no row for %s", param->key);
        if (probes == 0 && is_time(param))
            fail_msg("no test probes %s, %s", param->key, param->meaning);
        if (excuses > 1 || (probes > 0 && excuses > 0))
            fail_msg("timing_keys.def both probes %s and says that it has no time", param->key);
    }
}

int main(void)
{
#define POLICY TIMING_KEY
    const struct CMUnitTest tests[] = {
#include "sim/timing_keys.def"
        cmocka_unit_test(every_key_has_its_row),
    };

    return cmocka_run_group_tests_name("timing_keys", tests, NULL, NULL);
}
