/* SPDX-License-Identifier: Apache-2.0
 *
 * cl_late.c - a program that is not linked against OpenCL: it loads the library named by its
 * argument (default libOpenCL.so.1), launches one kernel and unloads the library again.
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* Where there is dlsym, pointers to objects and to functions have the same representation. */
#define LOOK_UP(name)                                                                              \
    __typeof__(name) *name##_p;                                                                    \
    do {                                                                                           \
        void *at = dlsym(library, #name);                                                          \
        if (at == NULL)                                                                            \
            return 3;                                                                              \
        memcpy(&name##_p, &at, sizeof(at));                                                        \
    } while (0)

static int use(void *library)
{
    const char *source = "kernel void f(global int *a) { a[get_global_id(0)] = 1; }";
    size_t items = 64;
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem buffer;

    LOOK_UP(clGetPlatformIDs);
    LOOK_UP(clGetDeviceIDs);
    LOOK_UP(clCreateContext);
    LOOK_UP(clCreateCommandQueue);
    LOOK_UP(clCreateProgramWithSource);
    LOOK_UP(clBuildProgram);
    LOOK_UP(clCreateKernel);
    LOOK_UP(clCreateBuffer);
    LOOK_UP(clSetKernelArg);
    LOOK_UP(clEnqueueNDRangeKernel);
    LOOK_UP(clFinish);
    if (clGetPlatformIDs_p(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs_p(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
        return 4;
    context = clCreateContext_p(NULL, 1, &device, NULL, NULL, NULL);
    queue = clCreateCommandQueue_p(context, device, 0, NULL);
    program = clCreateProgramWithSource_p(context, 1, &source, NULL, NULL);
    if (clBuildProgram_p(program, 1, &device, "", NULL, NULL) != CL_SUCCESS)
        return 5;
    kernel = clCreateKernel_p(program, "f", NULL);
    buffer = clCreateBuffer_p(context, 0, items * sizeof(int), NULL, NULL);
    clSetKernelArg_p(kernel, 0, sizeof(buffer), &buffer);
    if (clEnqueueNDRangeKernel_p(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL) != CL_SUCCESS)
        return 6;
    return clFinish_p(queue) == CL_SUCCESS ? 0 : 7;
}

int main(int argc, char **argv)
{
    void *library = dlopen(argc > 1 ? argv[1] : "libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    int status;

    if (library == NULL) {
        fprintf(stderr, "cl_late: %s\n", dlerror());
        return 2;
    }
    status = use(library);
    dlclose(library);
    return status;
}
