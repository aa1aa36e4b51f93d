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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_symbol_is_shown_without_parameters_and_blanks),
        cmocka_unit_test(other_names_stay),
        cmocka_unit_test(long_names_are_truncated),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
