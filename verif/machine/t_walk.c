/* SPDX-License-Identifier: Apache-2.0
 *
 * t_walk.c - the walk of a thread through small pieces of machine code: versions of an unrolled
 * loop, slow paths, and the paths through their functions.
 */
#include "common/test.h"

#include <stdlib.h>

#include "capture/path/byw_cl_anchors.c"
#include "capture/path/byw_cl_mark.h"
#include "capture/path/byw_cl_slow.c"
#include "capture/path/byw_cl_walk.c"

#define NONE BYW_MACHINE_NO_TARGET
#define OP(kind, number)                                                                           \
    {                                                                                              \
        .op = BYW_MACHINE_##kind, .line = number, .target = NONE                                   \
    }
#define IF(number, to)                                                                             \
    {                                                                                              \
        .op = BYW_MACHINE_BRANCH, .line = number, .target = to,                                    \
        .flags = BYW_MACHINE_PREDICATED | BYW_MACHINE_CONDITIONAL                                  \
    }
#define CALL_OF(number, to)                                                                        \
    {                                                                                              \
        .op = BYW_MACHINE_CALL, .line = number, .target = to                                       \
    }

/* The walk's bits as text; its length in *instructions. */
static void find_walk(struct byw_machine_inst *inst, uint32_t count, const uint32_t *mark,
                      uint32_t marks, const uint32_t *piece, uint32_t pieces,
                      const struct byw_cl_slow *slow, size_t slows, char *bits,
                      uint64_t *instructions)
{
    struct byw_machine machine = {.arch = 90, .count = count, .inst = inst};
    struct byw_cl_anchors anchors;
    struct byw_cl_walk walk = {0};
    struct byw_cl_walker *walker;
    enum byw_path_why why;

    assert_true(byw_machine_follow(inst, count));
    assert_int_equal(byw_cl_anchors_find(&anchors, &machine, mark, marks), BYW_OK);
    walker = byw_cl_walker_create(&anchors);
    assert_non_null(walker);
    byw_cl_walk_slow(walker, slow, slows);
    assert_int_equal(byw_cl_walk(walker, piece, pieces, &walk, &why), BYW_OK);
    for (uint32_t i = 0; i < walk.bits; i++)
        bits[i] = walk.bit[i / 8] >> i % 8 & 1 ? '1' : '0';
    bits[walk.bits] = '\0';
    *instructions = walk.instructions;
    free(walk.bit);
    byw_cl_walker_free(walker);
    byw_cl_anchors_release(&anchors);
}

/* A loop that counts down to 0, unrolled twice: instruction 1 skips the copies if the count is not
 * positive, instruction 2 if it is 1. */
static void a_guard_of_an_unrolled_loop_is_passed(void **state)
{
    struct byw_machine_inst code[] = {OP(INT, 1),  IF(3, 8), IF(3, 6),        OP(LOAD, 2),
                                      OP(LOAD, 2), IF(3, 3), OP(CONVERGE, 3), IF(3, 10),
                                      OP(LOAD, 2), IF(3, 8), OP(EXIT, 4)};
    const uint32_t mark[] = {BYW_CL_MARK_BLOCK(1), BYW_CL_MARK_BLOCK(2), BYW_CL_MARK_BLOCK(4)};
    const uint32_t piece[][7] = {{0, 1, 2}, {0, 1, 1, 2}, {0, 1, 1, 1, 2}, {0, 1, 1, 1, 1, 2}};
    const char *const expected[] = {"0100", "0001", "00000", "00101"};
    char bits[64];
    uint64_t instructions;

    (void)state;
    for (uint32_t n = 1; n <= 4; n++) {
        find_walk(code, 11, mark, 3, piece[n - 1], n + 2, NULL, 0, bits, &instructions);
        assert_string_equal(bits, expected[n - 1]);
    }
}

/* A loop with a division whose slow path, from 3 on, calls the function at 9: two tests. */
static void slow_paths_are_entered_at_their_executions(void **state)
{
    struct byw_machine_inst code[] = {OP(LOAD, 1),   OP(MUFU, 2), IF(2, 6),     OP(INT, 2),
                                      CALL_OF(2, 9), OP(INT, 2),  OP(STORE, 3), IF(4, 0),
                                      OP(EXIT, 5),   OP(INT, 5),  IF(5, 13),    OP(INT, 5),
                                      OP(DOUBLE, 5), IF(5, 14),   OP(RETURN, 5)};
    const uint32_t mark[] = {BYW_CL_MARK_BLOCK(1), BYW_CL_MARK_BLOCK(5)};
    const uint32_t piece[] = {0, 0, 0, 1};
    const struct byw_cl_slow usual = {2, 1, BYW_SLOW_NONE};
    const struct byw_cl_slow unusual = {2, 1, BYW_SLOW_SQRT64_INFINITY};
    char bits[64];
    uint64_t fast, instructions;

    (void)state;
    find_walk(code, 15, mark, 2, piece, 4, NULL, 0, bits, &fast);
    assert_string_equal(bits, "111110");
    assert_int_equal(fast, 3 * 5 + 1);
    find_walk(code, 15, mark, 2, piece, 4, &usual, 1, bits, &instructions);
    assert_string_equal(bits, "111110");
    assert_int_equal(instructions, fast);
    /* a path that the function does not have is replaced by the shortest one */
    find_walk(code, 15, mark, 2, piece, 4, &unusual, 1, bits, &instructions);
    assert_int_equal(instructions, fast + 3 + 4);
    assert_int_equal(strlen(bits), 8);
    assert_memory_equal(bits, "1101", 4);
}

/* Two branches in all, as a reciprocal with .ftz has. */
static void a_way_fits_the_function_with_its_branches(void **state)
{
    const struct byw_machine_inst code[] = {OP(INT, 1), IF(1, 4),   OP(INT, 1),   IF(1, 5),
                                            OP(INT, 1), OP(INT, 1), OP(RETURN, 1)};
    const struct byw_machine machine = {.count = 7, .inst = code};
    uint32_t left[7];
    bool taken[BYW_CL_SLOW_BRANCHES];
    uint64_t instructions;

    (void)state;
    byw_machine_find_returns(&machine, left);
    assert_int_equal(left[0], 5);
    assert_int_equal(
        byw_cl_slow_walk(&machine, left, 0, BYW_SLOW_RCP32_FTZ_LARGE, taken, &instructions), 2);
    assert_false(taken[0] || taken[1]);
    assert_int_equal(instructions, 7);
    assert_int_equal(
        byw_cl_slow_walk(&machine, left, 0, BYW_SLOW_RCP32_FTZ_INFINITY, taken, &instructions), 2);
    assert_true(!taken[0] && taken[1]);
    assert_int_equal(byw_cl_slow_walk(&machine, left, 0, BYW_SLOW_NONE, taken, &instructions), 1);
    assert_true(taken[0]);
}

static void every_way_is_a_list_of_its_branches(void **state)
{
    (void)state;
    for (uint32_t way = 1; way < BYW_SLOW_WAYS; way++)
        for (int form = 0; form < 2; form++) {
            assert_true(strlen(ways[way].taken[form]) <= ways[way].branches[form]);
            assert_int_equal(strspn(ways[way].taken[form], "01"), strlen(ways[way].taken[form]));
        }
    assert_true(BYW_SLOW_WAYS <= BYW_CL_MARK_KINDS - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_guard_of_an_unrolled_loop_is_passed),
        cmocka_unit_test(slow_paths_are_entered_at_their_executions),
        cmocka_unit_test(a_way_fits_the_function_with_its_branches),
        cmocka_unit_test(every_way_is_a_list_of_its_branches),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
