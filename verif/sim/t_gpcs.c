/* SPDX-License-Identifier: Apache-2.0
 *
 * t_gpcs.c - which SMs get the CTAs of a launch, and which reads of the L2 SMs share, compared
 * with measurements of an H200 (cmodel/doc/h200.md).
 */
#include <string.h>

#include "sim/gpu_rig.h"
#include "sim/memory/byw_gpcs.h"
#include "sim/memory/byw_l2_join.h"
#include "sim/timing_keys.h"

#define HOPPER "2 2 4 16 16 16 16 16 18 18 8"

static void hopper(struct byw_config *c, struct byw_gpcs *gpcs)
{
    byw_config_defaults(c);
    c->sm_count = 132;
    strcpy(c->gpu_gpcs, HOPPER);
    assert_true(byw_gpcs_read(c, gpcs));
}

static uint32_t taken(const struct byw_gpcs *gpcs, uint32_t g, const bool *takes, uint32_t odd)
{
    uint32_t count = 0;

    for (uint32_t port = gpcs->first[g] + odd; port < gpcs->first[g + 1]; port += 2)
        count += takes[port];
    return count;
}

/* Where an H200 puts the CTAs of small grids: `loose` of them on the eight SMs outside of large
 * GPCs, and `each` on every one of the eight large GPCs, all on different TPCs. */
static void spread_gives_ctas_to_the_sms_that_an_h200_used(void **state)
{
    static const struct {
        uint32_t ctas, loose, each;
    } seen[] = {{1, 1, 0},  {2, 2, 0},  {4, 4, 0},  {8, 8, 0},
                {16, 8, 1}, {24, 8, 2}, {32, 8, 3}, {40, 8, 4}};
    struct byw_config c;
    struct byw_gpcs gpcs;
    bool takes[BYW_GPC_SMS_MAX];

    (void)state;
    hopper(&c, &gpcs);
    assert_int_equal(gpcs.count, 11);
    for (size_t i = 0; i < sizeof(seen) / sizeof(seen[0]); i++) {
        uint32_t loose = 0;

        byw_gpcs_spread(&gpcs, seen[i].ctas, takes);
        for (uint32_t g = 0; g < 3; g++)
            loose += taken(&gpcs, g, takes, 0) + taken(&gpcs, g, takes, 1);
        assert_int_equal(loose, seen[i].loose);
        for (uint32_t g = 3; g < gpcs.count; g++) {
            assert_int_equal(taken(&gpcs, g, takes, 0), seen[i].each);
            assert_int_equal(taken(&gpcs, g, takes, 1), 0);
        }
    }
}

/* 70 CTAs fill the loose SMs and one SM of each of the 62 other TPCs; the 71st shares a TPC. */
static void second_sms_of_tpcs_come_last(void **state)
{
    struct byw_config c;
    struct byw_gpcs gpcs;
    bool takes[BYW_GPC_SMS_MAX];
    uint32_t odd = 0;

    (void)state;
    hopper(&c, &gpcs);
    byw_gpcs_spread(&gpcs, 70, takes);
    for (uint32_t g = 3; g < gpcs.count; g++) {
        assert_int_equal(taken(&gpcs, g, takes, 0), (gpcs.first[g + 1] - gpcs.first[g]) / 2);
        assert_int_equal(taken(&gpcs, g, takes, 1), 0);
    }
    byw_gpcs_spread(&gpcs, 71, takes);
    for (uint32_t g = 3; g < gpcs.count; g++)
        odd += taken(&gpcs, g, takes, 1);
    assert_int_equal(odd, 1);
}

/* A machine with fewer SMs has the first GPCs of the list. */
static void sizes_must_add_up(void **state)
{
    static const char *wrong[] = {"2 2", "131", "66 65", "66 66 0", "66 x", ""};
    struct byw_config c;
    struct byw_gpcs gpcs;

    (void)state;
    hopper(&c, &gpcs);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        strcpy(c.gpu_gpcs, wrong[i]);
        assert_non_null(byw_gpcs_fault(&c));
    }
    strcpy(c.gpu_gpcs, "132");
    assert_null(byw_gpcs_fault(&c));
    strcpy(c.gpu_gpcs, "0");
    assert_null(byw_gpcs_fault(&c));
    c.l2_join_cycles = 1;
    assert_non_null(byw_gpcs_fault(&c));
    strcpy(c.gpu_gpcs, HOPPER);
    c.sm_count = 10;
    assert_true(byw_gpcs_read(&c, &gpcs));
    assert_int_equal(gpcs.count, 4);
    assert_int_equal(gpcs.first[4], 10);
}

/* --- shared reads --------------------------------------------------------------------------- */

static struct byw_l2_join *slice(struct byw_config *c, struct byw_gpcs *gpcs)
{
    hopper(c, gpcs);
    c->l2_join_cycles = 48;
    c->l2_join_reads = 4;
    return byw_l2_join_create(c, gpcs);
}

static bool reads(struct byw_l2_join *join, uint16_t sm, uint64_t addr, uint16_t bytes,
                  uint64_t now)
{
    const struct byw_txn txn = {.kind = BYW_TXN_READ, .sm = sm, .addr = addr, .bytes = bytes};

    return byw_l2_joins(join, &txn, now);
}

