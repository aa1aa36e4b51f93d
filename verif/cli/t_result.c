/* SPDX-License-Identifier: Apache-2.0
 *
 * t_result.c - the result record: stable names, values in their places, energy, table of counters.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_mech.h"
#include "common/test.h"
#include "study/job/byw_result_json.h"

/* A result in which every counter has a different value. */
struct fixture {
    struct byw_config config;
    struct byw_gpu_result run;
    struct byw_gpu_sm sm[2];
    struct byw_gpu_kernel kernel[1];
};

static void fill_l1(struct byw_l1_stats *l1, uint64_t base)
{
    for (int i = 0; i < BYW_EV_COUNT; i++)
        l1->ev[i] = base + (uint64_t)i;
    l1->stall_cycles = base + 90;
    l1->filter_on_cycles = base + 91;
}

static int make_fixture(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));

    if (f == NULL)
        return -1;
    byw_config_defaults(&f->config);
    f->run.cycles = 1000;
    f->run.flush_cycles = 250; /* included in `cycles` */
    f->run.warp_instructions = 500;
    f->run.thread_instructions = 16000;
    fill_l1(&f->run.l1, 3000);
    f->run.mem = (struct byw_mem_stats){.l2.reads = 41,
                                        .l2.writes = 42,
                                        .l2.hits = 43,
                                        .l2.misses = 44,
                                        .dram_reads = 45,
                                        .dram_writes = 46,
                                        .dram_row_hits = 47,
                                        .dram_activates = 48};
    f->run.sm_count = 2;
    f->run.sm = f->sm;
    f->run.kernel_count = 1;
    f->run.kernel = f->kernel;
    fill_l1(&f->sm[0].l1, 100);
    fill_l1(&f->sm[1].l1, 200);
    f->sm[1].cycles_active = 77;
    strcpy(f->kernel[0].name, "kernel \"a\"");
    fill_l1(&f->kernel[0].l1, 300);
    f->kernel[0].cycles = 900;
    f->kernel[0].warp_instructions = 150;
    f->kernel[0].thread_instructions = 4500;
    *state = f;
    return 0;
}

static int drop_fixture(void **state)
{
    free(*state);
    return 0;
}

static json_t *record(const struct fixture *f)
{
    const struct byw_run_names names = {
        .workload = "nw", .machine = "fermi", .policy = "bl", .trace_format = "bwt1"};
    const struct byw_cost cost = {.seconds = 2.0, .peak_rss_mb = 5.0};
    json_t *json = byw_result_json(&names, &f->config, &f->run, &cost);

    assert_non_null(json);
    return json;
}

static const json_t *at(const json_t *json, const char *path)
{
    char part[64];
    const char *dot;

    while ((dot = strchr(path, '.')) != NULL) {
        snprintf(part, sizeof(part), "%.*s", (int)(dot - path), path);
        json = json_object_get(json, part);
        assert_non_null(json);
        path = dot + 1;
    }
    return json_object_get(json, path);
}

