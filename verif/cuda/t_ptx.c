/* SPDX-License-Identifier: Apache-2.0
 *
 * t_ptx - the PTX parser and the reader of fat binaries: results for valid text, messages for
 * invalid text, and robustness against hostile input.
 */
#include "capture/cuda/byw_cu_fatbin.h"
#include "capture/cuda/byw_ptx.h"
#include "capture/cuda/byw_ptx_slice.h"
#include "common/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_LZ4
#include <lz4.h>
#endif

#include "common/byw_rng.h"

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"
#define MUTATIONS 30000

static const char whole[] =
    HEAD ".file 1 \"/home/u\" \"a.cu\"\n.file 2 \"/usr/local/cuda/include/x.hpp\"\n"
         ".global .align 4 .u32 table[2][2] = {{1, 2}, {0x10, 0b11}};\n"
         ".const .f32 pi = 0f40490FDB;\n"
         ".func (.param .b32 r) twice(.param .b32 x) { .reg .b32 %r<3>; ld.param.b32 %r1, [x];\n"
         "add.s32 %r2, %r1, %r1; st.param.b32 [r+0], %r2; ret; }\n"
         ".visible .entry k(.param .u64 .ptr .global .align 4 p, .param .align 8 .b8 q[24])\n"
         ".maxntid 256, 2, 1\n{\n"
         ".reg .pred %p<2>; .reg.b32 %r<9>; .reg .b64 %rd<4>; .reg .v4 .f32 %v;\n"
         ".shared .align 16 .b8 s[64];\n"
         "\t.loc 1 7 0\n"
         "ld.param.u64 %rd1, [p];\n"
         "\t.loc 2 99 1, function_name $L__info0, inlined_at 1 12 3\n"
         "ld.global.nc.L1::no_allocate.v2.u32 {%r1, %r2}, [%rd1+-8];\n"
         "setp.lt.s32 %p1|_, %r1, 5;\n"
         "@!%p1 bra $L1;\n{ .param .b32 a; st.param.b32 [a], %r1; .param .b32 b;\n"
         "call.uni (b), twice, (a); ld.param.b32 %r3, [b]; }\n"
         "mov.f32 %v.x, 1.5;\n"
         "$L1:\nmov.u32 %r4, %tid.x; /* a comment\nof two lines */ ret;\n}\n";

static enum byw_status parse(const char *text, struct byw_ptx_module *m, struct byw_diag *diag)
{
    diag->text[0] = '\0';
    return byw_ptx_parse(text, strlen(text), m, diag);
}

static void a_module_keeps_its_functions_and_variables(void **state)
{
    struct byw_ptx_module m;
    struct byw_diag diag;

    (void)state;
    assert_int_equal(parse(whole, &m, &diag), BYW_OK);
    assert_int_equal(m.version, 80);
    assert_int_equal(m.target, 90);
    assert_int_equal(m.functions, 2);
    assert_int_equal(m.variables, 3); /* the shared one, too */
    assert_int_equal(m.variable[0]->count, 4);
    assert_int_equal(m.variable[0]->init[2].value, 16);
    assert_int_equal(m.variable[1]->init[0].value, 0x40490fdb);
    assert_true(m.function[1]->entry);
    assert_int_equal(m.function[1]->most[0], 256);
    assert_int_equal(m.function[1]->param[1]->count, 24);
    byw_ptx_module_release(&m);
}

static void opcodes_are_cut_at_their_points(void **state)
{
    struct byw_ptx_module m;
    struct byw_diag diag;
    const struct byw_ptx_instruction *load;

    (void)state;
    assert_int_equal(parse(whole, &m, &diag), BYW_OK);
    load = &m.function[1]->code[1];
    assert_string_equal(load->part[0], "ld");
    assert_true(byw_ptx_has(load, "L1::no_allocate"));
    assert_int_equal(byw_ptx_type_at(load, 0).bits, 32);
    assert_int_equal(load->operand[0].count, 2);
    assert_int_equal(load->operand[1].list[0].offset, -8);
    byw_ptx_module_release(&m);
}

