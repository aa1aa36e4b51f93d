/* SPDX-License-Identifier: Apache-2.0
 *
 * t_trace_accelsim.c - the Accel-Sim reader on small hand-written traces: tracer versions, address
 * modes, opcodes, dependences, spaces, long files. Malformed files are in
 * t_trace_accelsim_errors.c, compression in t_trace_accelsim_packed.c.
 */
#include "accelsim_rig.h"

/* Mask 0x2c: lanes 2, 3 and 5. */
static void address_modes_give_each_lane_its_address(void **state)
{
    static const uint64_t list[] = {0x1000, 0x9000, 0x400}, stride[] = {0x1000, 0x1008, 0x1018},
                          delta[] = {0x1000, 0xff0, 0x1014};
    struct byw_kernel kernel;
    struct byw_cta cta;

    (void)state;
    byw_cta_init(&cta);
    read_good(HEADER("3", "0")
                  CTA("warp = 0\ninsts = 5\n"
                      "0000 0000002c 1 R1 LDG.E 1 R2 4 0 0x1000 0x9000 0x400\n"
                      "0010 0000002c 1 R1 LDG.E.64 1 R2 8 1 0x1000 8\n"
                      "0020 0000002c 1 R1 LDG.E 1 R2 4 2 0x1000 -16 36\n" /* n - 1 steps */
                      "0030 0000002c 1 R1 LDG.E 1 R2 4 2 0x1000 -16 36 7\n" /* n steps */
                      "0040 00000000 1 R1 LDG.E 1 R2 4 1 0x0 0\n"),
              &kernel, &cta);
    assert_int_equal(cta.inst_count, 5);
    check_addresses(&cta, 0, list, 3);
    check_addresses(&cta, 1, stride, 3);
    check_addresses(&cta, 2, delta, 3);
    check_addresses(&cta, 3, delta, 3);
    assert_int_equal(cta.inst[1].form, BYW_FORM_STRIDE);
    assert_int_equal(cta.inst[1].width, 8);
    assert_int_equal(cta.inst[4].form, BYW_FORM_NONE);
    assert_int_equal(cta.inst[4].mask, 0);
    byw_cta_release(&cta);
}

static void every_tracer_version_is_read(void **state)
{
    static const char *const texts[] = {
        HEADER("3", "0") CTA("warp = 1\ninsts = 2\n0010 f 1 R1 LDG.E.U8 1 R2 4 1 0x80 1\n"
                             "0020 ffffffff 0 EXIT 0 0\n"),
        HEADER("4", "0") CTA("warp = 1\ninsts = 2\n0010 f 1 R1 LDG.E.U8 1 R2 4 1 0x80 1 0 \n"
                             "0020 ffffffff 0 EXIT 0 0 0 \n"),
        HEADER("5", "1") CTA("warp = 1\ninsts = 2\n77 0010 f 1 R1 LDG.E.U8 1 R2 4 1 0x80 1 0 \n"
                             "78 0020 ffffffff 0 EXIT 0 0 0 \n"),
        HEADER("2", "0") CTA("warp = 1\ninsts = 2\n"
                             "0 0 0 1 0010 f 1 R1 LDG.E.U8 1 R2 4 1 0x80 1\n"
                             "0 0 0 1 0020 ffffffff 0 EXIT 0 0\n"),
        HEADER("5", "0") CTA("warp = 1\ninsts = 2\r\n0010 0x0000000f 1 R1 LDG.E.U8 1 R2 4 1 "
                             "0x80 1 0 \r\n0020 ffffffff 0 EXIT 0 0 0\r\n"),
    };
    static const uint64_t want[] = {0x80, 0x81, 0x82, 0x83};

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct byw_kernel kernel;
        struct byw_cta cta;

        byw_cta_init(&cta);
        read_good(texts[i], &kernel, &cta);
        assert_string_equal(kernel.name, "add<int>(float*, int)");
        assert_int_equal(kernel.block[0], 64);
        assert_int_equal(kernel.shared_bytes, 128);
        assert_int_equal(kernel.registers, 20);
        assert_int_equal(kernel.warp_size, 32);
        assert_int_equal(cta.warp_count, 2); /* warp 0 executed nothing */
        assert_int_equal(cta.warp[0].count, 0);
        assert_int_equal(cta.warp[1].count, 2);
        assert_int_equal(cta.inst[0].pc, 0x10);
        assert_int_equal(cta.inst[0].width, 1);
        assert_int_equal(cta.inst[0].cls, BYW_CLASS_LOAD);
        check_addresses(&cta, 0, want, 4);
        assert_int_equal(cta.inst[1].cls, BYW_CLASS_EXIT);
        byw_cta_release(&cta);
    }
}

