/* SPDX-License-Identifier: Apache-2.0
 *
 * t_conservation.c - the conservation laws: a counter in a law is reported when it is off by one,
 * every counter below the L1s is in a law or listed here, and a run that breaks a law fails.
 */
#include "memsys_presets.h"
#include "memsys_traffic.h"
#include "sim/gpu/byw_gpu_check.h"
#include "sim/gpu_rig.h"

/* --- a run that breaks a law -------------------------------------------------------------- */

static enum byw_event lost; /* the event whose first occurrence the L1Ds do not report */
static bool done;

static void step_and_lose(struct byw_l1d *l1d, const struct byw_l1d_in *in,
                          const struct byw_l1d_ctrl *ctrl, struct byw_l1d_out *out)
{
    byw_l1d_model.step(l1d, in, ctrl, out);
    if (done || (out->events >> lost & 1) == 0)
        return;
    out->events &= ~(1U << lost);
    done = true;
}

static void a_broken_law_fails_the_run(void **state)
{
    static const struct {
        enum byw_event lost;
        const char *says;
    } law[] = {{BYW_EV_HIT, "L1D hits + pending hits + misses + bypasses"},
               {BYW_EV_HIT_PENDING, "L1D hits + pending hits + misses + bypasses"},
               {BYW_EV_MISS, "L1D hits + pending hits + misses + bypasses"},
               {BYW_EV_LOAD, "accepted loads + stores"},
               {BYW_EV_STORE, "accepted loads + stores"},
               {BYW_EV_ATOMIC, "accepted loads + stores + atomics"},
               {BYW_EV_MEM_READ, "requests at the crossbar"},
               {BYW_EV_MEM_WRITE, "requests at the crossbar"}};
    struct byw_l1d_ops ops = byw_l1d_model;
    struct bench *b = *state;

    ops.step = step_and_lose;
    b->options.l1d = &ops;
    done = true;
    byw_gpu_result_free(mixed(b)); /* the trace exists and the run is valid */
    for (size_t i = 0; i < sizeof(law) / sizeof(law[0]); i++) {
        struct byw_gpu_result *result;
        struct byw_diag diag = {""};
        struct byw_trace *trace;

        lost = law[i].lost;
        done = false;
        assert_int_equal(byw_trace_open(b->path, &trace, &diag), BYW_OK);
        assert_int_equal(byw_gpu_run(&b->config, trace, &b->options, &result, &diag), BYW_ECHECK);
        assert_null(result);
        if (strstr(diag.text, law[i].says) == NULL)
            fail_msg("'%s' is not in '%s'", law[i].says, diag.text);
        byw_trace_close(trace);
    }
}

/* --- the whole machine's laws ------------------------------------------------------------- */

static void off_by_one(struct bench *b, const struct byw_gpu_result *r, uint64_t *counter)
{
    struct byw_diag diag = {""};

    ++*counter;
    if (byw_gpu_check(&b->config, r, &diag) != BYW_ECHECK)
        fail_msg("the counter at byte %zu is in no law", (size_t)((char *)counter - (char *)r));
    *counter -= 2;
    assert_int_equal(byw_gpu_check(&b->config, r, &diag), BYW_ECHECK);
    ++*counter;
    assert_int_equal(byw_gpu_check(&b->config, r, &diag), BYW_OK);
}

static void machine_laws(struct bench *b)
{
    static const enum byw_event in_a_law[] = {
        BYW_EV_LOAD,        BYW_EV_STORE,      BYW_EV_ATOMIC,          BYW_EV_HIT,
        BYW_EV_HIT_PENDING, BYW_EV_MISS,       BYW_EV_BYPASS,          BYW_EV_FAIL_LINE,
        BYW_EV_FAIL_MSHR,   BYW_EV_FAIL_MERGE, BYW_EV_FAIL_MISS_QUEUE, BYW_EV_FAIL_ICNT,
        BYW_EV_MEM_READ,    BYW_EV_MEM_WRITE};
    struct byw_gpu_result *r = mixed(b);

    for (size_t i = 0; i < sizeof(in_a_law) / sizeof(in_a_law[0]); i++)
        off_by_one(b, r, &r->l1.ev[in_a_law[i]]);
    for (uint32_t s = 0; s < BYW_SLOT_COUNT; s++)
        off_by_one(b, r, &r->core_stall[s]);
    off_by_one(b, r, &r->l1.stall_cycles);
    off_by_one(b, r, &r->cycles);
    off_by_one(b, r, &r->coalesced);
    off_by_one(b, r, &r->icache_misses);
    off_by_one(b, r, &r->mem.requests);
    off_by_one(b, r, &r->warp_instructions);
    off_by_one(b, r, &r->thread_instructions);
    off_by_one(b, r, &r->sm[b->config.sm_count - 1].warp_instructions);
    off_by_one(b, r, &r->kernel[1].warp_instructions);
    off_by_one(b, r, &r->kernel[0].thread_instructions);
    byw_gpu_result_free(r);
}

