/* SPDX-License-Identifier: Apache-2.0
 *
 * Advice on loads: the source line of a load, the outcomes of its accesses, and that the search
 * finds the same assignment as an exhaustive search.
 */
#include "sim/gpu_rig.h"
#include "study/advise/byw_advise.h"
#include "study/advise/byw_advise_patch.h"
#include "study/advise/byw_advise_report.h"
#include "study/advise/byw_advise_source.h"

static const char text[] = "/* two kernels */\n"
                           "__kernel void first(__global const float *restrict in,\n"
                           "                    __global unsigned int *out, int n)\n"
                           "{\n"
                           "    int in_other[2];\n"
                           "  \tout[0] = in [in[n] + 1] + in_other[0];  \n"
                           "\n"
                           "    out[n] += 2;\n"
                           "}\n"
                           "kernel void second(global float4 *data) { data[0] = data[1]; }\n"
                           "void call(void) { first(1, 2, 3); }\n";

static struct byw_advise_source source_of(void)
{
    return (struct byw_advise_source){.text = {(char *)(uintptr_t)text}, .count = 1};
}

/* 1. Lines of the source. */
static void source_lines_are_found_by_kernel(void **state)
{
    struct byw_advise_source s = source_of(), none = {.count = 0};
    char line[BYW_SOURCE_LINE];

    (void)state;
    assert_true(byw_advise_line(&s, "first", 6, line));
    assert_string_equal(line, "out[0] = in [in[n] + 1] + in_other[0];");
    assert_false(byw_advise_line(&s, "first", 7, line)); /* blank */
    assert_false(byw_advise_line(&s, "first", 0, line));
    assert_false(byw_advise_line(&s, "first", 13, line));
    assert_false(byw_advise_line(&none, "first", 1, line));
}

/* 2. Parameters of kernels. */
static void parameters_of_kernels_are_found(void **state)
{
    static const struct {
        const char *kernel;
        int32_t argument;
        const char *name, *type; /* NULL: no such argument */
    } cases[] = {
        {"first", 0, "in", "float"}, {"first", 1, "out", "unsigned int"},
        {"first", 2, "n", "int"},    {"first", 3, NULL, NULL},
        {"first", -1, NULL, NULL},   {"second", 0, "data", "float4"},
        {"third", 0, NULL, NULL},    {"call", 0, NULL, NULL},
    };
    struct byw_advise_source s = source_of();

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char name[BYW_SOURCE_NAME], type[BYW_SOURCE_NAME];
        bool found = byw_advise_parameter(&s, cases[i].kernel, cases[i].argument, name, type);

        assert_int_equal(found, cases[i].name != NULL);
        if (found) {
            assert_string_equal(name, cases[i].name);
            assert_string_equal(type, cases[i].type);
        }
    }
}

static void expect_expression(const char *line, const char *name, uint32_t n, const char *want)
{
    size_t at, length;
    bool found = byw_advise_expression(line, name, "int", n, &at, &length);

    assert_int_equal(found, want != NULL);
    if (found && want != NULL) {
        assert_int_equal(length, strlen(want));
        assert_memory_equal(line + at, want, length);
    }
}

/* 3. Expressions that read an array: whole words, balanced brackets, no plain assignment. */
static void only_read_expressions_are_found(void **state)
{
    (void)state;
    expect_expression("y = in [in[n] + 1] + in_other[0];", "in", 0, "in [in[n] + 1]");
    expect_expression("y = in [in[n] + 1] + in_other[0];", "in", 1, "in[n]");
    expect_expression("y = in [in[n] + 1] + in_other[0];", "in", 2, NULL);
    expect_expression("in[0] = in[1];", "in", 0, "in[1]");
    expect_expression("if (in[0] == 1)", "in", 0, "in[0]");
    expect_expression("y = in[(a[0]", "in", 0, NULL);
    expect_expression("y = *in;", "in", 0, NULL);
    expect_expression("in[0] += in[1];", "in", 0, "in[1]");
    expect_expression("in[0] <<= 1; in[1]++; --in[2]; in[3] = 2;", "in", 0, NULL);
    expect_expression("f(&in[0], & in[1]);", "in", 0, NULL);
    expect_expression("y = a & in[0] && in[1] == 3;", "in", 0, "in[0]");
    expect_expression("y = a & in[0] && in[1] == 3;", "in", 1, "in[1]");
    expect_expression("if (in[0] >= 2 && in[1] != 2)", "in", 0, "in[0]");
    expect_expression("y = in[0] + -in[1];", "in", 0, "in[0]");
}

