/* SPDX-License-Identifier: Apache-2.0
 *
 * corpus.h - what the corpus programs share: a device, a program, and sums of results to print.
 *
 * The programs are ordinary OpenCL programs, most of 1.2: they know nothing of byway, and print the
 * same under every implementation.  Results are integers, or floats of which few digits are
 * printed.
 */
#ifndef CORPUS_H
#define CORPUS_H

#ifndef CORPUS_VERSION /* version of the API that a program requests */
#define CORPUS_VERSION 120
#endif
#define CL_TARGET_OPENCL_VERSION CORPUS_VERSION
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bench {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
};

static void must(cl_int code, const char *what)
{
    if (code == CL_SUCCESS)
        return;
    printf("%s: error %d\n", what, code);
    exit(1);
}

/* source may be NULL. */
static struct bench open_bench(const char *source, const char *options,
                               cl_command_queue_properties properties)
{
    struct bench b;
    cl_int code;

    memset(&b, 0, sizeof(b));
    must(clGetPlatformIDs(1, &b.platform, NULL), "clGetPlatformIDs");
    must(clGetDeviceIDs(b.platform, CL_DEVICE_TYPE_ALL, 1, &b.device, NULL), "clGetDeviceIDs");
    b.context = clCreateContext(NULL, 1, &b.device, NULL, NULL, &code);
    must(code, "clCreateContext");
    b.queue = clCreateCommandQueue(b.context, b.device, properties, &code);
    must(code, "clCreateCommandQueue");
    if (source == NULL)
        return b;
    b.program = clCreateProgramWithSource(b.context, 1, &source, NULL, &code);
    must(code, "clCreateProgramWithSource");
    code = clBuildProgram(b.program, 1, &b.device, options, NULL, NULL);
    if (code != CL_SUCCESS) {
        static char log[1 << 16];
        clGetProgramBuildInfo(b.program, b.device, CL_PROGRAM_BUILD_LOG, sizeof(log) - 1, log,
                              NULL);
        fputs(log, stderr);
    }
    must(code, "clBuildProgram");
    return b;
}

static inline cl_mem buffer(struct bench *b, size_t size, const void *data)
{
    cl_int code;
    cl_mem mem = clCreateBuffer(b->context, CL_MEM_READ_WRITE | (data ? CL_MEM_COPY_HOST_PTR : 0),
                                size, (void *)(size_t)data, &code);
    must(code, "clCreateBuffer");
    return mem;
}

static inline cl_kernel kernel(struct bench *b, const char *name)
{
    cl_int code;
    cl_kernel k = clCreateKernel(b->program, name, &code);
    must(code, name);
    return k;
}

static inline void arg(cl_kernel k, cl_uint index, size_t size, const void *value)
{
    must(clSetKernelArg(k, index, size, value), "clSetKernelArg");
}

static inline void run1(struct bench *b, cl_kernel k, size_t global, size_t local)
{
    must(
        clEnqueueNDRangeKernel(b->queue, k, 1, NULL, &global, local ? &local : NULL, 0, NULL, NULL),
        "clEnqueueNDRangeKernel");
}

static inline void fetch(struct bench *b, cl_mem mem, size_t size, void *data)
{
    must(clEnqueueReadBuffer(b->queue, mem, CL_TRUE, 0, size, data, 0, NULL, NULL),
         "clEnqueueReadBuffer");
}

static inline unsigned hash_of(const void *data, size_t size)
{
    const unsigned char *p = (const unsigned char *)data;
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ p[i]) * 16777619u;
    return hash;
}

static inline void print_ints(const char *name, const int *v, int n)
{
    printf("%s:", name);
    for (int i = 0; i < n; i++)
        printf(" %d", v[i]);
    printf("\n");
}

static inline void close_bench(struct bench *b)
{
    if (b->program)
        must(clReleaseProgram(b->program), "clReleaseProgram");
    must(clReleaseCommandQueue(b->queue), "clReleaseCommandQueue");
    must(clReleaseContext(b->context), "clReleaseContext");
}

#endif
