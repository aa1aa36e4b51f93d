/* SPDX-License-Identifier: Apache-2.0
 *
 * t_trace_accelsim.c - the Accel-Sim reader on small written-out traces: tracer versions, address
 * modes, opcodes, dependences, compression, and what is wrong in malformed files.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <zstd.h>
#ifdef HAVE_LZMA
#include <lzma.h>
#endif

#include "trace/byw_source.h"
#include "trace/byw_trace.h"
#include "trace/byw_trace_info.h"

#define HEADER(version, info)                                                                      \
    "-kernel name = add<int>(float*, int)\n-kernel id = 1\n-grid dim = (1,1,1)\n"                  \
    "-block dim = (64,1,1)\n-shmem = 128\n-nregs = 20\n-binary version = 70\n"                     \
    "-some new key = whatever\n-shmem base_addr = 0x00007f5000000000\n"                            \
    "-local mem base_addr = 0x00007f4e00000000\n-accelsim tracer version = " version               \
    "\n-enable lineinfo = " info "\n\n#traces format = ...\n\n"
#define CTA(body) "#BEGIN_TB\n\nthread block = 0,0,0\n\n" body "\n#END_TB\n\n"

#define GRID(grid) "-kernel name = k\n-grid dim = (" grid ")\n-block dim = (1,1,1)\n"
#define CTA_OF(id) "#BEGIN_TB\nthread block = " id "\n#END_TB\n"

static char folder[96];

static void path_of(char path[192], const char *name)
{
    snprintf(path, 192, "%s/%s", folder, name);
}

static void store(const char *path, const void *data, size_t size)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

static int make_folder(void **state)
{
    const char *dir = getenv("TMPDIR");

    (void)state;
    snprintf(folder, sizeof(folder), "%.60s/t_trace_accelsim-%ld", dir != NULL ? dir : "/tmp",
             (long)getpid());
    return mkdir(folder, 0777);
}

static int remove_folder(void **state)
{
    static const char *const names[] = {"k.traceg", "kernelslist.g", "kernel-1.traceg.xz",
                                        "kernel-1.traceg.zst"};
    char path[192];

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        path_of(path, names[i]);
        unlink(path);
    }
    return rmdir(folder);
}

/* Reads the file's only CTA. */
static enum byw_status read_file(const char *path, struct byw_kernel *kernel, struct byw_cta *cta,
                                 struct byw_diag *diag)
{
    const struct byw_kernel *k;
    struct byw_trace *trace;
    struct byw_cta none;
    enum byw_status st = byw_trace_open(path, &trace, diag);

    if (st != BYW_OK)
        return st;
    assert_string_equal(byw_trace_format(trace), "accelsim");
    byw_cta_init(&none);
    st = byw_trace_next_kernel(trace, &k, diag);
    if (st == BYW_OK) {
        *kernel = *k;
        st = byw_trace_next_cta(trace, cta, diag);
    }
    if (st == BYW_OK)
        st = byw_trace_next_cta(trace, &none, diag);
    if (st == BYW_END)
        st = byw_trace_next_kernel(trace, &k, diag);
    byw_cta_release(&none);
    byw_trace_close(trace);
    return st == BYW_END ? BYW_OK : st;
}

static enum byw_status read_text(const char *text, struct byw_kernel *kernel, struct byw_cta *cta,
                                 struct byw_diag *diag)
{
    char path[192];

    path_of(path, "k.traceg");
    store(path, text, strlen(text));
    return read_file(path, kernel, cta, diag);
}

