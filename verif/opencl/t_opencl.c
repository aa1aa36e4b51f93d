/* SPDX-License-Identifier: Apache-2.0
 *
 * t_opencl.c - the OpenCL runtime around the kernels: merge order, unusual programs, API, repeated
 * runs, failures.
 */
#include "opencl/cl_bench.h"

#include <sys/stat.h>

#include "capture/run/byw_cl_flow.h"
#include "capture/run/byw_cl_merge.h"

/* Helper functions are inlined, 64-bit atomics exist, and a kernel that cannot run does not prevent
 * the others of its program from running. */
static void kernels_that_cannot_run_do_not_stop_others(void **state)
{
    struct capture *c =
        capture(*state,
                "int helper(global int *a, int i) __attribute__((noinline));\n"
                "int helper(global int *a, int i)\n"
                "{ barrier(CLK_LOCAL_MEM_FENCE); return a[i] * 2; }\n"
                "kernel void im(read_only image2d_t i, sampler_t s, global float4 *o)\n"
                "{ o[0] = read_imagef(i, s, (float2)(0, 0)); }\n"
                "kernel void inner(global int *a, global long *l)\n"
                "{ a[get_global_id(0)] += helper(a, 3); atom_add(l, 3l); }\n"
                "kernel void f(global int *a, global long *l) { inner(a, l); }\n",
                "f 32 32 DUMP b:32 b:8");
    struct bench *b = *state;
    int got[40];

    read_dump(b, got, sizeof(got));
    assert_int_equal(got[0], 6);
    assert_int_equal(got[31], 31 + (3 + 6) * 2);
    assert_int_equal(got[32], 96);
    assert_int_equal(got[33], 1);
    assert_int_equal(count(c, BYW_CLASS_BARRIER), 1);
    assert_int_equal(count(c, BYW_CLASS_ATOMIC), 1);
    expect(nth(c, BYW_CLASS_ATOMIC, 0), ALL, BUFFER + 0x2000, 0, 8);
    assert_int_equal(count(c, BYW_CLASS_LOAD), 2);
}

static void read_all(const char *path, char **data, size_t *size)
{
    FILE *file = fopen(path, "rb");
    struct stat info;

    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &info), 0);
    *size = (size_t)info.st_size;
    *data = malloc(*size);
    assert_non_null(*data);
    assert_int_equal(fread(*data, 1, *size, file), *size);
    fclose(file);
}