static void lines_of_inlined_headers_are_those_of_the_program(void **state)
{
    struct byw_ptx_module m;
    struct byw_diag diag;

    (void)state;
    assert_int_equal(parse(whole, &m, &diag), BYW_OK);
    assert_int_equal(m.function[1]->code[0].source_line, 7);
    assert_int_equal(m.function[1]->code[1].source_line, 12);
    byw_ptx_module_release(&m);
}

static void units_share_what_they_export_only(void **state)
{
    static const char text[] =
        HEAD ".extern .global .align 4 .u32 table[2];\n.global .u32 own = 1;\n"
             ".func help() { ret; }\n.weak .func both() { ret; }\n"
             ".visible .entry k() { .reg .b64 %rd1; mov.u64 %rd1, table; call help; ret; }\n" HEAD
             ".visible .global .align 4 .u32 table[2] = {5, 6};\n.global .u32 own = 2;\n"
             ".func help() { exit; }\n.weak .func both() { exit; }\n";
    struct byw_ptx_module m;
    struct byw_diag diag;
    const struct byw_ptx_instruction *code;

    (void)state;
    assert_int_equal(parse(text, &m, &diag), BYW_OK);
    assert_int_equal(m.variables, 3); /* `table`, and two named `own` */
    assert_int_equal(m.functions, 4); /* help twice, both, k */
    assert_string_not_equal(m.variable[1]->name, m.variable[2]->name);
    assert_string_not_equal(m.function[0]->name, m.function[3]->name);
    code = m.function[2]->code;
    assert_int_equal(code[0].operand[1].symbol->init[1].value, 6);
    assert_ptr_equal(code[1].operand[0].symbol->function, m.function[0]);
    assert_string_equal(m.function[1]->code[0].opcode, "ret"); /* of several weak definitions, the
                                                                  first */
    byw_ptx_module_release(&m);
}

static void errors_name_the_line_and_what_was_expected(void **state)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "line 1: expected .version"},
        {".version 8.0\n.target sm_90\n.address_size 32\n", "expected .address_size 64"},
        {HEAD ".global .u33 x;\n", "line 4: expected a type; found '.u33'"},
        {HEAD ".entry k() {\nadd.s32 %r1, %r2, 3;\n}", "line 5: expected a register that has been"},
        {HEAD ".entry k() {\n.reg .b32 %r<3>;\nadd.s32 %r1, %r2 3;\n}",
         "line 6: expected ',' or ';'"},
        {HEAD ".entry k() {\n.reg .b32 %r<3>;\nmov.b32 %r9, 3;\n}", "line 6: expected a register"},
        {HEAD ".entry k() {\n.reg .b32 %r1;\n@%r1 ret;\n}",
         "line 6: expected a predicate behind @"},
        {HEAD ".entry k() {\nret;\n", "line 6: expected an instruction; found 'end of text'"},
        {HEAD ".global .b8 x[4294967296][16];\n", "line 4: expected a smaller array"},
        {HEAD ".entry k() {\n.shared .b32 x[65537];\nret;\n}",
         "line 5: expected a smaller variable"},
        {HEAD ".entry k() {\n.local .b8 x[1048576];\nret;\n}",
         "line 5: expected a smaller variable"},
        {HEAD ".entry k() {\n.reg .b32 %r1;\nmov.b32 %r1, {{{{{{%r1}}}}}};\n}",
         "line 6: expected fewer nested lists"},
        {HEAD ".entry k() {\n.reg .b32 %r1;\nmov.b32 %r1, \"x;\n}", "found '\"'"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct byw_ptx_module m;
        struct byw_diag diag;

        assert_int_equal(parse(cases[i].text, &m, &diag), BYW_EFORMAT);
        if (strstr(diag.text, cases[i].says) == NULL)
            fail_msg("case %zu says: %s", i, diag.text);
        byw_ptx_module_release(&m);
    }
}

