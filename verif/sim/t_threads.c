/* SPDX-License-Identifier: Apache-2.0
 *
 * t_threads - the result of a run does not depend on the number of simulating threads, nor on how
 * far SMs run ahead of the memory side: shipped traces on shipped machines under policies that
 * couple SMs, with 1, 2, 3, 4 and 8 threads, compared number by number in the JSON with a run that
 * steps everything in every cycle.  Also a kernel of several waves of CTAs on every machine file.
 */
#include <string.h>

#include "gpu_rig.h"
#include "sim/gpu/byw_gpu.h"
#include "study/job/byw_job.h"
#include "study/job/byw_result_json.h"
#include "study/job/byw_setup.h"

/* Keys to set, in two variants; NULL: as shipped. */
static const struct {
    const char *workload, *machine, *policy, *set[5];
    uint64_t cycles; /* limit on the simulated cycles */
} run[] = {
    {"spmv", "fermi", "bl", {NULL}, 6000},
    /* Many launches of a few CTAs: most SMs are empty, and launches end often. */
    {"bfs", "fermi", "decoupled_duel", {"duel.interval=300", "duel.hold=77"}, 12000},
    {"srad_v1", "v100", "pc", {NULL}, 3000},
    {"gaussian", "pascal_gpgpusim", "two_level", {NULL}, 12000},
    {"hotspot", "rdna2", "bl", {NULL}, 4000}, /* GL1s and an L3 */
    {"fwsoft", "gcn_ml", "mi_cacherw_cr", {NULL}, 6000}, /* flushes at the ends of launches */
    {"backprop", "gcn_apu", "ball", {NULL}, 6000},
    {"conv2d", "fermi", "mrpb", {NULL}, 4000},
    /* A reply is visible at once: SMs may be one cycle ahead. */
    {"spmv", "fermi", "bl", {"icnt.eject_latency=0"}, 4000},
    /* Replies take longer than SMs may be ahead, and requests spend hardly any time before the
     * tags. */
    {"spmv", "fermi", "bl", {"icnt.eject_latency=300", "l2.rop_latency=2"}, 6000},
    {"conv2d", "fermi", "pc", {"l2.rop_latency=0"}, 4000},
    {"conv2d", "fermi", "bl", {"l2.rop_latency=900", "l2.in_queue=4"}, 6000},
    /* Full buffers: an SM must know whether there is room in them. */
    {"atax", "fermi", "ball", {"icnt.in_packets=2", "icnt.out_packets=2"}, 6000},
    {"atax", "fermi", "ball", {"icnt.in_packets=80", "icnt.out_packets=1"}, 12000},
    /* Clocks slower and faster than the SM clock. */
    {"conv2d", "fermi", "bl", {"clock.icnt_mhz=500", "clock.l2_mhz=600"}, 4000},
    {"conv2d", "fermi", "bl", {"clock.icnt_mhz=1500", "clock.l2_mhz=900"}, 4000},
    /* Hits in an idle memory side. */
    {"leukocyte", "fermi", "bl", {NULL}, 8000},
};

enum { RUNS = sizeof(run) / sizeof(run[0]) };

