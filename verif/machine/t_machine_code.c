/* SPDX-License-Identifier: Apache-2.0
 *
 * t_machine_code.c - the reader of machine code without NVIDIA's tools: instructions from their
 * words, a cubin from the rig, PTX that is numbered, damaged cubins.  t_nvdisasm.sh compares the
 * reader with nvdisasm.
 */
#include "common/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/machine/byw_cubin.h"
#include "capture/machine/byw_decode.h"
#include "capture/machine/byw_expand.h"
#include "capture/machine/byw_numbering.h"
#include "common/byw_rng.h"
#include "machine/cubin_rig.h"
#include "trace/byw_inst.h"

static struct byw_machine_inst decode(uint64_t first, uint64_t second, uint32_t arch)
{
    return byw_decode(first, second, 100, 1000, arch);
}

static void fields_of_the_schedule_are_decoded(void **state)
{
    /* stall 11, yield 1, write barrier 5, read barrier 3, waits for barriers 0 and 4 */
    const uint64_t control = 11 | 1 << 4 | 5 << 5 | 3 << 8 | 0x11 << 11;
    struct byw_machine_inst inst = decode(0x7918, control << 41, 90);

    (void)state;
    assert_int_equal(inst.op, BYW_MACHINE_NOP);
    assert_int_equal(inst.stall, 11);
    assert_int_equal(inst.yield, 1);
    assert_int_equal(inst.write_barrier, 5);
    assert_int_equal(inst.read_barrier, 3);
    assert_int_equal(inst.wait, 0x11);
    assert_int_equal(inst.flags, 0);
}

static void predicates_are_decoded(void **state)
{
    (void)state;
    assert_int_equal(decode(0x0918, 0, 90).flags, BYW_MACHINE_PREDICATED);
    assert_int_equal(decode(0xf918, 0, 90).flags, BYW_MACHINE_PREDICATED | BYW_MACHINE_NEVER);
    assert_int_equal(decode(0x0882, 0, 90).flags,
                     BYW_MACHINE_PREDICATED | BYW_MACHINE_WARP_PREDICATE);
}

static void widths_and_hints_are_decoded(void **state)
{
    static const uint8_t widths[] = {1, 1, 2, 2, 4, 8, 16};

    (void)state;
    for (uint64_t code = 0; code < sizeof(widths); code++)
        assert_int_equal(decode(0x7981, 0x0c1e1000 | code << 9, 90).width, widths[code]);
#define HINT(second) (decode(0x7981, second, 90).flags >> BYW_MACHINE_HINT_SHIFT)
    assert_int_equal(HINT(0x0c1e1900), 0);
    assert_int_equal(HINT(0x0c0e1900), BYW_SITE_NONTEMPORAL);
    assert_int_equal(HINT(0x0c5e1900), BYW_SITE_NO_ALLOCATE);
    assert_int_equal(HINT(0x0c1ef900), BYW_SITE_VOLATILE);
#undef HINT
    assert_int_equal(decode(0x000000080c0079a6, 0x0c10ff86, 90).width, 8); /* double, 9.0 */
    assert_int_equal(decode(0x000000040800798e, 0x0c10ed84, 80).width, 8); /* double, 8.0 */
    assert_int_equal(decode(0x0000000b0800798e, 0x0c10e784, 80).width, 4); /* float, 8.0 */
}

/* Branch distances count from the next instruction. Compute capability 9.0 encodes the low bits of
 * the distance in another place. */