static void hostile_text_is_refused_or_read(void **state)
{
    static const char letters[] = "{}[]()<>,;:=+-*@!|~\"%$._0123456789abfxzLs \n\0\xff";
    struct byw_rng rng;
    char text[sizeof(whole)];

    (void)state;
    byw_rng_init(&rng, 47);
    for (int i = 0; i < MUTATIONS; i++) {
        struct byw_ptx_module m;
        struct byw_diag diag;
        size_t length = sizeof(whole) - 1;

        memcpy(text, whole, sizeof(whole));
        for (uint64_t k = byw_rng_next(&rng) % 4 + 1; k > 0; k--)
            text[byw_rng_next(&rng) % length] = letters[byw_rng_next(&rng) % (sizeof(letters) - 1)];
        if (byw_rng_next(&rng) % 3 == 0)
            length = byw_rng_next(&rng) % length;
        diag.text[0] = '\0';
        if (byw_ptx_parse(text, length, &m, &diag) != BYW_OK)
            assert_true(diag.text[0] != '\0');
        byw_ptx_module_release(&m);
    }
}

/* Kernels a to c: a calls f, which calls g; the table names h; c declares a variable. */
static const char many[] =
    HEAD ".file 1 \"a}.cu\"\n"
         ".func (.param .b32 r) f(.param .b32 x);\n"
         ".global .u64 table[1] = {h};\n"
         ".visible .func .noreturn g(.param .b32 x)\n{ /* } */ ret; // }\n}\n"
         ".func h() { ret; }\n"
         ".weak .func (.param .b32 r) f(.param .b32 x) { call g, (x); ret; }\n"
         ".visible .entry a(.param .u64 p) .maxntid 32\n{ call (r), f, (x); ret; }\n"
         ".file 2 \"b.cu\"\n"
         ".visible .entry b() { .shared .b8 s[4]; { ret; } }\n"
         ".visible .entry c() { .global .b32 kept; ld.global.u32 %r1, [kept]; ret; }\n"
         ".section .debug_str { L: .b8 0 }\n";

static void a_slice_has_what_a_kernel_reaches(void **state)
{
    static const struct {
        const char *kernel, *gone[4];
    } rows[] = {{"a", {"entry b"}},
                {"b", {"entry a", "call g", "noreturn g"}},
                {"c", {"entry a", "entry b", "call g", "noreturn g"}}};
    static const char *const always[] = {".func h()",
                                         "entry c",
                                         "table[1] = {h}",
                                         ".file 2",
                                         ".func (.param .b32 r) f(.param .b32 x);",
                                         ".debug_str"};

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        size_t size;
        char *slice = byw_ptx_slice(many, sizeof(many) - 1, rows[i].kernel, &size), entry[16];

        assert_non_null(slice);
        assert_int_equal(size, strlen(slice));
        snprintf(entry, sizeof(entry), ".entry %s", rows[i].kernel);
        assert_non_null(strstr(slice, entry));
        for (size_t k = 0; k < 4 && rows[i].gone[k] != NULL; k++)
            assert_null(strstr(slice, rows[i].gone[k]));
        for (size_t k = 0; k < sizeof(always) / sizeof(always[0]); k++)
            assert_non_null(strstr(slice, always[k]));
        free(slice);
    }
    assert_null(byw_ptx_slice(many, sizeof(many) - 1, "d", &(size_t){0}));
    assert_null(byw_ptx_slice(many, sizeof(many) - 40, "c", &(size_t){0}));
}

static void a_slice_of_hostile_text_stays_inside(void **state)
{
    static const char letters[] = "{}();./*\"\\ab\n";
    struct byw_rng rng;

    (void)state;
    byw_rng_init(&rng, 11);
    for (int i = 0; i < MUTATIONS; i++) {
        size_t length = sizeof(many) - 1 - byw_rng_next(&rng) % 300, size = 0;
        char *text = malloc(length), *slice; /* exactly that size, so that sanitizers see reads past
                                                its end */

        assert_non_null(text);
        memcpy(text, many, length);
        for (uint64_t k = byw_rng_next(&rng) % 4; k > 0; k--)
            text[byw_rng_next(&rng) % length] = letters[byw_rng_next(&rng) % (sizeof(letters) - 1)];
        slice = byw_ptx_slice(text, length, "a", &size);
        assert_true(slice == NULL || size <= length);
        free(slice);
        free(text);
    }
}

