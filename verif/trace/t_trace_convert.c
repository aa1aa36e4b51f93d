/* SPDX-License-Identifier: Apache-2.0
 *
 * t_trace_convert.c - conversions and the summary of a trace.
 *
 * A random trace is converted to Accel-Sim text and back; its counts, dependences and addresses
 * must survive. The summary is checked on a trace whose figures are known by hand. Usage:
 * t_trace_convert [SEED]; a failure prints the seed.
 */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include "common/test.h"
#include "trace/bwt/byw_trace_writer.h"
#include "trace/export/byw_trace_convert.h"
#include "trace/stats/byw_trace_info.h"
#include "trace_folder.h"
#include "trace_random.h"

static uint64_t test_seed = 1;

/* Traces that text can represent: 32 lanes, dependences inside the warp, short runs, conflict
 * degrees that follow from addresses, every CTA of the grid. */
static void make_textual(struct byw_cta *cta)
{
    for (uint32_t w = 0; w < cta->warp_count; w++) {
        struct byw_inst *inst = cta->inst + cta->warp[w].first;
        uint64_t length = 0, position = 0;

        for (uint32_t i = 0; i < cta->warp[w].count; i++) {
            inst[i].count = (inst[i].count - 1) % 9 + 1;
            length += inst[i].count;
        }
        for (uint32_t i = 0; i < cta->warp[w].count; i++) {
            uint32_t lanes = (uint32_t)__builtin_popcountll(inst[i].mask);

            position += inst[i].count;
            if (position - 1 + inst[i].use >= length)
                inst[i].use = 0;
            inst[i].use %= 40;
            if (inst[i].form == BYW_FORM_STRIDE && inst[i].mask == 0)
                inst[i].form = BYW_FORM_NONE;
            if (inst[i].cls != BYW_CLASS_SHARED_LOAD && inst[i].cls != BYW_CLASS_SHARED_STORE)
                inst[i].degree = 1;
            else if (inst[i].form == BYW_FORM_NONE)
                inst[i].degree = (uint8_t)(1 + inst[i].degree % (lanes != 0 ? lanes : 1));
            else
                inst[i].degree = (uint8_t)byw_shared_degree(&inst[i], cta);
        }
    }
}

static void write_textual(const char *path, uint64_t seed, uint32_t kernels)
{
    uint64_t rng = seed * 0x9e3779b97f4a7c15ull + 1;
    struct byw_trace_writer *writer;
    struct byw_kernel kernel;
    struct byw_site site[8];
    struct byw_diag diag;
    struct byw_cta cta;

    byw_cta_init(&cta);
    assert_int_equal(byw_trace_create(path, 1, &writer, &diag), BYW_OK);
    for (uint32_t k = 0; k < kernels; k++) {
        trace_random_kernel(&rng, site, &kernel);
        kernel.warp_size = 32;
        kernel.grid[0] = 3;
        kernel.grid[1] = kernel.grid[2] = 2;
        kernel.block[0] = 96;
        kernel.block[1] = kernel.block[2] = 1;
        kernel.site_count = 0;
        assert_int_equal(byw_trace_kernel(writer, &kernel, &diag), BYW_OK);
        for (uint32_t c = 0; c < 12; c++) {
            trace_random_cta(&rng, &kernel, 3, 500, &cta); /* more results than registers */
            cta.id[0] = c % 3;
            cta.id[1] = c / 3 % 2;
            cta.id[2] = c / 6;
            make_textual(&cta);
            if (byw_trace_cta(writer, &cta, &diag) != BYW_OK)
                fail_msg("%s", diag.text);
        }
    }
    assert_int_equal(byw_trace_finish(writer, &diag), BYW_OK);
    byw_cta_release(&cta);
}

