/* SPDX-License-Identifier: Apache-2.0
 *
 * The small units of the L1D, each alone: set index, MSHRs, ordered queue, trackers, fill buffers,
 * response arbiter, data store.
 */
#include <stdlib.h>
#include <string.h>

#include "common/byw_config.h"
#include "common/byw_rng.h"
#include "common/test.h"
#include "l1d/byw_l1d_state.h"

static void set_index_matches_the_hash(void **state)
{
    struct byw_geometry geo = {.sets = 32, .set_bits = 5, .line_bits = 7, .index = BYW_INDEX_FERMI};
    struct byw_rng rng;
    int i;

    (void)state;
    byw_rng_init(&rng, 1);
    assert_int_equal(byw_set_index(&geo, 0x0d80 >> 7), 0x1b); /* no bit of the folded hash is set */
    assert_int_equal(byw_set_index(&geo, (1 << 13) >> 7), 1);
    assert_int_equal(byw_set_index(&geo, (1 << 14) >> 7), 2);
    assert_int_equal(byw_set_index(&geo, (1 << 15) >> 7), 4);
    assert_int_equal(byw_set_index(&geo, (1 << 16) >> 7), 0);
    assert_int_equal(byw_set_index(&geo, (1 << 17) >> 7), 8);
    assert_int_equal(byw_set_index(&geo, (1 << 19) >> 7), 16);
    assert_int_equal(byw_set_index(&geo, (1 << 12) >> 7), 0); /* bit 12 needs 64 sets */
    assert_int_equal(byw_set_index(&geo, (0x1f << 7 | 1 << 13 | 1 << 19) >> 7), 0x1f ^ 0x11);
    for (i = 0; i < 100000; i++) {
        uint64_t line = byw_rng_next(&rng) >> 16;

        geo.index = (uint32_t)i % 3; /* linear, fermi, fold */
        geo.sets = i & 4 ? 64 : 32;
        geo.set_bits = byw_clog2(geo.sets);
        geo.line_bits = 5 + (uint32_t)i / 3 % 3;
        assert_true(byw_set_line(&geo, byw_set_index(&geo, line), byw_set_key(&geo, line)) == line);
    }
    geo =
        (struct byw_geometry){.sets = 64, .set_bits = 6, .line_bits = 7, .index = BYW_INDEX_FERMI};
    assert_int_equal(byw_set_index(&geo, (1 << 12) >> 7), 32);
}

/* GPGPU-Sim has its hash for 32 and 64 sets. */
static void the_hash_folds_where_it_does_not_exist(void **state)
{
    struct byw_config c;

    (void)state;
    byw_config_defaults(&c);
    c.l1d_index = BYW_INDEX_FERMI;
    for (c.l1d_sets = 1; c.l1d_sets <= 4096; c.l1d_sets *= 2) {
        struct byw_geometry geo = byw_geometry_of(&c, 8);

        assert_int_equal(geo.index,
                         c.l1d_sets == 32 || c.l1d_sets == 64 ? BYW_INDEX_FERMI : BYW_INDEX_FOLD);
    }
    c.l1d_sets = 16;
    struct byw_geometry geo = byw_geometry_of(&c, 8);
    assert_int_equal(byw_set_index(&geo, 0x3 | 0x5 << 4 | 0x8 << 8), 0x3 ^ 0x5 ^ 0x8);
}

/* The lines of a matrix column whose rows are 2^n lines apart are spread evenly over the sets. */
static void fold_spreads_rows_of_powers_of_two(void **state)
{
    struct byw_geometry geo = {.sets = 32, .set_bits = 5, .line_bits = 7, .index = BYW_INDEX_FOLD};

    (void)state;
    for (uint32_t log2 = 0; log2 < 16; log2++) {
        uint32_t lines[32] = {0};

        for (uint64_t row = 0; row < 1024; row++)
            lines[byw_set_index(&geo, row << log2)]++;
        for (uint32_t set = 0; set < 32; set++)
            assert_int_equal(lines[set], 32);
    }
    assert_int_equal(byw_set_index(&geo, 0x1f | 3 << 5 | 1 << 10), 0x1f ^ 3 ^ 1);
    geo = (struct byw_geometry){.sets = 1, .line_bits = 7, .index = BYW_INDEX_FOLD};
    assert_int_equal(byw_set_index(&geo, 0x12345), 0);
}

