/* SPDX-License-Identifier: Apache-2.0
 *
 * Complete memory systems with sectors, hashing, an L3, GL1s and HBM2: latencies of each level, the
 * laws under random traffic, skipping, invalidation and flush, and the ideal memory as a bound.
 */
#include "memsys_presets.h"
#include "memsys_traffic.h"

/* Ticks until SM sm sees the reply to one request. */
static uint32_t trip(struct byw_memsys *memsys, uint32_t sm, uint64_t addr, enum byw_txn_kind kind,
                     uint32_t bytes)
{
    uint32_t ticks = 0;

    push(memsys, sm, addr, kind, bytes, 1);
    while (byw_memsys_reply(memsys, sm) == NULL) {
        assert_true(ticks < 10000);
        byw_memsys_tick(memsys);
        ticks++;
    }
    byw_memsys_pop(memsys, sm);
    return ticks;
}

static void drain(struct byw_memsys *memsys)
{
    for (int i = 0; !byw_memsys_empty(memsys); i++) {
        assert_true(i < 200000);
        byw_memsys_tick(memsys);
    }
    check(memsys);
}

/* --- random traffic ----------------------------------------------------------------------- */

static void every_request_is_answered_once(void **state)
{
    static const struct {
        uint32_t ids, lines, calm;
    } mix[] = {{6000, 40, 1}, {12000, 60000, 1}, {3000, 3000, 40}};

    (void)state;
    for (uint32_t i = 0; i < PRESETS; i++) {
        for (size_t m = 0; m < sizeof(mix) / sizeof(mix[0]); m++) {
            uint64_t seed = rig_seed() + i * 8 + m;
            struct byw_config config;
            struct byw_memsys *memsys;
            struct traffic t;

            presets[i].set(&config);
            memsys = create(&config);
            traffic_init(&t, seed, mix[m].ids, mix[m].lines, mix[m].calm);
            t.holes = true;
            run_all(&t, memsys, config.sm_count, seed);
            byw_memsys_flush(memsys);
            drain(memsys);
            traffic_end(&t);
            byw_memsys_free(memsys);
        }
    }
}

static void skipping_changes_nothing(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < PRESETS; i++) {
        uint64_t seed = rig_seed() + i, digest[2], skipped[2];
        struct byw_mem_stats a, b;
        struct byw_config config;

        presets[i].set(&config);
        run_bursts(&config, seed, false, &a, &digest[0], &skipped[0]);
        run_bursts(&config, seed, true, &b, &digest[1], &skipped[1]);
        if (memcmp(&a, &b, sizeof(a)) != 0 || digest[0] != digest[1])
            fail_msg("%s: skipping changes the run; rerun with BYW_SEED=0x%llx", presets[i].name,
                     (unsigned long long)rig_seed());
        RIG_CHECK(skipped[0] == 0 && skipped[1] > (presets[i].set == preset_tiny ? 100 : 20000),
                  seed);
    }
}

/* The runs above exercise the features that they are meant to test. */
static void random_runs_use_every_feature(void **state)
{
    struct byw_mem_stats s;
    struct byw_config config;
    uint64_t digest, skipped;

    (void)state;
    preset_volta(&config);
    run_bursts(&config, rig_seed(), true, &s, &digest, &skipped);
    assert_true(s.l2.sector_misses > 100 && s.l2.unfetched > 100 && s.l2.parts > 100);
    assert_true(s.dram_refreshes > 100 && s.l2.sent_on == 0);
    preset_rdna2(&config);
    run_bursts(&config, rig_seed(), true, &s, &digest, &skipped);
    assert_true(s.gl1.hits > 50 && s.gl1.sent_on > 100 && s.l3.fetched > 100);
    assert_int_equal(s.gl1.requests, s.requests);
    config.l2_sets = 4; /* victims go to the L3 */
    config.l3_sectors = 2;
    run_bursts(&config, rig_seed(), true, &s, &digest, &skipped);
    assert_true(s.l3.hits > 100 && s.l3.write_hits > 10 && s.l3.unfetched > 10);
}

/* --- latencies ---------------------------------------------------------------------------- */

