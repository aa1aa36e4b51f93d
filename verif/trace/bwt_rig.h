/* SPDX-License-Identifier: Apache-2.0
 *
 * bwt_rig.h - BWT1 files of random launches, each from a seed, and the seed of a test program: its
 * argument, else 1; a failure prints it.
 */
#ifndef BWT_RIG_H
#define BWT_RIG_H

#include <stdio.h>
#include <unistd.h>

#include "common/test.h"
#include "trace/bwt/byw_trace_bwt.h"
#include "trace/bwt/byw_trace_writer.h"
#include "trace_files.h"
#include "trace_random.h"

static uint64_t test_seed = 1;
static const char *test_program = "";

#define KERNELS 12
#define FAIL_SEED(text, seed)                                                                      \
    fail_msg("%s; run again: %s %llu", text, test_program, (unsigned long long)(seed))

/* Parses the arguments of a random test: [SEED]. */
static inline void take_seed(int argc, char **argv)
{
    test_program = argv[0];
    if (argc > 1)
        test_seed = strtoull(argv[1], NULL, 0);
}

/* A path for one test's file; the process number keeps parallel runs apart. */
static inline void temp_path(char path[128], const char *name)
{
    const char *dir = getenv("TMPDIR");

    snprintf(path, 128, "%s/t_trace_bwt-%ld-%s", dir != NULL ? dir : "/tmp", (long)getpid(), name);
}

static inline void write_random(const char *path, uint64_t seed, uint32_t kernels, uint32_t ctas,
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

#endif
