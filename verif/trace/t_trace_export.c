/* SPDX-License-Identifier: Apache-2.0
 *
 * t_trace_export.c - libCacheSim exports, the sites and reuse of `trace info`, and that a trace has
 * the same statistics after a round trip through Accel-Sim text.
 *
 * Usage: t_trace_export [SEED]; a failure prints the seed. The round trip uses shipped traces;
 * their folder is $BYWAY_TRACES, else cmodel/traces.
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

/* --- a trace whose figures are known by hand ---------------------------------------------- */

#define ACCESS(c, at, lane_stride, bytes, code_pc)                                                 \
    {                                                                                              \
        .cls = (c), .count = 1, .mask = 0xffffffff, .form = BYW_FORM_STRIDE, .base = (at),         \
        .stride = (lane_stride), .width = (bytes), .degree = 1, .pc = (code_pc)                    \
    }

/* One warp: lines 1; 1 2; 33 .. 64 (one lane each); 1; and a scratchpad access that does not count.
 * Two launches of it. */
static void write_known(const char *path)
{
    static const struct byw_site site[] = {
        {.pc = 0x20, .line = 7, .argument = 1, .cls = BYW_CLASS_STORE, .width = 8},
        {.pc = 0x20, .line = 6, .argument = 0, .cls = BYW_CLASS_LOAD, .width = 8},
        {.pc = 0x20, .line = 5, .argument = 2, .cls = BYW_CLASS_LOAD, .width = 4},
        {.pc = 0x30, .line = 9, .argument = -1, .cls = BYW_CLASS_LOAD, .width = 4}};
    const struct byw_kernel kernel = {.name = "known",
                                      .code = 3,
                                      .grid = {1, 1, 1},
                                      .block = {32, 1, 1},
                                      .warp_size = 32,
                                      .site_count = 4,
                                      .site = site};
    const struct byw_inst inst[] = {
        ACCESS(BYW_CLASS_LOAD, 0x80, 4, 4, 0x10),
        ACCESS(BYW_CLASS_LOAD, 0x80, 8, 8, 0x20),
        ACCESS(BYW_CLASS_SHARED_LOAD, 0, 4, 4, 0x28),
        ACCESS(BYW_CLASS_LOAD, 33 * 128, 128, 4, 0x30),
        ACCESS(BYW_CLASS_STORE, 0xc0, 0, 4, 0x30),
    };
    struct byw_trace_writer *writer;
    struct byw_diag diag = {""};
    struct byw_cta cta;

    byw_cta_init(&cta);
    byw_cta_add_warp(&cta);
    memcpy(byw_cta_add_insts(&cta, 5), inst, sizeof(inst));
    assert_int_equal(byw_trace_create(path, 0, &writer, &diag), BYW_OK);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(byw_trace_kernel(writer, &kernel, &diag), BYW_OK);
        if (byw_trace_cta(writer, &cta, &diag) != BYW_OK)
            fail_msg("%s", diag.text);
    }
    assert_int_equal(byw_trace_finish(writer, &diag), BYW_OK);
    byw_cta_release(&cta);
}

