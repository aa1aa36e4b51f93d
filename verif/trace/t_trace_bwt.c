/* SPDX-License-Identifier: Apache-2.0
 *
 * t_trace_bwt.c - BWT1: round trips, skipping launches and CTAs, repeatability. CTAs in parts are
 * in t_trace_bwt_parts.c, damaged files and refusals in t_trace_bwt_errors.c. Usage: t_trace_bwt
 * [SEED]; a failure prints the seed.
 */
#include "bwt_rig.h"

/* Compares the file with the random stream that made it. `skip_every`: leaves every n-th launch
 * after `skip_after` of its CTAs (0: reads all). */
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

static void written_traces_read_back_equal(void **state)
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

/* The n-th of groups of four accesses: three random ones, for which the chain table is given up,
 * the last of them in a small array; then one whose address depends on that access. */
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

static void unpredictable_chains_are_given_up(void **state)
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

static void launches_can_be_left_early(void **state)
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

/* Checks that after `read` CTAs of a launch have been read and `pass` skipped, the next one has the
 * right number; skipping more than there are reaches the launch's end, without an error. */
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

static void ctas_can_be_skipped(void **state)
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

static void equal_traces_have_equal_bytes(void **state)
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

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_traces_read_back_equal),
        cmocka_unit_test(launches_can_be_left_early),
        cmocka_unit_test(ctas_can_be_skipped),
        cmocka_unit_test(equal_traces_have_equal_bytes),
        cmocka_unit_test(unpredictable_chains_are_given_up),
    };

    take_seed(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