static json_t *result_of(struct byw_config *config, const char *path, uint64_t cycles,
                         uint32_t threads)
{
    const struct byw_run_names names = {
        .workload = "w", .machine = "m", .policy = "p", .trace_format = "f"};
    const struct byw_gpu_options options = {
        .max_cycles = cycles, .threads = threads, .every_cycle = threads == 0};
    const struct byw_cost cost = {0};
    struct byw_gpu_result *counters = NULL;
    struct byw_trace *trace = NULL;
    struct byw_diag diag = {""};
    json_t *json;

    if (byw_trace_open(path, &trace, &diag) != BYW_OK ||
        byw_gpu_run(config, trace, &options, &counters, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
    json = byw_result_json(&names, config, counters, &cost);
    assert_non_null(json);
    assert_true(counters->warp_instructions > 0);
    byw_gpu_result_free(counters);
    byw_trace_close(trace);
    return json;
}

static void same_for_any_number_of_threads(void **state)
{
    static const uint32_t threads[] = {1, 2, 3, 4, 8};
    struct byw_places places;
    struct byw_diag diag = {""};

    (void)state;
    assert_int_equal(byw_places_find(&places, &diag), BYW_OK);
    for (size_t i = 0; i < RUNS; i++) {
        struct byw_config config;
        char path[BYW_PATH_ROOM];
        json_t *stepped;
        size_t sets = 0;

        while (run[i].set[sets] != NULL)
            sets++;
        if (byw_setup_config(&places, run[i].machine, run[i].policy, run[i].set, sets, &config,
                             &diag) != BYW_OK ||
            byw_places_trace(&places, run[i].workload, config.sm_lanes, path, &diag) != BYW_OK)
            fail_msg("%s", diag.text);
        stepped = result_of(&config, path, run[i].cycles, 0);
        for (size_t t = 0; t < sizeof(threads) / sizeof(threads[0]); t++) {
            json_t *ahead = result_of(&config, path, run[i].cycles, threads[t]);

            if (!json_equal(stepped, ahead))
                fail_msg("%s on %s with %s: %u threads: not what stepping every cycle gives",
                         run[i].workload, run[i].machine, run[i].policy, threads[t]);
            json_decref(ahead);
        }
        json_decref(stepped);
    }
}

/* --- several waves of CTAs ---------------------------------------------------------------- */

/* A kernel of `waves` waves of CTAs and some more: loads of a line per lane, some of lines that
 * others load, and stores. */
static void several_waves(struct bench *b, uint32_t waves)
{
    uint32_t ctas = b->config.sm_count * b->config.sm_ctas * waves + b->config.sm_count / 3;
    struct byw_kernel kernel = kernel_of(ctas, 64);

    begin(b, &kernel);
    for (uint32_t c = 0; c < ctas; c++) {
        byw_cta_clear(&b->cta);
        b->cta.id[0] = c;
        for (uint32_t w = 0; w < 2; w++) {
            byw_cta_add_warp(&b->cta);
            for (uint32_t i = 0; i < 6; i++) {
                struct byw_inst *load = add(b, i == 4 ? BYW_CLASS_STORE : BYW_CLASS_LOAD, 1, 1);

                load->pc = 16 * i;
                load->stride = 128;
                load->base += i < 3 ? 4096 * (6 * (2 * c + w) + i) : 4096 * ((c + w + i) % 31);
                add(b, BYW_CLASS_FP, 1 + (c + i) % 3, 1)->pc = 16 * i + 8;
            }
            add(b, BYW_CLASS_EXIT, 1, 0);
        }
        assert_int_equal(byw_trace_cta(b->writer, &b->cta, NULL), BYW_OK);
    }
    assert_int_equal(byw_trace_finish(b->writer, NULL), BYW_OK);
}

/* A part of the loaded machine: up to 12 SMs of 2 CTAs. */
static void some_sms(struct byw_config *config)
{
    if (config->sm_count > 12)
        config->sm_count = 12;
    config->sm_ctas = 2;
}

static void same_for_any_threads_with(struct bench *b, uint32_t repeats)
{
    json_t *stepped = result_of(&b->config, b->path, 0, 0);

    for (uint32_t i = 0; i < repeats; i++) {
        for (uint32_t threads = 1; threads <= 4; threads++) {
            json_t *ahead = result_of(&b->config, b->path, 0, threads);

            if (!json_equal(stepped, ahead))
                fail_msg("%s: %u threads, repeat %u: not what stepping every cycle gives",
                         b->machine, threads, i);
            json_decref(ahead);
        }
    }
    json_decref(stepped);
}

static void once(struct bench *b)
{
    some_sms(&b->config);
    several_waves(b, 3);
    same_for_any_threads_with(b, 1);
}

static void several_waves_on_every_machine(void **state)
{
    for_each_machine(*state, once);
}

static void twenty_repeats_on_h200(void **state)
{
    struct bench *b = *state;

    load_machine(b, "cmodel/configs/machines/h200.cfg");
    strcpy(b->machine, "h200");
    some_sms(&b->config);
    b->config.icnt_mhz = 3 * b->config.core_mhz; /* several replies in a cycle of an SM */
    several_waves(b, 3);
    same_for_any_threads_with(b, 20);
    b->machine[0] = '\0';
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_for_any_number_of_threads),
        cmocka_unit_test_setup_teardown(several_waves_on_every_machine, setup, teardown),
        cmocka_unit_test_setup_teardown(twenty_repeats_on_h200, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