static void mshrs_merge_detach_and_drain(void **state)
{
    struct byw_mshr m;
    uint32_t a, b, c;

    (void)state;
    assert_int_equal(byw_mshr_init(&m, 3, 2), BYW_OK);
    a = byw_mshr_alloc(&m, 100, 1, 2, 3, 11);
    b = byw_mshr_alloc(&m, 108, 1, 3, 1, 12); /* in the same bucket of the table */
    assert_int_equal(a, 0);
    assert_int_equal(b, 1);
    assert_int_equal(byw_mshr_lookup(&m, 100), a);
    assert_int_equal(byw_mshr_lookup(&m, 108), b);
    assert_int_equal(byw_mshr_lookup(&m, 101), BYW_MSHR_NONE);
    assert_true(byw_mshr_has_room(&m, a));
    byw_mshr_merge(&m, a, 13);
    assert_false(byw_mshr_has_room(&m, a));
    assert_int_equal(byw_mshr_target(&m, a, 0), 11);
    assert_int_equal(byw_mshr_target(&m, a, 1), 13);
    byw_mshr_detach(&m,
                    a); /* detached: the line may be fetched again while this fill is outstanding */
    assert_int_equal(byw_mshr_lookup(&m, 100), BYW_MSHR_NONE);
    c = byw_mshr_alloc(&m, 100, 1, 4, 3, 14);
    assert_int_equal(c, 2);
    assert_false(byw_mshr_any_free(&m));
    assert_false(byw_mshr_fill(&m, a)); /* a was detached: its fill is not kept */
    assert_true(byw_mshr_fill(&m, b));
    assert_int_equal(byw_mshr_lookup(&m, 108), BYW_MSHR_NONE); /* b is draining: no more merges */
    assert_int_equal(byw_mshr_lookup(&m, 100), c);
    assert_false(byw_mshr_any_free(&m)); /* no register is free until all requests of a list are
                                            answered */
    byw_mshr_free(&m, b);
    assert_int_equal(byw_mshr_alloc(&m, 7, 0, 0, 0, 15), b);
    byw_mshr_detach_all(&m);
    assert_int_equal(byw_mshr_lookup(&m, 100), BYW_MSHR_NONE);
    assert_int_equal(byw_mshr_lookup(&m, 7), BYW_MSHR_NONE);
    byw_mshr_release(&m);
}

static void push(struct byw_miss_queue *q, uint32_t id, bool bypass, const uint8_t *data)
{
    struct byw_mem_req req = {.id = id, .bypass = bypass, .data = data};

    byw_miss_queue_push(q, &req);
}

static void the_miss_queue_keeps_one_order_over_two_pools(void **state)
{
    struct byw_miss_queue q;
    uint8_t data[32];
    uint32_t i;

    (void)state;
    assert_int_equal(byw_miss_queue_init(&q, 2, 1, 32, true), BYW_OK);
    assert_null(byw_miss_queue_head(&q));
    memset(data, 5, sizeof(data));
    push(&q, 1, false, data);
    memset(data, 6, sizeof(data)); /* the queue holds its own copy */
    push(&q, 2, true, NULL);
    assert_false(byw_miss_queue_room(&q, BYW_POOL_BYPASS));
    assert_true(byw_miss_queue_room(&q, BYW_POOL_MISS)); /* pools do not delay each other */
    push(&q, 3, false, data);
    assert_false(byw_miss_queue_room(&q, BYW_POOL_MISS));
    assert_int_equal(byw_miss_queue_head(&q)->id, 1); /* both pools share one order */
    assert_int_equal(byw_miss_queue_head(&q)->data[31], 5);
    byw_miss_queue_pop(&q);
    assert_true(byw_miss_queue_room(&q, BYW_POOL_MISS));
    assert_false(byw_miss_queue_room(&q, BYW_POOL_BYPASS));
    assert_int_equal(byw_miss_queue_head(&q)->id, 2);
    byw_miss_queue_pop(&q);
    for (i = 4; i < 40; i++) { /* beyond the end of the storage, with push and pop in one cycle */
        push(&q, i, i % 3 == 0, data);
        assert_int_equal(byw_miss_queue_head(&q)->id, i - 1);
        byw_miss_queue_pop(&q);
    }
    assert_int_equal(q.count, 1);
    byw_miss_queue_release(&q);
}

