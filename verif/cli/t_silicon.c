/* SPDX-License-Identifier: Apache-2.0
 *
 * The 45 nm model: how close it is to the arrays it was fitted to and to others, and the names and
 * sizes of a configuration's memories (cmodel/doc/cost.md).
 */
#include "common/test.h"
#include "study/job/byw_silicon.h"

/* Expects between `least` and `most` percent of another source's figure. */
static void within(double ours, double theirs, double least, double most)
{
    double percent = 100.0 * ours / theirs;

    if (percent < least || percent > most)
        fail_msg("%g is %.1f %% of %g, not %g to %g %%", ours, percent, theirs, least, most);
}

static void model_is_near_known_arrays(void **state)
{
    (void)state;
    within(byw_sram_read_pj(128, 64), 1.43, 99, 101); /* CACTI 7 */
    within(byw_sram_read_pj(256, 64), 2.35, 86, 90);
    within(byw_sram_read_pj(128, 1024), 78, 99, 101);
    within(byw_sram_read_pj(128, 4), 0.126232, 99, 101); /* paper 002's table */
    within(byw_sram_area_um2(128, 64), 3600, 116, 119);
    within(byw_sram_area_um2(256, 64), 7550, 99, 101);
    within(byw_sram_area_um2(128, 1024), 141000, 99, 101);
    within(byw_sram_leak_uw(128, 64), 1210, 98, 101);
    within(byw_sram_leak_uw(256, 64), 2710, 87, 90);
    within(byw_sram_leak_uw(128, 1024), 18500, 102, 106);
    /* Not fitted: reading 64 bits from caches of 8 and 32 KB takes 10 and 20 pJ (Horowitz, ISSCC
     * 2014), tag compare and control included. */
    within(byw_sram_read_pj(1024, 64), 10, 40, 60);
    within(byw_sram_read_pj(4096, 64), 20, 50, 70);
}

static struct byw_config plain(void)
{
    struct byw_config c;

    byw_config_defaults(&c);
    c.pa_bits = 40;
    return c;
}

static uint64_t bits_of(const struct byw_silicon *cost, const char *name)
{
    const struct byw_silicon_row *row = byw_silicon_find(cost, name);

    return row == NULL ? 0 : row->words != 0 ? row->words * row->bits : row->bits;
}

static void memories_follow_from_the_configuration(void **state)
{
    struct byw_config c = plain();
    struct byw_silicon cost;
    uint64_t sum = 0;

    (void)state;
    byw_silicon_of(&c, &cost);
    assert_int_equal(bits_of(&cost, "tags"), 128 * (28 + 2 + 2));
    assert_int_equal(bits_of(&cost, "data"), 16384 * 8);
    assert_int_equal(bits_of(&cost, "dirty bytes"), 128 * (128 + 33));
    assert_int_equal(bits_of(&cost, "MSHR targets"), 32 * 8 * 16);
    assert_int_equal(bits_of(&cost, "queue"), 16 * (1024 + 128 + 33 + 32 + 16));
    assert_null(byw_silicon_find(&cost, "trackers"));
    assert_null(byw_silicon_find(&cost, "PC table"));
    assert_null(byw_silicon_find(&cost, "held windows"));
    for (size_t i = 0; i < cost.count; i++)
        sum += bits_of(&cost, cost.row[i].name);
    assert_int_equal(cost.bits, sum);
    c.policy_mode = BYW_MODE_DECOUPLED;
    c.dec_tag_ways = 8;
    c.dec_rc_bits = 6;
    byw_silicon_of(&c, &cost);
    assert_int_equal(bits_of(&cost, "tags"), 256 * (28 + 2 + 6 + 2 + 3) + 128 * (3 + 2 + 2));
    assert_int_equal(bits_of(&cost, "trackers"), 64 * 16);
    c = plain();
    c.pc_on = 1;
    byw_silicon_of(&c, &cost);
    assert_int_equal(bits_of(&cost, "PC table"), 128 * 4);
    assert_int_equal(bits_of(&cost, "hashes of lines"), 128 * 7);
    assert_int_equal(bits_of(&cost, "hashes in flight"), (32 + 64) * 7);
    assert_int_equal(bits_of(&cost, "trackers"), 64 * 16);
    c = plain();
    c.tl_on = 1;
    byw_silicon_of(&c, &cost);
    assert_int_equal(bits_of(&cost, "held windows"), 8 * 89);
    assert_int_equal(bits_of(&cost, "trackers"), 64 * 16);
}

/* Every register bit is clocked in every cycle; memory bits are not. */
static void only_registers_are_clocked_every_cycle(void **state)
{
    struct byw_config c = plain();
    struct byw_silicon cost;

    (void)state;
    byw_silicon_of(&c, &cost);
    within(cost.clock_pj, 0.005 * (double)bits_of(&cost, "registers"), 99.999, 100.001);
    assert_true(byw_silicon_find(&cost, "tags")->clock_pj == 0.0);
    assert_true(byw_silicon_find(&cost, "registers")->read_pj == 0.0);
    within(byw_silicon_find(&cost, "registers")->area_um2,
           4.52 * (double)bits_of(&cost, "registers"), 99.999, 100.001);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_is_near_known_arrays),
        cmocka_unit_test(memories_follow_from_the_configuration),
        cmocka_unit_test(only_registers_are_clocked_every_cycle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
