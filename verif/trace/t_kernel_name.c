/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of kernels for readers.
 */
#include <string.h>

#include "common/test.h"
#include "trace/byw_kernel_name.h"

static void shown(const char *symbol, const char *expected)
{
    char text[BYW_KERNEL_NAME_ROOM];

    byw_kernel_name(symbol, text);
    assert_string_equal(text, expected);
}

static void a_symbol_is_shown_without_parameters_and_blanks(void **state)
{
    (void)state;
    shown("_Z3addPfi", "add");
    shown("_Z6reduceILj256EfEvPT0_S1_", "reduce<256u,float>");
    shown("_ZN2ns3fooEv", "ns::foo");
    shown("_ZN12_GLOBAL__N_13fooEv", "(anonymousnamespace)::foo");
}

static void other_names_stay(void **state)
{
    (void)state;
    shown("gemm", "gemm");
    shown("_Zbroken", "_Zbroken");
    shown("", "");
}

static void long_names_are_truncated(void **state)
{
    char name[300];

    (void)state;
    memset(name, 'x', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    char text[BYW_KERNEL_NAME_ROOM];
    byw_kernel_name(name, text);
    assert_int_equal(strlen(text), BYW_KERNEL_NAME_ROOM - 1);
}

static void long_names_lose_their_middle(void **state)
{
    char text[BYW_KERNEL_NAME_ROOM];

    (void)state;
    byw_kernel_name_fit("0123456789", 10, text);
    assert_string_equal(text, "0123456789");
    byw_kernel_name_fit("0123456789abcdefghij", 13, text);
    assert_string_equal(text, "012345...ghij");
}

/* A truncated symbol has no C++ name, and two of them may be equal. */
static void symbols_that_do_not_fit_become_names(void **state)
{
    char symbol[2][400] = {"_Z3sumI", "_Z3sumI"}, text[2][BYW_KERNEL_NAME_ROOM];

    (void)state;
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 30; k++)
            strcat(symbol[i], "4pairI");
        strcat(symbol[i], i == 0 ? "f" : "d");
        for (int k = 0; k < 31; k++)
            strcat(symbol[i], "E");
        strcat(symbol[i], "vv");
        byw_kernel_symbol(symbol[i], text[i]);
        assert_memory_equal(text[i], "sum<pair<pair<", 14);
        assert_int_equal(strlen(text[i]), BYW_KERNEL_NAME_ROOM - 1);
        assert_int_equal(text[i][BYW_KERNEL_NAME_ROOM - 10], '~');
    }
    assert_string_not_equal(text[0], text[1]);
    byw_kernel_symbol("_Z3addPfi", text[0]);
    assert_string_equal(text[0], "_Z3addPfi");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_symbol_is_shown_without_parameters_and_blanks),
        cmocka_unit_test(other_names_stay),
        cmocka_unit_test(long_names_are_truncated),
        cmocka_unit_test(long_names_lose_their_middle),
        cmocka_unit_test(symbols_that_do_not_fit_become_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