/* Crossbar 1, tag delay, queue to tags 1, tags and output 1, data delay, reply crossbar 1, eject.
 */
static void l2_hit_latency_is_the_sum_of_its_stages(void **state)
{
    struct byw_config config;
    struct byw_memsys *memsys;
    uint32_t hit;

    (void)state;
    preset_gcn(&config);
    hit = 4 + config.l2_rop + config.l2_data + config.icnt_eject;
    memsys = create(&config);
    trip(memsys, 0, 0x10000, BYW_TXN_READ, 64);
    assert_int_equal(trip(memsys, 0, 0x10000, BYW_TXN_READ, 64), hit);
    assert_int_equal(trip(memsys, 3, 0x10000, BYW_TXN_WRITE, 64), hit);
    assert_int_equal(trip(memsys, 0, 0x20000, BYW_TXN_WRITE, 64), hit); /* no fetch */
    byw_memsys_free(memsys);
}

/* An L2 miss: tags at the L3 after its delay, its data delay, then fill and answer of the L2. */
static void l3_hit_latency_is_the_sum_of_its_stages(void **state)
{
    struct byw_config config;
    struct byw_memsys *memsys;
    uint32_t ticks, delays;

    (void)state;
    preset_gcn(&config);
    delays = config.l2_rop + config.l2_data + config.l3_tags + config.l3_data + config.icnt_eject;
    memsys = create(&config);
    trip(memsys, 0, 0x10000, BYW_TXN_READ, 64);
    byw_memsys_invalidate_l2(memsys);
    byw_memsys_invalidate_gl1(memsys);
    ticks = trip(memsys, 0, 0x10000, BYW_TXN_READ, 64);
    assert_int_equal(memsys->stats.l3.hits, 1);
    assert_int_equal(memsys->stats.dram_reads, 1);
    for (uint32_t more = 1; more <= 7; more += 6) {
        byw_memsys_free(memsys);
        preset_gcn(&config);
        config.l3_tags += more;
        config.l3_data += more;
        memsys = create(&config);
        trip(memsys, 0, 0x10000, BYW_TXN_READ, 64);
        byw_memsys_invalidate_l2(memsys);
        byw_memsys_invalidate_gl1(memsys);
        assert_int_equal(trip(memsys, 0, 0x10000, BYW_TXN_READ, 64), ticks + 2 * more);
    }
    /* In addition to its own delays: to to_dram 1, the L3's tags 1, answer and fill 1, L2 answer
     * 1. */
    assert_in_range(ticks, 4 + delays + 3, 4 + delays + 5);
    byw_memsys_free(memsys);
}

static void a_gl1_serves_its_group_only(void **state)
{
    struct byw_config config;
    struct byw_memsys *memsys;
    uint32_t miss, hit, delays;

    (void)state;
    preset_rdna2(&config);
    delays = config.gl1_tags + config.gl1_data + config.icnt_eject;
    memsys = create(&config);
    miss = trip(memsys, 0, 0x10000, BYW_TXN_READ, 128);
    hit = trip(memsys, 9, 0x10000, BYW_TXN_READ, 128); /* an SM of the same group */
    assert_int_equal(memsys->stats.gl1.hits, 1);
    /* Two crossings; one of them includes the path to the tags. */
    assert_in_range(hit, delays + 3, delays + 5);
    assert_true(miss > hit + config.l2_rop);
    trip(memsys, 10, 0x10000, BYW_TXN_READ, 128); /* an SM of another group is served by the L2 */
    assert_int_equal(memsys->stats.gl1.misses, 2);
    assert_int_equal(memsys->stats.l2.hits, 1);
    trip(memsys, 10, 0x10000, BYW_TXN_WRITE, 32); /* is sent on and drops the group's line */
    assert_int_equal(memsys->stats.l2.write_hits, 1);
    assert_int_equal(trip(memsys, 9, 0x10000, BYW_TXN_READ, 128), hit);
    trip(memsys, 11, 0x10000, BYW_TXN_READ, 128);
    assert_int_equal(memsys->stats.gl1.misses, 4);
    /* performed at the L2; drops the group's line too */
    trip(memsys, 11, 0x10000, BYW_TXN_ATOMIC, 32);
    assert_int_equal(memsys->stats.l2.atomics, 1);
    assert_int_equal(memsys->stats.gl1.hits, 2);
    trip(memsys, 11, 0x10000, BYW_TXN_READ, 128);
    assert_int_equal(memsys->stats.gl1.hits, 2);
    check(memsys);
    byw_memsys_free(memsys);
}

