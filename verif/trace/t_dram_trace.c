/* SPDX-License-Identifier: Apache-2.0
 *
 * t_dram_trace.c - requests that reach DRAM: an observer sees them, and they can be exported.
 *
 * Usage: t_dram_trace [SEED]; a failure prints the seed.
 */
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/test.h"
#include "sim/gpu/byw_dram_trace.h"
#include "trace/bwt/byw_trace_writer.h"
#include "trace_folder.h"
#include "trace_random.h"

static uint64_t test_seed = 1;

/* --- observer ----------------------------------------------------------------------------- */

struct seen {
    uint64_t read_bytes, write_bytes, last;
    uint32_t requests;
    bool bad; /* unaligned, or earlier than its predecessor */
};

static void see(void *ctx, uint64_t dram_cycle, uint64_t addr, uint32_t bytes, bool write)
{
    struct seen *seen = ctx;

    seen->bad = seen->bad || dram_cycle < seen->last || bytes == 0 || addr % bytes != 0;
    seen->last = dram_cycle;
    seen->requests++;
    *(write ? &seen->write_bytes : &seen->read_bytes) += bytes;
}

/* Sends random reads, writes and atomics until `left` are answered; the observer must have seen
 * everything that DRAM transferred. */
static void drive(struct byw_memsys *memsys, uint64_t seed, uint32_t left, uint32_t sms)
{
    uint64_t rng = seed * 0x9e3779b97f4a7c15ull + 1;

    while (left > 0 || !byw_memsys_empty(memsys)) {
        for (uint32_t sm = 0; sm < sms; sm++) {
            uint32_t bytes = 32u << trace_below(&rng, 3);
            struct byw_txn txn = {.sm = (uint16_t)sm, .bytes = (uint16_t)bytes};

            if (byw_memsys_reply(memsys, sm) != NULL)
                byw_memsys_pop(memsys, sm);
            if (left == 0 || !byw_memsys_ready(memsys, sm))
                continue;
            txn.kind = (uint8_t)trace_below(&rng, 3);
            txn.addr = (trace_random(&rng) & 0xfffff) / bytes * bytes;
            byw_memsys_push(memsys, &txn);
            left--;
        }
        byw_memsys_tick(memsys);
    }
}

static void observer_sees_every_dram_request(void **state)
{
    struct byw_config config;

    (void)state;
    byw_config_defaults(&config);
    config.l2_sets = 8; /* small, so that dirty lines are evicted */
    for (uint64_t seed = test_seed; seed < test_seed + 3; seed++) {
        struct seen seen = {.requests = 0};
        const struct byw_mem_observer observer = {see, &seen};
        const struct byw_mem_stats *stats;
        struct byw_memsys *memsys;
        struct byw_diag diag = {""};

        if (byw_memsys_create(&config, &memsys, &diag) != BYW_OK)
            fail_msg("%s", diag.text);
        byw_memsys_observe(memsys, &observer);
        drive(memsys, seed, 20000, config.sm_count);
        stats = byw_memsys_stats(memsys);
        assert_true(stats->l2.writebacks > 0);
        if (seen.bad || seen.requests < stats->dram_requests ||
            seen.read_bytes != stats->dram_reads * config.dram_atom ||
            seen.write_bytes != stats->dram_writes * config.dram_atom)
            fail_msg("seen and counted requests differ; run again: t_dram_trace %" PRIu64, seed);
        byw_memsys_free(memsys);
    }
}

/* --- files -------------------------------------------------------------------------------- */

