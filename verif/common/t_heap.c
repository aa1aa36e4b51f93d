/* SPDX-License-Identifier: Apache-2.0
 *
 * t_heap.c - a program's heap after byw_heap_prepare(): blocks of all sizes keep their content, and
 * a new table of either kind is always zeroed.
 */
#include <stdlib.h>
#include <string.h>

#include "common/byw_heap.h"
#include "common/test.h"

enum { BLOCKS = 24, TABLE = 40 << 20, STEP = 3 << 20 };

/* From 16 bytes to more than the reserved heap. */
static void blocks_keep_their_content(void **state)
{
    unsigned char *block[BLOCKS];

    (void)state;
    for (uint32_t i = 0; i < BLOCKS; i++) {
        block[i] = malloc((size_t)16 << i);
        assert_non_null(block[i]);
        block[i][0] = block[i][((size_t)16 << i) - 1] = (unsigned char)i;
    }
    for (uint32_t i = 0; i < BLOCKS; i++) {
        assert_int_equal(block[i][0], i);
        assert_int_equal(block[i][((size_t)16 << i) - 1], i);
        free(block[i]);
    }
}

static void table_is_zero(void *(*make)(size_t), void (*release)(void *, size_t), size_t bytes)
{
    for (uint32_t turn = 0; turn < 3; turn++) {
        unsigned char *table = make(bytes);

        assert_non_null(table);
        for (size_t at = 0; at < bytes; at += STEP) {
            assert_int_equal(table[at], 0);
            table[at] = 1;
        }
        assert_int_equal(table[bytes - 1], 0);
        table[bytes - 1] = 1;
        release(table, bytes);
    }
    release(NULL, bytes);
}

static void tables_are_zero(void **state)
{
    (void)state;
    for (uint32_t bytes = 100; bytes <= TABLE; bytes = 8 * bytes + 1) {
        table_is_zero(byw_heap_sparse, byw_heap_sparse_free, bytes);
        table_is_zero(byw_heap_stretches, byw_heap_stretches_free, bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_keep_their_content),
        cmocka_unit_test(tables_are_zero),
    };

    byw_heap_prepare();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