/* --- boundaries of kernels ---------------------------------------------------------------- */

static void invalidation_drops_and_flush_writes(void **state)
{
    struct byw_config config;
    struct byw_memsys *memsys;
    uint64_t start;

    (void)state;
    preset_gcn_ml(&config);
    memsys = create(&config);
    for (uint32_t i = 0; i < 200; i++)
        trip(memsys, i % 64, i * 64, i % 2 ? BYW_TXN_WRITE : BYW_TXN_READ, 64);
    byw_memsys_invalidate_l2(memsys);
    byw_memsys_invalidate_gl1(memsys);
    for (uint32_t i = 0; i < 200; i++)
        trip(memsys, i % 64, i * 64, BYW_TXN_READ, 64);
    assert_int_equal(memsys->stats.l2.hits, 100); /* the written data is still in the L2 */
    assert_int_equal(memsys->stats.l2.writebacks, 0);
    byw_memsys_flush(memsys);
    assert_false(byw_memsys_empty(memsys));
    start = memsys->cycle;
    drain(memsys);
    assert_true(memsys->cycle - start >= 6); /* 100 lines of 16 slices, one per cycle */
    assert_int_equal(memsys->stats.l2.writebacks, 100);
    assert_int_equal(memsys->stats.dram_writes, 200);
    byw_memsys_flush(memsys);
    drain(memsys);
    assert_int_equal(memsys->stats.l2.writebacks, 100);
    trip(memsys, 0, 64, BYW_TXN_READ, 64); /* flushed lines stay, clean */
    assert_int_equal(memsys->stats.l2.hits, 101);
    byw_memsys_invalidate_l2(memsys);
    byw_memsys_invalidate_gl1(memsys);
    trip(memsys, 0, 64, BYW_TXN_READ, 64);
    assert_int_equal(memsys->stats.l2.hits, 101);
    check(memsys);
    byw_memsys_free(memsys);
}

/* A flush can be skipped like any other wait. */
static void a_flush_can_be_skipped_over(void **state)
{
    struct byw_config config;
    struct byw_memsys *memsys;
    uint64_t ticks = 0;

    (void)state;
    preset_gcn(&config);
    memsys = create(&config);
    for (uint32_t i = 0; i < 8; i++)
        trip(memsys, 0, i * 64, BYW_TXN_WRITE, 64);
    byw_memsys_flush(memsys);
    assert_int_equal(byw_memsys_quiet(memsys), 0);
    while (!byw_memsys_empty(memsys)) {
        uint64_t quiet = byw_memsys_quiet(memsys);

        assert_true(quiet != UINT64_MAX && ticks++ < 10000);
        if (quiet > 0)
            byw_memsys_skip(memsys, quiet);
        else
            byw_memsys_tick(memsys);
    }
    assert_int_equal(memsys->stats.l3.writes, 8);
    check(memsys);
    byw_memsys_free(memsys);
}

/* --- the ideal memory --------------------------------------------------------------------- */

static void ideal_memory_is_a_lower_bound(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < PRESETS; i++) {
        uint64_t seed = rig_seed() + i, cycles[2];
        struct byw_config config;

        for (uint32_t ideal = 0; ideal < 2; ideal++) {
            struct byw_memsys *memsys;
            struct traffic t;

            presets[i].set(&config);
            config.dram_ideal = ideal;
            memsys = create(&config);
            traffic_init(&t, seed, 8000, 60000, 1);
            run_all(&t, memsys, config.sm_count, seed);
            cycles[ideal] = memsys->cycle;
            traffic_end(&t);
            byw_memsys_free(memsys);
        }
        if (cycles[1] > cycles[0])
            fail_msg("%s: %llu cycles with an ideal memory, %llu with the real one",
                     presets[i].name, (unsigned long long)cycles[1], (unsigned long long)cycles[0]);
    }
}

