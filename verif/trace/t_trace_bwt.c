/* SPDX-License-Identifier: Apache-2.0
 *
 * t_trace_bwt.c - BWT1: round trips, skipping, repeatability, and every way a file can be damaged.
 * Usage: t_trace_bwt [SEED]; a failure prints the seed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/skip.h"
#include "trace/byw_trace_bwt.h"
#include "trace/byw_trace_windows.h"
#include "trace_random.h"

static uint64_t test_seed = 1;

#define KERNELS 12
#define FAIL_SEED(text, seed)                                                                      \
    fail_msg("%s; run again: t_trace_bwt %llu", text, (unsigned long long)(seed))

/* A path for one test's file; the process number keeps parallel runs apart. */
static void temp_path(char path[128], const char *name)
{
    const char *dir = getenv("TMPDIR");

    snprintf(path, 128, "%s/t_trace_bwt-%ld-%s", dir != NULL ? dir : "/tmp", (long)getpid(), name);
}

static void write_random(const char *path, uint64_t seed, uint32_t kernels, uint32_t ctas,
                         uint32_t warps, uint32_t insts)
{
    struct byw_trace_writer *writer;
    struct byw_kernel kernel;
    struct byw_site site[8];
    struct byw_diag diag;
    struct byw_cta cta;
    uint64_t rng = seed * 0x9e3779b97f4a7c15ull + 1;

    byw_cta_init(&cta);
    assert_int_equal(byw_trace_create(path, 3, &writer, &diag), BYW_OK);
    for (uint32_t k = 0; k < kernels; k++) {
        uint32_t count = trace_below(&rng, ctas + 1);

        trace_random_kernel(&rng, site, &kernel);
        assert_int_equal(byw_trace_kernel(writer, &kernel, &diag), BYW_OK);
        for (uint32_t c = 0; c < count; c++) {
            trace_random_cta(&rng, &kernel, warps, insts, &cta);
            if (byw_trace_cta(writer, &cta, &diag) != BYW_OK)
                fail_msg("%s", diag.text);
        }
    }
    assert_int_equal(byw_trace_finish(writer, &diag), BYW_OK);
    byw_cta_release(&cta);
}

/* Reads the file against the random stream that made it.  `skip_every`: leave each n-th launch
 * after `skip_after` of its CTAs (0: read all). */
static void compare_random(const char *path, uint64_t seed, uint32_t kernels, uint32_t ctas,
                           uint32_t warps, uint32_t insts, uint32_t skip_every, uint32_t skip_after)
{
    const struct byw_kernel *got_kernel;
    struct byw_trace *trace;
    struct byw_kernel kernel;
    struct byw_site site[8];
    struct byw_diag diag = {.text = ""};
    struct byw_cta want, got;
    uint64_t rng = seed * 0x9e3779b97f4a7c15ull + 1;

    byw_cta_init(&want);
    byw_cta_init(&got);
    assert_int_equal(byw_trace_open(path, &trace, &diag), BYW_OK);
    assert_string_equal(byw_trace_format(trace), "bwt1");
    assert_int_equal(byw_trace_next_cta(trace, &got, &diag), BYW_END);
    for (uint32_t k = 0; k < kernels; k++) {
        uint32_t count = trace_below(&rng, ctas + 1);
        bool skip = skip_every != 0 && k % skip_every == 0;

        trace_random_kernel(&rng, site, &kernel);
        if (byw_trace_next_kernel(trace, &got_kernel, &diag) != BYW_OK)
            FAIL_SEED(diag.text, seed);
        if (got_kernel->launch != k || !trace_same_kernel(&kernel, got_kernel))
            FAIL_SEED("a launch differs", seed);
        for (uint32_t c = 0; c < count; c++) {
            trace_random_cta(&rng, &kernel, warps, insts, &want);
            if (skip && c >= skip_after)
                continue;
            if (byw_trace_next_cta(trace, &got, &diag) != BYW_OK)
                FAIL_SEED(diag.text, seed);
            if (!trace_same_cta(&want, &got))
                FAIL_SEED("a CTA differs", seed);
        }
        if (!skip)
            assert_int_equal(byw_trace_next_cta(trace, &got, &diag), BYW_END);
    }
    if (byw_trace_next_kernel(trace, &got_kernel, &diag) != BYW_END)
        FAIL_SEED(diag.text, seed);
    byw_trace_close(trace);
    byw_cta_release(&want);
    byw_cta_release(&got);
}

