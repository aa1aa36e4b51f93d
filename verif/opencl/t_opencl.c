/* SPDX-License-Identifier: Apache-2.0
 *
 * t_opencl.c - traces of kernels small enough to work out by hand.
 *
 * Each test writes a kernel, captures cl_probe running it, and compares every warp access with what
 * 32 lanes in lock step do.  Skipped where the runtime is not built (no clang, LLVM or libclc).
 */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "opencl/byw_capture.h"
#include "opencl/byw_cl_flow.h"
#include "opencl/byw_cl_merge.h"
#include "trace/byw_trace.h"

#define ALL 0xffffffffull
#define BUFFER 0x10000000000ull
#define RECORDS_MOST 4096

struct bench {
    char folder[64];
    char probe[PATH_MAX], api[PATH_MAX];
    char source[128], trace[128], dump[128];
    struct byw_diag diag;
};

/* One launch read back: the records of all CTAs, warp after warp, EXIT last in each. */
struct capture {
    struct byw_kernel kernel;
    struct byw_site site[16]; /* the kernel's, which the reader owns */
    struct byw_inst inst[RECORDS_MOST];
    uint64_t addr[RECORDS_MOST]; /* FORM_LIST: of the first active lane */
    uint32_t count, ctas, warps;
};

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static int set_up(void **state)
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

static int tear_down(void **state)
{
    struct bench *b = *state;
    char command[128];

    snprintf(command, sizeof(command), "rm -rf %s", b->folder);
    assert_int_equal(system(command), 0);
    free(b);
    return 0;
}