/* A structure is read through its member; a component of a vector has no address. */
static void structures_are_read_through_a_member(void **state)
{
    const char *line = "y = point[i].at[2].x + point[i].weight;";
    size_t at, length;

    (void)state;
    assert_true(byw_advise_expression(line, "point", "Point", 0, &at, &length));
    assert_int_equal(length, strlen("point[i].at[2]"));
    assert_true(byw_advise_expression(line, "point", "Point", 1, &at, &length));
    assert_int_equal(length, strlen("point[i].weight"));
    assert_true(byw_advise_expression(line, "point", "float4", 0, &at, &length));
    assert_int_equal(length, strlen("point[i]"));
}

/* Statements that read and modify one element. */
static void update_statements_are_split(void **state)
{
    size_t at, length, sign;

    (void)state;
    assert_true(byw_advise_update("  a[i + 1] -= b[i];", "a", &at, &length, &sign));
    assert_int_equal(at, 2);
    assert_int_equal(length, 8);
    assert_int_equal(sign, 1);
    assert_true(byw_advise_update("a[i] <<= 2;  ", "a", &at, &length, &sign));
    assert_int_equal(sign, 2);
    assert_false(byw_advise_update("a[i] = 2;", "a", &at, &length, &sign));
    assert_false(byw_advise_update("a[i] <= 2;", "a", &at, &length, &sign));
    assert_false(byw_advise_update("if (x) a[i] += 2;", "a", &at, &length, &sign));
    assert_false(byw_advise_update("a[i] += 2; b = 3;", "a", &at, &length, &sign));
    assert_false(byw_advise_update("a[i] +=", "a", &at, &length, &sign));
}

/* A patch changes every expression at the place, including nested ones, and has a diff. */
static void a_patch_changes_every_expression_of_a_place(void **state)
{
    static const char source_text[] = "kernel void k(global int *a, global float *b) {\n"
                                      "  x = a[a[0] + 1] + b[2];\n"
                                      "  b[3] += 1 + x;\n"
                                      "}\n";
    static const char want[] =
        "kernel void k(global int *a, global float *b) {\n"
        "  x = (__builtin_nontemporal_load(&a[(__builtin_nontemporal_load(&a[0])) + 1])) + b[2];\n"
        "  b[3] = (*(volatile __global const float *)&b[3]) + (1 + x);\n"
        "}\n";
    struct byw_advise_source s = {.text = {(char *)(uintptr_t)source_text}, .count = 1};
    struct byw_advise_patch patch;
    json_t *report = json_pack(
        "{s:[{s:s, s:[{s:i, s:i, s:i, s:s, s:s}, {s:i, s:i, s:i, s:s, s:s}, {s:i, s:i, s:i, s:s, "
        "s:s}]}]}",
        "kernels", "name", "k", "places", "rank", 1, "line", 2, "argument", 0, "name", "a",
        "advice", "stream", "rank", 2, "line", 3, "argument", 1, "name", "b", "advice", "bypass",
        "rank", 3, "line", 4, "argument", 1, "name", "b", "advice", "bypass");
    char diff[1024] = "";
    FILE *out = fmemopen(diff, sizeof(diff), "w");

    (void)state;
    assert_non_null(report);
    assert_int_equal(byw_advise_patch(report, &s, 0, &patch), BYW_OK);
    assert_int_equal(patch.changed, 2);
    assert_int_equal(patch.left, 1);
    assert_string_equal(patch.text[0], want);
    byw_advise_diff(out, &s, &patch);
    fclose(out);
    assert_non_null(strstr(diff, "--- ./1.cl\n+++ ./1.cl\n@@ -1,4 +1,4 @@\n kernel void k("));
    assert_non_null(strstr(diff, "\n-  b[3] += 1 + x;\n+  b[3] = (*("));
    byw_advise_patch_release(&patch);
    json_decref(report);
}

