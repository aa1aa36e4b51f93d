/* SPDX-License-Identifier: Apache-2.0
 *
 * Policies with a searched key or a profile run: the listed values, the best of the runs, and one
 * job for both runs (study/job/byw_search.h, policy/byw_profile.h).
 */
#include <string.h>

#include "common/test.h"
#include "study/job/byw_job.h"
#include "study/job/byw_search.h"
#include "study/job/byw_setup.h"

static struct byw_config config_of(const char *key, const char *values)
{
    struct byw_config c;

    byw_config_defaults(&c);
    strcpy(c.search_key, key);
    strcpy(c.search_values, values);
    return c;
}

static void ranges_of_values_are_expanded(void **state)
{
    static const uint32_t want[] = {0, 1, 2, 3, 20, 24, 28, 100};
    struct byw_config c = config_of("pdp.distance", "0-3 20-31/4  100");
    uint32_t values[BYW_SEARCH_VALUES];
    size_t count;

    (void)state;
    assert_true(byw_search_wanted(&c));
    assert_int_equal(byw_search_list(&c, values, &count, NULL), BYW_OK);
    assert_int_equal(count, 8);
    assert_memory_equal(values, want, sizeof(want));
    byw_config_defaults(&c);
    assert_false(byw_search_wanted(&c));
}

static void wrong_values_are_refused(void **state)
{
    static const char *const wrong[][3] = {
        {"pdp.distance", "1-", "ranges like"},        {"pdp.distance", "5-3", "ranges like"},
        {"pdp.distance", "1-4/0", "ranges like"},     {"pdp.distance", "one", "ranges like"},
        {"pdp.distance", "1,2", "ranges like"},       {"pdp.distance", " ", "is empty"},
        {"pdp.distance", "250-300", "from 0 to 256"}, {"pdp.dist", "1", "pdp.distance"},
        {"sm.threads", "32-8000", "at most 512"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        struct byw_config c = config_of(wrong[i][0], wrong[i][1]);
        uint32_t values[BYW_SEARCH_VALUES];
        struct byw_diag diag = {""};
        size_t count;

        assert_int_not_equal(byw_search_list(&c, values, &count, &diag), BYW_OK);
        if (strstr(diag.text, wrong[i][2]) == NULL)
            fail_msg("%s = %s: %s", wrong[i][0], wrong[i][1], diag.text);
    }
}

static json_t *run(const char *policy, const char *const *settings, size_t count)
{
    const struct byw_job_options options = {0};
    struct byw_job job = {.workload = "gaussian", .machine = "fermi", .policy = policy};
    struct byw_diag diag = {""};
    struct byw_places places;
    struct byw_config config;
    char path[BYW_PATH_ROOM];
    json_t *result = NULL;

    assert_int_equal(byw_places_find(&places, &diag), BYW_OK);
    if (byw_setup_config(&places, "fermi", policy, settings, count, &config, &diag) != BYW_OK ||
        byw_places_trace(&places, "hotspot", 32, path, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
    job.trace = path;
    job.config = &config;
    if (byw_job_run(&job, &options, &result, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
    return result;
}

/* The result equals that of the best value, run alone. */
static void the_best_value_is_the_result(void **state)
{
    static const char *const values[] = {"search.values=2 40 16", "pdp.distance=2",
                                         "pdp.distance=40", "pdp.distance=16"};
    json_t *best = run("pdp_best", values, 1), *tried = json_object_get(best, "search"), *one;
    double highest = 0;

    (void)state;
    assert_string_equal(byw_result_text(best, "search.key"), "pdp.distance");
    tried = json_object_get(tried, "tried");
    assert_int_equal(json_array_size(tried), 3);
    for (size_t i = 0; i < 3; i++) {
        double ipc;

        one = run("pdp_static", &values[1 + i], 1);
        ipc = byw_result_number(one, "ipc");
        assert_true(ipc > 0 && ipc == byw_result_number(json_array_get(tried, i), "ipc"));
        if (ipc > highest) {
            highest = ipc;
            assert_int_equal(json_equal(json_object_get(one, "l1d"), json_object_get(best, "l1d")),
                             ipc == byw_result_number(best, "ipc"));
        }
        json_decref(one);
    }
    assert_true(byw_result_number(best, "ipc") == highest);
    one = json_object_get(json_object_get(best, "config"), "pdp.distance");
    assert_int_equal(json_integer_value(one), (int)byw_result_number(best, "search.value"));
    json_decref(best);
}

/* With threshold 1 only lines absent from the profile bypass. The profile has every line that a run
 * of a plain cache loads on the same SM, so none does. With threshold 1000 all bypass. */
static void a_profile_run_precedes_the_run(void **state)
{
    static const char *const settings[] = {"search.key=none", "profiled.threshold=1",
                                           "profiled.threshold=1000"};
    const char *const all[] = {settings[0], settings[2]};
    json_t *plain = run("bl", NULL, 0), *one = run("profiled", settings, 2),
           *none = run("profiled", all, 2);

    (void)state;
    assert_true(byw_result_number(plain, "ipc") == byw_result_number(one, "ipc"));
    assert_true(byw_result_number(one, "policy_stats.profiled.bypasses") == 0);
    assert_true(byw_result_number(none, "policy_stats.profiled.bypasses") ==
                byw_result_number(none, "l1d.loads"));
    json_decref(plain);
    json_decref(one);
    json_decref(none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_of_values_are_expanded),
        cmocka_unit_test(wrong_values_are_refused),
        cmocka_unit_test(the_best_value_is_the_result),
        cmocka_unit_test(a_profile_run_precedes_the_run),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
