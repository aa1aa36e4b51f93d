/* SPDX-License-Identifier: Apache-2.0
 *
 * t_originals.c - the table of the papers' own programs: a folder of traces is compared with it by
 * checksum, and its records are complete.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/test.h"
#include "study/papers/byw_originals.h"
#include "trace/file/byw_trace_sum.h"

static char folder[] = "/tmp/byw-originals-XXXXXX";

static void put(const char *name, const char *text)
{
    char path[256];
    FILE *out;

    snprintf(path, sizeof(path), "%s/%s.bwt", folder, name);
    out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

static void drop(const char *name)
{
    char path[256];

    snprintf(path, sizeof(path), "%s/%s.bwt", folder, name);
    unlink(path);
}

static void traces_are_equal_missing_or_different(void **state)
{
    char sum[BYW_TRACE_SUM_ROOM];
    struct byw_original list[4] = {
        {.workload = "one", .sum = sum},
        {.workload = "two", .sum = sum},
        {.workload = "three", .sum = sum},
        {.workload = "none", .sum = "", .why = "not to be had"},
    };
    struct byw_originals_found found;
    struct byw_diag diag;

    (void)state;
    assert_non_null(mkdtemp(folder));
    byw_text_sum("trace", strlen("trace"), sum);
    put("one", "trace");
    put("three", "another");
    put("none", "trace");
    assert_int_equal(byw_originals_check(list, 4, folder, &found, &diag), BYW_OK);
    assert_int_equal(found.expected, 3);
    assert_int_equal(found.equal, 1);
    assert_int_equal(found.missing.count, 1);
    assert_string_equal(found.missing.name[0], "two");
    assert_int_equal(found.differ.count, 1);
    assert_string_equal(found.differ.name[0], "three");
    byw_originals_release(&found);
    drop("one");
    drop("three");
    drop("none");
    rmdir(folder);
}

/* A record with a trace has its checksum and counts, and the trace is no longer than its run. A
 * record without one has a reason. */
static void records_are_complete(void **state)
{
    (void)state;
    assert_true(byw_original_count() > 0);
    for (size_t i = 0; i < byw_original_count(); i++) {
        const struct byw_original *o = byw_original(i);

        if (o->suite[0] == '\0' || o->program[0] == '\0' || o->source[0] == '\0' ||
            o->input[0] == '\0')
            fail_msg("%s: a record names suite, program, source and input", o->workload);
        for (size_t k = 0; k < i; k++)
            if (strcmp(byw_original(k)->workload, o->workload) == 0)
                fail_msg("%s: two records", o->workload);
        if (o->sum[0] == '\0' ? o->why[0] == '\0' || o->warps != 0 : strlen(o->sum) != 32)
            fail_msg("%s: expected a checksum of 32 digits, or none and the reason", o->workload);
        if (o->sum[0] == '\0')
            continue;
        if (o->warps == 0 || o->lanes < o->warps || o->lanes > 32 * o->warps || o->accesses == 0 ||
            o->accesses > o->warps)
            fail_msg("%s: counts that no trace has", o->workload);
        if (o->whole != 0 && (o->lanes > o->whole || (o->part[0] == '\0' && o->lanes != o->whole)))
            fail_msg("%s: the trace is not that part of the run", o->workload);
    }
}

/* A part of a run is recognized by its checksum; a trace without one is no part of anything. */
static void a_part_counts_as_its_run(void **state)
{
    const struct byw_original list[] = {
        {.workload = "one", .sum = "", .whole = 7},
        {.workload = "two", .sum = "0123", .whole = 40},
        {.workload = "three", .sum = "4567", .whole = 0},
    };

    (void)state;
    assert_int_equal(byw_originals_whole(list, 3, "0123"), 40);
    assert_int_equal(byw_originals_whole(list, 3, "4567"), 0);
    assert_int_equal(byw_originals_whole(list, 3, "89ab"), 0);
    assert_int_equal(byw_originals_whole(list, 3, ""), 0);
}

/* 1606656: "1,606,656" */
static void put_number(FILE *out, uint64_t value)
{
    if (value >= 1000) {
        put_number(out, value / 1000);
        fprintf(out, ",%03u", (unsigned)(value % 1000));
    } else {
        fprintf(out, "%u", (unsigned)value);
    }
}

static void put_row(FILE *out, const struct byw_original *o, double printed)
{
    fprintf(out, "| %s | %s, %s | `%s` | ", o->workload, o->suite, o->program,
            o->arguments[0] != '\0' ? o->arguments : "-");
    if (o->whole != 0)
        put_number(out, o->whole);
    fputs(" | ", out);
    if (o->whole != 0 && printed > 0.0)
        fprintf(out, "%.2f", (double)o->whole / printed);
    if (o->sum[0] == '\0') {
        fputs(" | no trace | | | |\n", out);
        return;
    }
    fprintf(out, " | %s | ", o->part[0] != '\0' ? o->part : "all");
    put_number(out, o->warps);
    fputs(" | ", out);
    put_number(out, o->accesses);
    fprintf(out, " | `%.8s` |\n", o->sum);
}

/* The page has a row for each record. */
static void the_page_shows_the_table(void **state)
{
    enum { ROOM = 1 << 17 };
    FILE *in = fopen("cmodel/doc/originals.md", "r");
    char *page = calloc(1, ROOM), *row = NULL;
    struct byw_papers *papers = NULL;
    struct byw_diag diag;
    size_t size = 0, lacks = 0;

    (void)state;
    if (in == NULL || page == NULL)
        fail_msg("cmodel/doc/originals.md cannot be read; expected to run in the root");
    assert_true(fread(page, 1, ROOM - 1, in) < ROOM - 1);
    fclose(in);
    assert_int_equal(byw_papers_load(NULL, 0, &papers, &diag), BYW_OK);
    for (size_t i = 0; i < byw_original_count(); i++) {
        const struct byw_original *o = byw_original(i);
        FILE *out = open_memstream(&row, &size);

        put_row(out, o, byw_original_printed(papers, o->workload));
        fclose(out);
        if (strstr(page, row) == NULL) {
            printf("# cmodel/doc/originals.md lacks: %s", row);
            lacks++;
        }
        free(row);
    }
    byw_papers_free(papers);
    free(page);
    assert_int_equal(lacks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traces_are_equal_missing_or_different),
        cmocka_unit_test(records_are_complete),
        cmocka_unit_test(a_part_counts_as_its_run),
        cmocka_unit_test(the_page_shows_the_table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