/* Captures the probe with the blank-separated arguments; skips the test without a runtime. */
static enum byw_status capture_with(struct bench *b, unsigned warp, const char *source,
                                    const char *arguments)
{
    char text[512], *argv[32] = {b->probe, b->source}, *save = NULL;
    int argc = 2;
    FILE *file;

    if (!exists(b->probe)) {
        print_message("skipped: the OpenCL runtime is not built (clang, llvm-dev, libclc)\n");
        skip();
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

static void read_cta(struct capture *c, const struct byw_cta *cta)
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

static struct capture *capture(struct bench *b, const char *source, const char *arguments)
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

/* The n-th record of a class, NULL if there are fewer. */
static const struct byw_inst *nth(const struct capture *c, enum byw_class cls, uint32_t n)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (c->inst[i].cls == cls && n-- == 0)
            return &c->inst[i];
    return NULL;
}

static uint32_t count(const struct capture *c, enum byw_class cls)
{
    uint32_t n = 0;

    while (nth(c, cls, n) != NULL)
        n++;
    return n;
}

/* Warp instructions from the start of the capture to a record. */
static uint64_t position(const struct capture *c, const struct byw_inst *inst)
{
    uint64_t sum = 0;

    for (const struct byw_inst *i = c->inst; i < inst; i++)
        sum += i->count;
    return sum;
}

static void expect(const struct byw_inst *inst, uint64_t mask, uint64_t base, int32_t stride,
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

/* Buffers lie a guard page apart, each at the start of a page. */
static void test_partial_warp(void **state)
{
    struct capture *c =
        capture(*state,
                "kernel void add(global const float *a, global const float *b, global float *c,\n"
                "                int n)\n"
                "{ int i = get_global_id(0); if (i < n) c[i] = a[i] + b[i]; }\n",
                "add 128 64 DUMP f:128 f:128 f:128 i:100");
    struct bench *b = *state;
    float got[3 * 128];
    FILE *file = fopen(b->dump, "rb");

    assert_non_null(file);
    assert_int_equal(fread(got, sizeof(got), 1, file), 1);
    fclose(file);
    for (int i = 0; i < 128; i++)
        assert_true(got[256 + i] == (float)(i < 100 ? 2 * i : i));
    assert_string_equal(c->kernel.name, "add");
    assert_int_equal(c->kernel.grid[0], 2);
    assert_int_equal(c->kernel.block[0], 64);
    assert_int_equal(c->ctas, 2);
    assert_int_equal(c->warps, 4);
    assert_int_equal(count(c, BYW_CLASS_LOAD), 8);
    assert_int_equal(count(c, BYW_CLASS_STORE), 4);
    assert_int_equal(count(c, BYW_CLASS_EXIT), 4);
    for (uint32_t w = 0; w < 4; w++) {
        uint64_t mask = w == 3 ? 0xf : ALL, base = BUFFER + 128 * w;

        expect(nth(c, BYW_CLASS_LOAD, 2 * w), mask, base, 4, 4);
        expect(nth(c, BYW_CLASS_LOAD, 2 * w + 1), mask, base + 0x2000, 4, 4);
        expect(nth(c, BYW_CLASS_STORE, w), mask, base + 0x4000, 4, 4);
        assert_int_equal(nth(c, BYW_CLASS_EXIT, w)->mask, ALL);
        assert_int_equal(nth(c, BYW_CLASS_BRANCH, w)->mask, ALL);
    }
    assert_int_equal(c->kernel.site_count, 3);
    for (uint32_t n = 0; n < 3; n++) {
        const struct byw_inst *inst =
            n < 2 ? nth(c, BYW_CLASS_LOAD, n) : nth(c, BYW_CLASS_STORE, 0);

        assert_int_equal(c->site[n].pc, inst->pc);
        assert_int_equal(c->site[n].argument, n);
        assert_int_equal(c->site[n].cls, inst->cls);
        assert_int_equal(c->site[n].width, 4);
        assert_int_equal(c->site[n].line, 3);
    }
}

/* Both sides of a branch run once, each with its lanes; after it the warp is whole again. */
static void test_reconvergence(void **state)
{
    struct capture *c = capture(*state,
                                "kernel void f(global int *a, global int *b, global int *c)\n"
                                "{ int i = get_global_id(0);\n"
                                "  if (i & 1) atomic_add(b + i, 1); else atomic_or(c + i, 1);\n"
                                "  a[i] = i; }\n",
                                "f 32 32 - b:32 b:32 b:32");
    uint64_t masks = nth(c, BYW_CLASS_ATOMIC, 0)->mask | nth(c, BYW_CLASS_ATOMIC, 1)->mask;

    assert_int_equal(count(c, BYW_CLASS_ATOMIC), 2);
    assert_int_equal(masks, ALL);
    for (uint32_t n = 0; n < 2; n++) {
        const struct byw_inst *atomic = nth(c, BYW_CLASS_ATOMIC, n);
        bool odd = atomic->mask == 0xaaaaaaaa;

        expect(atomic, odd ? 0xaaaaaaaa : 0x55555555, BUFFER + (odd ? 0x2000 : 0x4000), 4, 4);
    }
    assert_int_equal(count(c, BYW_CLASS_STORE), 1);
    expect(nth(c, BYW_CLASS_STORE, 0), ALL, BUFFER, 4, 4);
}

/* Lane l makes l % 4 + 1 trips. */
static void test_trip_counts(void **state)
{
    struct capture *c = capture(*state,
                                "kernel void f(global int *a, global int *b)\n"
                                "{ int l = get_local_id(0), s = 0;\n"
                                "  #pragma nounroll\n"
                                "  for (int j = 0; j <= l % 4; j++) s += b[32 * j + l];\n"
                                "  a[l] = s; }\n",
                                "f 32 32 - b:32 b:128");
    static const uint64_t masks[4] = {ALL, 0xeeeeeeee, 0xcccccccc, 0x88888888};

    assert_int_equal(count(c, BYW_CLASS_LOAD), 4);
    for (uint32_t j = 0; j < 4; j++)
        expect(nth(c, BYW_CLASS_LOAD, j), masks[j], BUFFER + 0x2000 + 128 * j, 4, 4);
    assert_int_equal(count(c, BYW_CLASS_STORE), 1);
    expect(nth(c, BYW_CLASS_STORE, 0), ALL, BUFFER, 4, 4);
}

/* `continue` takes the back edge early; those lanes must wait for the rest of the iteration. */
static void test_continue(void **state)
{
    struct capture *c = capture(*state,
                                "kernel void f(global int *a, int n)\n"
                                "{ int l = get_local_id(0);\n"
                                "  #pragma nounroll\n"
                                "  for (int j = 0; j < n; j++) {\n"
                                "    if ((l + j) & 1) continue;\n"
                                "    atomic_add(a + 32 * j + l, 1); }\n"
                                "  atomic_or(a + l, 1); }\n",
                                "f 32 32 - b:128 i:4");

    assert_int_equal(count(c, BYW_CLASS_ATOMIC), 5);
    for (uint32_t j = 0; j < 4; j++)
        expect(nth(c, BYW_CLASS_ATOMIC, j), j % 2 ? 0xaaaaaaaa : 0x55555555, BUFFER + 128 * j, 4,
               4);
    expect(nth(c, BYW_CLASS_ATOMIC, 4), ALL, BUFFER, 4, 4);
}

static void test_barrier(void **state)
{
    struct capture *c = capture(*state,
                                "kernel void f(global int *a, global int *b, local int *t)\n"
                                "{ local int u[64]; int l = get_local_id(0);\n"
                                "  t[2 * l] = a[l]; u[l] = l;\n"
                                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                                "  b[l] = t[2 * (63 - l)] + u[0]; }\n",
                                "f 64 64 DUMP b:64 b:64 l:512");
    struct bench *b = *state;
    int got[128];
    FILE *file = fopen(b->dump, "rb");

    assert_non_null(file);
    assert_int_equal(fread(got, sizeof(got), 1, file), 1);
    fclose(file);
    for (int i = 0; i < 64; i++)
        assert_int_equal(got[64 + i], 63 - i);
    assert_int_equal(c->kernel.shared_bytes, 256 + 512);
    assert_int_equal(count(c, BYW_CLASS_BARRIER), 2);
    assert_int_equal(count(c, BYW_CLASS_SHARED_STORE), 4);
    assert_int_equal(count(c, BYW_CLASS_SHARED_LOAD), 4);
    for (uint32_t w = 0; w < 2; w++) {
        const struct byw_inst *wide = nth(c, BYW_CLASS_SHARED_STORE, 2 * w);
        const struct byw_inst *flat = nth(c, BYW_CLASS_SHARED_STORE, 2 * w + 1);
        const struct byw_inst *back = nth(c, BYW_CLASS_SHARED_LOAD, 2 * w);
        const struct byw_inst *same = nth(c, BYW_CLASS_SHARED_LOAD, 2 * w + 1);

        expect(wide, ALL, 256 + 256 * w, 8, 4);
        assert_int_equal(wide->degree, 2);
        expect(flat, ALL, 128 * w, 4, 4);
        assert_int_equal(flat->degree, 1);
        expect(back, ALL, 256 + 8 * 63 - 256 * w, -8, 4);
        assert_int_equal(back->degree, 2);
        expect(same, ALL, 0, 0, 4);
        assert_int_equal(same->degree, 1);
        assert_int_equal(nth(c, BYW_CLASS_BARRIER, w)->mask, ALL);
        assert_true(nth(c, BYW_CLASS_BARRIER, w) > flat && nth(c, BYW_CLASS_BARRIER, w) < back);
    }
}

/* Atomics on the scratchpad are a read, a change and a write. */
static void test_local_atomic(void **state)
{
    struct capture *c = capture(*state,
                                "kernel void f(global int *a)\n"
                                "{ local int t; if (get_local_id(0) == 0) t = 0;\n"
                                "  barrier(CLK_LOCAL_MEM_FENCE); atomic_inc(&t);\n"
                                "  barrier(CLK_LOCAL_MEM_FENCE); a[get_global_id(0)] = t; }\n",
                                "f 64 32 DUMP b:64");
    struct bench *b = *state;
    int got[64];
    FILE *file = fopen(b->dump, "rb");

    assert_non_null(file);
    assert_int_equal(fread(got, sizeof(got), 1, file), 1);
    fclose(file);
    for (int i = 0; i < 64; i++)
        assert_int_equal(got[i], 32);
    assert_int_equal(count(c, BYW_CLASS_ATOMIC), 0);
    assert_int_equal(count(c, BYW_CLASS_SHARED_STORE), 4);
    assert_int_equal(count(c, BYW_CLASS_SHARED_LOAD), 4);
    assert_int_equal(nth(c, BYW_CLASS_SHARED_STORE, 0)->mask, 1);
    assert_int_equal(nth(c, BYW_CLASS_SHARED_STORE, 1)->mask, ALL);
    assert_int_equal(count(c, BYW_CLASS_BARRIER), 4);
}

/* An aligned float4 is one access of 16 bytes, an unaligned one four of 4. */
static void test_vectors(void **state)
{
    struct capture *c = capture(*state,
                                "kernel void f(global float4 *a, global float *b)\n"
                                "{ int i = get_global_id(0); a[i] = vload4(i, b + 1); }\n",
                                "f 32 32 - f:128 f:132");

    assert_int_equal(count(c, BYW_CLASS_LOAD), 4);
    assert_int_equal(count(c, BYW_CLASS_STORE), 1);
    for (uint32_t k = 0; k < 4; k++) {
        expect(nth(c, BYW_CLASS_LOAD, k), ALL, BUFFER + 0x2000 + 4 + 4 * k, 16, 4);
        assert_true(nth(c, BYW_CLASS_LOAD, k)->use >= 4 - k);
    }
    expect(nth(c, BYW_CLASS_STORE, 0), ALL, BUFFER, 16, 16);
}

/* Warps take 32 work-items in linear order, x fastest; 8 by 8 gives two warps of four rows. */
static void test_two_dimensions(void **state)
{
    struct capture *c = capture(*state,
                                "kernel void f(global int *a)\n"
                                "{ int x = get_global_id(0), y = get_global_id(1);\n"
                                "  a[16 * y + x] = x; }\n",
                                "f 16,16 8,8 - b:256");
    uint32_t last = 0;

    assert_int_equal(c->ctas, 4);
    assert_int_equal(c->warps, 8);
    assert_int_equal(count(c, BYW_CLASS_STORE), 8);
    for (uint32_t n = 0; n < c->count; n++)
        if (c->inst[n].cls == BYW_CLASS_STORE) {
            uint32_t cta = last / 2, warp = last % 2;
            uint64_t first = 16 * (8 * (cta / 2) + 4 * warp) + 8 * (cta % 2);

            assert_int_equal(c->inst[n].form, BYW_FORM_LIST);
            assert_int_equal(c->inst[n].mask, ALL);
            assert_int_equal(c->addr[n], BUFFER + 4 * first);
            last++;
        }
}

/* Helpers that stay functions are inlined, 64-bit atomics exist, and a kernel that cannot run does
 * not keep the others of its program from it. */
static void test_odd_kernels(void **state)
{
    struct capture *c =
        capture(*state,
                "int helper(global int *a, int i) __attribute__((noinline));\n"
                "int helper(global int *a, int i)\n"
                "{ barrier(CLK_LOCAL_MEM_FENCE); return a[i] * 2; }\n"
                "kernel void im(read_only image2d_t i, sampler_t s, global float4 *o)\n"
                "{ o[0] = read_imagef(i, s, (float2)(0, 0)); }\n"
                "kernel void inner(global int *a, global long *l)\n"
                "{ a[get_global_id(0)] += helper(a, 3); atom_add(l, 3l); }\n"
                "kernel void f(global int *a, global long *l) { inner(a, l); }\n",
                "f 32 32 DUMP b:32 b:8");
    struct bench *b = *state;
    int got[40];
    FILE *file = fopen(b->dump, "rb");

    assert_non_null(file);
    assert_int_equal(fread(got, sizeof(got), 1, file), 1);
    fclose(file);
    assert_int_equal(got[0], 6);
    assert_int_equal(got[31], 31 + (3 + 6) * 2);
    assert_int_equal(got[32], 96);
    assert_int_equal(got[33], 1);
    assert_int_equal(count(c, BYW_CLASS_BARRIER), 1);
    assert_int_equal(count(c, BYW_CLASS_ATOMIC), 1);
    expect(nth(c, BYW_CLASS_ATOMIC, 0), ALL, BUFFER + 0x2000, 0, 8);
    assert_int_equal(count(c, BYW_CLASS_LOAD), 2);
}

/* Equal offsets into private arrays are neighbours in memory. */
static void test_private(void **state)
{
    struct capture *c = capture(*state,
                                "kernel void f(global int *a, int n)\n"
                                "{ int p[16]; int i = get_global_id(0);\n"
                                "  #pragma nounroll\n"
                                "  for (int k = 0; k < n; k++) p[k] = a[16 * i + k];\n"
                                "  a[i] = p[n - 3]; }\n",
                                "f 64 32 - b:1024 i:16");
    const struct byw_inst *first = nth(c, BYW_CLASS_LOCAL_STORE, 0);

    assert_int_equal(count(c, BYW_CLASS_LOCAL_STORE), 32);
    assert_int_equal(count(c, BYW_CLASS_LOCAL_LOAD), 2);
    for (uint32_t k = 0; k < 16; k++)
        expect(nth(c, BYW_CLASS_LOCAL_STORE, k), ALL, first->base + 128 * k, 4, 4);
    expect(nth(c, BYW_CLASS_LOCAL_LOAD, 0), ALL, first->base + 128 * 13, 4, 4);
    assert_true(nth(c, BYW_CLASS_LOCAL_STORE, 16)->base >= first->base + 128 * 16);
}

static void test_constant(void **state)
{
    struct capture *c = capture(*state,
                                "constant int table[4] = {5, 7, 11, 13};\n"
                                "kernel void f(global int *a, constant int *k)\n"
                                "{ int i = get_global_id(0); a[i] = table[i & 3] + k[i]; }\n",
                                "f 32 32 - b:32 b:32");

    assert_int_equal(count(c, BYW_CLASS_CONST_LOAD), 2);
    assert_int_equal(count(c, BYW_CLASS_LOAD), 0);
    assert_int_equal(nth(c, BYW_CLASS_CONST_LOAD, 0)->form, BYW_FORM_NONE);
    assert_true(nth(c, BYW_CLASS_CONST_LOAD, 0)->use > 0);
}

/* The result of a load is needed where the first instruction on it stands: in the same block, in a
 * block that runs later, in the next iteration. */
static void test_use(void **state)
{
    struct capture *c = capture(*state,
                                "kernel void f(global float *a, global float *b, int n)\n"
                                "{ int i = get_global_id(0); float x = a[i], s = 0;\n"
                                "  #pragma nounroll\n"
                                "  for (int j = 0; j < n; j++) s = fmax(s, b[j]);\n"
                                "  a[i] = s * x; }\n",
                                "f 32 32 - f:32 f:32 i:8");
    const struct byw_inst *x = nth(c, BYW_CLASS_LOAD, 0);

    assert_int_equal(count(c, BYW_CLASS_LOAD), 9);
    assert_int_equal(count(c, BYW_CLASS_FP), 9);
    assert_int_equal(x->use, position(c, nth(c, BYW_CLASS_FP, 8)) - position(c, x));
    for (uint32_t j = 0; j < 8; j++) {
        const struct byw_inst *load = nth(c, BYW_CLASS_LOAD, 1 + j);

        assert_int_equal(load->use, position(c, nth(c, BYW_CLASS_FP, j)) - position(c, load));
        assert_int_equal(load->stride, 0);
    }
    c = capture(*state,
                "kernel void f(global int *a, global int *b, int n)\n"
                "{ int i = get_global_id(0), x = 5;\n"
                "  #pragma nounroll\n"
                "  for (int j = 0; j < n; j++) { b[i + 32 * j] = x; x = a[i + 32 * j]; }\n"
                "}\n",
                "f 32 32 - b:128 b:128 i:4");
    assert_int_equal(count(c, BYW_CLASS_LOAD), 4);
    for (uint32_t j = 0; j < 3; j++)
        assert_int_equal(nth(c, BYW_CLASS_LOAD, j)->use,
                         position(c, nth(c, BYW_CLASS_STORE, j + 1)) -
                             position(c, nth(c, BYW_CLASS_LOAD, j)));
    assert_int_equal(nth(c, BYW_CLASS_LOAD, 3)->use, 0);
}

/* Counts are those of the IR: address arithmetic, then seven dependent additions. */
static void test_counts(void **state)
{
    struct capture *c =
        capture(*state,
                "kernel void f(global float *a, float x)\n"
                "{ int i = get_global_id(0); float s = a[i];\n"
                "  s += x; s *= x; s += x; s *= x; s += x; s *= x; s += x; a[i] = s; }\n",
                "f 32 32 - f:32 i:0");
    uint32_t fp = 0;

    for (uint32_t i = 0; i < c->count; i++)
        if (c->inst[i].cls == BYW_CLASS_FP) {
            fp += c->inst[i].count;
            assert_int_equal(c->inst[i].use, 1);
        }
    assert_in_range(fp, 4, 7); /* 7, or 4 where clang contracts to fused operations */
    for (uint32_t i = 0; i + 1 < c->count; i++)
        assert_int_equal(c->inst[i].pc + 8 * c->inst[i].count, c->inst[i + 1].pc);
}

static void read_all(const char *path, char **data, size_t *size)
{
    FILE *file = fopen(path, "rb");
    struct stat info;

    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &info), 0);
    *size = (size_t)info.st_size;
    *data = malloc(*size);
    assert_non_null(*data);
    assert_int_equal(fread(*data, 1, *size, file), *size);
    fclose(file);
}