/* Names that other tools rely on, with the value each must have here. */
static void result_names_are_stable(void **state)
{
    static const struct {
        const char *path;
        double value;
    } want[] = {
        {"cycles", 1000},
        {"warp_instructions", 500},
        {"thread_instructions", 16000},
        {"ipc", 16}, /* over all cycles, which include those of flushes */
        {"l2.flush_cycles", 250},
        {"l1d.hits", 3000 + BYW_EV_HIT},
        {"l1d.hit_pending", 3000 + BYW_EV_HIT_PENDING},
        {"l1d.misses", 3000 + BYW_EV_MISS},
        {"l1d.sector_misses", 3000 + BYW_EV_SECTOR_MISS},
        {"l1d.bypasses", 6000 + BYW_EV_BYPASS + BYW_EV_ATOMIC},
        {"l1d.reservation_fails.line", 3000 + BYW_EV_FAIL_LINE},
        {"l1d.reservation_fails.mshr", 3000 + BYW_EV_FAIL_MSHR},
        {"l1d.reservation_fails.merge", 3000 + BYW_EV_FAIL_MERGE},
        {"l1d.reservation_fails.miss_queue", 3000 + BYW_EV_FAIL_MISS_QUEUE},
        {"l1d.reservation_fails.icnt", 3000 + BYW_EV_FAIL_ICNT},
        {"l1d.stall_cycles", 3090},
        {"l1d.fills", 3000 + BYW_EV_FILL},
        {"l1d.evictions", 3000 + BYW_EV_EVICT},
        {"l1d.zero_reuse_evictions", 3000 + BYW_EV_EVICT_ZERO},
        {"l2.reads", 41},
        {"l2.writes", 42},
        {"l2.hits", 43},
        {"l2.misses", 44},
        {"dram.reads", 45},
        {"dram.writes", 46},
        {"dram.row_hits", 47},
        {"dram.activates", 48},
        {"policy_stats.filter_on_cycles", 3091},
        {"sim.seconds", 2},
        {"sim.kips", 8},
        {"sim.kcps", 0.5},
        {"sim.peak_rss_mb", 5},
    };
    json_t *json = record(*state);

    for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
        const json_t *value = at(json, want[i].path);

        if (!json_is_number(value) || fabs(json_number_value(value) - want[i].value) > 1e-9)
            fail_msg("%s is %g, wanted %g", want[i].path, json_number_value(value), want[i].value);
    }
    assert_string_equal(byw_result_text(json, "schema"), BYW_RESULT_SCHEMA);
    assert_string_equal(byw_result_text(json, "workload"), "nw");
    assert_string_equal(byw_result_text(json, "machine"), "fermi");
    assert_string_equal(byw_result_text(json, "policy"), "bl");
    assert_true(json_is_object(at(json, "energy")));
    json_decref(json);
}

static void rates_follow_from_counters(void **state)
{
    json_t *json = record(*state);
    double loads = 3000.0 + BYW_EV_LOAD;
    double all = loads + 3000.0 + BYW_EV_STORE + 3000.0 + BYW_EV_ATOMIC;
    double hits = 3000.0 + BYW_EV_HIT;
    double bypasses = 6000.0 + BYW_EV_BYPASS + BYW_EV_ATOMIC;

    assert_true(byw_result_number(json, "l1d.accesses") == all);
    assert_true(fabs(byw_result_number(json, "l1d.hit_rate_all") - hits / all) < 1e-12);
    assert_true(fabs(byw_result_number(json, "l1d.hit_rate_cached") - hits / (all - bypasses)) <
                1e-12);
    json_decref(json);
}

static void an_empty_run_has_no_nan(void **state)
{
    struct fixture *f = *state;
    struct fixture empty = {.config = f->config};
    const struct byw_run_names names = {
        .workload = "w", .machine = "m", .policy = "p", .trace_format = "f"};
    const struct byw_cost cost = {0};
    json_t *json = byw_result_json(&names, &empty.config, &empty.run, &cost);
    char *text = byw_json_text(json);

    assert_non_null(text);
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    assert_true(byw_result_number(json, "l1d.hit_rate_cached") == 0.0);
    free(text);
    json_decref(json);
}

static void lists_have_an_entry_per_sm_and_launch(void **state)
{
    json_t *json = record(*state);
    const json_t *sm = json_object_get(json, "per_sm");
    const json_t *kernel = json_object_get(json, "per_kernel");

    assert_int_equal(json_array_size(sm), 2);
    assert_int_equal(json_integer_value(at(json_array_get(sm, 1), "sm")), 1);
    assert_int_equal(json_integer_value(at(json_array_get(sm, 1), "cycles_active")), 77);
    assert_int_equal(json_integer_value(at(json_array_get(sm, 1), "l1d.hits")), 200 + BYW_EV_HIT);
    assert_int_equal(json_array_size(kernel), 1);
    assert_string_equal(json_string_value(at(json_array_get(kernel, 0), "name")), "kernel \"a\"");
    assert_int_equal(json_integer_value(at(json_array_get(kernel, 0), "cycles")), 900);
    assert_true(json_real_value(at(json_array_get(kernel, 0), "ipc")) == 5.0);
    assert_int_equal(json_integer_value(at(json_array_get(kernel, 0), "l1d.fills")),
                     300 + BYW_EV_FILL);
    json_decref(json);
}