/* The second capture takes the compiled kernel from the cache; nothing else differs. */
static void a_second_capture_gives_the_same_bytes(void **state)
{
    static const char source[] =
        "kernel void f(global int *a, global int *b, local int *t)\n"
        "{ int i = get_global_id(0), l = get_local_id(0); int p[8];\n"
        "  for (int k = 0; k < 8; k++) p[(k * i) & 7] = b[(i * 37 + k) & 255];\n"
        "  t[l] = p[i & 7]; barrier(CLK_LOCAL_MEM_FENCE); a[i] = t[(l * 7) & 31] + p[b[i] & 7]; }";
    struct bench *b = *state;
    char *data[3];
    size_t size[3];

    for (int run = 0; run < 3; run++) {
        assert_int_equal(
            capture_with(b, run == 2 ? 64 : 32, source, "f 256 64 - b:256 b:256 l:256"), BYW_OK);
        read_all(b->trace, &data[run], &size[run]);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(data[0], data[1], size[0]);
    assert_true(size[2] != size[0] || memcmp(data[2], data[0], size[0]) != 0);
    for (int run = 0; run < 3; run++)
        free(data[run]);
}

/* Every answer of the API, checked by a separate program, whose launches are traced as well. */
static void every_api_call_answers_as_specified(void **state)
{
    struct bench *b = *state;
    char *argv[] = {b->api, NULL};
    enum byw_status status;

    if (!exists(b->api))
        skip_because("%s is not built: clang, llvm-dev or libclc is missing; make deps-all",
                     b->api);
    status = byw_capture_run(b->trace, 32, argv, &b->diag);
    if (status != BYW_OK)
        print_error("%s\n", b->diag.text);
    assert_int_equal(status, BYW_OK);
    assert_string_equal(b->diag.text, "");
}

/* A program without launches gets an empty trace and a message. */
static void a_program_without_launches_has_an_empty_trace(void **state)
{
    struct bench *b = *state;
    struct byw_trace *trace;
    const struct byw_kernel *kernel;

    unlink(b->trace);
    assert_int_equal(
        capture_with(b, 32, "kernel void f(global int *a) { a[0] = 1; }", "f 0 - - b:32"), BYW_OK);
    assert_non_null(strstr(b->diag.text, "launched no kernel"));
    assert_int_equal(byw_trace_open(b->trace, &trace, &b->diag), BYW_OK);
    assert_int_equal(byw_trace_next_kernel(trace, &kernel, &b->diag), BYW_END);
    byw_trace_close(trace);
}

/* Every failure gives a reason and no file. */
static void failures_give_a_reason_and_no_file(void **state)
{
    struct bench *b = *state;
    char *silent[] = {(char *)(uintptr_t) "true", NULL};
    char *missing[] = {(char *)(uintptr_t) "byway-no-such-program", NULL};
    char command[256];

    unlink(b->trace);
    assert_int_equal(
        capture_with(b, 32, "kernel void f(global int *a) { a[1 << 28] = 1; }", "f 32 32 - b:32"),
        BYW_ECHECK);
    assert_false(exists(b->trace));
    snprintf(command, sizeof(command), "ls %s/*.tmp* >%s/list 2>&1", b->folder, b->folder);
    assert_int_not_equal(system(command), 0);
    assert_int_equal(byw_capture_run(b->trace, 32, silent, &b->diag), BYW_ECHECK);
    assert_non_null(strstr(b->diag.text, "no OpenCL or CUDA call"));
    assert_int_equal(byw_capture_run(b->trace, 32, missing, &b->diag), BYW_ENOENT);
    assert_non_null(strstr(b->diag.text, "byway-no-such-program"));
    assert_int_equal(byw_capture_run(b->trace, 48, silent, &b->diag), BYW_EINVAL);
    assert_false(exists(b->trace));
    assert_int_equal(
        capture_with(b, 32, "kernel void f(global int *a) { a[0] = nonsense; }", "f 32 32 - b:32"),
        BYW_ECHECK);
    assert_false(exists(b->trace));
}

/* A loop nest with two exits and a `continue`; node 7 follows everything. */
static void merge_order_keeps_loops_contiguous(void **state)
{
    static const uint32_t first[9] = {0, 1, 3, 5, 7, 8, 10, 11, 11};
    static const uint32_t to[11] = {1, 2, 7, 3, 7, 4, 6, 3, 1, 6, 7};
    uint32_t order[8], latch[8];

    (void)state;
    /* 0 -> 1; 1 -> 2 7; 2 -> 3 7; 3 -> 4 6; 4 -> 3; 5 -> 1 6 (not reached); 6 -> 7 */
    assert_int_equal(byw_cl_flow_order(8, first, to, order, latch), BYW_OK);
    assert_true(order[0] < order[1] && order[1] < order[2] && order[2] < order[3]);
    assert_true(order[3] < order[4] && order[4] < latch[3]);
    assert_true(latch[3] < order[6] && order[6] < order[7]);
    assert_int_equal(latch[1], order[1]);
    assert_true(order[5] > order[7]);
}

/* A loop head (1) with two back edges: its own, taken by even lanes, and one from part 2, taken by
 * odd lanes. Even lanes must not start the next iteration before the odd lanes have finished
 * theirs. */
static void lanes_wait_for_others_before_the_next_iteration(void **state)
{
    static const uint32_t first[5] = {0, 1, 4, 5, 5}, to[5] = {1, 1, 2, 3, 1};
    static const uint64_t even[] = {0, 1, 1, 1, 3, BYW_CL_END};
    static const uint64_t odd[] = {0, 1, 2, 1, 2, 1, 3, BYW_CL_END};
    static const uint32_t parts[] = {0, 1, 2, 1, 2, 1, 3};
    struct blob {
        struct byw_cl_code code;
        struct byw_cl_part part[4];
        struct byw_cl_slot slot[4];
    } blob;
    struct byw_cl_warp warp = {.inst = NULL};
    struct byw_cl_merger merger;
    const uint64_t *start[32];
    uint32_t order[4], latch[4];

    (void)state;
    memset(&blob, 0, sizeof(blob));
    blob.code.part_at = (uint32_t)offsetof(struct blob, part);
    blob.code.slot_at = (uint32_t)offsetof(struct blob, slot);
    assert_int_equal(byw_cl_flow_order(4, first, to, order, latch), BYW_OK);
    for (uint32_t p = 0; p < 4; p++) {
        blob.part[p] = (struct byw_cl_part){.first_slot = p,
                                            .slots = 1,
                                            .words = 1,
                                            .length = 1,
                                            .order = order[p],
                                            .latch = latch[p]};
        blob.slot[p].proto.pc = 8 * p;
        blob.slot[p].proto.count = 1;
    }
    for (uint32_t l = 0; l < 32; l++)
        start[l] = l % 2 ? odd : even;
    byw_cl_merger_init(&merger, &blob.code, 32);
    assert_int_equal(byw_cl_warp_begin(&merger, &warp, 0), BYW_OK);
    assert_int_equal(byw_cl_merge(&merger, &warp, ALL, start), BYW_OK);
    assert_int_equal(warp.inst_count, 7);
    for (uint32_t i = 0; i < 7; i++) {
        assert_int_equal(warp.inst[i].pc, 8 * parts[i]);
        assert_int_equal(warp.inst[i].mask, parts[i] == 2 ? 0xaaaaaaaa : ALL);
    }
    byw_cl_warp_release(&warp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_that_cannot_run_do_not_stop_others),
        cmocka_unit_test(a_second_capture_gives_the_same_bytes),
        cmocka_unit_test(every_api_call_answers_as_specified),
        cmocka_unit_test(a_program_without_launches_has_an_empty_trace),
        cmocka_unit_test(failures_give_a_reason_and_no_file),
        cmocka_unit_test(merge_order_keeps_loops_contiguous),
        cmocka_unit_test(lanes_wait_for_others_before_the_next_iteration)};

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
