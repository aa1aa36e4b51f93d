/* SPDX-License-Identifier: Apache-2.0
 *
 * t_gpu_asm - the soft GPU's assembler: words, targets, messages, and texts that are no programs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_rng.h"
#include "common/test.h"
#include "softgpu/asm/gpu_asm.h"
#include "softgpu/asm/gpu_isa.h"

static void words_are(const char *text, const uint32_t *want, uint32_t count)
{
    struct gpu_program p;
    struct byw_diag diag = {""};

    if (gpu_assemble("t", text, strlen(text), &p, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
    assert_int_equal(p.count, count);
    assert_memory_equal(p.word, want, count * sizeof(want[0]));
    gpu_program_release(&p);
}

static void words_have_their_fields(void **state)
{
    (void)state;
    words_are("add r31, r1, r2", (uint32_t[]){31U << 21 | 1U << 16 | 2U << 11}, 1);
    words_are("addi r1, r2, -1", (uint32_t[]){16U << 26 | 1U << 21 | 2U << 16 | 0xffff}, 1);
    words_are("ori r1, r2, 0xffff", (uint32_t[]){19U << 26 | 1U << 21 | 2U << 16 | 0xffff}, 1);
    words_are("lw.volatile r3, -4(r4)",
              (uint32_t[]){32U << 26 | 3U << 21 | 4U << 16 | 4U << 13 | 0x1ffc}, 1);
    words_are("sb r3, 4095(r4)", (uint32_t[]){35U << 26 | 3U << 21 | 4U << 16 | 0xfff}, 1);
    words_are("amoadd r3, r5, (r4)", (uint32_t[]){36U << 26 | 3U << 21 | 4U << 16 | 5U << 11}, 1);
    words_are("id r2, threads", (uint32_t[]){59U << 26 | 2U << 21 | 7}, 1);
    words_are("param r2, 15", (uint32_t[]){60U << 26 | 2U << 21 | 15}, 1);
    words_are("\tfence # all\r\nexit", (uint32_t[]){57U << 26, 58U << 26}, 2);
}

static void names_and_numbers_are_resolved(void **state)
{
    (void)state;
    words_are(".reg x r7\n.equ four 4\naddi x, x, four",
              (uint32_t[]){16U << 26 | 7U << 21 | 7U << 16 | 4}, 1);
    words_are("li r1, -32768", (uint32_t[]){16U << 26 | 1U << 21 | 0x8000}, 1);
    words_are("li r1, 0x12340000", (uint32_t[]){31U << 26 | 1U << 21 | 0x1234}, 1);
    words_are("li r1, 4294967295",
              (uint32_t[]){31U << 26 | 1U << 21 | 0xffff, 19U << 26 | 1U << 21 | 1U << 16 | 0xffff},
              2);
    words_are(".word 0xd4000000", (uint32_t[]){0xd4000000}, 1);
    words_are("mov r1, r2\nnop", (uint32_t[]){16U << 26 | 1U << 21 | 2U << 16, 0}, 2);
}

/* An if jumps to its else, an else to its end, a while past the backward jump of its loop. */
static void branches_jump_to_their_ends(void **state)
{
    (void)state;
    words_are("a: jmp b\nbnz r1, a\nb: bz r2, b",
              (uint32_t[]){48U << 26 | 2, 49U << 26 | 1U << 16, 50U << 26 | 2U << 16 | 2}, 3);
    words_are("if r1\nnop\nelse\nnop\nend",
              (uint32_t[]){51U << 26 | 1U << 16 | 2, 0, 52U << 26 | 4, 0, 53U << 26}, 5);
    words_are(
        "if r1\nif r2\nend\nend",
        (uint32_t[]){51U << 26 | 1U << 16 | 3, 51U << 26 | 2U << 16 | 2, 53U << 26, 53U << 26}, 4);
    words_are("loop\nwhile r1\nnop\nwhile r2\nend",
              (uint32_t[]){54U << 26, 55U << 26 | 1U << 16 | 5, 0, 55U << 26 | 2U << 16 | 5,
                           48U << 26 | 1, 53U << 26},
              6);
}

