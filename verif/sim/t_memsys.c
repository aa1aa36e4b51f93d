/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory system as a whole: latencies, one answer per request, conservation laws, skipping
 * compared with ticking, clocks.
 */
#include "memsys_traffic.h"

/* Crossbar 1, delay 120, queue to tags 1, tags and output 1, reply crossbar 1. */
static void hit_latency_is_the_sum_of_its_stages(void **state)
{
    struct byw_config config;
    struct byw_memsys *memsys;

    (void)state;
    rig_config(&config);
    memsys = create(&config);
    round_trip(memsys, 0x10000, BYW_TXN_READ);
    for (int i = 0; i < 50; i++)
        assert_int_equal(round_trip(memsys, 0x10000, i % 2 ? BYW_TXN_WRITE : BYW_TXN_READ), 124);
    byw_memsys_free(memsys);
    config.l2_rop = 20;
    memsys = create(&config);
    round_trip(memsys, 0x10000, BYW_TXN_READ);
    assert_int_equal(round_trip(memsys, 0x10000, BYW_TXN_READ), 24);
    byw_memsys_free(memsys);
    config.icnt_eject = 9;
    memsys = create(&config);
    round_trip(memsys, 0x10000, BYW_TXN_READ);
    assert_int_equal(round_trip(memsys, 0x10000, BYW_TXN_READ), 24 + 9);
    byw_memsys_free(memsys);
}

/* A miss adds the L2's queues and its fill, dram.latency, and, in command clocks of 700/924
 * cycle, the times from activate to read, for two atoms, and from read to data. Row hits save
 * the activate; row conflicts add a precharge. */
static void miss_latency_adds_dram_timing(void **state)
{
    struct byw_config config;
    struct byw_memsys *memsys;
    struct byw_addr_parts parts = {.row = 7, .channel = 2, .bank = 3};
    uint32_t closed, hit, conflict;

    (void)state;
    rig_config(&config);
    memsys = create(&config);
    closed = round_trip(memsys, byw_addrmap_join(&memsys->map, &parts), BYW_TXN_READ);
    parts.column = 256;
    hit = round_trip(memsys, byw_addrmap_join(&memsys->map, &parts), BYW_TXN_READ);
    parts.row = 8;
    conflict = round_trip(memsys, byw_addrmap_join(&memsys->map, &parts), BYW_TXN_READ);
    assert_in_range(closed, 124 + 100 + 20, 124 + 100 + 27);
    assert_in_range(closed - hit, 12 * 700 / 924 - 1, 12 * 700 / 924 + 2);
    assert_in_range(conflict - closed, 12 * 700 / 924 - 1, 12 * 700 / 924 + 2);
    assert_int_equal(byw_memsys_stats(memsys)->dram_row_hits, 1);
    assert_int_equal(byw_memsys_stats(memsys)->dram_activates, 2);
    assert_int_equal(byw_memsys_stats(memsys)->dram_reads, 6);
    check(memsys);
    byw_memsys_free(memsys);
}

static void traffic_is_counted_in_flits(void **state)
{
    struct byw_config config;
    struct byw_memsys *memsys;

    (void)state;
    rig_config(&config);
    memsys = create(&config);
    round_trip(memsys, 0x10000, BYW_TXN_READ); /* flits: 1 request, 4 reply */
    round_trip(memsys, 0x10000, BYW_TXN_WRITE); /* 4, 1 */
    round_trip(memsys, 0x10000, BYW_TXN_ATOMIC); /* 4, 4 */
    assert_int_equal(byw_memsys_stats(memsys)->icnt_req_flits, 9);
    assert_int_equal(byw_memsys_stats(memsys)->icnt_rsp_flits, 9);
    byw_memsys_free(memsys);
}

/* --- random traffic ----------------------------------------------------------------------- */

static void every_request_is_answered_once(void **state)
{
    static const struct {
        uint32_t lines, calm, sched, slices;
    } mix[] = {{200, 1, BYW_DRAM_FRFCFS, 6}, /* hits and merges */
               {60000, 1, BYW_DRAM_FRFCFS, 6}, /* misses, saturated */
               {60000, 30, BYW_DRAM_FRFCFS, 6}, /* misses, light */
               {3, 1, BYW_DRAM_FRFCFS, 6}, /* few lines, so merge lists fill up */
               {60000, 1, BYW_DRAM_FCFS, 6},
               {30000, 1, BYW_DRAM_FRFCFS, 24}}; /* four slices per channel */

    (void)state;
    for (size_t i = 0; i < sizeof(mix) / sizeof(mix[0]); i++) {
        uint64_t seed = rig_seed() + i;
        struct byw_config config;
        struct byw_memsys *memsys;
        struct traffic t;

        rig_config(&config);
        config.dram_sched = mix[i].sched;
        config.l2_slices = mix[i].slices;
        memsys = create(&config);
        traffic_init(&t, seed, 30000, mix[i].lines, mix[i].calm);
        run_all(&t, memsys, config.sm_count, seed);
        traffic_end(&t);
        byw_memsys_free(memsys);
    }
}

