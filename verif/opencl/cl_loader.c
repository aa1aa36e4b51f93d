/* SPDX-License-Identifier: Apache-2.0
 *
 * cl_loader VARIABLE - a small ICD loader: opens the library that VARIABLE names, asks it for its
 * platforms and then makes each call through the table that the called object's first word names,
 * as the loaders in Python's wheels do.  Runs a kernel, first in OpenCL, then in CUDA.  Prints what
 * is wrong and exits with 1.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_icd.h>

#include "cuda/cu_driver.h"

#define ITEMS 64u

static const cl_icd_dispatch *table(const void *object)
{
    const cl_icd_dispatch *found = NULL;

    if (object != NULL)
        found = *(const cl_icd_dispatch *const *)object;
    if (found == NULL) {
        puts("an object without a table");
        exit(1);
    }
    return found;
}

static void expect(int right, const char *what)
{
    if (right)
        return;
    printf("%s\n", what);
    exit(1);
}

/* The platform that the library offers to loaders. */
static cl_platform_id platform_of(const char *path)
{
    void *library = dlopen(path == NULL ? "" : path, RTLD_NOW), *symbol = NULL;
    void *(*look_up)(const char *) = NULL;
    cl_int (*list)(cl_uint, cl_platform_id *, cl_uint *) = NULL;
    cl_platform_id platform = NULL;
    cl_uint count = 0;

    expect(library != NULL, "the variable names no library");
    symbol = dlsym(library, "clGetExtensionFunctionAddress");
    expect(symbol != NULL, "no clGetExtensionFunctionAddress");
    *(void **)&look_up = symbol;
    *(void **)&list = look_up("clIcdGetPlatformIDsKHR");
    expect(list != NULL, "no clIcdGetPlatformIDsKHR");
    expect(list(1, &platform, &count) == CL_SUCCESS && count == 1, "no platform");
    return platform;
}

static void run_opencl(cl_platform_id platform)
{
    static const char *const text = "kernel void k(global uint *o) { o[get_global_id(0)] = "
                                    "get_global_id(0) + 5u; }";
    const size_t items = ITEMS;
    cl_uint out[ITEMS] = {0};
    cl_device_id device = NULL;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem buffer;
    cl_event event = NULL;
    char suffix[16] = "";
    cl_int error = 0;

    table(platform)->clGetPlatformInfo(platform, 0x0920, sizeof(suffix), suffix, NULL);
    expect(suffix[0] != '\0', "the platform has no suffix for its extensions");
    table(platform)->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    context = table(device)->clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    queue = table(context)->clCreateCommandQueue(context, device, 0, &error);
    buffer = table(context)->clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof(out), NULL, &error);
    program =
        table(context)->clCreateProgramWithSource(context, 1, (const char **)&text, NULL, &error);
    table(program)->clBuildProgram(program, 1, &device, "", NULL, NULL);
    kernel = table(program)->clCreateKernel(program, "k", &error);
    expect(error == CL_SUCCESS, "a call failed");
    table(kernel)->clSetKernelArg(kernel, 0, sizeof(buffer), &buffer);
    error =
        table(queue)->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, &event);
    expect(error == CL_SUCCESS, "the OpenCL kernel did not run");
    table(event)->clWaitForEvents(1, &event);
    table(queue)->clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(out), out, 0, NULL, NULL);
    for (cl_uint i = 0; i < ITEMS; i++)
        expect(out[i] == i + 5, "the OpenCL kernel is wrong");
    table(buffer)->clReleaseMemObject(buffer);
    table(kernel)->clReleaseKernel(kernel);
}

static void run_cuda(void)
{
    static const char text[] = ".version 7.0\n.target sm_80\n.address_size 64\n"
                               ".visible .entry k(.param .u64 o) { .reg .u32 %t; .reg .u64 %a, %b; "
                               "ld.param.u64 %a, [o]; mov.u32 %t, %tid.x; mul.wide.u32 %b, %t, 4; "
                               "add.u64 %a, %a, %b; st.global.u32 [%a], %t; ret; }\n";
    unsigned out[32] = {0};
    CUmodule module;
    CUfunction f;
    CUdeviceptr memory;
    void *args[] = {&memory};

    expect(cuInit(0) == 0 && cuModuleLoadData(&module, text) == 0 &&
               cuModuleGetFunction(&f, module, "k") == 0 &&
               cuMemAlloc_v2(&memory, sizeof(out)) == 0,
           "CUDA does not start");
    expect(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, NULL, args, NULL) == 0 &&
               cuMemcpyDtoH_v2(out, memory, sizeof(out)) == 0 && out[31] == 31,
           "the CUDA kernel did not run");
}

int main(int argc, char **argv)
{
    run_opencl(platform_of(argc == 2 ? getenv(argv[1]) : NULL));
    run_cuda();
    puts("right");
    return 0;
}
