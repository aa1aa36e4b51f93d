/* SPDX-License-Identifier: Apache-2.0
 *
 * t_trace_version1.c - files of format version 1 can still be read. version1.bwt was written in
 * that format: two launches of three CTAs of two warps; six rounds of a strided load, three loads
 * and a store with address lists, some with half the lanes. The addresses follow the formula below.
 */
#include <stdio.h>
#include <unistd.h>

#include "common/test.h"
#include "trace/export/byw_trace_convert.h"
#include "trace/file/byw_trace.h"
#include "trace_folder.h"

enum { LAUNCHES = 2, CTAS = 3, WARPS = 2, ROUNDS = 6, ACCESSES = 5, HALF_ROUND = 4 };
#define FILE_1 "verif/trace/version1.bwt"
#define HALF 0xfff7u

/* Address of active lane number `rank`; launch is 1 or 2. */
static uint64_t address(uint32_t launch, uint32_t cta, uint32_t warp, uint32_t n, uint64_t rank)
{
    uint32_t round = n / ACCESSES;
    uint64_t here = UINT64_C(0x7f00000000), base = 65536 * (cta * WARPS + warp) + 512 * round;
    uint64_t columns = rank % 5 * 128 + rank / 5 * 4;
    uint64_t mixed = rank * 2654435761u + (round + cta * launch) * UINT64_C(97);

    switch (n % ACCESSES) {
    case 0:
        return here + base + 4 * rank;
    case 1:
        return here + base + rank * rank * 3 % 4096 * 4;
    case 2:
        return here + 2 * base + columns;
    case 3:
        return here + (1 << 20) + mixed % (1 << 20) * 4;
    default:
        return here + base + (8 << 20) + columns;
    }
}

static void check_warp(const struct byw_cta *cta, uint32_t launch, uint32_t w)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < cta->warp[w].count; i++) {
        const struct byw_inst *inst = &cta->inst[cta->warp[w].first + i];
        bool half = n % ACCESSES != 0 && n / ACCESSES == HALF_ROUND;
        uint32_t rank = 0;

        if (inst->cls != BYW_CLASS_LOAD && inst->cls != BYW_CLASS_STORE)
            continue;
        assert_int_equal(inst->mask, half ? HALF : UINT32_MAX);
        for (uint32_t lane = 0; lane < 32; lane++) {
            if ((inst->mask >> lane & 1) == 0)
                continue;
            assert_int_equal(byw_inst_address(inst, cta, lane, rank),
                             address(launch, cta->id[0], w, n, rank));
            rank++;
        }
        n++;
    }
    assert_int_equal(n, ROUNDS * ACCESSES);
}

static void check_file(const char *path, unsigned version)
{
    FILE *file = fopen(path, "rb");
    const struct byw_kernel *kernel;
    struct byw_trace *trace;
    struct byw_diag diag;
    struct byw_cta cta;
    char head[16];

    assert_non_null(file);
    assert_int_equal(fread(head, 1, sizeof(head), file), sizeof(head));
    fclose(file);
    assert_int_equal(head[8], version);
    byw_cta_init(&cta);
    assert_int_equal(byw_trace_open(path, &trace, &diag), BYW_OK);
    for (uint32_t launch = 1; launch <= LAUNCHES; launch++) {
        assert_int_equal(byw_trace_next_kernel(trace, &kernel, &diag), BYW_OK);
        for (uint32_t c = 0; c < CTAS; c++) {
            if (byw_trace_next_cta(trace, &cta, &diag) != BYW_OK)
                fail_msg("%s", diag.text);
            assert_int_equal(cta.id[0], c);
            assert_int_equal(cta.warp_count, WARPS);
            for (uint32_t w = 0; w < WARPS; w++)
                check_warp(&cta, launch, w);
        }
        assert_int_equal(byw_trace_next_cta(trace, &cta, &diag), BYW_END);
    }
    assert_int_equal(byw_trace_next_kernel(trace, &kernel, &diag), BYW_END);
    byw_trace_close(trace);
    byw_cta_release(&cta);
}

static void version_1_is_read(void **state)
{
    (void)state;
    check_file(FILE_1, 1);
}

static void version_1_converts_to_version_2(void **state)
{
    struct byw_diag diag;
    char path[192];

    (void)state;
    path_of(path, "version2.bwt");
    if (byw_trace_convert(FILE_1, path, "bwt", NULL, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
    check_file(path, 2);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_1_is_read),
        cmocka_unit_test(version_1_converts_to_version_2),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