static void test_round_trip(void **state)
{
    char path[128];

    (void)state;
    temp_path(path, "round");
    for (uint64_t seed = test_seed; seed < test_seed + 12; seed++) {
        write_random(path, seed, KERNELS, 12, 6, 60);
        compare_random(path, seed, KERNELS, 12, 6, 60, 0, 0);
    }
    write_random(path, test_seed, 2, 200, 32, 400); /* several blocks per launch */
    compare_random(path, test_seed, 2, 200, 32, 400, 0, 0);
    unlink(path);
}

/* The n-th of accesses by four: three random ones, which the chain table gives up, the last of them
 * in a small array; then one that this decides. */
static void fill_chained(uint64_t n, uint64_t addr[32])
{
    uint64_t rng = n % 4 == 3 ? n : n + 1;

    for (uint32_t i = 0; i < 32; i++) {
        uint64_t random = trace_random(&rng);

        if (n % 4 < 2)
            addr[i] = random & 0xfffffffc;
        else if (n % 4 == 2)
            addr[i] = 0x100000 + 4 * (random % 4096);
        else
            addr[i] = 0x800000 + 4 * (random % 4096 * 2654435761u % 65536);
    }
}

static void test_chains_give_up(void **state)
{
    const uint32_t ctas = 60, accesses = 1200;
    struct byw_kernel kernel = {
        .name = "k", .grid = {60, 1, 1}, .block = {32, 1, 1}, .warp_size = 32};
    const struct byw_kernel *got;
    struct byw_trace_writer *writer;
    struct byw_trace *trace;
    struct byw_diag diag = {.text = ""};
    struct byw_cta cta;
    uint64_t addr[32];
    char path[128];

    (void)state;
    temp_path(path, "chains");
    byw_cta_init(&cta);
    assert_int_equal(byw_trace_create(path, 1, &writer, &diag), BYW_OK);
    assert_int_equal(byw_trace_kernel(writer, &kernel, &diag), BYW_OK);
    for (uint32_t c = 0; c < ctas; c++) {
        byw_cta_clear(&cta);
        cta.id[0] = c;
        assert_non_null(byw_cta_add_warp(&cta));
        for (uint32_t a = 0; a < accesses; a++) {
            struct byw_inst *inst = byw_cta_add_inst(&cta);

            *inst = (struct byw_inst){.mask = 0xffffffff,
                                      .list = cta.addr_count,
                                      .pc = 8 * (a % 4),
                                      .count = 1,
                                      .cls = BYW_CLASS_LOAD,
                                      .form = BYW_FORM_LIST,
                                      .width = 4};
            fill_chained((uint64_t)c * accesses + a, byw_cta_add_addr(&cta, 32));
        }
        assert_int_equal(byw_trace_cta(writer, &cta, &diag), BYW_OK);
    }
    assert_int_equal(byw_trace_finish(writer, &diag), BYW_OK);
    assert_int_equal(byw_trace_open(path, &trace, &diag), BYW_OK);
    assert_int_equal(byw_trace_next_kernel(trace, &got, &diag), BYW_OK);
    for (uint32_t c = 0; c < ctas; c++) {
        assert_int_equal(byw_trace_next_cta(trace, &cta, &diag), BYW_OK);
        for (uint32_t a = 0; a < accesses; a++) {
            fill_chained((uint64_t)c * accesses + a, addr);
            assert_memory_equal(cta.addr + cta.inst[a].list, addr, sizeof(addr));
        }
    }
    byw_trace_close(trace);
    byw_cta_release(&cta);
    unlink(path);
}

static void test_skip(void **state)
{
    char path[128];

    (void)state;
    temp_path(path, "skip");
    for (uint64_t seed = test_seed; seed < test_seed + 6; seed++) {
        write_random(path, seed, KERNELS, 12, 6, 60);
        for (uint32_t after = 0; after < 4; after++) {
            compare_random(path, seed, KERNELS, 12, 6, 60, 2, after);
            compare_random(path, seed, KERNELS, 12, 6, 60, 1, after);
        }
    }
    write_random(path, test_seed, 4, 120, 32, 400);
    compare_random(path, test_seed, 4, 120, 32, 400, 1, 1);
    compare_random(path, test_seed, 4, 120, 32, 400, 2, 90);
    unlink(path);
}

