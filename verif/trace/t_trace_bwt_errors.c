/* SPDX-License-Identifier: Apache-2.0
 *
 * t_trace_bwt_errors.c - BWT1: every kind of damage, input that the writer rejects, and files that
 * cannot be opened or written. Usage: t_trace_bwt_errors [SEED].
 */
#include "bwt_rig.h"
#include "common/test.h"

/* Reads to the end or to the first error, and returns its status. */
static enum byw_status read_all(const char *path, struct byw_diag *diag)
{
    const struct byw_kernel *kernel;
    struct byw_trace *trace;
    struct byw_cta cta;
    enum byw_status st = byw_trace_open(path, &trace, diag);

    if (st != BYW_OK)
        return st;
    byw_cta_init(&cta);
    while ((st = byw_trace_next_kernel(trace, &kernel, diag)) == BYW_OK) {
        while ((st = byw_trace_next_cta(trace, &cta, diag)) == BYW_OK)
            continue;
        if (st != BYW_END)
            break;
    }
    byw_cta_release(&cta);
    byw_trace_close(trace);
    return st == BYW_END ? BYW_OK : st;
}

static void truncation_anywhere_is_an_error(void **state)
{
    char path[128], cut[128];
    struct byw_diag diag;
    uint8_t *data;
    size_t size;

    (void)state;
    temp_path(path, "whole");
    temp_path(cut, "cut");
    write_random(path, test_seed, 3, 3, 2, 8);
    assert_int_equal(read_all(path, &diag), BYW_OK);
    data = load(path, &size);
    for (size_t n = 0; n < size; n++) {
        store(cut, data, n);
        diag.text[0] = '\0';
        if (read_all(cut, &diag) == BYW_OK)
            fail_msg("cut to %zu of %zu bytes, yet read without an error", n, size);
        if (strstr(diag.text, cut) == NULL || strstr(diag.text, "byte") == NULL)
            fail_msg("cut to %zu bytes: the message names no file and place: %s", n, diag.text);
    }
    data[size] = 0;
    store(cut, data, size + 1);
    assert_int_equal(read_all(cut, &diag), BYW_EFORMAT);
    free(data);
    unlink(path);
    unlink(cut);
}

static void every_bit_flip_is_an_error(void **state)
{
    char path[128], bad[128];
    struct byw_diag diag;
    uint8_t *data;
    size_t size;

    (void)state;
    temp_path(path, "good");
    temp_path(bad, "bad");
    write_random(path, test_seed + 1, 3, 2, 2, 5);
    data = load(path, &size);
    for (size_t bit = 0; bit < size * 8; bit++) {
        data[bit / 8] ^= (uint8_t)(1u << (bit % 8));
        store(bad, data, size);
        if (read_all(bad, &diag) == BYW_OK)
            fail_msg("bit %zu flipped, yet read without an error", bit);
        data[bit / 8] ^= (uint8_t)(1u << (bit % 8));
    }
    free(data);
    unlink(path);
    unlink(bad);
}

/* Offsets of the file's blocks, and of the end of the last one. */
static size_t find_blocks(const uint8_t *data, size_t size, size_t *offset, size_t room)
{
    size_t count = 0, at = BYW_BWT_HEADER_BYTES;

    while (at < size && count + 1 < room) {
        struct byw_bwt_block block;

        offset[count++] = at;
        assert_true(byw_bwt_block_read(&block, data + at));
        at += BYW_BWT_BLOCK_BYTES + block.stored;
    }
    assert_int_equal(at, size);
    offset[count] = at;
    return count;
}