static void targets_are_decoded(void **state)
{
    struct byw_machine_inst inst = decode(0xfffffffc00fc7947, 0x000fc0000383ffff, 90);

    (void)state;
    assert_int_equal(inst.target, 100);
    assert_int_equal(inst.flags & BYW_MACHINE_CONDITIONAL, 0);
    assert_int_equal(decode(0xfffffff000007947, 0x000fc0000383ffff, 80).target, 100);
    assert_int_equal(decode(0x0000000400e08947, 0x000fea0003800000, 90).target, 100 + 1 + 0x78);
    assert_int_equal(decode(0x0000074000008947, 0x000fea0003800000, 80).target, 100 + 1 + 0x74);
    assert_true(decode(0x0000074000008947, 0x000fea0003800000, 80).flags & BYW_MACHINE_CONDITIONAL);
    inst = decode(0x0000001e043c7947, 0x000fee000b800000, 90);
    assert_true(inst.flags & BYW_MACHINE_IF_DIVERGED);
    assert_true(inst.flags & BYW_MACHINE_CONDITIONAL);
    inst = decode(0x0000023000037945, 0x000fe20003800000, 90);
    assert_int_equal(inst.op, BYW_MACHINE_DIVERGE);
    assert_int_equal(inst.target, 100 + 1 + 0x23);
    assert_int_equal(inst.width, 3);
    /* outside of the kernel */
    assert_int_equal(byw_decode(0x0000074000008947, 0x000fea0003800000, 0, 10, 80).target,
                     BYW_MACHINE_NO_TARGET);
}

static void a_cubin_is_read(void **state)
{
    static const uint8_t ops[] = {BYW_MACHINE_LOAD, BYW_MACHINE_BRANCH, BYW_MACHINE_UNKNOWN,
                                  BYW_MACHINE_EXIT};
    static const uint32_t lines[] = {7, 7, 9, 4};
    struct byw_cubin cubin;
    struct byw_diag diag = {""};
    const struct byw_machine *m;
    struct rig rig;

    (void)state;
    rig_cubin(&rig);
    if (byw_cubin_read(rig.byte, rig.size, &cubin, &diag) == BYW_EUNSUPPORTED)
        skip_because("no libelf; apt-get install libelf-dev");
    assert_string_equal(diag.text, "");
    assert_int_equal(cubin.count, 1);
    assert_non_null(byw_cubin_kernel(&cubin, "k"));
    assert_null(byw_cubin_kernel(&cubin, "other"));
    m = &cubin.code[0].machine;
    assert_null(byw_machine_fault(m));
    assert_int_equal(m->arch, 90);
    assert_int_equal(m->registers, RIG_REGISTERS);
    assert_int_equal(m->count, 4);
    assert_int_equal(m->unknown, 1);
    assert_int_equal(cubin.code[0].first_unknown, 0x1ff);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(m->inst[i].op, ops[i]);
        assert_int_equal(m->inst[i].line, lines[i]);
    }
    assert_int_equal(m->inst[0].write_barrier, 2);
    assert_int_equal(m->inst[0].width, 8);
    assert_int_equal(m->inst[1].target, 3);
    assert_int_equal(m->inst[3].wait, 1 << 2);
    byw_cubin_free(&cubin);
}

/* Every prefix, and 20,000 cubins with up to four changed bytes: read, or refused with a
 * sentence. */
static void damaged_cubins_are_read_or_refused(void **state)
{
    uint64_t refused = 0, read = 0;
    struct byw_rng rng;
    struct rig rig;

    (void)state;
    byw_rng_init(&rng, 58);
    rig_cubin(&rig);
    for (size_t i = 0; i < rig.size + 20000; i++) {
        struct byw_cubin cubin;
        struct byw_diag diag = {""};
        size_t size = i < rig.size ? i : rig.size;
        uint8_t *copy = malloc(size + 1);

        assert_non_null(copy);
        memcpy(copy, rig.byte, size);
        for (uint32_t n = i < rig.size ? 0 : 1 + byw_rng_below(&rng, 4); n > 0; n--)
            copy[byw_rng_below(&rng, (uint32_t)size)] = (uint8_t)byw_rng_below(&rng, 256);
        if (byw_cubin_read(copy, size, &cubin, &diag) == BYW_OK) {
            read++;
            for (uint32_t c = 0; c < cubin.count; c++)
                assert_null(byw_machine_fault(&cubin.code[c].machine));
        } else {
            refused++;
            assert_true(diag.text[0] != '\0');
        }
        byw_cubin_free(&cubin);
        free(copy);
    }
    assert_true(refused >= rig.size / 2);
#ifdef HAVE_LIBELF
    assert_true(read > 1000);
#endif
}