/* A part of `from`: `count` records of warp w from `first` on. */
static void cut_warp(const struct byw_cta *from, uint32_t w, uint32_t first, uint32_t count,
                     struct byw_cta *part)
{
    byw_cta_clear(part);
    memcpy(part->id, from->id, sizeof(part->id));
    assert_non_null(byw_cta_add_warp(part));
    for (uint32_t i = 0; i < count; i++) {
        const struct byw_inst *inst = &from->inst[from->warp[w].first + first + i];
        struct byw_inst *copy = byw_cta_add_inst(part);

        *copy = *inst;
        if (inst->form == BYW_FORM_LIST) {
            uint32_t lanes = (uint32_t)__builtin_popcountll(inst->mask);

            copy->list = part->addr_count;
            memcpy(byw_cta_add_addr(part, lanes), from->addr + inst->list, lanes * 8);
        }
    }
}

/* Each warp in pieces, all first ones before the second ones. */
static void write_in_parts(struct byw_trace_writer *writer, const struct byw_cta *cta,
                           uint32_t pieces)
{
    struct byw_cta part;
    struct byw_diag diag;

    byw_cta_init(&part);
    for (uint32_t p = 0; p < pieces; p++) {
        for (uint32_t w = 0; w < cta->warp_count; w++) {
            uint32_t n = cta->warp[w].count, from = n * p / pieces, to = n * (p + 1) / pieces;
            bool last = p + 1 == pieces && w + 1 == cta->warp_count;

            cut_warp(cta, w, from, to - from, &part);
            if (byw_trace_cta_part(writer, &part, w, cta->warp_count, last, &diag) != BYW_OK)
                fail_msg("%s", diag.text);
        }
    }
    byw_cta_release(&part);
}

/* Walks through a CTA's windows, all warps in turn, back to a whole CTA. */
static void join_windows(struct byw_cta *got, struct byw_cta *whole)
{
    struct byw_cta *window = calloc(got->warp_count, sizeof(*window));
    struct byw_cta *warp = calloc(got->warp_count, sizeof(*warp));
    bool more = true;
    struct byw_diag diag;

    for (uint32_t w = 0; w < got->warp_count; w++)
        byw_cta_add_warp(&warp[w]);
    while (more) {
        more = false;
        for (uint32_t w = 0; w < got->warp_count; w++) {
            uint32_t left = window[w].inst_count < 3 ? window[w].inst_count : 3;
            bool again;

            assert_int_equal(byw_windows_next(got->windows, w, left, &window[w], &again, &diag),
                             BYW_OK);
            more |= again;
            assert_true(window[w].inst_count <= BYW_WINDOW_RECORDS + left);
            assert_true(byw_cta_bytes(&window[w]) <= BYW_WINDOW_BYTES + left * 600);
            for (uint32_t i = left; i < window[w].inst_count; i++) {
                struct byw_inst *copy = byw_cta_add_inst(&warp[w]);

                *copy = window[w].inst[i];
                if (copy->form == BYW_FORM_LIST) {
                    uint32_t lanes = (uint32_t)__builtin_popcountll(copy->mask);

                    copy->list = warp[w].addr_count;
                    memcpy(byw_cta_add_addr(&warp[w], lanes),
                           window[w].addr + window[w].inst[i].list, lanes * 8);
                }
            }
        }
    }
    byw_cta_clear(whole);
    memcpy(whole->id, got->id, sizeof(whole->id));
    for (uint32_t w = 0; w < got->warp_count; w++) {
        uint32_t base = whole->addr_count;

        byw_cta_add_warp(whole);
        for (uint32_t i = 0; i < warp[w].inst_count; i++) {
            struct byw_inst *copy = byw_cta_add_inst(whole);

            *copy = warp[w].inst[i];
            copy->list += copy->form == BYW_FORM_LIST ? base : 0;
        }
        if (warp[w].addr_count != 0)
            memcpy(byw_cta_add_addr(whole, warp[w].addr_count), warp[w].addr,
                   warp[w].addr_count * 8);
        byw_cta_release(&warp[w]);
        byw_cta_release(&window[w]);
    }
    free(warp);
    free(window);
}