static void refused(const char *text, const char *sentence)
{
    struct gpu_program p;
    struct byw_diag diag = {""};

    assert_int_equal(gpu_assemble("t", text, strlen(text), &p, &diag), BYW_EFORMAT);
    assert_string_equal(diag.text, sentence);
}

static void errors_name_line_and_expectation(void **state)
{
    (void)state;
    refused("nop\nadd r1, r2", "t:2: expected ,, got the end of the line");
    refused("add r1, r2, r32", "t:1: expected a register, got 'r32'");
    refused("add r1, r2, r03", "t:1: expected a register, got 'r03'");
    refused("addi r1, r2, 32768", "t:1: expected a number from -32768 to 32767, got '32768'");
    refused("andi r1, r2, -1", "t:1: expected a number from 0 to 65535, got '-1'");
    refused("lw r1, 4096(r2)", "t:1: expected a number from -4096 to 4095, got '4096'");
    refused("li r1, 4294967296", "t:1: expected a number of 32 bits, got '4294967296'");
    refused("li r1, 12x", "t:1: expected a number, got '12x'");
    refused("sw.stream r1, 0(r2)", "t:1: expected an instruction, got 'sw.stream'");
    refused("lw.fast r1, 0(r2)", "t:1: expected an instruction, got 'lw.fast'");
    refused("param r1, 16", "t:1: expected a number from 0 to 15, got '16'");
    refused(
        "id r1, block",
        "t:1: expected one of lane, warp, cta, thread, lanes, warps, ctas, threads, got 'block'");
    refused("exit exit", "t:1: expected the end of the line, got 'exit'");
    refused("bnz r1, 5", "t:1: expected a label, got '5'");
    refused("\njmp away", "t:2: no such label: away");
    refused("a: nop\na: nop", "t:2: declared or used before: a");
    refused("jmp a\n.reg a r1", "t:2: declared or used before: a");
    refused("jmp a\na:", "t:2: expected an instruction after label a");
    refused(".equ r5 3", "t:1: the name of a register: r5");
    refused(".set a 3", "t:1: expected .reg, .equ or .word, got '.set'");
    refused("else", "t:1: expected an if before this else");
    refused("if r1\nelse\nelse\nend", "t:3: expected an if before this else");
    refused("nop\nend", "t:2: expected an if or loop before this end");
    refused("if r1\nwhile r1\nend", "t:2: expected this while directly in a loop, not in an if");
    refused("nop\nif r1\nloop\nend", "t:2: expected an end for this if");
    refused("# nothing", "t:1: expected an instruction");
    refused("add r1; r2", "t:1: expected a name, a number or one of , ( ) :, got ';'");
    refused("\x01", "t:1: expected a name, a number or one of , ( ) :, got '?'");
}

/* Every instruction of the table assembles in its form, to its operation. */
static void every_instruction_assembles(void **state)
{
    static const char *const operands[] = {
        [GPU_NONE] = "",
        [GPU_JUMP] = "t",
        [GPU_BRANCH] = "r1, t",
        [GPU_ALU] = "r1, r2, r3",
        [GPU_IMM] = "r1, r2, 5",
        [GPU_UPPER] = "r1, 5",
        [GPU_ID] = "r1, lane",
        [GPU_PARAM] = "r1, 3",
        [GPU_LOAD] = "r1, 4(r2)",
        [GPU_STORE] = "r1, 4(r2)",
        [GPU_ATOMIC] = "r1, r2, (r3)",
        [GPU_IF] = "r1\nend",
        [GPU_LOOP] = "\nend",
    };
    struct gpu_program p;
    char text[128];
    uint32_t i;

    (void)state;
    for (i = 0; gpu_isa(i)->name != NULL; i++) {
        enum gpu_form form = gpu_isa(i)->form;

        if (form == GPU_ELSE || form == GPU_END || form == GPU_WHILE)
            continue;
        snprintf(text, sizeof(text), "t: %s %s", gpu_isa(i)->name, operands[form]);
        assert_int_equal(gpu_assemble("t", text, strlen(text), &p, NULL), BYW_OK);
        assert_int_equal(p.word[0] >> 26, gpu_isa(i)->operation);
        gpu_program_release(&p);
    }
}