/* The first later instruction of the warp that reads or writes a destination. */
static void first_user_of_a_result_is_found(void **state)
{
    static const uint32_t want[] = {3, 1, 1, 2, 0, 0, 0, 1, 0};
    struct byw_kernel kernel;
    struct byw_cta cta;

    (void)state;
    byw_cta_init(&cta);
    read_good(HEADER("5", "0") CTA("warp = 0\ninsts = 7\n"
                                   "0000 ffffffff 2 R4 R5 LDG.E.64 1 R2 8 1 0x100 8 0\n"
                                   "0010 ffffffff 1 R6 IADD3 0 0 0\n"
                                   "0020 ffffffff 1 R6 IADD3 1 R6 0 0\n"
                                   "0030 ffffffff 1 R7 IADD3 3 R6 R5 R255 0 0\n"
                                   "0040 ffffffff 1 R255 IADD3 2 UR4 P0 0 0\n"
                                   "0050 ffffffff 1 R7 MOV 1 R255 0 0\n"
                                   "0060 ffffffff 0 EXIT 0 0 0\n"
                                   "\nwarp = 1\ninsts = 2\n"
                                   "0000 ffffffff 1 R9 IADD3 1 R7 0 0\n"
                                   "0010 ffffffff 0 STG.E 2 R9 R4 4 1 0x100 4 0\n"),
              &kernel, &cta);
    for (uint32_t i = 0; i < cta.inst_count; i++) {
        if (cta.inst[i].use != want[i])
            fail_msg("instruction %u: use %u, expected %u", i, cta.inst[i].use, want[i]);
    }
    assert_int_equal(cta.inst_count, sizeof(want) / sizeof(want[0]));
    byw_cta_release(&cta);
}

static void generic_addresses_are_assigned_to_spaces(void **state)
{
    static const uint8_t want[] = {BYW_CLASS_SHARED_LOAD, BYW_CLASS_LOCAL_STORE, BYW_CLASS_LOAD,
                                   BYW_CLASS_SHARED_LOAD, BYW_CLASS_INT};
    struct byw_trace_note note;
    const struct byw_kernel *k;
    struct byw_kernel kernel;
    struct byw_trace *trace;
    struct byw_diag diag;
    struct byw_cta cta;
    char path[192];

    (void)state;
    byw_cta_init(&cta);
    read_good(HEADER("5", "0")
                  CTA("warp = 0\ninsts = 5\n"
                      "0000 ffffffff 1 R4 LD.E 1 R2 4 1 0x7f5000000100 128 0\n" /* one bank */
                      "0010 ffffffff 0 ST.E 2 R2 R3 4 1 0x7f4e00000000 4 0\n"
                      "0020 ffffffff 1 R4 LD.E 1 R2 4 1 0x7fc000000000 4 0\n"
                      "0030 ffffffff 1 R4 LDS 1 R2 4 1 0x0 8 0\n"
                      "0040 ffffffff 1 R4 FROB.64 1 R2 8 1 0x100 8 0\n"),
              &kernel, &cta);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(cta.inst[i].cls, want[i]);
    assert_int_equal(cta.inst[0].degree, 32);
    assert_int_equal(cta.inst[3].degree, 2);
    assert_int_equal(cta.inst[4].form, BYW_FORM_NONE);
    path_of(path, "k.traceg");
    assert_int_equal(byw_trace_open(path, &trace, &diag), BYW_OK);
    assert_int_equal(byw_trace_next_kernel(trace, &k, &diag), BYW_OK);
    assert_int_equal(byw_trace_next_cta(trace, &cta, &diag), BYW_OK);
    byw_trace_get_note(trace, &note);
    assert_int_equal(note.unknown_opcodes, 1);
    assert_string_equal(note.first_opcode, "FROB.64");
    byw_trace_close(trace);
    byw_cta_release(&cta);
}

/* A line may be longer than one buffer, and start anywhere in it. */
static void lines_may_cross_buffer_ends(void **state)
{
    static const char line[] = "0010 ffffffff 1 R1 LDG.E 1 R2 4 1 0x80 4 0 \n";
    const uint32_t count = 20000;
    struct byw_diag diag = {.text = ""};
    struct byw_kernel kernel;
    struct byw_cta cta;
    char path[192];
    FILE *f;

    (void)state;
    byw_cta_init(&cta);
    path_of(path, "k.traceg");
    f = fopen(path, "wb");
    assert_non_null(f);
    fprintf(f, "%s#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = %u\n", HEADER("5", "0"),
            count);
    for (uint32_t i = 0; i < count; i++)
        fputs(line, f);
    fputs("#END_TB", f);
    fclose(f);
    if (read_file(path, &kernel, &cta, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
    assert_int_equal(cta.inst_count, count);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(cta.inst[i].base, 0x80);
    byw_cta_release(&cta);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(address_modes_give_each_lane_its_address),
        cmocka_unit_test(every_tracer_version_is_read),
        cmocka_unit_test(first_user_of_a_result_is_found),
        cmocka_unit_test(generic_addresses_are_assigned_to_spaces),
        cmocka_unit_test(lines_may_cross_buffer_ends),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_traces);
}