/* A request waits dram.latency, alone or not. */
static void ideal_memory_has_a_fixed_latency(void **state)
{
    struct byw_config config;
    struct byw_memsys *memsys;
    uint32_t first;

    (void)state;
    rig_config(&config);
    config.dram_ideal = 1;
    memsys = create(&config);
    first = trip(memsys, 0, 0, BYW_TXN_READ, 128);
    assert_in_range(first, 124 + 100 + 3, 124 + 100 + 6);
    byw_memsys_free(memsys);
    memsys = create(&config);
    for (uint32_t sm = 0; sm < 6; sm++) /* one per channel, in rows that conflict */
        push(memsys, sm, 256 * sm, BYW_TXN_READ, 128, sm);
    for (uint32_t i = 0; i < first; i++)
        byw_memsys_tick(memsys);
    for (uint32_t sm = 0; sm < 6; sm++)
        assert_non_null(byw_memsys_reply(memsys, sm));
    byw_memsys_free(memsys);
}

/* --- refusals ----------------------------------------------------------------------------- */

static void refuse(void (*set)(struct byw_config *), uint32_t offset, uint32_t value,
                   const char *words)
{
    struct byw_memsys *memsys;
    struct byw_config config;
    struct byw_diag diag = {""};

    set(&config);
    memcpy((char *)&config + offset, &value, sizeof(value));
    assert_int_equal(byw_memsys_create(&config, &memsys, &diag), BYW_EINVAL);
    assert_null(memsys);
    if (strstr(diag.text, words) == NULL)
        fail_msg("\"%s\" says nothing of \"%s\"", diag.text, words);
}

#define FIELD(name) (uint32_t) offsetof(struct byw_config, name)

static void impossible_systems_are_refused(void **state)
{
    (void)state;
    refuse(preset_volta, FIELD(l2_sectors), 3, "l2.sectors");
    refuse(preset_volta, FIELD(l2_sectors), 8, "at least 32");
    refuse(preset_volta, FIELD(l2_line), 256, "l2.line_bytes: 256, expected at most 128");
    refuse(preset_volta, FIELD(l2_in_queue), 3, "the 4 parts of a line");
    refuse(preset_volta, FIELD(dram_atom), 64, "dram.atom_bytes (64)");
    refuse(preset_volta, FIELD(t_refi), 600, "dram.t_refi: 600");
    refuse(preset_volta, FIELD(dram_map_shift), 6, "dram.channel_bit: 6, expected at least 7");
    refuse(preset_pascal, FIELD(l2_slice_index), BYW_HASH_IPOLY, "a power of two");
    refuse(preset_gcn, FIELD(l3_line), 32, "l3.line_bytes / l3.sectors: 32 bytes");
    refuse(preset_rdna2, FIELD(l3_line), 64, "l3.line_bytes");
    refuse(preset_pascal, FIELD(l2_port), 24, "l2.port_bytes: 24");
    refuse(preset_gcn, FIELD(l3_miss_queue), 2, "l3.miss_queue: 2");
    refuse(preset_gcn, FIELD(l1d_line), 128, "the next level (64)");
    refuse(preset_rdna2, FIELD(gl1_line), 256, "gl1.line_bytes");
    refuse(preset_rdna2, FIELD(gl1_sets), 100, "gl1.sets");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_request_is_answered_once),
        cmocka_unit_test(skipping_changes_nothing),
        cmocka_unit_test(random_runs_use_every_feature),
        cmocka_unit_test(l2_hit_latency_is_the_sum_of_its_stages),
        cmocka_unit_test(l3_hit_latency_is_the_sum_of_its_stages),
        cmocka_unit_test(a_gl1_serves_its_group_only),
        cmocka_unit_test(invalidation_drops_and_flush_writes),
        cmocka_unit_test(a_flush_can_be_skipped_over),
        cmocka_unit_test(ideal_memory_is_a_lower_bound),
        cmocka_unit_test(ideal_memory_has_a_fixed_latency),
        cmocka_unit_test(impossible_systems_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
