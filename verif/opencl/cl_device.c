/* SPDX-License-Identifier: Apache-2.0
 *
 * cl_device.c - prints name, vendor, memory and largest buffer of the first OpenCL device, one per
 * line, and builds a program, so that the cache of compiled kernels is used.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>

int main(void)
{
    const char *source = "kernel void k(global int *a) { a[get_global_id(0)] = 1; }";
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_program program;
    cl_ulong number[2] = {0, 0};
    char name[256] = "", vendor[256] = "";
    cl_int code;

    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
        return 3;
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof(name), name, NULL);
    clGetDeviceInfo(device, CL_DEVICE_VENDOR, sizeof(vendor), vendor, NULL);
    clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(number[0]), &number[0], NULL);
    clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(number[1]), &number[1], NULL);
    printf("%s\n%s\n%llu\n%llu\n", name, vendor, (unsigned long long)number[0],
           (unsigned long long)number[1]);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    return clBuildProgram(program, 1, &device, "", NULL, NULL) == CL_SUCCESS ? 0 : 4;
}
