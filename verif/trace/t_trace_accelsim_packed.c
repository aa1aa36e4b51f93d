/* SPDX-License-Identifier: Apache-2.0
 *
 * t_trace_accelsim_packed.c - the Accel-Sim reader on a folder with its list and traces in zstd and
 * xz, complete and truncated.
 */
#include <zstd.h>
#ifdef HAVE_LZMA
#include <lzma.h>
#endif

#include "accelsim_rig.h"
#include "trace/byw_source.h"

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

/* Decompresses the file to its end. */
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

static void compressed_traces_read_as_their_text(void **state)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compressed_traces_read_as_their_text),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_traces);
}
