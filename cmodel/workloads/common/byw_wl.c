/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_wl.c - OpenCL set-up, memory, launches and result checks of the benchmark drivers.
 */
#include "byw_wl.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum node_kind { NODE_HOST, NODE_BUFFER, NODE_KERNEL };

struct byw_wl_node {
    struct byw_wl_node *next;
    enum node_kind kind;
    void *object;
};

static const char *const size_name[BYW_WL_SIZES] = {"test", "small", "paper"};

static void must(const struct byw_wl *wl, cl_int code, const char *call)
{
    if (code != CL_SUCCESS)
        byw_wl_fail(wl, "%s returned OpenCL error %d, expected CL_SUCCESS (0)", call, (int)code);
}

static void own(struct byw_wl *wl, enum node_kind kind, void *object)
{
    struct byw_wl_node *node = malloc(sizeof *node);
    if (node == NULL)
        byw_wl_fail(wl, "out of host memory");
    *node = (struct byw_wl_node){.next = wl->owned, .kind = kind, .object = object};
    wl->owned = node;
}

void *byw_wl_alloc(struct byw_wl *wl, size_t count, size_t bytes_each)
{
    void *memory = calloc(count ? count : 1, bytes_each);
    if (memory == NULL)
        byw_wl_fail(wl, "out of host memory: %zu elements of %zu bytes", count, bytes_each);
    own(wl, NODE_HOST, memory);
    return memory;
}

int *byw_wl_ints(struct byw_wl *wl, size_t count)
{
    return byw_wl_alloc(wl, count, sizeof(int));
}

float *byw_wl_floats(struct byw_wl *wl, size_t count)
{
    return byw_wl_alloc(wl, count, sizeof(float));
}

uint64_t byw_wl_random(struct byw_wl *wl)
{
    uint64_t x = wl->random_state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    wl->random_state = x;
    return x * UINT64_C(2685821657736338717);
}

uint32_t byw_wl_below(struct byw_wl *wl, uint32_t bound)
{
    return (uint32_t)(((byw_wl_random(wl) >> 32) * bound) >> 32);
}

float byw_wl_uniform(struct byw_wl *wl, float low, float high)
{
    return low + (high - low) * (float)(byw_wl_random(wl) >> 40) * 0x1p-24f;
}

float *byw_wl_uniforms(struct byw_wl *wl, size_t count, float low, float high)
{
    float *values = byw_wl_floats(wl, count);
    for (size_t i = 0; i < count; i++)
        values[i] = byw_wl_uniform(wl, low, high);
    return values;
}

static char *read_source(struct byw_wl *wl)
{
    FILE *file = fopen(wl->kernel_path, "rb");
    if (file == NULL)
        byw_wl_fail(wl, "cannot open %s, expected an OpenCL C file", wl->kernel_path);
    enum { MOST = 1 << 20 };
    char *text = byw_wl_alloc(wl, MOST + 1, 1);
    size_t length = fread(text, 1, MOST, file);
    bool bad = ferror(file) || length == MOST;
    fclose(file);
    if (bad)
        byw_wl_fail(wl, "cannot read %s, expected at most %d bytes of OpenCL C", wl->kernel_path,
                    MOST);
    return text;
}

static void print_build_log(const struct byw_wl *wl)
{
    size_t length = 0;
    clGetProgramBuildInfo(wl->program, wl->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &length);
    char *log = calloc(length + 1, 1);
    if (log == NULL)
        return;
    clGetProgramBuildInfo(wl->program, wl->device, CL_PROGRAM_BUILD_LOG, length, log, NULL);
    fprintf(stderr, "%s\n", log);
    free(log);
}

static void build_program(struct byw_wl *wl)
{
    const char *text = wl->kernel_path ? read_source(wl) : wl->about->source;
    cl_int code = CL_SUCCESS;
    wl->program = clCreateProgramWithSource(wl->context, 1, &text, NULL, &code);
    must(wl, code, "clCreateProgramWithSource");
    code = clBuildProgram(wl->program, 1, &wl->device, "-cl-std=CL1.2", NULL, NULL);
    if (code != CL_SUCCESS) {
        print_build_log(wl);
        byw_wl_fail(wl, "clBuildProgram returned OpenCL error %d for %s (log above)", (int)code,
                    wl->kernel_path ? wl->kernel_path : "the built-in kernel text");
    }
}

void byw_wl_begin(struct byw_wl *wl, const struct byw_wl_about *about, int argc, char **argv)
{
    *wl = (struct byw_wl){.about = about};
    byw_wl_parse(wl, argc, argv);
    cl_platform_id platform = NULL;
    cl_int code = clGetPlatformIDs(1, &platform, NULL);
    if (code != CL_SUCCESS)
        byw_wl_fail(wl,
                    "no OpenCL platform (error %d): run under `byway trace capture`, or install"
                    " an OpenCL implementation such as PoCL",
                    (int)code);
    must(wl, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &wl->device, NULL), "clGetDeviceIDs");
    wl->context = clCreateContext(NULL, 1, &wl->device, NULL, NULL, &code);
    must(wl, code, "clCreateContext");
    wl->queue = clCreateCommandQueue(wl->context, wl->device, 0, &code);
    must(wl, code, "clCreateCommandQueue");
    build_program(wl);
}

static void release(struct byw_wl *wl)
{
    while (wl->owned != NULL) {
        struct byw_wl_node *node = wl->owned;
        wl->owned = node->next;
        if (node->kind == NODE_HOST)
            free(node->object);
        else if (node->kind == NODE_BUFFER)
            clReleaseMemObject(node->object);
        else
            clReleaseKernel(node->object);
        free(node);
    }
    clReleaseProgram(wl->program);
    clReleaseCommandQueue(wl->queue);
    clReleaseContext(wl->context);
}

