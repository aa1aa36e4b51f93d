/* SPDX-License-Identifier: Apache-2.0
 *
 * t_byway - the stable C interface (top/byway.h): names and widths of ports, a miss and a hit
 * through it, what is defined when, and parameters that are refused with a sentence.
 */
#include <stdbool.h>

#include "common/test.h"
#include "top/byway.h"

static void put(struct byway_l1 *l1, const char *port, uint32_t value)
{
    uint32_t words[BYWAY_WORDS] = {value};
    int number = byway_l1_port(port);

    assert_true(number >= 0);
    byway_l1_put(l1, number, words);
}

/* The lowest word of an output; all of its bits must be defined, or none (`defined`). */
static uint32_t get(const struct byway_l1 *l1, const char *port, bool defined)
{
    uint32_t value[BYWAY_WORDS], care[BYWAY_WORDS];
    int bits = byway_l1_width(l1, byway_l1_port(port));

    byway_l1_get(l1, byway_l1_port(port), value, care);
    assert_int_equal(care[0], !defined ? 0 : bits >= 32 ? UINT32_MAX : (1U << bits) - 1);
    return value[0];
}

static struct byway_l1 *small(void)
{
    struct byway_l1 *l1 = byway_l1_create(
        "SETS=4 DATA_WAYS=2 TAG_WAYS=4 LINE_BYTES=32 LINE_W=20 INDEX=0 MSHRS=4 ID_W=8");

    assert_string_equal(byway_l1_error(l1), "");
    put(l1, "tl_period_i", 1);
    put(l1, "tl_window_i", 1);
    return l1;
}

static void ports_have_the_widths_of_the_parameters(void **state)
{
    struct byway_l1 *l1 = small();

    (void)state;
    assert_int_equal(byway_l1_width(l1, byway_l1_port("req_line_i")), 20);
    assert_int_equal(byway_l1_width(l1, byway_l1_port("rsp_data_o")), 256);
    assert_int_equal(byway_l1_width(l1, byway_l1_port("req_bytes_i")), 32);
    assert_int_equal(byway_l1_width(l1, byway_l1_port("mem_req_id_o")), 8);
    assert_int_equal(byway_l1_port("req_lines_i"), -1);
    assert_int_equal(byway_l1_width(l1, -1), 0);
    byway_l1_free(l1);
}

static void nothing_is_defined_before_the_first_reset(void **state)
{
    struct byway_l1 *l1 = small();

    (void)state;
    byway_l1_step(l1);
    get(l1, "req_ready_o", false);
    put(l1, "rst_i", 1);
    byway_l1_step(l1);
    get(l1, "req_ready_o", false);
    put(l1, "rst_i", 0);
    byway_l1_step(l1);
    assert_int_equal(get(l1, "req_ready_o", true), 1);
    assert_int_equal(get(l1, "idle_o", true), 1);
    get(l1, "rsp_id_o", false);
    byway_l1_free(l1);
}

/* Sends one load of line 5 and answers its fill; returns how it was served. */
static uint32_t load(struct byway_l1 *l1, uint32_t id)
{
    uint32_t fill = 0, cycle;

    put(l1, "req_valid_i", 1);
    put(l1, "req_line_i", 5);
    put(l1, "req_bytes_i", 0xF);
    put(l1, "req_id_i", id);
    put(l1, "rsp_ready_i", 1);
    put(l1, "mem_req_ready_i", 1);
    put(l1, "mem_rsp_data_i", 0x12345678);
    for (cycle = 0; cycle < 20; cycle++) {
        put(l1, "mem_rsp_valid_i", fill);
        byway_l1_step(l1);
        put(l1, "req_valid_i", 0);
        fill = get(l1, "mem_req_valid_o", true);
        if (get(l1, "rsp_valid_o", true) == 0)
            continue;
        assert_int_equal(get(l1, "rsp_id_o", true), id);
        assert_int_equal(get(l1, "rsp_data_o", true), 0x12345678);
        return get(l1, "rsp_served_o", true);
    }
    fail_msg("no answer");
    return 0;
}

static void second_load_of_a_line_hits(void **state)
{
    struct byway_l1 *l1 = small();

    (void)state;
    put(l1, "rst_i", 1);
    byway_l1_step(l1);
    put(l1, "rst_i", 0);
    assert_int_equal(load(l1, 7), 1); /* BYW_SERVED_FILL */
    assert_int_equal(load(l1, 9), 0); /* BYW_SERVED_HIT */
    put(l1, "rst_i", 1); /* forgets the line */
    byway_l1_step(l1);
    put(l1, "rst_i", 0);
    assert_int_equal(load(l1, 9), 1);
    byway_l1_free(l1);
}

static void wrong_parameters_are_refused_with_a_sentence(void **state)
{
    static const char *const wrong[] = {
        "SETS",
        "SETS=x",
        "COLOURS=3",
        "SETS=4 SETS",
        "LINE_BYTES=48 BEAT_BYTES=32",
        "LINE_BYTES=0",
        "LINE_BYTES=512",
        "SECTORS=0",
        "PC_W=16",
        "FUNC_W=33",
        "SETS=0",
        "SETS=3",
        "DATA_WAYS=0",
        "MSHRS=0",
        "MERGES=0",
        "DATA_WAYS=999",
        "TAG_WAYS=0",
        "TRIAL_WINDOW=1",
        "REPL=99",
        "INDEX=7",
        "INDEX=1 SETS=16",
        "TRACKERS=0",
        "MISS_DEPTH=0",
        "BYPASS_DEPTH=0",
        "ALLOC=2",
        "SETS=4000000000",
        "PC_ENTRIES=0",
        "PC_BITS=0",
        "RC_W=0",
        "SECTORS=3",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        struct byway_l1 *l1 = byway_l1_create(wrong[i]);

        if (byway_l1_error(l1)[0] == '\0')
            fail_msg("%s is accepted", wrong[i]);
        byway_l1_step(l1); /* does nothing */
        byway_l1_free(l1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ports_have_the_widths_of_the_parameters),
        cmocka_unit_test(nothing_is_defined_before_the_first_reset),
        cmocka_unit_test(second_load_of_a_line_hits),
        cmocka_unit_test(wrong_parameters_are_refused_with_a_sentence),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