/* Compares a run of the original with the lines that the conversion made of it. */
static bool same_run(const struct byw_inst *a, const struct byw_cta *ca, const struct byw_inst *b,
                     const struct byw_cta *cb)
{
    bool shared = a->cls == BYW_CLASS_SHARED_LOAD || a->cls == BYW_CLASS_SHARED_STORE;

    for (uint32_t n = 0; n < a->count; n++, b++) {
        uint32_t rank = 0;

        if (a->cls != b->cls || a->mask != b->mask || a->use != b->use ||
            b->pc != a->pc + BYW_INST_BYTES * n || (shared && a->degree != b->degree) ||
            (a->width != 0 && a->width != b->width))
            return false;
        if (a->form == BYW_FORM_NONE) {
            if (!shared && b->form != BYW_FORM_NONE)
                return false;
            continue;
        }
        for (uint64_t rest = a->mask; rest != 0; rest &= rest - 1, rank++) {
            uint32_t lane = (uint32_t)__builtin_ctzll(rest);

            if (byw_inst_address(a, ca, lane, rank) != byw_inst_address(b, cb, lane, rank))
                return false;
        }
    }
    return true;
}

static void compare_cta(const struct byw_cta *a, const struct byw_cta *b, uint64_t seed)
{
    assert_memory_equal(a->id, b->id, sizeof(a->id));
    assert_int_equal(a->warp_count, b->warp_count);
    for (uint32_t w = 0; w < a->warp_count; w++) {
        const struct byw_inst *ia = a->inst + a->warp[w].first, *ib = b->inst + b->warp[w].first;
        const struct byw_inst *end = ib + b->warp[w].count;

        for (uint32_t i = 0; i < a->warp[w].count; i++) {
            if (ia[i].count > (size_t)(end - ib) || !same_run(&ia[i], a, ib, b))
                fail_msg("CTA %u,%u,%u warp %u record %u differs; run again: t_trace_convert %llu",
                         a->id[0], a->id[1], a->id[2], w, i, (unsigned long long)seed);
            ib += ia[i].count;
        }
        assert_ptr_equal(ib, end);
    }
}