/* A container with one entry of machine code and PTX for sm_70, sm_90, sm_90a and sm_100. */
static size_t build_fatbin(unsigned char *out)
{
    static const char *const names[] = {"", "70", "90", "90a", "100"};
    const uint32_t targets[] = {0, 70, 90, 90, 100};
    size_t at = 16;

    memset(out, 0, 4096);
    for (int i = 0; i < 5; i++) {
        unsigned char *entry = out + at;
        char text[128];
        uint64_t size;

        snprintf(text, sizeof(text), HEAD "// PTX of %s\n", names[i]);
        entry[42] = i == 3 ? 0x10 : 0;
        size = (strlen(text) + 8) & ~7ull;
        entry[0] = i == 0 ? 2 : 1;
        entry[4] = 64;
        memcpy(entry + 8, &size, 8);
        memcpy(entry + 28, &targets[i], 4);
        memcpy(entry + 64, text, strlen(text));
        at += 64 + size;
    }
    memcpy(out, "\x50\xed\x55\xba\x01\x00\x10\x00", 8);
    out[8] = (unsigned char)(at - 16);
    out[9] = (unsigned char)((at - 16) >> 8);
    return at;
}

static void a_fat_binary_gives_the_ptx_nearest_to_the_device(void **state)
{
    static const struct {
        unsigned target;
        const char *want;
    } cases[] = {{90, "PTX of 90a\n"},
                 {80, "PTX of 70\n"},
                 {92, "PTX of 90\n"},
                 {120, "PTX of 100\n"},
                 {60, "PTX of 70\n"}};
    unsigned char image[4096];
    struct {
        uint32_t magic, version;
        const void *data;
        void *rest;
    } wrapper = {0x466243b1u, 1, image, NULL};

    (void)state;
    build_fatbin(image);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct byw_diag diag;
        char *text;
        size_t length;

        assert_int_equal(byw_cu_find_ptx(&wrapper, 0, cases[i].target, &text, &length, &diag),
                         BYW_OK);
        assert_non_null(strstr(text, cases[i].want));
        free(text);
    }
}

/* A file, unlike a program, has no addresses; and a wrapper may not lead back to itself. */
static void a_wrapper_leads_to_a_fat_binary_in_memory_only(void **state)
{
    struct {
        uint32_t magic, version;
        const void *data, *parts;
    } wrapper = {0x466243b1, 1, &wrapper, NULL};
    struct byw_diag diag;
    char *text;
    size_t length;

    (void)state;
    assert_int_equal(byw_cu_find_ptx(&wrapper, 0, 90, &text, &length, &diag), BYW_EFORMAT);
    assert_non_null(strstr(diag.text, "its wrapper contains another wrapper"));
    wrapper.data = (const void *)(uintptr_t)0x2e01;
    assert_int_equal(byw_cu_find_ptx(&wrapper, sizeof(wrapper), 90, &text, &length, &diag),
                     BYW_EFORMAT);
    assert_non_null(strstr(diag.text, "the file contains the wrapper of one"));
}

static void a_linked_program_has_its_units_but_not_the_device_runtime(void **state)
{
    static const char *const parts[] = {"PTX of one\n", "PTX that calls cnpSetLastError\n",
                                        "PTX of another\n", NULL};
    static const unsigned char machine_code[16] = {0x50, 0xed, 0x55, 0xba, 1, 0, 16};
    struct {
        uint32_t magic, version;
        const void *data, *parts;
    } wrapper = {0x466243b1, 2, machine_code, parts};
    struct byw_diag diag;
    char *text;
    size_t length;

    (void)state;
    assert_int_equal(byw_cu_find_ptx(&wrapper, 0, 90, &text, &length, &diag), BYW_OK);
    assert_string_equal(text, "\nPTX of one\n\nPTX of another\n");
    assert_int_equal(length, strlen(text));
    free(text);
}

static void a_truncated_fat_binary_is_an_error(void **state)
{
    unsigned char image[4096];
    size_t size = build_fatbin(image);

    (void)state;
    for (size_t cut = 1; cut < size; cut++) {
        unsigned char *part = malloc(cut); /* separate, so that sanitizers see reads past its end */
        struct byw_diag diag;
        char *text = NULL;
        size_t length;

        assert_non_null(part);
        memcpy(part, image, cut);
        if (cut >= 4)
            assert_int_equal(byw_cu_find_ptx(part, cut, 90, &text, &length, &diag), BYW_EFORMAT);
        free(part);
    }
}