static void trackers_are_reused_in_the_order_of_freeing(void **state)
{
    struct byw_bypass_tracker bt;
    uint32_t i;

    (void)state;
    assert_int_equal(byw_bypass_tracker_init(&bt, 70),
                     BYW_OK); /* more than one word of free bits */
    for (i = 0; i < 70; i++)
        assert_int_equal(byw_bypass_tracker_take(&bt, 1000 + i), i);
    assert_false(byw_id_pool_any(&bt.pool));
    assert_int_equal(byw_bypass_tracker_give(&bt, 66), 1066); /* given back in any order */
    assert_int_equal(byw_bypass_tracker_give(&bt, 3), 1003);
    assert_int_equal(byw_bypass_tracker_take(&bt, 1), 66); /* the tracker that has been free
                                                              longest */
    assert_int_equal(byw_bypass_tracker_take(&bt, 2), 3);
    assert_false(byw_id_pool_any(&bt.pool));
    byw_bypass_tracker_release(&bt);
}

static void fill_buffers_drain_in_order(void **state)
{
    struct byw_fill fill;
    uint8_t data[32] = {1};
    struct byw_mem_rsp rsp = {.data = data, .id = 4, .kind = BYW_MEM_FILL};

    (void)state;
    assert_int_equal(byw_fill_init(&fill, 32, 32, false, true), BYW_OK);
    byw_fill_accept(&fill, &rsp);
    data[0] = 2;
    rsp.id = 5;
    rsp.error = true;
    byw_fill_accept(&fill, &rsp);
    assert_int_equal(fill.count, BYW_FILL_BUFFERS);
    assert_int_equal(fill.buffer[fill.head].mshr, 4);
    assert_int_equal(fill.buffer[fill.head].data[0], 1);
    byw_fill_drain(&fill, false);
    assert_int_equal(fill.next_target, 1);
    byw_fill_drain(&fill, true);
    assert_int_equal(fill.next_target, 0);
    assert_int_equal(fill.buffer[fill.head].mshr, 5);
    assert_true(fill.buffer[fill.head].error);
    assert_int_equal(fill.buffer[fill.head].data[0], 2);
    rsp.kind = BYW_MEM_STORE;
    byw_fill_direct(&fill, &rsp, 9);
    assert_int_equal(fill.direct.served, BYW_SERVED_STORE);
    assert_null(fill.direct.data);
    rsp.kind = BYW_MEM_BYPASS;
    byw_fill_direct(&fill, &rsp, 10);
    assert_int_equal(fill.direct.served, BYW_SERVED_BYPASS);
    assert_int_equal(fill.direct.id, 10);
    assert_int_equal(fill.direct.data[0], 2);
    byw_fill_release(&fill);
}

static void the_response_arbiter_is_fair_and_stable(void **state)
{
    struct byw_rsp_arb arb;
    uint32_t got[3] = {0}, i;

    (void)state;
    byw_rsp_arb_clear(&arb);
    for (i = 0; i < 300; i++) { /* all compete: each gets a third */
        uint32_t choice = byw_rsp_arb_choose(&arb, 7);

        assert_int_equal(choice, i % 3);
        got[choice]++;
        byw_rsp_arb_tick(&arb, choice, true);
    }
    assert_int_equal(got[BYW_SRC_FILL], 100);
    assert_int_equal(byw_rsp_arb_choose(&arb, 1 << BYW_SRC_DIRECT), BYW_SRC_DIRECT);
    byw_rsp_arb_tick(&arb, BYW_SRC_DIRECT, false); /* shown but not taken, so it stays */
    assert_int_equal(byw_rsp_arb_choose(&arb, 7), BYW_SRC_DIRECT);
    byw_rsp_arb_tick(&arb, BYW_SRC_DIRECT, true);
    assert_int_equal(byw_rsp_arb_choose(&arb, 7), BYW_SRC_HIT);
}