static void compare_traces(const char *pa, const char *pb, uint64_t seed)
{
    struct byw_trace *a, *b;
    const struct byw_kernel *ka, *kb;
    struct byw_diag diag = {.text = ""};
    struct byw_cta ca, cb;
    enum byw_status st;

    byw_cta_init(&ca);
    byw_cta_init(&cb);
    assert_int_equal(byw_trace_open(pa, &a, &diag), BYW_OK);
    if (byw_trace_open(pb, &b, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
    while ((st = byw_trace_next_kernel(a, &ka, &diag)) == BYW_OK) {
        if (byw_trace_next_kernel(b, &kb, &diag) != BYW_OK)
            fail_msg("%s", diag.text);
        assert_string_equal(ka->name, kb->name);
        assert_memory_equal(ka->grid, kb->grid, sizeof(ka->grid));
        assert_memory_equal(ka->block, kb->block, sizeof(ka->block));
        assert_int_equal(ka->shared_bytes, kb->shared_bytes);
        assert_int_equal(ka->registers, kb->registers);
        while ((st = byw_trace_next_cta(a, &ca, &diag)) == BYW_OK) {
            if (byw_trace_next_cta(b, &cb, &diag) != BYW_OK)
                fail_msg("%s", diag.text);
            compare_cta(&ca, &cb, seed);
        }
        assert_int_equal(st, BYW_END);
        assert_int_equal(byw_trace_next_cta(b, &cb, &diag), BYW_END);
    }
    assert_int_equal(st, BYW_END);
    assert_int_equal(byw_trace_next_kernel(b, &kb, &diag), BYW_END);
    byw_trace_close(a);
    byw_trace_close(b);
    byw_cta_release(&ca);
    byw_cta_release(&cb);
}

static void accelsim_text_and_back_keeps_the_trace(void **state)
{
    static const struct byw_trace_convert_options unknown[] = {{.tracer = 2}, {.tracer = 6}};
    char bwt[192], text[192], again[192];
    struct byw_diag diag = {.text = ""};

    (void)state;
    path_of(bwt, "a.bwt");
    path_of(text, "text");
    path_of(again, "b.bwt");
    for (uint64_t seed = test_seed; seed < test_seed + 3; seed++) {
        write_textual(bwt, seed, 3);
        if (byw_trace_convert(bwt, text, "accelsim", NULL, &diag) != BYW_OK)
            fail_msg("%s", diag.text);
        compare_traces(bwt, text, seed);
        assert_int_equal(byw_trace_convert(bwt, text, "accelsim", NULL, &diag), BYW_EINVAL);
        assert_non_null(strstr(diag.text, "already contains a trace"));
        for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
            assert_int_equal(byw_trace_convert(bwt, again, "accelsim", &unknown[i], &diag),
                             BYW_EINVAL);
            assert_non_null(strstr(diag.text, "expected 3 to 5"));
        }
        if (byw_trace_convert(text, again, "bwt", NULL, &diag) != BYW_OK)
            fail_msg("%s", diag.text);
        compare_traces(bwt, again, seed);
        remove_text(text, 3);
    }
    unlink(bwt);
    unlink(again);
}

/* Two warps of one CTA: a coalesced load over 128-byte lines, one over two, a gather of 3 lanes
 * in 2 lines and 3 sectors, and a two-way conflict. */
static void write_known(const char *path)
{
    struct byw_kernel kernel = {.name = "known \"kernel\"",
                                .code = 7,
                                .grid = {1, 1, 1},
                                .block = {64, 1, 1},
                                .warp_size = 32};
    const struct byw_inst inst[] = {
        {.cls = BYW_CLASS_INT, .count = 10, .mask = 0xffffffff, .degree = 1},
        {.cls = BYW_CLASS_LOAD,
         .count = 1,
         .mask = 0xffffffff,
         .form = BYW_FORM_STRIDE,
         .base = 0x1000,
         .stride = 4,
         .width = 4,
         .degree = 1},
        {.cls = BYW_CLASS_STORE,
         .count = 1,
         .mask = 0xffffffff,
         .form = BYW_FORM_STRIDE,
         .base = 0x1040,
         .stride = 4,
         .width = 4,
         .degree = 1},
        {.cls = BYW_CLASS_LOAD,
         .count = 1,
         .mask = 0x15,
         .form = BYW_FORM_LIST,
         .width = 4,
         .degree = 1},
        {.cls = BYW_CLASS_SHARED_LOAD,
         .count = 1,
         .mask = 0xffffffff,
         .form = BYW_FORM_STRIDE,
         .stride = 8,
         .width = 4,
         .degree = 2},
        {.cls = BYW_CLASS_LOAD, .count = 1, .width = 4, .degree = 1},
    };
    static const uint64_t list[] = {0x8000, 0x8020, 0x20000};
    struct byw_trace_writer *writer;
    struct byw_diag diag = {.text = ""};
    struct byw_cta cta;

    byw_cta_init(&cta);
    byw_cta_add_warp(&cta);
    byw_cta_add_warp(&cta);
    memcpy(byw_cta_add_insts(&cta, 6), inst, sizeof(inst));
    memcpy(byw_cta_add_addr(&cta, 3), list, sizeof(list));
    assert_int_equal(byw_trace_create(path, 0, &writer, &diag), BYW_OK);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(byw_trace_kernel(writer, &kernel, &diag), BYW_OK);
        if (byw_trace_cta(writer, &cta, &diag) != BYW_OK)
            fail_msg("%s", diag.text);
    }
    assert_int_equal(byw_trace_finish(writer, &diag), BYW_OK);
    byw_cta_release(&cta);
}

