/* SPDX-License-Identifier: Apache-2.0
 *
 * t_array - common/byw_array.h: arrays keep their elements when they grow, and are unchanged if
 * growing fails.
 */
#include <stdlib.h>

#include "common/byw_array.h"
#include "common/test.h"

static void growing_keeps_the_elements(void **state)
{
    uint32_t *item = NULL;
    size_t room = 0;

    (void)state;
    for (uint32_t i = 0; i < 10000; i++) {
        assert_true(BYW_ARRAY_ROOM(item, room, i + 1));
        assert_true(room > i);
        item[i] = i;
    }
    for (uint32_t i = 0; i < 10000; i++)
        assert_int_equal(item[i], i);
    free(item);
}

/* Appending n elements one by one moves the array log n times, not n times. */
static void room_doubles(void **state)
{
    char *item = NULL;
    size_t room = 0, before = 0;
    unsigned moves = 0;

    (void)state;
    for (size_t i = 0; i < 100000; i++) {
        assert_true(BYW_ARRAY_ROOM(item, room, i + 1));
        moves += room != before;
        before = room;
    }
    assert_true(moves < 20);
    free(item);
}

static void one_call_makes_room_for_many(void **state)
{
    uint64_t *item = NULL;
    size_t room = 0;

    (void)state;
    assert_true(BYW_ARRAY_ROOM(item, room, 12345));
    assert_true(room >= 12345);
    item[12344] = 1;
    free(item);
}

static void too_large_an_array_is_refused_and_unchanged(void **state)
{
    uint64_t *item = NULL;
    size_t room = 0;

    (void)state;
    assert_true(BYW_ARRAY_ROOM(item, room, 4));
    item[3] = 42;
    for (size_t need = SIZE_MAX; need >= SIZE_MAX / sizeof(*item); need -= SIZE_MAX / 16) {
        uint64_t *was = item;
        size_t had = room;

        assert_false(BYW_ARRAY_ROOM(item, room, need));
        assert_ptr_equal(item, was);
        assert_int_equal(room, had);
    }
    assert_int_equal(item[3], 42);
    free(item);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(growing_keeps_the_elements),
        cmocka_unit_test(room_doubles),
        cmocka_unit_test(one_call_makes_room_for_many),
        cmocka_unit_test(too_large_an_array_is_refused_and_unchanged),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