/* Whole blocks omitted, repeated or exchanged: each is intact, their order is wrong. */
static void misplaced_blocks_are_an_error(void **state)
{
    char path[128], bad[128];
    size_t size, count, offset[64];
    struct byw_diag diag;
    uint8_t *data, *copy;

    (void)state;
    temp_path(path, "blocks");
    temp_path(bad, "spliced");
    write_random(path, test_seed + 2, 1, 150, 32, 400);
    data = load(path, &size);
    count = find_blocks(data, size, offset, 64);
    assert_true(count >= 5);
    copy = malloc(2 * size);
    assert_non_null(copy);
    for (size_t b = 0; b < count; b++) {
        size_t length = offset[b + 1] - offset[b];

        memcpy(copy, data, offset[b]);
        memcpy(copy + offset[b], data + offset[b + 1], size - offset[b + 1]);
        store(bad, copy, size - length);
        if (read_all(bad, &diag) == BYW_OK)
            fail_msg("block %zu left out, yet read without an error", b);
        memcpy(copy, data, offset[b + 1]);
        memcpy(copy + offset[b + 1], data + offset[b], size - offset[b]);
        store(bad, copy, size + length);
        if (read_all(bad, &diag) == BYW_OK)
            fail_msg("block %zu doubled, yet read without an error", b);
        if (b + 1 == count)
            break;
        memcpy(copy, data, size);
        memcpy(copy + offset[b], data + offset[b + 1], offset[b + 2] - offset[b + 1]);
        memcpy(copy + offset[b] + offset[b + 2] - offset[b + 1], data + offset[b], length);
        store(bad, copy, size);
        if (read_all(bad, &diag) == BYW_OK)
            fail_msg("blocks %zu and %zu exchanged, yet read without an error", b, b + 1);
    }
    free(copy);
    free(data);
    unlink(path);
    unlink(bad);
}

/* A launch of 32 lanes refuses masks of a 64-lane launch. */
static void masks_wider_than_the_warp_are_refused(void **state)
{
    struct byw_kernel kernel = {
        .name = "k", .grid = {1, 1, 1}, .block = {64, 1, 1}, .warp_size = 64};
    struct byw_bwt_pack *pack = byw_bwt_pack_create(true, false);
    struct byw_bwt_unpack *unpack = byw_bwt_unpack_create(BYW_BWT_VERSION, true);
    struct byw_bytes raw = {.data = NULL};
    struct byw_diag diag;
    struct byw_cta cta;

    (void)state;
    byw_cta_init(&cta);
    byw_cta_add_warp(&cta);
    byw_cta_add_inst(&cta)->mask = 1ull << 40 ^ ~0ull;
    byw_bwt_pack_clear(pack, &kernel);
    assert_int_equal(byw_bwt_pack_add(pack, &cta, &diag), BYW_OK);
    assert_int_equal(byw_bwt_pack_finish(pack, &raw), BYW_OK);
    assert_int_equal(byw_bwt_unpack_start(unpack, &kernel, raw.data, raw.size, 1, &diag), BYW_OK);
    assert_int_equal(byw_bwt_unpack_next(unpack, &cta, &diag), BYW_OK);
    assert_int_equal(byw_bwt_unpack_next(unpack, &cta, &diag), BYW_END);
    kernel.warp_size = 32;
    assert_int_equal(byw_bwt_unpack_start(unpack, &kernel, raw.data, raw.size, 1, &diag), BYW_OK);
    assert_int_equal(byw_bwt_unpack_next(unpack, &cta, &diag), BYW_EFORMAT);
    byw_bytes_release(&raw);
    byw_bwt_pack_free(pack);
    byw_bwt_unpack_free(unpack);
    byw_cta_release(&cta);
}