/* Queues of one or two entries everywhere: slower, but nothing is lost or stuck. */
static void tiny_queues_lose_nothing(void **state)
{
    uint64_t seed = rig_seed();
    struct byw_config config;
    struct byw_memsys *memsys;
    struct traffic t;

    (void)state;
    rig_config(&config);
    config.icnt_in_packets = config.icnt_out_packets = 1;
    config.l2_in_queue = config.l2_out_queue = config.l2_dram_queue = 1;
    config.l2_miss_queue = 3;
    config.l2_mshrs = config.l2_merges = 1;
    config.dram_queue = config.dram_return = 1;
    memsys = create(&config);
    traffic_init(&t, seed, 5000, 3000, 1);
    run_all(&t, memsys, config.sm_count, seed);
    traffic_end(&t);
    byw_memsys_free(memsys);
}

/* An SM that does not take its replies blocks only the packets behind them, and recovers. */
static void a_slow_reader_blocks_only_packets_behind_its_own(void **state)
{
    struct byw_config config;
    struct byw_memsys *memsys;
    uint32_t sent = 0, got = 0;

    (void)state;
    rig_config(&config);
    config.icnt_out_packets = config.icnt_in_packets = 4;
    memsys = create(&config);
    for (int i = 0; i < 3000; i++) {
        if (sent < 2000 && byw_memsys_ready(memsys, 3)) {
            push(memsys, 3, (uint64_t)(sent % 40) * 128, BYW_TXN_READ, 128, sent);
            sent++;
        }
        byw_memsys_tick(memsys);
    }
    assert_true(sent > 20 && sent < 2000);
    assert_int_equal(memsys->reply.out[3].count, 4);
    while (got < 2000) {
        assert_true(memsys->cycle < 100000);
        if (sent < 2000 && byw_memsys_ready(memsys, 3)) {
            push(memsys, 3, (uint64_t)(sent % 40) * 128, BYW_TXN_READ, 128, sent);
            sent++;
        }
        if (byw_memsys_reply(memsys, 3) != NULL) {
            byw_memsys_pop(memsys, 3);
            got++;
        }
        byw_memsys_tick(memsys);
    }
    assert_true(byw_memsys_empty(memsys));
    check(memsys);
    byw_memsys_free(memsys);
}

/* --- skipping ----------------------------------------------------------------------------- */

static void skipping_changes_nothing(void **state)
{
    static const uint32_t mhz[][4] = {{700, 700, 700, 924}, /* machine A */
                                      {700, 650, 1400, 924},
                                      {1400, 700, 500, 3000},
                                      {1000, 1000, 1000, 100}};

    (void)state;
    for (size_t i = 0; i < sizeof(mhz) / sizeof(mhz[0]); i++) {
        struct byw_mem_stats a, b;
        uint64_t seed = rig_seed() + i, digest[2], skipped[2];
        struct byw_config config;

        rig_config(&config);
        config.core_mhz = mhz[i][0];
        config.icnt_mhz = mhz[i][1];
        config.l2_mhz = mhz[i][2];
        config.dram_mhz = mhz[i][3];
        config.icnt_eject = (uint32_t)i * 3;
        run_bursts(&config, seed, false, &a, &digest[0], &skipped[0]);
        run_bursts(&config, seed, true, &b, &digest[1], &skipped[1]);
        RIG_CHECK(memcmp(&a, &b, sizeof(a)) == 0, seed);
        RIG_CHECK(digest[0] == digest[1], seed);
        RIG_CHECK(skipped[0] == 0 && skipped[1] > 50000, seed);
    }
}

/* Same traffic, same result; with all clocks doubled, the same number of cycles. */
static void doubled_clocks_take_as_many_cycles(void **state)
{
    struct byw_mem_stats a, b;
    uint64_t seed = rig_seed(), digest[2], skipped;
    struct byw_config config;

    (void)state;
    rig_config(&config);
    run_bursts(&config, seed, true, &a, &digest[0], &skipped);
    for (uint32_t factor = 1; factor <= 2; factor++) {
        config.core_mhz = 700 * factor;
        config.icnt_mhz = 700 * factor;
        config.l2_mhz = 700 * factor;
        config.dram_mhz = 924 * factor;
        run_bursts(&config, seed, true, &b, &digest[1], &skipped);
        RIG_CHECK(memcmp(&a, &b, sizeof(a)) == 0 && digest[0] == digest[1], seed);
    }
}

static void an_empty_system_is_quiet(void **state)
{
    struct byw_config config;
    struct byw_memsys *memsys;

    (void)state;
    rig_config(&config);
    memsys = create(&config);
    assert_int_equal(byw_memsys_quiet(memsys), UINT64_MAX);
    byw_memsys_skip(memsys, UINT64_C(1) << 40);
    round_trip(memsys, 0, BYW_TXN_READ);
    assert_int_equal(round_trip(memsys, 0, BYW_TXN_READ), 124);
    assert_true(byw_memsys_empty(memsys));
    assert_int_equal(byw_memsys_quiet(memsys), UINT64_MAX);
    byw_memsys_free(memsys);
}

