/* SPDX-License-Identifier: Apache-2.0
 *
 * gpu_rig.h - runs the whole GPU on traces that a test builds. A bench holds configuration and
 * options; the functions below write a trace to a temporary file and run it.
 */
#ifndef GPU_RIG_H
#define GPU_RIG_H

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/byw_rng.h"
#include "common/test.h"
#include "sim/gpu/byw_config_check.h"
#include "sim/gpu/byw_gpu.h"
#include "sim/sm/byw_throttle.h"
#include "trace/bwt/byw_trace_writer.h"

struct bench {
    char path[64];
    struct byw_config config;
    struct byw_cta cta;
    struct byw_throttle throttle; /* throttle for tests of a scheduler alone */
    struct byw_trace_writer *writer;
    struct byw_gpu_options options;
    uint64_t seed; /* seed of the trace of mixed() */
    char machine[96]; /* current machine of for_each_machine() */
};

static inline int setup(void **state)
{
    struct bench *b = calloc(1, sizeof(*b));
    int fd;

    strcpy(b->path, "/tmp/byw_t_gpu_XXXXXX");
    fd = mkstemp(b->path);
    assert_true(fd >= 0);
    close(fd);
    byw_config_defaults(&b->config);
    b->config.icache_on = 0;
    byw_cta_init(&b->cta);
    *state = b;
    return 0;
}

static inline int teardown(void **state)
{
    struct bench *b = *state;

    if (b->machine[0] != '\0')
        print_error("it failed with %s\n", b->machine);
    unlink(b->path);
    byw_cta_release(&b->cta);
    byw_throttle_release(&b->throttle);
    free(b);
    return 0;
}

/* Test traces have 32 lanes unless they say otherwise. */
static inline void load_machine(struct bench *b, const char *path)
{
    struct byw_diag diag = {""};

    byw_config_defaults(&b->config);
    if (byw_config_read(&b->config, path, NULL, BYW_PARAM_MACHINE, &diag) != BYW_OK ||
        byw_config_check(&b->config, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
    b->config.sm_lanes = 32;
}

/* Calls `law` once for each shipped machine, with that machine loaded. */
static inline void for_each_machine(struct bench *b, void (*law)(struct bench *b))
{
    glob_t files;

    assert_int_equal(glob("cmodel/configs/machines/*.cfg", 0, NULL, &files), 0);
    assert_true(files.gl_pathc >= 7);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        load_machine(b, files.gl_pathv[i]);
        b->options = (struct byw_gpu_options){0};
        b->seed = 0;
        snprintf(b->machine, sizeof(b->machine), "%s", files.gl_pathv[i]);
        law(b);
    }
    b->machine[0] = '\0';
    globfree(&files);
}

static inline struct byw_kernel kernel_of(uint32_t ctas, uint32_t threads)
{
    return (struct byw_kernel){.name = "k",
                               .grid = {ctas, 1, 1},
                               .block = {threads, 1, 1},
                               .warp_size = 32,
                               .registers = 20};
}

static inline void begin(struct bench *b, const struct byw_kernel *kernel)
{
    assert_int_equal(byw_trace_create(b->path, 0, &b->writer, NULL), BYW_OK);
    assert_int_equal(byw_trace_kernel(b->writer, kernel, NULL), BYW_OK);
    byw_cta_clear(&b->cta);
}

static inline struct byw_inst *add(struct bench *b, enum byw_class cls, uint32_t count,
                                   uint32_t use)
{
    struct byw_inst *i = byw_cta_add_inst(&b->cta);

    *i = (struct byw_inst){
        .mask = 0xffffffff, .count = count, .use = use, .cls = (uint8_t)cls, .degree = 1};
    if (byw_class_is_memory(cls)) {
        i->width = 4;
        i->form = BYW_FORM_STRIDE;
        i->stride = 4;
        i->base = 0x10000;
    }
    return i;
}

static inline struct byw_gpu_result *finish(struct bench *b)
{
    struct byw_trace *trace;
    struct byw_gpu_result *result = NULL;
    struct byw_diag diag = {""};

    assert_int_equal(byw_trace_finish(b->writer, NULL), BYW_OK);
    assert_int_equal(byw_trace_open(b->path, &trace, &diag), BYW_OK);
    if (byw_gpu_run(&b->config, trace, &b->options, &result, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
    byw_trace_close(trace);
    return result;
}

/* A mixed trace of two launches with divergence, barriers, stores, reuse and streams. */
static inline struct byw_gpu_result *mixed(struct bench *b)
{
    struct byw_rng rng;

    byw_rng_init(&rng, 7 + b->seed);
    assert_int_equal(byw_trace_create(b->path, 0, &b->writer, NULL), BYW_OK);
    for (uint32_t launch = 0; launch < 2; launch++) {
        struct byw_kernel k = kernel_of(40, 96);

        k.launch = launch;
        assert_int_equal(byw_trace_kernel(b->writer, &k, NULL), BYW_OK);
        for (uint32_t c = 0; c < 40; c++) {
            byw_cta_clear(&b->cta);
            b->cta.id[0] = c;
            for (uint32_t w = 0; w < 3; w++) {
                byw_cta_add_warp(&b->cta);
                for (uint32_t i = 0; i < 40; i++) {
                    static const uint8_t cls[] = {
                        BYW_CLASS_INT,   BYW_CLASS_FP,          BYW_CLASS_LOAD, BYW_CLASS_LOAD,
                        BYW_CLASS_STORE, BYW_CLASS_SHARED_LOAD, BYW_CLASS_SFU,  BYW_CLASS_ATOMIC};
                    enum byw_class what = (enum byw_class)cls[byw_rng_below(&rng, 8)];
                    struct byw_inst *inst = add(b, what, 1, byw_rng_below(&rng, 9));

                    inst->pc = 8 * i;
                    if (what <= BYW_CLASS_FP)
                        inst->count = 1 + byw_rng_below(&rng, 9);
                    inst->mask = byw_rng_next(&rng) & 0xffffffff;
                    inst->base += 256 * byw_rng_below(&rng, 400);
                    inst->stride = (int32_t)byw_rng_below(&rng, 3) * 8;
                    if (i % 16 == 15)
                        add(b, BYW_CLASS_BARRIER, 1, 0);
                }
                add(b, BYW_CLASS_EXIT, 1, 0);
            }
            assert_int_equal(byw_trace_cta(b->writer, &b->cta, NULL), BYW_OK);
        }
    }
    return finish(b);
}

static inline void assert_same(const struct byw_gpu_result *a, const struct byw_gpu_result *b)
{
    assert_int_equal(a->cycles, b->cycles);
    assert_int_equal(a->warp_instructions, b->warp_instructions);
    assert_int_equal(a->thread_instructions, b->thread_instructions);
    for (uint32_t i = 0; i < BYW_EV_COUNT; i++)
        assert_int_equal(a->l1.ev[i], b->l1.ev[i]);
    assert_int_equal(a->l1.stall_cycles, b->l1.stall_cycles);
    assert_int_equal(a->l1.filter_on_cycles, b->l1.filter_on_cycles);
    assert_memory_equal(&a->mem, &b->mem, sizeof(a->mem));
    assert_memory_equal(a->core_stall, b->core_stall, sizeof(a->core_stall));
    for (uint32_t i = 0; i < a->sm_count; i++)
        assert_memory_equal(&a->sm[i], &b->sm[i], sizeof(a->sm[i]));
}

#endif
