/* SPDX-License-Identifier: Apache-2.0
 *
 * t_index - common/byw_index.h: the hash table finds what was added and nothing else.
 */
#include "common/byw_index.h"
#include "common/test.h"

enum { KEYS = 20000 };

/* The index of a key in keys[], or BYW_INDEX_END. mask: the hash bits in use. */
static uint32_t find(const struct byw_index *index, const uint64_t *keys, uint64_t key,
                     uint32_t mask)
{
    uint32_t n;

    for (uint32_t at = 0; (n = byw_index_next(index, byw_hash(key) & mask, &at)) != BYW_INDEX_END;)
        if (keys[n] == key)
            break;
    return n;
}

static void fill(struct byw_index *index, uint64_t *keys, uint32_t count, uint32_t mask)
{
    for (uint32_t i = 0; i < count; i++) {
        keys[i] = (uint64_t)i << 7;
        assert_int_equal(find(index, keys, keys[i], mask), BYW_INDEX_END);
        assert_true(byw_index_add(index, byw_hash(keys[i]) & mask, i));
    }
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(find(index, keys, keys[i], mask), i);
}

static void an_empty_index_finds_nothing(void **state)
{
    struct byw_index index = {.slot = NULL};

    (void)state;
    assert_int_equal(find(&index, NULL, 5, UINT32_MAX), BYW_INDEX_END);
    byw_index_clear(&index);
    byw_index_release(&index);
}

static void every_added_key_is_found_while_the_table_grows(void **state)
{
    static uint64_t keys[KEYS];
    struct byw_index index = {.slot = NULL};

    (void)state;
    fill(&index, keys, KEYS, UINT32_MAX);
    assert_int_equal(find(&index, keys, 1, UINT32_MAX), BYW_INDEX_END);
    assert_true(index.count <= (index.mask + 1) / 2);
    byw_index_release(&index);
}

/* With all hashes equal, then with eight values, the caller's comparison distinguishes the keys. */
static void keys_with_the_same_hash_are_told_apart(void **state)
{
    static uint64_t keys[500];
    struct byw_index index = {.slot = NULL};

    (void)state;
    fill(&index, keys, 500, 0);
    byw_index_clear(&index);
    fill(&index, keys, 500, 7);
    byw_index_release(&index);
}

/* A search that starts in the last slot continues in the first. */
static void a_search_wraps_around(void **state)
{
    struct byw_index index = {.slot = NULL};
    uint32_t at = 0;

    (void)state;
    for (uint32_t i = 0; i < 3; i++)
        assert_true(byw_index_add(&index, UINT32_MAX, i));
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(byw_index_next(&index, UINT32_MAX, &at), i);
    assert_int_equal(byw_index_next(&index, UINT32_MAX, &at), BYW_INDEX_END);
    byw_index_release(&index);
}

static void a_cleared_index_is_empty_and_can_be_filled_again(void **state)
{
    static uint64_t keys[1000];
    struct byw_index index = {.slot = NULL};

    (void)state;
    for (int round = 0; round < 3; round++) {
        fill(&index, keys, 1000, UINT32_MAX);
        byw_index_clear(&index);
        for (uint32_t i = 0; i < 1000; i++)
            assert_int_equal(find(&index, keys, keys[i], UINT32_MAX), BYW_INDEX_END);
    }
    byw_index_release(&index);
}

/* Addresses, program counters and small numbers must spread over many hashes. */
static void hashes_of_regular_keys_differ(void **state)
{
    static uint64_t keys[KEYS];

    (void)state;
    for (unsigned shift = 0; shift < 40; shift += 4) {
        struct byw_index index = {.slot = NULL};
        uint64_t steps = 0;

        for (uint32_t i = 0; i < KEYS; i++) {
            keys[i] = (uint64_t)i << shift;
            assert_true(byw_index_add(&index, byw_hash(keys[i]), i));
        }
        for (uint32_t i = 0; i < KEYS; i++) {
            uint32_t at = 0;

            while (byw_index_next(&index, byw_hash(keys[i]), &at) != i)
                ;
            steps += at;
        }
        assert_true(steps < 4 * KEYS);
        byw_index_release(&index);
    }
}

static void both_numbers_of_a_pair_decide_its_hash(void **state)
{
    uint32_t equal = 0;

    (void)state;
    for (uint32_t a = 0; a < 64; a++)
        for (uint32_t b = 0; b < 64; b++)
            equal += byw_hash2(a, b) == byw_hash2(b, a) && a != b;
    assert_true(equal < 4);
    assert_int_not_equal(byw_hash2(1, 2), byw_hash2(1, 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_index_finds_nothing),
        cmocka_unit_test(every_added_key_is_found_while_the_table_grows),
        cmocka_unit_test(keys_with_the_same_hash_are_told_apart),
        cmocka_unit_test(a_search_wraps_around),
        cmocka_unit_test(a_cleared_index_is_empty_and_can_be_filled_again),
        cmocka_unit_test(hashes_of_regular_keys_differ),
        cmocka_unit_test(both_numbers_of_a_pair_decide_its_hash),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
