/* SPDX-License-Identifier: Apache-2.0
 *
 * t_trace_reference.c - the Accel-Sim traces of the reference folder compared with the counts
 * recorded there: warp and thread instructions, launches, and the transactions of the Fermi
 * coalescer. Each is also converted to BWT1, which must have the same content and stay small.
 *
 * BYWAY_REFERENCE names the folder (verif/common/recorded.sh finds it); without it the test is
 * skipped.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "common/test.h"
#include "trace/export/byw_trace_convert.h"
#include "trace/stats/byw_trace_info.h"

static const char *reference(void)
{
    const char *path = getenv("BYWAY_REFERENCE");

    return path != NULL && path[0] != '\0' ? path : NULL;
}

static uint64_t number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    return json_is_integer(value) ? (uint64_t)json_integer_value(value) : UINT64_MAX;
}

static void check_number(const char *trace, const char *what, uint64_t got, uint64_t want)
{
    if (want != UINT64_MAX && got != want)
        fail_msg("%s: %s %llu, expected %llu", trace, what, (unsigned long long)got,
                 (unsigned long long)want);
}

static void check_trace(const char *folder, const json_t *row)
{
    const char *name = json_string_value(json_object_get(row, "trace"));
    const json_t *counts = json_object_get(row, "trace_counts");
    struct byw_trace_info text, packed;
    struct byw_diag diag = {.text = ""};
    char path[1024], copy[256];
    const char *dir = getenv("TMPDIR");

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    snprintf(copy, sizeof(copy), "%s/t_trace_reference-%ld.bwt", dir != NULL ? dir : "/tmp",
             (long)getpid());
    if (byw_trace_info_read(path, NULL, &text, &diag) != BYW_OK ||
        byw_trace_convert(path, copy, "bwt", NULL, &diag) != BYW_OK ||
        byw_trace_info_read(copy, NULL, &packed, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
    unlink(copy);
    check_number(name, "unknown opcodes", text.note.unknown_opcodes, 0);
    check_number(name, "warp instructions", text.total.warp_instructions,
                 number(row, "warp_instructions"));
    check_number(name, "thread instructions", text.total.thread_instructions,
                 number(row, "thread_instructions"));
    check_number(name, "warp instructions", text.total.warp_instructions,
                 number(row, "warp_insts"));
    check_number(name, "thread instructions", text.total.thread_instructions,
                 number(row, "thread_insts"));
    check_number(name, "lines", text.total.lines, number(json_object_get(row, "l1d"), "accesses"));
    if (counts != NULL) {
        const uint64_t *mix = text.total.mix;

        check_number(name, "launches", text.launch_count, number(counts, "launches_kept"));
        check_number(name, "warps", text.total.warps, number(counts, "warps"));
        check_number(name, "loads", mix[BYW_CLASS_LOAD], number(counts, "ldg"));
        check_number(name, "stores", mix[BYW_CLASS_STORE], number(counts, "stg"));
        check_number(name, "shared loads", mix[BYW_CLASS_SHARED_LOAD], number(counts, "lds"));
        check_number(name, "shared stores", mix[BYW_CLASS_SHARED_STORE], number(counts, "sts"));
        check_number(name, "barriers", mix[BYW_CLASS_BARRIER], number(counts, "bar"));
        check_number(name, "sectors", text.total.sectors, number(counts, "segs32"));
        check_number(name, "transactions", text.total.lines, number(counts, "fermi_tx"));
    }
    assert_memory_equal(&text.total, &packed.total, sizeof(text.total));
    check_number(name, "footprint", packed.footprint_lines, text.footprint_lines);
    if (packed.note.file_bytes >= text.note.file_bytes)
        fail_msg("%s: %llu bytes as BWT1, %llu as compressed text", name,
                 (unsigned long long)packed.note.file_bytes,
                 (unsigned long long)text.note.file_bytes);
    byw_trace_info_release(&text);
    byw_trace_info_release(&packed);
}

/* Checks each trace once, with its row of the configuration that counts L1D accesses. */
static void check_folder(const char *sub, const char *config, size_t expected)
{
    char folder[512], path[600];
    json_error_t error;
    json_t *rows, *row;
    size_t i, done = 0;

#ifndef HAVE_LZMA
    skip_because("this build reads no xz files; apt-get install liblzma-dev, then make clean");
#endif
    snprintf(folder, sizeof(folder), "%s/%s", reference() != NULL ? reference() : "", sub);
    snprintf(path, sizeof(path), "%s/results.json", folder);
    if (reference() == NULL || access(path, R_OK) != 0)
        skip_because("no recorded runs, %s/results.json: they do not come with byway; "
                     "BYWAY_REFERENCE names their folder",
                     sub);
    rows = json_load_file(path, 0, &error);
    assert_non_null(rows);
    json_array_foreach(rows, i, row)
    {
        if (strcmp(json_string_value(json_object_get(row, "config")), config) == 0) {
            check_trace(folder, row);
            done++;
        }
    }
    json_decref(rows);
    assert_true(done >= expected);
}

static void probe_traces_have_the_recorded_counts(void **state)
{
    (void)state;
    check_folder("accelsim", "paper_x", 11);
}

static void kernel_traces_have_the_recorded_counts(void **state)
{
    (void)state;
    check_folder("kernels", "BL", 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probe_traces_have_the_recorded_counts),
        cmocka_unit_test(kernel_traces_have_the_recorded_counts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