static void machine_code_alone_says_how_to_get_ptx(void **state)
{
    static const unsigned char elf[64] = "\x7f"
                                         "ELF";
    unsigned char image[4096];
    struct byw_diag diag;
    char *text;
    size_t length;

    (void)state;
    assert_int_equal(byw_cu_find_ptx(elf, sizeof(elf), 90, &text, &length, &diag),
                     BYW_EUNSUPPORTED);
    assert_non_null(strstr(diag.text, "cubin"));
    length = build_fatbin(image);
    image[16 + image[24] + 64] = 2; /* no entry is PTX now */
    image[16 + 2 * (64 + image[24])] = 2;
    for (size_t i = 16; i + 64 <= length; i += 64 + image[i + 8])
        image[i] = 2;
    assert_int_equal(byw_cu_find_ptx(image, length, 90, &text, &length, &diag), BYW_EUNSUPPORTED);
    assert_non_null(strstr(diag.text, "byway nvcc"));
}

/* An entry of LZ4, made by the library; without it, the message says how to get it. */
static void compressed_ptx_is_expanded(void **state)
{
    static const char ptx[] = "// abcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabc .version";
    unsigned char image[256] = {0};
    struct byw_diag diag;
    char *text;
    size_t length;
    int packed = 40;

    (void)state;
    memcpy(image, "\x50\xed\x55\xba\x01\x00\x10\x00", 8);
#ifdef HAVE_LZ4
    packed = LZ4_compress_default(ptx, (char *)image + 80, sizeof(ptx) - 1, 100);
    assert_in_range(packed, 8, 60);
#endif
    image[8] = (unsigned char)(64 + packed); /* bytes of entries */
    image[16] = 1;
    image[20] = 64;
    image[24] = image[32] = (unsigned char)packed;
    image[44] = 90;
    image[57] = 0x20; /* LZ4 */
    image[72] = sizeof(ptx) - 1;
#ifdef HAVE_LZ4
    assert_int_equal(byw_cu_find_ptx(image, 200, 90, &text, &length, &diag), BYW_OK);
    assert_string_equal(text, ptx);
    free(text);
    image[72]--; /* too short a size */
    assert_int_equal(byw_cu_find_ptx(image, 200, 90, &text, &length, &diag), BYW_EFORMAT);
    assert_null(text); /* callers free it */
    image[72]++;
    image[80] = 0xff; /* more plain bytes than there are */
    assert_int_equal(byw_cu_find_ptx(image, 200, 90, &text, &length, &diag), BYW_EFORMAT);
    assert_null(text);
#else
    assert_int_equal(byw_cu_find_ptx(image, 200, 90, &text, &length, &diag), BYW_EUNSUPPORTED);
    assert_non_null(strstr(diag.text, "apt-get install liblz4-dev"));
#endif
    image[75] = 1; /* 16 MB from a few bytes: LZ4 makes at most 255 of one */
    assert_int_equal(byw_cu_find_ptx(image, 200, 90, &text, &length, &diag), BYW_EFORMAT);
    assert_non_null(strstr(diag.text, "damaged sizes"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_module_keeps_its_functions_and_variables),
        cmocka_unit_test(opcodes_are_cut_at_their_points),
        cmocka_unit_test(lines_of_inlined_headers_are_those_of_the_program),
        cmocka_unit_test(units_share_what_they_export_only),
        cmocka_unit_test(errors_name_the_line_and_what_was_expected),
        cmocka_unit_test(hostile_text_is_refused_or_read),
        cmocka_unit_test(a_slice_has_what_a_kernel_reaches),
        cmocka_unit_test(a_slice_of_hostile_text_stays_inside),
        cmocka_unit_test(a_fat_binary_gives_the_ptx_nearest_to_the_device),
        cmocka_unit_test(a_wrapper_leads_to_a_fat_binary_in_memory_only),
        cmocka_unit_test(a_linked_program_has_its_units_but_not_the_device_runtime),
        cmocka_unit_test(a_truncated_fat_binary_is_an_error),
        cmocka_unit_test(machine_code_alone_says_how_to_get_ptx),
        cmocka_unit_test(compressed_ptx_is_expanded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
