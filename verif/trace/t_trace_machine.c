/* SPDX-License-Identifier: Apache-2.0
 *
 * t_trace_machine.c - PTX records and walks become machine instructions: calls and returns of lanes
 * that diverge, and walks and tables of hostile traces that do not fit each other.
 */
#include "common/test.h"

#include <stdio.h>
#include <string.h>

#include "trace/file/byw_trace_machine.h"

#define NONE BYW_MACHINE_NO_TARGET
#define OP(kind)                                                                                   \
    {                                                                                              \
        .op = BYW_MACHINE_##kind, .target = NONE                                                   \
    }
#define IF(to)                                                                                     \
    {                                                                                              \
        .op = BYW_MACHINE_BRANCH, .flags = BYW_MACHINE_CONDITIONAL, .target = to                   \
    }
#define GO(to)                                                                                     \
    {                                                                                              \
        .op = BYW_MACHINE_BRANCH, .target = to                                                     \
    }
#define FOLLOW(to)                                                                                 \
    {                                                                                              \
        .op = BYW_MACHINE_CALL, .flags = BYW_MACHINE_FOLLOWED, .target = to                        \
    }

/* A warp of two lanes with a walk of `bits` bits each runs the table. Writes one "first-last:lanes
 * " for each record to `text`. */
static enum byw_status expand(const struct byw_machine_inst *inst, uint32_t count, uint32_t bits,
                              uint8_t lane0, uint8_t lane1, char text[512])
{
    const struct byw_machine machine = {.arch = 90, .count = count, .inst = inst};
    const struct byw_kernel kernel = {.machine = &machine, .warp_size = 32};
    struct byw_machine_reader *reader = byw_machine_reader_create(&kernel);
    struct byw_cta ptx, out;
    struct byw_diag diag = {""};
    enum byw_status status;

    assert_null(byw_machine_fault(&machine));
    assert_non_null(reader);
    byw_cta_init(&ptx);
    byw_cta_init(&out);
    assert_non_null(byw_cta_add_warp(&ptx));
    assert_true(byw_cta_add_path(&ptx, &lane0, bits) && byw_cta_add_path(&ptx, &lane1, bits));
    assert_true(byw_cta_add_lanes(&ptx, 1, 0) && byw_cta_add_lanes(&ptx, 2, 1));
    status = byw_machine_expand(reader, &ptx, &out, &diag);
    text[0] = '\0';
    for (uint32_t i = 0; i < out.inst_count && i < 30; i++) {
        uint32_t first = out.inst[i].pc / BYW_MACHINE_INST_BYTES;

        snprintf(text + strlen(text), 16, "%u-%u:%u ", first, first + out.inst[i].count - 1,
                 (unsigned)out.inst[i].mask);
    }
    assert_int_equal(status == BYW_EFORMAT, diag.text[0] != '\0');
    byw_cta_release(&ptx);
    byw_cta_release(&out);
    byw_machine_reader_free(reader);
    return status;
}

/* Lane 0 calls the function at 6 from 1, lane 1 from 3. */
static void lanes_return_to_where_each_was_called_from(void **state)
{
    static const struct byw_machine_inst code[] = {IF(3),    FOLLOW(6), GO(4),   FOLLOW(6),
                                                   OP(MEET), OP(EXIT),  OP(INT), OP(RETURN)};
    char text[512];

    (void)state;
    assert_int_equal(expand(code, 8, 1, 0, 1, text), BYW_OK);
    assert_string_equal(text, "0-0:3 1-1:1 6-7:1 2-2:1 4-4:1 3-3:2 6-7:2 4-4:2 5-5:3 ");
}

/* The lanes meet inside the function: its return is issued once for each return address. */
static void a_return_is_issued_once_for_each_place(void **state)
{
    static const struct byw_machine_inst code[] = {IF(3),    FOLLOW(6), GO(4),    FOLLOW(6),
                                                   OP(MEET), OP(EXIT),  OP(MEET), OP(RETURN)};
    char text[512];

    (void)state;
    assert_int_equal(expand(code, 8, 1, 0, 1, text), BYW_OK);
    assert_string_equal(text, "0-0:3 1-1:1 6-6:1 3-3:2 6-6:2 7-7:3 7-7:2 4-4:2 2-2:1 4-4:1 5-5:3 ");
}

static void calls_nest_to_a_depth_of_four(void **state)
{
    static const struct byw_machine_inst deep[] = {FOLLOW(2),  OP(EXIT),   FOLLOW(4), OP(RETURN),
                                                   FOLLOW(6),  OP(RETURN), FOLLOW(8), OP(RETURN),
                                                   OP(RETURN), OP(NOP)};
    static const struct byw_machine_inst deeper[] = {FOLLOW(2),  OP(EXIT),   FOLLOW(4), OP(RETURN),
                                                     FOLLOW(6),  OP(RETURN), FOLLOW(8), OP(RETURN),
                                                     FOLLOW(10), OP(RETURN), OP(RETURN)};
    static const struct byw_machine_inst recursive[] = {FOLLOW(0), OP(EXIT)};
    char text[512];

    (void)state;
    assert_int_equal(expand(deep, 10, 0, 0, 0, text), BYW_OK);
    assert_int_equal(expand(deeper, 11, 0, 0, 0, text), BYW_EFORMAT);
    assert_int_equal(expand(recursive, 2, 0, 0, 0, text), BYW_EFORMAT);
}

static void walks_that_do_not_fit_are_refused(void **state)
{
    static const struct byw_machine_inst no_call[] = {OP(RETURN), OP(EXIT)};
    static const struct byw_machine_inst nowhere[] = {FOLLOW(NONE), OP(EXIT)};
    static const struct byw_machine_inst open_end[] = {OP(INT), OP(INT)};
    static const struct byw_machine_inst endless[] = {OP(INT), GO(0)};
    static const struct byw_machine_inst calls[] = {FOLLOW(2), GO(0), OP(RETURN)};
    static const struct byw_machine_inst loop[] = {OP(INT), IF(0), OP(EXIT)};
    char text[512];

    (void)state;
    assert_int_equal(expand(no_call, 2, 0, 0, 0, text), BYW_EFORMAT);
    assert_int_equal(expand(nowhere, 2, 0, 0, 0, text), BYW_EFORMAT);
    assert_int_equal(expand(open_end, 2, 0, 0, 0, text), BYW_EFORMAT);
    assert_int_equal(expand(endless, 2, 0, 0, 0, text), BYW_EFORMAT);
    assert_int_equal(expand(calls, 3, 0, 0, 0, text), BYW_EFORMAT);
    assert_int_equal(expand(loop, 3, 3, 7, 7, text), BYW_EFORMAT); /* three laps, no end */
    assert_int_equal(expand(loop, 3, 3, 3, 3, text), BYW_OK);
}

/* Each lane waits for the other at a separate convergence barrier, in a loop without a
 * condition. */
static void an_endless_wait_ends(void **state)
{
    static const struct byw_machine_inst code[] = {OP(DIVERGE), IF(4),        OP(CONVERGE),
                                                   GO(2),       OP(CONVERGE), GO(4)};
    char text[512];

    (void)state;
    assert_int_equal(expand(code, 6, 1, 0, 1, text), BYW_EFORMAT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_return_to_where_each_was_called_from),
        cmocka_unit_test(a_return_is_issued_once_for_each_place),
        cmocka_unit_test(calls_nest_to_a_depth_of_four),
        cmocka_unit_test(walks_that_do_not_fit_are_refused),
        cmocka_unit_test(an_endless_wait_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
