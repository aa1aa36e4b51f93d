/* SPDX-License-Identifier: Apache-2.0
 *
 * t_heap.c - a program's heap after byw_heap_prepare(): blocks of all sizes hold what is written to
 * them, and a sparse table begins with zeros, every time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/byw_heap.h"

enum { BLOCKS = 24, TABLE = 40 << 20, STEP = 3 << 20 };

/* From 16 bytes to more than is set aside for the heap. */
static void blocks_hold(void **state)
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

static void table_is_zero(void **state)
{
    (void)state;
    for (uint32_t turn = 0; turn < 3; turn++) {
        unsigned char *table = byw_heap_sparse(TABLE);

        assert_non_null(table);
        for (uint32_t at = 0; at < TABLE; at += STEP) {
            assert_int_equal(table[at], 0);
            table[at] = 1;
        }
        byw_heap_sparse_free(table, TABLE);
    }
    byw_heap_sparse_free(NULL, TABLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_hold),
        cmocka_unit_test(table_is_zero),
    };

    byw_heap_prepare();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