static void read_info(const char *path, uint32_t sms, struct byw_trace_info *info)
{
    const struct byw_sm_stream_options streams = {sms, 8};
    struct byw_diag diag = {""};

    if (byw_trace_info_read(path, &streams, info, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
}

static void expect_site(const struct byw_site_counts *s, uint32_t pc, enum byw_class cls,
                        uint32_t line, int32_t argument, uint64_t lines, uint64_t sectors)
{
    assert_int_equal(s->code, 3);
    assert_int_equal(s->launch, 0);
    assert_int_equal(s->pc, pc);
    assert_int_equal(s->cls, cls);
    assert_int_equal(s->line, line);
    assert_int_equal(s->argument, argument);
    assert_int_equal(s->accesses, 2);
    assert_int_equal(s->lanes, 64);
    assert_int_equal(s->lines, lines);
    assert_int_equal(s->sectors, sectors);
}

static void sites_have_the_figures_known_by_hand(void **state)
{
    const struct byw_trace_shown all = {.rows = 0};
    struct byw_trace_info info;
    char path[192], *text = NULL;
    size_t size = 0;
    json_t *root;
    FILE *out;

    (void)state;
    path_of(path, "known.bwt");
    write_known(path);
    read_info(path, 1, &info);
    assert_int_equal(info.sites.count, 4);
    assert_int_equal(info.sites.rest.accesses, 0);
    expect_site(&info.sites.site[0], 0x10, BYW_CLASS_LOAD, 0, -1, 2, 8);
    expect_site(&info.sites.site[1], 0x20, BYW_CLASS_LOAD, 6, 0, 4, 16);
    expect_site(&info.sites.site[2], 0x30, BYW_CLASS_LOAD, 9, -1, 64, 64);
    expect_site(&info.sites.site[3], 0x30, BYW_CLASS_STORE, 9, -1, 2, 2);
    out = open_memstream(&text, &size);
    byw_trace_info_print_sites(&info, &all, out);
    fclose(out);
    assert_non_null(strstr(text, "known                          0x30      9    - load            4"
                                 "            2    32.00    32.00    32.00\n"));
    free(text);
    text = NULL;
    out = open_memstream(&text, &size);
    assert_int_equal(byw_trace_info_json(&info, &all, out), BYW_OK);
    fclose(out);
    root = json_loads(text, 0, NULL);
    assert_non_null(root);
    assert_int_equal(json_array_size(json_object_get(root, "sites")), 4);
    json_decref(root);
    free(text);
    byw_trace_info_release(&info);
    unlink(path);
}

/* Lines in the order of the stream, twice: 1, 2 1, 64 .. 33, 1: 36 requests to 34 lines. */
static void info_counts_reuse_in_stream_order(void **state)
{
    const struct byw_trace_shown all = {.rows = 0};
    struct byw_trace_info info;
    char path[192], *text = NULL;
    size_t size = 0;
    FILE *out;

    (void)state;
    path_of(path, "known.bwt");
    write_known(path);
    read_info(path, 1, &info);
    assert_int_equal(info.reuse.requests, 72);
    assert_int_equal(info.reuse.lines, 34);
    assert_int_equal(info.reuse.by_count[0], 0);
    assert_int_equal(info.reuse.by_count[1], 33);
    assert_int_equal(info.reuse.by_count[3], 1);
    assert_int_equal(info.reuse.distance[0], 1); /* line 1 at the start of the second launch */
    assert_int_equal(info.reuse.distance[1], 2); /* 1, 2 1 */
    assert_int_equal(info.reuse.distance[6], 35); /* the rest: 32 or 35 in between */
    assert_int_equal(info.reuse.stack[6], 35);
    out = open_memstream(&text, &size);
    byw_trace_info_print(&info, &all, out);
    fclose(out);
    assert_non_null(
        strstr(text, "twice                     33   97.06% #############################\n"));
    assert_non_null(
        strstr(text, "32-63                     35   92.11%    52.78% with 64 lines\n"));
    free(text);
    byw_trace_info_release(&info);
    /* with two SMs the launches share no L1 */
    read_info(path, 2, &info);
    assert_int_equal(info.reuse.requests, 72);
    assert_int_equal(info.reuse.lines, 68);
    assert_int_equal(info.reuse.by_count[0], 66);
    assert_int_equal(info.reuse.by_count[2], 2);
    byw_trace_info_release(&info);
    unlink(path);
}

/* --- oracleGeneral ------------------------------------------------------------------------ */

struct request {
    uint32_t time, bytes;
    uint64_t line;
    int64_t next;
};

static uint64_t load(const uint8_t *at, unsigned bytes)
{
    uint64_t value = 0;

    while (bytes-- > 0)
        value = value << 8 | at[bytes];
    return value;
}

static struct request *read_oracle(const char *path, size_t *count)
{
    struct request *request;
    struct stat info;
    uint8_t record[24];
    FILE *f = fopen(path, "rb");

    assert_non_null(f);
    assert_int_equal(fstat(fileno(f), &info), 0);
    assert_int_equal(info.st_size % 24, 0);
    *count = (size_t)info.st_size / 24;
    request = calloc(*count + 1, sizeof(*request));
    assert_non_null(request);
    for (size_t i = 0; i < *count; i++) {
        assert_int_equal(fread(record, 24, 1, f), 1);
        request[i].time = (uint32_t)load(record, 4);
        request[i].line = load(record + 4, 8);
        request[i].bytes = (uint32_t)load(record + 12, 4);
        request[i].next = (int64_t)load(record + 16, 8);
    }
    fclose(f);
    return request;
}

/* `next` counts requests from 1, as libCacheSim's converter and simulator do. */
static void next_request_counts_from_one(void **state)
{
    const struct byw_trace_convert_options all = {.streams = {1, 8}, .sm = 0},
                                           none = {.streams = {3, 8}, .sm = 2},
                                           bad = {.streams = {3, 8}, .sm = 3};
    struct byw_diag diag = {""};
    struct request *r;
    char path[192], oracle[192];
    size_t n;

    (void)state;
    path_of(path, "known.bwt");
    path_of(oracle, "known.oracle");
    write_known(path);
    if (byw_trace_convert(path, oracle, "oracle", &all, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
    r = read_oracle(oracle, &n);
    assert_int_equal(n, 72);
    assert_int_equal(r[0].line, 1);
    assert_int_equal(r[0].next, 3);
    assert_int_equal(r[1].line, 2);
    assert_int_equal(r[1].next, 38);
    assert_int_equal(r[2].line, 1);
    assert_int_equal(r[2].next, 36);
    assert_int_equal(r[2].time, 1);
    assert_int_equal(r[3].line, 64);
    assert_int_equal(r[34].line, 33);
    assert_int_equal(r[34].time, 2);
    assert_int_equal(r[34].next, 71);
    assert_int_equal(r[35].next, 37);
    assert_int_equal(r[71].time, 7);
    assert_int_equal(r[71].next, -1);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(r[i].bytes, 128);
    free(r);
    assert_int_equal(byw_trace_convert(path, oracle, "oracle", &none, &diag), BYW_OK);
    r = read_oracle(oracle, &n);
    assert_int_equal(n, 0);
    free(r);
    assert_int_equal(byw_trace_convert(path, oracle, "oracle", &bad, &diag), BYW_EINVAL);
    assert_non_null(strstr(diag.text, "expected 0 to 2"));
    unlink(path);
    unlink(oracle);
}

/* CTAs of random accesses to few lines, enough for several blocks of the file. */
static void write_few_lines(const char *path, uint64_t seed, uint32_t ctas, uint32_t lines)
{
    const struct byw_kernel kernel = {
        .name = "few", .grid = {ctas, 1, 1}, .block = {64, 1, 1}, .warp_size = 32};
    uint64_t rng = seed * 0x9e3779b97f4a7c15ull + 1;
    struct byw_trace_writer *writer;
    struct byw_diag diag = {""};
    struct byw_cta cta;

    byw_cta_init(&cta);
    assert_int_equal(byw_trace_create(path, 1, &writer, &diag), BYW_OK);
    assert_int_equal(byw_trace_kernel(writer, &kernel, &diag), BYW_OK);
    for (uint32_t c = 0; c < ctas; c++) {
        byw_cta_clear(&cta);
        cta.id[0] = c;
        for (uint32_t w = 0; w < 2; w++) {
            byw_cta_add_warp(&cta);
            for (uint32_t i = 0; i < 10; i++) {
                struct byw_inst inst = ACCESS(BYW_CLASS_LOAD, 0, 0, 4, 0);
                uint64_t *addr = byw_cta_add_addr(&cta, 32);

                inst.form = BYW_FORM_LIST;
                inst.list = cta.addr_count - 32;
                for (uint32_t l = 0; l < 32; l++)
                    addr[l] = (uint64_t)trace_below(&rng, lines) * 128;
                *byw_cta_add_inst(&cta) = inst;
            }
        }
        if (byw_trace_cta(writer, &cta, &diag) != BYW_OK)
            fail_msg("%s", diag.text);
    }
    assert_int_equal(byw_trace_finish(writer, &diag), BYW_OK);
    byw_cta_release(&cta);
}

enum { LINES = 5000 };

static void check_oracle(const struct request *r, size_t n, uint64_t seed)
{
    static int64_t next[LINES];

    for (size_t i = 0; i < LINES; i++)
        next[i] = -1;
    for (size_t i = n; i-- > 0;) {
        if (r[i].line >= LINES || r[i].next != next[r[i].line] ||
            (i + 1 < n && r[i].time > r[i + 1].time))
            fail_msg("request %zu; run again: t_trace_export %llu", i, (unsigned long long)seed);
        next[r[i].line] = (int64_t)i + 1;
    }
}

/* With several blocks, the SMs' requests add up to those that trace info counts. */
static void blocks_of_the_export_add_up(void **state)
{
    struct byw_diag diag = {""};
    struct byw_trace_info info;
    char path[192], oracle[192];
    size_t total = 0, n;

    (void)state;
    path_of(path, "few.bwt");
    path_of(oracle, "few.oracle");
    write_few_lines(path, test_seed, 300, LINES);
    for (uint32_t sm = 0; sm < 2; sm++) {
        const struct byw_trace_convert_options how = {.streams = {2, 8}, .sm = sm};
        struct request *r;

        if (byw_trace_convert(path, oracle, "oracle", &how, &diag) != BYW_OK)
            fail_msg("%s", diag.text);
        r = read_oracle(oracle, &n);
        assert_true(n > 65536);
        check_oracle(r, n, test_seed);
        total += n;
        free(r);
    }
    read_info(path, 2, &info);
    assert_int_equal(info.reuse.requests, total);
    assert_int_equal(info.total.lines, total);
    byw_trace_info_release(&info);
    unlink(path);
    unlink(oracle);
}

/* --- Accel-Sim text ----------------------------------------------------------------------- */

static void expect_same(const char *trace, const struct byw_trace_info *a,
                        const struct byw_trace_info *b)
{
    bool same = a->launch_count == b->launch_count && a->kernels == b->kernels &&
                a->footprint_lines == b->footprint_lines && a->sites.count == b->sites.count &&
                memcmp(&a->total, &b->total, sizeof(a->total)) == 0 &&
                memcmp(&a->reuse, &b->reuse, sizeof(a->reuse)) == 0;

    for (uint32_t i = 0; same && i < a->launch_count; i++)
        same = memcmp(&a->launch[i].counts, &b->launch[i].counts, sizeof(a->total)) == 0 &&
               strcmp(a->launch[i].kernel.name, b->launch[i].kernel.name) == 0;
    for (uint32_t i = 0; same && i < a->sites.count; i++) {
        const struct byw_site_counts *x = &a->sites.site[i], *y = &b->sites.site[i];

        same = x->pc == y->pc && x->cls == y->cls && x->width == y->width &&
               x->launch == y->launch && x->accesses == y->accesses && x->lanes == y->lanes &&
               x->lines == y->lines && x->sectors == y->sectors;
    }
    if (!same)
        fail_msg("%s: the Accel-Sim text of it has other statistics", trace);
}

static void round_trip(const char *trace, uint32_t tracer)
{
    const struct byw_trace_convert_options how = {.tracer = tracer};
    struct byw_trace_info native, again;
    struct byw_diag diag = {""};
    char text[192];

    path_of(text, "text");
    if (byw_trace_convert(trace, text, "accelsim", &how, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
    read_info(trace, BYW_STREAM_SMS, &native);
    read_info(text, BYW_STREAM_SMS, &again);
    assert_true(native.total.accesses > 0);
    expect_same(trace, &native, &again);
    remove_text(text, native.launch_count);
    byw_trace_info_release(&native);
    byw_trace_info_release(&again);
}

static void every_round_trip(const char *trace)
{
    for (uint32_t tracer = BYW_TRACEG_OLDEST; tracer <= BYW_TRACEG_NEWEST; tracer++)
        round_trip(trace, tracer);
}

static void a_round_trip_keeps_the_statistics(void **state)
{
    static const char *const shipped[] = {"spmv", "gaussian", "cfd", "backprop", "btree", "nw"};
    const char *traces = getenv("BYWAY_TRACES");
    char path[192];
    uint32_t seen = 0;

    (void)state;
    path_of(path, "few.bwt");
    write_few_lines(path, test_seed, 20, 300);
    every_round_trip(path);
    write_known(path);
    every_round_trip(path);
    unlink(path);
    for (size_t i = 0; i < sizeof(shipped) / sizeof(shipped[0]); i++) {
        snprintf(path, sizeof(path), "%.150s/%s.bwt", traces != NULL ? traces : "cmodel/traces",
                 shipped[i]);
        if (access(path, R_OK) != 0)
            continue;
        every_round_trip(path);
        seen++;
    }
    print_message("%u shipped traces compared\n", seen);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sites_have_the_figures_known_by_hand),
        cmocka_unit_test(info_counts_reuse_in_stream_order),
        cmocka_unit_test(next_request_counts_from_one),
        cmocka_unit_test(blocks_of_the_export_add_up),
        cmocka_unit_test(a_round_trip_keeps_the_statistics),
    };

    if (argc > 1)
        test_seed = strtoull(argv[1], NULL, 0);
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