/* The second capture takes the compiled kernel from the cache; nothing else may differ. */
static void test_reproducible(void **state)
{
    static const char source[] =
        "kernel void f(global int *a, global int *b, local int *t)\n"
        "{ int i = get_global_id(0), l = get_local_id(0); int p[8];\n"
        "  for (int k = 0; k < 8; k++) p[(k * i) & 7] = b[(i * 37 + k) & 255];\n"
        "  t[l] = p[i & 7]; barrier(CLK_LOCAL_MEM_FENCE); a[i] = t[(l * 7) & 31] + p[b[i] & 7]; }";
    struct bench *b = *state;
    char *data[3];
    size_t size[3];

    for (int run = 0; run < 3; run++) {
        assert_int_equal(
            capture_with(b, run == 2 ? 64 : 32, source, "f 256 64 - b:256 b:256 l:256"), BYW_OK);
        read_all(b->trace, &data[run], &size[run]);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(data[0], data[1], size[0]);
    assert_true(size[2] != size[0] || memcmp(data[2], data[0], size[0]) != 0);
    for (int run = 0; run < 3; run++)
        free(data[run]);
}

/* Every answer of the API, checked by a program of its own, whose launches are traced besides. */
static void test_api(void **state)
{
    struct bench *b = *state;
    char *argv[] = {b->api, NULL};
    enum byw_status status;

    if (!exists(b->api))
        skip();
    status = byw_capture_run(b->trace, 32, argv, &b->diag);
    if (status != BYW_OK)
        print_error("%s\n", b->diag.text);
    assert_int_equal(status, BYW_OK);
    assert_string_equal(b->diag.text, "");
}

/* Whatever goes wrong, there is a reason and no file. */
static void test_failures(void **state)
{
    struct bench *b = *state;
    char *silent[] = {(char *)(uintptr_t) "true", NULL};
    char *missing[] = {(char *)(uintptr_t) "byway-no-such-program", NULL};
    char command[256];

    unlink(b->trace);
    assert_int_equal(
        capture_with(b, 32, "kernel void f(global int *a) { a[1 << 28] = 1; }", "f 32 32 - b:32"),
        BYW_ECHECK);
    assert_false(exists(b->trace));
    snprintf(command, sizeof(command), "ls %s/*.tmp* >%s/list 2>&1", b->folder, b->folder);
    assert_int_not_equal(system(command), 0);
    assert_int_equal(byw_capture_run(b->trace, 32, silent, &b->diag), BYW_ECHECK);
    assert_non_null(strstr(b->diag.text, "no OpenCL call"));
    assert_int_equal(byw_capture_run(b->trace, 32, missing, &b->diag), BYW_ENOENT);
    assert_non_null(strstr(b->diag.text, "byway-no-such-program"));
    assert_int_equal(byw_capture_run(b->trace, 48, silent, &b->diag), BYW_EINVAL);
    assert_false(exists(b->trace));
    assert_int_equal(
        capture_with(b, 32, "kernel void f(global int *a) { a[0] = nonsense; }", "f 32 32 - b:32"),
        BYW_ECHECK);
    assert_false(exists(b->trace));
}

/* A loop nest with two exits and a `continue`; node 7 is after everything. */
static void test_flow(void **state)
{
    static const uint32_t first[9] = {0, 1, 3, 5, 7, 8, 10, 11, 11};
    static const uint32_t to[11] = {1, 2, 7, 3, 7, 4, 6, 3, 1, 6, 7};
    uint32_t order[8], latch[8];

    (void)state;
    /* 0 -> 1; 1 -> 2 7; 2 -> 3 7; 3 -> 4 6; 4 -> 3; 5 -> 1 6 (not reached); 6 -> 7 */
    assert_int_equal(byw_cl_flow_order(8, first, to, order, latch), BYW_OK);
    assert_true(order[0] < order[1] && order[1] < order[2] && order[2] < order[3]);
    assert_true(order[3] < order[4] && order[4] < latch[3]);
    assert_true(latch[3] < order[6] && order[6] < order[7]);
    assert_int_equal(latch[1], order[1]);
    assert_true(order[5] > order[7]);
}

/* A loop head (1) with two back edges: its own, taken by even lanes, and one from part 2, taken by
 * odd ones.  Even lanes must not start the next iteration before the odd ones have finished theirs.
 */
static void test_latch(void **state)
{
    static const uint32_t first[5] = {0, 1, 4, 5, 5}, to[5] = {1, 1, 2, 3, 1};
    static const uint64_t even[] = {0, 1, 1, 1, 3, BYW_CL_END};
    static const uint64_t odd[] = {0, 1, 2, 1, 2, 1, 3, BYW_CL_END};
    static const uint32_t parts[] = {0, 1, 2, 1, 2, 1, 3};
    struct blob {
        struct byw_cl_code code;
        struct byw_cl_part part[4];
        struct byw_cl_slot slot[4];
    } blob;
    struct byw_cl_warp warp = {.inst = NULL};
    struct byw_cl_merger merger;
    const uint64_t *start[32];
    uint32_t order[4], latch[4];

    (void)state;
    memset(&blob, 0, sizeof(blob));
    blob.code.part_at = (uint32_t)offsetof(struct blob, part);
    blob.code.slot_at = (uint32_t)offsetof(struct blob, slot);
    assert_int_equal(byw_cl_flow_order(4, first, to, order, latch), BYW_OK);
    for (uint32_t p = 0; p < 4; p++) {
        blob.part[p] = (struct byw_cl_part){.first_slot = p,
                                            .slots = 1,
                                            .words = 1,
                                            .length = 1,
                                            .order = order[p],
                                            .latch = latch[p]};
        blob.slot[p].proto.pc = 8 * p;
        blob.slot[p].proto.count = 1;
    }
    for (uint32_t l = 0; l < 32; l++)
        start[l] = l % 2 ? odd : even;
    byw_cl_merger_init(&merger, &blob.code, 32);
    assert_int_equal(byw_cl_warp_begin(&merger, &warp, 0), BYW_OK);
    assert_int_equal(byw_cl_merge(&merger, &warp, ALL, start), BYW_OK);
    assert_int_equal(warp.inst_count, 7);
    for (uint32_t i = 0; i < 7; i++) {
        assert_int_equal(warp.inst[i].pc, 8 * parts[i]);
        assert_int_equal(warp.inst[i].mask, parts[i] == 2 ? 0xaaaaaaaa : ALL);
    }
    byw_cl_warp_release(&warp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flow),         cmocka_unit_test(test_latch),
        cmocka_unit_test(test_partial_warp), cmocka_unit_test(test_reconvergence),
        cmocka_unit_test(test_trip_counts),  cmocka_unit_test(test_continue),
        cmocka_unit_test(test_barrier),      cmocka_unit_test(test_local_atomic),
        cmocka_unit_test(test_vectors),      cmocka_unit_test(test_two_dimensions),
        cmocka_unit_test(test_private),      cmocka_unit_test(test_odd_kernels),
        cmocka_unit_test(test_constant),     cmocka_unit_test(test_use),
        cmocka_unit_test(test_counts),       cmocka_unit_test(test_reproducible),
        cmocka_unit_test(test_api),          cmocka_unit_test(test_failures)};

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