/* One warp that loads the lines at 0x10000 and 0x20000 and writes 64 bytes at 0x30040. */
static void write_known(const char *path)
{
    const struct byw_kernel kernel = {
        .name = "known", .grid = {1, 1, 1}, .block = {32, 1, 1}, .warp_size = 32};
    struct byw_inst inst[] = {
        {.cls = BYW_CLASS_LOAD, .mask = 0xffffffff, .stride = 4, .base = 0x10000, .use = 1},
        {.cls = BYW_CLASS_LOAD, .mask = 0xffffffff, .stride = 4, .base = 0x20000, .use = 1},
        {.cls = BYW_CLASS_STORE, .mask = 0xffff, .stride = 4, .base = 0x30040},
        {.cls = BYW_CLASS_EXIT, .mask = 0xffffffff},
    };
    struct byw_trace_writer *writer;
    struct byw_diag diag = {""};
    struct byw_cta cta;

    byw_cta_init(&cta);
    byw_cta_add_warp(&cta);
    for (uint32_t i = 0; i < 4; i++) {
        inst[i].pc = 16 * i;
        inst[i].count = 1;
        inst[i].degree = 1;
        inst[i].width = i < 3 ? 4 : 0;
        inst[i].form = i < 3 ? BYW_FORM_STRIDE : BYW_FORM_NONE;
        *byw_cta_add_inst(&cta) = inst[i];
    }
    assert_int_equal(byw_trace_create(path, 0, &writer, &diag), BYW_OK);
    assert_int_equal(byw_trace_kernel(writer, &kernel, &diag), BYW_OK);
    if (byw_trace_cta(writer, &cta, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
    assert_int_equal(byw_trace_finish(writer, &diag), BYW_OK);
    byw_cta_release(&cta);
}

static void export(const char *from, const char *to, const char *format,
                   const struct byw_config *config)
{
    const struct byw_dram_trace_options how = {.config = config};
    struct byw_diag diag = {""};

    if (byw_dram_trace_write(from, to, format, &how, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
}

/* The lines of both formats agree; without the instruction fetches (0xf0000000 on) they are two
 * lines read, one line fetched, and half of that line written. */
static void exported_files_agree(void **state)
{
    static const char *const want[] = {"LD 0x10000", "LD 0x10040", "LD 0x20000", "LD 0x20040",
                                       "LD 0x30000", "LD 0x30040", "ST 0x30040"};
    char trace[192], ramulator[192], dramsim[192], a[100], b[100];
    struct byw_config config;
    uint64_t last = 0, first = 0;
    uint32_t found[7] = {0}, others = 0;
    FILE *fa, *fb;

    (void)state;
    path_of(trace, "known.bwt");
    path_of(ramulator, "known.ramulator");
    path_of(dramsim, "known.dramsim");
    byw_config_defaults(&config);
    assert_int_equal(config.dram_atom, 64);
    write_known(trace);
    export(trace, ramulator, "ramulator", &config);
    export(trace, dramsim, "dramsim", &config);
    fa = fopen(ramulator, "r");
    fb = fopen(dramsim, "r");
    assert_non_null(fa);
    assert_non_null(fb);
    while (fgets(a, sizeof(a), fa) != NULL) {
        char op[8], same[8];
        uint64_t addr, again, cycle;

        assert_non_null(fgets(b, sizeof(b), fb));
        assert_int_equal(sscanf(a, "%7s 0x%" SCNx64, op, &addr), 2);
        assert_int_equal(sscanf(b, "0x%" SCNx64 " %7s %" SCNu64, &again, same, &cycle), 3);
        assert_int_equal(addr, again);
        assert_string_equal(same, op[0] == 'L' ? "READ" : "WRITE");
        assert_true(cycle >= last);
        last = cycle;
        a[strcspn(a, "\n")] = '\0';
        if (addr == 0x10000)
            first = cycle;
        others += addr < 0xf0000000;
        for (size_t i = 0; i < 7; i++)
            found[i] += strcmp(a, want[i]) == 0;
    }
    assert_null(fgets(b, sizeof(b), fb));
    fclose(fa);
    fclose(fb);
    for (size_t i = 0; i < 7; i++)
        assert_int_equal(found[i], 1);
    assert_int_equal(others, 7);
    assert_true(last - first > 100); /* the second load waits for the first one's data */
    unlink(trace);
    unlink(ramulator);
    unlink(dramsim);
}

static void wrong_formats_and_traces_are_refused(void **state)
{
    struct byw_config config;
    const struct byw_dram_trace_options how = {.config = &config};
    struct byw_diag diag = {""};
    char trace[192], out[192];
    struct stat info;

    (void)state;
    path_of(trace, "known.bwt");
    path_of(out, "out");
    byw_config_defaults(&config);
    write_known(trace);
    assert_int_equal(byw_dram_trace_write(trace, out, "ramulatr", &how, &diag), BYW_ENOENT);
    assert_non_null(strstr(diag.text, "expected ramulator or dramsim"));
    config.dram_banks = 0;
    assert_int_equal(byw_dram_trace_write(trace, out, "dramsim", &how, &diag), BYW_EINVAL);
    byw_config_defaults(&config);
    assert_int_equal(stat(trace, &info), 0);
    assert_int_equal(truncate(trace, info.st_size - 1), 0);
    assert_int_equal(byw_dram_trace_write(trace, out, "dramsim", &how, &diag), BYW_EFORMAT);
    unlink(trace);
    assert_int_equal(byw_dram_trace_write(trace, out, "dramsim", &how, &diag), BYW_ENOENT);
    assert_int_not_equal(access(out, F_OK), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(observer_sees_every_dram_request),
        cmocka_unit_test(exported_files_agree),
        cmocka_unit_test(wrong_formats_and_traces_are_refused),
    };

    if (argc > 1)
        test_seed = strtoull(argv[1], NULL, 0);
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
