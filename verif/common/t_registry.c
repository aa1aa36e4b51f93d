/* SPDX-License-Identifier: Apache-2.0
 *
 * t_registry - registry/byw_registry.c: every key is found, and code below the mechanisms sees only
 * those of its configuration's registry.
 */
#include <stdio.h>
#include <string.h>

#include "common/byw_mech.h"
#include "common/test.h"

static void every_key_is_found_by_its_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < byw_param_count(); i++)
        assert_int_equal(byw_param_named(byw_param(i)->key), i);
}

static void a_name_that_is_no_key_is_not_found(void **state)
{
    static const char *const names[] = {"", " ", "a", "l1d", "l1d.", "l1d.way", "l1d.ways2", "zzz"};

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        assert_int_equal(byw_param_named(names[i]), byw_param_count());
}

static void every_mechanism_is_found_by_its_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < byw_mech_count(); i++)
        assert_ptr_equal(byw_mech_named(byw_mech(i)->name), byw_mech(i));
    assert_null(byw_mech_named("no such mechanism"));
}

/* A registry of two mechanisms: the configuration accepts and lists only these. */
static void a_configuration_knows_the_mechanisms_of_its_registry_only(void **state)
{
    const struct byw_mech *const two[] = {byw_mech_named("sdbp"), byw_mech_named("pc")};
    struct byw_registry small;
    struct byw_config config;
    struct byw_diag diag = {""};
    char text[64];

    (void)state;
    byw_config_defaults(&config);
    small = *config.registry;
    small.mech = two;
    small.mechs = 2;
    config.registry = &small;
    assert_int_equal(byw_config_set(&config, "policy.use", "pc sdbp", "t", &diag), BYW_OK);
    byw_mech_use_text(&config, text, sizeof(text));
    assert_string_equal(text, "sdbp pc");
    assert_ptr_equal(byw_mech_without_rtl(&config), two[0]);
    assert_int_equal(byw_config_set(&config, "policy.use", "stall", "t", &diag), BYW_EINVAL);
    assert_non_null(strstr(diag.text, "expected none or some of sdbp, pc"));
}

/* The values of a mechanism's keys follow those of the mechanisms before it. */
static void keys_of_a_mechanism_are_its_own(void **state)
{
    struct byw_config config;
    char text[16];

    (void)state;
    byw_config_defaults(&config);
    for (size_t m = 0; m < byw_mech_count(); m++) {
        const struct byw_mech *mech = byw_mech(m);
        const uint32_t *values = byw_mech_values(&config, mech);

        for (size_t k = 0; k < mech->key_count; k++) {
            uint32_t before = values[k];

            if (mech->keys[k].kind != BYW_PARAM_U32)
                continue;
            snprintf(text, sizeof(text), "%u", mech->keys[k].highest);
            assert_int_equal(byw_config_set(&config, mech->keys[k].key, text, "t", NULL), BYW_OK);
            assert_int_equal(values[k], mech->keys[k].highest);
            snprintf(text, sizeof(text), "%u", before);
            assert_int_equal(byw_config_set(&config, mech->keys[k].key, text, "t", NULL), BYW_OK);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_is_found_by_its_name),
        cmocka_unit_test(a_name_that_is_no_key_is_not_found),
        cmocka_unit_test(every_mechanism_is_found_by_its_name),
        cmocka_unit_test(a_configuration_knows_the_mechanisms_of_its_registry_only),
        cmocka_unit_test(keys_of_a_mechanism_are_its_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