/* k SMs of one GPC that read a line together make as many reads of the L2 as on an H200. */
static void four_sms_of_a_gpc_share_a_read(void **state)
{
    static const uint32_t seen[][2] = {{1, 1}, {2, 1}, {3, 1}, {4, 1},  {5, 2},
                                       {6, 2}, {8, 2}, {9, 3}, {12, 3}, {16, 4}};

    (void)state;
    for (size_t i = 0; i < sizeof(seen) / sizeof(seen[0]); i++) {
        struct byw_config c;
        struct byw_gpcs gpcs;
        struct byw_l2_join *join = slice(&c, &gpcs);
        uint32_t count = 0;

        for (uint32_t k = 0; k < seen[i][0]; k++)
            count += !reads(join, (uint16_t)(8 + k), 0x1000, 128, 100 + k);
        assert_int_equal(count, seen[i][1]);
        free(join);
    }
}

/* An H200 does not merge reads of different GPCs, nor those of different sectors of a line. */
static void only_equal_reads_of_a_gpc_are_shared(void **state)
{
    struct byw_config c;
    struct byw_gpcs gpcs;
    struct byw_l2_join *join = slice(&c, &gpcs);
    struct byw_txn write = {.kind = BYW_TXN_WRITE, .sm = 9, .addr = 0x1000, .bytes = 128};

    (void)state;
    assert_false(reads(join, 8, 0x1000, 128, 100));
    assert_false(reads(join, 24, 0x1000, 128, 100)); /* the next GPC */
    assert_false(reads(join, 9, 0x1000, 32, 100)); /* a sector of the line */
    assert_false(reads(join, 9, 0x1080, 128, 100));
    assert_false(byw_l2_joins(join, &write, 100));
    assert_true(reads(join, 9, 0x1000, 128, 101));
    assert_true(reads(join, 25, 0x1000, 128, 101));
    free(join);
}

/* The time counts from the read of the L2, not from the last one that joined it. */
static void reads_join_for_so_many_cycles(void **state)
{
    for (uint32_t cycles = 1; cycles <= 511; cycles += 85) {
        struct byw_config c;
        struct byw_gpcs gpcs;
        struct byw_l2_join *join = slice(&c, &gpcs);

        *timing_key(state, &c) = cycles;
        join->cycles = c.l2_join_cycles;
        assert_false(reads(join, 8, 0x1000, 128, 1000));
        assert_true(reads(join, 9, 0x1000, 128, 1000 + cycles));
        assert_false(reads(join, 10, 0x1000, 128, 1001 + cycles));
        free(join);
    }
}

static bool reads_fetch(struct byw_l2_join *join, uint16_t sm, uint64_t addr, uint16_t bytes,
                        bool joined)
{
    const struct byw_txn txn = {.kind = BYW_TXN_READ, .sm = sm, .addr = addr, .bytes = bytes};

    return byw_l2_joins_fetch(join, 5, &txn, joined);
}

/* Reads of a sector that is being fetched are shared like hits: four of a GPC, the same bytes;
 * those that joined before count, too.  Without the key, only those are shared. */
static void reads_are_shared_while_their_fetch_is_in_flight(void **state)
{
    const struct byw_txn first = {.kind = BYW_TXN_READ, .sm = 8, .addr = 0x1000, .bytes = 64};
    struct byw_config c;
    struct byw_gpcs gpcs;
    struct byw_l2_join *join;

    (void)state;
    hopper(&c, &gpcs);
    for (c.l2_join_misses = 0; c.l2_join_misses < 2; c.l2_join_misses++) {
        bool on = c.l2_join_misses != 0;

        join = byw_l2_join_create(&c, &gpcs);
        for (uint32_t round = 0; round < 2; round++) {
            byw_l2_join_fetch(join, 5, &first);
            assert_int_equal(reads_fetch(join, 9, 0x1000, 64, false), on);
            assert_true(reads_fetch(join, 10, 0x1000, 64, true));
            assert_int_equal(reads_fetch(join, 11, 0x1000, 64, false), on);
            assert_false(reads_fetch(join, 12, 0x1000, 64, false)); /* the fifth */
            assert_int_equal(reads_fetch(join, 13, 0x1000, 64, false), on);
            assert_false(reads_fetch(join, 24, 0x1000, 64, false)); /* an SM of another GPC */
            assert_false(reads_fetch(join, 9, 0x1000, 32, false));
            assert_false(reads_fetch(join, 9, 0x1020, 32, false));
            assert_int_equal(reads_fetch(join, 10, 0x1020, 32, false), on);
        }
        byw_l2_join_free(join);
    }
}

int main(void)
{
#define GPCS TIMING_KEY
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spread_gives_ctas_to_the_sms_that_an_h200_used),
        cmocka_unit_test(second_sms_of_tpcs_come_last),
        cmocka_unit_test(sizes_must_add_up),
        cmocka_unit_test(four_sms_of_a_gpc_share_a_read),
        cmocka_unit_test(only_equal_reads_of_a_gpc_are_shared),
        cmocka_unit_test(reads_are_shared_while_their_fetch_is_in_flight),
#include "sim/timing_keys.def"
    };

    return cmocka_run_group_tests_name("gpcs", tests, NULL, NULL);
}