static void masked_writes_set_dirty_bytes(void **state)
{
    struct byw_byte_mask mask = {{0xf0, 0}};
    struct byw_data_store ds;
    uint8_t data[128];
    uint32_t i;

    (void)state;
    assert_int_equal(byw_data_store_init(&ds, 4, 128, 128, true), BYW_OK);
    for (i = 0; i < 128; i++)
        data[i] = (uint8_t)i;
    byw_data_store_fill(&ds, 2, 0, data);
    assert_memory_equal(byw_data_store_read(&ds, 2, 0), data, 128);
    memset(data, 0xee, sizeof(data));
    byw_data_store_write(&ds, 2, 0, &mask, data, false);
    assert_int_equal(byw_data_store_read(&ds, 2, 0)[3], 3);
    assert_int_equal(byw_data_store_read(&ds, 2, 0)[4], 0xee);
    assert_int_equal(byw_data_store_read(&ds, 2, 0)[8], 8);
    assert_false(byw_data_store_dirty(&ds, 2));
    mask = (struct byw_byte_mask){{0, UINT64_C(1) << 63}};
    byw_data_store_write(&ds, 2, 0, &mask, data, true);
    byw_data_store_write(&ds, 2, 0, &mask, data, true);
    assert_true(byw_data_store_dirty(&ds, 2));
    assert_int_equal(ds.dirty_count, 1);
    assert_int_equal(byw_data_store_read(&ds, 2, 0)[127], 0xee);
    byw_data_store_clean(&ds, 2);
    assert_int_equal(ds.dirty_count, 0);
    byw_data_store_release(&ds);
    mask = byw_byte_mask_line(32);
    assert_true(mask.w[0] == UINT32_MAX && mask.w[1] == 0);
    mask = byw_byte_mask_line(128);
    assert_true(mask.w[0] == UINT64_MAX && mask.w[1] == UINT64_MAX);
}

/* A cleared record equals that of a new cache: way i has rank and age i, and nothing is
 * valid. */
static void a_cleared_record_equals_one_after_reset(void **state)
{
    struct byw_geometry geo = {.sets = 1, .tag_ways = 8, .data_ways = 4};
    struct byw_set *set = malloc(byw_set_bytes(&geo));
    uint32_t i;

    (void)state;
    assert_non_null(set);
    memset(set, 0x5a, byw_set_bytes(&geo));
    byw_set_clear(&geo, set);
    assert_true(set->used == 0 && set->pending == 0);
    for (i = 0; i < 4; i++) {
        assert_int_equal(set->rank[i], i);
        assert_false(set->way[i].reused);
    }
    for (i = 0; i < 8; i++) {
        assert_int_equal(set->tag[i].age, i);
        assert_int_equal(set->tag[i].status, BYW_TAG_INVALID);
        assert_int_equal(set->tag[i].rc, 0);
    }
    assert_null(byw_set_check(&geo, set));
    free(set);
}

/* The check of the invariants finds each violation. */
static void the_record_check_finds_each_broken_invariant(void **state)
{
    struct byw_geometry geo = {.sets = 1, .tag_ways = 4, .data_ways = 2};
    struct byw_set *set = malloc(byw_set_bytes(&geo));
    struct byw_set *broken = malloc(byw_set_bytes(&geo));
    int i;

    (void)state;
    assert_true(set != NULL && broken != NULL);
    byw_set_clear(&geo, set);
    byw_set_install(set, 1, 10, 0);
    byw_set_install(set, 2, 20, 0);
    byw_set_install(set, 3, 30, 0);
    byw_set_commit(set, 1, 0);
    byw_set_commit(set, 3, 1);
    assert_null(byw_set_check(&geo, set));
    for (i = 0; i < 9; i++) {
        memcpy(broken, set, byw_set_bytes(&geo));
        switch (i) {
        case 0:
            broken->way[0].owner = 3;
            break;
        case 1:
            broken->tag[3].pos = 0;
            break;
        case 2:
            broken->used = 1;
            broken->pending = 0;
            break;
        case 3:
            broken->tag[1].status = BYW_TAG_CANDIDATE;
            break;
        case 4:
            broken->tag[2].key = 10;
            break;
        case 5:
            broken->tag[2].age = broken->tag[1].age;
            break;
        case 6:
            broken->tag[0].key = 5;
            break;
        case 7:
            broken->used = 7;
            break;
        default:
            broken->used = 0;
            break;
        }
        assert_non_null(byw_set_check(&geo, broken));
    }
    free(set);
    free(broken);
}