static void each_counter_is_missed(void **state)
{
    for_each_machine(*state, machine_laws);
}

/* Requests in flight when a run stops violate no law; a surplus does. */
static void partial_results_obey(void **state)
{
    struct bench *b = *state;
    struct byw_gpu_result *r;

    b->options.max_instructions = 500;
    r = mixed(b);
    assert_true(r->partial);
    ++r->mem.requests;
    assert_int_equal(byw_gpu_check(&b->config, r, NULL), BYW_OK);
    off_by_one(b, r, &r->l1.ev[BYW_EV_HIT]);
    off_by_one(b, r, &r->core_stall[0]);
    byw_gpu_result_free(r);
}

/* --- below the L1s ------------------------------------------------------------------------ */

/* Counters outside the laws: those that are parts of other counters, and those that depend on
 * time. */
static bool is_free(size_t offset)
{
#define LEVEL_FIELDS(level)                                                                        \
    offsetof(struct byw_mem_stats, level.sector_misses),                                           \
        offsetof(struct byw_mem_stats, level.write_fetches),                                       \
        offsetof(struct byw_mem_stats, level.mispredicts),                                         \
        offsetof(struct byw_mem_stats, level.mispredicts_own),                                     \
        offsetof(struct byw_mem_stats, level.full_set_passes),                                     \
        offsetof(struct byw_mem_stats, level.flushed),                                             \
        offsetof(struct byw_mem_stats, level.rinsed),                                              \
        offsetof(struct byw_mem_stats, level.passed_loads),                                        \
        offsetof(struct byw_mem_stats, level.passed_stores),                                       \
        offsetof(struct byw_mem_stats, level.joined_bytes),                                        \
        offsetof(struct byw_mem_stats, level.dropped)
    static const size_t free_ones[] = {
        LEVEL_FIELDS(gl1),
        LEVEL_FIELDS(l2),
        LEVEL_FIELDS(l3),
        /* counted at a level that is not the lowest */
        offsetof(struct byw_mem_stats, gl1.write_atoms),
        offsetof(struct byw_mem_stats, gl1.writeback_atoms),
        offsetof(struct byw_mem_stats, l2.write_atoms),
        offsetof(struct byw_mem_stats, l2.writeback_atoms),
        offsetof(struct byw_mem_stats, l3.sent_on), /* the L3 is the lowest level */
        offsetof(struct byw_mem_stats, l3.writebacks),
        offsetof(struct byw_mem_stats, dram_requests),
        offsetof(struct byw_mem_stats, dram_row_hits),
        offsetof(struct byw_mem_stats, dram_refreshes),
        offsetof(struct byw_mem_stats, icnt_req_flits),
        offsetof(struct byw_mem_stats, icnt_rsp_flits),
    };

    for (size_t i = 0; i < sizeof(free_ones) / sizeof(free_ones[0]); i++)
        if (free_ones[i] == offset)
            return true;
    return false;
}

/* Every counter of a memory system with all levels, after everything has drained. */
static void every_counter_below_is_in_a_law(void **state)
{
    struct byw_memsys *memsys;
    struct byw_config config;
    struct traffic t;

    (void)state;
    preset_rdna2(&config);
    memsys = create(&config);
    traffic_init(&t, rig_seed(), 4000, 3000, 1);
    run_all(&t, memsys, config.sm_count, rig_seed());
    for (size_t at = 0; at < sizeof(memsys->stats); at += sizeof(uint64_t)) {
        uint64_t *counter = (uint64_t *)(void *)((char *)&memsys->stats + at);

        ++*counter;
        if ((byw_memsys_check(memsys, NULL) == BYW_OK) != is_free(at))
            fail_msg("the counter at byte %zu of struct byw_mem_stats is %s", at,
                     is_free(at) ? "in a law" : "in no law");
        --*counter;
    }
    check(memsys);
    traffic_end(&t);
    byw_memsys_free(memsys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_broken_law_fails_the_run, setup, teardown),
        cmocka_unit_test_setup_teardown(each_counter_is_missed, setup, teardown),
        cmocka_unit_test_setup_teardown(partial_results_obey, setup, teardown),
        cmocka_unit_test(every_counter_below_is_in_a_law),
    };

    return cmocka_run_group_tests_name("conservation", tests, NULL, NULL);
}