static void read_good(const char *text, struct byw_kernel *kernel, struct byw_cta *cta)
{
    struct byw_diag diag = {.text = ""};

    if (read_text(text, kernel, cta, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
}

static void check_addresses(const struct byw_cta *cta, uint32_t inst, const uint64_t *want,
                            uint32_t count)
{
    const struct byw_inst *in = &cta->inst[inst];
    uint32_t rank = 0;

    assert_int_equal(__builtin_popcountll(in->mask), count);
    for (uint32_t lane = 0; lane < 32; lane++) {
        if (((in->mask >> lane) & 1) == 0)
            continue;
        if (byw_inst_address(in, cta, lane, rank) != want[rank])
            fail_msg("instruction %u lane %u: address %llx, expected %llx", inst, lane,
                     (unsigned long long)byw_inst_address(in, cta, lane, rank),
                     (unsigned long long)want[rank]);
        rank++;
    }
}

/* Mask 0x2c: lanes 2, 3 and 5. */
static void test_address_modes(void **state)
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

static void test_versions(void **state)
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
static void test_dependences(void **state)
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

static void test_spaces(void **state)
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

/* Each is wrong in one place; `line` and `words` must be in the message. */
static void test_malformed(void **state)
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

/* CTAs may come in any order, but each comes once. */
static void test_every_cta_once(void **state)
{
    static const struct {
        const char *text, *says; /* NULL: nothing */
    } traces[] = {
        {GRID("2,1,2") CTA_OF("1,0,1") CTA_OF("0,0,0") CTA_OF("0,0,1") CTA_OF("1,0,0"), NULL},
        {GRID("2,2,2") CTA_OF("0,0,0") CTA_OF("1,0,0") CTA_OF("0,0,0"),
         "k.traceg:11: expected each CTA once; 0,0,0 comes again"},
        {GRID("2,2,2") CTA_OF("1,1,1") CTA_OF("0,0,0") CTA_OF("1,1,1"),
         "k.traceg:11: expected each CTA once; 1,1,1 comes again"},
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

/* A text cut anywhere is an error, for nothing but the whole has its CTAs and ends. */
static void test_truncation(void **state)
{
    static const char text[] = HEADER("5", "0") CTA(
        "warp = 0\ninsts = 2\n0010 f 1 R1 LDG.E 1 R2 4 2 0x80 10 20 30 0 \n0020 f 0 EXIT 0 0 0 \n");
    size_t end = strlen(text) - 3; /* what is behind #END_TB's B means nothing */
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

static size_t pack(const char *text, size_t size, bool xz, uint8_t *out, size_t room)
{
#ifdef HAVE_LZMA
    if (xz) {
        size_t used = 0;

        assert_int_equal(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, (const uint8_t *)text,
                                                 size, out, &used, room),
                         LZMA_OK);
        return used;
    }
#else
    (void)xz;
#endif
    size = ZSTD_compress(out, room, text, size, 1);
    assert_false(ZSTD_isError(size));
    return size;
}

/* Unpacks the file to its end. */
static enum byw_status unpack(const char *path)
{
    struct byw_source *source;
    struct byw_diag diag;
    char data[64];
    size_t got = 1;
    enum byw_status st = byw_source_open(path, &source, &diag);

    if (st != BYW_OK)
        return st;
    while (st == BYW_OK && got != 0)
        st = byw_source_read(source, data, sizeof(data), &got, &diag);
    byw_source_close(source);
    return st;
}

static void test_compressed(void **state)
{
    static const char list[] = "MemcpyHtoD,0x7fc000000000,1024\n\nkernel-1.traceg\n";
    static const char text[] = HEADER("5", "0") CTA(
        "warp = 0\ninsts = 2\n0010 f 1 R1 LDG.E 1 R2 4 2 0x80 10 20 30 0 \n0020 f 0 EXIT 0 0 0 \n");
    static const uint64_t want[] = {0x80, 0x8a, 0x9e, 0xbc};
    uint8_t packed[4096];
    struct byw_diag diag = {.text = ""};
    struct byw_kernel kernel;
    struct byw_cta cta;
    char path[192], list_path[192];

    (void)state;
    byw_cta_init(&cta);
    path_of(list_path, "kernelslist.g");
    store(list_path, list, strlen(list));
    assert_int_equal(read_file(folder, &kernel, &cta, &diag), BYW_EFORMAT);
    assert_non_null(strstr(diag.text, "kernelslist.g:3: expected the file kernel-1.traceg"));
    for (int xz = 0; xz < 2; xz++) {
        size_t size = pack(text, strlen(text), xz == 1, packed, sizeof(packed));

        path_of(path, xz == 1 ? "kernel-1.traceg.xz" : "kernel-1.traceg.zst");
        store(path, packed, size);
        if (read_file(folder, &kernel, &cta, &diag) != BYW_OK)
            fail_msg("%s", diag.text);
        assert_int_equal(cta.inst_count, 2);
        check_addresses(&cta, 0, want, 4);
        for (size_t n = 8; n < size; n++) {
            store(path, packed, n);
            if (unpack(path) == BYW_OK || read_file(path, &kernel, &cta, &diag) == BYW_OK)
                fail_msg("%s cut to %zu of %zu bytes was read without an error", path, n, size);
        }
        unlink(path);
    }
    store(list_path, "hello\nkernel-1.traceg\n", 22);
    assert_int_equal(read_file(list_path, &kernel, &cta, &diag), BYW_EFORMAT);
    unlink(list_path);
    assert_int_equal(read_file(folder, &kernel, &cta, &diag), BYW_ENOENT);
    byw_cta_release(&cta);
}

/* A line may be longer than one buffer fill and start anywhere in it. */
static void test_long_file(void **state)
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
        cmocka_unit_test(test_address_modes), cmocka_unit_test(test_versions),
        cmocka_unit_test(test_dependences),   cmocka_unit_test(test_spaces),
        cmocka_unit_test(test_malformed),     cmocka_unit_test(test_every_cta_once),
        cmocka_unit_test(test_truncation),    cmocka_unit_test(test_compressed),
        cmocka_unit_test(test_long_file),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
