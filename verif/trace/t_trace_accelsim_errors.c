/* SPDX-License-Identifier: Apache-2.0
 *
 * t_trace_accelsim_errors.c - messages of the Accel-Sim reader about malformed traces: each has one
 * error, repeats or omits a CTA, or is truncated.
 */
#include "accelsim_rig.h"
#include "trace/stats/byw_trace_info.h"

#define GRID(grid) "-kernel name = k\n-grid dim = (" grid ")\n-block dim = (1,1,1)\n"
#define CTA_OF(id) "#BEGIN_TB\nthread block = " id "\n#END_TB\n"

/* Each has one error; `line` and `words` must be in the message. */
static void malformed_lines_are_named(void **state)
{
#define INST(line) HEADER("5", "0") CTA("warp = 0\ninsts = 1\n" line)
    static const struct {
        const char *text, *line, *words;
    } bad[] = {
        {INST("zz ffffffff 0 EXIT 0 0 0\n"), ":22:", "program counter"},
        {INST("0000 1ffffffff 0 EXIT 0 0 0\n"), ":22:", "active mask"},
        {INST("0000 ffffffff 1 R300 EXIT 0 0 0\n"), ":22:", "destination registers"},
        {INST("0000 ffffffff 999 R3 EXIT 0 0 0\n"), ":22:", "destination registers"},
        {INST("0000 ffffffff 1 X7 EXIT 0 0 0\n"), ":22:", "destination registers"},
        {INST("0000 ffffffff 1 UR EXIT 0 0 0\n"), ":22:", "destination registers"},
        {INST("0000 ffffffff 1 URX EXIT 0 0 0\n"), ":22:", "destination registers"},
        {INST("0000 ffffffff 0 EXIT 1 PTT 0 0\n"), ":22:", "source registers"},
        {INST("0000 ffffffff 0 EXIT 1 P300 0 0\n"), ":22:", "source registers"},
        {INST("0000 ffffffff 0 EXIT 1 R"), ":22:", "source registers"},
        {INST("0000 ffffffff 1 R1 LDG.E 1 R2 4096 1 0x0 4\n"), ":22:", "memory width 0, 1"},
        {INST("0000 ffffffff 1 R1 LDG.E 1 R2 3 1 0x0 4\n"), ":22:", "memory width 0, 1"},
        {INST("0000 ffffffff 1 R1 LDG.E 1 R2 64 1 0x0 4\n"), ":22:", "memory width 0, 1"},
        {INST("0000 ffffffff 0 4 0 0 0\n"), ":22:", "opcode"},
        {INST("0000 ffffffff 0 EXIT x 0 0\n"), ":22:", "source registers"},
        {INST("0000 ffffffff 0 EXIT 0\n"), ":22:", "memory width"},
        {INST("0000 ffffffff 1 R1 LDG.E 1 R2 4 3 0x0 4\n"), ":22:", "address mode"},
        {INST("0000 ffffffff 1 R1 LDG.E 1 R2 4 1 0x0\n"), ":22:", "stride"},
        {INST("0000 ffffffff 1 R1 LDG.E 1 R2 4 0 0x0 0x4\n"), ":22:", "per active lane"},
        {INST("0000 ffffffff 1 R1 LDG.E 1 R2 4 2 0x0 4 4\n"), ":22:", "step"},
        {INST("0000 ffffffff 1 R1 LDG.E 1 R2 4 0 0x11112222333344445\n"), ":22:", "lane"},
        {HEADER("5", "0") CTA("warp = 0\ninsts = 3\n0000 1 0 EXIT 0 0 0\n"), ":23:", "2 more"},
        {HEADER("5", "0") CTA("warp = 2\ninsts = 0\n"), ":20:", "warp = 0 to 1"},
        {HEADER("5", "0") CTA("warp = 1\ninsts = 0\nwarp = 0\ninsts = 0\n"), ":22:", "warp = 2"},
        {HEADER("5", "0") CTA("insts = 0\n"), ":20:", "warp = n"},
        {HEADER("5", "0") "#BEGIN_TB\nthread block = 1,0,0\n#END_TB\n", ":17:", "inside the grid"},
        {HEADER("5", "0") "#BEGIN_TB\n#END_TB\n", ":17:", "thread block"},
        {HEADER("5", "0") "#BEGIN_TB\nthread block = 0,0,0\n", ":17:", "#END_TB"},
        {HEADER("5", "0") CTA("") CTA(""), ":23:", "no more CTAs"},
        {HEADER("6", "0") CTA(""), ":11:", "tracer version"},
        {"-kernel name = k\n#BEGIN_TB\n#END_TB\n", ":2:", "-grid dim"},
        {"-kernel name = k\n-grid dim = (2,x,1)\n", ":2:", "-grid dim = (x,y,z)"},
        {"-kernel name = k\n-grid dim = (2,1,1)\n", ":2:", "#BEGIN_TB"},
        {"-kernel name = k\n-grid dim = (2,1,1)\n-block dim = (1,1,1)\n" CTA(""),
         ":10:", "after 1 CTAs; expected the grid's 2 x 1 x 1, but 1,0,0 is missing"},
        {"-kernel name = k\n-nregs = 100000\n", ":2:", "-nregs = 0 to 256"},
        {"-kernel name = k\n-nregs = 257\n", ":2:", "-nregs = 0 to 256"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct byw_diag diag = {.text = ""};
        struct byw_kernel kernel;
        struct byw_cta cta;

        byw_cta_init(&cta);
        if (read_text(bad[i].text, &kernel, &cta, &diag) != BYW_EFORMAT)
            fail_msg("case %zu was read without an error", i);
        if (strstr(diag.text, bad[i].words) == NULL || strstr(diag.text, bad[i].line) == NULL ||
            strstr(diag.text, "k.traceg") == NULL)
            fail_msg("case %zu: expected %s and \"%s\" in: %s", i, bad[i].line, bad[i].words,
                     diag.text);
        byw_cta_release(&cta);
    }
}

/* CTAs may come in any order, but each only once. */
static void every_cta_comes_once(void **state)
{
    static const struct {
        const char *text, *says; /* NULL: nothing */
    } traces[] = {
        {GRID("2,1,2") CTA_OF("1,0,1") CTA_OF("0,0,0") CTA_OF("0,0,1") CTA_OF("1,0,0"), NULL},
        {GRID("2,2,2") CTA_OF("0,0,0") CTA_OF("1,0,0") CTA_OF("0,0,0"),
         "k.traceg:11: expected each CTA once; 0,0,0 is repeated"},
        {GRID("2,2,2") CTA_OF("1,1,1") CTA_OF("0,0,0") CTA_OF("1,1,1"),
         "k.traceg:11: expected each CTA once; 1,1,1 is repeated"},
        {GRID("2,2,2") CTA_OF("0,0,0") CTA_OF("1,1,1") CTA_OF("1,0,0"),
         "k.traceg:12: the file ends after 3 CTAs; expected the grid's 2 x 2 x 2, but 0,1,0 is "
         "missing"},
    };
    char path[192];

    (void)state;
    path_of(path, "k.traceg");
    for (size_t i = 0; i < sizeof(traces) / sizeof(traces[0]); i++) {
        struct byw_diag diag = {.text = ""};
        enum byw_status st;

        store(path, traces[i].text, strlen(traces[i].text));
        st = byw_trace_check(path, NULL, &diag);
        assert_int_equal(st, traces[i].says == NULL ? BYW_OK : BYW_EFORMAT);
        if (traces[i].says != NULL && strstr(diag.text, traces[i].says) == NULL)
            fail_msg("expected \"%s\" in: %s", traces[i].says, diag.text);
    }
}

/* A text truncated anywhere is an error, because only the whole has all its CTAs and its end. */
static void truncation_anywhere_is_an_error(void **state)
{
    static const char text[] = HEADER("5", "0") CTA(
        "warp = 0\ninsts = 2\n0010 f 1 R1 LDG.E 1 R2 4 2 0x80 10 20 30 0 \n0020 f 0 EXIT 0 0 0 \n");
    size_t end = strlen(text) - 3; /* text after #END_TB is ignored */
    struct byw_kernel kernel;
    struct byw_diag diag;
    struct byw_cta cta;
    char path[192];

    (void)state;
    byw_cta_init(&cta);
    path_of(path, "k.traceg");
    for (size_t n = 0; n <= end; n++) {
        store(path, text, n);
        if (read_file(path, &kernel, &cta, &diag) == BYW_OK)
            fail_msg("cut to %zu of %zu bytes, yet read without an error", n, end);
    }
    store(path, text, end + 1);
    assert_int_equal(read_file(path, &kernel, &cta, &diag), BYW_OK);
    byw_cta_release(&cta);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(malformed_lines_are_named),
        cmocka_unit_test(every_cta_comes_once),
        cmocka_unit_test(truncation_anywhere_is_an_error),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_traces);
}