/* The writer refuses what violates the rules of byw_inst.h. */
static void writer_refuses_invalid_records(void **state)
{
    static const struct byw_inst bad[] = {
        {.count = 0},
        {.count = 2, .cls = BYW_CLASS_LOAD, .width = 4},
        {.count = 1, .cls = BYW_CLASS_COUNT},
        {.count = 1, .form = BYW_FORM_LIST + 1},
        {.count = 1, .cls = BYW_CLASS_LOAD, .width = 3},
        {.count = 1, .cls = BYW_CLASS_LOAD, .form = BYW_FORM_STRIDE},
        {.count = 1, .cls = BYW_CLASS_INT, .form = BYW_FORM_STRIDE, .width = 4},
        {.count = 1, .cls = BYW_CLASS_INT, .mask = 1ull << 32},
        {.count = 1, .cls = BYW_CLASS_LOAD, .form = BYW_FORM_LIST, .width = 4},
        {.count = 1, .cls = BYW_CLASS_LOAD, .form = BYW_FORM_LIST, .width = 4, .mask = 3},
        {.count = 1,
         .cls = BYW_CLASS_LOAD,
         .form = BYW_FORM_LIST,
         .width = 4,
         .mask = 1,
         .list = 9},
    };
    struct byw_kernel kernel = {
        .name = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}, .warp_size = 32};
    char path[128];

    (void)state;
    temp_path(path, "refuse");
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct byw_trace_writer *writer;
        struct byw_diag diag = {.text = ""};
        struct byw_cta cta;

        byw_cta_init(&cta);
        assert_int_equal(byw_trace_create(path, 0, &writer, &diag), BYW_OK);
        assert_int_equal(byw_trace_cta(writer, &cta, &diag), BYW_EINVAL);
        byw_trace_abandon(writer);
        assert_int_equal(byw_trace_create(path, 0, &writer, &diag), BYW_OK);
        assert_int_equal(byw_trace_kernel(writer, &kernel, &diag), BYW_OK);
        byw_cta_add_warp(&cta);
        *byw_cta_add_inst(&cta) = bad[i];
        byw_cta_add_addr(&cta, 1)[0] = 0;
        if (byw_trace_cta(writer, &cta, &diag) != BYW_EINVAL)
            fail_msg("bad record %zu was taken", i);
        assert_int_not_equal(byw_trace_finish(writer, &diag), BYW_OK);
        assert_int_not_equal(access(path, F_OK), 0);
        byw_cta_release(&cta);
    }
}

static void files_that_cannot_be_opened_are_named(void **state)
{
    struct byw_trace_writer *writer;
    struct byw_trace *trace;
    struct byw_diag diag;
    char path[128];

    (void)state;
    temp_path(path, "none");
    assert_int_equal(byw_trace_open(path, &trace, &diag), BYW_ENOENT);
    assert_non_null(strstr(diag.text, path));
    store(path, (const uint8_t *)"hello world\n", 12);
    assert_int_equal(byw_trace_open(path, &trace, &diag), BYW_EFORMAT);
    assert_non_null(strstr(diag.text, "expected a BWT1 file"));
    unlink(path);
    assert_int_equal(byw_trace_create("/nonexistent/x.bwt", 0, &writer, &diag), BYW_EIO);
    assert_int_equal(byw_trace_create(path, 1000, &writer, &diag), BYW_EINVAL);
}

/* /dev/full can be opened but not written: the error must appear in _finish at the latest. */
static void a_full_disk_is_reported(void **state)
{
    struct byw_kernel kernel = {
        .name = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}, .warp_size = 32};
    struct byw_trace_writer *writer;
    struct byw_diag diag = {.text = ""};

    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip_because("no /dev/full to write to; mknod -m 666 /dev/full c 1 7");
    assert_int_equal(byw_trace_create("/dev/full", 0, &writer, &diag), BYW_OK);
    /* Nothing is buffered: the first write fails. */
    assert_int_equal(byw_trace_kernel(writer, &kernel, &diag), BYW_EIO);
    assert_non_null(strstr(diag.text, "/dev/full"));
    assert_int_equal(byw_trace_finish(writer, &diag), BYW_EIO);
    assert_non_null(strstr(diag.text, "/dev/full"));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(truncation_anywhere_is_an_error),
        cmocka_unit_test(every_bit_flip_is_an_error),
        cmocka_unit_test(misplaced_blocks_are_an_error),
        cmocka_unit_test(masks_wider_than_the_warp_are_refused),
        cmocka_unit_test(writer_refuses_invalid_records),
        cmocka_unit_test(files_that_cannot_be_opened_are_named),
        cmocka_unit_test(a_full_disk_is_reported),
    };

    take_seed(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