/* 4. Hints as they are written in source code. */
static void hints_are_written_in_each_language(void **state)
{
    static const struct {
        enum byw_advise_language language;
        uint8_t hint;
        bool last;
        const char *want;
    } cases[] = {
        {BYW_ADVISE_OPENCL, BYW_HINT_BYPASS, false, "*(volatile __global const int *)&x[i]"},
        {BYW_ADVISE_OPENCL, BYW_HINT_STREAM, false, "__builtin_nontemporal_load(&x[i])"},
        {BYW_ADVISE_OPENCL, BYW_HINT_CACHE, false, NULL},
        {BYW_ADVISE_HIP, BYW_HINT_CACHE, false, NULL},
        {BYW_ADVISE_CUDA, BYW_HINT_BYPASS, true, "__ldcg(&x[i])"},
        {BYW_ADVISE_CUDA, BYW_HINT_STREAM, false, "__ldcs(&x[i])"},
        {BYW_ADVISE_CUDA, BYW_HINT_STREAM, true, "__ldlu(&x[i])"},
        {BYW_ADVISE_CUDA, BYW_HINT_VOLATILE, false, "__ldcv(&x[i])"},
        {BYW_ADVISE_PTX, BYW_HINT_CACHE, false, "ld.global.ca"},
        {BYW_ADVISE_PTX, BYW_HINT_STREAM, false, "ld.global.cs"},
        {BYW_ADVISE_HIP, BYW_HINT_BYPASS, false, "*(volatile const int *)&x[i]"},
        {BYW_ADVISE_HIP, BYW_HINT_STREAM, false, "__builtin_nontemporal_load(&x[i])"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char got[128];
        bool has = byw_advise_written(cases[i].language, cases[i].hint, 0, cases[i].last, "x[i]",
                                      "int", got, sizeof(got));

        assert_int_equal(has, cases[i].want != NULL);
        if (has)
            assert_string_equal(got, cases[i].want);
    }
}

/* From compute capability 7.0 on, a load can bypass allocation in the L1 (no_allocate); .cg gains
 * nothing there. */
static void a_gpu_of_today_loads_without_allocation(void **state)
{
    static const struct {
        enum byw_advise_language language;
        uint8_t hint;
        uint32_t compute;
        const char *type, *want;
    } cases[] = {
        {BYW_ADVISE_PTX, BYW_HINT_BYPASS, 69, "", "ld.global.cg"},
        {BYW_ADVISE_PTX, BYW_HINT_BYPASS, 70, "", "ld.global.L1::no_allocate"},
        {BYW_ADVISE_PTX, BYW_HINT_STREAM, 90, "", "ld.global.cs"},
        {BYW_ADVISE_CUDA, BYW_HINT_STREAM, 90, "float", "__ldcs(&x[i])"},
        {BYW_ADVISE_CUDA, BYW_HINT_BYPASS, 90, "float",
         "asm(\"ld.global.L1::no_allocate.f32 %0, [%1];\" : \"=f\"(v) : \"l\"(&x[i]));"},
        {BYW_ADVISE_OPENCL, BYW_HINT_BYPASS, 90, "ulong",
         "asm(\"ld.global.L1::no_allocate.u64 %0, [%1];\" : \"=l\"(v) : \"l\"(&x[i]));"},
        {BYW_ADVISE_CUDA, BYW_HINT_BYPASS, 90, "float4", NULL},
        {BYW_ADVISE_CUDA, BYW_HINT_BYPASS, 90, "uchar", NULL},
        {BYW_ADVISE_CUDA, BYW_ADVICE_NONTEMPORAL, 90, "float",
         "*cuda::annotated_ptr<const float, cuda::access_property::streaming>(&x[i])"},
        {BYW_ADVISE_CUDA, BYW_ADVICE_NONTEMPORAL, 75, "float", "__ldcs(&x[i])"},
        {BYW_ADVISE_HIP, BYW_HINT_STREAM, 90, "float", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char got[160];
        bool has = byw_advise_written(cases[i].language, cases[i].hint, cases[i].compute, false,
                                      "x[i]", cases[i].type, got, sizeof(got));

        assert_int_equal(has, cases[i].want != NULL);
        if (has)
            assert_string_equal(got, cases[i].want);
    }
}

/* A gain within the model's error is not promised; a machine never compared with a GPU has no
 * interval. */
static void a_gain_within_the_error_is_not_promised(void **state)
{
    static const struct {
        const char *promise, *want;
    } cases[] = {
        {"{\"title\": \"X\", \"error\": null, \"holds\": false}", "never compared with a GPU"},
        {"{\"title\": \"X\", \"error\": 5.0, \"low\": 2.5, \"high\": 12.5, \"holds\": true}",
         "On X expect 2.5 to 12.5 % fewer cycles"},
        {"{\"title\": \"X\", \"error\": 5.0, \"low\": -2.0, \"high\": 8.0, \"holds\": false}",
         "2.0 % more to 8.0 % fewer cycles): measure it before you keep it"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_t *report = json_pack("{s:o}", "promise", json_loads(cases[i].promise, 0, NULL));
        char got[320];

        byw_advise_promise(report, got, sizeof(got));
        assert_non_null(strstr(got, cases[i].want));
        json_decref(report);
    }
}

/* Types for which neither CUDA nor HIP has loads with hints: no text is generated. */
static void text_that_does_not_compile_is_not_written(void **state)
{
    static const struct {
        enum byw_advise_language language;
        const char *type;
        bool has;
    } cases[] = {
        {BYW_ADVISE_CUDA, "float4", true},   {BYW_ADVISE_CUDA, "float3", false},
        {BYW_ADVISE_CUDA, "double2", true},  {BYW_ADVISE_CUDA, "double4", false},
        {BYW_ADVISE_CUDA, "float16", false}, {BYW_ADVISE_CUDA, "bool", false},
        {BYW_ADVISE_HIP, "float4", false},   {BYW_ADVISE_HIP, "float", true},
        {BYW_ADVISE_OPENCL, "float3", true},
    };
    char got[128];

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_int_equal(byw_advise_written(cases[i].language, BYW_HINT_BYPASS, 0, false, "x[i]",
                                            cases[i].type, got, sizeof(got)),
                         cases[i].has);
    /* HIP has no type uint. */
    assert_true(byw_advise_written(BYW_ADVISE_HIP, BYW_HINT_BYPASS, 0, false, "x[i]", "uint", got,
                                   sizeof(got)));
    assert_string_equal(got, "*(volatile const __typeof__(x[i]) *)&x[i]");
}

/* Why a hint cannot be written, as a sentence. */
static void a_place_that_cannot_be_patched_has_its_reason(void **state)
{
    static const char code[] = "#define AT(p, i) ((p)[i])\n"
                               "#define FIRST a[0]\n"
                               "typedef struct { float x, y; } Pair;\n"
                               "float get(global float *a, int i) { return a[i]; }\n"
                               "kernel void k(global float *a, global Pair *b, int n) {\n"
                               "  float s = AT(a, n) + N;\n"
                               "  s += FIRST;\n"
                               "  global float *c = a + 4;\n"
                               "  s += c[n]; /* not a[n] */\n"
                               "  s += *a;\n"
                               "  s += a[n +\n"
                               "         1];\n"
                               "  s += f(&a[n]);\n"
                               "  Pair p = b[n];\n"
                               "  s += b[n].x + a[n]; // a plain one\n"
                               "}\n";
    static const struct {
        uint32_t line;
        int32_t argument;
        const char *want; /* NULL: the hint can be written */
    } cases[] = {
        {4, 0, "it is in a function that the kernel inlines"},
        {6, 0, "macro AT hides the expression"},
        {7, 0, "macro FIRST hides the expression"},
        {9, 0, "'a' is read under another name"},
        {10, 0, "'a' is read without an index in brackets"},
        {11, 0, "the expression continues in the next line"},
        {13, 0, "'a' is changed or its address is taken"},
        {14, 1, "a whole structure is read; a hint is for one member"},
        {15, 1, NULL},
        {15, 0, NULL},
        {15, -1, "its address is not based on one argument of the kernel"},
        {0, 0, "the compiler recorded no source line for this load"},
    };
    struct byw_advise_source s = {.text = {(char *)(uintptr_t)code}, .count = 1};
    struct byw_advise_source none = {.count = 0};
    char why[BYW_SOURCE_LINE];

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        bool blocked = byw_advise_obstacle(&s, "k", cases[i].line, cases[i].argument, why);

        assert_string_equal(why, cases[i].want != NULL ? cases[i].want : "");
        assert_int_equal(blocked, cases[i].want != NULL);
    }
    assert_true(byw_advise_obstacle(&s, "other", 9, 0, why));
    assert_string_equal(why, "the source defines no kernel of this name");
    assert_true(byw_advise_obstacle(&none, "k", 9, 0, why));
    assert_string_equal(why, "the source is not known; --source names it");
}

/* --- runs ----------------------------------------------------------------------------------- */

enum { LOADS = 3, ROUNDS = 24 };

/* Loads of a kernel of one CTA per SM: a stream (0x60), a small table (0x68), and a larger one that
 * does not fit in addition (0x70); two launches. */
static void make_trace(struct bench *b)
{
    static const struct byw_site site[LOADS] = {
        {.pc = 0x60, .line = 3, .block = 1, .argument = 0, .cls = BYW_CLASS_LOAD, .width = 4},
        {.pc = 0x68, .line = 3, .block = 1, .argument = 1, .cls = BYW_CLASS_LOAD, .width = 4},
        {.pc = 0x70, .line = 3, .block = 1, .argument = 1, .cls = BYW_CLASS_LOAD, .width = 4},
    };
    struct byw_kernel k = kernel_of(30, 128);

    b->config.sm_count = 2;
    b->config.l1d_sets = 4;
    k.site = site;
    k.site_count = LOADS;
    assert_int_equal(byw_trace_create(b->path, 0, &b->writer, NULL), BYW_OK);
    for (k.launch = 0; k.launch < 2; k.launch++) {
        assert_int_equal(byw_trace_kernel(b->writer, &k, NULL), BYW_OK);
        for (uint32_t cta = 0; cta < k.grid[0]; cta++) {
            byw_cta_clear(&b->cta);
            b->cta.id[0] = cta;
            for (uint32_t w = 0; w < 4; w++) {
                byw_cta_add_warp(&b->cta);
                for (uint64_t i = 0; i < ROUNDS; i++) {
                    const uint64_t line[LOADS] = {((cta * 4 + w) * ROUNDS + i) + (1 << 16),
                                                  i % 12 + (2 << 16), i * 7 % 23 + (3 << 16)};

                    for (uint32_t l = 0; l < LOADS; l++) {
                        struct byw_inst *inst = add(b, BYW_CLASS_LOAD, 1, 1);

                        inst->pc = site[l].pc;
                        inst->base = line[l] * 128;
                    }
                }
            }
            assert_int_equal(byw_trace_cta(b->writer, &b->cta, NULL), BYW_OK);
        }
    }
    assert_int_equal(byw_trace_finish(b->writer, NULL), BYW_OK);
}

static json_t *advise(struct bench *b, struct byw_advise_options *o)
{
    const struct byw_job_options how = {.progress = NULL};
    const struct byw_job job = {
        .workload = "t", .trace = b->path, .machine = "m", .policy = "p", .config = &b->config};
    struct byw_diag diag = {""};
    json_t *report;

    o->how = &how;
    o->workers = 2;
    if (o->most_runs == 0)
        o->most_runs = 1000;
    if (byw_advise(&job, o, &report, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
    return report;
}

static const json_t *place(const json_t *report, size_t i)
{
    const json_t *kernel = json_array_get(json_object_get(report, "kernels"), 0);

    return json_array_get(json_object_get(kernel, "places"), i);
}

static const json_t *place_at(const json_t *report, uint32_t pc)
{
    for (size_t i = 0; place(report, i) != NULL; i++)
        if (json_integer_value(json_array_get(json_object_get(place(report, i), "pcs"), 0)) == pc)
            return place(report, i);
    fail_msg("no place at 0x%x", pc);
    return NULL;
}

/* 5. The hill climbing finds the best of all assignments. */
static void climbing_finds_the_best_assignment(void **state)
{
    struct bench *b = *state;
    struct byw_advise_options o = {
        .hint = {BYW_HINT_BYPASS, BYW_HINT_STREAM}, .hints = 2, .by_load = true, .least = 0};
    json_t *climbed, *every;

    make_trace(b);
    climbed = advise(b, &o);
    o.every = true;
    every = advise(b, &o);
    assert_true(byw_result_number(every, "runs") >= 27);
    assert_true(byw_result_number(climbed, "cycles") > 0);
    assert_true(byw_result_number(every, "advised_cycles") < byw_result_number(every, "cycles"));
    assert_true(byw_result_number(climbed, "advised_cycles") ==
                byw_result_number(every, "advised_cycles"));
    assert_string_equal(byw_result_text(place_at(climbed, 0x60), "advice"),
                        byw_result_text(place_at(every, 0x60), "advice"));
    assert_string_not_equal(byw_result_text(place_at(climbed, 0x60), "advice"), "");
    assert_string_equal(byw_result_text(place_at(climbed, 0x68), "advice"), "");
    json_decref(climbed);
    json_decref(every);
}

/* 6. Counts of a load: accesses, lines, requests that found their line, requests that were
 * reused. */
static void counts_of_a_load_equal_its_accesses(void **state)
{
    struct bench *b = *state;
    struct byw_advise_options o = {.hint = {BYW_HINT_BYPASS}, .hints = 1, .by_load = true};
    const uint64_t accesses = 2 * 30 * 4 * ROUNDS;
    json_t *report;
    const json_t *stream, *table;

    make_trace(b);
    b->config.l1d_sets = 64; /* the tables fit */
    report = advise(b, &o);
    stream = place_at(report, 0x60);
    table = place_at(report, 0x68);
    assert_int_equal(byw_result_number(stream, "accesses"), accesses);
    assert_int_equal(byw_result_number(stream, "transactions"), accesses);
    assert_true(byw_result_number(stream, "hit_rate") == 0);
    assert_true(byw_result_number(stream, "reuse") == 0);
    assert_true(byw_result_number(table, "lines_per_access") == 1);
    /* First accesses, to twelve lines in each of two SMs per launch, do not count as reuse. */
    assert_true(byw_result_number(table, "reuse") == (double)(accesses - 48) / (double)accesses);
    assert_true(byw_result_number(table, "hit_rate") <= byw_result_number(table, "reuse"));
    assert_true(byw_result_number(table, "hit_rate") > 0.9);
    json_decref(report);
}

/* 7. Loads of one array on one line are a single place. */
static void loads_of_one_array_on_one_line_are_one_place(void **state)
{
    struct bench *b = *state;
    struct byw_advise_options o = {.hint = {BYW_HINT_BYPASS}, .hints = 1};
    json_t *report;

    make_trace(b);
    report = advise(b, &o);
    assert_null(place(report, 2));
    assert_int_equal(json_array_size(json_object_get(place_at(report, 0x68), "pcs")), 2);
    json_decref(report);
}

/* 8. If no hint saves enough, none is given, and the runs with and without advice are the same. */
static void without_a_gain_no_advice_is_given(void **state)
{
    struct bench *b = *state;
    struct byw_advise_options o = {.hint = {BYW_HINT_CACHE}, .hints = 1, .least = 0.5};
    json_t *report;

    make_trace(b);
    report = advise(b, &o);
    assert_true(byw_result_number(report, "cycles") == byw_result_number(report, "advised_cycles"));
    for (size_t i = 0; place(report, i) != NULL; i++)
        assert_null(json_object_get(place(report, i), "advice"));
    json_decref(report);
}

/* 9. The search ends when its budget of runs is used up, and says so; its advice still works. */
static void search_ends_when_its_runs_are_used_up(void **state)
{
    struct bench *b = *state;
    struct byw_advise_options o = {
        .hint = {BYW_HINT_BYPASS}, .hints = 1, .by_load = true, .most_runs = 3};
    json_t *report;

    make_trace(b);
    report = advise(b, &o);
    assert_true(json_is_false(
        json_object_get(json_array_get(json_object_get(report, "kernels"), 0), "complete")));
    assert_true(byw_result_number(report, "runs") <= 4);
    json_decref(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(source_lines_are_found_by_kernel),
        cmocka_unit_test(parameters_of_kernels_are_found),
        cmocka_unit_test(only_read_expressions_are_found),
        cmocka_unit_test(structures_are_read_through_a_member),
        cmocka_unit_test(update_statements_are_split),
        cmocka_unit_test(a_patch_changes_every_expression_of_a_place),
        cmocka_unit_test(hints_are_written_in_each_language),
        cmocka_unit_test(text_that_does_not_compile_is_not_written),
        cmocka_unit_test(a_gpu_of_today_loads_without_allocation),
        cmocka_unit_test(a_gain_within_the_error_is_not_promised),
        cmocka_unit_test(a_place_that_cannot_be_patched_has_its_reason),
        cmocka_unit_test_setup_teardown(climbing_finds_the_best_assignment, setup, teardown),
        cmocka_unit_test_setup_teardown(counts_of_a_load_equal_its_accesses, setup, teardown),
        cmocka_unit_test_setup_teardown(loads_of_one_array_on_one_line_are_one_place, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(without_a_gain_no_advice_is_given, setup, teardown),
        cmocka_unit_test_setup_teardown(search_ends_when_its_runs_are_used_up, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
