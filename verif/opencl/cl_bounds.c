/* SPDX-License-Identifier: Apache-2.0
 *
 * cl_bounds.c - an OpenCL program with distinguishable launches and a chosen end.
 *
 *     cl_bounds LAUNCHES [END]
 *
 * Launches kernels `add` and `scale` in turn, 64 groups of 32 work-items each, and checks their
 * results: exit status 4 if they are wrong, 3 on an OpenCL error. END: `kill` (by SIGKILL), `hang`
 * (says "ready" and sleeps), `deaf` (the same, ignoring SIGTERM), `long` (one more launch of a
 * million groups, says "ready" before it), `spin` (one more of 2^27 iterations).
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ITEMS = 2048, GROUP = 32, LONG_ITEMS = 1 << 25 };

static const char *const source =
    "kernel void add(global uint *a, int n) { a[get_global_id(0)] += n; }\n"
    "kernel void scale(global uint *a, int n) { a[get_global_id(0)] *= n; }\n"
    "kernel void spin(global uint *a, int n)\n"
    "{ uint v = a[0]; for (int i = 0; i < n; i++) v = v * 1664525u + i; a[1] += v == 7; }\n"
    "kernel void slow(global uint *a, int n)\n"
    "{ uint v = a[get_global_id(0) % 2048]; for (int i = 0; i < n; i++) v += a[v % 2048];\n"
    "  a[get_global_id(0) % 2048] = v; }\n";

static void check(cl_int code, const char *call)
{
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "cl_bounds: %s: error %d\n", call, code);
    exit(3);
}

struct device {
    cl_command_queue queue;
    cl_program program;
    cl_mem buffer;
};

static void launch(const struct device *d, const char *name, int n, size_t items, size_t group)
{
    cl_int code;
    cl_kernel kernel = clCreateKernel(d->program, name, &code);

    check(code, "clCreateKernel");
    check(clSetKernelArg(kernel, 0, sizeof(d->buffer), &d->buffer), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof(n), &n), "clSetKernelArg");
    check(clEnqueueNDRangeKernel(d->queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL),
          "clEnqueueNDRangeKernel");
    check(clFinish(d->queue), "clFinish");
    clReleaseKernel(kernel);
}

static void ready(void)
{
    puts("ready");
    fflush(stdout);
}

static void end(const struct device *d, const char *how)
{
    if (strcmp(how, "kill") == 0)
        raise(SIGKILL);
    if (strcmp(how, "deaf") == 0)
        signal(SIGTERM, SIG_IGN);
    if (strcmp(how, "spin") == 0)
        launch(d, "spin", 1 << 27, 1, 1);
    if (strcmp(how, "long") == 0) {
        ready();
        launch(d, "slow", 100, LONG_ITEMS, GROUP);
    }
    if (strcmp(how, "deaf") == 0 || strcmp(how, "hang") == 0) {
        ready();
        sleep(60);
    }
}

int main(int argc, char **argv)
{
    const int launches = argc > 1 ? atoi(argv[1]) : 0;
    static cl_uint data[ITEMS], want;
    cl_platform_id platform;
    cl_context context;
    cl_device_id id;
    struct device d;
    cl_int code;

    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id, NULL), "clGetDeviceIDs");
    context = clCreateContext(NULL, 1, &id, NULL, NULL, &code);
    check(code, "clCreateContext");
    d.queue = clCreateCommandQueue(context, id, 0, &code);
    check(code, "clCreateCommandQueue");
    d.program = clCreateProgramWithSource(context, 1, (const char **)(size_t)&source, NULL, &code);
    check(code, "clCreateProgramWithSource");
    check(clBuildProgram(d.program, 1, &id, "", NULL, NULL), "clBuildProgram");
    d.buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(data), data, &code);
    check(code, "clCreateBuffer");
    for (int i = 0; i < launches; i++) {
        launch(&d, i % 2 == 0 ? "add" : "scale", i + 2, ITEMS, GROUP);
        want = i % 2 == 0 ? want + (cl_uint)i + 2 : want * ((cl_uint)i + 2);
    }
    check(clEnqueueReadBuffer(d.queue, d.buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL),
          "clEnqueueReadBuffer");
    for (int i = 0; i < ITEMS; i++)
        if (data[i] != want)
            return 4;
    if (argc > 2)
        end(&d, argv[2]);
    puts("right");
    return 0;
}