/* 0 add, 1 conditional branch to 4, 2 call of 6, 3 branch to 5, 4 add, 5 exit; 6 add, 7 return. */
static void the_shortest_way_avoids_calls_if_it_can(void **state)
{
    struct byw_machine_inst inst[8];
    const struct byw_machine machine = {.count = 8, .inst = inst};
    struct byw_expansion cost = {0};

    (void)state;
    for (unsigned i = 0; i < 8; i++)
        inst[i] = (struct byw_machine_inst){.op = BYW_MACHINE_INT,
                                            .stall = 2,
                                            .write_barrier = BYW_MACHINE_NO_BARRIER,
                                            .read_barrier = BYW_MACHINE_NO_BARRIER,
                                            .target = BYW_MACHINE_NO_TARGET};
    inst[1].op = inst[3].op = BYW_MACHINE_BRANCH;
    inst[1].flags = BYW_MACHINE_CONDITIONAL;
    inst[1].target = 4;
    inst[2].op = BYW_MACHINE_CALL;
    inst[2].target = 6;
    inst[3].target = 5;
    inst[5].op = BYW_MACHINE_EXIT;
    inst[7].op = BYW_MACHINE_RETURN;
    assert_true(byw_expand_walk(&machine, &cost));
    assert_int_equal(cost.instructions, 4); /* 0, 1, 4, 5 */
    assert_int_equal(cost.cycles, 8);
    inst[1].target = BYW_MACHINE_NO_TARGET; /* now the call is the only way */
    cost = (struct byw_expansion){0};
    assert_true(byw_expand_walk(&machine, &cost));
    assert_int_equal(cost.instructions, 7); /* 0, 1, 2, 6, 7, 3, 5 */
    assert_int_equal(cost.of_unit[BYW_MACHINE_UNIT_CBU], 5);
    inst[0].op = BYW_MACHINE_MUFU; /* 22 cycles until its barrier clears */
    inst[0].write_barrier = 1;
    inst[5].wait = 1 << 1;
    cost = (struct byw_expansion){0};
    assert_true(byw_expand_walk(&machine, &cost));
    assert_int_equal(cost.cycles, 22 + 2);
    inst[5].op = BYW_MACHINE_INT; /* no exit, and the last instruction does not return either */
    inst[7].op = BYW_MACHINE_INT;
    assert_false(byw_expand_walk(&machine, &cost));
}

static const char ptx[] = ".version 8.0\n"
                          ".target sm_90, debug\n"
                          ".address_size 64\n"
                          ".global .b8 table[4] = {1, 2, 3, 4};\n"
                          ".func (.reg .b32 r) twice(.reg .b32 a)\n"
                          "{\n"
                          "  .loc 1 3 0\n"
                          "  add.s32 r, a, a; ret;\n" /* 1, 2 */
                          "}\n"
                          ".visible .entry k(.param .u64 p)\n"
                          "{\n"
                          "  .reg .pred %p<2>; .reg .b32 %r<4>;\n"
                          "  .pragma \"nounroll\";\n"
                          "  mov.u32 %r1, %tid.x;\n" /* 3 */
                          "  .loc 1 20 7\n"
                          "AGAIN: @!%p1 bra AGAIN;\n" /* 4 */
                          "  { .reg .b32 %s; /* ret; */\n"
                          "  .loc 2 90 5, function_name $name+12, inlined_at 1 21 9\n"
                          "  add.s32 %s, %r1, 1; }\n" /* 5 */
                          "  ld.v2.u32 {%r1, %r2}, [table];\n" /* 6 */
                          "  .loc 3 91 5, function_name $name, inlined_at 2 90 5\n"
                          "  bar.sync 0; // ret;\n" /* 7 */
                          "  ret;\n" /* 8 */
                          "}\n"
                          ".file 1 \"/home/user\" \"k.cu\"\n"
                          ".file 2 \"/usr/local/cuda/include/math.hpp\", 12, 34\n"
                          ".file 3 \"/usr/include/inner.h\"\n"
                          ".section .debug_str {\n"
                          "name:\n"
                          "  .b8 1, 2\n"
                          "}\n";