static void config_has_every_key(void **state)
{
    json_t *json = record(*state);
    const json_t *config = json_object_get(json, "config");

    assert_int_equal(json_object_size(config), byw_param_count());
    for (size_t i = 0; i < byw_param_count(); i++) {
        const json_t *value = json_object_get(config, byw_param(i)->key);

        assert_true(byw_param(i)->kind == BYW_PARAM_U32 ? json_is_integer(value)
                                                        : json_is_string(value));
    }
    assert_int_equal(json_integer_value(json_object_get(config, "l1d.sets")), 32);
    assert_string_equal(json_string_value(json_object_get(config, "l1d.allocate")), "on_miss");
    json_decref(json);
}

/* Every row of the table has its own text and exists in the JSON. */
static void every_counter_has_a_text_and_a_place(void **state)
{
    struct fixture *f = *state;
    json_t *json;

    /* counters of mechanisms appear only in runs of these policies */
    for (size_t i = 0; i < byw_mech_count(); i++)
        if (byw_mech(i)->counter_count != 0)
            assert_int_equal(byw_config_set(&f->config, byw_mech(i)->enable, "on", "", NULL),
                             BYW_OK);
    json = record(f);
    for (size_t i = 0; i < byw_counter_count(); i++) {
        struct byw_counter c = byw_counter(i);
        const char *entry = strstr(c.path, "[].");
        char list[64];

        assert_non_null(c.when);
        assert_true(strlen(c.when) > 8);
        assert_true(strlen(c.unit) > 0);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(byw_counter(j).path, c.path);
        if (c.scope == BYW_SCOPE_LOAD) /* counters of loads need run --loads: see t_load_traffic */
            continue;
        if (entry == NULL) {
            assert_true(json_is_number(at(json, c.path)));
            continue;
        }
        snprintf(list, sizeof(list), "%.*s", (int)(entry - c.path), c.path);
        assert_true(json_is_number(at(json_array_get(json_object_get(json, list), 0), entry + 3)));
    }
    json_decref(json);
}

/* Each of these accesses the L2's data or tags once, with the energy of a 64 KB array: twice that
 * of 16 KB. Nothing else costs L2 energy. */
static void l2_accesses_cost_energy_once(void **state)
{
    static const size_t counted[] = {offsetof(struct byw_level_stats, reads),
                                     offsetof(struct byw_level_stats, writes),
                                     offsetof(struct byw_level_stats, atomics),
                                     offsetof(struct byw_level_stats, insts),
                                     offsetof(struct byw_level_stats, misses),
                                     offsetof(struct byw_level_stats, writebacks),
                                     offsetof(struct byw_level_stats, write_fetches)};
    struct fixture *f = *state;
    struct byw_config c = f->config;

    c.l2_sets = 64;
    c.l2_ways = 8;
    c.l2_line = 128;
    for (size_t i = 0; i < sizeof(counted) / sizeof(counted[0]); i++) {
        struct byw_gpu_result run = {.cycles = 1};
        struct byw_energy e;

        *(uint64_t *)((char *)&run.mem.l2 + counted[i]) = 1000;
        byw_energy_of(&c, &run, &e);
        assert_true(fabs(e.l2 - 1000 * 2 * 0.078) < 1e-9);
        assert_true(fabs(e.total - e.l1 - e.l2) < 1e-9);
    }
}