static void limits_are_reported(void **state)
{
    enum { LINES = 70000 };
    char *text = malloc(LINES * 16);
    struct gpu_program p;
    struct byw_diag diag;
    uint32_t i, n = 0;

    (void)state;
    assert_non_null(text);
    for (i = 0; i < LINES; i++)
        n += (uint32_t)sprintf(text + n, "nop\n");
    assert_int_equal(gpu_assemble("t", text, n, &p, &diag), BYW_EFORMAT);
    assert_string_equal(diag.text, "t:65537: a program has at most 65536 words");
    for (i = n = 0; i < 3000; i++)
        n += (uint32_t)sprintf(text + n, "l%u: nop\n", (unsigned)i);
    assert_int_equal(gpu_assemble("t", text, n, &p, &diag), BYW_EFORMAT);
    assert_string_equal(diag.text, "t:2049: a program has at most 2048 names");
    for (i = n = 0; i < 65; i++)
        n += (uint32_t)sprintf(text + n, "loop\n");
    assert_int_equal(gpu_assemble("t", text, n, &p, &diag), BYW_EFORMAT);
    assert_string_equal(diag.text, "t:65: blocks are nested more than 64 deep");
    free(text);
}

/* Kernels with bytes changed, removed and repeated give a program or a message, nothing else. */
static void mutated_kernels_never_crash(void **state)
{
    static const char *const kernels[] = {"bfs", "hist", "stencil"};
    enum { ROOM = 1 << 14, TIMES = 4000 };
    char *whole = malloc(ROOM), *text = malloc(2 * ROOM), path[64];
    struct byw_rng rng;
    uint32_t k, i, good = 0;

    (void)state;
    byw_rng_init(&rng, 1);
    assert_non_null(whole);
    assert_non_null(text);
    for (k = 0; k < 3; k++) {
        FILE *file;
        size_t size;

        snprintf(path, sizeof(path), "fpga/softgpu/kernels/%s.s", kernels[k]);
        file = fopen(path, "rb");
        assert_non_null(file);
        size = fread(whole, 1, ROOM, file);
        fclose(file);
        for (i = 0; i < TIMES; i++) {
            size_t n = size, at = byw_rng_below(&rng, (uint32_t)size), m, j;
            struct byw_diag diag = {""};
            struct gpu_program p;
            enum byw_status status;

            memcpy(text, whole, size);
            for (j = byw_rng_below(&rng, 4); j != 0; j--)
                text[byw_rng_below(&rng, (uint32_t)size)] = (char)byw_rng_next(&rng);
            m = byw_rng_below(&rng, (uint32_t)(size - at));
            if (byw_rng_below(&rng, 2) == 0) {
                memmove(text + at, text + at + m, size - at - m);
                n -= m;
            } else {
                memcpy(text + size, text + at, m);
                n += m;
            }
            status = gpu_assemble("t", text, n, &p, &diag);
            if (status == BYW_OK) {
                good++;
                gpu_program_release(&p);
            } else {
                assert_int_equal(status, BYW_EFORMAT);
                assert_true(strncmp(diag.text, "t:", 2) == 0);
            }
        }
    }
    assert_true(good < 3 * TIMES);
    free(whole);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_have_their_fields),
        cmocka_unit_test(names_and_numbers_are_resolved),
        cmocka_unit_test(branches_jump_to_their_ends),
        cmocka_unit_test(errors_name_line_and_expectation),
        cmocka_unit_test(every_instruction_assembles),
        cmocka_unit_test(limits_are_reported),
        cmocka_unit_test(mutated_kernels_never_crash),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