static size_t count_of(const char *text, const char *word)
{
    size_t count = 0;

    for (const char *at = text; (at = strstr(at, word)) != NULL; at += strlen(word))
        count++;
    return count;
}

static void ptx_is_numbered(void **state)
{
    static const uint32_t lines[] = {3, 3, 0, 20, 21, 21, 21, 21};
    struct byw_numbering n;
    struct byw_diag diag = {""};
    const char *file;

    (void)state;
    assert_int_equal(byw_numbering_make(ptx, strlen(ptx), 90, &n, &diag), BYW_OK);
    assert_int_equal(n.count, 8);
    assert_string_equal(n.target, "sm_90");
    assert_int_equal(count_of(n.text, ".loc "), 8);
    assert_non_null(strstr(n.text, ".loc 1 4 1\n\t@!%p1 bra AGAIN;"));
    assert_non_null(strstr(n.text, ".loc 1 6 1\n\tld.v2.u32 {%r1"));
    assert_null(strstr(n.text, "debug"));
    assert_int_equal(count_of(n.text, ".file"), 1);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(byw_numbering_line(&n, i + 1, &file), lines[i]);
    assert_string_equal(file, "/home/user/k.cu");
    assert_int_equal(byw_numbering_line(&n, 9, &file), 0);
    byw_numbering_free(&n);
}

static void the_target_is_chosen(void **state)
{
    static const struct {
        const char *written;
        uint32_t arch;
        const char *target, *text;
    } cases[] = {{"sm_90a", 90, "sm_90a", ".target sm_90a"},
                 {"sm_90a", 80, "sm_80", ".target sm_80"},
                 {"sm_75", 90, "sm_90", ".target sm_75"},
                 {"sm_90", 80, "sm_80", ".target sm_80"}};
    struct byw_numbering n;
    struct byw_diag diag = {""};
    char text[64];

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        snprintf(text, sizeof(text), ".version 7.0\n.target %s\n", cases[i].written);
        assert_int_equal(byw_numbering_make(text, strlen(text), cases[i].arch, &n, &diag), BYW_OK);
        assert_string_equal(n.target, cases[i].target);
        assert_non_null(strstr(n.text, cases[i].text));
        byw_numbering_free(&n);
    }
}

static void text_that_is_not_ptx_is_refused(void **state)
{
    static const char *const texts[] = {"",
                                        "hello",
                                        ".target gpu\n",
                                        ".version 7.0\n",
                                        ".target sm_90\n.entry k() { ret",
                                        ".target sm_90\n.entry k() { ret;",
                                        ".target sm_90\n.section .debug_str {",
                                        ".target sm_90\n.entry k() { .loc x 1 2\n ret; }",
                                        ".target sm_90\n.file 1"};
    struct byw_numbering n;

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct byw_diag diag = {""};

        assert_int_equal(byw_numbering_make(texts[i], strlen(texts[i]), 90, &n, &diag), BYW_EINVAL);
        assert_true(diag.text[0] != '\0');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_of_the_schedule_are_decoded),
        cmocka_unit_test(predicates_are_decoded),
        cmocka_unit_test(widths_and_hints_are_decoded),
        cmocka_unit_test(targets_are_decoded),
        cmocka_unit_test(a_cubin_is_read),
        cmocka_unit_test(damaged_cubins_are_read_or_refused),
        cmocka_unit_test(the_shortest_way_avoids_calls_if_it_can),
        cmocka_unit_test(ptx_is_numbered),
        cmocka_unit_test(the_target_is_chosen),
        cmocka_unit_test(text_that_is_not_ptx_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
