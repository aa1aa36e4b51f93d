/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_wl.h - what the benchmark drivers share: options, OpenCL set-up, launches, result check.
 *
 * A driver is one program for one benchmark.  It describes itself and its numeric options in a
 * struct byw_wl_about, and then
 *
 *     struct byw_wl wl;
 *     byw_wl_begin(&wl, &about, argc, argv);      options, device, program
 *     ... byw_wl_alloc / _random / _buffer / _kernel / _args / _launch / _read ...
 *     byw_wl_check_f32(&wl, "c", got, want, n, 1e-4f, 1e-6f);
 *     return byw_wl_end(&wl);                     prints PASS, releases everything
 *
 * Every option has one default per size: `test` (correctness, instant), `small` (the input of the
 * shipped traces) and `paper` (the input of the paper that names the benchmark).  All input comes
 * from a xorshift64* generator with a fixed default seed, so two runs issue the same accesses.
 *
 * Errors: anything that goes wrong ends the program with one sentence on stderr, exit code 2 for
 * wrong options, 1 for an OpenCL failure or a wrong result.  Only programs may link this.
 */
#ifndef BYW_WL_H
#define BYW_WL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum byw_wl_size { BYW_WL_TEST, BYW_WL_SMALL, BYW_WL_PAPER, BYW_WL_SIZES };

enum { BYW_WL_MAX_OPTIONS = 12 };

/* One numeric option, `--name V` (`-n V` when the name is one letter). */
struct byw_wl_option {
    const char *name;
    const char *help; /* what it counts, with unit */
    long standard[BYW_WL_SIZES]; /* default at each size */
    long least, most, multiple; /* accepted values */
};

/* Benchmarks that can run some launches on the device and the others on the host declare the
 * options "first" and "last" (launch numbers from 1); `--launches A-B` sets both. */
struct byw_wl_about {
    const char *name;
    const char *what; /* one line */
    const char *source; /* text of the .cl file, built in */
    const struct byw_wl_option *option;
    size_t option_count; /* at most BYW_WL_MAX_OPTIONS */
};

struct byw_wl_node;

struct byw_wl {
    const struct byw_wl_about *about;
    enum byw_wl_size size;
    long value[BYW_WL_MAX_OPTIONS];
    const char *kernel_path; /* -k: read the .cl text from this file instead */
    uint64_t random_state;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    struct byw_wl_node *owned; /* everything _end releases */
    uint64_t launches;
    bool failed;
};

void byw_wl_begin(struct byw_wl *wl, const struct byw_wl_about *about, int argc, char **argv);
int byw_wl_end(struct byw_wl *wl);

/* Reads the command line into wl; part of _begin, which adds OpenCL to it. */
void byw_wl_parse(struct byw_wl *wl, int argc, char **argv);

/* Value of a declared option; its int form for kernel arguments. */
long byw_wl_get(const struct byw_wl *wl, const char *name);
cl_int byw_wl_get_int(const struct byw_wl *wl, const char *name);

/* Ends the program with "<benchmark>: <sentence>" and exit code 1. */
#if defined(__GNUC__)
__attribute__((noreturn, format(printf, 2, 3)))
#endif
void byw_wl_fail(const struct byw_wl *wl, const char *format, ...);

/* Zeroed host memory that lives until _end. */
void *byw_wl_alloc(struct byw_wl *wl, size_t count, size_t bytes_each);
int *byw_wl_ints(struct byw_wl *wl, size_t count);
float *byw_wl_floats(struct byw_wl *wl, size_t count);

/* Random numbers: 64 bits; below `bound`; uniform in [low, high). */
uint64_t byw_wl_random(struct byw_wl *wl);
uint32_t byw_wl_below(struct byw_wl *wl, uint32_t bound);
float byw_wl_uniform(struct byw_wl *wl, float low, float high);

/* Host memory filled with random numbers from [low, high). */
float *byw_wl_uniforms(struct byw_wl *wl, size_t count, float low, float high);

/* Device memory: read-write, filled from `init` unless that is NULL. */
cl_mem byw_wl_buffer(struct byw_wl *wl, size_t bytes, const void *init);
void byw_wl_write(struct byw_wl *wl, cl_mem buffer, size_t bytes, const void *from);
void byw_wl_read(struct byw_wl *wl, cl_mem buffer, size_t bytes, void *to);
void byw_wl_copy(struct byw_wl *wl, cl_mem from, cl_mem to, size_t bytes);

cl_kernel byw_wl_kernel(struct byw_wl *wl, const char *name);

/* Sets all arguments; one letter each: m cl_mem, i cl_int, f float (passed as double),
 * v four floats (const float *, a float4), l bytes of local memory (size_t). */
void byw_wl_args(struct byw_wl *wl, cl_kernel kernel, const char *kinds, ...);

/* Launches groups x group_size work-items and waits for the end. */
void byw_wl_launch(struct byw_wl *wl, cl_kernel kernel, size_t groups, size_t group_size);
void byw_wl_launch_2d(struct byw_wl *wl, cl_kernel kernel, const size_t groups[2],
                      const size_t group_size[2]);

/* Result checks: report the first difference and make _end return 1.  A float is right when
 * |got - want| <= absolute + relative * |want|. */
void byw_wl_check_i32(struct byw_wl *wl, const char *array, const int *got, const int *want,
                      size_t count);
void byw_wl_check_f32(struct byw_wl *wl, const char *array, const float *got, const float *want,
                      size_t count, float relative, float absolute);

static inline size_t byw_wl_groups(size_t items, size_t group_size)
{
    return (items + group_size - 1) / group_size;
}

#endif