/* With a single request, skipping takes a few long strides, because its delays are known in
 * advance. */
static void a_single_request_is_skipped_in_long_strides(void **state)
{
    struct byw_config config;
    struct byw_memsys *memsys;
    uint32_t ticks = 0;

    (void)state;
    rig_config(&config);
    memsys = create(&config);
    push(memsys, 0, 0, BYW_TXN_READ, 128, 1);
    while (byw_memsys_reply(memsys, 0) == NULL) {
        uint64_t quiet = byw_memsys_quiet(memsys);

        if (quiet > 0) {
            byw_memsys_skip(memsys, quiet);
            continue;
        }
        byw_memsys_tick(memsys);
        ticks++;
    }
    assert_true(ticks < 25);
    byw_memsys_free(memsys);
}

/* --- description of packets in flight ----------------------------------------------------- */

static void description_names_where_packets_wait(void **state)
{
    struct byw_config config;
    struct byw_memsys *memsys;
    char text[600];

    (void)state;
    rig_config(&config);
    memsys = create(&config);
    byw_memsys_describe(memsys, text, sizeof(text));
    assert_non_null(strstr(text, "empty"));
    push(memsys, 4, 0x12300, BYW_TXN_WRITE, 64, 1);
    for (int i = 0; i < 40; i++)
        byw_memsys_tick(memsys);
    push(memsys, 5, 0x45600, BYW_TXN_READ, 64, 1);
    byw_memsys_describe(memsys, text, sizeof(text));
    assert_non_null(strstr(text, "write of 64 bytes at 0x12300 from SM 4, 40 cycles old"));
    assert_non_null(strstr(text, "from the crossbar to the L2"));
    assert_non_null(strstr(text,
                           ", after the request crossbar's input, then the request crossbar's "
                           "output"));
    for (uint32_t i = 0; i < 150; i++)
        byw_memsys_tick(memsys);
    byw_memsys_describe(memsys, text, sizeof(text));
    assert_non_null(strstr(text, "in the delay line from the L2 to the DRAM scheduler"));
    assert_non_null(strstr(text,
                           "then the L2 slice's input queue, then the L2 miss queue, then the "
                           "queue from L2 to DRAM"));
    byw_memsys_free(memsys);
}

/* A counter that is off by one is named. */
static void a_counter_off_by_one_is_named(void **state)
{
    struct byw_config config;
    struct byw_memsys *memsys;
    struct byw_diag diag = {""};

    (void)state;
    rig_config(&config);
    memsys = create(&config);
    round_trip(memsys, 0, BYW_TXN_READ);
    check(memsys);
    memsys->stats.l2.hits++;
    assert_int_equal(byw_memsys_check(memsys, &diag), BYW_ECHECK);
    assert_non_null(strstr(diag.text, "hits + pending + misses is 2, expected"));
    memsys->stats.l2.hits--;
    memsys->stats.dram_reads--;
    assert_int_equal(byw_memsys_check(memsys, &diag), BYW_ECHECK);
    assert_non_null(strstr(diag.text, "DRAM read atoms"));
    memsys->stats.dram_reads++;
    memsys->stats.replies--;
    assert_int_equal(byw_memsys_check(memsys, &diag), BYW_ECHECK);
    assert_non_null(strstr(diag.text, "replies"));
    byw_memsys_free(memsys);
}

static void impossible_systems_are_refused(void **state)
{
    struct byw_memsys *memsys;
    struct byw_config config;
    struct byw_diag diag = {""};

    (void)state;
    rig_config(&config);
    config.l2_miss_queue = 2;
    assert_int_equal(byw_memsys_create(&config, &memsys, &diag), BYW_EINVAL);
    assert_non_null(strstr(diag.text, "l2.miss_queue: 2, expected at least 3"));
    assert_null(memsys);
    rig_config(&config);
    config.dram_groups = 5;
    assert_int_equal(byw_memsys_create(&config, &memsys, &diag), BYW_EINVAL);
    rig_config(&config);
    config.l2_port = 48;
    assert_int_equal(byw_memsys_create(&config, &memsys, &diag), BYW_EINVAL);
    rig_config(&config);
    config.l2_slices = 5;
    assert_int_equal(byw_memsys_create(&config, &memsys, &diag), BYW_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hit_latency_is_the_sum_of_its_stages),
        cmocka_unit_test(miss_latency_adds_dram_timing),
        cmocka_unit_test(traffic_is_counted_in_flits),
        cmocka_unit_test(every_request_is_answered_once),
        cmocka_unit_test(tiny_queues_lose_nothing),
        cmocka_unit_test(a_slow_reader_blocks_only_packets_behind_its_own),
        cmocka_unit_test(skipping_changes_nothing),
        cmocka_unit_test(doubled_clocks_take_as_many_cycles),
        cmocka_unit_test(an_empty_system_is_quiet),
        cmocka_unit_test(a_single_request_is_skipped_in_long_strides),
        cmocka_unit_test(description_names_where_packets_wait),
        cmocka_unit_test(a_counter_off_by_one_is_named),
        cmocka_unit_test(impossible_systems_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
