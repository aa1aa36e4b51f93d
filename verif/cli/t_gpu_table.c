/* SPDX-License-Identifier: Apache-2.0
 *
 * t_gpu_table.c - tables of counters of a real GPU: byway's own, times, exports of Nsight Compute,
 * and damaged ones.
 */
#include <math.h>

#include "cli/fuzz_gpu_table.c"
#include "common/test.h"

#define HEAD "program,kernel,variant,launch,grid,block,cycles,loads\n"

static const char own[] = "# comment\n" HEAD "bfs,bfs_visit,ca,3,32x1x1,256x1x1,9894,273\n"
                          "\"a,\"\"b\",k,cg,1,2x3x4,8x8x1,,7\n";

static const char times[] = "workload\tlaunch\tkernel\tgrid\tblock\tlocal_bytes\tca_median_us\t"
                            "ca_min_us\tna_median_us\n"
                            "atax\t2\tatax_columns\t2,1,1\t256,1,1\t0\t108.16\t106\t107.5\n";

static const char export[] =
    "==PROF== Connected to process 17 (/home/a/adam)\n\n"
    "\"ID\",\"Process ID\",\"Process Name\",\"Kernel Name\",\"Block Size\",\"Grid Size\","
    "\"gpu__time_duration.sum\",\"launch__shared_mem_per_block_static\","
    "\"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum\",\"sm__cycles_elapsed.avg\","
    "\"sm__cycles_elapsed.max\"\n"
    "\"\",\"\",\"\",\"\",\"\",\"\",\"ms\",\"Kbyte/block\",\"sector\",\"cycle\",\"cycle\"\n"
    "\"0\",\"17\",\"adam\",\"void ns::adam<float, (int)3>(T1 *, int)\",\"(256, 1, 1)\",\"(40, 1, "
    "1)\",\"0.5\",\"2.11\",\"5,000\",\"8000.5\",\"8,407\"\n"
    "\"1\",\"17\",\"adam\",\"_ZN2ns4adamIfEvPfi\",\"(256, 1, 1)\",\"(40, 1, 1)\",\"1\",\"0\",\"n/"
    "a\",\"1\",\"2\"\n"
    "\"2\",\"18\",\"adam\",\"adam__cg\",\"(256, 1, 1)\",\"(40, 1, 1)\",\"1\",\"0\",\"1\",\"1\","
    "\"2\"\n";

static enum byw_status read_text(const char *text, size_t size, struct byw_gpu_table *table,
                                 struct byw_diag *diag)
{
    char path[64];
    int fd = memfd_create("table", 0);
    enum byw_status st;

    assert_true(fd >= 0 && write(fd, text, size) == (ssize_t)size);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    *table = (struct byw_gpu_table){.count = 0};
    st = byw_gpu_table_read(path, table, diag);
    close(fd);
    return st;
}

static void rows_of_our_table_keep_launch_shape_and_values(void **state)
{
    struct byw_gpu_table t;
    struct byw_diag diag;

    (void)state;
    assert_int_equal(read_text(own, sizeof(own) - 1, &t, &diag), BYW_OK);
    assert_int_equal(t.count, 2);
    assert_string_equal(t.row[0].program, "bfs");
    assert_int_equal(t.row[0].launch, 3);
    assert_int_equal(t.row[0].line, 3);
    assert_true(t.row[0].value[BYW_GPU_CYCLES] == 9894.0);
    assert_string_equal(t.row[1].program, "a,\"b");
    assert_int_equal(t.row[1].variant, BYW_GPU_CG);
    assert_int_equal(t.row[1].grid[2], 4);
    assert_true(isnan(t.row[1].value[BYW_GPU_CYCLES]));
    assert_true(t.row[1].value[BYW_GPU_LOADS] == 7.0);
    byw_gpu_table_release(&t);
}

static void a_line_of_times_is_a_row_per_variant(void **state)
{
    struct byw_gpu_table t;
    struct byw_diag diag;

    (void)state;
    assert_int_equal(read_text(times, sizeof(times) - 1, &t, &diag), BYW_OK);
    assert_int_equal(t.count, 2);
    assert_int_equal(t.row[0].variant, BYW_GPU_CA);
    assert_int_equal(t.row[1].variant, BYW_GPU_NA);
    assert_true(t.row[1].value[BYW_GPU_TIME] == 107.5);
    assert_int_equal(t.row[1].block[0], 256);
    byw_gpu_table_release(&t);
}