/* The energy model, computed by hand for round event counts. */
static void energy_equals_a_sum_by_hand(void **state)
{
    struct fixture *f = *state;
    struct byw_gpu_result run = {.cycles = 700000}; /* 1 ms at 700 MHz */
    struct byw_energy e;

    run.l1.ev[BYW_EV_TAG_READ] = 1000;
    run.l1.ev[BYW_EV_DATA_READ] = 600;
    run.l1.ev[BYW_EV_DATA_WRITE] = 400;
    run.mem.dram_reads = 10;
    run.mem.dram_activates = 5;
    byw_energy_of(&f->config, &run, &e);
    assert_true(fabs(e.l1_tag - 1.43) < 1e-9); /* 1000 x 0.00143 nJ */
    assert_true(fabs(e.l1_data - 78.0) < 1e-9); /* 1000 x 0.078 nJ */
    assert_true(fabs(e.l1_leakage - 15 * 19.71e3) < 1e-6); /* 15 x 19.71 mW x 1 ms */
    assert_true(fabs(e.dram - (10 * 512 * 0.012 + 5 * 2.0)) < 1e-9);
    assert_true(fabs(e.total - (e.l1 + e.icnt + e.l2 + e.dram)) < 1e-9);
    f->config.icnt_flit = 32;
    run.mem.icnt_req_flits = 100;
    run.mem.icnt_rsp_flits = 300;
    byw_energy_of(&f->config, &run, &e);
    assert_true(fabs(e.icnt - 400 * 32 * 0.0016) < 1e-9); /* both ways */
    assert_true(fabs(e.total - (e.l1 + e.icnt + e.l2 + e.dram)) < 1e-9);
}

/* 256 tags while the filter works; ways used only by the filter are power-gated while it is off. */
static void gated_ways_cost_no_energy(void **state)
{
    static const double on[] = {0.0, 0.5, 1.0}, nj[] = {1.43, 1.89, 2.35};
    struct fixture *f = *state;

    for (int i = 0; i < 3; i++) {
        struct byw_gpu_result run = {.cycles = 700000};
        struct byw_config c = f->config;
        struct byw_energy e;

        c.policy_mode = BYW_MODE_DECOUPLED;
        run.l1.ev[BYW_EV_TAG_READ] = 1000;
        run.l1.filter_on_cycles = (uint64_t)(on[i] * 15 * 700000);
        byw_energy_of(&c, &run, &e);
        assert_true(fabs(e.l1_tag - nj[i]) < 1e-9);
    }
}

/* The PC predictor: a third more per tag access, its table, 2.5 % more leakage. */
static void predictor_adds_its_energy(void **state)
{
    static const enum byw_policy_event table[] = {BYW_PEV_PC_ASK, BYW_PEV_PC_REUSED,
                                                  BYW_PEV_PC_DEAD, BYW_PEV_PC_MISPREDICT};
    struct fixture *f = *state;
    struct byw_config c = f->config;

    c.pc_on = 1;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        struct byw_gpu_result run = {.cycles = 700000};
        struct byw_energy e;

        run.l1.ev[BYW_EV_TAG_READ] = 1000;
        run.l1.policy[table[i]] = 1000;
        byw_energy_of(&c, &run, &e);
        assert_true(fabs(e.l1_tag - 1.43 * 1.3324) < 1e-9);
        assert_true(fabs(e.l1_predictor - 0.126232) < 1e-9);
        assert_true(fabs(e.l1_leakage - 15 * 19.71e3 * 1.02526) < 1e-6);
        assert_true(fabs(e.l1 - e.l1_tag - e.l1_predictor - e.l1_leakage) < 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(result_names_are_stable),
        cmocka_unit_test(rates_follow_from_counters),
        cmocka_unit_test(an_empty_run_has_no_nan),
        cmocka_unit_test(lists_have_an_entry_per_sm_and_launch),
        cmocka_unit_test(config_has_every_key),
        cmocka_unit_test(every_counter_has_a_text_and_a_place),
        cmocka_unit_test(energy_equals_a_sum_by_hand),
        cmocka_unit_test(gated_ways_cost_no_energy),
        cmocka_unit_test(predictor_adds_its_energy),
        cmocka_unit_test(l2_accesses_cost_energy_once),
    };

    return cmocka_run_group_tests_name("result", tests, make_fixture, drop_fixture);
}
