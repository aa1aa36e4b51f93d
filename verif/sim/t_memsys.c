/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory system as a whole: latencies, every request answered once, the laws of conservation,
 * skipping against ticking, clocks.
 */
#include "memsys_rig.h"
#include "sim/byw_memsys_parts.h"

static struct byw_memsys *create(const struct byw_config *config)
{
    struct byw_memsys *memsys;
    struct byw_diag diag = {""};

    if (byw_memsys_create(config, &memsys, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
    return memsys;
}

static void check(const struct byw_memsys *memsys)
{
    struct byw_diag diag = {""};

    if (byw_memsys_check(memsys, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
}

static void push(struct byw_memsys *memsys, uint32_t sm, uint64_t addr, enum byw_txn_kind kind,
                 uint32_t bytes, uint32_t id)
{
    struct byw_txn txn = {
        .addr = addr,
        .id = id,
        .bytes = (uint16_t)bytes,
        .sm = (uint16_t)sm,
        .kind = (uint8_t)kind,
        .port = (uint8_t)(id * 7),
    };

    assert_true(byw_memsys_ready(memsys, sm));
    byw_memsys_push(memsys, &txn);
}

/* Ticks from a push of SM 0 to the cycle that can see its reply. */
static uint32_t round_trip(struct byw_memsys *memsys, uint64_t addr, enum byw_txn_kind kind)
{
    uint32_t ticks = 0;

    push(memsys, 0, addr, kind, 128, 1);
    while (byw_memsys_reply(memsys, 0) == NULL) {
        assert_true(ticks < 10000);
        byw_memsys_tick(memsys);
        ticks++;
    }
    byw_memsys_pop(memsys, 0);
    return ticks;
}

/* Crossbar 1, delay 120, queue to tags 1, tags and output 1, reply crossbar 1. */
static void test_hit_latency(void **state)
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

/* A miss adds the L2's queues and fill, dram.latency, and in command clocks of 700/924 cycle:
 * activate to read, two atoms, read to data.  Row hits save the activate, row conflicts add a
 * precharge. */
static void test_dram_latency(void **state)
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

static void test_flits(void **state)
{
    struct byw_config config;
    struct byw_memsys *memsys;

    (void)state;
    rig_config(&config);
    memsys = create(&config);
    round_trip(memsys, 0x10000, BYW_TXN_READ); /* 1 there, 4 back */
    round_trip(memsys, 0x10000, BYW_TXN_WRITE); /* 4 there, 1 back */
    round_trip(memsys, 0x10000, BYW_TXN_ATOMIC); /* 4 there, 4 back */
    assert_int_equal(byw_memsys_stats(memsys)->icnt_req_flits, 9);
    assert_int_equal(byw_memsys_stats(memsys)->icnt_rsp_flits, 9);
    byw_memsys_free(memsys);
}

/* --- random traffic
 * ------------------------------------------------------------------------------- */

struct traffic {
    uint64_t x;
    uint32_t lines; /* footprint */
    uint32_t calm; /* one push in so many chances, on average */
    uint64_t pushed, expected, replies, digest;
    uint8_t *open; /* by id: 1 = waits for its reply */
    struct byw_txn *sent;
    uint32_t ids;
};

static void traffic_init(struct traffic *t, uint64_t seed, uint32_t ids, uint32_t lines,
                         uint32_t calm)
{
    memset(t, 0, sizeof(*t));
    t->x = seed;
    t->ids = ids;
    t->lines = lines;
    t->calm = calm;
    t->open = calloc(ids, sizeof(*t->open));
    t->sent = calloc(ids, sizeof(*t->sent));
    assert_non_null(t->open);
    assert_non_null(t->sent);
}

static void traffic_end(struct traffic *t)
{
    free(t->open);
    free(t->sent);
}

static void take_replies(struct traffic *t, struct byw_memsys *memsys, uint32_t sms)
{
    for (uint32_t sm = 0; sm < sms; sm++) {
        const struct byw_txn *txn = byw_memsys_reply(memsys, sm);

        if (txn == NULL)
            continue;
        assert_true(txn->id < t->ids && t->open[txn->id] == 1);
        assert_int_equal(txn->sm, sm);
        assert_int_equal(txn->addr, t->sent[txn->id].addr);
        assert_int_equal(txn->kind, t->sent[txn->id].kind);
        assert_int_equal(txn->bytes, t->sent[txn->id].bytes);
        assert_int_equal(txn->port, t->sent[txn->id].port);
        t->open[txn->id] = 0;
        t->replies++;
        t->digest = (t->digest ^ txn->id ^ memsys->cycle << 20) * UINT64_C(0x100000001b3);
        byw_memsys_pop(memsys, sm);
    }
}

static void send_some(struct traffic *t, struct byw_memsys *memsys, uint32_t sms)
{
    static const enum byw_txn_kind kinds[] = {BYW_TXN_READ,  BYW_TXN_READ,     BYW_TXN_READ,
                                              BYW_TXN_WRITE, BYW_TXN_ATOMIC,   BYW_TXN_INST,
                                              BYW_TXN_READ,  BYW_TXN_WRITEBACK};

    for (uint32_t sm = 0; sm < sms; sm++) {
        uint32_t id = (uint32_t)t->pushed, bytes;
        enum byw_txn_kind kind;

        if (t->pushed == t->ids || rig_below(&t->x, t->calm) != 0 || !byw_memsys_ready(memsys, sm))
            continue;
        kind = kinds[rig_below(&t->x, 8)];
        bytes = 32U << rig_below(&t->x, 3);
        push(memsys, sm, (uint64_t)rig_below(&t->x, t->lines) * 128, kind, bytes, id);
        t->sent[id] =
            (struct byw_txn){.addr = memsys->pool.packet[memsys->request.in[sm].tail].txn.addr,
                             .kind = (uint8_t)kind,
                             .bytes = (uint16_t)bytes,
                             .port = (uint8_t)(id * 7)};
        t->open[id] = kind != BYW_TXN_WRITEBACK;
        t->expected += t->open[id];
        t->pushed++;
    }
}

/* Runs until all ids are sent and answered. */
static void run_all(struct traffic *t, struct byw_memsys *memsys, uint32_t sms, uint64_t seed)
{
    uint64_t limit = memsys->cycle + 2000000;

    while (t->pushed < t->ids || !byw_memsys_empty(memsys)) {
        take_replies(t, memsys, sms);
        send_some(t, memsys, sms);
        byw_memsys_tick(memsys);
        if (memsys->cycle % 4096 == 0)
            check(memsys);
        RIG_CHECK(memsys->cycle < limit, seed);
    }
    RIG_CHECK(t->replies == t->expected, seed);
    check(memsys);
    assert_int_equal(memsys->stats.requests, t->ids);
}

static void test_all_answered_once(void **state)
{
    static const struct {
        uint32_t lines, calm, sched, slices;
    } mix[] = {{200, 1, BYW_DRAM_FRFCFS, 6}, /* hits and merges */
               {60000, 1, BYW_DRAM_FRFCFS, 6}, /* misses, saturated */
               {60000, 30, BYW_DRAM_FRFCFS, 6}, /* misses, light */
               {3, 1, BYW_DRAM_FRFCFS, 6}, /* few lines, merges full */
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
static void test_tiny_queues(void **state)
{
    uint64_t seed = rig_seed();
    struct byw_config config;
    struct byw_memsys *memsys;
    struct traffic t;

    (void)state;
    rig_config(&config);
    config.icnt_in_flits = config.icnt_out_flits = 1;
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

/* An SM that does not take its replies stops only what is behind them, and recovers. */
static void test_lazy_reader(void **state)
{
    struct byw_config config;
    struct byw_memsys *memsys;
    uint32_t sent = 0, got = 0;

    (void)state;
    rig_config(&config);
    config.icnt_out_flits = config.icnt_in_flits = 4;
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

/* --- skipping ----------------------------------------------------------------------------------
 */

/* Bursts of requests with pauses; with skip, quiet cycles are skipped in random portions. */
static void run_bursts(const struct byw_config *config, uint64_t seed, bool skip,
                       struct byw_mem_stats *stats, uint64_t *digest, uint64_t *skipped)
{
    struct byw_memsys *memsys = create(config);
    struct traffic t;
    uint64_t portion = ~seed, burst = seed;
    uint64_t next_burst = 0;

    *skipped = 0;
    traffic_init(&t, seed, 6000, 4000, 3);
    while (memsys->cycle < 400000) {
        take_replies(&t, memsys, config->sm_count);
        if (memsys->cycle >= next_burst) {
            for (uint32_t i = 0; i < 1 + rig_below(&burst, 3); i++)
                send_some(&t, memsys, config->sm_count);
            next_burst = memsys->cycle + 1 + rig_below(&burst, 500);
        }
        if (skip) {
            uint64_t quiet = byw_memsys_quiet(memsys);
            uint64_t most = next_burst - memsys->cycle;

            quiet = quiet < most ? quiet : most;
            if (quiet > 1 && rig_below(&portion, 3) == 0)
                quiet = 1 + rig_below(&portion, (uint32_t)quiet);
            if (quiet > 0) {
                byw_memsys_skip(memsys, quiet);
                *skipped += quiet;
                continue;
            }
        }
        byw_memsys_tick(memsys);
    }
    RIG_CHECK(t.replies > 3000, seed);
    *stats = *byw_memsys_stats(memsys);
    *digest = t.digest;
    traffic_end(&t);
    byw_memsys_free(memsys);
}

static void test_skip_changes_nothing(void **state)
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

/* Same traffic, same result; all clocks doubled, the same number of cycles. */
static void test_deterministic_and_scalable(void **state)
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

static void test_quiet_of_empty(void **state)
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

/* A lone request is skipped over in a few strides: the delays are known in advance. */
static void test_quiet_is_long(void **state)
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

/* --- words
 * ---------------------------------------------------------------------------------------- */

static void test_describe(void **state)
{
    struct byw_config config;
    struct byw_memsys *memsys;
    char text[256];

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
    byw_memsys_free(memsys);
}

/* A counter that is off by one is named. */
static void test_check_finds(void **state)
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

static void test_refusals(void **state)
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
        cmocka_unit_test(test_hit_latency),
        cmocka_unit_test(test_dram_latency),
        cmocka_unit_test(test_flits),
        cmocka_unit_test(test_all_answered_once),
        cmocka_unit_test(test_tiny_queues),
        cmocka_unit_test(test_lazy_reader),
        cmocka_unit_test(test_skip_changes_nothing),
        cmocka_unit_test(test_deterministic_and_scalable),
        cmocka_unit_test(test_quiet_of_empty),
        cmocka_unit_test(test_quiet_is_long),
        cmocka_unit_test(test_describe),
        cmocka_unit_test(test_check_finds),
        cmocka_unit_test(test_refusals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
