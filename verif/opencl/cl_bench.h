/* SPDX-License-Identifier: Apache-2.0
 *
 * cl_bench.h - captures of small kernels, read back for the tests of the OpenCL runtime.
 *
 * A test writes a kernel, captures cl_probe running it, and compares every warp access with those
 * of 32 lanes in lock step. Skipped if the runtime is not built (no clang, LLVM or libclc).
 */
#ifndef CL_BENCH_H
#define CL_BENCH_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/byw_capture.h"
#include "common/test.h"
#include "trace/file/byw_trace.h"

#define ALL 0xffffffffull
#define BUFFER 0x10000000000ull
#define RECORDS_MOST 4096

struct bench {
    char folder[64];
    char probe[PATH_MAX], api[PATH_MAX];
    char source[128], trace[128], dump[128];
    struct byw_diag diag;
};

/* One launch, read back from its trace: the records of all CTAs, warp after warp; each warp ends
 * with EXIT. */
struct capture {
    struct byw_kernel kernel;
    struct byw_site site[16]; /* the kernel's; owned by the reader */
    struct byw_inst inst[RECORDS_MOST];
    uint64_t addr[RECORDS_MOST]; /* FORM_LIST: of the first active lane */
    uint32_t count, ctas, warps;
};

static inline bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static inline int set_up(void **state)
{
    struct bench *b = calloc(1, sizeof(*b));
    char binary[PATH_MAX - 64], folder[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", binary, sizeof(binary) - 1);

    assert_non_null(b);
    assert_true(length > 0);
    binary[length] = '\0';
    *strrchr(binary, '/') = '\0';
    snprintf(b->probe, sizeof(b->probe), "%s/cl_probe", binary);
    snprintf(b->api, sizeof(b->api), "%s/cl_api", binary);
    snprintf(folder, sizeof(folder), "%s/../../lib", binary);
    setenv("BYWAY_LIB", folder, 1);
    strcpy(b->folder, P_tmpdir "/byway-opencl.XXXXXX");
    assert_non_null(mkdtemp(b->folder));
    setenv("BYWAY_CACHE", b->folder, 1);
    snprintf(b->source, sizeof(b->source), "%s/kernel.cl", b->folder);
    snprintf(b->trace, sizeof(b->trace), "%s/out.bwt", b->folder);
    snprintf(b->dump, sizeof(b->dump), "%s/dump", b->folder);
    *state = b;
    return 0;
}

static inline int tear_down(void **state)
{
    struct bench *b = *state;
    char command[128];

    snprintf(command, sizeof(command), "rm -rf %s", b->folder);
    assert_int_equal(system(command), 0);
    free(b);
    return 0;
}

/* Captures the probe with the blank-separated arguments; skips the test without a runtime. */
static inline enum byw_status capture_with(struct bench *b, unsigned warp, const char *source,
                                           const char *arguments)
{
    char text[512], *argv[32] = {b->probe, b->source}, *save = NULL;
    int argc = 2;
    FILE *file;

    if (!exists(b->probe)) {
        skip_because("%s is not built: clang, llvm-dev or libclc is missing; make deps-all",
                     b->probe);
    }
    file = fopen(b->source, "w");
    assert_non_null(file);
    fputs(source, file);
    assert_int_equal(fclose(file), 0);
    snprintf(text, sizeof(text), "%s", arguments);
    for (char *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save))
        argv[argc++] = strcmp(word, "DUMP") == 0 ? b->dump : word;
    return byw_capture_run(b->trace, warp, argv, &b->diag);
}

static inline void read_cta(struct capture *c, const struct byw_cta *cta)
{
    for (uint32_t w = 0; w < cta->warp_count; w++)
        for (uint32_t i = 0; i < cta->warp[w].count; i++) {
            const struct byw_inst *inst = &cta->inst[cta->warp[w].first + i];

            assert_true(c->count < RECORDS_MOST);
            c->addr[c->count] = inst->form == BYW_FORM_LIST ? cta->addr[inst->list] : 0;
            c->inst[c->count++] = *inst;
        }
    c->warps += cta->warp_count;
    c->ctas++;
}

static inline struct capture *capture(struct bench *b, const char *source, const char *arguments)
{
    static struct capture result;
    const struct byw_kernel *kernel;
    struct byw_trace *trace;
    struct byw_cta cta;
    enum byw_status status = capture_with(b, 32, source, arguments);

    if (status != BYW_OK)
        print_error("%s\n", b->diag.text);
    assert_int_equal(status, BYW_OK);
    assert_string_equal(b->diag.text, "");
    memset(&result, 0, sizeof(result));
    assert_int_equal(byw_trace_open(b->trace, &trace, &b->diag), BYW_OK);
    assert_int_equal(byw_trace_next_kernel(trace, &kernel, &b->diag), BYW_OK);
    result.kernel = *kernel;
    assert_in_range(kernel->site_count, 1, 16);
    memcpy(result.site, kernel->site, kernel->site_count * sizeof(*kernel->site));
    byw_cta_init(&cta);
    while (byw_trace_next_cta(trace, &cta, &b->diag) == BYW_OK)
        read_cta(&result, &cta);
    assert_int_equal(byw_trace_next_kernel(trace, &kernel, &b->diag), BYW_END);
    byw_cta_release(&cta);
    byw_trace_close(trace);
    return &result;
}

/* Reads the buffers that the probe wrote after its launch. */
static inline void read_dump(const struct bench *b, void *got, size_t size)
{
    FILE *file = fopen(b->dump, "rb");

    assert_non_null(file);
    assert_int_equal(fread(got, size, 1, file), 1);
    fclose(file);
}

/* The n-th record of a class, or NULL if there are fewer. */
static inline const struct byw_inst *nth(const struct capture *c, enum byw_class cls, uint32_t n)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (c->inst[i].cls == cls && n-- == 0)
            return &c->inst[i];
    return NULL;
}

static inline uint32_t count(const struct capture *c, enum byw_class cls)
{
    uint32_t n = 0;

    while (nth(c, cls, n) != NULL)
        n++;
    return n;
}

/* Warp instructions from the start of the capture to a record. */
static inline uint64_t position(const struct capture *c, const struct byw_inst *inst)
{
    uint64_t sum = 0;

    for (const struct byw_inst *i = c->inst; i < inst; i++)
        sum += i->count;
    return sum;
}

static inline void expect(const struct byw_inst *inst, uint64_t mask, uint64_t base, int32_t stride,
                          uint8_t width)
{
    assert_non_null(inst);
    assert_int_equal(inst->form, BYW_FORM_STRIDE);
    assert_int_equal(inst->mask, mask);
    assert_int_equal(inst->base, base);
    assert_int_equal(inst->stride, stride);
    assert_int_equal(inst->width, width);
    assert_int_equal(inst->count, 1);
}

#endif