int byw_wl_end(struct byw_wl *wl)
{
    if (!wl->failed) {
        printf("PASS %s %s", wl->about->name, size_name[wl->size]);
        for (size_t i = 0; i < wl->about->option_count; i++)
            printf(" %s=%ld", wl->about->option[i].name, wl->value[i]);
        printf(" launched=%llu\n", (unsigned long long)wl->launches);
    }
    release(wl);
    return wl->failed ? 1 : 0;
}

cl_mem byw_wl_buffer(struct byw_wl *wl, size_t bytes, const void *init)
{
    cl_int code = CL_SUCCESS;
    cl_mem buffer = clCreateBuffer(wl->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    must(wl, code, "clCreateBuffer");
    own(wl, NODE_BUFFER, buffer);
    if (init != NULL)
        byw_wl_write(wl, buffer, bytes, init);
    return buffer;
}

void byw_wl_write(struct byw_wl *wl, cl_mem buffer, size_t bytes, const void *from)
{
    must(wl, clEnqueueWriteBuffer(wl->queue, buffer, CL_TRUE, 0, bytes, from, 0, NULL, NULL),
         "clEnqueueWriteBuffer");
}

void byw_wl_read(struct byw_wl *wl, cl_mem buffer, size_t bytes, void *to)
{
    must(wl, clEnqueueReadBuffer(wl->queue, buffer, CL_TRUE, 0, bytes, to, 0, NULL, NULL),
         "clEnqueueReadBuffer");
}

void byw_wl_copy(struct byw_wl *wl, cl_mem from, cl_mem to, size_t bytes)
{
    must(wl, clEnqueueCopyBuffer(wl->queue, from, to, 0, 0, bytes, 0, NULL, NULL),
         "clEnqueueCopyBuffer");
    must(wl, clFinish(wl->queue), "clFinish");
}

cl_kernel byw_wl_kernel(struct byw_wl *wl, const char *name)
{
    cl_int code = CL_SUCCESS;
    cl_kernel kernel = clCreateKernel(wl->program, name, &code);
    if (code != CL_SUCCESS)
        byw_wl_fail(wl, "clCreateKernel returned OpenCL error %d, expected a kernel named %s",
                    (int)code, name);
    own(wl, NODE_KERNEL, kernel);
    return kernel;
}

void byw_wl_args(struct byw_wl *wl, cl_kernel kernel, const char *kinds, ...)
{
    va_list list;
    va_start(list, kinds);
    for (cl_uint i = 0; kinds[i] != '\0'; i++) {
        cl_int code = CL_INVALID_VALUE;
        if (kinds[i] == 'm') {
            cl_mem buffer = va_arg(list, cl_mem);
            code = clSetKernelArg(kernel, i, sizeof buffer, &buffer);
        } else if (kinds[i] == 'i') {
            cl_int value = va_arg(list, cl_int);
            code = clSetKernelArg(kernel, i, sizeof value, &value);
        } else if (kinds[i] == 'f') {
            cl_float value = (cl_float)va_arg(list, double);
            code = clSetKernelArg(kernel, i, sizeof value, &value);
        } else if (kinds[i] == 'v') {
            code = clSetKernelArg(kernel, i, sizeof(cl_float4), va_arg(list, const float *));
        } else if (kinds[i] == 'l') {
            code = clSetKernelArg(kernel, i, va_arg(list, size_t), NULL);
        }
        must(wl, code, "clSetKernelArg");
    }
    va_end(list);
}

void byw_wl_launch(struct byw_wl *wl, cl_kernel kernel, size_t groups, size_t group_size)
{
    size_t global = groups * group_size;
    must(wl,
         clEnqueueNDRangeKernel(wl->queue, kernel, 1, NULL, &global, &group_size, 0, NULL, NULL),
         "clEnqueueNDRangeKernel");
    must(wl, clFinish(wl->queue), "clFinish");
    wl->launches++;
}

void byw_wl_launch_2d(struct byw_wl *wl, cl_kernel kernel, const size_t groups[2],
                      const size_t group_size[2])
{
    size_t global[2] = {groups[0] * group_size[0], groups[1] * group_size[1]};
    must(wl, clEnqueueNDRangeKernel(wl->queue, kernel, 2, NULL, global, group_size, 0, NULL, NULL),
         "clEnqueueNDRangeKernel");
    must(wl, clFinish(wl->queue), "clFinish");
    wl->launches++;
}

void byw_wl_check_i32(struct byw_wl *wl, const char *array, const int *got, const int *want,
                      size_t count)
{
    for (size_t i = 0; i < count && !wl->failed; i++) {
        if (got[i] != want[i]) {
            fprintf(stderr, "%s: %s[%zu]: found %d, expected %d\n", wl->about->name, array, i,
                    got[i], want[i]);
            wl->failed = true;
        }
    }
}

void byw_wl_check_f32(struct byw_wl *wl, const char *array, const float *got, const float *want,
                      size_t count, float relative, float absolute)
{
    for (size_t i = 0; i < count && !wl->failed; i++) {
        float room = absolute + relative * fabsf(want[i]);
        if (!(fabsf(got[i] - want[i]) <= room)) {
            fprintf(stderr, "%s: %s[%zu]: found %.9g, expected %.9g within %.3g\n", wl->about->name,
                    array, i, (double)got[i], (double)want[i], (double)room);
            wl->failed = true;
        }
    }
}