static void an_export_is_scaled_and_counts_launches_per_process_and_kernel(void **state)
{
    struct byw_gpu_table t;
    struct byw_diag diag;

    (void)state;
    assert_int_equal(read_text(export, sizeof(export) - 1, &t, &diag), BYW_OK);
    assert_int_equal(t.count, 3);
    assert_true(t.row[0].value[BYW_GPU_TIME] == 500.0);
    assert_true(fabs(t.row[0].value[BYW_GPU_SHARED_STATIC] - 2.11) < 1e-9);
    assert_true(t.row[0].value[BYW_GPU_LOAD_SECTORS] == 5000.0);
    assert_true(t.row[0].value[BYW_GPU_CYCLES] == 8407.0); /* .max is preferred to .avg */
    assert_true(isnan(t.row[1].value[BYW_GPU_LOAD_SECTORS]));
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(t.row[i].kernel, "adam");
    assert_int_equal(t.row[1].nth, 2);
    assert_int_equal(t.row[2].nth, 1);
    assert_int_equal(t.row[2].variant, BYW_GPU_CG);
    byw_gpu_table_release(&t);
}

static void a_kernel_is_named_without_types(void **state)
{
    static const char *const names[][2] = {
        {"bfs_visit", "bfs_visit"},
        {"void adam<float>(float *)", "adam"},
        {"void (anonymous namespace)::k(int)", "k"},
        {"a::b<c::d<int>>::e<f>(g<h>)", "e"},
        {"_Z4gemmPfS_i", "gemm"},
        {"_ZN12_GLOBAL__N_13addEv", "add"},
        {"_Z", "_Z"},
        {"<", ""},
    };
    char name[32];

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        byw_gpu_kernel_name(names[i][0], name, sizeof(name));
        assert_string_equal(name, names[i][1]);
    }
}

/* A damaged table is refused with its line and what was expected. */
static void a_damaged_table_is_refused_with_its_line(void **state)
{
    static const char *const bad[][2] = {
        {"", ":1: no header"},
        {"a,b\n1,2\n", ":2: no header"},
        {"kernel,cycles\nk,1\n", ":1: no column 'program'"},
        {"program,kernel\np,k\n", ":1: no column is a counter"},
        {"program,kernel,cycles,cycles\n", ":1: columns 3 and 4 are the same"},
        {HEAD, ":1: no launch"},
        {HEAD "p,k,ca,1,1,1,2\n", ":2: 7 fields; expected 8"},
        {HEAD "p,k,xx,1,1,1,2,3\n", ":2: column 3 is 'xx'; expected ca, cg or na"},
        {HEAD "p,k,ca,0,1,1,2,3\n", ":2: column 4 is '0'; expected a number from 1"},
        {HEAD "p,k,ca,1,0x1,1,2,3\n", ":2: column 5 is '0x1'; expected a grid"},
        {HEAD "p,k,ca,1,1,1,-2,3\n", ":2: column 7 is '-2'; expected a number"},
        {HEAD "p,k,ca,1,1,1,1e400,3\n", ":2: column 7 is '1e400'; expected a number"},
        {HEAD "p,,ca,1,1,1,2,3\n", ":2: column 2 is ''; expected the name of a kernel"},
        {HEAD ",k,ca,1,1,1,2,3\n", ":2: column 1 is ''; expected the name of a program"},
        {HEAD "p,\"k,ca,1,1,1,2,3\n", ":2: a quote is not closed"},
        {"\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Value\"\n", "--page raw"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct byw_gpu_table t;
        struct byw_diag diag = {""};

        assert_int_equal(read_text(bad[i][0], strlen(bad[i][0]), &t, &diag), BYW_EFORMAT);
        if (strstr(diag.text, bad[i][1]) == NULL)
            fail_msg("table %zu: '%s' has no '%s'", i, diag.text, bad[i][1]);
        byw_gpu_table_release(&t);
    }
}

/* Bytes of the three kinds of tables are changed, removed and repeated at random, seed 46. */
static void mutated_tables_never_crash(void **state)
{
    static const char *const from[] = {own, times, export};
    static const char swaps[] = ",\t\"\n\0x0-(e\xff";
    uint64_t rng = 46;

    (void)state;
    for (unsigned round = 0; round < 20000; round++) {
        char text[2048];
        size_t size = strlen(from[round % 3]);

        memcpy(text, from[round % 3], size);
        for (unsigned i = 0; i <= round % 8; i++) {
            rng = rng * 6364136223846793005u + 1442695040888963407u;
            size_t at = (size_t)(rng >> 33) % size, n = (size_t)(rng >> 20) % 40;

            if (rng >> 62 == 0 && at + n < size)
                memmove(text + at, text + at + n, size -= n);
            else
                text[at] = swaps[(rng >> 40) % (sizeof(swaps) - 1)];
        }
        LLVMFuzzerTestOneInput((const uint8_t *)text, size);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_our_table_keep_launch_shape_and_values),
        cmocka_unit_test(a_line_of_times_is_a_row_per_variant),
        cmocka_unit_test(an_export_is_scaled_and_counts_launches_per_process_and_kernel),
        cmocka_unit_test(a_kernel_is_named_without_types),
        cmocka_unit_test(a_damaged_table_is_refused_with_its_line),
        cmocka_unit_test(mutated_tables_never_crash),
    };

    return cmocka_run_group_tests_name("gpu_table", tests, NULL, NULL);
}
