/* SPDX-License-Identifier: Apache-2.0
 *
 * t_stages.c - sm.operand_stages: which instructions pass the stages between issue and the units,
 * their delay and their capacity.
 */
#include "sim/sm_rig.h"
#include "sim/sm_units.h"
#include "sim/timing_keys.h"

/* As without stages: one cycle each for the issue register, the collector and the execution
 * register, with one operand collected per cycle. */
static void stages_add_up(void **state)
{
    for (uint32_t n = 0; n < UNITS * 4; n++) {
        static const uint32_t more[] = {0, 1, 5, 13};
        uint32_t u = n % UNITS;
        struct rig rig;
        struct byw_config *c = rig_config(&rig);

        c->operand_stages = 1;
        *timing_key(state, c) += more[n / UNITS];
        rig_start(&rig);
        warp(&rig);
        add(&rig.bench, unit[u].cls, 1, 1);
        add(&rig.bench, BYW_CLASS_INT, 1, 0);
        place(&rig);
        expect_issues(&rig, SM_FIRST_ISSUE, 1);
        expect_issues(&rig,
                      SM_FIRST_ISSUE + 3 + value(c, unit[u].collect) + value(c, unit[u].latency) +
                          c->sm_writeback,
                      1);
        rig_end(&rig);
    }
}

/* While an instruction occupies its unit, the collectors and the registers before and after
 * them fill up. */
static void stages_hold(void **state)
{
    static const struct {
        size_t width;
        enum byw_class cls;
    } of[] = {{offsetof(struct byw_config, width_sp), BYW_CLASS_FP},
              {offsetof(struct byw_config, width_sfu), BYW_CLASS_SFU},
              {offsetof(struct byw_config, width_dp), BYW_CLASS_DP},
              {offsetof(struct byw_config, width_branch), BYW_CLASS_BRANCH},
              {offsetof(struct byw_config, width_mem), BYW_CLASS_SHARED_LOAD}};

    for (uint32_t n = 0; n < 5 * 3; n++) {
        static const uint32_t values[] = {1, 3, 8};
        struct rig rig;
        struct byw_config *c = rig_config(&rig);

        c->operand_stages = 1;
        c->sm_collectors = 2;
        c->ii_sp = c->ii_sfu = c->ii_dp = c->ii_branch = 64;
        *timing_key(state, c) = values[n / 5];
        rig_start(&rig);
        warp(&rig);
        for (uint32_t i = 0; i < 50; i++)
            add(&rig.bench, of[n % 5].cls, 1, 0)->degree = 255;
        place(&rig);
        while (rig.now < 60)
            step(&rig);
        assert_int_equal(issued(&rig), 1 + 2 * value(c, of[n % 5].width) + c->sm_collectors);
        rig_end(&rig);
    }
}

/* Eight instructions issue in one cycle; the key limits how many results complete per cycle. */
static void so_many_results_per_cycle(void **state)
{
    for (uint32_t n = 1; n <= 8; n *= 2) {
        struct rig rig;
        struct byw_config *c = rig_config(&rig);
        uint64_t at;

        c->operand_stages = 1;
        c->sm_own_units = 0;
        c->sm_schedulers = 8;
        c->sp_units = c->width_sp = c->result_buses = c->collector_ports = 8;
        *timing_key(state, c) = n;
        rig_start(&rig);
        for (uint32_t w = 0; w < 8; w++) {
            warp(&rig);
            add(&rig.bench, BYW_CLASS_BARRIER, 1, 0);
            add(&rig.bench, BYW_CLASS_INT, 1, 1);
            add(&rig.bench, BYW_CLASS_INT, 1, 0);
        }
        place(&rig);
        while (issued(&rig) < 8)
            next_issue(&rig);
        at = rig.now;
        expect_issues(&rig, at, 8);
        at += 3 + c->collect_int + c->lat_int + c->sm_writeback;
        for (uint32_t i = 0; i < 8 / n; i++)
            expect_issues(&rig, at + i, n);
        rig_end(&rig);
    }
}

/* Two branches: the result of the second one is one interval later. */
static void branches_take_their_interval(void **state)
{
    for (uint32_t n = 1; n <= 9; n += 4) {
        struct rig rig;
        struct byw_config *c = rig_config(&rig);

        c->operand_stages = 1;
        *timing_key(state, c) = n;
        rig_start(&rig);
        warp(&rig);
        add(&rig.bench, BYW_CLASS_BRANCH, 1, 0);
        add(&rig.bench, BYW_CLASS_BRANCH, 1, 1);
        add(&rig.bench, BYW_CLASS_INT, 1, 0);
        place(&rig);
        expect_issues(&rig, SM_FIRST_ISSUE, 1);
        expect_issues(&rig, SM_FIRST_ISSUE + 1, 1);
        expect_issues(&rig, SM_FIRST_ISSUE + n + 3 + c->collect_int + c->lat_int + c->sm_writeback,
                      1);
        rig_end(&rig);
    }
}

/* The second branch waits for the unit; with two units it does not. */
static void branch_units_work_side_by_side(void **state)
{
    for (uint32_t n = 1; n <= 2; n++) {
        struct rig rig;
        struct byw_config *c = rig_config(&rig);

        c->operand_stages = 1;
        c->ii_branch = 9;
        *timing_key(state, c) = n;
        rig_start(&rig);
        warp(&rig);
        add(&rig.bench, BYW_CLASS_BRANCH, 1, 0);
        add(&rig.bench, BYW_CLASS_BRANCH, 1, 1);
        add(&rig.bench, BYW_CLASS_INT, 1, 0);
        place(&rig);
        expect_issues(&rig, SM_FIRST_ISSUE, 1);
        expect_issues(&rig, SM_FIRST_ISSUE + 1, 1);
        expect_issues(&rig,
                      SM_FIRST_ISSUE + (n == 1 ? c->ii_branch : 1) + 3 + c->collect_int +
                          c->lat_int + c->sm_writeback,
                      1);
        rig_end(&rig);
    }
}

/* A warp keeps its slot until its exit, which has no operands and takes a cycle, has completed. */
static void an_exit_passes_the_stages(void **state)
{
    struct rig rig;
    struct byw_config *c = rig_config(&rig);

    (void)state;
    c->operand_stages = 1;
    rig_start(&rig);
    warp(&rig);
    add(&rig.bench, BYW_CLASS_EXIT, 1, 0);
    place(&rig);
    expect_issues(&rig, SM_FIRST_ISSUE, 1);
    while (rig.now < SM_FIRST_ISSUE + 3 + 1 + c->sm_writeback)
        step(&rig);
    assert_int_equal(byw_sm_ctas(rig.sm), 1);
    step(&rig);
    assert_int_equal(byw_sm_ctas(rig.sm), 0);
    rig_end(&rig);
}

int main(void)
{
#define STAGE TIMING_KEY
#define STAGE_BOUND TIMING_BOUND
    const struct CMUnitTest tests[] = {
#include "sim/timing_keys.def"
    };

    return cmocka_run_group_tests_name("stages", tests, NULL, NULL);
}