/* CTAs in parts, between whole ones, come back as a whole, as windows, and can be passed over. */
static void test_parts(void **state)
{
    struct byw_trace_writer *writer;
    const struct byw_kernel *got_kernel;
    struct byw_trace *trace;
    struct byw_kernel kernel;
    struct byw_site site[8];
    struct byw_diag diag;
    struct byw_cta want[4], got, whole;
    uint64_t rng = test_seed * 77 + 5;
    char path[128];

    (void)state;
    temp_path(path, "parts");
    byw_cta_init(&got);
    byw_cta_init(&whole);
    trace_random_kernel(&rng, site, &kernel);
    assert_int_equal(byw_trace_create(path, 3, &writer, &diag), BYW_OK);
    for (uint32_t k = 0; k < 2; k++)
        assert_int_equal(byw_trace_kernel(writer, &kernel, &diag), BYW_OK);
    for (uint32_t c = 0; c < 4; c++) {
        byw_cta_init(&want[c]);
        trace_random_cta(&rng, &kernel, 5, c == 2 ? 9000 : 40, &want[c]);
        if (c % 2 == 0)
            write_in_parts(writer, &want[c], 3);
        else
            assert_int_equal(byw_trace_cta(writer, &want[c], &diag), BYW_OK);
    }
    assert_int_equal(byw_trace_finish(writer, &diag), BYW_OK);
    for (int windows = 0; windows < 3; windows++) {
        assert_int_equal(byw_trace_open(path, &trace, &diag), BYW_OK);
        if (windows == 1)
            byw_trace_use_windows(trace);
        for (uint32_t k = 0; k < 2; k++)
            assert_int_equal(byw_trace_next_kernel(trace, &got_kernel, &diag), BYW_OK);
        for (uint32_t c = 0; c < 4 && windows < 2; c++) {
            if (byw_trace_next_cta(trace, &got, &diag) != BYW_OK)
                fail_msg("%s", diag.text);
            if (windows == 1 && c % 2 == 0) {
                assert_non_null(got.windows);
                join_windows(&got, &whole);
            }
            if (!trace_same_cta(&want[c], got.windows != NULL ? &whole : &got))
                FAIL_SEED("a CTA in parts differs", test_seed);
        }
        for (uint32_t c = 1; c < 4 && windows == 2; c += 2) { /* the long ones are passed over */
            assert_int_equal(byw_trace_pass_ctas(trace, 1, &diag), BYW_OK);
            assert_int_equal(byw_trace_next_cta(trace, &got, &diag), BYW_OK);
            if (!trace_same_cta(&want[c], &got))
                FAIL_SEED("a CTA after one in parts differs", test_seed);
        }
        byw_cta_clear(&got);
        assert_int_equal(byw_trace_next_kernel(trace, &got_kernel, &diag), BYW_END);
        byw_trace_close(trace);
    }
    for (uint32_t c = 0; c < 4; c++)
        byw_cta_release(&want[c]);
    byw_cta_release(&got);
    byw_cta_release(&whole);
    unlink(path);
}

/* After `read` of a launch's CTAs have been read and `pass` passed over, the next one is that of
 * the same number; more than there are is the launch's end, and no error. */
static void pass_and_read(const char *path, uint32_t read, uint32_t pass)
{
    const struct byw_kernel *got_kernel;
    struct byw_trace *trace;
    struct byw_kernel kernel;
    struct byw_site site[8];
    struct byw_diag diag = {.text = ""};
    struct byw_cta want, got;
    uint64_t rng = test_seed * 0x9e3779b97f4a7c15ull + 1;

    byw_cta_init(&want);
    byw_cta_init(&got);
    assert_int_equal(byw_trace_open(path, &trace, &diag), BYW_OK);
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t count = trace_below(&rng, 201);

        trace_random_kernel(&rng, site, &kernel);
        assert_int_equal(byw_trace_next_kernel(trace, &got_kernel, &diag), BYW_OK);
        for (uint32_t c = 0; c < count; c++) {
            trace_random_cta(&rng, &kernel, 32, 400, &want);
            if (c == read && byw_trace_pass_ctas(trace, pass, &diag) !=
                                 (read + pass <= count ? BYW_OK : BYW_END))
                FAIL_SEED("passing over went wrong", test_seed);
            if (c >= read && c < read + pass)
                continue;
            if (byw_trace_next_cta(trace, &got, &diag) != BYW_OK)
                FAIL_SEED(diag.text, test_seed);
            if (!trace_same_cta(&want, &got))
                FAIL_SEED("a CTA after those passed over differs", test_seed);
        }
        assert_int_equal(byw_trace_pass_ctas(trace, 1, &diag), BYW_END);
    }
    assert_int_equal(byw_trace_next_kernel(trace, &got_kernel, &diag), BYW_END);
    byw_trace_close(trace);
    byw_cta_release(&want);
    byw_cta_release(&got);
}

