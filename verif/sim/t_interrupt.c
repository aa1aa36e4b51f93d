/* SPDX-License-Identifier: Apache-2.0
 *
 * t_interrupt.c - Ctrl-C on the `byway` command ($BYWAY, default build/byway): a run of hours ends
 * at once and prints the statistics so far, marked as partial.
 */
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "sim/gpu_rig.h"

/* One warp, four billion instructions. */
static void endless(struct bench *b)
{
    struct byw_kernel k = kernel_of(1, 32);

    begin(b, &k);
    byw_cta_add_warp(&b->cta);
    add(b, BYW_CLASS_LOAD, 1, 1);
    add(b, BYW_CLASS_INT, UINT32_MAX, 1);
    assert_int_equal(byw_trace_cta(b->writer, &b->cta, NULL), BYW_OK);
    assert_int_equal(byw_trace_finish(b->writer, NULL), BYW_OK);
}

static pid_t start(const char *trace, const char *json)
{
    const char *byway = getenv("BYWAY") != NULL ? getenv("BYWAY") : "build/byway";
    pid_t pid = fork();

    assert_true(pid >= 0);
    if (pid == 0) {
        int null = open("/dev/null", O_WRONLY);

        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
        execl(byway, "byway", "run", "-m", "fermi", "--trace", trace, "--json", json, (char *)NULL);
        _exit(99);
    }
    return pid;
}

static void sigint_leaves_a_partial_result(void **state)
{
    const struct timespec while_it_runs = {.tv_nsec = 400000000}, moment = {.tv_nsec = 10000000};
    struct bench *b = *state;
    char json[80];
    json_int_t cycles, instructions, loads;
    json_t *result;
    pid_t pid;
    int status = 0, waits = 0;

    snprintf(json, sizeof(json), "%s.json", b->path);
    endless(b);
    pid = start(b->path, json);
    nanosleep(&while_it_runs, NULL);
    assert_int_equal(waitpid(pid, &status, WNOHANG), 0);
    kill(pid, SIGINT);
    while (waitpid(pid, &status, WNOHANG) == 0) {
        if (++waits == 2000) {
            kill(pid, SIGKILL);
            fail_msg("still running 20 s after SIGINT");
        }
        nanosleep(&moment, NULL);
    }
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
    result = json_load_file(json, 0, NULL);
    unlink(json);
    assert_non_null(result);
    assert_true(json_is_true(json_object_get(result, "partial")));
    assert_int_equal(json_unpack(result, "{s:I, s:I, s:{s:I}}", "cycles", &cycles,
                                 "warp_instructions", &instructions, "l1d", "loads", &loads),
                     0);
    assert_true(cycles > 10000);
    assert_true(instructions > 1000);
    assert_int_equal(loads, 1);
    json_decref(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sigint_leaves_a_partial_result, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