/* With 64 ways, each key is found where it was stored and an absent key nowhere, whether all
 * fingerprints differ (keys 0 .. 63) or are equal (0x0101 times those); a wrong fingerprint is an
 * error. */
static void prints_find_every_key_and_no_other(void **state)
{
    struct byw_geometry geo = {.sets = 1, .tag_ways = 64, .data_ways = 64};
    struct byw_set *set = malloc(byw_set_bytes(&geo));
    uint64_t factor, i;

    (void)state;
    assert_non_null(set);
    for (factor = 1; factor <= 0x0101; factor += 0x0100) {
        byw_set_clear(&geo, set);
        for (i = 0; i < 64; i++)
            byw_set_install(set, (int)i, i * factor, 0);
        assert_null(byw_set_check(&geo, set));
        for (i = 0; i < 64; i++) {
            assert_int_equal(byw_set_match(&geo, set, i * factor), i);
            assert_int_equal(byw_set_match(&geo, set, (64 + i) * factor), BYW_NONE);
        }
    }
    set->print[63] ^= 1;
    assert_non_null(byw_set_check(&geo, set));
    free(set);
}

static void the_generator_never_sticks_at_zero(void **state)
{
    struct byw_rng a, b;
    uint32_t seen[10] = {0}, i;

    (void)state;
    byw_rng_init(&a, 5);
    byw_rng_init(&b, 5);
    for (i = 0; i < 100000; i++) {
        uint32_t v = byw_rng_below(&a, 10);

        assert_int_equal(v, byw_rng_below(&b, 10));
        seen[v]++;
    }
    for (i = 0; i < 10; i++)
        assert_in_range(seen[i], 9500, 10500);
    byw_rng_init(&a, UINT64_MAX); /* the seed for which the state would be 0 */
    assert_true(byw_rng_next(&a) != byw_rng_next(&a));
}

static void bit_helpers_return_known_values(void **state)
{
    (void)state;
    assert_true(byw_mask64(0) == 0 && byw_mask64(5) == 31 && byw_mask64(64) == UINT64_MAX);
    assert_true(byw_clog2(1) == 0 && byw_clog2(32) == 5 && byw_clog2(33) == 6);
    assert_true(byw_ctz64(40) == 3 && byw_popcount64(UINT64_MAX) == 64);
    assert_true(byw_is_pow2(64) && !byw_is_pow2(0) && !byw_is_pow2(12));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(set_index_matches_the_hash),
        cmocka_unit_test(the_hash_folds_where_it_does_not_exist),
        cmocka_unit_test(fold_spreads_rows_of_powers_of_two),
        cmocka_unit_test(mshrs_merge_detach_and_drain),
        cmocka_unit_test(the_miss_queue_keeps_one_order_over_two_pools),
        cmocka_unit_test(trackers_are_reused_in_the_order_of_freeing),
        cmocka_unit_test(fill_buffers_drain_in_order),
        cmocka_unit_test(the_response_arbiter_is_fair_and_stable),
        cmocka_unit_test(masked_writes_set_dirty_bytes),
        cmocka_unit_test(a_cleared_record_equals_one_after_reset),
        cmocka_unit_test(the_record_check_finds_each_broken_invariant),
        cmocka_unit_test(prints_find_every_key_and_no_other),
        cmocka_unit_test(the_generator_never_sticks_at_zero),
        cmocka_unit_test(bit_helpers_return_known_values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
