/* SPDX-License-Identifier: Apache-2.0
 *
 * accelsim_rig.h - small Accel-Sim traces that a test writes, read back by a reader.
 *
 * cmocka_run_group_tests(tests, make_folder, remove_traces).
 */
#ifndef ACCELSIM_RIG_H
#define ACCELSIM_RIG_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/test.h"
#include "trace/file/byw_trace.h"
#include "trace_files.h"
#include "trace_folder.h"

#define HEADER(version, info)                                                                      \
    "-kernel name = add<int>(float*, int)\n-kernel id = 1\n-grid dim = (1,1,1)\n"                  \
    "-block dim = (64,1,1)\n-shmem = 128\n-nregs = 20\n-binary version = 70\n"                     \
    "-some new key = whatever\n-shmem base_addr = 0x00007f5000000000\n"                            \
    "-local mem base_addr = 0x00007f4e00000000\n-accelsim tracer version = " version               \
    "\n-enable lineinfo = " info "\n\n#traces format = ...\n\n"
#define CTA(body) "#BEGIN_TB\n\nthread block = 0,0,0\n\n" body "\n#END_TB\n\n"

/* Removes files left by the tests of a program. */
static inline int remove_traces(void **state)
{
    static const char *const names[] = {"k.traceg", "kernelslist.g", "kernel-1.traceg.xz",
                                        "kernel-1.traceg.zst"};
    char path[192];

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        path_of(path, names[i]);
        unlink(path);
    }
    return remove_folder(state);
}

/* Reads the file's only CTA. */
static inline enum byw_status read_file(const char *path, struct byw_kernel *kernel,
                                        struct byw_cta *cta, struct byw_diag *diag)
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

static inline enum byw_status read_text(const char *text, struct byw_kernel *kernel,
                                        struct byw_cta *cta, struct byw_diag *diag)
{
    char path[192];

    path_of(path, "k.traceg");
    store(path, text, strlen(text));
    return read_file(path, kernel, cta, diag);
}

static inline void read_good(const char *text, struct byw_kernel *kernel, struct byw_cta *cta)
{
    struct byw_diag diag = {.text = ""};

    if (read_text(text, kernel, cta, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
}

static inline void check_addresses(const struct byw_cta *cta, uint32_t inst, const uint64_t *want,
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

#endif
