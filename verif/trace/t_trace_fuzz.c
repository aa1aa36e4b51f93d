/* SPDX-License-Identifier: Apache-2.0
 *
 * t_trace_fuzz.c - fuzz_trace.c on fixed mutations of good traces: changed, inserted, removed and
 * copied bytes, extreme numbers. Usage: t_trace_fuzz [SEED [ROUNDS]]; each round is independent of
 * the others, and after a crash the last line on stderr names its round.
 */
#include "common/test.h"
#include "fuzz_trace.c"
#include "trace_random.h"

#define INPUT_MAX (1u << 16)

static uint64_t test_seed = 1;
static uint32_t test_rounds = 4000;

/* The good trace, with its kind in byte 0. */
static size_t make_raw(uint64_t *rng, uint8_t *out)
{
    struct byw_kernel kernel = {
        .name = "k", .grid = {7, 5, 3}, .block = {64, 1, 1}, .warp_size = 32};
    struct byw_bwt_pack *pack = byw_bwt_pack_create(true, false);
    struct byw_bytes raw = {.data = NULL};
    struct byw_diag diag;
    struct byw_cta cta;
    size_t size;

    byw_cta_init(&cta);
    assert_non_null(pack);
    byw_bwt_pack_clear(pack, &kernel);
    for (unsigned c = 0; c < 64; c++) {
        trace_random_cta(rng, &kernel, 2, 6, &cta);
        assert_int_equal(byw_bwt_pack_add(pack, &cta, &diag), BYW_OK);
    }
    assert_int_equal(byw_bwt_pack_finish(pack, &raw), BYW_OK);
    size = raw.size < INPUT_MAX - 1 ? raw.size : INPUT_MAX - 1;
    out[0] = FUZZ_RAW;
    memcpy(out + 1, raw.data, size);
    byw_bytes_release(&raw);
    byw_bwt_pack_free(pack);
    byw_cta_release(&cta);
    return size + 1;
}

/* machine: the trace keeps machine code. */
static size_t make_file(uint64_t *rng, bool machine, uint8_t *out)
{
    struct byw_trace_writer *writer;
    struct byw_kernel kernel;
    struct byw_site site[8];
    struct byw_machine_inst inst[TRACE_RANDOM_CODE];
    struct byw_machine code;
    const uint32_t number[8] = {0, 1, 2, 3, 4, 1, 2, 3};
    struct byw_diag diag;
    struct byw_cta cta;
    char path[128];
    size_t size;
    FILE *f;

    snprintf(path, sizeof(path), "%s/t_trace_fuzz-%ld.bwt",
             getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp", (long)getpid());
    byw_cta_init(&cta);
    assert_int_equal(
        (machine ? byw_trace_create_machine : byw_trace_create)(path, 1, &writer, &diag), BYW_OK);
    for (unsigned k = 0; k < 4; k++) {
        trace_random_kernel(rng, site, &kernel);
        if (machine) {
            trace_random_machine(rng, inst, &code);
            kernel.machine = &code;
            kernel.site_number = number;
        }
        assert_int_equal(byw_trace_kernel(writer, &kernel, &diag), BYW_OK);
        for (unsigned c = 0; c < 3; c++) {
            trace_random_cta(rng, &kernel, 2, 4, &cta);
            if (c == 1 && cta.warp_count != 0 && !machine) {
                uint32_t warps = cta.warp_count;

                assert_int_equal(byw_trace_cta_part(writer, &cta, 0, warps, false, &diag), BYW_OK);
                assert_int_equal(byw_trace_cta_part(writer, &cta, 0, warps, true, &diag), BYW_OK);
                continue;
            }
            assert_int_equal(byw_trace_cta(writer, &cta, &diag), BYW_OK);
        }
    }
    assert_int_equal(byw_trace_finish(writer, &diag), BYW_OK);
    byw_cta_release(&cta);
    f = fopen(path, "rb");
    assert_non_null(f);
    size = fread(out + 1, 1, INPUT_MAX - 1, f);
    fclose(f);
    unlink(path);
    out[0] = trace_below(rng, 4) == 0 ? FUZZ_FILE : FUZZ_REPAIRED;
    return size + 1;
}

static size_t make_text(uint64_t *rng, uint8_t *out)
{
    static const char *const lines[] = {
        "0010 ffffffff 1 R1 LDG.E 1 R2 4 1 0x80 4 0 \n",
        "0020 0000000f 2 R1 R2 LDG.E.64 1 R2 8 2 0x80 4 -8 12 0 \n",
        "0030 00000003 0 STG.E 2 R2 R4 4 0 0x7f5000000000 0x100 0 \n",
        "0040 ffffffff 1 R255 IADD3 2 R1 UR4 0 0 \n",
        "0050 00000000 0 LD.E 0 4 1 0x0 0 0\n",
        "0060 ffffffff 0 EXIT 0 0 0 \n",
    };
    size_t size = 1 + (size_t)sprintf((char *)out + 1, "insts = 12\n");

    for (unsigned i = 0; i < 12; i++) {
        const char *line = lines[trace_below(rng, sizeof(lines) / sizeof(lines[0]))];

        memcpy(out + size, line, strlen(line));
        size += strlen(line);
    }
    size +=
        (size_t)sprintf((char *)out + size, "#END_TB\n#BEGIN_TB\nthread block = 1,0,0\n#END_TB\n");
    out[0] = FUZZ_TEXT;
    return size;
}

static size_t mutate(uint64_t *rng, uint8_t *data, size_t size)
{
    static const uint8_t extreme[] = {0x00, 0x7f, 0x80, 0xff, '9', '-', ' ', '\n'};
    uint32_t times = trace_below(rng, 6);

    for (uint32_t n = 0; n < times && size > 9; n++) {
        size_t at = 1 + trace_below(rng, (uint32_t)size - 1), from;
        size_t length = 1 + trace_below(rng, 8);

        if (length > size - at)
            length = size - at;
        switch (trace_below(rng, 5)) {
        case 0:
            data[at] ^= (uint8_t)(1u << trace_below(rng, 8));
            break;
        case 1:
            memset(data + at, extreme[trace_below(rng, sizeof(extreme))], length);
            break;
        case 2: /* remove */
            memmove(data + at, data + at + length, size - at - length);
            size -= length;
            break;
        case 3: /* insert a copy from elsewhere */
            if (size + length > INPUT_MAX)
                break;
            memmove(data + at + length, data + at, size - at);
            size += length;
            from = 1 + trace_below(rng, (uint32_t)(size - length));
            memmove(data + at, data + from, length);
            break;
        default:
            size = at;
            break;
        }
    }
    return size;
}

static void mutated_traces_never_crash(void **state)
{
    static uint8_t input[INPUT_MAX + 4096];

    (void)state;
    for (uint32_t round = 0; round < test_rounds; round++) {
        uint64_t rng = (test_seed + round) * 0x9e3779b97f4a7c15ull + 1;
        size_t size;

        switch (round % 3) {
        case 0:
            size = make_raw(&rng, input);
            break;
        case 1:
            size = make_file(&rng, round % 2 != 0, input);
            break;
        default:
            size = make_text(&rng, input);
            break;
        }
        size = mutate(&rng, input, size);
        if (round % 1000 == 0)
            fprintf(stderr, "t_trace_fuzz %llu: round %u\n", (unsigned long long)test_seed, round);
        LLVMFuzzerTestOneInput(input, size);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mutated_traces_never_crash)};

    if (argc > 1)
        test_seed = strtoull(argv[1], NULL, 0);
    if (argc > 2)
        test_rounds = (uint32_t)strtoul(argv[2], NULL, 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