static void summary_has_the_figures_known_by_hand(void **state)
{
    const struct byw_trace_shown all = {.rows = 0}, one = {.rows = 1};
    struct byw_trace_info info;
    struct byw_trace_counts total;
    struct byw_diag diag = {.text = ""};
    const char *text;
    json_t *root;
    char path[192], *out = NULL;
    size_t size = 0;
    FILE *stream;

    (void)state;
    path_of(path, "known.bwt");
    write_known(path);
    assert_int_equal(byw_trace_info_read(path, NULL, &info, &diag), BYW_OK);
    assert_int_equal(info.kernels, 1);
    assert_int_equal(info.launch_count, 2);
    assert_int_equal(info.total.ctas, 2);
    assert_int_equal(info.total.warps, 4);
    assert_int_equal(info.total.warp_instructions, 30);
    assert_int_equal(info.launch[1].counts.warp_instructions, 15);
    assert_int_equal(info.launch[1].counts.thread_instructions, 13 * 32 + 3);
    assert_int_equal(info.launch[1].counts.mix[BYW_CLASS_INT], 10);
    assert_int_equal(info.launch[1].counts.mix[BYW_CLASS_LOAD], 3);
    assert_int_equal(info.launch[1].counts.accesses, 3);
    assert_int_equal(info.launch[1].counts.lanes, 67);
    assert_int_equal(info.launch[1].counts.lines, 1 + 2 + 2);
    assert_int_equal(info.launch[1].counts.sectors, 4 + 4 + 3);
    assert_int_equal(info.launch[1].counts.shared_accesses, 1);
    assert_int_equal(info.launch[1].counts.shared_passes, 2);
    assert_int_equal(info.footprint_lines, 4);
    stream = open_memstream(&out, &size);
    assert_int_equal(byw_trace_info_json(&info, &all, stream), BYW_OK);
    fclose(stream);
    root = json_loads(out, 0, NULL);
    assert_non_null(root);
    assert_int_equal(json_integer_value(json_object_get(root, "footprint_lines")), 4);
    text = json_string_value(
        json_object_get(json_array_get(json_object_get(root, "per_launch"), 1), "kernel"));
    assert_string_equal(text, "known \"kernel\"");
    json_decref(root);
    free(out);
    out = NULL;
    stream = open_memstream(&out, &size);
    byw_trace_info_print(&info, &one, stream);
    fclose(stream);
    assert_non_null(strstr(out, "1 more launches with 15 instructions"));
    assert_non_null(strstr(out, "lines per access   1.67"));
    free(out);
    byw_trace_info_release(&info);
    assert_int_equal(byw_trace_check(path, &total, &diag), BYW_OK);
    assert_int_equal(total.warp_instructions, 30);
    unlink(path);
}

static void csv_has_a_line_per_instruction(void **state)
{
    static const char want[] = "launch,cta_x,cta_y,cta_z,warp,pc,class,width,mask,degree,addresses";
    char path[192], csv[192], line[2048];
    struct byw_diag diag = {.text = ""};
    uint32_t lines = 0;
    bool gather = false;
    FILE *f;

    (void)state;
    path_of(path, "known.bwt");
    path_of(csv, "known.csv");
    write_known(path);
    assert_int_equal(byw_trace_convert(path, csv, "csv", NULL, &diag), BYW_OK);
    f = fopen(csv, "r");
    assert_non_null(f);
    while (fgets(line, sizeof(line), f) != NULL) {
        if (lines++ == 0)
            assert_memory_equal(line, want, strlen(want));
        gather |= strcmp(line, "1,0,0,0,1,0x0,load,4,0x15,1,0x8000 0x8020 0x20000\n") == 0;
    }
    fclose(f);
    assert_int_equal(lines, 1 + 2 * 4);
    assert_true(gather);
    unlink(csv);
    assert_int_equal(byw_trace_convert(path, csv, "cvs", NULL, &diag), BYW_ENOENT);
    unlink(path);
    assert_int_equal(byw_trace_convert(path, csv, "csv", NULL, &diag), BYW_ENOENT);
    assert_int_not_equal(access(csv, F_OK), 0);
}

/* A damaged input leaves no output, in any format. */
static void a_damaged_input_leaves_no_output(void **state)
{
    const char *const *format = byw_trace_convert_formats();
    struct byw_diag diag = {.text = ""};
    char path[192], out[192];
    struct stat info;

    (void)state;
    path_of(path, "cut.bwt");
    path_of(out, "out");
    write_textual(path, test_seed, 3);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(truncate(path, info.st_size - 1), 0);
    for (; *format != NULL; format++) {
        assert_int_equal(byw_trace_convert(path, out, *format, NULL, &diag), BYW_EFORMAT);
        assert_int_not_equal(access(out, F_OK), 0);
    }
    unlink(path);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accelsim_text_and_back_keeps_the_trace),
        cmocka_unit_test(summary_has_the_figures_known_by_hand),
        cmocka_unit_test(csv_has_a_line_per_instruction),
        cmocka_unit_test(a_damaged_input_leaves_no_output),
    };

    if (argc > 1)
        test_seed = strtoull(argv[1], NULL, 0);
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