static void test_pass(void **state)
{
    static const uint32_t pass[] = {0, 1, 5, 60, 500};
    char path[128];

    (void)state;
    temp_path(path, "pass");
    write_random(path, test_seed, 3, 200, 32, 400); /* several blocks per launch */
    for (size_t i = 0; i < sizeof(pass) / sizeof(pass[0]); i++) {
        pass_and_read(path, 0, pass[i]);
        pass_and_read(path, 7, pass[i]);
    }
    unlink(path);
}

static uint8_t *load(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    uint8_t *data;

    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    *size = (size_t)ftell(f);
    rewind(f);
    data = malloc(*size + 1);
    assert_non_null(data);
    assert_int_equal(fread(data, 1, *size, f), *size);
    fclose(f);
    return data;
}

static void store(const char *path, const uint8_t *data, size_t size)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, size, f), size);
    fclose(f);
}

static void test_same_bytes(void **state)
{
    char a[128], b[128];
    uint8_t *da, *db;
    size_t na, nb;

    (void)state;
    temp_path(a, "same-a");
    temp_path(b, "same-b");
    write_random(a, test_seed, KERNELS, 12, 6, 60);
    write_random(b, test_seed, KERNELS, 12, 6, 60);
    da = load(a, &na);
    db = load(b, &nb);
    assert_int_equal(na, nb);
    assert_memory_equal(da, db, na);
    free(da);
    free(db);
    unlink(a);
    unlink(b);
}

/* Reads to the end, or to the first error, and returns that. */
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

static void test_truncation(void **state)
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

static void test_bit_flips(void **state)
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

/* Offsets of the file's blocks, the end of the last one included. */
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

/* Whole blocks left out, doubled or exchanged: each is intact, their order is not. */
static void test_spliced(void **state)
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

/* Masks of a 64-lane launch are refused under a launch of 32 lanes. */
static void test_mask_beyond_warp(void **state)
{
    struct byw_kernel kernel = {
        .name = "k", .grid = {1, 1, 1}, .block = {64, 1, 1}, .warp_size = 64};
    struct byw_bwt_pack *pack = byw_bwt_pack_create(true);
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

/* What breaks the rules of byw_inst.h is refused when it is written. */
static void test_writer_refuses(void **state)
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

static void test_open_errors(void **state)
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

/* /dev/full takes every open and no byte: the error must come out of _finish at the latest. */
static void test_full_disk(void **state)
{
    struct byw_kernel kernel = {
        .name = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}, .warp_size = 32};
    struct byw_trace_writer *writer;
    struct byw_diag diag = {.text = ""};

    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip_because("no /dev/full to write to; mknod -m 666 /dev/full c 1 7");
    assert_int_equal(byw_trace_create("/dev/full", 0, &writer, &diag), BYW_OK);
    /* Nothing is buffered: the first write tells. */
    assert_int_equal(byw_trace_kernel(writer, &kernel, &diag), BYW_EIO);
    assert_non_null(strstr(diag.text, "/dev/full"));
    assert_int_equal(byw_trace_finish(writer, &diag), BYW_EIO);
    assert_non_null(strstr(diag.text, "/dev/full"));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_skip),
        cmocka_unit_test(test_pass),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_truncation),
        cmocka_unit_test(test_bit_flips),
        cmocka_unit_test(test_spliced),
        cmocka_unit_test(test_mask_beyond_warp),
        cmocka_unit_test(test_writer_refuses),
        cmocka_unit_test(test_open_errors),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_chains_give_up),
    };

    if (argc > 1)
        test_seed = strtoull(argv[1], NULL, 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
